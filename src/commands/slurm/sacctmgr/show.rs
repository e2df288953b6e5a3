//! `sacctmgr list` and `show`.

use super::change::Confirmation;
use super::condition::Plain;
use super::fields::{self, FIELDS, SacctmgrLine};
use super::selection::unknown;
use super::{entity, list, pairs, tables};
use crate::Cx;
use crate::slurm::data;
use crate::slurm::getopt::ParsedArguments;
use crate::slurm::listing::{Listing, ListingStyle, name_and_width};
use crate::slurm::private::{self, PrivateKind};
use base::order::StableSort as _;
use slurmctld::Slurmctld;
use slurmdbd::{Assoc, ROOT};

const ACCOUNT: &str = "account,description,organization";
const ACCOUNT_ASSOC: &str = ",cluster,parentname,user,share,priority,grpjobs,grpnodes,grpcpus,grpmemory,grpsubmit,grpwall,grpcpumins,\
    maxjobs,maxnodes,maxcpus,maxsubmit,maxwall,maxcpumins,qos,defaultqos";
const USER_ASSOC: &str = ",cluster,account,partition,share,priority,maxjobs,maxnodes,maxcpus,maxsubmit,maxwall,maxcpumins,qos,\
    defaultqos";
/// Associations without their limits.
const ASSOC_BARE: &str = "cluster,account,user,partition";
const ASSOC: &str = "cluster,account,user,partition,share,priority,grpjobs,grptres,grpsubmit,grpwall,grptresmins,maxjobs,maxtres,\
    maxtrespernode,maxsubmit,maxwall,maxtresmins,qos,defaultqos,grptresrunmins";
const QOS: &str = "name,priority,gracetime,preempt,preemptexempttime,preemptmode,flags%40,usagethreshold,usagefactor,grptres,\
    grptresmins,grptresrunmins,grpjobs,grpsubmit,grpwall,maxtres,maxtrespernode,maxtresmins,maxwall,maxtrespu,maxjobspu,\
    maxsubmitpu,maxtrespa,maxtresrunminspa,maxtresrunminspu,maxjobspa,maxsubmitpa,mintres";

/// The selection of `show`.
pub struct ShowSelection {
    pub format: Option<String>,
    /// Names of the entities; empty: all.
    pub names: Vec<String>,
    /// Fields, by their index in the table, with the accepted values.
    conditions: Vec<(usize, Vec<String>)>,
    tree: bool,
    with_assoc: bool,
    with_coordinators: bool,
    /// Includes the accounts below the selected ones.
    with_sub: bool,
    /// Leaves inherited limits and QOS empty.
    without_parent: bool,
    /// Lists associations without their limits.
    without_limits: bool,
    /// A condition refers to associations of the listed users or accounts.
    of_assocs: bool,
    /// The clusters whose associations are selected; empty: all.
    clusters: Vec<String>,
    /// Only users in their default accounts.
    only_defaults: bool,
    /// One line for each cluster's share of a resource.
    pub with_clusters: bool,
    pub style: ListingStyle,
    /// Conditions on events and transactions.
    pub plain: Plain,
}

