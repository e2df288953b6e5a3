//! Creates a model from a command line: selects its `#SIM` lines and evaluates them in its context.

use super::context::{ModelContext, is_runner};
use super::inline;
use super::plan::{ModelEnd, ModelFailure, ModelPlan, Threads, WorkTime, sim_line};
use super::programs;
use super::running::{Model, ModelAction, ScheduledAction};
use super::speed::Over;
use crate::kernel::GpuUse;
use crate::{Env, Errno, Exec, Kernel, path};
use base::hash::fnv1a;
use base::ids::Pid;
use base::order::StableSort as _;
use base::time::{Span, Time};

/// Inputs from outside the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelInputs<'a> {
    /// The job's script.
    pub script: Option<&'a [u8]>,
    /// The random seed.
    pub seed: u64,
    /// Start time.
    pub now: Time,
}

/// Number of steps between two points of the memory curve.
const MEMORY_STEPS: i64 = 5;
/// Set for a program that its interpreter does not compute.
const GIVEN_UP: &str = "SANDBATCH_MODEL";
/// Maximum size of a program file that is searched for `#SIM` lines.
const MAX_SOURCE: usize = 1 << 20;

impl Model {
    /// Creates a model of a command line.
    #[must_use]
    pub fn start(kernel: &Kernel, pid: Pid, exec: &Exec, setting: ModelInputs) -> Self {
        let context = ModelContext::of(kernel, pid, exec);
        if matches!(context.words.first().map(String::as_str), Some("--version" | "-V" | "-version" | "-v"))
            && let Some(program) = programs::find(&context.name)
        {
            return Self::saying(1, &version(program, &context.env), 0);
        }
        let source = match own_source(kernel, pid, exec, &context) {
            Ok(source) => source,
            Err(model) => return *model,
        };
        let script = setting.script.map(String::from_utf8_lossy).unwrap_or_default();
        let modelled =
            [&*script, &source].iter().any(|text| text.lines().any(|line| sim_line(line).is_some()));
        if !modelled && let Some(model) = short_program(&context, &source, setting.seed) {
            return model;
        }
        let mut plan = ModelPlan::default();
        programs::default_of(&context.name).lines().for_each(|line| plan.read(line, &context));
        plan.fit(context.memory);
        let guessed = (plan.time, plan.work);
        read_options(&mut plan, &context);
        plan.read_script(&script, &context, false);
        plan.read_script(&source, &context, false);
        plan.read_script(&script, &context, true);
        if !modelled && context.rank == 0 {
            // A successful exit must not be mistaken for a computed result.
            let file = context.file.as_deref().map_or(context.name.as_str(), path::base_name);
            let text = format!("{file}: simulated (not computed): see \"man sim\"");
            plan.lines.insert(0, (WorkTime::After(Span(0)), 2, text));
        }
        if guessed == (plan.time, plan.work) {
            plan.most = context.ends.map(|end| Span((end.0 - setting.now.0).max(0) / 10 * 8));
        }
        Self::of(&plan, &context, setting.seed)
    }

    /// Whether a Python program runs in the interpreter: no `#SIM` line describes it.
    #[must_use]
    pub fn is_computed(kernel: &Kernel, pid: Pid, exec: &Exec, setting: ModelInputs) -> bool {
        let context = ModelContext::of(kernel, pid, exec);
        let python =
            matches!(context.name.as_str(), "python" | "python3") || context.name.starts_with("python3.");
        if !python
            || matches!(
                context.words.first().map(String::as_str),
                Some("--version" | "-V" | "-VV" | "-h" | "--help")
            )
        {
            return false;
        }
        let script = setting.script.map(String::from_utf8_lossy).unwrap_or_default();
        let source = own_source(kernel, pid, exec, &context).unwrap_or_default();
        ![&*script, &source].iter().any(|text| text.lines().any(|line| sim_line(line).is_some()))
    }

