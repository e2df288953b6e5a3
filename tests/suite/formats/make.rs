//! Creates a sample of each format with this build, in the way the page does.

use super::facts::Facts;
use super::{Folder, START, opened, setup, to_address, with_background};
use crate::page::Page;
use crate::site::files;
use base::time::Span;
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};
use protocol::*;
use std::collections::BTreeSet;
use view::opened_files::{SessionFile, moment_file};
use view::recovery::{JournaledInput, Recovery};
use view::results::LessonResult;

/// The bytes of the journal since the last save, as the page stores them.
fn rest_of(journal: &[(u64, Vec<u8>)]) -> Vec<u8> {
    let mut recovery = Recovery::<Vec<u8>>::default();
    for (seq, bytes) in journal {
        recovery.journaled(JournaledInput { seq: *seq, bytes: bytes.clone(), what: format!("input {seq}") });
    }
    recovery.to_bytes()
}

fn saved(page: &mut Page) -> Vec<u8> {
    page.saved = None;
    page.send(ToEngine::Save);
    page.ticks(40);
    page.saved.clone().expect("it was saved")
}

fn shared(page: &mut Page, passed: u32) -> Vec<u8> {
    page.send(ToEngine::Share(passed));
    page.ticks(2);
    let link =
        page.others.iter().rev().find_map(|m| if let FromEngine::Link(l) = m { Some(l) } else { None });
    link.expect("an answer").clone().expect("a link")
}

/// The hash that the engine reports.
fn hash(page: &mut Page) -> u64 {
    page.send(ToEngine::Hash);
    page.ticks(2);
    let hash =
        page.others.iter().rev().find_map(|m| if let FromEngine::Hash(h) = m { Some(*h) } else { None });
    hash.expect("an answer")
}

/// Uses a session like a user of the page: files, jobs, another branch. Returns the hash of the branch that was left.
fn work(page: &mut Page) -> u64 {
    page.send(ToEngine::Subscribe(Subscription {
        cluster: true,
        line: Some("alice".to_owned()),
        ..Subscription::default()
    }));
    page.send(ToEngine::Resize { tty: page.tty(), columns: 100, rows: 30 });
    page.types("sinfo; cat first.sh");
    page.types("sbatch first.sh");
    let text = "#!/bin/bash\n#SBATCH -J step\n#SBATCH -t 20 -n 4\necho \"é: $SLURM_JOB_ID\"\nsleep 240\n";
    let path = "/home/alice/step.sh".to_owned();
    page.send(ToEngine::SaveFile { user: "alice".to_owned(), path, text: text.to_owned() });
    page.types("a=$(sbatch --parsable step.sh); sbatch -d afterok:$a -J after --wrap 'hostname'");
    page.types("echo before > made-alice.txt; sbatch -a 1-6%2 -J sweep -t 3 --wrap 'sleep 75; exit $((SLURM_ARRAY_TASK_ID == 5))'");
    page.send(ToEngine::Pace(Pace::Paused));
    page.draw();
    let crossing = page.frame.now;
    page.send(ToEngine::Pace(Pace::Times(1)));
    page.ticks(100);
    // Typed ahead, and interrupted.
    page.send(ToEngine::Type { tty: page.tty(), bytes: b"sleep 1000\n".to_vec() });
    page.ticks(100);
    page.send(ToEngine::Type { tty: page.tty(), bytes: vec![3] });
    page.ticks(20);
    page.types("echo left >> made-alice.txt; scancel -n sweep; squeue");
    page.send(ToEngine::Pace(Pace::Paused));
    page.ticks(2);
    let left = hash(page);
    page.send(ToEngine::Travel(Travel::To(crossing)));
    page.ticks(20);
    page.types(
        "echo right >> made-alice.txt; squeue --me; sbatch -p gpu --gpus 2 -J train -t 30 --wrap 'sleep 900'",
    );
    page.send(ToEngine::Login("bob".to_owned()));
    page.ticks(20);
    page.types("cd /tmp; x=7; sbatch -p debug -n 8 -J try --wrap 'sleep 100'; echo $x > ~/made-bob.txt");
    page.send(ToEngine::Skip(Skip::JobEnds("alice".to_owned())));
    page.draw();
    page.types("sacct -X");
    page.send(ToEngine::Pace(Pace::Paused));
    page.draw();
    left
}

