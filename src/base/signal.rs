//! The signals of Linux on x86-64, signal(7).

use serde::{Deserialize, Serialize};

macro_rules! signals {
    ($($name:ident = $number:literal, $text:literal;)*) => {
        /// A signal; `SIG` is left out of the names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[allow(missing_docs, reason = "the names of the variants say it")]
        pub enum Signal { $($name,)* }

        impl Signal {
            /// All signals by number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Its number.
            #[must_use]
            pub const fn number(self) -> u8 {
                match self { $(Self::$name => $number,)* }
            }

            /// Its name without `SIG`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// The text that a shell prints when the signal kills a child (`strsignal`).
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

signals! {
    HUP = 1, "Hangup";
    INT = 2, "Interrupt";
    QUIT = 3, "Quit";
    ILL = 4, "Illegal instruction";
    TRAP = 5, "Trace/breakpoint trap";
    ABRT = 6, "Aborted";
    BUS = 7, "Bus error";
    FPE = 8, "Floating point exception";
    KILL = 9, "Killed";
    USR1 = 10, "User defined signal 1";
    SEGV = 11, "Segmentation fault";
    USR2 = 12, "User defined signal 2";
    PIPE = 13, "Broken pipe";
    ALRM = 14, "Alarm clock";
    TERM = 15, "Terminated";
    CHLD = 17, "Child exited";
    CONT = 18, "Continued";
    STOP = 19, "Stopped (signal)";
    TSTP = 20, "Stopped";
    TTIN = 21, "Stopped (tty input)";
    TTOU = 22, "Stopped (tty output)";
    URG = 23, "Urgent I/O condition";
    XCPU = 24, "CPU time limit exceeded";
    XFSZ = 25, "File size limit exceeded";
    VTALRM = 26, "Virtual timer expired";
    PROF = 27, "Profiling timer expired";
    WINCH = 28, "Window changed";
    IO = 29, "I/O possible";
    PWR = 30, "Power failure";
    SYS = 31, "Bad system call";
}

/// The `strsignal` text of a number, including real-time signals.
#[must_use]
pub fn describe(number: u8) -> String {
    match Signal::ALL.iter().find(|s| s.number() == number) {
        Some(signal) => signal.text().to_owned(),
        None if number >= 34 => format!("Real-time signal {}", number - 34),
        None => format!("Unknown signal {number}"),
    }
}

/// A process's disposition of a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Disposition {
    /// The default action.
    #[default]
    Default,
    /// The signal is ignored.
    Ignore,
    /// The program catches it: it stays pending until the kernel's `take_signal`.
    Catch,
}

impl Signal {
    /// Parses a number, or a name with or without `SIG`, in any case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(number) = text.parse::<u8>() {
            return Self::ALL.iter().copied().find(|s| s.number() == number);
        }
        let upper = text.to_ascii_uppercase();
        let name = upper.strip_prefix("SIG").unwrap_or(&upper);
        Self::ALL.iter().copied().find(|s| s.name() == name)
    }

    /// Whether its default action ends the process.
    #[must_use]
    pub const fn kills(self) -> bool {
        !matches!(
            self,
            Self::CHLD
                | Self::CONT
                | Self::URG
                | Self::WINCH
                | Self::STOP
                | Self::TSTP
                | Self::TTIN
                | Self::TTOU
        )
    }

    /// Whether its default action stops the process.
    #[must_use]
    pub const fn stops(self) -> bool {
        matches!(self, Self::STOP | Self::TSTP | Self::TTIN | Self::TTOU)
    }
}
