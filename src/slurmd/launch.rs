//! Starting a batch script: its files, its process, and errors. Mirrors slurmstepd(8).

use super::{Batch, Slurmd, Tracked, env, pattern};
use base::ids::{JobId, Pid, StepNum, Uid};
use base::time::Time;
use host::fs::FileKind;
use host::kernel::OpenFlags;
use host::{Errno, Exec, Kernel, ProcessOrigin, path};
use slurmctld::Slurmctld;
use slurmctld::job::{ExitCode, Job};
use std::sync::Arc;

/// Slurm's exit code for a job whose files could not be opened.
const NO_FILES: ExitCode = ExitCode { code: 0, signal: 53 };

/// The result of a launch.
pub enum Launched {
    /// The process and what it executes.
    Process(Pid, Exec),
    /// It could not be started.
    Failed(ExitCode),
    /// The job no longer exists.
    Nothing,
}

impl Slurmd {
    /// Starts a job's batch script on its first node.
    pub fn launch_batch(
        &mut self,
        kernel: &mut Kernel,
        ctld: &mut Slurmctld,
        id: JobId,
        now: Time,
    ) -> Launched {
        let Some(job) = ctld.job(id).filter(|j| !j.flags.completing && !j.state.ended()).cloned() else {
            return Launched::Nothing;
        };
        let Some(node) = job.batch_host else { return Launched::Nothing };
        let host: Arc<str> = ctld.node(node).conf.name.as_str().into();
        let cgroup = ctld.new_cgroup();
        let uid = job.uid();
        let stdout = pattern::stdout(&job, ctld);
        let stderr = pattern::stderr(&job, ctld);
        let log = stderr.clone().unwrap_or_else(|| stdout.clone());
        let Some(script) = spool(kernel, &job, &host, now) else { return Launched::Failed(NO_FILES) };
        let mut argv = vec![script.clone()];
        argv.extend(job.desc.args.iter().cloned());
        let origin = ProcessOrigin { uid, host: Arc::clone(&host), cgroup };
        let exists = kernel.fs.stat(uid, &job.desc.work_dir).is_ok_and(|s| s.kind == FileKind::Dir);
        let cwd = if exists { job.desc.work_dir.as_str() } else { "/tmp" };
        let Ok(pid) = kernel.spawn(origin, cwd, argv.clone(), now) else { return Launched::Failed(NO_FILES) };
        if let Some(process) = kernel.process_mut(pid) {
            process.umask = job.desc.umask;
        }
        let stdin = job.desc.stdin.as_deref().map(|p| pattern::expand(p, &job, ctld));
        let keep = job.desc.open_append.unwrap_or(false);
        let opened = open_files(kernel, pid, stdin.as_deref(), &stdout, stderr.as_deref(), keep, now);
        if opened.is_err() {
            kernel.exit(pid, host::Status::Exited(1));
            return Launched::Failed(NO_FILES);
        }
        self.enter(cgroup, Tracked { job: id, step: StepNum::Batch, node, ranks: vec![0] });
        self.batch.insert(id, Batch { pid, cgroup, host: Arc::clone(&host), log: Some(log.clone()) });
        self.scripts.insert(pid, id);
        if !exists {
            let line = format!(
                "[{}] error: couldn't chdir to `{}': No such file or directory: going to /tmp instead\n",
                now.iso_millis(),
                job.desc.work_dir
            );
            append_line(kernel, &host, &log, &line, 2, now);
        }
        if let Some(missing) = missing_interpreter(kernel, &job) {
            let line = format!(
                "[{}] error: execve(): bad interpreter({missing}): No such file or directory\n",
                now.iso_millis()
            );
            append(kernel, &host, &log, line.as_bytes(), now);
            kernel.exit(pid, host::Status::Exited(2));
            return Launched::Failed(ExitCode { code: 2, signal: 0 });
        }
        let mut env = env::batch(&job, ctld, pid.0);
        env.insert("PWD".to_owned(), cwd.to_owned());
        if let Some(dir) = kernel.job_tmp(uid, id.0) {
            env.insert("SLURM_TMPDIR".to_owned(), dir);
        }
        let exec = Exec { path: script, argv, env: Arc::new(env) };
        Launched::Process(pid, slurmctld::prolog::task(ctld, None, exec))
    }
}

