//! A running session: its queue of messages, its clock, what the page was told.

use super::ask;
use super::lesson::Lessons;
use super::saving::Saving;
use super::travel::Travelling;
use super::why::Asked;
use crate::host::tty::TtyId;
use crate::protocol::{FromEngine, Idle, Notice, Pace, Skip, Subscription, ToEngine};
use crate::session::frame;
use crate::session::journal::{Entry, describe};
use crate::session::pace::{Clock, MAX_TICK};
use crate::session::recorded::Session;
use crate::session::skip::{Reached, Skipping};
use crate::shell::Prompt;
use crate::world::{Applied, Input, Part};
use std::collections::VecDeque;

/// Messages that wait at most.
const MAX_QUEUE: usize = 10_000;
/// Bytes that can be typed at once.
const MAX_TYPED: usize = 1 << 20;
/// Bytes of terminal output for one tick and terminal.
const OUTPUT_PER_TICK: usize = 64 << 10;
/// A running session.
pub struct Live {
    pub session: Session,
    pub clock: Clock,
    pub skip: Option<Skipping>,
    pub travel: Travelling,
    pub lesson: Lessons,
    queue: VecDeque<ToEngine>,
    /// Journaled and told, to be carried out by the next slice; with what asked for it.
    ready: Option<(Entry, ToEngine)>,
    subscription: Subscription,
    pub frame: FrameState,
    pub saving: Saving,
    why: Asked,
    turn: Turn,
    /// Output may go to the page: a tick came since the last time.
    ticked: bool,
}

/// What the page has seen.
#[derive(Default)]
pub struct FrameState {
    number: u32,
    /// The last frame was drawn.
    acked: bool,
    /// Something is different from the last frame.
    pub dirty: bool,
    /// Virtual second of the last frame.
    second: i64,
    pub maker: frame::Maker,
    /// None is sent for so many ticks: who goes back a little sees the moment at once, and no flicker on the way.
    pub hold: u32,
}

/// Whose turn the last slice was.
#[derive(Default)]
struct Turn {
    /// Something beside the clock ...
    beside: bool,
    /// ... the last of that was the queue's order ...
    queue: bool,
    /// ... and of the rest the question why a job waits.
    asked: bool,
}

impl Live {
    /// A session about to run.
    pub fn new(session: Session) -> Self {
        let clock = Clock::new(session.world().now);
        Self {
            clock,
            skip: None,
            travel: Travelling::default(),
            lesson: Lessons::default(),
            queue: VecDeque::new(),
            ready: None,
            subscription: Subscription::default(),
            frame: FrameState { acked: true, dirty: true, ..FrameState::default() },
            saving: Saving::since(session.steps()),
            why: Asked::default(),
            turn: Turn::default(),
            ticked: true,
            session,
        }
    }

    /// Takes a message: what concerns the clock at once, everything else in its turn.
    pub fn receive(&mut self, message: ToEngine, out: &mut Vec<FromEngine>) {
        match message {
            ToEngine::Tick(millis) => self.tick(millis),
            ToEngine::Ack(number) => self.frame.acked |= number == self.frame.number,
            ToEngine::Subscribe(subscription) => {
                self.subscription = subscription;
                self.frame.dirty = true;
            }
            ToEngine::Typing(typing) => {
                self.clock.typing(typing);
                self.frame.dirty = true;
            }
            ToEngine::Pace(pace) => {
                self.clock.choose(pace);
                self.frame.dirty = true;
            }
            ToEngine::Skip(skip) => self.start_skip(&skip, out),
            ToEngine::Travel(to) => self.start_travel(to, out),
            ToEngine::Start { .. } | ToEngine::ReadSite(_) => {}
            other if self.queue.len() >= MAX_QUEUE => {
                drop(other);
                bound(out, "too much is waiting to be done; the last input was dropped".into());
            }
            other => {
                self.queue.push_back(other);
                self.prepare(out);
            }
        }
    }

    fn tick(&mut self, millis: u32) {
        self.ticked = true;
        self.why.tick(millis.min(MAX_TICK));
        self.lesson.tick(millis.min(MAX_TICK));
        self.frame.maker.tick(millis.min(MAX_TICK));
        self.saving.elapsed = self.saving.elapsed.saturating_add(millis.min(MAX_TICK));
        if self.travel.under_way(&mut self.frame.hold) {
            return;
        }
        let busy = self.clock.pace() == Pace::Paused && self.session.busy();
        self.clock.tick(millis, self.session.world().now, busy);
    }

