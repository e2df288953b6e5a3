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
}

/// A piece of what is printed, and what it means. The first that fits counts.
const TEXTS: &[(&str, Refusal)] = &[
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
