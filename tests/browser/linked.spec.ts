// The state of the panels in the page's address: a reload and a link open what was seen.
import { readFileSync } from "node:fs";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("filters, order, zoom and the open panel are in the address, and a link restores them", async ({ page, context, browser }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=busy");
  const address = () => new URL(page.url()).searchParams;
  // A first visit needs no words.
  for (const name of ["panel", "queue", "nodes", "timeline"]) expect(address().get(name), name).toBeNull();

  await cluster.get("queue-find").fill("feat");
  await cluster.get("queue-state").selectOption("running");
  await cluster.get("queue-partition").selectOption("cpu_jobs");
  await page.getByRole("columnheader", { name: "Job" }).click();
  await expect.poll(() => address().get("queue")).toMatch(/^id-(up|down) running in-cpu_jobs find-feat$/);
  await page.getByTestId("partition-chip").and(page.locator('[data-partition="cpu_jobs"]')).click();
  await cluster.get("density").selectOption("bars");
  await expect.poll(() => address().get("nodes")).toBe("bars in-cpu_jobs");
  await cluster.get("tab-timeline").click();
  await cluster.get("gantt-jobs").click();
  await cluster.get("gantt-span").selectOption("6");
  await expect.poll(() => address().get("timeline")).toBe("hours-6 jobs");
  expect(address().get("panel")).toBe("timeline");

  const restored = async (there: Cluster) => {
    await expect(there.get("tab-timeline")).toHaveAttribute("aria-selected", "true");
    await expect(there.get("gantt-jobs")).toHaveAttribute("aria-pressed", "true");
    await expect(there.get("gantt-span")).toHaveValue("6");
    await expect(there.get("density")).toHaveValue("bars");
    await expect(there.get("only-partition").locator("option:checked")).toHaveText("cpu_jobs");
    await there.get("tab-queue").click();
    await expect(there.get("queue-find")).toHaveValue("feat");
    await expect(there.get("queue-state")).toHaveValue("running");
    await expect(there.get("queue-partition")).toHaveValue("cpu_jobs");
    const rows = there.page.getByTestId("queue-row");
    await expect(rows.first()).toContainText("features");
    await expect(there.page.locator('[role="columnheader"][aria-sort="ascending"], [role="columnheader"][aria-sort="descending"]')).toHaveText(/^Job/);
    expect(there.errors).toEqual([]);
  };
  await cluster.reload();
  await restored(cluster);
  await cluster.get("tab-timeline").click();
  await cluster.export("copy-link");
  await expect(cluster.get("toast")).toContainText("Link copied");
  const other = await browser.newPage();
  const theirs = new Cluster(other);
  await theirs.open(await page.evaluate(() => navigator.clipboard.readText()));
  await restored(theirs);
  await other.close();
});

test("charts, fair share, accounting, administration and dependencies are in the address, and a link restores them", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=busy");
  const address = () => new URL(page.url()).searchParams;
  await cluster.get("tab-charts").click();
  await cluster.get("chart-turnover").click();
  await cluster.get("chart-span").selectOption("86400");
  await expect.poll(() => address().get("charts")).toBe("turnover hours-24");
  await cluster.get("tab-account").click();
  await cluster.get("account-filter").fill("feat ures");
  await expect.poll(() => address().get("account")).toBe("find-feat%20ures");
  await cluster.get("tab-admin").click();
  await cluster.get("admin-partitions").click();
  await expect.poll(() => address().get("admin")).toBe("partitions");
  const job = await cluster.submit("sbatch --array=1-3 --wrap 'sleep 500'");
  await cluster.submit("sbatch --array=1-4 --wrap 'sleep 500'");
  await cluster.get("tab-graph").click();
  await cluster.get("array-picker").selectOption(String(job));
  await expect.poll(() => address().get("graph")).toBe(`array-${job}`);
  await cluster.get("tab-shares").click();
  await cluster.get("shares-decay").click();
  await expect.poll(() => address().get("shares")).toBe("decay");
  await cluster.reload();
  await expect(cluster.get("shares-decay")).toHaveAttribute("aria-pressed", "true");
  await cluster.get("tab-charts").click();
  await expect(cluster.get("chart-turnover")).toHaveAttribute("aria-pressed", "true");
  await expect(cluster.get("chart-span")).toHaveValue("86400");
  await cluster.get("tab-account").click();
  await expect(cluster.get("account-filter")).toHaveValue("feat ures");
  await cluster.get("tab-admin").click();
  await expect(cluster.get("admin-partitions")).toHaveAttribute("aria-pressed", "true");
  await cluster.get("tab-graph").click();
  await expect(cluster.get("array-picker")).toHaveValue(String(job));
  expect(cluster.errors).toEqual([]);
});

test("filters are chips that can be removed, and the queue and the nodes are saved", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=busy");
  const chips = page.locator("#open-panel .filter.set");
  await cluster.get("queue-partition").selectOption("cpu_jobs");
  await cluster.get("queue-state").selectOption("running");
  await expect(chips).toHaveCount(2);
  await expect(page.getByTestId("queue-row").first()).toContainText("cpu_jobs");
  const saved = async (zone: string) => {
    const [file] = await Promise.all([page.waitForEvent("download"), cluster.export("save-csv", zone)]);
    const lines = readFileSync(await file.path()).toString().trimEnd().split("\n");
    return lines.map((line) => line.split(","));
  };
  const [head, ...rows] = await saved("#open-panel");
  const [state, partition] = [head!.indexOf("state"), head!.indexOf("partition")];
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every((row) => row[state] === "R" && row[partition] === "cpu_jobs")).toBe(true);
  // The table shows its own rows again.
  await expect(page.getByTestId("queue-row").first()).toContainText("cpu_jobs");
  const nodes = (await saved(".cluster")).slice(1).map((row) => row[0]).sort();
  expect(nodes).toEqual((await cluster.run("sinfo -h -N -o %N | sort -u")).split("\n").sort());
  // By the keyboard: the focus goes to the list of the removed chip.
  await chips.first().getByRole("button", { name: "Remove filter: Partition" }).focus();
  await page.keyboard.press("Enter");
  await expect(chips).toHaveCount(1);
  await expect(cluster.get("queue-partition")).toBeFocused();
  await expect(cluster.get("queue-partition")).toHaveValue("");
  await chips.getByRole("button").click();
  await expect(chips).toHaveCount(0);
  await cluster.get("only-partition").selectOption("cpu_jobs");
  await page.locator(".cluster .filter.set").getByRole("button").click();
  await expect(cluster.get("only-partition")).toHaveValue("");
  expect(cluster.errors).toEqual([]);
});

test("words of an address that mean nothing have no effect", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=off&panel=nothing&queue=sort+in-nowhere%3Cb%3E&nodes=zoom-999+in-none&timeline=hours-x");
  await expect(cluster.get("tab-queue")).toHaveAttribute("aria-selected", "true");
  await expect(cluster.get("density")).toHaveValue("auto");
  await expect(cluster.get("only-partition")).toHaveValue("");
  expect(cluster.errors).toEqual([]);
});
