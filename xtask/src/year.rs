//! `cargo xtask year`: what the import and the replay of a year of 1,000,000 jobs take, and of a quarter and half of it.
//!
//! The history is made by a seeded program: 1,500 users, with days and weeks, on 30 nodes of 32 cores that are busy for
//! about 70% of the time. The shorter histories have the same rate of jobs, so that the table shows whether time is linear.

use crate::run::{cargo, quietly, target};
use crate::{Outcome, say, setup};
use base::hash;
use base::time::{Time, hms};
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Jobs of the histories.
const SIZES: [u64; 3] = [250_000, 500_000, 1_000_000];
/// Seconds between two submissions, on average.
const BETWEEN: f64 = 365.0 * 86_400.0 / 1_000_000.0;
const USERS: u64 = 1500;
/// The first submission: 2025-01-06, a Monday.
const BEGAN: i64 = 1_736_121_600;
const COLUMNS: &str = "JobID|JobIDRaw|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|State|ReqCPUS|AllocCPUS|\
                       ReqNodes|NNodes|NodeList|ReqMem|ReqTRES|Constraints|Reason|SubmitLine";
const CONF: &str = "ClusterName=year\nSlurmctldHost=ctl\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\n\
                    SchedulerType=sched/backfill\nPriorityType=priority/multifactor\nPriorityWeightFairshare=10000\n\
                    PriorityWeightAge=1000\nAccountingStorageType=accounting_storage/slurmdbd\n\
                    AccountingStorageEnforce=associations\nNodeName=n[01-30] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 \
                    RealMemory=256000\nPartitionName=cpu Nodes=ALL Default=YES MaxTime=UNLIMITED State=UP\n";

/// Measures all sizes and prints a table.
pub fn year() -> Outcome {
    say::note("building the program");
    quietly(&mut cargo("build --release --locked --workspace --bin sandbatch"))?;
    let dir = target().join("year");
    println!("| jobs | text | import | memory | replay | memory |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    for jobs in SIZES {
        setup::discard(&dir)?;
        let bytes = write(&dir.join("export"), jobs).map_err(|e| format!("{}: {e}", dir.display()))?;
        let import = measured(&dir, &["import", "export", "--out", "site"])?;
        let replay = measured(&dir, &["replay", "site/workload.events", "--site", "site", "--quiet"])?;
        let cells =
            [import, replay].map(|(time, memory)| format!("{:.1} s | {memory} MiB", time.as_secs_f64()));
        println!("| {jobs} | {} MB | {} |", bytes / 1_000_000, cells.join(" | "));
    }
    setup::discard(&dir)
}

/// Writes an export with this number of jobs. Returns the bytes of its records.
fn write(dir: &Path, jobs: u64) -> std::io::Result<u64> {
    fs::create_dir_all(dir)?;
    fs::write(dir.join("slurm.conf"), CONF)?;
    let path = dir.join("sacct.txt");
    let mut file = std::io::BufWriter::new(fs::File::create(&path)?);
    writeln!(file, "{COLUMNS}")?;
    let mut at = 0.0;
    let mut line = String::new();
    for job in 1..=jobs {
        // Independent numbers of a job.
        let draw = |what: &str, below: u64| hash::scatter(&format!("{job} {what}")) % below;
        // Twice as many jobs by day as by night, and few at the weekend.
        let (day, hour) = ((at / 86_400.0) as u64 % 7, (at / 3600.0) as u64 % 24);
        let by_hour = if (8..20).contains(&hour) { 1.3 } else { 0.7 };
        let rate = by_hour * if day < 5 { 1.2 } else { 0.5 };
        at += BETWEEN / rate * draw("gap", 2000) as f64 / 1000.0;
        let submit = BEGAN + at as i64;
        // Many small and short jobs, few large and long ones.
        let cpus = 1_u64 << draw("cpus", 6);
        let run = i64::try_from(60_u64 << draw("run", 8)).unwrap_or(60) + draw("seconds", 60) as i64;
        let (wait, minutes) = (draw("wait", 900) as i64, run / 60 * 2 + 1);
        let (user, start) = (draw("user", USERS).min(draw("again", USERS)), submit + wait);
        let state = if draw("state", 20) == 0 { "FAILED" } else { "COMPLETED" };
        let stamp = |at: i64| Time::from_secs(at).iso();
        line.clear();
        let _ = writeln!(
            line,
            "{job}|{job}|u{user}|a{}|cpu|normal|{}|{}|{}|{}|{run}|{minutes}|{state}|{cpus}|{cpus}|1|1|n{:02}|{}M|\
             billing={cpus},cpu={cpus},mem={}M,node=1||None|sbatch -n {cpus} -N 1 job.sh",
            user % 40,
            stamp(submit),
            stamp(submit),
            stamp(start),
            stamp(start + run),
            draw("node", 30) + 1,
            cpus * 2000,
            cpus * 2000,
        );
        file.write_all(line.as_bytes())?;
    }
    file.flush()?;
    say::note(&format!("{jobs} jobs in {}", hms(at as i64)));
    Ok(fs::metadata(path)?.len())
}

/// Runs the program. Returns the time and the most memory in MiB.
fn measured(dir: &Path, arguments: &[&str]) -> Outcome<(Duration, u64)> {
    let program = target().join("release/sandbatch");
    let began = Instant::now();
    let mut command = Command::new(&program);
    command.args(arguments).current_dir(dir).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|e| format!("{}: {e}", program.display()))?;
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    loop {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|rest| rest.trim().trim_end_matches(" kB").parse::<u64>().ok());
        most = most.max(kilobytes.unwrap_or(0) / 1024);
        if let Some(ended) = child.try_wait().map_err(|e| e.to_string())? {
            let time = began.elapsed();
            return if ended.success() { Ok((time, most)) } else { Err(format!("{arguments:?}: {ended}")) };
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
