//! Settings of accounts, users, clusters and QOS: one table from which words are parsed and checked, and from which
//! `add` lists them. Mirrors the specifications in sacctmgr(1).

use super::list;
use crate::Cx;
use base::order::StableSort as _;
use base::time::hms;
use slurmdbd::{QosFlag, tres_limits};

/// The entity that is added or changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    Account,
    /// `add user`, whose error messages do not mention `where`.
    NewUser,
    User,
    Cluster,
    Qos,
}

const ACCOUNT: u8 = 1;
const USER: u8 = 2;
const ASSOC: u8 = 7;
const QOS: u8 = 8;

impl Of {
    const fn bit(self) -> u8 {
        match self {
            Self::Account => ACCOUNT,
            Self::NewUser | Self::User => USER,
            Self::Cluster => 4,
            Self::Qos => QOS,
        }
    }
}

/// The type of a setting's value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    /// Any text; listed elsewhere or not at all.
    Text,
    Count,
    /// A count or `parent`.
    Shares,
    /// Seconds, or a time.
    Seconds,
    Factor,
    Tres,
    Memory,
    Wall,
    Qos,
    DefaultQos,
    Preempt,
    PreemptMode,
    Flags,
}

/// A setting: its entities, its names in lower case (slurmdbd's first), the minimum length of an abbreviation, and its
/// heading in listings.
struct Setting {
    of: u8,
    names: &'static [&'static str],
    least: usize,
    title: &'static str,
    value: Value,
}

const fn s(
    of: u8,
    names: &'static [&'static str],
    least: usize,
    title: &'static str,
    value: Value,
) -> Setting {
    Setting { of, names, least, title, value }
}

