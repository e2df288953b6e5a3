//! Nodes, partitions, reservations and licences, as `sinfo --json` and `scontrol show --json` show them.

use super::rows::NoFields;
use super::rows::nodes::{
    EnergyRow, LicenseRow, NodeRow, PartitionRow, PartitionRowAccounts, PartitionRowCpus,
    PartitionRowDefaults, PartitionRowGroups, PartitionRowMaximums, PartitionRowMaximumsOversubscribe,
    PartitionRowMinimums, PartitionRowNodes, PartitionRowPartition, PartitionRowPriority, PartitionRowQos,
    PartitionRowTimeouts, PartitionRowTres, ReasonRow, ReservationRow, ReservationRowPurgeCompleted,
    SinfoRange, SinfoRow, SinfoRowCpus, SinfoRowCpusPerNode, SinfoRowFeatures, SinfoRowGres, SinfoRowMemory,
    SinfoRowMemoryFree, SinfoRowNode, SinfoRowNodes, SinfoRowResourceSpec,
};
use super::write::ResponseWriter;
use super::{at_most, limit, moment, number, text, texts};
use crate::slurm::jobtext::JobView;
use crate::slurm::nodetext;
use crate::slurm::sinfo::groups::Group;
use config::PartConf;
use slurmctld::node::Node;
use slurmctld::reservation::Reservation;

/// The response of sinfo: one entry for each group of identical nodes.
pub fn sinfo(v: &JobView, out: &mut ResponseWriter, groups: &[Group]) {
    out.rows("sinfo", groups.iter().map(|g| group(v, g)));
}

/// The response of `scontrol show node`.
pub fn nodes<'a>(v: &JobView, out: &mut ResponseWriter, nodes: impl Iterator<Item = &'a Node>) {
    out.rows("nodes", nodes.map(|n| node(v, n)));
    out.field("last_update", &moment(Some(v.now)));
}

/// The response of `scontrol show partition`.
pub fn partitions<'a>(v: &JobView, out: &mut ResponseWriter, parts: impl Iterator<Item = &'a PartConf>) {
    out.rows("partitions", parts.map(|p| partition(v, p)));
    out.field("last_update", &moment(Some(v.now)));
}

/// The response of `scontrol show reservation`.
pub fn reservations(v: &JobView, out: &mut ResponseWriter) {
    out.rows("reservations", v.state.reservations.iter().map(|r| reservation(v, r)));
    out.field("last_update", &moment(Some(v.now)));
}

/// The response of `scontrol show licenses`.
pub fn licenses(v: &JobView, out: &mut ResponseWriter) {
    let one = |name: &String| {
        let count = v.state.license(name, v.now);
        LicenseRow {
            license_name: text(name.as_str()),
            total: u64::from(count.total),
            used: u64::from(count.used),
            free: u64::from(count.free()),
            remote: false,
            reserved: u64::from(count.reserved),
            last_consumed: 0,
            last_deficit: 0,
            last_update: moment(None),
            nodes: "",
        }
    };
    out.rows("licenses", v.state.cluster.global.licenses.keys().map(one));
    out.field("last_update", &moment(Some(v.now)));
}

/// The words of a state as a list: `["IDLE", "DRAIN"]`.
fn states(v: &JobView, n: &Node) -> Vec<String> {
    texts(nodetext::state_complete(v.state, n).split('+'))
}

fn range(values: impl Iterator<Item = u64> + Clone) -> SinfoRange {
    SinfoRange { minimum: values.clone().min().unwrap_or(0), maximum: values.max().unwrap_or(0) }
}

