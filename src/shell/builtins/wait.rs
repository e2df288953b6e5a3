//! Builtins that wait: `read`, `mapfile`, `wait`, `fg`, `select`.

use super::read::{is_over, store, store_lines};
use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::vm::{MAX_WORD, Res, Vm};
use base::ids::Pid;
use base::time::Time;
use host::{Errno, Fd, Wait};
use serde::{Deserialize, Serialize};

/// The wait state of a builtin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum BuiltinWait {
    Read(Reading),
    Map(Mapping),
    /// These children, in order.
    Pids {
        pids: Vec<Pid>,
        status: u8,
        variable: Option<String>,
    },
    /// The next child to end, of these or of any; with `-p`, the variable that gets its PID.
    Next {
        of: Vec<Pid>,
        variable: Option<String>,
    },
    /// All children.
    All,
    /// The foreground job with this key.
    Foreground(u32),
    /// A text that arrives through a pipe (`source <(...)`); `args` are the words of the command.
    Source {
        fd: Fd,
        args: Vec<String>,
        data: Vec<u8>,
    },
}

/// `read`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Reading {
    pub fd: Fd,
    pub raw: bool,
    pub delimiter: u8,
    pub most: Option<u32>,
    /// `-N`: delimiters are ordinary characters.
    pub exact: bool,
    pub array: Option<String>,
    pub names: Vec<String>,
    pub until: Option<Time>,
    pub data: Vec<u8>,
}

/// `mapfile`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mapping {
    pub fd: Fd,
    pub delimiter: u8,
    pub strip: bool,
    pub most: u32,
    pub skip: u32,
    pub origin: Option<u32>,
    pub array: String,
    /// `-C`: the command to run for every `quantum` lines.
    pub callback: Option<String>,
    pub quantum: u32,
    pub data: Vec<u8>,
}

/// The result of resuming a waiting builtin.
pub(crate) enum WaitResult {
    Done(u8),
    Foreground(u32),
    /// The text to source is complete.
    Source(String, Vec<String>),
    Wait(BuiltinWait, Wait),
}

pub(crate) fn resume(vm: &mut Vm, cx: &mut ShellContext, waiting: BuiltinWait) -> Res<WaitResult> {
    Ok(match waiting {
        BuiltinWait::Read(reading) => resume_read(vm, cx, reading),
        BuiltinWait::Map(mapping) => resume_mapfile(vm, cx, mapping),
        BuiltinWait::Foreground(key) => WaitResult::Foreground(key),
        BuiltinWait::Source { fd, args, data } => resume_source(cx, fd, args, data),
        BuiltinWait::Pids { .. } | BuiltinWait::Next { .. } | BuiltinWait::All => {
            resume_wait(vm, cx, waiting)
        }
    })
}

fn resume_read(vm: &mut Vm, cx: &mut ShellContext, mut reading: Reading) -> WaitResult {
    loop {
        let full = reading
            .most
            .is_some_and(|most| String::from_utf8_lossy(&reading.data).chars().count() >= most as usize);
        if full {
            return WaitResult::Done(store(vm, cx, &reading, true, false));
        }
        // Byte by byte: the rest belongs to the next reader.
        match cx.kernel.read(cx.pid, reading.fd, 1) {
            Ok(bytes) if bytes.is_empty() => return WaitResult::Done(store(vm, cx, &reading, false, false)),
            Ok(bytes) => {
                let byte = bytes[0];
                let slashes = reading.data.iter().rev().take_while(|b| **b == b'\\').count();
                let escaped = !reading.raw && slashes % 2 == 1;
                if byte == reading.delimiter && !escaped && !reading.exact {
                    return WaitResult::Done(store(vm, cx, &reading, true, false));
                }
                if byte != 0 && reading.data.len() < MAX_WORD {
                    reading.data.push(byte);
                }
                // A zero byte is dropped, and costs as much.
                cx.fuel = cx.fuel.saturating_sub(u32::from(reading.data.len().is_multiple_of(16)));
                if cx.fuel == 0 {
                    return WaitResult::Wait(BuiltinWait::Read(reading), Wait::Until(cx.now));
                }
            }
            Err(Errno::EAGAIN) => {
                if is_over(reading.until, cx.now) {
                    return WaitResult::Done(store(vm, cx, &reading, false, true));
                }
                let wait = Wait::Readable(reading.fd);
                let wait = match reading.until {
                    Some(until) => Wait::Any(vec![wait, Wait::Until(until)]),
                    None => wait,
                };
                return WaitResult::Wait(BuiltinWait::Read(reading), wait);
            }
            Err(error) => {
                let what = if error == Errno::EBADF { "invalid file descriptor" } else { "read error" };
                vm.complain(&format!("read: {}: {what}: {error}", reading.fd));
                return WaitResult::Done(1);
            }
        }
    }
}

