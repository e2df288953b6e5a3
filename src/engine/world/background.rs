//! Background jobs of other users, which arrive by hour and weekday as the site's `[[background]]` sections say.
//!
//! They are not in the journal: they follow from the seed. Each submission is an `sbatch` run as its user, so
//! limits, routing and priorities apply as for every user. A world with background jobs starts hours before its
//! first moment. A user who logs in then finds jobs that have been running for a while, and records of finished
//! ones.

use super::World;
use super::event::WorldEvent;
use base::hash::scatter;
use base::order::StableSort as _;
use base::time::{Span, Time};
use config::BackgroundStream;

/// Submissions in each hour of a working day, in thousandths of the day's.
const HOURS: [u32; 24] =
    [8, 5, 4, 3, 3, 5, 10, 25, 60, 90, 95, 85, 55, 70, 90, 95, 85, 65, 45, 35, 25, 18, 14, 10];
/// Load of each day from Monday on, as a percentage of an average working day.
const DAYS: [u32; 7] = [110, 105, 100, 100, 85, 30, 35];
/// Maximum number of submissions of one stream in a minute, and before the first moment.
const MOST: u64 = 300;
const MINUTE: Span = Span::from_mins(1);
/// Longest time by which a world starts before its first moment, in seconds.
const LONGEST_PAST: i64 = 86_400;
/// Seconds. Jobs that ended longer before the first moment are not simulated.
const REMEMBERED: i64 = 2 * 3600;
const MILLION: u64 = 1_000_000;

/// Random decisions. Each draws from its own stream.
#[derive(Clone, Copy)]
enum RandomDraw {
    Count,
    Moment,
    Who,
    Length,
    Failure,
}

impl World {
    /// Submits the jobs that are still running, or have left records, at the world's `first` moment. From then
    /// on jobs arrive minute by minute.
    #[inline(never)]
    pub(super) fn begin_background(&mut self, amount: u32, first: Time) {
        self.background = amount;
        if self.site.background.is_empty() {
            return;
        }
        for (kind, work) in self.site.background.clone().iter().enumerate() {
            // The average number of arrivals in that time: in the morning, the night's jobs are still in the machine.
            let span = past(std::slice::from_ref(work)).min(first - self.now).secs().max(1);
            let span = u64::try_from(span).unwrap_or(1);
            let a_day = u64::from(work.per_day) * u64::from(amount) * (MILLION / 100);
            for nth in 0..self.number(a_day * span / 86_400, kind, first) {
                let age = self.draw(RandomDraw::Moment, kind, nth, first) % (span * MILLION);
                let at = first - Span(i64::try_from(age).unwrap_or(0));
                let end = at + Span::from_secs(i64::try_from(self.length(work, kind, nth, at)).unwrap_or(0));
                if end + Span::from_secs(REMEMBERED) > first {
                    self.expect(at, kind, nth);
                }
            }
        }
        self.queue.push(first, WorldEvent::Opening);
        self.queue.push(first, WorldEvent::Minute);
    }

    /// Decides which jobs arrive in the coming minute, and when.
    #[inline(never)]
    pub(super) fn background_minute(&mut self) {
        for (kind, work) in self.site.background.clone().iter().enumerate() {
            let number = self.number(self.rate(work, self.now), kind, self.now);
            for nth in 0..number {
                let offset = self.draw(RandomDraw::Moment, kind, nth, self.now) % 60_000_000;
                self.expect(self.now + Span(i64::try_from(offset).unwrap_or(0)), kind, nth);
            }
        }
        self.queue.push(self.now + MINUTE, WorldEvent::Minute);
    }

    /// The background jobs of a span of time as a trace of sbatch lines (`session::replay::events`). Nothing runs before it
    /// begins.
    #[must_use]
    pub fn background_trace(&mut self, amount: u32, from: Time, until: Time) -> String {
        self.background = amount;
        let mut arrivals: Vec<(Time, usize, u64)> = Vec::new();
        let mut minute = from;
        while minute < until {
            for (kind, work) in self.site.background.iter().enumerate() {
                for nth in 0..self.number(self.rate(work, minute), kind, minute) {
                    let offset = self.draw(RandomDraw::Moment, kind, nth, minute) % 60_000_000;
                    arrivals.push((minute + Span(i64::try_from(offset).unwrap_or(0)), kind, nth));
                }
            }
            minute += MINUTE;
        }
        arrivals.order_by_key(|arrival| *arrival);
        let mut text = String::new();
        for (at, kind, nth) in arrivals {
            let Some(work) = self.site.background.get(kind) else { continue };
            let who = self.draw(RandomDraw::Who, kind, nth, at) % (work.users.len().max(1) as u64);
            let Some(user) = usize::try_from(who).ok().and_then(|i| work.users.get(i)) else { continue };
            let fails = self.draw(RandomDraw::Failure, kind, nth, at) % 100 < work.fails.into();
            let seconds = run_seconds(self.length(work, kind, nth, at), fails);
            let since = (at - from).0 as f64 / base::time::SECOND as f64;
            let (name, limit, ask) = (&work.name, work.limit.div_ceil(60), work.ask.join(" "));
            text += &format!(
                "-dt {since} -e submit_batch_job | -sim-walltime {seconds} --uid={user} -J {name} -t {limit} {ask} job.sh\n"
            );
        }
        text
    }

