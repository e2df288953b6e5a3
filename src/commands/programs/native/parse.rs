//! A reader of C, and of the C++ and CUDA that short programs use. What it does not know makes the whole program one
//! that is not computed.

use super::lex::{Placed, Token};
use super::preprocess;
use super::system::CPU_LIST;
use super::tree::{CodeExpr, Declared, Function, Kind, Stmt};
use std::collections::BTreeMap;

/// Depth of expressions and statements.
pub(super) const MAX_DEPTH: u32 = 100;

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SourceProgram {
    pub functions: BTreeMap<String, Function>,
    pub globals: Vec<Declared>,
}

/// Words of types: what variables of these types hold, and their bytes.
const TYPES: &[(&str, Kind, i64)] = &[
    ("int", Kind::Whole, 4),
    ("long", Kind::Whole, 8),
    ("short", Kind::Whole, 2),
    ("unsigned", Kind::Whole, 4),
    ("signed", Kind::Whole, 4),
    ("bool", Kind::Whole, 1),
    ("size_t", Kind::Whole, 8),
    ("ssize_t", Kind::Whole, 8),
    ("time_t", Kind::Whole, 8),
    ("clock_t", Kind::Whole, 8),
    ("pid_t", Kind::Whole, 4),
    ("int32_t", Kind::Whole, 4),
    ("int64_t", Kind::Whole, 8),
    ("uint32_t", Kind::Whole, 4),
    ("uint64_t", Kind::Whole, 8),
    ("char", Kind::Text, 1),
    ("string", Kind::Text, 32),
    ("float", Kind::Fraction, 4),
    ("double", Kind::Fraction, 8),
    ("void", Kind::Any, 8),
    ("auto", Kind::Any, 8),
    ("va_list", Kind::Any, 8),
    ("dim3", Kind::Any, 12),
    ("cpu_set_t", Kind::Any, 128),
    ("cudaError_t", Kind::Any, 4),
    ("cudaDeviceProp", Kind::Any, 1008),
    ("MPI_Comm", Kind::Any, 8),
    ("MPI_Request", Kind::Any, 8),
    ("MPI_Status", Kind::Any, 24),
];
/// Words in front of a type.
const QUALIFIERS: &[&str] =
    &["const", "static", "volatile", "register", "inline", "extern", "constexpr", "__device__", "__host__"];

/// Reads a program that is compiled with or without OpenMP; none if it contains something unknown.
pub(super) fn program(tokens: &[Placed], openmp: bool) -> Option<SourceProgram> {
    let tokens = preprocess::compiled(tokens, openmp)?;
    let mut reader = CReader { tokens, at: 0, depth: 0 };
    let mut program = SourceProgram::default();
    while reader.at < reader.tokens.len() {
        reader.top_level(&mut program)?;
    }
    Some(program)
}

pub(super) struct CReader {
    tokens: Vec<Token>,
    pub(super) at: usize,
    pub(super) depth: u32,
}

