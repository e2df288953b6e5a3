//! `--run`: runs the examples of a page in the simulated cluster and compares documented output with what they print.
//!
//! Every example runs in two forks of the site, the second one later and with other job IDs: what both print is determined by
//! the example. A fault is reported only if it is certain: bash or srun refuses the script whatever the cluster, or a line that
//! does not depend on the cluster is printed in another form. Everything else is said to be not checkable, with the reason.

mod certain;
mod compare;
mod fork;
#[cfg(test)]
mod tests;

use super::bind::bind;
use super::check::Checker;
use super::finding::BlockVerdict;
use super::requests::{ExampleRequest, RowFinding};
use base::ids::JobId;
use base::time::Span;
use commands::slurm::opt::SubmitCommand;
use compare::{OutputComparison, PrintedLine, compare, printed};
use doc::words::quoted;
use fork::EndedJob;
pub use fork::ExampleFork;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of scripts and commands that run on a page.
const MAX_RUNS: usize = 200;
/// Maximum number of tasks of an array that runs.
const MAX_TASKS: u32 = 64;
/// How much later the second fork is.
const LATER: Span = Span::from_secs(97_643);
/// How many job IDs the second fork is ahead.
const AHEAD: usize = 3;
/// Messages of srun that depend on the script's request only.
const CERTAIN: &[&str] = &["srun: error: Unable to create step for job", "srun: fatal: "];

/// A script that runs.
pub struct RunScript<'a> {
    /// Its text.
    pub text: &'a str,
    /// The name under which it is submitted.
    pub name: &'a str,
    /// Its arguments.
    pub args: &'a [String],
    /// The row of each of its lines.
    pub row: &'a dyn Fn(usize) -> usize,
}

/// The forks of a page, and what ran in them.
#[derive(Debug)]
pub struct PageRun {
    /// The site's index; none if a job still runs there that does not end.
    site: Option<usize>,
    pair: [ExampleFork; 2],
    /// Names that differ from cluster to cluster.
    names: BTreeSet<String>,
    /// Job IDs of the page, and those of the forks.
    ids: BTreeMap<String, [JobId; 2]>,
    newest: Option<[JobId; 2]>,
    runs: usize,
    last: Option<ExampleOutput>,
    /// Why what the scripts have written cannot be compared.
    doubt: Option<String>,
}

/// What the last example printed.
#[derive(Debug)]
struct ExampleOutput {
    lines: Vec<PrintedLine>,
    /// Why its output cannot be compared.
    doubt: Option<String>,
}

impl Checker<'_> {
    /// Submits a script that Slurm accepts and waits for its end. Its output is compared by [`Self::compared`].
    pub(super) fn run_script(&mut self, request: &ExampleRequest, script: &RunScript) -> Vec<RowFinding> {
        let unchecked =
            |message: String| vec![RowFinding::new(request.row, BlockVerdict::Unchecked, message, "")];
        if !self.run {
            return Vec::new();
        }
        let Some((site, words)) = self.accepted(request) else {
            return unchecked(format!(
                "not run: the request is not complete, or its array has tasks above {MAX_TASKS}"
            ));
        };
        // All options are on the command line, so the script's own lines must not be read again.
        let plain: Vec<&str> = script.text.split('\n').map(without_note).collect();
        let bound = bind(&plain.join("\n").replace("#SBATCH", "# SBATCH"), self.config, &|_| None);
        if let Some(open) = bound.text.lines().find_map(open_placeholder) {
            return unchecked(format!("not run: {open} has no value in the dictionary"));
        }
        let Some(run) = self.page_run(site) else {
            return unchecked(format!("not run: more than {MAX_RUNS} examples on this page"));
        };
        let args: String = script.args.iter().map(|word| format!(" {}", quoted(word))).collect();
        let command = format!("sbatch {words}{}{args}", quoted(script.name));
        match run.submit(&command, &words, script.name, &bound.text) {
            Err(why) => {
                // What still runs there must not slow the next example.
                run.site = None;
                unchecked(format!("not run: {why}"))
            }
            Ok(jobs) => run.judged(&jobs, &bound.text, request.row, script),
        }
    }

    /// Runs an `srun` command, or a command without Slurm, if its output can be compared.
    pub(super) fn run_line(&mut self, line: &str, request: Option<&ExampleRequest>, program: &[String]) {
        if !self.run || certain::doubt(line).is_some() {
            return;
        }
        let (site, line) = match request {
            Some(request) => {
                let Some((site, words)) = self.accepted(request) else { return };
                let program: String = program.iter().map(|word| format!(" {}", quoted(word))).collect();
                (site, format!("srun {words}{}", program.trim_start()))
            }
            // Other commands read what the page's scripts have written.
            None => match self.page_run.as_ref().and_then(|run| run.site) {
                Some(site) => (site, line.to_owned()),
                None => return,
            },
        };
        if let Some(run) = self.page_run(site) {
            run.line(&line, request.is_none());
        }
    }

    /// Forgets what the last example printed.
    pub(super) fn forget_output(&mut self) {
        if let Some(run) = &mut self.page_run {
            run.last = None;
        }
    }

    /// Compares documented output with what the example before it printed. `guess`: the page does not say that this is its
    /// output, so only a line in another form counts.
    pub(super) fn compared(&mut self, lines: &[(usize, &str)], guess: bool) -> Option<RowFinding> {
        let run = self.page_run.as_mut()?;
        let submitted = |line: &str| line.trim().strip_prefix("Submitted batch job ").map(str::to_owned);
        if let Some(own) = run.newest {
            let ids = lines.iter().filter_map(|(_, line)| submitted(line));
            run.ids.extend(ids.map(|id| (id, own)));
        }
        let lines: Vec<(usize, &str)> =
            lines.iter().copied().filter(|(_, line)| submitted(line).is_none()).collect();
        if lines.iter().all(|(_, line)| line.trim().is_empty()) {
            return None;
        }
        let ran = run.last.take()?;
        let (first, _) = lines.first()?;
        let unchecked = |row, message: String| {
            (!guess).then(|| RowFinding::new(row, BlockVerdict::Unchecked, message, ""))
        };
        if let Some(doubt) = ran.doubt {
            return unchecked(*first, format!("the output is not compared: {doubt}"));
        }
        let documented: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
        let row = |index: usize| lines.get(index).map_or(*first, |(row, _)| *row);
        match compare(&documented, &ran.lines) {
            OutputComparison::Same => None,
            OutputComparison::Drifted(index, own) => {
                let part = documented.get(index).map_or("", |line| line.trim());
                Some(RowFinding::new(row(index), BlockVerdict::Drifted, format!("it prints: {own}"), part))
            }
            OutputComparison::Unlike(index) => {
                let message =
                    "the simulated cluster does not print this line: the site may add it".to_owned();
                unchecked(row(index), message)
            }
        }
    }

    /// The forks of the page at a site; none if too much ran in them.
    fn page_run(&mut self, index: usize) -> Option<&mut PageRun> {
        let site = &self.sites[index];
        if self.page_run.as_ref().is_none_or(|run| run.site != Some(index)) {
            let first = site.session();
            let mut second = first.clone();
            second.advance(LATER);
            let runs = self.page_run.as_ref().map_or(0, |run| run.runs);
            self.page_run = Some(PageRun {
                site: Some(index),
                pair: [first, second],
                names: site.names(),
                ids: BTreeMap::new(),
                newest: None,
                runs,
                last: None,
                doubt: None,
            });
        }
        self.page_run.as_mut().filter(|run| run.runs < MAX_RUNS)
    }
}

