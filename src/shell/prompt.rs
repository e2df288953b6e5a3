//! Prompt strings (bash(1), "PROMPTING"): escapes, then parameters.

use super::ShellContext;
use super::expand::escape::{Dialect, ansi};
use super::vm::Vm;

impl Vm {
    /// Expands `PS1` and similar. Command substitutions are not run.
    pub(super) fn prompt_text(&mut self, cx: &ShellContext, text: &str) -> String {
        let mut out = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    None => out.push('\\'),
                    Some(digit @ '0'..='7') => {
                        let mut octal = String::from(digit);
                        while octal.len() < 3 && chars.peek().is_some_and(|c| c.is_digit(8)) {
                            octal.extend(chars.next());
                        }
                        out.push_str(&ansi(&format!("\\{octal}"), Dialect::Format).0);
                    }
                    Some(escape) => self.prompt_escape(cx, escape, &mut out),
                },
                '$' => {
                    let braced = chars.peek() == Some(&'{');
                    let mut name = String::new();
                    if braced {
                        chars.next();
                    }
                    while let Some(c) =
                        chars.peek().copied().filter(|c| c.is_ascii_alphanumeric() || *c == '_')
                    {
                        name.push(c);
                        chars.next();
                    }
                    if name.is_empty() {
                        let special = chars.peek().copied().filter(|c| "?$!#".contains(*c) && !braced);
                        match special {
                            Some(special) => {
                                chars.next();
                                out.push_str(&self.scalar(cx, &special.to_string()).unwrap_or_default());
                            }
                            None => out.push('$'),
                        }
                        continue;
                    }
                    if braced && chars.peek() == Some(&'}') {
                        chars.next();
                    }
                    out.push_str(&self.scalar(cx, &name).unwrap_or_default());
                }
                c => out.push(c),
            }
        }
        out
    }

    fn prompt_escape(&mut self, cx: &ShellContext, escape: char, out: &mut String) {
        let process = cx.kernel.process(cx.pid);
        let uid = process.map(|p| p.origin.uid).unwrap_or_default();
        let host = process.map(|p| p.origin.host.to_string()).unwrap_or_default();
        let directory = self.var("PWD").unwrap_or("/").to_owned();
        let home = self.var("HOME").unwrap_or("").to_owned();
        let short = match directory.strip_prefix(&home) {
            Some(rest) if !home.is_empty() && (rest.is_empty() || rest.starts_with('/')) => {
                format!("~{rest}")
            }
            Some(_) | None => directory.clone(),
        };
        match escape {
            'u' => out.push_str(&cx.kernel.users.name(uid)),
            'h' => out.push_str(host.split('.').next().unwrap_or(&host)),
            'H' => out.push_str(&host),
            'w' => out.push_str(&short),
            'W' => match short.as_str() {
                "/" | "~" => out.push_str(&short),
                other => out.push_str(host::path::base_name(other)),
            },
            '$' => out.push(if uid.0 == 0 { '#' } else { '$' }),
            'd' => out.push_str(&cx.now.strftime("%a %b %d")),
            't' => out.push_str(&cx.now.strftime("%H:%M:%S")),
            'T' => out.push_str(&cx.now.strftime("%I:%M:%S")),
            '@' => out.push_str(&cx.now.strftime("%I:%M %p")),
            'A' => out.push_str(&cx.now.strftime("%H:%M")),
            'n' => out.push('\n'),
            'r' => out.push('\r'),
            'a' => out.push('\x07'),
            'e' => out.push('\x1b'),
            's' => out.push_str("bash"),
            'v' => out.push_str("5.2"),
            'V' => out.push_str("5.2.15"),
            'j' => out.push_str(&self.jobs.iter().filter(|j| j.id.is_some()).count().to_string()),
            '!' | '#' => out.push_str(&(self.history.len() + 1).to_string()),
            'l' => out.push_str("pts/0"),
            '[' | ']' => {}
            '\\' => out.push('\\'),
            other => out.extend(['\\', other]),
        }
    }
}