    /// Whether a program of Perl or R is computed: no `#SIM` line describes it, and no interpreter has given it up.
    #[must_use]
    pub fn is_interpreted(kernel: &Kernel, pid: Pid, exec: &Exec, setting: ModelInputs) -> bool {
        let context = ModelContext::of(kernel, pid, exec);
        let first = context.words.first().map(String::as_str);
        let known = match context.name.as_str() {
            "perl" | "Rscript" => true,
            // With its echo, R is a model.
            "R" => context.words.iter().any(|w| matches!(w.as_str(), "--slave" | "--no-echo" | "-s")),
            _ => false,
        };
        if !known
            || context.env.contains_key(GIVEN_UP)
            || matches!(first, Some("--version" | "-v" | "-V" | "-h" | "--help"))
        {
            return false;
        }
        let script = setting.script.map(String::from_utf8_lossy).unwrap_or_default();
        let read =
            if gives_program(&context) { Ok(String::new()) } else { own_source(kernel, pid, exec, &context) };
        let Ok(source) = read else { return false };
        ![&*script, &source].iter().any(|text| text.lines().any(|line| sim_line(line).is_some()))
    }

    /// A program that prints a line and exits.
    #[must_use]
    pub fn saying(fd: u32, text: &str, exit: u8) -> Self {
        let mut plan = ModelPlan { time: Some((Span(0), Span(0))), exit, ..ModelPlan::default() };
        plan.lines.push((WorkTime::After(Span(0)), fd, text.to_owned()));
        Self::of(&plan, &ModelContext::default(), 0)
    }

    /// Evaluates a plan in a context.
    #[must_use]
    pub fn of(plan: &ModelPlan, context: &ModelContext, seed: u64) -> Self {
        let threads = match plan.threads {
            Threads::One => 1,
            Threads::Count(n) => n,
            Threads::Auto => context.threads,
        };
        let busy = threads.min(context.cpus.max(1));
        let duration = duration(plan, context, busy);
        let speaks = !plan.mpi || context.rank == 0;
        let mut model = Self::new(context, duration, plan.exit);
        model.load = busy * plan.cpu;
        model.reactions.clone_from(&plan.reactions);
        model.gpus = gpus(plan, context);
        model.serve.clone_from(&plan.serve);
        model.blind = plan.gpu.is_some() && model.gpus.is_empty();
        for why in plan.wrong.iter().filter(|_| speaks) {
            let text = format!("{}: #SIM: {why}", context.name);
            model.due.push_back(ScheduledAction::at(Span(0), ModelAction::Say(2, text)));
        }
        let lines = plan.lines.iter().filter(|_| speaks);
        model
            .due
            .extend(lines.map(|(when, fd, text)| due(*when, duration, ModelAction::Say(*fd, text.clone()))));
        let files = plan.files.iter().filter(|_| speaks);
        model.due.extend(
            files.map(|(w, file, text)| due(*w, duration, ModelAction::Write(file.clone(), text.clone()))),
        );
        for (at, mebibytes) in memory_steps(&plan.memory, duration) {
            model.due.push_back(ScheduledAction::at(at, ModelAction::Memory(mebibytes)));
        }
        if let Some((often, file)) = &plan.checkpoint {
            model.checkpoint = Some(checkpoint_file(file, context, plan.mpi));
            if speaks {
                model.due.push_back(due(*often, duration, ModelAction::Checkpoint));
            }
        }
        for (n, fail) in plan.fails.iter().enumerate() {
            model.due.extend(failure(fail, context, seed.wrapping_add(n as u64), duration));
        }
        model.due.make_contiguous().order_by_key(|d| d.at);
        model
    }
}

/// Modules that provide another version of a program.
const MODULES: &[(&str, &[&str])] = &[
    ("blast", &["blastn", "blastp", "blastx", "tblastn", "makeblastdb"]),
    ("bwa", &["bwa"]),
    ("ffmpeg", &["ffmpeg"]),
    ("gatk", &["gatk"]),
    ("gromacs", &["gmx", "gmx_mpi"]),
    ("java", &["java"]),
    ("julia", &["julia"]),
    ("namd", &["namd2"]),
    ("perl", &["perl"]),
    ("python", &["python", "python3"]),
    ("r", &["R", "Rscript"]),
    ("samtools", &["samtools"]),
];

