//! The class as a recording: a saved session that any page opens without a server, with every moment since the start.
//!
//! Without pseudonyms it is the session of this tab. With pseudonyms, the inputs are applied again under other names, in steps,
//! to a world of its own: lists that are ordered by name may then be in another order than in the class.

use super::pseudonyms::Pseudonyms;
use super::{ClassSession, RunningSession, tell};
use crate::session::recorded::Session;
use crate::session::saved::SessionWriter;
use crate::world::{EventPart, Input};
use base::time::Time;
use protocol::FromEngine;
use protocol::class::{FromClass, RecordedClass};
use std::collections::VecDeque;

/// Events in a step.
const STEP: u32 = 32;

/// A recording that is being made.
pub struct ClassRecording {
    stage: RecordingStage,
    kept: Vec<String>,
}

enum RecordingStage {
    /// Waits for the end of an event.
    Asked { pseudonyms: bool },
    /// The inputs are applied again, up to this time.
    Replay { session: Box<Session>, inputs: VecDeque<(Time, Input)>, end: Time },
    /// The session is written.
    Write(Box<SessionWriter>),
}

/// Applies the next inputs. False if all of them are applied and the end is reached.
fn replay(session: &mut Session, inputs: &mut VecDeque<(Time, Input)>, end: Time) -> bool {
    for _ in 0..STEP {
        let until = inputs.front().map_or(end, |(time, _)| *time);
        if session.part(until) != EventPart::Nothing || session.world().now < until {
            continue;
        }
        match inputs.pop_front() {
            Some((_, input)) => {
                session.apply(input);
            }
            None => return false,
        }
    }
    true
}

impl ClassSession {
    /// Whether a recording is being made.
    pub const fn is_recording(&self) -> bool {
        self.recording.is_some()
    }
}

impl RunningSession {
    /// The teacher wants a recording. While one is being made, another wish changes nothing.
    pub(super) fn begin_recording(&mut self, pseudonyms: bool) {
        let Some(class) = &mut self.class else { return };
        if class.me.teacher && class.recording.is_none() {
            let stage = RecordingStage::Asked { pseudonyms };
            class.recording = Some(ClassRecording { stage, kept: Vec::new() });
        }
    }

    /// Does a step of the recording, between whole events.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn record_step(&mut self, out: &mut Vec<FromEngine>) {
        let Some(class) = &mut self.class else { return };
        let Some(mut recording) = class.recording.take() else { return };
        recording.stage = match recording.stage {
            RecordingStage::Asked { pseudonyms: false } => {
                RecordingStage::Write(Box::new(self.session.saving()))
            }
            RecordingStage::Asked { pseudonyms: true } => {
                let names = Pseudonyms::of(&class.users, &self.session);
                let entries = self.session.journal().entries().iter();
                let inputs = entries.map(|entry| (entry.time, names.input(&entry.input))).collect();
                let session = Box::new(Session::new_class(self.session.setup().clone()));
                recording.kept = names.kept;
                RecordingStage::Replay { session, inputs, end: self.session.world().now }
            }
            RecordingStage::Replay { mut session, mut inputs, end } => {
                if replay(&mut session, &mut inputs, end) {
                    RecordingStage::Replay { session, inputs, end }
                } else {
                    RecordingStage::Write(Box::new(session.saving()))
                }
            }
            RecordingStage::Write(mut writer) => {
                if writer.step() {
                    recording.stage = RecordingStage::Write(writer);
                    class.recording = Some(recording);
                    return;
                }
                let recorded = RecordedClass { session: writer.finish(), kept: recording.kept };
                tell(out, FromClass::Recorded(Box::new(recorded)));
                return;
            }
        };
        class.recording = Some(recording);
    }
}
