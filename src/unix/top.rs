//! top(1), htop(1), uptime(1), w(1), who(1), users(1): the load of the local host.
//!
//! Deliberate difference: the load is the number of CPUs that models keep busy, and load averages do not lag
//! behind it.

use super::getopt::{self, Spec};
use super::ps;
use super::screen::{self, ScreenContent};
use crate::{Cx, STDOUT, UnixMachine};
use base::ids::Uid;
use base::order::StableSort as _;
use base::time::{Span, Time};
use host::kernel::Process;
use host::tty::TtyId;
use std::fmt::Write as _;

/// Uptime of login nodes when a session begins.
const UP: Span = Span(12 * 86_400_000_000 + 12_000_000_000);

/// Live processes of this host, by number.
fn here(cx: &Cx) -> Vec<Process> {
    let host = cx.host();
    cx.kernel.processes().filter(|p| p.origin.host == host).cloned().collect()
}

/// The boot time of the host.
fn booted(cx: &Cx) -> Time {
    let host = cx.host();
    if *host == *cx.kernel.login {
        return cx.kernel.since - UP;
    }
    cx.cluster.host(&host).map_or(cx.now - UP, |host| host.booted)
}

/// `up 12 days,  3:22`
fn up(cx: &Cx) -> String {
    let minutes = (cx.now - booted(cx)).secs().max(0) / 60;
    let (days, hours, minutes) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    let days = match days {
        0 => String::new(),
        1 => "1 day, ".to_owned(),
        _ => format!("{days} days, "),
    };
    if hours > 0 { format!("up {days}{hours:>2}:{minutes:02}") } else { format!("up {days}{minutes} min") }
}

/// ` 05:54:00 up 12 days,  3:22,  1 user,  load average: 0.00, 0.00, 0.00`
fn summary(cx: &Cx) -> String {
    let users = sessions(cx).len();
    let plural = if users == 1 { "user" } else { "users" };
    let load = cx.kernel.host_load(&cx.host());
    let load = format!("{}.{:02}", load / 100, load % 100);
    format!(
        "{} {},  {users} {plural},  load average: {load}, {load}, {load}",
        cx.now.strftime("%H:%M:%S"),
        up(cx)
    )
}

/// Users with their terminals, login times, and foreground programs.
fn sessions(cx: &Cx) -> Vec<(TtyId, Process, String)> {
    let mut found: Vec<(TtyId, Process, String)> = Vec::new();
    for process in here(cx) {
        let Some(tty) = process.tty else { continue };
        let front = cx.kernel.tty(tty).and_then(|tty| tty.foreground) == Some(process.group);
        match found.iter_mut().find(|(other, ..)| *other == tty) {
            Some((_, _, what)) if front => *what = process.argv.join(" "),
            Some(_) => {}
            None => {
                let what = process.argv.join(" ");
                found.push((tty, process, what));
            }
        }
    }
    found
}

