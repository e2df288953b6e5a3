//! The rows of `--json` and `--yaml`, as Slurm's data_parser/v0.0.45 names and nests their fields.
//!
//! Each row is built from the state, written and dropped, so no queue is ever held in memory as rows.
//!
//! Fields that the simulation does not model have the values of a plain cluster (empty, 0, not set). A list that is always
//! empty is a `Vec<String>`.

#![allow(missing_docs, reason = "fields have the names of Slurm's OpenAPI description")]

pub mod accounts;
pub mod history;
pub mod jobs;
pub mod nodes;
pub mod sdiag;

use serde::Serialize;

/// A number that may be unset or infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Number<T = u64> {
    pub set: bool,
    pub infinite: bool,
    pub number: T,
}

/// An object without fields.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NoFields {}

/// An amount of a TRES.
#[derive(Clone, Debug, Serialize)]
pub struct TresCount {
    #[serde(rename = "type")]
    pub kind: String,
    pub name: String,
    pub id: u32,
    pub count: i64,
}

/// Metadata: the request, the client and the server.
#[derive(Clone, Debug, Serialize)]
pub struct Meta {
    pub plugin: MetaPlugin,
    pub client: MetaClient,
    pub command: Vec<String>,
    pub slurm: MetaSlurm,
}

#[derive(Clone, Debug, Serialize)]
pub struct MetaPlugin {
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub name: &'static str,
    pub data_parser: String,
    pub accounting_storage: &'static str,
}

#[derive(Clone, Debug, Serialize)]
pub struct MetaClient {
    pub source: String,
    pub user: String,
    pub group: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct MetaSlurm {
    pub version: SlurmVersion,
    pub release: &'static str,
    pub cluster: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct SlurmVersion {
    pub major: &'static str,
    pub micro: &'static str,
    pub minor: &'static str,
}
