//! Failures: each gets a clear message and leaves neither a process nor a lock behind.

use crate::fixture::{Cluster, SANDBATCH, TestDir, runs, soon, unlikely_sleep};
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn every_command_answers() {
    let cluster = Cluster::up("");
    let names = cluster.out("ls \"$SANDBATCH_CLUSTER/bin\"");
    assert_eq!(names.lines().count(), 20, "{names}");
    // scrontab has no version: Slurm 26.05 prints its usage.
    let versioned = |name: &&str| !matches!(*name, "seff" | "scrontab");
    for name in names.lines().filter(versioned) {
        assert_eq!(cluster.out(&format!("{name} --version")), "slurm 26.05.3", "{name}");
    }
    assert!(cluster.out("sinfo -h").contains("c[01-08]"));
    let wrong = cluster.run("squeue --nonsense");
    assert!(wrong.code == Some(1) && wrong.err.contains("unrecognized option"), "{wrong:?}");
    assert!(cluster.out("sandbatch cluster status").starts_with("name=t site=lab pid="));
    assert!(cluster.out("sandbatch cluster list").starts_with("t\t"));
}

#[test]
fn only_commands_that_read_take_standard_input() {
    let cluster = Cluster::up("");
    cluster.dir.write("names", "one\ntwo\nthree\n");
    let script =
        "while read name; do sbatch -J $name -H --wrap true; done < names | wc -l; squeue -h -o %j | sort";
    assert_eq!(cluster.out(script), "3\none\nthree\ntwo");
    assert_eq!(cluster.out("printf '#!/bin/bash\\necho hi\\n' | sbatch -H"), "Submitted batch job 4");
    let by_path = "printf '#!/bin/bash\\necho hi\\n' | sbatch --wait -o out /dev/stdin; cat out; sacct -Xnj 5 -o jobname";
    let lines = cluster.out(by_path);
    assert_eq!(
        lines.split_whitespace().collect::<Vec<_>>(),
        ["Submitted", "batch", "job", "5", "hi", "stdin"]
    );
}

#[test]
fn a_killed_srun_ends_its_tasks_and_its_job() {
    let cluster = Cluster::up("");
    let nap = unlikely_sleep();
    let mut client = cluster.bash(&format!("exec srun -n1 sleep {nap}")).spawn().unwrap();
    soon("the task runs", || cluster.run("squeue -h -o %t").out == "R\n" && runs(&format!("sleep {nap}")));
    client.kill().unwrap();
    client.wait().unwrap();
    soon("the job is over", || cluster.run("squeue -h").out.is_empty());
    soon("no process is left", || !runs(&nap));
}

#[test]
fn a_closed_pipe_ends_the_command() {
    let cluster = Cluster::up("");
    let closed = cluster.run("(sleep 0.5; squeue; echo $? >&2) | true");
    assert_eq!(closed.err, "141\n", "{closed:?}");
    let full = cluster.run("squeue > /dev/full");
    assert!(full.code == Some(1) && full.err.contains("No space left on device"), "{full:?}");
}

#[test]
fn srun_goes_on_after_its_pipe_is_closed() {
    let cluster = Cluster::up("");
    let task = "for i in 1 2 3; do echo $i; sleep 0.2; done; echo done > last; exit 7";
    let first = cluster.run(&format!("srun -Q -n1 bash -c '{task}' | head -1; echo ${{PIPESTATUS[0]}}"));
    assert_eq!((first.out.as_str(), cluster.dir.file("last").as_str()), ("1\n7\n", "done\n"), "{first:?}");
    assert_eq!(cluster.state("1"), "FAILED|7:0");
}

#[test]
fn a_script_sees_a_full_disk() {
    let cluster = Cluster::up("");
    let modeled = Cluster::up("--execute model --pace max");
    for cluster in [&cluster, &modeled] {
        // The exit code is that of the script's last command.
        let failed = cluster.job("-o /dev/full --wrap 'echo out'");
        assert_eq!(cluster.state(&failed), "FAILED|1:0");
        let passed = cluster.job("-o /dev/full -e err.out --wrap 'echo out; echo $? >&2'");
        assert_eq!(cluster.state(&passed), "COMPLETED|0:0");
        let written = cluster.dir.file("err.out");
        assert!(written.contains("echo: ") && written.ends_with("\n1\n"), "{written}");
    }
}

