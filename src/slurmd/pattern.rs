//! File name patterns of `--output`, `--error` and `--input`. Mirrors "FILENAME PATTERN" of sbatch(1).

use base::pad;
use host::path;
use slurmctld::Slurmctld;
use slurmctld::job::Job;

/// What `%a` prints outside an array, as in Slurm.
const NO_TASK: u32 = 4_294_967_294;

/// The absolute path of a pattern for a job's batch step. A backslash disables all replacements.
#[must_use]
pub fn expand(pattern: &str, job: &Job, ctld: &Slurmctld) -> String {
    filled(pattern, &job.desc.work_dir, &|letter| value(letter, job, ctld))
}

/// The absolute path of a pattern, with letters replaced by the values of `value`. Letters without a value stay
/// as they are.
#[must_use]
pub fn filled(pattern: &str, work_dir: &str, value: &dyn Fn(char) -> Option<PatternValue>) -> String {
    let text = if pattern.contains('\\') { pattern.replace('\\', "") } else { conversions(pattern, value) };
    path::resolve(work_dir, &text)
}

fn conversions(pattern: &str, value: &dyn Fn(char) -> Option<PatternValue>) -> String {
    let mut out = String::new();
    let mut rest = pattern;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let Some(letter) = after[digits..].chars().next() else {
            rest = &rest[at..];
            break;
        };
        let width: usize = after[..digits].parse().unwrap_or(0);
        match value(letter) {
            Some(PatternValue::Number(n)) => out.push_str(&pad::zeros(n, width.min(10))),
            Some(PatternValue::Text(text)) => out.push_str(&text),
            None => out.push_str(&rest[at..at + 1 + digits + letter.len_utf8()]),
        }
        rest = &after[digits + letter.len_utf8()..];
    }
    out.push_str(rest);
    out
}

/// The replacement of a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternValue {
    /// A number, which the pattern can pad with zeros.
    Number(u32),
    /// A text.
    Text(String),
}

fn value(letter: char, job: &Job, ctld: &Slurmctld) -> Option<PatternValue> {
    let array = job.array.as_ref();
    Some(match letter {
        'A' => PatternValue::Number(array.map_or(job.id, |a| a.job).0),
        'a' => PatternValue::Number(array.and_then(|a| a.task).unwrap_or(NO_TASK)),
        'b' => PatternValue::Number(array.and_then(|a| a.task).unwrap_or(NO_TASK) % 10),
        'j' => PatternValue::Number(job.id.0),
        'J' => PatternValue::Text(job.id.to_string()),
        'N' => PatternValue::Text(job.batch_host.map(|n| ctld.node(n).conf.name.clone()).unwrap_or_default()),
        'n' | 't' => PatternValue::Number(0),
        's' => PatternValue::Text("batch".to_owned()),
        'u' => PatternValue::Text(ctld.user_name(job.uid())),
        'x' => PatternValue::Text(job.name.clone()),
        '%' => PatternValue::Text("%".to_owned()),
        _ => return None,
    })
}

/// The path of a batch job's standard output.
#[must_use]
pub fn stdout(job: &Job, ctld: &Slurmctld) -> String {
    expand(job.desc.stdout.as_deref().unwrap_or(usual(job.array.is_some())), job, ctld)
}

/// Slurm's default pattern for standard output.
#[must_use]
pub const fn usual(array: bool) -> &'static str {
    if array { "slurm-%A_%a.out" } else { "slurm-%j.out" }
}

/// The path of a batch job's standard error; none if it goes to standard output.
#[must_use]
pub fn stderr(job: &Job, ctld: &Slurmctld) -> Option<String> {
    job.desc.stderr.as_deref().map(|pattern| expand(pattern, job, ctld))
}
