//! `sacctmgr list` and `show`.

use super::change::Ask;
use super::condition::Plain;
use super::fields::{self, FIELDS, Line};
use super::{entity, list, pairs, tables};
use crate::base::order::Order as _;
use crate::commands::Cx;
use crate::commands::slurm::data;
use crate::commands::slurm::getopt::Parsed;
use crate::commands::slurm::listing::{Listing, Style, name_and_width};
use crate::commands::slurm::private::{self, Kind};
use crate::slurmctld::Slurmctld;
use crate::slurmdbd::Assoc;

const ACCOUNT: &str = "account,description,organization";
const ACCOUNT_ASSOC: &str = ",cluster,parentname,user,share,priority,grpjobs,grptres,grpsubmit,grpwall,grptresmins,maxjobs,maxtres,\
    maxsubmit,maxwall,maxtresmins,qos,defaultqos";
const USER_ASSOC: &str =
    ",cluster,account,partition,share,priority,maxjobs,maxtres,maxsubmit,maxwall,maxtresmins,qos,defaultqos";
const ASSOC: &str = "cluster,account,user,partition,share,priority,grpjobs,grptres,grpsubmit,grpwall,grptresmins,maxjobs,maxtres,\
    maxtrespernode,maxsubmit,maxwall,maxtresmins,qos,defaultqos,grptresrunmins";
const QOS: &str = "name,priority,gracetime,preempt,preemptexempttime,preemptmode,flags%40,usagethreshold,usagefactor,grptres,\
    grptresmins,grptresrunmins,grpjobs,grpsubmit,grpwall,maxtres,maxtrespernode,maxtresmins,maxwall,maxtrespu,maxjobspu,\
    maxsubmitpu,maxtrespa,maxtresrunminspa,maxtresrunminspu,maxjobspa,maxsubmitpa,mintres";

/// What is asked for.
pub struct Wish {
    pub format: Option<String>,
    /// Names of what is shown; empty: all.
    pub names: Vec<String>,
    /// Fields, by their places in the table, and the values that they may have.
    conditions: Vec<(usize, Vec<String>)>,
    tree: bool,
    with_assoc: bool,
    with_coordinators: bool,
    /// Other clusters were asked for only, which have no associations here.
    elsewhere: bool,
    /// Users in their default accounts only.
    only_defaults: bool,
    /// Each cluster's part of a resource.
    pub with_clusters: bool,
    pub style: Style,
    /// Conditions on events and transactions.
    pub plain: Plain,
}

/// Runs it.
pub fn run(cx: &mut Cx, parsed: &Parsed, words: &[String], ask: &mut Ask) -> Result<u8, String> {
    let kind = words.first().and_then(|w| entity(w)).filter(|kind| *kind != "coordinators").ok_or_else(|| {
        "No valid entity in list command\nInput line must include \"Account\", \"Association\", \"Cluster\", \"Configuration\",\n\
         \"Event\", \"Federation\", \"Problem\", \"QOS\", \"Resource\", \"Reservation\",\n\
         \"RunAwayJobs\", \"Stats\", \"Transaction\", \"TRES\", \"User\", or \"WCKey\""
            .to_owned()
    })?;
    let own = cx.slurm.state().dbd.cluster.clone();
    let wish = wish(parsed, kind, &own, words.get(1..).unwrap_or(&[]))?;
    if let Some(asked) = data::asked(parsed) {
        return Ok(data::print(cx, asked, |view| data::accounts::sacctmgr(view, kind)));
    }
    let keys = if cx.slurm.state().cluster.global.track_wckey { "defaultwckey," } else { "" };
    let coordinated = if wish.with_coordinators { ",coordaccounts" } else { "" };
    let default = match kind {
        "accounts" => format!("{ACCOUNT}{}{coordinated}", if wish.with_assoc { ACCOUNT_ASSOC } else { "" }),
        "users" => {
            let more = if wish.with_assoc { USER_ASSOC } else { "" };
            format!("user,defaultaccount,{keys}adminlevel{more}{coordinated}")
        }
        "associations" => ASSOC.to_owned(),
        "qos" => QOS.to_owned(),
        other => return tables::show(cx, other, &wish, ask),
    };
    let listing = listing(&wish, &default)?;
    let mut out = Vec::new();
    let uid = cx.uid();
    let state = cx.slurm.state();
    listing.head(&mut out);
    for line in lines(state, kind, &wish).iter().filter(|l| may_see(state, uid, l) && wish.fits(l)) {
        // For programs the tree's indentation is left out.
        let bare = |text: String| if listing.style.parsable { text.trim_start().to_owned() } else { text };
        listing.row(&mut out, &|at| FIELDS.get(at).map_or_else(String::new, |f| bare((f.get)(line))));
    }
    cx.out.append(&mut out);
    Ok(0)
}

/// Users see themselves and what they coordinate where `PrivateData` says so.
fn may_see(state: &Slurmctld, uid: crate::base::ids::Uid, line: &Line) -> bool {
    let me = state.user_name(uid);
    if let Some(assoc) = line.assoc {
        let mine = assoc.user.as_ref() == Some(&me) || state.dbd.coordinates(&me, &assoc.account);
        return mine || private::sees_all(state, uid, Kind::Users) || assoc.user.is_none();
    }
    if let Some(user) = line.user {
        return user.name == me || private::sees_all(state, uid, Kind::Users);
    }
    let own = |account: &str| {
        state.dbd.user_assoc(&me, account, "").is_some() || state.dbd.coordinates(&me, account)
    };
    line.account.is_none_or(|a| own(&a.name) || private::sees_all(state, uid, Kind::Accounts))
}

