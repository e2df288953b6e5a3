//! The share of a class's participant: what all processes of one user may make the others compute.
//!
//! Every tab of a class computes the same world, so a participant who starts programs without a pause costs everyone. Each start
//! of a process and each slice that [`super::processes`] leaves free counts against the share. Commands that are typed and
//! short scripts stay below it and take no time. Beyond it, the participant's processes wait for each other in virtual time.
//! Users of a site have no share: a session without a class is as it was.

use super::World;
use base::ids::{Pid, Uid};
use base::time::{Span, Time};
use host::Wait;
use serde::{Deserialize, Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};

/// The start of a process counts as this many slices.
const START_SLICES: u32 = 10;
/// Microseconds after which a slice no longer counts: in the long run, a participant gets 500 slices per second.
const REPLENISH: i64 = 2_000;
/// What is free: 500 slices, about 35 short programs.
const FREE: Span = Span(500 * REPLENISH);
/// What follows at the cost of a real shell, in the first second or so: 5,000 slices, about 350 short programs.
const REAL: Span = Span(5_500 * REPLENISH);
/// The cost of such a slice, in microseconds. Beyond, a slice costs [`REPLENISH`].
const REAL_COST: i64 = 200;
/// A process waits for its cost when it is at least this, so that not every slice leads to a wait.
const PAYS: Span = Span(3_000);

/// The shares of all participants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Shares {
    by_user: BTreeMap<Uid, ParticipantShare>,
    /// Processes that wait for their cost before what they really wait for.
    paying: BTreeSet<Pid>,
}

impl Shares {
    /// Whether there are no participants.
    pub(super) fn is_empty(&self) -> bool {
        self.by_user.is_empty()
    }

    /// A process has ended.
    pub(super) fn forget(&mut self, pid: Pid) {
        self.paying.remove(&pid);
    }
}

/// The share of a participant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ParticipantShare {
    /// When everything that counts now will no longer count.
    counts_until: Time,
    /// The end of the costs so far: the next cost begins then.
    costs_until: Time,
}

impl ParticipantShare {
    /// Counts slices. Returns the moment for which the process has to wait.
    fn count(&mut self, slices: u32, now: Time) -> Option<Time> {
        let slices = i64::from(slices);
        self.counts_until = self.counts_until.max(now) + Span(slices.saturating_mul(REPLENISH));
        let cost = match self.counts_until - now {
            level if level <= FREE => 0,
            level if level <= REAL => REAL_COST,
            _ => REPLENISH,
        };
        self.costs_until = self.costs_until.max(now) + Span(slices.saturating_mul(cost));
        (self.costs_until - now >= PAYS).then_some(self.costs_until)
    }
}

/// Writes nothing for a world without participants: such a world has the bytes that it had before there were shares.
pub(super) fn write_if_any<S: Serializer>(shares: &Shares, to: S) -> Result<S::Ok, S::Error> {
    if shares.is_empty() { to.serialize_unit() } else { shares.serialize(to) }
}

impl World {
    /// The user becomes a participant of a class.
    pub(super) fn add_participant(&mut self, uid: Uid) {
        self.shares.by_user.insert(uid, ParticipantShare::default());
    }

    /// Counts slices of a process against the share of its user, if that is a participant. Returns the moment for which the
    /// process has to wait.
    pub(super) fn count_slices(&mut self, pid: Pid, slices: u32) -> Option<Time> {
        if self.shares.is_empty() {
            return None;
        }
        let uid = self.kernel.process(pid)?.origin.uid;
        self.shares.by_user.get_mut(&uid)?.count(slices, self.now)
    }

    /// Counts the start of a process or of another program in it, which may have to wait.
    pub(super) fn count_start(&mut self, pid: Pid) {
        if let Some(due) = self.count_slices(pid, START_SLICES) {
            // One that sleeps already, or is not the last of several, runs as it is. Its next slices wait.
            self.kernel.delay_until(pid, due);
        }
    }

