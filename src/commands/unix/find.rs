//! find(1): tests `-name -iname -path -type -newer -size -mtime -mmin -empty -user -perm`, actions `-print -print0
//! -delete -exec -prune -quit`, joined by `!`, `-a`, `-o` and parentheses.

use super::glob::glob;
use crate::base::ids::Pid;
use crate::base::time::Time;
use crate::commands::{Cx, Machine};
use crate::host::fs::{Kind, Stat};
use crate::host::kernel::Whom;
use crate::host::{Status, Step, Wait, path};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Deepest walk, most files.
const MAX_DEPTH: u32 = 256;

/// A test or an action.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Test {
    True,
    Name(String, bool),
    Path(String),
    Type(String),
    Newer(Time),
    /// Sign of the comparison, number, unit in bytes.
    Size(i8, u64, u64),
    /// Sign, number, unit in seconds.
    Age(i8, i64, i64),
    Empty,
    User(u32),
    Perm(u32),
    Print,
    Print0,
    Delete,
    Prune,
    Quit,
    /// The words, and whether they end with `+`; the place among all `-exec`s.
    Exec(Vec<String>, bool, u32),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

/// find(1), when it has children to run: its findings are made at once, the commands follow one after another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Find {
    commands: Vec<Vec<String>>,
    next: u32,
    child: Option<Pid>,
    code: u8,
}

struct Walk {
    min: u32,
    max: u32,
    test: Test,
    /// Whether an action other than `-prune` was named; else all is printed.
    acts: bool,
    commands: Vec<Vec<String>>,
    collected: Vec<(u32, Vec<String>, Vec<String>)>,
    code: u8,
    stop: bool,
    prune: bool,
}

/// Starts find(1).
pub fn start(cx: &mut Cx) -> Machine {
    let args = cx.args().to_vec();
    let split = args.iter().position(|a| a.starts_with(['-', '(', '!'])).unwrap_or(args.len());
    let (roots, words) = args.split_at(split);
    let mut parser = Parser { words, at: 0, acts: false, min: 0, max: MAX_DEPTH, execs: 0, depth: 0 };
    let test = match parser.parse(cx) {
        Ok(test) => test,
        Err(text) => {
            cx.error(&text);
            return Machine::End(1);
        }
    };
    let mut walk = Walk {
        min: parser.min,
        max: parser.max,
        acts: parser.acts,
        test,
        commands: Vec::new(),
        collected: Vec::new(),
        code: 0,
        stop: false,
        prune: false,
    };
    let roots = if roots.is_empty() { vec![".".to_owned()] } else { roots.to_vec() };
    for root in roots {
        walk.visit(cx, &root, 0);
    }
    for (_, words, names) in std::mem::take(&mut walk.collected) {
        walk.commands.push([words, names].concat());
    }
    if walk.commands.is_empty() {
        return Machine::End(walk.code);
    }
    Machine::Find(Box::new(Find { commands: walk.commands, next: 0, child: None, code: walk.code }))
}

struct Parser<'a> {
    words: &'a [String],
    at: usize,
    acts: bool,
    min: u32,
    max: u32,
    execs: u32,
    depth: u32,
}

