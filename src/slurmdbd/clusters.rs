//! Clusters as the database knows them ("cluster" of sacctmgr(1)): the simulated one, and others that are nothing but names with
//! the limits they would begin with. The limits of the simulated one are those of its root association.

use super::Slurmdbd;
use serde::{Deserialize, Serialize};

/// Most clusters.
const MAX: usize = 100;

/// A cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ClusterRecord {
    pub name: String,
    /// `Capability`, `Capacity`, `Capapacity`, or nothing.
    pub classification: String,
    /// Limits of its root association, as they were given.
    pub settings: Vec<(String, String)>,
}

/// A change of a cluster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ClusterChange {
    Add { name: String, classification: String, settings: Vec<(String, String)> },
    Modify { name: String, classification: Option<String>, settings: Vec<(String, String)> },
    Delete { name: String },
}

impl ClusterChange {
    /// Which cluster it is about.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Add { name, .. } | Self::Modify { name, .. } | Self::Delete { name } => name,
        }
    }
}

impl ClusterRecord {
    /// A limit that was given.
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

    /// Carries a change out.
    ///
    /// # Errors
    /// Slurm's words for what is wrong.
    pub(super) fn change_cluster(&mut self, change: &ClusterChange) -> Result<Vec<String>, String> {
        let at = self.clusters.iter().position(|c| c.name == change.name());
        match (change, at) {
            (ClusterChange::Add { name, .. }, Some(_)) => {
                Err(format!("This cluster {name} already exists.  Not adding."))
            }
            (ClusterChange::Add { .. }, None) if self.clusters.len() >= MAX => {
                Err("Too many clusters".to_owned())
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
            (ClusterChange::Modify { .. }, None) => Err("Nothing modified".to_owned()),
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
            (ClusterChange::Delete { .. }, None) => Err("Nothing deleted".to_owned()),
            (ClusterChange::Delete { name }, Some(_)) if *name == self.cluster => {
                self.no_jobs_of(|_| true)?;
                Err("the cluster that is simulated cannot be deleted".to_owned())
            }
            (ClusterChange::Delete { name }, Some(at)) => {
                self.clusters.remove(at);
                Ok(vec![name.clone()])
            }
        }
    }
}
