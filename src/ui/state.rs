//! What the page knows: signals that the panels draw from, set by the messages of the engine and by the person.

use super::gantt;
use super::i18n::{Lang, Words};
use super::js;
use super::layout;
use super::panels::{self, Panel};
use super::storage;
pub use super::zones::{Part, Turn, Zone};
use crate::protocol::{
    CellChanges, Changes, FileEntry, Frame, GanttWindow, JobDetail, LessonInfo, MachineInfo, Micros,
    NodeCell, NodeDetail, Picture, QueueList, QueueRows, QueueWindow, SharesWish, SiteReport, Standing,
    Started, Subject, Subscription, TimeLine, ToEngine, Why,
};
use crate::view::layout::Layout;
use crate::view::number::grouped;
use crate::view::results::Outcome;
use leptos::prelude::*;
use std::sync::Arc;

/// Stands for all nodes where single ones are listed.
pub const EVERY_NODE: u32 = u32::MAX;

/// What is selected: one thing in the whole page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A job, by its id as text.
    Job(String),
    /// A node, by its index.
    Node(u32),
}

/// A site that somebody brings.
#[derive(Clone, Debug)]
pub enum Own {
    /// Files are to be chosen.
    Choose,
    /// The engine reads them.
    Reading,
    /// What it made of them.
    Read(Arc<SiteReport>),
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system says.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// Its name in storage and style sheet.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// From its name.
    pub fn from_name(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::Auto,
        }
    }
}

/// The clock's part of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    pub now: Micros,
    pub pace: u32,
    pub paused: bool,
    pub held: bool,
    pub skipping: bool,
    /// It is the past that is shown.
    pub past: bool,
    pub behind: bool,
    pub pending: u32,
    pub running: u32,
}

/// What a notice offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// Nothing.
    None,
    /// Bytes for download.
    Download(Arc<Vec<u8>>),
    /// A fresh worker.
    Restart,
}

/// Something told to the person.
#[derive(Clone, Debug)]
pub struct Note {
    pub id: u32,
    /// In the page's language.
    pub text: fn(&Words) -> &'static str,
    /// What the engine or browser said.
    pub detail: String,
    pub offer: Offer,
}

/// A terminal of the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terminal {
    pub tty: u32,
    pub user: String,
}

/// A directory that is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    pub path: String,
    pub entries: Vec<FileEntry>,
}

/// The whole page. A handful of signals, so copying it is free.
#[derive(Clone, Copy)]
pub struct Page {
    pub lang: RwSignal<Lang>,
    pub theme: RwSignal<Theme>,
    /// The theme in effect.
    pub dark: RwSignal<bool>,
    pub zone: RwSignal<Zone>,
    pub layout: RwSignal<Layout>,
    /// Where the person was last.
    pub part: RwSignal<Part>,
    /// What has all of the page.
    pub maximised: RwSignal<Option<Part>>,
    /// The finder is open ...
    pub finder: RwSignal<bool>,
    /// ... or the composer ...
    pub composer: RwSignal<bool>,
    /// ... or the tour, at this card.
    pub tour: RwSignal<Option<usize>>,
    pub site: RwSignal<String>,
    pub sites: RwSignal<Vec<String>>,
    /// Who types.
    pub user: RwSignal<String>,
    pub started: RwSignal<Option<Arc<Started>>>,
    pub terminals: RwSignal<Vec<Terminal>>,
    /// The terminal that was chosen among those of who types.
    pub front: RwSignal<Option<u32>>,
    /// Whose new terminal comes to the front when it opens.
    pub awaited: RwSignal<Option<String>>,
    /// All terminals are seen, side by side.
    pub beside: RwSignal<bool>,
    /// Whether the current terminal's shell wants a line.
    pub prompted: RwSignal<bool>,
    /// The piece of the page that was drawn last.
    pub turn: RwSignal<Turn>,
    /// Counts the prompts: files may have changed.
    pub prompts: RwSignal<u32>,
    pub screen_reader: RwSignal<bool>,
    pub clock: RwSignal<Clock>,
    /// The pace that was chosen last, for a clock that stands still.
    pub paced: RwSignal<u32>,
    pub cells: RwSignal<Vec<NodeCell>>,
    /// Nodes that changed since the picture was painted last.
    pub dirty: StoredValue<Vec<u32>>,
    pub queue: RwSignal<QueueRows>,
    pub queue_window: RwSignal<QueueWindow>,
    pub selection: RwSignal<Selection>,
    pub job: RwSignal<Option<Box<JobDetail>>>,
    /// Why the selected job waits.
    pub why: RwSignal<Option<Arc<Why>>>,
    pub node: RwSignal<Option<Box<NodeDetail>>>,
    /// The open panel of the lower right ...
    pub panel: RwSignal<Panel>,
    /// ... and what the engine gave it.
    pub picture: RwSignal<Option<Box<Picture>>>,
    /// The array whose tasks are shown; none: the newest.
    pub array: RwSignal<Option<u32>>,
    /// What is supposed of shares.
    pub supposed: RwSignal<SharesWish>,
    /// Seconds that the charts show; 0: all.
    pub charted: RwSignal<u32>,
    /// The filter of accounting.
    pub looked_up: RwSignal<String>,
    /// What of the timeline is seen.
    pub gantt: RwSignal<GanttWindow>,
    /// From the start to what is planned.
    pub line: RwSignal<Option<Box<TimeLine>>>,
    /// What the administrator looks at.
    pub administered: RwSignal<Subject>,
    /// The lesson that is open ...
    pub lesson: RwSignal<Option<Arc<LessonInfo>>>,
    /// ... and how many of its steps are done ...
    pub passed: RwSignal<u32>,
    /// ... with the points, and whether its time is over.
    pub standing: RwSignal<Standing>,
    /// A site that somebody brings, while its dialog is open.
    pub own: RwSignal<Option<Own>>,
    /// Participants' results, while they are looked at.
    pub results: RwSignal<Option<Vec<Outcome>>>,
    /// Big and clear, for a whole room.
    pub projector: RwSignal<bool>,
    pub listing: RwSignal<Listing>,
    pub notes: RwSignal<Vec<Note>>,
    pub storage_works: RwSignal<bool>,
    /// What the last submission printed, until the next command: it may be a refusal.
    pub refused: RwSignal<String>,
    /// The last job that was submitted in this visit, for the first steps.
    pub last_job: RwSignal<Option<String>>,
}

