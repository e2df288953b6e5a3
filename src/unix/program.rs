//! Unix commands as programs: how each runs, and the state of commands that wait or stream.

use crate::running::{CommandSet, InputMode, StartedCommand};
use crate::{Context, Cx, Hosts, find};
use host::{Exec, SliceEnd, Status};
use serde::{Deserialize, Serialize};

/// An entry of the table of Unix commands.
#[derive(Clone, Copy)]
pub struct UnixCommand {
    /// Its name.
    pub name: &'static str,
    /// A one-line description for `man -k` and completion.
    pub summary: &'static str,
    /// How it runs.
    pub kind: UnixCommandKind,
}

/// How a Unix command runs.
#[derive(Clone, Copy)]
pub enum UnixCommandKind {
    /// Runs immediately, without reading standard input (it may, with [`Context::kernel`]).
    Once(fn(&mut Cx) -> u8),
    /// Runs after all of standard input was read (unless `reads` returns false for these arguments).
    Filter {
        /// Whether standard input is read with these arguments.
        reads: fn(&[String]) -> bool,
        /// Runs it.
        run: fn(&mut Cx, &[u8]) -> u8,
    },
    /// Runs as a state machine.
    Machine(fn(&mut Cx) -> UnixMachine),
    /// bash and sh: the engine runs them as shells.
    Shell,
    /// Exists on real clusters, but is not simulated: prints that in one line and exits with code 127.
    NotSimulated,
}

impl UnixCommand {
    /// How the command reads its input with these arguments.
    #[must_use]
    pub fn input(&self, argv: &[String]) -> InputMode {
        match self.kind {
            UnixCommandKind::Once(_) => InputMode::Files,
            UnixCommandKind::Filter { reads, .. } => {
                if reads(argv) {
                    InputMode::Whole
                } else {
                    InputMode::Files
                }
            }
            UnixCommandKind::Machine(_) | UnixCommandKind::Shell | UnixCommandKind::NotSimulated => {
                InputMode::Streamed
            }
        }
    }

    /// Starts the command.
    pub fn start(&self, cx: &mut Cx, input: &[u8]) -> StartedCommand<UnixMachine> {
        match self.kind {
            UnixCommandKind::Once(run) => StartedCommand::Ended(run(cx)),
            UnixCommandKind::Filter { run, .. } => StartedCommand::Ended(run(cx, input)),
            UnixCommandKind::Machine(start) => StartedCommand::Machine(start(cx)),
            UnixCommandKind::Shell | UnixCommandKind::NotSimulated => {
                StartedCommand::Ended(not_simulated(cx, self.summary))
            }
        }
    }
}

/// Prints that a program is not simulated. Returns the exit code.
pub fn not_simulated<C: ?Sized>(cx: &mut Context<C>, summary: &str) -> u8 {
    cx.error(&format!("not simulated in sandbatch: {summary}"));
    127
}

/// Only the Unix commands, for their own tests. The commands crate adds Slurm's.
impl<'c> CommandSet<dyn Hosts + 'c> for UnixMachine {
    fn is_known(name: &str) -> bool {
        find(name).is_some()
    }

    fn input(name: &str, argv: &[String]) -> InputMode {
        find(name).map_or(InputMode::Streamed, |command| command.input(argv))
    }

    fn start(name: &str, cx: &mut Context<dyn Hosts + 'c>, input: &[u8]) -> StartedCommand<Self> {
        match find(name) {
            Some(command) => command.start(cx, input),
            None => {
                cx.error("command not found");
                StartedCommand::Ended(127)
            }
        }
    }

    fn step(&mut self, cx: &mut Context<dyn Hosts + 'c>) -> SliceEnd {
        Self::step(self, cx)
    }

    fn memory(&self) -> u64 {
        Self::memory(self)
    }
}

