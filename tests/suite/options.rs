//! Checks that `tests/commands` covers every option, keyword and field of Slurm's commands: the tests walk the
//! commands' tables and fail for a name that no session uses.

use super::seeds::plays_in;
use super::site::path;
use commands::slurm::opt::{SubmitCommand, table};
use commands::slurm::sacctmgr;
use commands::slurm::tool;

/// The lines that sessions type, including those of the scripts that they write.
fn typed() -> Vec<String> {
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(path("tests/commands")).expect("a folder").flatten() {
        if entry.path().extension().is_some_and(|e| e == "txt") {
            let text = std::fs::read_to_string(entry.path()).expect("a session");
            let mut in_file = false;
            for line in text.lines() {
                in_file = (in_file || line.starts_with("@file ")) && line != "@end";
                lines.extend(line.strip_prefix("$ ").or(Some(line).filter(|_| in_file)).map(str::to_owned));
            }
        }
    }
    lines
}

/// Whether a line contains a whole word.
fn has_word(line: &str, word: &str) -> bool {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    line.match_indices(word)
        .any(|(at, _)| !part(line[..at].chars().next_back()) && !part(line[at + word.len()..].chars().next()))
}

/// Whether a line uses an option of a command.
fn has_option(line: &str, command: &str, option: &str) -> bool {
    let Some(at) = line.find(command).filter(|_| has_word(line, command)) else { return false };
    let long = format!("--{option}");
    line[at..].match_indices(&long).any(|(found, _)| {
        let next = line[at + found + long.len()..].chars().next();
        !next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    })
}

fn missing(all: impl Iterator<Item = (String, bool)>) -> Vec<String> {
    all.filter(|(_, found)| !found).map(|(name, _)| name).collect()
}

#[test]
fn every_option_is_typed_somewhere() {
    let lines = typed();
    let submitting =
        [SubmitCommand::Sbatch, SubmitCommand::Srun, SubmitCommand::Salloc].into_iter().flat_map(|tool| {
            let own = table::TABLE.iter().filter(move |o| o.tools & tool.bit() != 0);
            own.map(move |o| (tool.name(), o.name))
        });
    let others = tool::TABLE.iter().flat_map(|tool| tool.options.iter().map(|o| (tool.name, o.name)));
    let left = missing(submitting.chain(others).map(|(command, option)| {
        // salloc's options come after a script that runs it.
        let line = |l: &&String| has_option(l, command, option) || (command == "salloc" && shows(l, option));
        (format!("{command} --{option}"), lines.iter().any(|l| line(&l)))
    }));
    assert!(left.is_empty(), "{} options without a line: {}", left.len(), left.join(", "));
}

/// Whether a line passes an option to the script `shows` of salloc's session.
fn shows(line: &str, option: &str) -> bool {
    !line.contains("sbatch") && has_option(line, "shows", option)
}

#[test]
fn every_keyword_is_typed_somewhere() {
    let lines = typed();
    let all = tool::TABLE.iter().flat_map(|tool| tool.keywords.iter().map(|k| (tool.name, k.name)));
    let left = missing(all.map(|(command, word)| {
        let line = |l: &String| has_word(l, command) && has_word(&l.to_lowercase(), &word.to_lowercase());
        (format!("{command} {word}"), lines.iter().any(line))
    }));
    assert!(left.is_empty(), "{} keywords without a line: {}", left.len(), left.join(", "));
}

#[test]
fn every_field_is_shown_somewhere() {
    let lines = typed();
    let all = tool::TABLE.iter().flat_map(|tool| (tool.fields)().into_iter().map(|f| (tool.name, f)));
    let left = missing(all.map(|(command, field)| {
        let line = |l: &String| {
            // A format letter comes after a percent sign and a width.
            let letter = format!("{field}|");
            has_word(l, command) && (has_word(l, field) || (field.len() == 1 && l.contains(&letter)))
        };
        (format!("{command} {field}"), lines.iter().any(line))
    }));
    assert!(left.is_empty(), "{} fields without a line: {}", left.len(), left.join(", "));
}

/// Whether a word of a line is a short option: `-n4`, or one of several letters, `-hl`.
fn has_letter(line: &str, command: &str, letter: char) -> bool {
    let Some(at) = line.find(command).filter(|_| has_word(line, command)) else { return false };
    line[at..].split_whitespace().filter_map(|word| word.strip_prefix('-')).any(|word| {
        let letters = word.len() < 4 && word.chars().all(char::is_alphabetic);
        word.starts_with(letter) || (letters && word.contains(letter))
    })
}

