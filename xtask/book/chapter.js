// Runs at the end of each page of the book: language, names of the themes, and the cluster of a chapter with its buttons.
(() => {
  const french = location.pathname.includes("/book/fr/");
  if (french) document.documentElement.lang = "fr";
  const page = document.getElementById("to-the-page");
  if (french && page) page.textContent = "La page";
  const dark = document.getElementById("mdbook-theme-coal");
  if (dark) dark.textContent = "Dark";
  // embed.js is deferred, so it has run then.
  addEventListener("DOMContentLoaded", () => {
    const chapter = /\/book\/(learn|fr)\//.test(location.pathname);
    const cluster = document.querySelector("main > sandbatch-cluster, main > p > sandbatch-cluster");
    if (!cluster || !window.sandbatch) return;
    // The cluster of a chapter of the course stays in sight. On other pages, it is where the text needs it.
    if (chapter) cluster.classList.add("chapter-cluster");
    const label = (block) => {
      const script = /^#!|^#SBATCH/m.test(block.textContent);
      if (french) return script ? "Ouvrir dans l’éditeur" : "Saisir";
      return script ? "Open in the editor" : "Type it";
    };
    for (const block of document.querySelectorAll("main pre")) {
      window.sandbatch.try_it(block, { into: cluster, label: label(block) });
    }
  });
})();
