//! Launches all tasks of a step, in every component of the job.

use super::bind;
use super::component::Component;
use super::files::{Names, Opened, Sink, apart};
use super::io::TaskStream;
use super::multi::{self, MultiProgLines};
use super::start::{TaskStart, start_task};
use crate::Cx;
use crate::slurm::refusal;
use base::ids::Pid;
use base::refusal::Refusal;
use base::time::Time;
use host::{Env, Fd, ProcessOrigin, Signal, Status, path};
use serde::{Deserialize, Serialize};
use slurmctld::jobenv::{self, Scope, SrunOptions, who};
use slurmctld::request::StepLayout;
use std::collections::BTreeMap;

/// One task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SrunTask {
    pub rank: u32,
    pub node: String,
    pub(super) pid: Option<Pid>,
    pub(super) out: Option<Fd>,
    pub(super) err: Option<Fd>,
    pub(super) input: Option<Fd>,
    /// The destinations of its output.
    pub(super) sinks: [Sink; 2],
    /// Incomplete lines of its output, for labels.
    pub(super) rest: [Vec<u8>; 2],
    /// Input from srun that it has not read yet.
    pub(super) taken: u32,
    pub status: Option<Status>,
    /// Why it could not be started, as a message.
    pub(super) note: Option<String>,
    /// Its working directory did not exist.
    pub(super) chdir_failed: Option<String>,
}

/// All tasks of the step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts about a step")]
pub struct Tasks {
    /// The step's part in each component of the job.
    pub layouts: Vec<StepLayout>,
    pub tasks: Vec<SrunTask>,
    /// The open pipes of the tasks by descriptor, once srun watches them.
    #[serde(skip)]
    pub(super) streams: Option<BTreeMap<Fd, TaskStream>>,
    /// When the step was created.
    pub begun: Time,
    /// Standard input that some tasks have not read yet.
    pub(super) input: Vec<u8>,
    pub(super) input_open: bool,
    pub(super) first_end: Option<Time>,
    pub(super) interrupted: Option<Time>,
    pub(super) aborted: bool,
    /// Ended by Ctrl-C.
    pub(super) stopped: bool,
    /// The job or step is ended from outside, and this was reported.
    pub(super) ending_told: bool,
    /// Lost nodes of the step, once that was reported.
    pub(super) lost: Option<Vec<String>>,
    /// A task was killed and slurmstepd sent no message.
    pub(super) forced: bool,
    /// The signal of the last slurmstepd message about the step's end that srun forwarded.
    pub(super) last_signal: Option<(Time, Signal)>,
    /// Ended tasks that are not reported yet, and when to report them.
    pub(super) untold: Vec<(String, u32, Status)>,
    pub(super) tell_at: Option<Time>,
    /// srun's own SIGKILL reaches the tasks then.
    pub(super) kill_at: Option<Time>,
    pub(super) quiet: bool,
}

impl Tasks {
    /// The step's number, in the first component.
    #[must_use]
    pub fn step(&self) -> Option<base::ids::StepId> {
        self.layouts.first().map(|l| l.step)
    }
}

/// Programs of `--multi-prog` for each component and its number of tasks, if known.
///
/// # Errors
/// Messages for the user.
pub fn programs<'a>(
    cx: &mut Cx,
    components: impl Iterator<Item = (&'a Component, Option<u32>)>,
) -> Result<Vec<MultiProgLines>, Vec<String>> {
    let mut all = Vec::new();
    for (component, tasks) in components {
        if !component.run.multi_prog {
            all.push(MultiProgLines::new());
            continue;
        }
        let file = component.command.first().map_or("", String::as_str);
        let data = cx.read_file(file);
        let Ok(data) = data else {
            refusal::note(cx, Refusal::NoFile);
            return Err(vec![format!("error: Could not open multi_prog config file {file}")]);
        };
        let text = String::from_utf8_lossy(&data).into_owned();
        all.push(multi::read(file, &text, tasks, component.desc.ntasks.is_some())?);
    }
    Ok(all)
}

