//! Usage counters for everything that has limits: associations, QOS, and users and accounts within a QOS.
//!
//! Each change of a job updates them ([`Counters::move_job`]), so a check reads a few counters and no other job.

use super::owner_usage::{Steps, Used};
use crate::state::changes::LimitUse;
use crate::state::job::Job;
use base::ids::{AssocId, PartId, QosId, Uid};
use base::time::Time;
use config::PartConf;
use serde::{Deserialize, Serialize};
use slurmdbd::{Limits, Slurmdbd};

/// Usage of a QOS as a whole, and by user and account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct QosUsed {
    all: Used,
    users: Vec<(u32, Used)>,
    accounts: Vec<(u32, Used)>,
}

/// Which kinds of limits exist at all. A cluster without a kind does not count for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kinds {
    pub any: bool,
    /// Any limit on accumulated minutes.
    pub on_minutes: bool,
    /// Any limit on jobs that accrue age.
    pub on_accruing: bool,
}

/// All usage counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    clock: Steps,
    /// Which kinds of limits exist.
    limits: Kinds,
    /// `QOS=` of each partition.
    part_qos: Vec<Option<QosId>>,
    assocs: Vec<Used>,
    qos: Vec<QosUsed>,
}

/// The owner of a counter and of the limits on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum UsageOwner {
    /// A user's or an account's association.
    Assoc(AssocId),
    /// A QOS.
    Qos(QosId),
    /// A user within a QOS.
    User(QosId, Uid),
    /// An account (by its association) within a QOS.
    Account(QosId, AssocId),
}

impl Counters {
    pub(crate) fn new(dbd: &Slurmdbd, partitions: &[PartConf], boot: Time, period: u32) -> Self {
        let mut fresh = Self {
            clock: Steps::new(boot, period),
            limits: Kinds::default(),
            part_qos: Vec::new(),
            assocs: Vec::new(),
            qos: Vec::new(),
        };
        fresh.reset(dbd, partitions);
        fresh
    }

    /// Clears all counters and takes over the current associations, QOS and partitions.
    pub(super) fn reset(&mut self, dbd: &Slurmdbd, partitions: &[PartConf]) {
        let qos_of =
            |part: &PartConf| part.qos.as_deref().and_then(|name| dbd.qos_by_name(name)).map(|q| q.id);
        self.part_qos = partitions.iter().map(qos_of).collect();
        let all = || dbd.live().map(|a| &a.limits).chain(dbd.qos.iter().map(|q| &q.limits));
        let any = |is: &dyn Fn(&Limits) -> bool| all().any(is);
        self.limits = Kinds {
            any: any(&|l| *l != Limits::default()),
            on_minutes: any(&|l| !l.grp_tres_mins.is_empty() || l.grp_wall.is_some()),
            on_accruing: any(&|l| {
                l.grp_jobs_accrue.or(l.max_jobs_accrue).or(l.max_jobs_accrue_per_account).is_some()
            }),
        };
        self.assocs = vec![Used::default(); dbd.assocs.len()];
        self.qos = vec![QosUsed::default(); dbd.qos.len()];
    }

    /// Which kinds of limits exist.
    pub(super) const fn kinds(&self) -> Kinds {
        self.limits
    }

    /// Whether any limit is set.
    pub(crate) const fn any(&self) -> bool {
        self.limits.any
    }

    /// The QOS of a partition.
    pub(crate) fn part_qos(&self, part: PartId) -> Option<QosId> {
        self.part_qos.get(part.0 as usize).copied().flatten()
    }

    /// The counters of one owner. None if nothing was ever counted there.
    pub fn of(&self, owner: UsageOwner) -> Option<&Used> {
        let qos = |id: QosId| self.qos.get(index(id.0)?);
        match owner {
            UsageOwner::Assoc(id) => self.assocs.get(index(id.0)?),
            UsageOwner::Qos(id) => qos(id).map(|q| &q.all),
            UsageOwner::User(id, uid) => find(&qos(id)?.users, uid.0),
            UsageOwner::Account(id, account) => find(&qos(id)?.accounts, account.0),
        }
    }

    fn at(&mut self, owner: UsageOwner) -> Option<&mut Used> {
        let qos =
            |all: &mut Vec<QosUsed>, id: QosId| -> Option<usize> { index(id.0).filter(|i| *i < all.len()) };
        match owner {
            UsageOwner::Assoc(id) => self.assocs.get_mut(index(id.0)?),
            UsageOwner::Qos(id) => qos(&mut self.qos, id).map(|i| &mut self.qos[i].all),
            UsageOwner::User(id, uid) => qos(&mut self.qos, id).map(|i| entry(&mut self.qos[i].users, uid.0)),
            UsageOwner::Account(id, account) => {
                qos(&mut self.qos, id).map(|i| entry(&mut self.qos[i].accounts, account.0))
            }
        }
    }

    /// TRES seconds that the running jobs may still use until their time limits.
    pub fn run_seconds(&self, used: &Used, tres: &str, now: Time) -> u64 {
        used.run_seconds(tres, self.clock, now)
    }

    /// The users (by uid) or accounts (by association) for which a QOS has counters.
    pub fn within(&self, qos: QosId, accounts: bool) -> impl Iterator<Item = (u32, &Used)> {
        let qos = index(qos.0).and_then(|i| self.qos.get(i));
        let list = qos.map_or(&[][..], |q| if accounts { &q.accounts } else { &q.users });
        list.iter().map(|(key, used)| (*key, used))
    }

