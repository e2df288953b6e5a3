//! awk's tokens.

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub enum AwkToken {
    /// A number.
    Number(f64),
    /// A string, escapes resolved.
    Text(String),
    /// `/re/`
    Regex(String),
    /// A name that is not a keyword.
    Name(String),
    /// A name directly followed by `(`.
    Function(String),
    /// A keyword or built-in function.
    Word(&'static str),
    /// An operator or punctuation.
    Sign(&'static str),
    /// The end of a line.
    Newline,
    /// The end of the program.
    End,
}

const WORDS: &[&str] = &[
    "BEGIN", "END", "function", "func", "if", "else", "while", "for", "do", "break", "continue", "next",
    "nextfile", "exit", "return", "delete", "in", "getline", "print", "printf",
];

/// Built-in functions.
pub const BUILTINS: &[&str] = &[
    "and", "asort", "asorti", "atan2", "close", "compl", "cos", "exp", "fflush", "gensub", "gsub", "index",
    "int", "length", "log", "lshift", "match", "mktime", "or", "rand", "rshift", "sin", "split", "sprintf",
    "sqrt", "srand", "strftime", "strtonum", "sub", "substr", "system", "systime", "tolower", "toupper",
    "xor",
];

/// Longest first.
const SIGNS: &[&str] = &[
    "**=", "&&", "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "==", "<=", ">=", "!=", "!~", ">>",
    "**", "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!", "<", ">", "|", "?", ":",
    "~", "$", "=",
];

/// Splits a program into tokens with their line numbers.
///
/// # Errors
/// The line number and the error.
pub fn tokens(text: &str) -> Result<Vec<(AwkToken, u32)>, (u32, String)> {
    let chars: Vec<char> = text.chars().collect();
    let mut all: Vec<(AwkToken, u32)> = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(&c) = chars.get(at) {
        match c {
            '\n' => {
                all.push((AwkToken::Newline, line));
                line += 1;
                at += 1;
            }
            ' ' | '\t' | '\r' => at += 1,
            '\\' if chars.get(at + 1) == Some(&'\n') => {
                line += 1;
                at += 2;
            }
            '#' => {
                while chars.get(at).is_some_and(|c| *c != '\n') {
                    at += 1;
                }
            }
            '"' => {
                let (text, next) = string(&chars, at + 1).ok_or((line, "unterminated string".to_owned()))?;
                all.push((AwkToken::Text(text), line));
                at = next;
            }
            '/' if regex_may_follow(all.last().map(|(t, _)| t)) => {
                let (text, next) = regex(&chars, at + 1).ok_or((line, "unterminated regexp".to_owned()))?;
                all.push((AwkToken::Regex(text), line));
                at = next;
            }
            c if c.is_ascii_digit() || c == '.' && chars.get(at + 1).is_some_and(char::is_ascii_digit) => {
                let rest: String = chars.iter().skip(at).take(400).collect();
                let (value, length) = number(&rest);
                all.push((AwkToken::Number(value), line));
                at += length;
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let start = at;
                while chars.get(at).is_some_and(|c| c.is_ascii_alphanumeric() || *c == '_') {
                    at += 1;
                }
                let name: String = chars.get(start..at).unwrap_or_default().iter().collect();
                let known = WORDS.iter().chain(BUILTINS).find(|w| **w == name);
                let token = match known {
                    Some(word) => AwkToken::Word(word),
                    None if chars.get(at) == Some(&'(') => AwkToken::Function(name),
                    None => AwkToken::Name(name),
                };
                all.push((token, line));
            }
            _ => {
                let fits =
                    |sign: &&&str| sign.chars().enumerate().all(|(i, c)| chars.get(at + i) == Some(&c));
                let Some(sign) = SIGNS.iter().find(fits) else {
                    return Err((line, "syntax error".into()));
                };
                all.push((AwkToken::Sign(sign), line));
                at += sign.len();
            }
        }
    }
    all.push((AwkToken::End, line));
    Ok(all)
}

fn number(text: &str) -> (f64, usize) {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let digits = hex.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(hex.len());
        if let Ok(value) = u64::from_str_radix(&hex[..digits], 16) {
            return (value as f64, digits + 2);
        }
    }
    super::super::number::leading(text).unwrap_or((0.0, 1))
}

/// Whether a slash begins a regex here, and is not a division.
fn regex_may_follow(last: Option<&AwkToken>) -> bool {
    match last {
        None | Some(AwkToken::Newline | AwkToken::Function(_)) => true,
        Some(
            AwkToken::Number(_) | AwkToken::Text(_) | AwkToken::Regex(_) | AwkToken::Name(_) | AwkToken::End,
        ) => false,
        Some(AwkToken::Word(word)) => !matches!(*word, "getline" | "length" | "BEGIN" | "END"),
        Some(AwkToken::Sign(sign)) => !matches!(*sign, ")" | "]" | "$" | "++" | "--"),
    }
}

fn string(chars: &[char], mut at: usize) -> Option<(String, usize)> {
    let start = at;
    loop {
        match chars.get(at)? {
            '"' => break,
            '\n' => return None,
            '\\' => at += 2,
            _ => at += 1,
        }
    }
    let raw: String = chars.get(start..at)?.iter().collect();
    Some((escapes(&raw), at + 1))
}

/// Resolves the escapes in a string. An unknown escape keeps its backslash before characters that are special
/// in patterns, and loses it otherwise.
#[must_use]
pub fn escapes(raw: &str) -> String {
    let mut out = String::new();
    let mut rest = raw.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('a') => out.push('\x07'),
            Some('b') => out.push('\x08'),
            Some('f') => out.push('\x0c'),
            Some('v') => out.push('\x0b'),
            Some('\\') => out.push('\\'),
            Some('"') => out.push('"'),
            Some('/') => out.push('/'),
            Some('\n') => {}
            Some(d @ '0'..='7') => {
                let mut value = d.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(d) = rest.peek().and_then(|c| c.to_digit(8)) else { break };
                    value = value * 8 + d;
                    rest.next();
                }
                out.extend(char::from_u32(value & 255));
            }
            Some(c) => {
                out.push('\\');
                out.push(c);
            }
            None => out.push('\\'),
        }
    }
    out
}

fn regex(chars: &[char], mut at: usize) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut in_set = false;
    let mut set_start = 0;
    loop {
        match (*chars.get(at)?, in_set) {
            ('\n', _) => return None,
            ('/', false) => return Some((text, at + 1)),
            ('\\', _) => {
                let escaped = *chars.get(at + 1)?;
                if escaped != '/' {
                    text.push('\\');
                }
                text.push(escaped);
                at += 2;
                continue;
            }
            ('[', false) => {
                // A bracket without an end is no bracket expression: awk then ends the pattern at the slash.
                let rest = chars.get(at + 2..).unwrap_or_default();
                in_set = rest.iter().take_while(|c| **c != '\n').any(|c| *c == ']');
                set_start = at;
            }
            (']', true)
                if at > set_start + 1 && !(at == set_start + 2 && chars.get(at - 1) == Some(&'^')) =>
            {
                in_set = false;
            }
            (_, _) => {}
        }
        text.extend(chars.get(at));
        at += 1;
    }
}
