//! Starting a cluster: users, files, commands, daemons, accounts.

use super::{EventQueue, Input, InputResult, World, background};
use base::cow::CowMap;
use base::diagnostic::{Diagnostic, Severity};
use base::ids::{JobId, Uid};
use base::time::{Span, Time};
use commands::{self, CommandKind};
use config::{Cluster, SiteFiles, SiteInfo, background_amount};
use host::users::{User, Users};
use host::{Kernel, path};
use slurmctld::Slurmctld;
use slurmd::Slurmd;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Time between the start of the daemons and the first moment of a world. It sets the phase of their periodic
/// tasks: a first job submitted immediately starts a good two seconds later, as recorded.
pub(crate) const UPTIME: Span = Span::from_millis(450);
/// Prefix of the line number when a line of `accounts.sh` fails.
const FAILED: &str = "sandbatch: line ";
/// Maximum number of events for `accounts.sh`.
const MAX_BOOT_EVENTS: u32 = 2_000_000;
/// Maximum number of its error lines in the diagnostics.
const MAX_COMPLAINTS: usize = 20;

impl World {
    /// A newly started cluster at `now`, with the accounts that the site's `accounts.sh` creates. Always
    /// returns a world; the diagnostics list the errors in the files.
    #[must_use]
    pub fn new(site: &str, files: &SiteFiles, seed: u64, now: Time) -> (Self, Vec<Diagnostic>) {
        let (mut world, diagnostics) = Self::begin(site, files, seed, now);
        if world.now < now {
            while world.step(now) {}
        }
        (world, diagnostics)
    }

    /// Like [`World::new`], for callers that must stay responsive: a world with background jobs is still hours
    /// before `now`, and must be stepped until then.
    #[must_use]
    pub fn begin(site: &str, files: &SiteFiles, seed: u64, now: Time) -> (Self, Vec<Diagnostic>) {
        Self::begin_with(site, files, seed, now, |_| {})
    }

    /// Like [`World::begin`], with a change of the users before anything refers to them.
    #[must_use]
    pub fn begin_with(
        site: &str,
        files: &SiteFiles,
        seed: u64,
        now: Time,
        change: impl FnOnce(&mut Users),
    ) -> (Self, Vec<Diagnostic>) {
        let (mut info, mut diagnostics) = SiteInfo::parse(site, files);
        let cluster = Cluster::parse(files);
        diagnostics.extend(cluster.diagnostics.iter().cloned());
        // Checked before the call: without background jobs the first prompt does not load that module.
        let amount = background_of(files, &mut diagnostics);
        let first = if amount > 0 { now - background::past(&info.background) } else { now };
        let boot = first - UPTIME;
        let mut users = people(&info);
        change(&mut users);
        let named: Vec<(Uid, String)> = users.0.iter().map(|u| (u.uid, u.name.clone())).collect();
        let login = if info.login.is_empty() { "login" } else { &info.login };
        let kernel = Kernel::new(users, login, boot);
        let policy = std::mem::take(&mut info.policy);
        let mut world = Self {
            now: boot,
            kernel,
            ctld: Slurmctld::new(cluster, named, boot),
            slurmd: Slurmd::default(),
            images: CowMap::default(),
            clients: BTreeSet::new(),
            lowered: Default::default(),
            daemon_programs: BTreeMap::new(),
            burning: BTreeMap::new(),
            queue: EventQueue::default(),
            amid: super::EventProgress::default(),
            orders: VecDeque::new(),
            leaving: Vec::new(),
            cleaned: (boot, JobId(0)),
            guarded: BTreeMap::new(),
            bounds: Vec::new(),
            terminals: BTreeMap::new(),
            last_logout: None,
            runs: Vec::new(),
            seed,
            background: 0,
            shares: Default::default(),
            #[cfg(feature = "real-host")]
            real_host: Default::default(),
            site: info,
        };
        world.ctld.policy = policy;
        world.ctld.groups = world.kernel.users.0.iter().map(|user| (user.uid, user.groups.clone())).collect();
        world.mount();
        world.equip();
        world.install(files);
        world.make_accounts(files, &mut diagnostics);
        for lost in world.ctld.begin_usage() {
            let who = lost.user.map(|user| format!(" of user {user}")).unwrap_or_default();
            let message = format!("usage: there is no association{who} in account {}", lost.account);
            let (severity, file) = (Severity::Error, "site.toml".to_owned());
            diagnostics.push(Diagnostic { severity, file, line: lost.line, message });
        }
        while world.step(first) {}
        world.now = first;
        // Checked before the call: without a provider the first prompt does not load that module.
        if world.site.provider.is_some() {
            world.begin_provider(&mut diagnostics);
        }
        if amount > 0 {
            world.begin_background(amount, now);
        }
        (world, diagnostics)
    }

