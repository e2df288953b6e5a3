//! The book: mdBook renders `docs/` into `dist/book/`, in the page's colours and with the page's own `embed.js`.
//!
//! Links that leave `docs/` point to the repository, as do those to pages that SUMMARY.md omits. Invariant: every other link and anchor
//! of the rendered pages exists in the built page; otherwise the build fails.

use crate::{Outcome, budget, examples, root};
use mdbook_driver::MDBook;
use mdbook_driver::book::BookItem;
use mdbook_driver::config::Config;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// What the book's folder in `target/` is made from.
const OWN: &str = "xtask/book";
/// Where files outside of the book can be read.
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Builds the book into the page's directory.
pub fn build(dist: &Path) -> Outcome {
    let folder = root().join("target").join("book");
    crate::setup::discard(&folder)?;
    let own = root().join(OWN);
    for file in budget::files(&own)? {
        write(&folder.join(examples::below(&own, &file)), &read(&file)?)?;
    }
    write(&folder.join("tokens.css"), &tokens(&read(&root().join("www/tokens.css"))?))?;
    let to = dist.join("book");
    render(&folder, &root().join("docs"), &to)?;
    let pages = pages(dist)?;
    drop_unused_images(&to, &pages)?;
    let broken = broken_links(dist, &pages);
    if broken.is_empty() {
        Ok(())
    } else {
        Err(format!("Broken links in the book:\n  {}", broken.join("\n  ")))
    }
}

/// Renders the pages of `docs` into `to`.
fn render(folder: &Path, docs: &Path, to: &Path) -> Outcome {
    let problem = |e: mdbook_driver::errors::Error| format!("The book: {e:#}.");
    let mut config = Config::from_disk(folder.join("book.toml")).map_err(problem)?;
    config.book.src = docs.to_path_buf();
    config.build.build_dir = to.to_path_buf();
    let mut book = MDBook::load_with_config(folder, config).map_err(problem)?;
    let paths = book.iter().filter_map(|item| match item {
        BookItem::Chapter(chapter) => chapter.source_path.clone(),
        _ => None,
    });
    let pages: BTreeSet<PathBuf> = paths.collect();
    book.book.for_each_mut(|item| {
        if let BookItem::Chapter(chapter) = item
            && let Some(path) = &chapter.source_path
        {
            chapter.content = with_repository(&chapter.content, path, &pages);
        }
    });
    book.build().map_err(problem)
}

/// The page's tokens for the book: its dark theme is called `coal`, as in mdBook.
fn tokens(text: &str) -> String {
    text.replace(":root[data-theme=\"dark\"]", ".coal")
}

/// Replaces the targets of Markdown links that are not part of the book by addresses in the repository.
fn with_repository(text: &str, page: &Path, pages: &BTreeSet<PathBuf>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut fence = None;
    for line in text.split_inclusive('\n') {
        let ticks = line.trim_start().chars().take_while(|c| *c == '`').count();
        match fence {
            Some(open) if ticks >= open => fence = None,
            None if ticks >= 3 => fence = Some(ticks),
            _ => {}
        }
        if fence.is_some() || ticks >= 3 {
            out += line;
            continue;
        }
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("](") {
            out += before;
            out += "](";
            let end = after.find(')').unwrap_or(after.len());
            let (target, behind) = after.split_at(end);
            out += &outside(target, page, pages).unwrap_or_else(|| inside(target));
            rest = behind;
        }
        out += rest;
    }
    out
}

/// A link in the book: mdBook renders README.md as index.html.
fn inside(target: &str) -> String {
    let (path, anchor) = target.split_at(target.find('#').unwrap_or(target.len()));
    match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md{anchor}"),
        None => target.to_owned(),
    }
}

/// The address in the repository of a link's target; none if the target is in the book or elsewhere.
fn outside(target: &str, page: &Path, pages: &BTreeSet<PathBuf>) -> Option<String> {
    let (path, anchor) = target.split_once('#').map_or((target, None), |(path, anchor)| (path, Some(anchor)));
    if path.is_empty() || path.contains(':') || path.starts_with('/') {
        return None;
    }
    let full = joined(&Path::new("docs").join(page), path)?;
    let inside = full.strip_prefix("docs").ok();
    let omitted =
        |path: &Path| path.extension().is_some_and(|ending| ending == "md") && !pages.contains(path);
    if inside.is_some_and(|path| !omitted(path)) {
        return None;
    }
    let anchor = anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default();
    Some(format!("{REPOSITORY}{}{anchor}", full.to_string_lossy().replace('\\', "/")))
}

/// A relative link's target as a path below the same folder as `from`; none if it leads out of it.
fn joined(from: &Path, link: &str) -> Option<PathBuf> {
    let mut path = from.parent()?.to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir if path.pop() => {}
            Component::CurDir => {}
            Component::Normal(name) => path.push(name),
            _ => return None,
        }
    }
    Some(path)
}

/// The rendered pages, by their paths below `dist`.
type Pages = BTreeMap<PathBuf, String>;

fn pages(dist: &Path) -> Outcome<Pages> {
    let mut pages = Pages::new();
    for file in budget::files(&dist.join("book"))? {
        if file.extension().is_some_and(|ending| ending == "html") {
            pages.insert(PathBuf::from(examples::below(dist, &file)), read(&file)?);
        }
    }
    Ok(pages)
}

