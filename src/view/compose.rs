//! A batch script from a form: what a newcomer fills in, as the lines that Slurm reads.

/// What is run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kind {
    /// One command, perhaps with threads.
    #[default]
    Command,
    /// A program on several CPUs of one node.
    Threads,
    /// A program of several tasks, by srun.
    Mpi,
    /// The same command for each task of an array.
    Array,
    /// A session on a node that lasts as long as its job, as a portal (Open OnDemand) starts it.
    Desktop,
}

/// All of them, in the order of the form.
pub const KINDS: [Kind; 5] = [Kind::Command, Kind::Threads, Kind::Mpi, Kind::Array, Kind::Desktop];

/// The form.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Form {
    pub kind: Kind,
    pub name: String,
    /// Empty: the default partition.
    pub partition: String,
    pub hours: u32,
    pub minutes: u32,
    /// Tasks of an MPI program, of an array how many.
    pub tasks: u32,
    pub cpus: u32,
    pub gigabytes: u32,
    pub gpus: u32,
    pub command: String,
}

impl Default for Form {
    fn default() -> Self {
        Self {
            kind: Kind::Command,
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

/// What a Desktop's job runs.
const DESKTOP: &str = "# A terminal of this session: srun --jobid=$SLURM_JOB_ID --overlap --pty bash\n\
    # Its browser, in there: firefox http://localhost:3000\n\
    echo \"Desktop on $(hostname)\"\nsleep infinity\n";

/// The script.
#[must_use]
pub fn script(form: &Form) -> String {
    let mut out = String::from("#!/bin/bash\n");
    let mut option = |name: &str, value: String| out.push_str(&format!("#SBATCH --{name}={value}\n"));
    let array = form.kind == Kind::Array;
    option("job-name", safe_name(&form.name));
    option("output", if array { "%x_%A_%a.out" } else { "%x_%j.out" }.to_owned());
    if !form.partition.is_empty() {
        option("partition", form.partition.clone());
    }
    let minutes = form.hours.saturating_mul(60).saturating_add(form.minutes).max(1);
    option("time", format!("{:02}:{:02}:00", minutes / 60, minutes % 60));
    match form.kind {
        Kind::Mpi => option("ntasks", form.tasks.max(1).to_string()),
        Kind::Command | Kind::Threads | Kind::Array | Kind::Desktop => option("ntasks", "1".to_owned()),
    }
    if form.cpus > 1 {
        option("cpus-per-task", form.cpus.to_string());
    }
    match form.kind {
        // A program of several tasks may be spread over nodes: memory goes with its CPUs.
        Kind::Mpi => option("mem-per-cpu", format!("{}G", form.gigabytes.max(1))),
        Kind::Command | Kind::Threads | Kind::Array | Kind::Desktop => {
            option("mem", format!("{}G", form.gigabytes.max(1)));
        }
    }
    if form.gpus > 0 {
        let name = if form.kind == Kind::Mpi { "gpus-per-node" } else { "gpus" };
        option(name, form.gpus.to_string());
    }
    if array {
        option("array", format!("1-{}", form.tasks.max(1)));
    }
    out.push('\n');
    if form.kind == Kind::Threads {
        out.push_str("export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK\n");
    }
    let command = form.command.trim();
    match form.kind {
        Kind::Mpi => out.push_str(&format!("srun {command}\n")),
        Kind::Array => out.push_str(&format!("{command} $SLURM_ARRAY_TASK_ID\n")),
        Kind::Command | Kind::Threads => out.push_str(&format!("{command}\n")),
        Kind::Desktop => out.push_str(DESKTOP),
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_lines() {
        let plain = script(&Form::default());
        assert_eq!(
            plain,
            "#!/bin/bash\n#SBATCH --job-name=my_job\n#SBATCH --output=%x_%j.out\n#SBATCH --time=00:30:00\n\
             #SBATCH --ntasks=1\n#SBATCH --mem=1G\n\npython3 my_script.py\n"
        );
        let mpi = script(&Form {
            kind: Kind::Mpi,
            tasks: 8,
            gpus: 2,
            command: "./solve".into(),
            ..Form::default()
        });
        for line in ["--ntasks=8", "--mem-per-cpu=1G", "--gpus-per-node=2", "\nsrun ./solve\n"] {
            assert!(mpi.contains(line), "{line} in {mpi}");
        }
        let array =
            script(&Form { kind: Kind::Array, tasks: 20, partition: "gpu".into(), ..Form::default() });
        for line in ["--array=1-20", "--partition=gpu", "%x_%A_%a.out", "my_script.py $SLURM_ARRAY_TASK_ID\n"]
        {
            assert!(array.contains(line), "{line} in {array}");
        }
        let threads =
            script(&Form { kind: Kind::Threads, cpus: 6, hours: 26, minutes: 75, ..Form::default() });
        for line in ["--cpus-per-task=6", "--time=27:15:00", "OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK"] {
            assert!(threads.contains(line), "{line} in {threads}");
        }
    }

    #[test]
    fn a_desktop_lasts_as_long_as_its_job() {
        let desktop = script(&Form { kind: Kind::Desktop, hours: 2, minutes: 0, ..Form::default() });
        assert!(desktop.contains("--time=02:00:00") && desktop.ends_with("sleep infinity\n"), "{desktop}");
        assert!(!desktop.contains("my_script.py"), "{desktop}");
    }

    #[test]
    fn names_are_made_safe() {
        assert_eq!(safe_name(" a b/c\n"), "a_b_c");
        assert_eq!(safe_name(".."), "job");
        assert_eq!(safe_name("été"), "été");
        assert!(
            script(&Form { name: "x\n#SBATCH --account=z".into(), ..Form::default() }).contains("=x__SBATCH")
        );
    }
}
