//! `scontrol show job` and `show step`.

use super::{DetailLevel, record};
use crate::Cx;
use crate::slurm::jobfiles::{self, StdStream};
use crate::slurm::jobtext::{self, JobView, limit_long, or_null};
use base::bitset::BitSet;
use base::hostlist;
use base::ids::StepNum;
use base::order::StableSort as _;
use base::time::{Limit, hms};
use base::tres::{Tres, TresOrder, mem_text};
use slurmctld::error::SlurmError;
use slurmctld::job::{Exclusive, Job, JobState, Memory, Scheduler, StepRecord, WaitingStep};

/// `show job [ID]`.
pub fn jobs(cx: &mut Cx, style: DetailLevel, id: Option<&str>) -> Result<(), String> {
    let view = JobView::of(cx);
    let mut out = String::new();
    match id {
        None => {
            for job in view.state.jobs.values().filter(|job| view.sees_job(job)) {
                out += &record(style, &lines(&view, style, job, None));
            }
            if out.is_empty() {
                out = "No jobs in the system\n".to_owned();
            }
        }
        Some(id) => {
            let spec = jobtext::parse_job(id).ok_or("scontrol_print_job error: Invalid job id specified")?;
            for (job, task) in records(&view, &spec) {
                out += &record(style, &lines(&view, style, job, task));
            }
            if out.is_empty() {
                let known = view.state.job(base::ids::JobId(spec.job)).is_some_and(|job| view.sees_job(job));
                return Err(if known && (spec.tasks.is_some() || spec.leader.is_some()) {
                    format!("Job {id} not found")
                } else {
                    format!("slurm_load_jobs error: {}", SlurmError::InvalidJobId)
                });
            }
        }
    }
    cx.print(&out);
    Ok(())
}

/// The records with this ID: the common record of an array first, then the tasks, newest first.
fn records<'a>(view: &JobView<'a>, spec: &jobtext::JobSpec) -> Vec<(&'a Job, Option<u32>)> {
    let mut found: Vec<(&Job, Option<u32>)> = Vec::new();
    for job in view.state.jobs.values().filter(|job| view.sees_job(job) && !spec.mistakes(job)) {
        match (&job.array, &spec.tasks) {
            (None, None) if job.id.0 == spec.job || job.het.is_some_and(|h| h.leader.0 == spec.job) => {
                found.push((job, None));
            }
            (Some(array), None) if array.job.0 == spec.job || job.id.0 == spec.job => found.push((job, None)),
            (Some(array), Some(tasks)) if array.job.0 == spec.job => match array.task {
                Some(task) if tasks.contains(task) => found.push((job, None)),
                Some(_) => {}
                None => {
                    found.extend(array.pending.iter().filter(|t| tasks.contains(*t)).map(|t| (job, Some(t))))
                }
            },
            (None | Some(_), None | Some(_)) => {}
        }
    }
    if found.iter().any(|(job, _)| job.het.is_some()) {
        return found;
    }
    found.order_by_key(|(job, _)| (job.id.0 != spec.job, std::cmp::Reverse(job.id)));
    found
}

fn lines(v: &JobView, style: DetailLevel, job: &Job, task: Option<u32>) -> Vec<String> {
    let mut l = head(v, style, job, task);
    l.extend(times(v, job));
    l.extend(resources(v, style, job));
    l.extend(files(v, job, task));
    l
}

