//! What a program consists of, in C and in Fortran.

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CodeExpr {
    Int(i64),
    Float(f64),
    Text(String),
    /// `'a'`
    Char(i64),
    /// A variable, or a member as `props.name`.
    Name(String),
    /// `a[i]`; of a text its characters.
    Index(Box<Self>, Box<Self>),
    Invoke(String, Vec<Self>),
    /// `kernel<<<blocks, threads>>>(...)`
    Launch(String, Box<Self>, Box<Self>, Vec<Self>),
    /// `- ! ~ + * &`
    Unary(&'static str, Box<Self>),
    Binary(&'static str, Box<Self>, Box<Self>),
    /// `=`, `+=` and the like: the operator without `=`.
    Assign(&'static str, Box<Self>, Box<Self>),
    /// `++` and `--`: whether the result is the new value, and the step.
    Bump(bool, i64, Box<Self>),
    Choice(Box<Self>, Box<Self>, Box<Self>),
    /// A cast: to a whole number, or to a fraction.
    Whole(Box<Self>),
    Fraction(Box<Self>),
    /// A cast to a pointer: what the memory holds.
    Pointer(Kind, Box<Self>),
    /// `{1, 2, 3}`
    List(Vec<Self>),
}

/// A type, as far as it matters: what a variable holds when it is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Whole,
    Fraction,
    Text,
    /// `auto`, `dim3`: what it is set to.
    Any,
}

/// A declared variable: kind, name, sizes of an array, first value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Declared {
    pub kind: Kind,
    pub name: String,
    pub sizes: Vec<CodeExpr>,
    pub value: Option<CodeExpr>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stmt {
    Eval(CodeExpr),
    Declare(Vec<Declared>),
    If(CodeExpr, Box<Self>, Option<Box<Self>>),
    /// `do` first runs its body.
    While {
        first: bool,
        until: CodeExpr,
        body: Box<Self>,
    },
    For {
        start: Box<Self>,
        until: Option<CodeExpr>,
        step: Option<CodeExpr>,
        body: Box<Self>,
    },
    Block(Vec<Self>),
    Return(Option<CodeExpr>),
    Break,
    Continue,
    /// A region of OpenMP: its clauses and the statement it is about.
    Omp(String, Box<Self>),
    /// A Fortran line of output: the variable that gets it, or none for standard output; format, items.
    Write(Option<String>, Option<String>, Vec<CodeExpr>),
    /// `stop`
    Stop(Option<CodeExpr>),
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Function {
    pub params: Vec<(Kind, String)>,
    pub body: Vec<Stmt>,
    /// `__global__`
    pub is_kernel: bool,
    /// `...` behind the parameters.
    pub variadic: bool,
}
