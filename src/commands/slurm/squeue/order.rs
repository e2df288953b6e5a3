//! The order of squeue's lines.
//!
//! Cost: each sort key of a line is converted to a number once (texts by rank), and descending keys are
//! complemented, so a comparison is a few integer comparisons.

use super::fields::FIELDS;
use super::row::SqueueRow;
use crate::slurm::format::by_letter;
use crate::slurm::jobtext::{self, JobView};
use base::order::Merge;
use base::time::{Limit, Time};
use slurmctld::job::{Job, JobState, Memory};
use std::collections::BTreeMap;
use std::collections::btree_map::IntoIter;

/// A sort key of `--sort`: a field's letter, preceded by `-` if descending.
#[derive(Clone, Copy)]
struct SqueueSortKey {
    letter: char,
    down: bool,
}

/// The letters of `--sort`, as recorded from 22.05. A word with several letters is several keys.
pub const LETTERS: &str = "bcdefghijlmnptuvzBCDGHIJLMNOPQSTUV";

/// A key without a letter, for other views of the queue: finished jobs come last.
pub const OVER_LAST: char = '\u{1}';

/// The sort keys of lines: a few consecutive numbers each. Sorting can be done in steps.
pub struct Keys {
    letters: Vec<(SqueueSortKey, Texts)>,
    /// Whether the start time breaks ties.
    by_start: bool,
    /// The numbers of all lines, line by line.
    numbers: Vec<i64>,
    /// The number of lines whose texts already have ranks.
    ranked: usize,
    merge: Option<Merge>,
}

/// The number of keys that are moved per unit of work.
const MOVES: usize = 8;

impl Keys {
    /// Keys without lines, from the letters of `--sort`.
    pub fn of(sort: &str) -> Self {
        let (mut letters, mut down) = (Vec::new(), false);
        for letter in sort.chars() {
            match letter {
                '-' => down = true,
                ',' | '+' | '#' => down = false,
                letter => {
                    letters.push((SqueueSortKey { letter, down }, Texts::default()));
                    down = false;
                }
            }
        }
        let by_start = letters.last().is_none_or(|(key, _)| key.letter != 'S');
        Self { letters, by_start, numbers: Vec::new(), ranked: 0, merge: None }
    }

    /// Adds a row; `place` is its position in slurmctld's list.
    pub fn push(&mut self, view: &JobView, row: &SqueueRow, position: u32) {
        for (key, texts) in &mut self.letters {
            let number = key_of(view, row, key.letter, texts);
            self.numbers.push(if key.down { !number } else { number });
        }
        let position = i64::from(position);
        // Ties: later starts first; the newest job first if there is no start.
        match view.start(row.job).filter(|_| self.by_start) {
            Some(start) => self.numbers.extend([!start.secs(), position]),
            None if self.by_start => self.numbers.extend([i64::MAX, -position]),
            None => self.numbers.extend([0, position]),
        }
        self.numbers.push(row.task.map_or(-1, i64::from));
    }

    /// The sorted order of the rows, by their index.
    pub fn order(mut self) -> Vec<usize> {
        self.go_on(usize::MAX).unwrap_or_default()
    }

    /// Continues sorting with an amount of work equivalent to this many records. Returns the order once it is
    /// complete. No row may be added after the first call.
    pub fn go_on(&mut self, records: usize) -> Option<Vec<usize>> {
        let (rows, moves) = (self.numbers.len() / self.width(), records.saturating_mul(MOVES));
        if !self.letters.iter_mut().all(|(_, texts)| texts.rank(records)) {
            return None;
        }
        if self.ranked < rows {
            let until = rows.min(self.ranked.saturating_add(moves));
            self.put_ranks(until);
            if until < rows {
                return None;
            }
        }
        let (width, numbers) = (self.width(), &self.numbers);
        let keys_of = |i: usize| numbers.get(i * width..(i + 1) * width);
        let merge = self.merge.get_or_insert_with(|| Merge::new(rows));
        let done = merge.go_on(moves, &mut |a, b| keys_of(a).cmp(&keys_of(b)));
        self.merge.take_if(|_| done).map(Merge::positions)
    }

    /// The number of keys per line.
    const fn width(&self) -> usize {
        self.letters.len() + 3
    }

    /// Replaces texts' numbers by ranks, up to a line.
    fn put_ranks(&mut self, until: usize) {
        let width = self.width();
        for (at, (key, texts)) in self.letters.iter().enumerate().filter(|(_, (_, t))| !t.ranks.is_empty()) {
            let rows = self.numbers.iter_mut().skip(at).step_by(width);
            for number in rows.take(until).skip(self.ranked) {
                let first = if key.down { !*number } else { *number };
                let rank = usize::try_from(first).ok().and_then(|n| texts.ranks.get(n)).copied().unwrap_or(0);
                *number = if key.down { !rank } else { rank };
            }
        }
        self.ranked = until;
    }
}

