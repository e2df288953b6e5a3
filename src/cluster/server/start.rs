//! Starts a server: its lock, its world with the caller as a user, its socket.

use super::clock::PacedClock;
use super::connection::listen;
use super::files::MachineFiles;
use super::programs::Programs;
use super::rest::RestState;
use super::rest::http::{self, BoundListener, RestAddress};
use super::turn::{MAX_LEAP, watch_signals};
use super::{Server, fault};
use crate::directory::ClusterDir;
use crate::guard;
use crate::up::READY;
use base::ids::Uid;
use base::time::Time;
use commands::slurm::release::Release;
use config::SiteFiles;
use engine::world::World;
use engine::world::real_host::Execution;
use host::users::{User, Users};
use std::collections::{BTreeMap, VecDeque};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

/// The parameters of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Its directory.
    pub dir: ClusterDir,
    /// The site's name.
    pub site: String,
    /// The site's files.
    pub files: SiteFiles,
    /// Seed for background jobs and program models.
    pub seed: u64,
    /// The first moment. None: the real date.
    pub start: Option<Time>,
    /// Virtual seconds per real second; 0 is as fast as possible.
    pub pace: u32,
    /// Where jobs run.
    pub execution: Execution,
    /// The cluster ends after this time without a command or a job.
    pub idle: Option<Duration>,
    /// The cluster ends with this process.
    pub parent: Option<u32>,
    /// The guard that started this server.
    pub guard: Option<u32>,
    /// Where slurmrestd listens.
    pub rest: Vec<RestAddress>,
    /// The Slurm release that the commands imitate. None: the newest.
    pub release: Option<&'static Release>,
}

/// Runs a server until the cluster ends. Prints `ready` on standard output once it answers.
///
/// # Errors
/// The site or the socket cannot be used.
pub fn serve(options: ServerOptions) -> Result<(), String> {
    // A server that was started by hand already leads its session, which is not an error.
    let _ = rustix::process::setsid();
    // The mode of every file is given explicitly.
    rustix::process::umask(rustix::fs::Mode::empty());
    guard::become_subreaper()?;
    if let Some(guard) = options.guard {
        guard::end_with(guard)?;
    }
    let lock = options.dir.lock()?;
    let dir = options.dir.clone();
    let result = run(options);
    dir.remove();
    drop(lock);
    result
}

fn run(mut options: ServerOptions) -> Result<(), String> {
    let (uid, name, home) = crate::caller();
    enrol(&mut options.files, &name);
    let now = options.start.unwrap_or_else(|| Time::from_secs(crate::real_date()));
    let (mut world, found) = World::begin_with(&options.site, &options.files, options.seed, now, |users| {
        set_caller(users, uid, &name, &home);
    });
    let errors: Vec<String> = found
        .iter()
        .filter(|finding| finding.severity == base::diagnostic::Severity::Error)
        .map(ToString::to_string)
        .collect();
    if world.ctld.nodes.is_empty() || !errors.is_empty() {
        return Err(format!("the site {} cannot be used:\n{}", options.site, errors.join("\n")));
    }
    for finding in &found {
        let _ = writeln!(std::io::stderr(), "{finding}");
    }
    if world.now < now {
        while world.step(now) {}
    }
    let files = Arc::new(MachineFiles::default());
    world.connect_real_host(Arc::clone(&files) as Arc<dyn host::real_host::RealHost>, options.execution);
    let (listeners, rest_addresses) = bind_rest(&options)?;
    let rest = RestState { key: jwt_key(&options.dir)?, release: options.release, ..RestState::default() };
    let socket = options.dir.socket();
    let listener = UnixListener::bind(&socket).map_err(|e| format!("{}: {e}", socket.display()))?;
    let (sender, events) = channel();
    listen(listener, sender.clone());
    watch_signals(sender.clone());
    if !listeners.is_empty() {
        http::serve(listeners, &sender)?;
    }
    let mut server = Server {
        clock: PacedClock::new(world.now, options.pace),
        leap_end: world.now + MAX_LEAP,
        leap_mark: 0,
        world,
        uid: Uid(uid),
        files,
        programs: Programs::new(options.dir.clone(), sender),
        dir: options.dir,
        clients: BTreeMap::new(),
        waiters: Vec::new(),
        closing: Vec::new(),
        events,
        idle: options.idle,
        parent: options.parent,
        busy_at: crate::real_now(),
        site: options.site,
        faults: fault::Faults::default(),
        rest,
        rest_addresses,
        ahead: None,
        signals: VecDeque::new(),
        held: None,
        down: false,
    };
    let mut out = std::io::stdout().lock();
    let written = out.write_all(format!("{READY}\n").as_bytes()).and_then(|()| out.flush());
    drop(out);
    written.map_err(|e| format!("standard output: {e}"))?;
    server.run_loop();
    server.end();
    Ok(())
}

/// Binds slurmrestd's addresses, and writes them to a file for `up`.
fn bind_rest(options: &ServerOptions) -> Result<(Vec<BoundListener>, Vec<String>), String> {
    let bound: Result<Vec<_>, String> = options.rest.iter().map(RestAddress::bind).collect();
    let (listeners, addresses): (Vec<_>, Vec<_>) = bound?.into_iter().unzip();
    if !addresses.is_empty() {
        let file = options.dir.rest();
        std::fs::write(&file, addresses.join("\n") + "\n").map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok((listeners, addresses))
}

/// A new key of `auth/jwt`, which only the user can read.
fn jwt_key(dir: &ClusterDir) -> Result<Vec<u8>, String> {
    let mut key = vec![0; 32];
    let random = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut key));
    random.map_err(|e| format!("/dev/urandom: {e}"))?;
    let path = dir.jwt_key();
    let file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let written = file.and_then(|mut file| file.write_all(&key));
    written.map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(key)
}

/// Makes the caller a user of the cluster, with the uid and home directory of this machine.
fn set_caller(users: &mut Users, uid: u32, name: &str, home: &str) {
    // No other user may have the uid.
    let taken = users.0.iter_mut().find(|user| user.uid == Uid(uid) && user.name != name);
    if let Some(other) = taken.filter(|_| uid != 0) {
        other.uid = Uid(60_000);
    }
    match users.0.iter_mut().find(|user| user.name == name || uid == 0 && user.uid == Uid(0)) {
        Some(user) => {
            user.uid = Uid(uid);
            home.clone_into(&mut user.home);
        }
        None => users.0.push(User {
            name: name.to_owned(),
            uid: Uid(uid),
            home: home.to_owned(),
            gecos: String::new(),
            groups: Vec::new(),
            env: Vec::new(),
        }),
    }
}

/// Gives the caller the associations of the first user in the site's `accounts.sh`.
fn enrol(files: &mut SiteFiles, name: &str) {
    let Some(script) = files.0.get_mut("accounts.sh") else { return };
    let known = |line: &str| {
        let (_, rest) = line.split_once(" add user ")?;
        let (names, rest) = rest.split_once(' ')?;
        Some((names.to_owned(), rest.to_owned()))
    };
    let lines: Vec<(String, String)> = script.lines().filter_map(known).collect();
    if lines.iter().any(|(names, _)| names.split(',').any(|known| known == name)) {
        return;
    }
    if let Some((_, rest)) = lines.first() {
        let line = format!("\nsacctmgr -i add user {name} {rest}\n");
        script.push_str(&line);
    }
}
