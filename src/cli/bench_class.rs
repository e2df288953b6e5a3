//! `sandbatch bench class`: a class of simulated participants against a server on this machine. After half of the time, one more
//! participant sends as much as the connection takes.

use super::{bench_late, out};
use ::cluster::real_now;
use ::serve::participant::Participant;
use classroom::Secret;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Participants that compute the world. The others only count the entries: a hundred worlds take more than a machine.
const COMPUTE: usize = 4;
/// Pause between two inputs of a participant: 1,000 a minute for 100.
const PAUSE: Duration = Duration::from_secs(6);
/// Patience with a participant that joins or catches up.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The lines that they type.
const LINES: [&str; 4] = ["squeue", "sbatch -n 2 --wrap 'sleep 30'", "sinfo", "sacct -X"];

/// A server with a class, which ends with this value.
struct ServerProcess {
    child: Child,
    folder: PathBuf,
    address: SocketAddr,
    link: Secret,
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // It may have ended; a folder that stays is in the directory for temporary files.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The observations of a participant.
#[derive(Default)]
struct Observation {
    seat: u32,
    sent: Vec<(u64, Instant)>,
    arrived: Vec<(u32, u64, Instant)>,
    hash: Option<u64>,
    checkpoints: u32,
    differs: usize,
    refused: usize,
    lost: u32,
    last: u64,
}

/// Runs the benchmark.
///
/// # Errors
/// The server does not start, or a participant does not get in.
pub fn run(people: u32, seconds: u32) -> Result<u8, String> {
    let server = start(people)?;
    let (half, stop) = (AtomicBool::new(false), AtomicBool::new(false));
    let began = real_now();
    let pid = server.child.id();
    let (seen, cpu, half_at) = std::thread::scope(|scope| {
        let (half, stop, server) = (&half, &stop, &server);
        let threads: Vec<_> =
            (0..people).map(|n| scope.spawn(move || participate(server, n, people, stop))).collect();
        let flood = scope.spawn(move || overwhelm(server, half, stop));
        std::thread::sleep(Duration::from_secs(10));
        let (from, cpu) = (real_now(), cpu_seconds(pid));
        std::thread::sleep(Duration::from_secs(u64::from(seconds) / 2));
        let half_at = real_now();
        let first = share(cpu, cpu_seconds(pid), from.elapsed());
        half.store(true, Ordering::SeqCst);
        let (from, cpu) = (real_now(), cpu_seconds(pid));
        std::thread::sleep(Duration::from_secs(u64::from(seconds) / 2));
        let second = share(cpu, cpu_seconds(pid), from.elapsed());
        stop.store(true, Ordering::SeqCst);
        let all: Result<Vec<Observation>, String> = threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a participant has panicked".to_owned())?)
            .collect();
        let flooded = flood.join().unwrap_or(0);
        (all.map(|all| (all, flooded)), (first, second), half_at)
    });
    let (all, flooded) = seen?;
    let text = report(&all, cpu, half_at, memory(pid), (people, began.elapsed(), flooded));
    out::print(&format!("{text}\n{}", bench_late::run()?))?;
    let hashes: Vec<u64> = all.iter().filter_map(|seen| seen.hash).collect();
    let equal = hashes.windows(2).all(|pair| pair.first() == pair.last());
    let differ = all.iter().any(|seen| seen.differs > 0) || !equal;
    Ok(u8::from(differ))
}

fn start(people: u32) -> Result<ServerProcess, String> {
    let folder = std::env::temp_dir().join(format!("sandbatch-bench-class-{}", std::process::id()));
    let problem = |e: std::io::Error| format!("{}: {e}", folder.display());
    std::fs::create_dir_all(folder.join("web")).map_err(problem)?;
    std::fs::write(folder.join("web/index.html"), "").map_err(problem)?;
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut command = Command::new(program);
    command.args(["serve", "--class", "bench", "--no-qr", "--listen", "127.0.0.1:0", "--people"]);
    command
        .arg((people + 1).to_string())
        .arg("--state")
        .arg(folder.join("state"))
        .arg("--web")
        .arg(folder.join("web"));
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
    let out = child.stdout.take().ok_or("the server has no output")?;
    let (mut address, mut link) = (None, None);
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|e| e.to_string())?;
        let url = line.split_once("http://").map(|(_, rest)| rest);
        address = address.or_else(|| url?.split('/').next()?.parse().ok());
        if line.starts_with("Participants:") {
            link = line.rsplit_once('.').and_then(|(_, secret)| Secret::parse(secret));
            break;
        }
    }
    match (address, link) {
        (Some(address), Some(link)) => Ok(ServerProcess { child, folder, address, link }),
        _ => Err("the server does not start".to_owned()),
    }
}