fn group(v: &JobView, g: &Group) -> SinfoRow {
    let nodes = &g.nodes;
    let sum = |get: &dyn Fn(&Node) -> (u32, u32, u32)| {
        nodes.iter().map(|n| get(n)).fold((0, 0, 0), |s, n| (s.0 + n.0, s.1 + n.1, s.2 + n.2))
    };
    let (allocated, idle, other) = sum(&|n| nodetext::count(v.state, n));
    let (cpus_used, cpus_idle, cpus_other) = sum(&|n| nodetext::cpus(v.state, n));
    let first = g.first();
    let shown = |get: &dyn Fn(&Node) -> String| first.map_or_else(String::new, get);
    let names = texts(nodes.iter().map(|n| n.conf.name.as_str()));
    SinfoRow {
        port: first.map_or(0, |n| n.conf.port),
        node: SinfoRowNode { state: first.map_or_else(Vec::new, |n| states(v, n)) },
        nodes: SinfoRowNodes {
            allocated,
            idle,
            other,
            total: allocated + idle + other,
            hostnames: Vec::new(),
            addresses: Vec::new(),
            nodes: names,
        },
        cpus: SinfoRowCpus {
            allocated: cpus_used,
            idle: cpus_idle,
            other: cpus_other,
            total: cpus_used + cpus_idle + cpus_other,
            minimum: nodes.iter().map(|n| n.conf.cpus).min().unwrap_or(0),
            maximum: nodes.iter().map(|n| n.conf.cpus).max().unwrap_or(0),
            load: range(nodes.iter().map(|n| u64::from(n.cpus_used) * 100)),
            per_node: SinfoRowCpusPerNode { max: at_most(g.part.max_cpus_per_node) },
        },
        sockets: range(nodes.iter().map(|n| n.conf.sockets.into())),
        cores: range(nodes.iter().map(|n| n.conf.cores_per_socket.into())),
        threads: range(nodes.iter().map(|n| n.conf.threads_per_core.into())),
        disk: range(nodes.iter().map(|n| n.conf.tmp_disk)),
        memory: SinfoRowMemory {
            minimum: nodes.iter().map(|n| n.conf.real_memory).min().unwrap_or(0),
            maximum: nodes.iter().map(|n| n.conf.real_memory).max().unwrap_or(0),
            free: SinfoRowMemoryFree {
                minimum: number(nodes.iter().map(|n| n.conf.real_memory.saturating_sub(n.mem_used)).min()),
                maximum: number(nodes.iter().map(|n| n.conf.real_memory.saturating_sub(n.mem_used)).max()),
            },
            allocated: nodes.iter().map(|n| n.mem_used).sum::<u64>(),
        },
        weight: range(nodes.iter().map(|n| n.conf.weight.into())),
        features: SinfoRowFeatures {
            total: some(shown(&nodetext::features)),
            active: some(shown(&nodetext::active_features)),
        },
        gres: SinfoRowGres { total: some(shown(&nodetext::gres)), used: some(shown(&nodetext::gres_used)) },
        cluster: "",
        comment: text(first.and_then(|n| n.comment.as_deref())),
        extra: text(first.and_then(|n| n.extra.as_deref())),
        reason: reason(first),
        reservation: text(first.and_then(|n| v.state.node_reservation(n)).unwrap_or("")),
        reason_set_by_user: first
            .and_then(|n| n.reason.as_ref())
            .map_or_else(String::new, |r| nodetext::who(v.users, r.by)),
        resource_spec: SinfoRowResourceSpec { cpus: "", memory: 0 },
        partition: partition(v, g.part),
    }
}

/// A text that C prints as `(null)` is empty here.
fn some(text: String) -> String {
    if text == "(null)" { String::new() } else { text }
}

fn reason(node: Option<&Node>) -> ReasonRow {
    let at = node.and_then(nodetext::reason_time);
    ReasonRow {
        description: text(node.and_then(|n| n.reason.as_ref()).map(|r| r.text.as_str())),
        time: at.map_or(0, base::time::Time::secs),
    }
}

/// Energy is not simulated.
fn energy() -> EnergyRow {
    EnergyRow {
        average_watts: 0,
        base_consumed_energy: 0,
        consumed_energy: 0,
        current_watts: number(None),
        previous_consumed_energy: 0,
        last_collected: 0,
    }
}

