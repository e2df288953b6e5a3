//! The reports: their names, headings, columns and rows.

use super::print::{Col, col};
use super::sizes::{bounds, group_titles, sizes};
use super::usage::{self, Share, Whole};
use super::window::Period;
use super::{Query, Unit};
use crate::slurm::jobtext::JobView;
use base::hostlist;
use base::order::StableSort as _;
use slurmdbd::{JobRecord, ResvRecord};
use std::cmp::Reverse;

/// The kind of a report: the first word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReportKind {
    Cluster,
    Job,
    Reservation,
    User,
}

/// A report.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Report {
    AccountUtilizationByUser,
    AccountUtilizationByQos,
    UserUtilizationByAccount,
    UserUtilizationByWckey,
    Utilization,
    WckeyUtilizationByUser,
    SizesByAccount,
    SizesByAccountAndWckey,
    SizesByWckey,
    Reservations,
    TopUsage,
}

const REPORTS: [(ReportKind, &str, Report); 11] = [
    (ReportKind::Cluster, "AccountUtilizationByUser", Report::AccountUtilizationByUser),
    (ReportKind::Cluster, "AccountUtilizationByQOS", Report::AccountUtilizationByQos),
    (ReportKind::Cluster, "UserUtilizationByAccount", Report::UserUtilizationByAccount),
    (ReportKind::Cluster, "UserUtilizationByWckey", Report::UserUtilizationByWckey),
    (ReportKind::Cluster, "Utilization", Report::Utilization),
    (ReportKind::Cluster, "WCKeyUtilizationByUser", Report::WckeyUtilizationByUser),
    (ReportKind::Job, "SizesByAccount", Report::SizesByAccount),
    (ReportKind::Job, "SizesByAccountAndWckey", Report::SizesByAccountAndWckey),
    (ReportKind::Job, "SizesByWckey", Report::SizesByWckey),
    (ReportKind::Reservation, "Utilization", Report::Reservations),
    (ReportKind::User, "TopUsage", Report::TopUsage),
];

impl ReportKind {
    pub const ALL: [Self; 4] = [Self::Cluster, Self::Job, Self::Reservation, Self::User];

    /// The kind with this prefix.
    pub fn named(word: &str) -> Option<Self> {
        let lower = word.to_ascii_lowercase();
        Self::ALL.into_iter().find(|k| !lower.is_empty() && k.name().starts_with(&lower))
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Job => "job",
            Self::Reservation => "reservation",
            Self::User => "user",
        }
    }

    /// `"Utilization", and "Other"`, for the error message about an unknown name.
    pub fn reports(self) -> String {
        match self {
            Self::Job => return "\"SizesByAccount, SizesByAccountAndWcKey, and  SizesByWckey\"".to_owned(),
            Self::User => return "\"Top\"".to_owned(),
            Self::Cluster | Self::Reservation => {}
        }
        let names: Vec<String> =
            REPORTS.iter().filter(|r| r.0 == self).map(|r| format!("\"{}\"", r.1)).collect();
        match names.as_slice() {
            [only] => only.clone(),
            [first @ .., last] => format!("{}, and {last}", first.join(", ")),
            [] => String::new(),
        }
    }
}

impl Report {
    /// The report with this name or prefix.
    pub fn named(kind: ReportKind, word: &str) -> Option<Self> {
        let lower = word.to_ascii_lowercase();
        let begins = |name: &str| name.to_ascii_lowercase().starts_with(&lower);
        REPORTS.iter().find(|r| r.0 == kind && begins(r.1)).map(|r| r.2)
    }

    /// Whether a keyword is valid after the report's name.
    pub fn knows(self, key: &str) -> bool {
        const ALWAYS: &[&str] = &["all_clusters", "clusters", "end", "format", "start"];
        const WHO: &[&str] = &["accounts", "tree", "users", "wckeys", "group", "topcount"];
        const SIZES: &[&str] =
            &["acctasparent", "flatview", "gid", "grouping", "jobs", "nodes", "partitions", "printjobcount"];
        let begins = |list: &[&str]| !key.is_empty() && list.iter().any(|k| k.starts_with(key));
        begins(ALWAYS)
            || match self {
                Self::Utilization => false,
                Self::Reservations => begins(&["names", "nodes"]),
                Self::SizesByAccount | Self::SizesByAccountAndWckey | Self::SizesByWckey => {
                    begins(SIZES) || begins(WHO)
                }
                Self::AccountUtilizationByUser
                | Self::AccountUtilizationByQos
                | Self::UserUtilizationByAccount
                | Self::UserUtilizationByWckey
                | Self::WckeyUtilizationByUser
                | Self::TopUsage => begins(WHO),
            }
    }