impl PageRun {
    /// Saves and submits a script in both forks.
    fn submit(
        &mut self,
        command: &str,
        words: &str,
        name: &str,
        text: &str,
    ) -> Result<[EndedJob; 2], String> {
        self.runs += 1;
        self.last = None;
        if self.newest.is_none() {
            // Job IDs that differ show which words of the output contain them.
            for _ in 0..AHEAD {
                let held = format!("id=$(sbatch --parsable --hold {words}--wrap=true) && scancel $id");
                self.pair[1].run(&held);
            }
        }
        let mut jobs = [EndedJob::default(), EndedJob::default()];
        let mut ids = [JobId(0); 2];
        let mut said = [String::new(), String::new()];
        for (at, session) in self.pair.iter_mut().enumerate() {
            session.save(name, text);
            let result = session.run(command);
            let out = String::from_utf8_lossy(&result.stdout).into_owned();
            let id = out.trim().strip_prefix("Submitted batch job ").and_then(|id| id.trim().parse().ok());
            let Some(id) = id else {
                let why = String::from_utf8_lossy(&result.stderr).trim().replace('\n', ": ");
                return Err(if why.is_empty() { "sbatch prints no job ID".to_owned() } else { why });
            };
            ids[at] = JobId(id);
            jobs[at] = session.ended(ids[at])?;
            said[at] = out;
        }
        self.newest = Some(ids);
        let whole = |at: usize| format!("{}{}", said[at], jobs[at].output);
        if self.doubt.is_none() {
            let other = jobs.iter().find(|job| job.state != "COMPLETED");
            self.doubt =
                certain::doubt(text).or_else(|| other.map(|job| format!("the job ends as {}", job.state)));
        }
        self.remember(&whole(0), &whole(1), self.doubt.clone());
        Ok(jobs)
    }

    fn remember(&mut self, one: &str, other: &str, doubt: Option<String>) {
        let lines = printed(one, other, &self.names);
        let doubt = doubt.or_else(|| lines.is_none().then(|| "it differs from run to run".to_owned()));
        self.last = Some(ExampleOutput { lines: lines.unwrap_or_default(), doubt });
    }

