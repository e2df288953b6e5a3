// Measurements: times to the first paint and to a usable prompt, frames per second while nodes change, keys at 3600x, memory.
import { appendFileSync, readFileSync } from "node:fs";
import { type Browser, type Page, expect, test } from "@playwright/test";
import { Cluster, large, openLarge } from "./cluster";
import { type Slices, slices } from "./slices";

const FIGURES = new URL("../../target/figures.txt", import.meta.url);

function figure(what: string, value: string): void {
  appendFileSync(FIGURES, `${what} | ${value}\n`);
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The median and all values, in milliseconds. */
function each(times: number[]): string {
  times.sort((a, b) => a - b);
  return `${median(times).toFixed(0)} ms (${times.map((time) => time.toFixed(0)).join(", ")})`;
}

/** The 95th percentile and the maximum, in milliseconds. */
function most(times: number[]): string {
  times.sort((a, b) => a - b);
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(0);
  return `95% under ${at(0.95)} ms, ${at(1)} ms at most`;
}

function figureSlices(when: string, { worked, passed }: Slices): void {
  expect(worked.length).toBeGreaterThan(100);
  figure(`engine slices ${when}: CPU time`, most(worked));
  figure(`engine slices ${when}: elapsed time`, most(passed));
}

/** Waits for the browser's own work for a new window, whose address bar is a page, too: almost a second on both cores. */
const WINDOW = 3000;

test("times to a first paint and a usable prompt", async ({ browser }) => {
  test.setTimeout(120_000);
  const paints: number[] = [];
  const times: number[] = [];
  for (let i = 0; i < 9; i += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(() => {
      // Uses the page's own clock since navigation. Polling from outside would have a resolution of half a second.
      const w = window as unknown as { prompted?: number };
      const seen = () => (w.prompted ??= document.querySelector("[data-testid=prompt-ready]") ? performance.now() : undefined);
      new MutationObserver(seen).observe(document, { childList: true, subtree: true });
    });
    await page.waitForTimeout(WINDOW);
    await page.goto("./");
    await page.getByTestId("prompt-ready").first().waitFor({ state: "attached" });
    times.push(await page.evaluate(() => (window as unknown as { prompted: number }).prompted));
    paints.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Infinity));
    await context.close();
  }
  figure("time to the first paint, empty cache, median of 9", each(paints));
  figure("time to a usable prompt, empty cache, median of 9", each(times));
});

/** Frames per second, and the 95th percentile and maximum of the frame interval, over ten seconds. */
async function frames(page: Page): Promise<{ rate: number; p95: number; longest: number }> {
  return page.evaluate(async () => {
    const times: number[] = [];
    const began = performance.now();
    let last = began;
    await new Promise<void>((resolve) => {
      const frame = () => {
        const now = performance.now();
        times.push(now - last);
        last = now;
        if (now - began < 10_000) requestAnimationFrame(frame);
        else resolve();
      };
      requestAnimationFrame(frame);
    });
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    return { rate: (1000 * times.length) / (last - began), p95: at(0.95), longest: at(1) };
  });
}

/** The page's clock, in seconds of the day. */
async function clock(cluster: Cluster): Promise<number> {
  const [h = 0, m = 0, s = 0] = ((await cluster.get("clock-time").textContent()) ?? "").split(":").map(Number);
  return h * 3600 + m * 60 + s;
}

async function measured(cluster: Cluster, scene: string): Promise<void> {
  await cluster.choose("pace", "600");
  const from = await clock(cluster);
  const { rate, p95, longest } = await frames(cluster.page);
  const passed = ((await clock(cluster)) - from + 86_400) % 86_400;
  figure(`frames per second at 600x, ${scene}`, rate.toFixed(1));
  figure(`frame interval, 95th percentile, ${scene}`, `${p95.toFixed(0)} ms`);
  figure(`longest frame interval, ${scene}`, `${longest.toFixed(0)} ms`);
  figure(`achieved pace, ${scene}`, `${Math.round(passed / 10)}x`);
}

/** Slice times of the engine while five thousand jobs start and run at 600x and a pending job is selected. */
async function begins(browser: Browser, cluster: Cluster, nodes: number): Promise<void> {
  await cluster.choose("pace", "600");
  const starts = () => cluster.page.waitForTimeout(5000);
  figureSlices(`with ${nodes} nodes, while jobs start`, await slices(browser, starts));
  await cluster.submit(`sbatch -N ${nodes / 2} --time=2:00:00 --wrap 'sleep 300'`);
  await cluster.choose("pace", "600");
  await cluster.page.waitForTimeout(8000);
  figureSlices(`with ${nodes} nodes, at 600x`, await slices(browser, starts));
}

test("frames per second", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-16 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await cluster.submit("sbatch -p A100-10 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await measured(cluster, "25 nodes");
});

