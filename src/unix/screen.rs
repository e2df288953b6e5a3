//! Programs that redraw the screen periodically: watch(1), and the displays of top and htop.
//!
//! On a terminal they use the alternate screen and leave it when they exit; `q` or Ctrl-C ends them. If
//! output is not a terminal, the frames follow each other.

use super::getopt::{self, Spec};
use super::{sleep, top};
use crate::{Cx, STDERR, STDIN, STDOUT, UnixMachine};
use base::ids::{Pid, Uid};
use base::pad;
use base::time::{Span, Time};
use host::kernel::ProcessTarget;
use host::signal::Disposition;
use host::{Errno, Fd, Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The content of the screen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ScreenContent {
    /// The host's processes.
    Top {
        /// With a bar for each CPU.
        bars: bool,
        /// Only this user's processes.
        user: Option<Uid>,
    },
    /// A command's output.
    Command {
        /// For `sh -c`.
        text: String,
        /// With a title line at the top.
        title: bool,
        /// Ends when the output changes (`-g`) or the command fails (`-e`).
        until: Until,
    },
}

/// The condition for watch(1) to exit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Until {
    /// Never.
    Never,
    /// `-g`
    Change,
    /// `-e`
    Failure,
}

/// A program that redraws its screen periodically.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ScreenProgram {
    frame: ScreenContent,
    /// Microseconds between frames.
    delay: i64,
    /// Remaining frames; none means unlimited.
    turns: Option<u32>,
    /// Print frames one below the other, without clearing.
    plain: bool,
    /// Standard input is a terminal.
    keys: bool,
    next: Time,
    begun: bool,
    running: Option<ScreenCommand>,
    last: Option<Vec<u8>>,
}

/// The command that prints a frame.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ScreenCommand {
    child: Pid,
    output: Fd,
    text: Vec<u8>,
    ended: bool,
}

/// Maximum size of a frame, in bytes.
const MAX_PICTURE: usize = 1 << 20;
const OTHER_SCREEN: &str = "\x1b[?1049h";
const OWN_SCREEN: &str = "\x1b[?1049l";
const CLEAR: &str = "\x1b[H\x1b[2J";

/// Starts drawing.
pub fn start(cx: &mut Cx, frame: ScreenContent, delay: i64, turns: Option<u32>, plain: bool) -> UnixMachine {
    if !plain {
        cx.kernel.set_disposition(cx.pid, Signal::INT, Disposition::Catch);
    }
    let (next, keys) = (cx.now, !plain && cx.is_tty(STDIN));
    if keys {
        cx.kernel.take_keys(cx.pid);
    }
    let screen =
        ScreenProgram { frame, delay, turns, plain, keys, next, begun: false, running: None, last: None };
    UnixMachine::Screen(Box::new(screen))
}