fn head(v: &JobView, style: DetailLevel, job: &Job, task: Option<u32>) -> Vec<String> {
    let user = format!("{}({})", v.users.name(job.uid()), job.uid());
    let array = job.array.as_ref().map_or_else(String::new, |a| {
        let tasks = task
            .or(a.task)
            .map_or_else(|| jobtext::pending_tasks(job).unwrap_or_default(), |t| t.to_string());
        let throttle =
            if a.throttle > 0 { format!("ArrayTaskThrottle={} ", a.throttle) } else { String::new() };
        format!("ArrayJobId={} ArrayTaskId={tasks} {throttle}", a.job)
    });
    let het =
        job.het.map_or_else(String::new, |h| format!("HetJobId={} HetJobOffset={} ", h.leader, h.offset));
    let mut l = vec![format!("JobId={} {array}{het}JobName={}", job.id, job.name)];
    if let Some(h) = job.het {
        l.push(format!("HetJobIdSet={}-{}", h.leader, h.leader.0 + h.size.saturating_sub(1)));
    }
    if style.details {
        l.push(format!(
            "SLUID=s{:013X}",
            job.submit.secs().unsigned_abs() << 12 | u64::from(job.id.0 & 0xfff)
        ));
    }
    let label = job.desc.mcs_label.as_deref().unwrap_or("N/A");
    l.push(format!("UserId={user} GroupId={user} MCS_label={label}"));
    l.push(format!(
        "Priority={} Nice={} Account={} QOS={}{}",
        job.priority,
        job.nice,
        or_null(Some(&job.account)),
        v.qos_of(job),
        job.desc
            .wckey
            .as_ref()
            .filter(|_| v.state.cluster.global.track_wckey)
            .map_or_else(String::new, |key| format!(" WCKey={key}"))
    ));
    l.push(format!(
        "JobState={} Reason={} Dependency={}",
        job.shown_state().0,
        jobtext::reason(job).replace(' ', "_"),
        jobtext::dependencies(job)
    ));
    l.push(format!(
        "Requeue={} Restarts={} BatchFlag={} Reboot={} ExitCode={}",
        u8::from(job.requeue),
        job.restarts,
        u8::from(job.is_batch()),
        u8::from(job.desc.reboot),
        job.exit
    ));
    if style.details {
        l.push(format!("DerivedExitCode={}", job.derived_exit));
    }
    l
}

fn times(v: &JobView, job: &Job) -> Vec<String> {
    let min = job.desc.time_min.map_or_else(|| "N/A".to_owned(), limit_long);
    let end = match (v.end(job), job.time_limit) {
        (None, Limit::Unlimited) if job.state == JobState::Running => "Unlimited".to_owned(),
        (end, _) => v.moment_or(end, "Unknown"),
    };
    let mut l = vec![
        format!(
            "RunTime={} TimeLimit={} TimeMin={min}",
            hms(job.run_seconds(v.now)),
            limit_long(job.time_limit)
        ),
        format!(
            "SubmitTime={} EligibleTime={}",
            v.moment(job.submit),
            v.moment_or(job.eligible_since().or_else(|| job.begin.filter(|b| *b > v.now)), "Unknown")
        ),
        format!("AccrueTime={}", v.moment_or(job.accrue, "Unknown")),
    ];
    l.extend(job.resized.map(|at| format!("ResizeTime={}", v.moment(at))));
    l.extend([format!(
        "StartTime={} EndTime={end} Deadline={}",
        v.moment_or(v.start(job), "Unknown"),
        v.moment_or(job.desc.deadline, "N/A")
    )]);
    if let Some(eligible) = v.state.preempt_eligible(job).filter(|_| job.state != JobState::Pending) {
        l.push(format!(
            "PreemptEligibleTime={} PreemptTime={}",
            v.moment(eligible),
            v.moment_or(job.preempt_time, "None")
        ));
    }
    let scheduler = match job.scheduler {
        Scheduler::Main => "Main",
        Scheduler::Backfill if job.state == JobState::Pending => "Backfill:*",
        Scheduler::Backfill => "Backfill",
    };
    l.push(format!(
        "SuspendTime={} SecsPreSuspend={} LastSchedEval={} Scheduler={scheduler}",
        v.moment_or(job.suspend, "None"),
        job.pre_suspend,
        v.moment_or(v.state.last_sched_eval(job, v.now), "Unknown")
    ));
    l
}

