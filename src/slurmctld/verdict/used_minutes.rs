//! The usage that counts towards a limit on minutes (`GrpTRESMins`, `GrpWall`): by user, and when enough of it will
//! have decayed.

use crate::Slurmctld;
use crate::acct_policy::{Blocked, LimitKind, UsageOwner};
use base::ids::{AssocId, QosId};
use base::math::ln;
use base::order::StableSort as _;
use base::time::{Span, Time};
use base::verdict::{BudgetRecovery, BudgetUse, FirstOf};
use slurmdbd::{QosFlag, TresLimit};

/// Upper bound of a predicted recovery, in seconds.
const LONG: f64 = 1e10;

/// The usage counted by such a limit. None for other limits.
pub(super) fn used_minutes(ctld: &Slurmctld, limit: &Blocked, now: Time) -> Option<BudgetUse> {
    let tres = match &limit.which {
        LimitKind::Tres(TresLimit::GrpTresMins, name) => Some(name.as_str()),
        LimitKind::GrpWall => None,
        LimitKind::Tres(..) | LimitKind::Count(_) | LimitKind::MaxWall => return None,
    };
    let mut by = match limit.owner {
        UsageOwner::Assoc(id) => of_account(ctld, id, tres),
        UsageOwner::Qos(id) => of_qos(ctld, id, tres, ctld.spent_minutes(limit.owner, tres)),
        UsageOwner::User(..) | UsageOwner::Account(..) => Vec::new(),
    };
    by.retain(|b| b.1 > 0);
    by.order_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Some(BudgetUse { by: FirstOf::new(by, |user| user), recovery: recovery(ctld, limit, now) })
}

/// Usage of an account's users, including accounts below it.
fn of_account(ctld: &Slurmctld, id: AssocId, tres: Option<&str>) -> Vec<(String, u64)> {
    let below = ctld.dbd.live().filter(|a| a.user.is_some() && ctld.dbd.chain(a.id).any(|up| up.id == id));
    let mut all: Vec<(String, u64)> = Vec::new();
    for assoc in below {
        let user = assoc.user.as_deref().unwrap_or_default();
        add(&mut all, user, ctld.spent_minutes(UsageOwner::Assoc(assoc.id), tres));
    }
    all
}

/// Usage of a QOS' users: its total, divided in proportion to the users' job records.
fn of_qos(ctld: &Slurmctld, id: QosId, tres: Option<&str>, used: u64) -> Vec<(String, u64)> {
    let Some(qos) = ctld.dbd.qos_by_id(id) else { return Vec::new() };
    let mut all: Vec<(String, u64)> = Vec::new();
    for record in ctld.dbd.jobs.values().filter(|r| r.qos == qos.name) {
        let seconds = record.start.zip(record.end).map_or(0, |(start, end)| (end - start).secs().max(0));
        let amount = tres.map_or(1, |name| record.alloc_tres.get(name));
        add(&mut all, &record.user, u64::try_from(seconds).unwrap_or(0).saturating_mul(amount));
    }
    let sum: u64 = all.iter().map(|a| a.1).sum();
    all.iter_mut().for_each(|a| a.1 = a.1.saturating_mul(used).checked_div(sum).unwrap_or(0));
    all
}

fn add(all: &mut Vec<(String, u64)>, user: &str, used: u64) {
    match all.iter_mut().find(|a| a.0 == user) {
        Some(known) => known.1 = known.1.saturating_add(used),
        None => all.push((user.to_owned(), used)),
    }
}

/// When enough usage will have decayed, or is reset.
fn recovery(ctld: &Slurmctld, limit: &Blocked, now: Time) -> BudgetRecovery {
    let enforce = ctld.cluster.global.accounting_enforce;
    // Without `safe`, it is enough if anything is left.
    let left = if enforce.safe { (limit.at + 1).saturating_sub(limit.asked) } else { limit.at };
    if left == 0 {
        return BudgetRecovery::TooMuch;
    }
    let keeps = match limit.owner {
        UsageOwner::Qos(id) => ctld.dbd.qos_by_id(id).is_some_and(|q| q.has(QosFlag::NoDecay)),
        UsageOwner::Assoc(_) | UsageOwner::User(..) | UsageOwner::Account(..) => false,
    };
    let half_life = f64::from(ctld.cluster.global.priority.half_life);
    let by_decay = (half_life > 0.0 && !keeps).then(|| {
        let each = ln(1.0 - (0.693 / half_life).min(0.999));
        let seconds = ln(left as f64 / (limit.used + 1) as f64) / each;
        now + Span::from_secs(seconds.clamp(0.0, LONG) as i64)
    });
    match [by_decay, ctld.usage_reset_due()].into_iter().flatten().min() {
        Some(at) => BudgetRecovery::At(at),
        None => BudgetRecovery::No,
    }
}
