//! Programs that the daemons run for jobs: Prolog and Epilog on nodes, PrologSlurmctld and EpilogSlurmctld on
//! slurmctld's host, TaskEpilog after tasks. Mirrors prolog_epilog.html.

use super::World;
use base::ids::{Cgroup, JobId, NodeId, Pid, Uid};
use host::kernel::OpenFlags;
use host::users::User;
use host::{Env, Exec, ProcessOrigin, Status};
use serde::{Deserialize, Serialize};
use slurmctld::job::Job;
use slurmctld::request::{Failure, Request, Switch};
use std::sync::Arc;

/// The purpose of such a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ProgramPurpose {
    /// Before a job, on a node.
    Prolog(JobId, NodeId),
    /// After a job, on a node.
    Epilog(JobId, NodeId),
    /// Before a job, on slurmctld's host.
    PrologSlurmctld(JobId),
    /// Powers nodes up.
    Resume(Vec<NodeId>),
    /// Its result is ignored: EpilogSlurmctld, TaskEpilog.
    Alone,
}

impl ProgramPurpose {
    /// `SLURM_SCRIPT_CONTEXT`.
    const fn context(&self) -> &'static str {
        match self {
            Self::Prolog(..) => "prolog_slurmd",
            Self::Epilog(..) => "epilog_slurmd",
            Self::PrologSlurmctld(_) => "prolog_slurmctld",
            Self::Resume(_) | Self::Alone => "epilog_slurmctld",
        }
    }
}

impl World {
    /// Runs the programs that precede a job, and notifies slurmctld when all have ended.
    pub(super) fn prepare_job(&mut self, job: JobId) {
        match self.ctld.cluster.global.programs.prolog_slurmctld.clone() {
            Some(program) => self.run_program(&program, job, None, ProgramPurpose::PrologSlurmctld(job)),
            None => self.prepare_nodes(job),
        }
    }

    fn prepare_nodes(&mut self, job: JobId) {
        let nodes: Vec<NodeId> = self.nodes_of(job);
        match self.ctld.cluster.global.programs.prolog.clone().filter(|_| !nodes.is_empty()) {
            Some(program) => {
                for node in nodes {
                    self.run_program(&program, job, Some(node), ProgramPurpose::Prolog(job, node));
                }
            }
            None => self.ask(Request::Prepared { job, failed: None }),
        }
    }

    /// The last process of a job on a node is gone: runs Epilog, then reports the node as clean.
    pub(super) fn finish_node(&mut self, job: JobId, node: NodeId) {
        let program = self.ctld.cluster.global.programs.epilog.clone();
        match program.filter(|_| self.ctld.node(node).alive) {
            Some(program) => self.run_program(&program, job, Some(node), ProgramPurpose::Epilog(job, node)),
            None => self.clean(job, node),
        }
    }

    /// Reports a clean node to slurmctld. Runs EpilogSlurmctld when all nodes of a job are clean.
    pub(super) fn clean(&mut self, job: JobId, node: NodeId) {
        let before = self.ctld.job(job).is_some_and(|j| j.flags.completing);
        let program = self.ctld.cluster.global.programs.epilog_slurmctld.clone().filter(|_| before);
        let env = program.as_ref().map(|_| self.program_env(job, None, &ProgramPurpose::Alone));
        self.remove_job_dirs(job, node);
        self.ask(Request::EpilogComplete { job, nodes: vec![node] });
        if self.ctld.job(job).is_some_and(|j| j.flags.completing) {
            return;
        }
        #[cfg(feature = "real-host")]
        self.sweep_real_host(job);
        self.slurmd.forget(&mut self.kernel, job);
        if let Some((program, env)) = program.zip(env) {
            self.spawn_program(vec![program], None, env, Uid(0), ProgramPurpose::Alone);
        }
    }

    /// Runs a trigger's program on slurmctld's host.
    pub(super) fn run_trigger(&mut self, uid: Uid, program: &str) {
        let argv: Vec<String> = program.split_whitespace().map(str::to_owned).collect();
        let path = ("PATH".to_owned(), "/usr/sbin:/usr/bin:/sbin:/bin".to_owned());
        self.spawn_program(argv, None, Env::from([path]), uid, ProgramPurpose::Alone);
    }