    /// The findings about a job that has ended.
    fn judged(
        &mut self,
        jobs: &[EndedJob; 2],
        text: &str,
        head: usize,
        script: &RunScript,
    ) -> Vec<RowFinding> {
        let [job, _] = jobs;
        for line in job.output.lines() {
            if let Some((number, message)) =
                script_message(line).filter(|(_, text)| text.starts_with("syntax error"))
            {
                let row = (script.row)(number.saturating_sub(1));
                return vec![RowFinding::new(row, BlockVerdict::Fails, format!("bash: {message}"), "")];
            }
            if CERTAIN.iter().any(|start| line.starts_with(start)) {
                let at = text.lines().position(|line| line.trim_start().starts_with("srun"));
                let row = at.map_or(head, |line| (script.row)(line));
                return vec![RowFinding::new(row, BlockVerdict::Fails, without_id(line), "srun")];
            }
        }
        let missing = job.output.lines().find(|line| {
            line.ends_with(": command not found")
                // More processes than a user may have here.
                || line.ends_with("fork: retry: Resource temporarily unavailable")
                || line.ends_with("No such file or directory")
                || line.contains("not simulated")
        });
        if job.state == "COMPLETED" && missing.is_none() {
            return Vec::new();
        }
        let doubt = self.doubt.get_or_insert("parts of the script do not run here".to_owned()).clone();
        if let Some(ran) = &mut self.last {
            ran.doubt = Some(doubt);
        }
        let why = missing.or_else(|| job.output.lines().find(|line| line.contains("error"))).map(|line| {
            let message = script_message(line)
                .map_or_else(|| line.to_owned(), |(number, text)| format!("line {number}: {text}"));
            format!(": {message}")
        });
        let message =
            format!("run here, the job ends as {} ({}){}", job.state, job.exit, why.unwrap_or_default());
        vec![RowFinding::new(head, BlockVerdict::Unchecked, message, "")]
    }

    /// `reads`: it may print what the page's scripts have written.
    fn line(&mut self, line: &str, reads: bool) {
        self.runs += 1;
        self.last = None;
        let results = [0, 1].map(|at| {
            let own = self.with_own_ids(line, at);
            self.pair[at].run(&own)
        });
        if results.iter().all(|result| result.exit == Some(0)) {
            let [one, other] = results.map(|result| String::from_utf8_lossy(&result.stdout).into_owned());
            let doubt = self.doubt.clone().filter(|_| reads);
            self.remember(&one, &other, doubt);
        }
    }

    /// The line with the forks' job IDs instead of the page's. An ID after `slurm-` that the page has not shown is the newest job's.
    fn with_own_ids(&self, line: &str, at: usize) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
            let (before, tail) = rest.split_at(start);
            let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
            let (digits, after) = tail.split_at(end);
            out.push_str(before);
            let own =
                self.ids.get(digits).copied().or_else(|| self.newest.filter(|_| out.ends_with("slurm-")));
            match own {
                Some(ids) => out.push_str(&ids[at].to_string()),
                None => out.push_str(digits),
            }
            rest = after;
        }
        out + rest
    }
}

/// A line without the mark of a note, `# (1)!`, which MkDocs replaces by a button.
fn without_note(line: &str) -> &str {
    let Some((text, mark)) = line.rsplit_once("# (") else { return line };
    let digits =
        mark.trim_end().strip_suffix(")!").filter(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
    if digits.is_some() { text.trim_end() } else { line }
}

/// The line number and the text of bash's message about a batch script.
fn script_message(line: &str) -> Option<(usize, &str)> {
    let (_, rest) = line.split_once("slurm_script: line ")?;
    let (number, text) = rest.split_once(": ")?;
    Some((number.parse().ok()?, text))
}

/// A message without its job ID, so that it is the same in each run.
fn without_id(line: &str) -> String {
    match line.split_once(" for job ") {
        Some((head, tail)) => format!("{head}{}", tail.trim_start_matches(|c: char| c.is_ascii_digit())),
        None => line.to_owned(),
    }
}

/// A placeholder that a line of a script needs a value for. Variables have their values, and words such as `my_prog` may be
/// names.
fn open_placeholder(line: &str) -> Option<&str> {
    const MARKS: &[&str] = &["<", "{{", "«", "‹", "&lt;", "...", "…"];
    let spans = if line.trim_start().starts_with('#') { Vec::new() } else { doc::placeholders(line) };
    // Dots in quotes belong to the text.
    let is_text = |from: usize| {
        let before = line.get(..from).unwrap_or_default();
        ['"', '\''].iter().any(|quote| before.matches(*quote).count() % 2 == 1)
    };
    let mut names = spans
        .into_iter()
        .filter_map(|span| line.get(span.from..span.to).map(|name| (span.from, name)))
        .filter(|(from, name)| !(name.starts_with(['.', '…']) && is_text(*from)))
        .map(|(_, name)| name);
    names.find(|name| MARKS.iter().any(|mark| name.starts_with(mark)))
}

/// Options of `sbatch` and `srun` that change what a job prints, or where.
pub const PRINTS: &[&str] = &["error", "export", "job-name", "label", "open-mode", "output", "wrap"];

/// The command's own limit for what runs: arrays of many tasks only repeat the script.
pub fn is_large_array(tool: SubmitCommand, value: &str) -> bool {
    let numbers = value.split(['-', ',', ':', '%']).filter_map(|n| n.parse::<u32>().ok());
    tool == SubmitCommand::Sbatch && numbers.max().is_some_and(|most| most > MAX_TASKS)
}