fn resources(v: &JobView, style: DetailLevel, job: &Job) -> Vec<String> {
    let (n, d) = (&job.needs, &job.desc);
    let typed = |list: &Option<String>| list.clone().unwrap_or_else(|| "(null)".to_owned());
    let count = v.node_count(job);
    let nodes = v.node_range(job);
    let tasks = if n.ntasks_given {
        n.ntasks
    } else {
        n.ntasks.max(if job.allocation.is_some() { count } else { n.min_nodes })
    };
    let tracked = &v.state.cluster.global.tracked_gres;
    // A component's own billing is not shown, because the whole job is billed.
    let billing = |a: &slurmctld::job::Allocation| if job.het.is_some() { 0 } else { a.tres.billing };
    let alloc = job
        .allocation
        .as_ref()
        .map(|a| Tres { billing: billing(a), ..a.tres.clone() }.text(TresOrder::Id, tracked));
    let mut l = vec![
        format!("Partition={} AllocNode:Sid={}:0", v.partitions(job), d.submit_host),
        format!("ReqNodeList={} ExcNodeList={}", typed(&d.nodelist), typed(&d.exclude)),
        match job.planned.as_ref().filter(|_| job.state == JobState::Pending) {
            Some((_, nodes)) => format!("NodeList={} SchedNodeList={}", v.nodelist(job), v.hosts(nodes)),
            None => format!("NodeList={}", v.nodelist(job)),
        },
    ];
    if let Some(host) =
        job.batch_host.filter(|_| job.is_batch()).and_then(|n| v.state.nodes.get(n.0 as usize))
    {
        l.push(format!("BatchHost={}", host.conf.name));
    }
    let number = |n: Option<u32>| n.map_or_else(|| "*".to_owned(), |n| n.to_string());
    l.push(format!(
        "NumNodes={nodes} NumCPUs={} NumTasks={} CPUs/Task={} ReqB:S:C:T=0:0:{}:{}",
        v.cpu_range(job),
        tasks.max(1),
        n.cpus_per_task.max(1),
        number(d.cores_per_socket),
        number(d.threads_per_core)
    ));
    l.push(format!("ReqTRES={}", job.req_tres.text(TresOrder::Id, tracked)));
    l.push(format!("AllocTRES={}", or_null(alloc.as_deref())));
    l.push(format!(
        "Socks/Node={} NtasksPerN:B:S:C={}:0:{}:{} CoreSpec={}",
        number(d.sockets_per_node),
        n.ntasks_per_node,
        number(d.ntasks_per_socket),
        number(d.ntasks_per_core),
        d.extras.thread_spec.map_or_else(|| number(d.core_spec), |threads| format!("{threads}T"))
    ));
    if style.details {
        l.extend(details(v, job));
    }
    let memory = match n.memory {
        Memory::Unset => "MinMemoryNode=0".to_owned(),
        Memory::PerNode(0) => "MinMemoryNode=0".to_owned(),
        Memory::PerNode(m) => format!("MinMemoryNode={}", mem_text(single(m))),
        Memory::PerCpu(m) => format!("MinMemoryCPU={}", mem_text(single(m))),
        Memory::PerGpu(m) => format!("MinMemoryGPU={}", mem_text(single(m))),
    };
    let memory = if d.mem_per_gpu == Some(0) { "MinMemoryGPU=0".to_owned() } else { memory };
    let min_cpus = n.min_cpus_per_node.max(1);
    l.push(format!(
        "MinCPUsNode={min_cpus} {memory} MinTmpDiskNode={}",
        d.tmp_disk.filter(|m| *m > 0).map_or_else(|| "0".to_owned(), |m| mem_text(single(m)))
    ));
    let x = &d.extras;
    let also = |name: &str, text: &Option<String>| {
        text.as_ref().map_or_else(String::new, |text| format!(" {name}={text}"))
    };
    l.push(format!(
        "Features={} DelayBoot={}{}{}{}",
        n.features.as_deref().or(d.constraint.as_deref()).unwrap_or("(null)"),
        hms(x.delay_boot.into()),
        also("BatchFeatures", &x.batch_features),
        also("ClusterFeatures", &x.cluster_features),
        also("Prefer", &d.prefer)
    ));
    let reservations = v.state.reservation_names(job);
    if !reservations.is_empty() {
        l.push(format!("Reservation={reservations}"));
    }
    let exclusive = match slurmctld::exclusive_of(v.state, job) {
        None => "NO",
        Some(Exclusive::Node) => "NODE",
        Some(Exclusive::User) => "USER",
        Some(Exclusive::Mcs) => "MCS",
        Some(Exclusive::Topo) => "TOPO",
    };
    let licenses = or_null(d.licenses.as_deref());
    let held = or_null(job.licenses_text().filter(|_| job.allocation.is_some()).as_deref());
    l.push(format!(
        "OverSubscribe={} Exclusive={exclusive} Contiguous={} Licenses={licenses} LicensesAlloc={held} Network={}",
        jobtext::oversubscribe(v, job),
        u8::from(n.contiguous),
        or_null(x.network.as_deref())
    ));
    l
}

/// Converts cores to CPUs.
fn cpu_ids(conf: &config::NodeConf, cores: &BitSet) -> BitSet {
    let each = conf.cpus_per_core();
    cores.iter().flat_map(|core| core * each..(core + 1) * each).collect()
}

