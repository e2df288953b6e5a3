//! Sparklines: a small line without axes, as paths of SVG.

use std::fmt::Write as _;

/// Size of the picture.
pub const WIDTH: f64 = 96.0;
/// Its height.
pub const HEIGHT: f64 = 28.0;
/// Room above and below the line, half its width.
const EDGE: f64 = 1.0;

/// The line through the values, from left to right. Without a `top`, the highest value is the top.
#[must_use]
pub fn line(values: &[f64], top: Option<f64>) -> String {
    let top = top.unwrap_or_else(|| values.iter().copied().fold(0.0, f64::max)).max(1.0);
    let across = WIDTH / (values.len().max(2) - 1) as f64;
    let mut path = String::new();
    for (i, value) in values.iter().enumerate() {
        let share = (value / top).clamp(0.0, 1.0);
        let y = HEIGHT - EDGE - share * (HEIGHT - 2.0 * EDGE);
        // Writing to a text cannot fail.
        let _ = write!(path, "{}{:.1} {y:.1}", if i == 0 { 'M' } else { 'L' }, i as f64 * across);
    }
    path
}

/// The area below the line.
#[must_use]
pub fn area(values: &[f64], top: Option<f64>) -> String {
    if values.is_empty() { String::new() } else { format!("{}V{HEIGHT}H0Z", line(values, top)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_fill_the_picture() {
        assert_eq!(line(&[0.0, 5.0, 10.0], Some(10.0)), "M0.0 27.0L48.0 14.0L96.0 1.0");
        assert_eq!(area(&[10.0, 0.0], Some(10.0)), "M0.0 1.0L96.0 27.0V28H0Z");
        // The highest value is the top, and nothing divides by nothing.
        assert_eq!(line(&[4.0, 2.0], None), "M0.0 1.0L96.0 14.0");
        assert_eq!(line(&[0.0, 0.0], None), "M0.0 27.0L96.0 27.0");
        assert_eq!((line(&[], None), area(&[], None)), (String::new(), String::new()));
        assert_eq!(line(&[3.0], Some(2.0)), "M0.0 1.0");
    }
}
