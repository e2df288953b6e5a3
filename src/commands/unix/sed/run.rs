//! sed's cycles, a command at a time, so that a script that loops uses up its slice and nothing more.

use super::more::visible;
use super::script::{Action, Address, Command, End, Place, Script, Substitute};
use super::substitute::replaced;
use super::{Ahead, Sed};
use crate::base::regex::Regex;
use crate::commands::Cx;
use crate::commands::unix::input::Item;
use crate::host::{Errno, Status, Step, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Longest pattern space, bytes.
pub const MAX_SPACE: usize = 16 << 20;
/// Commands run in a slice.
const FUEL: u32 = 20_000;

/// Where a cycle is.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cycle {
    /// The next command; none: between two cycles.
    at: Option<u32>,
    space: String,
    /// Whether the line had a newline.
    newline: bool,
    substituted: bool,
    /// Texts of `a` and files of `r`, for the cycle's end.
    append: Vec<(bool, String)>,
    /// `D` goes on without reading a line.
    keep: bool,
}

/// What a command leads to.
enum Next {
    /// The next command.
    On,
    /// That command.
    Jump(usize),
    /// The end of the cycle, with printing.
    EndCycle,
    /// The next cycle without printing.
    Delete,
    /// The end of everything, with printing or without.
    Quit(u8, bool),
    /// The input has nothing yet; the command is tried again.
    Wait(Wait),
}