/// The commands that were typed in recordings of a folder, with the lines of the scripts in them.
fn recorded(folder: &str) -> Vec<String> {
    let files = std::fs::read_dir(path(folder)).expect("a folder").flatten();
    let texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
    let typed = |line: &str| line.starts_with("$ ") || line.starts_with("#SBATCH") || line.contains("srun ");
    texts.flat_map(|text| text.lines().filter(|l| typed(l)).map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Commands with their options, keywords and fields that no recording of Slurm 26.05 shows. Those that a recording of
/// 22.05 shows are in parentheses.
fn unrecorded() -> String {
    let (new, old) = (recorded("tests/corpus"), recorded("tests/recorded"));
    let mut text = String::new();
    let mut list = |command: &str, what: &str, names: Vec<(String, bool, bool)>| {
        let left = names.into_iter().filter(|(_, new, _)| !new);
        let left: Vec<String> =
            left.map(|(name, _, old)| if old { format!("({name})") } else { name }).collect();
        if !left.is_empty() {
            text += &format!("- `{command}`, {what}: `{}`\n", left.join(" "));
        }
    };
    let options = |command: &str, all: Vec<(&str, Option<char>)>| {
        let within = |lines: &[String], name: &str, short: Option<char>| {
            let script = |l: &str| l.starts_with("#SBATCH") && command == "sbatch";
            let has = |l: &String| {
                let l = if script(l) { format!("sbatch {l}") } else { l.clone() };
                has_option(&l, command, name)
                    || short.is_some_and(|c| c.is_alphanumeric() && has_letter(&l, command, c))
            };
            lines.iter().any(has)
        };
        let found = |(name, short): (&str, Option<char>)| {
            (format!("--{name}"), within(&new, name, short), within(&old, name, short))
        };
        all.into_iter().map(found).collect::<Vec<_>>()
    };
    let words = |command: &str, all: Vec<&str>, letters: bool| {
        let within = |lines: &[String], word: &str| {
            let word = word.to_lowercase();
            lines.iter().any(|l| {
                let lower = l.to_lowercase();
                has_word(l, command)
                    && (has_word(&lower, &word) || (letters && l.contains(&format!("%{word}"))))
            })
        };
        all.into_iter().map(|w| (w.to_owned(), within(&new, w), within(&old, w))).collect::<Vec<_>>()
    };
    for tool in [SubmitCommand::Sbatch, SubmitCommand::Srun, SubmitCommand::Salloc] {
        let own = table::TABLE.iter().filter(|o| o.tools & tool.bit() != 0);
        list(tool.name(), "options", options(tool.name(), own.map(|o| (o.name, o.short)).collect()));
    }
    for tool in tool::TABLE {
        list(
            tool.name,
            "options",
            options(tool.name, tool.options.iter().map(|o| (o.name, o.short)).collect()),
        );
        list(tool.name, "keywords", words(tool.name, tool.keywords.iter().map(|k| k.name).collect(), false));
        list(tool.name, "fields", words(tool.name, (tool.fields)(), true));
    }
    list("scontrol update", "keys of jobs", words("scontrol", commands::slurm::scontrol::job_keys(), false));
    // Lines in lower case of recordings of 26.05, and of 22.05.
    let both = |shows: &dyn Fn(&str) -> bool| {
        [&new, &old].map(|lines| {
            let lower = lines.iter().map(|l| l.to_lowercase());
            lower.filter(|l| shows(l)).collect::<Vec<_>>()
        })
    };
    let keys_in = |[new, old]: &[Vec<String>; 2], key: &str, plural: bool| {
        let short = key.strip_suffix('s').filter(|_| plural).unwrap_or(key);
        let any = |lines: &[String]| lines.iter().any(|l| has_key(l, key) || has_key(l, short));
        (key.to_owned(), any(new), any(old))
    };
    for (entity, keys) in commands::slurm::scontrol::entity_keys() {
        let lines = both(&|l| has_word(l, "scontrol") && l.contains(entity));
        let found = keys.into_iter().map(|key| keys_in(&lines, key, false)).collect();
        list("scontrol", &format!("keys of {entity}="), found);
    }
    let accounts = both(&|l| has_word(l, "sacctmgr"));
    let applied = |verbs: &[&str], entity: &str| {
        let applies = |l: &&String| verbs.iter().any(|verb| has_verb(l, verb, entity));
        [0, 1].map(|i| accounts[i].iter().filter(applies).cloned().collect::<Vec<_>>())
    };
    for (verbs, entities) in sacctmgr::VERBS {
        let found = |entity: &&str| {
            let [new, old] = applied(verbs, entity);
            ((*entity).to_owned(), !new.is_empty(), !old.is_empty())
        };
        list("sacctmgr", verbs[0], entities.iter().map(found).collect());
    }
    for (entity, names) in sacctmgr::setting_names() {
        let lines = applied(&["add", "create", "modify", "update"], entity);
        let found = names.into_iter().map(|name| keys_in(&lines, name, false)).collect();
        list("sacctmgr add", &format!("and modify, settings of {entity}"), found);
    }
    for (entity, names) in sacctmgr::condition_names() {
        let lines = applied(&["delete", "remove", "modify", "update"], entity);
        let found = names.into_iter().map(|name| keys_in(&lines, name, true)).collect();
        list("sacctmgr modify", &format!("and delete, conditions on {entity}"), found);
    }
    text
}

/// Whether a line in lower case gives a key a value: `key=`, `key+=` or `key-=`.
fn has_key(line: &str, key: &str) -> bool {
    let key = key.to_lowercase();
    line.match_indices(&key).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + key.len()..].trim_start_matches(['+', '-']);
        after.starts_with('=') && !before.is_some_and(char::is_alphanumeric)
    })
}

