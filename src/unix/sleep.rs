//! sleep(1)

use crate::{Cx, UnixMachine};
use base::time::{Span, Time};
use host::{SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// The state of sleep(1).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sleep {
    until: Time,
}

/// Parses `3`, `0.5`, `2m`, `1h`, `1d` or `infinity`; `None` if it is invalid.
#[must_use]
pub fn interval(text: &str) -> Option<Span> {
    if matches!(text, "inf" | "infinity") {
        return Some(Span(i64::MAX / 4));
    }
    let (number, unit) = match text.as_bytes().last()? {
        b's' => (text.get(..text.len() - 1)?, 1),
        b'm' => (text.get(..text.len() - 1)?, 60),
        b'h' => (text.get(..text.len() - 1)?, 3600),
        b'd' => (text.get(..text.len() - 1)?, 86_400),
        _ => (text, 1),
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |t: &str| t.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().unwrap_or(i64::MAX / 4) };
    let micros: i64 =
        if fraction.is_empty() { 0 } else { format!("{fraction:0<6}").get(..6)?.parse().ok()? };
    let span = whole.saturating_mul(1_000_000).saturating_add(micros).saturating_mul(unit);
    Some(Span(span.min(i64::MAX / 4)))
}

/// The sum of the operands; none if one is invalid.
#[must_use]
pub fn total(args: &[String]) -> Option<Span> {
    let first = interval(args.first()?)?;
    args.iter().skip(1).try_fold(first, |sum, arg| Some(sum + interval(arg)?))
}

/// Starts sleep(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    let args = cx.args().to_vec();
    if args.is_empty() {
        cx.error("missing operand");
        cx.complain("Try 'sleep --help' for more information.");
        return UnixMachine::End(1);
    }
    if let Some(total) = total(&args) {
        return UnixMachine::Sleep(Sleep { until: cx.now + total });
    }
    for arg in args.iter().filter(|arg| interval(arg).is_none()) {
        cx.error(&format!("invalid time interval '{arg}'"));
    }
    cx.complain("Try 'sleep --help' for more information.");
    UnixMachine::End(1)
}

impl Sleep {
    /// Waits until the wake-up time.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if cx.now >= self.until {
            SliceEnd::Exit(Status::Exited(0))
        } else {
            SliceEnd::Wait(Wait::Until(self.until))
        }
    }
}
