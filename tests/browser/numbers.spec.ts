// Panels of numbers: what a person looks up, compares, changes and saves.
import { expect, test } from "@playwright/test";
import { Cluster } from "./cluster";

/** Opens a panel of the lower right. */
async function panel(cluster: Cluster, name: string): Promise<void> {
  await cluster.get(`tab-${name}`).click();
  await expect(cluster.get(name)).toBeVisible();
}

test("fair share: the level that decides, and the command that changes it", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await panel(cluster, "shares");
  const ranks = page.getByTestId("share-rank");
  await ranks.filter({ hasText: "alice" }).click();
  await ranks.filter({ hasText: "carol" }).click();
  await expect(cluster.get("shares-verdict")).toContainText("below root, u1234 and u5678");
  await expect(page.locator(".shares .box.lit")).toHaveCount(5);
  await cluster.get("shares-table").click();
  await expect(cluster.get("sshare").locator("tbody tr")).toHaveCount(8);
  await cluster.get("shares-tree").click();
  await cluster.get("share-count").fill("3");
  await cluster.get("as-root").first().click();
  await expect(cluster.get("user-picker")).toHaveValue("root");
  await cluster.get("shares-table").click();
  await expect(cluster.get("sshare").locator("tr", { hasText: "carol" })).toContainText("0.750000");
});

test("pictures are saved as SVG, PNG and CSV", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await panel(cluster, "shares");
  for (const [button, ends] of [["save-svg", ".svg"], ["save-png", ".png"], ["save-csv", ".csv"]] as const) {
    const coming = page.waitForEvent("download");
    await cluster.get(button).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/^inserm-fairshare-2026-03-02-\d{4}\./);
    expect(file.suggestedFilename().endsWith(ends)).toBe(true);
  }
});

test("priorities: the formula, held jobs, and other weights", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("for i in 1 2 3; do sbatch -p CPU-4 -N4 --exclusive --wrap 'sleep 600'; done; sbatch -H --wrap true");
  await panel(cluster, "priority");
  await expect(page.getByTestId("priority-row")).toHaveCount(2);
  await cluster.get("priority-row").first().getByRole("button").hover();
  await expect(cluster.get("formula")).toContainText("10000 ×");
  await expect(cluster.get("held")).toContainText("4");
  await page.getByText("Change the weights").click();
  await cluster.get("weight-Fairshare").fill("5000");
  await expect(page.locator(".weights code")).toContainText("PriorityWeightFairshare=5000");
  await cluster.get("as-root").click();
  await expect(cluster.get("user-picker")).toHaveValue("root");
  await expect.poll(() => cluster.text()).toContain("PriorityWeightFairshare=5000");
});

test("dependencies and an array", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await panel(cluster, "graph");
  await cluster.get("graph-teach").click();
  await expect(page.locator(".graphs .edge.waits")).toHaveCount(2);
  await expect(page.locator(".graphs .task")).toHaveCount(8);
  await page.locator('.graphs svg [data-key="1"]').click();
  await expect(page.getByText("Job 1").first()).toBeVisible();
});

test("charts follow the jobs", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("sbatch -p CPU-4 -N4 --exclusive --wrap 'sleep 3000'");
  await panel(cluster, "charts");
  await expect(page.locator(".charts svg.picture")).toBeVisible();
  await cluster.get("chart-jobs").click();
  await expect(cluster.get("chart-waits").locator("tbody tr")).toHaveCount(1);
  await panel(cluster, "preempt");
});
