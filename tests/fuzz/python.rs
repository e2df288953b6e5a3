//! Generated Python programs, compared with CPython 3.11.

use super::real::empty_home;
use super::run;
use std::io::Write;
use std::process::{Command, Stdio};
use testing::{Random, fuzz};

/// Writes Python expressions.
struct PythonWriter<'a>(&'a mut Random);

impl PythonWriter<'_> {
    fn of(&mut self, list: &[&'static str]) -> &'static str {
        self.0.of(list)
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth >= 3 {
            return self
                .of(&[
                    "0",
                    "1",
                    "-3",
                    "7",
                    "2.5",
                    "1e3",
                    "''",
                    "'ab'",
                    "'x y'",
                    "True",
                    "None",
                    "[]",
                    "[3, 1, 2]",
                    "(1, 'a')",
                    "{}",
                    "{'k': 1}",
                    "n",
                    "s",
                    "l",
                    "d",
                    "{2, 1}",
                    "range(4)",
                    "b'ab'",
                    "10**20",
                    "'é'",
                ])
                .to_owned();
        }
        let d = depth + 1;
        let e = |writer: &mut Self| writer.expression(d);
        match self.0.below(26) {
            0 => format!(
                "({} {} {})",
                e(self),
                self.of(&["+", "-", "*", "/", "//", "%", "&", "|", "^"]),
                e(self)
            ),
            1 => format!(
                "({} {} {})",
                e(self),
                self.of(&["<", "==", "!=", ">=", "in", "is not", "not in"]),
                e(self)
            ),
            2 => format!(
                "{}({})",
                self.of(&[
                    "len", "str", "repr", "int", "bool", "list", "tuple", "sorted", "sum", "min", "max",
                    "abs", "type", "ord", "chr", "dict", "hex", "bin", "round", "any", "all", "iter",
                    "reversed"
                ]),
                e(self)
            ),
            3 => format!("{}[{}]", e(self), e(self)),
            4 => format!(
                "{}[{}:{}]",
                e(self),
                self.of(&["", "1", "-2", "0"]),
                self.of(&["", "2", "-1", "::-1", ":2"])
            ),
            5 => format!("[x for x in {} if {}]", e(self), self.of(&["x", "True", "x != 1", "str(x)"])),
            6 => format!("{{x: {} for x in {}}}", e(self), e(self)),
            7 => format!("({} if {} else {})", e(self), e(self), e(self)),
            8 => format!(
                "str({}).{}",
                e(self),
                self.of(&[
                    "upper()",
                    "split()",
                    "strip('a')",
                    "replace('a', 'b')",
                    "find('a')",
                    "join('xy')",
                    "center(9, '*')",
                    "zfill(6)",
                    "startswith('a')",
                    "partition(' ')",
                    "isdigit()",
                    "title()",
                    "count('a')",
                    "encode()",
                    "rjust(5)",
                    "splitlines()",
                    "swapcase()",
                    "expandtabs(4)"
                ])
            ),
            9 => format!(
                "'{}' % ({},)",
                self.of(&["%d", "%s", "%5.2f", "%r", "%x", "%-6s|", "%05d", "%e", "%g", "%c"]),
                e(self)
            ),
            10 => format!(
                "'{}'.format({})",
                self.of(&[
                    "{}", "{:>8}", "{:<6}|", "{:^7}", "{:.2f}", "{:05d}", "{:x}", "{:+}", "{!r}", "{:e}",
                    "{:%}", "{:b}", "{0}{0}"
                ]),
                e(self)
            ),
            11 => format!(
                "f'{{{}{}}}'",
                self.of(&["n", "s", "l", "d", "n * 2", "len(s)", "s!r"]),
                self.of(&["", ":>5", ":.3", ":d", ":s"])
            ),
            12 => format!(
                "(lambda a, b=2: {})({})",
                self.of(&["a + b", "[a] * b", "(a, b)", "a if b else None", "str(a) + str(b)"]),
                e(self)
            ),
            13 => format!(
                "list({}({}, {}))",
                self.of(&["map", "filter", "zip", "enumerate"]),
                self.of(&["str", "None", "bool", "len", "l"]),
                e(self)
            ),
            14 => format!(
                "{}.{}",
                self.of(&["l", "[1, 2]", "d", "s"]),
                self.of(&[
                    "copy()", "index(1)", "count(1)", "keys()", "items()", "get('k')", "pop()", "upper()",
                    "values()", "nothing"
                ])
            ),
            15 => format!("not {}", e(self)),
            16 => format!("({} and {})", e(self), e(self)),
            17 => format!("({} or {})", e(self), e(self)),
            18 => format!(
                "sorted({}, key=lambda x: {}, reverse={})",
                e(self),
                self.of(&["str(x)", "-x", "x", "len(x)"]),
                self.of(&["True", "False"])
            ),
            19 => format!(
                "isinstance({}, {})",
                e(self),
                self.of(&["int", "str", "(int, float)", "list", "dict", "object", "3"])
            ),
            20 => format!("divmod({}, {})", e(self), e(self)),
            21 => format!("({} ** {})", e(self), self.of(&["2", "3", "0", "-1", "0.5"])),
            22 => format!("sum(x for x in {})", e(self)),
            23 => format!(
                "{}({}, {})",
                self.of(&["pow", "round", "max", "min", "isinstance", "getattr", "int", "range", "slice"]),
                e(self),
                e(self)
            ),
            24 => format!("[*{}, {}]", e(self), e(self)),
            _ => self.expression(3),
        }
    }

    fn program(&mut self) -> String {
        let mut text = "n = 5\ns = 'hello world'\nl = [4, 1, 3]\nd = {'a': 1, 'b': [2]}\n".to_owned();
        for _ in 0..if self.0.is_used_up() { 1 } else { 25 } {
            let expression = self.expression(0);
            text += &format!(
                "try:\n    print(repr({expression}))\nexcept Exception as error:\n    print(type(error).__name__, error)\n"
            );
        }
        text
    }
}

/// The machine's CPython 3.11, if it has one.
fn cpython() -> Option<&'static str> {
    ["python3.11", "python3"].into_iter().find(|name| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("3.11"))
    })
}

