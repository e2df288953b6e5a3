//! slurmctld(8), slurmd(8), slurmdbd(8), slurmrestd(8), sackd(8) and scrun(1) on a command line. The cluster's own
//! daemons are already running, so these only answer `-V` and refuse everything else in one line.

use super::release;
use crate::Cx;

/// A daemon's answer to its command line: the version, or a refusal.
pub fn run(cx: &mut Cx) -> u8 {
    let name =
        cx.argv.first().map(|path| path.rsplit('/').next().unwrap_or(path).to_owned()).unwrap_or_default();
    if cx.argv.iter().skip(1).any(|word| word == "-V" || word == "--version") {
        cx.line(release::of(cx).version);
        return 0;
    }
    cx.complain(&format!("{name}: fatal: the simulated cluster starts its daemons itself"));
    1
}

/// sackd, which does not accept `-V`.
pub fn sackd(cx: &mut Cx) -> u8 {
    if cx.argv.len() > 1 {
        cx.complain(SACKD_USAGE.trim_end());
    } else {
        cx.complain("sackd: fatal: the simulated cluster has no configless nodes");
    }
    1
}

const SACKD_USAGE: &str = "\
usage:\tsackd [OPTIONS]
    --ca-cert-file              Absolute path to CA cert for configless TLS
    --conf-server host[:port]   Get configs from slurmctld at `host[:port]`.
    -D                          Run daemon in foreground.
    -f config                   Read configuration from the specified file.
    -h                          Print this help message.
    --jwks-file                 Read JWKS information from this file.
    --key-file                  Read authentication key from this file.
    -p port                     Listening port for configuration updates.
    --systemd                   Started from a systemd unit file.
    -v                          Verbose mode. Multiple -v's increase verbosity.
";

/// scrun, a container runtime: containers are not simulated.
pub fn scrun(cx: &mut Cx) -> u8 {
    let text = match cx.argv.get(1) {
        None => "scrun: fatal: command not provided",
        Some(_) => "scrun: fatal: containers are not simulated",
    };
    cx.complain(text);
    1
}
