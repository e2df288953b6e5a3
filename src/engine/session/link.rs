//! Links: the start of a session and its journal, packed small enough for a URL.
//!
//! ```text
//! magic (3)  format (1)  checksum (4)  deflated postcard
//! ```
//!
//! Format 4 appends the files of the site: for sites that are not built in, and for sessions that keep files which the
//! site had before. Formats 1 and 2 are the same with inputs in the encoding of [`super::old`].
//!
//! Opening a link replays its inputs. The hash of the last state shows whether the result is the same: a link
//! contains the engine's version, and another version may simulate differently. The bytes are untrusted, so
//! every size is bounded before memory is allocated, and so is the work of the replay.

use super::journal::{JournalEntry, checksum};
use super::old::OldLink;
use super::rebuild::ReplayGoal;
use super::recorded::{Session, Setup};
use super::resume::{LinkEnd, Resuming};
use super::saved::file_hashes;
use super::words;
use crate::world::Input;
use base::hash::fnv1a;
use base::time::{Span, Time};
use config::SiteFiles;
use protocol::{OWN_SITE, UserNotice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

const MAGIC: &[u8; 3] = b"sbl";
/// Version of the layout.
const FORMAT: u8 = 3;
/// The same with the site's files.
const WITH_FILES: u8 = 4;
/// The formats before the inputs were words, without and with the site's files.
const OLD: u8 = 1;
const OLD_WITH_FILES: u8 = 2;
const HEADER: usize = 8;
/// Maximum size of a link, in bytes.
pub const MAX_LINK: usize = 256 << 10;
/// Maximum size of its unpacked body, in bytes.
const MAX_BODY: usize = 4 << 20;
/// Maximum number of inputs.
const MAX_INPUTS: usize = 20_000;
/// Maximum size of the inputs' text. Longer journals can only be saved as a file.
const MAX_JOURNAL: u64 = 2 << 20;
/// Limit on the work of opening a link, see [`super::track::Track::run_to`].
const FUEL: u64 = 400_000;
/// Compression level.
const LEVEL: u8 = 9;

/// The contents of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The program's version.
    pub engine: String,
    /// The site's name.
    pub site: String,
    /// A hash over the site's files.
    files: u64,
    /// Amount of background jobs.
    pub background: String,
    /// The seed.
    pub seed: u64,
    /// Virtual time at the start.
    pub start: Time,
    /// The inputs.
    inputs: Vec<LinkInput>,
    /// The time and events from the last input to the linked moment, and the state's hash there.
    end: (Span, u64, u64),
    /// Completed steps of the lesson.
    pub passed: u32,
    /// The files of a custom site; other sites are built in.
    #[serde(skip)]
    own: BTreeMap<String, String>,
}

/// An input with the time and the number of events since the previous one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct LinkInput {
    later: Span,
    events: u64,
    #[serde(with = "words")]
    input: Input,
}

/// Why bytes are not a valid link, or a session cannot become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLink {
    /// They do not begin like a link.
    NotALink,
    /// They use the layout of another version.
    Version(u8),
    /// Something is missing or changed.
    Damaged,
    /// A bound is exceeded.
    TooLarge,
    /// The custom site's files are too large.
    OwnSite,
    /// The journal does not reach back to the start.
    NoWayBack,
}

impl fmt::Display for BadLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => f.write_str("this is not a link to a moment of a cluster"),
            Self::Version(v) => {
                write!(f, "the link has format {v}; this program reads formats {OLD} to {WITH_FILES}")
            }
            Self::Damaged => f.write_str("the link is damaged or incomplete"),
            Self::OwnSite => f.write_str("the files of this site are too large for a link"),
            Self::TooLarge => f.write_str("the session is too long for a link"),
            Self::NoWayBack => f.write_str("the journal no longer reaches back to the start"),
        }
    }
}

