//! Programs that are not simulated (python, R, mpirun, a binary) run as models: how long, how much memory,
//! what they print, how they end. A script says so in `#SIM` comments, which real Slurm and real interpreters ignore:
//!
//! ```text
//! #SIM time=3m12s            run time; also 30s, 1h, 90 (seconds)
//! #SIM memory=600M           largest resident memory; also 2G
//! #SIM print=Hello $1        a line on standard output at the start ($1, $NAME are filled in)
//! #SIM print@50%=Half way    ... at a part of the run time, or @10s after the start
//! #SIM stderr=A warning      a line on standard error at the start (stderr@50%= too)
//! #SIM exit=1                exit code
//! #SIM ignore=TERM           a signal that it takes no notice of
//! ```
//!
//! Without such lines a believable default applies: half a minute to a minute and a half, 250 MiB, nothing printed.

use crate::base::hash::fnv1a;
use crate::base::ids::Pid;
use crate::base::order::Order as _;
use crate::base::time::{Span, Time};
use crate::host::signal::Disposition;
use crate::host::{Errno, Exec, Kernel, Signal, Status, Step, Wait, path};
use serde::{Deserialize, Serialize};

/// A running model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Model {
    /// When it began; none before its first slice.
    begun: Option<Time>,
    /// How long it stood still, and since when it stands.
    stood: Span,
    stopped: Option<Time>,
    duration: Span,
    /// MiB.
    memory: u64,
    /// What it prints: after so long, where, what; in order of time.
    lines: Vec<(Span, u32, String)>,
    exit: u8,
    ignore: Vec<Signal>,
    /// What could not be written yet.
    backlog: Vec<(u32, Vec<u8>)>,
}

/// Most lines of `#SIM` that are read from one program.
const MAX_LINES: usize = 10_000;
/// Its memory grows to the full amount in this part of its time (a quarter), in so many steps.
const RAMP_STEPS: i64 = 5;

impl Model {
    /// A model of `exec`, `script` being the text of the program file it runs, if it runs one.
    #[must_use]
    pub fn new(exec: &Exec, script: Option<&str>) -> Self {
        let seed = fnv1a(exec.argv.join(" ").as_bytes());
        let mut model = Self {
            begun: None,
            stood: Span(0),
            stopped: None,
            duration: Span::from_secs(30 + i64::try_from(seed % 61).unwrap_or(0)),
            memory: 250,
            lines: Vec::new(),
            exit: 0,
            ignore: Vec::new(),
            backlog: Vec::new(),
        };
        let args = program_args(exec);
        let mut later: Vec<(String, u32, String)> = Vec::new();
        for line in script.unwrap_or_default().lines().filter_map(sim_line).take(MAX_LINES) {
            model.read(line, exec, &args, &mut later);
        }
        for (at, fd, text) in later {
            let at = moment(&at, model.duration);
            model.lines.push((at, fd, text));
        }
        model.lines.order_by_key(|l| l.0);
        model
    }

    /// A program that says one line on standard error and ends.
    fn failing(message: String, exit: u8) -> Self {
        Self {
            begun: None,
            stood: Span(0),
            stopped: None,
            duration: Span(0),
            memory: 0,
            lines: vec![(Span(0), 2, message)],
            exit,
            ignore: Vec::new(),
            backlog: Vec::new(),
        }
    }

    /// A model for a command line as typed: finds the program file among the arguments.
    #[must_use]
    pub fn start(kernel: &Kernel, pid: Pid, exec: &Exec) -> Self {
        let name = path::base_name(&exec.argv[0]).to_owned();
        let Some(process) = kernel.process(pid) else { return Self::failing(String::new(), 1) };
        match exec.argv.get(1).map(String::as_str) {
            Some("--version" | "-V") => return Self::version(&name),
            Some("-c" | "-e" | "-m") => {
                let message = format!(
                    "{name}: not simulated in sandbatch: programs are models, described by #SIM lines in a file"
                );
                return Self::failing(message, 127);
            }
            _ => {}
        }
        let Some(file) = program_file(exec) else { return Self::new(exec, None) };
        let full = path::resolve(&process.cwd, file);
        match kernel.fs.read(process.origin.uid, &full) {
            Ok(text) => Self::new(exec, Some(&String::from_utf8_lossy(&text))),
            Err(error) if name.starts_with("python") => {
                let number = if error == Errno::EACCES { 13 } else { 2 };
                Self::failing(format!("{name}: can't open file '{full}': [Errno {number}] {error}"), 2)
            }
            Err(_) if name == "Rscript" => {
                Self::failing(format!("Fatal error: cannot open file '{file}': No such file or directory"), 2)
            }
            Err(error) => Self::failing(format!("{name}: {file}: {error}"), 127),
        }
    }

