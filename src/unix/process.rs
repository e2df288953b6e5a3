//! ps(1), kill(1), pgrep(1), pkill(1), killall(1), timeout(1), uptime(1), nproc(1), free(1), w(1), who(1),
//! users(1): processes of the local host.

use super::getopt::{self, Spec};
use super::ps::comm;
use super::sleep::interval;
use crate::{Cx, UnixMachine};
use base::ids::Pid;
use base::time::Time;
use host::kernel::{Process, ProcessTarget};
use host::{Errno, Signal, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The live processes of the caller's host, by number.
fn here<'a>(cx: &'a Cx) -> impl Iterator<Item = &'a Process> {
    let host = cx.host();
    cx.kernel.processes().filter(move |p| p.origin.host == host && cx.kernel.alive(p.pid))
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
            Ok(n) if n < 0 => u32::try_from(-n).map(|n| ProcessTarget::Group(Pid(n))).ok(),
            Ok(n) => u32::try_from(n).map(|n| ProcessTarget::Process(Pid(n))).ok(),
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

/// Processes that match a pattern, except the caller.
fn by_name(cx: &mut Cx, exact: bool) -> Result<(Vec<Process>, getopt::ParsedFlags), u8> {
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
    let regex = base::regex::Regex::new(&pattern, base::regex::Syntax::Extended, Default::default());
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
        if let Err(errno) = cx.kernel.kill(uid, ProcessTarget::Process(p.pid), Some(signal)) {
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
    /// `-k`: time from the first signal to SIGKILL.
    kill_after: Option<base::time::Span>,
    fired: bool,
    keep_status: bool,
}

/// Starts timeout(1).
pub fn timeout(cx: &mut Cx) -> UnixMachine {
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
        Err(code) => return UnixMachine::End(code),
    };
    let [limit, words @ ..] = parsed.operands.as_slice() else {
        getopt::missing_operand(cx);
        return UnixMachine::End(125);
    };
    if words.is_empty() {
        getopt::missing_operand(cx);
        return UnixMachine::End(125);
    }
    let kill_after = parsed.value('k').map(interval);
    let (Some(limit_span), true) = (interval(limit), kill_after != Some(None)) else {
        cx.error(&format!("invalid time interval '{limit}'"));
        getopt::try_help(cx);
        return UnixMachine::End(125);
    };
    let Some(signal) = parsed.value('s').map_or(Some(Signal::TERM), Signal::parse) else {
        cx.error(&format!("'{}': invalid signal", parsed.value('s').unwrap_or("")));
        return UnixMachine::End(125);
    };
    let env = Arc::new(cx.env.clone());
    let exec = match cx.exec_of(words, env) {
        Ok(exec) => exec,
        Err(errno) => {
            cx.error(&format!("failed to run command '{}': {errno}", words[0]));
            return UnixMachine::End(if errno == Errno::ENOENT { 127 } else { 126 });
        }
    };
    match cx.spawn(exec) {
        Ok(child) => UnixMachine::Timeout(Timeout {
            child,
            at: (limit_span.0 > 0).then(|| cx.now + limit_span),
            signal,
            kill_after: kill_after.flatten(),
            fired: false,
            keep_status: parsed.has('P'),
        }),
        Err(errno) => {
            cx.error(&format!("fork system call failed: {errno}"));
            UnixMachine::End(125)
        }
    }
}

impl Timeout {
    /// Waits for the child or the timeout.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        if let Ok(Some((_, status))) = cx.kernel.wait(cx.pid, ProcessTarget::Process(self.child)) {
            let killed = status == Status::Signaled(Signal::KILL);
            let code = if self.fired && !self.keep_status && !killed { 124 } else { status.shell_code() };
            return SliceEnd::Exit(Status::Exited(code));
        }
        if self.at.is_some_and(|at| cx.now >= at) {
            let signal = if self.fired { Signal::KILL } else { self.signal };
            let root = base::ids::Uid(0);
            let _ = cx.kernel.kill(root, ProcessTarget::Process(self.child), Some(signal));
            let _ = cx.kernel.kill(root, ProcessTarget::Process(self.child), Some(Signal::CONT));
            self.at = self.kill_after.filter(|_| !self.fired).map(|span| cx.now + span);
            self.fired = true;
        }
        let mut waits = vec![Wait::Child];
        waits.extend(self.at.map(Wait::Until));
        SliceEnd::Wait(Wait::Any(waits))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn processes() {
        let mut host = Host::default();
        let ran = host.run(&["ps", "-o", "pid,user,args"]);
        assert!(ran.out.starts_with("    PID USER     COMMAND\n"), "{}", ran.out);
        assert!(ran.out.contains("alice    ps -o pid,user,args"), "{}", ran.out);
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
