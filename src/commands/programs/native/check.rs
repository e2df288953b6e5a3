//! The errors of a compiler: brackets and quotes that are not closed, semicolons that are missing, headers that are not
//! there. Anything else compiles.

use super::lex::{Placed, Token, tokens};
use super::{CompilerFacts, Language, check_fortran};
use base::pad;

/// Words behind whose brackets a statement follows.
const HEADS: [&str; 5] = ["if", "for", "while", "switch", "catch"];
/// Words that end no operand.
const OPENERS: [&str; 8] = ["return", "else", "do", "case", "goto", "throw", "new", "delete"];

/// An error: where and what.
struct Found {
    line: u32,
    column: u32,
    /// Columns that are marked.
    width: u32,
    text: String,
    /// The token behind it, if a semicolon in front of it would mend it.
    next: Option<Placed>,
}

/// A compiler's messages about a source; empty if it compiles.
pub(super) fn complaints(
    compiler: &CompilerFacts,
    file: &str,
    language: Language,
    source: &str,
) -> Vec<String> {
    match language {
        Language::Fortran => return check_fortran::complaints(compiler, file, source),
        Language::OldFortran => {
            return check_fortran::complaints(compiler, file, &super::fixed_form::free(source));
        }
        Language::C | Language::Cxx | Language::Cuda | Language::Other => {}
    }
    let java = compiler.name == "javac";
    let Some(tokens) = tokens(source) else { return unreadable(file, source, java) };
    if let Some(header) = missing_header(compiler, &tokens) {
        let Placed { line, .. } = header.0;
        let written = source_line(source, *line);
        let from = written.find(['<', '"']).map_or(1, |at| at + 1);
        let mut all =
            vec![format!("{file}:{line}:{from}: fatal error: {}: No such file or directory", header.1)];
        all.extend(excerpt(source, *line, u32::try_from(from).unwrap_or(1), header.1.len() + 2));
        all.push("compilation terminated.".to_owned());
        return all;
    }
    let Some((found, function)) = first_error(&tokens, java) else { return Vec::new() };
    report(compiler, file, source, &found, function.as_deref())
}

/// The header of a library that this compiler does not bring.
fn missing_header<'t>(compiler: &CompilerFacts, tokens: &'t [Placed]) -> Option<(&'t Placed, String)> {
    tokens.iter().find_map(|placed| {
        let Token::Include(name) = &placed.token else { return None };
        let header = name.trim_matches(['<', '>', '"']);
        let missing = match header {
            "mpi.h" => !compiler.mpi,
            "cuda_runtime.h" | "cuda.h" => !compiler.cuda,
            _ => name.starts_with('"') && !compiler.local_files.iter().any(|file| file == header),
        };
        (missing && !compiler.searches).then(|| (placed, header.to_owned()))
    })
}