    fn version(name: &str) -> Self {
        let text = if name.starts_with("python") {
            "Python 3.11.2".to_owned()
        } else {
            format!("{name} (sandbatch model)")
        };
        Self { lines: vec![(Span(0), 1, text)], ..Self::failing(String::new(), 0) }
    }

    fn read(&mut self, line: &str, exec: &Exec, args: &[String], later: &mut Vec<(String, u32, String)>) {
        let Some((key, value)) = line.split_once('=') else { return };
        let (key, at) = key.trim().split_once('@').unwrap_or((key.trim(), "0s"));
        match key {
            "time" => self.duration = duration(value.trim()).unwrap_or(self.duration),
            "memory" => self.memory = mebibytes(value.trim()).unwrap_or(self.memory),
            "print" => later.push((at.to_owned(), 1, fill(value, exec, args))),
            "stderr" => later.push((at.to_owned(), 2, fill(value, exec, args))),
            "exit" => self.exit = value.trim().parse().unwrap_or(0),
            "ignore" => self.ignore.extend(value.split(',').filter_map(|s| Signal::parse(s.trim()))),
            _ => {}
        }
    }

    /// One slice.
    pub fn run(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Step {
        if self.begun.is_none() {
            for signal in std::mem::take(&mut self.ignore) {
                kernel.set_disposition(pid, signal, Disposition::Ignore);
            }
        }
        let begun = *self.begun.get_or_insert(now);
        let ran = Span((now - begun).0 - self.stood.0);
        while self.lines.first().is_some_and(|l| l.0 <= ran) {
            let (_, fd, text) = self.lines.remove(0);
            self.backlog.push((fd, format!("{text}\n").into_bytes()));
        }
        if let Some(wait) = self.flush(kernel, pid, now) {
            return wait;
        }
        kernel.set_memory(pid, self.memory_after(ran));
        kernel.set_load(pid, 100, now);
        if ran >= self.duration {
            return Step::Exit(Status::Exited(self.exit));
        }
        let ramp =
            Span(self.duration.0 / 4 / RAMP_STEPS * (ran.0 / (self.duration.0 / 4 / RAMP_STEPS).max(1) + 1));
        let mut next = self.duration;
        if ran < Span(self.duration.0 / 4) {
            next = next.min(ramp);
        }
        if let Some(line) = self.lines.first() {
            next = next.min(line.0);
        }
        Step::Wait(Wait::Until(begun + self.stood + next.max(ran + Span(1))))
    }

    /// A signal stopped its process, or it goes on: work stands still meanwhile.
    pub fn stop(&mut self, kernel: &mut Kernel, pid: Pid, yes: bool, now: Time) {
        match (yes, self.stopped.take()) {
            (true, since) => {
                self.stopped = since.or(Some(now));
                kernel.set_load(pid, 0, now);
            }
            (false, Some(since)) => {
                self.stood = self.stood + (now - since);
                kernel.wake(pid);
            }
            (false, None) => {}
        }
    }

    fn memory_after(&self, ran: Span) -> u64 {
        let ramp = (self.duration.0 / 4).max(1);
        let part = (ran.0.min(ramp) * RAMP_STEPS / ramp + 1).min(RAMP_STEPS);
        self.memory * u64::try_from(part).unwrap_or(1) / u64::try_from(RAMP_STEPS).unwrap_or(1)
    }

    fn flush(&mut self, kernel: &mut Kernel, pid: Pid, now: Time) -> Option<Step> {
        while let Some((fd, data)) = self.backlog.first_mut() {
            match kernel.write(pid, *fd, data, now) {
                Ok(n) if n < data.len() => {
                    data.drain(..n);
                }
                Ok(_) => {
                    self.backlog.remove(0);
                }
                Err(Errno::EAGAIN) => return Some(Step::Wait(Wait::Writable(*fd))),
                Err(_) => {
                    self.backlog.remove(0);
                }
            }
        }
        None
    }
}

/// The text behind `#SIM`, with or without a blank before it.
fn sim_line(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("SIM")?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim())
}

