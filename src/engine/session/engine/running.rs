//! A running session: its message queue, its clock, its background tasks, and the state that the page has.

use super::ask;
use super::class::ClassSession;
use super::lesson::Lessons;
use super::saving::Autosave;
use super::task::{BackgroundTask, ExplainTask, HashTask, RoundRobin, TaskContext, TidyTask};
use super::travel::Travelling;
use super::unfinished::UnfinishedInputs;
use crate::session::frame::FrameMaker;
use crate::session::journal::{JournalEntry, describe};
use crate::session::pace::{MAX_TICK, PaceClock};
use crate::session::recorded::Session;
use crate::session::skip::{Reached, Skipping};
use crate::world::{EventPart, Input, InputResult};
use base::time::Time;
use host::tty::TtyId;
use protocol::{FromEngine, Idle, Pace, Skip, Subscription, ToEngine, UserNotice};
use shell::Prompt;
use std::collections::VecDeque;

/// Maximum number of waiting messages.
const MAX_QUEUE: usize = 10_000;
/// Maximum number of bytes typed at once.
const MAX_TYPED: usize = 1 << 20;
/// Maximum number of output bytes per tick and terminal.
const OUTPUT_PER_TICK: usize = 64 << 10;

/// A running session.
pub struct RunningSession {
    pub session: Session,
    pub clock: PaceClock,
    pub skip: Option<Skipping>,
    pub travel: Travelling,
    pub lesson: Lessons,
    /// The class that orders all inputs, if this session belongs to one.
    pub class: Option<Box<ClassSession>>,
    queue: VecDeque<ToEngine>,
    /// The journaled input that the next slice applies, with its message.
    ready: Option<(JournalEntry, ToEngine)>,
    unfinished: UnfinishedInputs,
    subscription: Subscription,
    pub frame: FrameState,
    pub autosave: Autosave,
    explain: ExplainTask,
    tasks: RoundRobin,
    /// The last slice was a step of a background task.
    background: bool,
    /// Output may be sent: a tick has come since the last time.
    ticked: bool,
}

/// The state that the page has.
#[derive(Default)]
pub struct FrameState {
    number: u32,
    /// The page has drawn the last frame.
    acked: bool,
    /// Something differs from the last frame.
    pub dirty: bool,
    /// Virtual second of the last frame.
    second: i64,
    pub maker: FrameMaker,
    /// Ticks to wait before the next frame. A short travel back then shows its destination without flicker.
    pub hold: u32,
}

impl RunningSession {
    /// Prepares a session to run.
    pub fn new(session: Session) -> Self {
        let clock = PaceClock::new(session.world().now);
        Self {
            clock,
            skip: None,
            travel: Travelling::default(),
            lesson: Lessons::default(),
            class: None,
            queue: VecDeque::new(),
            ready: None,
            unfinished: UnfinishedInputs::default(),
            subscription: Subscription::default(),
            frame: FrameState { acked: true, dirty: true, ..FrameState::default() },
            autosave: Autosave::since(session.steps()),
            explain: ExplainTask::default(),
            tasks: RoundRobin::default(),
            background: false,
            ticked: true,
            session,
        }
    }

