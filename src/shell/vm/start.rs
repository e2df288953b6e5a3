//! Creation and start-up of a shell.

use super::stack::TextKind;
use super::{ExecState, Vm};
use crate::options::{Flag, OptionSet, Shopt};
use crate::vars::{ShellVar, Vars};
use crate::{ShellContext, ShellInput};
use base::ids::Pid;
use base::vec_map::VecMap;
use host::Env;
use host::path::join;
use std::collections::BTreeMap;

/// The path of `sh` if it is dash.
pub const DASH: &str = "/usr/bin/dash";

impl Vm {
    /// Creates a shell. `args` are `$0`, `$1`...; `env` is the inherited environment.
    #[must_use]
    pub fn new(source: ShellInput, args: Vec<String>, env: &Env) -> Self {
        let mut args = args.into_iter();
        let name = args.next().unwrap_or_else(|| "bash".into());
        let interactive = matches!(source, ShellInput::Interactive { .. });
        let mut shopts = OptionSet::of(&[
            Shopt::Checkwinsize,
            Shopt::Cmdhist,
            Shopt::CompleteFullquote,
            Shopt::Extquote,
            Shopt::ForceFignore,
            Shopt::Globasciiranges,
            Shopt::Globskipdots,
            Shopt::Hostcomplete,
            Shopt::InteractiveComments,
            Shopt::PatsubReplacement,
            Shopt::Progcomp,
            Shopt::Promptvars,
            Shopt::Sourcepath,
        ]);
        shopts.switch(Shopt::ExpandAliases, interactive);
        Self {
            run: ExecState::default(),
            vars: Vars::inherit(env),
            functions: VecMap::default(),
            aliases: VecMap::default(),
            dash: false,
            name,
            args: args.collect(),
            args_set: false,
            login: matches!(source, ShellInput::Interactive { login: true }),
            rcfile: None,
            command_text: matches!(source, ShellInput::Text(_)),
            source: Some(source),
            interactive,
            flags: OptionSet::of(&[Flag::Braceexpand, Flag::Hashall, Flag::InteractiveComments]),
            shopts,
            status: 0,
            pipe: vec![0],
            substituted: None,
            line: 1,
            shell_pid: Pid(0),
            background: None,
            jobs: Vec::new(),
            next_job: 0,
            ended: BTreeMap::new(),
            untold: Vec::new(),
            traps: VecMap::default(),
            caught: Vec::new(),
            piped: false,
            lone_member: false,
            substitution: false,
            inherited_jobs: Vec::new(),
            limits: Vec::new(),
            remembered: super::remember::Remembered::default(),
            disabled: Vec::new(),
            inherited_traps: VecMap::default(),
            return_trap_depth: 0,
            debugged: false,
            command: "".into(),
            in_trap: false,
            exit_after_trap: None,
            exiting: false,
            killed_by: None,
            trace_depth: 0,
            subshell: 0,
            generation: 0,
            started: None,
            seconds: 0,
            random: 0,
            unset_dynamics: Vec::new(),
            history: std::sync::Arc::default(),
            directories: Vec::new(),
            calls: Vec::new(),
            input: String::new(),
            partial: Vec::new(),
            ended_input: false,
            prompt: None,
            last_argument: String::new(),
            last_builtin: String::new(),
            getopts: 0,
            after_builtin: None,
            commands_seen: 0,
        }
    }

    /// Whether it was called as `sh`, by name or by a script's first line.
    fn is_sh(&self) -> bool {
        match &self.source {
            Some(ShellInput::Script(text)) => {
                let line = text.split(|b| *b == b'\n').next().unwrap_or_default();
                line.strip_prefix(b"#!").is_some_and(|l| l.trim_ascii().ends_with(b"bin/sh"))
            }
            Some(ShellInput::Text(_) | ShellInput::Stdin) => self.name.rsplit('/').next() == Some("sh"),
            Some(ShellInput::Interactive { .. }) | None => false,
        }
    }

    /// Start-up in the first slice: what depends on the process.
    pub(super) fn start(&mut self, cx: &mut ShellContext) {
        self.started = Some(cx.now);
        self.seconds = cx.now.secs();
        self.shell_pid = cx.pid;
        self.dash = self.is_sh() && cx.kernel.fs.stat(base::ids::Uid(0), DASH).is_ok();
        let Some(process) = cx.kernel.process(cx.pid) else { return };
        let cwd = process.cwd.to_string();
        let seed = match &self.source {
            Some(ShellInput::Text(text)) => base::hash::fnv1a(text.as_bytes()),
            Some(ShellInput::Script(bytes)) => base::hash::fnv1a(bytes),
            Some(ShellInput::Stdin | ShellInput::Interactive { .. }) | None => 0,
        };
        let folded = seed ^ (seed >> 32) ^ u64::from(cx.pid.0).wrapping_mul(2_654_435_761);
        self.random = u32::try_from(folded & 0xffff_ffff).unwrap_or(0);
        let level = self.var("SHLVL").and_then(|l| l.parse::<i64>().ok()).unwrap_or(0) + 1;
        for (name, value) in [("PWD", cwd), ("SHLVL", level.to_string())] {
            *self.vars.raw_entry(name) = ShellVar { exported: true, ..ShellVar::text(value) };
        }
        if self.vars.raw("OLDPWD").is_none() {
            self.vars.raw_entry("OLDPWD").exported = true;
        }
        *self.vars.raw_entry("IFS") = ShellVar::text(" \t\n");
        self.import_functions();
        if self.vars.raw("PATH").is_none() {
            *self.vars.raw_entry("PATH") = ShellVar::text("/usr/local/bin:/usr/bin:/bin");
        }
        match self.source.take() {
            Some(ShellInput::Text(text)) => {
                self.push_text(&text, TextKind::Main, 1);
                self.start_files(cx);
            }
            Some(ShellInput::Script(bytes)) if looks_binary(&bytes) => {
                let line = format!("{0}: {0}: cannot execute binary file\n", self.name);
                self.run.err.extend(line.as_bytes());
                self.status = 126;
            }
            Some(ShellInput::Script(bytes)) => {
                let mut text = String::from_utf8_lossy(&bytes).into_owned();
                text.retain(|c| c != '\0');
                self.push_text(&text, TextKind::Main, 1);
                self.start_files(cx);
            }
            Some(ShellInput::Stdin) => {
                self.push_text("", TextKind::Stdin, 1);
                self.start_files(cx);
            }
            Some(ShellInput::Interactive { login }) => self.start_interactive(cx, login),
            None => {}
        }
    }

