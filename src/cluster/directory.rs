//! The private directory of a cluster: socket, lock, commands, log and spool.
//!
//! Invariant: the directory and those above it up to the root of all clusters belong to the user, have mode 0700 and
//! are no symbolic links. A running server holds the lock; the system releases it when the server dies in any way.

use crate::processes::{Mark, kill_marked};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

/// The longest path of a Unix socket.
const MAX_SOCKET: usize = 100;

/// A cluster's directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterDir(PathBuf);

impl ClusterDir {
    /// A directory named by a variable or an option.
    #[must_use]
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The name of the cluster.
    #[must_use]
    pub fn name(&self) -> String {
        self.0.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The socket of the server.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.0.join("socket")
    }

    /// The links to the commands.
    #[must_use]
    pub fn commands(&self) -> PathBuf {
        self.0.join("bin")
    }

    /// The log of the server.
    #[must_use]
    pub fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// slurmd's copies of batch scripts.
    #[must_use]
    pub fn spool(&self) -> PathBuf {
        self.0.join("spool")
    }

    /// The key of `auth/jwt`.
    #[must_use]
    pub fn jwt_key(&self) -> PathBuf {
        self.0.join("jwt_hs256.key")
    }

    /// The addresses of slurmrestd, one a line.
    #[must_use]
    pub fn rest(&self) -> PathBuf {
        self.0.join("rest")
    }

    /// Whether a server runs here: the lock is held.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        File::open(self.0.join("lock")).is_ok_and(|file| file.try_lock_shared().is_err())
    }

    /// Takes the lock for a server. It is held until the file is dropped.
    ///
    /// # Errors
    /// Another server has it.
    pub fn lock(&self) -> Result<File, String> {
        let path = self.0.join("lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|e| format!("{}: {e}", path.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(_) => Err(format!("another server runs in {}", self.0.display())),
        }
    }

    /// Creates the directory with the links to the commands. Removes what a dead server left in it.
    ///
    /// # Errors
    /// A server runs there, or the directory cannot be made.
    fn prepare(&self) -> Result<(), String> {
        if self.is_alive() {
            return Err(format!(
                "a cluster named {} is running; end it with `sandbatch cluster down {0}`, or choose another --name",
                self.name()
            ));
        }
        let problem = |path: &Path, error: io::Error| format!("{}: {error}", path.display());
        if self.0.symlink_metadata().is_ok() {
            check_private(&self.0)?;
            kill_marked(self, Mark::Cluster);
            fs::remove_dir_all(&self.0).map_err(|e| problem(&self.0, e))?;
        }
        for dir in [self.0.clone(), self.commands(), self.spool()] {
            DirBuilder::new().mode(0o700).create(&dir).map_err(|e| problem(&dir, e))?;
        }
        let program = std::env::current_exe().map_err(|e| format!("the path of this program: {e}"))?;
        // A shell remembers where it found a command, and this directory is gone after `cluster down`.
        let own = ["sandbatch"].iter().filter(|_| !self.is_on_path(&program));
        for name in super::COMMANDS.iter().chain(own) {
            let link = self.commands().join(name);
            symlink(&program, &link).map_err(|e| problem(&link, e))?;
        }
        Ok(())
    }

    /// Whether `sandbatch` is this program on PATH, without the links of clusters.
    fn is_on_path(&self, program: &Path) -> bool {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let is_cluster = |dir: &Path| self.0.parent().is_some_and(|root| dir.starts_with(root));
        let files =
            std::env::split_paths(&path).filter(|dir| !is_cluster(dir)).map(|dir| dir.join("sandbatch"));
        let found = files.filter_map(|file| file.canonicalize().ok()).next();
        found.is_some_and(|found| program.canonicalize().is_ok_and(|program| program == found))
    }

    /// Kills the programs that a dead server left, and removes the directory.
    pub fn clean_up(&self) {
        kill_marked(self, Mark::Cluster);
        self.remove();
    }

    /// Removes the directory.
    pub fn remove(&self) {
        // The next `up` detects a directory that could not be removed as stale.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The directory of all clusters of this user: below `XDG_RUNTIME_DIR`, otherwise below `/tmp`.
///
/// # Errors
/// It cannot be created, or belongs to another user.
pub fn root() -> Result<PathBuf, String> {
    let own = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|dir| dir.is_dir());
    let uid = rustix::process::getuid().as_raw();
    let root = match own {
        Some(dir) => dir.join("sandbatch"),
        None => PathBuf::from(format!("/tmp/sandbatch-{uid}")),
    };
    match DirBuilder::new().mode(0o700).create(&root) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(format!("{}: {error}", root.display())),
    }
    check_private(&root)?;
    Ok(root)
}

