//! `scontrol create`, `update`, `delete` and `show reservation`.

use super::{DetailLevel, record};
use crate::Cx;
use crate::slurm::jobtext::{JobView, or_null, task_list};
use crate::slurm::opt::values;
use base::order::StableSort as _;
use base::time::{Limit, Time, hms};
use slurmctld::error::SlurmError;
use slurmctld::request::{Request, Response};
use slurmctld::reservation::{Reservation, ResvDesc, ResvFlags, Who, WhoChange};

/// A key of a specification.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReservationKey {
    Accounts,
    BurstBuffer,
    Comment,
    CoreCnt,
    Duration,
    EndTime,
    Features,
    Flags,
    Groups,
    Licenses,
    MaxStartDelay,
    Name,
    NodeCnt,
    Nodes,
    Partition,
    Partitions,
    Qos,
    Skip,
    StartTime,
    Tres,
    Users,
}

/// Keys with their shortest abbreviations; the first match wins.
const KEYS: &[(&str, usize, ReservationKey)] = &[
    ("reservationname", 1, ReservationKey::Name),
    ("starttime", 1, ReservationKey::StartTime),
    ("endtime", 1, ReservationKey::EndTime),
    ("duration", 1, ReservationKey::Duration),
    ("flags", 2, ReservationKey::Flags),
    ("nodecnt", 5, ReservationKey::NodeCnt),
    ("nodes", 5, ReservationKey::Nodes),
    ("nodelist", 5, ReservationKey::Nodes),
    ("corecnt", 5, ReservationKey::CoreCnt),
    ("cpucnt", 5, ReservationKey::CoreCnt),
    ("comment", 3, ReservationKey::Comment),
    ("features", 2, ReservationKey::Features),
    ("groups", 1, ReservationKey::Groups),
    ("allowedpartitions", 2, ReservationKey::Partitions),
    ("allowedpartition", 2, ReservationKey::Partitions),
    ("accounts", 1, ReservationKey::Accounts),
    ("burstbuffer", 2, ReservationKey::BurstBuffer),
    ("licenses", 1, ReservationKey::Licenses),
    ("maxstartdelay", 1, ReservationKey::MaxStartDelay),
    ("partitionname", 1, ReservationKey::Partition),
    ("qos", 1, ReservationKey::Qos),
    ("skip", 2, ReservationKey::Skip),
    ("tres", 1, ReservationKey::Tres),
    ("users", 1, ReservationKey::Users),
];

/// All keys of reservations.
pub fn keys() -> Vec<&'static str> {
    KEYS.iter().map(|(name, ..)| *name).collect()
}

/// Parses a specification; `end` ends each error message.
fn parse(args: &[&str], end: &str, now: Time) -> Result<ResvDesc, String> {
    let mut desc = ResvDesc::default();
    for arg in args {
        let (raw, value) = arg.split_once('=').unwrap_or((arg, ""));
        let lower = raw.to_ascii_lowercase();
        let (name, op) = match lower.strip_suffix(['+', '-']) {
            Some(name) => (name, raw.chars().last()),
            None => (lower.as_str(), None),
        };
        let known = KEYS.iter().find(|(full, least, _)| name.len() >= *least && full.starts_with(name));
        let Some((_, _, key)) = known else {
            return Err(format!("scontrol: error: Unknown parameter: {arg}.  {end}"));
        };
        set(&mut desc, *key, op, value, now).map_err(|why| format!("scontrol: error: {why}  {end}"))?;
    }
    Ok(desc)
}

