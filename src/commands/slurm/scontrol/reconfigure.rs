//! `scontrol reconfigure`: the daemons re-read their configuration files.

use crate::Cx;
use base::ids::Uid;
use config::SiteFiles;
use host::fs::FileKind;
use slurmctld::request::{Request, Response};

/// The directory of the configuration files.
const DIR: &str = "/etc/slurm";
/// Parameters that take effect only at a restart of the daemons.
const AT_START: &[&str] = &["SlurmctldHost", "SlurmctldPort", "SlurmdPort", "SlurmUser", "StateSaveLocation"];

/// Runs `reconfigure`.
pub fn run(cx: &mut Cx) -> Result<(), String> {
    let files = files(cx);
    let before = cx.cluster.state().cluster.global.raw.clone();
    match cx.cluster.request(cx.uid(), Request::Reconfigure(files)) {
        Response::Err { error, messages } => {
            let with =
                |part: &str| messages.iter().filter_map(|m| Some(&m[m.find(part)?..])).collect::<Vec<_>>();
            // scontrol parses the files as well and stops at an error.
            let unknown = with("Parsing error at unrecognized key");
            let lines: String = match unknown.as_slice() {
                [] => messages.iter().map(|m| format!("scontrol: error: {m}\n")).collect(),
                keys => keys
                    .iter()
                    .map(|m| m.split(" (did you mean").next().unwrap_or(m))
                    .map(|m| format!("scontrol: error: _parse_next_key: {m}\n"))
                    .collect(),
            };
            // Only slurmctld looks at the nodes of partitions, and it does not say what is wrong with them.
            let nodes = with("Invalid node names in partition").len();
            if nodes > 0 && nodes == messages.len() {
                return Err("slurm_reconfigure error:Unspecified error".to_owned());
            }
            if !lines.is_empty() {
                return Err(format!("{lines}scontrol: fatal: Unable to process configuration file"));
            }
            return Err(format!("slurm_reconfigure error:{error}"));
        }
        Response::Ok
        | Response::Job { .. }
        | Response::WillRun { .. }
        | Response::Step(_)
        | Response::Reservation(_)
        | Response::PerTask(_)
        | Response::Accounting(_) => {}
    }
    let now = &cx.cluster.state().cluster.global.raw;
    let waits: Vec<&str> = AT_START.iter().filter(|k| before.get(**k) != now.get(**k)).copied().collect();
    if !waits.is_empty() {
        let names = waits.join(", ");
        cx.complain(&format!(
            "scontrol: {names}: a restart of the daemons would be needed for this to take effect"
        ));
    }
    Ok(())
}

/// The text files of the directory, parsed as by slurmctld.
fn files(cx: &Cx) -> SiteFiles {
    let mut files = SiteFiles::default();
    let fs = &cx.kernel.fs;
    for name in fs.list(Uid(0), DIR).unwrap_or_default() {
        let path = format!("{DIR}/{name}");
        let file = fs.stat(Uid(0), &path).is_ok_and(|s| s.kind == FileKind::File);
        if let Some(text) = fs.read(Uid(0), &path).ok().filter(|_| file) {
            files.0.insert(name, String::from_utf8_lossy(&text).into_owned());
        }
    }
    files
}
