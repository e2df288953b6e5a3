//! Consistency checks of the whole world.

use super::World;
use super::image::Image;
use base::bitset::BitSet;
use base::ids::JobId;
use slurmctld::Slurmctld;
use slurmctld::job::{Job, JobState};
use std::collections::{BTreeMap, BTreeSet};

impl World {
    /// Checks every invariant: those of any state ([`World::sound`]), and those of the latest decisions. No
    /// limit is exceeded, no backfill reservation is delayed by a lower priority, no job is forgotten, usage
    /// adds up.
    ///
    /// # Errors
    /// The violated invariants, one sentence each.
    pub fn check(&self) -> Result<(), Vec<String>> {
        let mut faults = self.sound().err().unwrap_or_default();
        self.check_started_memory(&mut faults);
        faults.extend(self.ctld.check_started_limits(self.now));
        faults.extend(self.ctld.check_reservations(self.now));
        faults.extend(self.ctld.check_forgotten_jobs(self.now));
        faults.extend(self.ctld.dbd.usage_faults());
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Checks the invariants of any state: nothing is oversubscribed, the counters of nodes match the jobs'
    /// allocations, job states are consistent, and so are the host's tables.
    ///
    /// # Errors
    /// The violated invariants, one sentence each.
    pub fn sound(&self) -> Result<(), Vec<String>> {
        let mut faults = Vec::new();
        self.check_nodes(&mut faults);
        for job in self.ctld.jobs.values() {
            check_job(job, &mut faults);
        }
        self.check_index(&mut faults);
        faults.extend(self.ctld.check_counters());
        faults.extend(self.ctld.check_limits_counted(self.now));
        faults.extend(self.ctld.waiting_faults(self.now));
        if let Err(more) = self.kernel.check() {
            faults.extend(more);
        }
        faults.extend(self.kernel.lost().map(|pid| format!("process {pid} will never run again")));
        let imageless =
            self.kernel.processes().filter(|p| self.kernel.alive(p.pid) && !self.images.contains(p.pid));
        faults.extend(imageless.map(|p| format!("process {} has no program", p.pid)));
        let commands = self.images.iter().filter(|(_, image)| matches!(image, Image::Command(_)));
        if !commands.map(|(pid, _)| pid).eq(self.clients.iter().map(|pid| u64::from(pid.0))) {
            faults.push("processes that run commands are not those that are listed".to_owned());
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    fn check_nodes(&self, faults: &mut Vec<String>) {
        let mut held: BTreeMap<u32, Vec<(&Job, &slurmctld::job::NodeAlloc)>> = BTreeMap::new();
        for job in self.ctld.active_jobs() {
            for part in job.allocation.iter().flat_map(|a| &a.nodes) {
                if self.ctld.node(part.node).jobs.contains_key(&job.id) {
                    held.entry(part.node.0).or_default().push((job, part));
                }
            }
        }
        for node in &self.ctld.nodes {
            let parts = held.remove(&node.id.0).unwrap_or_default();
            let name = &node.conf.name;
            let mut cores = BitSet::new();
            let mut running = BitSet::new();
            let mut gres = vec![BitSet::new(); node.conf.gres.len()];
            for (job, part) in &parts {
                if job.state != JobState::Suspended {
                    if running.intersects(&part.cores) && !shares(&self.ctld, job) {
                        faults.push(format!("{name}: job {} runs on cores of another job", job.id));
                    }
                    running.union_with(&part.cores);
                }
                cores.union_with(&part.cores);
                for (i, set) in &part.gres {
                    if gres[*i as usize].intersects(set) {
                        faults.push(format!("{name}: job {} holds GRES of another job", job.id));
                    }
                    gres[*i as usize].union_with(set);
                }
            }
            let mut labels = parts.iter().map(|p| &p.0.needs.mcs);
            let label = labels.next();
            if labels.any(|l| Some(l) != label) {
                let jobs: Vec<&JobId> = node.jobs.keys().collect();
                faults.push(format!("{name}: jobs {jobs:?} share it across MCS labels"));
            }
            let cpus = parts.iter().map(|p| p.1.cpus).sum::<u32>().min(node.cpus());
            let still = parts.iter().filter(|p| p.0.state == JobState::Suspended);
            let memory: u64 = parts.iter().map(|p| p.1.memory).sum();
            let jobs: Vec<JobId> = parts.iter().map(|p| p.0.id).collect();
            if cores != node.cores_used || cpus != node.cpus_used || gres != node.gres_used {
                faults.push(format!("{name}: what is counted as used is not what jobs {jobs:?} hold"));
            }
            if memory != node.mem_used {
                faults.push(format!("{name}: {} MiB counted, {memory} MiB held", node.mem_used));
            }
            let alone = parts.iter().filter(|p| p.0.state != JobState::Suspended && !shares(&self.ctld, p.0));
            let taken: u32 = alone.map(|p| p.1.cpus).sum();
            if taken > node.cpus() {
                faults.push(format!("{name}: oversubscribed"));
            }
            if still.map(|p| p.0.id).collect::<BTreeSet<JobId>>() != node.suspended {
                faults.push(format!("{name}: what is counted as suspended is not what stands still"));
            }
            if !node.jobs.keys().all(|id| jobs.contains(id)) {
                faults.push(format!("{name}: lists a job that holds nothing there"));
            }
        }
    }

    /// A job that starts fits into the memory of its nodes. Jobs that run may hold more than a node has, because an
    /// administrator may lower its `RealMemory`.
    fn check_started_memory(&self, faults: &mut Vec<String>) {
        if !self.ctld.cluster.global.select.memory {
            return;
        }
        let started = |job: &&Job| job.start == Some(self.now) && job.resized.is_none();
        for job in self.ctld.active_jobs().filter(started) {
            for part in job.allocation.iter().flat_map(|a| &a.nodes) {
                let node = self.ctld.node(part.node);
                if part.memory > 0 && node.mem_used > node.conf.real_memory {
                    faults.push(format!("{}: job {} started without free memory", node.conf.name, job.id));
                }
            }
        }
    }

    fn check_index(&self, faults: &mut Vec<String>) {
        let pending = self.ctld.jobs.values().filter(|j| j.state == JobState::Pending && !j.flags.completing);
        if pending.count() != self.ctld.pending_jobs().count() {
            faults.push("the index of pending jobs is not true".to_owned());
        }
        let active = self
            .ctld
            .jobs
            .values()
            .filter(|j| j.flags.completing || matches!(j.state, JobState::Running | JobState::Suspended));
        if active.count() != self.ctld.active_jobs().count() {
            faults.push("the index of active jobs is not true".to_owned());
        }
    }
}

fn check_job(job: &Job, faults: &mut Vec<String>) {
    let id = job.id;
    let running = matches!(job.state, JobState::Running | JobState::Suspended);
    if running && (job.allocation.is_none() || job.start.is_none()) {
        faults.push(format!("job {id} runs without an allocation"));
    }
    if job.state == JobState::Pending && !job.flags.completing && job.allocation.is_some() {
        faults.push(format!("job {id} is pending and holds an allocation"));
    }
    if job.state.ended() && job.end.is_none() {
        faults.push(format!("job {id} has ended, but not at any time"));
    }
    if let (Some(start), Some(end)) = (job.start, job.end)
        && end < start
    {
        faults.push(format!("job {id} ends before it starts"));
    }
    if let Some(alloc) = &job.allocation {
        let cpus: u64 = alloc.nodes.iter().map(|n| u64::from(n.cpus)).sum();
        let memory: u64 = alloc.nodes.iter().map(|n| n.memory).sum();
        if alloc.tres.cpu != cpus || alloc.tres.mem != memory || alloc.tres.node != alloc.nodes.len() as u64 {
            faults.push(format!("job {id}: TRES do not add up"));
        }
    }
}

/// Whether the job's partition allows several jobs on one core.
fn shares(ctld: &Slurmctld, job: &Job) -> bool {
    job.partitions.first().is_some_and(|p| ctld.partition(*p).shares_cores())
}
