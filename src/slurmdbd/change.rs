//! `sacctmgr add`, `modify`, `delete`: one change at a time.
//!
//! The texts that come back are the objects as sacctmgr(1) lists them below "Associations =" or "Modified ...".

use super::assoc::ROOT;
use super::{Account, AdminLevel, Assoc, Change, DbUser, Fair, Limits, Slurmdbd, Usage};
use crate::base::ids::{AssocId, DbIndex};

/// Most accounts, users, associations and QOS.
const MAX_OBJECTS: usize = 100_000;
/// What sacctmgr says when there is nothing to do.
const NOTHING: &str = "Request didn't affect anything";

/// Settings of one change: option and value.
type Settings = [(String, String)];

impl Slurmdbd {
    /// Carries out a change on behalf of the user `by`; nothing is changed on an error.
    ///
    /// # Errors
    /// Slurm's words for what is wrong.
    pub fn apply(&mut self, change: &Change, by: &str) -> Result<Vec<String>, String> {
        self.may(change, by)?;
        // Settings are read one after the other; a copy keeps half a change from being kept.
        let mut next = self.without_jobs();
        let done = match change {
            Change::DeleteAccount { .. } | Change::DeleteUser { .. } | Change::DeleteQos { .. } => {
                next.jobs = self.jobs.clone();
                next.remove(change)?
            }
            Change::AddAccount { name, parent, settings } => next.add_account(name, parent, settings)?,
            Change::AddUser { name, account, partition, settings } => {
                next.add_user(name, account, partition.as_deref(), settings)?
            }
            Change::AddQos { name, settings } => next.add_qos(name, settings)?,
            Change::ModifyAccount { name, settings } => next.modify_account(name, settings)?,
            Change::ModifyUser { name, account, partition, settings } => {
                next.modify_user(name, account.as_deref(), partition.as_deref(), settings)?
            }
            Change::ModifyQos { name, settings } => next.modify_qos(name, settings)?,
            Change::AddCoordinator { account, user } => next.add_coordinator(account, user)?,
            Change::DeleteCoordinator { account, user } => next.delete_coordinator(account, user)?,
            Change::AddWckey { name, user } => next.add_wckey(name, user)?,
            Change::Resource(change) => next.change_resource(change)?,
            Change::Jobs(change) => {
                next.jobs = self.jobs.clone();
                let done = next.change_jobs(change, by)?;
                self.jobs = std::mem::take(&mut next.jobs);
                done
            }
            Change::Cluster(change) => {
                next.jobs = self.jobs.clone();
                next.change_cluster(change)?
            }
        };
        next.jobs = std::mem::take(&mut self.jobs);
        *self = next;
        Ok(done)
    }

    /// Everything but the history.
    fn without_jobs(&self) -> Self {
        Self {
            cluster: self.cluster.clone(),
            accounts: self.accounts.clone(),
            users: self.users.clone(),
            assocs: self.assocs.clone(),
            qos: self.qos.clone(),
            wckeys: self.wckeys.clone(),
            resources: self.resources.clone(),
            clusters: self.clusters.clone(),
            reservations: self.reservations.clone(),
            jobs: crate::base::cow::CowMap::default(),
            transactions: self.transactions.clone(),
        }
    }

    /// Whether `by` may change that: administrators all, operators all but QOS and levels of administration, coordinators the
    /// users of their accounts and what is below these.
    fn may(&self, change: &Change, by: &str) -> Result<(), String> {
        let level = if by == ROOT { AdminLevel::Administrator } else { self.admin_level(by) };
        let levels =
            |settings: &Settings| settings.iter().any(|(k, _)| k.to_ascii_lowercase().starts_with("admin"));
        // Of a user without an account all of them are meant.
        let coordinates_user = |name: &str, account: Option<&str>| {
            let mut mine = self.live().filter(|a| {
                a.user.as_deref() == Some(name) && account.is_none_or(|wanted| a.account == wanted)
            });
            // Of nobody there is nothing to coordinate.
            let first = mine.next();
            first.is_some_and(|a| self.coordinates(by, &a.account))
                && mine.all(|a| self.coordinates(by, &a.account))
        };
        let (least, coordinator) = match change {
            // Users may change their own jobs' records.
            Change::Jobs(_) => return Ok(()),
            Change::AddUser { account, settings, .. } => {
                let least = if levels(settings) { AdminLevel::Administrator } else { AdminLevel::Operator };
                (least, self.coordinates(by, account) && !levels(settings))
            }
            Change::AddCoordinator { account, .. } | Change::DeleteCoordinator { account, .. } => {
                (AdminLevel::Operator, self.coordinates(by, account))
            }
            Change::AddAccount { parent, .. } => (AdminLevel::Operator, self.coordinates(by, parent)),
            Change::ModifyUser { settings, .. } if levels(settings) => (AdminLevel::Administrator, false),
            // Defaults are users' own business, and their coordinators' not.
            Change::ModifyUser { name, settings, .. } if own_defaults(settings) => {
                (if name == by { AdminLevel::None } else { AdminLevel::Operator }, false)
            }
            Change::ModifyUser { name, account, .. } | Change::DeleteUser { name, account, .. } => {
                (AdminLevel::Operator, coordinates_user(name, account.as_deref()))
            }
            Change::ModifyAccount { .. }
            | Change::DeleteAccount { .. }
            | Change::AddWckey { .. }
            | Change::Resource(_) => (AdminLevel::Operator, false),
            Change::AddQos { .. }
            | Change::ModifyQos { .. }
            | Change::DeleteQos { .. }
            | Change::Cluster(_) => (AdminLevel::Administrator, false),
        };
        if level >= least || coordinator { Ok(()) } else { Err("Access/permission denied".to_owned()) }
    }

