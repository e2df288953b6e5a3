//! Options that the site's own guide prints but Slurm does not read as intended (`[[notes]]` of site.toml).
//! The editor offers a fix.

use super::Finding;
use base::lint::LintMessage;
use config::GuideNote;

/// Adds a finding for each mistake in the script; it replaces other findings at the same words.
pub(super) fn look(notes: &[GuideNote], text: &str, found: &mut Vec<Finding>) {
    for (line, row) in (1u32..).zip(text.lines()) {
        let prose = row.starts_with('#') && !row.starts_with("#SBATCH");
        for note in notes.iter().filter(|_| !prose) {
            let Some((from, to)) = find_text(note, row) else { continue };
            let overlaps = |f: &Finding| f.line == line && f.from < to && from < f.to;
            let error = found.iter().any(|f| overlaps(f) && f.error);
            found.retain(|f| !overlaps(f));
            let message = LintMessage::Guide(note.answers.clone());
            found.push(Finding { line, from, to, error, message, suggestion: note.write.clone() });
        }
    }
}

/// Where a line has the text that the guide prints, as whole words; `None` if it is already fixed or there is no
/// suggestion.
fn find_text(note: &GuideNote, row: &str) -> Option<(u32, u32)> {
    let write = note.write.as_ref()?;
    if write.contains(&note.prints) && row.contains(write) {
        return None;
    }
    let from = row.find(&note.prints)?;
    let to = from + note.prints.len();
    let goes_on = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let whole = !row.get(to..)?.starts_with(goes_on);
    whole.then_some((u32::try_from(from).ok()?, u32::try_from(to).ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::lint;
    use base::time::Time;
    use config::{Cluster, SiteInfo, sites};
    use slurmctld::Slurmctld;

    /// The text that a line of a script refers to on a site, and its replacement.
    fn offers(site: &str, line: &str) -> Vec<(String, Option<String>)> {
        let files = sites::built_in(site).unwrap_or_default();
        let mut state = Slurmctld::new(Cluster::parse(&files), Vec::new(), Time::default());
        state.policy = SiteInfo::parse(site, &files).0.policy;
        let script = format!("#!/bin/bash\n{line}\n");
        let at = |f: &super::Finding| {
            script.lines().nth(1).unwrap_or("")[f.from as usize..f.to as usize].to_owned()
        };
        lint(&state, &script).iter().map(|f| (at(f), f.suggestion.clone())).collect()
    }

    #[test]
    fn the_slips_of_the_guides() {
        for (site, line, message, write) in [
            ("iq", "#SBATCH --cpu-per-task=1", "--cpu-per-task", "--cpus-per-task"),
            ("iq", "#SBATCH -t [HH]::[mm]:[ss]", "[HH]::[mm]:[ss]", "01:00:00"),
            ("iq", "salloc -p c-iq -t [HH]::[mm]:[ss] --mem=8G", "[HH]::[mm]:[ss]", "01:00:00"),
            ("mila", "srun -n1 -l --multi-prog python script args1 &", "--multi-prog python", "python"),
            ("mila", "python3 my_script", "python3 my_script", "srun python3 my_script"),
            ("inserm", "#SBATCH --partition=debug", "--partition=debug", "--partition=CPU-4"),
            ("inserm", "#SBATCH --partition=cpu", "--partition=cpu", "--partition=CPU-16"),
            (
                "inserm",
                "python analyse.py data_{$SLURM_ARRAY_TASK_ID}.csv",
                "data_{$SLURM_ARRAY_TASK_ID}",
                "data_${SLURM_ARRAY_TASK_ID}",
            ),
        ] {
            assert_eq!(offers(site, line), [(message.to_owned(), Some(write.to_owned()))], "{site}: {line}");
        }
        for (site, line) in [
            ("mila", "srun python3 my_script.py"),
            ("mila", "srun -l --multi-prog silly.conf"),
            ("inserm", "#SBATCH --partition=CPU-16"),
            ("iq", "# --cpu-per-task is no option"),
        ] {
            assert_eq!(offers(site, line), [], "{site}: {line}");
        }
    }
}
