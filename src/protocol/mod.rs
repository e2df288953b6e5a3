//! The messages between page and engine, as postcard bytes. The page knows nothing else of the engine.
//!
//! The engine sends at most one unacknowledged [`Frame`]; the page says what is visible with
//! [`ToEngine::Subscribe`], and only that is in a frame.

mod account;
mod admin;
mod charts;
mod cluster;
mod editor;
mod gantt;
mod graph;
mod job;
mod lesson;
mod panel;
mod preempt;
mod priority;
mod queue;
mod shares;
mod site;
mod travel;
pub mod why;

pub use account::{AccountPicture, AccountRow};
pub use admin::{AdminNames, AdminPicture, NodeKind, Subject};
pub use charts::{ChartsPicture, UseRow, WaitRow};
pub use cluster::{
    CellChanges, CoreRun, MachineInfo, NodeCell, NodeDetail, NodeInfo, PartitionInfo, SwitchInfo,
};
pub use editor::{Finding, OptionHelp};
pub use gantt::{BarKind, GanttBar, GanttFrame, GanttPicture, GanttWindow};
pub use graph::{ArrayRow, EdgeStanding, GraphEdge, GraphJob, GraphPicture};
pub use job::{ArrayPlace, DependsOn, JobDetail, Pushed, Run, Used};
pub use lesson::{LessonFile, LessonInfo, LessonStep, Piece, PieceKind, Standing};
pub use panel::{Ask, Picture};
pub use preempt::{PreemptJob, PreemptPicture, PreemptRow};
pub use priority::{HeldJob, Part, PriorityPicture, PriorityRow, Weight};
pub use queue::{Direction, QueueList, QueueRow, QueueRows, QueueWindow, SortBy, StateClass};
pub use shares::{ShareRow, SharesPicture, SharesWish};
pub use site::{SiteFinding, SiteReport, Weightiness};
pub use travel::{FutureInfo, Mark, MarkKind, TimeLine, Travel};
pub use why::{Changes, Why};

use serde::{Deserialize, Serialize};

/// Bumped with every change of these types; page and worker must agree.
pub const VERSION: u32 = 14;

/// What the names of sites begin with that people bring themselves.
pub const OWN_SITE: &str = "own-";

/// Virtual time: microseconds since the epoch.
pub type Micros = i64;

/// From the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ToEngine {
    /// First message: start this site, or go on with what was saved.
    Start {
        /// Must equal [`VERSION`].
        version: u32,
        /// `inserm`.
        site: String,
        /// The site's files by name.
        files: Vec<(String, String)>,
        /// For background work and models.
        seed: u64,
        /// Virtual start time of a fresh session.
        start: Micros,
        /// What [`FromEngine::Saved`] gave last time; it travels beside the message.
        saved: Option<Vec<u8>>,
        /// Journal entries that came after it ([`FromEngine::Journaled`]): replayed.
        since: Vec<Vec<u8>>,
        /// Sequence numbers of inputs that made the engine fail: left out of the replay.
        set_aside: Vec<u64>,
        /// The lesson that is done, which says seed and start; answered by [`FromEngine::Lesson`].
        lesson: Option<LessonFile>,
        /// A moment that somebody shared, to begin at; not where something was saved.
        link: Option<Vec<u8>>,
    },
    /// Read these files as a site, without starting anything; answered by [`FromEngine::SiteRead`].
    ReadSite(Vec<(String, String)>),
    /// Real time went by, milliseconds since the last one (at most 100 are used). Sent about 60 times a second.
    Tick(u32),
    /// The last frame was drawn.
    Ack(u32),
    /// What is visible.
    Subscribe(Subscription),
    /// Bytes for the current terminal: a finished line with `\n`, or a control character.
    Type {
        /// Which terminal.
        tty: u32,
        /// What.
        bytes: Vec<u8>,
    },
    /// Someone is typing (or stopped): the clock goes at 1x meanwhile, unless they chose otherwise.
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
    /// Candidates for what stands before the cursor; answered by [`FromEngine::Completions`].
    Complete {
        /// Which terminal.
        tty: u32,
        /// The whole line.
        line: String,
        /// Byte offset of the cursor.
        cursor: u32,
        /// Given back in the answer.
        token: u32,
    },
    /// A terminal for another user.
    Login(String),
    /// Close a terminal.
    Logout(u32),
    /// How fast.
    Pace(Pace),
    /// Skip ahead.
    Skip(Skip),
    /// Go elsewhere in time.
    Travel(Travel),
    /// List a directory of the user; answered by [`FromEngine::Files`].
    ListFiles {
        /// Whose home and permissions.
        user: String,
        /// Absolute path.
        path: String,
    },
    /// Read a file for the editor; answered by [`FromEngine::File`].
    ReadFile {
        /// Whose permissions.
        user: String,
        /// Absolute path.
        path: String,
    },
    /// Save the editor's text; answered by [`FromEngine::FileSaved`].
    SaveFile {
        /// Whose permissions.
        user: String,
        /// Absolute path.
        path: String,
        /// The text.
        text: String,
    },
    /// Check a script for the editor; answered by [`FromEngine::Lint`].
    Lint {
        /// The text.
        text: String,
        /// Given back in the answer.
        token: u32,
    },
    /// Options for completion in the editor; answered by [`FromEngine::Options`], once.
    Options,
    /// The moment as a link, with so many steps of the lesson done; answered by [`FromEngine::Link`].
    Share(u32),
    /// Save now; answered by [`FromEngine::Saved`].
    Save,
    /// The world's hash; answered by [`FromEngine::Hash`]. A worker that hangs says nothing.
    Hash,
    /// All of the page is drawn: what the engine makes ready beside it is in nobody's way.
    Drawn,
}

