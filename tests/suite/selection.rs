//! Which nodes, cores and GPUs jobs get: sequences of allocations recorded from a real slurmctld (22.05.8, whose choice
//! is that of 26.05 in what they ask), and random ones that are checked against an exhaustive search.

use super::site::path;
use sandbatch::base::ids::{JobId, Uid};
use sandbatch::base::time::Time;
use sandbatch::commands::slurm::jobtext::task_list;
use sandbatch::commands::slurm::opt::{Options, Tool, check};
use sandbatch::config::{Cluster, SiteFiles};
use sandbatch::slurmctld::Slurmctld;
use sandbatch::slurmctld::job::{JobDesc, JobState};
use sandbatch::slurmctld::request::{Caller, Order, Request, Response};
use std::collections::BTreeMap;

/// A controller alone, its nodes cleaned up at once.
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
        let folder = path("tests/corpus/clusters").join(name);
        let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        Self::new(&read("slurm.conf"), &read("gres.conf"), &read("topology.conf"))
    }

    /// What `salloc` with these options gets now; none: it would wait, or is refused.
    fn allocate(&mut self, options: &str) -> Option<JobId> {
        let mut all = Options { now: self.now, uid: Uid(1001), ..Options::default() };
        let words: Vec<String> =
            ["salloc"].into_iter().chain(options.split(' ')).map(str::to_owned).collect();
        all.argv(Tool::Salloc, &words).ok()?;
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
                for node in nodes {
                    let request = Request::EpilogComplete { job, node };
                    self.ctld.request(Caller { uid: Uid(0) }, request, self.now);
                }
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

#[test]
fn as_recorded() {
    let folder = path("tests/selection");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
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
            assert_eq!(controller.text(id), expected, "{}: {asked}", file.display());
            id.into_iter().for_each(|id| drop(jobs.insert(name, id)));
        }
    }
}
