//! sdiag(1): statistics of slurmctld. Counts are real; durations are estimated, see [`slurmctld::stats`].

use super::getopt::ParsedArguments;
use super::jobtext::JobView;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use super::{clusters, data};
use crate::Cx;
use base::order::StableSort as _;
use base::pad;
use base::time::{Span, Time};
use slurmctld::job::Job;
use slurmctld::request::Request;
use slurmctld::stats::{Calls, Cycles, KINDS};

const OPTIONS: &[ToolOption] = &[
    flag("all", 'a', "all statistics, as usual"),
    flag("help", 'h', "show this text"),
    may("json", ' ', data::PARSERS, "everything as JSON"),
    needs("cluster", 'M', ArgumentKind::Cluster, "ask this cluster").env("SLURM_CLUSTERS"),
    flag("no-trunc", ' ', "leave long lines as they are, as usual"),
    flag("reset", 'r', "reset the counters"),
    flag("sort-by-id", 'i', "calls by the message's number"),
    flag("sort-by-time", 't', "calls by their time in all"),
    flag("sort-by-time2", 'T', "calls by their time on average"),
    flag("usage", ' ', "a short summary of the options"),
    flag("version", 'V', "the version"),
    may("yaml", ' ', data::PARSERS, "everything as YAML"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sdiag",
    options: OPTIONS,
    about: "Counts of jobs, scheduling passes and requests since the controller started or the counts were reset.",
    ..PLAIN
};

/// The estimated duration of a request, microseconds.
const CALL: u64 = 180;

/// Runs sdiag.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if let Err(code) = clusters::asked(cx, &parsed, false) {
        return code;
    }
    if parsed.has("reset") {
        return match cx.cluster.request(cx.uid(), Request::ResetStats).done() {
            Err((error, _)) => {
                cx.complain(&format!("slurm_reset_statistics: {error}"));
                255
            }
            Ok(()) => {
                cx.line("Reset scheduling statistics");
                0
            }
        };
    }
    if let Some(asked) = data::asked(&parsed) {
        return data::print(cx, asked, data::sdiag::statistics);
    }
    let text = text(&JobView::of(cx), &parsed);
    cx.print(&text);
    0
}

/// Seconds between two counts of pending and running jobs.
const COUNTS_EVERY: i64 = 30;

/// How many jobs were pending and running when slurmctld last counted them.
pub struct StateCounts {
    /// When they were counted.
    pub at: Time,
    /// Pending jobs.
    pub pending: u64,
    /// Running jobs.
    pub running: u64,
}

impl StateCounts {
    /// The last counts.
    #[must_use]
    pub fn of(v: &JobView) -> Self {
        let boot = v.state.boot;
        let passed = (v.now.secs() - boot.secs()) / COUNTS_EVERY * COUNTS_EVERY;
        let mut counts = Self { at: boot + Span::from_secs(passed), pending: 0, running: 0 };
        let at = counts.at;
        let there = |job: &&Job| job.submit <= at && job.end.is_none_or(|end| end > at);
        for job in v.state.jobs.values().filter(there) {
            let started = job.start.is_some_and(|start| start <= at);
            *if started { &mut counts.running } else { &mut counts.pending } += 1;
        }
        counts
    }
}

fn moment(t: Time) -> String {
    format!("{} ({})", t.strftime("%a %b %d %H:%M:%S %Y"), t.secs())
}

const RULE: &str = "*******************************************************";

fn text(v: &JobView, parsed: &ParsedArguments) -> String {
    let s = &v.state.stats;
    let StateCounts { at, pending, running } = StateCounts::of(v);
    let mut out = format!(
        "{RULE}\nsdiag output at {}\nData since      {}\n{RULE}\nServer thread count:  1\nRPC queue enabled:    0\n\
         Agent queue size:     0\nAgent count:          0\nAgent thread count:   0\nDBD Agent queue size: 0\n\n\
         Jobs submitted: {}\nJobs started:   {}\nJobs completed: {}\nJobs canceled:  {}\nJobs failed:    {}\n\n\
         Job states ts:  {}\nJobs pending:   {pending}\nJobs running:   {running}\n",
        moment(v.now),
        moment(s.since),
        s.submitted,
        s.started,
        s.completed,
        s.canceled,
        s.failed,
        moment(at),
    );
    main(&mut out, &s.main, (v.now.secs() - s.since.secs()) / 60);
    backfill(&mut out, v);
    out += "\nLatency for 1000 calls to gettimeofday(): 21 microseconds\n";
    out += "\nRemote Procedure Call statistics by message type\n";
    let name = |id: u32| KINDS.iter().find(|k| k.0 == id).map_or("UNKNOWN", |k| k.1).to_owned();
    calls(&mut out, &s.by_kind, parsed, 39, &name);
    out += "\nRemote Procedure Call statistics by user\n";
    calls(&mut out, &s.by_user, parsed, 15, &|uid| v.users.name(base::ids::Uid(uid)));
    out + "\nPending RPC statistics\n\tNo pending RPCs\n"
}

