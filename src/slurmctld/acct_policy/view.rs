//! The limits that apply to one job in one partition, in order of precedence.
//!
//! The first owner that sets a limit decides: the partition's QOS, the job's QOS (the reverse with `OverPartQOS`), the
//! user's association, then accounts up the tree. `Grp*` limits of associations apply on every level.

use super::counters::UsageOwner;
use super::reasons;
use super::{Blocked, LimitKind};
use crate::Slurmctld;
use crate::state::job::planned_seconds;
use crate::state::job::{Allocation, Job};
use crate::state::reason::Reason;
use base::ids::{AssocId, PartId};
use base::time::{Limit, Time};
use slurmdbd::{Assoc, CountLimit, Limits, Qos, QosFlag, TresLimit};
use std::ops::Range;

/// TRES limits of a QOS, in the order in which Slurm checks them.
const QOS_TRES: [TresLimit; 11] = [
    TresLimit::GrpTresMins,
    TresLimit::GrpTres,
    TresLimit::GrpTresRunMins,
    TresLimit::MaxTresMins,
    TresLimit::MaxTres,
    TresLimit::MaxTresPerNode,
    TresLimit::MinTres,
    TresLimit::MaxTresPerAccount,
    TresLimit::MaxTresRunMinsPerAccount,
    TresLimit::MaxTresPerUser,
    TresLimit::MaxTresRunMinsPerUser,
];
/// The order at submission (`DenyOnLimit`), before and after `MaxWall`, as recorded from 22.05.
const DENIED_BEFORE_WALL: [TresLimit; 8] = [
    TresLimit::MaxTresPerAccount,
    TresLimit::MaxTresPerUser,
    TresLimit::GrpTres,
    TresLimit::GrpTresMins,
    TresLimit::GrpTresRunMins,
    TresLimit::MaxTresRunMinsPerAccount,
    TresLimit::MaxTresRunMinsPerUser,
    TresLimit::MaxTresMins,
];
const DENIED_AFTER_WALL: [TresLimit; 3] = [TresLimit::MaxTres, TresLimit::MaxTresPerNode, TresLimit::MinTres];
const GROUP_TRES: [TresLimit; 3] = [TresLimit::GrpTresMins, TresLimit::GrpTres, TresLimit::GrpTresRunMins];
const ASSOC_TRES: [TresLimit; 3] = [TresLimit::MaxTresMins, TresLimit::MaxTres, TresLimit::MaxTresPerNode];

/// What is compared with the limits.
#[derive(Clone, Copy)]
pub(super) enum LimitCheck<'a> {
    /// The request by itself, whatever other jobs use (`DenyOnLimit`).
    Alone,
    /// The request, before nodes are selected.
    Needs,
    /// The selected allocation.
    Given(&'a Allocation),
}

pub(super) struct LimitView<'a> {
    pub(super) ctld: &'a Slurmctld,
    pub(super) job: &'a Job,
    pub(super) part: PartId,
    pub(super) now: Time,
    pub(super) asked: LimitCheck<'a>,
    qos: [Option<&'a Qos>; 2],
    chain: Vec<&'a Assoc>,
}

impl<'a> LimitView<'a> {
    pub(super) fn new(
        ctld: &'a Slurmctld,
        job: &'a Job,
        part: PartId,
        asked: LimitCheck<'a>,
        now: Time,
    ) -> Self {
        let own = ctld.dbd.qos_by_id(job.qos);
        let of_part =
            ctld.limits.part_qos(part).filter(|q| *q != job.qos).and_then(|q| ctld.dbd.qos_by_id(q));
        let over = own.is_some_and(|q| q.has(QosFlag::OverPartQos));
        let qos = if over || of_part.is_none() { [own, of_part] } else { [of_part, own] };
        let chain = job.assoc.map(|id| ctld.dbd.chain(id).collect()).unwrap_or_default();
        Self { ctld, job, part, now, asked, qos, chain }
    }

