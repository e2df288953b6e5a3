//! Submits the requests of scripts and commands: Slurm's answer on each site, and the option that it concerns.

use super::bind::{bind, is_word_for_number};
use super::check::Checker;
use super::finding::{BlockVerdict, DocFix};
use super::options::{RENAMED, REQUEST, SCOPE, UsedOption, rejected, renamed};
use super::run::{PRINTS, is_large_array};
use super::site::{DocSite, SubmissionResult};
use super::slips;
use base::lint::LintMessage;
use commands::slurm::lint::{self, Finding};
use commands::slurm::opt::SubmitCommand;
use doc::words::quoted;

/// Maximum number of partitions tried for a request without one.
const MAX_TRIES: usize = 64;

/// An example's request: options in order, the script's before those of the command line.
#[derive(Clone, Debug)]
pub struct ExampleRequest {
    /// The command.
    pub tool: SubmitCommand,
    /// Its options.
    pub options: Vec<UsedOption>,
    /// Only a part of a script or command is shown, so a missing option proves nothing.
    pub fragment: bool,
    /// The line of the command or of the script's first line.
    pub row: usize,
}

/// A finding before its line is looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowFinding {
    /// The line's index.
    pub row: usize,
    /// The kind.
    pub verdict: BlockVerdict,
    /// The message.
    pub message: String,
    /// The part of the line.
    pub part: String,
    /// A certain correction.
    pub fix: Option<DocFix>,
}

impl RowFinding {
    /// A finding without a correction.
    pub fn new(row: usize, verdict: BlockVerdict, message: String, part: &str) -> Self {
        Self { row, verdict, message, part: part.to_owned(), fix: None }
    }
}

/// An option with the value that is submitted.
struct BoundOption<'a> {
    used: &'a UsedOption,
    value: Option<String>,
}

/// A request whose options have the dictionary's values.
struct BoundRequest<'a> {
    /// Faults of single options.
    found: Vec<RowFinding>,
    /// Options that determine where and whether the job can run.
    kept: Vec<BoundOption<'a>>,
    /// Placeholders without a value.
    open: Vec<String>,
    /// The value of `--clusters`.
    cluster: Option<String>,
}

impl BoundOption<'_> {
    fn word(&self) -> String {
        match &self.value {
            Some(value) => format!("--{}={value}", self.used.name),
            None => format!("--{}", self.used.name),
        }
    }
}

