//! `test` and `[`, evaluated by the number of arguments, as POSIX requires.

use super::BuiltinResult;
use crate::ShellContext;
use crate::vm::cond::compare;
use crate::vm::{Res, Vm};

/// Maximum nesting of parentheses and negations.
const MAX_DEPTH: u32 = 100;

pub(super) fn bracket(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    match args.split_last() {
        Some((last, rest)) if last == "]" && !rest.is_empty() => evaluate(vm, cx, &rest[1..], "["),
        Some(_) | None => vm.fault("[", "missing `]'", 2),
    }
}

pub(super) fn test(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    evaluate(vm, cx, &args[1..], "test")
}

fn evaluate(vm: &mut Vm, cx: &mut ShellContext, words: &[String], name: &str) -> Res<BuiltinResult> {
    match by_count(vm, cx, words, 0) {
        Ok(result) => Ok(BuiltinResult::Done(u8::from(!result))),
        Err(message) => vm.fault(name, &message, 2),
    }
}

fn by_count(vm: &mut Vm, cx: &mut ShellContext, words: &[String], depth: u32) -> Result<bool, String> {
    match words {
        [] => Ok(false),
        [one] => Ok(!one.is_empty()),
        [not, one] if not == "!" => Ok(one.is_empty()),
        [operator, operand] => unary(vm, cx, operator, operand),
        [left, operator, right] if is_binary(operator) => binary(vm, cx, left, operator, right),
        [left, operator, right] if operator == "-a" => Ok(!left.is_empty() && !right.is_empty()),
        [left, operator, right] if operator == "-o" => Ok(!left.is_empty() || !right.is_empty()),
        [not, rest @ ..] if not == "!" && words.len() <= 4 && depth < MAX_DEPTH => {
            Ok(!by_count(vm, cx, rest, depth + 1)?)
        }
        [open, one, close] if open == "(" && close == ")" => Ok(!one.is_empty()),
        [_, operator, _] => Err(format!("{operator}: binary operator expected")),
        [open, a, b, close] if open == "(" && close == ")" => {
            by_count(vm, cx, &[a.clone(), b.clone()], depth + 1)
        }
        _ => {
            let mut parser = TestParser { words, at: 0, depth };
            let result = parser.or(vm, cx)?;
            if parser.at < words.len() { Err("too many arguments".into()) } else { Ok(result) }
        }
    }
}

fn is_binary(operator: &str) -> bool {
    const OPERATORS: [&str; 14] =
        ["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
    OPERATORS.contains(&operator)
}

fn unary(vm: &mut Vm, cx: &mut ShellContext, operator: &str, operand: &str) -> Result<bool, String> {
    let known = operator.len() == 2
        && operator.starts_with('-')
        && "abcdefghknoprstuvwxzGLNORS".contains(&operator[1..]);
    if !known {
        return Err(format!("{operator}: unary operator expected"));
    }
    if operator == "-t" && operand.trim().parse::<i64>().is_err() {
        return Err(format!("{operand}: integer expression expected"));
    }
    Ok(vm.test_unary(cx, operator, operand))
}

fn binary(
    vm: &mut Vm,
    cx: &mut ShellContext,
    left: &str,
    operator: &str,
    right: &str,
) -> Result<bool, String> {
    if operator.len() == 3 && !matches!(operator, "-nt" | "-ot" | "-ef") {
        let number = |text: &str| {
            text.trim().parse::<i64>().map_err(|_| format!("{text}: integer expression expected"))
        };
        return Ok(compare(operator, number(left)?.cmp(&number(right)?)));
    }
    Ok(vm.test_binary(cx, operator, left, right))
}

/// Parses expressions of more than four arguments.
struct TestParser<'a> {
    words: &'a [String],
    at: usize,
    depth: u32,
}

impl TestParser<'_> {
    fn word(&self, ahead: usize) -> Option<&str> {
        self.words.get(self.at + ahead).map(String::as_str)
    }

    fn or(&mut self, vm: &mut Vm, cx: &mut ShellContext) -> Result<bool, String> {
        let mut result = self.and(vm, cx)?;
        while self.word(0) == Some("-o") {
            self.at += 1;
            result |= self.and(vm, cx)?;
        }
        Ok(result)
    }

    fn and(&mut self, vm: &mut Vm, cx: &mut ShellContext) -> Result<bool, String> {
        let mut result = self.term(vm, cx)?;
        while self.word(0) == Some("-a") {
            self.at += 1;
            result &= self.term(vm, cx)?;
        }
        Ok(result)
    }

    fn term(&mut self, vm: &mut Vm, cx: &mut ShellContext) -> Result<bool, String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH * 10 {
            return Err("too many arguments".into());
        }
        let Some(first) = self.word(0).map(str::to_owned) else { return Err("argument expected".into()) };
        if let Some(operator) = self.word(1).filter(|o| is_binary(o)).map(str::to_owned) {
            let right = self.word(2).ok_or("argument expected")?.to_owned();
            self.at += 3;
            return binary(vm, cx, &first, &operator, &right);
        }
        if first == "!" {
            self.at += 1;
            return Ok(!self.term(vm, cx)?);
        }
        if first == "(" {
            self.at += 1;
            let result = self.or(vm, cx)?;
            if self.word(0) != Some(")") {
                return Err("`)' expected".into());
            }
            self.at += 1;
            return Ok(result);
        }
        if first.len() == 2
            && first.starts_with('-')
            && let Some(operand) = self.word(1).map(str::to_owned)
        {
            self.at += 2;
            return unary(vm, cx, &first, &operand);
        }
        self.at += 1;
        Ok(!first.is_empty())
    }
}
