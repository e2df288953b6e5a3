//! Selection of nodes, cores and GPUs: sequences of allocations recorded from a real slurmctld (22.05.8, which
//! selects like 26.05 in these cases), and random ones checked against an exhaustive search.

use super::site::path;
use base::ids::{JobId, Uid};
use base::time::Time;
use commands::slurm::jobtext::task_list;
use commands::slurm::opt::{JobOptions, SubmitCommand, check};
use config::{Cluster, SiteFiles, Topology};
use slurmctld::Slurmctld;
use slurmctld::job::{JobDesc, JobState};
use slurmctld::request::{Caller, Order, Request, Response};
use std::collections::BTreeMap;
use testing::Random;

/// A controller without hosts. Its nodes are cleaned up immediately.
struct Controller {
    ctld: Slurmctld,
    now: Time,
}

impl Controller {
    fn new(slurm: &str, gres: &str, topology: &str) -> Self {
        let files = [("slurm.conf", slurm), ("gres.conf", gres), ("topology.conf", topology)];
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        let mut cluster = Cluster::parse(&SiteFiles(files));
        cluster.global.accounting_enforce = Default::default();
        let now = Time::from_secs(1_795_240_458);
        Self { ctld: Slurmctld::new(cluster, vec![(Uid(1001), "alice".to_owned())], now), now }
    }

    fn of(name: &str) -> Self {
        let own = path("tests/selection/clusters").join(name);
        let folder = if own.is_dir() { own } else { path("tests/corpus/clusters").join(name) };
        let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        Self::new(&read("slurm.conf"), &read("gres.conf"), &read("topology.conf"))
    }

    /// The allocation that `salloc` gets now with these options; none if it would be pending or is refused.
    fn allocate(&mut self, options: &str) -> Option<JobId> {
        let mut all = JobOptions { now: self.now, uid: Uid(1001), ..JobOptions::default() };
        let words: Vec<String> =
            ["salloc"].into_iter().chain(options.split(' ')).map(str::to_owned).collect();
        all.argv(SubmitCommand::Salloc, &words).ok()?;
        check::check(&mut all).ok()?;
        let desc = JobDesc { uid: Uid(1001), ..all.desc };
        let Response::Job { id, .. } = self.ask(Request::Allocate(Box::new(desc))) else { return None };
        if self.ctld.job(id).is_some_and(|j| j.state == JobState::Running) {
            return Some(id);
        }
        self.end(id);
        None
    }

    fn ask(&mut self, request: Request) -> Response {
        let answer = self.ctld.request(Caller { uid: Uid(1001) }, request, self.now);
        for order in self.ctld.take_orders() {
            if let Order::CleanUp { job, nodes } | Order::Terminate { job, nodes, .. } = order {
                self.ctld.request(Caller { uid: Uid(0) }, Request::EpilogComplete { job, nodes }, self.now);
            }
        }
        answer
    }

    fn end(&mut self, id: JobId) {
        let exit = Default::default();
        self.ask(Request::CompleteJob { job: id, exit });
    }

    /// `cn01 0-5,8-13 24000M a100:0-1; ...`.
    fn text(&self, id: Option<JobId>) -> String {
        let alloc = id.and_then(|id| self.ctld.job(id)).and_then(|j| j.allocation.as_ref());
        let Some(alloc) = alloc else { return "no".to_owned() };
        let parts: Vec<String> = alloc
            .nodes
            .iter()
            .map(|part| {
                let conf = &self.ctld.node(part.node).conf;
                let each = conf.cpus_per_core();
                let cpus = part.cores.iter().flat_map(|c| c * each..(c + 1) * each).collect();
                let mut text = format!("{} {} {}M", conf.name, task_list(&cpus), part.memory);
                for (i, units) in &part.gres {
                    let kind = conf.gres[*i as usize].kind.clone().unwrap_or_default();
                    text += &format!(" {kind}:{}", task_list(units));
                }
                text
            })
            .collect();
        parts.join("; ")
    }
}

/// The first line of a recorded sequence with a different result.
fn difference(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let cluster = lines.next().and_then(|l| l.strip_prefix("cluster ")).unwrap();
    let mut controller = Controller::of(cluster);
    let mut jobs: BTreeMap<&str, JobId> = BTreeMap::new();
    for line in lines {
        if let Some(name) = line.strip_prefix("end ") {
            jobs.remove(name).into_iter().for_each(|id| controller.end(id));
            continue;
        }
        let (asked, expected) = line.split_once(" = ").unwrap();
        let (name, options) = asked.split_once(' ').unwrap();
        let id = controller.allocate(options);
        let given = controller.text(id);
        if given != expected {
            return Some(format!("{asked}\n  recorded {expected}\n  here     {given}"));
        }
        if let Some(id) = id {
            jobs.insert(name, id);
        }
    }
    None
}

#[test]
fn as_recorded() {
    let folder = path("tests/selection");
    let files = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path());
    let mut files: Vec<_> = files.filter(|f| f.is_file()).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut differences = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        differences.extend(difference(&text).map(|d| format!("{}: {d}\n", file.display())));
    }
    assert!(differences.is_empty(), "{}", differences.concat());
}

const MEMORY: u64 = 32_000;

