//! The engine and its messages, driven like the web worker does.

use super::page::Page;
use protocol::*;

/// An hour of virtual time.
const HOUR: Micros = 3_600_000_000;

#[test]
fn a_newcomer_submits_and_watches() {
    let mut page = Page::start(None, Vec::new());
    let started =
        page.others.iter().any(|m| matches!(m, FromEngine::Started(s) if s.nodes.len() == 25 && !s.resumed));
    assert!(started, "{:?}", page.others);
    assert!(page.text().contains("Inserm"), "the message of the day: {}", page.text());
    assert!(page.prompt.is_some());
    page.send(ToEngine::Subscribe(Subscription {
        cluster: true,
        queue: Some(QueueWindow { count: 50, ..QueueWindow::default() }),
        job: Some("1".to_owned()),
        node: Some(21),
        ..Subscription::default()
    }));
    assert_eq!(page.types("sbatch mon_job.slurm"), "Submitted batch job 1\n");
    page.draw();
    assert_eq!(page.frame.queue.as_ref().map(|q| q.total), Some(1));
    page.send(ToEngine::Skip(Skip::JobStarts("alice".to_owned())));
    page.draw();
    assert!(!page.frame.skipping);
    let cells = &page.cells;
    assert!(cells.iter().any(|c| c.state == "mix" && c.cores[0].job == 1), "{cells:?}");
    assert_eq!(page.frame.running, 1);
    let job: JobDetail = *page.frame.job.clone().expect("the job");
    assert_eq!((job.state.as_str(), job.partition.as_str()), ("RUNNING", "CPU-4"));
    assert!(job.script.starts_with("#!/bin/bash"));
    page.send(ToEngine::Skip(Skip::QueueEmpty));
    page.draw();
    assert_eq!((page.frame.running, page.frame.pending), (0, 0));
    let job = page.frame.job.clone().expect("still in memory");
    assert_eq!(job.state, "COMPLETED");
    assert!(job.stdout_path.ends_with("Resultat_1.out"), "{}", job.stdout_path);
    assert!(!job.stdout_tail.is_empty());
    assert!(page.types("cat Resultat_1.out").contains(job.stdout_tail.lines().next().expect("a line")));
}

#[test]
fn a_skip_without_effect_says_why() {
    let mut page = Page::start(None, Vec::new());
    let alice = || "alice".to_owned();
    let now = page.frame.now;
    let skips = [
        (Skip::JobStarts(alice()), Idle::NoneWaits),
        (Skip::JobEnds(alice()), Idle::NoneRuns),
        (Skip::QueueEmpty, Idle::QueueEmpty),
        (Skip::Until(now - 1), Idle::Past),
        (Skip::NextEvent, Idle::AtRest),
    ];
    for (skip, why) in skips {
        page.send(ToEngine::Skip(skip));
        page.draw();
        assert!(page.notices.last() == Some(&UserNotice::Idle(why)), "{why:?}: {:?}", page.notices);
        assert!(!page.frame.skipping);
    }
    // A held job starts only if someone releases it.
    page.types("sbatch -H --wrap true");
    for skip in [Skip::JobStarts(alice()), Skip::JobEnds(alice()), Skip::NextEvent] {
        page.send(ToEngine::Skip(skip));
        page.draw();
        assert!(page.notices.last() == Some(&UserNotice::Idle(Idle::AtRest)), "{:?}", page.notices);
    }
    assert!(page.frame.now - now < HOUR, "the clock is where it was");
    // slurmctld looks at this one again and again.
    page.types("sbatch -d afterok:1 --wrap true");
    page.send(ToEngine::Skip(Skip::JobStarts(alice())));
    page.draw();
    assert!(page.notices.last() == Some(&UserNotice::Idle(Idle::TooFar)), "{:?}", page.notices);
    assert!(page.frame.now - now > 29 * 24 * HOUR, "30 days later");
}

#[test]
fn the_next_event_may_come_from_a_process_in_the_background() {
    let mut page = Page::start(None, Vec::new());
    let now = page.frame.now;
    page.types("(sleep 7200; sbatch -H --wrap true) &");
    page.send(ToEngine::Skip(Skip::NextEvent));
    page.draw();
    assert_eq!((page.notices.last(), page.frame.pending), (None, 1));
    assert!((2 * HOUR..3 * HOUR).contains(&(page.frame.now - now)), "{}", page.frame.now - now);
}

