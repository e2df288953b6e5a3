//! The fields of squeue's `-o` and `-O`: one table.

use super::row::SqueueRow;
use crate::slurm::format;
use crate::slurm::jobfiles::{self, StdStream};
use crate::slurm::jobtext::{self, JobView, limit_short, or_null};
use base::time::{Limit, hms_short};
use slurmctld::job::{Exclusive, JobState};
use std::borrow::Cow;

/// A field of jobs.
pub type SqueueField = format::FormatField<SqueueSource>;

/// How a field's text is obtained.
#[derive(Clone, Copy)]
pub enum SqueueSource {
    /// It is computed.
    Made(fn(&JobView, &SqueueRow) -> String),
    /// It usually exists as a string.
    Lent(for<'a> fn(&JobView<'a>, &'a SqueueRow) -> Cow<'a, str>),
}

impl SqueueSource {
    /// The text.
    pub fn text<'a>(self, view: &JobView<'a>, row: &'a SqueueRow) -> Cow<'a, str> {
        match self {
            Self::Made(make) => Cow::Owned(make(view, row)),
            Self::Lent(lend) => lend(view, row),
        }
    }
}

/// Whether a text that is longer than its column is printed in full: the nodes of `NODELIST(REASON)` (not a
/// reason), and times under the heading.
pub fn overflows(field: &SqueueField, header: bool, text: &str) -> bool {
    (field.letter == "R" && !text.starts_with('(')) || (!header && ["l", "L", "M"].contains(&field.letter))
}

const fn f(
    letter: &'static str,
    names: &'static [&'static str],
    title: &'static str,
    make: fn(&JobView, &SqueueRow) -> String,
) -> SqueueField {
    SqueueField::new(letter, names, title, SqueueSource::Made(make))
}

/// A field whose text usually exists as a string.
const fn lent(
    letter: &'static str,
    names: &'static [&'static str],
    title: &'static str,
    lend: for<'a> fn(&JobView<'a>, &'a SqueueRow) -> Cow<'a, str>,
) -> SqueueField {
    SqueueField::new(letter, names, title, SqueueSource::Lent(lend))
}

fn time_left(v: &JobView, r: &SqueueRow) -> String {
    match (r.job.time_limit, r.job.state) {
        (Limit::Unlimited, _) => "UNLIMITED".to_owned(),
        (limit, JobState::Pending) => limit_short(limit),
        (Limit::Minutes(m), _) => {
            let left = i64::from(m) * 60 - r.job.run_seconds(v.now);
            if left < 0 { "INVALID".to_owned() } else { hms_short(left) }
        }
    }
}

pub fn reason_list(v: &JobView, r: &SqueueRow) -> String {
    let state = r.job.state;
    let tells = matches!(
        state,
        JobState::Pending | JobState::Timeout | JobState::OutOfMemory | JobState::Deadline | JobState::Failed
    );
    if tells && !r.job.flags.completing { ["(", r.reason(), ")"].concat() } else { v.nodelist(r.job) }
}

fn count(value: Option<u32>, none: &str) -> String {
    value.map_or_else(|| none.to_owned(), |n| n.to_string())
}

fn not_available(text: String) -> String {
    if text.is_empty() { "N/A".to_owned() } else { text }
}

/// The allocated amount, otherwise the requested maximum.
fn max_nodes(v: &JobView, r: &SqueueRow) -> u32 {
    let job = r.job;
    // A waiting job whose nodes are open may get as many as it has tasks.
    let tasks = if job.state == JobState::Pending { job.needs.ntasks } else { 0 };
    Some(job.needs.max_nodes).filter(|n| *n > 0).unwrap_or_else(|| v.node_count(job).max(tasks))
}

fn exclusive(v: &JobView, r: &SqueueRow) -> &'static str {
    match slurmctld::exclusive_of(v.state, r.job) {
        None => "NO",
        Some(Exclusive::Node) => "NODE",
        Some(Exclusive::User) => "USER",
        Some(Exclusive::Mcs) => "MCS",
        Some(Exclusive::Topo) => "TOPO",
    }
}

