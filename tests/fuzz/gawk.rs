//! Generated awk programs, compared with gawk.

use super::real::{FILES, compare, empty_home};
use testing::{Random, fuzz};

/// Writes awk programs.
struct AwkWriter<'a>(&'a mut Random);

impl AwkWriter<'_> {
    fn of(&mut self, list: &[&'static str]) -> &'static str {
        self.0.of(list)
    }

    fn lvalue(&mut self) -> String {
        match self.0.below(5) {
            0 => format!("a[{}]", self.expression(2)),
            1 => self.of(&["$1", "$2", "$3", "$0"]).to_owned(),
            _ => self.of(&["x", "y", "z", "NF"]).to_owned(),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth >= 3 {
            return self
                .of(&[
                    "1", "2", "0", "3.5", "-1", "10", "x", "y", "$1", "$2", "$NF", "NR", "NF", "\"a\"",
                    "\"10\"", "\"\"", "\"b c\"", "a[1]",
                ])
                .to_owned();
        }
        let d = depth + 1;
        match self.0.below(24) {
            0 => format!(
                "({} {} {})",
                self.expression(d),
                self.of(&["+", "-", "*", "%", "/"]),
                self.expression(d)
            ),
            1 => format!(
                "({} {} {})",
                self.expression(d),
                self.of(&["<", "<=", "==", "!=", ">", ">="]),
                self.expression(d)
            ),
            2 => format!("({} {})", self.expression(d), self.expression(d)),
            3 => format!(
                "({} ~ {})",
                self.expression(d),
                self.of(&["/a/", "/^[0-9]+$/", "/b|c/", "\"x\"", "/(a)?/", "/[^a]/", "/.$/"])
            ),
            4 => format!("({} ? {} : {})", self.expression(d), self.expression(d), self.expression(d)),
            5 => format!("length({})", self.expression(d)),
            6 => format!("substr({}, {})", self.expression(d), self.expression(d)),
            7 => format!("substr({}, {}, {})", self.expression(d), self.expression(d), self.expression(d)),
            8 => format!("index({}, {})", self.expression(d), self.expression(d)),
            9 => format!("{}({})", self.of(&["toupper", "tolower", "int"]), self.expression(d)),
            10 => format!(
                "sprintf(\"{}\", {})",
                self.of(&["%d", "%5.2f", "%s", "%-4s|", "%x", "%c", "%e", "%05d", "%i%%", "%.2s"]),
                self.expression(d)
            ),
            11 => format!(
                "split({}, b, {})",
                self.expression(d),
                self.of(&["\" \"", "\":\"", "/[ab]/", "\"\"", "\"a\""])
            ),
            12 => format!("match({}, {})", self.expression(d), self.of(&["/a+/", "/[0-9]/", "/$/", "/x*/"])),
            13 => format!(
                "{}({}, {}, {})",
                self.of(&["sub", "gsub"]),
                self.of(&["/a/", "/[0-9]/", "/x*/", "\".\"", "/^/", "/b$/"]),
                self.of(&["\"X\"", "\"[&]\"", "\"\\\\&\"", "\"\""]),
                self.of(&["x", "y", "$0", "a[1]"])
            ),
            14 => format!("({} = {})", self.lvalue(), self.expression(d)),
            15 => format!(
                "({} {} {})",
                self.of(&["x", "y", "a[2]"]),
                self.of(&["+=", "-=", "*="]),
                self.expression(d)
            ),
            16 => format!("({} && {})", self.expression(d), self.expression(d)),
            17 => format!("({} || !{})", self.expression(d), self.expression(d)),
            18 => format!("({} in a)", self.expression(d)),
            19 => self.of(&["x++", "++y", "x--", "a[1]++", "$2++", "-x", "+y", "!x"]).to_owned(),
            20 => format!("({} ^ {})", self.of(&["2", "3", "1.5", "x"]), self.of(&["2", "3", "0", "0.5"])),
            21 => format!("f({}, {})", self.expression(d), self.expression(d)),
            22 => format!(
                // gawk 5.2.1 prints freed memory for a target that is a number.
                "gensub({}, {}, {}, {} \"\")",
                self.of(&["/a/", "/(.)(.)/", "/[0-9]+/"]),
                self.of(&["\"<&>\"", "\"\\\\2\\\\1\"", "\"\""]),
                self.of(&["1", "2", "\"g\""]),
                self.expression(d)
            ),
            _ => self.expression(3),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let d = depth + 1;
        match self.0.below(if depth > 1 { 6 } else { 12 }) {
            0..=2 => format!("print {}", self.expression(0)),
            3 => format!("print {}, {}", self.expression(1), self.expression(1)),
            4 => format!("{} = {}", self.lvalue(), self.expression(1)),
            5 => format!(
                "printf \"{}\\n\", {}",
                self.of(&["%d", "%s", "%6.1f", "%x", "%g"]),
                self.expression(1)
            ),
            6 => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.expression(1),
                self.statement(d),
                self.statement(d)
            ),
            // A loop in a loop counts with a variable of its own, or the outer one never ends.
            7 => format!(
                "for (i{d} = 0; i{d} < {}; i{d}++) {{ {} }}",
                self.of(&["2", "3", "(NF < 9 ? NF : 9)"]),
                self.statement(d)
            ),
            8 => format!(
                "k{d} = 3; while (k{d}-- > 0) {{ {}; if (k{d} == 1) {} }}",
                self.statement(d),
                self.of(&["break", "continue"])
            ),
            9 => format!("delete {}", self.of(&["a", "a[1]", "a[x]"])),
            10 => format!("do {{ {} }} while (++n{d} < 3)", self.statement(d)),
            _ => self
                .of(&[
                    "next",
                    "exit",
                    "exit 3",
                    "n = split($0, a); print n",
                    "$5 = \"v\"; print NF",
                    "print; print $0",
                    "getline; print",
                ])
                .to_owned(),
        }
    }

    fn program(&mut self) -> String {
        let mut text = "function f(p, q) { if (p > 3) return p q; q = q + 1; return q }\n".to_owned();
        for _ in 0..=self.0.below(3) {
            let pattern = self.of(&["", "", "BEGIN", "END", "NR == 2", "/a/", "$2 > 1", "NR==1,NR==3", "!x"]);
            // next and getline are errors in BEGIN and END.
            let mut body = self.statement(0);
            if pattern.is_empty() || !(pattern == "BEGIN" || pattern == "END") {
            } else {
                body = body.replace("next", "x = 1").replace("getline; ", "");
            }
            text += &format!("{pattern} {{ {body} }}\n");
        }
        text
    }
}

#[test]
fn gawk() {
    let has = testing::bash("gawk 'BEGIN{exit 7}'", &[]).code == 7;
    if !has {
        eprintln!("fuzz target gawk: gawk is not installed, nothing was compared");
        return;
    }
    let world = empty_home();
    fuzz("gawk", 12, |random| {
        let count = if random.is_used_up() { 1 } else { 10 };
        let commands: Vec<String> = (0..count)
            .map(|_| {
                let program = AwkWriter(random).program();
                format!(
                    "AWK '{program}' {}",
                    random.of(&["f", "n", "s", "-F: s", "u e", "-v x=3 f", "-v 'x=a b' f"])
                )
                .replace("-F: s", "s")
            })
            .collect();
        compare(&world, FILES, &commands, ("awk", "gawk"));
    });
}
