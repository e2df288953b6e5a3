//! Completion of command lines from the tables: options, their values, keywords and keyword arguments.

use super::{ArgumentKind, ToolOption, ToolSpec, find};
use crate::slurm::getopt::Arg;
use crate::slurm::jobtext;
use crate::slurm::lint;
use crate::slurm::nodetext;
use crate::slurm::opt::{self, SubmitCommand as Submit};
use base::order::StableSort as _;
use host::Signal;
use slurmctld::Slurmctld;

/// Maximum number of candidates.
const MAX: usize = 2000;

/// Candidates for `current` after `words` on the command line of a Slurm command; none if the word is not
/// Slurm's, so that files can be offered.
#[must_use]
pub fn complete(state: &Slurmctld, words: &[String], current: &str) -> Option<Vec<String>> {
    let command = host::path::base_name(words.first()?);
    let before: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    let offered = match (find(command), submit(command)) {
        (Some(tool), _) => of_tool(state, tool, &before, current),
        (None, Some(tool)) => of_submit(state, tool, &before, current),
        (None, None) => return None,
    }?;
    let mut list: Vec<String> = offered.into_iter().filter(|w| begins(w, current)).collect();
    list.order();
    list.dedup();
    list.truncate(MAX);
    Some(list).filter(|l| !l.is_empty())
}

/// Field names match in any case; other words only as written.
fn begins(word: &str, current: &str) -> bool {
    word.get(..current.len()).is_some_and(|head| head.eq_ignore_ascii_case(current))
}

fn submit(command: &str) -> Option<Submit> {
    match command {
        "sbatch" => Some(Submit::Sbatch),
        "srun" => Some(Submit::Srun),
        "salloc" => Some(Submit::Salloc),
        _ => None,
    }
}

fn of_tool(
    state: &Slurmctld,
    tool: &'static ToolSpec,
    before: &[&str],
    current: &str,
) -> Option<Vec<String>> {
    if let Some((name, value)) = current.strip_prefix("--").and_then(|c| c.split_once('=')) {
        let opt = tool.option(name)?;
        return in_list(value, values(state, opt.word, tool)?, &format!("--{name}="));
    }
    if current.starts_with('-') {
        return Some(tool.options.iter().map(|o| format!("--{}", o.name)).collect());
    }
    if let Some(opt) = before.last().and_then(|last| waits_for_value(tool, last)) {
        return in_list(current, values(state, opt.word, tool)?, "");
    }
    let plain: Vec<&str> = plain(tool, before);
    if plain.is_empty() && !tool.keywords.is_empty() {
        return Some(tool.keywords.iter().map(|k| k.name.to_owned()).collect());
    }
    let keyword = plain.first().and_then(|w| super::keyword(tool.keywords, w)).map(|k| k.name);
    let full: Vec<&str> =
        keyword.into_iter().chain(plain.into_iter().skip(usize::from(keyword.is_some()))).collect();
    if let Some((key, value)) = current.split_once('=').filter(|_| !tool.keywords.is_empty()) {
        return in_list(value, values(state, of_key(key)?, tool)?, &format!("{key}="));
    }
    in_list(current, values(state, (tool.words)(&full), tool)?, "")
}

/// Values after a `key=` of scontrol or sacctmgr.
fn of_key(key: &str) -> Option<ArgumentKind> {
    Some(match key.to_ascii_lowercase().as_str() {
        "jobid" => ArgumentKind::Job,
        "nodename" | "nodes" | "nodelist" | "reqnodelist" | "excnodelist" => ArgumentKind::Node,
        "partitionname" | "partition" => ArgumentKind::Partition,
        "reservationname" | "reservation" => ArgumentKind::Reservation,
        "account" | "accounts" | "defaultaccount" | "parent" => ArgumentKind::Account,
        "user" | "users" => ArgumentKind::User,
        "qos" | "defaultqos" => ArgumentKind::Qos,
        "features" => ArgumentKind::Constraint,
        "licenses" => ArgumentKind::License,
        "cluster" | "clusters" => ArgumentKind::Cluster,
        "format" => ArgumentKind::Fields,
        "file" => ArgumentKind::File,
        "state" => {
            ArgumentKind::OneOf(&["DOWN", "DRAIN", "FAIL", "IDLE", "RESUME", "UNDRAIN", "UP", "INACTIVE"])
        }
        _ => return None,
    })
}

