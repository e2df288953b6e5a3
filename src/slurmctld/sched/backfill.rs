//! Backfill: every `bf_interval`, jobs in order of priority get the earliest place in a plan made of time limits; who
//! can start now without moving anyone before it starts now. Mirrors sched_config.html.
//!
//! As in Slurm, a planned job keeps whole nodes in full steps of `bf_resolution` around its time, and running jobs end
//! when their limits do. A plan is made anew only where something changed since the last pass (see [`super::memo`]), and
//! when nobody looks at expected starts only as far as it can matter (see [`super::hope`]).

use super::super::Slurmctld;
use super::super::hetjob::Ready;
use super::super::job::{Allocation, Job, JobState, Scheduler, UNLIMITED};
use super::super::limits;
use super::super::preempt;
use super::super::reason::Reason;
use super::super::reservation;
use super::super::select::Short;
use super::super::select::{self, Board, Choice, Forecast};
use super::admitted::rows;
use super::floor::{Floor, Floors};
use super::hope::Hopes;
use super::licenses::Licenses;
use super::main::begin;
use super::memo::{Asked, Recall, Recalled};
use super::plan::{Found, Place, Plan};
use super::queue::Row;
use super::quiet::{self, Sight};
use crate::base::bitset::BitSet;
use crate::base::ids::{JobId, PartId};
use crate::base::time::{Limit, Span, Time};
use std::collections::BTreeSet;

/// Whether only what could start matters.
const fn leaves_out(ctld: &Slurmctld) -> bool {
    ctld.lean && !ctld.plain
}

/// Nodes that are kept for jobs. Allocated nodes are not shown as planned, mixed ones are.
fn show_planned(ctld: &mut Slurmctld, planned: &BitSet) {
    for at in 0..ctld.nodes.len() {
        let node = &ctld.nodes[at];
        let shown = planned.contains(node.id.0) && node.cpus_used < node.cpus();
        if node.flags.planned != shown {
            ctld.nodes[at].flags.planned = shown;
        }
    }
}

/// As in Slurm, each pass begins without expected starts: whom it does not come to has none.
fn forget_others(ctld: &mut Slurmctld, kept: &BTreeSet<JobId>) {
    let stale: Vec<JobId> = ctld.index.planned.iter().filter(|id| !kept.contains(id)).copied().collect();
    stale.into_iter().for_each(|id| ctld.change_job(id, |j| j.planned = None));
}

/// A pass on its way. Nothing else happens to the controller between its parts.
#[derive(Debug)]
pub(in super::super) struct Pass {
    now: Time,
    rows: Vec<Row>,
    /// What there was to see when it began.
    began: Sight,
    /// The row that is looked at, whether it was tried before, and for how many of its tasks places are kept.
    index: usize,
    again: bool,
    reserved: u32,
    plan: Plan,
    recall: Recall,
    started: u32,
    /// Somebody is not kept in mind, or could have started.
    unsettled: bool,
    /// Nodes kept for jobs that are shown as planned.
    planned: BitSet,
    /// Jobs for which a place is kept.
    kept: BTreeSet<JobId>,
    floors: Floors,
    /// Where nobody looks at expected starts.
    hopes: Option<Hopes>,
    /// Components of heterogeneous jobs that could start now.
    ready: Vec<Ready>,
    /// With `bf_licenses`, who has which when.
    licenses: Option<Licenses>,
    /// For how many jobs of each partition places are kept.
    kept_in: Vec<u32>,
}

