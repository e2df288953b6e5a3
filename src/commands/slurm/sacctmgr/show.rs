//! `sacctmgr list` and `show`.

use super::fields::{self, Field, Line};
use super::{entity, list, pairs};
use crate::base::order::Order as _;
use crate::base::table::{MAX_WIDTH, Overflow, cell};
use crate::commands::Cx;
use crate::commands::slurm::getopt::Parsed;
use crate::slurmctld::Slurmctld;
use crate::slurmdbd::Assoc;

const ACCOUNT: &str = "account,description,organization";
const USER: &str = "user,defaultaccount,adminlevel";
const ASSOC: &str = "cluster,account,user,partition,share,priority,grpjobs,grptres,grpsubmit,grpwall,grptresmins,maxjobs,maxtres,\
    maxtrespernode,maxsubmit,maxwall,maxtresmins,qos,defaultqos,grptresrunmins";
const QOS: &str = "name,priority,gracetime,preempt,preemptexempttime,preemptmode,flags%40,usagethreshold,usagefactor,grptres,\
    grptresmins,grptresrunmins,grpjobs,grpsubmit,grpwall,maxtres,maxtrespernode,maxtresmins,maxwall,maxtrespu,maxjobspu,\
    maxsubmitpu,maxtrespa,maxtresrunminspa,maxtresrunminspu,maxjobspa,maxsubmitpa,mintres";

/// What is asked for.
#[derive(Default)]
struct Wish {
    format: Option<String>,
    names: Vec<String>,
    accounts: Vec<String>,
    users: Vec<String>,
    tree: bool,
    with_assoc: bool,
    noheader: bool,
    parsable: bool,
    /// A delimiter at the end of lines, too.
    ends: bool,
}

struct Column {
    field: &'static Field,
    width: usize,
    right: bool,
}

/// Runs it.
pub fn run(cx: &mut Cx, parsed: &Parsed, words: &[String]) -> Result<u8, String> {
    let kind = words.first().and_then(|w| entity(w)).ok_or_else(|| {
        "No valid entity in list command\nInput line must include \"Account\", \"Association\", \"Cluster\", \"Configuration\",\n\
         \"Event\", \"Federation\", \"Problem\", \"QOS\", \"Resource\", \"Reservation\",\n\
         \"RunAwayJobs\", \"Stats\", \"Transaction\", \"TRES\", \"User\", or \"WCKey\""
            .to_owned()
    })?;
    let wish = wish(parsed, kind, words.get(1..).unwrap_or(&[]));
    let default = match kind {
        "accounts" if wish.with_assoc => "account,description,organization,cluster,parentname,user,share,qos",
        "accounts" => ACCOUNT,
        "users" if wish.with_assoc => "user,defaultaccount,adminlevel,cluster,account,partition,share,qos",
        "users" => USER,
        "associations" => ASSOC,
        "qos" => QOS,
        "clusters" => return Ok(clusters(cx, &wish)),
        "tres" => return Ok(tres(cx, &wish)),
        other => return Err(format!("sacctmgr: error: show {other} is not simulated yet")),
    };
    let columns = columns(wish.format.as_deref().unwrap_or(default), &wish)?;
    let state = cx.slurm.state();
    let lines = match kind {
        "accounts" => accounts(state, &wish),
        "users" => users(state, &wish),
        "associations" => associations(state, &wish),
        _ => qos(state, &wish),
    };
    let titles: Vec<String> = columns.iter().map(|c| c.field.title.to_owned()).collect();
    let rows: Vec<Vec<String>> =
        lines.iter().map(|line| columns.iter().map(|c| (c.field.get)(line)).collect()).collect();
    let widths: Vec<(usize, bool)> = columns.iter().map(|c| (c.width, c.right)).collect();
    print(cx, &wish, &titles, &widths, &rows);
    Ok(0)
}

fn wish(parsed: &Parsed, kind: &str, words: &[String]) -> Wish {
    let mut wish = Wish {
        noheader: parsed.has("noheader"),
        parsable: parsed.has("parsable") || parsed.has("parsable2"),
        ends: parsed.has("parsable") && !parsed.has("parsable2"),
        with_assoc: parsed.has("associations"),
        ..Wish::default()
    };
    for (key, value) in pairs(words) {
        match (key.to_ascii_lowercase().as_str(), value) {
            ("format", Some(format)) => wish.format = Some(format),
            ("account" | "accounts" | "acct", Some(v)) => wish.accounts = list(&v),
            ("user" | "users", Some(v)) => wish.users = list(&v),
            ("name" | "names", Some(v)) => wish.names = list(&v),
            ("tree", None) => wish.tree = true,
            ("withassoc" | "withassocs", None) => wish.with_assoc = true,
            ("where" | "withcoord" | "wopinfo" | "onlydefaults" | "withdeleted" | "wolimits", _) => {}
            (_, None) => wish.names.extend(list(&key)),
            (_, Some(_)) => {}
        }
    }
    match kind {
        "accounts" => wish.names.append(&mut wish.accounts),
        "users" => wish.names.append(&mut wish.users),
        _ => {}
    }
    wish
}

fn columns(format: &str, wish: &Wish) -> Result<Vec<Column>, String> {
    let one = |word: &str| {
        let (name, width) = word.split_once('%').map_or((word, None), |(n, w)| (n, w.parse::<i32>().ok()));
        let field = fields::find(name).ok_or_else(|| format!("Unknown field '{name}'"))?;
        let tree = wish.tree && field.title == "Account";
        let width = width.unwrap_or(if tree { -20 } else { field.width });
        let size = usize::try_from(width.unsigned_abs()).unwrap_or(10).clamp(1, MAX_WIDTH);
        Ok(Column { field, width: size, right: width >= 0 })
    };
    format.split(',').map(str::trim).filter(|w| !w.is_empty()).map(one).collect()
}

