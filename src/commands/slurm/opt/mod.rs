//! The options of sbatch(1), srun(1) and salloc(1).
//!
//! One table ([`table::TABLE`]) drives parsing, environment variables, `#SBATCH` lines, `--help`, completion
//! and the editor's lint.

pub mod check;
pub mod gres;
pub mod help;
pub mod het;
pub mod script;
pub mod table;
pub mod values;
pub mod variables;
mod words;

use super::getopt::{self, Arg, Long};
use base::ids::Uid;
use base::refusal::Refusal;
use base::time::Time;
use host::Env;
use serde::{Deserialize, Serialize};
use slurmctld::job::JobDesc;
use std::collections::BTreeMap;

/// Which of the three commands reads the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SubmitCommand {
    /// `sbatch`
    Sbatch,
    /// `srun`
    Srun,
    /// `salloc`
    Salloc,
}

impl SubmitCommand {
    /// The command's name, which starts its messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sbatch => "sbatch",
            Self::Srun => "srun",
            Self::Salloc => "salloc",
        }
    }

    /// Its bit in [`JobOption::tools`].
    #[must_use]
    pub const fn bit(self) -> u8 {
        match self {
            Self::Sbatch => 1,
            Self::Srun => 2,
            Self::Salloc => 4,
        }
    }

    /// The prefix of its input environment variables.
    #[must_use]
    pub const fn env_prefix(self) -> &'static str {
        match self {
            Self::Sbatch => "SBATCH_",
            Self::Srun => "SLURM_",
            Self::Salloc => "SALLOC_",
        }
    }
}

/// An entry of the option table.
pub struct JobOption {
    /// Long name without dashes.
    pub name: &'static str,
    /// Short letter.
    pub short: Option<char>,
    /// Its argument.
    pub arg: Arg,
    /// The commands that take it, by [`SubmitCommand::bit`].
    pub tools: u8,
    /// The input environment variable without its prefix, and its commands; empty if there is none.
    pub env: (&'static str, u8),
    /// The argument's name in help.
    pub value: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// Applies the option with its argument.
    pub set: fn(&mut JobOptions, &str) -> Result<(), Bad>,
}

/// A rejected command line: messages and exit code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// A line before the message, without the command's name; `{tool}` in texts is replaced by that name.
    pub before: Option<String>,
    /// `error` or `fatal`; empty if the text follows the name directly.
    pub level: &'static str,
    /// The message.
    pub text: String,
    /// A line after the message, without the command's name.
    pub after: Option<String>,
    /// Exit code.
    pub exit: u8,
    /// The data for the page's advice. None: there is no advice.
    pub refusal: Option<Refusal>,
}

impl Bad {
    /// An error message with exit code 255.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { before: None, level: "error", text: text.into(), after: None, exit: 255, refusal: None }
    }

    /// An error message with another exit code.
    #[must_use]
    pub fn with_exit(mut self, exit: u8) -> Self {
        self.exit = exit;
        self
    }

    /// The same error with data for the page's advice.
    #[must_use]
    pub const fn because(mut self, refusal: Refusal) -> Self {
        self.refusal = Some(refusal);
        self
    }

    /// A fatal message, exit code 1.
    #[must_use]
    pub fn fatal(text: impl Into<String>) -> Self {
        Self { level: "fatal", exit: 1, ..Self::error(text) }
    }

    /// getopt's message.
    #[must_use]
    pub fn getopt(tool: &str, text: String, exit: u8) -> Self {
        Self {
            level: "",
            after: Some(format!("Try \"{tool} --help\" for more information")),
            exit,
            refusal: Some(Refusal::Option),
            ..Self::error(text)
        }
    }

    /// The full text for standard error.
    #[must_use]
    pub fn lines(&self, tool: &str) -> String {
        let mut out = String::new();
        if let Some(line) = &self.before {
            out += line;
            out.push('\n');
        }
        out += tool;
        out += ": ";
        if !self.level.is_empty() {
            out += self.level;
            out += ": ";
        }
        out += &self.text;
        out.push('\n');
        if let Some(line) = &self.after {
            out += line;
            out.push('\n');
        }
        out.replace("{tool}", tool)
    }
}

/// An action that replaces the command's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Instead {
    /// `--help`
    Help,
    /// `--usage`
    Usage,
    /// `--version`
    Version,
    /// `--gres=help`
    Gres,
    /// `--mem-bind=help`
    MemBind,
    /// `--hint=help`
    Hint,
}

