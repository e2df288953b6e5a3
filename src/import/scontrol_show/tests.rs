//! Round trips of scontrol's output: the parsed site equals the one that printed it.

use super::*;

const CONFIG: &str = "Configuration data as of 2026-11-21T05:54:36\nAccountingStorageEnforce = associations,limits,qos\n\
    BOOT_TIME               = 2026-11-21T05:54:28\nClusterName             = lab\nDefMemPerCPU            = 2000\n\
    GresTypes               = gpu\nKillWait                = 30 sec\nPriorityFlags           = \nPrologFlags             = (null)\n\
    PriorityType            = priority/multifactor\nSelectType              = select/cons_tres\n\
    SelectTypeParameters    = CR_CORE_MEMORY\nSlurmUser               = slurm(64030)\nSlurmctldHost[0]        = ctl\n\
    TaskPluginParam         = (null type)\n\nCgroup Support Configuration:\nConstrainDevices        = yes\n\n\
    Slurmctld(primary) at ctl is UP\n";
const NODES: &str = "NodeName=cn01 Arch=x86_64 CoresPerSocket=8 \n   CPUAlloc=4 CPUEfctv=16 CPUTot=16 CPULoad=0.28\n   \
    AvailableFeatures=intel,avx2\n   ActiveFeatures=intel,avx2\n   Gres=(null)\n   \
    OS=Linux 6.1.0 #1 SMP PREEMPT_DYNAMIC @0 \n   RealMemory=64000 AllocMem=8000 FreeMem=20818 Sockets=2 Boards=1\n   \
    State=MIXED+DRAIN ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A\n   Partitions=batch \n   \
    Reason=bad disk [root@2026-11-21T05:54:28]\n\nNodeName=cn02 Arch=x86_64 CoresPerSocket=8 \n   CPUTot=16\n   \
    AvailableFeatures=intel,avx2\n   RealMemory=64000 Sockets=2 ThreadsPerCore=1 Weight=1 State=IDLE\n\n\
    NodeName=gpu01 CoresPerSocket=16 CPUTot=32 Gres=gpu:a100:4(S:0-1) RealMemory=256000 Sockets=2 ThreadsPerCore=1 Weight=5 \
    State=IDLE\n";
const PARTITIONS: &str = "PartitionName=batch\n   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n   \
    AllocNodes=ALL Default=YES QoS=N/A\n   DefaultTime=01:00:00 DisableRootJobs=NO Exclusive=NO GraceTime=0 Hidden=NO\n   \
    MaxNodes=UNLIMITED MaxTime=1-00:00:00 MinNodes=0 LLN=NO MaxCPUsPerNode=UNLIMITED\n   Nodes=cn[01-02]\n   \
    PriorityJobFactor=1 PriorityTier=1 RootOnly=NO ReqResv=NO OverSubscribe=NO\n   OverTimeLimit=NONE PreemptMode=OFF\n   \
    State=UP TotalCPUs=32 TotalNodes=2 SelectTypeParameters=NONE\n   JobDefaults=DefCpuPerGPU=8\n   \
    DefMemPerNode=UNLIMITED MaxMemPerNode=UNLIMITED\n\nPartitionName=gpu Nodes=gpu01 MaxTime=UNLIMITED State=UP\n";

#[test]
fn a_site_from_scontrol() {
    let shown = site(ShownTexts {
        config: Some(("config.txt", CONFIG)),
        nodes: Some(("nodes.txt", NODES)),
        partitions: Some(("partitions.txt", PARTITIONS)),
    });
    let conf = &shown.files["slurm.conf"];
    assert!(conf.contains("NodeName=cn[01-02] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 RealMemory=64000 Feature=intel,avx2\n"), "{conf}");
    assert_eq!(shown.files["cgroup.conf"], "ConstrainDevices=yes\n");
    let cluster = Cluster::parse(&SiteFiles(shown.files.clone()));
    assert_eq!(cluster.global.cluster_name, "lab");
    assert_eq!(cluster.global.def_mem_per_cpu, Some(2000));
    let nodes: Vec<(&str, u32, u64)> =
        cluster.nodes.iter().map(|n| (n.name.as_str(), n.cpus, n.real_memory)).collect();
    assert_eq!(nodes, [("cn01", 16, 64_000), ("cn02", 16, 64_000), ("gpu01", 32, 256_000)]);
    assert_eq!(cluster.nodes[2].gres.len(), 1);
    assert_eq!(cluster.partitions.len(), 2);
    assert_eq!(cluster.partitions[0].max_time, base::time::Limit::Minutes(1440));
    let told: Vec<String> = shown.diagnostics.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|t| t.starts_with("nodes.txt:1: note: cn01 was MIXED+DRAIN")), "{told:?}");
}

#[test]
fn missing_texts_are_reported() {
    let shown = site(ShownTexts::default());
    assert_eq!(shown.diagnostics.iter().filter(|d| d.severity == Severity::Warning).count(), 3);
    let cluster = Cluster::parse(&SiteFiles(shown.files));
    assert_eq!(cluster.partitions.len(), 1);
}
