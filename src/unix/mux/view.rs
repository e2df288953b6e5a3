//! What an attached client shows, and what its keys do.
//!
//! The bindings are those of tmux 3.3a and screen 4.9 for windows: new, next, previous, by number, from a list, rename, kill,
//! detach, help, and the lines above the screen. Panes and paste buffers are missing, and their keys say so.

use super::server::{MuxServer, MuxStyle};
use super::session::MuxSession;
use super::{gnu_screen, tmux};
use crate::Cx;
use crate::edit::keys::{EditorKey, next_key};
use base::width::{char_width, text_width};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

const OTHER_SCREEN: &str = "\x1b[?1049h\x1b[H\x1b[2J";
/// Bytes after which the whole picture is sent again, because a page that is loaded again shows the last 64 KiB of output.
const REFRESH: usize = 24 << 10;
/// Black on green.
const STATUS: &str = "\x1b[30;42m";
/// Black on yellow.
const MESSAGE: &str = "\x1b[30;43m";
const INVERSE: &str = "\x1b[7m";

/// What a client shows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct View {
    rows: Vec<String>,
    /// Row and column, and whether it is hidden.
    cursor: (usize, usize, bool),
    size: (u16, u16),
    sent: usize,
    /// A message in the last row, until the next key.
    message: Option<String>,
    mode: ViewMode,
}

/// What the next key is for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
enum ViewMode {
    /// The window.
    #[default]
    Keys,
    /// A binding.
    Prefix,
    /// `y` or another key.
    Confirm(String, ViewAction),
    /// A line.
    Prompt { ask: String, text: String, action: ViewAction },
    /// The list of windows, with the selected entry.
    Choose(usize),
    /// A text, from a line on.
    Text(Vec<String>, usize),
}

/// What follows an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum ViewAction {
    KillWindow(u32),
    Quit,
    RenameWindow(u32),
    RenameSession,
    SelectWindow,
    Command,
}

impl View {
    /// Shows a message in the last row.
    pub fn tell(&mut self, message: String) {
        self.message = Some(message);
    }

    /// Shows a text until `q`.
    pub fn show_text(&mut self, lines: Vec<String>, at: usize) {
        self.mode = ViewMode::Text(lines, at);
    }

    /// The bytes that turn what was shown into the present picture. Empty if nothing has changed.
    pub fn draw(
        &mut self,
        cx: &Cx,
        style: MuxStyle,
        sessions: &[MuxSession],
        session: &MuxSession,
        size: (u16, u16),
    ) -> String {
        let (rows, cursor) = self.picture(cx, style, sessions, session, size);
        let mut out = String::new();
        if self.size != size || self.rows.len() != rows.len() || self.sent > REFRESH {
            out.push_str(OTHER_SCREEN);
            (self.size, self.sent) = (size, 0);
            self.rows = vec![String::new(); rows.len()];
        } else if self.rows == rows && self.cursor == cursor {
            return out;
        }
        for (at, (row, last)) in rows.iter().zip(&self.rows).enumerate() {
            if row != last {
                // Erased before it is written: after a whole row, the cursor stands on its last character.
                let _ = write!(out, "\x1b[{};1H\x1b[K{row}", at + 1);
            }
        }
        let shows = if cursor.2 { 'l' } else { 'h' };
        let _ = write!(out, "\x1b[{};{}H\x1b[?25{shows}", cursor.0 + 1, cursor.1 + 1);
        (self.rows, self.cursor) = (rows, cursor);
        self.sent += out.len();
        out
    }