/// uptime(1)
pub fn uptime(cx: &mut Cx) -> u8 {
    let pretty = cx.args().iter().any(|arg| arg == "-p" || arg == "--pretty");
    let since = cx.args().iter().any(|arg| arg == "-s" || arg == "--since");
    let text = if since {
        booted(cx).strftime("%Y-%m-%d %H:%M:%S")
    } else if pretty {
        let minutes = (cx.now - booted(cx)).secs().max(0) / 60;
        let part = |amount: i64, unit: &str| {
            (amount > 0).then(|| format!("{amount} {unit}{}", if amount == 1 { "" } else { "s" }))
        };
        let parts =
            [part(minutes / 1440, "day"), part(minutes / 60 % 24, "hour"), part(minutes % 60, "minute")];
        format!("up {}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    } else {
        format!(" {}", summary(cx))
    };
    cx.line(&text);
    0
}

/// w(1)
pub fn w(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec { short: "hsufoi", long: &[("no-header", 'h'), ("short", 's')], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if !parsed.has('h') {
        let text = format!(" {}", summary(cx));
        cx.line(&text);
        cx.line("USER     TTY      FROM             LOGIN@   IDLE   JCPU   PCPU  WHAT");
    }
    for (tty, process, what) in sessions(cx) {
        let name = cx.kernel.users.name(process.origin.uid);
        if parsed.operands.first().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        let since = process.started.strftime("%H:%M");
        let cpu = process.cpu_time(cx.now) / 10_000;
        let cpu = format!("{}.{:02}s", cpu / 100, cpu % 100);
        cx.line(&format!(
            "{name:<8} {:<8} {:<16} {since}    0.00s  {cpu}  {cpu} {what}",
            format!("pts/{}", tty.0),
            "10.0.0.100"
        ));
    }
    0
}

/// who(1), users(1)
pub fn who(cx: &mut Cx) -> u8 {
    let all = sessions(cx);
    if cx.name() == "users" {
        let names: Vec<String> = all.iter().map(|(_, p, _)| cx.kernel.users.name(p.origin.uid)).collect();
        cx.line(&names.join(" "));
        return 0;
    }
    let own = cx.args().iter().any(|arg| arg == "-m") || cx.args().len() == 2;
    let mine = cx.kernel.process(cx.pid).and_then(|p| p.tty);
    for (tty, process, _) in all.iter().filter(|(tty, ..)| !own || Some(*tty) == mine) {
        let name = cx.kernel.users.name(process.origin.uid);
        let since = process.started.strftime("%Y-%m-%d %H:%M");
        cx.line(&format!("{name:<8} {:<12} {since} (10.0.0.100)", format!("pts/{}", tty.0)));
    }
    0
}

/// top(1): `-b`, `-n`, `-d`, `-u`, `-p`, `-o`. Without `-b` it redraws until `q` and Enter, or Ctrl-C.
pub fn top(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "bn:d:u:U:p:o:w::cHiSse1EV",
        long: &[("batch", 'b'), ("iterations", 'n'), ("delay", 'd')],
        usage: 1,
    };
    start(cx, &SPEC, "top")
}

/// htop(1): the CPUs as bars, then the processes.
pub fn htop(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "d:u:p:s:CHtMn:b",
        long: &[("delay", 'd'), ("user", 'u'), ("pid", 'p'), ("sort-key", 's'), ("tree", 't')],
        usage: 1,
    };
    start(cx, &SPEC, "htop")
}

fn start(cx: &mut Cx, spec: &Spec, name: &str) -> UnixMachine {
    let parsed = match getopt::parse(cx, spec) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let terminal = cx.is_tty(STDOUT);
    if name == "top" && !parsed.has('b') && !terminal {
        cx.complain("top: failed tty get");
        return UnixMachine::End(1);
    }
    let user = match parsed.value('u').or_else(|| parsed.value('U')).map(str::to_owned) {
        Some(name) => match cx.kernel.users.by_name(&name) {
            Some(user) => Some(user.uid),
            None => {
                cx.error("Invalid user");
                return UnixMachine::End(1);
            }
        },
        None => None,
    };
    let batch = parsed.has('b') || !terminal;
    let turns = parsed.value('n').and_then(|n| n.parse().ok());
    let delay = parsed.value('d').and_then(super::sleep::interval).unwrap_or(Span::from_secs(3));
    // htop's delay is in tenths of a second. Without a terminal it prints one frame.
    let (delay, turns) = if name == "htop" {
        (Span(delay.0.max(1_000_000)), turns.or(batch.then_some(1)))
    } else {
        (delay, turns)
    };
    let frame = ScreenContent::Top { bars: name == "htop", user };
    screen::start(cx, frame, delay.0.max(100_000), turns, batch)
}

/// The current frame, without colours.
pub fn picture(cx: &Cx, bars: bool, user: Option<Uid>) -> String {
    let all = here(cx);
    let mut text = if bars { meters(cx, &all) } else { head(cx, &all) };
    let mut shown: Vec<&Process> =
        all.iter().filter(|p| user.is_none_or(|uid| p.origin.uid == uid)).collect();
    shown.order_by_key(|p| (std::cmp::Reverse(p.load()), std::cmp::Reverse(p.rss), p.pid));
    text.push_str(if bars {
        "  PID USER       PRI  NI  VIRT   RES   SHR S  CPU%  MEM%   TIME+  Command\n"
    } else {
        "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"
    });
    let memory = super::info::hardware(cx).1.max(1) * 1024;
    for p in shown {
        let name: String = cx.kernel.users.name(p.origin.uid).chars().take(8).collect();
        let state = ps::state(cx, p).chars().next().unwrap_or('S');
        let (resident, load) = (ps::resident(p), if p.stopped() { 0 } else { p.load() });
        let share = resident * 1000 / memory;
        let hundredths = p.cpu_time(cx.now) / 10_000;
        let time = format!("{}:{:02}.{:02}", hundredths / 6000, hundredths / 100 % 60, hundredths % 100);
        let (virt, res) = (amount(ps::virtual_size(p)), amount(resident));
        let (what, pid) = (if bars { p.argv.join(" ") } else { ps::comm(p) }, p.pid);
        let (mem, shared) = (format!("{}.{}", share / 10, share % 10), amount(resident / 4));
        let line = if bars {
            format!(
                "{pid:>5} {name:<10}  20   0 {virt:>5} {res:>5} {shared:>5} {state} {load:>3}.0 {mem:>5} {time:>8} {what}\n"
            )
        } else {
            format!(
                "{pid:>7} {name:<8}  20   0 {virt:>7} {res:>6} {shared:>6} {state} {load:>3}.0 {mem:>5} {time:>9} {what}\n"
            )
        };
        text.push_str(&line);
    }
    text
}

