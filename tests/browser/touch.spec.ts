// With fingers: two of them zoom, one scrolls, and everything that can be tapped is large enough.
import { type CDPSession, type Locator, type Page } from "@playwright/test";
import { Cluster, openLarge } from "./cluster";
import { expect, test } from "./test";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } });

type Point = { x: number; y: number };

async function touch(session: CDPSession, type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]): Promise<void> {
  await session.send("Input.dispatchTouchEvent", { type, touchPoints });
}

/** Two fingers from one distance to another around the middle of something. */
async function pinch(page: Page, place: Locator, from: number, to: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const box = (await place.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 120)];
  const fingers = (apart: number) => [{ x: x - apart / 2, y }, { x: x + apart / 2, y }];
  await touch(session, "touchStart", fingers(from));
  for (let i = 1; i <= 10; i += 1) await touch(session, "touchMove", fingers(from + ((to - from) * i) / 10));
  await touch(session, "touchEnd", []);
  await session.detach();
}

/** One finger up by so many pixels. */
async function swipe(page: Page, place: Locator, by: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const box = (await place.boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.8];
  await touch(session, "touchStart", [{ x, y }]);
  for (let i = 1; i <= 10; i += 1) await touch(session, "touchMove", [{ x, y: y - (by * i) / 10 }]);
  await touch(session, "touchEnd", []);
  await session.detach();
}

test("two fingers zoom the cluster, one scrolls it", async ({ page }) => {
  const cluster = await openLarge(page, 2000);
  if (await cluster.get("zone-see").isVisible()) await cluster.get("zone-see").tap();
  const zone = cluster.get("cluster");
  const scroller = zone.locator(".canvas-scroll");
  const height = () => zone.locator(".spacer").evaluate((e) => e.clientHeight);
  const usual = await height();
  await pinch(page, zone.locator("canvas"), 80, 320);
  await expect.poll(height).toBeGreaterThan(usual);
  // The page itself is as large as before.
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
  const at = await scroller.evaluate((e) => e.scrollTop);
  await swipe(page, scroller, 150);
  await expect.poll(() => scroller.evaluate((e) => e.scrollTop)).toBeGreaterThan(at);
  const near = await height();
  await pinch(page, zone.locator("canvas"), 320, 60);
  await expect.poll(height).toBeLessThan(near);
  expect(cluster.errors).toEqual([]);
});

test("two fingers zoom the timeline", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-4 -N2 --exclusive --time=20:00 --wrap 'sleep 600'");
  if (await cluster.get("zone-queue").isVisible()) await cluster.get("zone-queue").tap();
  await cluster.get("tab-timeline").tap();
  const canvas = cluster.get("gantt").locator("canvas");
  await expect(canvas).toBeVisible();
  const length = () => cluster.get("gantt-span").evaluate((e) => (e as HTMLSelectElement).selectedOptions[0]?.textContent);
  const before = await length();
  await pinch(page, canvas, 60, 300);
  await expect.poll(length).not.toBe(before);
  expect(cluster.errors).toEqual([]);
});

