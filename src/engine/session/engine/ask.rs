//! Read-only requests of the page: files, completion, lint.

use crate::session::complete::complete;
use crate::session::frame::search;
use crate::session::link::Link;
use crate::session::recorded::Session;
use base::ids::Uid;
use commands::slurm::lint;
use host::fs::FileKind;
use host::path::resolve;
use host::tty::TtyId;
use protocol::{BatchOption, FileEntry, FromEngine, LintFinding, ToEngine};

/// Largest text for the editor, bytes.
pub const MAX_TEXT: usize = 1 << 20;
/// Maximum number of listed directory entries.
const MAX_LISTED: usize = 2000;

/// The answer; none if there is nothing to report.
pub fn answer(session: &Session, question: ToEngine) -> Option<FromEngine> {
    Some(match question {
        ToEngine::ListFiles { user, path } => {
            let (entries, error) = match list(session, &user, &path) {
                Ok(entries) => (entries, None),
                Err(error) => (Vec::new(), Some(error)),
            };
            FromEngine::Files { path, entries, error }
        }
        ToEngine::ReadFile { user, path } => {
            let text = read(session, &user, &path);
            FromEngine::File { path, text }
        }
        ToEngine::Hash => FromEngine::Hash(session.world().hash()),
        ToEngine::Complete { tty, line, cursor, token } => {
            let (start, words) = complete(session.world(), TtyId(tty), &line, cursor as usize);
            FromEngine::Completions { token, start: u32::try_from(start).unwrap_or(cursor), words }
        }
        ToEngine::Lint { text, token } => FromEngine::Lint { token, findings: findings(session, &text) },
        ToEngine::Options => FromEngine::Options(options(session)),
        ToEngine::FindJobs(typed) => {
            let rows = search(session.world(), &typed);
            FromEngine::FoundJobs(typed, rows)
        }
        ToEngine::Share(passed) => {
            let link = Link::of(session, passed).and_then(|link| link.encode());
            FromEngine::Link(link.map_err(|why| why.to_string()))
        }
        ToEngine::Start { .. }
        | ToEngine::ReadSite(_)
        | ToEngine::Tick(_)
        | ToEngine::Ack(_)
        | ToEngine::Subscribe(_)
        | ToEngine::Type { .. }
        | ToEngine::Typing(_)
        | ToEngine::Resize { .. }
        | ToEngine::Login(_)
        | ToEngine::Logout(_)
        | ToEngine::Pace(_)
        | ToEngine::Skip(_)
        | ToEngine::Travel(_)
        | ToEngine::SaveFile { .. }
        | ToEngine::Save
        | ToEngine::Drawn
        | ToEngine::Class(_) => return None,
    })
}

/// The diagnostics of sbatch for a script's directives. A text that is too long for the editor has none.
fn findings(session: &Session, text: &str) -> Vec<LintFinding> {
    if text.len() > MAX_TEXT {
        return Vec::new();
    }
    let found = lint::lint(&session.world().ctld, text);
    let message = |f: lint::Finding| LintFinding {
        line: f.line,
        from: f.from,
        to: f.to,
        error: f.error,
        message: f.message,
        suggestion: f.suggestion,
    };
    found.into_iter().map(message).collect()
}

fn options(session: &Session) -> Vec<BatchOption> {
    let help = |o: lint::OptionHelp| BatchOption {
        name: o.name,
        short: o.short,
        argument: o.argument,
        help: o.help,
        values: o.values,
    };
    lint::option_help(&session.world().ctld).into_iter().map(help).collect()
}

fn uid(session: &Session, user: &str) -> Result<Uid, String> {
    let user = session.world().kernel.users.by_name(user);
    user.map(|u| u.uid).ok_or_else(|| "no such user".to_owned())
}

fn list(session: &Session, user: &str, path: &str) -> Result<Vec<FileEntry>, String> {
    let uid = uid(session, user)?;
    let fs = &session.world().kernel.fs;
    let names = fs.list(uid, path).map_err(|e| e.to_string())?;
    let entries = names.into_iter().take(MAX_LISTED).filter_map(|name| {
        let stat = fs.stat(uid, &resolve(path, &name)).ok()?;
        Some(FileEntry {
            name,
            directory: stat.kind == FileKind::Dir,
            size: stat.size,
            modified: stat.mtime.0,
        })
    });
    Ok(entries.collect())
}

fn read(session: &Session, user: &str, path: &str) -> Result<String, String> {
    let uid = uid(session, user)?;
    let data = session.world().kernel.fs.read(uid, path).map_err(|e| e.to_string())?;
    if data.len() > MAX_TEXT {
        return Err(format!("it has {} bytes; the editor opens at most {MAX_TEXT}", data.len()));
    }
    String::from_utf8(data.to_vec()).map_err(|_| "it is not text".to_owned())
}
