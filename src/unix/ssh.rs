//! ssh(1): connects to the local host, the login node, and nodes where the user has a running job (root: all
//! nodes).

use super::getopt::{self, Spec};
use crate::{Cx, UnixMachine};
use base::ids::{Cgroup, Pid, Uid};
use host::kernel::ProcessTarget;
use host::{Exec, ProcessOrigin, SliceEnd, Status, Wait};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A connection: ssh waits for the remote process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ssh {
    child: Pid,
    target: String,
    /// A shell on a terminal instead of a command.
    shell: bool,
}

/// `[user@]host`
pub struct SshTarget {
    /// The remote user.
    pub uid: Uid,
    /// The remote user's home directory.
    pub home: String,
    /// The host's name.
    pub host: String,
    /// The cgroup of the remote process.
    pub cgroup: Cgroup,
}

/// Starts ssh(1).
pub fn start(cx: &mut Cx) -> UnixMachine {
    const SPEC: Spec = Spec {
        short: "+l:p:i:o:F:J:L:R:D:b:c:e:m:E:W:Q:O:S:w:tTXYxAaqvnNfCgkKMsyG46V",
        long: &[],
        usage: 255,
    };
    let parsed = match getopt::parse(cx, &SPEC) {
        Ok(parsed) => parsed,
        Err(code) => return UnixMachine::End(code),
    };
    if parsed.has('V') {
        cx.complain("OpenSSH_9.6p1 (a model of sandbatch)");
        return UnixMachine::End(0);
    }
    let Some((target, words)) = parsed.operands.split_first() else {
        cx.complain("usage: ssh [-l login_name] destination [command [argument ...]]");
        return UnixMachine::End(255);
    };
    let target = match (target.contains('@'), parsed.value('l')) {
        (false, Some(name)) => format!("{name}@{target}"),
        (true, _) | (false, None) => target.clone(),
    };
    let target = match connect(cx, &target) {
        Ok(target) => target,
        Err(code) => return UnixMachine::End(code),
    };
    if parsed.has('R') || parsed.has('D') || parsed.has('w') {
        cx.error("only -L forwards ports in sandbatch");
        return UnixMachine::End(255);
    }
    let forwards: Vec<&str> =
        parsed.options.iter().filter(|option| option.0 == 'L').map(|option| option.1.as_str()).collect();
    if parsed.has('f') {
        return into_background(cx, &forwards, &parsed.operands);
    }
    for forward in forwards {
        if let Err(why) = bind(cx, forward, &target.host) {
            cx.complain(&why);
            if why.starts_with("Bad") {
                return UnixMachine::End(255);
            }
        }
    }
    let env = cx.kernel.login_env(target.uid, &target.host);
    let argv = if parsed.has('N') {
        // The connection lives as long as the login on the other side.
        vec!["bash".to_owned(), "-c".to_owned(), "exec sleep infinity".to_owned()]
    } else if words.is_empty() {
        vec!["-bash".to_owned()]
    } else {
        vec!["bash".to_owned(), "-c".to_owned(), words.join(" ")]
    };
    let child = match cx.spawn(Exec { path: "/bin/bash".into(), argv, env: Arc::new(env) }) {
        Ok(child) => child,
        Err(errno) => {
            cx.error(&format!("fork: {errno}"));
            return UnixMachine::End(255);
        }
    };
    let SshTarget { uid, home, host, cgroup } = target;
    cx.kernel.set_origin(child, ProcessOrigin { uid, host: host.as_str().into(), cgroup });
    if let Err(errno) = cx.kernel.chdir(child, &home) {
        cx.complain(&format!("Could not chdir to home directory {home}: {errno}"));
    }
    let shell = words.is_empty() && !parsed.has('N') && cx.is_tty(0);
    UnixMachine::Ssh(Ssh { child, target: host, shell })
}

/// Forwards a port of this host: `[address:]port:host:port`, as the other side names the host.
fn bind(cx: &mut Cx, forward: &str, target: &str) -> Result<(), String> {
    let bad = || format!("Bad local forwarding specification '{forward}'");
    let parts: Vec<&str> = forward.split(':').collect();
    let (own, host, port) = match parts.as_slice() {
        [own, host, port] | [_, own, host, port] => (*own, *host, *port),
        _ => return Err(bad()),
    };
    let own: u16 = own.parse().map_err(|_| bad())?;
    let port: u16 = port.parse().map_err(|_| bad())?;
    let host = if matches!(host, "localhost" | "127.0.0.1") { target } else { host };
    cx.kernel.forward(cx.pid, own, host, port).map_err(|_| {
        format!(
            "bind [127.0.0.1]:{own}: Address already in use\n\
             channel_setup_fwd_listener_tcpip: cannot listen to port: {own}\nCould not request local forwarding."
        )
    })
}