    fn picture(
        &self,
        cx: &Cx,
        style: MuxStyle,
        sessions: &[MuxSession],
        session: &MuxSession,
        (columns, height): (u16, u16),
    ) -> (Vec<String>, (usize, usize, bool)) {
        let (columns, height) = (usize::from(columns), usize::from(height));
        let body = if style == MuxStyle::Tmux { height - 1 } else { height };
        let (mut rows, mut cursor) = match (&self.mode, session.front()) {
            (ViewMode::Choose(at), _) => {
                let list: Vec<String> =
                    choices(cx, style, sessions, session).into_iter().map(|(line, _)| line).collect();
                let first = (at + 1).saturating_sub(body);
                let mark = |(row, line): (usize, &String)| {
                    let line = cut(line, columns);
                    let colour = if style == MuxStyle::Tmux { MESSAGE } else { INVERSE };
                    if row == *at { format!("{colour}{line}\x1b[m") } else { line }
                };
                (list.iter().enumerate().skip(first).map(mark).collect(), (at - first, 0, true))
            }
            (ViewMode::Text(lines, at), _) => {
                (lines.iter().skip(*at).map(|line| cut(line, columns)).collect(), (0, 0, true))
            }
            (_, Some(window)) => {
                let (row, column) = window.grid.cursor();
                (window.grid.drawn().collect(), (row, column.min(columns - 1), window.grid.hides_cursor()))
            }
            (_, None) => (Vec::new(), (0, 0, true)),
        };
        // A smaller terminal than the one that gives the window its size shows its upper rows.
        rows.resize(body, String::new());
        cursor.0 = cursor.0.min(body - 1);
        let line = match &self.mode {
            ViewMode::Confirm(ask, _) => Some((ask.clone(), true)),
            ViewMode::Prompt { ask, text, .. } => Some((format!("{ask}{text}"), true)),
            _ => self.message.clone().map(|message| (message, false)),
        };
        let bottom = match (style, &line) {
            (MuxStyle::Tmux, Some((text, _))) => Some((MESSAGE, filled(text, columns))),
            (MuxStyle::Tmux, None) => Some((STATUS, status_line(cx, session, columns))),
            (MuxStyle::Screen, Some((text, _))) => Some((INVERSE, cut(text, columns))),
            (MuxStyle::Screen, None) => None,
        };
        if let Some((colour, text)) = bottom {
            rows.truncate(height - 1);
            rows.push(format!("{colour}{text}\x1b[m"));
        }
        if let Some((text, true)) = line {
            cursor = (height - 1, text_width(&text).min(columns - 1), false);
        }
        (rows, cursor)
    }
}

/// As much of a text as fits.
fn cut(text: &str, columns: usize) -> String {
    let mut width = 0;
    let fits = |c: &char| {
        width += usize::from(char_width(*c));
        width <= columns
    };
    text.chars().take_while(fits).collect()
}

fn filled(text: &str, columns: usize) -> String {
    base::width::pad_right(&cut(text, columns), columns)
}

/// tmux's last row: the session and its windows, and host, time and date.
fn status_line(cx: &Cx, session: &MuxSession, columns: usize) -> String {
    let left = cut(&format!("[{}] ", session.name), 10);
    let windows: Vec<String> = session
        .windows
        .iter()
        // A window that is neither current nor last has a blank in place of its flag.
        .map(|window| {
            let flag = session.flag(window);
            format!("{}:{}{}", window.index, window.title(cx), if flag.is_empty() { " " } else { flag })
        })
        .collect();
    let right = cut(&format!("\"{}\" {}", cut(&cx.host(), 21), cx.now.strftime("%H:%M %d-%b-%y")), 40);
    let room = columns.saturating_sub(right.len() + 1);
    format!("{} {}", filled(&format!("{left}{}", windows.join(" ")), room), right)
}

/// The entries of the list of windows, each with its session and window.
fn choices(
    cx: &Cx,
    style: MuxStyle,
    sessions: &[MuxSession],
    shown: &MuxSession,
) -> Vec<(String, Option<(u32, u32)>)> {
    let mut all = Vec::new();
    if style == MuxStyle::Screen {
        all.push((format!(" Num Name{:>71}", "Flags"), None));
        all.push((String::new(), None));
        for window in &shown.windows {
            all.push((format!("{:>4} {}", window.index, window.title(cx)), Some((shown.id, window.id))));
        }
        return all;
    }
    for session in sessions {
        let attached = if session.id == shown.id { " (attached)" } else { "" };
        let head = format!("({}) - {}: {} windows{attached}", all.len(), session.name, session.windows.len());
        all.push((head, Some((session.id, session.current))));
        for (at, window) in session.windows.iter().enumerate() {
            let branch = if at + 1 == session.windows.len() { "└─>" } else { "├─>" };
            let line = format!(
                "({}) {branch} {}: {}{}",
                all.len(),
                window.index,
                window.title(cx),
                session.flag(window)
            );
            all.push((line, Some((session.id, window.id))));
        }
    }
    all
}

