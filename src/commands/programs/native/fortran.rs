//! A reader of the Fortran that short programs use: one main program, without procedures of its own. It makes the same
//! statements as the reader of C.

use super::fortran_expr::FortranExprs;
use super::lex::Token;
use super::parse::SourceProgram;
use super::tree::{CodeExpr, Declared, Function, Kind, Stmt};
use std::collections::{BTreeMap, VecDeque};

/// Depth of blocks and of expressions.
pub(super) const MAX_DEPTH: u32 = 60;

/// Signs as they are written, and what they mean.
const SIGNS: &[(&str, &str)] = &[
    (".true.", "true"),
    (".false.", "false"),
    (".and.", "&&"),
    (".not.", "!"),
    (".or.", "||"),
    (".eq.", "=="),
    (".ne.", "!="),
    (".lt.", "<"),
    (".le.", "<="),
    (".gt.", ">"),
    (".ge.", ">="),
    ("**", "**"),
    ("//", "//"),
    ("==", "=="),
    ("/=", "!="),
    ("<=", "<="),
    (">=", ">="),
    ("::", "::"),
    ("=>", "=>"),
    ("<", "<"),
    (">", ">"),
    ("=", "="),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (":", ":"),
    ("%", "%"),
];

/// Reads a program; none if it contains something unknown.
pub(super) fn program(source: &str) -> Option<SourceProgram> {
    let mut reader =
        FortranReader { lines: statements(source)?, arrays: Vec::new(), lengths: BTreeMap::new(), depth: 0 };
    let mut globals = Vec::new();
    let body = reader.block(&mut globals, BlockEnd::Words(&["end"]))?;
    let main = Function { params: Vec::new(), body, is_kernel: false };
    Some(SourceProgram { functions: BTreeMap::from([("main".to_owned(), main)]), globals })
}

/// The statements of a source: lines without comments, joined where they continue. Names are in small letters, and
/// those of OpenMP begin with `!$omp`.
fn statements(source: &str) -> Option<VecDeque<Vec<Token>>> {
    let mut all = VecDeque::new();
    let mut open = String::new();
    for line in source.lines() {
        let line = line.trim();
        let omp = line.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("!$omp"));
        if omp {
            all.push_back(vec![Token::Pragma(line.get(5..).unwrap_or("").trim().to_ascii_lowercase())]);
            continue;
        }
        let line = without_comment(line);
        let line = if open.is_empty() { line } else { line.trim_start_matches('&') };
        open.push_str(line);
        if let Some(more) = open.trim_end().strip_suffix('&') {
            open = more.to_owned();
            continue;
        }
        let whole = std::mem::take(&mut open);
        if !whole.trim().is_empty() {
            all.push_back(tokens(&whole)?);
        }
    }
    Some(all)
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, c) in line.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('"' | '\'', None) => quote = Some(c),
            ('!', None) => return line.get(..at).unwrap_or("").trim_end(),
            _ => {}
        }
    }
    line
}

fn tokens(line: &str) -> Option<Vec<Token>> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while let Some(c) = rest.chars().next() {
        let end;
        if c.is_ascii_alphabetic() || c == '_' {
            end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
            found.push(Token::Name(rest.get(..end)?.to_ascii_lowercase()));
        } else if matches!(c, '"' | '\'') {
            let text = rest.get(1..)?;
            let close = text.find(c)?;
            found.push(Token::Text(text.get(..close)?.to_owned()));
            end = close + 2;
        } else if c.is_ascii_digit()
            || c == '.' && rest.get(1..).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()))
        {
            end = number(rest, &mut found)?;
        } else {
            let lower = rest.get(..7.min(rest.len())).unwrap_or(rest).to_ascii_lowercase();
            let (written, sign) = SIGNS.iter().find(|(written, _)| lower.starts_with(written))?;
            found.push(match *sign {
                "true" => Token::Int(1),
                "false" => Token::Int(0),
                sign => Token::Sign(sign),
            });
            end = written.len();
        }
        rest = rest.get(end..)?.trim_start();
    }
    Some(found)
}

fn number(text: &str, found: &mut Vec<Token>) -> Option<usize> {
    let bytes = text.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = 0;
    let mut fraction = false;
    while let Some(b) = bytes.get(end) {
        match b {
            b'0'..=b'9' => {}
            // `1.eq.2` is no fraction.
            b'.' if !fraction && !bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic) => fraction = true,
            b'e' | b'E' | b'd' | b'D'
                if digit(end + 1) || matches!(bytes.get(end + 1), Some(b'+' | b'-')) && digit(end + 2) =>
            {
                fraction = true;
                end += 1;
            }
            _ => break,
        }
        end += 1;
    }
    let written = text.get(..end)?;
    // `1.0_8`
    let kind = text.get(end..)?;
    let behind = match kind.strip_prefix('_') {
        Some(name) => 1 + name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(name.len()),
        None => 0,
    };
    found.push(if fraction {
        Token::Float(written.to_ascii_lowercase().replace('d', "e").parse().ok()?)
    } else {
        Token::Int(written.parse().ok()?)
    });
    Some(end + behind)
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
    depth: u32,
}

fn word(line: &[Token], at: usize) -> &str {
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
                let format = match line.get(1)? {
                    Token::Text(text) => Some(text.clone()),
                    Token::Sign("*") => None,
                    _ => return None,
                };
                Some(Stmt::Write(
                    format,
                    self.items(comma.map_or(&[][..], |at| line.get(at + 1..).unwrap_or(&[])))?,
                ))
            }
            "write" => {
                let close = line.iter().position(|t| *t == Token::Sign(")"))?;
                let unit = matches!(line.get(2), Some(Token::Sign("*") | Token::Int(6)));
                let at = if word(line, 4) == "fmt" { 6 } else { 4 };
                let format = match line.get(at)? {
                    Token::Text(text) => Some(text.clone()),
                    Token::Sign("*") => None,
                    _ => return None,
                };
                if !unit || close != at + 1 {
                    return None;
                }
                Some(Stmt::Write(format, self.items(line.get(close + 1..)?)?))
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
        let mut length = CodeExpr::Int(1);
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
            let between = line.get(at..colons)?;
            if between.iter().any(|t| matches!(t, Token::Name(n) if n != "parameter")) {
                return None;
            }
            at = colons + 1;
        }
        let mut all = Vec::new();
        while let Some(Token::Name(name)) = line.get(at) {
            let mut declared = Declared { kind, name: name.clone(), sizes: Vec::new(), value: None };
            at += 1;
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
