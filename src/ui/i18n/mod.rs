//! The page's words in each language, written separately. One table: a word that is missing in a language does not compile.

mod words;

use crate::base::slip::Slip;
use crate::view::slip::french;
use crate::view::{fate, why};
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
    /// Its code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Fr => "fr",
        }
    }

    /// The language of a code such as `fr-CA`; English if it is none of ours.
    #[must_use]
    pub fn from_code(code: &str) -> Self {
        if code.starts_with("fr") { Self::Fr } else { Self::En }
    }

    /// Its sentences about jobs that wait.
    #[must_use]
    pub const fn why(self) -> &'static why::Voice {
        match self {
            Self::En => &why::EN,
            Self::Fr => &why::FR,
        }
    }

    /// Its sentences about what became of jobs.
    #[must_use]
    pub const fn fate(self) -> &'static fate::Teller {
        match self {
            Self::En => &fate::EN,
            Self::Fr => &fate::FR,
        }
    }

    /// What it calls a slip in a script.
    #[must_use]
    pub fn slip(self, slip: &Slip) -> String {
        match self {
            Self::En => slip.to_string(),
            Self::Fr => french(slip),
        }
    }

    /// Its words.
    #[must_use]
    pub const fn words(self) -> &'static Words {
        match self {
            Self::En => &EN,
            Self::Fr => &FR,
        }
    }
}
