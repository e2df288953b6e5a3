//! The keys of `#SIM` lines: one table for the parser, for `man sim` and for the editor's lint.
//!
//! A line contains several `key=value` words. The value of a text key (`print=`) extends to the end of the
//! line. Other values with blanks may be quoted.

use super::context::ModelContext;
use super::plan::{ModelEnd, ModelFailure, ModelPlan, SignalReaction, Threads, WorkTime};
use super::speed::{Over, SpeedUp};
use super::text;
use crate::Signal;
use base::time::Span;

/// A parsed `print@50%=Half way`: key, time, value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimEntry {
    /// Its entry in the table.
    key: &'static SimKey,
    when: Option<String>,
    value: String,
}

/// The syntax of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueSyntax {
    /// No value (`mpi`).
    Nothing,
    /// One word or a quoted text.
    Word,
    /// The rest of the line.
    Line,
}

/// A key.
#[derive(Debug, PartialEq, Eq)]
pub struct SimKey {
    /// The key as written.
    pub name: &'static str,
    /// Whether a time may follow (`print@10m=`).
    pub moment: bool,
    takes: ValueSyntax,
    /// Placeholder for its value.
    pub value: &'static str,
    /// One line of help.
    pub help: &'static str,
}

const fn key(name: &'static str, value: &'static str, help: &'static str) -> SimKey {
    SimKey { name, moment: false, takes: ValueSyntax::Word, value, help }
}

const fn moment(key: SimKey, takes: ValueSyntax) -> SimKey {
    SimKey { moment: true, takes, ..key }
}

/// The table of keys.
pub const KEYS: &[SimKey] = &[
    key("time", "3m12s", "fixed run time, whatever the resources; also a range (30s-90s) or forever"),
    key(
        "work",
        "8h",
        "CPU time of its work (GPU time with gpu=); the run time is that divided by the speed-up",
    ),
    key("serial", "5%", "serial part of the work (Amdahl); default 0"),
    key("speedup", "1:1,2:1.9,8:6", "measured speed-up instead, linear between the points"),
    key(
        "over",
        "cpus|tasks|threads|nodes|gpus",
        "what the work is spread over; default: GPUs with gpu=, else CPUs",
    ),
    SimKey {
        takes: ValueSyntax::Nothing,
        ..key("mpi", "", "its tasks share the work, and only the first one prints")
    },
    key(
        "threads",
        "4|auto",
        "threads per task; auto: OMP_NUM_THREADS, SLURM_CPUS_PER_TASK or its CPUs; default 1",
    ),
    key("cpu", "95%", "CPU load of each thread"),
    moment(
        key(
            "memory",
            "600M|2G",
            "peak resident memory per task; with @WHEN, memory at that point, linear in between",
        ),
        ValueSyntax::Word,
    ),
    key("gpu", "90%", "load of each GPU it uses; fails without a GPU"),
    key("gpumemory", "12G", "memory used on each GPU"),
    key("gpus", "1|all", "how many of the visible GPUs it uses; default 1"),
    key("device", "0", "first GPU it uses (cuda:0)"),
    moment(
        key(
            "print",
            "TEXT",
            "print a line on standard output; expands $1, $NAME, $rank, $host and, with every, $n and $percent",
        ),
        ValueSyntax::Line,
    ),
    moment(key("stderr", "TEXT", "print a line on standard error"), ValueSyntax::Line),
    moment(key("write", "FILE TEXT", "append a line to a file"), ValueSyntax::Line),
    SimKey {
        takes: ValueSyntax::Line,
        ..key(
            "serve",
            "3000 TEXT",
            "listen on this port of its host and answer with this text (curl localhost:3000)",
        )
    },
    key("exit", "1", "exit code"),
    moment(
        key(
            "fail",
            "[10%:]1|SEGV[:TEXT]",
            "fail at that point (or at any time) with this code or signal and probability",
        ),
        ValueSyntax::Line,
    ),
    key("checkpoint", "10m[:FILE]", "save progress this often; a later start resumes from the file"),
    SimKey {
        takes: ValueSyntax::Line,
        ..key(
            "on",
            "USR1:checkpoint,exit:0",
            "reaction to a signal: ignore, checkpoint, exit[:CODE], print:TEXT",
        )
    },
    key("ignore", "TERM,INT", "signals to ignore"),
];

/// Parses the entries of a line.
pub fn entries(line: &str) -> Vec<Result<SimEntry, String>> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let (name, when) = word.split_once('@').map_or((word, None), |(n, w)| (n, Some(w.to_owned())));
        let Some(key) = KEYS.iter().find(|k| k.name == name) else {
            let like = KEYS.iter().find(|k| are_anagrams(k.name, name));
            let hint = like.map_or_else(String::new, |k| format!(" (did you mean {}?)", k.name));
            found.push(Err(format!("unknown key '{name}'{hint}")));
            rest = after.trim_start_matches(|c: char| !c.is_whitespace()).trim_start();
            continue;
        };
        let value = after.strip_prefix('=');
        let (value, left) = match (value, key.takes) {
            (None, _) => ("".to_owned(), after),
            (Some(text), ValueSyntax::Line) => (text.to_owned(), ""),
            (Some(text), ValueSyntax::Word | ValueSyntax::Nothing) => word_of(text),
        };
        rest = left.trim_start();
        found.push(Ok(SimEntry { key, when, value }));
    }
    found
}