/// Removes the pictures that only files outside of the book show.
fn drop_unused_images(book: &Path, pages: &Pages) -> Outcome {
    for file in budget::files(&book.join("images"))? {
        let name = examples::below(book, &file);
        if !pages.values().any(|text| text.contains(&name)) {
            fs::remove_file(&file).map_err(|e| format!("{name}: {e}."))?;
        }
    }
    Ok(())
}

/// The links of the book's pages whose file or anchor does not exist, as `page: link`.
fn broken_links(dist: &Path, pages: &Pages) -> Vec<String> {
    let mut broken = Vec::new();
    for (page, text) in pages {
        for link in attributes(text, &["href", "src"]) {
            if !resolves(dist, page, &link, pages) {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    broken
}

fn resolves(dist: &Path, page: &Path, link: &str, pages: &Pages) -> bool {
    let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
    if path.contains(':') {
        return true;
    }
    let path = path.split('?').next().unwrap_or_default();
    let target = if path.is_empty() { Some(page.to_path_buf()) } else { joined(page, path) };
    let Some(target) = target else { return false };
    let is_there = pages.contains_key(&target) || dist.join(&target).exists();
    let has_anchor = |text: &String| text.contains(&format!("id=\"{anchor}\""));
    is_there && (anchor.is_empty() || pages.get(&target).is_none_or(has_anchor))
}

/// The values of these attributes in a page.
fn attributes(text: &str, names: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for name in names {
        let mark = format!(" {name}=\"");
        for part in text.split(mark.as_str()).skip(1) {
            found.extend(part.split_once('"').map(|(value, _)| value.replace("&amp;", "&")));
        }
    }
    found
}

fn read(file: &Path) -> Outcome<String> {
    fs::read_to_string(file).map_err(|e| format!("{}: {e}.", file.display()))
}

fn write(file: &Path, text: &str) -> Outcome {
    let problem = |e: std::io::Error| format!("{}: {e}.", file.display());
    fs::create_dir_all(file.parent().unwrap_or(file)).map_err(problem)?;
    fs::write(file, text).map_err(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_out_of_the_book_lead_to_the_repository() {
        let pages = BTreeSet::from([PathBuf::from("embed.md"), PathBuf::from("learn/look.md")]);
        let change = |text: &str| with_repository(text, Path::new("learn/look.md"), &pages);
        let kept = "[a](../embed.md#x) ![p](../images/p.png) [b](https://example.org/a.md) [c](#here)\n";
        assert_eq!(change(kept), kept);
        assert_eq!(
            change("see [a](../../src/lib.rs), twice"),
            format!("see [a]({REPOSITORY}src/lib.rs), twice")
        );
        assert_eq!(change("[a](../draft.md#part)"), format!("[a]({REPOSITORY}docs/draft.md#part)"));
        let pages = BTreeSet::from([PathBuf::from("learn/README.md")]);
        let index = with_repository("[a](learn/README.md#x) [b](../README.md)", Path::new("a.md"), &pages);
        assert_eq!(index, format!("[a](learn/index.md#x) [b]({REPOSITORY}README.md)"));
        let block = "````md\n```\n[a](../../README.md)\n````\n";
        assert_eq!(change(block), block);
        assert!(REPOSITORY.starts_with("https://"));
    }

    #[test]
    fn missing_pages_and_anchors_are_found() {
        let dist = std::env::temp_dir().join(format!("xtask-book-{}", std::process::id()));
        let page = |name: &str, text: &str| write(&dist.join("book").join(name), text).expect("written");
        page(
            "a.html",
            "<h1 id=\"top\"></h1><a href=\"b/c.html#part\"></a> <script src=\"../embed.js\"></script>\
             <a href=\"#top\"></a><a href=\"https://example.org/\"></a><img src=\"images/shown.png\">",
        );
        page("b/c.html", "<h2 id=\"part\"></h2><a href=\"../a.html\"></a><a href=\"../d.html\"></a>");
        page("e.html", "<a href=\"a.html#bottom\"></a><a href=\"../../../f.html\"></a>");
        page("images/shown.png", "");
        page("images/other.png", "");
        let pages = pages(&dist).expect("pages");
        let found = broken_links(&dist, &pages);
        write(&dist.join("embed.js"), "").expect("written");
        let again = broken_links(&dist, &pages);
        let dropped = drop_unused_images(&dist.join("book"), &pages);
        let images = budget::files(&dist.join("book/images")).map(|files| files.len());
        let _ = fs::remove_dir_all(&dist);
        let other =
            ["book/b/c.html: ../d.html", "book/e.html: a.html#bottom", "book/e.html: ../../../f.html"];
        assert_eq!(found, [&["book/a.html: ../embed.js"], &other[..]].concat());
        assert_eq!(again, other);
        assert_eq!((dropped, images), (Ok(()), Ok(1)));
    }

    #[test]
    fn the_tokens_have_a_dark_theme() {
        let text = tokens(&read(&root().join("www/tokens.css")).expect("tokens"));
        assert_eq!(text.matches(".coal {").count(), 1, "{text}");
        assert!(text.starts_with("/*") && text.contains("\n:root {") && !text.contains("data-theme"));
    }
}