    /// Schedules the arrival of a job of this stream.
    fn expect(&mut self, at: Time, kind: usize, nth: u64) {
        let (kind, nth) = (u32::try_from(kind).unwrap_or(u32::MAX), u32::try_from(nth).unwrap_or(0));
        self.queue.push(at, WorldEvent::Arrival { kind, nth });
    }

    /// Submits a job of this stream.
    #[inline(never)]
    pub(super) fn arrive(&mut self, kind: u32, nth: u32) {
        if let Some(work) = self.site.background.get(kind as usize).cloned() {
            self.submit_background(&work, kind as usize, nth.into());
        }
    }

    /// Submissions per minute, in millionths.
    fn rate(&self, work: &BackgroundStream, now: Time) -> u64 {
        let hour = now.secs().div_euclid(3600).rem_euclid(24);
        // 1970-01-01 was a Thursday.
        let day = (now.secs().div_euclid(86_400) + 3).rem_euclid(7);
        let part = |table: &[u32], at: i64| {
            usize::try_from(at).ok().and_then(|i| table.get(i)).copied().unwrap_or(0)
        };
        let weight = u64::from(part(&HOURS, hour)) * u64::from(part(&DAYS, day)) * u64::from(self.background);
        // A thousandth of the day's, two percentages, sixty minutes.
        u64::from(work.per_day) * weight / 600
    }

    /// A random whole number with this mean, given in millionths.
    fn number(&self, millionths: u64, kind: usize, now: Time) -> u64 {
        let nth = u64::try_from(now.secs()).unwrap_or(0);
        let more = self.draw(RandomDraw::Count, kind, nth, now) % MILLION < millionths % MILLION;
        (millionths / MILLION + u64::from(more)).min(MOST)
    }

    fn draw(&self, what: RandomDraw, kind: usize, nth: u64, at: Time) -> u64 {
        scatter(&format!("{} {} {} {kind} {nth}", self.seed, what as u32, at.0))
    }

    /// The run time in seconds of a job submitted at this moment.
    fn length(&self, work: &BackgroundStream, kind: usize, nth: u64, at: Time) -> u64 {
        let (low, high) = work.runs;
        let part = u64::from(low) + self.draw(RandomDraw::Length, kind, nth, at) % u64::from(high - low + 1);
        u64::from(work.limit) * part / 100
    }

    /// Runs `sbatch` as one of the stream's users.
    fn submit_background(&mut self, work: &BackgroundStream, kind: usize, nth: u64) {
        let who = self.draw(RandomDraw::Who, kind, nth, self.now) % (work.users.len().max(1) as u64);
        let named = usize::try_from(who).ok().and_then(|i| work.users.get(i));
        let Some(user) = named.and_then(|name| self.kernel.users.by_name(name)).cloned() else { return };
        let seconds = self.length(work, kind, nth, self.now);
        let fails = self.draw(RandomDraw::Failure, kind, nth, self.now) % 100 < work.fails.into();
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

/// How long before its first moment a world with background jobs starts: the longest run time, rounded up to
/// hours so that the daemons' periodic tasks keep their phases.
pub(super) fn past(works: &[BackgroundStream]) -> Span {
    let longest =
        works.iter().map(|work| i64::from(work.limit) * i64::from(work.runs.1.min(100)) / 100).max();
    let hours = (longest.unwrap_or(0) + REMEMBERED) / 3600 + 1;
    Span::from_secs((hours * 3600).min(LONGEST_PAST))
}

/// A job that fails does so after a third of its time.
const fn run_seconds(seconds: u64, fails: bool) -> u64 {
    if fails { seconds / 3 + 1 } else { seconds }
}

/// The batch script of such a job.
fn script(work: &BackgroundStream, seconds: u64, fails: bool) -> String {
    let seconds = run_seconds(seconds, fails);
    let run = if work.model.is_empty() {
        format!("sleep {seconds}")
    } else {
        format!("#SIM gmx: time={seconds}s {}\ngmx mdrun", work.model)
    };
    if fails { format!("{run}\nexit 1") } else { run }
}
