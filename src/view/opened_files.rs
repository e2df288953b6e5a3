//! Files opened by the user: a site, a moment, a session, a lesson, or results. Their type is recognised by content.

use super::address::BASE64;
use super::recovery::Recovery;
use super::results;
use base::front;
use base64::Engine as _;
use protocol::OWN_SITE;

/// First line of a moment's file. The second line is the address without the page.
const MOMENT: &str = "sandbatch moment 1";

/// First line of a session's file. `key: value` lines follow; those that a reader does not know are ignored.
const SESSION: &str = "sandbatch session 1";
/// First bytes of a saved session.
const SAVED: &[u8] = b"sandbatc";
/// The first format of saved sessions in sections: the site's name is behind the first section's header.
const SECTIONS: u32 = 11;
/// First line of an archive's text ([`text_of_archive`]).
const ARCHIVE: &str = "sandbatch archive";
/// Maximum length of a name or number in a session's file.
const MAX_VALUE: usize = 64;

/// A session as a file: what the page stores of it, and how it began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFile {
    /// The site's name; empty if the file does not tell.
    pub site: String,
    /// The seed in the page's address; empty: none.
    pub seed: String,
    /// The amount of background jobs; empty if the file does not tell.
    pub background: String,
    /// The inputs since the last save ([`Recovery::to_bytes`]).
    pub journal: Vec<u8>,
    /// The last saved bytes.
    pub state: Option<Vec<u8>>,
}

/// Opened files by type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedFiles {
    /// A site's files, including `slurm.conf`.
    Site(Vec<(String, String)>),
    /// A moment: the query and fragment of its address.
    Moment(String),
    /// A session.
    Session(Box<SessionFile>),
    /// A lesson's text.
    Lesson(String),
    /// Texts of results.
    Results(Vec<String>),
    /// Name and bytes of an export of a real cluster: an archive, or a file of job records.
    Export(String, Vec<u8>),
    /// None of these.
    Unknown,
}

/// Recognises the type of these files.
#[must_use]
pub fn classify(files: Vec<(String, String)>) -> OpenedFiles {
    let conf = |name: &str| name == "slurm.conf" || name.ends_with("/slurm.conf");
    if files.iter().any(|(name, _)| conf(name)) {
        return OpenedFiles::Site(files);
    }
    if let Some(query) = files.iter().find_map(|(_, text)| query(text)) {
        return OpenedFiles::Moment(query.to_owned());
    }
    if let Some(session) = files.iter().find_map(|(_, text)| SessionFile::read(text)) {
        return OpenedFiles::Session(Box::new(session));
    }
    let (outcomes, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|(_, text)| results::is_one(text));
    if !outcomes.is_empty() {
        return OpenedFiles::Results(outcomes.into_iter().map(|(_, text)| text).collect());
    }
    if let Some((_, text)) = others.iter().find(|(_, text)| front::value(text, "site").is_some()) {
        return OpenedFiles::Lesson(text.clone());
    }
    // A single file with another name is a slurm.conf if it defines nodes.
    let nodes =
        |text: &str| text.lines().any(|line| line.trim_start().to_ascii_lowercase().starts_with("nodename="));
    match <[(String, String); 1]>::try_from(others) {
        Ok([(_, text)]) if nodes(&text) => OpenedFiles::Site(vec![("slurm.conf".to_owned(), text)]),
        Ok([(name, text)]) => match export(&name, text) {
            Some(bytes) => OpenedFiles::Export(name, bytes),
            None => OpenedFiles::Unknown,
        },
        Err(_) => OpenedFiles::Unknown,
    }
}

/// Whether a file of this name is read as bytes, because it may be an archive.
#[must_use]
pub fn is_archive(name: &str) -> bool {
    [".gz", ".tgz", ".tar"].iter().any(|end| name.ends_with(end))
}

/// The text that stands for an archive among files, which are texts.
#[must_use]
pub fn text_of_archive(bytes: &[u8]) -> String {
    let mut text = format!("{ARCHIVE}\n");
    BASE64.encode_string(bytes, &mut text);
    text
}

/// The bytes of an archive, or of job records: a trace in the Standard Workload Format, or what `sacct` printed.
fn export(name: &str, text: String) -> Option<Vec<u8>> {
    if let Some(code) = text.strip_prefix(ARCHIVE).and_then(|rest| rest.strip_prefix('\n')) {
        return BASE64.decode(code).ok();
    }
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let of_sacct = first.contains('|') && first.split('|').any(|word| word.eq_ignore_ascii_case("jobid"));
    (of_sacct || name.ends_with(".swf")).then(|| text.into_bytes())
}

impl SessionFile {
    /// The file of a recording: a saved session without further inputs.
    #[must_use]
    pub fn of_recording(site: String, background: String, state: Vec<u8>) -> Self {
        let journal = Recovery::<()>::default().to_bytes();
        Self { site, seed: String::new(), background, journal, state: Some(state) }
    }

