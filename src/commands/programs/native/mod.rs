//! C, C++, CUDA and Fortran programs that are computed, as the first programs of every guide: they print ranks, sizes,
//! hosts and threads of the allocation that they run in.
//!
//! The compilers (`cc`) put the sources into the program's file. When it starts, its `main` is interpreted with the rank,
//! the threads and the GPUs of the process. Threads and the threads of a GPU run one after the other; ranks that send
//! each other messages are run again and again until the own one ends. Everything is bounded, and a program with
//! anything unknown in it is not computed at all: it runs as a model that says so.

mod calls;
pub mod cc;
mod check;
mod check_fortran;
mod cuda;
mod facts;
mod fixed_form;
mod fortran;
mod fortran_expr;
mod fortran_lex;
mod lex;
mod loops;
mod memory;
mod mpi;
mod parse;
mod parse_expr;
mod preprocess;
mod random;
mod run;
mod system;
mod tree;
mod value;
mod world;
mod write;

use base::ids::Pid;
use facts::HostFacts;
use host::model::plan::{WorkTime, sim_line};
use host::model::{Model, ModelContext, ModelInputs, ModelPlan};
use host::{Exec, Kernel, path};
use std::collections::BTreeMap;

/// The first line of a compiled program, before the names of its sources.
const HEAD: &str = "\u{7f}ELF sandbatch: a model of ";
/// The line before each source, and the line of a program compiled with OpenMP.
const SOURCE: &str = "sandbatch: source ";
const OPENMP: &str = "sandbatch: openmp";
/// The largest program, in bytes.
const MAX_PROGRAM: usize = 1 << 20;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Cxx,
    Cuda,
    Fortran,
    /// Fortran in columns.
    OldFortran,
    /// One that is compiled, but not read.
    Other,
}

const LANGUAGES: &[(&str, Language)] = &[
    ("c", Language::C),
    ("cc", Language::Cxx),
    ("cpp", Language::Cxx),
    ("cxx", Language::Cxx),
    ("C", Language::Cxx),
    ("cu", Language::Cuda),
    ("f", Language::OldFortran),
    ("for", Language::OldFortran),
    ("F", Language::OldFortran),
    ("f77", Language::OldFortran),
    ("f90", Language::Fortran),
    ("F90", Language::Fortran),
    ("f95", Language::Fortran),
    ("f03", Language::Fortran),
    ("f08", Language::Fortran),
    ("java", Language::Other),
    ("s", Language::Other),
];

/// A compiler and how it was called.
struct CompilerFacts {
    name: String,
    cxx: bool,
    mpi: bool,
    cuda: bool,
    openmp: bool,
    /// Whether it was called with a directory for headers.
    searches: bool,
    /// The files in the directory of the source.
    local_files: Vec<String>,
}

/// A source in a program: its language by the ending of its name, and its text.
type CompiledSource<'t> = (&'t str, &'t str);

fn language(ending: &str) -> Option<Language> {
    LANGUAGES.iter().find(|known| known.0 == ending).map(|known| known.1)
}

/// The sources in a program's file, and whether it was compiled with OpenMP.
fn sources(program: &str) -> (Vec<CompiledSource<'_>>, bool) {
    let (mut all, mut openmp, mut rest) = (Vec::new(), false, program);
    while let Some((line, after)) = rest.split_once('\n') {
        openmp |= line == OPENMP;
        rest = after;
        let Some((ending, length)) = line.strip_prefix(SOURCE).and_then(|what| what.split_once(' ')) else {
            continue;
        };
        let length = length.parse().unwrap_or(0);
        let Some((text, after)) = rest.split_at_checked(length) else { break };
        all.push((ending, text));
        rest = after;
    }
    (all, openmp)
}

/// The computed run of a compiled program. None if the file is none, if `#SIM` lines describe it, or if something in it
/// is not computed.
#[must_use]
pub fn start(kernel: &Kernel, pid: Pid, exec: &Exec, setting: ModelInputs) -> Option<Model> {
    let process = kernel.process(pid)?;
    let data = kernel.fs.read(process.origin.uid, &path::resolve(&process.cwd, &exec.path)).ok()?;
    if !data.starts_with(HEAD.as_bytes()) || data.len() > MAX_PROGRAM {
        return None;
    }
    let text = String::from_utf8_lossy(&data);
    let script = setting.script.map(String::from_utf8_lossy).unwrap_or_default();
    let has_sim_line = |text: &str| text.lines().any(|line| sim_line(line).is_some());
    if has_sim_line(&script)
        || has_sim_line(&text)
        || kernel.fs.read(process.origin.uid, &format!("{}.sim", exec.path)).is_ok()
    {
        return None;
    }
    let context = ModelContext::of(kernel, pid, exec);
    let hardware = kernel.hardware(&process.origin.host);
    let gpus = context.gpus.iter().filter_map(|real| {
        let gpu = hardware?.gpus.get(usize::try_from(*real).ok()?)?;
        Some((*real, gpu.clone()))
    });
    let facts = HostFacts {
        now: setting.now,
        pid: i64::from(pid.0),
        gpus: gpus.collect(),
        hosts: facts::hosts(&context),
    };
    let ended = run_all(&text, &context, &facts)?;
    let mut plan = ModelPlan { time: Some((ended.at, ended.at)), exit: ended.exit, ..ModelPlan::default() };
    plan.lines = ended.lines.into_iter().map(|(at, fd, line)| (WorkTime::After(at), fd, line)).collect();
    Some(Model::of(&plan, &context, setting.seed))
}

/// Runs the sources of a program together.
fn run_all(text: &str, context: &ModelContext, facts: &HostFacts) -> Option<world::Ended> {
    let (sources, openmp) = sources(text);
    let mut whole = parse::SourceProgram { functions: BTreeMap::new(), globals: Vec::new() };
    for (ending, source) in sources {
        let program = match language(ending)? {
            Language::C | Language::Cxx | Language::Cuda => parse::program(&lex::tokens(source)?, openmp)?,
            Language::Fortran => fortran::program(source, openmp)?,
            Language::OldFortran => fortran::program(&fixed_form::free(source), openmp)?,
            Language::Other => return None,
        };
        whole.functions.extend(program.functions);
        whole.globals.extend(program.globals);
    }
    let ended = world::run(&whole, context, facts, openmp)?;
    // Lines of models replace `$n` and the like.
    (!ended.lines.iter().any(|line| line.2.contains('$'))).then_some(ended)
}

#[cfg(test)]
mod tests;
