// <sandbatch-cluster site="lab" lesson="en/01-first-job" panels="terminal cluster" lang="fr" height="420">: a live cluster
// in any page, documented in docs/embed.md. It is a frame with the page that this file came from. Nothing is loaded before it
// is visible, no headers are needed, and without JavaScript the content of the element (a link, a picture) is shown.

// A plain script, because a module from another origin would need headers.
(() => {
/** Version of the messages between element and page. Within one version, things are added but not changed. */
const PROTOCOL = 1;
const source = new URL(document.currentScript.src);
const home = new URL("./", source);
/** The page. Learning platforms have no index for a folder: `<script src="embed.js" data-page="index.html">`. */
const page = new URL(document.currentScript.dataset.page ?? "./", source);
const PANELS = ["editor", "terminal", "cluster", "queue"];
/** Defaults that suit most texts. */
const USUAL = "terminal cluster queue";
/** Parameters that are passed in the frame's URL. */
const ASKED = ["site", "lesson", "background", "lang"];
/** Timeouts in milliseconds, for an answer and for a page that does not respond. */
const TIMEOUT = 30_000;
const START_TIMEOUT = 120_000;
/** Longest time in milliseconds that a frame waits for the previous one. */
const TURN = 10_000;
/** Milliseconds between a change and the new picture for print. */
const STILL = 2_000;
/** Bounds of what is sent to be read: blocks, characters of one, of all, and of a caption or a sentence. */
const MOST_BLOCKS = 200;
const MOST_TEXT = 32_000;
const MOST_ALL = 500_000;
const MOST_NOTE = 600;
/** In pixels. */
const USUAL_HEIGHT = 420;
const HEIGHTS = [120, 4000];

/** In print, a picture of the cluster or the element's own content replaces the frame. */
const STYLE = `
  sandbatch-cluster { display: block }
  sandbatch-cluster > .sandbatch-still { display: none }
  .sandbatch-still > img { max-width: 100% }
  @media print {
    sandbatch-cluster > iframe { display: none !important }
    sandbatch-cluster > .sandbatch-still { display: block; break-inside: avoid }
    .sandbatch-try, .sandbatch-values, .sandbatch-said { display: none !important }
  }
  .sandbatch-try {
    margin: 4px 0; padding: 3px 12px; border: 1px solid; border-radius: 6px;
    background: transparent; color: inherit; font: 600 13px/1.5 system-ui, sans-serif; cursor: pointer;
  }
  .sandbatch-try:hover, .sandbatch-try:focus-visible { background: color-mix(in srgb, currentColor 12%, transparent) }
  .sandbatch-try:disabled { opacity: 0.6; cursor: progress }
  .sandbatch-values {
    display: grid; grid-template-columns: minmax(0, max-content) minmax(8em, 22em); gap: 6px 12px; align-items: center;
    margin: 8px 0; padding: 10px 14px; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 8px;
    font: 13px/1.5 system-ui, sans-serif;
  }
  .sandbatch-values > p, .sandbatch-values > div { grid-column: 1 / -1; margin: 0 }
  .sandbatch-values > div { display: flex; gap: 8px }
  .sandbatch-values label { display: contents }
  .sandbatch-values span { overflow-wrap: anywhere }
  .sandbatch-values code { font: 12px ui-monospace, monospace; background: none; border: 0; padding: 0; color: inherit }
  .sandbatch-values input {
    box-sizing: border-box; width: 100%; padding: 4px 8px; border: 1px solid color-mix(in srgb, currentColor 45%, transparent);
    border-radius: 6px; background: transparent; color: inherit; font: 13px ui-monospace, monospace;
  }
  .sandbatch-values .sandbatch-try { margin: 0 }
  .sandbatch-values [type="button"] { border-color: transparent; font-weight: 400 }
  .sandbatch-said { margin: 4px 0; font: 13px/1.5 system-ui, sans-serif; opacity: 0.75 }
`;
if (document.adoptedStyleSheets) {
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, style];
} else {
  // Safari before 16.4. A policy that forbids inline styles leaves the elements plain.
  document.head.append(Object.assign(document.createElement("style"), { textContent: STYLE }));
}

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
    // Restore the element's content, because a page may move the element.
    this.#frame = null;
    this.replaceChildren(...this.#still.childNodes);
    this.#still = null;
    for (const { reject } of this.#waiting.values()) reject(new Error("the element was removed from the page"));
    this.#waiting.clear();
  }

  /** A move within the page keeps the frame. */
  connectedMoveCallback() {}

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.#frame) return;
    if (name === "height") this.#frame.style.height = this.#height();
    else if (name === "theme") this.#theme();
    else this.#begin();
  }

  /** Reloads the cluster with another site or lesson. `{site, lesson, background, lang, panels, link}`. */
  load(what = {}) {
    const frame = this.#frame;
    // Load once for all changes.
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

  /** Types a line, or several lines, each when the previous command has finished. They follow lines that still wait. */
  type(text) {
    return this.#ask("type", String(text));
  }

  /** Writes a file to the user's home directory and opens it. */
  file(name, text) {
    return this.#ask("file", `${name}\n${text}`);
  }

  /** Writes a file to the user's home directory. */
  write(name, text) {
    return this.#ask("write", `${name}\n${text}`);
  }

  /** What the code blocks of a page are: `[{ text, language, caption, before }]`. docs/embed.md describes the answer. */
  read(blocks) {
    return this.#ask("read", blocks);
  }

  /** Advances the clock by this many seconds of virtual time. */
  advance(seconds) {
    return this.#ask("advance", String(Math.trunc(Number(seconds) || 0)));
  }

  /** `{ now, pending, running, passed, steps, points, most, site, user }`; `now` is a Date. */
  async state() {
    const state = await this.#ask("state", "");
    return { ...state, now: new Date(state.now) };
  }

  /** This moment as text: `link="#..."` opens it again, with the lesson's steps that are done. */
  moment() {
    return this.#ask("moment", "");
  }

  /** The current view as SVG source, for print or to be saved as the element's `poster`. */
  picture() {
    return this.#ask("picture", "");
  }

  #title() {
    return this.getAttribute("title") || "A simulated Slurm cluster";
  }

  /** Pixels or a CSS length; other values are ignored. */
  #height() {
    const height = (this.getAttribute("height") ?? "").trim();
    const pixels = /^\d+(px)?$/.test(height) ? parseInt(height, 10) : NaN;
    if (pixels) return `${Math.min(Math.max(pixels, HEIGHTS[0]), HEIGHTS[1])}px`;
    return height && !/^0|^-/.test(height) && CSS.supports("height", height) ? height : `${USUAL_HEIGHT}px`;
  }

  #address() {
    const url = new URL(page);
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

  /** Loads the page according to the attributes. */
  #begin() {
    this.#waiting.get("ready")?.reject(new Error("another cluster was loaded"));
    const ready = new Promise((resolve, reject) => this.#waiting.set("ready", { resolve, reject }));
    const late = setTimeout(() => this.#settle("ready", "reject", new Error(`${home.href} does not respond`)), START_TIMEOUT);
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
    frame.style.cssText = "box-sizing:border-box;width:100%;border:1px solid color-mix(in srgb, currentColor 25%, transparent);border-radius:8px;background:transparent";
    frame.style.height = this.#height();
    this.#frame = frame;
    this.#still = document.createElement("div");
    this.#still.className = "sandbatch-still";
    this.#still.append(...this.childNodes);
    this.replaceChildren(frame, this.#still);
    this.#begin();
  }

  /** `script="#id"` is the text of an element of this page, anything else a URL. */
  async #script(from) {
    const text = from.startsWith("#") ? document.getElementById(from.slice(1))?.textContent : await fetched(from);
    if (text === undefined) throw new Error(`script="${from}": no such element`);
    const name = (from.startsWith("#") ? from.slice(1) : from.split(/[?#]/)[0].split("/").pop()).replace(/[^\w.-]/g, "") || "job";
    await this.file(/\.\w+$/.test(name) ? name : `${name}.sh`, text.replace(/^\s*\n/, ""));
  }

  async #ask(what, value) {
    this.#show();
    await this.#ready;
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      setTimeout(() => this.#settle(id, "reject", new Error(`no answer to ${what}`)), TIMEOUT);
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
      this.#settle("ready", "reject", new Error(`the page speaks version ${sandbatch}, this embed.js version ${PROTOCOL}: load ${home.href}embed.js`));
    } else if (id !== undefined) {
      this.#settle(id, error ? "reject" : "resolve", error ? new Error(error) : value);
    } else if (["ready", "passed", "jobs", "error"].includes(name)) {
      if (name === "ready") this.#settle("ready", "resolve", value);
      this.#tell(name, value);
      this.#draw();
    }
  };

  /** Makes a picture of the current view shortly, for printing. */
  #draw() {
    clearTimeout(this.#drawing);
    this.#drawing = setTimeout(async () => {
      const text = await this.picture().catch(() => null);
      if (!text || !this.#still) return;
      const image = Object.assign(document.createElement("img"), { alt: this.#title() });
      // If a policy forbids such pictures, keep the previous content.
      image.onload = () => this.#still?.replaceChildren(image);
      image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    }, STILL);
  }

  /** Light or dark: from the attribute, or from the background behind the element. */
  #shade() {
    const asked = this.getAttribute("theme");
    if (asked === "light" || asked === "dark") return asked;
    for (let element = this.parentElement; element; element = element.parentElement) {
      const [red, green, blue, alpha] = pixel(getComputedStyle(element).backgroundColor);
      if (!alpha) continue;
      return 0.3 * red + 0.6 * green + 0.1 * blue < 110 ? "dark" : "light";
    }
    return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  #theme = () => this.#send({ do: "theme", value: this.#shade() });
}

/** The frames of one page load one after the other, so that all but the first use the cache. */
let turn = Promise.resolve();
function in_turn(begin) {
  const enough = () => new Promise((resolve) => setTimeout(resolve, TURN));
  turn = turn.then(() => Promise.race([begin(), enough()])).catch(() => {});
}

/** A colour in any notation, such as `oklch(...)`, as red, green, blue and alpha up to 255. */
function pixel(colour) {
  const context = document.createElement("canvas").getContext("2d");
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  return context.getImageData(0, 0, 1, 1).data;
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`script="${address}": ${answer.status}`);
  return answer.text();
}

if (!customElements.get("sandbatch-cluster")) customElements.define("sandbatch-cluster", SandbatchCluster);

/** Languages of shell code blocks. */
const SHELLS = ["bash", "sh", "shell", "console", "shell-session", "shellsession", "sbatch", "slurm"];
/** Languages without a meaning. */
const NONE = ["default", "none", "notranslate"];
/** Marks a block without a language as shell: the start of a script, or a Slurm command. */
const SLURM = /^#!.*sh\b|^#SBATCH\b|^(\S*[$%>] +)?(sbatch|srun|salloc|squeue|scancel|sinfo|sacct|scontrol|seff|sprio|sshare)(\s|$)/m;
/** How many levels above a block its language may be declared. */
const AROUND = 4;
/** Elements that highlighters insert: line numbers, buttons. */
const NUMBERS = ".linenos, .lineno, .linenodiv, .gutter, .rouge-gutter";
const NOISE = `${NUMBERS}, button, .headerlink`;
/** What this script inserts. */
const OURS = ".sandbatch-try, .sandbatch-values, .sandbatch-said, sandbatch-cluster";
/** A block's title. */
const TITLE = ".caption-text, .filename, figcaption, [class*='codeBlockTitle']";

/** The text of a block without a highlighter's additions. */
function text_of(block) {
  const copy = (block.querySelector("code") ?? block).cloneNode(true);
  for (const noise of copy.querySelectorAll(NOISE)) noise.remove();
  // Any kind of prompt, and the prompt of a line that goes on.
  for (const prompt of copy.querySelectorAll(".gp")) prompt.replaceWith(/^\s*>/.test(prompt.textContent) ? "> " : "$ ");
  for (const line of copy.querySelectorAll("br")) line.replaceWith("\n");
  return copy.textContent.replace(/^\s*\n/, "").trimEnd();
}

/**
 * The language of a block in any highlighter's notation: `language-bash` (Markdown, MkDocs, Docusaurus, Jekyll), `highlight-bash`
 * (Sphinx, Jupyter Book), `sourceCode bash` (pandoc, the Carpentries Workbench); none if not declared.
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

/** Whether a block contains shell code. */
function is_shell(block) {
  const language = language_of(block);
  return language ? SHELLS.includes(language) : SLURM.test(text_of(block));
}

/** The outermost element that a highlighter made for a block: frame, copy button, line numbers. */
function outside_of(block) {
  const made = '[class*="language-"], [class*="highlight-"], .highlight, .highlighttable, .highlighter-rouge, .theme-code-block, .codewrapper';
  let whole = block;
  for (let at = block, outside = 0; at && outside < 2 * AROUND; at = at.parentElement, outside++) if (at.matches(made)) whole = at;
  return whole;
}

/** A block's title. */
function title_of(block) {
  const whole = outside_of(block);
  const before = whole.previousElementSibling;
  const above = before?.matches(TITLE) ? before : before?.querySelector(".caption-text");
  const title = whole.querySelector(TITLE) ?? above;
  return (title?.textContent ?? "").trim().slice(0, MOST_NOTE);
}

/** The text directly before a block, where a script's name is. */
function text_before(block) {
  let at = outside_of(block);
  for (let outside = 0; at && at !== document.body && outside < 2; at = at.parentElement, outside++) {
    for (let node = at.previousSibling; node; node = node.previousSibling) {
      if (node instanceof Element && (node.matches(`${OURS}, ${TITLE}, script, style`) || node.querySelector(".caption-text"))) continue;
      if (node instanceof Element && (node.matches("pre") || node.querySelector("pre"))) return "";
      const text = node.nodeType === Node.COMMENT_NODE ? "" : node.textContent.trim();
      if (text) return text.slice(-MOST_NOTE);
    }
  }
  return "";
}

/** Whether an element is a code block of the page's text. */
const is_block = (block) => !block.closest(`sandbatch-cluster, ${NUMBERS}`) && !block.parentElement?.closest("pre");

/** Blocks with a button, and their buttons. */
const done = new WeakMap();
/** Blocks that the author chose. Without a language, they count as shell. */
const chosen = new WeakSet();

/**
 * The blocks that a selector matches: a `pre`, an element inside it, or one around it. Without a selector: all shell blocks. An element
 * in place of a selector is that block, if it contains shell code.
 */
function blocks(selector) {
  const found = selector instanceof Element ? [selector] : [...document.querySelectorAll(selector || "pre")];
  const all = found.map((element) => element.closest("pre") ?? element.querySelector("pre"));
  const by_author = selector && !(selector instanceof Element);
  const wanted = all.filter((block) => block && !done.has(block) && is_block(block) && (by_author || is_shell(block)));
  if (by_author) wanted.forEach((block) => chosen.add(block));
  return wanted;
}

/** A block as the cluster reads it. */
function described(block) {
  const language = language_of(block) ?? (chosen.has(block) ? "bash" : "");
  return { text: text_of(block).slice(0, MOST_TEXT), language, caption: title_of(block), before: text_before(block) };
}

/** The blocks of the page around one of them, within the bounds: elements, descriptions, and its index. */
function page_around(block) {
  const all = [...document.querySelectorAll("pre")].filter(is_block);
  const from = Math.max(0, all.indexOf(block) - MOST_BLOCKS / 2);
  const elements = [];
  const texts = [];
  let length = 0;
  for (const element of all.slice(from, from + MOST_BLOCKS)) {
    const text = described(element);
    length += text.text.length;
    if (length > MOST_ALL && elements.includes(block)) break;
    elements.push(element);
    texts.push(text);
  }
  return { elements, texts, at: elements.indexOf(block) };
}

/** Whether a block has something to write or to type. */
const has_work = ({ files, commands }) => commands.length > 0 || files.some(({ own }) => own);

/** Removes the buttons of blocks that are output. One that was clicked is told so. */
function prune(elements, read) {
  elements.forEach((block, at) => {
    const button = done.get(block);
    if (button && !button.disabled && !has_work(read[at])) button.remove();
  });
}

const WORDS = {
  en: {
    label: "Try it", cancel: "Cancel", nothing: "Output: there is nothing to type.",
    fill: "Fill in what the example leaves open:",
    account: "your account", partition: "a partition", job: "the ID of your job", user: "your user name", time: "a time limit",
    count: "a number", memory: "an amount of memory", omitted: "left out; may stay empty", other: "a value of your own",
  },
  fr: {
    label: "Essayer", cancel: "Annuler", nothing: "C’est une sortie : il n’y a rien à saisir.",
    fill: "Complétez ce que l’exemple laisse ouvert :",
    account: "votre compte", partition: "une partition", job: "le numéro de votre tâche", user: "votre nom d’utilisateur",
    time: "une durée limite", count: "un nombre", memory: "une quantité de mémoire", omitted: "omis ; peut rester vide",
    other: "une valeur de votre choix",
  },
};
const words_of = (lang) => WORDS[(lang || document.documentElement.lang).startsWith("fr") ? "fr" : "en"];

const made = (name, properties, ...inside) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...inside);
  return element;
};

