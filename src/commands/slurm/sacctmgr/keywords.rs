//! sacctmgr's commands and entities: tables for parsing, help, manual and completion.

use crate::slurm::tool::{ArgumentKind, Keyword};

const fn k(name: &'static str, least: usize, args: &'static str, help: &'static str) -> Keyword {
    Keyword { name, least, args, help }
}

/// The commands, with their shortest abbreviations.
pub const KEYWORDS: &[Keyword] = &[
    k("add", 2, "ENTITY NAMES [SPECS]", "make accounts, users, QOS, clusters, coordinators or resources"),
    k("archive", 2, "dump|load", "move old records into files"),
    k("associations", 3, "", "show users and accounts with their associations"),
    k("clear", 2, "stats", "reset the database's statistics"),
    k("create", 2, "ENTITY NAMES [SPECS]", "the same as add"),
    k("delete", 3, "ENTITY [where] SPECS", "delete them"),
    k("dump", 2, "CLUSTER [file=NAME]", "write the cluster's associations into a file"),
    k("exit", 1, "", "end the interactive mode"),
    k("help", 2, "", "show this text"),
    k("immediate", 1, "", "change without asking"),
    k("list", 3, "ENTITY [where SPECS] [format=FIELDS]", "show them"),
    k("load", 2, "[file=]NAME", "make what a file of dump describes"),
    k("modify", 1, "ENTITY [where SPECS] set SPECS", "change them"),
    k("oneliner", 1, "", "show each record in one line"),
    k("parsable", 2, "", "columns between |"),
    k("ping", 3, "", "whether the database answers"),
    k("problem", 3, "", "what looks wrong in the database"),
    k("quiet", 4, "", "say nothing but errors"),
    k("quit", 4, "", "end the interactive mode"),
    k("readonly", 3, "", "no changes"),
    k("reconfigure", 3, "", "let the database read its configuration again"),
    k("remove", 3, "ENTITY [where] SPECS", "the same as delete"),
    k("show", 2, "ENTITY [where SPECS] [format=FIELDS]", "the same as list"),
    k("shutdown", 4, "", "end the database's daemon"),
    k("update", 1, "ENTITY [where SPECS] set SPECS", "the same as modify"),
    k("verbose", 4, "", "say more"),
    k("version", 4, "", "the version"),
];

/// The entities, with their shortest abbreviations.
const ENTITIES: &[(&str, usize)] = &[
    ("accounts", 2),
    ("associations", 2),
    ("clusters", 2),
    ("configuration", 4),
    ("coordinators", 4),
    ("events", 1),
    ("federations", 1),
    ("instances", 1),
    ("problems", 1),
    ("qos", 1),
    ("reservations", 3),
    ("resources", 4),
    ("runawayjobs", 2),
    ("stats", 1),
    ("transactions", 2),
    ("tres", 4),
    ("users", 1),
    ("wckeys", 1),
];

/// The commands for entities, with another name for each, and the entities that they take.
pub const VERBS: &[([&str; 2], &[&str])] = &[
    (["add", "create"], &["accounts", "clusters", "coordinators", "qos", "resources", "users"]),
    (["delete", "remove"], &["accounts", "clusters", "coordinators", "qos", "resources", "users"]),
    (
        ["list", "show"],
        &[
            "accounts",
            "associations",
            "clusters",
            "configuration",
            "events",
            "federations",
            "instances",
            "problems",
            "qos",
            "reservations",
            "resource",
            "runawayjobs",
            "stats",
            "transactions",
            "tres",
            "users",
            "wckeys",
        ],
    ),
    (["modify", "update"], &["accounts", "clusters", "jobs", "qos", "resources", "users"]),
];

/// The entity that a word names.
pub fn entity(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    let same =
        ENTITIES.iter().find(|(full, _)| *full == lower || full.strip_suffix('s') == Some(lower.as_str()));
    same.or_else(|| ENTITIES.iter().find(|(full, least)| lower.len() >= *least && full.starts_with(&lower)))
        .map(|(full, _)| *full)
}

const SHOWN: &[&str] = &[
    "account",
    "association",
    "cluster",
    "configuration",
    "event",
    "problem",
    "qos",
    "resource",
    "reservation",
    "runawayjobs",
    "stats",
    "transaction",
    "tres",
    "user",
    "wckey",
];

/// The words that may follow these words.
pub fn words(before: &[&str]) -> ArgumentKind {
    match before {
        ["list" | "show"] => ArgumentKind::OneOf(SHOWN),
        ["add" | "create" | "modify" | "update" | "delete" | "remove"] => {
            ArgumentKind::OneOf(&["account", "coordinator", "qos", "resource", "user"])
        }
        [_, "user" | "users", ..] if before.last().is_some_and(|w| *w == "user" || *w == "users") => {
            ArgumentKind::User
        }
        [_, "account" | "accounts"] => ArgumentKind::Account,
        [_, "qos"] => ArgumentKind::Qos,
        ["dump"] => ArgumentKind::Cluster,
        ["load"] => ArgumentKind::File,
        [_, _, ..] => {
            ArgumentKind::OneOf(&["where", "set", "format=", "account=", "user=", "tree", "withassoc"])
        }
        _ => ArgumentKind::Nothing,
    }
}
