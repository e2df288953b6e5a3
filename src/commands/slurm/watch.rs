//! squeue and sinfo show once, or again and again (`--iterate`).

use super::getopt::Parsed;
use super::tool::{self, Tool};
use crate::base::time::{Span, Time};
use crate::commands::{Cx, Machine};
use crate::host::{Status, Step, Wait};
use serde::{Deserialize, Serialize};

/// Shows once with what the options say.
type Show = fn(&mut Cx, &Parsed) -> u8;

/// A command that shows again and again until somebody stops it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Watch {
    seconds: u32,
    /// When it shows next.
    next: Time,
}

/// Reads the options, and shows.
pub fn start(cx: &mut Cx, tool: &Tool, show: Show) -> Machine {
    let parsed = match tool::read(cx, tool) {
        Ok(parsed) => parsed,
        Err(code) => return Machine::End(code),
    };
    let Some(text) = parsed.value("iterate") else { return Machine::End(show(cx, &parsed)) };
    match text.parse::<u32>().ok().filter(|s| *s > 0) {
        Some(seconds) => Machine::Watch(Watch { seconds, next: cx.now }),
        None => {
            let name = tool.name;
            // As each of the two says it.
            cx.complain(&if name == "squeue" {
                format!("squeue: error: --iterate={text}\n")
            } else {
                format!("{name}: error: Error: invalid entry for --iterate={text}")
            });
            Machine::End(1)
        }
    }
}

impl Watch {
    /// Shows when it is time to.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        if cx.now < self.next {
            return Step::Wait(Wait::Until(self.next));
        }
        let (tool, show): (&Tool, Show) = match cx.name() {
            "sinfo" => (&super::sinfo::TOOL, super::sinfo::show),
            _ => (&super::squeue::TOOL, super::squeue::show),
        };
        let code = match tool::read(cx, tool) {
            Ok(parsed) => show(cx, &parsed),
            Err(code) => code,
        };
        if code != 0 {
            return Step::Exit(Status::Exited(code));
        }
        cx.line("");
        self.next = cx.now + Span::from_secs(self.seconds.into());
        Step::Wait(Wait::Until(self.next))
    }
}

/// The line with the date above long and repeated listings.
pub fn date(cx: &mut Cx, parsed: &Parsed) {
    let wanted = parsed.has("long") || parsed.has("iterate") || parsed.has("verbose");
    if wanted && !parsed.has("noheader") {
        let date = cx.now.strftime("%a %b %e %H:%M:%S %Y");
        cx.line(&date);
    }
}
