//! One job in one partition as limits see it: the places that have limits, in order, and what they say.
//!
//! The first place that sets a limit decides: partition's QOS, job's QOS (the other way round with `OverPartQOS`), user's
//! association, accounts upward. `Grp*` limits of associations hold on every level.

use super::super::Slurmctld;
use super::super::job::{Allocation, Job};
use super::super::reason::Reason;
use super::super::sched::planned_seconds;
use super::reasons;
use super::used::Whose;
use super::{Blocked, Which};
use crate::base::ids::{AssocId, PartId};
use crate::base::time::{Limit, Time};
use crate::base::tres::Tres;
use crate::slurmdbd::{Assoc, CountLimit, Limits, Qos, QosFlag, TresLimit};

/// What is held against the limits.
#[derive(Clone, Copy)]
pub(super) enum Asked<'a> {
    /// The request by itself, whatever others use (`DenyOnLimit`).
    Alone,
    /// The request, on nodes that nobody knows yet.
    Needs,
    /// What the job is about to get.
    Given(&'a Allocation),
}

pub(super) struct View<'a> {
    ctld: &'a Slurmctld,
    job: &'a Job,
    part: PartId,
    now: Time,
    asked: Asked<'a>,
    qos: [Option<&'a Qos>; 2],
    chain: Vec<&'a Assoc>,
}

impl<'a> View<'a> {
    pub(super) fn new(ctld: &'a Slurmctld, job: &'a Job, part: PartId, asked: Asked<'a>, now: Time) -> Self {
        let own = ctld.dbd.qos_by_id(job.qos);
        let of_part =
            ctld.limits.part_qos(part).filter(|q| *q != job.qos).and_then(|q| ctld.dbd.qos_by_id(q));
        let over = own.is_some_and(|q| q.has(QosFlag::OverPartQos));
        let qos = if over || of_part.is_none() { [own, of_part] } else { [of_part, own] };
        let chain = job.assoc.map(|id| ctld.dbd.chain(id).collect()).unwrap_or_default();
        Self { ctld, job, part, now, asked, qos, chain }
    }

    /// Whether what breaks a limit by itself is refused.
    pub(super) fn strict(&self) -> bool {
        self.qos().any(|q| q.has(QosFlag::DenyOnLimit))
    }

    fn qos(&self) -> impl Iterator<Item = &'a Qos> + use<'a> {
        self.qos.into_iter().flatten()
    }

