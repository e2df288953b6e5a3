//! df(1), du(1), quota(1), lfs(1) `quota`, and `diskusage_report` as on the Alliance's clusters.

use super::format::human;
use super::getopt::{self, ParsedFlags, Spec};
use crate::Cx;
use base::pad;
use host::fs::{FileKind, Ino, Stat, Volume};

/// Columns in GNU style: the first and the last are left-aligned, the others right-aligned, each with a minimum width.
fn columns(cx: &mut Cx, rows: &[Vec<String>], least: &[usize], left: &[usize]) {
    let last = least.len() - 1;
    let width = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(String::len).max().unwrap_or(0);
    let widths: Vec<usize> = least.iter().enumerate().map(|(at, least)| width(at).max(*least)).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
            if at == last {
                cell.clone()
            } else if left.contains(&at) {
                pad::left(cell, *width)
            } else {
                pad::right(cell, *width)
            }
        });
        let line = cells.collect::<Vec<_>>().join(" ");
        cx.line(&line);
    }
}

/// Units of df's amounts.
struct Units {
    inodes: bool,
    kind: bool,
    human: bool,
    block: u64,
}

impl Units {
    fn shown(&self, amount: u64) -> String {
        if self.human { human(amount) } else { amount.div_ceil(self.block).to_string() }
    }

    fn heads(&self) -> [&'static str; 4] {
        match (self.inodes, self.human) {
            (true, _) => ["Inodes", "IUsed", "IFree", "IUse%"],
            (false, true) => ["Size", "Used", "Avail", "Use%"],
            (false, false) if self.block == 1 << 20 => ["1M-blocks", "Used", "Available", "Use%"],
            (false, false) => ["1K-blocks", "Used", "Available", "Use%"],
        }
    }

    fn row(&self, source: &str, kind: &str, size: u64, used: u64, path: &str) -> Vec<String> {
        let percent = (u128::from(used) * 100).div_ceil(u128::from(size.max(1)));
        let mut row = vec![source.to_owned()];
        if self.kind {
            row.push(kind.to_owned());
        }
        let free = size.saturating_sub(used);
        row.extend([self.shown(size), self.shown(used), self.shown(free), format!("{percent}%")]);
        row.push(path.to_owned());
        row
    }

    fn of(&self, volume: &Volume) -> (u64, u64) {
        if self.inodes {
            // As in ext4: one inode per 16 KiB.
            (volume.what.size >> 14, volume.used.files)
        } else {
            (volume.what.size, volume.used.bytes)
        }
    }
}

