//! `POST job/submit`: converts a job description to the options of `sbatch`, and these to the request that sbatch would
//! send. Unlike sbatch, slurmrestd reads neither `#SBATCH` lines nor `SBATCH_` variables.

use super::answer::{RestError, RestMeta, RestReply};
use super::fields::{Field, list, number, text};
use crate::server::Server;
use base::ids::Uid;
use commands::slurm::opt::{JobOptions, SubmitCommand, check};
use serde_json::{Map, Value, json};
use slurmctld::error::SlurmError;
use slurmctld::job::JobDesc;
use slurmctld::request::{Request, Response};
use std::sync::Arc;

/// Fields of `job_desc_msg` and the options of sbatch.
const OPTIONS: &[(&str, Field, &str)] = &[
    ("account", Field::Text, "account"),
    ("array", Field::Text, "array"),
    ("batch_features", Field::Text, "batch"),
    ("begin_time", Field::Moment, "begin"),
    ("burst_buffer", Field::Text, "bb"),
    ("cluster_constraint", Field::Text, "cluster-constraint"),
    ("comment", Field::Text, "comment"),
    ("constraints", Field::Text, "constraint"),
    ("contiguous", Field::Flag, "contiguous"),
    ("core_specification", Field::Number, "core-spec"),
    ("cpu_frequency", Field::Text, "cpu-freq"),
    ("cpus_per_task", Field::Number, "cpus-per-task"),
    ("current_working_directory", Field::Text, "chdir"),
    ("deadline", Field::Moment, "deadline"),
    ("delay_boot", Field::Number, "delay-boot"),
    ("dependency", Field::Text, "dependency"),
    ("distribution", Field::Text, "distribution"),
    ("excluded_nodes", Field::List, "exclude"),
    ("extra", Field::Text, "extra"),
    ("hold", Field::Flag, "hold"),
    ("kill_on_node_fail", Field::NotFlag, "no-kill"),
    ("licenses", Field::Text, "licenses"),
    ("mail_type", Field::List, "mail-type"),
    ("mail_user", Field::Text, "mail-user"),
    ("mcs_label", Field::Text, "mcs-label"),
    ("memory_per_cpu", Field::Number, "mem-per-cpu"),
    ("memory_per_node", Field::Number, "mem"),
    ("minimum_cpus_per_node", Field::Number, "mincpus"),
    ("name", Field::Text, "job-name"),
    ("network", Field::Text, "network"),
    ("nice", Field::Number, "nice"),
    ("nodes", Field::Text, "nodes"),
    ("overcommit", Field::Flag, "overcommit"),
    ("partition", Field::Text, "partition"),
    ("prefer", Field::Text, "prefer"),
    ("priority", Field::Number, "priority"),
    ("profile", Field::List, "profile"),
    ("qos", Field::Text, "qos"),
    ("reboot", Field::Flag, "reboot"),
    ("required_nodes", Field::List, "nodelist"),
    ("required_switches", Field::Number, "switches"),
    ("requeue", Field::Flag, "requeue"),
    ("requeue", Field::NotFlag, "no-requeue"),
    ("reservation", Field::Text, "reservation"),
    ("sockets_per_node", Field::Number, "sockets-per-node"),
    ("standard_error", Field::Text, "error"),
    ("standard_input", Field::Text, "input"),
    ("standard_output", Field::Text, "output"),
    ("tasks", Field::Number, "ntasks"),
    ("tasks_per_core", Field::Number, "ntasks-per-core"),
    ("tasks_per_node", Field::Number, "ntasks-per-node"),
    ("tasks_per_socket", Field::Number, "ntasks-per-socket"),
    ("temporary_disk_per_node", Field::Number, "tmp"),
    ("thread_specification", Field::Number, "thread-spec"),
    ("threads_per_core", Field::Number, "threads-per-core"),
    ("time_limit", Field::Minutes, "time"),
    ("time_minimum", Field::Minutes, "time-min"),
    ("tres_per_job", Field::Gpus, "gpus"),
    ("tres_per_node", Field::Gres, "gres"),
    ("tres_per_socket", Field::Gpus, "gpus-per-socket"),
    ("tres_per_task", Field::Text, "tres-per-task"),
    ("wckey", Field::Text, "wckey"),
    // Handled elsewhere.
    ("argv", Field::Ignored, ""),
    ("environment", Field::Ignored, ""),
    ("kill_warning_delay", Field::Ignored, ""),
    ("kill_warning_flags", Field::Ignored, ""),
    ("kill_warning_signal", Field::Ignored, ""),
    ("maximum_nodes", Field::Ignored, ""),
    ("minimum_nodes", Field::Ignored, ""),
    ("open_mode", Field::Ignored, ""),
    ("script", Field::Ignored, ""),
    ("shared", Field::Ignored, ""),
    // The user is determined by the token.
    ("group_id", Field::Ignored, ""),
    ("user_id", Field::Ignored, ""),
];

