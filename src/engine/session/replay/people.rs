//! Users and accounts of a trace that a site does not know: they are added to its files, so that their jobs are accepted.

use super::Workload;
use super::site::translated;
use base::ids::Uid;
use base::order::StableSort as _;
use config::{SiteFiles, SiteInfo};
use host::users::Users;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Maximum number of users of a site.
const MAX_USERS: usize = 2000;

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
        let own: BTreeSet<String> = SiteInfo::parse("", files).0.users.into_iter().map(|u| u.name).collect();
        let Some(accounts) = files.0.get_mut("accounts.sh") else {
            workload.jobs.iter_mut().for_each(|work| work.desc.account = None);
            return;
        };
        let mut busiest: Vec<&TraceUser> = self.0.values().collect();
        busiest.order_by_key(|user| Reverse(user.jobs));
        busiest.truncate(MAX_USERS.saturating_sub(own.len()));
        let names: BTreeSet<&str> = busiest.iter().flat_map(|u| &u.accounts).map(String::as_str).collect();
        let mut commands = String::new();
        for name in names {
            let _ = writeln!(commands, "add account {name}");
        }
        for user in &busiest {
            for account in &user.accounts {
                let _ = writeln!(commands, "add user {} account={account}", user.name);
            }
        }
        // The site's last line may not be complete, and its own errors are told.
        let _ = write!(accounts, "\nsacctmgr -i -Q > /dev/null << 'END'\n{commands}END\ntrue\n");
        let tables = files.0.contains_key("site.toml") || !files.0.contains_key("users");
        let people = files.0.entry(if tables { "site.toml" } else { "users" }.to_owned()).or_default();
        // A site that was imported from the same trace has them already.
        for name in busiest.iter().map(|user| &user.name).filter(|name| !own.contains(*name)) {
            let _ = if tables {
                write!(people, "\n[[users]]\nname = \"{name}\"\n")
            } else {
                write!(people, "\n{name}\n")
            };
        }
        let known = Users::new(SiteInfo::parse("", files).0.users.iter().map(|user| user.name.as_str()));
        let uid_there =
            |uid| self.0.get(&uid).and_then(|user| known.by_name(&user.name)).map(|user| user.uid);
        let jobs = workload.jobs.len();
        workload.jobs.retain_mut(|work| {
            let uid = uid_there(work.desc.uid);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::replay::site::{START, controller};
    use crate::session::replay::{Replay, swf};

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

    #[test]
    fn a_site_without_accounts_takes_any_uid() {
        let mut files = lab();
        files.0.remove("accounts.sh");
        let before = files.clone();
        let workload = swf::parse_for_site("t.swf", &line(1, 7, 3), &mut files);
        assert_eq!((files == before, workload.jobs[0].desc.account.is_none()), (true, true));
    }
}
