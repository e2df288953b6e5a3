//! A serialised session, in sections with checksums: its start, its site's files, its journal, its branches, and its
//! latest state. The state is packed in steps ([`SessionWriter`]), so that a long history does not block the engine.
//!
//! ```text
//! magic (8)  format (4)  sections
//! section: name (4)  length (8)  checksum (8)  bytes
//! ```
//!
//! `docs/formats.md` describes the sections. The bytes are untrusted (browser storage, a download). The checksums
//! detect accidental damage; what is not damaged is used. The state is used only if it has the hash stored next to it.

use super::branches::{BranchOrigin, PackedBranch};
use super::journal::JournalEntry;
use super::old;
use super::rebuild::Unusable;
use super::screen::Screen;
use super::sections::{
    SECTION_HEADER, add_section, pack_entries, read_sections, unpack_entries, unpack_site,
};
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
/// Version of the format. Raise it, and [`SAME_STATE`] to the same number, with every change of the saved state.
const FORMAT: u32 = 14;
/// The oldest format with the present layout of the state. An older state is rebuilt from the journal.
const SAME_STATE: u32 = 14;
/// The first format in sections. Earlier ones have one head and one checksum; see [`super::old`].
const SECTIONS: u32 = 11;
/// The oldest format that is read.
const OLDEST: u32 = 6;
/// Maximum size of a saved session and of a world, in bytes.
pub const MAX_SAVED: usize = 512 << 20;
/// The start of the session.
const HEAD: [u8; 4] = *b"head";
/// The site's files.
const SITE: [u8; 4] = *b"site";
/// The journal's entries, each after its length (4).
const JOURNAL: [u8; 4] = *b"jrnl";
/// The other branches.
const BRANCHES: [u8; 4] = *b"brch";
/// The position of the latest state, and its terminals.
const STATE: [u8; 4] = *b"stat";
/// Its world.
const WORLD: [u8; 4] = *b"wrld";

/// The contents of a saved session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedSession {
    /// The program's version.
    pub engine: String,
    /// The site's name.
    pub site: String,
    /// The site's files by name, with the hash of each.
    pub files: BTreeMap<String, u64>,
    /// The site's files, packed by [`pack_site`]. Missing in earlier formats and for a large site.
    pub own: Option<Arc<Vec<u8>>>,
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
    /// What is damaged: sentences.
    pub damage: Vec<String>,
    /// Entries that are missing at the end of the journal, because it is damaged there.
    pub lost: u64,
}

/// The section [`HEAD`]. Later versions may add fields at the end.
#[derive(Serialize, Deserialize)]
struct SessionHead {
    engine: String,
    site: String,
    files: BTreeMap<String, u64>,
    seed: u64,
    start: Time,
    cut: bool,
    /// The number of entries.
    entries: u64,
    origin: BranchOrigin,
}

/// The section [`STATE`]. Later versions may add fields at the end.
#[derive(Serialize, Deserialize)]
struct StateHead {
    step: u64,
    seq: u64,
    hash: u64,
    now: Option<Time>,
    screens: BTreeMap<TtyId, Screen>,
}

/// A packed state. Its serialised layout has been the same since format 6 ([`super::old`]).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Its virtual time, if that is known without the world.
    #[serde(skip)]
    pub now: Option<Time>,
}

impl Latest {
    /// All of a track's state except its world.
    #[must_use]
    pub fn without_world(track: &Track) -> Self {
        let screens = track.screens.clone();
        let now = Some(track.world.now);
        Self { step: track.step, seq: track.seq, hash: 0, world: Vec::new(), screens, outdated: None, now }
    }

