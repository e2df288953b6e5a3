//! The reference part of the book, `docs/reference`: pages that are generated from the tables of the program.
//! `SANDBATCH_REFERENCE=write cargo test --test suite reference` writes them again.

use base::order::StableSort as _;
use commands::slurm::opt::{self, JobOption, SubmitCommand};
use commands::slurm::tool::{self, ArgumentKind, ToolOption, ToolSpec};
use commands::slurm::{getopt::Arg, sinfo, sprio, squeue};
use commands::{CommandEntry, CommandKind};
use config::policy::{ASSOC_SETTINGS, AssocField, JobField, JobSetting};
use config::{KNOWN_KEYS, KeyUse};
use host::model::{keys, programs};
use slurmctld::reason::{Reason, ReasonKind};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const NOTE: &str = "<!-- Generated: SANDBATCH_REFERENCE=write cargo test --test suite reference -->";

/// Writes a page's title and introduction.
fn page(title: &str, about: &str) -> String {
    format!("# {title}\n\n{NOTE}\n\n{about}\n")
}

/// A table; nothing without rows.
fn table(out: &mut String, heads: &[&str], rows: &[Vec<String>]) {
    if rows.is_empty() {
        return;
    }
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    out.push('\n');
    out.push_str(&line(&heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>()));
    out.push_str(&line(&vec!["---".to_owned(); heads.len()]));
    rows.iter().for_each(|row| out.push_str(&line(row)));
}

fn section(out: &mut String, title: &str) {
    let _ = write!(out, "\n## {title}\n");
}

/// A text as Markdown in a cell: without markup of its own.
fn plain(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        if matches!(c, '|' | '<' | '*' | '[' | '`' | '\\') {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

fn code(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("`{}`", text.replace('|', "\\|")) }
}

fn codes<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    texts.into_iter().map(code).collect::<Vec<_>>().join(", ")
}

fn commands_page() -> String {
    let mut out = page(
        "Commands",
        "The commands of the simulated cluster. `man NAME` shows a page about each of Slurm's, and `NAME --help` its options.",
    );
    let rows = |table: &[CommandEntry], linked: bool| -> Vec<Vec<String>> {
        let name = |name: &str| {
            let has_options =
                linked && (SUBMIT.iter().any(|tool| tool.name() == name) || tool::find(name).is_some());
            if has_options { format!("[`{name}`](options.md#{name})") } else { code(name) }
        };
        table.iter().map(|entry| vec![name(entry.name), plain(entry.summary)]).collect()
    };
    section(&mut out, "Slurm's commands");
    table(&mut out, &["command", "what it does"], &rows(commands::slurm::TABLE, true));
    section(&mut out, "sandbatch's own");
    out.push_str("\nNo real cluster has these.\n");
    table(&mut out, &["command", "what it does"], &rows(commands::own::TABLE, false));
    section(&mut out, "Programs around Slurm");
    table(&mut out, &["command", "what it does"], &rows(commands::programs::TABLE, false));
    section(&mut out, "Programs that run as models");
    out.push_str(
        "\nWhat they compute is not simulated, but their run time, their load and their memory are: see [program models](../programs.md). \
         The default model is written as a [#SIM line](sim.md).\n",
    );
    let models: Vec<Vec<String>> =
        programs::PROGRAMS.iter().map(|p| vec![code(p.name), plain(p.summary), code(p.sim)]).collect();
    table(&mut out, &["program", "what it is", "default model"], &models);
    section(&mut out, "Unix commands");
    let unix: Vec<CommandEntry> = commands::table()
        .iter()
        .copied()
        .filter(|entry| matches!(entry.kind, CommandKind::Unix(_)))
        .collect();
    table(&mut out, &["command", "what it does"], &rows(&unix, false));
    out
}

const SUBMIT: [SubmitCommand; 3] = [SubmitCommand::Sbatch, SubmitCommand::Srun, SubmitCommand::Salloc];

/// `-p`, `--partition=NAME`.
fn spelled(name: &str, short: Option<char>, arg: Arg, value: &str) -> String {
    let value = value.to_uppercase().replace(' ', "-");
    let long = match arg {
        Arg::No => format!("--{name}"),
        Arg::Required => format!("--{name}={value}"),
        Arg::Optional => format!("--{name}[={value}]"),
    };
    let short = short.map(|letter| format!("{}, ", code(&format!("-{letter}"))));
    format!("{}{}", short.unwrap_or_default(), code(&long))
}

