// The element <sandbatch-cluster>: a frame with the page, and the messages to it.

import { PROTOCOL, home, page } from "./home.js";

const PANELS = ["editor", "terminal", "cluster", "queue"];
/** Defaults that suit most texts. */
const USUAL = "terminal cluster queue";
/** Parameters that are passed in the frame's URL. */
const ASKED = ["site", "lesson", "background", "lang"];
/** Timeouts in milliseconds, for an answer and for a page that does not respond. While the page asks its reader, none runs. */
const TIMEOUT = 30_000;
const START_TIMEOUT = 120_000;
/** Longest time in milliseconds that a frame waits for the previous one. */
const TURN = 10_000;
/** Milliseconds between a change and the new picture for print. */
const STILL = 2_000;
/** In pixels. */
const USUAL_HEIGHT = 420;
const HEIGHTS = [120, 4000];

export class SandbatchCluster extends HTMLElement {
  static observedAttributes = [...ASKED, "panels", "height", "theme", "link"];
  #frame = null;
  #still = null;
  #waiting = new Map();
  #next = 1;
  #ready = null;
  #themes = null;
  #watch = null;
  #late = 0;
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
    this.#expect();
    this.#ready = ready.finally(() => clearTimeout(this.#late));
    this.#ready.catch((error) => this.#tell("error", error.message));
    const frame = this.#frame;
    in_turn(() => {
      if (frame === this.#frame) frame.src = this.#address();
      return this.#ready;
    });
    const script = this.getAttribute("script");
    if (script) this.#script(script).catch((error) => this.#tell("error", error.message));
  }

  /** Watches whether the page responds. */
  #expect() {
    clearTimeout(this.#late);
    this.#late = setTimeout(() => this.#settle("ready", "reject", new Error(`${home.href} does not respond`)), START_TIMEOUT);
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
    } else if (name === "asks") {
      // The reader may take any time to answer.
      clearTimeout(this.#late);
      if (!value && this.#waiting.has("ready")) this.#expect();
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
