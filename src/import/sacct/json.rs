//! Reads `sacct --json` of any data parser, job by job, so that memory does not grow with the number of jobs.

use super::SacctRow;
use super::columns::SacctColumn as C;
use serde::de::{DeserializeSeed, Deserializer as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::io::Read;

/// Calls `take` with each job; returns their number. The line of a record is the job's index in the list, from 1.
///
/// # Errors
/// The text is no JSON, ends too early, or has no list of jobs.
pub fn read(input: impl Read, mut take: impl FnMut(&SacctRow)) -> Result<u64, String> {
    let mut document = JsonDocument { count: None, take: &mut take };
    let mut de = serde_json::Deserializer::from_reader(std::io::BufReader::new(input));
    de.deserialize_map(&mut document).map_err(|e| format!("no valid JSON: {e}"))?;
    document.count.ok_or_else(|| "it has no list 'jobs'".to_owned())
}

struct JsonDocument<'f> {
    count: Option<u64>,
    take: &'f mut dyn FnMut(&SacctRow),
}

impl<'de> Visitor<'de> for &mut JsonDocument<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object with a list 'jobs'")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "jobs" {
                self.count = Some(map.next_value_seed(JsonJobs(&mut *self.take))?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct JsonJobs<'f>(&'f mut dyn FnMut(&SacctRow));

impl<'de> DeserializeSeed<'de> for JsonJobs<'_> {
    type Value = u64;

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for JsonJobs<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of jobs")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u64, A::Error> {
        let mut count: u64 = 0;
        while let Some(job) = seq.next_element::<Value>()? {
            count += 1;
            (self.0)(&row(u32::try_from(count).unwrap_or(u32::MAX), &job));
        }
        Ok(count)
    }
}

/// A number, or `{"set": true, "infinite": false, "number": 4}`.
fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(n) => n.as_i64(),
        Value::String(text) => text.parse().ok(),
        Value::Object(parts) => {
            let set = parts.get("set").and_then(Value::as_bool).unwrap_or(true);
            parts.get("number").and_then(Value::as_i64).filter(|_| set)
        }
        Value::Null | Value::Bool(_) | Value::Array(_) => None,
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(text).collect::<Vec<_>>().join(","),
        Value::Number(n) => n.to_string(),
        Value::Null | Value::Bool(_) | Value::Object(_) => String::new(),
    }
}

fn row(line: u32, job: &Value) -> SacctRow {
    let count = |path: &str| job.pointer(path).and_then(number).filter(|n| *n > 0);
    let said = |path: &str| job.pointer(path).map(text).unwrap_or_default();
    let shown = |n: Option<i64>| n.map_or_else(String::new, |n| n.to_string());
    let id = count("/job_id").unwrap_or(0);
    let task = job.pointer("/array/task_id").and_then(number);
    let leader = count("/het/job_id");
    let name = match (count("/array/job_id"), task, leader) {
        (Some(array), Some(task), _) => format!("{array}_{task}"),
        (_, _, Some(leader)) => {
            format!("{leader}+{}", job.pointer("/het/job_offset").and_then(number).unwrap_or(0))
        }
        _ => id.to_string(),
    };
    let infinite = job.pointer("/time/limit/infinite").and_then(Value::as_bool) == Some(true);
    let limit = if infinite { "UNLIMITED".to_owned() } else { shown(count("/time/limit")) };
    let state = said("/state/current");
    let per_cpu = count("/required/memory_per_cpu").map(|mib| format!("{mib}Mc"));
    let per_node = count("/required/memory_per_node").map(|mib| format!("{mib}Mn"));
    let start = count("/time/start");
    SacctRow::from_pairs(
        line,
        [
            (C::JobId, name),
            (C::JobIdRaw, id.to_string()),
            (C::User, said("/user")),
            (C::Account, said("/account")),
            (C::Partition, said("/partition")),
            (C::Qos, said("/qos")),
            (C::Submit, shown(count("/time/submission"))),
            (C::Eligible, shown(count("/time/eligible"))),
            (C::Start, shown(start)),
            (C::End, shown(count("/time/end"))),
            (C::ElapsedRaw, shown(job.pointer("/time/elapsed").and_then(number))),
            (C::TimelimitRaw, limit),
            // `["CANCELLED"]`, `["RUNNING","COMPLETING"]`, `"COMPLETED"`.
            (C::State, state.split(',').next().unwrap_or_default().to_owned()),
            (C::ReqCpus, shown(count("/required/CPUs"))),
            (C::ReqNodes, tres(job, "/tres/requested", "node")),
            (C::AllocCpus, tres(job, "/tres/allocated", "cpu")),
            (C::AllocNodes, shown(count("/allocation_nodes"))),
            (C::NodeList, said("/nodes")),
            (C::ReqMem, per_cpu.or(per_node).unwrap_or_default()),
            (C::ReqTres, list(job, "/tres/requested")),
            (C::Constraints, said("/constraints")),
            (C::Licenses, said("/licenses")),
            (C::Reservation, said("/reservation/name")),
            (C::Reason, said("/state/reason")),
            (C::SubmitLine, said("/submit_line")),
        ],
    )
}

fn entries<'j>(job: &'j Value, path: &str) -> impl Iterator<Item = (String, i64)> + 'j {
    let all = job.pointer(path).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    all.iter().filter_map(|entry| {
        let name = entry.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let kind = entry.get("type").and_then(Value::as_str)?;
        let full = name.map_or_else(|| kind.to_owned(), |name| format!("{kind}/{name}"));
        Some((full, entry.get("count").and_then(number)?))
    })
}

fn tres(job: &Value, path: &str, name: &str) -> String {
    entries(job, path).find(|(n, _)| n == name).map_or_else(String::new, |(_, n)| n.to_string())
}

/// In the format of sacct's column: `cpu=4,mem=1000M,gres/gpu=1`.
fn list(job: &Value, path: &str) -> String {
    let shown = |(name, count): (String, i64)| {
        let unit = if name == "mem" { "M" } else { "" };
        format!("{name}={count}{unit}")
    };
    entries(job, path).map(shown).collect::<Vec<_>>().join(",")
}
