// The app begins once what stands in index.html was painted, and nothing of it is asked for before: the first paint waits for
// its own few files only. www/build.mjs puts this in the place of Trunk's start, with the names of the files. A tab or an
// embedded frame that nobody sees is never painted.
const unseen = document.hidden || document.documentElement.dataset.embed;
if (!unseen) await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted))));
{
  // The site's files, so that the engine need not wait for the app to ask for them (ui::session). www/bridge.js hands them over.
  const asked = new URLSearchParams(location.search);
  let site = asked.get("site");
  try {
    site ||= localStorage.getItem("sandbatch:site");
  } catch {
    // Storage is forbidden.
  }
  site ||= "lab";
  // A lesson says its site itself, and one of somebody's own is in the browser.
  if (/^(?!own-)[\w-]+$/.test(site) && !asked.has("lesson")) {
    const files = fetch(`sites/${site}.json`);
    // Who takes it says what went wrong.
    files.catch(() => {});
    window.earlySite = { site, files };
  }
}
for (const href of AHEAD) {
  const link = document.createElement("link");
  link.crossOrigin = "anonymous";
  link.rel = "modulepreload";
  if (href === WASM) {
    link.rel = "preload";
    link.as = "fetch";
  }
  link.href = href;
  document.head.append(link);
}
const bindings = await import(APP);
await bindings.default({ module_or_path: WASM });
// The terminal is made ready while the engine starts; who opens one (www/bridge.js) says what went wrong.
setTimeout(() => import(TERMINAL).catch(() => {}), 50);
