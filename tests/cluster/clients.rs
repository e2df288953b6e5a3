//! Published clients of Slurm, unchanged, from PyPI. If the index is unreachable, the tests say so and pass.
//!
//! Each client has a virtual environment below `target/clients`, made once.

use crate::fixture::{Cluster, CommandOutput};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

/// The folder with the programs.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cluster/clients");

/// A virtual environment with these packages. None if they cannot be installed here.
pub fn environment(name: &str, packages: &[&str]) -> Option<PathBuf> {
    let dir = Path::new(SANDBATCH_TARGET).join("clients").join(name);
    let (made, python) = (dir.join("made"), dir.join("bin/python3"));
    let wanted = packages.join(" ");
    if std::fs::read_to_string(&made).is_ok_and(|text| text == wanted) {
        return Some(dir);
    }
    let installed = UV.as_ref().is_some_and(|uv| {
        done(Command::new(uv).args(["venv", "--quiet", "--clear", "--python", "python3"]).arg(&dir))
            && done(Command::new(uv).args(["pip", "install", "-q", "--python"]).arg(python).args(packages))
    });
    if !installed {
        eprintln!(
            "SKIPPED: {wanted} cannot be installed here (python3 with venv and the package index are needed)"
        );
        return None;
    }
    std::fs::write(&made, wanted).unwrap();
    Some(dir)
}

/// Whether a command succeeds. Versions that exclude each other are an error of the test.
fn done(command: &mut Command) -> bool {
    let Ok(output) = command.output() else { return false };
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!error.contains("No solution found"), "{command:?}: {error}");
    output.status.success()
}

/// uv, in a virtual environment of its own, because venv and pip take minutes for all these environments. None if it cannot be
/// installed here.
static UV: LazyLock<Option<PathBuf>> = LazyLock::new(|| {
    let dir = Path::new(SANDBATCH_TARGET).join("clients").join("uv");
    let (uv, python) = (dir.join("bin/uv"), dir.join("bin/python3"));
    let install = "-m pip install -q --retries 1 uv==0.13.9";
    let installed = done(Command::new(&uv).arg("--version"))
        || done(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&dir))
            && done(Command::new(python).args(install.split(' ')));
    installed.then_some(uv)
});

/// The build's directory for test files.
const SANDBATCH_TARGET: &str = env!("CARGO_TARGET_TMPDIR");

/// Runs a program with a client; its last line must be `ok`.
fn play(packages: &[&str], program: &str, options: &str) {
    let name = program.split('_').next().unwrap_or(program);
    let Some(dir) = environment(name, packages) else { return };
    let cluster = Cluster::up(options);
    let interpreter = if program.ends_with(".sh") { "bash" } else { "python3" };
    let script = format!(
        "export PATH={}/bin:$PATH USER=$(id -un); timeout 400 {interpreter} {PROGRAMS}/{program}",
        dir.display()
    );
    let done = cluster.run(&script);
    let CommandOutput { out, code, .. } = &done;
    assert!(*code == Some(0) && out.trim_end().ends_with("ok"), "{}\n{}\n{code:?}", done.out, done.err);
    cluster.out("scancel --me");
}

#[test]
fn slurmrestapi() {
    play(&["slurmrestapi==25.11.4.0"], "slurmrestapi_jobs.py", "--rest 127.0.0.1:0");
}

#[test]
fn slurmrestpy() {
    play(&["slurmrestpy==0.0.1"], "slurmrestpy_jobs.py", "--rest 127.0.0.1:0 --slurm-version 24.11");
}

#[test]
fn submitit() {
    play(&["submitit==1.5.4"], "submitit_jobs.py", "");
}

#[test]
fn simple_slurm() {
    play(&["simple_slurm==0.3.6"], "simple_slurm_jobs.py", "");
}

#[test]
fn dask_jobqueue() {
    play(&["dask-jobqueue==0.9.0", "distributed==2026.8.0"], "dask_jobqueue_jobs.py", "");
}

#[test]
fn parsl() {
    play(&["parsl==2026.10.26"], "parsl_jobs.py", "");
}

#[test]
fn snakemake() {
    let packages = ["snakemake==9.27.1", "snakemake-executor-plugin-slurm==2.8.0"];
    play(&packages, "snakemake_jobs.sh", "");
}

#[test]
fn psij() {
    play(&["psij-python==0.9.11"], "psij_jobs.py", "");
}

#[test]
fn executorlib() {
    // It pins pysqa 1.1.0.
    play(&["executorlib[cluster]==1.11.0"], "executorlib_jobs.py", "");
}

#[test]
fn qtoolkit() {
    play(&["qtoolkit==0.1.7"], "qtoolkit_jobs.py", "");
}

#[test]
fn reframe() {
    play(&["reframe-hpc==4.10.4"], "reframe_jobs.sh", "");
}

#[test]
fn autosubmit() {
    play(&["autosubmit==4.1.17.1", "asyncssh==2.24.1"], "autosubmit_jobs.sh", "");
}

#[test]
fn cylc() {
    play(&["cylc-flow==8.5.4"], "cylc_jobs.sh", "");
}

#[test]
fn pydra() {
    play(&["pydra==0.25"], "pydra_jobs.py", "");
}

#[test]
fn ipyparallel() {
    play(&["ipyparallel==9.2.0"], "ipyparallel_jobs.py", "");
}

#[test]
fn aiida() {
    play(&["aiida-core==2.9.4"], "aiida_jobs.py", "");
}
