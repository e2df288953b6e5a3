//! `jobs`, `fg`, `bg`, `disown`, `kill`, `times`.

use super::wait::Waiting;
use super::{Outcome, options};
use crate::base::ids::{Pid, Uid};
use crate::host::kernel::Whom;
use crate::host::{Errno, Signal};
use crate::shell::Cx;
use crate::shell::vm::{Res, Vm};

/// The place of the job that `%1`, `%+`, `%name` means.
pub(super) fn find(vm: &Vm, word: &str) -> Option<usize> {
    let spec = word.strip_prefix('%').unwrap_or(word);
    let current = vm.jobs.iter().filter_map(|j| j.id).max();
    let previous = vm.jobs.iter().filter_map(|j| j.id).filter(|id| Some(*id) != current).max();
    match spec {
        "" | "+" | "%" => vm.jobs.iter().position(|j| j.id.is_some() && j.id == current),
        "-" => vm.jobs.iter().position(|j| j.id.is_some() && j.id == previous.or(current)),
        spec => match spec.parse::<u32>() {
            Ok(id) => vm.jobs.iter().position(|j| j.id == Some(id)),
            Err(_) => match spec.strip_prefix('?') {
                Some(part) => vm.jobs.iter().position(|j| j.text.contains(part)),
                None => vm.jobs.iter().position(|j| j.text.starts_with(spec)),
            },
        },
    }
}

pub(super) fn jobs(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (found, _, wrong) = options(args, "lnprs", "");
    if let Some(wrong) = wrong {
        return vm.usage("jobs", &wrong);
    }
    vm.reap(cx);
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    let current = vm.jobs.iter().filter_map(|j| j.id).max();
    let previous = vm.jobs.iter().filter_map(|j| j.id).filter(|id| Some(*id) != current).max();
    let mut lines = Vec::new();
    for job in vm.jobs.iter().filter(|j| !(has('r') && (j.stopped || j.is_done()) || has('s') && !j.stopped))
    {
        let Some(id) = job.id else { continue };
        let sign = if Some(id) == current {
            '+'
        } else if Some(id) == previous {
            '-'
        } else {
            ' '
        };
        let pid = job.pids.first().map(|(p, _)| p.to_string()).unwrap_or_default();
        if has('p') {
            lines.push(pid);
            continue;
        }
        let pid = if has('l') { format!("{pid} ") } else { String::new() };
        let running = if job.is_done() || job.stopped { "" } else { " &" };
        lines.push(format!("[{id}]{sign}  {pid}{:<24}{}{running}", job.state(), job.text));
    }
    lines.iter().for_each(|line| vm.say(line));
    vm.forget_done();
    Ok(Outcome::Done(0))
}

fn job_argument(vm: &mut Vm, args: &[String]) -> Result<usize, Outcome> {
    let word = args.get(1).map_or("%+", String::as_str).to_owned();
    find(vm, &word).ok_or_else(|| {
        let shown = if args.len() < 2 { "current" } else { &word };
        vm.complain(&format!("{}: {shown}: no such job", args[0]));
        Outcome::Done(1)
    })
}

fn go_on(vm: &mut Vm, cx: &mut Cx, at: usize) {
    let uid = cx.kernel.process(cx.pid).map_or(Uid(0), |p| p.origin.uid);
    let job = &mut vm.jobs[at];
    job.stopped = false;
    for (pid, _) in job.pids.iter().filter(|(_, s)| s.is_none()) {
        // One that is gone needs no waking.
        let _ = cx.kernel.kill(uid, Whom::Process(*pid), Some(Signal::CONT));
    }
}

pub(super) fn fg(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    if !vm.interactive {
        return vm.fault("fg", "no job control", 1);
    }
    let at = match job_argument(vm, args) {
        Ok(at) => at,
        Err(outcome) => return Ok(outcome),
    };
    let text = vm.jobs[at].text.clone();
    vm.say(&text);
    if let Some(group) = vm.jobs[at].group {
        vm.give_terminal(cx, group);
    }
    go_on(vm, cx, at);
    Ok(Outcome::Waits(Waiting::Foreground(vm.jobs[at].key)))
}

pub(super) fn bg(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    if !vm.interactive {
        return vm.fault("bg", "no job control", 1);
    }
    let at = match job_argument(vm, args) {
        Ok(at) => at,
        Err(outcome) => return Ok(outcome),
    };
    let line = format!("[{}]+ {} &", vm.jobs[at].id.unwrap_or(0), vm.jobs[at].text);
    vm.say(&line);
    go_on(vm, cx, at);
    Ok(Outcome::Done(0))
}

