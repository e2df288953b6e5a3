//! A controller for a replay: a site's files, and the additional files of Slurm simulators.

use crate::world::{UPTIME, World};
use base::diagnostic::Diagnostic;
use base::time::Time;
use config::SiteFiles;
use slurmctld::Slurmctld;

/// The start of replays and of the command line's clusters, unless the user chooses another: `2026-11-21T05:54:00`.
pub const START: Time = Time::from_secs(1_795_240_440);

/// Starts a site's controller. Besides the usual files, `users.sim` (lines `name:uid:group:gid`) defines users
/// and `sacctmgr.script` (sacctmgr commands) creates accounts.
#[must_use]
pub fn controller(name: &str, files: &SiteFiles, now: Time) -> (Slurmctld, Vec<Diagnostic>) {
    let (world, diagnostics) = World::new(name, &translated(files), 1, now);
    (world.ctld, diagnostics)
}

/// The files with `users` and `accounts.sh` in place of the additional files of Slurm simulators.
pub(super) fn translated(files: &SiteFiles) -> SiteFiles {
    let mut files = files.clone();
    if !files.0.contains_key("users")
        && let Some(people) = files.0.get("users.sim")
    {
        let names: Vec<&str> = people.lines().filter_map(|l| l.split(':').next()).collect();
        let names = names.join("\n");
        files.0.insert("users".to_owned(), names);
    }
    if !files.0.contains_key("accounts.sh")
        && let Some(script) = files.0.get("sacctmgr.script")
    {
        let accounts = accounts(script);
        files.0.insert("accounts.sh".to_owned(), accounts);
    }
    files
}

/// Starts a site's controller on the whole second before `now`, so that its background loop ticks on whole seconds.
///
/// Recorded from 26.05.3: 1039 of 1050 jobs started in a later second than that of their submission. Starts of the same
/// pass are recorded in two adjacent seconds now and then: that pass began at the turn of a second.
#[must_use]
pub fn controller_on_whole_seconds(name: &str, files: &SiteFiles, now: Time) -> (Slurmctld, Vec<Diagnostic>) {
    let boot = Time::from_secs(now.secs() - 1);
    controller(name, files, boot + UPTIME)
}

/// Turns sacctmgr commands into a shell script.
fn accounts(script: &str) -> String {
    let mut text = String::new();
    for line in script.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        text += "sacctmgr -Q -i";
        for word in line.split_whitespace() {
            text += " '";
            text += &word.replace('\'', "'\\''");
            text.push('\'');
        }
        text.push('\n');
    }
    text + "true\n"
}