/// In the order in which they are listed. A word that matches several names means the first.
#[rustfmt::skip]
const SETTINGS: &[Setting] = &[
    s(ACCOUNT | QOS, &["description"], 2, "Description", Value::Text),
    s(ACCOUNT, &["organization"], 1, "Organization", Value::Text),
    s(USER, &["defaultaccount", "defaultacct"], 8, "Default Account", Value::Text),
    s(USER, &["defaultwckey"], 8, "Default WCKey", Value::Text),
    s(USER, &["adminlevel"], 2, "Admin Level", Value::Text),
    s(USER, &["newname"], 3, "", Value::Text),
    s(ASSOC | QOS, &["rawusage"], 7, "", Value::Text),
    s(ASSOC, &["fairshare", "shares"], 1, "Fairshare", Value::Shares),
    s(QOS, &["flags"], 2, "Flags", Value::Flags),
    s(QOS, &["gracetime"], 3, "GraceTime", Value::Seconds),
    s(ASSOC | QOS, &["grpjobs"], 4, "GrpJobs", Value::Count),
    s(ASSOC | QOS, &["grpjobsaccrue"], 8, "GrpJobsAccrue", Value::Count),
    s(ASSOC | QOS, &["grpsubmitjobs"], 4, "GrpSubmitJobs", Value::Count),
    s(ASSOC | QOS, &["grptres"], 7, "GrpTRES", Value::Tres),
    s(ASSOC | QOS, &["grptresmins"], 8, "GrpTRESMins", Value::Tres),
    s(ASSOC | QOS, &["grptresrunmins"], 8, "GrpTRESRunMins", Value::Tres),
    s(ASSOC | QOS, &["grpcpus"], 7, "GrpTRES", Value::Count),
    s(ASSOC | QOS, &["grpcpumins"], 8, "GrpTRESMins", Value::Count),
    s(ASSOC | QOS, &["grpcpurunmins"], 8, "GrpTRESRunMins", Value::Count),
    s(ASSOC | QOS, &["grpmemory"], 4, "GrpTRES", Value::Memory),
    s(ASSOC | QOS, &["grpnodes"], 4, "GrpTRES", Value::Count),
    s(ASSOC | QOS, &["grpwall"], 4, "GrpWall", Value::Wall),
    s(ASSOC, &["maxjobs"], 4, "MaxJobs", Value::Count),
    s(ASSOC, &["maxjobsaccrue"], 8, "MaxJobsAccrue", Value::Count),
    s(QOS, &["maxjobsaccrueperaccount", "maxjobsaccruepa", "maxjobsaccrueperacct"], 15, "MaxJobsAccruePerAccount", Value::Count),
    s(QOS, &["maxjobsaccrueperuser", "maxjobsaccruepu"], 8, "MaxJobsAccruePerUser", Value::Count),
    s(QOS, &["maxjobsperaccount", "maxjobspa", "maxjobsperacct"], 9, "MaxJobsPerAccount", Value::Count),
    s(QOS, &["maxjobsperuser", "maxjobspu"], 4, "MaxJobsPerUser", Value::Count),
    s(QOS, &["maxsubmitjobsperaccount", "maxsubmitjobspa", "maxsubmitjobsperacct"], 15, "MaxSubmitJobsPerAccount", Value::Count),
    s(QOS, &["maxsubmitjobsperuser", "maxsubmitjobspu"], 4, "MaxSubmitJobsPerUser", Value::Count),
    s(ASSOC, &["maxsubmitjobs"], 4, "MaxSubmitJobs", Value::Count),
    s(QOS, &["maxtresperaccount", "maxtrespa", "maxtresperacct"], 9, "MaxTRESPerAccount", Value::Tres),
    s(ASSOC, &["maxtresperjob", "maxtrespj"], 7, "MaxTRES", Value::Tres),
    s(QOS, &["maxtresperjob", "maxtrespj"], 7, "MaxTRESPerJob", Value::Tres),
    s(ASSOC | QOS, &["maxtrespernode", "maxtrespn"], 9, "MaxTRESPerNode", Value::Tres),
    s(QOS, &["maxtresperuser", "maxtrespu"], 9, "MaxTRESPerUser", Value::Tres),
    s(ASSOC, &["maxtresminsperjob", "maxtresminspj", "maxtresmpj"], 8, "MaxTRESMins", Value::Tres),
    s(QOS, &["maxtresminsperjob", "maxtresminspj", "maxtresmpj"], 8, "MaxTRESMinsPerJob", Value::Tres),
    s(QOS, &["maxtresrunminsperaccount", "maxtresrunminspa", "maxtresrunminsperacct"], 16, "MaxTRESRunMinsPerAccount", Value::Tres),
    s(QOS, &["maxtresrunminsperuser", "maxtresrunminspu"], 8, "MaxTRESRunMinsPerUser", Value::Tres),
    s(ASSOC | QOS, &["maxcpusperjob"], 7, "MaxTRES", Value::Count),
    s(QOS, &["maxcpusperuser"], 11, "MaxTRESPerUser", Value::Count),
    s(ASSOC | QOS, &["maxcpuminsperjob"], 8, "MaxTRESMins", Value::Count),
    s(ASSOC | QOS, &["maxnodesperjob"], 4, "MaxTRES", Value::Count),
    s(QOS, &["maxnodesperuser"], 12, "MaxTRESPerUser", Value::Count),
    s(ASSOC | QOS, &["maxwalldurationperjob", "maxwallpj", "maxwallperjob"], 4, "MaxWall", Value::Wall),
    s(ASSOC | QOS, &["minpriothreshold"], 7, "MinPrioThresh", Value::Count),
    s(QOS, &["mintresperjob", "mintrespj"], 7, "MinTRESPerJob", Value::Tres),
    s(ACCOUNT, &["parent"], 1, "Parent", Value::Text),
    s(QOS, &["preempt"], 3, "Preempt", Value::Preempt),
    s(QOS, &["preemptmode"], 8, "PreemptMode", Value::PreemptMode),
    s(QOS, &["preemptexempttime"], 8, "PreemptExemptTime", Value::Seconds),
    s(ASSOC | QOS, &["priority"], 3, "Priority", Value::Count),
    s(QOS, &["usagefactor"], 6, "UsageFactor", Value::Factor),
    s(QOS, &["usagethreshold"], 6, "UsageThreshold", Value::Factor),
    s(QOS, &["limitfactor"], 3, "LimitFactor", Value::Factor),
    s(ASSOC, &["qoslevel", "qoslist"], 1, "QOS", Value::Qos),
    s(ASSOC, &["defaultqos"], 8, "DefQOS", Value::DefaultQos),
];

