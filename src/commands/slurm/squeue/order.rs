//! The order of squeue's rows. Every key of a row becomes a number beforehand (texts by their rank), and keys that descend
//! are complemented, so that two rows are compared by a few neighbouring numbers and nothing else.

use super::fields::FIELDS;
use super::row::Row;
use crate::base::order::Merge;
use crate::base::time::{Limit, Time};
use crate::commands::slurm::format::by_letter;
use crate::commands::slurm::jobtext::{self, View};
use crate::slurmctld::job::{Job, Memory};
use std::collections::BTreeMap;
use std::collections::btree_map::IntoIter;

/// A key as the option writes it: a field's letter, `-` before it for descending.
#[derive(Clone, Copy)]
struct Key {
    letter: char,
    down: bool,
}

/// A key of nobody's command line, for others who show the queue: what is over comes last.
pub const OVER_LAST: char = '\u{1}';

/// The keys of rows: a few neighbouring numbers each. The order that they make may be made bit by bit.
pub struct Keys {
    letters: Vec<(Key, Texts)>,
    /// Whether equal rows are told apart by their starts.
    by_start: bool,
    /// All rows' numbers, row by row.
    numbers: Vec<i64>,
    /// In so many rows texts have their ranks.
    ranked: usize,
    merge: Option<Merge>,
}

/// So many numbers are moved while a record is looked at.
const MOVES: usize = 8;

impl Keys {
    /// Of no rows yet, by the letters of `--sort`.
    pub fn of(sort: &str) -> Self {
        let key = |word: &str| {
            let letter = word.trim_start_matches(['-', '+', '#']).chars().next()?;
            Some((Key { letter, down: word.starts_with('-') }, Texts::default()))
        };
        let letters: Vec<_> = sort.split(',').filter_map(key).collect();
        let by_start = letters.last().is_none_or(|(key, _)| key.letter != 'S');
        Self { letters, by_start, numbers: Vec::new(), ranked: 0, merge: None }
    }

    /// Adds a row; `place` is its place in slurmctld's list.
    pub fn push(&mut self, view: &View, row: &Row, place: u32) {
        for (key, texts) in &mut self.letters {
            let number = key_of(view, row, key.letter, texts);
            self.numbers.push(if key.down { !number } else { number });
        }
        let place = i64::from(place);
        // Of equal rows later starts come first, without a start the newest.
        match view.start(row.job).filter(|_| self.by_start) {
            Some(start) => self.numbers.extend([!start.secs(), place]),
            None if self.by_start => self.numbers.extend([i64::MAX, -place]),
            None => self.numbers.extend([0, place]),
        }
        self.numbers.push(row.task.map_or(-1, i64::from));
    }

    /// The rows' order, by their numbers as they were added.
    pub fn order(mut self) -> Vec<usize> {
        self.go_on(usize::MAX).unwrap_or_default()
    }

    /// Goes on with the order, by as much work as so many records take; the order once it is there. No row may be added from
    /// then on.
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
        self.merge.take_if(|_| done).map(Merge::places)
    }

    /// How many numbers a row has.
    const fn width(&self) -> usize {
        self.letters.len() + 3
    }

    /// Puts texts' ranks in the place of their numbers, up to a row.
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

/// Texts that were seen, numbered as they came.
#[derive(Default)]
struct Texts {
    seen: BTreeMap<String, usize>,
    /// Those that have no rank yet, in their order.
    left: IntoIter<String, usize>,
    /// For each number the text's place among all of them.
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

    /// Gives so many texts their ranks; true when all have theirs.
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

/// A row's number under a letter. Fields without an order of their own are compared as they are printed; letters that
/// are no field are all equal.
fn key_of(view: &View, row: &Row, letter: char, texts: &mut Texts) -> i64 {
    match letter {
        'i' | 'A' | 'F' => id(row),
        'P' => texts.number(&row.partitions(view)),
        't' | 'T' => texts.number(row.job.shown_state().0),
        'r' => texts.number(jobtext::reason(row.job)),
        'N' | 'R' => texts.number(&view.nodelist(row.job)),
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
fn id(row: &Row) -> i64 {
    let array = row.job.array.as_ref();
    let task = array.and_then(|a| row.task.or(a.task).or(a.pending.first()));
    let id = array.map_or(row.job.id, |a| a.job).0;
    i64::from(id) << 32 | task.map_or(0, |task| i64::from(task) + 1)
}

/// The number that a letter stands for; what has no start or end comes last.
fn number(letter: char) -> Option<fn(&View, &Job) -> i64> {
    Some(match letter {
        'U' => |_, job| job.uid().0.into(),
        'p' | 'Q' => |_, job| job.priority.into(),
        'M' => |view, job| job.run_seconds(view.now),
        'l' => |_, job| match job.time_limit {
            Limit::Unlimited => i64::MAX,
            Limit::Minutes(minutes) => minutes.into(),
        },
        'L' | 'e' => |view, job| moment(view.end(job)),
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
    // Slurm knows whole seconds.
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