    /// Mounts the site's file systems, creates users' directories on them, and sets the rules of the login node.
    fn mount(&mut self) {
        let now = self.now;
        let people: Vec<User> = self.kernel.users.0.iter().filter(|u| u.uid != Uid(0)).cloned().collect();
        for user in &people {
            let _ = self.kernel.fs.chmod(Uid(0), &user.home, self.site.home_mode);
        }
        for what in self.site.filesystems.clone() {
            let own = what.variable.is_some().then(|| what.path.clone());
            // A path that is not a directory is skipped, as on a real machine.
            let _ = self.kernel.fs.mount(what, now);
            for (dir, user) in own.iter().flat_map(|dir| people.iter().map(move |user| (dir, user))) {
                let own = format!("{dir}/{}", user.name);
                let _ = self.kernel.fs.mkdir_all(&own, user.uid, 0o700, now);
                // `~/scratch` and `~/projects` lead there, as on most clusters that have them.
                let link = match path::base_name(dir) {
                    "scratch" => "scratch",
                    "project" => "projects",
                    _ => continue,
                };
                let _ = self.kernel.fs.symlink(user.uid, &own, &format!("{}/{link}", user.home), now);
            }
        }
        self.kernel.job_tmp.clone_from(&self.site.job_tmp);
        if let Some(limits) = &self.site.login_limits {
            self.kernel.login_processes = limits.processes;
        }
    }

    fn install(&mut self, files: &SiteFiles) {
        let now = self.now;
        let conf_dir = path::parent(&self.ctld.cluster.conf_file).to_owned();
        let fs = &mut self.kernel.fs;
        // On an empty disk only its size could make these fail, and the site's bounds prevent that.
        let _ = fs.mkdir_all("/var/run/sandbatch", Uid(0), 0o755, now);
        let _ = fs.mkdir_all("/var/spool/slurmd", Uid(0), 0o755, now);
        let _ = fs.mkdir_all("/etc/slurm", Uid(0), 0o755, now);
        if conf_dir != "/etc/slurm" {
            let _ = fs.mkdir_all(path::parent(&conf_dir), Uid(0), 0o755, now);
            let _ = fs.symlink(Uid(0), "/etc/slurm", &conf_dir, now);
        }
        let has = |name: &str| {
            !commands::programs::SITE_TOOLS.contains(&name) || self.site.tools.iter().any(|t| t == name)
        };
        for command in commands::table().iter().filter(|c| has(c.name)) {
            let path = format!("/usr/bin/{}", command.name);
            let _ = match command.kind {
                CommandKind::Script(script) => fs.install_script(&path, script, now),
                CommandKind::Unix(_)
                | CommandKind::Once(_)
                | CommandKind::Machine(_)
                | CommandKind::Model => fs.install(&path, command.name, now),
            };
        }
        if self.site.dash {
            let _ = fs.install(shell::DASH, "sh", now);
        }
        for (path, script) in commands::programs::FILES {
            let _ = fs.install_script(path, script, now);
        }
        for (name, text) in &files.0 {
            let ours = matches!(name.as_str(), "site.toml" | "users" | "conf_dir" | "background")
                || name.ends_with(".sh");
            if !name.contains('/') && !ours {
                let _ = fs.write(Uid(0), &format!("/etc/slurm/{name}"), text.as_bytes(), 0o644, now);
            }
        }
        let people: Vec<User> = self.kernel.users.0.clone();
        for file in self.site.files.clone() {
            let mode = if file.executable { 0o755 } else { 0o644 };
            if file.path.starts_with('/') {
                self.put(Uid(0), &file.path, &file.content, mode);
            } else {
                for user in people.iter().filter(|u| u.uid != Uid(0)) {
                    self.put(user.uid, &path::resolve(&user.home, &file.path), &file.content, mode);
                }
            }
        }
    }

