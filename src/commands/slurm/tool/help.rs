//! `--help` and `--usage`, in our own words, generated from the tables.

use super::{ToolOption, ToolSpec};
use crate::slurm::getopt::Arg;
use base::order::StableSort as _;

/// The column of the explanations.
const COLUMN: usize = 31;
/// The width of the text.
const WIDTH: usize = 80;

/// An option with its argument: `-p, --partition=partitions`.
#[must_use]
pub fn option(opt: &ToolOption) -> String {
    let short = opt.short.map_or("    ".to_owned(), |c| format!("-{c}, "));
    let label = opt.word.label();
    let value = match opt.arg {
        Arg::No => String::new(),
        Arg::Required => format!("={label}"),
        Arg::Optional => format!("[={label}]"),
    };
    format!("{short}--{}{value}", opt.name)
}

/// `--help`.
#[must_use]
pub fn help(tool: &ToolSpec) -> String {
    if !tool.keywords.is_empty() {
        return help_with_commands(tool);
    }
    let mut out = format!("Usage: {} [OPTIONS]{}{}\n", tool.name, gap(tool.synopsis), tool.synopsis);
    for opt in tool.options {
        entry(&mut out, &format!("  {}", option(opt)), opt.help);
    }
    out
}

/// The help of a command with keywords: options by letter, those without one last. An option with the name of a
/// keyword is described by that.
fn help_with_commands(tool: &ToolSpec) -> String {
    let mut out = format!("{} [<OPTION>] [<COMMAND>]\n    Valid <OPTION> values are:\n", tool.name);
    let mut options: Vec<&ToolOption> = tool.options.iter().collect();
    options.order_by_key(|o| (o.short.is_none(), o.short.map(|c| (c.to_ascii_lowercase(), c))));
    for opt in options {
        let same = tool.keywords.iter().any(|word| word.name == opt.name);
        let letter = opt.short.filter(|_| !tool.help_in_columns).map(|c| format!("-{c} or "));
        match letter {
            Some(letter) => {
                let text =
                    if same { format!("equivalent to \"{}\" command", opt.name) } else { opt.help.into() };
                out += &format!("     {letter}--{}: {text}\n", opt.name);
            }
            None => {
                let text =
                    if same { format!("Equivalent to \"{}\" command", opt.name) } else { opt.help.into() };
                out += &format!("     {:<14} {text}\n", option(opt).trim_start());
            }
        }
    }
    out += "\nCommands, one a line where none is given:\n";
    for word in tool.keywords {
        entry(&mut out, &format!("  {}{}{}", word.name, gap(word.args), word.args), word.help);
    }
    out
}

const fn gap(text: &str) -> &'static str {
    if text.is_empty() { "" } else { " " }
}

/// A term and its explanation, in two columns or on two lines.
pub(super) fn entry(out: &mut String, head: &str, help: &str) {
    *out += head;
    let column = head.chars().count();
    if column < COLUMN - 1 {
        *out += &" ".repeat(COLUMN - column);
    } else {
        *out += "\n";
        *out += &" ".repeat(COLUMN);
    }
    wrap(out, help, COLUMN);
}

/// Wraps a text to lines that start at a column. The first line is already indented.
pub(super) fn wrap(out: &mut String, text: &str, column: usize) {
    let mut at = column;
    for (i, word) in text.split_whitespace().enumerate() {
        let wide = word.chars().count();
        if i > 0 && at + 1 + wide > WIDTH {
            *out += "\n";
            *out += &" ".repeat(column);
            at = column;
        } else if i > 0 {
            out.push(' ');
            at += 1;
        }
        *out += word;
        at += wide;
    }
    out.push('\n');
}

/// `--usage`: Slurm's own text if known, otherwise generated from the table.
#[must_use]
pub fn usage(tool: &ToolSpec) -> String {
    if !tool.usage.is_empty() {
        return tool.usage.to_owned();
    }
    let mut out = format!("Usage: {}", tool.name);
    let indent = out.len();
    let mut at = indent;
    let letters: String = tool.options.iter().filter(|o| o.arg == Arg::No).filter_map(|o| o.short).collect();
    let longs = tool.options.iter().filter(|o| o.arg != Arg::No || o.short.is_none());
    let words = longs.map(|o| format!("[{}]", option(o).trim_start().split(' ').next_back().unwrap_or("")));
    let last = [format!("[-{letters}]"), tool.synopsis.to_owned()];
    for word in words.chain(last).filter(|w| !w.is_empty() && w != "[-]") {
        if at + 1 + word.len() > WIDTH {
            out += "\n";
            out += &" ".repeat(indent);
            at = indent;
        }
        out.push(' ');
        out += &word;
        at += 1 + word.len();
    }
    out.push('\n');
    out
}

/// Names in columns, as `--helpformat` prints them.
#[must_use]
pub fn columns(names: &[String]) -> String {
    let mut out = String::new();
    for row in names.chunks(4) {
        let cells: Vec<String> = row.iter().map(|n| format!("{n:<19}")).collect();
        out += cells.join(" ").trim_end();
        out.push('\n');
    }
    out
}
