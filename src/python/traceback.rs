//! Tracebacks as CPython 3.11 prints them, with causes and with the exceptions of groups.

use super::value::Py;
use super::vm::PyVm;

/// Maximum number of causes and contexts.
const MAX_CHAIN: u32 = 20;
/// Maximum depth of groups, and of exceptions of a group.
const MAX_GROUP_DEPTH: usize = 10;
const MAX_GROUP_WIDTH: usize = 15;

/// The margin of an exception in a group.
#[derive(Default)]
struct GroupMargin {
    depth: usize,
    /// The closing line of the group is not printed yet.
    open: bool,
    /// Only the traceback at the end of a program contains hints.
    hints: bool,
    out: String,
}

impl GroupMargin {
    fn indent(&self) -> String {
        "  ".repeat(self.depth)
    }

    /// Adds lines behind the margin.
    fn add(&mut self, text: &str, margin: char) {
        let indent = self.indent();
        for line in text.split_inclusive('\n') {
            if self.depth > 0 {
                self.out.push_str(&indent);
                self.out.push(margin);
                self.out.push(' ');
            }
            self.out.push_str(line);
        }
    }
}

impl PyVm<'_> {
    /// The complete traceback of an exception, including its causes.
    /// Only the traceback at the end of a program contains hints.
    pub fn traceback(&mut self, exception: Py, _depth: u32, hints: bool) -> String {
        let mut margin = GroupMargin { hints, ..GroupMargin::default() };
        self.add_traceback(exception, 0, &mut margin);
        margin.out
    }

    fn add_traceback(&mut self, exception: Py, chained: u32, margin: &mut GroupMargin) {
        let cause = self.instance_attr(exception, "__cause__").filter(|c| *c != Py::None);
        let suppressed = self.instance_attr(exception, "__suppress_context__") == Some(Py::Bool(true));
        let context = self.instance_attr(exception, "__context__").filter(|c| *c != Py::None && !suppressed);
        if chained < MAX_CHAIN {
            if let Some(cause) = cause {
                self.add_traceback(cause, chained + 1, margin);
                margin.add("\nThe above exception was the direct cause of the following exception:\n\n", '|');
            } else if let Some(context) = context {
                self.add_traceback(context, chained + 1, margin);
                margin.add("\nDuring handling of the above exception, another exception occurred:\n\n", '|');
            }
        }
        if self.is_exception(exception, "BaseExceptionGroup") {
            return self.add_group(exception, margin);
        }
        if let Some(frames) = self.frames_text(exception) {
            margin.add("Traceback (most recent call last):\n", '|');
            margin.add(&frames, '|');
        }
        let text = self.exception_only(exception, margin.hints);
        margin.add(&text, '|');
    }

    /// A group: its own traceback, and those of its exceptions behind a margin.
    fn add_group(&mut self, group: Py, margin: &mut GroupMargin) {
        if margin.depth > MAX_GROUP_DEPTH {
            return margin.add(&format!("... (max_group_depth is {MAX_GROUP_DEPTH})\n"), '|');
        }
        let outermost = margin.depth == 0;
        margin.depth += usize::from(outermost);
        if let Some(frames) = self.frames_text(group) {
            let mark = if outermost { '+' } else { '|' };
            margin.add("Exception Group Traceback (most recent call last):\n", mark);
            margin.add(&frames, '|');
        }
        let text = self.exception_only(group, margin.hints);
        margin.add(&text, '|');
        let all = self.instance_attr(group, "exceptions").unwrap_or(Py::None);
        let all = self.items(all);
        let shown = all.len().min(MAX_GROUP_WIDTH + 1);
        margin.open = false;
        for (i, exception) in all.iter().take(shown).enumerate() {
            // A group that is the last one prints the closing line.
            margin.open |= i + 1 == shown;
            let title = if i < MAX_GROUP_WIDTH { (i + 1).to_string() } else { "...".to_owned() };
            let corner = if i == 0 { "+-" } else { "  " };
            let line = format!("{}{corner}+---------------- {title} ----------------\n", margin.indent());
            margin.out.push_str(&line);
            margin.depth += 1;
            if i < MAX_GROUP_WIDTH {
                self.add_traceback(*exception, 0, margin);
            } else {
                let rest = all.len() - MAX_GROUP_WIDTH;
                let s = if rest > 1 { "s" } else { "" };
                margin.add(&format!("and {rest} more exception{s}\n"), '|');
            }
            if i + 1 == shown && std::mem::take(&mut margin.open) {
                let line = format!("{}+------------------------------------\n", margin.indent());
                margin.out.push_str(&line);
            }
            margin.depth -= 1;
        }
        if outermost {
            margin.depth = 0;
        }
    }

    /// The frames of an exception, with repetitions counted; `None` if it was not raised.
    fn frames_text(&mut self, exception: Py) -> Option<String> {
        let entries = self.trace_entries(exception);
        if entries.is_empty() {
            return None;
        }
        let mut lines = entries.into_iter().map(|e| self.entry_text(e)).collect::<Vec<_>>();
        lines.retain(|l| !l.is_empty());
        let mut out = String::new();
        let mut i = 0;
        while i < lines.len() {
            let same = lines[i..].iter().take_while(|l| **l == lines[i]).count();
            lines[i..i + same.min(3)].iter().for_each(|l| out += l);
            if same > 3 {
                let s = if same == 4 { "" } else { "s" };
                out += &format!("  [Previous line repeated {} more time{s}]\n", same - 3);
            }
            i += same;
        }
        Some(out)
    }

    /// The last lines of a traceback: the place of a syntax error, class and message, notes.
    fn exception_only(&mut self, exception: Py, hints: bool) -> String {
        let mut out = String::new();
        if let Some(report) = self.instance_attr(exception, "__report__") {
            out += self.str_ref(report).unwrap_or("");
        }
        let mut summary = self.summary(exception);
        if hints {
            let hint = match self.instance_attr(exception, "__hint__").and_then(|h| self.str_ref(h)) {
                Some(hint) => Some(hint.to_owned()),
                None if self.is_exception(exception, "AttributeError") => self.nearest_attribute(exception),
                None => None,
            };
            if let Some(hint) = hint {
                summary = format!("{}. Did you mean: '{hint}'?\n", summary.trim_end_matches('\n'));
            }
        }
        out += &summary;
        if let Some(notes) = self.instance_attr(exception, "__notes__") {
            for note in self.items(notes) {
                out += self.str_ref(note).unwrap_or("");
                out.push('\n');
            }
        }
        out
    }
}
