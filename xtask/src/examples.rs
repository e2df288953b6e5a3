//! The sites and lessons of the page, from `examples/`, with the lists that the page finds them in.

use crate::{Outcome, budget, root};
use base::front;
use config::{Cluster, SiteFiles, SiteInfo, sites};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Adds sites, lessons and lists to the page's directory.
pub fn write(dist: &Path) -> Outcome {
    sites(&dist.join("sites"))?;
    lessons(&root().join("examples/lessons"), &dist.join("lessons"))
}

/// The languages of the page.
const LANGUAGES: [&str; 2] = ["en", "fr"];

/// A site's card in the start screen: name, name of its base or nothing, title, summary, nodes, cores, GPUs.
type Card = (&'static str, String, String, String, usize, u32, u32);

/// Writes each site as `NAME.json`, `[[file, text], ...]`, which takes a single request. The names are in index.json, and
/// cards.json has `{ language: [card, ...] }`.
fn sites(to: &Path) -> Outcome {
    let mut cards: BTreeMap<&str, Vec<Card>> = BTreeMap::new();
    for name in sites::names() {
        let files = sites::built_in(name)
            .ok_or_else(|| format!("The site {name} extends a site that does not exist."))?;
        save(&to.join(format!("{name}.json")), &json(&files.0.iter().collect::<Vec<_>>())?)?;
        for language in LANGUAGES {
            cards.entry(language).or_default().push(card(name, &files, language)?);
        }
    }
    save(&to.join("cards.json"), &json(&cards)?)?;
    save(&to.join("index.json"), &json(&sites::names())?)
}

fn card(name: &'static str, files: &SiteFiles, language: &str) -> Outcome<Card> {
    let text = |texts: &BTreeMap<String, String>| {
        texts.get(language).cloned().ok_or_else(|| format!("The site {name} lacks texts in {language}."))
    };
    let title = text(&SiteInfo::parse(name, files).0.title)?;
    let summary = text(&SiteInfo::summary(files))?;
    let nodes = Cluster::parse(files).nodes;
    let cores = nodes.iter().map(|node| node.cpus).sum();
    let gpus =
        nodes.iter().flat_map(|node| &node.gres).filter(|gres| gres.name == "gpu").map(|gres| gres.count);
    Ok((name, files.extends().unwrap_or_default(), title, summary, nodes.len(), cores, gpus.sum()))
}

/// Copies the lessons, and writes index.json: `{ language: [[name, title, site, minutes, summary, group, level], ...] }`.
fn lessons(from: &Path, to: &Path) -> Outcome {
    let mut texts = Vec::new();
    for file in budget::files(from)? {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}.", file.display()))?;
        let name = below(from, &file);
        save(&to.join(&name), &text)?;
        texts.extend(name.strip_suffix(".md").map(|name| (name.to_owned(), text)));
    }
    let mut index: BTreeMap<&str, Vec<[Option<&str>; 7]>> = BTreeMap::new();
    for (name, text) in &texts {
        let value = |key| front::value(text, key);
        let language = value("language").ok_or_else(|| format!("The lesson {name} names no language."))?;
        let [title, site, minutes, summary, group, level] =
            ["title", "site", "minutes", "summary", "group", "level"].map(value);
        let row = [Some(name.as_str()), title, site, minutes, summary, group, level];
        index.entry(language).or_default().push(row);
    }
    save(&to.join("index.json"), &json(&index)?)
}

/// A file's path below a directory, with `/`.
pub fn below(folder: &Path, file: &Path) -> String {
    file.strip_prefix(folder).unwrap_or(file).to_string_lossy().replace('\\', "/")
}

pub fn json(value: &impl serde::Serialize) -> Outcome<String> {
    serde_json::to_string(value).map_err(|e| e.to_string())
}

fn save(file: &Path, text: &str) -> Outcome {
    let problem = |e: std::io::Error| format!("{}: {e}.", file.display());
    fs::create_dir_all(file.parent().unwrap_or(file)).map_err(problem)?;
    fs::write(file, text).map_err(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page's files in a folder that is removed at the end of the test.
    struct Written(std::path::PathBuf);

    impl Written {
        fn read(&self, name: &str) -> serde_json::Value {
            let text = fs::read_to_string(self.0.join(name)).expect(name);
            serde_json::from_str(&text).expect("JSON")
        }
    }

    impl Drop for Written {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn every_site_and_lesson_is_written() {
        let page = Written(std::env::temp_dir().join(format!("xtask-examples-{}", std::process::id())));
        write(&page.0).expect("written");
        let folders = fs::read_dir(root().join("examples/sites")).expect("sites");
        let mut names: Vec<String> = folders
            .flatten()
            .filter(|e| e.path().is_dir())
            .map(|e| e.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        assert_eq!(page.read("sites/index.json"), serde_json::json!(names));
        for name in &names {
            let written = page.read(&format!("sites/{name}.json"));
            let written: Vec<(String, String)> = serde_json::from_value(written).expect("pairs");
            let written: BTreeMap<String, String> = written.into_iter().collect();
            let folder = root().join("examples/sites").join(name);
            for file in budget::files(&folder).expect("files") {
                let text = fs::read_to_string(&file).expect("text");
                assert_eq!(written.get(&below(&folder, &file)), Some(&text), "{}", file.display());
            }
        }
        // A variant has its base's files too.
        let variant = page.read("sites/alliance-beluga.json").to_string();
        assert!(variant.contains("\"base/site.toml\"") && variant.contains("\"accounts.sh\""));
        for language in LANGUAGES {
            let cards = page.read("sites/cards.json")[language].clone();
            let cards: Vec<(String, String, String, String, u32, u32, u32)> =
                serde_json::from_value(cards).expect("cards");
            assert_eq!(cards.iter().map(|card| card.0.clone()).collect::<Vec<_>>(), names);
            assert!(cards.iter().all(|card| !card.2.is_empty() && card.3.ends_with('.')), "{cards:?}");
            let lab = cards.iter().find(|card| card.0 == "lab").expect("lab");
            assert_eq!((lab.4, lab.5, lab.6), (14, 2 * 8 + 8 * 16 + 4 * 32, 16));
            let variant = cards.iter().find(|card| card.0 == "mila-aws").expect("mila-aws");
            assert_eq!(variant.1, "mila-gcp");
        }
        let lessons = page.read("lessons/index.json");
        let (en, fr) = (lessons["en"].as_array().expect("a list"), lessons["fr"].as_array().expect("a list"));
        assert_eq!(en.len(), fr.len());
        assert_eq!(en[0][0], "en/01-first-job");
        for lesson in en.iter().chain(fr) {
            let texts = lesson.as_array().expect("a row");
            assert!(texts.iter().all(|text| text.as_str().is_some_and(|text| !text.is_empty())), "{lesson}");
            assert!(page.0.join(format!("lessons/{}.md", texts[0].as_str().unwrap_or_default())).is_file());
        }
    }
}
