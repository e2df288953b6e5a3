// Service worker for offline use. It tries the network first, so that a new version appears immediately, and falls back to the
// cache. After the first visit it fetches all files that www/early.js names.
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
  // A failed file does not stop the others.
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
    // The query of the page's URL names a lesson, not a file.
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
