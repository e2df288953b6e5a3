//! find(1): tests `-name -iname -path -type -newer -size -mtime -mmin -empty -user -perm`, actions `-print
//! -print0 -delete -exec -prune -quit`, combined with `!`, `-a`, `-o` and parentheses.

use super::glob::glob;
use crate::{Cx, UnixMachine};
use base::ids::Pid;
use base::time::Time;
use host::fs::{FileKind, Stat};
use host::kernel::Whom;
use host::{SliceEnd, Status, Wait, path};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Maximum depth, maximum number of files.
const MAX_DEPTH: u32 = 256;

/// A test or an action.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum FindTest {
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
    /// The words, whether they end with `+`, and the index among all `-exec`s.
    Exec(Vec<String>, bool, u32),
    Not(Box<FindTest>),
    And(Box<FindTest>, Box<FindTest>),
    Or(Box<FindTest>, Box<FindTest>),
}

/// find(1) with children to run: all matches are found first, then the commands run one after another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Find {
    commands: Vec<Vec<String>>,
    next: u32,
    child: Option<Pid>,
    code: u8,
}

struct FindWalk {
    min: u32,
    max: u32,
    test: FindTest,
    /// Whether there is an action other than `-prune`; otherwise all matches are printed.
    acts: bool,
    commands: Vec<Vec<String>>,
    collected: Vec<(u32, Vec<String>, Vec<String>)>,
    code: u8,
    stop: bool,
    prune: bool,
}

/// Starts find(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    let args = cx.args().to_vec();
    let split = args.iter().position(|a| a.starts_with(['-', '(', '!'])).unwrap_or(args.len());
    let (roots, words) = args.split_at(split);
    let mut parser = FindParser { words, at: 0, acts: false, min: 0, max: MAX_DEPTH, execs: 0, depth: 0 };
    let test = match parser.parse(cx) {
        Ok(test) => test,
        Err(text) => {
            cx.error(&text);
            return UnixMachine::End(1);
        }
    };
    let mut walk = FindWalk {
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
        return UnixMachine::End(walk.code);
    }
    UnixMachine::Find(Box::new(Find { commands: walk.commands, next: 0, child: None, code: walk.code }))
}

struct FindParser<'a> {
    words: &'a [String],
    at: usize,
    acts: bool,
    min: u32,
    max: u32,
    execs: u32,
    depth: u32,
}

