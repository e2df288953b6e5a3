//! Accounts of a bare configuration: from files of `sacctmgr dump` or of sacctmgr commands, else from the
//! names in slurm.conf.

use super::Files;
use crate::{Cluster, PartConf, SiteFiles};
use base::diagnostic::{Diagnostic, Severity};

/// Maximum number of lines read from a file.
const MAX_LINES: usize = 100_000;
/// The account of all users if the site names no other.
const ACCOUNT: &str = "users";

/// The sources of account data in a site.
#[derive(Default)]
pub struct Accounts<'a> {
    /// Files in the format of `sacctmgr dump`, for `sacctmgr load`.
    dumps: Vec<(&'a str, &'a str)>,
    /// Files with one sacctmgr command per line.
    scripts: Vec<(&'a str, &'a str)>,
}

/// First words of lines in a dump.
const KINDS: [&str; 5] = ["cluster", "parent", "account", "user", "qos"];
/// First words of lines in a file of commands.
const VERBS: [&str; 7] = ["add", "create", "modify", "update", "remove", "delete", "sacctmgr"];

impl<'a> Accounts<'a> {
    /// Finds account files by their content.
    pub fn read(files: &'a SiteFiles) -> Self {
        let mut all = Self::default();
        let own: &'a Files = &files.0;
        for (name, text) in own.iter().filter(|(name, _)| !name.contains('/') && *name != "accounts.sh") {
            let Some(first) = lines(text).next() else { continue };
            if is_of_dump(first) {
                all.dumps.push((name, text));
            } else if name.starts_with("sacctmgr") && is_command(first) {
                all.scripts.push((name, text));
            }
        }
        all
    }

    /// The users that the files name, in order.
    pub fn people(&self, most: usize) -> Vec<String> {
        let mut names: Vec<&str> = Vec::new();
        let dumped =
            self.dumps.iter().flat_map(|(_, text)| lines(text)).filter_map(|line| named(line, "user"));
        let added = self.scripts.iter().flat_map(|(_, text)| lines(text)).filter_map(added_user);
        for name in dumped.chain(added) {
            let ok = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.len() <= 64;
            if fits && name.chars().all(ok) && name != "root" && names.len() < most && !names.contains(&name)
            {
                names.push(name);
            }
        }
        names.into_iter().map(str::to_owned).collect()
    }

    /// The text of `accounts.sh`; empty if the cluster keeps no accounts.
    pub fn script(
        &self,
        cluster: &Cluster,
        people: &[String],
        tell: &mut impl FnMut(&str, String),
    ) -> String {
        let storage = cluster.global.raw.get("AccountingStorageType").map_or("", String::as_str);
        let enforce = cluster.global.accounting_enforce;
        if !storage.contains("slurmdbd") && !enforce.associations && !enforce.limits && !enforce.qos {
            return String::new();
        }
        let mut text = String::from("# Made up by sandbatch: the accounts of this cluster.\n");
        let described = self.described_qos();
        let named: Vec<String> = self.qos(cluster).into_iter().filter(|q| !described.contains(q)).collect();
        for qos in named.iter().filter(|q| *q != "normal") {
            text += &format!("sacctmgr -i -Q add qos {qos} > /dev/null\n");
        }
        for (name, _) in &self.dumps {
            text += &format!("sacctmgr -i -Q load file=/etc/slurm/{name} > /dev/null\n");
        }
        for (_, commands) in &self.scripts {
            let each = lines(commands).map(|line| line.strip_prefix("sacctmgr ").unwrap_or(line));
            text += &format!(
                "sacctmgr -i -Q > /dev/null << 'END'\n{}\nEND\n",
                each.collect::<Vec<_>>().join("\n")
            );
        }
        if !self.dumps.is_empty() || !self.scripts.is_empty() {
            if !named.is_empty() {
                tell(
                    "accounts.sh",
                    format!("named but not described, so without limits: QOS {}", named.join(", ")),
                );
            }
            return text;
        }
        let accounts = accounts(cluster);
        for account in &accounts {
            text += &format!("sacctmgr -i -Q add account {account} > /dev/null\n");
        }
        let qos =
            std::iter::once("normal").chain(named.iter().filter(|q| *q != "normal").map(String::as_str));
        let qos = qos.collect::<Vec<_>>().join(",");
        let first = accounts.first().map_or(ACCOUNT, String::as_str);
        let keys =
            if enforce.wckeys { format!(" wckeys={first} defaultwckey={first}") } else { String::new() };
        for person in people {
            text += &format!(
                "sacctmgr -i -Q add user {person} account={} defaultaccount={first} qos={qos}{keys} > /dev/null\n",
                accounts.join(","),
            );
        }
        tell(
            "accounts.sh",
            format!(
                "no `sacctmgr dump` is among the files: everybody may use {} and QOS {qos}",
                accounts.join(", ")
            ),
        );
        text
    }

