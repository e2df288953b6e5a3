//! Fuzzing: a target tries random inputs, a fixed number of them in the ordinary tests, or for some minutes.
//!
//! An input is a list of choices ([`Random`]), so it is known by its seed and shrunk like every random test
//! ([`super::for_seeds`]). Texts come from a corpus: files that are tried as they are, and edited by further choices
//! ([`Corpus::edited`]). An input that was found becomes a file of the corpus, so that it is tried for ever.

#![expect(clippy::disallowed_methods, reason = "it measures real time")]

use super::{Random, for_seeds};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Minutes to run each target; without it, the fixed number of inputs.
const MINUTES: &str = "SANDBATCH_FUZZ_MINUTES";
/// The first seed of a run by time.
const SEED: &str = "SANDBATCH_FUZZ_SEED";
/// An input may not take longer than this.
const MAX_TIME: Duration = Duration::from_secs(60);
/// The test's process may not take more memory than this, in MiB.
const MAX_MEMORY: u64 = 3 << 10;
/// A run by time ends with this many findings.
const MAX_FINDINGS: usize = 5;
/// Longest text that edits produce, bytes.
const MAX_TEXT: usize = 1 << 16;

/// The texts from which the inputs of a target are made.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    texts: Vec<Vec<u8>>,
    words: &'static [&'static str],
}

impl Corpus {
    /// Words that edits insert.
    #[must_use]
    pub fn new(words: &'static [&'static str]) -> Self {
        Self { texts: Vec::new(), words }
    }

    /// Adds a text.
    #[must_use]
    pub fn with(mut self, text: impl Into<Vec<u8>>) -> Self {
        self.texts.push(text.into());
        self
    }

    /// Adds all files of a directory, by name, also those in its folders. A directory that does not exist is empty.
    #[must_use]
    pub fn with_files(mut self, directory: &Path, endings: &[&str]) -> Self {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self = self.with_files(&path, endings);
            } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending))
                && let Ok(text) = std::fs::read(&path)
            {
                self.texts.push(text);
            }
        }
        self
    }

    /// The texts as they are.
    #[must_use]
    pub fn texts(&self) -> &[Vec<u8>] {
        &self.texts
    }

    /// A text of the corpus with some edits.
    ///
    /// # Panics
    /// The corpus is empty.
    pub fn edited(&self, random: &mut Random) -> Vec<u8> {
        let mut text = self.texts[random.below(self.texts.len())].clone();
        text.truncate(MAX_TEXT);
        for _ in 0..random.below(7) {
            self.edit(random, &mut text);
            text.truncate(MAX_TEXT);
        }
        text
    }

    /// The same as text; bytes that are not UTF-8 are replaced.
    pub fn edited_text(&self, random: &mut Random) -> String {
        String::from_utf8_lossy(&self.edited(random)).into_owned()
    }

    fn edit(&self, random: &mut Random, text: &mut Vec<u8>) {
        const NUMBERS: &[&str] = &[
            "0",
            "-1",
            "1",
            "255",
            "256",
            "65535",
            "65536",
            "99999",
            "2147483647",
            "2147483648",
            "4294967295",
            "4294967296",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            "99999999999999999999999",
            "1e308",
            "1e-9",
            "0x7fffffff",
            "00000000001",
            "3.5",
            "nan",
            "inf",
        ];
        const BYTES: &[u8] = b"\0\t\n\r\x1b \"#$%&'()*+,-./0:;<=>?@[\\]^_`a{|}~\x7f\x80\xc3\xff";
        let (from, to) = span(random, text);
        match random.below(10) {
            0 => drop(text.drain(from..to)),
            1 => {
                let copy = text[from..to].to_vec();
                let at = random.below(text.len() + 1);
                text.splice(at..at, copy);
            }
            2 => {
                let times = [2, 3, 10, 100, 2000][random.below(5_usize)];
                let copy = text[from..to].repeat(times.min(1 + MAX_TEXT / (to - from).max(1)));
                text.splice(from..to, copy);
            }
            3 => {
                let byte = if random.below(4) == 0 { random.below(256_u32) as u8 } else { random.of(BYTES) };
                match text.get_mut(from) {
                    Some(old) => *old = byte,
                    None => text.push(byte),
                }
            }
            4 if !self.words.is_empty() => {
                let word = random.of(self.words).as_bytes().to_vec();
                let end = if random.below(2) == 0 { from } else { to };
                text.splice(from..end, word);
            }
            5 => {
                // A number becomes a remarkable one.
                let digits = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
                if let Some(start) = (from..text.len()).find(|at| digits(*at)) {
                    let end = (start..text.len()).find(|at| !digits(*at)).unwrap_or(text.len());
                    text.splice(start..end, random.of(NUMBERS).bytes());
                }
            }
            6 => {
                // A line of another text.
                let other = &self.texts[random.below(self.texts.len())];
                let lines: Vec<&[u8]> = other.split_inclusive(|byte| *byte == b'\n').collect();
                if !lines.is_empty() {
                    let line = lines[random.below(lines.len())].to_vec();
                    let begins = text[..from].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                    text.splice(begins..begins, line);
                }
            }
            7 => text.truncate(from),
            8 => {
                let other = &self.texts[random.below(self.texts.len())];
                let (start, end) = span(random, other);
                text.splice(from..to, other[start..end].to_vec());
            }
            _ => text[from..to].reverse(),
        }
    }
}