fn node(v: &JobView, n: &Node) -> NodeRow {
    let (used, idle, _) = nodetext::cpus(v.state, n);
    let parts = v.state.partitions.iter().filter(|p| p.nodes.contains(n.id.0)).map(|p| p.name.as_str());
    let why = n.reason.as_ref();
    NodeRow {
        architecture: "x86_64",
        burstbuffer_network_address: "",
        boards: 1,
        boot_time: moment(Some(n.boot)),
        tls_cert_last_renewal: moment(None),
        cert_flags: Vec::new(),
        cluster_name: "",
        cores: n.conf.cores_per_socket,
        specialized_cores: 0,
        cpu_binding: 0,
        cpu_load: 0,
        free_mem: number(Some(n.conf.real_memory.saturating_sub(n.mem_used))),
        cpus: n.conf.cpus,
        effective_cpus: n.conf.cpus,
        specialized_cpus: "",
        energy: energy(),
        external_sensors: NoFields {},
        extra: text(n.extra.as_deref()),
        power: NoFields {},
        features: texts(&n.conf.features),
        active_features: texts(n.features()),
        gpu_spec: "",
        gres: nodetext::gres(n),
        gres_drained: "N/A",
        gres_used: nodetext::gres_used(n),
        instance_id: "",
        instance_type: "",
        last_busy: moment(Some(n.last_busy)),
        mcs_label: text(v.state.node_label(n).unwrap_or("")),
        specialized_memory: 0,
        name: text(n.conf.name.as_str()),
        next_state_after_reboot: texts(["INVALID"]),
        address: text(n.names.address.as_ref().unwrap_or(&n.conf.name).as_str()),
        hostname: text(n.names.host.as_ref().unwrap_or(&n.conf.name).as_str()),
        state: states(v, n),
        operating_system: "Linux",
        owner: "",
        partitions: texts(parts),
        port: n.conf.port,
        real_memory: n.conf.real_memory,
        res_cores_per_gpu: 0,
        comment: text(n.comment.as_deref()),
        reason: text(why.map(|r| r.text.as_str())),
        reason_changed_at: moment(nodetext::reason_time(n)),
        reason_set_by_user: why.map_or_else(String::new, |r| nodetext::who(v.users, r.by)),
        resume_after: moment(n.resume_after),
        reservation: text(v.state.node_reservation(n).unwrap_or("")),
        alloc_memory: n.mem_used,
        alloc_cpus: used,
        alloc_idle_cpus: idle,
        tres_used: "",
        tres_weighted: 0.0,
        slurmd_start_time: moment(Some(n.slurmd_start)),
        sockets: n.conf.sockets,
        threads: n.conf.threads_per_core,
        temporary_disk: n.conf.tmp_disk,
        weight: n.conf.weight,
        topology: "",
        tres: format!("cpu={},mem={}M,billing={}", n.conf.cpus, n.conf.real_memory, n.conf.cpus),
        version: crate::slurm::VERSION.trim_start_matches("slurm "),
    }
}

