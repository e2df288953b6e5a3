//! What a model does, as its `#SIM` lines and its program's default say; read by the table in [`super::keys`].

use super::keys;
use super::place::Place;
use super::speed::{Over, SpeedUp};
use super::text;
use crate::base::time::Span;
use crate::host::Signal;

/// A moment of a program's run, measured along its work: a pause or a slow GPU moves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// After this part of the work, in millionths.
    Part(u32),
    /// After so long.
    After(Span),
    /// Again and again after this part of the work, in millionths.
    EachPart(u32),
    /// Again and again after so long.
    Each(Span),
}

impl When {
    /// `50%`, `10m`, `every10%`, `every5m`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (each, rest) =
            text.strip_prefix("every").map_or((false, text), |r| (true, r.trim_start_matches(':')));
        let part = rest.ends_with('%').then(|| text::millionths(rest));
        Some(match (each, part) {
            (false, Some(part)) => Self::Part(part?),
            (true, Some(part)) => Self::EachPart(part.filter(|p| *p > 0)?),
            (false, None) => Self::After(text::duration(rest)?),
            (true, None) => Self::Each(text::duration(rest).filter(|s| s.0 > 0)?),
        })
    }
}

/// How a program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// With an exit code.
    Code(u8),
    /// By a signal of its own (`SEGV`).
    Signal(Signal),
}

impl End {
    /// `3`, `SEGV`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.parse::<u8>() {
            Ok(code) => Some(Self::Code(code)),
            Err(_) => Signal::parse(text).map(Self::Signal),
        }
    }
}

/// A way to fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fail {
    /// None: at a moment that chance gives.
    pub when: Option<When>,
    /// Millionths; how likely it is.
    pub chance: u32,
    /// How it ends.
    pub end: End,
    /// What it says on standard error.
    pub message: String,
}

/// What a program does about a signal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Action {
    /// Nothing.
    Ignore,
    /// It writes its checkpoint.
    Checkpoint,
    /// It ends with this code.
    Exit(u8),
    /// It says something on standard output.
    Print(String),
}

/// How many threads a program uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// Just so many.
    Count(u32),
    /// As many as its environment says, or all CPUs that it may use.
    Auto,
    /// One.
    #[default]
    One,
}

/// What a model does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Run time as it is, from and to (the command line decides where between).
    pub time: Option<(Span, Span)>,
    /// CPU time (or time of a GPU) of its whole work; run time is that by the speed-up.
    pub work: Option<Span>,
    /// The longest that it runs, where its run time is a guess.
    pub most: Option<Span>,
    /// What the work is spread over.
    pub over: Option<Over>,
    /// How work speeds up.
    pub speedup: SpeedUp,
    /// Resident memory at moments, MiB; straight between them.
    pub memory: Vec<(When, u64)>,
    /// Per cent of each thread's CPU.
    pub cpu: u32,
    /// How many threads.
    pub threads: Threads,
    /// Per cent of each GPU that it uses; none: it uses none.
    pub gpu: Option<u32>,
    /// MiB on each of them.
    pub gpu_memory: u64,
    /// How many of the visible GPUs; none: one.
    pub gpu_count: Option<u32>,
    /// The first one, among the visible.
    pub gpu_device: u32,
    /// What it prints: when, where, what.
    pub lines: Vec<(When, u32, String)>,
    /// What it adds to files: when, file, text.
    pub files: Vec<(When, String, String)>,
    /// The port that it listens on, and what it answers there.
    pub serve: Option<(u16, String)>,
    /// Its exit code.
    pub exit: u8,
    /// Ways to fail.
    pub fails: Vec<Fail>,
    /// How often it writes a checkpoint, and the file's name; an empty one: the program's with `.ckpt`.
    pub checkpoint: Option<(When, String)>,
    /// What it does about signals.
    pub reactions: Vec<(Signal, Vec<Action>)>,
    /// Its tasks share the work and the first one speaks for all.
    pub mpi: bool,
    /// What is wrong with its lines.
    pub wrong: Vec<String>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            time: None,
            work: None,
            over: None,
            speedup: SpeedUp::Amdahl(0),
            most: None,
            memory: Vec::new(),
            cpu: 100,
            threads: Threads::One,
            gpu: None,
            gpu_memory: 1024,
            gpu_count: None,
            gpu_device: 0,
            lines: Vec::new(),
            files: Vec::new(),
            serve: None,
            exit: 0,
            fails: Vec::new(),
            checkpoint: None,
            reactions: Vec::new(),
            mpi: false,
            wrong: Vec::new(),
        }
    }
}

