//! Files opened by the user: a site, a moment, a lesson, or results. Their type is recognised by content.

use super::results;
use base::front;
use protocol::OWN_SITE;

/// First line of a moment's file. The second line is the address without the page.
const MOMENT: &str = "sandbatch moment 1";

/// Opened files by type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Brought {
    /// A site's files, including `slurm.conf`.
    Site(Vec<(String, String)>),
    /// A moment: the query and fragment of its address.
    Moment(String),
    /// A lesson's text.
    Lesson(String),
    /// Texts of results.
    Results(Vec<String>),
    /// None of these.
    Unknown,
}

/// Recognises the type of these files.
#[must_use]
pub fn sort_out(files: Vec<(String, String)>) -> Brought {
    let conf = |name: &str| name == "slurm.conf" || name.ends_with("/slurm.conf");
    if files.iter().any(|(name, _)| conf(name)) {
        return Brought::Site(files);
    }
    if let Some(query) = files.iter().find_map(|(_, text)| query(text)) {
        return Brought::Moment(query.to_owned());
    }
    let (outcomes, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, text)| results::is_one(text));
    if !outcomes.is_empty() {
        return Brought::Results(outcomes.into_iter().map(|(_, text)| text).collect());
    }
    if let Some((_, text)) = others.iter().find(|(_, text)| front::value(text, "site").is_some()) {
        return Brought::Lesson(text.clone());
    }
    // A single file with another name is a slurm.conf if it defines nodes.
    let nodes =
        |text: &str| text.lines().any(|line| line.trim_start().to_ascii_lowercase().starts_with("nodename="));
    match <[(String, String); 1]>::try_from(others) {
        Ok([(_, text)]) if nodes(&text) => Brought::Site(vec![("slurm.conf".to_owned(), text)]),
        Ok(_) | Err(_) => Brought::Unknown,
    }
}

/// A name for an imported site that is not taken: letters, digits, `_` and `-`.
#[must_use]
pub fn free_name(name: &str, taken: &[String]) -> String {
    let plain: String =
        name.chars().filter(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).take(40).collect();
    let plain = if plain.is_empty() { "site" } else { &plain };
    let first = format!("{OWN_SITE}{plain}");
    let others = (2_u32..).map(|n| format!("{OWN_SITE}{plain}-{n}"));
    let free = std::iter::once(first.clone()).chain(others).find(|name| !taken.contains(name));
    free.unwrap_or(first)
}

/// The text of a moment's file.
#[must_use]
pub fn moment_file(query: &str) -> String {
    format!("{MOMENT}\n{query}\n")
}

fn query(text: &str) -> Option<&str> {
    let (first, rest) = text.split_once('\n')?;
    let query = rest.trim();
    (first.trim() == MOMENT && query.starts_with('?')).then_some(query)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brought(files: &[(&str, &str)]) -> Brought {
        sort_out(files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
    }

    #[test]
    fn an_imported_site_gets_a_free_name() {
        assert_eq!(free_name("my cluster/2", &[]), "own-mycluster2");
        assert_eq!(free_name("../é", &[]), "own-site");
        let taken = ["own-a".to_owned(), "own-a-2".to_owned()];
        assert_eq!(free_name("a", &taken), "own-a-3");
    }

    #[test]
    fn types_are_recognised_by_content() {
        let site = brought(&[("cl/slurm.conf", "ClusterName=x"), ("cl/gres.conf", "")]);
        assert!(matches!(site, Brought::Site(files) if files.len() == 2));
        let site = brought(&[("my.conf", "# x\n NodeName=a CPUs=1\n")]);
        assert!(matches!(site, Brought::Site(files) if files[0].0 == "slurm.conf"));
        assert_eq!(
            brought(&[("m.txt", &moment_file("?site=lab#s=AA"))]),
            Brought::Moment("?site=lab#s=AA".into())
        );
        let lesson = "---\ntitle: x\nsite: lab\n---\n";
        assert_eq!(brought(&[("x.md", lesson)]), Brought::Lesson(lesson.into()));
        for none in ["", "x", "sandbatch moment 1\njavascript:alert(1)", "sandbatch moment 1", "NodeName"] {
            assert_eq!(brought(&[("x", none)]), Brought::Unknown, "{none:?}");
        }
        assert_eq!(brought(&[]), Brought::Unknown);
        assert_eq!(brought(&[("a.conf", "NodeName=a"), ("b.conf", "NodeName=b")]), Brought::Unknown);
    }
}
