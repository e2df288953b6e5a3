//! sed's interpreter. It runs one command at a time, so a looping script only uses up its time slices.

use super::file_commands::visible;
use super::script::{Action, Address, LineAddress, RangeEnd, SedCommand, SedScript, Substitute};
use super::substitute::replaced;
use super::{Sed, SedInput};
use crate::Cx;
use crate::input::InputItem;
use base::regex::Regex;
use host::{Errno, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Maximum size of the pattern space, in bytes.
pub const MAX_SPACE: usize = 16 << 20;
/// Commands per slice, and [`Sed::cost`] of them.
pub(super) const FUEL: usize = 20_000;

/// The state of a cycle.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cycle {
    /// The next command; none between two cycles.
    at: Option<u32>,
    pub(super) space: String,
    /// Whether the line had a newline.
    pub(super) newline: bool,
    substituted: bool,
    /// Texts of `a` and files of `r`, printed at the end of the cycle.
    pub(super) append: Vec<(bool, String)>,
    /// `D` restarts the cycle without reading a line.
    keep: bool,
}

/// The continuation after a command.
enum SedNext {
    /// The next command.
    On,
    /// Jumps to a command.
    Jump(usize),
    /// Ends the cycle and prints the pattern space.
    EndCycle,
    /// Starts the next cycle without printing.
    Delete,
    /// Exits; the flag says whether to print first.
    Quit(u8, bool),
    /// `n` or `N` has no next line: prints and exits.
    InputEnds,
    /// No input yet; the command is repeated later.
    Wait(Wait),
}

