//! A link as a QR code.

use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write as _;

/// Modules of empty space around the code that its standard asks for.
pub const QUIET: i32 = 4;

/// A QR code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QrPicture {
    /// Modules on each side.
    pub size: i32,
    /// The dark modules as a path of SVG, one unit for each module.
    pub path: String,
}

/// The code of a text; none if it is too long.
#[must_use]
pub fn code(text: &str) -> Option<QrPicture> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        let mut x = 0;
        while x < size {
            let run = (x..size).take_while(|at| code.get_module(*at, y)).count() as i32;
            if run > 0 {
                // Writing to a text cannot fail.
                let _ = write!(path, "M{x} {y}h{run}v1h-{run}z");
            }
            x += run.max(1);
        }
    }
    Some(QrPicture { size, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modules that a path paints.
    fn painted(picture: &QrPicture) -> Vec<bool> {
        let side = picture.size as usize;
        let mut dark = vec![false; side * side];
        for run in picture.path.split('M').filter(|run| !run.is_empty()) {
            let (corner, rest) = run.split_once('h').expect("a row");
            let (x, y) = corner.split_once(' ').expect("a corner");
            let length: usize = rest.split('v').next().expect("a length").parse().expect("a number");
            let first = y.parse::<usize>().expect("y") * side + x.parse::<usize>().expect("x");
            dark[first..first + length].fill(true);
        }
        dark
    }

    #[test]
    fn another_program_reads_what_is_drawn() {
        for link in [
            "https://a.org/x/?site=lab&background=busy&lang=fr&seed=7",
            &format!("https://a.org/?lesson={}", "https%3A%2F%2Fb.org%2Fl.md".repeat(8)),
        ] {
            let picture = code(link).expect("short enough");
            let (dark, side) = (painted(&picture), picture.size as usize);
            // Four pixels for each module, and the empty space around.
            let (scale, edge) = (4, QUIET as usize);
            let pixels = (side + 2 * edge) * scale;
            let mut image = rqrr::PreparedImage::prepare_from_greyscale(pixels, pixels, |x, y| {
                let inside = |at: usize| (at / scale).checked_sub(edge).filter(|at| *at < side);
                let is_dark = inside(x).zip(inside(y)).is_some_and(|(x, y)| dark[y * side + x]);
                if is_dark { 0 } else { 255 }
            });
            let grids = image.detect_grids();
            assert_eq!(grids.len(), 1, "{link}");
            assert_eq!(grids[0].decode().expect("readable").1, link);
        }
    }

    #[test]
    fn a_long_link_has_none() {
        assert_eq!(code(&"x".repeat(5000)), None);
    }
}