    fn add_account(&mut self, name: &str, parent: &str, settings: &Settings) -> Result<Vec<String>, String> {
        let name = name_of(name)?;
        if self.account_assoc(&name).is_some() {
            return Err(NOTHING.to_owned());
        }
        let given = settings.iter().find(|(k, _)| k.eq_ignore_ascii_case("Parent")).map(|(_, v)| v.as_str());
        let parent = given.unwrap_or(if parent.is_empty() { ROOT } else { parent }).to_ascii_lowercase();
        let Some(above) = self.account_assoc(&parent).map(|a| a.id) else {
            return Err(format!("No parent account {parent} on cluster {}", self.cluster));
        };
        let organization = if parent == ROOT { &name } else { &parent }.clone();
        let account =
            Account { name: name.clone(), description: name.clone(), organization, coordinators: Vec::new() };
        self.accounts.entry(name.clone()).or_insert(account);
        let id = self.add_assoc(&name, None, None, Some(above))?;
        for (key, value) in settings {
            self.set_account(&name, id, key, value)?;
        }
        Ok(vec![self.line(&name, None)])
    }

    fn add_user(
        &mut self,
        name: &str,
        account: &str,
        partition: Option<&str>,
        settings: &Settings,
    ) -> Result<Vec<String>, String> {
        let (name, account) = (name_of(name)?, account.to_ascii_lowercase());
        let Some(above) = self.account_assoc(&account).map(|a| a.id) else {
            return Err(format!("No account {account} on cluster {}, skipping.", self.cluster));
        };
        let same = |a: &Assoc| {
            a.user.as_deref() == Some(&*name) && a.account == account && a.partition.as_deref() == partition
        };
        if self.live().any(same) {
            return Err(NOTHING.to_owned());
        }
        let user = DbUser { name: name.clone(), default_account: account.clone(), ..DbUser::default() };
        self.users.entry(name.clone()).or_insert(user);
        let id = self.add_assoc(&account, Some(&name), partition, Some(above))?;
        for (key, value) in settings {
            if !self.set_user(&name, key, value)? {
                self.set_assoc(id, key, value)?;
            }
        }
        Ok(vec![self.line(&account, Some(&name))])
    }

    pub(super) fn modify_account(&mut self, name: &str, settings: &Settings) -> Result<Vec<String>, String> {
        let name = name.to_ascii_lowercase();
        let Some(id) = self.account_assoc(&name).map(|a| a.id) else {
            return Err("Nothing modified".to_owned());
        };
        for (key, value) in settings {
            self.set_account(&name, id, key, value)?;
        }
        let above = self.assoc(id).and_then(|a| a.parent).and_then(|p| self.assoc(p));
        let of = above.map_or_else(String::new, |p| format!(" of {}", p.account));
        Ok(vec![format!("C = {:<10} A = {name}{of}", self.cluster)])
    }

    fn modify_user(
        &mut self,
        name: &str,
        account: Option<&str>,
        partition: Option<&str>,
        settings: &Settings,
    ) -> Result<Vec<String>, String> {
        let ids = self.assocs_of(name, account, partition);
        if ids.is_empty() {
            return Err("Nothing modified".to_owned());
        }
        let mut done = Vec::new();
        for (key, value) in settings {
            if !self.set_user(name, key, value)? {
                for id in &ids {
                    self.set_assoc(*id, key, value)?;
                }
            }
        }
        for id in ids {
            let account = self.assoc(id).map(|a| a.account.clone()).unwrap_or_default();
            done.push(self.line(&account, Some(name)));
        }
        Ok(done)
    }

    fn add_coordinator(&mut self, account: &str, user: &str) -> Result<Vec<String>, String> {
        if !self.users.contains_key(user) {
            return Err(format!("There is no user {user}"));
        }
        let Some(entry) = self.accounts.get_mut(account) else {
            return Err(format!("There is no account {account}"));
        };
        if entry.coordinators.iter().any(|c| c == user) {
            return Err(NOTHING.to_owned());
        }
        entry.coordinators.push(user.to_owned());
        Ok(vec![user.to_owned()])
    }

