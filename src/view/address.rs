//! The page's address: its parameters, and the links that the page makes. An address may come from anywhere, so every
//! value in it is checked here.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Most characters of a link.
const MAX_LINK: usize = 350_000;
/// Most characters of a parameter.
const MAX_PARAMETER: usize = 64;
/// Most characters of a lesson's address.
const MAX_LESSON: usize = 2000;
/// The text before the bytes of a moment.
const MOMENT: &str = "s=";
/// The text before a class's name and secret.
const CLASS: &str = "class=";
/// Most characters of these.
const MAX_CLASS: (usize, usize) = (32, 22);
/// Parameters that the page of a moment's file may set.
const OPENED: [&str; 3] = ["site", "lesson", "seed"];
/// Parameters that the host of an embedded page may set.
const HOSTED: [&str; 5] = ["site", "lesson", "background", "lang", "embed"];

/// Reads links with and without padding.
pub(crate) const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// The lesson that an address names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LessonSource {
    /// None.
    None,
    /// The file that this browser stores.
    File,
    /// A lesson of the course: `en/01-first-job`.
    Course(String),
    /// Another address, absolute or relative to the page.
    Elsewhere(String),
}

/// The link to a class, from the fragment of an address: `class=NAME.SECRET`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassLink {
    /// The class's name.
    pub name: String,
    /// Its secret, as text.
    pub secret: String,
}

/// An address of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageAddress {
    /// What comes before the query.
    page: String,
    query: Vec<(String, String)>,
    /// What comes after `#`.
    fragment: String,
}

impl PageAddress {
    /// Reads an address, or only its query and fragment.
    #[must_use]
    pub fn parse(address: &str) -> Self {
        let (rest, fragment) = address.split_once('#').unwrap_or((address, ""));
        let (page, query) = rest.split_once('?').unwrap_or((rest, ""));
        Self {
            page: page.to_owned(),
            query: form_urlencoded::parse(query.as_bytes()).into_owned().collect(),
            fragment: fragment.to_owned(),
        }
    }

    /// The whole address.
    #[must_use]
    pub fn href(&self) -> String {
        format!("{}{}", self.page, self.query_and_fragment())
    }

