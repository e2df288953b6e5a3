//! Lower bounds within one backfill pass: a request that dominates an earlier one cannot start before it.

use super::plan::FirstFit;
use crate::select::Shortfall;
use crate::select::{RequestClassId, RequestClasses};
use base::time::Time;

/// The earliest possible start, and how much was missing before it.
#[derive(Clone, Copy, Debug)]
pub(in crate::sched) struct LowerBound {
    pub at: Time,
    pub shortfall: Shortfall,
}

impl LowerBound {
    /// No bound.
    pub(in crate::sched) const NONE: Self = Self { at: Time(i64::MIN), shortfall: Shortfall::ANY };

    /// The stricter of two bounds.
    pub(in crate::sched) fn and(self, other: Self) -> Self {
        Self { at: self.at.max(other.at), shortfall: self.shortfall.min(other.shortfall) }
    }
}

/// The bound that a request sets for requests that dominate it.
#[derive(Debug)]
struct Known {
    class: RequestClassId,
    /// Microseconds.
    span: i64,
    lower_bound: LowerBound,
}

/// The bounds that the entries of a pass have set so far.
#[derive(Debug, Default)]
pub(in crate::sched) struct LowerBounds(Vec<Known>);

impl LowerBounds {
    /// The bound for a class and a length in microseconds: the latest one of a request that it dominates.
    pub(in crate::sched) fn of(
        &self,
        classes: &RequestClasses,
        class: RequestClassId,
        span: i64,
    ) -> LowerBound {
        let below = |k: &&Known| {
            k.span <= span
                && (k.class == class
                    || k.lower_bound.shortfall.survives(0, 0) && classes.dominates(class, k.class))
        };
        self.0
            .iter()
            .filter(below)
            .max_by_key(|k| k.lower_bound.at)
            .map_or(LowerBound::NONE, |k| k.lower_bound)
    }

    /// Notes a first fit.
    pub(in crate::sched) fn note(&mut self, class: RequestClassId, span: i64, found: &FirstFit) {
        // Without a slot there is none within the window.
        let at = found.slot.as_ref().map_or(Time(i64::MAX), |p| p.0);
        let lower_bound = LowerBound { at, shortfall: found.shortfall };
        match self.0.iter_mut().find(|k| k.class == class && k.span == span) {
            Some(known) => known.lower_bound = lower_bound,
            None => self.0.push(Known { class, span, lower_bound }),
        }
    }
}
