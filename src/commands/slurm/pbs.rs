//! `#PBS` and `#BSUB` lines of a batch script: what sbatch(1) makes of the options of PBS and LSF.
//!
//! Each option becomes a word of sbatch. Options and resources without a counterpart are left out, as a real sbatch does (22.05). The
//! lines count anywhere in the script, after `#SBATCH` and before the environment; those of LSF come last.

use super::opt::Bad;
use super::opt::script::words;

/// The meaning of an option.
#[derive(Clone, Copy)]
enum OptionMeaning {
    /// The option of sbatch with this name.
    Same(&'static str),
    /// An option of sbatch without an argument.
    Flag(&'static str),
    /// `-l` of PBS: a list of resources.
    Resources,
    /// `-m` of PBS: letters for the kinds of mail.
    Mail,
    /// `-M` of LSF: KiB for each CPU.
    Memory,
    /// `-W` of PBS: `depend=`.
    Attributes,
    /// Left out, with its argument.
    Skipped,
    /// Left out; it has no argument.
    Nothing,
}

use OptionMeaning::{Attributes, Flag, Mail, Memory, Nothing, Resources, Same, Skipped};

/// A system's magic word, its options of one letter, and its one long option.
struct System {
    magic: &'static str,
    letters: &'static [(char, OptionMeaning)],
    long: &'static str,
}

const SYSTEMS: [System; 2] = [
    System {
        magic: "#PBS",
        letters: &[
            ('a', Same("begin")),
            ('A', Same("account")),
            ('c', Skipped),
            ('C', Skipped),
            ('e', Same("error")),
            ('h', Flag("hold")),
            ('I', Nothing),
            ('j', Skipped),
            ('J', Same("array")),
            ('k', Skipped),
            ('l', Resources),
            ('m', Mail),
            ('M', Same("mail-user")),
            ('N', Same("job-name")),
            ('o', Same("output")),
            ('p', Same("nice")),
            ('q', Same("partition")),
            ('r', Skipped),
            ('S', Skipped),
            ('t', Same("array")),
            ('u', Skipped),
            ('v', Same("export")),
            ('V', Nothing),
            ('W', Attributes),
            ('z', Nothing),
        ],
        long: "",
    },
    System {
        magic: "#BSUB",
        letters: &[
            ('c', Same("chdir")),
            ('e', Same("error")),
            ('J', Same("job-name")),
            ('m', Same("nodelist")),
            ('M', Memory),
            ('n', Same("ntasks")),
            ('o', Same("output")),
            ('q', Same("partition")),
            ('W', Same("time")),
            ('x', Flag("exclusive")),
        ],
        long: "-cwd",
    },
];

/// What `-l` of PBS names, and the option of sbatch.
const RESOURCES: &[(&str, &str)] = &[
    ("cput", "time"),
    ("file", "tmp"),
    ("mem", "mem"),
    ("mpiprocs", "ntasks-per-node"),
    ("mppnodes", "nodelist"),
    ("ncpus", "mincpus"),
    ("nice", "nice"),
    ("proc", "constraint"),
    ("walltime", "time"),
];

/// sbatch's command line for a script's `#PBS` and `#BSUB` lines.
///
/// # Errors
/// The first word that is no option, or an option without its argument.
pub fn argv(script: &[u8]) -> Result<Vec<String>, Bad> {
    let text = String::from_utf8_lossy(script);
    let mut argv = vec!["sbatch".to_owned()];
    for system in &SYSTEMS {
        for rest in text.lines().filter_map(|line| line.strip_prefix(system.magic)) {
            system.translate(&words(rest), &mut argv)?;
        }
    }
    Ok(argv)
}

/// getopt's message, and sbatch's below it.
fn unknown(text: String) -> Bad {
    let after = "sbatch: error: Unrecognized command line parameter ?".to_owned();
    Bad { level: "", after: Some(after), ..Bad::error(text).with_exit(1) }
}

impl System {
    /// Reads a line as getopt does: letters in a row, an argument attached or in the next word.
    fn translate(&self, words: &[String], argv: &mut Vec<String>) -> Result<(), Bad> {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            if word == self.long {
                argv.extend(words.next().map(|value| format!("--chdir={value}")));
                continue;
            }
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                return Err(Bad::error(format!("Invalid argument: {word}")).with_exit(1));
            };
            for (at, letter) in letters.char_indices() {
                let known = self.letters.iter().find(|(known, _)| *known == letter);
                let (_, meaning) = known.ok_or_else(|| unknown(format!("invalid option -- '{letter}'")))?;
                match meaning {
                    Nothing => {}
                    Flag(name) => argv.push(format!("--{name}")),
                    Same(_) | Resources | Mail | Memory | Attributes | Skipped => {
                        let attached = &letters[at + letter.len_utf8()..];
                        let value = if attached.is_empty() {
                            words.next().map(String::as_str)
                        } else {
                            Some(attached)
                        };
                        let missing = || unknown(format!("option requires an argument -- '{letter}'"));
                        argument(*meaning, value.ok_or_else(missing)?, argv);
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

fn argument(meaning: OptionMeaning, value: &str, argv: &mut Vec<String>) {
    let mut put = |name: &str, value: &str| argv.push(format!("--{name}={value}"));
    match meaning {
        Nothing | Skipped | Flag(_) => {}
        Same("nodelist") => put("nodelist", &value.replace(' ', ",")),
        Same(name) => put(name, value),
        Memory => put("mem-per-cpu", &format!("{value}K")),
        Mail => {
            let kinds = [('a', "FAIL"), ('b', "BEGIN"), ('e', "END"), ('n', "NONE")];
            let named = kinds.iter().filter(|(letter, _)| value.contains(*letter)).map(|(_, name)| *name);
            let named: Vec<&str> = named.collect();
            if !named.is_empty() {
                put("mail-type", &named.join(","));
            }
        }
        Attributes => {
            if let Some(list) = value.strip_prefix("depend=") {
                put("dependency", list);
            }
        }
        Resources => value.split(',').for_each(|resource| one_resource(resource, argv)),
    }
}

/// `nodes=2:ppn=4`, `walltime=1:00:00`, `select=2:ncpus=4:mem=2gb`.
fn one_resource(resource: &str, argv: &mut Vec<String>) {
    let (name, value) = resource.split_once('=').unwrap_or((resource, ""));
    let mut put = |name: &str, value: &str| argv.push(format!("--{name}={value}"));
    match name {
        "nodes" => nodes(value, argv),
        "select" => {
            let (count, chunk) = value.split_once(':').unwrap_or((value, ""));
            put("nodes", count);
            chunk.split(':').for_each(|resource| one_resource(resource, argv));
        }
        "accelerator" => put("gres", "gpu:1"),
        "naccelerators" => put("gres", &format!("gpu:{value}")),
        _ => {
            if let Some((_, option)) = RESOURCES.iter().find(|(known, _)| *known == name) {
                put(option, value);
            }
        }
    }
}

/// `2:ppn=4:gpus=1`, `cn01+cn02`: counts and names of nodes, each with what it needs.
fn nodes(text: &str, argv: &mut Vec<String>) {
    let (mut count, mut tasks, mut names) = (0_u32, 0_u32, Vec::new());
    for part in text.split(['+', ':']) {
        if let Some(each) = part.strip_prefix("ppn=") {
            tasks = tasks.max(each.parse().unwrap_or(0));
        } else if let Some(gpus) = part.strip_prefix("gpus=") {
            argv.push(format!("--gres=gpu:{gpus}"));
        } else if let Ok(more) = part.parse::<u32>() {
            count = count.saturating_add(more);
        } else if !part.is_empty() {
            names.push(part);
        }
    }
    if count > 0 {
        argv.push(format!("--nodes={count}"));
    }
    if tasks > 0 {
        let nodes = count.max(u32::try_from(names.len()).unwrap_or(1));
        argv.push(format!("--ntasks={}", nodes.saturating_mul(tasks)));
    }
    if !names.is_empty() {
        argv.push(format!("--nodelist={}", names.join(",")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of sbatch for one line.
    fn words(line: &str) -> String {
        match argv(format!("#!/bin/bash\n{line}\ntrue\n").as_bytes()) {
            Ok(argv) => argv[1..].join(" "),
            Err(bad) => bad.lines("sbatch"),
        }
    }

    /// As a real 22.05 read these lines.
    #[test]
    fn options_of_other_systems() {
        for (line, asked) in [
            ("#PBS -N name -q gpu", "--job-name=name --partition=gpu"),
            ("#PBS-Nname", "--job-name=name"),
            (
                "#PBS -l nodes=2:ppn=4,walltime=1:00:00,mem=2gb",
                "--nodes=2 --ntasks=8 --time=1:00:00 --mem=2gb",
            ),
            ("#PBS -l nodes=cn01+cn02", "--nodelist=cn01,cn02"),
            ("#PBS -l nodes=1:ppn=2:gpus=1", "--gres=gpu:1 --nodes=1 --ntasks=2"),
            ("#PBS -l select=2:ncpus=4:mem=2gb", "--nodes=2 --mincpus=4 --mem=2gb"),
            ("#PBS -l vmem=1gb,bogus=1", ""),
            ("#PBS -m abe", "--mail-type=FAIL,BEGIN,END"),
            ("#PBS -j oe -V -r y -W umask=022", ""),
            ("#PBS -W depend=afterok:1 # comment", "--dependency=afterok:1"),
            ("#PBS -h -p 10", "--hold --nice=10"),
            ("#BSUB -M 1000 -W 30 -n 4", "--mem-per-cpu=1000K --time=30 --ntasks=4"),
            ("#BSUB -cwd /tmp -x", "--chdir=/tmp --exclusive"),
            ("#BSUB -m \"cn01 cn02\"", "--nodelist=cn01,cn02"),
            ("true\n#PBS -N late", "--job-name=late"),
            ("#BSUB -J lsf\n#PBS -N pbs", "--job-name=pbs --job-name=lsf"),
            (" #PBS -N x", ""),
        ] {
            assert_eq!(words(line), asked, "{line}");
        }
        let unknown = "sbatch: error: Unrecognized command line parameter ?\n";
        assert_eq!(words("#PBS -X"), format!("sbatch: invalid option -- 'X'\n{unknown}"));
        assert_eq!(words("#PBS -N"), format!("sbatch: option requires an argument -- 'N'\n{unknown}"));
        assert_eq!(words("#PBS bogus"), "sbatch: error: Invalid argument: bogus\n");
    }
}
