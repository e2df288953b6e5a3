//! Lessons: a Markdown file whose steps notice by themselves when they are done.
//!
//! `docs/lessons.md` describes the file. [`Lesson::read`] reads one, [`Underway`] is one that somebody does, [`try_out`] plays
//! a lesson's own solutions. A lesson is text from anywhere: reading it is bounded, and nothing in it is more than text, but
//! for the commands of its `start` blocks and solutions, which run in the simulation like any that a person types.

mod check;
mod inline;
mod markdown;
mod read;
mod trial;
mod underway;

pub use trial::{Trial, play_up_to, try_out};
pub use underway::{Underway, first_user};

use crate::base::diagnostic::Diagnostic;
use crate::base::time::{Span, Time};
use crate::protocol::{LessonInfo, LessonStep, Piece, Standing};
use crate::session::recorded::Setup;
use crate::world::Input;
use check::{Award, Claim};

/// Largest file, bytes.
pub const MAX_FILE: usize = 256 << 10;

/// A lesson.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// The name it was opened by.
    pub name: String,
    /// For people.
    pub title: String,
    /// `en`, `fr`.
    pub language: String,
    /// The site's name.
    pub site: String,
    /// Whose terminal it is done at; empty: the site's first user.
    pub user: String,
    /// The session's seed.
    pub seed: u64,
    /// The session's first moment.
    pub start: Time,
    /// A solution must have its effect within this time.
    pub within: Span,
    /// When its time is over: no step counts from then on.
    pub until: Option<Time>,
    /// How much other people's work there is; empty: none.
    pub background: String,
    /// What stands before the first step.
    intro: Vec<Piece>,
    /// What there are points for; nothing: the lesson gives none.
    score: Vec<Award>,
    /// What happens before the person comes.
    begin: Vec<Deed>,
    /// In their order.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its line in the file.
    pub line: u32,
    /// For people.
    pub title: String,
    text: Vec<Piece>,
    hints: Vec<Vec<Piece>>,
    check: Vec<Claim>,
    /// Lines that solve it.
    pub solution: Vec<String>,
}

/// A part of the starting state.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Deed {
    /// `start USER`: a command line; without a name the lesson's user.
    Run { user: String, command: String },
    /// `file PATH`
    Save { path: String, text: String },
}

impl Lesson {
    /// Reads a file; with an error among the findings there are no steps.
    #[must_use]
    #[inline(never)]
    pub fn read(name: &str, text: &str) -> (Self, Vec<Diagnostic>) {
        read::read(name, text)
    }

    /// Whose terminal it is done at, where `first` is the site's first user.
    #[must_use]
    pub fn user_or(&self, first: &str) -> String {
        if self.user.is_empty() { first.to_owned() } else { self.user.clone() }
    }

    /// What a session for it starts from, on its site's files.
    pub fn prepare(&self, setup: &mut Setup) {
        (setup.seed, setup.start) = (self.seed, self.start);
        setup.files.0.remove("background");
        if !self.background.is_empty() {
            setup.files.0.insert("background".to_owned(), self.background.clone());
        }
    }

    /// The inputs of its starting state, for `user` whose home is given.
    #[must_use]
    pub fn beginning(&self, user: &str, home: &str) -> Vec<Input> {
        let who = |named: &str| if named.is_empty() { user.to_owned() } else { named.to_owned() };
        let input = |deed: &Deed| match deed {
            Deed::Run { user, command } => Input::Run { user: who(user), command: command.clone() },
            Deed::Save { path, text } => Input::Save {
                user: user.to_owned(),
                path: path.strip_prefix('~').map_or_else(|| path.clone(), |rest| format!("{home}{rest}")),
                data: text.clone().into_bytes(),
            },
        };
        self.begin.iter().map(input).collect()
    }

    /// Most points that can be had.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.score.iter().map(|award| award.points).sum()
    }

    /// For the page.
    #[must_use]
    pub fn info(&self, user: String, standing: Standing, findings: &[Diagnostic]) -> LessonInfo {
        let step = |step: &Step| LessonStep {
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
            standing,
            until: self.until.map(|at| at.0),
            most: self.most(),
            findings: findings.iter().map(ToString::to_string).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
