//! Looking back: a copy of the world at a past moment, moved along the journal. The present waits meanwhile, and
//! nothing of it changes.

use super::journal::Journal;
use super::recorded::Session;
use super::track::Track;
use crate::base::time::Time;
use crate::world::{Part, World};
use std::sync::Arc;

/// A moment that was, on its way along the journal.
#[derive(Clone, Debug)]
pub struct Past {
    pub track: Track,
    /// The journal's next entry.
    next: usize,
}

/// What a step in the past did.
enum Stepped {
    /// Something happened.
    Did,
    /// Some of an event happened.
    Partly,
    /// Nothing more until the moment that was asked for, which is reached.
    Nothing,
    /// The past has become the present.
    Present,
}

impl Past {
    fn new(track: Track, journal: &Journal) -> Self {
        Self { next: journal.place_after(track.seq), track }
    }

    /// The next event or input that is due by `until`, as it was, or a part of it; not beyond `end`.
    fn part(&mut self, until: Time, journal: &Journal, end: &Track) -> Stepped {
        let until = until.min(end.world.now);
        let track = &mut self.track;
        if track.world.is_amid() {
            return if track.part(until) == Part::Last { Stepped::Did } else { Stepped::Partly };
        }
        if let Some(entry) = journal.entries().get(self.next).filter(|e| e.time <= until) {
            if track.step < entry.step {
                match track.part(entry.time) {
                    Part::Nothing => {}
                    Part::Some => return Stepped::Partly,
                    Part::Last => return Stepped::Did,
                }
            }
            if track.world.next_event().is_none_or(|at| at > entry.time) {
                track.advance(entry.time);
            }
            track.apply(entry.seq, &entry.input);
            self.next += 1;
            return Stepped::Did;
        }
        let over = until == end.world.now;
        if over && track.step >= end.step {
            return Stepped::Present;
        }
        match track.part(until) {
            Part::Some => Stepped::Partly,
            Part::Last => Stepped::Did,
            Part::Nothing if over => Stepped::Present,
            Part::Nothing => Stepped::Nothing,
        }
    }
}

impl Session {
    /// Looks at a moment of the past: [`Session::world`] is that world from now on, once [`Session::step`] up to `at`
    /// has nothing more to do. The moment is brought within what can be reached and given back; none: it is the present.
    pub fn look(&mut self, at: Time) -> Option<Time> {
        self.finish_event();
        let at = self.reach().map_or(at, |reach| at.max(reach));
        if at >= self.present().now {
            self.back();
            return None;
        }
        let keyframe = self.keyframes.before(at, &self.journal);
        let here = self.past.as_ref().map(|p| &p.track).filter(|t| t.world.now <= at);
        let ahead = here.is_some_and(|t| keyframe.is_none_or(|k| t.step >= k.step));
        match keyframe {
            // What is seen already is nearer.
            _ if ahead => {}
            Some(track) => self.past = Some(Box::new(Past::new(track.clone(), &self.journal))),
            None => {
                self.back();
                return None;
            }
        }
        Some(at)
    }

    /// Sees the present again.
    #[expect(clippy::arc_with_non_send_sync, reason = "shared by futures, not by threads")]
    pub fn back(&mut self) {
        if let Some(past) = self.past.take() {
            self.keyframes.discard(Arc::new(past.track));
        }
    }

    /// Whether it is the past that is seen.
    #[must_use]
    pub const fn looks_back(&self) -> bool {
        self.past.is_some()
    }

    /// The earliest moment that can be looked at; none while there is only the present.
    #[must_use]
    pub fn reach(&self) -> Option<Time> {
        self.keyframes.reach(&self.journal)
    }

    /// The world as it is, whatever is looked at.
    #[must_use]
    pub const fn present(&self) -> &World {
        &self.track.world
    }

    /// The number of the last input that what is seen has taken.
    #[must_use]
    pub fn seen_seq(&self) -> u64 {
        self.seen().seq
    }

    /// How many events what is seen has carried out since the start.
    #[must_use]
    pub fn seen_steps(&self) -> u64 {
        self.seen().step
    }

    /// What is seen: the present, or a moment of the past.
    pub(super) fn seen(&self) -> &Track {
        self.past.as_ref().map_or(&self.track, |past| &past.track)
    }

    pub(super) fn seen_mut(&mut self) -> &mut Track {
        self.past.as_mut().map_or(&mut self.track, |past| &mut past.track)
    }

    /// [`Session::part`] while the past is seen.
    pub(super) fn part_of_past(&mut self, until: Time) -> Part {
        let Some(past) = &mut self.past else { return Part::Nothing };
        match past.part(until, &self.journal, &self.track) {
            Stepped::Did => {
                self.keyframes.offer(&past.track);
                Part::Last
            }
            Stepped::Partly => Part::Some,
            Stepped::Nothing => Part::Nothing,
            Stepped::Present => {
                self.back();
                Part::Last
            }
        }
    }
}
