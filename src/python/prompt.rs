//! The interactive prompt of a terminal: reads statements line by line, runs them and prints their values.

use super::compile::SourceMode;
use super::frame::OnReturn;
use super::parser;
use super::value::Py;
use super::vm::{PyResult, PyVm, Stop};
use host::{Errno, Wait};
use serde::{Deserialize, Serialize};

/// Maximum length of a statement, bytes.
const LONGEST: usize = 1 << 20;
/// The first words of statements with a block. An empty line ends them.
const BLOCKS: &[&str] = &["if", "while", "for", "try", "with", "def", "class", "async", "match", "@"];

pub(crate) const BANNER: &str = "Python 3.11.2 (main, Mar 13 2023, 12:18:29) [GCC 12.2.0] on linux\nType \"help\", \"copyright\", \"credits\" or \"license\" for more information.\n";

/// The state of a prompt.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct PyPrompt {
    /// The lines of the statement so far.
    pub text: String,
    /// The prompt was printed.
    pub shown: bool,
    /// The module of the statements.
    pub main: u32,
    /// Input of later lines.
    pub input: Vec<u8>,
}

/// Whether a text needs more lines before it can run.
fn needs_more(text: &str) -> bool {
    let last = text.strip_suffix('\n').unwrap_or(text).rsplit('\n').next().unwrap_or("");
    let first = text.split(|c: char| !c.is_alphanumeric() && c != '@' && c != '_').find(|w| !w.is_empty());
    let first = if text.trim_start().starts_with('@') { Some("@") } else { first };
    let block = first.is_some_and(|w| BLOCKS.contains(&w)) && (first != Some("match") || text.contains(':'));
    match parser::parse(text) {
        Ok(_) => block && !last.trim().is_empty(),
        Err(fault) => {
            let open = ["was never closed", "unterminated triple-quoted", "unexpected EOF"];
            open.iter().any(|m| fault.message.contains(m))
                || last.ends_with('\\')
                || first == Some("@") && !last.trim().is_empty() && fault.at.0 as usize + 1 >= text.len()
                || !last.trim().is_empty()
                    && ["expected an indented block", "expected 'except' or 'finally'"]
                        .iter()
                        .any(|m| fault.message.starts_with(m))
        }
    }
}

impl PyVm<'_> {
    fn say(&mut self, fd: u32, text: &str) {
        let (pid, now) = (self.pid, self.now);
        // A terminal accepts all output. If it was closed, the next read ends the process.
        let _ = self.kernel.write(pid, fd, text.as_bytes(), now);
    }

    /// Runs statements until the process has to wait or the input ends.
    pub(crate) fn converse(&mut self, prompt: &mut PyPrompt) -> PyResult {
        loop {
            if !self.s.frames.is_empty() {
                match self.take_turns(true) {
                    Ok(_) => {}
                    Err(Stop::Raise(exception)) => self.report(prompt, exception)?,
                    Err(stop) => return Err(stop),
                }
                let out = self.s.stdout;
                self.flush_file(out)?;
            }
            if !prompt.shown {
                self.say(1, if prompt.text.is_empty() { ">>> " } else { "... " });
                prompt.shown = true;
            }
            let Some(line) = self.typed(prompt)? else {
                self.say(1, "\n");
                return Ok(Py::None);
            };
            prompt.shown = false;
            prompt.text += &line;
            if prompt.text.len() < LONGEST && needs_more(&prompt.text) {
                continue;
            }
            let source = std::mem::take(&mut prompt.text);
            if source.trim().is_empty() {
                continue;
            }
            match self.load_unit("<stdin>", &source, SourceMode::Interactive) {
                Ok(unit) => self.push_body(unit, 0, prompt.main, OnReturn::End)?,
                Err(Stop::Raise(exception)) => self.report(prompt, exception)?,
                Err(stop) => return Err(stop),
            }
        }
    }

    /// Prints an exception and continues; `SystemExit` ends the process.
    pub(crate) fn report(&mut self, prompt: &mut PyPrompt, exception: Py) -> PyResult<()> {
        if self.is_exception(exception, "SystemExit") {
            return Err(Stop::Raise(exception));
        }
        let idle = self.s.frames.is_empty() && self.instance_attr(exception, "__trace__").is_none();
        let text = if idle && self.is_exception(exception, "KeyboardInterrupt") {
            "\nKeyboardInterrupt\n".to_owned()
        } else {
            self.traceback(exception, 0, true)
        };
        let out = self.s.stdout;
        self.flush_file(out)?;
        self.say(2, &text);
        prompt.text.clear();
        prompt.shown = false;
        self.s.frames.clear();
        Ok(())
    }

    /// The next line with its newline; `None` at the end of the input.
    fn typed(&mut self, prompt: &mut PyPrompt) -> PyResult<Option<String>> {
        loop {
            if let Some(end) = prompt.input.iter().position(|b| *b == b'\n') {
                let line: Vec<u8> = prompt.input.drain(..=end).collect();
                return Ok(Some(String::from_utf8_lossy(&line).replace('\r', "")));
            }
            match self.kernel.read(self.pid, 0, 65_536) {
                Ok(data) if data.is_empty() => {
                    let rest = std::mem::take(&mut prompt.input);
                    return Ok((!rest.is_empty()).then(|| String::from_utf8_lossy(&rest).into_owned() + "\n"));
                }
                Ok(data) => prompt.input.extend(data),
                Err(Errno::EAGAIN) => return Err(Stop::Wait(Wait::Readable(0))),
                Err(_) => return Ok(None),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::needs_more;

    #[test]
    fn which_lines_need_more() {
        for text in [
            "for i in range(3):\n",
            "for i in x:\n    print(i)\n",
            "x = (1,\n",
            "\"\"\"a\n",
            "if x: y\n",
            "@d\n",
            "try:\n    a\n",
        ] {
            assert!(needs_more(text), "{text}");
        }
        for text in [
            "x = 1\n",
            "print(\n1)\n",
            "for i in x:\n    print(i)\n\n",
            "x = )\n",
            "1 +\n",
            "if x: y\n\n",
            "match = 3\n",
        ] {
            assert!(!needs_more(text), "{text}");
        }
    }
}
