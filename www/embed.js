// <sandbatch-cluster site="lab" lesson="en/01-first-job" panels="terminal cluster" lang="fr" height="420">: a live cluster
// in any page. docs/embed.md tells of it. It is a frame of the page that this file came from: nothing is loaded before it
// is seen, no headers are needed, and without JavaScript what stands inside the element (a link, a picture) stays.

// A plain script, not a module: those of another origin would need headers.
(() => {
/** What the messages between element and page mean. Within one number things are added, nothing is changed. */
const PROTOCOL = 1;
const source = new URL(document.currentScript.src);
const home = new URL("./", source);
const PANELS = ["editor", "terminal", "cluster", "queue"];
/** A host that asks for nothing else gets what most texts need. */
const USUAL = "terminal cluster queue";
/** What is said in the frame's address. */
const ASKED = ["site", "lesson", "background", "lang"];
/** Milliseconds until an answer is given up, and a page that says nothing. */
const PATIENCE = 30_000;
const PATIENCE_AT_FIRST = 120_000;
/** Milliseconds that a frame waits at most for the one before it. */
const TURN = 10_000;
/** Milliseconds between a change and the picture of it for print. */
const STILL = 2_000;
/** Pixels. */
const USUAL_HEIGHT = 420;
const HEIGHTS = [120, 4000];

/** On paper a picture of the cluster stands where the frame is, or what was inside the element. */
const style = new CSSStyleSheet();
style.replaceSync(`
  sandbatch-cluster { display: block }
  sandbatch-cluster > .sandbatch-still { display: none }
  .sandbatch-still > img { max-width: 100% }
  @media print {
    sandbatch-cluster > iframe { display: none !important }
    sandbatch-cluster > .sandbatch-still { display: block; break-inside: avoid }
    .sandbatch-try { display: none !important }
  }
  .sandbatch-try {
    margin: 4px 0; padding: 3px 12px; border: 1px solid; border-radius: 6px;
    background: transparent; color: inherit; font: 600 13px/1.5 system-ui, sans-serif; cursor: pointer;
  }
  .sandbatch-try:hover, .sandbatch-try:focus-visible { background: color-mix(in srgb, currentColor 12%, transparent) }
`);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];

class SandbatchCluster extends HTMLElement {
  static observedAttributes = [...ASKED, "panels", "height", "theme", "link"];
  #frame = null;
  #still = null;
  #waiting = new Map();
  #next = 1;
  #ready = null;
  #themes = null;
  #watch = null;
  #drawing = 0;

  connectedCallback() {
    if (this.#frame) return;
    this.#watch = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) this.#show();
    }, { rootMargin: "200px" });
    this.#watch.observe(this);
    window.addEventListener("message", this.#receive);
    this.#themes = new MutationObserver(() => this.#theme());
    for (const element of [document.documentElement, document.body]) {
      if (element) this.#themes.observe(element, { attributes: true });
    }
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.#theme);
    const poster = this.getAttribute("poster");
    if (poster && !this.#still) this.prepend(Object.assign(document.createElement("img"), { src: poster, alt: this.#title() }));
  }

  disconnectedCallback() {
    window.removeEventListener("message", this.#receive);
    matchMedia("(prefers-color-scheme: dark)").removeEventListener("change", this.#theme);
    this.#themes?.disconnect();
    this.#watch?.disconnect();
    clearTimeout(this.#drawing);
    if (!this.#frame) return;
    // What stood inside comes back: a page may move the element.
    this.#frame = null;
    this.replaceChildren(...this.#still.childNodes);
    this.#still = null;
    for (const { reject } of this.#waiting.values()) reject(new Error("the element was taken out of the page"));
    this.#waiting.clear();
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.#frame) return;
    if (name === "height") this.#frame.style.height = this.#height();
    else if (name === "theme") this.#theme();
    else this.#begin();
  }

  /** Loads it anew: another site or lesson. `{site, lesson, background, lang, panels, link}`. */
  load(what = {}) {
    const frame = this.#frame;
    // One load, whatever changes.
    this.#frame = null;
    for (const [name, value] of Object.entries(what)) {
      if (!SandbatchCluster.observedAttributes.includes(name)) continue;
      if (value === null || value === "") this.removeAttribute(name);
      else this.setAttribute(name, value);
    }
    this.#frame = frame;
    if (frame) this.#begin();
    else this.#show();
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

  /** What is seen, as the text of an SVG: for print, or to be kept as the element's `poster`. */
  picture() {
    return this.#ask("picture", "");
  }

  #title() {
    return this.getAttribute("title") || "A simulated Slurm cluster";
  }

  /** Pixels or a length; what is neither is not taken. */
  #height() {
    const height = (this.getAttribute("height") ?? "").trim();
    const pixels = /^\d+(px)?$/.test(height) ? parseInt(height, 10) : NaN;
    if (pixels) return `${Math.min(Math.max(pixels, HEIGHTS[0]), HEIGHTS[1])}px`;
    return height && !/^0|^-/.test(height) && CSS.supports("height", height) ? height : `${USUAL_HEIGHT}px`;
  }

  #address() {
    const url = new URL(home);
    const panels = (this.getAttribute("panels") ?? "").split(/[\s,]+/).filter((p) => PANELS.includes(p));
    url.searchParams.set("embed", panels.join(" ") || USUAL);
    for (const name of ASKED) {
      const value = this.getAttribute(name);
      if (value) url.searchParams.set(name, value);
    }
    url.searchParams.set("theme", this.#shade());
    if (this.hasAttribute("link")) url.hash = this.getAttribute("link").replace(/^.*#/, "");
    return url.href;
  }

  /** Loads what the attributes say. */
  #begin() {
    this.#waiting.get("ready")?.reject(new Error("something else was loaded"));
    const ready = new Promise((resolve, reject) => this.#waiting.set("ready", { resolve, reject }));
    const late = setTimeout(() => this.#settle("ready", "reject", new Error(`${home.href} does not answer`)), PATIENCE_AT_FIRST);
    this.#ready = ready.finally(() => clearTimeout(late));
    this.#ready.catch((error) => this.#tell("error", error.message));
    const frame = this.#frame;
    in_turn(() => {
      if (frame === this.#frame) frame.src = this.#address();
      return this.#ready;
    });
    const script = this.getAttribute("script");
    if (script) this.#script(script).catch((error) => this.#tell("error", error.message));
  }

  #show() {
    if (this.#frame) return;
    this.#watch?.disconnect();
    const frame = document.createElement("iframe");
    frame.title = this.#title();
    frame.allow = "clipboard-write";
    frame.style.cssText = "width:100%;border:1px solid color-mix(in srgb, currentColor 25%, transparent);border-radius:8px;background:transparent";
    frame.style.height = this.#height();
    this.#frame = frame;
    this.#still = document.createElement("div");
    this.#still.className = "sandbatch-still";
    this.#still.append(...this.childNodes);
    this.replaceChildren(frame, this.#still);
    this.#begin();
  }

  /** `script="#id"` is the text of an element of this page, anything else an address. */
  async #script(from) {
    const text = from.startsWith("#") ? document.getElementById(from.slice(1))?.textContent : await fetched(from);
    if (text === undefined) throw new Error(`script="${from}": there is no such element`);
    const name = (from.startsWith("#") ? from.slice(1) : from.split(/[?#]/)[0].split("/").pop()).replace(/[^\w.-]/g, "") || "job";
    await this.file(/\.\w+$/.test(name) ? name : `${name}.sh`, text.replace(/^\s*\n/, ""));
  }

  async #ask(what, value) {
    this.#show();
    await this.#ready;
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      setTimeout(() => this.#settle(id, "reject", new Error(`no answer to ${what}`)), PATIENCE);
    });
    this.#send({ id, do: what, value });
    return answer;
  }

  #send(message) {
    this.#frame?.contentWindow?.postMessage({ sandbatch: PROTOCOL, ...message }, home.origin === "null" ? "*" : home.origin);
  }

  #settle(id, how, value) {
    this.#waiting.get(id)?.[how](value);
    this.#waiting.delete(id);
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(`sandbatch-${name}`, { detail, bubbles: true }));
    if (name === "error") console.warn(`sandbatch: ${detail}`);
  }

  #receive = (event) => {
    if (!this.#frame || event.source !== this.#frame.contentWindow || typeof event.data?.sandbatch !== "number") return;
    const { sandbatch, id, event: name, value, error } = event.data;
    if (sandbatch !== PROTOCOL) {
      this.#settle("ready", "reject", new Error(`the page speaks version ${sandbatch} and this embed.js ${PROTOCOL}: load ${home.href}embed.js`));
    } else if (id !== undefined) {
      this.#settle(id, error ? "reject" : "resolve", error ? new Error(error) : value);
    } else if (["ready", "passed", "jobs", "error"].includes(name)) {
      if (name === "ready") this.#settle("ready", "resolve", value);
      this.#tell(name, value);
      this.#draw();
    }
  };

  /** A picture of what is seen, a moment from now, for whoever prints the page. */
  #draw() {
    clearTimeout(this.#drawing);
    this.#drawing = setTimeout(async () => {
      const text = await this.picture().catch(() => null);
      if (!text || !this.#still) return;
      const image = Object.assign(document.createElement("img"), { alt: this.#title() });
      // Where a policy forbids such pictures, what stood there stays.
      image.onload = () => this.#still?.replaceChildren(image);
      image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    }, STILL);
  }

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

  #theme = () => this.#send({ do: "theme", value: this.#shade() });
}

/** Frames of one page load one after the other: what the first has loaded the others have from the cache. */
let turn = Promise.resolve();
function in_turn(begin) {
  const enough = () => new Promise((resolve) => setTimeout(resolve, TURN));
  turn = turn.then(() => Promise.race([begin(), enough()])).catch(() => {});
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`script="${address}": ${answer.status}`);
  return answer.text();
}

if (!customElements.get("sandbatch-cluster")) customElements.define("sandbatch-cluster", SandbatchCluster);

/** Languages of blocks that a shell takes. */
const SHELLS = ["bash", "sh", "shell", "console", "shell-session", "shellsession", "sbatch", "slurm"];
/** Languages that say nothing. */
const NONE = ["default", "none", "notranslate"];
/** What a block without a language is taken for a shell's by: a script's beginning, one of Slurm's commands. */
const SLURM = /^#!.*sh\b|^#SBATCH\b|^(\S*[$%>] +)?(sbatch|srun|salloc|squeue|scancel|sinfo|sacct|scontrol|seff|sprio|sshare)(\s|$)/m;
/** How far outside of a block its language may stand. */
const AROUND = 4;
/** What highlighters put between the lines: numbers, buttons, what a command printed. */
const NUMBERS = ".linenos, .lineno, .linenodiv, .gutter, .rouge-gutter";
const NOISE = `${NUMBERS}, .go, button, .headerlink`;

/** What a block says, whatever a highlighter made of it. */
function text_of(block) {
  const copy = (block.querySelector("code") ?? block).cloneNode(true);
  for (const noise of copy.querySelectorAll(NOISE)) noise.remove();
  // Prompts, whatever they are.
  for (const prompt of copy.querySelectorAll(".gp")) prompt.replaceWith("$ ");
  for (const line of copy.querySelectorAll("br")) line.replaceWith("\n");
  return copy.textContent.replace(/^\s*\n/, "").trimEnd();
}

/** The commands of a block: with prompts, only what stands behind them. */
function commands_of(text) {
  const lines = text.split("\n");
  const prompt = /^\s*(\[[^\]]*\]|[\w@.:~-]*)\s?\$\s+/;
  const typed = lines.filter((line) => prompt.test(line));
  return (typed.length ? typed.map((line) => line.replace(prompt, "")) : lines).filter((line) => line.trim()).join("\n");
}

/**
 * A block's language as highlighters say it: `language-bash` (Markdown, MkDocs, Docusaurus, Jekyll), `highlight-bash`
 * (Sphinx, Jupyter Book), `sourceCode bash` (pandoc, the Carpentries' workbench); none if nothing says it.
 */
function language_of(block) {
  let element = block.querySelector("code") ?? block;
  for (let outside = 0; outside <= AROUND && element && element !== document.body; outside++, element = element.parentElement) {
    const names = [...element.classList];
    const named = names.map((name) => /^(?:language|highlight|lang)-([\w-]+)$/.exec(name)?.[1]);
    if (names.includes("sourceCode")) named.push(...names.filter((name) => /^[a-z]+$/.test(name)));
    const language = named.find((name) => name && !NONE.includes(name));
    if (language) return language;
  }
  return null;
}

/** Whether a shell takes what a block says. */
function is_shell(block) {
  const language = language_of(block);
  return language ? SHELLS.includes(language) : SLURM.test(text_of(block));
}

/** All that a highlighter made of a block: frame, copy button, line numbers. */
function outside_of(block) {
  const made = '[class*="language-"], [class*="highlight-"], .highlight, .highlighttable, .highlighter-rouge, .theme-code-block, .codewrapper';
  let whole = block;
  for (let at = block, outside = 0; at && outside < 2 * AROUND; at = at.parentElement, outside++) if (at.matches(made)) whole = at;
  return whole;
}

const done = new WeakSet();

/** The blocks that a selector means: a `pre`, what is in it, what it is in. None: those of a shell. */
function blocks(selector) {
  const all = [...document.querySelectorAll(selector || "pre")].map((found) => found.closest("pre") ?? found.querySelector("pre"));
  return all.filter((block) => {
    if (!block || done.has(block) || block.closest(`sandbatch-cluster, ${NUMBERS}`) || block.parentElement?.closest("pre")) return false;
    return selector || is_shell(block);
  });
}

/** Puts a "try it" button behind a page's code blocks: `sandbatch.try_it(".language-bash", { site: "lab" })`. */
function try_it(selector = "", options = {}) {
  for (const block of blocks(selector)) {
    if (done.has(block)) continue;
    done.add(block);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sandbatch-try";
    button.textContent = options.label ?? (document.documentElement.lang.startsWith("fr") ? "Essayer" : "Try it");
    button.addEventListener("click", () => {
      const text = text_of(block);
      const cluster = document.createElement("sandbatch-cluster");
      for (const [name, value] of Object.entries(options)) cluster.setAttribute(name, value);
      const is_script = /^#!|^#SBATCH/m.test(text);
      if (is_script && !options.panels) cluster.setAttribute("panels", "editor terminal");
      button.replaceWith(cluster);
      // A script is opened in the editor, commands are typed.
      const shown = is_script ? cluster.file("job.sh", `${text}\n`) : cluster.type(commands_of(text));
      shown.catch((error) => console.warn(`sandbatch: ${error.message}`));
    });
    outside_of(block).after(button);
  }
}

window.sandbatch = { ...window.sandbatch, try_it, protocol: PROTOCOL };

// embed.js?try_it&site=lab: buttons without a line of script, also on pages that come in later (single-page sites).
if (source.searchParams.has("try_it")) {
  const { try_it: selector, ...options } = Object.fromEntries(source.searchParams);
  let soon = 0;
  const look = () => {
    clearTimeout(soon);
    soon = setTimeout(() => try_it(selector, options), 200);
  };
  const begin = () => {
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  };
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);
}
})();
