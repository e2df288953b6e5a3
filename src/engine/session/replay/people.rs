//! Users and accounts of a trace that a site does not know: they are added to its files, so that their jobs are accepted.
//!
//! A site that knows all of them keeps its files as they are.

use super::Workload;
use super::site::translated;
use base::ids::Uid;
use base::order::StableSort as _;
use config::{SiteFiles, SiteInfo};
use host::users::Users;
use slurmctld::Slurmctld;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Maximum number of users of a site.
const MAX_USERS: usize = 2000;
/// The account of a new user whose jobs name none.
const ACCOUNT: &str = "trace";
/// Maximum number of names in a message.
const MAX_NAMES: usize = 5;

/// The users of a trace by their uids in it.
pub(super) struct TracePeople(BTreeMap<Uid, TraceUser>);

struct TraceUser {
    name: String,
    accounts: BTreeSet<String>,
    jobs: u64,
}

impl TracePeople {
    /// The users of a workload, with their names.
    pub(super) fn of(workload: &Workload, name: impl Fn(Uid) -> String) -> Self {
        let mut people: BTreeMap<Uid, TraceUser> = BTreeMap::new();
        for work in &workload.jobs {
            let uid = work.desc.uid;
            let new = || TraceUser { name: name(uid), accounts: BTreeSet::new(), jobs: 0 };
            let user = people.entry(uid).or_insert_with(new);
            user.jobs += 1;
            if let Some(account) = work.desc.account.as_ref().filter(|name| !user.accounts.contains(*name)) {
                user.accounts.insert(account.clone());
            }
        }
        Self(people)
    }

    /// Adds the users to a site that keeps accounts, and gives the jobs their uids there. A site can have 2,000 users: the
    /// jobs of the least busy ones beyond that are left out. Without accounts, only the jobs' accounts are dropped.
    pub(super) fn add_to(self, files: &mut SiteFiles, file: &str, workload: &mut Workload) {
        *files = translated(files);
        if !files.0.contains_key("accounts.sh") {
            workload.jobs.iter_mut().for_each(|work| work.desc.account = None);
            return;
        }
        self.write(files, file, workload);
    }

    /// Adds the users and accounts that the site's controller does not know, and says so. `groups` has the groups of users,
    /// which are the accounts of new ones whose jobs name none.
    pub(super) fn add_unknown(
        mut self,
        ctld: &Slurmctld,
        groups: &BTreeMap<Uid, String>,
        files: &mut SiteFiles,
        file: &str,
        workload: &mut Workload,
    ) {
        // Without accounts, numbers are uids without a name.
        self.0.retain(|_, user| !user.name.is_empty());
        let keeps_accounts = keeps_accounts(files);
        // Sets of one type, because each other one adds code to the page's worker.
        let (mut pairs, mut accounts) = (BTreeSet::<String>::new(), BTreeSet::<String>::new());
        let pair = |user: &str, account: &str| format!("{user} {account}");
        for assoc in ctld.dbd.live() {
            if let Some(user) = &assoc.user {
                pairs.insert(pair(user, &assoc.account));
                accounts.insert(assoc.account.clone());
            }
        }
        let people: BTreeSet<String> = ctld.people.iter().map(|(_, name)| name.clone()).collect();
        let (mut new_users, mut new_accounts) = (BTreeSet::new(), BTreeSet::new());
        for (uid, user) in &mut self.0 {
            if !people.contains(&user.name) {
                new_users.insert(user.name.clone());
            }
            if !keeps_accounts {
                user.accounts.clear();
                continue;
            }
            if user.accounts.is_empty() && ctld.dbd.default_account(&user.name).is_none() {
                let group = groups.get(uid).map_or(ACCOUNT, String::as_str);
                user.accounts.insert(group.to_owned());
            }
            user.accounts.retain(|account| !pairs.contains(&pair(&user.name, account)));
            let new = user.accounts.iter().filter(|account| !accounts.contains(*account));
            new_accounts.extend(new.cloned());
        }
        if new_users.is_empty() && self.0.values().all(|user| user.accounts.is_empty()) {
            return;
        }
        *files = translated(files);
        for (kind, names) in [("users", &new_users), ("accounts", &new_accounts)] {
            if !names.is_empty() {
                let more = if names.len() > MAX_NAMES { ", ..." } else { "" };
                let shown: Vec<&str> = names.iter().take(MAX_NAMES).map(String::as_str).collect();
                let (count, shown) = (names.len(), shown.join(", "));
                workload.note(file, 0, format!("{kind} added to the site: {count} ({shown}{more})"));
            }
        }
        self.write(files, file, workload);
    }