impl Link {
    /// A link to the moment that is shown.
    ///
    /// # Errors
    /// It cannot be a link.
    #[inline(never)]
    pub fn of(session: &Session, passed: u32) -> Result<Self, BadLink> {
        let (setup, journal) = (session.setup(), session.journal());
        if journal.is_cut() {
            return Err(BadLink::NoWayBack);
        }
        let seen = session.seen_seq();
        let entries: Vec<&JournalEntry> = journal.entries().iter().filter(|e| e.seq <= seen).collect();
        if entries.len() > MAX_INPUTS || journal.bytes() > MAX_JOURNAL {
            return Err(BadLink::TooLarge);
        }
        let (mut time, mut step) = (setup.start, 0);
        let mut later = |at: Time, by: u64| {
            let gap = (at - time, by.saturating_sub(step));
            (time, step) = (at, by);
            gap
        };
        let mut inputs = Vec::with_capacity(entries.len());
        for entry in entries {
            let (later, events) = later(entry.time, entry.step);
            inputs.push(LinkInput { later, events, input: entry.input.clone() });
        }
        let (span, steps) = later(session.world().now, session.seen_steps());
        Ok(Self {
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            site: setup.site.clone(),
            files: fingerprint(setup),
            background: setup.files.0.get("background").cloned().unwrap_or_default(),
            seed: setup.seed,
            start: setup.start,
            inputs,
            end: (span, steps, session.world().hash()),
            passed,
            own: own_files(setup, session.carries_site),
        })
    }

    /// Encodes the link.
    ///
    /// # Errors
    /// It is too large.
    #[inline(never)]
    pub fn encode(&self) -> Result<Vec<u8>, BadLink> {
        let mut body = postcard::to_allocvec(self).unwrap_or_default();
        if !self.own.is_empty() {
            body.extend(postcard::to_allocvec(&self.own).unwrap_or_default());
        }
        // Refuse to write what could not be read again.
        if body.len() > MAX_BODY {
            return Err(self.too_large());
        }
        let packed = miniz_oxide::deflate::compress_to_vec(&body, LEVEL);
        let mut bytes = Vec::with_capacity(HEADER + packed.len());
        bytes.extend_from_slice(MAGIC);
        bytes.push(if self.own.is_empty() { FORMAT } else { WITH_FILES });
        bytes.extend_from_slice(&checksum(&packed));
        bytes.extend_from_slice(&packed);
        if bytes.len() > MAX_LINK { Err(self.too_large()) } else { Ok(bytes) }
    }

    fn too_large(&self) -> BadLink {
        if self.own.is_empty() { BadLink::TooLarge } else { BadLink::OwnSite }
    }