#[test]
fn a_page_at_rest_draws_a_few_frames_a_second() {
    let mut page = Page::start(None, Vec::new());
    page.send(ToEngine::Subscribe(Subscription {
        cluster: true,
        line: Some("alice".to_owned()),
        load: true,
        ..Subscription::default()
    }));
    page.send(ToEngine::Pace(Pace::Times(1)));
    page.engine.deferred_loaded(true);
    page.draw();
    let (frames, since) = (page.frame.number, page.frame.now);
    let (mut drawn, mut loads) = (frames, 0);
    // Five seconds. The page draws each frame at once.
    for _ in 0..312 {
        page.ticks(1);
        if std::mem::replace(&mut drawn, page.frame.number) != page.frame.number {
            loads += u32::from(page.frame.load.is_some());
        }
        page.acknowledge();
    }
    assert!((4_500_000..5_500_000).contains(&(page.frame.now - since)), "{}", page.frame.now - since);
    assert!((5..=12).contains(&(page.frame.number - frames)), "{} frames", page.frame.number - frames);
    assert!((3..=6).contains(&loads), "the load is in {loads} of them");
    // What was sent a moment ago is not left out for good, even if the clock stands.
    page.send(ToEngine::Pace(Pace::Paused));
    page.types("sbatch -H --wrap true");
    let mut load = None;
    for _ in 0..125 {
        load = page.frame.load.take().or(load);
        page.ticks(1);
        page.acknowledge();
    }
    let load = load.expect("the load after the pause");
    assert_eq!(load.until, page.frame.now, "the load is of the moment that is shown");
}

#[test]
fn a_users_own_jobs_are_sent_apart() {
    let mut page = Page::start(None, Vec::new());
    page.types("sbatch -H --wrap true; sbatch --array=1-3 -H --wrap true; sbatch -p CPU-4 --wrap 'sleep 5'");
    let own = |user: &str| QueueWindow {
        count: 2,
        list: QueueList {
            user: Some(user.to_owned()),
            ended: true,
            group: true,
            sort: Some((SortBy::Id, Direction::Down)),
            ..QueueList::default()
        },
        ..QueueWindow::default()
    };
    for (user, want) in [("alice", vec!["3", "2_[1-3]"]), ("bob", vec![])] {
        // The queue's filters don't concern them.
        let list = QueueList { text: "no such job".to_owned(), ..QueueList::default() };
        page.send(ToEngine::Subscribe(Subscription {
            queue: Some(QueueWindow { count: 50, list, ..QueueWindow::default() }),
            own: Some(own(user)),
            ..Subscription::default()
        }));
        page.draw();
        let rows = page.frame.own.clone().expect("own jobs");
        assert_eq!(rows.rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), want, "{user}");
        assert_eq!(rows.total, if user == "alice" { 3 } else { 0 });
        assert_eq!(page.frame.queue.as_ref().map(|queue| queue.total), Some(0));
    }
}

#[test]
fn a_reload_loses_nothing() {
    let mut page = Page::start(None, Vec::new());
    page.types("echo one > kept.txt; sbatch --wrap='sleep 300'");
    page.send(ToEngine::Save);
    page.types("echo two >> kept.txt");
    let saved = page.saved.clone();
    let since: Vec<Vec<u8>> = page.journal.iter().map(|(_, entry)| entry.clone()).collect();
    assert!(saved.is_some() && !since.is_empty());
    let mut again = Page::start(saved, since);
    assert_eq!(again.notices, []);
    assert!(again.others.iter().any(|m| matches!(m, FromEngine::Started(s) if s.resumed)));
    assert!(again.text().contains("Submitted batch job 1"), "the screen is there again: {}", again.text());
    assert!(again.prompt.is_some());
    assert_eq!(again.types("cat kept.txt"), "one\ntwo\n");
    assert!(again.types("squeue").contains("wrap"));
}

#[test]
fn files_of_the_editor() {
    let mut page = Page::start(None, Vec::new());
    let user = || "alice".to_owned();
    let path = || "/home/alice/new.sh".to_owned();
    page.send(ToEngine::SaveFile { user: user(), path: path(), text: "#!/bin/bash\necho hé\n".to_owned() });
    page.send(ToEngine::ReadFile { user: user(), path: path() });
    page.send(ToEngine::ReadFile { user: "bob".to_owned(), path: "/root/x".to_owned() });
    page.send(ToEngine::SaveFile {
        user: "bob".to_owned(),
        path: "/etc/passwd".to_owned(),
        text: String::new(),
    });
    page.send(ToEngine::ListFiles { user: user(), path: "/home/alice".to_owned() });
    page.ticks(2);
    let has = |wanted: &dyn Fn(&FromEngine) -> bool| page.others.iter().any(wanted);
    assert!(has(&|m| matches!(m, FromEngine::FileSaved { error: None, .. })));
    assert!(has(&|m| matches!(m, FromEngine::File { text: Ok(t), .. } if t.contains("hé"))));
    assert!(has(&|m| matches!(m, FromEngine::File { text: Err(_), .. })));
    assert!(has(
        &|m| matches!(m, FromEngine::FileSaved { error: Some(e), .. } if e.contains("Permission denied"))
    ));
    assert!(has(
        &|m| matches!(m, FromEngine::Files { entries, .. } if entries.iter().any(|e| e.name == "new.sh"))
    ));
    assert_eq!(page.types("bash new.sh"), "hé\n");
}