#[test]
fn python() {
    let Some(real) = cpython() else {
        eprintln!("fuzz target python: CPython 3.11 is not installed, nothing was compared");
        return;
    };
    let world = empty_home();
    fuzz("python", 12, |random| {
        let program = PythonWriter(random).program();
        let mut child = Command::new(real)
            .args(["-W", "ignore", "-"])
            .env("PYTHONHASHSEED", "0")
            .env("PYTHONIOENCODING", "utf-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("CPython starts");
        child.stdin.take().expect("a pipe").write_all(program.as_bytes()).expect("it reads");
        let theirs = child.wait_with_output().expect("it ends");
        let theirs = String::from_utf8_lossy(&theirs.stdout).into_owned();
        let mut world = world.clone();
        run(&mut world, "alice", &format!("cat > p.py <<'END-OF-PROGRAM'\n{program}END-OF-PROGRAM\n"));
        let ours = String::from_utf8_lossy(&run(&mut world, "alice", "cd; python3 p.py").stdout).into_owned();
        // Of an exception, its type: the texts for wrong arguments are many.
        let loose = regex_lite::Regex::new(" at 0x[0-9a-f]+|(?m)^([A-Z][A-Za-z]*(Error|Iteration)) .*$")
            .expect("a pattern");
        let (ours, theirs) = (loose.replace_all(&ours, "$1"), loose.replace_all(&theirs, "$1"));
        let expressions: Vec<&str> =
            program.lines().filter_map(|line| line.trim().strip_prefix("print(repr(")).collect();
        let found: Vec<String> = ours
            .lines()
            .zip(theirs.lines())
            .zip(&expressions)
            .filter(|((ours, theirs), _)| ours != theirs)
            .map(|((ours, theirs), of)| format!("{of}\n  ours {ours}\n  real {theirs}"))
            .collect();
        assert!(found.is_empty() && ours.lines().count() == theirs.lines().count(), "{}", found.join("\n"));
    });
}