    /// Whether a job that breaks a limit by itself is refused.
    pub(super) fn strict(&self) -> bool {
        self.qos().any(|q| q.has(QosFlag::DenyOnLimit))
    }

    pub(super) fn qos(&self) -> impl Iterator<Item = &'a Qos> + use<'a> {
        self.qos.into_iter().flatten()
    }

    /// The first QOS, in order of precedence, that sets a limit.
    fn deciding(&self, sets: impl Fn(&Limits) -> bool) -> Option<&'a Qos> {
        self.qos().find(|q| sets(&q.limits))
    }

    fn account(&self) -> Option<AssocId> {
        self.chain.first().and_then(|a| a.parent)
    }

    /// The owner whose usage is compared with a limit of a QOS.
    fn owner_of_tres(&self, qos: &Qos, limit: TresLimit) -> Option<UsageOwner> {
        Some(match limit {
            TresLimit::MaxTresPerUser | TresLimit::MaxTresRunMinsPerUser => {
                UsageOwner::User(qos.id, self.job.uid())
            }
            TresLimit::MaxTresPerAccount | TresLimit::MaxTresRunMinsPerAccount => {
                UsageOwner::Account(qos.id, self.account()?)
            }
            TresLimit::GrpTres
            | TresLimit::GrpTresMins
            | TresLimit::GrpTresRunMins
            | TresLimit::MaxTres
            | TresLimit::MaxTresPerNode
            | TresLimit::MaxTresMins
            | TresLimit::MinTres => UsageOwner::Qos(qos.id),
        })
    }

    fn owner_of_count(&self, qos: &Qos, limit: CountLimit) -> Option<UsageOwner> {
        Some(match limit {
            CountLimit::GrpJobs | CountLimit::GrpJobsAccrue | CountLimit::GrpSubmitJobs => {
                UsageOwner::Qos(qos.id)
            }
            CountLimit::MaxJobs | CountLimit::MaxJobsAccrue | CountLimit::MaxSubmitJobs => {
                UsageOwner::User(qos.id, self.job.uid())
            }
            CountLimit::MaxJobsPerAccount
            | CountLimit::MaxJobsAccruePerAccount
            | CountLimit::MaxSubmitJobsPerAccount => UsageOwner::Account(qos.id, self.account()?),
        })
    }

    /// The first TRES limit that blocks the job.
    pub(super) fn amounts(&self) -> Option<Blocked> {
        QOS_TRES.iter().find_map(|limit| self.qos_tres(*limit)).or_else(|| self.assoc_amounts())
    }

    fn assoc_amounts(&self) -> Option<Blocked> {
        self.group_tres(&GROUP_TRES, 0..1)
            .or_else(|| ASSOC_TRES.iter().find_map(|limit| self.nearest_tres(*limit)))
            .or_else(|| self.group_tres(&GROUP_TRES, 1..usize::MAX))
    }

    /// A group limit on minutes that is used up while a running job keeps using more.
    pub(super) fn overrun(&self) -> Option<Blocked> {
        self.qos_tres(TresLimit::GrpTresMins)
            .or_else(|| self.qos_group_wall())
            .or_else(|| self.group_tres(&[TresLimit::GrpTresMins], 0..usize::MAX))
            .or_else(|| self.assoc_group_wall())
    }

    /// The first limit that the job breaks by itself.
    pub(super) fn alone(&self) -> Option<Blocked> {
        let of_qos = |limits: &[TresLimit]| limits.iter().find_map(|limit| self.qos_tres(*limit));
        of_qos(&DENIED_BEFORE_WALL)
            .or_else(|| self.wall(true))
            .or_else(|| of_qos(&DENIED_AFTER_WALL))
            .or_else(|| self.assoc_amounts())
            .or_else(|| self.wall(false))
    }

    /// A limit on TRES of the QOS.
    fn qos_tres(&self, limit: TresLimit) -> Option<Blocked> {
        let [first, second] = self.qos;
        for (qos, before) in [(first, None), (second, first)] {
            let Some(qos) = qos else { continue };
            for (name, at) in qos.limits.of_tres(limit) {
                if before.is_some_and(|b: &Qos| b.limits.of_tres(limit).contains_key(name)) {
                    continue;
                }
                let Some(owner) = self.owner_of_tres(qos, limit) else { continue };
                let at = self.absolute(qos, limit, name, *at);
                if let Some((used, asked)) = self.exceeds(limit, owner, name, at) {
                    let reason = reasons::of_tres(limit, true, name);
                    let which = LimitKind::Tres(limit, name.clone());
                    return Some(Blocked { reason, which, at, used, asked, owner });
                }
            }
        }
        None
    }

    /// A limit on one TRES of an association, unless a QOS sets it.
    fn assoc_tres(&self, assoc: &Assoc, limit: TresLimit, name: &str, at: u64) -> Option<Blocked> {
        if self.qos().any(|q| q.limits.of_tres(limit).contains_key(name)) {
            return None;
        }
        let (owner, at) = (UsageOwner::Assoc(assoc.id), self.scaled(limit, at));
        let (used, asked) = self.exceeds(limit, owner, name, at)?;
        let reason = reasons::of_tres(limit, false, name);
        Some(Blocked { reason, which: LimitKind::Tres(limit, name.to_owned()), at, used, asked, owner })
    }

    /// `Grp*` limits on TRES for these levels of the account tree, where 0 is the user's own. Slurm checks all limits
    /// of the user's association before those of its parents.
    fn group_tres(&self, limits: &[TresLimit], levels: Range<usize>) -> Option<Blocked> {
        let each = |a: &&Assoc, limit: TresLimit| {
            a.limits.of_tres(limit).iter().find_map(|(name, at)| self.assoc_tres(a, limit, name, *at))
        };
        let some = self.chain.iter().skip(levels.start).take(levels.len());
        some.into_iter().find_map(|a| limits.iter().find_map(|limit| each(a, *limit)))
    }

    /// `Max*` limits on TRES: the nearest association that sets it for a TRES decides.
    fn nearest_tres(&self, limit: TresLimit) -> Option<Blocked> {
        self.chain.iter().enumerate().find_map(|(i, assoc)| {
            let nearer = |name| self.chain[..i].iter().any(|a| a.limits.of_tres(limit).contains_key(name));
            let own = assoc.limits.of_tres(limit).iter().filter(|(name, _)| !nearer(*name));
            own.into_iter().find_map(|(name, at)| self.assoc_tres(assoc, limit, name, *at))
        })
    }

    /// A job count limit of the QOS.
    pub(super) fn qos_count(&self, limit: CountLimit, more: u32) -> Option<Blocked> {
        let qos = self.deciding(|l| l.of_count(limit).is_some())?;
        let (at, owner) = (qos.limits.of_count(limit)?, self.owner_of_count(qos, limit)?);
        self.count(limit, owner, at, more, true)
    }

    /// A job count limit of an association, unless a QOS sets one of `instead`.
    pub(super) fn assoc_count(
        &self,
        limit: CountLimit,
        instead: &[CountLimit],
        more: u32,
    ) -> Option<Blocked> {
        if self.qos().any(|q| instead.iter().any(|i| q.limits.of_count(*i).is_some())) {
            return None;
        }
        let group =
            matches!(limit, CountLimit::GrpJobs | CountLimit::GrpSubmitJobs | CountLimit::GrpJobsAccrue);
        if group {
            let own = |a: &&Assoc| {
                self.count(limit, UsageOwner::Assoc(a.id), a.limits.of_count(limit)?, more, false)
            };
            return self.chain.iter().find_map(own);
        }
        // `MaxJobs` counts the user's jobs, on whichever level of the account tree it is set.
        let at = self.chain.iter().find_map(|a| a.limits.of_count(limit))?;
        self.count(limit, UsageOwner::Assoc(self.chain.first()?.id), at, more, false)
    }

    fn count(
        &self,
        limit: CountLimit,
        owner: UsageOwner,
        at: u32,
        more: u32,
        of_qos: bool,
    ) -> Option<Blocked> {
        let used = self.ctld.limits.of(owner).map_or(0, |u| match limit {
            CountLimit::GrpJobs | CountLimit::MaxJobs | CountLimit::MaxJobsPerAccount => u.jobs,
            CountLimit::GrpSubmitJobs | CountLimit::MaxSubmitJobs | CountLimit::MaxSubmitJobsPerAccount => {
                u.submitted
            }
            CountLimit::GrpJobsAccrue | CountLimit::MaxJobsAccrue | CountLimit::MaxJobsAccruePerAccount => {
                u.accruing
            }
        });
        (used.saturating_add(more) > at).then(|| Blocked {
            reason: reasons::of_count(limit, of_qos),
            which: LimitKind::Count(limit),
            at: at.into(),
            used: used.into(),
            asked: more.into(),
            owner,
        })
    }

    /// `MaxWall` of the owner that takes precedence: a QOS or the nearest association. It also applies to jobs without
    /// a time limit.
    pub(super) fn max_wall(&self) -> Option<(Limit, UsageOwner)> {
        let of_qos = self.qos().find_map(|q| Some((q.limits.max_wall?, UsageOwner::Qos(q.id))));
        let of_assoc = || self.chain.iter().find_map(|a| Some((a.limits.max_wall?, UsageOwner::Assoc(a.id))));
        of_qos.or_else(of_assoc)
    }

    /// `MinPrioThresh` of the owner that takes precedence.
    pub(super) fn min_priority(&self) -> Option<u32> {
        let of_qos = self.qos().find_map(|q| q.limits.min_prio_thresh);
        of_qos.or_else(|| self.chain.iter().find_map(|a| a.limits.min_prio_thresh))
    }

    /// A time limit that exceeds `MaxWall` of a QOS or an association.
    pub(super) fn wall(&self, of_qos: bool) -> Option<Blocked> {
        if self.job.exempt.time {
            return None;
        }
        let (most, owner) = self.max_wall().filter(|m| matches!(m.1, UsageOwner::Qos(_)) == of_qos)?;
        let minutes = |limit: Limit| u64::try_from(planned_seconds(limit) / 60).unwrap_or(0);
        (self.job.time_limit > most).then(|| Blocked {
            reason: if of_qos { Reason::QosMaxWallPerJob } else { Reason::AssocMaxWallPerJob },
            which: LimitKind::MaxWall,
            at: minutes(most),
            used: 0,
            asked: minutes(self.job.time_limit),
            owner,
        })
    }

    /// `GrpWall` of a QOS that is used up.
    pub(super) fn qos_group_wall(&self) -> Option<Blocked> {
        let qos = self.deciding(|l| l.grp_wall.is_some())?;
        self.group_wall(qos.limits.grp_wall?, UsageOwner::Qos(qos.id), Reason::QosGrpWall)
    }

    /// `GrpWall` that is used up for any association up the tree.
    pub(super) fn assoc_group_wall(&self) -> Option<Blocked> {
        if self.deciding(|l| l.grp_wall.is_some()).is_some() {
            return None;
        }
        let own =
            |a: &&Assoc| self.group_wall(a.limits.grp_wall?, UsageOwner::Assoc(a.id), Reason::AssocGrpWall);
        self.chain.iter().find_map(own)
    }

    fn group_wall(&self, at: u32, owner: UsageOwner, reason: Reason) -> Option<Blocked> {
        let (at, used) = (u64::from(at), self.ctld.spent_minutes(owner, None));
        (used >= at).then_some(Blocked { reason, which: LimitKind::GrpWall, at, used, asked: 0, owner })
    }
}
