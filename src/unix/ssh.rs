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
    if parsed.has('N') {
        cx.error("port forwarding is not simulated in sandbatch");
        return UnixMachine::End(255);
    }
    let env = cx.kernel.login_env(target.uid, &target.host);
    let argv = if words.is_empty() {
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
    let shell = words.is_empty() && cx.is_tty(0);
    UnixMachine::Ssh(Ssh { child, target: host, shell })
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