/// A part of a text: a few bytes, a line, or any.
fn span(random: &mut Random, text: &[u8]) -> (usize, usize) {
    if text.is_empty() {
        return (0, 0);
    }
    let from = random.below(text.len());
    let to = match random.below(4) {
        0 => from + 1,
        1 => from + random.below(9_usize),
        2 => (from..text.len()).find(|at| text[*at] == b'\n').map_or(text.len(), |at| at + 1),
        _ => from + random.below(text.len() - from + 1),
    };
    (from, to.min(text.len()))
}

/// What is tried now: its start in milliseconds after the run's, and its seed.
struct FuzzProgress {
    since: AtomicU64,
    seed: AtomicU64,
    over: AtomicU64,
}

/// The memory of this process in MiB, where the system tells.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) / 256
}

/// Ends the process if an input takes too long or too much memory: neither can be caught.
fn watch(name: &str, began: Instant, watched: &Arc<FuzzProgress>) {
    let (name, watched) = (name.to_owned(), Arc::clone(watched));
    std::thread::spawn(move || {
        while watched.over.load(Ordering::Relaxed) == 0 {
            std::thread::sleep(Duration::from_millis(100));
            let since = Duration::from_millis(watched.since.load(Ordering::Relaxed));
            let seed = watched.seed.load(Ordering::Relaxed);
            let took = began.elapsed().saturating_sub(since);
            let (slow, large) = (took > MAX_TIME, memory() > MAX_MEMORY);
            if (slow || large) && watched.over.load(Ordering::Relaxed) == 0 {
                let what = if slow {
                    format!("takes more than {MAX_TIME:?}")
                } else {
                    format!("takes {} MiB", memory())
                };
                eprintln!("fuzz target {name}, seed {seed}: {what}");
                std::process::abort();
            }
        }
    });
}

/// Runs a target: the seeds 0 to `inputs` - 1, or as many random ones as fit into the minutes of `SANDBATCH_FUZZ_MINUTES`.
/// Prints the number of inputs.
///
/// # Panics
/// The test panics for some input. The message is that of the smallest failing input found, with its choices.
pub fn fuzz(name: &str, inputs: u64, test: impl Fn(&mut Random)) {
    let minutes = std::env::var(MINUTES).ok().and_then(|text| text.parse::<f64>().ok());
    let began = Instant::now();
    let watched = Arc::new(FuzzProgress { since: 0.into(), seed: 0.into(), over: 0.into() });
    watch(name, began, &watched);
    let (mut count, mut slowest, mut findings) = (0_u64, (Duration::ZERO, 0), Vec::new());
    let mut seed = match minutes {
        None => 0,
        Some(_) => std::env::var(SEED).ok().and_then(|text| text.parse::<u64>().ok()).unwrap_or(0),
    };
    let until = minutes.map(|minutes| Duration::from_secs_f64(minutes * 60.0));
    while until.map_or(count < inputs, |until| began.elapsed() < until && findings.len() < MAX_FINDINGS) {
        let now = began.elapsed();
        watched.seed.store(seed, Ordering::Relaxed);
        watched.since.store(u64::try_from(now.as_millis()).unwrap_or(u64::MAX), Ordering::Relaxed);
        if catch_unwind(AssertUnwindSafe(|| test(&mut Random::new(seed)))).is_err() {
            findings.push(seed);
        }
        slowest = slowest.max((began.elapsed().saturating_sub(now), seed));
        count += 1;
        seed = seed.wrapping_add(1);
    }
    watched.over.store(1, Ordering::Relaxed);
    eprintln!(
        "fuzz target {name}: {count} inputs in {:.1} s, the slowest {:.2} s (seed {}), {} findings",
        began.elapsed().as_secs_f64(),
        slowest.0.as_secs_f64(),
        slowest.1,
        findings.len()
    );
    for_seeds(findings, |_, random| test(random));
}

/// Runs a target on texts: those of the corpus as they are, then edited ones as [`fuzz`] does.
///
/// # Panics
/// As [`fuzz`].
pub fn fuzz_texts(name: &str, inputs: u64, corpus: &Corpus, test: impl Fn(&[u8])) {
    corpus.texts().iter().for_each(|text| test(text));
    fuzz(name, inputs, |random| test(&corpus.edited(random)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_the_same_in_every_run_and_bounded() {
        let corpus = Corpus::new(&["word"]).with("one 12\ntwo 345\n").with("three\n");
        let all = |seed| corpus.edited(&mut Random::new(seed));
        let texts: Vec<Vec<u8>> = (0..500).map(all).collect();
        assert_eq!(texts, (0..500).map(all).collect::<Vec<_>>());
        assert!(texts.iter().all(|text| text.len() <= MAX_TEXT));
        assert!(texts.iter().any(|text| text.len() > 1000), "parts are repeated");
        assert!(texts.iter().any(|text| text.windows(4).any(|part| part == b"word")), "words are inserted");
        assert!(texts.iter().any(|text| text == b"three\n"), "some stay as they are");
    }

    #[test]
    fn a_finding_fails_the_run() {
        let found = catch_unwind(|| fuzz("numbers", 50, |random| assert!(random.below(10) < 9, "a nine")));
        let message = found.expect_err("one of fifty numbers is a nine");
        assert!(message.downcast_ref::<String>().is_some_and(|text| text.contains("a nine")));
    }
}
