//! Machines of a cloud that their provider takes back (`[provider]` of `site.toml`): at moments that follow from the seed a
//! machine that is on is told, its jobs get SIGCONT and SIGTERM with all their processes, and after the notice it is gone.
//!
//! Slurm itself knows nothing of this: the machine is told to shut down, its processes are signalled and slurmd reports
//! nothing any more; a script beside slurmctld drains the node and marks what is gone. Jobs then fail with NODE_FAIL and go
//! back to the queue if they may (`JobRequeue`, `--requeue`).

use super::World;
use super::event::Event;
use crate::base::diagnostic::{Diagnostic, Severity};
use crate::base::hash::scatter;
use crate::base::ids::{JobId, NodeId};
use crate::base::time::Span;
use crate::host::Signal;
use crate::slurmctld::request::{NodeUpdate, Request, SignalScope, Target};

const MINUTE: Span = Span::from_mins(1);

impl World {
    /// From now on machines may be taken back. Only those can be that power saving switches on again.
    #[inline(never)]
    pub(super) fn begin_provider(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        if self.ctld.cluster.global.power.enabled {
            self.queue.push(self.now + MINUTE, Event::Provider);
        } else {
            let message = "provider: slurm.conf has no ResumeProgram and SuspendProgram".to_owned();
            let (severity, file) = (Severity::Error, "site.toml".to_owned());
            diagnostics.push(Diagnostic { severity, file, line: 0, message });
        }
    }

    /// Which machines get their notice in the next minute.
    #[inline(never)]
    pub(super) fn provider_minute(&mut self) {
        let Some(provider) = self.site.provider else { return };
        for id in 0..self.ctld.nodes.len() {
            let Ok(id) = u32::try_from(id).map(NodeId) else { break };
            if !self.is_on(id) || self.ctld.node(id).flags.drain {
                continue;
            }
            let thrown = scatter(&format!("{} provider {} {}", self.seed, self.now.0, id.0));
            if thrown % u64::from(provider.every) < 60 {
                let offset = Span(i64::try_from((thrown >> 32) % 60_000_000).unwrap_or(0));
                self.queue.push(self.now + offset, Event::Notice(id));
            }
        }
        self.queue.push(self.now + MINUTE, Event::Provider);
    }

    fn is_on(&self, id: NodeId) -> bool {
        let f = self.ctld.node(id).flags;
        !(f.powered_down || f.powering_down || f.powering_up)
    }

    /// The notice: nobody else starts there, and who runs there is told.
    #[inline(never)]
    pub(super) fn give_notice(&mut self, id: NodeId) {
        let Some(provider) = self.site.provider.filter(|_| self.is_on(id)) else { return };
        if provider.notice == 0 {
            return self.take_back(id);
        }
        self.ask(Request::UpdateNode(Box::new(NodeUpdate {
            nodes: self.ctld.node(id).conf.name.clone(),
            state: Some("drain".to_owned()),
            reason: Some(format!("taken back by the provider in {} s", provider.notice)),
            ..NodeUpdate::default()
        })));
        let jobs: Vec<JobId> = self.ctld.node(id).jobs.keys().copied().collect();
        for job in jobs {
            for signal in [Signal::CONT, Signal::TERM] {
                let target = Target { job, task: None };
                let (signal, scope) = (Some(signal), SignalScope::Full);
                self.ask(Request::Kill { target, signal, scope, many: false });
            }
        }
        self.leaving.push(id);
        self.queue.push(self.now + Span::from_secs(provider.notice.into()), Event::Gone(id));
    }

    /// The machine is gone with all that ran on it.
    #[inline(never)]
    pub(super) fn take_back(&mut self, id: NodeId) {
        self.leaving.retain(|leaving| *leaving != id);
        if self.is_on(id) {
            self.ask(Request::NodeGone { node: id });
            self.kill_host(id);
        }
    }
}
