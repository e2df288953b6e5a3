//! Reports of jobs by size: the CPU time, or the number of jobs, of each size for each account or workload
//! characterization key.

use super::Query;
use super::reports::time;
use super::usage;
use super::window::Period;
use crate::slurm::jobtext::JobView;
use base::order::StableSort as _;

/// Default bounds of the size groups, CPUs.
const GROUPS: &[u64] = &[50, 250, 500, 1000];

/// Lower bounds of the groups after the first.
pub(super) fn bounds(ask: &Query) -> Vec<u64> {
    let Some(text) = ask.value("grouping") else { return GROUPS.to_vec() };
    let mut all: Vec<u64> = text.split(',').filter_map(|w| w.parse().ok()).filter(|n| *n > 0).collect();
    all.order();
    all.dedup();
    all
}

pub(super) fn group_titles(bounds: &[u64]) -> Vec<String> {
    let mut from = 0;
    let mut titles = Vec::new();
    for bound in bounds {
        titles.push(format!("{from}-{} CPUs", bound - 1));
        from = *bound;
    }
    titles.push(format!(">= {from} CPUs"));
    titles
}

/// CPU time (or numbers of jobs) by size: for all accounts together, for the top-level ones, or for each.
pub(super) fn sizes(view: &JobView, ask: &Query, window: &Period, wckeys: bool) -> Vec<Vec<String>> {
    let bounds = bounds(ask);
    let dbd = &view.state.dbd;
    let wanted = ask.list("accounts");
    let group_of = |job: &slurmdbd::JobRecord| -> String {
        let account = job.account.as_str();
        if wckeys {
            return if job.wckey.is_empty() { "*".to_owned() } else { job.wckey.clone() };
        }
        if ask.has("flatview") {
            return account.to_owned();
        }
        let chain: Vec<&str> = dbd
            .account_assoc(account)
            .into_iter()
            .flat_map(|a| dbd.chain(a.id))
            .map(|a| a.account.as_str())
            .collect();
        match chain.as_slice() {
            [.., top, _] if ask.has("acctasparent") => (*top).to_owned(),
            [.., root] => {
                wanted.iter().find(|w| chain.contains(&w.as_str())).map_or((*root).to_owned(), Clone::clone)
            }
            [] => account.to_owned(),
        }
    };
    let mut rows: std::collections::BTreeMap<String, (Vec<u64>, u64, u64)> =
        std::collections::BTreeMap::new();
    for (job, seconds) in usage::ran(view, window) {
        let row = rows.entry(group_of(job)).or_default();
        row.0.resize(bounds.len() + 1, 0);
        let cpus = job.alloc_tres.cpu;
        let column = bounds.iter().filter(|b| cpus >= **b).count();
        row.0[column] += if ask.has("printjobcount") { 1 } else { cpus * seconds };
        row.1 += 1;
        row.2 += cpus * seconds;
    }
    let all: u64 = rows.values().map(|r| r.2).sum();
    let one = |(account, (groups, count, used)): (String, (Vec<u64>, u64, u64))| {
        let mut row = vec![dbd.cluster.clone(), account];
        let text = |n: u64| if ask.has("printjobcount") { n.to_string() } else { time(ask, n, all) };
        row.extend(groups.into_iter().map(text));
        row.push(count.to_string());
        row.push(format!("{:.2}%", if all > 0 { used as f64 / all as f64 * 100.0 } else { 0.0 }));
        row
    };
    rows.into_iter().map(one).collect()
}
