//! Limits of associations and QOS: on what runs, on a job, on what was used up.

use super::*;

/// The same where usage counts, and loses half of its weight in an hour.
fn counting(case: Case) -> Case {
    let multifactor = "multifactor\nPriorityCalcPeriod=1\nPriorityDecayHalfLife=60";
    Case { conf: CONF.replace("priority/basic", &format!("priority/{multifactor}")), ..case }
}

#[test]
fn limits() {
    let user = |limit: &str| set(&format!("user alice account=physics set {limit}"));
    let account = |limit: &str| set(&format!("account physics set {limit}"));
    let qos = |limit: &str| set(&format!("qos tight set {limit}"));
    let mine = |limit: String, options: &str, says, offers| {
        case([limit, submit("alice", options)], "1", says, offers)
    };
    let both = |limit: String, other: &str, options: &str, says, offers| {
        let name = if other.contains("-q") { "bob" } else { "alice" };
        case([limit, submit(name, other), submit("alice", options)], "2", says, offers)
    };
    let cases = [
        both(
            user("MaxJobs=1"),
            "",
            "",
            [
                "alice in account physics may run 1 job at once (MaxJobs), and 1 job runs (job 1)",
                "alice (compte physics) n’a droit qu’à 1 tâche à la fois (MaxJobs), et 1 tâche en cours (tâche 1)",
            ],
            &["account=chemistry"],
        ),
        both(
            account("GrpJobs=1"),
            "",
            "",
            ["account physics may run 1 job", "le compte physics n’a droit qu’à 1"],
            &["account=chemistry"],
        ),
        both(
            account("GrpTRES=cpu=4"),
            "-n 2",
            "-n 3",
            [
                "account physics may have 4 CPUs at once (GrpTRES=cpu): 2 CPUs in use (job 1), and it asks for 3 CPUs",
                "le compte physics dispose de 4 CPU à la fois (GrpTRES=cpu) : 2 CPU en cours (tâche 1), et elle demande 3 CPU",
            ],
            &["numtasks=2", "account=chemistry"],
        ),
        both(
            account("GrpTRESRunMins=cpu=60"),
            "-t 50",
            "-n 3 -t 10",
            [
                "what account physics runs may have 60 CPU minutes before it (GrpTRESRunMins=cpu): 50 CPU minutes are taken",
                "60 minutes de CPU devant elles pour le compte physics",
            ],
            &["timelimit=3:00", "numtasks=1", "account=chemistry"],
        ),
        mine(
            user("MaxTRES=cpu=2"),
            "-n 3",
            [
                "a job of alice in account physics may have 2 CPUs at most (MaxTRES=cpu) and it asks for 3 CPUs: so it never starts",
                "2 CPU au plus par tâche pour alice (compte physics) (MaxTRES=cpu), et elle demande 3 CPU",
            ],
            &["numtasks=2", "account=chemistry"],
        ),
        mine(
            user("MaxWall=30"),
            "",
            ["may have 30 min at most (MaxWall)", "30 min au plus par tâche"],
            &["timelimit=30:00", "account=chemistry"],
        ),
        mine(
            user("MaxTRESMins=cpu=30"),
            "",
            ["may have 30 CPU minutes at most", "30 minutes de CPU au plus"],
            &["timelimit=30:00", "account=chemistry"],
        ),
        mine(
            user("MaxTRESPerNode=cpu=2"),
            "-n 3 -N1",
            ["may have 2 CPUs on each node at most", "2 CPU au plus par tâche et par nœud"],
            &["numtasks=2", "account=chemistry"],
        ),
        both(
            qos("GrpTRES=gres/gpu=1"),
            "-q tight -p gpu --gres=gpu:1",
            "-q tight -p gpu --gres=gpu:1",
            ["QOS tight may have 1 GPU at once", "la QOS tight dispose de 1 GPU à la fois"],
            &["qos=normal"],
        ),
        both(
            qos("GrpTRES=mem=4G"),
            "-q tight --mem=2G",
            "-q tight --mem=3G",
            ["QOS tight may have 4 GiB of memory at once", "dispose de 4 GiB de mémoire"],
            &["minmemorynode=2000", "qos=normal"],
        ),
        both(
            qos("MaxTRESPerAccount=cpu=4"),
            "-q tight -n 3",
            "-q tight -n 3",
            [
                "account physics in QOS tight may have 4 CPUs",
                "le compte physics (QOS tight) dispose de 4 CPU",
            ],
            &["numtasks=1", "account=chemistry", "qos=normal"],
        ),
        mine(
            qos("MinTRES=cpu=4"),
            "-q tight",
            ["must have 4 CPUs at least", "4 CPU au moins par tâche"],
            &["qos=normal"],
        ),
        mine(
            qos("MaxTRES=node=2"),
            "-q tight -N3",
            ["a job of QOS tight may have 2 nodes at most", "2 nœuds au plus par tâche pour la QOS tight"],
            &["numnodes=2", "qos=normal"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn what_was_used_up() {
    let spent = |limit: &str, options: &str, says, offers| {
        let lines = [
            set(limit),
            submit("bob", options),
            "sleep 400".to_owned(),
            "scancel 1".to_owned(),
            submit("alice", options),
        ];
        counting(case(lines, "2", says, offers))
    };
    let cases = [
        spent(
            "account physics set GrpTRESMins=cpu=4",
            "-n 2",
            [
                "account physics has 4 CPU minutes to use up (GrpTRESMins=cpu): 5 CPU minutes are used (bob 5), and it asks \
                 for 120 CPU minutes. Usage fades: if nobody adds to it, there is enough left by 06:",
                "le compte physics a droit à 4 minutes de CPU en tout (GrpTRESMins=cpu) : 5 minutes de CPU consommées (bob 5)",
            ],
            &["account=chemistry"],
        ),
        spent(
            "qos tight set GrpTRESMins=cpu=4",
            "-q tight -n 2",
            ["QOS tight has 4 CPU minutes to use up", "la QOS tight a droit à 4 minutes de CPU en tout"],
            &["qos=normal"],
        ),
        spent(
            "account physics set GrpWall=3",
            "-n 2",
            [
                "account physics has 3 min to use up (GrpWall): 3 min are used (bob 3). Usage",
                "3 min en tout (GrpWall)",
            ],
            &["account=chemistry"],
        ),
        spent(
            "qos tight set GrpWall=3",
            "-q tight -n 2",
            [
                "QOS tight has 3 min to use up (GrpWall): 3 min are used (bob 3). Usage",
                "3 min en tout (GrpWall)",
            ],
            &["qos=normal"],
        ),
        spent(
            "account physics set GrpTRESMins=node=2",
            "",
            ["2 node minutes to use up (GrpTRESMins=node)", "2 minutes de nœud en tout"],
            &["account=chemistry"],
        ),
        spent(
            "account physics set GrpTRESMins=mem=3000",
            "",
            ["3000 MiB minutes to use up (GrpTRESMins=mem)", "3000 minutes de MiB en tout (GrpTRESMins=mem)"],
            &["account=chemistry"],
        ),
        spent(
            "qos tight set GrpTRESMins=gres/gpu=2",
            "-q tight -p gpu --gres=gpu:1",
            ["QOS tight has 2 GPU minutes to use up", "2 minutes de GPU en tout"],
            &["qos=normal"],
        ),
        spent(
            "qos tight set UsageThreshold=0.9 Flags=EnforceUsageThreshold",
            "-q tight",
            [
                "QOS tight wants a fair share of 0.9 at least (UsageThreshold) and alice has 0.5",
                "la QOS tight veut une juste part d’au moins 0,9",
            ],
            &["account=chemistry", "qos=normal"],
        ),
    ];
    cases.iter().for_each(check);
    let mut never = after(&Case {
        conf: cases[0].conf.replace("HalfLife=60", "HalfLife=0"),
        lines: cases[0].lines.clone(),
        ..cases[0]
    });
    let said = said(&EN, &why(&mut never, "2").unwrap());
    assert!(said.contains("Usage does not fade here: only an administrator"), "{said}");
}