/// Options that the command handles itself: its behaviour, and the properties of its step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct RunOptions {
    pub instead: Option<Instead>,
    /// How often `--quiet` was given.
    pub quiet: u32,
    /// How often `--verbose` was given.
    pub verbose: u32,
    pub test_only: bool,
    pub parsable: bool,
    pub wrap: Option<String>,
    /// `sbatch --wait`.
    pub wait: bool,
    /// `srun --wait`: seconds after the first task exits.
    pub wait_seconds: Option<u32>,
    pub export: Option<String>,
    /// `--get-user-env`.
    pub get_user_env: bool,
    pub chdir: Option<String>,
    pub label: bool,
    pub pty: bool,
    pub exact: bool,
    pub overlap: bool,
    pub kill_on_bad_exit: bool,
    pub multi_prog: bool,
    pub no_shell: bool,
    pub no_bell: bool,
    /// `srun --relative`: the index of the first node.
    pub relative: Option<u32>,
    /// `srun --cpu-bind`.
    pub cpu_bind: Option<String>,
    /// `--gres=none`.
    pub no_gres: bool,
    /// `--gres` and `--gpus-per-node` as typed, in the form that listings show.
    pub gres_typed: Option<String>,
    pub gpus_per_node_typed: Option<String>,
    pub gpus_per_task_given: bool,
    /// What `--tres-per-task` asks for.
    pub tres_cpus: Option<u32>,
    pub tres_gpus: bool,
    /// `--compress`, `--no-allocate`.
    pub compress: bool,
    pub no_allocate: bool,
    /// `--gres-flags=one-task-per-sharing`.
    pub one_task_per_sharing: bool,
    /// `--extra-node-info` was given: the number of tasks follows from it.
    pub node_info: bool,
    /// `--nodefile`.
    pub nodefile: Option<String>,
    pub mpi: Option<String>,
    /// The step of an interactive allocation.
    pub interactive: bool,
    /// A single Ctrl-C ends the step, or goes directly to the tasks.
    pub quit_on_interrupt: bool,
    pub disable_status: bool,
    /// `salloc --kill-command`: the signal for the command when the allocation ends.
    pub kill_command: Option<String>,
    /// `srun --het-group`.
    pub het_group: Option<String>,
    /// `srun --jobid`, or the job of the environment.
    pub job: Option<u32>,
    /// `--bbf`, `--export-file`: files to read.
    pub bbf: Option<String>,
    pub export_file: Option<String>,
    /// `--exact` and `--whole` as typed.
    pub exact_given: bool,
    pub whole: bool,
    pub x11: bool,
    pub resv_ports: bool,
    /// `srun --prolog`, `--epilog`, `--task-prolog`.
    pub prolog: Option<String>,
    pub epilog: Option<String>,
    pub task_prolog: Option<String>,
    /// `sbatch --external`: the job is started externally.
    pub external: bool,
    /// `--clusters`: the cluster's name is printed with the job ID.
    pub tell_cluster: bool,
    /// `sbatch --uid` and `--gid`, root only.
    pub as_user: Option<String>,
    pub as_group: Option<String>,
}

/// All parsed options.
#[derive(Clone, Debug, Default)]
pub struct JobOptions {
    /// The job description for slurmctld.
    pub desc: JobDesc,
    /// The options of the command itself.
    pub run: RunOptions,
    /// Virtual time, for `--begin=now+1hour`.
    pub now: Time,
    /// The user who runs the command.
    pub uid: Uid,
    /// The cluster's name.
    pub cluster: String,
    /// The given options with their text, for `--verbose`.
    pub given: BTreeMap<&'static str, String>,
}

/// The table entries of a command, in getopt's format.
#[must_use]
pub fn longs(tool: SubmitCommand) -> Vec<Long> {
    table::TABLE.iter().filter(|o| o.tools & tool.bit() != 0).map(|o| (o.name, o.short, o.arg)).collect()
}

/// Finds an entry by its long name. `--wait` exists twice: with an argument for srun.
#[must_use]
pub fn find(tool: SubmitCommand, name: &str) -> Option<&'static JobOption> {
    table::TABLE.iter().find(|o| o.name == name && o.tools & tool.bit() != 0)
}