fn options_page() -> String {
    let mut out = page(
        "Options",
        "Every option that the simulated commands know. Options of sbatch can also be `#SBATCH` lines. The variable in the third \
         column has the same effect; the option takes precedence.",
    );
    for tool in SUBMIT {
        section(&mut out, tool.name());
        let takes = |option: &&JobOption| option.tools & tool.bit() != 0;
        let row = |option: &JobOption| {
            let variable = (!option.env.0.is_empty() && option.env.1 & tool.bit() != 0)
                .then(|| code(&format!("{}{}", tool.env_prefix(), option.env.0)));
            let spelled = spelled(option.name, option.short, option.arg, option.value);
            vec![spelled, plain(option.help), variable.unwrap_or_default()]
        };
        let rows: Vec<Vec<String>> = opt::table::TABLE.iter().filter(takes).map(row).collect();
        table(&mut out, &["option", "meaning", "variable"], &rows);
    }
    for tool in tool::TABLE {
        section(&mut out, tool.name);
        let row = |option: &ToolOption| {
            let values = match option.word {
                ArgumentKind::OneOf(list) => format!(": {}", codes(list.iter().copied())),
                _ => String::new(),
            };
            let spelled = spelled(option.name, option.short, option.arg, option.word.label());
            vec![spelled, format!("{}{values}", plain(option.help)), code(option.env)]
        };
        let rows: Vec<Vec<String>> = tool.options.iter().map(row).collect();
        table(&mut out, &["option", "meaning", "variable"], &rows);
        let keyword = |k: &tool::Keyword| vec![code(format!("{} {}", k.name, k.args).trim()), plain(k.help)];
        let keywords: Vec<Vec<String>> = tool.keywords.iter().map(keyword).collect();
        table(&mut out, &["keyword", "what it does"], &keywords);
    }
    out
}

fn fields_page() -> String {
    let mut out = page(
        "Fields of output",
        "The fields that `-o`, `-O` and `--format` accept. A letter follows `%` (`squeue -o \"%i %j\"`), a name needs `-O` or `--format`.",
    );
    for (name, columns) in
        [("squeue", squeue::field_names()), ("sinfo", sinfo::field_names()), ("sprio", sprio::field_names())]
    {
        section(&mut out, name);
        let row = |(letter, names, title): &(&str, &[&str], &str)| {
            let letter = if letter.is_empty() { String::new() } else { code(&format!("%{letter}")) };
            vec![letter, codes(names.iter().copied()), code(title)]
        };
        let mut rows: Vec<Vec<String>> = columns.iter().map(row).collect();
        rows.retain(|row| row.iter().take(2).any(|cell| !cell.is_empty()));
        rows.order_by_key(|row| (row.get(1).cloned(), row.first().cloned()));
        table(&mut out, &["letter", "names", "heading"], &rows);
    }
    let listed =
        |tool: &&&ToolSpec| !["squeue", "sinfo", "sprio"].contains(&tool.name) && !(tool.fields)().is_empty();
    for tool in tool::TABLE.iter().filter(listed) {
        section(&mut out, tool.name);
        let _ = write!(out, "\n{}\n", codes((tool.fields)()));
    }
    out
}

const fn about(kind: ReasonKind) -> &'static str {
    match kind {
        ReasonKind::Queue => "Only the order of the queue",
        ReasonKind::Resources => "Nodes, licences or a reservation that are busy or missing",
        ReasonKind::Limit => "A limit of an association or of a QOS",
        ReasonKind::Partition => "The state or a limit of the partition",
        ReasonKind::Access => "The account or QOS is not admitted, or no longer exists",
        ReasonKind::Request => "The request itself",
        ReasonKind::Dependency => "Other jobs",
        ReasonKind::Hold => "The job is held",
        ReasonKind::Setup => "Preparation before the start, or cleanup after the end",
        ReasonKind::Failure => "How the job ended",
    }
}

fn reasons_page() -> String {
    let mut out = page(
        "Reasons",
        "The last column of `squeue` tells why a job is pending, or how it ended. [Why is my job pending?](../learn/why.md) explains the \
         common ones. On the simulated cluster, `why JOBID` explains all of them for a job.",
    );
    let mut kinds: Vec<ReasonKind> = Vec::new();
    for reason in Reason::ALL {
        if !kinds.contains(&reason.kind()) {
            kinds.push(reason.kind());
        }
    }
    for kind in kinds {
        section(&mut out, about(kind));
        let mut texts: Vec<&str> =
            Reason::ALL.iter().filter(|r| r.kind() == kind).map(|r| r.text()).collect();
        texts.order();
        texts.dedup();
        let _ = write!(out, "\n{}\n", codes(texts));
    }
    out
}

const fn use_of(used: KeyUse) -> &'static str {
    match used {
        KeyUse::Taken => {
            "are used, or have no effect that a simulation could show (paths, ports, debug levels)"
        }
        KeyUse::Ignored => "have an effect in Slurm, but not here. `sandbatch check` reports them",
        KeyUse::Defunct => "are defunct in Slurm 26.05, which warns and continues",
    }
}

