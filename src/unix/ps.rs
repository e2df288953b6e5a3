//! ps(1): processes of the local host, from a table of columns. It does not need `/proc`.

use super::getopt::{self, ParsedFlags, Spec};
use crate::Cx;
use base::ids::{Pid, Uid};
use base::order::StableSort as _;
use base::pad;
use base::time::hms;
use host::kernel::Process;
use host::path;

/// A column: names, title, minimum width, alignment (true for right), and text.
struct PsColumn {
    names: &'static [&'static str],
    title: &'static str,
    width: usize,
    right: bool,
    value: fn(&Cx, &Process) -> String,
}

const fn left(
    names: &'static [&'static str],
    title: &'static str,
    width: usize,
    value: fn(&Cx, &Process) -> String,
) -> PsColumn {
    PsColumn { names, title, width, right: false, value }
}

const fn right(
    names: &'static [&'static str],
    title: &'static str,
    width: usize,
    value: fn(&Cx, &Process) -> String,
) -> PsColumn {
    PsColumn { names, title, width, right: true, value }
}

/// The columns of `-o`.
const COLUMNS: &[PsColumn] = &[
    left(&["user", "euser", "ruser", "uname"], "USER", 8, |cx, p| cx.kernel.users.name(p.origin.uid)),
    right(&["uid", "euid", "ruid"], "UID", 5, |_, p| p.origin.uid.to_string()),
    left(&["group", "egroup", "rgroup"], "GROUP", 8, |cx, p| cx.kernel.users.name(p.origin.uid)),
    right(&["gid", "egid", "rgid"], "GID", 5, |_, p| p.origin.uid.to_string()),
    right(&["pid", "tgid", "lwp", "tid", "spid"], "PID", 7, |_, p| p.pid.to_string()),
    right(&["ppid"], "PPID", 7, |_, p| p.parent.to_string()),
    right(&["pgid", "pgrp"], "PGID", 7, |_, p| p.group.to_string()),
    right(&["sid", "sess", "session"], "SID", 7, |_, p| p.group.to_string()),
    right(&["c"], "C", 2, |cx, p| (share(cx, p) / 10).min(99).to_string()),
    right(&["%cpu", "pcpu", "cpu"], "%CPU", 4, |cx, p| tenths(share(cx, p))),
    right(&["%mem", "pmem"], "%MEM", 4, |cx, p| tenths(p.rss * 1000 / memory(cx).max(1))),
    right(&["vsz", "vsize"], "VSZ", 6, |_, p| virtual_size(p).to_string()),
    right(&["rss", "rssize", "rsz"], "RSS", 5, |_, p| resident(p).to_string()),
    right(&["sz", "size"], "SZ", 5, |_, p| (virtual_size(p) / 4).to_string()),
    left(&["tty", "tt", "tname"], "TT", 8, |_, p| tty(p)),
    left(&["stat"], "STAT", 4, state),
    left(&["s", "state"], "S", 1, |cx, p| state(cx, p).chars().take(1).collect()),
    left(&["f", "flag", "flags"], "F", 1, |_, _| "0".to_owned()),
    right(&["pri", "priority"], "PRI", 3, |_, _| "20".to_owned()),
    right(&["ni", "nice"], "NI", 3, |_, _| "0".to_owned()),
    left(&["cls", "class", "policy"], "CLS", 3, |_, _| "TS".to_owned()),
    right(&["psr"], "PSR", 3, |_, p| (p.pid.0 % 4).to_string()),
    right(&["nlwp", "thcount"], "NLWP", 4, |_, p| p.load().div_ceil(100).max(1).to_string()),
    left(&["wchan"], "WCHAN", 6, |_, _| "-".to_owned()),
    right(&["start", "stime", "start_time", "bsdstart"], "START", 5, began),
    left(&["lstart"], "STARTED", 24, |_, p| p.started.strftime("%a %b %e %H:%M:%S %Y")),
    right(&["time", "cputime"], "TIME", 8, |cx, p| hms(p.cpu_time(cx.now) / 1_000_000)),
    right(&["cputimes", "times"], "TIME", 8, |cx, p| (p.cpu_time(cx.now) / 1_000_000).to_string()),
    right(&["bsdtime"], "TIME", 6, |cx, p| {
        let seconds = p.cpu_time(cx.now) / 1_000_000;
        format!("{}:{:02}", seconds / 60, seconds % 60)
    }),
    right(&["etime"], "ELAPSED", 11, |cx, p| elapsed((cx.now - p.started).secs().max(0))),
    right(&["etimes"], "ELAPSED", 7, |cx, p| (cx.now - p.started).secs().max(0).to_string()),
    left(&["comm", "ucmd", "ucomm"], "COMMAND", 15, |_, p| comm(p)),
    left(&["args", "command", "cmd"], "COMMAND", 27, |_, p| arguments(p)),
];

