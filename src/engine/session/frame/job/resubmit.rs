//! Rewrites a job's command line with another option.

use base::state::JobState;
use base::time::Limit;
use commands::slurm::jobtext::limit_short;
use slurmctld::job::{Job, Memory};

/// The command that resubmits a job with some options removed and one added. None if the command line cannot be
/// rewritten: it is not one of sbatch, contains quoted blanks, or gives option values as separate words.
pub fn resubmit(job: &Job, drop: &[&str], add: &str) -> Option<String> {
    let line = &job.desc.submit_line;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:%+@[] ".contains(c);
    job.desc.command.as_ref()?;
    if !line.chars().all(plain) || !line.starts_with("sbatch ") {
        return None;
    }
    let words: Vec<&str> = line.split(' ').filter(|w| !w.is_empty()).collect();
    let is = |word: &&str| {
        drop.iter().any(|d| word.strip_prefix(d).is_some_and(|r| r.is_empty() || r.starts_with('=')))
    };
    let apart = |word: &&str| drop.contains(word) && *word != "--exclusive";
    if words.iter().any(apart) {
        return None;
    }
    let mut kept: Vec<&str> = words.iter().copied().filter(|w| !is(w)).collect();
    if add.is_empty() && kept.len() == words.len() {
        // The script itself contains the option.
        return None;
    }
    if !add.is_empty() {
        kept.insert(1, add);
    }
    Some(format!("cd {} && {}", job.desc.work_dir, kept.join(" ")))
}

/// The command for a job that ran out of time or memory: the same with twice as much.
pub fn command(job: &Job) -> Option<String> {
    match job.state {
        JobState::Timeout => match job.time_limit {
            Limit::Minutes(m) => {
                let twice = limit_short(Limit::Minutes(m.saturating_mul(2)));
                resubmit(job, &["--time", "-t"], &format!("--time={twice}"))
            }
            Limit::Unlimited => None,
        },
        JobState::OutOfMemory => {
            let (option, mib) = match job.needs.memory {
                Memory::PerNode(m) => ("--mem", m),
                Memory::PerCpu(m) => ("--mem-per-cpu", m),
                Memory::PerGpu(m) => ("--mem-per-gpu", m),
                Memory::Unset => return None,
            };
            let all = ["--mem", "--mem-per-cpu", "--mem-per-gpu"];
            (mib > 0).then(|| resubmit(job, &all, &format!("{option}={}M", mib.saturating_mul(2)))).flatten()
        }
        JobState::Pending
        | JobState::Running
        | JobState::Suspended
        | JobState::Complete
        | JobState::Cancelled
        | JobState::Failed
        | JobState::NodeFail
        | JobState::Preempted
        | JobState::BootFail
        | JobState::Deadline => None,
    }
}
