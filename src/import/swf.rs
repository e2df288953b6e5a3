//! Converts the Standard Workload Format to sacct records, so that both share the path to a workload.

use crate::sacct::columns::SacctColumn as C;
use crate::sacct::{BoundedLines, SacctRow};
use engine::session::replay::swf::SwfMachine;
use std::io::BufRead;

/// Number of fields in a line.
const FIELDS: usize = 18;
/// The start of a trace whose header does not name one: 2001-09-09T01:46:40.
const BEGAN: i64 = 1_000_000_000;

/// Reads a trace: calls `take` with each record or broken line. Returns the machine in the header.
///
/// # Errors
/// It cannot be read.
pub fn read(
    input: impl BufRead,
    mut take: impl FnMut(Result<&SacctRow, (u32, &'static str, String)>),
) -> std::io::Result<SwfMachine> {
    let mut machine = SwfMachine::default();
    let mut began = BEGAN;
    let mut lines = BoundedLines::new(input);
    while let Some((number, line)) = lines.next_line()? {
        if let Some(comment) = line.trim_start().strip_prefix(';') {
            let Some((key, value)) = comment.split_once(':') else { continue };
            let value = value.split_whitespace().next().unwrap_or_default();
            match key.trim() {
                "MaxNodes" => machine.nodes = value.parse().unwrap_or(machine.nodes),
                "MaxProcs" => machine.processors = value.parse().unwrap_or(machine.processors),
                "UnixStartTime" => began = value.parse().ok().filter(|t| *t > 0).unwrap_or(began),
                _ => {}
            }
            continue;
        }
        if line.trim().is_empty() {
            continue;
        }
        match row(number, &line, began) {
            Ok(row) => take(Ok(&row)),
            Err(why) => take(Err((number, why, line))),
        }
    }
    Ok(machine)
}

fn row(number: u32, line: &str, began: i64) -> Result<SacctRow, &'static str> {
    let whole = |word: &str| word.split('.').next().and_then(|n| n.parse::<i64>().ok());
    let fields: Vec<i64> =
        line.split_ascii_whitespace().map_while(whole).map(|n| n.clamp(-1, 100_000_000_000)).collect();
    if fields.len() < FIELDS {
        return Err("fewer than 18 numbers");
    }
    let [job, submit, wait, run, used] = [fields[0], fields[1], fields[2], fields[3], fields[4]];
    let cpus = if fields[7] > 0 { fields[7] } else { used };
    if submit < 0 || cpus < 1 {
        return Err("no time of submission or no processors");
    }
    let started = run >= 0 && wait >= 0;
    let moment = |at: i64| (began + at).to_string();
    let limit = if fields[8] > 0 { fields[8] } else { run.max(1) };
    let state = match fields[10] {
        5 => "CANCELLED",
        0 | 3 => "FAILED",
        _ if started => "COMPLETED",
        _ => "CANCELLED",
    };
    let some = |there: bool, text: String| if there { text } else { String::new() };
    Ok(SacctRow::from_pairs(
        number,
        [
            (C::JobId, job.max(0).to_string()),
            (C::User, format!("user{}", fields[11].max(0))),
            (C::Account, some(fields[12] >= 0, format!("group{}", fields[12]))),
            (C::Submit, moment(submit)),
            (C::Start, some(started, moment(submit + wait.max(0)))),
            (
                C::End,
                some(started || (fields[10] == 5 && wait >= 0), moment(submit + wait.max(0) + run.max(0))),
            ),
            (C::ElapsedRaw, some(started, run.to_string())),
            (C::TimelimitRaw, ((limit + 59) / 60).to_string()),
            (C::State, state.to_owned()),
            (C::ReqCpus, cpus.to_string()),
            (C::ReqNodes, "1".to_owned()),
            // The trace does not contain nodes, so jobs are placed wherever they fit.
            (C::AllocNodes, some(started, "2".to_owned())),
            (C::AllocCpus, some(started, used.max(1).to_string())),
        ],
    ))
}
