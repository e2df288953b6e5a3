//! Options that request GRES: one parser for all of them, and the checks that concern several of them.
//!
//! Listings show what was typed, so the text is stored next to the counts. Mirrors `--gres`, `--gpus` and related
//! options of sbatch(1).

use super::{Bad, JobOptions};
use base::refusal::Refusal;
use slurmctld::job::{GresReq, JobDesc};

/// A parsed list of GRES.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gres {
    /// The counted entries: the last one of each kind, without those of count 0.
    pub list: Vec<GresReq>,
    /// `gres/gpu:2,gres/gpu:a100`, as typed. None for `none`.
    pub text: Option<String>,
}

/// Slurm's message about requests that it cannot parse.
const INVALID: &str = "Invalid generic resource (gres) specification";

/// Parses `gpu:a100:2,fpga=1`. `prefix` is the name implied by the option (`--gpus=a100:2`).
///
/// # Errors
/// Slurm's message for a bad specification.
pub fn read(text: &str, prefix: Option<&str>) -> Result<Gres, Bad> {
    if prefix.is_none() && text.eq_ignore_ascii_case("none") {
        return Ok(Gres::default());
    }
    let (mut list, mut typed): (Vec<GresReq>, Vec<String>) = (Vec::new(), Vec::new());
    for part in text.split(',') {
        let part = match prefix {
            Some(name) => format!("{name}:{part}"),
            None => part.strip_prefix("gres/").unwrap_or(part).to_owned(),
        };
        typed.push(format!("gres/{part}"));
        if part.is_empty() {
            continue;
        }
        let req = one(&part)?;
        list.retain(|before| (&before.name, &before.kind) != (&req.name, &req.kind));
        list.push(req);
    }
    list.retain(|g| g.count > 0);
    Ok(Gres { list, text: Some(typed.join(",")) })
}

/// `gpu`, `gpu:2`, `gpu:a100`, `gpu:a100:2`. A word that is not a number is a type.
fn one(part: &str) -> Result<GresReq, Bad> {
    let invalid = |text: &str, refusal| Bad::error(text).with_exit(1).because(refusal);
    let words: Vec<&str> = part.split([':', '=']).collect();
    let (kind, count) = match words.as_slice() {
        [_] => ("", Some(1)),
        [_, last] => count(last).map_or((*last, Some(1)), |n| ("", Some(n))),
        [_, kind, last] => (*kind, count(last)),
        _ => return Err(invalid(INVALID, Refusal::Gres)),
    };
    let tres = || invalid("Invalid Trackable RESource (TRES) specification", Refusal::Value);
    let kind = Some(kind.to_owned()).filter(|kind| !kind.is_empty());
    Ok(GresReq { name: words[0].to_owned(), kind, count: count.ok_or_else(tres)? })
}

