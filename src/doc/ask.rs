//! What a reader fills in before a command can run: placeholders, stand-ins such as `JOBID`, and numbers of the author's jobs.

use super::piece::is_slurm;
use super::placeholder::{is_placeholder_value, placeholders};
use std::collections::BTreeSet;

/// What a value is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AskedAbout {
    /// An account or project.
    Account,
    /// A partition.
    Partition,
    /// A job's number.
    Job,
    /// A user's name.
    User,
    /// A time limit.
    Time,
    /// A number of nodes, tasks, cores or GPUs.
    Count,
    /// An amount of memory.
    Memory,
    /// What the author left out (`...`); may be empty.
    Omitted,
    /// Anything else.
    Other,
}

/// A part of a text that the reader fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Its first byte.
    pub from: usize,
    /// The byte after its last.
    pub to: usize,
    /// What it is about.
    pub about: AskedAbout,
}

/// Most parts of a command that are asked for.
const MAX_FOUND: usize = 200;

/// Options whose values may be placeholders, with what they are about.
const OPTIONS: &[(&str, AskedAbout)] = &[
    ("-A", AskedAbout::Account),
    ("--account", AskedAbout::Account),
    ("--accounts", AskedAbout::Account),
    ("-p", AskedAbout::Partition),
    ("--partition", AskedAbout::Partition),
    ("-j", AskedAbout::Job),
    ("--job", AskedAbout::Job),
    ("--jobs", AskedAbout::Job),
    ("--jobid", AskedAbout::Job),
    ("-u", AskedAbout::User),
    ("--user", AskedAbout::User),
    ("--users", AskedAbout::User),
    ("-t", AskedAbout::Time),
    ("--time", AskedAbout::Time),
    ("-N", AskedAbout::Count),
    ("--nodes", AskedAbout::Count),
    ("-n", AskedAbout::Count),
    ("--ntasks", AskedAbout::Count),
    ("--ntasks-per-node", AskedAbout::Count),
    ("-c", AskedAbout::Count),
    ("--cpus-per-task", AskedAbout::Count),
    ("-G", AskedAbout::Count),
    ("--gpus", AskedAbout::Count),
    ("--gpus-per-node", AskedAbout::Count),
    ("--mem", AskedAbout::Memory),
    ("--mem-per-cpu", AskedAbout::Memory),
    ("--mem-per-gpu", AskedAbout::Memory),
];

/// Words in a placeholder that say what it is about.
const WORDS: &[(&str, AskedAbout)] = &[
    ("jobid", AskedAbout::Job),
    ("jobnum", AskedAbout::Job),
    ("account", AskedAbout::Account),
    ("project", AskedAbout::Account),
    ("projet", AskedAbout::Account),
    ("budget", AskedAbout::Account),
    ("allocation", AskedAbout::Account),
    ("compte", AskedAbout::Account),
    ("partition", AskedAbout::Partition),
    ("queue", AskedAbout::Partition),
    ("user", AskedAbout::User),
    ("login", AskedAbout::User),
    ("utilisateur", AskedAbout::User),
    ("time", AskedAbout::Time),
    ("durée", AskedAbout::Time),
    ("hh", AskedAbout::Time),
    ("mem", AskedAbout::Memory),
];

/// Placeholders for what the author left out, without signs.
const LEFT_OUT: &[&str] = &["option", "options", "otheroptions", "args", "arguments"];

/// Words that are placeholders only together with others.
const BARE: &[&str] = &["your", "my", "some", "example"];

/// Commands whose operands are jobs.
const OF_JOBS: &[&str] = &[
    "scancel", "seff", "sattach", "job", "jobid", "jobstep", "hold", "release", "requeue", "suspend",
    "resume",
];

/// Conditions of dependencies, before a job's number.
const AFTER: &[&str] = &["after", "afterany", "afterok", "afternotok", "aftercorr", "afterburstbuffer"];

