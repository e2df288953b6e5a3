//! The keys of `#SIM` lines: one table for reading them, for `man sim` and for the editor's lint.
//!
//! A line has several `key=value` words; the value of a key that takes a text (`print=`) runs to the line's end. Values
//! with blanks may be quoted otherwise.

use super::place::Place;
use super::plan::{Action, End, Fail, Plan, Threads, When};
use super::speed::{Over, SpeedUp};
use super::text;
use crate::base::time::Span;
use crate::host::Signal;

/// `print@50%=Half way`: key, moment, value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its row.
    key: &'static Key,
    when: Option<String>,
    value: String,
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// Nothing (`mpi`).
    Nothing,
    /// One word, or a text in quotes.
    Word,
    /// Everything up to the line's end.
    Line,
}

/// One key.
#[derive(Debug, PartialEq, Eq)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// Whether a moment may follow (`print@10m=`).
    pub moment: bool,
    takes: Takes,
    /// What its value looks like.
    pub value: &'static str,
    /// What it says, in a line.
    pub help: &'static str,
}

const fn key(name: &'static str, value: &'static str, help: &'static str) -> Key {
    Key { name, moment: false, takes: Takes::Word, value, help }
}

const fn moment(key: Key, takes: Takes) -> Key {
    Key { moment: true, takes, ..key }
}

/// The table.
pub const KEYS: &[Key] = &[
    key("time", "3m12s", "run time as it is, whatever the program got; also a range (30s-90s), forever"),
    key("work", "8h", "CPU time (GPU time with gpu=) of its work: the run time is that by the speed-up"),
    key("serial", "5%", "the part of the work that one does alone (Amdahl); 0 unless said"),
    key("speedup", "1:1,2:1.9,8:6", "measured speed-up instead: how much faster so many are"),
    key("over", "cpus|tasks|threads|nodes|gpus", "what the work is spread over; GPUs with gpu=, else CPUs"),
    Key {
        takes: Takes::Nothing,
        ..key("mpi", "", "its tasks share the work, and the first one speaks for all")
    },
    key(
        "threads",
        "4|auto",
        "threads of each task; auto: OMP_NUM_THREADS, SLURM_CPUS_PER_TASK or its CPUs; else 1",
    ),
    key("cpu", "95%", "of each thread's CPU"),
    moment(
        key(
            "memory",
            "600M|2G",
            "largest resident memory of each task; with moments what it is then, straight between",
        ),
        Takes::Word,
    ),
    key("gpu", "90%", "load of each GPU that it uses; without a GPU it fails"),
    key("gpumemory", "12G", "memory that it takes on each of them"),
    key("gpus", "1|all", "how many of the GPUs that it sees; 1 unless said"),
    key("device", "0", "the first one of them (cuda:0)"),
    moment(
        key(
            "print",
            "TEXT",
            "a line on standard output; $1, $NAME, $rank, $host and with every $n, $percent are filled in",
        ),
        Takes::Line,
    ),
    moment(key("stderr", "TEXT", "a line on standard error"), Takes::Line),
    moment(key("write", "FILE TEXT", "a line added to a file"), Takes::Line),
    Key {
        takes: Takes::Line,
        ..key(
            "serve",
            "3000 TEXT",
            "it listens on this port of its host; what it answers (curl localhost:3000)",
        )
    },
    key("exit", "1", "exit code"),
    moment(
        key(
            "fail",
            "[10%:]1|SEGV[:TEXT]",
            "it fails then (or at any time) with this code or signal, by this chance",
        ),
        Takes::Line,
    ),
    key("checkpoint", "10m[:FILE]", "it saves how far it is so often; a later start goes on from the file"),
    Key {
        takes: Takes::Line,
        ..key(
            "on",
            "USR1:checkpoint,exit:0",
            "what a signal does: ignore, checkpoint, exit[:CODE], print:TEXT",
        )
    },
    key("ignore", "TERM,INT", "signals that it takes no notice of"),
];

