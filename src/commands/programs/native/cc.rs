//! gcc and other compilers: they check a source, and make a file that holds it.

use super::{
    CompilerFacts, HEAD, Language, OPENMP, SOURCE, check, fortran_lex, language, lex, preprocess, sources,
};
use crate::Cx;
use host::path;
use std::collections::BTreeMap;

/// Options with a separate value.
const TAKING: &[&str] = &[
    "-I",
    "-L",
    "-U",
    "-x",
    "-arch",
    "-ccbin",
    "-gencode",
    "-Xcompiler",
    "-Xlinker",
    "-MF",
    "-MT",
    "-MQ",
    "-isystem",
    "-include",
    "-d",
    "-cp",
    "-classpath",
    "-J",
    "-t",
];
/// Compilers that know MPI; `cc` and `ftn` are those of Cray's environment where a module says so.
const MPI: &[&str] = &[
    "mpicc", "mpic++", "mpicxx", "mpif90", "mpifort", "mpiicc", "mpiicpc", "mpiifort", "mpiicx", "mpiifx",
    "ftn",
];
/// The version in Debian.
const USUAL: &str = "12.2.0";

/// How a compiler was called.
#[derive(Default)]
struct CompilerCall {
    out: Option<String>,
    /// `-c`
    only: bool,
    /// `-shared`
    shared: bool,
    openmp: bool,
    searches: bool,
    mpi: bool,
    /// `-DNAME=VALUE`, as lines of the preprocessor.
    defines: String,
    files: Vec<String>,
}

/// Runs a compiler.
pub fn run(cx: &mut Cx) -> u8 {
    let me = cx.name().to_owned();
    if me == "nvcc" && cuda_version(cx).is_none() {
        cx.complain("bash: nvcc: command not found");
        return 127;
    }
    let args: Vec<String> = cx.args().to_vec();
    match args.first().map(String::as_str) {
        Some("--version" | "-V" | "-version") => {
            version(cx, &me);
            return 0;
        }
        Some("-dumpversion") => {
            let version = gnu_version(cx);
            cx.line(&version);
            return 0;
        }
        _ => {}
    }
    let call = match read(&args) {
        Ok(call) => call,
        Err(option) => {
            cx.error(&format!("{option}: not simulated in sandbatch"));
            return 127;
        }
    };
    match compile(cx, &me, &call) {
        Ok(()) => 0,
        Err(code) => code,
    }
}

fn read(args: &[String]) -> Result<CompilerCall, String> {
    let mut call = CompilerCall::default();
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        call.openmp |= arg.contains("openmp") || arg == "-mp";
        match arg.as_str() {
            "-o" => call.out = rest.next().cloned(),
            "-c" => call.only = true,
            "-shared" => call.shared = true,
            "-E" | "-S" | "-" | "-M" | "-MM" => return Err(arg.clone()),
            define if define.starts_with("-D") => {
                let attached = define.strip_prefix("-D").unwrap_or("");
                let what = if attached.is_empty() { rest.next().cloned() } else { Some(attached.to_owned()) };
                let what = what.unwrap_or_default();
                let (name, value) = what.split_once('=').unwrap_or((&what, "1"));
                call.defines += &format!("#define {name} {value}\n");
            }
            taking if TAKING.contains(&taking) => {
                call.searches |= matches!(taking, "-I" | "-isystem");
                let value = rest.next().map_or("", String::as_str);
                call.openmp |= value.contains("openmp");
                // nvcc calls another compiler.
                call.mpi |= taking == "-ccbin" && value.contains("mpi");
            }
            option if option.starts_with('-') => {
                call.searches |= option.starts_with("-I");
                if let Some(out) = option.strip_prefix("-o").filter(|out| !out.is_empty()) {
                    call.out = Some(out.to_owned());
                }
            }
            file => call.files.push(file.to_owned()),
        }
    }
    Ok(call)
}

/// The name that a compiler's messages begin with: wrappers call another one.
fn inner(me: &str) -> &str {
    match me {
        "cc" | "mpicc" | "mpiicc" => "gcc",
        "mpic++" | "mpicxx" | "mpiicpc" => "g++",
        "mpif90" | "mpifort" | "mpiifort" | "ftn" => "gfortran",
        other => other,
    }
}

