//! squeue's filter options, parsed and applied.

use super::row::names;
use crate::Cx;
use crate::slurm::getopt::ParsedArguments;
use crate::slurm::jobtext::{self, JobSpec, JobView};
use crate::slurm::opt::values;
use crate::slurm::tool;
use base::hostlist;
use base::ids::Uid;
use slurmctld::job::{Job, JobState};
use std::borrow::Cow;

/// Filters by job. Without a list, all jobs match; an empty list matches none, as recorded from 22.05.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    pub jobs: Option<Vec<JobSpec>>,
    pub users: Option<Vec<u32>>,
    /// Users whose jobs are omitted.
    pub but: Option<Uid>,
    accounts: Option<Vec<String>>,
    pub partitions: Option<Vec<String>>,
    qos: Option<Vec<String>>,
    names: Option<Vec<String>>,
    states: Option<Vec<String>>,
    nodes: Option<Vec<String>>,
    licenses: Option<Vec<String>>,
    reservations: Option<Vec<String>>,
    /// Whether `-t all` was given.
    all_states: bool,
    /// Minimum and maximum run time, in seconds.
    running: (Option<i64>, Option<i64>),
    /// The user who runs the command, if that user does not see hidden partitions.
    shown_to: Option<Uid>,
}

impl Filter {
    /// All jobs or one user's, with finished ones on request.
    pub fn plain(user: Option<u32>, ended: bool) -> Self {
        Self { users: user.map(|uid| vec![uid]), all_states: ended, ..Self::default() }
    }

    /// The filters that the options specify.
    ///
    /// # Errors
    /// The exit code, after the error message.
    pub fn read(cx: &mut Cx, parsed: &ParsedArguments) -> Result<Self, u8> {
        let list = |name| parsed.value(name).map(tool::names);
        let mut filter = Self {
            accounts: list("account"),
            partitions: list("partition"),
            qos: list("qos"),
            names: list("name"),
            licenses: list("licenses"),
            reservations: list("reservation"),
            ..Self::default()
        };
        filter.read_states(cx, parsed)?;
        filter.read_jobs(cx, parsed)?;
        filter.running = (seconds(cx, parsed, "running-over")?, seconds(cx, parsed, "running-under")?);
        if !parsed.has("all") && filter.partitions.is_none() && filter.jobs.is_none() {
            filter.shown_to = Some(cx.uid());
        }
        filter.read_users(cx, parsed);
        filter.read_nodes(cx, parsed)?;
        Ok(filter)
    }

    fn read_users(&mut self, cx: &mut Cx, parsed: &ParsedArguments) {
        self.but = parsed.has("notme").then(|| cx.uid());
        self.users = known_users(cx, parsed);
    }

    fn read_nodes(&mut self, cx: &mut Cx, parsed: &ParsedArguments) -> Result<(), u8> {
        let Some((_, text)) = parsed.last_of(&["nodelist", "node", "nodes"]) else { return Ok(()) };
        let mut nodes = hostlist::expand(text).unwrap_or_else(|_| vec![text.to_owned()]);
        nodes.retain(|name| !name.is_empty());
        let state = cx.cluster.state();
        if let Some(bad) = nodes.iter().find(|n| state.node_by_name(n).is_none()) {
            let line = format!("squeue: error: Invalid node name {bad}");
            cx.complain(&line);
            return Err(1);
        }
        self.nodes = Some(nodes);
        Ok(())
    }

    fn read_states(&mut self, cx: &mut Cx, parsed: &ParsedArguments) -> Result<(), u8> {
        let mut states = parsed.value("states").map(tool::names);
        let is_all = |s: &String| s.eq_ignore_ascii_case("all");
        self.all_states = states.iter().flatten().any(is_all);
        if self.all_states {
            states = states.map(|list| list.into_iter().filter(|s| !is_all(s)).collect());
            states.take_if(|list| list.is_empty());
        }
        if let Some(bad) = states.iter().flatten().find(|s| !jobtext::is_state(s)) {
            let known = jobtext::STATES.iter().map(|s| s.0).collect::<Vec<_>>().join(",");
            cx.complain(&format!("squeue: error: Invalid job state specified: {bad}"));
            cx.complain(&format!("squeue: error: Valid job states include: {known}\n"));
            return Err(1);
        }
        if parsed.has("start") && states.as_ref().is_none_or(Vec::is_empty) {
            states = Some(vec!["PD".to_owned()]);
        }
        self.states = states;
        Ok(())
    }

