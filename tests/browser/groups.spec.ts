// The groups of equal nodes in the cluster view, with their partitions as chips.
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("the partitions of equal nodes count as sinfo does, and filter the nodes", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=busy");
  await cluster.get("pause").click();
  const chips = page.getByTestId("partition-chip");
  const chip = (name: string) => chips.and(page.locator(`[data-partition="${name}"]`));
  // Each node is in several partitions, and counts in each of them.
  const partitions = (await cluster.run("sinfo -s -h -o '%R %D %F'")).trim().split("\n").map((line) => line.split(" "));
  expect(partitions.length).toBeGreaterThan(6);
  for (const [name, nodes, states] of partitions as [string, string, string][]) {
    const counts = await chip(name).evaluateAll((all) => all.map((c) => Number(c.getAttribute("data-count"))));
    expect(counts.reduce((a, b) => a + b, 0), name).toBe(Number(nodes));
    const [allocated, idle, other] = states.split("/");
    await chip(name).first().hover();
    await expect(chip(name).first()).toHaveAccessibleName(
      `${name}: ${nodes} nodes, ${allocated} allocated, ${idle} idle, ${other} other`,
    );
  }
  // A press shows only the partition's nodes, and the list says so; a second one shows all.
  await chip("cpu_jobs").press("Enter");
  await expect(chip("cpu_jobs")).toHaveAttribute("aria-pressed", "true");
  await expect(cluster.get("only-partition").locator("option:checked")).toHaveText("cpu_jobs");
  await expect(chip("main")).toHaveCount(0);
  await chip("cpu_jobs").press("Enter");
  await expect(chip("main")).toHaveCount(1);
  await expect(cluster.get("only-partition")).toHaveValue("");
  await cluster.choose("language", "fr");
  await chip("main").hover();
  await expect(chip("main")).toHaveAccessibleName(/^main : 4 nœuds, dont \d alloués, \d libres, \d autres$/);
  expect(cluster.errors).toEqual([]);
});

test("a drained node counts as other, and chips stay inside on a phone", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=off");
  await cluster.become("root");
  await cluster.run("scontrol update nodename=cn-a001 state=drain reason=test");
  await page.setViewportSize({ width: 390, height: 844 });
  await cluster.get("zone-see").click();
  const chips = page.getByTestId("partition-chip");
  await chips.first().focus();
  await expect(chips.first()).toHaveAccessibleName("unkillable: 4 nodes, 0 allocated, 3 idle, 1 other");
  const zone = (await cluster.get("cluster").boundingBox())!;
  for (const chip of await chips.all()) {
    const box = (await chip.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(zone.x);
    expect(box.x + box.width).toBeLessThanOrEqual(zone.x + zone.width);
  }
  expect(cluster.errors).toEqual([]);
});
