//! Which rows of the queue are in sight, and what their cells say.

use crate::protocol::{Micros, QueueRow, QueueWindow};
use crate::view::times;

/// Height of a row in pixels.
pub const ROW: f64 = 28.0;

/// Rows asked for beyond the visible ones, so that scrolling finds them there.
const SPARE: u32 = 8;

/// First row and number of rows to draw for a scroll position.
#[must_use]
pub fn visible(scroll: f64, height: f64, total: u32) -> (u32, u32) {
    // Saturating casts: a scroll position is never negative for long, and never large.
    let first = ((scroll / ROW).floor() as u32).saturating_sub(2).min(total);
    let rows = (height / ROW).ceil() as u32 + 4;
    (first, rows.min(total - first).min(150))
}

/// What to subscribe to for a scroll position: in steps, so that not every pixel is a new question.
#[must_use]
pub fn window(scroll: f64, height: f64, user: Option<String>, ended: bool) -> QueueWindow {
    let first = (scroll.max(0.0) / ROW).floor() as u32 / SPARE * SPARE;
    let count = (height / ROW).ceil() as u32 + 3 * SPARE;
    QueueWindow { first: first.saturating_sub(SPARE), count: count.min(200), user, ended }
}

/// The job that a terminal's output says was submitted, the last one if there are several.
#[must_use]
pub fn submitted(output: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(output);
    let (_, after) = text.rsplit_once("Submitted batch job ")?;
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

/// Whether a job is over.
#[must_use]
pub fn is_over(row: &QueueRow) -> bool {
    !matches!(
        row.state.as_str(),
        "PD" | "R" | "CF" | "CG" | "S" | "ST" | "SO" | "SI" | "RQ" | "RH" | "RS" | "RD" | "RF"
    )
}

/// How far a running job is within its limit, 0 to 1.
#[must_use]
pub fn progress(row: &QueueRow) -> Option<f64> {
    (row.seconds > 0 && row.limit > 0 && row.state != "PD")
        .then(|| (row.seconds as f64 / row.limit as f64).min(1.0))
}

/// What a row says about time: how long it has run, or when it is expected to start.
#[must_use]
pub fn time_text(row: &QueueRow, now: Micros) -> String {
    match row.start.filter(|_| row.state == "PD") {
        Some(start) => format!("≥ {}", times::moment(start, now)),
        None if row.state == "PD" => String::new(),
        None => crate::base::time::hms_short(row.seconds),
    }
}

/// What a row asks for: `2 × 16`, with its GPUs.
#[must_use]
pub fn size_text(row: &QueueRow) -> String {
    let gpus = if row.gpus > 0 { format!(" + {} GPU", row.gpus) } else { String::new() };
    format!("{} CPU{gpus}", row.cpus)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows() {
        assert_eq!(visible(0.0, 280.0, 500), (0, 14));
        assert_eq!(visible(2800.0, 280.0, 500), (98, 14));
        assert_eq!(visible(2800.0, 280.0, 20), (20, 0));
        assert_eq!(visible(0.0, 280.0, 3), (0, 3));
        let w = window(2800.0, 280.0, None, true);
        let (first, rows) = visible(2800.0, 280.0, 500);
        assert!(w.first <= first && w.first + w.count >= first + rows);
        assert_eq!(window(2810.0, 280.0, None, true), w);
    }

    #[test]
    fn what_was_submitted() {
        assert_eq!(submitted(b"Submitted batch job 12\nSubmitted batch job 13\n"), Some("13".into()));
        assert_eq!(submitted(b"sbatch: error: no"), None);
        assert_eq!(submitted(b"Submitted batch job x"), None);
    }

    #[test]
    fn texts() {
        let row =
            QueueRow { state: "R".into(), seconds: 90, limit: 60, cpus: 4, gpus: 1, ..QueueRow::default() };
        assert_eq!((time_text(&row, 0).as_str(), size_text(&row).as_str()), ("1:30", "4 CPU + 1 GPU"));
        assert_eq!(progress(&row), Some(1.0));
        let row = QueueRow { state: "PD".into(), start: Some(3_600_000_000), limit: 60, ..row };
        assert_eq!((time_text(&row, 0).as_str(), progress(&row)), ("≥ 01:00:00", None));
    }
}
