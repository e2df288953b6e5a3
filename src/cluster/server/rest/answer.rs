//! slurmrestd's responses: the fields that every response has, errors with Slurm's numbers, and status codes.

use serde_json::{Map, Value, json};
use slurmctld::error::SlurmError;

/// A response for the HTTP thread.
#[derive(Debug)]
pub struct RestReply {
    /// 200 and so on.
    pub status: u16,
    /// Its media type.
    pub kind: &'static str,
    /// The body.
    pub body: String,
}

impl RestReply {
    /// A line of text.
    #[must_use]
    pub fn text(status: u16, text: &str) -> Self {
        Self { status, kind: "text/plain", body: text.to_owned() }
    }

    /// A JSON value.
    #[must_use]
    pub fn json(status: u16, value: &Value) -> Self {
        let body = serde_json::to_string_pretty(value).unwrap_or_default();
        Self { status, kind: "application/json", body }
    }
}

/// An error in a response.
#[derive(Clone, Debug)]
pub struct RestError {
    pub number: u32,
    pub error: String,
    pub description: String,
    pub source: String,
}

impl RestError {
    pub fn of(error: SlurmError, description: &str, source: &str) -> Self {
        Self {
            number: error.number(),
            error: error.to_string(),
            description: description.to_owned(),
            source: source.to_owned(),
        }
    }

    /// The error for a command's output.
    pub fn printed(text: &str, source: &str) -> Self {
        let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("failed");
        let known = SlurmError::ALL.iter().filter(|error| text.contains(&error.to_string()));
        // The longest match, because some texts are parts of others.
        let error = known.max_by_key(|error| error.to_string().len()).copied().unwrap_or(SlurmError::Error);
        Self::of(error, line, source)
    }

    fn value(&self) -> Value {
        json!({
            "description": self.description,
            // Slurm's -1.
            "error_number": i32::try_from(self.number).unwrap_or(-1),
            "error": self.error,
            "source": self.source,
        })
    }
}

/// The client of a request and its connection, as shown in `meta`.
#[derive(Clone, Debug)]
pub struct RestMeta {
    pub part: &'static str,
    pub parser: u32,
    pub user: String,
    pub release: &'static str,
    pub cluster: String,
}

impl RestMeta {
    fn value(&self) -> Value {
        let daemon = if self.part == "slurmdb" { "slurmdbd" } else { "slurmctld" };
        let version = self.release.trim_start_matches("slurm ");
        let mut parts = version.split('.');
        let mut part = || parts.next().unwrap_or_default();
        let (major, minor, micro) = (part(), part(), part());
        json!({
            "plugin": {
                "type": format!("openapi/{daemon}"),
                "name": format!("Slurm OpenAPI {daemon}"),
                "data_parser": format!("data_parser/v0.0.{}", self.parser),
                "accounting_storage": "accounting_storage/slurmdbd",
            },
            "client": { "source": "", "user": self.user, "group": self.user },
            "command": [],
            "slurm": {
                "version": { "major": major, "micro": micro, "minor": minor },
                "release": version,
                "cluster": self.cluster,
            },
        })
    }

    /// A complete response: result fields, errors and warnings.
    pub fn answer(&self, fields: Map<String, Value>, errors: &[RestError], warnings: Vec<Value>) -> Value {
        let mut answer = fields;
        answer.insert("meta".to_owned(), self.value());
        answer.insert("errors".to_owned(), errors.iter().map(RestError::value).collect());
        answer.insert("warnings".to_owned(), Value::Array(warnings));
        Value::Object(answer)
    }

    pub fn success(&self, fields: Map<String, Value>) -> RestReply {
        RestReply::json(200, &self.answer(fields, &[], Vec::new()))
    }

    /// slurmrestd responds with 500 when Slurm refuses a request.
    pub fn failure(&self, error: RestError) -> RestReply {
        self.failure_with(500, Map::new(), error)
    }

    pub fn failure_with(&self, status: u16, fields: Map<String, Value>, error: RestError) -> RestReply {
        RestReply::json(status, &self.answer(fields, &[error], Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_errors_have_numbers() {
        let error = RestError::printed("slurm_load_jobs error: Invalid job id specified\n", "scontrol");
        assert_eq!((error.number, error.error.as_str()), (2017, "Invalid job id specified"));
        assert_eq!(RestError::printed("", "x").value()["error_number"], json!(-1));
    }
}
