//! Nodes, partitions, reservations and licences.

use super::{NoFields, Number};
use serde::Serialize;

/// A licence.
#[derive(Clone, Debug, Serialize)]
pub struct LicenseRow {
    #[serde(rename = "LicenseName")]
    pub license_name: String,
    #[serde(rename = "Total")]
    pub total: u64,
    #[serde(rename = "Used")]
    pub used: u64,
    #[serde(rename = "Free")]
    pub free: u64,
    #[serde(rename = "Remote")]
    pub remote: bool,
    #[serde(rename = "Reserved")]
    pub reserved: u64,
    #[serde(rename = "LastConsumed")]
    pub last_consumed: u32,
    #[serde(rename = "LastDeficit")]
    pub last_deficit: u32,
    #[serde(rename = "LastUpdate")]
    pub last_update: Number,
    #[serde(rename = "Nodes")]
    pub nodes: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRange {
    pub minimum: u64,
    pub maximum: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowNode {
    pub state: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowNodes {
    pub allocated: u32,
    pub idle: u32,
    pub other: u32,
    pub total: u32,
    pub hostnames: Vec<String>,
    pub addresses: Vec<String>,
    pub nodes: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowCpusPerNode {
    pub max: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowCpus {
    pub allocated: u32,
    pub idle: u32,
    pub other: u32,
    pub total: u32,
    pub minimum: u32,
    pub maximum: u32,
    pub load: SinfoRange,
    pub per_node: SinfoRowCpusPerNode,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowMemoryFree {
    pub minimum: Number,
    pub maximum: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowMemory {
    pub minimum: u64,
    pub maximum: u64,
    pub free: SinfoRowMemoryFree,
    pub allocated: u64,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowFeatures {
    pub total: String,
    pub active: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowGres {
    pub total: String,
    pub used: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct SinfoRowResourceSpec {
    pub cpus: &'static str,
    pub memory: u32,
}

/// A group of identical nodes in one partition.
#[derive(Clone, Debug, Serialize)]
pub struct SinfoRow {
    pub port: u32,
    pub node: SinfoRowNode,
    pub nodes: SinfoRowNodes,
    pub cpus: SinfoRowCpus,
    pub sockets: SinfoRange,
    pub cores: SinfoRange,
    pub threads: SinfoRange,
    pub disk: SinfoRange,
    pub memory: SinfoRowMemory,
    pub weight: SinfoRange,
    pub features: SinfoRowFeatures,
    pub gres: SinfoRowGres,
    pub cluster: &'static str,
    pub comment: String,
    pub extra: String,
    pub reason: ReasonRow,
    pub reservation: String,
    pub reason_set_by_user: String,
    pub resource_spec: SinfoRowResourceSpec,
    pub partition: PartitionRow,
}

#[derive(Clone, Debug, Serialize)]
pub struct ReasonRow {
    pub description: String,
    pub time: i64,
}

#[derive(Clone, Debug, Serialize)]
pub struct EnergyRow {
    pub average_watts: u32,
    pub base_consumed_energy: u32,
    pub consumed_energy: u32,
    pub current_watts: Number,
    pub previous_consumed_energy: u32,
    pub last_collected: u32,
}

/// A node.
#[derive(Clone, Debug, Serialize)]
pub struct NodeRow {
    pub architecture: &'static str,
    pub burstbuffer_network_address: &'static str,
    pub boards: u32,
    pub boot_time: Number,
    pub tls_cert_last_renewal: Number,
    pub cert_flags: Vec<String>,
    pub cluster_name: &'static str,
    pub cores: u32,
    pub specialized_cores: u32,
    pub cpu_binding: u32,
    pub cpu_load: u32,
    pub free_mem: Number,
    pub cpus: u32,
    pub effective_cpus: u32,
    pub specialized_cpus: &'static str,
    pub energy: EnergyRow,
    pub external_sensors: NoFields,
    pub extra: String,
    pub power: NoFields,
    pub features: Vec<String>,
    pub active_features: Vec<String>,
    pub gpu_spec: &'static str,
    pub gres: String,
    pub gres_drained: &'static str,
    pub gres_used: String,
    pub instance_id: &'static str,
    pub instance_type: &'static str,
    pub last_busy: Number,
    pub mcs_label: String,
    pub specialized_memory: u32,
    pub name: String,
    pub next_state_after_reboot: Vec<String>,
    pub address: String,
    pub hostname: String,
    pub state: Vec<String>,
    pub operating_system: &'static str,
    pub owner: &'static str,
    pub partitions: Vec<String>,
    pub port: u32,
    pub real_memory: u64,
    pub res_cores_per_gpu: u32,
    pub comment: String,
    pub reason: String,
    pub reason_changed_at: Number,
    pub reason_set_by_user: String,
    pub resume_after: Number,
    pub reservation: String,
    pub alloc_memory: u64,
    pub alloc_cpus: u32,
    pub alloc_idle_cpus: u32,
    pub tres_used: &'static str,
    pub tres_weighted: f64,
    pub slurmd_start_time: Number,
    pub sockets: u32,
    pub threads: u32,
    pub temporary_disk: u64,
    pub weight: u32,
    pub topology: &'static str,
    pub tres: String,
    pub version: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowNodes {
    pub allowed_allocation: &'static str,
    pub configured: String,
    pub total: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowAccounts {
    pub allowed: String,
    pub deny: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowGroups {
    pub allowed: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowQos {
    pub allowed: String,
    pub deny: String,
    pub assigned: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowTres {
    pub billing_weights: &'static str,
    pub configured: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowCpus {
    pub task_binding: Vec<String>,
    pub total: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowDefaults {
    pub memory_per_cpu: u64,
    pub partition_memory_per_cpu: Number,
    pub partition_memory_per_node: Number,
    pub time: Number,
    pub job: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowPartition {
    pub exclusive: &'static str,
    pub oversubscribe: String,
    pub state: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowMaximumsOversubscribe {
    pub jobs: u32,
    pub flags: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowMaximums {
    pub cpus_per_node: Number,
    pub cpus_per_socket: Number,
    pub memory_per_cpu: u64,
    pub partition_memory_per_cpu: Number,
    pub partition_memory_per_node: Number,
    pub nodes: Number,
    pub shares: u32,
    pub oversubscribe: PartitionRowMaximumsOversubscribe,
    pub time: Number,
    pub over_time_limit: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowMinimums {
    pub nodes: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowPriority {
    pub job_factor: u32,
    pub tier: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct PartitionRowTimeouts {
    pub resume: Number,
    pub suspend: Number,
}

/// A partition.
#[derive(Clone, Debug, Serialize)]
pub struct PartitionRow {
    pub nodes: PartitionRowNodes,
    pub accounts: PartitionRowAccounts,
    pub groups: PartitionRowGroups,
    pub qos: PartitionRowQos,
    pub alternate: &'static str,
    pub tres: PartitionRowTres,
    pub cluster: &'static str,
    pub select_type: Vec<String>,
    pub cpus: PartitionRowCpus,
    pub defaults: PartitionRowDefaults,
    pub flags: Vec<String>,
    pub partition: PartitionRowPartition,
    pub grace_time: u32,
    pub maximums: PartitionRowMaximums,
    pub minimums: PartitionRowMinimums,
    pub name: String,
    pub node_sets: &'static str,
    pub preempt_mode: Vec<String>,
    pub priority: PartitionRowPriority,
    pub timeouts: PartitionRowTimeouts,
    pub topology: &'static str,
    pub suspend_time: Number,
}

#[derive(Clone, Debug, Serialize)]
pub struct ReservationRowPurgeCompleted {
    pub time: Number,
}

/// A reservation.
#[derive(Clone, Debug, Serialize)]
pub struct ReservationRow {
    pub accounts: String,
    pub burst_buffer: String,
    pub core_count: u32,
    pub core_specializations: Vec<String>,
    pub end_time: Number,
    pub features: String,
    pub groups: String,
    pub licenses: String,
    pub max_start_delay: i64,
    pub name: String,
    pub node_count: u32,
    pub node_list: String,
    pub partition: String,
    pub purge_completed: ReservationRowPurgeCompleted,
    pub start_time: Number,
    pub watts: Number,
    pub tres: &'static str,
    pub users: String,
}
