//! `--help`, generated from the table, and `--usage`.

use super::table::TABLE;
use super::{JobOption, SubmitCommand};
use crate::slurm::getopt::Arg;

/// Writes `--help` of one of the three commands.
#[must_use]
pub fn help(tool: SubmitCommand) -> String {
    let first = match tool {
        SubmitCommand::Sbatch => "Usage: sbatch [OPTIONS(0)...] [ : [OPTIONS(N)...]] script(0) [args(0)...]",
        SubmitCommand::Srun => {
            "Usage: srun [OPTIONS(0)... [executable(0) [args(0)...]]] [ : [OPTIONS(N)...]] executable(N) [args(N)...]"
        }
        SubmitCommand::Salloc => {
            "Usage: salloc [OPTIONS(0)...] [ : [OPTIONS(N)...]] [command(0) [args(0)...]]"
        }
    };
    let mut out = format!("{first}\n\nOptions:\n");
    for opt in TABLE.iter().filter(|o| o.tools & tool.bit() != 0) {
        out += &line(opt);
    }
    out
}

fn line(opt: &JobOption) -> String {
    let short = opt.short.map_or("    ".to_owned(), |c| format!("-{c}, "));
    let value = match opt.arg {
        Arg::No => String::new(),
        Arg::Required => format!("={}", opt.value),
        Arg::Optional => format!("[={}]", opt.value),
    };
    let head = format!("  {short}--{}{value}", opt.name);
    if head.len() < 30 {
        format!("{head:<30}{}\n", opt.help)
    } else {
        format!("{head}\n{:30}{}\n", "", opt.help)
    }
}

/// Writes `--usage` of one of the three commands.
#[must_use]
pub fn usage(tool: SubmitCommand) -> String {
    if tool == SubmitCommand::Sbatch {
        return SBATCH_USAGE.to_owned();
    }
    let mut out = format!("Usage: {}", tool.name());
    let mut column = out.len();
    for opt in TABLE.iter().filter(|o| o.tools & tool.bit() != 0) {
        let value = if opt.arg == Arg::No { String::new() } else { format!("={}", opt.value) };
        let word = format!(" [--{}{value}]", opt.name);
        if column + word.len() > 80 {
            out += "\n           ";
            column = 11;
        }
        column += word.len();
        out += &word;
    }
    out + " executable [args...]\n"
}

const SBATCH_USAGE: &str = "\
Usage: sbatch [-N nnodes] [-n ntasks]
              [-c ncpus] [-r n] [-p partition] [--hold] [--parsable] [-t minutes]
              [-D path] [--no-kill] [--overcommit]
              [--input file] [--output file] [--error file]
              [--time-min=minutes] [--licenses=names] [--clusters=cluster_names]
              [--chdir=directory] [--oversubscribe] [-m dist] [-J jobname]
              [--verbose] [--gid=group] [--uid=user] [--contiguous]
              [--container=path] [--container-id=id] [--container-type=type]
              [--mincpus=n] [--mem=MB] [--tmp=MB] [-C list]
              [--account=name] [--dependency=type:jobid[+time]] [--comment=name]
              [--mail-type=type] [--mail-user=user] [--nice[=value]] [--wait]
              [--requeue[=expedite]] [--no-requeue] [--ntasks-per-node=n]
              [--propagate] [--nodefile=file] [--nodelist=hosts] [--exclude=hosts]
              [--network=type] [--mem-per-cpu=MB] [--qos=qos] [--gres=list]
              [--mem-bind=...] [--reservation=name] [--mcs-label=mcs]
              [--cpu-freq=min[-max[:gov]]] [--power=flags] [--gres-flags=opts]
              [--switches=max-switches{@max-time-to-wait}] [--reboot]
              [--core-spec=cores] [--thread-spec=threads]
              [--bb=burst_buffer_spec] [--bbf=burst_buffer_file]
              [--array=index_values] [--profile=...] [--ignore-pbs] [--spread-job]
              [--spread-segments]
              [--export[=names]] [--export-file=file|fd] [--delay-boot=mins]
              [--use-min-nodes]
              [--cpus-per-gpu=n] [--gpus=n] [--gpu-bind=...] [--gpu-freq=...]
              [--gpus-per-node=n] [--gpus-per-socket=n] [--gpus-per-task=n]
              [--mem-per-gpu=MB] [--tres-bind=...] [--tres-per-task=list]
              [--oom-kill-step[=0|1]]
              executable [args...]
";
