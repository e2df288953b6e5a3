//! C's preprocessor: macros, and parts that are compiled under a condition.

use super::lex::{Placed, Token};
use std::collections::BTreeMap;

/// A macro: its parameters, if it has brackets, and what it stands for.
struct Macro {
    params: Option<Vec<String>>,
    body: Vec<Token>,
}

/// Nesting of macros, and tokens of a program.
const MAX_MACROS: u32 = 20;
const MAX_TOKENS: usize = 200_000;

/// The tokens that are compiled, with macros replaced; none if something is unknown.
pub(super) fn compiled(tokens: &[Placed], openmp: bool) -> Option<Vec<Token>> {
    let (flat, macros) = preprocessed(tokens, openmp)?;
    let mut compiled = Vec::new();
    expand(&flat, &macros, 0, &mut compiled)?;
    Some(compiled)
}

/// The tokens of the parts that are compiled, and the macros.
fn preprocessed(tokens: &[Placed], openmp: bool) -> Option<(Vec<Token>, BTreeMap<String, Macro>)> {
    let mut macros: BTreeMap<String, Macro> = BTreeMap::new();
    let mut flat = Vec::new();
    // For each open condition: whether this part is compiled, and whether one of its parts was.
    let mut taken: Vec<(bool, bool)> = Vec::new();
    for placed in tokens {
        let compiled = taken.iter().all(|part| part.0);
        match &placed.token {
            Token::Directive(text) => {
                let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
                let defined = |name: &str| macros.contains_key(name) || openmp && name == "_OPENMP";
                match word {
                    "ifdef" | "ifndef" => {
                        let yes = defined(first_name(rest)) == (word == "ifdef");
                        taken.push((yes, yes));
                    }
                    "if" => {
                        let yes = condition(rest, defined)?;
                        taken.push((yes, yes));
                    }
                    "elif" => {
                        let (_, done) = taken.pop()?;
                        let yes = !done && condition(rest, defined)?;
                        taken.push((yes, done || yes));
                    }
                    "else" => {
                        let (_, done) = taken.pop()?;
                        taken.push((!done, true));
                    }
                    "endif" => drop(taken.pop()?),
                    "undef" if compiled => drop(macros.remove(first_name(rest))),
                    "" => {}
                    _ if compiled => return None,
                    _ => {}
                }
            }
            _ if !compiled => {}
            Token::Define(name, value) => {
                let body = super::lex::tokens(value)?.into_iter().map(|p| p.token).collect();
                let (name, params) = match name.split_once('(') {
                    Some((name, params)) => {
                        let params = params.trim_end_matches(')').split(',').map(|p| p.trim().to_owned());
                        (name, Some(params.filter(|p| !p.is_empty()).collect()))
                    }
                    None => (name.as_str(), None),
                };
                macros.insert(name.to_owned(), Macro { params, body });
            }
            Token::Include(_) => {}
            Token::Name(_)
            | Token::Int(_)
            | Token::Float(_)
            | Token::Text(_)
            | Token::Char(_)
            | Token::Sign(_)
            | Token::Pragma(_) => flat.push(placed.token.clone()),
        }
    }
    Some((flat, macros))
}

/// The first name in a text.
fn first_name(text: &str) -> &str {
    let text = text.trim_start();
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("")
}

/// The condition of `#if`: a number, or whether one name is defined.
fn condition(text: &str, defined: impl Fn(&str) -> bool) -> Option<bool> {
    let text = text.split("//").next().unwrap_or("").trim();
    let (negative, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest.trim_start()));
    let yes = match text.strip_prefix("defined") {
        Some(rest) => {
            let rest = rest.trim();
            let name = first_name(rest.trim_start_matches('('));
            // `defined(A) && defined(B)` is more than one name.
            let whole = rest.trim_start_matches('(').trim_end_matches(')').trim();
            if whole != name {
                return None;
            }
            defined(name)
        }
        None if text == "_OPENMP" => defined(text),
        None => text.parse::<i64>().ok()? != 0,
    };
    Some(yes != negative)
}

/// Replaces macros by what they stand for.
fn expand(
    tokens: &[Token],
    macros: &BTreeMap<String, Macro>,
    depth: u32,
    out: &mut Vec<Token>,
) -> Option<()> {
    if depth > MAX_MACROS {
        return None;
    }
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        if out.len() > MAX_TOKENS {
            return None;
        }
        let found = match token {
            Token::Name(name) => macros.get(name),
            _ => None,
        };
        let Some(found) = found else {
            out.push(token.clone());
            continue;
        };
        let Some(params) = &found.params else {
            expand(&found.body, macros, depth + 1, out)?;
            continue;
        };
        if tokens.get(at) != Some(&Token::Sign("(")) {
            out.push(token.clone());
            continue;
        }
        let (args, end) = macro_arguments(tokens, at + 1)?;
        at = end;
        if args.len() != params.len() {
            return None;
        }
        let mut body = Vec::new();
        for token in &found.body {
            if body.len() > MAX_TOKENS {
                return None;
            }
            let given = match token {
                Token::Name(name) => params.iter().position(|p| p == name).and_then(|at| args.get(at)),
                _ => None,
            };
            match given {
                Some(given) => body.extend(given.iter().cloned()),
                None => body.push(token.clone()),
            }
        }
        expand(&body, macros, depth + 1, out)?;
    }
    Some(())
}

/// The arguments of a macro from behind its bracket, and the position behind them.
fn macro_arguments(tokens: &[Token], from: usize) -> Option<(Vec<Vec<Token>>, usize)> {
    let (mut args, mut open, mut at) = (vec![Vec::new()], 0, from);
    loop {
        let token = tokens.get(at)?;
        at += 1;
        match token {
            Token::Sign(",") if open == 0 => {
                args.push(Vec::new());
                continue;
            }
            Token::Sign(")") if open == 0 => break,
            Token::Sign("(" | "[" | "{") => open += 1,
            Token::Sign(")" | "]" | "}") => open -= 1,
            _ => {}
        }
        args.last_mut()?.push(token.clone());
    }
    if args.iter().all(Vec::is_empty) && args.len() == 1 {
        args.clear();
    }
    Some((args, at))
}
