//! Interactive commands: scontrol, sacctmgr and sreport prompt for commands if the command line has none;
//! sacctmgr and scancel ask for confirmation.
//!
//! Each answer restarts the command from the beginning, without the output so far. Therefore a command must
//! ask everything before it changes anything.

use super::getopt::ParsedArguments;
use super::tool::{self, ToolSpec};
use super::{sacctmgr, scancel, scontrol, sreport};
use crate::{CommandMachine, Cx, STDIN};
use base::time::{Span, Time};
use host::{Errno, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// Maximum length of a stored line.
const MAX_LINE: usize = 1 << 20;
/// Maximum number of answers to one command.
const MAX_ANSWERS: usize = 10_000;

/// The interactive commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum DialogCommand {
    Sacctmgr,
    Scancel,
    Scontrol,
    Sreport,
}

impl DialogCommand {
    fn of(name: &str) -> Self {
        match name {
            "sacctmgr" => Self::Sacctmgr,
            "scancel" => Self::Scancel,
            "sreport" => Self::Sreport,
            _ => Self::Scontrol,
        }
    }

    const fn tool(self) -> &'static ToolSpec {
        match self {
            Self::Sacctmgr => &sacctmgr::TOOL,
            Self::Scancel => &scancel::TOOL,
            Self::Scontrol => &scontrol::TOOL,
            Self::Sreport => &sreport::TOOL,
        }
    }

    /// Words that are commands at the prompt and set an option for later commands, with that option.
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

    fn run(self, cx: &mut Cx, parsed: &ParsedArguments, answers: &mut Answers) -> u8 {
        match self {
            Self::Sacctmgr => sacctmgr::run(cx, parsed, answers),
            Self::Scancel => scancel::run(cx, parsed, answers),
            Self::Scontrol => scontrol::run(cx, parsed),
            Self::Sreport => sreport::run(cx, parsed),
        }
    }
}

/// The answers so far.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    given: Vec<String>,
    next: usize,
    /// Standard input is closed; there will be no more answers.
    over: bool,
    /// The output up to the first unanswered question.
    open: Option<(usize, usize)>,
}

impl Answers {
    /// Asks a question, or returns the earlier answer. `None`: there is no answer; the caller must change
    /// nothing.
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

/// An interactive command.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Dialog {
    which: DialogCommand,
    /// Input that is read but not processed.
    buffer: Vec<u8>,
    eof: bool,
    /// The command prompts for commands, one per line.
    prompts: bool,
    prompted: bool,
    /// The command that waits for an answer.
    asking: Option<DialogQuestion>,
    /// Options that were switched on at the prompt.
    modes: Vec<String>,
    /// The previous line, which `!!` repeats.
    before: String,
    code: u8,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct DialogQuestion {
    argv: Vec<String>,
    /// Bytes of output and errors that an earlier run already printed.
    shown: (u64, u64),
    given: Vec<String>,
    /// When the command gives up waiting.
    until: Option<Time>,
}

/// Parses the options, then runs the command or starts the prompt.
pub fn start(cx: &mut Cx, tool: &'static ToolSpec) -> CommandMachine {
    let argv = plain_flags(cx.argv);
    let parsed = match tool::read(&mut cx.with_argv(&argv), tool) {
        Ok(parsed) => parsed,
        Err(code) => return CommandMachine::End(code),
    };
    let which = DialogCommand::of(tool.name);
    if let Some(waiting) = scontrol::waits(cx, &parsed).filter(|_| which == DialogCommand::Scontrol) {
        return waiting;
    }
    // Checked first: sites create their accounts with sacctmgr at the start, when the deferred module is not
    // loaded yet.
    if parsed.last_of(&["json", "yaml"]).is_some()
        && let Some(form) = super::data::asked(&parsed).filter(|f| *f == super::data::Form::Parsers)
    {
        return CommandMachine::End(super::data::print(cx, form, |_, _| {}));
    }
    let prompts = parsed.rest.is_empty() && which != DialogCommand::Scancel;
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
            return CommandMachine::End(dialog.code);
        }
    }
    CommandMachine::Dialog(Box::new(dialog))
}

impl Dialog {
    /// Takes the next line, if it is complete.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        self.eof |= self.until().is_some_and(|until| cx.now >= until);
        if self.asking.is_none() {
            if !self.prompts {
                return SliceEnd::Exit(Status::Exited(self.code));
            }
            if !self.prompted {
                let name = self.which.tool().name;
                cx.print(&format!("{name}: "));
                self.prompted = true;
            }
        }
        match self.line(cx) {
            Err(wait) => SliceEnd::Wait(match self.until() {
                Some(until) => Wait::Any(vec![wait, Wait::Until(until)]),
                None => wait,
            }),
            Ok(line) => {
                self.take(cx, line);
                SliceEnd::Again
            }
        }
    }

    /// When it no longer waits for an answer.
    fn until(&self) -> Option<Time> {
        self.asking.as_ref()?.until
    }

    /// Handles a typed line; `None`: end of input.
    fn take(&mut self, cx: &mut Cx, line: Option<String>) {
        // Without a terminal, readline(3) echoes the input.
        if let Some(line) = line.as_ref().filter(|_| self.asking.is_none() && !cx.is_tty(STDIN)) {
            cx.line(line);
        }
        if let Some(asking) = self.asking.take() {
            let DialogQuestion { argv, shown, mut given, .. } = asking;
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
        // The exit code of an error is kept even if later commands succeed.
        self.code = self.code.max(failed);
    }

    /// Runs a command with the answers given so far; `shown` bytes of its output are already printed.
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
            self.asking = Some(DialogQuestion {
                argv,
                shown: (size(open.0 - before.0), size(open.1 - before.1)),
                given: answers.given,
                until: (which == DialogCommand::Sacctmgr).then(|| cx.now + Span::from_secs(30)),
            });
        } else {
            self.code = code;
        }
        let seen = |n: u64| usize::try_from(n).unwrap_or(0);
        cx.unprint(before, (before.0 + seen(shown.0), before.1 + seen(shown.1)));
    }

    /// The next line; `None` at the end of input. `Err`: the command has to wait.
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

/// Flags that are switched off (`setdebugflags -backfill`) are not options.
fn plain_flags(argv: &[String]) -> Vec<String> {
    let mut argv = argv.to_vec();
    if let Some(at) = argv.iter().position(|word| word.eq_ignore_ascii_case("setdebugflags")) {
        argv.insert(at, "--".to_owned());
    }
    argv
}

/// Splits a line into words at blanks; quotes keep words together.
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
