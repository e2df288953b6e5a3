//! Lists of sessions, windows, panes and clients, and their formats.

use super::VERSION;
use super::call::TmuxCall;
use crate::mux::session::MuxSession;
use std::fmt::Write as _;

impl TmuxCall<'_, '_, '_, '_> {
    pub(super) fn list_sessions(&mut self) -> Result<String, String> {
        let mut order: Vec<&MuxSession> = self.server.sessions.iter().collect();
        order.sort_by(|a, b| a.name.cmp(&b.name));
        let format = self.value('F').unwrap_or_else(|| {
            "#{session_name}: #{session_windows} windows (created #{t:session_created})#{?session_attached, (attached),}"
                .to_owned()
        });
        Ok(order.iter().fold(String::new(), |all, s| all + &self.expanded(&format, s.id, s.current) + "\n"))
    }

    pub(super) fn list_windows(&mut self) -> Result<String, String> {
        let all = self.has('a');
        let shown = if all { None } else { Some(self.session()?) };
        let head = if all { "#{session_name}:" } else { "" };
        let tail =
            if all { " " } else { " [layout #{window_layout}] #{window_id}#{?window_active, (active),}" };
        let default = format!(
            "{head}#{{window_index}}: #{{window_name}}#{{window_flags}} (1 panes) [#{{window_width}}x#{{window_height}}]{tail}"
        );
        let format = self.value('F').unwrap_or(default);
        let mut order: Vec<&MuxSession> = self.server.sessions.iter().collect();
        order.sort_by(|a, b| a.name.cmp(&b.name));
        let mut out = String::new();
        for session in order.into_iter().filter(|session| shown.is_none_or(|id| id == session.id)) {
            for window in &session.windows {
                let _ = writeln!(out, "{}", self.expanded(&format, session.id, window.id));
            }
        }
        Ok(out)
    }

    pub(super) fn list_panes(&mut self) -> Result<String, String> {
        let (id, window) = self.window("window")?;
        let default = "0: [#{window_width}x#{window_height}] [history #{history_size}/500, 0 bytes] #{pane_id} (active)";
        let format = self.value('F').unwrap_or_else(|| default.to_owned());
        let all = self.has('a') || self.has('s');
        let windows = self.get(id)?.windows.iter().map(|own| own.id).filter(|own| all || *own == window);
        Ok(windows.fold(String::new(), |out, window| out + &self.expanded(&format, id, window) + "\n"))
    }

    pub(super) fn list_clients(&mut self) -> Result<String, String> {
        let mut out = String::new();
        for client in &self.server.clients {
            if let (Some(session), Some(tty)) =
                (client.session.and_then(|id| self.server.session(id)), client.tty)
            {
                let (columns, rows) = client.size;
                let name = &session.name;
                let _ = writeln!(
                    out,
                    "/dev/pts/{tty}: {name} [{columns}x{rows} xterm-256color] (attached,focused,UTF-8)"
                );
            }
        }
        Ok(out)
    }

    /// A format with the values of a window.
    pub(super) fn expanded(&self, format: &str, session: u32, window: u32) -> String {
        let mut out = String::new();
        let mut rest = format;
        while let Some((before, after)) = rest.split_once('#') {
            out.push_str(before);
            let mut chars = after.chars();
            let letter = chars.next().unwrap_or('#');
            rest = chars.as_str();
            let name = match letter {
                '{' => {
                    let (name, after) = rest.split_once('}').unwrap_or((rest, ""));
                    rest = after;
                    name
                }
                'S' => "session_name",
                'I' => "window_index",
                'W' => "window_name",
                'F' => "window_flags",
                'P' => "pane_index",
                'D' => "pane_id",
                'T' => "pane_title",
                'H' => "host",
                'h' => "host_short",
                other => {
                    out.push(other);
                    continue;
                }
            };
            match name.strip_prefix('?').map(|condition| condition.splitn(3, ',').collect::<Vec<_>>()) {
                Some(parts) => {
                    let value = self.fact(parts[0], session, window);
                    let is_true = !value.is_empty() && value != "0";
                    out.push_str(parts.get(if is_true { 1 } else { 2 }).copied().unwrap_or_default());
                }
                None => out.push_str(&self.fact(name, session, window)),
            }
        }
        out + rest
    }

    /// The value of a name in a format.
    pub(super) fn fact(&self, name: &str, session: u32, window: u32) -> String {
        let Some(session) = self.server.session(session) else { return String::new() };
        let Some(window) = session.windows.iter().find(|own| own.id == window) else { return String::new() };
        let process = |pid| self.cx.kernel.process(pid);
        let front = self.cx.kernel.tty(window.tty).and_then(|tty| process(tty.foreground?));
        match name {
            "session_name" => session.name.clone(),
            "session_id" => format!("${}", session.id),
            "session_windows" => session.windows.len().to_string(),
            "session_attached" => self.server.attached(session.id).to_string(),
            "session_created" => session.created.secs().to_string(),
            "t:session_created" => session.created.strftime("%a %b %e %H:%M:%S %Y"),
            "window_index" => window.index.to_string(),
            "window_name" => window.title(self.cx),
            "window_flags" => session.flag(window).to_owned(),
            "window_active" => u8::from(session.current == window.id).to_string(),
            "window_id" => format!("@{}", window.id),
            "window_panes" => "1".to_owned(),
            "window_width" | "pane_width" => session.size.0.to_string(),
            "window_height" | "pane_height" => session.size.1.to_string(),
            "window_layout" => layout(session.size, window.id),
            "history_size" => window.grid.history().len().to_string(),
            "pane_index" => "0".to_owned(),
            "pane_active" => "1".to_owned(),
            "pane_id" => format!("%{}", window.id),
            "pane_pid" => window.pid.0.to_string(),
            "pane_tty" => format!("/dev/pts/{}", window.tty.0),
            "pane_current_command" => front.map_or_else(String::new, crate::ps::comm),
            "pane_current_path" => {
                front.or_else(|| process(window.pid)).map_or_else(String::new, |p| p.cwd.to_string())
            }
            "host" | "host_short" | "pane_title" => self.cx.host().to_string(),
            "version" => VERSION.to_owned(),
            _ => String::new(),
        }
    }
}

/// The layout of a window with one pane: a checksum, and its size, position and number.
fn layout((columns, rows): (u16, u16), pane: u32) -> String {
    let text = format!("{columns}x{rows},0,0,{pane}");
    let sum = text.bytes().fold(0_u16, |sum, byte| sum.rotate_right(1).wrapping_add(u16::from(byte)));
    format!("{sum:04x},{text}")
}