fn print(cx: &mut Cx, wish: &Wish, titles: &[String], widths: &[(usize, bool)], rows: &[Vec<String>]) {
    let mut out = Vec::new();
    let mut line = |texts: &[String]| {
        for (i, (text, (width, right))) in texts.iter().zip(widths).enumerate() {
            if wish.parsable {
                if i > 0 {
                    out.push(b'|');
                }
                out.extend_from_slice(text.trim_start().as_bytes());
            } else {
                cell(&mut out, text, *width, *right, Overflow::Mark);
                out.push(b' ');
            }
        }
        if wish.ends {
            out.push(b'|');
        }
        out.push(b'\n');
    };
    if !wish.noheader {
        line(titles);
        if !wish.parsable {
            line(&widths.iter().map(|(w, _)| "-".repeat(*w)).collect::<Vec<_>>());
        }
    }
    rows.iter().for_each(|row| line(row));
    cx.out.append(&mut out);
}

fn empty(state: &Slurmctld) -> Line<'_> {
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

fn associations<'a>(state: &'a Slurmctld, wish: &Wish) -> Vec<Line<'a>> {
    let wanted = |a: &Assoc| {
        let user = wish.users.is_empty() || a.user.as_deref().is_some_and(|u| one_of(&wish.users, u));
        user && one_of(&wish.accounts, &a.account)
    };
    let line =
        |(assoc, depth)| Line { assoc: Some(assoc), depth: wish.tree.then_some(depth), ..empty(state) };
    tree(state).into_iter().filter(|(a, _)| wanted(a)).map(line).collect()
}

fn accounts<'a>(state: &'a Slurmctld, wish: &Wish) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for account in state.dbd.accounts.values().filter(|a| one_of(&wish.names, &a.name)) {
        let line = Line { account: Some(account), ..empty(state) };
        if !wish.with_assoc {
            lines.push(line);
            continue;
        }
        let mine = tree(state).into_iter().filter(|(a, _)| a.account == account.name);
        lines.extend(mine.map(|(assoc, _)| Line { assoc: Some(assoc), ..line }));
    }
    lines
}

fn users<'a>(state: &'a Slurmctld, wish: &Wish) -> Vec<Line<'a>> {
    let mut lines = Vec::new();
    for user in state.dbd.users.values().filter(|u| one_of(&wish.names, &u.name)) {
        let line = Line { user: Some(user), ..empty(state) };
        if !wish.with_assoc {
            lines.push(line);
            continue;
        }
        let mine = tree(state)
            .into_iter()
            .filter(|(a, _)| a.user.as_ref() == Some(&user.name) && one_of(&wish.accounts, &a.account));
        lines.extend(mine.map(|(assoc, _)| Line { assoc: Some(assoc), ..line }));
    }
    lines
}

fn qos<'a>(state: &'a Slurmctld, wish: &Wish) -> Vec<Line<'a>> {
    let wanted = state.dbd.qos.iter().filter(|q| !q.deleted && one_of(&wish.names, &q.name));
    wanted.map(|q| Line { qos: Some(q), ..empty(state) }).collect()
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}

fn clusters(cx: &mut Cx, wish: &Wish) -> u8 {
    let all = [
        ("Cluster", 10),
        ("ControlHost", 15),
        ("ControlPort", 12),
        ("RPC", 5),
        ("Share", 9),
        ("GrpJobs", 7),
        ("GrpTRES", 13),
        ("GrpSubmit", 9),
        ("MaxJobs", 7),
        ("MaxTRES", 13),
        ("MaxSubmit", 9),
        ("MaxWall", 11),
        ("QOS", 20),
        ("Def QOS", 9),
    ];
    let name = cx.slurm.state().cluster.global.cluster_name.clone();
    let values = [&name, "127.0.0.1", "6817", "11520", "1", "", "", "", "", "", "", "", "normal", ""];
    let asked = wish.format.as_deref().map(|f| list(&f.to_ascii_lowercase()));
    let chosen: Vec<usize> = match &asked {
        None => (0..all.len()).collect(),
        Some(asked) => {
            let place = |n: &String| {
                all.iter().position(|(t, _)| t.to_ascii_lowercase().replace(' ', "").starts_with(n.as_str()))
            };
            asked.iter().filter_map(place).collect()
        }
    };
    let titles = chosen.iter().map(|i| all[*i].0.to_owned()).collect::<Vec<_>>();
    let widths = chosen.iter().map(|i| (all[*i].1, true)).collect::<Vec<_>>();
    let row = chosen.iter().map(|i| values[*i].to_owned()).collect();
    print(cx, wish, &titles, &widths, &[row]);
    0
}

fn tres(cx: &mut Cx, wish: &Wish) -> u8 {
    let base = [
        ("cpu", "", 1),
        ("mem", "", 2),
        ("energy", "", 3),
        ("node", "", 4),
        ("billing", "", 5),
        ("fs", "disk", 6),
        ("vmem", "", 7),
        ("pages", "", 8),
    ];
    let mut rows: Vec<Vec<String>> =
        base.iter().map(|(kind, name, id)| texts(&[kind, name, &id.to_string()])).collect();
    for (id, gres) in (1001..).zip(&cx.slurm.state().cluster.global.tracked_gres) {
        rows.push(texts(&["gres", gres, &id.to_string()]));
    }
    print(cx, wish, &texts(&["Type", "Name", "ID"]), &[(8, true), (15, true), (6, true)], &rows);
    0
}
