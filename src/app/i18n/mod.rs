//! The page's texts in each language, in two tables: a text that is missing in a language does not compile. Texts that only the
//! deferred module uses are in [`later`], so that the first download does without them.

mod later;
mod words;

use base::lint::LintMessage;
pub use later::LaterWords;
use view::lint::french;
use view::{outcome, why};
pub use words::{EN, FR, Words};

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// French.
    Fr,
}

impl Lang {
    /// Its code: `en` or `fr`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Fr => "fr",
        }
    }

    /// The language of a code such as `fr-CA`; English if it is unknown.
    #[must_use]
    pub fn from_code(code: &str) -> Self {
        if code.starts_with("fr") { Self::Fr } else { Self::En }
    }

    /// Its sentences about pending jobs.
    #[must_use]
    pub const fn why(self) -> &'static why::Voice {
        match self {
            Self::En => &why::EN,
            Self::Fr => &why::FR,
        }
    }

    /// Its sentences about finished jobs.
    #[must_use]
    pub const fn outcome(self) -> &'static outcome::OutcomeTexts {
        match self {
            Self::En => &outcome::EN,
            Self::Fr => &outcome::FR,
        }
    }

    /// Its description of a mistake in a script.
    #[must_use]
    pub fn lint(self, message: &LintMessage) -> String {
        match self {
            Self::En => message.to_string(),
            Self::Fr => french(message),
        }
    }

    /// Its texts of the deferred module, which alone may call this.
    #[must_use]
    pub const fn later(self) -> &'static LaterWords {
        match self {
            Self::En => &later::EN,
            Self::Fr => &later::FR,
        }
    }

    /// Its texts.
    #[must_use]
    pub const fn words(self) -> &'static Words {
        match self {
            Self::En => &EN,
            Self::Fr => &FR,
        }
    }
}
