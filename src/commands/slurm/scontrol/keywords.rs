//! scontrol's commands: one table for parsing, help, manual and completion.

use crate::slurm::tool::{ArgumentKind, Keyword};

const fn k(name: &'static str, least: usize, args: &'static str, help: &'static str) -> Keyword {
    Keyword { name, least, args, help }
}

/// The commands, with their shortest abbreviations.
pub const KEYWORDS: &[Keyword] = &[
    k("all", 3, "", "show hidden partitions, too"),
    k("cancel_reboot", 3, "NODES", "take a reboot back"),
    k("cluster", 2, "NAME", "ask this cluster"),
    k("completing", 3, "", "jobs that are completing, with their nodes"),
    k("create", 1, "SPECIFICATIONS", "make a reservation or partition"),
    k("delete", 1, "SPECIFICATIONS", "delete a reservation or partition"),
    k("details", 3, "", "show more of jobs and steps"),
    k("errnumstr", 2, "NUMBER", "the text of an error number"),
    k("exit", 1, "", "end the interactive mode"),
    k("fsdampeningfactor", 3, "FACTOR", "set FairShareDampeningFactor"),
    k("getaddrs", 4, "NODES", "addresses of nodes"),
    k("getent", 1, "[NODE]", "users and groups that steps on a node know"),
    k("help", 2, "", "show this text"),
    k("hide", 2, "", "leave hidden partitions out"),
    k("hold", 3, "JOBS", "keep jobs from starting"),
    k("holdu", 5, "JOBS", "the same, so that their owners may release them"),
    k("listjobs", 5, "[NODE]", "jobs that have processes on a node"),
    k("listpids", 5, "[JOB[.STEP]]", "processes of jobs on this node"),
    k("liststeps", 5, "[NODE]", "steps that have processes on a node"),
    k("notify", 1, "JOB MESSAGE", "write to a job's error output"),
    k("oneliner", 1, "", "show each record in one line"),
    k("pidinfo", 3, "PID", "the job of a process on this node"),
    k("ping", 3, "", "whether the controller answers"),
    k("power", 2, "up|down NODES", "power nodes up or down"),
    k("quiet", 4, "", "say nothing but errors"),
    k("quit", 4, "", "end the interactive mode"),
    k("reboot", 3, "[ASAP] [nextstate=] [reason=] NODES", "restart nodes when they are idle"),
    k("reconfigure", 3, "", "read the configuration again"),
    k("release", 3, "JOBS", "let held jobs go"),
    k("requeue", 3, "JOBS", "put jobs back into the queue"),
    k("requeuehold", 8, "[State=SpecialExit] JOBS", "put jobs back into the queue and hold them"),
    k("resume", 3, "JOBS", "let suspended jobs go on"),
    k("schedloglevel", 3, "LEVEL", "what the scheduler's log says"),
    k("setdebug", 4, "LEVEL", "what the controller's log says"),
    k("setdebugflags", 9, "+|-FLAGS", "what the controller's log says more"),
    k("show", 2, "ENTITY [ID]", "show jobs, nodes, partitions, steps, reservations, the configuration ..."),
    k("shutdown", 8, "[slurmctld]", "end the daemons"),
    k("suspend", 2, "JOBS", "stop jobs for a while"),
    k("takeover", 8, "[BACKUP]", "let a backup controller take over"),
    k("token", 1, "[lifespan=] [username=]", "an authentication token"),
    k("top", 3, "JOBS", "put own jobs before one's others"),
    k("uhold", 5, "JOBS", "keep jobs from starting, so that their owners may release them"),
    k("update", 2, "SPECIFICATIONS", "change a job, node, partition, reservation or step"),
    k("verbose", 4, "", "say more"),
    k("version", 4, "", "the version"),
    k("wait_job", 2, "JOB", "wait until a job's nodes are ready"),
    k("write", 2, "batch_script JOB [FILE|-], or config [FILE]", "write a job's script or the configuration"),
];

/// The entities of `show`.
pub const ENTITIES: &[&str] = &[
    "aliases",
    "assoc_mgr",
    "bbstat",
    "burstbuffer",
    "config",
    "daemons",
    "dwstat",
    "federation",
    "frontend",
    "hostlist",
    "hostlistsorted",
    "hostnames",
    "job",
    "licenses",
    "node",
    "nodeconf",
    "partition",
    "reservation",
    "slurmd",
    "step",
    "topoconf",
    "topology",
];

/// The words that may follow these words.
pub fn words(before: &[&str]) -> ArgumentKind {
    let Some(first) = before.first() else { return ArgumentKind::Nothing };
    match (*first, before.get(1).copied(), before.len()) {
        ("show", None, _) => ArgumentKind::OneOf(ENTITIES),
        ("show", Some("job" | "jobs" | "jobid"), 2) => ArgumentKind::Job,
        ("show", Some("step" | "steps"), 2) => ArgumentKind::Step,
        ("show", Some("node" | "nodes" | "hostnames" | "hostlist"), 2) => ArgumentKind::Node,
        ("show", Some("partition" | "partitions"), 2) => ArgumentKind::Partition,
        ("show", Some("reservation" | "reservations"), 2) => ArgumentKind::Reservation,
        ("show", Some("licenses"), 2) => ArgumentKind::License,
        (
            "hold" | "uhold" | "holdu" | "release" | "requeue" | "requeuehold" | "suspend" | "resume" | "top",
            _,
            _,
        )
        | ("wait_job" | "notify" | "listpids", _, 1)
        | ("write", Some("batch_script"), 2) => ArgumentKind::Job,
        ("write", None, _) => ArgumentKind::OneOf(&["batch_script", "config"]),
        ("update", _, _) => ArgumentKind::OneOf(UPDATES),
        ("create", None, _) => ArgumentKind::OneOf(&["reservation", "PartitionName="]),
        ("create", _, _) => ArgumentKind::OneOf(RESERVATION),
        ("delete", None, _) => ArgumentKind::OneOf(&["ReservationName=", "PartitionName="]),
        ("reboot" | "cancel_reboot" | "listjobs" | "liststeps" | "getent", _, _) => ArgumentKind::Node,
        ("power", None, _) => ArgumentKind::OneOf(&["up", "down"]),
        ("power", Some(_), _) => ArgumentKind::Node,
        ("token", _, _) => ArgumentKind::OneOf(&["lifespan=", "username="]),
        _ => ArgumentKind::Nothing,
    }
}

const UPDATES: &[&str] = &[
    "JobId=",
    "NodeName=",
    "PartitionName=",
    "ReservationName=",
    "StepId=",
    "TimeLimit=",
    "Partition=",
    "QOS=",
    "Account=",
    "Priority=",
    "Nice=",
    "StartTime=",
    "Dependency=",
    "Comment=",
    "Features=",
    "NumNodes=",
    "State=",
    "Reason=",
];

const RESERVATION: &[&str] = &[
    "ReservationName=",
    "StartTime=",
    "EndTime=",
    "Duration=",
    "Nodes=",
    "NodeCnt=",
    "CoreCnt=",
    "Users=",
    "Accounts=",
    "PartitionName=",
    "Flags=",
    "Features=",
    "Licenses=",
];