    /// Decodes a link.
    ///
    /// # Errors
    /// The bytes are not a valid link.
    #[inline(never)]
    pub fn decode(bytes: &[u8]) -> Result<Self, BadLink> {
        if bytes.len() > MAX_LINK {
            return Err(BadLink::TooLarge);
        }
        let rest = bytes.strip_prefix(MAGIC).ok_or(BadLink::NotALink)?;
        let (format, rest) = rest.split_first().ok_or(BadLink::Damaged)?;
        if !(OLD..=WITH_FILES).contains(format) {
            return Err(BadLink::Version(*format));
        }
        let (sum, packed) = rest.split_first_chunk::<4>().ok_or(BadLink::Damaged)?;
        if *sum != checksum(packed) {
            return Err(BadLink::Damaged);
        }
        let body = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_BODY);
        let body = body.map_err(|_| BadLink::Damaged)?;
        let link = match *format {
            OLD | OLD_WITH_FILES => {
                postcard::take_from_bytes::<OldLink>(&body).map(|(old, rest)| (old.into(), rest))
            }
            _ => postcard::take_from_bytes::<Self>(&body),
        };
        let Ok((mut link, rest)) = link else { return Err(BadLink::Damaged) };
        let (own, rest) = match *format {
            OLD_WITH_FILES | WITH_FILES => postcard::take_from_bytes(rest).map_err(|_| BadLink::Damaged)?,
            _ => (BTreeMap::new(), rest),
        };
        if !rest.is_empty() {
            return Err(BadLink::Damaged);
        }
        link.own = own;
        if link.inputs.len() > MAX_INPUTS { Err(BadLink::TooLarge) } else { Ok(link) }
    }

    /// Applies the link to the start of a session: its background jobs, and its site if it contains one.
    pub fn bring(&self, setup: &mut Setup) {
        if !self.own.is_empty() {
            setup.site.clone_from(&self.site);
            setup.files = SiteFiles(self.own.clone());
        }
        if !self.background.is_empty() {
            setup.files.0.insert("background".to_owned(), self.background.clone());
        }
    }

    /// The session at the linked moment, and notices for the user. [`Self::opening`] does the same in steps.
    #[must_use]
    pub fn open(self, setup: Setup) -> (Session, Vec<UserNotice>) {
        self.opening(setup).complete()
    }

    /// Begins to open the link.
    #[must_use]
    #[inline(never)]
    pub fn opening(self, mut setup: Setup) -> Resuming {
        self.bring(&mut setup);
        (setup.seed, setup.start) = (self.seed, self.start);
        let other_site = fingerprint(&setup) != self.files;
        let (mut time, mut step) = (self.start, 0_u64);
        let mut entries = Vec::with_capacity(self.inputs.len());
        for (seq, LinkInput { later, events, input }) in (1..).zip(self.inputs) {
            (time, step) = (time + later, step.saturating_add(events));
            entries.push(JournalEntry { seq, time, step, input, hash: None });
        }
        let (span, steps, hash) = self.end;
        let goal =
            ReplayGoal { seq: u64::MAX, step: step.saturating_add(steps), hash, now: Some(time + span) };
        let carries_site = !self.own.is_empty() && !setup.site.starts_with(OWN_SITE);
        let end = LinkEnd { goal, engine: self.engine, other_site };
        Resuming::of_link(setup, entries, FUEL, end, carries_site)
    }
}

impl From<OldLink> for Link {
    fn from(old: OldLink) -> Self {
        let OldLink { engine, site, files, background, seed, start, inputs, end, passed } = old;
        let input = |(later, events, input): (Span, u64, super::old::OldInput)| LinkInput {
            later,
            events,
            input: input.into(),
        };
        let inputs = inputs.into_iter().map(input).collect();
        Self { engine, site, files, background, seed, start, inputs, end, passed, own: BTreeMap::new() }
    }
}

/// The files of a site that the reader does not have, without the `background` file, which has a field of its own.
fn own_files(setup: &Setup, carries_site: bool) -> BTreeMap<String, String> {
    if !carries_site && !setup.site.starts_with(OWN_SITE) {
        return BTreeMap::new();
    }
    let mut files = setup.files.0.clone();
    files.remove("background");
    files
}

