//! `jobs`, `fg`, `bg`, `disown`, `kill`, `times`.

use super::wait::BuiltinWait;
use super::{BuiltinResult, options};
use crate::ShellContext;
use crate::vm::{Res, Vm};
use base::ids::{Pid, Uid};
use host::kernel::ProcessTarget;
use host::{Errno, Signal};

const AMBIGUOUS: &str = "ambiguous job spec";

/// The index of the job that `%1`, `%+` or `%name` means; the error is bash's message.
pub(super) fn find(vm: &Vm, word: &str) -> Result<usize, &'static str> {
    const NONE: &str = "no such job";
    let spec = word.strip_prefix('%').unwrap_or(word);
    let current = vm.jobs.iter().filter_map(|j| j.id).max();
    let previous = vm.jobs.iter().filter_map(|j| j.id).filter(|id| Some(*id) != current).max();
    let index_of =
        |wanted: Option<u32>| vm.jobs.iter().position(|j| j.id.is_some() && j.id == wanted).ok_or(NONE);
    let only = |matches: &dyn Fn(&str) -> bool| {
        let mut hits = vm.jobs.iter().enumerate().filter(|(_, j)| j.id.is_some() && matches(&j.text));
        match (hits.next(), hits.next()) {
            (None, _) => Err(NONE),
            (Some((at, _)), None) => Ok(at),
            (Some(_), Some(_)) => Err(AMBIGUOUS),
        }
    };
    match spec {
        "" | "+" | "%" => index_of(current),
        "-" => index_of(previous.or(current)),
        spec => match spec.parse::<u32>() {
            Ok(id) => index_of(Some(id)),
            Err(_) => match spec.strip_prefix('?') {
                Some(part) => only(&|text| text.contains(part)),
                None => only(&|text| text.starts_with(spec)),
            },
        },
    }
}

pub(super) fn jobs(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "lnprs", "");
    if let Some(wrong) = wrong {
        return vm.usage("jobs", &wrong);
    }
    vm.reap(cx);
    let has = |letter: char| found.iter().any(|(c, _)| *c == letter);
    // A subshell without its own jobs lists those of its parent.
    let listed = if vm.jobs.is_empty() { &vm.inherited_jobs } else { &vm.jobs };
    let current = listed.iter().filter_map(|j| j.id).max();
    let previous = listed.iter().filter_map(|j| j.id).filter(|id| Some(*id) != current).max();
    let mut status = 0;
    let mut wanted = Vec::new();
    for word in rest {
        match find(vm, word) {
            Ok(at) => wanted.extend(vm.jobs[at].id),
            Err(why) => {
                if why == AMBIGUOUS {
                    let name = word.trim_start_matches(['%', '?']);
                    vm.complain(&format!("jobs: {name}: {AMBIGUOUS}"));
                }
                vm.complain(&format!("jobs: {word}: no such job"));
                status = 1;
            }
        }
    }
    let mut lines = Vec::new();
    let listed = if vm.jobs.is_empty() { &vm.inherited_jobs } else { &vm.jobs };
    for job in listed
        .iter()
        .filter(|j| !j.reported)
        .filter(|j| rest.is_empty() || j.id.is_some_and(|id| wanted.contains(&id)))
        .filter(|j| !(has('r') && (j.stopped || j.is_done()) || has('s') && !j.stopped))
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
        let pid = if has('l') { format!(" {pid} ") } else { "  ".to_owned() };
        let running = if job.is_done() || job.stopped { "" } else { " &" };
        lines.push(format!("[{id}]{sign}{pid}{:<24}{}{running}", job.state(), job.text));
    }
    lines.iter().for_each(|line| vm.say(line));
    vm.forget_done();
    vm.jobs.retain(|job| !job.reported);
    Ok(BuiltinResult::Done(status))
}

fn job_argument(vm: &mut Vm, args: &[String]) -> Result<usize, BuiltinResult> {
    let word = args.get(1).map_or("%+", String::as_str).to_owned();
    find(vm, &word).map_err(|why| {
        let shown = if args.len() < 2 { "current" } else { &word };
        vm.complain(&format!("{}: {shown}: {why}", args[0]));
        BuiltinResult::Done(1)
    })
}

fn continue_job(vm: &mut Vm, cx: &mut ShellContext, at: usize) {
    let uid = cx.kernel.process(cx.pid).map_or(Uid(0), |p| p.origin.uid);
    let job = &mut vm.jobs[at];
    job.stopped = false;
    for (pid, _) in job.pids.iter().filter(|(_, s)| s.is_none()) {
        // The process may be gone.
        let _ = cx.kernel.kill(uid, ProcessTarget::Process(*pid), Some(Signal::CONT));
    }
}

pub(super) fn fg(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
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
    continue_job(vm, cx, at);
    Ok(BuiltinResult::Waits(BuiltinWait::Foreground(vm.jobs[at].key)))
}

pub(super) fn bg(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    if !vm.interactive {
        return vm.fault("bg", "no job control", 1);
    }
    let at = match job_argument(vm, args) {
        Ok(at) => at,
        Err(outcome) => return Ok(outcome),
    };
    let line = format!("[{}]+ {} &", vm.jobs[at].id.unwrap_or(0), vm.jobs[at].text);
    vm.say(&line);
    continue_job(vm, cx, at);
    Ok(BuiltinResult::Done(0))
}

