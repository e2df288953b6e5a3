//! Plays a transcript's items on a simulated cluster.
//!
//! If the transcript gives the second at which a command was entered (`@t`), the clock is moved there first,
//! and `@wait` adds nothing. Sessions written by hand have only waits.

use super::parse::TranscriptItem;
use base::time::{Span, Time};
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult, RunResult};
use std::io::Write;

/// Virtual time at the start, `2026-11-21T05:54:18`.
const START: Time = Time::from_secs(1_795_240_458);
/// A command that takes longer is abandoned, as in the recorder.
const COMMAND_LIMIT: Span = Span::from_secs(100);
/// A poll of `@until` that takes longer counts as failed.
const POLL_LIMIT: Span = Span::from_secs(15);
/// Time from a command's end to the next command: what starting a program takes.
const GAP: Span = Span::from_millis(15);
/// Time between polls.
const POLL_EVERY: Span = Span::from_millis(500);
/// Maximum number of printed lines of output, as in the recorder.
const MAX_LINES: usize = 1500;
/// Events per command.
const FUEL: u64 = 20_000_000;

/// Plays all items; `load` returns a cluster's files.
///
/// # Errors
/// The cluster does not exist, or output cannot be written.
pub fn play(
    items: &[TranscriptItem],
    load: &dyn Fn(&str) -> Result<SiteFiles, String>,
    out: &mut dyn Write,
) -> Result<(), String> {
    let mut player =
        TranscriptPlayer { out, session: None, user: "alice".to_owned(), first: None, shown: None };
    for (i, item) in items.iter().enumerate() {
        let timed = items[i + 1..].iter().find_map(|next| match next {
            TranscriptItem::At(_) => Some(true),
            TranscriptItem::Run(_) => Some(false),
            TranscriptItem::Cluster(_)
            | TranscriptItem::User(_)
            | TranscriptItem::File { .. }
            | TranscriptItem::Wait { .. }
            | TranscriptItem::Until { .. }
            | TranscriptItem::Node { .. }
            | TranscriptItem::Comment(_) => None,
        });
        player.item(item, timed == Some(true), load)?;
    }
    Ok(())
}

struct TranscriptPlayer<'a> {
    out: &'a mut dyn Write,
    session: Option<Session>,
    user: String,
    /// When the first command was entered.
    first: Option<Time>,
    /// The last printed second.
    shown: Option<i64>,
}

impl TranscriptPlayer<'_> {
    fn item(
        &mut self,
        item: &TranscriptItem,
        timed: bool,
        load: &dyn Fn(&str) -> Result<SiteFiles, String>,
    ) -> Result<(), String> {
        match item {
            TranscriptItem::Cluster(name) => {
                self.line(&format!("@cluster {name}"))?;
                self.session = Some(cluster(name, load(name)?));
            }
            TranscriptItem::User(name) => {
                self.line(&format!("@user {name}"))?;
                self.user.clone_from(name);
            }
            TranscriptItem::Comment(text) => self.line(text)?,
            TranscriptItem::File { name, body } => {
                self.line(&format!("@file {name}"))?;
                write!(self.out, "{body}").map_err(|e| e.to_string())?;
                self.line("@end")?;
                let path = format!("{}/{name}", self.home());
                let input = Input::Save { user: self.user.clone(), path, data: body.clone().into_bytes() };
                if let InputResult::Refused(why) = self.session()?.apply(input) {
                    return Err(format!("{name}: {why}"));
                }
            }
            TranscriptItem::Wait { millis, text } => {
                self.line(text)?;
                if !timed {
                    let until = self.session()?.world().now + Span::from_millis(*millis);
                    self.session()?.run_until(until, FUEL);
                }
            }
            TranscriptItem::Until { millis, command, text } => {
                self.line(text)?;
                self.until(Span::from_millis(*millis), command)?;
            }
            TranscriptItem::Node { name, up } => {
                self.line(&format!("@node-{} {name}", if *up { "start" } else { "stop" }))?;
                self.session()?.apply(Input::NodeUp { node: name.clone(), up: *up });
            }
            TranscriptItem::At(second) => {
                if let Some(first) = self.first {
                    self.session()?.run_until(first + Span::from_secs(*second), FUEL);
                }
            }
            TranscriptItem::Run(command) => self.run(command)?,
        }
        Ok(())
    }

    fn line(&mut self, text: &str) -> Result<(), String> {
        writeln!(self.out, "{text}").map_err(|e| e.to_string())
    }

    fn session(&mut self) -> Result<&mut Session, String> {
        self.session
            .as_mut()
            .ok_or_else(|| "the transcript does not name a cluster (@cluster NAME)".to_owned())
    }

    fn home(&self) -> String {
        if self.user == "root" { "/tmp".to_owned() } else { format!("/home/{}", self.user) }
    }

    /// Prints `@t` when the second has changed.
    fn stamp(&mut self) -> Result<(), String> {
        let now = self.session()?.world().now;
        let first = *self.first.get_or_insert(now);
        let second = ((now - first).0 + 500_000).div_euclid(1_000_000);
        if self.shown != Some(second) {
            self.shown = Some(second);
            self.line(&format!("@t {second}"))?;
        }
        Ok(())
    }

    fn until(&mut self, limit: Span, command: &str) -> Result<(), String> {
        let session = self.session()?;
        let end = session.world().now + limit;
        while session.world().now < end {
            let input = Input::Run { user: "root".to_owned(), command: command.to_owned() };
            let InputResult::Run(run) = session.apply(input) else { break };
            let poll_end = session.world().now + POLL_LIMIT;
            if finish(session, run, poll_end, &mut |_| true).exit == Some(0) {
                return Ok(());
            }
            let next = session.world().now + POLL_EVERY;
            session.run_until(next, FUEL);
        }
        self.line("[recorder: until timed out]")
    }

    fn run(&mut self, command: &str) -> Result<(), String> {
        self.stamp()?;
        self.line(&format!("$ {command}"))?;
        // The recorder also changes to the home directory this way, which sets `OLDPWD` in the environment.
        let command = format!("cd {} && {command}", self.home());
        let input = Input::Run { user: self.user.clone(), command };
        let run = match self.session()?.apply(input) {
            InputResult::Run(run) => run,
            InputResult::Refused(why) => return self.line(&format!("2> {why}")),
            InputResult::Done | InputResult::Terminal(_) => return Ok(()),
        };
        let mut printed = Printed::default();
        let mut text = Vec::new();
        let session = self.session()?;
        let end = session.world().now + COMMAND_LIMIT;
        let result = finish(session, run, end, &mut |result| {
            printed.new_lines(result, &mut text);
            printed.lines <= MAX_LINES
        });
        if printed.lines > MAX_LINES {
            text.extend_from_slice(b"[recorder: output cut]\n[exit 137]\n");
        } else {
            printed.rest(&result, &mut text);
            match result.exit {
                None => text.extend_from_slice(b"[recorder: timed out]\n[exit 137]\n"),
                Some(0) => {}
                Some(code) => text.extend_from_slice(format!("[exit {code}]\n").as_bytes()),
            }
        }
        let next = self.session()?.world().now + GAP;
        self.session()?.run_until(next, FUEL);
        self.out.write_all(&text).map_err(|e| e.to_string())
    }
}

