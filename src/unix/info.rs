//! Commands that print one fact: hostname(1), whoami(1), logname(1), id(1), groups(1), uname(1), nproc(1),
//! pwd(1), basename(1), dirname(1), which(1), tty(1), stty(1).

use super::getopt::{self, Spec};
use crate::{Cx, STDIN};
use base::ids::Uid;
use host::path;

/// The domain of every simulated host, for `hostname -f`.
const DOMAIN: &str = "cluster";

/// hostname(1)
pub fn hostname(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "sfdiIa",
        long: &[("short", 's'), ("fqdn", 'f'), ("long", 'f'), ("domain", 'd'), ("ip-address", 'i')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    if !parsed.operands.is_empty() {
        cx.error("you must be root to change the host name");
        return 1;
    }
    let host = cx.host();
    let short = host.split('.').next().unwrap_or(&host).to_owned();
    let text = match parsed.last_of("sfdiI") {
        Some('s') => short,
        Some('f') if host.contains('.') => host.to_string(),
        Some('f') => format!("{host}.{DOMAIN}"),
        Some('d') => host.split_once('.').map_or(DOMAIN, |(_, d)| d).to_owned(),
        Some(_) => "10.0.0.1".to_owned(),
        None => host.to_string(),
    };
    cx.line(&text);
    0
}

/// whoami(1), logname(1)
pub fn whoami(cx: &mut Cx) -> u8 {
    if let Some(extra) = cx.args().first().cloned() {
        return getopt::extra_operand(cx, &extra);
    }
    let user = cx.user();
    cx.line(&user);
    0
}

/// A user's groups, the primary one first: numbers and names.
fn group_list(cx: &Cx, uid: Uid) -> Vec<(String, String)> {
    let users = &cx.kernel.users;
    let further = users.by_uid(uid).map(|user| user.groups.as_slice()).unwrap_or_default();
    let numbered = further.iter().filter_map(|name| Some((users.gid(name)?.to_string(), name.clone())));
    std::iter::once((uid.to_string(), users.name(uid))).chain(numbered).collect()
}

/// The user of the operand, or the caller. An unknown user was reported.
fn user_operand(cx: &mut Cx, name: Option<&String>) -> Result<Uid, u8> {
    let Some(name) = name else { return Ok(cx.uid()) };
    let by_number = name.parse().ok().and_then(|n| cx.kernel.users.by_uid(Uid(n)));
    match cx.kernel.users.by_name(name).or(by_number) {
        Some(user) => Ok(user.uid),
        None => {
            cx.error(&format!("'{name}': no such user"));
            Err(1)
        }
    }
}

/// id(1)
pub fn id(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "ugGnra",
        long: &[("user", 'u'), ("group", 'g'), ("groups", 'G'), ("name", 'n'), ("real", 'r')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let uid = match user_operand(cx, parsed.operands.first()) {
        Ok(uid) => uid,
        Err(code) => return code,
    };
    let name = cx.kernel.users.name(uid);
    let groups = group_list(cx, uid);
    let named = parsed.has('n');
    let shown = |(number, name): &(String, String)| if named { name.clone() } else { number.clone() };
    let text = match parsed.last_of("ugG") {
        Some('G') => groups.iter().map(shown).collect::<Vec<_>>().join(" "),
        Some(_) if named => name,
        Some(_) => uid.to_string(),
        None if named => {
            cx.error("cannot print only names or real IDs in default format");
            return 1;
        }
        None => {
            let all: Vec<String> = groups.iter().map(|(n, g)| format!("{n}({g})")).collect();
            format!("uid={uid}({name}) gid={uid}({name}) groups={}", all.join(","))
        }
    };
    cx.line(&text);
    0
}

/// groups(1)
pub fn groups(cx: &mut Cx) -> u8 {
    let operand = cx.args().first().cloned();
    let uid = match user_operand(cx, operand.as_ref()) {
        Ok(uid) => uid,
        Err(code) => return code,
    };
    let names: Vec<String> = group_list(cx, uid).into_iter().map(|(_, g)| g).collect();
    let head = operand.map_or(String::new(), |name| format!("{name} : "));
    cx.line(&format!("{head}{}", names.join(" ")));
    0
}

/// uname(1)
pub fn uname(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec {
        short: "asnrvmpio",
        long: &[
            ("all", 'a'),
            ("kernel-name", 's'),
            ("nodename", 'n'),
            ("kernel-release", 'r'),
            ("machine", 'm'),
        ],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let host = cx.host().to_string();
    let parts = [
        ('s', "Linux"),
        ('n', host.as_str()),
        ('r', "6.1.0-sandbatch"),
        ('v', "#1 SMP"),
        ('m', "x86_64"),
        ('o', "GNU/Linux"),
    ];
    let wanted = |letter: char| {
        parsed.has('a')
            || parsed.has(letter)
            || letter == 's' && parsed.options.is_empty()
            || letter == 'm' && (parsed.has('p') || parsed.has('i'))
    };
    let text: Vec<&str> = parts.iter().filter(|(l, _)| wanted(*l)).map(|(_, t)| *t).collect();
    cx.line(&text.join(" "));
    0
}

/// pwd(1)
pub fn pwd(cx: &mut Cx) -> u8 {
    let cwd = cx.cwd();
    cx.line(&cwd);
    0
}

/// basename(1)
pub fn basename(cx: &mut Cx) -> u8 {
    const SPEC: Spec = Spec { short: "+as:z", long: &[("multiple", 'a'), ("suffix", 's')], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let many = parsed.has('a') || parsed.has('s');
    let (names, suffix) = match parsed.operands.as_slice() {
        [] => return getopt::missing_operand(cx),
        names if many => (names, parsed.value('s').unwrap_or("")),
        [name] => (std::slice::from_ref(name), ""),
        [name, suffix] => (std::slice::from_ref(name), suffix.as_str()),
        [_, _, extra, ..] => return getopt::extra_operand(cx, extra),
    };
    for name in names {
        let trimmed = name.trim_end_matches('/');
        let base = if trimmed.is_empty() && !name.is_empty() { "/" } else { path::base_name(name) };
        let text = base.strip_suffix(suffix).filter(|t| !t.is_empty()).unwrap_or(base);
        cx.line(text);
    }
    0
}

/// dirname(1)
pub fn dirname(cx: &mut Cx) -> u8 {
    let names = cx.args().to_vec();
    if names.is_empty() {
        return getopt::missing_operand(cx);
    }
    for name in names {
        let trimmed = name.trim_end_matches('/');
        let dir = match trimmed.rfind('/') {
            _ if trimmed.is_empty() && !name.is_empty() => "/",
            None => ".",
            Some(0) => "/",
            Some(i) => trimmed.get(..i).unwrap_or(".").trim_end_matches('/'),
        };
        cx.line(if dir.is_empty() { "/" } else { dir });
    }
    0
}

/// which(1)
pub fn which(cx: &mut Cx) -> u8 {
    let mut code = 0;
    for name in cx.args().to_vec() {
        if name.starts_with('-') {
            continue;
        }
        match cx.which(&name) {
            Ok(file) if name.contains('/') => cx.line(if file.is_empty() { &file } else { &name }),
            Ok(file) => cx.line(&file),
            Err(_) => code = 1,
        }
    }
    code
}

/// tty(1)
pub fn tty(cx: &mut Cx) -> u8 {
    match cx.kernel.fd_tty(cx.pid, STDIN) {
        Some(tty) => {
            cx.line(&format!("/dev/pts/{}", tty.0));
            0
        }
        None => {
            cx.line("not a tty");
            1
        }
    }
}

/// stty(1): prints the size, and accepts settings without effect.
pub fn stty(cx: &mut Cx) -> u8 {
    let Some(tty) = cx.kernel.fd_tty(cx.pid, STDIN).and_then(|t| cx.kernel.tty(t)) else {
        cx.error("'standard input': Inappropriate ioctl for device");
        return 1;
    };
    let (rows, columns) = (tty.rows, tty.columns);
    match cx.args().first().map(String::as_str) {
        Some("size") => cx.line(&format!("{rows} {columns}")),
        None | Some("-a") => {
            cx.line(&format!("speed 38400 baud; rows {rows}; columns {columns}; line = 0;"));
        }
        Some(_) => {}
    }
    0
}

/// CPUs and MiB of memory of this host: those of its node, or a login node's.
pub fn hardware(cx: &Cx) -> (u32, u64) {
    let host = cx.host();
    if *host == *cx.kernel.login {
        return (8, 16_384);
    }
    cx.cluster.host(&host).map_or((8, 16_384), |host| (host.cpus, host.memory))
}

/// The CPUs that a process may use: those of its job on this node, otherwise all.
pub fn bound_cpus(cx: &Cx) -> u32 {
    let bound = cx.env.get("SLURM_CPUS_ON_NODE").and_then(|n| n.parse().ok());
    bound.unwrap_or_else(|| hardware(cx).0)
}

/// nproc(1): the CPUs of the job on this node, as with task binding; otherwise all.
pub fn nproc(cx: &mut Cx) -> u8 {
    let all = cx.args().iter().any(|a| a == "--all");
    let count = if all { hardware(cx).0 } else { bound_cpus(cx) };
    cx.line(&count.to_string());
    0
}

/// free(1)
pub fn free(cx: &mut Cx) -> u8 {
    const SPEC: Spec =
        Spec { short: "bkmghtw", long: &[("human", 'h'), ("mega", 'm'), ("giga", 'g')], usage: 1 };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let host = cx.host();
    let total = hardware(cx).1;
    let used = cx.kernel.host_memory(&host);
    let shown = |mib: u64| match parsed.last_of("bkmgh") {
        Some('b') => (mib << 20).to_string(),
        Some('m') => mib.to_string(),
        Some('g') => (mib >> 10).to_string(),
        Some('h') => format!("{}i", super::format::human(mib << 20)),
        Some(_) | None => (mib << 10).to_string(),
    };
    let used = used.min(total);
    let available = shown(total - used);
    cx.line("               total        used        free      shared  buff/cache   available");
    let row = [shown(total), shown(used), available.clone(), shown(0), shown(0), available];
    let cells: String = row.iter().map(|c| format!("{c:>12}")).collect();
    cx.line(&format!("Mem:    {cells}"));
    cx.line(&format!("Swap:   {:>12}{:>12}{:>12}", shown(0), shown(0), shown(0)));
    0
}

/// getent(1)
pub fn getent(cx: &mut Cx) -> u8 {
    let args = cx.args().to_vec();
    let Some((database, keys)) = args.split_first() else {
        cx.complain("Usage: getent [OPTION...] database [key ...]");
        return 1;
    };
    let users = cx.kernel.users.0.clone();
    let rows: Vec<(String, String, String)> = match database.as_str() {
        "passwd" => users
            .iter()
            .map(|u| {
                let row = format!("{}:x:{}:{}:{}:{}:/bin/bash", u.name, u.uid, u.uid, u.gecos, u.home);
                (u.name.clone(), u.uid.to_string(), row)
            })
            .collect(),
        "group" => {
            let users = &cx.kernel.users;
            let row = |(name, gid): (String, base::ids::Gid)| {
                let text = format!("{name}:x:{gid}:{}", users.members(&name).join(","));
                (name, gid.to_string(), text)
            };
            users.groups().into_iter().map(row).collect()
        }
        "hosts" | "ahosts" => {
            let names = keys.iter().map(|k| (k.clone(), k.clone(), format!("{:<15} {k}", "10.0.0.1")));
            names.collect()
        }
        other => {
            cx.complain(&format!("Unknown database: {other}"));
            return 1;
        }
    };
    let mut code = 0;
    if keys.is_empty() {
        rows.iter().for_each(|(_, _, row)| cx.line(row));
    }
    for key in keys {
        match rows.iter().find(|(name, number, _)| name == key || number == key) {
            Some((_, _, row)) => cx.line(row),
            None => code = 2,
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;

    #[test]
    fn answers() {
        let mut host = Host::default();
        assert_eq!(host.out(&["hostname"]), "login01\n");
        assert_eq!(host.out(&["whoami"]), "alice\n");
        assert_eq!(host.out(&["id"]), "uid=1001(alice) gid=1001(alice) groups=1001(alice)\n");
        assert_eq!(host.out(&["id", "-un", "bob"]), "bob\n");
        assert_eq!(host.run(&["id", "nobody9"]).err, "id: 'nobody9': no such user\n");
        assert_eq!(host.out(&["which", "ls", "sort"]), "/usr/bin/ls\n/usr/bin/sort\n");
        assert_eq!(host.run(&["which", "nope"]).code, 1);
        assert_eq!(host.out(&["uname", "-s"]), "Linux\n");
    }

    #[test]
    fn same_paths_as_the_real_programs() {
        let mut host = Host::default();
        for argv in [
            &["basename", "/a/b.txt", ".txt"][..],
            &["basename", "/"],
            &["basename", "-a", "x/y", "z/"],
            &["basename", "-s", ".c", "a.c", "b.c"],
            &["dirname", "/a/b", "a", "/", "a/b/", "/x", "a//b"],
            &["basename"],
            &["dirname"],
        ] {
            host.same(argv, "", &[]);
        }
    }
}
