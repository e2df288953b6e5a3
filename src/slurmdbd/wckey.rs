//! Workload characterisation keys: labels for the purpose of jobs, kept for each user. Mirrors "wckey" of
//! sacctmgr(1) and `TrackWCKey` of slurm.conf(5).

use super::Slurmdbd;
use super::error::ChangeError;

/// Maximum number of keys.
const MAX_KEYS: usize = 20_000;

impl Slurmdbd {
    /// Whether a user has this key.
    #[must_use]
    pub fn has_wckey(&self, name: &str, user: &str) -> bool {
        self.wckeys.binary_search_by(|(n, u)| (n.as_str(), u.as_str()).cmp(&(name, user))).is_ok()
    }

    /// A user's default key.
    #[must_use]
    pub fn default_wckey(&self, user: &str) -> &str {
        self.users.get(user).map_or("", |u| u.default_wckey.as_str())
    }

    /// Adds a key, as slurmdbd does for the jobs that it records.
    pub fn note_wckey(&mut self, name: &str, user: &str) {
        let key = (name.to_owned(), user.to_owned());
        if let Err(at) = self.wckeys.binary_search(&key)
            && self.wckeys.len() < MAX_KEYS
        {
            self.wckeys.insert(at, key);
        }
    }

    /// `sacctmgr add user NAME wckey=`: adds a key. The first one becomes the default.
    pub(super) fn add_wckey(&mut self, name: &str, user: &str) -> Result<Vec<String>, ChangeError> {
        if self.has_wckey(name, user) {
            return Err(ChangeError::NoEffect);
        }
        let Some(who) = self.users.get_mut(user) else {
            return Err(ChangeError::NoSuchUser(user.to_owned()));
        };
        if who.default_wckey.is_empty() {
            name.clone_into(&mut who.default_wckey);
        }
        self.note_wckey(name, user);
        Ok(vec![format!("C = {:<10} W = {name:<10} U = {user:<9}", self.cluster)])
    }
}
