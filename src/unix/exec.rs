//! env(1), nohup(1), nice(1), su(1), sudo(8): programs that execute another program.
//!
//! Deliberate difference: su never asks for a password, because the person at the page plays every user.

use super::getopt::{self, Spec};
use crate::{Cx, STDOUT, UnixMachine};
use base::ids::Cgroup;
use host::kernel::OpenFlags;
use host::signal::Disposition;
use host::{Env, Errno, ProcessOrigin, Signal, path};
use std::sync::Arc;

/// Executes `words`, or prints an error: exit code 127 if not found, 126 if not executable.
fn become_(cx: &mut Cx, words: &[String], env: Arc<Env>, quoted: bool) -> UnixMachine {
    match cx.exec_of(words, env) {
        Ok(exec) => UnixMachine::Become(exec),
        Err(errno) => {
            let name = words.first().map_or("", String::as_str);
            let text = if quoted { format!("'{name}': {errno}") } else { format!("{name}: {errno}") };
            // GNU programs prefix messages with the name they were called by, as with `#!/usr/bin/env`.
            let me = cx.argv.first().map_or("env", String::as_str).to_owned();
            cx.complain(&format!("{me}: {text}"));
            UnixMachine::End(if errno == Errno::ENOENT { 127 } else { 126 })
        }
    }
}

/// env(1), printenv(1) without arguments
pub fn env(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "+iu:0C:",
        long: &[("ignore-environment", 'i'), ("unset", 'u'), ("null", '0'), ("chdir", 'C')],
        usage: 125,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let mut operands = parsed.operands.as_slice();
    let mut env = if parsed.has('i') { Env::new() } else { cx.env.clone() };
    if let [first, rest @ ..] = operands
        && first == "-"
    {
        env.clear();
        operands = rest;
    }
    for (_, name) in parsed.options.iter().filter(|(l, _)| *l == 'u') {
        env.remove(name);
    }
    while let [first, rest @ ..] = operands {
        let Some((name, value)) = first.split_once('=') else { break };
        env.insert(name.to_owned(), value.to_owned());
        operands = rest;
    }
    if let Some(dir) = parsed.value('C')
        && let Err(errno) = cx.kernel.chdir(cx.pid, dir)
    {
        cx.error(&format!("cannot change directory to '{dir}': {errno}"));
        return UnixMachine::End(125);
    }
    if operands.is_empty() {
        let end = if parsed.has('0') { '\0' } else { '\n' };
        let text: String = env.iter().map(|(name, value)| format!("{name}={value}{end}")).collect();
        cx.print(&text);
        return UnixMachine::End(0);
    }
    become_(cx, operands, Arc::new(env), true)
}

/// printenv(1)
pub fn printenv(cx: &mut Cx) -> u8 {
    let names: Vec<String> = cx.args().to_vec();
    if names.is_empty() {
        let text: String = cx.env.iter().map(|(name, value)| format!("{name}={value}\n")).collect();
        cx.print(&text);
        return 0;
    }
    let mut code = 0;
    for name in names {
        match cx.env.get(&name).cloned() {
            Some(value) => cx.line(&value),
            None => code = 1,
        }
    }
    code
}

/// nohup(1)
pub fn nohup(cx: &mut Cx) -> UnixMachine {
    let words = cx.args().to_vec();
    if words.is_empty() {
        getopt::missing_operand(cx);
        return UnixMachine::End(125);
    }
    cx.kernel.set_disposition(cx.pid, Signal::HUP, Disposition::Ignore);
    if cx.is_tty(STDOUT) {
        let flags = OpenFlags { write: true, create: true, append: true, ..OpenFlags::default() };
        match cx.kernel.open(cx.pid, "nohup.out", flags, 0o600, cx.now) {
            Ok(fd) => {
                cx.complain("nohup: ignoring input and appending output to 'nohup.out'");
                let tty_err = cx.is_tty(crate::STDERR);
                let _ = cx.kernel.dup2(cx.pid, fd, STDOUT);
                if tty_err {
                    let _ = cx.kernel.dup2(cx.pid, fd, crate::STDERR);
                }
                let _ = cx.kernel.close(cx.pid, fd);
            }
            Err(errno) => {
                cx.error(&format!("failed to open 'nohup.out': {errno}"));
                return UnixMachine::End(125);
            }
        }
    }
    let env = Arc::new(cx.env.clone());
    become_(cx, &words, env, true)
}

