//! Jobs and steps that run on this machine.

use crate::fixture::{Cluster, runs, soon, unlikely_sleep};

#[test]
fn a_batch_script_runs_here_with_its_environment() {
    let cluster = Cluster::up("");
    let test_dir = &cluster.dir;
    test_dir.write(
        "job.sh",
        "#!/bin/bash\n#SBATCH -n 2 -o logs/out-%j-%x.txt -e err-%4j.txt -J named\n\
         echo $SLURM_JOB_ID $SLURM_JOB_NAME $SLURM_NTASKS $OWN \"$1\" $PWD; echo bad >&2; umask; exit 3\n",
    );
    let id = cluster.out("export OWN=value; umask 027; sbatch --parsable job.sh 'an argument'");
    assert_eq!(cluster.out(&format!("sandbatch cluster wait --job {id}")), "FAILED");
    assert_eq!(cluster.state(&id), "FAILED|3:0");
    let work = test_dir.work().canonicalize().unwrap();
    let expected = format!("{id} named 2 value an argument {}\n0027\n", work.display());
    assert_eq!(test_dir.file(&format!("logs/out-{id}-named.txt")), expected);
    assert_eq!(test_dir.file("err-0001.txt"), "bad\n");
}

#[test]
fn arrays_and_dependencies() {
    let cluster = Cluster::up("");
    let script = "\
        a=$(sbatch --parsable -a 1-3 -o a_%A_%a.out --wrap 'echo $SLURM_ARRAY_TASK_ID; [ $SLURM_ARRAY_TASK_ID != 2 ]')
        good=$(sbatch --parsable -d afterok:$a --kill-on-invalid-dep=yes --wrap 'echo never')
        bad=$(sbatch --parsable -d afternotok:$a -o bad.out --wrap 'echo cleanup')
        sandbatch cluster wait --job $bad; echo $a $good $bad";
    let out = cluster.out(script);
    let ids: Vec<&str> = out.lines().last().unwrap_or_default().split(' ').collect();
    let [array, good, bad] = ids.as_slice() else { panic!("{out}") };
    assert_eq!(cluster.state(array), "COMPLETED|0:0\nFAILED|1:0\nCOMPLETED|0:0");
    assert_eq!(cluster.state(bad), "COMPLETED|0:0");
    assert!(cluster.out(&format!("scontrol show job {good}")).contains("JobState=CANCELLED"));
    assert_eq!(cluster.dir.file("bad.out"), "cleanup\n");
    assert_eq!(cluster.dir.file(&format!("a_{array}_3.out")), "3\n");
}

#[test]
fn scancel_ends_everything_that_a_job_started() {
    let cluster = Cluster::up("");
    let nap = unlikely_sleep();
    cluster.dir.write(
        "long.sh",
        &format!("#!/bin/bash\ntrap 'echo caught; exit 9' TERM\nsetsid sleep {nap} &\nsleep {nap} &\necho up\nwait\n"),
    );
    let id = cluster.out("sbatch --parsable -o long.out long.sh");
    soon("the job runs", || cluster.dir.file("long.out").contains("up") && runs(&nap));
    cluster.out(&format!("scancel {id}; sandbatch cluster wait --job {id}"));
    assert!(cluster.state(&id).starts_with("CANCELLED"), "{}", cluster.state(&id));
    assert!(cluster.dir.file("long.out").contains("caught"), "{}", cluster.dir.file("long.out"));
    assert!(cluster.dir.file("long.out").contains(&format!("*** JOB {id} ON c01 CANCELLED AT")));
    soon("no process is left", || !runs(&nap));
}

#[test]
fn the_time_limit_signals_and_then_kills() {
    let cluster = Cluster::up("");
    cluster.dir.write(
        "limit.sh",
        "#!/bin/bash\n#SBATCH -t 1 --signal=B:USR1@30 -o limit.out\ntrap 'echo usr1' USR1\n\
         trap 'echo term' TERM\necho up\nwhile :; do sleep 0.05; done\n",
    );
    let id = cluster.out("sbatch --parsable limit.sh");
    soon("the job runs", || cluster.dir.file("limit.out").contains("up"));
    cluster.out("sandbatch cluster advance 5m");
    assert_eq!(cluster.state(&id), "TIMEOUT|0:0");
    let said = cluster.dir.file("limit.out");
    let order = ["up", "usr1", "DUE TO TIME LIMIT", "term"].map(|text| said.find(text));
    assert!(order.iter().all(Option::is_some) && order.is_sorted(), "{said}");
}

