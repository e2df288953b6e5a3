// Whatever is typed, the page responds, reports the error, and the next command works.
import { Cluster, openLarge } from "./cluster";
import { expect, test } from "./test";

const NOTICED = 600;

/** A command that never ends: the page keeps drawing, and Ctrl-C returns to the prompt. */
async function endless(cluster: Cluster, line: string): Promise<void> {
  const pause = await cluster.longestPause(async () => {
    await cluster.type(line);
    await cluster.press("Enter");
    await cluster.page.waitForTimeout(3000);
  });
  expect(pause).toBeLessThan(NOTICED);
  await cluster.press("Control+c");
  await cluster.prompted();
  expect(await cluster.run("echo alive")).toBe("alive");
}

test("an endless loop", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await endless(cluster, "while :; do :; done");
});

test("yes", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await endless(cluster, "yes");
});

test("a fork bomb", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const pause = await cluster.longestPause(async () => {
    await cluster.type(":(){ :|:& };:");
    await cluster.press("Enter");
    await page.waitForTimeout(4000);
  });
  expect(pause).toBeLessThan(NOTICED);
  await expect.poll(() => cluster.text()).toContain("Resource temporarily unavailable");
  await cluster.press("Control+c");
  await cluster.press("Enter");
  // The page is usable, and another user's shell is not affected.
  await cluster.become("bob");
  await cluster.ready();
  expect(await cluster.run("echo alive")).toBe("alive");
});

test("an unknown command, and a nonsensical one", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  expect(await cluster.run("sbacth mon_job.slurm")).toMatch(/sbacth: command not found/);
  expect(await cluster.run("echo $?")).toBe("127");
  expect(await cluster.run("for x in; do done")).toMatch(/syntax error/);
  expect(await cluster.run("sbatch --tiem=5 mon_job.slurm")).toMatch(/unrecognized option '--tiem=5'/);
  expect(await cluster.run("sbatch nothing.slurm")).toMatch(/Unable to open file nothing.slurm/);
});

test("nesting a thousand deep", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run(`echo ${"$(echo ".repeat(1000)}deep${")".repeat(1000)}`, 60_000);
  await cluster.run(`${"if true; then ".repeat(1000)}echo deep${"; fi".repeat(1000)}`, 60_000);
  expect(await cluster.run("echo alive")).toBe("alive");
});

test("a here-document of ten megabytes", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("head -c 10485760 /dev/zero | tr '\\0' x > big.txt", 60_000);
  expect(await cluster.run("wc -c < big.txt")).toMatch(/^\d+$/);
  expect(await cluster.run("echo alive")).toBe("alive");
});

test("a script that Slurm cannot take keeps its text and says why", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.edit("#!/bin/bash\n#SBATCH --partition=CPU-4\n#SBATCH --nodes=400\necho never\n");
  const before = (await cluster.text()).length;
  await cluster.get("submit").click();
  await expect.poll(async () => (await cluster.text()).slice(before)).toMatch(/sbatch: error: /);
  await expect(cluster.get("editor")).toContainText("echo never");
});

test("the editor marks a directive that Slurm would refuse", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.edit("#!/bin/bash\n#SBATCH --tiem=5\necho never\n");
  await expect(cluster.get("editor").locator(".cm-lintRange-error, .cm-lintRange-warning").first()).toBeVisible();
});

test("100,000 pending jobs: the terminal answers, and the queue shows them all", async ({ page }) => {
  const cluster = await openLarge(page, 20);
  const array = await cluster.submit("sbatch -c 32 --array=1-100000 --time=1-0 --wrap 'sleep 3000'");
  await expect(cluster.get("queue")).toContainText("99,980 pending");
  const pause = await cluster.longestPause(async () => {
    await cluster.get("tab-priority").click();
    await cluster.get("tab-graph").click();
    await cluster.get("tab-queue").click();
    expect(await cluster.run("squeue -h | wc -l")).toBe("21");
  });
  expect(pause).toBeLessThan(NOTICED);
  await cluster.run(`scancel ${array}`);
  expect(await cluster.run("squeue -h -t PD | wc -l")).toBe("0");
  expect(cluster.errors).toEqual([]);
});
