// node www/build.mjs DIR [--dev]: completes the page in a directory that has both programs as wasm-bindgen wrote them. Bundles
// terminal, editor and the programs' glue, copies what stays as it is, and writes index.html. Downloads nothing. The sites and
// lessons come from xtask (xtask/src/examples.rs).
import { createHash } from "node:crypto";
import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, transform } from "esbuild";
import { PHRASES } from "./french.js";
import { licences } from "./licences.mjs";

const root = path.resolve(import.meta.dirname, "..");
const [out, kind] = process.argv.slice(2);
const release = kind !== "--dev";

/** Files of www/ that the page has as they are. */
const COPIED = [
  "sw.js",
  "icon.svg",
  "icon-192.png",
  "icon-512.png",
  "icon-maskable.png",
  "manifest.webmanifest",
  "preview.png",
];

/** The oldest browsers that run the page (www/early.js). */
const BROWSERS = ["chrome111", "firefox121", "safari16.2"];

/** Input files of the bundles. */
const inputs = [];

/** Bundles a source file of www/ and its style sheet; returns the names of the output files. */
async function bundle(name) {
  const result = await build({
    entryPoints: [path.join(root, "www", `${name}.js`)],
    outdir: out,
    entryNames: "[name]-[hash]",
    bundle: true,
    format: "esm",
    target: BROWSERS,
    minify: release,
    legalComments: "none",
    metafile: true,
    absWorkingDir: root,
  });
  inputs.push(...Object.keys(result.metafile.inputs));
  return Object.keys(result.metafile.outputs).map((file) => path.basename(file));
}

/** Fails if CodeMirror has a message without a French translation. */
async function phrases() {
  const missing = [];
  for (const file of inputs.filter((name) => name.includes("@codemirror/"))) {
    const calls = (await readFile(path.join(root, file), "utf8")).matchAll(/\bphrase\(([^()]*)/g);
    const said = [...calls].flatMap((call) => [...call[1].matchAll(/"([^"]+)"/g)].map((m) => m[1]));
    missing.push(...said.filter((phrase) => !(phrase in PHRASES)));
  }
  if (missing.length > 0) throw new Error(`www/french.js lacks ${missing.join(", ")}`);
}

/** A hash of a file's content for its name. */
const hash = (content) => createHash("sha256").update(content).digest("hex").slice(0, 16);

/** Puts a hash of its content into a file's name, before the ending; returns the new name. */
async function hashed(stem, ending) {
  const name = `${stem}-${hash(await readFile(path.join(out, stem + ending)))}${ending}`;
  await rename(path.join(out, stem + ending), path.join(out, name));
  return name;
}

/** Bundles what wasm-bindgen wrote for a program and the snippets that it imports into one file, in place. */
async function glue(program) {
  const outfile = path.join(out, `${program}.js`);
  await build({
    entryPoints: [outfile],
    outfile,
    allowOverwrite: true,
    bundle: true,
    format: "esm",
    target: BROWSERS,
    minify: release,
    absWorkingDir: root,
  });
}

/** The file that the worker starts with, because wasm-bindgen's module only exports its start. */
async function loader() {
  await writeFile(path.join(out, "worker_loader.js"), "import init from './worker.js';\nawait init();\n");
}

/** Merges the page's style sheets and the terminal's into one, to save round trips. */
async function style(html, terminal) {
  const link = /<link rel="stylesheet" href="([^"]+)" \/>\s*/g;
  const sheets = [...html.matchAll(link)].map((m) => path.join(root, m[1]));
  const texts = await Promise.all([...sheets, path.join(out, terminal)].map((file) => readFile(file, "utf8")));
  await rm(path.join(out, terminal));
  const { code } = await transform(texts.join("\n"), { loader: "css", minify: release });
  const name = `style-${hash(code)}.css`;
  await writeFile(path.join(out, name), code);
  return html.replace(link, "").replace("</script>", `</script><link rel="stylesheet" href="./${name}" />`);
}

/** Shrinks www/early.js. Browsers that cannot run the page read it, too: esbuild fails on what it cannot write in ECMAScript 5. */
async function early() {
  const source = await readFile(path.join(root, "www", "early.js"), "utf8");
  const { code } = await transform(source, { target: "es5", minify: release });
  await writeFile(path.join(out, "early.js"), code);
}

/** Puts www/begin.js into the page, with the names of the files that it loads. */
async function begin(html, terminal) {
  const [app, wasm] = [await hashed("app", ".js"), await hashed("app", "_bg.wasm")];
  const names = { APP: `./${app}`, WASM: `./${wasm}`, TERMINAL: `./${terminal}` };
  names.AHEAD = Object.values(names);
  const define = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, JSON.stringify(value)]));
  const source = await readFile(path.join(root, "www", "begin.js"), "utf8");
  const { code } = await transform(source, { define, format: "esm", minify: release });
  return html.replace(/<script type="module" src="www\/begin.js"><\/script>/, () => `<script type="module">${code}</script>`);
}

/** Makes one plain script of www/embed/. It has two URLs, one with a stable meaning (docs/embed.md). */
async function embed() {
  const outfile = path.join(out, "embed.js");
  await build({
    entryPoints: [path.join(root, "www", "embed", "index.js")],
    outfile,
    bundle: true,
    format: "iife",
    target: BROWSERS,
    minify: release,
    charset: "utf8",
    absWorkingDir: root,
  });
  await cp(outfile, path.join(out, "embed-v1.js"));
}

/** Writes the bundles' names into index.html and the hash of its inline script into the policy. */
async function page(names) {
  const { "terminal-style": terminal, ...scripts } = names;
  let html = await style(await readFile(path.join(root, "index.html"), "utf8"), terminal);
  const meta = Object.entries(scripts).map(([name, url]) => `<meta name="sandbatch-${name}" content="${url}" />`);
  html = await begin(html.replace("</head>", `${meta.join("")}</head>`), names.terminal);
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (m) => `'sha256-${createHash("sha256").update(m[1]).digest("base64")}'`,
  );
  await writeFile(path.join(out, "index.html"), html.replace("SCRIPT_HASHES", hashes.join(" ")));
}

const names = {};
for (const name of ["terminal", "editor"]) {
  for (const file of await bundle(name)) {
    names[file.endsWith(".css") ? `${name}-style` : name] = file;
  }
}
await phrases();
await Promise.all(COPIED.map((name) => cp(path.join(root, "www", name), path.join(out, name))));
await glue("app");
await glue("worker");
await rm(path.join(out, "snippets"), { recursive: true, force: true });
await loader();
await early();
await embed();
await writeFile(path.join(out, "licences.txt"), await licences(root, inputs));
await page(names);