#[test]
fn the_editor_gets_diagnostics_of_sbatch() {
    let mut page = Page::start(None, Vec::new());
    let text = "#!/bin/bash\n#SBATCH --cpu-per-task=2\n#SBATCH --partition=debug\n".to_owned();
    page.send(ToEngine::Lint { text, token: 7 });
    page.send(ToEngine::Options);
    let tty = page.tty();
    let line = "sbatch --part".to_owned();
    page.send(ToEngine::Complete { tty, cursor: 13, line, token: 8 });
    let (mut findings, mut options, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for message in page.others {
        match message {
            FromEngine::Lint { token: 7, findings: f } => findings = f,
            FromEngine::Options(o) => options = o,
            FromEngine::Completions { token: 8, start: 7, words: w } => words = w,
            _ => {}
        }
    }
    let finding = findings.iter().find(|f| f.line == 2).expect("the finding");
    assert!(
        finding.error && finding.suggestion.as_deref().is_some_and(|s| s.contains("--cpus-per-task")),
        "{finding:?}"
    );
    assert!(findings.iter().any(|f| f.line == 3 && f.message.to_string().contains("debug")), "{findings:?}");
    let partition = options.iter().find(|o| o.name == "--partition").expect("an option");
    assert!(partition.values.contains(&"CPU-4".to_owned()));
    assert!(words.iter().any(|w| w.starts_with("--partition")), "{words:?}");
}

#[test]
fn bad_input_is_reported() {
    let mut page = Page::start(None, Vec::new());
    page.send(ToEngine::Type { tty: page.tty(), bytes: vec![b'x'; 10 << 20] });
    assert!(matches!(&page.notices[..], [UserNotice::Bound(_)]), "{:?}", page.notices);
    page.send(ToEngine::Type { tty: 77, bytes: b"ls\n".to_vec() });
    page.send(ToEngine::Login("nobody".to_owned()));
    page.send(ToEngine::Skip(Skip::JobEnds("nobody".to_owned())));
    page.send(ToEngine::Subscribe(Subscription {
        job: Some("x_y".to_owned()),
        node: Some(9999),
        ..Subscription::default()
    }));
    page.draw();
    assert_eq!((&page.frame.job, &page.frame.node), (&None, &None));
    assert!(page.types("echo still here").contains("still here"));
    let broken = Page::start(Some(b"not a session".to_vec()), vec![vec![1, 2, 3]]);
    assert!(matches!(&broken.notices[..], [UserNotice::SavedUnreadable(_)]), "{:?}", broken.notices);
    assert!(broken.prompt.is_some(), "a new session runs");
}

#[test]
fn endless_programs_do_not_block_the_page() {
    for endless in ["yes", "while :; do :; done", ":(){ :|:& };:", "while true; do echo x; done"] {
        let mut page = Page::start(None, Vec::new());
        let tty = page.tty();
        page.send(ToEngine::Type { tty, bytes: format!("{endless}\n").into_bytes() });
        page.ticks(30);
        page.prompt = None;
        page.send(ToEngine::Type { tty, bytes: vec![3] });
        page.ticks(120);
        assert!(page.types("echo al''ive").contains("alive"), "{endless}");
    }
}

#[test]
fn a_pause_stops_time_but_not_commands() {
    let mut page = Page::start(None, Vec::new());
    page.send(ToEngine::Pace(Pace::Paused));
    page.draw();
    let now = page.frame.now;
    page.ticks(200);
    page.draw();
    assert!(page.frame.paused);
    assert_eq!(page.frame.now, now);
    assert!(page.types("sinfo").contains("CPU-4"));
    page.send(ToEngine::Pace(Pace::Times(60)));
    page.send(ToEngine::Typing(true));
    page.draw();
    assert!(page.frame.held);
    page.send(ToEngine::Typing(false));
    let now = page.frame.now;
    page.draw();
    let seconds = (page.frame.now - now) / 1_000_000;
    assert!((50..100).contains(&seconds), "70 ticks at 60x: {seconds} s");
}

#[test]
fn reading_a_custom_site_starts_nothing() {
    let mut page = Page::start(None, Vec::new());
    let report = |page: &mut Page, files: &[(&str, &str)]| -> SiteReport {
        page.send(ToEngine::ReadSite(files.iter().map(|(n, t)| ((*n).into(), (*t).into())).collect()));
        let read = page
            .others
            .iter()
            .rev()
            .find_map(|m| if let FromEngine::SiteRead(r) = m { Some(r) } else { None });
        *read.expect("a report").clone()
    };
    let good = "ClusterName=mine\nNodeName=n[1-3] CPUs=2\nPartitionName=all Nodes=ALL Default=YES\n";
    let read = report(&mut page, &[("dir/slurm.conf", good), ("dir/gres.conf", "")]);
    assert_eq!((read.name.as_str(), read.nodes, read.partitions, read.users), ("mine", 3, 1, 3));
    assert_eq!(read.made_up, ["site.toml"]);
    assert!(read.findings.iter().all(|f| f.weight == FindingSeverity::Note), "{:?}", read.findings);
    let bad = report(&mut page, &[("slurm.conf", "ClusterName=mine\nNodName=n1\nwhat is this\n")]);
    let first = bad.findings.first().expect("a finding");
    assert_eq!((first.weight, first.location.as_str()), (FindingSeverity::Error, "slurm.conf:2"));
    assert!(bad.findings.iter().any(|f| f.location == "slurm.conf:3"), "{:?}", bad.findings);
    // The session continues normally.
    assert_eq!(page.types("echo here"), "here\n");
}

#[test]
fn the_page_gets_the_reason_of_a_refusal() {
    let mut page = Page::start(None, Vec::new());
    let mut wrong = Vec::new();
    for (command, why) in [
        ("sbatch -p nope --wrap true", Some(Refusal::Partition)),
        ("sbatch --foo --wrap true", Some(Refusal::Option)),
        ("sbatch -t soon --wrap true", Some(Refusal::Time)),
        ("sbatch --mem=lots --wrap true", Some(Refusal::Value)),
        ("sbatch -n abc --wrap true", Some(Refusal::Value)),
        ("sbatch -N 4-2 --wrap true", Some(Refusal::Contradiction)),
        ("sbatch --mem=900T --wrap true", Some(Refusal::Memory)),
        ("sbatch -N 1 --mincpus=9000 --wrap true", Some(Refusal::Cpus)),
        ("sbatch --gres=tape:1 --wrap true", Some(Refusal::Gres)),
        ("sbatch --priority=7 --uid=root --wrap true", Some(Refusal::Permission)),
        ("sbatch -M other --wrap true", Some(Refusal::Cluster)),
        ("sbatch -A nobodys --wrap true", Some(Refusal::Account)),
        ("sbatch -q nosuch --wrap true", Some(Refusal::Qos)),
        ("sbatch -C nosuch --wrap true", Some(Refusal::Feature)),
        ("sbatch -w nosuch --wrap true", Some(Refusal::NodeName)),
        ("sbatch -L nosuch --wrap true", Some(Refusal::License)),
        ("sbatch -a 5-1 --wrap true", Some(Refusal::Array)),
        ("sbatch -d afterok:4711 --wrap true", Some(Refusal::Dependency)),
        ("sbatch --reservation=nosuch --wrap true", Some(Refusal::Reservation)),
        ("sbatch nosuch.sh", Some(Refusal::NoFile)),
        ("sbatch /dev/null", Some(Refusal::Script)),
        ("printf '#!/bin/sh\\r\\n' > dos.sh; sbatch dos.sh", Some(Refusal::LineEnds)),
        ("sbatch --wrap true more", Some(Refusal::Contradiction)),
        ("srun --jobid=4711 true", Some(Refusal::Job)),
        ("salloc -p nope", Some(Refusal::Partition)),
        ("sbatch --foo --wrap true; sbatch -p nope --wrap true", Some(Refusal::Option)),
        ("sbatch --foo --wrap true 2> /dev/null", None),
        ("sbatch --wrap true", None),
        ("cat nosuch.sh", None),
    ] {
        let before = page.others.len();
        let said = page.types(command);
        let told: Vec<Refusal> = page.others[before..]
            .iter()
            .filter_map(|m| if let FromEngine::Refused(_, why) = m { Some(*why) } else { None })
            .collect();
        if told.first().copied() != why {
            wrong.push(format!("{command}: {told:?}, not {why:?}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