/// Refuses a directory that another user could have prepared.
fn check_private(path: &Path) -> Result<(), String> {
    let meta = path.symlink_metadata().map_err(|e| format!("{}: {e}", path.display()))?;
    let uid = rustix::process::getuid().as_raw();
    if meta.is_dir() && meta.uid() == uid && meta.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(format!("{} is not a directory that only you can use; remove it", path.display()))
}

/// Creates the directory of a new cluster: with the wanted name, otherwise the first free one of `site`, `site-2`... No
/// other process creates one until the returned file is dropped. Keep it until the server has its lock.
///
/// # Errors
/// The name is taken or unusable, or the directory cannot be made.
pub fn create(name: Option<&str>, site: &str) -> Result<(ClusterDir, File), String> {
    let root = root()?;
    let usable = |name: &str| {
        !name.is_empty()
            && !name.starts_with(['.', '-'])
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    // Concurrent `up` commands take turns.
    let guard = root.join(".lock");
    let guard = File::options().create(true).truncate(false).write(true).open(&guard);
    let guard = guard.map_err(|e| format!("{}: {e}", root.display()))?;
    guard.lock().map_err(|e| format!("{}: {e}", root.display()))?;
    let dir = match name {
        Some(name) if !usable(name) => {
            return Err(format!("'{name}' is no name for a cluster: letters, digits, -, _ and . only"));
        }
        Some(name) => ClusterDir(root.join(name)),
        None => {
            let site = if usable(site) { site } else { "cluster" };
            let names = std::iter::once(site.to_owned()).chain((2..).map(|n| format!("{site}-{n}")));
            let mut free =
                names.take(10_000).map(|name| ClusterDir(root.join(name))).filter(|dir| !dir.is_alive());
            free.next().ok_or_else(|| format!("{} is full", root.display()))?
        }
    };
    if dir.socket().as_os_str().len() > MAX_SOCKET {
        return Err(format!("{} is too long for a socket; set XDG_RUNTIME_DIR", dir.socket().display()));
    }
    dir.prepare()?;
    Ok((dir, guard))
}

/// All running clusters of this user, by name.
///
/// # Errors
/// The directory cannot be read.
pub fn running() -> Result<Vec<ClusterDir>, String> {
    let root = root()?;
    let entries = fs::read_dir(&root).map_err(|e| format!("{}: {e}", root.display()))?;
    let mut all: Vec<_> = entries.flatten().map(|entry| ClusterDir(entry.path())).collect();
    all.retain(ClusterDir::is_alive);
    all.sort_by_key(ClusterDir::name);
    Ok(all)
}

/// The cluster of this name, otherwise that of the environment, otherwise the only running one.
///
/// # Errors
/// There is none, or there are several.
pub fn find(name: Option<&str>) -> Result<ClusterDir, String> {
    if let Some(name) = name {
        let dir = ClusterDir(root()?.join(name));
        return if dir.is_alive() { Ok(dir) } else { Err(format!("no cluster named {name} is running")) };
    }
    if let Some(path) = std::env::var_os(super::VARIABLE) {
        return Ok(ClusterDir(path.into()));
    }
    let mut all = running()?;
    match (all.pop(), all.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => Err("no cluster is running; start one with `sandbatch cluster up`".to_owned()),
        (Some(_), false) => {
            Err("several clusters are running; name one (`sandbatch cluster list`)".to_owned())
        }
    }
}
