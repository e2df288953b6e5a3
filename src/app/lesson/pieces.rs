//! A lesson's text as elements, made one by one from [`MarkdownElement`]s, so that nothing in a file becomes HTML.

use leptos::html::Div;
use leptos::prelude::*;
use protocol::{MarkdownElement, MarkdownKind};
use web_sys::Element;

/// Draws the pieces of a text. Relative addresses start from the lesson's `name`.
pub fn draw(name: &str, pieces: &[MarkdownElement]) -> AnyView {
    let host = NodeRef::<Div>::new();
    let (base, pieces) = (base(name), pieces.to_vec());
    Effect::new(move || {
        if let Some(element) = host.get() {
            let element: &Element = &element;
            element.set_text_content(None);
            fill(element, &base, &pieces);
        }
    });
    view! { <div class="prose" node_ref=host></div> }.into_any()
}

/// The folder of a lesson, in the page's addresses.
fn base(name: &str) -> String {
    let at = if name.contains("://") { name.to_owned() } else { format!("lessons/{name}") };
    at.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default()
}

fn fill(parent: &Element, base: &str, pieces: &[MarkdownElement]) {
    for piece in pieces {
        if piece.kind == MarkdownKind::Text {
            // Appending text cannot fail.
            let _ = parent.append_with_str_1(&piece.text);
        } else if let Some(child) = element(base, piece) {
            let _ = parent.append_child(&child);
        }
    }
}

fn element(base: &str, piece: &MarkdownElement) -> Option<Element> {
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
        MarkdownKind::Image => "img",
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
            set("href", &address(base, &piece.to))?;
            set("target", "_blank")?;
            set("rel", "noopener noreferrer")?;
        }
        MarkdownKind::Image => {
            set("src", &address(base, &piece.to))?;
            set("alt", &piece.text)?;
            set("loading", "lazy")?;
        }
        MarkdownKind::Text
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
    fill(&element, base, &piece.inside);
    Some(element)
}

/// Resolves an address relative to the lesson's folder. The engine has checked its scheme.
fn address(base: &str, to: &str) -> String {
    let scheme = to.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    if scheme || to.starts_with(['/', '#', '?']) { to.to_owned() } else { format!("{base}{to}") }
}
