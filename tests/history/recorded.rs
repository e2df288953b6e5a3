//! Imports what sacct printed on a real Slurm (the recorded workloads) and compares replays with it.

use super::{files, path, scratch};
use import::calibrate::{Calibration, calibrate};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The recorded workloads.
const SESSIONS: [&str; 12] = [
    "46-workload-cores",
    "88a-workload-lab",
    "88c-workload-limits",
    "88d-workload-preempt-part",
    "88f-workload-gang",
    "88g-workload-topo",
    "88i-workload-fair",
    "88k-workload-strict",
    "88l-workload-mila",
    "88m-workload-inserm",
    "88n-workload-iq",
    "88p-workload-gcp",
];

/// The tables that `sacct -P` printed in a session, joined by job: column names and texts.
fn tables(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut jobs: Vec<BTreeMap<String, String>> = Vec::new();
    let mut columns: Vec<String> = Vec::new();
    let mut places: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut round = String::new();
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            columns.clear();
            if command.starts_with("sacct -a -X")
                && command.contains(" -P -o ")
                && !command.contains(" -n -P")
            {
                let list = command.split(" -o ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("");
                columns = list.split(',').map(str::to_owned).collect();
                if list != round {
                    round = list.to_owned();
                    places.clear();
                }
            }
            continue;
        }
        let texts: Vec<&str> = line.split('|').collect();
        if columns.len() < 3
            || texts.len() != columns.len()
            || !line.starts_with(|c: char| c.is_ascii_digit())
        {
            continue;
        }
        // Requeued jobs have several records: the second of one table corresponds to the second of the other.
        let id = texts[0].to_owned();
        let nth = (0..).find(|n| !places.contains_key(&(id.clone(), n.to_string()))).unwrap_or(0_u32);
        places.insert((id.clone(), nth.to_string()), 0);
        let known =
            jobs.iter().enumerate().filter(|(_, job)| job["jobid"] == id).nth(nth as usize).map(|j| j.0);
        let at = known.unwrap_or_else(|| {
            jobs.push(BTreeMap::from([("jobid".to_owned(), id.clone())]));
            jobs.len() - 1
        });
        jobs[at].extend(columns.iter().cloned().zip(texts.iter().map(|t| (*t).to_owned())));
    }
    jobs
}

/// The command lines of the session's jobs by number, as `SubmitLine` records them. Refused commands print no number, so
/// the jobs of a line with a refusal are found by their names, users, partitions and QOS.
fn submit_lines(text: &str, records: &[BTreeMap<String, String>]) -> BTreeMap<String, String> {
    let names = names(text);
    let mut found = BTreeMap::new();
    let mut waiting: Vec<String> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    for line in text.lines().chain(["$ "]) {
        if let Some(command) = line.strip_prefix("$ ") {
            let possible = |command: &str, id: &str| {
                let said = |option: &str| value(command, option);
                let record = records.iter().find(|record| base_id(&record["jobid"]) == id);
                let agrees = |column: &str, option: &str| {
                    let (said, seen) = (said(option), record.and_then(|record| record.get(column)));
                    said.zip(seen).is_none_or(|(said, seen)| said.split(',').any(|word| word == seen))
                };
                names.get(id).zip(said("-J")).is_none_or(|(name, said)| *name == said)
                    && agrees("partition", "-p")
                    && agrees("qos", "-q")
            };
            found.extend(assigned(&waiting, &ids, &possible));
            ids.clear();
            waiting = commands(command).into_iter().filter(|c| c.starts_with("sbatch ")).collect();
        } else if let Some(id) = line.strip_prefix("Submitted batch job ") {
            ids.push(id.trim().to_owned());
        }
    }
    found
}

/// The commands that submitted these jobs, in the same order. A job for which several commands are possible is left out.
fn assigned(
    commands: &[String],
    ids: &[String],
    possible: &dyn Fn(&str, &str) -> bool,
) -> Vec<(String, String)> {
    let mut earliest = Vec::new();
    let mut next = 0;
    for id in ids {
        let Some(at) = (next..commands.len()).find(|at| possible(&commands[*at], id)) else {
            return Vec::new();
        };
        earliest.push(at);
        next = at + 1;
    }
    let mut certain = Vec::new();
    let mut end = commands.len();
    for (id, first) in ids.iter().zip(earliest).rev() {
        let last = (first..end).rev().find(|at| possible(&commands[*at], id)).unwrap_or(first);
        if first == last {
            certain.push((id.clone(), commands[first].clone()));
        }
        end = last;
    }
    certain
}

/// The names of jobs that squeue or sacct printed, by number.
fn names(text: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut column = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split([' ', '|']).filter(|word| !word.is_empty()).collect();
        if line.starts_with(['$', '@']) {
            column = None;
        } else if words.first().is_some_and(|word| word.starts_with("JOBI") || *word == "JobID") {
            column = words.iter().position(|word| ["NAME", "JobName"].contains(word));
        } else if let Some(name) = column.and_then(|column| words.get(column)) {
            found.insert(base_id(words[0]).to_owned(), (*name).to_owned());
        }
    }
    found
}

