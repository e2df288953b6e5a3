//! Requests of `sandbatch cluster` to a running server.

use crate::directory::ClusterDir;
use crate::wire::{ControlRequest, ToClient, ToServer, receive, send};
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// How long a server may take to release its lock after `down`.
const MAX_DOWN: Duration = Duration::from_secs(15);

/// Sends a request and returns the answer.
///
/// # Errors There is no answer, or the request was refused.
pub fn ask(dir: &ClusterDir, request: ControlRequest) -> Result<String, String> {
    let dead = |error: std::io::Error| format!("no cluster answers in {}: {error}", dir.path().display());
    let mut stream = UnixStream::connect(dir.socket()).map_err(dead)?;
    send(&mut stream, &ToServer::Control(request)).map_err(dead)?;
    loop {
        match receive(&mut stream) {
            Ok(ToClient::Answer(answer)) => return answer,
            Ok(_) => {}
            Err(error) => return Err(dead(error)),
        }
    }
}

/// Shuts down a cluster and waits until it has ended. Removes what a dead server left behind.
///
/// # Errors
/// The cluster does not end.
pub fn down(dir: &ClusterDir) -> Result<(), String> {
    if !dir.is_alive() {
        let was_there = dir.path().is_dir();
        dir.clean_up();
        return if was_there { Ok(()) } else { Err(format!("no cluster runs in {}", dir.path().display())) };
    }
    ask(dir, ControlRequest::Down)?;
    let since = crate::real_now();
    while dir.is_alive() {
        if since.elapsed() > MAX_DOWN {
            return Err(format!("the cluster in {} does not end", dir.path().display()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // The server may still be removing it.
    dir.remove();
    Ok(())
}
