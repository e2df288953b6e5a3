//! Remembered program locations, as shown by `hash` (`set -h`, on by default).
//!
//! Difference: a remembered program that no longer exists is looked up again, as with `shopt -s checkhash`.

use super::Vm;
use crate::ShellContext;
use crate::options::Flag;
use base::hash::fnv1a;
use host::fs::{Access, InodeContent};
use serde::{Deserialize, Serialize};

/// Maximum number of remembered programs.
const MOST: usize = 1000;

/// A remembered program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RememberedProgram {
    pub name: Box<str>,
    pub path: Box<str>,
    /// The number of times it was used.
    pub hits: u32,
}

/// The remembered programs of a shell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remembered {
    /// Sorted by name.
    rows: Vec<RememberedProgram>,
    /// The hash of the `PATH` used for the lookups; 0: the inherited one.
    with: u64,
}

impl Remembered {
    /// The entries, by name.
    pub fn rows(&self) -> &[RememberedProgram] {
        &self.rows
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.rows.binary_search_by(|row| (*row.name).cmp(name))
    }

    /// The entry of a program.
    pub fn get(&self, name: &str) -> Option<&RememberedProgram> {
        self.rows.get(self.position(name).ok()?)
    }

    /// Remembers a program's location.
    pub fn put(&mut self, name: &str, path: &str, hits: u32) {
        let row = RememberedProgram { name: name.into(), path: path.into(), hits };
        match self.position(name) {
            Ok(at) => self.rows[at] = row,
            Err(at) if self.rows.len() < MOST => {
                self.rows.reserve_exact(1);
                self.rows.insert(at, row);
            }
            Err(_) => {}
        }
    }

    /// Removes an entry; returns false if there was none.
    pub fn drop_name(&mut self, name: &str) -> bool {
        self.position(name).map(|at| self.rows.remove(at)).is_ok()
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}

impl Vm {
    /// The programs remembered with the current `PATH`.
    pub(crate) fn remembered(&mut self) -> &mut Remembered {
        let inherited = self.vars.is_inherited("PATH");
        let with = if inherited { 0 } else { fnv1a(self.var("PATH").unwrap_or_default().as_bytes()) };
        if self.remembered.with != with {
            self.remembered = Remembered { rows: Vec::new(), with };
        }
        &mut self.remembered
    }

    /// A remembered program that still exists; counts a hit.
    pub(super) fn recall(&mut self, cx: &ShellContext, name: &str) -> Option<String> {
        if !self.flag(Flag::Hashall) || self.remembered.rows.is_empty() {
            return None;
        }
        let remembered = self.remembered();
        let at = remembered.position(name).ok()?;
        let row = remembered.rows.get_mut(at)?;
        let uid = cx.kernel.process(cx.pid)?.origin.uid;
        let ino = cx.kernel.fs.lookup(uid, &row.path).ok()?;
        let file = cx.kernel.fs.inode(ino).is_some_and(|i| {
            matches!(i.node, InodeContent::File(_) | InodeContent::Program(_) | InodeContent::Script(_))
        });
        if !file || cx.kernel.fs.permit(uid, ino, Access::Exec).is_err() {
            return None;
        }
        row.hits = row.hits.saturating_add(1);
        Some(row.path.to_string())
    }

    /// Remembers a program that is about to run.
    pub(super) fn memorise(&mut self, name: &str, path: &str) {
        if self.flag(Flag::Hashall) && !name.contains('/') {
            self.remembered().put(name, path, 1);
        }
    }
}