#[test]
fn signals_reach_the_script_or_all_of_it() {
    let cluster = Cluster::up("");
    cluster.dir.write(
        "usr.sh",
        "#!/bin/bash\ntrap 'echo parent' USR1\nbash -c \"trap 'echo child' USR1; echo up; while :; do sleep 0.05; done\" &\n\
         while :; do wait; done\n",
    );
    let id = cluster.out("sbatch --parsable -o usr.out usr.sh");
    soon("the job runs", || cluster.dir.file("usr.out").contains("up"));
    cluster.out(&format!("scancel -s USR1 -b {id}"));
    soon("the script alone", || cluster.dir.file("usr.out").contains("parent"));
    assert!(!cluster.dir.file("usr.out").contains("child"));
    cluster.out(&format!("scancel -s USR1 -f {id}"));
    soon("and its child", || cluster.dir.file("usr.out").contains("child"));
}

#[test]
fn tasks_of_a_step() {
    let cluster = Cluster::up("");
    cluster.dir.write(
        "steps.sh",
        "#!/bin/bash\n#SBATCH -n 3 -o steps.out\nsrun -l bash -c 'echo $SLURM_PROCID/$SLURM_NTASKS $SLURM_STEP_ID' | sort\n\
         srun -n1 -o only-%t.txt bash -c 'cat; exit 4' < input.txt\necho code $?\n",
    );
    cluster.dir.write("input.txt", "the input\n");
    let id = cluster.job("steps.sh");
    let said = cluster.dir.file("steps.out");
    assert!(said.starts_with("0: 0/3 0\n1: 1/3 0\n2: 2/3 0\n"), "{said}");
    assert!(said.contains("task 0: Exited with exit code 4") && said.ends_with("code 4\n"), "{said}");
    assert_eq!(cluster.dir.file("only-0.txt"), "the input\n");
    let steps = cluster.out(&format!("sacct -n -P -j {id} -o jobid,state"));
    assert_eq!(steps, format!("{id}|COMPLETED\n{id}.batch|COMPLETED\n{id}.0|COMPLETED\n{id}.1|FAILED"));
}

#[test]
fn srun_and_salloc_without_a_job() {
    let cluster = Cluster::up("");
    assert_eq!(cluster.run("seq 1 50000 | srun -n1 -Q tail -1").out, "50000\n");
    assert_eq!(cluster.run("srun -Q -n1 bash -c 'exit 7'").code, Some(7));
    assert_eq!(cluster.run("srun -Q -n1 seq 1 200000 | tail -1").out, "200000\n");
    let inside = cluster.run("salloc -Q -n2 bash -c 'srun -n2 printenv SLURM_JOB_ID; exit 5'");
    assert_eq!(inside.code, Some(5), "{inside:?}");
    assert_eq!(inside.out.lines().count(), 2, "{inside:?}");
    assert_eq!(cluster.out("squeue -h"), "");
}

#[test]
fn a_requeued_job_runs_again() {
    let cluster = Cluster::up("--pace 60x");
    cluster.dir.write(
        "again.sh",
        "#!/bin/bash\n#SBATCH --requeue -o again.out --open-mode=append\necho run ${SLURM_RESTART_COUNT:-0}\n\
         [ -n \"$SLURM_RESTART_COUNT\" ] || sleep 100\n",
    );
    let id = cluster.out("sbatch --parsable again.sh");
    soon("the job runs", || cluster.dir.file("again.out").contains("run 0"));
    cluster.out(&format!("sandbatch cluster inject requeue {id}"));
    soon("the job runs again", || cluster.dir.file("again.out").contains("run 1"));
    cluster.out(&format!("sandbatch cluster wait --job {id} --state completed"));
}

#[test]
fn the_model_runs_in_virtual_time() {
    let cluster = Cluster::up("--execute model --pace max");
    let id = cluster.job("-o model.out --wrap 'echo begin; sleep 3000; echo end'");
    assert_eq!(cluster.state(&id), "COMPLETED|0:0");
    assert_eq!(cluster.dir.file("model.out"), "begin\nend\n");
    let elapsed = cluster.out(&format!("sacct -X -n -P -j {id} -o elapsed"));
    assert!(elapsed.starts_with("00:50:0"), "{elapsed}");
}