/// The job's resources on each node.
fn details(v: &JobView, job: &Job) -> Vec<String> {
    let Some(alloc) = &job.allocation else { return Vec::new() };
    let mut out: Vec<(Vec<String>, String)> = Vec::new();
    let mut gres_all = String::new();
    for part in &alloc.nodes {
        let Some(node) = v.state.nodes.get(part.node.0 as usize) else { continue };
        let gres: Vec<String> = part
            .gres
            .iter()
            .filter_map(|(i, set)| {
                let conf = node.conf.gres.get(*i as usize)?;
                let kind = conf.kind.as_ref().map_or_else(String::new, |k| format!("{k}:"));
                gres_all = format!("{}:{kind}{}", conf.name, set.len());
                Some(format!("{}:{kind}{}(IDX:{})", conf.name, set.len(), jobtext::task_list(set)))
            })
            .collect();
        let cpus = jobtext::task_list(&cpu_ids(&node.conf, &part.cores));
        // Consecutive nodes with the same allocation share a line.
        let text = format!("CPU_IDs={cpus} Mem={} GRES={}", part.memory, gres.join(","));
        match out.last_mut() {
            Some((names, same)) if *same == text => names.push(node.conf.name.clone()),
            Some(_) | None => out.push((vec![node.conf.name.clone()], text)),
        }
    }
    let head =
        if gres_all.is_empty() { "JOB_GRES=(null)".to_owned() } else { format!("JOB_GRES={gres_all}") };
    let line =
        |(names, text): (Vec<String>, String)| format!("  Nodes={} {text}", base::hostlist::compress(&names));
    std::iter::once(head).chain(out.into_iter().map(line)).collect()
}

fn files(v: &JobView, job: &Job, task: Option<u32>) -> Vec<String> {
    let d = &job.desc;
    let mut l = vec![
        format!("Command={}", or_null(d.command.as_deref())),
        format!("SubmitLine={}", d.submit_line),
        format!("WorkDir={}", d.work_dir),
    ];
    if let Some(text) = &job.admin_comment {
        l.push(format!("AdminComment={text}"));
    }
    if let Some(text) = &job.comment {
        l.push(format!("Comment={text}"));
    }
    if job.is_batch() {
        let file = |stream| jobfiles::path(v, job, task, stream);
        l.push(format!("StdErr={}", file(StdStream::Err)));
        l.push(format!("StdIn={}", file(StdStream::In)));
        l.push(format!("StdOut={}", file(StdStream::Out)));
    }
    let x = &d.extras;
    let some = |text: &Option<String>| text.clone().unwrap_or_default();
    if let Some((most, wait)) = job.needs.switches {
        l.push(format!("Switches={most}@{}", hms(wait.into())));
    }
    l.extend(d.segment.filter(|size| *size > 0).map(|size| format!("SegmentSize={size}")));
    l.extend(x.burst_buffer.as_ref().map(|spec| format!("BurstBuffer={spec}")));
    l.extend(x.cpu_freq.clone());
    let enforced = |yes| if yes { "Yes" } else { "No" };
    for (name, text) in [
        ("GresEnforceBind", d.gres_binding.map_or_else(String::new, |yes| enforced(yes).to_owned())),
        ("Container", some(&x.container)),
        ("ContainerID", some(&x.container_id)),
        ("CpusPerTres", d.cpus_per_gpu.map_or_else(String::new, |n| format!("gres/gpu:{n}"))),
        ("Extra", some(&x.extra)),
        ("MemPerTres", d.mem_per_gpu.map_or_else(String::new, |n| format!("gres/gpu:{n}"))),
        ("OOMKillStep", x.oom_kill_step.map_or_else(String::new, |yes| u8::from(yes).to_string())),
        ("SpreadJob", if d.spread_job { "Yes".to_owned() } else { String::new() }),
        ("StepMgrEnabled", if x.step_manager { "Yes".to_owned() } else { String::new() }),
        ("TresBind", d.tres_bind().unwrap_or_default()),
        ("TresFreq", some(&x.tres_freq)),
        ("TresPerJob", d.tres_per_job()),
        ("TresPerNode", d.tres_per_node()),
        ("TresPerSocket", d.tres_per_socket()),
        ("TresPerTask", d.tres_per_task()),
    ] {
        if !text.is_empty() {
            l.push(format!("{name}={text}"));
        }
    }
    l.extend(d.ntasks_per_gpu.map(|n| format!("NtasksPerTRES={n}")));
    if let Some(kind) = d.mail_type.as_ref().filter(|kind| !kind.is_empty()) {
        let user = d.mail_user.clone().unwrap_or_else(|| v.users.name(job.uid()));
        l.push(format!("MailUser={user} MailType={kind}"));
    }
    l
}

