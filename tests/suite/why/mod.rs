//! Why a job is pending: the page's sentence for each reason, in both languages. Changes that the page offers
//! must have the promised effect.

mod changed;
mod limits;

use super::page::Page;
use base::time::Time;
use config::SiteFiles;
use engine::session::Setup;
use protocol::why::{Remedies, RequestChange, Why};
use protocol::*;
use view::rich::plain;
use view::why::{EN, FR, Voice};

const CONF: &str = "\
ClusterName=why
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
GresTypes=gpu
Licenses=matlab:2
PriorityType=priority/basic
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos
EnforcePartLimits=NO
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
NodeName=n[1-4] CPUs=4 RealMemory=8000 Feature=old
NodeName=g1 CPUs=8 RealMemory=32000 Gres=gpu:a100:2 Feature=new
PartitionName=batch Nodes=n[1-4] Default=YES MaxTime=1-0 DefaultTime=60
PartitionName=gpu Nodes=g1 MaxTime=1-0 DefaultTime=60
PartitionName=short Nodes=n[1-4] MaxTime=10 MaxNodes=2 DefaultTime=5
PartitionName=urgent Nodes=n[1-4] MaxTime=1-0 DefaultTime=60 PriorityTier=10 AllowAccounts=chemistry
PartitionName=shut Nodes=n[1-2] State=DOWN DefaultTime=60
";

const ACCOUNTS: &str = "\
sacctmgr -i add account physics
sacctmgr -i add account chemistry
sacctmgr -i add user alice Account=physics DefaultAccount=physics
sacctmgr -i add user alice Account=chemistry
sacctmgr -i add user bob Account=physics DefaultAccount=physics
sacctmgr -i add qos tight
sacctmgr -i modify account physics set QOS=normal,tight
sacctmgr -i modify account chemistry set QOS=normal,tight
";

const GRES: &str = "NodeName=g1 Name=gpu Type=a100 File=/dev/nvidia[0-1]\n";

/// A cluster with root at the terminal.
pub fn cluster() -> Page {
    cluster_of(CONF)
}

fn cluster_of(conf: &str) -> Page {
    let files = [
        ("slurm.conf", conf),
        ("gres.conf", GRES),
        ("accounts.sh", ACCOUNTS),
        ("users", "alice bob carol\n"),
    ];
    let files = SiteFiles(files.iter().map(|(n, t)| ((*n).to_owned(), (*t).to_owned())).collect());
    let start = Time::from_secs(1_795_240_440);
    let mut page = Page::of(Setup { site: "why".into(), files, seed: 1, start }, None, Vec::new());
    page.send(ToEngine::Login("root".into()));
    page.ticks(20);
    page
}

pub fn pass(page: &mut Page, seconds: i64) {
    page.send(ToEngine::Skip(Skip::Until(page.frame.now + seconds * 1_000_000)));
    page.draw();
}

/// The page's explanation for a pending job.
fn why(page: &mut Page, job: &str) -> Option<Why> {
    page.others.clear();
    page.send(ToEngine::Subscribe(Subscription { job: Some(job.to_owned()), ..Subscription::default() }));
    page.draw();
    let told = |m: &FromEngine| match m {
        FromEngine::Why(why) if why.changes != Remedies::Trying => Some(Why::clone(why)),
        _ => None,
    };
    page.others.iter().rev().find_map(told)
}

fn said(voice: &Voice, why: &Why) -> String {
    let (lead, rest) = (voice.sentence)(&why.verdict, "alice");
    plain(&format!("{lead} {rest}"))
}

fn submit(user: &str, options: &str) -> String {
    by(user, &format!("sbatch {options} --wrap 'sleep 3000'"))
}

pub fn by(user: &str, command: &str) -> String {
    format!("su - {user} -c \"{command}\"")
}

fn set(what: &str) -> String {
    format!("sacctmgr -i modify {what} >/dev/null")
}

/// Root's input, and the job to explain.
struct Case {
    /// Its slurm.conf.
    conf: String,
    /// A `sleep` advances virtual time.
    lines: Vec<String>,
    job: &'static str,
    /// Text that the English and the French sentence must contain.
    says: [&'static str; 2],
    /// Text that the offered commands must contain, in order.
    offers: &'static [&'static str],
}