/// What the reader fills in in a command, in order and without overlaps. `assigned` holds the variables that commands of the
/// page set, in lower case.
#[must_use]
pub fn asks_of_command(text: &str, assigned: &BTreeSet<String>) -> Vec<Ask> {
    let quoted = quotes(text);
    let mut found: Vec<Ask> = Vec::new();
    if is_slurm(text) || text.starts_with("#SBATCH") {
        stand_ins(text, &mut found);
    } else {
        names_of_jobs(text, &mut found);
    }
    let mut add = |ask: Ask| {
        if !found.iter().any(|known| known.from < ask.to && ask.from < known.to) {
            found.push(ask);
        }
    };
    for span in placeholders(text).into_iter().take(MAX_FOUND) {
        let Some(word) = text.get(span.from..span.to) else { continue };
        if let Some(inner) = word.strip_prefix("$(").and_then(|rest| rest.strip_suffix(')')) {
            let start = span.from + 2;
            for ask in asks_of_command(inner, assigned) {
                add(Ask { from: start + ask.from, to: start + ask.to, ..ask });
            }
        } else if is_asked(text, (span.from, span.to), word, &quoted, assigned) {
            add(Ask { from: span.from, to: span.to, about: about(text, span.from, word) });
        }
    }
    found.sort_by_key(|ask| ask.from);
    found
}

/// What the reader fills in in a script: the values in its `#SBATCH` lines, brackets in its commands, and what is left out.
#[must_use]
pub fn asks_of_script(text: &str) -> Vec<Ask> {
    let none = BTreeSet::new();
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split('\n') {
        let mut of_line = if line.starts_with("#SBATCH") {
            let end = line.get(7..).and_then(|rest| rest.find(" #")).map_or(line.len(), |end| end + 7);
            asks_of_command(line.get(..end).unwrap_or_default(), &none)
        } else if line.trim_start().starts_with('#') {
            Vec::new()
        } else {
            let mut all = asks_of_command(line, &none);
            // A job has its own number and variables, and names of files are the author's.
            all.retain(|ask| {
                let word = line.get(ask.from..ask.to).unwrap_or_default();
                !word.starts_with('$')
                    && (word.starts_with(['<', '{', '.', '…', '«', '&'])
                        || word.to_ascii_lowercase().starts_with("your"))
            });
            all
        };
        of_line.iter_mut().for_each(|ask| {
            ask.from += at;
            ask.to += at;
        });
        found.extend(of_line);
        at += line.len() + 1;
    }
    found
}

/// Whether the reader must replace a placeholder: neither a variable that the shell knows nor shell syntax.
fn is_asked(
    text: &str,
    (from, to): (usize, usize),
    word: &str,
    quoted: &[bool],
    assigned: &BTreeSet<String>,
) -> bool {
    let before = text.get(..from).and_then(|t| t.chars().next_back());
    let after = text.get(to..).and_then(|t| t.chars().next());
    let single = before.is_none_or(char::is_whitespace) && after.is_none_or(char::is_whitespace);
    let lower = word.to_ascii_lowercase();
    match word.chars().next() {
        Some('$') => {
            let name = lower.trim_matches(['$', '{', '}']);
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let compact = name.replace('_', "");
            let asked = compact.ends_with("jobid")
                || ["account", "partition", "project", "queue"].contains(&compact.as_str());
            plain && asked && !compact.starts_with("slurm") && !assigned.contains(name)
        }
        Some('.' | '…') => single,
        Some('{') if !word.starts_with("{{") => {
            let inner = word.trim_matches(['{', '}']);
            !quoted.get(from).copied().unwrap_or(false)
                && inner.chars().all(|c| c.is_alphanumeric() || "_- |".contains(c))
        }
        Some('<') if !word.starts_with("<<") => {
            let inner = word.trim_matches(['<', '>']);
            !before.is_some_and(char::is_alphanumeric) && !inner.ends_with(char::is_whitespace)
        }
        _ if after == Some('.')
            && text.get(to + 1..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric)) =>
        {
            // The name of a file, such as `your_script.py`.
            false
        }
        _ if BARE.contains(&lower.as_str()) => false,
        _ if lower.starts_with("my") || lower.starts_with("some") || lower.starts_with("example") => {
            !matches!(about(text, from, word), AskedAbout::Other)
        }
        _ => true,
    }
}

/// What a placeholder is about: its option says it, otherwise its words.
fn about(text: &str, from: usize, word: &str) -> AskedAbout {
    let lower = word.to_lowercase().replace(['_', '-', ' '], "");
    let inner = lower.trim_matches(['<', '>', '[', ']', '{', '}']);
    if word.starts_with(['.', '…']) || LEFT_OUT.contains(&inner) {
        return AskedAbout::Omitted;
    }
    let option = text.get(..from).and_then(option_before);
    let by_words = || WORDS.iter().find(|(part, _)| lower.contains(part)).map(|(_, about)| *about);
    // `-n` and `-t` have other meanings in other programs.
    let found = match option {
        Some(AskedAbout::Count | AskedAbout::Time) => by_words().or(option),
        Some(_) => option,
        None => by_words(),
    };
    found.unwrap_or(AskedAbout::Other)
}