/** What the reader entered for each placeholder of this page. */
const entered = new Map();

/** Asks the reader for values in a form after an element. The answer is a map from index to value; null if the reader cancels. */
function values_of(asks, words, label, after) {
  const inputs = asks.map(([, { text, about, value }]) =>
    made("input", { type: "text", autocomplete: "off", spellcheck: false, required: about !== "omitted",
      // A job's number changes, so the last job is proposed each time.
      value: (about !== "job" && entered.get(text)) || value }));
  const rows = asks.map(([, { text, about }], at) =>
    made("label", {}, made("span", {}, made("code", { textContent: text }), `: ${words[about] ?? words.other}`), inputs[at]));
  const cancel = made("button", { type: "button", className: "sandbatch-try", textContent: words.cancel });
  const row = made("div", {}, made("button", { className: "sandbatch-try", textContent: label }), cancel);
  const form = made("form", { className: "sandbatch-values" }, made("p", { textContent: words.fill }), ...rows, row);
  after.after(form);
  inputs[0].focus();
  inputs[0].select();
  return new Promise((resolve) => {
    const end = (values) => {
      form.remove();
      resolve(values);
    };
    cancel.addEventListener("click", () => end(null));
    form.addEventListener("keydown", (event) => event.key === "Escape" && end(null));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      asks.forEach(([, { text }], at) => entered.set(text, inputs[at].value));
      end(new Map(asks.map(([index], at) => [index, inputs[at].value.trim()])));
    });
  });
}

