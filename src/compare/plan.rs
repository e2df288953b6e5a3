//! The plan of a comparison: a TOML file. Unknown keys are errors, with their line.

use base::diagnostic::{Diagnostic, Severity};
use serde::Deserialize;

/// Maximum number of policies, limited by the colours of a chart.
pub const MAX_POLICIES: usize = 4;
/// Maximum number of workloads.
pub const MAX_WORKLOADS: usize = 20;
/// Maximum number of resamples.
pub const MAX_RESAMPLES: u32 = 10_000;
/// Longest background workload in days.
const MAX_DAYS: u32 = 366;
/// Longest jitter in minutes: a day.
const MAX_JITTER: u32 = 1440;

/// A plan.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparePlan {
    /// The site of workloads that do not name one: a built-in site or a directory.
    pub site: Option<String>,
    /// Name of the policy that the others are compared with; by default the first one.
    pub baseline: Option<String>,
    /// The workloads.
    #[serde(default, rename = "workload")]
    pub workloads: Vec<PlannedWorkload>,
    /// The policies.
    #[serde(default, rename = "policy")]
    pub policies: Vec<PolicyDiff>,
    /// How workloads are resampled.
    #[serde(default)]
    pub resample: Resampling,
}

/// A workload of a plan: a file, or the background jobs of its site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlannedWorkload {
    /// Its name in the report; by default the file or `background`.
    #[serde(default)]
    pub name: String,
    /// A trace: Standard Workload Format (`.swf`) or sbatch lines (`.events`), also `.gz`. Relative to the plan.
    pub file: Option<String>,
    /// Amount of background jobs: `quiet`, `normal`, `busy`, `overloaded`.
    pub background: Option<String>,
    /// Days of background jobs.
    pub days: Option<u32>,
    /// Its site, instead of the plan's.
    pub site: Option<String>,
}

/// A policy as a difference from the site's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyDiff {
    /// Its name.
    pub name: String,
    /// Lines of slurm.conf: `Key=Value` replaces, `Key+=part=1` changes parts of a list, `PartitionName=cpu MaxTime=1-0`
    /// changes keys of a partition or nodes, and new names are added.
    #[serde(default)]
    pub slurm_conf: Vec<String>,
    /// Keys of slurm.conf that are removed.
    #[serde(default)]
    pub unset: Vec<String>,
    /// Lines of gres.conf to add; a line for the same nodes and name is replaced.
    #[serde(default)]
    pub gres_conf: Vec<String>,
    /// sacctmgr commands, without `sacctmgr`.
    #[serde(default)]
    pub sacctmgr: Vec<String>,
    /// Nodes that are removed, as a host list.
    #[serde(default)]
    pub remove_nodes: String,
}

/// How a workload is resampled.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Resampling {
    /// Number of resamples besides the workload as recorded.
    pub number: u32,
    /// Seed of all random decisions.
    pub seed: u64,
    /// Draw as many users as there are, with replacement.
    pub users: bool,
    /// Shift each drawn user's jobs by whole weeks.
    pub weeks: bool,
    /// Shift each submission by up to this number of minutes, earlier or later.
    pub jitter: u32,
    /// All policies replay the same resamples.
    pub paired: bool,
    /// Users wait for results: a job that followed the end of another within a session follows it in the replay.
    pub feedback: bool,
}

impl Default for Resampling {
    fn default() -> Self {
        Self { number: 20, seed: 1, users: true, weeks: true, jitter: 5, paired: true, feedback: false }
    }
}