impl Pass {
    /// None if it could only decide what the last one did, or start nobody of whom anybody wants to know.
    pub(in super::super) fn unless_repeated(ctld: &mut Slurmctld, now: Time) -> Option<Self> {
        super::refresh(ctld, now);
        Forecast::refresh(ctld);
        let lean = leaves_out(ctld);
        let news = ctld.live.queue.take_news();
        if lean && quiet::backfill_repeats(ctld, &news, now) {
            return None;
        }
        if lean && !preempt::configured(ctld) && !ctld.with_shapes(|ctld, shapes| shapes.any_may_fit(ctld)) {
            return None;
        }
        let rows = rows(ctld);
        let hopes = lean.then(|| ctld.with_shapes(|ctld, shapes| Hopes::new(ctld, shapes, &rows)));
        let began = Sight::new(ctld);
        let plan = Plan::new(ctld, now);
        let licensed = ctld.live.knobs.bf_licenses;
        Some(Self {
            licenses: licensed.then(|| Licenses::of_running(ctld, now, plan.soon())),
            kept_in: vec![0; ctld.partitions.len()],
            now,
            recall: Recall::new(ctld, &plan, &rows, now),
            rows,
            began,
            index: 0,
            again: false,
            reserved: 0,
            plan,
            started: 0,
            unsettled: licensed || ctld.live.knobs.bf_min_age_reserve.0 > 0,
            planned: BitSet::new(),
            kept: BTreeSet::new(),
            floors: Floors::default(),
            hopes,
            ready: Vec::new(),
        })
    }

    /// At most so many tries; false when that was all.
    pub(in super::super) fn part(&mut self, ctld: &mut Slurmctld, tries: u32) -> bool {
        for _ in 0..tries {
            let Some(row) = self.rows.get(self.index).copied() else { return false };
            if !self.again && self.is_over(ctld) {
                return false;
            }
            self.again = self.attempt(ctld, row);
            if !self.again {
                (self.index, self.reserved) = (self.index + 1, 0);
            }
        }
        true
    }

    /// It is over: what it found is kept for the next one, and shown.
    pub(in super::super) fn end(mut self, ctld: &mut Slurmctld) {
        let (looked, all) = (self.index, self.rows.len());
        let cut = all >= ctld.live.knobs.bf_max_job_test;
        let count = |n: usize| u64::try_from(n).unwrap_or(0);
        ctld.stats.pass(true, count(looked), count(all), cut, self.now);
        ctld.start_het_jobs(std::mem::take(&mut self.ready), self.now);
        if leaves_out(ctld) && self.started == 0 && !self.unsettled {
            let (due, window) = self.recall.outlook(ctld, &self.plan);
            quiet::note_backfill(ctld, (self.began, &self.rows), due, window, self.now);
        }
        let Self { recall, plan, planned, kept, .. } = self;
        ctld.live.plan = plan;
        recall.store(ctld, looked < all);
        if !ctld.lean {
            forget_others(ctld, &kept);
            show_planned(ctld, &planned);
        }
    }

    /// Whether no row from this one on can start now, and nobody looks at what else is expected of it.
    fn is_over(&mut self, ctld: &mut Slurmctld) -> bool {
        let Self { hopes, plan, rows, index, now, .. } = self;
        hopes.as_mut().is_some_and(|hopes| !hopes.remain(ctld, (plan, rows), *index, *now))
    }

    /// Starts the row, or keeps a place for it. True when it is to be tried again: an array is as often as its tasks go.
    fn attempt(&mut self, ctld: &mut Slurmctld, row: Row) -> bool {
        let Some(job) = ctld.jobs.get(row.job()).filter(|j| j.state == JobState::Pending) else {
            return false;
        };
        let licensed = |job: &Job| self.licenses.is_some() || ctld.licenses_free(job, self.now);
        if let Some(reason) = super::barred_or(ctld, job, row.part, licensed) {
            // The main loop says it of jobs that it comes to.
            if job.reason != reason {
                ctld.change_job(row.job(), |j| j.reason = reason);
            }
            return false;
        }
        if limits::access::admits(ctld, limits::access::Guest::of(job), row.part).is_err() {
            return false;
        }
        if let Err(blocked) = limits::needs(ctld, job, row.part, self.now) {
            ctld.change_job(row.job(), |j| j.reason = blocked.reason);
            return false;
        }
        let het = job.het.is_some();
        self.unsettled |= het;
        let span = job.planned_span().0;
        let asked = Asked { row, index: self.index, nth: self.reserved, span };
        let found = self.licensed(ctld, asked).unwrap_or_else(|| self.earliest(ctld, asked));
        if found.place.as_ref().is_none_or(|f| f.0 > self.now)
            && !het
            && let Some(whole) = self.preempt(ctld, row)
        {
            self.forgo(&found, span);
            return !whole;
        }
        let Some((at, nodes)) = &found.place else {
            self.recall.keep(ctld, &self.plan, asked, found);
            return false;
        };
        let at = *at;
        self.unsettled |= at <= self.now;
        if at <= self.now && het {
            self.hold_ready(ctld, row, nodes);
            return false;
        }
        let most = ctld.live.knobs.bf_max_job_start;
        if at <= self.now && (most == 0 || self.started < most) {
            return !self.start(ctld, row, nodes);
        }
        self.reserve(ctld, asked, at, found)
    }

