//! Showing the past: a copy of the world at a past moment, moved along the journal. The present is paused and
//! does not change.

use super::journal::Journal;
use super::recorded::Session;
use super::track::Track;
use crate::world::{EventPart, World};
use base::time::Time;
use std::sync::Arc;

/// A past moment and its position in the journal.
#[derive(Clone, Debug)]
pub struct PastTrack {
    pub track: Track,
    /// The index of the journal's next entry.
    next: usize,
}

/// The result of a step in the past.
enum Stepped {
    /// An event or input was processed.
    Did,
    /// A part of an event was processed.
    Partly,
    /// The requested moment is reached.
    Nothing,
    /// The past has reached the present.
    Present,
}

impl PastTrack {
    fn new(track: Track, journal: &Journal) -> Self {
        Self { next: journal.index_after(track.seq), track }
    }

    /// Processes the next event or input that is due by `until`, as recorded, or a part of it. Does not go
    /// beyond `end`.
    fn part(&mut self, until: Time, journal: &Journal, end: &Track) -> Stepped {
        let until = until.min(end.world.now);
        let track = &mut self.track;
        if track.world.is_mid_event() {
            return if track.part(until) == EventPart::Last { Stepped::Did } else { Stepped::Partly };
        }
        if let Some(entry) = journal.entries().get(self.next).filter(|e| e.time <= until) {
            if track.step < entry.step {
                match track.part(entry.time) {
                    EventPart::Nothing => {}
                    EventPart::Some => return Stepped::Partly,
                    EventPart::Last => return Stepped::Did,
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
            EventPart::Some => Stepped::Partly,
            EventPart::Last => Stepped::Did,
            EventPart::Nothing if over => Stepped::Present,
            EventPart::Nothing => Stepped::Nothing,
        }
    }
}

impl Session {
    /// Shows a moment of the past: [`Session::world`] is that world once [`Session::step`] up to `at` has
    /// nothing more to do. Returns the moment, limited to what can be reached; none for the present.
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
            // The moment that is already shown is nearer.
            _ if ahead => {}
            Some(track) => self.past = Some(Box::new(PastTrack::new(track.clone(), &self.journal))),
            None => {
                self.back();
                return None;
            }
        }
        Some(at)
    }

    /// Returns to the present.
    #[expect(clippy::arc_with_non_send_sync, reason = "shared by futures, not by threads")]
    pub fn back(&mut self) {
        if let Some(past) = self.past.take() {
            self.keyframes.discard(Arc::new(past.track));
        }
    }

    /// Whether the past is shown.
    #[must_use]
    pub const fn shows_past(&self) -> bool {
        self.past.is_some()
    }

    /// The earliest moment that can be shown; none if there is only the present.
    #[must_use]
    pub fn reach(&self) -> Option<Time> {
        self.keyframes.reach(&self.journal)
    }

    /// The world at the present, even while the past is shown.
    #[must_use]
    pub const fn present(&self) -> &World {
        &self.track.world
    }

    /// The number of the last input of the moment that is shown.
    #[must_use]
    pub fn seen_seq(&self) -> u64 {
        self.seen().seq
    }

    /// The number of events from the start to the moment that is shown.
    #[must_use]
    pub fn seen_steps(&self) -> u64 {
        self.seen().step
    }

    /// The track that is shown: the present, or a moment of the past.
    pub(super) fn seen(&self) -> &Track {
        self.past.as_ref().map_or(&self.track, |past| &past.track)
    }

    pub(super) fn seen_mut(&mut self) -> &mut Track {
        self.past.as_mut().map_or(&mut self.track, |past| &mut past.track)
    }

    /// [`Session::part`] while the past is shown.
    pub(super) fn part_of_past(&mut self, until: Time) -> EventPart {
        let Some(past) = &mut self.past else { return EventPart::Nothing };
        match past.part(until, &self.journal, &self.track) {
            Stepped::Did => {
                self.keyframes.offer(&past.track);
                EventPart::Last
            }
            Stepped::Partly => EventPart::Some,
            Stepped::Nothing => EventPart::Nothing,
            Stepped::Present => {
                self.back();
                EventPart::Last
            }
        }
    }
}
