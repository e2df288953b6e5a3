//! What became of a job, in English.

use super::{Exit, Fate, Refusal, Teller, hopeless, kib};
use crate::protocol::JobDetail;
use crate::view::rich::{code, job as link};
use crate::view::states::job_code;
use crate::view::times::span;

/// English.
pub const EN: Teller = Teller { exit, fate, refused };

fn exit(exit: Exit) -> String {
    match exit {
        Exit::Good => String::new(),
        Exit::Code(n) => format!("the program's own number for what went wrong ({n})"),
        Exit::Usage => "a command was used wrongly".to_owned(),
        Exit::NotExecutable => "the file may not be executed (126)".to_owned(),
        Exit::NotFound => "a command was not found (127)".to_owned(),
        Exit::Signal(n, "") => format!("ended by signal {n}"),
        Exit::Signal(n, name) => format!("ended by signal {n} ({name})"),
    }
}

fn fate(fate: &Fate, job: &JobDetail) -> (String, String) {
    let ran = job.used.map(|u| span(u.elapsed, "d")).unwrap_or_default();
    let own = |(a, b): (&str, &str)| (a.to_owned(), b.to_owned());
    match fate {
        Fate::Completed => (format!("It ended well after {ran}."), String::new()),
        Fate::Failed(exit) => failed(*exit),
        Fate::Timeout => (
            format!("It reached its time limit of {} and was ended.", span(job.limit_seconds, "d")),
            format!(
                "Ask for more with {}, as far as the partition allows; or let it save its work now and then and go on \
                 from there ({} warns it in time).",
                code("--time"),
                code("--signal")
            ),
        ),
        Fate::OutOfMemory => {
            let given = job.used.map_or(0, |used| used.memory_most);
            let given =
                if given > 0 { format!("the {} it had", kib(given, ".")) } else { "what it had".to_owned() };
            (
                format!("It wanted more memory than {given}, and the system killed it."),
                format!(
                    "Ask for more with {} or {}. It ended at its limit, so nobody knows how much it needs.",
                    code("--mem"),
                    code("--mem-per-cpu")
                ),
            )
        }
        Fate::Cancelled if job.used.is_none() => cancelled(job, "before it started"),
        Fate::Cancelled => cancelled(job, &format!("after {ran}")),
        Fate::Preempted => (
            format!("It had to make way: {} needed its place.", first(job)),
            format!(
                "{} lets it come back to the queue by itself where {} is {}; elsewhere submit it again. Saving its work \
                 now and then keeps what it did.",
                code("--requeue"),
                code("PreemptMode"),
                code("REQUEUE")
            ),
        ),
        Fate::Leaving => {
            let grace = job.pushed.as_ref().map_or(0, |p| p.grace);
            (
                format!("It has to make way: {} needs its place.", first(job)),
                format!(
                    "What {} started was sent {} and has {} from then on to save its work; then it ends.",
                    code("srun"),
                    code("SIGTERM"),
                    span(i64::from(grace), "d")
                ),
            )
        }
        Fate::NodeFail => (
            "A node it ran on was lost.".to_owned(),
            format!("Nothing was wrong with the job: submit it again, with {} next time.", code("--requeue")),
        ),
        Fate::BootFail => {
            own(("Its nodes did not come up.", "Submit it again; the administrators should know."))
        }
        Fate::Deadline => own((
            "It could not end before its deadline any more.",
            "Give a later --deadline or a shorter --time.",
        )),
        Fate::Requeued => {
            let last = job.runs.last().map(|r| r.state.as_str()).unwrap_or_default();
            let why = match last {
                "PREEMPTED" => format!("{} needed its place", first(job)),
                "NODE_FAIL" => "a node was lost".to_owned(),
                _ => "it was put back into the queue".to_owned(),
            };
            let rest = match job_code(&job.state) {
                "CG" => "Its nodes are being cleaned up; then it waits for its turn again.",
                _ => "It starts from the beginning unless the script goes on from what it saved.",
            };
            (format!("It has run before: {why} ({}).", code(last)), rest.to_owned())
        }
    }
}

/// Who came first, where that is known.
fn first(job: &JobDetail) -> String {
    match &job.pushed {
        Some(pushed) => format!("job {}, which comes first,", link(&pushed.by)),
        None => "a job that comes first".to_owned(),
    }
}

fn cancelled(job: &JobDetail, when: &str) -> (String, String) {
    let by = if job.cancelled_by.is_empty() { "somebody".to_owned() } else { job.cancelled_by.clone() };
    let never = if hopeless(job) { "What it depended on can never happen any more." } else { "" };
    (format!("{by} cancelled it {when}."), never.to_owned())
}

fn failed(how: Exit) -> (String, String) {
    let advice = match how {
        Exit::Good => "A step of it failed, the script itself went on: look at its output.".to_owned(),
        Exit::Code(_) | Exit::Usage => {
            "The last lines of its output below usually say what went wrong.".to_owned()
        }
        Exit::NotExecutable => format!("Make it executable: {}.", code("chmod +x FILE")),
        Exit::NotFound => format!(
            "Look in the output for its name: load its module first ({}), or write its whole path.",
            code("module load")
        ),
        Exit::Signal(9, _) => {
            "Somebody or the system killed it outright, often for want of memory.".to_owned()
        }
        Exit::Signal(53, _) => format!(
            "It could not even begin: its directory or the file for its output cannot be opened there ({}, {}).",
            code("--chdir"),
            code("--output")
        ),
        Exit::Signal(11 | 7 | 4, _) => {
            "The program itself crashed: a bug, or a stack or library that does not fit.".to_owned()
        }
        Exit::Signal(6, _) => "The program gave up by itself; its errors say why.".to_owned(),
        Exit::Signal(8, _) => "It divided by zero or the like.".to_owned(),
        Exit::Signal(_, _) => "Something told it to end.".to_owned(),
    };
    let what = exit(how);
    (if what.is_empty() { "It failed.".to_owned() } else { format!("It failed: {what}.") }, advice)
}

