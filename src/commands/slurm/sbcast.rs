//! sbcast(1): copies a file to all nodes of a job.
//!
//! If nodes share the target directory, the first node's copy makes the others fail, as on a real cluster.

use super::getopt::ParsedArguments;
use super::tool::{self, ArgumentKind, PLAIN, ToolOption, ToolSpec, flag, may, needs};
use crate::Cx;
use base::hostlist;
use base::ids::JobId;
use host::Errno;
use host::fs::FileKind;
use slurmctld::error::SlurmError;
use std::sync::Arc;

const OPTIONS: &[ToolOption] = &[
    may("compress", 'C', ArgumentKind::OneOf(&["lz4", "none"]), "compress the file on its way")
        .env("SBCAST_COMPRESS"),
    needs("exclude", ' ', ArgumentKind::Text("paths"), "libraries that are not sent").env("SBCAST_EXCLUDE"),
    needs("fanout", 'F', ArgumentKind::Text("number"), "nodes that one node sends to").env("SBCAST_FANOUT"),
    flag("force", 'f', "replace a file that is there").env("SBCAST_FORCE"),
    flag("help", ' ', "show this text"),
    needs("jobid", 'j', ArgumentKind::Job, "the job whose nodes get it").env("SLURM_JOB_ID"),
    flag("no-allocation", 'Z', "to the nodes named, whatever runs there (root only)"),
    needs("nodelist", 'w', ArgumentKind::Node, "only to these of the job's nodes"),
    flag("preserve", 'p', "keep mode and times").env("SBCAST_PRESERVE"),
    may("send-libs", ' ', ArgumentKind::OneOf(&["yes", "no"]), "a program's libraries, too")
        .env("SBCAST_SEND_LIBS"),
    needs("size", 's', ArgumentKind::Text("bytes"), "size of a message").env("SBCAST_SIZE"),
    needs("timeout", 't', ArgumentKind::Text("seconds"), "longest time for a message").env("SBCAST_TIMEOUT"),
    needs("treewidth", ' ', ArgumentKind::Text("number"), "nodes that one node sends to"),
    flag("usage", ' ', "a short summary of the options"),
    flag("verbose", 'v', "say more"),
    flag("version", 'V', "the version"),
];

/// The command's table.
pub const TOOL: ToolSpec = ToolSpec {
    name: "sbcast",
    options: OPTIONS,
    usage: "Usage: sbcast [--exclude] [-CfFjpvV] [--send-libs] SOURCE DEST\n",
    synopsis: "SOURCE DEST",
    words: |_| ArgumentKind::File,
    about: "Copies a file to the same place on every node of a job.",
    ..PLAIN
};

/// Runs sbcast.
pub fn run(cx: &mut Cx) -> u8 {
    let parsed = match tool::read(cx, &TOOL) {
        Ok(parsed) => parsed,
        Err(code) => return code,
    };
    let [source, dest] = parsed.rest.as_slice() else {
        cx.complain(&format!("Need two file names, have {} names", parsed.rest.len()));
        cx.complain("Try \"sbcast --help\" for more information");
        return 1;
    };
    match copy(cx, &parsed, source, dest) {
        Ok(()) => 0,
        Err((text, code)) => {
            if !text.is_empty() {
                cx.error(&format!("error: {text}"));
            }
            code
        }
    }
}

type SbcastError = (String, u8);

fn copy(cx: &mut Cx, parsed: &ParsedArguments, source: &str, dest: &str) -> Result<(), SbcastError> {
    if dest.ends_with('/') {
        return Err(("Target filename cannot be a directory.".to_owned(), 1));
    }
    let (nodes, own) = nodes(cx, parsed)?;
    if let Some(library) = parsed.value("compress").filter(|l| !matches!(*l, "" | "lz4" | "none")) {
        cx.error(&format!("error: Compression type '{library}' unknown, disabling compression support."));
    }
    let data = match cx.read_file(source) {
        Ok(data) => data,
        Err(Errno::EISDIR) => return Err((format!("Can't mmap file `{source}`, No such device."), 255)),
        Err(why) => return Err((format!("Can't open `{source}`: {why}"), 255)),
    };
    let from = cx.path(source);
    let stat = cx.kernel.fs.stat(cx.uid(), &from).map_err(|why| (why.to_string(), 255))?;
    let to = cx.path(dest);
    if !own {
        let error = SlurmError::SlurmdInvalidJobCredential;
        nodes.iter().for_each(|node| cx.error(&format!("error: REQUEST_FILE_BCAST({node}): {error}")));
        return Err((String::new(), u8::try_from(error.number() & 0xff).unwrap_or(1)));
    }
    let mut worst = None;
    for node in &nodes {
        if let Err(why) = put(cx, node, &to, &data, parsed.has("force"), stat.mode) {
            cx.error(&format!("error: REQUEST_FILE_BCAST({node}): {why}"));
            worst = Some(why);
        }
    }
    worst.map_or(Ok(()), |why| Err((String::new(), number(why))))
}