    /// Accepts a message. Messages about the clock take effect immediately, all others in turn.
    pub fn receive(&mut self, message: ToEngine, out: &mut Vec<FromEngine>) {
        if self.class.is_some() && self.class_clock(&message, out) {
            return;
        }
        match message {
            ToEngine::Tick(millis) => self.tick(millis),
            ToEngine::Class(message) => self.class_message(message, out),
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
                bound(out, "too many inputs are waiting; the last one was dropped".into());
            }
            other => {
                self.queue.push_back(other);
                self.prepare(out);
            }
        }
    }

    fn tick(&mut self, millis: u32) {
        self.ticked = true;
        let real = millis.min(MAX_TICK);
        self.explain.0.tick(real);
        self.lesson.tick(real);
        self.frame.dirty |= self.frame.maker.tick(real);
        self.autosave.tick(real);
        if let Some(class) = &mut self.class {
            class.tick(real);
        }
        if self.class.is_some() || self.travel.is_travelling(&mut self.frame.hold) {
            return;
        }
        let busy = self.clock.pace() == Pace::Paused && self.session.busy();
        self.clock.tick(millis, self.session.world().now, busy);
    }

    fn start_skip(&mut self, skip: &Skip, out: &mut Vec<FromEngine>) {
        self.skip = Skipping::new(skip, self.session.world());
        if let Some(why) = self.skip.as_ref().and_then(|s| s.pointless(self.session.world())) {
            out.push(FromEngine::Notice(UserNotice::Idle(why)));
            self.skip = None;
        }
        self.clock.reset(self.session.world().now);
        self.frame.dirty = true;
    }

    /// Does a bounded amount of work. True if more is due now. While background tasks have work left, every
    /// other slice is a step of one of them.
    pub fn slice(&mut self, events: u32, out: &mut Vec<FromEngine>) -> bool {
        if self.leave_on(out) {
            self.send_frame(out);
            return true;
        }
        self.carry_out(out);
        self.prepare(out);
        self.background = !self.background && self.has_background_work();
        let mut more = true;
        if self.background {
            self.with_tasks(out, |robin, tasks, context| robin.step(tasks, context));
        } else {
            more = self.ready.is_some() || self.run(events, out);
            if !self.session.is_mid_event() {
                self.lesson.look(&self.session, out);
                self.with_tasks(out, |_, tasks, context| {
                    for task in tasks {
                        task.start(context);
                    }
                });
            }
            more |= self.has_background_work();
        }
        if let Some(class) = &self.class {
            more |= class.has_entries() || class.is_recording();
            self.report_checkpoint(out);
            if !self.session.is_mid_event() {
                self.look_at_steps(out);
                self.record_step(out);
            }
        }
        self.send_terminals(out);
        if self.class.is_none() {
            self.unfinished.tell(&self.session, self.ready.as_ref().map(|(entry, _)| entry.seq), out);
        }
        self.send_frame(out);
        more
    }

    /// Passes all background tasks to `f`.
    fn with_tasks(
        &mut self,
        out: &mut Vec<FromEngine>,
        f: impl FnOnce(&mut RoundRobin, &mut [&mut dyn BackgroundTask], &mut TaskContext),
    ) {
        let Self { session, frame, explain, autosave, tasks, subscription, .. } = self;
        let mut context =
            TaskContext { session, job: subscription.job.as_deref(), dirty: &mut frame.dirty, out };
        f(tasks, &mut [&mut frame.maker, explain, &mut TidyTask, &mut HashTask, autosave], &mut context);
    }

    /// Whether a background task has work left.
    fn has_background_work(&self) -> bool {
        let tasks: [&dyn BackgroundTask; 5] =
            [&self.frame.maker, &self.explain, &TidyTask, &HashTask, &self.autosave];
        tasks.iter().any(|task| task.is_pending(&self.session))
    }

    /// Applies the journaled input.
    pub fn carry_out(&mut self, out: &mut Vec<FromEngine>) {
        if let Some((entry, message)) = self.ready.take() {
            let applied = self.session.carry_out(&entry);
            self.unfinished.applied(&entry, &applied);
            if self.class.is_none() || self.entry_applied(&applied, out) {
                self.answer(&message, applied, out);
            }
            self.autosave.note_input();
            self.frame.dirty = true;
        }
    }

    /// Steps the world. True if it stopped because it reached the number of events.
    fn run(&mut self, events: u32, out: &mut Vec<FromEngine>) -> bool {
        if self.travel.goal.is_some() {
            return self.run_back(events);
        }
        for _ in 0..events {
            let until = self.skip.as_ref().map_or(self.due(), |s| s.until);
            let part = self.session.part(until);
            let did = part != EventPart::Nothing;
            self.frame.dirty |= did;
            if part == EventPart::Some {
                return true;
            }
            self.note_past();
            if !self.skipping_ended(out) && !did {
                return false;
            }
        }
        self.skip.is_some() || self.session.world().next_event().is_some_and(|at| at <= self.due())
    }

    /// The time up to which the world may run.
    fn due(&self) -> Time {
        self.class.as_ref().map_or(self.clock.due(), |class| class.limit())
    }

    /// An input was journaled; the next slice applies it.
    pub fn put_ready(&mut self, entry: JournalEntry, message: ToEngine) {
        self.ready = Some((entry, message));
    }

    /// Whether the event that was just processed ended a skip.
    fn skipping_ended(&mut self, out: &mut Vec<FromEngine>) -> bool {
        let world = self.session.world();
        let Some(reached) = self.skip.as_mut().map(|s| s.reached(world)) else { return false };
        match reached {
            Reached::NotYet => return false,
            Reached::Goal => {}
            Reached::Bound => out.push(FromEngine::Notice(UserNotice::Idle(Idle::TooFar))),
        }
        self.skip = None;
        self.clock.reset(self.session.world().now);
        self.frame.dirty = true;
        true
    }

    /// Answers requests up to the next input and journals that input. Waits until an event in progress is complete.
    fn prepare(&mut self, out: &mut Vec<FromEngine>) {
        if self.session.is_mid_event() || self.travel.leaves() {
            return;
        }
        if self.ready.is_none()
            && let Some(input) = self.lesson.next_input()
        {
            self.journal_input(input, ToEngine::Hash, out);
        }
        while self.ready.is_none()
            && self.travel.goal.is_none()
            && !self.travel.leaves()
            && let Some(message) = self.queue.pop_front()
        {
            match self.input(&message) {
                Ok(Some(_)) if self.class.is_some() => self.request(message, out),
                Ok(Some(input)) => self.journal_input(input, message, out),
                Ok(None) => self.ask(message, out),
                Err(refusal) => out.push(refusal),
            }
        }
        if self.class.is_some() && self.ready.is_none() {
            self.next_ordered(out);
        }
    }

    pub fn journal_input(&mut self, input: Input, message: ToEngine, out: &mut Vec<FromEngine>) {
        if matches!(input, Input::Type(..)) {
            self.clock.typed(self.session.world().now);
        }
        let Some((input, message)) = self.begin_branch(input, message) else { return };
        let what = describe(&input);
        let (entry, cut) = self.session.journal_input(input);
        if cut {
            bound(out, "the journal is full; its older half was dropped".into());
        }
        out.push(FromEngine::Journaled { seq: entry.seq, entry: entry.encode(), what });
        self.ready = Some((entry, message));
    }

    /// The input contained in a message; none for requests.
    fn input(&self, message: &ToEngine) -> Result<Option<Input>, FromEngine> {
        Ok(match message {
            ToEngine::Type { tty: _, bytes } if bytes.len() > MAX_TYPED => {
                let text =
                    format!("a terminal accepts at most {MAX_TYPED} bytes at once, not {}", bytes.len());
                return Err(FromEngine::Notice(UserNotice::Bound(text)));
            }
            ToEngine::Type { tty, bytes } => Some(Input::Type(TtyId(*tty), bytes.clone())),
            // Window sizes and logins do not change the past.
            ToEngine::Resize { .. } | ToEngine::Login(_) if self.session.shows_past() => None,
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
            | ToEngine::FindJobs(_)
            | ToEngine::Share(_)
            | ToEngine::Save
            | ToEngine::Drawn
            | ToEngine::Class(_)
            | ToEngine::Hash => None,
        })
    }

    fn ask(&mut self, message: ToEngine, out: &mut Vec<FromEngine>) {
        if message == ToEngine::Save {
            self.autosave.begin(&self.session);
        } else if let Some(answer) = ask::answer(&self.session, message) {
            out.push(answer);
        }
    }

    /// Reports the result of an input.
    fn answer(&mut self, message: &ToEngine, applied: InputResult, out: &mut Vec<FromEngine>) {
        match (message, applied) {
            (ToEngine::Login(user), InputResult::Terminal(tty)) => {
                out.push(FromEngine::Opened { tty: tty.0, user: user.clone() });
            }
            (ToEngine::Logout(tty), _) => out.push(FromEngine::Closed(*tty)),
            (ToEngine::SaveFile { path, .. }, InputResult::Refused(error)) => {
                out.push(FromEngine::FileSaved { path: path.clone(), error: Some(error) });
            }
            (ToEngine::SaveFile { path, .. }, _) => {
                out.push(FromEngine::FileSaved { path: path.clone(), error: None });
            }
            (_, InputResult::Refused(why)) => bound(out, why),
            (_, InputResult::Done | InputResult::Terminal(_) | InputResult::Run(_)) => {}
        }
    }

    /// Whether the page knows of every terminal that its shell expects a line.
    pub fn is_prompted(&self) -> bool {
        self.session.terminals().all(|(_, screen)| screen.is_announced())
    }

    /// Whether a terminal already has this size.
    fn has_size(&self, tty: u32, columns: u16, rows: u16) -> bool {
        let tty = self.session.world().kernel.tty(TtyId(tty));
        tty.is_some_and(|tty| (tty.columns, tty.rows) == (columns, rows))
    }

    /// Sends new output and prompts, and closes the terminals of shells that have exited.
    fn send_terminals(&mut self, out: &mut Vec<FromEngine>) {
        if self.travel.goal.is_some() || !std::mem::take(&mut self.ticked) {
            return;
        }
        for text in self.session.take_bounds() {
            bound(out, text);
        }
        self.send_other_moment(out);
        let ttys: Vec<TtyId> = self.session.terminals().map(|(tty, _)| tty).collect();
        for tty in ttys {
            if self.class.is_some() && self.is_hidden(tty) {
                continue;
            }
            let ready = match self.session.prompt(tty) {
                Prompt::Ready(prompt) => Some(prompt),
                Prompt::Busy => None,
            };
            let gone = !self.session.world().logged_in(tty);
            let single = self.session.world().kernel.key_reader(tty).is_some();
            if gone && self.session.shows_past() {
                continue;
            }
            let Some(screen) = self.session.screen_mut(tty) else { continue };
            let lost = screen.take_lost();
            let output = screen.take(OUTPUT_PER_TICK);
            let drained = screen.is_drained();
            let prompt = if drained { screen.announce(ready) } else { None };
            if lost > 0 {
                bound(out, format!("{lost} bytes of output came too fast to be shown"));
            }
            let (edit, refusal) = (screen.edit.take(), screen.refusal.take());
            let changed = std::mem::replace(&mut screen.keys, single) != single;
            if !output.is_empty() || prompt.is_some() {
                out.push(FromEngine::Terminal { tty: tty.0, output, prompt });
            }
            out.extend(refusal.map(|refusal| FromEngine::Refused(tty.0, refusal)));
            if changed {
                out.push(FromEngine::Keys(tty.0, single));
            }
            if let Some(path) = edit {
                let hint = format!(
                    "{path} is open in the editor. Save it there or press Enter here to return to the shell.\n"
                );
                out.push(FromEngine::Terminal { tty: tty.0, output: hint.into_bytes(), prompt: None });
                out.push(FromEngine::Edit(tty.0, path));
            }
            if gone && drained {
                self.session.drop_terminal(tty);
                out.push(FromEngine::Closed(tty.0));
                self.class_terminal_ended(tty, out);
            }
        }
    }

    /// Says whether the deferred module is loaded.
    pub const fn set_complete(&mut self, complete: bool) {
        self.frame.dirty |= self.frame.maker.set_complete(complete);
    }

    /// Sends a frame if the page has drawn the last one and something has changed.
    fn send_frame(&mut self, out: &mut Vec<FromEngine>) {
        let second = self.session.world().now.secs();
        let due = self.frame.dirty || second != self.frame.second;
        if !self.frame.acked || !due || self.frame.hold > 0 {
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
        picture.past = self.session.shows_past();
        let line = |user: &String| self.frame.maker.line(&self.session, user, self.travel.goal);
        picture.line = self.subscription.line.as_ref().and_then(line);
        self.frame.dirty = self.frame.maker.is_behind();
        picture.behind = self.clock.behind();
        out.push(FromEngine::Frame(Box::new(picture)));
    }
}

pub fn bound(out: &mut Vec<FromEngine>, text: String) {
    out.push(FromEngine::Notice(UserNotice::Bound(text)));
}
