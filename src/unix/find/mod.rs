//! find(1): tests `-name -iname -path -type -newer -size -mtime -mmin -empty -user -perm`, actions `-print
//! -print0 -printf -delete -exec -prune -quit`, combined with `!`, `-a`, `-o` and parentheses; `-L`, `-H` and `-P` first.

mod parse;
mod printf;

use crate::{Cx, UnixMachine};
use base::ids::Pid;
use base::time::Time;
use host::fs::{FileKind, Ino, Stat};
use host::kernel::ProcessTarget;
use host::memory::ELEMENT;
use host::{SliceEnd, Status, Wait, path};
use parse::FindParser;
use printf::FormatPiece;
use serde::{Deserialize, Serialize};
use shell::name_matches;
use std::sync::Arc;

/// Maximum depth, maximum number of files.
const MAX_DEPTH: u32 = 256;
/// Maximum total length of the names in one command of `-exec ... {} +`, bytes.
const MAX_COMMAND: usize = 128 << 10;

/// A test or an action.
#[derive(Clone, Debug)]
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
    Printf(Vec<FormatPiece>),
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
    follow: FindLinks,
    /// A directory comes after its contents.
    contents_first: bool,
    /// The directories from the start of the walk to the current one, to detect a link that leads back to one of
    /// them.
    above: Vec<Ino>,
    /// The operand at which the walk started.
    root: String,
}

/// Which symbolic links are followed: `-P`, `-H`, `-L`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FindLinks {
    Never,
    Roots,
    Always,
}

