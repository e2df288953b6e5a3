//! `sandbatch snippets`: creates the folder that describes a site in the Carpentries' introduction to HPC, from the
//! output of a simulated cluster.
//!
//! The lesson includes one file for each output or script of its episodes (`_includes/snippets_library/SITE/`). Every output
//! here is printed by the site's world; the texts between outputs are ours.

mod recorder;
mod texts;

use super::site::Site;
use super::{args, out, site};
use clap::Args;
use recorder::Recorder;
use std::path::{Path, PathBuf};

/// `sandbatch snippets`.
#[derive(Args, Debug, PartialEq, Eq)]
#[command(after_help = "Examples:
  sandbatch snippets --site lab
  sandbatch snippets --site ./mysite --out hpc-intro/_includes/snippets_library/mysite_slurm")]
pub struct SnippetsArgs {
    /// Built-in site or directory
    #[arg(long, value_name = "DIR|NAME")]
    pub site: String,
    /// User who takes the course [default: the site's first user]
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Folder to write [default: SITE_slurm]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// A snippet: its path and its text.
pub type Snippet = (&'static str, String);

/// Writes the folder. Existing files of these names are replaced; others stay.
///
/// # Errors
/// The site cannot be read, a command of the course fails there, or a file cannot be written.
pub fn run(options: &SnippetsArgs) -> Result<u8, String> {
    let (name, files) = site::load(&Site::named(&options.site))?;
    let snippets = all(&name, &files, options.user.as_deref())?;
    let dir = options.out.clone().unwrap_or_else(|| format!("{name}_slurm").into());
    for (path, text) in &snippets {
        let file = dir.join(path);
        let problem = |e: std::io::Error| format!("{}: {e}", file.display());
        std::fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).map_err(problem)?;
        std::fs::write(&file, text).map_err(problem)?;
    }
    out::print(&format!("{}: {} files\n", dir.display(), snippets.len()))?;
    Ok(0)
}

/// All snippets of a site.
///
/// # Errors
/// The site has no such user, or a command of the course fails there.
pub fn all(name: &str, files: &config::SiteFiles, user: Option<&str>) -> Result<Vec<Snippet>, String> {
    let mut cluster = Recorder::new(name, files, user, args::START)?;
    let partition = cluster.partition()?;
    let mut snippets = cluster_snippets(&mut cluster)?;
    snippets.extend(scheduler(&mut cluster, &partition)?);
    snippets.extend(modules(&mut cluster)?);
    snippets.extend([
        ("parallel/one-task-jobscript.snip", texts::job("solo-job", 1, "amdahl")),
        ("parallel/four-tasks-jobscript.snip", texts::job("parallel-job", 4, "mpiexec amdahl")),
        ("parallel/eight-tasks-jobscript.snip", texts::job("parallel-job", 8, "mpiexec amdahl")),
    ]);
    snippets.extend([
        ("resources/account-history.snip", output(&cluster.run("sacct")?)),
        ("resources/hist-fields.snip", texts::FIELDS.to_owned()),
        ("resources/monitor-processes-top.snip", output(&cluster.run("top -b -n 1 | head -n 15")?)),
        ("resources/system-memory-free.snip", output(&cluster.run("free -h")?)),
    ]);
    let node = cluster.run(&format!("srun -p {partition} -t 1 hostname"))?;
    snippets.push(("_config_options.yml", texts::options(name, &cluster, &partition, node.trim())));
    Ok(snippets)
}

fn cluster_snippets(cluster: &mut Recorder) -> Result<Vec<Snippet>, String> {
    let nodes = texts::NODES.replace("OUTPUT", &output(&cluster.run("sinfo -o \"%n %c %m\" | column -t")?));
    Ok(vec![
        ("cluster/queue-info.snip", output(&cluster.run("sinfo")?)),
        ("cluster/root-folders.snip", output(&cluster.run("ls /")?)),
        ("cluster/specific-node-info.snip", texts::quoted("Explore a worker node", &nodes)),
    ])
}

/// The episode on the scheduler, in its order, so that job IDs grow as in the lesson.
fn scheduler(cluster: &mut Recorder, partition: &str) -> Result<Vec<Snippet>, String> {
    let me = cluster.user().to_owned();
    let squeue = format!("squeue -u {me}");
    let submit = format!("sbatch -p {partition} ");
    cluster.save(
        "example-job.sh",
        "#!/bin/bash\n#SBATCH -t 00:01:00\necho -n \"This script is running on \"\nhostname\nsleep 30\n",
    );
    cluster.save("long_job.sh", "#!/bin/bash\n#SBATCH -J long_job\n#SBATCH -t 00:01:00\necho \"This script is running on ...\"\nsleep 240\n");
    let submitted = output(&cluster.run(&format!("{submit}example-job.sh"))?);
    cluster.advance(5);
    let status = output(&cluster.run(&squeue)?);
    cluster.advance(60);
    cluster.run(&format!("{submit}-J hello-world example-job.sh"))?;
    cluster.advance(2);
    let named = output(&cluster.run(&squeue)?);
    cluster.advance(60);
    let job = cluster.submit(&format!("{submit}long_job.sh"))?;
    // A job may exceed its limit until slurmctld next checks limits.
    cluster.advance(240);
    let exceeded = cluster.run(&format!("cat slurm-{job}.out"))?;
    let begun = cluster.run(&format!("{submit}long_job.sh"))?;
    let last: u32 = begun.split_whitespace().last().and_then(|id| id.parse().ok()).ok_or("no job ID")?;
    cluster.advance(2);
    let begun = format!("{begun}\n{}", cluster.run(&squeue)?);
    cluster.run(&format!("scancel {last}"))?;
    cluster.advance(60);
    let cancelled = cluster.run(&squeue)?;
    let variables = cluster.run_job(partition, "echo $SLURM_SUBMIT_DIR")?;
    let node = cluster.run(&format!("srun -p {partition} -t 1 hostname"))?;
    Ok(vec![
        ("scheduler/basic-job-script.snip", submitted),
        ("scheduler/basic-job-status.snip", format!("{status}\n{}", texts::STATES)),
        ("scheduler/job-with-name-status.snip", named),
        ("scheduler/option-flags-list.snip", texts::FLAGS.to_owned()),
        (
            "scheduler/print-sched-variables.snip",
            texts::quoted(
                "Job environment variables",
                &texts::VARIABLES.replace("OUTPUT", &output(&variables)),
            ),
        ),
        ("scheduler/runtime-exceeded-job.snip", texts::command(&format!("cat slurm-{job}.out"))),
        ("scheduler/runtime-exceeded-output.snip", output(&exceeded)),
        ("scheduler/terminate-job-begin.snip", output(&begun)),
        ("scheduler/terminate-job-cancel.snip", output(&cancelled)),
        ("scheduler/terminate-multiple-jobs.snip", texts::quoted("Cancel several jobs", texts::SEVERAL)),
        ("scheduler/using-nodes-interactively.snip", texts::INTERACTIVE.replace("OUTPUT", &output(&node))),
    ])
}

fn modules(cluster: &mut Recorder) -> Result<Vec<Snippet>, String> {
    let load = "module load python >/dev/null 2>&1; ";
    let python = cluster.run(&format!("{load}command -v python3"))?;
    let folder = python.trim().rsplit_once('/').map_or("/usr/bin", |(dir, _)| dir).to_owned();
    Ok(vec![
        ("modules/available-modules.snip", output(&cluster.run("module avail 2>&1")?)),
        ("modules/default-modules.snip", output(&cluster.run("module list 2>&1")?)),
        (
            "modules/missing-python.snip",
            texts::MISSING.replace(
                "OUTPUT",
                &output(&cluster.run("PATH=/none; command -v python3 || echo 'python3: command not found'")?),
            ),
        ),
        (
            "modules/module-load-python.snip",
            texts::command("module load {{ site.remote.module_python3 }}\nwhich python3"),
        ),
        ("modules/python-executable-dir.snip", output(&python)),
        ("modules/python-ls-dir-command.snip", texts::command(&format!("ls {folder}"))),
        ("modules/python-ls-dir-output.snip", output(&cluster.run(&format!("ls {folder} | head -n 24"))?)),
        ("modules/python-module-path.snip", output(&cluster.run(&format!("{load}echo $PATH"))?)),
        (
            "modules/software-dependencies.snip",
            texts::LOADED.replace("OUTPUT", &output(&cluster.run(&format!("{load}module list 2>&1"))?)),
        ),
        (
            "modules/wrong-gcc-version.snip",
            texts::GCC.replace(
                "OUTPUT",
                &output(&cluster.run("module load gcc >/dev/null 2>&1; module list 2>&1")?),
            ),
        ),
    ])
}

/// A block of output in the lesson's markup.
fn output(text: &str) -> String {
    format!("```\n{}\n```\n{{: .output}}\n", text.trim_start_matches('\n').trim_end())
}
