//! When each step was done, in simulated and in real time: kept in this browser for the participant's results, and to go back to.

use super::FILE;
use crate::protocol::{Micros, Standing};
use crate::ui::state::Page;
use crate::ui::storage;
use crate::view::results::Outcome;
use leptos::prelude::*;

fn key(name: &str) -> String {
    format!("moments:{name}")
}

/// The beginning, then one for each step that is done: simulated and real seconds.
fn kept(name: &str) -> Vec<(i64, i64)> {
    let text = storage::get(&key(name)).unwrap_or_default();
    text.split(';').filter_map(|pair| pair.split_once(',')).map(|(a, b)| (number(a), number(b))).collect()
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or(0)
}

fn keep(name: &str, all: &[(i64, i64)]) {
    let pairs: Vec<String> = all.iter().map(|(simulated, real)| format!("{simulated},{real}")).collect();
    // What cannot be kept is not in the results.
    let _ = storage::set(&key(name), &pairs.join(";"));
}

fn now() -> i64 {
    (js_sys::Date::now() / 1000.0) as i64
}

/// Simulated and real seconds by now; the simulated one has begun, so that what has just happened is a part of it.
fn both(standing: Standing) -> (i64, i64) {
    (standing.at / 1_000_000 + 1, now())
}

/// The lesson begins anew.
pub fn forget(name: &str) {
    storage::remove(&key(name));
}

/// A lesson is open: as far as it was, or anew.
pub fn began(name: &str, standing: Standing) {
    let mut all = kept(name);
    let steps = standing.passed as usize;
    if all.is_empty() || all.len() > steps + 1 {
        all = vec![both(standing)];
    }
    // Steps that somebody else did, or the lesson's own solutions.
    all.resize(steps + 1, (0, 0));
    keep(name, &all);
}

/// So many steps are done by now.
pub fn passed(name: &str, standing: Standing) {
    let mut all = kept(name);
    all.truncate(standing.passed as usize + 1);
    all.resize(standing.passed as usize + 1, both(standing));
    keep(name, &all);
}

/// The moment when a step began, if it was seen.
pub fn of_step(name: &str, step: u32) -> Option<Micros> {
    let (simulated, _) = *kept(name).get(step as usize)?;
    (simulated > 0).then_some(simulated * 1_000_000)
}

/// What was made of the lesson that is open.
pub fn outcome(page: Page, name: String, moment: String) -> Option<Outcome> {
    let info = page.lesson.get_untracked()?;
    let standing = page.standing.get_untracked();
    let file = FILE.with_borrow(|file| file.as_ref().map(|f| f.name.clone()))?;
    let all = kept(&file);
    Some(Outcome {
        name,
        lesson: file,
        title: info.title.clone(),
        passed: standing.passed,
        total: u32::try_from(info.steps.len()).unwrap_or(u32::MAX),
        points: standing.points,
        most: info.most,
        seed: page.started.with_untracked(|s| s.as_ref().map_or(0, |s| s.seed)),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        began: all.first().copied().unwrap_or_default(),
        steps: all.into_iter().skip(1).collect(),
        moment,
        whole: true,
    })
}
