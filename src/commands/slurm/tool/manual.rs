//! Manual pages of the commands that have a table, in our own words.

use super::help::{entry, option, wrap};
use super::{ArgumentKind, ToolOption, ToolSpec};
use crate::slurm::getopt::Arg;
use crate::slurm::opt::{SubmitCommand as Submit, table::TABLE, variables::MORE};

/// The manual page of a command; none without a table.
#[must_use]
pub fn page(name: &str, summary: &str) -> Option<String> {
    match name {
        "sbatch" => Some(submit(Submit::Sbatch, summary)),
        "srun" => Some(submit(Submit::Srun, summary)),
        "salloc" => Some(submit(Submit::Salloc, summary)),
        _ => super::find(name).map(|tool| of_tool(tool, summary)),
    }
}

fn head(name: &str, summary: &str, synopsis: &str, about: &str) -> String {
    let title = format!("{}(1)", name.to_uppercase());
    let mut out = format!(
        "{title:<26}sandbatch manual{title:>38}\n\nNAME\n       {name} - {summary}\n\nSYNOPSIS\n       "
    );
    out += &format!("{name} [OPTIONS] {synopsis}");
    out = out.trim_end().to_owned() + "\n\nDESCRIPTION\n       ";
    wrap(&mut out, about, 7);
    out
}

fn of_tool(tool: &'static ToolSpec, summary: &str) -> String {
    let mut out = head(tool.name, summary, tool.synopsis, tool.about);
    out += "\nOPTIONS\n";
    for opt in tool.options {
        let values = values(opt);
        entry(&mut out, &format!("       {}", option(opt).trim_start()), &format!("{}{values}", opt.help));
    }
    if !tool.keywords.is_empty() {
        out += "\nCOMMANDS\n";
        for word in tool.keywords {
            entry(&mut out, &format!("       {} {}", word.name, word.args), word.help);
        }
    }
    let fields = (tool.fields)();
    if !fields.is_empty() {
        out += "\nFIELDS\n       ";
        wrap(&mut out, &fields.join(", "), 7);
    }
    let variables: Vec<&ToolOption> = tool.options.iter().filter(|o| !o.env.is_empty()).collect();
    if !variables.is_empty() {
        out += "\nENVIRONMENT\n";
        for opt in variables {
            entry(&mut out, &format!("       {}", opt.env), &format!("the same as --{}", opt.name));
        }
    }
    out
}

/// `: one of K, M, G`.
fn values(opt: &ToolOption) -> String {
    match opt.word {
        ArgumentKind::OneOf(list) => format!(": one of {}", list.join(", ")),
        _ => String::new(),
    }
}

fn submit(tool: Submit, summary: &str) -> String {
    let (synopsis, about) = match tool {
        Submit::Sbatch => (
            "[script [args...]]",
            "Hands a script to the controller and returns at once. Options stand on the command line, in variables that \
             begin with SBATCH_, and in the script's lines that begin with #SBATCH before its first command; the first of \
             these that names an option wins.",
        ),
        Submit::Srun => (
            "[executable [args...]]",
            "Runs tasks: in the allocation it is called in, else in one that it asks for. Options may come from variables \
             that begin with SLURM_.",
        ),
        Submit::Salloc => (
            "[command [args...]]",
            "Asks for an allocation, waits for it and runs a command or a shell in it. Options may come from variables that \
             begin with SALLOC_.",
        ),
    };
    let mut out = head(tool.name(), summary, synopsis, about);
    out += "\nOPTIONS\n";
    let rows = || TABLE.iter().filter(|o| o.tools & tool.bit() != 0);
    for opt in rows() {
        let short = opt.short.map_or(String::new(), |c| format!("-{c}, "));
        let value = match opt.arg {
            Arg::No => String::new(),
            Arg::Required => format!("={}", opt.value),
            Arg::Optional => format!("[={}]", opt.value),
        };
        entry(&mut out, &format!("       {short}--{}{value}", opt.name), opt.help);
    }
    out += "\nENVIRONMENT\n";
    for opt in rows().filter(|o| !o.env.0.is_empty() && o.env.1 & tool.bit() != 0) {
        entry(
            &mut out,
            &format!("       {}{}", tool.env_prefix(), opt.env.0),
            &format!("the same as --{}", opt.name),
        );
    }
    for (name, _, option) in MORE.iter().filter(|v| v.1 & tool.bit() != 0) {
        entry(&mut out, &format!("       {name}"), &format!("the same as --{option}"));
    }
    out
}
