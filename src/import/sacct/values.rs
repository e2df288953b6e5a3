//! The values of sacct's columns.

use base::state::JobState;
use base::time::{Limit, Time};

/// A job's number as sacct writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SacctJobId {
    /// `12`
    Plain(u32),
    /// `12_3`
    Task(u32, u32),
    /// `12_[3-7%2]`: tasks that have not started.
    Waiting(u32, String),
    /// `12+1`
    Component(u32, u32),
    /// `12.batch`, `12_3.0`
    Step,
}

/// Reads a job's number.
#[must_use]
pub fn job_id(text: &str) -> Option<SacctJobId> {
    if let Some((job, step)) = text.split_once('.') {
        return (is_job_id(job) && !step.is_empty()).then_some(SacctJobId::Step);
    }
    if let Some((job, task)) = text.split_once('_') {
        let job = job.parse().ok()?;
        if let Some(tasks) = task.strip_prefix('[') {
            return Some(SacctJobId::Waiting(job, tasks.trim_end_matches(']').to_owned()));
        }
        return Some(SacctJobId::Task(job, task.parse().ok()?));
    }
    if let Some((job, offset)) = text.split_once('+') {
        return Some(SacctJobId::Component(job.parse().ok()?, offset.parse().ok()?));
    }
    text.parse().ok().map(SacctJobId::Plain)
}

/// Whether a text is a job's or step's number.
#[must_use]
pub fn is_job_id(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &text[digits..];
    (1..=10).contains(&digits)
        && (rest.is_empty() || rest.starts_with(['_', '.', '+']))
        && !rest.contains(' ')
}

/// Whether a text is a time or a word that means none.
#[must_use]
pub fn is_moment(text: &str) -> bool {
    matches!(text, "Unknown" | "None" | "N/A") || moment(text).is_some()
}

/// `2026-11-21T06:02:31`, or seconds since 1970 (`SLURM_TIME_FORMAT=%s`). None for `Unknown` and `None`.
#[must_use]
pub fn moment(text: &str) -> Option<Time> {
    let bytes = text.as_bytes();
    if bytes.len() >= 9 && bytes.iter().all(u8::is_ascii_digit) {
        return text.parse().ok().filter(|secs| *secs < 253_402_207_200).map(Time::from_secs);
    }
    if bytes.len() < 19 || bytes[4] != b'-' || !text.is_ascii() {
        return None;
    }
    let part = |from: usize, to: usize| text[from..to].parse::<i64>().ok();
    let (year, month, day) = (part(0, 4)?, part(5, 7)?, part(8, 10)?);
    let (hour, minute, second) = (part(11, 13)?, part(14, 16)?, part(17, 19)?);
    let fits = (1970..=2200).contains(&year)
        && (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    fits.then(|| Time::from_secs(days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second))
}

/// Days from 1970-01-01 to a date in the Gregorian calendar. A year of history has 1,000,000 jobs with four dates each.
const fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A state: `COMPLETED`, `CANCELLED by 1001`, `OUT_OF_ME+`. A requeued run is `Pending`.
#[must_use]
pub fn state(text: &str) -> Option<JobState> {
    let word = text.split([' ', '+']).next().unwrap_or_default();
    let whole = word.len() == text.len() || text.as_bytes().get(word.len()) == Some(&b' ');
    let table = [
        ("COMPLETED", JobState::Complete),
        ("FAILED", JobState::Failed),
        ("CANCELLED", JobState::Cancelled),
        ("TIMEOUT", JobState::Timeout),
        ("PENDING", JobState::Pending),
        ("RUNNING", JobState::Running),
        ("SUSPENDED", JobState::Suspended),
        ("NODE_FAIL", JobState::NodeFail),
        ("PREEMPTED", JobState::Preempted),
        ("BOOT_FAIL", JobState::BootFail),
        ("DEADLINE", JobState::Deadline),
        ("OUT_OF_MEMORY", JobState::OutOfMemory),
        ("REQUEUED", JobState::Pending),
        ("REQUEUE_HOLD", JobState::Pending),
        ("REQUEUE_FED", JobState::Pending),
        ("RESIZING", JobState::Running),
        ("REVOKED", JobState::Cancelled),
        ("SPECIAL_EXIT", JobState::Pending),
        ("CONFIGURING", JobState::Running),
        ("COMPLETING", JobState::Running),
        ("STOPPED", JobState::Running),
        ("STAGE_OUT", JobState::Complete),
        ("SIGNALING", JobState::Running),
    ];
    let same = |name: &str| if whole { name == word } else { word.len() > 3 && name.starts_with(word) };
    table.iter().find(|(name, _)| same(name)).map(|found| found.1)
}

/// Seconds of `1-02:03:04`, `02:03:04`, `03:04.123`, `4`.
#[must_use]
pub fn seconds(text: &str) -> Option<i64> {
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (days.parse::<i64>().ok()?, rest),
        None => (0, text),
    };
    let mut sum: i64 = 0;
    for part in rest.split(':') {
        let whole = part.split('.').next().unwrap_or_default();
        sum = sum.checked_mul(60)?.checked_add(whole.parse::<i64>().ok().filter(|n| *n >= 0)?)?;
    }
    days.checked_mul(86_400)?.checked_add(sum).filter(|secs| (0..=i64::from(u32::MAX)).contains(secs))
}

