//! The page's address: its parameters, and the links that the page makes. An address may come from anywhere, so every
//! value in it is checked here.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Most characters of a link.
const MAX_LINK: usize = 350_000;
/// Most characters of a parameter.
const MAX_PARAMETER: usize = 64;
/// Most bytes of the words of a panel.
const MAX_WORDS: usize = 512;
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

/// What a link for a class opens. Empty: what the page decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub struct ClassStart {
    pub site: String,
    pub lesson: String,
    pub lang: String,
    /// The amount of other users' jobs.
    pub background: String,
    pub seed: String,
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

    /// The words of a panel ([`crate::panel_link`]), which may contain names from configuration files. Empty if they are
    /// missing, too long, or cannot be printed.
    #[must_use]
    pub fn words(&self, name: &str) -> &str {
        let value = self.raw(name).unwrap_or_default();
        if value.len() <= MAX_WORDS && !value.chars().any(char::is_control) { value } else { "" }
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

    /// The address with a link to a class.
    #[must_use]
    pub fn at_class(&self, name: &str, secret: &str) -> Self {
        Self { fragment: format!("{CLASS}{name}.{secret}"), ..self.bare() }
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

    /// What comes after `#`.
    #[must_use]
    pub fn fragment(&self) -> &str {
        &self.fragment
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

    /// The address of the start of a lesson or site: everyone who opens it begins with the same cluster.
    #[must_use]
    pub fn start(&self, of: &ClassStart) -> Self {
        // A lesson names its own site and load.
        let place = if of.lesson.is_empty() {
            [("site", of.site.as_str()), ("background", of.background.as_str())]
        } else {
            [("lesson", of.lesson.as_str()), ("site", "")]
        };
        let more = [("lang", of.lang.as_str()), ("seed", of.seed.as_str())];
        let named = place.into_iter().chain(more).filter(|(_, value)| !value.is_empty());
        named.fold(self.bare(), |there, (name, value)| there.with(name, value))
    }

    /// The page itself, for an embedded one.
    #[must_use]
    pub fn unframed(&self) -> Self {
        self.without("embed").without("theme")
    }

    /// The address without query and fragment.
    #[must_use]
    pub fn place(&self) -> &str {
        &self.page
    }

    /// Whether only this computer can open the address.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let Some(origin) = origin_of(&self.page) else { return true };
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        ["localhost", "127.", "[::1]"].iter().any(|local| host.starts_with(local))
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

/// The origin of an absolute address as the browser writes it: `https://a.org:8080`. None without a host.
fn origin_of(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    (!host.is_empty()).then(|| format!("{scheme}://{host}"))
}

/// The host of an absolute address, with its port if it names one; none if it is the page's own.
#[must_use]
pub fn other_host(address: &str, origin: &str) -> Option<String> {
    let there = origin_of(address)?;
    (there != origin).then(|| there.split_once("://").map_or_else(String::new, |(_, host)| host.to_owned()))
}

/// Whether a lesson's picture may be loaded: from the page's own origin, or from where the lesson came from.
#[must_use]
pub fn may_show(picture: &str, lesson: &str, origin: &str) -> bool {
    may_load(picture, origin)
        && origin_of(picture).is_some_and(|at| at == origin || Some(at) == origin_of(lesson))
}

#[cfg(test)]
mod tests;