/** Files of blocks that were written into a cluster. */
const written = new WeakMap();

/** Writes the files of a block and types its commands. Returns whether it has any. */
async function run(cluster, block, button, words) {
  // The cluster's terminal is ready after that.
  await cluster.state();
  const { elements, texts, at } = page_around(block);
  const read = await cluster.read(texts);
  prune(elements, read);
  const { files, commands, asks } = read[at];
  if (!has_work(read[at])) return false;
  const known = written.get(cluster) ?? written.set(cluster, new Set()).get(cluster);
  // A file of another block is written once: the reader may have changed it since.
  const needed = files.filter(({ name, own }) => own || !known.has(name));
  const used = new Set([...needed.map(({ text }) => text), ...commands].flat().filter(Number.isInteger));
  const wanted = [...asks.entries()].filter(([index]) => used.has(index));
  button.hidden = wanted.length > 0;
  const values = wanted.length ? await values_of(wanted, words, button.textContent, button) : new Map();
  button.hidden = false;
  if (!values) return true;
  // The reader sees what is typed. A cluster that follows its buttons is there already.
  if (button.nextElementSibling !== cluster) cluster.scrollIntoView({ block: "nearest" });
  const filled = (parts) => parts.map((part) => (Number.isInteger(part) ? values.get(part) : part)).join("");
  for (const { name, text, own } of needed) {
    await (own ? cluster.file(name, filled(text)) : cluster.write(name, filled(text)));
    known.add(name);
  }
  if (commands.length) await cluster.type(commands.map(filled).join("\n"));
  return true;
}

