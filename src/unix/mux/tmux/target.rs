//! What `-t` names: sessions, windows and panes.

use super::call::TmuxCall;
use crate::mux::session::MuxSession;
use crate::mux::window::MuxWindow;

impl TmuxCall<'_, '_, '_, '_> {
    /// The session in which the command was typed, or the one that was used last.
    pub(super) fn own_session(&self) -> Result<u32, String> {
        let sessions = &self.server.sessions;
        let own = sessions.iter().find(|session| Some(session.id) == self.from.0);
        let own = own.or_else(|| sessions.iter().max_by_key(|session| session.used));
        own.map(|session| session.id).ok_or_else(|| "no sessions".to_owned())
    }

    pub(super) fn named_session(&self, name: &str) -> Result<u32, String> {
        let exact = name.strip_prefix('=');
        let wanted = exact.unwrap_or(name);
        let sessions = &self.server.sessions;
        let number = wanted.strip_prefix('$').and_then(|id| id.parse().ok());
        let found = sessions.iter().find(|session| session.name == wanted || Some(session.id) == number);
        let mut begins =
            sessions.iter().filter(|session| exact.is_none() && session.name.starts_with(wanted));
        let found = found.or_else(|| begins.next().filter(|_| begins.next().is_none()));
        found.map(|session| session.id).ok_or_else(|| format!("can't find session: {name}"))
    }

    /// The session of `-t`.
    pub(super) fn session(&self) -> Result<u32, String> {
        match self.value('t') {
            None => self.own_session(),
            Some(name) => {
                let name = name.split_once(':').map_or(name.as_str(), |(name, _)| name);
                if name.is_empty() { self.own_session() } else { self.named_session(name) }
            }
        }
    }

    pub(super) fn get(&self, id: u32) -> Result<&MuxSession, String> {
        self.server.session(id).ok_or_else(|| "no current session".to_owned())
    }

    pub(super) fn get_mut(&mut self, id: u32) -> Result<&mut MuxSession, String> {
        self.server.session_mut(id).ok_or_else(|| "no current session".to_owned())
    }

    /// The session and window of `-t`; `what` is a window or a pane.
    pub(super) fn window(&self, what: &str) -> Result<(u32, u32), String> {
        let own = self.own_session()?;
        let Some(target) = self.value('t') else {
            let session = self.get(own)?;
            let typed = session.windows.iter().find(|window| Some(window.id) == self.from.1);
            return Ok((own, typed.map_or(session.current, |window| window.id)));
        };
        let mut name = target.as_str();
        if let Some((window, pane)) = name.rsplit_once('.').filter(|(_, pane)| pane.parse::<u32>().is_ok()) {
            if pane != "0" {
                return Err(format!("can't find pane: {pane}"));
            }
            name = window;
        }
        if name.starts_with(['@', '%']) {
            let found = self.server.sessions.iter().find_map(|s| Some((s.id, s.find(self.cx, name)?)));
            return found.ok_or_else(|| format!("can't find {what}: {name}"));
        }
        if let Some((session, window)) = name.split_once(':') {
            let id = if session.is_empty() { own } else { self.named_session(session)? };
            let found = self.get(id)?.find(self.cx, window);
            return found.map(|window| (id, window)).ok_or_else(|| format!("can't find window: {window}"));
        }
        if let Some(window) = self.get(own)?.find(self.cx, name.trim_start_matches('=')) {
            return Ok((own, window));
        }
        let id = self.named_session(name).map_err(|_| format!("can't find {what}: {name}"))?;
        Ok((id, self.get(id)?.current))
    }

    pub(super) fn window_mut(&mut self, what: &str) -> Result<&mut MuxWindow, String> {
        let (session, window) = self.window(what)?;
        let found = self.get_mut(session)?.windows.iter_mut().find(|own| own.id == window);
        found.ok_or_else(|| format!("can't find {what}: {window}"))
    }
}
