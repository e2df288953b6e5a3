//! man(1) and `--help`: pages generated from the table of commands, in our own words.

use crate::programs::manual;
use crate::{CommandEntry, CommandKind, Cx, find, slurm, table};
use host::model::programs;

/// Where a command runs, in a word or two.
fn note(command: &CommandEntry) -> &'static str {
    match command.kind {
        CommandKind::Unix(unix::UnixCommand { kind: unix::UnixCommandKind::NotSimulated, .. }) => {
            "Not simulated: calling it says so and exits with code 127."
        }
        CommandKind::Unix(unix::UnixCommand { kind: unix::UnixCommandKind::Shell, .. }) => {
            "Simulated: scripts and command lines run in virtual time."
        }
        CommandKind::Model => "Runs as a model.",
        CommandKind::Script(_) => "A short bash script stands in for it: cat $(which NAME) shows it.",
        CommandKind::Unix(_) | CommandKind::Once(_) | CommandKind::Machine(_) => {
            "Simulated: commonly used options work as on a real system."
        }
    }
}

fn page(command: &CommandEntry) -> String {
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
