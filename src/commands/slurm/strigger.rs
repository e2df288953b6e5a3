//! strigger(1): sets, shows and clears event triggers. [`slurmctld::trigger`] fires them.

use super::clusters;
use super::getopt::ParsedArguments;
use super::jobtext;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use crate::Cx;
use base::ids::{JobId, Uid};
use slurmctld::error::SlurmError;
use slurmctld::request::Request;
use slurmctld::trigger::{Resource, Trigger, TriggerEvent};

const OPTIONS: &[ToolOption] = &[
    flag("backup_slurmctld_assumed_control", 'C', "when the backup controller takes over"),
    flag("backup_slurmctld_failure", 'B', "when the backup controller fails"),
    flag("backup_slurmctld_resumed_operation", 'c', "when the backup controller works again"),
    flag("burst_buffer", ' ', "when a burst buffer has an error"),
    flag("clear", ' ', "take triggers away, those of --id, --jobid and --user"),
    needs("clusters", 'M', ArgumentKind::Cluster, "ask this cluster").env("SLURM_CLUSTERS"),
    flag("down", 'd', "when a node goes down"),
    flag("drained", 'D', "when a node becomes drained"),
    flag("draining", ' ', "when a node begins to drain"),
    flag("fail", 'F', "when a node is expected to fail"),
    flag("fini", 'f', "when the job has ended"),
    needs("flags", ' ', ArgumentKind::OneOf(&["perm"]), "perm: the trigger stays after its event"),
    flag("get", ' ', "show triggers"),
    flag("help", ' ', "show this text"),
    needs("id", 'i', ArgumentKind::Text("number"), "the trigger of this number"),
    flag("idle", 'I', "when a node has been idle for the time of --offset"),
    needs("jobid", 'j', ArgumentKind::Job, "about this job, or its nodes"),
    may("node", 'n', ArgumentKind::Node, "about these nodes, by default all"),
    flag("noheader", 'N', "no headings"),
    needs("offset", 'o', ArgumentKind::Text("seconds"), "so long after the event, or before it"),
    flag("primary_database_failure", 'h', "when the database fails"),
    flag("primary_database_resumed_operation", 'H', "when the database works again"),
    flag(
        "primary_slurmctld_acct_buffer_full",
        'e',
        "when the controller can keep no more records for slurmdbd",
    ),
    flag("primary_slurmctld_failure", 'a', "when the controller fails"),
    flag("primary_slurmctld_resumed_control", 'b', "when the controller is in control again"),
    flag("primary_slurmctld_resumed_operation", 'A', "when the controller works again"),
    flag("primary_slurmdbd_failure", 'g', "when slurmdbd fails"),
    flag("primary_slurmdbd_resumed_operation", 'G', "when slurmdbd works again"),
    needs("program", 'p', ArgumentKind::File, "what is run, with its arguments"),
    flag("quiet", 'Q', "do not complain of triggers that are gone"),
    flag("reconfig", 'r', "when the configuration is read again"),
    flag("resume", 'R', "when a node is returned to service"),
    flag("set", ' ', "make a trigger"),
    flag("time", 't', "when the job's time limit is reached"),
    flag("up", 'u', "when a node comes back that was down"),
    flag("usage", ' ', "a short summary of the options"),
    needs("user", ' ', ArgumentKind::User, "triggers of this user"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "strigger",
    options: OPTIONS,
    usage: "Usage: strigger [--set | --get | --clear | --version] [-aAbBcCdDefFgGhHiIjnNopQrtuv]\n",
    synopsis: "{--set | --get | --clear}",
    about: "Programs that the controller runs when nodes or jobs get into some state. Events are looked for every fifteen \
        seconds. Only SlurmUser may set triggers, unless that is root.",
    ..PLAIN
};

/// Options for events, with the kind of object.
const EVENTS: &[(&str, TriggerEvent)] = &[
    ("down", TriggerEvent::Down),
    ("up", TriggerEvent::Up),
    ("drained", TriggerEvent::Drained),
    ("draining", TriggerEvent::Draining),
    ("resume", TriggerEvent::Resume),
    ("fail", TriggerEvent::Fail),
    ("idle", TriggerEvent::Idle),
    ("reconfig", TriggerEvent::Reconfig),
    ("time", TriggerEvent::Time),
    ("fini", TriggerEvent::Fini),
    ("burst_buffer", TriggerEvent::BurstBuffer),
    ("primary_slurmctld_failure", TriggerEvent::Daemon(Resource::Slurmctld, 0)),
    ("primary_slurmctld_resumed_operation", TriggerEvent::Daemon(Resource::Slurmctld, 1)),
    ("primary_slurmctld_resumed_control", TriggerEvent::Daemon(Resource::Slurmctld, 2)),
    ("primary_slurmctld_acct_buffer_full", TriggerEvent::Daemon(Resource::Slurmctld, 3)),
    ("backup_slurmctld_failure", TriggerEvent::Daemon(Resource::Slurmctld, 4)),
    ("backup_slurmctld_resumed_operation", TriggerEvent::Daemon(Resource::Slurmctld, 5)),
    ("backup_slurmctld_assumed_control", TriggerEvent::Daemon(Resource::Slurmctld, 6)),
    ("primary_slurmdbd_failure", TriggerEvent::Daemon(Resource::Slurmdbd, 0)),
    ("primary_slurmdbd_resumed_operation", TriggerEvent::Daemon(Resource::Slurmdbd, 1)),
    ("primary_database_failure", TriggerEvent::Daemon(Resource::Database, 0)),
    ("primary_database_resumed_operation", TriggerEvent::Daemon(Resource::Database, 1)),
];

const NO_EVENT: &str = "You must specify a trigger";

/// Maximum offset, in seconds.
const MAX_OFFSET: i64 = 32_000;

/// Runs strigger.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if let Err(code) = clusters::asked(cx, &parsed, false) {
        return code;
    }
    match carry_out(cx, &parsed) {
        Ok(()) => 0,
        Err(line) => {
            cx.complain(&line);
            1
        }
    }
}