/// TRES types without a name, and those with one.
const TRES: &[&str] =
    &["cpu", "mem", "energy", "node", "billing", "fs", "vmem", "pages", "gres", "license", "bb", "ic"];

/// Preemption modes that sacctmgr accepts.
const MODES: &[&str] = &["off", "cluster", "cancel", "requeue", "suspend", "within"];

fn find(of: Of, key: &str) -> Option<&'static Setting> {
    let fits = |s: &&Setting| {
        s.of & of.bit() != 0
            && (s.names.contains(&key)
                || (key.len() >= s.least && s.names.iter().any(|n| n.starts_with(key))))
    };
    let exact = |s: &&Setting| s.of & of.bit() != 0 && s.names.contains(&key);
    SETTINGS.iter().find(exact).or_else(|| SETTINGS.iter().find(fits))
}

/// The names of the settings of each entity.
pub fn names() -> [(&'static str, Vec<&'static str>); 4] {
    let of = |of: Of| {
        let own = SETTINGS.iter().filter(move |s| s.of & of.bit() != 0);
        own.flat_map(|s| s.names.iter().copied()).collect()
    };
    [
        ("accounts", of(Of::Account)),
        ("users", of(Of::User)),
        ("clusters", of(Of::Cluster)),
        ("qos", of(Of::Qos)),
    ]
}

/// `key+`, `key-`: adds to or removes from a list.
fn bare(key: &str) -> (&str, &str) {
    key.split_at(key.trim_end_matches(['+', '-']).len())
}

/// How an invalid setting is reported.
enum Wrong {
    /// On standard error; what follows depends on the entity.
    Said(String),
    /// On standard error, and nothing follows.
    Only(String),
    /// On standard output.
    Out(String),
    /// On standard error, and the setting is omitted.
    Dropped(String),
    Unknown,
}

/// Checks settings and converts their names to slurmdbd's.
///
/// # Errors
///
/// The exit code, after the error message.
pub(super) fn read(
    cx: &mut Cx,
    of: Of,
    settings: Vec<(String, String)>,
) -> Result<Vec<(String, String)>, u8> {
    let mut all: Vec<(String, String)> = Vec::new();
    for (key, value) in settings {
        let wrong = match one(cx, of, &key, &value) {
            Ok((name, value)) => {
                // The last value counts. With a sign, each changes a list.
                if !name.ends_with(['+', '-']) {
                    all.retain(|(known, _)| *known != name);
                }
                all.push((name, value));
                continue;
            }
            Err(wrong) => wrong,
        };
        let unknown = format!(" Unknown option: {key}={value}");
        let hint = "\n Use keyword 'where' to modify condition";
        let tail = unknown + if of == Of::NewUser { "" } else { hint };
        match wrong {
            Wrong::Dropped(text) => {
                cx.complain(&text);
                continue;
            }
            Wrong::Only(text) => cx.complain(&text),
            Wrong::Out(text) => cx.print(&text),
            Wrong::Said(text) if of == Of::Qos => cx.complain(&text),
            Wrong::Said(text) => cx.complain(&format!("{text}\n{tail}")),
            Wrong::Unknown if of == Of::Qos => cx.line(&tail),
            Wrong::Unknown => cx.complain(&tail),
        }
        return Err(1);
    }
    Ok(all)
}