/// The exit code is the number of errno(3).
const fn number(why: Errno) -> u8 {
    match why {
        Errno::ENOENT => 2,
        Errno::EACCES => 13,
        Errno::EEXIST => 17,
        Errno::ENOTDIR => 20,
        Errno::EISDIR => 21,
        Errno::EFBIG => 27,
        Errno::ENOSPC => 28,
        _ => 1,
    }
}

/// The target nodes, and whether their daemons accept files from this user. The nodes are all or some nodes of
/// the job that `--jobid` or the environment names.
fn nodes(cx: &Cx, parsed: &ParsedArguments) -> Result<(Vec<String>, bool), SbcastError> {
    let chosen = parsed.value("nodelist").map(|list| hostlist::expand(list).unwrap_or_default());
    if parsed.has("no-allocation") {
        let nodes = chosen.filter(|nodes| !nodes.is_empty());
        return match (cx.uid().0, nodes) {
            (0, Some(nodes)) => Ok((nodes, true)),
            (0, None) => Err(("--no-allocation needs --nodelist".to_owned(), 1)),
            _ => Err(("--no-allocation is for root and SlurmUser only".to_owned(), 1)),
        };
    }
    let named = parsed.value("jobid").map(str::to_owned).or_else(|| cx.env.get("SLURM_JOB_ID").cloned());
    let Some(text) = named else {
        let text =
            "Need a job id to run this command.  Run from within a Slurm job or use the --jobid option.";
        return Err((text.to_owned(), 1));
    };
    let (job, component) = text
        .split('.')
        .next()
        .unwrap_or(&text)
        .split_once('+')
        .unwrap_or((text.split('.').next().unwrap_or(&text), "0"));
    let unknown = |error: SlurmError| (format!("Slurm job {text} lookup error: {error}"), 255);
    let id: u32 = job.parse().map_err(|_| unknown(SlurmError::InvalidJobId))?;
    let id = JobId(id.saturating_add(component.parse().unwrap_or(0)));
    let state = cx.cluster.state();
    let job = state.jobs.get(id).ok_or_else(|| unknown(SlurmError::InvalidJobId))?;
    if job.uid() != cx.uid() && !state.is_operator(cx.uid()) {
        return Err(unknown(SlurmError::UserIdMissing));
    }
    if job.state.ended() {
        return Err(unknown(SlurmError::AlreadyDone));
    }
    let Some(allocation) = &job.allocation else { return Err(unknown(SlurmError::JobPending)) };
    let all: Vec<String> = allocation.nodes.iter().map(|n| state.node(n.node).conf.name.clone()).collect();
    let own = job.uid() == cx.uid();
    match chosen {
        None => Ok((all, own)),
        Some(some) => match some.iter().find(|node| !all.contains(node)) {
            Some(other) => Err((format!("node {other} is none of job {text}'s"), 1)),
            None => Ok((some, own)),
        },
    }
}

/// Writes the file as the user, like a node's slurmd.
fn put(cx: &mut Cx, node: &str, to: &str, data: &Arc<Vec<u8>>, force: bool, mode: u32) -> Result<(), Errno> {
    let uid = cx.uid();
    let view = cx.kernel.fs.enter(node, cx.now);
    let result = match cx.kernel.fs.stat(uid, to) {
        Ok(stat) if stat.kind == FileKind::Dir => Err(Errno::EISDIR),
        Ok(_) if !force => Err(Errno::EEXIST),
        Ok(_) | Err(_) => {
            let written = cx.kernel.fs.write(uid, to, data, mode & 0o777, cx.now);
            written.and_then(|_| cx.kernel.fs.chmod(uid, to, mode & 0o777))
        }
    };
    cx.kernel.fs.back(view);
    result
}
