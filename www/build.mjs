// Runs after Trunk's build. Bundles terminal and editor into the staging directory (with a content hash in each name) and
// completes index.html. Downloads nothing. The sites and lessons come from xtask (xtask/src/examples.rs).
import { createHash } from "node:crypto";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, transform } from "esbuild";
import { PHRASES } from "./french.js";
import { licences } from "./licences.mjs";

const root = path.resolve(import.meta.dirname, "..");
const out = process.env.TRUNK_STAGING_DIR ?? path.join(root, "dist");
const release = (process.env.TRUNK_PROFILE ?? "release") === "release";

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

/** Merges Trunk's style sheets and the terminal's into one, to save round trips. */
async function style(html, terminal) {
  const link = /<link rel="stylesheet" href="\.\/([^"]+)"[^>]*>\s*/g;
  const sheets = [...html.matchAll(link)].map((m) => m[1]);
  if (terminal) sheets.push(terminal);
  const texts = await Promise.all(sheets.map((name) => readFile(path.join(out, name), "utf8")));
  await Promise.all(sheets.map((name) => rm(path.join(out, name))));
  const { code } = await transform(texts.join("\n"), { loader: "css", minify: release });
  const name = `style-${createHash("sha256").update(code).digest("hex").slice(0, 16)}.css`;
  await writeFile(path.join(out, name), code);
  return html.replace(link, "").replace("</script>", `</script><link rel="stylesheet" href="./${name}" />`);
}

/** Shrinks www/early.js. Browsers that cannot run the page read it, too: esbuild fails on what it cannot write in ECMAScript 5. */
async function early() {
  const source = await readFile(path.join(root, "www", "early.js"), "utf8");
  const { code } = await transform(source, { target: "es5", minify: release });
  await writeFile(path.join(out, "early.js"), code);
}

/** Replaces Trunk's start-up code and its preloads with www/begin.js. */
async function begin(html, terminal) {
  const links = /<link rel="(?:module)?preload" href="([^"]+)"[^>]*>/g;
  const start = /<script type="module">([\s\S]*?)<\/script>/;
  const [, app] = html.match(start)[1].match(/from '([^']+)'/);
  const [, wasm] = html.match(start)[1].match(/module_or_path: '([^']+)'/);
  const ahead = [...[...html.matchAll(links)].map((m) => m[1]), `./${terminal}`];
  const names = { APP: app, WASM: wasm, AHEAD: ahead, TERMINAL: `./${terminal}` };
  const define = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, JSON.stringify(value)]));
  const source = await readFile(path.join(root, "www", "begin.js"), "utf8");
  const { code } = await transform(source, { define, format: "esm", minify: release });
  return html.replace(links, "").replace(start, () => `<script type="module">${code}</script>`);
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
  const file = path.join(out, "index.html");
  const { "terminal-style": terminal, ...scripts } = names;
  let html = await style(await readFile(file, "utf8"), terminal);
  const meta = Object.entries(scripts).map(([name, url]) => `<meta name="sandbatch-${name}" content="${url}" />`);
  html = await begin(html.replace("</head>", `${meta.join("")}</head>`), names.terminal);
  const hashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (m) => `'sha256-${createHash("sha256").update(m[1]).digest("base64")}'`,
  );
  await writeFile(file, html.replace("SCRIPT_HASHES", hashes.join(" ")));
}

const names = {};
for (const name of ["terminal", "editor"]) {
  for (const file of await bundle(name)) {
    names[file.endsWith(".css") ? `${name}-style` : name] = file;
  }
}
await phrases();
await early();
await embed();
await writeFile(path.join(out, "licences.txt"), await licences(root, inputs));
await page(names);