/// The version that a program reports: that of its module, if one is loaded.
fn version(program: &programs::ModelProgram, env: &Env) -> String {
    let module = MODULES.iter().find(|(_, names)| names.contains(&program.name)).map(|(module, _)| *module);
    let loaded = env.get("LOADEDMODULES").map_or("", String::as_str).split(':').rev().find_map(|full| {
        let (name, version) = full.split_once('/')?;
        let own = module.is_some_and(|module| name.eq_ignore_ascii_case(module));
        (own && version.starts_with(|c: char| c.is_ascii_digit())).then_some(version)
    });
    let text = program.version;
    let word = text
        .split([' ', '"'])
        .find(|w| w.contains('.') && w.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit()));
    match (loaded, word.and_then(|word| text.split_once(word))) {
        (Some(version), Some((before, after))) => {
            let quote = if after.starts_with('"') { "\"" } else { "" };
            format!("{before}{version}{quote}")
        }
        (Some(_) | None, _) => text.to_owned(),
    }
}

/// A program given by `-c`, on standard input, or as a few lines of Python: simulated exactly, or it reports
/// that it is not.
fn short_program(context: &ModelContext, source: &str, seed: u64) -> Option<Model> {
    let python = context.name.starts_with("python");
    let text = match context.words.as_slice() {
        [option, text, ..] if option == "-c" && python => Some(text.as_str()),
        _ if gives_program(context) => None,
        [] if is_runner(&context.name) => None,
        [dash] if dash == "-" && python => None,
        _ if python && context.file.is_some() => {
            return inline::read(source, context).map(|plan| Model::of(&plan, context, seed));
        }
        _ => return None,
    };
    if let Some(plan) = text.and_then(|text| inline::read(text, context)) {
        return Some(Model::of(&plan, context, seed));
    }
    let why = if python && text.is_some() {
        "of such a program only print, time.sleep and a few questions are"
    } else {
        "programs are models, described by #SIM lines in a file"
    };
    Some(Model::saying(2, &format!("{0}: not simulated in sandbatch: {why} (man {0})", context.name), 127))
}

/// Whether the program text is an option, as for `perl -ne` or `Rscript --vanilla -e`.
fn gives_program(context: &ModelContext) -> bool {
    if !is_runner(&context.name) && context.name != "matlab" {
        return false;
    }
    let options = context.words.iter().take_while(|word| word.starts_with('-') && word.len() > 1);
    for option in options {
        let given = match context.name.as_str() {
            // Letters may be combined: `-lane`.
            "perl" | "ruby" => {
                !option.starts_with("--") && !option.starts_with("-I") && option.contains(['e', 'E'])
            }
            "matlab" => matches!(option.as_str(), "-batch" | "-r"),
            "java" => false,
            _ => matches!(option.as_str(), "-c" | "-e" | "-E" | "--eval"),
        };
        if given {
            return true;
        }
    }
    false
}

/// The text of the program's file and of the `.sim` file beside it, or the error exit of an interpreter that
/// cannot read it.
fn own_source(kernel: &Kernel, pid: Pid, exec: &Exec, context: &ModelContext) -> Result<String, Box<Model>> {
    let Some(process) = kernel.process(pid) else { return Err(Box::new(Model::saying(2, "", 1))) };
    let uid = process.origin.uid;
    let runs = is_runner(&context.name);
    let file = match (&context.file, runs) {
        (Some(file), _) => path::resolve(&process.cwd, file),
        (None, true) => return Ok(String::new()),
        (None, false) => exec.path.clone(),
    };
    // `java Main` runs Main.class.
    let class = context.name == "java" && kernel.fs.stat(uid, &file).is_err();
    let file = if class { format!("{file}.class") } else { file };
    let beside = kernel.fs.read(uid, &format!("{file}.sim"));
    let mut text = beside.map(|t| commented(&String::from_utf8_lossy(&t))).unwrap_or_default();
    match kernel.fs.read(uid, &file) {
        Ok(data) if data.len() <= MAX_SOURCE => text += &String::from_utf8_lossy(&data),
        Ok(_) => {}
        Err(error) => {
            let launcher = context.file.as_ref().filter(|_| runs);
            if let Some(name) = launcher {
                return unreadable(context, name, &file, error).map_or(Ok(text), |m| Err(Box::new(m)));
            }
        }
    }
    Ok(text)
}