impl Parser<'_> {
    fn parse(&mut self, cx: &Cx) -> Result<Test, String> {
        if self.words.is_empty() {
            return Ok(Test::True);
        }
        let test = self.or(cx)?;
        match self.words.get(self.at) {
            None => Ok(test),
            Some(_) => Err("you have too many ')'".into()),
        }
    }

    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(String::as_str)
    }

    fn or(&mut self, cx: &Cx) -> Result<Test, String> {
        let mut test = self.and(cx)?;
        while matches!(self.peek(), Some("-o" | "-or")) {
            self.at += 1;
            test = Test::Or(Box::new(test), Box::new(self.and(cx)?));
        }
        Ok(test)
    }

    fn and(&mut self, cx: &Cx) -> Result<Test, String> {
        let mut test = self.not(cx)?;
        while !matches!(self.peek(), None | Some("-o" | "-or" | ")")) {
            if matches!(self.peek(), Some("-a" | "-and")) {
                self.at += 1;
            }
            test = Test::And(Box::new(test), Box::new(self.not(cx)?));
        }
        Ok(test)
    }

    fn not(&mut self, cx: &Cx) -> Result<Test, String> {
        self.depth += 1;
        if self.depth > 200 {
            return Err("expression nested too deeply".into());
        }
        match self.peek() {
            Some("!" | "-not") => {
                self.at += 1;
                Ok(Test::Not(Box::new(self.not(cx)?)))
            }
            Some("(") => {
                self.at += 1;
                let test = self.or(cx)?;
                if self.peek() != Some(")") {
                    return Err(
                        "invalid expression; I was expecting to find a ')' somewhere but did not see one."
                            .into(),
                    );
                }
                self.at += 1;
                Ok(test)
            }
            Some(_) => self.primary(cx),
            None => Err("expected an expression".into()),
        }
    }

    fn argument(&mut self, name: &str) -> Result<String, String> {
        let value =
            self.words.get(self.at).cloned().ok_or_else(|| format!("missing argument to `{name}'"))?;
        self.at += 1;
        Ok(value)
    }

    fn primary(&mut self, cx: &Cx) -> Result<Test, String> {
        let name = self.argument("")?;
        Ok(match name.as_str() {
            "-name" => Test::Name(self.argument(&name)?, false),
            "-iname" => Test::Name(self.argument(&name)?.to_lowercase(), true),
            "-path" | "-wholename" => Test::Path(self.argument(&name)?),
            "-type" => {
                let kinds = self.argument(&name)?;
                if let Some(bad) = kinds.chars().find(|c| !"fdlcbps,".contains(*c)) {
                    return Err(format!("Unknown argument to -type: {bad}"));
                }
                Test::Type(kinds)
            }
            "-newer" => {
                let file = self.argument(&name)?;
                let stat =
                    cx.kernel.fs.stat(cx.uid(), &cx.path(&file)).map_err(|e| format!("'{file}': {e}"))?;
                Test::Newer(stat.mtime)
            }
            "-maxdepth" | "-mindepth" => {
                let text = self.argument(&name)?;
                let wrong =
                    || format!("Expected a positive decimal integer argument to {name}, but got '{text}'");
                let depth = text.parse::<u32>().map_err(|_| wrong())?;
                if name == "-maxdepth" {
                    self.max = depth.min(MAX_DEPTH)
                } else {
                    self.min = depth
                }
                Test::True
            }
            "-size" | "-mtime" | "-mmin" => {
                let text = self.argument(&name)?;
                number(&name, &text).ok_or_else(|| format!("invalid argument `{text}' to `{name}'"))?
            }
            "-empty" => Test::Empty,
            "-user" => {
                let user = self.argument(&name)?;
                let known = cx.kernel.users.by_name(&user).map(|u| u.uid.0).or_else(|| user.parse().ok());
                Test::User(known.ok_or_else(|| format!("'{user}' is not the name of a known user"))?)
            }
            "-perm" => {
                let text = self.argument(&name)?;
                let bits = text.trim_start_matches(['-', '/']);
                Test::Perm(u32::from_str_radix(bits, 8).map_err(|_| format!("invalid mode '{text}'"))?)
            }
            "-depth" | "-follow" | "-xdev" | "-mount" => Test::True,
            "-prune" => Test::Prune,
            "-print" | "-print0" | "-delete" | "-quit" | "-exec" => {
                self.acts |= name != "-quit";
                return self.action(&name);
            }
            _ if name.starts_with('-') => return Err(format!("unknown predicate `{name}'")),
            _ => return Err(format!("paths must precede expression: `{name}'")),
        })
    }

    fn action(&mut self, name: &str) -> Result<Test, String> {
        Ok(match name {
            "-print" => Test::Print,
            "-print0" => Test::Print0,
            "-delete" => Test::Delete,
            "-quit" => Test::Quit,
            _ => {
                let mut words = Vec::new();
                loop {
                    let word = self.argument(name)?;
                    if word == ";" {
                        break;
                    }
                    if word == "+" && words.last().is_some_and(|w| w == "{}") {
                        words.pop();
                        self.execs += 1;
                        return Ok(Test::Exec(words, true, self.execs));
                    }
                    words.push(word);
                }
                if words.is_empty() {
                    return Err("missing argument to `-exec'".into());
                }
                self.execs += 1;
                Test::Exec(words, false, self.execs)
            }
        })
    }
}

