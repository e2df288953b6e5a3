//! `:set`: the options that have an effect, and those that are known.

use super::Vi;
use crate::Cx;
use serde::{Deserialize, Serialize};

/// The options.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ViOptions {
    pub number: bool,
    pub ignore_case: bool,
    pub smart_case: bool,
    pub auto_indent: bool,
    pub expand_tab: bool,
    pub wrap_scan: bool,
    pub readonly: bool,
    pub tab_stop: usize,
    pub shift_width: usize,
    pub soft_tab_stop: usize,
    /// Rows of text on the terminal.
    pub rows: usize,
}

impl Default for ViOptions {
    fn default() -> Self {
        Self {
            number: false,
            ignore_case: false,
            smart_case: false,
            auto_indent: false,
            expand_tab: false,
            wrap_scan: true,
            readonly: false,
            tab_stop: 8,
            shift_width: 8,
            soft_tab_stop: 0,
            rows: 23,
        }
    }
}

/// Options that are accepted and have no effect here.
const WITHOUT_EFFECT: &[&str] = &[
    "autowrite",
    "background",
    "backspace",
    "backup",
    "bg",
    "bs",
    "cindent",
    "clipboard",
    "compatible",
    "cp",
    "cul",
    "cursorline",
    "colorcolumn",
    "cc",
    "encoding",
    "enc",
    "fileencoding",
    "fenc",
    "fileformat",
    "ff",
    "filetype",
    "ft",
    "fixeol",
    "hidden",
    "history",
    "hlsearch",
    "hls",
    "incsearch",
    "is",
    "laststatus",
    "ls",
    "linebreak",
    "list",
    "listchars",
    "mouse",
    "nrformats",
    "relativenumber",
    "rnu",
    "report",
    "ruler",
    "ru",
    "scrolloff",
    "so",
    "shortmess",
    "showcmd",
    "sc",
    "showmatch",
    "sm",
    "showmode",
    "smd",
    "smartindent",
    "si",
    "smarttab",
    "sta",
    "spell",
    "swapfile",
    "swf",
    "syntax",
    "syn",
    "t_Co",
    "termguicolors",
    "textwidth",
    "tw",
    "title",
    "ttyfast",
    "undofile",
    "updatetime",
    "visualbell",
    "vb",
    "wildmenu",
    "wildmode",
    "wrap",
];

/// The long name of an option.
fn full_name(name: &str) -> &str {
    match name {
        "ts" => "tabstop",
        "sw" => "shiftwidth",
        "sts" => "softtabstop",
        "nu" => "number",
        "ic" => "ignorecase",
        "scs" => "smartcase",
        "ai" => "autoindent",
        "et" => "expandtab",
        "ws" => "wrapscan",
        "ro" => "readonly",
        name => name,
    }
}

impl ViOptions {
    /// What Tab inserts with `expandtab`.
    #[must_use]
    pub const fn soft_tab(&self) -> usize {
        if self.soft_tab_stop > 0 { self.soft_tab_stop } else { self.tab_stop }
    }

    fn flag(&mut self, name: &str) -> Option<&mut bool> {
        Some(match name {
            "number" | "nu" => &mut self.number,
            "ignorecase" | "ic" => &mut self.ignore_case,
            "smartcase" | "scs" => &mut self.smart_case,
            "autoindent" | "ai" => &mut self.auto_indent,
            "expandtab" | "et" => &mut self.expand_tab,
            "wrapscan" | "ws" => &mut self.wrap_scan,
            "readonly" | "ro" => &mut self.readonly,
            _ => return None,
        })
    }

    fn size(&mut self, name: &str) -> Option<&mut usize> {
        Some(match name {
            "tabstop" | "ts" => &mut self.tab_stop,
            "shiftwidth" | "sw" => &mut self.shift_width,
            "softtabstop" | "sts" => &mut self.soft_tab_stop,
            _ => return None,
        })
    }

    /// Sets one option, or returns what `:set` prints.
    ///
    /// # Errors
    /// vim's message.
    fn set(&mut self, word: &str) -> Result<Option<String>, String> {
        if let Some((name, value)) = word.split_once(['=', ':']) {
            if self.flag(name).is_some() {
                return Err(format!("E474: Invalid argument: {word}"));
            }
            return match self.size(name.trim_end_matches(['+', '-'])) {
                Some(size) => {
                    let number: u64 =
                        value.parse().map_err(|_| format!("E521: Number required after =: {word}"))?;
                    let least = usize::from(!name.starts_with('s'));
                    // `shiftwidth=0` means `tabstop`.
                    *size = usize::try_from(number).unwrap_or(64).clamp(least, 64);
                    if self.shift_width == 0 {
                        self.shift_width = self.tab_stop;
                    }
                    Ok(None)
                }
                None if WITHOUT_EFFECT.contains(&name.trim_end_matches(['+', '-', '^'])) => Ok(None),
                None => Err(format!("E518: Unknown option: {word}")),
            };
        }
        let (name, asks) = word.strip_suffix('?').map_or((word, false), |name| (name, true));
        if let Some(size) = self.size(name).copied() {
            return Ok(Some(format!("  {}={size}", full_name(name))));
        }
        if let Some(flag) = self.flag(name).copied()
            && asks
        {
            return Ok(Some(format!("{}{}", if flag { "  " } else { "no" }, full_name(name))));
        }
        let (name, toggles) = name.strip_suffix('!').map_or((name, false), |name| (name, true));
        if name == "paste" {
            self.auto_indent = false;
            return Ok(None);
        }
        if let Some(flag) = self.flag(name) {
            *flag = !toggles || !*flag;
            return Ok(None);
        }
        let bare = name.strip_prefix("no").or_else(|| name.strip_prefix("inv")).unwrap_or(name);
        if let Some(flag) = self.flag(bare) {
            *flag = name.starts_with("inv") && !*flag;
            return Ok(None);
        }
        if WITHOUT_EFFECT.contains(&bare) || bare == "paste" {
            return Ok(None);
        }
        Err(format!("E518: Unknown option: {word}"))
    }
}

impl Vi {
    /// `:set`
    pub(super) fn set(&mut self, words: &str) {
        if words.trim().is_empty() {
            return self.tell("--- Options ---");
        }
        for word in words.split_whitespace() {
            match self.options.set(word) {
                Ok(None) => {}
                Ok(Some(text)) => self.tell(&text),
                Err(text) => return self.complain(&text),
            }
        }
    }

    /// The `set` lines of `~/.vimrc`.
    pub(super) fn read_settings(&mut self, cx: &mut Cx) {
        let home = cx.env.get("HOME").cloned().unwrap_or_default();
        let Ok(data) = cx.read_file(&format!("{home}/.vimrc")) else { return };
        let text = String::from_utf8_lossy(&data).into_owned();
        for line in text.lines().map(|line| line.trim().trim_start_matches(':')) {
            let words = line.strip_prefix("set ").or_else(|| line.strip_prefix("se "));
            if let Some(words) = words {
                // A comment ends the line.
                self.set(words.split('"').next().unwrap_or_default());
            }
        }
        self.message.clear();
    }
}
