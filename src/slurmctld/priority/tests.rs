//! The formulas: Slurm's own test case for Fair Tree, classic fair share as computed on its manual page, and a table
//! for each factor.

use super::decay::next_reset;
use super::fair_tree::{self, FairShare};
use super::tree::ShareTree;
use super::{classic, multifactor};
use crate::Slurmctld;
use crate::rpc::request::{Caller, JobUpdate, Request, Response, Target};
use crate::state::billing;
use crate::state::job::{Job, JobDesc, JobState};
use base::ids::{PartId, Uid};
use base::time::{Limit, Time};
use base::tres::Tres;
use config::{Cluster, PriorityFlags, SiteFiles, UsageReset};
use slurmdbd::{AccountingChange, ROOT, Slurmdbd};
use std::sync::Arc;

/// `name(parent,shares[,usage])`, users marked with `*`.
fn database(text: &str) -> (Slurmdbd, Vec<(String, f64)>) {
    let (mut dbd, mut used) = (Slurmdbd::new("test"), Vec::new());
    for word in text.split_whitespace() {
        let (name, rest) = word.split_once('(').unwrap_or((word, ""));
        let parts: Vec<&str> = rest.trim_end_matches(')').split(',').collect();
        let settings = vec![("Fairshare".to_owned(), parts[1].to_owned())];
        let parent = parts[0].to_ascii_lowercase();
        let change = match name.strip_suffix('*') {
            Some(user) => {
                used.push((user.to_ascii_lowercase(), parts[2].parse().unwrap_or(0.0)));
                AccountingChange::AddUser {
                    name: user.to_owned(),
                    account: parent,
                    partition: None,
                    settings,
                }
            }
            None => AccountingChange::AddAccount { name: name.to_owned(), parent, settings },
        };
        assert!(dbd.apply(&change, ROOT).is_ok(), "{word}");
    }
    (dbd, used)
}

/// Usage in the order of the tree; accounts get the sum of their users.
fn usage(dbd: &Slurmdbd, tree: &ShareTree, used: &[(String, f64)]) -> Vec<f64> {
    let of = |id| -> f64 {
        let below = |user: &str| {
            dbd.live().any(|a| a.user.as_deref() == Some(user) && dbd.chain(a.id).any(|up| up.id == id))
        };
        used.iter().filter(|(user, _)| below(user)).map(|(_, raw)| raw).sum()
    };
    tree.nodes.iter().map(|n| of(n.assoc)).collect()
}

const ORACLE: &str = "aA(root,40) aAA(aA,30) uAA1*(aAA,1,20) aAB(aA,10) uAB1*(aAB,1,25) uAB2*(aAB,1,0) aB(root,60) \
    aBA(aB,25) uBA1*(aBA,1,25) aBB(aB,35) uBB1*(aBB,1,0) aC(root,0) uC1*(aC,0,30) aD(root,50) aDA(aD,parent) \
    uDA1*(aDA,parent,10) uDA2*(aDA,30,10) uDA3*(aDA,50,25) uD1*(aD,parent,20) uD2*(aD,40,20) uD3*(aD,50,25) aE(root,10) \
    aE1*(aE,10,0) aE2*(aE,10,0) u1*(root,10,0) aF(root,20) uF1*(aF,10,0) uF2*(aF,20,0) aG(root,8) uG1*(aG,10,10) \
    aGA(aG,10) uGA1*(aGA,20,4) uGA2*(aGA,20,6) u2*(root,10,10)";

