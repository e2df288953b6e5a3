//! The file of a class: everything that was decided, in order. A class is the same again after its records are applied.
//!
//! ```text
//! sandbatch class 2\n
//! length (4)  checksum (8)  W  postcard     for each record
//! ```
//!
//! The postcard value is the name of the record's kind and a list of named fields (`words`). In version 1 it was the record
//! itself, without the W. A file of version 1 that is opened becomes one of version 2 that begins with such records.
//!
//! A record is written whole before anything of it reaches a tab. If the machine stopped in the middle of a write, the
//! rest of the last record is cut off. Damage before that is an error: the class would differ from what the tabs have.

mod old;
mod words;

use super::wire::MAX_MESSAGE;
use super::{ClassDescription, Secret};
use base::hash::fnv1a;
use protocol::class::{ClassEntry, ClassLesson};
use protocol::{Micros, Pace};

/// The first line.
pub const HEADER: &[u8] = b"sandbatch class 2\n";
/// The first line of version 1. It is as long.
const OLD_HEADER: &[u8] = b"sandbatch class 1\n";
/// What the first line of each version begins with.
const TITLE: &[u8] = b"sandbatch class ";
const FRAME: usize = 12;
/// The first byte of a record of words.
const WORDS: u8 = b'W';

/// Something that was decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// The class begins: the first record.
    Class {
        /// Its description.
        class: Box<ClassDescription>,
        /// The secret of the participants' link.
        learner: Secret,
        /// The secret of the teacher's link.
        teacher: Secret,
    },
    /// A participant gets a seat.
    Seated {
        /// The name.
        name: String,
        /// A teacher.
        teacher: bool,
        /// The secret that proves the seat.
        key: Secret,
    },
    /// A teacher frees the name of a seat.
    Freed(u32),
    /// A tab takes a seat whose name was freed.
    Taken {
        /// The seat.
        seat: u32,
        /// The secret that proves it from now on.
        key: Secret,
    },
    /// The teacher chooses a lesson; none: no lesson.
    Lesson(Option<Box<ClassLesson>>),
    /// An input is ordered.
    Entered(ClassEntry),
    /// The clock gets a pace at a time.
    Paced(Pace, Micros),
    /// The clock skips to a time.
    Skipped(Micros),
    /// Time up to this moment may be given out.
    Reserved(Micros),
}

/// The bytes of a record in the file.
#[must_use]
pub fn frame(record: &Record) -> Vec<u8> {
    // Serialising plain data into memory does not fail.
    let words = postcard::to_allocvec(&words::to_words(record)).unwrap_or_default();
    let payload = [&[WORDS], words.as_slice()].concat();
    // The bounds of messages keep a record far below 4 GB.
    let length = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    let mut bytes = length.to_le_bytes().to_vec();
    bytes.extend(fnv1a(&payload).to_le_bytes());
    bytes.extend(payload);
    bytes
}

/// What a file contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFile {
    /// The records.
    pub records: Vec<Record>,
    /// Bytes up to the end of the last whole record. What follows is the rest of a write that was interrupted.
    pub whole: usize,
    /// It is of version 1: its header has to be replaced before records of words follow.
    pub old: bool,
}

/// Reads a file.
///
/// # Errors
/// It is no file of a class, or it is damaged before its end: a sentence with the place.
pub fn read(bytes: &[u8]) -> Result<RecordFile, String> {
    let old = bytes.starts_with(OLD_HEADER);
    if !old && !bytes.starts_with(HEADER) {
        // The first write was interrupted.
        if HEADER.starts_with(bytes) || OLD_HEADER.starts_with(bytes) {
            return Ok(RecordFile { records: Vec::new(), whole: 0, old: false });
        }
        let version: String =
            bytes.strip_prefix(TITLE).unwrap_or_default().iter().map(|b| char::from(*b)).take(20).collect();
        let version = version.split('\n').next().unwrap_or_default().to_owned();
        let known = version.parse::<u32>().is_ok();
        return Err(if known {
            format!("it is a class of version {version}, which this program does not know")
        } else {
            "this is no file of a class".to_owned()
        });
    }
    let mut file = RecordFile { records: Vec::new(), whole: HEADER.len(), old };
    loop {
        let rest = bytes.get(file.whole..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(file);
        }
        match one(rest) {
            FrameRead::Record(record, length) => {
                file.records.push(record);
                file.whole += length;
            }
            // File systems may leave zeros where data was never written.
            FrameRead::Cut => return Ok(file),
            FrameRead::Bad if rest.iter().all(|b| *b == 0) => return Ok(file),
            FrameRead::Bad => return Err(format!("it is damaged at byte {}", file.whole)),
        }
    }
}

enum FrameRead {
    Record(Record, usize),
    /// The end of the file is within it.
    Cut,
    Bad,
}

fn one(bytes: &[u8]) -> FrameRead {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return FrameRead::Cut };
    let Some((sum, rest)) = rest.split_first_chunk::<8>() else { return FrameRead::Cut };
    let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
    if length == 0 || length > 2 * MAX_MESSAGE {
        return FrameRead::Bad;
    }
    let Some(payload) = rest.get(..length) else { return FrameRead::Cut };
    let last = rest.len() == length;
    if fnv1a(payload) != u64::from_le_bytes(*sum) {
        return if last { FrameRead::Cut } else { FrameRead::Bad };
    }
    match decoded(payload) {
        Some(record) => FrameRead::Record(record, FRAME + length),
        None => FrameRead::Bad,
    }
}

/// The record in these bytes.
fn decoded(payload: &[u8]) -> Option<Record> {
    match payload.split_first()? {
        (&WORDS, words) => {
            let (kind, fields) = postcard::from_bytes::<(String, Vec<(String, Vec<u8>)>)>(words).ok()?;
            words::from_words(&kind, &fields)
        }
        (kind, _) if *kind < old::KINDS => old::read(payload),
        _ => None,
    }
}
