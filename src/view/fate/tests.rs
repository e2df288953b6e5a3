//! Ends and refusals.

use super::*;
use crate::protocol::Used;
use crate::view::rich::plain;

fn job(state: &str, code: u8, signal: u8) -> JobDetail {
    let used = Used { elapsed: 90, memory: 1 << 20, memory_most: 2 << 20, ..Used::default() };
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
fn fates() {
    let told = |job: &JobDetail, teller: &Teller| {
        let (lead, _) = (teller.fate)(&fate(job).unwrap(), job);
        plain(&lead)
    };
    assert_eq!(told(&job("FAILED", 127, 0), &EN), "It failed: a command was not found (127).");
    assert_eq!(told(&job("FAILED", 127, 0), &FR), "Elle a échoué : une commande introuvable (127).");
    assert_eq!(told(&job("TIMEOUT", 0, 15), &EN), "It reached its time limit of 1 min and was ended.");
    let oom = job("OUT_OF_MEMORY", 0, 125);
    assert_eq!(told(&oom, &EN), "It wanted more memory than the 2.0 GiB it had, and the system killed it.");
    assert_eq!(fate(&job("RUNNING", 0, 0)), None);
    assert_eq!(tone(&oom), Tone::Bad);
}

#[test]
fn refusals() {
    let table: [(&str, Option<Refusal>); 5] = [
        ("sbatch: error: invalid partition specified: nope\r\n", Some(Refusal::Partition)),
        (
            "sbatch: error: Memory specification can not be satisfied\r\nsbatch: error: Batch job submission failed: \
             Requested node configuration is not available\r\n",
            Some(Refusal::Memory),
        ),
        ("Submitted batch job 12\r\n", None),
        ("cat: Unable to open file\r\n", None),
        ("sbatch: unrecognized option '--foo'\r\n", Some(Refusal::Option)),
    ];
    for (text, want) in table {
        assert_eq!(refusal(text.as_bytes()), want, "{text}");
    }
}

#[test]
fn amounts() {
    assert_eq!([kib(500), kib(2048), kib(3_670_016)], ["500 KiB", "2 MiB", "3.5 GiB"]);
    assert_eq!((percent(1, 3), percent(1, 0)), (33, 0));
}
