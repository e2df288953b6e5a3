//! mail(1): reads the mailbox and sends mail to users of the cluster.
//!
//! It covers the everyday part of bsd-mailx: a list, numbers, `p`, `d`, `u`, `h`, `q`, `x`; `-s`, `-H`, `-f`,
//! `-u`.

use crate::{Cx, STDIN, UnixMachine};
use base::ids::Uid;
use host::{Errno, SliceEnd, Status, Wait, mail};
use serde::{Deserialize, Serialize};

/// Maximum size of a typed message, in bytes.
const MAX_LETTER: usize = 1 << 16;

/// A mailbox that is being read, or a message that is being written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Mail {
    input: Vec<u8>,
    over: bool,
    work: MailTask,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum MailTask {
    Read { file: String, letters: Vec<Letter>, at: usize, prompted: bool },
    Send { subject: String, to: Vec<Uid> },
}

/// A message in a mailbox: its text with the `From ` line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Letter {
    text: String,
    read: bool,
    deleted: bool,
}

impl Letter {
    fn header(&self, name: &str) -> &str {
        let head = self.text.split("\n\n").next().unwrap_or_default();
        head.lines().find_map(|l| l.strip_prefix(name)?.strip_prefix(": ")).unwrap_or_default()
    }
}

/// The messages in a mailbox.
fn letters(text: &str) -> Vec<Letter> {
    let mut all: Vec<Letter> = Vec::new();
    // A message begins after a blank line with a sender.
    let begins = |line: &str| line.strip_prefix("From ").is_some_and(|l| l.contains('@'));
    let mut blank = true;
    for line in text.split_inclusive('\n') {
        match all.last_mut() {
            Some(letter) if !(blank && begins(line)) => letter.text.push_str(line),
            _ => all.push(Letter { text: line.to_owned(), read: false, deleted: false }),
        }
        blank = line == "\n";
    }
    all
}

/// Starts mail(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    let args = cx.args().to_vec();
    let (mut subject, mut file, mut list, mut to) = (None, None, false, Vec::new());
    let mut words = args.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-s" => subject = words.next().cloned(),
            "-f" => file = Some(words.next().cloned().unwrap_or_else(|| "mbox".to_owned())),
            "-u" => file = words.next().map(|user| mail::mailbox(user)),
            "-H" => list = true,
            option if option.starts_with('-') => {
                cx.error(&format!("invalid option -- '{}'", option.trim_start_matches('-')));
                cx.complain("Usage: mail [-H] [-f file] [-u user] | mail -s subject user...");
                return UnixMachine::End(1);
            }
            user => to.push(user.to_owned()),
        }
    }
    if to.is_empty() { read(cx, file, list) } else { send(cx, subject.unwrap_or_default(), &to) }
}

fn send(cx: &mut Cx, subject: String, names: &[String]) -> UnixMachine {
    let mut to = Vec::new();
    for name in names {
        let local = name.split('@').next().unwrap_or_default();
        match cx.kernel.users.by_name(local) {
            Some(user) => to.push(user.uid),
            None => cx.complain(&format!("mail: {name}: no such person on this cluster")),
        }
    }
    if to.is_empty() {
        return UnixMachine::End(1);
    }
    UnixMachine::Mail(Box::new(Mail { input: Vec::new(), over: false, work: MailTask::Send { subject, to } }))
}

fn read(cx: &mut Cx, file: Option<String>, list: bool) -> UnixMachine {
    let user = cx.user();
    let file = file.unwrap_or_else(|| mail::mailbox(&user));
    let text = match cx.read_file(&file) {
        Ok(data) => String::from_utf8_lossy(&data).into_owned(),
        Err(Errno::ENOENT) => String::new(),
        Err(error) => {
            cx.complain(&format!("{file}: {error}"));
            return UnixMachine::End(1);
        }
    };
    let letters = letters(&text);
    if letters.is_empty() {
        cx.line(&format!("No mail for {user}"));
        return UnixMachine::End(0);
    }
    if !list {
        cx.line("Mail version 8.1.2 01/15/2001.  Type ? for help.");
        let (n, s) = (letters.len(), if letters.len() == 1 { "" } else { "s" });
        cx.line(&format!("\"{file}\": {n} message{s} {n} new"));
    }
    headers(cx, &letters, 0);
    if list {
        return UnixMachine::End(0);
    }
    let work = MailTask::Read { file, letters, at: 0, prompted: false };
    UnixMachine::Mail(Box::new(Mail { input: Vec::new(), over: false, work }))
}

