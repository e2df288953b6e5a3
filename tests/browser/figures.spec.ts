// The figures above the nodes, names that are too long for their tile, and the tooltip.
import { Cluster, large } from "./cluster";
import { expect, test } from "./test";

test("three figures say how full the cluster is, with a line of the last day", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=busy");
  const figure = (name: string) => cluster.get(`figure-${name}`);
  await expect(figure("cores")).toHaveText(/^Cores in use on \d+ nodes[\d,]+ \/ [\d,]+$/);
  await expect(figure("gpus")).toHaveText(/^GPUs in use[\d,]+ \/ [\d,]+$/);
  await expect(figure("queue")).toHaveText(/^Pending jobs[\d,]+ · [\d,]+ running$/);
  // The line moves with the load of the hours before the first prompt.
  await expect(figure("cores").locator(".spark-line")).toHaveAttribute("d", /^M0\.0 [\d.]+(L[\d.]+ [\d.]+){95}$/);
  const heights = async () => new Set((await figure("cores").locator(".spark-line").getAttribute("d"))!.match(/ [\d.]+/g)).size;
  await expect.poll(heights).toBeGreaterThan(3);
  await expect(figure("gpus").getByRole("img")).toHaveAccessibleName(/^Since .*: at most \d+%$/);
  // The numbers are those of Slurm.
  await cluster.get("pause").click();
  const allocated = await cluster.run("sinfo -h -o %C | cut -d/ -f1");
  const shown = Number((await figure("cores").locator("b").textContent())!.replaceAll(",", ""));
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThanOrEqual(Number(allocated));
  expect(await figure("queue").locator("b").textContent()).toBe(await cluster.run("squeue -h -t PD -r | wc -l"));
  await cluster.choose("language", "fr");
  await expect(figure("queue")).toContainText("Tâches en attente");
  expect(cluster.errors).toEqual([]);
});

test("a cluster without GPUs has two figures, and a job changes them", async ({ page }) => {
  const cluster = new Cluster(page);
  const files = large(6);
  await page.route("**/sites/inserm.json", (route) => route.fulfill({ json: Object.entries(files) }));
  await cluster.open();
  await expect(cluster.get("figure-queue")).toBeVisible();
  await expect(cluster.get("figure-gpus")).toHaveCount(0);
  await expect(cluster.get("figure-cores")).toContainText(/on 6 nodes0 \//);
  await cluster.submit("sbatch -c 4 -t 10 --wrap 'sleep 300'");
  await expect(cluster.get("figure-cores").locator("b")).toHaveText("4");
  await expect(cluster.get("figure-queue")).toContainText("1 running");
});

for (const [width, height] of [[1440, 900], [1100, 700], [640, 800], [900, 520]] as const) {
  test(`the tooltip stays inside the zone at ${width} x ${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const cluster = new Cluster(page);
    await cluster.open("./?site=mila&background=off");
    if (await cluster.get("zone-see").isVisible()) await cluster.get("zone-see").click();
    const zone = cluster.get("cluster");
    const canvas = (await zone.locator(".canvas-scroll").boundingBox())!;
    const tip = cluster.get("cluster-tooltip");
    let seen = 0;
    for (let across = 0.03; across < 1; across += 0.12) {
      for (const down of [0.12, 0.3, 0.5, 0.93]) {
        await page.mouse.move(canvas.x + across * canvas.width, canvas.y + down * canvas.height);
        await page.waitForTimeout(60);
        const box = (await tip.count()) > 0 ? await tip.boundingBox() : null;
        if (!box) continue;
        seen += 1;
        const around = (await zone.boundingBox())!;
        expect(box.x, `left at ${across} ${down}`).toBeGreaterThanOrEqual(around.x);
        expect(box.y, `top at ${across} ${down}`).toBeGreaterThanOrEqual(around.y);
        expect(box.x + box.width).toBeLessThanOrEqual(around.x + around.width + 0.5);
        expect(box.y + box.height).toBeLessThanOrEqual(around.y + around.height + 0.5);
      }
    }
    expect(seen).toBeGreaterThan(3);
  });
}
