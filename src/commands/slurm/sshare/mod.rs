//! sshare(1): shares and usage of associations.

mod fields;
mod rows;

use super::VERSION;
use super::getopt::{self, Arg, Long, Parsed};
use super::jobtext::View;
use super::opt::Bad;
use crate::base::table::{MAX_WIDTH, Overflow, cell};
use crate::commands::Cx;
use fields::Field;
use rows::Wanted;

const OPTIONS: &[Long] = &[
    ("accounts", Some('A'), Arg::Required),
    ("all", Some('a'), Arg::No),
    ("clusters", Some('M'), Arg::Required),
    ("format", Some('o'), Arg::Required),
    ("help", None, Arg::No),
    ("helpformat", Some('e'), Arg::No),
    ("json", None, Arg::Optional),
    ("long", Some('l'), Arg::No),
    ("noheader", Some('n'), Arg::No),
    ("parsable", Some('p'), Arg::No),
    ("parsable2", Some('P'), Arg::No),
    ("partition", Some('m'), Arg::No),
    ("usage", None, Arg::No),
    ("users", Some('u'), Arg::Required),
    ("Users", Some('U'), Arg::No),
    ("verbose", Some('v'), Arg::No),
    ("version", Some('V'), Arg::No),
    ("yaml", None, Arg::Optional),
];

/// One column as asked for.
struct Column {
    field: &'static Field,
    width: usize,
    right: bool,
}

/// Runs it.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match getopt::parse(OPTIONS, cx.argv, true) {
        Ok(parsed) => parsed,
        Err(text) => {
            cx.complain(Bad::getopt("sshare", text, 1).lines("sshare").trim_end());
            return 1;
        }
    };
    if parsed.has("help") || parsed.has("usage") {
        let mut text = String::from("Usage: sshare [OPTION]\n");
        for (name, short, arg) in OPTIONS {
            let letter = short.map_or_else(String::new, |c| format!("-{c}, "));
            let value = if *arg == Arg::No { "" } else { "=..." };
            text += &format!("    {letter:>4}--{name}{value}\n");
        }
        cx.print(&text);
        return 0;
    }
    if parsed.has("version") {
        cx.line(VERSION);
        return 0;
    }
    if parsed.has("helpformat") {
        cx.print(&fields::listing());
        return 0;
    }
    if parsed.has("json") || parsed.has("yaml") {
        cx.complain("sshare: error: JSON and YAML output is not simulated");
        return 1;
    }
    let fair_tree = !cx.slurm.state().cluster.global.priority.flags.no_fair_tree;
    match columns(&format(&parsed, fair_tree)) {
        Ok(columns) => {
            let wanted = wanted(cx, &parsed);
            print(cx, &parsed, &columns, &wanted);
            0
        }
        Err(text) => {
            cx.complain(&text);
            1
        }
    }
}

fn format(parsed: &Parsed, fair_tree: bool) -> String {
    if let Some(format) = parsed.value("format") {
        return format.to_owned();
    }
    let partition = if parsed.has("partition") { "partition," } else { "" };
    let (norm, level) = match (parsed.has("long"), fair_tree) {
        (true, true) => ("normusage,", ",levelfs,grptresmins,tresrunmins"),
        (true, false) => ("normusage,", ",grptresmins,tresrunmins"),
        (false, _) => ("", ""),
    };
    format!("account,user,{partition}rawshares,normshares,rawusage,{norm}effectvusage,fairshare{level}")
}

/// `account,user%20,levelfs%-10`.
fn columns(format: &str) -> Result<Vec<Column>, String> {
    let mut columns = Vec::new();
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = word.split_once('%').map_or((word, None), |(n, w)| (n, Some(w)));
        let Some(field) = fields::find(name) else {
            return Err(format!("sshare: error: Invalid field requested: \"{name}\""));
        };
        let width = width.and_then(|w| w.parse::<i32>().ok()).unwrap_or(field.width);
        let size = usize::try_from(width.unsigned_abs()).unwrap_or(10).min(MAX_WIDTH);
        columns.push(Column { field, width: size.max(1), right: width >= 0 });
    }
    Ok(columns)
}

fn wanted(cx: &Cx, parsed: &Parsed) -> Wanted {
    let list = |name: &str| {
        let words = parsed.value(name).unwrap_or("").split(',').map(str::trim);
        words.filter(|w| !w.is_empty()).map(str::to_ascii_lowercase).collect::<Vec<_>>()
    };
    let named = list("users");
    let users = match named.as_slice() {
        _ if parsed.has("all") => None,
        [] => Some(vec![cx.user()]),
        _ => Some(named).filter(|n| *n != ["-1"]),
    };
    Wanted { accounts: list("accounts"), users, users_only: parsed.has("Users") }
}

fn print(cx: &mut Cx, parsed: &Parsed, columns: &[Column], wanted: &Wanted) {
    let ends = parsed.has("parsable") && !parsed.has("parsable2");
    let parsable = ends || parsed.has("parsable2");
    let mut out = Vec::new();
    let view = View::of(cx);
    let mut line = |text: &dyn Fn(&Field) -> String, separator: bool| {
        for (i, column) in columns.iter().enumerate() {
            if parsable {
                if i > 0 {
                    out.push(b'|');
                }
                out.extend_from_slice(text(column.field).as_bytes());
            } else {
                let text = if separator { "-".repeat(column.width) } else { text(column.field) };
                cell(&mut out, &text, column.width, column.right, Overflow::Mark);
                out.push(b' ');
            }
        }
        if ends {
            out.push(b'|');
        }
        out.push(b'\n');
    };
    if !parsed.has("noheader") {
        line(&|field| field.name.to_owned(), false);
        if !parsable {
            line(&|_| String::new(), true);
        }
    }
    for row in rows::rows(&view, wanted) {
        line(&|field| (field.get)(&view, &row), false);
    }
    cx.out.append(&mut out);
}
