//! sshare(1): shares and usage of associations.

mod fields;
pub mod rows;

use super::getopt::Parsed;
use super::jobtext::View;
use super::listing::{Listing, Style, name_and_width};
use super::tool::{self, Opt, PLAIN, Tool, Word, flag, may, needs};
use super::{clusters, data};
use crate::commands::Cx;
use crate::slurmdbd::Assoc;
use fields::{FIELDS, Field};
use rows::Wanted;

const OPTIONS: &[Opt] = &[
    needs("accounts", 'A', Word::Account, "only these accounts"),
    flag("all", 'a', "everybody's associations"),
    needs("clusters", 'M', Word::Cluster, "ask these clusters").env("SLURM_CLUSTERS"),
    needs("format", 'o', Word::Fields, "columns: name[%[-]width],..."),
    flag("help", ' ', "show this text"),
    flag("helpformat", 'e', "names of fields"),
    may("json", ' ', data::PARSERS, "everything as JSON"),
    flag("long", 'l', "more columns"),
    flag("noheader", 'n', "no headings"),
    flag("parsable", 'p', "columns between |, one at the end"),
    flag("parsable2", 'P', "columns between |"),
    flag("partition", 'm', "associations with a partition, too"),
    flag("usage", ' ', "a short summary of the options"),
    needs("users", 'u', Word::User, "only these users"),
    flag("Users", 'U', "users without their accounts"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
    may("yaml", ' ', data::PARSERS, "everything as YAML"),
];

/// The command's table.
pub const TOOL: Tool = Tool {
    name: "sshare",
    options: OPTIONS,
    fields: || FIELDS.iter().map(|f| f.name).collect(),
    about: "Shares and usage of accounts and users, and the fair-share factor that follows from them.",
    ..PLAIN
};

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match tool::read(cx, &TOOL) {
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
    if let Some(asked) = data::asked(&parsed) {
        return data::print(cx, asked, |view| data::accounts::shares(view, &rows::rows(view, &wanted)));
    }
    let fair_tree = !cx.slurm.state().cluster.global.priority.flags.no_fair_tree;
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

fn format(parsed: &Parsed, fair_tree: bool) -> String {
    match parsed.value("format") {
        Some(format) => format.to_owned(),
        None => usual(parsed.has("partition"), parsed.has("long"), fair_tree),
    }
}

/// The columns where none are named.
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
fn listing(parsed: &Parsed, format: &str) -> Result<Listing, String> {
    let mut listing = Listing::new(Style::of(parsed));
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = name_and_width(word);
        let Some((at, field)) = fields::find(name) else {
            return Err(format!("sshare: error: Invalid field requested: \"{name}\""));
        };
        listing.add(at, field.name, width.unwrap_or(field.width));
    }
    Ok(listing)
}

/// What `sshare -la` prints, for the page.
pub struct Table<'a> {
    /// Headings of the columns.
    pub headings: Vec<&'static str>,
    /// Associations in the tree's order, with their columns.
    pub rows: Vec<(&'a Assoc, Vec<String>)>,
}

/// The first rows of `sshare -la`.
pub fn table<'a>(view: &View<'a>, most: usize) -> Table<'a> {
    let format = usual(false, true, !view.state.cluster.global.priority.flags.no_fair_tree);
    let columns: Vec<&Field> = format.split(',').filter_map(|name| fields::find(name)).map(|f| f.1).collect();
    let rows = rows::rows(view, &Wanted { most, ..Wanted::default() }).into_iter();
    Table {
        headings: columns.iter().map(|f| f.name).collect(),
        rows: rows.map(|row| (row.assoc, columns.iter().map(|f| (f.get)(view, &row)).collect())).collect(),
    }
}

fn wanted(cx: &Cx, parsed: &Parsed) -> Wanted {
    let list = |name| tool::list(parsed, name).iter().map(|w| w.to_ascii_lowercase()).collect::<Vec<_>>();
    let named = list("users");
    let users = match named.as_slice() {
        _ if parsed.has("all") => None,
        [] => Some(vec![cx.user()]),
        _ => Some(named).filter(|n| *n != ["-1"]),
    };
    Wanted { accounts: list("accounts"), users, users_only: parsed.has("Users"), ..Wanted::default() }
}

fn print(cx: &mut Cx, listing: &Listing, wanted: &Wanted) {
    let mut out = Vec::new();
    let view = View::of(cx);
    listing.head(&mut out);
    for row in rows::rows(&view, wanted) {
        listing.row(&mut out, &|at| FIELDS.get(at).map_or_else(String::new, |f| (f.get)(&view, &row)));
    }
    cx.out.append(&mut out);
}