    /// Restores the state, if it has the present layout, matches its hash and is consistent.
    ///
    /// # Errors
    /// What is known about a state that cannot be used.
    #[inline(never)] // A cut point of the deferred module (xtask).
    pub fn revive(self) -> Result<Track, Unusable> {
        let Self { outdated, step, seq, hash, now, .. } = self;
        let mut unusable = Unusable { outdated, step, seq, hash, now };
        let bytes = pack::unpack(&self.world, MAX_SAVED).ok_or(unusable)?;
        // A world begins with its clock in every layout.
        unusable.now = now.or_else(|| postcard::take_from_bytes(&bytes).ok().map(|(now, _)| now));
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
    /// There is no state before the input of this number.
    NoState(u64),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotASession => f.write_str("this is not a saved session"),
            Self::Version(v) => {
                write!(f, "the session was saved in format {v}; this program reads formats {OLDEST} to {FORMAT}")
            }
            Self::Damaged => f.write_str("the saved session is damaged or incomplete"),
            Self::NoState(seq) => write!(f, "the state before input {seq} is missing"),
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
    fn encode(self, sum_of_world: u64) -> Vec<u8> {
        let Self { engine, site, files, own, seed, start, entries, cut, latest, origin, others, .. } = self;
        let Latest { step, seq, hash, world, screens, outdated: _, now } = latest;
        let head =
            SessionHead { engine, site, files, seed, start, cut, entries: entries.len() as u64, origin };
        // Serialising plain data into memory does not fail. An empty result would be refused by the reader.
        let head = postcard::to_allocvec(&head).unwrap_or_default();
        let state = postcard::to_allocvec(&StateHead { step, seq, hash, now, screens }).unwrap_or_default();
        let journal = pack_entries(&entries);
        let others: Vec<&PackedBranch> = others.iter().map(|other| &**other).collect();
        let branches = postcard::to_allocvec(&others).unwrap_or_default();
        let site = own.as_ref().map_or(&[][..], |own| own.as_slice());
        let parts = [
            (HEAD, head.as_slice()),
            (SITE, site),
            (JOURNAL, journal.as_slice()),
            (BRANCHES, branches.as_slice()),
            (STATE, state.as_slice()),
        ];
        let size: usize = parts.iter().map(|(_, part)| SECTION_HEADER + part.len()).sum();
        let mut bytes = Vec::with_capacity(MAGIC.len() + 4 + size + SECTION_HEADER + world.len());
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&FORMAT.to_le_bytes());
        for (name, part) in parts {
            add_section(&mut bytes, name, part, fnv1a(part));
        }
        add_section(&mut bytes, WORLD, &world, sum_of_world);
        bytes
    }