    const fn is_sizes(self) -> bool {
        matches!(self, Self::SizesByAccount | Self::SizesByAccountAndWckey | Self::SizesByWckey)
    }

    /// The title lines between the rules.
    pub fn title(self, ask: &Query, window: &Period) -> Vec<String> {
        let name = match self {
            Self::AccountUtilizationByUser => "Cluster/Account/User Utilization".to_owned(),
            Self::AccountUtilizationByQos => "Cluster/Account/QOS Utilization".to_owned(),
            Self::UserUtilizationByAccount => "Cluster/User/Account Utilization".to_owned(),
            Self::UserUtilizationByWckey => "Cluster/User/WCKey Utilization".to_owned(),
            Self::WckeyUtilizationByUser => "Cluster/WCKey/User Utilization".to_owned(),
            Self::Utilization => "Cluster Utilization".to_owned(),
            Self::Reservations => "Reservation Utilization".to_owned(),
            Self::SizesByAccount | Self::SizesByAccountAndWckey => "Job Sizes".to_owned(),
            Self::SizesByWckey => "Job Sizes by Wckey".to_owned(),
            Self::TopUsage => format!("Top {} Users", top_count(ask)),
        };
        let seconds = match self {
            Self::Utilization | Self::Reservations => String::new(),
            _ => format!(" ({} secs)", window.seconds()),
        };
        let unit = match (ask.time.unit, ask.time.amount) {
            (_, false) => "Percentage of Total",
            (Unit::Seconds, true) => "Seconds",
            (Unit::Minutes, true) => "Minutes",
            (Unit::Hours, true) => "Hours",
        };
        let part = if ask.time.percent && ask.time.amount { "/Percentage of Total" } else { "" };
        let of = match (ask.tres.is_some() || self == Self::Reservations, ask.time.amount) {
            (_, false) => "",
            (true, true) => "TRES ",
            (false, true) => "CPU ",
        };
        let second = if self.is_sizes() && ask.has("printjobcount") {
            "Units are in number of jobs ran".to_owned()
        } else if self.is_sizes() {
            format!("Time reported in {unit}{part}")
        } else {
            format!("Usage reported in {of}{unit}{part}")
        };
        vec![format!("{name} {}{seconds}", window.text()), second]
    }

    /// Its columns. Each row has one text per column.
    pub fn columns(self, ask: &Query) -> Vec<Col> {
        let wide = if ask.time.percent && ask.time.amount { 17 } else { 8 };
        let tres = || ask.tres.as_ref().map(|_| col("TRES Name", 14));
        let account = || if ask.has("tree") { col("Account", -20) } else { col("Account", 15) };
        let (login, proper, wckey) = (|| col("Login", 9), || col("Proper Name", 15), || col("WCKey", 15));
        let mut all = vec![col("Cluster", 9)];
        match self {
            Self::AccountUtilizationByUser => all.extend([account(), login(), proper()]),
            Self::AccountUtilizationByQos => all.extend([account(), col("QOS", 12)]),
            Self::UserUtilizationByAccount | Self::TopUsage => {
                all.extend([login(), proper(), col("Account", 15)]);
            }
            Self::UserUtilizationByWckey => all.extend([login(), proper(), wckey()]),
            Self::WckeyUtilizationByUser => all.extend([wckey(), login(), proper()]),
            Self::Utilization => {}
            Self::SizesByAccount => all.push(col("Account", 9)),
            Self::SizesByAccountAndWckey => all.push(col("Account", -20)),
            Self::SizesByWckey => all.push(col("Wckey", 9)),
            Self::Reservations => all.extend([
                col("Name", 9),
                col("Start", 19),
                col("End", 19),
                col("TRES Name", 14),
                col("Allocated", 20),
                col("Idle", 20),
            ]),
        }
        match self {
            Self::AccountUtilizationByUser
            | Self::AccountUtilizationByQos
            | Self::UserUtilizationByAccount
            | Self::TopUsage => {
                let energy = ask.tres.is_none().then(|| col("Energy", wide));
                all.extend(tres().into_iter().chain([col("Used", wide)]).chain(energy));
            }
            Self::UserUtilizationByWckey | Self::WckeyUtilizationByUser => {
                all.extend(tres().into_iter().chain([col("Used", wide)]));
            }
            Self::Utilization => {
                let titles = ["Allocated", "Down", "PLND Down", "Idle", "Planned", "Reported"];
                all.extend(tres().into_iter().chain(titles.map(|t| col(t, wide))));
            }
            Self::SizesByAccount | Self::SizesByAccountAndWckey | Self::SizesByWckey => {
                all.extend(group_titles(&bounds(ask)).iter().map(|t| col(t, 13)));
                all.extend([col("Total Count", 11), col("% of cluster", 12)]);
            }
            Self::Reservations => {}
        }
        all
    }

