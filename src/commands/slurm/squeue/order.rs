//! The order of squeue's rows. Every key of a row becomes a number beforehand (texts by their rank), and keys that descend
//! are complemented, so that two rows are compared by a few neighbouring numbers and nothing else.

use super::fields::FIELDS;
use super::row::Row;
use crate::base::order::Order as _;
use crate::base::time::{Limit, Time};
use crate::commands::slurm::format::by_letter;
use crate::commands::slurm::jobtext::{self, View};
use crate::slurmctld::job::{Job, Memory};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A key as the option writes it: a field's letter, `-` before it for descending.
#[derive(Clone, Copy)]
struct Key {
    letter: char,
    down: bool,
}

/// The keys of rows: a few neighbouring numbers each.
pub struct Keys<'a> {
    letters: Vec<(Key, Texts<'a>)>,
    /// Whether equal rows are told apart by their starts.
    by_start: bool,
    /// All rows' numbers, row by row.
    numbers: Vec<i64>,
}

impl<'a> Keys<'a> {
    /// Of no rows yet, by the letters of `--sort`.
    pub fn of(sort: &str) -> Self {
        let key = |word: &str| {
            let letter = word.trim_start_matches(['-', '+', '#']).chars().next()?;
            Some((Key { letter, down: word.starts_with('-') }, Texts::default()))
        };
        let letters: Vec<_> = sort.split(',').filter_map(key).collect();
        let by_start = letters.last().is_none_or(|(key, _)| key.letter != 'S');
        Self { letters, by_start, numbers: Vec::new() }
    }

    /// Adds a row; `place` is its place in slurmctld's list.
    pub fn push(&mut self, view: &View<'a>, row: &Row<'a>, place: u32) {
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
        let width = self.letters.len() + 3;
        for (at, (key, texts)) in
            self.letters.into_iter().enumerate().filter(|(_, (_, t))| !t.seen.is_empty())
        {
            let ranks = texts.ranks();
            for number in self.numbers.iter_mut().skip(at).step_by(width) {
                let first = if key.down { !*number } else { *number };
                let rank = usize::try_from(first).ok().and_then(|n| ranks.get(n)).copied().unwrap_or(0);
                *number = if key.down { !rank } else { rank };
            }
        }
        let keys_of = |i: &usize| self.numbers.get(i * width..(i + 1) * width);
        let mut order: Vec<usize> = (0..self.numbers.len() / width).collect();
        order.order_by(|a, b| keys_of(a).cmp(&keys_of(b)));
        order
    }
}

/// Texts that were seen, numbered as they came.
#[derive(Default)]
struct Texts<'a> {
    seen: BTreeMap<Cow<'a, str>, usize>,
}

impl<'a> Texts<'a> {
    fn number(&mut self, text: Cow<'a, str>) -> i64 {
        let next = self.seen.len();
        i64::try_from(*self.seen.entry(text).or_insert(next)).unwrap_or(i64::MAX)
    }

    /// For each number the text's place among all of them.
    fn ranks(self) -> Vec<i64> {
        let mut ranks = vec![0; self.seen.len()];
        for (rank, number) in (0..).zip(self.seen.into_values()) {
            if let Some(slot) = ranks.get_mut(number) {
                *slot = rank;
            }
        }
        ranks
    }
}

/// A row's number under a letter. Fields without an order of their own are compared as they are printed; letters that
/// are no field are all equal.
fn key_of<'a>(view: &View<'a>, row: &Row<'a>, letter: char, texts: &mut Texts<'a>) -> i64 {
    match letter {
        'i' | 'A' | 'F' => id(row),
        'P' => texts.number(row.partitions(view)),
        't' | 'T' => texts.number(Cow::Borrowed(row.job.shown_state().0)),
        'r' => texts.number(Cow::Borrowed(jobtext::reason(row.job))),
        'N' | 'R' => texts.number(Cow::Owned(view.nodelist(row.job))),
        letter => match number(letter) {
            Some(number) => number(view, row.job),
            None => {
                let at = by_letter(FIELDS, letter.encode_utf8(&mut [0; 4]));
                let field = at.and_then(|at| FIELDS.get(at));
                field.map_or(0, |f| texts.number(Cow::Owned(f.get.text(view, row).into_owned())))
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
        let numbers = ["gpu", "batch", "gpu", "debug"].map(|t| texts.number(Cow::Borrowed(t)));
        assert_eq!((numbers, texts.ranks()), ([0, 1, 0, 2], vec![2, 0, 1]));
    }
}
