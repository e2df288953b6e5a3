//! Pseudonyms for the participants of a class: `p1` for the first seat, and so on, as users, accounts and home directories, and in
//! what was typed and saved.
//!
//! In texts, a name is replaced where it stands as a word of its own. A name that is also a word of a command or of the site
//! stays in texts, because commands would change their meaning. What the program cannot know stays, too: other names of a
//! person, and names that were typed key by key into a full-screen program.

use crate::session::recorded::Session;
use crate::world::Input;
use base::ids::Uid;
use std::collections::BTreeMap;

/// Words of the shell and of Slurm's commands that are no files.
const WORDS: &[&str] = &[
    "account",
    "alias",
    "array",
    "case",
    "cd",
    "cluster",
    "cpu",
    "cpus",
    "declare",
    "do",
    "done",
    "elif",
    "else",
    "end",
    "esac",
    "eval",
    "exec",
    "exit",
    "export",
    "fi",
    "for",
    "format",
    "function",
    "gpu",
    "gres",
    "hold",
    "if",
    "in",
    "job",
    "jobs",
    "let",
    "limit",
    "local",
    "login",
    "me",
    "mem",
    "modify",
    "name",
    "node",
    "nodes",
    "off",
    "on",
    "partition",
    "qos",
    "read",
    "return",
    "set",
    "shift",
    "show",
    "source",
    "state",
    "step",
    "then",
    "time",
    "trap",
    "umask",
    "unset",
    "until",
    "update",
    "user",
    "users",
    "wait",
    "where",
    "while",
];

/// The accounting of a new participant begins like this. Every name in it is a user or an account.
const ACCOUNTING: &str = "sacctmgr -i add account ";

/// Which name becomes which.
pub struct Pseudonyms {
    /// The longest names first.
    names: Vec<(String, String)>,
    /// Names that stay in texts.
    pub kept: Vec<String>,
}

impl Pseudonyms {
    /// Pseudonyms for these participants, by seat.
    pub fn of(users: &BTreeMap<u32, String>, session: &Session) -> Self {
        let kernel = &session.world().kernel;
        let taken = |name: &str| {
            kernel.users.by_name(name).is_some() && !users.values().any(|participant| participant == name)
        };
        // A site may have users with such names.
        let mut letter = "p".to_owned();
        while users.keys().any(|seat| taken(&format!("{letter}{seat}"))) {
            letter.push('p');
        }
        let mut names: Vec<(String, String)> =
            users.iter().map(|(seat, name)| (name.clone(), format!("{letter}{seat}"))).collect();
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let is_word = |name: &str| {
            let program = kernel.fs.stat(Uid(0), &format!("/usr/bin/{name}")).is_ok();
            let of_site = || session.setup().files.0.values().any(|text| has_word(text, name));
            WORDS.contains(&name) || program || of_site()
        };
        let kept = users.values().filter(|name| is_word(name)).cloned().collect();
        Self { names, kept }
    }

    /// An input under other names.
    pub fn input(&self, input: &Input) -> Input {
        match input {
            Input::Login { user, columns, rows } => {
                Input::Login { user: self.user(user), columns: *columns, rows: *rows }
            }
            Input::Enrol(user) => Input::Enrol(self.user(user)),
            Input::Type(tty, bytes) => Input::Type(*tty, self.text(bytes, false)),
            Input::Save { user, path, data } => Input::Save {
                user: self.user(user),
                path: self.string(path, false),
                data: self.text(data, false),
            },
            Input::Run { user, command } => Input::Run {
                user: self.user(user),
                command: self.string(command, user == "root" && command.starts_with(ACCOUNTING)),
            },
            Input::Announce(text) => Input::Announce(self.string(text, false)),
            Input::Logout(_) | Input::Resize(..) | Input::NodeUp { .. } => input.clone(),
        }
    }

