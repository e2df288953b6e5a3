//! What the page uses from JavaScript: `www/bridge.js` and the two bundles.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/www/bridge.js")]
extern "C" {
    #[wasm_bindgen(catch)]
    pub async fn load_bundle(name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn fetch_site(site: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn site_names() -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn storage_get(key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn storage_put(key: &str, value: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn storage_delete(key: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch)]
    pub async fn only_tab(site: &str) -> Result<JsValue, JsValue>;
    /// `[name, text]` of the lesson that the page's address names, `null` if it names none.
    #[wasm_bindgen(catch)]
    pub async fn lesson(kept: &str) -> Result<JsValue, JsValue>;
    /// The course in a language: `[[name, title, site, minutes, summary], ...]`.
    #[wasm_bindgen(catch)]
    pub async fn lessons(language: &str) -> Result<JsValue, JsValue>;
    pub fn go_to_lesson(name: &str);
    /// What the page's address says of something (`site`, `lang`, `theme`, `background`, `embed`); empty: nothing.
    pub fn address(name: &str) -> String;
    /// Takes that out of the page's address, which counts more than what is chosen on the page.
    pub fn forget_address(name: &str);
    /// The bytes of the link in the page's address, or `null`.
    pub fn shared_link() -> JsValue;
    /// Copies a link of these bytes and gives its size; the link itself is the error where it cannot be copied.
    #[wasm_bindgen(catch)]
    pub async fn share_link(bytes: &[u8], site: &str) -> Result<JsValue, JsValue>;
    /// What comes after the page in the address of these bytes.
    pub fn moment_query(bytes: &[u8], site: &str) -> String;
    pub fn go_to_moment(query: &str);
    /// Copies the address of a site or lesson as it begins, and gives it: as an error where it cannot be copied.
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

#[wasm_bindgen(module = "/www/embedded.js")]
extern "C" {
    pub fn listen_to_host(carry_out: &Closure<dyn FnMut(String, String) -> Result<JsValue, JsValue>>);
    pub fn tell_host(name: &str, value: &JsValue);
}

#[wasm_bindgen(module = "/www/dropped.js")]
extern "C" {
    pub fn listen_to_drops(take: &Closure<dyn FnMut(js_sys::Promise)>);
    /// `[[name, text], ...]` of a file input.
    #[wasm_bindgen(catch)]
    pub async fn chosen_files(event: &web_sys::Event) -> Result<JsValue, JsValue>;
}

#[wasm_bindgen(module = "/www/save.js")]
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
    /// A [`JsTerminal`] after some tasks; none where its place is gone by then.
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
    /// A program printed this: said where a screen reader listens.
    #[wasm_bindgen(method)]
    pub fn printed(this: &JsTerminal, text: &str);
    /// The line that is typed, before and behind the cursor: what the keys changed is said.
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
