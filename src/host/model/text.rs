//! Parses values of `#SIM` lines: durations, sizes, fractions, ranges, and texts with `$1` and `$NAME`.

use super::context::ModelContext;
use base::time::Span;

/// Parses `1h2m3s`, `90s`, `90`, `0.5s`, and Slurm's `2-00:00:00` and `00:10:00`.
#[must_use]
pub fn duration(text: &str) -> Option<Span> {
    if let Ok(seconds) = text.parse::<u32>() {
        return Some(Span::from_secs(seconds.into()));
    }
    if text.contains(':') {
        return clock(text);
    }
    let mut total = 0i64;
    let mut rest = text;
    while !rest.is_empty() {
        let at = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let digits = rest.get(..at).filter(|d| d.bytes().all(|b| b.is_ascii_digit() || b == b'.'))?;
        let number: f64 = digits.parse().ok()?;
        let letters = rest.get(at..)?.bytes().take_while(u8::is_ascii_alphabetic).count();
        let unit = match rest.get(at..at + letters)? {
            "ms" => 0.001,
            "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        // At most some centuries, far below the range of i64.
        #[allow(clippy::cast_possible_truncation, reason = "clamped before")]
        let micros = (number.clamp(0.0, 1e9) * unit * 1e6) as i64;
        total = total.checked_add(micros)?;
        rest = rest.get(at + letters..)?;
    }
    (!text.is_empty()).then_some(Span(total))
}

/// Parses `[D-]HH:MM:SS`, `MM:SS`.
fn clock(text: &str) -> Option<Span> {
    let (days, rest) = text.split_once('-').map_or((0, text), |(d, r)| (d.parse().unwrap_or(-1), r));
    let mut seconds = 0i64;
    for part in rest.split(':') {
        seconds = seconds * 60 + i64::from(part.parse::<u32>().ok()?);
    }
    (days >= 0).then(|| Span::from_secs(days * 86_400 + seconds))
}

/// Parses `600M`, `2G`, `1.5GiB`, `512` (MiB) into MiB.
#[must_use]
pub fn mebibytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: f64 = digits.parse().ok()?;
    let unit = match text.get(digits.len()..)?.chars().next().map(|c| c.to_ascii_uppercase()) {
        None | Some('M') => 1.0,
        Some('K') => 1.0 / 1024.0,
        Some('G') => 1024.0,
        Some('T') => 1_048_576.0,
        Some(_) => return None,
    };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
    Some((number.clamp(0.0, 1e9) * unit) as u64)
}

/// Parses `5%` and `0.05` into millionths.
#[must_use]
pub fn millionths(text: &str) -> Option<u32> {
    let (digits, scale) = text.strip_suffix('%').map_or((text, 1e6), |p| (p, 1e4));
    let number: f64 = digits.trim().parse().ok()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
    (0.0..=1e6 / scale).contains(&number).then_some((number * scale) as u32)
}

/// Parses the range `30s-90s`, or `90s`.
#[must_use]
pub fn range(text: &str) -> Option<(Span, Span)> {
    if let Some(one) = duration(text) {
        return Some((one, one));
    }
    let (from, to) = text.split_once('-')?;
    let (from, to) = (duration(from)?, duration(to)?);
    (from <= to).then_some((from, to))
}

/// Substitutes `$1`, `$NAME` and `${NAME}`: arguments of the program and its environment.
#[must_use]
pub fn fill(text: &str, context: &ModelContext) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(rest.get(..at).unwrap_or(""));
        let after = rest.get(at + 1..).unwrap_or("");
        let braced = after.starts_with('{');
        let body = if braced { after.get(1..).unwrap_or("") } else { after };
        let length = body.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let name = body.get(..length).unwrap_or("");
        rest = body.get(length..).unwrap_or("");
        if braced {
            rest = rest.strip_prefix('}').unwrap_or(rest);
        }
        match name.parse::<usize>() {
            Ok(n) if n > 0 => out.push_str(context.args.get(n - 1).map_or("", String::as_str)),
            Ok(_) => out.push_str(&context.name),
            // Run-time values are substituted later.
            Err(_) if matches!(name, "n" | "percent" | "elapsed") => {
                out.push('$');
                out.push_str(name);
            }
            Err(_) if name.is_empty() => out.push('$'),
            Err(_) => out.push_str(&context.variable(name)),
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        assert_eq!(duration("1h2m3s"), Some(Span::from_secs(3723)));
        assert_eq!(duration("0.5s"), Some(Span::from_millis(500)));
        assert_eq!(duration("1-00:00:10"), Some(Span::from_secs(86_410)));
        assert_eq!((duration("soon"), duration(""), duration("3x")), (None, None, None));
        assert_eq!((mebibytes("2G"), mebibytes("512"), mebibytes("1X")), (Some(2048), Some(512), None));
        assert_eq!(
            (millionths("5%"), millionths("0.05"), millionths("101%")),
            (Some(50_000), Some(50_000), None)
        );
        assert_eq!(range("30s-90s"), Some((Span::from_secs(30), Span::from_secs(90))));
        assert_eq!((range("1m"), range("9s-1s")), (Some((Span::from_secs(60), Span::from_secs(60))), None));
    }
}
