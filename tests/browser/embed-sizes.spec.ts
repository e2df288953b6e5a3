// Embedded pages in text columns.
import { Cluster } from "./cluster";
import { expect, test } from "./test";

const PARTS = { editor: "editor", terminal: "terminal", cluster: "cluster", queue: "queue" } as const;

for (const [panels, width, height] of [
  ["terminal queue", 765, 420],
  ["terminal cluster", 765, 600],
  ["editor terminal", 700, 480],
  ["cluster queue", 765, 420],
] as const) {
  test(`${panels} at ${width} x ${height} are both shown`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const cluster = new Cluster(page);
    await cluster.openFirst(`./?site=lab&background=off&embed=${panels.replace(" ", "+")}`);
    const boxes = [];
    for (const [panel, id] of Object.entries(PARTS)) {
      const shown = panels.split(" ").includes(panel);
      await expect(cluster.get(id), panel).toBeVisible({ visible: shown });
      if (shown) boxes.push((await cluster.get(id).boundingBox())!);
    }
    const [a, b] = boxes as [{ x: number; y: number; width: number; height: number }, { x: number; y: number; width: number; height: number }];
    for (const box of [a, b]) {
      expect(box.width).toBeGreaterThan(300);
      expect(box.height).toBeGreaterThan(140);
      expect(box.x + box.width).toBeLessThanOrEqual(width + 1);
      expect(box.y + box.height).toBeLessThanOrEqual(height + 1);
    }
    expect(a.x + a.width <= b.x + 1 || a.y + a.height <= b.y + 1 || b.y + b.height <= a.y + 1).toBe(true);
    // The site's name, and the way to the page itself.
    await expect(cluster.get("embed-site")).not.toBeEmpty();
    expect(await cluster.get("full-page").getAttribute("href")).toMatch(/\?site=lab&background=off$/);
    await expect(cluster.get("full-page")).toBeInViewport({ ratio: 1 });
  });
}

test("a phone's frame has the way to the page, too, and one panel at a time", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 420 });
  const cluster = new Cluster(page);
  await cluster.openFirst("./?site=lab&background=off&embed=terminal+queue");
  await expect(cluster.get("full-page")).toBeInViewport({ ratio: 1 });
  await expect(cluster.get("queue")).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});
