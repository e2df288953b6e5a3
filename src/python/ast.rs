//! The syntax tree of a Python program. Every node has its byte range in the source, for tracebacks.

use num_bigint::BigInt;
use std::sync::Arc;

/// A name in a program.
pub(crate) type PyName = Arc<str>;

/// A range of bytes in the source.
pub(crate) type SourceSpan = (u32, u32);

/// An expression with its range.
#[derive(Clone, Debug)]
pub(crate) struct PyExpr {
    pub at: SourceSpan,
    pub kind: ExprKind,
}

/// A part of an f-string.
#[derive(Clone, Debug)]
pub(crate) enum FPart {
    Text(String),
    /// Value, conversion (`r`, `s`, `a`), format.
    Value(PyExpr, Option<char>, Vec<FPart>),
}

/// One `for ... in ... if ...` of a comprehension.
#[derive(Clone, Debug)]
pub(crate) struct CompFor {
    pub target: PyExpr,
    pub iter: PyExpr,
    pub ifs: Vec<PyExpr>,
    /// `async for`
    pub is_async: bool,
}

/// The kind of a comprehension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompKind {
    List,
    Set,
    Dict,
    Generator,
}

/// A call's arguments in order.
#[derive(Clone, Debug)]
pub(crate) enum CallArg {
    One(PyExpr),
    Star(PyExpr),
    Named(PyName, PyExpr),
    StarStar(PyExpr),
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    None,
    Bool(bool),
    Ellipsis,
    Int(i64),
    Big(BigInt),
    Float(f64),
    Imaginary(f64),
    Text(String),
    Bytes(Vec<u8>),
    Format(Vec<FPart>),
    Name(PyName),
    Tuple(Vec<PyExpr>),
    List(Vec<PyExpr>),
    Set(Vec<PyExpr>),
    /// Pairs; without a key: `**mapping`.
    Dict(Vec<(Option<PyExpr>, PyExpr)>),
    Starred(Box<PyExpr>),
    Unary(&'static str, Box<PyExpr>),
    Binary(&'static str, Box<PyExpr>, Box<PyExpr>),
    /// `and`, `or`
    Logic(bool, Vec<PyExpr>),
    Compare(Box<PyExpr>, Vec<(&'static str, PyExpr)>),
    If(Box<PyExpr>, Box<PyExpr>, Box<PyExpr>),
    Attr(Box<PyExpr>, PyName),
    Index(Box<PyExpr>, Box<PyExpr>),
    Slice(Option<Box<PyExpr>>, Option<Box<PyExpr>>, Option<Box<PyExpr>>),
    Call(Box<PyExpr>, Vec<CallArg>),
    Lambda(Arc<Params>, Box<PyExpr>),
    Comp(CompKind, Box<PyExpr>, Option<Box<PyExpr>>, Vec<CompFor>),
    Walrus(PyName, Box<PyExpr>),
    Yield(Option<Box<PyExpr>>),
    YieldFrom(Box<PyExpr>),
    Await(Box<PyExpr>),
}

/// A function's parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    /// Names; the first `positional_only` cannot be given by name.
    pub names: Vec<PyName>,
    pub positional_only: usize,
    /// Defaults of the last names.
    pub defaults: Vec<PyExpr>,
    pub star: Option<PyName>,
    pub keyword_only: Vec<(PyName, Option<PyExpr>)>,
    pub star_star: Option<PyName>,
    pub annotations: Vec<(PyName, PyExpr)>,
}

/// A statement with its range.
#[derive(Clone, Debug)]
pub(crate) struct PyStmt {
    pub at: SourceSpan,
    pub kind: StmtKind,
}

/// `except TYPE as NAME:`
#[derive(Clone, Debug)]
pub(crate) struct Handler {
    pub at: SourceSpan,
    pub kind: Option<PyExpr>,
    pub name: Option<PyName>,
    pub body: Vec<PyStmt>,
}

/// A pattern of `case`.
#[derive(Clone, Debug)]
pub(crate) enum MatchPattern {
    Any(Option<PyName>),
    Value(PyExpr),
    Or(Vec<MatchPattern>),
    As(Box<MatchPattern>, PyName),
    /// Each pattern with a flag that marks a starred element.
    Sequence(Vec<(bool, MatchPattern)>),
    Mapping(Vec<(PyExpr, MatchPattern)>, Option<PyName>),
    Class(PyExpr, Vec<MatchPattern>, Vec<(PyName, MatchPattern)>),
}

#[derive(Clone, Debug)]
pub(crate) enum StmtKind {
    Expr(PyExpr),
    Assign(Vec<PyExpr>, PyExpr),
    Augmented(PyExpr, &'static str, PyExpr),
    Annotated(PyExpr, PyExpr, Option<PyExpr>),
    Return(Option<PyExpr>),
    Raise(Option<PyExpr>, Option<PyExpr>),
    Assert(PyExpr, Option<PyExpr>),
    Delete(Vec<PyExpr>),
    Pass,
    Break,
    Continue,
    Global(Vec<PyName>),
    Nonlocal(Vec<PyName>),
    /// `import a.b as c`
    Import(Vec<(PyName, Option<PyName>)>),
    /// Dots, module, names; no names: `*`.
    From(u32, PyName, Vec<(PyName, Option<PyName>)>),
    If(PyExpr, Vec<PyStmt>, Vec<PyStmt>),
    While(PyExpr, Vec<PyStmt>, Vec<PyStmt>),
    For(PyExpr, PyExpr, Vec<PyStmt>, Vec<PyStmt>),
    Try(Vec<PyStmt>, Vec<Handler>, Vec<PyStmt>, Vec<PyStmt>),
    /// `try` with `except*`.
    TryStar(Vec<PyStmt>, Vec<Handler>, Vec<PyStmt>, Vec<PyStmt>),
    With(Vec<(PyExpr, Option<PyExpr>)>, Vec<PyStmt>),
    Function(Arc<FunctionDef>),
    Class(PyName, Vec<CallArg>, Vec<PyStmt>, Vec<PyExpr>),
    Match(PyExpr, Vec<(MatchPattern, Option<PyExpr>, Vec<PyStmt>)>),
}

/// `def`
#[derive(Clone, Debug)]
pub(crate) struct FunctionDef {
    pub name: PyName,
    pub params: Params,
    pub body: Vec<PyStmt>,
    pub decorators: Vec<PyExpr>,
    /// `async def`
    pub is_async: bool,
}
