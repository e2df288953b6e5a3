//! `scontrol update`: key-value pairs for a job, nodes or a partition.

use super::{control, misc, update_node};
use crate::Cx;
use crate::slurm::opt::{gres, values};
use crate::slurm::{jobtext, tool};
use base::ids::{JobId, Uid};
use base::time::Limit;
use slurmctld::error::SlurmError;
use slurmctld::request::{JobUpdate, Request, TextField};

/// A pair as typed: the key in lower case, the value, and the whole text.
pub struct UpdatePair<'a> {
    pub key: String,
    pub value: &'a str,
    pub text: &'a str,
}

/// Keys that name the target.
const ENTITIES: &[&str] = &["jobid", "job", "jobname", "name", "nodename"];

/// Runs `update`.
pub fn run(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    if args.is_empty() {
        return Err("too few arguments for update keyword".to_owned());
    }
    let mut pairs = Vec::new();
    let mut words = args.iter();
    while let Some(text) = words.next() {
        let (key, value) = match text.split_once('=') {
            Some(pair) => pair,
            // The target may be two words: `update job 12`.
            None if ENTITIES.iter().any(|e| text.eq_ignore_ascii_case(e)) => {
                (*text, words.next().copied().unwrap_or(""))
            }
            None => (*text, ""),
        };
        pairs.push(UpdatePair { key: key.to_ascii_lowercase(), value, text });
    }
    // `node=` is an abbreviation of `nodename=`.
    for pair in pairs.iter_mut().filter(|p| p.key.len() > 3 && "nodename".starts_with(&p.key)) {
        pair.key = "nodename".to_owned();
    }
    let has = |name: &str| pairs.iter().any(|p| p.key == name);
    if has("nodename") {
        update_node::nodes(cx, &pairs)
    } else if pairs.iter().any(|p| p.key.len() > 2 && "reservationname".starts_with(&p.key))
        && !(has("jobid") || has("job"))
    {
        // The pair may name a partition as well.
        super::reservation::update(cx, args)
    } else if has("partitionname") || (has("partition") && !has("jobid") && !has("jobname") && !has("job")) {
        super::partition::update(cx, args)
    } else if has("jobid") || has("job") {
        let id = pairs.iter().find(|p| p.key == "jobid" || p.key == "job").map_or("", |p| p.value).to_owned();
        let mut rest: Vec<UpdatePair> =
            pairs.into_iter().filter(|p| p.key != "jobid" && p.key != "job").collect();
        rest.iter_mut().for_each(|pair| pair.key = in_full(&pair.key));
        if rest.is_empty() {
            return Err("No changes specified".to_owned());
        }
        job(cx, &[id], &rest)
    } else if let Some(at) = pairs.iter().position(|p| p.key == "jobname" || p.key == "name") {
        let name = pairs.remove(at).value;
        let owner = pairs.iter().position(|p| p.key == "userid").map(|at| pairs.remove(at).value);
        let owner = match owner {
            None => None,
            Some(text) => {
                let known = tool::users(cx, &[text.to_owned()]).0;
                Some(Uid(*known.first().ok_or_else(|| format!("Invalid UserID: {text}"))?))
            }
        };
        let ids = control::by_name(cx, name, owner);
        if let (true, Some(owner)) = (ids.is_empty(), owner) {
            return Err(format!("scontrol: error: No jobs with user ID {owner} and name '{name}'"));
        }
        if ids.is_empty() {
            return Err(format!("scontrol: error: No jobs with name '{name}'"));
        }
        job(cx, &ids, &pairs)
    } else if let Some(level) = pairs.iter().find(|p| p.key == "slurmctlddebug") {
        // Only numbers are accepted here.
        match level.value.parse::<u8>() {
            Ok(level) if level < 10 => misc::log_level(cx, "setdebug", &[&level.to_string()]),
            Ok(_) | Err(_) => Err(format!("invalid debug level: {}", level.value)),
        }
    } else {
        Err("No valid entity in update command\nInput line must include \"NodeName\", \"PartitionName\", \"Reservation\", \
             \"JobId\", or \"SlurmctldDebug\""
            .to_owned())
    }
}

/// Keys that are accepted but have no effect here.
const LEFT: &[&str] =
    &["clusters", "cpuspertres", "mcslabel", "mempertres", "ntaskspertres", "trespersocket"];

