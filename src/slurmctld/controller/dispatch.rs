//! Dispatches requests to the modules that carry them out. On the page, it is in the deferred module.

use crate::Slurmctld;
use crate::rpc::request::{Caller, Request, Response};
use crate::state::error::SlurmError;
use base::time::Time;
use std::sync::Arc;

impl Slurmctld {
    #[inline(never)]
    pub(super) fn carry_out(&mut self, caller: Caller, request: Request, now: Time) -> Response {
        let done = match request {
            Request::SubmitBatch(desc) | Request::Allocate(desc) => return self.submit(caller, desc, now),
            Request::SubmitHet(descs) => return self.submit_het(descs, now),
            Request::WillRun(desc) => return self.will_run(caller, *desc, now),
            Request::Kill { target, signal, scope, many } => {
                return self.kill(caller, target, signal, scope, many, now);
            }
            Request::Update { target, change } => return self.update(caller, target, &change, now),
            Request::Hold { target, user } => return self.hold(caller, target, user, now),
            Request::Release(target) => return self.release(caller, target, now),
            Request::Requeue { target, how } => return self.requeue(caller, target, how, now),
            Request::Top(target) => return self.top(caller, target, now),
            Request::Suspend(target) => self.suspend(caller, target, now),
            Request::Resume(target) => self.resume(caller, target, now),
            Request::UpdateNode(change) => self.update_nodes(caller, &change, now),
            Request::Reboot(how) => self.reboot_nodes(caller, &how, now),
            Request::CreateReservation(desc) => return self.create_reservation(caller, &desc, now),
            Request::UpdateReservation(desc) => self.update_reservation(caller, &desc, now),
            Request::DeleteReservation(name) => self.delete_reservation(caller, &name, now),
            Request::SetCrontab { uid, text, jobs } => return self.set_crontab(caller, uid, text, jobs, now),
            Request::Notify { job, message } => self.notify(caller, job, message),
            Request::SetDampening(factor) => self.administrator_only(caller).map(|()| {
                Arc::make_mut(&mut self.cluster).global.priority.dampening = factor;
            }),
            Request::SetTrigger(trigger) => self.set_trigger(caller, &trigger, now),
            Request::ClearTriggers { id, job, user } => self.clear_triggers(caller, (id, job, user)),
            Request::ResetStats => self
                .operator_only(caller)
                .map(|()| self.stats.reset(now))
                .map_err(|_| SlurmError::AccessDenied),
            Request::Reconfigure(files) => return self.reconfigure(caller, &files, now),
            Request::CreatePartition { name, changes } => self.create_partition(caller, &name, &changes, now),
            Request::CreateNodes(line) => return self.create_nodes(caller, &line, now),
            Request::DeleteNodes(list) => return self.delete_nodes(caller, &list, now),
            Request::DeletePartition(name) => self.delete_partition(caller, &name, now),
            Request::UpdatePartition { name, changes } => self.update_partition(caller, &name, &changes, now),
            Request::CreateStep(desc) => return self.create_step(caller, &desc, now),
            Request::ForgetStep { job, client } => self.forget_step(job, client),
            Request::Listen { step, listener, fds } => self.listen(caller, step, listener, fds),
            Request::StepDone { step, exit, usage } => self.step_done(step, exit, usage, now),
            Request::BatchDone { job, status, usage } => self.batch_done(job, status, usage, now),
            Request::CompleteJob { job, exit } => self.complete_allocation(caller, job, exit, now),
            Request::EpilogComplete { job, nodes } => self.epilog_complete(job, &nodes, now),
            Request::NodeResponding { node, up } => self.node_responding(node, up, now),
            Request::NodeOutOfMemory { node, job, comment, back } => {
                self.node_out_of_memory(node, job, comment, back, now)
            }
            Request::NodeGone { node } => self.node_gone(node, now),
            Request::Prepared { job, failed } => self.prepared(job, failed, now),
            Request::Resuming { nodes, ended } => self.resuming(&nodes, ended, now),
            Request::EpilogFailed { node } => self.epilog_failed(node, now),
            Request::OutOfMemory { step } => self.out_of_memory(step),
            Request::Accounting(change) => return self.accounting(caller, &change, now),
        };
        match done {
            Ok(()) => Response::Ok,
            Err(error) => Response::Err { error, messages: Vec::new() },
        }
    }
}
