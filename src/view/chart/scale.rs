//! An axis as plotters sees it: a linear scale with given marks.
//!
//! plotters' own scales format numbers as Rust does, without the language's decimal separator, and that formatting would add
//! 20 kB to the page.

use super::ChartAxis;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::Range;

/// A linear scale.
pub(super) struct AxisScale {
    ends: (f64, f64),
    marks: Vec<f64>,
}

impl AxisScale {
    pub(super) fn new(axis: &ChartAxis) -> Self {
        Self { ends: axis.ends, marks: axis.marks.iter().map(|(at, _)| *at).collect() }
    }
}

impl Ranged for AxisScale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// Values outside of the scale are drawn at its nearer end.
    fn map(&self, value: &f64, (first, last): (i32, i32)) -> i32 {
        let (from, until) = self.ends;
        let share = if until > from { ((value - from) / (until - from)).clamp(0.0, 1.0) } else { 0.0 };
        first + (f64::from(last - first) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // plotters asks for light marks too, which these charts do not have.
        if hint.weight().allow_light_points() { Vec::new() } else { self.marks.clone() }
    }

    fn range(&self) -> Range<f64> {
        self.ends.0..self.ends.1
    }
}

/// Labels come from the axis ([`super::label`]); plotters requires this for its defaults.
impl ValueFormatter<f64> for AxisScale {
    fn format(_value: &f64) -> String {
        String::new()
    }
}
