//! Settings of accounts, users, associations and QOS: `option=value` as sacctmgr(1) takes them.
//!
//! An option that ends in `+` or `-` (`qos+=high`) adds to or removes from a list. An association without a
//! list of its own starts from the inherited one.

use super::assoc::ROOT;
use super::change::name_of;
use super::error::ChangeError;
use super::{AdminLevel, DecayedUsage, Limits, Qos, QosFlag, Slurmdbd};
use base::ids::{AssocId, QosId};
use config::parse_seconds;

/// Maximum number of QOS.
const MAX_QOS: usize = 10_000;

/// A QOS without limits.
pub(super) fn fresh_qos(id: u32, name: &str, description: &str) -> Qos {
    Qos {
        id: QosId(id),
        name: name.to_owned(),
        description: description.to_owned(),
        priority: 0,
        grace_time: 0,
        preempt: Vec::new(),
        preempt_mode: "cluster".to_owned(),
        preempt_exempt_time: None,
        flags: Vec::new(),
        usage_factor: 1.0,
        usage_threshold: None,
        limit_factor: None,
        usage: DecayedUsage::default(),
        limits: Limits::default(),
        deleted: false,
    }
}

/// How an option changes a list.
#[derive(Clone, Copy)]
enum Edit {
    Set,
    Add,
    Remove,
}

/// The option in lower case, and the operator (`=`, `+=` or `-=`).
fn edit(key: &str) -> (String, Edit) {
    let lower = key.to_ascii_lowercase();
    if let Some(bare) = lower.strip_suffix('+') {
        (bare.to_owned(), Edit::Add)
    } else if let Some(bare) = lower.strip_suffix('-') {
        (bare.to_owned(), Edit::Remove)
    } else {
        (lower, Edit::Set)
    }
}

impl Edit {
    fn apply<T: PartialEq>(self, list: &mut Vec<T>, items: Vec<T>) {
        match self {
            Self::Set => *list = items,
            Self::Add => {
                for item in items {
                    if !list.contains(&item) {
                        list.push(item);
                    }
                }
            }
            Self::Remove => list.retain(|old| !items.contains(old)),
        }
    }
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, ChangeError> {
    value.parse().map_err(|_| ChangeError::bad(key, value))
}

impl Slurmdbd {
    /// Sets one option of an account or of its association.
    pub(super) fn set_account(
        &mut self,
        name: &str,
        id: AssocId,
        key: &str,
        value: &str,
    ) -> Result<(), ChangeError> {
        match key.to_ascii_lowercase().as_str() {
            "description" | "desc" => {
                if let Some(account) = self.accounts.get_mut(name) {
                    account.description = value.to_lowercase();
                }
                Ok(())
            }
            "organization" | "org" => {
                if let Some(account) = self.accounts.get_mut(name) {
                    account.organization = value.to_lowercase();
                }
                Ok(())
            }
            "parent" => self.move_account(name, id, &value.to_ascii_lowercase()),
            _ => self.set_assoc(id, key, value),
        }
    }

    fn move_account(&mut self, name: &str, id: AssocId, parent: &str) -> Result<(), ChangeError> {
        let Some(above) = self.account_assoc(parent).map(|a| a.id).filter(|_| name != ROOT) else {
            return Err(ChangeError::InvalidParent);
        };
        if self.chain(above).any(|a| a.id == id) {
            return Err(ChangeError::InvalidParent);
        }
        if let Some(assoc) = self.assoc_mut(id) {
            assoc.parent = Some(above);
        }
        Ok(())
    }

