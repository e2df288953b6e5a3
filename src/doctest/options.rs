//! The options of `sbatch`, `srun` and `salloc` in an example, each with its position, parsed with the commands' own
//! table.

use commands::slurm::getopt;
use commands::slurm::opt::{Bad, JobOptions, SubmitCommand, longs};

/// A word with its position: the line's index in the block, and the word as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedWord {
    /// The word after quotes were removed.
    pub text: String,
    /// The index of its line in the block.
    pub row: usize,
}

/// An option in an example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedOption {
    /// Its long name; empty if the command has no such option.
    pub name: &'static str,
    /// Its argument.
    pub value: Option<String>,
    /// The words as written, joined by a space.
    pub written: String,
    /// The index of its line in the block.
    pub row: usize,
    /// Why the command rejects it.
    pub bad: Option<String>,
}

/// The options at the start of a command line, and the index of the first operand.
pub fn parse(
    tool: SubmitCommand,
    words: &[PlacedWord],
    is_extra: &dyn Fn(&str) -> bool,
) -> (Vec<UsedOption>, usize) {
    let rows = longs(tool);
    let mut used = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        if word.text == "--" {
            return (used, at + 1);
        }
        if !word.text.starts_with('-') || word.text == "-" {
            break;
        }
        at += 1;
        if is_extra(&word.text) {
            // An option of a plugin, with its argument.
            let next = words.get(at).filter(|next| !word.text.contains('=') && !next.text.starts_with('-'));
            at += usize::from(next.is_some() && words.len() > at + 1);
            continue;
        }
        let mut argv = vec![tool.name().to_owned(), word.text.clone()];
        let mut written = word.text.clone();
        let mut parsed = getopt::parse(&rows, &argv, false);
        if parsed.as_ref().is_err_and(|text| text.contains("requires an argument"))
            && let Some(next) = words.get(at)
        {
            argv.push(next.text.clone());
            written = format!("{written} {}", next.text);
            parsed = getopt::parse(&rows, &argv, false);
            at += 1;
        }
        match parsed {
            Ok(parsed) => used.extend(parsed.options.into_iter().map(|(name, value)| UsedOption {
                name,
                value,
                written: written.clone(),
                row: word.row,
                bad: None,
            })),
            Err(text) => {
                used.push(UsedOption { name: "", value: None, written, row: word.row, bad: Some(text) })
            }
        }
    }
    (used, at)
}

/// Applies an option to fresh options. Returns Slurm's message if its argument is rejected.
pub fn rejected(tool: SubmitCommand, option: &UsedOption) -> Option<String> {
    if let Some(bad) = &option.bad {
        return Some(bad.clone());
    }
    let mut fresh = JobOptions::default();
    let result = fresh.set(tool, option.name, option.value.as_deref());
    result.err().map(|bad: Bad| bad.text.lines().next().unwrap_or_default().replace("{tool}", tool.name()))
}

/// Options that determine where and whether a job can run. The others are only parsed.
pub const REQUEST: &[&str] = &[
    "account",
    "array",
    "constraint",
    "contiguous",
    "core-spec",
    "cores-per-socket",
    "cpus-per-gpu",
    "cpus-per-task",
    "distribution",
    "exclude",
    "exclusive",
    "extra-node-info",
    "gpus",
    "gpus-per-node",
    "gpus-per-socket",
    "gpus-per-task",
    "gres",
    "gres-flags",
    "hint",
    "licenses",
    "mem",
    "mem-per-cpu",
    "mem-per-gpu",
    "mincpus",
    "nodelist",
    "nodes",
    "ntasks",
    "ntasks-per-core",
    "ntasks-per-gpu",
    "ntasks-per-node",
    "ntasks-per-socket",
    "overcommit",
    "oversubscribe",
    "partition",
    "prefer",
    "qos",
    "requeue",
    "sockets-per-node",
    "switches",
    "thread-spec",
    "threads-per-core",
    "time",
    "time-min",
    "tmp",
    "tres-per-task",
    "use-min-nodes",
    "wckey",
];

/// Options whose value must be known to check the request: with a placeholder, the rest of the request says nothing
/// about the cluster.
pub const SCOPE: &[&str] = &["partition", "qos", "constraint", "clusters", "reservation"];

/// Options of plugins that are published for every site: pyxis (also all that begin with `--container-`), gpu_cmode, auks, uenv
/// and EAR.
const PLUGINS: &[&str] = &[
    "--auks",
    "--ear",
    "--ear-policy",
    "--ear-verbose",
    "--gpu_cmode",
    "--no-container-entrypoint",
    "--repo",
    "--uenv",
    "--view",
];

/// Whether an option belongs to a published plugin.
pub fn is_of_plugin(word: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    PLUGINS.contains(&name) || name.starts_with("--container-") || name.starts_with("--no-container-")
}

/// Renamed options: the old name, the new name.
pub const RENAMED: &[(&str, &str)] = &[
    ("--workdir", "--chdir"),
    ("--cpu_bind", "--cpu-bind"),
    ("--mem_bind", "--mem-bind"),
    ("--share", "--oversubscribe"),
    ("--gres_flags", "--gres-flags"),
    ("--ntasks_per_node", "--ntasks-per-node"),
    ("--cpus_per_task", "--cpus-per-task"),
    ("--mem_per_cpu", "--mem-per-cpu"),
    ("--job_name", "--job-name"),
    ("--mail_type", "--mail-type"),
    ("--mail_user", "--mail-user"),
    ("--tasks_per_node", "--ntasks-per-node"),
];

/// The new name of an option, with the rest of the word.
pub fn renamed(word: &str) -> Option<String> {
    let name = word.split(['=', ' ']).next()?;
    let (_, new) = RENAMED.iter().find(|(old, _)| *old == name)?;
    Some(word.replacen(name, new, 1))
}