    fn start_skip(&mut self, skip: &Skip, out: &mut Vec<FromEngine>) {
        self.skip = Skipping::new(skip, self.session.world());
        if let Some(why) = self.skip.as_ref().and_then(|s| s.pointless(self.session.world())) {
            out.push(FromEngine::Notice(Notice::Idle(why)));
            self.skip = None;
        }
        self.clock.reset(self.session.world().now);
        self.frame.dirty = true;
    }

    /// A bounded bit of work; true when more is due now. What goes on beside the clock has every other turn.
    pub fn slice(&mut self, events: u32, out: &mut Vec<FromEngine>) -> bool {
        if self.leave_on(out) {
            self.send_frame(out);
            return true;
        }
        self.carry_out(out);
        self.prepare(out);
        self.turn.beside = !self.turn.beside && self.has_beside();
        let mut more = true;
        if self.turn.beside {
            self.go_on_beside(out);
        } else {
            more = self.ready.is_some() || self.run(events, out);
            if !self.session.is_amid() {
                self.look_around(out);
            }
            more |= self.has_beside();
        }
        self.tell_terminals(out);
        self.send_frame(out);
        more
    }

    /// Whether something is to begin beside the clock. All of it looks at whole events.
    fn look_around(&mut self, out: &mut Vec<FromEngine>) {
        self.lesson.look(&self.session, out);
        let job = self.subscription.job.as_deref();
        // Before the first prompt nobody asks, and the program's later half, which answers, is not there.
        let asks = job.is_some() || self.why.is_asked();
        if asks && !self.why.is_under_way() {
            self.why.slice(&self.session, job, out);
        }
        self.autosave();
    }

    /// A bit of one of the things that go on beside the clock.
    fn go_on_beside(&mut self, out: &mut Vec<FromEngine>) {
        let asks = self.why.is_under_way();
        let saves = self.has_to_save() || self.session.has_to_tidy();
        self.turn.queue = self.frame.maker.is_under_way() && !(self.turn.queue && (asks || saves));
        if self.turn.queue {
            self.frame.dirty |= self.frame.maker.go_on(self.session.world());
            return;
        }
        self.turn.asked = asks && !(self.turn.asked && saves);
        if self.turn.asked {
            let job = self.subscription.job.as_deref();
            self.why.slice(&self.session, job, out);
        } else if self.session.has_to_tidy() {
            self.session.tidy();
        } else if !self.session.hash_on() {
            self.save_on(out);
        }
    }

    /// Whether something goes on beside the clock.
    fn has_beside(&self) -> bool {
        let others = self.has_to_save() || self.session.has_to_tidy();
        self.frame.maker.is_under_way() || self.why.is_under_way() || others
    }

    /// Carries out what was journaled.
    pub fn carry_out(&mut self, out: &mut Vec<FromEngine>) {
        if let Some((entry, message)) = self.ready.take() {
            let applied = self.session.carry_out(&entry);
            self.answer(&message, applied, out);
            self.saving.input = true;
            self.frame.dirty = true;
        }
    }

    /// Steps the world; true when it stopped because of the number of events.
    fn run(&mut self, events: u32, out: &mut Vec<FromEngine>) -> bool {
        if self.travel.goal.is_some() {
            return self.run_back(events);
        }
        for _ in 0..events {
            let until = self.skip.as_ref().map_or(self.clock.due(), |s| s.until);
            let part = self.session.part(until);
            let did = part != Part::Nothing;
            self.frame.dirty |= did;
            if part == Part::Some {
                return true;
            }
            self.note_past();
            if !self.skipping_ended(out) && !did {
                return false;
            }
        }
        self.skip.is_some() || self.session.world().next_event().is_some_and(|at| at <= self.clock.due())
    }

    /// Whether a skip is over with the event that was just carried out.
    fn skipping_ended(&mut self, out: &mut Vec<FromEngine>) -> bool {
        let world = self.session.world();
        let Some(reached) = self.skip.as_mut().map(|s| s.reached(world)) else { return false };
        match reached {
            Reached::NotYet => return false,
            Reached::Goal => {}
            Reached::Bound => out.push(FromEngine::Notice(Notice::Idle(Idle::TooFar))),
        }
        self.skip = None;
        self.clock.reset(self.session.world().now);
        self.frame.dirty = true;
        true
    }

