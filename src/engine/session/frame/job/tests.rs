//! The inspector's data for jobs that were preempted, requeued or dropped from memory.

use super::*;
use crate::world::Input;
use base::time::{Span, Time};
use config::SiteFiles;

const CONF: &str = "ClusterName=t\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nMinJobAge=120\n\
                    JobAcctGatherType=jobacct_gather/cgroup\n\
                    PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\nNodeName=n[1-2] CPUs=1 RealMemory=8000\n\
                    PartitionName=low Nodes=n1 Default=YES PriorityTier=1\n\
                    PartitionName=slow Nodes=n2 PriorityTier=1 PreemptMode=CANCEL GraceTime=60\n\
                    PartitionName=high Nodes=n[1-2] PriorityTier=9\n";

fn world() -> World {
    let files = [("slurm.conf", CONF), ("site.toml", "[[users]]\nname = \"alice\"\n")];
    let files = SiteFiles(files.map(|(name, text)| (name.into(), text.into())).into());
    World::new("t", &files, 1, Time::from_secs(1_795_240_458)).0
}

fn run(world: &mut World, command: &str, seconds: i64) {
    world.apply(&Input::Run { user: "alice".into(), command: command.into() });
    let until = world.now + Span::from_secs(seconds);
    while world.step(until) {}
}

#[test]
fn preemption_names_both_jobs() {
    let mut world = world();
    run(&mut world, "sbatch -p low --wrap 'sleep 900'; sbatch -p slow --wrap 'sleep 900'", 10);
    let submitted = detail(&world, "1").unwrap().submit;
    run(&mut world, "sbatch -p high -N2 -t 5 --wrap 'sleep 60'", 10);
    let [back, leaving] = ["1", "2"].map(|id| detail(&world, id).unwrap());
    assert_eq!((back.state.as_str(), back.runs[0].state.as_str()), ("PENDING", "PREEMPTED"));
    assert_eq!(back.runs[0].submit, submitted, "its first submission, though Slurm forgets it");
    assert!(back.submit > submitted);
    let pushed = |by: &str, grace, leaving| Some(protocol::JobPreemption { by: by.into(), grace, leaving });
    assert_eq!((leaving.state.as_str(), leaving.pushed), ("RUNNING", pushed("3", 60, true)));
    run(&mut world, "true", 90);
    let gone = detail(&world, "2").unwrap();
    assert_eq!((gone.state.as_str(), gone.pushed), ("PREEMPTED", pushed("3", 60, false)));
}

#[test]
fn purged_jobs_come_from_the_database() {
    let mut world = world();
    run(
        &mut world,
        "sbatch -J short -o %x-%4j.txt --wrap 'echo here; sleep 30; exit 3'; sbatch --array=1-2 --wrap 'echo $SLURM_ARRAY_TASK_ID'",
        60,
    );
    let known = detail(&world, "1").unwrap();
    assert!(!known.forgotten);
    run(&mut world, "true", 400);
    assert!(find(&world, "1").is_none());
    let kept = detail(&world, "1").unwrap();
    let differs = JobDetail {
        forgotten: true,
        // The database does not record these.
        reason: String::new(),
        priority: 0,
        script: String::new(),
        stderr_path: String::new(),
        ..known.clone()
    };
    assert_eq!(kept, differs);
    assert_eq!((kept.exit_code, kept.stdout_tail.as_str()), (3, "here\n"));
    assert_eq!(detail(&world, "2_2").unwrap().stdout_tail, "2\n");
    assert_eq!(detail(&world, "9"), None);
    // A number that is still to come, and those of purged jobs.
    for (id, unsubmitted) in [("9", true), ("9_1", true), ("1", false), ("2_2", false), ("x", false)] {
        assert_eq!(is_unsubmitted(&world, id), unsubmitted, "{id}");
    }
}

#[test]
fn resubmission_doubles_the_exceeded_limit() {
    let mut world = world();
    let script = "printf '#SIM time=9s memory=3500M\\n' > big.py; \
                  printf '#!/bin/bash\\n#SBATCH --mem=1000M\\npython big.py\\n' > a.sh; sbatch a.sh";
    run(&mut world, script, 60);
    let job = detail(&world, "1").unwrap();
    assert_eq!(job.state, "OUT_OF_MEMORY");
    let line = job.again.unwrap();
    let most = job.used.unwrap().memory / 1024;
    let asked = line.split_once("--mem=").unwrap().1.split_once('M').unwrap().0.parse::<u64>().unwrap();
    assert_eq!((asked, most), (2000, 1000), "it never had more than its limit: {line}");
}

#[test]
fn tails() {
    assert_eq!(tail(b""), "");
    assert_eq!(tail(b"a\nb"), "a\nb");
    let lines: String = (0..250).map(|i| format!("line {i}\n")).collect();
    let end = tail(lines.as_bytes());
    assert!(end.starts_with("line 150\n") && end.ends_with("line 249\n"));
    assert_eq!(tail(&vec![b'x'; 50_000]).len(), MAX_TAIL);
    let wide = tail("é".repeat(20_000).as_bytes());
    assert!(wide.len() <= MAX_TAIL + 3);
}

#[test]
fn jobs_are_found_by_number_name_and_user() {
    let mut world = world();
    run(
        &mut world,
        "sbatch -J Train --wrap 'sleep 30'; sbatch -J other --array=1-3 --wrap 'sleep 9000'",
        600,
    );
    run(&mut world, "for i in 1 2 3 4 5 6 7 8 9; do sbatch -J fill$i -H --wrap true; done", 5);
    let found = |typed: &str| {
        search(&world, typed)
            .into_iter()
            .map(|row| format!("{} {} {}", row.id, row.name, row.state))
            .collect::<Vec<_>>()
    };
    assert!(find(&world, "1").is_none(), "slurmctld has dropped it");
    assert_eq!(found("train"), ["1 Train CD"]);
    assert_eq!(found("ALICE rain"), ["1 Train CD"]);
    assert_eq!(found("1")[0], "1 Train CD", "the number itself before 10 and 11");
    // Numbers that begin with it, and the name that contains it.
    assert_eq!(found("1")[1..], ["12 fill9 PD", "11 fill8 PD", "10 fill7 PD", "4 fill1 PD"]);
    assert_eq!(found("other").len(), 1, "one row for an array");
    assert_eq!(found("2_1"), ["2_1 other R"]);
    assert_eq!(found("fill").len(), 8);
    assert_eq!(found("nobody"), Vec::<String>::new());
    assert_eq!(found(" "), Vec::<String>::new());
}