/// The configuration directory of Slurm on the recorded clusters.
const CONF_DIR: &str = "/etc/slurm26";

/// The port of the first slurmd on the recorded machine.
const FIRST_PORT: usize = 17_001;

/// `slurm.conf` as the recorder writes it: all slurmds share a machine, so each node has a port of its own.
fn with_ports(conf: &str) -> String {
    let mut next = FIRST_PORT;
    let mut text = String::with_capacity(conf.len());
    for line in conf.lines() {
        text += line;
        let names = line.strip_prefix("NodeName=").and_then(|rest| rest.split_whitespace().next());
        let count = names
            .filter(|names| *names != "DEFAULT" && !line.contains("Port="))
            .and_then(|names| base::hostlist::expand(names).ok())
            .map_or(0, |names| names.len());
        match count {
            0 => {}
            1 => text += &format!(" Port={next}"),
            _ => text += &format!(" Port=[{next}-{}]", next + count - 1),
        }
        next += count;
        text.push('\n');
    }
    text
}

/// What the recorded machine does not have: environment modules.
const WITHOUT_MODULES: &str = "rm -r /usr/share/lmod";

/// A new cluster on which root has run `pre.sh` and `post.sh`. Without a `site.toml`, it is made like the recorded
/// machine.
fn cluster(name: &str, mut files: SiteFiles) -> Session {
    files.0.entry("conf_dir".to_owned()).or_insert_with(|| CONF_DIR.to_owned());
    let mut scripts: Vec<String> =
        ["pre.sh", "post.sh"].iter().filter_map(|f| files.0.get(*f).cloned()).collect();
    if !files.0.contains_key("site.toml") {
        files.0.entry("slurm.conf".to_owned()).and_modify(|conf| *conf = with_ports(conf));
        scripts.push(WITHOUT_MODULES.to_owned());
    }
    let mut session = Session::new(Setup { site: name.to_owned(), files, seed: 1, start: START });
    for command in scripts {
        if let InputResult::Run(run) = session.apply(Input::Run { user: "root".to_owned(), command }) {
            let end = session.world().now + COMMAND_LIMIT;
            finish(&mut session, run, end, &mut |_| true);
        }
    }
    session
}

/// Steps until a run has ended, its time limit has passed, or `go_on` returns false for its output.
fn finish(
    session: &mut Session,
    run: u32,
    end: Time,
    go_on: &mut dyn FnMut(&RunResult) -> bool,
) -> RunResult {
    for _ in 0..FUEL {
        let did = session.step(end);
        let result = session.world().run_result(run);
        if result.exit.is_some() || !go_on(&result) || !did {
            return result;
        }
    }
    session.world().run_result(run)
}

/// How much of a run's output has been printed.
#[derive(Default)]
struct Printed {
    stdout: usize,
    stderr: usize,
    lines: usize,
}

impl Printed {
    /// The complete lines that are new.
    fn new_lines(&mut self, result: &RunResult, text: &mut Vec<u8>) {
        let streams = [(&result.stdout, &mut self.stdout, ""), (&result.stderr, &mut self.stderr, "2> ")];
        for (data, done, mark) in streams {
            while let Some(n) = data[*done..].iter().position(|b| *b == b'\n') {
                push_line(&data[*done..*done + n], mark, text);
                *done += n + 1;
                self.lines += 1;
            }
        }
    }

    /// All remaining output, including an unfinished line.
    fn rest(&mut self, result: &RunResult, text: &mut Vec<u8>) {
        self.new_lines(result, text);
        for (data, done, mark) in [(&result.stdout, self.stdout, ""), (&result.stderr, self.stderr, "2> ")] {
            if done < data.len() {
                push_line(&data[done..], mark, text);
            }
        }
    }
}

fn push_line(line: &[u8], mark: &str, text: &mut Vec<u8>) {
    text.extend_from_slice(mark.as_bytes());
    text.extend_from_slice(String::from_utf8_lossy(line).as_bytes());
    text.push(b'\n');
}
