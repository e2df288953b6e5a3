//! Other people's work: jobs that arrive by themselves, by hour and weekday, as the site's `[[background]]` says.
//!
//! Nothing of it is in the journal: it follows from the seed. Each submission is a `sbatch` of its user, so that limits,
//! routing and priorities hold for it as for anybody's. A world with such work begins hours before its first moment, so
//! that a person who logs in finds jobs that have run for a while, and the trace of some that have ended.

use super::World;
use super::event::Event;
use crate::base::hash::scatter;
use crate::base::time::{Span, Time};
use crate::config::Work;

/// Submissions in each hour of a working day, of a thousand.
const HOURS: [u32; 24] =
    [8, 5, 4, 3, 3, 5, 10, 25, 60, 90, 95, 85, 55, 70, 90, 95, 85, 65, 45, 35, 25, 18, 14, 10];
/// Per cent of a working day that the days from Monday on have.
const DAYS: [u32; 7] = [110, 105, 100, 100, 85, 30, 35];
/// Most submissions of one kind in a minute, and before the first moment.
const MOST: u64 = 300;
const MINUTE: Span = Span::from_mins(1);
/// A world begins at most so long before its first moment.
const LONGEST_PAST: i64 = 86_400;
/// What ended so long before the first moment left no trace. Seconds.
const REMEMBERED: i64 = 2 * 3600;
const MILLION: u64 = 1_000_000;

/// What chance is asked for; each question has its own answer.
#[derive(Clone, Copy)]
enum Dice {
    Count,
    Moment,
    Who,
    Length,
    Failure,
}

impl World {
    /// The work goes on: what was submitted between now and the world's `first` moment and is still there then (or has
    /// left a trace), and from there on what comes minute by minute.
    #[inline(never)]
    pub(super) fn begin_background(&mut self, amount: u32, first: Time) {
        self.background = amount;
        if self.site.background.is_empty() {
            return;
        }
        for (kind, work) in self.site.background.clone().iter().enumerate() {
            // As many as arrive in that time on average: those of a night are in the machine in the morning.
            let span = past(std::slice::from_ref(work)).min(first - self.now).secs().max(1);
            let span = u64::try_from(span).unwrap_or(1);
            let a_day = u64::from(work.per_day) * u64::from(amount) * (MILLION / 100);
            for nth in 0..self.number(a_day * span / 86_400, kind, first) {
                let age = self.dice(Dice::Moment, kind, nth, first) % (span * MILLION);
                let at = first - Span(i64::try_from(age).unwrap_or(0));
                let end = at + Span::from_secs(i64::try_from(self.length(work, kind, nth, at)).unwrap_or(0));
                if end + Span::from_secs(REMEMBERED) > first {
                    self.expect(at, kind, nth);
                }
            }
        }
        self.queue.push(first, Event::Minute);
    }

    /// A minute of other people's work: who submits what, and when in it.
    #[inline(never)]
    pub(super) fn background_minute(&mut self) {
        for (kind, work) in self.site.background.clone().iter().enumerate() {
            let number = self.number(self.rate(work, self.now), kind, self.now);
            for nth in 0..number {
                let offset = self.dice(Dice::Moment, kind, nth, self.now) % 60_000_000;
                self.expect(self.now + Span(i64::try_from(offset).unwrap_or(0)), kind, nth);
            }
        }
        self.queue.push(self.now + MINUTE, Event::Minute);
    }

    /// Somebody will submit something of this kind.
    fn expect(&mut self, at: Time, kind: usize, nth: u64) {
        let (kind, nth) = (u32::try_from(kind).unwrap_or(u32::MAX), u32::try_from(nth).unwrap_or(0));
        self.queue.push(at, Event::Arrival { kind, nth });
    }

    /// Somebody submits something of this kind.
    #[inline(never)]
    pub(super) fn arrive(&mut self, kind: u32, nth: u32) {
        if let Some(work) = self.site.background.get(kind as usize).cloned() {
            self.submit_background(&work, kind as usize, nth.into());
        }
    }

    /// Submissions in a minute, in millionths.
    fn rate(&self, work: &Work, now: Time) -> u64 {
        let hour = now.secs().div_euclid(3600).rem_euclid(24);
        // 1970-01-01 was a Thursday.
        let day = (now.secs().div_euclid(86_400) + 3).rem_euclid(7);
        let part = |table: &[u32], at: i64| {
            usize::try_from(at).ok().and_then(|i| table.get(i)).copied().unwrap_or(0)
        };
        let weight = u64::from(part(&HOURS, hour)) * u64::from(part(&DAYS, day)) * u64::from(self.background);
        // A thousandth of a day's, a hundredth twice, sixty minutes.
        u64::from(work.per_day) * weight / 600
    }

    /// A whole number whose mean is so many millionths.
    fn number(&self, millionths: u64, kind: usize, now: Time) -> u64 {
        let nth = u64::try_from(now.secs()).unwrap_or(0);
        let more = self.dice(Dice::Count, kind, nth, now) % MILLION < millionths % MILLION;
        (millionths / MILLION + u64::from(more)).min(MOST)
    }

    fn dice(&self, what: Dice, kind: usize, nth: u64, at: Time) -> u64 {
        scatter(&format!("{} {} {} {kind} {nth}", self.seed, what as u32, at.0))
    }

    /// How long one that is submitted at a moment runs, seconds.
    fn length(&self, work: &Work, kind: usize, nth: u64, at: Time) -> u64 {
        let (low, high) = work.runs;
        let part = u64::from(low) + self.dice(Dice::Length, kind, nth, at) % u64::from(high - low + 1);
        u64::from(work.limit) * part / 100
    }

    /// `sbatch`, as one of its users.
    fn submit_background(&mut self, work: &Work, kind: usize, nth: u64) {
        let who = self.dice(Dice::Who, kind, nth, self.now) % (work.users.len().max(1) as u64);
        let named = usize::try_from(who).ok().and_then(|i| work.users.get(i));
        let Some(user) = named.and_then(|name| self.kernel.users.by_name(name)).cloned() else { return };
        let seconds = self.length(work, kind, nth, self.now);
        let fails = self.dice(Dice::Failure, kind, nth, self.now) % 100 < work.fails.into();
        let limit = format!("{}", work.limit.div_ceil(60));
        let mut argv: Vec<String> =
            ["sbatch", "-J", &work.name, "-t", &limit, "-D", &user.home, "-o", "/dev/null"]
                .into_iter()
                .map(str::to_owned)
                .collect();
        argv.extend(work.ask.iter().cloned());
        argv.extend(["--wrap".to_owned(), script(work, seconds, fails)]);
        self.run_for(&user, argv);
    }
}

/// How long before its first moment a world with such work begins: as long as the longest of it runs, in whole hours, so
/// that the daemons' loops keep their phases.
pub(super) fn past(works: &[Work]) -> Span {
    let longest =
        works.iter().map(|work| i64::from(work.limit) * i64::from(work.runs.1.min(100)) / 100).max();
    let hours = (longest.unwrap_or(0) + REMEMBERED) / 3600 + 1;
    Span::from_secs((hours * 3600).min(LONGEST_PAST))
}

/// What such a job does.
fn script(work: &Work, seconds: u64, fails: bool) -> String {
    let seconds = if fails { seconds / 3 + 1 } else { seconds };
    let run = if work.model.is_empty() {
        format!("sleep {seconds}")
    } else {
        format!("#SIM gmx: time={seconds}s {}\ngmx mdrun", work.model)
    };
    if fails { format!("{run}\nexit 1") } else { run }
}
