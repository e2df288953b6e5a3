// Files that are dropped on the page or chosen, read as text within size limits.

const MAX_FILES = 500;
const MAX_FILE = 4 * 1024 * 1024;
const MAX_ALL = 16 * 1024 * 1024;
const MAX_DEPTH = 4;

/** Accepts files and folders anywhere on the page; `take` receives a promise of `[[name, text], ...]`. */
export function listen_to_drops(take) {
  const brings = (event) => event.dataTransfer?.types.includes("Files");
  const mark = (on) => document.documentElement.toggleAttribute("data-dropping", on);
  let inside = 0;
  const over = (event, by) => {
    if (!brings(event)) return;
    event.preventDefault();
    inside = Math.max(0, inside + by);
    mark(inside > 0);
  };
  addEventListener("dragenter", (event) => over(event, 1));
  addEventListener("dragleave", (event) => over(event, -1));
  addEventListener("dragover", (event) => over(event, 0));
  addEventListener("drop", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    inside = 0;
    mark(false);
    // Entries are only available now, not after the first await.
    const items = [...event.dataTransfer.items].filter((item) => item.kind === "file");
    take(read_all(items.map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile()).filter(Boolean)));
  });
}

/** The files of an input element, which is cleared afterwards. */
export function chosen_files(event) {
  const files = [...event.target.files];
  event.target.value = "";
  return read_all(files);
}

async function read_all(things) {
  const list = [];
  for (const thing of things) await collect(thing, "", 0, list);
  let room = MAX_ALL;
  const texts = [];
  for (const [name, file] of list) {
    if (file.size > MAX_FILE) throw new Error(`${name}: ${file.size} > ${MAX_FILE} bytes`);
    room -= file.size;
    if (room < 0) throw new Error(`> ${MAX_ALL} bytes`);
    texts.push([name, await file.text()]);
  }
  return texts;
}

/** Adds a file, or the files in a folder except hidden ones. */
async function collect(thing, prefix, depth, list) {
  if (list.length >= MAX_FILES) throw new Error(`> ${MAX_FILES} files`);
  const name = prefix + thing.name;
  if (thing instanceof File) {
    list.push([thing.webkitRelativePath || name, thing]);
  } else if (thing.isFile) {
    list.push([name, await new Promise((resolve, reject) => thing.file(resolve, reject))]);
  } else if (thing.isDirectory && depth < MAX_DEPTH && !thing.name.startsWith(".")) {
    const reader = thing.createReader();
    const some = () => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    for (let entries = await some(); entries.length > 0; entries = await some()) {
      for (const entry of entries) await collect(entry, `${name}/`, depth + 1, list);
    }
  }
}
