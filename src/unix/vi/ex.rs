//! The commands after `:`.

use super::Vi;
use super::pattern::split;
use super::range::{LineRange, digits};
use crate::Cx;
use crate::edit::Place;
use std::collections::VecDeque;

/// Commands by their names; the second part may be left out.
const NAMES: &[(&str, &str)] = &[
    ("c", "hange"),
    ("co", "py"),
    ("cq", "uit"),
    ("d", "elete"),
    ("e", "dit"),
    ("f", "ile"),
    ("g", "lobal"),
    ("h", "elp"),
    ("j", "oin"),
    ("k", ""),
    ("ma", "rk"),
    ("m", "ove"),
    ("n", "ext"),
    ("noh", "lsearch"),
    ("norm", "al"),
    ("p", "rint"),
    ("prev", "ious"),
    ("pu", "t"),
    ("q", "uit"),
    ("qa", "ll"),
    ("quita", "ll"),
    ("r", "ead"),
    ("red", "o"),
    ("s", "ubstitute"),
    ("se", "t"),
    ("setl", "ocal"),
    ("sor", "t"),
    ("sv", "iew"),
    ("sy", "ntax"),
    ("t", ""),
    ("u", "ndo"),
    ("v", "global"),
    ("ve", "rsion"),
    ("w", "rite"),
    ("wa", "ll"),
    ("wn", "ext"),
    ("wq", ""),
    ("wqa", "ll"),
    ("x", "it"),
    ("exi", "t"),
    ("xa", "ll"),
    ("y", "ank"),
    ("nu", "mber"),
    ("colo", "rscheme"),
    ("filet", "ype"),
    ("ec", "ho"),
    ("le", "t"),
    ("map", ""),
    ("sp", "lit"),
    ("vs", "plit"),
    ("tabe", "dit"),
    ("retab", ""),
    ("ab", "breviate"),
    ("mak", "e"),
    ("te", "rminal"),
    ("sh", "ell"),
    ("so", "urce"),
    ("ter", "minal"),
    ("up", "date"),
];

/// Commands that exist in vim and not here.
const ABSENT: &[&str] = &[
    "help",
    "normal",
    "split",
    "vsplit",
    "tabedit",
    "let",
    "map",
    "abbreviate",
    "make",
    "terminal",
    "shell",
    "source",
    "echo",
    "retab",
    "sview",
    "change",
];

/// The full name of a command.
fn full_name(word: &str) -> Option<String> {
    NAMES.iter().find_map(|(least, rest)| {
        let full = format!("{least}{rest}");
        (word.starts_with(least) && full.starts_with(word)).then_some(full)
    })
}

impl Vi {
    /// Runs a line.
    pub(super) fn run_line(&mut self, cx: &mut Cx, line: &str) {
        if let Err(text) = self.run_ex(cx, line, 0) {
            self.complain(&text);
        }
    }

