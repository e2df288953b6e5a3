//! `sandbatch cluster`: a cluster in the background for people who write tools.

mod args;

pub use args::{ClusterCommand, ClusterUp, ServeArgs};

use super::out;
use super::site::{self, Site};
use ::cluster::directory::{self, ClusterDir};
use ::cluster::server::rest::http::RestAddress;
use ::cluster::server::{ServerOptions, serve};
use ::cluster::wire::ControlRequest;
use ::cluster::{control, guard, up};
use args::{EvalShell, ExecuteOn};
use engine::world::real_host::Execution;
use std::ffi::OsString;
use std::time::Duration;

/// Runs a subcommand.
///
/// # Errors
/// The message for the user.
pub fn run(command: ClusterCommand) -> Result<u8, String> {
    let ask = |name: Option<String>, request| control::ask(&directory::find(name.as_deref())?, request);
    let answer = match command {
        ClusterCommand::Up(options) => start(&options)?,
        ClusterCommand::Down { name } => {
            let dir = match name {
                Some(name) => ClusterDir::at(directory::root()?.join(name)),
                None => directory::find(None)?,
            };
            control::down(&dir).map(|()| String::new())?
        }
        ClusterCommand::Status { name } => ask(name, ControlRequest::Status)?,
        ClusterCommand::Env { name, shell } => {
            up::environment(&directory::find(name.as_deref())?, syntax(shell))
        }
        ClusterCommand::List => directory::running()?
            .iter()
            .map(|dir| format!("{}\t{}\n", dir.name(), dir.path().display()))
            .collect(),
        ClusterCommand::Advance { time, name } => ask(name, ControlRequest::Advance(time))?,
        ClusterCommand::Pace { pace, name } => ask(name, ControlRequest::Pace(pace))?,
        ClusterCommand::Wait { job, state, timeout, name } => {
            let state = state.unwrap_or_default().to_ascii_uppercase();
            ask(name, ControlRequest::Wait { job, state, timeout })?
        }
        ClusterCommand::Inject { fault, name } => ask(name, ControlRequest::Inject(fault))?,
        ClusterCommand::Serve { guard: None, .. } => return guard::run().inspect_err(|why| refuse(why)),
        ClusterCommand::Serve { dir, guard, options } => {
            return foreground(ClusterDir::at(dir), guard, options);
        }
    };
    out::print(&answer)?;
    Ok(0)
}

fn start(options: &ClusterUp) -> Result<String, String> {
    let given = &options.options;
    let (site, name) = match &given.site {
        Site::BuiltIn(name) => (OsString::from(name), name.clone()),
        // The server may have another directory.
        Site::Dir(dir) => {
            let dir = dir.canonicalize().map_err(|e| format!("{}: {e}", dir.display()))?;
            (dir.clone().into_os_string(), site::name_of(&dir))
        }
    };
    let mut words: Vec<OsString> = vec!["--site".into(), site];
    let execute = match given.execute {
        ExecuteOn::Host => "host",
        ExecuteOn::Model => "model",
    };
    let pace = if given.pace == 0 { "max".to_owned() } else { given.pace.to_string() };
    let mut text = |option: &str, value: String| words.extend([option.into(), value.into()]);
    text("--execute", execute.to_owned());
    text("--pace", pace);
    text("--idle", given.idle.to_string());
    text("--seed", given.seed.to_string());
    given.parent.iter().for_each(|pid| text("--parent", pid.to_string()));
    given.start.iter().for_each(|at| text("--start", at.iso()));
    for address in &given.rest {
        words.push("--rest".into());
        words.push(match address {
            RestAddress::Tcp(text) => {
                warn_if_open(text);
                text.into()
            }
            RestAddress::Unix(path) => format!("unix:{}", path.display()).into(),
        });
    }
    if let Some(release) = given.slurm_version {
        words.extend(["--slurm-version".into(), release.name.into()]);
    }
    let dir = up::start(options.name.as_deref(), &name, &words)?;
    Ok(up::environment(&dir, syntax(options.shell)))
}

const fn syntax(shell: EvalShell) -> up::ShellSyntax {
    match shell {
        EvalShell::Sh => up::ShellSyntax::Posix,
        EvalShell::Fish => up::ShellSyntax::Fish,
    }
}

/// Warns if other machines can reach an address.
fn warn_if_open(address: &str) {
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host).trim_matches(['[', ']']);
    let loopback = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
    if !loopback {
        out::tell(&format!(
            "sandbatch: warning: --rest {address} is not only for this machine; anyone with a token can run programs as you\n"
        ));
    }
}

fn foreground(dir: ClusterDir, guard: Option<u32>, options: ServeArgs) -> Result<u8, String> {
    let (site, files) = site::load(&options.site).inspect_err(|why| refuse(why))?;
    let execution = match options.execute {
        ExecuteOn::Host => Execution::Host,
        ExecuteOn::Model => Execution::Model,
    };
    let server = ServerOptions {
        dir,
        site,
        files,
        seed: options.seed,
        start: options.start,
        pace: options.pace,
        execution,
        idle: Some(Duration::from_secs(options.idle.into())).filter(|idle| !idle.is_zero()),
        parent: options.parent,
        guard,
        rest: options.rest,
        release: options.slurm_version,
    };
    serve(server).inspect_err(|why| refuse(why)).map(|()| 0)
}

/// Tells `up`, which reads standard output, why the server could not start.
fn refuse(why: &str) {
    // If the server was started by hand, no one reads this. The message also goes to standard error.
    let _ = out::print(&format!("{why}\n"));
}