fn carry_out(cx: &mut Cx, parsed: &ParsedArguments) -> Result<(), String> {
    let wish = TriggerRequest::read(cx, parsed).map_err(|why| format!("strigger: error: {why}"))?;
    if parsed.has("get") {
        show(cx, parsed, &wish);
        return Ok(());
    }
    let (request, call) = if parsed.has("set") {
        (Request::SetTrigger(Box::new(wish.trigger(parsed))), "slurm_set_trigger")
    } else {
        (Request::ClearTriggers { id: wish.id, job: wish.job, user: wish.user }, "slurm_clear_trigger")
    };
    match cx.cluster.request(cx.uid(), request).done() {
        Err((error, _)) => {
            let gone = error == SlurmError::NoSuchTrigger && parsed.has("quiet");
            if gone { Ok(()) } else { Err(format!("{call}: {error}")) }
        }
        Ok(()) => {
            if parsed.has("verbose") {
                cx.complain(if parsed.has("set") {
                    "strigger: trigger set"
                } else {
                    "strigger: trigger cleared"
                });
            }
            Ok(())
        }
    }
}

/// The parsed options.
#[derive(Default)]
struct TriggerRequest {
    id: Option<u32>,
    job: Option<JobId>,
    user: Option<Uid>,
    events: Vec<TriggerEvent>,
    offset: i64,
    permanent: bool,
}

impl TriggerRequest {
    /// Parses and checks the options, in the order of the real command's errors.
    fn read(cx: &Cx, parsed: &ParsedArguments) -> Result<Self, String> {
        let mut wish = Self::default();
        for (name, value) in &parsed.options {
            wish.take(cx, name, value.as_deref().unwrap_or(""))?;
        }
        let modes = ["set", "get", "clear"].into_iter().filter(|mode| parsed.has(mode)).count();
        if modes != 1 {
            return Err(
                "You must use exactly one of the following options: --set, --get or --clear".to_owned()
            );
        }
        if parsed.has("clear") && wish.id.is_none() && wish.job.is_none() && wish.user.is_none() {
            return Err("You must specify a --id, --jobid, or --user to clear".to_owned());
        }
        let of_job = wish.events.iter().any(|e| matches!(e, TriggerEvent::Time | TriggerEvent::Fini));
        if parsed.has("set") && wish.events.is_empty() {
            return Err(NO_EVENT.to_owned());
        }
        if of_job && wish.job.is_none() && !parsed.has("clear") {
            return Err("You must specify a --jobid value".to_owned());
        }
        if parsed.has("set") {
            check_program(cx, parsed.value("program").unwrap_or(""))?;
        }
        if wish.offset.abs() > MAX_OFFSET {
            return Err(format!("The --offset parameter must be between +/-{MAX_OFFSET}"));
        }
        Ok(wish)
    }

