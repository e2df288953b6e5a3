//! `scontrol show node` and `show partition`.

use super::{DetailLevel, record};
use crate::Cx;
use crate::slurm::jobtext::{JobView, limit_long, or_null};
use crate::slurm::private::PrivateKind;
use crate::slurm::{VERSION, nodetext};
use base::hostlist;
use base::time::{Limit, Time};
use base::tres::{Tres, TresOrder};
use config::{PartConf, PartExclusive, PartState};
use slurmctld::node::{Node, NodeBase};

/// `show node [LIST]`.
pub fn nodes(cx: &mut Cx, style: DetailLevel, id: Option<&str>) -> Result<(), String> {
    let view = JobView::of(cx);
    if !view.sees(PrivateKind::Nodes) {
        return Err("slurm_load_node error: Access/permission denied".to_owned());
    }
    // The output includes the node's partitions.
    if !view.sees(PrivateKind::Partitions) {
        return Err("slurm_load_partitions error: Access/permission denied".to_owned());
    }
    let mut out = String::new();
    let mut missing = false;
    let there = |n: &Node| {
        let future = n.base == NodeBase::Future && !style.future;
        !n.gone && !future && !nodetext::hidden(view.state, n)
    };
    match id {
        None => view
            .state
            .nodes
            .iter()
            .filter(|n| there(n))
            .for_each(|n| out += &record(style, &node(&view, style, n))),
        Some(id) => {
            for name in hostlist::expand(id).unwrap_or_else(|_| vec![id.to_owned()]) {
                match view.state.nodes.iter().find(|n| there(n) && n.conf.name == name) {
                    Some(n) => out += &record(style, &node(&view, style, n)),
                    None => {
                        out += &format!("Node {name} not found\n");
                        missing = true;
                    }
                }
            }
        }
    }
    cx.print(&out);
    if missing { Err(String::new()) } else { Ok(()) }
}

fn node(v: &JobView, style: DetailLevel, n: &Node) -> Vec<String> {
    let c = &n.conf;
    let version = VERSION.trim_start_matches("slurm ");
    let partitions: Vec<&str> =
        v.state.partitions.iter().filter(|p| p.nodes.contains(n.id.0)).map(|p| p.name.as_str()).collect();
    let (arch, load) =
        if n.registered() { (" Arch=x86_64", format!("{}.00", n.cpus_used)) } else { ("", "N/A".to_owned()) };
    let mut l = vec![
        format!(
            "NodeName={}{arch}{} CoresPerSocket={} ",
            c.name,
            n.names.cpu_bind.as_ref().map_or_else(String::new, |bind| format!(" CpuBind={bind}")),
            c.cores_per_socket
        ),
        format!("CPUAlloc={} CPUEfctv={} CPUTot={} CPULoad={load}", n.cpus_used, c.cpus, c.cpus),
        format!("AvailableFeatures={}", nodetext::features(n)),
        format!("ActiveFeatures={}", nodetext::active_features(n)),
        format!("Gres={}", nodetext::gres(n)),
    ];
    if style.details {
        l.push("GresDrain=N/A".to_owned());
        l.push(format!("GresUsed={}", nodetext::gres_used(n)));
    }
    let address = format!(
        "NodeAddr={} NodeHostName={} ",
        n.names.address.as_ref().unwrap_or(&c.name),
        n.names.host.as_ref().unwrap_or(&c.name)
    );
    if n.registered() {
        l.push(format!("{address}Port={} Version={version}", c.port));
        l.push("OS=Linux 6.1.0 #1 SMP PREEMPT_DYNAMIC @0 ".to_owned());
    } else {
        l.push(address);
    }
    let free = c.real_memory.saturating_sub(n.mem_used);
    let free = if n.registered() { free.to_string() } else { "N/A".to_owned() };
    l.push(format!(
        "RealMemory={} AllocMem={} FreeMem={free} Sockets={} Boards={}",
        c.real_memory,
        n.mem_used,
        c.sockets,
        c.boards.max(1)
    ));
    l.push(format!(
        "State={} ThreadsPerCore={} TmpDisk={} Weight={} Owner={} MCS_label={}",
        nodetext::state_complete(v.state, n),
        c.threads_per_core,
        c.tmp_disk,
        c.weight,
        v.state.node_owner(n).map_or_else(|| "N/A".to_owned(), |uid| format!("{}({uid})", v.users.name(uid))),
        v.state.node_label(n).unwrap_or("N/A")
    ));
    l.push(format!("Partitions={} ", partitions.join(",")));
    let since = |t: Time| v.moment_or(Some(t).filter(|_| n.registered()), "None");
    l.push(format!("BootTime={} SlurmdStartTime={}", since(n.boot), since(n.slurmd_start)));
    let busy = v.moment_or(Some(n.last_busy).filter(|t| t.0 > 0), "Unknown");
    let after = v.moment_or(n.resume_after, "None");
    let suspend = v.state.idle_time(n).map_or_else(|| "INFINITE".to_owned(), |s| s.to_string());
    l.push(format!("LastBusyTime={busy} ResumeAfterTime={after} SuspendTime={suspend}"));
    let tracked = &v.state.cluster.global.tracked_gres;
    let mut configured = total(std::iter::once(n));
    configured.node = 0;
    configured.billing = c.cpus.into();
    l.push(format!("CfgTRES={}", configured.text(TresOrder::Id, tracked)));
    let mut used = Tres { cpu: n.cpus_used.into(), mem: n.mem_used, ..Tres::default() };
    for (gres, set) in c.gres.iter().zip(&n.gres_used) {
        add_gres(&mut used, &gres.name, gres.kind.as_deref(), set.len().into());
    }
    l.push(format!("AllocTRES={}", used.text(TresOrder::Id, tracked)));
    l.push("CurrentWatts=0 AveWatts=0".to_owned());
    if let Some(reservation) = v.state.node_reservation(n) {
        l.push(format!("ReservationName={reservation}"));
    }
    if let Some(reason) = &n.reason {
        l.push(format!(
            "Reason={} [{}@{}]",
            reason.text,
            nodetext::who(v.users, reason.by),
            v.moment(reason.at)
        ));
    }
    if let Some(comment) = &n.comment {
        l.push(format!("Comment={comment}"));
    }
    if let Some(extra) = &n.extra {
        l.push(format!("Extra={extra}"));
    }
    if n.names.instance_id.is_some() || n.names.instance_type.is_some() {
        let text = |name: &Option<String>| name.clone().unwrap_or_default();
        l.push(format!(
            "InstanceId={} InstanceType={} ",
            text(&n.names.instance_id),
            text(&n.names.instance_type)
        ));
    }
    l
}