/// The directory of a job on a node, which slurmd removes with the job: `/var/spool/slurmd/cn01/job00011`.
#[must_use]
pub fn spool_dir(job: JobId, host: &str) -> String {
    format!("/var/spool/slurmd/{host}/job{:05}", job.0)
}

/// slurmd's own copy of the script: `slurm_script` in the job's spool directory.
fn spool(kernel: &mut Kernel, job: &Job, host: &str, now: Time) -> Option<String> {
    let dir = spool_dir(job.id, host);
    kernel.fs.mkdir_all(&dir, job.uid(), 0o700, now).ok()?;
    let file = format!("{dir}/slurm_script");
    let text = job.desc.script.as_ref()?;
    kernel.fs.write(Uid(0), &file, text, 0o700, now).ok()?;
    kernel.fs.chown(Uid(0), &file, job.uid()).ok()?;
    kernel.fs.chmod(Uid(0), &file, 0o700).ok()?;
    Some(file)
}

fn open_files(
    kernel: &mut Kernel,
    pid: Pid,
    stdin: Option<&str>,
    stdout: &str,
    stderr: Option<&str>,
    keep: bool,
    now: Time,
) -> Result<(), Errno> {
    let read = OpenFlags { read: true, ..OpenFlags::default() };
    // Slurm truncates both files first and then appends, so that the job's output and slurmstepd's lines interleave.
    let truncate = OpenFlags { write: true, create: true, truncate: !keep, ..OpenFlags::default() };
    let write = OpenFlags { write: true, create: true, append: true, ..OpenFlags::default() };
    kernel.open(pid, stdin.unwrap_or("/dev/null"), read, 0, now)?;
    for file in std::iter::once(stdout).chain(stderr) {
        make_folder(kernel, pid, file, now);
        let fd = kernel.open(pid, file, truncate, 0o666, now)?;
        kernel.close(pid, fd)?;
    }
    kernel.open(pid, stdout, write, 0o666, now)?;
    match stderr {
        Some(file) if file != stdout => kernel.open(pid, file, write, 0o666, now).map(|_| ()),
        Some(_) | None => kernel.dup2(pid, 1, 2),
    }
}

/// Creates missing folders of an output file, as far as the user's permissions allow.
fn make_folder(kernel: &mut Kernel, pid: Pid, file: &str, now: Time) {
    let Some((folder, _)) = file.rsplit_once('/') else { return };
    let Some(process) = kernel.process_mut(pid) else { return };
    let (uid, mode, host) = (process.origin.uid, 0o777 & !process.umask, process.origin.host.clone());
    let view = kernel.fs.enter(&host, now);
    for (end, _) in folder.match_indices('/').skip(1).chain(std::iter::once((folder.len(), ""))) {
        // If a folder cannot be created, opening the file reports the error.
        let _ = kernel.fs.mkdir(uid, &folder[..end], mode, now);
    }
    kernel.fs.back(view);
}

fn append_line(kernel: &mut Kernel, host: &str, log: &str, line: &str, times: u32, now: Time) {
    for _ in 0..times {
        append(kernel, host, log, line.as_bytes(), now);
    }
}

/// Appends to a file as seen from a node, in the way slurmstepd writes its lines. A full disk loses them, as on
/// a real node.
pub fn append(kernel: &mut Kernel, host: &str, file: &str, data: &[u8], now: Time) {
    #[cfg(feature = "real-host")]
    if kernel.fs.append_on_real_host(file, data) {
        return;
    }
    let view = kernel.fs.enter(host, now);
    if let Ok(stat) = kernel.fs.stat(Uid(0), file)
        && stat.kind == FileKind::File
    {
        let _ = kernel.fs.write_at(stat.ino, stat.size, data, now);
    }
    kernel.fs.back(view);
}

/// The script's interpreter, if that file does not exist.
fn missing_interpreter(kernel: &Kernel, job: &Job) -> Option<String> {
    let script = job.desc.script.as_ref()?;
    let first = script.split(|b| *b == b'\n').next()?;
    let line = String::from_utf8_lossy(first.strip_prefix(b"#!")?).trim().to_owned();
    let interpreter = line.split_whitespace().next()?.to_owned();
    let gone = kernel.fs.stat(job.uid(), &path::resolve("/", &interpreter)).is_err();
    gone.then_some(interpreter)
}
