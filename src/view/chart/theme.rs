//! The look of charts in files: the style sheet of the page as colours that colour-blind readers can distinguish, and
//! dashes.

use super::ink::{ChartInk, LEVELS};
use std::fmt::Write as _;

/// Red, green and blue.
pub(super) type Rgb = [u8; 3];

pub(super) const GROUND: Rgb = [255, 255, 255];
pub(super) const TEXT: Rgb = [32, 33, 36];
pub(super) const FAINT: Rgb = [95, 99, 104];
const GRID: Rgb = [225, 227, 230];
const AXIS: Rgb = [150, 154, 160];
/// The colours of the series.
const SERIES: [Rgb; 8] = [
    [0, 114, 178],
    [213, 94, 0],
    [0, 128, 96],
    [204, 121, 167],
    [86, 140, 40],
    [90, 90, 90],
    [170, 120, 0],
    [110, 70, 170],
];
/// The dashes of their lines, in pixels.
const DASHES: [&[f32]; 8] = [
    &[],
    &[6.0, 3.0],
    &[2.0, 3.0],
    &[8.0, 3.0, 2.0, 3.0],
    &[12.0, 3.0],
    &[1.0, 2.0],
    &[4.0, 2.0, 1.0, 2.0],
    &[10.0, 6.0],
];
/// The two ends of a heat map's scale.
const COLD: Rgb = [247, 251, 255];
const HOT: Rgb = [8, 48, 107];

/// The look of an ink.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct InkLook {
    /// Colour and opacity of the inside.
    pub fill: Option<(Rgb, f32)>,
    /// Colour and width of the line.
    pub stroke: Option<(Rgb, f32)>,
    /// Dashes of the line in pixels; none if it is solid.
    pub dashes: &'static [f32],
}

/// The look of an ink.
pub(super) fn look(ink: ChartInk) -> InkLook {
    let line = |colour: Rgb, width: f32| InkLook { stroke: Some((colour, width)), ..InkLook::default() };
    let fill = |colour: Rgb, opacity: f32| InkLook { fill: Some((colour, opacity)), ..InkLook::default() };
    match ink {
        ChartInk::Grid => line(GRID, 1.0),
        ChartInk::Axis => line(AXIS, 1.0),
        ChartInk::Title => fill(TEXT, 1.0),
        ChartInk::Label => fill(FAINT, 1.0),
        ChartInk::Line(colour) => {
            InkLook { dashes: DASHES[colour as usize], ..line(SERIES[colour as usize], 2.0) }
        }
        ChartInk::Area(colour) => fill(SERIES[colour as usize], 0.18),
        ChartInk::Bar(colour) => fill(SERIES[colour as usize], 0.75),
        ChartInk::Point(colour) => fill(SERIES[colour as usize], 1.0),
        ChartInk::Drop(colour) => InkLook { dashes: &[2.0, 3.0], ..line(SERIES[colour as usize], 1.0) },
        ChartInk::Box(colour) => InkLook {
            fill: Some((SERIES[colour as usize], 0.25)),
            stroke: Some((SERIES[colour as usize], 1.5)),
            dashes: &[],
        },
        ChartInk::Heat(level) => {
            let share = f32::from(level) / f32::from(LEVELS - 1);
            let mixed = |at: usize| {
                (f32::from(COLD[at]) + (f32::from(HOT[at]) - f32::from(COLD[at])) * share).round() as u8
            };
            fill([mixed(0), mixed(1), mixed(2)], 1.0)
        }
    }
}

pub(super) fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// The rules of all classes. They apply only inside `.chart`, so other pages can contain charts.
pub(super) fn style_sheet() -> String {
    let mut css = String::from(".chart{font:11px system-ui,sans-serif}");
    for ink in ChartInk::all() {
        let InkLook { fill, stroke, dashes } = look(ink);
        // Writing to a string cannot fail.
        let _ = write!(css, ".chart .{}{{", ink.class());
        let _ = match fill {
            Some((colour, opacity)) if opacity < 1.0 => {
                write!(css, "fill:{};fill-opacity:{opacity}", hex(colour))
            }
            Some((colour, _)) => write!(css, "fill:{}", hex(colour)),
            None => write!(css, "fill:none"),
        };
        if let Some((colour, width)) = stroke {
            let _ = write!(css, ";stroke:{};stroke-width:{width}", hex(colour));
        }
        if !dashes.is_empty() {
            let dashes: Vec<String> = dashes.iter().map(ToString::to_string).collect();
            let _ = write!(css, ";stroke-dasharray:{}", dashes.join(" "));
        }
        css.push('}');
    }
    let _ = write!(
        css,
        ".chart .tick{{fill:{}}}.chart .middle{{text-anchor:middle}}.chart .end{{text-anchor:end}}\
         .chart .heading{{font-size:13px;font-weight:600}}",
        hex(FAINT)
    );
    css
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_a_rule() {
        let css = style_sheet();
        for ink in ChartInk::all() {
            assert_eq!(
                css.matches(&format!(".{}{{", ink.class())).count(),
                if ink == ChartInk::Title { 2 } else { 1 },
                "{ink:?}"
            );
        }
        assert!(
            css.contains(".chart .s2{fill:none;stroke:#d55e00;stroke-width:2;stroke-dasharray:6 3}"),
            "{css}"
        );
        assert!(!css.contains('<') && !css.contains('&'), "{css}");
    }
}