/** Clusters that the buttons of this page share, by their options. */
const shared = new Map();

/** Puts a cluster after a button, and keeps the button where the reader sees it. */
function place(cluster, button) {
  const there = button.getBoundingClientRect().top;
  if (!cluster.isConnected) button.after(cluster);
  else if (button.nextElementSibling !== cluster) {
    try {
      // An older browser would load a frame that moves again, so it stays.
      button.parentNode.moveBefore(cluster, button.nextSibling);
    } catch {
      return cluster.scrollIntoView({ block: "nearest" });
    }
  }
  scrollBy({ top: button.getBoundingClientRect().top - there, behavior: "instant" });
}

/** The cluster of these options. */
function cluster_of(options) {
  const key = JSON.stringify(options);
  const known = shared.get(key);
  if (known) return known;
  const cluster = document.createElement("sandbatch-cluster");
  for (const [name, value] of Object.entries(options)) cluster.setAttribute(name, value);
  const scripts = [...document.querySelectorAll("pre")].some((block) => done.has(block) && /^#!|^#SBATCH/m.test(text_of(block)));
  if (scripts && !options.panels) cluster.setAttribute("panels", "editor terminal queue");
  shared.set(key, cluster);
  return cluster;
}

/**
 * Adds a "try it" button after a page's code blocks: `sandbatch.try_it(".language-bash", { site: "lab" })`. The buttons with the same
 * options share one cluster, which moves to the block that is tried. With `into`, an element of the page, they use that one.
 */
function try_it(selector = "", { into, ...options } = {}) {
  for (const block of blocks(selector)) {
    if (done.has(block)) continue;
    const words = words_of(options.lang ?? into?.getAttribute("lang"));
    const button = made("button", { type: "button", className: "sandbatch-try", textContent: options.label ?? words.label });
    done.set(block, button);
    button.addEventListener("click", async () => {
      const cluster = into ?? cluster_of(options);
      if (!into) place(cluster, button);
      button.disabled = true;
      try {
        if (!(await run(cluster, block, button, words))) {
          button.replaceWith(made("p", { className: "sandbatch-said", role: "status", textContent: words.nothing }));
        }
      } catch (error) {
        console.warn(`sandbatch: ${error.message}`);
      } finally {
        button.disabled = false;
        // The form, which had the focus, is gone.
        if (document.activeElement === document.body) button.focus({ preventScroll: true });
      }
    });
    outside_of(block).after(button);
  }
}

// Once a cluster of the page is there, it knows which blocks are output.
document.addEventListener("sandbatch-ready", async ({ target }) => {
  written.delete(target);
  const block = [...document.querySelectorAll("pre")].find((element) => done.has(element));
  if (!block) return;
  const { elements, texts } = page_around(block);
  prune(elements, await target.read(texts).catch(() => texts.map(() => ({ files: [], commands: [""] }))));
});

window.sandbatch = { ...window.sandbatch, try_it, protocol: PROTOCOL };

// embed.js?try_it&site=lab: buttons without any script, also for content added later (single-page sites).
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
