//! Frozen decoder: the records of a class as they were written before they were words (version 1 of the file). These
//! types mirror what was written then, field by field. They never change.

use super::Record;
use crate::{AccountPlan, ClassDescription, Secret};
use protocol::Pace;
use protocol::class::{ClassAction, ClassEntry};
use serde::Deserialize;

/// The kinds were numbered in this order. A record of words begins with another byte.
pub(super) const KINDS: u8 = 6;

#[derive(Deserialize)]
enum OldRecord {
    Class { class: OldClass, learner: [u8; 16], teacher: [u8; 16] },
    Seated { name: String, teacher: bool, key: [u8; 16] },
    Entered { number: u64, time: i64, seat: u32, token: u64, action: OldAction },
    Paced(OldPace, i64),
    Skipped(i64),
    Reserved(i64),
}

#[derive(Deserialize)]
struct OldClass {
    name: String,
    site: String,
    seed: u64,
    background: String,
    start: i64,
    plan: OldPlan,
    people: u32,
    taken: Vec<String>,
}

#[derive(Deserialize)]
enum OldPlan {
    Each,
    Together,
    Groups(u32),
}

#[derive(Deserialize)]
enum OldPace {
    Paused,
    Times(u32),
}

#[derive(Deserialize)]
enum OldAction {
    Enrol(String),
    Administer(String),
    Login { user: String, columns: u16, rows: u16 },
    Logout(u32),
    Type(u32, Vec<u8>),
    Resize(u32, u16, u16),
    Save { user: String, path: String, text: String },
    Announce(String),
}

/// The record in these bytes.
pub(super) fn read(payload: &[u8]) -> Option<Record> {
    match postcard::take_from_bytes::<OldRecord>(payload) {
        Ok((record, [])) => Some(record.into()),
        Ok(_) | Err(_) => None,
    }
}

impl From<OldRecord> for Record {
    fn from(old: OldRecord) -> Self {
        match old {
            OldRecord::Class { class, learner, teacher } => Self::Class {
                class: Box::new(class.into()),
                learner: Secret::new(learner),
                teacher: Secret::new(teacher),
            },
            OldRecord::Seated { name, teacher, key } => Self::Seated { name, teacher, key: Secret::new(key) },
            OldRecord::Entered { number, time, seat, token, action } => {
                Self::Entered(ClassEntry { number, time, seat, token, action: action.into() })
            }
            OldRecord::Paced(OldPace::Paused, at) => Self::Paced(Pace::Paused, at),
            OldRecord::Paced(OldPace::Times(times), at) => Self::Paced(Pace::Times(times), at),
            OldRecord::Skipped(until) => Self::Skipped(until),
            OldRecord::Reserved(until) => Self::Reserved(until),
        }
    }
}

impl From<OldClass> for ClassDescription {
    fn from(old: OldClass) -> Self {
        let OldClass { name, site, seed, background, start, plan, people, taken } = old;
        let plan = match plan {
            OldPlan::Each => AccountPlan::Each,
            OldPlan::Together => AccountPlan::Together,
            OldPlan::Groups(groups) => AccountPlan::Groups(groups),
        };
        Self { name, site, seed, background, start, plan, people, taken }
    }
}

impl From<OldAction> for ClassAction {
    fn from(old: OldAction) -> Self {
        match old {
            OldAction::Enrol(user) => Self::Enrol(user),
            OldAction::Administer(command) => Self::Administer(command),
            OldAction::Login { user, columns, rows } => Self::Login { user, columns, rows },
            OldAction::Logout(terminal) => Self::Logout(terminal),
            OldAction::Type(terminal, bytes) => Self::Type(terminal, bytes),
            OldAction::Resize(terminal, columns, rows) => Self::Resize(terminal, columns, rows),
            OldAction::Save { user, path, text } => Self::Save { user, path, text },
            OldAction::Announce(text) => Self::Announce(text),
        }
    }
}