/// `-f`: another ssh stays in the background.
fn into_background(cx: &mut Cx, forwards: &[&str], operands: &[String]) -> UnixMachine {
    let mut argv = vec!["ssh".to_owned(), "-N".to_owned()];
    argv.extend(forwards.iter().flat_map(|forward| ["-L".to_owned(), (*forward).to_owned()]));
    let env = Arc::new(cx.env.clone());
    if operands.len() > 1 {
        argv.remove(1);
    }
    argv.extend(operands.iter().cloned());
    match cx.spawn(Exec { path: "/usr/bin/ssh".into(), argv, env }) {
        Ok(_) => UnixMachine::End(0),
        Err(errno) => {
            cx.error(&format!("fork: {errno}"));
            UnixMachine::End(255)
        }
    }
}

impl Ssh {
    /// Waits for the remote process.
    pub fn step(&mut self, cx: &mut Cx) -> SliceEnd {
        let Ok(ended) = cx.kernel.wait(cx.pid, ProcessTarget::Process(self.child)) else {
            return SliceEnd::Exit(Status::Exited(255));
        };
        let Some((_, status)) = ended else { return SliceEnd::Wait(Wait::Child) };
        let target = &self.target;
        match status {
            Status::Exited(code) => {
                if self.shell {
                    cx.complain(&format!("Connection to {target} closed."));
                }
                SliceEnd::Exit(Status::Exited(code))
            }
            // The job or the node has ended.
            Status::Signaled(_) => {
                cx.complain(&format!("Connection to {target} closed by remote host."));
                SliceEnd::Exit(Status::Exited(255))
            }
        }
    }
}

/// Checks whether the caller can log in to a host, and as which user. Prints the error otherwise.
///
/// # Errors
/// The exit code of ssh.
pub fn connect(cx: &mut Cx, target: &str) -> Result<SshTarget, u8> {
    let (name, host) = match target.split_once('@') {
        Some((name, host)) => (name.to_owned(), host),
        None => (cx.user(), target),
    };
    let host = if host == "localhost" { cx.host().to_string() } else { host.to_owned() };
    let known = host == *cx.kernel.login || cx.cluster.host(&host).is_some() || host == *cx.host();
    if !known {
        cx.complain(&format!("ssh: Could not resolve hostname {host}: Name or service not known"));
        return Err(255);
    }
    let user = cx.kernel.users.by_name(&name).cloned();
    let Some(user) = user.filter(|user| user.uid == cx.uid() || cx.uid() == Uid(0)) else {
        cx.complain(&format!("{name}@{host}: Permission denied (publickey)."));
        return Err(255);
    };
    let cgroup = group_on(cx, user.uid, &host)?;
    Ok(SshTarget { uid: user.uid, home: user.home, host, cgroup })
}

/// The cgroup of a login on a host: none on the login node, that of one of the user's jobs on other nodes
/// (pam_slurm_adopt(8)).
fn group_on(cx: &mut Cx, uid: Uid, host: &str) -> Result<Cgroup, u8> {
    let here = cx.kernel.process(cx.pid).map_or(Cgroup(0), |p| p.origin.cgroup);
    if host == &*cx.host() {
        return Ok(here);
    }
    if host == &*cx.kernel.login {
        return Ok(Cgroup(0));
    }
    let Some(remote) = cx.cluster.host(host) else { return Err(255) };
    if !remote.is_up {
        cx.complain(&format!("ssh: connect to host {host} port 22: No route to host"));
        return Err(255);
    }
    if uid == Uid(0) {
        return Ok(Cgroup(0));
    }
    match cx.cluster.adopt(uid, host, here) {
        Some(cgroup) => Ok(cgroup),
        None => {
            cx.complain("Access denied by pam_slurm_adopt: you have no active jobs on this node");
            cx.complain(&format!("Connection closed by {host} port 22"));
            Err(255)
        }
    }
}
