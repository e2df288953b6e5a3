//! `sandbatch lesson check`: plays a lesson's own solutions, and holds each check against the moments before and after.

use super::underway::{Underway, first_user};
use super::{Lesson, Step};
use crate::base::diagnostic::{Diagnostic, Severity};
use crate::base::time::Span;
use crate::config::SiteFiles;
use crate::host::tty::TtyId;
use crate::session::recorded::{Session, Setup};
use crate::shell::Prompt;
use crate::world::{Applied, Input};

/// Virtual time between two looks: nobody at the page looks more often at a quick pace.
const LOOK: Span = Span::from_secs(20);
/// What a person needs before the first command, in which the starting state comes about.
const ARRIVAL: Span = Span::from_secs(10);
/// What a solution's line may take.
const LINE: Span = Span::from_secs(7 * 86_400);
/// Events of one line, or of one look.
const FUEL: u64 = 3_000_000;

/// What came of a lesson's solutions.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// What is wrong; empty: every check fails before its solution and holds after it.
    pub findings: Vec<Diagnostic>,
    /// Steps whose check held in the end.
    pub passed: u32,
    /// Virtual time from the start to the end, seconds.
    pub seconds: i64,
    /// What the terminal showed, for who looks for a mistake.
    pub screen: String,
}

/// Plays a lesson on its site's files.
#[must_use]
pub fn try_out(lesson: &Lesson, files: &SiteFiles) -> Trial {
    let mut setup =
        Setup { site: lesson.site.clone(), files: files.clone(), seed: lesson.seed, start: lesson.start };
    lesson.prepare(&mut setup);
    let mut session = Session::new(setup);
    let user = lesson.user_or(first_user(session.world()));
    let mut player =
        Player { underway: Underway::new(lesson.clone(), 0, session.world()), trial: Trial::default() };
    for input in lesson.beginning(&user, player.underway.home()) {
        let what = super::super::journal::describe(&input);
        if let Applied::Refused(why) = session.apply(input) {
            player.error(0, format!("{what}: {why}"));
        }
    }
    let Applied::Terminal(tty) = session.apply(Input::Login { user: user.clone(), columns: 100, rows: 40 })
    else {
        player.error(0, format!("the site {} has no user {user}", lesson.site));
        return player.trial;
    };
    player.settle(&mut session, tty, 0);
    let ready = session.world().now + ARRIVAL;
    session.run_until(ready, FUEL);
    for step in &lesson.steps {
        if !player.step(&mut session, tty, step) {
            break;
        }
    }
    player.trial.passed = player.underway.passed();
    player.trial.seconds = session.world().now.secs() - lesson.start.secs();
    player.trial
}

struct Player {
    underway: Underway,
    trial: Trial,
}

impl Player {
    fn error(&mut self, line: u32, message: String) {
        let (severity, file) = (Severity::Error, self.underway.lesson().name.clone());
        self.trial.findings.push(Diagnostic { severity, file, line, message });
    }

    /// One step: its check must not hold, then its solution is typed, then it must hold.
    fn step(&mut self, session: &mut Session, tty: TtyId, step: &Step) -> bool {
        if self.underway.next_holds(session.world()) {
            self.error(step.line, format!("the check of \"{}\" holds before its solution", step.title));
            return false;
        }
        // At the page a step stays done once its check has held.
        let mut held = false;
        for line in &step.solution {
            session.apply(Input::Type(tty, format!("{line}\n").into_bytes()));
            self.settle(session, tty, step.line);
            held |= self.underway.next_holds(session.world());
        }
        let end = session.world().now + self.underway.lesson().within;
        while !held && !self.underway.next_holds(session.world()) {
            if session.world().now >= end {
                self.error(step.line, format!("the check of \"{}\" fails after its solution", step.title));
                return false;
            }
            let until = end.min(session.world().now + LOOK);
            if !session.run_until(until, FUEL) {
                self.error(step.line, format!("\"{}\" takes too much work", step.title));
                return false;
            }
        }
        self.read_screen(session, tty);
        self.underway.pass();
        true
    }

    /// Runs until the shell wants a line.
    fn settle(&mut self, session: &mut Session, tty: TtyId, line: u32) {
        let end = session.world().now + LINE;
        for _ in 0..FUEL {
            if matches!(session.prompt(tty), Prompt::Ready(_)) || !session.world().logged_in(tty) {
                return self.read_screen(session, tty);
            }
            if !session.step(end) {
                break;
            }
        }
        self.read_screen(session, tty);
        self.error(line, "a line of the solution does not come to its end".to_owned());
    }

    fn read_screen(&mut self, session: &mut Session, tty: TtyId) {
        if let Some(screen) = session.screen_mut(tty) {
            self.trial.screen.push_str(&String::from_utf8_lossy(&screen.take(usize::MAX)));
        }
    }
}
