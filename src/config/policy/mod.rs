//! A site's own policy, from `site.toml`: what real sites write in `job_submit` plugins and cron, as tables.
//!
//! A rule is `when` (conditions that all hold) and what then happens. Rules are read here, checked once, and carried out
//! by `slurmctld::policy`. See docs/site-policy.md.

mod read;
mod table;
mod test;

pub(super) use read::Reader;
pub use table::{AssocField, JobField, Setting};
pub use test::{Condition, Test};

use crate::base::time::Limit;
use serde::{Deserialize, Serialize};

/// Everything that a site does besides Slurm.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// `[[job_submit]]`: looked at in order for each submission.
    pub job_submit: Vec<SubmitRule>,
    /// `[[job_modify]]`: looked at in order for each `scontrol update` of a job. They only refuse.
    pub job_modify: Vec<SubmitRule>,
    /// `[[cron]]`: what is done to associations every so often.
    pub cron: Vec<CronRule>,
    /// `[[usage]]`: what was used before the world began.
    pub usage: Vec<StartUsage>,
    /// `[[notes]]`: where the site's guide and Slurm differ.
    pub notes: Vec<super::Note>,
}

/// A rule for submissions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmitRule {
    /// For people.
    pub name: String,
    /// Its line in `site.toml`.
    pub line: u32,
    /// All of them must hold.
    pub when: Vec<Condition<JobField>>,
    /// What then happens, in order.
    pub then: Vec<Action>,
}

/// What a rule does with a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Gives a label a value, for conditions and texts of later rules.
    Label(String, Template),
    /// Changes what the job asks for.
    Set {
        /// What.
        what: Setting,
        /// To what.
        to: Wanted,
        /// Only where the job does not say it itself.
        missing: bool,
    },
    /// Tells the user something and goes on.
    Say(Template),
    /// Refuses the job with the site's own words, and one of Slurm's errors.
    Refuse {
        /// The site's words, line by line.
        message: Template,
        /// The error's name, `InvalidTimeLimit`; "Unspecified error" where none is given.
        error: Option<String>,
    },
    /// No later rule is looked at.
    Stop,
}

/// A value that a rule gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    /// A text.
    Text(Template),
    /// A number; memory in MiB.
    Number(u64),
    /// A time limit.
    Limit(Limit),
    /// Yes or no.
    Switch(bool),
}

/// A text with places for what a job says: `{account}_cpu`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template(pub Vec<Piece>);

/// A piece of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// As it is.
    Text(String),
    /// What the job says, or a label.
    Place(JobField),
}

/// A rule that is looked at every so often.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CronRule {
    /// For people.
    pub name: String,
    /// Its line in `site.toml`.
    pub line: u32,
    /// Seconds; due at multiples of it since midnight, as cron does it.
    pub every: u32,
    /// Users' associations instead of accounts'.
    pub users: bool,
    /// Which associations.
    pub when: Vec<Condition<AssocField>>,
    /// What `sacctmgr modify ... set` then says.
    pub set: Vec<(String, String)>,
}

/// Usage that an association has at the start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartUsage {
    /// Its line in `site.toml`.
    pub line: u32,
    /// The account.
    pub account: String,
    /// One of its users; none: people who are no longer there.
    pub user: Option<String>,
    /// Billing units times seconds, in thousandths.
    pub raw_thousandths: u64,
    /// Seconds of run time.
    pub wall: u64,
    /// Amount times seconds by TRES.
    pub tres: Vec<(String, u64)>,
}