fn configuration_page() -> String {
    let mut out = page(
        "Configuration files",
        "The keys that sandbatch reads in Slurm's configuration files. `sandbatch check DIR` reports all others by file and line.",
    );
    let mut of = "";
    for known in KNOWN_KEYS.iter().filter(|known| !known.keys.is_empty()) {
        if known.of != of {
            section(&mut out, known.of);
            of = known.of;
        }
        let _ = write!(out, "\nThese {}:\n\n{}\n", use_of(known.used), codes(known.keys.iter().copied()));
    }
    out
}

fn site_toml_page() -> String {
    let mut out = page(
        "Rules in site.toml",
        "The words of the rules in `site.toml`. [Site policy](../site-policy.md) describes the rules and all other tables of the file.",
    );
    let help = |rows: &[(&str, &str, &str)]| -> Vec<Vec<String>> {
        rows.iter().map(|(word, values, what)| vec![code(word), (*values).to_owned(), plain(what)]).collect()
    };
    section(&mut out, "Conditions of job_submit and job_modify");
    table(&mut out, &["condition", "value", "meaning"], &help(JobField::HELP));
    section(&mut out, "Settings of job_submit");
    let settings: Vec<Vec<String>> =
        JobSetting::HELP.iter().map(|(word, values)| vec![code(word), (*values).to_owned()]).collect();
    table(&mut out, &["setting", "value"], &settings);
    section(&mut out, "Conditions of cron");
    table(&mut out, &["condition", "value", "meaning"], &help(AssocField::HELP));
    section(&mut out, "Settings of cron");
    let _ = write!(out, "\n{}\n", codes(ASSOC_SETTINGS.iter().copied()));
    out
}

fn sim_page() -> String {
    let mut out = page(
        "#SIM lines",
        "The keys of `#SIM` lines. [Program models](../programs.md) describes the syntax, and where the lines go. A key with `@WHEN` can have a time.",
    );
    let row = |key: &keys::SimKey| {
        let name = if key.moment { format!("{}[@WHEN]", key.name) } else { key.name.to_owned() };
        vec![code(&name), code(key.value), plain(key.help)]
    };
    table(&mut out, &["key", "value", "meaning"], &keys::KEYS.iter().map(row).collect::<Vec<_>>());
    out
}

fn checks_page() -> String {
    let mut out = page(
        "Checks of lessons",
        "The fields that claims in a lesson's checks can use. [Lessons](../lessons.md#checks) describes the claims.",
    );
    for (subject, fields) in engine::session::lesson::fields_of_checks() {
        section(&mut out, &format!("Fields of a {subject}").replace("a array", "an array"));
        let rows: Vec<Vec<String>> =
            fields.iter().map(|(name, values)| vec![code(name), (*values).to_owned()]).collect();
        table(&mut out, &["field", "value"], &rows);
    }
    out
}

/// What `sandbatch WORDS --help` prints.
fn help(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sandbatch"))
        .args(words)
        .arg("--help")
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .output()
        .expect("the binary runs");
    String::from_utf8(output.stdout).expect("text")
}

/// The subcommands in a help text.
fn subcommands(help: &str) -> Vec<String> {
    let (_, after) = help.split_once("Commands:\n").unwrap_or(("", ""));
    let rows = after.lines().take_while(|line| !line.is_empty());
    let names = rows.filter_map(|line| line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')));
    names
        .filter_map(|row| row.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

fn sandbatch_page() -> String {
    let mut out = page("The command line of sandbatch", "What `--help` prints for each subcommand.");
    let main = help(&[]);
    let mut add = |title: &str, text: &str| {
        let _ =
            write!(out, "\n## {title}\n\n<!-- sandbatch: ignore -->\n\n```text\n{}\n```\n", text.trim_end());
    };
    add("sandbatch", &main);
    for name in subcommands(&main) {
        let text = help(&[&name]);
        add(&format!("sandbatch {name}"), &text);
        for inner in subcommands(&text) {
            add(&format!("sandbatch {name} {inner}"), &help(&[&name, &inner]));
        }
    }
    out
}

/// A page's file and what writes it.
type Page = (&'static str, fn() -> String);

#[test]
fn the_pages_of_the_reference_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference");
    let pages: [Page; 9] = [
        ("commands.md", commands_page),
        ("options.md", options_page),
        ("fields.md", fields_page),
        ("reasons.md", reasons_page),
        ("configuration.md", configuration_page),
        ("site-toml.md", site_toml_page),
        ("sim.md", sim_page),
        ("checks.md", checks_page),
        ("sandbatch.md", sandbatch_page),
    ];
    let writes = std::env::var("SANDBATCH_REFERENCE").is_ok_and(|what| what == "write");
    let mut stale = Vec::new();
    for (name, make) in pages {
        let text = make();
        let file = folder.join(name);
        if writes {
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(&file, text).expect("the page is written");
        } else if fs::read_to_string(&file).unwrap_or_default() != text {
            stale.push(name);
        }
    }
    assert!(stale.is_empty(), "write them again with SANDBATCH_REFERENCE=write: {stale:?}");
}
