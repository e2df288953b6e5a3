//! Commands about the machine: lscpu(1), numactl(8), taskset(1), locale(1), arch(1), sync(1), editors and
//! multiplexers.

use super::getopt;
use super::info::{bound_cpus, hardware};
use crate::Cx;

/// This host's sockets, cores per socket, and threads per core.
fn shape(cx: &Cx) -> (u32, u32, u32) {
    let host = cx.host();
    let known = cx.cluster.host(&host).filter(|_| *host != *cx.kernel.login);
    known.map_or((1, hardware(cx).0, 1), |host| (host.sockets, host.cores_per_socket, host.threads_per_core))
}

/// `0-3`
fn range(count: u32) -> String {
    if count <= 1 { "0".to_owned() } else { format!("0-{}", count - 1) }
}

/// lscpu(1)
pub fn lscpu(cx: &mut Cx) -> u8 {
    let (sockets, cores, threads) = shape(cx);
    let cpus = sockets * cores * threads;
    let mut rows = vec![
        ("Architecture:".to_owned(), "x86_64".to_owned()),
        ("  CPU op-mode(s):".to_owned(), "32-bit, 64-bit".to_owned()),
        ("  Byte Order:".to_owned(), "Little Endian".to_owned()),
        ("CPU(s):".to_owned(), cpus.to_string()),
        ("  On-line CPU(s) list:".to_owned(), range(cpus)),
        ("Vendor ID:".to_owned(), "GenuineIntel".to_owned()),
        ("  Model name:".to_owned(), "Simulated CPU @ 2.60GHz".to_owned()),
        ("    Thread(s) per core:".to_owned(), threads.to_string()),
        ("    Core(s) per socket:".to_owned(), cores.to_string()),
        ("    Socket(s):".to_owned(), sockets.to_string()),
        ("NUMA:".to_owned(), String::new()),
        ("  NUMA node(s):".to_owned(), sockets.to_string()),
    ];
    for socket in 0..sockets {
        let first = socket * cores * threads;
        let list = format!("{first}-{}", first + cores * threads - 1);
        rows.push((format!("  NUMA node{socket} CPU(s):"), list));
    }
    for (key, value) in rows {
        let line = format!("{key:<24} {value}");
        cx.line(line.trim_end());
    }
    0
}

/// numactl(8): `-s` and `-H`. A command is run without binding.
pub fn numactl(cx: &mut Cx) -> crate::UnixMachine {
    let args = cx.args().to_vec();
    let (sockets, cores, threads) = shape(cx);
    match args.first().map(String::as_str) {
        Some("-s" | "--show") => {
            let cpus: Vec<String> = (0..bound_cpus(cx)).map(|cpu| cpu.to_string()).collect();
            let nodes: Vec<String> = (0..sockets).map(|node| node.to_string()).collect();
            let (cpus, nodes) = (cpus.join(" "), nodes.join(" "));
            cx.line("policy: default");
            cx.line("preferred node: current");
            cx.line(&format!("physcpubind: {cpus} "));
            cx.line(&format!("cpubind: {nodes} "));
            cx.line(&format!("nodebind: {nodes} "));
            cx.line(&format!("membind: {nodes} "));
            crate::UnixMachine::End(0)
        }
        Some("-H" | "--hardware") => {
            cx.line(&format!("available: {sockets} nodes ({})", range(sockets)));
            let memory = hardware(cx).1 / u64::from(sockets);
            for node in 0..sockets {
                let first = node * cores * threads;
                let cpus: Vec<String> = (first..first + cores * threads).map(|cpu| cpu.to_string()).collect();
                cx.line(&format!("node {node} cpus: {}", cpus.join(" ")));
                cx.line(&format!("node {node} size: {memory} MB"));
            }
            crate::UnixMachine::End(0)
        }
        _ => bound_command(cx, "usage: numactl [--show | --hardware | -N nodes -m nodes command ...]"),
    }
}

