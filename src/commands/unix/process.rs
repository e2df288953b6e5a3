//! ps(1), kill(1), pgrep(1), pkill(1), killall(1), timeout(1), uptime(1), nproc(1), free(1), w(1), who(1), users(1):
//! processes of the own host.

use super::getopt::{self, Spec};
use super::sleep::interval;
use crate::base::ids::Pid;
use crate::base::time::{Time, hms};
use crate::commands::{Cx, Machine};
use crate::host::kernel::{Process, Whom};
use crate::host::{Errno, Signal, Status, Step, Wait, path};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The living processes of the caller's host, by number.
fn here<'a>(cx: &'a Cx) -> impl Iterator<Item = &'a Process> {
    let host = cx.host();
    cx.kernel.processes().filter(move |p| p.origin.host == host && cx.kernel.alive(p.pid))
}

fn tty_name(process: &Process) -> String {
    process.tty.map_or_else(|| "?".to_owned(), |t| format!("pts/{}", t.0))
}

/// The name that `pgrep` and `ps` know a process by.
fn comm(process: &Process) -> String {
    let first = process.argv.first().map_or("", |a| path::base_name(a.trim_start_matches('-')));
    first.chars().take(15).collect()
}

/// ps(1): `ps`, `ps -u alice`, `ps -ef`, `ps aux`, `-o` with the usual columns.
pub fn ps(cx: &mut Cx) -> u8 {
    const SPEC: Spec =
        Spec { short: "AaefFu:p:o:lxwUjLHC:", long: &[("forest", 'H'), ("no-headers", 'w')], usage: 1 };
    let mut args = cx.args().to_vec();
    let mut bsd = String::new();
    if let Some(first) = args.first()
        && !first.starts_with('-')
        && first.chars().all(|c| "auxwfj".contains(c))
    {
        bsd = args.remove(0);
    }
    let parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let me = cx.kernel.process(cx.pid).cloned();
    let user = parsed.value('u').map(|name| {
        let uid = cx.kernel.users.by_name(name).map(|u| u.uid);
        uid.or_else(|| name.parse().ok().map(crate::base::ids::Uid))
    });
    if user == Some(None) {
        cx.complain("error: user name does not exist");
        return 1;
    }
    let pids: Option<Vec<u32>> =
        parsed.value('p').map(|list| list.split(',').filter_map(|p| p.parse().ok()).collect());
    let all = parsed.has('e') || parsed.has('A') || bsd.contains('x') || bsd.contains('a');
    let chosen: Vec<Process> = here(cx)
        .filter(|p| {
            let by_user = user.is_none_or(|u| Some(p.origin.uid) == u);
            let by_pid = pids.as_ref().is_none_or(|l| l.contains(&p.pid.0));
            let own = me.as_ref().is_some_and(|m| m.tty == p.tty && m.origin.uid == p.origin.uid);
            by_user && by_pid && (all || user.is_some() || pids.is_some() || own)
        })
        .cloned()
        .collect();
    let columns: Vec<String> = match parsed.value('o') {
        Some(list) => list.split([',', ' ']).map(|c| c.trim_end_matches('=').to_owned()).collect(),
        None if bsd.contains('u') => words("user pid %cpu %mem vsz rss tty stat start time command"),
        None if parsed.has('f') || parsed.has('F') => words("uid pid ppid c stime tty time cmd"),
        None => words("pid tty time comm"),
    };
    let mut rows = vec![columns.iter().map(|c| title(c)).collect::<Vec<_>>()];
    rows.extend(chosen.iter().map(|p| columns.iter().map(|c| cell(cx, c, p)).collect()));
    if let Some(bad) = columns.iter().find(|c| title(c).is_empty()) {
        cx.complain(&format!("error: unknown user-defined format specifier \"{bad}\""));
        return 1;
    }
    let text = aligned(&rows, &columns);
    cx.print(&text);
    u8::from(chosen.is_empty())
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

fn title(column: &str) -> String {
    match column {
        "comm" | "cmd" => "CMD".into(),
        "args" | "command" => "COMMAND".into(),
        "%cpu" | "pcpu" => "%CPU".into(),
        "%mem" | "pmem" => "%MEM".into(),
        "stat" | "s" | "state" => "STAT".into(),
        "uid" | "user" | "pid" | "ppid" | "pgid" | "c" | "vsz" | "rss" | "start" | "time" | "stime"
        | "tty" | "etime" => column.to_uppercase(),
        _ => String::new(),
    }
}

fn cell(cx: &Cx, column: &str, p: &Process) -> String {
    let cpu = (p.cpu_time(cx.now) / 1_000_000).max(0);
    let age = (cx.now - p.started).secs().max(0);
    match column {
        "uid" | "user" => cx.kernel.users.name(p.origin.uid),
        "pid" => p.pid.to_string(),
        "ppid" => p.parent.to_string(),
        "pgid" => p.group.to_string(),
        "c" => (cpu * 100 / age.max(1)).to_string(),
        "%cpu" | "pcpu" => format!("{:.1}", cpu as f64 * 100.0 / age.max(1) as f64),
        "%mem" | "pmem" => "0.0".into(),
        "vsz" | "rss" => (p.rss * 1024).to_string(),
        "stat" | "s" | "state" => if p.pid == cx.pid { "R" } else { "S" }.into(),
        "start" | "stime" => p.started.strftime("%H:%M"),
        "etime" => crate::base::time::hms_short(age),
        "tty" => tty_name(p),
        "time" => hms(cpu),
        "comm" => comm(p),
        _ => p.argv.join(" "),
    }
}

/// Numbers to the right, texts to the left, the last column as it is.
fn aligned(rows: &[Vec<String>], columns: &[String]) -> String {
    let right = ["pid", "ppid", "pgid", "c", "%cpu", "%mem", "pcpu", "pmem", "vsz", "rss", "time", "etime"];
    let width = |i: usize| rows.iter().filter_map(|r| r.get(i)).map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(i, c)| width(i).max(if c.contains("pid") { 7 } else { 4 }))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (i, (value, column)) in row.iter().zip(columns).enumerate() {
            let width = widths.get(i).copied().unwrap_or(0);
            let value = if right.contains(&column.as_str()) {
                format!("{value:>width$} ")
            } else {
                format!("{value:<width$} ")
            };
            line += &value;
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// kill(1)
pub fn kill(cx: &mut Cx) -> u8 {
    let args = cx.args().to_vec();
    let mut rest = args.as_slice();
    let mut signal = Some(Signal::TERM);
    if let [first, more @ ..] = rest
        && first.starts_with('-')
        && first != "--"
    {
        rest = more;
        let name = match first.as_str() {
            "-l" | "-L" => {
                let names: Vec<&str> = Signal::ALL.iter().map(|s| s.name()).collect();
                cx.line(&names.join(" "));
                return 0;
            }
            "-s" | "-n" | "--signal" => match more {
                [name, after @ ..] => {
                    rest = after;
                    name.as_str()
                }
                [] => return getopt::missing_operand(cx),
            },
            other => other.trim_start_matches("--signal=").trim_start_matches('-'),
        };
        signal = match Signal::parse(name) {
            Some(signal) => Some(signal),
            None if name == "0" => None,
            None => {
                cx.error(&format!("{name}: invalid signal specification"));
                return 1;
            }
        };
    }
    let targets: Vec<&String> = rest.iter().filter(|a| *a != "--").collect();
    if targets.is_empty() {
        cx.complain("Usage: kill [-SIGNAL] PID...");
        return 1;
    }
    let mut code = 0;
    for target in targets {
        let whom = match target.parse::<i64>() {
            Ok(n) if n < 0 => u32::try_from(-n).map(|n| Whom::Group(Pid(n))).ok(),
            Ok(n) => u32::try_from(n).map(|n| Whom::Process(Pid(n))).ok(),
            Err(_) => None,
        };
        let Some(whom) = whom else {
            cx.error(&format!("failed to parse argument: '{target}'"));
            code = 1;
            continue;
        };
        if let Err(errno) = cx.kernel.kill(cx.uid(), whom, signal) {
            cx.error(&format!("({target}) - {errno}"));
            code = 1;
        }
    }
    code
}

/// Options of pgrep, pkill and killall.
const BY_NAME: Spec = Spec {
    short: "flu:xns:aceqvIiw",
    long: &[
        ("full", 'f'),
        ("list-name", 'l'),
        ("exact", 'x'),
        ("signal", 's'),
        ("list-full", 'a'),
        ("count", 'c'),
    ],
    usage: 2,
};

/// Processes that a pattern means, but for the asking one.
fn by_name(cx: &mut Cx, exact: bool) -> Result<(Vec<Process>, getopt::Parsed), u8> {
    let args: Vec<String> = cx
        .args()
        .iter()
        .map(|a| match a.strip_prefix('-') {
            Some(name) if name.len() > 1 && Signal::parse(name).is_some() || a == "-9" || a == "-2" => {
                format!("-s{}", a.trim_start_matches('-'))
            }
            Some(_) | None => a.clone(),
        })
        .collect();
    let parsed = getopt::parse_words(cx, &BY_NAME, &args)?;
    if parsed.operands.is_empty() && !parsed.has('u') {
        cx.error("no matching criteria specified");
        getopt::try_help(cx);
        return Err(2);
    }
    let pattern = parsed.operands.first().cloned().unwrap_or_default();
    let regex = super::regex::Regex::new(&pattern, super::regex::Syntax::Extended, Default::default());
    let regex = match regex {
        Ok(regex) => regex,
        Err(text) => {
            cx.error(&text);
            return Err(2);
        }
    };
    let owner = parsed.value('u').and_then(|u| cx.kernel.users.by_name(u)).map(|u| u.uid);
    let found = here(cx)
        .filter(|p| p.pid != cx.pid)
        .filter(|p| !parsed.has('u') || Some(p.origin.uid) == owner)
        .filter(|p| {
            let name = if parsed.has('f') { p.argv.join(" ") } else { comm(p) };
            if exact || parsed.has('x') { parsed.operands.contains(&name) } else { regex.is_match(&name) }
        })
        .cloned()
        .collect();
    Ok((found, parsed))
}

/// pgrep(1)
pub fn pgrep(cx: &mut Cx) -> u8 {
    let (found, parsed) = match by_name(cx, false) {
        Ok(found) => found,
        Err(code) => return code,
    };
    if parsed.has('c') {
        cx.line(&found.len().to_string());
    } else {
        for p in &found {
            let tail = match (parsed.has('a'), parsed.has('l')) {
                (true, _) => format!(" {}", p.argv.join(" ")),
                (false, true) => format!(" {}", comm(p)),
                (false, false) => String::new(),
            };
            cx.line(&format!("{}{tail}", p.pid));
        }
    }
    u8::from(found.is_empty())
}

/// pkill(1)
pub fn pkill(cx: &mut Cx) -> u8 {
    kill_by_name(cx, false)
}

/// killall(1)
pub fn killall(cx: &mut Cx) -> u8 {
    kill_by_name(cx, true)
}

fn kill_by_name(cx: &mut Cx, exact: bool) -> u8 {
    let (found, parsed) = match by_name(cx, exact) {
        Ok(found) => found,
        Err(code) => return code,
    };
    let signal = match parsed.value('s') {
        None => Signal::TERM,
        Some(text) => match Signal::parse(text) {
            Some(signal) => signal,
            None => {
                cx.error(&format!("{text}: unknown signal"));
                return 2;
            }
        },
    };
    let uid = cx.uid();
    let mut code = u8::from(found.is_empty());
    if found.is_empty() && exact {
        let name = parsed.operands.first().cloned().unwrap_or_default();
        cx.complain(&format!("{name}: no process found"));
    }
    for p in found {
        if let Err(errno) = cx.kernel.kill(uid, Whom::Process(p.pid), Some(signal)) {
            cx.error(&format!("killing pid {} failed: {errno}", p.pid));
            code = 1;
        }
    }
    code
}

/// timeout(1)
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Timeout {
    child: Pid,
    at: Option<Time>,
    signal: Signal,
    /// `-k`: how long after the first signal a KILL follows.
    kill_after: Option<crate::base::time::Span>,
    fired: bool,
    keep_status: bool,
}

/// Starts timeout(1).
pub fn timeout(cx: &mut Cx) -> Machine {
    const SPEC: Spec = Spec {
        short: "+s:k:vFP",
        long: &[
            ("signal", 's'),
            ("kill-after", 'k'),
            ("preserve-status", 'P'),
            ("foreground", 'F'),
            ("verbose", 'v'),
        ],
        usage: 125,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return Machine::End(code),
    };
    let [limit, words @ ..] = parsed.operands.as_slice() else {
        getopt::missing_operand(cx);
        return Machine::End(125);
    };
    if words.is_empty() {
        getopt::missing_operand(cx);
        return Machine::End(125);
    }
    let kill_after = parsed.value('k').map(interval);
    let (Some(limit_span), true) = (interval(limit), kill_after != Some(None)) else {
        cx.error(&format!("invalid time interval '{limit}'"));
        getopt::try_help(cx);
        return Machine::End(125);
    };
    let Some(signal) = parsed.value('s').map_or(Some(Signal::TERM), Signal::parse) else {
        cx.error(&format!("'{}': invalid signal", parsed.value('s').unwrap_or("")));
        return Machine::End(125);
    };
    let env = Arc::new(cx.env.clone());
    let exec = match cx.exec_of(words, env) {
        Ok(exec) => exec,
        Err(errno) => {
            cx.error(&format!("failed to run command '{}': {errno}", words[0]));
            return Machine::End(if errno == Errno::ENOENT { 127 } else { 126 });
        }
    };
    match cx.spawn(exec) {
        Ok(child) => Machine::Timeout(Timeout {
            child,
            at: (limit_span.0 > 0).then(|| cx.now + limit_span),
            signal,
            kill_after: kill_after.flatten(),
            fired: false,
            keep_status: parsed.has('P'),
        }),
        Err(errno) => {
            cx.error(&format!("fork system call failed: {errno}"));
            Machine::End(125)
        }
    }
}

impl Timeout {
    /// Waits for the child or the moment.
    pub fn step(&mut self, cx: &mut Cx) -> Step {
        if let Ok(Some((_, status))) = cx.kernel.wait(cx.pid, Whom::Process(self.child)) {
            let killed = status == Status::Signaled(Signal::KILL);
            let code = if self.fired && !self.keep_status && !killed { 124 } else { status.shell_code() };
            return Step::Exit(Status::Exited(code));
        }
        if self.at.is_some_and(|at| cx.now >= at) {
            let signal = if self.fired { Signal::KILL } else { self.signal };
            let root = crate::base::ids::Uid(0);
            let _ = cx.kernel.kill(root, Whom::Process(self.child), Some(signal));
            let _ = cx.kernel.kill(root, Whom::Process(self.child), Some(Signal::CONT));
            self.at = self.kill_after.filter(|_| !self.fired).map(|span| cx.now + span);
            self.fired = true;
        }
        let mut waits = vec![Wait::Child];
        waits.extend(self.at.map(Wait::Until));
        Step::Wait(Wait::Any(waits))
    }
}

/// uptime(1), w(1)
pub fn uptime(cx: &mut Cx) -> u8 {
    let ttys: std::collections::BTreeSet<_> = here(cx).filter_map(|p| p.tty).collect();
    let users = ttys.len();
    let plural = if users == 1 { "user" } else { "users" };
    let clock = cx.now.strftime("%H:%M:%S");
    cx.line(&format!(" {clock} up 1 day,  {users} {plural},  load average: 0.00, 0.00, 0.00"));
    if cx.name() == "w" {
        cx.line("USER     TTY      FROM             LOGIN@   IDLE   WHAT");
    }
    0
}

/// who(1), users(1)
pub fn who(cx: &mut Cx) -> u8 {
    let mut seen = std::collections::BTreeMap::new();
    for p in here(cx) {
        if let Some(tty) = p.tty {
            seen.entry(tty).or_insert((cx.kernel.users.name(p.origin.uid), p.started));
        }
    }
    if cx.name() == "users" {
        let names: Vec<String> = seen.into_values().map(|(name, _)| name).collect();
        cx.line(&names.join(" "));
    } else {
        for (tty, (name, since)) in seen {
            let since = since.strftime("%Y-%m-%d %H:%M");
            cx.line(&format!("{name:<8} {:<12} {since}", format!("pts/{}", tty.0)));
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use crate::commands::testing::Host;

    #[test]
    fn processes() {
        let mut host = Host::default();
        let ran = host.run(&["ps", "-o", "pid,user,args"]);
        assert!(ran.out.starts_with("    PID USER  COMMAND\n"), "{}", ran.out);
        assert!(ran.out.contains("alice ps -o pid,user,args"), "{}", ran.out);
        let ran = host.run(&["kill", "99999"]);
        assert_eq!((ran.err.as_str(), ran.code), ("kill: (99999) - No such process\n", 1));
        assert_eq!(host.run(&["kill", "-FOO", "1"]).err, "kill: FOO: invalid signal specification\n");
        assert_eq!(host.run(&["pgrep", "nosuch"]).code, 1);
        assert_eq!(host.run(&["killall", "nosuch"]).err, "nosuch: no process found\n");
        assert_eq!(host.run(&["timeout", "5"]).code, 125);
        assert_eq!(
            host.run(&["timeout", "5", "nope"]).err,
            "timeout: failed to run command 'nope': No such file or directory\n"
        );
    }
}
