//! man(1), `--help`: pages made from the table of commands, in our own words.

use super::getopt::Spec;
use crate::commands::programs::manual;
use crate::commands::{Command, Cx, Kind, find, slurm, table};
use crate::host::model::programs;

/// Where a command runs, in a word or two.
fn note(command: &Command) -> &'static str {
    match command.kind {
        Kind::Once(_) | Kind::Filter { .. } | Kind::Machine(_) => {
            "It is simulated: the options that people use every day work as on a real system."
        }
        Kind::Shell => "It is simulated: scripts and command lines run in virtual time.",
        Kind::Model => "It runs as a model.",
        Kind::Script(_) => {
            "It is a short bash script that does what people see of it: cat $(which NAME) shows it."
        }
        Kind::NotSimulated => "It is not simulated here; calling it says so, with exit code 127.",
    }
}

fn page(command: &Command) -> String {
    let title = format!("{}(1)", command.name.to_uppercase());
    let head = format!("{title:<24}sandbatch manual{title:>24}");
    if let Some(program) = programs::find(command.name) {
        let (name, summary, more) = (command.name, command.summary, manual::of(program));
        return format!(
            "{head}\n\nNAME\n       {name} - {summary}\n\nSYNOPSIS\n       {name} [ARGUMENT]...\n\nDESCRIPTION\n{more}"
        );
    }
    format!(
        "{head}\n\nNAME\n       {name} - {summary}\n\nSYNOPSIS\n       {name} [OPTION]... [ARGUMENT]...\n\n\
         DESCRIPTION\n       {note}\n       Options: {name} --help\n",
        name = command.name,
        summary = command.summary,
        note = note(command)
    )
}

/// `man NAME...`, `man -k WORD`.
pub fn man(cx: &mut Cx) -> u8 {
    let args: Vec<String> = cx.args().to_vec();
    let search = matches!(args.first().map(String::as_str), Some("-k" | "-f" | "--apropos"));
    let names: Vec<&String> =
        args.iter().filter(|a| !a.starts_with('-') && a.parse::<u8>().is_err()).collect();
    if names.is_empty() {
        cx.complain("What manual page do you want?\nFor example, try 'man man'.");
        return 1;
    }
    let mut code = 0;
    for name in names {
        if search {
            let rows = table()
                .iter()
                .filter(|c| c.name.contains(name.as_str()) || c.summary.contains(name.as_str()));
            let text: String =
                rows.map(|c| format!("{:<20} - {}\n", format!("{} (1)", c.name), c.summary)).collect();
            if text.is_empty() {
                cx.complain(&format!("{name}: nothing appropriate."));
                code = 16;
            }
            cx.print(&text);
        } else if name.eq_ignore_ascii_case("sim") {
            cx.print(&manual::sim());
        } else if let Some(command) = find(name) {
            let text =
                slurm::tool::manual::page(command.name, command.summary).unwrap_or_else(|| page(command));
            cx.print(&text);
        } else {
            cx.complain(&format!("No manual entry for {name}"));
            code = 16;
        }
    }
    code
}

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
