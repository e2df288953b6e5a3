//! Compares the TRES that a job requests, or would get, with what a limit leaves.

use super::counters::UsageOwner;
use super::view::{LimitCheck, LimitView};
use base::tres::Tres;
use slurmdbd::{Qos, QosFlag, TresLimit};

impl LimitView<'_> {
    /// The absolute value of a limit, which a `Relative` QOS states in percent.
    pub(super) fn absolute(&self, qos: &Qos, limit: TresLimit, name: &str, at: u64) -> u64 {
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

    /// A limit scaled by the `LimitFactor` of the QOS. It applies to `GrpTRES` and `MaxTRES` of associations.
    pub(super) fn scaled(&self, limit: TresLimit, at: u64) -> u64 {
        let tres = matches!(limit, TresLimit::GrpTres | TresLimit::MaxTres | TresLimit::MaxTresPerNode);
        match self.qos().find_map(|q| q.limit_factor).filter(|_| tres) {
            // Amounts are far below 2^53, and the factor is positive.
            Some(factor) => (at as f64 * factor) as u64,
            None => at,
        }
    }

    fn tres(&self) -> &Tres {
        match self.asked {
            LimitCheck::Alone | LimitCheck::Needs => &self.job.req_tres,
            LimitCheck::Given(allocation) => &allocation.tres,
        }
    }

    /// The TRES minutes that the job may use.
    fn minutes(&self, name: &str, times: f64) -> u64 {
        let limit = self.ctld.planned_minutes(self.job, self.part);
        let minutes = self.tres().get(name).saturating_mul(limit);
        if (times - 1.0).abs() < 1e-9 { minutes } else { (minutes as f64 * times) as u64 }
    }

    /// Whether an administrator has set how much of this TRES the job gets.
    fn exempt(&self, name: &str) -> bool {
        let set = self.job.exempt;
        match name {
            "cpu" => set.cpu,
            "mem" => set.mem,
            "node" => set.node,
            _ => set.gres && name.starts_with("gres/"),
        }
    }

    /// The usage and the request, if they exceed the limit (or fall below a minimum).
    pub(super) fn exceeds(
        &self,
        limit: TresLimit,
        owner: UsageOwner,
        name: &str,
        at: u64,
    ) -> Option<(u64, u64)> {
        let counters = &self.ctld.limits;
        let usage = counters.of(owner).filter(|_| !matches!(self.asked, LimitCheck::Alone));
        let run = || usage.map_or(0, |u| counters.run_seconds(u, name, self.now) / 60);
        let asked = self.tres().get(name);
        // Which of several alternative licences it takes is known only when it starts.
        let open = name.starts_with("license/")
            && !self.job.needs.any_license.is_empty()
            && !matches!(self.asked, LimitCheck::Given(_));
        if open || (asked == 0 && limit != TresLimit::MinTres) || self.exempt(name) {
            return None;
        }
        let (used, asked, over) = match limit {
            TresLimit::GrpTres | TresLimit::MaxTresPerUser | TresLimit::MaxTresPerAccount => {
                let used = usage.map_or(0, |u| u.held(name));
                let new = match (self.asked, usage) {
                    (LimitCheck::Given(a), Some(u)) if name == "node" => {
                        a.nodes.iter().filter(|n| !u.on(n.node)).count() as u64
                    }
                    // The job might share all of its nodes with other jobs.
                    (LimitCheck::Needs, Some(_)) if name == "node" => asked.saturating_sub(used),
                    _ => asked,
                };
                (used, new, used.saturating_add(new) > at)
            }
            TresLimit::GrpTresMins => {
                let (used, run) = (self.ctld.spent_minutes(owner, Some(name)), run());
                let asked = self.minutes(name, self.usage_factor());
                let safe = self.ctld.cluster.global.accounting_enforce.safe;
                let alone = matches!(self.asked, LimitCheck::Alone);
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

    /// `UsageFactor`, if the QOS applies it to planned usage.
    fn usage_factor(&self) -> f64 {
        let own = self.ctld.dbd.qos_by_id(self.job.qos);
        own.filter(|q| q.has(QosFlag::UsageFactorSafe)).map_or(1.0, |q| q.usage_factor)
    }
}