/// The state of a command that waits or streams. Each step may write to `cx.out` and `cx.err`, which are
/// drained before the step's result takes effect.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum UnixMachine {
    /// Finished, for example after a usage error at start.
    End(u8),
    /// It becomes another program.
    Become(Exec),
    /// `awk`
    Awk(Box<crate::awk::Awk>),
    /// `cat`
    Cat(Box<crate::cat::Cat>),
    /// `dd`
    Dd(Box<crate::dd::Dd>),
    /// `emacs`, `code`
    Editor(crate::editor::Editor),
    /// `find -exec`
    Find(Box<crate::find::Find>),
    /// `grep`
    Grep(Box<crate::grep::Grep>),
    /// `head`
    Head(Box<crate::head::Head>),
    /// `less`
    Pager(Box<crate::pager::Pager>),
    /// `watch`, `top`
    Screen(Box<crate::screen::ScreenProgram>),
    /// `sed`
    Sed(Box<crate::sed::Sed>),
    /// `ssh`
    Ssh(crate::ssh::Ssh),
    /// `mail`
    Mail(Box<crate::mail::Mail>),
    /// `sleep`
    Sleep(crate::sleep::Sleep),
    /// `cut`, `tr`, `uniq` ...
    Stream(Box<crate::stream::StreamFilter>),
    /// `tail`
    Tail(Box<crate::tail::Tail>),
    /// `tee`
    Tee(Box<crate::cat::Tee>),
    /// `timeout`
    Timeout(crate::process::Timeout),
    /// `xargs`
    Xargs(Box<crate::xargs::Xargs>),
    /// `yes`
    Yes(crate::print::Yes),
    /// `jq`
    Jq(Box<crate::jq::Jq>),
    /// `vi`, `vim`. New variants come last, because saved sessions store the index of the variant.
    Vi(Box<crate::vi::Vi>),
    /// `nano`
    Nano(Box<crate::nano::Nano>),
    /// `md5sum`, `cksum` ...
    Digest(Box<crate::digest::Digest>),
    /// `base64`
    Base64(Box<crate::base64::Base64>),
    /// `tmux`, `screen`
    Mux(Box<crate::mux::Mux>),
}

impl UnixMachine {
    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        match self {
            Self::End(code) => SliceEnd::Exit(Status::Exited(*code)),
            Self::Become(exec) => SliceEnd::Exec(exec.clone()),
            Self::Awk(awk) => awk.step(cx),
            Self::Cat(cat) => cat.step(cx),
            Self::Dd(dd) => dd.step(cx),
            Self::Editor(editor) => editor.step(cx),
            Self::Find(find) => find.step(cx),
            Self::Grep(grep) => grep.step(cx),
            Self::Head(head) => head.step(cx),
            Self::Pager(pager) => pager.step(cx),
            Self::Screen(screen) => screen.step(cx),
            Self::Sed(sed) => sed.step(cx),
            Self::Ssh(ssh) => ssh.step(cx),
            Self::Mail(mail) => mail.step(cx),
            Self::Sleep(sleep) => sleep.step(cx),
            Self::Stream(stream) => stream.step(cx),
            Self::Tail(tail) => tail.step(cx),
            Self::Tee(tee) => tee.step(cx),
            Self::Timeout(timeout) => timeout.step(cx),
            Self::Xargs(xargs) => xargs.step(cx),
            Self::Yes(yes) => yes.step(cx),
            Self::Jq(jq) => jq.step(cx),
            Self::Vi(vi) => vi.step(cx),
            Self::Nano(nano) => nano.step(cx),
            Self::Digest(digest) => digest.step(cx),
            Self::Base64(base64) => base64.step(cx),
            Self::Mux(mux) => mux.step(cx),
        }
    }

    /// Bytes of memory that it holds between two slices, about.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let held = match self {
            Self::Awk(awk) => awk.memory(),
            Self::Base64(base64) => base64.memory(),
            Self::Cat(cat) => cat.memory(),
            Self::Digest(digest) => digest.memory(),
            Self::Find(find) => find.memory(),
            Self::Grep(grep) => grep.memory(),
            Self::Head(head) => head.memory(),
            Self::Jq(jq) => jq.memory(),
            Self::Mail(mail) => mail.memory(),
            Self::Mux(mux) => mux.memory(),
            Self::Nano(nano) => nano.memory(),
            Self::Pager(pager) => pager.memory(),
            Self::Sed(sed) => sed.memory(),
            Self::Stream(stream) => stream.memory(),
            Self::Tail(tail) => tail.memory(),
            Self::Tee(tee) => tee.memory(),
            Self::Vi(vi) => vi.memory(),
            Self::Xargs(xargs) => xargs.memory(),
            // These keep at most a block or a command line.
            Self::End(_)
            | Self::Become(_)
            | Self::Dd(_)
            | Self::Editor(_)
            | Self::Screen(_)
            | Self::Ssh(_)
            | Self::Sleep(_)
            | Self::Timeout(_)
            | Self::Yes(_) => 0,
        };
        u64::try_from(held).unwrap_or(u64::MAX)
    }
}