/// Runs `show`.
pub fn run(
    cx: &mut Cx,
    parsed: &ParsedArguments,
    words: &[String],
    ask: &mut Confirmation,
) -> Result<u8, String> {
    // Coordinators cannot be listed, and resources only under the singular name.
    let listable = |word: &str| word != "resources" && entity(word) != Some("coordinators");
    let first = words.first().filter(|word| listable(&word.to_ascii_lowercase()));
    let kind = first.and_then(|w| entity(w)).ok_or_else(|| {
        "No valid entity in list command\nInput line must include \"Account\", \"Association\", \"Cluster\", \"Configuration\",\n\
         \"Event\", \"Federation\", \"Problem\", \"QOS\", \"Resource\", \"Reservation\",\n\
         \"RunAwayJobs\", \"Stats\", \"Transaction\", \"TRES\", \"User\", or \"WCKey\""
            .to_owned()
    })?;
    let wish = selection_of(cx, parsed, kind, words.get(1..).unwrap_or(&[]))?;
    let question = "You requested options that are only valid when querying with the withassoc option.\nAre you sure you want to \
        continue? (You have 30 seconds to decide)\n(N/y): ";
    if wish.of_assocs && !wish.with_assoc && !ask.agreed(cx, question) {
        cx.line("Aborted");
        return Ok(0);
    }
    if let Some(asked) = data::asked(parsed) {
        return Ok(data::print(cx, asked, |view, out| data::accounts::sacctmgr(view, out, kind)));
    }
    let keys = if cx.cluster.state().cluster.global.track_wckey { "defaultwckey," } else { "" };
    let coordinated = if wish.with_coordinators { ",coordaccounts" } else { "" };
    let default = match kind {
        "accounts" => format!("{ACCOUNT}{}{coordinated}", if wish.with_assoc { ACCOUNT_ASSOC } else { "" }),
        "users" => {
            let more = if wish.with_assoc { USER_ASSOC } else { "" };
            format!("user,defaultaccount,{keys}adminlevel{more}{coordinated}")
        }
        "associations" if wish.without_limits => ASSOC_BARE.to_owned(),
        "associations" => ASSOC.to_owned(),
        "qos" => QOS.to_owned(),
        other => return tables::show(cx, other, &wish, ask),
    };
    let listing = listing(&wish, &default)?;
    let mut out = Vec::new();
    let uid = cx.uid();
    let state = cx.cluster.state();
    listing.head(&mut out);
    for line in lines(state, kind, &wish).iter().filter(|l| may_see(state, uid, l) && wish.fits(l)) {
        listing.row(&mut out, &|at| FIELDS.get(at).map_or_else(String::new, |f| (f.get)(line)));
    }
    cx.out.append(&mut out);
    Ok(0)
}

/// With `PrivateData`, users see themselves and the accounts that they coordinate.
fn may_see(state: &Slurmctld, uid: base::ids::Uid, line: &SacctmgrLine) -> bool {
    let me = state.user_name(uid);
    if let Some(assoc) = line.assoc {
        let mine = assoc.user.as_ref() == Some(&me) || state.dbd.coordinates(&me, &assoc.account);
        return mine || private::sees_all(state, uid, PrivateKind::Users) || assoc.user.is_none();
    }
    if let Some(user) = line.user {
        return user.name == me || private::sees_all(state, uid, PrivateKind::Users);
    }
    let own = |account: &str| {
        state.dbd.user_assoc(&me, account, "").is_some() || state.dbd.coordinates(&me, account)
    };
    line.account.is_none_or(|a| own(&a.name) || private::sees_all(state, uid, PrivateKind::Accounts))
}

impl ShowSelection {
    /// Whether a value may occur in the column with this heading.
    pub fn admits(&self, title: &str, value: &str) -> bool {
        let mut of_it =
            self.conditions.iter().filter(|(at, _)| FIELDS.get(*at).is_some_and(|f| f.title == title));
        of_it.all(|(_, values)| values.iter().any(|v| v == value))
    }

    /// Whether a line is selected.
    fn fits(&self, line: &SacctmgrLine) -> bool {
        let whole = SacctmgrLine { depth: None, coordinators: true, inherited: true, ..*line };
        self.conditions.iter().all(|(at, values)| {
            let field = FIELDS.get(*at);
            // With the sub-accounts, an account's own lines are those below it.
            if let (true, Some(assoc), Some("Account")) = (self.with_sub, line.assoc, field.map(|f| f.title))
            {
                return line
                    .state
                    .dbd
                    .chain(assoc.id)
                    .any(|up| values.contains(&up.account) && up.account != ROOT);
            }
            let text = field.map_or_else(String::new, |f| (f.get)(&whole));
            values.iter().any(|v| text.split(',').any(|t| t.eq_ignore_ascii_case(v)))
        })
    }
}

/// Words that are switches, and whether they have an effect here.
const SWITCHES: &[&str] = &["where", "withdeleted", "withrawqoslevel", "set"];

