//! Cells as jobs on another cluster: a file for each result, the missing cells, and the scripts that run them.
//!
//! A result's file is named after its cell and the study's fingerprint, the hash of plan, sites, traces, seed and
//! build. Its first line repeats the fingerprint, so renaming a result of another plan does not get it into a report.

use super::cell::CellResult;
use super::study::ComparisonStudy;
use std::fmt::Write as _;

/// The start of a result's first line.
const MAGIC: &str = "sandbatch-cell 1";
/// The file name extension of results.
pub const ENDING: &str = ".cell";

/// A way to run all cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named after the programs")]
pub enum SweepScript {
    Sbatch,
    Parallel,
    Snakemake,
}

/// The name of the file of a cell's result. Cells are numbered from 1.
#[must_use]
pub fn file_name(study: &ComparisonStudy, number: usize) -> String {
    format!("{number}-{:016x}{ENDING}", study.fingerprint())
}

fn first_line(study: &ComparisonStudy, number: usize) -> String {
    format!("{MAGIC} {:016x} {number} {}\n", study.fingerprint(), study.cells())
}

/// A result as a file.
///
/// # Errors
/// It cannot be serialised.
pub fn encode(study: &ComparisonStudy, number: usize, result: &CellResult) -> Result<Vec<u8>, String> {
    let body = postcard::to_allocvec(result).map_err(|e| e.to_string())?;
    Ok([first_line(study, number).into_bytes(), body].concat())
}

/// Reads a file of a result: the cell's number and the result.
///
/// # Errors It belongs to another plan, site, trace, seed or build, or is damaged.
pub fn decode(study: &ComparisonStudy, bytes: &[u8]) -> Result<(usize, CellResult), String> {
    let damaged = || "it is no whole result".to_owned();
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let text = std::str::from_utf8(line).map_err(|_| damaged())?;
    let mut words = text.strip_prefix(MAGIC).ok_or_else(damaged)?.split_whitespace();
    if words.next() != Some(format!("{:016x}", study.fingerprint()).as_str()) {
        return Err("it is a result of another plan, site, trace, seed or build".to_owned());
    }
    let number = words.next().and_then(|n| n.parse().ok()).unwrap_or(0);
    if !(1..=study.cells()).contains(&number) {
        return Err(damaged());
    }
    let (result, rest) =
        postcard::take_from_bytes::<CellResult>(bytes.get(line.len() + 1..).unwrap_or_default())
            .map_err(|_| damaged())?;
    if !rest.is_empty() || result.cell != study.cell(number - 1) {
        return Err(damaged());
    }
    Ok((number, result))
}

/// Numbers as an array specification: `3,7,12-40`.
#[must_use]
pub fn array_spec(numbers: &[usize]) -> String {
    let mut out = String::new();
    let mut rest = numbers;
    while let Some(first) = rest.first() {
        let run = rest.iter().zip(*first..).take_while(|(n, expected)| *n == expected).count();
        let last = first + run - 1;
        let comma = if out.is_empty() { "" } else { "," };
        let _ = match last - first {
            0 => write!(out, "{comma}{first}"),
            1 => write!(out, "{comma}{first},{last}"),
            _ => write!(out, "{comma}{first}-{last}"),
        };
        rest = &rest[run..];
    }
    out
}

/// A word quoted for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The script that runs these cells. `plan` and `results` are paths.
#[must_use]
pub fn script(
    study: &ComparisonStudy,
    kind: SweepScript,
    plan: &str,
    results: &str,
    numbers: &[usize],
) -> String {
    let command = format!("sandbatch sweep {} --results {} --quiet --task", quoted(plan), quoted(results));
    match kind {
        SweepScript::Sbatch => {
            let largest = numbers.last().copied().unwrap_or(0);
            let spec = array_spec(numbers);
            format!(
                "#!/bin/bash\n#SBATCH --job-name=sandbatch-sweep\n#SBATCH --array={spec}\n#SBATCH --cpus-per-task=1\n\
                 #SBATCH --output=sweep-%a.log\n# {largest} must be less than MaxArraySize (scontrol show config).\n\
                 exec {command} \"$SLURM_ARRAY_TASK_ID\"\n"
            )
        }
        SweepScript::Parallel => {
            let list: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!("parallel {command} {{}} ::: {}\n", list.join(" "))
        }
        SweepScript::Snakemake => {
            let path = format!("{results}/{{n}}-{:016x}{ENDING}", study.fingerprint());
            let list: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            let command = command.replace('{', "{{").replace('}', "}}");
            format!(
                "rule all:\n    input: expand({path:?}, n=[{}])\n\nrule cell:\n    output: {path:?}\n    shell: \
                 {:?}\n",
                list.join(", "),
                format!("{command} {{wildcards.n}}")
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications() {
        assert_eq!(array_spec(&[3, 7, 12, 13, 14, 20, 21]), "3,7,12-14,20,21");
        assert_eq!((array_spec(&[]), array_spec(&[1])), (String::new(), "1".to_owned()));
    }
}