/// Every line of a `.sim` file counts; the `#SIM` prefix is optional.
fn commented(text: &str) -> String {
    let line =
        |l: &str| if l.trim_start().starts_with('#') { format!("{l}\n") } else { format!("#SIM {l}\n") };
    text.lines().map(line).collect()
}

/// The error of an interpreter that cannot read its program; `None` if its argument need not be a file.
fn unreadable(context: &ModelContext, name: &str, full: &str, error: Errno) -> Option<Model> {
    let number = if error == Errno::EACCES { 13 } else { 2 };
    let (text, exit) = match context.name.as_str() {
        n if n.starts_with("python") || n == "ipython" => {
            (format!("{n}: can't open file '{full}': [Errno {number}] {error}"), 2)
        }
        "R" | "Rscript" => (format!("Fatal error: cannot open file '{name}': {error}"), 2),
        "julia" => (format!("ERROR: SystemError: opening file \"{full}\": {error}"), 1),
        "perl" => (format!("Can't open perl script \"{name}\": {error}"), 2),
        "java" if name.ends_with(".jar") => (format!("Error: Unable to access jarfile {name}"), 1),
        "java" => (
            format!(
                "Error: Could not find or load main class {name}\nCaused by: java.lang.ClassNotFoundException: {name}"
            ),
            1,
        ),
        "octave" | "ruby" | "torchrun" | "accelerate" | "deepspeed" => {
            (format!("{}: {name}: {error}", context.name), 2)
        }
        _ => return None,
    };
    Some(Model::saying(2, &text, exit))
}

/// Applies command-line options that set `#SIM` keys (`-t 8`).
fn read_options(plan: &mut ModelPlan, context: &ModelContext) {
    let Some(program) = programs::find(&context.name) else { return };
    for (i, word) in context.words.iter().enumerate() {
        for (option, key) in program.options {
            let attached = word.strip_prefix(option).map(|rest| rest.trim_start_matches('='));
            let value = match attached {
                Some("") => context.words.get(i + 1).map(String::as_str),
                Some(value) if option.len() == 2 || word.contains('=') => Some(value),
                Some(_) | None => None,
            };
            if let Some(value) = value {
                // An invalid value is left to the program.
                let (before, served) = (plan.wrong.len(), plan.serve.clone());
                plan.read(&format!("{key}={value}"), context);
                plan.wrong.truncate(before);
                if let (Some((usual, page)), Some((port, _))) = (served, &plan.serve) {
                    // Another port serves the same page, and its address is told.
                    let port = *port;
                    for line in &mut plan.lines {
                        line.2 = line.2.replace(&format!(":{usual}/"), &format!(":{port}/"));
                    }
                    plan.serve = Some((port, page));
                }
            }
        }
    }
}

/// Run time without delays. An estimated run time ends before the job's time limit, as in tested scripts.
fn duration(plan: &ModelPlan, context: &ModelContext, busy: u32) -> Span {
    let span = wanted(plan, context, busy);
    if span == super::keys::FOREVER { span } else { plan.most.map_or(span, |most| span.min(most)) }
}

fn wanted(plan: &ModelPlan, context: &ModelContext, busy: u32) -> Span {
    if let Some(work) = plan.work {
        let share = if plan.mpi { context.tasks.max(1) } else { 1 };
        let gpus = u32::try_from(gpus(plan, context).len()).unwrap_or(1).max(1);
        let over = plan.over.unwrap_or(if plan.gpu.is_some() { Over::Gpus } else { Over::Cpus });
        let units = match over {
            Over::Cpus => share.saturating_mul(busy),
            Over::Tasks => context.tasks,
            Over::Threads => busy,
            Over::Nodes => context.nodes,
            Over::Gpus => share.saturating_mul(gpus),
        };
        let speed = i64::try_from(plan.speedup.of(units)).unwrap_or(i64::MAX).max(1);
        let micros = i128::from(work.0) * 1000 / i128::from(speed);
        return Span(i64::try_from(micros).unwrap_or(i64::MAX));
    }
    let (from, to) = plan.time.unwrap_or_default();
    let seconds = u64::try_from((to.0 - from.0) / 1_000_000).unwrap_or(0);
    let mut words = vec![context.name.clone()];
    words.extend(context.words.iter().cloned());
    let more = fnv1a(words.join(" ").as_bytes()) % (seconds + 1);
    from + Span::from_secs(i64::try_from(more).unwrap_or(0))
}

