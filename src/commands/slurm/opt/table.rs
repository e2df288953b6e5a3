//! The option table. It lists every option of sbatch(1), srun(1) and salloc(1). Options without effect in a simulation
//! are accepted and ignored.

use super::values::{leading_number, mail_types, memory, moment, nodes, positive, signal, time_limit};
use super::{Bad, Instead, JobOption, JobOptions, gres, words};
use crate::slurm::getopt::Arg;
use crate::slurm::getopt::Arg::{No, Optional, Required};
use base::refusal::Refusal;
use base::time::{Limit, Time};
use slurmctld::job::Exclusive;

/// sbatch.
pub(super) const B: u8 = 1;
/// srun.
pub(super) const R: u8 = 2;
/// salloc.
pub(super) const A: u8 = 4;
/// All three.
pub(super) const ABR: u8 = 7;
const NONE: (&str, u8) = ("", 0);

type SetOption = fn(&mut JobOptions, &str) -> Result<(), Bad>;

#[allow(clippy::too_many_arguments, reason = "one argument for each column of the table")]
const fn o(
    name: &'static str,
    short: Option<char>,
    arg: Arg,
    tools: u8,
    env: (&'static str, u8),
    value: &'static str,
    help: &'static str,
    set: SetOption,
) -> JobOption {
    JobOption { name, short, arg, tools, env, value, help, set }
}

/// Accepts an option and ignores it.
fn leave(_: &mut JobOptions, _: &str) -> Result<(), Bad> {
    Ok(())
}

fn text(slot: &mut Option<String>, value: &str) -> Result<(), Bad> {
    *slot = Some(value.to_owned()).filter(|v| !v.is_empty());
    Ok(())
}

fn number(slot: &mut Option<u32>, option: &str, value: &str) -> Result<(), Bad> {
    *slot = Some(positive(option, value)?);
    Ok(())
}

fn size(slot: &mut Option<u64>, option: &str, value: &str) -> Result<(), Bad> {
    *slot = Some(memory(value).ok_or_else(|| invalid(option))?);
    Ok(())
}

fn invalid(option: &str) -> Bad {
    Bad::error(format!("Invalid {option} specification")).because(Refusal::Value)
}

fn limit(slot: &mut Option<Limit>, option: &str, value: &str) -> Result<(), Bad> {
    *slot = Some(time_limit(value).ok_or_else(|| invalid(option).because(Refusal::Time))?);
    Ok(())
}

fn when(slot: &mut Option<Time>, now: Time, option: &str, value: &str) -> Result<(), Bad> {
    *slot =
        Some(
            moment(value, now, false).map_err(|pos| Bad {
                before: Some(format!("Invalid time specification (pos={pos}): {value}"))
                    .filter(|_| !value.is_empty()),
                ..invalid(option)
            })?,
        );
    Ok(())
}

fn one_of(value: &str, known: &[&str], bad: impl FnOnce() -> Bad) -> Result<(), Bad> {
    if known.iter().any(|k| k.eq_ignore_ascii_case(value)) { Ok(()) } else { Err(bad()) }
}

fn hosts(slot: &mut Option<String>, value: &str) -> Result<(), Bad> {
    let names = base::hostlist::expand(value).map_err(|_| Bad::fatal("Invalid node list specified"))?;
    // A name with a slash is a file with nodes.
    if value.contains('/') {
        any_text(slot, value)
    } else {
        any_text(slot, &base::hostlist::compress(&names))
    }
}

pub(super) fn root(o: &JobOptions, option: &str) -> Result<(), Bad> {
    if o.uid.0 == 0 {
        Ok(())
    } else {
        Err(Bad::error(format!("{option} only permitted by root user")).because(Refusal::Permission))
    }
}

fn exclusive(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    o.desc.exclusive = Some(match v {
        "" => {
            o.run.exact = true;
            Exclusive::Node
        }
        "user" => Exclusive::User,
        "mcs" => Exclusive::Mcs,
        "topo" => Exclusive::Topo,
        _ => return Err(invalid("--exclusive")),
    });
    Ok(())
}

fn mail_type(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    text(&mut o.desc.mail_type, &mail_types(v).ok_or_else(|| invalid("--mail-type"))?)
}

/// Stores a text, even an empty one.
fn any_text(slot: &mut Option<String>, value: &str) -> Result<(), Bad> {
    *slot = Some(value.to_owned());
    Ok(())
}

/// Stores a file name; `none` means no file.
fn file(slot: &mut Option<String>, value: &str) -> Result<(), Bad> {
    text(slot, if value.eq_ignore_ascii_case("none") { "/dev/null" } else { value })
}

fn distribution(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let levels = v.split(',').next().unwrap_or_default().split(':').count();
    if levels > 3 {
        return Err(invalid("--distribution"));
    }
    for word in v.split([',', ':']) {
        let word = word.split('=').next().unwrap_or(word);
        let known = ["*", "block", "cyclic", "plane", "arbitrary", "fcyclic", "pack", "nopack"];
        one_of(word, &known, || invalid("--distribution"))?;
    }
    let size = v.split(['=', ',']).nth(1).and_then(|size| size.parse::<u32>().ok());
    if v.to_ascii_lowercase().starts_with("plane") && size.is_none_or(|size| size == 0) {
        return Err(Bad {
            before: Some("{tool}: error: Invalid plane size or size not specified".to_owned()),
            ..invalid("--distribution")
        });
    }
    text(&mut o.desc.distribution, v)
}

fn gpu_bind(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let words = v.split(',').filter(|w| !matches!(*w, "v" | "verbose" | "q" | "quiet"));
    let kind = words.map(|w| w.split(':').next().unwrap_or(w)).next().unwrap_or("none");
    let known =
        ["none", "closest", "single", "per_task", "map", "map_gpu", "mask", "mask_gpu", "map:", "mask:"];
    one_of(kind, &known, || Bad::error(format!("Invalid --gpu-bind argument: {v}")).because(Refusal::Value))?;
    text(&mut o.desc.gpu_bind, v)
}

fn gres_of(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    if ["help", "list"].iter().any(|word| v.eq_ignore_ascii_case(word)) {
        o.run.instead = Some(Instead::Gres);
        return Ok(());
    }
    gres::per_node(o, v)
}

fn nice(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    o.desc.nice = if v.is_empty() { 100 } else { leading_number(v) };
    if o.desc.nice.abs() > 2_147_483_645 {
        return Err(Bad::error("Invalid --nice value, out of range (+/- 2147483645)").because(Refusal::Value));
    }
    Ok(())
}

fn switches(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    o.desc.switches = Some(super::values::switches(v)?);
    Ok(())
}

fn yes_no(option: &str, v: &str) -> Result<bool, Bad> {
    match v.to_ascii_lowercase().as_str() {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(invalid(option)),
    }
}

fn node_info(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    o.run.node_info = true;
    let slots = [&mut o.desc.sockets_per_node, &mut o.desc.cores_per_socket, &mut o.desc.threads_per_core];
    for ((slot, ordinal), part) in slots.into_iter().zip(["first", "second", "third"]).zip(v.split(':')) {
        // Older releases accepted a range; its minimum is used.
        let most = part.split_once('-').filter(|(_, most)| most.parse::<u32>().is_ok());
        if part != "*" {
            *slot =
                Some(words::count(&format!("{ordinal} arg of -B"), most.map_or(part, |(least, _)| least))?);
        }
    }
    Ok(())
}

fn hint(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    if v.eq_ignore_ascii_case("help") {
        o.run.instead = Some(Instead::Hint);
        return Ok(());
    }
    one_of(v, &["compute_bound", "memory_bound", "multithread", "nomultithread"], || {
        Bad::error(format!("unrecognized --hint argument \"{v}\", see --hint=help"))
            .with_exit(1)
            .because(Refusal::Value)
    })?;
    let hint = v.to_ascii_lowercase();
    if hint != "multithread" {
        o.desc.threads_per_core = Some(1);
    }
    if hint == "memory_bound" {
        o.desc.cores_per_socket = Some(1);
    }
    o.desc.hint = Some(hint);
    Ok(())
}

fn clusters(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let own = |name: &str| name.eq_ignore_ascii_case("all") || o.cluster == name;
    if let Some(name) = v.split(',').find(|name| !name.is_empty() && !own(name)) {
        let text = crate::slurm::clusters::unknown("{tool}", name, "--cluster");
        let text = text.strip_prefix("{tool}: error: ").unwrap_or(&text);
        return Err(Bad::error(text).with_exit(1).because(Refusal::Cluster));
    }
    o.run.tell_cluster = true;
    Ok(())
}

/// All options, sorted by name.
#[rustfmt::skip]
pub const TABLE: &[JobOption] = &[
    o("accel-bind", None, Required, R, NONE, "g", "bind tasks to the accelerators next to them", |_, v| words::accel_bind(v)),
    o("account", Some('A'), Required, ABR, ("ACCOUNT", ABR), "name", "account that the job is charged to", |o, v| any_text(&mut o.desc.account, &v.to_ascii_lowercase())),
    o("acctg-freq", None, Required, ABR, ("ACCTG_FREQ", ABR), "list", "how often usage is sampled", |_, v| words::acctg_freq(v)),
    o("array", Some('a'), Required, B, ("ARRAY_INX", B), "indexes", "make an array of jobs, as 0-15, 1,3,5 or 1-99%4", |o, v| text(&mut o.desc.array, v)),
    o("async", None, No, R, NONE, "", "do not wait for the step", leave),
    o("autocomplete", None, Required, ABR, NONE, "word", "words for the shell's completion", leave),
    o("batch", None, Required, B, NONE, "features", "features of the node that runs the script", |o, v| text(&mut o.desc.extras.batch_features, v)),
    o("bb", None, Required, ABR, NONE, "spec", "burst buffer wanted", |o, v| text(&mut o.desc.extras.burst_buffer, v)),
    o("bbf", None, Required, ABR, NONE, "file", "file that describes the burst buffer wanted", |o, v| text(&mut o.run.bbf, v)),
    o("bcast", None, Optional, R, NONE, "dest", "copy the program to the nodes first", leave),
    o("bcast-exclude", None, Required, R, NONE, "paths", "libraries that --bcast does not copy", leave),
    o("begin", Some('b'), Required, ABR, NONE, "time", "not before this time: 16:00, now+1hour, 2027-01-31T12:00", |o, v| { let now = o.now; when(&mut o.desc.begin, now, "--begin", v) }),
    o("bell", None, No, A, ("BELL", A), "", "ring when the allocation is granted", leave),
    o("chdir", Some('D'), Required, ABR, ("WORKING_DIR", R), "directory", "directory the job works in", |o, v| text(&mut o.run.chdir, v)),
    o("cluster", None, Required, ABR, NONE, "names", "another cluster", clusters),
    o("cluster-constraint", None, Required, ABR, NONE, "list", "features of a federated cluster", |o, v| text(&mut o.desc.extras.cluster_features, v)),
    o("clusters", Some('M'), Required, ABR, NONE, "names", "another cluster", clusters),
    o("comment", None, Required, ABR, NONE, "text", "a comment that stays with the job", |o, v| any_text(&mut o.desc.comment, v)),
    o("compress", None, Optional, R, NONE, "library", "compress what --bcast copies", |o, v| { o.run.compress = v != "none"; Ok(()) }),
    o("consolidate-segments", None, No, ABR, NONE, "", "keep segments together", |o, _| { o.desc.consolidate_segments = true; Ok(()) }),
    o("constraint", Some('C'), Required, ABR, ("CONSTRAINT", ABR), "features", "features that the nodes must have", |o, v| any_text(&mut o.desc.constraint, &v.replace(',', "&"))),
    o("container", None, Required, ABR, NONE, "path", "OCI container bundle", |o, v| text(&mut o.desc.extras.container, v)),
    o("container-id", None, Required, ABR, NONE, "id", "OCI container id", |o, v| text(&mut o.desc.extras.container_id, v)),
    o("container-type", None, Required, ABR, NONE, "type", "kind of container", |o, v| text(&mut o.desc.extras.container_type, v)),
    o("context", None, Required, ABR, NONE, "label", "SELinux context", leave),
    o("contiguous", None, No, ABR, NONE, "", "nodes must stand side by side", |o, _| { o.desc.contiguous = true; Ok(()) }),
    o("core-spec", Some('S'), Required, ABR, ("CORE_SPEC", ABR), "num", "cores left to the system", |o, v| { o.desc.core_spec = Some(words::count("--core-spec", v)?); Ok(()) }),
    o("cores-per-socket", None, Required, ABR, NONE, "num", "at least so many cores on each socket", |o, v| number(&mut o.desc.cores_per_socket, "--cores-per-socket", v)),
    o("cpu-bind", None, Required, R, ("CPU_BIND", R), "type", "how tasks are bound to CPUs", |o, v| text(&mut o.run.cpu_bind, v)),
    o("cpu-freq", None, Required, ABR, NONE, "range", "CPU frequency wanted", |o, v| text(&mut o.desc.extras.cpu_freq, &words::cpu_freq(v)?)),
    o("cpu_bind", None, Required, R, NONE, "type", "the same as --cpu-bind", |o, v| text(&mut o.run.cpu_bind, v)),
    o("cpus-per-gpu", None, Required, ABR, ("CPUS_PER_GPU", ABR), "num", "CPUs for each GPU", |o, v| number(&mut o.desc.cpus_per_gpu, "--cpus-per-gpu", v)),
    o("cpus-per-task", Some('c'), Required, ABR, ("=SRUN_CPUS_PER_TASK", R), "num", "CPUs for each task", |o, v| number(&mut o.desc.cpus_per_task, "--cpus-per-task", v)),
    o("deadline", None, Required, ABR, NONE, "time", "give up if it cannot be finished by then", |o, v| { let now = o.now; when(&mut o.desc.deadline, now, "--deadline", v) }),
    o("debugger-test", None, No, R, NONE, "", "for debuggers", leave),
    o("delay-boot", None, Required, ABR, NONE, "minutes", "how long to wait for nodes that need no reboot", |o, v| { o.desc.extras.delay_boot = words::delay_boot(v)?; Ok(()) }),
    o("dependency", Some('d'), Required, ABR, ("DEPENDENCY", R), "type:jobid", "wait for other jobs: afterok:12, afterany:12:13, singleton", |o, v| text(&mut o.desc.dependency, v)),
    o("disable-status", Some('X'), No, R, ("DISABLE_STATUS", R), "", "Ctrl-C ends the job at once", |o, _| { o.run.disable_status = true; Ok(()) }),
    o("distribution", Some('m'), Required, ABR, ("DISTRIBUTION", ABR), "type", "how tasks are spread over nodes: block, cyclic, plane=4", distribution),
    o("epilog", None, Required, R, NONE, "program", "run after the step", |o, v| text(&mut o.run.epilog, v)),
    o("error", Some('e'), Required, B | R, ("ERROR", B), "file", "file for standard error", |o, v| file(&mut o.desc.stderr, v)),
    o("exact", None, No, R, ("EXACT", R), "", "the step gets only what it asks for", |o, _| { o.run.exact = true; o.run.exact_given = true; Ok(()) }),
    o("exclude", Some('x'), Required, ABR, NONE, "hosts", "not on these nodes", |o, v| hosts(&mut o.desc.exclude, v)),
    o("exclusive", None, Optional, ABR, ("EXCLUSIVE", ABR), "user", "no other job (or no other user) on the nodes", exclusive),
    o("export", None, Required, B | R, ("EXPORT", B), "names", "variables the job gets: ALL, NONE, A,B=2", |o, v| text(&mut o.run.export, v)),
    o("export-file", None, Required, B, NONE, "file", "file with the variables the job gets", |o, v| text(&mut o.run.export_file, v)),
    o("external", None, No, B, NONE, "", "a job that something else runs", |o, _| { o.run.external = true; Ok(()) }),
    o("external-launcher", None, Optional, R, NONE, "name", "another launcher starts the tasks", leave),
    o("extra", None, Required, ABR, NONE, "text", "text for node filters", |o, v| text(&mut o.desc.extras.extra, v)),
    o("extra-node-info", Some('B'), Required, ABR, NONE, "S:C:T", "sockets, cores and threads wanted", node_info),
    o("get-user-env", None, No, B, ("GET_USER_ENV", B), "", "start from the login environment", |o, _| { o.run.get_user_env = true; Ok(()) }),
    o("gid", None, Required, B, NONE, "group", "as this group (root only)", |o, v| { root(o, "--gid")?; o.run.as_group = Some(v.to_owned()); Ok(()) }),
    o("gpu-bind", None, Required, ABR, ("GPU_BIND", ABR), "type", "how tasks are bound to GPUs", gpu_bind),
    o("gpu-freq", None, Required, ABR, NONE, "type", "GPU frequency wanted", |o, v| { words::gpu_freq(v)?; text(&mut o.desc.extras.tres_freq, &format!("gpu:{v}")) }),
    o("gpus", Some('G'), Required, ABR, ("GPUS", ABR), "[type:]num", "GPUs for the whole job", gres::gpus),
    o("gpus-per-node", None, Required, ABR, ("GPUS_PER_NODE", ABR), "[type:]num", "GPUs on each node", gres::gpus_per_node),
    o("gpus-per-socket", None, Required, ABR, NONE, "[type:]num", "GPUs on each socket", gres::gpus_per_socket),
    o("gpus-per-task", None, Required, ABR, ("GPUS_PER_TASK", ABR), "[type:]num", "GPUs for each task", gres::gpus_per_task),
    o("gres", None, Required, ABR, ("GRES", ABR), "name[:type]:num", "generic resources on each node: gpu:2, gpu:a100:1", gres_of),
    o("gres-flags", None, Required, R, NONE, "options", "how GRES are bound", words::gres_flags),
    o("gres-flags", None, Required, A | B, NONE, "options", "how GRES are bound", words::gres_flags_of_job),
    o("help", Some('h'), No, ABR, NONE, "", "this text", |o, _| { o.run.instead = Some(Instead::Help); Ok(()) }),
    o("het-group", None, Required, R, NONE, "list", "components of a heterogeneous job", |o, v| text(&mut o.run.het_group, v)),
    o("hint", None, Required, ABR, ("HINT", ABR), "type", "what kind of program it is", hint),
    o("hold", Some('H'), No, ABR, NONE, "", "submit in held state", |o, _| { o.desc.hold = true; Ok(()) }),
    o("ignore-pbs", None, No, B, ("IGNORE_PBS", B), "", "leave #PBS lines alone", leave),
    o("ignore-signals", None, Required, R, NONE, "signals", "signals that the command does not take", leave),
    o("immediate", Some('I'), Optional, A | R, ("IMMEDIATE", A), "seconds", "give up if nothing is free within this time", |o, v| { o.desc.immediate = Some(if v.is_empty() { 1 } else { v.parse().map_err(|_| invalid("--immediate"))? }); Ok(()) }),
    o("input", Some('i'), Required, B | R, ("INPUT", B), "file", "file for standard input", |o, v| file(&mut o.desc.stdin, v)),
    o("interactive", None, No, R, NONE, "", "the step of an interactive allocation", |o, _| { o.run.interactive = true; Ok(()) }),
    o("job-name", Some('J'), Required, ABR, ("JOB_NAME", ABR), "name", "name of the job", |o, v| { o.desc.name = v.to_owned(); Ok(()) }),
    o("jobid", None, Required, R, NONE, "id", "a step of this job", |o, v| { o.run.job = Some(positive("--jobid", v)?); Ok(()) }),
    o("kill-command", Some('K'), Optional, A, NONE, "signal", "signal for the command when the time is over", |o, v| { o.run.kill_command = Some(words::kill_command(v)?); Ok(()) }),
    o("kill-on-bad-exit", Some('K'), Optional, R, ("KILL_BAD_EXIT", R), "0|1", "end the step when a task fails", |o, v| { o.run.kill_on_bad_exit = v.is_empty() || words::count("--kill-on-bad-exit", v)? > 0; Ok(()) }),
    o("kill-on-invalid-dep", None, Required, B, NONE, "yes|no", "end the job if its dependency can never hold", |o, v| { o.desc.kill_on_invalid_dep = Some(yes_no("--kill-on-invalid-dep", v)?); Ok(()) }),
    o("label", Some('l'), No, R, ("LABELIO", R), "", "put the task's number before each line", |o, _| { o.run.label = true; Ok(()) }),
    o("licenses", Some('L'), Required, ABR, NONE, "names", "licences needed: matlab:1", |o, v| text(&mut o.desc.licenses, v)),
    o("mail-type", None, Required, ABR, NONE, "types", "when to send mail: BEGIN, END, FAIL, ALL", mail_type),
    o("mail-user", None, Required, ABR, NONE, "address", "who gets the mail", |o, v| text(&mut o.desc.mail_user, v)),
    o("mcs-label", None, Required, ABR, NONE, "label", "security label", |o, v| text(&mut o.desc.mcs_label, v)),
    o("mem", None, Required, ABR, ("MEM_PER_NODE", ABR), "MB", "memory on each node: 4G, 500M", |o, v| size(&mut o.desc.mem_per_node, "--mem", v)),
    o("mem-bind", None, Required, ABR, NONE, "type", "how tasks are bound to memory", words::mem_bind),
    o("mem-per-cpu", None, Required, ABR, ("MEM_PER_CPU", ABR), "MB", "memory for each CPU", |o, v| size(&mut o.desc.mem_per_cpu, "--mem-per-cpu", v)),
    o("mem-per-gpu", None, Required, ABR, ("MEM_PER_GPU", ABR), "MB", "memory for each GPU", |o, v| size(&mut o.desc.mem_per_gpu, "--mem-per-gpu", v)),
    o("mem-update", None, Required, ABR, NONE, "margin@delay", "give back unused memory", leave),
    o("mincpus", None, Required, ABR, NONE, "num", "at least so many CPUs on each node", |o, v| number(&mut o.desc.min_cpus_per_node, "--mincpus", v)),
    o("mpi", None, Required, R, ("MPI_TYPE", R), "type", "kind of MPI", |o, v| text(&mut o.run.mpi, v)),
    o("msg-timeout", None, Required, R, NONE, "seconds", "how long to wait for messages", |_, v| words::count("--msg-timeout", v).map(drop)),
    o("multi-prog", None, No, R, NONE, "", "the argument is a file with a program for each task", |o, _| { o.run.multi_prog = true; Ok(()) }),
    o("network", None, Required, ABR, NONE, "type", "network wanted", |o, v| text(&mut o.desc.extras.network, v)),
    o("nice", None, Optional, ABR, NONE, "value", "lower the job's priority", nice),
    o("no-allocate", Some('Z'), No, R, NONE, "", "run without an allocation (root only)", |o, _| { o.run.no_allocate = true; Ok(()) }),
    o("no-bell", None, No, A, ("NO_BELL", A), "", "never ring", |o, _| { o.run.no_bell = true; Ok(()) }),
    o("no-kill", Some('k'), Optional, ABR, ("NO_KILL", ABR), "off", "go on when a node fails", |o, v| { o.desc.no_kill = words::no_kill(v)?; Ok(()) }),
    o("no-requeue", None, No, B, ("NO_REQUEUE", B), "", "never put it back into the queue", |o, _| { o.desc.requeue = Some(false); Ok(()) }),
    o("no-shell", None, No, A, NONE, "", "allocate only, run nothing", |o, _| { o.run.no_shell = true; Ok(()) }),
    o("nodefile", Some('F'), Required, ABR, NONE, "file", "file with the nodes wanted", |o, v| text(&mut o.run.nodefile, v)),
    o("nodelist", Some('w'), Required, ABR, NONE, "hosts", "these nodes at least", |o, v| hosts(&mut o.desc.nodelist, v)),
    o("nodes", Some('N'), Required, ABR, ("=SLURM_JOB_NUM_NODES", R), "num[-num]", "how many nodes, at least and at most", |o, v| { let counts = nodes(v)?; (o.desc.min_nodes, o.desc.max_nodes, o.desc.node_counts) = (Some(counts.min), counts.max, counts.list); Ok(()) }),
    o("ntasks", Some('n'), Required, ABR, ("NTASKS", R), "num", "how many tasks", |o, v| number(&mut o.desc.ntasks, "--ntasks", v)),
    o("ntasks-per-core", None, Required, ABR, NONE, "num", "tasks on each core", |o, v| number(&mut o.desc.ntasks_per_core, "--ntasks-per-core", v)),
    o("ntasks-per-gpu", None, Required, ABR, NONE, "num", "tasks for each GPU", |o, v| number(&mut o.desc.ntasks_per_gpu, "--ntasks-per-gpu", v)),
    o("ntasks-per-node", None, Required, ABR, ("NTASKS_PER_NODE", R), "num", "tasks on each node", |o, v| number(&mut o.desc.ntasks_per_node, "--ntasks-per-node", v)),
    o("ntasks-per-socket", None, Required, ABR, NONE, "num", "tasks on each socket", |o, v| number(&mut o.desc.ntasks_per_socket, "--ntasks-per-socket", v)),
    o("ntasks-per-tres", None, Required, ABR, NONE, "num", "the same as --ntasks-per-gpu", |o, v| number(&mut o.desc.ntasks_per_gpu, "--ntasks-per-tres", v)),
    o("oom-kill-step", None, Optional, ABR, NONE, "0|1", "end the whole step when memory runs out", |o, v| { o.desc.extras.oom_kill_step = Some(words::oom_kill_step(v)?); Ok(()) }),
    o("open-mode", None, Required, B | R, ("OPEN_MODE", B | R), "append|truncate", "how output files are opened", |o, v| { one_of(v, &["append", "truncate", "a", "t"], || invalid("--open-mode"))?; o.desc.open_append = Some(v.starts_with(['a', 'A'])); Ok(()) }),
    o("output", Some('o'), Required, B | R, ("OUTPUT", B), "file", "file for standard output: slurm-%j.out", |o, v| file(&mut o.desc.stdout, v)),
    o("overcommit", Some('O'), No, ABR, ("OVERCOMMIT", ABR), "", "more than one task for each CPU", |o, _| { o.desc.overcommit = true; Ok(()) }),
    o("overlap", None, Optional, R, ("OVERLAP", R), "mode", "share the job's resources with other steps", |o, _| { o.run.overlap = true; Ok(()) }),
    o("oversubscribe", Some('s'), No, ABR, NONE, "", "nodes may be shared with other jobs", |o, _| { o.desc.oversubscribe = true; Ok(()) }),
    o("pack-group", None, Required, R, NONE, "list", "the same as --het-group", |o, v| text(&mut o.run.het_group, v)),
    o("parsable", None, No, B | R, NONE, "", "print only the job's number", |o, _| { o.run.parsable = true; Ok(()) }),
    o("partition", Some('p'), Required, ABR, ("PARTITION", ABR), "names", "partition to run in", |o, v| text(&mut o.desc.partition, v)),
    o("prefer", None, Required, ABR, NONE, "features", "features that the nodes should have", |o, v| text(&mut o.desc.prefer, v)),
    o("preserve-env", Some('E'), No, R, NONE, "", "keep the numbers of tasks and nodes in the environment", leave),
    o("priority", None, Required, ABR, NONE, "value", "priority of the job", |o, v| { let asked = if v.eq_ignore_ascii_case("top") { u32::MAX - 1 } else { u32::try_from(leading_number(v)).map_err(|_| Bad::error("Priority must be >= 0"))? }; o.desc.priority = Some(asked).filter(|p| *p > 0); Ok(()) }),
    o("profile", None, Required, ABR, NONE, "types", "what is profiled", |o, v| text(&mut o.desc.extras.profile, &words::profile(v)?)),
    o("prolog", None, Required, R, NONE, "program", "run before the step", |o, v| text(&mut o.run.prolog, v)),
    o("propagate", None, Optional, B | R, NONE, "limits", "limits that are passed on", |_, v| words::propagate(v)),
    o("pty", None, Optional, R, NONE, "fds", "task 0 gets a terminal", |o, _| { o.run.pty = true; Ok(()) }),
    o("qos", Some('q'), Required, ABR, ("QOS", ABR), "name", "quality of service", |o, v| text(&mut o.desc.qos, v)),
    o("quiet", Some('Q'), No, ABR, ("QUIET", R), "", "print errors only", |o, _| { o.run.quiet += 1; Ok(()) }),
    o("quit-on-interrupt", None, No, R, NONE, "", "one Ctrl-C is enough", |o, _| { o.run.quit_on_interrupt = true; Ok(()) }),
    o("reboot", None, No, ABR, NONE, "", "boot the nodes first", |o, _| { o.desc.reboot = true; Ok(()) }),
    o("relative", Some('r'), Required, R, NONE, "num", "first node of the step within the job", |o, v| { o.run.relative = Some(v.parse().map_err(|_| invalid("--relative"))?); Ok(()) }),
    o("requeue", None, Optional, B, ("REQUEUE", B), "expedite", "put it back into the queue when a node fails", |o, _| { o.desc.requeue = Some(true); Ok(()) }),
    o("reservation", None, Required, ABR, ("RESERVATION", ABR), "name", "use this reservation", |o, v| text(&mut o.desc.reservation, v)),
    o("resources", None, Required, ABR, NONE, "list", "resources wanted", leave),
    o("resv-ports", None, Optional, ABR, NONE, "num", "reserve communication ports", |o, v| { o.run.resv_ports = true; if v.is_empty() { Ok(()) } else { words::count("--resv-port", v).map(drop) } }),
    o("segment", None, Required, ABR, ("SEGMENT_SIZE", ABR), "size", "nodes in a segment of a block topology", |o, v| { o.desc.segment = Some(v.parse().map_err(|_| invalid("--segment"))?); Ok(()) }),
    o("send-libs", None, Optional, R, NONE, "yes|no", "--bcast copies libraries too", leave),
    o("signal", None, Required, ABR, ("SIGNAL", ABR), "[B:]sig[@sec]", "warn the job so many seconds before its end", |o, v| { o.desc.signal = signal(v).ok_or_else(|| invalid("--signal"))?; Ok(()) }),
    o("slurmd-debug", None, Required, R, NONE, "level", "messages of slurmd", leave),
    o("sockets-per-node", None, Required, ABR, NONE, "num", "at least so many sockets on each node", |o, v| number(&mut o.desc.sockets_per_node, "--sockets-per-node", v)),
    o("spread-job", None, No, ABR, ("SPREAD_JOB", ABR), "", "spread the job over as many nodes as possible", |o, _| { o.desc.spread_job = true; Ok(()) }),
    o("spread-segments", None, No, ABR, NONE, "", "segments in different blocks", |o, _| { o.desc.spread_segments = true; Ok(()) }),
    o("stepmgr", None, No, ABR, NONE, "", "the job's first node manages its steps", |o, _| { o.desc.extras.step_manager = true; Ok(()) }),
    o("switches", None, Required, ABR, ("REQ_SWITCH", ABR), "num[@time]", "at most so many switches", switches),
    o("task-epilog", None, Required, R, NONE, "program", "run after each task", leave),
    o("task-prolog", None, Required, R, NONE, "program", "run before each task", |o, v| text(&mut o.run.task_prolog, if v == "none" { "" } else { v })),
    o("tasks-per-node", None, Required, ABR, NONE, "num", "the same as --ntasks-per-node", |o, v| number(&mut o.desc.ntasks_per_node, "--tasks-per-node", v)),
    o("test-only", None, No, B | R, NONE, "", "only tell when it would start", |o, _| { o.run.test_only = true; Ok(()) }),
    o("thread-spec", None, Required, ABR, NONE, "num", "threads left to the system", |o, v| { o.desc.extras.thread_spec = Some(words::count("--thread-spec", v)?); Ok(()) }),
    o("threads", Some('T'), Required, R, NONE, "num", "threads of the command itself", words::threads),
    o("threads-per-core", None, Required, ABR, ("THREADS_PER_CORE", ABR), "num", "threads used on each core", |o, v| number(&mut o.desc.threads_per_core, "--threads-per-core", v)),
    o("time", Some('t'), Required, ABR, ("TIMELIMIT", ABR), "minutes", "time limit: 30, 2:00:00, 1-12:00", |o, v| limit(&mut o.desc.time_limit, "--time", v)),
    o("time-min", None, Required, ABR, NONE, "minutes", "the least time limit that would do", |o, v| limit(&mut o.desc.time_min, "--time-min", v)),
    o("tmp", None, Required, ABR, NONE, "MB", "temporary disk space on each node", |o, v| size(&mut o.desc.tmp_disk, "--tmp", v)),
    o("treewidth", None, Required, R, NONE, "num", "fan-out of messages", leave),
    o("tres-bind", None, Required, ABR, ("TRES_BIND", ABR), "list", "how tasks are bound to TRES", |o, v| { if let Some(bind) = v.strip_prefix("gres/gpu:") { gpu_bind(o, bind)?; } text(&mut o.desc.extras.tres_bind, v) }),
    o("tres-per-task", None, Required, ABR, ("TRES_PER_TASK", ABR), "list", "TRES for each task: cpu=4,gres/gpu=1", gres::tres_per_task),
    o("uid", None, Required, B, NONE, "user", "as this user (root only)", |o, v| { root(o, "--uid")?; o.run.as_user = Some(v.to_owned()); Ok(()) }),
    o("unbuffered", Some('u'), No, R, ("UNBUFFEREDIO", R), "", "pass output on at once", leave),
    o("usage", None, No, ABR, NONE, "", "a short summary of the options", |o, _| { o.run.instead = Some(Instead::Usage); Ok(()) }),
    o("use-min-nodes", None, No, ABR, ("USE_MIN_NODES", ABR), "", "prefer the smaller number of a range", |o, _| { o.desc.use_min_nodes = true; Ok(()) }),
    o("verbose", Some('v'), No, ABR, ("DEBUG", ABR), "", "tell more; may be repeated", |o, _| { o.run.verbose += 1; Ok(()) }),
    o("version", Some('V'), No, ABR, NONE, "", "print the version", |o, _| { o.run.instead = Some(Instead::Version); Ok(()) }),
    o("wait", Some('W'), Required, R, ("WAIT", R), "seconds", "how long other tasks may go on after the first has ended", |o, v| { o.run.wait_seconds = Some(words::count("--wait", v)?); Ok(()) }),
    o("wait", Some('W'), No, B, ("WAIT", B), "", "wait for the job's end, exit with its code", |o, _| { o.run.wait = true; Ok(()) }),
    o("wait-all-nodes", None, Required, A | B, NONE, "0|1", "wait until all nodes are ready", |_, v| words::wait_all_nodes(v)),
    o("wait-for-children", None, No, R, NONE, "", "a task ends with its last process", leave),
    o("wckey", None, Required, ABR, ("WCKEY", ABR), "key", "workload characterisation key", |o, v| text(&mut o.desc.wckey, v)),
    o("whole", None, No, R, NONE, "", "the step gets all of the job's nodes", |o, _| { o.run.exact = false; o.run.whole = true; Ok(()) }),
    o("wrap", None, Required, B, NONE, "command", "a script made of this command line", |o, v| { o.run.wrap = Some(v.to_owned()); Ok(()) }),
    o("x11", None, Optional, A | R, NONE, "nodes", "forward X11", words::x11),
];