fn main(out: &mut String, c: &Cycles, minutes: i64) {
    *out += &format!(
        "\nMain schedule statistics (microseconds):\n\tLast cycle:   {}\n\tMax cycle:    {}\n\tTotal cycles: {}\n",
        c.last, c.max, c.count
    );
    if let Some(count) = c.count.checked_sub(1) {
        let n = count + 1;
        *out += &format!("\tMean cycle:   {}\n\tMean depth cycle:  {}\n", c.total / n, c.depth / n);
    }
    if let Some(rate) = u64::try_from(minutes).ok().filter(|m| *m > 0).map(|m| c.count / m) {
        *out += &format!("\tCycles per minute: {rate}\n");
    }
    *out += &format!(
        "\tLast queue length: {}\n\nMain scheduler exit:\n\tEnd of job queue: {}\n\tHit default_queue_depth: {}\n\
         \tHit sched_max_job_start: 0\n\tBlocked on licenses: 0\n\tHit max_rpc_cnt: 0\n\tTimeout (max_sched_time): 0\n",
        c.last_queue,
        c.count - c.cut,
        c.cut
    );
}

fn backfill(out: &mut String, v: &JobView) {
    let s = &v.state.stats;
    let c = &s.backfill;
    *out += &format!(
        "\nBackfilling stats\n\tTotal backfilled jobs (since last slurm start): {}\n\
         \tTotal backfilled jobs (since last stats cycle start): {}\n\tTotal backfilled heterogeneous job components: {}\n\
         \tTotal cycles: {}\n\tLast cycle when: {}\n\tLast cycle: {}\n\tMax cycle:  {}\n",
        s.backfilled,
        s.backfilled_since,
        s.backfilled_het,
        c.count,
        c.when.map_or_else(|| "N/A".to_owned(), moment),
        c.last,
        c.max
    );
    let mean = |n: u64| n.checked_div(c.count);
    if let Some(cycle) = mean(c.total) {
        *out += &format!("\tMean cycle: {cycle}\n");
    }
    *out += &format!("\tLast depth cycle: {0}\n\tLast depth cycle (try sched): {0}\n", c.last_depth);
    if let Some(depth) = mean(c.depth) {
        *out += &format!("\tDepth Mean: {depth}\n\tDepth Mean (try depth): {depth}\n");
    }
    *out += &format!("\tLast queue length: {}\n", c.last_queue);
    if let Some(queue) = mean(c.queue) {
        *out += &format!("\tQueue length mean: {queue}\n");
    }
    *out += &format!("\tLast table size: {}\n", c.last_depth + 1);
    if mean(1).is_some() {
        *out += &format!("\tMean table size: {}\n", mean(c.depth).unwrap_or(0) + 1);
    }
    *out += &format!(
        "\nBackfill exit\n\tEnd of job queue: {}\n\tHit bf_max_job_start: 0\n\tHit bf_max_job_test: {}\n\tSystem state changed: 0\n\
         \tHit table size limit (bf_node_space_size): 0\n\tTimeout (bf_max_time): 0\n",
        c.count - c.cut,
        c.cut
    );
}

fn calls(
    out: &mut String,
    list: &[Calls],
    parsed: &ParsedArguments,
    width: usize,
    name: &dyn Fn(u32) -> String,
) {
    let mut list: Vec<&Calls> = list.iter().collect();
    let by_id = parsed.has("sort-by-id");
    list.order_by(|a, b| if by_id { a.id.cmp(&b.id) } else { b.count.cmp(&a.count).then(a.id.cmp(&b.id)) });
    for c in list {
        *out += &format!(
            "\t{} ({:5}) count:{:<6} ave_time:{:<6} total_time:{}\n",
            pad::left(name(c.id), width),
            c.id,
            c.count,
            CALL,
            CALL * c.count
        );
    }
}
