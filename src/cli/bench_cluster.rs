//! `sandbatch bench cluster`: measures the start of a cluster, one command, and many commands from many processes.

use super::out;
use ::cluster::directory::ClusterDir;
use ::cluster::{VARIABLE, control, real_now, up};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Starts of a cluster; the median counts.
const STARTS: usize = 5;
/// Repetitions of a command; the median counts.
const TIMES: usize = 50;
/// Processes that run commands at the same time, and commands of each.
const PROCESSES: usize = 50;
const EACH: usize = 10;
/// The site.
const SITE: &str = "lab";

/// Runs the benchmark.
///
/// # Errors
/// A cluster cannot be started or a command fails.
pub fn run() -> Result<u8, String> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        let began = real_now();
        let dir = start()?;
        starts.push(began.elapsed());
        control::down(&dir)?;
    }
    let dir = start()?;
    let measured = commands(&dir, &starts);
    control::down(&dir)?;
    out::print(&measured?)?;
    Ok(0)
}

fn start() -> Result<ClusterDir, String> {
    let name = format!("bench-{}", std::process::id());
    up::start(Some(&name), SITE, &["--site".into(), SITE.into()])
}

fn commands(dir: &ClusterDir, starts: &[Duration]) -> Result<String, String> {
    let mut text = "| what | time |\n| --- | ---: |\n".to_owned();
    let mut row = |what: &str, time: Duration| {
        text.push_str(&format!("| {what} | {:.1} ms |\n", time.as_secs_f64() * 1e3));
    };
    row("cluster up", median(starts));
    for words in [["sinfo", "-h"], ["squeue", "-h"], ["sacct", "-X"], ["sbatch", "--wrap=true"]] {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            let began = real_now();
            one(dir, &words)?;
            times.push(began.elapsed());
        }
        row(&words.join(" "), median(&times));
    }
    let began = real_now();
    let all: Result<Vec<()>, String> = std::thread::scope(|scope| {
        let several = || (0..EACH).try_for_each(|_| one(dir, &["squeue", "-h"]));
        let threads: Vec<_> = (0..PROCESSES).map(|_| scope.spawn(several)).collect();
        threads.into_iter().map(|t| t.join().map_err(|_| "a thread has panicked".to_owned())?).collect()
    });
    all?;
    let count = u32::try_from(PROCESSES * EACH).unwrap_or(1);
    let rate = f64::from(count) / began.elapsed().as_secs_f64();
    text.push_str(&format!("\n{rate:.0} commands per second from {PROCESSES} processes at once\n"));
    Ok(text)
}

fn one(dir: &ClusterDir, words: &[&str]) -> Result<(), String> {
    let (name, args) = words.split_first().ok_or("no command")?;
    let mut command = Command::new(dir.commands().join(name));
    command.args(args).env(VARIABLE, dir.path()).current_dir(dir.path());
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status().map_err(|e| e.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