#[test]
fn srun_ignores_a_full_disk() {
    let cluster = Cluster::up("");
    for options in ["-n2 -o /dev/full", "-l -n2 -o /dev/full"] {
        let done = cluster.run(&format!("srun -Q {options} bash -c 'echo out; sleep 1; echo out'"));
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{options}");
    }
    let done = cluster.run("srun -Q -e /dev/full bash -c 'echo err >&2; echo out'");
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (Some(0), "out\n", ""));
    assert_eq!(cluster.run("srun -o /dev/full bash -c 'echo out; exit 3'").code, Some(3));
    let done = cluster.run("srun -Q seq 3 > /dev/full");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
}

#[test]
fn nothing_outlives_down() {
    let cluster = Cluster::up("");
    let nap = unlikely_sleep();
    cluster.out(&format!("sbatch -o nap.out --wrap 'setsid sleep {nap} & echo up; sleep {nap}'"));
    soon("the job runs", || cluster.dir.file("nap.out").contains("up") && runs(&format!("sleep {nap}")));
    cluster.out("sandbatch cluster down");
    soon("no process is left", || !runs(&nap));
    assert!(cluster.dir.left().is_empty());
    let gone = cluster.dir.run("sandbatch cluster status");
    assert!(gone.code == Some(2) && gone.err.contains("no cluster is running"), "{gone:?}");
}

#[test]
fn the_next_cluster_of_a_shell() {
    let dir = TestDir::new();
    let up =
        "eval \"$(sandbatch cluster up --name a)\"; sandbatch cluster list | cut -f1; sandbatch cluster down";
    // The shell remembers where it found the command.
    let twice = dir.run(&format!("{up}; {up}; sandbatch cluster list"));
    assert_eq!((twice.out.as_str(), twice.err.as_str()), ("a\na\n", ""));
    // Called by its path: the cluster provides the command.
    let by_path = format!(
        "PATH=/usr/bin:/bin; eval \"$({SANDBATCH} cluster up --name b)\"; sandbatch cluster down; echo $?"
    );
    assert_eq!(dir.run(&by_path).out, "0\n");
}

#[test]
fn a_dead_server_is_named_and_replaced() {
    let cluster = Cluster::up("");
    cluster.out("kill -9 $(sandbatch cluster status | sed 's/.*pid=\\([0-9]*\\).*/\\1/')");
    let path = cluster.dir.path.join("run/sandbatch/t");
    let path = path.display();
    let dead = cluster.dir.run(&format!("SANDBATCH_CLUSTER={path} PATH={path}/bin:$PATH squeue"));
    assert_eq!(dead.code, Some(1), "{dead:?}");
    assert!(dead.err.contains("Unable to contact slurm controller (connect failure)"), "{dead:?}");
    assert!(dead.err.contains("sandbatch cluster up"), "{dead:?}");
    assert!(cluster.dir.run("sandbatch cluster env t").err.contains("no cluster named t is running"));
    assert_eq!(cluster.dir.run("sandbatch cluster up --name t").code, Some(0));
    assert!(cluster.out("sinfo -h").contains("idle"));
}

#[test]
fn nothing_outlives_a_killed_server() {
    let pids = "$(sandbatch cluster status | sed 's/.*pid=\\([0-9]*\\).*/\\1/')";
    for (kill, what) in [
        (format!("kill -9 {pids}"), "the server"),
        (format!("kill -9 $(ps -o ppid= -p {pids})"), "its guard"),
    ] {
        let cluster = Cluster::up("");
        let nap = unlikely_sleep();
        // The daemon has neither the job's process group nor its environment.
        let script = format!("setsid env -i /bin/sleep {nap} & echo up; sleep {nap}");
        cluster.out(&format!("sbatch -o nap.out --wrap '{script}'"));
        soon("the job runs", || cluster.dir.file("nap.out").contains("up") && runs(&format!("sleep {nap}")));
        cluster.out(&kill);
        soon(&format!("no process is left after {what} was killed"), || !runs(&nap));
    }
}

#[test]
fn programs_of_a_dead_cluster_are_killed_by_the_next() {
    let cluster = Cluster::up("");
    let nap = unlikely_sleep();
    cluster.out(&format!("sbatch -o nap.out --wrap 'echo up; sleep {nap}'"));
    soon("the job runs", || cluster.dir.file("nap.out").contains("up") && runs(&format!("sleep {nap}")));
    // Both at once, so nothing is left that could end the job.
    let pid = "p=$(sandbatch cluster status | sed 's/.*pid=\\([0-9]*\\).*/\\1/')";
    cluster.out(&format!("{pid}; g=$(ps -o ppid= -p $p); kill -STOP $g; kill -9 $p $g"));
    cluster.dir.run("sandbatch cluster down t");
    soon("no process is left", || !runs(&nap));
    assert!(cluster.dir.left().is_empty(), "{:?}", cluster.dir.left());
}