/// Account, user, NormShares, NormUsage, EffectvUsage, FairShare, LevelFS, as sshare prints them, with LevelFS `-` if
/// it prints none.
const ORACLE_ROWS: &str = "\
u1 0.048077 0.000000 0.000000 1.000000 inf
u2 0.048077 0.041667 0.041667 0.666667 1.153846
aA 0.192308 0.187500 0.187500 - 1.025641
aAA 0.750000 0.083333 0.444444 - 1.687500
uAA1 1.000000 0.083333 1.000000 0.619048 1.000000
aAB 0.250000 0.104167 0.555556 - 0.450000
uAB1 0.500000 0.104167 1.000000 0.523810 0.500000
uAB2 0.500000 0.000000 0.000000 0.571429 inf
aB 0.288462 0.104167 0.104167 - 2.769231
aBA 0.416667 0.104167 1.000000 - 0.416667
uBA1 1.000000 0.104167 1.000000 0.714286 1.000000
aBB 0.583333 0.000000 0.000000 - inf
uBB1 1.000000 0.000000 0.000000 0.761905 inf
aC 0.000000 0.125000 0.125000 - 0.000000
uC1 0.000000 0.125000 1.000000 0.047619 0.000000
aD 0.240385 0.458333 0.458333 - 0.524476
uD1 0.240385 0.083333 0.181818 0.476190 -
uD2 0.235294 0.083333 0.181818 0.238095 1.294118
uD3 0.294118 0.104167 0.227273 0.333333 1.294118
aDA 0.240385 0.187500 0.409091 - -
uDA1 0.240385 0.041667 0.090909 0.476190 -
uDA2 0.176471 0.041667 0.090909 0.380952 1.941176
uDA3 0.294118 0.104167 0.227273 0.333333 1.294118
aE 0.048077 0.000000 0.000000 - inf
aE1 0.500000 0.000000 0.000000 1.000000 inf
aE2 0.500000 0.000000 0.000000 1.000000 inf
aF 0.096154 0.000000 0.000000 - inf
uF1 0.333333 0.000000 0.000000 1.000000 inf
uF2 0.666667 0.000000 0.000000 1.000000 inf
aG 0.038462 0.083333 0.083333 - 0.461538
uG1 0.500000 0.041667 0.500000 0.190476 1.000000
aGA 0.500000 0.041667 0.500000 - 1.000000
uGA1 0.500000 0.016667 0.400000 0.190476 1.250000
uGA2 0.500000 0.025000 0.600000 0.095238 0.833333";

#[test]
fn fair_tree_as_slurms_own_oracle() {
    let (dbd, used) = database(ORACLE);
    let tree = without_roots_user(ShareTree::of(&dbd), &dbd);
    let found = fair_tree::rank(&tree, &usage(&dbd, &tree, &used));
    for row in ORACLE_ROWS.lines() {
        let name = row.split(' ').next().unwrap_or_default().to_ascii_lowercase();
        let same = |a: &slurmdbd::Assoc| a.user.as_deref().map_or(a.account == name, |user| user == name);
        let id = dbd.live().find(|a| same(a)).map(|a| a.id).unwrap_or_default();
        let index = tree.nodes.iter().position(|n| n.assoc == id).unwrap_or_default();
        let (node, s): (_, FairShare) = (&tree.nodes[index], found[index]);
        let or = |shown: bool, value: f64| if shown { format!("{value:.6}") } else { "-".to_owned() };
        let got = format!(
            "{name} {:.6} {:.6} {:.6} {} {}",
            node.share,
            s.usage,
            s.effective,
            or(node.is_user, s.factor),
            or(node.own, s.level)
        );
        assert_eq!(got, row.to_ascii_lowercase());
    }
}

/// The oracle's cluster has no user root.
fn without_roots_user(mut tree: ShareTree, dbd: &Slurmdbd) -> ShareTree {
    let is_roots =
        |n: &super::tree::ShareNode| dbd.assoc(n.assoc).is_some_and(|a| a.user.as_deref() == Some(ROOT));
    let index = tree.nodes.iter().position(is_roots).unwrap_or_default();
    let at = u32::try_from(index).unwrap_or_default();
    tree.nodes[0].children.retain(|c| *c != at);
    tree.users -= 1;
    let sum = 208.0;
    for node in tree.nodes.iter_mut().filter(|n| n.level == 0 && n.own) {
        // User root had one share of 209.
        node.share = node.share * 209.0 / sum;
    }
    let shares: Vec<f64> = tree.nodes.iter().map(|n| n.share).collect();
    for node in tree.nodes.iter_mut().filter(|n| !n.own) {
        node.share = shares[node.level as usize];
    }
    tree
}

