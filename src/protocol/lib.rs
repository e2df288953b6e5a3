//! The messages between page and engine, encoded with postcard. The page has no other access to the engine.
//!
//! Back-pressure: the engine sends at most one unacknowledged [`Frame`]. A frame contains only what the page has asked
//! for with [`ToEngine::Subscribe`].

pub mod class;
mod cluster;
pub mod compare;
mod editor;
mod job;
mod lesson;
mod panel;
mod queue;
mod site;
mod travel;
pub mod why;

pub use base::refusal::Refusal;
pub use cluster::{
    CellChanges, ClusterLoad, CoreRun, MachineInfo, NodeCell, NodeDetail, NodeInfo, PartitionInfo, SwitchInfo,
};
pub use editor::{BatchOption, LintFinding};
pub use job::{ArrayMembership, DependencyState, JobDetail, JobPreemption, JobRun, JobUsage};
pub use lesson::{LessonFile, LessonInfo, LessonProgress, LessonStep, MarkdownElement, MarkdownKind};
pub use panel::*;
pub use queue::{Direction, QueueList, QueueRow, QueueRows, QueueWindow, SortBy, StateClass};
pub use site::{FindingSeverity, SiteFinding, SiteReport};
pub use travel::{BranchInfo, TimeLine, TimeMark, TimeMarkKind, Travel};
pub use why::{Remedies, Why};

use class::{ClassSeat, FromClass, ToClass};
use serde::{Deserialize, Serialize};

/// Bumped with every change of these types; page and worker must agree.
pub const VERSION: u32 = 23;

/// Prefix of the names of user-supplied sites.
pub const OWN_SITE: &str = "own-";

/// Virtual time: microseconds since the epoch.
pub type Micros = i64;

/// A message from the page to the engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToEngine {
    /// The first message: start this site, or resume a saved session.
    Start {
        /// Must equal [`VERSION`].
        version: u32,
        /// `inserm`.
        site: String,
        /// The site's files by name.
        files: Vec<(String, String)>,
        /// Seed for background jobs and program models.
        seed: u64,
        /// Virtual start time of a new session.
        start: Micros,
        /// The last [`FromEngine::Saved`]; transferred beside the message.
        saved: Option<Vec<u8>>,
        /// Later journal entries ([`FromEngine::Journaled`]) to replay.
        since: Vec<Vec<u8>>,
        /// Sequence numbers of inputs that crashed the engine and are skipped in the replay.
        set_aside: Vec<u64>,
        /// The lesson, which sets seed and start time; answered by [`FromEngine::Lesson`].
        lesson: Option<LessonFile>,
        /// A shared link to start from; ignored if there is a saved session.
        link: Option<Vec<u8>>,
        /// The seat in a class. Its world begins new, and all inputs come from the class.
        class: Option<ClassSeat>,
    },
    /// Validate these files as a site without starting it; answered by [`FromEngine::SiteRead`].
    ReadSite(Vec<(String, String)>),
    /// Milliseconds of real time since the last tick (at most 100 are used). Sent about 60 times a second.
    Tick(u32),
    /// Acknowledges the last frame after drawing it.
    Ack(u32),
    /// Sets what the page shows.
    Subscribe(Subscription),
    /// Input for a terminal: a complete line with `\n`, or a control character.
    Type {
        /// Which terminal.
        tty: u32,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// Someone started or stopped typing. The clock runs at 1x meanwhile unless the user chose another speed.
    Typing(bool),
    /// The terminal's size.
    Resize {
        /// Which terminal.
        tty: u32,
        /// Width.
        columns: u16,
        /// Height.
        rows: u16,
    },
    /// Complete the word before the cursor; answered by [`FromEngine::Completions`].
    Complete {
        /// Which terminal.
        tty: u32,
        /// The whole line.
        line: String,
        /// Byte offset of the cursor.
        cursor: u32,
        /// Returned in the answer.
        token: u32,
    },
    /// Open a terminal for another user.
    Login(String),
    /// Close a terminal.
    Logout(u32),
    /// Set the speed of virtual time.
    Pace(Pace),
    /// Skip ahead.
    Skip(Skip),
    /// Travel in time.
    Travel(Travel),
    /// List a directory as a user; answered by [`FromEngine::Files`].
    ListFiles {
        /// The user whose home and permissions apply.
        user: String,
        /// Absolute path.
        path: String,
    },
    /// Read a file for the editor; answered by [`FromEngine::File`].
    ReadFile {
        /// The user whose permissions apply.
        user: String,
        /// Absolute path.
        path: String,
    },
    /// Save the editor's text; answered by [`FromEngine::FileSaved`].
    SaveFile {
        /// The user whose permissions apply.
        user: String,
        /// Absolute path.
        path: String,
        /// The text.
        text: String,
    },
    /// Lint a script for the editor; answered by [`FromEngine::Lint`].
    Lint {
        /// The text.
        text: String,
        /// Returned in the answer.
        token: u32,
    },
    /// Send the batch options for the editor's completion; answered once by [`FromEngine::Options`].
    Options,
    /// Find jobs by number, name or user, including finished jobs; answered by [`FromEngine::FoundJobs`].
    FindJobs(String),
    /// Make a link to this moment with this many lesson steps done; answered by [`FromEngine::Link`].
    Share(u32),
    /// Save now; answered by [`FromEngine::Saved`].
    Save,
    /// Report the state hash; answered by [`FromEngine::Hash`]. Doubles as a liveness check.
    Hash,
    /// The page is fully drawn, so the engine may do background preparation.
    Drawn,
    /// From the server of the class.
    Class(ToClass),
}

