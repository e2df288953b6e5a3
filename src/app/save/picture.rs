//! Reads a drawn picture and what the panel says about it, and saves it as SVG or PNG. Colours and fonts come from the page's
//! style sheet, so they are written into the copy.

use crate::{download, js};
use futures_channel::oneshot;
use gloo_file::Blob;
use leptos::prelude::{document, window};
use view::picture_file::{
    FileLegend, FilePicture, LegendSign, PictureFile, SignBorder, first_colour, picture_file,
};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    CssStyleDeclaration, Element, HtmlCanvasElement, HtmlElement, HtmlImageElement, XmlSerializer,
};

/// The properties that a copy needs.
const STYLES: [&str; 16] = [
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "stroke-opacity",
    "stroke-linejoin",
    "stroke-linecap",
    "paint-order",
    "opacity",
    "font-family",
    "font-size",
    "font-weight",
    "text-anchor",
    "dominant-baseline",
    "font-variant-numeric",
];
/// Pixels of a PNG for each pixel of the page.
const SCALE: f64 = 2.0;

/// Saves the pictures in an element as one `svg` or `png`. `caption` is the site and the time.
pub async fn save(
    root: HtmlElement,
    name: String,
    format: &'static str,
    caption: String,
) -> Result<(), JsValue> {
    let (text, width, height) = read(&root, caption)?;
    if format == "svg" {
        download::blob(&name, Blob::new_with_options(text.as_str(), Some("image/svg+xml")));
        return Ok(());
    }
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
    canvas.set_width((width * SCALE) as u32);
    canvas.set_height((height * SCALE) as u32);
    let image = HtmlImageElement::new()?;
    let source = String::from(js_sys::encode_uri_component(&text));
    image.set_src(&format!("data:image/svg+xml;charset=utf-8,{source}"));
    JsFuture::from(image.decode()).await?;
    let pen = js::pen(&canvas).ok_or("canvas")?;
    let (width, height) = (f64::from(canvas.width()), f64::from(canvas.height()));
    pen.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)?;
    let (sender, made) = oneshot::channel();
    let made_it = Closure::once(move |blob: Option<web_sys::Blob>| {
        // This function waits for it.
        let _ = sender.send(blob);
    });
    canvas.to_blob(made_it.as_ref().unchecked_ref())?;
    match made.await {
        Ok(Some(blob)) => download::blob(&name, blob.into()),
        Ok(None) | Err(_) => return Err("too large".into()),
    }
    Ok(())
}

fn read(root: &HtmlElement, caption: String) -> Result<(String, f64, f64), JsValue> {
    let drawn = all(root, "svg.picture");
    let first = drawn.first().ok_or("no picture")?;
    let panel = root.closest("section")?.unwrap_or_else(|| root.clone().into());
    let style = style(&panel)?;
    let font = value(&style, "font-family");
    let mut names: Vec<String> =
        [&panel, first].iter().filter_map(|e| e.get_attribute("aria-label")).collect();
    names.dedup();
    let sentence = panel.query_selector(".verdict:not(.preview)")?.and_then(|e| e.text_content());
    let legend = all(&panel, ".legend > span, .signs > span").iter().map(entry).collect::<Result<_, _>>()?;
    let pictures = drawn.iter().map(copy).collect::<Result<_, _>>()?;
    let file = PictureFile {
        ink: js::plain_colour(&value(&style, "color")),
        ground: ground(root)?,
        title: names.join(" · "),
        caption,
        sentence: sentence.unwrap_or_default(),
        legend,
        pictures,
        font,
    };
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
    let pen = js::pen(&canvas).ok_or("canvas")?;
    pen.set_font(&format!("12px {}", file.font));
    Ok(picture_file(&file, |text| pen.measure_text(text).map_or(0.0, |m| m.width())))
}

fn all(inside: &Element, selector: &str) -> Vec<Element> {
    js::elements(inside.query_selector_all(selector))
}

fn style(element: &Element) -> Result<CssStyleDeclaration, JsValue> {
    window().get_computed_style(element)?.ok_or_else(|| "no style".into())
}

fn value(style: &CssStyleDeclaration, name: &str) -> String {
    style.get_property_value(name).unwrap_or_default()
}

/// A length in pixels.
fn pixels(style: &CssStyleDeclaration, name: &str) -> f64 {
    value(style, name).trim_end_matches("px").parse().unwrap_or(0.0)
}

/// The nearest background behind an element.
fn ground(element: &Element) -> Result<String, JsValue> {
    let mut at = Some(element.clone());
    while let Some(element) = at {
        let colour = value(&style(&element)?, "background-color");
        if !matches!(colour.as_str(), "transparent" | "rgba(0, 0, 0, 0)") {
            return Ok(js::plain_colour(&colour));
        }
        at = element.parent_element();
    }
    Ok("white".to_owned())
}

/// A copy of a picture that needs no style sheet.
fn copy(svg: &Element) -> Result<FilePicture, JsValue> {
    let shape = svg.get_bounding_client_rect();
    let (width, height) = (shape.width(), shape.height());
    let copy: Element = svg.clone_node_with_deep(true)?.unchecked_into();
    let from = std::iter::once(svg.clone()).chain(all(svg, "*"));
    let to = std::iter::once(copy.clone()).chain(all(&copy, "*"));
    for (from, to) in from.zip(to) {
        let style = style(&from)?;
        if value(&style, "display") == "none" {
            to.set_attribute("display", "none")?;
        }
        let texts = STYLES.map(|name| format!("{name}:{}", js::plain_colour(&value(&style, name))));
        to.set_attribute("style", &texts.join(";"))?;
        to.remove_attribute("class")?;
    }
    if !copy.has_attribute("viewBox") {
        copy.set_attribute("viewBox", &format!("0 0 {width} {height}"))?;
    }
    copy.set_attribute("width", &width.to_string())?;
    copy.set_attribute("height", &height.to_string())?;
    Ok(FilePicture { svg: XmlSerializer::new()?.serialize_to_string(&copy)?, width, height })
}

/// An entry of the legend.
fn entry(item: &Element) -> Result<FileLegend, JsValue> {
    let text = item.text_content().unwrap_or_default();
    let Some(symbol) = item.query_selector("i")? else {
        return Ok(FileLegend { text, sign: LegendSign::default() });
    };
    let style = style(&symbol)?;
    let border = |side: &str| SignBorder {
        width: pixels(&style, &format!("border-{side}-width")),
        style: value(&style, &format!("border-{side}-style")),
        colour: js::plain_colour(&value(&style, &format!("border-{side}-color"))),
    };
    let image = value(&style, "background-image");
    let fading = first_colour(&image);
    let width = Some(pixels(&style, "width")).filter(|width| *width > 0.0).unwrap_or(10.0);
    let sign = LegendSign {
        // A patch that ends early is a gradient from its colour to transparent.
        width: if fading.is_some() { width - 8.0 } else { width },
        height: pixels(&style, "height"),
        opacity: value(&style, "opacity"),
        top: border("top"),
        right: border("right"),
        fill: js::plain_colour(fading.map_or(value(&style, "background-color"), str::to_owned).as_str()),
    };
    Ok(FileLegend { text, sign })
}