/// Starts find(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    let mut args = cx.args().to_vec();
    let leading = args.iter().take_while(|a| matches!(a.as_str(), "-L" | "-H" | "-P")).count();
    let follow = args.drain(..leading).next_back().map_or(FindLinks::Never, |letter| match letter.as_str() {
        "-L" => FindLinks::Always,
        "-H" => FindLinks::Roots,
        _ => FindLinks::Never,
    });
    let follow = if args.iter().any(|a| a == "-follow") { FindLinks::Always } else { follow };
    let split = args.iter().position(|a| a.starts_with(['-', '(', '!'])).unwrap_or(args.len());
    let (roots, words) = args.split_at(split);
    let mut parser = FindParser {
        words,
        at: 0,
        acts: false,
        min: 0,
        max: MAX_DEPTH,
        execs: 0,
        depth: 0,
        contents_first: false,
    };
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
        follow,
        contents_first: parser.contents_first,
        above: Vec::new(),
        root: String::new(),
    };
    walk.contents_first |= holds_delete(&walk.test);
    let roots = if roots.is_empty() { vec![".".to_owned()] } else { roots.to_vec() };
    for root in roots {
        walk.root.clone_from(&root);
        walk.visit(cx, &root, 0);
    }
    for (_, words, names) in std::mem::take(&mut walk.collected) {
        let mut command = words.clone();
        let mut size = 0;
        for name in names {
            if size > 0 && size + name.len() > MAX_COMMAND {
                walk.commands.push(std::mem::replace(&mut command, words.clone()));
                size = 0;
            }
            size += name.len() + 1;
            command.push(name);
        }
        walk.commands.push(command);
    }
    if walk.commands.is_empty() {
        return UnixMachine::End(walk.code);
    }
    UnixMachine::Find(Box::new(Find { commands: walk.commands, next: 0, child: None, code: walk.code }))
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
        let follows = self.follow == FindLinks::Always || self.follow == FindLinks::Roots && depth == 0;
        let own = cx.kernel.fs.lstat(cx.uid(), &path);
        // A broken link is shown as the link itself.
        let stat = if follows { cx.kernel.fs.stat(cx.uid(), &path).or(own) } else { own };
        let stat = match stat {
            Ok(stat) => stat,
            Err(errno) => return self.fail(cx, &format!("'{name}': {errno}")),
        };
        if stat.kind == FileKind::Dir && self.above.contains(&stat.ino) {
            let text = format!("File system loop detected; '{name}' is part of the same file system loop.");
            return self.fail(cx, &text);
        }
        self.prune = false;
        if !self.contents_first {
            self.check(cx, name, &stat, depth);
        }
        if stat.kind == FileKind::Dir && depth < self.max && !self.prune {
            match cx.kernel.fs.list(cx.uid(), &path) {
                Ok(names) => {
                    self.above.push(stat.ino);
                    for inner in names {
                        self.visit(cx, &format!("{}/{inner}", name.trim_end_matches('/')), depth + 1);
                    }
                    self.above.pop();
                }
                Err(errno) => self.fail(cx, &format!("'{name}': {errno}")),
            }
        }
        if self.contents_first && !self.stop {
            self.check(cx, name, &stat, depth);
        }
    }

    fn check(&mut self, cx: &mut Cx, name: &str, stat: &Stat, depth: u32) {
        if depth < self.min {
            return;
        }
        let test = self.test.clone();
        if self.holds(cx, &test, name, stat, depth) && !self.acts {
            cx.line(name);
        }
    }

    fn holds(&mut self, cx: &mut Cx, test: &FindTest, name: &str, stat: &Stat, depth: u32) -> bool {
        match test {
            FindTest::True => true,
            FindTest::Name(pattern, false) => name_matches(pattern, last(name)),
            FindTest::Name(pattern, true) => name_matches(pattern, &last(name).to_lowercase()),
            FindTest::Path(pattern) => name_matches(pattern, name),
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
            FindTest::Printf(format) => {
                let text = printf::text(cx, format, name, &self.root, stat, depth);
                cx.print(&text);
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
            FindTest::Exec(words, true, index) => {
                match self.collected.iter_mut().find(|(p, ..)| p == index) {
                    Some((_, _, names)) => names.push(name.to_owned()),
                    None => self.collected.push((*index, words.clone(), vec![name.to_owned()])),
                }
                true
            }
            FindTest::Exec(words, false, _) => {
                self.commands.push(words.iter().map(|w| w.replace("{}", name)).collect());
                true
            }
            FindTest::Not(test) => !self.holds(cx, test, name, stat, depth),
            FindTest::And(a, b) => {
                self.holds(cx, a, name, stat, depth) && self.holds(cx, b, name, stat, depth)
            }
            FindTest::Or(a, b) => {
                self.holds(cx, a, name, stat, depth) || self.holds(cx, b, name, stat, depth)
            }
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
        | FindTest::Print0
        | FindTest::Printf(_) => false,
        FindTest::Prune | FindTest::Quit | FindTest::Exec(..) => false,
    }
}

impl Find {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.commands.iter().flatten().map(|word| word.len() + ELEMENT).sum()
    }

    /// Runs the commands of `-exec`.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if let Some(child) = self.child {
            match cx.kernel.wait(cx.pid, ProcessTarget::Process(child)) {
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
    fn files_are_found() {
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
        host.out(&["ln", "-s", "c.OUT", "link"]);
        host.out(&["mkdir", "-p", "k/in"]);
        host.out(&["ln", "-s", "..", "k/in/up"]);
        host.out(&["ln", "-s", "nowhere", "k/lost"]);
        assert_eq!(host.run(&["find", "-L", ".", "-type", "l"]).out, "./k/lost\n");
        assert_eq!(host.out(&["find", "link", "-type", "f"]), "");
        assert_eq!(host.out(&["find", "-H", "link", "-type", "f"]), "link\n");
        let looped = host.run(&["find", "-L", "k"]);
        assert_eq!((looped.out.as_str(), looped.code), ("k\nk/in\nk/lost\n", 1));
        assert!(looped.err.contains("File system loop detected"), "{}", looped.err);
        assert_eq!(host.out(&["find", "k", "-depth"]), "k/in/up\nk/in\nk/lost\nk\n");
        assert_eq!(
            host.out(&["find", "k", "-printf", "%p|%P|%f|%h|%d|%y|%l\\n"]),
            "k||k|.|0|d|\nk/in|in|in|k|1|d|\nk/in/up|in/up|up|k/in|2|l|..\nk/lost|lost|lost|k|1|l|nowhere\n"
        );
        assert_eq!(
            host.out(&["find", "c.OUT", "-printf", "%s %u %m %10f|%-8s|\\n"]),
            "2 alice 644      c.OUT|2       |\n"
        );
        assert_eq!(
            host.out(&["find", "c.OUT", "-printf", "%TY-%Tm-%Td %M%%\\t"]),
            "2026-11-21 -rw-r--r--%\t"
        );
        assert_eq!(host.run(&["find", ".", "-foo"]).err, "find: unknown predicate `-foo'\n");
    }
}