    pub(super) fn put(&mut self, owner: Uid, path: &str, content: &str, mode: u32) {
        let dir = path::parent(path).to_owned();
        if self.kernel.fs.stat(Uid(0), &dir).is_err() {
            let _ = self.kernel.fs.mkdir_all(&dir, owner, 0o755, self.now);
        }
        let _ = self.kernel.fs.write(owner, path, content.as_bytes(), mode, self.now);
    }

    /// Runs `accounts.sh` as root with the simulated `sacctmgr`.
    fn make_accounts(&mut self, files: &SiteFiles, diagnostics: &mut Vec<Diagnostic>) {
        for name in ["pre.sh", "accounts.sh"] {
            let Some(script) = files.0.get(name) else { continue };
            let before = self.clone();
            let Some((exit, said)) = self.run_as_root(script.clone()) else { continue };
            if exit != Some(0) || !said.is_empty() {
                diagnostics.extend(before.complaints(name, script));
            }
            if name == "accounts.sh" {
                // The controller that users meet starts after that.
                self.ctld.dbd.note_restart(self.now);
            }
        }
        self.runs.clear();
    }

    /// A script's exit code and its standard error; none if root has no shell.
    fn run_as_root(&mut self, command: String) -> Option<(Option<u8>, String)> {
        let InputResult::Run(run) = self.apply(&Input::Run { user: "root".to_owned(), command }) else {
            return None;
        };
        let until = self.now;
        for _ in 0..MAX_BOOT_EVENTS {
            if self.run_result(run).exit.is_some() || !self.step(until) {
                break;
            }
        }
        let result = self.run_result(run);
        Some((result.exit, String::from_utf8_lossy(&result.stderr).into_owned()))
    }

    /// The errors of a script, line by line. Runs it once more with a trap before its first line.
    fn complaints(mut self, name: &str, script: &str) -> Vec<Diagnostic> {
        let traced = format!("trap 'echo {FAILED}$LINENO >&2' ERR; {script}");
        let (_, all) = self.run_as_root(traced).unwrap_or_default();
        let finding =
            |line, message| Diagnostic { severity: Severity::Warning, file: name.to_owned(), line, message };
        let mut said = "does not end with success";
        let mut found = Vec::new();
        for line in all.lines().map(str::trim).filter(|line| !line.is_empty()).take(MAX_COMPLAINTS) {
            match line.strip_prefix(FAILED).and_then(|number| number.parse::<u32>().ok()) {
                Some(number) => {
                    let text = (1u32..).zip(script.lines()).find(|(nth, _)| *nth == number);
                    found.push(finding(
                        number,
                        format!("{said}: {}", text.map_or("", |(_, text)| text.trim())),
                    ));
                }
                None => said = line,
            }
        }
        if found.is_empty() {
            found.push(finding(0, said.to_owned()));
        }
        found
    }
}

/// The amount of background jobs in the site's file `background`, as a percentage.
fn background_of(files: &SiteFiles, diagnostics: &mut Vec<Diagnostic>) -> u32 {
    let Some(word) = files.0.get("background") else { return 0 };
    background_amount(word).unwrap_or_else(|| {
        let message = format!("`{}` is not off, quiet, normal, busy or overloaded", word.trim());
        let (severity, file) = (Severity::Error, "background".to_owned());
        diagnostics.push(Diagnostic { severity, file, line: 1, message });
        0
    })
}

fn people(info: &SiteInfo) -> Users {
    let mut users = Users::new(info.users.iter().map(|u| u.name.as_str()));
    for user in &mut users.0 {
        if let Some(known) = info.users.iter().find(|u| u.name == user.name) {
            user.gecos.clone_from(&known.gecos);
            let own = info.filesystems.iter().filter_map(|fs| {
                let name = fs.variable.clone()?;
                Some((name, format!("{}/{}", fs.path, user.name)))
            });
            user.env = own.chain(info.env.iter().chain(&known.env).cloned()).collect();
            user.groups.clone_from(&known.groups);
        }
    }
    users
}