/// The first word or quoted text, and the rest.
fn word_of(text: &str) -> (String, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote)
            && let Some((word, rest)) = inner.split_once(quote)
        {
            return (word.to_owned(), rest);
        }
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word.to_owned(), rest)
}

/// Whether two names are anagrams: a typical typing error.
fn are_anagrams(a: &str, b: &str) -> bool {
    let letters = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        base::order::StableSort::order(&mut bytes[..]);
        bytes
    };
    letters(a) == letters(b) || a.starts_with(b) || b.starts_with(a)
}

/// Applies an entry to a plan.
///
/// # Errors
/// What is wrong with it, as a sentence.
pub fn apply(plan: &mut ModelPlan, entry: &SimEntry, context: &ModelContext) -> Result<(), String> {
    let filled = text::fill(&entry.value, context);
    let value = filled.trim();
    let when = match entry.when.as_deref() {
        Some(_) if !entry.key.moment => return Err(format!("{} takes no moment", entry.key.name)),
        Some(text) => Some(WorkTime::parse(text).ok_or_else(|| format!("'{text}' is not a time"))?),
        None => None,
    };
    read(plan, entry.key.name, when, value, context)
        .ok_or_else(|| format!("{}={value}: expected {}", entry.key.name, entry.key.value))
}

fn read(
    plan: &mut ModelPlan,
    name: &str,
    when: Option<WorkTime>,
    value: &str,
    context: &ModelContext,
) -> Option<()> {
    let start = when.unwrap_or(WorkTime::After(Span(0)));
    match name {
        // `time` and `work` both define the run time: the later one wins, also over the default's `work`.
        "time" => {
            plan.time = Some(if value == "forever" { (FOREVER, FOREVER) } else { text::range(value)? });
            plan.work = None;
        }
        "work" => (plan.work, plan.time) = (Some(text::duration(value)?), None),
        "serial" => plan.speedup = SpeedUp::Amdahl(text::millionths(value)?),
        "speedup" => plan.speedup = SpeedUp::table(value)?,
        "over" => plan.over = Some(Over::parse(value)?),
        "mpi" => plan.mpi = value != "no",
        "threads" if value == "auto" => plan.threads = Threads::Auto,
        "threads" => plan.threads = Threads::Count(value.parse().ok().filter(|n| (1..=65_536).contains(n))?),
        "cpu" => plan.cpu = percent(value)?,
        "memory" => memory(plan, when, text::mebibytes(value)?),
        "gpu" => plan.gpu = Some(percent(value)?),
        "gpumemory" => plan.gpu_memory = text::mebibytes(value)?,
        "gpus" if value == "all" => plan.gpu_count = Some(u32::MAX),
        "gpus" => plan.gpu_count = Some(value.parse().ok()?),
        "device" => plan.gpu_device = value.trim_start_matches("cuda:").parse().ok()?,
        "print" => plan.lines.push((start, 1, text_of(value))),
        "stderr" => plan.lines.push((start, 2, text_of(value))),
        "write" => {
            let (file, text) = value.split_once(' ').unwrap_or((value, ""));
            let at = when.unwrap_or(WorkTime::Part(1_000_000));
            plan.files.push((at, Some(file).filter(|f| !f.is_empty())?.to_owned(), text.to_owned()));
        }
        "serve" => {
            let (port, text) = value.split_once(' ').unwrap_or((value, ""));
            plan.serve = Some((port.parse().ok().filter(|port| *port > 0)?, text_of(text)));
        }
        "exit" => plan.exit = value.parse().ok()?,
        "fail" => plan.fails.push(fail(when, value)?),
        "checkpoint" => {
            let (often, file) = value.split_once(':').unwrap_or((value, ""));
            let often = WorkTime::parse(&format!("every{often}"))?;
            plan.checkpoint = Some((often, file.to_owned()));
        }
        "on" => plan.reactions.push(reaction(value)?),
        "ignore" => {
            for signal in value.split(',') {
                plan.reactions.push((Signal::parse(signal.trim())?, vec![SignalReaction::Ignore]));
            }
        }
        _ => debug_assert!(context.name.is_empty(), "a key of the table is read: {name}"),
    }
    Some(())
}

/// The run time of programs that run until they are killed: ten years.
pub const FOREVER: Span = Span::from_secs(10 * 365 * 86_400);

/// A value without quotes.
fn text_of(value: &str) -> String {
    let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    inner.unwrap_or(value).to_owned()
}

fn percent(text: &str) -> Option<u32> {
    text.strip_suffix('%').unwrap_or(text).parse().ok().filter(|p| *p <= 100)
}

