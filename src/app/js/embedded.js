// The page in a frame of another page (www/embed.js): requests from the host and messages to it. Only the parent window may
// send requests.

/** Protocol version; www/embed.js has the same number. */
const PROTOCOL = 1;
/** Parameters that a host may load. */
const LOADED = ["site", "lesson", "background", "lang", "embed"];
const framed = window.parent !== window && new URLSearchParams(location.search).has("embed");

/** Listens to the host; `carry_out(what, value)` returns an answer or throws. */
export function listen_to_host(carry_out) {
  if (!framed) return;
  window.addEventListener("message", async (event) => {
    const message = event.data;
    if (event.source !== window.parent || typeof message?.sandbatch !== "number" || typeof message.do !== "string") return;
    const answer = { sandbatch: PROTOCOL, id: message.id };
    try {
      if (message.sandbatch !== PROTOCOL) throw new Error(`this page speaks version ${PROTOCOL}`);
      const value = String(message.value ?? "").slice(0, 1 << 18);
      if (message.do === "load") return load(value);
      answer.value = message.do === "picture" ? await picture() : named(carry_out(message.do, value));
    } catch (error) {
      answer.error = String(error?.message ?? error);
    }
    if (message.id !== undefined) window.parent.postMessage(answer, "*");
  });
}

/** The current view as SVG source. */
async function picture() {
  const { still } = await import(new URL("still.js", document.baseURI).href);
  return still();
}

/** `site=mila&lesson=en/10-preemption`: reloads the page with these parameters, keeping all others. */
function load(asked) {
  const url = new URL(location.href);
  for (const [name, value] of new URLSearchParams(asked)) {
    if (LOADED.includes(name)) url.searchParams.set(name, value);
  }
  url.hash = "";
  location.replace(url);
}

/** The numbers of a state by name; undefined for other answers. */
function named(list) {
  if (!Array.isArray(list)) return null;
  const [now, pending, running, passed, steps, site, user] = list;
  return { now, pending, running, passed, steps, site, user };
}

/** Sends an event to the host. */
export function tell_host(name, value) {
  if (framed) window.parent.postMessage({ sandbatch: PROTOCOL, event: name, value }, "*");
}
