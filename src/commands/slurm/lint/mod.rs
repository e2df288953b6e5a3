//! The editor's support for Slurm commands: findings in a script's `#SBATCH` lines, help on options, known
//! values. All come from the tables that the commands use.

mod capacity;
mod guide;

use super::getopt::Arg;
use super::opt::script::{Directive, directives};
use super::opt::{self, JobOption, JobOptions, SubmitCommand, check};
use base::lint::LintMessage;
use base::order::StableSort as _;
use base::time::{Limit, Time};
use config::policy::{JobSetting, RuleAction};
use slurmctld::Slurmctld;

/// A finding: something in a script that sbatch rejects or that does not work as intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Line number, from 1.
    pub line: u32,
    /// First byte column, from 0.
    pub from: u32,
    /// Byte column after the last, from 0.
    pub to: u32,
    /// sbatch rejects the script; otherwise the finding is a warning.
    pub error: bool,
    /// The kind of mistake.
    pub message: LintMessage,
    /// The suggested replacement.
    pub suggestion: Option<String>,
}

/// An option of sbatch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionHelp {
    /// `--time`
    pub name: String,
    /// `-t`
    pub short: Option<String>,
    /// `minutes`; empty if it takes no argument.
    pub argument: Option<String>,
    /// A one-line description.
    pub help: String,
    /// Suggested values: partitions, accounts, QOS.
    pub values: Vec<String>,
}

/// Maximum number of findings for one script.
const MAX_FINDINGS: usize = 200;

/// Lints a script.
#[must_use]
pub fn lint(state: &Slurmctld, text: &str) -> Vec<Finding> {
    let mut found = near_directives(text);
    let mut all = JobOptions { now: Time::default(), ..JobOptions::default() };
    let mut last: Option<(u32, u32, u32)> = None;
    let mut positions = OptionPositions::new();
    for directive in directives(text.as_bytes()) {
        if let Some((_, from, _)) = directive.words.first() {
            let to = directive.words.last().map_or(*from, |w| w.2);
            last = Some((directive.line, *from, to));
        }
        words(&mut all, &directive, &mut found, &mut positions);
    }
    if let (Err(bad), Some((line, from, to))) =
        (check::check(&mut all).and_then(|_| check::of_job(SubmitCommand::Sbatch, &mut all)), last)
    {
        found.push(Finding {
            line,
            from,
            to,
            error: true,
            message: LintMessage::Slurm(message(&bad)),
            suggestion: None,
        });
    }
    known_names(state, &all, &positions, &mut found);
    capacity::look(state, &all, &positions, &mut found);
    guide::look(&state.policy.notes, text, &mut found);
    found.order_by_key(|f| (f.line, f.from));
    found.truncate(MAX_FINDINGS);
    found
}

/// The position of an option.
#[derive(Clone, Copy)]
struct OptionPosition {
    line: u32,
    from: u32,
    to: u32,
}

