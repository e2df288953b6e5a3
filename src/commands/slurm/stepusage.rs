//! CPU time and memory of a step for `sacct` and `sstat`: one table of fields.
//!
//! A step that finished before the first accounting sample has no values in the database.

use base::time::hms;
use base::usage::{Extreme, Usage, virtual_memory};

/// A step's usage, and how to print it.
pub struct ShownUsage<'a> {
    /// The usage.
    pub usage: &'a Usage,
    /// Whether its tasks were ever sampled.
    pub sampled: bool,
    /// The names of its nodes.
    pub nodes: &'a [String],
    /// `--units`: the unit of memory sizes.
    pub unit: Option<char>,
}

type UsageText = fn(&ShownUsage) -> String;

/// The text of a field; none if it is not a usage field or was not measured.
#[must_use]
pub fn text(name: &str, shown: &ShownUsage) -> Option<String> {
    let (_, get) = FIELDS.iter().find(|(field, _)| *field == name)?;
    shown.sampled.then(|| get(shown))
}

#[rustfmt::skip]
const FIELDS: &[(&str, UsageText)] = &[
    ("AveCPU", |s| seconds(s.usage.ave_cpu())),
    ("AvePages", |_| "0".to_owned()),
    ("AveRSS", |s| memory(s.usage.ave_rss(), s.unit)),
    ("AveVMSize", |s| memory(virtual_memory(s.usage.ave_rss()), s.unit)),
    ("MaxPages", |_| "0".to_owned()),
    ("MaxPagesNode", |s| node(s, s.usage.max_rss)),
    ("MaxPagesTask", |s| s.usage.max_rss.task.to_string()),
    ("MaxRSS", |s| memory(s.usage.max_rss.value, s.unit)),
    ("MaxRSSNode", |s| node(s, s.usage.max_rss)),
    ("MaxRSSTask", |s| s.usage.max_rss.task.to_string()),
    ("MaxVMSize", |s| memory(virtual_memory(s.usage.max_rss.value), s.unit)),
    ("MaxVMSizeNode", |s| node(s, s.usage.max_rss)),
    ("MaxVMSizeTask", |s| s.usage.max_rss.task.to_string()),
    ("MinCPU", |s| seconds(s.usage.min_cpu.value)),
    ("MinCPUNode", |s| node(s, s.usage.min_cpu)),
    ("MinCPUTask", |s| s.usage.min_cpu.task.to_string()),
    ("TRESUsageInAve", |s| tres(s.usage.ave_cpu(), s.usage.ave_rss(), s.unit)),
    ("TRESUsageInMax", |s| tres(s.usage.ave_cpu(), s.usage.max_rss.value, s.unit)),
    ("TRESUsageInTot", |s| tres(s.usage.cpu_time, s.usage.total_rss, s.unit)),
];

fn seconds(micros: u64) -> String {
    hms(i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX))
}

fn node(shown: &ShownUsage, extreme: Extreme) -> String {
    shown.nodes.get(extreme.node as usize).cloned().unwrap_or_default()
}

fn tres(cpu: u64, kib: u64, unit: Option<char>) -> String {
    let (mem, vmem) = (memory(kib, unit), memory(virtual_memory(kib), unit));
    format!("cpu={},energy=0,fs/disk=0,mem={mem},pages=0,vmem={vmem}", seconds(cpu))
}

/// Memory in KiB: in the requested unit, or in the largest unit with a whole or half value.
#[must_use]
pub fn memory(kib: u64, unit: Option<char>) -> String {
    const UNITS: [char; 5] = ['K', 'M', 'G', 'T', 'P'];
    let power = match unit {
        Some(unit) => UNITS.iter().position(|u| *u == unit).unwrap_or(0),
        None if kib == 0 => return "0".to_owned(),
        None => {
            let (mut whole, mut power) = (kib, 0);
            while power + 1 < UNITS.len() && whole >= 1024 && whole % 512 == 0 {
                whole /= 1024;
                power += 1;
            }
            power
        }
    };
    let letter = UNITS.get(power).copied().unwrap_or('K');
    let size = 1u64 << (10 * power);
    if power == 0 || kib.is_multiple_of(size) && kib > 0 {
        return format!("{}{letter}", kib / size);
    }
    let hundredths = (u128::from(kib) * 100 + u128::from(size / 2)) / u128::from(size);
    format!("{}.{:02}{letter}", hundredths / 100, hundredths % 100)
}

/// `00:01.250`, the format of CPU times; `00:00:00` without usage.
#[must_use]
pub fn cpu_time(micros: u64) -> String {
    let secs = i64::try_from(micros / 1_000_000).unwrap_or(i64::MAX);
    if micros / 1000 == 0 || secs >= 3600 {
        return hms(secs);
    }
    format!("{:02}:{:02}.{:03}", secs / 60, secs % 60, micros / 1000 % 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_memory() {
        for (kib, unit, text) in [
            (0, None, "0"),
            (4788, None, "4788K"),
            (256_000, None, "250M"),
            (1536, None, "1.50M"),
            (8000 * 1024, Some('G'), "7.81G"),
            (4 << 20, Some('G'), "4G"),
            (0, Some('G'), "0.00G"),
            (5, Some('K'), "5K"),
        ] {
            assert_eq!(memory(kib, unit), text, "{kib} {unit:?}");
        }
    }

    #[test]
    fn times() {
        assert_eq!(cpu_time(13_000), "00:00.013");
        assert_eq!(cpu_time(62_500_000), "01:02.500");
        assert_eq!(cpu_time(3_700_000_000), "01:01:40");
        assert_eq!(cpu_time(0), "00:00:00");
    }
}