/// The fields that a condition may name, of the entity itself and of its associations.
fn conditions(kind: &str) -> (&'static [&'static str], &'static [&'static str]) {
    match kind {
        "accounts" => (
            &["description", "organization", "coordinators"],
            &["user", "parentname", "qos", "partition", "fairshare", "defaultqos"],
        ),
        "users" => (
            &["adminlevel", "defaultaccount", "defaultwckey", "coordinators"],
            &["account", "partition", "qos", "defaultqos"],
        ),
        "qos" => (&["id", "description", "preemptmode"], &[]),
        _ => (&["account", "user", "partition", "parentname", "qos", "id", "defaultqos"], &[]),
    }
}

fn selection_of(
    cx: &Cx,
    parsed: &ParsedArguments,
    kind: &'static str,
    words: &[String],
) -> Result<ShowSelection, String> {
    let mut wish = ShowSelection {
        format: None,
        names: Vec::new(),
        conditions: Vec::new(),
        tree: false,
        with_assoc: parsed.has("associations"),
        with_coordinators: false,
        with_sub: false,
        without_parent: false,
        without_limits: false,
        of_assocs: false,
        clusters: Vec::new(),
        only_defaults: false,
        with_clusters: false,
        style: ListingStyle::of(parsed),
        plain: Plain::default(),
    };
    let own: &[&str] = match kind {
        "accounts" => &["account", "accounts", "acct", "name", "names"],
        "users" => &["user", "users", "name", "names"],
        "clusters" => &["cluster", "clusters", "name", "names"],
        _ => &["name", "names", "qos"],
    };
    for (key, value) in pairs(words) {
        let lower = key.to_ascii_lowercase();
        if wish.plain.read(cx.now, kind, &lower, value.as_deref())? {
            continue;
        }
        match (lower.as_str(), value) {
            ("format", Some(format)) => wish.format = Some(format),
            (key, Some(value))
                if own.contains(&key) && (kind != "associations" || key.starts_with("name")) =>
            {
                wish.names.extend(list(&value));
            }
            ("cluster" | "clusters", Some(names)) => {
                wish.clusters = list(&names);
            }
            ("start" | "end" | "starttime" | "endtime" | "flags", Some(_)) => {}
            ("tree", None) => wish.tree = true,
            ("onlydefaults", None) => wish.only_defaults = true,
            (switch, None) if switch.starts_with("withass") => wish.with_assoc = true,
            (switch, None) if switch.starts_with("withcl") => wish.with_clusters = true,
            (switch, None) if switch.starts_with("withc") => wish.with_coordinators = true,
            (switch, None) if switch.starts_with("withs") => wish.with_sub = true,
            (switch, None) if switch.starts_with("wol") || switch.starts_with("wopl") => {
                wish.without_limits = true;
            }
            (switch, None) if kind != "users" && switch.starts_with("wop") => wish.without_parent = true,
            ("wopinfo", None) => wish.without_parent = true,
            (switch, None) if SWITCHES.contains(&switch) => {}
            (_, None) => wish.names.extend(list(&key)),
            (key, Some(value)) if tables::is_plain(kind) => {
                wish.names.extend(Some(value).filter(|_| key == "id"))
            }
            (key, Some(value)) => {
                let plural = key.strip_suffix('s').filter(|k| *k == "account" || *k == "user").unwrap_or(key);
                let (own, of_assocs) = conditions(kind);
                let names = |at: usize, all: &[&str]| all.iter().any(|name| fields::find(name) == Some(at));
                let found = fields::find(plural).filter(|at| names(*at, own) || names(*at, of_assocs));
                let Some(at) = found else { return Err(unknown(kind, key, &value)) };
                if FIELDS.get(at).is_some_and(|f| f.title == "QOS")
                    && let Some(text) = super::settings::unknown_qos(cx, &value)
                {
                    return Err(format!("{text}\n{}", unknown(kind, key, &value)));
                }
                wish.of_assocs |= names(at, of_assocs);
                wish.conditions.push((at, list(&value)));
            }
        }
    }
    Ok(wish)
}