fn resume_mapfile(vm: &mut Vm, cx: &mut ShellContext, mut mapping: Mapping) -> WaitResult {
    let mut lines = mapping.data.iter().filter(|b| **b == mapping.delimiter).count();
    loop {
        let full = mapping.most > 0 && lines >= mapping.most.saturating_add(mapping.skip) as usize;
        if full || mapping.data.len() > MAX_WORD {
            return WaitResult::Done(store_lines(vm, &mapping));
        }
        let most = if mapping.most > 0 { 1 } else { 65_536 };
        match cx.kernel.read(cx.pid, mapping.fd, most) {
            Ok(bytes) if bytes.is_empty() => return WaitResult::Done(store_lines(vm, &mapping)),
            Ok(bytes) => {
                lines += bytes.iter().filter(|b| **b == mapping.delimiter).count();
                cx.spend(bytes.len().max(16));
                mapping.data.extend(bytes);
                if cx.fuel == 0 {
                    return WaitResult::Wait(BuiltinWait::Map(mapping), Wait::Until(cx.now));
                }
            }
            Err(Errno::EAGAIN) => {
                let wait = Wait::Readable(mapping.fd);
                return WaitResult::Wait(BuiltinWait::Map(mapping), wait);
            }
            Err(error) => {
                vm.complain(&format!("mapfile: {}: invalid file descriptor: {error}", mapping.fd));
                return WaitResult::Done(1);
            }
        }
    }
}

fn resume_source(cx: &mut ShellContext, fd: Fd, args: Vec<String>, mut data: Vec<u8>) -> WaitResult {
    loop {
        match cx.kernel.read(cx.pid, fd, 65_536) {
            Ok(piece) if !piece.is_empty() && data.len() < MAX_WORD => {
                cx.spend(piece.len());
                data.extend(piece);
                if cx.fuel == 0 {
                    return WaitResult::Wait(BuiltinWait::Source { fd, args, data }, Wait::Until(cx.now));
                }
            }
            Err(Errno::EAGAIN) => {
                return WaitResult::Wait(BuiltinWait::Source { fd, args, data }, Wait::Readable(fd));
            }
            Ok(_) | Err(_) => return WaitResult::Source(String::from_utf8_lossy(&data).into_owned(), args),
        }
    }
}

