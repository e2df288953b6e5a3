//! Questions of the page that change nothing: files, completion, lint.

use crate::base::ids::Uid;
use crate::commands::slurm::lint;
use crate::host::fs::Kind;
use crate::host::path::resolve;
use crate::host::tty::TtyId;
use crate::protocol::{FileEntry, Finding, FromEngine, OptionHelp, ToEngine};
use crate::session::complete::complete;
use crate::session::link::Link;
use crate::session::recorded::Session;

/// Largest text for the editor, bytes.
pub const MAX_TEXT: usize = 1 << 20;
/// Entries of a directory that are listed.
const MAX_LISTED: usize = 2000;

/// The answer; none where there is nothing to say.
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
        | ToEngine::Drawn => return None,
    })
}

/// What sbatch would say of a script's directives. A text too long for the editor has none.
fn findings(session: &Session, text: &str) -> Vec<Finding> {
    if text.len() > MAX_TEXT {
        return Vec::new();
    }
    let found = lint::lint(&session.world().ctld, text);
    let message = |f: lint::Finding| Finding {
        line: f.line,
        from: f.from,
        to: f.to,
        error: f.error,
        slip: f.slip,
        suggestion: f.suggestion,
    };
    found.into_iter().map(message).collect()
}

fn options(session: &Session) -> Vec<OptionHelp> {
    let help = |o: lint::OptionHelp| OptionHelp {
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
        Some(FileEntry { name, directory: stat.kind == Kind::Dir, size: stat.size, modified: stat.mtime.0 })
    });
    Ok(entries.collect())
}

fn read(session: &Session, user: &str, path: &str) -> Result<String, String> {
    let uid = uid(session, user)?;
    let data = session.world().kernel.fs.read(uid, path).map_err(|e| e.to_string())?;
    if data.len() > MAX_TEXT {
        return Err(format!("it has {} bytes; the editor takes at most {MAX_TEXT}", data.len()));
    }
    String::from_utf8(data.to_vec()).map_err(|_| "it is no text".to_owned())
}