fn compile(cx: &mut Cx, me: &str, call: &CompilerCall) -> Result<(), u8> {
    let name = inner(me).to_owned();
    if call.files.is_empty() {
        cx.complain(&format!("{name}: fatal error: no input files\ncompilation terminated."));
        return Err(1);
    }
    let compiler = CompilerFacts {
        cxx: matches!(name.as_str(), "g++" | "clang++" | "icpx"),
        mpi: MPI.contains(&me) || call.mpi || cray(cx),
        cuda: me == "nvcc",
        openmp: call.openmp,
        searches: call.searches,
        local_files: local_files(cx),
        name,
    };
    let mut parts = Vec::new();
    let mut failed = false;
    for file in &call.files {
        let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
        let Ok(data) = cx.read_file(file) else {
            let by = match language(ending) {
                Some(Language::C) => "cc1",
                Some(Language::Cxx) => "cc1plus",
                Some(Language::Fortran | Language::OldFortran) => "f951",
                Some(Language::Cuda | Language::Other) | None => compiler.name.as_str(),
            };
            if language(ending).is_some() {
                cx.complain(&format!(
                    "{by}: fatal error: {file}: No such file or directory\ncompilation terminated."
                ));
            } else {
                let end = "collect2: error: ld returned 1 exit status";
                cx.complain(&format!("/usr/bin/ld: cannot find {file}: No such file or directory\n{end}"));
            }
            return Err(1);
        };
        let text = String::from_utf8_lossy(&data).into_owned();
        if let Some(language) = language(ending) {
            let complaints = check::complaints(&compiler, file, language, &text);
            failed |= !complaints.is_empty();
            complaints.iter().for_each(|line| cx.complain(line));
            let defines = match language {
                Language::C | Language::Cxx | Language::Cuda => call.defines.as_str(),
                Language::Fortran | Language::OldFortran | Language::Other => "",
            };
            parts.push((file.clone(), object(ending, &format!("{defines}{text}"), call.openmp)));
        } else if let Some((_, object)) = text.split_once('\n').filter(|_| text.starts_with(HEAD)) {
            parts.push((file.clone(), object.to_owned()));
        } else if ending != "a" && ending != "so" {
            cx.complain(&format!("/usr/bin/ld:{file}: file format not recognized; treating as linker script\n/usr/bin/ld:{file}:1: syntax error\ncollect2: error: ld returned 1 exit status"));
            return Err(1);
        }
    }
    if failed {
        return Err(1);
    }
    if me == "javac" || call.only {
        for (file, part) in &parts {
            let stem = path::base_name(file).rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
            let usual = if me == "javac" { format!("{stem}.class") } else { format!("{stem}.o") };
            let out = call.out.clone().filter(|_| me != "javac").unwrap_or(usual);
            write(cx, &out, std::slice::from_ref(file), part, false)?;
        }
        return Ok(());
    }
    let all: String = parts.iter().map(|part| part.1.as_str()).collect();
    if let Some(missing) = undefined(&all, &compiler, call) {
        missing.lines().for_each(|line| cx.complain(line));
        return Err(1);
    }
    let names: Vec<String> = parts.into_iter().map(|part| part.0).collect();
    write(cx, call.out.as_deref().unwrap_or("a.out"), &names, &all, true)
}

/// A compiled source: its `#SIM` lines and its text.
fn object(ending: &str, text: &str, openmp: bool) -> String {
    let mut object = String::new();
    for line in text.lines() {
        if let Some((_, sim)) = line.split_once("#SIM ") {
            object += &format!("#SIM {}\n", sim.trim().trim_end_matches("*/").trim_end());
        }
    }
    if openmp {
        object += &format!("{OPENMP}\n");
    }
    object + &format!("{SOURCE}{ending} {}\n{text}\n", text.len())
}

fn write(cx: &mut Cx, out: &str, names: &[String], part: &str, runs: bool) -> Result<(), u8> {
    let text = format!("{HEAD}{}\n{part}", names.join(" "));
    // An old program is replaced, so that its permissions and what runs it stay out of it.
    if let Err(errno) = cx.write_file(out, text.as_bytes()) {
        cx.complain(&format!(
            "/usr/bin/ld: cannot open output file {out}: {errno}\ncollect2: error: ld returned 1 exit status"
        ));
        return Err(1);
    }
    if runs {
        let (uid, file, mode) = (cx.uid(), cx.path(out), cx.masked(0o777));
        let _ = cx.kernel.fs.chmod(uid, &file, mode);
    }
    Ok(())
}

/// How the linker's messages end.
const LD_FAILED: &str = "collect2: error: ld returned 1 exit status";

/// The first function of OpenMP that a Fortran source calls.
fn omp_call(source: &str) -> Option<String> {
    let lines = fortran_lex::statements(source, false, &mut BTreeMap::new())?;
    lines.iter().find_map(|line| {
        line.iter().zip(line.iter().skip(1)).find_map(|pair| match pair {
            (lex::Token::Name(name), lex::Token::Sign("(")) if name.starts_with("omp_") => Some(name.clone()),
            _ => None,
        })
    })
}

