//! Completes a bare configuration to a usable site, as files.
//!
//! slurm.conf describes machines. It only names users, accounts, QOS and programs. If neither `site.toml` nor
//! `users` defines them, this module generates them: users from a file of `sacctmgr dump` or of sacctmgr
//! commands, else three; accounts, QOS and groups that slurm.conf names, so that every user may use
//! everything; and empty programs in place of missing prologs. Each generated item is reported as a
//! diagnostic.

mod accounts;
#[cfg(test)]
mod tests;

use super::{Cluster, SiteFiles, SiteInfo};
use accounts::Accounts;
use base::diagnostic::{Diagnostic, Severity};
use base::hostlist;
use std::collections::BTreeMap;

/// Maximum number of users taken from account files.
const MAX_PEOPLE: usize = 1000;
/// The users if no file names any.
const PEOPLE: [&str; 3] = ["alice", "bob", "carol"];
/// An example script in each home directory.
const SCRIPT: &str = "#!/bin/bash\n#SBATCH --job-name=first\n#SBATCH --ntasks=1\n#SBATCH --time=00:10:00\n\
    #SBATCH --output=first_%j.out\n\nhostname\nsleep 60\necho done\n";

/// Returns the files as a site, without a common parent directory and with generated files added, and
/// diagnostics for what was generated.
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
    let described = files.0.contains_key("site.toml");
    let own = if described { SiteInfo::parse("", &files).0.users } else { Vec::new() };
    let people = match accounts.people(MAX_PEOPLE) {
        _ if described => own.into_iter().map(|user| user.name).collect(),
        people if people.is_empty() => {
            tell("site.toml", format!("no file names users: {} were created", PEOPLE.join(", ")));
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
    if described {
        return (files, found);
    }
    let programs = programs(&cluster, &files, &mut tell);
    let text = site_toml(&cluster, &people, &groups(&cluster), &programs);
    files.0.insert("site.toml".to_owned(), text);
    (files, found)
}

/// Strips the directory that contains `slurm.conf`, if there is one.
fn at_the_top(files: SiteFiles) -> SiteFiles {
    if files.0.contains_key("slurm.conf") {
        return files;
    }
    let folder = files.0.keys().filter_map(|name| name.strip_suffix("/slurm.conf")).min_by_key(|f| f.len());
    let Some(folder) = folder.map(|f| format!("{f}/")) else { return files };
    let inside = |(name, text): (String, String)| Some((name.strip_prefix(&folder)?.to_owned(), text));
    SiteFiles(files.0.into_iter().filter_map(inside).collect())
}

/// The groups that partitions allow; every user is in all of them.
fn groups(cluster: &Cluster) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in cluster.partitions.iter().flat_map(|p| p.allow_groups.iter().flatten()) {
        if !all.contains(name) && name != "root" {
            all.push(name.clone());
        }
    }
    all
}

/// The login node: a host that may submit jobs.
fn login(cluster: &Cluster) -> String {
    let lists = cluster.partitions.iter().filter_map(|p| p.alloc_nodes.as_deref());
    let first = lists.filter_map(|list| hostlist::expand(list).ok()?.into_iter().next()).next();
    first.unwrap_or_else(|| "login".to_owned())
}

/// The programs that slurm.conf names: their paths, and the site file for each; `None`: generate an empty
/// one.
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
            tell("slurm.conf", format!("{path} is not among the files: an empty program replaces it"));
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

/// Quotes a TOML string.
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

/// File texts by name.
type Files = BTreeMap<String, String>;
