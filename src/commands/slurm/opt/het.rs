//! Heterogeneous jobs on the command line (` : `) and in a script (`#SBATCH hetjob`). Mirrors heterogeneous_jobs.html.

use super::script::Directive;
use super::{Bad, JobOptions, SubmitCommand, longs};
use crate::slurm::getopt;
use slurmctld::job::JobDesc;
use std::sync::Arc;

/// Splits the command line into components. Each begins with the command's name; the last has the words after the
/// options.
///
/// # Errors
/// An unknown option.
pub fn command_lines(tool: SubmitCommand, argv: &[String]) -> Result<Vec<Vec<String>>, Bad> {
    let mut lines = Vec::new();
    let mut line = argv.to_vec();
    loop {
        let parsed =
            getopt::parse(&longs(tool), &line, false).map_err(|text| Bad::getopt(tool.name(), text, 255))?;
        if parsed.rest.first().is_none_or(|word| word != ":") {
            lines.push(line);
            return Ok(lines);
        }
        let own = line.len() - parsed.rest.len();
        let mut next = vec![tool.name().to_owned()];
        next.extend(parsed.rest.into_iter().skip(1));
        line.truncate(own);
        lines.push(line);
        line = next;
    }
}

/// The directives of each component of a script.
#[must_use]
pub fn scripts(directives: Vec<Directive>) -> Vec<Vec<Directive>> {
    let mut components = vec![Vec::new()];
    for directive in directives {
        let separates = |(word, ..): &(String, u32, u32)| word == "hetjob" || word == "packjob";
        match (&directive.words[..], components.last_mut()) {
            ([word], _) if separates(word) => components.push(Vec::new()),
            (_, Some(last)) => last.push(directive),
            (_, None) => {}
        }
    }
    components
}

/// The options that the next component inherits from the first: all except those about its size and location.
#[must_use]
pub fn inherited(first: &JobOptions) -> JobOptions {
    let d = &first.desc;
    let desc = JobDesc {
        name: d.name.clone(),
        account: d.account.clone(),
        partition: d.partition.clone(),
        qos: d.qos.clone(),
        wckey: d.wckey.clone(),
        comment: d.comment.clone(),
        admin_comment: d.admin_comment.clone(),
        env: Arc::clone(&d.env),
        time_limit: d.time_limit,
        time_min: d.time_min,
        begin: d.begin,
        deadline: d.deadline,
        hold: d.hold,
        nice: d.nice,
        priority: d.priority,
        dependency: d.dependency.clone(),
        kill_on_invalid_dep: d.kill_on_invalid_dep,
        requeue: d.requeue,
        signal: d.signal,
        mail_type: d.mail_type.clone(),
        mail_user: d.mail_user.clone(),
        immediate: d.immediate,
        ..JobDesc::default()
    };
    JobOptions {
        desc,
        run: first.run.clone(),
        now: first.now,
        uid: first.uid,
        cluster: first.cluster.clone(),
        given: first.given.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_a_command_line() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let lines = |text| command_lines(SubmitCommand::Sbatch, &words(text)).map(|l| l.len());
        assert_eq!(lines("sbatch -n 1 : -p gpu -n 1 --wrap=true"), Ok(2));
        assert_eq!(lines("sbatch -n 1 script : -n 2"), Ok(1), "what follows the script is the script's");
        let lines =
            command_lines(SubmitCommand::Sbatch, &words("sbatch -n 1 : -n 2 : -N 1 job.sh a")).unwrap();
        assert_eq!(lines[2], ["sbatch", "-N", "1", "job.sh", "a"]);
        assert_eq!(lines[0], ["sbatch", "-n", "1"]);
    }
}