impl ComparePlan {
    /// Parses a plan. `file` is its name in messages.
    ///
    /// # Errors
    /// What is wrong, with file and line.
    pub fn parse(file: &str, text: &str) -> Result<Self, Diagnostic> {
        let fault = |line: usize, message: String| Diagnostic {
            severity: Severity::Error,
            file: file.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            message,
        };
        let mut plan: Self = toml::from_str(text).map_err(|error: toml::de::Error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text.as_bytes()[..before].iter().filter(|b| **b == b'\n').count();
            fault(line, error.message().replace('\n', " "))
        })?;
        plan.complete().map_err(|why| fault(0, why))?;
        Ok(plan)
    }

    /// Gives names to workloads that have none, and checks everything.
    fn complete(&mut self) -> Result<(), String> {
        for workload in &mut self.workloads {
            let of = workload.file.as_deref().unwrap_or("background");
            if workload.name.is_empty() {
                workload.name = of.rsplit('/').next().unwrap_or(of).to_owned();
            }
            let name = &workload.name;
            match (&workload.file, &workload.background) {
                (Some(_), None) if workload.days.is_none() => {}
                (None, Some(amount)) => {
                    if config::background_amount(amount).is_none_or(|percent| percent == 0) {
                        return Err(format!(
                            "workload {name}: background is quiet, normal, busy or overloaded, not '{amount}'"
                        ));
                    }
                    let days = workload.days.unwrap_or(0);
                    if !(1..=MAX_DAYS).contains(&days) {
                        return Err(format!("workload {name}: days is a number from 1 to {MAX_DAYS}"));
                    }
                    if workload.site.as_ref().or(self.site.as_ref()).is_none() {
                        return Err(format!("workload {name}: background jobs need a site"));
                    }
                }
                _ => return Err(format!("workload {name}: give a file, or background and days")),
            }
        }
        let sizes = [
            ("[[workload]]", self.workloads.len(), 1, MAX_WORKLOADS),
            ("[[policy]]", self.policies.len(), 2, MAX_POLICIES),
        ];
        for (what, number, least, most) in sizes {
            if !(least..=most).contains(&number) {
                return Err(format!("it has {number} {what}; {least} to {most} are possible"));
            }
        }
        let names = self.policies.iter().map(|p| &p.name).chain(self.baseline.iter());
        if let Some(name) = names.clone().find(|n| n.trim().is_empty() || n.contains(char::is_control)) {
            return Err(format!("a policy cannot be named {name:?}"));
        }
        unique("policy", self.policies.iter().map(|p| p.name.as_str()))?;
        unique("workload", self.workloads.iter().map(|w| w.name.as_str()))?;
        if let Some(name) = &self.baseline
            && !self.policies.iter().any(|p| p.name == *name)
        {
            return Err(format!("baseline: there is no policy '{name}'"));
        }
        let Resampling { number, jitter, .. } = self.resample;
        if number > MAX_RESAMPLES || jitter > MAX_JITTER {
            return Err(format!(
                "resample: number is at most {MAX_RESAMPLES}, jitter at most {MAX_JITTER} minutes"
            ));
        }
        Ok(())
    }

    /// The index of the baseline policy.
    #[must_use]
    pub fn baseline(&self) -> usize {
        let named = self.baseline.as_ref();
        named.and_then(|name| self.policies.iter().position(|p| p.name == *name)).unwrap_or(0)
    }
}

fn unique<'a>(what: &str, names: impl Iterator<Item = &'a str>) -> Result<(), String> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two of {what} are named '{}'", pair[0])),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "site = \"lab\"\n[[workload]]\nfile = \"a/week.events.gz\"\n[[policy]]\nname = \"today\"\n\
                        [[policy]]\nname = \"long\"\nslurm_conf = [\"SchedulerParameters+=bf_window=2880\"]\n";

    #[test]
    fn a_plan() {
        let plan = ComparePlan::parse("p.toml", PLAN).unwrap();
        assert_eq!((plan.workloads[0].name.as_str(), plan.baseline()), ("week.events.gz", 0));
        assert_eq!(plan.resample, Resampling::default());
        let other = format!("baseline = \"long\"\n{PLAN}[resample]\nnumber = 3\nusers = false\n");
        let plan = ComparePlan::parse("p.toml", &other).unwrap();
        assert_eq!((plan.baseline(), plan.resample.number, plan.resample.users), (1, 3, false));
    }

    #[test]
    fn errors_name_the_line() {
        for (from, to, part) in [
            ("file =", "fiel =", "p.toml:3: error: unknown field `fiel`"),
            ("name = \"long\"", "name = 3", "p.toml:7: error: invalid type"),
            ("\"today\"", "\"long\"", "two of policy are named 'long'"),
            ("site = \"lab\"", "baseline = \"x\"", "there is no policy 'x'"),
            ("file = \"a/week.events.gz\"", "background = \"normal\"", "days is a number"),
            ("file = \"a/week.events.gz\"", "background = \"some\"", "not 'some'"),
            ("file = \"a/week.events.gz\"", "", "give a file"),
            ("[[policy]]\nname = \"today\"", "", "it has 1 [[policy]]"),
            ("name = \"today\"", "name = \" \"", "cannot be named"),
        ] {
            let error = ComparePlan::parse("p.toml", &PLAN.replace(from, to)).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
