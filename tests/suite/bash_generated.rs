//! Random programs, the same ones in every run, compared between the simulated bash and the machine's. A
//! grammar of statements and words generates nested constructs. All output and the exit codes must be equal. A program that differs is shrunk.

use super::bash::{booted, our_bash, real_bash};
use testing::{Random, for_seeds};

/// Seeds of the programs; `SHELL_SEEDS=first..last` selects others.
const SEEDS: std::ops::Range<u64> = 1..121;
/// Deepest nesting of statements.
const DEPTH: u32 = 3;

/// A random number generator, and the program that it writes.
struct Writer<'a> {
    random: &'a mut Random,
    /// Number of loops and functions so far, for unique names.
    names: u32,
    in_function: bool,
}

impl Writer<'_> {
    fn next(&mut self, below: u64) -> u64 {
        self.random.below(below)
    }

    fn pick<'s>(&mut self, from: &[&'s str]) -> &'s str {
        self.random.of(from)
    }

    fn name(&mut self) -> &'static str {
        self.pick(&["a", "b", "c", "x", "y"])
    }

    fn number(&mut self) -> String {
        self.pick(&["0", "1", "2", "3", "7", "10", "-1", "42"]).to_owned()
    }

    fn literal(&mut self) -> &'static str {
        self.pick(&["one", "two words", "", "a*b", "x.y.z", "/p/q/r", "  sp  ", "A-b_C", "5", "a:b:c", "it"])
    }

    fn arithmetic(&mut self, depth: u32) -> String {
        if depth == 0 {
            return if self.next(2) == 0 { self.number() } else { self.name().to_owned() + "n" };
        }
        let (left, right) = (self.arithmetic(depth - 1), self.arithmetic(depth - 1));
        match self.next(8) {
            0 => format!("({left} + {right})"),
            1 => format!("{left} * {right}"),
            2 => format!("{left} - ({right})"),
            3 => format!("({left} < {right} ? {right} : {left})"),
            4 => format!("({left} == {right})"),
            5 => format!("({left} && {right})"),
            6 => format!("({left} % 7 + {right})"),
            _ => format!("({left} | {right})"),
        }
    }

    /// The content of `${...}`.
    fn expansion(&mut self) -> String {
        let name = self.name();
        let list = self.pick(&["l", "m"]);
        match self.next(22) {
            0 => format!("${name}"),
            1 => format!("${{{name}:-{}}}", self.pick(&["dflt", "d e", "$x", "\"q r\""])),
            2 => format!("${{#{name}}}"),
            3 => format!("${{{name}#*[.:/]}}"),
            4 => format!("${{{name}##*[.:/]}}"),
            5 => format!("${{{name}%[.:/]*}}"),
            6 => format!("${{{name}%%[.:/]*}}"),
            7 => format!("${{{name}//[aeo.]/_}}"),
            8 => format!("${{{name}/{}/R}}", self.pick(&["o", "?", "*b", "#a", "%c"])),
            9 => {
                format!("${{{name}:{}}}", self.pick(&["1", "0:2", "1:3", " -2", "2:-1"])).replace("2:-1", "0")
            }
            10 => format!("${{{name}^^}}"),
            11 => format!("${{{name}+set}}"),
            12 => format!("${{{list}[@]}}"),
            13 => format!("${{#{list}[@]}}"),
            14 => format!("${{{list}[{}]}}", self.pick(&["0", "1", "-1", "n", "n+1"])),
            15 => format!("${{{list}[*]}}"),
            16 => format!("${{!{list}[@]}}"),
            17 => format!("$(({}))", self.arithmetic(2)),
            18 => format!("$(echo {})", self.word(0)),
            19 => self.pick(&["$#", "$?", "$*", "$@", "$1", "${2-none}"]).to_owned(),
            20 => format!("${{{name}@Q}}"),
            _ => format!("${{{list}[@]/[a-c]/Z}}"),
        }
    }

    fn word(&mut self, depth: u32) -> String {
        match self.next(9) {
            0 => format!("'{}'", self.literal()),
            1 => format!("\"{}\"", self.literal()),
            2 | 3 if depth < 2 => format!("\"{}\"", self.expansion()),
            4 if depth < 2 => self.expansion(),
            5 if depth < 2 => format!("\"<{}>{}\"", self.expansion(), self.pick(&["t", " ", "="])),
            6 => self.pick(&["{p,q}", "{1..3}", "k{a,b}", "plain", "x=1", "-v"]).to_owned(),
            7 if depth < 1 => format!("pre{}post", self.expansion()),
            _ => self.pick(&["w1", "w2", "\\$x", "a\\ b"]).to_owned(),
        }
    }

    fn words(&mut self) -> String {
        let count = self.next(4) + 1;
        (0..count).map(|_| self.word(0)).collect::<Vec<_>>().join(" ")
    }

    fn condition(&mut self) -> String {
        let name = self.name();
        match self.next(10) {
            0 => format!("[ \"${name}\" = {} ]", self.pick(&["one", "''", "5"])),
            1 => format!("[[ ${name} == {} ]]", self.pick(&["*o*", "a*", "\"a*b\"", "?", "[a-m]*"])),
            2 => format!("(({}))", self.arithmetic(2)),
            3 => format!("[[ -n ${name} && ! -z $y ]]"),
            4 => format!("[ {} -{} {} ]", self.number(), self.pick(&["lt", "eq", "ge"]), self.number()),
            5 => format!("[[ ${name} =~ ^([a-z]+)([^a-z]*) ]]"),
            6 => format!("test -n \"${name}\""),
            7 => self.pick(&["true", "false", "! true", "! false"]).to_owned(),
            8 => format!("[[ {} < {} || $# -gt 1 ]]", self.pick(&["a", "b"]), self.pick(&["a", "c"])),
            _ => format!("echo \"${name}\" | {{ read r; [ -n \"$r\" ]; }}"),
        }
    }

    fn block(&mut self, depth: u32) -> String {
        let count = self.next(3) + 1;
        (0..count).map(|_| self.statement(depth + 1)).collect::<Vec<_>>().join("\n")
    }

    fn statement(&mut self, depth: u32) -> String {
        let deep = depth >= DEPTH;
        self.names += 1;
        let (id, name) = (self.names, self.name());
        match self.next(if deep { 14 } else { 27 }) {
            0..=2 => format!("echo {}", self.words()),
            3 => format!("printf '<%s>' {}; echo", self.words()),
            4 => format!("{name}={}", self.word(0)).replace("={p,q}", "=p").replace("={1..3}", "=z"),
            5 => format!("{name}n=$(({}))", self.arithmetic(2)),
            6 => format!(
                "(({name}n {} {})); echo $? ${name}n",
                self.pick(&["+=", "-=", "="]),
                self.arithmetic(1)
            ),
            7 => format!("l=({}); echo ${{#l[@]}}", self.words()),
            8 => format!("l+=({}); n=$((${{#l[@]}} / 2))", self.word(0)),
            9 => format!("m[{}]={name}; echo \"${{m[*]}}\"", self.pick(&["k", "k 2", "3"])),
            10 => format!("set -- {}; echo $#", self.words()),
            11 => format!("{} {} echo {}", self.condition(), self.pick(&["&&", "||"]), self.words()),
            12 => format!("read -r {name} rest <<< {}; echo \"[${name}] [$rest]\"", self.word(0)),
            13 if self.in_function => self.pick(&["return 3", "local x=loc", "return", "shift"]).to_owned(),
            13 => format!("{}; echo $?", self.condition()),
            14 | 15 => {
                let (condition, yes, no) = (self.condition(), self.block(depth), self.block(depth));
                format!("if {condition}; then\n{yes}\nelse\n{no}\nfi")
            }
            16 | 17 => {
                let (words, body) = (self.words(), self.block(depth));
                let end = self.pick(&["", "[ \"$i\" = w1 ] && break", "[ -z \"$i\" ] && continue"]);
                format!("for i in {words}; do\n{body}\n{end}\ndone; echo \"i=$i $?\"")
            }
            18 => {
                let body = self.block(depth);
                format!("k{id}=0; while ((k{id}++ < 3)); do\n{body}\ndone")
            }
            19 => {
                let (word, one, two) = (self.word(0), self.block(depth), self.block(depth));
                let end = self.pick(&[";;", ";&", ";;&"]);
                format!("case {word} in\n*o*|w*) {one} {end}\n[a-f]*) {two} ;;\n*) echo other;;\nesac")
                    .replace("case {p,q}", "case p")
            }
            20 | 21 if !self.in_function => {
                self.in_function = true;
                let body = self.block(depth);
                self.in_function = false;
                let words = self.words();
                format!("f{id}() {{\nlocal y=$1\n{body}\n}}\nf{id} {words}; echo \"rc=$? $y\"")
            }
            22 => format!("(\n{}\nexit {}\n); echo $?", self.block(depth), self.pick(&["0", "1", "5"])),
            23 => format!("{{\n{}\n}} | cat; echo ${{PIPESTATUS[0]}}", self.block(depth)),
            24 => format!("{name}=$(\n{}\n); echo \"${name}\"", self.block(depth)),
            25 => format!("{{\n{}\n}} > out{id}; cat out{id}", self.block(depth)),
            26 => format!("while read -r line; do echo \"[$line]\"; done < <(\n{}\n)", self.block(depth)),
            _ => format!("echo \"${{{name}-}}\""),
        }
    }

    fn program(&mut self) -> String {
        let options =
            self.pick(&["", "", "set -e", "set -u", "set -o pipefail", "shopt -s nullglob", "set -f"]);
        let end = self.pick(&["", "trap 'echo bye $?' EXIT", "trap 'echo err $?' ERR"]);
        let mut text = format!(
            "{options}\n{end}\na=one b='two words' c=a:b:c x=x.y.z y= n=1\nan=1 bn=2 cn=3 xn=4 yn=0\n\
             l=(p 'q r' s)\ndeclare -A m=([k]=v)\nset -- one 'two three'\n"
        );
        for _ in 0..8 {
            if self.random.is_used_up() {
                break;
            }
            text.push_str(&self.statement(0));
            text.push('\n');
        }
        text
    }
}

#[test]
fn random_programs_do_what_they_do_in_bash() {
    let asked = std::env::var("SHELL_SEEDS").ok();
    let asked = asked.as_deref().and_then(|text| text.split_once("..")).map(|(first, last)| {
        let number = |text: &str| text.parse::<u64>().expect("a number");
        number(first)..number(last)
    });
    let booted = booted();
    let line = regex_lite::Regex::new("line [0-9]+").expect("a pattern");
    for_seeds(asked.unwrap_or(SEEDS), |_, random| {
        let script = Writer { random, names: 0, in_function: false }.program();
        let mut theirs = real_bash(&script);
        let mut ours = our_bash(&booted, &script);
        // For the words of `for` and `case`, bash reports the line of the previous command.
        for outcome in [&mut theirs, &mut ours] {
            outcome.err = line.replace_all(&outcome.err, "line N").into_owned();
        }
        assert!(ours == theirs, "{script}\nbash:  {theirs:?}\nours:  {ours:?}");
    });
}