/// watch(1)
pub fn watch(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "+n:dtgexbcpqw",
        long: &[
            ("interval", 'n'),
            ("differences", 'd'),
            ("no-title", 't'),
            ("chgexit", 'g'),
            ("errexit", 'e'),
            ("exec", 'x'),
            ("beep", 'b'),
            ("color", 'c'),
            ("precise", 'p'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    if parsed.operands.is_empty() {
        cx.complain("Usage:\n watch [options] command");
        return UnixMachine::End(1);
    }
    let delay = match parsed.value('n').map(|n| n.replace(',', ".")) {
        None => Some(Span::from_secs(2)),
        Some(text) => sleep::interval(&text),
    };
    let Some(delay) = delay else {
        cx.complain("watch: failed to parse argument");
        return UnixMachine::End(1);
    };
    let until = match parsed.last_of("ge") {
        Some('g') => Until::Change,
        Some(_) => Until::Failure,
        None => Until::Never,
    };
    let frame = ScreenContent::Command { text: parsed.operands.join(" "), title: !parsed.has('t'), until };
    let plain = !cx.is_tty(STDOUT);
    start(cx, frame, delay.0.max(100_000), None, plain)
}

impl ScreenProgram {
    /// Runs a slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if self.stopped(cx) {
            return self.end(cx, 0);
        }
        if !std::mem::replace(&mut self.begun, true) && !self.plain {
            cx.print(OTHER_SCREEN);
        }
        if self.keys {
            cx.kernel.retake_keys(cx.pid);
        }
        if let Some(running) = &mut self.running {
            if let Some(wait) = running.read(cx) {
                return SliceEnd::Wait(wait);
            }
            let (text, status) = (std::mem::take(&mut running.text), running.reap(cx));
            self.running = None;
            return self.drawn(cx, &text, status);
        }
        if cx.now < self.next {
            return self.wait();
        }
        self.next = cx.now + Span(self.delay);
        match self.frame.clone() {
            ScreenContent::Top { bars, user } => {
                let text = top::picture(cx, bars, user);
                self.show(cx, text.as_bytes(), None);
                self.counted(cx)
            }
            ScreenContent::Command { text, .. } => match ScreenCommand::start(cx, &text) {
                Ok(running) => {
                    self.running = Some(running);
                    SliceEnd::Again
                }
                Err(errno) => {
                    cx.error(&format!("unable to fork process: {errno}"));
                    self.end(cx, 2)
                }
            },
        }
    }

    fn wait(&self) -> SliceEnd {
        let mut waits = vec![Wait::Until(self.next)];
        if self.keys {
            waits.push(Wait::Readable(STDIN));
        }
        SliceEnd::Wait(Wait::Any(waits))
    }

    /// Whether Ctrl-C or `q` was pressed.
    fn stopped(&self, cx: &mut Cx) -> bool {
        if self.plain {
            return false;
        }
        if cx.kernel.take_signal(cx.pid).is_some() {
            return true;
        }
        if !self.keys {
            return false;
        }
        match cx.kernel.read(cx.pid, STDIN, 256) {
            Ok(line) => line.is_empty() || matches!(line.first(), Some(b'q' | b'Q' | 27)),
            Err(_) => false,
        }
    }

    fn end(&self, cx: &mut Cx, code: u8) -> SliceEnd {
        if !self.plain && self.begun {
            cx.print(OWN_SCREEN);
        }
        SliceEnd::Exit(Status::Exited(code))
    }

    fn counted(&mut self, cx: &mut Cx) -> SliceEnd {
        if let Some(turns) = &mut self.turns {
            *turns = turns.saturating_sub(1);
            if *turns == 0 {
                return self.end(cx, 0);
            }
        }
        self.wait()
    }

    /// A command has printed its frame.
    fn drawn(&mut self, cx: &mut Cx, text: &[u8], status: Option<Status>) -> SliceEnd {
        let ScreenContent::Command { text: command, title, until } = &self.frame else { return self.wait() };
        let failed = status.is_some_and(|status| status != Status::Exited(0));
        let changed = self.last.as_ref().is_some_and(|last| last != text);
        let over = match until {
            Until::Never => None,
            Until::Change => changed.then_some(0),
            Until::Failure => failed.then_some(8),
        };
        let title = title.then(|| (self.delay, command.clone()));
        self.last = Some(text.to_vec());
        self.show(cx, text, title);
        match over {
            Some(code) => self.end(cx, code),
            None => self.wait(),
        }
    }

    /// Draws the part that fits on the terminal.
    fn show(&self, cx: &mut Cx, text: &[u8], title: Option<(i64, String)>) {
        let size = cx.kernel.fd_tty(cx.pid, STDOUT).and_then(|tty| cx.kernel.tty(tty));
        let (rows, columns) = size.map_or((24, 80), |tty| (usize::from(tty.rows), usize::from(tty.columns)));
        let (rows, columns) = (rows.max(4), columns.max(20));
        let mut lines: Vec<String> = Vec::new();
        if let Some((delay, command)) = title {
            let tenths = delay / 100_000;
            let left = format!("Every {}.{}s: {command}", tenths / 10, tenths % 10);
            let right = format!("{}: {}", cx.host(), cx.now.strftime("%a %b %e %H:%M:%S %Y"));
            let room = columns.saturating_sub(right.len() + 1);
            let left: String = left.chars().take(room).collect();
            lines.extend([format!("{} {right}", pad::left(left, room)), String::new()]);
        }
        lines.extend(String::from_utf8_lossy(text).lines().map(str::to_owned));
        if self.plain {
            lines.iter().for_each(|line| cx.line(line));
            return;
        }
        cx.print(CLEAR);
        let cut: Vec<String> =
            lines.iter().take(rows - 1).map(|line| line.chars().take(columns).collect()).collect();
        cx.print(&cut.join("\n"));
    }
}

impl ScreenCommand {
    fn start(cx: &mut Cx, text: &str) -> Result<Self, Errno> {
        let (read, write) = cx.kernel.pipe(cx.pid)?;
        cx.kernel.set_cloexec(cx.pid, read, true);
        cx.kernel.set_cloexec(cx.pid, write, true);
        let words = ["sh", "-c", text].map(str::to_owned);
        let env = Arc::new(cx.env.clone());
        let child = cx.exec_of(&words, env).and_then(|exec| cx.spawn(exec));
        if let Ok(child) = child {
            cx.kernel.dup2(child, write, STDOUT)?;
            cx.kernel.dup2(child, write, STDERR)?;
        }
        cx.kernel.close(cx.pid, write)?;
        Ok(Self { child: child?, output: read, text: Vec::new(), ended: false })
    }

    /// Reads more output. Returns what to wait for until the end.
    fn read(&mut self, cx: &mut Cx) -> Option<Wait> {
        while !self.ended {
            match cx.kernel.read(cx.pid, self.output, 65_536) {
                Ok(data) if data.is_empty() => self.ended = true,
                Ok(data) => {
                    let room = MAX_PICTURE.saturating_sub(self.text.len()).min(data.len());
                    self.text.extend_from_slice(&data[..room]);
                }
                Err(Errno::EAGAIN) => {
                    return Some(Wait::Readable(self.output));
                }
                Err(_) => self.ended = true,
            }
        }
        let alive = cx.kernel.alive(self.child);
        alive.then_some(Wait::Child)
    }

    fn reap(&self, cx: &mut Cx) -> Option<Status> {
        let _ = cx.kernel.close(cx.pid, self.output);
        cx.kernel.wait(cx.pid, ProcessTarget::Process(self.child)).ok().flatten().map(|(_, status)| status)
    }
}