    /// Answers questions up to the next input, and journals that. Not while an event is carried out in parts.
    fn prepare(&mut self, out: &mut Vec<FromEngine>) {
        if self.session.is_amid() || self.travel.leaves() {
            return;
        }
        if self.ready.is_none()
            && let Some(input) = self.lesson.next_deed()
        {
            self.journalise(input, ToEngine::Hash, out);
        }
        while self.ready.is_none()
            && self.travel.goal.is_none()
            && !self.travel.leaves()
            && let Some(message) = self.queue.pop_front()
        {
            match self.input(&message) {
                Ok(Some(input)) => self.journalise(input, message, out),
                Ok(None) => self.ask(message, out),
                Err(refusal) => out.push(refusal),
            }
        }
    }

    pub fn journalise(&mut self, input: Input, message: ToEngine, out: &mut Vec<FromEngine>) {
        if matches!(input, Input::Type(..)) {
            self.clock.typed(self.session.world().now);
        }
        let Some((input, message)) = self.begin_future(input, message) else { return };
        let what = describe(&input);
        let (entry, cut) = self.session.journalise(input);
        if cut {
            bound(out, "the journal is full: the older half of it was dropped".into());
        }
        out.push(FromEngine::Journaled { seq: entry.seq, entry: entry.encode(), what });
        self.ready = Some((entry, message));
    }

    /// The input that a message stands for; none for questions.
    fn input(&self, message: &ToEngine) -> Result<Option<Input>, FromEngine> {
        Ok(match message {
            ToEngine::Type { tty: _, bytes } if bytes.len() > MAX_TYPED => {
                let text =
                    format!("{} bytes at once are too many for a terminal; at most {MAX_TYPED}", bytes.len());
                return Err(FromEngine::Notice(Notice::Bound(text)));
            }
            ToEngine::Type { tty, bytes } => Some(Input::Type(TtyId(*tty), bytes.clone())),
            // Windows and people without a terminal change no past.
            ToEngine::Resize { .. } | ToEngine::Login(_) if self.session.looks_back() => None,
            ToEngine::Resize { tty, columns, rows } if self.has_size(*tty, *columns, *rows) => None,
            ToEngine::Resize { tty, columns, rows } => Some(Input::Resize(TtyId(*tty), *columns, *rows)),
            ToEngine::Login(user) => Some(Input::Login { user: user.clone(), columns: 80, rows: 24 }),
            ToEngine::Logout(tty) => Some(Input::Logout(TtyId(*tty))),
            ToEngine::SaveFile { user, path, text } => {
                if text.len() > ask::MAX_TEXT {
                    let error = Some(format!("at most {} bytes can be saved", ask::MAX_TEXT));
                    return Err(FromEngine::FileSaved { path: path.clone(), error });
                }
                let data = text.clone().into_bytes();
                Some(Input::Save { user: user.clone(), path: path.clone(), data })
            }
            ToEngine::Start { .. }
            | ToEngine::ReadSite(_)
            | ToEngine::Tick(_)
            | ToEngine::Ack(_)
            | ToEngine::Subscribe(_)
            | ToEngine::Typing(_)
            | ToEngine::Complete { .. }
            | ToEngine::Pace(_)
            | ToEngine::Skip(_)
            | ToEngine::Travel(_)
            | ToEngine::ListFiles { .. }
            | ToEngine::ReadFile { .. }
            | ToEngine::Lint { .. }
            | ToEngine::Options
            | ToEngine::Share(_)
            | ToEngine::Save
            | ToEngine::Drawn
            | ToEngine::Hash => None,
        })
    }

    fn ask(&mut self, message: ToEngine, out: &mut Vec<FromEngine>) {
        if message == ToEngine::Save {
            self.begin_save();
        } else if let Some(answer) = ask::answer(&self.session, message) {
            out.push(answer);
        }
    }