    /// Keeps the place that was found. True when there is more of the row for which one may be kept.
    fn reserve(&mut self, ctld: &mut Slurmctld, asked: Asked, at: Time, found: Found) -> bool {
        let Asked { row, nth, span, .. } = asked;
        let Some(job) = ctld.jobs.get(row.job()) else { return false };
        let one_only = ctld.live.knobs.bf_one_resv_per_job && nth == 0;
        if super::passed_over(ctld, job, self.now)
            || !limits::reserves(ctld, job, row.part)
            || (one_only && self.kept.contains(&job.id))
            || (nth == 0 && self.enough_kept(ctld, row.part))
        {
            self.unsettled = true;
            self.forgo(&found, span);
            return false;
        }
        if let Some(licenses) = &mut self.licenses {
            licenses.keep(ctld, job, (at, Span(span)));
        }
        let more = job.array.as_ref().is_some_and(|a| a.pending.len() > nth + 1);
        let nodes = found.place.as_ref().map(|place| place.1.clone()).unwrap_or_default();
        let place = self.plan.place(at, span, nodes.clone());
        if at <= self.now {
            self.recall.note_taken(&place);
        }
        let kind = ctld.with_shapes(|_, shapes| shapes.kind(row.shape));
        self.plan.keep_found(kind, span, &found, place);
        if nth == 0 && !ctld.lean {
            self.planned.union_with(&nodes);
            self.expect(ctld, row.job(), at, nodes);
        }
        self.recall.keep(ctld, &self.plan, asked, found);
        self.reserved += 1;
        more && self.reserved < ctld.live.knobs.bf_max_job_array_resv
    }

    /// Whether places are kept for as many jobs of a partition as `bf_job_part_count_reserve` says; if not, it is one more.
    fn enough_kept(&mut self, ctld: &Slurmctld, part: PartId) -> bool {
        let most = ctld.live.knobs.bf_job_part_count_reserve;
        let Some(kept) = self.kept_in.get_mut(part.0 as usize).filter(|_| most > 0) else { return false };
        *kept += 1;
        *kept > most
    }

    /// With `bf_licenses`, the earliest moment at which a row that wants licences has them and fits, too.
    fn licensed(&mut self, ctld: &mut Slurmctld, Asked { row, span, .. }: Asked) -> Option<Found> {
        let mut from = self.now;
        let found = loop {
            let (licenses, job) = (self.licenses.as_ref()?, ctld.jobs.get(row.job())?);
            if job.needs.licenses.is_empty() {
                return None;
            }
            let Some(at) = licenses.earliest(ctld, job, (from, Span(span))) else {
                break Found::default();
            };
            let found = self.search(ctld, row, (at, Time(i64::MAX)), Short::ANY);
            match found.place.as_ref().map(|place| place.0) {
                Some(fits) if fits > at && fits > from => from = fits,
                Some(_) | None => break found,
            }
        };
        self.note_moved(None, &found, span);
        Some(found)
    }