/// The number of a job without the task or component: `12_[3-6%2]`, `12+1`.
fn base_id(id: &str) -> &str {
    id.split(['_', '+']).next().unwrap_or_default()
}

/// The last value of an option in a command line: `-J w1`.
fn value<'c>(command: &'c str, option: &str) -> Option<&'c str> {
    let words: Vec<&str> = command.split(' ').collect();
    words.windows(2).rev().find(|pair| pair[0] == option).map(|pair| pair[1])
}

/// Commands separated by `;`, without quotes.
fn commands(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' | '\'' => quoted = !quoted,
            ';' if !quoted => all.push(String::new()),
            c => all.last_mut().unwrap().push(c),
        }
    }
    all.into_iter().map(|c| c.trim().to_owned()).collect()
}

/// Writes an export: the cluster's files, and the records.
fn export(session: &Path, dir: &Path) -> String {
    let text = fs::read_to_string(session).unwrap();
    let cluster = text.lines().find_map(|line| line.strip_prefix("@cluster ")).unwrap().trim().to_owned();
    let jobs = tables(&text);
    let lines = submit_lines(&text, &jobs);
    let columns = [
        "jobid",
        "user",
        "partition",
        "qos",
        "submit",
        "eligible",
        "start",
        "end",
        "elapsed",
        "elapsedraw",
        "timelimitraw",
        "state",
        "reqcpus",
        "ncpus",
        "nnodes",
        "nodelist",
    ];
    let mut sacct = columns.join("|") + "|submitline\n";
    for job in &jobs {
        let line = lines.get(base_id(&job["jobid"])).map_or("", String::as_str);
        let mut job = job.clone();
        // sacct was not asked for it, so the limit is taken from the command line.
        let limit = value(line, "-t").map(str::to_owned);
        job.entry("timelimitraw".to_owned()).or_insert(limit.unwrap_or_default());
        let texts = columns.map(|column| job.get(column).map_or("", String::as_str));
        sacct += &format!("{}|{line}\n", texts.join("|"));
    }
    fs::create_dir_all(dir).unwrap();
    fs::write(dir.join("sacct.txt"), sacct).unwrap();
    for file in ["slurm.conf", "gres.conf", "topology.conf", "cgroup.conf"] {
        let from = path("tests/corpus/clusters").join(&cluster).join(file);
        if from.is_file() {
            fs::copy(from, dir.join(file)).unwrap();
        }
    }
    cluster
}

fn calibrated(recording: &Path, name: &str) -> Calibration {
    let dir = scratch(name);
    let cluster = export(recording, &dir.join("export"));
    let site = dir.join("site");
    import::import(&dir.join("export"), &site).unwrap();
    // The accounts of the recorded clusters are commands, not tables.
    for file in ["accounts.sh", "users"] {
        let from = path("tests/corpus/clusters").join(&cluster).join(file);
        if from.is_file() {
            fs::copy(from, site.join(file)).unwrap();
        }
    }
    fs::remove_file(site.join("site.toml")).unwrap();
    let workload = fs::read_to_string(site.join(import::WORKLOAD)).unwrap();
    calibrate(&cluster, &files(&site), import::WORKLOAD, &workload, |_, _| {}).unwrap()
}

/// Compares mean waits. Real Slurm's mean wait differs between recordings, by up to a third in these sessions of one or
/// two minutes. The test therefore compares the means over all recordings without preemption, and the order of starts
/// in each.
#[test]
fn the_mean_waits_of_recorded_workloads() {
    let (mut recorded, mut simulated, mut jobs) = (0.0, 0.0, 0.0);
    let mut report = String::new();
    for session in SESSIONS {
        let mut means = Vec::new();
        for again in ["", "again/2/", "again/3/"] {
            let file = path("tests/corpus").join(format!("{again}{session}.txt"));
            let found = calibrated(&file, &format!("{session}{}", again.replace('/', "-")));
            let n = found.all.jobs as f64;
            assert!(n >= 8.0, "{session}: {n} jobs");
            // The wait of a preempted job depends on the choice of victims, which also differs between recordings.
            if !["88d-workload-preempt-part", "88l-workload-mila"].contains(&session) {
                recorded += found.all.recorded.mean * n;
                simulated += found.all.simulated.mean * n;
                jobs += n;
            }
            assert!(found.order.is_none_or(|order| order > 0.7), "{session}: {found}");
            means.push((found.all.recorded.mean, found.all.simulated.mean));
            if again.is_empty() {
                report += &format!("{session}: {:?} order {:?}\n", found.left_out, found.order);
            }
        }
        report += &format!("{session}: {means:.2?}\n");
    }
    let (recorded, simulated) = (recorded / jobs, simulated / jobs);
    let error = (simulated - recorded).abs() / recorded;
    println!("{report}recorded {recorded:.2} s, simulated {simulated:.2} s: {:.1}%", error * 100.0);
    assert!(error <= 0.07, "{report}{recorded} {simulated}");
}
