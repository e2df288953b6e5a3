//! What a bare configuration lacks to be a site that people can use, written as the files that a site has.
//!
//! slurm.conf tells of machines; of people, accounts, QOS and the programs that it names it has only names. Where neither
//! `site.toml` nor `users` says more, both are made up here: people from a file of `sacctmgr dump` or of sacctmgr's commands
//! where there is one, else three; accounts, QOS and groups that slurm.conf names, so that everybody may use everything;
//! and empty programs where a prolog did not come with the rest. Each of these is told as a finding.

mod accounts;
#[cfg(test)]
mod tests;

use super::{Cluster, SiteFiles, SiteInfo};
use crate::base::diagnostic::{Diagnostic, Severity};
use crate::base::hostlist;
use accounts::Accounts;
use std::collections::BTreeMap;

/// Most people who are taken from a file of accounts.
const MAX_PEOPLE: usize = 1000;
/// Who is there where no file tells.
const PEOPLE: [&str; 3] = ["alice", "bob", "carol"];
/// What everybody finds at home.
const SCRIPT: &str = "#!/bin/bash\n#SBATCH --job-name=first\n#SBATCH --ntasks=1\n#SBATCH --time=00:10:00\n\
    #SBATCH --output=first_%j.out\n\nhostname\nsleep 60\necho done\n";

/// The files as a site, whatever one folder they are in, with what they lack; and what was made up.
#[must_use]
#[inline(never)]
pub fn furnish(files: SiteFiles) -> (SiteFiles, Vec<Diagnostic>) {
    let mut files = at_the_top(files);
    let mut found = Vec::new();
    if files.0.contains_key("accounts.sh") {
        found = accounts::unread(&files);
    }
    let whole = files.0.contains_key("site.toml") && files.0.contains_key("accounts.sh");
    if whole || files.0.contains_key("users") || !files.0.contains_key("slurm.conf") {
        return (files, found);
    }
    let cluster = Cluster::parse(&files);
    let accounts = Accounts::read(&files);
    let mut tell = |file: &str, message: String| {
        found.push(Diagnostic { severity: Severity::Note, file: file.to_owned(), line: 0, message });
    };
    let told = files.0.contains_key("site.toml");
    let own = if told { SiteInfo::parse("", &files).0.users } else { Vec::new() };
    let people = match accounts.people(MAX_PEOPLE) {
        _ if told => own.into_iter().map(|user| user.name).collect(),
        people if people.is_empty() => {
            tell("site.toml", format!("no file tells of people: there are {}", PEOPLE.join(", ")));
            PEOPLE.map(str::to_owned).to_vec()
        }
        people => people,
    };
    if !files.0.contains_key("accounts.sh") {
        let script = accounts.script(&cluster, &people, &mut tell);
        if !script.is_empty() {
            files.0.insert("accounts.sh".to_owned(), script);
        }
    }
    if told {
        return (files, found);
    }
    let programs = programs(&cluster, &files, &mut tell);
    let text = site_toml(&cluster, &people, &groups(&cluster), &programs);
    files.0.insert("site.toml".to_owned(), text);
    (files, found)
}

/// Takes away the folder that `slurm.conf` is in, if it is in one.
fn at_the_top(files: SiteFiles) -> SiteFiles {
    if files.0.contains_key("slurm.conf") {
        return files;
    }
    let folder = files.0.keys().filter_map(|name| name.strip_suffix("/slurm.conf")).min_by_key(|f| f.len());
    let Some(folder) = folder.map(|f| format!("{f}/")) else { return files };
    let inside = |(name, text): (String, String)| Some((name.strip_prefix(&folder)?.to_owned(), text));
    SiteFiles(files.0.into_iter().filter_map(inside).collect())
}

/// Groups that partitions are for; everybody is in all of them.
fn groups(cluster: &Cluster) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in cluster.partitions.iter().flat_map(|p| p.allow_groups.iter().flatten()) {
        if !all.contains(name) && name != "root" {
            all.push(name.clone());
        }
    }
    all
}

/// Where people type: a host from which jobs may be submitted.
fn login(cluster: &Cluster) -> String {
    let lists = cluster.partitions.iter().filter_map(|p| p.alloc_nodes.as_deref());
    let first = lists.filter_map(|list| hostlist::expand(list).ok()?.into_iter().next()).next();
    first.unwrap_or_else(|| "login".to_owned())
}

/// Programs that slurm.conf names: their paths, and the site's file that is it; none: an empty one.
fn programs(
    cluster: &Cluster,
    files: &SiteFiles,
    tell: &mut impl FnMut(&str, String),
) -> Vec<(String, Option<String>)> {
    let p = &cluster.global.programs;
    let named = [
        &p.prolog,
        &p.epilog,
        &p.prolog_slurmctld,
        &p.epilog_slurmctld,
        &p.task_prolog,
        &p.task_epilog,
        &p.srun_prolog,
        &p.srun_epilog,
    ];
    let mut all: Vec<(String, Option<String>)> = Vec::new();
    for path in named.into_iter().flatten() {
        let last = path.rsplit('/').next().unwrap_or(path);
        let own = files.0.keys().find(|name| name.rsplit('/').next() == Some(last)).cloned();
        if all.iter().any(|(known, _)| known == path) {
            continue;
        }
        if own.is_none() {
            tell("slurm.conf", format!("{path} is not among the files: an empty program stands in for it"));
        }
        all.push((path.clone(), own));
    }
    all
}

fn site_toml(
    cluster: &Cluster,
    people: &[String],
    groups: &[String],
    programs: &[(String, Option<String>)],
) -> String {
    let name = &cluster.global.cluster_name;
    let (nodes, partitions) = (cluster.nodes.len(), cluster.partitions.len());
    let mut text = format!(
        "# Made up by sandbatch from slurm.conf, which does not tell of people.\nopen = \"first.sh\"\nsh = \"dash\"\n\
         login = {}\ntitle = {}\n[motd]\nen = {}\nfr = {}\n",
        quoted(&login(cluster)),
        quoted(name),
        quoted(&format!(
            "{name}, as its slurm.conf describes it: {nodes} nodes, {partitions} partitions. People are made up.\n"
        )),
        quoted(&format!(
            "{name}, selon son slurm.conf : {nodes} nœuds, {partitions} partitions. Les personnes sont inventées.\n"
        )),
    );
    let groups: Vec<String> = groups.iter().map(|group| quoted(group)).collect();
    for person in people {
        text += &format!("[[users]]\nname = {}\ngroups = [{}]\n", quoted(person), groups.join(", "));
    }
    text += &format!("[[files]]\npath = \"first.sh\"\ncontent = {}\nexecutable = true\n", quoted(SCRIPT));
    for (path, own) in programs {
        let what = match own {
            Some(file) => format!("from = {}", quoted(file)),
            None => format!("content = {}", quoted("#!/bin/sh\nexit 0\n")),
        };
        text += &format!("[[files]]\npath = {}\n{what}\nexecutable = true\n", quoted(path));
    }
    text
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A file's name and text, as the folder has it.
type Files = BTreeMap<String, String>;
