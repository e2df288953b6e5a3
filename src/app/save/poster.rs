//! A picture of the cluster, the time line, the clock and the site in one image, to be pasted elsewhere. At the end of a lesson, the
//! lesson's title takes the place of the figures.

use crate::canvas::{Tokens, text};
use crate::page::Page;
use crate::{download, js, location};
use futures_channel::oneshot;
use js_sys::{Array, Function, Object, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use view::cluster::{Rect, shortened};
use view::poster::{MARGIN, PosterLayout, WIDTH, layout};
use view::times::dated;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlElement};

/// Characters of a lesson's title that fit.
const LONG_TITLE: usize = 60;
/// Pixels of the image for each pixel of the page.
const SCALE: f64 = 2.0;
/// The pictures of the page that may be in it.
const PICTURES: [&str; 3] = [
    "[data-testid=\"cluster\"] canvas",
    "[data-testid=\"gantt\"] canvas",
    "[data-testid=\"time-rail\"] canvas",
];

/// Copies the picture, or saves it where the browser copies no pictures.
#[inline(never)] // The deferred module begins here (xtask/src/halves).
pub fn copy(page: Page) {
    copied(page, None);
}

/// Copies the picture with a lesson's title, and a line below it.
pub fn copy_card(page: Page, title: String, line: String) {
    copied(page, Some((title, line)));
}

fn copied(page: Page, card: Option<(String, String)>) {
    spawn_local(async move {
        match image(page, card).await {
            Ok(blob) if on_clipboard(&blob).await.is_ok() => {
                page.notices.toast(untrack(|| page.later()).poster_copied.to_owned());
            }
            Ok(blob) => {
                download::blob(&super::file_name(page, "cluster", "png"), blob.into());
                page.notices.toast(untrack(|| page.later()).poster_saved.to_owned());
            }
            Err(error) => {
                page.tell(|w| w.save_failed, js::words_of(&error), crate::notices::NoticeOffer::None)
            }
        }
    });
}

async fn on_clipboard(blob: &web_sys::Blob) -> Result<(), JsValue> {
    let item: Function = js::property(&window(), "ClipboardItem").dyn_into()?;
    let kinds = Object::new();
    Reflect::set(&kinds, &blob.type_().into(), blob)?;
    let item = Reflect::construct(&item, &Array::of1(&kinds))?;
    let clipboard = js::property(&window().navigator(), "clipboard");
    let write: Function = js::property(&clipboard, "write").dyn_into()?;
    JsFuture::from(write.call1(&clipboard, &Array::of1(&item))?.dyn_into::<js_sys::Promise>()?).await?;
    Ok(())
}

/// The canvases that are laid out.
fn pictures() -> Vec<HtmlCanvasElement> {
    let found = PICTURES.iter().filter_map(|selector| document().query_selector(selector).ok().flatten());
    found
        .filter_map(|element| element.dyn_into::<HtmlCanvasElement>().ok())
        .filter(|canvas| canvas.offset_width() > 0 && canvas.width() > 0 && canvas.height() > 0)
        .collect()
}

async fn image(page: Page, card: Option<(String, String)>) -> Result<web_sys::Blob, JsValue> {
    let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
    let shown = pictures();
    let sizes: Vec<(f64, f64)> =
        shown.iter().map(|c| (f64::from(c.offset_width()), f64::from(c.offset_height()))).collect();
    let places = layout(&sizes);
    canvas.set_width((WIDTH * SCALE) as u32);
    canvas.set_height((places.height * SCALE) as u32);
    let ctx = js::pen(&canvas).ok_or("canvas")?;
    ctx.scale(SCALE, SCALE)?;
    let page_element: HtmlElement =
        document().query_selector(".page")?.and_then(|e| e.dyn_into().ok()).ok_or("no page")?;
    let tokens = Tokens::read(&page_element);
    ctx.set_fill_style_str(&tokens.surface);
    ctx.fill_rect(0.0, 0.0, WIDTH, places.height);
    untrack(|| title(page, &ctx, &tokens));
    match &card {
        Some((title, line)) => lesson(&ctx, &tokens, &places, title, line),
        None => figures(&ctx, &tokens, &places),
    }
    for (picture, Rect { x, y, w, h }) in shown.iter().zip(&places.pictures) {
        ctx.draw_image_with_html_canvas_element_and_dw_and_dh(picture, *x, *y, *w, *h)?;
    }
    let small = format!("13px {}", tokens.font);
    let words = untrack(|| page.later());
    text(&ctx, words.about, MARGIN, places.foot, &small, &tokens.faint);
    let here = location::here();
    if !here.is_local() {
        ctx.set_text_align("right");
        text(&ctx, here.place(), WIDTH - MARGIN, places.foot, &small, &tokens.faint);
    }
    blob(&canvas).await
}

