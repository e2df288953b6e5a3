// Writes licences.txt: the third-party work in the page's files and its licences. Crates come from cargo's graph for the
// WebAssembly target, npm packages from esbuild's inputs. Identical texts appear once.
import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const TEXT = /^(licen[cs]e|copying|copyright|notice|unlicense)/i;

/** The licence texts in a package's folder, `[[file, text], ...]`. */
async function texts(folder) {
  const names = (await readdir(folder)).filter((name) => TEXT.test(name)).sort();
  const read = names.map(async (name) => [name, await readFile(path.join(folder, name), "utf8").catch(() => "")]);
  return (await Promise.all(read)).filter(([, text]) => text);
}

/** Crates compiled into the page's two programs, without macros, build dependencies and test dependencies. */
function crates(root) {
  const ask = ["metadata", "--format-version=1", "--locked", "--offline", "--no-default-features", "--features=web"];
  const answer = execFileSync("cargo", [...ask, "--filter-platform=wasm32-unknown-unknown"], { cwd: root, maxBuffer: 1 << 28 });
  const { packages, resolve } = JSON.parse(answer);
  const known = new Map(packages.map((p) => [p.id, p]));
  const deps = new Map(resolve.nodes.map((node) => [node.id, node.deps]));
  const is_macro = (id) => known.get(id).targets.some((target) => target.kind.includes("proc-macro"));
  const ours = packages.find((p) => p.name === "sandbatch").id;
  const found = new Set([ours]);
  for (const id of found) {
    for (const dep of deps.get(id) ?? []) {
      if (dep.dep_kinds.some((kind) => kind.kind === null) && !is_macro(dep.pkg)) found.add(dep.pkg);
    }
  }
  // A package without a source is one of this workspace.
  return [...found].map((id) => known.get(id)).filter((p) => p.source !== null);
}

/** Folders of the npm packages that files of a bundle come from. */
function modules(inputs) {
  const folders = inputs.map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(folders.filter(Boolean))];
}

/** The text of licences.txt; `inputs` are the bundles' input files, relative to `root`. */
export async function licences(root, inputs) {
  const parts = [];
  for (const crate of crates(root)) {
    const { name, version, license, repository, authors, manifest_path } = crate;
    parts.push({ name, version, license, from: repository, authors, texts: await texts(path.dirname(manifest_path)) });
  }
  for (const folder of modules(inputs)) {
    const { name, version, license, homepage } = JSON.parse(await readFile(path.join(root, folder, "package.json"), "utf8"));
    parts.push({ name, version, license, from: homepage, texts: await texts(path.join(root, folder)) });
  }
  parts.sort((a, b) => (a.name < b.name ? -1 : 1));
  // Equal except for white space.
  const shared = new Map();
  for (const part of parts) {
    for (const [, text] of part.texts) {
      const key = text.replace(/\s+/g, " ").trim();
      if (!shared.has(key)) shared.set(key, { text: text.trim(), of: [] });
      shared.get(key).of.push(`${part.name} ${part.version}`);
    }
  }
  const list = parts.map(({ name, version, license, from, authors, texts }) => {
    const who = texts.length ? "" : `, by ${authors?.join(", ") || "its authors"} (no text comes with it)`;
    return `${name} ${version}: ${license ?? "see below"}${from ? `, ${from}` : ""}${who}`;
  });
  const own = await Promise.all(["LICENSE-MIT", "LICENSE-APACHE"].map((file) => readFile(path.join(root, file), "utf8")));
  const rule = "=".repeat(80);
  return [
    "sandbatch is licensed under MIT or Apache-2.0, as you like; both texts stand at the end. Its page contains",
    "the Rust standard library (MIT or Apache-2.0, the Rust Project contributors) and the parts listed here. Where no",
    "text comes with a part, its authors are named, and the text of its licence is that at the end.",
    "",
    ...list,
    ...[...shared.values()].flatMap(({ text, of }) => ["", rule, of.join(", "), rule, "", text]),
    ...own.flatMap((text) => ["", rule, "sandbatch", rule, "", text.trim()]),
    "",
  ].join("\n");
}