/// The inputs that lessons journal, besides typed ones.
fn as_in_a_lesson(setup: Setup) -> Session {
    let mut session = Session::new(setup);
    let run = |user: &str, command: &str| Input::Run { user: user.to_owned(), command: command.to_owned() };
    let node = |up| Input::NodeUp { node: "c03".to_owned(), up };
    let data = b"#!/bin/bash\n#SBATCH -n 2\nsrun hostname > made-carol.txt\n".to_vec();
    let InputResult::Terminal(tty) =
        session.apply(Input::Login { user: "erin".to_owned(), columns: 80, rows: 24 })
    else {
        panic!("erin logs in")
    };
    let inputs = [
        (run("carol", "sbatch -w c03 -t 30 -J long --wrap 'sleep 1200'"), 90),
        (node(false), 400),
        (Input::Save { user: "carol".to_owned(), path: "/home/carol/job.sh".to_owned(), data }, 1),
        (run("carol", "sbatch job.sh"), 30),
        (Input::Type(tty, b"sinfo; exit\n".to_vec()), 5),
        (Input::Logout(tty), 1),
        (node(true), 60),
        (run("root", "scontrol create reservation start=now+600 duration=60 users=dave nodes=c0[1-2]"), 30),
        (Input::Login { user: "dave".to_owned(), columns: 90, rows: 40 }, 2),
        (Input::Resize(tty, 120, 50), 1),
        (run("dave", "sbatch -t 20 -n 64 -J wide --wrap 'sleep 60'"), 0),
    ];
    for (input, seconds) in inputs {
        session.apply(input);
        let until = session.world().now + Span::from_secs(seconds);
        assert!(session.run_until(until, 1_000_000));
    }
    // Every 64th entry has a hash.
    while session.journal().entries().len() < 70 {
        session.apply(run("dave", "date >> made-dave.txt"));
        let until = session.world().now + Span::from_secs(20);
        assert!(session.run_until(until, 1_000_000));
    }
    session
}

/// The facts of the session behind a page. The engine confirms their hash.
fn facts_of(page: &mut Page, setup: &Setup) -> String {
    let bytes = saved(page);
    let (session, notices) =
        Session::resume(setup.clone(), Some(&bytes), &[], &BTreeSet::new()).expect("a session");
    assert_eq!((notices.as_slice(), session.world().hash()), (&[][..], hash(page)));
    Facts::of(&session).text()
}

