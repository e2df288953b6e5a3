//! Sentences about how jobs end, in English.

use super::{Exit, JobOutcome, OutcomeTexts, Refusal, hopeless, kib};
use crate::rich::{code, job as link};
use crate::states::job_code;
use crate::times::span;
use protocol::JobDetail;

/// English.
pub const EN: OutcomeTexts = OutcomeTexts { exit, outcome, refused };

fn exit(exit: Exit) -> String {
    match exit {
        Exit::Good => String::new(),
        Exit::Code(n) => format!("the program's own error code ({n})"),
        Exit::Usage => "a command was used incorrectly (2)".to_owned(),
        Exit::NotExecutable => "a file is not executable (126)".to_owned(),
        Exit::NotFound => "a command was not found (127)".to_owned(),
        Exit::Signal(n, "") => format!("terminated by signal {n}"),
        Exit::Signal(n, name) => format!("terminated by signal {n} ({name})"),
    }
}

fn outcome(outcome: &JobOutcome, job: &JobDetail) -> (String, String) {
    let ran = job.used.map(|u| span(u.elapsed, "d")).unwrap_or_default();
    let own = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
    match outcome {
        JobOutcome::Completed => (format!("Completed in {ran}."), String::new()),
        JobOutcome::Failed(exit) => failed(*exit),
        JobOutcome::Timeout => (
            format!("It reached its time limit of {} and was terminated.", span(job.limit_seconds, "d")),
            format!(
                "Request more with {}, up to the partition's limit, or save checkpoints and resume from them ({} warns \
                 the job in time).",
                code("--time"),
                code("--signal")
            ),
        ),
        JobOutcome::OutOfMemory => {
            let given = job.used.map_or(0, |used| used.memory_most);
            let given =
                if given > 0 { format!("{} of memory", kib(given, ".")) } else { "memory".to_owned() };
            (
                format!("It exceeded its {given}, and the system killed it."),
                format!(
                    "Request more with {} or {}. It was killed at its limit, so its real need is unknown.",
                    code("--mem"),
                    code("--mem-per-cpu")
                ),
            )
        }
        JobOutcome::Cancelled if job.used.is_none() => cancelled(job, "before it started"),
        JobOutcome::Cancelled => cancelled(job, &format!("after {ran}")),
        JobOutcome::Preempted => (
            format!("It was preempted by {}.", first(job)),
            format!(
                "With {} it returns to the queue by itself where {} is {}; elsewhere, submit it again. Checkpoints keep \
                 the work done so far.",
                code("--requeue"),
                code("PreemptMode"),
                code("REQUEUE")
            ),
        ),
        JobOutcome::Leaving => {
            let grace = job.pushed.as_ref().map_or(0, |p| p.grace);
            (
                format!("It is being preempted by {}.", first(job)),
                format!(
                    "Programs that {} started have received {} and have {} to save their work before the job ends.",
                    code("srun"),
                    code("SIGTERM"),
                    span(i64::from(grace), "d")
                ),
            )
        }
        JobOutcome::NodeFail => (
            "One of its nodes failed.".to_owned(),
            format!("The job was not at fault. Submit it again, next time with {}.", code("--requeue")),
        ),
        JobOutcome::BootFail => {
            own(("Its nodes did not boot.", "Submit it again, and tell the administrators."))
        }
        JobOutcome::Deadline => own((
            "It could no longer finish before its deadline.",
            "Use a later --deadline or a shorter --time.",
        )),
        JobOutcome::Requeued => {
            let last = job.runs.last().map(|r| r.state.as_str()).unwrap_or_default();
            let why = match last {
                "PREEMPTED" => format!("it was preempted by {}", first(job)),
                "NODE_FAIL" => "a node failed".to_owned(),
                _ => "it was requeued".to_owned(),
            };
            let rest = match job_code(&job.state) {
                "CG" => "Its nodes are being cleaned up. Then it waits its turn again.",
                _ => "It starts from the beginning unless the script resumes from a checkpoint.",
            };
            (format!("It has run before: {why} ({}).", code(last)), rest.to_owned())
        }
    }
}

/// The preempting job, if it is known.
fn first(job: &JobDetail) -> String {
    match &job.pushed {
        Some(pushed) => format!("job {}", link(&pushed.by)),
        None => "another job".to_owned(),
    }
}

fn cancelled(job: &JobDetail, when: &str) -> (String, String) {
    let lead = match job.cancelled_by.as_str() {
        "" => format!("It was cancelled {when}."),
        by => format!("{by} cancelled it {when}."),
    };
    let never = if hopeless(job) { "Its dependency can never be satisfied." } else { "" };
    (lead, never.to_owned())
}

fn failed(how: Exit) -> (String, String) {
    let advice = match how {
        Exit::Good => "One of its steps failed but the script continued. Look at its output.".to_owned(),
        Exit::Code(_) | Exit::Usage => {
            "The last lines of its output below usually say what went wrong.".to_owned()
        }
        Exit::NotExecutable => format!("Make it executable: {}.", code("chmod +x FILE")),
        Exit::NotFound => format!(
            "Find its name in the output. Load its module first ({}) or give its full path.",
            code("module load")
        ),
        Exit::Signal(9, _) => {
            "A user or the system killed it, often because it ran out of memory.".to_owned()
        }
        Exit::Signal(53, _) => format!(
            "It could not start: its directory or its output file cannot be opened on the node ({}, {}).",
            code("--chdir"),
            code("--output")
        ),
        Exit::Signal(11 | 7 | 4, _) => {
            "The program itself crashed: a bug, too small a stack, or an incompatible library.".to_owned()
        }
        Exit::Signal(6, _) => "The program aborted; its error messages say why.".to_owned(),
        Exit::Signal(8, _) => "An arithmetic error such as a division by zero.".to_owned(),
        Exit::Signal(_, _) => "A signal asked it to stop.".to_owned(),
    };
    let what = exit(how);
    (if what.is_empty() { "It failed.".to_owned() } else { format!("It failed: {what}.") }, advice)
}

