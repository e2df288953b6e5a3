//! sshare(1): shares and usage of associations.

mod fields;
pub mod rows;

use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::listing::{Listing, ListingStyle, name_and_width};
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use super::{clusters, data};
use crate::Cx;
use fields::{FIELDS, SshareField};
use rows::SshareSelection;
use slurmdbd::Assoc;

const OPTIONS: &[ToolOption] = &[
    needs("accounts", 'A', ArgumentKind::Account, "only these accounts"),
    flag("all", 'a', "everybody's associations"),
    needs("clusters", 'M', ArgumentKind::Cluster, "ask these clusters").env("SLURM_CLUSTERS"),
    needs("format", 'o', ArgumentKind::Fields, "columns: name[%[-]width],..."),
    flag("help", ' ', "show this text"),
    flag("helpformat", 'e', "names of fields"),
    may("json", ' ', data::PARSERS, "everything as JSON"),
    flag("long", 'l', "more columns"),
    flag("noheader", 'n', "no headings"),
    flag("parsable", 'p', "columns between |, one at the end"),
    flag("parsable2", 'P', "columns between |"),
    flag("partition", 'm', "associations with a partition, too"),
    flag("usage", ' ', "a short summary of the options"),
    needs("users", 'u', ArgumentKind::User, "only these users"),
    flag("Users", 'U', "users without their accounts"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
    may("yaml", ' ', data::PARSERS, "everything as YAML"),
];

/// The output of `--usage`, padded with blanks.
const USAGE: &[&str] = &[
    "Usage:  sshare [OPTION]",
    "  Valid OPTIONs are:",
    "    -a or --all            list all users",
    "    -A or --accounts=      display specific accounts (comma separated list)",
    "    -e or --helpformat     Print a list of fields that can be specified",
    "                           with the '--format' option",
    "    --json[=data_parser]   Produce JSON output",
    "    -l or --long           include normalized usage in output",
    "    -m or --partition      print the partition part of the association",
    "    -M or --cluster=names  clusters to issue commands to.",
    "                           NOTE: SlurmDBD must be up.",
    "    -n or --noheader       omit header from output",
    "    -o or --format=        Comma separated list of fields (use",
    "                           \"--helpformat\" for a list of available fields).",
    "    -p or --parsable       '|' delimited output with a trailing '|'",
    "    -P or --parsable2      '|' delimited output without a trailing '|'",
    "    -u or --users=         display specific users (comma separated list)",
    "    -U or --Users          display only user information",
    "    -v or --verbose        display more information",
    "    -V or --version        display tool version number",
    "    --yaml[=data_parser]   Produce YAML output",
    "          --help           display this usage description",
    "          --usage          display this usage description",
    "",
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sshare",
    options: OPTIONS,
    fields: || FIELDS.iter().map(|f| f.name).collect(),
    about: "Shares and usage of accounts and users, and the fair-share factor that follows from them.",
    ..PLAIN
};

/// `-h` is an older short option for `--noheader`.
fn without_h(word: &str) -> String {
    let flags = word.strip_prefix('-').filter(|rest| rest.chars().all(|c| "aehlmnpPUvV".contains(c)));
    flags.map_or_else(|| word.to_owned(), |flags| format!("-{}", flags.replace('h', "n")))
}

/// Runs sshare.
pub fn run(cx: &mut Cx) -> u8 {
    if cx.argv.iter().any(|word| word == "--usage") {
        // One of the lines is a blank shorter.
        let width = |line: &str| if line.ends_with("fields).") { 74 } else { 75 };
        let text: String = USAGE.iter().map(|line| base::pad::left(line, width(line)) + "\n").collect();
        cx.print(&text);
        return 0;
    }
    let argv: Vec<String> = cx.argv.iter().map(|word| without_h(word)).collect();
    let parsed = match tool::read(&mut cx.with_argv(&argv), &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if parsed.has("helpformat") {
        cx.print(&fields::listing());
        return 0;
    }
    if let Err(code) = clusters::asked(cx, &parsed, true) {
        return code;
    }
    let wanted = wanted(cx, &parsed);
    if parsed.has("verbose") {
        let list = |names: &[String]| match names {
            [] => "\t: all\n".to_owned(),
            names => names.iter().map(|name| format!("\t: {name}\n")).collect(),
        };
        let users = list(wanted.users.as_deref().unwrap_or_default());
        let text = format!("Users requested:\n{users}Accounts requested:\n{}", list(&wanted.accounts));
        cx.complain(text.trim_end());
    }
    if let Some(asked) = data::asked(&parsed) {
        return data::print(cx, asked, |view, out| {
            data::accounts::shares(view, out, &rows::rows(view, &wanted))
        });
    }
    let fair_tree = !cx.cluster.state().cluster.global.priority.flags.no_fair_tree;
    match listing(&parsed, &format(&parsed, fair_tree)) {
        Ok(listing) => {
            print(cx, &listing, &wanted);
            0
        }
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

fn format(parsed: &ParsedArguments, fair_tree: bool) -> String {
    match parsed.value("format") {
        Some(format) => format.to_owned(),
        None => usual(parsed.has("partition"), parsed.has("long"), fair_tree),
    }
}

/// The default columns.
fn usual(partition: bool, long: bool, fair_tree: bool) -> String {
    let partition = if partition { "partition," } else { "" };
    let (norm, level) = match (long, fair_tree) {
        (true, true) => ("normusage,", ",levelfs,grptresmins,tresrunmins"),
        (true, false) => ("normusage,", ",grptresmins,tresrunmins"),
        (false, _) => ("", ""),
    };
    format!("account,user,{partition}rawshares,normshares,rawusage,{norm}effectvusage,fairshare{level}")
}

/// `account,user%20,levelfs%-10`.
fn listing(parsed: &ParsedArguments, format: &str) -> Result<Listing, String> {
    let mut listing = Listing::new(ListingStyle::of(parsed));
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = name_and_width(word);
        let Some((at, field)) = fields::find(name) else {
            return Err(format!("sshare: error: Invalid field requested: \"{name}\""));
        };
        listing.add(at, field.name, width.unwrap_or(field.width));
    }
    Ok(listing)
}

/// The output of `sshare -la`, for the page.
pub struct SshareTable<'a> {
    /// Headings of the columns.
    pub headings: Vec<&'static str>,
    /// Associations in tree order, with their texts.
    pub rows: Vec<(&'a Assoc, Vec<String>)>,
}

/// The first rows of `sshare -la`.
pub fn table<'a>(view: &JobView<'a>, most: usize) -> SshareTable<'a> {
    let format = usual(false, true, !view.state.cluster.global.priority.flags.no_fair_tree);
    let columns: Vec<&SshareField> =
        format.split(',').filter_map(|name| fields::find(name)).map(|f| f.1).collect();
    let rows = rows::rows(view, &SshareSelection { most, ..SshareSelection::default() }).into_iter();
    SshareTable {
        headings: columns.iter().map(|f| f.name).collect(),
        rows: rows.map(|row| (row.assoc, columns.iter().map(|f| (f.get)(view, &row)).collect())).collect(),
    }
}

fn wanted(cx: &Cx, parsed: &ParsedArguments) -> SshareSelection {
    let list = |name| tool::list(parsed, name).iter().map(|w| w.to_ascii_lowercase()).collect::<Vec<_>>();
    let named = list("users");
    let users = match named.as_slice() {
        _ if parsed.has("all") => None,
        [] => Some(vec![cx.user()]),
        _ => Some(named).filter(|n| *n != ["-1"]),
    };
    SshareSelection {
        accounts: list("accounts"),
        users,
        users_only: parsed.has("Users"),
        ..SshareSelection::default()
    }
}

fn print(cx: &mut Cx, listing: &Listing, wanted: &SshareSelection) {
    let mut out = Vec::new();
    let view = JobView::of(cx);
    listing.head(&mut out);
    for row in rows::rows(&view, wanted) {
        listing.row(&mut out, &|at| FIELDS.get(at).map_or_else(String::new, |f| (f.get)(&view, &row)));
    }
    cx.out.append(&mut out);
}