    /// The query and the fragment: `?site=lab#s=AA`.
    #[must_use]
    pub fn query_and_fragment(&self) -> String {
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.query).finish();
        let part =
            |mark: &str, text: &str| if text.is_empty() { String::new() } else { format!("{mark}{text}") };
        part("?", &query) + &part("#", &self.fragment)
    }

    fn raw(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A parameter: letters, digits, `_`, `-` and spaces. Empty if it is missing or something else.
    #[must_use]
    pub fn parameter(&self, name: &str) -> &str {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' ');
        let value = self.raw(name).unwrap_or_default();
        if value.len() <= MAX_PARAMETER && value.chars().all(allowed) { value } else { "" }
    }

    /// The address without a parameter.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let mut changed = self.clone();
        changed.query.retain(|(key, _)| key != name);
        changed
    }

    /// The address with a parameter.
    #[must_use]
    pub fn with(&self, name: &str, value: &str) -> Self {
        let mut changed = self.clone();
        let mut pairs = changed.query.iter_mut().filter(|(key, _)| key == name);
        match pairs.next() {
            Some((_, old)) => {
                value.clone_into(old);
                let mut first = true;
                changed.query.retain(|(key, _)| key != name || std::mem::take(&mut first));
            }
            None => changed.query.push((name.to_owned(), value.to_owned())),
        }
        changed
    }

    /// Whether it names no site, lesson, moment or class, so that the visitor may choose one.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let names = ["site", "lesson", "seed", "background", "embed"];
        self.fragment.is_empty() && names.iter().all(|name| self.raw(name).is_none_or(str::is_empty))
    }

    /// The address of the page alone.
    fn bare(&self) -> Self {
        Self { page: self.page.clone(), query: Vec::new(), fragment: String::new() }
    }

    /// The bytes of the moment in the fragment. Text that is not base64 is returned unchanged, for an error message.
    #[must_use]
    pub fn moment(&self) -> Option<Vec<u8>> {
        let text = self.fragment.strip_prefix(MOMENT)?;
        let text: String = text.chars().take(MAX_LINK).collect();
        Some(BASE64.decode(&text).unwrap_or_else(|_| text.chars().take(100).collect::<String>().into_bytes()))
    }

    /// The class that the fragment names, if it is a link to one.
    #[must_use]
    pub fn class(&self) -> Option<ClassLink> {
        let (name, secret) = self.fragment.strip_prefix(CLASS)?.rsplit_once('.')?;
        let word = |text: &str, most: usize| {
            let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
            (1..=most).contains(&text.len()) && text.bytes().all(allowed)
        };
        let fits = word(name, MAX_CLASS.0) && word(secret, MAX_CLASS.1);
        fits.then(|| ClassLink { name: name.to_owned(), secret: secret.to_owned() })
    }

    /// The address of a class's server: next to the page.
    #[must_use]
    pub fn class_socket(&self, name: &str) -> String {
        let folder = self.page.rsplit_once('/').map_or("", |(folder, _)| folder);
        // `https:` becomes `wss:`.
        let socket =
            folder.strip_prefix("http").map_or_else(|| folder.to_owned(), |rest| format!("ws{rest}"));
        format!("{socket}/class/{name}")
    }

    /// The address of a moment on a site.
    #[must_use]
    pub fn at_moment(&self, bytes: &[u8], site: &str) -> Self {
        let mut there = ["embed", "theme", "background", "session"]
            .iter()
            .fold(self.with("site", site), |a, name| a.without(name));
        // A file from this machine's disk does not exist where the address will be opened.
        if there.raw("lesson") == Some("file") {
            there = there.without("lesson");
        }
        there.fragment = format!("{MOMENT}{}", BASE64.encode(bytes));
        there
    }

    /// Length of the fragment, for the size of a link.
    #[must_use]
    pub fn link_length(&self) -> usize {
        self.fragment.len() + 1
    }

    /// Opens the moment of a file, whose second line is a query and fragment.
    #[must_use]
    pub fn opened(&self, query: &str) -> Self {
        let asked = Self::parse(query);
        let there = OPENED.iter().filter_map(|name| Some((name, asked.raw(name)?)));
        let there = there.fold(self.bare(), |address, (name, value)| address.with(name, value));
        Self { fragment: asked.fragment.clone(), ..there }
    }

    /// The address of the start of the current lesson or site, with a seed.
    #[must_use]
    pub fn start(&self, site: &str, seed: &str, background: &str) -> Self {
        match self.raw("lesson") {
            Some(lesson) if !lesson.is_empty() => self.bare().with("lesson", lesson).with("seed", seed),
            _ => self.bare().with("site", site).with("seed", seed).with("background", background),
        }
    }

    /// The lesson that it names.
    #[must_use]
    pub fn lesson(&self) -> LessonSource {
        let name: String = self.raw("lesson").unwrap_or_default().chars().take(MAX_LESSON).collect();
        let of_course = |name: &str| {
            name.split_once('/').is_some_and(|(language, file)| {
                let letters = language.len() == 2 && language.bytes().all(|b| b.is_ascii_lowercase());
                let word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-');
                letters && !file.is_empty() && file.bytes().all(word)
            })
        };
        match name.as_str() {
            "" => LessonSource::None,
            "file" => LessonSource::File,
            _ if of_course(&name) => LessonSource::Course(name),
            _ => LessonSource::Elsewhere(name),
        }
    }

    /// The page with a lesson; an empty name: without one.
    #[must_use]
    pub fn at_lesson(&self, name: &str) -> Self {
        let mut there = self.without("lesson").without("site").without("session");
        there.fragment.clear();
        if name.is_empty() { there } else { there.with("lesson", name) }
    }

    /// The page with an imported site.
    #[must_use]
    pub fn at_site(&self, site: &str) -> Self {
        self.bare().with("site", site)
    }

    /// The page with a session that came as a file. `id` names the file's contents.
    #[must_use]
    pub fn at_session(&self, site: &str, id: &str, seed: &str, background: &str) -> Self {
        let there = self.bare().with("site", site).with("session", id);
        [("seed", seed), ("background", background)]
            .into_iter()
            .filter(|(_, value)| !value.is_empty())
            .fold(there, |there, (name, value)| there.with(name, value))
    }

    /// The address that the host of an embedded page may load: `site=mila&lesson=en/10-preemption`.
    #[must_use]
    pub fn hosted(&self, asked: &str) -> Self {
        let asked = form_urlencoded::parse(asked.as_bytes());
        let mut there = asked
            .filter(|(name, _)| HOSTED.contains(&name.as_ref()))
            .fold(self.clone(), |address, (name, value)| address.with(&name, &value));
        there.fragment.clear();
        there
    }
}