impl MuxServer {
    /// Takes the keys of a client.
    pub fn type_keys(&mut self, cx: &mut Cx, at: usize, keys: &str) {
        let prefix = match self.style {
            MuxStyle::Tmux => '\x02',
            MuxStyle::Screen => '\x01',
        };
        let mut rest = keys;
        while let Some(id) = self.clients[at].session.filter(|_| !rest.is_empty()) {
            self.touch(id);
            self.clients[at].view.message = None;
            if matches!(self.clients[at].view.mode, ViewMode::Keys) {
                let (own, after) =
                    rest.split_once(prefix).map_or((rest, None), |(own, after)| (own, Some(after)));
                if !own.is_empty()
                    && let Some(window) = self.session_mut(id).and_then(MuxSession::front_mut)
                {
                    window.type_keys(cx, own);
                }
                let Some(after) = after else { return };
                self.clients[at].view.mode = ViewMode::Prefix;
                rest = after;
                continue;
            }
            let Some((key, length)) = next_key(rest.as_bytes(), false) else { return };
            rest = rest.get(length..).unwrap_or("");
            match std::mem::take(&mut self.clients[at].view.mode) {
                ViewMode::Keys => {}
                ViewMode::Prefix => self.bound(cx, (at, id), key),
                ViewMode::Confirm(_, action) => {
                    if matches!(key, EditorKey::Char('y' | 'Y')) {
                        self.act(cx, (at, id), action, "");
                    }
                }
                ViewMode::Prompt { ask, mut text, action } => match key {
                    EditorKey::Enter => self.act(cx, (at, id), action, &text),
                    EditorKey::Escape | EditorKey::Ctrl('c' | 'g') => {}
                    key => {
                        match key {
                            EditorKey::Backspace => drop(text.pop()),
                            EditorKey::Ctrl('u') => text.clear(),
                            key => text.extend(key.character()),
                        }
                        self.clients[at].view.mode = ViewMode::Prompt { ask, text, action };
                    }
                },
                ViewMode::Choose(chosen) => self.choose(cx, (at, id), chosen, key),
                ViewMode::Text(lines, top) => {
                    let page = usize::from(self.clients[at].size.1) - 1;
                    let most = lines.len().saturating_sub(page);
                    let top = match key {
                        EditorKey::Up | EditorKey::Char('k') => top.saturating_sub(1),
                        EditorKey::Down | EditorKey::Char('j') => top + 1,
                        EditorKey::PageUp | EditorKey::Ctrl('b') => top.saturating_sub(page),
                        EditorKey::PageDown | EditorKey::Ctrl('f') | EditorKey::Char(' ') => top + page,
                        EditorKey::Char('g') | EditorKey::Home => 0,
                        EditorKey::Char('G') | EditorKey::End => most,
                        _ => continue,
                    };
                    self.clients[at].view.mode = ViewMode::Text(lines, top.min(most));
                }
            }
        }
    }

