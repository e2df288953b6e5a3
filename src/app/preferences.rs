//! The user's settings: language, theme, and accessibility. Stored in the browser for the next visit.

use crate::i18n::{Lang, Words};
use crate::{location, storage};
use leptos::prelude::*;
use view::number::grouped;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// What the operating system prefers.
    #[default]
    Auto,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// Its name in storage and in the style sheet.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The theme of a name; [`Theme::Auto`] if the name is unknown.
    pub fn from_name(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::Auto,
        }
    }
}

/// The settings, as signals.
#[derive(Clone, Copy)]
pub struct Preferences {
    pub lang: RwSignal<Lang>,
    pub theme: RwSignal<Theme>,
    /// Whether the page is dark now: the theme, or what the system prefers.
    pub dark: RwSignal<bool>,
    /// Whether terminal output is announced to screen readers.
    pub screen_reader: RwSignal<bool>,
    /// Large text and strong contrast, for a projector.
    pub projector: RwSignal<bool>,
}

impl Preferences {
    /// The settings of the page's address, else of an earlier visit, else of the browser.
    pub fn new() -> Self {
        let browser = web_sys::window().and_then(|w| w.navigator().language()).unwrap_or_default();
        let asked = |name| Some(location::parameter(name)).filter(|value| !value.is_empty());
        let lang = asked("lang").or_else(|| storage::get("language")).unwrap_or(browser);
        let theme = asked("theme")
            .or_else(|| storage::get("theme"))
            .map_or(Theme::Auto, |name| Theme::from_name(&name));
        Self {
            lang: RwSignal::new(Lang::from_code(&lang)),
            theme: RwSignal::new(theme),
            dark: RwSignal::new(false),
            screen_reader: RwSignal::new(storage::get("screen-reader").is_some()),
            projector: RwSignal::new(storage::get("projector").is_some()),
        }
    }

    /// The words of the current language. Reads a signal.
    pub fn t(self) -> &'static Words {
        self.lang.get().words()
    }

    /// A number as the current language writes it. Reads a signal.
    pub fn number(self, n: u64) -> String {
        grouped(n, self.t().thousands)
    }

    /// A word that follows the current language.
    pub fn say(self, word: fn(&'static Words) -> &'static str) -> Signal<&'static str> {
        Signal::derive(move || word(self.t()))
    }

    /// Changes the theme.
    pub fn set_theme(self, theme: Theme) {
        self.theme.set(theme);
        // A setting that cannot be stored lasts for this visit.
        let _ = storage::set("theme", theme.name());
    }

    /// Changes the language.
    pub fn set_lang(self, lang: Lang) {
        self.lang.set(lang);
        let _ = storage::set("language", lang.code());
    }

    /// Turns announcing terminal output on or off.
    pub fn set_screen_reader(self, on: bool) {
        self.screen_reader.set(on);
        keep_switch("screen-reader", on);
    }

    /// Turns the projector mode on or off.
    pub fn toggle_projector(self) {
        self.projector.update(|on| *on = !*on);
        keep_switch("projector", self.projector.get_untracked());
    }
}

fn keep_switch(name: &str, on: bool) {
    if on {
        let _ = storage::set(name, "on");
    } else {
        storage::remove(name);
    }
}
