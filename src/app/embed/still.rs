//! Reads what an embedded page shows, for the picture that replaces it in print.

use crate::page::Page;
use crate::{js, location, terminal};
use leptos::prelude::{document, window};
use view::still::{StillCanvas, StillParts, still};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlCanvasElement, HtmlElement};

/// The current view as SVG source.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn draw(page: Page) -> String {
    let clock = find("clock-time").map(|e| text_of(&e)).unwrap_or_default();
    let rows = visible("queue").map(|queue| all(&queue, "[data-testid=\"queue-row\"]")).unwrap_or_default();
    still(&StillParts {
        title: format!("sandbatch {} {clock}", location::parameter("site")),
        cluster: visible("cluster").and_then(|cluster| canvas(&cluster)),
        jobs: rows.iter().map(|row| all(row, "[role=\"cell\"]").iter().map(text_of).collect()).collect(),
        terminal: visible("terminal").map(|_| terminal::front_text(page)),
    })
}

fn find(name: &str) -> Option<Element> {
    document().query_selector(&format!("[data-testid=\"{name}\"]")).ok().flatten()
}

/// A part of the page, if it is laid out.
fn visible(name: &str) -> Option<Element> {
    find(name).filter(|e| e.dyn_ref::<HtmlElement>().is_some_and(|e| e.offset_width() > 0))
}

fn all(inside: &Element, selector: &str) -> Vec<Element> {
    js::elements(inside.query_selector_all(selector))
}

/// The page's background.
fn ground() -> String {
    let style =
        document().document_element().and_then(|root| window().get_computed_style(&root).ok().flatten());
    style.and_then(|style| style.get_property_value("--surface-0").ok()).unwrap_or_default()
}

fn text_of(element: &Element) -> String {
    element.text_content().unwrap_or_default()
}

fn canvas(cluster: &Element) -> Option<StillCanvas> {
    let canvas: HtmlCanvasElement = cluster.query_selector("canvas").ok()??.dyn_into().ok()?;
    let shape = canvas.get_bounding_client_rect();
    if canvas.width() == 0 || canvas.height() == 0 {
        return None;
    }
    Some(StillCanvas {
        width: shape.width(),
        height: shape.height(),
        ground: js::plain_colour(&ground()),
        data: canvas.to_data_url().ok()?,
    })
}
