//! The options of sbatch(1), srun(1) and salloc(1): one table ([`table::TABLE`]) gives parsing, environment
//! variables, `#SBATCH` lines, `--help`, completion and the editor's lint.

pub mod check;
pub mod help;
pub mod het;
pub mod script;
pub mod table;
pub mod values;
pub mod variables;
mod words;

use super::getopt::{self, Arg, Long};
use crate::base::ids::Uid;
use crate::base::time::Time;
use crate::host::Env;
use crate::slurmctld::job::JobDesc;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which of the three commands reads the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {
    /// `sbatch`
    Sbatch,
    /// `srun`
    Srun,
    /// `salloc`
    Salloc,
}

impl Tool {
    /// Its name, which opens its messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sbatch => "sbatch",
            Self::Srun => "srun",
            Self::Salloc => "salloc",
        }
    }

    /// Its bit in [`Opt::tools`].
    #[must_use]
    pub const fn bit(self) -> u8 {
        match self {
            Self::Sbatch => 1,
            Self::Srun => 2,
            Self::Salloc => 4,
        }
    }

    /// How the variables begin that give it options.
    #[must_use]
    pub const fn env_prefix(self) -> &'static str {
        match self {
            Self::Sbatch => "SBATCH_",
            Self::Srun => "SLURM_",
            Self::Salloc => "SALLOC_",
        }
    }
}

/// One row of the table.
pub struct Opt {
    /// Long name without dashes.
    pub name: &'static str,
    /// Short letter.
    pub short: Option<char>,
    /// Its argument.
    pub arg: Arg,
    /// Which commands take it, by [`Tool::bit`].
    pub tools: u8,
    /// The variable that gives it, without its prefix, and for which commands; empty: none.
    pub env: (&'static str, u8),
    /// What the argument is called in help.
    pub value: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
    /// Takes its argument in.
    pub set: fn(&mut Options, &str) -> Result<(), Bad>,
}

/// Why a command line is refused: what to print and how to exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// A line without the command's name before it; `{tool}` in texts stands for that name.
    pub before: Option<String>,
    /// `error` or `fatal`; empty: the text follows the name directly.
    pub level: &'static str,
    /// The message.
    pub text: String,
    /// A line without the command's name after it.
    pub after: Option<String>,
    /// Exit code.
    pub exit: u8,
}

impl Bad {
    /// An error message with exit code 255.
    #[must_use]
    pub fn error(text: impl Into<String>) -> Self {
        Self { before: None, level: "error", text: text.into(), after: None, exit: 255 }
    }

    /// The same with another exit code.
    #[must_use]
    pub fn with_exit(mut self, exit: u8) -> Self {
        self.exit = exit;
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
            ..Self::error(text)
        }
    }

    /// Everything it prints on standard error.
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

/// What a command does instead of its work.
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
}

/// Options that stay with the command: how it behaves, and what a step of it is like.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct RunOptions {
    pub instead: Option<Instead>,
    pub quiet: u32,
    pub verbose: u32,
    pub test_only: bool,
    pub parsable: bool,
    pub wrap: Option<String>,
    /// `sbatch --wait`.
    pub wait: bool,
    /// `srun --wait`: seconds after the first task's end.
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
    pub relative: Option<u32>,
    /// `srun --cpu-bind`.
    pub cpu_bind: Option<String>,
    /// `--gres=none`.
    pub no_gres: bool,
    /// `--nodefile`.
    pub nodefile: Option<String>,
    pub mpi: Option<String>,
    /// The step of an interactive allocation.
    pub interactive: bool,
    /// One Ctrl-C ends the step; or goes to the tasks at once.
    pub quit_on_interrupt: bool,
    pub disable_status: bool,
    /// `salloc --kill-command`: the signal for the command when the allocation is gone.
    pub kill_command: Option<String>,
    /// `srun --het-group`.
    pub het_group: Option<String>,
    /// `srun --jobid`, or the job that the environment names.
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
    /// `sbatch --external`: something else starts the job.
    pub external: bool,
    /// `--clusters`: the cluster's name is told with the job's number.
    pub tell_cluster: bool,
    /// `sbatch --uid` and `--gid`, root only.
    pub as_user: Option<String>,
    pub as_group: Option<String>,
}

/// All that the options say.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// For slurmctld.
    pub desc: JobDesc,
    /// For the command.
    pub run: RunOptions,
    /// Virtual time, for `--begin=now+1hour`.
    pub now: Time,
    /// Who asks.
    pub uid: Uid,
    /// The cluster's name.
    pub cluster: String,
    /// Options given, with their text: for `--verbose`.
    pub given: BTreeMap<&'static str, String>,
}

/// The rows that a command takes, as getopt reads them.
#[must_use]
pub fn longs(tool: Tool) -> Vec<Long> {
    table::TABLE.iter().filter(|o| o.tools & tool.bit() != 0).map(|o| (o.name, o.short, o.arg)).collect()
}

/// A row by its long name. `--wait` exists twice: with an argument for srun.
#[must_use]
pub fn find(tool: Tool, name: &str) -> Option<&'static Opt> {
    table::TABLE.iter().find(|o| o.name == name && o.tools & tool.bit() != 0)
}

impl Options {
    /// Takes one option in.
    ///
    /// # Errors
    /// What is wrong with its argument.
    pub fn set(&mut self, tool: Tool, name: &str, value: Option<&str>) -> Result<(), Bad> {
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

    /// Takes the options of `words` in; returns what is no option.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn argv(&mut self, tool: Tool, words: &[String]) -> Result<Vec<String>, Bad> {
        let rows = longs(tool);
        let parsed = match getopt::parse(&rows, words, false) {
            Ok(parsed) => parsed,
            Err(text) => {
                // What is wrong before the word that no option is like is said first.
                let before =
                    (0..words.len()).rev().find_map(|n| getopt::parse(&rows, &words[..n], false).ok());
                for (name, value) in before.iter().flat_map(|p| &p.options) {
                    self.set(tool, name, value.as_deref())?;
                }
                return Err(Bad::getopt(tool.name(), text, 255));
            }
        };
        // Memory asked for on the command line replaces what the environment says.
        if parsed.options.iter().any(|(name, _)| matches!(*name, "mem" | "mem-per-cpu" | "mem-per-gpu")) {
            (self.desc.mem_per_node, self.desc.mem_per_cpu, self.desc.mem_per_gpu) = (None, None, None);
        }
        for (name, value) in &parsed.options {
            self.set(tool, name, value.as_deref())?;
        }
        Ok(parsed.rest)
    }

    /// Takes in what the environment asks for.
    ///
    /// # Errors
    /// What is wrong with a variable.
    pub fn environment(&mut self, tool: Tool, env: &Env) -> Result<(), Bad> {
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
            // Within a job the variable is the job's name, not the step's.
            if opt.name == "job-name" && tool == Tool::Srun && env.contains_key("SLURM_JOB_ID") {
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

    /// What `--verbose` lists.
    #[must_use]
    pub fn defined(&self, tool: Tool) -> String {
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
