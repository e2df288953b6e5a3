//! Property tests: random inputs, with `World::check` after every event. Inputs that break an invariant are shrunk.

use super::settled;
use super::site::{files, inserm};
use base::time::{Span, Time};
use engine::session::{Session, Setup};
use engine::world::Input;
use testing::{Random, for_seeds};

pub const USERS: &[&str] = &["alice", "bob", "carol", "dave"];

/// A random action of a user.
fn anything(random: &mut Random, nodes: &[String], partitions: &[String]) -> Input {
    let user = random.of(USERS).to_owned();
    let job = random.below(60) + 1;
    let parts: Vec<&str> = partitions.iter().map(String::as_str).collect();
    let command = match random.below(18) {
        0..=4 => submit(random, &parts),
        5 => format!("sbatch --array=1-{}%{} --wrap='sleep 40'", random.below(30) + 1, random.below(5) + 1),
        6 => format!(
            "sbatch -d {}:{job} --wrap='sleep 9'",
            random.of(&["after", "afterok", "afternotok", "afterany"])
        ),
        14 => format!(
            "sbatch --array=1-{} -d {}:{job} --wrap='sleep 20; exit {}'",
            random.below(6) + 1,
            random.of(&["aftercorr", "afterok", "singleton,after"]),
            random.below(2)
        ),
        15 => "sbatch -n 2 -t 5 : -n 1 --wrap='sleep 60'".to_owned(),
        16 => format!("scontrol requeue{} {job}", random.of(&["", "hold", " State=SpecialExit"])),
        17 => format!(
            "scontrol update jobid={job}_{} {}",
            random.below(6) + 1,
            random.of(&["nice=5", "dependency=singleton", "starttime=now+60", "numnodes=2", "jobname=x"])
        ),
        7 => format!("scancel {job}"),
        8 => format!("scancel -s {} {job}", random.of(&["KILL", "USR1", "TERM"])),
        9 => format!("scontrol {} {job}", random.of(&["hold", "release", "requeue", "suspend", "resume"])),
        10 => format!("srun -n {} -t 1 sleep {}", random.below(6) + 1, random.below(90)),
        11 => {
            let node = &nodes[random.below(nodes.len())];
            return Input::NodeUp { node: node.clone(), up: random.below(2) == 0 };
        }
        12 => {
            let node = &nodes[random.below(nodes.len())];
            let state = random.of(&["drain reason=test", "resume", "down reason=test"]);
            let command = format!("scontrol update nodename={node} state={state}");
            return Input::Run { user: "root".to_owned(), command };
        }
        _ => format!("scontrol update jobid={job} timelimit={}", random.below(20) + 1),
    };
    let user = if random.below(8) == 0 { "root".to_owned() } else { user };
    Input::Run { user, command }
}

fn submit(random: &mut Random, partitions: &[&str]) -> String {
    let mut line = format!("sbatch -p {} -t {}", random.of(partitions), random.below(10) + 1);
    if random.below(2) == 0 {
        line += &format!(" -n {}", random.below(20) + 1);
    }
    if random.below(3) == 0 {
        line += &format!(" -c {}", random.below(5) + 1);
    }
    if random.below(3) == 0 {
        line += &format!(" --mem={}M", random.below(20_000) + 1);
    }
    if random.below(4) == 0 {
        line += &format!(" --gres=gpu:{}", random.below(3) + 1);
    }
    if random.below(6) == 0 {
        line += " --exclusive";
    }
    line + &format!(" --wrap='sleep {}; exit {}'", random.below(900), random.below(3))
}

/// A random action of an administrator on nodes, reservations and licences.
fn administration(random: &mut Random, nodes: &[String]) -> Input {
    let node = &nodes[random.below(nodes.len())];
    let name = random.of(&["r1", "r2", "r3"]);
    let users = random.of(&["users=alice", "users=bob,carol", "users=-dave", "users=root"]);
    let flags = random.of(&[
        "",
        "flags=maint",
        "flags=ignore_jobs",
        "flags=flex,ignore_jobs",
        "flags=daily",
        "flags=purge_comp=1",
    ]);
    let size = match random.below(3) {
        0 => format!("nodes={node}"),
        1 => format!("nodecnt={}", random.below(3) + 1),
        _ => format!("nodes={node} licenses=matlab:1"),
    };
    let (soon, long) = (random.below(10), random.below(30) + 1);
    let command = match random.below(15) {
        0..=3 => format!(
            "scontrol create reservation reservationname={name} starttime=now+{soon}minutes duration={long} {size} {users} {flags}"
        ),
        4 => format!("scontrol delete reservationname={name}"),
        5 => format!("scontrol update reservationname={name} duration={long}"),
        6 => format!("scontrol reboot {} {node}", random.of(&["ASAP", "nextstate=DOWN", ""])),
        7 => format!("scontrol power {} {node}", random.of(&["up", "down", "down asap", "down force"])),
        8 => format!(
            "scontrol update nodename={node} state={}",
            random.of(&["fail reason=x", "undrain", "idle", "noresp"])
        ),
        9 => format!("scontrol update nodename={node} state=drain reason=x resumeafter={long}"),
        10 => format!("sbatch --reservation={name} -t {long} --wrap='sleep {soon}0'"),
        11 => format!(
            "scontrol create nodename=dy{long} CPUs=8 RealMemory=32000 State={} Features=intel",
            random.of(&["CLOUD", "FUTURE"])
        ),
        12 => format!("scontrol delete nodename={}", random.of(&[node, "dy[1-9]", "dy1,dy12"])),
        13 => format!(
            "scontrol update nodename={node},dy{long} {}",
            random.of(&[
                "gres=gpu:2",
                "gres=",
                "availablefeatures=avx,intel",
                "features=avx",
                "state=resume"
            ])
        ),
        _ => format!("sbatch -L matlab:{} -t {long} --wrap='sleep {long}'", random.below(3)),
    };
    let user = if random.below(6) == 0 { "alice" } else { "root" };
    Input::Run { user: user.to_owned(), command }
}

