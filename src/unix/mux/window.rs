//! A window: a program on a terminal of its own, what it shows, and the line that is typed there.

use super::grid::Grid;
use crate::Cx;
use base::ids::Pid;
use base::line_editor::{Effect, LineEditor};
use base::time::{Span, Time};
use host::kernel::ProcessTarget;
use host::tty::TtyId;
use host::{Exec, Fd};
use serde::{Deserialize, Serialize};

/// Marks of a shell on a pseudoterminal, after the semantic prompts of terminals (OSC 133).
const MARK: &str = "\x1b]133;";
/// Between a mark's kind and its text, and at its end.
const END: char = '\x07';
/// How long the rest of a paste waits for a prompt before the running program gets it, as on the page.
const PATIENCE: Span = Span::from_secs(1);

/// A window.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MuxWindow {
    /// Its number in the session.
    pub index: u32,
    /// Its number on the server.
    pub id: u32,
    /// The name that a user gave it.
    pub name: Option<String>,
    /// Its terminal.
    pub tty: TtyId,
    /// Its program.
    pub pid: Pid,
    /// What it shows.
    pub grid: Grid,
    master: Fd,
    editor: LineEditor,
    /// An incomplete character.
    rest: Vec<u8>,
    /// When the running program gets the rest of a paste.
    gives_up: Option<Time>,
}

impl MuxWindow {
    /// Starts a program in a new window.
    ///
    /// # Errors
    /// `fork failed` with the reason.
    pub fn open(
        cx: &mut Cx,
        (index, id): (u32, u32),
        name: Option<String>,
        size: (u16, u16),
        (exec, cwd): (Exec, &str),
    ) -> Result<Self, String> {
        let failed = |errno| format!("fork failed: {errno}");
        let (master, tty) = cx.kernel.open_pty(cx.pid, size.0, size.1).map_err(failed)?;
        let pid = match cx.spawn(exec) {
            Ok(pid) => pid,
            Err(errno) => {
                cx.kernel.close(cx.pid, master).unwrap_or_default();
                return Err(failed(errno));
            }
        };
        for fd in cx.kernel.fds(pid) {
            cx.kernel.close(pid, fd).unwrap_or_default();
        }
        for _ in 0..3 {
            cx.kernel.open_tty(pid, tty).map_err(failed)?;
        }
        cx.kernel.set_group(pid, pid);
        if let Some(process) = cx.kernel.process_mut(pid) {
            process.tty = Some(tty);
        }
        if let Some(terminal) = cx.kernel.tty_mut(tty) {
            terminal.foreground = Some(pid);
        }
        // A directory that is gone: the program starts where the server is.
        cx.kernel.chdir(pid, cwd).unwrap_or_default();
        Ok(Self {
            index,
            id,
            name,
            tty,
            pid,
            grid: Grid::new(size.0, size.1),
            master,
            editor: LineEditor::new(size.0, Vec::new()),
            rest: Vec::new(),
            gives_up: None,
        })
    }

    /// The descriptor of its terminal's other end.
    #[must_use]
    pub const fn master(&self) -> Fd {
        self.master
    }

    /// Its name: that of the program in front, unless a user gave it one.
    #[must_use]
    pub fn title(&self, cx: &Cx) -> String {
        if let Some(name) = &self.name {
            return name.clone();
        }
        let front = cx.kernel.tty(self.tty).and_then(|terminal| terminal.foreground);
        let process =
            front.and_then(|pid| cx.kernel.process(pid)).filter(|process| process.status().is_none());
        process.or_else(|| cx.kernel.process(self.pid)).map_or_else(String::new, crate::ps::comm)
    }

    /// Gives its terminal another size.
    pub fn resize(&mut self, cx: &mut Cx, size: (u16, u16)) {
        if let Some(terminal) = cx.kernel.tty_mut(self.tty).filter(|tty| (tty.columns, tty.rows) != size) {
            (terminal.columns, terminal.rows) = size;
            self.grid.resize(size.0, size.1);
            self.editor.resize(size.0);
        }
    }

