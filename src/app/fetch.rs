//! Files that the page loads when it needs them: sites and lessons.

use crate::{database, js, location};
use gloo_net::http::{Request, Response};
use js_sys::Promise;
use protocol::OWN_SITE;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use view::address::{LessonSource, may_load};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;

/// Largest lesson, bytes.
const MAX_LESSON: usize = 256 * 1024;

/// A row of the list of lessons: name, title, site, minutes, summary, group, level.
pub type CourseRow = (String, String, String, String, String, String, String);

/// A site in the start screen: name, name of its base or nothing, title, summary, nodes, cores, GPUs.
pub type SiteCard = (String, String, String, String, u32, u32, u32);

/// The address of a site's or a lesson's file, relative to the page. Each build has a folder of its own, so that an open page
/// never gets those of a newer one.
pub fn data(file: &str) -> String {
    format!("{}{file}", js::named_by_build("data").unwrap_or_default())
}

/// Loads a file whose address is relative to the page.
async fn load(file: &str) -> Result<Response, String> {
    let (url, _) = location::absolute(file).ok_or(file)?;
    checked(file, Request::get(&url).send().await.map_err(|e| e.to_string())?)
}

fn checked(file: &str, answer: Response) -> Result<Response, String> {
    if answer.ok() { Ok(answer) } else { Err(format!("{file}: {}", answer.status())) }
}

/// Reads JSON with the browser's parser.
async fn json<T: DeserializeOwned>(answer: Response) -> Result<T, String> {
    let parsed = web_sys::Response::from(answer).json().map_err(|e| js::words_of(&e))?;
    let value = JsFuture::from(parsed).await.map_err(|e| js::words_of(&e))?;
    serde_wasm_bindgen::from_value(value).map_err(|e| e.to_string())
}

/// The key of an imported site in the database.
pub fn own_site_key(site: &str) -> String {
    format!("site:{site}")
}

/// A site's files: names and texts.
pub async fn site(site: &str) -> Result<Vec<(String, String)>, String> {
    if let Some(name) = site.strip_prefix(OWN_SITE) {
        let files = database::get(&own_site_key(site)).await?;
        let files = files.ok_or_else(|| format!("there is no site \"{name}\" in this browser"))?;
        return serde_wasm_bindgen::from_value(files).map_err(|e| e.to_string());
    }
    let file = data(&format!("sites/{}.json", js_sys::encode_uri_component(site)));
    let answer = match early(site) {
        Some(promise) => {
            let answer = JsFuture::from(promise).await.map_err(|e| js::words_of(&e))?;
            checked(&file, answer.unchecked_into::<web_sys::Response>().into())
        }
        None => load(&file).await,
    };
    match answer {
        Ok(answer) => json(answer).await,
        Err(why) if why.ends_with(": 404") => Err(format!("there is no site \"{site}\"")),
        Err(why) => Err(why),
    }
}

/// The request for a site's files that www/begin.js has made, once.
fn early(site: &str) -> Option<Promise> {
    let early = js::take_global("earlySite")?;
    let named = js::property(&early, "site").as_string();
    (named.as_deref() == Some(site)).then(|| js::property(&early, "files").dyn_into().ok()).flatten()
}

/// The names of the sites, then of the imported ones.
pub async fn site_names(embedded: bool) -> Vec<String> {
    let mut names: Vec<String> = match load(&data("sites/index.json")).await {
        Ok(answer) => json(answer).await.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    if !embedded {
        names.extend(own_sites().await);
    }
    names
}

/// The names of the imported sites.
pub async fn own_sites() -> Vec<String> {
    // Where the storage is blocked there are none.
    let keys = database::keys(&own_site_key(OWN_SITE)).await.unwrap_or_default();
    keys.iter().filter_map(|key| key.strip_prefix(&own_site_key(""))).map(str::to_owned).collect()
}

/// The lessons in a language. A page that was saved without its lessons has none.
pub async fn course(language: &str) -> Vec<CourseRow> {
    in_language("lessons/index.json", language).await
}

/// The sites' cards in a language.
pub async fn site_cards(language: &str) -> Vec<SiteCard> {
    in_language("sites/cards.json", language).await
}

/// A language's rows of a file; none if there is no such file.
async fn in_language<T: DeserializeOwned>(file: &str, language: &str) -> Vec<T> {
    let mut all: BTreeMap<String, Vec<T>> = match load(&data(file)).await {
        Ok(answer) => json(answer).await.unwrap_or_default(),
        Err(_) => BTreeMap::new(),
    };
    all.remove(language).unwrap_or_default()
}

/// The name and text of a lesson. `kept` is the one that came as a file.
pub async fn lesson(source: LessonSource, kept: String) -> Result<Option<(String, String)>, String> {
    let (name, address) = match source {
        LessonSource::None => return Ok(None),
        LessonSource::File => return Ok((!kept.is_empty()).then(|| ("file".to_owned(), kept))),
        LessonSource::Course(name) => (Some(name.clone()), data(&format!("lessons/{name}.md"))),
        LessonSource::Elsewhere(address) => (None, address),
    };
    let (url, origin) = location::absolute(&address).ok_or_else(|| address.clone())?;
    if !may_load(&url, &origin) {
        return Err(format!("{url}: not https://"));
    }
    let text = load(&url).await?.text().await.map_err(|e| e.to_string())?;
    if text.len() > MAX_LESSON {
        return Err(format!("{url}: {} bytes", text.len()));
    }
    Ok(Some((name.unwrap_or(url), text)))
}