    fn delete_coordinator(&mut self, account: &str, user: &str) -> Result<Vec<String>, String> {
        let Some(entry) = self.accounts.get_mut(account) else {
            return Err(format!("There is no account {account}"));
        };
        let before = entry.coordinators.len();
        entry.coordinators.retain(|c| c != user);
        if entry.coordinators.len() == before { Err(NOTHING.to_owned()) } else { Ok(vec![user.to_owned()]) }
    }

    fn remove(&mut self, change: &Change) -> Result<Vec<String>, String> {
        match change {
            Change::DeleteAccount { name } => self.delete_account(&name.to_ascii_lowercase()),
            Change::DeleteUser { name, account } => self.delete_user(name, account.as_deref()),
            Change::DeleteQos { name } => self.delete_qos(name),
            Change::AddAccount { .. }
            | Change::AddUser { .. }
            | Change::AddQos { .. }
            | Change::ModifyAccount { .. }
            | Change::ModifyUser { .. }
            | Change::ModifyQos { .. }
            | Change::AddCoordinator { .. }
            | Change::AddWckey { .. }
            | Change::Resource(_)
            | Change::Cluster(_)
            | Change::Jobs(_)
            | Change::DeleteCoordinator { .. } => Ok(Vec::new()),
        }
    }

    fn delete_account(&mut self, name: &str) -> Result<Vec<String>, String> {
        let Some(top) = self.account_assoc(name).map(|a| a.id).filter(|_| name != ROOT) else {
            return Err("Nothing deleted".to_owned());
        };
        let below: Vec<AssocId> =
            self.live().filter(|a| self.chain(a.id).any(|up| up.id == top)).map(|a| a.id).collect();
        self.no_jobs(|a| below.contains(&a))?;
        let orphan = |u: &DbUser| {
            u.default_account == name
                && self.live().any(|a| a.user.as_ref() == Some(&u.name) && !below.contains(&a.id))
        };
        if self.users.values().any(orphan) {
            return Err("You can not remove the default account of a user".to_owned());
        }
        let done = self.delete_assocs(&below);
        self.accounts.retain(|account, _| {
            account == ROOT || self.assocs.iter().any(|a| !a.deleted && a.account == *account)
        });
        Ok(done)
    }

    fn delete_user(&mut self, name: &str, account: Option<&str>) -> Result<Vec<String>, String> {
        let ids = self.assocs_of(name, account, None);
        if ids.is_empty() || name == ROOT {
            return Err("Nothing deleted".to_owned());
        }
        self.no_jobs(|a| ids.contains(&a))?;
        let default = self.default_account(name).unwrap_or_default();
        let goes = |account: &str| ids.iter().any(|id| self.assoc(*id).is_some_and(|a| a.account == account));
        if goes(default) && self.assocs_of(name, None, None).len() > ids.len() {
            return Err("You can not remove the default account of a user".to_owned());
        }
        Ok(self.delete_assocs(&ids))
    }

    /// Marks associations as deleted, and forgets users who have none left.
    fn delete_assocs(&mut self, ids: &[AssocId]) -> Vec<String> {
        let mut done = Vec::new();
        for id in ids {
            let Some(assoc) = self.assoc(*id) else { continue };
            let user = assoc.user.as_deref().map(|u| format!(" U = {u:<9}")).unwrap_or_default();
            done.push(format!("C = {:<10} A = {:<10}{user}", self.cluster, assoc.account));
            if let Some(assoc) = self.assoc_mut(*id) {
                assoc.deleted = true;
            }
        }
        self.users.values_mut().for_each(|user| user.assocs.retain(|id| !ids.contains(id)));
        let assocs = &self.assocs;
        self.users.retain(|name, _| assocs.iter().any(|a| !a.deleted && a.user.as_ref() == Some(name)));
        done
    }

    /// Fails while a job of such an association has not ended.
    fn no_jobs(&self, hit: impl Fn(AssocId) -> bool) -> Result<(), String> {
        self.no_jobs_of(|r| r.assoc.is_some_and(&hit))
    }

    /// Fails, and names the first, while a job of that kind has not ended.
    pub(super) fn no_jobs_of(&self, hit: impl Fn(&super::JobRecord) -> bool) -> Result<(), String> {
        let Some(r) = self.jobs.values().find(|r| r.end.is_none() && hit(r)) else { return Ok(()) };
        Err(format!(
            "Job(s) active, cancel job(s) before remove\n  JobID = {:<10} C = {:<10} A = {:<10} U = {:<9} Q = {:<9}",
            r.job.0, self.cluster, r.account, r.user, r.qos
        ))
    }

