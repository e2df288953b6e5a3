// <sandbatch-cluster site="lab" lesson="en/01-first-job" panels="terminal cluster" lang="fr" height="420">: a live cluster
// in any page. docs/embed.md tells of it. It is a frame of the page that this file came from: nothing is loaded before it
// is seen, no headers are needed, and without JavaScript what stands inside the element (a link, a picture) stays.

// A plain script, not a module: those of another origin would need headers.
(() => {
const home = new URL("./", document.currentScript.src);
const PANELS = ["editor", "terminal", "cluster", "queue"];
/** A host that asks for nothing else gets what most texts need. */
const USUAL = "terminal cluster queue";
const PATIENCE = 30_000;

class SandbatchCluster extends HTMLElement {
  static observedAttributes = ["site", "lesson", "panels", "lang", "height", "background", "theme"];
  #frame = null;
  #seen = false;
  #waiting = new Map();
  #next = 1;
  #ready = null;
  #themes = null;

  connectedCallback() {
    this.style.display ||= "block";
    if (this.#frame) return;
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      this.#seen = true;
      this.#show();
    }, { rootMargin: "200px" });
    watch.observe(this);
    window.addEventListener("message", this.#receive);
    this.#themes = new MutationObserver(() => this.#theme());
    this.#themes.observe(document.documentElement, { attributes: true });
    if (document.body) this.#themes.observe(document.body, { attributes: true });
  }

  disconnectedCallback() {
    window.removeEventListener("message", this.#receive);
    this.#themes?.disconnect();
    this.#frame?.remove();
    this.#frame = null;
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.#frame) return;
    if (name === "height") this.#frame.style.height = this.#height();
    else if (name === "theme") this.#theme();
    else this.load();
  }

  /** Loads it anew: another site or lesson. `{site, lesson, background, lang, panels}`. */
  load(what = {}) {
    for (const [name, value] of Object.entries(what)) {
      if (SandbatchCluster.observedAttributes.includes(name)) this.setAttribute(name, value);
    }
    if (this.#frame) {
      this.#begin();
      this.#frame.src = this.#address();
    }
    return this.#ready;
  }

  /** Types a line (several, each when the one before has ended). */
  type(text) {
    return this.#ask("type", String(text));
  }

  /** Puts a file into the home of who types, and opens it. */
  file(name, text) {
    return this.#ask("file", `${name}\n${text}`);
  }

  /** Goes ahead so many seconds of the cluster's time. */
  advance(seconds) {
    return this.#ask("advance", String(Math.trunc(Number(seconds) || 0)));
  }

  /** `{ now, pending, running, passed, steps, site, user }`; `now` is a Date. */
  async state() {
    const state = await this.#ask("state", "");
    return { ...state, now: new Date(state.now) };
  }

  #height() {
    const height = this.getAttribute("height") || "420";
    return /^\d+$/.test(height) ? `${height}px` : height;
  }

  #address() {
    const url = new URL("./", home);
    const panels = (this.getAttribute("panels") || USUAL).split(/[\s,]+/).filter((p) => PANELS.includes(p));
    url.searchParams.set("embed", panels.join(" ") || USUAL);
    for (const name of ["site", "lesson", "background", "lang"]) {
      const value = this.getAttribute(name);
      if (value) url.searchParams.set(name, value);
    }
    url.searchParams.set("theme", this.#shade());
    if (this.hasAttribute("link")) url.hash = this.getAttribute("link").replace(/^.*#/, "");
    return url.href;
  }

  #begin() {
    this.#ready = new Promise((resolve, reject) => {
      this.#waiting.set("ready", { resolve, reject });
    });
    this.#ready.catch(() => {});
  }

  #show() {
    const frame = document.createElement("iframe");
    frame.title = this.getAttribute("title") || "A simulated Slurm cluster";
    frame.allow = "clipboard-write";
    frame.style.cssText = "width:100%;border:1px solid color-mix(in srgb, currentColor 25%, transparent);border-radius:8px;background:transparent";
    frame.style.height = this.#height();
    this.#frame = frame;
    this.#begin();
    frame.src = this.#address();
    this.replaceChildren(frame);
    const script = this.getAttribute("script");
    if (script) this.#script(script);
  }

  /** `script="#id"` is the text of an element of this page, anything else an address. */
  async #script(from) {
    const text = from.startsWith("#")
      ? document.querySelector(from)?.textContent
      : await fetch(from).then((answer) => (answer.ok ? answer.text() : undefined));
    const name = (from.startsWith("#") ? from.slice(1) : from.split("/").pop()).replace(/[^\w.-]/g, "") || "job";
    if (text) await this.file(/\.\w+$/.test(name) ? name : `${name}.sh`, text.replace(/^\s*\n/, ""));
  }

  async #ask(what, value) {
    if (!this.#seen) {
      this.#seen = true;
      this.#show();
    }
    await this.#ready;
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      setTimeout(() => this.#settle(id, "reject", new Error(`no answer to ${what}`)), PATIENCE);
    });
    this.#send({ sandbatch: 1, id, do: what, value });
    return answer;
  }

  #send(message) {
    this.#frame?.contentWindow?.postMessage(message, home.origin === "null" ? "*" : home.origin);
  }

  #settle(id, how, value) {
    this.#waiting.get(id)?.[how](value);
    this.#waiting.delete(id);
  }

  #receive = (event) => {
    if (!this.#frame || event.source !== this.#frame.contentWindow || event.data?.sandbatch !== 1) return;
    const { id, event: name, value, error } = event.data;
    if (id !== undefined) {
      this.#settle(id, error ? "reject" : "resolve", error ? new Error(error) : value);
    } else if (["ready", "passed", "jobs"].includes(name)) {
      if (name === "ready") this.#settle("ready", "resolve");
      this.dispatchEvent(new CustomEvent(`sandbatch-${name}`, { detail: value, bubbles: true }));
    }
  };

  /** Light or dark, as the attribute says, else as the ground behind the element is. */
  #shade() {
    const asked = this.getAttribute("theme");
    if (asked === "light" || asked === "dark") return asked;
    for (let element = this.parentElement; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor.match(/[\d.]+/g)?.map(Number) ?? [];
      if (colour.length < 3 || colour[3] === 0) continue;
      return 0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2] < 110 ? "dark" : "light";
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  #theme() {
    this.#send({ sandbatch: 1, do: "theme", value: this.#shade() });
  }
}

if (!customElements.get("sandbatch-cluster")) customElements.define("sandbatch-cluster", SandbatchCluster);

/** Puts a "try it" button on a page's code blocks: `sandbatch.try_it("pre code.language-bash", { site: "lab" })`. */
function try_it(selector = "pre > code.language-bash, pre > code.language-sbatch, pre > code.language-slurm", options = {}) {
  for (const code of document.querySelectorAll(selector)) {
    const block = code.closest("pre") ?? code;
    const text = code.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sandbatch-try";
    button.textContent = options.label ?? (document.documentElement.lang.startsWith("fr") ? "Essayer" : "Try it");
    button.addEventListener("click", async () => {
      const cluster = document.createElement("sandbatch-cluster");
      for (const [name, value] of Object.entries(options)) cluster.setAttribute(name, value);
      button.replaceWith(cluster);
      // A script is opened in the editor, commands are typed.
      if (text.startsWith("#!")) {
        cluster.setAttribute("panels", options.panels ?? "editor terminal");
        await cluster.file("job.sh", text);
      } else {
        await cluster.type(text.replace(/^\$ /gm, ""));
      }
    });
    block.after(button);
  }
}

window.sandbatch = { ...window.sandbatch, try_it };
})();
