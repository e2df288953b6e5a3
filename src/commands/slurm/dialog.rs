//! Commands that are talked to: scontrol, sacctmgr and sreport ask for commands when they get none, sacctmgr and
//! scancel ask before they act.
//!
//! A command that asks is begun anew with each answer and its output so far left out; so it must ask everything before
//! it changes anything.

use super::getopt::Parsed;
use super::tool::{self, Tool};
use super::{sacctmgr, scancel, scontrol, sreport};
use crate::base::time::{Span, Time};
use crate::commands::{Cx, Machine, STDIN};
use crate::host::{Errno, Status, Step, Wait};
use serde::{Deserialize, Serialize};

/// Longest line that is kept.
const MAX_LINE: usize = 1 << 20;
/// Most answers to one command.
const MAX_ANSWERS: usize = 10_000;

/// Which command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Which {
    Sacctmgr,
    Scancel,
    Scontrol,
    Sreport,
}

impl Which {
    fn of(name: &str) -> Self {
        match name {
            "sacctmgr" => Self::Sacctmgr,
            "scancel" => Self::Scancel,
            "sreport" => Self::Sreport,
            _ => Self::Scontrol,
        }
    }

    const fn tool(self) -> &'static Tool {
        match self {
            Self::Sacctmgr => &sacctmgr::TOOL,
            Self::Scancel => &scancel::TOOL,
            Self::Scontrol => &scontrol::TOOL,
            Self::Sreport => &sreport::TOOL,
        }
    }

    /// Words that stand alone at the prompt and hold for what follows, with the options that they are.
    const fn modes(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Sacctmgr => &[
                ("associations", "-s"),
                ("oneliner", "-o"),
                ("parsable", "-p"),
                ("quiet", "-Q"),
                ("readonly", "-r"),
                ("verbose", "-v"),
            ],
            Self::Scancel => &[],
            Self::Scontrol => &[
                ("all", "-a"),
                ("details", "-d"),
                ("hide", "--hide"),
                ("oneliner", "-o"),
                ("quiet", "-Q"),
                ("verbose", "-v"),
            ],
            Self::Sreport => &[("parsable", "-p"), ("quiet", "-Q"), ("verbose", "-v")],
        }
    }

    fn run(self, cx: &mut Cx, parsed: &Parsed, answers: &mut Answers) -> u8 {
        match self {
            Self::Sacctmgr => sacctmgr::run(cx, parsed, answers),
            Self::Scancel => scancel::run(cx, parsed, answers),
            Self::Scontrol => scontrol::run(cx, parsed),
            Self::Sreport => sreport::run(cx, parsed),
        }
    }
}

/// What was answered so far.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    given: Vec<String>,
    next: usize,
    /// Nobody will answer any more.
    over: bool,
    /// What was printed up to a question that nobody has answered.
    open: Option<(usize, usize)>,
}

impl Answers {
    /// Asks, unless it was answered before. None: there is no answer, now or ever; nothing must be done.
    pub fn ask(&mut self, cx: &mut Cx, question: &str) -> Option<String> {
        cx.print(question);
        if let Some(answer) = self.given.get(self.next) {
            self.next += 1;
            return Some(answer.clone());
        }
        if self.open.is_none() && !self.over {
            self.open = Some(cx.printed());
        }
        None
    }
}

/// A command that is talked to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dialog {
    which: Which,
    /// Read and not yet taken.
    buffer: Vec<u8>,
    eof: bool,
    /// It asks for commands, one a line.
    prompts: bool,
    prompted: bool,
    /// The command that waits for an answer.
    asking: Option<Asking>,
    /// Options that were switched on at the prompt.
    modes: Vec<String>,
    /// The line before, which `!!` repeats.
    before: String,
    code: u8,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Asking {
    argv: Vec<String>,
    /// Bytes of output and errors that were seen before.
    shown: (u64, u64),
    given: Vec<String>,
    /// When it gives up.
    until: Option<Time>,
}

/// Reads the options; runs the command, or begins to ask for commands.
pub fn start(cx: &mut Cx, tool: &'static Tool) -> Machine {
    let argv = plain_flags(cx.argv);
    let parsed = match tool::read(&mut cx.with_argv(&argv), tool) {
        Ok(parsed) => parsed,
        Err(code) => return Machine::End(code),
    };
    let which = Which::of(tool.name);
    if let Some(waiting) = scontrol::waits(cx, &parsed).filter(|_| which == Which::Scontrol) {
        return waiting;
    }
    // Asked for first: sites' accounts are made with sacctmgr at the start, when the trees' room is not loaded yet.
    if parsed.last_of(&["json", "yaml"]).is_some()
        && let Some(form) = super::data::asked(&parsed).filter(|f| *f == super::data::Form::Parsers)
    {
        return Machine::End(super::data::print(cx, form, |_| Vec::new()));
    }
    let prompts = parsed.rest.is_empty() && which != Which::Scancel;
    let mut dialog = Dialog {
        which,
        buffer: Vec::new(),
        eof: false,
        prompts,
        prompted: false,
        asking: None,
        modes: Vec::new(),
        before: String::new(),
        code: 0,
    };
    if !prompts {
        dialog.run(cx, argv, (0, 0), Vec::new());
        if dialog.asking.is_none() {
            return Machine::End(dialog.code);
        }
    }
    Machine::Dialog(Box::new(dialog))
}

