//! How much memory the variables of a shell take, and the bounds on it.
//!
//! The sum is computed where a variable has grown much, not with each assignment, and depends on nothing but the variables: a
//! session that was saved and loaded reaches the bounds at the same commands.

use super::{ShellVar, VarValue, Vars};

/// Bytes that the variables of a process may take.
pub(crate) const MAX_PROCESS_MEMORY: u64 = 128 << 20;
/// Bytes that all shells of a user may take.
pub(crate) const MAX_USER_MEMORY: u64 = 1 << 30;
/// Bytes of an element beside its text.
const ELEMENT: u64 = 48;
/// Sizes of a text at which the memory is looked at again.
pub(crate) const STEP: usize = 1 << 16;
/// Elements of this size are looked at each.
const LARGE: usize = 1 << 10;

fn bytes(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX).saturating_add(ELEMENT)
}

impl ShellVar {
    fn weight(&self) -> u64 {
        match &self.value {
            VarValue::Unset => ELEMENT,
            VarValue::Text(text) => bytes(text.len()),
            VarValue::List(list) => list.values().map(|text| bytes(text.len())).sum(),
            VarValue::Map(map) => map.iter().map(|(key, text)| bytes(key.len() + text.len())).sum(),
        }
    }

    /// The number of items that [`ShellVar::weight`] looks at.
    fn items(&self) -> usize {
        match &self.value {
            VarValue::Unset | VarValue::Text(_) => 1,
            VarValue::List(list) => list.len(),
            VarValue::Map(map) => map.len(),
        }
    }
}

impl Vars {
    /// Bytes that the shell's own variables take, local and hidden ones too.
    pub(crate) fn weight(&self) -> u64 {
        let own =
            self.own.iter().map(|(name, var)| bytes(name.len()) + var.as_ref().map_or(0, ShellVar::weight));
        let hidden = self.scopes.iter().flatten().map(|(_, var)| var.as_ref().map_or(0, ShellVar::weight));
        own.chain(hidden).sum()
    }

    /// The number of items that [`Vars::weight`] looks at.
    pub(crate) fn items(&self) -> usize {
        let hidden = self.scopes.iter().flatten().map(|(_, var)| var);
        self.own.iter().map(|(_, var)| var).chain(hidden).flatten().map(ShellVar::items).sum()
    }

    /// Whether the variables may have become too large by giving this one a value that was `before` bytes long.
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
