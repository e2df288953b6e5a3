//! scrontab(1): a user's scheduled jobs. Lines are those of crontab(5); lines that begin with `#SCRON` give
//! sbatch options for the next entry.

use super::clusters;
use super::getopt::{self, ParsedArguments};
use super::opt::{JobOptions, SubmitCommand as Submit, check};
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, needs};
use crate::{CommandMachine, Cx};
use base::cron::Schedule;
use base::ids::{Pid, Uid};
use host::kernel::ProcessTarget;
use host::{SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use slurmctld::job::JobDesc;
use slurmctld::request::Request;
use std::sync::Arc;

const OPTIONS: &[ToolOption] = &[
    needs("clusters", 'M', ArgumentKind::Cluster, "ask this cluster").env("SLURM_CLUSTERS"),
    flag("edit", 'e', "edit the table with $VISUAL or $EDITOR"),
    flag("help", ' ', "show this text"),
    flag("list", 'l', "show the table"),
    flag("quiet", 'Q', "say nothing but errors"),
    flag("remove", 'r', "take the table away, with its jobs"),
    flag("usage", ' ', "a short summary of the options"),
    needs("user", 'u', ArgumentKind::User, "the table of this user"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "scrontab",
    options: OPTIONS,
    synopsis: "[file|-]",
    words: |_| ArgumentKind::File,
    about: "Batch jobs by the clock. Each entry is five fields (minute, hour, day of the month, month, day of the week) or a \
        word such as @daily, and a command. Lines that begin with #SCRON give sbatch's options for the next entry, e.g. \
        #SCRON --time=10. The jobs wait in the queue for their next time; scancel --cron ends them.",
    ..PLAIN
};

const EMPTY: &str = "# Jobs by the clock: minute hour day month weekday command.\n# Options of sbatch stand before an entry: #SCRON --time=10\n";

/// A running editor.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Scrontab {
    child: Pid,
    file: String,
    uid: Uid,
}

/// Printed instead of a version, and for an unknown option.
const LETTERS: &str = "\
usage:\tscrontab [-u user] file
\tscrontab [-u user] [ -e | -l | -r | -v]
\t-e\tEdit user's crontab (default action if stdin is a TTY)
\t-l\tList user's crontab
\t-r\tDelete user's crontab
\t-u\tUser to edit crontab for";

/// Starts scrontab.
pub fn start(cx: &mut Cx) -> CommandMachine {
    let known = getopt::parse(&TOOL.longs(), cx.argv, true);
    if !known.is_ok_and(|parsed| !parsed.has("version")) {
        cx.complain(LETTERS);
        return CommandMachine::End(1);
    }
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return CommandMachine::End(code),
    };
    if let Err(code) = clusters::asked(cx, &parsed, false) {
        return CommandMachine::End(code);
    }
    if parsed.has("edit") && !cx.is_tty(crate::STDIN) && !cx.cluster.state().scrontab_enabled() {
        cx.complain("scrontab: fatal: Standard input is not a TTY");
        return CommandMachine::End(1);
    }
    if !cx.cluster.state().scrontab_enabled() {
        cx.complain("scrontab: fatal: scrontab is disabled on this cluster");
        return CommandMachine::End(1);
    }
    match act(cx, &parsed) {
        Ok(machine) => machine,
        Err(text) => {
            cx.complain(&text);
            CommandMachine::End(1)
        }
    }
}

fn act(cx: &mut Cx, parsed: &ParsedArguments) -> Result<CommandMachine, String> {
    let uid = match parsed.value("user") {
        None => cx.uid(),
        Some(name) => {
            let known = cx.kernel.users.by_name(name).map(|u| u.uid);
            known.ok_or_else(|| format!("scrontab: fatal: User {name} not found"))?
        }
    };
    if uid != cx.uid() && !cx.cluster.state().is_operator(cx.uid()) {
        return Err("scrontab: fatal: Only privileged users can manage the tables of others".to_owned());
    }
    let old = cx.cluster.state().crontab(uid).map(str::to_owned);
    if parsed.has("list") {
        let Some(text) = old else { return Err(format!("no crontab for {}", cx.kernel.users.name(uid))) };
        cx.print(&text);
        return Ok(CommandMachine::End(0));
    }
    if parsed.has("remove") {
        return install(cx, uid, "").map(CommandMachine::End);
    }
    if parsed.has("edit") {
        return edit(cx, uid, &old.unwrap_or_else(|| EMPTY.to_owned()));
    }
    let file = match parsed.rest.first().map(String::as_str) {
        None | Some("-") => "/dev/stdin",
        Some(file) => file,
    };
    let data = cx.read_file(file).map_err(|e| format!("scrontab: fatal: Could not open {file}: {e}"))?;
    install(cx, uid, &String::from_utf8_lossy(&data)).map(CommandMachine::End)
}