    fn run_ex(&mut self, cx: &mut Cx, line: &str, depth: u32) -> Result<(), String> {
        let (range, rest) = self.range(line)?;
        let rest = rest.trim_start_matches([' ', ':']);
        if rest.is_empty() {
            if range.given > 0 {
                self.go(self.first_in(range.to.saturating_sub(1)));
            }
            return Ok(());
        }
        if rest.starts_with('"') {
            return Ok(());
        }
        if let Some(rest) = rest.strip_prefix('&') {
            return self.substitute(range, rest.trim_start_matches('&'));
        }
        if let Some(shell) = rest.strip_prefix('!') {
            return Err(format!(
                "not simulated in sandbatch: :!{shell} (suspend vi with Ctrl-Z, and use the shell)"
            ));
        }
        if rest.starts_with(['<', '>']) {
            let times = rest.chars().take_while(|c| rest.starts_with(*c)).count();
            let range = self.counted(range, rest.get(times..).unwrap_or_default().trim())?;
            self.shift(range.from.max(1) - 1, range.to.max(1) - 1, rest.starts_with('>'), times);
            self.go(self.first_in(range.to.max(1) - 1));
            return Ok(());
        }
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (word, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        // `s`, `g`, `v` and `k` may be followed by letters that are no part of their name.
        let name = full_name(word).or_else(|| {
            let first = word.get(..1)?;
            matches!(first, "s" | "k").then(|| full_name(first)).flatten()
        });
        let Some(name) = name else { return Err(format!("E492: Not an editor command: {line}")) };
        let after = if word.len() > 1 && full_name(word).is_none() {
            rest.get(1..).unwrap_or_default()
        } else {
            after
        };
        if ABSENT.contains(&name.as_str()) {
            return Err(format!("not simulated in sandbatch: :{name}"));
        }
        let (forced, arguments) = after.strip_prefix('!').map_or((false, after), |rest| (true, rest));
        let arguments = arguments.trim();
        match name.as_str() {
            "global" | "vglobal" => self.global(cx, range, arguments, name == "vglobal" || forced, depth),
            "substitute" => self.substitute(range, after.trim_start()),
            "write" | "wq" | "xit" | "exit" | "update" | "quit" | "edit" | "read" | "file" | "wall"
            | "wqall" | "xall" | "qall" | "quitall" | "next" | "previous" | "wnext" | "cquit" => {
                self.file_command(cx, &name, range, forced, arguments)
            }
            "set" | "setlocal" => {
                self.set(arguments);
                Ok(())
            }
            _ => self.text_command(&name, range, forced, arguments),
        }
    }

    /// The commands on lines.
    fn text_command(
        &mut self,
        name: &str,
        range: LineRange,
        forced: bool,
        arguments: &str,
    ) -> Result<(), String> {
        match name {
            "delete" | "yank" => {
                let (register, count) = register_of(arguments);
                let range = self.counted(range, count)?;
                let (from, to) = (range.from.max(1) - 1, range.to.max(1) - 1);
                let operator = if name == "yank" {
                    super::parse::ViOperator::Yank
                } else {
                    super::parse::ViOperator::Delete
                };
                let cursor = self.cursor;
                self.apply_lines(operator, from, to, register);
                if name == "yank" {
                    self.cursor = cursor;
                }
                Ok(())
            }
            "join" => {
                let range = if range.given > 1 { range } else { LineRange { to: range.to + 1, ..range } };
                let count = (range.to + 1).saturating_sub(range.from).max(2);
                self.join(range.from.max(1) - 1, count, !forced);
                Ok(())
            }
            "copy" | "t" | "move" => {
                let (below, rest) = self.address(arguments, self.cursor.row() + 1)?;
                let below = below.ok_or("E14: Invalid address")?;
                if !rest.trim().is_empty() || below > self.text.count() {
                    return Err("E14: Invalid address".to_owned());
                }
                self.copy_lines(range.from.max(1) - 1, range.to.max(1) - 1, below, name == "move");
                Ok(())
            }
            "put" => {
                let (register, _) = register_of(arguments);
                let row = range.to.max(1) - 1;
                self.cursor = Place::new(row, 0);
                let name = register.unwrap_or('"').to_ascii_lowercase();
                if let Some(found) = self.registers.get_mut(&name) {
                    found.lines = true;
                }
                self.put(!forced && range.to > 0, 1, register);
                Ok(())
            }
            "sort" => {
                let range = if range.given == 0 {
                    LineRange { from: 1, to: self.text.count(), given: 2 }
                } else {
                    range
                };
                if let Some(other) = arguments.chars().find(|c| !" uni".contains(*c)) {
                    return Err(format!("not simulated in sandbatch: {other} after :sort"));
                }
                self.sort(range.from.max(1) - 1, range.to.max(1) - 1, arguments, forced);
                Ok(())
            }
            "undo" | "redo" => {
                self.take_back(name == "undo");
                Ok(())
            }
            "mark" | "k" => {
                let name = arguments.chars().next().ok_or("E471: Argument required")?;
                self.marks.insert(name, Place::new(range.to.max(1) - 1, 0));
                Ok(())
            }
            "print" | "number" => {
                let row = range.to.max(1) - 1;
                self.go(self.first_in(row));
                let line = self.text.line(row).to_owned();
                self.tell(&if name == "number" { format!("{:>3} {line}", row + 1) } else { line });
                Ok(())
            }
            "version" => {
                self.tell("VIM - Vi IMproved 9.0 (a model of sandbatch)");
                Ok(())
            }
            // Colours and highlighting have no effect here.
            _ => Ok(()),
        }
    }

    /// A count after a command: so many lines from the last of the range on.
    fn counted(&self, range: LineRange, count: &str) -> Result<LineRange, String> {
        if count.is_empty() {
            return Ok(range);
        }
        if !count.chars().all(|c| c.is_ascii_digit()) {
            return Err(format!("E488: Trailing characters: {count}"));
        }
        let to = (range.to + digits(count).0).saturating_sub(1).min(self.text.count());
        Ok(LineRange { from: range.to, to, given: 2 })
    }

    /// `:g/pattern/command`
    fn global(
        &mut self,
        cx: &mut Cx,
        range: LineRange,
        arguments: &str,
        others: bool,
        depth: u32,
    ) -> Result<(), String> {
        if depth > 0 {
            return Err("E147: Cannot do :global recursive with a range".to_owned());
        }
        let delimiter = arguments.chars().next().ok_or("E148: Regular expression missing from :global")?;
        let (pattern, command) = split(arguments.get(delimiter.len_utf8()..).unwrap_or_default(), delimiter);
        let regex = self.regex(&pattern, None)?;
        let range =
            if range.given == 0 { LineRange { from: 1, to: self.text.count(), given: 2 } } else { range };
        let rows: Vec<usize> = (range.from.max(1) - 1..range.to)
            .filter(|row| regex.is_match(self.text.line(*row)) != others)
            .collect();
        if rows.is_empty() {
            let why = if others { "Pattern found in every line" } else { "E486: Pattern not found" };
            return Err(format!("{why}: {pattern}"));
        }
        let command = if command.is_empty() { "p" } else { command };
        self.search = Some(super::pattern::ViSearch { pattern, forward: true });
        let before = self.text.count();
        // Where the lines are that are still to come.
        let mut rows: VecDeque<usize> = rows.into();
        self.change();
        while let Some(row) = rows.pop_front() {
            let since = self.text.changes();
            self.go(Place::new(row, 0));
            self.run_ex(cx, command, depth + 1)?;
            rows = rows.into_iter().filter_map(|row| self.text.moved(row, since)).collect();
            if self.text.has_none() {
                break;
            }
        }
        match before.saturating_sub(self.text.count()) {
            fewer if fewer > 2 => self.tell(&format!("{fewer} fewer lines")),
            _ => {}
        }
        Ok(())
    }
}

/// The register at the start of the arguments, and the rest.
fn register_of(arguments: &str) -> (Option<char>, &str) {
    match arguments.chars().next() {
        Some(c) if c.is_ascii_alphabetic() || c == '"' => {
            (Some(c), arguments.get(1..).unwrap_or_default().trim())
        }
        Some(_) | None => (None, arguments),
    }
}
