//! What a class is: which cluster, for how many people, and with which accounts.

use super::names::check_class_name;
use super::{MAX_PEOPLE, Seat};
use protocol::Micros;
use serde::{Deserialize, Serialize};

/// Longest name of a site.
const MAX_SITE: usize = 64;
/// Most groups of a plan.
const MAX_GROUPS: u32 = 100;
/// Most user names of a site.
const MAX_TAKEN: usize = 2000;

/// Which accounts the participants get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccountPlan {
    /// Each has an account of their own, with equal shares.
    Each,
    /// All are in the account `class`.
    Together,
    /// This many accounts, `group1` and so on, filled in turn.
    Groups(u32),
}

/// A class. All of it is known to every participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassDescription {
    /// Its name.
    pub name: String,
    /// A built-in site.
    pub site: String,
    /// The seed.
    pub seed: u64,
    /// The amount of background jobs: `off`, `quiet`, `normal`, `busy` or `overloaded`.
    pub background: String,
    /// Virtual time at its start.
    pub start: Micros,
    /// Accounts.
    pub plan: AccountPlan,
    /// Most participants.
    pub people: u32,
    /// Users that the site has itself.
    pub taken: Vec<String>,
}

impl ClassDescription {
    /// Checks the bounds.
    ///
    /// # Errors
    /// A sentence for the user.
    pub fn check(&self) -> Result<(), String> {
        check_class_name(&self.name)?;
        if self.site.is_empty() || self.site.len() > MAX_SITE || self.background.len() > MAX_SITE {
            return Err("The names of site and background jobs are too long.".to_owned());
        }
        if !(1..=MAX_PEOPLE).contains(&self.people) {
            return Err(format!("A class has 1 to {MAX_PEOPLE} participants."));
        }
        if self.taken.len() > MAX_TAKEN {
            return Err(format!("A class cannot use a site with more than {MAX_TAKEN} users."));
        }
        match self.plan {
            AccountPlan::Groups(n) if !(1..=MAX_GROUPS).contains(&n) => {
                Err(format!("A class has 1 to {MAX_GROUPS} groups."))
            }
            AccountPlan::Each | AccountPlan::Together | AccountPlan::Groups(_) => Ok(()),
        }
    }

    /// The account of a participant.
    #[must_use]
    pub fn account(&self, seat: &Seat) -> String {
        match self.plan {
            AccountPlan::Each => seat.name.clone(),
            AccountPlan::Together => "class".to_owned(),
            AccountPlan::Groups(groups) => {
                format!("group{}", seat.number.wrapping_sub(1) % groups.max(1) + 1)
            }
        }
    }

    /// The commands that root runs for a new participant. Names were checked, so none of them needs quotes.
    #[must_use]
    pub fn accounting(&self, seat: &Seat) -> String {
        let (account, name) = (self.account(seat), &seat.name);
        format!("sacctmgr -i add account {account}; sacctmgr -i add user {name} Account={account}")
    }
}