/// The entries of a line.
pub fn entries(line: &str) -> Vec<Result<Entry, String>> {
    let mut found = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let end = rest.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let (name, when) = word.split_once('@').map_or((word, None), |(n, w)| (n, Some(w.to_owned())));
        let Some(key) = KEYS.iter().find(|k| k.name == name) else {
            let like = KEYS.iter().find(|k| alike(k.name, name));
            let hint = like.map_or_else(String::new, |k| format!(" (did you mean {}?)", k.name));
            found.push(Err(format!("unknown key '{name}'{hint}")));
            rest = after.trim_start_matches(|c: char| !c.is_whitespace()).trim_start();
            continue;
        };
        let value = after.strip_prefix('=');
        let (value, left) = match (value, key.takes) {
            (None, _) => ("".to_owned(), after),
            (Some(text), Takes::Line) => (text.to_owned(), ""),
            (Some(text), Takes::Word | Takes::Nothing) => word_of(text),
        };
        rest = left.trim_start();
        found.push(Ok(Entry { key, when, value }));
    }
    found
}

/// The first word of a text, or what is in its quotes; and the rest.
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

/// Whether two names have the same letters, in whatever order: what slips of the fingers look like.
fn alike(a: &str, b: &str) -> bool {
    let letters = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        crate::base::order::Order::order(&mut bytes[..]);
        bytes
    };
    letters(a) == letters(b) || a.starts_with(b) || b.starts_with(a)
}

/// Carries out what an entry says.
///
/// # Errors
/// What is wrong with it, a sentence.
pub fn apply(plan: &mut Plan, entry: &Entry, place: &Place) -> Result<(), String> {
    let filled = text::fill(&entry.value, place);
    let value = filled.trim();
    let when = match entry.when.as_deref() {
        Some(_) if !entry.key.moment => return Err(format!("{} takes no moment", entry.key.name)),
        Some(text) => Some(When::parse(text).ok_or_else(|| format!("'{text}' is no moment"))?),
        None => None,
    };
    read(plan, entry.key.name, when, value, place)
        .ok_or_else(|| format!("{}={value}: expected {}", entry.key.name, entry.key.value))
}

fn read(plan: &mut Plan, name: &str, when: Option<When>, value: &str, place: &Place) -> Option<()> {
    let start = when.unwrap_or(When::After(Span(0)));
    match name {
        // Either says how long it runs: the later one counts, the default's `work` too.
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
            let at = when.unwrap_or(When::Part(1_000_000));
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
            let often = When::parse(&format!("every{often}"))?;
            plan.checkpoint = Some((often, file.to_owned()));
        }
        "on" => plan.reactions.push(reaction(value)?),
        "ignore" => {
            for signal in value.split(',') {
                plan.reactions.push((Signal::parse(signal.trim())?, vec![Action::Ignore]));
            }
        }
        _ => debug_assert!(place.name.is_empty(), "a key of the table is read: {name}"),
    }
    Some(())
}

/// What runs until somebody ends it: ten years.
pub const FOREVER: Span = Span::from_secs(10 * 365 * 86_400);

/// A value without its quotes.
fn text_of(value: &str) -> String {
    let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
    inner.unwrap_or(value).to_owned()
}

fn percent(text: &str) -> Option<u32> {
    text.strip_suffix('%').unwrap_or(text).parse().ok().filter(|p| *p <= 100)
}

/// Plain `memory=` begins anew; moments add up.
fn memory(plan: &mut Plan, when: Option<When>, mebibytes: u64) {
    match when {
        None => plan.memory = vec![(When::Part(0), mebibytes / 5), (When::Part(250_000), mebibytes)],
        Some(when) => {
            let ramp = [When::Part(0), When::Part(250_000)];
            if plan.memory.iter().map(|m| m.0).eq(ramp) {
                plan.memory.clear();
            }
            plan.memory.push((when, mebibytes));
        }
    }
}

