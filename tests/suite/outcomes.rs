//! How jobs end: the page's sentence for each kind of end, in both languages.

use super::page::Page;
use super::why::{by, cluster, pass};
use protocol::*;
use view::outcome::{EN, FR, OutcomeTexts, outcome};
use view::rich::plain;

/// The page's sentence about a finished job.
fn sentence(page: &mut Page, job: &str, texts: &OutcomeTexts) -> String {
    page.send(ToEngine::Subscribe(Subscription { job: Some(job.to_owned()), ..Subscription::default() }));
    page.draw();
    let detail = page.frame.job.clone().expect("the job");
    let Some(outcome) = outcome(&detail) else { return format!("it is {}", detail.state) };
    let (lead, rest) = (texts.outcome)(&outcome, &detail);
    plain(&format!("{} {lead} {rest}", detail.state))
}

/// Lines typed by root at intervals of at least a second (`sleep`), and the expected sentences.
fn check(lines: &[String], job: &str, says: [&str; 2]) {
    let mut page = cluster();
    for line in lines {
        match line.strip_prefix("sleep ") {
            Some(seconds) => pass(&mut page, seconds.parse().unwrap()),
            None => {
                page.types(line);
                pass(&mut page, 3);
            }
        }
    }
    for (texts, part) in [(&EN, says[0]), (&FR, says[1])] {
        let said = sentence(&mut page, job, texts);
        assert!(said.contains(part), "{lines:?}: {part}: {said}");
    }
}

fn wrap(options: &str, command: &str) -> String {
    by("alice", &format!("sbatch {options} --wrap '{command}'"))
}

fn wait(seconds: i64) -> String {
    format!("sleep {seconds}")
}

#[test]
fn programs() {
    let table: [(&str, [&str; 2]); 8] = [
        (
            "exit 1",
            [
                "FAILED It failed: the program's own error code (1)",
                "le code d’erreur propre au programme (1)",
            ],
        ),
        ("exit 2", ["It failed: a command was used incorrectly", "une commande mal employée"]),
        (
            "touch x; ./x",
            ["It failed: a file is not executable (126). Make it executable: chmod +x", "chmod +x"],
        ),
        ("nosuch", ["It failed: a command was not found (127)", "une commande introuvable (127)"]),
        (
            "kill -SEGV $$",
            ["terminated by signal 11 (SIGSEGV). The program itself crashed", "signal 11 (SIGSEGV)"],
        ),
        ("exit 139", ["terminated by signal 11 (SIGSEGV)", "signal 11 (SIGSEGV)"]),
        ("kill -KILL $$", ["terminated by signal 9 (SIGKILL)", "signal 9 (SIGKILL)"]),
        ("true", ["COMPLETED Completed in", "Terminée en"]),
    ];
    for (command, says) in table {
        check(&[wrap("", &command.replace('$', "\\$")), wait(40)], "1", says);
    }
    let nowhere = [wrap("-o /nowhere/x.out", "true"), wait(40)];
    check(&nowhere, "1", ["It could not start", "Elle n’a pas pu démarrer"]);
}

#[test]
fn ends_by_slurm() {
    let sleeps = |options: &str| wrap(options, "sleep 3000");
    let down = |node: &str| format!("scontrol update nodename={node} state=down reason=x");
    check(
        &[sleeps("-t 1"), wait(200)],
        "1",
        ["TIMEOUT It reached its time limit of 1 min", "sa durée maximale (1 min)"],
    );
    check(
        &[sleeps(""), by("alice", "scancel 1"), wait(40)],
        "1",
        ["alice cancelled it after", "annulée par alice après"],
    );
    check(
        &[sleeps(""), "scancel 1".into(), wait(40)],
        "1",
        ["root cancelled it after", "annulée par root après"],
    );
    check(
        &[sleeps("-H"), by("alice", "scancel 1"), wait(9)],
        "1",
        ["alice cancelled it before it started", "avant son début"],
    );
    check(
        &[wrap("", "sleep 20; false"), sleeps("--kill-on-invalid-dep=yes -d afterok:1"), wait(60)],
        "2",
        [
            "cancelled it before it started. Its dependency can never be satisfied.",
            "ne peut plus être satisfaite",
        ],
    );
    check(
        &[sleeps("--no-requeue -w n1"), down("n1"), wait(40)],
        "1",
        ["NODE_FAIL One of its nodes failed", "en panne"],
    );
    check(
        &[sleeps("--requeue -w n1"), down("n1"), wait(40)],
        "1",
        ["It has run before: a node failed (NODE_FAIL)", "Elle a déjà tourné : un nœud est tombé en panne"],
    );
    check(
        &[wrap("-N4 --exclusive", "sleep 4000"), sleeps("-t 30 --deadline=now+40minutes"), wait(700)],
        "2",
        ["DEADLINE It could no longer finish before its deadline", "échéance"],
    );
    let big =
        by("alice", "printf '#SIM time=60s memory=4G\\n' > big.py; sbatch --mem=1G --wrap 'python big.py'");
    check(
        &[big, wait(100)],
        "1",
        ["OUT_OF_MEMORY It exceeded its 1.0 GiB of memory", "Dépassement de mémoire"],
    );
    check(
        &[sleeps("-N4 --exclusive"), sleeps("-p urgent -A chemistry -N4 --exclusive"), wait(60)],
        "1",
        ["PREEMPTED It was preempted by job 2.", "Elle a été préemptée par la tâche 2."],
    );
}