/// Texts, numbered in the order of their first use.
#[derive(Default)]
struct Texts {
    seen: BTreeMap<String, usize>,
    /// Texts without a rank, in sorted order.
    left: IntoIter<String, usize>,
    /// The rank of each text, by its number.
    ranks: Vec<i64>,
}

impl Texts {
    fn number(&mut self, text: &str) -> i64 {
        let next = self.ranks.len();
        let number = self.seen.get(text).copied().unwrap_or_else(|| {
            self.seen.insert(text.to_owned(), next);
            self.ranks.push(0);
            next
        });
        i64::try_from(number).unwrap_or(i64::MAX)
    }

    /// Ranks this number of texts; true when all have a rank.
    fn rank(&mut self, texts: usize) -> bool {
        if !self.seen.is_empty() {
            self.left = std::mem::take(&mut self.seen).into_iter();
        }
        let ranked = self.ranks.len() - self.left.len();
        for (rank, (_, number)) in (ranked..).zip(self.left.by_ref().take(texts)) {
            if let Some(slot) = self.ranks.get_mut(number) {
                *slot = i64::try_from(rank).unwrap_or(i64::MAX);
            }
        }
        self.left.len() == 0
    }
}

/// A row's number for a letter. Fields without an order of their own are compared by their text; unknown
/// letters are equal for all rows.
fn key_of(view: &JobView, row: &SqueueRow, letter: char, texts: &mut Texts) -> i64 {
    match letter {
        'i' | 'A' | 'F' => id(row),
        'P' => texts.number(&row.partitions(view)),
        't' | 'T' => texts.number(row.job.shown_state().0),
        'r' => texts.number(jobtext::reason(row.job)),
        'N' | 'R' => texts.number(&view.nodelist(row.job)),
        // Jobs without a host come first.
        'B' => {
            let host = row.job.batch_host.filter(|_| row.job.state != JobState::Pending);
            let node = host.and_then(|host| view.state.nodes.get(host.0 as usize));
            texts.number(node.map_or("", |node| &node.conf.name))
        }
        letter => match number(letter) {
            Some(number) => number(view, row.job),
            None => {
                let at = by_letter(FIELDS, letter.encode_utf8(&mut [0; 4]));
                let field = at.and_then(|at| FIELDS.get(at));
                field.map_or(0, |f| texts.number(&f.get.text(view, row)))
            }
        },
    }
}

/// An array and its task: two keys of 32 bits in one number.
fn id(row: &SqueueRow) -> i64 {
    let array = row.job.array.as_ref();
    let task = array.and_then(|a| row.task.or(a.task).or(a.pending.first()));
    let id = array.map_or(row.job.id, |a| a.job).0;
    i64::from(id) << 32 | task.map_or(0, |task| i64::from(task) + 1)
}

/// The number for a letter. Rows without a start or end come last.
fn number(letter: char) -> Option<fn(&JobView, &Job) -> i64> {
    Some(match letter {
        'U' => |_, job| job.uid().0.into(),
        'p' | 'Q' => |_, job| job.priority.into(),
        'M' => |view, job| job.run_seconds(view.now),
        'l' => |_, job| match job.time_limit {
            Limit::Unlimited => i64::MAX,
            Limit::Minutes(minutes) => minutes.into(),
        },
        'L' => |view, job| match (job.time_limit, job.state) {
            (Limit::Unlimited, _) => i64::MAX,
            (Limit::Minutes(minutes), JobState::Pending) => i64::from(minutes) * 60,
            _ => view.end(job).map_or(i64::MAX, |end| end.secs() - view.now.secs()),
        },
        'e' => |view, job| view.end(job).filter(|_| job.state != JobState::Pending).map_or(0, Time::secs),
        'D' => |view, job| view.node_count(job).into(),
        'C' => |view, job| view.cpus(job).into(),
        'S' => |view, job| moment(view.start(job)),
        'V' => |_, job| job.submit.secs(),
        'y' => |_, job| job.nice,
        OVER_LAST => |_, job| (!job.is_live()).into(),
        'm' => |_, job| match job.needs.memory {
            Memory::Unset => 0,
            Memory::PerNode(m) | Memory::PerCpu(m) | Memory::PerGpu(m) => {
                i64::try_from(m).unwrap_or(i64::MAX)
            }
        },
        _ => return None,
    })
}

fn moment(time: Option<Time>) -> i64 {
    // Slurm has a resolution of one second.
    time.map_or(i64::MAX, Time::secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_by_their_order() {
        let mut texts = Texts::default();
        let numbers = ["gpu", "batch", "gpu", "debug"].map(|t| texts.number(t));
        assert!(!texts.rank(1) && !texts.rank(1) && texts.rank(1));
        assert_eq!((numbers, texts.ranks), ([0, 1, 0, 2], vec![2, 0, 1]));
    }
}
