//! `sandbatch lesson check`: plays a lesson's own solutions, and evaluates each check before and after its solution.

use super::active::{ActiveLesson, first_user};
use super::{Lesson, ParsedStep};
use crate::session::recorded::{Session, Setup};
use crate::world::{Input, InputResult};
use base::diagnostic::{Diagnostic, Severity};
use base::time::Span;
use config::SiteFiles;
use host::tty::TtyId;
use shell::Prompt;

/// Virtual time between two evaluations. The page does not evaluate more often at a fast pace.
const LOOK: Span = Span::from_secs(20);
/// Virtual time before the first command, in which the prepared state settles.
const ARRIVAL: Span = Span::from_secs(10);
/// Longest virtual time of one solution line.
const LINE: Span = Span::from_secs(7 * 86_400);
/// Maximum number of events of one line or between two evaluations.
const FUEL: u64 = 3_000_000;

/// The result of playing a lesson's solutions.
#[derive(Clone, Debug, Default)]
pub struct LessonTrial {
    /// Problems; empty if every check fails before its solution and holds after it.
    pub findings: Vec<Diagnostic>,
    /// The number of steps that were completed.
    pub passed: u32,
    /// Points of each line of the score before the first step.
    pub points_before: Vec<u32>,
    /// Points of each line of the score at the end.
    pub points: Vec<u32>,
    /// Virtual seconds from the start to the end.
    pub seconds: i64,
    /// The terminal's contents, for debugging a lesson.
    pub screen: String,
}

/// Plays a lesson on its site's files.
#[must_use]
pub fn try_out(lesson: &Lesson, files: &SiteFiles) -> LessonTrial {
    let mut setup =
        Setup { site: lesson.site.clone(), files: files.clone(), seed: lesson.seed, start: lesson.start };
    lesson.prepare(&mut setup);
    let mut session = Session::new(setup);
    let mut player = LessonPlayer::new(lesson, &session);
    if let Some(tty) = player.begin(&mut session) {
        player.trial.points_before = player.active.points(session.world());
        for step in &lesson.steps {
            if !player.step(&mut session, tty, step) {
                break;
            }
        }
        player.judge_score(&session);
    }
    player.trial.passed = player.active.passed();
    player.trial.seconds = session.world().now.secs() - lesson.start.secs();
    player.trial
}

/// Plays the preparation and the solutions of the first `steps` steps on a new session. Returns the problem;
/// empty if there was none.
#[must_use]
#[inline(never)]
pub fn play_up_to(lesson: &Lesson, steps: u32, session: &mut Session) -> Vec<Diagnostic> {
    let mut player = LessonPlayer::new(lesson, session);
    if let Some(tty) = player.begin(session) {
        for step in lesson.steps.iter().take(steps as usize) {
            if !player.active.next_holds(session.world()) && !player.solve(session, tty, step) {
                break;
            }
            player.active.pass();
        }
    }
    player.trial.findings
}

struct LessonPlayer {
    active: ActiveLesson,
    trial: LessonTrial,
}

impl LessonPlayer {
    fn new(lesson: &Lesson, session: &Session) -> Self {
        Self { active: ActiveLesson::new(lesson.clone(), 0, session.world()), trial: LessonTrial::default() }
    }

    /// Prepares the cluster, opens a terminal, and waits until the first command.
    fn begin(&mut self, session: &mut Session) -> Option<TtyId> {
        let lesson = self.active.lesson().clone();
        let user = lesson.user_or(first_user(session.world()));
        for input in lesson.preparation(&user, self.active.home()) {
            let what = super::super::journal::describe(&input);
            if let InputResult::Refused(why) = session.apply(input) {
                self.error(0, format!("{what}: {why}"));
            }
        }
        let login = session.apply(Input::Login { user: user.clone(), columns: 100, rows: 40 });
        let InputResult::Terminal(tty) = login else {
            self.error(0, format!("the site {} has no user {user}", lesson.site));
            return None;
        };
        self.settle(session, tty, 0);
        let ready = session.world().now + ARRIVAL;
        session.run_until(ready, FUEL);
        Some(tty)
    }

    /// The lesson's own solution must get at least half of the points, and no line may give all its points
    /// before the first step.
    fn judge_score(&mut self, session: &Session) {
        let lines: Vec<u32> = self.active.lesson().score.iter().map(|award| award.line).collect();
        for (line, points) in lines.iter().zip(self.trial.points_before.clone()) {
            if points > 0 {
                self.error(*line, format!("{points} points are scored before anything is done"));
            }
        }
        self.trial.points = self.active.points(session.world());
        let (all, most) = (self.trial.points.iter().sum::<u32>(), self.active.lesson().most());
        if 2 * all < most {
            let line = lines.first().copied().unwrap_or(0);
            self.error(line, format!("its own solution gets {all} of {most} points"));
        }
    }

    fn error(&mut self, line: u32, message: String) {
        let (severity, file) = (Severity::Error, self.active.lesson().name.clone());
        self.trial.findings.push(Diagnostic { severity, file, line, message });
    }

    /// One step: its check must fail, then its solution is typed, then the check must hold.
    fn step(&mut self, session: &mut Session, tty: TtyId, step: &ParsedStep) -> bool {
        if self.active.next_holds(session.world()) {
            self.error(step.line, format!("the check of \"{}\" passes before its solution", step.title));
            return false;
        }
        let solved = self.solve(session, tty, step);
        if solved && self.active.progress(session.world()).over {
            self.error(step.line, format!("\"{}\" is solved after the lesson's time is up", step.title));
            return false;
        }
        self.read_screen(session, tty);
        if solved {
            self.active.pass();
        }
        solved
    }

    /// Types a step's solution and waits until its check holds.
    fn solve(&mut self, session: &mut Session, tty: TtyId, step: &ParsedStep) -> bool {
        // In the page a step stays done once its check has held.
        let mut held = false;
        for line in &step.solution {
            session.apply(Input::Type(tty, format!("{line}\n").into_bytes()));
            self.settle(session, tty, step.line);
            held |= self.active.next_holds(session.world());
        }
        let end = session.world().now + self.active.lesson().within;
        while !held && !self.active.next_holds(session.world()) {
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

    /// Runs until the shell shows a prompt.
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
        self.error(line, "a line of the solution does not finish".to_owned());
    }

    fn read_screen(&mut self, session: &mut Session, tty: TtyId) {
        if let Some(screen) = session.screen_mut(tty) {
            self.trial.screen.push_str(&String::from_utf8_lossy(&screen.take(usize::MAX)));
        }
    }
}
