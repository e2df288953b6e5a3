//! `--multi-prog`: a file that says which task runs what. Mirrors "MULTIPLE PROGRAM CONFIGURATION" of srun(1).

/// Lines of the file: the tasks they are for, and words.
pub type Programs = Vec<(Vec<Span>, Vec<String>)>;

/// A range of task numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    low: u32,
    high: u32,
}

/// Reads the file's text for a step of so many tasks.
///
/// # Errors
/// Lines for the user.
pub fn read(file: &str, text: &str, tasks: u32) -> Result<Programs, Vec<String>> {
    let mut programs = Programs::new();
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
        programs.push((spans, words));
    }
    match (0..tasks).find(|rank| of_task(&programs, *rank).is_none()) {
        Some(rank) => {
            Err(vec![format!("error: Configuration file {file} invalid, no record for task id {rank}")])
        }
        None => Ok(programs),
    }
}

fn spans(ranks: &str) -> Option<Vec<Span>> {
    let one = |part: &str| {
        if part == "*" {
            return Some(Span { low: 0, high: u32::MAX });
        }
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        Some(Span { low: low.parse().ok()?, high: high.parse().ok()? })
    };
    ranks.split(',').map(one).collect()
}

/// Words between blanks; what stands between apostrophes is one.
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

/// What a task runs, `%t` and `%o` filled in: its number, and its place among the line's.
#[must_use]
pub fn of_task(programs: &Programs, rank: u32) -> Option<Vec<String>> {
    for (spans, words) in programs {
        let mut before = 0;
        for span in spans {
            if (span.low..=span.high).contains(&rank) {
                let place = before + (rank - span.low);
                let fill = |w: &String| w.replace("%t", &rank.to_string()).replace("%o", &place.to_string());
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
        let programs = read("f", text, 5).unwrap();
        assert_eq!(of_task(&programs, 2).unwrap(), ["echo", "2:1"]);
        assert_eq!(of_task(&programs, 4).unwrap(), ["bash", "-c", "echo \"rest\" x", "end"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        assert_eq!(
            read("f", "0 a\n1-2:3 b\n", 1).unwrap_err(),
            ["error: Invalid task range specification", "error: Line 2 of configuration file f invalid"]
        );
        assert_eq!(
            read("f", "0 a\n", 2).unwrap_err(),
            ["error: Configuration file f invalid, no record for task id 1"]
        );
    }
}