/// taskset(1): `-c LIST COMMAND` runs the command; `-cp PID` shows the CPUs that a process may use.
pub fn taskset(cx: &mut Cx) -> crate::UnixMachine {
    let args = cx.args().to_vec();
    if let [options, pid] = args.as_slice()
        && options.starts_with('-')
        && options.contains('p')
    {
        let list = range(bound_cpus(cx));
        cx.line(&format!("pid {pid}'s current affinity list: {list}"));
        return crate::UnixMachine::End(0);
    }
    bound_command(cx, "Usage: taskset [options] [mask | cpu-list] [pid|cmd [args...]]")
}

/// The command after the binding options. Nothing is bound: program models use the CPUs of their job.
fn bound_command(cx: &mut Cx, usage: &str) -> crate::UnixMachine {
    let args = cx.args().to_vec();
    let takes = |word: &str| matches!(word, "-c" | "-N" | "-m" | "-C" | "-p" | "-i" | "-l");
    let mut rest = args.as_slice();
    while let [first, more @ ..] = rest {
        let option = first.starts_with('-') || cx.name() == "taskset" && first.starts_with("0x");
        if !option {
            break;
        }
        let skip = usize::from(takes(first) && !more.is_empty());
        rest = more.get(skip..).unwrap_or_default();
    }
    if rest.is_empty() {
        cx.complain(usage);
        return crate::UnixMachine::End(1);
    }
    let env = std::sync::Arc::new(cx.env.clone());
    match cx.exec_of(rest, env) {
        Ok(exec) => crate::UnixMachine::Become(exec),
        Err(errno) => {
            cx.error(&format!("failed to execute {}: {errno}", rest[0]));
            crate::UnixMachine::End(127)
        }
    }
}

/// locale(1)
pub fn locale(cx: &mut Cx) -> u8 {
    if cx.args().first().is_some_and(|arg| arg == "-a") {
        cx.print("C\nC.utf8\nPOSIX\nen_US.utf8\nfr_FR.utf8\n");
        return 0;
    }
    let value = |name: &str| cx.env.get(name).filter(|text| !text.is_empty()).cloned();
    let (all, lang) = (value("LC_ALL"), value("LANG"));
    let mut lines = vec![format!("LANG={}", lang.clone().unwrap_or_default())];
    for name in [
        "CTYPE",
        "NUMERIC",
        "TIME",
        "COLLATE",
        "MONETARY",
        "MESSAGES",
        "PAPER",
        "NAME",
        "ADDRESS",
        "TELEPHONE",
        "MEASUREMENT",
        "IDENTIFICATION",
    ] {
        let own = value(&format!("LC_{name}"));
        lines.push(match (&all, own) {
            (None, Some(own)) => format!("LC_{name}={own}"),
            (Some(text), _) => format!("LC_{name}=\"{text}\""),
            (None, None) => format!("LC_{name}=\"{}\"", lang.as_deref().unwrap_or("POSIX")),
        });
    }
    lines.push(format!("LC_ALL={}", all.unwrap_or_default()));
    lines.iter().for_each(|line| cx.line(line));
    0
}

/// arch(1)
pub fn arch(cx: &mut Cx) -> u8 {
    cx.line("x86_64");
    0
}

/// sync(1): does nothing, because data is on disk immediately.
pub fn sync(_cx: &mut Cx) -> u8 {
    0
}

/// unlink(1), link(1)
pub fn link(cx: &mut Cx) -> u8 {
    let args = cx.args().to_vec();
    let (uid, now) = (cx.uid(), cx.now);
    let result = match (cx.name(), args.as_slice()) {
        ("unlink", [file]) => {
            let path = cx.path(file);
            cx.kernel.fs.unlink(uid, &path, now).map_err(|e| format!("cannot unlink '{file}': {e}"))
        }
        ("link", [from, to]) => {
            let (source, target) = (cx.path(from), cx.path(to));
            let done = cx.kernel.fs.link(uid, &source, &target, now);
            done.map_err(|e| format!("cannot create link '{to}' to '{from}': {e}"))
        }
        (_, []) => return getopt::missing_operand(cx),
        (_, [.., last]) => return getopt::extra_operand(cx, &last.clone()),
    };
    match result {
        Ok(()) => 0,
        Err(why) => {
            cx.error(&why);
            1
        }
    }
}
