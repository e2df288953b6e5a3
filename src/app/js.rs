//! What the page calls in JavaScript: the two bundles around xterm.js and CodeMirror, and small helpers for values of the
//! browser.

use gloo_timers::future::TimeoutFuture;
use js_sys::{Object, Promise, Reflect};
use leptos::prelude::{document, window};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement, HtmlMetaElement, NodeList};

#[wasm_bindgen(module = "/js/bundle.js")]
extern "C" {
    /// `import()`, which Rust does not have.
    fn import_module(address: &str) -> Promise;
}

/// The name of a file or folder of this build, which the build has put into a `<meta>` element.
pub fn named_by_build(name: &str) -> Option<String> {
    let meta = document().query_selector(&format!("meta[name=\"sandbatch-{name}\"]")).ok()??;
    Some(meta.dyn_into::<HtmlMetaElement>().ok()?.content())
}

/// Loads a bundle.
pub async fn load_bundle(name: &str) -> Result<JsValue, JsValue> {
    let file = named_by_build(name).ok_or_else(|| js_sys::Error::new(&format!("no bundle {name}")))?;
    let base = document().base_uri()?.unwrap_or_default();
    let bundle = JsFuture::from(import_module(&web_sys::Url::new_with_base(&file, &base)?.href())).await?;
    // Continue in a new task, so that the browser can paint and handle keys in between.
    TimeoutFuture::new(0).await;
    Ok(bundle)
}

/// Takes what a script of `www` left in a global variable, once.
pub fn take_global(name: &str) -> Option<JsValue> {
    let value = property(&window(), name);
    // A variable that a script has set can be deleted.
    let _ = Reflect::delete_property(&window(), &name.into());
    value.is_object().then_some(value)
}

/// A property of a value; undefined if there is none.
pub fn property(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

/// Frees the memory of bytes immediately. A saved session has megabytes every few seconds, which the garbage collector would
/// let pile up.
pub fn free_buffer(bytes: &js_sys::Uint8Array) {
    let buffer = bytes.buffer();
    // Older browsers cannot transfer it.
    if property(&buffer, "transfer").is_function() {
        let _ = buffer.transfer_with_length(0);
    }
}

thread_local! {
    /// Returns the front terminal's text.
    static TEXT: RefCell<Option<Closure<dyn FnMut() -> String>>> = const { RefCell::new(None) };
}

/// For the browser tests: `__sandbatch.terminalText()` returns the front terminal's text. Read-only.
pub fn expose_terminal(text: impl FnMut() -> String + 'static) {
    TEXT.with_borrow_mut(|slot| {
        if slot.is_some() {
            return;
        }
        let text = slot.insert(Closure::new(text));
        let (exposed, property) = (Object::new(), Object::new());
        // Setting properties of new objects cannot fail.
        let _ = Reflect::set(&exposed, &"terminalText".into(), text.as_ref());
        let _ = Reflect::set(&property, &"value".into(), &Object::freeze(&exposed));
        Object::define_property(&window(), &"__sandbatch".into(), &property);
    });
}

/// The elements in a list of nodes.
pub fn elements(list: Result<NodeList, JsValue>) -> Vec<Element> {
    let list = list.iter().flat_map(|list| (0..list.length()).filter_map(|i| list.get(i)));
    list.filter_map(|node| node.dyn_into().ok()).collect()
}

/// The drawing context of a canvas.
pub fn pen(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok()??.dyn_into().ok()
}

/// A colour in a form that every viewer understands: only browsers read `oklch()`.
pub fn plain_colour(colour: &str) -> String {
    let colour = colour.trim();
    let special = ["oklch(", "oklab(", "lab(", "lch(", "color("].iter().any(|name| colour.starts_with(name));
    if special { drawn_colour(colour).unwrap_or_default() } else { colour.to_owned() }
}

fn drawn_colour(colour: &str) -> Option<String> {
    let canvas: HtmlCanvasElement = document().create_element("canvas").ok()?.unchecked_into();
    canvas.set_width(1);
    canvas.set_height(1);
    let pen = pen(&canvas)?;
    pen.set_fill_style_str(colour);
    pen.fill_rect(0.0, 0.0, 1.0, 1.0);
    let drawn = pen.get_image_data(0.0, 0.0, 1.0, 1.0).ok()?.data();
    let [r, g, b, a] = <[u8; 4]>::try_from(drawn.as_slice()).ok()?;
    Some(match a {
        255 => format!("rgb({r}, {g}, {b})"),
        a => format!("rgba({r}, {g}, {b}, {:.3})", f64::from(a) / 255.0),
    })
}

#[wasm_bindgen]
extern "C" {
    /// The module of `www/terminal.js`.
    pub type TerminalModule;
    /// Opens a [`JsTerminal`] after some tasks; none if its element is gone by then.
    #[wasm_bindgen(method, catch)]
    pub async fn open_terminal(
        this: &TerminalModule,
        host: &web_sys::HtmlElement,
        on_data: &Closure<dyn FnMut(String)>,
        on_size: &Closure<dyn FnMut(u16, u16)>,
        width: &Closure<dyn FnMut(u32) -> u16>,
    ) -> Result<JsValue, JsValue>;

    /// An xterm.js terminal.
    pub type JsTerminal;
    #[wasm_bindgen(method)]
    pub fn write(this: &JsTerminal, text: &str);
    #[wasm_bindgen(method)]
    pub fn focus(this: &JsTerminal);
    #[wasm_bindgen(method)]
    pub fn theme(this: &JsTerminal);
    #[wasm_bindgen(method)]
    pub fn screen_reader(this: &JsTerminal, on: bool);
    #[wasm_bindgen(method)]
    pub fn label(this: &JsTerminal, text: &str, too_much: &str);
    /// A program printed this: it is announced in screen reader mode.
    #[wasm_bindgen(method)]
    pub fn printed(this: &JsTerminal, text: &str);
    /// The line that is being typed, before and after the cursor: changes are announced.
    #[wasm_bindgen(method)]
    pub fn line(this: &JsTerminal, before: &str, after: &str);
    #[wasm_bindgen(method)]
    pub fn text(this: &JsTerminal) -> String;
    #[wasm_bindgen(method)]
    pub fn dispose(this: &JsTerminal);

    /// The module of `www/editor.js`.
    pub type EditorModule;
    #[wasm_bindgen(method, catch)]
    pub fn open_editor(
        this: &EditorModule,
        host: &web_sys::HtmlElement,
        on_change: &Closure<dyn FnMut(String, String)>,
        on_save: &Closure<dyn FnMut()>,
    ) -> Result<JsEditor, JsValue>;

    /// A CodeMirror editor.
    #[derive(Clone)]
    pub type JsEditor;
    #[wasm_bindgen(method)]
    pub fn show(this: &JsEditor, path: &str, text: &str);
    #[wasm_bindgen(method)]
    pub fn replace(this: &JsEditor, path: &str, text: &str);
    #[wasm_bindgen(method)]
    pub fn forget(this: &JsEditor, path: &str);
    #[wasm_bindgen(method)]
    pub fn focus(this: &JsEditor);
    #[wasm_bindgen(method, js_name = text)]
    pub fn editor_text(this: &JsEditor) -> String;
    #[wasm_bindgen(method)]
    pub fn words(this: &JsEditor, words: &js_sys::Array);
    #[wasm_bindgen(method)]
    pub fn set_options(this: &JsEditor, options: &JsValue);
    #[wasm_bindgen(method)]
    pub fn set_findings(this: &JsEditor, findings: &JsValue);
}

/// The message of a JavaScript error.
pub fn words_of(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |e| String::from(e.message()))
}
