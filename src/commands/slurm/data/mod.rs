//! `--json` and `--yaml`: what commands show as a tree of values, in the shape of Slurm's data_parser/v0.0.45.
//!
//! The names and their nesting follow Slurm's OpenAPI description and the recorded beginnings of such output; values
//! that the simulation knows nothing of are there with what a plain cluster says (empty, 0, not set).

pub mod accounts;
pub mod history;
pub mod jobs;
pub mod nodes;
pub mod sdiag;
mod write;

use super::getopt::Parsed;
use super::jobtext::View;
use super::tool::Word;
use crate::base::time::{Limit, Time};
use crate::base::tres::Tres;
use crate::commands::Cx;

/// The parser that is simulated.
const PARSER: &str = "v0.0.45";

/// What `--json=` and `--yaml=` take.
pub const PARSERS: Word = Word::OneOf(&["v0.0.45", "list"]);

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// `true`, `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    Text(String),
    /// `[]`
    List(Vec<Data>),
    /// `{}`, in order.
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

/// Pairs of a name and a value as a dictionary.
macro_rules! dict {
    ($($key:literal : $value:expr),* $(,)?) => {
        $crate::commands::slurm::data::Data::Dict(vec![$(($key, $crate::commands::slurm::data::Data::from($value))),*])
    };
}
pub(super) use dict;

/// A list of texts.
pub fn texts<S: AsRef<str>>(list: impl IntoIterator<Item = S>) -> Data {
    Data::List(list.into_iter().map(|t| Data::from(t.as_ref())).collect())
}

/// A number that may not be set.
pub fn number(n: Option<u64>) -> Data {
    dict! { "set": n.is_some(), "infinite": false, "number": n.unwrap_or(0) }
}

/// A moment as seconds since 1970.
pub fn moment(time: Option<Time>) -> Data {
    let seconds = time.and_then(|t| u64::try_from(t.secs()).ok());
    dict! { "set": true, "infinite": false, "number": seconds.unwrap_or(0) }
}

/// A time limit in minutes.
pub fn limit(limit: Option<Limit>) -> Data {
    match limit {
        None => number(None),
        Some(Limit::Minutes(minutes)) => number(Some(minutes.into())),
        Some(Limit::Unlimited) => dict! { "set": false, "infinite": true, "number": 0u32 },
    }
}

/// `[{"type": "cpu", "name": "", "id": 1, "count": 4}]`.
pub fn tres_list(view: &View, tres: &Tres) -> Data {
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

/// How the tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `--json`
    Json,
    /// `--yaml`
    Yaml,
    /// `=list`: the parsers that there are.
    Parsers,
    /// A parser that there is not.
    Unknown,
}

/// Whether and how the options ask for a tree.
#[must_use]
pub fn asked(parsed: &Parsed) -> Option<Form> {
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
        _ => Form::Unknown,
    })
}

/// Prints what `build` makes of the state, with the parts that every answer has.
pub fn print(cx: &mut Cx, form: Form, build: impl FnOnce(&View) -> Vec<(&'static str, Data)>) -> u8 {
    let name = cx.name().to_owned();
    match form {
        Form::Parsers => {
            cx.complain(&format!("Possible data_parser plugins:\ndata_parser/{PARSER}"));
            return 0;
        }
        Form::Unknown => {
            cx.complain(&format!("{name}: fatal: Unable to find plugin: data_parser"));
            return 1;
        }
        Form::Json | Form::Yaml => {}
    }
    let mut parts = build(&View::of(cx));
    parts.push(("meta", meta(cx)));
    parts.push(("errors", Data::List(Vec::new())));
    parts.push(("warnings", Data::List(Vec::new())));
    let mut text = String::new();
    match form {
        Form::Yaml => write::yaml(&mut text, &Data::Dict(parts)),
        Form::Json | Form::Parsers | Form::Unknown => {
            let pretty = cx.env.get("SLURM_JSON").is_none_or(|how| how != "compact");
            write::json(&mut text, &Data::Dict(parts), pretty);
        }
    }
    cx.print(&text);
    0
}

fn meta(cx: &Cx) -> Data {
    let user = cx.user();
    let version = super::VERSION.trim_start_matches("slurm ");
    let mut parts = version.split('.');
    let mut part = || parts.next().unwrap_or("").to_owned();
    let (major, minor, micro) = (part(), part(), part());
    dict! {
        "plugin": dict! { "type": "", "name": "", "data_parser": format!("data_parser/{PARSER}"), "accounting_storage": "" },
        "client": dict! { "source": "", "user": user.as_str(), "group": user.as_str() },
        "command": texts(cx.argv),
        "slurm": dict! {
            "version": dict! { "major": major, "micro": micro, "minor": minor },
            "release": version,
            "cluster": cx.slurm.state().dbd.cluster.as_str(),
        },
    }
}