fn number(name: &str, text: &str) -> Option<Test> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => 0,
    };
    let rest = text.trim_start_matches(['+', '-']);
    if name != "-size" {
        let unit = if name == "-mtime" { 86_400 } else { 60 };
        return Some(Test::Age(sign, rest.parse().ok()?, unit));
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let unit = match rest.get(digits..)? {
        "" | "b" => 512,
        "c" => 1,
        "w" => 2,
        "k" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    Some(Test::Size(sign, rest.get(..digits)?.parse().ok()?, unit))
}

impl Walk {
    fn fail(&mut self, cx: &mut Cx, text: &str) {
        cx.error(text);
        self.code = 1;
    }

    fn visit(&mut self, cx: &mut Cx, name: &str, depth: u32) {
        if self.stop {
            return;
        }
        let path = cx.path(name);
        let stat = match cx.kernel.fs.lstat(cx.uid(), &path) {
            Ok(stat) => stat,
            Err(errno) => return self.fail(cx, &format!("'{name}': {errno}")),
        };
        let deletes = holds_delete(&self.test);
        self.prune = false;
        if !deletes {
            self.check(cx, name, &stat, depth);
        }
        if stat.kind == Kind::Dir && depth < self.max && !self.prune {
            match cx.kernel.fs.list(cx.uid(), &path) {
                Ok(names) => {
                    for inner in names {
                        self.visit(cx, &format!("{}/{inner}", name.trim_end_matches('/')), depth + 1);
                    }
                }
                Err(errno) => self.fail(cx, &format!("'{name}': {errno}")),
            }
        }
        // `-delete` means that a directory comes after what is in it.
        if deletes && !self.stop {
            self.check(cx, name, &stat, depth);
        }
    }

    fn check(&mut self, cx: &mut Cx, name: &str, stat: &Stat, depth: u32) {
        if depth < self.min {
            return;
        }
        let test = self.test.clone();
        if self.holds(cx, &test, name, stat) && !self.acts {
            cx.line(name);
        }
    }

    fn holds(&mut self, cx: &mut Cx, test: &Test, name: &str, stat: &Stat) -> bool {
        match test {
            Test::True => true,
            Test::Name(pattern, false) => glob(pattern, last(name)),
            Test::Name(pattern, true) => glob(pattern, &last(name).to_lowercase()),
            Test::Path(pattern) => glob(pattern, name),
            Test::Type(kinds) => kinds.contains(match stat.kind {
                Kind::File | Kind::Program => 'f',
                Kind::Dir => 'd',
                Kind::Link => 'l',
                Kind::Device => 'c',
            }),
            Test::Newer(time) => stat.mtime > *time,
            Test::Size(sign, n, unit) => compare(*sign, super::ls::size(stat).div_ceil(*unit).cmp(n)),
            Test::Age(sign, n, unit) => compare(*sign, ((cx.now - stat.mtime).secs() / unit).cmp(n)),
            Test::Empty => match stat.kind {
                Kind::Dir => cx.kernel.fs.list(cx.uid(), &cx.path(name)).is_ok_and(|l| l.is_empty()),
                Kind::File => stat.size == 0,
                Kind::Link | Kind::Program | Kind::Device => false,
            },
            Test::User(uid) => stat.uid.0 == *uid,
            Test::Perm(mode) => stat.mode & 0o7777 == *mode,
            Test::Print => {
                cx.line(name);
                true
            }
            Test::Print0 => {
                cx.print(name);
                cx.out.push(0);
                true
            }
            Test::Delete => self.delete(cx, name, stat),
            Test::Prune => {
                self.prune = true;
                true
            }
            Test::Quit => {
                self.stop = true;
                true
            }
            Test::Exec(words, true, place) => {
                match self.collected.iter_mut().find(|(p, ..)| p == place) {
                    Some((_, _, names)) => names.push(name.to_owned()),
                    None => self.collected.push((*place, words.clone(), vec![name.to_owned()])),
                }
                true
            }
            Test::Exec(words, false, _) => {
                self.commands.push(words.iter().map(|w| w.replace("{}", name)).collect());
                true
            }
            Test::Not(test) => !self.holds(cx, test, name, stat),
            Test::And(a, b) => self.holds(cx, a, name, stat) && self.holds(cx, b, name, stat),
            Test::Or(a, b) => self.holds(cx, a, name, stat) || self.holds(cx, b, name, stat),
        }
    }

    fn delete(&mut self, cx: &mut Cx, name: &str, stat: &Stat) -> bool {
        if name == "." {
            return true;
        }
        let (uid, path) = (cx.uid(), cx.path(name));
        let result = match stat.kind {
            Kind::Dir => cx.kernel.fs.rmdir(uid, &path, cx.now),
            Kind::File | Kind::Link | Kind::Program | Kind::Device => cx.kernel.fs.unlink(uid, &path, cx.now),
        };
        if let Err(errno) = result {
            self.fail(cx, &format!("cannot delete '{name}': {errno}"));
        }
        result.is_ok()
    }
}

fn compare(sign: i8, order: std::cmp::Ordering) -> bool {
    match sign {
        0 => order.is_eq(),
        1 => order.is_gt(),
        _ => order.is_lt(),
    }
}

fn last(name: &str) -> &str {
    if name.is_empty() { name } else { path::base_name(name) }
}

fn holds_delete(test: &Test) -> bool {
    match test {
        Test::Delete => true,
        Test::Not(inner) => holds_delete(inner),
        Test::And(a, b) | Test::Or(a, b) => holds_delete(a) || holds_delete(b),
        Test::True | Test::Name(..) | Test::Path(_) | Test::Type(_) | Test::Newer(_) | Test::Size(..) => {
            false
        }
        Test::Age(..) | Test::Empty | Test::User(_) | Test::Perm(_) | Test::Print | Test::Print0 => false,
        Test::Prune | Test::Quit | Test::Exec(..) => false,
    }
}

impl Find {
    /// Runs the commands of `-exec`.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        if let Some(child) = self.child {
            match cx.kernel.wait(cx.pid, Whom::Process(child)) {
                Ok(None) => return Step::Wait(Wait::Child),
                Ok(Some(_)) | Err(_) => self.child = None,
            }
        }
        let at = usize::try_from(self.next).unwrap_or(usize::MAX);
        let Some(words) = self.commands.get(at) else { return Step::Exit(Status::Exited(self.code)) };
        self.next += 1;
        let env = Arc::new(cx.env.clone());
        match cx.exec_of(words, env).and_then(|exec| cx.spawn(exec)) {
            Ok(child) => {
                self.child = Some(child);
                Step::Wait(Wait::Child)
            }
            Err(errno) => {
                let name = words.first().map_or("", String::as_str);
                cx.error(&format!("'{name}': {errno}"));
                Step::Again
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::testing::Host;

    #[test]
    fn findings() {
        let mut host = Host::with(&[("a.out", "x"), ("b.txt", ""), ("c.OUT", "yy")]);
        host.out(&["mkdir", "-p", "d/e"]);
        host.out(&["cp", "a.out", "d/e/z.out"]);
        assert_eq!(host.out(&["find", ".", "-name", "*.out"]), "./a.out\n./d/e/z.out\n");
        assert_eq!(host.out(&["find", "-maxdepth", "1", "-iname", "*.out"]), "./a.out\n./c.OUT\n");
        assert_eq!(host.out(&["find", "d", "-type", "d"]), "d\nd/e\n");
        assert_eq!(
            host.out(&["find", ".", "-type", "f", "-empty", "-o", "-size", "2c"]),
            "./b.txt\n./c.OUT\n"
        );
        assert_eq!(
            host.out(&["find", ".", "-name", "d", "-prune", "-o", "-name", "*.out", "-print"]),
            "./a.out\n"
        );
        assert_eq!(host.out(&["find", "d", "-delete"]), "");
        assert_eq!(host.out(&["ls"]), "a.out\nb.txt\nc.OUT\n");
        assert_eq!(host.run(&["find", "nope"]).err, "find: 'nope': No such file or directory\n");
        assert_eq!(host.run(&["find", ".", "-foo"]).err, "find: unknown predicate `-foo'\n");
    }
}
