//! sattach(1): hears what the tasks of a running step print.
//!
//! What the attached terminal types does not go to the tasks.

use super::srun::HEAD;
use super::tool::{self, Opt, PLAIN, Tool, Word, flag, needs};
use crate::base::hostlist;
use crate::base::ids::{JobId, StepId, StepNum};
use crate::commands::{Cx, Machine};
use crate::host::signal::Disposition;
use crate::host::{Fd, Signal, Status, Step, Wait};
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::job::{JobState, StepRecord};
use crate::slurmctld::request::Request;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// sattach while it listens.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sattach {
    step: StepId,
    /// How wide the tasks' numbers before lines are, where they are wanted.
    label: Option<u32>,
    /// Standard output and error of the tasks.
    streams: [Stream; 2],
}

/// One of the two.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Stream {
    fd: Fd,
    /// Of this task only.
    only: Option<u32>,
    /// What has come and is not a whole piece yet.
    rest: Vec<u8>,
    /// With labels: lines that have begun, by the tasks' numbers.
    begun: BTreeMap<u32, Vec<u8>>,
}

impl Stream {
    /// What there is to print of what has come.
    fn text(&mut self, label: Option<u32>) -> Vec<u8> {
        let mut text = Vec::new();
        while let Some((rank, bytes)) = self.piece() {
            if self.only.is_some_and(|only| only != rank) {
                continue;
            }
            let Some(width) = label else {
                text.extend(bytes);
                continue;
            };
            let line = self.begun.entry(rank).or_default();
            line.extend(bytes);
            while let Some(at) = line.iter().position(|b| *b == b'\n') {
                text.extend(format!("{rank:width$}: ", width = width as usize).into_bytes());
                text.extend(line.drain(..=at));
            }
        }
        text
    }

    /// The next piece: whose it is, and its bytes.
    fn piece(&mut self) -> Option<(u32, Vec<u8>)> {
        let (rank, rest) = self.rest.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (rank, length) = (u32::from_le_bytes(*rank), u32::from_le_bytes(*length) as usize);
        let bytes = rest.get(..length)?.to_vec();
        self.rest.drain(..HEAD + length);
        Some((rank, bytes))
    }
}

const OPTIONS: &[Opt] = &[
    needs("error-filter", ' ', Word::Text("task"), "error output of this task only"),
    flag("help", 'h', "show this text"),
    needs("input-filter", ' ', Word::Text("task"), "standard input to this task only"),
    flag("label", 'l', "the number of the task before each line"),
    flag("layout", ' ', "show which node has which tasks, and end"),
    needs("output-filter", ' ', Word::Text("task"), "standard output of this task only"),
    flag("pty", ' ', "a terminal for the first task"),
    flag("quiet", 'Q', "say nothing but errors"),
    flag("usage", 'u', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

const USAGE: &str = "Usage: sattach [options] <jobid.stepid>\n";

/// The command's table.
pub const TOOL: Tool = Tool {
    name: "sattach",
    options: OPTIONS,
    usage: USAGE,
    synopsis: "<JOB.STEP>",
    words: |_| Word::Step,
    about: "Hears what the tasks of a running step print, from now on, until the step ends or somebody interrupts it.",
    ..PLAIN
};

fn end(cx: &mut Cx, line: &str) -> Machine {
    cx.error(&format!("error: {line}"));
    Machine::End(1)
}

/// Starts it.
pub fn start(cx: &mut Cx) -> Machine {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return Machine::End(code),
    };
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
    let mut only = [None; 2];
    for (only, name) in only.iter_mut().zip(["output-filter", "error-filter"]) {
        // As atoi(3): what is no number is the first task.
        *only = parsed.value(name).map(|text| text.parse().unwrap_or(0));
    }
    match attach(cx, step) {
        Ok(fds) => {
            for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
                cx.kernel.set_disposition(cx.pid, signal, Disposition::Default);
            }
            let last = record(cx, step).map_or(0, |record| record.tasks.saturating_sub(1));
            let label = parsed.has("label").then(|| last.checked_ilog10().unwrap_or(0) + 1);
            let stream =
                |i: usize| Stream { fd: fds[i], only: only[i], rest: Vec::new(), begun: BTreeMap::new() };
            Machine::Sattach(Box::new(Sattach { step, label, streams: [stream(0), stream(1)] }))
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
    let asked = cx.slurm.request(cx.uid(), request).done();
    asked.map(|()| [out.0, err.0]).map_err(|(error, _)| error.to_string())
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
        for (i, stream) in self.streams.iter_mut().enumerate() {
            while let Ok(data) = cx.kernel.read(cx.pid, stream.fd, 65_536) {
                if data.is_empty() {
                    break;
                }
                stream.rest.extend(data);
            }
            let text = stream.text(self.label);
            if i == 0 {
                cx.out.extend_from_slice(&text);
            } else {
                cx.complain_raw_bytes(&text);
            }
        }
        if record(cx, self.step).is_none() {
            return Step::Exit(Status::Exited(0));
        }
        let waits = self.streams.iter().map(|stream| Wait::Readable(stream.fd)).chain([Wait::Wakeup]);
        Step::Wait(Wait::Any(waits.collect()))
    }
}