/// KiB in top's format.
fn amount(kib: u64) -> String {
    match kib {
        0..1_000_000 => kib.to_string(),
        1_000_000..10_240_000 => format!("{}.{}g", kib >> 20, ((kib & 0xf_ffff) * 10) >> 20),
        _ => format!("{}g", kib >> 20),
    }
}

fn head(cx: &Cx, all: &[Process]) -> String {
    let (cpus, mib) = super::info::hardware(cx);
    let running = all.iter().filter(|p| ps::state(cx, p).starts_with('R')).count();
    let stopped = all.iter().filter(|p| p.stopped()).count();
    let zombies = all.iter().filter(|p| p.status().is_some()).count();
    let sleeping = all.len() - running - stopped - zombies;
    let busy = (cx.kernel.host_load(&cx.host()) * 10 / u64::from(cpus.max(1))).min(1000);
    let (user, idle) = (busy, 1000 - busy);
    let used = cx.kernel.host_memory(&cx.host()).min(mib);
    let mut text = format!("top - {}\n", summary(cx));
    let _ = writeln!(
        text,
        "Tasks: {:>3} total, {running:>3} running, {sleeping:>3} sleeping, {stopped:>3} stopped, {zombies:>3} zombie",
        all.len()
    );
    let _ = writeln!(
        text,
        "%Cpu(s):{:>3}.{} us,  0.0 sy,  0.0 ni,{:>3}.{} id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st",
        user / 10,
        user % 10,
        idle / 10,
        idle % 10
    );
    let free = mib - used;
    let _ =
        writeln!(text, "MiB Mem :{mib:>7}.0 total,{free:>7}.0 free,{used:>7}.0 used,      0.0 buff/cache");
    let _ = writeln!(text, "MiB Swap:      0.0 total,      0.0 free,      0.0 used.{free:>7}.0 avail Mem\n");
    text
}

/// htop's bars: one for each CPU in columns, then memory and tasks.
fn meters(cx: &Cx, all: &[Process]) -> String {
    const BAR: u64 = 20;
    let (cpus, mib) = super::info::hardware(cx);
    let mut left = cx.kernel.host_load(&cx.host());
    let bars: Vec<String> = (0..cpus)
        .map(|cpu| {
            let busy = left.min(100);
            left -= busy;
            let filled = usize::try_from(busy * BAR / 100).unwrap_or(0);
            format!("{cpu:>3}[{:<20}{busy:>4}.0%]", "|".repeat(filled))
        })
        .collect();
    let columns = if cpus > 64 { 4 } else { 2 };
    let rows = bars.len().div_ceil(columns);
    let mut text = String::new();
    for row in 0..rows {
        let cells: Vec<&str> =
            (0..columns).filter_map(|c| bars.get(c * rows + row)).map(String::as_str).collect();
        let _ = writeln!(text, "{}", cells.join("  "));
    }
    let used = cx.kernel.host_memory(&cx.host()).min(mib);
    let filled = usize::try_from(used * BAR / mib.max(1)).unwrap_or(0);
    let running = all.iter().filter(|p| p.load() > 0).count();
    let _ = writeln!(
        text,
        "Mem[{:<20} {}/{}]   Tasks: {}, {running} running",
        "|".repeat(filled),
        super::format::human(used << 20),
        super::format::human(mib << 20),
        all.len()
    );
    let load = cx.kernel.host_load(&cx.host());
    let _ = writeln!(text, "Load average: {}.{:02}   Uptime: {}\n", load / 100, load % 100, up(cx));
    text
}