/// Other keys of jobs, for abbreviations.
const KEYS: &[&str] = &[
    "account",
    "arraytaskthrottle",
    "burstbuffer",
    "clusterfeatures",
    "contiguous",
    "corespec",
    "cpuspertask",
    "deadline",
    "delayboot",
    "dependency",
    "eligibletime",
    "endtime",
    "excnodelist",
    "features",
    "gres",
    "jobname",
    "licenses",
    "mailtype",
    "mincpus",
    "mincpusnode",
    "minmemorycpu",
    "minmemorynode",
    "mintmpdisknode",
    "name",
    "nice",
    "nodelist",
    "numcpus",
    "numnodes",
    "numtasks",
    "oversubscribe",
    "partition",
    "priority",
    "qos",
    "reboot",
    "reqcores",
    "reqnodelist",
    "reqnodes",
    "reqprocs",
    "reqsockets",
    "reqswitch",
    "reqthreads",
    "requeue",
    "reservation",
    "reservationname",
    "resetaccruetime",
    "shared",
    "sitefactor",
    "starttime",
    "switches",
    "taskspernode",
    "threadspec",
    "timelimit",
    "timemin",
    "tresperjob",
    "trespernode",
    "trespertask",
    "userid",
    "wait-for-switch",
];

/// All keys of jobs.
pub fn job_keys() -> Vec<&'static str> {
    KEYS.iter().chain(LEFT).copied().chain(TEXTS.iter().map(|t| t.0)).collect()
}

/// Expands an abbreviated key (`timel`), if it is unambiguous.
fn in_full(key: &str) -> String {
    let (plain, sign) = key.split_at(key.trim_end_matches(['+', '-']).len());
    let all = || KEYS.iter().chain(LEFT).copied().chain(TEXTS.iter().map(|t| t.0));
    if plain.len() < 3 || all().any(|known| known == plain) {
        return key.to_owned();
    }
    let mut fits = all().filter(|known| known.starts_with(plain));
    match (fits.next(), fits.next()) {
        (Some(one), None) => format!("{one}{sign}"),
        (Some(_) | None, _) => key.to_owned(),
    }
}

/// Keys that accept any value.
const TEXTS: &[(&str, TextField)] = &[
    ("admincomment", TextField::AdminComment),
    ("comment", TextField::Comment),
    ("extra", TextField::Extra),
    ("mailuser", TextField::MailUser),
    ("prefer", TextField::Prefer),
    ("stderr", TextField::Stderr),
    ("stdin", TextField::Stdin),
    ("stdout", TextField::Stdout),
    ("tresbind", TextField::TresBind),
    ("tresfreq", TextField::TresFreq),
    ("wckey", TextField::Wckey),
    ("workdir", TextField::WorkDir),
];

/// Whether the update tells an expanding job that it has all of its nodes (`NumNodes=ALL`).
fn grows(cx: &Cx, pairs: &[UpdatePair]) -> bool {
    let permitted =
        cx.cluster.state().cluster.global.scheduler_parameters.contains_key("permit_job_expansion");
    permitted && pairs.iter().any(|p| ["numnodes", "reqnodes"].contains(&p.key.as_str()))
}