impl ToEngine {
    /// Attaches the saved bytes that were transferred beside the message.
    #[must_use]
    pub fn with_saved(mut self, bytes: Option<Vec<u8>>) -> Self {
        if let Self::Start { saved, .. } = &mut self {
            *saved = bytes;
        }
        self
    }

    /// Attaches the seat in a class.
    #[must_use]
    pub fn with_class(mut self, seat: Option<ClassSeat>) -> Self {
        if let Self::Start { class, .. } = &mut self {
            *class = seat;
        }
        self
    }
}

/// A message from the engine to the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromEngine {
    /// The worker has loaded; send [`ToEngine::Start`].
    Ready {
        /// Its [`VERSION`].
        version: u32,
    },
    /// A saved session or a link is being opened.
    Opening {
        /// Number of inputs that are applied.
        done: u32,
        /// Number of all inputs.
        total: u32,
    },
    /// The inputs that are not finished: one that is not applied yet, and lines whose terminal has no prompt yet. A crash
    /// may be their fault.
    Unfinished(Vec<u64>),
    /// The session has started.
    Started(Box<Started>),
    /// Answer to [`ToEngine::ReadSite`].
    SiteRead(Box<SiteReport>),
    /// A snapshot of what is subscribed.
    Frame(Box<Frame>),
    /// Terminal output, and the shell's prompt.
    Terminal {
        /// Which terminal.
        tty: u32,
        /// New output.
        output: Vec<u8>,
        /// The prompt, if the shell is waiting for a command.
        prompt: Option<String>,
    },
    /// Whether the terminal's program now reads single keys (raw mode).
    Keys(u32, bool),
    /// A command on a terminal opened this file in the editor (absolute path, may not exist). Saving it ends the
    /// command.
    Edit(u32, String),
    /// The parsed lesson of [`ToEngine::Start`].
    Lesson(Box<LessonInfo>),
    /// Progress in the lesson.
    Passed(LessonProgress),
    /// Why the selected job is pending. Computed in the background and sent again after changes.
    Why(Box<Why>),
    /// A terminal was opened.
    Opened {
        /// Which terminal.
        tty: u32,
        /// Its user.
        user: String,
    },
    /// A terminal's shell ended.
    Closed(u32),
    /// The terminals at another time, with their users. They replace all others and start empty.
    Terminals(Vec<(u32, String)>),
    /// Completion candidates, which replace the text from `start` to the cursor.
    Completions {
        /// From the request.
        token: u32,
        /// Byte offset.
        start: u32,
        /// Full words, sorted.
        words: Vec<String>,
    },
    /// A directory listing.
    Files {
        /// Its path.
        path: String,
        /// Its entries.
        entries: Vec<FileEntry>,
        /// The error, if it failed.
        error: Option<String>,
    },
    /// A file's text.
    File {
        /// Its path.
        path: String,
        /// Its text, or the error.
        text: Result<String, String>,
    },
    /// Result of saving a file.
    FileSaved {
        /// Its path.
        path: String,
        /// The error, if it failed.
        error: Option<String>,
    },
    /// Lint findings of a script.
    Lint {
        /// From the request.
        token: u32,
        /// Findings.
        findings: Vec<LintFinding>,
    },
    /// Batch options for the editor.
    Options(Vec<BatchOption>),
    /// The session, to be stored by the browser.
    Saved {
        /// Journal entries up to this number are included; `None`: all entries sent before this message.
        seq: Option<u64>,
        /// Journal and latest state.
        bytes: Vec<u8>,
    },
    /// The jobs that match the text of [`ToEngine::FindJobs`], best first.
    FoundJobs(String, Vec<QueueRow>),
    /// The link, or the error.
    Link(Result<Vec<u8>, String>),
    /// The state hash.
    Hash(u64),
    /// An input was appended to the journal. Sent before it is executed, so the page can skip it if it crashes the
    /// engine.
    Journaled {
        /// Its sequence number, from 1.
        seq: u64,
        /// The encoded entry.
        entry: Vec<u8>,
        /// Description for the user.
        what: String,
    },
    /// A notice for the user.
    Notice(UserNotice),
    /// A command on this terminal was refused, for this reason.
    Refused(u32, Refusal),
    /// For the server of the class.
    Class(Box<FromClass>),
}

