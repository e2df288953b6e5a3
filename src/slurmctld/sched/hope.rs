//! Which rows of a backfill pass could still start now. When nobody looks at expected starts, only these matter, and the
//! rows in front of them: what others keep grows while a pass goes on and what is free does not (unless somebody is preempted),
//! so who has been crowded out once stays so, and a pass is over when nobody is left.

use super::super::Slurmctld;
use super::super::limits::{self, access};
use super::super::preempt;
use super::super::select::{ShapeId, Shapes};
use super::plan::Plan;
use super::queue::Row;
use crate::base::time::Time;

/// See the module.
#[derive(Debug)]
pub(super) struct Hopes {
    /// Rows that might start now, by their place in the pass, ascending.
    rows: Vec<usize>,
    /// Nodes that the first so many places of the plan keep from the last of them.
    shut: Vec<u64>,
    places: usize,
    /// Whether nothing was found to stop the last of them, and at which count of the forecast.
    stands: Option<u64>,
    /// Whether no limit was found to stop it.
    unlimited: bool,
    /// Who was crowded out: rows of a shape from some length on, in microseconds, in the order of shapes.
    lost: Vec<(ShapeId, i64)>,
}

impl Hopes {
    /// The rows that could start now if nobody else kept anything.
    pub(super) fn new(ctld: &Slurmctld, shapes: &mut Shapes, rows: &[Row]) -> Self {
        let may_fit = |at: &usize| shapes.may_fit(ctld, rows[*at].shape) || may_preempt(ctld, rows[*at]);
        Self {
            rows: (0..rows.len()).filter(may_fit).collect(),
            shut: Vec::new(),
            places: 0,
            stands: None,
            unlimited: false,
            lost: Vec::new(),
        }
    }

    /// Whether any row from `index` on might start now.
    pub(super) fn remain(
        &mut self,
        ctld: &mut Slurmctld,
        (plan, rows): (&Plan, &[Row]),
        index: usize,
        now: Time,
    ) -> bool {
        if self.rows.last().is_none_or(|last| *last < index) {
            return false;
        }
        ctld.with_shapes(|ctld, shapes| {
            while let Some(last) = self.rows.last().copied().filter(|last| *last >= index) {
                if self.stands(ctld, shapes, plan, rows[last], now) {
                    return true;
                }
                self.rows.pop();
                self.shut.clear();
                (self.places, self.stands, self.unlimited) = (0, None, false);
            }
            false
        })
    }

    /// Whether the last row is neither crowded out nor limited.
    fn stands(&mut self, ctld: &Slurmctld, shapes: &mut Shapes, plan: &Plan, row: Row, now: Time) -> bool {
        let Some(job) = ctld.jobs.get(row.job()) else { return false };
        if may_preempt(ctld, row) {
            return true;
        }
        let span = job.planned_span();
        let place = self.lost.binary_search_by_key(&row.shape, |l| l.0);
        if place.is_ok_and(|at| self.lost[at].1 <= span.0) {
            return false;
        }
        let more = plan.shut_between((now, now + span), self.places, &mut self.shut);
        self.places = plan.count();
        let count = ctld.live.forecast.count();
        if !more && self.stands == Some(count) {
            return true;
        }
        self.stands = None;
        if shapes.may_fit(ctld, row.shape)
            && shapes.enough(row.shape, shapes.ahead(row.shape).tasks.sums(&self.shut))
        {
            self.unlimited = self.unlimited
                || super::barred(ctld, job, row.part, now).is_none()
                    && access::admits(ctld, access::Guest::of(job), row.part).is_ok()
                    && limits::needs(ctld, job, row.part, now).is_ok();
            self.stands = Some(count).filter(|_| self.unlimited);
            return self.unlimited;
        }
        match place {
            Ok(at) => self.lost[at].1 = span.0,
            Err(at) => self.lost.insert(at, (row.shape, span.0)),
        }
        false
    }
}

/// Whether the row might start on what others have.
fn may_preempt(ctld: &Slurmctld, row: Row) -> bool {
    preempt::configured(ctld)
        && ctld.jobs.get(row.job()).is_some_and(|job| preempt::possible(ctld, job, row.part))
}
