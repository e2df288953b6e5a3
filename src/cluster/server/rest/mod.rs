//! slurmrestd: HTTP requests are converted to commands of the cluster, whose `--json` output is the response.
//!
//! Mirrors slurmrestd(8) with `openapi/slurmctld`, `openapi/slurmdbd`, `auth/jwt` and, on a Unix socket, `auth/local`.
//! Differences: only JSON, no TLS, and no schemas of the objects in `openapi.json`.

mod answer;
mod change;
mod fields;
pub mod http;
mod older;
mod openapi;
mod routes;
mod submit;
#[cfg(test)]
mod tests;
pub mod token;

pub use answer::RestReply;

use super::Server;
use answer::{RestError, RestMeta};
use base::ids::{JobId, Pid, Uid};
use commands::slurm::release::{self, RELEASES, Release};
use engine::world::real_host::ClientStart;
use routes::{RestAction, RouteError};
use serde_json::{Map, Value, json};
use slurmctld::error::SlurmError;
use std::collections::VecDeque;
use tokio::sync::oneshot;

/// The data parsers of the newest release, and v0.0.41.
const PARSERS: &[u32] = &[41, 42, 43, 44, 45];
/// Maximum number of concurrent requests.
const MAX_CALLS: usize = 256;
/// Maximum number of jobs in one `DELETE jobs`.
const MAX_KILLS: usize = 1000;

/// A request.
pub struct RestRequest {
    /// `GET`
    pub method: String,
    /// The path, still with percent signs.
    pub path: String,
    /// Its parameters.
    pub query: Vec<(String, String)>,
    /// `X-SLURM-USER-NAME`
    pub user: Option<String>,
    /// `X-SLURM-USER-TOKEN`, or the bearer token.
    pub token: Option<String>,
    /// The peer is known to be the cluster's user.
    pub local: bool,
    /// The body.
    pub body: Vec<u8>,
}

/// The state of slurmrestd in the server.
#[derive(Default)]
pub(super) struct RestState {
    /// The key of `auth/jwt`.
    pub key: Vec<u8>,
    /// The release chosen with `--slurm-version`.
    pub release: Option<&'static Release>,
    pub(super) calls: Vec<RestCall>,
}

/// A request that waits for its commands.
pub(super) struct RestCall {
    uid: Uid,
    meta: RestMeta,
    queue: VecDeque<Vec<String>>,
    /// The running command and its output so far.
    running: Option<(Pid, CommandAnswer)>,
    results: Vec<CommandAnswer>,
    shape: AnswerShape,
    reply: oneshot::Sender<RestReply>,
}

/// The output of a command and its exit code.
#[derive(Clone, Debug, Default)]
struct CommandAnswer {
    argv: Vec<String>,
    out: Vec<u8>,
    err: Vec<u8>,
    code: u8,
}

/// How the results of commands become a response.
enum AnswerShape {
    /// The fields of all outputs.
    Fields,
    /// The same, with one list reduced to members that have these values.
    Members { list: &'static str, wanted: Vec<(String, String)>, missing: Option<SlurmError> },
    /// Only the states of jobs.
    JobStates,
    /// Success or failure.
    Done,
    /// One status for each job, and whether slurmctld knows it.
    KillStatuses(Vec<(bool, String)>),
}

/// How to answer a request.
enum RestPlan {
    Reply(RestReply),
    Commands(Vec<Vec<String>>, AnswerShape),
}

fn words(words: &[&str], parameter: &str) -> Vec<String> {
    words.iter().map(|word| word.replace("{}", parameter)).collect()
}

impl Server {
    /// Handles a request.
    pub(super) fn rest(&mut self, request: &RestRequest, reply: oneshot::Sender<RestReply>) {
        let planned = self.plan(request);
        let answer = match planned {
            Ok((uid, meta, RestPlan::Commands(queue, shape))) => {
                let (running, results) = (None, Vec::new());
                let call = RestCall { uid, meta, queue: queue.into(), running, results, shape, reply };
                self.rest.calls.push(call);
                return;
            }
            Ok((_, _, RestPlan::Reply(answer))) | Err(answer) => answer,
        };
        // A client that has disconnected is not an error.
        let _ = reply.send(answer);
    }

    /// The user of a request.
    fn authenticate(&self, request: &RestRequest) -> Option<Uid> {
        let Some(token) = &request.token else { return request.local.then_some(self.uid) };
        let user = token::user_of(&self.rest.key, token, crate::real_date())?;
        let uid = self.world.user_named(&user)?;
        match request.user.as_deref().filter(|name| !name.is_empty() && *name != user) {
            None => Some(uid),
            // Root acts for others.
            Some(other) if uid == Uid(0) => self.world.user_named(other),
            Some(_) => None,
        }
    }

