//! The cluster's hosts as Unix commands see them, over slurmctld's node table.

use crate::{Cx, Slurm};
use base::ids::{Cgroup, Uid};
use slurmctld::node::NodeBase;
use slurmctld::request::{NodeUpdate, Request};
use unix::{ComputeHost, Context, Hosts};

struct NodeHosts<'a>(&'a mut dyn Slurm);

/// Runs a Unix command in the context of a command that talks to slurmctld.
pub fn on_hosts<T>(cx: &mut Cx, work: impl FnOnce(&mut unix::Cx) -> T) -> T {
    let mut hosts = NodeHosts(&mut *cx.cluster);
    work(&mut Context {
        now: cx.now,
        pid: cx.pid,
        argv: cx.argv,
        env: cx.env,
        kernel: &mut *cx.kernel,
        cluster: &mut hosts,
        out: &mut *cx.out,
        err: &mut *cx.err,
        born: &mut *cx.born,
        marks: &mut *cx.marks,
        piped: cx.piped,
        work: &mut *cx.work,
    })
}

impl Hosts for NodeHosts<'_> {
    fn host(&self, name: &str) -> Option<ComputeHost> {
        let state = self.0.state();
        let node = state.node(state.node_by_name(name)?);
        Some(ComputeHost {
            sockets: node.conf.sockets.max(1),
            cores_per_socket: node.conf.cores_per_socket.max(1),
            threads_per_core: node.conf.threads_per_core.max(1),
            cpus: node.conf.cpus,
            memory: node.conf.real_memory,
            booted: node.boot,
            is_up: node.alive,
        })
    }

    fn adopt(&mut self, uid: Uid, host: &str, from: Cgroup) -> Option<Cgroup> {
        let node = self.0.state().node_by_name(host)?;
        self.0.adopt(uid, node, from)
    }

    fn power_off(&mut self, host: &str) {
        if let Some(node) = self.0.state().node_by_name(host) {
            self.0.request(Uid(0), Request::NodeResponding { node, up: false });
        }
    }

    /// If slurmctld has not noticed that the node was down, the node "unexpectedly rebooted" and its jobs are
    /// lost. With `ReturnToService=2` it accepts new jobs at once.
    fn power_on(&mut self, host: &str) {
        let state = self.0.state();
        let Some(node) = state.node_by_name(host) else { return };
        if state.node(node).base != NodeBase::Down {
            let change = NodeUpdate {
                nodes: state.node(node).conf.name.clone(),
                state: Some("down".to_owned()),
                reason: Some("Node unexpectedly rebooted".to_owned()),
                ..NodeUpdate::default()
            };
            self.0.request(Uid(0), Request::UpdateNode(Box::new(change)));
        }
        self.0.request(Uid(0), Request::NodeResponding { node, up: true });
    }
}
