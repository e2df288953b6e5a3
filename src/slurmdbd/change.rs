//! `sacctmgr add`, `modify`, `delete`: applies one change at a time.
//!
//! The returned texts are the objects as sacctmgr(1) lists them below "Associations =" or "Modified ...".

use super::assoc::ROOT;
use super::error::{ActiveJob, ChangeError};
use super::{Account, AccountingChange, AdminLevel, Assoc, DbUser, DecayedUsage, Fair, Limits, Slurmdbd};
use base::ids::{AssocId, DbIndex};

/// Most accounts, users, associations and QOS.
const MAX_OBJECTS: usize = 100_000;

/// Settings of one change: option and value.
type Settings = [(String, String)];

impl Slurmdbd {
    /// Applies a change on behalf of the user `by`. On an error, nothing changes.
    ///
    /// # Errors
    /// The change is refused.
    pub fn apply(&mut self, change: &AccountingChange, by: &str) -> Result<Vec<String>, ChangeError> {
        self.may(change, by)?;
        // Settings are read one by one into a copy, so that an error leaves no half-applied change.
        let mut next = self.without_jobs();
        let done = match change {
            AccountingChange::DeleteAccount { .. }
            | AccountingChange::DeleteUser { .. }
            | AccountingChange::DeleteQos { .. } => {
                next.jobs = self.jobs.clone();
                next.remove(change)?
            }
            AccountingChange::AddAccount { name, parent, settings } => {
                next.add_account(name, parent, settings)?
            }
            AccountingChange::AddUser { name, account, partition, settings } => {
                next.add_user(name, account, partition.as_deref(), settings)?
            }
            AccountingChange::AddQos { name, settings } => next.add_qos(name, settings)?,
            AccountingChange::ModifyAccount { name, settings } => next.modify_account(name, settings)?,
            AccountingChange::ModifyUser { name, account, partition, settings } => {
                next.modify_user(name, account.as_deref(), partition.as_deref(), settings)?
            }
            AccountingChange::ModifyQos { name, settings } => next.modify_qos(name, settings)?,
            AccountingChange::AddCoordinator { account, user } => next.add_coordinator(account, user)?,
            AccountingChange::DeleteCoordinator { account, user } => {
                next.delete_coordinator(account, user)?
            }
            AccountingChange::AddWckey { name, user } => next.add_wckey(name, user)?,
            AccountingChange::Resource(change) => next.change_resource(change)?,
            AccountingChange::Jobs(change) => {
                next.jobs = self.jobs.clone();
                let done = next.change_jobs(change, by)?;
                self.jobs = std::mem::take(&mut next.jobs);
                done
            }
            AccountingChange::Cluster(change) => {
                next.jobs = self.jobs.clone();
                next.change_cluster(change)?
            }
        };
        next.jobs = std::mem::take(&mut self.jobs);
        *self = next;
        Ok(done)
    }