    fn read_jobs(&mut self, cx: &mut Cx, parsed: &ParsedArguments) -> Result<(), u8> {
        let Some((_, mut text)) = parsed.last_of(&["job", "jobs"]) else { return Ok(()) };
        if text.is_empty() {
            let Some(word) = parsed.rest.first() else { return Ok(()) };
            text = word;
        }
        let mut jobs = Vec::new();
        for word in jobtext::split_list(text).into_iter().filter(|word| !word.is_empty()) {
            let spec = jobtext::parse_job(word.split('.').next().unwrap_or(word)).filter(|spec| spec.job > 0);
            let Some(spec) = spec else {
                cx.complain(&format!("squeue: error: Invalid job id: {word}"));
                return Err(1);
            };
            jobs.push(spec);
        }
        let jobs = self.jobs.insert(jobs);
        if let ([only], false) = (jobs.as_slice(), parsed.has("only-job-state")) {
            let known = |j: &Job| j.id.0 == only.job || j.array.as_ref().is_some_and(|a| a.job.0 == only.job);
            let view = JobView::of(cx);
            if !view.state.jobs.values().any(|j| known(j) && view.sees_job(j)) {
                cx.complain("slurm_load_jobs error: Invalid job id specified");
                return Err(1);
            }
        }
        Ok(())
    }

    /// Whether a job matches.
    pub fn passes(&self, view: &JobView, job: &Job) -> bool {
        let state = match &self.states {
            None => self.all_states || !job.state.ended() || job.flags.completing,
            Some(states) => states.iter().any(|s| jobtext::just_in_state(job, s)),
        };
        state
            && self.shown_to.is_none_or(|uid| in_shown_partition(view, job, uid))
            && view.sees_job(job)
            && self
                .jobs
                .as_ref()
                .is_none_or(|jobs| jobs.iter().any(|spec| names(spec, job)) || self.of_component(job))
            && self.users.as_ref().is_none_or(|uids| uids.contains(&job.uid().0))
            && self.but.is_none_or(|uid| job.uid() != uid)
            && one_of(self.accounts.as_ref(), || job.account.as_str().into())
            && self
                .partitions
                .as_ref()
                .is_none_or(|list| view.partitions(job).split(',').any(|p| list.iter().any(|n| n == p)))
            && one_of(self.qos.as_ref(), || view.qos(job.qos).to_string().into())
            && one_of(self.names.as_ref(), || job.name.as_str().into())
            && one_of(self.reservations.as_ref(), || view.state.reservation_names(job).into())
            && self.licenses.as_ref().is_none_or(|list| job.needs.licenses.keys().any(|l| list.contains(l)))
            && self.has_run(view, job)
            && self.nodes.as_ref().is_none_or(|nodes| on_nodes(view, job, nodes))
    }

    /// Whether a job is the component that was selected individually.
    fn of_component(&self, job: &Job) -> bool {
        let Some([JobSpec { leader: Some(leader), .. }]) = self.jobs.as_deref() else { return false };
        job.het.is_some_and(|het| het.leader.0 == *leader)
    }

    fn has_run(&self, view: &JobView, job: &Job) -> bool {
        let (over, under) = self.running;
        if over.is_none() && under.is_none() {
            return true;
        }
        let seconds = job.run_seconds(view.now);
        job.state == JobState::Running
            && over.is_none_or(|s| seconds > s)
            && under.is_none_or(|s| seconds < s)
    }
}

/// The users that the options name, if any. Unknown ones are reported.
pub fn known_users(cx: &mut Cx, parsed: &ParsedArguments) -> Option<Vec<u32>> {
    let asked = parsed.last_of(&["user", "users"]).map(|(_, text)| tool::names(text));
    let names = if parsed.has("me") { Some(vec![cx.user()]) } else { asked };
    let (known, unknown) = tool::users(cx, &names?);
    for name in unknown {
        cx.complain(&format!("squeue: error: Invalid user: {name}\n"));
    }
    Some(known)
}

/// Parses an option's time, in seconds.
fn seconds(cx: &mut Cx, parsed: &ParsedArguments, name: &str) -> Result<Option<i64>, u8> {
    let Some(text) = parsed.value(name) else { return Ok(None) };
    match values::duration(text).and_then(|s| i64::try_from(s).ok()) {
        Some(seconds) => Ok(Some(seconds)),
        None => {
            cx.complain(&format!("squeue: error: Invalid --{name} value: {text}"));
            Err(1)
        }
    }
}

/// Whether there is no list, or it contains the name, ignoring case.
fn one_of<'t>(list: Option<&Vec<String>>, name: impl FnOnce() -> Cow<'t, str>) -> bool {
    let Some(list) = list else { return true };
    let name = name();
    list.iter().any(|n| n.eq_ignore_ascii_case(&name))
}

fn in_shown_partition(view: &JobView, job: &Job, uid: Uid) -> bool {
    job.partitions.iter().any(|part| view.state.partition_shown(view.state.partition(*part), uid))
}

fn on_nodes(view: &JobView, job: &Job, nodes: &[String]) -> bool {
    let mine = hostlist::expand(&view.nodelist(job)).unwrap_or_default();
    mine.iter().any(|n| nodes.contains(n))
}
