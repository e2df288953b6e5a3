//! Completion of command lines from the tables: options, their values, keywords and what follows them.

use super::{Opt, Tool, Word, find};
use crate::base::order::Order as _;
use crate::commands::slurm::getopt::Arg;
use crate::commands::slurm::jobtext;
use crate::commands::slurm::lint;
use crate::commands::slurm::nodetext;
use crate::commands::slurm::opt::{self, Tool as Submit};
use crate::host::Signal;
use crate::slurmctld::Slurmctld;

/// Most words that are offered.
const MAX: usize = 2000;

/// Full words that may stand for `current` after `words` on a command line of Slurm's; none: not ours to say, files
/// may be offered.
#[must_use]
pub fn complete(state: &Slurmctld, words: &[String], current: &str) -> Option<Vec<String>> {
    let command = crate::host::path::base_name(words.first()?);
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

/// Names of fields are known in any case; everything else as it is written.
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

fn of_tool(state: &Slurmctld, tool: &'static Tool, before: &[&str], current: &str) -> Option<Vec<String>> {
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

/// What a `key=` of scontrol or sacctmgr is followed by.
fn of_key(key: &str) -> Option<Word> {
    Some(match key.to_ascii_lowercase().as_str() {
        "jobid" => Word::Job,
        "nodename" | "nodes" | "nodelist" | "reqnodelist" | "excnodelist" => Word::Node,
        "partitionname" | "partition" => Word::Partition,
        "reservationname" | "reservation" => Word::Reservation,
        "account" | "accounts" | "defaultaccount" | "parent" => Word::Account,
        "user" | "users" => Word::User,
        "qos" | "defaultqos" => Word::Qos,
        "features" => Word::Constraint,
        "licenses" => Word::License,
        "cluster" | "clusters" => Word::Cluster,
        "format" => Word::Fields,
        "file" => Word::File,
        "state" => Word::OneOf(&["DOWN", "DRAIN", "FAIL", "IDLE", "RESUME", "UNDRAIN", "UP", "INACTIVE"]),
        _ => return None,
    })
}

/// Words that are no options, nor arguments of options.
fn plain<'a>(tool: &'static Tool, before: &[&'a str]) -> Vec<&'a str> {
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
fn waits_for_value(tool: &'static Tool, word: &str) -> Option<&'static Opt> {
    let opt = match word.strip_prefix("--") {
        Some(name) => tool.option(name)?,
        None => {
            let letter = word.strip_prefix('-')?.chars().next_back()?;
            tool.options.iter().find(|o| o.short == Some(letter))?
        }
    };
    let takes = opt.arg == Arg::Required || (opt.arg == Arg::Optional && opt.word == Word::Job);
    takes.then_some(opt)
}

/// The values with what stands before the last comma in front of them.
fn in_list(text: &str, values: Vec<String>, prefix: &str) -> Option<Vec<String>> {
    let done = text.rfind(',').map_or("", |at| &text[..=at]);
    Some(values.into_iter().map(|v| format!("{prefix}{done}{v}")).collect())
}

/// What an argument may be. None: files, or nothing that is known.
#[must_use]
pub fn values(state: &Slurmctld, word: Word, tool: &Tool) -> Option<Vec<String>> {
    let fixed = |list: &[&str]| list.iter().map(|v| (*v).to_owned()).collect();
    Some(match word {
        Word::Nothing | Word::File | Word::Text(_) => return None,
        Word::Account => lint::values(state, "account"),
        Word::Cluster => vec![state.dbd.cluster.clone()],
        Word::Constraint => lint::values(state, "constraint"),
        Word::Fields => fixed(&(tool.fields)()),
        Word::Node => lint::values(state, "nodelist"),
        Word::Job => jobs(state),
        Word::License => lint::values(state, "licenses"),
        Word::Partition => lint::values(state, "partition"),
        Word::Qos => lint::values(state, "qos"),
        Word::Reservation => state.reservations.iter().map(|r| r.name.clone()).collect(),
        Word::Signal => Signal::ALL.iter().map(|s| s.name().to_owned()).collect(),
        Word::JobState => {
            jobtext::STATES.iter().map(|s| s.0.to_ascii_uppercase()).chain(["all".to_owned()]).collect()
        }
        Word::NodeState => fixed(nodetext::STATES),
        Word::Step => state
            .active_jobs()
            .flat_map(|j| j.steps.values().filter(|s| s.end.is_none()).map(|s| format!("{}.{}", j.id, s.num)))
            .collect(),
        Word::User => state.people.iter().map(|p| p.1.clone()).collect(),
        Word::OneOf(list) => fixed(list),
    })
}

/// Ids of jobs that are not over, arrays' once.
fn jobs(state: &Slurmctld) -> Vec<String> {
    let id = |j: &crate::slurmctld::job::Job| j.array.as_ref().map_or(j.id, |a| a.job).to_string();
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
