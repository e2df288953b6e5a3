//! The log of changes, `sacctmgr show transactions`. It is bounded: the oldest entries are dropped first. The
//! texts consist of the most important columns and values that slurmdbd writes into its tables.

use super::{AccountingChange, Assoc, ClusterChange, ResourceChange, Slurmdbd};
use base::time::Time;
use serde::{Deserialize, Serialize};

/// Maximum number of entries.
const MAX: usize = 10_000;

/// One change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct Transaction {
    pub time: Time,
    pub action: String,
    pub actor: String,
    /// The changed object.
    pub subject: String,
    /// The new values.
    pub info: String,
}

impl Slurmdbd {
    /// Adds the entries with which a new cluster begins.
    pub fn note_registration(&mut self, gres: &[String], now: Time) {
        let at = now.secs();
        let cluster = self.cluster.clone();
        let limits = "shares=1, grp_jobs=NULL, grp_jobs_accrue=NULL, grp_submit_jobs=NULL, grp_wall=NULL";
        self.note(now, "Add Clusters", "root", &cluster, format!("mod_time={at}, {limits}"));
        for _ in 0..2 {
            let info = format!("mod_time={at}, acct='root', user='root', is_def=1");
            self.note(now, "Add Associations", "root", "id_assoc=2", info);
        }
        let info = "control_host='127.0.0.1', control_port=6817, last_port=6817, rpc_version=11520";
        self.note(now, "Modify Clusters", "slurm", &format!("name='{cluster}'"), info.to_owned());
        for (id, name) in (1001..).zip(gres) {
            self.note(now, "Add TRES", "slurm", &format!("id={id}"), format!("type='gres', name='{name}'"));
        }
    }

    /// Adds the entry of a controller that started again, as after the accounts were made.
    pub fn note_restart(&mut self, now: Time) {
        let info = "control_host='127.0.0.1', control_port=6817, last_port=6817, rpc_version=11520";
        let cluster = self.cluster.clone();
        self.note(now, "Modify Clusters", "slurm", &format!("name='{cluster}'"), info.to_owned());
    }

