// The page in a frame of another one (www/embed.js): what the host may ask, and what it is told. Only the window that
// the page is framed in is listened to.

const framed = window.parent !== window && new URLSearchParams(location.search).has("embed");

/** Listens to the host; `carry_out(what, value)` gives an answer or throws. */
export function listen_to_host(carry_out) {
  if (!framed) return;
  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== window.parent || message?.sandbatch !== 1 || typeof message.do !== "string") return;
    const answer = { sandbatch: 1, id: message.id };
    try {
      const list = carry_out(message.do, String(message.value ?? "").slice(0, 1 << 18));
      answer.value = message.do === "state" ? named(list) : null;
    } catch (error) {
      answer.error = String(error?.message ?? error);
    }
    if (message.id !== undefined) window.parent.postMessage(answer, "*");
  });
}

function named([now, pending, running, passed, steps, site, user]) {
  return { now, pending, running, passed, steps, site, user };
}

/** Tells the host that something happened. */
export function tell_host(name, value) {
  if (framed) window.parent.postMessage({ sandbatch: 1, event: name, value }, "*");
}
