// What only measures: the time to a usable prompt, and frames per second while 200 nodes change at 600x.
import { appendFileSync } from "node:fs";
import { type Page, test } from "@playwright/test";
import { Cluster } from "./cluster";

const FIGURES = new URL("../../target/figures.txt", import.meta.url);

function figure(what: string, value: string): void {
  appendFileSync(FIGURES, `${what} | ${value}\n`);
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test("time to a usable prompt", async ({ browser }) => {
  const times: number[] = [];
  for (let i = 0; i < 5; i += 1) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const began = Date.now();
    await page.goto("./");
    await page.getByTestId("prompt-ready").first().waitFor({ state: "attached" });
    times.push(Date.now() - began);
    await context.close();
  }
  figure("time to a usable prompt, empty cache, median of 5", `${median(times)} ms`);
});

/** A site of 216 nodes with 32 cores each, given to the page in the place of its own sites. */
const LARGE: Record<string, string> = {
  "slurm.conf": [
    "ClusterName=large",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_Core_Memory",
    "MaxArraySize=10001",
    "MaxJobCount=50000",
    "NodeName=n[001-216] Sockets=2 CoresPerSocket=16 ThreadsPerCore=1 RealMemory=128000",
    "PartitionName=batch Nodes=n[001-216] Default=YES MaxTime=1-0 State=UP",
  ].join("\n"),
  "site.toml": '[[users]]\nname = "alice"\n',
};

/** Frames drawn in each second, and the longest time without one, for ten seconds. */
async function frames(page: Page): Promise<{ rate: number; longest: number }> {
  return page.evaluate(async () => {
    let count = 0;
    let longest = 0;
    const began = performance.now();
    let last = began;
    await new Promise<void>((resolve) => {
      const frame = () => {
        const now = performance.now();
        longest = Math.max(longest, now - last);
        last = now;
        count += 1;
        if (now - began < 10_000) requestAnimationFrame(frame);
        else resolve();
      };
      requestAnimationFrame(frame);
    });
    return { rate: (1000 * count) / (last - began), longest };
  });
}

/** The page's clock, in seconds of the day. */
async function clock(cluster: Cluster): Promise<number> {
  const [h = 0, m = 0, s = 0] = ((await cluster.get("clock-time").textContent()) ?? "").split(":").map(Number);
  return h * 3600 + m * 60 + s;
}

async function measured(cluster: Cluster): Promise<void> {
  await cluster.choose("pace", "600");
  const from = await clock(cluster);
  const { rate, longest } = await frames(cluster.page);
  const passed = ((await clock(cluster)) - from + 86_400) % 86_400;
  const nodes = await cluster.page.getByTestId("node-tile").count();
  figure(`frames per second at 600x, ${nodes} nodes`, rate.toFixed(1));
  figure(`longest time without a frame, ${nodes} nodes`, `${longest.toFixed(0)} ms`);
  figure(`pace that was kept, ${nodes} nodes`, `${Math.round(passed / 10)}x`);
}

test("frames per second", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-16 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await cluster.submit("sbatch -p A100-10 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await measured(cluster);
});

test("frames per second while 200 nodes change", async ({ page }) => {
  await page.route("**/sites/index.json", (route) => route.fulfill({ json: { inserm: Object.keys(LARGE) } }));
  await page.route("**/sites/inserm/*", (route) =>
    route.fulfill({ body: LARGE[route.request().url().split("/").at(-1) ?? ""] ?? "" }),
  );
  const cluster = new Cluster(page);
  await cluster.open();
  // Four on each node, for ten minutes to an hour: hundreds start and end in each second of a person.
  await cluster.submit("sbatch -c 8 --mem=30G --array=1-9000 --time=70 --wrap 'sleep $((RANDOM % 3000 + 600))'");
  await measured(cluster);
});