/// Whether going from one address to another takes a reload: a change of the fragment alone does not load the page.
#[must_use]
pub fn needs_reload(now: &str, to: &str) -> bool {
    let page = |address: &str| address.split('#').next().map(str::to_owned);
    now == to || (to.contains('#') && page(now) == page(to))
}

/// Whether a lesson may be loaded from an address: over HTTPS, or from the page's own origin.
#[must_use]
pub fn may_load(address: &str, origin: &str) -> bool {
    let from_origin = address.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'));
    address.starts_with("https://") || (origin.contains("://") && from_origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "https://a.org/x/?site=lab&lang=fr&theme=dark#old";

    #[test]
    fn parameters_are_plain_words() {
        let address =
            PageAddress::parse("https://a.org/?site=lab-2&embed=terminal+queue&lang=%3Cb%3E&seed=&site=b");
        assert_eq!(address.parameter("site"), "lab-2");
        assert_eq!(address.parameter("embed"), "terminal queue");
        for none in ["lang", "seed", "missing"] {
            assert_eq!(address.parameter(none), "", "{none}");
        }
        let long = PageAddress::parse(&format!("?site={}&lang={}", "a".repeat(64), "a".repeat(65)));
        assert_eq!((long.parameter("site").len(), long.parameter("lang")), (64, ""));
        assert_eq!(PageAddress::parse("?site=../x").parameter("site"), "");
    }

    #[test]
    fn moments_round_trip() {
        let bytes: Vec<u8> = (0..=255).collect();
        let there =
            PageAddress::parse("https://a.org/x/?lesson=file&embed=queue&seed=7").at_moment(&bytes, "mila");
        let href = there.href();
        assert!(href.starts_with("https://a.org/x/?seed=7&site=mila#s="), "{href}");
        assert!(!href.contains(['+', '=']) || href.matches('=').count() == 3, "{href}");
        let back = PageAddress::parse(&href);
        assert_eq!(back.moment(), Some(bytes));
        assert_eq!(there.query_and_fragment(), href.trim_start_matches("https://a.org/x/"));
        assert_eq!(PageAddress::parse("?a#s=AAE=").moment(), Some(vec![0, 1]));
        assert_eq!(PageAddress::parse("?a#other").moment(), None);
        assert_eq!(PageAddress::parse("?a#s=no moment").moment(), Some(b"no moment".to_vec()));
    }

    #[test]
    fn a_class_is_named_with_its_secret() {
        let secret = "AAECAwQFBgcICQoLDA0ODw";
        let here = PageAddress::parse(&format!("https://a.org/x/index.html?lang=fr#class=hpc-1.{secret}"));
        assert_eq!(here.class(), Some(ClassLink { name: "hpc-1".into(), secret: secret.into() }));
        assert_eq!(here.class_socket("hpc-1"), "wss://a.org/x/class/hpc-1");
        let there = PageAddress::parse("http://127.0.0.1:8080/#class=c.A");
        assert_eq!(there.class_socket("c"), "ws://127.0.0.1:8080/class/c");
        for none in ["#class=", "#class=c", "#class=.A", "#class=a/b.A", "#class=c.A/B", "#s=class=c.A", ""] {
            assert_eq!(PageAddress::parse(&format!("https://a.org/{none}")).class(), None, "{none}");
        }
        assert_eq!(PageAddress::parse(&format!("#class=c.{secret}A")).class(), None);
    }

    #[test]
    fn a_file_opens_only_site_lesson_and_seed() {
        let here = PageAddress::parse(HERE);
        let there = here.opened("?site=mila&seed=3&embed=queue&theme=x&lesson=en%2F01-a#s=AA");
        assert_eq!(there.href(), "https://a.org/x/?site=mila&lesson=en%2F01-a&seed=3#s=AA");
        // The page stays the same whatever the query is.
        for foreign in
            ["https://evil.org/?site=b#s=AA", "javascript:alert(1)?site=b#s=AA", "//evil.org?site=b#s=AA"]
        {
            assert_eq!(here.opened(foreign).href(), "https://a.org/x/?site=b#s=AA", "{foreign}");
        }
    }

    #[test]
    fn a_host_sets_only_permitted_parameters() {
        let there = PageAddress::parse(HERE).hosted("site=mila&theme=x&seed=2&lesson=en/10-preemption");
        assert_eq!(there.href(), "https://a.org/x/?site=mila&lang=fr&theme=dark&lesson=en%2F10-preemption");
    }

    #[test]
    fn lessons_are_from_the_course_or_another_address() {
        let lesson = |query: &str| PageAddress::parse(query).lesson();
        assert_eq!(lesson("?site=lab"), LessonSource::None);
        assert_eq!(lesson("?lesson=file"), LessonSource::File);
        assert_eq!(lesson("?lesson=en/01-first-job"), LessonSource::Course("en/01-first-job".into()));
        for elsewhere in ["https://b.org/l.md", "en/../secret", "english/x", "en/", "x"] {
            assert_eq!(lesson(&format!("?lesson={elsewhere}")), LessonSource::Elsewhere(elsewhere.into()));
        }
        let here = PageAddress::parse(HERE);
        assert_eq!(here.at_lesson("fr/01-a").href(), "https://a.org/x/?lang=fr&theme=dark&lesson=fr%2F01-a");
        assert_eq!(here.at_lesson("").href(), "https://a.org/x/?lang=fr&theme=dark");
    }

    #[test]
    fn an_address_that_names_something_leaves_no_choice() {
        for open in ["https://a.org/x/", "https://a.org/x/?lang=fr&theme=dark", "https://a.org/?lesson="] {
            assert!(PageAddress::parse(open).is_open(), "{open}");
        }
        for named in [
            "?site=lab",
            "?lesson=en/01-a",
            "?seed=4",
            "?background=off",
            "?embed=queue",
            "#s=AA",
            "#class=a.b",
        ] {
            assert!(!PageAddress::parse(&format!("https://a.org/x/{named}")).is_open(), "{named}");
        }
    }

    #[test]
    fn a_lesson_loads_over_https_or_from_the_own_origin() {
        let origin = "http://127.0.0.1:8080";
        assert!(may_load("https://b.org/l.md", origin));
        assert!(may_load("http://127.0.0.1:8080/lessons/en/a.md", origin));
        for refused in
            ["http://127.0.0.1:80801/l.md", "http://b.org/l.md", "data:text/plain,x", "file:///etc/passwd"]
        {
            assert!(!may_load(refused, origin), "{refused}");
        }
        // The origin of a page that was opened from a disk.
        assert!(!may_load("null/x", "null"));
    }

    #[test]
    fn the_start_is_a_lesson_or_a_site() {
        let here = PageAddress::parse(HERE);
        assert_eq!(here.start("lab", "4", "off").href(), "https://a.org/x/?site=lab&seed=4&background=off");
        let lesson = here.at_lesson("en/01-a").start("lab", "4", "off");
        assert_eq!(lesson.href(), "https://a.org/x/?lesson=en%2F01-a&seed=4");
        assert_eq!(here.at_site("own-x").href(), "https://a.org/x/?site=own-x");
    }

    #[test]
    fn a_change_of_the_fragment_needs_a_reload() {
        assert!(needs_reload("https://a.org/?x#a", "https://a.org/?x#b"));
        assert!(needs_reload("https://a.org/", "https://a.org/"));
        assert!(!needs_reload("https://a.org/?x#a", "https://a.org/?x"));
        assert!(!needs_reload("https://a.org/?x#a", "https://a.org/?y#a"));
    }

    #[test]
    fn adding_and_removing_parameters() {
        let here = PageAddress::parse("https://a.org/x/?site=a&lang=fr&site=c&theme=dark#old");
        assert_eq!(here.with("site", "b").without("theme").href(), "https://a.org/x/?site=b&lang=fr#old");
    }
}