/// The initial data of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct Started {
    pub site: String,
    /// Display name by language code.
    pub title: Vec<(String, String)>,
    pub motd: Vec<(String, String)>,
    pub users: Vec<String>,
    /// Users with their default accounts, if there is accounting.
    pub accounts: Vec<(String, String)>,
    /// Absolute path of the file to open in the editor.
    pub open: Option<String>,
    pub nodes: Vec<NodeInfo>,
    pub partitions: Vec<PartitionInfo>,
    /// Leaf switches, if topology.conf defines any.
    pub switches: Vec<SwitchInfo>,
    /// Diagnostics of the site's files, as text.
    pub diagnostics: Vec<String>,
    /// Whether a saved session was resumed.
    pub resumed: bool,
    pub seed: u64,
}

/// What the page shows and therefore needs in each frame.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subscription {
    /// Node tiles.
    pub cluster: bool,
    /// The visible queue entries.
    pub queue: Option<QueueWindow>,
    /// The current user's own queue entries, which the page shows above the others.
    pub own: Option<QueueWindow>,
    /// Details of this job, by ID as text (`12` or `12_3`).
    pub job: Option<String>,
    /// Details of this node: index into `Started::nodes`.
    pub node: Option<u32>,
    /// The open panel's request.
    pub panel: Option<PanelRequest>,
    /// The time line, with marks for this user's jobs.
    pub line: Option<String>,
    /// The cluster's load over the last day.
    pub load: bool,
}

/// Speed of virtual time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pace {
    /// Stopped. Typed commands still run.
    Paused,
    /// Virtual seconds per real second: 1, 10, 60, 600, 3600.
    Times(u32),
}

/// A target to skip to as fast as possible, at most 30 virtual days ahead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Skip {
    /// The next change of a job or node.
    NextEvent,
    /// One of this user's jobs starts.
    JobStarts(String),
    /// One of this user's jobs ends.
    JobEnds(String),
    /// The queue is empty.
    QueueEmpty,
    /// A time.
    Until(Micros),
    /// Stop skipping.
    Stop,
}

/// A snapshot of what the page shows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct Frame {
    /// Number to acknowledge.
    pub number: u32,
    /// The virtual time that the frame shows.
    pub now: Micros,
    /// Virtual seconds per real second.
    pub pace: u32,
    pub paused: bool,
    /// Slowed to 1x because someone is typing.
    pub held: bool,
    pub skipping: bool,
    /// The frame shows the past.
    pub past: bool,
    /// The engine cannot keep up with the requested speed.
    pub behind: bool,
    /// Number of pending jobs.
    pub pending: u32,
    /// Number of running jobs.
    pub running: u32,
    /// Nodes and partitions, if they changed (`scontrol reconfigure`, time travel).
    pub machine: Option<Box<MachineInfo>>,
    pub cluster: Option<CellChanges>,
    pub queue: Option<QueueRows>,
    pub own: Option<QueueRows>,
    pub job: Option<Box<JobDetail>>,
    /// The requested job has not been submitted yet: the frame shows an earlier moment.
    pub unsubmitted: bool,
    pub node: Option<Box<NodeDetail>>,
    /// `None` if nothing was requested or nothing changed.
    pub panel: Option<Box<PanelAnswer>>,
    pub line: Option<Box<TimeLine>>,
    /// `None` if it was sent a moment ago.
    pub load: Option<Box<ClusterLoad>>,
}

/// A directory entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct FileEntry {
    pub name: String,
    pub directory: bool,
    /// Bytes.
    pub size: u64,
    pub modified: Micros,
}

/// A notice for the user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum UserNotice {
    /// The saved session could not be used, with the reason. A new one was started; the saved bytes are offered for
    /// download.
    SavedUnreadable(String),
    /// There was no usable state, or the replay gave a different one: the inputs were replayed.
    Rebuilt(String),
    /// Something about a session that was opened: sentences.
    Session(String),
    /// An input crashed the engine and is skipped from now on.
    InputSetAside(String),
    /// A limit was reached.
    Bound(String),
    /// The site's files could not be used.
    Site(String),
    /// A link could not be opened.
    Link(String),
    /// A skip ended without reaching its target.
    Idle(Idle),
}

/// Why a skip did not reach its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Idle {
    /// None of the user's jobs is pending.
    NoneWaits,
    /// The user has no jobs in the queue.
    NoneRuns,
    /// The queue is already empty.
    QueueEmpty,
    /// The target is in the past.
    Past,
    /// It did not happen within 30 days.
    TooFar,
    /// No job or node can change before the next input.
    AtRest,
}
