//! The vocabulary of rules: the fields of conditions and the settings of actions.

use serde::{Deserialize, Serialize};

/// The value type of a field, which determines the syntax of its conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// Names with `*` and `?`; a leading `!` negates.
    Text,
    /// Whole numbers: `">=4"`, `"2..8"`.
    Count,
    /// Time limits: `"<=3:00:00"`.
    Minutes,
    /// Memory: `">8G"`.
    Mebibytes,
    /// `true` or `false`.
    Switch,
}

impl ValueKind {
    /// How its values are written.
    const fn label(self) -> &'static str {
        match self {
            Self::Text => "names",
            Self::Count => "a number",
            Self::Minutes => "a time limit",
            Self::Mebibytes => "memory",
            Self::Switch => "true or false",
        }
    }
}

macro_rules! fields {
    ($(#[$doc:meta])* $enum:ident { $($name:ident = $word:literal, $kind:ident, $what:literal;)* } $($label:ident)?) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum $enum {
            $(#[doc = $what] $name,)*
            $(
                /// A label that an earlier rule set.
                $label(String),
            )?
        }

        impl $enum {
            /// Keyword, field, value type.
            pub(super) const TABLE: &[(&str, Self, ValueKind)] = &[$(($word, Self::$name, ValueKind::$kind),)*];

            /// For each field: its keyword, how its values are written, and what it is.
            pub const HELP: &[(&'static str, &'static str, &'static str)] =
                &[$(($word, ValueKind::$kind.label(), $what),)*];

            /// Its keyword.
            #[must_use]
            pub fn word(&self) -> &str {
                match self {
                    $(Self::$name => $word,)*
                    $(Self::$label(name) => name,)?
                }
            }
        }
    };
}

fields! {
    /// A field for conditions of `[[job_submit]]`.
    JobField {
        User = "user", Text, "Whose job it is.";
        By = "by", Text, "Who submits or changes it.";
        Changes = "changes", Text, "What an update changes: `partition,time_limit`.";
        Account = "account", Text, "The account, or the user's default account.";
        Partition = "partition", Text, "Partitions as asked.";
        Qos = "qos", Text, "QOS as asked.";
        Reservation = "reservation", Text, "Reservation as asked.";
        Constraint = "constraint", Text, "Features as asked.";
        Licenses = "licenses", Text, "Licenses as asked.";
        Nodelist = "nodelist", Text, "Nodes as asked.";
        Name = "name", Text, "The job's name.";
        Wckey = "wckey", Text, "Its work load key.";
        Comment = "comment", Text, "Its comment.";
        Array = "array", Text, "Its array's indices.";
        Dependency = "dependency", Text, "What it depends on.";
        GpuType = "gpu_type", Text, "The type of GPU asked for.";
        TimeLimit = "time_limit", Minutes, "Time limit as asked.";
        TimeMin = "time_min", Minutes, "Least time as asked.";
        Nodes = "nodes", Count, "Least number of nodes.";
        MaxNodes = "max_nodes", Count, "Largest number of nodes.";
        Tasks = "tasks", Count, "Tasks in total.";
        TasksPerNode = "tasks_per_node", Count, "Tasks of a node as asked.";
        CpusPerTask = "cpus_per_task", Count, "CPUs of a task.";
        Cpus = "cpus", Count, "CPUs in total.";
        CpusPerNode = "cpus_per_node", Count, "CPUs of a node, where nodes or tasks of a node are asked for.";
        Gpus = "gpus", Count, "GPUs in total.";
        GpusPerNode = "gpus_per_node", Count, "GPUs of a node.";
        Mem = "mem", Mebibytes, "Memory in total.";
        MemPerNode = "mem_per_node", Mebibytes, "Memory of a node.";
        MemPerCpu = "mem_per_cpu", Mebibytes, "Memory of a CPU.";
        Exclusive = "exclusive", Switch, "Whether whole nodes are asked for with --exclusive.";
        Batch = "batch", Switch, "Whether it is a script; else salloc or srun.";
        Hold = "hold", Switch, "Whether it is submitted held.";
    } Label
}

fields! {
    /// A field for conditions of `[[cron]]`.
    AssocField {
        Account = "account", Text, "The account.";
        User = "user", Text, "The user, of users' associations.";
        Parent = "parent", Text, "The account above.";
        Jobs = "jobs", Count, "Jobs that wait or run.";
        Running = "running", Count, "Jobs that run.";
        Pending = "pending", Count, "Jobs that wait.";
        Shares = "shares", Count, "Shares as they are.";
        RawUsage = "raw_usage", Count, "Usage as sshare shows it.";
    }
}

macro_rules! settings {
    ($($name:ident = $word:literal, $kind:ident;)*) => {
        /// A property that a rule may set; the keyword is the name of the field.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "named as the values in the configuration")]
        pub enum JobSetting { $($name,)* }

        impl JobSetting {
            /// Keyword, setting, value type.
            pub(super) const TABLE: &[(&str, Self, ValueKind)] = &[$(($word, Self::$name, ValueKind::$kind),)*];

            /// For each setting: its keyword, and how its values are written.
            pub const HELP: &[(&'static str, &'static str)] = &[$(($word, ValueKind::$kind.label()),)*];

            /// Its keyword.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }
        }
    };
}

settings! {
    Account = "account", Text;
    AdminComment = "admin_comment", Text;
    Comment = "comment", Text;
    Constraint = "constraint", Text;
    Licenses = "licenses", Text;
    Name = "name", Text;
    Nodelist = "nodelist", Text;
    Partition = "partition", Text;
    Qos = "qos", Text;
    Reservation = "reservation", Text;
    Wckey = "wckey", Text;
    CpusPerTask = "cpus_per_task", Count;
    Nice = "nice", Count;
    Nodes = "nodes", Count;
    Priority = "priority", Count;
    Tasks = "tasks", Count;
    TasksPerNode = "tasks_per_node", Count;
    MemPerCpu = "mem_per_cpu", Mebibytes;
    MemPerNode = "mem_per_node", Mebibytes;
    TimeLimit = "time_limit", Minutes;
    TimeMin = "time_min", Minutes;
    Exclusive = "exclusive", Switch;
    Hold = "hold", Switch;
    Requeue = "requeue", Switch;
}

/// The association settings that `[[cron]]` may change, as sacctmgr(1) names them.
pub const ASSOC_SETTINGS: &[&str] = &[
    "fairshare",
    "grpjobs",
    "grpsubmitjobs",
    "grptres",
    "grpwall",
    "maxjobs",
    "maxsubmitjobs",
    "maxtres",
    "maxwall",
    "priority",
];
