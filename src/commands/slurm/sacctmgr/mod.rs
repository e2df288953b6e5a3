//! sacctmgr(1): accounts, users, associations and QOS.

mod change;
mod fields;
mod show;

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::opt::Bad;
use crate::commands::Cx;

const OPTIONS: &[Long] = &[
    ("help", Some('h'), Arg::No),
    ("immediate", Some('i'), Arg::No),
    ("json", None, Arg::Optional),
    ("noheader", Some('n'), Arg::No),
    ("oneliner", Some('o'), Arg::No),
    ("parsable", Some('p'), Arg::No),
    ("parsable2", Some('P'), Arg::No),
    ("quiet", Some('Q'), Arg::No),
    ("readonly", Some('r'), Arg::No),
    ("associations", Some('s'), Arg::No),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("yaml", None, Arg::Optional),
];

const HELP: &str = "\
sacctmgr [<OPTION>] [<COMMAND>]
    Simulated <COMMAND> values are:
     add account|user|qos|coordinator <NAMES> <SPECS>
     modify account|user|qos [where] <NAMES> set <SPECS>
     delete account|user|qos [where] <NAMES>
     list|show account|association|cluster|qos|tres|user [where <SPECS>] [format=<FIELDS>]
";

/// `key=value`, or a word alone.
pub(super) type Pair = (String, Option<String>);

/// Runs it; `answers` is what was said to its question.
pub fn run(cx: &mut Cx, answers: &[u8]) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("sacctmgr", text, 1).lines("sacctmgr").trim_end());
            return 1;
        }
    };
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    if parsed.has("help") || parsed.rest.first().is_some_and(|w| w == "help") {
        cx.print(HELP);
        return 0;
    }
    let result = dispatch(cx, &parsed, answers);
    match result {
        Ok(code) => code,
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

/// Whether the question is asked, and so standard input read.
#[must_use]
pub fn reads(args: &[String]) -> bool {
    let immediate = args
        .iter()
        .any(|a| a == "--immediate" || (a.starts_with('-') && !a.starts_with("--") && a.contains('i')));
    let changes = args.iter().skip(1).find(|a| !a.starts_with('-')).is_some_and(|word| {
        let word = word.to_ascii_lowercase();
        ["add", "create", "modify", "update", "delete", "remove"]
            .iter()
            .any(|k| word.len() >= 2 && k.starts_with(&word))
    });
    changes && !immediate
}

fn dispatch(cx: &mut Cx, parsed: &Parsed, answers: &[u8]) -> Result<u8, String> {
    let Some((keyword, words)) = parsed.rest.split_first() else {
        return Err("sacctmgr: error: the interactive mode is not simulated; give a command".to_owned());
    };
    let lower = keyword.to_ascii_lowercase();
    let is = |full: &str, least: usize| lower.len() >= least && full.starts_with(&lower);
    let ask = change::Ask {
        immediate: parsed.has("immediate"),
        answers: String::from_utf8_lossy(answers).into_owned(),
    };
    if is("list", 1) || is("show", 2) {
        show::run(cx, parsed, words)
    } else if is("add", 2) || is("create", 2) {
        change::add(cx, &ask, words)
    } else if is("modify", 1) || is("update", 1) {
        change::modify(cx, &ask, words)
    } else if is("delete", 3) || is("remove", 3) {
        change::delete(cx, &ask, words)
    } else if ["dump", "load", "archive", "clear", "ping", "reconfigure", "shutdown", "problem"]
        .contains(&lower.as_str())
    {
        Err(format!("sacctmgr: error: {lower} is not simulated yet"))
    } else {
        Err(format!("invalid keyword: {keyword}"))
    }
}

/// What an entity's word means.
fn entity(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let known = [
        ("accounts", 2),
        ("associations", 2),
        ("clusters", 2),
        ("configuration", 2),
        ("coordinators", 2),
        ("events", 1),
        ("problems", 1),
        ("qos", 1),
        ("reservations", 3),
        ("resources", 3),
        ("runawayjobs", 2),
        ("stats", 1),
        ("transactions", 2),
        ("tres", 3),
        ("users", 1),
        ("wckeys", 1),
        ("federations", 1),
    ];
    known
        .iter()
        .find(|(full, least)| lower.len() >= *least && full.starts_with(&lower))
        .map(|(full, _)| *full)
}

/// Words as pairs, keys in lower case; words without `=` are names.
fn pairs(words: &[String]) -> Vec<Pair> {
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
    fn who_is_asked() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(reads(&words("sacctmgr add qos ask")));
        assert!(!reads(&words("sacctmgr -i add qos ask")) && !reads(&words("sacctmgr list qos")));
        assert_eq!(
            (entity("assoc"), entity("acc"), entity("nosuch")),
            (Some("associations"), Some("accounts"), None)
        );
    }
}