/// `memory=` without a time replaces earlier values; values with a time accumulate.
fn memory(plan: &mut ModelPlan, when: Option<WorkTime>, mebibytes: u64) {
    match when {
        None => plan.memory = vec![(WorkTime::Part(0), mebibytes / 5), (WorkTime::Part(250_000), mebibytes)],
        Some(when) => {
            let ramp = [WorkTime::Part(0), WorkTime::Part(250_000)];
            if plan.memory.iter().map(|m| m.0).eq(ramp) {
                plan.memory.clear();
            }
            plan.memory.push((when, mebibytes));
        }
    }
}

/// Parses `1`, `SEGV`, `10%:1:text`.
fn fail(when: Option<WorkTime>, value: &str) -> Option<ModelFailure> {
    let (first, rest) = value.split_once(':').unwrap_or((value, ""));
    let (chance, end, message) = match first.strip_suffix('%') {
        Some(_) => {
            let (end, message) = rest.split_once(':').unwrap_or((rest, ""));
            (text::millionths(first)?, end, message)
        }
        None => (1_000_000, first, rest),
    };
    let end = if end.is_empty() { ModelEnd::Code(1) } else { ModelEnd::parse(end.trim())? };
    Some(ModelFailure { when, chance, end, message: message.trim().to_owned() })
}

/// Parses `TERM:checkpoint,exit:0`, `USR1:print:Got it`.
fn reaction(value: &str) -> Option<(Signal, Vec<SignalReaction>)> {
    let (signal, mut rest) = value.split_once(':')?;
    let mut actions = Vec::new();
    while !rest.is_empty() {
        if let Some(text) = rest.strip_prefix("print:") {
            actions.push(SignalReaction::Print(text.to_owned()));
            break;
        }
        let (word, after) = rest.split_once(',').unwrap_or((rest, ""));
        rest = after.trim_start();
        actions.push(match word.trim().split_once(':').unwrap_or((word.trim(), "")) {
            ("ignore", "") => SignalReaction::Ignore,
            ("checkpoint", "") => SignalReaction::Checkpoint,
            ("exit", code) => SignalReaction::Exit(if code.is_empty() { 0 } else { code.parse().ok()? }),
            _ => return None,
        });
    }
    (!actions.is_empty()).then_some((Signal::parse(signal.trim())?, actions))
}

/// The errors in a `#SIM` line, for an editor.
#[must_use]
pub fn complaints(line: &str) -> Vec<String> {
    let mut plan = ModelPlan::default();
    plan.read_script(&format!("#SIM {line}"), &ModelContext::default(), false);
    plan.wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(line: &str) -> ModelPlan {
        let mut plan = ModelPlan::default();
        plan.read(line, &ModelContext { args: vec!["x.csv".into()], ..ModelContext::default() });
        plan
    }

    #[test]
    fn keys() {
        let p = plan("time=1m30s memory=1.5G exit=3 print@50%=half of $1, $n");
        assert_eq!(p.time, Some((Span::from_secs(90), Span::from_secs(90))));
        assert_eq!((p.memory[1].1, p.exit, p.wrong.len()), (1536, 3, 0));
        assert_eq!(p.lines, [(WorkTime::Part(500_000), 1, "half of x.csv, $n".to_owned())]);
        let p =
            plan("work=8h serial=5% over=gpus gpu=90% gpumemory=12G gpus=all device=cuda:1 mpi threads=auto");
        assert_eq!((p.work, p.gpu, p.gpu_memory), (Some(Span::from_secs(28_800)), Some(90), 12_288));
        let (timed, worked) = (plan("work=8h time=5m"), plan("time=5m work=8h"));
        assert_eq!((timed.work, timed.time.is_some()), (None, true));
        assert_eq!((worked.work.is_some(), worked.time), (true, None));
        assert_eq!((p.mpi, p.threads, p.gpu_device, p.gpu_count), (true, Threads::Auto, 1, Some(u32::MAX)));
        let p = plan("fail@10m=20%:SEGV:it broke");
        let end = ModelEnd::Signal(Signal::SEGV);
        let when = Some(WorkTime::After(Span::from_secs(600)));
        assert_eq!(p.fails, [ModelFailure { when, chance: 200_000, end, message: "it broke".into() }]);
        let p = plan("on=TERM:checkpoint,exit:4");
        assert_eq!(p.reactions, [(Signal::TERM, vec![SignalReaction::Checkpoint, SignalReaction::Exit(4)])]);
        let p = plan("memory=1G memory@0%=1G memory@1h=4G");
        assert_eq!(p.memory, [(WorkTime::Part(0), 1024), (WorkTime::After(Span::from_secs(3600)), 4096)]);
    }

    #[test]
    fn errors_are_reported() {
        assert_eq!(
            plan("tmie=3m memory=lots").wrong,
            ["unknown key 'tmie' (did you mean time?)", "memory=lots: expected 600M|2G"]
        );
        assert_eq!(plan("exit@3m=1").wrong, ["exit takes no moment"]);
        assert_eq!(complaints("time=soon").len(), 1);
    }
}
