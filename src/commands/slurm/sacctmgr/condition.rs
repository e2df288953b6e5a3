//! Conditions of `sacctmgr show event` and `show transaction`.

use super::list;
use crate::base::hostlist;

/// Conditions on what is no object of the database.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    /// `cluster` or `node`: only such events.
    pub kind: Option<&'static str>,
    /// Events of these nodes; empty: of all.
    pub nodes: Vec<String>,
    /// Events with these states, in lower case; empty: with all.
    pub states: Vec<String>,
    actors: Vec<String>,
    actions: Vec<String>,
}

/// What is written down of changes.
const ACTIONS: &[&str] = &[
    "Add Account Coord",
    "Add Accounts",
    "Add Associations",
    "Add Clusters",
    "Add QOS",
    "Add Resource",
    "Add TRES",
    "Add Users",
    "Add WCKeys",
    "Modify Accounts",
    "Modify Associations",
    "Modify Clusters",
    "Modify Job",
    "Modify QOS",
    "Modify Resource",
    "Modify Users",
    "Remove Account Coord",
    "Remove Accounts",
    "Remove Associations",
    "Remove Clusters",
    "Remove QOS",
    "Remove Resource",
    "Remove Users",
    "Remove WCKeys",
];

/// Words that both take and that choose nothing here: there is one cluster, and all times are kept.
const COMMON: &[&str] = &["cluster", "clusters", "start", "starttime", "end", "endtime", "format"];

impl Plain {
    /// Takes a word of a command if it is a condition; whether it was one.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(&mut self, kind: &str, key: &str, value: Option<&str>) -> Result<bool, String> {
        if COMMON.contains(&key) || matches!(key, "where" | "set") {
            return Ok(false);
        }
        match kind {
            "events" => self.event(key, value),
            "transactions" => self.transaction(key, value),
            _ => Ok(false),
        }
    }

    fn event(&mut self, key: &str, value: Option<&str>) -> Result<bool, String> {
        match (key, value) {
            ("node" | "nodes", Some(text)) => self.nodes = hostlist::expand(text).unwrap_or_default(),
            ("state" | "states", Some(text)) => self.states = list(&text.to_ascii_lowercase()),
            ("event" | "events", Some(kind)) => self.set_kind(kind)?,
            ("all_clusters" | "all_time", None) | ("condflags" | "reason" | "user" | "users", Some(_)) => {}
            (kind, None) => self.set_kind(kind)?,
            (key, Some(value)) => return Err(format!(" Unknown condition: {key}={value}")),
        }
        // Who asks for nodes or their states does not ask for registrations.
        if !(self.nodes.is_empty() && self.states.is_empty()) {
            self.kind = Some("node");
        }
        Ok(true)
    }

    fn set_kind(&mut self, text: &str) -> Result<(), String> {
        let lower = text.to_ascii_lowercase();
        let known = ["cluster", "node"]
            .into_iter()
            .find(|k| !lower.is_empty() && k.starts_with(lower.trim_end_matches('s')));
        let said = || format!(" Unknown event type: '{lower}'  Valid events are Cluster and Node.");
        self.kind = Some(known.ok_or_else(said)?);
        Ok(())
    }

    fn transaction(&mut self, key: &str, value: Option<&str>) -> Result<bool, String> {
        match (key, value) {
            ("actor" | "actors", Some(text)) => self.actors = list(text),
            ("action" | "actions", Some(text)) => {
                self.actions = list(text);
                let unknown = |a: &&String| !ACTIONS.iter().any(|known| known.eq_ignore_ascii_case(a));
                if let Some(bad) = self.actions.iter().find(unknown) {
                    return Err(format!("sacctmgr: error: You gave a bad action '{bad}'."));
                }
            }
            ("account" | "accounts" | "acct" | "id" | "ids" | "user" | "users", Some(_)) => {}
            ("withassoc" | "withassocinfo", None) | (_, None) => {}
            (key, Some(value)) => return Err(format!(" Unknown condition: {key}={value}")),
        }
        Ok(true)
    }

    /// Whether a change is one of those asked for.
    #[must_use]
    pub fn shows_change(&self, actor: &str, action: &str) -> bool {
        (self.actors.is_empty() || self.actors.iter().any(|a| a == actor))
            && (self.actions.is_empty() || self.actions.iter().any(|a| a.eq_ignore_ascii_case(action)))
    }
}
