// Questions about jobs and the cluster: why a job is pending, why it failed, which jobs and nodes there are.
import { violations } from "./axe";
import { Cluster, openLarge } from "./cluster";
import { expect, test } from "./test";

test("why a job waits, with what would change it", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-4 -N4 --exclusive --time=5:00 --wrap 'sleep 250'");
  const waits = await cluster.submit("sbatch -p CPU-4 -N4 --exclusive --time=5:00 --wrap 'sleep 60'");
  await cluster.row(waits).click();
  await expect(cluster.get("why-sentence")).toContainText("It waits because it needs 4 nodes");
  await expect(cluster.get("why-nodes")).toContainText("4 of 4");
  expect(await violations(page, ".inspector")).toEqual([]);
  await cluster.choose("language", "fr");
  await expect(cluster.get("why-sentence")).toContainText("Elle attend : il lui faut 4 nœuds");
});

test("a change is a button that types its command", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-4 -N3 --exclusive --time=10:00 --wrap 'sleep 590'");
  await cluster.submit("sbatch -p CPU-4 -N4 --exclusive --time=20:00 --wrap 'sleep 60'");
  const small = await cluster.submit("sbatch -p CPU-4 -N1 --exclusive --time=1:00:00 --wrap 'sleep 60'");
  await cluster.row(small).click();
  const change = page.getByTestId("why-change").filter({ hasText: "--time=" });
  await expect(change).toBeVisible();
  await change.getByTestId("why-command").click();
  await expect.poll(() => cluster.text()).toContain(`scontrol update jobid=${small} timelimit=`);
});

test("why a job failed, and why a submission was refused", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 --wrap 'nosuchcommand'");
  await cluster.untilEnded(job);
  await cluster.row(job).click();
  await expect(cluster.get("outcome")).toContainText("a command was not found (127)");
  await cluster.run("sbatch -p nowhere --wrap true");
  await expect(cluster.get("refused")).toContainText("There is no such partition.");
  await cluster.run("true");
  await expect(cluster.get("refused")).toHaveCount(0);
});

test("the queue is sorted, filtered and grouped", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-4 -J zebra --wrap 'sleep 3000'");
  await cluster.submit("sbatch -p CPU-4 -J aardvark --wrap 'sleep 3000'");
  const rows = page.getByTestId("queue-row");
  await cluster.get("sort-name").click();
  await expect(rows.first()).toContainText("aardvark");
  await cluster.get("sort-name").click();
  await expect(rows.first()).toContainText("zebra");
  await cluster.get("queue-find").fill("aard");
  await expect(rows.filter({ hasText: "zebra" })).toHaveCount(0);
  // No match, then everything again.
  await cluster.get("queue-find").fill("nosuchjob");
  await expect(cluster.get("queue")).toContainText("No jobs match these filters.");
  await cluster.get("queue-find").fill("");
  await expect(rows.filter({ hasText: "zebra" })).toHaveCount(1);
  const array = await cluster.submit("sbatch -p CPU-4 -J many --array=1-30 --wrap 'sleep 3000'");
  await cluster.skip();
  await cluster.get("queue-columns").click();
  await cluster.get("queue-group").check();
  await expect(rows.filter({ hasText: "many" })).toHaveCount(1);
  await expect(cluster.row(array)).toContainText(/\d+ R \d+ PD/);
  // The running and pending counts are legible, not clipped.
  const counts = rows.filter({ hasText: "many" }).locator(".c-nodelist");
  await expect(counts).toHaveText(/^\d+ R \d+ PD/);
  expect(await counts.evaluate((cell) => cell.clientWidth)).toBeGreaterThan(80);
  // A small phone has no such column: the counts are in the time column.
  await page.setViewportSize({ width: 320, height: 640 });
  await cluster.get("zone-queue").click();
  const time = rows.filter({ hasText: "many" }).locator(".c-time");
  await expect(time).toHaveText(/^\d+ R \d+ PD$/);
  expect(await time.evaluate((cell) => cell.scrollWidth - cell.clientWidth)).toBeLessThanOrEqual(0);
});

test("nodes are found and shown by partition", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("cluster-find").fill("a100");
  await expect(cluster.get("cluster-found")).toContainText("found");
  await page.keyboard.press("Enter");
  await expect(cluster.get("node-detail")).toBeVisible();
});

test("zoom in and out with buttons, keys, the wheel, and from a list", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const zone = cluster.get("cluster");
  await expect(zone).toHaveAttribute("data-density", "cells");
  const height = () => zone.locator(".spacer").evaluate((e) => e.clientHeight);
  const usual = await height();
  await cluster.get("cluster-in").click();
  await expect.poll(height).toBeGreaterThan(usual);
  await cluster.get("cluster-keys").focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("-");
  await expect(zone).toHaveAttribute("data-density", "bars");
  await expect(cluster.get("density")).toHaveValue("bars");
  await zone.locator("canvas").hover();
  await page.keyboard.down("Control");
  for (let i = 0; i < 4; i += 1) await page.mouse.wheel(0, 120);
  await page.keyboard.up("Control");
  await expect(zone).toHaveAttribute("data-density", "blocks");
  await cluster.get("cluster-keys").focus();
  await page.keyboard.press("0");
  await expect.poll(height).toBe(usual);
  await cluster.choose("density", "bars");
  await expect(zone).toHaveAttribute("data-density", "bars");
  // Hovering describes an element, a click opens it.
  await cluster.get("density").selectOption("auto");
  await zone.locator("canvas").hover({ position: { x: 40, y: 60 } });
  await expect(zone.locator(".tooltip")).toContainText("cores");
  await zone.locator("canvas").click({ position: { x: 40, y: 60 } });
  await expect(cluster.get("node-detail")).toBeVisible();
});

