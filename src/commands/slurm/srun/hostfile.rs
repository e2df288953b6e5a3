//! `--distribution=arbitrary`: a list of hosts, one per task. Mirrors `SLURM_HOSTFILE` and `--nodefile` of
//! srun(1).

use super::component::Component;
use crate::Cx;
use base::hostlist;
use base::order::StableSort as _;
use slurmctld::request::StepDesc;

/// Reads the host file into the step request.
///
/// # Errors
/// Messages for the user.
pub fn read(cx: &mut Cx, o: &Component, desc: &mut StepDesc) -> Result<(), Vec<String>> {
    let file = o.run.nodefile.clone().or_else(|| cx.env.get("SLURM_HOSTFILE").cloned());
    let mut hosts = Vec::new();
    if let Some(file) = &file {
        let unreadable = || vec!["error: Failure getting NodeNames from hostfile".to_owned()];
        let data = cx.read_file(file).map_err(|_| unreadable())?;
        for line in String::from_utf8_lossy(&data).lines() {
            let text = line.split('#').next().unwrap_or("").trim();
            let (names, times) = text.split_once('*').map_or((text, 1), |(n, t)| (n, t.parse().unwrap_or(1)));
            for name in hostlist::expand(names).map_err(|_| unreadable())? {
                hosts.extend(std::iter::repeat_n(name, times));
            }
        }
    } else if let Some(list) = &o.desc.nodelist {
        hosts = hostlist::expand(list).unwrap_or_default();
    }
    // The file determines the number of tasks unless `--ntasks` was given.
    let typed = cx.argv.iter().any(|w| w.starts_with("-n") || w.starts_with("--ntasks"));
    let listed = u32::try_from(hosts.len()).unwrap_or(u32::MAX);
    let tasks = desc.ntasks.filter(|_| typed || hosts.is_empty()).unwrap_or(listed);
    if tasks > listed {
        return Err(if file.is_some() {
            vec![
                "error: Too few NodeNames in Slurm Hostfile".to_owned(),
                "error: Failure getting NodeNames from hostfile".to_owned(),
            ]
        } else {
            vec![format!("error: You asked for {tasks} tasks but hostlist specified {listed} nodes")]
        });
    }
    hosts.truncate(tasks as usize);
    let mut names: Vec<&String> = hosts.iter().collect();
    names.order();
    names.dedup();
    desc.min_nodes = u32::try_from(names.len()).ok();
    (desc.ntasks, desc.ntasks_per_node, desc.nodelist, desc.hosts) = (Some(tasks), None, None, hosts);
    Ok(())
}
