//! The table of slurmrestd's paths, and the command that answers each.
//!
//! Responses are the commands' `--json` output, so both have the same source. `{}` in a command represents the path's
//! parameter.

use slurmctld::error::SlurmError;

/// How a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestAction {
    /// Whether slurmctld responds.
    Ping,
    /// Whether slurmdbd responds.
    PingDbd,
    /// The output of a command.
    Show(&'static [&'static str]),
    /// The output of a command, with an error if this list is empty.
    Find(&'static [&'static str], &'static str, SlurmError),
    /// The members of a list that have the query's values in these fields.
    Select(&'static [&'static str], &'static str),
    /// The states of all jobs.
    JobStates,
    /// `sacct` with the filters of the query.
    Sacct,
    /// Everything that slurmdbd has.
    Config,
    /// Submit a job.
    Submit,
    /// `scontrol update`: the object, and its table of fields.
    Update(&'static str),
    /// `scancel` of one job.
    Kill,
    /// `scancel` of several jobs.
    KillMany,
    /// A command that only succeeds or fails.
    Run(&'static [&'static str]),
    /// Add accounts, users, associations...: the list in the body.
    Add(&'static str),
    /// Remove associations that the query selects.
    RemoveAssociations,
}

/// A path: method, template after the version, action.
pub struct Route {
    pub method: &'static str,
    /// `slurm` or `slurmdb`.
    pub part: &'static str,
    /// Segments; `{job_id}` matches any one.
    pub path: &'static str,
    pub action: RestAction,
}

const fn route(method: &'static str, part: &'static str, path: &'static str, action: RestAction) -> Route {
    Route { method, part, path, action }
}

use RestAction::{
    Add, Config, Find, JobStates, Kill, KillMany, Ping, PingDbd, RemoveAssociations, Run, Sacct, Select,
    Show, Submit, Update,
};

/// All paths.
pub const ROUTES: &[Route] = &[
    route("GET", "slurm", "ping", Ping),
    route("GET", "slurm", "diag", Show(&["sdiag"])),
    route("GET", "slurm", "jobs", Show(&["scontrol", "-a", "show", "jobs"])),
    route("GET", "slurm", "jobs/state", JobStates),
    route(
        "GET",
        "slurm",
        "job/{job_id}",
        Find(&["scontrol", "show", "job", "{}"], "jobs", SlurmError::InvalidJobId),
    ),
    route("POST", "slurm", "job/submit", Submit),
    route("POST", "slurm", "job/{job_id}", Update("job")),
    route("DELETE", "slurm", "job/{job_id}", Kill),
    route("DELETE", "slurm", "jobs", KillMany),
    route("GET", "slurm", "nodes", Show(&["scontrol", "-a", "show", "nodes"])),
    route(
        "GET",
        "slurm",
        "node/{node_name}",
        Find(&["scontrol", "show", "node", "{}"], "nodes", SlurmError::InvalidNodeName),
    ),
    route("POST", "slurm", "node/{node_name}", Update("node")),
    route("DELETE", "slurm", "node/{node_name}", Run(&["scontrol", "delete", "NodeName={}"])),
    route("GET", "slurm", "partitions", Show(&["scontrol", "-a", "show", "partitions"])),
    route(
        "GET",
        "slurm",
        "partition/{partition_name}",
        Find(&["scontrol", "show", "partition", "{}"], "partitions", SlurmError::InvalidPartitionName),
    ),
    route("GET", "slurm", "reservations", Show(&["scontrol", "show", "reservations"])),
    route(
        "GET",
        "slurm",
        "reservation/{reservation_name}",
        Find(&["scontrol", "show", "reservation", "{}"], "reservations", SlurmError::ReservationInvalid),
    ),
    route(
        "DELETE",
        "slurm",
        "reservation/{reservation_name}",
        Run(&["scontrol", "delete", "ReservationName={}"]),
    ),
    route("GET", "slurm", "licenses", Show(&["scontrol", "show", "licenses"])),
    route("GET", "slurm", "shares", Show(&["sshare", "-a"])),
    route("GET", "slurm", "reconfigure", Run(&["scontrol", "reconfigure"])),
    route("GET", "slurmdb", "ping", PingDbd),
    route("GET", "slurmdb", "jobs", Sacct),
    route("GET", "slurmdb", "job/{job_id}", Show(&["sacct", "-a", "-j", "{}"])),
    route("GET", "slurmdb", "accounts", Show(&["sacctmgr", "show", "accounts", "withassoc"])),
    route(
        "GET",
        "slurmdb",
        "account/{account_name}",
        Find(&["sacctmgr", "show", "accounts", "withassoc"], "accounts", SlurmError::InvalidAccount),
    ),
    route("POST", "slurmdb", "accounts", Add("accounts")),
    route("DELETE", "slurmdb", "account/{account_name}", Run(&["sacctmgr", "-i", "delete", "account", "{}"])),
    route("GET", "slurmdb", "users", Show(&["sacctmgr", "show", "users", "withassoc"])),
    route(
        "GET",
        "slurmdb",
        "user/{name}",
        Find(&["sacctmgr", "show", "users", "withassoc"], "users", SlurmError::UserIdMissing),
    ),
    route("POST", "slurmdb", "users", Add("users")),
    route("DELETE", "slurmdb", "user/{name}", Run(&["sacctmgr", "-i", "delete", "user", "{}"])),
    route("GET", "slurmdb", "associations", Select(&["sacctmgr", "show", "associations"], "associations")),
    route("GET", "slurmdb", "association", Select(&["sacctmgr", "show", "associations"], "associations")),
    route("POST", "slurmdb", "associations", Add("associations")),
    route("DELETE", "slurmdb", "association", RemoveAssociations),
    route("DELETE", "slurmdb", "associations", RemoveAssociations),
    route("GET", "slurmdb", "qos", Show(&["sacctmgr", "show", "qos"])),
    route("GET", "slurmdb", "qos/{qos}", Find(&["sacctmgr", "show", "qos"], "qos", SlurmError::InvalidQos)),
    route("POST", "slurmdb", "qos", Add("qos")),
    route("DELETE", "slurmdb", "qos/{qos}", Run(&["sacctmgr", "-i", "delete", "qos", "{}"])),
    route("GET", "slurmdb", "clusters", Show(&["sacctmgr", "show", "clusters"])),
    route(
        "GET",
        "slurmdb",
        "cluster/{cluster_name}",
        Find(&["sacctmgr", "show", "clusters"], "clusters", SlurmError::InvalidClusterName),
    ),
    route("GET", "slurmdb", "tres", Show(&["sacctmgr", "show", "tres"])),
    route("GET", "slurmdb", "config", Config),
];

