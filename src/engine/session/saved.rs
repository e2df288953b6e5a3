//! A serialised session: a header with a checksum, the start and the journal, then the latest state. The state
//! is packed in steps ([`SessionWriter`]), so that a long history does not block the engine.
//!
//! The bytes are untrusted (browser storage, a download). The checksum detects accidental damage. The state is
//! used only if it has the hash stored next to it.

use super::branches::{BranchOrigin, PackedBranch};
use super::journal::JournalEntry;
use super::screen::Screen;
use super::track::Track;
use crate::world::{World, WorldWriter};
use base::hash::{self, fnv1a};
use base::pack::{self, Packed};
use base::time::Time;
use config::SiteFiles;
use host::tty::TtyId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"sandbatc";
/// Version of the layout. A state of another version is ignored and rebuilt from the journal.
const FORMAT: u32 = 10;
/// The oldest version with the present layout of header, start, journal and branches.
const OLDEST: u32 = 6;
/// Magic, version, checksum, and the length of the part before the state.
const HEADER: usize = 28;
/// Maximum size of a saved session and of a world, in bytes.
pub const MAX_SAVED: usize = 512 << 20;

/// The contents of a saved session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedSession {
    /// The program's version.
    pub engine: String,
    /// The site's name.
    pub site: String,
    /// The site's files by name, with the hash of each.
    pub files: BTreeMap<String, u64>,
    /// The seed.
    pub seed: u64,
    /// Virtual time at the start.
    pub start: Time,
    /// The journal.
    pub entries: Vec<JournalEntry>,
    /// The journal does not reach back to the start.
    pub cut: bool,
    /// The latest state.
    pub latest: Latest,
    /// The origin of the current branch.
    pub origin: BranchOrigin,
    /// The other branches.
    pub others: Vec<Arc<PackedBranch>>,
}

/// A packed state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// Number of events before it.
    pub step: u64,
    /// Number of the last input before it.
    pub seq: u64,
    /// Its hash.
    pub hash: u64,
    /// The world, packed.
    pub world: Vec<u8>,
    /// Its terminals.
    pub screens: BTreeMap<TtyId, Screen>,
    /// The version of its layout, if that is an earlier one.
    #[serde(skip)]
    pub outdated: Option<u32>,
}

/// Why a state cannot be used, and its position, if the bytes still contain that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// See [`Latest::outdated`].
    pub outdated: Option<u32>,
    /// See [`Latest::step`].
    pub step: u64,
    /// See [`Latest::seq`].
    pub seq: u64,
    /// See [`Latest::hash`].
    pub hash: u64,
    /// Its virtual time.
    pub now: Option<Time>,
}

impl Latest {
    /// All of a track's state except its world.
    #[must_use]
    pub fn without_world(track: &Track) -> Self {
        let screens = track.screens.clone();
        Self { step: track.step, seq: track.seq, hash: 0, world: Vec::new(), screens, outdated: None }
    }

    /// Restores the state, if it has the present layout, matches its hash and is consistent.
    ///
    /// # Errors
    /// What is known about a state that cannot be used.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn revive(self) -> Result<Track, Unusable> {
        let Self { outdated, step, seq, hash, .. } = self;
        let mut unusable = Unusable { outdated, step, seq, hash, now: None };
        let bytes = pack::unpack(&self.world, MAX_SAVED).ok_or(unusable)?;
        // A world begins with its clock in every layout.
        unusable.now = postcard::take_from_bytes(&bytes).ok().map(|(now, _)| now);
        if self.outdated.is_some() {
            return Err(unusable);
        }
        let world = World::from_bytes(&bytes).ok_or(unusable)?;
        // Frees the bytes early: with a long history, they and the world take much memory.
        drop(bytes);
        if world.hash() != self.hash || world.sound().is_err() {
            return Err(unusable);
        }
        Ok(Track { step: self.step, seq: self.seq, screens: self.screens, ..Track::new(world) })
    }
}

