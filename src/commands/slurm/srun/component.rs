//! The components of an `srun` command line: one command with its options, or one for each component of a
//! heterogeneous job (` : `, `--het-group`).

use crate::Cx;
use crate::slurm::opt::{Bad, JobOptions, RunOptions, SubmitCommand, check};
use crate::slurm::submission;
use base::bitset::BitSet;
use base::ids::JobId;
use base::refusal::Refusal;
use host::{Env, path};
use serde::{Deserialize, Serialize};
use slurmctld::job::{GresReq, JobDesc, Memory};
use slurmctld::request::StepDesc;

/// A command with its options.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Component {
    /// The index of its component in the job.
    pub group: u32,
    /// The options that describe a job or step.
    pub desc: JobDesc,
    /// The options of srun itself.
    pub run: RunOptions,
    /// The command and its arguments.
    pub command: Vec<String>,
}

/// Variables of one component that differ from the others.
const OWN: &[&str] = &[
    "SLURM_NTASKS",
    "SLURM_NPROCS",
    "SLURM_NNODES",
    "SLURM_CPUS_PER_TASK",
    "SLURM_TRES_PER_TASK",
    "SLURM_NTASKS_PER_NODE",
    "SLURM_MEM_PER_CPU",
    "SLURM_MEM_PER_NODE",
    "SLURM_MEM_PER_GPU",
];

/// Parses the command line by components; also returns warnings. `size` is the number of components in the allocation.
///
/// # Errors
/// The error message.
pub fn read(cx: &Cx, size: Option<u32>) -> Result<(Vec<Component>, Vec<String>), Bad> {
    let mut lines: Vec<Vec<String>> = Vec::new();
    for part in cx.argv.split(|word| word == ":") {
        let first = lines.is_empty();
        let name = (!first).then(|| "srun".to_owned());
        lines.push(name.into_iter().chain(part.iter().cloned()).collect());
    }
    let (mut components, mut warnings) = (Vec::new(), Vec::new());
    for (at, line) in (0u32..).zip(&lines) {
        let mut asked = options(cx);
        asked.argv(SubmitCommand::Srun, line)?;
        let groups = match (&asked.run.het_group, size) {
            (Some(list), _) => group_list(list, size.unwrap_or(1))?,
            (None, Some(size)) if at >= size && lines.len() > 1 => {
                let most = size - 1;
                return Err(Bad::error(format!(
                    "Attempt to run a job step with het group value of {at}, but the job allocation has maximum value of {most}"
                ))
                .with_exit(1));
            }
            (None, _) => vec![at],
        };
        for group in groups {
            let mut o = options(cx);
            o.environment(SubmitCommand::Srun, &component_env(cx.env, group))?;
            // The job's --export also applies to its steps.
            o.run.export = cx.env.get("SLURM_EXPORT_ENV").cloned();
            let command = o.argv(SubmitCommand::Srun, line)?;
            if o.desc.min_nodes.is_none()
                && let Some(list) = &o.desc.nodelist
            {
                let names = base::hostlist::expand(list).map_or(0, |names| names.len());
                o.desc.min_nodes = u32::try_from(names).ok().filter(|n| *n > 0);
            }
            if o.run.instead.is_none() {
                if o.run.x11 && !cx.env.contains_key("DISPLAY") {
                    return Err(Bad::error("No DISPLAY variable set, cannot setup x11 forwarding."));
                }
                warnings.extend(check::check(&mut o)?);
                warnings.extend(check::means_less(&mut o, cx.cluster.state().cluster.global.select)?);
            }
            warnings.extend(per_node(&mut o));
            let global = &cx.cluster.state().cluster.global;
            check::known_gres(&o, &global.gres_types)?;
            if o.run.job.is_none() && !cx.env.contains_key("SLURM_JOB_ID") {
                check::of_job(SubmitCommand::Srun, &mut o)?;
            }
            if at == 0 && o.run.verbose > 0 {
                warnings.extend(
                    o.defined(SubmitCommand::Srun).lines().map(|l| l.trim_start_matches("srun: ").to_owned()),
                );
            }
            describe(cx, &mut o);
            components.push(Component { group, desc: o.desc, run: o.run, command });
        }
    }
    share_commands(&mut components)?;
    Ok((components, warnings))
}

