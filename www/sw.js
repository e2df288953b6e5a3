// Service worker: keeps all files of one build, so that a page never mixes two builds and opens without a network.
//
// Each build has a set of files in a cache of its own. Installing fetches the whole set or fails. A new build's worker waits until no
// page of the old build is open; meanwhile a reload already gets the new page from the network, because the files of both builds
// have names of their own. xtask/src/versions.rs fills in BUILD, FILES and BOOK.
const BUILD = "";
const FILES = [];
// The book's files, which are kept once a visitor opens it.
const BOOK = [];

const PREFIX = "sandbatch-";
const CACHE = PREFIX + BUILD;
// An entry of a set that is whole: the time of its installation.
const WHOLE = "./whole-set";

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(Promise.all([dropOthers(), self.clients.claim()])));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  if (request.mode === "navigate" && isBook(url.href.slice(self.registration.scope.length))) event.waitUntil(keepBook());
  event.respondWith(isPage(url) ? page(request) : file(request));
});

/** Whether an address is the page's, whatever its query says: that names a site or a lesson. */
function isPage(url) {
  const { pathname } = new URL(self.registration.scope);
  return url.pathname === pathname || url.pathname === `${pathname}index.html`;
}

const isBook = (name) => name.startsWith("book/");

/** Files with a hash of their content or of the build in their names never change. The book's pages have words in theirs. */
function neverChanges(name) {
  return (/-[0-9a-z]{8,}/i.test(name) && !/\.html\b/.test(name)) || name.startsWith("data-");
}

async function fill() {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.map((name) => add(cache, name)));
  await cache.put(WHOLE, new Response(String(Date.now())));
}

/** Adds the book's files that are missing to this build's set. A failure is repaired at the next visit. */
async function keepBook() {
  const cache = await caches.open(CACHE);
  for (const name of BOOK) {
    const known = await cache.match(new URL(name, self.registration.scope).href, { ignoreVary: true });
    if (!known) await add(cache, name).catch(() => undefined);
  }
}

async function add(cache, name) {
  const url = new URL(name, self.registration.scope).href;
  const known = neverChanges(name) ? await caches.match(url, { ignoreVary: true }) : undefined;
  const response = known ?? (await fetch(url, { cache: neverChanges(name) ? "default" : "no-cache" }));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  // The host may publish yet another build at this moment.
  if (name === "./" && !(await response.clone().text()).includes(BUILD)) throw new Error("the page is of another build");
  await cache.put(url, response);
}

/** Removes the sets of other builds, and the cache of the releases that had only one. */
async function dropOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith("sandbatch") && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** The page: from the network if possible, otherwise that of the newest whole set. */
async function page(request) {
  let answer;
  try {
    answer = await fetch(request, { cache: "no-cache" });
    if (answer.ok || answer.type === "opaqueredirect") return answer;
  } catch {
    // The network is unreachable.
  }
  return (await newestPage()) ?? answer ?? Response.error();
}

async function newestPage() {
  let newest = { at: -1, page: undefined };
  for (const name of (await caches.keys()).filter((name) => name.startsWith(PREFIX))) {
    const cache = await caches.open(name);
    const whole = await cache.match(WHOLE);
    const at = whole ? Number(await whole.text()) : -1;
    if (at > newest.at) newest = { at, page: await cache.match("./", { ignoreVary: true }) };
  }
  return newest.page;
}

/** Another file: from its set if its name says that it never changes, otherwise from the network, and from a set without one. */
async function file(request) {
  const name = request.url.slice(self.registration.scope.length);
  // Results of the book's search have a query.
  const kept = () => caches.match(request, { ignoreVary: true, ignoreSearch: isBook(name) });
  if (neverChanges(name)) {
    const known = await kept();
    if (known) return known;
  }
  try {
    const answer = await fetch(request);
    return answer.ok ? answer : ((await kept()) ?? answer);
  } catch (error) {
    const known = await kept();
    if (known) return known;
    throw error;
  }
}