impl Sed {
    /// Looks at what is there.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        let Ok(script) = self.script() else { return Step::Exit(Status::Exited(1)) };
        let mut last: Option<Regex> = None;
        for _ in 0..FUEL {
            let Some(at) = self.state.at else {
                match self.begin(cx) {
                    Ok(true) => continue,
                    Ok(false) => return self.finish(cx, self.code),
                    Err(wait) => return Step::Wait(wait),
                }
            };
            let index = usize::try_from(at).unwrap_or(usize::MAX);
            let next = match script.commands.get(index) {
                None => Next::EndCycle,
                Some(command) => match self.selected(cx, command, &mut last) {
                    Err(wait) => Next::Wait(wait),
                    Ok(true) => self.execute(cx, &script, command, &mut last),
                    Ok(false) => match command.action {
                        Action::Block(end) => Next::Jump(end),
                        _ => Next::On,
                    },
                },
            };
            match next {
                Next::On => self.state.at = Some(at + 1),
                Next::Jump(to) => self.state.at = u32::try_from(to).ok(),
                Next::EndCycle => self.end_cycle(cx, true),
                Next::Delete => self.end_cycle(cx, false),
                Next::Quit(code, print) => {
                    self.end_cycle(cx, print);
                    return self.finish(cx, code);
                }
                Next::Wait(wait) => return Step::Wait(wait),
            }
            if self.state.space.len() + self.hold.len() > MAX_SPACE {
                cx.error("couldn't re-allocate memory");
                return Step::Exit(Status::Exited(4));
            }
            if cx.out.len() > 1 << 18 {
                break;
            }
        }
        Step::Again
    }

    fn finish(&mut self, cx: &mut Cx, code: u8) -> Step {
        self.close(cx);
        Step::Exit(Status::Exited(code))
    }

    /// Makes sure that something is read ahead; false at the end of all input.
    fn look(&mut self, cx: &mut Cx) -> Result<bool, Wait> {
        while self.ahead.is_empty() && !self.ended {
            self.read(cx)?;
        }
        Ok(!self.ahead.is_empty())
    }

    fn read(&mut self, cx: &mut Cx) -> Result<(), Wait> {
        match self.input.next_line(cx) {
            Item::Open(name) => self.ahead.push_back(Ahead::Open(name)),
            Item::Line(line, newline) => self.ahead.push_back(Ahead::Line(line, newline)),
            Item::Close => self.ahead.push_back(Ahead::Close),
            Item::Failed(name, errno) => {
                match errno {
                    Errno::EISDIR if self.in_place.is_some() => {
                        cx.error(&format!("couldn't edit {name}: not a regular file"));
                    }
                    Errno::EISDIR => cx.error(&format!("read error on {name}: {errno}")),
                    errno => cx.error(&format!("can't read {name}: {errno}")),
                }
                self.code = if self.in_place.is_some() { 4 } else { 2 };
            }
            Item::Wait(wait) => return Err(wait),
            Item::Chunk(_) | Item::End => self.ended = true,
        }
        Ok(())
    }

    /// Whether the present line is the last one (of its file, with `-s`).
    fn is_last(&mut self, cx: &mut Cx) -> Result<bool, Wait> {
        loop {
            for item in &self.ahead {
                match item {
                    Ahead::Line(..) => return Ok(false),
                    Ahead::Close if self.separate => return Ok(true),
                    Ahead::Open(_) | Ahead::Close => {}
                }
            }
            if self.ended {
                return Ok(true);
            }
            self.read(cx)?;
        }
    }

    /// The next line into the pattern space; `None`: there is none.
    fn next_line(&mut self, cx: &mut Cx) -> Result<Option<(String, bool)>, Wait> {
        while self.look(cx)? {
            match self.ahead.pop_front() {
                Some(Ahead::Open(name)) => {
                    self.file = name;
                    if self.separate {
                        self.line = 0;
                    }
                }
                Some(Ahead::Line(line, newline)) => {
                    self.line += 1;
                    return Ok(Some((String::from_utf8_lossy(&line).into_owned(), newline)));
                }
                Some(Ahead::Close) => self.close(cx),
                None => break,
            }
        }
        Ok(None)
    }

    /// A file that was edited in place is written.
    fn close(&mut self, cx: &mut Cx) {
        let Some(suffix) = self.in_place.clone() else { return };
        if self.file.is_empty() || self.file == "-" {
            return;
        }
        let name = std::mem::take(&mut self.file);
        let edited = std::mem::take(&mut self.edited);
        self.missing_newline = false;
        if !suffix.is_empty()
            && let Ok(old) = cx.read_file(&name)
        {
            let backup =
                if suffix.contains('*') { suffix.replace('*', &name) } else { format!("{name}{suffix}") };
            let _ = cx.write_file(&backup, &old);
        }
        if let Err(errno) = cx.write_file(&name, &edited) {
            cx.error(&format!("couldn't open file {name}: {errno}"));
            self.code = 4;
        }
    }

    /// A new cycle; false at the end.
    fn begin(&mut self, cx: &mut Cx) -> Result<bool, Wait> {
        if !std::mem::take(&mut self.state.keep) {
            let Some((line, newline)) = self.next_line(cx)? else { return Ok(false) };
            self.state.space = line;
            self.state.newline = newline;
        }
        self.state.substituted = false;
        self.state.at = Some(0);
        Ok(true)
    }

    fn end_cycle(&mut self, cx: &mut Cx, print: bool) {
        if print && !self.quiet {
            let space = self.state.space.clone();
            self.print(cx, &space);
        }
        self.flush(cx);
        self.state.at = None;
    }

    /// Texts of `a` and files of `r`.
    fn flush(&mut self, cx: &mut Cx) {
        for (is_file, text) in std::mem::take(&mut self.state.append) {
            if !is_file {
                self.put(cx, text.as_bytes());
            } else if let Ok(data) = cx.read_file(&text) {
                self.put(cx, &data);
            }
        }
    }

    /// A text, or a file, for the cycle's end.
    pub(super) fn append(&mut self, is_file: bool, text: String) {
        self.state.append.push((is_file, text));
    }

    /// The pattern space.
    pub(super) fn space(&self) -> &str {
        &self.state.space
    }

    pub(super) fn put(&mut self, cx: &mut Cx, data: &[u8]) {
        let target = if self.in_place.is_some() { &mut self.edited } else { &mut *cx.out };
        if std::mem::take(&mut self.missing_newline) && !data.is_empty() {
            target.push(b'\n');
        }
        target.extend_from_slice(data);
    }

    /// A line; its newline is left out where the input's last line had none.
    fn print(&mut self, cx: &mut Cx, text: &str) {
        self.put(cx, text.as_bytes());
        if self.state.newline {
            self.put(cx, b"\n");
        } else {
            self.missing_newline = true;
        }
    }

    fn place(&mut self, cx: &mut Cx, place: &Place, last: &mut Option<Regex>) -> Result<bool, Wait> {
        Ok(match place {
            Place::Line(n) => *n == self.line,
            Place::Last => self.is_last(cx)?,
            Place::Step(first, 0) => *first == self.line,
            Place::Step(first, step) => self.line >= *first && (self.line - first).is_multiple_of(*step),
            Place::Match(regex) => {
                if let Some(regex) = regex {
                    *last = Some(regex.clone());
                }
                last.as_ref().is_some_and(|r| r.is_match(&self.state.space))
            }
        })
    }

    fn selected(&mut self, cx: &mut Cx, command: &Command, last: &mut Option<Regex>) -> Result<bool, Wait> {
        let inside = match &command.address {
            Address::All => true,
            Address::One(place) => self.place(cx, place, last)?,
            Address::Range(from, to, state) => self.range(cx, from, to, *state, last)?,
        };
        Ok(inside != command.negated)
    }

    fn range(
        &mut self,
        cx: &mut Cx,
        from: &Place,
        to: &End,
        state: usize,
        last: &mut Option<Regex>,
    ) -> Result<bool, Wait> {
        let line = self.line;
        let open = self.ranges.get(state).copied().flatten();
        // `0,/x/` is open before the first line.
        let open =
            if matches!(from, Place::Line(0)) && line == 1 && open.is_none() { Some(u64::MAX) } else { open };
        let new = match open {
            None => {
                if !self.place(cx, from, last)? {
                    return Ok(false);
                }
                match to {
                    End::Place(Place::Line(n)) if *n <= line => None,
                    End::Place(Place::Line(n)) => Some(*n),
                    End::Place(Place::Last) if self.is_last(cx)? => None,
                    End::Place(_) => Some(u64::MAX),
                    End::After(0) => None,
                    End::After(n) => Some(line.saturating_add(*n)),
                    End::Multiple(n) if *n == 0 || line.is_multiple_of(*n) => None,
                    End::Multiple(n) => Some(line.div_ceil(*n).saturating_mul(*n)),
                }
            }
            Some(end) if end != u64::MAX => {
                if line > end {
                    // The range ended between two looks at it.
                    if let Some(place) = self.ranges.get_mut(state) {
                        *place = None;
                    }
                    return self.place(cx, from, last);
                }
                (line < end).then_some(end)
            }
            Some(end) => match to {
                End::Place(place) if self.place(cx, place, last)? => None,
                End::Place(_) | End::After(_) | End::Multiple(_) => Some(end),
            },
        };
        if let Some(place) = self.ranges.get_mut(state) {
            *place = new;
        }
        Ok(true)
    }

    fn execute(
        &mut self,
        cx: &mut Cx,
        script: &Arc<Script>,
        command: &Command,
        last: &mut Option<Regex>,
    ) -> Next {
        match &command.action {
            Action::Block(_) | Action::Nothing => Next::On,
            Action::Substitute(s) => {
                self.substitute(cx, s, last);
                Next::On
            }
            Action::Transliterate(map) => {
                self.state.space =
                    self.state.space.chars().map(|c| map.get(&c).copied().unwrap_or(c)).collect();
                Next::On
            }
            Action::Text('a', text) => {
                self.state.append.push((false, text.clone()));
                Next::On
            }
            Action::Text('i', text) => {
                self.put(cx, text.as_bytes());
                Next::On
            }
            Action::Text(_, text) => {
                // A range is replaced once, at its end.
                let inside = match &command.address {
                    Address::Range(_, _, state) if !command.negated => {
                        self.ranges.get(*state).copied().flatten().is_some()
                    }
                    Address::All | Address::One(_) | Address::Range(..) => false,
                };
                if !inside {
                    self.put(cx, text.as_bytes());
                }
                Next::Delete
            }
            Action::Branch(letter, to) => {
                let jump = match letter {
                    'b' => true,
                    't' => std::mem::take(&mut self.state.substituted),
                    _ => !std::mem::take(&mut self.state.substituted),
                };
                if jump { Next::Jump((*to).min(script.commands.len())) } else { Next::On }
            }
            Action::File(letter, file) => {
                self.file_command(cx, *letter, file);
                Next::On
            }
            Action::Quit(letter, code) => Next::Quit(*code, *letter == 'q'),
            Action::Simple(letter) => self.simple(cx, *letter),
        }
    }

    fn simple(&mut self, cx: &mut Cx, letter: char) -> Next {
        match letter {
            '=' => {
                let text = format!("{}\n", self.line);
                self.put(cx, text.as_bytes());
            }
            'F' => self.say_file(cx),
            'l' => {
                let text = visible(&self.state.space);
                self.put(cx, text.as_bytes());
            }
            'd' => return Next::Delete,
            'D' => {
                return match self.state.space.split_once('\n') {
                    None => Next::Delete,
                    Some((_, rest)) => {
                        self.state.space = rest.to_owned();
                        self.state.keep = true;
                        Next::Delete
                    }
                };
            }
            // Whether a final newline was missing goes along with the text.
            'g' | 'G' => {
                self.state.newline = !self.hold_bare;
                self.state.space = match letter {
                    'g' => self.hold.clone(),
                    _ => format!("{}\n{}", self.state.space, self.hold),
                };
            }
            'h' | 'H' => {
                self.hold_bare = !self.state.newline;
                self.hold = match letter {
                    'h' => self.state.space.clone(),
                    _ => format!("{}\n{}", self.hold, self.state.space),
                };
            }
            'x' => {
                std::mem::swap(&mut self.hold, &mut self.state.space);
                let bare = std::mem::replace(&mut self.hold_bare, !self.state.newline);
                self.state.newline = !bare;
            }
            'z' => self.state.space.clear(),
            'p' => {
                let space = self.state.space.clone();
                self.print(cx, &space);
            }
            'P' => {
                let whole = self.state.space.clone();
                match whole.split_once('\n') {
                    Some((first, _)) => self.put(cx, format!("{first}\n").as_bytes()),
                    None => self.print(cx, &whole),
                }
            }
            'n' | 'N' => return self.append_next(cx, letter == 'N'),
            _ => {}
        }
        Next::On
    }

    /// `n` and `N`
    fn append_next(&mut self, cx: &mut Cx, append: bool) -> Next {
        match self.is_last(cx) {
            Err(wait) => return Next::Wait(wait),
            // Without a next line GNU's sed prints the pattern space and ends.
            Ok(true) if self.in_place.is_none() && !self.separate => return Next::Quit(self.code, true),
            Ok(true) => return Next::EndCycle,
            Ok(false) => {}
        }
        if !append && !self.quiet {
            let space = self.state.space.clone();
            self.print(cx, &space);
        }
        self.flush(cx);
        match self.next_line(cx) {
            Err(wait) => Next::Wait(wait),
            Ok(None) => Next::Quit(self.code, true),
            Ok(Some((line, newline))) => {
                self.state.newline = newline;
                if append {
                    self.state.space.push('\n');
                    self.state.space.push_str(&line);
                } else {
                    self.state.space = line;
                }
                Next::On
            }
        }
    }

    fn substitute(&mut self, cx: &mut Cx, s: &Substitute, last: &mut Option<Regex>) {
        if let Some(regex) = &s.regex {
            *last = Some(regex.clone());
        }
        let Some(regex) = last.as_ref() else { return };
        let Some(text) = replaced(regex, s, &self.state.space) else { return };
        self.state.space = text;
        self.state.substituted = true;
        if s.print {
            let space = self.state.space.clone();
            self.print(cx, &space);
        }
        if let Some(file) = &s.write {
            let text = format!("{}\n", self.state.space);
            self.write(cx, file, &text);
        }
    }
}
