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
    /// Points of each line of its score before anything is done ...
    pub points_before: Vec<u32>,
    /// ... and in the end.
    pub points: Vec<u32>,
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
    let mut player = Player::new(lesson, &session);
    if let Some(tty) = player.begin(&mut session) {
        player.trial.points_before = player.underway.points(session.world());
        for step in &lesson.steps {
            if !player.step(&mut session, tty, step) {
                break;
            }
        }
        player.judge_score(&session);
    }
    player.trial.passed = player.underway.passed();
    player.trial.seconds = session.world().now.secs() - lesson.start.secs();
    player.trial
}

/// On a fresh session: the lesson's beginning, and the solutions of so many steps. What is wrong; empty: they are done.
#[must_use]
#[inline(never)]
pub fn play_up_to(lesson: &Lesson, steps: u32, session: &mut Session) -> Vec<Diagnostic> {
    let mut player = Player::new(lesson, session);
    if let Some(tty) = player.begin(session) {
        for step in lesson.steps.iter().take(steps as usize) {
            if !player.underway.next_holds(session.world()) && !player.solve(session, tty, step) {
                break;
            }
            player.underway.pass();
        }
    }
    player.trial.findings
}

struct Player {
    underway: Underway,
    trial: Trial,
}

impl Player {
    fn new(lesson: &Lesson, session: &Session) -> Self {
        Self { underway: Underway::new(lesson.clone(), 0, session.world()), trial: Trial::default() }
    }

    /// The starting state, a terminal, and the time that a person needs before the first command.
    fn begin(&mut self, session: &mut Session) -> Option<TtyId> {
        let lesson = self.underway.lesson().clone();
        let user = lesson.user_or(first_user(session.world()));
        for input in lesson.beginning(&user, self.underway.home()) {
            let what = super::super::journal::describe(&input);
            if let Applied::Refused(why) = session.apply(input) {
                self.error(0, format!("{what}: {why}"));
            }
        }
        let login = session.apply(Input::Login { user: user.clone(), columns: 100, rows: 40 });
        let Applied::Terminal(tty) = login else {
            self.error(0, format!("the site {} has no user {user}", lesson.site));
            return None;
        };
        self.settle(session, tty, 0);
        let ready = session.world().now + ARRIVAL;
        session.run_until(ready, FUEL);
        Some(tty)
    }

    /// The lesson's own solution gets at least half of the points, and each line that there is wants something to be done.
    fn judge_score(&mut self, session: &Session) {
        let lines: Vec<u32> = self.underway.lesson().score.iter().map(|award| award.line).collect();
        for (line, points) in lines.iter().zip(self.trial.points_before.clone()) {
            if points > 0 {
                self.error(*line, format!("there are {points} points before anything is done"));
            }
        }
        self.trial.points = self.underway.points(session.world());
        let (all, most) = (self.trial.points.iter().sum::<u32>(), self.underway.lesson().most());
        if 2 * all < most {
            let line = lines.first().copied().unwrap_or(0);
            self.error(line, format!("its own solution gets {all} of {most} points"));
        }
    }

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
        let solved = self.solve(session, tty, step);
        if solved && self.underway.standing(session.world()).over {
            self.error(step.line, format!("\"{}\" is solved after the lesson's time is over", step.title));
            return false;
        }
        self.read_screen(session, tty);
        if solved {
            self.underway.pass();
        }
        solved
    }

    /// Types a step's solution and waits until its check holds.
    fn solve(&mut self, session: &mut Session, tty: TtyId, step: &Step) -> bool {
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