/// A hash over a site's files.
fn fingerprint(setup: &Setup) -> u64 {
    fnv1a(&postcard::to_allocvec(&file_hashes(&setup.files)).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::InputResult;
    use host::tty::TtyId;

    fn setup() -> Setup {
        let files = config::sites::built_in("lab").unwrap_or_default();
        Setup { site: "lab".into(), files, seed: 3, start: Time::from_secs(1_772_442_000) }
    }

    /// A session in which a user has worked for a while, as in a lesson.
    fn worked() -> Session {
        let mut session = Session::new(setup());
        let login = session.apply(Input::Login { user: "alice".into(), columns: 80, rows: 24 });
        let tty = if let InputResult::Terminal(tty) = login { tty } else { TtyId(0) };
        let lines = [
            "sinfo",
            "sbatch first.sh",
            "squeue --me",
            "for i in 1 2 3; do sbatch -n $i --wrap 'sleep 60'; done",
        ];
        for (line, seconds) in lines.iter().cycle().take(40).zip([2, 30, 7, 90].into_iter().cycle()) {
            session.apply(Input::Type(tty, format!("{line}\n").into_bytes()));
            let until = session.world().now + Span::from_secs(seconds);
            session.run_until(until, 1_000_000);
        }
        session
    }

    #[test]
    fn link_round_trip() {
        let session = worked();
        let link = Link::of(&session, 2).and_then(|l| l.encode()).unwrap_or_default();
        assert!((50..1500).contains(&link.len()), "{} bytes", link.len());
        let (opened, notices) =
            Link::decode(&link).map(|l| l.open(setup())).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(notices, []);
        assert_eq!(opened.world().hash(), session.world().hash());
        assert_eq!(opened.world().now, session.world().now);
        // It continues like the original.
        let again = Link::of(&opened, 2).and_then(|l| l.encode()).unwrap_or_default();
        assert_eq!(again, link);
    }

    #[test]
    fn every_truncation_and_bit_flip_is_detected() {
        let session = Session::new(setup());
        let link = Link::of(&session, 0).and_then(|l| l.encode()).unwrap_or_default();
        for at in 0..link.len() {
            assert!(Link::decode(&link[..at]).is_err(), "cut at {at}");
            let mut bad = link.clone();
            bad[at] ^= 4;
            assert!(Link::decode(&bad).is_err(), "bit at {at}");
        }
        assert_eq!(Link::decode(b"<script>"), Err(BadLink::NotALink));
        assert_eq!(Link::decode(b"sbl\x09"), Err(BadLink::Version(9)));
        assert_eq!(Link::decode(&vec![b's'; MAX_LINK + 1]), Err(BadLink::TooLarge));
    }

    fn packed(body: &[u8]) -> Vec<u8> {
        let packed = miniz_oxide::deflate::compress_to_vec(body, LEVEL);
        [MAGIC.as_slice(), &[FORMAT], &checksum(&packed), &packed].concat()
    }

    #[test]
    fn hostile_links_are_bounded() {
        assert_eq!(Link::decode(&packed(&vec![0; 64 << 20])), Err(BadLink::Damaged));
        let session = Session::new(setup());
        let mut link = Link::of(&session, 0).unwrap_or_else(|e| panic!("{e}"));
        let endless = "while :; do :; done & while :; do :; done".to_owned();
        let input = Input::Run { user: "alice".into(), command: endless };
        link.inputs = vec![LinkInput { later: Span(0), events: 0, input }];
        link.end = (Span::from_secs(1 << 40), u64::MAX, 7);
        link.engine = "<b>9</b>".into();
        let (_, notices) = link.open(setup());
        assert!(matches!(notices.as_slice(), [UserNotice::Bound(_)]), "{notices:?}");
    }

    #[test]
    fn a_different_result_gives_a_notice() {
        let mut link = Link::of(&worked(), 0).unwrap_or_else(|e| panic!("{e}"));
        link.end.2 ^= 1;
        link.engine = "0.0.9<b>".into();
        let (_, notices) = link.open(setup());
        let [UserNotice::Session(text)] = notices.as_slice() else { panic!("{notices:?}") };
        assert!(text.contains("0.0.9b") && text.contains("not the same"), "{text}");
    }

    #[test]
    fn a_link_contains_a_custom_site() {
        let mut own = setup();
        own.site = format!("{OWN_SITE}mine");
        own.files.0.insert("background".into(), "off".into());
        let session = Session::new(own.clone());
        let link = Link::of(&session, 0).and_then(|l| l.encode()).unwrap_or_default();
        assert_eq!(link.get(3), Some(&WITH_FILES));
        let elsewhere = Setup { site: "lab".into(), files: SiteFiles::default(), ..own };
        let (opened, notices) =
            Link::decode(&link).map(|l| l.open(elsewhere)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(notices, []);
        assert_eq!(opened.world().hash(), session.world().hash());
        assert_eq!(opened.setup().site, "own-mine");
        for at in 0..link.len() {
            assert!(Link::decode(&link[..at]).is_err(), "cut at {at}");
        }
        let mut large = setup();
        large.site = format!("{OWN_SITE}large");
        large.files.0.insert("notes".into(), "x\n".repeat(MAX_BODY));
        let link = Link::of(&Session::new(large), 0).and_then(|l| l.encode());
        assert_eq!(link, Err(BadLink::OwnSite));
    }
}
