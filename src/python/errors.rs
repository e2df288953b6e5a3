//! Raising, catching, importing, and tracebacks as CPython 3.11 prints them.

use super::ast::SourceSpan;
use super::code::PyOp;
use super::lexer::SyntaxFault;
use super::library;
use super::value::{Py, PyObject};
use super::vm::{PyResult, PyVm, Stop};

impl PyVm<'_> {
    pub(super) fn matches(&mut self, exception: Py, class: Py) -> PyResult<bool> {
        if let Py::Obj(id) = class
            && let PyObject::Tuple(all) = self.obj(id)
        {
            for class in all.clone() {
                if self.matches(exception, class)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        if !self.inherits(class, self.builtin("BaseException")) {
            return self.type_error("catching classes that do not inherit from BaseException is not allowed");
        }
        Ok(self.is_instance(exception, class))
    }

    /// The exception that is currently handled.
    pub fn handled(&self) -> Option<Py> {
        self.s.frames.iter().rev().find_map(|f| f.handled.last().copied())
    }

    pub(super) fn raise_step(&mut self, op: PyOp) -> Stop {
        match op {
            PyOp::Reraise => {
                let exception = self.pop();
                self.set_instance_attr(exception, "__again__", Py::None);
                Stop::Raise(exception)
            }
            PyOp::AssertionFailed(given) => {
                let class = self.builtin("AssertionError");
                let args = if given == 1 { vec![self.pop()] } else { Vec::new() };
                let exception = self.exception_with(class, args);
                self.in_context(exception)
            }
            PyOp::Raise(0) => match self.handled() {
                Some(exception) => {
                    self.set_instance_attr(exception, "__again__", Py::None);
                    Stop::Raise(exception)
                }
                None => self.error("RuntimeError", "No active exception to reraise"),
            },
            PyOp::Raise(n) => {
                let cause = if n == 2 { Some(self.pop()) } else { None };
                let value = self.pop();
                let exception = match self.as_exception(value) {
                    Ok(exception) => exception,
                    Err(stop) => return stop,
                };
                if let Some(cause) = cause {
                    let cause = if cause == Py::None { Ok(Py::None) } else { self.as_exception(cause) };
                    match cause {
                        Ok(cause) => {
                            self.set_instance_attr(exception, "__cause__", cause);
                            self.set_instance_attr(exception, "__suppress_context__", Py::Bool(true));
                        }
                        Err(stop) => return stop,
                    }
                }
                self.in_context(exception)
            }
            _ => Stop::Exit(1),
        }
    }

    /// Sets the exception's context: the exception that is currently handled.
    pub(super) fn in_context(&mut self, exception: Py) -> Stop {
        if let Some(context) = self.handled().filter(|c| *c != exception)
            && self.instance_attr(exception, "__context__").is_none()
        {
            self.set_instance_attr(exception, "__context__", context);
        }
        Stop::Raise(exception)
    }

    pub(crate) fn as_exception(&mut self, value: Py) -> PyResult {
        let base = self.builtin("BaseException");
        if self.is_class(value) && self.inherits(value, base) {
            return self.call_nested(value, Vec::new(), Vec::new());
        }
        if self.is_instance(value, base) {
            return Ok(value);
        }
        self.type_error("exceptions must derive from BaseException")
    }

    /// An exception for a failed system call.
    pub fn os_error(&mut self, errno: host::Errno, path: Option<&str>) -> Stop {
        use host::Errno;
        let (number, class) = match errno {
            Errno::EPERM => (1, "PermissionError"),
            Errno::ENOENT => (2, "FileNotFoundError"),
            Errno::ESRCH => (3, "ProcessLookupError"),
            Errno::EBADF => (9, "OSError"),
            Errno::ECHILD => (10, "ChildProcessError"),
            Errno::EAGAIN => (11, "BlockingIOError"),
            Errno::EACCES => (13, "PermissionError"),
            Errno::EEXIST => (17, "FileExistsError"),
            Errno::ENOTDIR => (20, "NotADirectoryError"),
            Errno::EISDIR => (21, "IsADirectoryError"),
            Errno::EMFILE => (24, "OSError"),
            Errno::EFBIG => (27, "OSError"),
            Errno::ENOSPC => (28, "OSError"),
            Errno::EPIPE => (32, "BrokenPipeError"),
            Errno::ENAMETOOLONG => (36, "OSError"),
            Errno::ENOTEMPTY => (39, "OSError"),
            Errno::ELOOP => (40, "OSError"),
            _ => (22, "OSError"),
        };
        let text = self.text(errno.to_string());
        let class = self.builtin(class);
        let exception = self.exception_with(class, vec![Py::Int(number), text]);
        self.set_instance_attr(exception, "errno", Py::Int(number));
        self.set_instance_attr(exception, "strerror", text);
        let name = path.map_or(Py::None, |p| self.text(p));
        self.set_instance_attr(exception, "filename", name);
        Stop::Raise(exception)
    }

    pub fn syntax_error(&mut self, file: &str, source: &str, fault: &SyntaxFault) -> Stop {
        let text = if source.is_empty() { library::text(file).unwrap_or("") } else { source };
        let (line, column, content) = line_at(text, fault.at.0);
        let exception = self.exception(fault.class, &fault.message);
        let shown = content.trim();
        let lead = content.len() - content.trim_start().len();
        let last = line_at(text, fault.at.1.max(fault.at.0 + 1));
        let end = if last.0 == line { last.1.min(content.len()) } else { content.len() };
        let chars = |from: usize, to: usize| content.get(from..to).unwrap_or("").chars().count();
        let width = chars(column, end).max(1);
        let mut report = format!("  File \"{file}\", line {line}\n    {shown}\n");
        let at = chars(lead.min(column), column);
        // The end of an expression in a text has no position to mark.
        let past_end =
            file == "<string>" && fault.at.0 as usize >= text.trim_end().len() && !text.ends_with('\n');
        let width = if fault.class == "IndentationError" { 1 } else { width };
        if past_end {
        } else if fault.message != "unexpected indent" && !fault.message.starts_with("unindent") {
            report += &format!("    {}{}\n", " ".repeat(at), "^".repeat(width));
        } else if fault.message.starts_with("unindent") {
            report += &format!("    {}^\n", " ".repeat(at));
        }
        let report = self.text(report);
        self.set_instance_attr(exception, "__report__", report);
        let message = self.text(fault.message.as_str());
        self.set_instance_attr(exception, "msg", message);
        self.set_instance_attr(exception, "lineno", Py::Int(i64::try_from(line).unwrap_or(0)));
        let name = self.text(file);
        self.set_instance_attr(exception, "filename", name);
        Stop::Raise(exception)
    }

    /// `TypeError: message`, as the last line of a traceback.
    pub fn summary(&mut self, exception: Py) -> String {
        let class = self.class_of(exception);
        let name = match class {
            Py::Obj(id) => match self.obj(id) {
                PyObject::Class(c) if !matches!(&*c.module, "" | "builtins" | "__main__") => {
                    format!("{}.{}", c.module, self.qualified_name(class))
                }
                _ => self.qualified_name(class),
            },
            _ => self.class_name(class),
        };
        let text = self.str(exception).unwrap_or_else(|_| "<exception str() failed>".into());
        if text.is_empty() { format!("{name}\n") } else { format!("{name}: {text}\n") }
    }

    fn qualified_name(&self, class: Py) -> String {
        self.lookup(class, "__qualname__")
            .and_then(|q| self.str_ref(q))
            .map_or_else(|| self.class_name(class), str::to_owned)
    }

    /// Unit, code and operation of each frame, outermost first.
    pub(super) fn trace_entries(&self, exception: Py) -> Vec<[u32; 3]> {
        let trace = self.instance_attr(exception, "__trace__").unwrap_or(Py::None);
        let numbers: Vec<u32> = self
            .items(trace)
            .into_iter()
            .map(|n| if let Py::Int(n) = n { u32::try_from(n).unwrap_or(0) } else { 0 })
            .collect();
        numbers.chunks_exact(3).rev().map(|c| [c[0], c[1], c[2]]).collect()
    }

    /// File, line number and line of the frame at this depth below the top.
    pub(crate) fn frame_location(&self, below: usize) -> (String, usize, String) {
        let Some(frame) = self.s.frames.iter().rev().nth(below).or(self.s.frames.first()) else {
            return Default::default();
        };
        let unit = &self.s.units[frame.unit as usize];
        let code = self.code_of(frame.unit, frame.code);
        let span = code.spans.get(frame.at.saturating_sub(1) as usize).copied().unwrap_or_default();
        let (line, _, content) = line_at(unit.text(), span.0);
        let content = if unit.file.starts_with('<') { "" } else { content.trim() };
        (unit.file.clone(), line, content.to_owned())
    }

    pub(super) fn entry_text(&self, [unit, code, op]: [u32; 3]) -> String {
        let source = &self.s.units[unit as usize];
        if source.source.is_empty() {
            if source.file == "<library>/os.py" && self.code_of(unit, code).name == "__getitem__" {
                return "  File \"<frozen os>\", line 679, in __getitem__\n".into();
            }
            return String::new();
        }
        let code = self.code_of(unit, code);
        let span = code.spans.get(op as usize).copied().unwrap_or_default();
        let (line, _, content) = line_at(source.text(), span.0);
        let mut out = format!("  File \"{}\", line {line}, in {}\n", source.file, code.name);
        // A program from `-c` or standard input has no file to quote.
        if source.file.starts_with('<') || content.trim().is_empty() {
            return out;
        }
        out += &format!("    {}\n", content.trim());
        if let Some(marks) = marks(source.text(), span, content, code.ops.get(op as usize).copied()) {
            out += &format!("    {marks}\n");
        }
        out
    }
}

/// Line, column in bytes, and the text of the line at an offset.
fn line_at(source: &str, at: u32) -> (usize, usize, &str) {
    let at = (at as usize).min(source.len());
    let before = source.get(..at).unwrap_or("");
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    let line = source.get(start..).unwrap_or("").split('\n').next().unwrap_or("");
    (before.matches('\n').count() + 1, at - start, line)
}

/// The carets below a line; `None` if they would mark the whole line.
fn marks(source: &str, span: SourceSpan, content: &str, op: Option<PyOp>) -> Option<String> {
    let (line, from, _) = line_at(source, span.0);
    let (last, to, _) = line_at(source, span.1);
    let to = if last == line { to } else { content.trim_end().len() };
    let lead = content.len() - content.trim_start().len();
    let whole = from <= lead && to >= content.trim_end().len();
    if to <= from
        || whole
            && (last != line
                || !matches!(op, Some(PyOp::Binary(_) | PyOp::Index | PyOp::SetIndex | PyOp::DelIndex)))
    {
        return None;
    }
    let width = to - from;
    let chars = |text: &str| text.chars().count();
    let mut marks = "^".repeat(chars(content.get(from..to)?));
    let text = content.get(from..to)?;
    if last == line {
        match op {
            Some(PyOp::Binary(_)) => {
                if let Some((at, len)) = operator(text) {
                    marks = format!(
                        "{}{}{}",
                        "~".repeat(at),
                        "^".repeat(len),
                        "~".repeat(width.saturating_sub(at + len))
                    );
                }
            }
            Some(PyOp::Index | PyOp::SetIndex | PyOp::DelIndex) => {
                if let Some(at) = bracket(text) {
                    marks = format!("{}{}", "~".repeat(at), "^".repeat(width - at));
                }
            }
            _ => {}
        }
    }
    Some(" ".repeat(chars(content.get(lead..from)?)) + &marks)
}

/// The outermost operator with the lowest precedence: its position and length.
fn operator(text: &str) -> Option<(usize, usize)> {
    let level = |op: &str| {
        ["|", "^", "&", "<<", ">>", "+", "-", "*", "/", "//", "%", "@", "**"]
            .iter()
            .position(|o| *o == op)
            .map(|p| match p {
                0..=2 => p,
                3 | 4 => 3,
                5 | 6 => 5,
                12 => 9,
                _ => 7,
            })
    };
    let bytes = text.as_bytes();
    let (mut depth, mut quote, mut i, mut best) = (0_i32, None, 0, None::<(usize, usize, usize)>);
    while let Some(b) = bytes.get(i) {
        match (*b, quote) {
            (b, Some(q)) if b == q => quote = None,
            (_, Some(_)) => {}
            (b @ (b'"' | b'\''), None) => quote = Some(b),
            (b'(' | b'[' | b'{', None) => depth += 1,
            (b')' | b']' | b'}', None) => depth -= 1,
            (_, None) if depth == 0 && i > 0 => {
                let two = text.get(i..i + 2).filter(|t| matches!(*t, "**" | "//" | "<<" | ">>"));
                let op = two.or_else(|| text.get(i..=i)).unwrap_or("");
                let operand_before =
                    text[..i].trim_end().ends_with(|c: char| c.is_alphanumeric() || "_)]}\"'.".contains(c));
                if let Some(level) = level(op).filter(|_| operand_before) {
                    if best.is_none_or(|b| level <= b.2) {
                        best = Some((i, op.len(), level));
                    }
                    i += op.len() - 1;
                }
            }
            _ => {}
        }
        i += 1;
    }
    best.map(|b| (b.0, b.1))
}

/// The opening bracket of the last subscript.
fn bracket(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices().rev() {
        match c {
            ']' | ')' | '}' => depth += 1,
            '[' | '(' | '{' => {
                depth -= 1;
                if depth == 0 {
                    return (c == '[').then_some(i);
                }
            }
            _ => {}
        }
    }
    None
}
