// Runs before the first paint: sets the theme (auto, light, dark) and the panels of an embedded page, and starts the engine's
// worker, so that it loads in parallel with the page. app::worker_link takes the worker over. An unsupported browser gets a
// message. The language is chosen as in ui::state, for the text that is visible before the app runs.
const asked = new URLSearchParams(location.search);
const root = document.documentElement;
if (asked.get("embed")) root.dataset.embed = asked.get("embed");
let kept = {};
try {
  // Returning visitors know what this is.
  if (localStorage.getItem("sandbatch:tour")) root.dataset.known = "";
  const get = (name) => localStorage.getItem(`sandbatch:${name}`);
  kept = { theme: get("theme"), language: get("language"), steps: get("steps") };
} catch {
  // Storage is blocked: use the system's theme and language.
}
root.lang = (asked.get("lang") ?? kept.language ?? navigator.language).startsWith("fr") ? "fr" : "en";
// Reserve space for the strip of first steps (ui::steps) unless a lesson or a link is open.
if (!kept.steps && !asked.get("embed") && !asked.get("lesson") && !location.hash) root.dataset.steps = "";
const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
const theme = asked.get("theme") ?? kept.theme;
root.dataset.theme = theme === "light" || theme === "dark" ? theme : system;
{
  // A function that pushes a null reference and copies no memory: the engine needs both features.
  const references = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 7, 1, 5, 0, 208, 112, 26, 11];
  const bulk = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 10, 14, 1, 12, 0, 65, 0, 65, 0, 65, 0, 252, 10, 0, 0, 11,
  ];
  const missing = () => {
    if (typeof WebAssembly !== "object") return "WebAssembly";
    const runs = (bytes) => WebAssembly.validate(new Uint8Array(bytes));
    if (!runs(references) || !runs(bulk)) return "WebAssembly (reference types, bulk memory)";
    let modules = false;
    const options = {
      // Only browsers that support module workers read this.
      get type() {
        modules = true;
        return "module";
      },
    };
    const worker = new Worker(document.querySelector("meta[name=sandbatch-worker]").content, options);
    if (!modules) {
      worker.terminate();
      return "module workers";
    }
    const messages = [];
    worker.onmessage = (event) => messages.push(event);
    window.earlyWorker = { worker, messages };
    return null;
  };
  const lacks = missing();
  if (lacks) {
    const says = root.lang === "fr"
      ? `Ce navigateur ne peut pas exécuter sandbatch : il lui manque ${lacks}. Utilisez Firefox 114, Chrome ou Edge 96, Safari 15.4 ou plus récent.`
      : `This browser cannot run sandbatch: it lacks ${lacks}. Use Firefox 114, Chrome or Edge 96, Safari 15.4 or newer.`;
    addEventListener("DOMContentLoaded", () => {
      const message = document.createElement("p");
      message.role = "alert";
      message.className = "lacking";
      message.lang = root.lang;
      message.textContent = says;
      document.body.prepend(message);
    });
  }
}