impl Checker<'_> {
    /// Checks the options one by one, and if `submit` the request as a whole.
    pub(super) fn request(&mut self, request: &ExampleRequest, submit: bool) -> Vec<RowFinding> {
        let BoundRequest { mut found, kept, open, cluster } = self.bound(request);
        if !submit || found.iter().any(|f| f.verdict == BlockVerdict::Refused) {
            return found;
        }
        if let Some(hetjob) = request.options.iter().find(|o| o.name == "het-group") {
            let message = "a heterogeneous job".to_owned();
            found.push(RowFinding::new(hetjob.row, BlockVerdict::Unchecked, message, ""));
            return found;
        }
        found.extend(self.answer(request, &kept, &open, cluster.as_deref()));
        found
    }

    /// The first site that accepts a request without open placeholders, and the options that run it there, each with a space
    /// after it.
    pub(super) fn accepted(&mut self, request: &ExampleRequest) -> Option<(usize, String)> {
        let BoundRequest { found, kept, open, .. } = self.bound(request);
        let large = |o: &BoundOption| {
            o.used.name == "array" && is_large_array(request.tool, o.value.as_deref().unwrap_or_default())
        };
        if !found.is_empty() || !open.is_empty() || kept.iter().any(large) {
            return None;
        }
        let index = (0..self.sites.len()).find(|index| {
            let words = self.words(*index, &kept, None);
            self.submitted(*index, &words) == SubmissionResult::Accepted
        })?;
        let mut words = self.words(index, &kept, None);
        for option in request.options.iter().filter(|option| PRINTS.contains(&option.name)) {
            let value = option.value.as_ref().map(|value| bind(value, self.config, &|_| None).text);
            words.push(BoundOption { used: option, value }.word());
        }
        Some((index, words.iter().map(|word| format!("{} ", quoted(word))).collect()))
    }

    /// The options of a request with the dictionary's values, and what is wrong with single options.
    fn bound<'o>(&self, request: &'o ExampleRequest) -> BoundRequest<'o> {
        let mut found = Vec::new();
        let mut kept: Vec<BoundOption> = Vec::new();
        let mut open: Vec<String> = Vec::new();
        let mut cluster = None;
        for option in &request.options {
            let bound = bind(option.value.as_deref().unwrap_or_default(), self.config, &|_| None);
            let stand_in = !slips::is_glued(option)
                && (is_word_for_number(option)
                    || option.value.as_deref().is_some_and(|value| {
                        doc::is_placeholder_value(value) && !self.known_name(option.name, value)
                    }));
            if !bound.open.is_empty()
                || stand_in
                || option.name.is_empty()
                    && (option.written.contains(['<', '[', '…', '{']) || option.written.contains("option"))
            {
                if REQUEST.contains(&option.name) && option.name != "account" || SCOPE.contains(&option.name)
                {
                    open.extend(
                        bound.open.into_iter().chain(stand_in.then(|| option.value.clone()).flatten()),
                    );
                } else if option.name == "account" {
                    kept.push(BoundOption { used: option, value: None });
                }
                continue;
            }
            let value = option.value.as_ref().map(|_| bound.text);
            let tried = UsedOption { value: value.clone(), ..option.clone() };
            // Whether a cluster exists depends on the sites, not on the command's database.
            let cluster_name = option.name == "clusters" && !option.written.contains(" -");
            if let Some(message) = rejected(request.tool, &tried).filter(|_| !cluster_name) {
                found.push(refused_option(request.tool, option, &message));
                continue;
            }
            match option.name {
                "clusters" => cluster = value,
                "tmp" if self.sites.iter().all(|s| s.state().nodes.iter().all(|n| n.conf.tmp_disk == 0)) => {}
                // A description without licences or features is silent about them.
                name @ ("licenses" | "constraint" | "prefer")
                    if self.sites.iter().all(|site| {
                        let listed = if name == "prefer" { "constraint" } else { name };
                        lint::values(site.state(), listed).is_empty()
                    }) => {}
                name if REQUEST.contains(&name) && !self.is_free(name) => {
                    kept.push(BoundOption { used: option, value })
                }
                _ => {}
            }
        }
        BoundRequest { found, kept, open, cluster }
    }

    /// Whether the site knows a name that looks like a stand-in.
    fn known_name(&self, option: &str, value: &str) -> bool {
        match option {
            "partition" | "qos" | "account" | "constraint" => self
                .sites
                .iter()
                .any(|site| lint::values(site.state(), option).iter().any(|known| known == value)),
            "mail-type" | "export" | "signal" | "dependency" | "get-user-env" | "open-mode" => true,
            "time" => ["UNLIMITED", "INFINITE"].contains(&value),
            _ => false,
        }
    }

    fn is_free(&self, name: &str) -> bool {
        self.config.free.iter().any(|free| free == name)
    }

    fn answer(
        &mut self,
        request: &ExampleRequest,
        kept: &[BoundOption],
        open: &[String],
        cluster: Option<&str>,
    ) -> Option<RowFinding> {
        let row = request.row;
        let unchecked = |message: String| Some(RowFinding::new(row, BlockVerdict::Unchecked, message, ""));
        let sites: Vec<usize> = (0..self.sites.len())
            .filter(|i| {
                cluster.is_none_or(|list| {
                    list.split(',').any(|name| self.sites[*i].name == name || list == "all")
                })
            })
            .collect();
        if sites.is_empty() {
            return unchecked(format!("no site describes the cluster {}", cluster.unwrap_or_default()));
        }
        let mut worst: Option<(usize, SubmissionResult)> = None;
        for index in &sites {
            let words = self.words(*index, kept, None);
            match self.submitted(*index, &words) {
                SubmissionResult::Accepted if open.is_empty() => return None,
                SubmissionResult::Accepted => {
                    return unchecked(format!(
                        "the placeholder {} has no value in the dictionary",
                        open.join(", ")
                    ));
                }
                SubmissionResult::NotSimulated(text) => return unchecked(text),
                result => {
                    // The site meant by the example: it has the partition, and the page is about it.
                    let fits = |i: usize| {
                        (names_partition(&self.sites[i], kept), self.about.contains(&self.sites[i].name))
                    };
                    if worst.as_ref().is_none_or(|(old, _)| fits(*old) < fits(*index)) {
                        worst = Some((*index, result));
                    }
                }
            }
        }
        let (index, result) = worst?;
        if !open.is_empty() {
            return unchecked(format!("the placeholder {} has no value in the dictionary", open.join(", ")));
        }
        let has_partition = kept.iter().any(|option| option.used.name == "partition");
        let (accepted, elsewhere) =
            if has_partition { (false, None) } else { self.some_partition(&sites, kept) };
        let result = match &result {
            SubmissionResult::Refused(text) if text.contains("No partition specified") => {
                elsewhere.unwrap_or(result)
            }
            _ => result,
        };
        if accepted {
            // Another part of the page, a site default or the site's submit plugin chooses the partition.
            return if request.fragment
                || self.sites.iter().all(|s| !s.state().partitions.iter().any(|p| p.is_default))
            {
                None
            } else {
                Some(self.explained(index, request, kept, &result))
            };
        }
        if request.fragment
            && !has_partition
            && !kept.iter().any(|o| !matches!(o.used.name, "time" | "account" | "requeue"))
        {
            return None;
        }
        Some(self.explained(index, request, kept, &result))
    }

    /// The command line of the submission on a site.
    fn words(&self, index: usize, kept: &[BoundOption], partition: Option<&str>) -> Vec<String> {
        let site = &self.sites[index];
        let mut words = Vec::new();
        for option in kept {
            match option.used.name {
                "account" => {
                    let own = option.value.as_deref().filter(|name| site.has_account(name));
                    let name = own.or(site.account()).or(option.value.as_deref()).unwrap_or("any");
                    words.push(format!("--account={name}"));
                }
                // A later memory option replaces an earlier one.
                name if name.starts_with("mem") => {
                    words.retain(|word: &String| !word.starts_with("--mem"));
                    words.push(option.word());
                }
                "oversubscribe" | "exclusive" | "contiguous" | "overcommit" | "use-min-nodes" | "requeue" => {
                    words.push(option.word());
                }
                _ => words.push(option.word()),
            }
        }
        words.extend(partition.map(|name| format!("--partition={name}")));
        words
    }

    fn submitted(&mut self, index: usize, words: &[String]) -> SubmissionResult {
        let line: String = words.iter().map(|word| format!("{} ", quoted(word))).collect();
        let key = (index, line);
        if let Some(known) = self.submissions.get(&key) {
            return known.clone();
        }
        let result = self.sites[index].submit(&format!("sbatch {}job.sh", key.1), "#!/bin/bash\nsleep 60\n");
        self.submissions.insert(key, result.clone());
        result
    }

    /// Whether a partition of a site accepts the request, and otherwise the answer of one of them.
    fn some_partition(&mut self, sites: &[usize], kept: &[BoundOption]) -> (bool, Option<SubmissionResult>) {
        let mut answer = None;
        for index in sites {
            let state = self.sites[*index].state();
            let names: Vec<String> =
                state.partitions.iter().take(MAX_TRIES).map(|p| p.name.clone()).collect();
            for name in names {
                let words = self.words(*index, kept, Some(&name));
                match self.submitted(*index, &words) {
                    SubmissionResult::Accepted => return (true, None),
                    other => answer = answer.or(Some(other)),
                }
            }
        }
        (false, answer)
    }

    /// The finding for an answer: Slurm's words, the option, and what the site allows.
    fn explained(
        &self,
        index: usize,
        request: &ExampleRequest,
        kept: &[BoundOption],
        result: &SubmissionResult,
    ) -> RowFinding {
        let site = &self.sites[index];
        let script: String = kept
            .iter()
            .filter(|o| o.used.name != "account")
            .map(|o| format!("#SBATCH {}\n", quoted(&o.word())))
            .collect();
        let options: Vec<&BoundOption> = kept.iter().filter(|o| o.used.name != "account").collect();
        let findings: Vec<Finding> = lint::lint(site.state(), &format!("#!/bin/bash\n{script}"));
        let useful = |f: &&Finding| {
            !matches!(f.message, LintMessage::AfterCommand | LintMessage::NotRead | LintMessage::Guide(_))
        };
        let option_of = |f: &Finding| options.get((f.line as usize).checked_sub(2)?).copied();
        // Slurm looks at the partition first.
        let nowhere = findings
            .iter()
            .find(|f| f.error && option_of(f).is_some_and(|option| option.used.name == "partition"))
            .filter(|_| !names_partition(site, kept));
        let finding = nowhere.or_else(|| findings.iter().filter(useful).max_by_key(|f| f.error));
        let option = finding.and_then(option_of);
        let (verdict, words) = match result {
            SubmissionResult::Waits(reason, why) => {
                (BlockVerdict::WaitsForever, format!("({reason}) {}", why.trim_end_matches('.')))
            }
            SubmissionResult::Refused(text) if nowhere.is_some() && !text.contains("partition") => (
                BlockVerdict::Refused,
                "Batch job submission failed: Invalid partition name specified".to_owned(),
            ),
            SubmissionResult::Refused(text) | SubmissionResult::NotSimulated(text) => {
                (BlockVerdict::Refused, last_words(text))
            }
            SubmissionResult::Accepted => (BlockVerdict::Fine, String::new()),
        };
        let other_type = |o: &BoundOption| slips::other_type(site, o.used, o.value.as_deref()?);
        let typed =
            words.contains("node configuration").then(|| options.iter().find(|o| other_type(o).is_some()));
        let option = option.or(typed.flatten().copied());
        let option = option.or_else(|| by_words(&words, &options)).or_else(|| options.first().copied());
        let mut message = words.clone();
        if let Some(text) = option.filter(|_| words.contains("node configuration")).and_then(other_type) {
            message = format!("{message}: {text}");
        }
        // A reason already has its own sentence.
        let said = finding.map(|f| f.message.to_string()).filter(|text| !words.contains(text.as_str()));
        if let Some(said) = said.filter(|_| verdict == BlockVerdict::Refused) {
            message = format!("{message}: {said}");
        }
        if words.contains("invalid partition")
            || words.contains("Invalid partition")
            || message.contains("invalid partition")
        {
            let names = lint::values(site.state(), "partition");
            message = format!("{message}; {} has {}", site.name, names.join(", "));
        }
        if self.sites.len() > 1 {
            message = format!("{}: {message}", site.name);
        }
        let row = option.map_or(request.row, |o| o.used.row);
        let part = option.map_or("", |o| o.used.written.as_str());
        let mut finding = RowFinding::new(row, verdict, message, part);
        if let Some(option) = option.filter(|o| o.used.name == "partition") {
            let old = option.used.value.as_deref().unwrap_or_default();
            if let Some(new) = self.config.partitions.get(old) {
                finding.fix = Some(DocFix {
                    old: option.used.written.clone(),
                    new: option.used.written.replace(old, new),
                });
            }
        }
        finding
    }
}