fn listing(wish: &ShowSelection, default: &str) -> Result<Listing, String> {
    let mut listing = Listing::new(wish.style.clone());
    let format = wish.format.as_deref().unwrap_or(default);
    if format.is_empty() {
        return Err("Unknown field ''".to_owned());
    }
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = name_and_width(word);
        let at = fields::find(name).ok_or_else(|| format!("Unknown field '{name}'"))?;
        let Some(field) = FIELDS.get(at) else { continue };
        let tree = wish.tree && field.title == "Account";
        listing.add(at, field.title, width.unwrap_or(if tree { -20 } else { field.width }));
    }
    Ok(listing)
}

fn one_of(list: &[String], name: &str) -> bool {
    list.is_empty() || list.iter().any(|n| n.eq_ignore_ascii_case(name))
}

/// Current associations in tree order (an account, its users, its accounts), each with its depth.
fn tree(state: &Slurmctld) -> Vec<(&Assoc, usize)> {
    let mut found = Vec::new();
    let live = || state.dbd.assocs.iter().filter(|a| !a.deleted);
    let mut stack: Vec<(&Assoc, usize)> = live().filter(|a| a.parent.is_none()).map(|a| (a, 0)).collect();
    while let Some((assoc, depth)) = stack.pop() {
        found.push((assoc, depth));
        if assoc.user.is_some() {
            continue;
        }
        let mut below: Vec<&Assoc> = live().filter(|a| a.parent == Some(assoc.id)).collect();
        below.order_by(|a, b| {
            (a.user.is_none(), &a.user, &a.account).cmp(&(b.user.is_none(), &b.user, &b.account))
        });
        stack.extend(below.into_iter().rev().map(|a| (a, depth + 1)));
    }
    found
}

/// The selected entities of a kind.
fn lines<'a>(state: &'a Slurmctld, kind: &str, wish: &ShowSelection) -> Vec<SacctmgrLine<'a>> {
    let dbd = &state.dbd;
    let base = || SacctmgrLine {
        coordinators: wish.with_coordinators,
        inherited: !wish.without_parent && !wish.without_limits,
        ..SacctmgrLine::empty(state)
    };
    let with = |line: SacctmgrLine<'a>, mine: &dyn Fn(&Assoc) -> bool| -> Vec<SacctmgrLine<'a>> {
        if !wish.with_assoc {
            return vec![line];
        }
        let found = tree(state).into_iter().filter(|(a, _)| mine(a));
        found.map(|(assoc, _)| SacctmgrLine { assoc: Some(assoc), ..line }).collect()
    };
    match kind {
        "accounts" => {
            let named = dbd.accounts.values().filter(|a| one_of(&wish.names, &a.name));
            named
                .flat_map(|a| with(SacctmgrLine { account: Some(a), ..base() }, &|x| x.account == a.name))
                .collect()
        }
        "users" => {
            let named = dbd.users.values().filter(|u| one_of(&wish.names, &u.name));
            named
                .flat_map(|u| {
                    with(SacctmgrLine { user: Some(u), ..base() }, &|x| x.user.as_ref() == Some(&u.name))
                })
                .collect()
        }
        "associations" => {
            let line = |(assoc, depth)| SacctmgrLine {
                assoc: Some(assoc),
                depth: wish.tree.then_some(depth),
                ..base()
            };
            let default = |a: &Assoc| {
                a.user.as_ref().is_some_and(|u| dbd.default_account(u) == Some(a.account.as_str()))
            };
            let all = tree(state).into_iter().filter(|(a, _)| !wish.only_defaults || default(a));
            let mut lines: Vec<SacctmgrLine> =
                all.filter(|_| one_of(&wish.clusters, &dbd.cluster)).map(line).collect();
            // Other clusters have only the default associations.
            let others =
                dbd.clusters.iter().filter(|c| c.name != dbd.cluster && one_of(&wish.clusters, &c.name));
            for other in others.filter(|_| !wish.only_defaults) {
                let root = tree(state).into_iter().filter(|(a, _)| a.account == ROOT);
                lines.extend(root.map(|found| SacctmgrLine { cluster: Some(&other.name), ..line(found) }));
            }
            lines
        }
        _ => {
            let named = dbd.qos.iter().filter(|q| !q.deleted && one_of(&wish.names, &q.name));
            named.map(|q| SacctmgrLine { qos: Some(q), ..base() }).collect()
        }
    }
}