    /// Writes the users and their accounts into the files of a site.
    fn write(self, files: &mut SiteFiles, file: &str, workload: &mut Workload) {
        let own: BTreeSet<String> = names_of(files).into_iter().collect();
        let mut new: Vec<&TraceUser> = self.0.values().filter(|user| !own.contains(&user.name)).collect();
        new.order_by_key(|user| Reverse(user.jobs));
        new.truncate(MAX_USERS.saturating_sub(own.len()));
        if let Some(accounts) = files.0.get_mut("accounts.sh") {
            let known = self.0.values().filter(|user| own.contains(&user.name));
            let users: Vec<&TraceUser> = new.iter().copied().chain(known).collect();
            let names: BTreeSet<String> = users.iter().flat_map(|u| &u.accounts).cloned().collect();
            let mut commands = String::new();
            for name in names {
                let _ = writeln!(commands, "add account {name}");
            }
            for user in &users {
                for account in &user.accounts {
                    let _ = writeln!(commands, "add user {} account={account}", user.name);
                }
            }
            // The site's last line may not be complete, and its own errors are told.
            let _ = write!(accounts, "\nsacctmgr -i -Q > /dev/null << 'END'\n{commands}END\ntrue\n");
        }
        add_names(files, &own, new.iter().map(|user| user.name.as_str()));
        let there = Users::new(names_of(files).iter().map(String::as_str));
        let uids: BTreeMap<&str, Uid> = there.0.iter().map(|user| (user.name.as_str(), user.uid)).collect();
        let jobs = workload.jobs.len();
        workload.jobs.retain_mut(|work| {
            let Some(user) = self.0.get(&work.desc.uid) else { return true };
            let uid = uids.get(user.name.as_str()).copied();
            work.desc.uid = uid.unwrap_or(work.desc.uid);
            uid.is_some()
        });
        let left_out = jobs - workload.jobs.len();
        if left_out > 0 {
            workload.left_out += left_out as u64;
            let why = format!(
                "a site has at most {MAX_USERS} users; {left_out} jobs of the least busy are left out"
            );
            workload.note(file, 0, why);
        }
    }
}

/// Whether a site has accounts.
pub(super) fn keeps_accounts(files: &SiteFiles) -> bool {
    translated(files).0.contains_key("accounts.sh")
}

/// The names of a site's users, in order.
fn names_of(files: &SiteFiles) -> Vec<String> {
    SiteInfo::parse("", files).0.users.into_iter().map(|user| user.name).collect()
}

