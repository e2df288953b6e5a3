//! `--multi-prog`: a file that assigns a program to each task. Mirrors "MULTIPLE PROGRAM CONFIGURATION" of
//! srun(1).

use base::bitset::BitSet;

/// The lines of the file: their tasks and words.
pub type MultiProgLines = Vec<(Vec<TaskRange>, Vec<String>)>;

/// A range of task numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskRange {
    low: u32,
    high: u32,
}

/// `*`: all tasks that no other line names.
const REST: TaskRange = TaskRange { low: 0, high: u32::MAX };

/// Parses the file's text for a step with this number of tasks, if known. Ids beyond it are refused only if the user
/// requested the number.
///
/// # Errors
/// Lines for the user.
pub fn read(
    file: &str,
    text: &str,
    tasks: Option<u32>,
    requested: bool,
) -> Result<MultiProgLines, Vec<String>> {
    let mut programs = MultiProgLines::new();
    let mut named = BitSet::new();
    let mut pending = String::new();
    for (at, line) in text.lines().enumerate() {
        if let Some(open) = line.strip_suffix('\\') {
            pending += open;
            continue;
        }
        let line = std::mem::take(&mut pending) + line;
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let mut words = words(text);
        let ranks = words.remove(0);
        let invalid = || format!("error: Line {} of configuration file {file} invalid", at + 1);
        let Some(spans) = spans(&ranks) else {
            return Err(vec!["error: Invalid task range specification".to_owned(), invalid()]);
        };
        if words.is_empty() {
            return Err(vec![invalid()]);
        }
        if let Some(why) = tasks.filter(|_| requested).and_then(|tasks| wrong_task(&spans, tasks, &mut named))
        {
            return Err(vec![format!("error: {why}"), invalid()]);
        }
        programs.push((spans, words));
    }
    match (0..tasks.unwrap_or(0)).find(|rank| of_task(&programs, *rank).is_none()) {
        Some(rank) => {
            Err(vec![format!("error: Configuration file {file} invalid, no record for task id {rank}")])
        }
        None => Ok(programs),
    }
}

/// Adds a line's tasks to those already named. Returns an error if one of them is invalid.
fn wrong_task(spans: &[TaskRange], tasks: u32, named: &mut BitSet) -> Option<String> {
    for rank in spans.iter().filter(|span| **span != REST).flat_map(|span| span.low..=span.high) {
        if rank >= tasks {
            return Some(format!("Invalid task id, {rank} >= ntasks"));
        }
        if named.contains(rank) {
            return Some(format!("Duplicate record for task {rank}"));
        }
        named.insert(rank);
    }
    None
}

fn spans(ranks: &str) -> Option<Vec<TaskRange>> {
    let one = |part: &str| {
        if part == "*" {
            return Some(REST);
        }
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        Some(TaskRange { low: low.parse().ok()?, high: high.parse().ok()? })
    };
    ranks.split(',').map(one).collect()
}

/// Splits at blanks; apostrophes quote a word.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quoted, mut open) = (false, false);
    for c in text.chars() {
        match c {
            '\'' => (quoted, open) = (!quoted, true),
            c if c.is_whitespace() && !quoted => {
                if open {
                    words.push(String::new());
                }
                open = false;
            }
            c => {
                if let Some(word) = words.last_mut() {
                    word.push(c);
                }
                open = true;
            }
        }
    }
    if !open && words.len() > 1 {
        words.pop();
    }
    words
}

/// A task's command, with `%t` replaced by its task id and `%o` by its index in the line's range.
#[must_use]
pub fn of_task(programs: &MultiProgLines, rank: u32) -> Option<Vec<String>> {
    let rest = |line: &&(Vec<TaskRange>, Vec<String>)| line.0.contains(&REST);
    for (spans, words) in programs.iter().filter(|line| !rest(line)).chain(programs.iter().filter(rest)) {
        let mut before = 0;
        for span in spans {
            if (span.low..=span.high).contains(&rank) {
                let offset = before + (rank - span.low);
                let fill = |w: &String| w.replace("%t", &rank.to_string()).replace("%o", &offset.to_string());
                return Some(words.iter().map(fill).collect());
            }
            before = before.saturating_add(span.high.saturating_sub(span.low)).saturating_add(1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_by_rank() {
        let text = "# comment\n0 hostname\n1-2 echo %t:%o\n*   bash -c 'echo \"rest\" x' \\\n end\n";
        let programs = read("f", text, Some(5), true).unwrap();
        assert_eq!(of_task(&programs, 2).unwrap(), ["echo", "2:1"]);
        assert_eq!(of_task(&programs, 4).unwrap(), ["bash", "-c", "echo \"rest\" x", "end"]);
    }

    #[test]
    fn error_messages() {
        assert_eq!(
            read("f", "0 a\n1-2:3 b\n", Some(1), true).unwrap_err(),
            ["error: Invalid task range specification", "error: Line 2 of configuration file f invalid"]
        );
        assert_eq!(
            read("f", "0 a\n", Some(2), true).unwrap_err(),
            ["error: Configuration file f invalid, no record for task id 1"]
        );
        assert_eq!(
            read("f", "0 a\n1,3 b\n", Some(3), true).unwrap_err(),
            ["error: Invalid task id, 3 >= ntasks", "error: Line 2 of configuration file f invalid"]
        );
        assert_eq!(
            read("f", "* a\n0-1 b\n1-2 c\n", Some(3), true).unwrap_err(),
            ["error: Duplicate record for task 1", "error: Line 3 of configuration file f invalid"]
        );
    }
}