    /// Imports functions exported by a parent (`export -f`).
    fn import_functions(&mut self) {
        let found: Vec<(String, String)> = self
            .vars
            .iter()
            .filter_map(|(name, var)| {
                let function = name.strip_prefix("BASH_FUNC_")?.strip_suffix("%%")?;
                Some((function.to_owned(), var.scalar()?.to_owned()))
            })
            .collect();
        for (name, text) in found {
            self.vars.remove(&format!("BASH_FUNC_{name}%%"));
            let code = crate::lower::function(&format!("{name} {text}"));
            if let Some(code) = code {
                let source = "environment".into();
                self.functions.insert(name, super::names::ShellFunction { code, source, exported: true });
            }
        }
    }

    /// Applies an option word of `bash` itself, `-eu` or `+x`: letters of `set`. Other letters have no
    /// effect.
    pub fn option_letters_of(&mut self, word: &str) {
        for letter in word.chars().skip(1) {
            if let Some(flag) = Flag::of_letter(letter) {
                self.flags.switch(flag, word.starts_with('-'));
            }
        }
    }

    /// `bash -o name`, `bash -O name`; returns false for unknown names.
    pub fn named_option(&mut self, name: &str, shopt: bool, on: bool) -> bool {
        crate::builtins::switch_named(self, name, shopt, on)
    }

    /// `bash -l`: reads the login files first.
    pub const fn as_login(&mut self) {
        self.login = true;
    }

    /// `bash -ic TEXT`: reads this file first and expands aliases.
    pub fn with_rcfile(&mut self, file: String) {
        self.rcfile = Some(file);
        self.shopts.switch(Shopt::ExpandAliases, true);
    }

    /// Queues the start-up files of a login shell, or `$BASH_ENV`.
    fn start_files(&mut self, cx: &ShellContext) {
        if !self.login {
            let home = self.var("HOME").unwrap_or("/").to_owned();
            let own = self.rcfile.take().map(|f| f.replacen('~', &home, usize::from(f.starts_with("~/"))));
            let file = own.or_else(|| self.var("BASH_ENV").map(str::to_owned));
            if let Some(text) = file.filter(|f| !f.is_empty()).and_then(|file| read(cx, &file)) {
                self.push_text(&text, TextKind::Startup, 1);
            }
            return;
        }
        let home = self.var("HOME").unwrap_or("/").to_owned();
        let own = [".bash_profile", ".bash_login", ".profile"].map(|name| format!("{home}/{name}"));
        if let Some(text) = own.iter().find_map(|path| read(cx, path)) {
            self.push_text(&text, TextKind::Startup, 1);
        }
        if let Some(text) = read(cx, "/etc/profile") {
            self.push_text(&text, TextKind::Startup, 1);
        }
    }

    fn start_interactive(&mut self, cx: &mut ShellContext, login: bool) {
        self.interactive_signals(cx);
        if self.vars.raw("PS1").is_none() {
            *self.vars.raw_entry("PS1") = ShellVar::text("[\\u@\\h \\W]\\$ ");
        }
        cx.kernel.set_group(cx.pid, cx.pid);
        self.take_terminal(cx);
        self.push_text("", TextKind::Stdin, 1);
        let home = self.var("HOME").unwrap_or("/").to_owned();
        let own: &[&str] = if login { &[".bash_profile", ".bash_login", ".profile"] } else { &[".bashrc"] };
        let first = own.iter().map(|name| format!("{home}/{name}")).find_map(|path| read(cx, &path));
        // The last one pushed runs first.
        if let Some(text) = first {
            self.push_text(&text, TextKind::Startup, 1);
        }
        if login && let Some(text) = read(cx, "/etc/profile") {
            self.push_text(&text, TextKind::Startup, 1);
        }
    }
}

/// Whether bash treats a file as binary: a NUL in its first line.
pub(crate) fn looks_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(80).take_while(|b| **b != b'\n').any(|b| *b == 0)
}

/// Reads a file as text.
pub(crate) fn read(cx: &ShellContext, path: &str) -> Option<String> {
    let process = cx.kernel.process(cx.pid)?;
    let data = cx.kernel.fs.read(process.origin.uid, &join(&process.cwd, path)).ok()?;
    Some(String::from_utf8_lossy(&data).into_owned())
}
