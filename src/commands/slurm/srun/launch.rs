//! The tasks of a step: started all together, in every component of the job.

use super::bind;
use super::component::Component;
use super::files::{Names, Opened, Sink, apart};
use super::multi::{self, Programs};
use super::start::{Start, start_task};
use crate::base::ids::Pid;
use crate::base::time::Time;
use crate::commands::Cx;
use crate::host::{Env, Fd, Origin, Signal, Status};
use crate::slurmctld::jobenv::{self, Asked, Scope, who};
use crate::slurmctld::request::StepLayout;
use serde::{Deserialize, Serialize};

/// One task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Task {
    pub rank: u32,
    pub node: String,
    pub(super) pid: Option<Pid>,
    pub(super) out: Option<Fd>,
    pub(super) err: Option<Fd>,
    pub(super) input: Option<Fd>,
    /// Where its output goes.
    pub(super) sinks: [Sink; 2],
    /// Read from it and not yet a whole line, for labels.
    pub(super) rest: [Vec<u8>; 2],
    /// Read from srun's input and not yet taken by it.
    pub(super) taken: u32,
    pub status: Option<Status>,
    /// Why it could not be started, for standard error.
    pub(super) note: Option<String>,
    /// Its directory was not there.
    pub(super) chdir_failed: Option<String>,
}

/// All tasks of the step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)]
pub struct Tasks {
    /// The step's part in each component of the job.
    pub layouts: Vec<StepLayout>,
    pub tasks: Vec<Task>,
    /// When the step was made.
    pub begun: Time,
    /// Read from standard input and not yet taken by every task.
    pub(super) input: Vec<u8>,
    pub(super) input_open: bool,
    pub(super) first_end: Option<Time>,
    pub(super) interrupted: Option<Time>,
    pub(super) aborted: bool,
    /// By Ctrl-C.
    pub(super) stopped: bool,
    /// Someone ends the job or step, and it was told.
    pub(super) ending_told: bool,
    /// Nodes that the step lost with its job, once that was told.
    pub(super) lost: Option<Vec<String>>,
    /// A task was killed and nobody told why.
    pub(super) forced: bool,
    /// The signal to end of which slurmstepd's line was passed on last.
    pub(super) told: Option<(Time, Signal)>,
    /// Ends of tasks that were not told yet, and when they are.
    pub(super) untold: Vec<(String, u32, Status)>,
    pub(super) tell_at: Option<Time>,
    /// srun's own SIGKILL reaches the tasks then.
    pub(super) kill_at: Option<Time>,
    pub(super) quiet: bool,
}

impl Tasks {
    /// The step's number, in the first component.
    #[must_use]
    pub fn step(&self) -> Option<crate::base::ids::StepId> {
        self.layouts.first().map(|l| l.step)
    }
}

/// Programs of `--multi-prog` for each component.
///
/// # Errors
/// Lines for the user.
pub fn programs(
    cx: &mut Cx,
    components: &[Component],
    layouts: &[StepLayout],
) -> Result<Vec<Programs>, Vec<String>> {
    let mut all = Vec::new();
    for (component, layout) in components.iter().zip(layouts) {
        if !component.run.multi_prog {
            all.push(Programs::new());
            continue;
        }
        let file = component.command.first().map_or("", String::as_str);
        let data = cx.read_file(file);
        let data = data.map_err(|_| vec![format!("error: Could not open multi_prog config file {file}")])?;
        let tasks = layout.nodes.iter().map(|n| n.ranks.len()).sum::<usize>();
        let text = String::from_utf8_lossy(&data).into_owned();
        all.push(multi::read(file, &text, u32::try_from(tasks).unwrap_or(u32::MAX))?);
    }
    Ok(all)
}