fn add_gres(tres: &mut Tres, name: &str, kind: Option<&str>, count: u64) {
    *tres.gres.entry(name.to_owned()).or_default() += count;
    if let Some(kind) = kind {
        *tres.gres.entry(format!("{name}:{kind}")).or_default() += count;
    }
}

/// The total TRES of all nodes.
fn total<'a>(nodes: impl Iterator<Item = &'a Node>) -> Tres {
    let mut tres = Tres::default();
    for n in nodes {
        tres.cpu += u64::from(n.conf.cpus);
        tres.mem += n.conf.real_memory;
        tres.node += 1;
        for g in &n.conf.gres {
            add_gres(&mut tres, &g.name, g.kind.as_deref(), g.count.into());
        }
    }
    tres.billing = tres.cpu;
    tres
}

/// `show partition [NAME]`.
pub fn partitions(cx: &mut Cx, style: DetailLevel, id: Option<&str>) -> Result<(), String> {
    let view = JobView::of(cx);
    if !view.sees(PrivateKind::Partitions) {
        return Err("slurm_load_partitions error: Access/permission denied".to_owned());
    }
    let uid = cx.uid();
    let seen = |p: &&PartConf| style.all || view.state.partition_shown(p, uid);
    let named = view.state.partitions.iter().filter(|p| id.is_none_or(|id| p.name == id));
    let shown: Vec<&PartConf> = named.filter(seen).collect();
    let out: String = shown.iter().map(|p| record(style, &partition(&view, p))).collect();
    if let (true, Some(id)) = (shown.is_empty(), id) {
        let line = format!("Partition {id} not found");
        cx.line(&line);
        return Err(String::new());
    }
    cx.print(&out);
    Ok(())
}