/// The matched route, its version and the path's parameter.
pub struct RouteMatch<'a> {
    pub route: &'static Route,
    pub version: &'a str,
    pub parameter: Option<&'a str>,
}

/// Why no route matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteError {
    /// There is no such path.
    NotFound,
    /// The path exists, but not with this method.
    Method,
}

/// Finds the route of a request. A slash at the end makes no difference.
///
/// # Errors
/// No route fits.
pub fn find<'a>(method: &str, path: &'a str) -> Result<RouteMatch<'a>, RouteError> {
    let segments: Vec<&str> = path.trim_matches('/').split('/').collect();
    let [part, version, rest @ ..] = segments.as_slice() else { return Err(RouteError::NotFound) };
    let mut wrong = RouteError::NotFound;
    for route in ROUTES.iter().filter(|route| route.part == *part) {
        let template: Vec<&str> = route.path.split('/').collect();
        let is_parameter = |segment: &str| segment.starts_with('{');
        let fits = template.len() == rest.len()
            && template.iter().zip(rest).all(|(wanted, given)| is_parameter(wanted) || wanted == given);
        if fits && route.method == method {
            let parameter =
                template.iter().zip(rest).find(|(wanted, _)| is_parameter(wanted)).map(|(_, g)| *g);
            return Ok(RouteMatch { route, version, parameter });
        }
        if fits {
            wrong = RouteError::Method;
        }
    }
    Err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_methods() {
        let found = |method, path| find(method, path).map(|m| (m.route.action, m.version, m.parameter));
        assert_eq!(found("GET", "/slurm/v0.0.44/jobs/").unwrap().1, "v0.0.44");
        assert_eq!(found("GET", "/slurm/v0.0.41/job/12").unwrap().2, Some("12"));
        assert_eq!(found("POST", "/slurm/v0.0.41/job/submit").unwrap().0, Submit);
        assert_eq!(found("GET", "/slurm/v0.0.41/nothing").unwrap_err(), RouteError::NotFound);
        assert_eq!(found("PUT", "/slurmdb/v0.0.41/jobs").unwrap_err(), RouteError::Method);
        assert_eq!(found("GET", "/").unwrap_err(), RouteError::NotFound);
    }
}