impl Wish {
    /// Whether a value may stand in the column of this title.
    pub fn admits(&self, title: &str, value: &str) -> bool {
        let mut of_it =
            self.conditions.iter().filter(|(at, _)| FIELDS.get(*at).is_some_and(|f| f.title == title));
        of_it.all(|(_, values)| values.iter().any(|v| v == value))
    }

    /// Whether a line is one of those asked for.
    fn fits(&self, line: &Line) -> bool {
        self.conditions.iter().all(|(at, values)| {
            let text = FIELDS.get(*at).map_or_else(String::new, |f| (f.get)(&Line { depth: None, ..*line }));
            values.iter().any(|v| text.split(',').any(|t| t.eq_ignore_ascii_case(v)))
        })
    }
}

/// Words that are switches, and whether they change what is shown here.
const SWITCHES: &[&str] = &[
    "where",
    "withcoordinator",
    "wopinfo",
    "wopi",
    "wolimits",
    "wopl",
    "withdeleted",
    "withsubaccounts",
    "withrawqoslevel",
    "set",
];

fn wish(parsed: &Parsed, kind: &str, own_cluster: &str, words: &[String]) -> Result<Wish, String> {
    let mut wish = Wish {
        format: None,
        names: Vec::new(),
        conditions: Vec::new(),
        tree: false,
        with_assoc: parsed.has("associations"),
        with_coordinators: false,
        elsewhere: false,
        only_defaults: false,
        with_clusters: false,
        style: Style::of(parsed),
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
        if wish.plain.read(kind, &lower, value.as_deref())? {
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
                wish.elsewhere = !list(&names).iter().any(|name| name == own_cluster);
            }
            ("start" | "end" | "starttime" | "endtime" | "flags", Some(_)) => {}
            ("tree", None) => wish.tree = true,
            ("onlydefaults", None) => wish.only_defaults = true,
            (switch, None) if switch.starts_with("withass") => wish.with_assoc = true,
            (switch, None) if switch.starts_with("withcl") => wish.with_clusters = true,
            (switch, None) if switch.starts_with("withc") => wish.with_coordinators = true,
            (switch, None) if SWITCHES.contains(&switch) => {}
            (_, None) => wish.names.extend(list(&key)),
            (key, Some(value)) if tables::is_plain(kind) => {
                wish.names.extend(Some(value).filter(|_| key == "id"))
            }
            (key, Some(value)) => {
                let plural = key.strip_suffix('s').filter(|k| *k == "account" || *k == "user").unwrap_or(key);
                let Some(at) = fields::find(plural) else {
                    return Err(format!(" Unknown condition: {key}={value}"));
                };
                wish.conditions.push((at, list(&value)));
            }
        }
    }
    Ok(wish)
}

fn listing(wish: &Wish, default: &str) -> Result<Listing, String> {
    let mut listing = Listing::new(wish.style.clone());
    let format = wish.format.as_deref().unwrap_or(default);
    for word in format.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let (name, width) = name_and_width(word);
        let at = fields::find(name).ok_or_else(|| format!("Unknown field '{name}'"))?;
        let Some(field) = FIELDS.get(at) else { continue };
        let tree = wish.tree && field.title == "Account";
        listing.add(at, field.title, width.unwrap_or(if tree { -20 } else { field.width }));
    }
    Ok(listing)
}

const fn empty(state: &Slurmctld) -> Line<'_> {
    Line { state, account: None, user: None, assoc: None, qos: None, depth: None }
}

fn one_of(list: &[String], name: &str) -> bool {
    list.is_empty() || list.iter().any(|n| n.eq_ignore_ascii_case(name))
}

/// Living associations in the tree's order: an account, its users, its accounts; each with its depth.
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

/// What could be shown, the names asked for.
fn lines<'a>(state: &'a Slurmctld, kind: &str, wish: &Wish) -> Vec<Line<'a>> {
    let dbd = &state.dbd;
    let with = |line: Line<'a>, mine: &dyn Fn(&Assoc) -> bool| -> Vec<Line<'a>> {
        if !wish.with_assoc {
            return vec![line];
        }
        let found = tree(state).into_iter().filter(|(a, _)| mine(a));
        found.map(|(assoc, _)| Line { assoc: Some(assoc), ..line }).collect()
    };
    match kind {
        "accounts" => {
            let named = dbd.accounts.values().filter(|a| one_of(&wish.names, &a.name));
            named
                .flat_map(|a| with(Line { account: Some(a), ..empty(state) }, &|x| x.account == a.name))
                .collect()
        }
        "users" => {
            let named = dbd.users.values().filter(|u| one_of(&wish.names, &u.name));
            named
                .flat_map(|u| {
                    with(Line { user: Some(u), ..empty(state) }, &|x| x.user.as_ref() == Some(&u.name))
                })
                .collect()
        }
        "associations" => {
            let line = |(assoc, depth)| Line {
                assoc: Some(assoc),
                depth: wish.tree.then_some(depth),
                ..empty(state)
            };
            let default = |a: &Assoc| {
                a.user.as_ref().is_some_and(|u| dbd.default_account(u) == Some(a.account.as_str()))
            };
            let all = tree(state).into_iter().filter(|(a, _)| !wish.only_defaults || default(a));
            all.filter(|_| !wish.elsewhere).map(line).collect()
        }
        _ => {
            let named = dbd.qos.iter().filter(|q| !q.deleted && one_of(&wish.names, &q.name));
            named.map(|q| Line { qos: Some(q), ..empty(state) }).collect()
        }
    }
}
