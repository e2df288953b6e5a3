//! Refusals of sbatch, srun and salloc, known by Slurm's own texts.

/// Why a submission was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Refusal {
    Partition,
    Account,
    Qos,
    Nodes,
    Cpus,
    Memory,
    Gres,
    Time,
    Limit,
    Dependency,
    Reservation,
    Group,
    Feature,
    NodeName,
    PartitionDown,
    Array,
    Script,
    Option,
    NoFile,
    License,
    Permission,
    /// Too many jobs of one's own are there already.
    Submitted,
    /// A budget is used up.
    Spent,
    /// slurmctld takes no more jobs.
    Full,
    /// A value is not what its option wants.
    Value,
    /// Options that contradict each other.
    Contradiction,
    /// Line ends of another system.
    LineEnds,
    /// No place at once, and no wish to wait.
    Busy,
    /// The program is not there.
    Program,
    /// A job that is not there, or not any more.
    Job,
    /// A step that wants more than its job has.
    Step,
    /// Another cluster.
    Cluster,
    /// Nobody answers, or not so often.
    Controller,
    /// A named node that cannot be had.
    NodeAway,
}

/// A piece of what is printed, and what it means. The first that fits counts.
const TEXTS: &[(&str, Refusal)] = &[
    ("SubmitJob", Refusal::Submitted),
    ("UsageThreshold", Refusal::Spent),
    ("QOS usage threshold", Refusal::Spent),
    ("MaxJobCount limit reached", Refusal::Full),
    ("Multiple partition job request not supported", Refusal::Partition),
    ("Requested partition configuration not available", Refusal::Nodes),
    ("DOS line breaks", Refusal::LineEnds),
    ("only whitespace", Refusal::Script),
    ("must start with #!", Refusal::Script),
    ("Job script not specified", Refusal::Script),
    ("Script arguments not permitted with --wrap", Refusal::Contradiction),
    ("Failed to validate job spec", Refusal::Contradiction),
    ("is less than minimum node count", Refusal::Contradiction),
    ("Task count specification invalid", Refusal::Contradiction),
    ("with and without type identification", Refusal::Contradiction),
    ("Duplicate generic resource", Refusal::Contradiction),
    ("Circular job dependency", Refusal::Dependency),
    ("Invalid time-min specification", Refusal::Time),
    ("Insufficient GRES", Refusal::Gres),
    ("Unable to create step", Refusal::Step),
    ("asked for", Refusal::Step),
    ("Unable to find command", Refusal::Program),
    ("Requested nodes are busy", Refusal::Busy),
    ("Immediate execution impossible", Refusal::Busy),
    ("can not start immediately", Refusal::Busy),
    ("Invalid job id specified", Refusal::Job),
    ("already completing or completed", Refusal::Job),
    ("Job has already finished", Refusal::Job),
    ("Required node not available", Refusal::NodeAway),
    ("Required nodes lack available resources", Refusal::NodeAway),
    ("Partition in DOWN state", Refusal::PartitionDown),
    ("submissions disabled", Refusal::PartitionDown),
    ("invalid entry for --cluster", Refusal::Cluster),
    ("No cluster '", Refusal::Cluster),
    ("Unable to contact slurm controller", Refusal::Controller),
    ("Rate limit exceeded", Refusal::Controller),
    ("only permitted by root", Refusal::Permission),
    ("--batch option is invalid", Refusal::Feature),
    ("Invalid preferred feature", Refusal::Feature),
    ("Invalid extra constraints", Refusal::Feature),
    ("Requested topology configuration", Refusal::Nodes),
    ("No suitable topology unit", Refusal::Nodes),
    ("do not fit topology", Refusal::Nodes),
    ("invalid partition specified", Refusal::Partition),
    ("Invalid partition name specified", Refusal::Partition),
    ("No partition specified", Refusal::Partition),
    ("Invalid account or account/partition combination", Refusal::Account),
    ("Invalid qos specification", Refusal::Qos),
    ("User's group not permitted", Refusal::Group),
    ("Memory specification can not be satisfied", Refusal::Memory),
    ("Memory required by task is not available", Refusal::Memory),
    ("CPU count per node can not be satisfied", Refusal::Cpus),
    ("More processors requested than permitted", Refusal::Cpus),
    ("CPU count specification invalid", Refusal::Cpus),
    ("Invalid generic resource", Refusal::Gres),
    ("Requested time limit is invalid", Refusal::Time),
    ("Invalid --time specification", Refusal::Time),
    ("Job violates accounting/QOS policy", Refusal::Limit),
    ("Job dependency problem", Refusal::Dependency),
    ("Requested reservation is invalid", Refusal::Reservation),
    ("Access denied to requested reservation", Refusal::Reservation),
    ("Invalid feature specification", Refusal::Feature),
    ("Invalid node name specified", Refusal::NodeName),
    ("Requested nodes not in this partition", Refusal::NodeName),
    ("Required partition not available", Refusal::PartitionDown),
    ("Node count specification invalid", Refusal::Nodes),
    ("Requested node configuration is not available", Refusal::Nodes),
    ("Invalid job array specification", Refusal::Array),
    ("Invalid license specification", Refusal::License),
    ("Licenses currently unavailable", Refusal::License),
    ("This does not look like a batch script", Refusal::Script),
    ("Batch script is empty", Refusal::Script),
    ("unrecognized option", Refusal::Option),
    ("invalid option", Refusal::Option),
    ("ambiguous", Refusal::Option),
    ("requires an argument", Refusal::Option),
    ("Unable to open file", Refusal::NoFile),
    ("Access/permission denied", Refusal::Permission),
    ("Invalid user id", Refusal::Permission),
    ("No such file or directory", Refusal::NoFile),
    ("Could not open multi_prog", Refusal::NoFile),
    ("Unable to open", Refusal::NoFile),
    ("is not a valid node count", Refusal::Value),
    ("Invalid numeric value", Refusal::Value),
    ("Invalid --", Refusal::Value),
    ("unrecognized --", Refusal::Value),
    ("Invalid Trackable RESource", Refusal::Value),
    ("Task distribution specification invalid", Refusal::Value),
    ("Invalid wckey", Refusal::Value),
    ("Invalid time specified", Refusal::Value),
    ("Invalid plane size", Refusal::Value),
    ("Bad rlimit", Refusal::Value),
    ("too long", Refusal::Value),
    ("Invalid mcs_label", Refusal::Value),
];

/// Why a submission was refused, from what the terminal printed; none: nothing was refused.
#[must_use]
pub fn refusal(output: &[u8]) -> Option<Refusal> {
    let text = String::from_utf8_lossy(output);
    let says = |line: &str| {
        let by =
            ["sbatch: ", "srun: ", "salloc: "].iter().any(|command| line.trim_start().starts_with(command));
        by && !line.contains("warning")
    };
    let mut lines = text.lines().filter(|line| says(line));
    lines.find_map(|line| TEXTS.iter().find(|(piece, _)| line.contains(piece)).map(|t| t.1))
}
