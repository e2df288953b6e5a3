//! An open class: its sequencer, its file, and the pending answers for its tabs.

use crate::file::{ClassFile, random_secret};
use crate::{OpenedClass, real_now};
use classroom::wire::{Farewell, FarewellNext, FromClassServer, Hello, ShownToAll, ToClassServer, Welcome};
use classroom::{ClassDecision, ClassDescription, Record, Sequencer};
use protocol::class::ClassLesson;
use protocol::{Micros, Pace};
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

/// Shortest pause between two moments at which all tabs learn what is new. A tab that sends something learns it at once.
const GATHER: Duration = Duration::from_millis(50);
/// Most answers that wait for a tab.
const MAX_MAIL: usize = 100;
/// Pause between two ticks of the class's clock.
const TICK: Duration = Duration::from_millis(100);
/// Ticks between two `fsync`s.
const SYNC: u32 = 10;
/// Ticks after which teachers' lists are looked at, also while the clock is paused.
const LISTS: u32 = 20;
/// Milliseconds between two lists of participants.
const PEOPLE: u64 = 2000;
/// The same after a hand or a name has changed.
const NOTED: u64 = 200;

/// An open class.
pub struct Classroom {
    state: Mutex<ClassroomState>,
    /// There is something that tabs may have to learn.
    news: Notify,
    /// Changes when the tabs look for it.
    changed: watch::Sender<u64>,
    began: Instant,
}

struct ClassroomState {
    class: Sequencer,
    file: ClassFile,
    mail: BTreeMap<u32, VecDeque<FromClassServer>>,
    visits: u64,
    /// Why the file cannot be written.
    trouble: Option<String>,
    /// Counts changes that teachers' lists show at once: hands and names.
    noted: u64,
}

/// What a tab has received so far.
#[derive(Clone, Debug)]
pub struct TabView {
    /// Its seat.
    pub seat: u32,
    /// Its connection.
    pub visit: u64,
    /// The number of its last entry.
    pub number: u64,
    until: Option<(Micros, Pace)>,
    /// When it got the list of participants, in milliseconds of the server.
    people: Option<u64>,
    /// [`ClassroomState::noted`] of that list.
    noted: u64,
    /// The teachers who look at its terminals.
    watched: Vec<String>,
    /// What all see.
    shown: Option<ShownToAll>,
}

impl Classroom {
    /// Opens a class in a directory.
    ///
    /// # Errors
    /// A sentence.
    pub fn open(
        class: &ClassDescription,
        lesson: Option<&ClassLesson>,
        state: &Path,
    ) -> Result<(Self, OpenedClass), String> {
        let (mut file, contents) = ClassFile::open(state, &class.name)?;
        let resumes = !contents.records.is_empty();
        let sequencer = if resumes {
            Sequencer::restore(&contents.records, 0)
                .map_err(|why| format!("{}: {why}", state.join(format!("{}.class", class.name)).display()))?
        } else {
            let mut fresh = Sequencer::new(class.clone(), random_secret()?, random_secret()?, 0)?;
            let chosen = lesson.map(|lesson| fresh.begin_with(lesson.clone())).transpose()?;
            let records: Vec<Record> = std::iter::once(fresh.first_record()).chain(chosen.clone()).collect();
            file.append(&records).map_err(|e| format!("{}: {e}", state.display()))?;
            chosen.iter().for_each(|record| fresh.apply(record));
            fresh
        };
        let (learner, teacher) = sequencer.secrets();
        let opened = OpenedClass {
            name: class.name.clone(),
            class: sequencer.class().clone(),
            learner,
            teacher,
            lesson: sequencer.lesson().0.map(|lesson| lesson.name.clone()),
            resumed: resumes.then(|| (sequencer.seats().len(), sequencer.last())),
            cut: contents.cut,
        };
        let state = ClassroomState {
            class: sequencer,
            file,
            mail: BTreeMap::new(),
            visits: 0,
            trouble: None,
            noted: 0,
        };
        let classroom = Self {
            state: Mutex::new(state),
            news: Notify::new(),
            changed: watch::Sender::new(0),
            began: real_now(),
        };
        Ok((classroom, opened))
    }

    /// Lets time pass, stores what was written and wakes the tabs, forever.
    pub async fn run(self: Arc<Self>) {
        tokio::join!(Arc::clone(&self).pass_time(), self.wake_tabs());
    }

    /// The first change after a pause wakes the tabs at once. Those that follow are gathered: with 100 tabs, waking each of them
    /// for each input costs more than everything else.
    async fn wake_tabs(&self) {
        loop {
            self.news.notified().await;
            self.changed.send_modify(|count| *count = count.wrapping_add(1));
            sleep(GATHER).await;
        }
    }