impl Sed {
    /// Processes the available input.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let Ok(script) = self.script() else { return SliceEnd::Exit(Status::Exited(1)) };
        let (mut last, mut fuel): (Option<Regex>, usize) = (None, FUEL);
        while fuel > 0 {
            fuel -= 1;
            let Some(at) = self.state.at else {
                match self.begin(cx) {
                    Ok(true) => continue,
                    Ok(false) => return self.finish(cx, self.code),
                    Err(wait) => return SliceEnd::Wait(wait),
                }
            };
            let index = usize::try_from(at).unwrap_or(usize::MAX);
            fuel = self.burn(cx, script.commands.get(index), fuel);
            let next = match script.commands.get(index) {
                None => SedNext::EndCycle,
                Some(command) => match self.selected(cx, command, &mut last) {
                    Err(wait) => SedNext::Wait(wait),
                    Ok(true) => self.execute(cx, &script, command, &mut last),
                    Ok(false) => match command.action {
                        Action::Block(end) => SedNext::Jump(end),
                        _ => SedNext::On,
                    },
                },
            };
            match next {
                SedNext::On => self.state.at = Some(at + 1),
                SedNext::Jump(to) => self.state.at = u32::try_from(to).ok(),
                SedNext::EndCycle => self.end_cycle(cx, true),
                SedNext::Delete => self.end_cycle(cx, false),
                SedNext::Quit(code, print) => {
                    self.end_cycle(cx, print);
                    self.complete_line(cx);
                    return self.finish(cx, code);
                }
                SedNext::InputEnds => {
                    self.end_cycle(cx, true);
                    return self.finish(cx, self.code);
                }
                SedNext::Wait(wait) => return SliceEnd::Wait(wait),
            }
            if self.state.space.len() + self.hold.len() > MAX_SPACE {
                cx.error("couldn't re-allocate memory");
                return SliceEnd::Exit(Status::Exited(4));
            }
            if cx.out.len() > 1 << 18 {
                break;
            }
        }
        SliceEnd::Again
    }

    fn finish(&mut self, cx: &mut Cx, code: u8) -> SliceEnd {
        self.close(cx);
        SliceEnd::Exit(Status::Exited(code))
    }

    /// Ensures that an item is read ahead. False at the end of all input.
    fn read_ahead(&mut self, cx: &mut Cx) -> Result<bool, Wait> {
        while self.ahead.is_empty() && !self.ended {
            self.read(cx)?;
        }
        Ok(!self.ahead.is_empty())
    }

    fn read(&mut self, cx: &mut Cx) -> Result<(), Wait> {
        match self.input.next_line(cx) {
            InputItem::Open(name) => self.ahead.push_back(SedInput::Open(name)),
            InputItem::Line(line, newline) => self.ahead.push_back(SedInput::Line(line, newline)),
            InputItem::Close => self.ahead.push_back(SedInput::Close),
            InputItem::Failed(name, errno) => {
                match errno {
                    Errno::EISDIR if self.in_place.is_some() => {
                        cx.error(&format!("couldn't edit {name}: not a regular file"));
                    }
                    Errno::EISDIR | Errno::ENOMEM => cx.error(&format!("read error on {name}: {errno}")),
                    errno => cx.error(&format!("can't read {name}: {errno}")),
                }
                self.code = if self.in_place.is_some() { 4 } else { 2 };
            }
            InputItem::Wait(wait) => return Err(wait),
            InputItem::Chunk(_) | InputItem::End => self.ended = true,
        }
        Ok(())
    }

    /// Whether the current line is the last one (of its file with `-s`).
    fn is_last(&mut self, cx: &mut Cx) -> Result<bool, Wait> {
        loop {
            for item in &self.ahead {
                match item {
                    SedInput::Line(..) => return Ok(false),
                    SedInput::Close if self.separate => return Ok(true),
                    SedInput::Open(_) | SedInput::Close => {}
                }
            }
            if self.ended {
                return Ok(true);
            }
            self.read(cx)?;
        }
    }

    /// Reads the next line into the pattern space. `None` if there is none.
    fn next_line(&mut self, cx: &mut Cx) -> Result<Option<(String, bool)>, Wait> {
        while self.read_ahead(cx)? {
            match self.ahead.pop_front() {
                Some(SedInput::Open(name)) => {
                    self.file = name;
                    if self.separate {
                        self.line = 0;
                    }
                }
                Some(SedInput::Line(line, newline)) => {
                    self.line += 1;
                    return Ok(Some((String::from_utf8_lossy(&line).into_owned(), newline)));
                }
                Some(SedInput::Close) => self.close(cx),
                None => break,
            }
        }
        Ok(None)
    }

    /// Writes the file that was edited in place.
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

    /// Starts a cycle. False at the end.
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

    fn matches(&mut self, cx: &mut Cx, at: &LineAddress, last: &mut Option<Regex>) -> Result<bool, Wait> {
        Ok(match at {
            LineAddress::Line(n) => *n == self.line,
            LineAddress::Last => self.is_last(cx)?,
            LineAddress::Step(first, 0) => *first == self.line,
            LineAddress::Step(first, step) => {
                self.line >= *first && (self.line - first).is_multiple_of(*step)
            }
            LineAddress::Match(regex) => {
                if let Some(regex) = regex {
                    *last = Some(regex.clone());
                }
                last.as_ref().is_some_and(|r| r.is_match(&self.state.space))
            }
        })
    }

    fn selected(
        &mut self,
        cx: &mut Cx,
        command: &SedCommand,
        last: &mut Option<Regex>,
    ) -> Result<bool, Wait> {
        let inside = match &command.address {
            Address::All => true,
            Address::One(address) => self.matches(cx, address, last)?,
            Address::Range(from, to, state) => self.range(cx, from, to, *state, last)?,
        };
        Ok(inside != command.negated)
    }

    fn range(
        &mut self,
        cx: &mut Cx,
        from: &LineAddress,
        to: &RangeEnd,
        state: usize,
        last: &mut Option<Regex>,
    ) -> Result<bool, Wait> {
        let line = self.line;
        let open = self.ranges.get(state).copied().flatten();
        // `0,/x/` is open before the first line.
        let open = if matches!(from, LineAddress::Line(0)) && line == 1 && open.is_none() {
            Some(u64::MAX)
        } else {
            open
        };
        let new = match open {
            None => {
                if !self.matches(cx, from, last)? {
                    return Ok(false);
                }
                match to {
                    RangeEnd::Address(LineAddress::Line(n)) if *n <= line => None,
                    RangeEnd::Address(LineAddress::Line(n)) => Some(*n),
                    RangeEnd::Address(LineAddress::Last) if self.is_last(cx)? => None,
                    RangeEnd::Address(_) => Some(u64::MAX),
                    RangeEnd::After(0) => None,
                    RangeEnd::After(n) => Some(line.saturating_add(*n)),
                    RangeEnd::Multiple(n) if *n == 0 || line.is_multiple_of(*n) => None,
                    RangeEnd::Multiple(n) => Some(line.div_ceil(*n).saturating_mul(*n)),
                }
            }
            Some(end) if end != u64::MAX => {
                if line > end {
                    // The range ended between two evaluations.
                    if let Some(end) = self.ranges.get_mut(state) {
                        *end = None;
                    }
                    return self.matches(cx, from, last);
                }
                (line < end).then_some(end)
            }
            Some(end) => match to {
                RangeEnd::Address(address) if self.matches(cx, address, last)? => None,
                RangeEnd::Address(_) | RangeEnd::After(_) | RangeEnd::Multiple(_) => Some(end),
            },
        };
        if let Some(end) = self.ranges.get_mut(state) {
            *end = new;
        }
        Ok(true)
    }

    fn execute(
        &mut self,
        cx: &mut Cx,
        script: &Arc<SedScript>,
        command: &SedCommand,
        last: &mut Option<Regex>,
    ) -> SedNext {
        match &command.action {
            Action::Block(_) | Action::Nothing => SedNext::On,
            Action::Substitute(s) => {
                self.substitute(cx, s, last);
                SedNext::On
            }
            Action::Transliterate(map) => {
                self.state.space =
                    self.state.space.chars().map(|c| map.get(&c).copied().unwrap_or(c)).collect();
                SedNext::On
            }
            Action::Text('a', text) => {
                self.state.append.push((false, text.clone()));
                SedNext::On
            }
            Action::Text('i', text) => {
                self.put(cx, text.as_bytes());
                SedNext::On
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
                SedNext::Delete
            }
            Action::Branch(letter, to) => {
                let jump = match letter {
                    'b' => true,
                    't' => std::mem::take(&mut self.state.substituted),
                    _ => !std::mem::take(&mut self.state.substituted),
                };
                if jump { SedNext::Jump((*to).min(script.commands.len())) } else { SedNext::On }
            }
            Action::File(letter, file) => {
                self.file_command(cx, *letter, file);
                SedNext::On
            }
            Action::Quit(letter, code) => SedNext::Quit(*code, *letter == 'q'),
            Action::Simple(letter) => self.simple(cx, *letter),
        }
    }

    fn simple(&mut self, cx: &mut Cx, letter: char) -> SedNext {
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
            'd' => return SedNext::Delete,
            'D' => {
                return match self.state.space.split_once('\n') {
                    None => SedNext::Delete,
                    Some((_, rest)) => {
                        self.state.space = rest.to_owned();
                        self.state.keep = true;
                        SedNext::Delete
                    }
                };
            }
            // The missing final newline moves with the text.
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
        SedNext::On
    }

    /// `n` and `N`
    fn append_next(&mut self, cx: &mut Cx, append: bool) -> SedNext {
        match self.is_last(cx) {
            Err(wait) => return SedNext::Wait(wait),
            // Without a next line GNU sed prints the pattern space and exits.
            Ok(true) if self.in_place.is_none() && !self.separate => return SedNext::InputEnds,
            Ok(true) => return SedNext::EndCycle,
            Ok(false) => {}
        }
        if !append && !self.quiet {
            let space = self.state.space.clone();
            self.print(cx, &space);
        }
        self.flush(cx);
        match self.next_line(cx) {
            Err(wait) => SedNext::Wait(wait),
            Ok(None) => SedNext::InputEnds,
            Ok(Some((line, newline))) => {
                self.state.newline = newline;
                if append {
                    self.state.space.push('\n');
                    self.state.space.push_str(&line);
                } else {
                    self.state.space = line;
                }
                SedNext::On
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