fn set(
    desc: &mut ResvDesc,
    key: ReservationKey,
    op: Option<char>,
    value: &str,
    now: Time,
) -> Result<(), String> {
    let text = || Some(value.to_owned());
    let when = |what: &str| {
        values::moment(value, now, true)
            .map(|t| Some(t.floor()))
            .map_err(|pos| format!("Invalid {what} time: {value} (pos={pos})."))
    };
    match key {
        ReservationKey::Name => desc.name = text(),
        ReservationKey::StartTime => desc.start = when("start")?,
        ReservationKey::EndTime => desc.end = when("end")?,
        ReservationKey::Duration => {
            // -1 means no limit; smaller numbers are invalid.
            if value.starts_with('-') && value != "-1" {
                return Err(format!("Invalid duration duration={value}."));
            }
            let limit = values::time_limit(value).ok_or_else(|| format!("Invalid duration, {value}."))?;
            desc.duration = Some(limit);
        }
        ReservationKey::Flags => flags(desc, op, value)?,
        ReservationKey::NodeCnt => {
            let counts = counts(value).ok_or_else(|| format!("Invalid node count, {value}."))?;
            desc.node_count = Some(counts.into_iter().fold(0, u32::saturating_add));
        }
        ReservationKey::CoreCnt => {
            desc.core_counts = counts(value).ok_or_else(|| format!("Invalid core count, {value}."))?;
        }
        ReservationKey::Nodes => {
            desc.nodes = Some(op.map_or_else(|| value.to_owned(), |c| format!("{c}{value}")))
        }
        ReservationKey::Features => desc.features = text(),
        ReservationKey::Partition => desc.partition = text(),
        ReservationKey::Users => desc.users = Some(who(op, value)),
        ReservationKey::Groups => desc.groups = Some(who(op, value)),
        ReservationKey::Accounts => desc.accounts = Some(who(op, value)),
        ReservationKey::Qos => desc.qos = Some(who(op, value)),
        ReservationKey::Partitions => desc.partitions = Some(who(op, value)),
        ReservationKey::Licenses => desc.licenses = text(),
        ReservationKey::BurstBuffer => desc.burst_buffer = text(),
        ReservationKey::Comment => desc.comment = text(),
        ReservationKey::MaxStartDelay => {
            let limit = config::parse_seconds(value);
            desc.max_start_delay = Some(limit.ok_or_else(|| format!("Invalid max start delay, {value}."))?);
        }
        ReservationKey::Skip => desc.skip = true,
        ReservationKey::Tres => {
            for part in value.split(',').filter(|p| !p.is_empty()) {
                let (name, count) = part.split_once('=').unwrap_or((part, "1"));
                match name.to_ascii_lowercase().as_str() {
                    "node" => desc.node_count = count.parse().ok(),
                    "cpu" => desc.core_counts = counts(count).unwrap_or_default(),
                    lower => match lower.strip_prefix("license/") {
                        Some(license) => {
                            let more = format!("{license}:{count}");
                            desc.licenses =
                                Some(desc.licenses.take().map_or(more.clone(), |l| format!("{l},{more}")));
                        }
                        None => return Err(format!("Invalid TRES type '{name}'.")),
                    },
                }
            }
        }
    }
    Ok(())
}

/// `4`, `2,3`.
fn counts(value: &str) -> Option<Vec<u32>> {
    value.split(',').map(|n| n.parse().ok()).collect()
}

fn who(op: Option<char>, value: &str) -> WhoChange {
    let words: Vec<&str> = value.split(',').filter(|w| !w.is_empty()).collect();
    let except = words.iter().all(|w| w.starts_with('-')) && !words.is_empty();
    let added = words.iter().all(|w| w.starts_with('+')) && !words.is_empty();
    // A list with and without signs keeps them: the controller knows no such names.
    let mixed = !except && !added && words.iter().any(|w| w.starts_with('-'));
    let bare =
        |word: &&str| if mixed { (*word).to_owned() } else { word.trim_start_matches(['-', '+']).to_owned() };
    let names: Vec<String> = words.iter().map(bare).collect();
    match op {
        Some('+') => WhoChange::Add(names),
        Some(_) => WhoChange::Remove(names),
        None if added => WhoChange::Add(names),
        None => WhoChange::Set(Who { names, except }),
    }
}