/// Starts all tasks.
///
/// # Errors
/// A line for the user: a file that all tasks share cannot be opened.
pub fn launch(
    cx: &mut Cx,
    components: &[Component],
    layouts: Vec<StepLayout>,
    own: bool,
    quiet: bool,
) -> Result<Tasks, Vec<String>> {
    let programs = programs(cx, components, &layouts)?;
    let first = components.first();
    let mut all = Tasks {
        tasks: Vec::new(),
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
        told: None,
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
            return Err(vec!["error: Could not open stdin file: No such file or directory".to_owned()]);
        }
        let base = layout.nodes.first().and_then(|n| n.ranks.first()).copied().unwrap_or(0);
        for (n, node) in layout.nodes.iter().enumerate() {
            let bound =
                bind::cpus(cx.slurm.state(), component, node, component.desc.cpus_per_task.unwrap_or(1));
            for (place, rank) in node.ranks.iter().enumerate() {
                let label = first.is_some_and(|c| c.run.label);
                let here = Here { at, n, place, rank: *rank, own, label };
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

/// Tasks of later components are numbered behind those of earlier ones.
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

/// Which task.
struct Here {
    at: usize,
    n: usize,
    place: usize,
    rank: u32,
    own: bool,
    /// Lines are labelled.
    label: bool,
}

/// Whether `-i` or `-o` names a file and not some of the tasks.
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
) -> Result<Task, Vec<String>> {
    let o = component;
    let (Some(layout), state) = (layouts.get(here.at), cx.slurm.state()) else { return Err(Vec::new()) };
    let (Some(node), Some(job)) = (layout.nodes.get(here.n), state.jobs.get(layout.step.job)) else {
        return Err(Vec::new());
    };
    let job = job.clone();
    let mut env = task_env(cx, o, layouts, here, bound);
    if let Some(dir) = cx.kernel.job_tmp(cx.uid(), job.id.0) {
        env.insert("SLURM_TMPDIR".to_owned(), dir);
    }
    let names = Names {
        job: &job,
        step: layouts.first().map_or(layout.step, |l| l.step).to_string(),
        node: &node.name,
        place: here.n,
        rank: here.rank,
        user: cx.user(),
    };
    let mut task = Task {
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
        // A file that each task has is opened on its node; srun's own ends srun.
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
    let origin = Origin { uid: cx.uid(), host: node.name.as_str().into(), cgroup: node.cgroup };
    let pty = o.run.pty && here.rank == 0;
    let start = Start {
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
        // slurmstepd looks for the directory twice.
        super::io::print(cx, &mut task, 1, format!("{line}\n{line}\n").as_bytes(), label);
    }
    if let (Some(bind), Some(pid)) = (bound.and_then(|b| b.get(here.place)).filter(|b| b.told), task.pid) {
        let set = if bind.kind == "NONE" { "" } else { " set" };
        let text = format!(
            "cpu-bind={} - {}, task {:2} {:2} [{pid}]: mask {}{set}\n",
            bind.kind,
            task.node,
            task.rank,
            here.place,
            bind.hex()
        );
        super::io::print(cx, &mut task, 1, text.as_bytes(), label);
    }
    Ok(task)
}

fn tasks_of(layouts: &[StepLayout]) -> usize {
    layouts.iter().flat_map(|l| &l.nodes).map(|n| n.ranks.len()).sum()
}

/// Opens a task's files. An error without a text is a node's, one with a text srun's.
fn sinks(
    cx: &mut Cx,
    o: &Component,
    task: &mut Task,
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
        // Of one task that is shown alone, errors of the others are seen, too.
        None if out.is_some_and(|p| p.parse::<u32>().is_ok()) => Sink::Own,
        None => task.sinks[0],
    };
    Ok(())
}

/// A task's environment: srun's, as far as it is exported, and what [`jobenv`] says.
fn task_env(
    cx: &Cx,
    o: &Component,
    layouts: &[StepLayout],
    here: &Here,
    bound: Option<&[bind::Bound]>,
) -> Env {
    let mut env = (*o.desc.env).clone();
    let ctld = cx.slurm.state();
    let Some(layout) = layouts.get(here.at) else { return env };
    let (Some(node), Some(job)) = (layout.nodes.get(here.n), ctld.jobs.get(layout.step.job)) else {
        return env;
    };
    let cpu_bind = bound.map(|all| {
        let list: Vec<String> = all.iter().map(bind::Bound::hex).collect();
        let verbose = all.iter().any(|b| b.told);
        (if verbose { "verbose" } else { "quiet" }.to_owned(), "mask_cpu:".to_owned(), list.join(","))
    });
    let asked = Asked {
        cpus_per_task: o.desc.cpus_per_task,
        ntasks_per_node: o.desc.ntasks_per_node,
        label: here.label,
        distribution: o.desc.distribution.is_some(),
        umask: o.desc.umask,
        port: 32_768 + (cx.pid.0.wrapping_mul(7919)) % 28_000,
        gpus: bind::gpus(ctld, o, node, here.place),
        cpu_bind,
    };
    for name in ["CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK"] {
        env.remove(name);
    }
    for name in ["SLURM_GPUS_ON_NODE", "SLURM_STEP_GPUS", "SLURM_CPUS_PER_TASK"] {
        env.remove(name);
    }
    let part = job.allocation.as_ref().and_then(|a| a.on(node.gets.node));
    let task =
        jobenv::Task { layouts, component: here.at, node: here.n, place: here.place, own: here.own, asked };
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
        }
    }
    jobenv::set(&mut env, &scope(who::TASK));
    env
}
