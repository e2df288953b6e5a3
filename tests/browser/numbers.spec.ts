// Panels of numbers: look up, compare, change and save values.
import { readFileSync } from "node:fs";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** Opens a panel on the lower right. */
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
  await expect(cluster.get("user-picker")).toHaveText("root");
  await cluster.get("shares-table").click();
  await expect(cluster.get("sshare").locator("tr", { hasText: "carol" })).toContainText("0.750000");
});

test("fair share: different shares and half-lives can be previewed", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("sbatch -p CPU-4 -N4 --exclusive --wrap 'sleep 3000'");
  // Carol's group uses four times as much.
  await cluster.become("carol");
  await cluster.ready();
  await cluster.run("sbatch -p CPU-16 -N4 --exclusive --wrap 'sleep 3000'");
  await cluster.choose("skip-until", "hour");
  await panel(cluster, "shares");
  const carol = page.getByTestId("share-rank").filter({ hasText: "carol" });
  const before = (await carol.locator("b").textContent())!;
  await cluster.get("share-whose").selectOption({ label: "u5678" });
  await cluster.get("share-count").fill("1000");
  await expect(cluster.get("shares-preview")).toBeVisible();
  await expect(carol.locator(".moved")).toContainText("▲");
  await cluster.get("shares-as-is").click();
  await expect(cluster.get("shares-preview")).toHaveCount(0);
  await expect(carol.locator("b")).toHaveText(before);
  await cluster.get("shares-decay").click();
  await cluster.get("half-life").selectOption("1");
  await expect(cluster.get("shares-preview")).toContainText("always decayed at this rate");
  await expect(cluster.get("decay-says")).toContainText("half after 1 h");
});

for (const name of ["shares", "priority", "graph", "charts"] as const) {
  test(`the picture of ${name} is saved as SVG, PNG and CSV`, async ({ page }) => {
    const cluster = new Cluster(page);
    await cluster.open();
    await cluster.run("for i in 1 2 3; do sbatch -p CPU-4 -N4 --exclusive --array=1-2 --wrap 'sleep 600'; done");
    await panel(cluster, name);
    // The pictures in the page are as wide as the room they have. Priorities are rows there.
    if (name !== "priority") {
      const drawn = await cluster.get(name).locator(".figure svg").first().boundingBox();
      expect(drawn!.width).toBeGreaterThan(200);
    }
    for (const format of ["svg", "png", "csv"]) {
      const coming = page.waitForEvent("download");
      await cluster.export(`save-${format}`);
      const file = await coming;
      expect(file.suggestedFilename()).toMatch(/^inserm-[a-z]+-2026-03-02-\d{4}\./);
      expect(file.suggestedFilename()).toContain(`.${format}`);
      const saved = readFileSync(await file.path());
      expect(saved.length).toBeGreaterThan(20);
      if (format === "svg") {
        // The file alone shows its title, owner, time and legend.
        expect(saved.toString()).toMatch(/<(rect|path|text)/);
        expect(saved.toString()).toContain(">inserm · 2 Mar 2026, ");
        expect(saved.toString()).toContain({ shares: "No usage yet", priority: ">fair share<", graph: "cannot be satisfied<", charts: ">memory<" }[name]);
        // The dark outline of light text is drawn behind it.
        if (name === "shares") expect(saved.toString()).toContain("paint-order:stroke");
      }
      if (format === "png") expect(saved.subarray(1, 4).toString()).toBe("PNG");
      if (format === "csv") expect(saved.toString().split("\n").length).toBeGreaterThan(2);
    }
  });
}

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
  await expect(cluster.get("user-picker")).toHaveText("root");
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

test("in French, numbers have a comma, percent signs a space, and chart axes round times", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.choose("language", "fr");
  await panel(cluster, "shares");
  await expect(page.getByTestId("share-rank").first()).toContainText(/\d,\d\d/);
  await panel(cluster, "priority");
  await cluster.run("for i in 1 2; do sbatch -p CPU-4 -N4 --exclusive --wrap 'sleep 600'; done");
  await cluster.get("priority-row").first().getByRole("button").hover();
  await expect(cluster.get("formula")).toContainText(/× \d,\d{4}/);
  await panel(cluster, "charts");
  await cluster.get("chart-span").selectOption("21600");
  const moments = page.locator(".charts svg.picture .tick.middle");
  await expect(moments.first()).toHaveText(/^\d\d:00$/);
  const whole = () => page.locator(".charts svg.picture .tick.end").last().textContent();
  await expect.poll(whole).toBe("100\u202f%");
  await cluster.choose("language", "en");
  await expect.poll(whole).toBe("100%");
});

test("accounting is saved as CSV, row by row as shown", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 -J saved --wrap true");
  await cluster.untilEnded(job);
  await cluster.get("tab-account").click();
  const coming = page.waitForEvent("download");
  await cluster.export("save-csv");
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/^inserm-sacct-2026-03-02-\d{4}\.csv$/);
  const lines = readFileSync(await file.path()).toString().trimEnd().split("\n");
  expect(lines.length).toBe(2);
  const [head, row] = lines.map((line) => line.split(","));
  expect(row).toHaveLength(head!.length);
  expect(row!.join()).toContain("saved");
});

test("the table of fair share is what sshare -l prints", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("sbatch -p CPU-4 -N4 --exclusive --wrap 'sleep 3000'");
  await cluster.choose("skip-until", "hour");
  // Users only see their own associations, administrators see all.
  await cluster.become("root");
  await cluster.ready();
  await cluster.get("pause").click();
  await cluster.get("tab-shares").click();
  await cluster.get("shares-table").click();
  const rows = cluster.get("sshare").locator("tbody tr");
  const printed = (await cluster.run("sshare -l -a -n -P")).split("\n").map((line) => line.split("|").map((f) => f.trim()));
  await expect(rows).toHaveCount(printed.length);
  const shown = await rows.evaluateAll((all) => all.map((r) => [...r.children].map((c) => c.textContent!.trim())));
  for (const [i, line] of printed.entries()) expect(shown[i]!.filter(Boolean), line.join(" ")).toEqual(line.filter(Boolean).slice(0, shown[i]!.filter(Boolean).length));
});
