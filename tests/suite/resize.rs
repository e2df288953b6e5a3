//! Running jobs that release nodes, wckeys, and a QOS that requires a fair share: the observed behaviour of a
//! real slurmctld 22.05.

use crate::bench::Site;

const CONF: &str = "\
ClusterName=lab
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
TrackWCKey=yes
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
PriorityWeightFairshare=1000
PriorityCalcPeriod=1
NodeName=cn[01-08] Sockets=2 CoresPerSocket=8 RealMemory=64000
PartitionName=batch Nodes=cn[01-08] Default=YES MaxTime=1-0
";

const ACCOUNTS: &str = "\
sacctmgr -i add account physics >/dev/null
sacctmgr -i add account chemistry >/dev/null
sacctmgr -i add user alice,bob Account=physics >/dev/null
sacctmgr -i add user carol Account=chemistry >/dev/null
sacctmgr -i add qos fair UsageThreshold=0.4 Flags=EnforceUsageThreshold >/dev/null
sacctmgr -i modify account physics set qos+=fair >/dev/null
";

fn site() -> Site {
    let site = Site::new(&[("slurm.conf", CONF), ("accounts.sh", ACCOUNTS), ("users", "alice bob carol")]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site
}

const SHRINK: &str = "#!/bin/bash
#SBATCH -N 4 --ntasks-per-node=2 -t 10
scontrol update jobid=$SLURM_JOB_ID numnodes=2
stat -c '%A %n' slurm_job_*
cat slurm_job_1_resize.sh
. ./slurm_job_1_resize.sh
srun hostname | sort
scontrol update jobid=$SLURM_JOB_ID nodelist=cn01 >/dev/null
. ./slurm_job_1_resize.sh
srun hostname | sort
scontrol update jobid=$SLURM_JOB_ID numnodes=3
scontrol update jobid=$SLURM_JOB_ID nodelist=cn08
scontrol update jobid=$SLURM_JOB_ID numnodes=0
scontrol update jobid=$SLURM_JOB_ID numnodes=all
sleep 60
";

#[test]
fn a_job_gives_nodes_back() {
    let mut site = site();
    site.run("alice", &format!("cat > shrink.sh <<'EOF'\n{SHRINK}EOF\nsbatch shrink.sh"));
    site.pass(6);
    assert_eq!(
        site.run("alice", "cat slurm-1.out"),
        "To reset Slurm environment variables, execute\n\
         \x20 For bash or sh shells:  . ./slurm_job_1_resize.sh\n\
         \x20 For csh shells:         source ./slurm_job_1_resize.csh\n\
         -rwx------ slurm_job_1_resize.csh\n-rwx------ slurm_job_1_resize.sh\n\
         export SLURM_NODELIST=\"cn[01-02]\"\nexport SLURM_JOB_NODELIST=\"cn[01-02]\"\n\
         export SLURM_NNODES=2\nexport SLURM_JOB_NUM_NODES=2\nexport SLURM_JOB_CPUS_PER_NODE=\"2(x2)\"\n\
         unset SLURM_NPROCS\nunset SLURM_NTASKS\nunset SLURM_TASKS_PER_NODE\n\
         cn01\ncn01\ncn02\ncn02\ncn01\ncn01\n\
         Requested operation not supported on this system for job 1\n\
         Invalid node name specified for job 1\n\
         Job is no longer pending execution for job 1\n"
    );
    assert_eq!(
        site.run("alice", "squeue -h -o '%i %T %D %C %N'; sinfo -h -o '%T %N'"),
        "1 RUNNING 1 2 cn01\nmixed cn01\nidle cn[02-08]\n"
    );
    let records = "sacct -X -n -P -o State,NNodes,NCPUS,NodeList,AllocTRES -j 1";
    assert_eq!(
        site.run("alice", records),
        "RESIZING|4|8|cn[01-04]|billing=8,cpu=8,mem=8000M,node=4\n\
         RESIZING|2|4|cn[01-02]|billing=4,cpu=4,mem=4000M,node=2\n\
         RUNNING|1|2|cn01|billing=2,cpu=2,mem=2000M,node=1\n"
    );
    assert!(site.run("alice", "scontrol show job 1").contains("\n   ResizeTime=20"));
    site.pass(90);
    assert_eq!(
        site.run("alice", "sacct -X -n -o State -j 1 | tail -1; sinfo -h -o '%T %N'"),
        " COMPLETED \nidle cn[01-08]\n"
    );
}

#[test]
fn processes_on_a_released_node_are_killed() {
    let mut site = site();
    site.run("alice", "sbatch -N 3 -n 3 -t 10 --wrap='srun sleep 300; echo over $?; sleep 100'");
    site.pass(5);
    assert_eq!(site.run("bob", "scontrol update jobid=1 numnodes=1"), "Invalid user id for job 1\n");
    assert_eq!(
        site.run("root", "scontrol update jobid=1 nodelist=cn99"),
        "Invalid node name specified for job 1\n"
    );
    assert_eq!(
        site.run("root", "scontrol update jobid=1 nodelist=cn[02-03]"),
        "Invalid node name specified for job 1\n",
        "not without its script"
    );
    assert_eq!(
        site.run(
            "alice",
            "scontrol update jobid=1 numnodes=1 comment=less; ls slurm_job* 2>/dev/null; squeue -h -o '%N %k'"
        ),
        "cn01 less\n"
    );
    site.run("bob", "sbatch -N 7 --exclusive -t 5 --wrap='sleep 30'");
    site.pass(5);
    assert_eq!(site.run("bob", "squeue -h -u bob -o %N"), "cn[02-08]\n");
    assert_eq!(
        site.run("bob", "sbatch -d expand:1 --wrap=true"),
        "sbatch: error: Batch job submission failed: Requested operation not supported on this system\n"
    );
}

#[test]
fn work_load_keys() {
    let mut site = site();
    site.run("root", "sacctmgr -i add user alice wckey=proj1; sacctmgr -i add user bob wckeys=w1,w2");
    assert_eq!(
        site.run("root", "sacctmgr show wckey"),
        "     WCKey    Cluster       User \n---------- ---------- ---------- \n     proj1        lab      alice \n        w1        lab        bob \n        w2        lab        bob \n"
    );
    assert_eq!(
        site.run("root", "sacctmgr -P -n show user alice,bob format=user,defaultwckey"),
        "alice|proj1\nbob|w1\n"
    );
    site.run(
        "alice",
        "sbatch --wckey=proj2 --wrap=true; sbatch --wrap=true; SBATCH_WCKEY=envkey sbatch --wrap=true",
    );
    site.run("carol", "sbatch --wrap=true");
    assert_eq!(
        site.run("alice", "squeue -h --sort=i -o '%i %w'; scontrol show job 2 | grep -o WCKey=.*"),
        "1 proj2\n2 *proj1\n3 envkey\n4 *\nWCKey=*proj1\n"
    );
    site.pass(10);
    assert_eq!(
        site.run("root", "sacct -a -X -n -P -o JobID,WCKey; sacct -a -X -n -P -W proj2 -o JobID"),
        "1|proj2\n2|*proj1\n3|envkey\n4|*\n1\n"
    );
    assert!(
        site.run("root", "sacctmgr -n -P show wckey where user=alice")
            .contains("envkey|lab|alice\nproj1|lab|alice\nproj2|lab|alice\n")
    );
    assert!(
        site.run("alice", "sacctmgr show wckey")
            .starts_with("sacctmgr: error: Your user doesn't have privilege")
    );
    let conf = CONF.replace("associations,limits", "associations,wckeys,limits");
    let mut site =
        Site::new(&[("slurm.conf", &conf), ("accounts.sh", ACCOUNTS), ("users", "alice bob carol")]);
    assert_eq!(
        site.run("alice", "sbatch --wckey=x --wrap=true"),
        "sbatch: error: Batch job submission failed: Invalid wckey specification\n"
    );
}

#[test]
fn a_qos_that_wants_a_fair_share() {
    let mut site = site();
    site.run("alice", "sbatch -n 16 --wrap='sleep 300'");
    site.pass(400);
    site.run("alice", "sbatch -q fair --wrap='sleep 300'; sbatch --wrap='sleep 300'");
    site.run("bob", "sbatch -q fair --wrap='sleep 300'");
    site.pass(90);
    let shares = site.run("root", "sshare -a -n -P -o User,FairShare | grep 'alice\\|bob'");
    assert_eq!(
        site.run("root", "squeue -h --sort=i -o '%i %T %r'"),
        "2 PENDING QOSUsageThreshold\n3 RUNNING None\n4 RUNNING None\n",
        "{shares}"
    );
    site.run("root", "sacctmgr -i modify qos fair set UsageThreshold=0");
    site.pass(70);
    assert_eq!(site.run("root", "squeue -h -j 2 -o '%T %r' 2>/dev/null || echo over"), "RUNNING None\n");
}

#[test]
fn reports_by_work_load_key() {
    let mut site = site();
    site.run(
        "alice",
        "sbatch -n 4 --wckey=big --wrap='sleep 1800'; sbatch --wckey=small --wrap='sleep 1800'",
    );
    site.pass(7200);
    let report =
        |name: &str| format!("sreport -n -P {name} start=2026-11-20 end=2026-11-23 | cut -d '|' -f 2-");
    assert_eq!(
        site.run("root", &report("cluster WCKeyUtilizationByUser")),
        "big|alice|alice|120\nsmall|alice|alice|30\n"
    );
    assert_eq!(
        site.run("root", &report("cluster UserUtilizationByWckey")),
        "alice|alice|big|120\nalice|alice|small|30\n"
    );
}

#[test]
fn a_job_that_fails_to_launch_is_held() {
    let conf = format!("{CONF}PrologSlurmctld=/opt/prolog.sh\nMaxBatchRequeue=2\n");
    let site = "users = [ { name = \"alice\" } ]\n[[files]]\npath = \"/opt/prolog.sh\"\n\
                content = \"#!/bin/bash\\nexit 1\\n\"\nexecutable = true\n";
    let mut site = Site::new(&[("slurm.conf", &conf), ("accounts.sh", ACCOUNTS), ("site.toml", site)]);
    assert_eq!(site.complaints(), [] as [&str; 0]);
    site.run("alice", "sbatch --wrap=true");
    let look = "scontrol show job 1 | grep -o 'JobState=[A-Z]*\\|Reason=[^ ]*\\|Restarts=[0-9]*'";
    site.pass(200);
    assert!(site.run("alice", look).contains("Reason=BeginTime\nRestarts=2"), "{}", site.run("alice", look));
    site.pass(400);
    assert_eq!(site.run("alice", look), "JobState=PENDING\nReason=launch_failed_requeued_held\nRestarts=3\n");
}