/// `1`, `SEGV`, `10%:1:text`.
fn fail(when: Option<When>, value: &str) -> Option<Fail> {
    let (first, rest) = value.split_once(':').unwrap_or((value, ""));
    let (chance, end, message) = match first.strip_suffix('%') {
        Some(_) => {
            let (end, message) = rest.split_once(':').unwrap_or((rest, ""));
            (text::millionths(first)?, end, message)
        }
        None => (1_000_000, first, rest),
    };
    let end = if end.is_empty() { End::Code(1) } else { End::parse(end.trim())? };
    Some(Fail { when, chance, end, message: message.trim().to_owned() })
}

/// `TERM:checkpoint,exit:0`, `USR1:print:Got it`.
fn reaction(value: &str) -> Option<(Signal, Vec<Action>)> {
    let (signal, mut rest) = value.split_once(':')?;
    let mut actions = Vec::new();
    while !rest.is_empty() {
        if let Some(text) = rest.strip_prefix("print:") {
            actions.push(Action::Print(text.to_owned()));
            break;
        }
        let (word, after) = rest.split_once(',').unwrap_or((rest, ""));
        rest = after.trim_start();
        actions.push(match word.trim().split_once(':').unwrap_or((word.trim(), "")) {
            ("ignore", "") => Action::Ignore,
            ("checkpoint", "") => Action::Checkpoint,
            ("exit", code) => Action::Exit(if code.is_empty() { 0 } else { code.parse().ok()? }),
            _ => return None,
        });
    }
    (!actions.is_empty()).then_some((Signal::parse(signal.trim())?, actions))
}

/// What is wrong with a `#SIM` line, for an editor.
#[must_use]
pub fn complaints(line: &str) -> Vec<String> {
    let mut plan = Plan::default();
    plan.read_script(&format!("#SIM {line}"), &Place::default(), false);
    plan.wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(line: &str) -> Plan {
        let mut plan = Plan::default();
        plan.read(line, &Place { args: vec!["x.csv".into()], ..Place::default() });
        plan
    }

    #[test]
    fn keys() {
        let p = plan("time=1m30s memory=1.5G exit=3 print@50%=half of $1, $n");
        assert_eq!(p.time, Some((Span::from_secs(90), Span::from_secs(90))));
        assert_eq!((p.memory[1].1, p.exit, p.wrong.len()), (1536, 3, 0));
        assert_eq!(p.lines, [(When::Part(500_000), 1, "half of x.csv, $n".to_owned())]);
        let p =
            plan("work=8h serial=5% over=gpus gpu=90% gpumemory=12G gpus=all device=cuda:1 mpi threads=auto");
        assert_eq!((p.work, p.gpu, p.gpu_memory), (Some(Span::from_secs(28_800)), Some(90), 12_288));
        let (timed, worked) = (plan("work=8h time=5m"), plan("time=5m work=8h"));
        assert_eq!((timed.work, timed.time.is_some()), (None, true));
        assert_eq!((worked.work.is_some(), worked.time), (true, None));
        assert_eq!((p.mpi, p.threads, p.gpu_device, p.gpu_count), (true, Threads::Auto, 1, Some(u32::MAX)));
        let p = plan("fail@10m=20%:SEGV:it broke");
        let end = End::Signal(Signal::SEGV);
        let when = Some(When::After(Span::from_secs(600)));
        assert_eq!(p.fails, [Fail { when, chance: 200_000, end, message: "it broke".into() }]);
        let p = plan("on=TERM:checkpoint,exit:4");
        assert_eq!(p.reactions, [(Signal::TERM, vec![Action::Checkpoint, Action::Exit(4)])]);
        let p = plan("memory=1G memory@0%=1G memory@1h=4G");
        assert_eq!(p.memory, [(When::Part(0), 1024), (When::After(Span::from_secs(3600)), 4096)]);
    }

    #[test]
    fn mistakes_are_told() {
        assert_eq!(
            plan("tmie=3m memory=lots").wrong,
            ["unknown key 'tmie' (did you mean time?)", "memory=lots: expected 600M|2G"]
        );
        assert_eq!(plan("exit@3m=1").wrong, ["exit takes no moment"]);
        assert_eq!(complaints("time=soon").len(), 1);
    }
}