/// The names of the fields, for the OpenAPI description.
pub fn fields() -> impl Iterator<Item = (&'static str, Field)> {
    OPTIONS.iter().map(|(name, field, _)| (*name, *field))
}

/// sbatch's options for a job description, without the program's name.
pub(super) fn words(job: &Map<String, Value>) -> Vec<String> {
    let mut words = Vec::new();
    for (name, field, option) in OPTIONS {
        match job.get(*name).and_then(|value| field.option(value)) {
            Some(value) if value.is_empty() => words.push(format!("--{option}")),
            Some(value) => words.push(format!("--{option}={value}")),
            None => {}
        }
    }
    let count = |name: &str| job.get(name).and_then(number);
    match (count("minimum_nodes"), count("maximum_nodes")) {
        (Some(least), Some(most)) => words.push(format!("--nodes={least}-{most}")),
        (Some(least), None) => words.push(format!("--nodes={least}")),
        (None, Some(most)) => words.push(format!("--nodes=1-{most}")),
        (None, None) => {}
    }
    let flags = |name: &str| {
        job.get(name).map(list).unwrap_or_default().into_iter().map(|flag| flag.to_ascii_lowercase())
    };
    for word in flags("shared") {
        match word.as_str() {
            "none" => words.push("--exclusive".to_owned()),
            "user" | "mcs" => words.push(format!("--exclusive={word}")),
            _ => words.push("--oversubscribe".to_owned()),
        }
    }
    words.extend(flags("open_mode").map(|mode| format!("--open-mode={mode}")));
    if let Some(signal) = job.get("kill_warning_signal").and_then(text) {
        let batch = flags("kill_warning_flags").any(|flag| flag.starts_with("batch"));
        let delay = count("kill_warning_delay").map(|delay| format!("@{delay}")).unwrap_or_default();
        words.push(format!("--signal={}{signal}{delay}", if batch { "B:" } else { "" }));
    }
    words
}

/// An error with sbatch's message, or an error of slurmctld.
fn failed(error: SlurmError, description: &str) -> RestError {
    RestError::of(error, description, "slurm_submit_batch_job()")
}

