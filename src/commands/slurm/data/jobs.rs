//! Jobs of slurmctld, as `squeue --json` and `scontrol show job --json` show them.

use super::rows::jobs::{
    ExitStatus, ExitStatusSignal, JobCore, JobNode, JobNodeCpus, JobNodeMemory, JobResources,
    JobResourcesNodes, JobRow, JobSocket, JobStepId,
};
use super::write::ResponseWriter;
use super::{at_most, float, limit, moment, number, text, texts};
use crate::slurm::jobfiles::{self, StdStream};
use crate::slurm::jobtext::{self, JobView};
use base::bitset::BitSet;
use base::ids::StepNum;
use slurmctld::job::{Exclusive, ExitCode, Job, JobState, Memory, NodeAlloc};

/// The response of squeue and of `scontrol show job`.
pub fn queue<'a>(view: &JobView, out: &mut ResponseWriter, jobs: impl Iterator<Item = &'a Job>) {
    out.rows("jobs", jobs.map(|j| job(view, j)));
    out.field("last_backfill", &moment(view.state.stats.backfill.when));
    out.field("last_update", &moment(Some(view.now)));
}

/// `{"status": ["SUCCESS"], "return_code": ..., "signal": ...}`.
pub fn exit_code(exit: ExitCode) -> ExitStatus {
    let status = match exit {
        ExitCode { code: 0, signal: 0 } => "SUCCESS",
        ExitCode { signal: 0, .. } => "ERROR",
        ExitCode { .. } => "SIGNALED",
    };
    let signal = Some(u64::from(exit.signal)).filter(|s| *s > 0);
    let name = host::Signal::ALL.iter().find(|s| s.number() == exit.signal).map_or("", |s| s.name());
    ExitStatus {
        status: texts([status]),
        return_code: number(Some(exit.code.into())),
        signal: ExitStatusSignal { id: number(signal), name },
    }
}

/// States with their flags: `["RUNNING"]`, `["COMPLETED", "COMPLETING"]`.
pub fn states(job: &Job) -> Vec<String> {
    let f = job.flags;
    let flags = [
        (f.completing, "COMPLETING"),
        (f.configuring, "CONFIGURING"),
        (f.requeued, "REQUEUED"),
        (f.requeue_hold, "REQUEUE_HOLD"),
        (f.special_exit, "SPECIAL_EXIT"),
        (f.stopped, "STOPPED"),
        (f.resv_del_hold, "RESV_DEL_HOLD"),
    ];
    texts(
        std::iter::once(job.state.long()).chain(flags.iter().filter(|(set, _)| *set).map(|(_, name)| *name)),
    )
}