/// `12-14`, the ids of a heterogeneous job.
fn het_ids(leader: u32, size: u32) -> String {
    if size < 2 { leader.to_string() } else { format!("{leader}-{}", leader + size - 1) }
}

/// A file of the job, as typed or with expanded patterns.
fn file(v: &JobView, r: &SqueueRow, stream: StdStream) -> String {
    if r.expand {
        jobfiles::path(v, r.job, r.task, stream)
    } else {
        or_null(Some(&jobfiles::pattern(r.job, stream)))
    }
}

const NULL: &str = "(null)";

fn min_cpus(r: &SqueueRow) -> u32 {
    r.job.needs.min_cpus_per_node.max(r.job.needs.cpus_per_task).max(1)
}

#[rustfmt::skip]
pub const FIELDS: &[SqueueField] = &[
    f("A", &["jobid"], "JOBID", |_, r| r.job.id.to_string()),
    lent("a", &["account"], "ACCOUNT", |_, r| Cow::Borrowed(if r.job.account.is_empty() { NULL } else { &r.job.account })),
    f("B", &["batchhost"], "EXEC_HOST", |v, r| r.job.batch_host.and_then(|n| v.state.nodes.get(n.0 as usize)).filter(|_| r.job.state != JobState::Pending).map_or_else(|| "n/a".to_owned(), |n| n.conf.name.clone())),
    f("C", &["numcpus"], "CPUS", |v, r| v.cpus(r.job).to_string()),
    f("c", &["mincpus"], "MIN_CPUS", |_, r| min_cpus(r).to_string()),
    f("D", &["numnodes"], "NODES", |v, r| v.node_count(r.job).to_string()),
    f("d", &["mintmpdisk"], "MIN_TMP_DISK", |_, r| r.job.desc.tmp_disk.filter(|mib| *mib > 0).map_or_else(|| "0".to_owned(), base::tres::mem_text)),
    f("E", &["dependency"], "DEPENDENCY", |_, r| jobtext::dependencies(r.job)),
    f("e", &["endtime"], "END_TIME", |v, r| v.moment_or(v.end(r.job), "N/A")),
    f("F", &["arrayjobid"], "ARRAY_JOB_ID", |_, r| r.job.array.as_ref().map_or(r.job.id, |a| a.job).to_string()),
    f("f", &["feature"], "FEATURES", |_, r| r.job.needs.features.clone().or_else(|| r.job.desc.constraint.clone()).unwrap_or_else(|| "(null)".to_owned())),
    f("g", &["groupname"], "GROUP", |v, r| v.users.name(r.job.uid())),
    f("G", &["groupid"], "GROUP", |_, r| r.job.uid().to_string()),
    f("H", &["sockets"], "SOCKETS_PER_NODE", |_, r| count(r.job.desc.sockets_per_node, "*")),
    f("h", &["oversubscribe"], "OVER_SUBSCRIBE", |v, r| jobtext::oversubscribe(v, r.job).to_owned()),
    f("I", &["cores"], "CORES_PER_SOCKET", |_, r| count(r.job.desc.cores_per_socket, "*")),
    f("i", &["jobarrayid"], "JOBID", |_, r| r.id()),
    f("J", &["threads"], "THREADS_PER_CORE", |_, r| count(r.job.desc.threads_per_core, "*")),
    lent("j", &["name"], "NAME", |_, r| Cow::Borrowed(&r.job.name)),
    f("K", &["arraytaskid"], "ARRAY_TASK_ID", |_, r| r.tasks().unwrap_or_else(|| "N/A".to_owned())),
    f("k", &["comment"], "COMMENT", |_, r| r.job.comment.clone().unwrap_or_else(|| "(null)".to_owned())),
    f("L", &["timeleft"], "TIME_LEFT", time_left),
    f("l", &["timelimit"], "TIME_LIMIT", |_, r| limit_short(r.job.time_limit)),
    f("M", &["timeused"], "TIME", |v, r| hms_short(r.job.run_seconds(v.now))),
    f("m", &["minmemory"], "MIN_MEMORY", |_, r| jobtext::min_memory(r.job.needs.memory)),
    f("N", &["nodelist"], "NODELIST", |v, r| v.nodelist(r.job)),
    f("n", &["reqnodes"], "REQ_NODES", |_, r| r.job.desc.nodelist.clone().unwrap_or_default()),
    f("O", &["contiguous"], "CONTIGUOUS", |_, r| u8::from(r.job.needs.contiguous).to_string()),
    f("o", &["command"], "COMMAND", |_, r| or_null(r.job.desc.command.as_deref())),
    lent("P", &["partition"], "PARTITION", |v, r| r.partitions(v)),
    f("p", &["priority"], "PRIORITY", |_, r| format!("{:.14}", f64::from(r.job.priority) / 4_294_967_295.0)),
    f("Q", &["prioritylong"], "PRIORITY", |_, r| r.job.priority.to_string()),
    f("q", &["qos"], "QOS", |v, r| v.qos_of(r.job)),
    f("R", &["reasonlist"], "NODELIST(REASON)", reason_list),
    lent("r", &["reason"], "REASON", |_, r| Cow::Borrowed(r.reason())),
    f("S", &["starttime"], "START_TIME", |v, r| v.moment_or(v.start(r.job), "N/A")),
    f("s", &["sluid"], "SLUID", |_, r| jobtext::sluid(r.job.submit, r.job.id)),
    lent("T", &["state"], "STATE", |_, r| Cow::Borrowed(r.job.shown_state().0)),
    lent("t", &["statecompact"], "ST", |_, r| Cow::Borrowed(r.job.shown_state().1)),
    f("U", &["userid"], "UID", |_, r| r.job.uid().to_string()),
    lent("u", &["username"], "USER", |v, r| v.users.by_uid(r.job.uid()).map_or_else(|| Cow::Owned(r.job.uid().to_string()), |u| Cow::Borrowed(u.name.as_str()))),
    f("V", &["submittime"], "SUBMIT_TIME", |v, r| v.moment(r.job.submit)),
    f("v", &["reservation"], "RESERVATION", |v, r| or_null(Some(&v.state.reservation_names(r.job)))),
    f("W", &["licenses"], "LICENSES", |_, r| or_null(r.job.desc.licenses.as_deref())),
    f("w", &["wckey"], "WCKEY", |_, r| or_null(r.job.desc.wckey.as_deref())),
    f("X", &["corespec"], "CORE_SPEC", |_, r| count(r.job.desc.core_spec, "N/A")),
    f("x", &["excnodes"], "EXC_NODES", |_, r| r.job.desc.exclude.clone().unwrap_or_default()),
    f("Y", &["schednodes"], "SCHEDNODES", |v, r| or_null(r.job.planned.as_ref().filter(|_| r.job.state == JobState::Pending).map(|p| v.hosts(&p.1)).as_deref())),
    f("y", &["nice"], "NICE", |_, r| r.job.nice.to_string()),
    lent("Z", &["workdir"], "WORK_DIR", |_, r| Cow::Borrowed(&r.job.desc.work_dir)),
    f("z", &["sct"], "S:C:T", |_, r| format!("{}:{}:{}", count(r.job.desc.sockets_per_node, "*"), count(r.job.desc.cores_per_socket, "*"), count(r.job.desc.threads_per_core, "*"))),
    f("b", &["tres-per-node", "gres"], "TRES_PER_NODE", |_, r| not_available(r.job.desc.tres_per_node())),
    f("", &["accruetime"], "ACCRUE_TIME", |v, r| v.moment_or(r.job.accrue, "N/A")),
    f("", &["admin_comment"], "ADMIN_COMMENT", |_, r| or_null(r.job.admin_comment.as_deref())),
    f("", &["allocnodes"], "ALLOC_NODES", |_, r| r.job.desc.submit_host.clone()),
    f("", &["allocsid"], "ALLOC_SID", |_, _| "0".to_owned()),
    f("", &["associd"], "ASSOC_ID", |_, r| r.job.assoc.map_or(0, |a| a.0).to_string()),
    f("", &["batchflag"], "BATCH_FLAG", |_, r| u8::from(r.job.is_batch()).to_string()),
    f("", &["cluster"], "CLUSTER", |v, _| v.state.cluster.global.cluster_name.clone()),
    f("", &["cpus-per-task"], "CPUS_PER_TASK", |_, r| r.job.needs.cpus_per_task.max(1).to_string()),
    f("", &["cpus-per-tres"], "CPUS_PER_TRES", |_, r| r.job.desc.cpus_per_gpu.map_or_else(|| "N/A".to_owned(), |c| format!("gres/gpu:{c}"))),
    f("", &["deadline"], "DEADLINE", |v, r| v.moment_or(r.job.desc.deadline, "N/A")),
    f("", &["delayboot"], "DELAY_BOOT", |_, r| hms_short(r.job.desc.extras.delay_boot.into())),
    f("", &["derivedec"], "DERIVED_EC", |_, r| r.job.derived_exit.to_string()),
    f("", &["eligibletime"], "ELIGIBLE_TIME", |v, r| v.moment_or(r.job.eligible_since().or(r.job.begin), "N/A")),
    f("", &["exclusive"], "EXCLUSIVE", |v, r| exclusive(v, r).to_owned()),
    f("", &["exit_code", "exitcode"], "EXIT_CODE", |_, r| r.job.exit.to_string()),
    f("", &["lastschedeval"], "LAST_SCHED_EVAL", |v, r| v.moment_or(v.state.last_sched_eval(r.job, v.now), "N/A")),
    f("", &["maxcpus"], "MAX_CPUS", |v, r| v.cpus(r.job).to_string()),
    f("", &["maxnodes"], "MAX_NODES", |v, r| max_nodes(v, r).to_string()),
    f("", &["mem-per-tres"], "MEM_PER_TRES", |_, r| r.job.desc.mem_per_gpu.map_or_else(|| "N/A".to_owned(), |m| format!("gres/gpu:{m}"))),
    f("", &["network"], "NETWORK", |_, r| or_null(r.job.desc.extras.network.as_deref())),
    f("", &["ntpercore"], "NTASKS_PER_CORE", |_, r| count(r.job.desc.ntasks_per_core, "N/A")),
    f("", &["ntpernode"], "NTASKS_PER_NODE", |_, r| r.job.needs.ntasks_per_node.to_string()),
    f("", &["ntpersocket"], "NTASKS_PER_SOCKET", |_, r| count(r.job.desc.ntasks_per_socket, "N/A")),
    f("", &["numtasks"], "TASKS", |_, r| r.job.needs.ntasks.max(1).to_string()),
    f("", &["pendingtime"], "PENDING_TIME", |v, r| (r.job.start.unwrap_or(v.now).secs() - r.job.submit.secs()).to_string()),
    f("", &["preempttime"], "PREEMPT_TIME", |v, r| v.moment_or(r.job.preempt_time, "N/A")),
    f("", &["prefer"], "PREFER", |_, r| or_null(r.job.desc.prefer.as_deref())),
    f("", &["reboot"], "REBOOT", |_, r| u8::from(r.job.desc.reboot).to_string()),
    f("", &["reqswitch"], "REQ_SWITCH", |_, r| r.job.desc.switches.map_or(0, |s| s.0).to_string()),
    f("", &["wait4switch"], "WAIT4SWITCH", |_, r| hms_short(r.job.needs.switches.map_or(0, |s| s.1.into()))),
    f("", &["requeue"], "REQUEUE", |_, r| u8::from(r.job.requeue).to_string()),
    f("", &["restartcnt"], "RESTART_COUNT", |_, r| r.job.restarts.to_string()),
    f("", &["stderr"], "STDERR", |v, r| file(v, r, StdStream::Err)),
    f("", &["stdin"], "STDIN", |v, r| file(v, r, StdStream::In)),
    f("", &["stdout"], "STDOUT", |v, r| file(v, r, StdStream::Out)),
    f("", &["system_comment"], "SYSTEM_COMMENT", |_, _| "(null)".to_owned()),
    f("", &["timemin", "mintime"], "TIME_MIN", |_, r| r.job.desc.time_min.map_or_else(|| "0:00".to_owned(), limit_short)),
    f("", &["tres-alloc", "tres"], "TRES_ALLOC", |v, r| v.tres(r.job)),
    f("", &["tres-per-job"], "TRES_PER_JOB", |_, r| not_available(r.job.desc.tres_per_job())),
    f("", &["tres-per-socket"], "TRES_PER_SOCKET", |_, r| not_available(r.job.desc.tres_per_socket())),
    f("", &["tres-per-task"], "TRES_PER_TASK", |_, r| not_available(r.job.desc.tres_per_task())),
    f("", &["boardspernode"], "BOARDS_PER_NODE", |_, _| "0".to_owned()),
    f("", &["burstbuffer"], "BURST_BUFFER", |_, r| or_null(r.job.desc.extras.burst_buffer.as_deref())),
    f("", &["burstbufferstate"], "BURST_BUFFER_STATE", |_, _| "(null)".to_owned()),
    f("", &["clusterfeature"], "CLUSTER_FEATURES", |_, r| or_null(r.job.desc.extras.cluster_features.as_deref())),
    f("", &["container"], "CONTAINER", |_, r| or_null(r.job.desc.extras.container.as_deref())),
    f("", &["containertype"], "CONTAINERTYPE", |_, r| or_null(r.job.desc.extras.container_type.as_deref())),
    f("", &["containerid"], "CONTAINERID", |_, r| or_null(r.job.desc.extras.container_id.as_deref())),
    f("", &["cronjob"], "CRON_JOB", |_, r| if r.job.desc.cron.is_some() { "Yes" } else { "No" }.to_owned()),
    f("", &["hetjobid"], "HET_JOB_ID", |_, r| r.job.het.map_or_else(|| "N/A".to_owned(), |h| h.leader.to_string())),
    f("", &["hetjobidset"], "HET_JOB_ID_SET", |_, r| r.job.het.map_or_else(|| "N/A".to_owned(), |h| het_ids(h.leader.0, h.size))),
    f("", &["hetjoboffset"], "HET_JOB_OFFSET", |_, r| r.job.het.map_or_else(|| "N/A".to_owned(), |h| h.offset.to_string())),
    f("", &["licensesalloc"], "LICENSES_ALLOC", |_, r| or_null(r.job.licenses_text().filter(|_| r.job.holds_nodes()).as_deref())),
    f("", &["mcslabel"], "MCSLABEL", |_, r| or_null(r.job.desc.mcs_label.as_deref())),
    f("", &["ntperboard"], "NTASKS_PER_BOARD", |_, _| "0".to_owned()),
    f("", &["origin"], "ORIGIN", |_, _| "NA".to_owned()),
    f("", &["originraw"], "ORIGIN_RAW", |_, _| "NA".to_owned()),
    f("", &["profile"], "PROFILE", |_, r| r.job.desc.extras.profile.clone().unwrap_or_else(|| "NotSet".to_owned())),
    f("", &["resizetime"], "RESIZE_TIME", |_, r| r.job.resized.map_or_else(|| "N/A".to_owned(), |t| t.to_string())),
    f("", &["segmentsize"], "SEGMENT_SIZE", |_, r| {
        let segment = r.job.needs.segment;
        if segment == 0 { "N/A".to_owned() } else { segment.to_string() }
    }),
    f("", &["siblingsactive"], "ACTIVE_SIBLINGS", |_, _| "NA".to_owned()),
    f("", &["siblingsactiveraw"], "ACTIVE_SIBLINGS_RAW", |_, _| "NA".to_owned()),
    f("", &["siblingsviable"], "VIABLE_SIBLINGS", |_, _| "NA".to_owned()),
    f("", &["siblingsviableraw"], "VIALBLE_SIBLINGS_RAW", |_, _| "NA".to_owned()),
    f("", &["sperboard"], "SOCKETS_PER_BOARD", |_, r| count(r.job.desc.sockets_per_node, "0")),
    f("", &["tres-bind"], "TRES_BIND", |_, r| not_available(r.job.desc.tres_bind().unwrap_or_default())),
    f("", &["tres-freq"], "TRES_FREQ", |_, r| not_available(r.job.desc.extras.tres_freq.clone().unwrap_or_default())),
];