test("ten thousand nodes are a heat map, and tiles when zoomed in", async ({ page }) => {
  const cluster = await openLarge(page, 10_000);
  const zone = cluster.get("cluster");
  await expect(zone).toHaveAttribute("data-density", "blocks");
  await cluster.get("cluster-find").fill("n05000");
  await page.keyboard.press("Enter");
  for (let i = 0; i < 10; i += 1) await cluster.get("cluster-in").click();
  await expect(zone).toHaveAttribute("data-density", "cells");
  await expect(cluster.get("node-detail")).toContainText("n05000");
  expect(await zone.locator(".canvas-scroll").evaluate((e) => e.scrollTop)).toBeGreaterThan(1000);
  expect(cluster.errors).toEqual([]);
});

test("a job name of 200 emoji does no harm", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit(`sbatch -p CPU-4 -J ${"🦀".repeat(200)} --wrap 'sleep 3000'`);
  const row = cluster.row(job);
  await expect(row).toContainText("🦀");
  const box = await row.boundingBox();
  expect(box?.height).toBeLessThanOrEqual(29);
  // Everywhere else: nothing overflows its container.
  await cluster.run(`sbatch -p CPU-4 -J ${"🦀".repeat(200)} -d afterany:${job} --array=1-3 --wrap true`);
  await cluster.row(job).click();
  for (const panel of ["timeline", "priority", "graph", "account"]) {
    await cluster.get(`tab-${panel}`).focus();
    await page.keyboard.press("Enter");
    await expect(page.locator("#open-panel > *").first()).toBeVisible();
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), panel).toBeLessThanOrEqual(0);
  }
  const [inspector, title] = await Promise.all([page.locator(".inspector").boundingBox(), page.locator(".inspector .title").boundingBox()]);
  expect(title!.x + title!.width).toBeLessThanOrEqual(inspector!.x + inspector!.width);
  await expect(page.locator(".inspector")).toContainText("Nothing yet.");
  // Two lines, expandable to the full text.
  expect(title!.height).toBeLessThan(50);
  await page.locator(".inspector .title summary").click();
  expect((await page.locator(".inspector .title").boundingBox())!.height).toBeGreaterThan(title!.height);
  expect(cluster.errors).toEqual([]);
});

test("actions on a job type their commands: hold, release, top, cancel, requeue", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const runs = await cluster.submit("sbatch -p CPU-4 -N4 --exclusive --time=50:00 --wrap 'sleep 2500'");
  const waits = await cluster.submit("sbatch -p CPU-4 -N4 --exclusive --time=50:00 --wrap 'sleep 60'");
  const press = async (command: string, job: number, state: string) => {
    await cluster.row(job).click();
    await page.locator(`.inspector header button[title="${command}"]`).click();
    await expect.poll(() => cluster.text()).toContain(`${command} ${job}`);
    await cluster.prompted();
    expect(await cluster.run(`squeue -h -j ${job} -t all -o '%t %r'`)).toContain(state);
  };
  await press("scontrol hold", waits, "PD JobHeldUser");
  await press("scontrol release", waits, "PD");
  await press("scontrol top", waits, "PD");
  // Root may do it to any job. The owner is not offered to release a job held by root.
  await cluster.become("root");
  await cluster.ready();
  await press("scontrol hold", waits, "PD JobHeldAdmin");
  await cluster.become("alice");
  await expect(page.locator('.inspector header button[title="scancel"]')).toBeVisible();
  await expect(page.locator('.inspector header button[title="scontrol release"]')).toHaveCount(0);
  await expect(cluster.get("why-sentence")).toContainText("An administrator holds it");
  await cluster.get("as-root").click();
  await expect.poll(() => cluster.text()).toContain(`scontrol release ${waits}`);
  await cluster.become("alice");
  await cluster.ready();
  await expect(cluster.get("why-sentence")).not.toContainText("An administrator holds");
  await press("scontrol requeue", runs, "PD");
  await press("scancel", waits, "CA");
  await expect(page.locator(".inspector")).toContainText("CANCELLED AT");
  // A finished job without output.
  const silent = await cluster.submit("sbatch -p CPU-16 --wrap 'sleep 5'");
  await cluster.row(silent).click();
  await expect(page.locator(".inspector")).toContainText("No output.");
});

test("a suggested change starts a job that is held, dependent, or delayed", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const first = await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 3000'");
  const cases: [string, (job: number) => string][] = [
    ["-H", (job) => `scontrol release ${job}`],
    [`-d afterok:${first}`, (job) => `scontrol update jobid=${job} dependency=`],
    ["--begin=now+2hours", (job) => `scontrol update jobid=${job} starttime=now`],
  ];
  for (const [options, command] of cases) {
    const job = await cluster.submit(`sbatch -p CPU-4 ${options} --wrap 'sleep 3000'`);
    await cluster.row(job).click();
    const change = page.getByTestId("why-change").getByTestId("why-command");
    await expect(change).toHaveText(command(job));
    await change.click();
    await cluster.prompted();
    await cluster.skipUntil("start");
    expect(await cluster.run(`squeue -h -j ${job} -o %t`)).toBe("R");
  }
});
