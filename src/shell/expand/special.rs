//! Parameters whose value the shell works out: `$?`, `$RANDOM`, `$SECONDS` and so on.

use crate::shell::Cx;
use crate::shell::vm::Vm;

impl Vm {
    /// The value of a parameter without subscript; none if it is unset.
    pub(in crate::shell) fn scalar(&mut self, cx: &Cx, name: &str) -> Option<String> {
        if let Ok(number) = name.parse::<usize>() {
            return match number {
                0 => Some(self.name.clone()),
                n => self.args.get(n - 1).cloned(),
            };
        }
        match name {
            "#" => Some(self.args.len().to_string()),
            "?" => Some(self.status.to_string()),
            "-" => Some(self.option_letters()),
            "$" => Some(self.shell_pid.to_string()),
            "!" => self.background.map(|p| p.to_string()),
            "@" | "*" => Some(self.args.join(" ")).filter(|_| !self.args.is_empty()),
            "_" => Some(self.last_argument.clone()),
            _ => {
                if let Some(var) = self.vars.get(name) {
                    return var.scalar().map(str::to_owned);
                }
                self.dynamic(cx, name)
            }
        }
    }

    /// Variables that nobody has set.
    fn dynamic(&mut self, cx: &Cx, name: &str) -> Option<String> {
        let process = cx.kernel.process(cx.pid);
        match name {
            "RANDOM" => {
                self.random = self.random.wrapping_mul(1_103_515_245).wrapping_add(12345);
                Some((self.random >> 16 & 0x7fff).to_string())
            }
            "SECONDS" => Some((cx.now.secs() - self.seconds).to_string()),
            "EPOCHSECONDS" => Some(cx.now.secs().to_string()),
            "EPOCHREALTIME" => Some(format!("{}.{:06}", cx.now.secs(), cx.now.0.rem_euclid(1_000_000))),
            "LINENO" => Some(self.line.to_string()),
            "BASHPID" => Some(cx.pid.to_string()),
            "PPID" => process.map(|p| p.parent.to_string()),
            "UID" | "EUID" => process.map(|p| p.origin.uid.to_string()),
            "HOSTNAME" => process.map(|p| p.origin.host.to_string()),
            "HOSTTYPE" => Some("x86_64".into()),
            "MACHTYPE" => Some("x86_64-pc-linux-gnu".into()),
            "OSTYPE" => Some("linux-gnu".into()),
            "SHELL" => Some("/bin/bash".into()),
            "BASH" => Some("/bin/bash".into()),
            "BASH_VERSION" => Some("5.2.15(1)-release".into()),
            "BASH_SUBSHELL" => Some(self.subshell.to_string()),
            "SHLVL" => Some("1".into()),
            "OPTIND" => Some("1".into()),
            "PS4" => Some("+ ".into()),
            "PS2" => Some("> ".into()),
            "FUNCNAME" => self.calls.last().map(|(name, _)| name.clone()),
            "BASH_SOURCE" => Some(self.name.clone()).filter(|_| !self.interactive),
            "SHELLOPTS" => Some(self.flags.iter().cloned().collect::<Vec<_>>().join(":")),
            "COLUMNS" | "LINES" => {
                let tty = cx.kernel.tty(process?.tty?)?;
                Some(if name == "LINES" { tty.rows } else { tty.columns }.to_string())
            }
            "DIRSTACK" => self.var("PWD").map(str::to_owned),
            _ => None,
        }
    }

    /// `$-`
    fn option_letters(&self) -> String {
        const LETTERS: [(&str, char); 12] = [
            ("allexport", 'a'),
            ("errexit", 'e'),
            ("noglob", 'f'),
            ("hashall", 'h'),
            ("interactive", 'i'),
            ("monitor", 'm'),
            ("noexec", 'n'),
            ("nounset", 'u'),
            ("verbose", 'v'),
            ("xtrace", 'x'),
            ("braceexpand", 'B'),
            ("noclobber", 'C'),
        ];
        let mut letters: String =
            LETTERS.iter().filter(|(name, _)| self.flag(name)).map(|(_, c)| *c).collect();
        if self.interactive {
            letters.push_str("imH");
        }
        if self.command_text {
            letters.push('c');
        }
        letters
    }
}
