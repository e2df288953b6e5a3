//! Why a job waits, as the page says it: each reason as somebody meets it, in both languages, and that what the page offers
//! as a change does what it says.

mod changed;
mod limits;

use super::page::Page;
use sandbatch::base::time::Time;
use sandbatch::config::SiteFiles;
use sandbatch::protocol::why::{Ask, Changes, Why};
use sandbatch::protocol::*;
use sandbatch::session::Setup;
use sandbatch::view::rich::plain;
use sandbatch::view::why::{EN, FR, Voice};

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

/// A cluster, root at its keyboard.
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

/// What the page knows of a job that waits.
fn why(page: &mut Page, job: &str) -> Option<Why> {
    page.others.clear();
    page.send(ToEngine::Subscribe(Subscription { job: Some(job.to_owned()), ..Subscription::default() }));
    page.draw();
    let told = |m: &FromEngine| match m {
        FromEngine::Why(why) if why.changes != Changes::Trying => Some(Why::clone(why)),
        _ => None,
    };
    page.others.iter().rev().find_map(told)
}

fn said(voice: &Voice, why: &Why) -> String {
    let (lead, rest) = (voice.sentence)(why, "alice");
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

/// What root types, and which job is looked at.
struct Case {
    /// Its slurm.conf.
    conf: String,
    /// A `sleep` is time that goes by.
    lines: Vec<String>,
    job: &'static str,
    /// In the English and in the French sentence.
    says: [&'static str; 2],
    /// In the commands that are offered, in their order.
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

/// The cluster after all that.
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
    let Changes::Found(changes) = &why.changes else { panic!("{name}: {:?}", why.changes) };
    let offers: Vec<&str> = changes.iter().filter_map(|c| c.command.as_deref()).collect();
    let fits =
        offers.len() == case.offers.len() && offers.iter().zip(case.offers).all(|(a, b)| a.contains(b));
    assert!(fits, "{name}: {offers:#?}");
    for change in changes {
        assert!(!plain(&(EN.change)(change)).is_empty() && !plain(&(FR.change)(change)).is_empty());
        let Some(command) = change.command.as_ref().filter(|_| change.starts) else { continue };
        // What is promised is so.
        let mut page = after(case);
        let admin = matches!(change.ask, Ask::Release { by_admin: true });
        let said = page.types(&if admin { command.clone() } else { by("alice", command) });
        pass(&mut page, 65);
        let states = page.types(&format!("squeue -h -j {} -o %t", case.job));
        assert!(states.lines().any(|l| l.trim() == "R"), "{name}: {command}: {said}{states}");
    }
}

#[test]
fn who_is_not_in_the_queue() {
    let cases = [
        case(
            [submit("alice", "-H")],
            "1",
            ["You hold it back (JobHeldUser)", "Vous la retenez (JobHeldUser)"],
            &["scontrol release 1"],
        ),
        case(
            [submit("alice", ""), "scontrol hold 1".into(), submit("alice", "-H"), "scontrol hold 2".into()],
            "2",
            ["An administrator holds it back (JobHeldAdmin). Only an administrator", "Seul l’administrateur"],
            &["scontrol release 2"],
        ),
        case(
            [submit("alice", "--begin=now+2hours")],
            "1",
            ["not to begin before 07:54:00 (BeginTime). That is what --begin", "avant 07:54:00 (BeginTime)"],
            &["jobid=1 starttime=now"],
        ),
        case(
            [submit("bob", ""), submit("alice", "-d afterok:1")],
            "2",
            ["It waits for job 1 (bob) to end well (Dependency)", "la réussite de la tâche 1 (bob)"],
            &["jobid=2 dependency="],
        ),
        case(
            [
                by("alice", "sbatch --wrap false"),
                submit("alice", "-d afternotok:1:2"),
                submit("alice", "-d afterok:1"),
            ],
            "3",
            ["That can never happen any more", "Cela n’arrivera plus jamais"],
            &["jobid=3 dependency="],
        ),
        case(
            [submit("alice", "-J x"), submit("alice", "-J x -d singleton")],
            "2",
            ["your other jobs of the same name to end", "vos autres tâches du même nom"],
            &["jobid=2 dependency="],
        ),
        // Requeued by a lost node, and without a node for it.
        case(
            [submit("alice", "-N4 --exclusive"), "scontrol update nodename=n1 state=down reason=x".into()],
            "1",
            ["It ran before and was put back into the queue", "Elle a déjà tourné et a été remise en file"],
            &["jobid=1 starttime=now"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn what_a_partition_says() {
    let cases = [
        case(
            [submit("alice", "-p short -t 30")],
            "1",
            [
                "it asks for 30 min and short allows 10 min at most",
                "elle demande 30 min, et short accorde au plus 10 min",
            ],
            &["timelimit=10:00", "partition=batch", "partition=gpu"],
        ),
        case(
            [submit("alice", "-p short -N 3")],
            "1",
            ["it asks for 3 nodes and short lets a job have 1 to 2", "3 nœuds, et short en accorde de 1 à 2"],
            &["numnodes=2", "partition=batch"],
        ),
        case(
            [submit("alice", "-p shut")],
            "1",
            ["partition shut is DOWN: it starts no jobs", "la partition shut est DOWN"],
            &["partition=batch", "partition=gpu"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn what_is_not_free() {
    let cases = [
        case(
            [submit("bob", "-L matlab:1"), submit("alice", "-L matlab:2")],
            "2",
            [
                "it needs 2 licences and 1 of 2 are free (matlab)",
                "il lui faut 2 licences, et 1 sur 2 libres (matlab)",
            ],
            &["licenses="],
        ),
        case(
            [submit("alice", "--array=1-8%2")],
            "1",
            [
                "2 tasks of its array run and the array lets 2 run at once (%2)",
                "2 tâches de son tableau en cours, pour 2",
            ],
            &["arraytaskthrottle=4"],
        ),
        case(
            [submit("bob", "-p gpu --gres=gpu:1"), submit("alice", "-p gpu --gres=gpu:2")],
            "2",
            ["2 GPUs and no node of gpu has room now", "2 GPU, et aucun nœud de gpu n’a de place"],
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
            ["4000M of memory and no node of batch has room now", "4000M de mémoire"],
            &["minmemorynode=2000", "partition=gpu"],
        ),
        case(
            [submit("bob", "-p gpu --exclusive"), submit("alice", "-p batch,gpu -C new")],
            "2",
            ["in batch no nodes of batch can ever", "dans batch, aucun nœud de batch ne pourra jamais"],
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
            ["its reservation opens at 07:54:00 (Reservation)", "sa réservation ouvre à 07:54:00"],
            &["reservationname="],
        ),
        case(
            [reserve("start=now users=bob nodes=n[1-4]"), submit("alice", "-t 30")],
            "1",
            [
                "(ReqNodeNotAvail). It is the first of the queue. It is expected to start at 06:54:",
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
                "it asks for n1 by name (--nodelist), not free for it now",
                "elle demande n1 nommément (--nodelist)",
            ],
            &["reqnodelist="],
        ),
        case(
            ["scontrol update nodename=n[1-4] state=drain reason=x".into(), submit("alice", "")],
            "1",
            ["no node of batch has room now", "aucun nœud de batch n’a de place"],
            &["partition=gpu"],
        ),
    ];
    cases.iter().for_each(check);
    let causes = |case: &Case| {
        let why = why(&mut after(case), case.job).unwrap();
        let nodes: Vec<String> = why
            .tried
            .iter()
            .flat_map(|t| &t.nodes)
            .map(|g| format!("{} {}", g.nodes, plain(&(EN.cause)(&g.cause, &why.needs))))
            .collect();
        nodes.join("; ")
    };
    assert_eq!(causes(&cases[1]), "4 have room, reserved by course");
    assert_eq!(causes(&cases[3]), "3 not among those asked for (--nodelist); 1 down");
    assert_eq!(causes(&cases[4]), "4 drained");
}
