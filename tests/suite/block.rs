//! topology/block: placement of jobs according to topology.html.

use crate::bench::Site;

/// Four blocks of four nodes, with aggregated blocks of eight.
fn site() -> Site {
    let conf = "ClusterName=block\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nTopologyPlugin=topology/block\n\
                NodeName=cn[01-16] CPUs=4\nPartitionName=batch Nodes=cn[01-16] Default=YES MaxTime=1-0\n";
    let topology = "BlockName=b1 Nodes=cn[01-04]\nBlockName=b2 Nodes=cn[05-08]\nBlockName=b3 Nodes=cn[09-12]\n\
                    BlockName=b4 Nodes=cn[13-16]\nBlockSizes=4,8\n";
    let site = Site::new(&[("slurm.conf", conf), ("topology.conf", topology), ("users", "alice")]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

/// The nodes of a job; empty if it is pending.
fn place(site: &mut Site, options: &str) -> String {
    let id = site.run("alice", &format!("sbatch --parsable {options} --wrap='sleep 3000'"));
    site.pass(5);
    site.run("alice", &format!("squeue -h -o %N -j {id}")).trim().to_owned()
}

#[test]
fn the_fullest_of_the_smallest_units() {
    let mut site = site();
    assert_eq!(place(&mut site, "-N1 -n4 -w cn05"), "cn05");
    assert_eq!(place(&mut site, "-N3 -n12"), "cn[06-08]", "the rest of a block");
    assert_eq!(place(&mut site, "-N4 -n16"), "cn[01-04]", "a whole block");
    assert_eq!(place(&mut site, "-N2 -n8"), "cn[09-10]");
    assert_eq!(place(&mut site, "-N3 -n12"), "cn[13-15]", "none that is begun has three");
    assert_eq!(place(&mut site, "-N3 -n12"), "", "three are free, in two blocks: one would do");
}

#[test]
fn units_of_two_blocks() {
    let mut site = site();
    place(&mut site, "-N1 -n4 -w cn02");
    assert_eq!(place(&mut site, "-N6 -n24"), "cn[01,03,05-08]", "within a unit of eight, the fuller one");
    assert_eq!(place(&mut site, "-N8 -n32"), "cn[09-16]");
    assert_eq!(place(&mut site, "-n 4"), "cn04", "no nodes named: where the rest is");
}

#[test]
fn segments() {
    let mut site = site();
    assert_eq!(
        site.run("alice", "sbatch -N6 --segment=4 --wrap=true"),
        "sbatch: fatal: --segment=4 does not fit the job size (6): node count must be evenly divisible by segment size\n"
    );
    assert_eq!(
        site.run("alice", "sbatch -N8 --segment=8 --wrap=true"),
        "sbatch: error: Batch job submission failed: Requested topology configuration is not available\n"
    );
    for node in ["cn01", "cn05", "cn09", "cn13"] {
        place(&mut site, &format!("-N1 -n4 -w {node}"));
    }
    assert_eq!(
        place(&mut site, "-N4 -n16 --segment=2 --spread-segments"),
        "cn[02-03,06-07]",
        "one in each block"
    );
    assert_eq!(place(&mut site, "-N4 -n16 --segment=2"), "cn[10-11,14-15]");
    assert_eq!(place(&mut site, "-N2 -n8 --segment=1"), "cn[04,08]");
    assert_eq!(place(&mut site, "-N2 -n8 --segment=2"), "", "two nodes are left, in two blocks");
}

#[test]
fn scontrol_shows_blocks() {
    let mut site = site();
    assert_eq!(
        site.run("alice", "scontrol show topology"),
        "BlockName=b1 BlockIndex=0 Nodes=cn[01-04] BlockSize=4\n\
         BlockName=b2 BlockIndex=1 Nodes=cn[05-08] BlockSize=4\n\
         BlockName=b3 BlockIndex=2 Nodes=cn[09-12] BlockSize=4\n\
         BlockName=b4 BlockIndex=3 Nodes=cn[13-16] BlockSize=4\n\
         AggregatedBlock=b[1-2] BlockIndex=4 Nodes=cn[01-08] BlockSize=8\n\
         AggregatedBlock=b[3-4] BlockIndex=5 Nodes=cn[09-16] BlockSize=8\n"
    );
    assert_eq!(
        site.run("alice", "scontrol show topology node=cn06"),
        "BlockName=b2 BlockIndex=1 Nodes=cn[05-08] BlockSize=4\n\
         AggregatedBlock=b[1-2] BlockIndex=4 Nodes=cn[01-08] BlockSize=8\n"
    );
    site.run(
        "alice",
        "sbatch -N2 -n2 --wrap='echo $SLURM_TOPOLOGY_ADDR $SLURM_TOPOLOGY_ADDR_PATTERN' -o out",
    );
    site.pass(5);
    assert_eq!(site.run("alice", "cat out"), "b1.cn01 block.node\n");
}