    /// Runs `ResumeProgram` or one of the other programs of power_save.html with the names of nodes. It runs as
    /// root, because slurmctld's user has no privileges here. Does nothing if the site has no such file.
    pub(super) fn run_switch(&mut self, what: Switch, nodes: Vec<NodeId>) {
        let power = &self.ctld.cluster.global.power;
        let program = match what {
            Switch::Resume => &power.resume_program,
            Switch::Suspend => &power.suspend_program,
            Switch::Fail => &power.resume_fail_program,
        };
        let there = |path: &&String| self.kernel.fs.lookup(Uid(0), path).is_ok();
        let Some(program) = program.as_ref().filter(there).cloned() else { return };
        let list = self.ctld.nodes_text(nodes.iter().copied());
        let env = Env::from([
            ("PATH".to_owned(), "/usr/sbin:/usr/bin:/sbin:/bin".to_owned()),
            ("SLURM_CONF".to_owned(), "/etc/slurm/slurm.conf".to_owned()),
        ]);
        let purpose = match what {
            Switch::Resume => {
                self.ask(Request::Resuming { nodes: nodes.clone(), ended: false });
                ProgramPurpose::Resume(nodes)
            }
            Switch::Suspend | Switch::Fail => ProgramPurpose::Alone,
        };
        self.spawn_program(vec![program, list], None, env, Uid(0), purpose);
    }

    /// Runs a command of a user who is not at the page.
    pub(super) fn run_for(&mut self, user: &User, argv: Vec<String>) {
        let set = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let path = set("PATH", "/usr/bin:/bin");
        let env = Env::from([path, set("HOME", &user.home), set("USER", &user.name), set("PWD", &user.home)]);
        self.spawn_program(argv, None, env, user.uid, ProgramPurpose::Alone);
    }

    /// A task of this cgroup has ended: runs TaskEpilog as its owner.
    pub(super) fn task_over(&mut self, cgroup: Cgroup) {
        let Some(program) = self.ctld.cluster.global.programs.task_epilog.clone() else { return };
        let Some((job, node)) = self.slurmd.job_and_node(cgroup) else { return };
        let Some(uid) = self.ctld.job(job).map(Job::uid) else { return };
        let env = self.program_env(job, Some(node), &ProgramPurpose::Alone);
        self.spawn_program(vec![program], Some(node), env, uid, ProgramPurpose::Alone);
    }

    /// Handles the end of such a program.
    pub(super) fn program_ended(&mut self, pid: Pid, status: Status) {
        let Some(purpose) = self.daemon_programs.remove(&pid) else { return };
        let failed = status != Status::Exited(0);
        match purpose {
            ProgramPurpose::Resume(nodes) if !failed => self.ask(Request::Resuming { nodes, ended: true }),
            ProgramPurpose::Resume(_) | ProgramPurpose::Alone => {}
            ProgramPurpose::PrologSlurmctld(job) if failed => {
                self.ask(Request::Prepared { job, failed: Some(Failure::Controller) });
            }
            ProgramPurpose::PrologSlurmctld(job) => self.prepare_nodes(job),
            ProgramPurpose::Prolog(job, node) if failed => {
                self.ask(Request::Prepared { job, failed: Some(Failure::Node(node)) });
            }
            ProgramPurpose::Prolog(job, _) => {
                let others =
                    |d: &ProgramPurpose| matches!(d, ProgramPurpose::Prolog(other, _) if *other == job);
                if !self.daemon_programs.values().any(others) {
                    self.ask(Request::Prepared { job, failed: None });
                }
            }
            ProgramPurpose::Epilog(job, node) => {
                if failed {
                    self.ask(Request::EpilogFailed { node });
                }
                self.clean(job, node);
            }
        }
    }

    fn nodes_of(&self, job: JobId) -> Vec<NodeId> {
        let allocation = self.ctld.job(job).and_then(|j| j.allocation.as_ref());
        allocation.iter().flat_map(|a| &a.nodes).map(|n| n.node).collect()
    }

