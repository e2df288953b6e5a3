//! srun(1): runs a step, in an existing allocation or in a new one.
//!
//! The tasks are children of srun on their nodes and in the step's cgroup. Pipes carry their input and output.
//! A step over several components of a heterogeneous job (` : `) consists of one step with the same number in
//! each component.

mod bind;
mod component;
mod files;
mod hostfile;
mod io;
mod launch;
mod mpi;
mod multi;
mod report;
mod run;
mod signals;
mod srun_prolog;
mod start;

pub use io::HEAD;

use super::opt::{Bad, SubmitCommand};
use super::refusal;
use super::submission;
use crate::{CommandMachine, Cx};
use base::ids::JobId;
use base::refusal::Refusal;
use base::time::{SECOND, Span};
use component::Component;
use host::signal::Disposition;
pub use run::Srun;
use run::SrunPhase;
use slurmctld::error::SlurmError;
use slurmctld::request::{Request, Response};

fn refuse(cx: &mut Cx, bad: &Bad) -> CommandMachine {
    cx.complain(bad.lines("srun").trim_end_matches('\n'));
    refusal::note(cx, bad.refusal);
    CommandMachine::End(submission::error_code(cx, bad.exit))
}

/// The number of components of the allocation in the environment.
fn het_size(cx: &Cx) -> Option<u32> {
    let id = cx.env.get("SLURM_JOB_ID")?.parse().ok()?;
    let job = cx.cluster.state().jobs.get(JobId(id))?;
    Some(job.het.map_or(1, |het| het.size))
}

/// Starts srun.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let (mut components, warnings) = match component::read(cx, het_size(cx)) {
        Ok(read) => read,
        Err(bad) => return refuse(cx, &bad),
    };
    let Some(first) = components.first_mut() else { return CommandMachine::End(1) };
    if let Some(instead) = first.run.instead {
        return CommandMachine::End(submission::instead(cx, SubmitCommand::Srun, instead));
    }
    if first.run.mpi.as_deref() == Some("list") {
        mpi::list(cx);
        return CommandMachine::End(0);
    }
    if let Some(lines) = first.run.mpi.as_ref().and_then(|kind| mpi::refused(cx, kind)) {
        for line in lines {
            cx.complain(&format!("srun: error: {line}"));
        }
        return CommandMachine::End(1);
    }
    for line in warnings.iter().filter(|_| first.run.quiet == 0) {
        cx.complain(&format!("srun: {line}"));
    }
    if first.run.pty && !(cx.is_tty(crate::STDIN) && cx.is_tty(crate::STDOUT)) {
        cx.complain("srun: error: ioctl(TIOCGWINSZ): Inappropriate ioctl for device");
        cx.complain("srun: error: Not using a pseudo-terminal, disregarding --pty option");
        first.run.pty = false;
    }
    let inside = first.run.job.or_else(|| cx.env.get("SLURM_JOB_ID").and_then(|id| id.parse().ok()));
    let (lines, end) = bind::check(&cx.cluster.state().cluster, first);
    for line in lines {
        if line.starts_with("srun: ") { cx.complain(&line) } else { cx.line(&line) }
    }
    if let Some(code) = end {
        refusal::note(cx, Some(Refusal::Value).filter(|_| code > 0));
        return CommandMachine::End(code);
    }
    if let Err(lines) = launch::programs(cx, components.iter().map(|c| (c, c.desc.ntasks))) {
        for line in lines {
            cx.complain(&format!("srun: {line}"));
        }
        return CommandMachine::End(1);
    }
    match inside {
        Some(id) => within(cx, components, JobId(id)),
        None => outside(cx, components),
    }
}

