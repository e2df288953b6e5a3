//! A moment as a link: what a session started from and its journal, packed small enough for an address.
//!
//! ```text
//! magic (3)  format (1)  checksum (4)  deflated postcard
//! ```
//!
//! Format 2 has the files of the site behind the rest: of a site that did not come with the program.
//!
//! Whoever opens one replays its inputs. The hash of the last state says whether the same came out: a link carries the
//! engine's version, and another version may simulate otherwise. The bytes come from anywhere, so every size is bounded
//! before anything is made of it, and so is the work of the replay.

use super::journal::Entry;
use super::recorded::{Session, Setup};
use super::saved::file_hashes;
use crate::base::hash::fnv1a;
use crate::base::time::{Span, Time};
use crate::config::SiteFiles;
use crate::protocol::{Notice, OWN_SITE};
use crate::world::Input;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

const MAGIC: &[u8; 3] = b"sbl";
/// Version of the layout.
const FORMAT: u8 = 1;
/// The same, with the site's files.
const WITH_FILES: u8 = 2;
const HEADER: usize = 8;
/// Most bytes of a link.
pub const MAX_LINK: usize = 256 << 10;
/// Most bytes of it unpacked.
const MAX_BODY: usize = 4 << 20;
/// Most inputs.
const MAX_INPUTS: usize = 20_000;
/// Most bytes of inputs that are kept for a link; a longer journal is one for a file.
const MAX_JOURNAL: u64 = 2 << 20;
/// Events that opening one may carry out.
const FUEL: u64 = 400_000;
/// Events between two looks whether somebody only burns time ...
const CHUNK: u64 = 64;
/// ... which counts so many times.
const BURNING: u64 = 40;
/// How hard it is packed.
const LEVEL: u8 = 9;

/// What a link says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// The program's version.
    pub engine: String,
    /// The site's name.
    pub site: String,
    /// A hash over the site's files.
    files: u64,
    /// How much other people's work there is.
    pub background: String,
    /// The seed.
    pub seed: u64,
    /// Virtual time at the start.
    pub start: Time,
    /// Each input with how much later (time, events) it comes than the one before.
    inputs: Vec<(Span, u64, Input)>,
    /// How much later the moment itself is, and the state's hash then.
    end: (Span, u64, u64),
    /// Steps of the lesson that are done.
    pub passed: u32,
    /// The files of a site of one's own; others come with the program.
    #[serde(skip)]
    own: BTreeMap<String, String>,
}

/// Why bytes are no link, or a session cannot be one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadLink {
    /// They do not begin as one.
    NotALink,
    /// Their layout is of another version.
    Version(u8),
    /// Something is missing or changed.
    Damaged,
    /// Too much.
    TooLarge,
    /// The files of one's own site are too much.
    OwnSite,
    /// The journal does not reach back to the start.
    NoWayBack,
}

impl fmt::Display for BadLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => f.write_str("this is no link to a moment of a cluster"),
            Self::Version(v) => {
                write!(f, "the link has layout {v}; this program reads {FORMAT} and {WITH_FILES}")
            }
            Self::Damaged => f.write_str("the link is damaged or was cut short"),
            Self::OwnSite => f.write_str("the files of this site are too large to be in a link"),
            Self::TooLarge => f.write_str("that is too much for a link"),
            Self::NoWayBack => f.write_str("the journal does not reach back to the start any more"),
        }
    }
}