pub(super) fn disown(vm: &mut Vm, _: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let (found, rest, wrong) = options(args, "har", "");
    if let Some(wrong) = wrong {
        return vm.usage("disown", &wrong);
    }
    if found.iter().any(|(c, _)| *c == 'h') {
        return Ok(BuiltinResult::Done(0));
    }
    if found.iter().any(|(c, _)| *c == 'a') {
        vm.jobs.clear();
        return Ok(BuiltinResult::Done(0));
    }
    let words: Vec<String> = if rest.is_empty() { vec!["%+".into()] } else { rest.to_vec() };
    let mut status = 0;
    for word in words {
        let by_pid = word
            .parse::<u32>()
            .ok()
            .and_then(|n| vm.jobs.iter().position(|j| j.pids.iter().any(|(p, _)| p.0 == n)));
        match by_pid.map_or_else(|| find(vm, &word), Ok) {
            Ok(at) => {
                vm.jobs.remove(at);
            }
            Err(why) => {
                let shown = if rest.is_empty() { "current" } else { &word };
                vm.complain(&format!("disown: {shown}: {why}"));
                status = 1;
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn list_signals(vm: &mut Vm) {
    let plain = Signal::ALL.iter().map(|s| (s.number(), s.name().to_owned()));
    // Real-time signals are listed but cannot be sent.
    let real_time = (34..=64).map(|n: u8| {
        let name = match n {
            34 => "RTMIN".to_owned(),
            64 => "RTMAX".to_owned(),
            35..=49 => format!("RTMIN+{}", n - 34),
            _ => format!("RTMAX-{}", 64 - n),
        };
        (n, name)
    });
    let plain = plain.flat_map(|cell| {
        let stack_fault = (cell.0 == 15).then(|| (16, "STKFLT".to_owned()));
        std::iter::once(cell).chain(stack_fault)
    });
    let cells: Vec<String> = plain.chain(real_time).map(|(n, name)| format!("{n:>2}) SIG{name}")).collect();
    for row in cells.chunks(5) {
        let end = if row.len() < 5 { "\t" } else { "" };
        vm.say(&(row.join("\t") + end));
    }
}

pub(super) fn kill(vm: &mut Vm, cx: &mut ShellContext, args: &[String]) -> Res<BuiltinResult> {
    let mut signal = Some(Signal::TERM);
    let mut rest = &args[1..];
    match rest {
        [first, more @ ..] if first == "-l" || first == "-L" => return list(vm, more),
        [first] if first == "-s" || first == "-n" => {
            return vm.fault("kill", &format!("{first}: option requires an argument"), 1);
        }
        [first, name, more @ ..] if first == "-s" || first == "-n" => {
            signal = match named(vm, name) {
                Ok(signal) => signal,
                Err(outcome) => return Ok(outcome),
            };
            rest = more;
        }
        [first, more @ ..] if first.starts_with('-') && first != "--" => {
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
        return Ok(BuiltinResult::Done(2));
    }
    let uid = cx.kernel.process(cx.pid).map_or(Uid(0), |p| p.origin.uid);
    let mut status = 0;
    for word in rest {
        let whom = match targets(vm, cx, word) {
            Ok(whom) => whom,
            Err(why) => {
                vm.complain(&format!("kill: {word}: {why}"));
                status = 1;
                continue;
            }
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
    Ok(BuiltinResult::Done(status))
}

/// The targets of a `kill` argument.
fn targets(vm: &Vm, cx: &ShellContext, word: &str) -> Result<Vec<ProcessTarget>, &'static str> {
    if word.starts_with('%') {
        let job = &vm.jobs[find(vm, word)?];
        return Ok(match job.group {
            Some(group) => vec![ProcessTarget::Group(group)],
            None => job.pids.iter().map(|(p, _)| ProcessTarget::Process(*p)).collect(),
        });
    }
    let number = word.parse::<i64>().map_err(|_| "arguments must be process or job IDs")?;
    let pid = Pid(u32::try_from(number.unsigned_abs()).unwrap_or(u32::MAX));
    Ok(vec![match number {
        0 => ProcessTarget::Group(cx.kernel.process(cx.pid).map_or(cx.pid, |p| p.group)),
        n if n < 0 => ProcessTarget::Group(pid),
        _ => ProcessTarget::Process(pid),
    }])
}

fn named(vm: &mut Vm, name: &str) -> Result<Option<Signal>, BuiltinResult> {
    if name == "0" || name.eq_ignore_ascii_case("EXIT") {
        return Ok(None);
    }
    Signal::parse(name).map(Some).ok_or_else(|| {
        vm.complain(&format!("kill: {name}: invalid signal specification"));
        BuiltinResult::Done(1)
    })
}

fn list(vm: &mut Vm, words: &[String]) -> Res<BuiltinResult> {
    if words.is_empty() {
        list_signals(vm);
    }
    let mut status = 0;
    for word in words {
        let number = word.parse::<u32>().ok().map(|n| if n > 128 { n - 128 } else { n });
        let signal = Signal::parse(&number.map_or_else(|| word.clone(), |n| n.to_string()));
        match (signal, number) {
            (None, Some(0)) => vm.say("EXIT"),
            (Some(signal), Some(_)) => vm.say(signal.name()),
            (Some(signal), None) => vm.say(&signal.number().to_string()),
            (None, _) => {
                vm.complain(&format!("kill: {word}: invalid signal specification"));
                status = 1;
            }
        }
    }
    Ok(BuiltinResult::Done(status))
}

pub(super) fn times(vm: &mut Vm, cx: &mut ShellContext, _: &[String]) -> Res<BuiltinResult> {
    let process = cx.kernel.process(cx.pid);
    let (own, children) = process.map_or((0, 0), |p| (p.cpu_time(cx.now), p.children_cpu_time()));
    for cpu in [own, children] {
        vm.say(&format!("{}m{}.{:03}s 0m0.000s", cpu / 60_000_000, cpu / 1_000_000 % 60, cpu / 1000 % 1000));
    }
    Ok(BuiltinResult::Done(0))
}
