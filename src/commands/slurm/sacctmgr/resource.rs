//! `sacctmgr add`, `modify` and `delete resource`: licences of servers that clusters share.

use super::change::{Confirmation, apply, is_one};
use super::{SettingWord, pairs};
use crate::Cx;
use slurmdbd::{AccountingChange, ChangeError, ResourceChange};

/// The value of a key.
fn value<'p>(pairs: &'p [SettingWord], keys: &[&str]) -> Option<&'p str> {
    pairs.iter().find(|(k, _)| is_one(keys, k)).and_then(|(_, v)| v.as_deref())
}

/// Keys that are settings, not names.
fn settings(pairs: &[SettingWord]) -> Vec<(String, String)> {
    let own = |key: &str| is_one(&["names", "servers"], key) && !"servertype".eq(key);
    // The database needs the full names.
    let whole = |key: &str| {
        let known =
            ["count", "percentallowed", "allowed", "description", "servertype", "flags", "type", "clusters"];
        known
            .iter()
            .find(|full| is_one(&[full], key))
            .map_or_else(|| key.to_owned(), |full| (*full).to_owned())
    };
    pairs.iter().filter(|(k, _)| !own(k)).filter_map(|(k, v)| Some((whole(k), v.clone()?))).collect()
}

fn names(pairs: &[SettingWord]) -> Result<(String, Option<String>), String> {
    let bare = || pairs.iter().find(|(k, v)| v.is_none() && !matches!(k.as_str(), "where" | "set"));
    let name = value(pairs, &["name", "names"]).or_else(|| bare().map(|p| p.0.as_str()));
    let name = name.ok_or(" Need name of resource to add.")?;
    let server = value(pairs, &["server", "servers"]).map(str::to_owned);
    Ok((name.to_owned(), server))
}

/// `add resource NAME server=S count=N [cluster=C percentallowed=P] ...`.
pub fn add(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let pairs = pairs(words);
    let (name, server) = names(&pairs)?;
    let server = server.unwrap_or_else(|| "slurmdb".to_owned());
    let old = cx.cluster.state().dbd.resources.iter().find(|r| r.name == name && r.server == server).cloned();
    let cluster = value(&pairs, &["cluster", "clusters"]);
    let count = value(&pairs, &["count"]);
    if let Some(cluster) = cluster.filter(|name| cx.cluster.state().dbd.cluster_record(name).is_none()) {
        let text = super::add::no_cluster(cluster);
        return Err(format!("{text}\n Need a valid cluster name to add a cluster resource."));
    }
    // An invalid number is reported and omitted.
    if let Some(bad) = count.filter(|count| count.parse::<u32>().is_err()) {
        cx.complain(&format!("sacctmgr: error: Invalid value for count ({bad})"));
    }
    let count = count.filter(|count| count.parse::<u32>().is_ok());
    if old.is_none() && count.is_none() {
        return Err(format!(" Need to designate a resource count to initially add '{name}'."));
    }
    if old.as_ref().is_some_and(|r| cluster.is_none() || r.allowed.is_some()) {
        cx.line(" Nothing new added.");
        return Ok(1);
    }
    let mut text = format!(" Adding Resource(s)\n  {name}@{server}\n");
    if let Some(cluster) = cluster {
        let share = value(&pairs, &["percentallowed", "allowed"]).unwrap_or("100");
        text += &format!("   Cluster - {cluster}\t{share}\n");
    }
    text += &format!(" Settings\n  Name           = {name}\n  Server         = {server}\n");
    match &old {
        // A resource that already exists.
        Some(old) => {
            let flags = if old.flags.is_empty() { "(null)" } else { &old.flags };
            text += &format!(
                "  Count          = {}\n  LastConsumed   = 0\n  Flags          = {flags}\n",
                old.count
            );
        }
        None => {
            let description = value(&pairs, &["description"]).unwrap_or(&name);
            text += &format!("  Description    = {description}\n");
            if let Some(kind) =
                pairs.iter().find(|(k, _)| k.starts_with("servert")).and_then(|(_, v)| v.as_deref())
            {
                text += &format!("  ServerType     = {kind}\n");
            }
            text += &format!("  Count          = {}\n", count.unwrap_or_default());
        }
    }
    text += "  Type           = License\n";
    let change = ResourceChange::Add { name, server, settings: settings(&pairs) };
    carry_out(cx, ask, change, &text)
}

/// `modify resource where NAME [server=S] set count=N ...`.
pub fn modify(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
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
pub fn delete(cx: &mut Cx, ask: &mut Confirmation, words: &[String]) -> Result<u8, String> {
    let pairs = pairs(words);
    let (name, server) = names(&pairs)?;
    let part = value(&pairs, &["cluster", "clusters"]).is_some();
    let touched = full_names(cx, &name, server.as_deref());
    let text = format!(" Deleting resource(s)...\n{touched}");
    carry_out(cx, ask, ResourceChange::Delete { name, server, part }, &text)
}

fn full_names(cx: &Cx, name: &str, server: Option<&str>) -> String {
    let all = cx.cluster.state().dbd.resources.iter();
    let hit = all.filter(|r| r.name == name && server.is_none_or(|s| r.server == s));
    hit.map(|r| format!("  {}\n", r.full_name())).collect()
}

fn carry_out(cx: &mut Cx, ask: &mut Confirmation, change: ResourceChange, text: &str) -> Result<u8, String> {
    let added = matches!(change, ResourceChange::Add { .. });
    if !ask.immediate && !ask.commit(cx) {
        return Ok(0);
    }
    match apply(cx, AccountingChange::Resource(change)) {
        Ok(()) => {
            cx.print(text);
            Ok(0)
        }
        Err(error @ ChangeError::AccessDenied) if added => Err(format!(" Problem adding resource: {error}")),
        Err(error @ ChangeError::AccessDenied) => Err(format!(" Error with request: {error}")),
        Err(ChangeError::NoEffect) => {
            cx.line(if added { " Nothing new added." } else { " Nothing modified" });
            Ok(1)
        }
        Err(error) => Err(error.to_string()),
    }
}