impl FindParser<'_> {
    fn parse(&mut self, cx: &Cx) -> Result<FindTest, String> {
        if self.words.is_empty() {
            return Ok(FindTest::True);
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

    fn or(&mut self, cx: &Cx) -> Result<FindTest, String> {
        let mut test = self.and(cx)?;
        while matches!(self.peek(), Some("-o" | "-or")) {
            self.at += 1;
            test = FindTest::Or(Box::new(test), Box::new(self.and(cx)?));
        }
        Ok(test)
    }

    fn and(&mut self, cx: &Cx) -> Result<FindTest, String> {
        let mut test = self.not(cx)?;
        while !matches!(self.peek(), None | Some("-o" | "-or" | ")")) {
            if matches!(self.peek(), Some("-a" | "-and")) {
                self.at += 1;
            }
            test = FindTest::And(Box::new(test), Box::new(self.not(cx)?));
        }
        Ok(test)
    }

    fn not(&mut self, cx: &Cx) -> Result<FindTest, String> {
        self.depth += 1;
        if self.depth > 200 {
            return Err("expression nested too deeply".into());
        }
        match self.peek() {
            Some("!" | "-not") => {
                self.at += 1;
                Ok(FindTest::Not(Box::new(self.not(cx)?)))
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

    fn primary(&mut self, cx: &Cx) -> Result<FindTest, String> {
        let name = self.argument("")?;
        Ok(match name.as_str() {
            "-name" => FindTest::Name(self.argument(&name)?, false),
            "-iname" => FindTest::Name(self.argument(&name)?.to_lowercase(), true),
            "-path" | "-wholename" => FindTest::Path(self.argument(&name)?),
            "-type" => {
                let kinds = self.argument(&name)?;
                if let Some(bad) = kinds.chars().find(|c| !"fdlcbps,".contains(*c)) {
                    return Err(format!("Unknown argument to -type: {bad}"));
                }
                FindTest::Type(kinds)
            }
            "-newer" => {
                let file = self.argument(&name)?;
                let stat =
                    cx.kernel.fs.stat(cx.uid(), &cx.path(&file)).map_err(|e| format!("'{file}': {e}"))?;
                FindTest::Newer(stat.mtime)
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
                FindTest::True
            }
            "-size" | "-mtime" | "-mmin" => {
                let text = self.argument(&name)?;
                number(&name, &text).ok_or_else(|| format!("invalid argument `{text}' to `{name}'"))?
            }
            "-empty" => FindTest::Empty,
            "-user" => {
                let user = self.argument(&name)?;
                let known = cx.kernel.users.by_name(&user).map(|u| u.uid.0).or_else(|| user.parse().ok());
                FindTest::User(known.ok_or_else(|| format!("'{user}' is not the name of a known user"))?)
            }
            "-perm" => {
                let text = self.argument(&name)?;
                let bits = text.trim_start_matches(['-', '/']);
                FindTest::Perm(u32::from_str_radix(bits, 8).map_err(|_| format!("invalid mode '{text}'"))?)
            }
            "-depth" | "-follow" | "-xdev" | "-mount" => FindTest::True,
            "-prune" => FindTest::Prune,
            "-print" | "-print0" | "-delete" | "-quit" | "-exec" => {
                self.acts |= name != "-quit";
                return self.action(&name);
            }
            _ if name.starts_with('-') => return Err(format!("unknown predicate `{name}'")),
            _ => return Err(format!("paths must precede expression: `{name}'")),
        })
    }

    fn action(&mut self, name: &str) -> Result<FindTest, String> {
        Ok(match name {
            "-print" => FindTest::Print,
            "-print0" => FindTest::Print0,
            "-delete" => FindTest::Delete,
            "-quit" => FindTest::Quit,
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
                        return Ok(FindTest::Exec(words, true, self.execs));
                    }
                    words.push(word);
                }
                if words.is_empty() {
                    return Err("missing argument to `-exec'".into());
                }
                self.execs += 1;
                FindTest::Exec(words, false, self.execs)
            }
        })
    }
}

fn number(name: &str, text: &str) -> Option<FindTest> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => 0,
    };
    let rest = text.trim_start_matches(['+', '-']);
    if name != "-size" {
        let unit = if name == "-mtime" { 86_400 } else { 60 };
        return Some(FindTest::Age(sign, rest.parse().ok()?, unit));
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
    Some(FindTest::Size(sign, rest.get(..digits)?.parse().ok()?, unit))
}

impl FindWalk {
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
        if stat.kind == FileKind::Dir && depth < self.max && !self.prune {
            match cx.kernel.fs.list(cx.uid(), &path) {
                Ok(names) => {
                    for inner in names {
                        self.visit(cx, &format!("{}/{inner}", name.trim_end_matches('/')), depth + 1);
                    }
                }
                Err(errno) => self.fail(cx, &format!("'{name}': {errno}")),
            }
        }
        // `-delete` implies that a directory comes after its contents.
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