/// How long a reservation may be idle with `PURGE_COMP` and no time, seconds.
const PURGE_COMP: u32 = 300;

fn flags(desc: &mut ResvDesc, op: Option<char>, value: &str) -> Result<(), String> {
    for word in value.split(',').filter(|w| !w.is_empty()) {
        let (name, time) = word.split_once('=').unwrap_or((word, ""));
        let asked = ResvFlags::parse(name).filter(|(flag, _)| *flag != ResvFlags::SPEC_NODES);
        let Some((flag, taken)) = asked else {
            let sign = op.map(String::from).unwrap_or_default();
            return Err(format!("Error parsing flags {sign}{value}."));
        };
        if flag == ResvFlags::PURGE_COMP && !taken {
            let seconds = if time.is_empty() { Some(PURGE_COMP) } else { config::parse_seconds(time) };
            desc.purge = Some(seconds.ok_or_else(|| format!("Invalid PURGE_COMP time: {time}."))?);
        }
        if taken || op == Some('-') {
            desc.clear = desc.clear.with(flag);
        } else {
            desc.set = desc.set.with(flag);
        }
    }
    Ok(())
}

/// An additional message about a refused request that names neither nodes nor a partition; from 22.05.
const SINGLE_PARTITION: &str = "\
Note, unless nodes are directly requested a reservation must exist in a single partition.
If no partition is requested the default partition is assumed.";

/// `create reservation`.
pub fn create(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let end = "No reservation created.";
    let mut desc = parse(args, end, cx.now)?;
    check(&mut desc).map_err(|why| format!("scontrol: error: {why}  {end}"))?;
    let anywhere = desc.nodes.is_none() && desc.partition.is_none();
    match cx.cluster.request(cx.uid(), Request::CreateReservation(Box::new(desc))) {
        Response::Reservation(name) => {
            cx.line(&format!("Reservation created: {name}"));
            Ok(())
        }
        Response::Err { error, .. } => {
            let nodes = [SlurmError::NodesBusy, SlurmError::RequestedNodeConfigUnavailable];
            if anywhere && nodes.contains(&error) {
                cx.line(SINGLE_PARTITION);
            }
            Err(format!("Error creating the reservation: {error}"))
        }
        Response::Ok
        | Response::Job { .. }
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::PerTask(_)
        | Response::Accounting(_) => Ok(()),
    }
}

/// scontrol's own requirements for a new reservation.
fn check(desc: &mut ResvDesc) -> Result<(), &'static str> {
    let Some(start) = desc.start else { return Err("A start time must be given.") };
    if desc.end.is_none() && desc.duration.is_none() {
        return Err("An end time or duration must be given.");
    }
    if let (Some(end), Some(Limit::Minutes(minutes))) = (desc.end, desc.duration)
        && end.secs() - start.secs() != i64::from(minutes) * 60
    {
        return Err("StartTime + Duration does not equal EndTime.");
    }
    if desc.end.is_some_and(|end| end < start) {
        return Err("Start time cannot be after end time.");
    }
    let sized = desc.node_count.is_some() || !desc.core_counts.is_empty() || desc.nodes.is_some();
    let other = desc.licenses.is_some() || desc.burst_buffer.is_some();
    if !sized && !other {
        if desc.partition.is_none() {
            return Err("CoreCnt, Nodes, NodeCnt, Licenses or BurstBuffer must be specified.");
        }
        desc.nodes = Some("ALL".to_owned());
    }
    if desc.set.has(ResvFlags::PART_NODES)
        && (desc.partition.is_none() || desc.nodes.as_deref().is_none_or(|n| !n.eq_ignore_ascii_case("ALL")))
    {
        return Err("Part_nodes flag requires specifying a Partition and ALL nodes.");
    }
    let lists = [&desc.users, &desc.groups, &desc.accounts, &desc.qos, &desc.partitions];
    if lists.into_iter().all(Option::is_none) {
        return Err("Either Users/Groups, AllowedPartitions, QOS and/or Accounts must be specified.");
    }
    Ok(())
}

