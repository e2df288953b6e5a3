//! A world with users, administrators, failures and time, with every invariant checked after every event.
//!
//! `tests/suite/property.rs` does the same on fixed sites. This one changes the cluster too: files that are edited and read
//! again, accounts, limits, partitions, nodes with less memory than their jobs hold, and saving and resuming.

use super::{START, files, holds};
use base::time::Span;
use config::SiteFiles;
use engine::session::{Session, Setup};
use engine::world::Input;
use std::collections::BTreeSet;
use testing::{Random, fuzz};

const SITES: &[&str] = &[
    "tests/corpus/clusters/lab",
    "tests/corpus/clusters/preempt-qos",
    "tests/corpus/clusters/limits",
    "examples/sites/lab",
    "examples/sites/mila",
    "tests/corpus/clusters/preempt-gang",
];

const USERS: &[&str] = &["alice", "bob", "carol", "dave", "root"];

/// The names in a cluster.
struct Names {
    nodes: Vec<String>,
    partitions: Vec<String>,
    accounts: Vec<String>,
    qos: Vec<String>,
}

impl Names {
    fn of(session: &Session) -> Self {
        let ctld = &session.world().ctld;
        Self {
            nodes: ctld.nodes.iter().filter(|node| !node.gone).map(|node| node.conf.name.clone()).collect(),
            partitions: ctld.partitions.iter().map(|part| part.name.clone()).collect(),
            accounts: ctld.dbd.accounts.keys().cloned().collect(),
            qos: ctld.dbd.qos.iter().filter(|qos| !qos.deleted).map(|qos| qos.name.clone()).collect(),
        }
    }
}

/// A random element; `x` if there is none.
fn any<'a>(random: &mut Random, list: &'a [String]) -> &'a str {
    if list.is_empty() { "x" } else { &list[random.below(list.len())] }
}

fn submission(random: &mut Random, names: &Names) -> String {
    let mut line = random.of(&["sbatch", "sbatch", "sbatch", "srun", "salloc"]).to_owned();
    for _ in 0..random.below(6) {
        let n = random.below(40_u32);
        line += &match random.below(22) {
            0 => format!(" -p {}", any(random, &names.partitions)),
            1 => format!(" -n {n}"),
            2 => format!(" -N {}", n % 5),
            3 => format!(" -c {}", n % 9),
            4 => format!(" --mem={}", n * 900),
            5 => format!(" --mem-per-cpu={}", n * 200),
            6 => format!(" --gres=gpu:{}", n % 4),
            7 => format!(" -t {n}"),
            8 => " --exclusive".to_owned(),
            9 => format!(" --qos={}", any(random, &names.qos)),
            10 => format!(" -A {}", any(random, &names.accounts)),
            11 => format!(
                " -d {}:{n}",
                random.of(&["after", "afterok", "afterany", "afternotok", "singleton,after"])
            ),
            12 => format!(" -w {}", any(random, &names.nodes)),
            13 => format!(" --begin=now+{n}"),
            14 => " --requeue".to_owned(),
            15 => format!(" --nice={n}"),
            16 => " --overcommit".to_owned(),
            17 => format!(" --ntasks-per-node={}", n % 7),
            18 => " --immediate=5".to_owned(),
            19 => format!(" --signal=USR1@{n}"),
            20 => " --no-kill".to_owned(),
            _ => " -s".to_owned(),
        };
    }
    let seconds = random.below(400);
    if line.starts_with("sbatch") {
        if random.below(5) == 0 {
            line += &format!(" --array=1-{}%{}", random.below(8) + 1, random.below(4) + 1);
        }
        format!("{line} --wrap='srun sleep {seconds}; exit {}'", random.below(2))
    } else {
        format!("{line} sleep {} &", seconds % 60)
    }
}

fn users_command(random: &mut Random, names: &Names) -> String {
    let job = random.below(60) + 1;
    match random.below(12) {
        0..=6 => submission(random, names),
        7 => format!("scancel {job}"),
        8 => format!(
            "scontrol {} {job}",
            random.of(&["hold", "release", "requeue", "suspend", "resume", "top"])
        ),
        9 => format!(
            "scontrol update jobid={job} {}",
            random.of(&[
                "timelimit=3",
                "numnodes=1-2",
                "partition=",
                "nice=9",
                "starttime=now+30",
                "mincpusnode=2",
                "reqnodelist="
            ])
        ),
        10 => format!(
            "sbatch -N 2 {} --wrap 'sleep 50' ",
            random.of(&[": -n 1", "-d expand:1", "--switches=1@5"])
        ),
        _ => "squeue; sinfo; sacct; sprio; sshare -a".to_owned(),
    }
}