impl Link {
    /// The moment that is seen.
    ///
    /// # Errors
    /// Why it cannot be a link.
    #[inline(never)]
    pub fn of(session: &Session, passed: u32) -> Result<Self, BadLink> {
        let (setup, journal) = (session.setup(), session.journal());
        if journal.is_cut() {
            return Err(BadLink::NoWayBack);
        }
        let seen = session.seen_seq();
        let entries: Vec<&Entry> = journal.entries().iter().filter(|e| e.seq <= seen).collect();
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
            let (span, steps) = later(entry.time, entry.step);
            inputs.push((span, steps, entry.input.clone()));
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
            own: own_files(setup),
        })
    }

    /// As bytes.
    ///
    /// # Errors
    /// Too many of them.
    #[inline(never)]
    pub fn encode(&self) -> Result<Vec<u8>, BadLink> {
        let mut body = postcard::to_allocvec(self).unwrap_or_default();
        if !self.own.is_empty() {
            body.extend(postcard::to_allocvec(&self.own).unwrap_or_default());
        }
        // What cannot be read again is not written.
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

    /// From bytes.
    ///
    /// # Errors
    /// Why they are none.
    #[inline(never)]
    pub fn decode(bytes: &[u8]) -> Result<Self, BadLink> {
        if bytes.len() > MAX_LINK {
            return Err(BadLink::TooLarge);
        }
        let rest = bytes.strip_prefix(MAGIC).ok_or(BadLink::NotALink)?;
        let (format, rest) = rest.split_first().ok_or(BadLink::Damaged)?;
        if ![FORMAT, WITH_FILES].contains(format) {
            return Err(BadLink::Version(*format));
        }
        let (sum, packed) = rest.split_first_chunk::<4>().ok_or(BadLink::Damaged)?;
        if *sum != checksum(packed) {
            return Err(BadLink::Damaged);
        }
        let body = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, MAX_BODY);
        let body = body.map_err(|_| BadLink::Damaged)?;
        let Ok((mut link, rest)) = postcard::take_from_bytes::<Self>(&body) else {
            return Err(BadLink::Damaged);
        };
        let (own, rest) = match *format {
            WITH_FILES => postcard::take_from_bytes(rest).map_err(|_| BadLink::Damaged)?,
            _ => (BTreeMap::new(), rest),
        };
        if !rest.is_empty() {
            return Err(BadLink::Damaged);
        }
        link.own = own;
        if link.inputs.len() > MAX_INPUTS { Err(BadLink::TooLarge) } else { Ok(link) }
    }

    /// What a session of this link starts from: its own site, if it carries one.
    pub fn bring(&self, setup: &mut Setup) {
        if !self.own.is_empty() {
            setup.site.clone_from(&self.site);
            setup.files = SiteFiles(self.own.clone());
        }
    }

    /// The session at its moment, and what is to be said of it.
    #[must_use]
    #[inline(never)]
    pub fn open(self, mut setup: Setup) -> (Session, Vec<Notice>) {
        self.bring(&mut setup);
        (setup.seed, setup.start) = (self.seed, self.start);
        if !self.background.is_empty() {
            setup.files.0.insert("background".to_owned(), self.background.clone());
        }
        let other_site = fingerprint(&setup) != self.files;
        let (mut session, mut notices) = (Session::new(setup), Vec::new());
        let (mut time, mut step, mut fuel) = (self.start, 0_u64, FUEL);
        let (span, steps, hash) = self.end;
        let mut whole = true;
        for (later, more, input) in self.inputs {
            (time, step) = (time + later, step.saturating_add(more));
            if !catch_up(&mut session, time, step, &mut fuel) {
                whole = false;
                break;
            }
            session.apply(input);
        }
        let end = (time + span, step.saturating_add(steps));
        if !(whole && catch_up(&mut session, end.0, end.1, &mut fuel)) {
            notices.push(Notice::Bound("opening the link takes too long; it is open up to here".to_owned()));
        } else if session.world().hash() != hash {
            let why =
                if other_site { "the site has changed since" } else { "this program simulates otherwise" };
            let ours = env!("CARGO_PKG_VERSION");
            notices.push(Notice::Site(format!(
                "the link was made by version {} (this is {ours}): its inputs were replayed, but the result is not the same; {why}",
                shown(&self.engine)
            )));
        }
        (session, notices)
    }
}