/// Whether a site has the partitions that a request names.
fn names_partition(site: &DocSite, kept: &[BoundOption]) -> bool {
    let named = kept.iter().rev().find(|o| o.used.name == "partition").and_then(|o| o.value.as_deref());
    named.is_some_and(|list| list.split(',').all(|name| site.has_partition(name)))
}

/// The option that a message of Slurm is about.
fn by_words<'a, 'b>(words: &str, options: &[&'a BoundOption<'b>]) -> Option<&'a BoundOption<'b>> {
    let table: &[(&str, &[&str])] = &[
        ("partition", &["partition"]),
        ("qos", &["qos"]),
        ("QOS", &["qos", "time", "nodes", "ntasks"]),
        ("time limit", &["time"]),
        ("TimeLimit", &["time"]),
        ("Time", &["time"]),
        ("Node count", &["nodes", "ntasks"]),
        ("NodeLimit", &["nodes"]),
        ("feature", &["constraint"]),
        ("emory", &["mem", "mem-per-cpu", "mem-per-gpu"]),
        ("gres", &["gres", "gpus", "gpus-per-node", "gpus-per-task"]),
        ("GRES", &["gres", "gpus", "gpus-per-node", "gpus-per-task"]),
        ("license", &["licenses"]),
        ("array", &["array"]),
        ("node name", &["nodelist", "exclude"]),
        ("CPU count", &["cpus-per-task", "ntasks-per-node", "ntasks"]),
        (
            "node configuration",
            &[
                "constraint",
                "gres",
                "gpus-per-node",
                "gpus",
                "ntasks-per-node",
                "cpus-per-task",
                "nodes",
                "mem",
            ],
        ),
    ];
    let (_, names) = table
        .iter()
        .find(|(part, names)| words.contains(part) && options.iter().any(|o| names.contains(&o.used.name)))?;
    names.iter().find_map(|name| options.iter().rev().find(|o| o.used.name == *name)).copied()
}

/// Slurm's message without the command's name.
fn last_words(text: &str) -> String {
    let clean = |line: &str| {
        let line = line.trim();
        let line = line.strip_prefix("sbatch: ").unwrap_or(line);
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    };
    let mut lines: Vec<String> =
        text.lines().map(clean).filter(|l| !l.is_empty() && !l.starts_with("Try ")).collect();
    let keep = lines.len().saturating_sub(2);
    lines.drain(..keep);
    lines.join(": ")
}

fn refused_option(tool: SubmitCommand, option: &UsedOption, message: &str) -> RowFinding {
    let message = format!("{}: {message}", tool.name());
    let mut finding = RowFinding::new(option.row, BlockVerdict::Refused, message, &option.written);
    if let Some(new) = renamed(&option.written) {
        let name = RENAMED.iter().find(|(old, _)| option.written.starts_with(old)).map_or("", |(_, new)| new);
        finding.message = format!("{}; the option is now {name}", finding.message);
        finding.fix = Some(DocFix { old: option.written.clone(), new });
    }
    finding
}
