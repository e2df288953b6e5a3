//! The limits `Grp*`, `Max*` and `Min*` of sacctmgr(1).

use super::Limits;
use super::error::ChangeError;
use base::time::Limit;
use config::parse_limit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The value that clears a limit.
const CLEAR: &str = "-1";

/// A limit on TRES.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values of sacctmgr(1)")]
pub enum TresLimit {
    GrpTres,
    GrpTresMins,
    GrpTresRunMins,
    MaxTres,
    MaxTresPerNode,
    MaxTresMins,
    MaxTresPerUser,
    MaxTresPerAccount,
    MaxTresRunMinsPerUser,
    MaxTresRunMinsPerAccount,
    MinTres,
}

/// A limit on a number of jobs. In a QOS, `MaxJobs` and `MaxSubmitJobs` apply per user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "named as the values of sacctmgr(1)")]
pub enum CountLimit {
    GrpJobs,
    GrpJobsAccrue,
    GrpSubmitJobs,
    MaxJobs,
    MaxJobsAccrue,
    MaxSubmitJobs,
    MaxJobsPerAccount,
    MaxJobsAccruePerAccount,
    MaxSubmitJobsPerAccount,
}

impl Limits {
    /// A limit on TRES, by TRES name; memory in MiB.
    #[must_use]
    pub const fn of_tres(&self, limit: TresLimit) -> &BTreeMap<String, u64> {
        match limit {
            TresLimit::GrpTres => &self.grp_tres,
            TresLimit::GrpTresMins => &self.grp_tres_mins,
            TresLimit::GrpTresRunMins => &self.grp_tres_run_mins,
            TresLimit::MaxTres => &self.max_tres,
            TresLimit::MaxTresPerNode => &self.max_tres_per_node,
            TresLimit::MaxTresMins => &self.max_tres_mins,
            TresLimit::MaxTresPerUser => &self.max_tres_per_user,
            TresLimit::MaxTresPerAccount => &self.max_tres_per_account,
            TresLimit::MaxTresRunMinsPerUser => &self.max_tres_run_mins_per_user,
            TresLimit::MaxTresRunMinsPerAccount => &self.max_tres_run_mins_per_account,
            TresLimit::MinTres => &self.min_tres,
        }
    }

    /// A limit on a number of jobs.
    #[must_use]
    pub const fn of_count(&self, limit: CountLimit) -> Option<u32> {
        match limit {
            CountLimit::GrpJobs => self.grp_jobs,
            CountLimit::GrpJobsAccrue => self.grp_jobs_accrue,
            CountLimit::GrpSubmitJobs => self.grp_submit,
            CountLimit::MaxJobs => self.max_jobs,
            CountLimit::MaxJobsAccrue => self.max_jobs_accrue,
            CountLimit::MaxSubmitJobs => self.max_submit,
            CountLimit::MaxJobsPerAccount => self.max_jobs_per_account,
            CountLimit::MaxJobsAccruePerAccount => self.max_jobs_accrue_per_account,
            CountLimit::MaxSubmitJobsPerAccount => self.max_submit_per_account,
        }
    }

    /// Sets one limit by the name of its option or an alias. Returns `None` if there is no such limit.
    ///
    /// # Errors
    /// The value is invalid.
    pub(super) fn set(&mut self, option: &str, value: &str) -> Option<Result<(), ChangeError>> {
        let lower = option.to_ascii_lowercase();
        if let Some(map) = self.tres(&lower) {
            return Some(set_tres(map, value));
        }
        if let Some((map, name)) = self.single(&lower) {
            return Some(set_tres(map, &format!("{name}={value}")));
        }
        if let Some(count) = self.count(&lower) {
            return Some(set_count(count, value));
        }
        match lower.as_str() {
            "grpwall" => Some(minutes(value).map(|m| {
                self.grp_wall = m.and_then(|m| match m {
                    Limit::Minutes(m) => Some(m),
                    Limit::Unlimited => None,
                });
            })),
            "maxwall" | "maxwallpj" | "maxwallperjob" | "maxwalldurationperjob" => {
                Some(minutes(value).map(|m| self.max_wall = m))
            }
            _ => None,
        }
    }

    /// The TRES list of an option.
    fn tres(&mut self, option: &str) -> Option<&mut BTreeMap<String, u64>> {
        Some(match option {
            "grptres" => &mut self.grp_tres,
            "grptresmins" => &mut self.grp_tres_mins,
            "grptresrunmins" => &mut self.grp_tres_run_mins,
            "maxtres" | "maxtresperjob" | "maxtrespj" => &mut self.max_tres,
            "maxtrespernode" | "maxtrespn" => &mut self.max_tres_per_node,
            "maxtresmins" | "maxtresminsperjob" | "maxtresminspj" => &mut self.max_tres_mins,
            "maxtresperuser" | "maxtrespu" => &mut self.max_tres_per_user,
            "maxtresperaccount" | "maxtresperacct" | "maxtrespa" => &mut self.max_tres_per_account,
            "maxtresrunminsperuser" | "maxtresrunminspu" | "maxtresrunmins" => {
                &mut self.max_tres_run_mins_per_user
            }
            "maxtresrunminsperaccount" | "maxtresrunminsperacct" | "maxtresrunminspa" => {
                &mut self.max_tres_run_mins_per_account
            }
            "mintres" | "mintresperjob" | "mintrespj" => &mut self.min_tres,
            _ => return None,
        })
    }