impl Dialog {
    /// Takes the next line, if there is one.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        self.eof |= self.until().is_some_and(|until| cx.now >= until);
        if self.asking.is_none() {
            if !self.prompts {
                return Step::Exit(Status::Exited(self.code));
            }
            if !self.prompted {
                let name = self.which.tool().name;
                cx.print(&format!("{name}: "));
                self.prompted = true;
            }
        }
        match self.line(cx) {
            Err(wait) => Step::Wait(match self.until() {
                Some(until) => Wait::Any(vec![wait, Wait::Until(until)]),
                None => wait,
            }),
            Ok(line) => {
                self.take(cx, line);
                Step::Again
            }
        }
    }

    /// When it no longer waits for an answer.
    fn until(&self) -> Option<Time> {
        self.asking.as_ref()?.until
    }

    /// A line was typed; none: the input is at its end.
    fn take(&mut self, cx: &mut Cx, line: Option<String>) {
        // readline(3) shows what was typed where no terminal does.
        if let Some(line) = line.as_ref().filter(|_| self.asking.is_none() && !cx.is_tty(STDIN)) {
            cx.line(line);
        }
        if let Some(asking) = self.asking.take() {
            let Asking { argv, shown, mut given, .. } = asking;
            match line {
                Some(answer) if given.len() < MAX_ANSWERS => given.push(answer),
                Some(_) | None => self.eof = true,
            }
            return self.run(cx, argv, shown, given);
        }
        self.prompted = false;
        let Some(line) = line else {
            cx.line("");
            self.prompts = false;
            return;
        };
        let line = if line.trim() == "!!" { std::mem::take(&mut self.before) } else { line };
        let words = words(&line);
        self.before = line;
        let Some(first) = words.first() else { return };
        if first.starts_with("exit")
            || first.starts_with("quit")
            || matches!(first.as_str(), "q" | "e" | "ex")
        {
            self.prompts = false;
            return;
        }
        if let [word] = words.as_slice()
            && let Some((_, option)) =
                self.which.modes().iter().find(|(name, _)| name.eq_ignore_ascii_case(word))
        {
            self.modes.push((*option).to_owned());
            return;
        }
        let argv: Vec<String> = cx.argv.iter().chain(&self.modes).cloned().chain(words).collect();
        let argv = plain_flags(&argv);
        let failed = self.code;
        self.run(cx, argv, (0, 0), Vec::new());
        // What went wrong once is not made good by what follows.
        self.code = self.code.max(failed);
    }

    /// Runs a command with the answers given so far; `shown` of its output was seen before.
    fn run(&mut self, cx: &mut Cx, argv: Vec<String>, shown: (u64, u64), given: Vec<String>) {
        let mut answers = Answers { given, over: self.eof, ..Answers::default() };
        let before = cx.printed();
        let which = self.which;
        let code = {
            let mut inner = cx.with_argv(&argv);
            match tool::read(&mut inner, which.tool()) {
                Ok(parsed) => which.run(&mut inner, &parsed, &mut answers),
                Err(code) => code,
            }
        };
        let size = |n: usize| u64::try_from(n).unwrap_or(0);
        if let Some(open) = answers.open {
            let end = cx.printed();
            cx.unprint(open, end);
            self.asking = Some(Asking {
                argv,
                shown: (size(open.0 - before.0), size(open.1 - before.1)),
                given: answers.given,
                until: (which == Which::Sacctmgr).then(|| cx.now + Span::from_secs(30)),
            });
        } else {
            self.code = code;
        }
        let seen = |n: u64| usize::try_from(n).unwrap_or(0);
        cx.unprint(before, (before.0 + seen(shown.0), before.1 + seen(shown.1)));
    }

    /// The next line; none at the end of the input. `Err`: it has to wait.
    fn line(&mut self, cx: &mut Cx) -> Result<Option<String>, Wait> {
        loop {
            if let Some(end) = self.buffer.iter().position(|b| *b == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                let text = String::from_utf8_lossy(&line);
                return Ok(Some(text.trim_end_matches('\n').to_owned()));
            }
            if self.eof || self.buffer.len() > MAX_LINE {
                self.eof = true;
                let rest = std::mem::take(&mut self.buffer);
                let text = String::from_utf8_lossy(&rest).into_owned();
                return Ok(Some(text).filter(|t| !t.is_empty()));
            }
            match cx.kernel.read(cx.pid, STDIN, 65_536) {
                Ok(data) if data.is_empty() => self.eof = true,
                Ok(data) => self.buffer.extend_from_slice(&data),
                Err(Errno::EAGAIN) => return Err(Wait::Readable(STDIN)),
                Err(_) => self.eof = true,
            }
        }
    }
}

/// Flags that are switched off (`setdebugflags -backfill`) are no options.
fn plain_flags(argv: &[String]) -> Vec<String> {
    let mut argv = argv.to_vec();
    if let Some(at) = argv.iter().position(|word| word.eq_ignore_ascii_case("setdebugflags")) {
        argv.insert(at, "--".to_owned());
    }
    argv
}

/// A line's words: blanks part them, quotes hold them together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut open, mut quote) = (Vec::new(), String::new(), false, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(q), c) if q == c => quote = None,
            (Some(_), c) => word.push(c),
            (None, '"' | '\'') => (quote, open) = (Some(c), true),
            (None, c) if c.is_whitespace() => {
                if open {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (None, c) => {
                word.push(c);
                open = true;
            }
        }
    }
    if open {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_of_a_line() {
        assert_eq!(
            words("  update  job 3 comment=\"a b\" x='' "),
            ["update", "job", "3", "comment=a b", "x="]
        );
        assert_eq!(words("unfinished \"quote here"), ["unfinished", "quote here"]);
        assert!(words(" \t").is_empty());
    }
}