/// What the option before a value is about: `-A <`, `--account=<`, `-A<`.
fn option_before(head: &str) -> Option<AskedAbout> {
    let is_attached = head.ends_with(['=', ' ', '\t']);
    let last = head.trim_end_matches(['=', ' ', '\t', '"', '\'']).rsplit(char::is_whitespace).next()?;
    // A value may begin with other text: `--account=project_<number>`.
    let name = last.split('=').next()?;
    let whole = OPTIONS.iter().find(|(option, _)| *option == name).map(|(_, about)| *about);
    if is_attached || last.contains('=') {
        return whole;
    }
    whole.or_else(|| {
        OPTIONS
            .iter()
            .find(|(option, _)| option.len() == 2 && name.starts_with(option))
            .map(|(_, about)| *about)
    })
}

/// For each byte, whether it is within quotes.
fn quotes(text: &str) -> Vec<bool> {
    let mut open = None;
    text.bytes()
        .map(|c| {
            match (c, open) {
                (b'"' | b'\'', None) => open = Some(c),
                (_, Some(quote)) if quote == c => open = None,
                _ => {}
            }
            open.is_some()
        })
        .collect()
}

/// The words of a line with their first bytes.
fn placed(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).map(move |part| {
        let from = at;
        at += part.len();
        (from, part.trim_end())
    })
}

/// Values of options, and jobs, that can only be the author's: `--account=ACCOUNT`, `scancel 1234567`.
fn stand_ins(text: &str, found: &mut Vec<Ask>) {
    let mut add = |from: usize, to: usize, about: AskedAbout| {
        if from < to
            && found.len() < MAX_FOUND
            && !found.iter().any(|known| known.from < to && from < known.to)
        {
            found.push(Ask { from, to, about });
        }
    };
    let mut last: Option<&str> = None;
    for (from, word) in placed(text) {
        if word.is_empty() {
            continue;
        }
        let (head, value) = match word.split_once('=') {
            Some((name, value)) if word.starts_with('-') || is_of_jobs(name) => (Some(name), value),
            Some(_) | None => (last, word),
        };
        let start = from + word.len() - value.len();
        let ends = word.ends_with([';', '|', '&']);
        let value = value.trim_end_matches([';', '|', '&']);
        let option =
            head.and_then(|name| OPTIONS.iter().find(|(option, _)| *option == name)).map(|(_, about)| *about);
        let is_value = !value.starts_with('-');
        if is_value && (head.is_some_and(is_of_jobs) || option == Some(AskedAbout::Job)) {
            jobs(value, start, &mut add);
            // Several may follow.
            last = last.filter(|_| !ends);
            continue;
        }
        if let Some(about) = option.filter(|_| is_value && is_stand_in(value)) {
            add(start, start + value.len(), about);
        } else {
            dependencies(value, start, &mut add);
        }
        last = Some(word).filter(|_| !ends);
    }
}

fn is_of_jobs(word: &str) -> bool {
    OF_JOBS.contains(&word.to_ascii_lowercase().as_str())
}

/// Whether a value can only be a stand-in. `node[01-04]` is a list of nodes.
fn is_stand_in(value: &str) -> bool {
    let digits = value.split('[').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let balanced = value.matches('[').count() == value.matches(']').count();
    is_placeholder_value(value) && balanced && !digits && !value.starts_with(['$', '"', '\''])
}

/// The numbers and names of jobs in a list: `123,124`, `JOBID`, `123_4`.
fn jobs(list: &str, start: usize, add: &mut impl FnMut(usize, usize, AskedAbout)) {
    let mut from = start;
    for item in list.split(',') {
        let job = item.split(['_', '.', '[']).next().unwrap_or_default();
        if !job.is_empty() && job.bytes().all(|b| b.is_ascii_digit()) {
            add(from, from + job.len(), AskedAbout::Job);
        } else if is_job_name(item) {
            add(from, from + item.len(), AskedAbout::Job);
        }
        from += item.len() + 1;
    }
}

/// The jobs of `afterok:123:124,afterany:125`.
fn dependencies(value: &str, start: usize, add: &mut impl FnMut(usize, usize, AskedAbout)) {
    let mut from = start;
    for condition in value.split([',', '?']) {
        let mut at = from;
        let mut parts = condition.split(':');
        let word = parts.next().unwrap_or_default();
        at += word.len() + 1;
        let word = word.rsplit('=').next().unwrap_or_default();
        if AFTER.contains(&word) {
            for job in parts {
                jobs(job.split('+').next().unwrap_or_default(), at, add);
                at += job.len() + 1;
            }
        }
        from += condition.len() + 1;
    }
}

