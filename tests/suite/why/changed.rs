//! Changes that affect a pending job: its nodes, its QOS, its account.

use super::*;

/// Changes something about a pending job while the cluster is full.
fn meanwhile(options: &str, lines: &[&str]) -> Vec<String> {
    let mut all = vec![submit("bob", "-N4 --exclusive"), submit("alice", options)];
    all.extend(lines.iter().map(|l| (*l).to_owned()));
    all.push("scancel 1".to_owned());
    all
}

#[test]
fn changes_while_pending() {
    let qos = "sacctmgr -i modify user alice set qos=normal >/dev/null";
    let features = "scontrol update nodename=n[1-4] availablefeatures=fresh activefeatures=fresh";
    let cases = [
        case(
            meanwhile("-q tight", &[qos]),
            "2",
            ["alice may no longer use QOS tight (InvalidQOS)", "alice n’a plus accès à la QOS tight"],
            &["qos=normal"],
        ),
        case(
            meanwhile("-C old", &[features]),
            "2",
            [
                "no nodes in batch can ever satisfy its request: 1 node, 1 CPU, 1000M/CPU of memory (BadConstraints). \
                 Slurm holds it until",
                "aucun nœud de batch ne pourra jamais satisfaire sa demande",
            ],
            &["features="],
        ),
    ];
    cases.iter().for_each(check);
    let mut page = after(&cases[1]);
    // Slurm itself holds it: only an administrator can release it, and a release has no effect.
    assert!(page.types(&by("alice", "scontrol release 2")).contains("Access/permission denied"));
    page.types("scontrol release 2");
    pass(&mut page, 65);
    assert_eq!(page.types("squeue -h -o '%i %t %r %Q'").lines().next(), Some("2 PD BadConstraints 0"));
    let verdict = why(&mut page, "2").unwrap().verdict;
    let lacks = |g: &protocol::why::NodeVerdictGroup| {
        (EN.cause)(&g.cause, &verdict.needs).contains("lack the requested features")
    };
    assert!(verdict.partitions[0].nodes.iter().all(lacks), "{:?}", verdict.partitions);
}

#[test]
fn a_user_without_an_account() {
    let enforced = "AccountingStorageEnforce=associations,limits,qos\n";
    let enforce = format!("echo '{}' >> /etc/slurm/slurm.conf; scontrol reconfigure", enforced.trim());
    let lines = [submit("bob", "-N4 --exclusive"), submit("carol", ""), enforce, "scancel 1".into()];
    let says = ["carol has no account, and jobs must", "carol n’a aucun compte, et toute tâche"];
    let case = Case { conf: CONF.replace(enforced, ""), ..case(lines, "2", says, &[]) };
    check(&case);
    let mut page = after(&case);
    page.types("sacctmgr -i add user carol account=physics defaultaccount=physics >/dev/null");
    pass(&mut page, 65);
    assert_eq!(page.types("squeue -h -o '%i %t %a'").lines().next(), Some("2 R physics"));
}
