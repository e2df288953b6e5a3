//! What is certain about the output of a script: only programs that print the same on every cluster, and only variables
//! with values that the example determines.

use doc::words;
use std::collections::BTreeSet;

/// Programs and words of the shell whose output depends on their arguments, their input and names of the site only.
const PROGRAMS: &[&str] = &[
    "[", "[[", "basename", "bash", "break", "case", "cat", "cd", "chmod", "continue", "cut", "declare",
    "dirname", "do", "done", "echo", "elif", "else", "esac", "exit", "export", "expr", "false", "fi", "for",
    "function", "grep", "head", "hostname", "if", "in", "let", "local", "mkdir", "mv", "paste", "printf",
    "pwd", "read", "rev", "rm", "sbatch", "sed", "select", "seq", "set", "shift", "sleep", "sort", "srun",
    "tail", "test", "then", "touch", "tr", "true", "uniq", "until", "wait", "wc", "while", "whoami", "{",
    "}", "cp", ":", "return", "((",
];

/// Variables with values from the request, and variables with names of the site, which are never compared.
const VARIABLES: &[&str] = &[
    "HOME",
    "HOSTNAME",
    "PWD",
    "SLURMD_NODENAME",
    "SLURM_ARRAY_JOB_ID",
    "SLURM_ARRAY_TASK_COUNT",
    "SLURM_ARRAY_TASK_ID",
    "SLURM_ARRAY_TASK_MAX",
    "SLURM_ARRAY_TASK_MIN",
    "SLURM_ARRAY_TASK_STEP",
    "SLURM_CLUSTER_NAME",
    "SLURM_CPUS_PER_TASK",
    "SLURM_JOBID",
    "SLURM_JOB_ACCOUNT",
    "SLURM_JOB_ID",
    "SLURM_JOB_NAME",
    "SLURM_JOB_NODELIST",
    "SLURM_JOB_NUM_NODES",
    "SLURM_JOB_PARTITION",
    "SLURM_JOB_USER",
    "SLURM_LOCALID",
    "SLURM_NNODES",
    "SLURM_NODEID",
    "SLURM_NODELIST",
    "SLURM_NPROCS",
    "SLURM_NTASKS",
    "SLURM_NTASKS_PER_NODE",
    "SLURM_PROCID",
    "SLURM_SUBMIT_DIR",
    "SLURM_SUBMIT_HOST",
    "USER",
];

/// Why the output of a script or command line cannot be compared; none if it can.
pub fn doubt(text: &str) -> Option<String> {
    // A command that goes on in the next line is one line.
    let text = &text.replace("\\\n", " ");
    let mut assigned: BTreeSet<&str> = BTreeSet::new();
    for line in text.lines() {
        let names =
            |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        assigned.extend(
            line.split([' ', '\t', ';', '(']).filter_map(|w| w.split_once('=')).map(|(n, _)| n).filter(names),
        );
        let mut words = line.split_whitespace().skip_while(|w| !matches!(*w, "for" | "read"));
        if words.next().is_some() {
            assigned.extend(words.map(|w| w.trim_end_matches(';')).filter(names));
        }
    }
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        if line.contains('`') {
            return Some("it uses backquotes".to_owned());
        }
        for name in programs(line) {
            let name = name.trim_start_matches('(');
            if !(PROGRAMS.contains(&name) || name.is_empty() || name.starts_with("./") && text.contains("<<"))
            {
                return Some(format!("{name} may print something else there"));
            }
        }
        let unknown = variables(line).into_iter().find(|n| !assigned.contains(n) && !VARIABLES.contains(n));
        if let Some(name) = unknown {
            return Some(format!("it depends on ${name}"));
        }
    }
    None
}

/// The programs that a line runs, also through `srun`, `$(...)` and words such as `then`.
fn programs(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for words in words::commands(line) {
        let Some(mut at) = doc::command_name(&words) else { continue };
        if let Some(word) = words.get(at) {
            found.push(word.text.clone());
            if word.text == "srun" {
                at += 1 + words.iter().skip(at + 1).take_while(|w| w.text.starts_with('-')).count();
                // An option may have its argument in the next word: then the next word but one is the program.
                let rest = words.get(at..).unwrap_or_default();
                found.extend(rest.iter().find(|w| w.text.parse::<f64>().is_err()).map(|w| w.text.clone()));
            }
        }
    }
    for (at, _) in line.match_indices("$(").filter(|(at, _)| line.get(at + 2..at + 3) != Some("(")) {
        found.extend(words::commands(line.get(at + 2..).unwrap_or_default()).first().and_then(|words| {
            words.get(doc::command_name(words)?).map(|w| w.text.trim_end_matches(')').to_owned())
        }));
    }
    found
}

/// Names after `$` and `${`. Digits and special parameters are arguments, which the example shows.
fn variables(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, _) in line.match_indices('$') {
        let rest = line.get(at + 1..).unwrap_or_default();
        let rest = rest.strip_prefix('{').unwrap_or(rest).trim_start_matches(['#', '!']);
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let name = rest.get(..end).unwrap_or_default();
        if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            found.push(name);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::doubt;

    #[test]
    fn programs_and_variables() {
        for text in [
            "#!/bin/bash\n# python\necho \"Hello\"\nsrun hostname\n",
            "for i in 1 2; do echo $i; done\nX=$(echo a | tr a b)\necho $X ${SLURM_NTASKS} $1\n",
            "srun -n 4 echo hi && sleep 30\n",
            "if [ -f a ]; then cat a; fi\n",
        ] {
            assert_eq!(doubt(text), None, "{text}");
        }
        for (text, wanted) in [
            ("echo a\npython x.py\n", "python may print something else there"),
            ("srun -n 4 ./a.out\n", "./a.out may print something else there"),
            ("echo $(date)\n", "date may print something else there"),
            ("echo $SCRATCH\n", "it depends on $SCRATCH"),
            ("echo $SLURM_CPUS_ON_NODE\n", "it depends on $SLURM_CPUS_ON_NODE"),
            ("echo `date`\n", "it uses backquotes"),
        ] {
            assert_eq!(doubt(text).as_deref(), Some(wanted), "{text}");
        }
    }
}