/// df(1)
pub fn df(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "hHkmTiaPlt:x:B:y",
        long: &[
            ("human-readable", 'h'),
            ("print-type", 'T'),
            ("all", 'a'),
            ("inodes", 'i'),
            ("portability", 'P'),
            ("local", 'l'),
            ("type", 't'),
            ("exclude-type", 'x'),
            ("block-size", 'B'),
            ("total", 'y'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let (chosen, code) = chosen(cx, &parsed);
    let inodes = parsed.has('i');
    let mega = parsed.has('m') || parsed.value('B').is_some_and(|unit| unit == "M" || unit == "1M");
    let units = Units {
        inodes,
        kind: parsed.has('T'),
        human: parsed.has('h') || parsed.has('H'),
        block: if inodes {
            1
        } else if mega {
            1 << 20
        } else {
            1024
        },
    };
    let mut head = vec!["Filesystem".to_owned()];
    if units.kind {
        head.push("Type".to_owned());
    }
    head.extend(units.heads().map(str::to_owned));
    head.push("Mounted on".to_owned());
    let mut rows = vec![head];
    let (mut size, mut used) = (0, 0);
    for volume in &chosen {
        let (all, taken) = units.of(volume);
        (size, used) = (size + all, used + taken);
        rows.push(units.row(&volume.what.source, &volume.what.kind, all, taken, &volume.what.path));
    }
    if parsed.has('y') {
        rows.push(units.row("total", "-", size, used, "-"));
    }
    if chosen.is_empty() {
        if code == 0 {
            cx.error("no file systems processed");
        }
        return 1;
    }
    let least: &[usize] = if units.kind { &[14, 4, 5, 5, 5, 4, 0] } else { &[14, 5, 5, 5, 4, 0] };
    columns(cx, &rows, least, if units.kind { &[0, 1] } else { &[0] });
    code
}

/// The file systems of the operands, or all. Missing ones were reported.
fn chosen(cx: &mut Cx, parsed: &ParsedFlags) -> (Vec<Volume>, u8) {
    let mut code = 0;
    let mut chosen: Vec<Volume> = Vec::new();
    if parsed.operands.is_empty() {
        chosen.extend(cx.kernel.fs.mounted().cloned());
    }
    for name in &parsed.operands {
        match cx.kernel.fs.stat(cx.uid(), &cx.path(name)) {
            Ok(stat) => chosen.extend(cx.kernel.fs.volume(stat.volume).cloned()),
            Err(errno) => {
                cx.error(&format!("{name}: {errno}"));
                code = 1;
            }
        }
    }
    let kind = parsed.value('t');
    let not = parsed.value('x');
    chosen.retain(|volume| {
        let remote = matches!(volume.what.kind.as_str(), "nfs" | "nfs4" | "lustre" | "gpfs" | "beegfs");
        kind.is_none_or(|kind| volume.what.kind == kind)
            && not.is_none_or(|kind| volume.what.kind != kind)
            && !(parsed.has('l') && remote)
    });
    (chosen, code)
}

/// du(1)
pub fn du(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "shabckmd:xSlAt:LP0HD",
        long: &[
            ("summarize", 's'),
            ("human-readable", 'h'),
            ("all", 'a'),
            ("bytes", 'b'),
            ("total", 'c'),
            ("max-depth", 'd'),
            ("apparent-size", 'A'),
            ("one-file-system", 'x'),
            ("separate-dirs", 'S'),
            ("count-links", 'l'),
            ("dereference", 'L'),
            ("inodes", 'i'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let depth = match parsed.value('d') {
        Some(_) if parsed.has('s') => {
            cx.error("warning: summarizing conflicts with --max-depth");
            return 1;
        }
        _ if parsed.has('s') => 0,
        Some(text) => match text.parse() {
            Ok(depth) => depth,
            Err(_) => {
                cx.error(&format!("invalid maximum depth '{text}'"));
                getopt::try_help(cx);
                return 1;
            }
        },
        None => u32::MAX,
    };
    let roots = if parsed.operands.is_empty() { vec![".".to_owned()] } else { parsed.operands.clone() };
    let mut du = Du { parsed: &parsed, depth, code: 0, seen: Vec::new(), volume: 0 };
    let mut total = 0;
    for root in roots {
        total += du.walk(cx, &root, 0);
    }
    if parsed.has('c') {
        du.show(cx, total, "total");
    }
    du.code
}

struct Du<'a> {
    parsed: &'a ParsedFlags,
    depth: u32,
    code: u8,
    /// Files with several links that were already counted, sorted.
    seen: Vec<Ino>,
    volume: u32,
}

/// Maximum depth of directories.
const MAX_DEPTH: u32 = 512;

impl Du<'_> {
    fn show(&self, cx: &mut Cx, amount: u64, name: &str) {
        let text = match self.parsed.last_of("hbkm") {
            _ if self.parsed.has('i') => amount.to_string(),
            Some('h') => human(amount),
            Some('b') => amount.to_string(),
            Some('m') => amount.div_ceil(1 << 20).to_string(),
            Some(_) | None => amount.div_ceil(1024).to_string(),
        };
        cx.line(&format!("{text}\t{name}"));
    }

    fn amount(&self, stat: &Stat) -> u64 {
        if self.parsed.has('i') {
            1
        } else if self.parsed.has('b') || self.parsed.has('A') {
            super::ls::size(stat)
        } else {
            super::ls::blocks(stat) * 1024
        }
    }

    /// Whether a file with several links is counted for the first time.
    fn first_time(&mut self, stat: &Stat) -> bool {
        if stat.links < 2 || stat.kind == FileKind::Dir || self.parsed.has('l') {
            return true;
        }
        match self.seen.binary_search(&stat.ino) {
            Ok(_) => false,
            Err(at) => {
                self.seen.insert(at, stat.ino);
                true
            }
        }
    }

    fn walk(&mut self, cx: &mut Cx, name: &str, depth: u32) -> u64 {
        let (uid, path) = (cx.uid(), cx.path(name));
        let follow = self.parsed.has('L') || depth == 0 && (self.parsed.has('D') || self.parsed.has('H'));
        let found = if follow { cx.kernel.fs.stat(uid, &path) } else { cx.kernel.fs.lstat(uid, &path) };
        let stat = match found {
            Ok(stat) => stat,
            Err(errno) => {
                cx.error(&format!("cannot access '{name}': {errno}"));
                self.code = 1;
                return 0;
            }
        };
        if depth == 0 {
            self.volume = stat.volume;
        }
        if self.parsed.has('x') && stat.volume != self.volume || !self.first_time(&stat) {
            return 0;
        }
        let mut sum = self.amount(&stat);
        if stat.kind == FileKind::Dir && depth < MAX_DEPTH {
            match cx.kernel.fs.list(uid, &path) {
                Ok(names) => {
                    for inner in names {
                        let inner_sum =
                            self.walk(cx, &format!("{}/{inner}", name.trim_end_matches('/')), depth + 1);
                        let inner_path = format!("{path}/{inner}");
                        let is_dir =
                            cx.kernel.fs.lstat(uid, &inner_path).is_ok_and(|s| s.kind == FileKind::Dir);
                        if !(self.parsed.has('S') && is_dir) {
                            sum += inner_sum;
                        }
                    }
                }
                Err(errno) => {
                    cx.error(&format!("cannot read directory '{name}': {errno}"));
                    self.code = 1;
                }
            }
        }
        if depth == 0 || depth <= self.depth && (stat.kind == FileKind::Dir || self.parsed.has('a')) {
            self.show(cx, sum, name);
        }
        sum
    }
}

/// The user to report on. Only root may name another user.
fn reported_user(cx: &mut Cx, name: Option<&str>) -> Result<(String, base::ids::Uid), u8> {
    let name = name.map_or_else(|| cx.user(), str::to_owned);
    let Some(uid) = cx.kernel.users.by_name(&name).map(|user| user.uid) else {
        cx.error(&format!("user {name} does not exist."));
        return Err(1);
    };
    if uid != cx.uid() && cx.uid().0 != 0 {
        cx.error(&format!("Permission denied: only root may look at the quota of {name}."));
        return Err(1);
    }
    Ok((name, uid))
}

/// `4096K`, `1229M`, as printed by quota -s.
fn space(bytes: u64) -> String {
    let kib = bytes.div_ceil(1024);
    match kib {
        0..10_000 => format!("{kib}K"),
        10_000..10_240_000 => format!("{}M", kib.div_ceil(1024)),
        10_240_000..10_485_760_000 => format!("{}G", kib.div_ceil(1 << 20)),
        _ => format!("{}T", kib.div_ceil(1 << 30)),
    }
}

/// quota(1): the file systems of this host with a quota for a user.
pub fn quota(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "ugsvqwplQ",
        long: &[("user", 'u'), ("group", 'g'), ("human-readable", 's'), ("verbose", 'v'), ("quiet", 'q')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let (name, uid) = match reported_user(cx, parsed.operands.first().map(String::as_str)) {
        Ok(found) => found,
        Err(code) => return code,
    };
    let limited: Vec<Volume> = cx
        .kernel
        .fs
        .mounted()
        .filter(|volume| volume.what.quota.is_some() || volume.what.quota_files.is_some())
        .cloned()
        .collect();
    if limited.is_empty() || parsed.has('g') {
        let what = if parsed.has('g') { "group" } else { "user" };
        cx.line(&format!("Disk quotas for {what} {name} ({}id {uid}): none", &what[..1]));
        return 0;
    }
    let human = parsed.has('s');
    let amount = |bytes: u64| if human { space(bytes) } else { bytes.div_ceil(1024).to_string() };
    let first = if human { "space" } else { "blocks" };
    cx.line(&format!("Disk quotas for user {name} (uid {uid}): "));
    cx.line(&format!("     Filesystem  {first:>6}   quota   limit   grace   files   quota   limit   grace"));
    let mut code = 0;
    for volume in limited {
        let usage = volume.usage(uid);
        let (space, files) = (volume.what.quota, volume.what.quota_files);
        let full = |limit: Option<u64>, amount: u64| limit.is_some_and(|limit| amount >= limit);
        let mark = |full| if full { '*' } else { ' ' };
        let (no_space, no_files) = (full(space, usage.bytes), full(files, usage.files));
        code |= u8::from(no_space || no_files);
        let source = &volume.what.source;
        let source = if source.len() > 15 { format!("{source}\n{:15}", "") } else { format!("{source:>15}") };
        let limit = space.map_or_else(|| "0".to_owned(), amount);
        let most = files.unwrap_or(0);
        let row = format!(
            "{source} {:>7}{} {limit:>6}  {limit:>6} {:>7} {:>7}{} {most:>6}  {most:>6} {:>7}",
            amount(usage.bytes),
            mark(no_space),
            "",
            usage.files,
            mark(no_files),
            ""
        );
        cx.line(row.trim_end());
    }
    code
}

/// lfs(1): `lfs quota [-h] [-u USER] DIRECTORY`. Other subcommands fail: they are not simulated.
pub fn lfs(cx: &mut Cx) -> u8 {
    let args = cx.args().to_vec();
    match args.split_first() {
        Some((verb, rest)) if verb == "quota" => lfs_quota(cx, rest),
        Some((verb, _)) => {
            cx.error(&format!("{verb}: not simulated in sandbatch: only `lfs quota` is"));
            127
        }
        None => {
            cx.complain("Usage: lfs quota [-h] [-u USER] DIRECTORY");
            1
        }
    }
}

fn lfs_quota(cx: &mut Cx, args: &[String]) -> u8 {
    const SPEC: Spec = Spec { short: "hqvu:g:p:", long: &[], usage: 1 };
    let parsed = match getopt::parse_words(cx, &SPEC, args) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let [dir] = parsed.operands.as_slice() else {
        cx.complain("Usage: lfs quota [-h] [-u USER] DIRECTORY");
        return 1;
    };
    let stat = match cx.kernel.fs.stat(cx.uid(), &cx.path(dir)) {
        Ok(stat) => stat,
        Err(errno) => {
            cx.complain(&format!("cannot resolve path '{dir}': {errno}"));
            return 1;
        }
    };
    let Some(volume) = cx.kernel.fs.volume(stat.volume).cloned() else { return 1 };
    if volume.what.kind != "lustre" {
        cx.complain(&format!("{dir}: not on a mounted Lustre filesystem"));
        return 1;
    }
    let (name, uid) = match reported_user(cx, parsed.value('u')) {
        Ok(found) => found,
        Err(code) => return code,
    };
    let usage = volume.usage(uid);
    let shown = |bytes: u64| {
        if parsed.has('h') { human(bytes) } else { bytes.div_ceil(1024).to_string() }
    };
    let limit = shown(volume.what.quota.unwrap_or(0));
    let files = volume.what.quota_files.unwrap_or(0);
    let head = if parsed.has('h') { "used" } else { "kbytes" };
    cx.line(&format!("Disk quotas for usr {name} (uid {uid}):"));
    cx.line(&format!(
        "      Filesystem{head:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}",
        "quota", "limit", "grace", "files", "quota", "limit", "grace"
    ));
    cx.line(&format!(
        "{:>16}{:>8}{limit:>8}{limit:>8}{:>8}{:>8}{files:>8}{files:>8}{:>8}",
        volume.what.path,
        shown(usage.bytes),
        "-",
        usage.files,
        "-"
    ));
    0
}

/// `diskusage_report` of the Alliance's clusters: the user's usage on each file system with a quota.
pub fn report(cx: &mut Cx) -> u8 {
    let (name, uid) = (cx.user(), cx.uid());
    let rows: Vec<Volume> =
        cx.kernel.fs.mounted().filter(|volume| volume.what.quota.is_some()).cloned().collect();
    if rows.is_empty() {
        cx.error("this site has no quotas");
        return 1;
    }
    cx.line(&format!("{:>30} {:>20} {:>20}", "Description", "Space", "# of files"));
    for volume in rows {
        let usage = volume.usage(uid);
        let files = volume.what.quota_files.map_or_else(|| "-".to_owned(), |n| format!("{}k", n / 1000));
        let limit = human(volume.what.quota.unwrap_or(0));
        cx.line(&format!(
            "{:>30} {:>20} {:>20}",
            format!("{} ({name})", volume.what.path),
            format!("{}/{limit}", human(usage.bytes)),
            format!("{}/{files}", usage.files)
        ));
    }
    0
}
