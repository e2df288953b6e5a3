//! Flags of reservations: a table of their names, in display order.

use serde::{Deserialize, Serialize};

/// A set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResvFlags(u32);

macro_rules! flags {
    ($($name:ident = $bit:literal, $text:literal;)*) => {
        impl ResvFlags {
            $(#[doc = $text] pub const $name: Self = Self(1 << $bit);)*
        }
        const NAMES: &[(ResvFlags, &str)] = &[$((ResvFlags::$name, $text),)*];
    };
}

flags! {
    MAINT = 0, "MAINT";
    FLEX = 1, "FLEX";
    OVERLAP = 2, "OVERLAP";
    IGNORE_JOBS = 3, "IGNORE_JOBS";
    HOURLY = 4, "HOURLY";
    DAILY = 5, "DAILY";
    WEEKDAY = 6, "WEEKDAY";
    WEEKEND = 7, "WEEKEND";
    WEEKLY = 8, "WEEKLY";
    SPEC_NODES = 9, "SPEC_NODES";
    ALL_NODES = 10, "ALL_NODES";
    ANY_NODES = 11, "ANY_NODES";
    STATIC = 12, "STATIC";
    PART_NODES = 13, "PART_NODES";
    TIME_FLOAT = 14, "TIME_FLOAT";
    REPLACE = 15, "REPLACE";
    REPLACE_DOWN = 17, "REPLACE_DOWN";
    PURGE_COMP = 16, "PURGE_COMP";
    NO_HOLD = 18, "NO_HOLD_JOBS_AFTER_END";
    MAGNETIC = 19, "MAGNETIC";
    USER_DELETE = 20, "USER_DELETE";
    FORCE_START = 21, "FORCE_START";
}

impl ResvFlags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// Flags that make a reservation repeat.
    pub const REPEATING: Self =
        Self(Self::HOURLY.0 | Self::DAILY.0 | Self::WEEKDAY.0 | Self::WEEKEND.0 | Self::WEEKLY.0);

    /// Whether any of `other` is set.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Without those of `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The flag for a word or an unambiguous prefix of it, in any case. The second value is true for `NO_...`, which
    /// removes the flag.
    #[must_use]
    pub fn parse(word: &str) -> Option<(Self, bool)> {
        let upper = word.to_ascii_uppercase();
        let find = |text: &str| {
            let exact = NAMES.iter().find(|(_, name)| *name == text);
            let unique = || {
                let mut begins = NAMES.iter().filter(|(_, name)| text.len() >= 2 && name.starts_with(text));
                begins.next().filter(|_| begins.next().is_none())
            };
            exact.or_else(unique).map(|(flag, _)| *flag)
        };
        match upper.as_str() {
            "STATIC_ALLOC" => return Some((Self::STATIC, false)),
            "NO_STATIC_ALLOC" => return Some((Self::STATIC, true)),
            "MAINTENANCE" => return Some((Self::MAINT, false)),
            "LICENSE_ONLY" => return Some((Self::ANY_NODES, false)),
            "IGNORE_RUNNING" => return Some((Self::IGNORE_JOBS, false)),
            _ => {}
        }
        find(&upper).map(|f| (f, false)).or_else(|| Some((find(upper.strip_prefix("NO_")?)?, true)))
    }

    /// `MAINT,SPEC_NODES`; `purge` is what `PURGE_COMP=` shows, seconds.
    #[must_use]
    pub fn text(self, purge: i64) -> String {
        let shown = |(flag, name): &(Self, &str)| {
            if *flag == Self::PURGE_COMP {
                format!("{name}={}", base::time::hms(purge))
            } else {
                (*name).to_owned()
            }
        };
        NAMES.iter().filter(|(flag, _)| self.has(*flag)).map(shown).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(ResvFlags::parse("maint"), Some((ResvFlags::MAINT, false)));
        assert_eq!(ResvFlags::parse("NO_MAINT"), Some((ResvFlags::MAINT, true)));
        assert_eq!(ResvFlags::parse("overl"), Some((ResvFlags::OVERLAP, false)));
        assert_eq!(ResvFlags::parse("week"), None, "three begin so");
        assert_eq!(ResvFlags::parse("replace"), Some((ResvFlags::REPLACE, false)));
        assert_eq!(ResvFlags::parse("bogus"), None);
        let both = ResvFlags::SPEC_NODES.with(ResvFlags::MAINT).with(ResvFlags::PURGE_COMP);
        assert_eq!(both.text(300), "MAINT,SPEC_NODES,PURGE_COMP=00:05:00");
    }
}