/// Launchers whose program is their first argument that is no option.
const LAUNCHERS: [&str; 4] = ["mpirun", "mpiexec", "mpiexec.hydra", "orterun"];

/// The program file among the arguments: the first that is no option and no option's number.
fn program_file(exec: &Exec) -> Option<&str> {
    let launcher = LAUNCHERS.contains(&path::base_name(&exec.argv[0]));
    let interpreters = ["python", "python3", "Rscript", "julia", "perl", "bash", "java"];
    let mut args = exec.argv[1..].iter().map(String::as_str);
    args.find(|a| {
        !a.starts_with('-')
            && !(launcher && (a.bytes().all(|b| b.is_ascii_digit()) || interpreters.contains(a)))
    })
}

/// What `$1`, `$2` mean: arguments behind the program file.
fn program_args(exec: &Exec) -> Vec<String> {
    let Some(file) = program_file(exec) else { return exec.argv[1.min(exec.argv.len())..].to_vec() };
    exec.argv.iter().skip_while(|a| a.as_str() != file).skip(1).cloned().collect()
}

/// Fills `$1` and `$NAME` in.
fn fill(text: &str, exec: &Exec, args: &[String]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = rest[at + 1..].trim_start_matches('{');
        let length = after.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let name = &after[..length];
        match name.parse::<usize>() {
            Ok(n) if n > 0 => out.push_str(args.get(n - 1).map_or("", String::as_str)),
            Ok(_) => {}
            Err(_) if name.is_empty() => out.push('$'),
            Err(_) => out.push_str(exec.env.get(name).map_or("", String::as_str)),
        }
        rest = &after[length..];
        if rest.starts_with('}') && text[..text.len() - rest.len()].contains("${") {
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

/// `50%` of the run time, or a time after the start.
fn moment(text: &str, whole: Span) -> Span {
    match text.strip_suffix('%').and_then(|p| p.parse::<i64>().ok()) {
        Some(percent) => Span(whole.0 / 100 * percent.clamp(0, 100)),
        None => duration(text).unwrap_or_default().min(whole),
    }
}

/// `1h2m3s`, `90s`, `90`; fractions of a second as in `0.5s`.
fn duration(text: &str) -> Option<Span> {
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Span::from_secs(seconds.into()));
    }
    let mut total = 0i64;
    let mut rest = text;
    while !rest.is_empty() {
        let at = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let number: f64 = rest[..at].parse().ok()?;
        let unit = match &rest[at..=at] {
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        // At most some centuries, far below the range of i64.
        total = total.checked_add((number.clamp(0.0, 1e9) * unit * 1e6) as i64)?;
        rest = &rest[at + 1..];
    }
    Some(Span(total))
}

/// `600M`, `2G`, `1.5G`, `512` (MiB).
fn mebibytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().ok()?;
    let unit = match text[digits.len()..].chars().next().map(|c| c.to_ascii_uppercase()) {
        None | Some('M') => 1.0,
        Some('K') => 1.0 / 1024.0,
        Some('G') => 1024.0,
        Some('T') => 1_048_576.0,
        Some(_) => return None,
    };
    Some((number.clamp(0.0, 1e9) * unit) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn lines_of_sim() {
        let env = Arc::new([("N".to_owned(), "7".to_owned())].into_iter().collect());
        let argv = ["python", "a.py", "x.csv"].map(str::to_owned).to_vec();
        let exec = Exec { path: "/usr/bin/python".into(), argv, env };
        let text = "#!/usr/bin/env python3\n#SIM time=1m30s\n# SIM memory=1.5G\n#SIM print@50%=half of $1 ${N}!\n#SIM exit=3\n#SIMPLE=1\n";
        let model = Model::new(&exec, Some(text));
        assert_eq!((model.duration, model.memory, model.exit), (Span::from_secs(90), 1536, 3));
        assert_eq!(model.lines, [(Span::from_secs(45), 1, "half of x.csv 7!".to_owned())]);
    }

    #[test]
    fn amounts() {
        assert_eq!(duration("1h2m3s"), Some(Span::from_secs(3723)));
        assert_eq!(duration("0.5s"), Some(Span::from_millis(500)));
        assert_eq!(duration("soon"), None);
        assert_eq!((mebibytes("2G"), mebibytes("512"), mebibytes("1X")), (Some(2048), Some(512), None));
    }
}