test("frames per second while 200 nodes change", async ({ page }) => {
  const cluster = await openLarge(page, 216);
  // Four per node, for ten minutes to an hour: hundreds start and end in each real second.
  await cluster.submit("sbatch -c 8 --mem=30G --array=1-9000 --time=70 --wrap 'sleep $((RANDOM % 3000 + 600))'");
  await measured(cluster, "216 nodes");
});

test("frames per second with 2,000 nodes and 5,000 running jobs", async ({ page, browser }) => {
  test.setTimeout(600_000);
  const cluster = await openLarge(page, 2000);
  await cluster.submit("sbatch -c 12 --mem=30G --array=1-6000 --time=1-0 --wrap 'sleep $((RANDOM % 9000 + 3600))'");
  await begins(browser, cluster, 2000);
  await measured(cluster, "2000 nodes");
});

test("frames per second with 10,000 nodes in the heat map", async ({ page, browser }) => {
  test.setTimeout(600_000);
  const cluster = await openLarge(page, 10_000);
  await cluster.submit("sbatch -c 32 --array=1-5000 --time=1-0 --wrap 'sleep $((RANDOM % 9000 + 3600))'");
  await begins(browser, cluster, 10_000);
  await measured(cluster, "10000 nodes");
});

test("frames per second with 100,000 pending jobs", async ({ page }) => {
  test.setTimeout(600_000);
  const cluster = await openLarge(page, 216);
  await cluster.submit("sbatch -c 32 --array=1-100000 --time=1-0 --wrap 'sleep $((RANDOM % 9000 + 3600))'");
  await measured(cluster, "216 nodes, 100,000 pending jobs");
});

test("a key press at 3600x, and slice times of the engine", async ({ page, browser }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-16 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await cluster.submit("sbatch -p A100-10 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await cluster.choose("pace", "3600");
  // Chosen while typing, so that typing does not reduce the pace.
  await cluster.type(": ");
  await cluster.choose("pace", "600");
  await cluster.choose("pace", "3600");
  await page.evaluate(() => {
    const w = window as unknown as { echoes: number[] };
    w.echoes = [];
    let pressed = 0;
    addEventListener("keydown", () => (pressed = performance.now()), true);
    const rows = document.querySelector('[data-testid="terminal"] .pane:not(.away) .xterm-rows')!;
    const seen = () => {
      if (!pressed) return;
      const since = pressed;
      pressed = 0;
      // xterm.js draws during the frame, so a task after that runs when the frame has been laid out and painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => w.echoes.push(performance.now() - since);
      port2.postMessage(null);
    };
    new MutationObserver(seen).observe(rows, { childList: true, characterData: true, subtree: true });
  });
  await cluster.keys().focus();
  const found = await slices(browser, async () => {
    for (const key of "the quick brown fox jumps over the lazy dog") {
      await page.keyboard.press(key === " " ? "Space" : key);
      await page.waitForTimeout(70);
    }
  });
  figure("from keypress to echo, at 3600x", most(await page.evaluate(() => (window as unknown as { echoes: number[] }).echoes)));
  figureSlices("at 3600x", found);
  figureSlices(
    "while looking back",
    await slices(browser, async () => {
      await cluster.get("time-rail").focus();
      for (let i = 0; i < 5; i += 1) {
        await page.keyboard.press("PageUp");
        await page.waitForTimeout(500);
      }
    }),
  );
  figureSlices(
    "while a new branch starts",
    await slices(browser, async () => {
      await cluster.press("Control+u");
      await cluster.run("echo another");
      await page.waitForTimeout(1500);
    }),
  );
});

test("memory after five months of a busy cluster", async ({ page, browser }) => {
  test.setTimeout(1_800_000);
  const files = large(25);
  files["slurm.conf"] = files["slurm.conf"]!.replace("MaxTime=1-0", "MaxTime=INFINITE");
  await page.route("**/sites/index.json", (route) => route.fulfill({ json: ["inserm"] }));
  await page.route("**/sites/inserm.json", (route) => route.fulfill({ json: Object.entries(files) }));
  const cluster = new Cluster(page);
  await cluster.open();
  const hourly = "sbatch --array=1-75 -t 20 -o %A.out --wrap 'sleep $((RANDOM % 900 + 30))'";
  await cluster.write("hourly.sh", `#!/bin/bash\nwhile :; do ${hourly}; sleep 3600; done`);
  await cluster.run("sbatch -t UNLIMITED -o /dev/null hourly.sh");
  for (let day = 0; day < 150; day += 10) {
    for (let i = 0; i < 10; i += 1) {
      await cluster.choose("skip-until", "day");
      await page.waitForTimeout(150);
      await page.getByTestId("skip-stop").waitFor({ state: "detached", timeout: 120_000 });
    }
  }
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter((process) => process.type === "renderer")
    .map(({ id }) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0));
  figure("memory of the tab after five months of a busy cluster", `${Math.round(Math.max(...sizes) / 1000)} MB`);
});
