//! Sessions: their windows, the current one, and how users name them.

use super::window::MuxWindow;
use crate::Cx;
use base::time::Time;
use host::Env;
use serde::{Deserialize, Serialize};

/// A session.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MuxSession {
    /// Its number on the server.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created: Time,
    /// Its windows by index; at least one, unless it is about to end.
    pub windows: Vec<MuxWindow>,
    /// The number of the current window on the server.
    pub current: u32,
    /// The window that was current before.
    pub last: Option<u32>,
    /// Columns and rows of its windows.
    pub size: (u16, u16),
    /// The environment of new windows.
    pub env: Env,
    /// The directory of new windows.
    pub cwd: String,
    /// The larger, the more recently it was used.
    pub used: u64,
}

impl MuxSession {
    /// The current window.
    #[must_use]
    pub fn front(&self) -> Option<&MuxWindow> {
        self.windows.iter().find(|window| window.id == self.current)
    }

    /// The current window.
    pub fn front_mut(&mut self) -> Option<&mut MuxWindow> {
        self.windows.iter_mut().find(|window| window.id == self.current)
    }

    /// Makes a window the current one. False if it is it already.
    pub fn select(&mut self, id: u32) -> bool {
        if self.current == id {
            return false;
        }
        self.last = Some(std::mem::replace(&mut self.current, id));
        true
    }

    /// The window `steps` further. None if there is only one.
    #[must_use]
    pub fn beside(&self, steps: usize) -> Option<u32> {
        let count = self.windows.len();
        let at = self.windows.iter().position(|window| window.id == self.current)?;
        (count > 1).then(|| self.windows[(at + steps) % count].id)
    }

    /// The window before the current one. None if there is only one.
    #[must_use]
    pub fn before(&self) -> Option<u32> {
        self.beside(self.windows.len().saturating_sub(1))
    }

    /// The first free number of a window.
    #[must_use]
    pub fn free_index(&self) -> u32 {
        (0..).find(|index| self.windows.iter().all(|window| window.index != *index)).unwrap_or(0)
    }

    /// Adds a window in its place.
    pub fn add(&mut self, window: MuxWindow) {
        let at = self.windows.partition_point(|other| other.index < window.index);
        self.windows.insert(at, window);
    }

    /// Removes a window. The last current one takes its place, or the one before it.
    pub fn remove(&mut self, cx: &mut Cx, id: u32) {
        let Some(at) = self.windows.iter().position(|window| window.id == id) else { return };
        let window = self.windows.remove(at);
        window.close(cx);
        self.last = self.last.filter(|last| *last != id);
        if self.current == id {
            let before = self.windows.get(at.saturating_sub(1)).map(|window| window.id);
            self.current = self.last.take().or(before).unwrap_or(0);
        }
    }

    /// The window with this index, or name, or beginning of a name, or number (`@3`).
    #[must_use]
    pub fn find(&self, cx: &Cx, name: &str) -> Option<u32> {
        if let Some(id) = name.strip_prefix(['@', '%']).and_then(|id| id.parse().ok()) {
            return self.windows.iter().map(|window| window.id).find(|own| *own == id);
        }
        match name {
            "" => return Some(self.current),
            "!" => return self.last,
            "^" => return self.windows.first().map(|window| window.id),
            "$" => return self.windows.last().map(|window| window.id),
            "+" => return self.beside(1),
            "-" => return self.before(),
            _ => {}
        }
        let index = name.parse().ok();
        let by_index = self.windows.iter().find(|window| Some(window.index) == index);
        let by_name = |exact: bool| {
            let fits = |title: &str| if exact { title == name } else { title.starts_with(name) };
            self.windows.iter().find(|window| fits(&window.title(cx)))
        };
        by_index.or_else(|| by_name(true)).or_else(|| by_name(false)).map(|window| window.id)
    }

    /// `*` for the current window, `-` for the last one.
    #[must_use]
    pub fn flag(&self, window: &MuxWindow) -> &'static str {
        match window.id {
            id if id == self.current => "*",
            id if Some(id) == self.last => "-",
            _ => "",
        }
    }
}