test("what can be tapped is at least 24 pixels large", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 600'");
  const small = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>("button, select, input:not([type=checkbox]), [role=tab], summary, [role=slider]")];
      return all
        .filter((e) => e.offsetParent !== null && !e.closest(".hidden, p, li, td, dd, .xterm"))
        .map((e) => ({ e, box: e.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.width < 23.5 || box.height < 23.5))
        .map(({ e, box }) => `${e.dataset.testid ?? e.textContent} ${Math.round(box.width)}x${Math.round(box.height)}`);
    });
  for (const zone of ["zone-type", "zone-write", "zone-see", "zone-queue"]) {
    if (await cluster.get(zone).isVisible()) await cluster.get(zone).tap();
    expect.soft(await small(), zone).toEqual([]);
  }
  const tabs = await page.locator("[role=tab][id^=tab-]").count();
  for (let i = 0; i < tabs; i += 1) {
    await page.locator("[role=tab][id^=tab-]").nth(i).tap();
    await page.waitForTimeout(300);
    expect.soft(await small(), `panel ${i}`).toEqual([]);
  }
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("a terminal that was hidden when it was opened has its usual letters", async ({ page }) => {
    const cluster = new Cluster(page);
    await cluster.open("./?lesson=en/01-first-job");
    await expect(cluster.get("learn")).toBeVisible();
    await expect(cluster.get("terminal")).toBeHidden();
    await cluster.get("zone-type").tap();
    await cluster.run("sinfo");
    const rows = await page.locator(".xterm-rows").evaluate((rows) => {
      const range = document.createRange();
      const texts = [...rows.children].filter((row) => row.textContent!.trim().length > 8);
      return texts.map((row) => {
        range.selectNodeContents(row);
        const box = range.getBoundingClientRect();
        return { letter: box.width / row.textContent!.length, right: box.right };
      });
    });
    expect(rows.length).toBeGreaterThan(3);
    for (const { letter, right } of rows) {
      expect(letter).toBeGreaterThan(6);
      expect(letter).toBeLessThan(9);
      expect(right).toBeLessThanOrEqual(391);
    }
    expect(cluster.errors).toEqual([]);
  });

  test("a bar has the keys that its keyboard lacks", async ({ page }) => {
    const cluster = new Cluster(page);
    await cluster.open();
    await cluster.type("sbat");
    await cluster.get("key-tab").tap();
    await expect.poll(() => cluster.text()).toMatch(/sbatch$/);
    // The next key is one with Ctrl, and only that.
    await cluster.get("key-ctrl").tap();
    await expect(cluster.get("key-ctrl")).toHaveAttribute("aria-pressed", "true");
    await page.keyboard.type("u");
    await expect(cluster.get("key-ctrl")).toHaveAttribute("aria-pressed", "false");
    await page.keyboard.type("echo up ");
    await cluster.get("key-bar").tap();
    await page.keyboard.type(" tr u d");
    await page.keyboard.press("Enter");
    await expect.poll(() => cluster.text()).toMatch(/\ndp\n/);
    await cluster.prompted();
    await cluster.get("key-up").tap();
    await expect.poll(() => cluster.text()).toMatch(/echo up \| tr u d$/);
    // The focus stays in the terminal, and with it the keyboard of the phone.
    expect(await page.evaluate(() => document.activeElement?.closest(".xterm") !== null)).toBe(true);
    await cluster.get("key-ctrl").tap();
    await page.keyboard.type("c");
    await cluster.prompted();
    expect(cluster.errors).toEqual([]);
  });

  test("the walk with a finger: terminal, tab, row, drawer", async ({ page }) => {
    const cluster = new Cluster(page);
    await cluster.open();
    await cluster.get("terminal").locator(".xterm-screen").first().tap();
    await page.keyboard.type("sbatch -p CPU-4 -J tapped -t 10 --wrap 'sleep 600'");
    await page.keyboard.press("Enter");
    await expect.poll(() => cluster.text()).toMatch(/Submitted batch job \d+/);
    const job = Number(/Submitted batch job (\d+)/.exec(await cluster.text())![1]);
    await cluster.get("zone-queue").tap();
    for (const [tab, panel] of [["priority", "priority"], ["timeline", "gantt"], ["queue", "queue"]]) {
      await cluster.get(`tab-${tab}`).tap();
      await expect(cluster.get(panel)).toBeVisible();
    }
    await cluster.row(job).first().tap();
    const drawer = page.locator(".inspector");
    await expect(drawer).toContainText("tapped");
    await cluster.get("inspector-close").tap();
    await expect(drawer).toHaveCount(0);
    await cluster.get("zone-see").tap();
    await page.locator(".canvas-scroll canvas").tap({ position: { x: 40, y: 60 } });
    await expect(drawer).toBeVisible();
    expect(cluster.errors).toEqual([]);
  });
});