/// The variables with which srun describes its submission. Within an allocation, the variables of that
/// submission are kept.
fn describe(cx: &Cx, o: &mut JobOptions) {
    crate::slurm::sbatch::describe(cx, o);
    let export = o.run.export.clone();
    let mut env = match export.as_deref() {
        None => (*o.desc.env).clone(),
        // The login environment is not added.
        Some(list) => {
            let all = submission::exports_all(list);
            let mut env: Env = cx
                .env
                .iter()
                .filter(|(n, _)| all || n.starts_with("SLURM_"))
                .map(|(n, v)| (n.clone(), v.clone()))
                .collect();
            for word in submission::exported_names(list) {
                match word.split_once('=') {
                    Some((name, value)) => env.insert(name.to_owned(), value.to_owned()),
                    None => cx.env.get(word).and_then(|value| env.insert(word.to_owned(), value.clone())),
                };
            }
            if !all {
                env.insert("SLURM_EXPORT_ENV".to_owned(), list.to_owned());
            }
            env
        }
    };
    for name in ["SLURM_SUBMIT_DIR", "SLURM_SUBMIT_HOST"] {
        match cx.env.get(name).filter(|_| cx.env.contains_key("SLURM_JOB_ID")) {
            Some(before) => env.insert(name.to_owned(), before.clone()),
            None => None,
        };
    }
    o.desc.env = std::sync::Arc::new(env);
}

fn options(cx: &Cx) -> JobOptions {
    crate::slurm::submission::fresh(cx)
}

/// A component without a command runs the command of the next one.
fn share_commands(components: &mut [Component]) -> Result<(), Bad> {
    let mut next: Vec<String> = Vec::new();
    for component in components.iter_mut().rev() {
        if component.command.is_empty() {
            component.command.clone_from(&next);
        } else {
            next.clone_from(&component.command);
        }
        let asks = component.run.instead.is_some() || component.run.mpi.as_deref() == Some("list");
        let Some(program) = component.command.first() else {
            if asks {
                continue;
            }
            return Err(Bad::fatal("No command given to execute."));
        };
        if component.desc.name.is_empty() {
            component.desc.name = path::base_name(program).to_owned();
        }
    }
    Ok(())
}

/// `0,2-3`
fn group_list(list: &str, size: u32) -> Result<Vec<u32>, Bad> {
    let mut groups = BitSet::new();
    for part in list.split(',') {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let (Ok(low), Ok(high)) = (low.parse::<u32>(), high.parse::<u32>()) else {
            return Err(Bad {
                before: Some(format!("{{tool}}: error: _parse_single_range: Invalid range: `{part}'")),
                ..Bad::error(format!("Invalid --het-group value: {list}"))
                    .with_exit(1)
                    .because(Refusal::Value)
            });
        };
        if high >= size {
            let text =
                format!("Requested het-group offset exceeds highest hetjob index ({high} > {})", size - 1);
            return Err(Bad::error(text).with_exit(1));
        }
        (low..=high).for_each(|group| groups.insert(group));
    }
    Ok(groups.iter().collect())
}

/// The environment of a component: its variables without their suffix.
#[must_use]
pub fn component_env(env: &Env, group: u32) -> Env {
    let ending = format!("_HET_GROUP_{group}");
    let own: Vec<(String, String)> = env
        .iter()
        .filter_map(|(name, value)| Some((name.strip_suffix(&ending)?.to_owned(), value.clone())))
        .collect();
    let mut env = env.clone();
    if own.is_empty() {
        return env;
    }
    for name in OWN {
        env.remove(*name);
    }
    for (name, value) in own {
        if name == "SLURM_JOB_NUM_NODES" {
            env.insert("SLURM_NNODES".to_owned(), value.clone());
        }
        env.insert(name, value);
    }
    env
}

/// Drops `--ntasks-per-node` if it conflicts with the number of tasks.
fn per_node(o: &mut JobOptions) -> Option<String> {
    let (tasks, each, nodes) = (o.desc.ntasks?, o.desc.ntasks_per_node?, o.desc.min_nodes?);
    if tasks <= each.saturating_mul(nodes) {
        return None;
    }
    o.desc.ntasks_per_node = None;
    Some(format!(
        "warning: can't honor --ntasks-per-node set to {each} which doesn't match the requested tasks {tasks} with the maximum number of requested nodes {nodes}. Ignoring --ntasks-per-node."
    ))
}

