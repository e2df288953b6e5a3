//! Progress output: one line per action, with colours on a terminal.

use std::io::IsTerminal;
use std::time::Duration;

fn paint(code: &str, text: &str) -> String {
    let plain = std::env::var_os("NO_COLOR").is_some() || !std::io::stdout().is_terminal();
    if plain { text.to_owned() } else { format!("\x1b[{code}m{text}\x1b[0m") }
}

/// A heading with a step number.
pub fn step(number: usize, of: usize, what: &str) {
    println!("{} {}", paint("1;36", &format!("[{number}/{of}]")), paint("1", what));
}

/// A message within a step.
pub fn note(what: &str) {
    println!("      {what}");
}

/// A success message.
pub fn success(what: &str) {
    println!("{} {what}", paint("1;32", "  ok "));
}

/// A failure message.
pub fn failure(what: &str) {
    println!("{} {what}", paint("1;31", "FAILED"));
}

/// `3 s`, `2 min 05 s`.
pub fn duration(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        s @ 1..60 => format!("{s} s"),
        s => format!("{} min {:02} s", s / 60, s % 60),
    }
}

/// `612 kB`, in units of 1000 bytes.
pub fn kilobytes(bytes: usize) -> String {
    format!("{} kB", bytes.div_ceil(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes() {
        assert_eq!(duration(Duration::from_millis(250)), "250 ms");
        assert_eq!(duration(Duration::from_secs(59)), "59 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
        assert_eq!(kilobytes(650_001), "651 kB");
    }
}
