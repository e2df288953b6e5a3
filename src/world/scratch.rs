//! Directories of jobs on their nodes: `$SLURM_TMPDIR`, made when a job starts and removed when a node is clean, as
//! sites do it in their prolog and epilog (or `job_container/tmpfs`), where `site.toml` says so; and slurmd's own, with the
//! batch script.

use super::World;
use crate::base::ids::{JobId, NodeId};
use crate::slurmd::launch::spool_dir;

impl World {
    /// A job has begun: its directory on each of its nodes.
    pub(super) fn furnish_job(&mut self, id: JobId) {
        let Some(job) = self.ctld.job(id) else { return };
        let uid = job.uid();
        let Some(dir) = self.kernel.job_tmp(uid, id.0) else { return };
        let nodes: Vec<NodeId> = job.allocation.iter().flat_map(|a| &a.nodes).map(|n| n.node).collect();
        for node in nodes {
            let host = self.ctld.node(node).conf.name.clone();
            let view = self.kernel.fs.enter(&host, self.now);
            // A full disk leaves the job without it, as on a real node.
            let _ = self.kernel.fs.mkdir_all(&dir, uid, 0o700, self.now);
            self.kernel.fs.back(view);
        }
    }

    /// A node has nothing more of a job: what the job left on it goes.
    pub(super) fn sweep(&mut self, id: JobId, node: NodeId) {
        let Some(job) = self.ctld.job(id) else { return };
        let (uid, script) = (job.uid(), job.desc.script.is_some());
        let dir = self.kernel.job_tmp(uid, id.0);
        let last = self.site.filesystems.iter().any(|fs| fs.job_end)
            && !self
                .ctld
                .node(node)
                .jobs
                .keys()
                .any(|other| *other != id && self.ctld.job(*other).is_some_and(|job| job.uid() == uid));
        if dir.is_none() && !last && !script {
            return;
        }
        let host = self.ctld.node(node).conf.name.clone();
        let view = self.kernel.fs.enter(&host, self.now);
        // Only the first of a job's nodes has its script.
        let spool = script.then(|| spool_dir(id, &host));
        for dir in dir.into_iter().chain(spool) {
            let _ = self.kernel.fs.remove_tree(&dir, self.now);
        }
        if last {
            self.kernel.fs.clean_up(uid, self.now);
        }
        self.kernel.fs.back(view);
    }
}
