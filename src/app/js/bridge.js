// What is simpler in JavaScript than in Rust: loading bundles, storing the session, downloads.

/** Loads a bundle whose name www/build.mjs has put into a <meta> element. */
export async function load_bundle(name) {
  const url = document.querySelector(`meta[name="sandbatch-${name}"]`)?.content;
  if (!url) throw new Error(`no bundle ${name}`);
  const bundle = await import(new URL(url, document.baseURI).href);
  // Continue in a new task, so that the browser can paint and handle keys in between.
  await new Promise((done) => setTimeout(done));
  return bundle;
}

/** Prefix of the names of imported sites. */
const OWN = "own-";

/** Fetches a site's files: `[[name, text], ...]`. Uses the early request of www/begin.js once, if there is one. */
export async function fetch_site(site) {
  if (site.startsWith(OWN)) {
    const files = await storage_get(`site:${site}`);
    if (!files) throw new Error(`there is no site "${site.slice(OWN.length)}" in this browser`);
    return files;
  }
  const early = window.earlySite;
  delete window.earlySite;
  const url = `sites/${encodeURIComponent(site)}.json`;
  const answer = await (early?.site === site ? early.files : fetch(new URL(url, document.baseURI)));
  if (answer.status === 404) throw new Error(`there is no site "${site}"`);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.json();
}

/** Frees the memory of bytes immediately. A saved session has megabytes every few seconds, which the garbage collector would let pile up. */
export function let_go(bytes) {
  bytes.buffer.transfer?.(0);
}

/** Names of the sites. */
export async function site_names() {
  const answer = await fetch(new URL("sites/index.json", document.baseURI));
  return [...(answer.ok ? await answer.json() : []), ...(await own_sites())];
}

/** Names of the imported sites. */
async function own_sites() {
  if (new URLSearchParams(location.search).has("embed")) return [];
  try {
    const transaction = (await open()).transaction("sessions", "readonly");
    const range = IDBKeyRange.bound(`site:${OWN}`, `site:${OWN}\uffff`);
    const keys = await done(transaction, transaction.objectStore("sessions").getAllKeys(range));
    return keys.map((key) => key.slice("site:".length));
  } catch {
    return [];
  }
}

/** Stores an imported site under a free name and opens it. */
export async function open_own_site(name, files) {
  const taken = await own_sites();
  const plain = name.replace(/[^\w-]/g, "").slice(0, 40) || "site";
  let free = OWN + plain;
  for (let n = 2; taken.includes(free); n++) free = `${OWN}${plain}-${n}`;
  await storage_put(`site:${free}`, files);
  const url = new URL(location.href);
  url.search = "";
  url.searchParams.set("site", free);
  url.hash = "";
  location.assign(url);
}

/** Deletes an imported site and its session. */
export async function forget_own_site(name) {
  await storage_delete(`site:${name}`);
  await storage_delete(`session:${name}`);
}

/** A parameter of the page's URL; empty if it is missing or invalid. */
export function address(name) {
  const value = new URLSearchParams(location.search).get(name) ?? "";
  return /^[\w -]{1,64}$/.test(value) ? value : "";
}

/** Removes a parameter from the page's URL. */
export function forget_address(name) {
  const url = new URL(location.href);
  url.searchParams.delete(name);
  history.replaceState(history.state, "", url);
}

/** Largest link, in bytes of the URL. */
const MAX_LINK = 350_000;