/// The first error, with the function in which it is.
fn first_error(tokens: &[Placed], java: bool) -> Option<(Found, Option<String>)> {
    let mut open: Vec<(&Placed, &'static str)> = Vec::new();
    let mut function = None;
    // Where a statement began, and what it is: (first token, may it lack a semicolon).
    let mut first: Option<usize> = None;
    // The bracket that is open belongs to `if (` and the like, or to `for (`.
    let mut heads: Vec<Option<&str>> = Vec::new();
    let mut after_head = false;
    let mut last_first = None;
    let at = |line: u32, column: u32, text: String, next: Option<&Placed>| Found {
        line,
        column,
        width: 1,
        text,
        next: next.cloned(),
    };
    for (i, placed) in tokens.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| tokens.get(i));
        let depth = open.iter().filter(|(_, sign)| *sign == "{").count();
        let inside = open.last().is_none_or(|(_, sign)| *sign == "{");
        // An operand on another line behind an operand, in a statement of a function.
        if let (true, true, Some(before), Some(start)) = (depth > 0, inside, before, first)
            && ends_operand(before)
            && !after_head
            && before.line < placed.line
            && begins_statement(placed)
            && lacks_semicolon(tokens, start, i)
        {
            if declares(tokens, start) && !java {
                // Another variable could follow: reported where the next statement begins.
                let text = format!("expected ‘,’ or ‘;’ before {}", described(&placed.token));
                let found = Found {
                    line: placed.line,
                    column: placed.from,
                    width: placed.to - placed.from,
                    text,
                    next: None,
                };
                return Some((found, function));
            }
            let text = format!("expected ‘;’ before {}", described(&placed.token));
            return Some((at(before.line, before.to, text, Some(placed)), function));
        }
        let was_head = std::mem::take(&mut after_head);
        match &placed.token {
            Token::Sign(sign @ ("(" | "[" | "{")) => {
                let head = before
                    .and_then(|b| name_of(&b.token))
                    .and_then(|name| HEADS.iter().find(|h| **h == name));
                heads.push(head.copied().filter(|_| *sign == "("));
                if *sign == "{"
                    && depth == 0
                    && let Some(name) = function_name(tokens, i)
                {
                    function = Some(name);
                }
                open.push((placed, sign));
                if *sign == "{" {
                    first = None;
                }
            }
            Token::Sign(sign @ (")" | "]" | "}")) => {
                let wanted = match *sign {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                let head = heads.pop().flatten();
                match open.pop() {
                    Some((_, sign)) if sign == wanted => {}
                    Some((_, "{")) | None => {
                        let text = format!("expected identifier or ‘(’ before ‘{sign}’ token");
                        return Some((at(placed.line, placed.from, text, None), function));
                    }
                    Some((_, other)) => {
                        let close = if other == "(" { ")" } else { "]" };
                        let text = format!("expected ‘{close}’ before ‘{sign}’ token");
                        return Some((at(placed.line, placed.from, text, None), function));
                    }
                }
                after_head = head.is_some();
                if *sign == "}" {
                    first = None;
                }
            }
            Token::Sign(";") => {
                let in_for = heads.last().copied().flatten() == Some("for");
                if let Some((_, sign @ ("(" | "["))) = open.last()
                    && !in_for
                {
                    let close = if *sign == "(" { ")" } else { "]" };
                    let text = format!("expected ‘{close}’ before ‘;’ token");
                    return Some((at(placed.line, placed.from, text, None), function));
                }
                first = None;
            }
            Token::Sign(":") if inside && first.is_some_and(|f| tokens.get(f).is_some_and(is_label)) => {
                first = None
            }
            Token::Include(_) | Token::Define(..) | Token::Directive(_) | Token::Pragma(_) => {}
            Token::Name(_)
            | Token::Int(_)
            | Token::Float(_)
            | Token::Text(_)
            | Token::Char(_)
            | Token::Sign(_) => {
                if first.is_none() || was_head && inside {
                    first = Some(i);
                    last_first = Some(i);
                }
            }
        }
        if matches!(placed.token, Token::Name(ref name) if name == "else" || name == "do") {
            first = None;
        }
    }
    let last = tokens.iter().rev().find(|p| !matches!(p.token, Token::Directive(_)))?;
    let statement = last_first.and_then(|at| tokens.get(at)).filter(|_| last.token != Token::Sign("}"));
    let last = statement.filter(|_| !java).unwrap_or(last);
    let (_, sign) = open.last()?;
    let text = match *sign {
        "{" => "expected declaration or statement at end of input".to_owned(),
        _ => "expected expression at end of input".to_owned(),
    };
    let column = if java { last.to } else { last.from };
    let found = Found { line: last.line, column, width: last.to - last.from, text, next: None };
    Some((found, function))
}

/// Whether a statement declares a variable.
fn declares(tokens: &[Placed], start: usize) -> bool {
    let types = ["int", "double", "float", "long", "char", "unsigned", "const", "size_t", "short", "bool"];
    let first = tokens.get(start).and_then(|placed| name_of(&placed.token));
    first.is_some_and(|name| types.contains(&name))
}

