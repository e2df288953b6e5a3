//! A lesson's text as elements. They are made one by one from [`Piece`]s: there is no way from a file to HTML.

use crate::protocol::{Piece, PieceKind};
use leptos::html::Div;
use leptos::prelude::*;
use web_sys::Element;

/// The pieces of a text; `name` is the lesson's, which relative addresses start from.
pub fn draw(name: &str, pieces: &[Piece]) -> AnyView {
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

/// The folder of a lesson, as the page's addresses have it.
fn base(name: &str) -> String {
    let at = if name.contains("://") { name.to_owned() } else { format!("lessons/{name}") };
    at.rsplit_once('/').map(|(folder, _)| format!("{folder}/")).unwrap_or_default()
}

fn fill(parent: &Element, base: &str, pieces: &[Piece]) {
    for piece in pieces {
        if piece.kind == PieceKind::Text {
            // An element's text cannot be refused.
            let _ = parent.append_with_str_1(&piece.text);
        } else if let Some(child) = element(base, piece) {
            let _ = parent.append_child(&child);
        }
    }
}

fn element(base: &str, piece: &Piece) -> Option<Element> {
    let tag = match piece.kind {
        PieceKind::Text | PieceKind::Paragraph => "p",
        PieceKind::Heading => "h4",
        PieceKind::List => "ul",
        PieceKind::Numbered => "ol",
        PieceKind::Item => "li",
        PieceKind::Quote => "blockquote",
        PieceKind::Block => "pre",
        PieceKind::Code => "code",
        PieceKind::Strong => "strong",
        PieceKind::Emphasis => "em",
        PieceKind::Link => "a",
        PieceKind::Image => "img",
        PieceKind::Rule => "hr",
        PieceKind::Table => "table",
        PieceKind::Row => "tr",
        PieceKind::Head => "th",
        PieceKind::Cell => "td",
    };
    let element = document().create_element(tag).ok()?;
    let set = |name: &str, value: &str| element.set_attribute(name, value).ok();
    match piece.kind {
        PieceKind::Block | PieceKind::Code => element.set_text_content(Some(&piece.text)),
        PieceKind::Link => {
            set("href", &address(base, &piece.to))?;
            set("target", "_blank")?;
            set("rel", "noopener noreferrer")?;
        }
        PieceKind::Image => {
            set("src", &address(base, &piece.to))?;
            set("alt", &piece.text)?;
            set("loading", "lazy")?;
        }
        PieceKind::Text
        | PieceKind::Paragraph
        | PieceKind::Heading
        | PieceKind::List
        | PieceKind::Numbered
        | PieceKind::Item
        | PieceKind::Quote
        | PieceKind::Strong
        | PieceKind::Emphasis
        | PieceKind::Rule
        | PieceKind::Table
        | PieceKind::Row
        | PieceKind::Head
        | PieceKind::Cell => {}
    }
    fill(&element, base, &piece.inside);
    Some(element)
}

/// Relative addresses begin at the lesson's folder. Schemes were looked at when the file was read.
fn address(base: &str, to: &str) -> String {
    let scheme = to.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    if scheme || to.starts_with(['/', '#', '?']) { to.to_owned() } else { format!("{base}{to}") }
}
