//! A lesson's text as elements, made one by one from [`MarkdownElement`]s, so that nothing in a file becomes HTML. Pictures come
//! from the page's own origin or from the lesson's; others are told in words.

use crate::i18n::{Lang, LaterWords};
use crate::page::Page;
use crate::{fetch, location};
use leptos::html::Div;
use leptos::prelude::*;
use protocol::{MarkdownElement, MarkdownKind};
use view::address::{may_show, other_host};
use view::fill;
use web_sys::Element;

/// What a text's elements depend on.
struct LessonContext {
    /// The folder of the lesson, in the page's addresses.
    base: String,
    /// The lesson's address.
    lesson: String,
    lang: Lang,
}

/// Draws the pieces of a text. Relative addresses start from the lesson's `name`.
pub fn draw(page: Page, name: &str, pieces: &[MarkdownElement]) -> AnyView {
    let host = NodeRef::<Div>::new();
    let at = if name.contains("://") { name.to_owned() } else { fetch::data(&format!("lessons/{name}")) };
    let pieces = pieces.to_vec();
    Effect::new(move || {
        let base = at.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default();
        let lesson = location::absolute(&at).map(|(address, _)| address).unwrap_or_default();
        let source = LessonContext { base, lesson, lang: page.prefs.lang.get() };
        if let Some(element) = host.get() {
            let element: &Element = &element;
            element.set_text_content(None);
            fill_in(element, &source, &pieces);
        }
    });
    view! { <div class="prose" node_ref=host></div> }.into_any()
}

fn fill_in(parent: &Element, source: &LessonContext, pieces: &[MarkdownElement]) {
    for piece in pieces {
        if piece.kind == MarkdownKind::Text {
            // Appending text cannot fail.
            let _ = parent.append_with_str_1(&piece.text);
        } else if let Some(child) = element(source, piece) {
            let _ = parent.append_child(&child);
        }
    }
}

/// A picture, or in its place its alternative text and why it is not loaded.
fn picture(source: &LessonContext, piece: &MarkdownElement) -> Option<Element> {
    let words: &LaterWords = source.lang.later();
    let (address, origin) = location::absolute(&address(&source.base, &piece.to))?;
    if may_show(&address, &source.lesson, &origin) {
        let picture = document().create_element("img").ok()?;
        picture.set_attribute("src", &address).ok()?;
        picture.set_attribute("alt", &piece.text).ok()?;
        picture.set_attribute("loading", "lazy").ok()?;
        picture.set_attribute("referrerpolicy", "no-referrer").ok()?;
        return Some(picture);
    }
    let said = match other_host(&address, &origin) {
        Some(host) => fill::fill(words.picture_elsewhere, &[&host]),
        None => words.picture_refused.to_owned(),
    };
    let place = document().create_element("span").ok()?;
    place.set_class_name("no-picture");
    place.set_text_content(Some(&piece.text));
    let note = document().create_element("small").ok()?;
    note.set_attribute("lang", source.lang.code()).ok()?;
    note.set_text_content(Some(&said));
    // Appending an element cannot fail.
    let _ = place.append_child(&note);
    Some(place)
}

fn element(source: &LessonContext, piece: &MarkdownElement) -> Option<Element> {
    let tag = match piece.kind {
        MarkdownKind::Text | MarkdownKind::Paragraph => "p",
        MarkdownKind::Heading => "h4",
        MarkdownKind::List => "ul",
        MarkdownKind::Numbered => "ol",
        MarkdownKind::Item => "li",
        MarkdownKind::Quote => "blockquote",
        MarkdownKind::Block => "pre",
        MarkdownKind::Code => "code",
        MarkdownKind::Strong => "strong",
        MarkdownKind::Emphasis => "em",
        MarkdownKind::Link => "a",
        MarkdownKind::Image => return picture(source, piece),
        MarkdownKind::Rule => "hr",
        MarkdownKind::Table => "table",
        MarkdownKind::Row => "tr",
        MarkdownKind::Head => "th",
        MarkdownKind::Cell => "td",
    };
    let element = document().create_element(tag).ok()?;
    let set = |name: &str, value: &str| element.set_attribute(name, value).ok();
    match piece.kind {
        MarkdownKind::Block | MarkdownKind::Code => element.set_text_content(Some(&piece.text)),
        MarkdownKind::Link => {
            set("href", &address(&source.base, &piece.to))?;
            set("target", "_blank")?;
            set("rel", "noopener noreferrer")?;
        }
        MarkdownKind::Image
        | MarkdownKind::Text
        | MarkdownKind::Paragraph
        | MarkdownKind::Heading
        | MarkdownKind::List
        | MarkdownKind::Numbered
        | MarkdownKind::Item
        | MarkdownKind::Quote
        | MarkdownKind::Strong
        | MarkdownKind::Emphasis
        | MarkdownKind::Rule
        | MarkdownKind::Table
        | MarkdownKind::Row
        | MarkdownKind::Head
        | MarkdownKind::Cell => {}
    }
    fill_in(&element, source, &piece.inside);
    Some(element)
}

/// Resolves an address relative to the lesson's folder. The engine has checked its scheme.
fn address(base: &str, to: &str) -> String {
    let scheme = to.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    if scheme || to.starts_with(['/', '#', '?']) { to.to_owned() } else { format!("{base}{to}") }
}