/// Starts all tasks.
///
/// # Errors
/// A message: a file shared by all tasks cannot be opened.
pub fn launch(
    cx: &mut Cx,
    components: &[Component],
    layouts: Vec<StepLayout>,
    own: bool,
    quiet: bool,
) -> Result<Tasks, Vec<String>> {
    let count = |layout| u32::try_from(tasks_of(std::slice::from_ref(layout))).ok();
    let programs = programs(cx, components.iter().zip(layouts.iter().map(count)))?;
    let first = components.first();
    let mut all = Tasks {
        tasks: Vec::new(),
        streams: None,
        begun: cx.now,
        input: Vec::new(),
        input_open: first.is_some_and(|o| !o.run.pty && o.desc.stdin.as_deref() != Some("none")),
        first_end: None,
        interrupted: None,
        aborted: false,
        stopped: false,
        ending_told: false,
        lost: None,
        forced: false,
        last_signal: None,
        untold: Vec::new(),
        tell_at: None,
        kill_at: None,
        quiet,
        layouts: in_a_row(layouts),
    };
    let layouts = all.layouts.clone();
    let mut opened = Opened::default();
    for (at, (component, layout)) in components.iter().zip(&layouts).enumerate() {
        if let Some(file) = component.desc.stdin.as_deref().filter(|f| is_file(f) && !apart(f))
            && cx.read_file(file).is_err()
        {
            refusal::note(cx, Refusal::NoFile);
            return Err(vec!["error: Could not open stdin file: No such file or directory".to_owned()]);
        }
        let base = layout.nodes.first().and_then(|n| n.ranks.first()).copied().unwrap_or(0);
        for (n, node) in layout.nodes.iter().enumerate() {
            let bound =
                bind::cpus(cx.cluster.state(), component, node, component.desc.cpus_per_task.unwrap_or(1));
            for (local_id, rank) in node.ranks.iter().enumerate() {
                let label = first.is_some_and(|c| c.run.label);
                let here = Here { at, n, local_id, rank: *rank, own, label };
                let argv = if component.run.multi_prog {
                    let programs = programs.get(at);
                    programs.and_then(|p| multi::of_task(p, rank - base)).unwrap_or_default()
                } else {
                    component.command.clone()
                };
                all.tasks.push(one(cx, component, &layouts, &here, argv, bound.as_deref(), &mut opened)?);
            }
        }
    }
    Ok(all)
}

/// Tasks of later components get the task ids after those of earlier ones.
fn in_a_row(mut layouts: Vec<StepLayout>) -> Vec<StepLayout> {
    let mut before = 0;
    for layout in &mut layouts {
        let ranks = layout.nodes.iter_mut().flat_map(|n| &mut n.ranks);
        let mut count = 0;
        for rank in ranks {
            *rank += before;
            count += 1;
        }
        before += count;
    }
    layouts
}

/// The task.
struct Here {
    at: usize,
    n: usize,
    local_id: usize,
    rank: u32,
    own: bool,
    /// Whether lines are labelled.
    label: bool,
}

/// Whether `-i` or `-o` names a file and not a task.
fn is_file(text: &str) -> bool {
    !matches!(text, "none" | "all") && text.parse::<u32>().is_err()
}

fn one(
    cx: &mut Cx,
    component: &Component,
    layouts: &[StepLayout],
    here: &Here,
    argv: Vec<String>,
    bound: Option<&[bind::Bound]>,
    opened: &mut Opened,
) -> Result<SrunTask, Vec<String>> {
    let o = component;
    let (Some(layout), state) = (layouts.get(here.at), cx.cluster.state()) else { return Err(Vec::new()) };
    let (Some(node), Some(job)) = (layout.nodes.get(here.n), state.jobs.get(layout.step.job)) else {
        return Err(Vec::new());
    };
    let job = job.clone();
    let mut env = task_env(cx, o, layouts, here, bound);
    if let Some(dir) = cx.kernel.job_tmp(cx.uid(), job.id.0) {
        env.insert("SLURM_TMPDIR".to_owned(), dir);
    }
    let program = o.command.first().map_or("", |program| path::base_name(program));
    let name = match cx.env.get("SLURM_JOB_NAME") {
        _ if here.own || o.desc.name != program => o.desc.name.clone(),
        Some(name) => name.clone(),
        None => "(null)".to_owned(),
    };
    let names = Names {
        job: &job,
        name,
        step: layouts.first().map_or(layout.step, |l| l.step).to_string(),
        node: &node.name,
        node_id: here.n,
        rank: here.rank,
        user: cx.user(),
    };
    let mut task = SrunTask {
        rank: here.rank,
        node: node.name.clone(),
        pid: None,
        out: None,
        err: None,
        input: None,
        sinks: [Sink::Own; 2],
        rest: [Vec::new(), Vec::new()],
        taken: 0,
        status: None,
        note: None,
        chdir_failed: None,
    };
    if let Err(line) = sinks(cx, o, &mut task, &names, opened) {
        // If each task has its own file, an error occurs on its node; an error with a shared file ends srun.
        return match line {
            Some(line) => Err(vec![line]),
            None => {
                cx.complain(&format!(
                    "srun: error: task {} launch failed: Slurmd could not connect IO",
                    here.rank
                ));
                task.status = Some(Status::Exited(0));
                Ok(task)
            }
        };
    }
    let input = o.desc.stdin.as_deref();
    let input = match input {
        Some("none") => Some("/dev/null".to_owned()),
        Some("all") | None => None,
        Some(text) => match text.parse::<u32>() {
            Ok(only) if only == here.rank => None,
            Ok(_) => Some("/dev/null".to_owned()),
            Err(_) => Some(names.expand(text)),
        },
    };
    let origin = ProcessOrigin { uid: cx.uid(), host: node.name.as_str().into(), cgroup: node.cgroup };
    let pty = o.run.pty && here.rank == 0;
    let start = TaskStart {
        argv,
        env,
        origin,
        input,
        dir: o.run.chdir.clone(),
        task_prolog: o.run.task_prolog.clone(),
        pty,
    };
    start_task(cx, &mut task, start);
    let label = o.run.label.then(|| (tasks_of(layouts).saturating_sub(1)).to_string().len());
    if let Some(line) = task.chdir_failed.take() {
        // slurmstepd checks the directory twice.
        super::io::print(cx, &mut task, 1, format!("{line}\n{line}\n").as_bytes(), label);
    }
    if let (Some(bind), Some(pid)) =
        (bound.and_then(|b| b.get(here.local_id)).filter(|b| b.verbose), task.pid)
    {
        let set = if bind.kind == "NONE" { "" } else { " set" };
        let text = format!(
            "cpu-bind={} - {}, task {:2} {:2} [{pid}]: mask {}{set}\n",
            bind.kind,
            task.node,
            task.rank,
            here.local_id,
            bind.hex()
        );
        super::io::print(cx, &mut task, 1, text.as_bytes(), label);
    }
    Ok(task)
}