/// Options by name.
type OptionPositions = Vec<(&'static str, OptionPosition)>;

/// The last position of an option, which takes effect.
fn last_position(positions: &OptionPositions, name: &str) -> Option<OptionPosition> {
    positions.iter().rev().find(|(n, _)| *n == name).map(|(_, p)| *p)
}

impl OptionPosition {
    fn finding(self, error: bool, message: LintMessage, suggestion: Option<String>) -> Finding {
        Finding { line: self.line, from: self.from, to: self.to, error, message, suggestion }
    }
}

fn message(bad: &opt::Bad) -> String {
    bad.text.lines().next().unwrap_or_default().to_owned()
}

/// Finds lines that look like directives but are not.
fn near_directives(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut after_command = false;
    for (line, row) in (1u32..).zip(text.lines()) {
        let to = u32::try_from(row.len()).unwrap_or(u32::MAX);
        let tell = |message: LintMessage, suggestion: Option<String>| Finding {
            line,
            from: 0,
            to,
            error: false,
            message,
            suggestion,
        };
        let bare = row.trim_start_matches(['#', ' ', '\t']);
        let starts = bare.get(..6).is_some_and(|w| w.eq_ignore_ascii_case("SBATCH"));
        if row.starts_with('#') && starts && !row.starts_with("##") {
            let rest = bare[6..].trim_start();
            let right = format!("#SBATCH {rest}");
            if after_command {
                found.push(tell(LintMessage::AfterCommand, None));
            } else if !(row.starts_with("#SBATCH ") || row.starts_with("#SBATCH\t")) && rest.starts_with('-')
            {
                found.push(tell(LintMessage::NotRead, Some(right)));
            }
        } else if !row.trim().is_empty() && !row.starts_with('#') {
            after_command = true;
        }
        if row.ends_with('\r') && found.len() < MAX_FINDINGS {
            found.push(Finding {
                error: true,
                ..tell(LintMessage::Slurm("Batch script contains DOS line breaks (\\r\\n)".to_owned()), None)
            });
        }
    }
    let first = text.lines().next().unwrap_or("");
    if !first.starts_with("#!") && !text.trim().is_empty() {
        let to = u32::try_from(first.len()).unwrap_or(u32::MAX);
        let message = "This does not look like a batch script: the first line must start with #! followed by the path to an interpreter.";
        found.push(Finding {
            line: 1,
            from: 0,
            to,
            error: true,
            message: LintMessage::Slurm(message.to_owned()),
            // The suggestion keeps the whole line.
            suggestion: Some(format!("#!/bin/bash\n{first}")),
        });
    }
    found
}

/// Parses a directive's options one by one, so that each finding has its position.
fn words(
    all: &mut JobOptions,
    directive: &Directive,
    found: &mut Vec<Finding>,
    positions: &mut OptionPositions,
) {
    let mut words = directive.words.iter().peekable();
    while let Some((word, from, to)) = words.next() {
        let mut position = OptionPosition { line: directive.line, from: *from, to: *to };
        if !word.starts_with('-') {
            found.push(position.finding(
                true,
                LintMessage::Slurm(format!("Invalid directive found in batch script: {word}")),
                None,
            ));
            break;
        }
        let mut argv = vec!["sbatch".to_owned(), word.clone()];
        if let Some((next, _, end)) = words.next_if(|(next, ..)| takes_next(word) && !next.is_empty()) {
            argv.push(next.clone());
            position.to = *end;
        }
        let before: Vec<&'static str> = all.given.keys().copied().collect();
        match all.argv(SubmitCommand::Sbatch, &argv) {
            Ok(_) => {
                let new = all.given.keys().copied().find(|k| !before.contains(k));
                positions.extend(new.or_else(|| name_of(word)).map(|name| (name, position)));
            }
            Err(bad) => {
                let suggestion = if bad.level.is_empty() { nearest(word) } else { None };
                found.push(position.finding(true, LintMessage::Slurm(message(&bad)), suggestion));
            }
        }
    }
}

/// The table entry that a word names.
fn row_of(word: &str) -> Option<&'static JobOption> {
    let rows = || opt::table::TABLE.iter().filter(|o| o.tools & SubmitCommand::Sbatch.bit() != 0);
    if let Some(long) = word.strip_prefix("--") {
        let name = long.split('=').next().unwrap_or(long);
        return rows().find(|o| o.name == name).or_else(|| {
            let mut fits = rows().filter(|o| o.name.starts_with(name));
            fits.next().filter(|_| fits.next().is_none())
        });
    }
    let letter = word.strip_prefix('-')?.chars().next()?;
    rows().find(|o| o.short == Some(letter))
}

fn name_of(word: &str) -> Option<&'static str> {
    row_of(word).map(|o| o.name)
}

/// Whether the next word is this option's argument.
fn takes_next(word: &str) -> bool {
    let needs = row_of(word).is_some_and(|o| o.arg == Arg::Required);
    if word.starts_with("--") { needs && !word.contains('=') } else { needs && word.len() == 2 }
}

/// The option with the most similar spelling, with the rest of the word.
fn nearest(word: &str) -> Option<String> {
    let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v)));
    let wrong = name.trim_start_matches('-').to_ascii_lowercase().replace('_', "-");
    let rows = opt::table::TABLE.iter().filter(|o| o.tools & SubmitCommand::Sbatch.bit() != 0);
    let (distance, best) = rows.map(|o| (distance(&wrong, o.name), o.name)).min()?;
    if distance > wrong.len() / 3 + 1 {
        return None;
    }
    Some(value.map_or_else(|| format!("--{best}"), |v| format!("--{best}={v}")))
}

/// The edit distance: insertions, deletions, substitutions and transpositions.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swap = if swapped { rows[i - 2][j - 2] + 1 } else { usize::MAX };
                change.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(swap)
            };
        }
    }
    rows[a.len()][b.len()]
}

/// The most similar known name.
fn nearest_of<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let lower = wrong.to_ascii_lowercase();
    let (least, best) = names.map(|n| (distance(&lower, &n.to_ascii_lowercase()), n)).min()?;
    (least <= lower.len() / 2 + 1).then_some(best)
}