#[test]
fn equal_accounts_are_not_merged() {
    // By the manual's rule, b1 would get the first rank. Slurm walks the accounts one after the other.
    let (dbd, used) = database("a(root,1) a1*(a,2,1) a2*(a,1,3) b(root,1) b1*(b,3,1) b2*(b,1,3)");
    let tree = ShareTree::of(&dbd);
    let found = fair_tree::rank(&tree, &usage(&dbd, &tree, &used));
    let factor = |user: &str| {
        let id = dbd.live().find(|a| a.user.as_deref() == Some(user)).map(|a| a.id).unwrap_or_default();
        let index = tree.nodes.iter().position(|n| n.assoc == id).unwrap_or_default();
        found[index].factor
    };
    // User root, without usage, comes first of five.
    assert_eq!(["root", "a1", "a2", "b1", "b2"].map(factor), [1.0, 0.8, 0.6, 0.6, 0.2]);
}

#[test]
fn classic_fair_share_as_its_page_works_it_out() {
    let (dbd, used) = database(
        "A(root,40) B(A,30) user1*(B,1,20) C(A,10) user2*(C,1,25) user3*(C,1,0) D(root,59) user4*(D,1,55)",
    );
    let tree = ShareTree::of(&dbd);
    let usage = usage(&dbd, &tree, &used);
    let mut conf = conf("").cluster.global.priority.clone();
    let mut found = vec![FairShare::default(); tree.nodes.len()];
    classic::accounts(&tree, &usage, &conf, &mut found);
    classic::users(&tree, &usage, &conf, &mut found);
    let row = |user: &str, found: &[FairShare]| {
        let id = dbd.live().find(|a| a.user.as_deref() == Some(user)).map(|a| a.id).unwrap_or_default();
        let index = tree.nodes.iter().position(|n| n.assoc == id).unwrap_or_default();
        let s = found[index];
        format!("{:.6} {:.6} {:.6}", tree.nodes[index].depth_share, s.effective, s.factor)
    };
    assert_eq!(row("user1", &found), "0.300000 0.387500 0.408479");
    assert_eq!(row("user2", &found), "0.050000 0.275000 0.022097");
    assert_eq!(row("user3", &found), "0.050000 0.150000 0.125000");
    conf.dampening = 2;
    classic::users(&tree, &usage, &conf, &mut found);
    assert_eq!(row("user3", &found), "0.050000 0.150000 0.353553");
}

/// A controller of 10 nodes with 16 CPUs each and one QOS beside `normal`.
fn conf(more: &str) -> Slurmctld {
    let text = format!(
        "ClusterName=test\nDefMemPerCPU=1000\nPriorityType=priority/multifactor\n{more}\n\
         NodeName=cn[01-10] CPUs=16 RealMemory=64000\n\
         PartitionName=batch Nodes=cn[01-10] Default=YES PriorityJobFactor=10 MaxTime=1-0\n\
         PartitionName=prio Nodes=cn[01-05] PriorityJobFactor=40 MaxTime=1-0\n"
    );
    let files = SiteFiles([("slurm.conf".to_owned(), text)].into_iter().collect());
    let people = vec![(Uid(0), "root".to_owned()), (Uid(1001), "alice".to_owned())];
    let mut ctld = Slurmctld::new(Cluster::parse(&files), people, Time::from_secs(1_000_000));
    let settings = |list: &[(&str, &str)]| {
        list.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect::<Vec<_>>()
    };
    for change in [
        AccountingChange::AddAccount {
            name: "physics".into(),
            parent: "root".into(),
            settings: settings(&[("Priority", "4")]),
        },
        AccountingChange::AddUser {
            name: "alice".into(),
            account: "physics".into(),
            partition: None,
            settings: settings(&[("Priority", "2")]),
        },
        AccountingChange::AddQos { name: "high".into(), settings: settings(&[("Priority", "50")]) },
        AccountingChange::ModifyQos { name: "normal".into(), settings: settings(&[("Priority", "10")]) },
    ] {
        let request = Request::Accounting(change);
        let now = Time::from_secs(1_000_000);
        assert!(matches!(ctld.request(Caller { uid: Uid(0) }, request, now), Response::Ok));
    }
    ctld
}

