//! Prologs and epilogs, how jobs end, and notifications, as a user sees them in a terminal.

use crate::bench::Site;

const CONF: &str = "\
ClusterName=ends
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
Prolog=/etc/slurm/prolog.sh
Epilog=/etc/slurm/epilog.sh
PrologSlurmctld=/etc/slurm/before.sh
TaskProlog=/etc/slurm/task.sh
NodeName=n[1-2] CPUs=4 RealMemory=8000
PartitionName=batch Nodes=n[1-2] Default=YES MaxTime=1-0
";

const AROUND: &str = r##"
users = [{ name = "alice" }]
files = [
  { path = "/etc/slurm/before.sh", executable = true, content = "#!/bin/bash\necho ctld $SLURM_JOB_ID $SLURM_JOB_PARTITION >> /home/alice/log\n" },
  { path = "/etc/slurm/prolog.sh", executable = true, content = "#!/bin/bash\necho prolog $SLURM_JOB_ID $SLURMD_NODENAME $(whoami) >> /home/alice/log\nsleep 2\n[ ! -e /home/alice/broken.$SLURMD_NODENAME ]\n" },
  { path = "/etc/slurm/epilog.sh", executable = true, content = "#!/bin/bash\necho epilog $SLURM_JOB_ID $SLURM_JOB_EXIT_CODE >> /home/alice/log\nsleep 3\n" },
  { path = "/etc/slurm/task.sh", executable = true, content = "#!/bin/bash\necho export WHERE=/scratch/$SLURM_JOB_ID\necho print from $(hostname)\necho unset LANG\n" },
]
"##;

#[test]
fn slurmd_keeps_nothing_of_finished_jobs() {
    let alone: String =
        CONF.lines().filter(|line| !line.contains("log")).map(|line| format!("{line}\n")).collect();
    let mut site = Site::new(&[("slurm.conf", &alone), ("site.toml", "users = [{ name = \"alice\" }]\n")]);
    let script = "ls /var/spool/slurmd/$SLURMD_NODENAME; touch ${0%/*}/left; sleep 20";
    site.run("alice", &format!("sbatch --wrap='{script}'"));
    site.run("alice", "sbatch -N 2 --wrap='exit 3'; sbatch -o /nowhere/x --wrap=:");
    site.pass(8);
    let kept = "ls /var/spool/slurmd/*";
    assert!(site.run("root", kept).contains("job00001"), "{}", site.run("root", kept));
    site.pass(120);
    assert_eq!(site.run("alice", "squeue -h; cat slurm-1.out"), "job00001\n");
    let left = site.run("root", kept);
    assert!(!left.contains("job"), "{left}");
}

#[test]
fn prologs_and_epilogs() {
    let mut site = Site::new(&[("slurm.conf", CONF), ("site.toml", AROUND)]);
    assert_eq!(site.run("alice", "sbatch --wrap='echo $WHERE.$LANG; exit 3'"), "Submitted batch job 1\n");
    site.pass(4);
    assert_eq!(site.run("alice", "squeue -h -o '%t %r'"), "CF Prolog\n");
    site.pass(3);
    assert_eq!(site.run("alice", "squeue -h -o %t; cat slurm-1.out"), "CG\nfrom n1\n/scratch/1.\n");
    site.pass(5);
    assert_eq!(site.run("alice", "squeue -h; cat log"), "ctld 1 batch\nprolog 1 n1 root\nepilog 1 768\n");
}

#[test]
fn a_prolog_that_fails() {
    let mut site = Site::new(&[("slurm.conf", CONF), ("site.toml", AROUND)]);
    site.run("alice", "touch broken.n1; sbatch --wrap=true");
    site.pass(12);
    assert_eq!(site.run("alice", "squeue -h -o '%t %r'"), "PD launch failed requeued held\n");
    assert_eq!(site.run("alice", "sinfo -h -R -o '%E %N'; sinfo -h -n n1 -o %t"), "Prolog error n1\ndrain\n");
    site.run("alice", "scontrol release 1");
    site.pass(240);
    assert_eq!(site.run("alice", "sacct -n -X -D -o state,nodelist -P"), "REQUEUED|n1\nCOMPLETED|n2\n");
}

const PLAIN: &str = "\
ClusterName=ends
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
NodeName=n[1-2] CPUs=4 RealMemory=8000
PartitionName=batch Nodes=n[1-2] Default=YES MaxTime=1-0
";

