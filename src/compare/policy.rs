//! Applies a policy to a site's files.

use super::plan::PolicyDiff;
use base::hostlist;
use config::SiteFiles;
use std::collections::BTreeSet;

/// Keys whose value identifies what the line defines.
const NAMES: [&str; 5] = ["NodeName", "PartitionName", "NodeSet", "DownNodes", "FrontendName"];

/// The site's files under a policy.
///
/// # Errors
/// A line of the policy cannot be applied.
pub fn apply(files: &SiteFiles, policy: &PolicyDiff) -> Result<SiteFiles, String> {
    let mut files = files.clone();
    let conf = files.0.get("slurm.conf").ok_or("the site has no slurm.conf")?;
    let mut lines = logical_lines(conf);
    let here = |why: String| format!("policy {}: {why}", policy.name);
    for key in &policy.unset {
        let before = lines.len();
        lines.retain(|line| !key_of(line).eq_ignore_ascii_case(key));
        if lines.len() == before {
            return Err(here(format!("unset: slurm.conf does not set {key}")));
        }
    }
    for line in &policy.slurm_conf {
        set(&mut lines, line).map_err(here)?;
    }
    let mut gres = logical_lines(files.0.get("gres.conf").map_or("", String::as_str));
    for line in &policy.gres_conf {
        let subject = |line: &str| [value(line, "NodeName"), value(line, "Name")];
        gres.retain(|other| subject(other) != subject(line));
        gres.push(line.clone());
    }
    if !policy.remove_nodes.is_empty() {
        let gone = hostlist::expand(&policy.remove_nodes).map_err(here)?;
        let gone: BTreeSet<String> = gone.into_iter().collect();
        let before = lines.clone();
        without_nodes(&mut lines, &gone);
        without_nodes(&mut gres, &gone);
        if lines == before {
            return Err(here(format!("remove_nodes: slurm.conf has no {}", policy.remove_nodes)));
        }
    }
    files.0.insert("slurm.conf".to_owned(), lines.join("\n") + "\n");
    if !gres.is_empty() {
        files.0.insert("gres.conf".to_owned(), gres.join("\n") + "\n");
    }
    for command in &policy.sacctmgr {
        sacctmgr(&mut files, command);
    }
    Ok(files)
}

/// Adds a sacctmgr command to those that create the site's accounts.
fn sacctmgr(files: &mut SiteFiles, command: &str) {
    let command = command.trim().trim_start_matches("sacctmgr ");
    let of_simulator = files.0.contains_key("sacctmgr.script") && !files.0.contains_key("accounts.sh");
    if of_simulator {
        let script = files.0.entry("sacctmgr.script".to_owned()).or_default();
        *script += &format!("\n{command}\n");
        return;
    }
    let quoted: Vec<String> =
        command.split_whitespace().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    let script = files.0.entry("accounts.sh".to_owned()).or_default();
    *script += &format!("\nsacctmgr -Q -i {}\n", quoted.join(" "));
}

/// Lines with continuations joined, and without comments.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut open = String::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or(line);
        open += line.trim_end_matches('\\');
        if !line.ends_with('\\') {
            lines.push(std::mem::take(&mut open));
        }
    }
    lines.push(open);
    lines.retain(|line| !line.trim().is_empty());
    lines
}

/// The key of a line, without `+`.
fn key_of(line: &str) -> &str {
    line.split('=').next().unwrap_or(line).trim().trim_end_matches('+')
}

/// The words of a line: keys with values. Quotes keep blanks.
fn words(line: &str) -> Vec<(String, String)> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        quoted ^= c == '"';
        match words.last_mut() {
            Some(word) if quoted || !c.is_whitespace() => word.push(c),
            _ => words.push(String::new()),
        }
    }
    let pair = |word: &String| {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        (key.to_owned(), value.to_owned())
    };
    words.iter().filter(|word| !word.is_empty()).map(pair).collect()
}

fn value(line: &str, key: &str) -> Option<String> {
    words(line).into_iter().find(|(k, _)| k.eq_ignore_ascii_case(key)).map(|(_, value)| value)
}

/// Applies a line of a policy.
fn set(lines: &mut Vec<String>, line: &str) -> Result<(), String> {
    if !line.contains('=') || line.trim_start().starts_with('#') || line.contains(['\n', '\\']) {
        return Err(format!("'{line}' is no line of slurm.conf"));
    }
    let key = key_of(line);
    if NAMES.iter().any(|name| name.eq_ignore_ascii_case(key)) {
        merge(lines, line);
        return Ok(());
    }
    let (_, new) = line.split_once('=').unwrap_or_default();
    let adds = line.split('=').next().is_some_and(|key| key.trim_end().ends_with('+'));
    let old = lines.iter().rev().find(|other| key_of(other).eq_ignore_ascii_case(key));
    let old = old.and_then(|other| other.split_once('=')).map(|(_, old)| old.trim().to_owned());
    let new = if adds { merged_list(&old.unwrap_or_default(), new.trim()) } else { new.trim().to_owned() };
    lines.retain(|other| !key_of(other).eq_ignore_ascii_case(key));
    lines.push(format!("{key}={new}"));
    Ok(())
}

/// Changes keys of the line that defines the same nodes or partition, or adds the line.
fn merge(lines: &mut Vec<String>, line: &str) {
    let new = words(line);
    let same = |other: &&mut String| {
        let old = words(other);
        let (Some(old), Some(new)) = (old.first(), new.first()) else { return false };
        old.0.eq_ignore_ascii_case(&new.0) && old.1 == new.1
    };
    let Some(found) = lines.iter_mut().find(same) else { return lines.push(line.trim().to_owned()) };
    let mut all = words(found);
    for (key, value) in new.into_iter().skip(1) {
        let (adds, key) = (key.ends_with('+'), key.trim_end_matches('+').to_owned());
        match all.iter_mut().find(|(k, _)| k.eq_ignore_ascii_case(&key)) {
            Some((_, old)) if adds => *old = format!("{old},{value}"),
            Some((_, old)) => *old = value,
            None => all.push((key, value)),
        }
    }
    *found = joined(&all);
}