    /// The file's text.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { site, seed, background, journal, state } = self;
        let mut text = format!("{SESSION}\nsite: {site}\nseed: {seed}\nbackground: {background}\njournal: ");
        BASE64.encode_string(journal, &mut text);
        if let Some(state) = state {
            text += "\nstate: ";
            BASE64.encode_string(state, &mut text);
        }
        text.push('\n');
        text
    }

    /// Reads a file's text. None if it is no session's file.
    fn read(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        if lines.next()?.trim() != SESSION {
            return None;
        }
        let word = |value: &str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
            value.chars().filter(|c| allowed(*c)).take(MAX_VALUE).collect::<String>()
        };
        let mut file = Self::default();
        for line in lines {
            let (key, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.trim();
            match key {
                "site" => file.site = word(value),
                "seed" => file.seed = word(value),
                "background" => file.background = word(value),
                "journal" => file.journal = BASE64.decode(value).ok()?,
                "state" => file.state = Some(BASE64.decode(value).ok()?),
                // Keys of later versions.
                _ => {}
            }
        }
        Some(file)
    }

    /// The text of a session's file with these bytes, which an earlier version offered for download: a saved session, or
    /// a journal. Other bytes are returned as text.
    #[must_use]
    pub fn text_of(bytes: Vec<u8>) -> String {
        let journal_alone = Recovery::<()>::from_bytes(&bytes, None).is_some();
        let file = match site_of(&bytes) {
            Some(site) => {
                let journal = Recovery::<()>::default().to_bytes();
                Self { site, journal, state: Some(bytes), ..Self::default() }
            }
            None if journal_alone => Self { journal: bytes, ..Self::default() },
            None => return String::from_utf8_lossy(&bytes).into_owned(),
        };
        file.text()
    }
}

/// The name of a saved session's site.
fn site_of(saved: &[u8]) -> Option<String> {
    let (format, rest) = saved.strip_prefix(SAVED)?.split_first_chunk::<4>()?;
    let header = if u32::from_le_bytes(*format) < SECTIONS { 16 } else { 20 };
    let ((_, site), _) = postcard::take_from_bytes::<(String, String)>(rest.get(header..)?).ok()?;
    Some(site)
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

    fn brought(files: &[(&str, &str)]) -> OpenedFiles {
        classify(files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect())
    }

    #[test]
    fn a_session_round_trip() {
        let state = Some((0..=255).cycle().take(1000).collect());
        let file = SessionFile {
            site: "lab-2".into(),
            seed: "7".into(),
            background: "busy".into(),
            journal: Recovery::<()>::default().to_bytes(),
            state,
        };
        for file in [SessionFile { state: None, seed: String::new(), ..file.clone() }, file] {
            assert_eq!(brought(&[("x.txt", &file.text())]), OpenedFiles::Session(Box::new(file)));
        }
        let hostile = "sandbatch session 1\nsite: ../<b>x\nlater: 7\njournal: AA";
        let OpenedFiles::Session(file) = brought(&[("x", hostile)]) else { panic!("a session") };
        assert_eq!((file.site.as_str(), file.journal.as_slice()), ("bx", &[0][..]));
        assert_eq!(brought(&[("x", "sandbatch session 1\nstate: <>")]), OpenedFiles::Unknown);
    }

    #[test]
    fn an_imported_site_gets_a_free_name() {
        assert_eq!(free_name("my cluster/2", &[]), "own-mycluster2");
        assert_eq!(free_name("../é", &[]), "own-site");
        let taken = ["own-a".to_owned(), "own-a-2".to_owned()];
        assert_eq!(free_name("a", &taken), "own-a-3");
    }

    #[test]
    fn exports_of_clusters() {
        let one = |name: &str, text: &str| classify(vec![(name.to_owned(), text.to_owned())]);
        let bytes = vec![0x1f, 0x8b, 0, 255];
        assert!(is_archive("export.tar.gz") && is_archive("a.tgz") && !is_archive("slurm.conf"));
        let expected = OpenedFiles::Export("e.tgz".to_owned(), bytes.clone());
        assert_eq!(one("e.tgz", &text_of_archive(&bytes)), expected);
        for (name, text) in [("jobs.txt", "\nJobID|User\n1|a\n"), ("a.swf", "; MaxNodes: 3\n")] {
            assert_eq!(one(name, text), OpenedFiles::Export(name.to_owned(), text.as_bytes().to_vec()));
        }
        assert_eq!(one("e.tgz", "sandbatch archive\n%"), OpenedFiles::Unknown);
        assert_eq!(one("a.txt", "User|Name\n"), OpenedFiles::Unknown);
    }

    #[test]
    fn types_are_recognised_by_content() {
        let site = brought(&[("cl/slurm.conf", "ClusterName=x"), ("cl/gres.conf", "")]);
        assert!(matches!(site, OpenedFiles::Site(files) if files.len() == 2));
        let site = brought(&[("my.conf", "# x\n NodeName=a CPUs=1\n")]);
        assert!(matches!(site, OpenedFiles::Site(files) if files[0].0 == "slurm.conf"));
        assert_eq!(
            brought(&[("m.txt", &moment_file("?site=lab#s=AA"))]),
            OpenedFiles::Moment("?site=lab#s=AA".into())
        );
        let lesson = "---\ntitle: x\nsite: lab\n---\n";
        assert_eq!(brought(&[("x.md", lesson)]), OpenedFiles::Lesson(lesson.into()));
        for none in ["", "x", "sandbatch moment 1\njavascript:alert(1)", "sandbatch moment 1", "NodeName"] {
            assert_eq!(brought(&[("x", none)]), OpenedFiles::Unknown, "{none:?}");
        }
        assert_eq!(brought(&[]), OpenedFiles::Unknown);
        assert_eq!(brought(&[("a.conf", "NodeName=a"), ("b.conf", "NodeName=b")]), OpenedFiles::Unknown);
    }
}
