//! Changes of a partition at run time, key by key. Mirrors `scontrol update partitionname=`.

use super::global::gpu_defaults;
use super::lines::{DiagnosticLog, LineOptions};
use super::nodes::Nodes;
use super::partitions::{
    Partitions, cpu_bind, exclusive, grace, over_subscribe, over_time, some_hosts, state,
};
use super::value::{bound, limit, names, number, weights, words, yes};
use super::{OverSubscribe, PartConf, PartExclusive, keys};

/// Keys that can only be set in slurm.conf.
const FIXED: &[&str] = &["ResumeTimeout", "SelectTypeParameters", "SuspendTime", "SuspendTimeout"];
/// Keys without effect that `scontrol` shows.
const SHOWN: &[&str] = &["Alternate", "CpuBind", "Topology"];
/// The largest tier and job factor.
const MOST_PRIORITY: u32 = 65_533;

impl PartConf {
    /// A partition with defaults only: no nodes, no limits.
    #[must_use]
    pub fn named(name: &str) -> Self {
        Partitions::new().partition(
            name,
            &LineOptions::default(),
            &Nodes::new(),
            &mut DiagnosticLog::default(),
        )
    }

    /// The keys that may change while the cluster runs.
    pub fn changing_keys() -> impl Iterator<Item = &'static str> {
        keys::words_of("PartitionName").filter(|k| !FIXED.contains(k)).chain(SHOWN.iter().copied())
    }

    /// The canonical spelling of a key that may change while the cluster runs. Unambiguous abbreviations (`MaxT`)
    /// are accepted.
    #[must_use]
    pub fn key_name(key: &str) -> Option<&'static str> {
        let lower = key.to_ascii_lowercase();
        let all = Self::changing_keys;
        let mut fits = all().filter(|k| lower.len() > 2 && k.to_ascii_lowercase().starts_with(&lower));
        all().find(|k| k.eq_ignore_ascii_case(key)).or_else(|| fits.next().filter(|_| fits.next().is_none()))
    }

    /// Sets a key (in any case). `Nodes` needs the node table and is left to the caller. Returns `None` if
    /// the key or the value is invalid.
    pub fn change(&mut self, key: &str, value: &str) -> Option<()> {
        let memory = |text: &str| text.parse::<u64>().ok().map(|m| Some(m).filter(|m| *m > 0));
        let priority = |text: &str| number(text).filter(|n| *n <= MOST_PRIORITY);
        match key.to_ascii_lowercase().as_str() {
            "state" => self.state = state(value)?,
            "maxtime" => self.max_time = limit(value)?,
            "defaulttime" => self.default_time = Some(limit(value)?),
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
            "oversubscribe" | "shared" => match over_subscribe(value)? {
                // Slurm stores it as `Exclusive=NODE`.
                OverSubscribe::Exclusive => {
                    (self.over_subscribe, self.exclusive) = (OverSubscribe::No, PartExclusive::Node);
                }
                shares => self.over_subscribe = shares,
            },
            "overtimelimit" => self.over_time_limit = over_time(value)?,
            "prioritytier" => self.priority_tier = priority(value)?,
            "priorityjobfactor" => self.priority_job_factor = priority(value)?,
            "priority" => {
                self.priority_tier = priority(value)?;
                self.priority_job_factor = self.priority_tier;
            }
            "alternate" => self.alternate = Some(value.to_owned()).filter(|name| !name.is_empty()),
            "cpubind" => self.cpu_bind = Some(cpu_bind(value)?.to_owned()),
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
            "allowgroups" => self.allow_groups = some_names(value),
            // If both are set, the allow list takes precedence.
            "allowaccounts" => self.allow_accounts = some_names(value),
            "denyaccounts" => self.deny_accounts = Some(words(value)).filter(|w| !w.is_empty()),
            "allowqos" => self.allow_qos = some_names(value),
            "denyqos" => self.deny_qos = Some(words(value)).filter(|w| !w.is_empty()),
            "allocnodes" => self.alloc_nodes = some_hosts(value),
            "suspendtime" => self.suspend_time = Some(super::power::suspend_time(value)?),
            "suspendtimeout" => self.suspend_timeout = Some(number(value)?),
            "resumetimeout" => self.resume_timeout = Some(number(value)?),
            "powerdownonidle" => self.power_down_on_idle = yes(value)?,
            "tresbillingweights" => {
                let weights = weights(value)?;
                if !weights.keys().all(|name| is_tres(name)) {
                    return None;
                }
                self.tres_billing_weights = weights;
                self.tres_billing_text = Some(value.to_owned()).filter(|text| !text.is_empty());
            }
            // Known to Slurm but without effect here: accepted, as in slurm.conf.
            other if keys::partition(other) == Some(keys::KeyUse::Ignored) => {}
            _ => return None,
        }
        Some(())
    }
}

/// An empty list allows everyone, as `ALL` does.
fn some_names(value: &str) -> Option<Vec<String>> {
    names(Some(value)).filter(|list| !list.is_empty())
}

/// Whether this names a TRES that may have a weight.
fn is_tres(name: &str) -> bool {
    const PLAIN: &[&str] = &["billing", "bb", "cpu", "energy", "fs", "mem", "node", "pages", "vmem"];
    let (kind, rest) = name.split_once('/').map_or((name, None), |(kind, rest)| (kind, Some(rest)));
    let kind = kind.to_ascii_lowercase();
    match rest {
        None => PLAIN.contains(&kind.as_str()),
        Some(_) => ["bb", "fs", "gres", "ic", "license"].contains(&kind.as_str()),
    }
}