    /// The associations of a user, in one account or all.
    fn assocs_of(&self, user: &str, account: Option<&str>, partition: Option<&str>) -> Vec<AssocId> {
        self.live()
            .filter(|a| a.user.as_deref() == Some(user))
            .filter(|a| account.is_none_or(|name| a.account.eq_ignore_ascii_case(name)))
            .filter(|a| partition.is_none_or(|name| a.partition.as_deref() == Some(name)))
            .map(|a| a.id)
            .collect()
    }

    /// A new association; a deleted one of the same name comes back under its old id.
    fn add_assoc(
        &mut self,
        account: &str,
        user: Option<&str>,
        partition: Option<&str>,
        parent: Option<AssocId>,
    ) -> Result<AssocId, String> {
        let same = |a: &&mut Assoc| {
            a.account == account && a.user.as_deref() == user && a.partition.as_deref() == partition
        };
        let fresh = Assoc {
            id: AssocId(u32::try_from(self.assocs.len() + 1).unwrap_or(u32::MAX)),
            account: account.to_owned(),
            user: user.map(str::to_owned),
            partition: partition.map(str::to_owned),
            parent,
            shares: Some(1),
            priority: 0,
            limits: Limits::default(),
            qos: Vec::new(),
            default_qos: None,
            usage: Usage::default(),
            fair: Fair::default(),
            deleted: false,
        };
        if let Some(old) = self.assocs.iter_mut().find(same) {
            let usage = std::mem::take(&mut old.usage);
            *old = Assoc { id: old.id, usage, ..fresh };
            let id = old.id;
            self.give_assoc(user, id);
            return Ok(id);
        }
        if self.assocs.len() >= MAX_OBJECTS {
            return Err("Too many associations".to_owned());
        }
        let id = fresh.id;
        self.assocs.push(fresh);
        self.give_assoc(user, id);
        Ok(id)
    }

    /// A user's own list of associations.
    fn give_assoc(&mut self, user: Option<&str>, id: AssocId) {
        if let Some(user) = user.and_then(|name| self.users.get_mut(name)) {
            user.assocs.push(id);
        }
    }

    /// An association as sacctmgr lists what it added or modified.
    fn line(&self, account: &str, user: Option<&str>) -> String {
        let user = user.map(|u| format!(" U = {u:<9}")).unwrap_or_default();
        format!("C = {:<10} A = {account:<20}{user}", self.cluster)
    }
}

impl Slurmdbd {
    /// A database that knows the cluster, the root account with the root user, and QOS `normal`.
    #[must_use]
    pub fn new(cluster: &str) -> Self {
        let mut dbd = Self {
            cluster: cluster.to_owned(),
            accounts: std::collections::BTreeMap::new(),
            users: std::collections::BTreeMap::new(),
            assocs: Vec::new(),
            qos: Vec::new(),
            transactions: Vec::new(),
            wckeys: Vec::new(),
            resources: Vec::new(),
            clusters: vec![super::ClusterRecord {
                name: cluster.to_owned(),
                ..super::ClusterRecord::default()
            }],
            reservations: Vec::new(),
            jobs: crate::base::cow::CowMap::<DbIndex, _>::default(),
        };
        dbd.qos.push(super::setting::fresh_qos(1, "normal", "Normal QOS default"));
        let account = Account {
            name: ROOT.to_owned(),
            description: "default root account".to_owned(),
            organization: ROOT.to_owned(),
            coordinators: Vec::new(),
        };
        dbd.accounts.insert(ROOT.to_owned(), account);
        let user = DbUser {
            name: ROOT.to_owned(),
            default_account: ROOT.to_owned(),
            default_wckey: String::new(),
            admin: AdminLevel::Administrator,
            assocs: Vec::new(),
        };
        dbd.users.insert(ROOT.to_owned(), user);
        // Two associations always fit.
        let top = dbd.add_assoc(ROOT, None, None, None).unwrap_or(AssocId(1));
        dbd.add_assoc(ROOT, Some(ROOT), None, Some(top)).unwrap_or(top);
        if let Some(top) = dbd.assoc_mut(top) {
            top.qos.push(crate::base::ids::QosId(1));
        }
        dbd
    }
}

/// Whether nothing but a user's defaults is set.
fn own_defaults(settings: &Settings) -> bool {
    let defaults = ["defaultaccount", "defaultacct", "defaultwckey"];
    settings.iter().all(|(k, _)| defaults.contains(&k.to_ascii_lowercase().as_str()))
}

/// A name in Slurm's lower case; refused when it cannot be one.
pub(super) fn name_of(text: &str) -> Result<String, String> {
    let ok = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '+' | '@' | '/' | '.');
    if text.is_empty() || text.len() > 128 || !text.chars().all(ok) {
        return Err(format!("Unacceptable name given: {text}"));
    }
    Ok(text.to_lowercase())
}