    /// Counts a slice after which a process waits. Returns what to wait for instead. The process then looks again; that slice
    /// is not counted, because a process must not use the share while it waits for a long time.
    pub(super) fn count_wait(&mut self, pid: Pid, wait: &Wait) -> Option<Wait> {
        if self.shares.paying.remove(&pid) {
            return None;
        }
        let due = self.count_slices(pid, 1)?;
        match wait {
            Wait::Child | Wait::Readable(_) | Wait::Writable(_) => {
                self.shares.paying.insert(pid);
                Some(Wait::Until(due))
            }
            // These end at a moment of their own. The cost is left for the next slice.
            Wait::Until(_) | Wait::Wakeup | Wait::Watched | Wait::Any(_) => None,
        }
    }

    /// The other processes of a class's participant that do not pause: their slices, and their number. Everyone in a class
    /// computes the same world, so all processes of a participant together get what one process of another user gets.
    pub(super) fn burning_beside(&self, pid: Pid) -> (u32, u32) {
        let owner = |pid: Pid| self.kernel.process(pid).map(|process| process.origin.uid);
        let Some(user) = owner(pid).and_then(|uid| self.kernel.users.by_uid(uid)) else { return (0, 0) };
        // Participants are added to the users of a site.
        if user.uid == Uid(0) || self.site.users.iter().any(|of_site| of_site.name == user.name) {
            return (0, 0);
        }
        let others =
            self.burning.iter().filter(|(other, _)| **other != pid && owner(**other) == Some(user.uid));
        others.fold((0, 0), |(slices, count): (u32, u32), (_, burnt)| {
            (slices.saturating_add(*burnt), count + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::writer::WorldWriter;
    use crate::world::{Input, InputResult};
    use config::sites;

    fn world() -> World {
        let files = sites::built_in("lab").expect("a site");
        World::new("lab", &files, 1, Time::from_secs(1_772_442_000)).0
    }

    fn bytes(world: &World) -> Vec<u8> {
        let packed = WorldWriter::new(world, true).finish();
        base::pack::unpack(&packed.bytes, 1 << 30).expect("packed bytes")
    }

    fn run(world: &mut World, user: &str, command: &str, millis: i64) {
        world.apply(&Input::Run { user: user.into(), command: command.into() });
        let until = world.now + Span::from_millis(millis);
        while world.step(until) {}
    }

    #[test]
    fn a_share_is_kept_in_the_bytes_of_a_world() {
        let mut class = world();
        assert_eq!(class.apply(&Input::Enrol("eve".into())), InputResult::Done);
        run(&mut class, "eve", "while :; do /bin/true; done", 3_000);
        let saved = bytes(&class);
        let mut back = World::from_bytes(&saved).expect("the world");
        assert_eq!((back.hash(), &back.shares), (class.hash(), &class.shares));
        for world in [&mut class, &mut back] {
            run(world, "eve", "squeue", 3_000);
        }
        assert_eq!(back.hash(), class.hash(), "both go on alike");
        let more = [saved.as_slice(), &[0]].concat();
        assert!(World::from_bytes(&saved[..saved.len() - 1]).is_none() && World::from_bytes(&more).is_none());
    }

    /// Users of a site have no share, so nothing of it is in the bytes of a session without a class.
    #[test]
    fn users_of_a_site_have_no_share() {
        let mut alone = world();
        run(&mut alone, "alice", "for i in $(seq 200); do /bin/true; done; date +%s%N > times", 1_000);
        let before = Time::from_secs(1_772_442_000);
        let written = alone.kernel.fs.read(Uid(0), "/home/alice/times").expect("the end of the loop");
        let moment: i64 = String::from_utf8_lossy(&written).trim().parse().expect("a number");
        assert_eq!((moment / 1_000, alone.shares.is_empty()), (before.0, true), "it took no time");
        assert!(postcard::take_from_bytes::<World>(&bytes(&alone)).is_ok_and(|(_, rest)| rest.is_empty()));
    }

    #[test]
    fn a_rest_restores_a_share() {
        let (mut share, start) = (ParticipantShare::default(), Time::from_secs(1_000));
        assert_eq!(share.count(500, start), None, "free");
        let due = share.count(1_000, start).expect("a wait");
        assert_eq!(due - start, Span(1_000 * REAL_COST));
        assert_eq!(share.count(10_000, due).map(|at| at - due), Some(Span(10_000 * REPLENISH)));
        assert_eq!(share.count(500, due + Span::from_secs(60)), None, "free again");
    }
}