    /// Takes what was printed. False if there was nothing.
    pub fn pump(&mut self, cx: &mut Cx) -> bool {
        let Ok(bytes) = cx.kernel.read(cx.pid, self.master, usize::MAX) else { return false };
        // Drawing a flood of output is work.
        *cx.work = cx.work.saturating_add(u32::try_from(bytes.len() >> 16).unwrap_or(0));
        self.rest.extend(bytes);
        let text = self.decoded();
        let mut rest = text.as_str();
        while let Some((before, marked)) = rest.split_once(MARK) {
            self.show(before);
            let (mark, after) = marked.split_once(END).unwrap_or((marked, ""));
            rest = after;
            if let Some(found) = mark.strip_prefix("T;") {
                let mut words = found.split('\x1f').map(str::to_owned);
                let start = words.next().and_then(|start| start.parse().ok()).unwrap_or(0);
                let effects = self.editor.complete(start, &words.collect::<Vec<_>>());
                self.carry_out(cx, effects);
            } else if let Some((prompt, after)) = rest.split_once(MARK) {
                let drawn = self.editor.output("", Some(prompt.to_owned()));
                self.grid.feed(&drawn);
                self.gives_up = None;
                rest = after.split_once(END).map_or("", |(_, after)| after);
                let effects = self.editor.go_on();
                self.carry_out(cx, effects);
            }
        }
        self.show(rest);
        true
    }

    /// Answers a request for the page's editor (`emacs`, `code`): the page does not know this terminal.
    pub fn refuse_editor(&mut self, cx: &mut Cx) {
        if let Some(path) = cx.kernel.take_edit(self.tty) {
            self.show(&format!("sandbatch: the page's editor is not here; edit {path} with vi or nano\n"));
            self.send(cx, b"\n");
        }
    }

    fn show(&mut self, text: &str) {
        if !text.is_empty() {
            let drawn = self.editor.output(text, None);
            self.grid.feed(&drawn);
        }
    }

    /// The bytes so far as text. What is incomplete waits for its rest.
    fn decoded(&mut self) -> String {
        let cut = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Ok(_) | Err(_) => self.rest.len(),
        };
        let tail = self.rest.split_off(cut);
        String::from_utf8_lossy(&std::mem::replace(&mut self.rest, tail)).into_owned()
    }

    /// Takes keys, as the page does. A tab behind other keys that have come with it is a key, and no blank of a paste.
    pub fn type_keys(&mut self, cx: &mut Cx, keys: &str) {
        if let Some(before) = keys.strip_suffix('\t').filter(|before| !before.is_empty()) {
            self.type_keys(cx, before);
            return self.type_keys(cx, "\t");
        }
        self.editor.single_keys(cx.kernel.key_reader(self.tty).is_some());
        let effects = self.editor.keys(keys);
        self.carry_out(cx, effects);
    }

    /// Gives the running program the rest of a paste if no prompt has come.
    pub fn check_patience(&mut self, cx: &mut Cx) {
        if self.gives_up.is_some_and(|at| at <= cx.now) {
            self.gives_up = None;
            if !self.editor.at_prompt() {
                let effects = self.editor.give_up_waiting();
                self.carry_out(cx, effects);
            }
        }
    }

    /// When [`MuxWindow::check_patience`] has something to do.
    #[must_use]
    pub const fn gives_up(&self) -> Option<Time> {
        self.gives_up
    }

    fn carry_out(&mut self, cx: &mut Cx, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Write(text) => self.grid.feed(&text),
                Effect::Send(bytes) => self.send(cx, &bytes),
                // The shell answers with a mark.
                Effect::Complete { line, cursor } => {
                    self.send(cx, format!("{}\t", line.get(..cursor).unwrap_or(&line)).as_bytes());
                }
            }
        }
        self.gives_up = self.editor.is_waiting().then(|| self.gives_up.unwrap_or(cx.now + PATIENCE));
    }

    fn send(&self, cx: &mut Cx, bytes: &[u8]) {
        // The terminal exists as long as its other end is open.
        cx.kernel.write(cx.pid, self.master, bytes, cx.now).map(drop).unwrap_or_default();
    }

    /// Whether its program has ended, which this notes.
    pub fn has_ended(&mut self, cx: &mut Cx) -> bool {
        let ended = !matches!(cx.kernel.wait(cx.pid, ProcessTarget::Process(self.pid)), Ok(None));
        if ended {
            self.pump(cx);
        }
        ended
    }

    /// Closes it: its programs are hung up.
    pub fn close(&self, cx: &mut Cx) {
        cx.kernel.close(cx.pid, self.master).unwrap_or_default();
    }

    /// Bytes that it holds, about.
    #[must_use]
    pub fn memory(&self) -> usize {
        let history: usize = self.editor.history().iter().map(String::len).sum();
        self.grid.memory() + self.rest.len() + history
    }
}