    /// A copy of everything but the job history.
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
            jobs: base::cow::CowMap::default(),
            arrived: None,
            transactions: self.transactions.clone(),
        }
    }

    /// Checks whether `by` may make a change. Administrators may make all; operators all except QOS and admin
    /// levels; coordinators those of users and subaccounts of their accounts.
    fn may(&self, change: &AccountingChange, by: &str) -> Result<(), ChangeError> {
        let level = if by == ROOT { AdminLevel::Administrator } else { self.admin_level(by) };
        let levels =
            |settings: &Settings| settings.iter().any(|(k, _)| k.to_ascii_lowercase().starts_with("admin"));
        // Without an account, the change applies to all accounts of the user.
        let coordinates_user = |name: &str, account: Option<&str>| {
            let mut mine = self.live().filter(|a| {
                a.user.as_deref() == Some(name) && account.is_none_or(|wanted| a.account == wanted)
            });
            // There is nothing to coordinate if no user matches.
            let first = mine.next();
            first.is_some_and(|a| self.coordinates(by, &a.account))
                && mine.all(|a| self.coordinates(by, &a.account))
        };
        let (least, coordinator) = match change {
            // Users may change their own jobs' records.
            AccountingChange::Jobs(_) => return Ok(()),
            AccountingChange::AddUser { account, settings, .. } => {
                let least = if levels(settings) { AdminLevel::Administrator } else { AdminLevel::Operator };
                (least, self.coordinates(by, account) && !levels(settings))
            }
            AccountingChange::AddCoordinator { account, .. }
            | AccountingChange::DeleteCoordinator { account, .. } => {
                (AdminLevel::Operator, self.coordinates(by, account))
            }
            AccountingChange::AddAccount { parent, .. } => {
                (AdminLevel::Operator, self.coordinates(by, parent))
            }
            AccountingChange::ModifyUser { settings, .. } if levels(settings) => {
                (AdminLevel::Administrator, false)
            }
            // Users may set their own defaults; their coordinators may not.
            AccountingChange::ModifyUser { name, settings, .. } if own_defaults(settings) => {
                (if name == by { AdminLevel::None } else { AdminLevel::Operator }, false)
            }
            AccountingChange::ModifyUser { name, account, .. }
            | AccountingChange::DeleteUser { name, account, .. } => {
                (AdminLevel::Operator, coordinates_user(name, account.as_deref()))
            }
            AccountingChange::ModifyAccount { .. }
            | AccountingChange::DeleteAccount { .. }
            | AccountingChange::AddWckey { .. }
            | AccountingChange::Resource(_) => (AdminLevel::Operator, false),
            AccountingChange::AddQos { .. }
            | AccountingChange::ModifyQos { .. }
            | AccountingChange::DeleteQos { .. }
            | AccountingChange::Cluster(_) => (AdminLevel::Administrator, false),
        };
        if level >= least || coordinator { Ok(()) } else { Err(ChangeError::AccessDenied) }
    }

    fn add_account(
        &mut self,
        name: &str,
        parent: &str,
        settings: &Settings,
    ) -> Result<Vec<String>, ChangeError> {
        let name = name_of(name)?;
        if self.account_assoc(&name).is_some() {
            return Err(ChangeError::NoEffect);
        }
        let given = settings.iter().find(|(k, _)| k.eq_ignore_ascii_case("Parent")).map(|(_, v)| v.as_str());
        let parent = given.unwrap_or(if parent.is_empty() { ROOT } else { parent }).to_ascii_lowercase();
        let Some(above) = self.account_assoc(&parent).map(|a| a.id) else {
            return Err(ChangeError::NoParentAccount { parent, cluster: self.cluster.clone() });
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
    ) -> Result<Vec<String>, ChangeError> {
        let (name, account) = (name_of(name)?, account.to_ascii_lowercase());
        let Some(above) = self.account_assoc(&account).map(|a| a.id) else {
            return Err(ChangeError::NoAccount { account, cluster: self.cluster.clone() });
        };
        let same = |a: &Assoc| {
            a.user.as_deref() == Some(&*name) && a.account == account && a.partition.as_deref() == partition
        };
        if self.live().any(same) {
            return Err(ChangeError::NoEffect);
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

    pub(super) fn modify_account(
        &mut self,
        name: &str,
        settings: &Settings,
    ) -> Result<Vec<String>, ChangeError> {
        let name = name.to_ascii_lowercase();
        let Some(id) = self.account_assoc(&name).map(|a| a.id) else {
            return Err(ChangeError::NothingModified);
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
    ) -> Result<Vec<String>, ChangeError> {
        let ids = self.assocs_of(name, account, partition);
        if ids.is_empty() {
            return Err(ChangeError::NothingModified);
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

    fn add_coordinator(&mut self, account: &str, user: &str) -> Result<Vec<String>, ChangeError> {
        if !self.users.contains_key(user) {
            return Err(ChangeError::NoSuchUser(user.to_owned()));
        }
        let Some(entry) = self.accounts.get_mut(account) else {
            return Err(ChangeError::NoSuchAccount(account.to_owned()));
        };
        if entry.coordinators.iter().any(|c| c == user) {
            return Err(ChangeError::NoEffect);
        }
        entry.coordinators.push(user.to_owned());
        Ok(vec![user.to_owned()])
    }

    fn delete_coordinator(&mut self, account: &str, user: &str) -> Result<Vec<String>, ChangeError> {
        let Some(entry) = self.accounts.get_mut(account) else {
            return Err(ChangeError::NoSuchAccount(account.to_owned()));
        };
        let before = entry.coordinators.len();
        entry.coordinators.retain(|c| c != user);
        if entry.coordinators.len() == before {
            Err(ChangeError::NoEffect)
        } else {
            Ok(vec![user.to_owned()])
        }
    }

    fn remove(&mut self, change: &AccountingChange) -> Result<Vec<String>, ChangeError> {
        match change {
            AccountingChange::DeleteAccount { name } => self.delete_account(&name.to_ascii_lowercase()),
            AccountingChange::DeleteUser { name, account } => self.delete_user(name, account.as_deref()),
            AccountingChange::DeleteQos { name } => self.delete_qos(name),
            AccountingChange::AddAccount { .. }
            | AccountingChange::AddUser { .. }
            | AccountingChange::AddQos { .. }
            | AccountingChange::ModifyAccount { .. }
            | AccountingChange::ModifyUser { .. }
            | AccountingChange::ModifyQos { .. }
            | AccountingChange::AddCoordinator { .. }
            | AccountingChange::AddWckey { .. }
            | AccountingChange::Resource(_)
            | AccountingChange::Cluster(_)
            | AccountingChange::Jobs(_)
            | AccountingChange::DeleteCoordinator { .. } => Ok(Vec::new()),
        }
    }

    fn delete_account(&mut self, name: &str) -> Result<Vec<String>, ChangeError> {
        let Some(top) = self.account_assoc(name).map(|a| a.id).filter(|_| name != ROOT) else {
            return Err(ChangeError::NothingDeleted);
        };
        let below: Vec<AssocId> =
            self.live().filter(|a| self.chain(a.id).any(|up| up.id == top)).map(|a| a.id).collect();
        self.no_jobs(|a| below.contains(&a))?;
        let orphan = |u: &DbUser| {
            u.default_account == name
                && self.live().any(|a| a.user.as_ref() == Some(&u.name) && !below.contains(&a.id))
        };
        if self.users.values().any(orphan) {
            return Err(ChangeError::DefaultAccount);
        }
        let done = self.delete_assocs(&below);
        self.accounts.retain(|account, _| {
            account == ROOT || self.assocs.iter().any(|a| !a.deleted && a.account == *account)
        });
        Ok(done)
    }

    fn delete_user(&mut self, name: &str, account: Option<&str>) -> Result<Vec<String>, ChangeError> {
        let ids = self.assocs_of(name, account, None);
        if ids.is_empty() || name == ROOT {
            return Err(ChangeError::NothingDeleted);
        }
        self.no_jobs(|a| ids.contains(&a))?;
        let default = self.default_account(name).unwrap_or_default();
        let goes = |account: &str| ids.iter().any(|id| self.assoc(*id).is_some_and(|a| a.account == account));
        if goes(default) && self.assocs_of(name, None, None).len() > ids.len() {
            return Err(ChangeError::DefaultAccount);
        }
        Ok(self.delete_assocs(&ids))
    }

    /// Marks associations as deleted, and removes users without any left.
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

    /// Fails while an unfinished job uses one of these associations.
    fn no_jobs(&self, hit: impl Fn(AssocId) -> bool) -> Result<(), ChangeError> {
        self.no_jobs_of(|r| r.assoc.is_some_and(&hit))
    }

    /// Fails if an unfinished job matches, and names the first one.
    pub(super) fn no_jobs_of(&self, hit: impl Fn(&super::JobRecord) -> bool) -> Result<(), ChangeError> {
        let Some(r) = self.jobs.values().find(|r| r.end.is_none() && hit(r)) else { return Ok(()) };
        Err(ChangeError::JobsActive(ActiveJob {
            id: r.job.0,
            cluster: self.cluster.clone(),
            account: r.account.clone(),
            user: r.user.clone(),
            qos: r.qos.clone(),
        }))
    }

    /// The associations of a user, in one account or in all.
    fn assocs_of(&self, user: &str, account: Option<&str>, partition: Option<&str>) -> Vec<AssocId> {
        self.live()
            .filter(|a| a.user.as_deref() == Some(user))
            .filter(|a| account.is_none_or(|name| a.account.eq_ignore_ascii_case(name)))
            .filter(|a| partition.is_none_or(|name| a.partition.as_deref() == Some(name)))
            .map(|a| a.id)
            .collect()
    }

    /// Adds an association. A deleted one of the same name is restored with its old id.
    fn add_assoc(
        &mut self,
        account: &str,
        user: Option<&str>,
        partition: Option<&str>,
        parent: Option<AssocId>,
    ) -> Result<AssocId, ChangeError> {
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
            usage: DecayedUsage::default(),
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
            return Err(ChangeError::TooManyAssociations);
        }
        let id = fresh.id;
        self.assocs.push(fresh);
        self.give_assoc(user, id);
        Ok(id)
    }

    /// Adds an association to its user's list.
    fn give_assoc(&mut self, user: Option<&str>, id: AssocId) {
        if let Some(user) = user.and_then(|name| self.users.get_mut(name)) {
            user.assocs.push(id);
        }
    }

    /// An association as sacctmgr lists it after adding or modifying it.
    fn line(&self, account: &str, user: Option<&str>) -> String {
        let user = user.map(|u| format!(" U = {u:<9}")).unwrap_or_default();
        format!("C = {:<10} A = {account:<20}{user}", self.cluster)
    }
}

impl Slurmdbd {
    /// A database with the cluster, the root account, the root user, and the QOS `normal`.
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
            jobs: base::cow::CowMap::<DbIndex, _>::default(),
            arrived: None,
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
        // The first two associations always fit within the bounds.
        let top = dbd.add_assoc(ROOT, None, None, None).unwrap_or(AssocId(1));
        dbd.add_assoc(ROOT, Some(ROOT), None, Some(top)).unwrap_or(top);
        if let Some(top) = dbd.assoc_mut(top) {
            top.qos.push(base::ids::QosId(1));
        }
        dbd
    }
}

/// Whether the settings change only a user's defaults.
fn own_defaults(settings: &Settings) -> bool {
    let defaults = ["defaultaccount", "defaultacct", "defaultwckey"];
    settings.iter().all(|(k, _)| defaults.contains(&k.to_ascii_lowercase().as_str()))
}

/// A name in lower case, as Slurm stores it. Refuses invalid names.
pub(super) fn name_of(text: &str) -> Result<String, ChangeError> {
    if text.is_empty() || text.len() > 128 || text.chars().any(|c| c.is_control() || c == ',') {
        return Err(ChangeError::BadName(text.to_owned()));
    }
    Ok(text.to_lowercase())
}
