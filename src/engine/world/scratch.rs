//! Job directories on nodes: `$SLURM_TMPDIR`, created when a job starts and removed when the node is clean, if
//! `site.toml` says so. Sites do this in their prolog and epilog or with `job_container/tmpfs`. Also slurmd's
//! spool directory with the batch script.

use super::World;
use base::ids::{JobId, NodeId};
use slurmd::launch::spool_dir;

impl World {
    /// Creates the directories of a job that has begun, on each of its nodes.
    pub(super) fn make_job_dirs(&mut self, id: JobId) {
        let Some(job) = self.ctld.job(id) else { return };
        let uid = job.uid();
        let Some(dir) = self.kernel.job_tmp(uid, id.0) else { return };
        let nodes: Vec<NodeId> = job.allocation.iter().flat_map(|a| &a.nodes).map(|n| n.node).collect();
        for node in nodes {
            let host = self.ctld.node(node).conf.name.clone();
            let view = self.kernel.fs.enter(&host, self.now);
            // On a full disk the job gets no directory, as on a real node.
            let _ = self.kernel.fs.mkdir_all(&dir, uid, 0o700, self.now);
            self.kernel.fs.back(view);
        }
    }

    /// Removes a job's directories from a node once its last process is gone.
    pub(super) fn remove_job_dirs(&mut self, id: JobId, node: NodeId) {
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
        // Only the first node of a job holds its script.
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