/// `2`, `1k`.
fn count(text: &str) -> Option<u64> {
    let factor = match text.chars().last()?.to_ascii_lowercase() {
        'k' => 1 << 10,
        'm' => 1 << 20,
        'g' => 1 << 30,
        't' => 1 << 40,
        'p' => 1 << 50,
        _ => 1,
    };
    let digits = if factor == 1 { text } else { &text[..text.len() - 1] };
    let digits = Some(digits).filter(|d| d.bytes().all(|b| b.is_ascii_digit()))?;
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

/// Slurm merges `--gres` and `--gpus-per-node` into one list.
fn show_per_node(o: &mut JobOptions) {
    let texts = [&o.run.gres_typed, &o.run.gpus_per_node_typed].into_iter().flatten();
    let all = texts.map(String::as_str).collect::<Vec<_>>().join(",");
    o.desc.gres_texts.node = Some(all);
}

/// `--gres`; `help` is handled by the caller.
pub(super) fn per_node(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let read = read(v, None)?;
    o.run.no_gres = read.text.is_none();
    (o.desc.gres, o.run.gres_typed) = (read.list, read.text);
    show_per_node(o);
    Ok(())
}

/// `--gpus-per-node`.
pub(super) fn gpus_per_node(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let read = read(v, Some("gpu"))?;
    (o.desc.gpus_per_node, o.run.gpus_per_node_typed) = (read.list, read.text);
    show_per_node(o);
    Ok(())
}

/// `--gpus`.
pub(super) fn gpus(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let read = read(v, Some("gpu"))?;
    (o.desc.gpus, o.desc.gres_texts.job) = (read.list, read.text);
    Ok(())
}

/// `--gpus-per-socket`.
pub(super) fn gpus_per_socket(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let read = read(v, Some("gpu"))?;
    (o.desc.gpus_per_socket, o.desc.gres_texts.socket) = (read.list, read.text);
    Ok(())
}

/// `--gpus-per-task`, which listings print in a format of its own. Entries without a count are ignored.
pub(super) fn gpus_per_task(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let counted = |part: &&str| part.rsplit([':', '=']).next().is_some_and(|last| count(last).is_some());
    let parts: Vec<&str> = v.split(',').filter(counted).collect();
    o.desc.gpus_per_task =
        if parts.is_empty() { Vec::new() } else { read(&parts.join(","), Some("gpu"))?.list };
    o.run.gpus_per_task_given = true;
    Ok(())
}

/// `--tres-per-task=cpu=2,gres/gpu=1`.
pub(super) fn tres_per_task(o: &mut JobOptions, v: &str) -> Result<(), Bad> {
    let mut gres: Vec<&str> = Vec::new();
    for part in v.split(',') {
        if let Some(cpus) = part.strip_prefix("cpu=").or_else(|| part.strip_prefix("cpu:")) {
            o.run.tres_cpus = Some(super::values::positive("--cpus-per-task", cpus)?);
        } else if let Some(rest) = part.strip_prefix("gres/") {
            gres.push(rest);
        } else if matches!(part.split(['=', ':']).next(), Some("mem")) {
            return Err(Bad::fatal("Invalid TRES for --tres-per-task: mem").because(Refusal::Value));
        }
    }
    o.run.tres_gpus = !gres.is_empty();
    if !gres.is_empty() {
        o.desc.gpus_per_task = read(&gres.join(","), None)?.list;
    }
    o.desc.gres_texts.task = Some(v.to_owned());
    Ok(())
}

/// Options that exclude each other, for a job or a step.
///
/// # Errors
/// Slurm's message.
pub(super) fn exclusive(o: &mut JobOptions) -> Result<(), Bad> {
    let either = |what: &str, option: &str| {
        Bad::fatal(format!(
            "You can not have --tres-per-task={what}= and --{option} please use one or the other"
        ))
        .because(Refusal::Contradiction)
    };
    if o.run.tres_gpus && o.run.gpus_per_task_given {
        return Err(either("gres/gpu", "gpus-per-task"));
    }
    if let Some(cpus) = o.run.tres_cpus.take()
        && o.desc.cpus_per_task.replace(cpus).is_some()
    {
        return Err(either("cpu", "cpus-per-task"));
    }
    if o.desc.ntasks_per_gpu.is_some() && !o.desc.gpus_per_task.is_empty() {
        return Err(Bad::fatal(
            "--gpus-per-task is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU",
        ));
    }
    Ok(())
}

/// The requested numbers of GPUs; 0 if not requested.
struct GresRequest {
    job: u64,
    node: u64,
    socket: u64,
    task: u64,
}

impl GresRequest {
    fn of(desc: &JobDesc) -> Self {
        let sum = |list: &[GresReq]| list.iter().filter(|g| g.name == "gpu").map(|g| g.count).sum::<u64>();
        Self {
            job: sum(&desc.gpus),
            node: sum(&desc.gpus_per_node).max(sum(&desc.gres)),
            socket: sum(&desc.gpus_per_socket),
            task: sum(&desc.gpus_per_task),
        }
    }

    const fn any(&self) -> bool {
        self.job > 0 || self.node > 0 || self.socket > 0 || self.task > 0
    }
}

fn refuse(text: &str) -> Bad {
    Bad {
        before: Some(format!("{{tool}}: error: {text}")),
        ..Bad::error(INVALID).with_exit(1).because(Refusal::Contradiction)
    }
}

/// Checks that a job's GPU options are consistent, and fills in derived values.
///
/// # Errors
///
/// Slurm's two lines.
pub(super) fn of_job(desc: &mut JobDesc) -> Result<(), Bad> {
    if desc.cpus_per_task.is_some() && desc.cpus_per_gpu.is_some() {
        return Err(Bad::fatal(
            "--cpus-per-task, --tres-per-task=cpu:#, and --cpus-per-gpu are mutually exclusive",
        )
        .because(Refusal::Contradiction));
    }
    let lists = [&desc.gres, &desc.gpus, &desc.gpus_per_node, &desc.gpus_per_socket, &desc.gpus_per_task];
    let all = || lists.into_iter().flatten();
    if all().any(|g| g.kind.is_none() && all().any(|other| other.name == g.name && other.kind.is_some())) {
        return Err(Bad::error("Invalid GRES specification (with and without type identification)")
            .with_exit(1)
            .because(Refusal::Contradiction));
    }
    let asked = GresRequest::of(desc);
    let text = match desc {
        JobDesc { cpus_per_gpu: Some(n), .. } if !asked.any() => {
            Some(format!("Requested cpus_per_tres=gres/gpu:{n} but did not request any GPU."))
        }
        JobDesc { mem_per_gpu: Some(n), .. } if !asked.any() => {
            Some(format!("Requested mem_per_tres=gres/gpu:{n} but did not request any GPU."))
        }
        JobDesc { sockets_per_node: None, .. } if asked.socket > 0 => {
            Some("--gpus-per-socket option requires --sockets-per-node specification".to_owned())
        }
        _ => None,
    };
    text.or_else(|| tasks_of_gpus(desc, &asked))
        .or_else(|| gpus_of_tasks(desc, &asked))
        .or_else(|| nodes(desc, &asked))
        .map_or(Ok(()), |text| Err(refuse(&text)))
}

/// Checks `--gpus-per-task` against `--gpus` and `--ntasks`.
fn tasks_of_gpus(desc: &JobDesc, asked: &GresRequest) -> Option<String> {
    let text = match (asked.task, asked.job, desc.ntasks) {
        (0, ..) => return None,
        (_, 0, None) if desc.ntasks_per_node.is_none() => {
            ". --gpus-per-task or --tres-per-task used without either --gpus or -n/--ntasks is not allowed."
        }
        (_, 0, _) => return None,
        (each, all, _) if !all.is_multiple_of(each) => ", --gpus not multiple of --gpus-per-task",
        (each, all, Some(tasks)) if all / each != u64::from(tasks) => {
            ". Based on --gpus and --gpus-per-task number of requested tasks differ from -n/--ntasks."
        }
        _ => return None,
    };
    Some(format!("Failed to validate job spec{text}"))
}

/// Checks `--ntasks-per-gpu` against `--ntasks`. May derive the number of GPUs from the tasks.
fn gpus_of_tasks(desc: &mut JobDesc, asked: &GresRequest) -> Option<String> {
    let each = u64::from(desc.ntasks_per_gpu?);
    match desc.ntasks.map(u64::from) {
        None if !asked.any() && desc.min_nodes.is_none() => Some(
            "gres_job_state_validate: --ntasks-per-tres needs either a GRES GPU specification or a node/ntask \
             specification"
                .to_owned(),
        ),
        Some(tasks) if !tasks.is_multiple_of(each) => Some(
            "Failed to validate job spec, -n/--ntasks has to be a multiple of --ntasks-per-gpu.".to_owned(),
        ),
        Some(tasks) if !asked.any() => {
            desc.gpus = vec![GresReq { name: "gpu".to_owned(), kind: None, count: tasks / each }];
            desc.gres_texts.job = Some(String::new());
            None
        }
        Some(_) | None => None,
    }
}

/// Checks `--gpus` against the request per node and the number of nodes.
fn nodes(desc: &JobDesc, asked: &GresRequest) -> Option<String> {
    const FAILED: &str = "Failed to validate job spec";
    let (all, least) = (asked.job, desc.min_nodes.unwrap_or(1));
    if all == 0 {
        return None;
    }
    if asked.node == 0 {
        return (all < least.into()).then(|| format!("{FAILED}, --gpus < -N"));
    }
    if !all.is_multiple_of(asked.node) {
        return Some(format!("{FAILED}, --gpus is not multiple of --gres=gpu/--gpus-per-node"));
    }
    let (needed, most) = (all / asked.node, desc.max_nodes.unwrap_or(u32::MAX));
    let fits = (u64::from(least)..=u64::from(most)).contains(&needed);
    (!fits).then(|| {
        format!(
            "{FAILED}. Based on --gpu and --gres=gpu/--gpus-per-node required nodes ({needed}) doesn't fall between \
             min_nodes ({least}) and max_nodes ({most}) boundaries."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count_of(text: &str, prefix: Option<&str>) -> Result<(u64, Option<String>), String> {
        let read = read(text, prefix).map_err(|bad| bad.text)?;
        Ok((read.list.iter().map(|g| g.count).sum(), read.text))
    }

    #[test]
    fn typed_text_is_stored() {
        for (text, prefix, count, shown) in [
            ("gpu", None, 1, "gres/gpu"),
            ("gpu=1", None, 1, "gres/gpu=1"),
            ("gres/gpu:a100:2", None, 2, "gres/gpu:a100:2"),
            ("gpu:1,gpu:2", None, 2, "gres/gpu:1,gres/gpu:2"),
            ("gpu:0", None, 0, "gres/gpu:0"),
            ("gpu:-1", None, 1, "gres/gpu:-1"),
            ("gpu:1k", None, 1024, "gres/gpu:1k"),
            ("gpu::3", None, 3, "gres/gpu::3"),
            ("", None, 0, "gres/"),
            ("a100", Some("gpu"), 1, "gres/gpu:a100"),
            ("gpu:2", Some("gpu"), 2, "gres/gpu:gpu:2"),
            ("a100:1,v100:1", Some("gpu"), 2, "gres/gpu:a100:1,gres/gpu:v100:1"),
        ] {
            assert_eq!(count_of(text, prefix), Ok((count, Some(shown.to_owned()))), "{text}");
        }
        assert_eq!(count_of("none", None), Ok((0, None)));
        assert_eq!(count_of("gres:gpu:a100:1", None), Err(INVALID.to_owned()));
        assert!(count_of("gpu:a100:x", None).is_err());
    }

    #[test]
    fn contradicting_requests() {
        let gpus = |list: &str| read(list, Some("gpu")).map(|g| g.list).unwrap_or_default();
        let says = |desc: JobDesc| {
            let bad = of_job(&mut desc.clone()).err()?;
            Some(bad.before.unwrap_or(bad.text))
        };
        let (job, node) = (|n: &str| JobDesc { gpus: gpus(n), ..JobDesc::default() }, gpus("2"));
        let with = |n: &str| JobDesc { gpus_per_node: node.clone(), ..job(n) };
        assert_eq!(says(with("4")), None);
        assert!(
            says(with("5"))
                .is_some_and(|t| t.ends_with("--gpus is not multiple of --gres=gpu/--gpus-per-node"))
        );
        let three = JobDesc { min_nodes: Some(3), max_nodes: Some(3), ..with("4") };
        assert!(says(three).is_some_and(|t| t.contains("required nodes (2)")));
        assert!(says(JobDesc { min_nodes: Some(3), ..job("2") }).is_some_and(|t| t.ends_with("--gpus < -N")));
        let task = |tasks| JobDesc { gpus_per_task: gpus("2"), ntasks: tasks, ..job("4") };
        assert_eq!((says(task(None)), says(task(Some(2)))), (None, None));
        assert!(says(task(Some(3))).is_some_and(|t| t.ends_with("differ from -n/--ntasks.")));
        let typed =
            JobDesc { gres: read("gpu:a100:1", None).map(|g| g.list).unwrap_or_default(), ..job("1") };
        assert!(says(typed).is_some_and(|t| t.starts_with("Invalid GRES specification")));
    }

    #[test]
    fn gpus_derived_from_tasks() {
        let mut desc = JobDesc { ntasks: Some(4), ntasks_per_gpu: Some(2), ..JobDesc::default() };
        assert_eq!(of_job(&mut desc), Ok(()));
        assert_eq!((desc.gpus[0].count, desc.tres_per_job()), (2, String::new()));
        assert!(of_job(&mut JobDesc { ntasks: Some(5), gpus: Vec::new(), ..desc }).is_err());
    }
}
