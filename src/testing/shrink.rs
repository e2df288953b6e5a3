//! Tests on random input whose failures are shrunk by `proptest`.
//!
//! A generator draws its choices from a [`Random`]. If a seed fails, proptest shrinks these choices: it removes
//! some and lowers others while the test still fails. So generators need no code for shrinking.

use super::Random;
use proptest::num::u64::BinarySearch;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestError, TestRunner};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Number of choices of a seed that are shrunk. Draws beyond them return 0.
const CHOICES: usize = 4096;
/// Limits of shrinking: the number of tries, and milliseconds.
const MAX_TRIES: u32 = 4000;
const MAX_MILLISECONDS: u32 = 60_000;

/// Runs a test on the random numbers of each seed.
///
/// # Panics
/// The test panics for some seed. The message is that of the smallest failing input found, with its choices.
pub fn for_seeds(seeds: impl IntoIterator<Item = u64>, test: impl Fn(u64, &mut Random)) {
    let mut findings = Vec::new();
    for seed in seeds {
        let fails = catch_unwind(AssertUnwindSafe(|| test(seed, &mut Random::new(seed)))).is_err();
        findings.extend(fails.then(|| shrunk(seed, &test)));
    }
    assert!(findings.is_empty(), "{} seeds fail\n{}", findings.len(), findings.join("\n"));
}

/// The message of a seed's smallest failing input.
fn shrunk(seed: u64, test: &impl Fn(u64, &mut Random)) -> String {
    let config = Config {
        failure_persistence: None,
        max_shrink_iters: MAX_TRIES,
        max_shrink_time: MAX_MILLISECONDS,
        ..Config::default()
    };
    let mut random = Random::new(seed);
    let tape = Tape::new((0..CHOICES).map(|_| random.bits()).collect());
    let found = TestRunner::new(config).run_one(tape, |choices| {
        test(seed, &mut Random::of_choices(choices));
        Ok(())
    });
    match found {
        Err(TestError::Fail(reason, choices)) => {
            let small = choices.len() < CHOICES;
            let how = if small {
                format!("Random::of_choices(vec!{choices:?})")
            } else {
                "the whole seed".to_owned()
            };
            format!("seed {seed}, shrunk to {how}:\n{reason}")
        }
        other => format!("seed {seed} fails only with more than {CHOICES} choices: {other:?}"),
    }
}

/// The next edit to try.
enum TapeEdit {
    /// Remove this many choices, starting at an index.
    Delete { at: usize, count: usize },
    /// Lower the choice at an index.
    Lower { at: usize, search: Option<BinarySearch> },
}

/// A list of choices that proptest shrinks: first by halves, quarters and so on, then choice by choice.
struct Tape {
    choices: Vec<u64>,
    /// The smallest choices that failed.
    failing: Vec<u64>,
    next: TapeEdit,
}

impl Tape {
    fn new(choices: Vec<u64>) -> Self {
        let count = choices.len() / 2;
        Self { failing: choices.clone(), choices, next: TapeEdit::Delete { at: 0, count } }
    }
}

impl ValueTree for Tape {
    type Value = Vec<u64>;

    fn current(&self) -> Vec<u64> {
        self.choices.clone()
    }

    /// The current choices fail: keeps them and tries the next edit.
    fn simplify(&mut self) -> bool {
        self.failing.clone_from(&self.choices);
        loop {
            match &mut self.next {
                TapeEdit::Delete { count: 0, .. } => self.next = TapeEdit::Lower { at: 0, search: None },
                TapeEdit::Delete { at, count } if *at >= self.choices.len() => {
                    (*at, *count) = (0, *count / 2)
                }
                TapeEdit::Delete { at, count } => {
                    let end = (*at + *count).min(self.choices.len());
                    self.choices.drain(*at..end);
                    return true;
                }
                TapeEdit::Lower { at, search } => {
                    let Some(choice) = self.choices.get_mut(*at) else { return false };
                    let search = search.get_or_insert_with(|| BinarySearch::new(*choice));
                    if search.simplify() {
                        *choice = search.current();
                        return true;
                    }
                    self.next = TapeEdit::Lower { at: *at + 1, search: None };
                }
            }
        }
    }

    /// The current choices pass: undoes the last edit, or part of it.
    fn complicate(&mut self) -> bool {
        match &mut self.next {
            TapeEdit::Delete { at, count } => *at += *count,
            TapeEdit::Lower { at, search } => {
                if let Some(search) = search.as_mut().filter(|search| search.current() != self.failing[*at])
                    && search.complicate()
                {
                    self.choices[*at] = search.current();
                    return true;
                }
                self.next = TapeEdit::Lower { at: *at + 1, search: None };
            }
        }
        self.choices.clone_from(&self.failing);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_shrunk_to_the_choices_that_matter() {
        let failing = catch_unwind(|| {
            for_seeds(1..4, |_, random| {
                let list: Vec<u32> = (0..random.below(50)).map(|_| random.below(1000)).collect();
                assert!(list.iter().all(|n| *n < 700), "too large: {list:?}");
            });
        });
        let message = failing.expect_err("large numbers are drawn");
        let message = message.downcast_ref::<String>().expect("a text");
        assert!(message.starts_with("3 seeds fail\nseed 1, shrunk to Random::of_choices"), "{message}");
        // The input is shrunk to one number, the smallest that fails.
        assert_eq!(message.matches("too large: [700]").count(), 3, "{message}");
    }

    #[test]
    fn a_test_that_passes_runs_once_for_each_seed() {
        let count = std::sync::atomic::AtomicU64::new(0);
        for_seeds(5..9, |seed, random| {
            assert_eq!(random.bits(), Random::new(seed).bits());
            count.fetch_add(seed, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(count.into_inner(), 5 + 6 + 7 + 8);
    }
}