fn job(cx: &mut Cx, ids: &[String], pairs: &[UpdatePair]) -> Result<(), String> {
    let mut lines = Vec::new();
    for id in ids {
        for word in jobtext::split_list(id) {
            let change = job_update(cx, word, pairs)?;
            let result =
                control::ask(cx, word, |target| Request::Update { target, change: Box::new(change.clone()) });
            match result {
                Err((more, _)) => lines.extend(more),
                Ok(()) if change.min_nodes.is_some() || change.required.is_some() || grows(cx, pairs) => {
                    if let Some(spec) = jobtext::parse_job(word) {
                        super::resize::scripts(cx, spec.job)?;
                    }
                }
                Ok(()) => {}
            }
        }
    }
    if lines.is_empty() { Ok(()) } else { Err(lines.join("\n")) }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<Option<T>, String> {
    value.parse().map(Some).map_err(|_| invalid(name, value))
}

fn invalid(name: &str, value: &str) -> String {
    format!("scontrol: error: Invalid {name} value: {value}")
}

/// Slurm stores nice values with an offset of 2^31.
const MOST_FACTOR: i64 = 2_147_483_645;

fn job_update(cx: &Cx, id: &str, pairs: &[UpdatePair]) -> Result<JobUpdate, String> {
    let mut u = JobUpdate::default();
    for pair in pairs {
        match pair.key.as_str() {
            "burstbuffer" => return Err(format!("{} for job {id}", SlurmError::NotSupported)),
            // Federations are not simulated.
            "clusters" | "clusterfeatures" => return Err(format!("Unspecified error for job {id}")),
            _ => {}
        }
        if pair.key == "mailtype" {
            let types = values::mail_types(pair.value);
            let types = types.ok_or_else(|| format!("Invalid MailType: {}", pair.value))?;
            u.texts.push((TextField::MailType, types));
        } else if let Some((_, field)) = TEXTS.iter().find(|t| t.0 == pair.key) {
            u.texts.push((*field, pair.value.to_owned()));
        } else if !(text_field(pair, &mut u)?
            || time_field(cx, id, pair, &mut u)?
            || number_field(cx, id, pair, &mut u)?)
        {
            return Err(format!("Update of this parameter is not supported: {}\nRequest aborted", pair.text));
        }
    }
    Ok(u)
}

/// Text and boolean keys. Returns false for other keys.
fn text_field(pair: &UpdatePair, u: &mut JobUpdate) -> Result<bool, String> {
    let value = pair.value;
    let text = Some(value.to_owned());
    match pair.key.as_str() {
        "name" | "jobname" => u.name = text,
        "partition" | "partitionname" => u.partition = text,
        "qos" => u.qos = text,
        "account" => u.account = text,
        "priority" => {
            let most = u32::MAX - 2;
            let priority = value.parse().ok().filter(|priority| *priority <= most);
            u.priority = Some(priority.ok_or_else(|| invalid("Priority", value))?);
        }
        "nice" => {
            // `Nice` alone is 100, `Nice=` is 0.
            let alone = value.is_empty() && !pair.text.contains('=');
            u.nice = Some(if alone { 100 } else { values::leading_number(value) });
        }
        "sitefactor" => {
            let factor = value.parse::<i64>().ok().filter(|f| f.abs() <= MOST_FACTOR);
            let bad = || {
                format!("scontrol: error: SiteFactor value out of range (+/- {MOST_FACTOR}). Value ignored")
            };
            u.site_factor = Some(factor.ok_or_else(bad)?);
        }
        "dependency" => u.dependency = text,
        "features" => u.features = text,
        "reqnodelist" | "nodelist" => u.required = text,
        "excnodelist" => u.excluded = text,
        "licenses" => u.licenses = text,
        "reservationname" | "reservation" => u.reservation = text,
        "requeue" => u.requeue = number::<u8>("Requeue", value)?.map(|n| n > 0),
        "contiguous" => u.contiguous = Some(yes_no("Contiguous", value)?),
        "reboot" => u.reboot = Some(yes_no("reboot", value)?),
        "oversubscribe" | "shared" => u.oversubscribe = Some(yes_no("OverSubscribe", value)?),
        "trespertask" => u.gres_texts.task = text,
        "gres" | "trespernode" => {
            let read = gres::read(value, None).map_err(|bad| format!("scontrol: error: {}", bad.text))?;
            (u.gres, u.gres_texts.node) = (Some(read.list), read.text);
        }
        "tresperjob" => {
            let read = gres::read(value, None).map_err(|bad| format!("scontrol: error: {}", bad.text))?;
            (u.gpus, u.gres_texts.job) = (Some(read.list), read.text);
        }
        "userid" => return Err("No changes specified".to_owned()),
        left => return Ok(LEFT.contains(&left)),
    }
    Ok(true)
}

fn yes_no(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        number => number.parse::<u32>().map(|n| n > 0).map_err(|_| invalid(name, value)),
    }
}

/// Limits and times.
fn time_field(cx: &Cx, id: &str, pair: &UpdatePair, u: &mut JobUpdate) -> Result<bool, String> {
    let value = pair.value;
    let moment = |what: &str| {
        values::moment(value, cx.now, false)
            .map(Some)
            .map_err(|pos| format!("Invalid time specification (pos={pos}): {value}\n{what}"))
    };
    let plain = pair.key.strip_suffix(['+', '-']).unwrap_or(&pair.key);
    let op = pair.key.strip_prefix(plain).and_then(|op| op.chars().next());
    match plain {
        "timelimit" => u.time_limit = Some(time_limit(cx, id, value, op)?),
        "timemin" => {
            let min = values::time_limit(value).ok_or("scontrol: error: Invalid TimeMin value")?;
            u.time_min = Some(min);
        }
        // An invalid time changes nothing.
        "starttime" | "eligibletime" => u.begin = moment("No changes specified")?,
        "deadline" => u.deadline = moment("No changes specified")?,
        "endtime" => u.end_time = moment("Invalid end time")?,
        "resetaccruetime" => u.reset_accrue = true,
        _ => return Ok(false),
    }
    Ok(true)
}

