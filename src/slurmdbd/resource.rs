//! Resources: licences of a server that several clusters share. Mirrors "resource" of sacctmgr(1). The share of
//! this cluster appears in its controller as a licence `name@server`.

use super::Slurmdbd;
use super::error::{ChangeError, ResourceError};
use serde::{Deserialize, Serialize};

/// Maximum number of resources.
const MAX: usize = 1000;

/// A resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the options of sacctmgr(1) and the fields of sacct(1)")]
pub struct LicenseResource {
    pub name: String,
    pub server: String,
    pub description: String,
    pub server_type: String,
    pub flags: String,
    /// Number of licences on the server.
    pub count: u32,
    /// Percentage that this cluster may use; none if the cluster has no share.
    pub allowed: Option<u32>,
}

/// A change of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values of sacctmgr(1)")]
pub enum ResourceChange {
    Add {
        name: String,
        server: String,
        settings: Vec<(String, String)>,
    },
    /// Changes the resource of this name on one server or on all.
    Modify {
        name: String,
        server: Option<String>,
        settings: Vec<(String, String)>,
    },
    /// Deletes the resource, or only this cluster's share of it.
    Delete {
        name: String,
        server: Option<String>,
        part: bool,
    },
}

impl ResourceChange {
    /// The name of the resource to change.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Add { name, .. } | Self::Modify { name, .. } | Self::Delete { name, .. } => name,
        }
    }
}

impl LicenseResource {
    /// `matlab@flex`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}@{}", self.name, self.server)
    }

    /// The number of licences that this cluster may use.
    #[must_use]
    pub fn share(&self) -> u32 {
        let share = u64::from(self.count) * u64::from(self.allowed.unwrap_or(0)) / 100;
        u32::try_from(share).unwrap_or(u32::MAX)
    }

    /// Applies one setting; `key` is in lower case.
    fn set(&mut self, key: &str, value: &str) -> Result<(), ResourceError> {
        let (option, text) = (key.to_owned(), value.to_owned());
        let number = || {
            let bad = |_| ResourceError::BadValue { option: key.to_owned(), value: value.to_owned() };
            value.parse::<u32>().map_err(bad)
        };
        match key {
            "count" => self.count = number()?,
            "percentallowed" | "allowed" => {
                self.allowed = Some(number()?).filter(|n| *n <= 100);
                if self.allowed.is_none() {
                    return Err(ResourceError::TooMuch);
                }
            }
            "description" => value.clone_into(&mut self.description),
            "servertype" => value.clone_into(&mut self.server_type),
            "flags" => value.clone_into(&mut self.flags),
            "type" if value.eq_ignore_ascii_case("license") => {}
            "type" => return Err(ResourceError::UnknownType(text)),
            "cluster" | "clusters" | "lastconsumed" => {}
            _ => return Err(ResourceError::UnknownOption { option, value: text }),
        }
        Ok(())
    }
}

impl Slurmdbd {
    /// Applies a change. Returns the full names of the affected resources.
    pub(super) fn change_resource(&mut self, change: &ResourceChange) -> Result<Vec<String>, ChangeError> {
        match change {
            ResourceChange::Add { name, server, settings } => {
                let old = self.resources.iter().position(|r| r.name == *name && r.server == *server);
                let part = settings.iter().any(|(k, _)| k.starts_with("cluster"));
                let fresh = old.is_none() && self.resources.len() < MAX;
                let had = old.is_some_and(|at| part && self.resources[at].allowed.is_none());
                if !fresh && !had {
                    return Err(ChangeError::NoEffect);
                }
                let mut resource = match old {
                    Some(at) => self.resources.remove(at),
                    None => LicenseResource {
                        name: name.clone(),
                        server: server.clone(),
                        description: name.clone(),
                        ..LicenseResource::default()
                    },
                };
                settings
                    .iter()
                    .try_for_each(|(key, value)| resource.set(key, value))
                    .map_err(ChangeError::Resource)?;
                if part && resource.allowed.is_none() {
                    resource.allowed = Some(100);
                }
                let full = resource.full_name();
                self.resources.push(resource);
                Ok(vec![full])
            }
            ResourceChange::Modify { name, server, settings } => {
                let mut done = Vec::new();
                for resource in self.resources.iter_mut().filter(|r| fits(r, name, server.as_deref())) {
                    settings
                        .iter()
                        .try_for_each(|(key, value)| resource.set(key, value))
                        .map_err(ChangeError::Resource)?;
                    done.push(resource.full_name());
                }
                if done.is_empty() { Err(ChangeError::NoEffect) } else { Ok(done) }
            }
            ResourceChange::Delete { name, server, part } => {
                let hit: Vec<_> =
                    self.resources.iter().filter(|r| fits(r, name, server.as_deref())).collect();
                let done: Vec<String> = hit.iter().map(|r| r.full_name()).collect();
                if *part {
                    let mine = self.resources.iter_mut().filter(|r| fits(r, name, server.as_deref()));
                    mine.for_each(|r| r.allowed = None);
                } else {
                    self.resources.retain(|r| !fits(r, name, server.as_deref()));
                }
                if done.is_empty() { Err(ChangeError::NoEffect) } else { Ok(done) }
            }
        }
    }
}

fn fits(resource: &LicenseResource, name: &str, server: Option<&str>) -> bool {
    resource.name == name && server.is_none_or(|s| resource.server == s)
}