fn desc(partition: &str) -> JobDesc {
    JobDesc {
        uid: Uid(1001),
        partition: Some(partition.to_owned()),
        script: Some(Arc::new(b"#!/bin/sh\n".to_vec())),
        min_nodes: Some(2),
        ntasks: Some(40),
        time_limit: Some(Limit::Minutes(100)),
        ..JobDesc::default()
    }
}

fn submitted(ctld: &mut Slurmctld, desc: JobDesc) -> Job {
    let now = Time::from_secs(1_000_000);
    let response = ctld.request(Caller { uid: Uid(1001) }, Request::SubmitBatch(Box::new(desc)), now);
    let Response::Job { id, .. } = response else { panic!("{response:?}") };
    ctld.job(id).cloned().unwrap_or_else(|| panic!("{id}"))
}

#[test]
fn each_factor_by_itself() {
    // 2 of 10 nodes, 40 of 160 CPUs, 40,000 of 640,000 MiB; waited 1,000 s.
    for (conf_text, want) in [
        ("PriorityWeightAge=1000\nPriorityMaxAge=0-1", 1000.0 * 1000.0 / 3600.0),
        ("PriorityWeightAge=1000\nPriorityMaxAge=00:10:00", 1000.0),
        ("PriorityWeightAssoc=100", 50.0),
        ("PriorityWeightAssoc=100\nPriorityFlags=NO_NORMAL_ASSOC", 200.0),
        ("PriorityWeightJobSize=1000", 1000.0 * f64::midpoint(0.2, 0.25)),
        ("PriorityWeightJobSize=1000\nPriorityFavorSmall=YES", 1000.0 * f64::midpoint(0.8, 0.75)),
        ("PriorityWeightJobSize=100000\nPriorityFlags=SMALL_RELATIVE_TO_TIME", 100_000.0 * 0.25 / 100.0),
        (
            "PriorityWeightJobSize=1000\nPriorityFavorSmall=YES\nPriorityFlags=SMALL_RELATIVE_TO_TIME",
            1000.0 * (1.0 - 0.25 / 100.0),
        ),
        ("PriorityWeightPartition=100", 25.0),
        ("PriorityWeightPartition=100\nPriorityFlags=NO_NORMAL_PART", 1000.0),
        ("PriorityWeightQOS=100", 20.0),
        ("PriorityWeightQOS=100\nPriorityFlags=NO_NORMAL_QOS", 1000.0),
        ("PriorityWeightTRES=CPU=100,Mem=1000", 25.0 + 62.5),
        ("PriorityWeightTRES=CPU=100\nPriorityFlags=NO_NORMAL_TRES", 4000.0),
        ("PriorityWeightFairshare=5000", 0.0),
    ] {
        let mut ctld = conf(conf_text);
        let job = submitted(&mut ctld, desc("batch"));
        let now = Time::from_secs(1_001_000);
        let factors = multifactor::factors(&ctld, &job, now);
        let sum = multifactor::sum(&ctld, &job, &factors, PartId(0));
        assert!((sum - want).abs() < 1e-9, "{conf_text}: {sum}, not {want}");
    }
}

#[test]
fn a_job_in_two_partitions_has_two_priorities() {
    let mut ctld = conf("PriorityWeightPartition=1000");
    let job = submitted(&mut ctld, desc("batch,prio"));
    assert_eq!(job.priority, 250, "the first partition's is shown");
    assert_eq!(job.partitions.iter().map(|p| ctld.priority_in(&job, *p)).collect::<Vec<_>>(), [250, 1000]);
}