    async fn pass_time(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(TICK);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        for count in 1_u32.. {
            ticks.tick().await;
            self.tick(count.is_multiple_of(LISTS));
            if count.is_multiple_of(SYNC) {
                let classroom = Arc::clone(&self);
                // `fsync` blocks, so it has a thread of its own. A failure is kept in the classroom.
                let _ = tokio::task::spawn_blocking(move || classroom.sync()).await;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, ClassroomState> {
        // A panic while the lock was held aborts the program in release builds.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn real(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn announce(&self) {
        self.news.notify_one();
    }

    /// A receiver that is notified of changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn tick(&self, lists: bool) {
        let real = self.real();
        let mut state = self.lock();
        let before = state.class.time();
        let due = state.class.due(real);
        // Without a reservation the clock stops at what is reserved. The tabs hear of it with their next input.
        let _ = state.commit(due);
        state.class.tick(real);
        let changed = state.class.time() != before;
        drop(state);
        if changed || lists {
            self.announce();
        }
    }

    /// Makes sure that everything written is on the disk.
    ///
    /// # Errors
    /// It is not.
    pub fn sync(&self) -> Result<(), String> {
        let handle = self.lock().file.take_unsynced();
        let Some(handle) = handle else { return Ok(()) };
        handle.and_then(|file| file.sync_data()).map_err(|e| {
            let why = format!("the class cannot be stored: {e}");
            self.lock().trouble = Some(why.clone());
            why
        })
    }

    /// Removes the class's file.
    ///
    /// # Errors
    /// It is still there.
    pub fn forget(&self) -> Result<(), String> {
        self.lock().file.remove().map_err(|e| format!("the class's file cannot be removed: {e}"))
    }

    /// A tab greets.
    ///
    /// # Errors
    /// Why the connection ends.
    pub fn greet(&self, hello: &Hello) -> Result<(TabView, Welcome), Farewell> {
        let later = |why: String| Farewell { why, next: FarewellNext::Later };
        let fresh = random_secret().map_err(later)?;
        let mut state = self.lock();
        let (seat, decision) = state.class.greet(hello, fresh)?;
        state.commit(decision).map_err(later)?;
        state.visits += 1;
        let visit = state.visits;
        state.mail.remove(&seat);
        let welcome =
            state.class.take_seat(seat, visit).ok_or_else(|| later("There is no such seat.".to_owned()))?;
        if state.class.has_hand_up(seat) {
            state.post(seat, FromClassServer::Hand(true));
        }
        if state.class.lesson().0.is_some() {
            let lesson = state.class.lesson_message();
            state.post(seat, lesson);
        }
        drop(state);
        self.announce();
        let view = TabView {
            seat,
            visit,
            number: hello.have.number,
            until: None,
            people: None,
            noted: 0,
            watched: Vec::new(),
            shown: None,
        };
        Ok((view, welcome))
    }

    /// A tab sends a message.
    ///
    /// # Errors
    /// Why the connection ends.
    pub fn receive(&self, view: &TabView, message: ToClassServer, size: usize) -> Result<(), Farewell> {
        let real = self.real();
        let mut state = self.lock();
        if !state.class.holds(view.seat, view.visit) {
            return Err(state.no_seat(view.seat));
        }
        let token = if let ToClassServer::Request { token, .. } = &message { *token } else { 0 };
        state.noted += u64::from(matches!(message, ToClassServer::Hand { .. } | ToClassServer::Free(_)));
        let decision = state.class.receive(view.seat, message, size, real)?;
        let taught = decision.records.iter().any(|record| matches!(record, Record::Lesson(_)));
        match state.commit(decision) {
            Ok(()) if taught => {
                let lesson = state.class.lesson_message();
                state.post_to_all(&lesson);
            }
            Ok(()) => {}
            Err(why) => state.post(view.seat, FromClassServer::Refused { token, why }),
        }
        drop(state);
        self.announce();
        Ok(())
    }

    /// The next messages for a tab; empty if it has everything.
    ///
    /// # Errors
    /// Why the connection ends.
    pub fn next_for(&self, view: &mut TabView) -> Result<Vec<FromClassServer>, Farewell> {
        let real = self.real();
        let mut state = self.lock();
        if !state.class.holds(view.seat, view.visit) {
            return Err(state.no_seat(view.seat));
        }
        let mut messages: Vec<FromClassServer> = state.mail.remove(&view.seat).unwrap_or_default().into();
        let block = state.class.block_after(view.number);
        if let Some(last) = block.last() {
            view.number = last.number;
            messages.push(FromClassServer::Entries(block.to_vec()));
            // The time is sent with the last of them.
            if view.number < state.class.last() {
                return Ok(messages);
            }
        }
        let (until, pace) = state.class.time();
        if view.until != Some((until, pace)) {
            view.until = Some((until, pace));
            messages.push(FromClassServer::Until(until, pace));
        }
        let watched = state.class.watchers(view.seat);
        if view.watched != watched {
            view.watched.clone_from(&watched);
            messages.push(FromClassServer::Watched(watched));
        }
        if view.shown.as_ref() != state.class.shown() {
            view.shown = state.class.shown().cloned();
            messages.push(state.class.shown_message());
        }
        let teaches = state.class.seat(view.seat).is_some_and(|seat| seat.teacher);
        let pause = if view.noted == state.noted { PEOPLE } else { NOTED };
        if teaches && view.people.is_none_or(|at| real.saturating_sub(at) >= pause) {
            (view.people, view.noted) = (Some(real), state.noted);
            messages.push(FromClassServer::People(state.class.people(real)));
        }
        Ok(messages)
    }

    /// A connection has ended.
    pub fn leave(&self, view: &TabView) {
        self.lock().class.leave(view.seat, view.visit);
        // Those whose terminals it has looked at are told.
        self.announce();
    }

    /// Everything further goes to a full disk.
    #[cfg(test)]
    pub fn fill_disk(&self) {
        self.lock().file.fill();
    }
}

impl ClassroomState {
    /// Stores a decision, then applies it and posts its answers.
    fn commit(&mut self, decision: ClassDecision) -> Result<(), String> {
        if !decision.records.is_empty() {
            if let Err(error) = self.file.append(&decision.records) {
                let why = format!("The server cannot store the class: {error}. Tell your teacher.");
                self.trouble = Some(why.clone());
                return Err(why);
            }
            self.trouble = None;
        }
        for record in &decision.records {
            self.class.apply(record);
        }
        self.class.change_show(decision.show);
        for (seat, answer) in decision.answers {
            self.post(seat, answer);
        }
        Ok(())
    }

    /// Why a connection has no seat any more.
    fn no_seat(&self, seat: u32) -> Farewell {
        let why = if self.class.is_free(seat) {
            "Your teacher has freed this name. Reload the page to choose a name."
        } else {
            "This seat was opened in another tab."
        };
        Farewell { why: why.to_owned(), next: FarewellNext::Stop }
    }

    fn post_to_all(&mut self, answer: &FromClassServer) {
        let seats = self.class.seats().iter().filter(|seat| seat.visit.is_some());
        for seat in seats.map(|seat| seat.number).collect::<Vec<_>>() {
            self.post(seat, answer.clone());
        }
    }

    fn post(&mut self, seat: u32, answer: FromClassServer) {
        let mail = self.mail.entry(seat).or_default();
        if mail.len() >= MAX_MAIL {
            mail.pop_front();
        }
        mail.push_back(answer);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use classroom::wire::SeatClaim;
    use classroom::{AccountPlan, ClassMember, Secret};
    use protocol::class::ClassAction;

    fn class() -> ClassDescription {
        ClassDescription {
            name: "c".into(),
            site: "lab".into(),
            seed: 1,
            background: "off".into(),
            start: 1_000_000,
            plan: AccountPlan::Together,
            people: 5,
            taken: Vec::new(),
        }
    }

    fn greet(classroom: &Classroom, link: Secret, name: &str) -> Result<(TabView, Welcome), Farewell> {
        let ToClassServer::Hello(hello) = ClassMember::new(link, SeatClaim::New(name.into())).hello() else {
            panic!("a greeting")
        };
        classroom.greet(&hello)
    }

    #[test]
    fn a_full_disk_is_reported_and_changes_nothing() {
        let folder = std::env::temp_dir().join(format!("sandbatch-classroom-{}", std::process::id()));
        let (classroom, opened) = Classroom::open(&class(), None, &folder).expect("a class");
        assert!(Classroom::open(&class(), None, &folder).is_err(), "the file is locked");
        let (mut view, welcome) = greet(&classroom, opened.learner, "anna").expect("a seat");
        assert_eq!(welcome.last, 3);
        let told = classroom.next_for(&mut view).expect("messages");
        assert!(
            matches!(told.as_slice(), [FromClassServer::Entries(all), FromClassServer::Until(..)] if all.len() == 3)
        );
        assert_eq!(classroom.next_for(&mut view), Ok(Vec::new()), "it has everything");
        classroom.fill_disk();
        let request =
            |token| ToClassServer::Request { token, action: ClassAction::Type(1, b"ls\n".to_vec()) };
        assert_eq!(classroom.receive(&view, request(1), 10), Ok(()));
        let told = classroom.next_for(&mut view).expect("messages");
        let [FromClassServer::Refused { token: 1, why }] = told.as_slice() else { panic!("{told:?}") };
        assert!(why.contains("cannot store the class: No space left on device"), "{why}");
        let full = greet(&classroom, opened.learner, "bert").expect_err("no seat");
        assert!(full.next == FarewellNext::Later && full.why.contains("No space left"), "{full:?}");
        drop(classroom);
        // The stored entries are there again.
        let (classroom, again) = Classroom::open(&class(), None, &folder).expect("the class");
        assert_eq!((again.resumed, again.cut, again.learner), (Some((1, 3)), 0, opened.learner));
        assert!(greet(&classroom, opened.learner, "bert").is_ok());
        // A connection that lost its seat to another tab is told.
        assert_eq!(classroom.next_for(&mut view).map_err(|f| f.next), Err(FarewellNext::Stop));
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