fn partition(v: &JobView, p: &PartConf) -> PartitionRow {
    let list = |names: Option<&Vec<String>>| names.map_or_else(String::new, |l| l.join(","));
    let part_nodes = || p.nodes.iter().filter_map(|n| v.state.nodes.get(n as usize));
    let memory: u64 = part_nodes().map(|n| n.conf.real_memory).sum();
    let total = |name: &str| -> u64 {
        part_nodes().flat_map(|n| &n.conf.gres).filter(|g| g.name == name).map(|g| u64::from(g.count)).sum()
    };
    let cpus: u32 = p.nodes.iter().filter_map(|n| v.state.nodes.get(n as usize)).map(|n| n.conf.cpus).sum();
    let mut configured =
        format!("cpu={cpus},mem={},node={},billing={cpus}", base::tres::mem_text(memory), p.nodes.len());
    for name in &v.state.cluster.global.tracked_gres {
        let count = total(name);
        if count > 0 {
            configured += &format!(",gres/{name}={count}");
        }
    }
    // A flag on the number of jobs distinguishes shared partitions from others.
    let shares = nodetext::oversubscribe(p);
    PartitionRow {
        nodes: PartitionRowNodes {
            allowed_allocation: "",
            configured: v.hosts(&p.nodes),
            total: p.nodes.len(),
        },
        accounts: PartitionRowAccounts {
            allowed: list(p.allow_accounts.as_ref()),
            deny: list(p.deny_accounts.as_ref()),
        },
        groups: PartitionRowGroups { allowed: list(p.allow_groups.as_ref()) },
        qos: PartitionRowQos {
            allowed: list(p.allow_qos.as_ref()),
            deny: list(p.deny_qos.as_ref()),
            assigned: text(p.qos.as_deref()),
        },
        alternate: "",
        tres: PartitionRowTres { billing_weights: "", configured },
        cluster: "",
        select_type: texts(["NONE"]),
        cpus: PartitionRowCpus { task_binding: Vec::new(), total: cpus },
        defaults: PartitionRowDefaults {
            memory_per_cpu: p.def_mem_per_cpu.unwrap_or(0),
            partition_memory_per_cpu: number(p.def_mem_per_cpu),
            partition_memory_per_node: number(
                p.def_mem_per_node.or(Some(0).filter(|_| p.def_mem_per_cpu.is_none())),
            ),
            time: limit(p.default_time),
            job: "",
        },
        flags: texts(p.is_default.then_some("DEFAULT")),
        partition: PartitionRowPartition {
            exclusive: if shares == "EXCLUSIVE" { "NODE" } else { "NO" },
            oversubscribe: if shares == "EXCLUSIVE" { "NO".to_owned() } else { shares.clone() },
            state: texts([nodetext::part_state(p).to_ascii_uppercase()]),
        },
        grace_time: p.grace_time,
        maximums: PartitionRowMaximums {
            cpus_per_node: at_most(p.max_cpus_per_node),
            cpus_per_socket: at_most(p.max_cpus_per_socket),
            memory_per_cpu: p.max_mem_per_cpu.unwrap_or(0),
            partition_memory_per_cpu: number(p.max_mem_per_cpu),
            partition_memory_per_node: number(
                p.max_mem_per_node.or(Some(0).filter(|_| p.max_mem_per_cpu.is_none())),
            ),
            nodes: at_most(p.max_nodes),
            shares: 0,
            oversubscribe: PartitionRowMaximumsOversubscribe { jobs: 0, flags: Vec::new() },
            time: limit(Some(p.max_time)),
            over_time_limit: number(None),
        },
        minimums: PartitionRowMinimums { nodes: p.min_nodes },
        name: text(p.name.as_str()),
        node_sets: "",
        preempt_mode: texts([p
            .preempt_mode
            .as_deref()
            .map_or_else(|| "CLUSTER_GLOBAL".to_owned(), str::to_ascii_uppercase)]),
        priority: PartitionRowPriority { job_factor: p.priority_job_factor, tier: p.priority_tier },
        timeouts: PartitionRowTimeouts { resume: number(None), suspend: number(None) },
        topology: "",
        suspend_time: number(None),
    }
}

fn reservation(v: &JobView, r: &Reservation) -> ReservationRow {
    let (start, end) = r.window(v.now);
    let names = |who: &slurmctld::reservation::Who| {
        let sign = if who.except { "-" } else { "" };
        who.names.iter().map(|n| format!("{sign}{n}")).collect::<Vec<_>>().join(",")
    };
    let licenses: Vec<String> = r.licenses.iter().map(|(name, n)| format!("{name}:{n}")).collect();
    ReservationRow {
        accounts: names(&r.accounts),
        burst_buffer: text(r.burst_buffer.as_deref()),
        core_count: r.cores,
        core_specializations: Vec::new(),
        end_time: moment(Some(end)),
        features: text(r.features.as_deref()),
        groups: names(&r.groups),
        licenses: licenses.join(","),
        max_start_delay: r.max_start_delay.map_or(0, |s| s.secs()),
        name: text(r.name.as_str()),
        node_count: r.nodes.len(),
        node_list: v.hosts(&r.nodes),
        partition: text(r.partition.map_or("", |p| v.state.partition(p).name.as_str())),
        purge_completed: ReservationRowPurgeCompleted {
            time: number(Some(u64::try_from(r.purge.secs()).unwrap_or(0))),
        },
        start_time: moment(Some(start)),
        watts: number(None),
        tres: "",
        users: names(&r.users),
    }
}