    /// Logs a change.
    pub fn note_change(&mut self, change: &AccountingChange, actor: &str, now: Time) {
        let at = now.secs();
        let pairs = |settings: &[(String, String)]| -> String {
            settings
                .iter()
                .map(|(k, v)| format!("{}='{v}'", k.trim_end_matches(['+', '-'])))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match change {
            AccountingChange::AddAccount { name, .. } => {
                let (description, organization) =
                    self.accounts.get(name).map_or((name.clone(), name.clone()), |a| {
                        (a.description.clone(), a.organization.clone())
                    });
                let info = format!("description='{description}', organization='{organization}'");
                self.note(now, "Add Accounts", actor, name, info);
                let id = self.account_assoc(name).map_or(0, |a| a.id.0);
                let info = format!("mod_time={at}, acct='{name}', is_def=0, shares=1");
                self.note(now, "Add Associations", actor, &format!("id_assoc={id}"), info);
            }
            AccountingChange::AddUser { name, account, partition, .. } => {
                let known = self.users.get(name);
                let level = known.map_or(1, |u| u.admin as u8 + 1);
                if known.is_none_or(|u| u.assocs.len() < 2) {
                    self.note(now, "Add Users", actor, name, format!("admin_level={level}"));
                }
                let id =
                    self.user_assoc(name, account, partition.as_deref().unwrap_or("")).map_or(0, |a| a.id.0);
                let info = format!("mod_time={at}, acct='{account}', is_def=1, user='{name}', shares=1");
                self.note(now, "Add Associations", actor, &format!("id_assoc={id}"), info);
            }
            AccountingChange::AddQos { name, settings } => {
                self.note(now, "Add QOS", actor, name, pairs(settings))
            }
            AccountingChange::ModifyAccount { name, settings } => {
                let id = self.account_assoc(name).map_or(0, |a| a.id.0);
                self.note_modified("Accounts", name, &[id], settings, actor, now);
            }
            AccountingChange::ModifyUser { name, account, settings, .. } => {
                let of = |a: &&Assoc| {
                    a.user.as_ref() == Some(name)
                        && account.as_ref().is_none_or(|account| a.account == *account)
                };
                let mut ids: Vec<u32> = self.live().filter(of).map(|a| a.id.0).collect();
                if let Some((_, default)) = settings.iter().find(|(key, _)| key == "defaultaccount") {
                    // The association of the new default account is marked.
                    let new = self.live().find(|a| a.user.as_ref() == Some(name) && a.account == *default);
                    let id = new.map_or(0, |a| a.id.0);
                    let info = "is_def=1".to_owned();
                    self.note(now, "Modify Associations", actor, &format!("(id_assoc={id})"), info);
                }
                ids.sort_unstable();
                self.note_modified("Users", name, &ids, settings, actor, now);
            }
            AccountingChange::ModifyQos { name, settings } => {
                self.note(now, "Modify QOS", actor, &format!("(name='{name}')"), pairs(settings));
            }
            AccountingChange::DeleteAccount { name } => {
                self.note(now, "Remove Account Coords", actor, &format!("(acct='{name}')"), String::new());
                self.note(now, "Remove Accounts", actor, &format!("name='{name}'"), String::new());
            }
            AccountingChange::DeleteUser { name, account } => {
                if let Some(account) = account {
                    let of = |a: &&Assoc| a.user.as_ref() == Some(name) && a.account == *account;
                    let id = self.assocs.iter().rev().find(of).map_or(0, |a| a.id.0);
                    self.note(now, "Remove Associations", actor, &format!("id_assoc={id}"), String::new());
                }
                if !self.users.contains_key(name) {
                    self.note(
                        now,
                        "Remove Account Coords",
                        actor,
                        &format!("(user='{name}')"),
                        String::new(),
                    );
                    self.note(now, "Remove Users", actor, &format!("name='{name}'"), String::new());
                }
            }
            AccountingChange::DeleteQos { name } => {
                self.note(now, "Remove QOS", actor, &format!("(name='{name}')"), String::new());
            }
            AccountingChange::AddCoordinator { account, user } => {
                self.note(now, "Add Account Coord", actor, user, format!("acct='{account}'"));
            }
            AccountingChange::AddWckey { name, user } => {
                self.note(now, "Add WCKeys", actor, name, format!("user='{user}'"));
            }
            AccountingChange::Resource(change) => {
                let action = match change {
                    ResourceChange::Add { .. } => "Add Resource",
                    ResourceChange::Modify { .. } => "Modify Resource",
                    ResourceChange::Delete { .. } => "Remove Resource",
                };
                self.note(now, action, actor, change.name(), String::new());
            }
            AccountingChange::Jobs(change) => {
                let id = change.jobs.first().map_or(0, |job| job.0);
                self.note(now, "Modify Job", actor, &format!("id_job={id}"), String::new());
            }
            AccountingChange::Cluster(change) => {
                let name = format!("name='{}'", change.name());
                match change {
                    ClusterChange::Add { name, .. } => {
                        self.note(now, "Add Clusters", actor, name, format!("mod_time={at}"));
                    }
                    ClusterChange::Modify { classification, settings, .. } => {
                        if let Some(class) = classification {
                            let info = format!("classification='{class}'");
                            self.note(now, "Modify Clusters", actor, &name, info);
                        }
                        if !settings.is_empty() {
                            self.note(now, "Modify Associations", actor, "(id_assoc=1)", pairs(settings));
                        }
                    }
                    ClusterChange::Delete { .. } => {
                        self.note(now, "Remove Clusters", actor, &name, String::new())
                    }
                }
            }
            AccountingChange::DeleteCoordinator { account, user } => {
                let which = format!("(user='{user}') && (acct='{account}')");
                self.note(now, "Remove Account Coords", actor, &which, String::new());
            }
        }
    }

    /// Adds the entries for settings of users or accounts themselves, and of their associations. A change of the parent
    /// has none, as recorded from 22.05.
    fn note_modified(
        &mut self,
        kind: &str,
        name: &str,
        ids: &[u32],
        settings: &[(String, String)],
        actor: &str,
        now: Time,
    ) {
        const OWN: &[&str] = &["adminlevel", "defaultwckey", "description", "newname", "organization"];
        const SILENT: &[&str] = &["defaultaccount", "parent"];
        let pairs = |own: bool| -> Vec<String> {
            let wanted = |key: &str| OWN.contains(&key) == own && !SILENT.contains(&key);
            let bare = settings.iter().map(|(k, v)| (k.trim_end_matches(['+', '-']), v));
            bare.filter(|(key, _)| wanted(key)).map(|(key, value)| format!("{key}='{value}'")).collect()
        };
        let (itself, of_assocs) = (pairs(true), pairs(false));
        if !itself.is_empty() {
            self.note(now, &format!("Modify {kind}"), actor, &format!("(name='{name}')"), itself.join(", "));
        }
        if !of_assocs.is_empty() && !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(|id| format!("id_assoc={id}")).collect();
            let which = format!("({})", ids.join(" || "));
            self.note(now, "Modify Associations", actor, &which, of_assocs.join(", "));
        }
    }

    fn note(&mut self, time: Time, action: &str, actor: &str, subject: &str, info: String) {
        if self.transactions.len() >= MAX {
            self.transactions.drain(..MAX / 10);
        }
        self.transactions.push(Transaction {
            time,
            action: action.to_owned(),
            actor: actor.to_owned(),
            subject: subject.to_owned(),
            info,
        });
    }
}
