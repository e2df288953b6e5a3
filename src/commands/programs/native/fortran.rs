//! A reader of the Fortran that short programs use: one main program, without procedures of its own. It makes the same
//! statements as the reader of C.

use super::fortran_expr::FortranExprs;
use super::fortran_lex::{implicit_names, statements};
use super::lex::Token;
use super::parse::SourceProgram;
use super::tree::{CodeExpr, Declared, Function, Kind, Stmt};
use std::collections::{BTreeMap, VecDeque};

/// Depth of blocks and of expressions.
pub(super) const MAX_DEPTH: u32 = 60;

/// Reads a program; none if it contains something unknown.
pub(super) fn program(source: &str, openmp: bool) -> Option<SourceProgram> {
    let mut formats = BTreeMap::new();
    let lines = statements(source, openmp, &mut formats)?;
    let implicit = implicit_names(&lines);
    let mut reader = FortranReader { lines, arrays: Vec::new(), lengths: BTreeMap::new(), formats, depth: 0 };
    let mut globals = Vec::new();
    let body = reader.block(&mut globals, BlockEnd::Words(&["end"]))?;
    for name in implicit {
        if !globals.iter().any(|declared: &Declared| declared.name == name) {
            globals.push(Declared { kind: Kind::Whole, name, sizes: Vec::new(), value: None });
        }
    }
    let main = Function { params: Vec::new(), body, is_kernel: false, variadic: false };
    Some(SourceProgram { functions: BTreeMap::from([("main".to_owned(), main)]), globals })
}

/// What ends a block: a line with one of these first words, or the end of a region of OpenMP.
#[derive(Clone, Copy)]
enum BlockEnd {
    Words(&'static [&'static str]),
    Region,
}

pub(super) struct FortranReader {
    lines: VecDeque<Vec<Token>>,
    pub(super) arrays: Vec<String>,
    /// Lengths of character variables.
    pub(super) lengths: BTreeMap<String, CodeExpr>,
    /// Formats by their labels.
    formats: BTreeMap<i64, String>,
    depth: u32,
}

pub(super) fn word(line: &[Token], at: usize) -> &str {
    match line.get(at) {
        Some(Token::Name(name)) => name,
        _ => "",
    }
}

pub(super) fn is_sign(line: &[Token], at: usize, sign: &str) -> bool {
    matches!(line.get(at), Some(Token::Sign(s)) if *s == sign)
}

