//! A cluster for tool developers: a simulated controller in the background, Slurm's commands on PATH, and jobs
//! that really run on this machine.
//!
//! [`server`] owns the world and lets virtual time follow real time. [`client`] is what `sbatch` and the other names on
//! PATH run. Both talk over a Unix socket in a private [`directory`]. This is not a sandbox: jobs run as the caller.

pub mod client;
pub mod control;
pub mod directory;
pub mod guard;
mod processes;
pub mod server;
mod terminal;
pub mod up;
pub mod wire;

/// The variable that names a cluster's directory.
pub const VARIABLE: &str = "SANDBATCH_CLUSTER";
/// The variable with the first address of slurmrestd.
pub const REST_VARIABLE: &str = "SANDBATCH_REST";
/// The variable that marks the programs of a job, with the job id.
pub const JOB_MARK: &str = "SANDBATCH_JOB";

/// The commands that a cluster puts on PATH.
pub const COMMANDS: &[&str] = &[
    "sacct", "sacctmgr", "salloc", "sattach", "sbatch", "sbcast", "scancel", "scontrol", "scrontab", "sdiag",
    "seff", "sinfo", "sprio", "squeue", "sreport", "srun", "sshare", "sstat", "strigger", "swait",
];

/// The user who runs this program: uid, login name and home directory.
///
/// # Errors
/// The environment names no user and the user is not in `/etc/passwd`.
pub fn caller() -> (u32, String, String) {
    let uid = rustix::process::getuid().as_raw();
    let passwd = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let own = passwd.lines().map(|line| line.split(':').collect::<Vec<_>>()).find_map(|fields| {
        let [name, _, number, _, _, home, ..] = fields.as_slice() else { return None };
        (number.parse() == Ok(uid)).then(|| ((*name).to_owned(), (*home).to_owned()))
    });
    let of = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let (name, home) = own.unwrap_or_else(|| {
        (of("USER").unwrap_or_else(|| format!("user{uid}")), of("HOME").unwrap_or_else(|| "/".to_owned()))
    });
    (uid, name, home)
}

/// The real clock. A cluster lets virtual time follow it.
#[expect(clippy::disallowed_methods, reason = "this is where virtual time meets the real one")]
#[must_use]
pub fn real_now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Seconds since 1970 by the real clock.
#[expect(clippy::disallowed_methods, reason = "the virtual clock starts at the real date")]
#[must_use]
pub fn real_date() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::SystemTime::UNIX_EPOCH);
    since.map_or(0, |span| i64::try_from(span.as_secs()).unwrap_or(0))
}
