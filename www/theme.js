// Sets a theme that was chosen before (auto, light, dark) before anything is painted.
try {
  const theme = localStorage.getItem("sandbatch:theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is forbidden: the system's theme it is.
}