impl ToEngine {
    /// A start with what was saved, which comes beside it.
    #[must_use]
    pub fn with_saved(mut self, bytes: Option<Vec<u8>>) -> Self {
        if let Self::Start { saved, .. } = &mut self {
            *saved = bytes;
        }
        self
    }
}

/// To the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FromEngine {
    /// The worker is there; send [`ToEngine::Start`].
    Ready {
        /// Its [`VERSION`].
        version: u32,
    },
    /// The session runs.
    Started(Box<Started>),
    /// What the files of [`ToEngine::ReadSite`] are.
    SiteRead(Box<SiteReport>),
    /// A picture of what is subscribed.
    Frame(Box<Frame>),
    /// Output of a terminal, and whether its shell wants a line.
    Terminal {
        /// Which.
        tty: u32,
        /// New output.
        output: Vec<u8>,
        /// The prompt, when it wants a command.
        prompt: Option<String>,
    },
    /// Whether a program takes a terminal's keys one by one from now on.
    Keys(u32, bool),
    /// An editor was called for on a terminal, for this file (absolute; it need not exist). Saving it ends the editor.
    Edit(u32, String),
    /// The lesson that [`ToEngine::Start`] brought.
    Lesson(Box<LessonInfo>),
    /// How far it is done.
    Passed(Standing),
    /// Why the selected job waits, worked out beside the frames; again when the cluster has changed.
    Why(Box<Why>),
    /// A terminal was opened.
    Opened {
        /// Which.
        tty: u32,
        /// Whose.
        user: String,
    },
    /// A terminal's shell ended.
    Closed(u32),
    /// The terminals of another moment, with whose they are: no others are open, and all begin empty.
    Terminals(Vec<(u32, String)>),
    /// Candidates: what replaces the text from `start` to the cursor.
    Completions {
        /// From the question.
        token: u32,
        /// Byte offset.
        start: u32,
        /// Full words, sorted.
        words: Vec<String>,
    },
    /// A directory.
    Files {
        /// Which.
        path: String,
        /// Its entries.
        entries: Vec<FileEntry>,
        /// Why not.
        error: Option<String>,
    },
    /// A file's text.
    File {
        /// Which.
        path: String,
        /// Its text.
        text: Result<String, String>,
    },
    /// Saved, or why not.
    FileSaved {
        /// Which.
        path: String,
        /// Why not.
        error: Option<String>,
    },
    /// What is wrong with a script.
    Lint {
        /// From the question.
        token: u32,
        /// Findings.
        findings: Vec<Finding>,
    },
    /// Batch options for the editor.
    Options(Vec<OptionHelp>),
    /// The session for the browser's storage.
    Saved {
        /// What was journaled up to this number is in there; none: all that was journaled before this message.
        seq: Option<u64>,
        /// Journal and latest state.
        bytes: Vec<u8>,
    },
    /// The moment as a link, or why not.
    Link(Result<Vec<u8>, String>),
    /// The state's hash.
    Hash(u64),
    /// An input was taken into the journal; sent before it is carried out, so that the page can set it aside if the
    /// engine dies of it.
    Journaled {
        /// Its sequence number, from 1.
        seq: u64,
        /// The entry.
        entry: Vec<u8>,
        /// In words, for the person.
        what: String,
    },
    /// Something to tell the person: a bound was hit, a saved session could not be read, an input was set aside.
    Notice(Notice),
}