fn administration(random: &mut Random, names: &Names) -> String {
    let node = any(random, &names.nodes);
    let (part, qos, account) =
        (any(random, &names.partitions), any(random, &names.qos), any(random, &names.accounts));
    let n = random.below(30_u32);
    let conf = "/etc/slurm/slurm.conf";
    match random.below(20) {
        0 => format!(
            "scontrol update nodename={node} state={} reason=x",
            random.of(&["drain", "down", "resume", "fail", "idle", "undrain", "power_down", "power_up"])
        ),
        1 => format!(
            "scontrol update partition={part} state={}",
            random.of(&["up", "down", "drain", "inactive"])
        ),
        2 => format!(
            "scontrol update partition={part} {}",
            random.of(&[
                "maxtime=5",
                "maxnodes=1",
                "oversubscribe=force:2",
                "priorityjobfactor=9",
                "prioritytier=3",
                "preemptmode=requeue",
                "allowaccounts=x",
                "nodes=ALL",
                "defmempercpu=100"
            ])
        ),
        3 => format!(
            "sacctmgr -i modify qos {qos} set {}",
            random.of(&[
                "maxjobspu=1",
                "grptres=cpu=4",
                "priority=100",
                "maxwall=5",
                "preempt=normal",
                "flags=DenyOnLimit",
                "grptres=cpu=-1",
                "usagefactor=2"
            ])
        ),
        4 => format!(
            "sacctmgr -i modify account {account} set {}",
            random.of(&[
                "grptres=cpu=3",
                "maxjobs=1",
                "fairshare=9",
                "grpjobs=-1",
                "grptres=cpu=-1",
                "maxsubmitjobs=3"
            ])
        ),
        5 => format!("sacctmgr -i add account acc{n} parent={account} fairshare={n}"),
        6 => format!("sacctmgr -i delete account {account}"),
        7 => format!("sacctmgr -i add user {} account={account}", random.of(USERS)),
        8 => format!("sacctmgr -i delete user {} account={account}", random.of(USERS)),
        // Nodes with less, or more, memory than their jobs hold, and other changes of the files.
        9 | 10 => format!(
            "sed -i 's/RealMemory=[0-9]*/RealMemory={}/' {conf} && scontrol reconfigure",
            [100, 900, 5000, 64000, 128_000][random.below(5_usize)]
        ),
        11 => format!(
            "sed -i 's/CPUs=[0-9]*/CPUs={}/' {conf} && scontrol reconfigure",
            random.of(&["2", "4", "8", "16"])
        ),
        12 => format!(
            "sed -i 's/^PartitionName={part} .*/PartitionName={part} Nodes=ALL/' {conf} && scontrol reconfigure"
        ),
        13 => format!(
            "sed -i '/^SchedulerParameters/d' {conf}; echo SchedulerParameters={} >> {conf}; scontrol reconfigure",
            random.of(&[
                "bf_max_job_test=2",
                "bf_continue",
                "default_queue_depth=1",
                "defer",
                "bf_window=5",
                "preempt_youngest_first"
            ])
        ),
        14 => format!(
            "scontrol create reservation start=now+{n} duration=5 users=alice nodes={node} {}",
            random.of(&["", "flags=maint,ignore_jobs", "flags=daily"])
        ),
        15 => format!("scontrol delete reservation={}", random.of(&["root_1", "root_2", "root_3"])),
        16 => format!("scontrol reboot {} {node}", random.of(&["", "asap"])),
        17 => format!("scontrol create partitionname=p{n} nodes={node}"),
        18 => format!("scontrol delete partitionname={part}"),
        _ => format!(
            "scontrol create nodename=dyn{n} CPUs=4 RealMemory=4000 State=CLOUD; scontrol delete nodename={node}"
        ),
    }
}

/// Saves the session and opens it again: the same world, without a notice.
fn reopened(session: Session, setup: &Setup) -> Session {
    let hash = session.world().hash();
    let bytes = session.save();
    let (again, notices) = Session::resume(setup.clone(), Some(&bytes), &[], &BTreeSet::new())
        .unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(notices, [], "a saved session opens without a notice");
    assert_eq!(again.world().hash(), hash, "and is the same");
    again
}

#[test]
fn worlds() {
    let sites: Vec<(&str, SiteFiles)> = SITES.iter().map(|site| (*site, files(site))).collect();
    fuzz("worlds", 6, |random| {
        let (site, files) = &sites[random.below(sites.len())];
        let setup = Setup { site: (*site).to_owned(), files: files.clone(), seed: 1, start: START };
        let mut session = Session::new(setup.clone());
        let rounds = 40;
        for round in 0..rounds {
            if random.is_used_up() {
                break;
            }
            let names = Names::of(&session);
            let input = match random.below(8) {
                0 => Input::NodeUp { node: any(random, &names.nodes).to_owned(), up: random.below(2) == 0 },
                1..=2 => Input::Run { user: "root".to_owned(), command: administration(random, &names) },
                _ => Input::Run { user: random.of(USERS).to_owned(), command: users_command(random, &names) },
            };
            let what = format!("{site}, round {round}: {input:?}");
            session.apply(input);
            holds(session.world(), &what);
            let until = session.world().now + Span::from_secs(random.below(90));
            let mut fuel = 200_000;
            while session.step(until) {
                holds(session.world(), &what);
                fuel -= 1;
                assert!(fuel > 0, "too many events, {what}");
            }
        }
        let session = reopened(session, &setup);
        holds(session.world(), "reopening");
    });
}
