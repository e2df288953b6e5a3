//! Compiled code: operations of a stack machine with their ranges in the source.

use super::ast::{PyName, SourceSpan};
use num_bigint::BigInt;

/// A constant of a unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    None,
    Bool(bool),
    Ellipsis,
    Int(i64),
    Big(BigInt),
    Float(f64),
    Text(String),
    Bytes(Vec<u8>),
    /// Names of keyword arguments.
    Names(Vec<PyName>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Floor,
    Mod,
    Pow,
    MatMul,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CmpOp {
    Lt,
    Le,
    Eq,
    Ne,
    Gt,
    Ge,
    In,
    NotIn,
    Is,
    IsNot,
}

/// An operation. `u32` operands are indices of names, constants, locals, cells or operations, or counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PyOp {
    Const(u32),
    Local(u32),
    SetLocal(u32),
    DelLocal(u32),
    Global(u32),
    SetGlobal(u32),
    DelGlobal(u32),
    /// A name in the body of a module or a class.
    Named(u32),
    SetNamed(u32),
    DelNamed(u32),
    Cell(u32),
    SetCell(u32),
    DelCell(u32),
    /// Pushes the cell itself, for a closure.
    Capture(u32),
    /// Only carries a range, for errors of the next operation.
    Nop,
    Pop,
    Dup,
    Dup2,
    Swap,
    /// Moves the top below the next two.
    Rot3,
    Neg,
    Pos,
    Invert,
    Not,
    Binary(BinOp),
    InPlace(BinOp),
    Compare(CmpOp),
    Jump(u32),
    JumpIf(u32),
    JumpIfNot(u32),
    /// Jumps and keeps the value, or drops the value and continues.
    JumpIfKeep(u32),
    JumpIfNotKeep(u32),
    Attr(u32),
    SetAttr(u32),
    DelAttr(u32),
    Index,
    SetIndex,
    DelIndex,
    Slice,
    Tuple(u32),
    List(u32),
    Set(u32),
    Dict(u32),
    /// Adds the top to the collection at this depth of the stack.
    Append(u32),
    Insert(u32),
    Put(u32),
    Extend,
    Update,
    Merge,
    AsTuple,
    /// Conversion letter or 0. The format is on the stack above the value.
    Format(u32),
    Join(u32),
    /// Positional arguments, constant with keyword names.
    Call(u32, u32),
    /// Like `Call`, of the attribute with this name.
    Method(u32, u32, u32),
    /// Function, list of arguments, dict of keyword arguments.
    CallSpread,
    /// Code; below it: defaults, keyword defaults, and a tuple of cells.
    Function(u32),
    /// Name; below it: body, list of bases, dict of keywords.
    Class(u32),
    Return,
    Yield,
    YieldFrom,
    Iter,
    For(u32),
    Unpack(u32),
    UnpackStar(u32, u32),
    Try(u32),
    EndTry,
    /// The exception on the stack is being handled.
    Handle,
    Handled,
    /// Exception and class: whether it matches; keeps the exception.
    Matches,
    /// Number of operands: 0 (again), 1, 2 (with cause).
    Raise(u32),
    Reraise,
    AssertionFailed(u32),
    /// Context manager: pushes `__exit__` and the value of `__enter__`.
    Enter,
    /// `__exit__` and the exception: whether it is suppressed.
    Exit,
    Import(u32),
    ImportFrom(u32),
    ImportStar,
    IsSequence,
    IsMapping,
    Len,
    /// Mapping and keys: values or None.
    MatchKeys(u32),
    MatchClass(u32, u32),
    Annotate(u32),
    /// Prints the value of an expression at the prompt.
    Show,
}

/// A function, class body, comprehension or module.
#[derive(Clone, Debug, Default)]
pub(crate) struct PyCode {
    pub name: String,
    pub qualified: String,
    pub locals: Vec<PyName>,
    /// Names of all cells: captured locals first, then those of enclosing functions.
    pub cells: Vec<PyName>,
    pub own_cells: usize,
    /// Parameters that are captured: local and cell.
    pub cell_params: Vec<(u32, u32)>,
    pub positional: usize,
    pub positional_only: usize,
    pub keyword_only: usize,
    pub star: bool,
    pub star_star: bool,
    pub generator: bool,
    /// `async def`, and whether it yields values.
    pub coroutine: bool,
    pub async_generator: bool,
    pub class_body: bool,
    pub module: bool,
    pub doc: Option<String>,
    pub ops: Vec<PyOp>,
    pub spans: Vec<SourceSpan>,
}

/// All code of a source file.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledUnit {
    pub codes: Vec<std::sync::Arc<PyCode>>,
    pub names: Vec<PyName>,
    pub constants: Vec<Constant>,
}