fn headers(cx: &mut Cx, letters: &[Letter], at: usize) {
    for (i, letter) in letters.iter().enumerate().filter(|(_, l)| !l.deleted) {
        let mark = if i == at { '>' } else { ' ' };
        let new = if letter.read { ' ' } else { 'N' };
        let date: String = letter.header("Date").chars().take(16).collect();
        let size = format!("{}/{}", letter.text.lines().count(), letter.text.len());
        let (from, subject) = (letter.header("From"), letter.header("Subject"));
        cx.line(&format!("{mark}{new}{:3} {from:<18} {date} {size:>7}   {subject}", i + 1));
    }
}

impl Mail {
    /// Bytes of memory that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        self.input.len()
    }

    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        loop {
            match &mut self.work {
                MailTask::Send { .. } if !self.over => {}
                MailTask::Send { subject, to } => {
                    let body = String::from_utf8_lossy(&self.input).into_owned();
                    let from = cx.user();
                    for uid in to {
                        mail::deliver(cx.kernel, *uid, &from, subject, &body, cx.now);
                    }
                    return SliceEnd::Exit(Status::Exited(0));
                }
                MailTask::Read { file, letters, at, prompted } => {
                    if !std::mem::replace(prompted, true) {
                        cx.print("& ");
                    }
                    if let Some(end) = self.input.iter().position(|b| *b == b'\n') {
                        let line: Vec<u8> = self.input.drain(..=end).collect();
                        *prompted = false;
                        if !execute(cx, String::from_utf8_lossy(&line).trim(), file, letters, at) {
                            return SliceEnd::Exit(Status::Exited(0));
                        }
                        continue;
                    }
                    if self.over {
                        cx.line("");
                        keep(cx, file, letters);
                        return SliceEnd::Exit(Status::Exited(0));
                    }
                }
            }
            match cx.kernel.read(cx.pid, STDIN, 4096) {
                Ok(data) if data.is_empty() || self.input.len() > MAX_LETTER => self.over = true,
                Ok(data) => self.input.extend_from_slice(&data),
                Err(Errno::EAGAIN) => return SliceEnd::Wait(Wait::Readable(STDIN)),
                Err(_) => self.over = true,
            }
        }
    }
}

/// Executes one typed line. False to quit.
fn execute(cx: &mut Cx, line: &str, file: &str, letters: &mut [Letter], at: &mut usize) -> bool {
    let digits = line.find(|c: char| c.is_ascii_digit()).unwrap_or(line.len());
    let (word, number) = (line[..digits].trim(), line[digits..].trim());
    let chosen = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let next = letters.iter().enumerate().position(|(i, l)| i >= *at && !l.deleted && !l.read);
    let index = chosen.or(if word.is_empty() { next } else { Some(*at) });
    match word {
        "q" | "quit" => keep(cx, file, letters),
        "x" | "exit" => {}
        "h" | "headers" => {
            headers(cx, letters, *at);
            return true;
        }
        "?" | "help" => {
            cx.line("number, p: show a message   d, u: delete it or not   h: list   q: quit   x: quit, delete nothing");
            return true;
        }
        "" | "p" | "print" | "t" | "type" | "n" | "next" | "d" | "delete" | "u" | "undelete" => {
            match index.and_then(|i| Some((i, letters.get_mut(i)?))) {
                None => cx.line(if word.is_empty() { "At EOF" } else { "No applicable messages" }),
                Some((_, letter)) if word.starts_with('d') => letter.deleted = true,
                Some((_, letter)) if word.starts_with('u') => letter.deleted = false,
                Some((i, letter)) => {
                    letter.read = true;
                    *at = i;
                    let text = letter.text.clone();
                    cx.line(&format!("Message {}:", i + 1));
                    cx.print(&text);
                }
            }
            return true;
        }
        other => {
            cx.line(&format!("Unknown command: \"{other}\""));
            return true;
        }
    }
    false
}

/// Writes the mailbox without the deleted messages.
fn keep(cx: &mut Cx, file: &str, letters: &[Letter]) {
    if letters.iter().any(|l| l.deleted) {
        let rest: String = letters.iter().filter(|l| !l.deleted).map(|l| l.text.as_str()).collect();
        let (uid, now) = (cx.uid(), cx.now);
        if let Err(error) = cx.kernel.fs.write(uid, file, rest.as_bytes(), 0o600, now) {
            cx.complain(&format!("{file}: {error}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_is_cut_at_its_from_lines() {
        let text = "From a@h x\nSubject: one\n\nFrom here on\n\nFrom b@h y\nSubject: two\n\nbody\n";
        let found = letters(text);
        assert_eq!(found.iter().map(|l| l.header("Subject")).collect::<Vec<_>>(), ["one", "two"]);
        assert!(found[0].text.ends_with("\n\n"));
    }
}
