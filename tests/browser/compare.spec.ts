// Comparing policies on the page: each in a worker of its own, while the report grows.
import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { readFileSync } from "node:fs";
import { Cluster } from "./cluster";

/** The text of a file that a click downloads. */
async function saved(cluster: Cluster, id: string): Promise<string> {
  const downloading = cluster.page.waitForEvent("download");
  await cluster.get(id).click();
  return readFileSync(await (await downloading).path(), "utf8");
}

test("two policies are compared on the site's own jobs", async ({ page }) => {
  test.setTimeout(180_000);
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await cluster.get("tab-compare").click();
  await cluster.get("compare-workload").selectOption("overloaded");
  await cluster.get("compare-days").fill("1");
  await cluster.get("compare-resamples").fill("5");
  await cluster.get("compare-example-0").selectOption({ label: "no preemption" });
  await expect(cluster.get("compare-name-0")).toHaveValue("no preemption");
  await expect(cluster.get("compare-lines-0")).toHaveValue(/PreemptMode=OFF/);
  const { violations } = await new AxeBuilder({ page }).include("[data-testid=compare]").analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join(", ")}`)).toEqual([]);

  await cluster.get("compare-start").click();
  await expect(cluster.get("compare-progress")).toHaveText(/^\d+ of 12 replays$/);
  // The cluster goes on meanwhile, and the report is there before the end.
  expect(await cluster.run("hostname")).toBe("login");
  const report = page.frameLocator("[data-testid=compare-report]");
  await expect(report.locator("h1")).toHaveText("Comparison of policies", { timeout: 120_000 });
  await expect(cluster.get("compare-stop")).toHaveCount(0, { timeout: 120_000 });
  await expect(report.locator(".headline")).toContainText("no preemption: ");
  await expect(report.locator("body")).toContainText("5 resamples, seed 1");
  await expect(report.locator("figure").first()).toBeVisible();

  await page.locator("[data-testid=compare] [data-testid=export]").click();
  expect(await saved(cluster, "compare-save-report")).toContain("no preemption");
  await page.locator("[data-testid=compare] [data-testid=export]").click();
  const plan = await saved(cluster, "compare-save-plan");
  expect(plan).toContain('site = "lab"');
  expect(plan).toContain('  "PreemptType=preempt/none",');
  expect(cluster.errors).toEqual([]);
});

test("a plan is opened, its mistakes are named, and a run is stopped", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await cluster.get("tab-compare").click();
  const plan = (lines: string) =>
    `site = "lab"\n[[workload]]\nbackground = "busy"\ndays = 60\n[[policy]]\nname = "a"\n[[policy]]\nname = "<b>b</b>"\n${lines}\n`;
  const open = async (text: string) => {
    const file = { name: "plan.toml", mimeType: "text/plain", buffer: Buffer.from(text) };
    await cluster.get("compare-open-plan").setInputFiles(file);
    await expect(cluster.get("compare-plan")).toHaveValue(text);
    await cluster.get("compare-start").click();
  };
  await open(plan("slurm_cnf = []"));
  await expect(cluster.get("compare-error")).toContainText("plan.toml:9: error: unknown field `slurm_cnf`");
  await open(plan('slurm_conf = ["SelectType=select/unknown"]'));
  await expect(cluster.get("compare-error")).toContainText("select/unknown");
  await open(plan("[resample]\nnumber = 9000"));
  await expect(cluster.get("compare-error")).toContainText("at most 4000");
  // Back to the form, and again: the plan is read anew.
  await cluster.get("compare-form").click();
  await expect(cluster.get("compare-workload")).toBeVisible();
  await open(plan(""));
  await expect(cluster.get("compare-progress")).toHaveText(/of 42 replays$/);
  await cluster.get("compare-stop").click();
  await expect(cluster.get("compare-stop")).toHaveCount(0);
  await expect(cluster.get("compare-start")).toBeEnabled();
  expect(cluster.errors).toEqual([]);
});