/// A small cluster of unequal nodes.
fn cluster(dice: &mut Random) -> Controller {
    let mut slurm = "ClusterName=small\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core_Memory\nGresTypes=gpu\n\
                     DefMemPerCPU=100\nPriorityType=priority/basic\n"
        .to_owned();
    for i in 1..=dice.between(2, 4) {
        let (sockets, cores, gpus) = (dice.between(1, 2), dice.between(1, 4), dice.below(4));
        let gres = if gpus > 0 { format!(" Gres=gpu:{gpus}") } else { String::new() };
        slurm += &format!(
            "NodeName=n{i} Sockets={sockets} CoresPerSocket={cores} RealMemory={MEMORY} Weight={}{gres}\n",
            dice.between(1, 2)
        );
    }
    slurm += "PartitionName=all Nodes=ALL Default=YES MaxTime=60\n";
    if dice.below(3) == 0 {
        slurm += "TopologyPlugin=topology/tree\n";
    }
    Controller::new(
        &slurm,
        "",
        "SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=top Switches=a,b\n",
    )
}

/// A request that is simple enough for [`possible`].
struct RandomRequest {
    tasks: u32,
    cpus: u32,
    nodes: (u32, u32),
    gpus: u32,
    memory: u64,
}

impl RandomRequest {
    fn new(dice: &mut Random) -> Self {
        let least = dice.between(1, 2);
        let tasks = dice.between(least, 8);
        Self {
            tasks,
            cpus: dice.between(1, 3),
            nodes: (least, dice.between(least, 4)),
            gpus: dice.below(3) * dice.below(2),
            memory: dice.below(2) * dice.between(1, 20) * 1000,
        }
    }

    fn options(&self) -> String {
        let (least, most) = self.nodes;
        let mut text = format!("-n {} -c {} -N {least}-{most}", self.tasks, self.cpus);
        if self.gpus > 0 {
            text += &format!(" --gres=gpu:{}", self.gpus);
        }
        if self.memory > 0 {
            text += &format!(" --mem={}", self.memory);
        }
        text
    }

    /// The number of tasks that fit on the node.
    fn tasks_on(&self, node: &slurmctld::node::Node) -> u32 {
        let gpus: u32 =
            node.conf.gres.iter().zip(&node.gres_used).map(|(g, used)| g.count - used.len()).sum();
        let memory = MEMORY - node.mem_used;
        let mut cores = node.cores() - node.cores_used.len();
        if self.memory == 0 {
            cores = cores.min(u32::try_from(memory / 100).unwrap());
        }
        if gpus < self.gpus || memory < self.memory { 0 } else { cores / self.cpus }
    }

    /// Whether any set of nodes satisfies the request. Tries all sets.
    fn possible(&self, ctld: &Slurmctld) -> bool {
        (1u32..1 << ctld.nodes.len()).any(|set| {
            let chosen = ctld.nodes.iter().filter(|n| set >> n.id.0 & 1 == 1);
            let tasks: Vec<u32> = chosen.map(|n| self.tasks_on(n)).collect();
            (self.nodes.0..=self.nodes.1).contains(&set.count_ones())
                && tasks.iter().all(|t| *t > 0)
                && tasks.iter().sum::<u32>() >= self.tasks
        })
    }
}

/// Sums the allocated resources over the jobs: nothing is allocated twice.
fn nothing_twice(ctld: &Slurmctld, jobs: &[JobId]) {
    for node in &ctld.nodes {
        let (mut cores, mut memory) = (node.conf.job_cores(), node.conf.usable_memory());
        let mut gres: Vec<_> = node.conf.gres.iter().map(|g| (0..g.count).collect()).collect();
        for part in jobs.iter().filter_map(|id| ctld.job(*id)?.allocation.as_ref()?.on(node.id)) {
            assert!(part.cores.is_subset(&cores), "cores of {} twice", node.conf.name);
            cores.subtract(&part.cores);
            memory = memory.checked_sub(part.memory).expect("memory twice");
            for (i, units) in &part.gres {
                let left: &mut base::bitset::BitSet = &mut gres[*i as usize];
                assert!(units.is_subset(left), "GRES of {} twice", node.conf.name);
                left.subtract(units);
            }
        }
    }
}

#[test]
fn random_requests_succeed_whenever_they_fit() {
    testing::for_seeds(0..300, |seed, dice| {
        let mut controller = cluster(dice);
        let mut jobs: Vec<JobId> = Vec::new();
        for _ in 0..40 {
            if dice.is_used_up() {
                break;
            }
            if !jobs.is_empty() && dice.below(3) == 0 {
                let id = jobs.swap_remove(dice.below(jobs.len()));
                controller.end(id);
                continue;
            }
            let request = RandomRequest::new(dice);
            let possible = request.possible(&controller.ctld);
            let id = controller.allocate(&request.options());
            let row = format!("seed {seed}: {}", request.options());
            // With a low limit on nodes, or below switches, Slurm's algorithm may miss a set that would fit.
            let ctld = &controller.ctld;
            let tight = request.nodes.1 > 1 && (request.nodes.1 as usize) < ctld.nodes.len();
            let sure = id.is_some() || (!tight && ctld.cluster.topology == Topology::Flat);
            assert!(!sure || id.is_some() == possible, "{row}");
            let Some(id) = id else { continue };
            let parts = &controller.ctld.job(id).unwrap().allocation.as_ref().unwrap().nodes;
            let nodes = u32::try_from(parts.len()).unwrap();
            assert!((request.nodes.0..=request.nodes.1).contains(&nodes), "{row}: {nodes} nodes");
            assert_eq!(parts.iter().map(|p| p.tasks).sum::<u32>(), request.tasks, "{row}");
            for part in parts {
                assert!(
                    part.cores.len() >= part.tasks * request.cpus && part.cpus == part.cores.len(),
                    "{row}"
                );
                assert_eq!(
                    part.gres.iter().map(|(_, units)| units.len()).sum::<u32>(),
                    request.gpus,
                    "{row}"
                );
                assert!(request.memory == 0 || part.memory == request.memory, "{row}");
            }
            jobs.push(id);
            nothing_twice(&controller.ctld, &jobs);
        }
    });
}