    fn holds(&mut self, cx: &mut Cx, test: &FindTest, name: &str, stat: &Stat) -> bool {
        match test {
            FindTest::True => true,
            FindTest::Name(pattern, false) => glob(pattern, last(name)),
            FindTest::Name(pattern, true) => glob(pattern, &last(name).to_lowercase()),
            FindTest::Path(pattern) => glob(pattern, name),
            FindTest::Type(kinds) => kinds.contains(match stat.kind {
                FileKind::File | FileKind::Program => 'f',
                FileKind::Dir => 'd',
                FileKind::Link => 'l',
                FileKind::Device => 'c',
            }),
            FindTest::Newer(time) => stat.mtime > *time,
            FindTest::Size(sign, n, unit) => compare(*sign, super::ls::size(stat).div_ceil(*unit).cmp(n)),
            FindTest::Age(sign, n, unit) => compare(*sign, ((cx.now - stat.mtime).secs() / unit).cmp(n)),
            FindTest::Empty => match stat.kind {
                FileKind::Dir => cx.kernel.fs.list(cx.uid(), &cx.path(name)).is_ok_and(|l| l.is_empty()),
                FileKind::File => stat.size == 0,
                FileKind::Link | FileKind::Program | FileKind::Device => false,
            },
            FindTest::User(uid) => stat.uid.0 == *uid,
            FindTest::Perm(mode) => stat.mode & 0o7777 == *mode,
            FindTest::Print => {
                cx.line(name);
                true
            }
            FindTest::Print0 => {
                cx.print(name);
                cx.out.push(0);
                true
            }
            FindTest::Delete => self.delete(cx, name, stat),
            FindTest::Prune => {
                self.prune = true;
                true
            }
            FindTest::Quit => {
                self.stop = true;
                true
            }
            FindTest::Exec(words, true, place) => {
                match self.collected.iter_mut().find(|(p, ..)| p == place) {
                    Some((_, _, names)) => names.push(name.to_owned()),
                    None => self.collected.push((*place, words.clone(), vec![name.to_owned()])),
                }
                true
            }
            FindTest::Exec(words, false, _) => {
                self.commands.push(words.iter().map(|w| w.replace("{}", name)).collect());
                true
            }
            FindTest::Not(test) => !self.holds(cx, test, name, stat),
            FindTest::And(a, b) => self.holds(cx, a, name, stat) && self.holds(cx, b, name, stat),
            FindTest::Or(a, b) => self.holds(cx, a, name, stat) || self.holds(cx, b, name, stat),
        }
    }

    fn delete(&mut self, cx: &mut Cx, name: &str, stat: &Stat) -> bool {
        if name == "." {
            return true;
        }
        let (uid, path) = (cx.uid(), cx.path(name));
        let result = match stat.kind {
            FileKind::Dir => cx.kernel.fs.rmdir(uid, &path, cx.now),
            FileKind::File | FileKind::Link | FileKind::Program | FileKind::Device => {
                cx.kernel.fs.unlink(uid, &path, cx.now)
            }
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

fn holds_delete(test: &FindTest) -> bool {
    match test {
        FindTest::Delete => true,
        FindTest::Not(inner) => holds_delete(inner),
        FindTest::And(a, b) | FindTest::Or(a, b) => holds_delete(a) || holds_delete(b),
        FindTest::True
        | FindTest::Name(..)
        | FindTest::Path(_)
        | FindTest::Type(_)
        | FindTest::Newer(_)
        | FindTest::Size(..) => false,
        FindTest::Age(..)
        | FindTest::Empty
        | FindTest::User(_)
        | FindTest::Perm(_)
        | FindTest::Print
        | FindTest::Print0 => false,
        FindTest::Prune | FindTest::Quit | FindTest::Exec(..) => false,
    }
}

impl Find {
    /// Runs the commands of `-exec`.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if let Some(child) = self.child {
            match cx.kernel.wait(cx.pid, Whom::Process(child)) {
                Ok(None) => return SliceEnd::Wait(Wait::Child),
                Ok(Some(_)) | Err(_) => self.child = None,
            }
        }
        let at = usize::try_from(self.next).unwrap_or(usize::MAX);
        let Some(words) = self.commands.get(at) else { return SliceEnd::Exit(Status::Exited(self.code)) };
        self.next += 1;
        let env = Arc::new(cx.env.clone());
        match cx.exec_of(words, env).and_then(|exec| cx.spawn(exec)) {
            Ok(child) => {
                self.child = Some(child);
                SliceEnd::Wait(Wait::Child)
            }
            Err(errno) => {
                let name = words.first().map_or("", String::as_str);
                cx.error(&format!("'{name}': {errno}"));
                SliceEnd::Again
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

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