#[test]
fn a_daemon_without_environment_ends_with_the_last_job() {
    let cluster = Cluster::up("");
    let nap = unlikely_sleep();
    cluster.job(&format!("-o nap.out --wrap 'setsid env -i /bin/sleep {nap} & echo up; sleep 0.2'"));
    assert_eq!(cluster.dir.file("nap.out"), "up\n");
    soon("no process is left", || !runs(&nap));
}

#[test]
fn two_at_once() {
    let test_dir = TestDir::new();
    let both = test_dir.run(
        "for i in 1 2 3; do sandbatch cluster up --name same > $i.env 2> $i.err & done; wait; cat *.err; cat *.env | grep -c CLUSTER=",
    );
    assert_eq!(both.out.matches("a cluster named same is running").count(), 2, "{both:?}");
    assert!(both.out.ends_with("\n1\n"), "{both:?}");
    let named = test_dir.run(
        "for i in 1 2; do sandbatch cluster up > /dev/null & done; wait; sandbatch cluster list | cut -f1",
    );
    assert_eq!(named.out, "lab\nlab-2\nsame\n", "{named:?}");
}

#[test]
fn a_site_that_does_not_load() {
    let test_dir = TestDir::new();
    let unknown = test_dir.run("sandbatch cluster up --site nowhere");
    assert!(unknown.code == Some(2) && unknown.err.contains("unknown site 'nowhere'"), "{unknown:?}");
    assert_eq!(unknown.out, "");
    test_dir.run("mkdir bad && echo 'NodeName=a[1-' > bad/slurm.conf");
    let broken = test_dir.run("sandbatch cluster up --site bad");
    assert!(broken.code == Some(2) && broken.err.contains("slurm.conf:1"), "{broken:?}");
    assert!(test_dir.left().is_empty(), "{:?}", test_dir.left());
}

#[test]
fn the_cluster_is_private_and_ends_by_itself() {
    let test_dir = TestDir::new();
    test_dir
        .run("sandbatch cluster up --name short --idle 1s; sandbatch cluster up --name child --parent $$");
    soon("the idle and the orphaned cluster end", || test_dir.left().is_empty());
    test_dir.run("sandbatch cluster up --name mine");
    let dir = test_dir.path.join("run/sandbatch");
    for path in [dir.clone(), dir.join("mine"), dir.join("mine/spool")] {
        let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700, "{}", path.display());
    }
    // A directory that others could have prepared is refused.
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    let refused = test_dir.run("sandbatch cluster up --name other");
    assert!(refused.err.contains("only you can use"), "{refused:?}");
    std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn another_user_can_neither_list_nor_touch_it() {
    let cluster = Cluster::up("");
    let as_nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups";
    if cluster.run(&format!("{as_nobody} true")).code != Some(0) {
        eprintln!("SKIPPED: only root with setpriv can be another user");
        return;
    }
    // All directories above the cluster's own are accessible.
    let test_dir = &cluster.dir;
    for dir in [test_dir.path.clone(), test_dir.path.join("run")] {
        std::fs::set_permissions(&dir, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let binary = test_dir.path.join("sandbatch");
    std::fs::copy(crate::fixture::SANDBATCH, &binary).unwrap();
    let path = test_dir.path.join("run/sandbatch/t");
    let (binary, path) = (binary.display(), path.display());
    let listed = cluster.run(&format!("{as_nobody} ls {path}; {as_nobody} cat {path}/log"));
    assert!(listed.err.matches("Permission denied").count() == 2 && listed.out.is_empty(), "{listed:?}");
    let touched =
        cluster.run(&format!("SANDBATCH_CLUSTER={path} {as_nobody} bash -c 'exec -a scancel {binary} --me'"));
    assert!(touched.code == Some(1) && touched.err.contains("Unable to contact"), "{touched:?}");
    assert_eq!(cluster.run(&format!("{as_nobody} {binary} cluster list")).out, "");
    // Even with the directory open, the socket refuses another user.
    cluster.out(&format!("chmod 711 {path} {path}/..; chmod 777 {path}/socket"));
    let touched =
        cluster.run(&format!("SANDBATCH_CLUSTER={path} {as_nobody} bash -c 'exec -a squeue {binary}'"));
    assert!(touched.code == Some(1) && touched.err.contains("Unable to contact"), "{touched:?}");
    assert_eq!(touched.out, "");
    cluster.out(&format!("chmod 700 {path} {path}/.."));
}
