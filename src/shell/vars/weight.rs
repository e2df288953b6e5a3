//! Memory usage of a shell's variables, and its limits.
//!
//! Usage is computed when a variable has grown considerably, not with each assignment. It depends on the variables
//! alone, so a session that was saved and loaded reaches the limits at the same commands.

use super::{ShellVar, VarValue, Vars};
use host::memory::ELEMENT;

/// Memory is checked when a text grows past a multiple of this size, bytes.
pub(crate) const STEP: usize = 1 << 16;
/// Memory is checked with each array element of at least this size, bytes.
const LARGE: usize = 1 << 10;

fn bytes(length: usize) -> u64 {
    u64::try_from(length.saturating_add(ELEMENT)).unwrap_or(u64::MAX)
}

impl ShellVar {
    fn weight(&self) -> u64 {
        match &self.value {
            VarValue::Unset => bytes(0),
            VarValue::Text(text) => bytes(text.len()),
            VarValue::List(list) => list.values().map(|text| bytes(text.len())).sum(),
            VarValue::Map(map) => map.iter().map(|(key, text)| bytes(key.len() + text.len())).sum(),
        }
    }

    /// The number of items that [`ShellVar::weight`] visits.
    fn items(&self) -> usize {
        match &self.value {
            VarValue::Unset | VarValue::Text(_) => 1,
            VarValue::List(list) => list.len(),
            VarValue::Map(map) => map.len(),
        }
    }
}

impl Vars {
    /// Memory of the shell's own variables, including local and hidden ones, bytes.
    pub(crate) fn weight(&self) -> u64 {
        let own =
            self.own.iter().map(|(name, var)| bytes(name.len()) + var.as_ref().map_or(0, ShellVar::weight));
        let hidden = self.scopes.iter().flatten().map(|(_, var)| var.as_ref().map_or(0, ShellVar::weight));
        own.chain(hidden).sum()
    }

    /// The number of items that [`Vars::weight`] visits.
    pub(crate) fn items(&self) -> usize {
        let hidden = self.scopes.iter().flatten().map(|(_, var)| var);
        self.own.iter().map(|(_, var)| var).chain(hidden).flatten().map(ShellVar::items).sum()
    }

    /// Whether memory must be checked after the assignment of `after` bytes in place of `before` bytes to this
    /// variable.
    pub(crate) fn may_be_large(&self, name: &str, before: usize, after: usize) -> bool {
        if after / STEP > before / STEP {
            return true;
        }
        let Some(var) = self.get(name).and_then(super::VarRef::own) else { return false };
        let items = var.items();
        let array = !matches!(var.value, VarValue::Unset | VarValue::Text(_));
        array && (after >= LARGE || items >= 1024 && (items.is_power_of_two() || items.is_multiple_of(STEP)))
            || self.own.len() >= 1024 && self.own.len().is_multiple_of(64)
    }
}