/// The step request for slurmctld.
///
/// # Errors
/// Messages about requests that do not fit the allocation.
pub fn step_desc(cx: &mut Cx, o: &Component, job: JobId) -> Result<StepDesc, Vec<String>> {
    let d = &o.desc;
    let asks_cpus = d.cpus_per_task.is_some() || d.threads_per_core.is_some();
    let memory = match (d.mem_per_node, d.mem_per_cpu) {
        (Some(mib), _) => Memory::PerNode(mib),
        (None, Some(mib)) => Memory::PerCpu(mib),
        (None, None) => d.mem_per_gpu.map_or(Memory::Unset, Memory::PerGpu),
    };
    let mut gpus = d.gpus.clone();
    if let (Some(each), Some(tasks)) = (d.ntasks_per_gpu, d.ntasks)
        && gpus.is_empty()
        && d.gres.is_empty()
    {
        // This many tasks share a GPU.
        let count = u64::from(tasks.div_ceil(each.max(1)));
        gpus.push(GresReq { name: "gpu".to_owned(), kind: None, count });
    }
    let mut desc = StepDesc {
        job,
        name: d.name.clone(),
        submit_line: d.submit_line.clone(),
        ntasks: d.ntasks,
        ntasks_per_node: d.ntasks_per_node,
        min_nodes: d.min_nodes,
        max_nodes: d.max_nodes,
        cpus_per_task: d.cpus_per_task,
        nodelist: d.nodelist.clone(),
        exclude: d.exclude.clone(),
        relative: o.run.relative,
        overlap: o.run.overlap,
        exact: o.run.exact || asks_cpus,
        overcommit: d.overcommit,
        memory,
        gres: d.gres.iter().chain(&d.gpus_per_node).cloned().collect(),
        gpus,
        gpus_per_task: d.gpus_per_task.clone(),
        no_gres: o.run.no_gres,
        distribution: d.distribution.clone(),
        hosts: Vec::new(),
        oom_kill: d.extras.oom_kill_step,
        interactive: o.run.interactive,
        number: None,
        client: (cx.host().to_string(), cx.pid),
    };
    if d.distribution.as_deref().is_some_and(|m| m.starts_with("arbitrary")) {
        super::hostfile::read(cx, o, &mut desc)?;
    }
    Ok(desc)
}

/// Checks the request against the size of the allocation.
///
/// # Errors
/// Messages for the user.
pub fn fits(cx: &Cx, desc: &StepDesc) -> Result<(), Vec<String>> {
    let state = cx.cluster.state();
    let parts = state.jobs.get(desc.job).and_then(|j| j.allocation.as_ref()).map(|a| a.nodes.as_slice());
    let Some(parts) = parts else { return Ok(()) };
    let has = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    let asked = desc.min_nodes.unwrap_or(1);
    if let Some(first) = desc.relative.filter(|first| first.saturating_add(asked) > has) {
        let typed = cx.argv.iter().any(|w| w.starts_with("-N") || w.starts_with("--nodes"));
        let given = if typed { "--nodes" } else { "SLURM_JOB_NUM_NODES" };
        return Err(vec![format!(
            "error: --relative and {given} option incompatible with count of allocated nodes ({first}+{asked}>{has})"
        )]);
    }
    let unwanted = desc.exclude.as_deref().and_then(|list| base::hostlist::expand(list).ok());
    let excluded = |name: &String| unwanted.as_ref().is_some_and(|list| list.contains(name));
    let left = parts.iter().filter(|p| !excluded(&state.node(p.node).conf.name)).count();
    let left = u32::try_from(left).unwrap_or(u32::MAX);
    if left == 0 && unwanted.is_some() {
        return Err(vec!["error: Hostlist is empty!  Can't run job.".to_owned()]);
    }
    if asked <= left {
        return Ok(());
    }
    let mut lines = vec![format!("error: Only allocated {left} nodes asked for {asked}")];
    if unwanted.is_some() {
        lines.push("error: Are required nodes explicitly excluded?".to_owned());
    }
    Err(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_a_list() {
        assert_eq!(group_list("0,2-3", 4), Ok(vec![0, 2, 3]));
        assert_eq!(
            group_list("2", 2).unwrap_err().text,
            "Requested het-group offset exceeds highest hetjob index (2 > 1)"
        );
        assert!(group_list("x", 2).unwrap_err().before.is_some());
    }

    #[test]
    fn a_component_has_its_own_variables() {
        let pairs = [("SLURM_NTASKS", "3"), ("SLURM_NTASKS_HET_GROUP_1", "2"), ("SLURM_MEM_PER_CPU", "9")];
        let env: Env = pairs.into_iter().map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
        let own = component_env(&env, 1);
        assert_eq!(own.get("SLURM_NTASKS").map(String::as_str), Some("2"));
        assert!(!own.contains_key("SLURM_MEM_PER_CPU"));
        assert_eq!(component_env(&env, 0), env, "a job that is none has no such variables");
    }
}
