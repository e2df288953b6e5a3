//! A page without a display, for testing the engine through its messages.

use super::site::inserm;
use engine::session::{Engine, Setup};
use protocol::*;

/// A page without a display.
pub struct Page {
    pub engine: Engine,
    pub screen: Vec<u8>,
    /// The terminals that the engine sent when it last showed another moment.
    pub terminals: Vec<(u32, String)>,
    pub prompt: Option<String>,
    pub frame: Frame,
    /// The nodes, with the changes of all frames applied.
    pub cells: Vec<NodeCell>,
    unacknowledged: u32,
    /// Whether the deferred module can be loaded.
    pub loads: bool,
    pub journal: Vec<(u64, Vec<u8>)>,
    pub saved: Option<Vec<u8>>,
    pub notices: Vec<UserNotice>,
    pub others: Vec<FromEngine>,
}

impl Page {
    pub fn start(saved: Option<Vec<u8>>, since: Vec<Vec<u8>>) -> Self {
        Self::of(inserm(1), saved, since)
    }

    pub fn of(setup: Setup, saved: Option<Vec<u8>>, since: Vec<Vec<u8>>) -> Self {
        let mut page = Self {
            engine: Engine::new(),
            screen: Vec::new(),
            terminals: Vec::new(),
            prompt: None,
            frame: Frame::default(),
            cells: Vec::new(),
            unacknowledged: 0,
            loads: true,
            journal: Vec::new(),
            saved: None,
            notices: Vec::new(),
            others: Vec::new(),
        };
        page.send(ToEngine::Start {
            version: VERSION,
            site: setup.site,
            files: setup.files.0.into_iter().collect(),
            seed: 1,
            start: setup.start.0,
            saved,
            since,
            set_aside: Vec::new(),
            lesson: None,
            link: None,
            class: None,
        });
        // A saved session is opened in steps.
        let started = |page: &Self| page.others.iter().any(|m| matches!(m, FromEngine::Started(_)));
        for _ in 0..10_000 {
            if started(&page) {
                break;
            }
            page.ticks(1);
        }
        page.ticks(10);
        page
    }

    pub fn send(&mut self, message: ToEngine) {
        self.engine.receive(message);
        self.work();
    }

    pub fn ticks(&mut self, n: u32) {
        (0..n).for_each(|_| self.send(ToEngine::Tick(16)));
    }

    pub fn take_cells(&mut self) {
        let changes = self.frame.cluster.clone().unwrap_or_default();
        if changes.all {
            self.cells = vec![NodeCell::default(); changes.cells.len()];
        }
        for (index, cell) in changes.cells {
            self.cells[index as usize] = cell;
        }
    }

    pub fn work(&mut self) {
        for _ in 0..200 {
            self.take();
            let more = self.engine.slice();
            self.take();
            if !more && !self.load_rest() {
                break;
            }
        }
    }

    /// Loads the deferred module when the engine requests it.
    fn load_rest(&mut self) -> bool {
        let wants = self.engine.wants_deferred();
        if wants {
            self.engine.deferred_loaded(self.loads);
        }
        wants
    }

    pub fn take(&mut self) {
        for message in self.engine.take_messages() {
            match message {
                FromEngine::Terminal { output, prompt, .. } => {
                    self.screen.extend(output);
                    self.prompt = prompt;
                }
                FromEngine::Frame(frame) => {
                    self.unacknowledged += 1;
                    assert!(self.unacknowledged <= 1, "one frame at a time");
                    self.frame = *frame;
                    self.take_cells();
                }
                FromEngine::Journaled { seq, entry, .. } => self.journal.push((seq, entry)),
                FromEngine::Saved { seq, bytes } => {
                    self.saved = Some(bytes);
                    self.journal.retain(|(journaled, _)| seq.is_some_and(|seq| *journaled > seq));
                }
                FromEngine::Notice(notice) => self.notices.push(notice),
                FromEngine::Terminals(open) => {
                    self.screen.clear();
                    self.prompt = None;
                    self.terminals = open;
                }
                other => self.others.push(other),
            }
        }
    }

    /// Draws the last frame, so that the engine may send another.
    pub fn acknowledge(&mut self) {
        if self.unacknowledged > 0 {
            self.unacknowledged = 0;
            self.send(ToEngine::Ack(self.frame.number));
        }
    }

    pub fn draw(&mut self) {
        self.acknowledge();
        self.ticks(70);
        self.unacknowledged = 0;
        self.send(ToEngine::Ack(self.frame.number));
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.screen).into_owned()
    }

    /// Types a line and waits for the prompt.
    pub fn types(&mut self, line: &str) -> String {
        let before = self.screen.len();
        self.prompt = None;
        self.send(ToEngine::Type { tty: self.tty(), bytes: format!("{line}\n").into_bytes() });
        for _ in 0..2000 {
            if self.prompt.is_some() {
                break;
            }
            self.ticks(1);
        }
        assert!(self.prompt.is_some(), "{line} does not end: {}", self.text());
        String::from_utf8_lossy(&self.screen[before..]).into_owned()
    }

    pub fn tty(&self) -> u32 {
        let opened = |m: &FromEngine| match m {
            FromEngine::Opened { tty, .. } => Some(*tty),
            _ => None,
        };
        self.others.iter().rev().find_map(opened).expect("a terminal")
    }
}
