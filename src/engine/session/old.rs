//! Frozen decoders: the journal, saved sessions and links as they were written before the journal's inputs were words
//! (saved formats 6 to 10, links 1 and 2).
//!
//! These types mirror what those versions wrote, field by field. They never change.

use super::branches::{BranchOrigin, PackedBranch};
use super::journal::JournalEntry;
use super::saved::{Latest, SavedSession};
use crate::world::Input;
use base::time::{Span, Time};
use host::tty::TtyId;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An input. Its variants were numbered in this order.
#[derive(Deserialize)]
pub enum OldInput {
    Login { user: String, columns: u16, rows: u16 },
    Logout(u32),
    Type(u32, Vec<u8>),
    Resize(u32, u16, u16),
    Save { user: String, path: String, data: Vec<u8> },
    NodeUp { node: String, up: bool },
    Run { user: String, command: String },
    Enrol(String),
    Announce(String),
}

/// An entry of the journal.
#[derive(Deserialize)]
pub struct OldEntry {
    seq: u64,
    time: Time,
    step: u64,
    input: OldInput,
    hash: Option<u64>,
}

/// The part of a saved session before its state.
#[derive(Deserialize)]
struct OldSession {
    engine: String,
    site: String,
    files: BTreeMap<String, u64>,
    seed: u64,
    start: Time,
    entries: Vec<OldEntry>,
    cut: bool,
    latest: Latest,
    origin: BranchOrigin,
    others: Vec<OldBranch>,
}

/// A branch that is not the current one.
#[derive(Deserialize)]
struct OldBranch {
    origin: BranchOrigin,
    until: Time,
    entries: Vec<OldEntry>,
    cut: bool,
    latest: Latest,
}

/// The body of a link.
#[derive(Deserialize)]
pub struct OldLink {
    pub engine: String,
    pub site: String,
    pub files: u64,
    pub background: String,
    pub seed: u64,
    pub start: Time,
    pub inputs: Vec<(Span, u64, OldInput)>,
    pub end: (Span, u64, u64),
    pub passed: u32,
}

impl From<OldInput> for Input {
    fn from(old: OldInput) -> Self {
        match old {
            OldInput::Login { user, columns, rows } => Self::Login { user, columns, rows },
            OldInput::Logout(tty) => Self::Logout(TtyId(tty)),
            OldInput::Type(tty, bytes) => Self::Type(TtyId(tty), bytes),
            OldInput::Resize(tty, columns, rows) => Self::Resize(TtyId(tty), columns, rows),
            OldInput::Save { user, path, data } => Self::Save { user, path, data },
            OldInput::NodeUp { node, up } => Self::NodeUp { node, up },
            OldInput::Run { user, command } => Self::Run { user, command },
            OldInput::Enrol(user) => Self::Enrol(user),
            OldInput::Announce(text) => Self::Announce(text),
        }
    }
}

impl From<OldEntry> for JournalEntry {
    fn from(old: OldEntry) -> Self {
        let OldEntry { seq, time, step, input, hash } = old;
        Self { seq, time, step, input: input.into(), hash }
    }
}

/// Decodes an entry that is alone in its bytes.
#[inline(never)] // A cut point of the deferred module (xtask).
pub fn entry(bytes: &[u8]) -> Option<JournalEntry> {
    match postcard::take_from_bytes::<OldEntry>(bytes) {
        Ok((entry, [])) => Some(entry.into()),
        Ok(_) | Err(_) => None,
    }
}

/// Decodes the part of a saved session before its state.
#[inline(never)] // A cut point of the deferred module (xtask).
pub fn session(head: &[u8]) -> Option<SavedSession> {
    let Ok((old, [])) = postcard::take_from_bytes::<OldSession>(head) else { return None };
    let entries = |entries: Vec<OldEntry>| entries.into_iter().map(JournalEntry::from).collect();
    let branch = |old: OldBranch| {
        let OldBranch { origin, until, entries: inputs, cut, latest } = old;
        Arc::new(PackedBranch { origin, until, entries: entries(inputs), cut, latest })
    };
    let OldSession { engine, site, files, seed, start, entries: inputs, cut, latest, origin, others } = old;
    Some(SavedSession {
        engine,
        site,
        files,
        own: None,
        seed,
        start,
        entries: entries(inputs),
        cut,
        latest,
        origin,
        others: others.into_iter().map(branch).collect(),
        damage: Vec::new(),
        lost: 0,
    })
}