/// A time limit of `Timelimit` or `TimelimitRaw`. None: not recorded, or `Partition_Limit`.
#[must_use]
pub fn limit(raw: &str, long: &str) -> Option<Limit> {
    let of = |text: &str| text.eq_ignore_ascii_case("UNLIMITED").then_some(Limit::Unlimited);
    let minutes = |secs: i64| u32::try_from((secs + 59) / 60).ok().map(Limit::Minutes);
    of(raw)
        .or_else(|| raw.parse().ok().map(Limit::Minutes))
        .or_else(|| of(long))
        .or_else(|| seconds(long).and_then(minutes))
        .filter(|limit| *limit != Limit::Minutes(0))
}

/// Memory as `ReqMem` writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SacctMemory {
    /// `2800Mc`: MiB for each CPU.
    PerCpu(u64),
    /// `4Gn`: MiB for each node.
    PerNode(u64),
    /// `16G`: MiB in all (Slurm from 21.08 on).
    Total(u64),
}

/// Reads `ReqMem`: `2800Mc`, `4Gn`, `16G`, `4000?` (a unit unknown to sacct: MiB). None: nothing was requested.
#[must_use]
pub fn memory(text: &str) -> Option<SacctMemory> {
    let (text, kind) = match text.as_bytes().last()? {
        b'c' => (&text[..text.len() - 1], 'c'),
        b'n' => (&text[..text.len() - 1], 'n'),
        b'?' => (&text[..text.len() - 1], '?'),
        _ => (text, '='),
    };
    let mib = mib(text)?;
    if mib == 0 {
        return None;
    }
    Some(match kind {
        'c' => SacctMemory::PerCpu(mib),
        'n' => SacctMemory::PerNode(mib),
        _ => SacctMemory::Total(mib),
    })
}

/// MiB of `62.50G`, `8000M`, `1024K`, `4000`.
#[must_use]
pub fn mib(text: &str) -> Option<u64> {
    let unit = text.chars().last()?;
    let (digits, factor) = match unit.to_ascii_uppercase() {
        'K' => (&text[..text.len() - 1], 1.0 / 1024.0),
        'M' => (&text[..text.len() - 1], 1.0),
        'G' => (&text[..text.len() - 1], 1024.0),
        'T' => (&text[..text.len() - 1], 1024.0 * 1024.0),
        'P' => (&text[..text.len() - 1], 1024.0 * 1024.0 * 1024.0),
        _ => (text, 1.0),
    };
    let number: f64 = digits.parse().ok().filter(|n: &f64| n.is_finite() && *n >= 0.0)?;
    Some((number * factor).round().min(1e15) as u64)
}

/// The value of one kind in a list of TRES: `cpu=4,mem=16G,gres/gpu:a100=2`.
#[must_use]
pub fn tres<'t>(list: &'t str, name: &str) -> Option<&'t str> {
    list.split(',').filter_map(|part| part.split_once('=')).find(|(key, _)| *key == name).map(|pair| pair.1)
}
