//! test(1), `[`: tests of files, strings and integers, with `!`, `-a`, `-o` and parentheses.

use crate::Cx;
use host::fs::{Access, FileKind};

/// The error message for an invalid expression.
type TestError = String;

/// test(1), `[`
pub fn test(cx: &mut Cx) -> u8 {
    let mut args = cx.args().to_vec();
    if cx.name() == "[" && args.pop().as_deref() != Some("]") {
        cx.error("missing ']'");
        return 2;
    }
    let mut parser = TestExprParser { args: &args, at: 0, depth: 0 };
    let result = match args.len() {
        0 => Ok(false),
        1 => Ok(args.first().is_some_and(|a| !a.is_empty())),
        _ => parser.or(cx).and_then(|truth| match args.get(parser.at) {
            None => Ok(truth),
            Some(extra) => Err(format!("extra argument '{extra}'")),
        }),
    };
    match result {
        Ok(truth) => u8::from(!truth),
        Err(text) => {
            cx.error(&text);
            2
        }
    }
}

struct TestExprParser<'a> {
    args: &'a [String],
    at: usize,
    depth: u32,
}

impl TestExprParser<'_> {
    fn peek(&self, ahead: usize) -> Option<&str> {
        self.args.get(self.at + ahead).map(String::as_str)
    }

    fn or(&mut self, cx: &Cx) -> Result<bool, TestError> {
        let mut truth = self.and(cx)?;
        while self.peek(0) == Some("-o") {
            self.at += 1;
            truth |= self.and(cx)?;
        }
        Ok(truth)
    }

    fn and(&mut self, cx: &Cx) -> Result<bool, TestError> {
        let mut truth = self.not(cx)?;
        while self.peek(0) == Some("-a") {
            self.at += 1;
            truth &= self.not(cx)?;
        }
        Ok(truth)
    }

    fn not(&mut self, cx: &Cx) -> Result<bool, TestError> {
        self.depth += 1;
        if self.depth > 1000 {
            return Err("too many arguments".into());
        }
        // Three words with an operator in the middle are a comparison, even if the first looks like an operator.
        let comparison = match self.args {
            [a, operator, b] => binary(cx, a, operator, b).is_some(),
            _ => false,
        };
        if self.peek(0) == Some("!") && self.peek(1).is_some() && !comparison {
            self.at += 1;
            return self.not(cx).map(|truth| !truth);
        }
        self.primary(cx)
    }

    fn primary(&mut self, cx: &Cx) -> Result<bool, TestError> {
        let first = self.peek(0).ok_or_else(|| {
            format!("missing argument after '{}'", self.args.last().map_or("", String::as_str))
        })?;
        if let (Some(operator), Some(second)) = (self.peek(1), self.peek(2))
            && let Some(result) = binary(cx, first, operator, second)
        {
            self.at += 3;
            return result;
        }
        if first == "(" && self.peek(1).is_some() {
            self.at += 1;
            let truth = self.or(cx)?;
            if self.peek(0) != Some(")") {
                return Err("')' expected".into());
            }
            self.at += 1;
            return Ok(truth);
        }
        if let Some(operand) = self.peek(1)
            && let Some(truth) = unary(cx, first, operand)
        {
            self.at += 2;
            return Ok(truth);
        }
        let truth = !first.is_empty();
        self.at += 1;
        Ok(truth)
    }
}

fn binary(cx: &Cx, a: &str, operator: &str, b: &str) -> Option<Result<bool, TestError>> {
    let time = |name: &str| cx.kernel.fs.stat(cx.uid(), &cx.path(name)).ok().map(|s| s.mtime);
    Some(Ok(match operator {
        "=" | "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        ">" => a > b,
        "-nt" => time(a) > time(b),
        "-ot" => time(a) < time(b),
        "-ef" => {
            let ino = |name: &str| cx.kernel.fs.stat(cx.uid(), &cx.path(name)).ok().map(|s| s.ino);
            ino(a).is_some() && ino(a) == ino(b)
        }
        "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
            let number = |t: &str| t.trim().parse::<i64>().map_err(|_| format!("invalid integer '{t}'"));
            let order = match (number(a), number(b)) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                (Err(text), _) | (_, Err(text)) => return Some(Err(text)),
            };
            match operator {
                "-eq" => order.is_eq(),
                "-ne" => order.is_ne(),
                "-lt" => order.is_lt(),
                "-le" => order.is_le(),
                "-gt" => order.is_gt(),
                _ => order.is_ge(),
            }
        }
        _ => return None,
    }))
}

fn unary(cx: &Cx, operator: &str, operand: &str) -> Option<bool> {
    let (uid, path) = (cx.uid(), cx.path(operand));
    let stat = if operand.is_empty() { None } else { cx.kernel.fs.stat(uid, &path).ok() };
    let is = |kind: FileKind| stat.as_ref().is_some_and(|s| s.kind == kind);
    let access = |access| stat.is_some() && cx.kernel.fs.access(uid, &path, access).is_ok();
    Some(match operator {
        "-n" => !operand.is_empty(),
        "-z" => operand.is_empty(),
        "-e" | "-a" => stat.is_some(),
        "-f" => is(FileKind::File) || is(FileKind::Program),
        "-d" => is(FileKind::Dir),
        "-h" | "-L" => cx.kernel.fs.lstat(uid, &path).is_ok_and(|s| s.kind == FileKind::Link),
        "-c" => is(FileKind::Device),
        "-b" | "-p" | "-S" => false,
        "-s" => stat.as_ref().is_some_and(|s| s.size > 0),
        "-r" => access(Access::Read),
        "-w" => access(Access::Write),
        "-x" => access(Access::Exec),
        "-O" | "-G" => stat.as_ref().is_some_and(|s| s.uid == uid),
        "-t" => operand.parse().is_ok_and(|fd| cx.is_tty(fd)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn same_as_the_real_program() {
        let files = [("f", "x"), ("e", "")];
        let mut host = Host::with(&files);
        for args in [
            &["-f", "f"][..],
            &["-s", "e"],
            &["-d", "."],
            &["-e", "no"],
            &["a", "=", "a"],
            &["a", "!=", "a"],
            &["2", "-lt", "10"],
            &["x", "-eq", "1"],
            &["!", "-f", "f"],
            &["-n", ""],
            &["-z", ""],
            &[],
            &["x"],
            &[""],
            &["-f", "f", "-a", "-s", "e"],
            &["-f", "f", "-o", "-s", "e"],
            &["(", "a", "=", "b", ")"],
            &["!", "x"],
            &["-r", "f"],
            &["a", "b"],
            &["a", "=", "a", "b"],
            &["-x", "f"],
            &["!", "=", "!"],
        ] {
            host.same(&[&["test"], args].concat(), "", &files);
        }
        assert_eq!(host.run(&["[", "a", "=", "a", "]"]).code, 0);
        assert_eq!(host.run(&["[", "a"]).err, "[: missing ']'\n");
    }
}
