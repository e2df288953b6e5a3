// What browsers lack: the page says it in words, with the versions that have it. What it can do without, it does without.
import { readFile } from "node:fs/promises";
import { Cluster, guideOf } from "./cluster";
import { expect, test } from "./test";

/** Takes something away before the page's scripts run. */
type Loss = () => void;

const css = (text: string): [Loss, string] => [
  new Function(`
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...asked) => !asked.join(":").includes(${JSON.stringify(text)}) && supports(...asked);
  `) as Loss,
  text,
];

const section = (bytes: number[]): Loss =>
  new Function(`
    const validate = WebAssembly.validate.bind(WebAssembly);
    const newer = ${JSON.stringify(String(bytes))};
    WebAssembly.validate = (module) => !String([...module]).includes(newer) && validate(module);
  `) as Loss;

/** The feature's name in the message, and how to take it away. */
const LOSSES: [string, Loss][] = [
  ["WebAssembly", () => delete (globalThis as any).WebAssembly],
  ["WebAssembly reference types", section([208, 112])],
  ["WebAssembly bulk memory", section([252, 10])],
  ["WebAssembly conversions", section([252, 0, 192])],
  ["URLSearchParams", () => delete (globalThis as any).URLSearchParams],
  ["IndexedDB", () => [Window.prototype, globalThis].forEach((place: any) => delete place.indexedDB)],
  ["ResizeObserver", () => delete (globalThis as any).ResizeObserver],
  ["<dialog>", () => delete (HTMLDialogElement.prototype as any).showModal],
  ["Object.hasOwn", () => delete (Object as any).hasOwn],
  ["oklch()", css("oklch(0.5")[0]],
  ["color-mix()", css("color-mix")[0]],
  ["container queries", css("container-type")[0]],
  [":has()", css(":has")[0]],
  ["dvh", css("1dvh")[0]],
  [
    "module workers",
    () => {
      // Such a browser ignores the options.
      const Known = window.Worker;
      window.Worker = class extends Known {
        constructor(url: string | URL) {
          super(url);
        }
      };
    },
  ],
];

for (const [name, loss] of LOSSES) {
  test(`a browser without ${name} gets a message`, async ({ page }) => {
    await page.addInitScript(loss);
    await page.goto("./");
    const alert = page.getByRole("alert").first();
    await expect(alert).toContainText("This browser cannot run sandbatch: it lacks");
    await expect(alert.getByRole("listitem").filter({ hasText: `${name}: Chrome or Edge ` })).toHaveCount(1);
    await expect(alert).toContainText("Everything that it needs is in Chrome or Edge 111, Firefox 121, Safari 16.2 and newer.");
    // Not a page that half works behind it.
    await page.waitForTimeout(300);
    expect(await page.locator(".page").count()).toBe(0);
    const size = (await alert.boundingBox())!;
    expect(size.height).toBeGreaterThan(500);
  });
}

test("the message has the browser's language, and names everything that is missing", async ({ browser }) => {
  const context = await browser.newContext({ locale: "fr", viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  for (const [, loss] of LOSSES.filter(([name]) => name === "<dialog>" || name === ":has()")) await page.addInitScript(loss);
  await page.goto("./");
  const alert = page.getByRole("alert").first();
  await expect(alert).toContainText("Ce navigateur ne peut pas exécuter sandbatch : il lui manque <dialog>, :has().");
  await expect(alert.getByRole("listitem")).toHaveText([
    "<dialog> : Chrome ou Edge 37, Firefox 98, Safari 15.4",
    ":has() : Chrome ou Edge 105, Firefox 121, Safari 15.4",
  ]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await context.close();
});

test("the documentation states the same minimum", async () => {
  const said = await readFile(new URL("../../docs/running.md", import.meta.url), "utf8");
  expect(said.replaceAll("\n", " ")).toContain("Chrome or Edge 111, Firefox 121 or Safari 16.2");
});

/** What the page uses if it is there. */
const OPTIONAL: Loss = () => {
  const gone = globalThis as any;
  for (const name of ["OffscreenCanvas", "CompressionStream", "DecompressionStream", "LockManager", "FinalizationRegistry", "requestIdleCallback"]) delete gone[name];
  for (const name of ["locks", "clipboard", "serviceWorker"]) delete (Navigator.prototype as any)[name];
  delete (ArrayBuffer.prototype as any).transfer;
  delete (Element.prototype as any).moveBefore;
  delete (Intl as any).Segmenter;
};

test("what a browser may lack does not stop the page", async ({ page }) => {
  await page.addInitScript(OPTIONAL);
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 -t 5 --wrap 'sleep 30'");
  await cluster.untilEnded(job);
  await cluster.edit("#!/bin/bash\n#SBATCH --time=5\n");
  await expect(cluster.get("editor")).toContainText("--time=5");
  for (const panel of ["timeline", "priority", "charts", "learn", "queue"]) {
    await cluster.get(`tab-${panel}`).click();
    await expect(cluster.get(`tab-${panel}`)).toHaveAttribute("aria-selected", "true");
  }
  expect(cluster.errors).toEqual([]);
});

test("an element of another origin works without adopted style sheets", async ({ page, baseURL }) => {
  await page.addInitScript(() => {
    for (const name of ["CSSStyleSheet", "OffscreenCanvas"]) delete (globalThis as any)[name];
    delete (Document.prototype as any).adoptedStyleSheets;
  });
  await guideOf(`<!doctype html><body><script src="${baseURL}embed.js"></script><sandbatch-cluster site="lab"></sandbatch-cluster>`, async (address) => {
    await page.goto(address);
    await expect(page.frameLocator("iframe").getByTestId("prompt-ready").first()).toBeAttached();
    expect(await page.locator(".sandbatch-still").isVisible()).toBe(false);
  });
});