fn joined(words: &[(String, String)]) -> String {
    words.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join(" ")
}

/// Merges a comma-separated list: parts of the same name are replaced.
fn merged_list(old: &str, new: &str) -> String {
    let name = |part: &str| part.split('=').next().unwrap_or(part).trim().to_ascii_lowercase();
    let replaced: BTreeSet<String> = new.split(',').map(name).collect();
    let kept = old.split(',').filter(|part| !part.trim().is_empty() && !replaced.contains(&name(part)));
    kept.chain(new.split(',')).collect::<Vec<_>>().join(",")
}

/// Removes nodes from lines about nodes and partitions. Lines that are left without nodes are removed.
fn without_nodes(lines: &mut Vec<String>, gone: &BTreeSet<String>) {
    let mut kept = Vec::new();
    for line in lines.drain(..) {
        let mut all = words(&line);
        let listing = ["NodeName", "DownNodes", "NodeSet", "PartitionName"];
        if !listing.iter().any(|key| key.eq_ignore_ascii_case(key_of(&line))) {
            kept.push(line);
            continue;
        }
        let of_nodes =
            key_of(&line).eq_ignore_ascii_case("NodeName") || key_of(&line).eq_ignore_ascii_case("DownNodes");
        let list = all.iter_mut().enumerate().find(|(i, (key, value))| {
            (*i == 0 && of_nodes) || key.eq_ignore_ascii_case("Nodes") && !value.eq_ignore_ascii_case("ALL")
        });
        let Some((_, (_, list))) = list else {
            kept.push(line);
            continue;
        };
        // Text that is not a host list, such as a node set, stays.
        let Ok(names) = hostlist::expand(list) else {
            kept.push(line);
            continue;
        };
        let left: Vec<&String> = names.iter().filter(|name| !gone.contains(*name)).collect();
        if left.len() == names.len() {
            kept.push(line);
        } else if !left.is_empty() {
            *list = hostlist::compress(&left);
            kept.push(joined(&all));
        } else if !of_nodes {
            list.clear();
            kept.push(joined(&all));
        }
    }
    *lines = kept;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    const CONF: &str = "ClusterName=x # a comment\nSchedulerParameters=bf_window=1440,\\\nbf_interval=30\n\
                        PriorityWeightAge=10\nNodeName=a[1-4] CPUs=4\nNodeName=g1 CPUs=8\n\
                        PartitionName=cpu Nodes=a[1-4] MaxTime=60\nPartitionName=all Nodes=ALL\n";

    fn applied(policy: PolicyDiff) -> Result<BTreeMap<String, String>, String> {
        let files = [("slurm.conf", CONF), ("gres.conf", "NodeName=a1 Name=gpu Count=2\n")];
        let files = files.map(|(name, text)| (name.to_owned(), text.to_owned()));
        apply(&SiteFiles(BTreeMap::from(files)), &policy).map(|files| files.0)
    }

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn lines_of_slurm_conf() {
        let slurm_conf = lines(&[
            "SchedulerParameters+=bf_window=2880,bf_continue",
            "priorityweightage=7",
            "PartitionName=cpu MaxTime=UNLIMITED Nodes+=b[1-2]",
            "NodeName=b[1-2] CPUs=2",
        ]);
        let unset = lines(&["clustername"]);
        let files = applied(PolicyDiff { slurm_conf, unset, ..PolicyDiff::default() }).unwrap();
        assert_eq!(
            files["slurm.conf"],
            "NodeName=a[1-4] CPUs=4\nNodeName=g1 CPUs=8\n\
             PartitionName=cpu Nodes=a[1-4],b[1-2] MaxTime=UNLIMITED\nPartitionName=all Nodes=ALL\n\
             SchedulerParameters=bf_interval=30,bf_window=2880,bf_continue\npriorityweightage=7\nNodeName=b[1-2] CPUs=2\n"
        );
    }

    #[test]
    fn nodes_accounts_and_gres() {
        let policy = PolicyDiff {
            remove_nodes: "a[1-2],g1".to_owned(),
            gres_conf: lines(&["NodeName=a3 Name=gpu Count=1"]),
            sacctmgr: lines(&["modify qos normal set MaxTRESPerUser=cpu=8"]),
            ..PolicyDiff::default()
        };
        let files = applied(policy).unwrap();
        let conf = &files["slurm.conf"];
        assert!(conf.contains("NodeName=a[3-4] CPUs=4\nPartitionName=cpu Nodes=a[3-4] MaxTime=60"), "{conf}");
        assert!(conf.contains("PartitionName=all Nodes=ALL") && !conf.contains("g1"), "{conf}");
        assert_eq!(files["gres.conf"], "NodeName=a3 Name=gpu Count=1\n");
        assert!(files["accounts.sh"].contains("sacctmgr -Q -i 'modify' 'qos' 'normal'"));
    }

    #[test]
    fn lines_that_cannot_be_applied_are_refused() {
        for (policy, part) in [
            (PolicyDiff { unset: lines(&["Foo"]), ..PolicyDiff::default() }, "does not set Foo"),
            (PolicyDiff { slurm_conf: lines(&["Foo"]), ..PolicyDiff::default() }, "no line of slurm.conf"),
            (PolicyDiff { remove_nodes: "z1".to_owned(), ..PolicyDiff::default() }, "has no z1"),
        ] {
            let error = applied(policy).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
