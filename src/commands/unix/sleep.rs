//! sleep(1)

use serde::{Deserialize, Serialize};

/// Sleeping.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Sleep {}
