//! The page's texts in each language, in one table: a text that is missing in a language does not compile.

mod words;

use base::slip::Slip;
use view::slip::french;
use view::{fate, why};
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
    pub const fn fate(self) -> &'static fate::Teller {
        match self {
            Self::En => &fate::EN,
            Self::Fr => &fate::FR,
        }
    }

    /// Its description of a mistake in a script.
    #[must_use]
    pub fn slip(self, slip: &Slip) -> String {
        match self {
            Self::En => slip.to_string(),
            Self::Fr => french(slip),
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