fn partition(v: &JobView, p: &PartConf) -> Vec<String> {
    let yes = |b: bool| if b { "YES" } else { "NO" };
    let all = |l: &Option<Vec<String>>| l.as_ref().map_or_else(|| "ALL".to_owned(), |l| l.join(","));
    let number = |n: Option<u32>| n.map_or_else(|| "UNLIMITED".to_owned(), |n| n.to_string());
    let nodes = || p.nodes.iter().filter_map(|n| v.state.nodes.get(n as usize));
    let tres = total(nodes());
    let exclusive = match p.exclusive {
        PartExclusive::No => "NO",
        PartExclusive::Node => "NODE",
        PartExclusive::User => "USER",
        PartExclusive::Topo => "TOPO",
    };
    let state = match p.state {
        PartState::Up => "UP",
        PartState::Down => "DOWN",
        PartState::Drain => "DRAIN",
        PartState::Inactive => "INACTIVE",
    };
    let accounts = match p.deny_accounts.as_ref().filter(|_| p.allow_accounts.is_none()) {
        Some(deny) => format!("DenyAccounts={}", deny.join(",")),
        None => format!("AllowAccounts={}", all(&p.allow_accounts)),
    };
    let qos = match p.deny_qos.as_ref().filter(|_| p.allow_qos.is_none()) {
        Some(deny) => format!("DenyQos={}", deny.join(",")),
        None => format!("AllowQos={}", all(&p.allow_qos)),
    };
    let def_mem = match (p.def_mem_per_cpu, p.def_mem_per_node) {
        (Some(m), _) => format!("DefMemPerCPU={m}"),
        (None, Some(m)) => format!("DefMemPerNode={m}"),
        (None, None) => "DefMemPerNode=UNLIMITED".to_owned(),
    };
    let max_mem = match (p.max_mem_per_cpu, p.max_mem_per_node) {
        (Some(m), _) => format!("MaxMemPerCPU={m}"),
        (None, Some(m)) => format!("MaxMemPerNode={m}"),
        (None, None) => "MaxMemPerNode=UNLIMITED".to_owned(),
    };
    let mut l = vec![
        format!("PartitionName={}", p.name),
        format!("AllowGroups={} {accounts} {qos}", all(&p.allow_groups)),
        format!(
            "AllocNodes={}{} Default={}{} QoS={}",
            p.alloc_nodes.as_deref().unwrap_or("ALL"),
            p.alternate.as_ref().map_or_else(String::new, |name| format!(" Alternate={name}")),
            yes(p.is_default),
            p.cpu_bind.as_ref().map_or_else(String::new, |bind| format!(" CpuBind={bind} ")),
            p.qos.as_deref().unwrap_or("N/A")
        ),
        format!(
            "DefaultTime={} DisableRootJobs={} Exclusive={exclusive} GraceTime={} Hidden={}",
            p.default_time.map_or_else(|| "NONE".to_owned(), limit_long),
            yes(p.disable_root_jobs),
            p.grace_time,
            yes(p.hidden)
        ),
        format!(
            "MaxNodes={} MaxTime={} MinNodes={} LLN={} MaxCPUsPerNode={} MaxCPUsPerSocket={}",
            number(p.max_nodes),
            limit_long(p.max_time),
            p.min_nodes,
            yes(p.lln),
            number(p.max_cpus_per_node),
            number(p.max_cpus_per_socket)
        ),
        format!("Nodes={}", or_null(Some(&v.hosts(&p.nodes)))),
        format!(
            "PriorityJobFactor={} PriorityTier={} RootOnly={} ReqResv={} OverSubscribe={}",
            p.priority_job_factor,
            p.priority_tier,
            yes(p.root_only),
            yes(p.req_resv),
            nodetext::oversubscribe(p)
        ),
        format!(
            "OverTimeLimit={} PreemptMode={}",
            match p.over_time_limit {
                None => "NONE".to_owned(),
                Some(Limit::Unlimited) => "UNLIMITED".to_owned(),
                Some(Limit::Minutes(minutes)) => minutes.to_string(),
            },
            super::config::partition_preempt_mode(v.state, p)
        ),
        format!("State={state} TotalCPUs={} TotalNodes={} SelectTypeParameters=NONE", tres.cpu, tres.node),
        format!("JobDefaults={}", p.job_defaults.as_deref().unwrap_or("(null)")),
        format!("{def_mem} {max_mem}"),
        format!("TRES={}", tres.text(TresOrder::Id, &v.state.cluster.global.tracked_gres)),
    ];
    l.extend(p.tres_billing_text.as_ref().map(|text| format!("TRESBillingWeights={text}")));
    l
}
