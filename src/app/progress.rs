//! The progress in the open lesson, and when each step was done in simulated and real time. The times are
//! stored in the browser, for the participant's results and for going back.

use crate::origin;
use crate::page::Page;
use crate::storage;
use leptos::prelude::*;
use protocol::{LessonInfo, LessonProgress, Micros};
use std::sync::Arc;
use view::results::LessonResult;

/// The open lesson, as signals.
#[derive(Clone, Copy)]
pub struct LessonState {
    /// The lesson; none if the list of lessons is shown.
    pub info: RwSignal<Option<Arc<LessonInfo>>>,
    /// Steps that are done.
    pub passed: RwSignal<u32>,
    /// Steps, points, and whether the time is over.
    pub score: RwSignal<LessonProgress>,
    /// Whether the list of lessons is shown instead of the open lesson.
    pub listed: RwSignal<bool>,
}

impl LessonState {
    /// No lesson.
    pub fn new() -> Self {
        Self {
            info: RwSignal::new(None),
            passed: RwSignal::new(0),
            score: RwSignal::new(LessonProgress::default()),
            listed: RwSignal::new(false),
        }
    }
}

fn key(name: &str) -> String {
    format!("moments:{name}")
}

/// The beginning, then one for each step that is done: simulated and real seconds.
fn stored_times(name: &str) -> Vec<(i64, i64)> {
    let text = storage::get(&key(name)).unwrap_or_default();
    text.split(';').filter_map(|pair| pair.split_once(',')).map(|(a, b)| (number(a), number(b))).collect()
}

fn number(text: &str) -> i64 {
    text.parse().unwrap_or(0)
}

fn keep(name: &str, all: &[(i64, i64)]) {
    let pairs: Vec<String> = all.iter().map(|(simulated, real)| format!("{simulated},{real}")).collect();
    // Times that cannot be stored are missing in the results.
    let _ = storage::set(&key(name), &pairs.join(";"));
}

fn now() -> i64 {
    (js_sys::Date::now() / 1000.0) as i64
}

/// Simulated and real seconds now. The simulated second is the one that has begun, so that it includes what just happened.
fn both(score: LessonProgress) -> (i64, i64) {
    (score.at / 1_000_000 + 1, now())
}

/// The lesson starts over.
pub fn forget(name: &str) {
    storage::remove(&key(name));
}

/// A lesson was opened: continues its record, or starts a new one.
pub fn began(name: &str, score: LessonProgress) {
    let mut all = stored_times(name);
    let steps = score.passed as usize;
    if all.is_empty() || all.len() > steps + 1 {
        all = vec![both(score)];
    }
    // Steps done elsewhere, or played from the solutions, have no time.
    all.resize(steps + 1, (0, 0));
    keep(name, &all);
}

/// This many steps are done.
pub fn passed(name: &str, score: LessonProgress) {
    let mut all = stored_times(name);
    all.truncate(score.passed as usize + 1);
    all.resize(score.passed as usize + 1, both(score));
    keep(name, &all);
}

/// The moment when a step began, if it was seen.
pub fn of_step(name: &str, step: u32) -> Option<Micros> {
    let (simulated, _) = *stored_times(name).get(step as usize)?;
    (simulated > 0).then_some(simulated * 1_000_000)
}

/// A participant's result in the open lesson.
pub fn outcome(page: Page, lesson: LessonState, name: String, moment: String) -> Option<LessonResult> {
    let info = lesson.info.get_untracked()?;
    let score = lesson.score.get_untracked();
    let file = origin::lesson()?.name;
    let all = stored_times(&file);
    Some(LessonResult {
        name,
        lesson: file,
        title: info.title.clone(),
        passed: score.passed,
        total: u32::try_from(info.steps.len()).unwrap_or(u32::MAX),
        points: score.points,
        most: info.most,
        seed: page.started.with_untracked(|s| s.as_ref().map_or(0, |s| s.seed)),
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        began: all.first().copied().unwrap_or_default(),
        steps: all.into_iter().skip(1).collect(),
        moment,
        whole: true,
    })
}