    /// The older options that limit a single TRES.
    fn single(&mut self, option: &str) -> Option<(&mut BTreeMap<String, u64>, &'static str)> {
        Some(match option {
            "grpcpus" => (&mut self.grp_tres, "cpu"),
            "grpmem" | "grpmemory" => (&mut self.grp_tres, "mem"),
            "grpnodes" => (&mut self.grp_tres, "node"),
            "grpcpumins" => (&mut self.grp_tres_mins, "cpu"),
            "grpcpurunmins" => (&mut self.grp_tres_run_mins, "cpu"),
            "maxcpus" | "maxcpusperjob" => (&mut self.max_tres, "cpu"),
            "maxnodes" | "maxnodesperjob" => (&mut self.max_tres, "node"),
            "maxcpumins" | "maxcpuminsperjob" => (&mut self.max_tres_mins, "cpu"),
            "maxcpusperuser" => (&mut self.max_tres_per_user, "cpu"),
            "maxnodesperuser" => (&mut self.max_tres_per_user, "node"),
            _ => return None,
        })
    }

    /// The count of an option.
    fn count(&mut self, option: &str) -> Option<&mut Option<u32>> {
        Some(match option {
            "grpjobs" => &mut self.grp_jobs,
            "grpsubmit" | "grpsubmitjobs" => &mut self.grp_submit,
            "maxjobs" | "maxjobsperuser" | "maxjobspu" => &mut self.max_jobs,
            "grpjobsaccrue" => &mut self.grp_jobs_accrue,
            "maxjobsaccrue" | "maxjobsaccrueperuser" | "maxjobsaccruepu" => &mut self.max_jobs_accrue,
            "maxjobsaccrueperaccount" | "maxjobsaccrueperacct" | "maxjobsaccruepa" => {
                &mut self.max_jobs_accrue_per_account
            }
            "minpriothresh" | "minpriothreshold" | "minprio" => &mut self.min_prio_thresh,
            "maxjobsperaccount" | "maxjobsperacct" | "maxjobspa" => &mut self.max_jobs_per_account,
            "maxsubmit" | "maxsubmitjobs" | "maxsubmitjobsperuser" | "maxsubmitpu" | "maxsubmitjobspu" => {
                &mut self.max_submit
            }
            "maxsubmitjobsperaccount" | "maxsubmitjobsperacct" | "maxsubmitpa" | "maxsubmitjobspa" => {
                &mut self.max_submit_per_account
            }
            _ => return None,
        })
    }
}

fn set_count(count: &mut Option<u32>, value: &str) -> Result<(), ChangeError> {
    *count = if value == CLEAR { None } else { Some(value.parse().map_err(|_| bad(value))?) };
    Ok(())
}

/// A time in minutes or a longer unit, rounded up to minutes.
fn minutes(value: &str) -> Result<Option<Limit>, ChangeError> {
    if value == CLEAR { Ok(None) } else { parse_limit(value).map(Some).ok_or_else(|| bad(value)) }
}

/// Applies `cpu=8,mem=10G,gres/gpu=2`: TRES that are not listed stay, -1 clears one. Changes nothing on an error.
fn set_tres(map: &mut BTreeMap<String, u64>, value: &str) -> Result<(), ChangeError> {
    let mut new = map.clone();
    if value == CLEAR {
        new.clear();
    } else {
        for part in value.split(',').filter(|p| !p.is_empty()) {
            let (name, amount) = part.split_once('=').ok_or_else(|| bad(value))?;
            let name = name.trim().to_ascii_lowercase();
            if !known(&name) {
                return Err(ChangeError::BadTres(part.to_owned()));
            }
            if amount == CLEAR {
                new.remove(&name);
            } else {
                new.insert(name.clone(), self::amount(&name, amount).ok_or_else(|| bad(part))?);
            }
        }
    }
    *map = new;
    Ok(())
}

/// The limits that a list of TRES describes; memory in MiB.
#[must_use]
pub fn tres_limits(text: &str) -> Option<BTreeMap<String, u64>> {
    let mut map = BTreeMap::new();
    set_tres(&mut map, text).is_ok().then_some(map)
}

fn known(name: &str) -> bool {
    let plain = ["cpu", "mem", "energy", "node", "billing", "vmem", "pages"];
    plain.contains(&name)
        || ["gres/", "license/", "fs/", "bb/", "ic/"]
            .iter()
            .any(|kind| name.strip_prefix(kind).is_some_and(|n| !n.is_empty()))
}

/// A whole number. For memory the unit is MiB unless it has a suffix.
fn amount(name: &str, text: &str) -> Option<u64> {
    if name != "mem" {
        return text.parse().ok();
    }
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let mib: u64 = match text.get(digits.len()..)?.to_ascii_uppercase().as_str() {
        "" | "M" | "MB" => 1,
        "G" | "GB" => 1 << 10,
        "T" | "TB" => 1 << 20,
        "P" | "PB" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(mib)
}

fn bad(value: &str) -> ChangeError {
    ChangeError::bad("", value)
}
