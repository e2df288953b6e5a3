//! Layout of the picture that a visitor copies: the cluster, the time line, the clock and the site in one image.

use super::cluster::Rect;

/// Width in pixels of the page; the image has twice as many.
pub const WIDTH: f64 = 1200.0;
/// Space at the edges, and between the parts.
pub const MARGIN: f64 = 40.0;
const GAP: f64 = 20.0;
/// Heights of the title, of the figures, and of the last line.
const TITLE: f64 = 64.0;
const FIGURES: f64 = 64.0;
const FOOT: f64 = 24.0;
/// The cluster is at most this high.
const MOST: f64 = 640.0;

/// Where the parts are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PosterLayout {
    /// Height of the whole.
    pub height: f64,
    /// Top of the figures.
    pub figures: f64,
    /// The parts' pictures, in their order from top to bottom.
    pub pictures: Vec<Rect>,
    /// Base line of the last line.
    pub foot: f64,
}

/// Lays out pictures of these sizes. Each keeps its proportions, and is enlarged by at most a half, which stays sharp enough.
#[must_use]
pub fn layout(pictures: &[(f64, f64)]) -> PosterLayout {
    let room = WIDTH - 2.0 * MARGIN;
    let figures = MARGIN + TITLE;
    let mut y = figures + FIGURES + GAP;
    let mut placed = Vec::new();
    for (width, height) in pictures {
        let scale = (room / width.max(1.0)).min(MOST / height.max(1.0)).min(1.5);
        let (w, h) = (width * scale, height * scale);
        placed.push(Rect { x: (WIDTH - w) / 2.0, y, w, h });
        y += h + GAP;
    }
    PosterLayout { height: y + FOOT + MARGIN / 2.0, figures, pictures: placed, foot: y + FOOT }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_below_each_other_and_inside() {
        let layout = layout(&[(860.0, 380.0), (1420.0, 46.0), (100.0, 4000.0)]);
        let mut y = layout.figures;
        for (rect, (w, h)) in layout.pictures.iter().zip([(860.0, 380.0), (1420.0, 46.0), (100.0, 4000.0)]) {
            assert!(
                rect.y > y && rect.x >= MARGIN - 0.01 && rect.x + rect.w <= WIDTH - MARGIN + 0.01,
                "{rect:?}"
            );
            assert!((rect.w / rect.h - w / h).abs() < 1e-9 && rect.h <= MOST, "{rect:?}");
            y = rect.y + rect.h;
        }
        assert!(layout.foot > y && layout.foot < layout.height);
        assert_eq!(layout.pictures[0].w, WIDTH - 2.0 * MARGIN);
        // A phone shows no cluster beside its queue.
        assert!(super::layout(&[]).height > 150.0);
    }
}