#[test]
fn out_of_memory() {
    let conf = format!("{PLAIN}JobAcctGatherType=jobacct_gather/cgroup\n");
    let mut site = Site::new(&[("slurm.conf", &conf), ("users", "alice")]);
    site.run("alice", "printf '#SIM time=60s\\n#SIM memory=4G\\n' > big.py; sbatch --mem=1G --wrap='python big.py; echo rc=$?'");
    site.pass(60);
    let said = site.run("alice", "cat slurm-1.out");
    assert!(said.contains("Killed") && said.contains("rc=137"), "{said}");
    assert!(said.ends_with(
        "] error: Detected 1 oom_kill event in StepId=1.batch. Some of the step tasks have been OOM Killed.\n"
    ));
    assert_eq!(
        site.run("alice", "sacct -n -P -o jobid,state,exitcode"),
        "1|OUT_OF_MEMORY|0:125\n1.batch|OUT_OF_MEMORY|0:125\n"
    );
    // Its time limit was shorter than its run time.
    assert_eq!(site.run("alice", "sacct -n -P -j 1.batch -o maxrss"), "1G\n");
}

const PROGRAMS: &str = "printf '#SIM time=60s memory=4G\\n' > big.py; printf '#SIM time=60s memory=100M\\n' > small.py;\
     printf '0 python big.py\\n1-3 python small.py\\n' > mp.conf; ";

#[test]
fn a_step_that_runs_out_of_memory() {
    let mut site = Site::new(&[("slurm.conf", PLAIN), ("users", "alice")]);
    let script = "srun --multi-prog mp.conf; echo rc=$?";
    site.run("alice", &format!("{PROGRAMS} sbatch -W -n4 --mem=1G --wrap='{script}'"));
    let said = site.run("alice", "cat slurm-1.out; sacct -n -P -o jobid,state,exitcode");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "srun: error: n1: task 0: Out Of Memory");
    assert!(lines[1].ends_with(
        "] error: Detected 1 oom_kill event in StepId=1.0. Some of the step tasks have been OOM Killed."
    ));
    assert_eq!(lines[2..], ["rc=253", "1|COMPLETED|0:0", "1.batch|COMPLETED|0:0", "1.0|OUT_OF_MEMORY|0:125"]);
}

#[test]
fn a_whole_step_ends_when_memory_runs_out() {
    let mut site = Site::new(&[("slurm.conf", PLAIN), ("users", "alice")]);
    let script = "srun --multi-prog mp.conf; echo rc=$? $SLURM_OOM_KILL_STEP";
    site.run("alice", &format!("{PROGRAMS} sbatch -W -n4 --mem=1G --oom-kill-step --wrap='{script}'"));
    let said = site.run("alice", "cat slurm-1.out");
    assert!(
        said.contains("srun: error: n1: tasks 0-3: Out Of Memory\n") && said.ends_with("rc=253 1\n"),
        "{said}"
    );
    let config = format!("{PLAIN}TaskPluginParam=OOMKillStep\n");
    let mut site = Site::new(&[("slurm.conf", &config), ("users", "alice")]);
    site.run("alice", &format!("{PROGRAMS} sbatch -W -n4 --mem=1G --wrap='srun --multi-prog mp.conf'"));
    site.run("alice", "sbatch -W -n4 --mem=1G --wrap='srun --oom-kill-step=0 --multi-prog mp.conf'");
    let said = site.run("alice", "grep -h 'Out Of' slurm-1.out slurm-2.out");
    assert_eq!(said, "srun: error: n1: tasks 0-3: Out Of Memory\nsrun: error: n1: task 0: Out Of Memory\n");
}

#[test]
fn no_memory_request_means_no_limit() {
    let mut site = Site::new(&[("slurm.conf", PLAIN), ("users", "alice")]);
    site.run("alice", &format!("{PROGRAMS} sbatch -W --mem-per-cpu=0 --wrap='python big.py; echo $?'"));
    assert_eq!(site.run("alice", "cat slurm-1.out"), "0\n");
    // A job without a memory request gets no more than is free, and ends.
    site.run("alice", "sbatch -W -n4 --mem-per-cpu=50 -t 5 --wrap='srun lmp -in x; echo $?'");
    let said = "lmp: simulated (not computed): see \"man sim\"\n0\n";
    assert_eq!(site.run("alice", "cat slurm-2.out"), said);
}

