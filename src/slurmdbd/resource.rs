//! Resources: licences of a server that clusters share. Mirrors "resource" of sacctmgr(1). What this cluster is allowed of one is
//! a licence `name@server` of its controller.

use super::Slurmdbd;
use serde::{Deserialize, Serialize};

/// Most resources.
const MAX: usize = 1000;

/// A resource.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Resource {
    pub name: String,
    pub server: String,
    pub description: String,
    pub server_type: String,
    pub flags: String,
    pub count: u32,
    /// Per cent of it that this cluster may use; none: the cluster has none of it.
    pub allowed: Option<u32>,
}

/// A change of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ResourceChange {
    Add {
        name: String,
        server: String,
        settings: Vec<(String, String)>,
    },
    /// Of this name, on one server or all.
    Modify {
        name: String,
        server: Option<String>,
        settings: Vec<(String, String)>,
    },
    /// The resource, or only this cluster's part of it.
    Delete {
        name: String,
        server: Option<String>,
        part: bool,
    },
}

impl ResourceChange {
    /// Which resource it is about.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Add { name, .. } | Self::Modify { name, .. } | Self::Delete { name, .. } => name,
        }
    }
}

impl Resource {
    /// `matlab@flex`.
    #[must_use]
    pub fn full_name(&self) -> String {
        format!("{}@{}", self.name, self.server)
    }

    /// What this cluster may use.
    #[must_use]
    pub fn share(&self) -> u32 {
        let share = u64::from(self.count) * u64::from(self.allowed.unwrap_or(0)) / 100;
        u32::try_from(share).unwrap_or(u32::MAX)
    }

    /// Takes one setting; the keys are in lower case.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let number = || value.parse::<u32>().map_err(|_| format!(" Bad value for {key}: {value}"));
        match key {
            "count" => self.count = number()?,
            "percentallowed" | "allowed" => {
                self.allowed = Some(number()?).filter(|n| *n <= 100);
                if self.allowed.is_none() {
                    return Err(" You can not allow more than 100% of a resource".to_owned());
                }
            }
            "description" => value.clone_into(&mut self.description),
            "servertype" => value.clone_into(&mut self.server_type),
            "flags" => value.clone_into(&mut self.flags),
            "type" if value.eq_ignore_ascii_case("license") => {}
            "type" => return Err(format!(" Unknown resource type: '{value}'.  Valid options are License.")),
            "cluster" | "clusters" | "lastconsumed" => {}
            _ => return Err(format!(" Unknown option: {key}={value}")),
        }
        Ok(())
    }
}

impl Slurmdbd {
    /// Carries a change out; gives the full names of what it touched.
    pub(super) fn change_resource(&mut self, change: &ResourceChange) -> Result<Vec<String>, String> {
        let nothing = || "Request didn't affect anything".to_owned();
        match change {
            ResourceChange::Add { name, server, settings } => {
                let old = self.resources.iter().position(|r| r.name == *name && r.server == *server);
                let part = settings.iter().any(|(k, _)| k.starts_with("cluster"));
                let fresh = old.is_none() && self.resources.len() < MAX;
                let had = old.is_some_and(|at| part && self.resources[at].allowed.is_none());
                if !fresh && !had {
                    return Err(nothing());
                }
                let mut resource = match old {
                    Some(at) => self.resources.remove(at),
                    None => Resource {
                        name: name.clone(),
                        server: server.clone(),
                        description: name.clone(),
                        ..Resource::default()
                    },
                };
                settings.iter().try_for_each(|(key, value)| resource.set(key, value))?;
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
                    settings.iter().try_for_each(|(key, value)| resource.set(key, value))?;
                    done.push(resource.full_name());
                }
                if done.is_empty() { Err(nothing()) } else { Ok(done) }
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
                if done.is_empty() { Err(nothing()) } else { Ok(done) }
            }
        }
    }
}

fn fits(resource: &Resource, name: &str, server: Option<&str>) -> bool {
    resource.name == name && server.is_none_or(|s| resource.server == s)
}
