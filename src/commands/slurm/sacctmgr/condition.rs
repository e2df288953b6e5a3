//! Conditions of `sacctmgr show event` and `show transaction`.

use super::list;
use crate::slurm::opt::values::moment;
use base::hostlist;
use base::time::Time;

/// Conditions on database records other than entities.
#[derive(Clone, Debug, Default)]
pub struct Plain {
    /// `cluster` or `node`: only events of this kind.
    pub kind: Option<&'static str>,
    /// Events of these nodes; empty: all nodes.
    pub nodes: Vec<String>,
    /// Events with these states, in lower case; empty: all states.
    pub states: Vec<String>,
    /// Types, names and ids of TRES, in lower case; empty: all of them.
    tres: [Vec<String>; 3],
    actors: Vec<String>,
    actions: Vec<String>,
    /// The window of transactions.
    since: Option<Time>,
    until: Option<Time>,
}

/// Conditions on transactions.
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
    "Remove Account Coords",
    "Remove Accounts",
    "Remove Associations",
    "Remove Clusters",
    "Remove QOS",
    "Remove Resource",
    "Remove Users",
    "Remove WCKeys",
];

/// Words that both accept and that have no effect here: there is one cluster, and all records are kept.
const COMMON: &[&str] = &["cluster", "clusters", "start", "starttime", "end", "endtime", "format"];

impl Plain {
    /// Parses a word as a condition; returns whether it is one.
    ///
    /// # Errors
    /// A message about the condition.
    pub fn read(&mut self, now: Time, kind: &str, key: &str, value: Option<&str>) -> Result<bool, String> {
        if let Some(time) =
            value.filter(|_| kind == "transactions").and_then(|text| moment(text, now, true).ok())
        {
            if key.starts_with("start") {
                self.since = Some(time);
            } else if key.starts_with("end") {
                self.until = Some(time);
            }
        }
        if COMMON.contains(&key) || matches!(key, "where" | "set") {
            return Ok(false);
        }
        match kind {
            "events" => self.event(key, value),
            "transactions" => self.transaction(key, value),
            "tres" => Ok(self.of_tres(key, value)),
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
        // A condition on nodes or states excludes registration events.
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

    fn of_tres(&mut self, key: &str, value: Option<&str>) -> bool {
        let at = match key {
            "type" | "types" => 0,
            "name" | "names" => 1,
            "id" | "ids" => 2,
            _ => return false,
        };
        let Some(value) = value else { return false };
        if let Some(wanted) = self.tres.get_mut(at) {
            *wanted = list(&value.to_ascii_lowercase());
        }
        true
    }

    /// Whether a TRES meets the conditions.
    #[must_use]
    pub fn shows_tres(&self, kind: &str, name: &str, id: u32) -> bool {
        let texts = [kind.to_owned(), name.to_owned(), id.to_string()];
        self.tres.iter().zip(texts).all(|(wanted, text)| wanted.is_empty() || wanted.contains(&text))
    }

    /// Whether a transaction meets the conditions.
    #[must_use]
    pub fn shows_change(&self, actor: &str, action: &str, at: Time) -> bool {
        self.since.is_none_or(|since| at >= since)
            && self.until.is_none_or(|until| at <= until)
            && (self.actors.is_empty() || self.actors.iter().any(|a| a == actor))
            && (self.actions.is_empty() || self.actions.iter().any(|a| a.eq_ignore_ascii_case(action)))
    }
}
