//! The guard of a server: its parent process, which kills whatever the server leaves behind, however the server ends.
//!
//! Invariant: every process of the cluster is a descendant of the guard and of the server, because both are subreapers:
//! orphans of jobs become the server's children, even daemons with an empty environment, and the guard's children
//! without a server. If the guard is killed, the server ends itself. Linux only; elsewhere the guard just waits.

use rustix::io::Errno;
use rustix::process::WaitOptions;
use std::process::{Child, Command};

/// Maximum number of searches for remaining processes, ten milliseconds apart.
#[cfg(target_os = "linux")]
const MAX_LOOKS: usize = 200;

/// Starts the server as the same program with the same arguments, and kills all remaining processes after it. Returns
/// the server's exit code.
///
/// # Errors
/// The server cannot be started.
pub fn run() -> Result<u8, String> {
    let _ = rustix::process::setsid();
    become_subreaper()?;
    let program = std::env::current_exe().map_err(|e| format!("the path of this program: {e}"))?;
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1)).arg("--guard").arg(std::process::id().to_string());
    let mut server = command.spawn().map_err(|e| format!("the server cannot be started: {e}"))?;
    let code = wait_for(&mut server);
    end_descendants();
    Ok(code)
}

/// Waits for the server, and reaps orphans meanwhile.
fn wait_for(server: &mut Child) -> u8 {
    loop {
        match rustix::process::wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if u32::try_from(pid.as_raw_nonzero().get()) == Ok(server.id()) => {
                return status.exit_status().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return 1,
        }
    }
}

/// Makes orphans of descendants children of this process.
#[cfg(target_os = "linux")]
pub(crate) fn become_subreaper() -> Result<(), String> {
    let own = rustix::process::getpid();
    rustix::process::set_child_subreaper(Some(own)).map_err(|e| format!("prctl(PR_SET_CHILD_SUBREAPER): {e}"))
}

/// Kills all descendants.
#[cfg(target_os = "linux")]
pub(crate) fn end_descendants() {
    for _ in 0..MAX_LOOKS {
        let left = crate::processes::descendants_of(std::process::id());
        for pid in &left {
            crate::processes::kill_process(Some(*pid), host::Signal::KILL.number());
        }
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        if left.is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Lets the server get SIGTERM when its guard is gone.
///
/// # Errors The guard has already ended.
#[cfg(target_os = "linux")]
pub(crate) fn end_with(guard: u32) -> Result<(), String> {
    let done = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
    done.map_err(|e| format!("prctl(PR_SET_PDEATHSIG): {e}"))?;
    let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get());
    if parent.and_then(|pid| u32::try_from(pid).ok()) == Some(guard) {
        Ok(())
    } else {
        Err("the guard of this server is gone".to_owned())
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn become_subreaper() -> Result<(), String> {
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end_descendants() {}

#[cfg(not(target_os = "linux"))]
pub(crate) fn end_with(_: u32) -> Result<(), String> {
    Ok(())
}