    fn plan(&mut self, request: &RestRequest) -> Result<(Uid, RestMeta, RestPlan), RestReply> {
        let uid = self.authenticate(request).ok_or_else(|| RestReply::text(401, "Authentication failure"))?;
        if self.rest.calls.len() >= MAX_CALLS {
            return Err(RestReply::text(503, "Too many requests"));
        }
        let parsers = self.rest.release.map_or(PARSERS, |release| release.parsers);
        let newest = self.rest.release.unwrap_or(&RELEASES[0]);
        if matches!(request.path.as_str(), "/openapi.json" | "/openapi" | "/openapi/v3") {
            return Err(RestReply::json(200, &openapi::description(parsers, newest.version)));
        }
        let unknown = || RestReply::text(404, "Unable find requested URL");
        let found = routes::find(&request.method, &request.path).map_err(|error| match error {
            RouteError::NotFound => unknown(),
            RouteError::Method => RestReply::text(405, "Method not allowed"),
        })?;
        let parser = release::parser_number(found.version).filter(|parser| parsers.contains(parser));
        let parser = parser.ok_or_else(unknown)?;
        let meta = RestMeta {
            part: found.route.part,
            parser,
            user: self.world.user_name(uid),
            release: newest.version,
            cluster: self.world.ctld.dbd.cluster.clone(),
        };
        let action = found.route.action;
        if self.faults.times_out() {
            return Err(match action {
                RestAction::Ping | RestAction::PingDbd => {
                    meta.success(ping(action == RestAction::PingDbd, false))
                }
                _ => {
                    let error = SlurmError::ProtocolSocketImplTimeout;
                    meta.failure(RestError::of(error, &error.to_string(), &request.path))
                }
            });
        }
        let parameter = percent_decoded(found.parameter.unwrap_or_default());
        if found.parameter.is_some() && !change::is_name(&parameter) {
            let what = format!("Invalid value for {}: '{parameter}'", found.route.path);
            return Err(meta.failure_with(
                400,
                Map::new(),
                RestError::of(SlurmError::Error, &what, &request.path),
            ));
        }
        let body = if request.method == "GET" || request.body.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&request.body).map_err(|error| {
                let what = format!("Unable to parse the body as JSON: {error}");
                meta.failure_with(400, Map::new(), RestError::of(SlurmError::Error, &what, &request.path))
            })?
        };
        let plan = self.planned(action, uid, &meta, request, &parameter, &body);
        Ok((uid, meta, plan))
    }

    fn planned(
        &mut self,
        action: RestAction,
        uid: Uid,
        meta: &RestMeta,
        request: &RestRequest,
        parameter: &str,
        body: &Value,
    ) -> RestPlan {
        use RestPlan::{Commands, Reply};
        let show = |argv: &[&str]| words(argv, parameter);
        let malformed = |what: &str| {
            let error = RestError::of(SlurmError::Error, what, &request.path);
            Reply(meta.failure_with(400, Map::new(), error))
        };
        let query =
            |key: &str| request.query.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
        match action {
            RestAction::Ping | RestAction::PingDbd => {
                Reply(meta.success(ping(action == RestAction::PingDbd, true)))
            }
            RestAction::Show(argv) => Commands(vec![show(argv)], AnswerShape::Fields),
            RestAction::Find(argv, list, missing) => {
                // The command lists everything; the response has only the requested object.
                let whole = !argv.contains(&"{}");
                let wanted = if whole { vec![("name".to_owned(), parameter.to_owned())] } else { Vec::new() };
                Commands(vec![show(argv)], AnswerShape::Members { list, wanted, missing: Some(missing) })
            }
            RestAction::Select(argv, list) => {
                let keys = ["account", "user", "cluster", "partition"];
                let wanted = request
                    .query
                    .iter()
                    .filter(|(key, value)| keys.contains(&key.as_str()) && !value.is_empty());
                let wanted = wanted.cloned().collect();
                Commands(vec![show(argv)], AnswerShape::Members { list, wanted, missing: None })
            }
            RestAction::JobStates => {
                Commands(vec![show(&["scontrol", "-a", "show", "jobs"])], AnswerShape::JobStates)
            }
            RestAction::Sacct => Commands(vec![change::sacct(&request.query)], AnswerShape::Fields),
            RestAction::Config => {
                let kinds = ["clusters", "tres", "accounts", "users", "qos", "associations"];
                let all = kinds.map(|kind| words(&["sacctmgr", "show", kind], ""));
                Commands(all.to_vec(), AnswerShape::Fields)
            }
            RestAction::Submit => Reply(self.submit(meta, uid, body)),
            RestAction::Update(kind) => {
                let commands = match kind {
                    "node" => change::update_node(parameter, body),
                    _ => change::update_job(parameter, body),
                };
                if commands.is_empty() {
                    return malformed("The body has no field that can be changed here");
                }
                Commands(commands, AnswerShape::Done)
            }
            RestAction::Kill => {
                let flags = query("flags").map(|flags| flags.split(',').map(str::to_owned).collect());
                if !self.has_job(parameter) {
                    return Reply(meta.failure(RestError::of(
                        SlurmError::InvalidJobId,
                        "slurm_kill_job2() failed",
                        "slurm_kill_job2()",
                    )));
                }
                let kill = change::kill(parameter, query("signal"), &flags.unwrap_or_else(Vec::new));
                // Since v0.0.42, with a status.
                let shape = if meta.parser < 42 {
                    AnswerShape::Done
                } else {
                    AnswerShape::KillStatuses(vec![(true, parameter.to_owned())])
                };
                Commands(vec![kill], shape)
            }
            RestAction::KillMany => {
                let jobs = body.get("jobs").map(fields::list).unwrap_or_default();
                if jobs.is_empty() || jobs.len() > MAX_KILLS || !jobs.iter().all(|job| change::is_name(job)) {
                    return malformed("\"jobs\" must be a list of job IDs; other filters are not simulated");
                }
                let signal = body.get("signal").and_then(fields::text);
                let flags = body.get("flags").map(fields::list).unwrap_or_default();
                let jobs: Vec<_> = jobs.into_iter().map(|job| (self.has_job(&job), job)).collect();
                let known = jobs.iter().filter(|(known, _)| *known);
                let kills = known.map(|(_, job)| change::kill(job, signal.as_deref(), &flags)).collect();
                Commands(kills, AnswerShape::KillStatuses(jobs))
            }
            RestAction::Run(argv) => Commands(vec![show(argv)], AnswerShape::Done),
            RestAction::Add(kind) => match change::add(kind, body) {
                Some(commands) => Commands(commands, AnswerShape::Done),
                None => malformed(&format!("\"{kind}\" must be a list of objects with names")),
            },
            RestAction::RemoveAssociations => match change::remove_association(&request.query) {
                Some(command) => Commands(vec![command], AnswerShape::Done),
                None => malformed("\"account\" is required"),
            },
        }
    }

    /// Whether slurmctld knows a job, or the job of an array task or step.
    fn has_job(&self, text: &str) -> bool {
        let id = text.split(['_', '.', '+']).next().and_then(|id| id.parse().ok());
        id.is_some_and(|id| self.world.ctld.job(JobId(id)).is_some())
    }

    /// Starts and collects the commands of requests. True if anything happened.
    pub(super) fn pump_rest(&mut self) -> bool {
        let mut moved = false;
        let mut calls = std::mem::take(&mut self.rest.calls);
        let mut open = Vec::new();
        for mut call in calls.drain(..) {
            moved |= self.pump_call(&mut call);
            if call.running.is_none() && call.queue.is_empty() {
                let answer = call.shape.answer(&call.meta, &call.results);
                let _ = call.reply.send(answer);
                self.busy_at = crate::real_now();
            } else {
                open.push(call);
            }
        }
        self.rest.calls = open;
        moved
    }

    fn pump_call(&mut self, call: &mut RestCall) -> bool {
        if let Some((client, result)) = &mut call.running {
            let mut moved = false;
            for (stream, text) in [&mut result.out, &mut result.err].into_iter().enumerate() {
                loop {
                    let piece = self.world.client_output(*client, stream);
                    if piece.is_empty() {
                        break;
                    }
                    moved = true;
                    text.extend(piece);
                }
            }
            let Some(status) = self.world.client_status(*client) else { return moved };
            result.code = status.shell_code();
            self.world.drop_client(*client);
            call.results.extend(call.running.take().map(|(_, result)| result));
            return true;
        }
        let Some(argv) = call.queue.pop_front() else { return false };
        let mut line = argv.clone();
        if matches!(call.shape, AnswerShape::Fields | AnswerShape::Members { .. } | AnswerShape::JobStates) {
            line.push(format!("--json=v0.0.{}", call.meta.parser));
        }
        let fits = |release: &&Release| release.parsers.contains(&call.meta.parser);
        let release = self.rest.release.filter(fits).or_else(|| RELEASES.iter().find(fits));
        let env = [
            (release::VARIABLE, release.map_or("", |release| release.name)),
            ("SLURM_JSON", "compact"),
            ("SLURM_TIME_FORMAT", "standard"),
        ];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let start = ClientStart {
            uid: call.uid,
            argv: line,
            env,
            cwd: "/".to_owned(),
            umask: 0o077,
            terminals: [false; 3],
        };
        let mut result = CommandAnswer { argv, ..CommandAnswer::default() };
        match self.world.start_client(start) {
            Ok(client) => {
                self.world.client_input_end(client);
                call.running = Some((client, result));
            }
            Err(errno) => {
                (result.code, result.err) = (1, errno.to_string().into_bytes());
                call.results.push(result);
            }
        }
        true
    }
}

