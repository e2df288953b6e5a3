//! Configuration changes at run time: `scontrol reconfigure`, new and deleted partitions.

use crate::bench::Site;

const CONF: &str = "\
ClusterName=run
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
NodeName=cn[01-03] CPUs=8 RealMemory=64000
PartitionName=batch Nodes=cn[01-03] Default=YES MaxTime=1-0
PartitionName=old Nodes=cn03 PriorityTier=2
";

fn site() -> Site {
    let site = Site::new(&[("slurm.conf", CONF), ("users", "alice bob")]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

/// Edits slurm.conf with sed and runs `scontrol reconfigure`.
fn edit(site: &mut Site, sed: &str) -> String {
    site.run("root", &format!("sed -i '{sed}' /etc/slurm/slurm.conf && scontrol reconfigure"))
}

#[test]
fn nodes_and_partitions_of_new_files() {
    let mut site = site();
    site.run("alice", "sbatch -n 24 -t 60 --wrap='sleep 3000'; sbatch -n 4 -t 60 --wrap='sleep 50'");
    site.pass(5);
    assert_eq!(
        site.run("alice", "squeue -h --sort=i -o '%i %T %r'"),
        "1 RUNNING None\n2 PENDING Resources\n"
    );
    let said = edit(
        &mut site,
        "s/cn\\[01-03\\]/cn[01-04]/;s/MaxTime=1-0/MaxTime=2-0/;s/^PartitionName=old.*/PartitionName=new Nodes=cn04/",
    );
    assert_eq!(said, "");
    site.pass(5);
    assert_eq!(
        site.run("alice", "squeue -h --sort=i -o '%i %T %N'"),
        "1 RUNNING cn[01-03]\n2 RUNNING cn04\n"
    );
    assert_eq!(
        site.run("alice", "sinfo -h -o '%P %l %N'"),
        "batch* 2-00:00:00 cn[01-04]\nnew infinite cn04\n"
    );
    assert_eq!(
        site.run("alice", "sbatch -p old --wrap=true"),
        "sbatch: error: invalid partition specified: old\n\
         sbatch: error: Batch job submission failed: Invalid partition name specified\n"
    );
}

#[test]
fn jobs_of_a_removed_partition_fail() {
    let mut site = site();
    site.run("alice", "sbatch -p old -t 60 --wrap='sleep 300'; sbatch -p old -H --wrap=true; sbatch -H -p batch,old --wrap=true");
    site.pass(5);
    assert_eq!(edit(&mut site, "/^PartitionName=old/d"), "");
    site.pass(40);
    assert_eq!(
        site.run("alice", "squeue -h -t all --sort=i -o '%i %P %T %r'"),
        "1 old NODE_FAIL PartitionDown\n2 old NODE_FAIL PartitionDown\n3 batch PENDING JobHeldUser\n"
    );
    assert_eq!(site.run("alice", "sacct -X -n -P -o JobID,Partition,State -j 1"), "1|old|NODE_FAIL\n");
}

#[test]
fn a_removed_node() {
    let mut site = site();
    site.run("alice", "sbatch -w cn02 -t 60 --no-requeue --wrap='sleep 300'");
    site.pass(5);
    assert_eq!(
        edit(
            &mut site,
            "s/^NodeName=cn.*/NodeName=cn[01,03] CPUs=8 RealMemory=64000/;s/Nodes=cn\\[01-03\\]/Nodes=ALL/"
        ),
        ""
    );
    site.pass(5);
    assert_eq!(
        site.run("alice", "squeue -h -t all -o '%i %T'; sinfo -h -N -p batch -o %N"),
        "1 NODE_FAIL\ncn01\ncn03\n"
    );
    assert_eq!(
        site.run("root", "scontrol show node cn02; scontrol -o show nodes | wc -l"),
        "Node cn02 not found\n2\n"
    );
    assert_eq!(
        site.run("root", "scontrol update nodename=cn02 state=resume"),
        "slurm_update error: Invalid node name specified\n"
    );
    assert_eq!(edit(&mut site, "s/cn\\[01,03\\]/cn[01-03]/"), "");
    site.pass(5);
    assert_eq!(
        site.run("alice", "sinfo -h -p batch -o '%N %T'; srun -w cn02 hostname"),
        "cn[01-03] idle\ncn02\n"
    );
}

#[test]
fn settings_that_files_cannot_change() {
    let mut site = site();
    let bad = "scontrol: error: _parse_next_key: Parsing error at unrecognized key: Nonsense\n";
    assert_eq!(
        edit(&mut site, "$aNonsense=1"),
        format!("{bad}scontrol: fatal: Unable to process configuration file\n")
    );
    let select =
        "slurm_reconfigure error:SelectType change requires restart of the slurmctld daemon to take effect\n";
    assert_eq!(edit(&mut site, "/^Nonsense/d;s/cons_tres/linear/"), select);
    site.run("alice", "sbatch -w cn01 --wrap='sleep 300'");
    site.pass(5);
    let restart = "slurm_reconfigure error:The node configuration changes that were made require restart of the slurmctld daemon to take effect\n";
    assert_eq!(edit(&mut site, "s/linear/cons_tres/;s/CPUs=8/CPUs=4/"), restart);
    // Nothing has changed: no node has fewer CPUs than its jobs hold.
    site.pass(1);
    assert_eq!(
        site.run(
            "root",
            "scontrol update nodename=cn01 cpus=4; scontrol show node cn01 | grep -o 'CPUTot=[0-9]*'"
        ),
        "CPUTot=8\nUpdate of this parameter is not supported: cpus=4\nRequest aborted\n"
    );
    let port = "scontrol: SlurmctldPort: a restart of the daemons would be needed for this to take effect\n";
    assert_eq!(edit(&mut site, "s/CPUs=4/CPUs=8/;$aSlurmctldPort=7777"), port);
    assert_eq!(site.run("alice", "scontrol reconfigure"), "slurm_reconfigure error:Invalid user id\n");
    assert_eq!(
        site.run("root", "rm /etc/slurm/slurm.conf; scontrol reconfigure; sinfo -h | wc -l")
            .lines()
            .next_back(),
        Some("scontrol: fatal: Unable to process configuration file")
    );
}

#[test]
fn settings_made_by_hand() {
    let mut site = site();
    let set = "scontrol update partitionname=batch state=drain maxtime=10; scontrol update nodename=cn01 state=drain reason=x weight=5; \
               scontrol create partitionname=mine nodes=cn02";
    let look = "scontrol show partition batch | grep -o 'State=[A-Z]*\\|MaxTime=[^ ]*' ; sinfo -h -n cn01 -p batch -o '%T %w'; sinfo -h -p mine | wc -l";
    assert_eq!(site.run("root", set), "");
    assert_eq!(site.run("root", look), "MaxTime=00:10:00\nState=DRAIN\ndrained 5\n1\n");
    assert_eq!(edit(&mut site, "$aReconfigFlags=KeepPartInfo"), "");
    assert_eq!(site.run("root", look), "MaxTime=00:10:00\nState=DRAIN\ndrained 1\n1\n");
    assert_eq!(edit(&mut site, "s/KeepPartInfo/KeepPartState/"), "");
    assert_eq!(site.run("root", look), "MaxTime=1-00:00:00\nState=DRAIN\ndrained 1\n0\n");
    assert_eq!(edit(&mut site, "/ReconfigFlags/d"), "");
    assert_eq!(site.run("root", look), "MaxTime=1-00:00:00\nState=UP\ndrained 1\n0\n");
}

#[test]
fn settings_take_effect() {
    let mut site = site();
    site.run("alice", "sbatch --wrap='sleep 30'");
    site.pass(5);
    let more = "Licenses=matlab:2\nMinJobAge=10\nNodeSet=few Nodes=cn01\nPartitionName=set Nodes=few";
    site.run("root", &format!("echo '{more}' >> /etc/slurm/slurm.conf"));
    assert_eq!(edit(&mut site, "s/DefMemPerCPU=1000/DefMemPerCPU=2000/"), "");
    assert_eq!(
        site.run("root", "scontrol show config | grep -i 'DefMemPerCPU\\|MinJobAge'; sinfo -h -p set -o %N"),
        "DefMemPerCPU            = 2000\nMinJobAge               = 10 sec\ncn01\n"
    );
    site.run("alice", "sbatch -L matlab:2 --wrap='sleep 30'");
    site.pass(5);
    assert_eq!(
        site.run("alice", "scontrol show lic | grep -o Used=.; squeue -h --sort=i -o '%i %m'"),
        "Used=2\n1 1000M\n2 2000M\n"
    );
    site.pass(60);
    assert_eq!(site.run("alice", "squeue -h -t all"), "");
}

#[test]
fn partitions_are_created_and_deleted() {
    let mut site = site();
    for (command, said) in [
        ("scontrol create partitionname=x nodes=cn[01-02] maxtime=60 state=up", ""),
        ("scontrol create partition=x", "Error creating the partition: Invalid partition name specified\n"),
        (
            "scontrol create partition nodes=cn01",
            "scontrol: error: Invalid input: partition  Request aborted\n",
        ),
        (
            "scontrol create partition=y nodes=zz",
            "Error creating the partition: Invalid node name specified\n",
        ),
        (
            "scontrol create partition=y colour=red",
            "scontrol: error: Update of this parameter is not supported: colour=red\n\nscontrol: error: Request aborted\n",
        ),
        ("scontrol update partition=x nodes+=cn03 exclusive=user jobdefaults=DefMemPerGPU=10", ""),
        ("sinfo -h -p x -o '%P %l %N'", "x 1:00:00 cn[01-03]\n"),
        ("scontrol update partition=x nodes-=cn01,cn03", ""),
        ("sinfo -h -p x -o '%P %l %N'", "x 1:00:00 cn02\n"),
        ("scontrol update partition=x default=yes; sinfo -h -o %P", "batch\nold\nx*\n"),
        (
            "su bob -c 'scontrol delete partition=x' 2>/dev/null; sbatch -D /tmp --wrap='sleep 60'",
            "Submitted batch job 1\n",
        ),
        ("scontrol delete partition=x", "delete_partition partition=x: Partition is in use\n"),
        ("scancel 1; sleep 3; scontrol delete partition=x", ""),
        ("scontrol delete partition=x", "delete_partition partition=x: Invalid partition name specified\n"),
        (
            "squeue -h -t all -o '%i %P'; scontrol -o show job 1 | grep -o Partition=[a-z]*",
            "1 x\nPartition=x\n",
        ),
        ("sinfo -h -o %P", "batch\nold\n"),
        (
            "sbatch -D /tmp --wrap=true 2>&1 | tail -1",
            "sbatch: error: Batch job submission failed: No partition specified or system default partition\n",
        ),
    ] {
        assert_eq!(site.run("root", command), said, "{command}");
        site.pass(4);
    }
}
