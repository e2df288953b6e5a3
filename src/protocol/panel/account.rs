//! Accounting panel: finished jobs as sacct prints them.

use serde::{Deserialize, Serialize};

/// The newest matching records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountPicture {
    /// sacct's column headings.
    pub headings: Vec<String>,
    /// The first cell is the job ID.
    pub rows: Vec<AccountRow>,
    /// Number of matching records.
    pub matched: u32,
    /// Whether older records were not searched.
    pub cut: bool,
}

/// A job's record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct AccountRow {
    pub job: u32,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// squeue's short state code.
    pub code: String,
    pub cells: Vec<String>,
}