fn tasks_of(layouts: &[StepLayout]) -> usize {
    layouts.iter().flat_map(|l| &l.nodes).map(|n| n.ranks.len()).sum()
}

/// Opens a task's files. An error without a message occurred on the node, one with a message in srun.
fn sinks(
    cx: &mut Cx,
    o: &Component,
    task: &mut SrunTask,
    names: &Names,
    opened: &mut Opened,
) -> Result<(), Option<String>> {
    let append = o.desc.open_append.unwrap_or(false);
    let (out, err) = (o.desc.stdout.as_deref(), o.desc.stderr.as_deref());
    let mut open = |cx: &mut Cx, pattern: Option<&str>, what: &str| {
        opened.sink(cx, pattern, names, append).map_err(|why| {
            let shared = pattern.is_some_and(|p| !apart(p));
            shared.then(|| format!("error: Could not open {what} file: {why}"))
        })
    };
    task.sinks[0] = open(cx, out, "stdout")?;
    task.sinks[1] = match err {
        Some(_) => open(cx, err, "stderr")?,
        // If only one task is shown, errors of the others are still printed.
        None if out.is_some_and(|p| p.parse::<u32>().is_ok()) => Sink::Own,
        None => task.sinks[0],
    };
    Ok(())
}

/// Variables that only the command which requests the allocation sets.
const SUBMISSION: &[&str] = &["SLURM_JOB_NUM_NODES", "SLURM_SUBMIT_DIR", "SLURM_SUBMIT_HOST"];

/// A task's environment: the exported part of srun's, and the variables of [`jobenv`].
fn task_env(
    cx: &Cx,
    o: &Component,
    layouts: &[StepLayout],
    here: &Here,
    bound: Option<&[bind::Bound]>,
) -> Env {
    let mut env = (*o.desc.env).clone();
    let ctld = cx.cluster.state();
    let Some(layout) = layouts.get(here.at) else { return env };
    let (Some(node), Some(job)) = (layout.nodes.get(here.n), ctld.jobs.get(layout.step.job)) else {
        return env;
    };
    let cpu_bind = bound.map(|all| {
        let list: Vec<String> = all.iter().map(bind::Bound::hex).collect();
        let verbose = all.iter().any(|b| b.verbose);
        (if verbose { "verbose" } else { "quiet" }.to_owned(), "mask_cpu:".to_owned(), list.join(","))
    });
    let asked = SrunOptions {
        cpus_per_task: o.desc.cpus_per_task,
        ntasks_per_node: o.desc.ntasks_per_node,
        label: here.label,
        distribution: o.desc.distribution.is_some(),
        umask: o.desc.umask,
        port: 32_768 + (cx.pid.0.wrapping_mul(7919)) % 28_000,
        gpus: bind::gpus(ctld, o, node, here.local_id),
        cpu_bind,
    };
    for name in ["CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"] {
        env.remove(name);
    }
    for name in ["SLURM_GPUS_ON_NODE", "SLURM_STEP_GPUS", "SLURM_CPUS_PER_TASK"] {
        env.remove(name);
    }
    let part = job.allocation.as_ref().and_then(|a| a.on(node.gets.node));
    let task = jobenv::Task {
        layouts,
        component: here.at,
        node: here.n,
        local_id: here.local_id,
        own: here.own,
        asked,
    };
    let scope = |who| Scope { ctld, job, node: part, who, task: Some(&task) };
    if here.own {
        jobenv::components(&mut env, job, ctld, who::OWN);
        jobenv::set(&mut env, &scope(who::OWN));
    } else {
        for name in ["SLURM_JOBID", "SLURM_JOB_ID"] {
            env.insert(name.to_owned(), layouts.first().map_or(layout.step, |l| l.step).job.to_string());
        }
        if !env.contains_key("SLURM_JOB_NODELIST") || layouts.len() > 1 || here.at > 0 {
            jobenv::set(&mut env, &scope(who::OWN));
            for name in SUBMISSION.iter().filter(|name| !cx.env.contains_key(**name)) {
                env.remove(*name);
            }
        }
    }
    jobenv::set(&mut env, &scope(who::TASK));
    env
}
