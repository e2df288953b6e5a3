//! The association tree: lookups and inheritance. Mirrors "association" of sacctmgr(1).

use super::{AdminLevel, Assoc, Limits, Qos, Slurmdbd};
use base::ids::{AssocId, QosId};
use base::order::StableSort as _;

/// The root account.
pub const ROOT: &str = "root";
/// Maximum depth of the tree.
pub(super) const MAX_DEPTH: usize = 64;

impl Slurmdbd {
    /// The association with this id, unless deleted.
    #[must_use]
    pub fn assoc(&self, id: AssocId) -> Option<&Assoc> {
        self.assocs.get(id.0.checked_sub(1)? as usize).filter(|a| !a.deleted)
    }

    pub(super) fn assoc_mut(&mut self, id: AssocId) -> Option<&mut Assoc> {
        self.assocs.get_mut(id.0.checked_sub(1)? as usize).filter(|a| !a.deleted)
    }

    /// All associations that are not deleted.
    pub fn live(&self) -> impl Iterator<Item = &Assoc> {
        self.assocs.iter().filter(|a| !a.deleted)
    }

    /// The association that a job of `user` in `account` and `partition` is charged to. One for the partition
    /// takes precedence over one without a partition.
    #[must_use]
    pub fn user_assoc(&self, user: &str, account: &str, partition: &str) -> Option<&Assoc> {
        let mine = self.users.get(user)?.assocs.iter().filter_map(|id| self.assoc(*id));
        mine.filter(|a| a.account.eq_ignore_ascii_case(account))
            .filter(|a| a.partition.as_deref().is_none_or(|p| p == partition))
            .max_by_key(|a| a.partition.is_some())
    }

    /// The association of an account itself.
    #[must_use]
    pub fn account_assoc(&self, account: &str) -> Option<&Assoc> {
        self.live().find(|a| a.user.is_none() && a.account == account)
    }

    /// The account of a user's jobs that do not specify one.
    #[must_use]
    pub fn default_account(&self, user: &str) -> Option<&str> {
        self.users.get(user).map(|u| u.default_account.as_str()).filter(|a| !a.is_empty())
    }

    /// `AdminLevel` of a user; root is an administrator.
    #[must_use]
    pub fn admin_level(&self, user: &str) -> AdminLevel {
        self.users.get(user).map_or(AdminLevel::None, |u| u.admin)
    }

    /// Whether a user coordinates an account or one above it.
    #[must_use]
    pub fn coordinates(&self, user: &str, account: &str) -> bool {
        let is =
            |name: &str| self.accounts.get(name).is_some_and(|a| a.coordinators.iter().any(|c| c == user));
        self.account_assoc(account).is_some_and(|a| self.chain(a.id).any(|up| is(&up.account)))
    }

    /// An association and all its ancestors, itself first.
    pub fn chain(&self, id: AssocId) -> impl Iterator<Item = &Assoc> {
        std::iter::successors(self.assoc(id), |a| a.parent.and_then(|p| self.assoc(p))).take(MAX_DEPTH)
    }

    /// The children of an association: users first, each group sorted by name.
    #[must_use]
    pub fn children(&self, id: AssocId) -> Vec<&Assoc> {
        let mut all: Vec<&Assoc> = self.live().filter(|a| a.parent == Some(id)).collect();
        all.order_by(|a, b| {
            let key = |x: &Assoc| (x.user.is_none(), x.account.clone(), x.user.clone(), x.partition.clone());
            key(a).cmp(&key(b))
        });
        all
    }

    /// A `Max*` limit of an association, or that of its nearest ancestor that has one.
    pub fn inherited<T>(&self, id: AssocId, limit: impl Fn(&Limits) -> Option<T>) -> Option<T> {
        self.chain(id).find_map(|a| limit(&a.limits))
    }

    /// A QOS by its name.
    #[must_use]
    pub fn qos_by_name(&self, name: &str) -> Option<&Qos> {
        self.qos.iter().find(|q| !q.deleted && q.name.eq_ignore_ascii_case(name))
    }

    /// A QOS by its id, unless deleted.
    #[must_use]
    pub fn qos_by_id(&self, id: QosId) -> Option<&Qos> {
        self.qos.get(id.0.checked_sub(1)? as usize).filter(|q| !q.deleted)
    }

    pub(super) fn qos_mut(&mut self, id: QosId) -> Option<&mut Qos> {
        self.qos.get_mut(id.0.checked_sub(1)? as usize).filter(|q| !q.deleted)
    }

    /// The QOS that every cluster starts with.
    #[must_use]
    pub fn normal_qos(&self) -> QosId {
        self.qos_by_name("normal").map_or(QosId(1), |q| q.id)
    }

    /// The QOS that an association may use: its own list, otherwise that of its nearest ancestor with a list.
    #[must_use]
    pub fn allowed_qos(&self, id: AssocId) -> Vec<QosId> {
        self.chain(id).map(|a| &a.qos).find(|q| !q.is_empty()).cloned().unwrap_or_default()
    }

    /// Whether an association may use a QOS.
    #[must_use]
    pub fn allows_qos(&self, id: AssocId, qos: QosId) -> bool {
        self.chain(id).map(|a| &a.qos).find(|list| !list.is_empty()).is_some_and(|list| list.contains(&qos))
    }

    /// The QOS of jobs that do not specify one: the association's default, otherwise its only one, otherwise `normal`.
    #[must_use]
    pub fn default_qos(&self, id: AssocId) -> Option<QosId> {
        let allowed = self.allowed_qos(id);
        let set = self.chain(id).find_map(|a| a.default_qos).filter(|q| self.qos_by_id(*q).is_some());
        let only = || if let [one] = allowed.as_slice() { Some(*one) } else { None };
        set.or_else(only).or_else(|| Some(self.normal_qos()).filter(|q| allowed.contains(q)))
    }
}
