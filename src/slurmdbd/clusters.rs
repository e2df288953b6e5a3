//! Clusters in the database ("cluster" of sacctmgr(1)): the simulated one, and others that consist only of a
//! name and initial limits. The limits of the simulated cluster are those of its root association.

use super::Slurmdbd;
use super::error::ChangeError;
use serde::{Deserialize, Serialize};

/// Most clusters.
const MAX: usize = 100;

/// A cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct ClusterRecord {
    pub name: String,
    /// `Capability`, `Capacity`, `Capapacity`, or nothing.
    pub classification: String,
    /// The limits of its root association, as they were entered.
    pub settings: Vec<(String, String)>,
}

/// A change of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values of sacctmgr(1)")]
pub enum ClusterChange {
    Add { name: String, classification: String, settings: Vec<(String, String)> },
    Modify { name: String, classification: Option<String>, settings: Vec<(String, String)> },
    Delete { name: String },
}

impl ClusterChange {
    /// The cluster to change.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Add { name, .. } | Self::Modify { name, .. } | Self::Delete { name } => name,
        }
    }
}

impl ClusterRecord {
    /// The value of a limit that the change sets.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

impl Slurmdbd {
    /// The cluster of this name.
    #[must_use]
    pub fn cluster_record(&self, name: &str) -> Option<&ClusterRecord> {
        self.clusters.iter().find(|c| c.name == name)
    }

    /// Applies a change.
    ///
    /// # Errors
    /// The change is refused.
    pub(super) fn change_cluster(&mut self, change: &ClusterChange) -> Result<Vec<String>, ChangeError> {
        let at = self.clusters.iter().position(|c| c.name == change.name());
        match (change, at) {
            (ClusterChange::Add { name, .. }, Some(_)) => Err(ChangeError::ClusterExists(name.clone())),
            (ClusterChange::Add { .. }, None) if self.clusters.len() >= MAX => {
                Err(ChangeError::TooManyClusters)
            }
            (ClusterChange::Add { name, classification, settings }, None) => {
                let name = super::change::name_of(name)?;
                self.clusters.push(ClusterRecord {
                    name: name.clone(),
                    classification: classification.clone(),
                    settings: settings.clone(),
                });
                Ok(vec![name])
            }
            (ClusterChange::Modify { .. }, None) => Err(ChangeError::NothingModified),
            (ClusterChange::Modify { name, classification, settings }, Some(at)) => {
                let own = *name == self.cluster;
                if own && !settings.is_empty() {
                    self.modify_account(super::ROOT, settings)?;
                }
                if let Some(record) = self.clusters.get_mut(at) {
                    record.classification =
                        classification.clone().unwrap_or_else(|| record.classification.clone());
                    if !own {
                        record.settings.retain(|(k, _)| !settings.iter().any(|(new, _)| new == k));
                        record.settings.extend(settings.iter().cloned());
                    }
                }
                Ok(vec![name.clone()])
            }
            (ClusterChange::Delete { .. }, None) => Err(ChangeError::NothingDeleted),
            (ClusterChange::Delete { name }, Some(_)) if *name == self.cluster => {
                self.no_jobs_of(|_| true)?;
                Err(ChangeError::OwnCluster)
            }
            (ClusterChange::Delete { name }, Some(at)) => {
                self.clusters.remove(at);
                Ok(vec![name.clone()])
            }
        }
    }
}
