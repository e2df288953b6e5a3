// Offline: what was loaded once is there without a network. The network comes first, so that a new version is seen at
// once; all files that www/early.js names are fetched after the first visit.
const CACHE = "sandbatch";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", (event) => {
  const urls = Array.isArray(event.data) ? event.data.filter((url) => typeof url === "string" && own(url)) : [];
  event.waitUntil(keep(urls));
});

function own(url) {
  return new URL(url, self.registration.scope).href.startsWith(self.registration.scope);
}

async function keep(urls) {
  const cache = await caches.open(CACHE);
  // One that cannot be had does not stop the others.
  await Promise.all(urls.map((url) => cache.add(new Request(url, { cache: "no-cache" })).catch(() => {})));
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !own(request.url)) return;
  event.respondWith(answer(request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request);
    if (fresh.ok && fresh.type === "basic") await cache.put(request, fresh.clone()).catch(() => {});
    return fresh;
  } catch (error) {
    // The page's address says which lesson it is, not which file.
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
