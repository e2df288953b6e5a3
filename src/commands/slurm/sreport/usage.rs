//! Sums over the accounting database's jobs in a time window.

use super::window::Period;
use crate::slurm::jobtext::JobView;
use crate::slurm::private::PrivateKind;
use slurmdbd::JobRecord;
use std::collections::BTreeMap;

/// TRES seconds of a user in an account.
#[derive(Default)]
pub struct Share {
    pub user: String,
    pub account: String,
    /// In the order of the requested TRES.
    pub used: Vec<u64>,
}

/// Jobs that ran in the window, with their seconds in it.
pub fn ran<'a>(view: &JobView<'a>, window: &Period) -> impl Iterator<Item = (&'a JobRecord, u64)> {
    let me = view.state.user_name(view.asker);
    let all = view.sees(PrivateKind::Usage);
    let seen = move |job: &&JobRecord| all || job.user == me || view.state.dbd.coordinates(&me, &job.account);
    view.state.dbd.arrived_jobs().values().filter(seen).filter_map(|job| {
        let seconds = window.overlap(job.start?, job.end);
        (seconds > 0).then_some((job, seconds))
    })
}

/// The usage of each user and account, sorted by account and user.
pub fn shares(view: &JobView, window: &Period, tres: &[String]) -> Vec<Share> {
    shares_in(view, window, tres, |job| (&job.account, &job.user))
}

/// The usage of each user by workload characterization key; the key replaces the account.
pub fn shares_of_keys(view: &JobView, window: &Period, tres: &[String]) -> Vec<Share> {
    let mut shares = shares_in(view, window, tres, |job| (&job.wckey, &job.user));
    shares.retain(|s| !s.account.is_empty());
    shares
}

/// The usage of each account by QOS; the QOS replaces the user.
pub fn shares_of_qos(view: &JobView, window: &Period, tres: &[String]) -> Vec<Share> {
    shares_in(view, window, tres, |job| (&job.account, &job.qos))
}

fn shares_in(
    view: &JobView,
    window: &Period,
    tres: &[String],
    of: fn(&JobRecord) -> (&String, &String),
) -> Vec<Share> {
    let mut sums: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
    for (job, seconds) in ran(view, window) {
        let (account, user) = of(job);
        let sum = sums.entry((account.clone(), user.clone())).or_default();
        sum.resize(tres.len(), 0);
        for (sum, name) in sum.iter_mut().zip(tres) {
            *sum += job.alloc_tres.get(name) * seconds;
        }
    }
    sums.into_iter().map(|((account, user), used)| Share { user, account, used }).collect()
}

/// The whole cluster in a window, TRES seconds.
#[derive(Default)]
pub struct Whole {
    pub allocated: u64,
    /// Idle while pending jobs had requested this amount.
    pub planned: u64,
    pub reported: u64,
}

impl Whole {
    /// The totals of one TRES.
    pub fn of(view: &JobView, window: &Period, tres: &str) -> Self {
        let mut whole = Self::default();
        let seconds = window.rolled_seconds();
        for node in &view.state.nodes {
            let gres = |name: &str| {
                node.conf.gres.iter().filter(|g| g.name == name).map(|g| u64::from(g.count)).sum()
            };
            whole.reported += seconds
                * match tres {
                    "cpu" | "billing" => u64::from(node.cpus()),
                    "mem" => node.conf.real_memory,
                    "node" => 1,
                    other => other.strip_prefix("gres/").map_or(0, gres),
                };
        }
        for job in view.state.dbd.arrived_jobs().values() {
            if let Some(start) = job.start {
                whole.allocated += job.alloc_tres.get(tres) * window.overlap(start, job.end);
            }
            let waited = window.overlap(job.eligible, job.start.or(job.end));
            whole.planned += job.req_tres.get(tres) * waited;
        }
        whole.allocated = whole.allocated.min(whole.reported);
        whole.planned = whole.planned.min(whole.reported - whole.allocated);
        whole
    }

    /// The idle share: neither allocated nor planned.
    pub const fn idle(&self) -> u64 {
        self.reported - self.allocated - self.planned
    }
}