fn edit(cx: &mut Cx, uid: Uid, text: &str) -> Result<CommandMachine, String> {
    let file = format!("/tmp/scrontab-{}", cx.pid.0);
    cx.write_file(&file, text.as_bytes()).map_err(|e| format!("scrontab: fatal: {file}: {e}"))?;
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|v| cx.env.get(*v)).map_or("vi", String::as_str).to_owned();
    let mut words: Vec<String> = editor.split_whitespace().map(str::to_owned).collect();
    words.push(file.clone());
    let env = Arc::new(cx.env.clone());
    let exec = cx
        .exec_of(&words, env)
        .map_err(|e| format!("scrontab: error: could not run editor {editor}: {e}"))?;
    let child = cx.spawn(exec).map_err(|e| format!("scrontab: error: could not run editor {editor}: {e}"))?;
    Ok(CommandMachine::Scrontab(Scrontab { child, file, uid }))
}

impl Scrontab {
    /// Reads the file after the editor exits.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let Ok(Some((_, status))) = cx.kernel.wait(cx.pid, ProcessTarget::Process(self.child)) else {
            return SliceEnd::Wait(Wait::Child);
        };
        let data = cx.read_file(&self.file);
        let _ = cx.kernel.fs.unlink(cx.uid(), &cx.path(&self.file), cx.now);
        let done = match (status.shell_code(), data) {
            (0, Ok(data)) => {
                let text = String::from_utf8_lossy(&data).into_owned();
                if cx.cluster.state().crontab(self.uid) == Some(text.as_str()) {
                    cx.complain("scrontab: no changes made");
                    Ok(0)
                } else {
                    install(cx, self.uid, &text)
                }
            }
            (code, _) => Err(format!("scrontab: error: editor returned non-zero exit code: {code}")),
        };
        let code = done.unwrap_or_else(|text| {
            cx.complain(&text);
            1
        });
        SliceEnd::Exit(Status::Exited(code))
    }
}

/// Sends a table to the controller.
fn install(cx: &mut Cx, uid: Uid, text: &str) -> Result<u8, String> {
    let jobs = entries(cx, uid, text)?;
    let text = text.to_owned();
    let asked = cx.cluster.request(cx.uid(), Request::SetCrontab { uid, text, jobs });
    asked.done().map(|()| 0).map_err(|(error, messages)| {
        messages.iter().for_each(|m| cx.complain(&format!("scrontab: {m}")));
        format!("scrontab: error: There was an issue with the job submission\nscrontab: error: {error}")
    })
}

/// Parses the jobs of a table.
fn entries(cx: &Cx, uid: Uid, text: &str) -> Result<Vec<JobDesc>, String> {
    let mut jobs = Vec::new();
    let mut given: Vec<String> = Vec::new();
    let mut variables: Vec<(String, String)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let bad =
            |why: &str| format!("scrontab: error: crontab line {number}: {why}\nscrontab: error: {line}");
        let line = line.trim();
        if let Some(options) = line.strip_prefix("#SCRON") {
            given.extend(options.split_whitespace().map(str::to_owned));
            continue;
        }
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((name, value)) = line.split_once('=').filter(|(n, _)| is_name(n)) {
            variables.push((name.trim().to_owned(), value.trim().trim_matches(['"', '\'']).to_owned()));
            continue;
        }
        let (schedule, command) = Schedule::parse(line).ok_or_else(|| bad("invalid time specification"))?;
        if command.is_empty() {
            return Err(bad("missing command"));
        }
        let mut options = JobOptions { now: cx.now, uid, ..JobOptions::default() };
        let words: Vec<String> = std::iter::once("scrontab".to_owned()).chain(given.drain(..)).collect();
        options.argv(Submit::Sbatch, &words).map_err(|b| bad(&b.text))?;
        check::check(&mut options)
            .and_then(|_| check::of_job(Submit::Sbatch, &mut options))
            .map_err(|b| bad(&b.text))?;
        jobs.push(job(cx, uid, options.desc, schedule, command, &variables));
    }
    Ok(jobs)
}

fn is_name(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !text.starts_with(|c: char| c.is_ascii_digit())
}

fn job(
    cx: &Cx,
    uid: Uid,
    desc: JobDesc,
    schedule: Schedule,
    command: &str,
    variables: &[(String, String)],
) -> JobDesc {
    let user = cx.kernel.users.name(uid);
    let home = cx.kernel.users.by_name(&user).map_or_else(|| "/".to_owned(), |u| u.home.clone());
    let mut env = cx.env.clone();
    env.extend([("HOME".to_owned(), home.clone()), ("USER".to_owned(), user)]);
    env.extend(variables.iter().cloned());
    let word = command.split_whitespace().next().unwrap_or("scrontab");
    let name = if desc.name.is_empty() { host::path::base_name(word).to_owned() } else { desc.name.clone() };
    JobDesc {
        uid,
        name,
        submit_line: "scrontab".to_owned(),
        script: Some(Arc::new(
            format!("#!/bin/sh\n# This job was submitted through scrontab\n{command}\n").into_bytes(),
        )),
        env: Arc::new(env),
        work_dir: if desc.work_dir.is_empty() { home } else { desc.work_dir.clone() },
        submit_host: cx.host().to_string(),
        requeue: Some(true),
        cron: Some(schedule),
        ..desc
    }
}