/// `JOBID`, `job_id`, `YOUR_JOB_ID`.
fn is_job_name(word: &str) -> bool {
    let compact = word.to_ascii_lowercase().replace(['_', '-'], "");
    ["jobid", "yourjobid", "myjobid", "jobnumber"].contains(&compact.as_str())
}

/// `JOBID` in a command that is not Slurm's: `cat slurm-JOBID.out`.
fn names_of_jobs(text: &str, found: &mut Vec<Ask>) {
    for name in ["JOBID", "JOB_ID"] {
        for (from, _) in text.match_indices(name) {
            let to = from + name.len();
            let edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || "_$%{".contains(c));
            let alone = edge(text.get(..from).and_then(|t| t.chars().next_back()))
                && edge(text.get(to..).and_then(|t| t.chars().next()));
            let assigned = text.get(to..).is_some_and(|rest| rest.starts_with('='));
            if alone
                && !assigned
                && found.len() < MAX_FOUND
                && !found.iter().any(|known| known.from < to && from < known.to)
            {
                found.push(Ask { from, to, about: AskedAbout::Job });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, asks: &[Ask]) -> Vec<String> {
        asks.iter().map(|ask| format!("{} {:?}", &text[ask.from..ask.to], ask.about)).collect()
    }

    #[test]
    fn what_a_command_asks_for() {
        let table: &[(&str, &[&str])] = &[
            ("sbatch -A <account> -p {{ queue }} job.sh", &["<account> Account", "{{ queue }} Partition"]),
            ("sbatch --account=project_200xxxx my_job.sh", &["project_200xxxx Account"]),
            ("sbatch --account=[budget code] job.sh", &["[budget code] Account"]),
            ("srun --time=[HH]:[mm]:[ss] ./prog", &["[HH]:[mm]:[ss] Time"]),
            ("id=$(sbatch --parsable -A <account> job.sh)", &["<account> Account"]),
            ("salloc -t [HH]::[mm]:[ss] --mem=8G", &["[HH]::[mm]:[ss] Time"]),
            ("srun --time=hh:mm:ss -n N ./prog", &["hh:mm:ss Time", "N Count"]),
            ("scancel $JOBID", &["$JOBID Job"]),
            ("scancel YOUR_JOB_ID", &["YOUR_JOB_ID Job"]),
            ("scancel 42 43; sleep 10", &["42 Job", "43 Job"]),
            ("sacct -j 42,43_1 --format=JobID,State", &["42 Job", "43 Job"]),
            ("sbatch --dependency=afterok:42:43 job.sh", &["42 Job", "43 Job"]),
            ("scontrol show job JOBID", &["JOBID Job"]),
            ("scontrol show job=123", &["123 Job"]),
            ("cat JOBID-step-* | grep Tesla", &["JOBID Job"]),
            ("squeue -u <username> -o JOBID", &["<username> User"]),
            ("sbatch ... job.sh", &["... Omitted"]),
            ("sbatch <options> job.sh", &["<options> Omitted"]),
            ("oc apply -n <project>; echo your turn", &["<project> Account"]),
            ("#SBATCH ....", &[".... Omitted"]),
            ("squeue --me -w node[01-04] -N 2 --array=1-3", &[]),
            ("squeue -u $USER; echo ${HOME} $(hostname) $SLURM_JOB_ID", &[]),
            ("./prog <in.txt >out.txt && python my_script.py", &[]),
            ("awk '{print}' f; for i in {1..3}; do echo ${i}; done", &[]),
            ("python -c \"print(a<b and c>d)\"; echo Working...", &[]),
            ("python your_script.py --data <path/to/data>", &["<path/to/data> Other"]),
        ];
        for (text, wanted) in table {
            assert_eq!(shown(text, &asks_of_command(text, &BTreeSet::new())), *wanted, "{text}");
        }
        assert_eq!(asks_of_command("scancel $jobid", &BTreeSet::from(["jobid".to_owned()])), []);
    }

    #[test]
    fn what_a_script_asks_for() {
        let text = "#!/bin/bash\n#SBATCH --account=<your account> # <b>\n#SBATCH ....\n# <comment>\nmodule load x\n...\n\
            python train.py <input> > out.txt\necho $JOBID my_dir $1\nawk '{print $1}' f\n";
        assert_eq!(
            shown(text, &asks_of_script(text)),
            ["<your account> Account", ".... Omitted", "... Omitted", "<input> Other"]
        );
    }
}