/// `show step [ID]`.
pub fn steps(cx: &mut Cx, style: DetailLevel, id: Option<&str>) -> Result<(), String> {
    let view = JobView::of(cx);
    let (job, step) = match id {
        None => (None, None),
        Some(id) => {
            let (job, step) = id.split_once('.').map_or((id, None), |(j, s)| (j, Some(s.to_owned())));
            let failed = |why: String| {
                format!("scontrol: error: scontrol_print_step: slurm_get_job_steps({id}) failed: {why}")
            };
            let spec = jobtext::parse_job(job).ok_or_else(|| failed("JobID can not be zero".to_owned()))?;
            if records(&view, &spec).is_empty() {
                return Err(failed(SlurmError::InvalidJobId.to_string()));
            }
            (Some(spec), step)
        }
    };
    let mut out = String::new();
    for record_of in view.state.jobs.values().filter(|job| view.sees_job(job)) {
        if job.as_ref().is_some_and(|spec| !records(&view, spec).iter().any(|(j, _)| j.id == record_of.id)) {
            continue;
        }
        for s in record_of.steps.values().filter(|s| s.end.is_none()) {
            if step.as_ref().is_none_or(|n| *n == s.num.to_string()) {
                out += &record(style, &step_lines(&view, record_of, s));
            }
        }
        for waiting in record_of.waiting_steps.iter().filter(|_| step.is_none()) {
            out += &record(style, &waiting_lines(&view, record_of, waiting));
        }
    }
    if out.is_empty() {
        let text = id.map_or_else(
            || "No job steps in the system\n".to_owned(),
            |id| format!("Job step {id} not found\n"),
        );
        cx.print(&text);
        return if id.is_some() { Err(String::new()) } else { Ok(()) };
    }
    cx.print(&out);
    Ok(())
}

fn step_lines(v: &JobView, job: &Job, s: &StepRecord) -> Vec<String> {
    let names: Vec<&str> = s
        .nodes
        .iter()
        .filter_map(|(n, _)| v.state.nodes.get(n.0 as usize))
        .map(|n| n.conf.name.as_str())
        .collect();
    let numbered = matches!(s.num, StepNum::Number(_));
    let cpus: u32 = if numbered { s.nodes.iter().map(|n| n.1).sum() } else { 0 };
    let tres = s.tres.text(TresOrder::Id, &v.state.cluster.global.tracked_gres);
    let dist =
        if s.distribution.is_empty() { String::new() } else { format!(" Dist={}", s.distribution_shown()) };
    let client =
        s.client.as_ref().map_or_else(|| "(null):0".to_owned(), |(host, pid)| format!("{host}:{pid}"));
    vec![
        format!(
            "StepId={}.{} UserId={} StartTime={} TimeLimit=UNLIMITED",
            job.id_text(),
            s.num,
            job.uid(),
            s.start
        ),
        format!(
            "State={} Partition={} NodeList={}",
            s.state.long(),
            v.partitions(job),
            hostlist::compress(&names)
        ),
        format!("Nodes={} CPUs={cpus} Tasks={} Name={} Network=(null)", s.nodes.len(), s.tasks, s.name),
        format!("TRES={}", if numbered { or_null(Some(&tres)) } else { "(null)".to_owned() }),
        "ResvPorts=(null)".to_owned(),
        format!("CPUFreqReq=Default{dist}"),
        format!("SrunHost:Pid={client}"),
    ]
}

/// A step that waits for resources of its job.
fn waiting_lines(v: &JobView, job: &Job, w: &WaitingStep) -> Vec<String> {
    let names: Vec<&str> = w.nodes.iter().map(|n| v.state.node(*n).conf.name.as_str()).collect();
    vec![
        format!("StepId={}.TBD UserId={} StartTime=Unknown TimeLimit=UNLIMITED", job.id_text(), job.uid()),
        format!("State=PENDING Partition={} NodeList={}", v.partitions(job), hostlist::compress(&names)),
        format!("Nodes={} CPUs={} Tasks={} Name=(null) Network=(null)", names.len(), w.cpus, w.tasks),
        "TRES=(null)".to_owned(),
        "ResvPorts=(null)".to_owned(),
        "CPUFreqReq=Default Dist=Unknown".to_owned(),
        format!("SrunHost:Pid={}:{}", w.client.0, w.client.1),
    ]
}

/// A number rounded to a 32-bit float (24 bits), from which Slurm prints these amounts (70).
const fn single(number: u64) -> u64 {
    let shift = (u64::BITS - number.leading_zeros()).saturating_sub(24);
    let half = (1 << shift) >> 1;
    (number.saturating_add(half) >> shift) << shift
}
