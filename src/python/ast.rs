//! The syntax tree of a Python program. Every node has its range of bytes in the source, for tracebacks.

use num_bigint::BigInt;
use std::sync::Arc;

/// A name in a program.
pub(crate) type Name = Arc<str>;

/// A range of bytes in the source.
pub(crate) type Span = (u32, u32);

/// An expression with its range.
#[derive(Clone, Debug)]
pub(crate) struct PyExpr {
    pub at: Span,
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
}

/// What a comprehension builds.
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
    Named(Name, PyExpr),
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
    Text(String),
    Bytes(Vec<u8>),
    Format(Vec<FPart>),
    Name(Name),
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
    Attr(Box<PyExpr>, Name),
    Index(Box<PyExpr>, Box<PyExpr>),
    Slice(Option<Box<PyExpr>>, Option<Box<PyExpr>>, Option<Box<PyExpr>>),
    Call(Box<PyExpr>, Vec<CallArg>),
    Lambda(Arc<Params>, Box<PyExpr>),
    Comp(CompKind, Box<PyExpr>, Option<Box<PyExpr>>, Vec<CompFor>),
    Walrus(Name, Box<PyExpr>),
    Yield(Option<Box<PyExpr>>),
    YieldFrom(Box<PyExpr>),
}

/// A function's parameters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Params {
    /// Names; the first `positional_only` cannot be given by name.
    pub names: Vec<Name>,
    pub positional_only: usize,
    /// Defaults of the last of them.
    pub defaults: Vec<PyExpr>,
    pub star: Option<Name>,
    pub keyword_only: Vec<(Name, Option<PyExpr>)>,
    pub star_star: Option<Name>,
    pub annotations: Vec<(Name, PyExpr)>,
}

/// A statement with its range.
#[derive(Clone, Debug)]
pub(crate) struct PyStmt {
    pub at: Span,
    pub kind: StmtKind,
}

/// `except TYPE as NAME:`
#[derive(Clone, Debug)]
pub(crate) struct Handler {
    pub at: Span,
    pub kind: Option<PyExpr>,
    pub name: Option<Name>,
    pub body: Vec<PyStmt>,
}

/// A pattern of `case`.
#[derive(Clone, Debug)]
pub(crate) enum MatchPattern {
    Any(Option<Name>),
    Value(PyExpr),
    Or(Vec<MatchPattern>),
    As(Box<MatchPattern>, Name),
    /// The flag says that the one element is starred.
    Sequence(Vec<(bool, MatchPattern)>),
    Mapping(Vec<(PyExpr, MatchPattern)>, Option<Name>),
    Class(PyExpr, Vec<MatchPattern>, Vec<(Name, MatchPattern)>),
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
    Global(Vec<Name>),
    Nonlocal(Vec<Name>),
    /// `import a.b as c`
    Import(Vec<(Name, Option<Name>)>),
    /// Dots, module, names; no names: `*`.
    From(u32, Name, Vec<(Name, Option<Name>)>),
    If(PyExpr, Vec<PyStmt>, Vec<PyStmt>),
    While(PyExpr, Vec<PyStmt>, Vec<PyStmt>),
    For(PyExpr, PyExpr, Vec<PyStmt>, Vec<PyStmt>),
    Try(Vec<PyStmt>, Vec<Handler>, Vec<PyStmt>, Vec<PyStmt>),
    With(Vec<(PyExpr, Option<PyExpr>)>, Vec<PyStmt>),
    Function(Arc<FunctionDef>),
    Class(Name, Vec<CallArg>, Vec<PyStmt>, Vec<PyExpr>),
    Match(PyExpr, Vec<(MatchPattern, Option<PyExpr>, Vec<PyStmt>)>),
}

/// `def`
#[derive(Clone, Debug)]
pub(crate) struct FunctionDef {
    pub name: Name,
    pub params: Params,
    pub body: Vec<PyStmt>,
    pub decorators: Vec<PyExpr>,
}