fn column(name: &str) -> Option<&'static PsColumn> {
    COLUMNS.iter().find(|column| column.names.contains(&name))
}

/// CPU usage over the lifetime of a process, in thousandths.
fn share(cx: &Cx, p: &Process) -> u64 {
    let lived = (cx.now - p.started).0.max(1_000_000);
    u64::try_from(p.cpu_time(cx.now).saturating_mul(1000) / lived).unwrap_or(0)
}

fn tenths(thousandths: u64) -> String {
    format!("{}.{}", thousandths / 10, thousandths % 10)
}

/// The host's memory, MiB.
fn memory(cx: &Cx) -> u64 {
    super::info::hardware(cx).1
}

/// Resident memory in KiB: what a program model uses, otherwise that of a shell or small program.
pub fn resident(p: &Process) -> u64 {
    (p.rss * 1024).max(3400)
}

/// Virtual memory in KiB.
pub fn virtual_size(p: &Process) -> u64 {
    resident(p) + resident(p) / 4 + 4600
}

fn tty(p: &Process) -> String {
    p.tty.map_or_else(|| "?".to_owned(), |t| format!("pts/{}", t.0))
}

/// `R`, `S`, `T`; `s` for a session leader, `+` for a foreground process.
pub fn state(cx: &Cx, p: &Process) -> String {
    let letter = match p.status() {
        Some(_) => 'Z',
        None if p.stopped() => 'T',
        None if p.pid == cx.pid || p.load() > 0 => 'R',
        None => 'S',
    };
    let leads = if p.group == p.pid && p.argv.first().is_some_and(|a| a.starts_with('-')) { "s" } else { "" };
    let front = p.tty.and_then(|tty| cx.kernel.tty(tty)).and_then(|tty| tty.foreground) == Some(p.group);
    format!("{letter}{leads}{}", if front { "+" } else { "" })
}

fn began(cx: &Cx, p: &Process) -> String {
    let today = (cx.now - p.started).secs() < 86_400;
    p.started.strftime(if today { "%H:%M" } else { "%b%d" })
}

/// `[[days-]hours:]minutes:seconds`
fn elapsed(seconds: i64) -> String {
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    let short = format!("{minutes:02}:{:02}", seconds % 60);
    match (days, hours) {
        (0, 0) => short,
        (0, hours) => format!("{hours:02}:{short}"),
        (days, hours) => format!("{days}-{hours:02}:{short}"),
    }
}

/// The name of a process in `pgrep` and `ps`.
pub fn comm(p: &Process) -> String {
    let first = p.argv.first().map_or("", |a| path::base_name(a.trim_start_matches('-')));
    let name: String = first.chars().take(15).collect();
    if p.status().is_some() { format!("{name} <defunct>") } else { name }
}

fn arguments(p: &Process) -> String {
    if p.status().is_some() { format!("[{}]", comm(p)) } else { p.argv.join(" ") }
}