/// Checks names and limits of this cluster.
fn known_names(state: &Slurmctld, all: &JobOptions, positions: &OptionPositions, found: &mut Vec<Finding>) {
    let position = |name: &str| last_position(positions, name);
    let partitions = || state.partitions.iter().map(|p| p.name.as_str());
    if let (Some(list), Some(at)) = (&all.desc.partition, position("partition")) {
        for name in list.split(',').filter(|name| !partitions().any(|p| p == *name)) {
            let suggestion = nearest_of(name, partitions()).map(|p| format!("--partition={p}"));
            found.push(at.finding(
                true,
                LintMessage::Slurm(format!("invalid partition specified: {name}")),
                suggestion,
            ));
        }
    }
    if let (Some(qos), Some(at)) = (&all.desc.qos, position("qos")) {
        let known = || state.dbd.qos.iter().filter(|q| !q.deleted).map(|q| q.name.as_str());
        if !known().any(|q| q == qos) {
            let suggestion = nearest_of(qos, known()).map(|q| format!("--qos={q}"));
            found.push(at.finding(
                true,
                LintMessage::Slurm("Invalid qos specification".to_owned()),
                suggestion,
            ));
        }
    }
    if let (Some(account), Some(at)) = (&all.desc.account, position("account")) {
        let known = || state.dbd.accounts.keys().map(String::as_str);
        // If a site's policy completes account names at submission, it accepts more names than slurmdbd has.
        let rules = state.policy.job_submit.iter().flat_map(|rule| &rule.then);
        let completed = rules
            .into_iter()
            .any(|then| matches!(then, RuleAction::Set { what: JobSetting::Account, missing: false, .. }));
        if !completed
            && state.cluster.global.accounting_enforce.associations
            && !known().any(|a| a == account)
        {
            let suggestion = nearest_of(account, known()).map(|a| format!("--account={a}"));
            let message = "Invalid account or account/partition combination specified".to_owned();
            found.push(at.finding(true, LintMessage::Slurm(message), suggestion));
        }
    }
    if let (Some(limit), Some(at)) = (all.desc.time_limit, position("time")) {
        let chosen = match &all.desc.partition {
            Some(list) => state.partitions.iter().find(|p| list.split(',').any(|n| n == p.name)),
            None => state.partitions.iter().find(|p| p.is_default),
        };
        if let Some(part) = chosen.filter(|p| limit > p.max_time) {
            let most = super::jobtext::limit_short(part.max_time);
            let suggestion = matches!(part.max_time, Limit::Minutes(_)).then(|| format!("--time={most}"));
            let message = LintMessage::Time { partition: part.name.clone(), most };
            found.push(at.finding(false, message, suggestion));
        }
    }
    let types = &state.cluster.global.gres_types;
    if let (Err(bad), Some(at)) = (check::known_gres(all, types), position("gres")) {
        found.push(at.finding(
            true,
            LintMessage::Slurm(message(&bad)),
            nearest_of("gpu", types.iter().map(String::as_str)).map(|t| format!("--gres={t}:1")),
        ));
    }
}

/// All options of sbatch, for the editor's completion.
#[must_use]
pub fn option_help(state: &Slurmctld) -> Vec<OptionHelp> {
    let rows = opt::table::TABLE.iter().filter(|o| o.tools & SubmitCommand::Sbatch.bit() != 0);
    rows.map(|o| OptionHelp {
        name: format!("--{}", o.name),
        short: o.short.map(|c| format!("-{c}")),
        argument: (o.arg != Arg::No).then(|| o.value.to_owned()),
        help: o.help.to_owned(),
        values: values(state, o.name),
    })
    .collect()
}

