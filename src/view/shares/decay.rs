//! Decay of usage with its half-life.

use crate::number;
use crate::svg::{Svg, path_of};

/// Labels of the time axis.
pub struct DecayAxis<'a> {
    /// `today`.
    pub now: &'a str,
    /// Label for a number of half-lives: `7 d`.
    pub after: &'a dyn Fn(u32) -> String,
    /// The language's percent sign with its space.
    pub percent: &'a str,
    /// Accessible name.
    pub label: &'a str,
}

/// Number of half-lives drawn.
const LIVES: u32 = 4;
const LEFT: f64 = 44.0;
const TOP: f64 = 10.0;
const FOOT: f64 = 24.0;

/// Remaining usage after each half-life as a curve; a level line without decay.
#[must_use]
pub fn decay(width: f64, height: f64, decays: bool, axis: &DecayAxis<'_>) -> String {
    let mut svg = Svg::default();
    let (w, h) = (width - LEFT - 28.0, height - TOP - FOOT);
    let x = |lives: f64| LEFT + w * lives / f64::from(LIVES);
    let y = |left: f64| TOP + h * (1.0 - left);
    for percent in [100_u8, 50, 25] {
        let at = y(f64::from(percent) / 100.0);
        svg.line("grid", (LEFT, at), (LEFT + w, at));
        svg.text("tick end", LEFT - 6.0, at + 4.0, &number::percent(percent.into(), axis.percent));
    }
    // 2^(-1/16): sixteen steps per half-life.
    const STEP: f64 = 0.957_603_280_698_573_7;
    let mut left = 1.0;
    let mut points = vec![(x(0.0), y(1.0))];
    for i in 1..=LIVES * 16 {
        left *= if decays { STEP } else { 1.0 };
        points.push((x(f64::from(i) / 16.0), y(left)));
    }
    let ground = [(LEFT + w, TOP + h), (LEFT, TOP + h)];
    svg.path("area", &path_of(points.iter().copied().chain(ground)), "");
    svg.path("curve", &path_of(points), "");
    svg.line("axis", (LEFT, TOP + h), (LEFT + w, TOP + h));
    svg.text("tick start", LEFT, height - 6.0, axis.now);
    // On a narrow screen the first label may leave no room for the next.
    let taken = LEFT + axis.now.chars().count() as f64 * 6.5 + 20.0;
    for life in 1..=LIVES {
        let at = x(f64::from(life));
        if decays {
            let left = 1.0 / f64::from(1_u32 << life);
            svg.line("drop", (at, y(left)), (at, TOP + h));
            svg.rect("point", crate::cluster::Rect { x: at - 3.0, y: y(left) - 3.0, w: 6.0, h: 6.0 }, "");
            if at > taken {
                svg.text("tick middle", at, height - 6.0, &(axis.after)(life));
            }
        }
    }
    svg.finish(width, height, axis.label)
}