/// A setting with slurmdbd's name and a valid value.
fn one(cx: &Cx, of: Of, typed: &str, value: &str) -> Result<(String, String), Wrong> {
    let lower = typed.to_ascii_lowercase();
    let (key, sign) = bare(&lower);
    let setting = find(of, key).ok_or(Wrong::Unknown)?;
    let name = setting.names.first().copied().unwrap_or_default();
    let read = |value: &str| Ok((format!("{name}{sign}"), value.to_owned()));
    let error = |text: String| format!("{}: error: {text}", cx.name());
    let number = |good: bool| {
        if good {
            return Ok(());
        }
        let title = if setting.value == Value::Shares { "FairShare" } else { setting.title };
        let text = error(format!("Invalid value for {title} ({value})"));
        Err(if of == Of::Qos { Wrong::Dropped(text) } else { Wrong::Said(text) })
    };
    match setting.value {
        Value::Text => {}
        // Any negative number means no limit.
        Value::Count | Value::Shares if value.parse::<i64>().is_ok_and(|n| n < 0) => return read("-1"),
        // No number is zero.
        Value::Count | Value::Shares if value.is_empty() => return read("0"),
        Value::Count => number(value.parse::<u32>().is_ok())?,
        Value::Shares => number(value.eq_ignore_ascii_case("parent") || value.parse::<u32>().is_ok())?,
        Value::Factor => number(value.parse::<f64>().is_ok_and(f64::is_finite))?,
        Value::Seconds => {
            number(crate::slurm::opt::values::duration(value).is_some() || value.parse::<i64>().is_ok())?;
        }
        Value::Wall if value != "-1" && crate::slurm::opt::values::time_limit(value).is_none() => {
            return Err(Wrong::Said(format!(" Bad {} time format: {typed}={value}", setting.title)));
        }
        Value::Memory => number(value == "-1" || tres_limits(&format!("mem={value}")).is_some())?,
        Value::Tres if value.is_empty() => return Err(Wrong::Unknown),
        Value::Tres => bad_tres(cx, value).map_or(Ok(()), |text| Err(Wrong::Said(error(text))))?,
        Value::Qos | Value::Preempt => {
            unknown_qos(cx, value).map_or(Ok(()), |text| Err(Wrong::Said(text)))?;
            // `qos=+high` is `qos+=high`.
            if let (Some(first @ ('+' | '-')), true) =
                (value.chars().next(), sign.is_empty() && value.len() > 2)
            {
                let names = list(value).into_iter().map(|word| word.trim_start_matches(first).to_owned());
                return Ok((format!("{name}{first}"), names.collect::<Vec<_>>().join(",")));
            }
        }
        Value::DefaultQos if value != "-1" && unknown_qos(cx, value).is_some() => {
            let text = format!("You gave a bad default qos '{value}'.  Use 'list qos' to get complete list.");
            return Err(Wrong::Only(text));
        }
        Value::PreemptMode
            if !list(value).iter().any(|v| MODES.iter().any(|m| v.eq_ignore_ascii_case(m))) =>
        {
            return Err(Wrong::Only(format!(" Bad Preempt Mode given: {typed}={value}")));
        }
        Value::Flags => flags(value)?,
        Value::Wall | Value::DefaultQos | Value::PreemptMode => {}
    }
    read(value)
}

/// The error message about a list with an unknown QOS.
pub(super) fn unknown_qos(cx: &Cx, value: &str) -> Option<String> {
    let qos = || cx.cluster.state().dbd.qos.iter().filter(|q| !q.deleted);
    let bad = list(value)
        .into_iter()
        .map(|n| n.trim_start_matches(['+', '-']).to_lowercase())
        .find(|name| !matches!(name.as_str(), "" | "-1" | "1") && !qos().any(|q| q.name == *name))?;
    let valid: Vec<&str> = qos().map(|q| q.name.as_str()).collect();
    let tool = cx.name();
    Some(format!("{tool}: error: You gave a bad qos '{bad}'. Valid QOS's are {}", valid.join(",")))
}

fn flags(value: &str) -> Result<(), Wrong> {
    let known = |word: &String| word == "-1" || QosFlag::parse(word).is_some();
    if list(value).iter().all(known) {
        return Ok(());
    }
    let all: Vec<&str> = QosFlag::SHOWN.iter().map(|flag| flag.text()).collect();
    Err(Wrong::Out(format!(
        " Unknown QOS flag used in:\n  '{value}'\n Valid QOS flags are\n  '{}'\n",
        all.join(",")
    )))
}