/// Words that are neither options nor their arguments.
fn plain<'a>(tool: &'static ToolSpec, before: &[&'a str]) -> Vec<&'a str> {
    let mut words = Vec::new();
    let mut skip = false;
    for word in before {
        if skip {
            skip = false;
        } else if word.starts_with('-') {
            skip = waits_for_value(tool, word).is_some();
        } else {
            words.push(*word);
        }
    }
    words
}

/// The option whose argument follows this word: `-p`, `-lp`, `--partition`.
fn waits_for_value(tool: &'static ToolSpec, word: &str) -> Option<&'static ToolOption> {
    let opt = match word.strip_prefix("--") {
        Some(name) => tool.option(name)?,
        None => {
            let letter = word.strip_prefix('-')?.chars().next_back()?;
            tool.options.iter().find(|o| o.short == Some(letter))?
        }
    };
    let takes = opt.arg == Arg::Required || (opt.arg == Arg::Optional && opt.word == ArgumentKind::Job);
    takes.then_some(opt)
}

/// The values, each preceded by the text up to the last comma.
fn in_list(text: &str, values: Vec<String>, prefix: &str) -> Option<Vec<String>> {
    let done = text.rfind(',').map_or("", |at| &text[..=at]);
    Some(values.into_iter().map(|v| format!("{prefix}{done}{v}")).collect())
}

/// The candidates for an argument. None for files and unknown values.
#[must_use]
pub fn values(state: &Slurmctld, word: ArgumentKind, tool: &ToolSpec) -> Option<Vec<String>> {
    let fixed = |list: &[&str]| list.iter().map(|v| (*v).to_owned()).collect();
    Some(match word {
        ArgumentKind::Nothing | ArgumentKind::File | ArgumentKind::Text(_) => return None,
        ArgumentKind::Account => lint::values(state, "account"),
        ArgumentKind::Cluster => vec![state.dbd.cluster.clone()],
        ArgumentKind::Constraint => lint::values(state, "constraint"),
        ArgumentKind::Fields => fixed(&(tool.fields)()),
        ArgumentKind::Node => lint::values(state, "nodelist"),
        ArgumentKind::Job => jobs(state),
        ArgumentKind::License => lint::values(state, "licenses"),
        ArgumentKind::Partition => lint::values(state, "partition"),
        ArgumentKind::Qos => lint::values(state, "qos"),
        ArgumentKind::Reservation => state.reservations.iter().map(|r| r.name.clone()).collect(),
        ArgumentKind::Signal => Signal::ALL.iter().map(|s| s.name().to_owned()).collect(),
        ArgumentKind::JobState => {
            jobtext::STATES.iter().map(|s| s.0.to_ascii_uppercase()).chain(["all".to_owned()]).collect()
        }
        ArgumentKind::NodeState => fixed(nodetext::STATES),
        ArgumentKind::Step => state
            .active_jobs()
            .flat_map(|j| j.steps.values().filter(|s| s.end.is_none()).map(|s| format!("{}.{}", j.id, s.num)))
            .collect(),
        ArgumentKind::User => state.people.iter().map(|p| p.1.clone()).collect(),
        ArgumentKind::OneOf(list) => fixed(list),
    })
}

/// Ids of unfinished jobs; an array counts once.
fn jobs(state: &Slurmctld) -> Vec<String> {
    let id = |j: &slurmctld::job::Job| j.array.as_ref().map_or(j.id, |a| a.job).to_string();
    state.pending_jobs().chain(state.active_jobs()).take(MAX).map(id).collect()
}

fn of_submit(state: &Slurmctld, tool: Submit, before: &[&str], current: &str) -> Option<Vec<String>> {
    if let Some((name, value)) = current.strip_prefix("--").and_then(|c| c.split_once('=')) {
        return in_list(value, lint::values(state, name), &format!("--{name}="));
    }
    if current.starts_with('-') {
        return Some(opt::longs(tool).iter().map(|(name, _, _)| format!("--{name}")).collect());
    }
    let last = *before.last()?;
    let longs = opt::longs(tool);
    let name = match last.strip_prefix("--") {
        Some(name) => longs.iter().find(|o| o.0 == name)?,
        None => {
            let letter = last.strip_prefix('-')?.chars().next_back()?;
            longs.iter().find(|o| o.1 == Some(letter))?
        }
    };
    let list = if name.2 == Arg::Required { lint::values(state, name.0) } else { Vec::new() };
    if list.is_empty() { None } else { in_list(current, list, "") }
}
