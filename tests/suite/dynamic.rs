//! Nodes that are added and removed while the cluster runs, and changes of a node's properties. The answers are
//! those of a real slurmctld (22.05), except for existing nodes and a full table, where 26.05 has its own
//! errors.

use crate::bench::Site;

const CONF: &str = "\
ClusterName=run
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
GresTypes=gpu,tape
MaxNodeCount=6
PrivateData=cloud
NodeName=cn[01-02] CPUs=4 RealMemory=64000 Feature=intel Gres=tape:4
NodeName=gpu01 CPUs=4 RealMemory=64000 Gres=gpu:a100:4
NodeSet=dyn Feature=dyn
PartitionName=batch Nodes=cn[01-02] Default=YES MaxTime=1-0
PartitionName=dyn Nodes=dyn,gpu01
PartitionName=all Nodes=ALL
";

fn site() -> Site {
    let site = Site::new(&[("slurm.conf", CONF), ("users", "alice bob")]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

const LIST: &str = "sinfo -h -o '%P %t %N'";

#[test]
fn nodes_are_created_and_deleted() {
    let mut site = site();
    let create = "scontrol create nodename=dy[1-2] CPUs=4 RealMemory=1000 Features=dyn";
    assert_eq!(
        site.run("alice", &format!("{create} State=CLOUD")),
        "Error creating node(s): Invalid user id\n"
    );
    assert_eq!(
        site.run("root", create),
        "scontrol: error: Only State=FUTURE and State=CLOUD allowed for nodes created by scontrol\n\
         Error creating node(s): Invalid node state specified\n"
    );
    assert_eq!(
        site.run("root", "scontrol create nodename=dx Foo=3 State=CLOUD"),
        "scontrol: error: Failed to parse nodeline 'nodename=dx Foo=3 State=CLOUD'\n\
         Error creating node(s): Unspecified error\n"
    );
    assert_eq!(site.run("root", &format!("{create} State=CLOUD")), "");
    assert_eq!(
        site.run("root", &format!("{LIST} -p dyn,all")),
        "dyn idle~ dy[1-2]\ndyn idle gpu01\nall idle~ dy[1-2]\nall idle cn[01-02],gpu01\n"
    );
    assert!(
        site.run("root", "scontrol show node dy1").contains("State=IDLE+CLOUD+DYNAMIC_NORM+POWERED_DOWN ")
    );
    assert_eq!(
        site.run("root", "scontrol create nodename=dz[1-2] CPUs=4 State=FUTURE"),
        "scontrol: error: Unable to add node, node table is full (dz2)\n\
         Error creating node(s): Unable to add node, node table is full\n"
    );
    site.run("alice", "sbatch -p dyn -C dyn -N2 --wrap='sleep 100'");
    site.pass(60);
    assert_eq!(site.run("alice", "squeue -h -o '%T %N'"), "RUNNING dy[1-2]\n");
    assert_eq!(
        site.run("root", "scontrol delete nodename=dy2"),
        "scontrol: error: failed to delete nodes dy2\ndelete_node nodename=dy2: Requested nodes are busy\n"
    );
    assert_eq!(
        site.run("root", "scontrol delete nodename=cn02,foo"),
        "scontrol: error: failed to delete nodes foo\ndelete_node nodename=cn02,foo: Invalid node name specified\n"
    );
    site.run("root", "scontrol reconfigure");
    assert_eq!(site.run("root", &format!("{LIST} -p dyn -n dy1")), "dyn mix dy1\n", "it outlives new files");
    site.pass(200);
    assert_eq!(
        site.run("root", "scontrol delete nodename=dy[1-2],cn02"),
        "scontrol: error: failed to delete nodes cn02\ndelete_node nodename=dy[1-2],cn02: Invalid node state specified\n",
        "nodes of slurm.conf stay"
    );
    assert_eq!(site.run("root", "scontrol delete nodename=dy[1-2]"), "");
    assert_eq!(site.run("root", LIST), "batch* idle cn[01-02]\ndyn idle gpu01\nall idle cn[01-02],gpu01\n");
}

#[test]
fn future_nodes() {
    let mut site = site();
    site.run("root", "scontrol create nodename=dz1 CPUs=4 State=FUTURE Features=dyn");
    assert_eq!(site.run("root", "scontrol show node dz1"), "Node dz1 not found\n");
    assert!(site.run("root", "scontrol --future show node dz1").contains("State=FUTURE+DYNAMIC_NORM "));
    assert_eq!(
        site.run("root", "scontrol update nodename=dz1 state=idle"),
        "slurm_update error: Invalid node state specified\n"
    );
    site.run("root", "scontrol update nodename=dz1 state=resume");
    assert_eq!(site.run("root", &format!("{LIST} -n dz1 -p dyn")), "dyn idle* dz1\n");
    site.pass(5);
    assert_eq!(site.run("root", &format!("{LIST} -n dz1 -p dyn")), "dyn idle dz1\n");
}

#[test]
fn features_move_nodes_between_partitions() {
    let mut site = site();
    assert_eq!(
        site.run("root", "scontrol update nodename=cn01 features=dyn"),
        "slurm_update error: Active features not subset of available features\n"
    );
    site.run("root", "scontrol update nodename=cn01 availablefeatures=dyn,intel");
    assert_eq!(site.run("root", &format!("{LIST} -p dyn")), "dyn idle cn01,gpu01\n");
    site.run("root", "scontrol update nodename=cn01 activefeatures=intel");
    assert_eq!(site.run("root", &format!("{LIST} -p dyn")), "dyn idle gpu01\n");
    assert_eq!(site.run("root", "sinfo -h -n cn01 -p batch -o '%f %b'"), "dyn,intel intel\n");
}

#[test]
fn gres_without_devices_can_get_another_count() {
    let mut site = site();
    let refused = "slurm_update error: Invalid generic resource (gres) specification\n";
    for (node, gres, said, now) in [
        ("gpu01", "gpu:a100:2", refused, "gpu:a100:4"),
        ("gpu01", "gpu:v100:4", "", "gpu:a100:4"),
        ("cn01", "gpu:2", refused, "tape:4"),
        ("cn01", "foo:2", "", "tape:4"),
        ("cn01", "tape:8", "", "tape:8"),
        ("cn02", "", "", "(null)"),
    ] {
        assert_eq!(site.run("root", &format!("scontrol update nodename={node} gres={gres}")), said, "{gres}");
        let text = site.run("root", &format!("scontrol show node {node} | grep -o 'Gres=.*'"));
        assert_eq!(text, format!("Gres={now}\n"), "{gres}");
    }
    site.run("alice", "sbatch --gres=tape:7 --wrap='sleep 100'; sbatch --gres=tape:7 --wrap='sleep 100'");
    site.pass(5);
    assert_eq!(site.run("alice", "squeue -h --sort=i -o '%T %N'"), "RUNNING cn01\nPENDING \n");
    site.run("alice", "scancel --me");
    site.pass(5);
    site.run("root", "scontrol reconfigure");
    assert_eq!(site.run("root", "scontrol show node cn02 | grep -o 'Gres=.*'"), "Gres=tape:4\n");
}