    /// Tells what came of an input.
    fn answer(&mut self, message: &ToEngine, applied: Applied, out: &mut Vec<FromEngine>) {
        match (message, applied) {
            (ToEngine::Login(user), Applied::Terminal(tty)) => {
                out.push(FromEngine::Opened { tty: tty.0, user: user.clone() });
            }
            (ToEngine::Logout(tty), _) => out.push(FromEngine::Closed(*tty)),
            (ToEngine::SaveFile { path, .. }, Applied::Refused(error)) => {
                out.push(FromEngine::FileSaved { path: path.clone(), error: Some(error) });
            }
            (ToEngine::SaveFile { path, .. }, _) => {
                out.push(FromEngine::FileSaved { path: path.clone(), error: None });
            }
            (_, Applied::Refused(why)) => bound(out, why),
            (_, Applied::Done | Applied::Terminal(_) | Applied::Run(_)) => {}
        }
    }

    /// Whether the page was told of each terminal that its shell wants a line.
    pub fn is_prompted(&self) -> bool {
        self.session.terminals().all(|(_, screen)| screen.is_announced())
    }

    /// Whether a terminal has this size already.
    fn has_size(&self, tty: u32, columns: u16, rows: u16) -> bool {
        let tty = self.session.world().kernel.tty(TtyId(tty));
        tty.is_some_and(|tty| (tty.columns, tty.rows) == (columns, rows))
    }

    /// New output and prompts; terminals whose shell has ended are closed.
    fn tell_terminals(&mut self, out: &mut Vec<FromEngine>) {
        if self.travel.goal.is_some() || !std::mem::take(&mut self.ticked) {
            return;
        }
        for text in self.session.take_bounds() {
            bound(out, text);
        }
        self.tell_other_moment(out);
        let ttys: Vec<TtyId> = self.session.terminals().map(|(tty, _)| tty).collect();
        for tty in ttys {
            let ready = match self.session.prompt(tty) {
                Prompt::Ready(prompt) => Some(prompt),
                Prompt::Busy => None,
            };
            let gone = !self.session.world().logged_in(tty);
            let single = self.session.world().kernel.tty(tty).is_some_and(|t| t.keys.is_some());
            if gone && self.session.looks_back() {
                continue;
            }
            let Some(screen) = self.session.screen_mut(tty) else { continue };
            let lost = screen.take_lost();
            let output = screen.take(OUTPUT_PER_TICK);
            let drained = screen.is_drained();
            let prompt = if drained { screen.announce(ready) } else { None };
            if lost > 0 {
                bound(out, format!("{lost} bytes of output came too fast and are not shown"));
            }
            let edit = screen.edit.take();
            let news = std::mem::replace(&mut screen.keys, single) != single;
            if !output.is_empty() || prompt.is_some() {
                out.push(FromEngine::Terminal { tty: tty.0, output, prompt });
            }
            if news {
                out.push(FromEngine::Keys(tty.0, single));
            }
            if let Some(path) = edit {
                let hint = format!(
                    "{path} is open in the editor; saving it there, or Enter here, brings the shell back.\n"
                );
                out.push(FromEngine::Terminal { tty: tty.0, output: hint.into_bytes(), prompt: None });
                out.push(FromEngine::Edit(tty.0, path));
            }
            if gone && drained {
                self.session.drop_terminal(tty);
                out.push(FromEngine::Closed(tty.0));
            }
        }
    }

    /// A frame, if the page has drawn the last one and there is news.
    fn send_frame(&mut self, out: &mut Vec<FromEngine>) {
        let second = self.session.world().now.secs();
        let news = self.frame.dirty || second != self.frame.second;
        if !self.frame.acked || !news || self.frame.hold > 0 {
            return;
        }
        let steps = self.session.seen_steps();
        let mut picture = self.frame.maker.make(self.session.world(), steps, &self.subscription);
        self.frame.number = self.frame.number.wrapping_add(1);
        (self.frame.acked, self.frame.second) = (false, second);
        picture.number = self.frame.number;
        (picture.pace, picture.paused) = match self.clock.pace() {
            Pace::Paused => (0, true),
            Pace::Times(n) => (n, false),
        };
        picture.held = self.clock.held();
        picture.skipping = self.skip.is_some();
        picture.past = self.session.looks_back();
        let line = |user: &String| self.frame.maker.line(&self.session, user, self.travel.goal);
        picture.line = self.subscription.line.as_ref().and_then(line);
        self.frame.dirty = self.frame.maker.is_behind();
        picture.behind = self.clock.behind();
        out.push(FromEngine::Frame(Box::new(picture)));
    }
}

pub fn bound(out: &mut Vec<FromEngine>, text: String) {
    out.push(FromEngine::Notice(Notice::Bound(text)));
}
