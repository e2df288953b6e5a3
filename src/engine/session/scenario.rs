//! Fixed journals on built-in sites. Their hashes must be the same on every machine, natively and in WebAssembly.

use super::journal::JournalEntry;
use super::lesson::{Lesson, play_up_to};
use super::link::Link;
use super::recorded::{Session, Setup};
use super::replay::{Replay, events, site::controller};
use crate::world::{Input, InputResult, World};
use base::hash::fnv1a;
use base::pack::Packer;
use base::time::{Span, Time};
use config::SiteFiles;
use config::sites::built_in;
use host::tty::TtyId;
use std::collections::BTreeSet;

/// The names of all scenarios.
pub const SCENARIOS: &[&str] =
    &["chapter7", "preemption", "decay", "saving", "python", "replay", "lesson", "class"];

const START: Time = Time::from_secs(1_795_240_458);

/// Typed lines, each with the seconds until the next.
type TypedScript = [(&'static str, i64)];

const CHAPTER_7: &TypedScript = &[
    ("sinfo", 1),
    ("sbatch mon_job.slurm", 3),
    ("squeue -u $USER; sinfo", 20),
    ("for i in 1 2 3; do sbatch --array=1-10%3 -n 2 --wrap='sleep $((SLURM_ARRAY_TASK_ID * 7))'; done", 30),
    ("a=$(sbatch --parsable -t 1 --wrap='sleep 500'); sbatch -d afternotok:$a --wrap='echo later'", 40),
    ("scancel -u $USER --state=PENDING --name=wrap; squeue", 200),
    ("sacct -X; cat *.out | sort | head -50", 5),
];

/// With background jobs: jobs of a preemptible QOS are requeued and start again later.
const PREEMPTION: &TypedScript = &[
    (
        "for i in 1 2 3 4; do sbatch -q low -p gpu --gpus=4 -t 8:00:00 -J low$i --wrap='sleep 20000'; done",
        120,
    ),
    (
        "squeue -a > before.txt; for i in 1 2; do sbatch -q high -p gpu --gpus=2 -t 30 --wrap='sleep 900'; done",
        300,
    ),
    ("squeue -a -S i -o '%i %q %t %Q %S %R' > amid.txt; sprio -l >> amid.txt", 1800),
    (
        "sacct -a -X -D -o JobID,QOS,State,Start,End,Restarts -P > after.txt; scontrol show job >> after.txt",
        7200,
    ),
    ("squeue -a --start > end.txt; sdiag | grep -i backfill >> end.txt", 60),
];

/// Usage with a half-life of a week, and its effect on fair share and priorities.
const DECAY: &TypedScript = &[
    ("for i in 1 2 3; do sbatch -n 32 -t 1-0 --wrap='sleep 60000'; done; sshare -l > start.txt", 90_000),
    (
        "sshare -a -l -P > day.txt; sreport -P -t minper cluster utilization start=2026-11-01 >> day.txt",
        500_000,
    ),
    ("sshare -a -l -P > week.txt; sbatch -H -n 1 --wrap true; sprio -l -n >> week.txt", 700_000),
    ("sshare -a -l -P > end.txt; sprio -w >> end.txt", 10),
];

const SAVING: &TypedScript = &[
    ("sbatch first.sh; x=7; cd /tmp; set -- a b", 20),
    ("sbatch -a 1-8%3 --wrap 'sleep 40'; sleep 500 & srun -n 4 hostname | sort", 15),
    ("echo $x $# $PWD > ~/kept.txt; jobs >> ~/kept.txt; squeue >> ~/kept.txt", 100),
];

/// Threads, child processes and a signal handler of a Python program, saved in the middle of their waits.
const PYTHON: &TypedScript = &[
    (
        r#"printf '%s\n' 'import multiprocessing, signal, subprocess, threading, time' 'def work(q, n):' '    for i in range(4):' \
'        time.sleep(3 + n)' '        q.put((n, i))' 'def tick(out):' '    for i in range(5):' '        time.sleep(2.5)' '        out.append(sum(range(i * 1000)))' \
'def caught(number, frame):' '    print("caught", number)' '    time.sleep(4)' '    print("handled")' 'signal.signal(signal.SIGUSR1, caught)' \
'q, out = multiprocessing.Queue(), []' 'ps = [multiprocessing.Process(target=work, args=(q, n)) for n in range(2)]' 't = threading.Thread(target=tick, args=(out,))' \
'[x.start() for x in ps + [t]]' 'print(subprocess.run("sleep 7; echo child", shell=True, capture_output=True, text=True).stdout)' \
'[x.join() for x in ps + [t]]' 'print(sorted(q.get() for _ in range(8)), out, 2j ** 2)' > busy.py"#,
        1,
    ),
    ("python3 busy.py > out.txt & sleep 2; kill -USR1 $!; ps -e | grep python", 4),
    ("ps -e | grep python > seen.txt", 5),
    ("wait; cat out.txt seen.txt", 40),
];

/// A participant of a class who starts programs without a pause, saved while they wait for their share.
const CLASS: &TypedScript = &[
    ("for i in $(seq 60); do /bin/true; done; date +%s%N > share.txt", 3),
    ("while :; do sbatch --wrap 'sleep 10' > /dev/null; done", 4),
    ("\x03", 1),
    ("while :; do echo x | cat > /dev/null; done & sleep 2; kill %1; squeue -h | wc -l", 5),
];

/// Runs a scenario and returns a hash after each of its steps. Unknown names return no hash.
#[must_use]
pub fn scenario(name: &str) -> Vec<u64> {
    match name {
        "chapter7" => typed(&mut session("inserm", 7, "off"), CHAPTER_7),
        "preemption" => typed(&mut session("lab", 2, "normal"), PREEMPTION),
        "decay" => typed(&mut session("lab", 3, "off"), DECAY),
        "saving" => saved(SAVING, None),
        "python" => saved(PYTHON, None),
        "class" => saved(CLASS, Some("eve")),
        "replay" => replayed(),
        "lesson" => lesson(),
        _ => Vec::new(),
    }
}

fn session(site: &str, seed: u64, background: &str) -> Session {
    let mut files = built_in(site).unwrap_or_default();
    files.0.insert("background".to_owned(), background.to_owned());
    Session::new(Setup { site: site.to_owned(), files, seed, start: START })
}

/// The first user logs in.
fn login(session: &mut Session) -> Option<TtyId> {
    let user = session.world().site.users.first().map(|u| u.name.clone()).unwrap_or_default();
    login_as(session, user)
}

fn login_as(session: &mut Session, user: String) -> Option<TtyId> {
    match session.apply(Input::Login { user, columns: 80, rows: 24 }) {
        InputResult::Terminal(tty) => Some(tty),
        InputResult::Done | InputResult::Run(_) | InputResult::Refused(_) => None,
    }
}

/// The first user types a script.
fn typed(session: &mut Session, script: &TypedScript) -> Vec<u64> {
    let Some(tty) = login(session) else { return Vec::new() };
    let mut hashes = vec![session.world().hash()];
    hashes.extend(script.iter().map(|step| typed_one(session, tty, *step)));
    hashes
}

fn typed_one(session: &mut Session, tty: TtyId, (line, seconds): (&str, i64)) -> u64 {
    session.apply(Input::Type(tty, format!("{line}\n").into_bytes()));
    let until = session.world().now + Span::from_secs(seconds);
    session.run_until(until, 10_000_000);
    session.world().hash()
}

/// Hashes of the session's journal and link after each step, and of sessions resumed from its bytes and its link. A
/// participant is enrolled and types; without one, the first user does.
fn saved(script: &TypedScript, participant: Option<&str>) -> Vec<u64> {
    let mut session = session("lab", 5, "off");
    let login = match participant {
        Some(name) => {
            session.apply(Input::Enrol(name.to_owned()));
            let command =
                format!("sacctmgr -iQ add account {name}; sacctmgr -iQ add user {name} account={name}");
            session.apply(Input::Run { user: "root".to_owned(), command });
            login_as(&mut session, name.to_owned())
        }
        None => login(&mut session),
    };
    let Some(tty) = login else { return Vec::new() };
    let mut hashes = Vec::new();
    for step in script {
        typed_one(&mut session, tty, *step);
        let (setup, bytes) = (session.setup().clone(), session.save());
        let link = Link::of(&session, 1).and_then(|link| link.encode()).unwrap_or_default();
        // The saved bytes themselves may differ: lz4 finds other matches on 32-bit platforms.
        let journal: Vec<u8> = session.journal().entries().iter().flat_map(JournalEntry::encode).collect();
        hashes.extend([fnv1a(&journal), fnv1a(&link)]);
        if let Ok(link) = Link::decode(&link) {
            hashes.push(link.open(setup.clone()).0.world().hash());
        }
        if let Ok((resumed, _)) = Session::resume(setup, Some(&bytes), &[], &BTreeSet::new()) {
            session = resumed;
            hashes.push(session.world().hash());
        }
    }
    hashes
}

/// Replays a trace without scripts on a controller.
fn replayed() -> Vec<u64> {
    let (ctld, _) = controller("lab", &built_in("lab").unwrap_or_default(), START);
    let mut trace = String::new();
    for i in 0..600_u32 {
        let (at, user) = (i * 83 + i % 7 * 11, ["alice", "bob", "carol", "dave", "erin"][(i % 5) as usize]);
        let (runtime, limit) = (60 + i * 7919 % 5000, 90 - i % 17);
        let asks = [
            "-p cpu -n 16",
            "-p cpu -N 2 --ntasks-per-node=8",
            "-p gpu --gpus=2",
            "-p cpu -c 3 --mem=20G",
            "-p cpu -n 1 --exclusive",
            "-p gpu --gpus=4 -q low",
        ];
        let ask = asks[(i % 6) as usize];
        trace += &format!(
            "-dt {at} -e submit_batch_job | -sim-walltime {runtime} --uid={user} {ask} -t {limit} x.sh\n"
        );
    }
    let jobs = events::parse("trace", &trace, &ctld.people).jobs;
    let mut replay = Replay::new(ctld, jobs, START);
    let mut hashes = Vec::new();
    loop {
        let more = replay.run(1000);
        let mut packer = Packer::new(false);
        packer.add(replay.ctld());
        hashes.push(packer.finish().hash);
        if !more {
            hashes.push(fnv1a(format!("{:?}", replay.outcomes()).as_bytes()));
            return hashes;
        }
    }
}

/// A lesson's preparation, and each of its steps with its own solution.
fn lesson() -> Vec<u64> {
    const TEXT: &str = include_str!("../../../examples/lessons/en/10-preemption.md");
    let (lesson, _) = Lesson::read("10-preemption.md", TEXT);
    let files = built_in(&lesson.site).unwrap_or_default();
    let steps = u32::try_from(lesson.steps.len()).unwrap_or(0);
    let after = |steps| {
        let (site, files) = (lesson.site.clone(), files.clone());
        let mut setup = Setup { site, files, seed: lesson.seed, start: lesson.start };
        lesson.prepare(&mut setup);
        let mut session = Session::new(setup);
        let findings = play_up_to(&lesson, steps, &mut session);
        [session.world().hash(), findings.len() as u64]
    };
    [0, steps].into_iter().flat_map(after).collect()
}

/// A busy cluster for benchmarks: 2700 jobs on the site `inserm`, run for this many hours. Returns the number
/// of events.
#[must_use]
pub fn busy(files: &SiteFiles, hours: i64) -> (World, u64) {
    let (mut world, _) = World::new("inserm", files, 1, START);
    for partition in ["CPU-4", "CPU-16", "A100-10"] {
        let command =
            format!("sbatch -p {partition} --array=1-900 -t 20 --wrap 'sleep $((RANDOM % 900 + 30))'");
        world.apply(&Input::Run { user: "alice".to_owned(), command });
    }
    let until = START + Span::from_secs(hours * 3600);
    let mut events = 0_u64;
    while world.now < until && world.step(until) {
        events += 1;
    }
    (world, events)
}