/// Known values of an option.
#[must_use]
pub fn values(state: &Slurmctld, option: &str) -> Vec<String> {
    let fixed = |list: &[&str]| list.iter().map(|v| (*v).to_owned()).collect();
    match option {
        "partition" => state.partitions.iter().filter(|p| !p.hidden).map(|p| p.name.clone()).collect(),
        "account" => state.dbd.accounts.keys().cloned().collect(),
        "qos" => state.dbd.qos.iter().filter(|q| !q.deleted).map(|q| q.name.clone()).collect(),
        "nodelist" | "exclude" => state.nodes.iter().map(|n| n.conf.name.clone()).collect(),
        "constraint" => {
            let mut all: Vec<String> = state.nodes.iter().flat_map(|n| n.conf.features.clone()).collect();
            all.order();
            all.dedup();
            all
        }
        "gres" => state.cluster.global.gres_types.iter().map(|t| format!("{t}:1")).collect(),
        "dependency" => fixed(&["afterok:", "afterany:", "afternotok:", "after:", "aftercorr:", "singleton"]),
        "mail-type" => {
            fixed(&["NONE", "BEGIN", "END", "FAIL", "REQUEUE", "ALL", "TIME_LIMIT", "ARRAY_TASKS"])
        }
        "open-mode" => fixed(&["append", "truncate"]),
        "distribution" => fixed(&["block", "cyclic", "plane="]),
        "licenses" => state.cluster.global.licenses.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use config::{Cluster, SiteFiles};

    fn state() -> Slurmctld {
        let conf = "ClusterName=t\nNodeName=n[1-2] CPUs=4\nPartitionName=CPU-4 Nodes=n[1-2] Default=YES MaxTime=30:00:00\n";
        let files = SiteFiles([("slurm.conf".to_owned(), conf.to_owned())].into());
        Slurmctld::new(Cluster::parse(&files), Vec::new(), Time::default())
    }

    #[test]
    fn findings_with_suggestions() {
        let script = "#!/bin/bash\n#SBATCH --partiton=CPU-4\n#SBATCH --time=1h\n# SBATCH -n 2\n#SBATCH -p CPU-5\necho\n#SBATCH -n 3\n";
        let found = lint(&state(), script);
        let texts: Vec<String> = found.iter().map(|f| f.message.to_string()).collect();
        let short: Vec<_> = found
            .iter()
            .zip(&texts)
            .map(|(f, text)| (f.line, f.error, text.as_str(), f.suggestion.as_deref()))
            .collect();
        assert_eq!(
            short,
            [
                (2, true, "unrecognized option '--partiton=CPU-4'", Some("--partition=CPU-4")),
                (3, true, "Invalid --time specification", None),
                (4, false, "not read by sbatch: the line must start with \"#SBATCH \"", Some("#SBATCH -n 2")),
                (5, true, "invalid partition specified: CPU-5", Some("--partition=CPU-4")),
                (7, false, "sbatch reads #SBATCH lines only before the first command", None),
            ]
        );
        assert_eq!((found[0].from, found[0].to), (8, 24));
    }

    #[test]
    fn limits_of_the_partition() {
        let found = lint(&state(), "#!/bin/bash\n#SBATCH -t 31:00:00\n");
        assert_eq!(found.len(), 1);
        assert!(!found[0].error && found[0].message.to_string().contains("1-06:00:00"));
        assert!(lint(&state(), "#!/bin/bash\n#SBATCH -t 30:00:00 -J x\necho\n").is_empty());
    }

    #[test]
    fn more_than_a_node_has() {
        let conf = "ClusterName=t\nGresTypes=gpu\nNodeName=g[1-2] CPUs=8 RealMemory=16000 Gres=gpu:a40:2\nNodeName=c1 CPUs=4 RealMemory=8000\nPartitionName=gpu Nodes=g[1-2] Default=YES\nPartitionName=cpu Nodes=c1\n";
        let files = SiteFiles([("slurm.conf".to_owned(), conf.to_owned())].into());
        let state = Slurmctld::new(Cluster::parse(&files), Vec::new(), Time::default());
        let table: &[(&str, Option<&str>, &str)] = &[
            ("--gres=gpu:4", Some("--gres=gpu:2"), "no node in partition gpu has 4 GPUs: at most 2"),
            (
                "--gres=gpu:a40:4",
                Some("--gres=gpu:a40:2"),
                "no node in partition gpu has 4 a40 GPUs: at most 2",
            ),
            ("--gres=gpu:h100:1", Some("--gres=gpu:a40:1"), "partition gpu has no h100 GPUs; it has a40"),
            (
                "--gpus-per-node=3",
                Some("--gpus-per-node=2"),
                "no node in partition gpu has 3 GPUs: at most 2",
            ),
            (
                "--cpus-per-task=9",
                Some("--cpus-per-task=8"),
                "partition gpu has at most 8 CPUs on a node, not 9",
            ),
            ("-N 3", Some("--nodes=2"), "partition gpu has at most 2 nodes, not 3"),
            ("--mem=17000", Some("--mem=16000M"), "partition gpu has nodes of at most 16000M, not 17000M"),
            ("-p cpu --gres=gpu:1", None, "partition cpu has no such GPUs; gpu has them"),
        ];
        for (line, better, said) in table {
            let found = lint(&state, &format!("#!/bin/bash\n#SBATCH {line}\n"));
            let first = found.first().map(|f| (f.suggestion.as_deref(), f.message.to_string(), f.error));
            assert_eq!(first, Some((*better, (*said).to_owned(), false)), "{line}");
        }
        let fits = "#!/bin/bash\n#SBATCH --gres=gpu:2 -c 8 --mem=16000 -N 2\n";
        assert_eq!(lint(&state, fits), []);
    }

    #[test]
    fn completions() {
        use crate::slurm::tool::complete::complete;
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            complete(&state(), &words("sbatch"), "--par"),
            Some(vec!["--parsable".into(), "--partition".into()])
        );
        assert_eq!(
            complete(&state(), &words("sbatch"), "--partition=C"),
            Some(vec!["--partition=CPU-4".into()])
        );
        assert_eq!(complete(&state(), &words("sinfo -p"), ""), Some(vec!["CPU-4".into()]));
        assert_eq!(complete(&state(), &words("ls"), ""), None);
    }
}
