//! Code that sbatch, srun and salloc share besides the option table: the cluster's name, files named by
//! options, and output without a submission.

use super::opt::{Bad, Instead, JobOptions, SubmitCommand, help};
use super::release;
use crate::Cx;
use base::hostlist;
use base::refusal::Refusal;
use host::Env;

const MEM_BIND: &str = "\
Memory bind options:
    --mem-bind=         Bind memory to locality domains (ldom)
        nosort          avoid sorting pages at startup
        sort            sort pages at startup
        q[uiet]         quietly bind before task runs (default)
        v[erbose]       verbosely report binding before task runs
        no[ne]          don't bind tasks to memory (default)
        rank            bind by task rank
        local           bind to memory local to processor
        map_mem:<list>  specify a memory binding for each task
                        where <list> is <cpuid1>,<cpuid2>,...<cpuidN>
        mask_mem:<list> specify a memory binding mask for each tasks
                        where <list> is <mask1>,<mask2>,...<maskN>
        help            show this help message
";

/// The initial options.
#[must_use]
pub fn fresh(cx: &Cx) -> JobOptions {
    let cluster = cx.cluster.state().cluster.global.cluster_name.clone();
    JobOptions { now: cx.now, uid: cx.uid(), cluster, ..JobOptions::default() }
}

const HINT: &str = "\
Application hint options:
    --hint=             Bind tasks according to application hints
        compute_bound   use all cores in each socket
        memory_bound    use only one core in each socket
        [no]multithread [don't] use extra threads with in-core multi-threading
        help            show this help message
";

/// Prints the output of an option that replaces the submission. Returns the exit code.
pub fn instead(cx: &mut Cx, tool: SubmitCommand, what: Instead) -> u8 {
    match what {
        Instead::Help => cx.print(&help::help(tool)),
        Instead::Usage => cx.print(&help::usage(tool)),
        Instead::Version => cx.line(release::of(cx).version),
        Instead::MemBind => {
            cx.print(MEM_BIND);
            return 255;
        }
        Instead::Hint => {
            cx.print(HINT);
            return 1;
        }
        Instead::Gres => {
            let types = cx.cluster.state().cluster.global.gres_types.clone();
            let lines: String = types.iter().map(|name| format!("{name}[[:type]:count]\n")).collect();
            cx.print(&format!("Valid gres options are:\n{lines}"));
        }
    }
    0
}

/// The exit code of an error: `SLURM_EXIT_ERROR` replaces 1, as recorded from 22.05.
pub fn error_code(cx: &Cx, code: u8) -> u8 {
    let set = || cx.env.get("SLURM_EXIT_ERROR")?.parse::<u8>().ok();
    if code == 1 { set().unwrap_or(code) } else { code }
}

/// Reads the files that options name, and checks the display for `--x11`.
///
/// # Errors
/// The error message.
pub fn files(cx: &mut Cx, o: &mut JobOptions) -> Result<(), Bad> {
    if o.run.x11 && !cx.env.contains_key("DISPLAY") {
        return Err(Bad::error("No DISPLAY variable set, cannot setup x11 forwarding."));
    }
    if o.run.resv_ports && !o.desc.extras.step_manager {
        return Err(Bad::error(
            "Slurmstepd step management must be enabled to use --resv-ports for job allocations",
        )
        .with_exit(1));
    }
    if let Some(file) = o.run.bbf.clone() {
        if o.desc.extras.burst_buffer.is_some() {
            return Err(Bad::error("Cannot specify both --burst-buffer and --bbf").with_exit(1));
        }
        let data = cx
            .read_file(&file)
            .map_err(|_| Bad::error("Invalid --bbf specification").with_exit(1).because(Refusal::Value))?;
        o.desc.extras.burst_buffer = Some(String::from_utf8_lossy(&data).trim_end().to_owned());
    }
    if let Some(file) = o.desc.nodelist.clone().filter(|list| list.contains('/')) {
        let data = cx.read_file(&file).map_err(|errno| {
            Bad::error(format!("slurm_allocate_resources error opening file {file}, {errno}"))
                .with_exit(1)
                .because(Refusal::NoFile)
        })?;
        o.desc.nodelist = Some(listed(&data));
    }
    if let Some(file) = o.run.nodefile.clone() {
        let data = cx.read_file(&file).map_err(|errno| Bad {
            before: Some(format!(
                "{{tool}}: error: slurm_allocate_resources error opening file {file}, {}",
                errno
            )),
            ..Bad::error("Invalid --nodefile node file").because(Refusal::NoFile)
        })?;
        o.desc.nodelist = Some(listed(&data)).filter(|list| !list.is_empty());
    }
    Ok(())
}

/// The nodes listed in a file.
fn listed(data: &[u8]) -> String {
    let text = String::from_utf8_lossy(data);
    let names = text.split(|c: char| c.is_whitespace() || c == ',').filter(|n| !n.is_empty());
    hostlist::compress(&names.collect::<Vec<_>>())
}

/// Whether `ALL` is among the words of `--export`, ignoring case.
#[must_use]
pub fn exports_all(list: &str) -> bool {
    list.split(',').any(|word| word.eq_ignore_ascii_case("ALL"))
}

/// The variables in `--export`.
pub fn exported_names(list: &str) -> impl Iterator<Item = &str> {
    let own = |word: &str| ["ALL", "NONE", "NIL"].iter().any(|name| word.eq_ignore_ascii_case(name));
    list.split(',').filter(move |word| !own(word))
}

/// Variables of `--export-file`: `NAME=value`, each terminated by a null character or a newline.
///
/// # Errors
/// The file cannot be read.
pub fn exported(cx: &mut Cx, o: &JobOptions) -> Result<Env, Bad> {
    let Some(file) = &o.run.export_file else { return Ok(Env::new()) };
    let unreadable = || Bad::error(format!("Could not open user environment file {file}")).with_exit(1);
    let data = cx.read_file(file).map_err(|_| unreadable())?;
    let separator = if data.contains(&0) { 0 } else { b'\n' };
    let words = data.split(|b| *b == separator).map(|word| String::from_utf8_lossy(word).into_owned());
    Ok(words.filter_map(|word| word.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned()))).collect())
}