    /// Decodes a session. What is damaged and can be done without is described in [`Self::damage`].
    ///
    /// # Errors
    /// The bytes cannot be used.
    pub fn decode(bytes: &[u8]) -> Result<Self, Unreadable> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Err(Unreadable::NotASession) };
        let Some((format, body)) = rest.split_first_chunk::<4>() else { return Err(Unreadable::Damaged) };
        let format = u32::from_le_bytes(*format);
        if !(OLDEST..=FORMAT).contains(&format) {
            return Err(Unreadable::Version(format));
        }
        if body.len() > MAX_SAVED {
            return Err(Unreadable::Damaged);
        }
        let saved = if format < SECTIONS { Self::of_one_head(body) } else { Self::of_sections(body) };
        let mut saved = saved.ok_or(Unreadable::Damaged)?;
        if format < SAME_STATE {
            saved.outdate(format);
        }
        Ok(saved)
    }

    /// Decodes what follows the number of a format before [`SECTIONS`]: a checksum, the length of the head, the head, and
    /// the state.
    fn of_one_head(bytes: &[u8]) -> Option<Self> {
        let (sum, rest) = bytes.split_first_chunk::<8>()?;
        let (long, body) = rest.split_first_chunk::<8>()?;
        let long = usize::try_from(u64::from_le_bytes(*long)).unwrap_or(usize::MAX);
        let (head, world) = body.split_at_checked(long)?;
        if hash::more(fnv1a(world), head) != u64::from_le_bytes(*sum) {
            return None;
        }
        let mut saved = old::session(head)?;
        saved.latest.world = world.to_vec();
        Some(saved)
    }

    /// Decodes sections. Unknown ones belong to a later version and are skipped.
    fn of_sections(bytes: &[u8]) -> Option<Self> {
        let found = read_sections(bytes);
        let section = |name: [u8; 4]| found.iter().find(|section| section.name == name);
        let whole =
            |name: [u8; 4]| section(name).filter(|section| section.whole).map(|section| section.bytes);
        let (head, _) = postcard::take_from_bytes::<SessionHead>(whole(HEAD)?).ok()?;
        let SessionHead { engine, site, files, seed, start, cut, entries: count, origin } = head;
        let mut damage = Vec::new();
        // Its entries have checksums of their own.
        let entries = section(JOURNAL).map_or(Vec::new(), |section| unpack_entries(section.bytes));
        let lost = count.saturating_sub(entries.len() as u64);
        if lost > 0 {
            let last = entries.last().map_or(0, |entry| entry.seq);
            damage.push(format!(
                "its journal is damaged after input {last}, and {lost} later inputs are missing"
            ));
        }
        let own = whole(SITE).filter(|own| !own.is_empty()).map(|own| Arc::new(own.to_vec()));
        if own.is_none() && section(SITE).is_none_or(|section| !section.whole) {
            damage.push("its copy of the site's files is damaged".to_owned());
        }
        let others =
            whole(BRANCHES).and_then(|bytes| postcard::from_bytes::<Vec<Arc<PackedBranch>>>(bytes).ok());
        if others.is_none() {
            damage.push("its other branches are damaged and missing".to_owned());
        }
        let state = whole(STATE).and_then(|bytes| postcard::take_from_bytes::<StateHead>(bytes).ok());
        let world = whole(WORLD).unwrap_or_default().to_vec();
        let latest = match state {
            Some((StateHead { step, seq, hash, now, screens }, _)) => {
                Latest { step, seq, hash, world, screens, outdated: None, now }
            }
            None => Latest::default(),
        };
        let others = others.unwrap_or_default();
        Some(Self {
            engine,
            site,
            files,
            own,
            seed,
            start,
            entries,
            cut,
            latest,
            origin,
            others,
            damage,
            lost,
        })
    }

    /// The session's own copy of its site's files.
    #[must_use]
    pub fn site_files(&self) -> Option<SiteFiles> {
        unpack_site(self.own.as_ref()?).filter(|files| file_hashes(files) == self.files)
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
    use super::super::sections::pack_site;
    use super::*;
    use crate::world::Input;

    fn saved() -> SavedSession {
        let input = Input::Type(TtyId(1), b"squeue\n".to_vec());
        SavedSession {
            engine: "0.1.0".into(),
            site: "inserm".into(),
            files: file_hashes(&files()),
            own: pack_site(&files()),
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
                now: Some(Time::from_secs(105)),
            },
            origin: BranchOrigin { id: 1, from: Time::from_secs(100), seq: 0 },
            others: Vec::new(),
            damage: Vec::new(),
            lost: 0,
        }
    }

    fn files() -> SiteFiles {
        SiteFiles([("slurm.conf".into(), "ClusterName=x".into())].into())
    }

    fn encoded() -> Vec<u8> {
        saved().encode(fnv1a(&saved().latest.world))
    }

    #[test]
    fn round_trip() {
        assert_eq!(SavedSession::decode(&encoded()), Ok(saved()));
        assert_eq!(saved().site_files(), Some(files()));
    }

    /// Damage is refused or reported, or it makes the state unusable. Everything else equals the saved session.
    #[test]
    fn every_damage_is_detected() {
        let bytes = encoded();
        let check = |bad: &[u8], what: &str| {
            let Ok(found) = SavedSession::decode(bad) else { return };
            let good = saved();
            let stateless = found.latest.world.is_empty() || found.latest.outdated.is_some();
            assert!(!found.damage.is_empty() || stateless || found == good, "{what}");
            assert_eq!((found.site.as_str(), found.seed), ("inserm", 7), "{what}");
            assert!(found.entries == good.entries || found.lost == 1, "{what}");
            assert!(found.own.is_none() || found.site_files() == Some(files()), "{what}");
        };
        for i in 0..bytes.len() {
            check(&bytes[..i], &format!("cut at {i}"));
            let mut bad = bytes.clone();
            bad[i] ^= 0x10;
            check(&bad, &format!("bit at {i}"));
        }
        assert_eq!(SavedSession::decode(b"hello"), Err(Unreadable::NotASession));
        let mut newer = bytes;
        newer[8..12].copy_from_slice(&(FORMAT + 1).to_le_bytes());
        assert_eq!(SavedSession::decode(&newer), Err(Unreadable::Version(FORMAT + 1)));
        newer[8..12].copy_from_slice(&5_u32.to_le_bytes());
        assert_eq!(SavedSession::decode(&newer), Err(Unreadable::Version(5)));
    }

    #[test]
    fn sections_of_later_versions_are_skipped() {
        let mut bytes = encoded();
        add_section(&mut bytes, *b"more", b"later", fnv1a(b"later"));
        assert_eq!(SavedSession::decode(&bytes), Ok(saved()));
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
            let mut bytes = [MAGIC.as_slice(), &FORMAT.to_le_bytes()].concat();
            add_section(&mut bytes, HEAD, &body, fnv1a(&body));
            // Zeros are an empty head.
            assert!(SavedSession::decode(&bytes).is_err() || body.len() == 500);
            let mut bytes = [MAGIC.as_slice(), &10_u32.to_le_bytes()].concat();
            bytes.extend_from_slice(&hash::more(fnv1a(&[]), &body).to_le_bytes());
            bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&body);
            assert_eq!(SavedSession::decode(&bytes), Err(Unreadable::Damaged));
        }
    }
}