/// The linker's message about undefined symbols.
fn undefined(all: &str, compiler: &CompilerFacts, call: &CompilerCall) -> Option<String> {
    let (sources, _) = sources(all);
    let (mut main, mut omp) = (call.shared, None);
    for (ending, text) in sources {
        match language(ending) {
            Some(Language::C | Language::Cxx | Language::Cuda) => {
                let Some(tokens) = lex::tokens(text) else {
                    main = true;
                    continue;
                };
                // Macros may stand in for functions.
                let compiled = preprocess::compiled(&tokens, compiler.openmp);
                let tokens = compiled.unwrap_or_else(|| tokens.into_iter().map(|p| p.token).collect());
                for (at, token) in tokens.iter().enumerate() {
                    let lex::Token::Name(name) = token else { continue };
                    let called = tokens.get(at + 1) == Some(&lex::Token::Sign("("));
                    main |= called && name == "main";
                    if called && name.starts_with("omp_") && omp.is_none() {
                        omp = Some(name.clone());
                    }
                }
            }
            Some(Language::Fortran | Language::OldFortran) => {
                main = true;
                let free = super::fixed_form::free(text);
                let source = if language(ending) == Some(Language::OldFortran) { &free } else { text };
                let called = omp_call(source).filter(|_| !compiler.openmp);
                if let Some(name) = called {
                    let file = call.files.first().map_or("", String::as_str);
                    return Some(format!(
                        "/usr/bin/ld: {file}: in function `MAIN__':\n{file}: undefined reference to `{name}_'\n{LD_FAILED}"
                    ));
                }
            }
            Some(Language::Other) | None => main = true,
        }
    }
    let end = LD_FAILED;
    let file = call.files.first().map_or("", String::as_str);
    if let Some(name) = omp.filter(|_| !compiler.openmp) {
        return Some(format!(
            "/usr/bin/ld: {file}: in function `main':\n{file}: undefined reference to `{name}'\n{end}"
        ));
    }
    (!main).then(|| {
        format!("/usr/bin/ld: /usr/lib/x86_64-linux-gnu/Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n{end}")
    })
}

/// The names of the files in the current directory.
fn local_files(cx: &Cx) -> Vec<String> {
    cx.kernel.fs.list(cx.uid(), &cx.cwd()).unwrap_or_default()
}

/// A loaded module's version.
fn module(cx: &Cx, names: &[&str]) -> Option<String> {
    let loaded = cx.env.get("LOADEDMODULES")?;
    loaded.split(':').rev().find_map(|full| {
        let (name, version) = full.split_once('/')?;
        let known = names.contains(&name.to_ascii_lowercase().as_str());
        (known && version.starts_with(|c: char| c.is_ascii_digit())).then(|| version.to_owned())
    })
}

/// Whether a programming environment of Cray is loaded, in which every compiler knows MPI.
fn cray(cx: &Cx) -> bool {
    cx.env
        .get("LOADEDMODULES")
        .is_some_and(|all| all.split(':').any(|m| m.starts_with("cray-mpich") || m.starts_with("PrgEnv-")))
}

fn gnu_version(cx: &Cx) -> String {
    module(cx, &["gcc", "gnu", "foss"]).unwrap_or_else(|| USUAL.to_owned())
}

/// The version of the CUDA toolkit: of a loaded module, or of the active environment of conda.
fn cuda_version(cx: &mut Cx) -> Option<String> {
    if let Some(version) = module(cx, &["cuda", "cudatoolkit", "cuda-toolkit", "nvhpc", "cudacore"]) {
        return Some(version);
    }
    let named = cx.env.get("LOADEDMODULES").is_some_and(|all| all.to_ascii_lowercase().contains("cuda"));
    let prefix = cx.env.get("CONDA_PREFIX").cloned();
    let history = prefix.and_then(|prefix| cx.read_file(&format!("{prefix}/conda-meta/history")).ok());
    let history = history.map(|data| String::from_utf8_lossy(&data).into_owned()).unwrap_or_default();
    let of_conda = history.lines().rev().find_map(|line| {
        let (name, version) = line.split_once(' ')?;
        matches!(name, "cuda-toolkit" | "cuda" | "cuda-nvcc" | "cudatoolkit-dev").then(|| version.to_owned())
    });
    of_conda.or_else(|| named.then(|| "12.2.2".to_owned()))
}

fn version(cx: &mut Cx, me: &str) {
    match me {
        "nvcc" => {
            let version = cuda_version(cx).unwrap_or_default();
            let release: Vec<&str> = version.split('.').take(2).collect();
            cx.line("nvcc: NVIDIA (R) Cuda compiler driver");
            cx.line(&format!("Cuda compilation tools, release {}, V{version}", release.join(".")));
        }
        "javac" => cx.line(&format!(
            "javac {}",
            module(cx, &["java", "jdk", "openjdk"]).unwrap_or_else(|| "17.0.9".to_owned())
        )),
        "clang" | "clang++" => cx.line(&format!(
            "Debian clang version {}",
            module(cx, &["llvm", "clang"]).unwrap_or_else(|| "14.0.6".to_owned())
        )),
        "icc" | "ifort" | "icx" | "icpx" | "ifx" => {
            let version =
                module(cx, &["intel", "intel-oneapi-compilers"]).unwrap_or_else(|| "2023.2.1".to_owned());
            cx.line(&format!("{me} {version}"));
        }
        _ => {
            let name = inner(me);
            let (version, loaded) = (gnu_version(cx), module(cx, &["gcc", "gnu", "foss"]).is_some());
            let by = match (name, loaded) {
                ("gfortran", true) => "GNU Fortran (GCC)".to_owned(),
                ("gfortran", false) => "GNU Fortran (Debian 12.2.0-14)".to_owned(),
                (_, true) => format!("{name} (GCC)"),
                (_, false) => format!("{name} (Debian 12.2.0-14)"),
            };
            cx.line(&format!("{by} {version}"));
        }
    }
}
