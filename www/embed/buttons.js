// The buttons after code blocks: they write a block's files into a cluster and type its commands.

import { blocks, done, outside_of, page_around, text_of } from "./blocks.js";
import { made, values_of, words_of } from "./form.js";

/** Whether a block has something to write or to type. */
const has_work = ({ files, commands }) => commands.length > 0 || files.some(({ own }) => own);

/** Removes the buttons of blocks that are output. One that was clicked is told so. */
function prune(elements, read) {
  elements.forEach((block, at) => {
    const button = done.get(block);
    if (button && !button.disabled && !has_work(read[at])) button.remove();
  });
}

/** Files of blocks that were written into a cluster. */
const written = new WeakMap();

/** Writes the files of a block and types its commands. Returns whether it has any. */
async function run(cluster, block, button, words) {
  // The cluster's terminal is ready after that.
  await cluster.state();
  const { elements, texts, at } = page_around(block);
  const read = await cluster.read(texts);
  prune(elements, read);
  const { files, commands, asks } = read[at];
  if (!has_work(read[at])) return false;
  const known = written.get(cluster) ?? written.set(cluster, new Set()).get(cluster);
  // A file of another block is written once: the reader may have changed it since.
  const needed = files.filter(({ name, own }) => own || !known.has(name));
  const used = new Set([...needed.map(({ text }) => text), ...commands].flat().filter(Number.isInteger));
  const wanted = [...asks.entries()].filter(([index]) => used.has(index));
  button.hidden = wanted.length > 0;
  const values = wanted.length ? await values_of(wanted, words, button.textContent, button) : new Map();
  button.hidden = false;
  if (!values) return true;
  // The reader sees what is typed. A cluster that follows its buttons is there already.
  if (button.nextElementSibling !== cluster) cluster.scrollIntoView({ block: "nearest" });
  const filled = (parts) => parts.map((part) => (Number.isInteger(part) ? values.get(part) : part)).join("");
  for (const { name, text, own } of needed) {
    await (own ? cluster.file(name, filled(text)) : cluster.write(name, filled(text)));
    known.add(name);
  }
  if (commands.length) await cluster.type(commands.map(filled).join("\n"));
  return true;
}

/** Clusters that the buttons of this page share, by their options. */
const shared = new Map();

/** Puts a cluster after a button, and keeps the button where the reader sees it. */
function place(cluster, button) {
  const there = button.getBoundingClientRect().top;
  if (!cluster.isConnected) button.after(cluster);
  else if (button.nextElementSibling !== cluster) {
    try {
      // An older browser would load a frame that moves again, so it stays.
      button.parentNode.moveBefore(cluster, button.nextSibling);
    } catch {
      return cluster.scrollIntoView({ block: "nearest" });
    }
  }
  scrollBy({ top: button.getBoundingClientRect().top - there, behavior: "instant" });
}

/** The cluster of these options. */
function cluster_of(options) {
  const key = JSON.stringify(options);
  const known = shared.get(key);
  if (known) return known;
  const cluster = document.createElement("sandbatch-cluster");
  for (const [name, value] of Object.entries(options)) cluster.setAttribute(name, value);
  const scripts = [...document.querySelectorAll("pre")].some((block) => done.has(block) && /^#!|^#SBATCH/m.test(text_of(block)));
  if (scripts && !options.panels) cluster.setAttribute("panels", "editor terminal queue");
  shared.set(key, cluster);
  return cluster;
}

/**
 * Adds a "try it" button after a page's code blocks: `sandbatch.try_it(".language-bash", { site: "lab" })`. The buttons with the same
 * options share one cluster, which moves to the block that is tried. With `into`, an element of the page, they use that one.
 */
export function try_it(selector = "", { into, ...options } = {}) {
  for (const block of blocks(selector)) {
    if (done.has(block)) continue;
    const words = words_of(options.lang ?? into?.getAttribute("lang"));
    const button = made("button", { type: "button", className: "sandbatch-try", textContent: options.label ?? words.label });
    done.set(block, button);
    button.addEventListener("click", async () => {
      const cluster = into ?? cluster_of(options);
      if (!into) place(cluster, button);
      button.disabled = true;
      try {
        if (!(await run(cluster, block, button, words))) {
          button.replaceWith(made("p", { className: "sandbatch-said", role: "status", textContent: words.nothing }));
        }
      } catch (error) {
        console.warn(`sandbatch: ${error.message}`);
      } finally {
        button.disabled = false;
        // The form, which had the focus, is gone.
        if (document.activeElement === document.body) button.focus({ preventScroll: true });
      }
    });
    outside_of(block).after(button);
  }
}

// Once a cluster of the page is there, it knows which blocks are output.
document.addEventListener("sandbatch-ready", async ({ target }) => {
  written.delete(target);
  const block = [...document.querySelectorAll("pre")].find((element) => done.has(element));
  if (!block) return;
  const { elements, texts } = page_around(block);
  prune(elements, await target.read(texts).catch(() => texts.map(() => ({ files: [], commands: [""] }))));
});