/// Starts a step in an existing job.
fn within(cx: &mut Cx, components: Vec<Component>, id: JobId) -> CommandMachine {
    let known = cx.cluster.state().jobs.get(id).filter(|j| !j.state.ended());
    let Some(job) = known else {
        let over = cx.cluster.state().jobs.get(id).is_some();
        cx.complain(&if over {
            format!("srun: error: Slurm job {id} has expired")
        } else {
            let unknown = SlurmError::InvalidJobId;
            format!("srun: error: Unable to confirm allocation for job {id}: {unknown}")
        });
        refusal::note(cx, Refusal::Job);
        cx.complain(&format!("srun: Check SLURM_JOB_ID environment variable. Expired or invalid job {id}"));
        return CommandMachine::End(1);
    };
    if components.iter().any(|c| c.run.test_only) {
        cx.complain(&format!("allocation failure: {}", SlurmError::Disabled));
        refusal::note(cx, Refusal::Step);
        return CommandMachine::End(1);
    }
    let leader = job.het.map_or(id, |het| if het.offset == 0 { id } else { het.leader });
    let (leader, alone) = if job.het.is_some() { (leader, false) } else { (id, true) };
    if alone && components.iter().any(|c| c.run.het_group.is_some()) {
        return refuse(
            cx,
            &Bad::error("No directives to start application on any available hetjob components").with_exit(1),
        );
    }
    if components.iter().any(|c| c.desc.begin.is_some()) {
        cx.complain("srun: error: --begin is ignored because nodes are already allocated.");
    }
    if components.iter().any(|c| c.run.compress) {
        cx.complain("srun: error: No compression library available, compression disabled.");
    }
    for component in &components {
        let job = JobId(leader.0 + component.group);
        let desc = component::step_desc(cx, component, job);
        if let Err(lines) = desc.and_then(|desc| component::fits(cx, &desc)) {
            refusal::note(cx, Refusal::Step);
            for line in lines {
                cx.complain(&format!("srun: {line}"));
            }
            return CommandMachine::End(1);
        }
    }
    catch(cx);
    CommandMachine::Srun(Box::new(Srun::new(
        components,
        leader,
        false,
        SrunPhase::Create { announced: false },
    )))
}

/// Requests its own allocation.
fn outside(cx: &mut Cx, components: Vec<Component>) -> CommandMachine {
    if components.iter().any(|c| c.run.relative.is_some()) {
        return refuse(cx, &Bad::fatal("--relative option invalid for job allocation request"));
    }
    let Some(first) = components.first() else { return CommandMachine::End(1) };
    let (test, immediate) = (first.run.test_only, first.desc.immediate);
    let mut descs: Vec<_> = components.iter().map(|c| c.desc.clone()).collect();
    let request = match (descs.len(), test) {
        (_, true) => Request::WillRun(Box::new(descs.swap_remove(0))),
        (1, false) => Request::Allocate(Box::new(descs.swap_remove(0))),
        (_, false) => Request::SubmitHet(descs),
    };
    match cx.cluster.request(cx.uid(), request) {
        Response::Job { id, messages } => {
            for line in messages {
                cx.complain(&format!("srun: {line}"));
            }
            catch(cx);
            let until = immediate.map(|s| cx.now + Span(i64::from(s) * SECOND));
            let phase = SrunPhase::Allocate { announced: false, until };
            CommandMachine::Srun(Box::new(Srun::new(components, id, true, phase)))
        }
        Response::WillRun { id, start, cpus, nodes, partition } => {
            cx.complain(&format!(
                "srun: Job {id} to start at {start} a using {cpus} processors on nodes {nodes} in partition {partition}"
            ));
            CommandMachine::End(0)
        }
        Response::Err { error, messages } => {
            refusal::note(cx, refusal::of_job(error, &messages));
            for line in messages {
                cx.complain(&format!("srun: {line}"));
            }
            let text = if test {
                format!("allocation failure: {error}")
            } else {
                format!("srun: error: Unable to allocate resources: {error}")
            };
            cx.complain(&text);
            CommandMachine::End(1)
        }
        Response::Ok
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_)
        | Response::Accounting(_) => CommandMachine::End(1),
    }
}

fn catch(cx: &mut Cx) {
    cx.kernel.raise_descriptors(cx.pid);
    for signal in signals::CAUGHT {
        cx.kernel.set_disposition(cx.pid, *signal, Disposition::Catch);
    }
}