/// Runs to a moment, with exactly so many events carried out since the start; false when the fuel did not last. An event in
/// which a process used up its slice costs more than one that only wakes somebody.
fn catch_up(session: &mut Session, time: Time, step: u64, fuel: &mut u64) -> bool {
    let track = &mut session.track;
    while track.step < step {
        let before = track.step;
        let mut chunk = CHUNK;
        track.run_to(time, Some(step.min(before + CHUNK)), &mut chunk);
        let did = track.step - before;
        let cost = if track.world.is_burning() { did * BURNING } else { did };
        if *fuel < cost {
            return false;
        }
        *fuel -= cost;
        if did == 0 {
            break;
        }
    }
    track.run_to(time, Some(track.step), &mut 0)
}

/// A version as far as it can be one.
fn shown(version: &str) -> String {
    version.chars().filter(|c| c.is_ascii_alphanumeric() || ".-+".contains(*c)).take(20).collect()
}

fn checksum(bytes: &[u8]) -> [u8; 4] {
    let sum = fnv1a(bytes);
    let folded = u32::try_from((sum ^ (sum >> 32)) & u64::from(u32::MAX)).unwrap_or(0);
    folded.to_le_bytes()
}

/// The files of a site that is somebody's own; what is asked of the background is said elsewhere.
fn own_files(setup: &Setup) -> BTreeMap<String, String> {
    if !setup.site.starts_with(OWN_SITE) {
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
    use crate::host::tty::TtyId;
    use crate::world::Applied;

    fn setup() -> Setup {
        let files = crate::config::sites::built_in("lab").unwrap_or_default();
        Setup { site: "lab".into(), files, seed: 3, start: Time::from_secs(1_772_442_000) }
    }

    /// Somebody worked for a while, as in a lesson.
    fn worked() -> Session {
        let mut session = Session::new(setup());
        let login = session.apply(Input::Login { user: "alice".into(), columns: 80, rows: 24 });
        let tty = if let Applied::Terminal(tty) = login { tty } else { TtyId(0) };
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
    fn a_moment_there_and_back() {
        let session = worked();
        let link = Link::of(&session, 2).and_then(|l| l.encode()).unwrap_or_default();
        assert!((50..1500).contains(&link.len()), "{} bytes", link.len());
        let (opened, notices) =
            Link::decode(&link).map(|l| l.open(setup())).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(notices, []);
        assert_eq!(opened.world().hash(), session.world().hash());
        assert_eq!(opened.world().now, session.world().now);
        // It goes on as the other would.
        let again = Link::of(&opened, 2).and_then(|l| l.encode()).unwrap_or_default();
        assert_eq!(again, link);
    }

    #[test]
    fn every_cut_and_every_changed_bit_is_noticed() {
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
    fn a_link_that_would_fill_memory_or_hang_is_bounded() {
        assert_eq!(Link::decode(&packed(&vec![0; 64 << 20])), Err(BadLink::Damaged));
        let session = Session::new(setup());
        let mut link = Link::of(&session, 0).unwrap_or_else(|e| panic!("{e}"));
        let endless = "while :; do :; done & while :; do :; done".to_owned();
        link.inputs = vec![(Span(0), 0, Input::Run { user: "alice".into(), command: endless })];
        link.end = (Span::from_secs(1 << 40), u64::MAX, 7);
        link.engine = "<b>9</b>".into();
        let (_, notices) = link.open(setup());
        assert!(matches!(notices.as_slice(), [Notice::Bound(_)]), "{notices:?}");
    }

    #[test]
    fn another_result_is_said() {
        let mut link = Link::of(&worked(), 0).unwrap_or_else(|e| panic!("{e}"));
        link.end.2 ^= 1;
        link.engine = "0.0.9<b>".into();
        let (_, notices) = link.open(setup());
        let [Notice::Site(text)] = notices.as_slice() else { panic!("{notices:?}") };
        assert!(text.contains("0.0.9b") && text.contains("not the same"), "{text}");
    }

    #[test]
    fn ones_own_site_comes_with_its_link() {
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
