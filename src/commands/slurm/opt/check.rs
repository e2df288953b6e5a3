//! Checks that concern several options, made after all are parsed.

use super::{Bad, JobOptions, SubmitCommand, gres};
use base::refusal::Refusal;
use config::Select;

/// Checks the options and fills in derived values. Returns warnings for standard error without the command's
/// name.
///
/// # Errors
/// A message about conflicting options.
pub fn check(options: &mut JobOptions) -> Result<Vec<String>, Bad> {
    let mut warnings = Vec::new();
    let desc = &mut options.desc;
    let memories = [desc.mem_per_node, desc.mem_per_cpu, desc.mem_per_gpu];
    if memories.iter().flatten().count() > 1 {
        return Err(Bad::fatal("--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive."));
    }
    if options.run.verbose > 0 && options.run.quiet > 0 {
        return Err(Bad::error("don't specify both --verbose (-v) and --quiet (-Q)").with_exit(1));
    }
    if let (Some(tasks), Some(min)) = (desc.ntasks, desc.min_nodes)
        && min > tasks
    {
        warnings
            .push(format!("warning: can't run {tasks} processes on {min} nodes, setting nnodes to {tasks}"));
        desc.min_nodes = Some(tasks);
        desc.max_nodes = desc.max_nodes.map(|max| max.min(tasks));
    }
    if let (Some(tasks), Some(min), Some(size)) = (desc.ntasks, desc.min_nodes, plane(desc))
        && tasks / size < min
        && min.saturating_sub(1).saturating_mul(size) >= tasks
    {
        return Err(Bad::error("Too few processes for the requested {plane,node} distribution").with_exit(1));
    }
    if options.run.exact_given && options.run.whole {
        return Err(Bad::error("--exact and --whole are mutually exclusive.").with_exit(1));
    }
    if let (Some(tasks), Some(threads)) = (desc.ntasks_per_core, desc.threads_per_core)
        && tasks > threads
    {
        return Err(Bad::error(format!(
            "--ntasks-per-core ({tasks}) can not be bigger than --threads-per-core ({threads})"
        ))
        .with_exit(1));
    }
    if desc.core_spec.is_some() && desc.extras.thread_spec.is_some() {
        return Err(Bad::fatal("-S/--core-spec and --thred-spec options are mutually exclusive"));
    }
    if options.run.no_allocate {
        if desc.nodelist.is_none() {
            return Err(Bad::error("must specify a node list with -Z, --no-allocate.").with_exit(1));
        }
        super::table::root(options, "--no-allocate")?;
    }
    gres::exclusive(options)?;
    Ok(warnings)
}

/// Checks what only a job asks for, not a step, and fills in what follows from it.
///
/// # Errors
/// A message about conflicting options.
pub fn of_job(tool: SubmitCommand, options: &mut JobOptions) -> Result<(), Bad> {
    let node_info = options.run.node_info;
    let desc = &mut options.desc;
    if let (Some(segment), Some(nodes)) = (desc.segment.filter(|s| *s > 0), desc.min_nodes)
        && !nodes.is_multiple_of(segment)
    {
        return Err(Bad::fatal(format!(
            "--segment={segment} does not fit the job size ({nodes}): node count must be evenly divisible by segment size"
        ))
        .because(Refusal::Contradiction));
    }
    let arbitrary =
        desc.distribution.as_deref().is_some_and(|m| m.to_ascii_lowercase().starts_with("arbitrary"));
    // srun looks for SLURM_HOSTFILE.
    if arbitrary && desc.nodelist.is_none() && tool != SubmitCommand::Srun {
        return Err(Bad::error(
            "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w option",
        )
        .with_exit(1)
        .because(Refusal::Contradiction));
    }
    let nodes = desc.min_nodes.filter(|min| desc.max_nodes == Some(*min));
    if desc.ntasks.is_none() && desc.ntasks_per_node.is_none() && (nodes.is_some() || node_info) {
        let parts = [desc.sockets_per_node, desc.cores_per_socket, desc.threads_per_core];
        let each = parts.into_iter().flatten().fold(1, u32::saturating_mul);
        if node_info || each > 1 {
            desc.ntasks = Some(nodes.unwrap_or(1).max(1).saturating_mul(each));
        }
    }
    gres::of_job(desc)
}

/// The number of tasks per node and round with `--distribution=plane=`.
fn plane(desc: &slurmctld::job::JobDesc) -> Option<u32> {
    let size = desc.distribution.as_deref()?.split(',').next()?.strip_prefix("plane=")?;
    size.parse().ok().filter(|size| *size > 0)
}

/// Warnings about options that the configuration weakens; drops those that it does not allow.
///
/// # Errors
/// An option that needs another configuration.
pub fn means_less(options: &mut JobOptions, select: Select) -> Result<Vec<String>, Bad> {
    const WHERE: &str = "Configured SelectTypeParameters doesn't treat memory as a consumable resource. In this case value of";
    if options.run.one_task_per_sharing && !select.multiple_sharing {
        return Err(Bad::error(
            "In order to use --gres-flags=one-task-per-sharing you must also have SelectTypeParameters=MULTIPLE_SHARING_GRES_PJ in your slurm.conf",
        )
        .because(Refusal::Value));
    }
    let d = &mut options.desc;
    let cpu = d.mem_per_cpu.map(|_| {
        format!(
            "{WHERE} --mem-per-cpu is only used to eliminate nodes with lower configured RealMemory value."
        )
    });
    let gpu = d.mem_per_gpu.map(|_| format!("{WHERE} --mem-per-gpu is ignored."));
    let ignored = |option: &str| {
        format!(
            "error: Ignoring {option} since it's not allowed by configuration (AllowSpecResourcesUsage = No)"
        )
    };
    let mut reserved = Vec::new();
    if !select.core_spec {
        reserved.extend(d.core_spec.take().map(|_| ignored("-S")));
        reserved.extend(d.extras.thread_spec.take().map(|_| ignored("--thread-spec")));
    }
    Ok(cpu.into_iter().chain(gpu).filter(|_| !select.memory).chain(reserved).collect())
}

/// Rejects GRES names that the cluster does not have, as the client does.
///
/// # Errors
/// Slurm's message.
pub fn known_gres(options: &JobOptions, types: &[String]) -> Result<(), Bad> {
    let d = &options.desc;
    let lists = [&d.gres, &d.gpus, &d.gpus_per_node, &d.gpus_per_socket, &d.gpus_per_task];
    match lists.into_iter().flatten().find(|g| !types.contains(&g.name)) {
        Some(_) => Err(Bad::error("Invalid generic resource (gres) specification")
            .with_exit(1)
            .because(Refusal::Gres)),
        None => Ok(()),
    }
}
