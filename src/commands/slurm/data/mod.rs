//! `--json` and `--yaml`: output with the structure of Slurm's data_parser/v0.0.45.
//!
//! Names and nesting follow Slurm's OpenAPI description and recorded excerpts of such output. [`rows`] declares them,
//! the sibling modules fill them in from the state, and [`write`] streams them row by row.

pub mod accounts;
pub mod history;
pub mod jobs;
pub mod nodes;
pub mod rows;
pub mod sdiag;
pub mod write;

use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::release;
use super::tool::ArgumentKind;
use crate::Cx;
use base::time::{Limit, Time};
use base::tres::Tres;
use rows::{Meta, MetaClient, MetaPlugin, MetaSlurm, Number, SlurmVersion, TresCount};
use slurmctld::Slurmctld;
use write::{DataFormat, ResponseWriter};

/// The simulated data parser.
const PARSER: &str = "v0.0.45";

/// The values that `--json=` and `--yaml=` accept.
pub const PARSERS: ArgumentKind = ArgumentKind::OneOf(&["v0.0.45", "list"]);

/// A text. None becomes an empty string.
fn text<'a>(text: impl Into<Option<&'a str>>) -> String {
    text.into().unwrap_or_default().to_owned()
}

/// A list of strings.
fn texts<S: Into<String>>(list: impl IntoIterator<Item = S>) -> Vec<String> {
    list.into_iter().map(Into::into).collect()
}

/// A number that may be unset.
fn number(n: Option<u64>) -> Number {
    Number { set: n.is_some(), infinite: false, number: n.unwrap_or(0) }
}

/// A number without a limit.
fn infinite() -> Number {
    Number { set: false, infinite: true, number: 0 }
}

/// A number. None becomes infinite.
fn at_most(n: Option<u32>) -> Number {
    n.map_or_else(infinite, |n| number(Some(n.into())))
}

/// A floating-point number.
fn float(n: f64) -> Number<f64> {
    Number { set: true, infinite: n.is_infinite(), number: if n.is_finite() { n } else { 0.0 } }
}

/// A timestamp in seconds since 1970.
fn moment(time: Option<Time>) -> Number {
    let seconds = time.and_then(|t| u64::try_from(t.secs()).ok());
    number(Some(seconds.unwrap_or(0)))
}

/// A time limit in minutes.
fn limit(limit: Option<Limit>) -> Number {
    match limit {
        None => number(None),
        Some(Limit::Minutes(minutes)) => number(Some(minutes.into())),
        Some(Limit::Unlimited) => infinite(),
    }
}

/// `[{"type": "cpu", "name": "", "id": 1, "count": 4}]`.
fn tres_list(view: &JobView, tres: &Tres) -> Vec<TresCount> {
    let amount = |kind: &str, name: &str| {
        tres.get(&if name.is_empty() { kind.to_owned() } else { format!("{kind}/{name}") })
    };
    let rows = super::tres::rows(view.state).into_iter();
    let count = |amount: u64| i64::try_from(amount).unwrap_or(i64::MAX);
    rows.map(|(kind, name, id)| TresCount { count: count(amount(&kind, &name)), kind, name, id })
        .filter(|row| row.count > 0)
        .collect()
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
    /// An unknown parser, and whether JSON was requested.
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
        base if release::parser_number(base).is_some() && name == "json" => Form::Json,
        base if release::parser_number(base).is_some() => Form::Yaml,
        _ => Form::Unknown(name == "json"),
    })
}

/// Prints the response that `fill` writes, with the fields that every response has.
pub fn print(cx: &mut Cx, form: Form, fill: impl FnOnce(&JobView, &mut ResponseWriter)) -> u8 {
    let name = cx.name().to_owned();
    let release = release::of(cx);
    let asked = wanted(cx);
    let chosen = release::parser_number(asked.split('+').next().unwrap_or_default());
    let parser = chosen.unwrap_or(release.parser);
    let known = chosen.is_none_or(|parser| release.parsers.contains(&parser));
    let format = match form {
        Form::Parsers => {
            cx.complain("Possible data_parser plugins:");
            release.parsers.iter().for_each(|parser| cx.line(&format!("data_parser/v0.0.{parser}")));
            return 0;
        }
        Form::Json | Form::Yaml if known && parser < release::OLDEST => {
            cx.complain(&format!(
                "{name}: error: the structure of data_parser/v0.0.{parser} is not simulated"
            ));
            return 1;
        }
        Form::Json if known && cx.env.get("SLURM_JSON").is_some_and(|how| how == "compact") => {
            DataFormat::CompactJson
        }
        Form::Json if known => DataFormat::Json,
        Form::Yaml if known => DataFormat::Yaml,
        Form::Json | Form::Yaml | Form::Unknown(_) => {
            let kind = if matches!(form, Form::Json | Form::Unknown(true)) { "json" } else { "x-yaml" };
            cx.complain(&format!(
                "{name}: error: load_plugins: unable to find plugin: data_parser/{asked}\n{name}: error: data_parser_g_new: failure \
                 loading plugins: Plugin has invalid format or unable to be loaded\n{name}: error: application/{kind} output not \
                 supported by data_parser/v0.0.{}",
                release.parser
            ));
            return 1;
        }
    };
    let view = JobView::of(cx);
    let mut meta = meta(view.state, &cx.user(), texts(cx.argv.iter().cloned()));
    meta.plugin.data_parser = format!("data_parser/v0.0.{parser}");
    meta.slurm = slurm_release(release.version, view.state);
    let text = write::response(format, &meta, |out| fill(&view, out));
    cx.print(&text);
    0
}

/// The parser requested on the command line.
fn wanted(cx: &Cx) -> String {
    let named =
        cx.argv.iter().rev().find_map(|word| word.strip_prefix("--json=").or(word.strip_prefix("--yaml=")));
    named.unwrap_or_default().to_owned()
}

/// The metadata of every response: the request, the client and the server.
#[must_use]
pub fn meta(state: &Slurmctld, user: &str, command: Vec<String>) -> Meta {
    Meta {
        plugin: MetaPlugin {
            kind: "",
            name: "",
            data_parser: format!("data_parser/{PARSER}"),
            accounting_storage: "accounting_storage/slurmdbd",
        },
        client: MetaClient { source: String::new(), user: user.to_owned(), group: user.to_owned() },
        command,
        slurm: slurm_release(super::VERSION, state),
    }
}

fn slurm_release(version: &'static str, state: &Slurmctld) -> MetaSlurm {
    let release = version.trim_start_matches("slurm ");
    let mut parts = release.split('.');
    let mut part = || parts.next().unwrap_or("");
    let (major, minor, micro) = (part(), part(), part());
    MetaSlurm { version: SlurmVersion { major, micro, minor }, release, cluster: state.dbd.cluster.clone() }
}
