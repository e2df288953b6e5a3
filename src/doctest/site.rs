//! A site: a world from which every submission gets a fresh fork.

use super::run::ExampleFork;
use base::diagnostic::Diagnostic;
use base::time::{Span, Time};
use config::SiteFiles;
use engine::world::{Input, InputResult, RunResult, World};
use slurmctld::Slurmctld;
use slurmctld::job::JobState;
use slurmctld::reason::ReasonKind;
use std::collections::BTreeSet;

/// Virtual time within which a job on an idle cluster starts, if it can.
const TIMEOUT: Span = Span::from_secs(600);
/// Maximum number of events of one submission.
const FUEL: u32 = 20_000;
/// Virtual time from the start of the simulation to the first submission.
const SETTLING: Span = Span::from_secs(120);

/// A site that documentation is checked against.
#[derive(Clone, Debug)]
pub struct DocSite {
    /// The site's name.
    pub name: String,
    /// The user who submits.
    pub user: String,
    world: World,
}

/// The result of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionResult {
    /// It starts, or waits for something that the author requested.
    Accepted,
    /// Slurm's messages.
    Refused(String),
    /// The reason that `squeue` shows, and a sentence.
    Waits(String, String),
    /// The simulation does not support it: its message.
    NotSimulated(String),
}

impl DocSite {
    /// Builds a site's world. Its diagnostics are those of the site's files.
    ///
    /// # Errors
    /// The site has no users, or not the one that is asked for.
    pub fn new(
        name: &str,
        files: &SiteFiles,
        user: Option<&str>,
        start: Time,
    ) -> Result<(Self, Vec<Diagnostic>), String> {
        let (mut world, found) = World::new(name, files, 1, start);
        let known = |user: &str| world.site.users.iter().any(|u| u.name == user);
        let user = match user {
            Some(user) if known(user) => user.to_owned(),
            Some(user) => return Err(format!("site {name} has no user {user}")),
            None => world
                .site
                .users
                .first()
                .map(|u| u.name.clone())
                .ok_or_else(|| format!("site {name} has no users"))?,
        };
        let mut fuel = FUEL;
        while world.step(start + SETTLING) && fuel > 0 {
            fuel -= 1;
        }
        Ok((Self { name: name.to_owned(), user, world }, found))
    }

    /// The controller's state.
    #[must_use]
    pub fn state(&self) -> &Slurmctld {
        &self.world.ctld
    }

    /// An account that the user may use.
    #[must_use]
    pub fn account(&self) -> Option<&str> {
        let dbd = &self.world.ctld.dbd;
        let first =
            || dbd.assocs.iter().find(|a| a.user.as_deref() == Some(&self.user)).map(|a| a.account.as_str());
        dbd.default_account(&self.user).or_else(first)
    }

    /// Whether the site knows an account that the user may use.
    #[must_use]
    pub fn has_account(&self, name: &str) -> bool {
        self.world.ctld.dbd.assocs.iter().any(|a| a.user.as_deref() == Some(&self.user) && a.account == name)
    }

    /// Whether there is a partition of this name.
    #[must_use]
    pub fn has_partition(&self, name: &str) -> bool {
        self.world.ctld.partitions.iter().any(|p| p.name == name)
    }

    /// What a command prints, in a fork.
    #[must_use]
    pub fn run(&self, command: &str) -> RunResult {
        let mut fork = self.world.clone();
        Self::finish(&mut fork, &self.user, command)
    }

    /// A fork in which the examples of a page run.
    pub(super) fn session(&self) -> ExampleFork {
        ExampleFork::new(&self.world, &self.user)
    }

    /// Names that other clusters do not have: of nodes, partitions, accounts, the login node, the cluster and the user.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let state = self.state();
        let mut names: BTreeSet<String> = state.nodes.iter().map(|node| node.conf.name.to_string()).collect();
        names.extend(state.partitions.iter().map(|partition| partition.name.clone()));
        names.extend(state.dbd.assocs.iter().map(|assoc| assoc.account.clone()));
        names.extend([self.name.clone(), self.user.clone(), self.world.kernel.login.to_string()]);
        names
    }

    /// Submits a job in a fork and waits until it starts.
    #[must_use]
    pub fn submit(&self, command: &str, script: &str) -> SubmissionResult {
        let mut fork = self.world.clone();
        let home = format!("/home/{}", self.user);
        let home = fork.kernel.users.by_name(&self.user).map_or(home, |user| user.home.clone());
        let path = format!("{home}/job.sh");
        fork.apply(&Input::Save { user: self.user.clone(), path, data: script.as_bytes().to_vec() });
        let before = fork.ctld.jobs.values().map(|job| job.id).max();
        let result = Self::finish(&mut fork, &self.user, command);
        let text = String::from_utf8_lossy(&result.stderr).trim().to_owned();
        if text.contains("not simulated") {
            return SubmissionResult::NotSimulated(text);
        }
        match result.exit {
            Some(0) => {}
            Some(_) => return SubmissionResult::Refused(text),
            None => return SubmissionResult::NotSimulated("sbatch does not end".to_owned()),
        }
        let newest = fork.ctld.jobs.values().map(|job| job.id).max().filter(|id| Some(*id) != before);
        let Some(id) = newest else { return SubmissionResult::Accepted };
        let deadline = fork.now + TIMEOUT;
        let mut fuel = FUEL;
        let pending = |world: &World| world.ctld.job(id).is_some_and(|job| job.state == JobState::Pending);
        while pending(&fork) && fuel > 0 && fork.step(deadline) {
            fuel -= 1;
        }
        let Some(job) = fork.ctld.job(id).filter(|job| job.state == JobState::Pending) else {
            return SubmissionResult::Accepted;
        };
        let reason = job.reason;
        match reason.kind() {
            // Requested by the author, or caused by other jobs only.
            ReasonKind::Dependency | ReasonKind::Hold | ReasonKind::Setup | ReasonKind::Queue => {
                SubmissionResult::Accepted
            }
            ReasonKind::Request if reason.text() == "BeginTime" => SubmissionResult::Accepted,
            // An array starts task by task.
            _ if job.array.is_some() && fork.ctld.jobs.values().any(|j| j.state == JobState::Running) => {
                SubmissionResult::Accepted
            }
            ReasonKind::Resources
            | ReasonKind::Limit
            | ReasonKind::Partition
            | ReasonKind::Access
            | ReasonKind::Request
            | ReasonKind::Failure => {
                let why = Self::finish(&mut fork, &self.user, &format!("why {id}"));
                let why = String::from_utf8_lossy(&why.stdout).lines().next().unwrap_or_default().to_owned();
                let why = why.split_once("): ").map_or(why.as_str(), |(_, rest)| rest).to_owned();
                SubmissionResult::Waits(reason.text().to_owned(), why)
            }
        }
    }

    fn finish(fork: &mut World, user: &str, command: &str) -> RunResult {
        let input = Input::Run { user: user.to_owned(), command: command.to_owned() };
        let InputResult::Run(run) = fork.apply(&input) else { return RunResult::default() };
        let deadline = fork.now + TIMEOUT;
        let mut fuel = FUEL;
        while fork.run_result(run).exit.is_none() && fuel > 0 && fork.step(deadline) {
            fuel -= 1;
        }
        fork.run_result(run)
    }
}
