//! Limits of associations and QOS: on running jobs, on a single job, on usage.

use super::*;

/// The same with usage that has a half-life of one hour.
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
                "alice in account physics may run 1 job at once (MaxJobs), and 1 job is running (job 1)",
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
                "account physics may use 4 CPUs at once (GrpTRES=cpu): 2 CPUs in use (job 1), and it requests 3 CPUs",
                "le compte physics dispose de 4 CPU à la fois (GrpTRES=cpu) : 2 CPU en cours (tâche 1), et elle demande 3 CPU",
            ],
            &["numtasks=2", "account=chemistry"],
        ),
        both(
            account("GrpTRESRunMins=cpu=60"),
            "-t 50",
            "-n 3 -t 10",
            [
                "running jobs of account physics may have at most 60 CPU minutes left to run (GrpTRESRunMins=cpu): 50 CPU minutes are taken",
                "engager que 60 minutes de CPU pour le compte physics",
            ],
            &["timelimit=3:00", "numtasks=1", "account=chemistry"],
        ),
        mine(
            user("MaxTRES=cpu=2"),
            "-n 3",
            [
                "a job of alice in account physics may use at most 2 CPUs (MaxTRES=cpu) and it requests 3 CPUs, so it can never start",
                "2 CPU au plus par tâche pour alice (compte physics) (MaxTRES=cpu), et elle demande 3 CPU",
            ],
            &["numtasks=2", "account=chemistry"],
        ),
        mine(
            user("MaxWall=30"),
            "",
            ["may use at most 30 min (MaxWall)", "30 min au plus par tâche"],
            &["timelimit=30:00", "account=chemistry"],
        ),
        mine(
            user("MaxTRESMins=cpu=30"),
            "",
            ["may use at most 30 CPU minutes", "30 minutes de CPU au plus"],
            &["timelimit=30:00", "account=chemistry"],
        ),
        mine(
            user("MaxTRESPerNode=cpu=2"),
            "-n 3 -N1",
            ["may use at most 2 CPUs per node", "2 CPU au plus par tâche et par nœud"],
            &["numtasks=2", "account=chemistry"],
        ),
        both(
            qos("GrpTRES=gres/gpu=1"),
            "-q tight -p gpu --gres=gpu:1",
            "-q tight -p gpu --gres=gpu:1",
            ["QOS tight may use 1 GPU at once", "la QOS tight dispose de 1 GPU à la fois"],
            &["qos=normal"],
        ),
        both(
            qos("GrpTRES=mem=4G"),
            "-q tight --mem=2G",
            "-q tight --mem=3G",
            ["QOS tight may use 4 GiB of memory at once", "dispose de 4 GiB de mémoire"],
            &["minmemorynode=2000", "qos=normal"],
        ),
        both(
            qos("MaxTRESPerAccount=cpu=4"),
            "-q tight -n 3",
            "-q tight -n 3",
            ["account physics in QOS tight may use 4 CPUs", "le compte physics (QOS tight) dispose de 4 CPU"],
            &["numtasks=1", "account=chemistry", "qos=normal"],
        ),
        mine(
            qos("MinTRES=cpu=4"),
            "-q tight",
            ["must request at least 4 CPUs", "4 CPU au moins par tâche"],
            &["qos=normal"],
        ),
        mine(
            qos("MaxTRES=node=2"),
            "-q tight -N3",
            ["a job of QOS tight may use at most 2 nodes", "2 nœuds au plus par tâche pour la QOS tight"],
            &["numnodes=2", "qos=normal"],
        ),
    ];
    cases.iter().for_each(check);
}

#[test]
fn budgets() {
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
                "account physics has a budget of 4 CPU minutes (GrpTRESMins=cpu): 5 CPU minutes are used (bob 5), and it \
                 requests 120 CPU minutes. Usage decays: without new usage, enough of it is left by 06:",
                "le compte physics a droit à 4 minutes de CPU en tout (GrpTRESMins=cpu) : 5 minutes de CPU consommées (bob 5)",
            ],
            &["account=chemistry"],
        ),
        spent(
            "qos tight set GrpTRESMins=cpu=4",
            "-q tight -n 2",
            ["QOS tight has a budget of 4 CPU minutes", "la QOS tight a droit à 4 minutes de CPU en tout"],
            &["qos=normal"],
        ),
        spent(
            "account physics set GrpWall=3",
            "-n 2",
            [
                "account physics has a budget of 3 min (GrpWall): 3 min are used (bob 3). Usage",
                "3 min en tout (GrpWall)",
            ],
            &["account=chemistry"],
        ),
        spent(
            "qos tight set GrpWall=3",
            "-q tight -n 2",
            [
                "QOS tight has a budget of 3 min (GrpWall): 3 min are used (bob 3). Usage",
                "3 min en tout (GrpWall)",
            ],
            &["qos=normal"],
        ),
        spent(
            "account physics set GrpTRESMins=node=2",
            "",
            ["a budget of 2 node minutes (GrpTRESMins=node)", "2 minutes de nœud en tout"],
            &["account=chemistry"],
        ),
        spent(
            "account physics set GrpTRESMins=mem=3000",
            "",
            [
                "a budget of 3000 MiB minutes (GrpTRESMins=mem)",
                "3000 minutes de MiB en tout (GrpTRESMins=mem)",
            ],
            &["account=chemistry"],
        ),
        spent(
            "qos tight set GrpTRESMins=gres/gpu=2",
            "-q tight -p gpu --gres=gpu:1",
            ["QOS tight has a budget of 2 GPU minutes", "2 minutes de GPU en tout"],
            &["qos=normal"],
        ),
        spent(
            "qos tight set UsageThreshold=0.9 Flags=EnforceUsageThreshold",
            "-q tight",
            [
                "QOS tight requires a fair share of at least 0.9 (UsageThreshold) and alice has 0.5",
                "la QOS tight exige une juste part d’au moins 0,9",
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
    assert!(said.contains("Usage does not decay here: only an administrator"), "{said}");
}
