//! `--help` of Unix commands, generated from their option tables.

use crate::getopt::Spec;
use crate::{Cx, find};

/// Prints a command's usage from its options.
pub fn help(cx: &mut Cx, spec: &Spec) {
    let name = cx.name().to_owned();
    let summary = find(&name).map_or("", |c| c.summary);
    cx.print(&format!("Usage: {name} [OPTION]... [ARGUMENT]...\n{name} - {summary}\n\n"));
    let letters: Vec<char> = spec.short.chars().filter(|c| !matches!(c, '+' | ':')).collect();
    for letter in letters.iter().filter(|l| l.is_ascii_graphic()) {
        let argument = spec.short.contains(&format!("{letter}:"));
        let long: Vec<_> =
            spec.long.iter().filter(|(_, l)| l == letter).map(|(n, _)| format!("--{n}")).collect();
        let long = if long.is_empty() { String::new() } else { format!(", {}", long.join(", ")) };
        cx.print(&format!("  -{letter}{long}{}\n", if argument { " ARG" } else { "" }));
    }
    for (long, _) in spec.long.iter().filter(|(_, l)| !l.is_ascii_graphic() || !letters.contains(l)) {
        cx.print(&format!("      --{long}\n"));
    }
}