fn name_of(token: &Token) -> Option<&str> {
    if let Token::Name(name) = token { Some(name) } else { None }
}

fn is_label(placed: &Placed) -> bool {
    matches!(name_of(&placed.token), Some("case" | "default" | "public" | "private"))
}

fn ends_operand(placed: &Placed) -> bool {
    match &placed.token {
        Token::Name(name) => !OPENERS.contains(&name.as_str()),
        Token::Int(_) | Token::Float(_) | Token::Text(_) | Token::Char(_) => true,
        Token::Sign(sign) => matches!(*sign, ")" | "]"),
        Token::Pragma(_) | Token::Include(_) | Token::Define(..) | Token::Directive(_) => false,
    }
}

fn begins_statement(placed: &Placed) -> bool {
    matches!(placed.token, Token::Name(_) | Token::Sign("}"))
}

/// Whether the tokens from `start` to `end` are a whole statement that only lacks its semicolon.
fn lacks_semicolon(tokens: &[Placed], start: usize, end: usize) -> bool {
    let all = tokens.get(start..end).unwrap_or(&[]);
    let Some(first) = all.first() else { return false };
    match name_of(&first.token) {
        Some("return" | "break" | "continue") => true,
        Some("cout" | "std" | "cerr") => true,
        Some(name)
            if HEADS.contains(&name)
                || matches!(
                    name,
                    "struct"
                        | "class"
                        | "enum"
                        | "union"
                        | "template"
                        | "namespace"
                        | "using"
                        | "typedef"
                        | "public"
                        | "private"
                        | "else"
                ) =>
        {
            false
        }
        Some(_) => {
            let sign = |at: usize, sign: &str| matches!(all.get(at), Some(Placed { token: Token::Sign(s), .. }) if *s == sign);
            // `f(...)`, `a.f(...)`, `kernel<<<...>>>(...)`, `x = ...`, `int x = ...`, `int x`
            let mut behind = 1;
            while sign(behind, ".") || sign(behind, "->") || sign(behind, "::") {
                behind += 2;
            }
            let is_call = (sign(behind, "(") || sign(1, "<<<"))
                && matches!(all.last(), Some(Placed { token: Token::Sign(")"), .. }));
            let assigns =
                all.iter().any(|p| matches!(p.token, Token::Sign("=" | "+=" | "-=" | "*=" | "/=" | "<<")));
            let upper = matches!(name_of(&first.token), Some(name) if name.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit()));
            is_call && !upper || assigns || all.len() == 2 && declares(tokens, start)
        }
        None => false,
    }
}

