//! One key of a partition, changed while the cluster runs. Mirrors `scontrol update partitionname=`.

use super::global::gpu_defaults;
use super::lines::{Options, Report};
use super::nodes::Nodes;
use super::partitions::{
    Partitions, default_time, exclusive, grace, over_subscribe, over_time, some_hosts, state,
};
use super::value::{big, bound, limit, names, number, weights, words, yes};
use super::{PartConf, PartExclusive, keys};

impl PartConf {
    /// A partition of which nothing is said: no nodes, no limits.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Partitions::new().partition(name, &Options::default(), &Nodes::new(), &mut Report::default())
    }

    /// Whether a partition has such a key at all, in any case.
    #[must_use]
    pub fn has_key(key: &str) -> bool {
        key.eq_ignore_ascii_case("PartitionName") || keys::partition(key).is_some()
    }

    /// The key's own spelling.
    #[must_use]
    pub fn key_name(key: &str) -> Option<&'static str> {
        keys::words_of("PartitionName").find(|k| k.eq_ignore_ascii_case(key))
    }

    /// Sets a key (in any case); `Nodes` needs the nodes and is left to the caller. None: no such
    /// key, or no such value.
    pub fn change(&mut self, key: &str, value: &str) -> Option<()> {
        let memory = |text: &str| big(text).map(|m| Some(m).filter(|m| *m > 0 && *m < u64::MAX));
        match key.to_ascii_lowercase().as_str() {
            "state" => self.state = state(value)?,
            "maxtime" => self.max_time = limit(value)?,
            "defaulttime" => self.default_time = default_time(value)?,
            "maxnodes" => self.max_nodes = bound(value)?,
            "minnodes" => self.min_nodes = number(value)?,
            "maxcpuspernode" => self.max_cpus_per_node = bound(value)?,
            "maxcpuspersocket" => self.max_cpus_per_socket = bound(value)?,
            "defmempercpu" => (self.def_mem_per_cpu, self.def_mem_per_node) = (memory(value)?, None),
            "defmempernode" => (self.def_mem_per_cpu, self.def_mem_per_node) = (None, memory(value)?),
            "maxmempercpu" => (self.max_mem_per_cpu, self.max_mem_per_node) = (memory(value)?, None),
            "maxmempernode" => (self.max_mem_per_cpu, self.max_mem_per_node) = (None, memory(value)?),
            "default" => self.is_default = yes(value)?,
            "hidden" => self.hidden = yes(value)?,
            "rootonly" => self.root_only = yes(value)?,
            "disablerootjobs" => self.disable_root_jobs = yes(value)?,
            "reqresv" => self.req_resv = yes(value)?,
            "lln" => self.lln = yes(value)?,
            "exclusive" => self.exclusive = exclusive(value)?,
            "exclusiveuser" => {
                self.exclusive = if yes(value)? { PartExclusive::User } else { PartExclusive::No };
            }
            "exclusivetopo" => {
                self.exclusive = if yes(value)? { PartExclusive::Topo } else { PartExclusive::No };
            }
            "jobdefaults" => {
                let known = |w: &String| {
                    let (key, n) = w.split_once('=').unwrap_or((w, ""));
                    let name = ["DefCpuPerGPU", "DefMemPerGPU"].iter().any(|k| k.eq_ignore_ascii_case(key));
                    name && n.parse::<u64>().is_ok()
                };
                if !words(value).iter().all(known) {
                    return None;
                }
                self.job_defaults = Some(value.to_owned()).filter(|v| !v.is_empty());
                self.gpu_defaults = gpu_defaults(self.job_defaults.as_deref());
            }
            "oversubscribe" | "shared" => self.over_subscribe = over_subscribe(value)?,
            "overtimelimit" => self.over_time_limit = over_time(value)?,
            "prioritytier" => self.priority_tier = number(value)?,
            "priorityjobfactor" => self.priority_job_factor = number(value)?,
            "gracetime" => self.grace_time = grace(value)?,
            "preemptmode" => {
                const MODES: &[&str] = &["OFF", "CANCEL", "REQUEUE", "SUSPEND", "GANG", "PRIORITY", "WITHIN"];
                let upper = value.to_ascii_uppercase();
                if !words(&upper).iter().all(|w| MODES.contains(&w.as_str())) {
                    return None;
                }
                self.preempt_mode = Some(upper);
            }
            "qos" => self.qos = Some(value.to_owned()).filter(|q| !q.is_empty()),
            "allowgroups" => self.allow_groups = names(Some(value)),
            // Where both are set the list of those who may counts.
            "allowaccounts" => self.allow_accounts = names(Some(value)),
            "denyaccounts" => self.deny_accounts = Some(words(value)).filter(|w| !w.is_empty()),
            "allowqos" => self.allow_qos = names(Some(value)),
            "denyqos" => self.deny_qos = Some(words(value)).filter(|w| !w.is_empty()),
            "allocnodes" => self.alloc_nodes = some_hosts(value),
            "suspendtime" => self.suspend_time = Some(super::power::suspend_time(value)?),
            "suspendtimeout" => self.suspend_timeout = Some(number(value)?),
            "resumetimeout" => self.resume_timeout = Some(number(value)?),
            "powerdownonidle" => self.power_down_on_idle = yes(value)?,
            "tresbillingweights" => self.tres_billing_weights = weights(value)?,
            // Known to Slurm, without effect here: taken, as in slurm.conf.
            other if keys::partition(other) == Some(keys::Use::Ignored) => {}
            _ => return None,
        }
        Some(())
    }
}
