//! Redirection of tasks' input and output: `--output`, `--error`, `--input` with their patterns.
//!
//! Mirrors "IO REDIRECTION" of srun(1). srun writes the files itself, so they contain labels, too.

use crate::Cx;
use base::pad;
use host::Fd;
use host::kernel::OpenFlags;
use serde::{Deserialize, Serialize};
use slurmctld::job::Job;

/// The destination of a task's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sink {
    /// srun's own standard output or error.
    Own,
    /// A file that srun holds open.
    File(Fd),
    /// Discarded: `none`, or a task that is not shown.
    Nowhere,
}

/// The values for patterns in a task's file names.
pub struct Names<'a> {
    pub job: &'a Job,
    /// The job's name as srun knows it.
    pub name: String,
    /// `12.0`, and the part after the dot.
    pub step: String,
    pub node: &'a str,
    /// The index of its node in the step.
    pub node_id: usize,
    pub rank: u32,
    pub user: String,
}

/// What `%a` prints outside an array.
const NO_TASK: u32 = 4_294_967_294;

impl Names<'_> {
    /// The path for a pattern. A backslash disables all replacements.
    #[must_use]
    pub fn expand(&self, pattern: &str) -> String {
        if pattern.contains('\\') {
            return pattern.replace('\\', "");
        }
        let mut out = String::new();
        let mut chars = pattern.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '%' {
                out.push(c);
                continue;
            }
            let mut width = String::new();
            while let Some(d) = chars.next_if(char::is_ascii_digit) {
                width.push(d);
            }
            let letter = chars.next();
            match letter.and_then(|letter| self.value(letter, width.parse().unwrap_or(0))) {
                Some(text) => out += &text,
                None => {
                    out.push('%');
                    out += &width;
                    out.extend(letter);
                }
            }
        }
        out
    }

    fn value(&self, letter: char, width: usize) -> Option<String> {
        let width = width.min(10);
        let number = |text: String| pad::zeros(text, width);
        let array = self.job.array.as_ref();
        Some(match letter {
            'A' => number(array.map_or(self.job.id, |a| a.job).to_string()),
            'a' => number(array.and_then(|a| a.task).unwrap_or(NO_TASK).to_string()),
            'b' => number((array.and_then(|a| a.task).unwrap_or(NO_TASK) % 10).to_string()),
            'J' => self.step.clone(),
            'j' => number(self.job.id.to_string()),
            'N' => self.node.to_owned(),
            'n' => number(self.node_id.to_string()),
            's' => number(self.step.split_once('.').map_or("0", |(_, s)| s).to_owned()),
            't' => number(self.rank.to_string()),
            'u' => self.user.clone(),
            'x' => self.name.clone(),
            '%' => "%".to_owned(),
            _ => return None,
        })
    }
}

/// Whether each task or node has its own file, which the node opens instead of srun.
#[must_use]
pub fn apart(pattern: &str) -> bool {
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.starts_with(['t', 'n', 'N']) {
            return true;
        }
        rest = rest.strip_prefix('%').unwrap_or(rest);
    }
    false
}

/// Open output files, by name.
#[derive(Default)]
pub struct Opened(Vec<(String, Fd)>);

impl Opened {
    /// The destination of a task's output stream, or an error if its file cannot be opened.
    ///
    /// # Errors
    /// The error message.
    pub fn sink(
        &mut self,
        cx: &mut Cx,
        pattern: Option<&str>,
        names: &Names,
        append: bool,
    ) -> Result<Sink, String> {
        let Some(pattern) = pattern.filter(|p| *p != "all") else { return Ok(Sink::Own) };
        if pattern == "none" {
            return Ok(Sink::Nowhere);
        }
        if let Ok(only) = pattern.parse::<u32>() {
            return Ok(if only == names.rank { Sink::Own } else { Sink::Nowhere });
        }
        let file = names.expand(pattern);
        if let Some((_, fd)) = self.0.iter().find(|(name, _)| *name == file) {
            return Ok(Sink::File(*fd));
        }
        let flags =
            OpenFlags { write: true, create: true, truncate: !append, append: true, ..OpenFlags::default() };
        let fd = cx.open(&file, flags).map_err(|errno| errno.to_string())?;
        self.0.push((file, fd));
        Ok(Sink::File(fd))
    }
}

#[cfg(test)]
mod tests {
    use super::apart;

    #[test]
    fn files_of_tasks() {
        assert!(apart("o-%3t") && apart("%N.txt") && apart("a%%-%n"));
        assert!(!apart("o-%j-%s") && !apart("100%%t"));
    }
}