#[test]
fn faults_on_demand() {
    let cluster = Cluster::up("");
    cluster.out("sandbatch cluster inject socket-timeout");
    let refused = cluster.run("sbatch --wrap true");
    assert_eq!(refused.code, Some(1));
    assert_eq!(
        refused.err,
        "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation\n"
    );
    cluster.out("sbatch --wrap true");
    cluster.out("sandbatch cluster inject drain c01");
    assert_eq!(cluster.out("sinfo -h -n c01 -o %t"), "drain");
    let took = "s=$(date +%s%N); squeue > /dev/null; echo $((($(date +%s%N) - s) / 1000000))";
    let milliseconds = || cluster.out(took).parse::<u32>().unwrap();
    cluster.out("sandbatch cluster inject slow-controller 1s");
    assert!(milliseconds() >= 1000);
    // A command that waits can be interrupted.
    cluster.out("sandbatch cluster inject slow-controller 60s");
    assert_eq!(cluster.run("timeout 1 squeue").code, Some(124));
    cluster.out("sandbatch cluster inject slow-controller 0s");
    assert!(milliseconds() < 1000);
    let unknown = cluster.run("sandbatch cluster inject earthquake");
    assert!(unknown.code == Some(2) && unknown.err.contains("node-fail NODES"), "{unknown:?}");
}

#[test]
fn jobs_are_preempted_killed_and_forgotten_on_demand() {
    let cluster = Cluster::up("");
    let nap = unlikely_sleep();
    cluster.dir.write("nap.sh", &format!("#!/bin/bash\necho up ${{SLURM_RESTART_COUNT:-0}}\nsleep {nap}\n"));
    let start = |options: &str, name: &str| {
        let id = cluster.out(&format!("sbatch --parsable --open-mode=append -o {name} {options} nap.sh"));
        soon("the job runs", || cluster.dir.file(name).contains("up 0"));
        id
    };
    // Preempted: requeued, or cancelled where it may not be requeued.
    let id = start("--no-requeue", "cancelled.out");
    cluster.out(&format!("sandbatch cluster inject preempt {id}; sandbatch cluster wait --job {id}"));
    assert!(cluster.state(&id).starts_with("PREEMPTED"), "{}", cluster.state(&id));
    assert!(
        cluster.dir.file("cancelled.out").contains("DUE TO PREEMPTION"),
        "{}",
        cluster.dir.file("cancelled.out")
    );
    let id = start("--requeue", "requeued.out");
    cluster.out(&format!("sandbatch cluster inject preempt {id}"));
    soon("the job is pending again", || cluster.out(&format!("squeue -h -j {id} -o %T")) == "PENDING");
    assert!(
        cluster.run(&format!("sandbatch cluster inject preempt {id}")).err.contains("Job is not running")
    );
    cluster.out(&format!("scancel {id}"));
    // Out of memory, and over its time.
    let id = start("", "oom.out");
    cluster.out(&format!("sandbatch cluster inject oom {id}; sandbatch cluster wait --job {id}"));
    assert_eq!(cluster.state(&id), "OUT_OF_MEMORY|0:125");
    let id = start("", "late.out");
    cluster.out(&format!("sandbatch cluster inject timeout {id}; sandbatch cluster wait --job {id}"));
    assert_eq!(cluster.state(&id), "TIMEOUT|0:0");
    soon("no process is left", || !runs(&nap));
    // slurmctld forgets it, the database does not.
    cluster.out(&format!("sandbatch cluster inject purge {id}"));
    let forgotten = cluster.run(&format!("scontrol show job {id}"));
    assert!(forgotten.err.contains("Invalid job id specified"), "{forgotten:?}");
    assert_eq!(cluster.state(&id), "TIMEOUT|0:0");
    let running = start("", "runs.out");
    assert!(
        cluster.run(&format!("sandbatch cluster inject purge {running}")).err.contains("Job is not finished")
    );
    cluster.out("sandbatch cluster inject purge");
    assert_eq!(cluster.out("squeue -h -t all -o %i"), running);
}

#[test]
fn accounting_can_be_late() {
    let cluster = Cluster::up("--pace 60x");
    cluster.out("sandbatch cluster inject late-accounting 10m");
    let id = cluster.job("--wrap true");
    assert_eq!(cluster.out(&format!("sacct -X -n -P -j {id} -o state")), "");
    cluster.out("sandbatch cluster advance 11m");
    assert_eq!(cluster.state(&id), "COMPLETED|0:0");
    cluster.out("sandbatch cluster inject late-accounting 0s");
    let id = cluster.job("--wrap true");
    assert_eq!(cluster.state(&id), "COMPLETED|0:0");
}