/// Why bytes are not a valid session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They do not begin like a saved session.
    NotASession,
    /// They use the layout of another version.
    Version(u32),
    /// They are changed or incomplete.
    Damaged,
    /// They belong to another site.
    OtherSite(String),
    /// The state cannot be used and the journal does not reach back to the start.
    NoWayBack,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASession => f.write_str("this is not a saved session"),
            Self::Version(v) => {
                write!(f, "the session was saved in format {v}; this program reads formats {OLDEST} to {FORMAT}")
            }
            Self::Damaged => f.write_str("the saved session is damaged or incomplete"),
            Self::OtherSite(site) => write!(f, "the saved session belongs to the site {site}"),
            Self::NoWayBack => f.write_str(
                "the state was saved by another version of the program, and the journal does not reach back to the start",
            ),
        }
    }
}

/// Names and hashes of a site's files.
#[must_use]
pub fn file_hashes(files: &SiteFiles) -> BTreeMap<String, u64> {
    files.0.iter().map(|(name, text)| (name.clone(), fnv1a(text.as_bytes()))).collect()
}

impl SavedSession {
    /// Encodes the session. The state comes last, unchanged: its checksum was computed when it was packed.
    fn encode(mut self, sum_of_world: u64) -> Vec<u8> {
        let world = std::mem::take(&mut self.latest.world);
        // Serialising plain data into memory does not fail. An empty result would be refused by the reader.
        let head = postcard::to_allocvec(&self).unwrap_or_default();
        let sum = hash::more(sum_of_world, &head);
        let mut bytes = Vec::with_capacity(HEADER + head.len() + world.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes.extend_from_slice(&(head.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&head);
        bytes.extend_from_slice(&world);
        bytes
    }

    /// Decodes a session.
    ///
    /// # Errors
    /// The bytes cannot be used.
    pub fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(Unreadable::NotASession) };
        let Some((format, rest)) = rest.split_first_chunk::<4>() else { return Err(Unreadable::Damaged) };
        let format = u32::from_le_bytes(*format);
        if !(OLDEST..=FORMAT).contains(&format) {
            return Err(Unreadable::Version(format));
        }
        let Some((sum, rest)) = rest.split_first_chunk::<8>() else { return Err(Unreadable::Damaged) };
        let Some((long, body)) = rest.split_first_chunk::<8>() else { return Err(Unreadable::Damaged) };
        let long = usize::try_from(u64::from_le_bytes(*long)).unwrap_or(usize::MAX);
        let Some((head, world)) = body.split_at_checked(long) else { return Err(Unreadable::Damaged) };
        if body.len() > MAX_SAVED || hash::more(fnv1a(world), head) != u64::from_le_bytes(*sum) {
            return Err(Unreadable::Damaged);
        }
        match postcard::take_from_bytes::<Self>(head) {
            Ok((mut saved, [])) => {
                saved.latest.world = world.to_vec();
                if format != FORMAT {
                    saved.outdate(format);
                }
                Ok(saved)
            }
            Ok(_) | Err(_) => Err(Unreadable::Damaged),
        }
    }
}

impl SavedSession {
    /// Drops what has no meaning in another layout: hashes, and the states of other branches.
    fn outdate(&mut self, format: u32) {
        self.latest.outdated = Some(format);
        self.entries.iter_mut().for_each(|entry| entry.hash = None);
        for other in &mut self.others {
            let other = Arc::make_mut(other);
            other.latest.world.clear();
            other.entries.iter_mut().for_each(|entry| entry.hash = None);
        }
    }
}

/// Writes a session as it was at one moment, in steps, while the session continues.
#[derive(Clone, Debug)]
pub struct SessionWriter {
    saved: SavedSession,
    pieces: WorldWriter,
}

impl SessionWriter {
    /// Starts writing. The state of `saved` is packed by the steps.
    #[must_use]
    pub const fn new(saved: SavedSession, pieces: WorldWriter) -> Self {
        Self { saved, pieces }
    }

