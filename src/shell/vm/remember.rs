//! Where programs are, once they were found: what `hash` shows (`set -h`, on by default).
//!
//! Unlike bash without `shopt -s checkhash`, a remembered program that is gone is looked for again.

use super::Vm;
use crate::base::hash::fnv1a;
use crate::host::fs::{Access, Node};
use crate::shell::Cx;
use crate::shell::options::Flag;
use serde::{Deserialize, Serialize};

/// Programs that are remembered at most.
const MOST: usize = 1000;

/// A program that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::shell) struct Row {
    pub name: Box<str>,
    pub path: Box<str>,
    /// How often it was run.
    pub hits: u32,
}

/// The programs that a shell has found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::shell) struct Remembered {
    /// Sorted by name.
    rows: Vec<Row>,
    /// The hash of the `PATH` that they were found with; 0: the inherited one.
    with: u64,
}

impl Remembered {
    /// The rows, by name.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.rows.binary_search_by(|row| (*row.name).cmp(name))
    }

    /// Where a program is.
    pub fn get(&self, name: &str) -> Option<&Row> {
        self.rows.get(self.place(name).ok()?)
    }

    /// Notes where a program is.
    pub fn put(&mut self, name: &str, path: &str, hits: u32) {
        let row = Row { name: name.into(), path: path.into(), hits };
        match self.place(name) {
            Ok(at) => self.rows[at] = row,
            Err(at) if self.rows.len() < MOST => {
                self.rows.reserve_exact(1);
                self.rows.insert(at, row);
            }
            Err(_) => {}
        }
    }

    /// Forgets a program; false: it was not known.
    pub fn drop_name(&mut self, name: &str) -> bool {
        self.place(name).map(|at| self.rows.remove(at)).is_ok()
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.rows.clear();
    }
}

impl Vm {
    /// The programs that are remembered with today's `PATH`.
    pub(in crate::shell) fn remembered(&mut self) -> &mut Remembered {
        let inherited = self.vars.is_inherited("PATH");
        let with = if inherited { 0 } else { fnv1a(self.var("PATH").unwrap_or_default().as_bytes()) };
        if self.remembered.with != with {
            self.remembered = Remembered { rows: Vec::new(), with };
        }
        &mut self.remembered
    }

    /// A program that is remembered and still there; this is a hit.
    pub(super) fn recall(&mut self, cx: &Cx, name: &str) -> Option<String> {
        if !self.flag(Flag::Hashall) || self.remembered.rows.is_empty() {
            return None;
        }
        let remembered = self.remembered();
        let at = remembered.place(name).ok()?;
        let row = remembered.rows.get_mut(at)?;
        let uid = cx.kernel.process(cx.pid)?.origin.uid;
        let ino = cx.kernel.fs.lookup(uid, &row.path).ok()?;
        let file = cx
            .kernel
            .fs
            .inode(ino)
            .is_some_and(|i| matches!(i.node, Node::File(_) | Node::Program(_) | Node::Script(_)));
        if !file || cx.kernel.fs.permit(uid, ino, Access::Exec).is_err() {
            return None;
        }
        row.hits = row.hits.saturating_add(1);
        Some(row.path.to_string())
    }

    /// A program was found in order to be run.
    pub(super) fn memorise(&mut self, name: &str, path: &str) {
        if self.flag(Flag::Hashall) && !name.contains('/') {
            self.remembered().put(name, path, 1);
        }
    }
}
