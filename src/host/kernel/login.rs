//! A machine set up for users: home directories, files under `/etc`, login environments.

use super::super::fs::Fs;
use super::super::memory::MemoryBounds;
use super::super::users::{User, Users};
use super::super::{Env, Errno};
use super::Kernel;
use base::cow::CowMap;
use base::cow_set::CowSet;
use base::ids::{Gid, Uid};
use base::time::Time;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// os-release(5): tells scripts that this is a simulation.
const OS_RELEASE: &str =
    "NAME=\"sandbatch\"\nID=sandbatch\nID_LIKE=debian\nPRETTY_NAME=\"sandbatch, a simulated cluster\"\n";

impl Kernel {
    /// A machine with these users, their home directories, `/etc/passwd` and `/etc/hostname`, and no
    /// processes.
    #[must_use]
    pub fn new(users: Users, login: &str, now: Time) -> Self {
        let mut kernel = Self {
            fs: Fs::new(now),
            users,
            login: Arc::from(login),
            since: now,
            login_processes: super::MAX_PROCESSES,
            job_tmp: None,
            memory_bounds: MemoryBounds::default(),
            processes: CowMap::default(),
            files: CowMap::default(),
            pipes: BTreeMap::new(),
            ttys: BTreeMap::new(),
            ready: Default::default(),
            notices: std::collections::VecDeque::new(),
            waiters: BTreeSet::new(),
            news: BTreeMap::new(),
            descriptor_checks: 0,
            counts: CowSet::default(),
            groups: CowMap::default(),
            editing: Vec::new(),
            refusals: Vec::new(),
            listeners: Vec::new(),
            login_view: None,
            memory: BTreeMap::new(),
            hardware: Arc::default(),
            gpu_users: BTreeSet::new(),
            next_pid: 1001,
            next_file: 1,
            next_pipe: 1,
            next_tty: 0,
            random: 0,
        };
        // A home directory that cannot be created (a user name with a slash) is missing, as on a real
        // machine.
        kernel.furnish(now).unwrap_or_default();
        kernel
    }

    fn furnish(&mut self, now: Time) -> Result<(), Errno> {
        self.fs.enter(&self.login, now);
        let hosts = format!("127.0.0.1\tlocalhost\n127.0.1.1\t{}\n", self.login);
        let files = [
            ("/etc/hostname", format!("{}\n", self.login)),
            ("/etc/hosts", hosts),
            ("/etc/os-release", OS_RELEASE.to_owned()),
        ];
        for (path, text) in files {
            self.fs.write(Uid(0), path, text.as_bytes(), 0o644, now)?;
        }
        self.furnish_users(now)
    }

    /// Adds a user with a home directory, and an entry in `/etc/passwd` and `/etc/group`.
    pub fn add_user(&mut self, user: User, now: Time) {
        self.users.0.push(user);
        // Without space the files stay as they are, as on a real machine.
        self.furnish_users(now).unwrap_or_default();
    }

    fn furnish_users(&mut self, now: Time) -> Result<(), Errno> {
        let gids = |user: &User| user.groups.iter().filter_map(|name| self.users.gid(name)).collect();
        let groups: Vec<(Uid, Vec<Gid>)> = self.users.0.iter().map(|user| (user.uid, gids(user))).collect();
        self.fs.set_groups(groups);
        self.fs.write(Uid(0), "/etc/passwd", passwd(&self.users).as_bytes(), 0o644, now)?;
        self.fs.write(Uid(0), "/etc/group", group(&self.users).as_bytes(), 0o644, now)?;
        for user in &self.users.0 {
            if self.fs.lookup(Uid(0), &user.home).is_err() {
                self.fs.mkdir_all(&user.home, user.uid, 0o755, now)?;
            }
        }
        Ok(())
    }

    /// `$SLURM_TMPDIR` of a user's job, if the site defines it.
    #[must_use]
    pub fn job_tmp(&self, uid: Uid, job: u32) -> Option<String> {
        let path = self.job_tmp.as_ref()?;
        Some(path.replace("%u", &self.users.name(uid)).replace("%j", &job.to_string()))
    }

    /// A user's login environment on a host: HOME, USER, LOGNAME, SHELL, PATH, LANG, TERM, HOSTNAME, PWD, MAIL.
    #[must_use]
    pub fn login_env(&self, uid: Uid, host: &str) -> Env {
        let name = self.users.name(uid);
        let own = self.users.by_uid(uid).map(|user| user.env.as_slice()).unwrap_or_default();
        let home = self.users.by_uid(uid).map_or("/", |user| user.home.as_str());
        let mail = format!("/var/mail/{name}");
        [
            ("HOME", home),
            ("HOSTNAME", host),
            ("LANG", "en_US.UTF-8"),
            ("LOGNAME", &name),
            ("MAIL", &mail),
            ("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games"),
            ("PWD", home),
            ("SHELL", "/bin/bash"),
            ("TERM", "xterm-256color"),
            ("USER", &name),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .chain(own.iter().cloned())
        .collect()
    }
}

fn passwd(users: &Users) -> String {
    let line = |user: &User| {
        format!("{}:x:{}:{}:{}:{}:/bin/bash\n", user.name, user.uid, user.uid, user.gecos, user.home)
    };
    users.0.iter().map(line).collect()
}

fn group(users: &Users) -> String {
    let line = |(name, gid): &(String, Gid)| format!("{name}:x:{gid}:{}\n", users.members(name).join(","));
    users.groups().iter().map(line).collect()
}