/// Most lines of `#SIM` that are read from one text, and the most mistakes that are told.
const MAX_LINES: usize = 10_000;
const MAX_WRONG: usize = 5;

impl Plan {
    /// Reads the `#SIM` lines of a text; `named`: those that name this program (`#SIM train.py: time=1h`), or those that
    /// name none.
    pub fn read_script(&mut self, text: &str, place: &Place, named: bool) {
        for line in text.lines().filter_map(sim_line).take(MAX_LINES) {
            let (name, rest) = addressee(line);
            let meant = match name {
                Some(name) => named && is_called(place, name),
                None => !named,
            };
            if meant {
                self.read(rest, place);
            }
        }
    }

    /// Takes no more memory than there is, MiB: a guess must not end a job that nobody said a word about.
    pub fn fit(&mut self, there: Option<u64>) {
        let most = there.map_or(u64::MAX, |mebibytes| mebibytes / 10 * 7);
        self.memory.iter_mut().for_each(|(_, mebibytes)| *mebibytes = (*mebibytes).min(most));
    }

    /// Reads one line's keys, `time=1m memory=2G print=...`.
    pub fn read(&mut self, line: &str, place: &Place) {
        for entry in keys::entries(line) {
            let told = match entry {
                Ok(entry) => keys::apply(self, &entry, place).err(),
                Err(why) => Some(why),
            };
            if let Some(why) = told.filter(|_| self.wrong.len() < MAX_WRONG) {
                self.wrong.push(why);
            }
        }
    }
}

/// The text behind `#SIM`, with or without blanks before and behind the `#`.
#[must_use]
pub fn sim_line(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("SIM")?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim())
}

/// `train.py: time=1h` is for train.py.
fn addressee(line: &str) -> (Option<&str>, &str) {
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let word = line.get(..end).unwrap_or(line);
    match word.strip_suffix(':').filter(|name| !name.contains('=')) {
        Some(name) => (Some(name), line.get(end..).unwrap_or("").trim_start()),
        None => (None, line),
    }
}

fn is_called(place: &Place, name: &str) -> bool {
    let base = crate::host::path::base_name;
    place.name == name || place.file.as_deref().is_some_and(|f| base(f) == base(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(When::parse("50%"), Some(When::Part(500_000)));
        assert_eq!(When::parse("10m"), Some(When::After(Span::from_secs(600))));
        assert_eq!(When::parse("every10%"), Some(When::EachPart(100_000)));
        assert_eq!(When::parse("every:5m"), Some(When::Each(Span::from_secs(300))));
        assert_eq!((When::parse("every0s"), When::parse("soon")), (None, None));
    }

    #[test]
    fn whom_a_line_is_for() {
        assert_eq!(sim_line("  # SIM time=1m "), Some("time=1m"));
        assert_eq!((sim_line("#SIMPLE=1"), sim_line("SIM time=1m")), (None, None));
        assert_eq!(addressee("train.py: time=1h memory=2G"), (Some("train.py"), "time=1h memory=2G"));
        assert_eq!(addressee("print=a: b"), (None, "print=a: b"));
        let place = Place { name: "python".into(), file: Some("src/train.py".into()), ..Place::default() };
        let mut plan = Plan::default();
        let text = "#SIM time=1s\n#SIM train.py: exit=3\n#SIM other.py: exit=4\n";
        plan.read_script(text, &place, true);
        assert_eq!((plan.exit, plan.time), (3, None));
        plan.read_script(text, &place, false);
        assert_eq!(plan.time, Some((Span::from_secs(1), Span::from_secs(1))));
    }
}