/// nice(1): processes have no priorities here, so the number is ignored.
pub fn nice(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec { short: "+n:", long: &[("adjustment", 'n')], usage: 125 };
    let args: Vec<String> = cx
        .args()
        .iter()
        .enumerate()
        .map(|(i, a)| match a.strip_prefix('-') {
            Some(n) if i == 0 && n.parse::<i32>().is_ok() => format!("-n{n}"),
            Some(_) | None => a.clone(),
        })
        .collect();
    let parsed = match getopt::parse_words(cx, &SPEC, &args) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    if parsed.operands.is_empty() {
        cx.line("0");
        return UnixMachine::End(0);
    }
    let env = Arc::new(cx.env.clone());
    become_(cx, &parsed.operands, env, true)
}

/// su(1): `su`, `su bob`, `su - bob`, `su bob -c CMD`.
pub fn su(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "lc:s:mp",
        long: &[("login", 'l'), ("command", 'c'), ("shell", 's'), ("preserve-environment", 'm')],
        usage: 1,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    let dash = parsed.operands.iter().any(|o| o == "-");
    let login = parsed.has('l') || dash;
    let names: Vec<&String> = parsed.operands.iter().filter(|o| *o != "-").collect();
    let name = names.first().map_or("root", |n| n.as_str()).to_owned();
    let Some(user) = cx.kernel.users.by_name(&name).cloned() else {
        cx.error(&format!(
            "user {name} does not exist or the user entry does not contain all the required fields"
        ));
        return UnixMachine::End(1);
    };
    let host = cx.host();
    let cgroup = cx.kernel.process(cx.pid).map_or(Cgroup(0), |p| p.origin.cgroup);
    let mut env = cx.kernel.login_env(user.uid, &host);
    if let Some(term) = cx.env.get("TERM") {
        env.insert("TERM".into(), term.clone());
    }
    // Must come first, because only the user may enter the home directory.
    cx.kernel.set_origin(cx.pid, ProcessOrigin { uid: user.uid, host, cgroup });
    if login {
        if let Err(errno) = cx.kernel.chdir(cx.pid, &user.home) {
            cx.complain(&format!("su: warning: cannot change directory to {}: {errno}", user.home));
        }
    } else {
        // As in su(1): the previous environment except for these.
        let fresh = env;
        env = cx.env.clone();
        for key in ["HOME", "SHELL", "USER", "LOGNAME"] {
            if let Some(value) = fresh.get(key) {
                env.insert(key.into(), value.clone());
            }
        }
    }
    let shell = parsed.value('s').unwrap_or("/bin/bash");
    let name = path::base_name(shell);
    let mut argv = vec![if login { format!("-{name}") } else { name.to_owned() }];
    if let Some(command) = parsed.value('c') {
        argv.extend(["-c".to_owned(), command.to_owned()]);
    }
    argv.extend(names.iter().skip(1).map(|n| (*n).clone()));
    UnixMachine::Become(host::Exec { path: shell.to_owned(), argv, env: Arc::new(env) })
}

/// sudo(8): works for root; other users are not in the sudoers file.
pub fn sudo(cx: &mut Cx) -> UnixMachine {
    let words: Vec<String> = cx.args().iter().skip_while(|a| a.starts_with('-')).cloned().collect();
    if words.is_empty() {
        cx.complain("usage: sudo command");
        return UnixMachine::End(1);
    }
    if cx.uid().0 != 0 {
        let user = cx.user();
        cx.complain(&format!("{user} is not in the sudoers file."));
        return UnixMachine::End(1);
    }
    let env = Arc::new(cx.env.clone());
    become_(cx, &words, env, false)
}

#[cfg(test)]
mod tests {
    use crate::testing::Host;
    use base::ids::Uid;

    #[test]
    fn environment_and_exit_codes() {
        let mut host = Host::default();
        assert_eq!(host.out(&["env", "-i", "A=1", "B=x y"]), "A=1\nB=x y\n");
        assert_eq!(host.out(&["env", "-u", "HOME", "A=1", "/usr/bin/env", "-u", "PATH"]), "A=1\n");
        assert_eq!(host.out(&["env", "X=1", "printenv", "X"]), "1\n");
        let ran = host.run(&["env", "nope"]);
        assert_eq!((ran.err.as_str(), ran.code), ("env: 'nope': No such file or directory\n", 127));
        assert_eq!(host.out(&["nohup", "echo", "hi"]), "hi\n");
        assert_eq!(host.out(&["nice", "-n", "5", "echo", "hi"]), "hi\n");
        assert_eq!(host.run(&["sudo", "ls"]).err, "alice is not in the sudoers file.\n");
        assert_eq!(host.run(&["su", "nosuch"]).code, 1);
        assert!(host.kernel.users.by_uid(Uid(1002)).is_some());
    }
}