#[test]
fn a_given_priority_stays_until_release() {
    let mut ctld = conf("PriorityWeightQOS=1000\nPriorityWeightAge=1000\nPriorityMaxAge=00:10:00");
    let job = submitted(&mut ctld, JobDesc { nice: 20, ..desc("batch") });
    assert_eq!(job.priority, 180);
    let (root, target) = (Caller { uid: Uid(0) }, Target { job: job.id, task: None });
    let now = Time::from_secs(1_000_100);
    let change = Box::new(JobUpdate { priority: Some(77), ..JobUpdate::default() });
    ctld.request(root, Request::Update { target, change }, now);
    ctld.timer(Time::from_secs(1_000_300));
    let priority = |ctld: &Slurmctld| ctld.job(job.id).map(|j| (j.priority, j.nice));
    assert_eq!(priority(&ctld), Some((77, 0)), "with the nice value set back");
    ctld.request(root, Request::Release(target), Time::from_secs(1_000_300));
    assert_eq!(priority(&ctld).map(|p| p.1), Some(0));
    assert!(priority(&ctld).is_some_and(|p| p.0 >= 200));
}

#[test]
fn priority_basic_counts_down_and_keeps_priorities() {
    let mut ctld = conf("PriorityType=priority/basic\nSchedulerType=sched/builtin");
    let priorities: Vec<u32> =
        [0, 10, 0].map(|nice| submitted(&mut ctld, JobDesc { nice, ..desc("batch") }).priority).into();
    assert_eq!(priorities, [4_294_901_759, 4_294_901_748, 4_294_901_757], "less its nice value");
    let job = submitted(&mut ctld, desc("batch")).id;
    let (root, target) = (Caller { uid: Uid(0) }, Target { job, task: None });
    let now = Time::from_secs(1_000_100);
    let mut update = |change: JobUpdate| {
        ctld.request(root, Request::Update { target, change: Box::new(change) }, now);
        ctld.job(job).map(|j| (j.priority, j.nice))
    };
    assert_eq!(
        update(JobUpdate { nice: Some(50), ..JobUpdate::default() }),
        Some((4_294_901_706, 50)),
        "moved by what the nice value moved"
    );
    let high = JobUpdate { priority: Some(4_294_901_800), ..JobUpdate::default() };
    assert_eq!(update(high), Some((4_294_901_800, 0)));
    let first = ctld.queue_order(1).first().map(|row| row.0);
    assert_eq!(first, Some(job), "the highest priority first, as recorded with 26.05 (99b)");
}

#[test]
fn usage_halves_and_moves_shares_at_the_period_only() {
    let mut ctld = conf("PriorityDecayHalfLife=1:00:00\nPriorityCalcPeriod=00:01:00");
    let start = Time::from_secs(1_000_000);
    ctld.priority_period(start);
    let id = submitted(&mut ctld, desc("batch")).id;
    let mut now = start;
    while ctld.job(id).is_some_and(|j| j.state == JobState::Pending) {
        now = ctld.next_due(now).unwrap_or(now);
        ctld.timer(now);
    }
    let began = ctld.job(id).and_then(|j| j.start).unwrap_or_default();
    let raw = |ctld: &Slurmctld| ctld.dbd.assocs.first().map_or(0.0, |root| root.usage.raw);
    let cpus = ctld.job(id).and_then(|j| j.allocation.as_ref()).map_or(0, |a| a.tres.billing) as f64;
    ctld.charge(id, Time::from_secs(began.secs() + 30));
    let per_second = 1.0 - 0.693 / 3600.0;
    let want = cpus * 30.0 * base::math::pow(per_second, 30.0);
    assert!((raw(&ctld) - want).abs() < 1e-6, "{} is not {want}", raw(&ctld));
    let factor = |ctld: &Slurmctld| {
        ctld.dbd.live().find(|a| a.user.as_deref() == Some("alice")).map_or(0.0, |a| a.fair.effective)
    };
    assert_eq!(factor(&ctld), 0.0, "not before the period");
    ctld.priority_period(Time::from_secs(began.secs() + 60));
    assert_eq!(factor(&ctld), 1.0);
}

