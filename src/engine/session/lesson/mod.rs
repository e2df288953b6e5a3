//! Lessons: Markdown files whose steps detect when they are done.
//!
//! `docs/lessons.md` describes the format. [`Lesson::read`] parses a file, [`ActiveLesson`] tracks a user's
//! progress, and [`try_out`] plays the lesson's own solutions. A lesson is untrusted text, so parsing is
//! bounded. Only the commands of its `start` blocks and solutions are executed, inside the simulation, like any
//! command that a user types.

mod active;
mod check;
mod class;
mod markdown;
mod read;
mod trial;

pub use active::{ActiveLesson, first_user};
pub use check::fields_of_checks;
pub use class::class_lesson;
pub use trial::{LessonTrial, play_up_to, try_out};

use crate::session::recorded::Setup;
use crate::world::Input;
use base::diagnostic::Diagnostic;
use base::time::{Span, Time};
use check::{Award, Claim};
use protocol::{LessonInfo, LessonProgress, LessonStep, MarkdownElement};

/// Largest file, in bytes.
pub const MAX_FILE: usize = 256 << 10;

/// A lesson.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The name under which it was opened.
    pub name: String,
    /// The displayed title.
    pub title: String,
    /// `en`, `fr`.
    pub language: String,
    /// The site's name.
    pub site: String,
    /// The user of the lesson's terminal; empty for the site's first user.
    pub user: String,
    /// The session's seed.
    pub seed: u64,
    /// The session's first moment.
    pub start: Time,
    /// A solution must take effect within this time.
    pub within: Span,
    /// End of the lesson's time: later steps do not count.
    pub until: Option<Time>,
    /// Amount of background jobs; empty for none.
    pub background: String,
    /// The text before the first step.
    intro: Vec<MarkdownElement>,
    /// The criteria that give points; empty if the lesson has no score.
    score: Vec<Award>,
    /// Inputs that prepare the cluster.
    begin: Vec<Preparation>,
    /// The steps, in order.
    pub steps: Vec<ParsedStep>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct ParsedStep {
    /// Its line number in the file.
    pub line: u32,
    /// The displayed title.
    pub title: String,
    text: Vec<MarkdownElement>,
    hints: Vec<Vec<MarkdownElement>>,
    check: Vec<Claim>,
    /// Command lines that solve it.
    pub solution: Vec<String>,
}

/// An instruction that prepares the cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Preparation {
    /// `start USER`: a command line; without a name, the lesson's user runs it.
    Run { user: String, command: String },
    /// `file PATH`
    Save { path: String, text: String },
}

impl Lesson {
    /// Parses a file. If there is an error among the diagnostics, the lesson has no steps.
    #[must_use]
    #[inline(never)]
    pub fn read(name: &str, text: &str) -> (Self, Vec<Diagnostic>) {
        read::read(name, text)
    }

    /// The user of the lesson's terminal; `first` is the site's first user.
    #[must_use]
    pub fn user_or(&self, first: &str) -> String {
        if self.user.is_empty() { first.to_owned() } else { self.user.clone() }
    }

    /// Applies the lesson's settings to the start of a session.
    pub fn prepare(&self, setup: &mut Setup) {
        (setup.seed, setup.start) = (self.seed, self.start);
        setup.files.0.remove("background");
        if !self.background.is_empty() {
            setup.files.0.insert("background".to_owned(), self.background.clone());
        }
    }

    /// The inputs that prepare the cluster, for `user` with this home directory.
    #[must_use]
    pub fn preparation(&self, user: &str, home: &str) -> Vec<Input> {
        let who = |named: &str| if named.is_empty() { user.to_owned() } else { named.to_owned() };
        let input = |deed: &Preparation| match deed {
            Preparation::Run { user, command } => Input::Run { user: who(user), command: command.clone() },
            Preparation::Save { path, text } => Input::Save {
                user: user.to_owned(),
                path: path.strip_prefix('~').map_or_else(|| path.clone(), |rest| format!("{home}{rest}")),
                data: text.clone().into_bytes(),
            },
        };
        self.begin.iter().map(input).collect()
    }

    /// The maximum score.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.score.iter().map(|award| award.points).sum()
    }

    /// The lesson for the page.
    #[must_use]
    pub fn info(&self, user: String, progress: LessonProgress, findings: &[Diagnostic]) -> LessonInfo {
        let step = |step: &ParsedStep| LessonStep {
            title: step.title.clone(),
            text: step.text.clone(),
            hints: step.hints.clone(),
            solution: step.solution.clone(),
        };
        LessonInfo {
            name: self.name.clone(),
            title: self.title.clone(),
            language: self.language.clone(),
            user,
            intro: self.intro.clone(),
            steps: self.steps.iter().map(step).collect(),
            progress,
            until: self.until.map(|at| at.0),
            most: self.most(),
            findings: findings.iter().map(ToString::to_string).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