    /// Applies one option.
    fn take(&mut self, cx: &Cx, name: &str, value: &str) -> Result<(), String> {
        if let Some((_, event)) = EVENTS.iter().find(|(option, _)| *option == name) {
            self.events.push(*event);
        }
        match name {
            "id" => self.id = Some(value.parse().map_err(|_| format!("Invalid id {value}"))?),
            "jobid" => {
                let spec = jobtext::parse_job(value).ok_or_else(|| format!("Invalid jobid {value}"))?;
                self.job = Some(JobId(spec.job));
            }
            "user" => {
                let (known, _) = tool::users(cx, &[value.to_owned()]);
                self.user = Some(Uid(*known.first().ok_or_else(|| format!("Invalid user {value}"))?));
            }
            // Like atoi(3): an invalid number is 0.
            "offset" => self.offset = leading_number(value),
            "flags" => {
                if !value.split(',').all(|flag| flag.eq_ignore_ascii_case("perm")) {
                    return Err(format!("Invalid flags {value}"));
                }
                self.permanent = true;
            }
            _ => {}
        }
        Ok(())
    }

    fn trigger(&self, parsed: &ParsedArguments) -> Trigger {
        let daemon = self.events.iter().rev().find_map(|e| match e {
            TriggerEvent::Daemon(resource, _) => Some(*resource),
            TriggerEvent::BurstBuffer => Some(Resource::Other),
            _ => None,
        });
        let nodes = parsed.value("node").filter(|list| !list.is_empty() && self.job.is_none());
        Trigger {
            id: 0,
            uid: Uid(0),
            resource: match (self.job, daemon) {
                (Some(_), _) => Resource::Job,
                (None, Some(resource)) => resource,
                (None, None) => Resource::Node,
            },
            events: self.events.clone(),
            job: self.job,
            nodes: nodes.map(str::to_owned),
            offset: self.offset,
            program: parsed.value("program").unwrap_or("").to_owned(),
            permanent: self.permanent,
            due: None,
        }
    }

    /// Whether a trigger is selected.
    fn admits(&self, trigger: &Trigger, nodes: bool) -> bool {
        self.id.is_none_or(|id| trigger.id == id)
            && (self.job.is_none() || trigger.job == self.job)
            && self.user.is_none_or(|user| trigger.uid == user)
            && (self.events.is_empty() || self.events == trigger.events)
            && (!nodes || trigger.resource == Resource::Node)
    }
}

fn leading_number(text: &str) -> i64 {
    let sign = usize::from(text.starts_with(['-', '+']));
    let digits = text.get(sign..).unwrap_or("").bytes().take_while(u8::is_ascii_digit).count();
    text.get(..sign + digits).and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// The program must exist and be given by its absolute path.
fn check_program(cx: &Cx, program: &str) -> Result<(), String> {
    let Some(path) = program.split_whitespace().next() else {
        return Err("You must specify a --program value".to_owned());
    };
    if !path.starts_with('/') {
        return Err("The --program value must start with \"/\"".to_owned());
    }
    match cx.kernel.fs.stat(cx.uid(), path) {
        Ok(stat) if stat.kind != host::fs::FileKind::Dir => Ok(()),
        Ok(_) | Err(_) => Err("Invalid --program value, file not found".to_owned()),
    }
}

/// `TYPE`: several events have no name.
fn event_name(events: &[TriggerEvent]) -> &'static str {
    let [only] = events else { return "unknown" };
    EVENTS.iter().find(|(_, event)| event == only).map_or("unknown", |(name, _)| name)
}

fn show(cx: &mut Cx, parsed: &ParsedArguments, wish: &TriggerRequest) {
    let nodes = parsed.has("node");
    let mut out = String::new();
    let row = |id: &str,
               kind: &str,
               what: &str,
               event: &str,
               offset: &str,
               user: &str,
               flags: &str,
               program: &str| {
        format!("{id:>7} {kind:<9} {what:>7} {event:<35} {offset:>6} {user:<8} {flags:<5} {program}\n")
    };
    let all = cx.cluster.state().triggers();
    let count = all.iter().count();
    for trigger in all.iter().filter(|t| wish.admits(t, nodes)) {
        if out.is_empty() && !parsed.has("noheader") {
            out += &row("TRIG_ID", "RES_TYPE", "RES_ID", "TYPE", "OFFSET", "USER", "FLAGS", "PROGRAM");
        }
        let what = match (trigger.job, &trigger.nodes, trigger.resource) {
            (Some(job), _, _) => job.to_string(),
            (None, Some(list), _) => list.clone(),
            (None, None, Resource::Other) => "(null)".to_owned(),
            (None, None, _) => "*".to_owned(),
        };
        out += &row(
            &trigger.id.to_string(),
            trigger.resource.name(),
            &what,
            event_name(&trigger.events),
            &trigger.offset.to_string(),
            &super::nodetext::who(&cx.kernel.users, trigger.uid),
            if trigger.permanent { "PERM" } else { "" },
            &trigger.program,
        );
    }
    if parsed.has("verbose") {
        cx.complain(&format!("strigger: Read {count} trigger records"));
    }
    cx.print(&out);
}