    /// Does a step of about a millisecond. False when complete.
    pub fn step(&mut self) -> bool {
        self.pieces.step()
    }

    /// The last input that it contains.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.saved.entries.last().map_or(self.saved.latest.seq, |entry| entry.seq)
    }

    /// Completes all remaining steps and returns the bytes.
    #[must_use]
    pub fn finish(self) -> Vec<u8> {
        let Self { mut saved, pieces } = self;
        let Packed { hash, bytes, sum } = pieces.finish();
        (saved.latest.hash, saved.latest.world) = (hash, bytes);
        saved.encode(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Input;

    fn saved() -> SavedSession {
        let input = Input::Type(TtyId(1), b"squeue\n".to_vec());
        SavedSession {
            engine: "0.1.0".into(),
            site: "inserm".into(),
            files: file_hashes(&SiteFiles([("slurm.conf".into(), "ClusterName=x".into())].into())),
            seed: 7,
            start: Time::from_secs(100),
            entries: vec![JournalEntry {
                seq: 1,
                time: Time::from_secs(101),
                step: 12,
                input,
                hash: Some(3),
            }],
            cut: false,
            latest: Latest {
                step: 20,
                seq: 1,
                hash: 5,
                world: vec![1, 2, 3],
                screens: BTreeMap::new(),
                outdated: None,
            },
            origin: BranchOrigin { id: 1, from: Time::from_secs(100), seq: 0 },
            others: Vec::new(),
        }
    }

    fn encoded() -> Vec<u8> {
        saved().encode(fnv1a(&saved().latest.world))
    }

    #[test]
    fn round_trip() {
        assert_eq!(SavedSession::decode(&encoded()), Ok(saved()));
    }

    #[test]
    fn every_damage_is_detected() {
        let bytes = encoded();
        for i in 0..bytes.len() {
            assert!(SavedSession::decode(&bytes[..i]).is_err(), "cut at {i}");
            let mut bad = bytes.clone();
            bad[i] ^= 0x10;
            assert!(SavedSession::decode(&bad).is_err(), "bit at {i}");
        }
        assert_eq!(SavedSession::decode(b"hello"), Err(Unreadable::NotASession));
        let mut newer = bytes;
        newer[8..12].copy_from_slice(&(FORMAT + 1).to_le_bytes());
        assert_eq!(SavedSession::decode(&newer), Err(Unreadable::Version(FORMAT + 1)));
    }

    #[test]
    fn an_older_layout_keeps_its_journal() {
        let mut bytes = encoded();
        bytes[8] = 6;
        let old = SavedSession::decode(&bytes).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!((old.entries.len(), old.entries[0].hash), (1, None));
        assert_eq!(old.latest.outdated, Some(6));
        bytes[8] = 5;
        assert_eq!(SavedSession::decode(&bytes), Err(Unreadable::Version(5)));
    }

    #[test]
    fn a_world_begins_with_its_clock() {
        let now = Time::from_secs(1_772_442_000);
        let (world, _) = World::new("x", &SiteFiles::default(), 1, now);
        let bytes =
            pack::unpack(&WorldWriter::new(&world, true).finish().bytes, MAX_SAVED).unwrap_or_default();
        assert_eq!(postcard::take_from_bytes::<Time>(&bytes).map(|(now, _)| now), Ok(now));
    }

    #[test]
    fn a_correct_checksum_over_nonsense_is_no_session() {
        for body in [vec![], vec![0xff; 64], vec![0; 500]] {
            let mut bytes = MAGIC.to_vec();
            bytes.extend_from_slice(&FORMAT.to_le_bytes());
            bytes.extend_from_slice(&hash::more(fnv1a(&[]), &body).to_le_bytes());
            bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&body);
            assert_eq!(SavedSession::decode(&bytes), Err(Unreadable::Damaged));
        }
    }
}
