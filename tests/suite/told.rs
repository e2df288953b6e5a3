//! Decisions that can be told, on a whole site: `why` in the terminal, and the same as data for the page.

use super::site::{inserm, path};
use sandbatch::base::ids::JobId;
use sandbatch::base::time::Span;
use sandbatch::config::SiteFiles;
use sandbatch::session::{Session, Setup, explain};
use sandbatch::slurmctld::verdict::{Change, Standing, Stop};
use sandbatch::world::{Applied, Input};

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

/// What a command prints.
fn run(session: &mut Session, command: &str) -> String {
    let applied = session.apply(Input::Run { user: "alice".to_owned(), command: command.to_owned() });
    let Applied::Run(run) = applied else { panic!("{command}: {applied:?}") };
    let until = session.world().now + Span::from_secs(60);
    while session.world().run_result(run).exit.is_none() && session.step(until) {}
    let result = session.world().run_result(run);
    String::from_utf8_lossy(&result.stdout).into_owned() + &String::from_utf8_lossy(&result.stderr)
}

/// One job runs, one finds no room, one is behind that.
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
    assert_eq!(first.verdict.tried[0].stop, Stop::Nodes);
    let second = explain(&session, JobId(3)).unwrap();
    assert_eq!(second.verdict.standing, Standing::Queued { in_front: 1 });
    assert_eq!(second.verdict.tried[0].stop, Stop::Behind(JobId(2)));
    assert!(matches!(second.changes[0], Change::Time(40..60)), "{second:?}");
    assert_eq!(session.world().hash(), before, "asking changes nothing");
    assert!(explain(&session, JobId(9)).is_none());
}

#[test]
fn in_the_terminal() {
    let mut session = queue();
    let said = run(&mut session, "why 3");
    for part in [
        "Job 3 (wrap) of alice waits (Priority; 1 row of the queue is in front): job 2 in front finds no room",
        "It is expected to start at",
        "kept for job 2 in front",
        "--time=",
        "--partition=gpu",
        "sandbatch's own program",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // What it says is so.
    let time = said.lines().find_map(|l| l.trim().strip_prefix("--time=")).unwrap();
    assert_eq!(run(&mut session, &format!("scontrol update jobid=3 timelimit={time}")), "");
    wait(&mut session, 35);
    assert_eq!(run(&mut session, "squeue -h -j 3 -o %T"), "RUNNING\n");
    assert!(run(&mut session, "why 3").contains("it is RUNNING"));
    assert!(run(&mut session, "why 99; echo $?").contains("no job '99'"));
    assert!(run(&mut session, "why; echo $?").ends_with("1\n"));
}