/// Asserts that all invariants hold.
pub fn holds(session: &Session, what: &str) {
    if let Err(broken) = session.world().check() {
        panic!("at {} after {what}:\n{}", session.world().now, broken.join("\n"));
    }
}

fn weather(setup: Setup, seed: u64, random: &mut Random, inputs: u32) {
    let mut session = Session::new(setup);
    let nodes: Vec<String> = session.world().ctld.nodes.iter().map(|n| n.conf.name.clone()).collect();
    let parts: Vec<String> = session.world().ctld.partitions.iter().map(|p| p.name.clone()).collect();
    for _ in 0..inputs {
        if random.is_used_up() {
            break;
        }
        let input = if random.below(3) == 0 {
            administration(random, &nodes)
        } else {
            anything(random, &nodes, &parts)
        };
        let what = format!("seed {seed}: {input:?}");
        session.apply(input);
        holds(&session, &what);
        let until = session.world().now + Span::from_secs(random.below(90));
        let mut fuel = 200_000;
        while session.step(until) {
            holds(&session, &what);
            fuel -= 1;
            assert!(fuel > 0, "too many events, {what}");
        }
    }
    settled::comes_to_rest(&mut session, &format!("seed {seed}"));
}

#[test]
fn on_the_inserm_site() {
    for_seeds(settled::seeds(1, 6), |seed, random| weather(inserm(seed), seed, random, 60));
}

#[test]
fn on_the_lab_cluster() {
    let start = Time::from_secs(1_795_240_458);
    let setup =
        |seed| Setup { site: "lab".to_owned(), files: files("tests/corpus/clusters/lab"), seed, start };
    for_seeds(settled::seeds(11, 6), |seed, random| weather(setup(seed), seed, random, 60));
}

#[test]
fn with_preemption() {
    let start = Time::from_secs(1_795_240_458);
    let clusters = ["preempt-part", "preempt-gang", "preempt-qos", "mila"];
    for (seed, cluster) in settled::seeds(21, 4).zip(clusters.iter().cycle()) {
        let files = files(&format!("tests/corpus/clusters/{cluster}"));
        for_seeds([seed], |seed, random| {
            let setup = Setup { site: (*cluster).to_owned(), files: files.clone(), seed, start };
            weather(setup, seed, random, 80);
        });
    }
}

#[test]
fn with_labels_on_dynamic_nodes() {
    let start = Time::from_secs(1_795_240_458);
    let conf = std::fs::read_to_string("tests/corpus/clusters/lab/slurm.conf").expect("the lab's slurm.conf");
    let more = "MCSPlugin=mcs/user\nMCSParameters=enforced,select\nMaxNodeCount=30\nNodeSet=intel Feature=intel\n\
                PartitionName=set Nodes=intel,gpu01\n";
    let ways = ["bf_busy_nodes,sched_max_job_start=2", "pack_serial_at_end,bf_one_resv_per_job"];
    for (seed, way) in (31..).zip(ways.iter().cycle().take(4)) {
        let mut all = files("tests/corpus/clusters/lab");
        all.0.insert("slurm.conf".to_owned(), format!("{conf}\nSchedulerParameters={way}\n{more}"));
        for_seeds([seed], |seed, random| {
            let setup = Setup { site: "lab".to_owned(), files: all.clone(), seed, start };
            weather(setup, seed, random, 60);
        });
    }
}

#[test]
fn on_cloud_nodes() {
    let start = Time::from_secs(1_795_240_458);
    let conf = std::fs::read_to_string("tests/corpus/clusters/lab/slurm.conf").expect("the lab's slurm.conf");
    let power = "SuspendProgram=/bin/true\nResumeProgram=/bin/true\nSuspendTime=40\nSuspendTimeout=20\n\
                 ResumeTimeout=60\nSuspendRate=3\nResumeRate=2\nSuspendExcNodes=gpu[01-04]:1\nLicenses=matlab:2\n";
    let conf = conf
        .replace("Licenses=matlab:2,ansys:10\n", power)
        .replace("Feature=intel", "State=CLOUD Feature=intel");
    let setup = |seed| {
        let mut all = files("tests/corpus/clusters/lab");
        all.0.insert("slurm.conf".to_owned(), conf.clone());
        Setup { site: "lab".to_owned(), files: all, seed, start }
    };
    for_seeds(settled::seeds(21, 6), |seed, random| weather(setup(seed), seed, random, 60));
}
