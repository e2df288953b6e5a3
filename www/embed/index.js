// <sandbatch-cluster site="lab" lesson="en/01-first-job" panels="terminal cluster" lang="fr" height="420">: a live cluster
// in any page, documented in docs/embed.md. It is a frame with the page that this file came from. Nothing is loaded before it
// is visible, no headers are needed, and without JavaScript the content of the element (a link, a picture) is shown.
//
// esbuild makes one plain script of this folder, because a module from another origin would need headers.

import { try_it } from "./buttons.js";
import { SandbatchCluster } from "./element.js";
import { PROTOCOL, source } from "./home.js";
import "./style.js";

if (!customElements.get("sandbatch-cluster")) customElements.define("sandbatch-cluster", SandbatchCluster);

window.sandbatch = { ...window.sandbatch, try_it, protocol: PROTOCOL };

// embed.js?try_it&site=lab: buttons without any script, also for content added later (single-page sites).
if (source.searchParams.has("try_it")) {
  const { try_it: selector, ...options } = Object.fromEntries(source.searchParams);
  let soon = 0;
  const look = () => {
    clearTimeout(soon);
    soon = setTimeout(() => try_it(selector, options), 200);
  };
  const begin = () => {
    look();
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  };
  if (document.readyState === "complete") begin();
  else addEventListener("load", begin);
}