fn case(
    lines: impl IntoIterator<Item = String>,
    job: &'static str,
    says: [&'static str; 2],
    offers: &'static [&'static str],
) -> Case {
    Case { conf: CONF.to_owned(), lines: lines.into_iter().collect(), job, says, offers }
}

/// The cluster after all of the input.
fn after(case: &Case) -> Page {
    let mut page = cluster_of(&case.conf);
    for line in &case.lines {
        match line.strip_prefix("sleep ") {
            Some(seconds) => pass(&mut page, seconds.parse().unwrap()),
            None => drop(page.types(line)),
        }
        pass(&mut page, 3);
    }
    pass(&mut page, 65);
    page
}

fn check(case: &Case) {
    let name = case.lines.join("; ");
    let mut page = after(case);
    let why = why(&mut page, case.job).unwrap_or_else(|| panic!("{name}: it does not wait"));
    for (voice, part) in [(&EN, case.says[0]), (&FR, case.says[1])] {
        let said = said(voice, &why);
        assert!(said.contains(part), "{name}: {part}: {said}");
    }
    let Remedies::Found(changes) = &why.changes else { panic!("{name}: {:?}", why.changes) };
    let offers: Vec<&str> = changes.iter().filter_map(|c| c.command.as_deref()).collect();
    let fits =
        offers.len() == case.offers.len() && offers.iter().zip(case.offers).all(|(a, b)| a.contains(b));
    assert!(fits, "{name}: {offers:#?}");
    for change in changes {
        assert!(!plain(&(EN.change)(change)).is_empty() && !plain(&(FR.change)(change)).is_empty());
        let Some(command) = change.command.as_ref().filter(|_| change.starts) else { continue };
        // The offered change has the promised effect.
        let mut page = after(case);
        let admin = matches!(change.change, RequestChange::Release { by_admin: true });
        let said = page.types(&if admin { command.clone() } else { by("alice", command) });
        pass(&mut page, 65);
        let states = page.types(&format!("squeue -h -j {} -o %t", case.job));
        assert!(states.lines().any(|l| l.trim() == "R"), "{name}: {command}: {said}{states}");
    }
}