    /// The earliest moment at which the row fits, and where: as the last pass found it, or found anew.
    fn earliest(&mut self, ctld: &mut Slurmctld, asked: Asked) -> Found {
        let Asked { row, span, .. } = asked;
        // Who waits for switches only so long, or has a reservation, is not like others that ask for the same.
        let unlike = |job: &Job| job.needs.switches.is_some() || reservation::personal(ctld, job);
        if ctld.jobs.get(row.job()).is_some_and(unlike) {
            let found = self.search(ctld, row, (self.now, Time(i64::MAX)), Short::ANY);
            self.note_moved(None, &found, span);
            return found;
        }
        let floor =
            ctld.with_shapes(
                |ctld, shapes| {
                    if ctld.plain { Floor::NONE } else { self.floors.of(shapes, row.shape, span) }
                },
            );
        // Which nodes are in use now matters for later: nothing of the last pass is sure.
        let known = if ctld.live.knobs.bf_busy_nodes {
            Recalled::Anew(Floor::NONE, None)
        } else {
            ctld.with_shapes(|ctld, shapes| self.recall.find(ctld, shapes, &self.plan, asked))
        };
        let found = match known {
            Recalled::Same(found) => found,
            Recalled::Unless(found) => self.unless_earlier(ctld, asked, floor, found),
            Recalled::Anew(later, old) => {
                let floor = floor.and(later);
                let found = self.search(ctld, row, (floor.at, Time(i64::MAX)), floor.short);
                self.note_moved(old, &found, span);
                found
            }
        };
        self.floors.note(row.shape, span, &found);
        found
    }

    /// What the last pass found, or an earlier place.
    fn unless_earlier(&mut self, ctld: &mut Slurmctld, asked: Asked, floor: Floor, old: Found) -> Found {
        let before = old.place.as_ref().map_or(Time(i64::MAX), |(at, _)| Time(at.0 - 1));
        let found = self.search(ctld, asked.row, (floor.at, before), floor.short);
        if found.place.is_none() {
            return Found { short: found.short, ..old };
        }
        self.note_moved(old.kept_for(&self.plan, asked.span), &found, asked.span);
        found
    }

    /// A place was found, told to those who were found before. Who starts now keeps no place.
    fn note_moved(&mut self, old: Option<Place>, found: &Found, span: i64) {
        let new =
            found.kept_for(&self.plan, span).filter(|_| found.place.as_ref().is_some_and(|p| p.0 > self.now));
        self.recall.note_moved(old, new);
    }

    /// What was found is not kept; the last pass may have kept it.
    fn forgo(&mut self, found: &Found, span: i64) {
        self.recall.note_moved(found.kept_for(&self.plan, span), None);
    }

    fn search(&mut self, ctld: &mut Slurmctld, row: Row, within: (Time, Time), before: Short) -> Found {
        let found = ctld.with_shapes(|ctld, shapes| self.plan.earliest(ctld, shapes, row, within));
        Found { short: found.short.min(before), ..found }
    }

    /// What the row gets now out of some nodes.
    fn choose(ctld: &mut Slurmctld, row: Row, nodes: &BitSet) -> Option<Choice> {
        ctld.with_shapes(|ctld, shapes| {
            let job = ctld.jobs.get(row.job())?;
            select::among(ctld, job, (row.part, row.shape), shapes, nodes).ok()
        })
    }

    /// Starts the row on some of the nodes that are free for all of its time. True when nothing of it is left.
    fn start(&mut self, ctld: &mut Slurmctld, row: Row, nodes: &BitSet) -> bool {
        let mut nodes = nodes.clone();
        nodes.subtract(&ctld.index.completing);
        let Some(choice) = Self::choose(ctld, row, &nodes) else { return true };
        let Some(job) = ctld.jobs.get(row.job()) else { return true };
        let limit = self.stretched(job, &choice.nodes());
        let allocation = choice.allocation(ctld, job, row.part);
        if let Err(blocked) = limits::after_selection(ctld, job, row.part, &allocation, self.now) {
            ctld.change_job(row.job(), |j| j.reason = blocked.reason);
            return true;
        }
        self.started += 1;
        if let Some(limit) = limit {
            ctld.change_job(row.job(), |j| j.time_limit = limit);
        }
        let taken = self.taken(ctld, row, &allocation);
        if let (Some(licenses), Some(job)) = (&mut self.licenses, ctld.jobs.get(row.job())) {
            licenses.keep(ctld, job, (self.now, job.planned_span()));
        }
        let whole = begin(ctld, row.job(), row.part, allocation, Scheduler::Backfill, self.now);
        self.recall.note_taken(&taken);
        whole
    }

