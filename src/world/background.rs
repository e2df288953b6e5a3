//! Other people's work: jobs that arrive by themselves, by hour and weekday, as the site's `[[background]]` says.
//!
//! Nothing of it is in the journal: it follows from the seed. Each submission is a `sbatch` of its user, so that limits,
//! routing and priorities hold for it as for anybody's.

use super::World;
use super::event::Event;
use crate::base::hash::fnv1a;
use crate::base::time::{Span, Time};
use crate::config::Work;

/// Submissions in each hour of a working day, of a thousand.
const HOURS: [u32; 24] =
    [8, 5, 4, 3, 3, 5, 10, 25, 60, 90, 95, 85, 55, 70, 90, 95, 85, 65, 45, 35, 25, 18, 14, 10];
/// Per cent of a working day that the days from Monday on have.
const DAYS: [u32; 7] = [110, 105, 100, 100, 85, 30, 35];
/// Most submissions of one kind in a minute, and at the start.
const MOST: u64 = 300;
const MINUTE: Span = Span::from_mins(1);
const MILLION: u64 = 1_000_000;

/// What chance is asked for; each question has its own answer.
#[derive(Clone, Copy)]
enum Dice {
    Count,
    Moment,
    Who,
    Length,
    Failure,
    Age,
}

impl World {
    /// The work goes on from now, so much of it (per cent, not none); what would be in the machine at this hour is submitted at once.
    #[inline(never)]
    pub(super) fn begin_background(&mut self, amount: u32) {
        self.background = amount;
        if self.site.background.is_empty() {
            return;
        }
        for (kind, work) in self.site.background.clone().iter().enumerate() {
            let runs = u64::from(work.limit) * u64::from(work.runs.0 + work.runs.1) / 200;
            // Jobs of this kind that are in a machine with room for them: as many as arrive on average in the time of one.
            let a_day = u64::from(work.per_day) * u64::from(amount) * (MILLION / 100);
            let expected = a_day * runs / 86_400;
            let number = self.number(expected, kind, self.now);
            for nth in 0..number {
                self.submit_background(work, kind, nth, true);
            }
        }
        self.queue.push(self.now + MINUTE, Event::Minute);
    }

    /// A minute of other people's work: who submits what, and when in it.
    #[inline(never)]
    pub(super) fn background_minute(&mut self) {
        for (kind, work) in self.site.background.clone().iter().enumerate() {
            let number = self.number(self.rate(work, self.now), kind, self.now);
            for nth in 0..number {
                let offset = self.dice(Dice::Moment, kind, nth) % 60_000_000;
                let at = self.now + Span(i64::try_from(offset).unwrap_or(0));
                let (kind, nth) = (u32::try_from(kind).unwrap_or(u32::MAX), u32::try_from(nth).unwrap_or(0));
                self.queue.push(at, Event::Arrival { kind, nth });
            }
        }
        self.queue.push(self.now + MINUTE, Event::Minute);
    }

    /// Somebody submits something of this kind.
    #[inline(never)]
    pub(super) fn arrive(&mut self, kind: u32, nth: u32) {
        if let Some(work) = self.site.background.get(kind as usize).cloned() {
            self.submit_background(&work, kind as usize, nth.into(), false);
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
        let more = self.dice(Dice::Count, kind, nth) % MILLION < millionths % MILLION;
        (millionths / MILLION + u64::from(more)).min(MOST)
    }

    fn dice(&self, what: Dice, kind: usize, nth: u64) -> u64 {
        let text = format!("{} {} {} {kind} {nth}", self.seed, what as u32, self.now.0);
        // The last steps of splitmix64: neighbours differ in all bits.
        let mut z = fnv1a(text.as_bytes());
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `sbatch`, as one of its users; `running`: it is taken to have begun some time ago.
    fn submit_background(&mut self, work: &Work, kind: usize, nth: u64, running: bool) {
        let who = self.dice(Dice::Who, kind, nth) % (work.users.len().max(1) as u64);
        let named = usize::try_from(who).ok().and_then(|i| work.users.get(i));
        let Some(user) = named.and_then(|name| self.kernel.users.by_name(name)).cloned() else { return };
        let (low, high) = work.runs;
        let part = u64::from(low) + self.dice(Dice::Length, kind, nth) % u64::from(high - low + 1);
        let whole = u64::from(work.limit) * part / 100;
        let seconds = if running { 1 + self.dice(Dice::Age, kind, nth) % whole.max(1) } else { whole };
        let fails = self.dice(Dice::Failure, kind, nth) % 100 < work.fails.into();
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