impl JobOptions {
    /// Applies one option.
    ///
    /// # Errors
    /// A message about its argument.
    pub fn set(&mut self, tool: SubmitCommand, name: &str, value: Option<&str>) -> Result<(), Bad> {
        let Some(opt) = find(tool, name) else { return Ok(()) };
        (opt.set)(self, value.unwrap_or(""))?;
        let text = match (opt.name, value) {
            ("verbose", _) => self.run.verbose.to_string(),
            ("quiet", _) => self.run.quiet.to_string(),
            (_, Some(value)) => value.to_owned(),
            (_, None) => "set".to_owned(),
        };
        self.given.insert(opt.name, text);
        Ok(())
    }

    /// Applies the options in `words`; returns the operands.
    ///
    /// # Errors
    /// The first error.
    pub fn argv(&mut self, tool: SubmitCommand, words: &[String]) -> Result<Vec<String>, Bad> {
        let rows = longs(tool);
        let parsed = match getopt::parse(&rows, words, false) {
            Ok(parsed) => parsed,
            Err(text) => {
                // Errors in options before an unknown option are reported first.
                let before =
                    (0..words.len()).rev().find_map(|n| getopt::parse(&rows, &words[..n], false).ok());
                for (name, value) in before.iter().flat_map(|p| &p.options) {
                    self.set(tool, name, value.as_deref())?;
                }
                return Err(Bad::getopt(tool.name(), text, 255));
            }
        };
        // Memory options on the command line replace those of the environment.
        if parsed.options.iter().any(|(name, _)| matches!(*name, "mem" | "mem-per-cpu" | "mem-per-gpu")) {
            (self.desc.mem_per_node, self.desc.mem_per_cpu, self.desc.mem_per_gpu) = (None, None, None);
        }
        for (name, value) in &parsed.options {
            self.set(tool, name, value.as_deref())?;
        }
        Ok(parsed.rest)
    }

    /// Applies input environment variables.
    ///
    /// # Errors
    /// A message about a variable.
    pub fn environment(&mut self, tool: SubmitCommand, env: &Env) -> Result<(), Bad> {
        let typed = (self.run.tres_cpus, self.run.tres_gpus, self.run.gpus_per_task_given);
        self.variables(tool, env)?;
        // A value from a variable does not conflict with any option.
        if self.run.tres_cpus != typed.0 {
            self.desc.cpus_per_task = self.desc.cpus_per_task.or(self.run.tres_cpus);
        }
        (self.run.tres_cpus, self.run.tres_gpus, self.run.gpus_per_task_given) = typed;
        Ok(())
    }

    fn variables(&mut self, tool: SubmitCommand, env: &Env) -> Result<(), Bad> {
        for (name, tools, option) in variables::MORE {
            if let Some(value) = env.get(*name).filter(|_| tools & tool.bit() != 0) {
                self.set(tool, option, Some(value.as_str()))?;
            }
        }
        for opt in table::TABLE {
            let (suffix, tools) = opt.env;
            if suffix.is_empty() || tools & opt.tools & tool.bit() == 0 {
                continue;
            }
            let name = match suffix.strip_prefix('=') {
                Some(whole) => whole.to_owned(),
                None => format!("{}{suffix}", tool.env_prefix()),
            };
            let Some(value) = env.get(&name) else { continue };
            // Within a job the variable holds the job's name, not the step's.
            if opt.name == "job-name" && tool == SubmitCommand::Srun && env.contains_key("SLURM_JOB_ID") {
                continue;
            }
            if opt.arg == Arg::No && value == "0" {
                continue;
            }
            let plane = env.get("SLURM_DIST_PLANESIZE").filter(|_| value == "plane");
            let value = plane.map(|size| format!("plane={size}")).unwrap_or_else(|| value.clone());
            self.set(tool, opt.name, Some(value.as_str()).filter(|_| opt.arg != Arg::No))?;
        }
        Ok(())
    }

    /// The text of `--verbose`.
    #[must_use]
    pub fn defined(&self, tool: SubmitCommand) -> String {
        let tool = tool.name();
        let rule = format!("{tool}: -------------------- --------------------\n");
        let mut out = format!("{tool}: defined options\n{rule}");
        for (name, value) in &self.given {
            out += &format!("{tool}: {name:<20}: {value}\n");
        }
        out + &rule + tool + ": end of defined options\n"
    }
}

#[cfg(test)]
mod tests;
