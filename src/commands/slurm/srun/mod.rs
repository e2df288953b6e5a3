//! srun(1): runs a step, in an allocation that exists or in one of its own.
//!
//! The tasks are children of srun with the node's name and tracking group; pipes carry what they read and print. A step
//! over several components of a heterogeneous job (` : `) is a step of the same number in each of them.

mod around;
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
mod start;

pub use io::HEAD;

use super::opt::{Bad, Tool};
use super::submission;
use crate::base::ids::JobId;
use crate::base::time::{SECOND, Span};
use crate::commands::{Cx, Machine};
use crate::host::signal::Disposition;
use crate::slurmctld::error::SlurmError;
use crate::slurmctld::request::{Request, Response};
use component::Component;
use run::Phase;
pub use run::Srun;

fn refuse(cx: &mut Cx, bad: &Bad) -> Machine {
    cx.complain(bad.lines("srun").trim_end_matches('\n'));
    Machine::End(bad.exit)
}

/// How many components the allocation has that the environment names.
fn het_size(cx: &Cx) -> Option<u32> {
    let id = cx.env.get("SLURM_JOB_ID")?.parse().ok()?;
    let job = cx.slurm.state().jobs.get(JobId(id))?;
    Some(job.het.map_or(1, |het| het.size))
}

/// Starts it.
pub fn start(cx: &mut Cx) -> Machine {
    let (mut components, warnings) = match component::read(cx, het_size(cx)) {
        Ok(read) => read,
        Err(bad) => return refuse(cx, &bad),
    };
    let Some(first) = components.first_mut() else { return Machine::End(1) };
    if let Some(instead) = first.run.instead {
        submission::instead(cx, Tool::Srun, instead);
        return Machine::End(0);
    }
    if first.run.mpi.as_deref() == Some("list") {
        mpi::list(cx);
        return Machine::End(0);
    }
    if let Some(lines) = first.run.mpi.as_ref().and_then(|kind| mpi::refused(cx, kind)) {
        for line in lines {
            cx.complain(&format!("srun: error: {line}"));
        }
        return Machine::End(1);
    }
    for line in warnings.iter().filter(|_| first.run.quiet == 0) {
        cx.complain(&format!("srun: {line}"));
    }
    if first.run.pty && cx.kernel.fd_tty(cx.pid, crate::commands::STDIN).is_none() {
        cx.complain("srun: error: ioctl(TIOCGWINSZ): Inappropriate ioctl for device");
        cx.complain("srun: error: Not using a pseudo-terminal, disregarding --pty option");
        first.run.pty = false;
    }
    let inside = first.run.job.or_else(|| cx.env.get("SLURM_JOB_ID").and_then(|id| id.parse().ok()));
    let (lines, end) = bind::check(&cx.slurm.state().cluster, first);
    for line in lines {
        if line.starts_with("srun: ") { cx.complain(&line) } else { cx.line(&line) }
    }
    if let Some(code) = end {
        return Machine::End(code);
    }
    match inside {
        Some(id) => within(cx, components, JobId(id)),
        None => outside(cx, components),
    }
}

/// A step of a job that exists.
fn within(cx: &mut Cx, components: Vec<Component>, id: JobId) -> Machine {
    let known = cx.slurm.state().jobs.get(id).filter(|j| !j.state.ended());
    let Some(job) = known else {
        cx.complain(&format!(
            "srun: error: Unable to confirm allocation for job {id}: {}",
            SlurmError::InvalidJobId
        ));
        cx.complain(&format!("srun: Check SLURM_JOB_ID environment variable. Expired or invalid job {id}"));
        return Machine::End(1);
    };
    let leader = job.het.map_or(id, |het| if het.offset == 0 { id } else { het.leader });
    let leader = if job.het.is_some() { leader } else { id };
    for component in &components {
        let job = JobId(leader.0 + component.group);
        let desc = component::step_desc(cx, component, job);
        if let Err(lines) = desc.and_then(|desc| component::fits(cx, &desc)) {
            for line in lines {
                cx.complain(&format!("srun: {line}"));
            }
            return Machine::End(1);
        }
    }
    catch(cx);
    Machine::Srun(Box::new(Srun::new(components, leader, false, Phase::Create { told: false })))
}

/// An allocation of its own.
fn outside(cx: &mut Cx, components: Vec<Component>) -> Machine {
    if components.iter().any(|c| c.run.relative.is_some()) {
        return refuse(cx, &Bad::fatal("--relative option invalid for job allocation request"));
    }
    let Some(first) = components.first() else { return Machine::End(1) };
    let (test, immediate) = (first.run.test_only, first.desc.immediate);
    let mut descs: Vec<_> = components.iter().map(|c| c.desc.clone()).collect();
    let request = match (descs.len(), test) {
        (_, true) => Request::WillRun(Box::new(descs.swap_remove(0))),
        (1, false) => Request::Allocate(Box::new(descs.swap_remove(0))),
        (_, false) => Request::SubmitHet(descs),
    };
    match cx.slurm.request(cx.uid(), request) {
        Response::Job { id, messages } => {
            for line in messages {
                cx.complain(&format!("srun: {line}"));
            }
            catch(cx);
            let until = immediate.map(|s| cx.now + Span(i64::from(s) * SECOND));
            let phase = Phase::Allocate { told: false, until };
            Machine::Srun(Box::new(Srun::new(components, id, true, phase)))
        }
        Response::WillRun { id, start, cpus, nodes, partition } => {
            cx.complain(&format!(
                "srun: Job {id} to start at {start} a using {cpus} processors on nodes {nodes} in partition {partition}"
            ));
            Machine::End(0)
        }
        Response::Err { error, messages } => {
            for line in messages {
                cx.complain(&format!("srun: {line}"));
            }
            let text = if test {
                format!("allocation failure: {error}")
            } else {
                format!("srun: error: Unable to allocate resources: {error}")
            };
            cx.complain(&text);
            Machine::End(1)
        }
        Response::Ok | Response::Step(_) | Response::Reservation(_) | Response::PerTask(_) => Machine::End(1),
    }
}

fn catch(cx: &mut Cx) {
    cx.kernel.raise_descriptors(cx.pid);
    for signal in signals::CAUGHT {
        cx.kernel.set_disposition(cx.pid, *signal, Disposition::Catch);
    }
}