impl Server {
    /// Submits the job of a request's body.
    pub(super) fn submit(&mut self, meta: &RestMeta, uid: Uid, body: &Value) -> RestReply {
        let first = body.get("jobs").and_then(|jobs| jobs.get(0));
        let Some(job) = body.get("job").or(first).and_then(Value::as_object) else {
            let error = failed(SlurmError::JobScriptMissing, "Populated \"job\" field is required");
            return meta.failure(error);
        };
        if body.get("jobs").and_then(Value::as_array).is_some_and(|jobs| jobs.len() > 1) {
            let what = "heterogeneous jobs are not simulated in slurmrestd";
            return meta.failure(failed(SlurmError::Error, what));
        }
        let script = body.get("script").and_then(text).or_else(|| job.get("script").and_then(text));
        let unknown: Vec<Value> = job
            .keys()
            .filter(|key| !OPTIONS.iter().any(|(name, ..)| name == key))
            .map(|key| {
                let what = format!("Ignoring field \"{key}\": it is unknown or not simulated");
                json!({ "description": what, "source": format!("#/job/{key}/") })
            })
            .collect();
        match self.described(uid, job, script) {
            Err(error) => meta.failure(error),
            Ok(desc) => match self.world.request_as(uid, Request::SubmitBatch(Box::new(desc))) {
                Response::Job { id, messages } => {
                    let message = messages.join("\n");
                    let mut fields = Map::new();
                    if meta.parser < 42 {
                        let result = json!({
                            "job_id": id.0, "step_id": "batch", "error_code": 0, "error": "No error",
                            "job_submit_user_msg": message,
                        });
                        fields.insert("result".to_owned(), result);
                    }
                    fields.insert("job_id".to_owned(), id.0.into());
                    fields.insert("step_id".to_owned(), "batch".into());
                    fields.insert("job_submit_user_msg".to_owned(), message.into());
                    RestReply::json(200, &meta.answer(fields, &[], unknown))
                }
                other => {
                    let error = other.done().err().map_or(SlurmError::Error, |(error, _)| error);
                    meta.failure(failed(error, "Batch job submission failed"))
                }
            },
        }
    }

    fn described(
        &mut self,
        uid: Uid,
        job: &Map<String, Value>,
        script: Option<String>,
    ) -> Result<JobDesc, RestError> {
        let script =
            script.ok_or_else(|| failed(SlurmError::JobScriptMissing, "Batch job submission failed"))?;
        let variables: Vec<(String, String)> = match job.get("environment") {
            Some(Value::Object(map)) => map.iter().filter_map(|(k, v)| Some((k.clone(), text(v)?))).collect(),
            Some(value) => list(value)
                .iter()
                .filter_map(|word| word.split_once('=').map(|(k, v)| (k.to_owned(), v.to_owned())))
                .collect(),
            None => Vec::new(),
        };
        if variables.is_empty() {
            return Err(failed(SlurmError::EnvironmentMissing, "Batch job submission failed"));
        }
        let mut options = JobOptions {
            now: self.world.now,
            uid,
            cluster: self.world.ctld.cluster.global.cluster_name.clone(),
            ..JobOptions::default()
        };
        let mut line = vec!["sbatch".to_owned()];
        line.extend(words(job));
        let done = options.argv(SubmitCommand::Sbatch, &line).and_then(|_| {
            check::check(&mut options)?;
            check::of_job(SubmitCommand::Sbatch, &mut options)
        });
        done.map_err(|bad| failed(SlurmError::Error, bad.text.trim()))?;
        let work_dir = options.run.chdir.clone().unwrap_or_else(|| "/tmp".to_owned());
        let mut desc = options.desc;
        desc.uid = uid;
        desc.env = Arc::new(variables.into_iter().collect());
        desc.script = Some(Arc::new(script.into_bytes()));
        desc.args = job.get("argv").map(list).unwrap_or_default().into_iter().skip(1).collect();
        desc.submit_host = self.world.ctld.cluster.global.cluster_name.clone();
        desc.work_dir = work_dir;
        desc.umask = 0o022;
        if desc.name.is_empty() {
            "openapi".clone_into(&mut desc.name);
        }
        Ok(desc)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_become_options() {
        let job = json!({
            "name": "a b", "tasks": 2, "time_limit": { "set": true, "infinite": false, "number": 5 },
            "minimum_nodes": 1, "maximum_nodes": 2, "shared": ["none"], "requeue": false, "hold": false,
            "kill_warning_signal": "USR1", "kill_warning_flags": ["BATCH_JOB"],
            "kill_warning_delay": { "set": true, "number": 30 },
        });
        let words = words(job.as_object().unwrap());
        let expected = [
            "--job-name=a b",
            "--no-requeue",
            "--ntasks=2",
            "--time=5",
            "--nodes=1-2",
            "--exclusive",
            "--signal=B:USR1@30",
        ];
        assert_eq!(words, expected);
    }
}
