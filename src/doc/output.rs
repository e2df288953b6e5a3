//! Output as Slurm prints it, and sentences that announce output.

/// Column titles with small letters: `sacct`, `sshare`, `sacctmgr`, `sreport`.
const TITLES: &[&str] = &[
    "account",
    "alloccpus",
    "allocnodes",
    "alloctres",
    "cluster",
    "effectvusage",
    "elapsed",
    "end",
    "exitcode",
    "fairshare",
    "grptres",
    "jobid",
    "jobidraw",
    "jobname",
    "levelfs",
    "login",
    "maxrss",
    "nodelist",
    "normshares",
    "normusage",
    "partition",
    "qos",
    "rawshares",
    "rawusage",
    "reqcpus",
    "reqmem",
    "share",
    "start",
    "state",
    "submit",
    "timelimit",
    "totalcpu",
    "used",
    "user",
];

/// Column titles in capitals of `squeue`, `sinfo`, `sprio`, `sstat`.
const CAPITALS: &[&str] = &[
    "ACCOUNT",
    "AVAIL",
    "CPUS",
    "GRES",
    "HOSTNAMES",
    "JOBID",
    "NAME",
    "NODELIST",
    "NODELIST(REASON)",
    "NODES",
    "PARTITION",
    "PRIORITY",
    "QOS",
    "REASON",
    "STATE",
    "STEPID",
    "TIMELIMIT",
    "USER",
];

/// First keys of records: `scontrol show`, `seff`.
const RECORDS: &[&str] = &[
    "JobId=",
    "NodeName=",
    "PartitionName=",
    "ReservationName=",
    "StepId=",
    "Job ID: ",
    "Array Job ID: ",
    "User/Group: ",
];

/// Ends of sentences that announce output, in lower case.
const ENDS: &[&str] = &[
    "output",
    "output is",
    "output looks like",
    "output like this",
    "output will be",
    "output should be",
    "prints",
    "will print",
    "returns",
    "will return",
    "displays",
    "looks like",
    "look like this",
    "looks like this",
    "you should see",
    "you will see",
    "sortie",
    "affiche",
    "affichera",
    "renvoie",
    "renverra",
    "résultat",
    "ressemble à",
];

/// Beginnings of sentences that announce output, in lower case.
const STARTS: &[&str] =
    &["example output", "sample output", "expected output", "output", "exemple de sortie", "sortie"];

/// The length of a rule between titles and rows.
const RULE: usize = 8;

/// Whether a line begins a table or record of one of Slurm's commands.
pub fn begins_table(line: &str) -> bool {
    let bare = line.trim();
    if RECORDS.iter().any(|key| bare.starts_with(key)) {
        return true;
    }
    let words: Vec<&str> =
        bare.split(|c: char| c.is_whitespace() || c == '|').filter(|w| !w.is_empty()).collect();
    let small = |word: &str| TITLES.contains(&word.to_ascii_lowercase().as_str());
    let capital = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "_()/:%#.-".contains(c))
    };
    let capitals = words.len() > 1 && words.iter().all(capital) && words.iter().any(|w| CAPITALS.contains(w));
    // At least one is capitalised: `user start end` may be a sentence.
    let titled = || words.iter().any(|w| w.starts_with(|c: char| c.is_ascii_uppercase()));
    capitals || words.len() > 1 && words.iter().all(|w| small(w)) && titled()
}

/// Whether a line is a rule between titles and rows: `------- ------`.
pub fn is_rule(line: &str) -> bool {
    let bare = line.trim();
    bare.len() >= RULE && bare.chars().all(|c| "-=+| ".contains(c)) && bare.contains(['-', '='])
}

/// Whether the sentence before a block announces output: `Example output:`.
pub fn is_announced(before: &str) -> bool {
    let bare = before.trim().trim_end_matches([':', '.', ' ', '*', '_', '`', '\u{a0}']).to_lowercase();
    let sentence =
        bare.rsplit(['.', ':', '!', '?']).next().unwrap_or_default().trim_start_matches(['*', '_', ' ']);
    let word = |start: &&&str| {
        sentence.strip_prefix(**start).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    let end = |end: &&&str| {
        sentence.strip_suffix(**end).is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric()))
    };
    // `To see the output` announces a command.
    let told = ["to see", "to get", "to show", "pour voir", "pour afficher"]
        .iter()
        .any(|ask| sentence.starts_with(ask));
    !told
        && (STARTS.iter().any(|s| word(&s)) && sentence.split_whitespace().count() <= 6
            || ENDS.iter().any(|e| end(&e)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_records() {
        for line in [
            "             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)",
            "PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST",
            "JobID           JobName  Partition    Account  AllocCPUS      State ExitCode",
            "Account|User|RawShares|NormShares",
            "JobId=12 JobName=hello",
            "Job ID: 42",
        ] {
            assert!(begins_table(line), "{line}");
        }
        for line in [
            "squeue --me",
            "make -j 4",
            "A=1 B=2 ./run",
            "FOO BAR",
            "user start end",
            "EOF",
            "",
            "srun ./A B",
        ] {
            assert!(!begins_table(line), "{line}");
        }
        assert!(is_rule("------------ ---------- ------"));
        assert!(!is_rule("--dependency"));
    }

    #[test]
    fn sentences_before_output() {
        for text in [
            "Example output:",
            "**Output**",
            "Exemple de sortie :",
            "The command prints:",
            "Run it. This returns:",
        ] {
            assert!(is_announced(text), "{text}");
        }
        for text in [
            "Submit it:",
            "To see the output:",
            "Write the output to a file, and submit it:",
            "",
            "Outputs of jobs",
        ] {
            assert!(!is_announced(text), "{text}");
        }
    }
}
