//! MCS labels: who may set which, which jobs share nodes, and what users see. The answers are those of a real
//! slurmctld (22.05) on the same machines.

use crate::bench::Site;

fn site(mcs: &str) -> Site {
    let conf = format!(
        "ClusterName=mcs\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nDefMemPerCPU=1000\n\
         AccountingStorageEnforce=associations\n{mcs}\n\
         NodeName=cn[01-04] Sockets=2 CoresPerSocket=4 RealMemory=64000\n\
         PartitionName=batch Nodes=cn[01-04] Default=YES MaxTime=1-0\n"
    );
    let accounts = "sacctmgr -i add account physics\nsacctmgr -i add account chemistry\n\
                    sacctmgr -i add user alice,bob account=physics\nsacctmgr -i add user carol account=chemistry\n";
    let people = "[[users]]\nname = \"alice\"\ngroups = [\"laser\"]\n[[users]]\nname = \"bob\"\n[[users]]\n\
                  name = \"carol\"\ngroups = [\"acid\", \"laser\"]\n";
    let site = Site::new(&[("slurm.conf", &conf), ("site.toml", people), ("accounts.sh", accounts)]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

fn submit(site: &mut Site, user: &str, options: &str) -> String {
    site.run(user, &format!("sbatch {options} --wrap='sleep 300'"))
}

const INVALID: &str = "sbatch: error: Batch job submission failed: Invalid mcs_label specified\n";

#[test]
fn on_demand_by_user() {
    let mut site = site("MCSPlugin=mcs/user\nMCSParameters=ondemand,ondemandselect");
    assert_eq!(submit(&mut site, "alice", "-n 2 --mcs-label=bob"), INVALID);
    for options in
        ["-n 2 --mcs-label=alice", "-n 2 --exclusive=mcs", "-n 2 --mcs-label=alice --exclusive=mcs"]
    {
        submit(&mut site, "alice", options);
    }
    site.pass(5);
    for options in ["-n 2", "-n 2 --exclusive=mcs", "-w cn02 -n 2 --exclusive=mcs"] {
        submit(&mut site, "bob", options);
    }
    site.pass(5);
    assert_eq!(
        site.run("alice", "squeue -h --sort=i -O jobid:3,mcslabel:8,state:9,nodelist:5,exclusive:4"),
        "2  alice   RUNNING  cn01 NO  \n3  alice   RUNNING  cn02 MCS \n4  alice   RUNNING  cn02 MCS \n\
         5  (null)  RUNNING  cn01 NO  \n6  bob     RUNNING  cn03 MCS \n7  bob     PENDING       MCS \n",
        "a refusal takes a number; without --exclusive=mcs a label does not matter"
    );
    assert_eq!(
        site.run("root", "scontrol show node | grep -o 'MCS_label=.*'"),
        "MCS_label=N/A\nMCS_label=alice\nMCS_label=bob\nMCS_label=N/A\n"
    );
    assert_eq!(
        site.run("root", "sacct -nXa -o mcslabel%6"),
        " alice \n alice \n alice \n       \n   bob \n   bob \n"
    );
}

#[test]
fn enforced_by_account_and_private() {
    let mut site = site("MCSPlugin=mcs/account\nMCSParameters=enforced,select,privatedata\nPrivateData=jobs");
    assert_eq!(submit(&mut site, "alice", "--mcs-label=chemistry"), INVALID);
    submit(&mut site, "alice", "-n 2");
    submit(&mut site, "carol", "-n 2");
    submit(&mut site, "carol", "-n 2 -w cn01");
    site.pass(5);
    let list = "squeue -h --sort=i -o '%i %T %R'";
    assert_eq!(site.run("carol", list), "3 RUNNING cn02\n4 PENDING (Resources)\n");
    assert_eq!(site.run("bob", list), "2 RUNNING cn01\n", "of the same account");
    assert_eq!(site.run("carol", "scontrol show job 2"), "slurm_load_jobs error: Invalid job id specified\n");
    assert_eq!(site.run("root", "squeue -h | wc -l"), "3\n");
}

#[test]
fn groups_and_free_labels() {
    let mut groups = site("MCSPlugin=mcs/group\nMCSParameters=enforced,noselect:laser|acid");
    assert_eq!(submit(&mut groups, "bob", ""), INVALID, "of none of the groups");
    assert_eq!(submit(&mut groups, "alice", "--mcs-label=acid"), INVALID);
    submit(&mut groups, "carol", "");
    submit(&mut groups, "carol", "--mcs-label=acid");
    assert_eq!(groups.run("root", "squeue -h --sort=i -O mcslabel:6"), "laser \nacid  \n");
    let mut free = site("MCSPlugin=mcs/label\nMCSParameters=ondemand,select");
    submit(&mut free, "bob", "--mcs-label=secret -n 2");
    submit(&mut free, "alice", "-n 2");
    free.pass(5);
    assert_eq!(
        free.run("root", "squeue -h --sort=i -O mcslabel:7,nodelist:5"),
        "secret cn01 \n(null) cn02 \n"
    );
}