    /// Its rows.
    pub fn rows(self, view: &JobView, ask: &Query, window: &Period) -> Vec<Vec<String>> {
        if window.rolled_seconds() == 0 {
            return Vec::new();
        }
        let tres = ask.tres.clone().unwrap_or_else(|| vec!["cpu".to_owned()]);
        let wholes: Vec<Whole> = tres.iter().map(|t| Whole::of(view, window, t)).collect();
        match self {
            Self::Utilization => utilization(view, ask, &tres, &wholes),
            Self::AccountUtilizationByUser => by_account(view, ask, window, &tres, &wholes),
            Self::UserUtilizationByAccount => {
                let mut shares = wanted(usage::shares(view, window, &tres), ask);
                shares.order_by_key(|s| (s.user.clone(), s.account.clone()));
                shares.iter().flat_map(|s| user_rows(view, ask, s, &tres, &wholes)).collect()
            }
            Self::AccountUtilizationByQos => by_qos(view, ask, window, &tres, &wholes),
            Self::TopUsage => top(view, ask, window, &tres, &wholes),
            Self::SizesByAccount | Self::SizesByAccountAndWckey | Self::SizesByWckey => {
                sizes(view, ask, window, self == Self::SizesByWckey)
            }
            Self::UserUtilizationByWckey => {
                let mut shares = of_keys(view, ask, window, &tres);
                shares.order_by_key(|s| (s.user.clone(), s.account.clone()));
                shares.iter().flat_map(|s| key_rows(view, ask, s, &tres, &wholes, false)).collect()
            }
            Self::WckeyUtilizationByUser => {
                let shares = of_keys(view, ask, window, &tres);
                shares.iter().flat_map(|s| key_rows(view, ask, s, &tres, &wholes, true)).collect()
            }
            Self::Reservations => reservations(view, ask, window, &tres),
        }
    }
}

fn top_count(ask: &Query) -> usize {
    ask.value("topcount").and_then(|n| n.parse().ok()).unwrap_or(10)
}

/// An amount of TRES seconds in the format of `-t`.
pub(super) fn time(ask: &Query, seconds: u64, whole: u64) -> String {
    let value = seconds as f64;
    let amount = match ask.time.unit {
        Unit::Seconds => value,
        Unit::Minutes => value / 60.0,
        Unit::Hours => value / 3600.0,
    };
    let percent = if whole > 0 { value / whole as f64 * 100.0 } else { 0.0 };
    match (ask.time.amount, ask.time.percent) {
        (true, false) => format!("{amount:.0}"),
        (true, true) => format!("{amount:.0}({percent:.2}%)"),
        (false, _) => format!("{percent:.2}%"),
    }
}