#[test]
fn jobs_that_are_not_in_the_queue() {
    let cases = [
        case(
            [submit("alice", "-H")],
            "1",
            ["You hold it (JobHeldUser)", "Vous la retenez (JobHeldUser)"],
            &["scontrol release 1"],
        ),
        case(
            [submit("alice", ""), "scontrol hold 1".into(), submit("alice", "-H"), "scontrol hold 2".into()],
            "2",
            [
                "holds it (JobHeldAdmin). It returns to the queue when an administrator",
                "Seul un administrateur",
            ],
            &["scontrol release 2"],
        ),
        case(
            [submit("alice", "--begin=now+2hours")],
            "1",
            [
                "cannot start before 07:54:00 (BeginTime). This was requested with --begin",
                "avant 07:54:00 (BeginTime)",
            ],
            &["jobid=1 starttime=now"],
        ),
        case(
            [submit("bob", ""), submit("alice", "-d afterok:1")],
            "2",
            ["It waits for job 1 (bob) to complete (Dependency)", "la réussite de la tâche 1 (bob)"],
            &["jobid=2 dependency="],
        ),
        case(
            [
                by("alice", "sbatch --wrap false"),
                submit("alice", "-d afternotok:1:2"),
                submit("alice", "-d afterok:1"),
            ],
            "3",
            ["This dependency can never be satisfied", "ne pourra jamais être satisfaite"],
            &["jobid=3 dependency="],
        ),
        case(
            [submit("alice", "-J x"), submit("alice", "-J x -d singleton")],
            "2",
            ["your other jobs with this name to end", "vos autres tâches du même nom"],
            &["jobid=2 dependency="],
        ),
        // Requeued after a node failure, and without a node to run on.
        case(
            [submit("alice", "-N4 --exclusive"), "scontrol update nodename=n1 state=down reason=x".into()],
            "1",
            ["It was requeued.", "Elle a été remise en file"],
            &["jobid=1 starttime=now"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn reasons_of_partitions() {
    let cases = [
        case(
            [submit("alice", "-p short -t 30")],
            "1",
            [
                "it requests 30 min and short allows at most 10 min",
                "elle demande 30 min, et short autorise au plus 10 min",
            ],
            &["timelimit=10:00", "partition=batch", "partition=gpu"],
        ),
        case(
            [submit("alice", "-p short -N 3")],
            "1",
            ["it requests 3 nodes and short allows 1 to 2 per job", "3 nœuds, et short en autorise de 1 à 2"],
            &["numnodes=2", "partition=batch"],
        ),
        case(
            [submit("alice", "-p shut")],
            "1",
            ["partition shut is DOWN and starts no jobs", "la partition shut est DOWN"],
            &["partition=batch", "partition=gpu"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn busy_resources() {
    let cases = [
        case(
            [submit("bob", "-L matlab:1"), submit("alice", "-L matlab:2")],
            "2",
            [
                "it needs 2 licences and 1 of 2 are free (matlab)",
                "il lui faut 2 licences, et 1 sur 2 sont libres (matlab)",
            ],
            &["licenses="],
        ),
        case(
            [submit("alice", "--array=1-8%2")],
            "1",
            [
                "2 tasks of its array are running and the array allows 2 at once (%2)",
                "2 tâches de son tableau en cours, pour 2",
            ],
            &["arraytaskthrottle=4"],
        ),
        case(
            [submit("bob", "-p gpu --gres=gpu:1"), submit("alice", "-p gpu --gres=gpu:2")],
            "2",
            ["2 GPUs, and no node in gpu has room now", "2 GPU, et aucun nœud de gpu n’a de place"],
            &["gres=gpu:1"],
        ),
        case(
            [submit("bob", "-N2 --exclusive"), submit("alice", "-N4 --exclusive")],
            "2",
            ["it needs 4 nodes, 4 CPUs", "il lui faut 4 nœuds, 4 CPU"],
            &["numnodes=2"],
        ),
        case(
            [submit("bob", "-N4 --mem=6000"), submit("alice", "--mem=4000")],
            "2",
            ["4000M of memory, and no node in batch has room now", "4000M de mémoire"],
            &["minmemorynode=2000", "partition=gpu"],
        ),
        case(
            [submit("bob", "-p gpu --exclusive"), submit("alice", "-p batch,gpu -C new")],
            "2",
            ["in batch no nodes in batch can ever", "dans batch, aucun nœud de batch ne pourra jamais"],
            &["features="],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn reservations_and_lost_nodes() {
    let reserve = |options: &str| format!("scontrol create reservation=course duration=60 {options}");
    let cases = [
        case(
            [reserve("start=now+2hours users=alice nodes=n1"), submit("alice", "--reservation=course -t 30")],
            "1",
            ["its reservation starts at 07:54:00 (Reservation)", "sa réservation commence à 07:54:00"],
            &["reservationname="],
        ),
        case(
            [reserve("start=now users=bob nodes=n[1-4]"), submit("alice", "-t 30")],
            "1",
            [
                "(ReqNodeNotAvail). It is first in the queue. It is expected to start at 06:54:",
                "Début prévu : 06:54:",
            ],
            &["partition=gpu"],
        ),
        case(
            [
                reserve("start=now+1hour users=root flags=maint,ignore_jobs nodes=ALL"),
                submit("alice", "-t 4:00:00"),
            ],
            "1",
            ["expected to start at 07:54:", "Début prévu : 07:54:"],
            &["timelimit=58:00"],
        ),
        case(
            ["scontrol update nodename=n1 state=down reason=x".into(), submit("alice", "-w n1")],
            "1",
            [
                "the nodes it requests, n1 (--nodelist), are not free",
                "les nœuds qu’elle demande, n1 (--nodelist)",
            ],
            &["reqnodelist="],
        ),
        case(
            ["scontrol update nodename=n[1-4] state=drain reason=x".into(), submit("alice", "")],
            "1",
            ["no node in batch has room now", "aucun nœud de batch n’a de place"],
            &["partition=gpu"],
        ),
    ];
    cases.iter().for_each(check);
    let causes = |case: &Case| {
        let verdict = why(&mut after(case), case.job).unwrap().verdict;
        let nodes: Vec<String> = verdict
            .partitions
            .iter()
            .flat_map(|t| &t.nodes)
            .map(|g| format!("{} {}", g.nodes, plain(&(EN.cause)(&g.cause, &verdict.needs))))
            .collect();
        nodes.join("; ")
    };
    assert_eq!(causes(&cases[1]), "4 have room, but in reservation course");
    assert_eq!(causes(&cases[3]), "3 not in the requested list (--nodelist); 1 down");
    assert_eq!(causes(&cases[4]), "4 drained");
}