/// `update reservationname=`.
pub fn update(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let desc = parse(args, "No reservation update.", cx.now)?;
    let asked = cx.cluster.request(cx.uid(), Request::UpdateReservation(Box::new(desc)));
    asked.done().map_err(|(error, _)| format!("slurm_update error: {error}"))?;
    cx.line("Reservation updated.");
    Ok(())
}

/// `delete reservationname=`.
pub fn delete(cx: &mut Cx, arg: &str, name: &str) -> Result<(), String> {
    let asked = cx.cluster.request(cx.uid(), Request::DeleteReservation(name.to_owned()));
    asked.done().map_err(|(error, _)| format!("delete_reservation {arg}: {error}"))
}

/// `show reservation [NAME]`.
pub fn show(cx: &mut Cx, style: DetailLevel, name: Option<&str>) -> Result<(), String> {
    let view = JobView::of(cx);
    let named = view.state.reservations.iter().filter(|r| name.is_none_or(|n| r.name == n));
    let all: Vec<&Reservation> = named.filter(|r| view.sees_reservation(r)).collect();
    let out: String = all.iter().map(|r| record(style, &lines(&view, r))).collect();
    match (out.is_empty(), name) {
        (false, _) => cx.print(&out),
        (true, None) => cx.line("No reservations in the system"),
        (true, Some(name)) => {
            cx.line(&format!("Reservation {name} not found"));
            return Err(String::new());
        }
    }
    Ok(())
}

fn lines(v: &JobView, r: &Reservation) -> Vec<String> {
    let (start, end) = r.window(v.now);
    let partition = r.partition.and_then(|p| v.state.partitions.get(p.0 as usize)).map(|p| p.name.as_str());
    let cpus: u32 = r
        .nodes
        .iter()
        .filter_map(|n| v.state.nodes.get(n as usize))
        .map(|n| r.cores_on(n) * n.conf.threads_per_core)
        .sum();
    let mut licenses: Vec<String> = r.licenses.iter().map(|(name, n)| format!("{name}:{n}")).collect();
    licenses.order();
    let mut l = vec![
        format!(
            "ReservationName={} StartTime={start} EndTime={end} Duration={}",
            r.name,
            hms(end.secs() - start.secs())
        ),
        format!(
            "Nodes={} NodeCnt={} CoreCnt={} Features={} PartitionName={} Flags={}",
            or_null(Some(&v.hosts(&r.nodes))),
            r.nodes.len(),
            r.cores,
            or_null(r.features.as_deref()),
            or_null(partition),
            r.flags.text(r.purge.secs())
        ),
    ];
    // As recorded from 22.05; not if the nodes were named.
    let shows_cores = !r.flags.has(ResvFlags::SPEC_NODES);
    for (node, cores) in r.cores_of.iter().filter(|_| shows_cores) {
        let ids = task_list(cores);
        l.push(format!("  NodeName={} CoreIDs={ids}", v.state.node(*node).conf.name));
    }
    l.push(if cpus > 0 { format!("TRES=cpu={cpus}") } else { "TRES=(null)".to_owned() });
    l.push(format!("AllowedPartitions={} QOS={}", r.partitions.text(), r.qos.text()));
    l.push(format!(
        "Users={} Groups={} Accounts={} Licenses={} State={} BurstBuffer={}",
        r.users.text(),
        r.groups.text(),
        r.accounts.text(),
        or_null(Some(&licenses.join(","))),
        if r.active(v.now) { "ACTIVE" } else { "INACTIVE" },
        or_null(r.burst_buffer.as_deref())
    ));
    l.push(format!(
        "MaxStartDelay={}",
        r.max_start_delay.map_or_else(|| "(null)".to_owned(), |d| hms(d.secs()))
    ));
    if let Some(comment) = &r.comment {
        l.push(format!("Comment={comment}"));
    }
    l
}