/// One job.
pub fn job(v: &JobView, j: &Job) -> JobRow {
    let array = j.array.as_ref();
    let task = array.and_then(|a| a.task).map(u64::from);
    let host =
        j.batch_host.and_then(|n| v.state.nodes.get(n.0 as usize)).map_or("", |n| n.conf.name.as_str());
    let (d, n) = (&j.desc, &j.needs);
    let count = |n: Option<u32>| number(n.map(u64::from));
    let plain = |n: u32| number(Some(n.into()));
    let per_gpu = |n: Option<u64>| n.map_or_else(String::new, |n| format!("gres/gpu:{n}"));
    let (per_cpu, per_node) = match n.memory {
        Memory::PerCpu(m) => (Some(m), None),
        Memory::PerNode(m) => (None, Some(m)),
        Memory::PerGpu(_) | Memory::Unset => (None, Some(0)),
    };
    let shared = match slurmctld::exclusive_of(v.state, j) {
        Some(Exclusive::Node) => "",
        Some(Exclusive::User) => "user",
        Some(Exclusive::Mcs) => "mcs",
        Some(Exclusive::Topo) => "topo",
        None if d.oversubscribe => "oversubscribe",
        None => "",
    };
    let tracked = &v.state.cluster.global.tracked_gres;
    let tres = |tres: &base::tres::Tres| tres.text(base::tres::TresOrder::Id, tracked);
    JobRow {
        account: text(j.account.as_str()),
        accrue_time: moment(j.accrue),
        admin_comment: text(j.admin_comment.as_deref()),
        allocating_node: text(j.desc.submit_host.as_str()),
        array_job_id: number(Some(array.map_or(0, |a| a.job.0.into()))),
        array_task_id: number(task),
        array_max_tasks: number(Some(array.map_or(0, |a| a.throttle.into()))),
        array_task_string: jobtext::pending_tasks(j).unwrap_or_default(),
        association_id: j.assoc.map_or(0, |a| a.0),
        batch_features: "",
        batch_flag: j.is_batch(),
        batch_host: text(host),
        flags: flags(j),
        burst_buffer: "",
        burst_buffer_state: "",
        cluster: text(v.state.dbd.cluster.as_str()),
        cluster_features: "",
        command: text(j.desc.command.as_deref()),
        comment: text(j.comment.as_deref()),
        container: "",
        container_id: "",
        container_type: "",
        contiguous: n.contiguous,
        core_spec: d.core_spec.unwrap_or(0),
        thread_spec: 32766,
        cores_per_socket: count(d.cores_per_socket),
        billable_tres: float(j.allocation.as_ref().map_or(0.0, |a| a.tres.billing as f64)),
        cpus_per_task: plain(n.cpus_per_task.max(1)),
        cpu_frequency_minimum: number(None),
        cpu_frequency_maximum: number(None),
        cpu_frequency_governor: number(None),
        cpus_per_tres: per_gpu(d.cpus_per_gpu.map(u64::from)),
        cron: "",
        deadline: moment(d.deadline),
        delay_boot: plain(0),
        dependency: Some(jobtext::dependencies(j)).filter(|t| t != "(null)").unwrap_or_default(),
        derived_exit_code: exit_code(j.derived_exit),
        eligible_time: moment(j.eligible),
        end_time: moment(v.end(j)),
        excluded_nodes: v.hosts(&n.excluded),
        exit_code: exit_code(j.exit),
        extra: "",
        failed_node: "",
        features: text(n.features.as_deref().or(d.constraint.as_deref())),
        federation_origin: "",
        federation_siblings_active: "",
        federation_siblings_viable: "",
        gres_detail: gres_detail(v, j),
        group_id: j.uid().0,
        group_name: v.users.name(j.uid()),
        het_job_id: plain(j.het.map_or(0, |h| h.leader.0)),
        het_job_id_set: j
            .het
            .map_or_else(String::new, |h| format!("{}-{}", h.leader, h.leader.0 + h.size.max(1) - 1)),
        het_job_offset: plain(j.het.map_or(0, |h| h.offset)),
        job_id: j.id.0,
        job_resources: resources(v, j),
        job_size_str: Vec::new(),
        job_state: states(j),
        last_sched_evaluation: moment(v.state.last_sched_eval(j, v.now)),
        licenses: text(d.licenses.as_deref()),
        licenses_allocated: text(j.licenses_text().filter(|_| j.holds_nodes()).as_deref()),
        mail_type: texts(d.mail_type.as_deref().unwrap_or("").split(',').filter(|w| !w.is_empty())),
        mail_user: d.mail_user.clone().unwrap_or_else(|| v.users.name(j.uid())),
        max_cpus: plain(0),
        max_nodes: plain(n.max_nodes),
        mcs_label: d.mcs_label.clone().unwrap_or_default(),
        memory_per_tres: per_gpu(d.mem_per_gpu),
        memory_update_delay: 0,
        memory_update_margin: 0,
        name: text(j.name.as_str()),
        network: "",
        nodes: v.nodelist(j),
        nice: j.nice,
        tasks_per_core: at_most(d.ntasks_per_core),
        tasks_per_tres: plain(0),
        tasks_per_node: plain(n.ntasks_per_node),
        tasks_per_socket: at_most(d.ntasks_per_socket),
        tasks_per_board: plain(0),
        cpus: plain(v.cpus(j)),
        node_count: plain(v.node_count(j)),
        tasks: plain(n.ntasks.max(1)),
        partition: v.partitions(j),
        prefer: text(d.prefer.as_deref()),
        memory_per_cpu: number(per_cpu),
        memory_per_node: number(per_node),
        minimum_cpus_per_node: plain(n.min_cpus_per_node.max(1)),
        minimum_tmp_disk_per_node: number(Some(d.tmp_disk.unwrap_or(0))),
        preempt_time: moment(j.preempt_time),
        preemptable_time: moment(None),
        pre_sus_time: plain(j.pre_suspend),
        hold: j.priority == 0,
        priority: plain(j.priority),
        priority_by_partition: Vec::new(),
        profile: texts(["NOT_SET"]),
        qos: v.qos(j.qos),
        reboot: d.reboot,
        required_nodes: v.hosts(&n.required),
        required_switches: d.switches.map_or(0, |s| s.0),
        requeue: j.requeue,
        resize_time: moment(None),
        restart_cnt: j.restarts,
        resv_name: v.state.reservation_names(j),
        scheduled_nodes: j.planned.as_ref().map_or_else(String::new, |p| v.hosts(&p.1)),
        segment_size: n.segment,
        selinux_context: "",
        shared: texts([shared].into_iter().filter(|s| !s.is_empty())),
        step_id: whole(j),
        sockets_per_board: 0,
        sockets_per_node: number(d.sockets_per_node.map(u64::from)),
        start_time: moment(v.start(j)),
        state_description: text(j.state_desc.as_deref()),
        state_reason: text(j.reason.text()),
        standard_input: jobfiles::pattern(j, StdStream::In),
        standard_output: jobfiles::pattern(j, StdStream::Out),
        standard_error: jobfiles::pattern(j, StdStream::Err),
        stdin_expanded: jobfiles::path(v, j, None, StdStream::In),
        stdout_expanded: jobfiles::path(v, j, None, StdStream::Out),
        stderr_expanded: jobfiles::path(v, j, None, StdStream::Err),
        submit_time: moment(Some(j.submit)),
        submit_line: text(j.desc.submit_line.as_str()),
        suspend_time: moment(j.suspend),
        system_comment: "",
        time_limit: limit(Some(j.time_limit)),
        time_minimum: limit(d.time_min),
        threads_per_core: number(d.threads_per_core.map(u64::from)),
        tres_bind: "",
        tres_freq: "",
        tres_per_job: d.tres_per_job(),
        tres_per_node: d.tres_per_node(),
        tres_per_socket: d.tres_per_socket(),
        tres_per_task: d.tres_per_task(),
        tres_req_str: tres(&j.req_tres),
        tres_alloc_str: j.allocation.as_ref().map_or_else(String::new, |a| tres(&a.tres)),
        user_id: j.uid().0,
        user_name: v.users.name(j.uid()),
        maximum_switch_wait_time: d.switches.and_then(|s| s.1).unwrap_or(0),
        wckey: text(d.wckey.as_deref()),
        current_working_directory: text(d.work_dir.as_str()),
    }
}