impl CReader {
    pub(super) fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(self.peek(0), Some(Token::Sign(s)) if *s == sign)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(0), Some(Token::Name(name)) if name == word)
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        let yes = self.is(sign);
        self.at += usize::from(yes);
        yes
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let yes = self.is_word(word);
        self.at += usize::from(yes);
        yes
    }

    pub(super) fn expect(&mut self, sign: &str) -> Option<()> {
        self.eat(sign).then_some(())
    }

    pub(super) fn name(&mut self) -> Option<String> {
        let Some(Token::Name(name)) = self.peek(0) else { return None };
        let name = name.clone();
        self.at += 1;
        Some(name)
    }

    /// Skips `std::`.
    pub(super) fn skip_std(&mut self) {
        if self.is_word("std") && matches!(self.peek(1), Some(Token::Sign("::"))) {
            self.at += 2;
        }
    }

    /// Reads the words of a type.
    pub(super) fn kind(&mut self) -> Option<Kind> {
        self.sized_kind().map(|found| found.0)
    }

    /// Reads the words of a type: what it holds, and its bytes.
    pub(super) fn sized_kind(&mut self) -> Option<(Kind, i64)> {
        let start = self.at;
        let mut kind = None;
        loop {
            self.skip_std();
            let Some(Token::Name(word)) = self.peek(0) else { break };
            if let Some((_, found, bytes)) = TYPES.iter().find(|(name, ..)| name == word) {
                // `long double`, `unsigned char`, `unsigned long`, `long int`
                kind = Some(match (kind, found) {
                    (Some((Kind::Whole, _)), Kind::Fraction | Kind::Text) => (*found, *bytes),
                    (Some((Kind::Whole, before)), _) if word == "int" => (Kind::Whole, before),
                    (Some((first, _)), _) => (first, *bytes),
                    (None, found) => (*found, *bytes),
                });
            } else if !QUALIFIERS.contains(&word.as_str()) {
                break;
            }
            self.at += 1;
        }
        if kind.is_none() {
            self.at = start;
        }
        kind
    }

    fn top_level(&mut self, program: &mut SourceProgram) -> Option<()> {
        if self.eat(";") {
            return Some(());
        }
        if self.eat_word("using") {
            return self.skip_using();
        }
        let is_kernel = self.eat_word("__global__");
        // Old programs leave out the type of `main`.
        let kind = if self.is_word("main") { Kind::Whole } else { self.kind()? };
        while self.eat("*") || self.eat("&") {}
        if matches!(self.peek(1), Some(Token::Sign("("))) {
            let name = self.name()?;
            self.expect("(")?;
            let (mut params, mut variadic) = (Vec::new(), false);
            let start = self.at;
            while !self.eat(")") {
                self.eat(",");
                if self.eat("...") {
                    variadic = true;
                    continue;
                }
                if self.is_word("void") && matches!(self.peek(1), Some(Token::Sign(")"))) {
                    self.at += 1;
                    continue;
                }
                let kind = self.kind()?;
                while self.eat("*")
                    || self.eat("&")
                    || self.eat_word("const")
                    || self.eat_word("__restrict__")
                {}
                let name = self.name().unwrap_or_default();
                while self.eat("[") {
                    while !self.eat("]") {
                        self.at += 1;
                        self.peek(0)?;
                    }
                }
                params.push((kind, name));
            }
            if self.eat(";") {
                return Some(());
            }
            if self.lists_cpus(start, &params) {
                return self.replace_list(&name);
            }
            let Stmt::Block(body) = self.block()? else { return None };
            program.functions.insert(name, Function { params, body, is_kernel, variadic });
            return Some(());
        }
        program.globals.extend(self.declared(kind)?);
        Some(())
    }

    /// Whether a function turns a set of CPUs into a text: `static char *cpuset_to_cstr(cpu_set_t *mask, char *str)`, which
    /// every xthi has.
    fn lists_cpus(&self, start: usize, params: &[(Kind, String)]) -> bool {
        let words = self.tokens.get(start..self.at).unwrap_or_default();
        let of_set = words.iter().any(|token| matches!(token, Token::Name(name) if name == "cpu_set_t"));
        of_set && matches!(params, [(Kind::Any, _), (Kind::Text, _)])
    }

    /// Skips its body, which works with pointers, and lets its calls be those of [`CPU_LIST`].
    fn replace_list(&mut self, name: &str) -> Option<()> {
        self.expect("{")?;
        let mut depth = 1;
        while depth > 0 {
            match self.peek(0)? {
                Token::Sign("{") => depth += 1,
                Token::Sign("}") => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
        for token in self.tokens.iter_mut().skip(self.at) {
            if matches!(token, Token::Name(called) if called == name) {
                *token = Token::Name(CPU_LIST.to_owned());
            }
        }
        Some(())
    }

    /// Skips `using namespace std;`.
    fn skip_using(&mut self) -> Option<()> {
        while !self.eat(";") {
            self.at += 1;
            self.peek(0)?;
        }
        Some(())
    }

    /// The variables of a declaration, up to its semicolon.
    fn declared(&mut self, kind: Kind) -> Option<Vec<Declared>> {
        let mut all = Vec::new();
        loop {
            while self.eat("*") || self.eat("&") {}
            let name = self.name()?;
            let mut sizes = Vec::new();
            while self.eat("[") {
                sizes.push(if self.is("]") { CodeExpr::Int(-1) } else { self.expr()? });
                self.expect("]")?;
            }
            let value = if self.eat("=") {
                Some(self.assigned()?)
            } else if self.is("{") {
                Some(self.list()?)
            } else if self.eat("(") {
                let mut args = self.arguments()?;
                if args.len() == 1 { args.pop() } else { Some(CodeExpr::List(args)) }
            } else {
                None
            };
            all.push(Declared { kind, name, sizes, value });
            if self.eat(";") {
                return Some(all);
            }
            self.expect(",")?;
        }
    }

    pub(super) fn list(&mut self) -> Option<CodeExpr> {
        self.expect("{")?;
        let mut all = Vec::new();
        while !self.eat("}") {
            all.push(self.assigned()?);
            self.eat(",");
        }
        Some(CodeExpr::List(all))
    }

    fn block(&mut self) -> Option<Stmt> {
        self.expect("{")?;
        let mut all = Vec::new();
        while !self.eat("}") {
            all.push(self.statement()?);
        }
        Some(Stmt::Block(all))
    }

    fn statement(&mut self) -> Option<Stmt> {
        self.depth += 1;
        let read = if self.depth < MAX_DEPTH { self.any_statement() } else { None };
        self.depth -= 1;
        read
    }

    fn any_statement(&mut self) -> Option<Stmt> {
        if self.is("{") {
            return self.block();
        }
        if self.eat(";") {
            return Some(Stmt::Block(Vec::new()));
        }
        if let Some(Token::Pragma(clauses)) = self.peek(0).cloned() {
            self.at += 1;
            if clauses.starts_with("barrier")
                || clauses.starts_with("flush")
                || clauses.starts_with("taskwait")
            {
                return Some(Stmt::Block(Vec::new()));
            }
            return Some(Stmt::Omp(clauses, Box::new(self.statement()?)));
        }
        if self.eat_word("using") {
            self.skip_using()?;
            return Some(Stmt::Block(Vec::new()));
        }
        if self.eat_word("if") {
            self.expect("(")?;
            let test = self.expr()?;
            self.expect(")")?;
            let then = Box::new(self.statement()?);
            let other = if self.eat_word("else") { Some(Box::new(self.statement()?)) } else { None };
            return Some(Stmt::If(test, then, other));
        }
        if self.eat_word("while") {
            self.expect("(")?;
            let until = self.expr()?;
            self.expect(")")?;
            return Some(Stmt::While { first: false, until, body: Box::new(self.statement()?) });
        }
        if self.eat_word("do") {
            let body = Box::new(self.statement()?);
            if !self.eat_word("while") {
                return None;
            }
            self.expect("(")?;
            let until = self.expr()?;
            self.expect(")")?;
            self.expect(";")?;
            return Some(Stmt::While { first: true, until, body });
        }
        if self.eat_word("for") {
            self.expect("(")?;
            let start = Box::new(self.simple()?);
            let until = if self.is(";") { None } else { Some(self.expr()?) };
            self.expect(";")?;
            let step = if self.is(")") { None } else { Some(self.expr()?) };
            self.expect(")")?;
            return Some(Stmt::For { start, until, step, body: Box::new(self.statement()?) });
        }
        if self.eat_word("return") {
            let value = if self.is(";") { None } else { Some(self.expr()?) };
            self.expect(";")?;
            return Some(Stmt::Return(value));
        }
        if self.eat_word("break") {
            self.expect(";")?;
            return Some(Stmt::Break);
        }
        if self.eat_word("continue") {
            self.expect(";")?;
            return Some(Stmt::Continue);
        }
        self.simple()
    }

    /// A declaration or an expression, with its semicolon.
    fn simple(&mut self) -> Option<Stmt> {
        if self.eat(";") {
            return Some(Stmt::Block(Vec::new()));
        }
        if let Some(kind) = self.kind() {
            return self.declared(kind).map(Stmt::Declare);
        }
        let value = self.expr()?;
        self.expect(";")?;
        Some(Stmt::Eval(value))
    }
}
