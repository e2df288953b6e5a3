// The timeline: jobs over time, by node and by job; brushed, moved with keys, saved; clicked jobs are selected everywhere.
import { readFileSync } from "node:fs";
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("the timeline shows past, running and planned jobs", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-4 -t 10 --wrap 'sleep 60; false'");
  await cluster.skipUntil("empty");
  const running = await cluster.submit("sbatch -p CPU-4 -N 4 --exclusive -t 30 --wrap 'sleep 1500'");
  const planned = await cluster.submit("sbatch -p CPU-4 -N 4 --exclusive -t 30 --wrap 'sleep 600'");
  // On a slow machine it has already started; the next start would be the other job's.
  await expect.poll(() => cluster.run(`squeue -h -j ${running} -o %t`)).toBe("R");
  await cluster.choose("pace", "60");
  await cluster.get("tab-timeline").click();
  const table = cluster.get("gantt-table");
  await expect(table).toContainText("failed");
  await expect(table).toContainText("running");
  await expect(table).toContainText("planned", { timeout: 30_000 });

  // By job: running jobs first. Brushing changes the window, and "now" restores it.
  await cluster.get("gantt-jobs").click();
  await expect(cluster.get("gantt-jobs")).toHaveAttribute("aria-pressed", "true");
  const box = (await cluster.get("gantt-canvas").boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.7, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await expect(cluster.get("gantt-now")).toHaveAttribute("aria-pressed", "false");
  await cluster.get("gantt-now").click();
  await cluster.get("gantt-keys").focus();
  await page.keyboard.press("+");
  await page.keyboard.press("ArrowLeft");
  await expect(cluster.get("gantt-now")).toHaveAttribute("aria-pressed", "false");
  await page.keyboard.press("0");
  await expect(cluster.get("gantt-now")).toHaveAttribute("aria-pressed", "true");

  // A click selects, in the chart and in the table.
  await cluster.get("gantt-as-table").click();
  await table.getByRole("button", { name: String(planned), exact: true }).click();
  await expect(page.locator(".inspector, .job").first()).toContainText(String(planned));
  expect(await violations(page)).toEqual([]);
  await cluster.get("gantt-as-table").click();

  const saved = async (format: string) => {
    const [file] = await Promise.all([page.waitForEvent("download"), cluster.export(`save-${format}`)]);
    return readFileSync(await file.path());
  };
  expect((await saved("csv")).toString()).toContain(`${running},alice,wrap,`);
  expect((await saved("svg")).toString()).toContain("<svg");
  expect((await saved("png")).subarray(1, 4).toString()).toBe("PNG");
  expect(cluster.errors).toEqual([]);
});

test("a requeued job shows both runs", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 -t 60 --requeue --wrap 'sleep 600'");
  await cluster.skipUntil("start");
  await cluster.run(`scontrol requeue ${job}`);
  await cluster.get("tab-timeline").click();
  await expect(cluster.get("gantt-table")).toContainText("requeued");
});
