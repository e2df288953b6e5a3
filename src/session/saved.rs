//! A session as bytes: a header with a checksum, then what started it and its journal, then its latest state. That is packed
//! piece by piece ([`Saving`]), so that a long history holds nothing up.
//!
//! The bytes may come from anywhere (a browser's storage, a download). The checksum stops what was damaged by
//! accident; the state that is in them counts only if it has the hash that stands beside it.

use super::futures::{Origin, Other};
use super::journal::Entry;
use super::screen::Screen;
use super::track::Track;
use crate::base::hash::{self, fnv1a};
use crate::base::pack::{self, Packed};
use crate::base::time::Time;
use crate::config::SiteFiles;
use crate::host::tty::TtyId;
use crate::world::{Pieces, World};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

const MAGIC: &[u8; 8] = b"sandbatc";
/// Version of the layout.
const FORMAT: u32 = 6;
/// Magic, layout, checksum, and the length of what stands before the state.
const HEADER: usize = 28;
/// Most bytes that are looked at, and that a world may have.
pub const MAX_SAVED: usize = 512 << 20;

/// What is saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
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
    pub entries: Vec<Entry>,
    /// It does not reach back to the start.
    pub cut: bool,
    /// The latest state.
    pub latest: Latest,
    /// Where the future comes from that is lived in ...
    pub origin: Origin,
    /// ... and the others.
    pub others: Vec<Arc<Other>>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Latest {
    /// Events by then.
    pub step: u64,
    /// Last input by then.
    pub seq: u64,
    /// Its hash.
    pub hash: u64,
    /// The world, packed.
    pub world: Vec<u8>,
    /// Its terminals.
    pub screens: BTreeMap<TtyId, Screen>,
}

impl Latest {
    /// All of a track's state but its world.
    #[must_use]
    pub fn without_world(track: &Track) -> Self {
        Self { step: track.step, seq: track.seq, hash: 0, world: Vec::new(), screens: track.screens.clone() }
    }

    /// The state as a track, if it is what its hash says and holds together.
    #[must_use]
    #[inline(never)] // Where the worker is cut in two (xtask).
    pub fn revive(self) -> Option<Track> {
        let bytes = pack::unpack(&self.world, MAX_SAVED)?;
        let world = World::from_bytes(&bytes)?;
        // A long history's bytes and its world are not kept side by side for longer than that.
        drop(bytes);
        if world.hash() != self.hash || world.sound().is_err() {
            return None;
        }
        Some(Track { world, step: self.step, seq: self.seq, screens: self.screens, bounds: Vec::new() })
    }
}

/// Why bytes are no session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// They do not begin as a saved session does.
    NotASession,
    /// Their layout is of another version of the program.
    Version(u32),
    /// They were changed or are incomplete.
    Damaged,
    /// They are of another site.
    OtherSite(String),
    /// The state cannot be used and the journal does not reach back to the start.
    NoWayBack,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASession => f.write_str("this is not a saved session"),
            Self::Version(v) => write!(f, "the session was saved in layout {v}; this program reads layout {FORMAT}"),
            Self::Damaged => f.write_str("the saved session is damaged or incomplete"),
            Self::OtherSite(site) => write!(f, "the saved session is of the site {site}"),
            Self::NoWayBack => f.write_str(
                "the saved state is of another version of the program, and the journal does not reach back to the start",
            ),
        }
    }
}

/// Names and hashes of a site's files.
#[must_use]
pub fn file_hashes(files: &SiteFiles) -> BTreeMap<String, u64> {
    files.0.iter().map(|(name, text)| (name.clone(), fnv1a(text.as_bytes()))).collect()
}

impl Saved {
    /// As bytes. The state stands last and as it is: it has its checksum from when it was packed.
    fn encode(mut self, sum_of_world: u64) -> Vec<u8> {
        let world = std::mem::take(&mut self.latest.world);
        // Serialising plain data into memory does not fail; nothing would be refused when read.
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

    /// From bytes.
    ///
    /// # Errors
    /// Why they cannot be used.
    pub fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(Unreadable::NotASession) };
        let Some((format, rest)) = rest.split_first_chunk::<4>() else { return Err(Unreadable::Damaged) };
        let format = u32::from_le_bytes(*format);
        if format != FORMAT {
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
                Ok(saved)
            }
            Ok(_) | Err(_) => Err(Unreadable::Damaged),
        }
    }
}

/// A session that is being saved, as it was at one moment, while it goes on.
#[derive(Clone, Debug)]
pub struct Saving {
    saved: Saved,
    pieces: Pieces,
}

impl Saving {
    /// Begins; the state of `saved` is packed on the way.
    #[must_use]
    pub const fn new(saved: Saved, pieces: Pieces) -> Self {
        Self { saved, pieces }
    }

    /// A bit of it, about a millisecond's; false when that was all.
    pub fn step(&mut self) -> bool {
        self.pieces.step()
    }

    /// The last input that is in it.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.saved.entries.last().map_or(self.saved.latest.seq, |entry| entry.seq)
    }

    /// The bytes, whatever of them is not made yet.
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

    fn saved() -> Saved {
        let input = Input::Type(TtyId(1), b"squeue\n".to_vec());
        Saved {
            engine: "0.1.0".into(),
            site: "inserm".into(),
            files: file_hashes(&SiteFiles([("slurm.conf".into(), "ClusterName=x".into())].into())),
            seed: 7,
            start: Time::from_secs(100),
            entries: vec![Entry { seq: 1, time: Time::from_secs(101), step: 12, input, hash: Some(3) }],
            cut: false,
            latest: Latest { step: 20, seq: 1, hash: 5, world: vec![1, 2, 3], screens: BTreeMap::new() },
            origin: Origin { id: 1, from: Time::from_secs(100), seq: 0 },
            others: Vec::new(),
        }
    }

    fn encoded() -> Vec<u8> {
        saved().encode(fnv1a(&saved().latest.world))
    }

    #[test]
    fn there_and_back() {
        assert_eq!(Saved::decode(&encoded()), Ok(saved()));
    }

    #[test]
    fn every_damage_is_found() {
        let bytes = encoded();
        for i in 0..bytes.len() {
            assert!(Saved::decode(&bytes[..i]).is_err(), "cut at {i}");
            let mut bad = bytes.clone();
            bad[i] ^= 0x10;
            assert!(Saved::decode(&bad).is_err(), "bit at {i}");
        }
        assert_eq!(Saved::decode(b"hello"), Err(Unreadable::NotASession));
        let mut newer = bytes;
        newer[8] = 9;
        assert_eq!(Saved::decode(&newer), Err(Unreadable::Version(9)));
    }

    #[test]
    fn a_right_checksum_over_nonsense_is_no_session() {
        for body in [vec![], vec![0xff; 64], vec![0; 500]] {
            let mut bytes = MAGIC.to_vec();
            bytes.extend_from_slice(&FORMAT.to_le_bytes());
            bytes.extend_from_slice(&hash::more(fnv1a(&[]), &body).to_le_bytes());
            bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&body);
            assert_eq!(Saved::decode(&bytes), Err(Unreadable::Damaged));
        }
    }
}
