//! Slips of the keyboard that no value of a placeholder mends, and values that only the reader knows.

use super::finding::BlockVerdict;
use super::options::UsedOption;
use super::requests::RowFinding;
use super::site::DocSite;
use doc::words::ShellWord;

/// Options whose value is the reader's own.
const PERSONAL: &[&str] = &["-A", "--account", "-J", "--job-name", "--mail-user"];

/// Whether a short option's value begins with what belongs to another way of writing it: `-c=4`, `-cpus-per-task=N`.
pub fn is_glued(option: &UsedOption) -> bool {
    let short = option.written.starts_with('-') && !option.written.starts_with("--");
    short && !option.written.contains(' ') && option.value.as_deref().is_some_and(|value| value.contains('='))
}

/// The word that ends the here-document of a line: `EOF` after `cat > job.sh <<'EOF'`.
pub fn heredoc(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("<<").filter(|(_, rest)| !rest.starts_with('<'))?;
    let rest = rest.trim_start_matches('-').trim_start();
    let end: String = rest
        .chars()
        .filter(|c| !"'\"\\".contains(*c))
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    end.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some(end)
}

/// Whether a `#SBATCH` line leaves a personal value to the reader: `#SBATCH --account`.
pub fn is_blank(option: &UsedOption) -> bool {
    let name = option.written.trim_end_matches('=');
    option.bad.as_deref().is_some_and(|text| text.contains("requires an argument"))
        && PERSONAL.contains(&name)
}

/// A word that begins with a dash where an option needs a hyphen: `–u`, `—mem`.
pub fn dash(name: &str, words: &[ShellWord], row: &dyn Fn(usize) -> usize) -> Option<RowFinding> {
    let word = words.iter().skip(1).find(|word| {
        let rest = word.text.trim_start_matches(['–', '—']);
        rest.len() < word.text.len() && rest.starts_with(|c: char| c.is_ascii_alphabetic())
    })?;
    let message = format!("{name}: {} is no option: it begins with a dash, not with a hyphen", word.text);
    Some(RowFinding::new(row(word.from), BlockVerdict::Refused, message, &word.text))
}

/// What to say about a GRES type that the site's nodes do not have.
pub fn other_type(site: &DocSite, option: &UsedOption, value: &str) -> Option<String> {
    let is_gres = option.name == "gres" || option.name.starts_with("gpus");
    let part = is_gres.then(|| value.split(',').next()).flatten()?;
    let part = part.strip_prefix("gres/").unwrap_or(part).strip_prefix("gpu:").unwrap_or(part);
    let asked = part.split([':', '=']).next().filter(|name| name.starts_with(|c: char| c.is_alphabetic()))?;
    let mut types: Vec<&str> = site
        .state()
        .nodes
        .iter()
        .flat_map(|n| &n.conf.gres)
        .filter_map(|gres| gres.kind.as_deref())
        .collect();
    types.sort_unstable();
    types.dedup();
    if asked == "gpu" || types.is_empty() || types.contains(&asked) {
        return None;
    }
    match types.iter().find(|known| known.eq_ignore_ascii_case(asked)) {
        Some(known) => {
            Some(format!("{} has {known}, and Slurm distinguishes upper and lower case", site.name))
        }
        None => Some(format!("{} has {}", site.name, types.join(", "))),
    }
}
