//! Explanations of scheduling decisions on a whole site: `why` in the terminal, and the same data for the page.

use super::site::{inserm, path};
use base::ids::JobId;
use base::time::Span;
use base::verdict::{Blocker, Eligibility, RequestChange};
use config::SiteFiles;
use engine::session::{Session, Setup, explain};
use engine::world::{Input, InputResult};

/// A session on a recorded cluster.
fn session(cluster: &str) -> Session {
    let read =
        |file: &str| std::fs::read_to_string(path("tests/corpus/clusters").join(cluster).join(file)).ok();
    let files = ["slurm.conf", "gres.conf", "accounts.sh", "users"];
    let files = files.iter().filter_map(|f| Some(((*f).to_owned(), read(f)?))).collect();
    Session::new(Setup { site: cluster.to_owned(), files: SiteFiles(files), ..inserm(1) })
}

fn wait(session: &mut Session, seconds: i64) {
    let until = session.world().now + Span::from_secs(seconds);
    while session.step(until) {}
}

/// A command's output.
fn run(session: &mut Session, command: &str) -> String {
    let applied = session.apply(Input::Run { user: "alice".to_owned(), command: command.to_owned() });
    let InputResult::Run(run) = applied else { panic!("{command}: {applied:?}") };
    let until = session.world().now + Span::from_secs(60);
    while session.world().run_result(run).exit.is_none() && session.step(until) {}
    let result = session.world().run_result(run);
    String::from_utf8_lossy(&result.stdout).into_owned() + &String::from_utf8_lossy(&result.stderr)
}

/// One job runs, one does not fit, and one is queued behind that.
fn queue() -> Session {
    let mut session = session("lab");
    for options in ["-n 120 -t 60", "-n 128 -t 100", "-n 2 -t 600"] {
        run(&mut session, &format!("sbatch {options} --wrap 'sleep 3000'"));
        wait(&mut session, 5);
    }
    wait(&mut session, 40);
    session
}

#[test]
fn as_data() {
    let session = queue();
    let before = session.world().hash();
    let first = explain(&session, JobId(2)).unwrap();
    assert_eq!(first.verdict.partitions[0].blocker, Blocker::Nodes);
    let second = explain(&session, JobId(3)).unwrap();
    assert_eq!(second.verdict.eligibility, Eligibility::Queued { in_front: 1 });
    assert!(matches!(&second.verdict.partitions[0].blocker, Blocker::Behind(ahead) if ahead.job == JobId(2)));
    assert!(matches!(second.changes[0], RequestChange::Time(40..60)), "{second:?}");
    assert_eq!(session.world().hash(), before, "asking changes nothing");
    assert!(explain(&session, JobId(9)).is_none());
}

#[test]
fn in_the_terminal() {
    let mut session = queue();
    let said = run(&mut session, "why 3");
    for part in [
        "Job 3 (wrap) of alice is waiting (Priority; 1 queue entry is ahead of it): job 2 ahead of it cannot start",
        "It is expected to start at",
        "reserved for job 2 ahead of it",
        "--time=",
        "--partition=gpu",
        "a command of sandbatch",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // The prediction comes true.
    let time = said.lines().find_map(|l| l.trim().strip_prefix("--time=")).unwrap();
    assert_eq!(run(&mut session, &format!("scontrol update jobid=3 timelimit={time}")), "");
    wait(&mut session, 35);
    assert_eq!(run(&mut session, "squeue -h -j 3 -o %T"), "RUNNING\n");
    assert!(run(&mut session, "why 3").contains("it is RUNNING"));
    assert!(run(&mut session, "why 99; echo $?").contains("no job '99'"));
    assert!(run(&mut session, "why; echo $?").ends_with("1\n"));
}
