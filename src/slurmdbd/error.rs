//! The reasons for which a change of the accounts is refused.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a change is refused. `Display` writes Slurm's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChangeError {
    /// The caller's administration level is too low.
    AccessDenied,
    /// Every setting already has this value.
    NoEffect,
    /// There is no such object to modify.
    NothingModified,
    /// There is no such object to delete.
    NothingDeleted,
    /// The parent of a new account does not exist.
    NoParentAccount {
        /// The parent.
        parent: String,
        /// Where it does not exist.
        cluster: String,
    },
    /// The account of a new user does not exist.
    NoAccount {
        /// The account.
        account: String,
        /// Where it does not exist.
        cluster: String,
    },
    /// The named user does not exist.
    NoSuchUser(String),
    /// The named account does not exist.
    NoSuchAccount(String),
    /// The default account is not one of the user's accounts.
    NotAssociated {
        /// The user.
        user: String,
        /// The account.
        account: String,
    },
    /// The account cannot be moved to this parent.
    InvalidParent,
    /// The default account of a user with other associations cannot be removed.
    DefaultAccount,
    /// Associations would lose access to their default QOS.
    DefaultQos,
    /// A QOS would preempt itself, directly or through others.
    PreemptionLoop,
    /// A job that has not ended needs the object.
    JobsActive(ActiveJob),
    /// The maximum number of associations is reached.
    TooManyAssociations,
    /// The maximum number of QOS is reached.
    TooManyQos,
    /// The maximum number of clusters is reached.
    TooManyClusters,
    /// The name of a new object contains invalid characters.
    BadName(String),
    /// There is no such option.
    UnknownOption {
        /// Its name.
        option: String,
        /// The value it was to be set to.
        value: String,
    },
    /// An option does not take this value.
    BadValue {
        /// Its name; empty for a limit.
        option: String,
        /// The value.
        value: String,
    },
    /// There is no such QOS.
    BadQos(String),
    /// There is no such QOS flag.
    BadQosFlag(String),
    /// There is no such preemption mode.
    BadPreemptMode(String),
    /// There is no such TRES.
    BadTres(String),
    /// `RawUsage` can only be reset to 0.
    RawUsage,
    /// A cluster of this name exists.
    ClusterExists(String),
    /// The simulated cluster cannot be deleted.
    OwnCluster,
    /// A setting of a resource is refused.
    Resource(ResourceError),
}

/// The first job that keeps an object from being deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct ActiveJob {
    pub id: u32,
    pub cluster: String,
    pub account: String,
    pub user: String,
    pub qos: String,
}

/// Why a setting of a resource is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResourceError {
    /// There is no such option.
    UnknownOption {
        /// Its name.
        option: String,
        /// The value it was to be set to.
        value: String,
    },
    /// An option does not take this value.
    BadValue {
        /// Its name.
        option: String,
        /// The value.
        value: String,
    },
    /// There are no resources of this type.
    UnknownType(String),
    /// More than 100 percent.
    TooMuch,
}

impl ChangeError {
    /// There is no such option.
    pub(super) fn unknown(option: &str, value: &str) -> Self {
        Self::UnknownOption { option: option.to_owned(), value: value.to_owned() }
    }

    /// An option does not take this value.
    pub(super) fn bad(option: &str, value: &str) -> Self {
        Self::BadValue { option: option.to_owned(), value: value.to_owned() }
    }
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AccessDenied => f.write_str("Access/permission denied"),
            Self::NoEffect => f.write_str("Request didn't affect anything"),
            Self::NothingModified => f.write_str("Nothing modified"),
            Self::NothingDeleted => f.write_str("Nothing deleted"),
            Self::NoParentAccount { parent, cluster } => {
                write!(f, "No parent account {parent} on cluster {cluster}")
            }
            Self::NoAccount { account, cluster } => {
                write!(f, "No account {account} on cluster {cluster}, skipping.")
            }
            Self::NoSuchUser(user) => write!(f, "There is no user {user}"),
            Self::NoSuchAccount(account) => write!(f, "There is no account {account}"),
            Self::NotAssociated { user, account } => {
                write!(f, "User {user} has no association with account {account}")
            }
            Self::PreemptionLoop => f.write_str("QOS Preemption loop detected"),
            Self::InvalidParent => f.write_str("Invalid parent account specified"),
            Self::DefaultAccount => f.write_str("You can not remove the default account of a user"),
            Self::DefaultQos => f.write_str(
                "This request would make it so some associations would not have access to their default qos.",
            ),
            Self::JobsActive(ActiveJob { id, cluster, account, user, qos }) => write!(
                f,
                "Job(s) active, cancel job(s) before remove\n  JobID = {id:<10} C = {cluster:<10} A = {account:<10} \
                 U = {user:<9} Q = {qos:<9}"
            ),
            Self::TooManyAssociations => f.write_str("Too many associations"),
            Self::TooManyQos => f.write_str("Too many QOS"),
            Self::TooManyClusters => f.write_str("Too many clusters"),
            Self::BadName(name) => write!(f, "Unacceptable name given: {name}"),
            Self::UnknownOption { option, value } => write!(f, "Unknown option: {option}={value}"),
            Self::BadValue { option, value } if option.is_empty() => write!(f, "Bad value: {value}"),
            Self::BadValue { option, value } => write!(f, "Bad {option} value: {value}"),
            Self::BadQos(name) => write!(f, "You gave a bad qos '{name}'."),
            Self::BadQosFlag(flag) => write!(f, "Invalid QOS flag: {flag}"),
            Self::BadPreemptMode(mode) => write!(f, "Bad Preempt Mode given: {mode}"),
            Self::BadTres(tres) => write!(f, "Invalid TRES specification: {tres}"),
            Self::RawUsage => f.write_str("Raw Usage can only be set to 0 (zero)"),
            Self::ClusterExists(name) => write!(f, "This cluster {name} already exists.  Not adding."),
            Self::OwnCluster => f.write_str("the cluster that is simulated cannot be deleted"),
            Self::Resource(error) => error.fmt(f),
        }
    }
}

/// sacctmgr indents these messages by a space.
impl fmt::Display for ResourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOption { option, value } => write!(f, " Unknown option: {option}={value}"),
            Self::BadValue { option, value } => write!(f, " Bad value for {option}: {value}"),
            Self::UnknownType(kind) => {
                write!(f, " Unknown resource type: '{kind}'.  Valid options are License.")
            }
            Self::TooMuch => f.write_str(" You can not allow more than 100% of a resource"),
        }
    }
}

impl std::error::Error for ChangeError {}
