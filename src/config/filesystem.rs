//! `site.toml`: the site's file systems, and what people may do on login nodes.

use super::toml::{Table, Value};
use serde::{Deserialize, Serialize};

/// A file system: what `df` and `quota` know of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSystem {
    /// Where it is mounted.
    pub path: String,
    /// What is mounted there, `nfs01:/home`.
    pub source: String,
    /// `nfs4`, `lustre`, `ext4`, `tmpfs`.
    pub kind: String,
    /// Bytes that it holds.
    pub size: u64,
    /// All hosts have the same one; else each has its own.
    pub shared: bool,
    /// Most bytes of a user.
    pub quota: Option<u64>,
    /// Most files of a user.
    pub quota_files: Option<u64>,
    /// The variable that leads to everybody's own directory there, `SCRATCH`; none: there are no such directories.
    pub variable: Option<String>,
    /// What users leave on a node is removed when their last job there ends.
    pub job_end: bool,
}

/// How much of a login node a person may use, as sites enforce it: by a cgroup, or a watching daemon (Arbiter).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoginLimits {
    /// CPU time of a process after which its owner is warned, seconds.
    pub warn_seconds: u32,
    /// CPU time of a process after which it is ended, seconds.
    pub cpu_seconds: u32,
    /// Memory of all of a person's processes, MiB.
    pub memory: u64,
    /// Processes of a person.
    pub processes: u32,
    /// What a person is told besides.
    pub message: String,
}

impl Default for LoginLimits {
    fn default() -> Self {
        Self {
            warn_seconds: 300,
            cpu_seconds: 600,
            memory: 8192,
            processes: 200,
            message: "Login nodes are for editing, compiling and submitting: use sbatch, srun or salloc."
                .to_owned(),
        }
    }
}

impl FileSystem {
    fn new(path: &str, source: &str, kind: &str, size: u64, shared: bool) -> Self {
        let (path, source, kind) = (path.to_owned(), source.to_owned(), kind.to_owned());
        Self { path, source, kind, size, shared, ..Self::default() }
    }

    /// What `/` is on.
    #[must_use]
    pub fn root() -> Self {
        Self::new("/", "/dev/sda2", "ext4", 100 << 30, true)
    }

    /// What a cluster has whose site says nothing: shared homes, and a `/tmp` and a `/dev/shm` on each host.
    #[must_use]
    pub fn usual() -> Vec<Self> {
        vec![
            Self::new("/home", "nfs01:/export/home", "nfs4", 20 << 40, true),
            Self::new("/tmp", "/dev/nvme0n1p1", "ext4", 400 << 30, false),
            Self::new("/dev/shm", "tmpfs", "tmpfs", 64 << 30, false),
        ]
    }

    /// One of `[[filesystems]]`.
    pub(super) fn parse(table: &Table) -> Option<Self> {
        let text = |key: &str| match table.get(key) {
            Some(Value::Text(text)) => Some(text.clone()),
            Some(Value::Number(_) | Value::Bool(_) | Value::List(_) | Value::Table(_)) | None => None,
        };
        let flag = |key: &str| table.get(key) == Some(&Value::Bool(true));
        let path = text("path").filter(|path| path.starts_with('/') && !path.contains(".."))?;
        let quota_files = match table.get("quota_files") {
            Some(Value::Number(number)) => Some(u64::try_from(*number).ok()?),
            Some(_) => return None,
            None => None,
        };
        let limit = |key: &str| text(key).map(|text| bytes(&text));
        let (size, quota) = (limit("size"), limit("quota"));
        if size == Some(None) || quota == Some(None) {
            return None;
        }
        Some(Self {
            source: text("source").unwrap_or_else(|| "storage".to_owned()),
            kind: text("type").unwrap_or_else(|| "nfs4".to_owned()),
            size: size.flatten().unwrap_or(1 << 40),
            shared: !flag("node"),
            quota: quota.flatten(),
            quota_files,
            variable: text("variable"),
            job_end: flag("job_end"),
            path: path.trim_end_matches('/').to_owned(),
        })
    }
}

impl LoginLimits {
    /// `[login_limits]`
    pub(super) fn parse(table: &Table) -> Option<Self> {
        let usual = Self::default();
        let number = |key: &str, usual: u32| match table.get(key) {
            None => Some(usual),
            Some(Value::Number(number)) => u32::try_from(*number).ok().filter(|number| *number > 0),
            Some(Value::Text(_) | Value::Bool(_) | Value::List(_) | Value::Table(_)) => None,
        };
        let cpu_seconds = number("cpu_seconds", usual.cpu_seconds)?;
        let message = match table.get("message") {
            None => usual.message,
            Some(Value::Text(text)) => text.clone(),
            Some(_) => return None,
        };
        let memory = match table.get("memory") {
            None => usual.memory,
            Some(Value::Text(text)) => bytes(text)? >> 20,
            Some(_) => return None,
        };
        Some(Self {
            warn_seconds: number("warn_seconds", cpu_seconds / 2)?,
            cpu_seconds,
            memory,
            processes: number("processes", usual.processes)?,
            message,
        })
    }
}

/// `500G`, `20T`, `64M`: powers of 1024.
fn bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text.get(digits.len()..)?.chars().next() {
        None => 0,
        Some('K' | 'k') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some('P') => 50,
        Some(_) => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift).filter(|bytes| *bytes <= 1 << 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        assert_eq!(
            (bytes("2K"), bytes("7"), bytes("1X"), bytes("99999999P")),
            (Some(2048), Some(7), None, None)
        );
    }

    #[test]
    fn tables() {
        let (table, error) = super::super::toml::parse(
            "path = \"/scratch/\"\nsize = \"2P\"\nquota = \"20T\"\nquota_files = 1000\nvariable = \"SCRATCH\"\n",
        );
        assert!(error.is_none());
        let scratch = FileSystem::parse(&table);
        let found = scratch.map(|fs| (fs.path, fs.size, fs.quota, fs.quota_files, fs.shared));
        assert_eq!(found, Some(("/scratch".to_owned(), 2 << 50, Some(20 << 40), Some(1000), true)));
        let (table, _) = super::super::toml::parse("cpu_seconds = 100\nmemory = \"4G\"\n");
        let limits = LoginLimits::parse(&table);
        assert_eq!(limits.map(|l| (l.warn_seconds, l.cpu_seconds, l.memory)), Some((50, 100, 4096)));
        let (table, _) = super::super::toml::parse("path = \"relative\"\n");
        assert_eq!(FileSystem::parse(&table), None);
    }
}