/// Numeric keys.
fn number_field(cx: &Cx, id: &str, pair: &UpdatePair, u: &mut JobUpdate) -> Result<bool, String> {
    let value = pair.value;
    match pair.key.as_str() {
        "arraytaskthrottle" => u.throttle = Some(throttle(cx, id, value)?),
        // A running job already has all that it can get.
        "numnodes" | "reqnodes" if value.eq_ignore_ascii_case("all") => {}
        "numnodes" | "reqnodes" => {
            let counts = values::nodes(value).map_err(|bad| format!("scontrol: error: {}", bad.text))?;
            (u.min_nodes, u.max_nodes) = (Some(counts.min), counts.max);
        }
        "numtasks" | "reqprocs" => u.ntasks = number("NumTasks", value)?,
        "numcpus" | "mincpus" => {
            let (least, most) = value.split_once('-').map_or((value, None), |(a, b)| (a, Some(b)));
            let count = |text: &str| text.parse::<u32>().ok().filter(|n| *n > 0);
            u.min_cpus = Some(count(least).ok_or_else(|| invalid("NumCPUs", value))?);
            u.max_cpus = most.map(|most| count(most).ok_or_else(|| invalid("NumCPUs", value))).transpose()?;
        }
        "minmemorynode" => u.mem_per_node = number("MinMemoryNode", value)?,
        "minmemorycpu" => u.mem_per_cpu = number("MinMemoryCPU", value)?,
        "cpuspertask" => u.cpus_per_task = number("CPUsPerTask", value)?,
        "taskspernode" => u.tasks_per_node = number("TasksPerNode", value)?,
        "mincpusnode" => u.min_cpus_node = number("MinCPUsNode", value)?,
        "mintmpdisknode" => u.tmp_disk = number("MinTmpDiskNode", value)?,
        "corespec" => u.core_spec = number("CoreSpec", value)?,
        "threadspec" => u.thread_spec = number("ThreadSpec", value)?,
        "reqsockets" => u.sockets = number("ReqSockets", value)?,
        "reqcores" => u.cores = number("ReqCores", value)?,
        "reqthreads" => u.threads = number("ReqThreads", value)?,
        "delayboot" => {
            let limit = values::time_limit(value).ok_or("scontrol: error: Invalid DelayBoot value")?;
            u.delay_boot =
                Some(if let Limit::Minutes(minutes) = limit { minutes.saturating_mul(60) } else { 0 });
        }
        // An invalid number counts as 0, as in Slurm's parser.
        "switches" | "reqswitch" => {
            let (most, wait) = value.split_once('@').map_or((value, None), |(m, w)| (m, Some(w)));
            u.switches = Some((most.parse().unwrap_or(0), Some(wait.and_then(switch_wait).unwrap_or(0))));
        }
        "wait-for-switch" => {
            let bad = || format!("scontrol: error: Invalid wait-for-switch value: {value}");
            u.switch_wait = Some(value.parse::<u32>().map_err(|_| bad())?);
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// The maximum wait for switches, in seconds.
fn switch_wait(text: &str) -> Option<u32> {
    values::duration(text).and_then(|seconds| u32::try_from(seconds).ok())
}

fn throttle(cx: &Cx, id: &str, value: &str) -> Result<u32, String> {
    let throttle =
        value.parse().map_err(|_| "scontrol: error: Invalid ArrayTaskThrottle value".to_owned())?;
    let single = jobtext::parse_job(id)
        .and_then(|s| cx.cluster.state().jobs.get(JobId(s.job)))
        .is_some_and(|j| j.array.is_none());
    if single {
        return Err(format!(
            "scontrol: error: Update of ArrayTaskThrottle is only allowed on ArrayJobId\nRequested operation not supported on this system for job {id}"
        ));
    }
    Ok(throttle)
}

/// A time limit, or a change of the current one: `+10`, `-=5`.
fn time_limit(cx: &Cx, id: &str, value: &str, op: Option<char>) -> Result<Limit, String> {
    let invalid = || "scontrol: error: Invalid TimeLimit value".to_owned();
    let (sign, rest) = match (op, value.chars().next()) {
        (Some(op), _) => (Some(op), value),
        (None, Some(c @ ('+' | '-'))) => (Some(c), &value[1..]),
        (None, _) => (None, value),
    };
    let limit = match values::time_limit(rest).ok_or_else(invalid)? {
        Limit::Unlimited if rest.bytes().all(|b| b == b'0') => Limit::Minutes(0),
        limit => limit,
    };
    let Some(sign) = sign else { return Ok(limit) };
    let Limit::Minutes(by) = limit else { return Err(invalid()) };
    let spec = jobtext::parse_job(id);
    let job = spec.and_then(|s| cx.cluster.state().jobs.get(JobId(s.job)));
    match job.map(|j| j.time_limit) {
        None => Err(format!("Invalid job id specified for job {id}")),
        Some(Limit::Unlimited) => {
            Err("scontrol: error: Cannot increment/decrement TimeLimit when set to UNLIMITED.".to_owned())
        }
        Some(Limit::Minutes(now)) if sign == '+' => Ok(Limit::Minutes(now.saturating_add(by))),
        Some(Limit::Minutes(now)) if by <= now => Ok(Limit::Minutes(now - by)),
        Some(Limit::Minutes(now)) => {
            Err(format!("scontrol: error: TimeLimit decrement larger than current time limit ({by} > {now})"))
        }
    }
}