    /// Sets one option of a user. Returns false if the option belongs to associations.
    pub(super) fn set_user(&mut self, name: &str, key: &str, value: &str) -> Result<bool, ChangeError> {
        match key.to_ascii_lowercase().as_str() {
            "adminlevel" | "admin" => {
                let level = AdminLevel::parse(value).ok_or_else(|| ChangeError::bad("AdminLevel", value))?;
                if let Some(user) = self.users.get_mut(name) {
                    user.admin = level;
                }
                Ok(true)
            }
            "defaultaccount" | "defaultacct" => {
                let account = value.to_ascii_lowercase();
                // The association may be the one that is being added.
                if !self.live().any(|a| a.user.as_deref() == Some(name) && a.account == account) {
                    return Err(ChangeError::NotAssociated { user: name.to_owned(), account });
                }
                if let Some(user) = self.users.get_mut(name) {
                    user.default_account = account;
                }
                Ok(true)
            }
            "defaultwckey" => {
                self.note_wckey(value, name);
                if let Some(user) = self.users.get_mut(name) {
                    value.clone_into(&mut user.default_wckey);
                }
                Ok(true)
            }
            "wckeys" | "wckey" => {
                for key in value.split(',').filter(|k| !k.is_empty()) {
                    self.add_wckey(key, name)?;
                }
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Sets one option of an association.
    pub(super) fn set_assoc(&mut self, id: AssocId, key: &str, value: &str) -> Result<(), ChangeError> {
        let (option, how) = edit(key);
        match option.as_str() {
            "qos" | "qoslevel" | "qoslist" => return self.set_qos_list(id, how, value),
            "defaultqos" => {
                let qos = if value.is_empty() || value == "-1" { None } else { Some(self.qos_id(value)?) };
                if qos.is_some_and(|q| !self.allowed_qos(id).contains(&q)) {
                    return Err(ChangeError::DefaultQos);
                }
                if let Some(assoc) = self.assoc_mut(id) {
                    assoc.default_qos = qos;
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(assoc) = self.assoc_mut(id) else { return Ok(()) };
        match option.as_str() {
            "fairshare" | "share" | "shares" => {
                assoc.shares = match value.to_ascii_lowercase().as_str() {
                    "parent" => None,
                    "-1" => Some(1),
                    _ => Some(number(key, value)?),
                };
                Ok(())
            }
            "priority" => {
                assoc.priority = if value == "-1" { 0 } else { number(key, value)? };
                Ok(())
            }
            "rawusage" => {
                only_zero(value)?;
                self.forget_usage(id);
                Ok(())
            }
            _ => assoc.limits.set(&option, value).unwrap_or_else(|| Err(ChangeError::unknown(key, value))),
        }
    }

    fn set_qos_list(&mut self, id: AssocId, how: Edit, value: &str) -> Result<(), ChangeError> {
        let items = self.qos_ids(value)?;
        let own = self.assoc(id).map(|a| a.qos.clone()).unwrap_or_default();
        let mut list = if own.is_empty() && !matches!(how, Edit::Set) { self.allowed_qos(id) } else { own };
        how.apply(&mut list, items);
        if let Some(assoc) = self.assoc_mut(id) {
            assoc.qos = list;
        }
        Ok(())
    }

    fn qos_id(&self, name: &str) -> Result<QosId, ChangeError> {
        self.qos_by_name(name).map(|q| q.id).ok_or_else(|| ChangeError::BadQos(name.to_owned()))
    }

    fn qos_ids(&self, names: &str) -> Result<Vec<QosId>, ChangeError> {
        let mut ids = Vec::new();
        for name in names.split(',').map(str::trim).filter(|n| !n.is_empty() && *n != "-1") {
            let id = self.qos_id(name)?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    pub(super) fn add_qos(
        &mut self,
        name: &str,
        settings: &[(String, String)],
    ) -> Result<Vec<String>, ChangeError> {
        let name = name_of(name)?;
        if self.qos_by_name(&name).is_some() {
            return Err(ChangeError::NoEffect);
        }
        if self.qos.len() >= MAX_QOS {
            return Err(ChangeError::TooManyQos);
        }
        let id = u32::try_from(self.qos.len() + 1).unwrap_or(u32::MAX);
        self.qos.push(fresh_qos(id, &name, &name));
        for (key, value) in settings {
            self.set_qos(QosId(id), key, value)?;
        }
        Ok(vec![name])
    }

    pub(super) fn modify_qos(
        &mut self,
        name: &str,
        settings: &[(String, String)],
    ) -> Result<Vec<String>, ChangeError> {
        let Some((id, name)) = self.qos_by_name(name).map(|q| (q.id, q.name.clone())) else {
            return Err(ChangeError::NothingModified);
        };
        for (key, value) in settings {
            self.set_qos(id, key, value)?;
        }
        Ok(vec![name])
    }

    pub(super) fn delete_qos(&mut self, name: &str) -> Result<Vec<String>, ChangeError> {
        let Some((id, name)) = self.qos_by_name(name).map(|q| (q.id, q.name.clone())) else {
            return Err(ChangeError::NothingDeleted);
        };
        self.no_jobs_of(|r| r.qos == name)?;
        for qos in &mut self.qos {
            qos.preempt.retain(|q| *q != id);
            qos.deleted |= qos.id == id;
        }
        for assoc in &mut self.assocs {
            assoc.qos.retain(|q| *q != id);
            assoc.default_qos = assoc.default_qos.filter(|q| *q != id);
        }
        Ok(vec![name])
    }

    /// Whether a QOS that preempts these would preempt itself, directly or through others.
    fn preempts_itself(&self, id: QosId, list: &[QosId]) -> bool {
        let (mut seen, mut next) = (Vec::new(), list.to_vec());
        while let Some(other) = next.pop() {
            if other == id {
                return true;
            }
            if !seen.contains(&other) {
                seen.push(other);
                next.extend(
                    self.qos.iter().filter(|q| q.id == other).flat_map(|q| q.preempt.iter().copied()),
                );
            }
        }
        false
    }

    /// Sets one option of a QOS.
    fn set_qos(&mut self, id: QosId, key: &str, value: &str) -> Result<(), ChangeError> {
        let (option, how) = edit(key);
        let preempt = if option == "preempt" { self.qos_ids(value)? } else { Vec::new() };
        let Some(qos) = self.qos.iter_mut().find(|q| q.id == id) else { return Ok(()) };
        let clear = value == "-1";
        match option.as_str() {
            "description" | "desc" => qos.description = value.to_lowercase(),
            "priority" => qos.priority = if clear { 0 } else { number(key, value)? },
            "gracetime" => qos.grace_time = if clear { 0 } else { seconds(key, value)? },
            "preempt" => {
                let mut list = qos.preempt.clone();
                how.apply(&mut list, preempt);
                if self.preempts_itself(id, &list) {
                    return Err(ChangeError::PreemptionLoop);
                }
                if let Some(qos) = self.qos.iter_mut().find(|q| q.id == id) {
                    qos.preempt = list;
                }
            }
            "preemptmode" => {
                let mode = value.to_ascii_lowercase();
                let known = ["cluster", "off", "cancel", "requeue", "suspend", "gang", "within"];
                if !mode.split(',').all(|m| known.contains(&m)) {
                    return Err(ChangeError::BadPreemptMode(value.to_owned()));
                }
                qos.preempt_mode = mode;
            }
            "preemptexempttime" => {
                qos.preempt_exempt_time = if clear { None } else { Some(seconds(key, value)?) };
            }
            "flags" => {
                let words = value.split(',').filter(|w| !w.is_empty() && !clear);
                let flag = |w| QosFlag::parse(w).ok_or_else(|| ChangeError::BadQosFlag(w.to_owned()));
                let flags = words.map(flag).collect::<Result<Vec<_>, _>>()?;
                how.apply(&mut qos.flags, flags);
            }
            "usagefactor" => {
                let factor: f64 = if clear { 1.0 } else { number(key, value)? };
                qos.usage_factor = if factor.is_finite() && factor >= 0.0 { factor } else { 1.0 };
            }
            "usagethreshold" | "usagethres" => {
                let threshold: f64 = number(key, value)?;
                qos.usage_threshold = Some(threshold).filter(|t| t.is_finite() && *t >= 0.0);
            }
            "limitfactor" => {
                let factor: f64 = number(key, value)?;
                qos.limit_factor = Some(factor).filter(|f| f.is_finite() && *f > 0.0);
            }
            "rawusage" => {
                only_zero(value)?;
                qos.usage = DecayedUsage::default();
            }
            _ => {
                return qos
                    .limits
                    .set(&option, value)
                    .unwrap_or_else(|| Err(ChangeError::unknown(key, value)));
            }
        }
        Ok(())
    }
}

/// Accepts only 0: `RawUsage` can be reset, not set.
fn only_zero(value: &str) -> Result<(), ChangeError> {
    if value == "0" { Ok(()) } else { Err(ChangeError::RawUsage) }
}

/// Reads plain numbers as seconds; a value with a colon or dash is a time as in `--time`.
fn seconds(key: &str, value: &str) -> Result<u32, ChangeError> {
    if !value.contains([':', '-']) {
        return number(key, value);
    }
    parse_seconds(value).ok_or_else(|| ChangeError::bad(key, value))
}
