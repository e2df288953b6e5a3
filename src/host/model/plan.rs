//! The plan of a model, from its `#SIM` lines and its program's defaults; parsed with the table in
//! [`super::keys`].

use super::context::ModelContext;
use super::keys;
use super::speed::{Over, SpeedUp};
use super::text;
use crate::Signal;
use base::time::Span;

/// A time in a program's run, measured along its work: pauses and slow GPUs delay it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkTime {
    /// After this fraction of the work, in millionths.
    Part(u32),
    /// After this duration.
    After(Span),
    /// Repeatedly, after each such fraction of the work, in millionths.
    EachPart(u32),
    /// Repeatedly, after each such duration.
    Each(Span),
}

impl WorkTime {
    /// Parses `50%`, `10m`, `every10%`, `every5m`.
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
pub enum ModelEnd {
    /// With an exit code.
    Code(u8),
    /// By a signal (`SEGV`).
    Signal(Signal),
}

impl ModelEnd {
    /// Parses `3`, `SEGV`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.parse::<u8>() {
            Ok(code) => Some(Self::Code(code)),
            Err(_) => Signal::parse(text).map(Self::Signal),
        }
    }
}

/// A possible failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFailure {
    /// When; `None`: at a random time.
    pub when: Option<WorkTime>,
    /// Probability in millionths.
    pub chance: u32,
    /// How it ends.
    pub end: ModelEnd,
    /// Message on standard error.
    pub message: String,
}

/// An action on a signal.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum SignalReaction {
    /// Ignores the signal.
    Ignore,
    /// Writes a checkpoint.
    Checkpoint,
    /// Exits with this code.
    Exit(u8),
    /// Prints a line.
    Print(String),
}

/// How many threads a program uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// A fixed number.
    Count(u32),
    /// The number in its environment, or all usable CPUs.
    Auto,
    /// One.
    #[default]
    One,
}

/// The behaviour of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelPlan {
    /// Run time range; the command line's hash selects the value.
    pub time: Option<(Span, Span)>,
    /// Total work as CPU time or GPU time; divided by the speed-up, it gives the run time.
    pub work: Option<Span>,
    /// Maximum run time, if the run time is an estimate.
    pub most: Option<Span>,
    /// The resource over which the work is distributed.
    pub over: Option<Over>,
    /// The speed-up model.
    pub speedup: SpeedUp,
    /// Resident memory over time, MiB, linearly interpolated.
    pub memory: Vec<(WorkTime, u64)>,
    /// CPU utilisation per thread in percent.
    pub cpu: u32,
    /// Number of threads.
    pub threads: Threads,
    /// Utilisation per GPU in percent; `None`: no GPU.
    pub gpu: Option<u32>,
    /// Memory per GPU, MiB.
    pub gpu_memory: u64,
    /// Number of GPUs used; `None`: one.
    pub gpu_count: Option<u32>,
    /// Index of the first GPU among the visible ones.
    pub gpu_device: u32,
    /// Output lines: time, descriptor, text.
    pub lines: Vec<(WorkTime, u32, String)>,
    /// Lines appended to files: time, file, text.
    pub files: Vec<(WorkTime, String, String)>,
    /// The listening port and its answer.
    pub serve: Option<(u16, String)>,
    /// Exit code.
    pub exit: u8,
    /// Possible failures.
    pub fails: Vec<ModelFailure>,
    /// Checkpoint interval and file name; an empty name means the program's with `.ckpt`.
    pub checkpoint: Option<(WorkTime, String)>,
    /// Reactions to signals.
    pub reactions: Vec<(Signal, Vec<SignalReaction>)>,
    /// The tasks share the work, and rank 0 prints for all.
    pub mpi: bool,
    /// Errors in its `#SIM` lines.
    pub wrong: Vec<String>,
}

impl Default for ModelPlan {
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

/// Maximum number of `#SIM` lines read from a text, and of errors kept.
const MAX_LINES: usize = 10_000;
const MAX_WRONG: usize = 5;

impl ModelPlan {
    /// Reads the `#SIM` lines of a text: with `named`, the lines that name this program (`#SIM train.py:
    /// time=1h`), else the lines without a name.
    pub fn read_script(&mut self, text: &str, context: &ModelContext, named: bool) {
        for line in text.lines().filter_map(sim_line).take(MAX_LINES) {
            let (name, rest) = split_program_name(line);
            let meant = match name {
                Some(name) => named && is_called(context, name),
                None => !named,
            };
            if meant {
                self.read(rest, context);
            }
        }
    }

    /// Limits memory to 70% of the available MiB: a default must not exhaust a job's memory.
    pub fn fit(&mut self, available: Option<u64>) {
        let most = available.map_or(u64::MAX, |mebibytes| mebibytes / 10 * 7);
        self.memory.iter_mut().for_each(|(_, mebibytes)| *mebibytes = (*mebibytes).min(most));
    }

    /// Reads the keys of a line, `time=1m memory=2G print=...`.
    pub fn read(&mut self, line: &str, context: &ModelContext) {
        for entry in keys::entries(line) {
            let error = match entry {
                Ok(entry) => keys::apply(self, &entry, context).err(),
                Err(why) => Some(why),
            };
            if let Some(why) = error.filter(|_| self.wrong.len() < MAX_WRONG) {
                self.wrong.push(why);
            }
        }
    }
}

/// The text after `#SIM`, with optional blanks around the `#`.
#[must_use]
pub fn sim_line(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("SIM")?;
    rest.starts_with(char::is_whitespace).then(|| rest.trim())
}

/// Splits off the program name in `train.py: time=1h`.
fn split_program_name(line: &str) -> (Option<&str>, &str) {
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let word = line.get(..end).unwrap_or(line);
    match word.strip_suffix(':').filter(|name| !name.contains('=')) {
        Some(name) => (Some(name), line.get(end..).unwrap_or("").trim_start()),
        None => (None, line),
    }
}

fn is_called(context: &ModelContext, name: &str) -> bool {
    let base = crate::path::base_name;
    context.name == name || context.file.as_deref().is_some_and(|f| base(f) == base(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(WorkTime::parse("50%"), Some(WorkTime::Part(500_000)));
        assert_eq!(WorkTime::parse("10m"), Some(WorkTime::After(Span::from_secs(600))));
        assert_eq!(WorkTime::parse("every10%"), Some(WorkTime::EachPart(100_000)));
        assert_eq!(WorkTime::parse("every:5m"), Some(WorkTime::Each(Span::from_secs(300))));
        assert_eq!((WorkTime::parse("every0s"), WorkTime::parse("soon")), (None, None));
    }

    #[test]
    fn lines_for_a_program() {
        assert_eq!(sim_line("  # SIM time=1m "), Some("time=1m"));
        assert_eq!((sim_line("#SIMPLE=1"), sim_line("SIM time=1m")), (None, None));
        assert_eq!(
            split_program_name("train.py: time=1h memory=2G"),
            (Some("train.py"), "time=1h memory=2G")
        );
        assert_eq!(split_program_name("print=a: b"), (None, "print=a: b"));
        let context = ModelContext {
            name: "python".into(),
            file: Some("src/train.py".into()),
            ..ModelContext::default()
        };
        let mut plan = ModelPlan::default();
        let text = "#SIM time=1s\n#SIM train.py: exit=3\n#SIM other.py: exit=4\n";
        plan.read_script(text, &context, true);
        assert_eq!((plan.exit, plan.time), (3, None));
        plan.read_script(text, &context, false);
        assert_eq!(plan.time, Some((Span::from_secs(1), Span::from_secs(1))));
    }
}
