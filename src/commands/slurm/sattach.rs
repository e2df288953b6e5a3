//! sattach(1): hears what the tasks of a running step print.
//!
//! What the attached terminal types does not go to the tasks.

use super::VERSION;
use super::getopt::{self, Arg, Long};
use crate::base::hostlist;
use crate::base::ids::{JobId, StepId, StepNum};
use crate::commands::{Cx, Machine};
use crate::host::signal::Disposition;
use crate::host::{Fd, Signal, Status, Step, Wait};
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::job::{JobState, StepRecord};
use crate::slurmctld::request::{Request, Response};
use serde::{Deserialize, Serialize};

/// sattach while it listens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sattach {
    step: StepId,
    /// Standard output and error of the tasks, until their ends.
    fds: [Fd; 2],
}

const OPTIONS: &[Long] = &[
    ("error-filter", None, Arg::Required),
    ("help", Some('h'), Arg::No),
    ("input-filter", None, Arg::Required),
    ("label", Some('l'), Arg::No),
    ("layout", None, Arg::No),
    ("output-filter", None, Arg::Required),
    ("pty", None, Arg::No),
    ("quiet", Some('Q'), Arg::No),
    ("usage", Some('u'), Arg::No),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
];

const USAGE: &str = "Usage: sattach [options] <jobid.stepid>\n";

const HELP: &str = "      --input-filter=taskid  send stdin to only the specified task
      --output-filter=taskid only print stdout from the specified task
      --error-filter=taskid  only print stderr from the specified task
  -l, --label        prepend task number to lines of stdout & stderr
      --layout       print task layout info and exit (does not attach to tasks)
  -Q, --quiet        quiet mode (suppress informational messages)
  -v, --verbose      verbose mode (multiple -v's increase verbosity)
  -V, --version      print the Slurm version and exit

Help options:
  -h, --help         print this help message
  -u, --usage        print a brief usage message
";

fn end(cx: &mut Cx, line: &str) -> Machine {
    cx.error(&format!("error: {line}"));
    Machine::End(1)
}

/// Starts it.
pub fn start(cx: &mut Cx) -> Machine {
    let parsed = match getopt::parse(OPTIONS, cx.argv, false) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.error(&text);
            cx.complain("Try \"sattach --help\" for more information");
            return Machine::End(1);
        }
    };
    if parsed.has("help") || parsed.has("usage") {
        cx.print(USAGE);
        if parsed.has("help") {
            cx.print(HELP);
        }
        return Machine::End(0);
    }
    if parsed.has("version") {
        cx.line(VERSION);
        return Machine::End(0);
    }
    let [name] = parsed.rest.as_slice() else {
        let machine = end(cx, "too many parameters");
        cx.print(USAGE);
        return machine;
    };
    let Some(step) = step_of(name) else {
        let machine = end(cx, "Failed to parse stepid from command line options");
        cx.print(USAGE);
        return machine;
    };
    if parsed.has("layout") {
        return layout(cx, step);
    }
    match attach(cx, step) {
        Ok(fds) => {
            for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
                cx.kernel.set_disposition(cx.pid, signal, Disposition::Default);
            }
            Machine::Sattach(Box::new(Sattach { step, fds }))
        }
        Err(why) => end(cx, &format!("Could not get job step info: {why}")),
    }
}

/// `12.0`
fn step_of(name: &str) -> Option<StepId> {
    let (job, step) = name.split_once('.')?;
    let step = match step {
        "batch" => StepNum::Batch,
        "interactive" => StepNum::Interactive,
        "extern" => StepNum::Extern,
        number => StepNum::Number(number.parse().ok()?),
    };
    Some(StepId { job: JobId(job.parse().ok()?), step })
}

/// Two pipes of its own, into which the step's srun copies what it hears.
fn attach(cx: &mut Cx, step: StepId) -> Result<[Fd; 2], String> {
    let mut pipe = || cx.kernel.pipe(cx.pid).map_err(|errno| errno.to_string());
    let (out, err) = (pipe()?, pipe()?);
    let request = Request::Listen { step, listener: cx.pid, fds: [out.1, err.1] };
    match cx.slurm.request(cx.uid(), request) {
        Response::Err { error, .. } => Err(error.to_string()),
        Response::Ok
        | Response::Job { .. }
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_) => Ok([out.0, err.0]),
    }
}

fn record<'a>(cx: &'a Cx, step: StepId) -> Option<&'a StepRecord> {
    cx.slurm.state().jobs.get(step.job)?.steps.get(&step.step).filter(|s| s.end.is_none())
}

/// `--layout`: which tasks run where.
fn layout(cx: &mut Cx, step: StepId) -> Machine {
    let Some(record) = record(cx, step) else {
        let pending = cx.slurm.state().jobs.get(step.job).is_some_and(|j| j.state == JobState::Pending);
        let why = if pending { SlurmError::JobPending } else { SlurmError::InvalidJobId };
        return end(cx, &format!("Could not get job step info: {why}"));
    };
    let state = cx.slurm.state();
    let names: Vec<&str> = record.nodes.iter().map(|(n, _)| state.node(*n).conf.name.as_str()).collect();
    let mut lines = vec![
        "Job step layout:".to_owned(),
        format!("\t{} tasks, {} nodes ({})\n", record.tasks, names.len(), hostlist::compress(&names)),
    ];
    for (i, (name, ranks)) in names.iter().zip(&record.ranks).enumerate() {
        let list: Vec<String> = ranks.iter().map(u32::to_string).collect();
        lines.push(format!("\tNode {i} ({name}), {} task(s): {}", ranks.len(), list.join(" ")));
    }
    for line in lines {
        cx.line(&line);
    }
    Machine::End(0)
}

impl Sattach {
    /// One slice.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        for (stream, fd) in self.fds.into_iter().enumerate() {
            while let Ok(data) = cx.kernel.read(cx.pid, fd, 65_536) {
                match stream {
                    _ if data.is_empty() => break,
                    0 => cx.out.extend_from_slice(&data),
                    _ => cx.complain_raw_bytes(&data),
                }
            }
        }
        if record(cx, self.step).is_none() {
            return Step::Exit(Status::Exited(0));
        }
        let waits = self.fds.iter().map(|fd| Wait::Readable(*fd)).chain([Wait::Wakeup]);
        Step::Wait(Wait::Any(waits.collect()))
    }
}
