//! What the editor shows besides text: findings of its lint, and options for completion.

use crate::base::slip::Slip;
use serde::{Deserialize, Serialize};

/// A finding of the editor's lint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Finding {
    /// From 1.
    pub line: u32,
    /// Byte columns within the line, from 0.
    pub from: u32,
    pub to: u32,
    pub error: bool,
    pub slip: Slip,
    /// What to write instead.
    pub suggestion: Option<String>,
}

/// An option for the editor's completion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct OptionHelp {
    /// `--time`
    pub name: String,
    /// `-t`
    pub short: Option<String>,
    /// `minutes`, none: takes no argument.
    pub argument: Option<String>,
    pub help: String,
    /// Known values: partitions, accounts, QOS.
    pub values: Vec<String>,
}