    fn choose(&mut self, cx: &Cx, (at, id): (usize, u32), chosen: usize, key: EditorKey) {
        let Some(session) = self.session(id) else { return };
        let all = choices(cx, self.style, &self.sessions, session);
        let first = all.iter().position(|(_, target)| target.is_some()).unwrap_or(0);
        let number = match key {
            EditorKey::Char(digit) => digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok()),
            _ => None,
        };
        let (next, accept) = match key {
            EditorKey::Up | EditorKey::Char('k') | EditorKey::Ctrl('p') => {
                (chosen.saturating_sub(1).max(first), false)
            }
            EditorKey::Down | EditorKey::Char('j') | EditorKey::Ctrl('n') => {
                ((chosen + 1).min(all.len() - 1), false)
            }
            EditorKey::Enter => (chosen, true),
            _ => match number {
                Some(number) => (first + number, true),
                None => return,
            },
        };
        if !accept {
            self.clients[at].view.mode = ViewMode::Choose(next);
        } else if let Some((_, Some((session, window)))) = all.get(next) {
            self.clients[at].session = Some(*session);
            let window = *window;
            if let Some(session) = self.session_mut(*session) {
                session.select(window);
            }
        }
    }

    /// A key after the prefix.
    fn bound(&mut self, cx: &mut Cx, (at, id): (usize, u32), key: EditorKey) {
        let is_tmux = self.style == MuxStyle::Tmux;
        let Some(session) = self.session_mut(id) else { return };
        let Some(front) = session.front() else { return };
        let (window, title) = (front.id, front.title(cx));
        let prompt =
            |ask: String, text: &str, action| ViewMode::Prompt { ask, text: text.to_owned(), action };
        let none = |text: &str| Some(text.to_owned());
        let (mut message, mut mode) = (None, ViewMode::Keys);
        match (key, is_tmux) {
            (EditorKey::Char('c'), _) | (EditorKey::Ctrl('c'), false) => {
                message = self.open_window(cx, id, None, &[], false).err();
            }
            (EditorKey::Char('n'), _) | (EditorKey::Char(' ') | EditorKey::Ctrl('n'), false) => {
                match session.beside(1) {
                    Some(next) => drop(session.select(next)),
                    None => message = none(if is_tmux { "No next window" } else { "No other window." }),
                }
            }
            (EditorKey::Char('p'), _) | (EditorKey::Ctrl('p') | EditorKey::Backspace, false) => {
                match session.before() {
                    Some(next) => drop(session.select(next)),
                    None => message = none(if is_tmux { "No previous window" } else { "No other window." }),
                }
            }
            (EditorKey::Char('l'), true) | (EditorKey::Ctrl('a'), false) => match session.last {
                Some(last) => drop(session.select(last)),
                None => message = none(if is_tmux { "No last window" } else { "No other window." }),
            },
            (EditorKey::Char(digit @ '0'..='9'), _) => match session.find(cx, &digit.to_string()) {
                Some(found) => drop(session.select(found)),
                None if is_tmux => message = Some(format!("Can't find window: {digit}")),
                None => message = Some(gnu_screen::windows(cx, session)),
            },
            (EditorKey::Char('w'), true) | (EditorKey::Char('"'), false) => {
                let all =
                    choices(cx, self.style, &self.sessions, self.session(id).unwrap_or(&self.sessions[0]));
                let own = all.iter().position(|(_, target)| *target == Some((id, window)));
                // tmux lists each session with its own line first.
                let last = all.iter().rposition(|(_, target)| *target == Some((id, window)));
                mode = ViewMode::Choose(if is_tmux { last } else { own }.unwrap_or(0));
            }
            (EditorKey::Char('s'), true) => {
                let all =
                    choices(cx, self.style, &self.sessions, self.session(id).unwrap_or(&self.sessions[0]));
                let own = all.iter().position(|(_, target)| target.is_some_and(|(session, _)| session == id));
                mode = ViewMode::Choose(own.unwrap_or(0));
            }
            (EditorKey::Char('w') | EditorKey::Ctrl('w'), false) => {
                message = Some(gnu_screen::windows(cx, session))
            }
            (EditorKey::Char('d'), _) | (EditorKey::Ctrl('d'), false) => {
                let line = match is_tmux {
                    true => format!("[detached (from session {})]", session.name),
                    false => format!("[detached from {}.{}]", cx.pid, session.name),
                };
                self.detach(cx, at, &line, 0);
            }
            (EditorKey::Char('&'), true) => {
                mode =
                    ViewMode::Confirm(format!("kill-window {title}? (y/n) "), ViewAction::KillWindow(window));
            }
            (EditorKey::Char('x'), true) => {
                mode = ViewMode::Confirm("kill-pane 0? (y/n) ".to_owned(), ViewAction::KillWindow(window));
            }
            (EditorKey::Char('k' | 'K'), false) => {
                let ask = "Really kill this window [y/n]".to_owned();
                mode = ViewMode::Confirm(ask, ViewAction::KillWindow(window));
            }
            (EditorKey::Char('\\') | EditorKey::Ctrl('\\'), false) => {
                let ask = "Really quit and kill all your windows [y/n]".to_owned();
                mode = ViewMode::Confirm(ask, ViewAction::Quit);
            }
            (EditorKey::Char(','), true) => {
                mode = prompt("(rename-window) ".to_owned(), &title, ViewAction::RenameWindow(window));
            }
            (EditorKey::Char('A'), false) => {
                mode = prompt("Set window's title to: ".to_owned(), &title, ViewAction::RenameWindow(window));
            }
            (EditorKey::Char('$'), true) => {
                mode = prompt("(rename-session) ".to_owned(), &session.name, ViewAction::RenameSession);
            }
            (EditorKey::Char('\''), true) => {
                mode = prompt("(index) ".to_owned(), "", ViewAction::SelectWindow)
            }
            (EditorKey::Char('\''), false) => {
                mode = prompt("Switch to window: ".to_owned(), "", ViewAction::SelectWindow);
            }
            (EditorKey::Char(':'), _) => mode = prompt(":".to_owned(), "", ViewAction::Command),
            (EditorKey::Char('?'), _) => {
                let keys = if is_tmux { tmux::BINDINGS } else { gnu_screen::BINDINGS };
                mode = ViewMode::Text(keys.lines().map(str::to_owned).collect(), 0);
            }
            (EditorKey::Char('[') | EditorKey::PageUp, true)
            | (EditorKey::Char('[') | EditorKey::Escape, false) => {
                let lines: Vec<String> =
                    front.grid.history().iter().cloned().chain(front.grid.texts()).collect();
                let page = if key == EditorKey::PageUp { usize::from(session.size.1) } else { 0 };
                let top = front.grid.history().len().saturating_sub(page);
                mode = ViewMode::Text(lines, top);
            }
            // The prefix twice: once for the program.
            (EditorKey::Ctrl('b'), true) | (EditorKey::Char('a'), false) => {
                if let Some(window) = session.front_mut() {
                    window.type_keys(cx, if is_tmux { "\x02" } else { "\x01" });
                }
            }
            (EditorKey::Char('r'), true) | (EditorKey::Char('l') | EditorKey::Ctrl('l'), false) => {
                self.clients[at].view.rows.clear();
            }
            (EditorKey::Char('%' | '"'), true) | (EditorKey::Char('S' | '|'), false) => {
                message = none(tmux::ONE_PANE);
            }
            _ => {}
        }
        self.clients[at].view.mode = mode;
        if message.is_some() {
            self.clients[at].view.message = message;
        }
    }

    /// Carries out what was confirmed or typed.
    fn act(&mut self, cx: &mut Cx, (at, id): (usize, u32), action: ViewAction, text: &str) {
        let Some(session) = self.session_mut(id) else { return };
        match action {
            ViewAction::KillWindow(window) => {
                session.remove(cx, window);
                self.end_empty(cx);
            }
            ViewAction::Quit => self.end_session(cx, id, "[screen is terminating]", 0),
            ViewAction::RenameWindow(window) => {
                if let Some(window) = session.windows.iter_mut().find(|own| own.id == window) {
                    window.name = Some(text.to_owned());
                }
            }
            ViewAction::RenameSession if !text.is_empty() => session.name = tmux::session_name(text),
            ViewAction::RenameSession => {}
            ViewAction::SelectWindow => match session.find(cx, text) {
                Some(window) => drop(session.select(window)),
                None => self.clients[at].view.message = Some(format!("Can't find window: {text}")),
            },
            ViewAction::Command => {
                let words: Vec<String> = tmux::words_of(text);
                let result = match self.style {
                    MuxStyle::Tmux => tmux::run_words(self, cx, (at, Some(id)), &words, None),
                    MuxStyle::Screen => gnu_screen::command(self, cx, id, &words),
                };
                let view = &mut self.clients[at].view;
                match result {
                    Ok(text) if text.is_empty() => {}
                    Ok(text) => view.show_text(text.lines().map(str::to_owned).collect(), 0),
                    Err(why) => {
                        let mut chars = why.chars();
                        let first: String = chars.next().into_iter().flat_map(char::to_uppercase).collect();
                        view.tell(first + chars.as_str());
                    }
                }
            }
        }
    }
}
