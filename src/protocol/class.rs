//! A class that shares one cluster: the inputs in the order of its server, and what a tab wants to add.
//!
//! In a class the engine applies no input by itself. It tells the page what the user wants; the page sends that to the
//! server, and the entries that come back are applied at their numbers and times. The engine knows nothing of networks.

use super::{LessonFile, LessonInfo, LessonProgress, Micros, Pace};
use serde::{Deserialize, Serialize};

/// An input with its position in the class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassEntry {
    /// From 1, without gaps.
    pub number: u64,
    /// The virtual time. Everything that is due until then happens before.
    pub time: Micros,
    /// The participant.
    pub seat: u32,
    /// The number that the participant gave to the request; 0 if the server added it.
    pub token: u64,
    /// The action.
    pub action: ClassAction,
}

/// An action of a participant or of the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClassAction {
    /// A user is added to the cluster.
    Enrol(String),
    /// Root runs a command without a terminal.
    Administer(String),
    /// A terminal is opened. The logins of a seat are numbered from 1.
    Login {
        /// Login name.
        user: String,
        /// Width.
        columns: u16,
        /// Height.
        rows: u16,
    },
    /// The seat's terminal of this number is closed.
    Logout(u32),
    /// Input for the seat's terminal of this number: complete lines with `\n`, or control characters.
    Type(u32, Vec<u8>),
    /// The size of the seat's terminal of this number.
    Resize(u32, u16, u16),
    /// The editor saves a file.
    Save {
        /// The user whose permissions apply.
        user: String,
        /// Absolute path.
        path: String,
        /// The text.
        text: String,
    },
    /// A message on all terminals (`wall`).
    Announce(String),
    /// A command of the lesson's preparation, run without a terminal.
    Prepare {
        /// Its user.
        user: String,
        /// The command line.
        command: String,
    },
    /// A teacher types into the terminal of a participant whose hand is up.
    Help {
        /// The participant.
        seat: u32,
        /// The number of the terminal's login.
        terminal: u32,
        /// Complete lines with `\n`, or control characters.
        bytes: Vec<u8>,
    },
}

/// A lesson that a class does, with what prepares the cluster for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassLesson {
    /// Its name, which relative addresses in it start from.
    pub name: String,
    /// The file's text.
    pub text: String,
    /// The preparation.
    pub deeds: Vec<LessonDeed>,
}

/// A part of a lesson's preparation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LessonDeed {
    /// A user of the site runs a command, once.
    Once {
        /// The user.
        user: String,
        /// The command line.
        command: String,
    },
    /// Each participant runs a command.
    Each(String),
    /// Each participant gets a file. `~/` is their home directory.
    File {
        /// The path.
        path: String,
        /// The text.
        text: String,
    },
}

/// The seat of this tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSeat {
    /// Its number.
    pub seat: u32,
    /// Its login name.
    pub user: String,
    /// It leads the class: clock, announcements, other users.
    pub teacher: bool,
    /// The first number for a request.
    pub token: u64,
    /// The number of the last entry at the time of its arrival.
    pub last: u64,
}

/// From the server, through the page, to the engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToClass {
    /// The next entries.
    Ordered(Vec<ClassEntry>),
    /// The world may run to this time.
    Until(Micros, Pace),
    /// The server refused a request.
    Refused(u64, String),
    /// From a panel of the page: the teacher wants this.
    Teach(ClassAction),
    /// From the teacher's dashboard: report the work of all participants.
    Report,
    /// The lesson of the class, whose steps count after the entry of this number; none: no lesson.
    Lesson(Option<Box<ClassLesson>>, u64),
    /// From the teacher's dashboard: read this file as the next lesson.
    ReadLesson(LessonFile),
    /// Report the terminal of a participant, or of all: in a teacher's tab any, in others the one that is shown to all.
    Screens(Option<u32>),
    /// The participant whose terminal is shown to all.
    Shown(Option<u32>),
    /// From the teacher's dashboard: make a recording of the class, with pseudonyms if true.
    Record(bool),
}

/// From the engine, through the page, to the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FromClass {
    /// The user wants this.
    Request(u64, ClassAction),
    /// The hash of the state before an entry.
    Hash(u64, u64),
    /// The teacher sets the clock.
    Pace(Pace),
    /// The teacher skips to a time.
    Skip(Micros),
    /// The entries cannot be applied: this tab has to start again.
    Lost(String),
    /// The participants' work, for the teacher's dashboard.
    Report(Vec<ClassWork>),
    /// The lesson that the teacher has chosen, or why it cannot be used.
    Lesson(Result<Box<ClassLesson>, String>),
    /// The class's lesson as this tab shows it; none: no lesson.
    Opened(Option<Box<LessonInfo>>),
    /// Another step of this tab's participant is done, or the points changed.
    Passed(LessonProgress),
    /// Terminals that are looked at.
    Screens(Vec<ClassScreen>),
    /// A recording of the class.
    Recorded(Box<RecordedClass>),
}

/// A recording of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordedClass {
    /// A saved session with all inputs.
    pub session: Vec<u8>,
    /// With pseudonyms: names that stay in texts, because they are words of commands or of the site, too.
    pub kept: Vec<String>,
}

/// A participant's terminal: the one that was typed in last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassScreen {
    /// The participant.
    pub seat: u32,
    /// The number of the terminal's login.
    pub terminal: u32,
    /// Its width.
    pub columns: u16,
    /// Its height.
    pub rows: u16,
    /// The end of its output, with the prompt.
    pub output: Vec<u8>,
}

/// The work of a participant, as a teacher's tab computes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassWork {
    /// The participant.
    pub seat: u32,
    /// Commands that have ended.
    pub commands: u32,
    /// Commands that have failed since the last success.
    pub failures: u32,
    /// Seconds of real time since the last success, or since the first command.
    pub quiet: Option<u32>,
    /// Pending jobs.
    pub pending: u32,
    /// Running jobs.
    pub running: u32,
    /// Completed jobs.
    pub completed: u32,
    /// Jobs that failed, by themselves or at a limit.
    pub failed: u32,
    /// Jobs that were cancelled or preempted.
    pub cancelled: u32,
    /// The progress in the class's lesson.
    pub lesson: Option<ClassStep>,
}

/// How far a participant is in the class's lesson.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassStep {
    /// Steps that are done.
    pub passed: u32,
    /// Steps of the lesson.
    pub total: u32,
    /// Points.
    pub points: u32,
    /// Seconds of real time on the step, as long as this tab has been open.
    pub seconds: u32,
    /// Commands that failed on the step.
    pub failures: u32,
}
