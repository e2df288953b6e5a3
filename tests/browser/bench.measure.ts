// What only measures: the time to a usable prompt, and frames per second while 200 nodes change at 600x.
import { appendFileSync } from "node:fs";
import { test } from "@playwright/test";
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

test("frames per second", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-16 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await cluster.submit("sbatch -p A100-10 --array=1-900 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await cluster.choose("pace", "600");
  const [frames, nodes] = await page.evaluate(async () => {
    let frames = 0;
    const began = performance.now();
    await new Promise<void>((resolve) => {
      const frame = () => {
        frames += 1;
        if (performance.now() - began < 10_000) requestAnimationFrame(frame);
        else resolve();
      };
      requestAnimationFrame(frame);
    });
    return [frames / 10, document.querySelectorAll("[data-testid=node-tile]").length];
  });
  figure(`frames per second at 600x, ${nodes} nodes`, frames.toFixed(1));
});
