// A page of another origin with clusters in it, and the page without a network.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { Cluster } from "./cluster";

const HOME = process.env.SANDBATCH_ADDRESS ?? "";

/** Serves a text at an origin of its own while `use` runs. */
async function elsewhere(html: string, use: (address: string) => Promise<void>): Promise<void> {
  const server = createServer((_, answer) => answer.setHeader("content-type", "text/html; charset=utf-8").end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.close();
  }
}

test("an element of another origin is typed into, told of jobs, and loads only in sight", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const html = (await readFile(new URL("../../examples/embeds/html/index.html", import.meta.url), "utf8"))
    .replace("../../../dist/embed.js", new URL("embed.js", home).href)
    .replace("<body>", `<body style="background:#111;color:#eee"><div style="height:3000px"></div>`);
  await elsewhere(html, async (address) => {
    await page.goto(address);
    const element = page.locator("sandbatch-cluster");
    await expect(element).toHaveCount(1);
    await page.waitForTimeout(500);
    await expect(page.locator("iframe")).toHaveCount(0);
    await element.scrollIntoViewIfNeeded();
    const frame = page.frameLocator("iframe");
    await expect(frame.getByTestId("prompt-ready").first()).toBeAttached();
    await expect(frame.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(frame.getByTestId("editor")).toBeHidden();
    const state = await element.evaluate(async (cluster: any) => {
      await cluster.type("sbatch first.sh");
      await cluster.advance(30);
      for (let look = 0; look < 100; look++) {
        const state = await cluster.state();
        if (state.running > 0) return state;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return cluster.state();
    });
    expect(state).toMatchObject({ site: "lab", user: "alice" });
    expect(state.running).toBeGreaterThan(10);
    await page.getByRole("button", { name: "Try it" }).first().click();
    await expect(page.locator("iframe")).toHaveCount(2);
  });
});

test("a second visit needs no network", async ({ page, context }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Every file is kept, the large ones last.
  const missing = () =>
    page.evaluate(async () => {
      const cache = await caches.open("sandbatch");
      const files: string[] = await (await fetch("files.json")).json();
      const kept = await Promise.all(files.map((file) => cache.match(new URL(file, document.baseURI).href)));
      return kept.filter((file) => !file).length;
    });
  await expect.poll(missing, { timeout: 60_000 }).toBe(0);
  await context.setOffline(true);
  await page.goto("./?site=mila");
  await cluster.ready();
  expect(await cluster.run("sinfo -h -o %P")).toContain("unkillable");
  await context.setOffline(false);
});