/// What slurmctld notes about a job.
fn flags(j: &Job) -> Vec<String> {
    let d = &j.desc;
    let begun = j.start.is_some() && j.state != JobState::Pending;
    let all = [
        (d.ntasks.is_some(), "EXACT_TASK_COUNT_REQUESTED"),
        (begun, "ACCRUE_COUNT_CLEARED"),
        (begun, "JOB_WAS_RUNNING"),
        (d.mem_per_node.or(d.mem_per_cpu).or(d.mem_per_gpu).is_some(), "EXACT_MEMORY_REQUESTED"),
        (d.account.is_none(), "USING_DEFAULT_ACCOUNT"),
        (d.partition.is_none(), "USING_DEFAULT_PARTITION"),
        (d.qos.is_none(), "USING_DEFAULT_QOS"),
        (d.wckey.is_none(), "USING_DEFAULT_WCKEY"),
        (begun, "PARTITION_ASSIGNED"),
    ];
    texts(all.iter().filter(|(set, _)| *set).map(|(_, name)| *name))
}

/// The GRES on each node: `gpu:a100:2(IDX:0-1)`.
fn gres_detail(v: &JobView, j: &Job) -> Vec<String> {
    let Some(alloc) = &j.allocation else { return Vec::new() };
    let node = |part: &NodeAlloc| {
        let conf = v.state.nodes.get(part.node.0 as usize).map(|n| &n.conf.gres);
        let one = |(at, set): &(u32, BitSet)| {
            let conf = conf?.get(*at as usize)?;
            let kind = conf.kind.as_ref().map_or_else(String::new, |kind| format!("{kind}:"));
            Some(format!("{}:{kind}{}(IDX:{})", conf.name, set.len(), jobtext::task_list(set)))
        };
        part.gres.iter().filter_map(one).collect::<Vec<_>>().join(",")
    };
    texts(alloc.nodes.iter().map(node).filter(|text| !text.is_empty()))
}

/// The whole job, in fields that could also name a step.
fn whole(j: &Job) -> JobStepId {
    JobStepId {
        sluid: jobtext::sluid(j.submit, j.id),
        job_id: number(Some(j.id.0.into())),
        step_het_component: number(None),
        step_id: "",
    }
}

/// The job's resources on each node.
fn resources(v: &JobView, j: &Job) -> Option<JobResources> {
    let alloc = j.allocation.as_ref()?;
    let parameters =
        v.state.cluster.global.raw.get("SelectTypeParameters").map(|text| text.to_ascii_uppercase());
    let node = |(index, part): (u32, &NodeAlloc)| {
        let conf = v.state.nodes.get(part.node.0 as usize).map(|n| &n.conf);
        let (sockets, cores) = conf.map_or((0, 0), |c| (c.sockets, c.cores_per_socket));
        // The parts used by steps, without the batch step.
        let steps = j.steps.values().filter(|s| s.end.is_none() && matches!(s.num, StepNum::Number(_)));
        let used: u32 = steps.flat_map(|s| &s.nodes).filter(|n| n.0 == part.node).map(|n| n.1).sum();
        let core = |socket: u32, core: u32| {
            let status = if part.cores.contains(socket * cores + core) { "ALLOCATED" } else { "UNALLOCATED" };
            JobCore { index: core, status: texts([status]) }
        };
        let socket = |at: u32| JobSocket { index: at, cores: (0..cores).map(|c| core(at, c)).collect() };
        JobNode {
            index,
            name: text(conf.map_or("", |c| c.name.as_str())),
            cpus: JobNodeCpus { count: part.cpus, used: used.min(part.cpus) },
            memory: JobNodeMemory { used: if used > 0 { part.memory } else { 0 }, allocated: part.memory },
            sockets: (0..sockets).map(socket).collect(),
        }
    };
    Some(JobResources {
        select_type: texts([parameters.unwrap_or_else(|| "CR_CORE_MEMORY".to_owned())]),
        nodes: JobResourcesNodes {
            count: v.node_count(j),
            select_type: texts(["ONE_ROW"]),
            list: v.nodelist(j),
            whole: slurmctld::exclusive_of(v.state, j) == Some(Exclusive::Node),
            allocation: (0..).zip(&alloc.nodes).map(node).collect(),
        },
        cpus: v.cpus(j),
        threads_per_core: number(None),
    })
}
