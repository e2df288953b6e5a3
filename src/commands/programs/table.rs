//! Table entries of these programs, sorted by name; the models' entries; files that the scripts need.

use super::native::cc;
use super::{nvidia_smi, partition_stats};
use crate::CommandKind::{Machine, Once, Script};
use crate::{CommandEntry, CommandKind};
use host::model::programs::PROGRAMS;
use std::sync::LazyLock;

const fn row(name: &'static str, summary: &'static str, kind: CommandKind) -> CommandEntry {
    CommandEntry { name, summary, kind }
}

const CC: CommandKind = Once(cc::run);
const SMALL: CommandKind = Script("small");
const COMPILER: &str = "a compiler: short programs are computed, others run as models";

/// The table entries, sorted by name.
pub const TABLE: &[CommandEntry] = &[
    row("apptainer", "containers for clusters", Script("apptainer")),
    row("cc", COMPILER, CC),
    row("clang", COMPILER, CC),
    row("clang++", COMPILER, CC),
    row("conda", "environments of programs", Script("conda")),
    row("curl", "transfer a URL (there is no network)", Script("wget")),
    row("envsubst", "substitute variables in a text", SMALL),
    row("firefox", "a browser of a Desktop: the text of a page of its own host", Script("wget")),
    row("flock", "run a command under a lock", SMALL),
    row("ftn", COMPILER, CC),
    row("g++", COMPILER, CC),
    row("gcc", COMPILER, CC),
    row("getconf", "the system's configuration", SMALL),
    row("gfortran", COMPILER, CC),
    row("git", "version control (there is no network)", Script("git")),
    row("glost_launch", "a list of serial jobs, dealt to the ranks of an MPI job", Script("glost_launch")),
    row("icc", COMPILER, CC),
    row("icpx", COMPILER, CC),
    row("icx", COMPILER, CC),
    row("ifort", COMPILER, CC),
    row("ifx", COMPILER, CC),
    row("ionice", "run a program with an I/O priority", SMALL),
    row("javac", COMPILER, CC),
    row("lsb_release", "the distribution", SMALL),
    row("make", "make programs from rules", Script("make")),
    row("mamba", "environments of programs", Script("conda")),
    row("mpic++", COMPILER, CC),
    row("mpicc", COMPILER, CC),
    row("mpicxx", COMPILER, CC),
    row("mpiexec", "run MPI programs", Script("mpirun")),
    row("mpif90", COMPILER, CC),
    row("mpifort", COMPILER, CC),
    row("mpiicc", COMPILER, CC),
    row("mpiifort", COMPILER, CC),
    row("mpirun", "run MPI programs", Script("mpirun")),
    row("nvcc", COMPILER, CC),
    row("nvidia-smi", "GPUs of this host, their load and processes", Machine(nvidia_smi::start)),
    row("parallel", "run jobs in parallel (GNU parallel)", Script("parallel")),
    row(
        "partition-stats",
        "jobs and nodes by kind of node and longest time (a tool of some sites)",
        Once(partition_stats::run),
    ),
    row("pip", "packages of Python", Script("pip")),
    row("pip3", "packages of Python", Script("pip")),
    row("shasum", "compute and check SHA message digest", SMALL),
    row("singularity", "containers for clusters", Script("apptainer")),
    row("stdbuf", "run a program with other buffers", SMALL),
    row("time", "run a program and tell what it used", SMALL),
    row("virtualenv", "environments of Python", Script("virtualenv")),
    row("wget", "download files (there is no network)", Script("wget")),
];

/// Programs that only the sites that name them have (`tools` of site.toml).
pub const SITE_TOOLS: &[&str] = &["partition-stats"];

/// Further files: path, script.
pub const FILES: &[(&str, &str)] = &[
    ("/usr/share/lmod/lmod/libexec/lmod", "lmod"),
    ("/usr/share/sandbatch/conda-installer.sh", "conda-installer"),
    ("/usr/share/sandbatch/conda.sh", "conda-functions"),
    ("/usr/share/sandbatch/orted", "orted"),
    ("/usr/share/sandbatch/packages", "packages"),
    ("/usr/bin/run-singularity", "apptainer"),
    ("/usr/bin/activate", "activate"),
];

/// Programs that run as models.
pub static MODELS: LazyLock<Vec<CommandEntry>> =
    LazyLock::new(|| PROGRAMS.iter().map(|p| row(p.name, p.summary, CommandKind::Model)).collect());