    fn user(&self, name: &str) -> String {
        let known = self.names.iter().find(|(old, _)| old == name);
        known.map_or_else(|| name.to_owned(), |(_, new)| new.clone())
    }

    fn string(&self, text: &str, all: bool) -> String {
        // Names and pseudonyms are ASCII, so the rest stays UTF-8.
        String::from_utf8(self.text(text.as_bytes(), all)).unwrap_or_default()
    }

    /// A text with pseudonyms. With `all`, names that are words of commands are replaced, too.
    fn text(&self, text: &[u8], all: bool) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        while at < text.len() {
            let name = self.names.iter().find(|(name, _)| {
                is_at(text, at, name.as_bytes()) && (all || is_home(&text[..at]) || !self.kept.contains(name))
            });
            match name {
                Some((name, new)) => {
                    out.extend(new.as_bytes());
                    at += name.len();
                }
                None => {
                    out.push(text[at]);
                    at += 1;
                }
            }
        }
        out
    }
}

/// Whether a home directory's name follows.
fn is_home(before: &[u8]) -> bool {
    before.ends_with(b"/home/") || before.ends_with(b"~")
}

/// Whether a name stands here as a word, or behind a short option (`-uanna`). Upper and lower case are alike.
fn is_at(text: &[u8], at: usize, name: &[u8]) -> bool {
    let end = at + name.len();
    let here = text.get(at..end).is_some_and(|here| here.eq_ignore_ascii_case(name));
    if !here || text.get(end).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let before = &text[..at];
    let option = matches!(before, [.., b' ', b'-', letter] if letter.is_ascii_alphabetic());
    // `--name` and `$name` are words of commands.
    let other = before.ends_with(b"--") || before.ends_with(b"$") || before.ends_with(b"${");
    !other && (option || !before.last().is_some_and(u8::is_ascii_alphanumeric))
}

fn has_word(text: &str, name: &str) -> bool {
    (0..text.len()).any(|at| is_at(text.as_bytes(), at, name.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::tty::TtyId;

    fn names() -> Pseudonyms {
        let names = [("anna-b", "p2"), ("anna", "p1"), ("test", "p3")];
        let names = names.map(|(old, new)| (old.to_owned(), new.to_owned())).to_vec();
        Pseudonyms { names, kept: vec!["test".to_owned()] }
    }

    #[test]
    fn names_are_replaced_as_words() {
        let names = names();
        for (text, expected) in [
            ("squeue -u anna", "squeue -u p1"),
            ("squeue -uanna; squeue --user=anna", "squeue -up1; squeue --user=p1"),
            ("I am Anna, not anna-b or annabel", "I am p1, not p2 or annabel"),
            ("ls ~anna/x /home/anna/annas", "ls ~p1/x /home/p1/annas"),
            ("echo $anna --anna job_anna.sh", "echo $anna --anna job_p1.sh"),
            ("test -f /home/test/x", "test -f /home/p3/x"),
            ("é anna é", "é p1 é"),
            ("", ""),
        ] {
            assert_eq!(names.string(text, false), expected);
        }
        let accounting = "sacctmgr -i add account test; sacctmgr -i add user test Account=test";
        let run = Input::Run { user: "root".into(), command: accounting.into() };
        let renamed = Input::Run { user: "root".into(), command: accounting.replace("test", "p3") };
        assert_eq!(names.input(&run), renamed);
        let keys = Input::Type(TtyId(1), vec![0xff, b' ', b'a', b'n', b'n', b'a', 3]);
        assert_eq!(names.input(&keys), Input::Type(TtyId(1), vec![0xff, b' ', b'p', b'1', 3]));
        assert_eq!(names.input(&Input::Enrol("test".into())), Input::Enrol("p3".into()));
    }

    #[test]
    fn words_of_the_site_stay() {
        assert!(has_word("PartitionName=debug Nodes=n[1-4]", "debug"));
        assert!(!has_word("PartitionName=debug", "bug") && !has_word("", "x"));
    }
}