impl Page {
    /// With the settings of an earlier visit.
    pub fn new() -> Self {
        let browser = web_sys::window().and_then(|w| w.navigator().language()).unwrap_or_default();
        let asked = |name| Some(js::address(name)).filter(|value| !value.is_empty());
        let lang = asked("lang").or_else(|| storage::get("language")).unwrap_or(browser);
        let lang = Lang::from_code(&lang);
        let theme = asked("theme")
            .or_else(|| storage::get("theme"))
            .map_or(Theme::Auto, |name| Theme::from_name(&name));
        Self {
            lang: RwSignal::new(lang),
            theme: RwSignal::new(theme),
            dark: RwSignal::new(false),
            zone: RwSignal::new(Zone::Type),
            layout: RwSignal::new(layout::kept()),
            part: RwSignal::new(Part::Terminal),
            maximised: RwSignal::new(None),
            finder: RwSignal::new(false),
            composer: RwSignal::new(false),
            tour: RwSignal::new(None),
            site: RwSignal::new(
                storage::get("site").unwrap_or_else(|| super::session::DEFAULT_SITE.to_owned()),
            ),
            sites: RwSignal::new(Vec::new()),
            user: RwSignal::new(String::new()),
            started: RwSignal::new(None),
            terminals: RwSignal::new(Vec::new()),
            front: RwSignal::new(None),
            awaited: RwSignal::new(None),
            beside: RwSignal::new(false),
            prompted: RwSignal::new(false),
            turn: RwSignal::new(Turn::Frame),
            prompts: RwSignal::new(0),
            screen_reader: RwSignal::new(storage::get("screen-reader").is_some()),
            clock: RwSignal::new(Clock::default()),
            paced: RwSignal::new(60),
            cells: RwSignal::new(Vec::new()),
            dirty: StoredValue::new(Vec::new()),
            queue: RwSignal::new(QueueRows::default()),
            queue_window: RwSignal::new(QueueWindow {
                first: 0,
                count: 40,
                list: QueueList { ended: true, ..QueueList::default() },
            }),
            selection: RwSignal::new(Selection::None),
            job: RwSignal::new(None),
            why: RwSignal::new(None),
            node: RwSignal::new(None),
            panel: RwSignal::new(Panel::Queue),
            picture: RwSignal::new(None),
            array: RwSignal::new(None),
            supposed: RwSignal::new(SharesWish::default()),
            charted: RwSignal::new(6 * 3600),
            looked_up: RwSignal::new(String::new()),
            gantt: RwSignal::new(gantt::window()),
            line: RwSignal::new(None),
            administered: RwSignal::new(Subject::Nodes),
            lesson: RwSignal::new(None),
            passed: RwSignal::new(0),
            standing: RwSignal::new(Standing::default()),
            own: RwSignal::new(None),
            results: RwSignal::new(None),
            projector: RwSignal::new(storage::get("projector").is_some()),
            listing: RwSignal::new(Listing::default()),
            notes: RwSignal::new(Vec::new()),
            storage_works: RwSignal::new(true),
            refused: RwSignal::new(String::new()),
            last_job: RwSignal::new(None),
        }
    }

