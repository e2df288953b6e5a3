//! Decay of usage with its half-life.

use crate::chart::{Chart, ChartAxis, ChartSeries, SeriesColour, SeriesShape};
use crate::number;

/// Labels of the chart.
pub struct DecayAxis<'a> {
    /// `today`.
    pub now: &'a str,
    /// Label for a number of half-lives: `7 d`.
    pub after: &'a dyn Fn(u32) -> String,
    /// The language's percent sign with its space.
    pub percent: &'a str,
    /// Accessible name.
    pub label: &'a str,
    /// What the chart shows, in words.
    pub text: &'a str,
}

/// Number of half-lives drawn.
const LIVES: u32 = 4;
/// Pixels beside the frame, and the width of a letter.
const MARGINS: f64 = 56.0;
const LETTER: f64 = 6.5;

/// Remaining usage after each half-life as a curve; a level line without decay.
#[must_use]
pub fn decay(width: f64, decays: bool, axis: &DecayAxis<'_>) -> Chart {
    // 2^(-1/16): sixteen steps per half-life.
    const STEP: f64 = 0.957_603_280_698_573_7;
    let mut left = 1.0;
    let mut curve = vec![(0.0, 1.0)];
    for i in 1..=LIVES * 16 {
        left *= if decays { STEP } else { 1.0 };
        curve.push((f64::from(i) / 16.0, left));
    }
    // On a narrow screen the first label may leave no room for the next.
    let taken = axis.now.chars().count() as f64 * LETTER + 20.0;
    let fits = |life: u32| (width - MARGINS) * f64::from(life) / f64::from(LIVES) > taken;
    let after = |life: u32| if fits(life) { (axis.after)(life) } else { String::new() };
    let lives = 1..=if decays { LIVES } else { 0 };
    let mut times = vec![(0.0, axis.now.to_owned())];
    times.extend(lives.clone().map(|life| (f64::from(life), after(life))));
    let shares = [(100_u8, 1.0), (50, 0.5), (25, 0.25)];
    let shares = shares.map(|(percent, share)| (share, number::percent(percent.into(), axis.percent)));
    let halves = lives.map(|life| (f64::from(life), 1.0 / f64::from(1_u32 << life))).collect();
    let series = |shape| ChartSeries { name: axis.label.to_owned(), colour: SeriesColour::First, shape };
    Chart {
        title: axis.label.to_owned(),
        text: axis.text.to_owned(),
        x: ChartAxis { ends: (0.0, f64::from(LIVES)), marks: times },
        y: ChartAxis { ends: (0.0, 1.0), marks: shares.to_vec() },
        series: vec![
            series(SeriesShape::Area(curve.clone())),
            series(SeriesShape::Line(curve)),
            series(SeriesShape::Points(halves)),
        ],
    }
}
