//! sacctmgr(1): accounts, users, associations and QOS.

mod add;
mod change;
mod cluster;
mod condition;
mod daemon;
mod delete;
mod dump;
pub mod fields;
mod job;
mod keywords;
mod load;
mod load_changes;
mod resource;
mod selection;
mod settings;
mod show;
mod tables;
mod wckey;

use super::dialog::{self, Answers};
use super::getopt::ParsedArguments;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use super::{clusters, data, release};
use crate::{CommandMachine, Cx};
use keywords::KEYWORDS;
pub use keywords::VERBS;
use keywords::entity;
pub use selection::names as condition_names;
pub use settings::names as setting_names;

const OPTIONS: &[ToolOption] = &[
    flag("associations", 's', "users and accounts with their associations"),
    needs("autocomplete", ' ', ArgumentKind::Text("text"), "options that begin so"),
    needs("clusters", 'M', ArgumentKind::Cluster, "ask this cluster").env("SLURM_CLUSTERS"),
    flag("help", 'h', "show this text"),
    flag("immediate", 'i', "change without asking"),
    may("json", ' ', data::PARSERS, "what is shown as JSON"),
    flag("noheader", 'n', "no headings"),
    flag("oneliner", 'o', "each record in one line"),
    flag("parsable", 'p', "columns between |, one at the end"),
    flag("parsable2", 'P', "columns between |"),
    flag("quiet", 'Q', "say nothing but errors"),
    flag("readonly", 'r', "no changes"),
    flag("usage", ' ', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
    may("yaml", ' ', data::PARSERS, "what is shown as YAML"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sacctmgr",
    options: OPTIONS,
    synopsis: "[<COMMAND>]",
    keywords: KEYWORDS,
    words: keywords::words,
    fields: fields::names,
    about: "Shows and changes accounts, users, their associations and QOS. Without words it asks for commands, one a line; \
        changes are asked about for thirty seconds unless --immediate is given.",
    ..PLAIN
};

/// `key=value`, or a single word.
pub(super) type SettingWord = (String, Option<String>);

/// Starts sacctmgr: runs the command in its arguments, or prompts for commands.
pub fn start(cx: &mut Cx) -> CommandMachine {
    dialog::start(cx, &TOOL)
}

/// Runs one command; `answers` are the answers to its question.
pub fn run(cx: &mut Cx, parsed: &ParsedArguments, answers: &mut Answers) -> u8 {
    if let Err(code) = clusters::asked(cx, parsed, false) {
        return code;
    }
    match dispatch(cx, parsed, answers) {
        Ok(code) => code,
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

fn dispatch(cx: &mut Cx, parsed: &ParsedArguments, answers: &mut Answers) -> Result<u8, String> {
    let Some((keyword, words)) = parsed.rest.split_first() else { return Ok(0) };
    let Some(known) = tool::keyword(KEYWORDS, keyword) else {
        return Err(format!("invalid keyword: {keyword}"));
    };
    let mut ask = change::Confirmation { immediate: parsed.has("immediate"), answers, pending: Vec::new() };
    let changes = ["add", "create", "modify", "update", "delete", "remove", "load", "clear", "archive"];
    if parsed.has("readonly") && changes.contains(&known.name) {
        return Err("Can't run this command in readonly mode.".to_owned());
    }
    match known.name {
        "list" | "show" => show::run(cx, parsed, words, &mut ask),
        "add" | "create" => add::add(cx, &mut ask, words),
        "modify" | "update" => change::modify(cx, &mut ask, words),
        "delete" | "remove" => delete::delete(cx, &mut ask, words),
        "dump" => dump::dump(cx, words),
        "load" => load::load(cx, &mut ask, words),
        "version" => {
            cx.line(release::of(cx).version);
            Ok(0)
        }
        "help" => {
            cx.print(&tool::help::help(&TOOL));
            Ok(0)
        }
        "ping" => {
            cx.line("slurmdbd(primary) at localhost is UP");
            Ok(0)
        }
        "problem" => show::run(cx, parsed, &["problems".to_owned()], &mut ask),
        // Commands of the interactive mode that correspond to options.
        "exit" | "quit" | "associations" | "immediate" | "oneliner" | "parsable" | "quiet" | "readonly"
        | "verbose" => Ok(0),
        "archive" => daemon::archive(cx, &mut ask, words),
        "clear" => daemon::clear(cx, words),
        "shutdown" if !words.is_empty() => Err("too many arguments for shutdown keyword".to_owned()),
        "shutdown" => daemon::shutdown(cx),
        // slurmdbd's configuration is part of the site, so there is nothing to re-read.
        "reconfigure" => Ok(0),
        other => Err(format!("sacctmgr: error: {other} is not simulated")),
    }
}

/// Parses words as pairs with lower-case keys; words without `=` are names.
fn pairs(words: &[String]) -> Vec<SettingWord> {
    words
        .iter()
        .map(|word| match word.split_once('=') {
            Some((key, value)) => {
                (key.to_ascii_lowercase(), Some(value.trim_matches(['"', '\'']).to_owned()))
            }
            None => (word.clone(), None),
        })
        .collect()
}

/// `a,b` as a list.
fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities() {
        assert_eq!(
            (entity("assoc"), entity("acc"), entity("nosuch"), entity("user"), entity("conf")),
            (Some("associations"), Some("accounts"), None, Some("users"), Some("configuration"))
        );
    }
}
