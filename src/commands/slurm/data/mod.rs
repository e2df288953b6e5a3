//! `--json` and `--yaml`: output as a tree of values, with the structure of Slurm's data_parser/v0.0.45.
//!
//! Names and nesting follow Slurm's OpenAPI description and recorded excerpts of such output. Values that the
//! simulation does not model are present with the defaults of a plain cluster (empty, 0, not set).

pub mod accounts;
pub mod history;
pub mod jobs;
pub mod nodes;
pub mod sdiag;
mod write;

use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::tool::ArgumentKind;
use crate::Cx;
use base::time::{Limit, Time};
use base::tres::Tres;

/// The simulated data parser.
const PARSER: &str = "v0.0.45";

/// All parsers, in the order in which they are listed.
const ALL_PARSERS: [&str; 4] = ["v0.0.43", "v0.0.42", "v0.0.45", "v0.0.44"];

/// The values that `--json=` and `--yaml=` accept.
pub const PARSERS: ArgumentKind = ArgumentKind::OneOf(&["v0.0.45", "list"]);

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `null`
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Text(String),
    /// `[]`
    List(Vec<Data>),
    /// An object; keys keep their order.
    Dict(Vec<(&'static str, Data)>),
}

impl From<bool> for Data {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}

impl From<u32> for Data {
    fn from(n: u32) -> Self {
        Self::Int(n.into())
    }
}

impl From<i64> for Data {
    fn from(n: i64) -> Self {
        Self::Int(n)
    }
}

impl From<u64> for Data {
    fn from(n: u64) -> Self {
        Self::Int(i64::try_from(n).unwrap_or(i64::MAX))
    }
}

impl From<f64> for Data {
    fn from(n: f64) -> Self {
        Self::Float(n)
    }
}

impl From<&str> for Data {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Data {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Option<&str>> for Data {
    fn from(text: Option<&str>) -> Self {
        Self::Text(text.unwrap_or("").to_owned())
    }
}

/// An object from pairs of a name and a value.
macro_rules! dict {
    ($($key:literal : $value:expr),* $(,)?) => {
        $crate::slurm::data::Data::Dict(vec![$(($key, $crate::slurm::data::Data::from($value))),*])
    };
}
pub(super) use dict;

/// A list of strings.
pub fn texts<S: AsRef<str>>(list: impl IntoIterator<Item = S>) -> Data {
    Data::List(list.into_iter().map(|t| Data::from(t.as_ref())).collect())
}

/// A number that may be unset.
pub fn number(n: Option<u64>) -> Data {
    dict! { "set": n.is_some(), "infinite": false, "number": n.unwrap_or(0) }
}

/// A number without a limit.
pub fn infinite() -> Data {
    dict! { "set": false, "infinite": true, "number": 0u32 }
}

/// A number that is infinite if there is none.
pub fn at_most(n: Option<u32>) -> Data {
    n.map_or_else(infinite, |n| number(Some(n.into())))
}

/// A timestamp in seconds since 1970.
pub fn moment(time: Option<Time>) -> Data {
    let seconds = time.and_then(|t| u64::try_from(t.secs()).ok());
    dict! { "set": true, "infinite": false, "number": seconds.unwrap_or(0) }
}

/// A time limit in minutes.
pub fn limit(limit: Option<Limit>) -> Data {
    match limit {
        None => number(None),
        Some(Limit::Minutes(minutes)) => number(Some(minutes.into())),
        Some(Limit::Unlimited) => infinite(),
    }
}

/// `[{"type": "cpu", "name": "", "id": 1, "count": 4}]`.
pub fn tres_list(view: &JobView, tres: &Tres) -> Data {
    let rows = super::tres::rows(view.state);
    let amount = |kind: &str, name: &str| {
        tres.get(&if name.is_empty() { kind.to_owned() } else { format!("{kind}/{name}") })
    };
    let some = rows.iter().map(|(kind, name, id)| (kind, name, id, amount(kind, name))).filter(|r| r.3 > 0);
    Data::List(
        some.map(|(kind, name, id, count)| {
            dict! { "type": kind.as_str(), "name": name.as_str(), "id": *id, "count": count }
        })
        .collect(),
    )
}

/// The output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `--json`
    Json,
    /// `--yaml`
    Yaml,
    /// `=list`: lists the available parsers.
    Parsers,
    /// An unknown parser, and whether JSON was asked for.
    Unknown(bool),
}

/// The requested tree format, if any.
#[must_use]
pub fn asked(parsed: &ParsedArguments) -> Option<Form> {
    let (name, parser) = parsed.last_of(&["json", "yaml"])?;
    let base = parser.split('+').next().unwrap_or("");
    Some(match base {
        "list" => Form::Parsers,
        "" | PARSER | "latest" => {
            if name == "json" {
                Form::Json
            } else {
                Form::Yaml
            }
        }
        base if ALL_PARSERS.contains(&base) && name == "json" => Form::Json,
        base if ALL_PARSERS.contains(&base) => Form::Yaml,
        _ => Form::Unknown(name == "json"),
    })
}

/// Prints the tree that `build` makes of the state, with the fields that every response has.
pub fn print(cx: &mut Cx, form: Form, build: impl FnOnce(&JobView) -> Vec<(&'static str, Data)>) -> u8 {
    let name = cx.name().to_owned();
    match form {
        Form::Parsers => {
            cx.complain("Possible data_parser plugins:");
            ALL_PARSERS.iter().for_each(|parser| cx.line(&format!("data_parser/{parser}")));
            return 0;
        }
        Form::Unknown(json) => {
            let asked = wanted(cx);
            let kind = if json { "json" } else { "x-yaml" };
            cx.complain(&format!(
                "{name}: error: load_plugins: unable to find plugin: data_parser/{asked}\n{name}: error: data_parser_g_new: failure \
                 loading plugins: Plugin has invalid format or unable to be loaded\n{name}: error: application/{kind} output not \
                 supported by data_parser/{PARSER}"
            ));
            return 1;
        }
        Form::Json | Form::Yaml => {}
    }
    let mut parts = build(&JobView::of(cx));
    parts.push(("meta", meta(cx)));
    parts.push(("errors", Data::List(Vec::new())));
    parts.push(("warnings", Data::List(Vec::new())));
    let text = match form {
        Form::Yaml => write::yaml(&Data::Dict(parts)),
        Form::Json | Form::Parsers | Form::Unknown(_) => {
            let pretty = cx.env.get("SLURM_JSON").is_none_or(|how| how != "compact");
            write::json(&Data::Dict(parts), pretty)
        }
    };
    cx.print(&text);
    0
}

/// The parser that the command line names.
fn wanted(cx: &Cx) -> String {
    let named =
        cx.argv.iter().rev().find_map(|word| word.strip_prefix("--json=").or(word.strip_prefix("--yaml=")));
    named.unwrap_or_default().to_owned()
}

fn meta(cx: &Cx) -> Data {
    let user = cx.user();
    let version = super::VERSION.trim_start_matches("slurm ");
    let mut parts = version.split('.');
    let mut part = || parts.next().unwrap_or("").to_owned();
    let (major, minor, micro) = (part(), part(), part());
    dict! {
        "plugin": dict! { "type": "", "name": "", "data_parser": format!("data_parser/{PARSER}"), "accounting_storage": "accounting_storage/slurmdbd" },
        "client": dict! { "source": "", "user": user.as_str(), "group": user.as_str() },
        "command": texts(cx.argv),
        "slurm": dict! {
            "version": dict! { "major": major, "micro": micro, "minor": minor },
            "release": version,
            "cluster": cx.cluster.state().dbd.cluster.as_str(),
        },
    }
}