fn utilization(view: &JobView, ask: &Query, tres: &[String], wholes: &[Whole]) -> Vec<Vec<String>> {
    let one = |(name, w): (&String, &Whole)| {
        let mut row = vec![view.state.dbd.cluster.clone()];
        row.extend(ask.tres.as_ref().map(|_| name.clone()));
        let parts = [w.allocated, 0, 0, w.idle(), w.planned, w.reported];
        row.extend(parts.map(|part| time(ask, part, w.reported)));
        row
    };
    tres.iter().zip(wholes).map(one).collect()
}

/// Current and past reservations within the window: the usage of their jobs, and their idle time.
fn reservations(view: &JobView, ask: &Query, window: &Period, tres: &[String]) -> Vec<Vec<String>> {
    let names = ask.list("names");
    let is = view.state.reservations.iter().filter(|r| view.sees_reservation(r)).map(|r| {
        let (start, end) = r.window(view.now);
        let nodes = view.hosts(&r.nodes);
        ResvRecord { id: r.id, name: r.name.clone(), start, end, cpus: view.state.reserved_cpus(r), nodes }
    });
    let all = view.state.dbd.reservations.iter().cloned().chain(is);
    let named = all.filter(|r| names.is_empty() || names.contains(&r.name.to_ascii_lowercase()));
    let mut rows = Vec::new();
    for resv in named {
        let seconds = window.overlap(resv.start, Some(resv.end));
        for name in tres.iter().filter(|_| seconds > 0) {
            let of_it = |job: &JobRecord| job.reservation.as_ref().is_some_and(|r| r.0 == resv.id);
            let used: u64 = usage::ran(view, window)
                .filter(|(job, _)| of_it(job))
                .map(|(job, _)| {
                    let start = job.start.unwrap_or(resv.start).max(resv.start);
                    job.alloc_tres.get(name)
                        * window.overlap(start, Some(job.end.unwrap_or(resv.end).min(resv.end)))
                })
                .sum();
            let nodes =
                hostlist::expand(&resv.nodes).map_or(0, |list| u64::try_from(list.len()).unwrap_or(0));
            let whole = seconds
                * match name.as_str() {
                    "cpu" | "billing" => u64::from(resv.cpus),
                    "node" => nodes,
                    _ => 0,
                };
            let first = [view.state.dbd.cluster.clone(), resv.name.clone(), resv.start.iso(), resv.end.iso()];
            let amounts = [used, whole.saturating_sub(used)].map(|part| time(ask, part, whole));
            rows.push(first.into_iter().chain([name.clone()]).chain(amounts).collect());
        }
    }
    rows
}

/// Only the requested users and accounts.
fn wanted(mut shares: Vec<Share>, ask: &Query) -> Vec<Share> {
    let (users, accounts) = (ask.list("users"), ask.list("accounts"));
    let in_list = |list: &[String], name: &String| list.is_empty() || list.contains(name);
    shares.retain(|s| in_list(&users, &s.user) && in_list(&accounts, &s.account));
    shares
}

fn proper_name(view: &JobView, user: &str) -> String {
    view.users.by_name(user).map_or_else(String::new, |u| u.gecos.clone())
}

/// The columns from the TRES name on, with one row per TRES.
fn amounts(
    ask: &Query,
    first: &[String],
    used: &[u64],
    tres: &[String],
    wholes: &[Whole],
) -> Vec<Vec<String>> {
    let one = |i: usize| {
        let mut row = first.to_vec();
        row.extend(ask.tres.as_ref().map(|_| tres[i].clone()));
        row.push(time(ask, used[i], wholes[i].reported));
        row.extend(ask.tres.is_none().then(|| time(ask, 0, 0)));
        row
    };
    (0..used.len().min(tres.len())).map(one).collect()
}

/// Usage under the requested wckeys, by key and user.
fn of_keys(view: &JobView, ask: &Query, window: &Period, tres: &[String]) -> Vec<Share> {
    let (users, keys) = (ask.list("users"), ask.list("wckeys"));
    let in_list = |list: &[String], name: &String| list.is_empty() || list.contains(name);
    let mut shares = usage::shares_of_keys(view, window, tres);
    shares.retain(|s| in_list(&users, &s.user) && in_list(&keys, &s.account));
    shares
}

