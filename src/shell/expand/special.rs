//! Parameters that the shell computes: `$?`, `$RANDOM`, `$SECONDS` and others.

use crate::ShellContext;
use crate::options::Flag;
use crate::vm::Vm;
use crate::vm::stack::Given;

/// Variables whose assignment the shell interprets, until they are unset.
const DYNAMIC: [&str; 12] = [
    "BASHPID",
    "BASH_COMMAND",
    "BASH_LINENO",
    "BASH_SOURCE",
    "BASH_SUBSHELL",
    "EPOCHREALTIME",
    "EPOCHSECONDS",
    "FUNCNAME",
    "GROUPS",
    "LINENO",
    "RANDOM",
    "SECONDS",
];

impl Vm {
    /// The value of a parameter without subscript; `None` if unset.
    pub(crate) fn scalar(&mut self, cx: &ShellContext, name: &str) -> Option<String> {
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
            _ => match self.vars.get(name) {
                _ if self.assigned_before(name).is_some() => self.assigned_before(name),
                Some(var) => var.scalar().map(str::to_owned),
                None if self.unset_dynamics.iter().any(|n| n == name) => None,
                None => self.dynamic(cx, name),
            },
        }
    }

    /// Computed variables.
    fn dynamic(&mut self, cx: &ShellContext, name: &str) -> Option<String> {
        let process = cx.kernel.process(cx.pid);
        match name {
            "RANDOM" => Some(self.next_random().to_string()),
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
            "FUNCNAME" | "BASH_SOURCE" | "BASH_LINENO" => {
                self.call_list(name).and_then(|list| list.into_iter().next())
            }
            "BASH_VERSINFO" => Some("5".into()),
            "PIPESTATUS" => self.pipe.first().map(ToString::to_string),
            "BASH_COMMAND" => Some(self.command.to_string()),
            "BASHOPTS" => Some(self.shopts.joined()),
            "GROUPS" => process.map(|p| p.origin.uid.to_string()),
            "OPTERR" => Some("1".into()),
            "SRANDOM" => {
                let (high, low) = (self.next_random(), self.next_random());
                Some((u32::from(high) << 16 ^ u32::from(low) << 1).to_string())
            }
            "BASH_EXECUTION_STRING" | "EPOCHTIME" => None,
            "SHELLOPTS" => Some(self.flags.joined()),
            "COLUMNS" | "LINES" => {
                let tty = cx.kernel.tty(process?.tty?)?;
                Some(if name == "LINES" { tty.rows } else { tty.columns }.to_string())
            }
            "DIRSTACK" => self.var("PWD").map(str::to_owned),
            _ => None,
        }
    }

    /// In `x=1 y=$x command`, the second assignment sees the first.
    fn assigned_before(&self, name: &str) -> Option<String> {
        let command = self.run.commands.last()?;
        command.assigns.iter().rev().find(|a| a.name == name && a.subscript.is_none() && !a.append).and_then(
            |assign| match &assign.value {
                Given::Text(text) => Some(text.clone()),
                Given::Array(_) => None,
            },
        )
    }

    /// Whether the shell computes this variable, whatever is assigned to it.
    pub(crate) fn is_dynamic(&self, name: &str) -> bool {
        matches!(name.as_bytes().first(), Some(b'B' | b'E' | b'F' | b'G' | b'L' | b'R' | b'S'))
            && DYNAMIC.contains(&name)
            && self.vars.raw(name).is_none()
            && !self.unset_dynamics.iter().any(|n| n == name)
    }

    /// The next number of `RANDOM`: bash's Park-Miller generator, so a seed gives bash's sequence.
    fn next_random(&mut self) -> u16 {
        let seed = if self.random == 0 { 123_459_876 } else { i64::from(self.random) };
        let (high, low) = (seed / 127_773, seed % 127_773);
        let next = 16_807 * low - 2_836 * high;
        let next = if next < 0 { next + 0x7fff_ffff } else { next };
        self.random = u32::try_from(next).unwrap_or(0);
        let folded = (self.random >> 16) ^ (self.random & 0xffff);
        u16::try_from(folded & 0x7fff).unwrap_or(0)
    }

    /// `$-`
    fn option_letters(&self) -> String {
        const ORDER: [Flag; 12] = [
            Flag::Allexport,
            Flag::Errexit,
            Flag::Noglob,
            Flag::Hashall,
            Flag::Monitor,
            Flag::Noexec,
            Flag::Nounset,
            Flag::Verbose,
            Flag::Xtrace,
            Flag::Braceexpand,
            Flag::Noclobber,
            Flag::Errtrace,
        ];
        let on = ORDER.into_iter().filter(|flag| self.flag(*flag));
        let mut letters: String = on.filter_map(Flag::letter).collect();
        if self.interactive {
            letters.push_str("imH");
        }
        if self.command_text {
            letters.push('c');
        }
        letters
    }
}
