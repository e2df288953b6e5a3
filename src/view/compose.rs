//! The composer: a batch script generated from a form.

/// Type of program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScriptKind {
    /// A single command.
    #[default]
    Command,
    /// A multithreaded program on one node.
    Threads,
    /// An MPI program started by srun.
    Mpi,
    /// The same command for each array task.
    Array,
    /// An interactive session on a node, as started by a portal such as Open OnDemand.
    Desktop,
}

/// All types, in the order of the form.
pub const KINDS: [ScriptKind; 5] =
    [ScriptKind::Command, ScriptKind::Threads, ScriptKind::Mpi, ScriptKind::Array, ScriptKind::Desktop];

/// Contents of the form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it; fields with a unit have a comment")]
pub struct ScriptForm {
    pub kind: ScriptKind,
    pub name: String,
    /// Empty for the default partition.
    pub partition: String,
    pub hours: u32,
    pub minutes: u32,
    /// MPI tasks, or number of array tasks.
    pub tasks: u32,
    pub cpus: u32,
    pub gigabytes: u32,
    pub gpus: u32,
    pub command: String,
}

impl Default for ScriptForm {
    fn default() -> Self {
        Self {
            kind: ScriptKind::Command,
            name: "my_job".to_owned(),
            partition: String::new(),
            hours: 0,
            minutes: 30,
            tasks: 4,
            cpus: 1,
            gigabytes: 1,
            gpus: 0,
            command: "python3 my_script.py".to_owned(),
        }
    }
}

/// A name that is safe in file names and options: letters, digits, `_`, `-`, `.`.
#[must_use]
pub fn safe_name(name: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    let name: String = name.trim().chars().take(60).map(safe).collect();
    if name.trim_matches('.').is_empty() { "job".to_owned() } else { name }
}

/// Commands of a desktop job.
const DESKTOP: &str = "# A terminal of this session: srun --jobid=$SLURM_JOB_ID --overlap --pty bash\n\
    # Its browser, in there: firefox http://localhost:3000\n\
    echo \"Desktop on $(hostname)\"\nsleep infinity\n";

/// Generates the script.
#[must_use]
pub fn script(form: &ScriptForm) -> String {
    let mut out = String::from("#!/bin/bash\n");
    let mut option = |name: &str, value: String| out.push_str(&format!("#SBATCH --{name}={value}\n"));
    let array = form.kind == ScriptKind::Array;
    option("job-name", safe_name(&form.name));
    option("output", if array { "%x_%A_%a.out" } else { "%x_%j.out" }.to_owned());
    if !form.partition.is_empty() {
        option("partition", form.partition.clone());
    }
    let minutes = form.hours.saturating_mul(60).saturating_add(form.minutes).max(1);
    option("time", format!("{:02}:{:02}:00", minutes / 60, minutes % 60));
    match form.kind {
        ScriptKind::Mpi => option("ntasks", form.tasks.max(1).to_string()),
        ScriptKind::Command | ScriptKind::Threads | ScriptKind::Array | ScriptKind::Desktop => {
            option("ntasks", "1".to_owned())
        }
    }
    if form.cpus > 1 {
        option("cpus-per-task", form.cpus.to_string());
    }
    match form.kind {
        // MPI tasks may be spread over nodes, so memory is requested per CPU.
        ScriptKind::Mpi => option("mem-per-cpu", format!("{}G", form.gigabytes.max(1))),
        ScriptKind::Command | ScriptKind::Threads | ScriptKind::Array | ScriptKind::Desktop => {
            option("mem", format!("{}G", form.gigabytes.max(1)));
        }
    }
    if form.gpus > 0 {
        let name = if form.kind == ScriptKind::Mpi { "gpus-per-node" } else { "gpus" };
        option(name, form.gpus.to_string());
    }
    if array {
        option("array", format!("1-{}", form.tasks.max(1)));
    }
    out.push('\n');
    if form.kind == ScriptKind::Threads {
        out.push_str("export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n");
    }
    let command = form.command.trim();
    match form.kind {
        ScriptKind::Mpi => out.push_str(&format!("srun {command}\n")),
        ScriptKind::Array => out.push_str(&format!("{command} $SLURM_ARRAY_TASK_ID\n")),
        ScriptKind::Command | ScriptKind::Threads => out.push_str(&format!("{command}\n")),
        ScriptKind::Desktop => out.push_str(DESKTOP),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_each_kind() {
        let plain = script(&ScriptForm::default());
        assert_eq!(
            plain,
            "#!/bin/bash\n#SBATCH --job-name=my_job\n#SBATCH --output=%x_%j.out\n#SBATCH --time=00:30:00\n\
             #SBATCH --ntasks=1\n#SBATCH --mem=1G\n\npython3 my_script.py\n"
        );
        let mpi = script(&ScriptForm {
            kind: ScriptKind::Mpi,
            tasks: 8,
            gpus: 2,
            command: "./solve".into(),
            ..ScriptForm::default()
        });
        for line in ["--ntasks=8", "--mem-per-cpu=1G", "--gpus-per-node=2", "\nsrun ./solve\n"] {
            assert!(mpi.contains(line), "{line} in {mpi}");
        }
        let array = script(&ScriptForm {
            kind: ScriptKind::Array,
            tasks: 20,
            partition: "gpu".into(),
            ..ScriptForm::default()
        });
        for line in ["--array=1-20", "--partition=gpu", "%x_%A_%a.out", "my_script.py $SLURM_ARRAY_TASK_ID\n"]
        {
            assert!(array.contains(line), "{line} in {array}");
        }
        let threads = script(&ScriptForm {
            kind: ScriptKind::Threads,
            cpus: 6,
            hours: 26,
            minutes: 75,
            ..ScriptForm::default()
        });
        for line in ["--cpus-per-task=6", "--time=27:15:00", "OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK"] {
            assert!(threads.contains(line), "{line} in {threads}");
        }
    }

    #[test]
    fn a_desktop_lasts_as_long_as_its_job() {
        let desktop =
            script(&ScriptForm { kind: ScriptKind::Desktop, hours: 2, minutes: 0, ..ScriptForm::default() });
        assert!(desktop.contains("--time=02:00:00") && desktop.ends_with("sleep infinity\n"), "{desktop}");
        assert!(!desktop.contains("my_script.py"), "{desktop}");
    }

    #[test]
    fn names_are_made_safe() {
        assert_eq!(safe_name(" a b/c\n"), "a_b_c");
        assert_eq!(safe_name(".."), "job");
        assert_eq!(safe_name("été"), "été");
        assert!(
            script(&ScriptForm { name: "x\n#SBATCH --account=z".into(), ..ScriptForm::default() })
                .contains("=x__SBATCH")
        );
    }
}