    fn run_program(&mut self, program: &str, job: JobId, node: Option<NodeId>, purpose: ProgramPurpose) {
        let env = self.program_env(job, node, &purpose);
        self.spawn_program(vec![program.to_owned()], node, env, Uid(0), purpose);
    }

    /// Starts the program. A program that cannot be started has failed.
    fn spawn_program(
        &mut self,
        argv: Vec<String>,
        node: Option<NodeId>,
        env: Env,
        uid: Uid,
        purpose: ProgramPurpose,
    ) {
        let host: Arc<str> = match node {
            Some(node) => self.ctld.node(node).conf.name.as_str().into(),
            None => Arc::clone(&self.kernel.login),
        };
        let Some(program) = argv.first() else { return };
        let path = if program.contains('/') { program.clone() } else { format!("/usr/bin/{program}") };
        let origin = ProcessOrigin { uid, host, cgroup: Cgroup(0) };
        let Ok(pid) = self.kernel.spawn(origin, "/", argv.clone(), self.now) else { return };
        let both = OpenFlags { read: true, write: true, ..OpenFlags::default() };
        for _ in 0..3 {
            let _ = self.kernel.open(pid, "/dev/null", both, 0, self.now);
        }
        self.daemon_programs.insert(pid, purpose);
        self.exec(pid, Exec { path, argv, env: Arc::new(env) });
    }

    /// The variables of "Environment variables" in prolog_epilog.html that have a meaning here.
    fn program_env(&self, job: JobId, node: Option<NodeId>, purpose: &ProgramPurpose) -> Env {
        let mut env = Env::new();
        let mut set = |name: &str, value: String| {
            env.insert(name.to_owned(), value);
        };
        set("PATH", "/usr/sbin:/usr/bin:/sbin:/bin".to_owned());
        set("SLURM_CLUSTER_NAME", self.ctld.cluster.global.cluster_name.clone());
        set("SLURM_CONF", "/etc/slurm/slurm.conf".to_owned());
        set("SLURM_SCRIPT_CONTEXT", purpose.context().to_owned());
        if let Some(node) = node {
            set("SLURMD_NODENAME", self.ctld.node(node).conf.name.clone());
        }
        if let Some(job) = self.ctld.job(job) {
            self.describe(job, &mut set);
        }
        env
    }

    fn describe(&self, job: &Job, set: &mut impl FnMut(&str, String)) {
        let id = job.id.to_string();
        let (uid, user) = (job.uid(), self.ctld.user_name(job.uid()));
        let exit = (u32::from(job.exit.code) << 8) | u32::from(job.exit.signal);
        let derived = (u32::from(job.derived_exit.code) << 8) | u32::from(job.derived_exit.signal);
        for (name, value) in [
            ("SLURM_JOB_ID", id.clone()),
            ("SLURM_JOBID", id),
            ("SLURM_JOB_NAME", job.name.clone()),
            ("SLURM_JOB_UID", uid.to_string()),
            ("SLURM_JOB_GID", uid.to_string()),
            ("SLURM_UID", uid.to_string()),
            ("SLURM_JOB_USER", user),
            ("SLURM_JOB_ACCOUNT", job.account.clone()),
            ("SLURM_JOB_NODELIST", job.nodes_text.clone()),
            ("SLURM_JOB_WORK_DIR", job.desc.work_dir.clone()),
            ("SLURM_JOB_EXIT_CODE", exit.to_string()),
            ("SLURM_JOB_DERIVED_EC", derived.to_string()),
            ("SLURM_JOB_COMMENT", job.comment.clone().unwrap_or_default()),
        ] {
            set(name, value);
        }
        if let Some(part) = job.partitions.first() {
            set("SLURM_JOB_PARTITION", self.ctld.partition(*part).name.clone());
        }
        if let Some(array) = &job.array {
            set("SLURM_ARRAY_JOB_ID", array.job.to_string());
            set("SLURM_ARRAY_TASK_ID", array.task.unwrap_or(0).to_string());
        }
        if job.restarts > 0 {
            set("SLURM_RESTART_COUNT", job.restarts.to_string());
        }
    }
}
