// Before anything is painted: the theme that was chosen (auto, light, dark), and the engine's worker, so that it loads
// beside the page and not after it. www/bridge.js hands it over.
try {
  const theme = localStorage.getItem("sandbatch:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's theme it is.
}
{
  const worker = new Worker("./worker_loader.js", { type: "module" });
  const messages = [];
  worker.onmessage = (event) => messages.push(event);
  window.earlyWorker = { worker, messages };
}
