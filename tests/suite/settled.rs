//! When no more inputs come, every job ends or is pending for a reason that holds. No limit is exceeded on the
//! way, and usage adds up everywhere.

use super::property::holds;
use super::site::files;
use base::ids::JobId;
use base::time::{Span, Time};
use base::verdict::{BackfillVerdict, Blocker, Eligibility, Verdict};
use engine::session::explain;
use engine::session::{Session, Setup};
use engine::world::{Input, InputResult};
use slurmctld::job::{Job, JobState};
use slurmctld::reason::Reason;
use testing::{Random, for_seeds};

/// Runs a world until it is idle, and checks the remaining pending jobs.
pub fn comes_to_rest(session: &mut Session, what: &str) {
    let until = session.world().now + Span::from_secs(36 * 3600);
    let (mut fuel, mut looked) = (400_000, session.world().now);
    while session.step(until) {
        // Check only when virtual time has advanced: events within a moment do not matter.
        if session.world().now != looked {
            holds(session, what);
            looked = session.world().now;
        }
        fuel -= 1;
        assert!(fuel > 0, "too many events, {what}: {}", session.world().now);
    }
    let jobs: Vec<JobId> = session.world().ctld.jobs.values().map(|j| j.id).collect();
    let faults: Vec<String> = jobs.into_iter().filter_map(|id| fault(session, id)).collect();
    assert!(faults.is_empty(), "{what}, at rest:\n{}", faults.join("\n"));
}

/// Why a job should not be in this state once nothing happens any more.
fn fault(session: &Session, id: JobId) -> Option<String> {
    let job = session.world().ctld.job(id)?;
    match job.state {
        // An administrator suspended it.
        JobState::Suspended => None,
        JobState::Pending if !job.flags.completing => {
            let verdict = explain(session, id)?.verdict;
            let wrong = !is_true(job, &verdict);
            wrong.then(|| format!("job {id} waits for {:?}, and {verdict:?}", job.reason))
        }
        state if state.ended() && !job.flags.completing => None,
        state => Some(format!("job {id} is {state:?} for ever: {:?}", job.flags)),
    }
}

/// Whether a job's reason really keeps it from starting.
fn is_true(job: &Job, verdict: &Verdict) -> bool {
    if job.het.is_some() {
        // Backfill sets no reason for components that it cannot place.
        return verdict.starts().is_none();
    }
    let blockers: Vec<&Blocker> = verdict.partitions.iter().map(|p| &p.blocker).collect();
    let any = |is: &dyn Fn(&Blocker) -> bool| blockers.iter().any(|b| is(b));
    if verdict.starts().is_some() {
        return false;
    }
    match (&verdict.eligibility, job.reason) {
        (_, Reason::None) | (Eligibility::Past(_), _) => false,
        (Eligibility::Held { by_admin }, Reason::Held | Reason::HeldUser) => {
            *by_admin == (job.reason == Reason::Held)
        }
        (Eligibility::Held { .. }, _) => true,
        (Eligibility::Depends(_), reason) => matches!(reason, Reason::Dependency | Reason::DepInvalid),
        (Eligibility::Begins { .. }, reason) => reason == Reason::Time,
        (Eligibility::Queued { .. }, Reason::Priority) => {
            any(&|b| matches!(b, Blocker::Behind(_) | Blocker::Nodes))
        }
        (Eligibility::Queued { .. }, Reason::Resources) => {
            any(&|b| matches!(b, Blocker::Nodes | Blocker::Preempts(_)))
        }
        (Eligibility::Queued { .. }, reason) if reason.is_limit() => {
            let by_backfill = match &verdict.backfill {
                BackfillVerdict::Limited(limit) => limit.reason == reason.text(),
                _ => false,
            };
            by_backfill || any(&|b| matches!(b, Blocker::Limit(limit) if limit.reason == reason.text()))
        }
        (Eligibility::Queued { .. }, Reason::Licenses) => any(&|b| matches!(b, Blocker::Licenses(_))),
        (Eligibility::Queued { .. }, Reason::ArrayTaskLimit) => false,
        (Eligibility::Queued { .. }, Reason::Dependency | Reason::Held | Reason::HeldUser) => false,
        (Eligibility::Queued { .. }, _) => true,
    }
}

/// A cluster on which each QOS has a different limit.
fn limits(seed: u64) -> Setup {
    let start = Time::from_secs(1_795_240_458);
    Setup { site: "lab".to_owned(), files: files("tests/corpus/clusters/limits"), seed, start }
}

const PEOPLE: &[&str] = &["alice", "bob", "carol", "dave", "erin"];
const QOS: &[&str] = &[
    "pujobs",
    "pucpu",
    "pjcpu",
    "wall",
    "grpcpu",
    "grpjobs",
    "grpnode",
    "grpgpu",
    "pugpu",
    "grpmem",
    "pumem",
    "grpmins",
    "pjmins",
    "grpwall",
    "paccjobs",
    "pacccpu",
    "mincpu",
    "pnode",
    "nodelimit",
    "runmins",
    "normal",
];

/// A random user submits something, mostly with few QOS, so that limits are reached.
fn someone_submits(random: &mut Random, some: &[&str]) -> Input {
    let user = random.of(PEOPLE).to_owned();
    let mut line = format!(
        "sbatch -q {} -t {} -n {}",
        random.of(some),
        random.below(14) + 1,
        random.of(&["1", "1", "2", "3", "4", "6", "8", "12", "20"])
    );
    line += match random.below(8) {
        0 => " --mem=6G",
        1 => " -N2",
        2 => " -p gpu --gres=gpu:1",
        3 => " --array=1-4",
        4 => " --exclusive",
        // Components that can never run together would block all jobs.
        5 if user == "alice" => " -q normal : -q normal -n 1",
        6 => " -p batch,long",
        _ => "",
    };
    Input::Run { user, command: line + &format!(" --wrap='sleep {}'", random.below(700)) }
}