const fn refused(why: Refusal) -> (&'static str, &'static str) {
    match why {
        Refusal::Partition => ("There is no such partition.", "sinfo -s lists those that there are."),
        Refusal::Account => (
            "You are not in that account, or it may not use that partition.",
            "sacctmgr show assoc user=$USER format=account,partition,qos lists what you have.",
        ),
        Refusal::Qos => (
            "You may not use that QOS.",
            "sacctmgr show assoc user=$USER format=account,qos lists those you may use.",
        ),
        Refusal::Nodes => (
            "No node of the partition is like that, not even an idle one.",
            "Ask for less on each node, or for another partition: sinfo -o '%P %D %c %m %G' shows what nodes have.",
        ),
        Refusal::Cpus => (
            "No node has that many CPUs.",
            "Ask for fewer --cpus-per-task, or spread tasks over nodes with --ntasks: sinfo -o '%P %c' shows CPUs.",
        ),
        Refusal::Memory => (
            "No node has that much memory.",
            "Ask for less with --mem: sinfo -o '%P %m' shows what nodes have, in MB.",
        ),
        Refusal::Gres => (
            "There is no such GPU (or other resource) there.",
            "Write it as gpu:TYPE:NUMBER with a type that exists: sinfo -o '%P %G' lists them.",
        ),
        Refusal::Time => (
            "The time asked for is missing or longer than allowed.",
            "Ask for less with --time: sinfo -o '%P %l' shows the limits of partitions.",
        ),
        Refusal::Limit => (
            "A limit of your account or QOS forbids it: number of jobs, size or time.",
            "Wait until others of yours have ended, or ask for less: sacctmgr show qos shows the limits.",
        ),
        Refusal::Dependency => {
            ("It depends on a job that is not known.", "Check the number: squeue --me lists your jobs.")
        }
        Refusal::Reservation => (
            "That reservation does not exist, or is not for you.",
            "scontrol show reservation lists those that there are.",
        ),
        Refusal::Group => {
            ("That partition is for other groups.", "sinfo -s lists the partitions; take another one.")
        }
        Refusal::Feature => {
            ("No node has those features.", "sinfo -o '%P %f' lists the features for --constraint.")
        }
        Refusal::NodeName => {
            ("There is no such node in that partition.", "sinfo -N lists nodes and partitions.")
        }
        Refusal::PartitionDown => ("That partition takes no jobs now.", "sinfo -s shows which are up."),
        Refusal::Array => (
            "The array is not written as Slurm wants it, or too large.",
            "Write it as --array=1-100%10 (at most 10 at once).",
        ),
        Refusal::Script => (
            "That is no script: its first line must begin with #!.",
            "Begin it with #!/bin/bash, or use --wrap 'command'.",
        ),
        Refusal::Option => ("There is no such option, or its value is missing.", "sbatch --help lists them."),
        Refusal::NoFile => {
            ("There is no such file.", "ls shows what is here; perhaps it is in another directory.")
        }
        Refusal::License => ("Too few of those licences, or none.", "scontrol show licenses lists them."),
        Refusal::Permission => ("That is not yours to do.", "Only its owner or an administrator may."),
        Refusal::Submitted => (
            "So many jobs of yours, of your account or of that QOS may wait or run, and no more.",
            "Wait until some have ended, or put many small ones into one job: squeue --me lists yours.",
        ),
        Refusal::Spent => (
            "The QOS wants an account that has not used so much.",
            "Take another QOS or account, or wait until the usage has decayed: sshare shows it.",
        ),
        Refusal::Full => {
            ("The queue is full for everybody.", "Try again later, or submit one array for many jobs.")
        }
        Refusal::Value => (
            "The value of an option is not written as it should be.",
            "The error names the option; man sbatch tells its form.",
        ),
        Refusal::Contradiction => (
            "Two of the options contradict each other.",
            "The error tells which numbers do not fit together: leave one of them out, or change it.",
        ),
        Refusal::LineEnds => (
            "The script was written on Windows: its lines end otherwise.",
            "Mend it: sed -i 's/\\r$//' and its name.",
        ),
        Refusal::Busy => (
            "Nothing is free for it at this moment, and it was not to wait.",
            "Leave --immediate out, and it waits for its turn.",
        ),
        Refusal::Program => {
            ("There is no such program.", "Load its module first (module load), or write its whole path.")
        }
        Refusal::Job => ("There is no such job, or it is over.", "squeue --me lists your jobs."),
        Refusal::Step => (
            "A step cannot have more than its job was given.",
            "Ask for less in srun, or for more in sbatch or salloc.",
        ),
        Refusal::Cluster => {
            ("There is no such cluster.", "sacctmgr show clusters lists those that there are.")
        }
        Refusal::Controller => ("The controller does not answer just now.", "Try again in a moment."),
        Refusal::NodeAway => (
            "A node that you named is down, drained or reserved.",
            "sinfo -N -l shows why; leave --nodelist out to take any node.",
        ),
    }
}
