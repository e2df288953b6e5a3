//! The loop of squeue and sinfo: print once, or repeatedly (`--iterate`).

use super::getopt::ParsedArguments;
use super::tool::{self, ToolSpec};
use crate::{CommandMachine, Cx};
use base::time::{Span, Time};
use host::{SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};

/// Prints once, as the options specify.
type Show = fn(&mut Cx, &ParsedArguments) -> u8;

/// A command that prints repeatedly until it is interrupted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Watch {
    seconds: u32,
    /// The time of the next output.
    next: Time,
}

/// Parses the options and prints for the first time.
pub fn start(cx: &mut Cx, tool: &ToolSpec, show: Show) -> CommandMachine {
    let parsed = match tool::read(cx, tool) {
        Ok(parsed) => parsed,
        Err(code) => return CommandMachine::End(code),
    };
    let Some(text) = parsed.value("iterate") else { return CommandMachine::End(show(cx, &parsed)) };
    match text.parse::<u32>().ok().filter(|s| *s > 0) {
        Some(seconds) => CommandMachine::Watch(Watch { seconds, next: cx.now }),
        None => {
            let name = tool.name;
            // The two commands have different messages.
            cx.complain(&if name == "squeue" {
                format!("squeue: error: --iterate={text}\n")
            } else {
                format!("{name}: error: Error: invalid entry for --iterate={text}")
            });
            CommandMachine::End(1)
        }
    }
}

impl Watch {
    /// Prints when the interval has passed.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if cx.now < self.next {
            return SliceEnd::Wait(Wait::Until(self.next));
        }
        let (tool, show): (&ToolSpec, Show) = match cx.name() {
            "sinfo" => (&super::sinfo::TOOL, super::sinfo::show),
            _ => (&super::squeue::TOOL, super::squeue::show),
        };
        let code = match tool::read(cx, tool) {
            Ok(parsed) => show(cx, &parsed),
            Err(code) => code,
        };
        if code != 0 {
            return SliceEnd::Exit(Status::Exited(code));
        }
        cx.line("");
        self.next = cx.now + Span::from_secs(self.seconds.into());
        SliceEnd::Wait(Wait::Until(self.next))
    }
}

/// The date line above long and repeated listings.
#[must_use]
pub fn date(now: Time, parsed: &ParsedArguments) -> Option<String> {
    let wanted = parsed.has("long") || parsed.has("iterate") || parsed.has("verbose");
    (wanted && !parsed.has("noheader")).then(|| now.strftime("%a %b %e %H:%M:%S %Y") + "\n")
}