const SPEC: Spec = Spec {
    short: "AadefFjlLTHNcwyMVu:U:g:G:p:q:o:O:t:C:s:k:P:n",
    long: &[
        ("everyone", 'e'),
        ("user", 'u'),
        ("User", 'U'),
        ("pid", 'p'),
        ("ppid", 'P'),
        ("format", 'o'),
        ("sort", 'k'),
        ("forest", 'H'),
        ("no-headers", 'n'),
        ("no-heading", 'n'),
        ("deselect", 'N'),
        ("tty", 't'),
    ],
    usage: 1,
};

/// The parsed arguments.
struct PsRequest {
    parsed: ParsedFlags,
    /// Letters without a dash: `aux`.
    bsd: String,
    /// Columns and their titles; none means the title of the table.
    columns: Vec<(&'static PsColumn, Option<String>)>,
}

fn ask(cx: &mut Cx) -> Result<PsRequest, u8> {
    let mut args = cx.args().to_vec();
    let mut bsd = String::new();
    let letters = |text: &str| !text.starts_with('-') && text.chars().all(|c| "auxwfjlverhU".contains(c));
    if args.first().is_some_and(|first| letters(first)) {
        bsd = args.remove(0);
    }
    if bsd.ends_with('U') && !args.is_empty() {
        args.insert(0, "-u".to_owned());
    }
    let mut parsed = getopt::parse_words(cx, &SPEC, &args)?;
    // A plain number is a process id.
    for operand in std::mem::take(&mut parsed.operands) {
        parsed.options.push(('p', operand));
    }
    let mut columns = Vec::new();
    for (_, list) in parsed.options.iter().filter(|(letter, _)| *letter == 'o') {
        let mut rest = list.as_str();
        while !rest.is_empty() {
            let end = rest.find([',', ' ']).unwrap_or(rest.len());
            let equals = rest.find('=').filter(|at| *at < end);
            let (name, title, after) = match equals {
                // The text after `=` is the title, including commas, unless it is empty.
                Some(at) if rest.get(at + 1..end).is_none_or(str::is_empty) => {
                    (&rest[..at], Some(String::new()), rest.get(end + 1..).unwrap_or(""))
                }
                Some(at) => (&rest[..at], Some(rest[at + 1..].to_owned()), ""),
                None => (&rest[..end], None, rest.get(end + 1..).unwrap_or("")),
            };
            if !name.is_empty() {
                let Some(column) = column(name) else {
                    cx.complain(&format!("error: unknown user-defined format specifier \"{name}\""));
                    return Err(1);
                };
                columns.push((column, title));
            }
            rest = after;
        }
    }
    if columns.is_empty() {
        columns = usual(&parsed, &bsd);
    }
    Ok(PsRequest { parsed, bsd, columns })
}

/// The columns of the standard formats, with their titles.
fn usual(parsed: &ParsedFlags, bsd: &str) -> Vec<(&'static PsColumn, Option<String>)> {
    let list: &[(&str, &str)] = if bsd.contains('u') {
        &[
            ("user", ""),
            ("pid", ""),
            ("%cpu", ""),
            ("%mem", ""),
            ("vsz", ""),
            ("rss", ""),
            ("tty", "TTY"),
            ("stat", ""),
            ("start", ""),
            ("bsdtime", ""),
            ("args", ""),
        ]
    } else if !bsd.is_empty() {
        &[("pid", ""), ("tty", "TTY"), ("stat", ""), ("bsdtime", ""), ("args", "")]
    } else if parsed.has('f') || parsed.has('F') {
        &[
            ("user", "UID"),
            ("pid", ""),
            ("ppid", ""),
            ("c", ""),
            ("start", "STIME"),
            ("tty", "TTY"),
            ("time", ""),
            ("args", "CMD"),
        ]
    } else if parsed.has('l') {
        &[
            ("f", ""),
            ("s", ""),
            ("uid", ""),
            ("pid", ""),
            ("ppid", ""),
            ("c", ""),
            ("pri", ""),
            ("ni", ""),
            ("sz", ""),
            ("wchan", ""),
            ("tty", "TTY"),
            ("time", ""),
            ("comm", "CMD"),
        ]
    } else if parsed.has('j') {
        &[("pid", ""), ("pgid", ""), ("sid", ""), ("tty", "TTY"), ("time", ""), ("comm", "CMD")]
    } else {
        &[("pid", ""), ("tty", "TTY"), ("time", ""), ("comm", "CMD")]
    };
    let with_title = |(name, title): &(&str, &str)| {
        let title = (!title.is_empty()).then(|| (*title).to_owned());
        column(name).map(|column| (column, title))
    };
    list.iter().filter_map(with_title).collect()
}

/// Users of a list, by name or number. Unknown users were reported.
fn users(cx: &mut Cx, list: &str) -> Result<Vec<Uid>, u8> {
    let mut found = Vec::new();
    for name in list.split([',', ' ']).filter(|name| !name.is_empty()) {
        match cx.kernel.users.by_name(name).map(|u| u.uid).or_else(|| name.parse().ok().map(Uid)) {
            Some(uid) => found.push(uid),
            None => {
                cx.complain("error: user name does not exist");
                return Err(1);
            }
        }
    }
    Ok(found)
}

/// The selected processes, by number.
fn chosen(cx: &mut Cx, asked: &PsRequest) -> Result<Vec<Process>, u8> {
    let list = |letter: char| asked.parsed.value(letter).map(str::to_owned);
    let by_user = match list('u').or_else(|| list('U')) {
        Some(text) => Some(users(cx, &text)?),
        None => None,
    };
    let numbers =
        |text: String| text.split([',', ' ']).filter_map(|n| n.parse().ok().map(Pid)).collect::<Vec<_>>();
    let (pids, parents) = (list('p').or_else(|| list('q')).map(numbers), list('P').map(numbers));
    let named = list('C');
    let ttys = list('t');
    let me = cx.kernel.process(cx.pid).cloned();
    let selective =
        by_user.is_some() || pids.is_some() || parents.is_some() || named.is_some() || ttys.is_some();
    let has = |letter: char| asked.parsed.has(letter);
    let everyone = has('e') || has('A') || asked.bsd.contains('a') && asked.bsd.contains('x');
    let own_terminals = asked.bsd.contains('a') || has('a') || has('d');
    let wanted = |p: &Process| {
        if everyone {
            return true;
        }
        if selective {
            return by_user.as_ref().is_some_and(|users| users.contains(&p.origin.uid))
                || pids.as_ref().is_some_and(|pids| pids.contains(&p.pid))
                || parents.as_ref().is_some_and(|pids| pids.contains(&p.parent))
                || named.as_ref().is_some_and(|names| names.split(',').any(|name| comm(p) == name))
                || ttys.as_ref().is_some_and(|ttys| {
                    ttys.split(',').any(|name| tty(p) == name.trim_start_matches("/dev/"))
                });
        }
        if own_terminals {
            return p.tty.is_some();
        }
        me.as_ref().is_some_and(|me| {
            let own = me.origin.uid == p.origin.uid;
            own && (asked.bsd.contains('x')
                || me.tty == p.tty && (p.tty.is_some() || p.parent == me.parent || p.pid == me.pid))
        })
    };
    let host = cx.host();
    let deselect = has('N');
    let here = cx.kernel.processes().filter(|p| p.origin.host == host);
    Ok(here.filter(|p| wanted(p) != deselect).cloned().collect())
}

/// `--sort=-%cpu,pid`
fn sort(cx: &mut Cx, asked: &PsRequest, rows: &mut [Process]) -> Result<(), u8> {
    let Some(keys) = asked.parsed.value('k').map(str::to_owned) else { return Ok(()) };
    // Starts with the last key, because sorting is stable.
    for key in keys.split(',').rev() {
        let name = key.trim_start_matches(['+', '-']);
        let Some(column) = column(name) else {
            cx.complain(&format!("error: unknown sort specifier \"{name}\""));
            return Err(1);
        };
        let value = |p: &Process| -> (i64, String) {
            let number = match column.names[0] {
                "%cpu" | "c" => share(cx, p).cast_signed(),
                "%mem" | "rss" | "vsz" | "sz" => resident(p).cast_signed(),
                "time" | "bsdtime" | "cputimes" => p.cpu_time(cx.now),
                "start" | "lstart" => p.started.0,
                "etime" | "etimes" => -p.started.0,
                _ => {
                    let text = (column.value)(cx, p);
                    return text.parse().map_or((0, text), |n| (n, String::new()));
                }
            };
            (number, String::new())
        };
        rows.order_by_key(value);
        if key.starts_with('-') {
            rows.reverse();
        }
    }
    Ok(())
}

/// Children below their parents, with the lines that `--forest` draws before commands.
fn forest(rows: Vec<Process>) -> Vec<(Process, String)> {
    let known: Vec<Pid> = rows.iter().map(|p| p.pid).collect();
    let mut todo: Vec<(Process, u32)> =
        rows.iter().rev().filter(|p| !known.contains(&p.parent)).map(|p| (p.clone(), 0)).collect();
    let mut all = Vec::new();
    while let Some((process, depth)) = todo.pop() {
        let children = rows.iter().rev().filter(|p| p.parent == process.pid);
        todo.extend(children.map(|p| (p.clone(), depth + 1)));
        let indent = match depth {
            0 => String::new(),
            depth => format!("{} \\_ ", "    ".repeat(usize::try_from(depth - 1).unwrap_or(0))),
        };
        all.push((process, indent));
    }
    all
}

/// ps(1)
pub fn ps(cx: &mut Cx) -> u8 {
    let asked = match ask(cx) {
        Ok(asked) => asked,
        Err(code) => return code,
    };
    let mut rows = match chosen(cx, &asked) {
        Ok(rows) => rows,
        Err(code) => return code,
    };
    if let Err(code) = sort(cx, &asked, &mut rows) {
        return code;
    }
    let tree = asked.parsed.has('H') || asked.bsd.contains('f');
    let rows: Vec<(Process, String)> =
        if tree { forest(rows) } else { rows.into_iter().map(|p| (p, String::new())).collect() };
    let titles: Vec<String> = asked
        .columns
        .iter()
        .map(|(column, title)| title.clone().unwrap_or_else(|| column.title.to_owned()))
        .collect();
    let headless = asked.parsed.has('n') || asked.bsd.contains('h') || titles.iter().all(String::is_empty);
    if !headless {
        let line = line(&asked, &titles);
        cx.line(&line);
    }
    for (process, indent) in &rows {
        let cells: Vec<String> = asked
            .columns
            .iter()
            .map(|(column, _)| {
                let tree = if column.title == "COMMAND" { indent.as_str() } else { "" };
                format!("{tree}{}", (column.value)(cx, process))
            })
            .collect();
        let line = line(&asked, &cells);
        cx.line(&line);
    }
    u8::from(rows.is_empty())
}

/// A line of cells. The last one is not padded.
fn line(asked: &PsRequest, cells: &[String]) -> String {
    let last = cells.len().saturating_sub(1);
    let padded = cells.iter().zip(&asked.columns).enumerate().map(|(at, (cell, (column, title)))| {
        let width = column.width.max(title.as_ref().map_or(0, String::len));
        if column.right {
            pad::right(cell, width)
        } else if at == last {
            cell.clone()
        } else {
            pad::left(cell, width)
        }
    });
    padded.collect::<Vec<_>>().join(" ").trim_end().to_owned()
}