fn bad_tres(cx: &Cx, value: &str) -> Option<String> {
    let tracked = &cx.cluster.state().cluster.global.tracked_gres;
    list(value).into_iter().filter(|part| part != "-1").find_map(|part| {
        let name = part.split('=').next().unwrap_or_default().to_owned();
        let known = match name.split_once('/') {
            Some(("gres", gres)) => tracked.iter().any(|tracked| tracked == gres),
            _ => TRES.contains(&name.split('/').next().unwrap_or_default()),
        };
        match (known, part.contains('=')) {
            (true, true) => None,
            (_, false) => Some(format!("slurmdb_format_tres_str: no TRES id found for {part}")),
            (false, true) => Some(format!("slurmdb_format_tres_str: no TRES known by type {name}")),
        }
    })
}

/// Settings as `add` lists them: headings and texts, in the order of the table.
pub(super) fn listed(of: Of, settings: &[(String, String)]) -> Vec<(&'static str, String)> {
    let mut all = Vec::new();
    for row in SETTINGS.iter().filter(|row| row.of & of.bit() != 0 && !row.title.is_empty()) {
        let mine = settings.iter().find(|(key, _)| Some(&bare(key).0) == row.names.first());
        let Some((key, value)) = mine else { continue };
        if row.value != Value::Text || row.title == "Parent" {
            all.push((row.title, text(row, key, value)));
        }
    }
    all
}

/// The listed text of a setting's value.
fn text(row: &Setting, key: &str, value: &str) -> String {
    if value == "-1" {
        return "NONE".to_owned();
    }
    match row.value {
        Value::Wall => crate::slurm::opt::values::duration(value)
            .map_or_else(|| value.to_owned(), |s| hms(i64::try_from(s).unwrap_or(0))),
        Value::Factor => value.parse::<f64>().map_or_else(|_| value.to_owned(), |n| format!("{n:.4}")),
        Value::PreemptMode => value.to_ascii_uppercase(),
        Value::Tres => tres_limits(value).map_or_else(|| value.to_owned(), |map| super::fields::tres(&map)),
        Value::Qos | Value::Preempt => {
            let (_, sign) = bare(key);
            let mut names = list(value);
            names.order();
            names.iter().map(|name| format!("{sign}{name}")).collect::<Vec<_>>().join(",")
        }
        Value::Memory => text(&Setting { value: Value::Tres, ..*row }, key, &format!("mem={value}")),
        // The older options that limit one TRES.
        Value::Count if row.title.contains("TRES") => {
            format!("{}={value}", if key.contains("cpu") { "cpu" } else { "node" })
        }
        Value::Text | Value::Count | Value::Shares | Value::Seconds | Value::DefaultQos | Value::Flags => {
            value.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_be_abbreviated() {
        let name = |of, key| find(of, key).and_then(|s| s.names.first().copied());
        assert_eq!(name(Of::User, "share"), Some("fairshare"));
        assert_eq!(name(Of::Account, "grpsubmit"), Some("grpsubmitjobs"));
        assert_eq!(name(Of::Account, "maxtres"), Some("maxtresperjob"));
        assert_eq!(name(Of::Qos, "maxjobs"), Some("maxjobsperuser"));
        assert_eq!(name(Of::Qos, "usagethres"), Some("usagethreshold"));
        assert_eq!(name(Of::Qos, "maxjobspu"), Some("maxjobsperuser"));
        // `MaxSubmitJobsPU` cannot be abbreviated in its middle.
        assert_eq!(name(Of::Qos, "maxsubmitpu"), None);
        assert_eq!(name(Of::Qos, "fairshare"), None);
        assert_eq!(name(Of::User, "description"), None);
    }

    #[test]
    fn listed_in_order() {
        let given = [
            ("defaultqos", "high"),
            ("qoslevel", "normal,high"),
            ("grptres", "gres/gpu=2,cpu=50"),
            ("fairshare", "10"),
        ]
        .map(|(k, v)| (k.to_owned(), v.to_owned()));
        let lines: Vec<String> =
            listed(Of::Account, &given).into_iter().map(|(title, text)| format!("{title}:{text}")).collect();
        assert_eq!(lines, ["Fairshare:10", "GrpTRES:cpu=50,gres/gpu=2", "QOS:high,normal", "DefQOS:high"]);
    }
}