/// One row per TRES, with the key before or after the user. There is no column for energy.
fn key_rows(
    view: &JobView,
    ask: &Query,
    s: &Share,
    tres: &[String],
    wholes: &[Whole],
    first: bool,
) -> Vec<Vec<String>> {
    let mut names = vec![s.user.clone(), proper_name(view, &s.user)];
    names.insert(if first { 0 } else { 2 }, s.account.clone());
    names.insert(0, view.state.dbd.cluster.clone());
    let mut rows = amounts(ask, &names, &s.used, tres, wholes);
    if ask.tres.is_none() {
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    rows
}

fn user_rows(view: &JobView, ask: &Query, s: &Share, tres: &[String], wholes: &[Whole]) -> Vec<Vec<String>> {
    let first =
        [view.state.dbd.cluster.clone(), s.user.clone(), proper_name(view, &s.user), s.account.clone()];
    amounts(ask, &first, &s.used, tres, wholes)
}

fn top(view: &JobView, ask: &Query, window: &Period, tres: &[String], wholes: &[Whole]) -> Vec<Vec<String>> {
    let mut shares = wanted(usage::shares(view, window, tres), ask);
    if ask.has("group") {
        let mut merged: Vec<Share> = Vec::new();
        for share in shares {
            match merged.iter_mut().find(|m| m.user == share.user) {
                Some(old) => {
                    old.account = format!("{},{}", old.account, share.account);
                    old.used.iter_mut().zip(&share.used).for_each(|(sum, more)| *sum += more);
                }
                None => merged.push(share),
            }
        }
        shares = merged;
    }
    shares.order_by_key(|s| Reverse(s.used.first().copied().unwrap_or(0)));
    shares.truncate(top_count(ask));
    shares.iter().flat_map(|s| user_rows(view, ask, s, tres, wholes)).collect()
}

/// Accounts in tree order. The totals of an account include its descendants and precede its users.
fn by_account(
    view: &JobView,
    ask: &Query,
    window: &Period,
    tres: &[String],
    wholes: &[Whole],
) -> Vec<Vec<String>> {
    let shares = usage::shares(view, window, tres);
    let (users, accounts) = (ask.list("users"), ask.list("accounts"));
    let dbd = &view.state.dbd;
    let mut rows = Vec::new();
    let Some(root) = dbd.live().find(|a| a.parent.is_none()) else { return rows };
    let mut todo = vec![(root, 0_usize)];
    while let Some((assoc, depth)) = todo.pop() {
        todo.extend(dbd.children(assoc.id).into_iter().rev().map(|child| (child, depth + 1)));
        let of_it = |s: &&Share| match &assoc.user {
            Some(user) => s.user == *user && s.account == assoc.account,
            None => {
                dbd.account_assoc(&s.account).is_some_and(|a| dbd.chain(a.id).any(|up| up.id == assoc.id))
            }
        };
        let mut used = vec![0; tres.len()];
        for share in shares.iter().filter(of_it) {
            used.iter_mut().zip(&share.used).for_each(|(sum, more)| *sum += more);
        }
        let shown = used.iter().any(|u| *u > 0)
            && (accounts.is_empty() || accounts.contains(&assoc.account))
            && assoc.user.as_ref().is_none_or(|u| users.is_empty() || users.contains(u));
        if shown {
            let indent = if ask.has("tree") { " ".repeat(depth) } else { String::new() };
            let user = assoc.user.clone().unwrap_or_default();
            let proper = proper_name(view, &user);
            let first = [dbd.cluster.clone(), indent + &assoc.account, user, proper];
            rows.extend(amounts(ask, &first, &used, tres, wholes));
        }
    }
    rows
}

/// The usage of each account by QOS.
fn by_qos(
    view: &JobView,
    ask: &Query,
    window: &Period,
    tres: &[String],
    wholes: &[Whole],
) -> Vec<Vec<String>> {
    let accounts = ask.list("accounts");
    let shares = usage::shares_of_qos(view, window, tres);
    let shown = shares.iter().filter(|s| accounts.is_empty() || accounts.contains(&s.account));
    let row = |s: &Share| {
        let first = [view.state.dbd.cluster.clone(), s.account.clone(), s.user.clone()];
        amounts(ask, &first, &s.used, tres, wholes)
    };
    shown.flat_map(row).collect()
}