pub(super) fn disown(vm: &mut Vm, _: &mut Cx, args: &[String]) -> Res<Outcome> {
    let (found, rest, wrong) = options(args, "har", "");
    if let Some(wrong) = wrong {
        return vm.usage("disown", &wrong);
    }
    if found.iter().any(|(c, _)| *c == 'h') {
        return Ok(Outcome::Done(0));
    }
    if found.iter().any(|(c, _)| *c == 'a') {
        vm.jobs.clear();
        return Ok(Outcome::Done(0));
    }
    let words: Vec<String> = if rest.is_empty() { vec!["%+".into()] } else { rest.to_vec() };
    let mut status = 0;
    for word in words {
        let by_pid = word
            .parse::<u32>()
            .ok()
            .and_then(|n| vm.jobs.iter().position(|j| j.pids.iter().any(|(p, _)| p.0 == n)));
        match by_pid.or_else(|| find(vm, &word)) {
            Some(at) => {
                vm.jobs.remove(at);
            }
            None => {
                vm.complain(&format!("disown: {word}: no such job"));
                status = 1;
            }
        }
    }
    Ok(Outcome::Done(status))
}

pub(super) fn list_signals(vm: &mut Vm) {
    let cells: Vec<String> =
        Signal::ALL.iter().map(|s| format!("{:>2}) SIG{}", s.number(), s.name())).collect();
    for row in cells.chunks(5) {
        vm.say(&row.join("\t"));
    }
}

pub(super) fn kill(vm: &mut Vm, cx: &mut Cx, args: &[String]) -> Res<Outcome> {
    let mut signal = Some(Signal::TERM);
    let mut rest = &args[1..];
    match rest {
        [first, more @ ..] if first == "-l" || first == "-L" => return list(vm, more),
        [first, name, more @ ..] if first == "-s" || first == "-n" => {
            signal = match named(vm, name) {
                Ok(signal) => signal,
                Err(outcome) => return Ok(outcome),
            };
            rest = more;
        }
        [first, more @ ..] if first.len() > 1 && first.starts_with('-') && first != "--" => {
            signal = match named(vm, &first[1..]) {
                Ok(signal) => signal,
                Err(outcome) => return Ok(outcome),
            };
            rest = more;
        }
        _ => {}
    }
    if rest.first().is_some_and(|w| w == "--") {
        rest = &rest[1..];
    }
    if rest.is_empty() {
        vm.run.err.extend(
            b"kill: usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]\n",
        );
        return Ok(Outcome::Done(2));
    }
    let uid = cx.kernel.process(cx.pid).map_or(Uid(0), |p| p.origin.uid);
    let mut status = 0;
    for word in rest {
        let whom = if word.starts_with('%') {
            find(vm, word).map(|at| match vm.jobs[at].group {
                Some(group) => vec![Whom::Group(group)],
                None => vm.jobs[at].pids.iter().map(|(p, _)| Whom::Process(*p)).collect(),
            })
        } else {
            word.parse::<i64>().ok().map(|n| {
                let pid = Pid(u32::try_from(n.unsigned_abs()).unwrap_or(u32::MAX));
                match n {
                    0 => vec![Whom::Group(cx.kernel.process(cx.pid).map_or(cx.pid, |p| p.group))],
                    n if n < 0 => vec![Whom::Group(pid)],
                    _ => vec![Whom::Process(pid)],
                }
            })
        };
        let Some(whom) = whom else {
            let what =
                if word.starts_with('%') { "no such job" } else { "arguments must be process or job IDs" };
            vm.complain(&format!("kill: {word}: {what}"));
            status = 1;
            continue;
        };
        for one in whom {
            match cx.kernel.kill(uid, one, signal) {
                Ok(()) => {}
                Err(Errno::ESRCH) if word.starts_with('%') => {}
                Err(error) => {
                    vm.complain(&format!("kill: ({word}) - {error}"));
                    status = 1;
                }
            }
        }
    }
    Ok(Outcome::Done(status))
}

fn named(vm: &mut Vm, name: &str) -> Result<Option<Signal>, Outcome> {
    if name == "0" || name.eq_ignore_ascii_case("EXIT") {
        return Ok(None);
    }
    Signal::parse(name).map(Some).ok_or_else(|| {
        vm.complain(&format!("kill: {name}: invalid signal specification"));
        Outcome::Done(1)
    })
}

fn list(vm: &mut Vm, words: &[String]) -> Res<Outcome> {
    if words.is_empty() {
        list_signals(vm);
    }
    let mut status = 0;
    for word in words {
        let number = word.parse::<u32>().ok().map(|n| if n > 128 { n - 128 } else { n });
        let signal = Signal::parse(&number.map_or_else(|| word.clone(), |n| n.to_string()));
        match (signal, number) {
            (Some(signal), Some(_)) => vm.say(signal.name()),
            (Some(signal), None) => vm.say(&signal.number().to_string()),
            (None, _) => {
                vm.complain(&format!("kill: {word}: invalid signal specification"));
                status = 1;
            }
        }
    }
    Ok(Outcome::Done(status))
}

pub(super) fn times(vm: &mut Vm, cx: &mut Cx, _: &[String]) -> Res<Outcome> {
    let process = cx.kernel.process(cx.pid);
    let (own, children) = process.map_or((0, 0), |p| (p.cpu_time(cx.now), p.children_cpu_time()));
    for cpu in [own, children] {
        vm.say(&format!("{}m{}.{:03}s 0m0.000s", cpu / 60_000_000, cpu / 1_000_000 % 60, cpu / 1000 % 1000));
    }
    Ok(Outcome::Done(0))
}