impl CommandAnswer {
    fn fields(&self) -> Option<Map<String, Value>> {
        match serde_json::from_slice(&self.out) {
            Ok(Value::Object(fields)) if self.code == 0 => Some(fields),
            Ok(_) | Err(_) => None,
        }
    }

    fn error(&self) -> RestError {
        let said = [self.err.as_slice(), b"\n", self.out.as_slice()].concat();
        let source = self.argv.first().map_or("", String::as_str);
        RestError::printed(&String::from_utf8_lossy(&said), source)
    }

    /// `scancel` and `scontrol` exit successfully after some errors.
    fn failed(&self) -> bool {
        self.code != 0 || String::from_utf8_lossy(&self.err).contains("rror")
    }
}

impl AnswerShape {
    fn answer(&self, meta: &RestMeta, results: &[CommandAnswer]) -> RestReply {
        match self {
            Self::Done => match results.iter().find(|result| result.failed()) {
                Some(bad) => meta.failure(bad.error()),
                None => meta.success(Map::new()),
            },
            Self::KillStatuses(jobs) => {
                let mut results = results.iter();
                let mut status = |(known, job): &(bool, String)| {
                    let error = if *known {
                        results.next().filter(|result| result.failed()).map(CommandAnswer::error)
                    } else {
                        Some(RestError::of(SlurmError::InvalidJobId, "", "slurm_kill_jobs()"))
                    };
                    let (code, text) = error.map_or((0, "No error".to_owned()), |e| (e.number, e.error));
                    let number = job.split('_').next().and_then(|id| id.parse::<u32>().ok());
                    json!({
                        "error": { "string": text, "code": code, "message": "" },
                        "step_id": job,
                        "job_id": { "set": number.is_some(), "infinite": false, "number": number.unwrap_or(0) },
                        "federation": { "sibling": "" },
                    })
                };
                let statuses = jobs.iter().map(&mut status).collect();
                meta.success(Map::from_iter([("status".to_owned(), Value::Array(statuses))]))
            }
            Self::Fields | Self::Members { .. } | Self::JobStates => {
                let mut fields = Map::new();
                for result in results {
                    match result.fields() {
                        Some(more) => fields.extend(more),
                        None => return meta.failure(result.error()),
                    }
                }
                older::adapt(&mut fields, meta.parser);
                self.shaped(meta, fields)
            }
        }
    }

