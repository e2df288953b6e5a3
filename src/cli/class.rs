//! `sandbatch class export`: the file of a class as a recording.

use super::args::ClassExportArgs;
use super::out;
use ::serve::participant;
use classroom::{ClassDescription, Sequencer, record};
use engine::session::Engine;
use protocol::class::{ClassEntry, ClassSeat, FromClass, RecordedClass, ToClass};
use protocol::{FromEngine, Micros, Pace, ToEngine};
use std::fs;
use std::path::{Path, PathBuf};
use view::opened_files::SessionFile;

/// Largest file of a class.
const MAX_FILE: u64 = 128 << 20;

/// Writes the recording.
///
/// # Errors
/// The message for the user.
pub fn export(args: &ClassExportArgs) -> Result<u8, String> {
    let problem = |why: String| format!("{}: {why}", args.class.display());
    let sequencer = read(&args.class).map_err(problem)?;
    let class = sequencer.class();
    let recorded =
        recording(class, entries(&sequencer), sequencer.time().0, args.pseudonyms).map_err(problem)?;
    let RecordedClass { session, kept } = recorded;
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sandbatch.txt", class.name)));
    let file = SessionFile::of_recording(class.site.clone(), class.background.clone(), session);
    let written = fs::write(&path, file.text());
    written.map_err(|e| format!("{}: {e}", path.display()))?;
    let people = sequencer.seats().iter().filter(|seat| !seat.teacher).count();
    let inputs = sequencer.last();
    out::print(&format!("{}: {people} participants, {inputs} inputs\n", path.display()))?;
    if !kept.is_empty() {
        out::tell(&format!("Words of commands, so they stay in texts: {}\n", kept.join(", ")));
    }
    Ok(0)
}

/// The class in a file.
fn read(path: &Path) -> Result<Sequencer, String> {
    let size = fs::metadata(path).map_err(|e| e.to_string())?.len();
    if size > MAX_FILE {
        return Err(format!("it is larger than {MAX_FILE} bytes"));
    }
    let bytes = fs::read(path).map_err(|e| e.to_string())?;
    Sequencer::restore(&record::read(&bytes)?.records, 0)
}

/// All entries of a class.
pub(super) fn entries(sequencer: &Sequencer) -> Vec<ClassEntry> {
    let mut entries: Vec<ClassEntry> = Vec::new();
    loop {
        let block = sequencer.block_after(entries.len() as u64);
        if block.is_empty() {
            return entries;
        }
        entries.extend_from_slice(block);
    }
}

/// Computes the class as a teacher's tab does, up to a time, and records it.
fn recording(
    class: &ClassDescription,
    entries: Vec<ClassEntry>,
    until: Micros,
    pseudonyms: bool,
) -> Result<RecordedClass, String> {
    let seat = ClassSeat { seat: u32::MAX, user: "root".into(), teacher: true, token: 1, last: 0 };
    let unknown = || format!("it is of the site {}, which this program does not know", class.site);
    let mut engine = participant::start(class, seat).ok_or_else(unknown)?;
    engine.receive(ToEngine::Class(ToClass::Ordered(entries)));
    engine.receive(ToEngine::Class(ToClass::Until(until, Pace::Paused)));
    settle(&mut engine)?;
    engine.receive(ToEngine::Class(ToClass::Record(pseudonyms)));
    settle(&mut engine)?.ok_or_else(|| "the recording was not made".to_owned())
}

/// Works until nothing is left to do now. Returns a recording that was made.
///
/// # Errors
/// The entries do not follow each other.
pub(super) fn settle(engine: &mut Engine) -> Result<Option<RecordedClass>, String> {
    let mut recorded = None;
    loop {
        let more = engine.slice();
        for message in engine.take_messages() {
            if let FromEngine::Class(message) = message {
                if let FromClass::Lost(why) = *message {
                    return Err(why);
                } else if let FromClass::Recorded(made) = *message {
                    recorded = Some(*made);
                }
            }
        }
        if !more {
            return Ok(recorded);
        }
    }
}