/// Whether a line in lower case has sacctmgr apply a verb to an entity, in singular or plural.
fn has_verb(line: &str, verb: &str, entity: &str) -> bool {
    let one = entity.strip_suffix('s').filter(|one| *one != "qo").unwrap_or(entity);
    let words: Vec<&str> = line.split_whitespace().collect();
    has_word(line, "sacctmgr") && words.windows(2).any(|w| w[0] == verb && (w[1] == entity || w[1] == one))
}

/// `docs/unrecorded.md` lists what no recording shows. `SANDBATCH_DIFFERENCES=write` rewrites it.
#[test]
fn what_no_recording_shows_is_listed() {
    let file = path("docs/unrecorded.md");
    let old = std::fs::read_to_string(&file).expect("a page");
    let head = old.split("\n- ").next().expect("a first part").trim_end();
    let page = format!("{head}\n\n{}", unrecorded());
    if std::env::var("SANDBATCH_DIFFERENCES").is_ok_and(|what| what == "write") {
        std::fs::write(file, page).expect("the page is written");
        return;
    }
    assert!(old == page, "docs/unrecorded.md is not what the tables and the recordings give:\n{page}");
}

/// The editor's French option help: lines of the form `"--name": "text",`.
fn french() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(path("www/french.js")).expect("a table");
    let row = |line: &str| {
        let (name, said) = line.trim().strip_prefix('"')?.strip_suffix("\",")?.split_once("\": \"")?;
        name.starts_with("--").then(|| (name.to_owned(), said.to_owned()))
    };
    text.lines().filter_map(row).collect()
}

#[test]
fn every_option_of_a_script_is_explained_in_both_languages() {
    let rows: Vec<_> = table::TABLE.iter().filter(|o| o.tools & SubmitCommand::Sbatch.bit() != 0).collect();
    let french = french();
    let names: Vec<String> = rows.iter().map(|o| format!("--{}", o.name)).collect();
    let explained: Vec<&str> = french.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(explained, names, "www/french.js has one text for each option, in the order of the table");
    // Words that users type are the same in both languages.
    let typed = |word: &&str| {
        word.starts_with("--") || word.contains(|c: char| "%#=".contains(c) || c.is_ascii_digit())
    };
    for (row, (name, said)) in rows.iter().zip(&french) {
        assert!(!said.is_empty() && said != row.help && !said.contains('\''), "{name}: {said}");
        let words = row.help.split([' ', ';']).map(|word| word.trim_end_matches([',', ':']));
        let left: Vec<&str> = words.filter(typed).filter(|word| !said.contains(word)).collect();
        assert!(left.is_empty(), "{name} shows {left:?} in English only");
    }
}

#[test]
fn sbatch() {
    plays_in("tests/commands", "sbatch");
}

#[test]
fn srun() {
    plays_in("tests/commands", "srun");
}

#[test]
fn salloc() {
    plays_in("tests/commands", "salloc");
}

#[test]
fn squeue() {
    plays_in("tests/commands", "squeue");
}

#[test]
fn sinfo() {
    plays_in("tests/commands", "sinfo");
}

#[test]
fn sacct() {
    plays_in("tests/commands", "sacct");
}

#[test]
fn reports() {
    plays_in("tests/commands", "reports");
}

#[test]
fn control() {
    plays_in("tests/commands", "control");
}

#[test]
fn accounts() {
    plays_in("tests/commands", "accounts");
}

#[test]
fn the_alliance_own_table() {
    super::seeds::plays_on("tests/commands", "partition-stats", "examples/sites");
}