/// The name in front of the brackets in front of a brace.
fn function_name(tokens: &[Placed], brace: usize) -> Option<String> {
    let mut depth = 0;
    for at in (0..brace).rev() {
        match tokens.get(at)?.token {
            Token::Sign(")") => depth += 1,
            Token::Sign("(") => {
                depth -= 1;
                if depth == 0 {
                    return name_of(&tokens.get(at.checked_sub(1)?)?.token).map(str::to_owned);
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// A token as gcc names it.
fn described(token: &Token) -> String {
    match token {
        Token::Name(name) => format!("‘{name}’"),
        Token::Sign(sign) => format!("‘{sign}’ token"),
        Token::Int(_) | Token::Float(_) => "numeric constant".to_owned(),
        Token::Text(_) => "string constant".to_owned(),
        Token::Char(_) => "character constant".to_owned(),
        Token::Pragma(_) => "‘#pragma’".to_owned(),
        Token::Include(_) | Token::Define(..) | Token::Directive(_) => "end of input".to_owned(),
    }
}

pub(super) fn source_line(source: &str, line: u32) -> &str {
    source.lines().nth(usize::try_from(line).unwrap_or(1).saturating_sub(1)).unwrap_or("")
}

/// The line of the source with a mark below.
fn excerpt(source: &str, line: u32, column: u32, width: usize) -> Vec<String> {
    let blanks = " ".repeat(usize::try_from(column).unwrap_or(1).saturating_sub(1));
    let waves = "~".repeat(width.saturating_sub(1));
    vec![format!("{line:>5} | {}", source_line(source, line)), format!("      | {blanks}^{waves}")]
}

fn report(
    compiler: &CompilerFacts,
    file: &str,
    source: &str,
    found: &Found,
    function: Option<&str>,
) -> Vec<String> {
    let Found { line, column, width, text, next } = found;
    let width = usize::try_from(*width).unwrap_or(1);
    if compiler.name == "javac" {
        let text = if text.contains("‘;’ before") {
            "';' expected"
        } else if text.contains("‘)’ before") {
            "')' expected"
        } else if text.contains("end of input") {
            "reached end of file while parsing"
        } else {
            "class, interface, enum, or record expected"
        };
        return java(file, source, *line, *column, text);
    }
    if compiler.name == "nvcc" {
        // It points at the token that it found instead.
        let line = next.as_ref().map_or(line, |next| &next.line);
        let text = if text.contains("‘;’ before") {
            "expected a \";\"".to_owned()
        } else {
            text.replace(['‘', '’'], "\"")
        };
        return vec![
            format!("{file}({line}): error: {text}"),
            String::new(),
            format!("1 error detected in the compilation of \"{file}\"."),
        ];
    }
    if compiler.name.starts_with("clang") {
        let text = if text.contains("‘;’ before") {
            "expected ';' after expression".to_owned()
        } else {
            text.replace(['‘', '’'], "'")
        };
        let mut all = vec![format!("{file}:{line}:{column}: error: {text}")];
        all.extend(excerpt(source, *line, *column, width));
        all.push("1 error generated.".to_owned());
        return all;
    }
    let mut all = Vec::new();
    if let Some(function) = function {
        let function = if compiler.cxx { format!("int {function}()") } else { function.to_owned() };
        all.push(format!("{file}: In function ‘{function}’:"));
    }
    all.push(format!("{file}:{line}:{column}: error: {text}"));
    all.extend(excerpt(source, *line, *column, width));
    if let Some(next) = next {
        let blanks = |column: u32| " ".repeat(usize::try_from(column).unwrap_or(1).saturating_sub(1));
        all.push(format!("      | {};", blanks(*column)));
        let waves = "~".repeat(usize::try_from(next.to - next.from).unwrap_or(1));
        all.push(format!("{:>5} | {}", next.line, source_line(source, next.line)));
        let mark = format!("{}{waves}", blanks(next.from));
        let width = usize::try_from(*column).unwrap_or(0);
        all.push(format!("      | {}", pad::left(mark, width)));
    }
    all
}

/// A message of javac.
fn java(file: &str, source: &str, line: u32, column: u32, text: &str) -> Vec<String> {
    let blanks = " ".repeat(usize::try_from(column).unwrap_or(1).saturating_sub(1));
    vec![
        format!("{file}:{line}: error: {text}"),
        source_line(source, line).to_owned(),
        format!("{blanks}^"),
        "1 error".to_owned(),
    ]
}

/// A source that cannot be read: a quote without its other end.
fn unreadable(file: &str, source: &str, is_java: bool) -> Vec<String> {
    for (number, line) in (1_u32..).zip(source.lines()) {
        let code = line.split("//").next().unwrap_or("");
        let mut open = None;
        let mut escaped = false;
        for (column, c) in (1_u32..).zip(code.chars()) {
            match (c, open) {
                _ if std::mem::take(&mut escaped) => {}
                ('\\', Some(_)) => escaped = true,
                ('"', None) => open = Some(column),
                ('"', Some(_)) => open = None,
                _ => {}
            }
        }
        if let Some(column) = open {
            if is_java {
                return java(file, source, number, column, "unclosed string literal");
            }
            let mut all = vec![format!("{file}:{number}:{column}: error: missing terminating \" character")];
            let width = line.chars().count() + 1 - usize::try_from(column).unwrap_or(1);
            all.extend(excerpt(source, number, column, width));
            return all;
        }
    }
    Vec::new()
}