    /// The QOS that the files define.
    fn described_qos(&self) -> Vec<String> {
        let dumped =
            self.dumps.iter().flat_map(|(_, text)| lines(text)).filter_map(|line| named(line, "qos"));
        let scripts = self.scripts.iter().flat_map(|(_, text)| lines(text)).filter(|line| {
            let mut words = line.split_whitespace().filter(|w| *w != "sacctmgr");
            words.next().is_some_and(|w| w.eq_ignore_ascii_case("add") || w.eq_ignore_ascii_case("create"))
                && words.next().is_some_and(|w| w.eq_ignore_ascii_case("qos"))
        });
        let names = scripts.filter_map(name_of);
        dumped.chain(names).flat_map(|names| names.split(',')).map(str::to_owned).collect()
    }

    /// The QOS that the files or slurm.conf name.
    fn qos(&self, cluster: &Cluster) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let lists = |p: &PartConf| {
            [&p.allow_qos, &p.deny_qos].into_iter().flatten().flatten().cloned().collect::<Vec<_>>()
        };
        let partitions = cluster.partitions.iter().flat_map(|p| p.qos.iter().cloned().chain(lists(p)));
        let dumped = self.dumps.iter().flat_map(|(_, text)| lines(text)).flat_map(|line| {
            let settings = line.split(':').filter_map(|part| part.split_once('='));
            let of_qos = settings
                .filter(|(key, _)| key.eq_ignore_ascii_case("QOS") || key.eq_ignore_ascii_case("DefaultQOS"));
            of_qos.flat_map(|(_, names)| {
                names.trim_matches('\'').split(',').map(str::to_owned).collect::<Vec<_>>()
            })
        });
        for name in partitions.chain(dumped) {
            let name = name.trim_matches(['+', '-', ' ']).to_ascii_lowercase();
            let word = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
            if !name.is_empty() && name.chars().all(word) && name != "all" && !all.contains(&name) {
                all.push(name);
            }
        }
        all
    }
}

/// Warns of dumps that are never loaded because the site has an `accounts.sh`.
pub fn unread(files: &SiteFiles) -> Vec<Diagnostic> {
    let script = files.0.get("accounts.sh").map_or("", String::as_str);
    let unread = Accounts::read(files).dumps.into_iter().filter(|(name, _)| !script.contains(name));
    let tell = |(name, _): (&str, &str)| Diagnostic {
        severity: Severity::Note,
        file: name.to_owned(),
        line: 0,
        message: "not read: accounts.sh makes the accounts".to_owned(),
    };
    unread.map(tell).collect()
}

/// The accounts that partitions name. The first is the default account of all users and may use the default
/// partition.
fn accounts(cluster: &Cluster) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let default = cluster.partitions.iter().filter(|p| p.is_default);
    let first = default.flat_map(|p| p.allow_accounts.iter().flatten()).next();
    let others = cluster.partitions.iter().flat_map(|p| p.allow_accounts.iter().flatten());
    let own = ACCOUNT.to_owned();
    for name in first.into_iter().chain([&own]).chain(others) {
        let name = name.to_ascii_lowercase();
        if !all.contains(&name) && name != "root" && name != "all" {
            all.push(name);
        }
    }
    all
}

/// Lines that are neither empty nor comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take(MAX_LINES).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn is_of_dump(line: &str) -> bool {
    KINDS.iter().any(|kind| named(line, kind).is_some())
}

/// The name in a dump line of this kind: `User - 'alice':Fairshare=1`.
fn named<'t>(line: &'t str, kind: &str) -> Option<&'t str> {
    let (word, rest) = line.split_once('-')?;
    let quoted = rest.trim_start().strip_prefix('\'')?;
    (word.trim().eq_ignore_ascii_case(kind)).then(|| quoted.split('\'').next()).flatten()
}

fn is_command(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    VERBS.iter().any(|verb| first.eq_ignore_ascii_case(verb))
}

/// The user that a command adds: `add user Name=alice Account=a`, `add user alice account=a`.
fn added_user(line: &str) -> Option<&str> {
    let mut words = line.split_whitespace().filter(|word| *word != "sacctmgr" && *word != "-i");
    let adds =
        words.next().is_some_and(|w| w.eq_ignore_ascii_case("add") || w.eq_ignore_ascii_case("create"));
    let user = words.next().is_some_and(|w| w.eq_ignore_ascii_case("user"));
    (adds && user).then(|| name_of(line)).flatten()
}

/// The name that a command refers to: `name=x`, else its first word without `=`.
fn name_of(line: &str) -> Option<&str> {
    let words = || line.split_whitespace().filter(|w| *w != "sacctmgr" && *w != "-i").skip(2);
    let key = |word: &'_ str| {
        word.split_once('=')
            .is_some_and(|(k, _)| k.eq_ignore_ascii_case("name") || k.eq_ignore_ascii_case("names"))
    };
    let said = words().find(|w| key(w)).and_then(|w| w.split_once('=')).map(|(_, name)| name);
    said.or_else(|| words().find(|w| !w.contains('=')))
}
