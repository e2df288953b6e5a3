//! Ends and refusals.

use super::*;
use crate::rich::plain;
use protocol::{JobPreemption, JobUsage};

fn job(state: &str, code: u8, signal: u8) -> JobDetail {
    let used = JobUsage { elapsed: 90, memory: 1 << 20, memory_most: 2 << 20, ..JobUsage::default() };
    JobDetail {
        state: state.into(),
        exit_code: code,
        exit_signal: signal,
        limit_seconds: 60,
        used: Some(used),
        ..JobDetail::default()
    }
}

#[test]
fn exits() {
    let table = [
        (0, 0, Exit::Good),
        (1, 0, Exit::Code(1)),
        (127, 0, Exit::NotFound),
        (137, 0, Exit::Signal(9, "SIGKILL")),
        (0, 9, Exit::Signal(9, "SIGKILL")),
        (0, 64, Exit::Signal(64, "")),
        (200, 0, Exit::Code(200)),
        (255, 0, Exit::Code(255)),
    ];
    for (code, signal, exit) in table {
        assert_eq!(Exit::of(code, signal), exit, "{code}:{signal}");
    }
}

#[test]
fn outcomes() {
    let said = |job: &JobDetail, texts: &OutcomeTexts| {
        let (lead, _) = (texts.outcome)(&outcome(job).unwrap(), job);
        plain(&lead)
    };
    assert_eq!(said(&job("FAILED", 127, 0), &EN), "It failed: a command was not found (127).");
    assert_eq!(said(&job("FAILED", 127, 0), &FR), "Elle a échoué : une commande introuvable (127).");
    assert_eq!(said(&job("TIMEOUT", 0, 15), &EN), "It reached its time limit of 1 min and was terminated.");
    let oom = job("OUT_OF_MEMORY", 0, 125);
    assert_eq!(said(&oom, &EN), "It exceeded its 2.0 GiB of memory, and the system killed it.");
    assert_eq!(outcome(&job("RUNNING", 0, 0)), None);
    // A preempted job shows its preemptor and its grace time.
    let pushed = |state, leaving| JobDetail {
        pushed: Some(JobPreemption { by: "7".into(), grace: 120, leaving }),
        ..job(state, 0, 0)
    };
    assert_eq!(said(&pushed("PREEMPTED", false), &EN), "It was preempted by job 7.");
    let leaving = pushed("RUNNING", true);
    assert_eq!(outcome(&leaving), Some(JobOutcome::Leaving));
    assert!((EN.outcome)(&JobOutcome::Leaving, &leaving).1.contains("have 2 min to save their work"));
    assert_eq!(outcome(&pushed("RUNNING", false)), None);
    assert_eq!(tone(&oom), Tone::Bad);
}

#[test]
fn amounts() {
    assert_eq!([kib(500, "."), kib(2048, ","), kib(3_670_016, ".")], ["500 KiB", "2 MiB", "3.5 GiB"]);
    assert_eq!((percent(1, 3), percent(1, 0)), (33, 0));
}

#[test]
fn every_refusal_has_a_sentence() {
    for refusal in Refusal::ALL {
        for texts in [&EN, &FR] {
            let (what, how) = (texts.refused)(*refusal);
            assert!(what.ends_with('.') && how.contains(' '), "{refusal:?}");
        }
    }
}
