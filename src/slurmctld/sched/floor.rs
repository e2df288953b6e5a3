//! What one row of a pass tells of the rows behind it: who asks for no less, for as long, comes no earlier.

use super::super::select::Short;
use super::super::select::{ShapeId, Shapes};
use super::plan::Found;
use crate::base::time::Time;

/// No earlier than this, and so much was missing before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor {
    pub at: Time,
    pub short: Short,
}

impl Floor {
    /// Nothing is known.
    pub(super) const NONE: Self = Self { at: Time(i64::MIN), short: Short::ANY };

    /// The later one of two.
    pub(super) fn and(self, other: Self) -> Self {
        Self { at: self.at.max(other.at), short: self.short.min(other.short) }
    }
}

/// What was found for one row.
#[derive(Debug)]
struct Known {
    shape: ShapeId,
    /// Microseconds.
    span: i64,
    floor: Floor,
}

/// What was found for the rows of a pass so far.
#[derive(Debug, Default)]
pub(super) struct Floors(Vec<Known>);

impl Floors {
    /// What is known of a row of a shape that takes so many microseconds: the latest floor of one that asks for no more.
    pub(super) fn of(&self, shapes: &Shapes, shape: ShapeId, span: i64) -> Floor {
        let below = |k: &&Known| {
            k.span <= span
                && (k.shape == shape || k.floor.short.survives(0, 0) && shapes.asks_no_less(shape, k.shape))
        };
        self.0.iter().filter(below).max_by_key(|k| k.floor.at).map_or(Floor::NONE, |k| k.floor)
    }

    /// This was found for a row.
    pub(super) fn note(&mut self, shape: ShapeId, span: i64, found: &Found) {
        // Without a place there is none within the window.
        let at = found.place.as_ref().map_or(Time(i64::MAX), |p| p.0);
        let floor = Floor { at, short: found.short };
        match self.0.iter_mut().find(|k| k.shape == shape && k.span == span) {
            Some(known) => known.floor = floor,
            None => self.0.push(Known { shape, span, floor }),
        }
    }
}
