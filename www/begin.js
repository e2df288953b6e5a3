// www/early.js has told what this browser lacks, and nothing follows.
if (document.documentElement.hasAttribute("data-lacking")) await new Promise(() => {});
// Starts the app after the content of index.html has been painted. Nothing of the app is requested earlier, so the first paint
// waits for its own few files only. www/build.mjs puts this into index.html, with the names of the files. A hidden tab or
// embedded frame is never painted.
const unseen = document.hidden || document.documentElement.dataset.embed;
if (!unseen) await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted))));
{
  // Fetch the site's files early, so that the engine does not wait for the app to do it (ui::session). app::fetch takes them over.
  const asked = new URLSearchParams(location.search);
  let site = asked.get("site");
  try {
    site ||= localStorage.getItem("sandbatch:site");
  } catch {
    // Storage is blocked.
  }
  site ||= "lab";
  // A lesson names its own site, and an imported site is stored in the browser.
  if (/^(?!own-)[\w-]+$/.test(site) && !asked.has("lesson")) {
    const data = document.querySelector("meta[name=sandbatch-data]").content;
    const files = fetch(`${data}sites/${site}.json`);
    // The consumer reports errors.
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
// Prepare the terminal while the engine starts; opening one (app::js) reports errors.
setTimeout(() => import(TERMINAL).catch(() => {}), 50);
