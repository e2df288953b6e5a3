//! Jobs that have ended, as sacct tells of them.

use serde::{Deserialize, Serialize};

/// The newest of those that match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountPicture {
    /// Columns of sacct.
    pub headings: Vec<String>,
    /// The first is the job's id.
    pub rows: Vec<AccountRow>,
    /// How many match.
    pub matched: u32,
    /// Older records were not looked at.
    pub cut: bool,
}

/// A job's record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct AccountRow {
    pub job: u32,
    /// Index into `Started::users`, for the hue.
    pub user_index: u32,
    /// squeue's short code of the state.
    pub code: String,
    pub cells: Vec<String>,
}
