//! `SchedulerParameters` of slurm.conf(5), read once.

use base::time::Span;
use config::parameters;
use std::collections::BTreeMap;

/// The parameters of the loops. A count of 0 means "no limit" where the manual says so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) struct Parameters {
    /// Jobs that a pass after an event considers.
    pub default_queue_depth: usize,
    /// Jobs of one partition that a pass considers; 0: no limit.
    pub partition_job_depth: u32,
    pub bf_window: Span,
    /// Seconds.
    pub bf_resolution: i64,
    pub bf_max_job_test: usize,
    pub bf_max_job_start: u32,
    pub bf_max_job_user: u32,
    pub bf_max_job_assoc: u32,
    pub bf_max_job_part: u32,
    pub bf_max_job_user_part: u32,
    pub bf_max_job_array_resv: u32,
    /// Jobs with a lower priority may start, but get no reservation and block no other job; 0: off.
    pub bf_min_prio_reserve: u32,
    /// Jobs that a pass of the main loop starts; 0: no limit.
    pub sched_max_job_start: u32,
    /// A job in several partitions gets a reservation in one of them only.
    pub bf_one_resv_per_job: bool,
    /// Planned starts prefer nodes in use.
    pub bf_busy_nodes: bool,
    /// One-CPU jobs get the last nodes.
    pub pack_serial_at_end: bool,
    /// A job that is stopped by a limit blocks its partition.
    pub assoc_limit_stop: bool,
    /// `srun` and `salloc` do not start jobs at submission (`sbatch` never does).
    pub defer: bool,
    /// Jobs that have waited for a shorter time get no reservation.
    pub bf_min_age_reserve: Span,
    /// Maximum number of jobs of a partition with a backfill reservation; 0: no limit.
    pub bf_job_part_count_reserve: u32,
    /// Backfill also plans licences.
    pub bf_licenses: bool,
    /// Heterogeneous jobs start as soon as the last of their components fits.
    pub bf_hetjob_immediate: bool,
    /// The components of a heterogeneous job are adjacent in the queue.
    pub bf_hetjob_prio: Option<HetPrio>,
    /// `CompleteWait` applies only to partitions with completing jobs.
    pub reduce_completing_frag: bool,
    /// Plans assume that running jobs end at their `--time-min`.
    pub time_min_as_soft_limit: bool,
}

/// How the priority of a heterogeneous job follows from those of its components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub(crate) enum HetPrio {
    Min,
    Avg,
    Max,
}

impl Default for Parameters {
    fn default() -> Self {
        Self::new(&BTreeMap::new())
    }
}

impl Parameters {
    pub(crate) fn new(given: &BTreeMap<String, String>) -> Self {
        let number = |name: &str, default: i64| parameters::number(given, name).unwrap_or(default);
        let count = |name: &str, default: u32| u32::try_from(number(name, default.into())).unwrap_or(default);
        let flag = |name: &str| given.contains_key(name);
        let het_prio = match given.get("bf_hetjob_prio").map(|word| word.to_ascii_lowercase()).as_deref() {
            Some("max") => Some(HetPrio::Max),
            Some("avg") => Some(HetPrio::Avg),
            Some("min") => Some(HetPrio::Min),
            Some(_) | None => flag("bf_hetjob_immediate").then_some(HetPrio::Min),
        };
        Self {
            default_queue_depth: count("default_queue_depth", 100) as usize,
            partition_job_depth: count("partition_job_depth", 0),
            bf_window: Span::from_mins(number("bf_window", 1440)),
            bf_resolution: number("bf_resolution", 60),
            bf_max_job_test: count("bf_max_job_test", 500) as usize,
            bf_max_job_start: count("bf_max_job_start", 0),
            bf_max_job_user: count("bf_max_job_user", 0),
            bf_max_job_assoc: count("bf_max_job_assoc", 0),
            bf_max_job_part: count("bf_max_job_part", 0),
            bf_max_job_user_part: count("bf_max_job_user_part", 0),
            bf_max_job_array_resv: count("bf_max_job_array_resv", 20),
            bf_min_prio_reserve: count("bf_min_prio_reserve", 0),
            assoc_limit_stop: flag("assoc_limit_stop"),
            defer: flag("defer"),
            sched_max_job_start: count("sched_max_job_start", 0),
            bf_one_resv_per_job: flag("bf_one_resv_per_job"),
            bf_busy_nodes: flag("bf_busy_nodes"),
            pack_serial_at_end: flag("pack_serial_at_end"),
            bf_min_age_reserve: Span::from_secs(number("bf_min_age_reserve", 0)),
            bf_job_part_count_reserve: count("bf_job_part_count_reserve", 0),
            bf_licenses: flag("bf_licenses"),
            bf_hetjob_immediate: flag("bf_hetjob_immediate"),
            bf_hetjob_prio: het_prio,
            reduce_completing_frag: flag("reduce_completing_frag"),
            time_min_as_soft_limit: flag("time_min_as_soft_limit"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_and_bounds() {
        let given = [("bf_window", "4320"), ("bf_resolution", "0"), ("bf_max_job_test", "x"), ("defer", "")];
        let parameters = Parameters::new(&given.map(|(k, v)| (k.to_owned(), v.to_owned())).into());
        assert_eq!(parameters.bf_window, Span::from_mins(4320));
        assert_eq!((parameters.bf_resolution, parameters.bf_max_job_test), (60, 500));
        assert!(parameters.defer);
        assert_eq!(Parameters::default().default_queue_depth, 100);
    }
}
