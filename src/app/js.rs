//! The JavaScript that the page calls: `js/bridge.js`, `js/embedded.js`, `js/dropped.js` and the two bundles.

use js_sys::Array;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/js/bridge.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    pub async fn load_bundle(name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn fetch_site(site: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn site_names() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn storage_get(key: &str) -> Result<JsValue, JsValue>;
    /// The promise is fulfilled once the value is stored.
    pub fn storage_put(key: &str, value: &JsValue) -> js_sys::Promise;
    #[wasm_bindgen(catch)]
    pub async fn storage_delete(key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn only_tab(site: &str) -> Result<JsValue, JsValue>;
    /// `[name, text]` of the lesson in the page's address, or `null`.
    #[wasm_bindgen(catch)]
    pub async fn lesson(kept: &str) -> Result<JsValue, JsValue>;
    /// The lessons in a language: `[[name, title, site, minutes, summary], ...]`.
    #[wasm_bindgen(catch)]
    pub async fn lessons(language: &str) -> Result<JsValue, JsValue>;
    pub fn go_to_lesson(name: &str);
    /// A parameter of the page's address (`site`, `lang`, `theme`, `background`, `embed`); empty if it is missing.
    pub fn address(name: &str) -> String;
    /// Removes a parameter from the page's address, where it would override what is chosen on the page.
    pub fn forget_address(name: &str);
    /// The bytes of the link in the page's address, or `null`.
    pub fn shared_link() -> JsValue;
    /// Copies a link with these bytes and returns its size; the error is the link, where it cannot be copied.
    #[wasm_bindgen(catch)]
    pub async fn share_link(bytes: &[u8], site: &str) -> Result<JsValue, JsValue>;
    /// The query string of a link with these bytes.
    pub fn moment_query(bytes: &[u8], site: &str) -> String;
    pub fn go_to_moment(query: &str);
    /// Copies the address of a site or lesson at its start and returns it; as an error where it cannot be copied.
    #[wasm_bindgen(catch)]
    pub async fn class_link(site: &str, seed: &str, background: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn open_own_site(name: &str, files: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn forget_own_site(name: &str) -> Result<JsValue, JsValue>;
    pub fn let_go(bytes: &js_sys::Uint8Array);
    pub fn early_worker() -> js_sys::Array;
    pub fn download(name: &str, bytes: &[u8]);
    pub fn expose_terminal(text: &Closure<dyn FnMut() -> String>);
}

#[wasm_bindgen(module = "/js/embedded.js")]
extern "C" {
    pub fn listen_to_host(carry_out: &Closure<dyn FnMut(String, String) -> Result<JsValue, JsValue>>);
    pub fn tell_host(name: &str, value: &JsValue);
}

#[wasm_bindgen(module = "/js/dropped.js")]
extern "C" {
    pub fn listen_to_drops(take: &Closure<dyn FnMut(js_sys::Promise)>);
    /// `[[name, text], ...]` of the files in a file input.
    #[wasm_bindgen(catch)]
    pub async fn chosen_files(event: &web_sys::Event) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "/js/save.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    pub async fn save_picture(
        root: &web_sys::HtmlElement,
        name: &str,
        format: &str,
        under: &str,
    ) -> Result<JsValue, JsValue>;
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
    pub fn words(this: &JsEditor, words: &JsValue);
    #[wasm_bindgen(method)]
    pub fn set_options(this: &JsEditor, options: &JsValue);
    #[wasm_bindgen(method)]
    pub fn set_findings(this: &JsEditor, findings: &JsValue);
}

/// The pairs of a JavaScript list `[[name, text], ...]`.
pub fn pairs(list: &JsValue) -> Vec<(String, String)> {
    let text = |value: JsValue| value.as_string().unwrap_or_default();
    Array::from(list)
        .iter()
        .map(|pair| {
            let pair = Array::from(&pair);
            (text(pair.get(0)), text(pair.get(1)))
        })
        .collect()
}

/// The message of a JavaScript error.
pub fn words_of(error: &JsValue) -> String {
    error.dyn_ref::<js_sys::Error>().map_or_else(|| format!("{error:?}"), |e| String::from(e.message()))
}