const fn refused(why: Refusal) -> (&'static str, &'static str) {
    match why {
        Refusal::Partition => ("There is no such partition.", "sinfo -s lists the partitions."),
        Refusal::Account => (
            "You do not belong to that account, or it may not use that partition.",
            "sacctmgr show assoc user=$USER format=account,partition,qos lists yours.",
        ),
        Refusal::Qos => (
            "You may not use that QOS.",
            "sacctmgr show assoc user=$USER format=account,qos lists those you may use.",
        ),
        Refusal::Nodes => (
            "No node in the partition can satisfy the request, even when idle.",
            "Request less per node, or another partition: sinfo -o '%P %D %c %m %G' shows what nodes have.",
        ),
        Refusal::Cpus => (
            "No node has that many CPUs.",
            "Use fewer --cpus-per-task, or spread tasks over nodes with --ntasks: sinfo -o '%P %c' shows CPUs.",
        ),
        Refusal::Memory => (
            "No node has that much memory.",
            "Request less with --mem: sinfo -o '%P %m' shows what nodes have, in MB.",
        ),
        Refusal::Gres => (
            "There is no such GPU (or other resource) here.",
            "Write gpu:TYPE:NUMBER with an existing type: sinfo -o '%P %G' lists them.",
        ),
        Refusal::Time => (
            "The time limit is missing or longer than allowed.",
            "Request less with --time: sinfo -o '%P %l' shows the partitions' limits.",
        ),
        Refusal::Limit => (
            "It exceeds a limit of your account or QOS: number of jobs, size or time.",
            "Wait until other jobs have ended, or request less: sacctmgr show qos shows the limits.",
        ),
        Refusal::Dependency => {
            ("It depends on an unknown job.", "Check the job ID: squeue --me lists your jobs.")
        }
        Refusal::Reservation => (
            "That reservation does not exist, or you may not use it.",
            "scontrol show reservation lists the reservations.",
        ),
        Refusal::Group => {
            ("That partition is for other groups.", "sinfo -s lists the partitions; use another one.")
        }
        Refusal::Feature => {
            ("No node has those features.", "sinfo -o '%P %f' lists the features for --constraint.")
        }
        Refusal::NodeName => {
            ("There is no such node in that partition.", "sinfo -N lists nodes and partitions.")
        }
        Refusal::PartitionDown => {
            ("That partition does not accept jobs now.", "sinfo -s shows which are up.")
        }
        Refusal::Array => {
            ("The array is malformed or too large.", "Write it as --array=1-100%10 (at most 10 at once).")
        }
        Refusal::Script => (
            "This is not a script: its first line must start with #!.",
            "Start it with #!/bin/bash, or use --wrap 'command'.",
        ),
        Refusal::Option => {
            ("There is no such option, or its value is missing.", "sbatch --help lists the options.")
        }
        Refusal::NoFile => {
            ("There is no such file.", "ls lists the files here; it may be in another directory.")
        }
        Refusal::License => ("There are not enough of these licences.", "scontrol show licenses lists them."),
        Refusal::Permission => ("You are not allowed to do this.", "Only its owner or an administrator may."),
        Refusal::Submitted => (
            "You, your account or that QOS have reached the limit on submitted jobs.",
            "Wait until some have ended, or combine small jobs into one: squeue --me lists yours.",
        ),
        Refusal::Spent => (
            "Your account has used too much for that QOS.",
            "Use another QOS or account, or wait until usage has decayed: sshare shows it.",
        ),
        Refusal::Full => {
            ("The queue is full for everyone.", "Try again later, or submit one array instead of many jobs.")
        }
        Refusal::Value => (
            "The value of an option is malformed.",
            "The error names the option; man sbatch describes its format.",
        ),
        Refusal::Contradiction => (
            "Two options contradict each other.",
            "The error shows which numbers conflict: remove or change one of them.",
        ),
        Refusal::LineEnds => {
            ("The script has Windows line endings.", "Convert them: sed -i 's/\\r$//' FILE.")
        }
        Refusal::Busy => (
            "No resources are free for it now, and it may not wait.",
            "Without --immediate, it waits its turn.",
        ),
        Refusal::Program => {
            ("There is no such program.", "Load its module first (module load) or give its full path.")
        }
        Refusal::Job => ("There is no such job, or it has ended.", "squeue --me lists your jobs."),
        Refusal::Step => (
            "A step cannot use more than its job's allocation.",
            "Request less in srun, or more in sbatch or salloc.",
        ),
        Refusal::Cluster => ("There is no such cluster.", "sacctmgr show clusters lists the clusters."),
        Refusal::Controller => ("The controller is not responding.", "Try again in a moment."),
        Refusal::NodeAway => (
            "A node you requested is down, drained or reserved.",
            "sinfo -N -l shows why; without --nodelist, any node will do.",
        ),
    }
}
