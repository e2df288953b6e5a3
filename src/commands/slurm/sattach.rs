//! sattach(1): prints the output of a running step's tasks.
//!
//! Input typed on the attached terminal is not forwarded to the tasks.

use super::jobtext::JobView;
use super::srun::HEAD;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, needs};
use crate::{CommandMachine, Cx};
use base::hostlist;
use base::ids::{JobId, StepId, StepNum};
use base::pad;
use host::signal::Disposition;
use host::{Fd, Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use slurmctld::error::SlurmError;
use slurmctld::job::{JobState, StepRecord};
use slurmctld::request::Request;
use std::collections::BTreeMap;

/// A running sattach.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sattach {
    step: StepId,
    /// The width of task labels, if enabled.
    label: Option<u32>,
    /// Standard output and error of the tasks.
    streams: [AttachedStream; 2],
}

/// One of the two streams.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AttachedStream {
    fd: Fd,
    /// Only this task.
    only: Option<u32>,
    /// Received bytes that are not a complete message yet.
    rest: Vec<u8>,
    /// With labels: incomplete lines, by task ID.
    begun: BTreeMap<u32, Vec<u8>>,
}

impl AttachedStream {
    /// The printable part of the received bytes.
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
                text.extend(format!("{}: ", pad::right(rank, width as usize)).into_bytes());
                text.extend(line.drain(..=at));
            }
        }
        text
    }

    /// The next message: its task and its bytes.
    fn piece(&mut self) -> Option<(u32, Vec<u8>)> {
        let (rank, rest) = self.rest.split_first_chunk::<4>()?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (rank, length) = (u32::from_le_bytes(*rank), u32::from_le_bytes(*length) as usize);
        let bytes = rest.get(..length)?.to_vec();
        self.rest.drain(..HEAD + length);
        Some((rank, bytes))
    }
}

const OPTIONS: &[ToolOption] = &[
    needs("error-filter", ' ', ArgumentKind::Text("task"), "error output of this task only"),
    flag("help", 'h', "show this text"),
    needs("input-filter", ' ', ArgumentKind::Text("task"), "standard input to this task only"),
    flag("label", 'l', "the number of the task before each line"),
    flag("layout", ' ', "show which node has which tasks, and end"),
    needs("output-filter", ' ', ArgumentKind::Text("task"), "standard output of this task only"),
    flag("pty", ' ', "a terminal for the first task"),
    flag("quiet", 'Q', "say nothing but errors"),
    flag("usage", 'u', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

const USAGE: &str = "Usage: sattach [options] <jobid.stepid>\n";

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sattach",
    options: OPTIONS,
    usage: USAGE,
    synopsis: "<JOB.STEP>",
    words: |_| ArgumentKind::Step,
    about: "Hears what the tasks of a running step print, from now on, until the step ends or somebody interrupts it.",
    ..PLAIN
};

fn end(cx: &mut Cx, line: &str) -> CommandMachine {
    cx.error(&format!("error: {line}"));
    CommandMachine::End(1)
}

/// Starts sattach.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return CommandMachine::End(code),
    };
    let [name] = parsed.rest.as_slice() else {
        let machine = end(cx, "too many parameters");
        cx.print(USAGE);
        return machine;
    };
    let Some(step) = step_of(name) else {
        if name.split('.').next().is_some_and(|job| job.parse::<u32>().is_ok_and(|job| job > 0)) {
            let machine = end(cx, "Failed to parse stepid from command line options");
            cx.print(USAGE);
            return machine;
        }
        cx.error(&format!("fatal: Bad job/step specified: {name}: JobID can not be zero"));
        return CommandMachine::End(1);
    };
    if parsed.has("layout") {
        return layout(cx, step);
    }
    let mut only = [None; 2];
    for (only, name) in only.iter_mut().zip(["output-filter", "error-filter"]) {
        // Like atoi(3): an invalid number is the first task.
        *only = parsed.value(name).map(|text| text.parse().unwrap_or(0));
    }
    match attach(cx, step) {
        Ok(fds) => {
            for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
                cx.kernel.set_disposition(cx.pid, signal, Disposition::Default);
            }
            let last = record(cx, step).map_or(0, |record| record.tasks.saturating_sub(1));
            let label = parsed.has("label").then(|| last.checked_ilog10().unwrap_or(0) + 1);
            let stream = |i: usize| AttachedStream {
                fd: fds[i],
                only: only[i],
                rest: Vec::new(),
                begun: BTreeMap::new(),
            };
            CommandMachine::Sattach(Box::new(Sattach { step, label, streams: [stream(0), stream(1)] }))
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

/// Two pipes, into which the step's srun copies the output.
fn attach(cx: &mut Cx, step: StepId) -> Result<[Fd; 2], String> {
    let mut pipe = || cx.kernel.pipe(cx.pid).map_err(|errno| errno.to_string());
    let (out, err) = (pipe()?, pipe()?);
    let request = Request::Listen { step, listener: cx.pid, fds: [out.1, err.1] };
    let asked = cx.cluster.request(cx.uid(), request).done();
    // The step is looked up before its owner is checked, in a job that the user may see.
    let seen = cx.cluster.state().jobs.get(step.job).is_some_and(|job| JobView::of(cx).sees_job(job));
    let missing = seen && record(cx, step).is_none();
    asked.map(|()| [out.0, err.0]).map_err(|(error, _)| match error {
        SlurmError::AccessDenied if missing => SlurmError::InvalidJobId.to_string(),
        error => error.to_string(),
    })
}

fn record<'a>(cx: &'a Cx, step: StepId) -> Option<&'a StepRecord> {
    cx.cluster.state().jobs.get(step.job)?.steps.get(&step.step).filter(|s| s.end.is_none())
}

/// `--layout`: the distribution of tasks over nodes.
fn layout(cx: &mut Cx, step: StepId) -> CommandMachine {
    let Some(record) = record(cx, step) else {
        let pending = cx.cluster.state().jobs.get(step.job).is_some_and(|j| j.state == JobState::Pending);
        let why = if pending { SlurmError::JobPending } else { SlurmError::InvalidJobId };
        return end(cx, &format!("Could not get job step info: {why}"));
    };
    let state = cx.cluster.state();
    let names: Vec<&str> = record.nodes.iter().map(|(n, _)| state.node(*n).conf.name.as_str()).collect();
    let mut lines = vec![
        "Job step layout:".to_owned(),
        format!("\t{} tasks, {} nodes ({})\n", record.tasks, names.len(), hostlist::compress(&names)),
    ];
    for (i, (name, ranks)) in names.iter().zip(&record.ranks).enumerate() {
        let list: Vec<String> = ranks.iter().map(u32::to_string).collect();
        lines.push(format!("\tNode {i} ({name}), {} task(s): {} ", ranks.len(), list.join(" ")));
    }
    for line in lines {
        cx.line(&line);
    }
    CommandMachine::End(0)
}

impl Sattach {
    /// Runs one slice.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
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
            return SliceEnd::Exit(Status::Exited(0));
        }
        let waits = self.streams.iter().map(|stream| Wait::Readable(stream.fd)).chain([Wait::Wakeup]);
        SliceEnd::Wait(Wait::Any(waits.collect()))
    }
}