/** The bytes of the link in the page's URL: `#s=` and base64url. Anything else is returned as it is. */
export function shared_link() {
  const text = location.hash.match(/^#s=(.*)$/s)?.[1];
  if (text === undefined) return null;
  try {
    const binary = atob(text.slice(0, MAX_LINK).replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (c) => c.charCodeAt(0));
  } catch {
    return new TextEncoder().encode(text.slice(0, 100));
  }
}

/** The URL of a moment. */
function moment_address(bytes, site) {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const url = new URL(location.href);
  url.searchParams.set("site", site);
  for (const name of ["embed", "theme", "background"]) url.searchParams.delete(name);
  // A file from this machine's disk does not exist where the URL will be opened.
  if (url.searchParams.get("lesson") === "file") url.searchParams.delete("lesson");
  url.hash = `s=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
  return url;
}

/** Copies a link and returns its size; throws the link itself if copying is not possible. */
export async function share_link(bytes, site) {
  const url = moment_address(bytes, site);
  try {
    await navigator.clipboard.writeText(url.href);
  } catch {
    throw url.href;
  }
  return `${(url.hash.length / 1000).toFixed(1)} kB`;
}

/** The query and fragment of a moment's URL. */
export function moment_query(bytes, site) {
  const url = moment_address(bytes, site);
  return url.search + url.hash;
}

/** Opens a moment from a file. Only site, lesson and seed are taken from its query. */
export function go_to_moment(query) {
  const there = new URL(query, document.baseURI);
  const url = new URL(location.href);
  url.search = "";
  for (const name of ["site", "lesson", "seed"]) {
    if (there.searchParams.has(name)) url.searchParams.set(name, there.searchParams.get(name));
  }
  const before = url.href;
  url.hash = there.hash;
  // A change of the fragment alone would not reload the page.
  const same = before === location.href.replace(/#.*$/s, "");
  location.assign(url);
  if (same) location.reload();
}

/** Copies the URL that starts what is open from the beginning: site or lesson, seed, background. Throws it if copying is not possible. */
export async function class_link(site, seed, background) {
  const url = new URL(location.href);
  const lesson = url.searchParams.get("lesson");
  url.search = "";
  url.hash = "";
  if (lesson) url.searchParams.set("lesson", lesson);
  else url.searchParams.set("site", site);
  url.searchParams.set("seed", seed);
  if (!lesson) url.searchParams.set("background", background);
  try {
    await navigator.clipboard.writeText(url.href);
  } catch {
    throw url.href;
  }
  return url.href;
}

/** Largest lesson, bytes. */
const MAX_LESSON = 256 * 1024;

async function lesson_text(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  const text = await answer.text();
  if (text.length > MAX_LESSON) throw new Error(`${url}: ${text.length} bytes`);
  return text;
}

/** The lesson named in the page's URL, as `[name, text]`: from the course, from another URL, or from a stored file. */
export async function lesson(kept) {
  const name = new URLSearchParams(location.search).get("lesson")?.slice(0, 2000);
  if (!name) return null;
  if (name === "file") return kept ? ["file", kept] : null;
  const known = /^[a-z]{2}\/[\w-]+$/.test(name);
  const url = new URL(known ? `lessons/${name}.md` : name, document.baseURI);
  return [known ? name : url.href, await lesson_text(url)];
}

/** The lessons in a language. */
export async function lessons(language) {
  const answer = await fetch(new URL("lessons/index.json", document.baseURI));
  return answer.ok ? ((await answer.json())[language] ?? []) : [];
}

/** Reloads the page with a lesson, or without one. */
export function go_to_lesson(name) {
  const url = new URL(location.href);
  url.searchParams.delete("lesson");
  url.searchParams.delete("site");
  url.hash = "";
  if (name) url.searchParams.set("lesson", name);
  if (url.href === location.href) location.reload();
  else location.assign(url);
}


let database;
function open() {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("sandbatch", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("sessions");
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("blocked"));
  });
  return database;
}

function done(transaction, request) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error ?? new Error("aborted"));
  });
}

/** The bytes stored under a key, or undefined. */
export async function storage_get(key) {
  const transaction = (await open()).transaction("sessions", "readonly");
  return done(transaction, transaction.objectStore("sessions").get(key));
}

/** Stores something under a key. */
export async function storage_put(key, value) {
  const transaction = (await open()).transaction("sessions", "readwrite");
  transaction.objectStore("sessions").put(value, key);
  return done(transaction);
}

/** Deletes a key. */
export async function storage_delete(key) {
  const transaction = (await open()).transaction("sessions", "readwrite");
  transaction.objectStore("sessions").delete(key);
  return done(transaction);
}

const held = new Set();

/** Whether no other tab has this session open. A tab that was just closed or reloaded gets time to release its lock. */
export async function only_tab(site) {
  if (!navigator.locks || held.has(site)) return true;
  for (let attempt = 0; attempt < 4; attempt++) {
    const got = await new Promise((resolve) => {
      const keep = (lock) => {
        resolve(Boolean(lock));
        // Held until the page is closed.
        return lock ? new Promise(() => {}) : undefined;
      };
      navigator.locks.request(`sandbatch:${site}`, { ifAvailable: true }, keep).catch(() => resolve(true));
    });
    if (got) {
      held.add(site);
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return false;
}

/** Downloads a file. */
export function download(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** For the browser tests: functions that return the terminal's text. Read-only. */
export function expose_terminal(text) {
  Object.defineProperty(window, "__sandbatch", {
    value: Object.freeze({ terminalText: text }),
    configurable: true,
  });
}

/** The worker that www/early.js started: `[worker, ...messages so far]`, once. */
export function early_worker() {
  const early = window.earlyWorker;
  delete window.earlyWorker;
  return early ? [early.worker, ...early.messages] : [];
}