/// The GPUs in use.
fn gpus(plan: &ModelPlan, context: &ModelContext) -> Vec<GpuUse> {
    let Some(load) = plan.gpu else { return Vec::new() };
    let count = plan.gpu_count.unwrap_or(1) as usize;
    let chosen = context.gpus.iter().skip(plan.gpu_device as usize).take(count);
    chosen.map(|index| GpuUse { index: *index, load, memory: plan.gpu_memory }).collect()
}

/// The checkpoint file, `train.py.ckpt`; independent tasks get one each.
fn checkpoint_file(file: &str, context: &ModelContext, mpi: bool) -> String {
    let program = context.file.as_deref().unwrap_or(&context.name);
    let name = if file.is_empty() { format!("{}.ckpt", path::base_name(program)) } else { file.to_owned() };
    if context.tasks > 1 && !mpi { format!("{name}.{}", context.rank) } else { name }
}

/// Converts a time to a position in the work.
fn moment(when: WorkTime, whole: Span) -> Span {
    let part = |millionths: u32| {
        let micros = i128::from(whole.0) * i128::from(millionths) / 1_000_000;
        Span(i64::try_from(micros).unwrap_or(i64::MAX))
    };
    match when {
        WorkTime::Part(p) | WorkTime::EachPart(p) => part(p),
        WorkTime::After(span) | WorkTime::Each(span) => span,
    }
}

/// Schedules an action once or repeatedly.
fn due(when: WorkTime, whole: Span, act: ModelAction) -> ScheduledAction {
    let at = moment(when, whole);
    match when {
        // Actions after the end run at the end.
        WorkTime::Part(_) | WorkTime::After(_) => ScheduledAction::at(at.min(whole), act),
        WorkTime::EachPart(_) | WorkTime::Each(_) => {
            ScheduledAction { every: Some(at.max(Span(1000))), ..ScheduledAction::at(at, act) }
        }
    }
}

/// Interpolates the memory curve in steps.
fn memory_steps(points: &[(WorkTime, u64)], whole: Span) -> Vec<(Span, u64)> {
    let mut at: Vec<(Span, u64)> =
        points.iter().map(|(when, m)| (moment(*when, whole).min(whole), *m)).collect();
    at.order_by_key(|p| p.0);
    let mut steps: Vec<(Span, u64)> = at.first().map(|first| (Span(0), first.1)).into_iter().collect();
    for pair in at.windows(2) {
        let [(from, low), (to, high)] = pair else { continue };
        for step in 1..=MEMORY_STEPS {
            let span = Span(from.0 + (to.0 - from.0) / MEMORY_STEPS * step);
            let rise = i128::from(*high) - i128::from(*low);
            let mebibytes = i128::from(*low) + rise * i128::from(step) / i128::from(MEMORY_STEPS);
            steps.push((span, u64::try_from(mebibytes).unwrap_or(0)));
        }
    }
    steps
}

/// Draws whether and when a failure occurs.
fn failure(fail: &ModelFailure, context: &ModelContext, seed: u64, whole: Span) -> Option<ScheduledAction> {
    let mut words = context.words.clone();
    words.extend([context.name.clone(), context.job.clone(), seed.to_string()]);
    let dice = fnv1a(words.join("\0").as_bytes());
    if dice % 1_000_000 >= u64::from(fail.chance) {
        return None;
    }
    let anywhere = u32::try_from(fnv1a(&dice.to_le_bytes()) % 1_000_000).unwrap_or(0);
    let when = fail.when.unwrap_or(WorkTime::Part(anywhere));
    let at = moment(when, whole);
    // A failure after the end does not occur.
    let message = fail.message.clone();
    (at <= whole).then(|| ScheduledAction::at(at, ModelAction::End(end(fail.end), message)))
}

const fn end(end: ModelEnd) -> crate::Status {
    match end {
        ModelEnd::Code(code) => crate::Status::Exited(code),
        ModelEnd::Signal(signal) => crate::Status::Signaled(signal),
    }
}