/// What a session starts with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Started {
    pub site: String,
    /// Name for people by language code.
    pub title: Vec<(String, String)>,
    pub motd: Vec<(String, String)>,
    pub users: Vec<String>,
    /// Absolute path of the file to open in the editor.
    pub open: Option<String>,
    pub nodes: Vec<NodeInfo>,
    pub partitions: Vec<PartitionInfo>,
    /// Switches of the lowest level, where topology.conf names them.
    pub switches: Vec<SwitchInfo>,
    /// Findings in the site's files, as text.
    pub diagnostics: Vec<String>,
    /// Whether a saved session was taken up.
    pub resumed: bool,
    pub seed: u64,
}

/// What the page wants to see.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subscription {
    /// Node tiles.
    pub cluster: bool,
    /// Rows of the queue.
    pub queue: Option<QueueWindow>,
    /// A job's details, by the id as text (`12` or `12_3`).
    pub job: Option<String>,
    /// A node's details: index into `Started::nodes`.
    pub node: Option<u32>,
    /// What the open panel shows.
    pub panel: Option<Ask>,
    /// The time line, with the marks of this person's jobs.
    pub line: Option<String>,
}

/// How fast virtual time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pace {
    /// Not at all. Typed commands still run.
    Paused,
    /// So many virtual seconds a second: 1, 10, 60, 600, 3600.
    Times(u32),
}

/// Where to skip to, as fast as possible; ends at a bound of 30 virtual days.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Skip {
    /// The next moment when something happens to a job or node.
    NextEvent,
    /// Some job of the user starts.
    JobStarts(String),
    /// Some job of the user ends.
    JobEnds(String),
    /// No jobs are left.
    QueueEmpty,
    /// A moment.
    Until(Micros),
    /// Stop skipping.
    Stop,
}

/// A picture of the moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct Frame {
    /// To be acknowledged.
    pub number: u32,
    pub now: Micros,
    /// `Tue 14:07:31` is made by the page from `now`.
    pub pace: u32,
    pub paused: bool,
    /// The pace is held down to 1x because someone types.
    pub held: bool,
    pub skipping: bool,
    /// It is the past that is shown.
    pub past: bool,
    /// The engine cannot keep up with the pace: what it really did per second.
    pub behind: bool,
    pub pending: u32,
    pub running: u32,
    /// Nodes and partitions, when they are others than before (`scontrol reconfigure`, another moment).
    pub machine: Option<Box<MachineInfo>>,
    pub cluster: Option<CellChanges>,
    pub queue: Option<QueueRows>,
    pub job: Option<Box<JobDetail>>,
    pub node: Option<Box<NodeDetail>>,
    /// None: nothing was asked for, or it is as it was a moment ago.
    pub panel: Option<Box<Picture>>,
    pub line: Option<Box<TimeLine>>,
}

/// A directory entry.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct FileEntry {
    pub name: String,
    pub directory: bool,
    pub size: u64,
    pub modified: Micros,
}

/// Something to tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Notice {
    /// The saved session could not be used, and why; a new one was started. What was in it is given back for download.
    SavedUnreadable(String),
    /// An input made the engine fail and is left out from now on.
    InputSetAside(String),
    /// A bound was hit.
    Bound(String),
    /// The site's files could not be used.
    Site(String),
    /// A link could not be opened.
    Link(String),
    /// A skip ended before it came to anything.
    Idle(Idle),
}

/// Why a skip came to nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Idle {
    /// No job of the person's waits.
    NoneWaits,
    /// No job of theirs is in the queue.
    NoneRuns,
    /// The queue is empty already.
    QueueEmpty,
    /// The moment is past.
    Past,
    /// Nothing of the kind happened within 30 days.
    TooFar,
}