/// The name, the site, and the simulated time.
fn title(page: Page, ctx: &CanvasRenderingContext2d, tokens: &Tokens) {
    let base = MARGIN + 22.0;
    let end = text(ctx, "sandbatch", MARGIN, base, &format!("700 26px {}", tokens.font), &tokens.accent);
    let code = page.prefs.lang.get().code();
    let site = page.started.with(|s| {
        let titles = s.as_ref().map(|s| s.title.clone()).unwrap_or_default();
        titles
            .iter()
            .find(|(lang, _)| lang == code)
            .or_else(|| titles.first())
            .map(|(_, title)| title.clone())
    });
    let site = site.filter(|site| !site.is_empty()).unwrap_or_else(|| page.site.get());
    text(ctx, &site, end + 20.0, base, &format!("20px {}", tokens.font), &tokens.strong);
    ctx.set_text_align("right");
    let now = dated(page.clock.get().now, page.t().calendar);
    text(ctx, &now, WIDTH - MARGIN, base, &format!("600 20px {}", tokens.font), &tokens.strong);
    ctx.set_text_align("left");
}

/// The title of a lesson that is done, and a line below it.
fn lesson(ctx: &CanvasRenderingContext2d, tokens: &Tokens, places: &PosterLayout, title: &str, line: &str) {
    let (top, title) = (places.figures, shortened(title, LONG_TITLE));
    let end = text(ctx, "✓ ", MARGIN, top + 26.0, &format!("600 30px {}", tokens.font), &tokens.good);
    text(ctx, &title, end, top + 26.0, &format!("600 30px {}", tokens.font), &tokens.strong);
    text(ctx, line, MARGIN, top + 54.0, &format!("18px {}", tokens.font), &tokens.faint);
}

/// The figures, as the page shows them.
fn figures(ctx: &CanvasRenderingContext2d, tokens: &Tokens, places: &PosterLayout) {
    let word = |figure: &Element, selector: &str| {
        figure.query_selector(selector).ok().flatten().and_then(|e| e.text_content()).unwrap_or_default()
    };
    let mut x = MARGIN;
    for figure in js::elements(document().query_selector_all(".figure")) {
        let top = places.figures;
        let label = word(&figure, "small");
        let first = text(ctx, &label, x, top + 14.0, &format!("14px {}", tokens.font), &tokens.faint);
        let number = word(&figure, "b");
        let end = text(ctx, &number, x, top + 48.0, &format!("600 30px {}", tokens.font), &tokens.strong);
        let rest = word(&figure, "p span");
        let second = text(ctx, &rest, end + 8.0, top + 48.0, &format!("18px {}", tokens.font), &tokens.faint);
        x = first.max(second) + 56.0;
    }
}

async fn blob(canvas: &HtmlCanvasElement) -> Result<web_sys::Blob, JsValue> {
    let (sender, made) = oneshot::channel();
    let made_it = Closure::once(move |blob: Option<web_sys::Blob>| {
        // This function waits for it.
        let _ = sender.send(blob);
    });
    canvas.to_blob(made_it.as_ref().unchecked_ref())?;
    made.await.ok().flatten().ok_or_else(|| "too large".into())
}