fn participate(
    server: &ServerProcess,
    n: u32,
    people: u32,
    stop: &AtomicBool,
) -> Result<Observation, String> {
    let computes = usize::try_from(n).is_ok_and(|n| n < COMPUTE);
    let mut tab = Participant::new(server.address, "bench", server.link, &format!("p{n}"), computes);
    if !tab.until(TIMEOUT, |tab| tab.seat.is_some() && (!computes || tab.prompts > 0)) {
        return Err(format!("participant {n} does not get in: {:?}", tab.ended));
    }
    let mut seen =
        Observation { seat: tab.seat.as_ref().map_or(0, |seat| seat.seat), ..Observation::default() };
    // They do not all type at once.
    let mut next = real_now() + PAUSE * n / people;
    let mut line = usize::try_from(n).unwrap_or(0);
    while !stop.load(Ordering::SeqCst) {
        if real_now() >= next {
            next += PAUSE;
            line += 1;
            let token = tab.types(LINES[line % LINES.len()]);
            if !computes {
                seen.sent.push((token, real_now()));
            }
        }
        tab.step();
        seen.arrived.append(&mut tab.arrived);
    }
    seen.last = tab.number();
    if computes {
        // The worlds are compared at the last checkpoint that the server has seen, and here at the same entry and time.
        seen.hash = tab.hash_at_rest(Duration::from_secs(3));
    }
    (seen.checkpoints, seen.differs) = (tab.checkpoints, tab.differs.len());
    (seen.refused, seen.lost) = (tab.notices.len(), tab.lost);
    Ok(seen)
}

/// Sends without a pause. Returns how often the server ended the connection.
fn overwhelm(server: &ServerProcess, half: &AtomicBool, stop: &AtomicBool) -> u32 {
    let mut tab = Participant::new(server.address, "bench", server.link, "flood", false);
    while !stop.load(Ordering::SeqCst) {
        if half.load(Ordering::SeqCst) && tab.seat.is_some() {
            for _ in 0..20 {
                tab.types("squeue");
            }
        }
        tab.step();
        tab.arrived.clear();
        tab.notices.clear();
    }
    tab.lost
}

fn report(
    all: &[Observation],
    (first, second): (Option<f64>, Option<f64>),
    half: Instant,
    memory: Option<u64>,
    (people, took, flooded): (u32, Duration, u32),
) -> String {
    let sent: BTreeMap<(u32, u64), Instant> =
        all.iter().flat_map(|seen| seen.sent.iter().map(|(token, at)| ((seen.seat, *token), *at))).collect();
    let (mut quiet, mut noisy) = (Vec::new(), Vec::new());
    for (seat, token, at) in all.iter().flat_map(|seen| &seen.arrived) {
        let Some(from) = sent.get(&(*seat, *token)) else { continue };
        let delays = if *from < half { &mut quiet } else { &mut noisy };
        delays.push(at.saturating_duration_since(*from));
    }
    let mut text = format!(
        "{people} participants, {:.0} s, {} inputs measured; {} of them compute the world\n\n\
         | what | quiet | with a flood |\n| --- | ---: | ---: |\n",
        took.as_secs_f64(),
        sent.len(),
        COMPUTE.min(all.len()),
    );
    quiet.sort_unstable();
    noisy.sort_unstable();
    for (name, part) in [("median", 500), ("99 of 100", 990), ("slowest", 1000)] {
        let at = |delays: &[Duration]| {
            let index = (delays.len() * part / 1000).min(delays.len().saturating_sub(1));
            delays.get(index).map_or("–".to_owned(), |delay| format!("{:.1} ms", delay.as_secs_f64() * 1e3))
        };
        text.push_str(&format!(
            "| from a key to each other tab, {name} | {} | {} |\n",
            at(&quiet),
            at(&noisy)
        ));
    }
    let percent =
        |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0));
    text.push_str(&format!("| server, of one core | {} | {} |\n", percent(first), percent(second)));
    let megabytes = memory.map_or("–".to_owned(), |bytes| format!("{:.1} MB", bytes as f64 / 1e6));
    let checkpoints: u32 = all.iter().map(|seen| seen.checkpoints).sum();
    let differs: usize = all.iter().map(|seen| seen.differs).sum();
    let last = all.iter().map(|seen| seen.last).max().unwrap_or(0);
    let (lost, refused) =
        (all.iter().map(|s| s.lost).sum::<u32>(), all.iter().map(|s| s.refused).sum::<usize>());
    text.push_str(&format!(
        "\nServer memory at most {megabytes}. {last} entries, {checkpoints} hashes reported, {differs} differ. The participants lost \
         {lost} connections and had {refused} refusals; the flooding one was disconnected {flooded} times.\n"
    ));
    text
}

fn share(before: Option<f64>, after: Option<f64>, over: Duration) -> Option<f64> {
    Some((after? - before?) / over.as_secs_f64())
}

/// CPU time of a process, from `/proc`.
fn cpu_seconds(pid: u32) -> Option<f64> {
    let text = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    // After the name, which may contain spaces: state is field 3, utime and stime are 14 and 15, in hundredths.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

/// Peak memory of a process, from `/proc`.
fn memory(pid: u32) -> Option<u64> {
    let text = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
