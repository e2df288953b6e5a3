//! The scripts that `scontrol update` writes if a job's size changes: they update the shell's variables.

use crate::Cx;
use base::ids::JobId;
use slurmctld::jobenv::folded;

/// A variable of the job with its value; `None`: its value is unknown after the change.
type JobVariable = (&'static str, Option<String>);

/// Writes `slurm_job_ID_resize.sh` and `.csh` and prints how to use them. Runs only within the job, whose
/// environment they update.
pub fn scripts(cx: &mut Cx, id: u32) -> Result<(), String> {
    if !cx.env.contains_key("SLURM_JOB_ID") {
        return Ok(());
    }
    let Some(settings) = settings(cx, id) else { return Ok(()) };
    let names = [format!("slurm_job_{id}_resize.sh"), format!("slurm_job_{id}_resize.csh")];
    let texts = [text(&settings, "export ", "=", "unset "), text(&settings, "setenv ", " ", "unsetenv ")];
    for (name, text) in names.iter().zip(texts) {
        let failed = |errno| format!("Could not create file {name}: {errno}");
        cx.write_file(name, text.as_bytes()).map_err(failed)?;
        let (uid, path) = (cx.uid(), cx.path(name));
        cx.kernel.fs.chmod(uid, &path, 0o700).map_err(failed)?;
    }
    let [sh, csh] = names;
    cx.print(&format!(
        "To reset Slurm environment variables, execute\n  For bash or sh shells:  . ./{sh}\n  For csh shells:         source ./{csh}\n"
    ));
    Ok(())
}

/// The caller's variables with their current values.
fn settings(cx: &Cx, id: u32) -> Option<Vec<JobVariable>> {
    let job = cx.cluster.state().job(JobId(id))?;
    // A job whose nodes went to another job has none.
    let nodes = job.allocation.as_ref().map_or(&[][..], |a| a.nodes.as_slice());
    let list = Some(format!("\"{}\"", job.nodes_text));
    let count = Some(nodes.len().to_string());
    let cpus = Some(format!("\"{}\"", folded(nodes.iter().map(|n| n.usable))));
    let mut all = vec![
        ("SLURM_NODELIST", list.clone()),
        ("SLURM_JOB_NODELIST", list),
        ("SLURM_NNODES", count.clone()),
        ("SLURM_JOB_NUM_NODES", count),
        ("SLURM_JOB_CPUS_PER_NODE", cpus),
    ];
    all.retain(|(name, _)| cx.env.contains_key(*name));
    if cx.env.contains_key("SLURM_TASKS_PER_NODE") {
        all.extend(["SLURM_NPROCS", "SLURM_NTASKS", "SLURM_TASKS_PER_NODE"].map(|name| (name, None)));
    }
    Some(all)
}

fn text(settings: &[JobVariable], set: &str, is: &str, unset: &str) -> String {
    let line = |(name, value): &JobVariable| match value {
        Some(value) => format!("{set}{name}{is}{value}\n"),
        None => format!("{unset}{name}\n"),
    };
    settings.iter().map(line).collect()
}