/// Adds users to `site.toml` or `users`. A site that names no users has a default one, who stays.
fn add_names<'a>(files: &mut SiteFiles, own: &'a BTreeSet<String>, new: impl Iterator<Item = &'a str>) {
    let tables = files.0.contains_key("site.toml") || !files.0.contains_key("users");
    let people = files.0.entry(if tables { "site.toml" } else { "users" }.to_owned()).or_default();
    let unnamed: Vec<&str> =
        own.iter().map(String::as_str).filter(|name| own.len() == 1 && !people.contains(name)).collect();
    for name in unnamed.into_iter().chain(new) {
        let _ = if tables {
            write!(people, "\n[[users]]\nname = \"{name}\"\n")
        } else {
            write!(people, "\n{name}\n")
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::replay::site::{START, controller};
    use crate::session::replay::{Replay, events, swf};

    fn lab() -> SiteFiles {
        config::sites::built_in("lab").expect("lab is built in")
    }

    fn line(job: u32, user: u32, group: u32) -> String {
        format!("{job} 0 0 100 2 -1 -1 2 200 -1 1 {user} {group} -1 -1 -1 -1 -1\n")
    }

    #[test]
    fn users_of_a_trace_have_accounts_on_a_site() {
        let text = line(1, 7, 3) + &line(2, 8, 3) + &line(3, 8, 4);
        let mut files = lab();
        let workload = swf::parse_for_site("t.swf", &text, &mut files);
        let (ctld, found) = controller("lab", &files, START);
        assert!(found.iter().all(|d| d.file != "accounts.sh"), "{found:?}");
        let name = |uid: Uid| ctld.people.iter().find(|p| p.0 == uid).map(|p| p.1.as_str());
        let users: Vec<_> = workload.jobs.iter().map(|work| name(work.desc.uid)).collect();
        assert_eq!(users, [Some("user7"), Some("user8"), Some("user8")]);
        let mut replay = Replay::new(ctld, workload.jobs, START);
        while replay.run(1000) {}
        let report = replay.report_of();
        assert_eq!((report.all.started, report.refused.len()), (3, 0));
    }

    #[test]
    fn the_least_busy_users_are_left_out_if_there_are_too_many() {
        let extra = 30;
        let users = u32::try_from(MAX_USERS).unwrap_or_default() + extra;
        let mut text: String = (0..users).map(|user| line(user, user, 1)).collect();
        text += &line(users, users - 1, 1);
        let mut files = lab();
        let own = SiteInfo::parse("lab", &files).0.users.len();
        let workload = swf::parse_for_site("t.swf", &text, &mut files);
        assert_eq!(workload.left_out, u64::from(extra) + own as u64);
        let busiest = workload.jobs.iter().filter(|work| work.desc.name == format!("job{users}")).count();
        assert_eq!((busiest, workload.diagnostics.len()), (1, 1));
    }

    #[test]
    fn a_site_that_has_the_users_keeps_them() {
        let mut files = lab();
        let first = swf::parse_for_site("t.swf", &line(1, 7, 3), &mut files);
        let once = SiteInfo::parse("lab", &files).0.users.len();
        let second = swf::parse_for_site("t.swf", &line(1, 7, 3), &mut files);
        assert_eq!(SiteInfo::parse("lab", &files).0.users.len(), once);
        assert_eq!(first.jobs[0].desc.uid, second.jobs[0].desc.uid);
    }

    fn event(user: &str, options: &str) -> String {
        format!("-dt 0 -e submit_batch_job | -sim-walltime 100 --uid={user} {options} -n 2 -t 10 x.sh\n")
    }

    /// Replays lines of sbatch on a site. Returns how many jobs started, the users' names, and the messages.
    fn events_on(files: &mut SiteFiles, text: &str) -> (usize, Vec<String>, Vec<String>) {
        let (before, _) = controller("lab", files, START);
        let workload = events::parse_for_site("w.events", text, &before, files);
        let (ctld, found) = controller("lab", files, START);
        assert!(found.iter().all(|d| d.file != "accounts.sh"), "{found:?}");
        let users = workload.jobs.iter().map(|work| ctld.user_name(work.desc.uid)).collect();
        let told = workload.diagnostics.iter().map(|found| found.message.clone()).collect();
        let mut replay = Replay::new(ctld, workload.jobs, START);
        while replay.run(1000) {}
        let report = replay.report_of();
        assert_eq!(report.refused, [], "{:?}", replay.never_started("w.events"));
        (report.all.started as usize, users, told)
    }

    #[test]
    fn unknown_users_of_sbatch_lines_are_added() {
        let mut files = lab();
        let text = event("alice", "")
            + &event("zoe", "-A Astro")
            + &event("zoe", "")
            + &event("yan", "--gid=optics")
            + &event("4711", "")
            + &event("alice", "-A astro");
        let (started, users, told) = events_on(&mut files, &text);
        assert_eq!((started, users.join(" ").as_str()), (6, "alice zoe zoe yan uid4711 alice"));
        let expected = [
            "users added to the site: 3 (uid4711, yan, zoe)",
            "accounts added to the site: 3 (astro, optics, trace)",
        ];
        assert_eq!(told, expected);
        // The second time, the site knows them.
        let before = files.clone();
        let (started, _, told) = events_on(&mut files, &text.replace("4711", "uid4711"));
        assert_eq!((started, told.len(), files == before), (6, 0, true));
    }

    #[test]
    fn known_users_leave_a_site_as_it_is() {
        let mut files = lab();
        let before = files.clone();
        let (started, users, told) = events_on(&mut files, &(event("bob", "") + &event("1001", "")));
        assert_eq!((started, users.join(" ").as_str(), told.len()), (2, "bob alice", 0));
        assert!(files == before);
    }

    #[test]
    fn unknown_users_of_a_site_without_accounts_or_users() {
        let mut files = lab();
        for name in ["accounts.sh", "site.toml", "users"] {
            files.0.remove(name);
        }
        if let Some(conf) = files.0.get_mut("slurm.conf") {
            conf.push_str("\nAccountingStorageEnforce=none\n");
        }
        let (started, users, told) =
            events_on(&mut files, &(event("zoe", "-A astro") + &event("alice", "") + &event("4711", "")));
        assert_eq!((started, users.join(" ").as_str()), (3, "zoe alice 4711"));
        assert_eq!(told, ["users added to the site: 1 (zoe)"]);
    }

    #[test]
    fn names_that_no_site_can_have_are_left_out() {
        let mut files = lab();
        let (ctld, _) = controller("lab", &files, START);
        let text = event("a\"b", "")
            + &event("a,b", "")
            + &event("zoe", "-A a,b")
            + &event("-v", "")
            + &event("bob", "");
        let workload = events::parse_for_site("w.events", &text, &ctld, &mut files);
        assert_eq!((workload.jobs.len(), workload.left_out), (1, 4), "{:?}", workload.diagnostics);
        assert!(files == lab());
    }

    #[test]
    fn a_site_without_accounts_takes_any_uid() {
        let mut files = lab();
        files.0.remove("accounts.sh");
        let before = files.clone();
        let workload = swf::parse_for_site("t.swf", &line(1, 7, 3), &mut files);
        assert_eq!((files == before, workload.jobs[0].desc.account.is_none()), (true, true));
    }
}