/// Creates every sample with this build.
pub fn make() -> Folder {
    let mut folder = Folder::new();
    let lab = files("examples/sites/lab");
    for (name, text) in &lab.0 {
        folder.insert(format!("site/{name}"), text.clone().into_bytes());
    }
    let mut keep = |name: &str, bytes: Vec<u8>| {
        folder.insert(name.to_owned(), bytes);
    };

    // A session in the browser's storage: the saved bytes, and the inputs since.
    let plain = setup("lab", lab.clone());
    let mut page = Page::of(plain.clone(), None, Vec::new());
    let left = work(&mut page);
    keep("session.facts", facts_of(&mut page, &plain).into_bytes());
    let session = saved(&mut page);
    keep("session.bin", session.clone());
    let (link, at_link) = (shared(&mut page, 0b101), hash(&mut page));
    page.send(ToEngine::Pace(Pace::Times(1)));
    page.types("pwd; sbatch -H -J held --wrap true");
    page.types("scancel -n try; echo $x >> ~/made-bob.txt");
    page.send(ToEngine::Pace(Pace::Paused));
    page.draw();
    let file = SessionFile {
        site: "lab".to_owned(),
        seed: "1".to_owned(),
        background: "off".to_owned(),
        journal: rest_of(&page.journal),
        state: Some(session),
    };
    keep("session.txt", file.text().into_bytes());
    keep("since.bin", file.journal);
    keep("since.facts", facts_of(&mut page, &plain).into_bytes());

    page.send(ToEngine::Travel(Travel::Branch(1)));
    page.draw();
    assert_eq!(hash(&mut page), left);
    keep("other.facts", facts_of(&mut page, &plain).into_bytes());

    // The same moment as a link, in a file, and in a participant's results.
    let query = format!("?site=lab&seed=1#s={}", to_address(&link));
    // A link contains the inputs up to its moment, and no other branches.
    let (linked, _) = opened(&link, plain.clone());
    assert_eq!(linked.world().hash(), at_link);
    keep("link-1.facts", Facts::of(&linked).text().into_bytes());
    keep("link-1.bin", link);
    keep("moment.txt", moment_file(&query).into_bytes());
    let outcome = LessonResult {
        name: "Zoé Lefèvre".to_owned(),
        lesson: "lessons/en/01-first.md".to_owned(),
        title: "A first job".to_owned(),
        passed: 2,
        total: 3,
        points: 15,
        most: 20,
        seed: 1,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        began: (START.secs(), 1_795_000_000),
        steps: vec![(START.secs() + 60, 1_795_000_040), (0, 0), (START.secs() + 600, 1_795_000_300)],
        moment: query,
        whole: true,
    };
    keep("results.txt", outcome.text().into_bytes());

    // Background jobs arrive, as in the page by default.
    let busy = with_background(plain.clone());
    let mut page = Page::of(busy.clone(), None, Vec::new());
    page.ticks(50);
    page.types("echo mine > made-alice.txt; sbatch -J mine first.sh");
    page.types("sbatch -p gpu --gpus 4 -t 60 -J big --wrap 'sleep 600'");
    page.send(ToEngine::Skip(Skip::Until((START + Span::from_secs(1800)).0)));
    page.draw();
    page.types("squeue | head -5");
    page.send(ToEngine::Pace(Pace::Paused));
    page.draw();
    keep("background.facts", facts_of(&mut page, &busy).into_bytes());
    keep("background.bin", saved(&mut page));

    // A journal alone.
    let session = as_in_a_lesson(plain);
    let journal: Vec<(u64, Vec<u8>)> =
        session.journal().entries().iter().map(|e| (e.seq, e.encode())).collect();
    keep("journal.bin", rest_of(&journal));
    keep("journal.facts", Facts::of(&session).text().into_bytes());

    // A link that contains its site.
    let conf =
        "ClusterName=own\nNodeName=n[1-4] CPUs=8 RealMemory=16000\nPartitionName=all Nodes=ALL Default=YES\n";
    let site = "login = \"front\"\n[[users]]\nname = \"zoe\"\n[[users]]\nname = \"yann\"\n";
    let own = [("slurm.conf", conf), ("site.toml", site)].map(|(n, t)| (n.to_owned(), t.to_owned()));
    let own = setup("own-mine", SiteFiles(own.into()));
    let mut page = Page::of(own.clone(), None, Vec::new());
    page.types("sbatch -n 20 --wrap 'sleep 50'; sbatch -n 20 -J second --wrap 'sleep 50'");
    page.types("echo own > made-zoe.txt");
    page.ticks(300);
    page.send(ToEngine::Pace(Pace::Paused));
    page.draw();
    keep("link-2.facts", facts_of(&mut page, &own).into_bytes());
    keep("link-2.bin", shared(&mut page, 0));

    // The file of a class, which its server writes.
    let class = super::class::make();
    keep("class.facts", super::class::facts(&class).into_bytes());
    keep("class.bin", class);
    folder
}
