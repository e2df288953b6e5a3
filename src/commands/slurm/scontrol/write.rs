//! `scontrol write batch_script` and `write config`.

use crate::Cx;
use crate::slurm::jobtext;
use base::ids::JobId;
use slurmctld::error::SlurmError;

/// `write batch_script ID [FILE|-]`, `write config [FILE]`.
pub fn run(cx: &mut Cx, args: &[&str]) -> Result<(), String> {
    let Some((what, rest)) = args.split_first() else {
        return Err("too few arguments for keyword:write".to_owned());
    };
    let lower = what.to_ascii_lowercase();
    match (lower.as_str(), rest) {
        (word, [id, rest @ ..]) if "batch_script".starts_with(word) => script(cx, id, rest.first().copied()),
        (word, []) if "batch_script".starts_with(word) => {
            Err("too few arguments for keyword:write".to_owned())
        }
        (word, rest) if "config".starts_with(word) => {
            config(cx, rest.first().copied());
            Ok(())
        }
        _ => Err(format!("invalid write argument:{what}")),
    }
}

fn script(cx: &mut Cx, id: &str, file: Option<&str>) -> Result<(), String> {
    let failed = |error: SlurmError| format!("job script retrieval failed: {error}");
    let spec = jobtext::parse_job(id).ok_or_else(|| failed(SlurmError::InvalidJobId))?;
    // The real scontrol prints these errors but exits with 0.
    let Some(job) = cx.cluster.state().jobs.get(JobId(spec.job)) else {
        cx.complain(&failed(SlurmError::InvalidJobId));
        return Ok(());
    };
    if job.uid() != cx.uid() && !cx.cluster.state().is_operator(cx.uid()) {
        cx.complain(&failed(SlurmError::UserIdMissing));
        return Ok(());
    }
    let script = job.desc.script.clone().ok_or_else(|| failed(SlurmError::JobScriptMissing))?;
    if file == Some("-") {
        cx.out.extend_from_slice(&script);
        return Ok(());
    }
    let name = file.map_or_else(|| format!("slurm-{id}.sh"), str::to_owned);
    cx.write_file(&name, &script)
        .map_err(|errno| format!("scontrol: error: failed to open file `{name}`: {errno}"))?;
    cx.line(&format!("batch script for job {id} written to {name}"));
    Ok(())
}

/// Writes slurmctld's current configuration; the file name ends in the date. A write error does not change the
/// exit code.
fn config(cx: &mut Cx, file: Option<&str>) {
    let state = cx.cluster.state();
    let now = cx.now.iso();
    let named = file.or_else(|| cx.env.get("SLURM_CONF_OUT").map(String::as_str));
    let name = format!("{}.{now}", named.unwrap_or(&state.cluster.conf_file));
    let rule = "#".repeat(60);
    let mut text = format!("{rule}\n#{:^58}#\n{rule}\n", format!("Configuration file for Slurm - {now}"));
    let written = |key: &&String| *key != config::MULTIPLE_SLURMD;
    for (key, value) in state.cluster.global.raw.iter().filter(|(key, _)| written(key)) {
        text += &format!("{key}={value}\n");
    }
    let conf = cx.read_file(&state.cluster.conf_file.clone()).unwrap_or_default();
    let lists = |line: &&str| {
        let lower = line.trim_start().to_ascii_lowercase();
        ["nodename=", "partitionname=", "nodeset=", "downnodes=", "include "]
            .iter()
            .any(|k| lower.starts_with(k))
    };
    for line in String::from_utf8_lossy(&conf).lines().filter(lists) {
        text += &format!("{line}\n");
    }
    match cx.write_file(&name, text.as_bytes()) {
        Ok(()) => cx.line(&format!("Slurm config saved to {name}")),
        Err(errno) => cx.complain(&format!("Could not create file {name}: {errno}")),
    }
}
