//! The contents of a sample, as a text that does not depend on the program's types.

use super::Folder;
use base::time::Span;
use engine::session::Session;
use engine::world::{Input, InputResult, World};
use std::fmt::Write as _;

/// The output of a command by root, on a copy of the world.
fn printed(world: &World, command: &str) -> String {
    let mut world = world.clone();
    let input = Input::Run { user: "root".to_owned(), command: command.to_owned() };
    let InputResult::Run(run) = world.apply(&input) else { panic!("root runs commands") };
    let until = world.now + Span::from_secs(60);
    while world.run_result(run).exit.is_none() && world.step(until) {}
    let result = world.run_result(run);
    assert!(result.exit.is_some(), "{command} ends");
    String::from_utf8_lossy(&[result.stdout, result.stderr].concat()).into_owned()
}

/// An input as text.
fn in_words(input: &Input) -> String {
    match input {
        Input::Login { user, columns, rows } => format!("login of {user}, {columns}x{rows}"),
        Input::Logout(tty) => format!("logout of terminal {}", tty.0),
        Input::Type(tty, bytes) => format!("typed at {}: {:?}", tty.0, String::from_utf8_lossy(bytes)),
        Input::Resize(tty, columns, rows) => format!("terminal {} is {columns}x{rows}", tty.0),
        Input::Save { user, path, data } => {
            format!("{user} saves {path}: {:?}", String::from_utf8_lossy(data))
        }
        Input::NodeUp { node, up } => format!("node {node} {}", if *up { "starts" } else { "stops" }),
        Input::Run { user, command } => format!("{user} runs {command:?}"),
        Input::Enrol(user) => format!("{user} is added"),
        Input::Announce(text) => format!("announced {text:?}"),
    }
}

/// The contents of a sample.
#[derive(Debug, PartialEq, Eq)]
pub struct Facts {
    pub hash: String,
    /// The virtual time, in microseconds.
    pub at: i64,
    /// The users' inputs.
    pub done: String,
    /// The resulting state.
    pub result: String,
}

impl Facts {
    pub fn of(session: &Session) -> Self {
        let (world, setup) = (session.world(), session.setup());
        let mut done = format!("site {}, seed {}, start {}\n", setup.site, setup.seed, setup.start.iso());
        for entry in session.journal().entries() {
            let _ = writeln!(done, "{} {}", entry.seq, in_words(&entry.input));
        }
        for future in session.branches() {
            let lived = if future.current { "current" } else { "other" };
            let _ = writeln!(done, "{lived} future {} begins with: {}", future.id, future.done);
        }
        let users: Vec<&str> = session.terminals().map(|(_, screen)| screen.user.as_str()).collect();
        let _ = writeln!(done, "terminals of: {}", users.join(" "));
        let mut result = format!("moment {}\n", world.now.iso());
        let jobs = "JobID,JobName,User,Partition,AllocCPUS,State,ExitCode,Submit,Start,End,NodeList";
        for command in [
            "squeue -a -t all -o '%.8i %.9P %.12j %.8u %.2t %.10M %.5D %R'",
            "sinfo -N",
            &format!("sacct -a -X -P -S 2026-03-01 -o {jobs}"),
            "cat /home/*/made-*.txt",
        ] {
            let _ = write!(result, "$ {command}\n{}", printed(world, command));
        }
        Self { hash: format!("{:016x}", world.hash()), at: world.now.0, done, result }
    }

    pub fn text(&self) -> String {
        let Self { hash, at, done, result } = self;
        format!("hash {hash} at {at}\n---- done\n{done}---- result\n{result}")
    }

    pub fn read(folder: &Folder, name: &str) -> Self {
        let text = super::text(folder, name);
        let (head, rest) = text.split_once("\n---- done\n").expect("a head");
        let (done, result) = rest.split_once("---- result\n").expect("a result");
        let (hash, at) =
            head.strip_prefix("hash ").and_then(|h| h.split_once(" at ")).expect("hash and moment");
        let at = at.parse().expect("a moment");
        Self { hash: hash.to_owned(), at, done: done.to_owned(), result: result.to_owned() }
    }
}
