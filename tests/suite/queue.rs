//! The order in which the scheduler considers jobs.

use crate::bench::Site;

const CONF: &str = "ClusterName=queue\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nPriorityType=priority/multifactor\n\
                    PriorityWeightQOS=1000\nPreemptType=preempt/qos\nPreemptMode=CANCEL\nAccountingStorageEnforce=associations,qos\n\
                    NodeName=cn[01-02] CPUs=4\nPartitionName=low Nodes=ALL Default=YES\nPartitionName=high Nodes=ALL PriorityTier=9\n";
const ACCOUNTS: &str = "sacctmgr -i add account a\nsacctmgr -i add user alice,bob account=a\nsacctmgr -i add qos small priority=100\n\
                        sacctmgr -i add qos big preempt=small\nsacctmgr -i modify account a set qos=normal,small,big\n";

fn site() -> Site {
    let site = Site::new(&[("slurm.conf", CONF), ("users", "alice bob"), ("accounts.sh", ACCOUNTS)]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

/// The pending jobs, in the order in which they started once the machine was free.
fn order(site: &mut Site, submissions: &[&str]) -> String {
    site.run(
        "root",
        "scontrol update partitionname=low state=down; scontrol update partitionname=high state=down",
    );
    for (options, name) in submissions.iter().zip('a'..) {
        let user = "alice";
        site.run(user, &format!("sbatch -N2 --exclusive -t 1 -J {name} {options} --wrap='sleep 20'"));
    }
    site.pass(3);
    site.run(
        "root",
        "scontrol update partitionname=low state=up; scontrol update partitionname=high state=up",
    );
    site.pass(400);
    site.run("alice", "sacct -nX -a -o start,jobname%2 | sort | awk '{printf $2}'")
}

#[test]
fn preemptors_come_before_preemptable_jobs() {
    let mut site = site();
    assert_eq!(
        order(&mut site, &["-q small", "-q big", "-q normal"]),
        "bca",
        "small has the best priority and is last"
    );
}

#[test]
fn tiers_before_priorities() {
    let mut site = site();
    assert_eq!(order(&mut site, &["-p low -q small", "-p high"]), "ba");
}

#[test]
fn jobs_per_association() {
    for (parameter, state) in [("bf_max_job_assoc=1", "PENDING"), ("bf_max_job_assoc=3", "RUNNING")] {
        let conf = format!("{CONF}SchedulerParameters={parameter}\n");
        let mut site = Site::new(&[("slurm.conf", &conf), ("users", "alice bob"), ("accounts.sh", ACCOUNTS)]);
        site.run("alice", "sbatch -n6 -t 60 --wrap='sleep 3000'");
        site.pass(4);
        site.run("alice", "sbatch -n8 -t 60 --wrap='sleep 3000'; sbatch -J s -n1 -t 5 --wrap='sleep 300'");
        site.run("bob", "sbatch -J s -n1 -t 5 --wrap='sleep 300'");
        site.pass(40);
        assert_eq!(
            site.run("root", "squeue -h -n s --sort=i -o '%u %T'"),
            format!("alice {state}\nbob RUNNING\n"),
            "{parameter}"
        );
    }
}