impl FortranReader {
    /// Statements up to the line that ends their block, which is left.
    fn block(&mut self, globals: &mut Vec<Declared>, end: BlockEnd) -> Option<Vec<Stmt>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let mut all = Vec::new();
        loop {
            let line = self.lines.front()?;
            let first = match line.first() {
                Some(Token::Pragma(text)) => text.split_whitespace().next().unwrap_or("").to_owned(),
                _ => word(line, 0).to_owned(),
            };
            let region = matches!(line.first(), Some(Token::Pragma(_)));
            let ends = match end {
                BlockEnd::Words(words) => !region && words.contains(&first.as_str()),
                BlockEnd::Region => region && first == "end",
            };
            if ends {
                break;
            }
            let line = self.lines.pop_front()?;
            all.extend(self.statement(globals, &line, &first)?);
        }
        self.depth -= 1;
        Some(all)
    }

    fn statement(
        &mut self,
        globals: &mut Vec<Declared>,
        line: &[Token],
        first: &str,
    ) -> Option<Option<Stmt>> {
        if let Some(Token::Pragma(text)) = line.first() {
            return self.region(globals, text).map(Some);
        }
        Some(match first {
            "program" | "use" | "implicit" | "include" => None,
            "integer" | "real" | "double" | "character" => {
                let declared = self.declaration(line, first)?;
                globals.extend(declared);
                None
            }
            "call" => {
                let name = word(line, 1).to_owned();
                let args = if line.len() > 2 { FortranExprs::all(self, line.get(2..)?)? } else { Vec::new() };
                Some(Stmt::Eval(CodeExpr::Invoke(name, args)))
            }
            "print" => {
                let comma = line.iter().position(|t| *t == Token::Sign(","));
                let format = self.format(line.get(1)?)?;
                Some(Stmt::Write(
                    None,
                    format,
                    self.items(comma.map_or(&[][..], |at| line.get(at + 1..).unwrap_or(&[])))?,
                ))
            }
            "write" => {
                let close = line.iter().position(|t| *t == Token::Sign(")"))?;
                let to = match line.get(2)? {
                    Token::Sign("*") | Token::Int(6) => None,
                    Token::Name(name) if name == "output_unit" => None,
                    Token::Name(name) if self.lengths.contains_key(name) => Some(name.clone()),
                    _ => return None,
                };
                let at = if word(line, 4) == "fmt" { 6 } else { 4 };
                let format = self.format(line.get(at)?)?;
                if close != at + 1 {
                    return None;
                }
                Some(Stmt::Write(to, format, self.items(line.get(close + 1..)?)?))
            }
            "stop" => Some(Stmt::Stop(line.get(1..).and_then(|rest| FortranExprs::one(self, rest)))),
            "exit" => Some(Stmt::Break),
            "cycle" => Some(Stmt::Continue),
            "if" => Some(self.condition(globals, line)?),
            "do" => Some(self.repeat(globals, line)?),
            _ => {
                // An assignment.
                let equals = line.iter().position(|t| *t == Token::Sign("="))?;
                let to = FortranExprs::one(self, line.get(..equals)?)?;
                let value = FortranExprs::one(self, line.get(equals + 1..)?)?;
                Some(Stmt::Eval(CodeExpr::Assign("", Box::new(to), Box::new(value))))
            }
        })
    }

    /// The format of a line of output; none for the usual one.
    fn format(&self, token: &Token) -> Option<Option<String>> {
        match token {
            Token::Text(text) => Some(Some(text.clone())),
            Token::Sign("*") => Some(None),
            Token::Int(label) => Some(Some(self.formats.get(label)?.clone())),
            _ => None,
        }
    }

    fn items(&mut self, line: &[Token]) -> Option<Vec<CodeExpr>> {
        if line.is_empty() {
            return Some(Vec::new());
        }
        let mut wrapped = vec![Token::Sign("(")];
        wrapped.extend_from_slice(line);
        wrapped.push(Token::Sign(")"));
        let items = FortranExprs::all(self, &wrapped)?;
        // A character variable is printed with its blanks.
        let padded = items.into_iter().map(|item| match &item {
            CodeExpr::Name(name) => match self.lengths.get(name) {
                Some(length) => CodeExpr::Invoke("padded".to_owned(), vec![item.clone(), length.clone()]),
                None => item,
            },
            _ => item,
        });
        Some(padded.collect())
    }

    /// `if (test) then`, or a statement behind the test.
    fn condition(&mut self, globals: &mut Vec<Declared>, line: &[Token]) -> Option<Stmt> {
        let close = matching(line, 1)?;
        let test = FortranExprs::one(self, line.get(2..close)?)?;
        if word(line, close + 1) != "then" {
            let rest = line.get(close + 1..)?.to_vec();
            let first = word(&rest, 0).to_owned();
            let then = self.statement(globals, &rest, &first)??;
            return Some(Stmt::If(test, Box::new(then), None));
        }
        let then = self.block(globals, BlockEnd::Words(&["else", "elseif", "end", "endif"]))?;
        let mut line = self.lines.pop_front()?;
        let mut other = None;
        if matches!(word(&line, 0), "else" | "elseif") {
            if word(&line, 0) == "else" && word(&line, 1) == "if" {
                line.remove(0);
            }
            if matches!(word(&line, 0), "if" | "elseif") {
                other = Some(Box::new(self.condition(globals, &line)?));
            } else {
                other = Some(Box::new(Stmt::Block(self.block(globals, BlockEnd::Words(&["end", "endif"]))?)));
                self.lines.pop_front()?;
            }
        }
        Some(Stmt::If(test, Box::new(Stmt::Block(then)), other))
    }

    fn repeat(&mut self, globals: &mut Vec<Declared>, line: &[Token]) -> Option<Stmt> {
        let head = if word(line, 1) == "while" {
            let close = matching(line, 2)?;
            Err(FortranExprs::one(self, line.get(3..close)?)?)
        } else {
            let name = CodeExpr::Name(word(line, 1).to_owned());
            let mut bounds = vec![Token::Sign("(")];
            bounds.extend_from_slice(line.get(3..)?);
            bounds.push(Token::Sign(")"));
            let bounds = FortranExprs::all(self, &bounds)?;
            let (first, last) = (bounds.first()?.clone(), bounds.get(1)?.clone());
            let step = bounds.get(2).cloned().unwrap_or(CodeExpr::Int(1));
            let down = matches!(&step, CodeExpr::Unary("-", _));
            let start = Stmt::Eval(CodeExpr::Assign("", Box::new(name.clone()), Box::new(first)));
            let until =
                CodeExpr::Binary(if down { ">=" } else { "<=" }, Box::new(name.clone()), Box::new(last));
            Ok((start, until, CodeExpr::Assign("+", Box::new(name), Box::new(step))))
        };
        let body = self.block(globals, BlockEnd::Words(&["end", "enddo"]))?;
        self.lines.pop_front()?;
        let body = Box::new(Stmt::Block(body));
        Some(match head {
            Err(until) => Stmt::While { first: false, until, body },
            Ok((start, until, step)) => {
                Stmt::For { start: Box::new(start), until: Some(until), step: Some(step), body }
            }
        })
    }

    /// A region of OpenMP, up to its end.
    fn region(&mut self, globals: &mut Vec<Declared>, text: &str) -> Option<Stmt> {
        let first = text.split([' ', '(']).next().unwrap_or("");
        if matches!(first, "barrier" | "flush") {
            return Some(Stmt::Block(Vec::new()));
        }
        if text.starts_with("parallel do") || first == "do" || first == "atomic" {
            let line = self.lines.pop_front()?;
            let word = word(&line, 0).to_owned();
            let body = self.statement(globals, &line, &word)??;
            let ends =
                matches!(self.lines.front()?.first(), Some(Token::Pragma(end)) if end.starts_with("end"));
            if ends {
                self.lines.pop_front()?;
            }
            return Some(Stmt::Omp(text.to_owned(), Box::new(body)));
        }
        let body = self.block(globals, BlockEnd::Region)?;
        self.lines.pop_front()?;
        Some(Stmt::Omp(text.to_owned(), Box::new(Stmt::Block(body))))
    }

    fn declaration(&mut self, line: &[Token], first: &str) -> Option<Vec<Declared>> {
        let kind = match first {
            "integer" => Kind::Whole,
            "character" => Kind::Text,
            _ => Kind::Fraction,
        };
        let mut at = 1 + usize::from(first == "double");
        // Numbers of four bytes are printed with fewer digits, which is not done here.
        let mut wide = first != "real";
        let (mut length, mut dimension) = (CodeExpr::Int(1), None);
        if is_sign(line, at, "*") {
            at += 1;
            if !is_sign(line, at, "(") {
                wide |= line.get(at) == Some(&Token::Int(8));
                length = FortranExprs::one(self, line.get(at..=at)?)?;
                at += 1;
            }
        }
        if is_sign(line, at, "(") {
            let close = matching(line, at)?;
            let mut inner = line.get(at + 1..close)?;
            if matches!(word(inner, 0), "len" | "kind") {
                inner = inner.get(2..)?;
            }
            if kind == Kind::Text {
                length = FortranExprs::one(self, inner)?;
            }
            wide |= matches!(inner.first(), Some(Token::Int(8)))
                || matches!(word(inner, 0), "real64" | "dp" | "c_double");
            at = close + 1;
        }
        if !wide {
            return None;
        }
        // `, parameter ::`
        if let Some(colons) = line.iter().position(|t| *t == Token::Sign("::")) {
            let mut between = line.get(at..colons)?;
            if word(between, 1) == "dimension" {
                let close = matching(between, 2)?;
                dimension = Some(FortranExprs::one(self, between.get(3..close)?)?);
                between = between.get(close + 1..)?;
            }
            if between.iter().any(|t| matches!(t, Token::Name(n) if n != "parameter")) {
                return None;
            }
            at = colons + 1;
        }
        let mut all = Vec::new();
        while let Some(Token::Name(name)) = line.get(at) {
            let mut declared = Declared { kind, name: name.clone(), sizes: Vec::new(), value: None };
            at += 1;
            if let Some(size) = &dimension {
                declared.sizes.push(size.clone());
                self.arrays.push(name.clone());
            }
            if is_sign(line, at, "(") {
                let close = matching(line, at)?;
                declared.sizes.push(FortranExprs::one(self, line.get(at + 1..close)?)?);
                self.arrays.push(name.clone());
                at = close + 1;
            }
            if is_sign(line, at, "=") {
                let mut end = at + 1;
                let mut open = 0;
                while let Some(token) = line.get(end) {
                    match token {
                        Token::Sign("(") => open += 1,
                        Token::Sign(")") => open -= 1,
                        Token::Sign(",") if open == 0 => break,
                        _ => {}
                    }
                    end += 1;
                }
                declared.value = Some(FortranExprs::one(self, line.get(at + 1..end)?)?);
                at = end;
            }
            if kind == Kind::Text && declared.sizes.is_empty() {
                self.lengths.insert(name.clone(), length.clone());
            }
            all.push(declared);
            at += usize::from(is_sign(line, at, ","));
        }
        (at == line.len()).then_some(all)
    }
}

/// The position of the bracket that closes the one at a position.
fn matching(line: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in line.iter().enumerate().skip(open) {
        match token {
            Token::Sign("(") => depth += 1,
            Token::Sign(")") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}