    /// The words of the page's language; follows it.
    pub fn t(self) -> &'static Words {
        self.lang.get().words()
    }

    /// A number as the page's language writes it; follows it.
    pub fn number(self, n: u64) -> String {
        grouped(n, self.t().thousands)
    }

    /// Whether this piece of the page is drawn, or may be.
    pub fn drawn(self, piece: Turn) -> Memo<bool> {
        Memo::new(move |_| self.turn.get() >= piece)
    }

    /// A word that follows the page's language.
    pub fn say(self, word: fn(&'static Words) -> &'static str) -> Signal<&'static str> {
        Signal::derive(move || word(self.t()))
    }

    /// Tells the person something.
    pub fn tell(self, text: fn(&Words) -> &'static str, detail: String, offer: Offer) {
        self.notes.update(|notes| {
            let words = self.lang.get_untracked().words();
            let same = |n: &Note| n.detail == detail && (n.text)(words) == text(words);
            if notes.iter().any(same) {
                return;
            }
            let id = notes.last().map_or(1, |n| n.id + 1);
            notes.push(Note { id, text, detail, offer });
            // The newest few are enough to act on.
            if notes.len() > 4 {
                notes.remove(0);
            }
        });
    }

    /// What is visible, as the engine is to know it. Reads signals: run it in an effect.
    pub fn subscription(self) -> ToEngine {
        let (job, node) = match self.selection.get() {
            Selection::None => (None, None),
            Selection::Job(id) => (Some(id), None),
            Selection::Node(index) => (None, Some(index)),
        };
        // Other panels than the queue have its place: its rows are not asked for then.
        let queue = (self.panel.get() == Panel::Queue).then(|| self.queue_window.get());
        ToEngine::Subscribe(Subscription {
            cluster: true,
            queue,
            job,
            node,
            panel: panels::ask(self),
            line: Some(self.user.get()),
        })
    }

    /// Takes a frame.
    pub fn frame(self, frame: Frame) {
        let clock = Clock {
            now: frame.now,
            pace: frame.pace,
            paused: frame.paused,
            held: frame.held,
            skipping: frame.skipping,
            past: frame.past,
            behind: frame.behind,
            pending: frame.pending,
            running: frame.running,
        };
        set_if_new(self.clock, clock);
        if let Some(machine) = frame.machine {
            self.machine_changed(*machine);
        }
        if let Some(changes) = frame.cluster.filter(|c| c.all || !c.cells.is_empty()) {
            self.nodes_changed(changes);
        }
        if let Some(queue) = frame.queue {
            set_if_new(self.queue, queue);
        }
        set_if_new(self.job, frame.job);
        set_if_new(self.node, frame.node);
        // None of it is no news.
        if frame.panel.is_some() {
            set_if_new(self.picture, frame.panel);
        }
        if frame.line.is_some() {
            set_if_new(self.line, frame.line);
        }
    }

    /// Takes other nodes and partitions than those that the session began with.
    fn machine_changed(self, machine: MachineInfo) {
        self.started.update(|started| {
            if let Some(started) = started {
                let started = Arc::make_mut(started);
                (started.nodes, started.partitions, started.switches) =
                    (machine.nodes, machine.partitions, machine.switches);
            }
        });
        // What the editor offers has other names, too.
        super::worker_link::send(&ToEngine::Options);
    }

    /// Takes nodes that look otherwise than before.
    fn nodes_changed(self, changes: CellChanges) {
        let count = |started: &Option<Arc<Started>>| started.as_ref().map_or(0, |s| s.nodes.len());
        self.dirty.update_value(|dirty| {
            if changes.all {
                dirty.push(EVERY_NODE);
            }
            dirty.extend(changes.cells.iter().map(|c| c.0));
        });
        self.cells.update(|cells| {
            if changes.all {
                cells.clear();
                cells.resize_with(self.started.with_untracked(count), NodeCell::default);
            }
            for (index, cell) in changes.cells {
                if let Some(slot) = cells.get_mut(index as usize) {
                    *slot = cell;
                }
            }
        });
    }

    /// Takes an answer to "why does it wait?". While changes are still being tried those of the answer before stand.
    pub fn explained(self, mut why: Why) {
        if why.changes == Changes::Trying
            && let Some(known) = self.why.with_untracked(|old| {
                old.as_ref().filter(|old| old.id == why.id).map(|old| old.changes.clone())
            })
        {
            why.changes = known;
        }
        self.why.set(Some(Arc::new(why)));
    }

    /// The terminal in front: the current user's that was chosen, else their first one.
    pub fn tty(self) -> Option<u32> {
        let (user, front) = (self.user.get(), self.front.get());
        self.terminals.with(|all| {
            let mut own = all.iter().filter(|t| t.user == user).map(|t| t.tty);
            let first = own.next();
            if own.any(|tty| Some(tty) == front) { front } else { first }
        })
    }

    /// The index of a user, for hues.
    pub fn user_index(self, user: &str) -> u32 {
        let at = self.started.with(|s| s.as_ref().and_then(|s| s.users.iter().position(|u| u == user)));
        at.and_then(|i| u32::try_from(i).ok()).unwrap_or(9)
    }
}

/// Sets a signal only if that changes it: panels that show the same are not drawn again.
pub fn set_if_new<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|old| *old != value) {
        signal.set(value);
    }
}
