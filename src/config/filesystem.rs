//! File systems and login node limits of `site.toml`.

use super::site_toml::{TomlTable, TomlValue};
use serde::{Deserialize, Serialize};

/// A file system, as `df` and `quota` show it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSystem {
    /// The mount point.
    pub path: String,
    /// The device: `nfs01:/home`.
    pub source: String,
    /// `nfs4`, `lustre`, `ext4`, `tmpfs`.
    pub kind: String,
    /// Capacity in bytes.
    pub size: u64,
    /// Whether all hosts share it; otherwise each host has its own.
    pub shared: bool,
    /// Byte quota per user.
    pub quota: Option<u64>,
    /// File quota per user.
    pub quota_files: Option<u64>,
    /// The environment variable for each user's own directory, such as `SCRATCH`; `None`: no such
    /// directories.
    pub variable: Option<String>,
    /// Whether a user's files on a node are removed when their last job there ends.
    pub job_end: bool,
}

/// Per-user limits on login nodes, as sites enforce them with cgroups or a daemon such as Arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoginLimits {
    /// CPU time of a process before its owner is warned, seconds.
    pub warn_seconds: u32,
    /// CPU time of a process before it is killed, seconds.
    pub cpu_seconds: u32,
    /// Memory of all processes of a user, MiB.
    pub memory: u64,
    /// Maximum number of processes of a user.
    pub processes: u32,
    /// Additional text of the warning.
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

    /// The root file system.
    #[must_use]
    pub fn root() -> Self {
        Self::new("/", "/dev/sda2", "ext4", 100 << 30, true)
    }

    /// The defaults: shared homes, and a `/tmp` and `/dev/shm` on each host.
    #[must_use]
    pub fn usual() -> Vec<Self> {
        vec![
            Self::new("/home", "nfs01:/export/home", "nfs4", 20 << 40, true),
            Self::new("/tmp", "/dev/nvme0n1p1", "ext4", 400 << 30, false),
            Self::new("/dev/shm", "tmpfs", "tmpfs", 64 << 30, false),
        ]
    }

    /// Parses a `[[filesystems]]` table.
    pub(super) fn parse(table: &TomlTable) -> Option<Self> {
        let text = |key: &str| match table.get(key) {
            Some(TomlValue::Text(text)) => Some(text.clone()),
            Some(
                TomlValue::Number(_)
                | TomlValue::Float(_)
                | TomlValue::Bool(_)
                | TomlValue::Date(_)
                | TomlValue::List(_)
                | TomlValue::Table(_),
            )
            | None => None,
        };
        let flag = |key: &str| table.get(key) == Some(&TomlValue::Bool(true));
        let path = text("path").filter(|path| path.starts_with('/') && !path.contains(".."))?;
        let quota_files = match table.get("quota_files") {
            Some(TomlValue::Number(number)) => Some(u64::try_from(*number).ok()?),
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
    /// Parses the `[login_limits]` table.
    pub(super) fn parse(table: &TomlTable) -> Option<Self> {
        let usual = Self::default();
        let number = |key: &str, usual: u32| match table.get(key) {
            None => Some(usual),
            Some(TomlValue::Number(number)) => u32::try_from(*number).ok().filter(|number| *number > 0),
            Some(
                TomlValue::Text(_)
                | TomlValue::Float(_)
                | TomlValue::Bool(_)
                | TomlValue::Date(_)
                | TomlValue::List(_)
                | TomlValue::Table(_),
            ) => None,
        };
        let cpu_seconds = number("cpu_seconds", usual.cpu_seconds)?;
        let message = match table.get("message") {
            None => usual.message,
            Some(TomlValue::Text(text)) => text.clone(),
            Some(_) => return None,
        };
        let memory = match table.get("memory") {
            None => usual.memory,
            Some(TomlValue::Text(text)) => bytes(text)? >> 20,
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

/// Parses `500G`, `20T`, `64M`: powers of 1024.
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
        let (table, errors) = super::super::site_toml::parse(
            "path = \"/scratch/\"\nsize = \"2P\"\nquota = \"20T\"\nquota_files = 1000\nvariable = \"SCRATCH\"\n",
        );
        assert_eq!(errors, []);
        let scratch = FileSystem::parse(&table);
        let found = scratch.map(|fs| (fs.path, fs.size, fs.quota, fs.quota_files, fs.shared));
        assert_eq!(found, Some(("/scratch".to_owned(), 2 << 50, Some(20 << 40), Some(1000), true)));
        let (table, _) = super::super::site_toml::parse("cpu_seconds = 100\nmemory = \"4G\"\n");
        let limits = LoginLimits::parse(&table);
        assert_eq!(limits.map(|l| (l.warn_seconds, l.cpu_seconds, l.memory)), Some((50, 100, 4096)));
        let (table, _) = super::super::site_toml::parse("path = \"relative\"\n");
        assert_eq!(FileSystem::parse(&table), None);
    }
}