fn resume_wait(vm: &mut Vm, cx: &mut ShellContext, waiting: BuiltinWait) -> WaitResult {
    vm.reap(cx);
    if !vm.interactive {
        vm.forget_done();
    }
    match waiting {
        BuiltinWait::Pids { mut pids, mut status, variable } => {
            while let Some(pid) = pids.first().copied() {
                if let Some(code) = ended(vm, pid) {
                    status = code;
                } else if !is_child(vm, cx, pid) {
                    vm.complain(&format!("wait: pid {pid} is not a child of this shell"));
                    status = 127;
                } else {
                    return interrupted(vm, BuiltinWait::Pids { pids, status, variable });
                }
                vm.untold.retain(|p| *p != pid);
                pids.remove(0);
                if let Some(name) = variable.as_ref().filter(|_| pids.is_empty() && status != 127) {
                    let _ = vm.set_element(cx, name, None, pid.to_string(), false);
                }
            }
            vm.jobs.retain(|job| !job.reported);
            WaitResult::Done(status)
        }
        BuiltinWait::Next { of, variable } => {
            let found = vm.untold.iter().position(|pid| of.is_empty() || of.contains(pid));
            let Some(at) = found else {
                let hopeless = if of.is_empty() {
                    !has_children(vm)
                } else {
                    !of.iter().any(|pid| ended(vm, *pid).is_none() && is_child(vm, cx, *pid))
                };
                return match hopeless {
                    true => WaitResult::Done(127),
                    false => interrupted(vm, BuiltinWait::Next { of, variable }),
                };
            };
            let pid = vm.untold.remove(at);
            if let Some(name) = variable {
                // Invalid names were rejected before.
                let _ = vm.set_element(cx, &name, None, pid.to_string(), false);
            }
            WaitResult::Done(vm.ended.get(&pid).copied().unwrap_or(0))
        }
        other => {
            if has_children(vm) {
                return interrupted(vm, other);
            }
            vm.ended.clear();
            vm.untold.clear();
            vm.jobs.retain(|job| !job.reported);
            WaitResult::Done(0)
        }
    }
}

/// A trapped signal ends `wait` at once.
fn interrupted(vm: &Vm, waiting: BuiltinWait) -> WaitResult {
    match vm.caught.first() {
        Some(signal) => WaitResult::Done(128 + signal.number()),
        None => WaitResult::Wait(waiting, Wait::Child),
    }
}

/// The status of an ended child. May be queried repeatedly.
fn ended(vm: &Vm, pid: Pid) -> Option<u8> {
    let in_jobs = vm.jobs.iter().flat_map(|j| &j.pids).find(|(p, _)| *p == pid).and_then(|(_, s)| *s);
    in_jobs.map(host::Status::shell_code).or_else(|| vm.ended.get(&pid).copied())
}

fn is_child(vm: &Vm, cx: &ShellContext, pid: Pid) -> bool {
    let known = vm.jobs.iter().any(|j| j.pids.iter().any(|(p, _)| *p == pid));
    known || cx.kernel.process(pid).is_some_and(|p| p.parent == cx.pid)
}

fn has_children(vm: &Vm) -> bool {
    vm.jobs.iter().any(|j| !j.is_done() && !j.stopped)
}

pub(super) fn wait(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "fn", "p");
    if let Some(wrong) = wrong {
        return vm.usage("wait", &wrong);
    }
    let variable = found.iter().find_map(|(c, value)| value.clone().filter(|_| *c == 'p'));
    if let Some(name) = &variable {
        vm.vars.remove(name);
    }
    let next = found.iter().any(|(c, _)| *c == 'n');
    if rest.is_empty() {
        return Ok(BuiltinResult::Waits(if next {
            BuiltinWait::Next { of: Vec::new(), variable }
        } else {
            BuiltinWait::All
        }));
    }
    vm.reap(cx);
    let mut pids = Vec::new();
    let mut status = 0;
    for word in rest {
        if word.starts_with('%') {
            match super::jobs::find(vm, word) {
                Ok(at) => pids.extend(vm.jobs[at].pids.last().map(|(p, _)| *p)),
                Err(_) => {
                    vm.complain(&format!("wait: {word}: no such job"));
                    status = 127;
                }
            }
        } else if let Ok(number) = word.parse::<u32>() {
            pids.push(Pid(number));
        } else {
            vm.complain(&format!("wait: `{word}': not a pid or valid job spec"));
            status = 1;
        }
    }
    if next {
        let mut strange = pids.iter().filter(|pid| !is_child(vm, cx, **pid) && ended(vm, **pid).is_none());
        if let Some(message) = strange.next().map(|pid| format!("wait: {pid}: no such job")) {
            vm.complain(&message);
        }
        return Ok(BuiltinResult::Waits(BuiltinWait::Next { of: pids, variable }));
    }
    Ok(BuiltinResult::Waits(BuiltinWait::Pids { pids, status, variable }))
}