    /// The limit that a job with `--time-min` gets: what it asked for, or less where its nodes are wanted earlier.
    fn stretched(&self, job: &Job, nodes: &BitSet) -> Option<Limit> {
        let (least, asked) = (job.desc.time_min?, job.time_limit);
        let minutes = |until: Time| u32::try_from((until - self.now).secs() / 60).unwrap_or(u32::MAX);
        let free = self.plan.wanted_from(nodes).map_or(Limit::Unlimited, |t| Limit::Minutes(minutes(t)));
        Some(asked.min(free.max(least)))
    }

    /// What a job that starts now keeps until its limit.
    fn taken(&self, ctld: &Slurmctld, row: Row, allocation: &Allocation) -> Place {
        let span = ctld.jobs.get(row.job()).map_or(Span(0), |job| job.time_limit.span().unwrap_or(UNLIMITED));
        let nodes = allocation.nodes.iter().map(|n| n.node.0).collect();
        Place { from: self.now, to: self.now + span, nodes }
    }

    /// A component could start: its nodes are kept until it is known whether the others can, too.
    fn hold_ready(&mut self, ctld: &mut Slurmctld, row: Row, nodes: &BitSet) {
        let Some(choice) = Self::choose(ctld, row, nodes) else { return };
        let Some(job) = ctld.jobs.get(row.job()) else { return };
        let taken = choice.nodes();
        let allocation = choice.allocation(ctld, job, row.part);
        if limits::after_selection(ctld, job, row.part, &allocation, self.now).is_ok() {
            let place = self.plan.place(self.now, job.planned_span().0, taken);
            self.recall.note_taken(&place);
            self.plan.keep(place);
            self.ready.push(Ready { job: row.job(), part: row.part, allocation });
            if ctld.live.knobs.bf_hetjob_immediate {
                self.start_whole(ctld, row.job());
            }
        }
    }

    /// Starts a heterogeneous job of which this was the last component to find room.
    fn start_whole(&mut self, ctld: &mut Slurmctld, id: JobId) {
        let Some(het) = ctld.jobs.get(id).and_then(|job| job.het) else { return };
        let ready = std::mem::take(&mut self.ready);
        let (mine, others): (Vec<Ready>, Vec<Ready>) = ready.into_iter().partition(|r| {
            ctld.jobs.get(r.job).and_then(|job| job.het).is_some_and(|h| h.leader == het.leader)
        });
        self.ready = others;
        if u32::try_from(mine.len()).is_ok_and(|n| n == het.size) {
            ctld.start_het_jobs(mine, self.now);
            Forecast::refresh(ctld);
        } else {
            self.ready.extend(mine);
        }
    }

    /// Makes room for a row that finds none, if others may be preempted for it. When it could start at once: whether
    /// nothing of it is left.
    fn preempt(&mut self, ctld: &mut Slurmctld, row: Row) -> Option<bool> {
        let job = ctld.jobs.get(row.job()).filter(|job| preempt::possible(ctld, job, row.part))?;
        let kept = self.plan.nodes();
        let plan = preempt::plan(ctld, job, row.part, &Board::now_for(ctld, job, self.now), &kept, self.now)?;
        // More may be free than was counted with.
        self.hopes = None;
        let allocation = ctld.preempt(plan, self.now)?;
        self.started += 1;
        let taken = self.taken(ctld, row, &allocation);
        let whole = begin(ctld, row.job(), row.part, allocation, Scheduler::Backfill, self.now);
        self.recall.note_taken(&taken);
        Some(whole)
    }

    /// The job is shown with the start that is expected of it.
    fn expect(&mut self, ctld: &mut Slurmctld, id: JobId, at: Time, nodes: BitSet) {
        let now = self.now;
        let again = !self.kept.insert(id);
        let sooner = |j: &Job| again && j.planned.as_ref().is_some_and(|p| p.0 <= at);
        if ctld.jobs.get(id).is_some_and(sooner) {
            // It is expected in the first of its partitions that has room.
            return;
        }
        ctld.change_job(id, |j| {
            j.planned = Some((at, nodes));
            j.last_sched = Some(now);
            j.scheduler = Scheduler::Backfill;
            // What stopped it earlier lets it go by now.
            if j.reason == Reason::None || j.reason.is_limit() {
                j.reason = if j.het.is_some() { Reason::Resources } else { Reason::Priority };
            }
        });
    }
}
