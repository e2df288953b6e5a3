//! `sacctmgr add`, `modify` and `delete resource`: licences of servers that clusters share.

use super::change::{Ask, No, apply};
use super::{Pair, pairs};
use crate::commands::Cx;
use crate::slurmdbd::{Change, ResourceChange};

/// The value of a key.
fn value<'p>(pairs: &'p [Pair], keys: &[&str]) -> Option<&'p str> {
    pairs.iter().find(|(k, _)| keys.contains(&k.as_str())).and_then(|(_, v)| v.as_deref())
}

/// What is a setting and not a name.
fn settings(pairs: &[Pair]) -> Vec<(String, String)> {
    let own = |key: &str| matches!(key, "name" | "names" | "server" | "servers");
    pairs.iter().filter(|(k, _)| !own(k)).filter_map(|(k, v)| Some((k.clone(), v.clone()?))).collect()
}

fn names(pairs: &[Pair]) -> Result<(String, Option<String>), String> {
    let bare = || pairs.iter().find(|(k, v)| v.is_none() && !matches!(k.as_str(), "where" | "set"));
    let name = value(pairs, &["name", "names"]).or_else(|| bare().map(|p| p.0.as_str()));
    let name = name.ok_or(" Need name of resource to add.")?;
    let server = value(pairs, &["server", "servers"]).map(str::to_owned);
    Ok((name.to_owned(), server))
}

/// `add resource NAME server=S count=N [cluster=C percentallowed=P] ...`.
pub fn add(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let pairs = pairs(words);
    let (name, server) = names(&pairs)?;
    let server = server.unwrap_or_else(|| "slurmdb".to_owned());
    let old = cx.slurm.state().dbd.resources.iter().find(|r| r.name == name && r.server == server).cloned();
    let cluster = value(&pairs, &["cluster", "clusters"]);
    let count = value(&pairs, &["count"]);
    if old.is_none() && count.is_none() {
        return Err(" A new resource needs a count= ".trim_end().to_owned());
    }
    if old.as_ref().is_some_and(|r| cluster.is_none() || r.allowed.is_some()) {
        cx.line(" Nothing new added.");
        return Ok(1);
    }
    let mut text = format!(" Adding Resource(s)\n  {name}@{server}\n");
    if let Some(cluster) = cluster {
        let share = value(&pairs, &["percentallowed", "allowed"]).unwrap_or("100");
        text += &format!("   Cluster - {cluster}\t{share}%\n");
    }
    text += " Settings\n";
    if old.is_none() {
        text += &format!("  Name           = {name}\n");
    }
    text += &format!("  Server         = {server}\n");
    if let Some(count) = count.filter(|_| old.is_none()) {
        let description = value(&pairs, &["description"]).unwrap_or(&name);
        text += &format!("  Description    = {description}\n  Count          = {count}\n");
    }
    text += "  Type           = License\n";
    let change = ResourceChange::Add { name, server, settings: settings(&pairs) };
    carry_out(cx, ask, change, &text)
}

/// `modify resource where NAME [server=S] set count=N ...`.
pub fn modify(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let at = words.iter().position(|w| w.eq_ignore_ascii_case("set"));
    let (before, after) = words.split_at(at.unwrap_or(words.len()));
    let (which, to) = (pairs(before), pairs(after));
    let (name, server) = names(&which)?;
    let settings = settings(&to);
    if settings.is_empty() {
        return Err(" You didn't give me anything to set".to_owned());
    }
    let touched = full_names(cx, &name, server.as_deref());
    let text = format!(" Modified server resource ...\n{touched}");
    carry_out(cx, ask, ResourceChange::Modify { name, server, settings }, &text)
}

/// `delete resource where NAME [server=S] [cluster=C]`.
pub fn delete(cx: &mut Cx, ask: &mut Ask, words: &[String]) -> Result<u8, String> {
    let pairs = pairs(words);
    let (name, server) = names(&pairs)?;
    let part = value(&pairs, &["cluster", "clusters"]).is_some();
    let touched = full_names(cx, &name, server.as_deref());
    let text = format!(" Deleting resource(s)...\n{touched}");
    carry_out(cx, ask, ResourceChange::Delete { name, server, part }, &text)
}

fn full_names(cx: &Cx, name: &str, server: Option<&str>) -> String {
    let all = cx.slurm.state().dbd.resources.iter();
    let hit = all.filter(|r| r.name == name && server.is_none_or(|s| r.server == s));
    hit.map(|r| format!("  {}\n", r.full_name())).collect()
}

fn carry_out(cx: &mut Cx, ask: &mut Ask, change: ResourceChange, text: &str) -> Result<u8, String> {
    let added = matches!(change, ResourceChange::Add { .. });
    if !ask.immediate && !ask.commit(cx) {
        return Ok(0);
    }
    match apply(cx, Change::Resource(change)) {
        Ok(()) => {
            cx.print(text);
            Ok(0)
        }
        Err(No::Denied) if added => Err(" Problem adding resource: Access/permission denied".to_owned()),
        Err(No::Denied) => Err(" Error with request: Access/permission denied".to_owned()),
        Err(No::Text(why)) if why.contains("didn't affect anything") => {
            cx.line(if added { " Nothing new added." } else { " Nothing modified" });
            Ok(1)
        }
        Err(No::Text(why)) => Err(why),
    }
}
