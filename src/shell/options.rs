//! The options of `set` and `shopt` (bash(1), "SHELL BUILTIN COMMANDS"): two tables, each kept as a set of bits.

use serde::{Deserialize, Serialize};

macro_rules! options {
    ($(#[$doc:meta])* $kind:ident { $($name:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $kind { $($name,)* }

        impl $kind {
            /// All options with their names, in bash's order.
            pub const ALL: &[(&str, Self)] = &[$(($text, Self::$name),)*];
        }

        impl Bit for $kind {
            fn bit(self) -> u64 {
                1 << (self as u32)
            }

            fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|(n, _)| *n == name).map(|(_, option)| *option)
            }

            fn names(bits: u64) -> Vec<&'static str> {
                Self::ALL.iter().filter(|(_, o)| bits & o.bit() != 0).map(|(name, _)| *name).collect()
            }
        }
    };
}

/// An option that is a bit in a set.
pub trait Bit: Copy {
    /// Its bit.
    fn bit(self) -> u64;
    /// The option with this name.
    fn named(name: &str) -> Option<Self>;
    /// The names of a set.
    fn names(bits: u64) -> Vec<&'static str>;
}

/// Options that are on.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionSet<T> {
    bits: u64,
    kind: std::marker::PhantomData<T>,
}

impl<T> Clone for OptionSet<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for OptionSet<T> {}

impl<T: Bit> OptionSet<T> {
    /// The set of these options.
    #[must_use]
    pub fn of(options: &[T]) -> Self {
        let bits = options.iter().fold(0, |bits, option| bits | option.bit());
        Self { bits, kind: std::marker::PhantomData }
    }

    /// Whether an option is on.
    #[must_use]
    pub fn has(self, option: T) -> bool {
        self.bits & option.bit() != 0
    }

    /// Turns an option on or off.
    pub fn switch(&mut self, option: T, on: bool) {
        self.bits = if on { self.bits | option.bit() } else { self.bits & !option.bit() };
    }

    /// The names of the options that are on, joined by `:`.
    #[must_use]
    pub fn joined(self) -> String {
        T::names(self.bits).join(":")
    }
}

options! {
    /// An option of `set -o`.
    Flag {
        Allexport = "allexport",
        Braceexpand = "braceexpand",
        Emacs = "emacs",
        Errexit = "errexit",
        Errtrace = "errtrace",
        Functrace = "functrace",
        Hashall = "hashall",
        Histexpand = "histexpand",
        History = "history",
        Ignoreeof = "ignoreeof",
        InteractiveComments = "interactive-comments",
        Keyword = "keyword",
        Monitor = "monitor",
        Noclobber = "noclobber",
        Noexec = "noexec",
        Noglob = "noglob",
        Nolog = "nolog",
        Notify = "notify",
        Nounset = "nounset",
        Onecmd = "onecmd",
        Physical = "physical",
        Pipefail = "pipefail",
        Posix = "posix",
        Privileged = "privileged",
        Verbose = "verbose",
        Vi = "vi",
        Xtrace = "xtrace",
    }
}

impl Flag {
    /// The letter of `set`, if it has one.
    #[must_use]
    pub const fn letter(self) -> Option<char> {
        Some(match self {
            Self::Allexport => 'a',
            Self::Braceexpand => 'B',
            Self::Errexit => 'e',
            Self::Errtrace => 'E',
            Self::Functrace => 'T',
            Self::Hashall => 'h',
            Self::Histexpand => 'H',
            Self::Keyword => 'k',
            Self::Monitor => 'm',
            Self::Noclobber => 'C',
            Self::Noexec => 'n',
            Self::Noglob => 'f',
            Self::Notify => 'b',
            Self::Nounset => 'u',
            Self::Onecmd => 't',
            Self::Physical => 'P',
            Self::Privileged => 'p',
            Self::Verbose => 'v',
            Self::Xtrace => 'x',
            Self::Emacs
            | Self::History
            | Self::Ignoreeof
            | Self::InteractiveComments
            | Self::Nolog
            | Self::Pipefail
            | Self::Posix
            | Self::Vi => return None,
        })
    }

    /// The option with this letter.
    #[must_use]
    pub fn of_letter(letter: char) -> Option<Self> {
        Self::ALL.iter().map(|(_, flag)| *flag).find(|flag| flag.letter() == Some(letter))
    }
}

options! {
    /// An option of `shopt`.
    Shopt {
        Autocd = "autocd",
        AssocExpandOnce = "assoc_expand_once",
        CdableVars = "cdable_vars",
        Cdspell = "cdspell",
        Checkhash = "checkhash",
        Checkjobs = "checkjobs",
        Checkwinsize = "checkwinsize",
        Cmdhist = "cmdhist",
        Compat31 = "compat31",
        Compat32 = "compat32",
        Compat40 = "compat40",
        Compat41 = "compat41",
        Compat42 = "compat42",
        Compat43 = "compat43",
        Compat44 = "compat44",
        CompleteFullquote = "complete_fullquote",
        Direxpand = "direxpand",
        Dirspell = "dirspell",
        Dotglob = "dotglob",
        Execfail = "execfail",
        ExpandAliases = "expand_aliases",
        Extdebug = "extdebug",
        Extglob = "extglob",
        Extquote = "extquote",
        Failglob = "failglob",
        ForceFignore = "force_fignore",
        Globasciiranges = "globasciiranges",
        Globskipdots = "globskipdots",
        Globstar = "globstar",
        GnuErrfmt = "gnu_errfmt",
        Histappend = "histappend",
        Histreedit = "histreedit",
        Histverify = "histverify",
        Hostcomplete = "hostcomplete",
        Huponexit = "huponexit",
        InheritErrexit = "inherit_errexit",
        InteractiveComments = "interactive_comments",
        Lastpipe = "lastpipe",
        Lithist = "lithist",
        LocalvarInherit = "localvar_inherit",
        LocalvarUnset = "localvar_unset",
        LoginShell = "login_shell",
        Mailwarn = "mailwarn",
        NoEmptyCmdCompletion = "no_empty_cmd_completion",
        Nocaseglob = "nocaseglob",
        Nocasematch = "nocasematch",
        NoexpandTranslation = "noexpand_translation",
        Nullglob = "nullglob",
        PatsubReplacement = "patsub_replacement",
        Progcomp = "progcomp",
        ProgcompAlias = "progcomp_alias",
        Promptvars = "promptvars",
        RestrictedShell = "restricted_shell",
        ShiftVerbose = "shift_verbose",
        Sourcepath = "sourcepath",
        VarredirClose = "varredir_close",
        XpgEcho = "xpg_echo",
    }
}
