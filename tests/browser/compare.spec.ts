// Comparing policies on the page: each in a worker of its own, while the report grows.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** The text of a file that a click downloads. */
async function saved(cluster: Cluster, id: string): Promise<string> {
  const downloading = cluster.page.waitForEvent("download");
  await cluster.get(id).click();
  return readFileSync(await (await downloading).path(), "utf8");
}

test("two policies are compared on the site's own jobs", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await cluster.get("tab-compare").click();
  await cluster.get("compare-workload").selectOption("overloaded");
  await cluster.get("compare-days").fill("1");
  await cluster.get("compare-resamples").fill("5");
  await cluster.get("compare-example-0").selectOption({ label: "no preemption" });
  await expect(cluster.get("compare-name-0")).toHaveValue("no preemption");
  await expect(cluster.get("compare-lines-0")).toHaveValue(/PreemptMode=OFF/);
  expect(await violations(page, "[data-testid=compare]")).toEqual([]);

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

test("the report of a French page is in French, with the reasons of waits", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab&lang=fr");
  await cluster.get("tab-compare").click();
  await cluster.get("compare-workload").selectOption("overloaded");
  await cluster.get("compare-days").fill("1");
  await cluster.get("compare-resamples").fill("0");
  await cluster.get("compare-name-0").fill("moins");
  await cluster.get("compare-lines-0").fill("remove c[05-08]");
  await cluster.get("compare-start").click();
  const report = page.frameLocator("[data-testid=compare-report]");
  await expect(report.locator("h1")).toHaveText("Comparaison de politiques", { timeout: 120_000 });
  await expect(cluster.get("compare-stop")).toHaveCount(0, { timeout: 120_000 });
  await expect(report.locator("html")).toHaveAttribute("lang", "fr");
  // The worker has no sentences about waiting jobs; the page puts them in.
  await expect(report.locator("body")).toContainText(/Avec la politique, le 2026-\S+\s:\s+Elle attend/);
  await page.locator("[data-testid=compare] [data-testid=export]").click();
  const html = await saved(cluster, "compare-save-report");
  expect(html).toContain("Elle attend");
  expect(html).not.toContain("<!--why-->");
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
  // Back to the form, and again: the plan is read again.
  await cluster.get("compare-form").click();
  await expect(cluster.get("compare-workload")).toBeVisible();
  await open(plan(""));
  await expect(cluster.get("compare-progress")).toHaveText(/of 42 replays$/);
  await cluster.get("compare-stop").click();
  await expect(cluster.get("compare-stop")).toHaveCount(0);
  await expect(cluster.get("compare-start")).toBeEnabled();
  expect(cluster.errors).toEqual([]);
});

/** An archive as `sandbatch export-script` makes it, of two nodes and forty jobs. */
function archive(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "sandbatch-export-"));
  const conf =
    "ClusterName=tiny\nSlurmctldHost=c\nNodeName=n[01-02] CPUs=4 RealMemory=8000\nPartitionName=cpu Nodes=ALL Default=YES MaxTime=INFINITE\n";
  const time = (minute: number) => new Date(Date.UTC(2026, 2, 2, 9, minute)).toISOString().slice(0, 19);
  const job = (n: number) =>
    `${n}|u${n % 3}|job|cpu|${time(n)}|${time(n + 1)}|${time(n + 11)}|00:10:00|00:20:00|COMPLETED|4|1|n01|acct|4G`;
  const head = "JobID|User|JobName|Partition|Submit|Start|End|Elapsed|Timelimit|State|ReqCPUS|NNodes|NodeList|Account|ReqMem";
  writeFileSync(join(folder, "slurm.conf"), conf);
  writeFileSync(join(folder, "sacct.txt"), [head, ...Array.from({ length: 40 }, (_, n) => job(n + 1))].join("\n") + "\n");
  const bytes = execFileSync("tar", ["czf", "-", "-C", folder, "slurm.conf", "sacct.txt"]);
  rmSync(folder, { recursive: true });
  return bytes;
}

test("an export of a real cluster becomes a site, and its history is compared", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  const drop = async (name: string, bytes: Buffer) =>
    page.evaluate(
      ({ name, text }) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
        for (const type of ["dragenter", "drop"]) {
          window.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }
      },
      { name, text: bytes.toString("base64") },
    );
  const whole = archive();
  await drop("export.tar.gz", whole.subarray(0, whole.length / 2));
  await expect(page.locator("body")).toContainText("export.tar.gz: not a whole archive");
  await drop("export.tar.gz", whole);
  await expect(cluster.get("own-site")).toContainText("tiny");
  await expect(cluster.get("own-site")).toContainText("workload.events");
  await cluster.get("own-open").click();
  await expect.poll(() => page.url()).toContain("own-tiny");
  await cluster.prompted();
  expect(await cluster.run("sinfo -h -o %D")).toBe("2");

  await cluster.get("tab-compare").click();
  await cluster.get("compare-workload").selectOption("workload.events");
  await cluster.get("compare-name-0").fill("one node");
  await cluster.get("compare-lines-0").fill("remove n02");
  await cluster.get("compare-resamples").fill("5");
  await cluster.get("compare-start").click();
  const report = page.frameLocator("[data-testid=compare-report]");
  await expect(report.locator(".headline")).toContainText("one node: all jobs wait", { timeout: 120_000 });
  await expect(report.locator("body")).toContainText("of 40 jobs 0 were refused");
  await expect(cluster.get("compare-stop")).toHaveCount(0, { timeout: 120_000 });
  expect(cluster.errors).toEqual([]);
});
