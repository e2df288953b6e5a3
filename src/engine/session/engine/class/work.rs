//! What a teacher's tab knows about the work of each participant: commands that failed, and jobs.
//!
//! Every tab computes the whole world, so the counts come from there. Whether a command failed is known only when its
//! shell asks for the next one; that moment is looked for here, without a change to the world.

use super::RunningSession;
use crate::session::recorded::Session;
use base::ids::Uid;
use base::state::JobState;
use host::tty::TtyId;
use protocol::class::ClassWork;
use shell::Prompt;
use std::collections::BTreeMap;

/// Maximum number of job records that are counted, the newest first.
const MAX_RECORDS: usize = 50_000;
/// The status of a command that the user interrupted. That is no failure.
const INTERRUPTED: u8 = 130;

/// The work of all participants, in a teacher's tab.
#[derive(Debug, Default)]
pub struct WorkTracker {
    /// Login names by seat.
    users: BTreeMap<u32, String>,
    /// Terminals with a command whose status is not known yet, and their seats.
    typed: BTreeMap<TtyId, u32>,
    commands: BTreeMap<u32, CommandCounts>,
    /// Milliseconds of real time that this tab has seen.
    real: u64,
}

/// The commands of a participant.
#[derive(Clone, Copy, Debug, Default)]
struct CommandCounts {
    all: u32,
    /// Failures since the last success.
    failures: u32,
    /// All failures.
    failed: u32,
    /// When the last success was, or else the first command.
    since: u64,
}

impl WorkTracker {
    /// Real time passes.
    pub const fn tick(&mut self, millis: u32) {
        self.real = self.real.saturating_add(millis as u64);
    }

    /// Milliseconds of real time that this tab has seen, and the commands of a seat that have failed.
    pub fn counts(&self, seat: u32) -> (u64, u32) {
        (self.real, self.commands.get(&seat).map_or(0, |counts| counts.failed))
    }

    /// A participant got a user.
    pub fn enrol(&mut self, seat: u32, user: &str) {
        self.users.insert(seat, user.to_owned());
    }

    /// A seat is about to type into a terminal.
    pub fn types(&mut self, session: &Session, tty: TtyId, seat: u32, bytes: &[u8]) {
        self.look_at(session, tty);
        let line = bytes.contains(&b'\n') && !bytes.trim_ascii().is_empty();
        // A program reads this line, or it waits behind another command.
        if line && matches!(session.prompt(tty), Prompt::Ready(_)) {
            self.typed.insert(tty, seat);
        }
    }

    /// Counts the command of a terminal if it has ended.
    fn look_at(&mut self, session: &Session, tty: TtyId) {
        let Some(seat) = self.typed.get(&tty).copied() else { return };
        let world = session.world();
        let Some((_, shell)) = world.front_shell(tty).filter(|_| world.logged_in(tty)) else {
            self.typed.remove(&tty);
            return;
        };
        if !matches!(session.prompt(tty), Prompt::Ready(_)) {
            return;
        }
        self.typed.remove(&tty);
        let status = shell.status();
        let counts = self
            .commands
            .entry(seat)
            .or_insert(CommandCounts { since: self.real, ..CommandCounts::default() });
        counts.all = counts.all.saturating_add(1);
        match status {
            0 => (counts.failures, counts.since) = (0, self.real),
            INTERRUPTED => {}
            _ => {
                counts.failures = counts.failures.saturating_add(1);
                counts.failed = counts.failed.saturating_add(1);
            }
        }
    }

    /// Counts the commands that have ended.
    fn look(&mut self, session: &Session) {
        let ttys: Vec<TtyId> = self.typed.keys().copied().collect();
        ttys.into_iter().for_each(|tty| self.look_at(session, tty));
    }

    /// The work of each participant.
    fn report(&self, session: &Session) -> Vec<ClassWork> {
        let world = session.world();
        let mut jobs: BTreeMap<Uid, ClassWork> = BTreeMap::new();
        for record in world.ctld.dbd.jobs.values().rev().take(MAX_RECORDS) {
            let work = jobs.entry(record.uid).or_default();
            let slot = match record.state {
                JobState::Pending => &mut work.pending,
                JobState::Running | JobState::Suspended => &mut work.running,
                JobState::Complete => &mut work.completed,
                JobState::Cancelled | JobState::Preempted => &mut work.cancelled,
                JobState::Failed
                | JobState::Timeout
                | JobState::NodeFail
                | JobState::BootFail
                | JobState::Deadline
                | JobState::OutOfMemory => &mut work.failed,
            };
            *slot = slot.saturating_add(1);
        }
        let one = |(seat, user): (&u32, &String)| {
            let uid = world.kernel.users.by_name(user).map(|user| user.uid);
            let counts = self.commands.get(seat);
            ClassWork {
                seat: *seat,
                commands: counts.map_or(0, |c| c.all),
                failures: counts.map_or(0, |c| c.failures),
                quiet: counts.map(|c| u32::try_from((self.real - c.since) / 1000).unwrap_or(u32::MAX)),
                ..uid.and_then(|uid| jobs.remove(&uid)).unwrap_or_default()
            }
        };
        self.users.iter().map(one).collect()
    }
}

impl RunningSession {
    /// The work of all participants; none in a participant's tab.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn class_work(&mut self) -> Vec<ClassWork> {
        let Some(work) = self.class.as_mut().and_then(|class| class.work.as_mut()) else { return Vec::new() };
        work.look(&self.session);
        let mut report = work.report(&self.session);
        self.add_steps(&mut report);
        report
    }
}
