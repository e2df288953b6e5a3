// Imported files: an own cluster, a saved moment, results.
import { readFile } from "node:fs/promises";
import { violations } from "./axe";
import { Cluster, drop } from "./cluster";
import { expect, test } from "./test";

const CONF = `ClusterName=mine
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageEnforce=associations
HealthCheckInterval=60
NodeName=m[1-6] CPUs=4 RealMemory=8000
PartitionName=all Nodes=ALL Default=YES MaxTime=1-0
`;

const DUMP = `Cluster - 'mine':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
Account - 'chem':Description='chemistry':Organization='x':Fairshare=3
Parent - 'chem'
User - 'marie':DefaultAccount='chem':Fairshare=1
`;

test("a dropped slurm.conf becomes a cluster that survives a reload and can be shared as a link", async ({ page, context, browser }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await drop(page, { "slurm.conf": CONF, "mine.cfg": DUMP });
  const dialog = cluster.get("own-site");
  await expect(dialog).toContainText("mine: 6 nodes, 1 partitions, 1 users");
  await expect(cluster.get("own-findings")).toContainText("slurm.conf:4");
  expect(await violations(page, "[data-testid=own-site]")).toEqual([]);
  await cluster.get("own-open").click();
  await expect(page).toHaveURL(/site=own-mine/);
  await cluster.ready();
  expect(await cluster.run("sinfo -h -o %D,%N")).toBe("6,m[1-6]");
  expect(await cluster.run("whoami; sacctmgr -nP show user marie format=defaultaccount")).toMatch(/marie\s+chem/);
  await cluster.run("sbatch -J precious --wrap 'sleep 9000'");
  await page.waitForTimeout(6_000);
  await cluster.reload();
  expect(await cluster.run("squeue -h -o %j,%a")).toBe("precious,chem");

  await page.locator(".settings .menu > summary").click();
  await cluster.get("share").click();
  await expect(cluster.get("toast")).toContainText("kB");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const elsewhere = await browser.newContext();
  const other = new Cluster(await elsewhere.newPage());
  await other.open(link);
  expect(await other.run("squeue -h -o %j,%a")).toBe("precious,chem");
  await expect(other.page.getByTestId("notice")).toHaveCount(0);
  await elsewhere.close();
});

test("what real Slurm would refuse is reported, and nothing is opened or lost", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await cluster.run("touch here");
  await drop(page, { "slurm.conf": `${CONF}<img src=x onerror=alert(1)>\nNodName=x\n` });
  await expect(cluster.get("own-refused")).toBeVisible();
  await expect(cluster.get("own-findings")).toContainText("slurm.conf:7");
  await expect(cluster.get("own-findings")).toContainText("slurm.conf:8");
  expect(await page.locator("img[src=x]").count()).toBe(0);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("own-site")).toHaveCount(0);
  expect(await cluster.run("ls here")).toBe("here");
  await drop(page, { "holiday.txt": "sun" });
  await expect(cluster.get("notice")).toContainText("holiday.txt");
});

test("a moment is saved as a file, and dropping the file opens it", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await cluster.run("sbatch -J precious --wrap 'sleep 9000'");
  await page.locator(".settings .menu > summary").click();
  const download = page.waitForEvent("download");
  await cluster.get("share-file").click();
  const text = await readFile(await (await download).path(), "utf8");
  await cluster.run("scancel -n precious");
  await drop(page, { "x.txt": text });
  await page.waitForURL(/#s=/);
  await cluster.ready();
  expect(await cluster.run("squeue -h --me -o %j")).toBe("precious");
});

test("results go from the participant's lesson into the teacher's list", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?lesson=en/01-first-job");
  await cluster.run("sinfo > cluster.txt");
  await expect(cluster.get("lesson-progress")).toHaveText("1 of 4 steps");
  await page.getByText("For your teacher").click();
  await cluster.get("results-name").fill("=Ada");
  const download = page.waitForEvent("download");
  await cluster.get("results-save").click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text).toContain("name: =Ada\n");
  await drop(page, { "a.txt": text, "b.txt": text.replace("steps: 1", "steps: 4").replace("=Ada", "Bob") });
  const rows = page.getByTestId("results-rows").getByRole("row");
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText("1/4");
  await expect(rows.nth(1)).toContainText("edited since");
  expect(await violations(page, "[data-testid=results]")).toEqual([]);
  const table = page.waitForEvent("download");
  await cluster.get("results-csv").click();
  expect(await readFile(await (await table).path(), "utf8")).toContain("'=Ada,en/01-first-job,");
});

test("go back to a step, start at a later one, and get the same cluster with a seed", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?lesson=en/01-first-job");
  const steps = page.getByTestId("lesson-step");
  await steps.nth(2).locator("summary").first().click();
  await steps.nth(2).getByTestId("lesson-from").click();
  await cluster.ready();
  await expect(cluster.get("lesson-progress")).toHaveText("2 of 4 steps");
  await expect(steps.nth(2)).toHaveAttribute("data-state", "now");
  expect(await cluster.run("ls cluster.txt")).toBe("cluster.txt");
});

test("one key switches to projector mode, which is remembered", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  const width = async () => (await cluster.get("site").boundingBox())?.height ?? 0;
  const before = await width();
  await page.keyboard.press("F2");
  await expect.poll(width).toBeGreaterThan(before * 1.2);
  await cluster.reload();
  expect(await width()).toBeGreaterThan(before * 1.2);
  expect(await cluster.run("echo here")).toBe("here");
  await page.keyboard.press("F2");
  await expect.poll(width).toBe(before);
});