#[test]
fn programs_around_steps() {
    let config = format!("{PLAIN}SrunProlog=/home/alice/around.sh\nSrunEpilog=/home/alice/around.sh\n");
    let mut site = Site::new(&[("slurm.conf", &config), ("users", "alice")]);
    let around = "printf '#!/bin/bash\\necho $SLURM_SCRIPT_CONTEXT $SLURM_JOB_ID.$SLURM_STEP_ID $*\\n' > around.sh; chmod +x around.sh";
    let said = site.run("alice", &format!("{around}; srun echo hi"));
    assert_eq!(said, "prolog_srun 1.0 echo hi\nhi\nepilog_srun 1.0 echo hi\n");
    let own = "cp around.sh own.sh; srun --prolog=$PWD/own.sh --epilog=none echo hi";
    assert_eq!(site.run("alice", own), "prolog_srun 2.0 echo hi\nhi\n");
    let said = site.run("alice", "srun --prolog=/nope --epilog=none echo hi");
    assert_eq!(said, "hi\nsrun: Access denied for /nope: No such file or directory\n");
    let task = "printf '#!/bin/bash\\necho export WHERE=there\\necho print from the prolog\\n' > task.sh; chmod +x task.sh";
    let said = site.run(
        "alice",
        &format!("{task}; srun --prolog=none --epilog=none --task-prolog=$PWD/task.sh bash -c 'echo $WHERE'"),
    );
    assert_eq!(said, "from the prolog\nthere\n");
}

#[test]
fn mail() {
    let mut site = Site::new(&[("slurm.conf", PLAIN), ("users", "alice bob")]);
    assert_eq!(site.run("alice", "mail"), "No mail for alice\n");
    site.run("alice", "sbatch -J one --mail-type=BEGIN,FAIL,TIME_LIMIT_50 -t 2 --wrap='sleep 100; exit 4'");
    site.run("alice", "sbatch -J quiet --mail-type=FAIL --wrap=true; sbatch -J arr -a 1-2 --mail-type=END --wrap='exit $((SLURM_ARRAY_TASK_ID-1))'");
    site.run("alice", "sbatch -J theirs --mail-user=bob --mail-type=ALL --wrap=false");
    site.pass(140);
    let subjects = |text: &str| -> Vec<String> {
        text.lines().filter_map(|l| Some(l.split_once("Slurm ")?.1.to_owned())).collect()
    };
    let mine = subjects(&site.run("alice", "mail -H"));
    assert_eq!(mine.len(), 4, "{mine:?}");
    assert!(mine[0].starts_with("Job_id=1 Name=one Began, Queued time 00:00:0"), "{mine:?}");
    assert_eq!(mine[1], "Array Summary Job_id=3_* (3) Name=arr Failed, Mixed, ExitCode [0-1]");
    assert!(mine[2].starts_with("Job_id=1 Name=one Reached 50% of time limit, Run time 00:01:"), "{mine:?}");
    assert_eq!(mine[3], "Job_id=1 Name=one Failed, Run time 00:01:40, FAILED, ExitCode 4");
    assert_eq!(subjects(&site.run("bob", "mail -H")).len(), 2);
    assert!(site.run("alice", "printf 'd 1\\nq\\n' | mail; mail -H").ends_with("ExitCode 4\n"));
}

#[test]
fn a_job_that_outlives_its_node() {
    let mut site = Site::new(&[("slurm.conf", PLAIN), ("users", "alice")]);
    site.run(
        "alice",
        "sbatch -N2 --no-kill --wrap='sleep 20; echo done'; sbatch -N2 --no-requeue --wrap='sleep 20'",
    );
    site.pass(4);
    site.run("root", "scontrol update nodename=n2 state=down reason=x");
    site.pass(1);
    assert_eq!(site.run("alice", "squeue -h -o '%i %t %D %N'"), "1 R 1 n1\n");
    site.pass(30);
    let ends = "1|RESIZING|0:0\n1|COMPLETED|0:0\n2|NODE_FAIL|1:0\n";
    assert_eq!(
        site.run("alice", "cat slurm-1.out; sacct -n -X -P -o jobid,state,exitcode"),
        format!("done\n{ends}")
    );
}