    /// The differences between these counters and `other`, both as of `now`. For consistency checks.
    pub(super) fn differs(&self, other: &Self, now: Time) -> Vec<String> {
        let step = self.clock.at(now);
        let mut faults = Vec::new();
        let mut look = |owner: UsageOwner| {
            let of = |counters: &Self| counters.of(owner).cloned().unwrap_or_default().settled(step);
            let (mine, others) = (of(self), of(other));
            if mine != others {
                faults.push(format!("{owner:?} is counted as {mine:?} and is {others:?}"));
            }
        };
        let ids = |n: usize| 1..=u32::try_from(n).unwrap_or(0);
        ids(self.assocs.len()).for_each(|id| look(UsageOwner::Assoc(AssocId(id))));
        for id in ids(self.qos.len()).map(QosId) {
            look(UsageOwner::Qos(id));
            self.within(id, false).for_each(|(uid, _)| look(UsageOwner::User(id, Uid(uid))));
            self.within(id, true).for_each(|(assoc, _)| look(UsageOwner::Account(id, AssocId(assoc))));
        }
        faults
    }

    /// Moves a job from its previous usage to its new one. `job` still has the allocation that it held before.
    pub(crate) fn move_job(
        &mut self,
        dbd: &Slurmdbd,
        job: &Job,
        before: Option<LimitUse>,
        after: Option<LimitUse>,
    ) {
        if before == after {
            return;
        }
        let (before, after) = (before.filter(LimitUse::counts), after.filter(LimitUse::counts));
        match (before, after) {
            (Some(old), Some(new)) if old.has_same_owners(&new) => {
                self.count(dbd, job, (Some(old), Some(new)))
            }
            (old, new) => {
                self.count(dbd, job, (old, None));
                self.count(dbd, job, (None, new));
            }
        }
    }

    /// Replaces a job's previous usage by its new one in all counters that include it.
    fn count(&mut self, dbd: &Slurmdbd, job: &Job, (before, after): (Option<LimitUse>, Option<LimitUse>)) {
        let Some(state) = before.or(after) else { return };
        for (owner, limits) in self.owners(dbd, state) {
            let by_node = counts_nodes(owner, limits);
            let clock = self.clock;
            let Some(used) = self.at(owner) else { continue };
            for (state, more) in [(before, false), (after, true)] {
                let Some(state) = state else { continue };
                change(&mut used.submitted, state.submitted, more);
                change(&mut used.accruing, state.accruing, more);
                if let (Some(runs), Some(allocation)) = (state.runs, &job.allocation) {
                    used.hold(allocation, runs, clock, by_node, more);
                }
            }
        }
    }

    /// Whether a job counts towards an owner's limits.
    pub(crate) fn counts_in(&self, dbd: &Slurmdbd, job: &Job, owner: UsageOwner) -> bool {
        self.owners(dbd, LimitUse::of(job)).iter().any(|other| other.0 == owner)
    }

    /// The owners that a job counts for, each with the limits that decide whether its nodes are counted individually.
    fn owners<'a>(&self, dbd: &'a Slurmdbd, job: LimitUse) -> Vec<(UsageOwner, Option<&'a Limits>)> {
        let mut owners = Vec::with_capacity(8);
        let account = job.assoc.and_then(|id| dbd.assoc(id)).and_then(|a| a.parent);
        let part = job.part.and_then(|p| self.part_qos(p)).filter(|q| *q != job.qos);
        for qos in std::iter::once(job.qos).chain(part) {
            let limits = dbd.qos_by_id(qos).map(|q| &q.limits);
            owners.push((UsageOwner::Qos(qos), limits));
            owners.push((UsageOwner::User(qos, job.uid), limits));
            if let Some(account) = account {
                owners.push((UsageOwner::Account(qos, account), limits));
            }
        }
        if let Some(id) = job.assoc {
            owners.extend(dbd.chain(id).map(|a| (UsageOwner::Assoc(a.id), Some(&a.limits))));
        }
        owners
    }
}

/// Whether a limit counts distinct nodes.
fn counts_nodes(owner: UsageOwner, limits: Option<&Limits>) -> bool {
    limits.is_some_and(|l| match owner {
        UsageOwner::Assoc(_) | UsageOwner::Qos(_) => l.grp_tres.contains_key("node"),
        UsageOwner::User(..) => l.max_tres_per_user.contains_key("node"),
        UsageOwner::Account(..) => l.max_tres_per_account.contains_key("node"),
    })
}

fn change(count: &mut u32, by: u32, more: bool) {
    *count = if more { count.saturating_add(by) } else { count.saturating_sub(by) };
}

/// Ids start at one.
fn index(id: u32) -> Option<usize> {
    id.checked_sub(1).map(|i| i as usize)
}

fn find(list: &[(u32, Used)], key: u32) -> Option<&Used> {
    list.binary_search_by_key(&key, |e| e.0).ok().map(|i| &list[i].1)
}

fn entry(list: &mut Vec<(u32, Used)>, key: u32) -> &mut Used {
    let i = list.binary_search_by_key(&key, |e| e.0).unwrap_or_else(|i| {
        list.insert(i, (key, Used::default()));
        i
    });
    &mut list[i].1
}
