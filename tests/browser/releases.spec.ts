// A new release over an old one, behind a plain static server: a page never mixes two builds, and an open one goes on.
import { createReadStream, cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Page } from "@playwright/test";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

const BUILT = path.resolve(import.meta.dirname, "../../dist");
const TYPES: Record<string, string> = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml",
  ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
};

/** A host that sends no headers but the type, and whose files can be replaced by those of another release. */
class Host {
  folder = BUILT;
  private constructor(private readonly server: Server, readonly address: string) {}

  static async start(): Promise<Host> {
    const server = createServer((request, response) => {
      const name = new URL(request.url ?? "/", "http://host").pathname;
      const file = path.join(host.folder, name.endsWith("/") ? `${name}index.html` : name);
      if (!file.startsWith(host.folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream" });
      createReadStream(file).pipe(response);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const host = new Host(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    return host;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The name of a build. */
function buildOf(folder: string): string {
  const build = /const BUILD = "(\w+)"/.exec(readFileSync(path.join(folder, "sw.js"), "utf8"))?.[1];
  if (!build) throw new Error("sw.js names no build");
  return build;
}

/** Another release: the same programs under the names of another build. */
function nextRelease(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "sandbatch-release-"));
  cpSync(BUILT, folder, { recursive: true });
  const [from, to] = [buildOf(BUILT), "00112233aabbccdd"];
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (statSync(file).isFile() && [".html", ".js"].includes(path.extname(name))) {
      writeFileSync(file, readFileSync(file, "utf8").replaceAll(from, to));
    }
    if (name.includes(from)) renameSync(file, path.join(folder, name.replace(from, to)));
  }
  return folder;
}

/** The builds whose files the page has loaded. */
function loaded(page: Page, builds: string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const scripts = [...document.querySelectorAll("script[src], meta[name^=sandbatch]")];
    const marked = scripts.map((e) => e.getAttribute("src") ?? e.getAttribute("content") ?? "");
    const all = [...performance.getEntriesByType("resource").map((entry) => entry.name), ...marked];
    return names.filter((build) => all.some((name) => name.includes(build)));
  }, builds);
}

/** Waits until the browser keeps a whole set of files. */
async function kept(page: Page, build: string): Promise<void> {
  const whole = () =>
    page.evaluate(async (name) => {
      const cache = await caches.open(`sandbatch-${name}`);
      return (await cache.match("./whole-set")) !== undefined;
    }, build);
  await expect.poll(whole, { timeout: 60_000, message: `the set of ${build} is whole` }).toBe(true);
}

test("an open page keeps its build, and a new one comes whole, online and offline", async ({ page, context }) => {
  const host = await Host.start();
  const release = nextRelease();
  const [old, next] = [buildOf(BUILT), buildOf(release)];
  try {
    const cluster = new Cluster(page, { offline: true });
    await cluster.open(`${host.address}?site=lab`);
    await cluster.run("echo kept > note");
    await kept(page, old);

    host.folder = release;
    // The open page still gets its own files, which the host no longer has.
    const data = await page.locator("meta[name=sandbatch-data]").getAttribute("content");
    expect(await page.evaluate(async (site) => (await fetch(site)).status, `${data}sites/mila.json`)).toBe(200);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await kept(page, next);
    const notice = cluster.get("notice");
    await expect(notice).toContainText("new version");
    expect(await loaded(page, [old, next])).toEqual([old]);

    await notice.getByRole("button", { name: "Reload" }).click();
    await expect.poll(() => loaded(page, [old, next])).toEqual([next]);
    await cluster.ready();
    expect(await cluster.run("cat note")).toBe("kept");

    await context.setOffline(true);
    host.stop();
    await page.reload();
    await cluster.ready();
    expect(await loaded(page, [old, next])).toEqual([next]);
    expect(await cluster.run("cat note")).toBe("kept");
    expect(cluster.errors.filter((error) => !error.includes("ERR_INTERNET_DISCONNECTED"))).toEqual([]);
  } finally {
    await context.setOffline(false);
    host.stop();
    rmSync(release, { recursive: true, force: true });
  }
});
