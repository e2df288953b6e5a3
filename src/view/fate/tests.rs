//! Ends and refusals.

use super::*;
use crate::protocol::{Pushed, Used};
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
    // Who makes way knows for whom, and how long there is.
    let pushed = |state, leaving| JobDetail {
        pushed: Some(Pushed { by: "7".into(), grace: 120, leaving }),
        ..job(state, 0, 0)
    };
    assert_eq!(
        told(&pushed("PREEMPTED", false), &EN),
        "It had to make way: job 7, which comes first, needed its place."
    );
    let leaving = pushed("RUNNING", true);
    assert_eq!(fate(&leaving), Some(Fate::Leaving));
    assert!((EN.fate)(&Fate::Leaving, &leaving).1.contains("has 2 min from then on"));
    assert_eq!(fate(&pushed("RUNNING", false)), None);
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
    assert_eq!([kib(500, "."), kib(2048, ","), kib(3_670_016, ".")], ["500 KiB", "2 MiB", "3.5 GiB"]);
    assert_eq!((percent(1, 3), percent(1, 0)), (33, 0));
}

/// What sbatch, srun and salloc print when they refuse something: none of it is left without a word.
#[test]
fn every_refusal_has_a_sentence() {
    let table: &[(&str, Refusal)] = &[
        (
            "Batch job submission failed: No partition specified or system default partition",
            Refusal::Partition,
        ),
        ("Batch job submission failed: Access/permission denied", Refusal::Permission),
        ("Batch job submission failed: User's group not permitted to use this partition", Refusal::Group),
        ("Batch job submission failed: Requested nodes not in this partition", Refusal::NodeName),
        ("Batch job submission failed: More processors requested than permitted", Refusal::Cpus),
        ("Batch job submission failed: Node count specification invalid", Refusal::Nodes),
        ("Batch job submission failed: MaxJobCount limit reached", Refusal::Full),
        ("Batch job submission failed: Job script not specified", Refusal::Script),
        ("Batch job submission failed: Invalid user id", Refusal::Permission),
        (
            "Batch job submission failed: Pathname of a file, directory or other parameter too long",
            Refusal::Value,
        ),
        (
            "Unable to allocate resources: Immediate execution impossible, insufficient priority",
            Refusal::Busy,
        ),
        ("Batch job submission failed: Requested partition configuration not available now", Refusal::Nodes),
        ("Unable to allocate resources: Requested nodes are busy", Refusal::Busy),
        ("Unable to confirm allocation for job 9999: Invalid job id specified", Refusal::Job),
        ("Unable to allocate resources: Job/step already completing or completed", Refusal::Job),
        ("Batch job submission failed: Task distribution specification invalid", Refusal::Value),
        ("Batch job submission failed: Task count specification invalid", Refusal::Contradiction),
        ("Batch job submission failed: Invalid feature specification", Refusal::Feature),
        ("Batch job submission failed: Job dependency problem", Refusal::Dependency),
        ("Batch job submission failed: Circular job dependency", Refusal::Dependency),
        ("Batch job submission failed: Licenses currently unavailable", Refusal::License),
        ("Batch job submission failed: Memory required by task is not available", Refusal::Memory),
        (
            "Batch job submission failed: Invalid account or account/partition combination specified",
            Refusal::Account,
        ),
        ("Batch job submission failed: Invalid license specification", Refusal::License),
        ("QOSMaxSubmitJobPerUserLimit", Refusal::Submitted),
        ("AssocGrpSubmitJobsLimit", Refusal::Submitted),
        (
            "QOSMaxCpuPerJobLimit\nsbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)",
            Refusal::Limit,
        ),
        (
            "Batch job submission failed: Requested account has breached requested QOS usage threshold",
            Refusal::Spent,
        ),
        (
            "Batch job submission failed: Requested time limit is invalid (missing or exceeds some limit)",
            Refusal::Time,
        ),
        (
            "Batch job submission failed: Invalid time-min specification (exceeds job's time or other limits)",
            Refusal::Time,
        ),
        ("Batch job submission failed: Access denied to requested reservation", Refusal::Reservation),
        ("Batch job submission failed: Requested reservation is invalid", Refusal::Reservation),
        (
            "Batch job submission failed: Required node not available (down, drained or reserved)",
            Refusal::NodeAway,
        ),
        ("Batch job submission failed: CPU count specification invalid", Refusal::Cpus),
        (
            "Batch job submission failed: Required partition not available (inactive or drain)",
            Refusal::PartitionDown,
        ),
        ("Batch job submission failed: Partition in DOWN state", Refusal::PartitionDown),
        ("Batch job submission failed: System submissions disabled", Refusal::PartitionDown),
        ("Batch job submission failed: Invalid qos specification", Refusal::Qos),
        ("Invalid generic resource (gres) specification", Refusal::Gres),
        (
            "Batch job submission failed: Duplicate generic resource (gres) specification",
            Refusal::Contradiction,
        ),
        (
            "Batch job submission failed: Invalid GRES specification (with and without type identification)",
            Refusal::Contradiction,
        ),
        ("Batch job submission failed: Invalid Trackable RESource (TRES) specification", Refusal::Value),
        ("Batch job submission failed: Invalid job array specification", Refusal::Array),
        ("Batch job submission failed: Invalid --nice value", Refusal::Value),
        ("Batch job submission failed: Invalid preferred feature specification", Refusal::Feature),
        ("Batch job submission failed: Requested topology configuration is not available", Refusal::Nodes),
        ("Batch job submission failed: Invalid node name specified", Refusal::NodeName),
        (
            "Batch job submission failed: Unable to contact slurm controller (connect failure)",
            Refusal::Controller,
        ),
        ("Batch job submission failed: Rate limit exceeded, please retry later", Refusal::Controller),
        (
            "Batch job submission failed: Job --batch option is invalid or not a subset of --constraint",
            Refusal::Feature,
        ),
        ("Invalid --time specification", Refusal::Time),
        ("Invalid --mem specification", Refusal::Value),
        ("Invalid numeric value \"abc\" for --ntasks.", Refusal::Value),
        ("\"abc\" is not a valid node count", Refusal::Value),
        ("unrecognized --hint argument \"bad\", see --hint=help", Refusal::Value),
        ("Maximum node count 2 is less than minimum node count 4", Refusal::Contradiction),
        (
            "Failed to validate job spec. --gpus-per-task or --tres-per-task used without either --gpus or -n/--ntasks",
            Refusal::Contradiction,
        ),
        ("Script arguments not permitted with --wrap option", Refusal::Contradiction),
        ("Batch script contains DOS line breaks (\\r\\n)", Refusal::LineEnds),
        ("Batch script contains only whitespace!", Refusal::Script),
        ("Batch script is empty!", Refusal::Script),
        ("This does not look like a batch script.  The first", Refusal::Script),
        ("Unable to open file nosuchfile.sh", Refusal::NoFile),
        ("--uid only permitted by root user", Refusal::Permission),
        ("No cluster 'other' known by database.", Refusal::Cluster),
        ("Unable to create step for job 23: More processors requested than permitted", Refusal::Step),
        ("Only allocated 2 nodes asked for 3", Refusal::Step),
        ("_fork_command: Unable to find command \"nosuchcmd\"", Refusal::Program),
    ];
    for (text, want) in table {
        let line = format!("sbatch: error: {text}\r\n");
        assert_eq!(refusal(line.as_bytes()), Some(*want), "{text}");
        for teller in [&EN, &FR] {
            let (what, how) = (teller.refused)(*want);
            assert!(what.ends_with('.') && how.contains(' '), "{want:?}");
        }
    }
}
