//! A site's policy, from `site.toml`: what real sites implement in `job_submit` plugins and cron scripts, as
//! tables.
//!
//! A rule has conditions (`when`), which must all hold, and actions. Rules are parsed and validated here and
//! executed by `slurmctld::policy`. See docs/site-policy.md.

mod read;
mod table;
mod test;

pub(super) use read::PolicyReader;
pub use table::{ASSOC_SETTINGS, AssocField, JobField, JobSetting};
pub use test::{Condition, FieldTest, without_end};

use base::time::Limit;
use serde::{Deserialize, Serialize};

/// All policy rules of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// `[[job_submit]]`: evaluated in order for each submission.
    pub job_submit: Vec<SubmitRule>,
    /// `[[job_modify]]`: evaluated in order for each `scontrol update` of a job. They can only reject.
    pub job_modify: Vec<SubmitRule>,
    /// `[[cron]]`: periodic changes of associations.
    pub cron: Vec<CronRule>,
    /// `[[usage]]`: usage accumulated before the simulation starts.
    pub usage: Vec<StartUsage>,
    /// `[[notes]]`: where the site's guide disagrees with Slurm.
    pub notes: Vec<super::GuideNote>,
}

/// A rule for submissions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmitRule {
    /// The rule's display name.
    pub name: String,
    /// Its line in `site.toml`.
    pub line: u32,
    /// The conditions; all must hold.
    pub when: Vec<Condition<JobField>>,
    /// The actions, in order.
    pub then: Vec<RuleAction>,
}

/// An action of a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuleAction {
    /// Sets a label for the conditions and texts of later rules.
    Label(String, Template),
    /// Changes a request of the job.
    Set {
        /// The setting.
        what: JobSetting,
        /// The new value.
        to: RuleValue,
        /// Only if the job does not set it.
        missing: bool,
    },
    /// Shows the user a message and continues.
    Say(Template),
    /// Rejects the job with a message of the site and an error of Slurm.
    Refuse {
        /// The site's message.
        message: Template,
        /// The name of the error, such as `InvalidTimeLimit`; "Unspecified error" if absent.
        error: Option<String>,
    },
    /// Skips the remaining rules.
    Stop,
}

/// A value set by a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RuleValue {
    /// A text.
    Text(Template),
    /// A number; memory in MiB.
    Number(u64),
    /// A time limit.
    Limit(Limit),
    /// A boolean.
    Switch(bool),
}

/// A text with placeholders for the job's properties: `{account}_cpu`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template(pub Vec<TemplatePart>);

/// A part of a [`Template`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TemplatePart {
    /// Literal text.
    Text(String),
    /// A property of the job, or a label.
    Field(JobField),
    /// The same without the shortest suffix that matches a pattern (`{account%_?pu}`).
    Trimmed(JobField, String),
}

/// A periodic rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CronRule {
    /// The rule's display name.
    pub name: String,
    /// Its line in `site.toml`.
    pub line: u32,
    /// Period in seconds; due at its multiples since midnight, like cron.
    pub every: u32,
    /// Applies to users' associations instead of accounts'.
    pub users: bool,
    /// Conditions on the association.
    pub when: Vec<Condition<AssocField>>,
    /// The settings, as in `sacctmgr modify ... set`.
    pub set: Vec<(String, String)>,
}

/// Initial usage of an association.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartUsage {
    /// Its line in `site.toml`.
    pub line: u32,
    /// The account.
    pub account: String,
    /// One of its users; `None`: users who have left.
    pub user: Option<String>,
    /// Billing units × seconds, in thousandths.
    pub raw_thousandths: u64,
    /// Seconds of run time.
    pub wall: u64,
    /// TRES amounts × seconds.
    pub tres: Vec<(String, u64)>,
}