    /// The QOS that has not been overruled by the one before.
    fn deciding(&self, sets: impl Fn(&Limits) -> bool) -> Option<&'a Qos> {
        self.qos().find(|q| sets(&q.limits))
    }

    fn account(&self) -> Option<AssocId> {
        self.chain.first().and_then(|a| a.parent)
    }

    /// Whose numbers a limit of a QOS is held against.
    fn whose_tres(&self, qos: &Qos, limit: TresLimit) -> Option<Whose> {
        Some(match limit {
            TresLimit::MaxTresPerUser | TresLimit::MaxTresRunMinsPerUser => {
                Whose::User(qos.id, self.job.uid())
            }
            TresLimit::MaxTresPerAccount | TresLimit::MaxTresRunMinsPerAccount => {
                Whose::Account(qos.id, self.account()?)
            }
            TresLimit::GrpTres
            | TresLimit::GrpTresMins
            | TresLimit::GrpTresRunMins
            | TresLimit::MaxTres
            | TresLimit::MaxTresPerNode
            | TresLimit::MaxTresMins
            | TresLimit::MinTres => Whose::Qos(qos.id),
        })
    }

    fn whose_count(&self, qos: &Qos, limit: CountLimit) -> Option<Whose> {
        Some(match limit {
            CountLimit::GrpJobs | CountLimit::GrpJobsAccrue | CountLimit::GrpSubmitJobs => Whose::Qos(qos.id),
            CountLimit::MaxJobs | CountLimit::MaxJobsAccrue | CountLimit::MaxSubmitJobs => {
                Whose::User(qos.id, self.job.uid())
            }
            CountLimit::MaxJobsPerAccount
            | CountLimit::MaxJobsAccruePerAccount
            | CountLimit::MaxSubmitJobsPerAccount => Whose::Account(qos.id, self.account()?),
        })
    }

    /// A limit on TRES of the QOS.
    pub(super) fn qos_tres(&self, limit: TresLimit) -> Option<Blocked> {
        let [first, second] = self.qos;
        for (qos, before) in [(first, None), (second, first)] {
            let Some(qos) = qos else { continue };
            for (name, at) in qos.limits.of_tres(limit) {
                if before.is_some_and(|b: &Qos| b.limits.of_tres(limit).contains_key(name)) {
                    continue;
                }
                let Some(whose) = self.whose_tres(qos, limit) else { continue };
                let at = self.absolute(qos, limit, name, *at);
                if let Some((used, asked)) = self.exceeds(limit, whose, name, at) {
                    let reason = reasons::of_tres(limit, true, name);
                    let which = Which::Tres(limit, name.clone());
                    return Some(Blocked { reason, which, at, used, asked, whose });
                }
            }
        }
        None
    }

    /// A limit on TRES of one association; a QOS that sets it decides instead.
    fn assoc_tres(&self, assoc: &Assoc, limit: TresLimit) -> Option<Blocked> {
        for (name, at) in assoc.limits.of_tres(limit) {
            if self.qos().any(|q| q.limits.of_tres(limit).contains_key(name)) {
                continue;
            }
            let (whose, at) = (Whose::Assoc(assoc.id), self.scaled(limit, *at));
            if let Some((used, asked)) = self.exceeds(limit, whose, name, at) {
                let reason = reasons::of_tres(limit, false, name);
                return Some(Blocked {
                    reason,
                    which: Which::Tres(limit, name.clone()),
                    at,
                    used,
                    asked,
                    whose,
                });
            }
        }
        None
    }

    /// A `Grp*` limit on TRES of any association upward.
    pub(super) fn group_tres(&self, limits: &[TresLimit]) -> Option<Blocked> {
        self.chain.iter().find_map(|a| limits.iter().find_map(|limit| self.assoc_tres(a, *limit)))
    }

    /// A `Max*` limit on TRES: of the nearest association that sets it for this TRES.
    pub(super) fn nearest_tres(&self, limit: TresLimit) -> Option<Blocked> {
        for (i, assoc) in self.chain.iter().enumerate() {
            for (name, at) in assoc.limits.of_tres(limit) {
                let nearer = self.chain[..i].iter().any(|a| a.limits.of_tres(limit).contains_key(name));
                if nearer || self.qos().any(|q| q.limits.of_tres(limit).contains_key(name)) {
                    continue;
                }
                let (whose, at) = (Whose::Assoc(assoc.id), self.scaled(limit, *at));
                if let Some((used, asked)) = self.exceeds(limit, whose, name, at) {
                    let reason = reasons::of_tres(limit, false, name);
                    let which = Which::Tres(limit, name.clone());
                    return Some(Blocked { reason, which, at, used, asked, whose });
                }
            }
        }
        None
    }

    /// A limit on jobs of the QOS.
    pub(super) fn qos_count(&self, limit: CountLimit, more: u32) -> Option<Blocked> {
        let qos = self.deciding(|l| l.of_count(limit).is_some())?;
        let (at, whose) = (qos.limits.of_count(limit)?, self.whose_count(qos, limit)?);
        self.count(limit, whose, at, more, true)
    }

    /// A limit on jobs of an association; a QOS that sets one of `instead` decides instead.
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
            let own =
                |a: &&Assoc| self.count(limit, Whose::Assoc(a.id), a.limits.of_count(limit)?, more, false);
            return self.chain.iter().find_map(own);
        }
        // `MaxJobs` counts the user's jobs, wherever upward it is set.
        let at = self.chain.iter().find_map(|a| a.limits.of_count(limit))?;
        self.count(limit, Whose::Assoc(self.chain.first()?.id), at, more, false)
    }

    fn count(&self, limit: CountLimit, whose: Whose, at: u32, more: u32, of_qos: bool) -> Option<Blocked> {
        let used = self.ctld.limits.of(whose).map_or(0, |u| match limit {
            CountLimit::GrpJobs | CountLimit::MaxJobs | CountLimit::MaxJobsPerAccount => u.jobs,
            CountLimit::GrpSubmitJobs | CountLimit::MaxSubmitJobs | CountLimit::MaxSubmitJobsPerAccount => {
                u.submitted
            }
            CountLimit::GrpJobsAccrue | CountLimit::MaxJobsAccrue | CountLimit::MaxJobsAccruePerAccount => 0,
        });
        (used.saturating_add(more) > at).then(|| Blocked {
            reason: reasons::of_count(limit, of_qos),
            which: Which::Count(limit),
            at: at.into(),
            used: used.into(),
            asked: more.into(),
            whose,
        })
    }

    /// `MaxWall` of the place that decides: a QOS or the nearest association. For jobs that name no time, too.
    pub(super) fn max_wall(&self) -> Option<(Limit, Whose)> {
        let of_qos = self.qos().find_map(|q| Some((q.limits.max_wall?, Whose::Qos(q.id))));
        let of_assoc = || self.chain.iter().find_map(|a| Some((a.limits.max_wall?, Whose::Assoc(a.id))));
        of_qos.or_else(of_assoc)
    }

    /// A time limit beyond `MaxWall`, of a QOS or of an association.
    pub(super) fn wall(&self, of_qos: bool) -> Option<Blocked> {
        let (most, whose) = self.max_wall().filter(|m| matches!(m.1, Whose::Qos(_)) == of_qos)?;
        let minutes = |limit: Limit| u64::try_from(planned_seconds(limit) / 60).unwrap_or(0);
        (self.job.time_limit > most).then(|| Blocked {
            reason: if of_qos { Reason::QosMaxWallPerJob } else { Reason::AssocMaxWallPerJob },
            which: Which::MaxWall,
            at: minutes(most),
            used: 0,
            asked: minutes(self.job.time_limit),
            whose,
        })
    }

    /// `GrpWall` of a QOS that is used up.
    pub(super) fn qos_group_wall(&self) -> Option<Blocked> {
        let qos = self.deciding(|l| l.grp_wall.is_some())?;
        self.group_wall(qos.limits.grp_wall?, Whose::Qos(qos.id), Reason::QosGrpWall)
    }

    /// `GrpWall` of any association upward that is used up.
    pub(super) fn assoc_group_wall(&self) -> Option<Blocked> {
        if self.deciding(|l| l.grp_wall.is_some()).is_some() {
            return None;
        }
        let own = |a: &&Assoc| self.group_wall(a.limits.grp_wall?, Whose::Assoc(a.id), Reason::AssocGrpWall);
        self.chain.iter().find_map(own)
    }

    fn group_wall(&self, at: u32, whose: Whose, reason: Reason) -> Option<Blocked> {
        let (at, used) = (u64::from(at), self.ctld.spent_minutes(whose, None));
        (used >= at).then_some(Blocked { reason, which: Which::GrpWall, at, used, asked: 0, whose })
    }

    /// The limit of a `Relative` QOS, which is in per cent.
    fn absolute(&self, qos: &Qos, limit: TresLimit, name: &str, at: u64) -> u64 {
        let of_amounts = matches!(
            limit,
            TresLimit::GrpTres
                | TresLimit::MaxTres
                | TresLimit::MaxTresPerUser
                | TresLimit::MaxTresPerAccount
                | TresLimit::MinTres
        );
        if !of_amounts || !qos.has(QosFlag::Relative) {
            return at;
        }
        let of_part = self.ctld.limits.part_qos(self.part) == Some(qos.id);
        self.ctld.whole(of_part.then_some(self.part)).get(name).saturating_mul(at) / 100
    }

    /// `LimitFactor` of the QOS, for `GrpTRES` and `MaxTRES` of associations.
    fn scaled(&self, limit: TresLimit, at: u64) -> u64 {
        let tres = matches!(limit, TresLimit::GrpTres | TresLimit::MaxTres | TresLimit::MaxTresPerNode);
        match self.qos().find_map(|q| q.limit_factor).filter(|_| tres) {
            // Amounts are far below 2^53, and the factor is positive.
            Some(factor) => (at as f64 * factor) as u64,
            None => at,
        }
    }

    fn tres(&self) -> &Tres {
        match self.asked {
            Asked::Alone | Asked::Needs => &self.job.req_tres,
            Asked::Given(allocation) => &allocation.tres,
        }
    }

    /// Minutes of a TRES that the job may use.
    fn minutes(&self, name: &str, times: f64) -> u64 {
        let limit = self.ctld.planned_minutes(self.job, self.part);
        let minutes = self.tres().get(name).saturating_mul(limit);
        if (times - 1.0).abs() < 1e-9 { minutes } else { (minutes as f64 * times) as u64 }
    }

    /// What is used and asked where that is more (or less) than the limit lets.
    fn exceeds(&self, limit: TresLimit, whose: Whose, name: &str, at: u64) -> Option<(u64, u64)> {
        let counters = &self.ctld.limits;
        let place = counters.of(whose).filter(|_| !matches!(self.asked, Asked::Alone));
        let run = || place.map_or(0, |u| u.run_seconds(name, counters, self.now) / 60);
        let asked = self.tres().get(name);
        if asked == 0 && limit != TresLimit::MinTres {
            return None;
        }
        let (used, asked, over) = match limit {
            TresLimit::GrpTres | TresLimit::MaxTresPerUser | TresLimit::MaxTresPerAccount => {
                let used = place.map_or(0, |u| u.held(name));
                let new = match (self.asked, place) {
                    (Asked::Given(a), Some(u)) if name == "node" => {
                        a.nodes.iter().filter(|n| !u.on(n.node)).count() as u64
                    }
                    // It may share all of its nodes with others.
                    (Asked::Needs, Some(_)) if name == "node" => asked.saturating_sub(used),
                    _ => asked,
                };
                (used, new, used.saturating_add(new) > at)
            }
            TresLimit::GrpTresMins => {
                let (used, run) = (self.ctld.spent_minutes(whose, Some(name)), run());
                let asked = self.minutes(name, self.usage_factor());
                let safe = self.ctld.cluster.global.accounting_enforce.safe;
                let alone = matches!(self.asked, Asked::Alone);
                let all = used.saturating_add(run).saturating_add(asked);
                (used, asked, if alone { asked > at } else { used >= at || (safe && all > at) })
            }
            TresLimit::GrpTresRunMins
            | TresLimit::MaxTresRunMinsPerUser
            | TresLimit::MaxTresRunMinsPerAccount => {
                let (used, asked) = (run(), self.minutes(name, 1.0));
                (used, asked, used.saturating_add(asked) > at)
            }
            TresLimit::MaxTres => (0, asked, asked > at),
            TresLimit::MaxTresPerNode => {
                let each = asked / self.tres().node.max(1);
                (0, each, each > at)
            }
            TresLimit::MaxTresMins => {
                let asked = self.minutes(name, 1.0);
                (0, asked, asked > at)
            }
            TresLimit::MinTres => (0, asked, asked < at),
        };
        over.then_some((used, asked))
    }

    /// `UsageFactor`, where the QOS says that it counts for what is going to be used.
    fn usage_factor(&self) -> f64 {
        let own = self.ctld.dbd.qos_by_id(self.job.qos);
        own.filter(|q| q.has(QosFlag::UsageFactorSafe)).map_or(1.0, |q| q.usage_factor)
    }
}
