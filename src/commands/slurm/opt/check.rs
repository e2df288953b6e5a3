//! What the options must hold together, checked once all are known.

use super::{Bad, Options};
use crate::config::Select;

/// Checks, and fills in what follows from other options. Gives lines for standard error without the command's name.
///
/// # Errors
/// What does not go together.
pub fn check(options: &mut Options) -> Result<Vec<String>, Bad> {
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
    if !desc.gpus_per_task.is_empty() && desc.ntasks_per_gpu.is_some() {
        return Err(Bad::fatal(
            "--gpus-per-task is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU",
        ));
    }
    if let (Some(tasks), Some(threads)) = (desc.ntasks_per_core, desc.threads_per_core)
        && tasks > threads
    {
        return Err(Bad::error(format!(
            "--ntasks-per-core ({tasks}) can not be bigger than --threads-per-core ({threads})"
        ))
        .with_exit(1));
    }
    let invalid_gres = |text: &str| Bad {
        before: Some(format!("{{tool}}: error: {text}")),
        ..Bad::error("Invalid generic resource (gres) specification").with_exit(1)
    };
    if !desc.gpus_per_task.is_empty()
        && desc.gpus.is_empty()
        && desc.ntasks.is_none()
        && desc.ntasks_per_node.is_none()
    {
        return Err(invalid_gres(
            "Failed to validate job spec. --gpus-per-task or --tres-per-task used without either --gpus or -n/--ntasks is not allowed.",
        ));
    }
    let count = |list: &[crate::slurmctld::job::GresReq]| list.iter().map(|g| g.count).sum::<u64>();
    if let (Some(tasks), false, false) = (desc.ntasks, desc.gpus.is_empty(), desc.gpus_per_task.is_empty())
        && u64::from(tasks) * count(&desc.gpus_per_task) != count(&desc.gpus)
    {
        return Err(invalid_gres(
            "Failed to validate job spec. Based on --gpus and --gpus-per-task number of requested tasks differ from -n/--ntasks.",
        ));
    }
    let gpus_asked = [&desc.gres, &desc.gpus, &desc.gpus_per_node, &desc.gpus_per_socket];
    if desc.ntasks_per_gpu.is_some()
        && gpus_asked.iter().all(|list| list.is_empty())
        && desc.ntasks.is_none()
        && desc.min_nodes.is_none()
    {
        return Err(invalid_gres(
            "gres_job_state_validate: --ntasks-per-tres needs either a GRES GPU specification or a node/ntask specification",
        ));
    }
    if !desc.gpus_per_socket.is_empty() && desc.sockets_per_node.is_none() {
        return Err(invalid_gres("--gpus-per-socket option requires --sockets-per-node specification"));
    }
    let asks_gpu = |list: &[crate::slurmctld::job::GresReq]| list.iter().any(|g| g.name == "gpu");
    let lists = [&desc.gres, &desc.gpus, &desc.gpus_per_node, &desc.gpus_per_socket, &desc.gpus_per_task];
    if let (Some(mib), false) = (desc.mem_per_gpu, lists.into_iter().any(|l| asks_gpu(l))) {
        return Err(invalid_gres(&format!(
            "Requested mem_per_tres=gres/gpu:{mib} but did not request any GPU."
        )));
    }
    let total: u64 = desc.gpus.iter().map(|g| g.count).sum();
    let per_node: u64 =
        desc.gpus_per_node.iter().chain(desc.gres.iter().filter(|g| g.name == "gpu")).map(|g| g.count).sum();
    if total > 0 && per_node > 0 {
        let needed = total.div_ceil(per_node);
        let (min, max) = (desc.min_nodes.unwrap_or(1), desc.max_nodes.unwrap_or(u32::MAX));
        if desc.max_nodes.is_some() && !(u64::from(min)..=u64::from(max)).contains(&needed) {
            return Err(invalid_gres(&format!(
                "Failed to validate job spec. Based on --gpu and --gres=gpu/--gpus-per-node required nodes ({needed}) doesn't fall between min_nodes ({min}) and max_nodes ({max}) boundaries."
            )));
        }
    }
    Ok(warnings)
}

/// How many tasks each node gets at a time with `--distribution=plane=`.
fn plane(desc: &crate::slurmctld::job::JobDesc) -> Option<u32> {
    let size = desc.distribution.as_deref()?.split(',').next()?.strip_prefix("plane=")?;
    size.parse().ok().filter(|size| *size > 0)
}

/// What is said of options that mean less than asked for with such a `SelectTypeParameters`.
#[must_use]
pub fn means_less(options: &Options, select: Select) -> Vec<String> {
    const WHERE: &str = "Configured SelectTypeParameters doesn't treat memory as a consumable resource. In this case value of";
    let d = &options.desc;
    let cpu = d.mem_per_cpu.map(|_| {
        format!(
            "{WHERE} --mem-per-cpu is only used to eliminate nodes with lower configured RealMemory value."
        )
    });
    let gpu = d.mem_per_gpu.map(|_| format!("{WHERE} --mem-per-gpu is ignored."));
    let cores = d.core_spec.filter(|_| !select.core_spec).map(|_| {
        "error: Ignoring -S since it's not allowed by configuration (AllowSpecResourcesUsage = No)".to_owned()
    });
    cpu.into_iter().chain(gpu).filter(|_| !select.memory).chain(cores).collect()
}

/// GRES names that the cluster does not know are refused by the client.
///
/// # Errors
/// Slurm's message.
pub fn known_gres(options: &Options, types: &[String]) -> Result<(), Bad> {
    let d = &options.desc;
    let lists = [&d.gres, &d.gpus, &d.gpus_per_node, &d.gpus_per_socket, &d.gpus_per_task];
    match lists.into_iter().flatten().find(|g| !types.contains(&g.name)) {
        Some(_) => Err(Bad::error("Invalid generic resource (gres) specification").with_exit(1)),
        None => Ok(()),
    }
}