#[test]
fn what_if_shares_rank_a_fork_again() {
    let mut ctld = conf("PriorityDecayHalfLife=7-0\nPriorityCalcPeriod=00:05:00");
    let start = Time::from_secs(1_000_000);
    let settings = vec![("Fairshare".to_owned(), "1".to_owned())];
    let bob = AccountingChange::AddUser {
        name: "bob".into(),
        account: "physics".into(),
        partition: None,
        settings,
    };
    let request = Request::Accounting(bob);
    assert!(matches!(ctld.request(Caller { uid: Uid(0) }, request, start), Response::Ok));
    let id = |ctld: &Slurmctld, user: &str| {
        ctld.dbd.live().find(|a| a.user.as_deref() == Some(user)).map(|a| a.id)
    };
    let (alice, bob) = (id(&ctld, "alice").unwrap_or_default(), id(&ctld, "bob").unwrap_or_default());
    ctld.dbd.add_usage(alice, 3000.0, 10.0, &[]);
    ctld.dbd.add_usage(bob, 1000.0, 10.0, &[]);
    ctld.priority_period(start);
    let factor = |ctld: &Slurmctld, id| ctld.dbd.assoc(id).map_or(0.0, |a| a.fair.factor);
    assert!(factor(&ctld, alice) < factor(&ctld, bob), "who used more is behind");
    let mut copy = ctld.clone();
    copy.suppose_shares(alice, 9);
    assert!(factor(&copy, alice) > factor(&copy, bob), "with nine times the shares no longer");
    assert_eq!(ctld.dbd.assoc(alice).and_then(|a| a.shares), Some(1), "and nothing is changed");
    // Usage without a record is as old as the cluster. Two half-lives later a quarter is left, without decay all of it.
    let later = Time::from_secs(1_000_000 + 14 * 86_400);
    ctld.priority_period(later);
    let raw = |ctld: &Slurmctld| ctld.dbd.assoc(alice).map_or(0.0, |a| a.usage.raw);
    assert!((raw(&ctld) / 3000.0 - 0.25).abs() < 0.001, "{}", raw(&ctld));
    let mut copy = ctld.clone();
    copy.suppose_half_life(0, later);
    assert!((raw(&copy) - 3000.0).abs() < 1.0, "{}", raw(&copy));
    assert_eq!(copy.cluster.global.priority.half_life, 0);
}

#[test]
fn billing_as_the_manual_has_it() {
    let text = "ClusterName=t\nNodeName=n CPUs=64 RealMemory=256000\n\
        PartitionName=p Nodes=n TRESBillingWeights=CPU=1.0,Mem=0.25G,GRES/gpu=2.0\n";
    let files = SiteFiles([("slurm.conf".to_owned(), text.to_owned())].into_iter().collect());
    let part = &Cluster::parse(&files).partitions[0];
    let (max, gres) = (
        PriorityFlags { max_tres: true, ..PriorityFlags::default() },
        PriorityFlags { max_tres_gres: true, ..PriorityFlags::default() },
    );
    for (cpu, gib, gpu, flags, want) in [
        (1, 60, 0, PriorityFlags::default(), 16.0),
        (16, 1, 0, PriorityFlags::default(), 16.25),
        (16, 60, 0, PriorityFlags::default(), 31.0),
        (4, 16, 2, PriorityFlags::default(), 12.0),
        (1, 60, 0, max, 15.0),
        (16, 60, 4, max, 16.0),
        (16, 60, 4, gres, 24.0),
    ] {
        let mut tres = Tres { cpu, mem: gib * 1024, ..Tres::default() };
        tres.gres.insert("gpu".to_owned(), gpu);
        assert_eq!(billing::billable(part, &tres, flags), want, "{cpu} {gib} {gpu} {flags:?}");
    }
}

#[test]
fn usage_begins_again_at_the_period_asked_for() {
    // 2026-11-21 is a Saturday.
    let last = Time::from_secs(1_795_240_458);
    for (period, want) in [
        (UsageReset::None, None),
        (UsageReset::Daily, Some("2026-11-22T00:00:00")),
        (UsageReset::Weekly, Some("2026-11-22T00:00:00")),
        (UsageReset::Monthly, Some("2026-12-01T00:00:00")),
        (UsageReset::Quarterly, Some("2027-01-01T00:00:00")),
        (UsageReset::Yearly, Some("2027-01-01T00:00:00")),
    ] {
        assert_eq!(next_reset(period, last).map(Time::iso).as_deref(), want, "{period:?}");
    }
}
