//! The interactive shell: line editing on the real terminal while virtual time follows real time.

use super::keys::{self, RawTerminal};
use super::{LIMIT, SLICE, closed, print, print_bounds, refuse_editor, wants_input};
use base::time::{Span, Time};
use engine::session::{Session, complete};
use engine::world::Input;
use host::tty::TtyId;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use shell::Prompt;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Interval at which output is printed while a command runs.
const FRAME: Duration = Duration::from_millis(15);
const CTRL_C: u8 = 3;
const CTRL_D: u8 = 4;

/// Runs the shell until it exits and returns its exit code.
///
/// # Errors
/// The terminal cannot be used.
pub fn run(session: Session, tty: TtyId, pace: u32) -> Result<u8, String> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || flag.store(true, Ordering::SeqCst)).map_err(|e| e.to_string())?;
    let session = Rc::new(RefCell::new(session));
    let config = Config::builder().completion_type(CompletionType::List).auto_add_history(true).build();
    let mut editor: Editor<Lines, MemHistory> =
        Editor::with_history(config, MemHistory::new()).map_err(|e| e.to_string())?;
    editor.set_helper(Some(Lines { session: Rc::clone(&session), tty }));
    let mut clock = RealTimeClock::new(session.borrow().world().now, pace);
    loop {
        let prompt = follow(&mut session.borrow_mut(), tty, &mut clock, &interrupted)?;
        let Some(prompt) = prompt else { break };
        let typed = match editor.readline(&prompt) {
            Ok(line) => format!("{line}\n").into_bytes(),
            Err(ReadlineError::Interrupted) => vec![CTRL_C],
            Err(ReadlineError::Eof) => vec![CTRL_D],
            Err(error) => return Err(error.to_string()),
        };
        let mut session = session.borrow_mut();
        // First print what happened while the user was typing.
        session.run_until(clock.due(), u64::MAX);
        clock.catch_up(session.world().now);
        session.apply(Input::Type(tty, typed));
    }
    let session = session.borrow();
    Ok(session.world().login_status(tty).unwrap_or(0))
}

/// Gives the terminal the real one's size.
fn resize(session: &mut Session, tty: TtyId) {
    let own = session.world().kernel.tty(tty).map(|terminal| (terminal.columns, terminal.rows));
    if let Some((columns, rows)) = keys::size()
        && own.is_some_and(|own| own != (columns, rows))
    {
        session.apply(Input::Resize(tty, columns, rows));
    }
}

/// Lets virtual time follow real time until a line is requested. Returns the prompt for it, or none once the
/// shell has exited. Until then a program may read single keys.
fn follow(
    session: &mut Session,
    tty: TtyId,
    clock: &mut RealTimeClock,
    interrupted: &AtomicBool,
) -> Result<Option<String>, String> {
    let mut raw: Option<RawTerminal> = None;
    loop {
        resize(session, tty);
        if interrupted.swap(false, Ordering::SeqCst) {
            session.apply(Input::Type(tty, vec![CTRL_C]));
        }
        let all = session.run_until(clock.due(), SLICE);
        print(session, tty);
        refuse_editor(session, tty);
        print_bounds(session);
        if closed(session, tty) {
            return Ok(None);
        }
        if let Prompt::Ready(prompt) = session.prompt(tty) {
            return Ok(Some(prompt));
        }
        let reads_keys = session.world().kernel.tty(tty).is_some_and(|terminal| terminal.keys.is_some());
        if !reads_keys {
            raw = None;
        } else if raw.is_none() {
            raw = Some(RawTerminal::begin()?);
        }
        if all && !reads_keys && wants_input(session, tty) {
            return Ok(Some(String::new()));
        }
        if let Some(terminal) = &raw {
            let Some(typed) = terminal.typed(if all { FRAME } else { Duration::ZERO }) else {
                return Ok(None);
            };
            if !typed.is_empty() {
                session.apply(Input::Type(tty, typed));
                clock.catch_up(session.world().now);
            }
        }
        if all && raw.is_some() {
            continue;
        }
        if all {
            std::thread::sleep(FRAME);
        } else {
            clock.catch_up(session.world().now);
        }
    }
}

/// Virtual time that follows real time.
struct RealTimeClock {
    pace: u32,
    from: Time,
    since: Instant,
}

impl RealTimeClock {
    fn new(now: Time, pace: u32) -> Self {
        Self { pace, from: now, since: instant() }
    }

    /// The virtual time that corresponds to the current real time.
    fn due(&self) -> Time {
        let real = i64::try_from(self.since.elapsed().as_micros()).unwrap_or(i64::MAX);
        self.from + Span(real.saturating_mul(self.pace.into()).min(LIMIT.0))
    }

    /// Continues from `now`, whether the world is ahead of real time or behind it.
    fn catch_up(&mut self, now: Time) {
        self.from = now;
        self.since = instant();
    }
}

/// The real clock. Code above the session may read it.
#[expect(clippy::disallowed_methods, reason = "this is where virtual time meets the real one")]
fn instant() -> Instant {
    Instant::now()
}

/// Tab completion by the simulated shell.
struct Lines {
    session: Rc<RefCell<Session>>,
    tty: TtyId,
}

impl Completer for Lines {
    type Candidate = String;

    fn complete(&self, line: &str, pos: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(complete(self.session.borrow().world(), self.tty, line, pos))
    }
}

impl Hinter for Lines {
    type Hint = String;
}

impl Highlighter for Lines {}

impl Validator for Lines {}

impl Helper for Lines {}
