// The app begins once what stands in index.html was painted, and nothing of it is asked for before: the first paint waits for
// its own few files only. www/build.mjs puts this in the place of Trunk's start, with the names of the files. A tab or an
// embedded frame that nobody sees is never painted.
const unseen = document.hidden || document.documentElement.dataset.embed;
if (!unseen) await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(painted))));
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
