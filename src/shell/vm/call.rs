//! `eval`, `source` and other texts; `((`; `time`.

use super::stack::{Frame, FrameKind, TextFrame, TextKind};
use super::{Res, Turn, Vm};
use crate::base::time::SECOND;
use crate::shell::Cx;
use std::sync::Arc;

impl Vm {
    /// Enters a text that is read command by command.
    pub(in crate::shell) fn push_text(&mut self, text: &str, what: TextKind, line: u32) {
        let mark = self.mark();
        self.push_frame(Frame {
            code: Arc::default(),
            pc: 0,
            kind: FrameKind::Text(TextFrame { text: text.into(), pos: 0, line, what }),
            mark,
        });
    }

    pub(super) fn arith_command(&mut self, cx: &mut Cx) -> Res<Turn> {
        let text = self.pop_text();
        self.next();
        if self.flag("xtrace") {
            self.trace(cx, &format!("(( {} ))", text.trim()));
        }
        match self.arithmetic_value(cx, &text) {
            Ok(value) => self.status = u8::from(value == 0),
            Err(message) => {
                self.complain(&format!("((: {message}"));
                self.status = 1;
            }
        }
        self.after_status(cx)
    }

    /// What `time` prints.
    pub(super) fn report_time(&mut self, cx: &mut Cx, posix: bool) {
        let Some((since, cpu)) = self.run.times.pop() else { return };
        let used = super::ops::used(cx) - cpu;
        let shown = |name: &str, micros: i64| {
            let (secs, millis) = (micros / SECOND, micros % SECOND / 1000);
            if posix {
                format!("{name} {secs}.{:02}\n", millis / 10)
            } else {
                format!("{name}\t{}m{}.{millis:03}s\n", secs / 60, secs % 60)
            }
        };
        let text = shown("real", (cx.now - since).0) + &shown("user", used) + &shown("sys", 0);
        let text = if posix { text } else { format!("\n{text}") };
        self.run.err.extend(text.as_bytes());
    }
}

impl Vm {
    /// `select`: shows the menu once, then asks for a choice at each round.
    pub(super) fn select(&mut self, cx: &mut Cx, name: &str, done: i32) -> Res<Turn> {
        use crate::shell::builtins::wait::{Reading, Waiting};
        let Some(entry) = self.run.loops.last_mut() else { return Ok(Turn::Go) };
        if entry.next == 1 {
            entry.next = 0;
            let items = entry.items.clone();
            if self.status != 0 {
                self.run.out.push(b'\n');
                self.jump(done);
                return Ok(Turn::Go);
            }
            let reply = self.var("REPLY").unwrap_or("").trim().to_owned();
            let chosen = reply.parse::<usize>().ok().and_then(|n| items.get(n.wrapping_sub(1)).cloned());
            if let Err(message) = self.set_element(cx, name, None, chosen.unwrap_or_default(), false) {
                return Err(self.discard_with(&message));
            }
            self.next();
            return Ok(Turn::Go);
        }
        entry.next = 1;
        let first = !std::mem::replace(&mut entry.shown, true);
        if first {
            let menu: String =
                entry.items.iter().enumerate().map(|(i, item)| format!("{}) {item}\n", i + 1)).collect();
            self.run.err.extend(menu.as_bytes());
        }
        let prompt = self.var("PS3").unwrap_or("#? ").to_owned();
        self.run.err.extend(prompt.as_bytes());
        let reading = Reading {
            fd: 0,
            raw: true,
            delimiter: b'\n',
            most: None,
            exact: false,
            array: None,
            names: vec!["REPLY".into()],
            until: None,
            data: Vec::new(),
        };
        self.run.waiting_mark = self.mark();
        self.run.pending = super::Pending::Builtin(Box::new(Waiting::Read(reading)));
        Ok(Turn::Go)
    }
}
