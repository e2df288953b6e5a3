//! The association tree as an icicle: one row of boxes per level, width for shares, fill for usage.
//!
//! The dashed line is at half height: a user of exactly the assigned share fills the box up to it, a user of twice as
//! much fills it completely. A box filled beyond the line has a `LevelFS` below 1.

use super::{decide, name, number};
use crate::cluster::Rect;
use crate::palette::user_colour;
use crate::svg::{Svg, filled, fit};
use protocol::{ShareRow, SharesPicture};

/// Height of a level in pixels.
const LEVEL: f64 = 48.0;
/// Gap between two boxes.
const GAP: f64 = 2.0;
/// Minimum width of a drawn box.
const NARROW: f64 = 1.5;

/// Highlighting.
#[derive(Clone, Copy, Debug, Default)]
pub struct IcicleView {
    /// The two rows being compared.
    pub chosen: [Option<usize>; 2],
    /// Dark theme.
    pub dark: bool,
    /// Decimal separator.
    pub point: &'static str,
}

/// Box of each row, as wide as its share of its parent's width.
#[must_use]
pub fn boxes(picture: &SharesPicture, width: f64) -> Vec<Rect> {
    let weights = weights(picture);
    let mut sums = vec![0.0; picture.rows.len()];
    for (row, weight) in picture.rows.iter().zip(&weights) {
        if let Some(sum) = row.parent.and_then(|p| sums.get_mut(p as usize)) {
            *sum += weight;
        }
    }
    let mut out: Vec<Rect> = Vec::with_capacity(picture.rows.len());
    // Width of each row already taken by its children.
    let mut taken = vec![0.0; picture.rows.len()];
    for (row, weight) in picture.rows.iter().zip(&weights) {
        let parent = row.parent.map(|p| p as usize);
        let rect = match parent.and_then(|p| Some((p, *out.get(p)?))) {
            None => Rect { x: 0.0, y: 0.0, w: width, h: LEVEL - GAP },
            Some((p, above)) => {
                let sum = sums.get(p).copied().unwrap_or(0.0);
                let w = if sum > 0.0 { above.w * weight / sum } else { 0.0 };
                let x = above.x + taken.get(p).copied().unwrap_or(0.0);
                if let Some(t) = taken.get_mut(p) {
                    *t += w;
                }
                Rect { x, y: above.y + LEVEL, w, h: LEVEL - GAP }
            }
        };
        out.push(rect);
    }
    out
}

/// Shares; for `Fairshare=parent` the sum over its children, who compete in its place.
fn weights(picture: &SharesPicture) -> Vec<f64> {
    let mut weights: Vec<f64> = (picture.rows.iter())
        .map(|r| match r.shares {
            Some(shares) => f64::from(shares),
            None if r.user.is_empty() => 0.0,
            None => 1.0,
        })
        .collect();
    for (i, row) in picture.rows.iter().enumerate().rev() {
        let parents = row
            .parent
            .map(|p| p as usize)
            .filter(|p| picture.rows.get(*p).is_some_and(|up| up.shares.is_none() && up.parent.is_some()));
        let own = weights.get(i).copied().unwrap_or(0.0);
        if let Some(sum) = parents.and_then(|p| weights.get_mut(p)) {
            *sum += own;
        }
    }
    weights
}

/// The picture.
#[must_use]
pub fn icicle(picture: &SharesPicture, width: f64, look: IcicleView, label: &str) -> String {
    let rects = boxes(picture, width);
    let height = rects.iter().map(|r| r.y + r.h).fold(0.0, f64::max) + GAP;
    let lit: Vec<usize> = look.chosen.iter().flatten().flat_map(|row| decide::chain(picture, *row)).collect();
    let mut svg = Svg::default();
    svg.defs(
        "<pattern id=\"over\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect class=\"hatch\" width=\"2.5\" height=\"6\"/></pattern>",
    );
    for (i, (row, rect)) in picture.rows.iter().zip(&rects).enumerate() {
        if rect.w >= NARROW {
            let class = match (lit.contains(&i), lit.is_empty()) {
                (true, _) => "box lit",
                (false, false) => "box dim",
                (false, true) => "box",
            };
            svg.group(class, &i.to_string(), &title(picture, row));
            draw(&mut svg, picture, row, *rect, look);
            svg.end();
        }
    }
    svg.finish(width, height, label)
}

fn title(picture: &SharesPicture, row: &ShareRow) -> String {
    let pairs = picture.headings.iter().zip(&row.cells).filter(|(_, cell)| !cell.trim().is_empty());
    pairs.map(|(heading, cell)| format!("{heading} {}", cell.trim())).collect::<Vec<_>>().join("\n")
}

fn draw(svg: &mut Svg, picture: &SharesPicture, row: &ShareRow, rect: Rect, look: IcicleView) {
    let inner = Rect { w: (rect.w - GAP).max(1.0), ..rect };
    svg.rect("ground", inner, "");
    let below_root = row.parent.is_some();
    if below_root {
        let used = (row.effective / row.norm.max(1e-9) / 2.0).clamp(0.0, 1.0);
        let colour = if row.user.is_empty() { String::new() } else { user_colour(row.user_index, look.dark) };
        let h = inner.h * used;
        svg.rect("used", Rect { y: inner.y + inner.h - h, h, ..inner }, &filled(&colour));
        let half = inner.y + inner.h / 2.0;
        if used > 0.5 {
            svg.rect("over", Rect { y: inner.y + inner.h - h, h: h - inner.h / 2.0, ..inner }, "");
        }
        svg.line("promised", (inner.x, half), (inner.x + inner.w, half));
    }
    svg.rect("frame", inner, "");
    let (x, room) = (inner.x + 6.0, inner.w - 10.0);
    let said = fit(&name(row), room);
    if !said.is_empty() {
        svg.text("name", x, inner.y + 18.0, &said);
    }
    let value = match (below_root, picture.fair_tree, row.user.is_empty()) {
        (true, true, _) => number(row.level, look.point),
        (true, false, false) => number(row.factor, look.point),
        (true, false, true) | (false, _, _) => String::new(),
    };
    let value = fit(&value, room);
    if !value.is_empty() {
        svg.text("number", x, inner.y + 36.0, &value);
    }
}