/// A random change of something that limits depend on.
fn something_changes(random: &mut Random) -> Input {
    let job = random.below(40) + 1;
    let qos = random.of(QOS);
    let command = match random.below(6) {
        0 => format!("sacctmgr -i modify account physics set GrpTRES=cpu={}", random.below(40)),
        1 => format!("sacctmgr -i modify user bob set MaxJobs={}", random.below(4)),
        2 => format!("scontrol update jobid={job} qos={qos}"),
        3 => format!("scontrol update jobid={job} timelimit={}", random.below(14) + 1),
        4 => format!("scontrol requeue {job}"),
        _ => format!(
            "sacctmgr -i modify qos grpcpu set GrpTRES=cpu={} Flags={}",
            random.below(20),
            random.of(&["OverPartQOS", "-1", "DenyOnLimit"])
        ),
    };
    Input::Run { user: "root".to_owned(), command }
}

#[test]
fn where_everything_is_limited() {
    for_seeds(seeds(41, 4), |seed, random| {
        let mut session = Session::new(limits(seed));
        let some: Vec<&str> = (0..3).map(|_| random.of(QOS)).collect();
        if seed % 3 == 0 {
            let command = format!("scontrol update partitionname=batch qos={}", random.of(QOS));
            session.apply(Input::Run { user: "root".to_owned(), command });
        }
        for _ in 0..70 {
            if random.is_used_up() {
                break;
            }
            let input = match random.below(6) {
                0 => something_changes(random),
                _ => someone_submits(random, &some),
            };
            let what = format!("seed {seed}: {input:?}");
            session.apply(input);
            let until = session.world().now + Span::from_secs(random.below(60));
            while session.step(until) {
                holds(&session, &what);
            }
        }
        comes_to_rest(&mut session, &format!("seed {seed}"));
    });
}

/// The number of seeds in `SEEDS`, or a few by default.
pub fn seeds(first: u64, few: u64) -> std::ops::Range<u64> {
    let count = std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(few);
    first..first + count
}

/// The output of a command by root.
fn ask(session: &mut Session, command: &str) -> String {
    let input = Input::Run { user: "root".to_owned(), command: command.to_owned() };
    let InputResult::Run(run) = session.apply(input) else { panic!("{command}") };
    let until = session.world().now + Span::from_secs(60);
    while session.world().run_result(run).exit.is_none() && session.step(until) {}
    String::from_utf8_lossy(&session.world().run_result(run).stdout).into_owned()
}

/// The sum of the last column over the rows whose first columns are these.
fn sum(rows: &str, of: &[&str]) -> u64 {
    let cells = rows.lines().map(|l| l.split('|').map(str::trim).collect::<Vec<_>>());
    let mine = cells.filter(|c| c.starts_with(of));
    mine.map(|c| c[c.len() - 1].parse::<u64>().expect("a number")).sum()
}

#[test]
fn usage_adds_up() {
    for_seeds(seeds(61, 3), |seed, random| {
        let mut setup = limits(seed);
        let conf = setup.files.0["slurm.conf"].replace("HalfLife=7-0", "HalfLife=0");
        setup.files.0.insert("slurm.conf".to_owned(), conf);
        let mut session = Session::new(setup);
        for _ in 0..50 {
            if random.is_used_up() {
                break;
            }
            let input = match random.below(8) {
                0 => {
                    let what = random.of(&["requeue", "hold", "release"]);
                    let command = format!("scontrol {what} {}", random.below(30) + 1);
                    Input::Run { user: "root".to_owned(), command }
                }
                _ => someone_submits(random, &["normal"]),
            };
            session.apply(input);
            let until = session.world().now + Span::from_secs(random.below(90));
            while session.step(until) {
                holds(&session, "usage");
            }
        }
        comes_to_rest(&mut session, &format!("seed {seed}"));
        let jobs = ask(&mut session, "sacct -n -P -X -D -a -S 2020-01-01 -o account,user,cputimeraw");
        let shares = ask(&mut session, "sshare -n -P -a -o account,user,rawusage");
        let rolled = ask(
            &mut session,
            "sreport -n -P -t seconds cluster AccountUtilizationByUser start=2026-01-01 end=now format=account,login,used",
        );
        let all = sum(&jobs, &[]);
        assert!(all > 10_000 || random.is_used_up(), "seed {seed}: {jobs}");
        assert_eq!(sum(&shares, &["root", ""]), all, "seed {seed}\n{shares}\n{jobs}");
        assert_eq!(sum(&rolled, &["root", ""]), all, "seed {seed}\n{rolled}\n{jobs}");
        for account in ["physics", "chemistry", "staff"] {
            let used = sum(&jobs, &[account]);
            assert_eq!(sum(&shares, &[account, ""]), used, "seed {seed}: {account}\n{shares}\n{jobs}");
            assert_eq!(sum(&rolled, &[account, ""]), used, "seed {seed}: {account}\n{rolled}\n{jobs}");
            for user in PEOPLE {
                let used = sum(&jobs, &[account, user]);
                assert_eq!(sum(&shares, &[account, user]), used, "seed {seed}: {user}\n{shares}\n{jobs}");
                assert_eq!(sum(&rolled, &[account, user]), used, "seed {seed}: {user}\n{rolled}\n{jobs}");
            }
        }
    });
}