    fn shaped(&self, meta: &RestMeta, mut fields: Map<String, Value>) -> RestReply {
        match self {
            Self::Members { list, wanted, missing } => {
                if let Some(Value::Array(members)) = fields.get_mut(*list) {
                    let has = |member: &Value, key: &str, value: &str| {
                        member
                            .get(key)
                            .and_then(Value::as_str)
                            .is_some_and(|own| value.split(',').any(|v| v == own))
                    };
                    members.retain(|member| wanted.iter().all(|(key, value)| has(member, key, value)));
                    if let Some(error) = missing.filter(|_| members.is_empty()) {
                        let what = format!("Nothing found in {list}");
                        let source = if meta.part == "slurmdb" { "slurmdbd" } else { "slurmctld" };
                        return meta.failure_with(500, fields, RestError::of(error, &what, source));
                    }
                }
            }
            Self::JobStates => {
                let jobs = fields.remove("jobs").unwrap_or_default();
                let state = |job: &Value| json!({ "job_id": job["job_id"], "job_state": job["job_state"] });
                let states = jobs.as_array().map(|jobs| jobs.iter().map(state).collect()).unwrap_or_default();
                fields.insert("jobs".to_owned(), Value::Array(states));
            }
            Self::Fields | Self::Done | Self::KillStatuses(_) => {}
        }
        meta.success(fields)
    }
}

/// `ping`: whether the daemon responds.
fn ping(dbd: bool, responding: bool) -> Map<String, Value> {
    let mut ping =
        json!({ "hostname": "localhost", "responding": responding, "latency": 0, "primary": true });
    if !dbd {
        ping["hostname"] = "ctl".into();
        ping["pinged"] = if responding { "UP" } else { "DOWN" }.into();
        ping["mode"] = "primary".into();
    }
    Map::from_iter([("pings".to_owned(), Value::Array(vec![ping]))])
}

/// A path segment without percent signs.
fn percent_decoded(segment: &str) -> String {
    // In a path, a plus sign is literal.
    let segment = segment.replace('+', "%2B").replace('=', "%3D").replace('&', "%26");
    form_urlencoded::parse(segment.as_bytes()).next().map(|(name, _)| name.into_owned()).unwrap_or_default()
}
