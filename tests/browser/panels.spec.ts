// All panels on the lower right: no axe violations (each theme and each language is tried once), and no clipped content on a narrow
// screen.
import { type Page } from "@playwright/test";
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

const BUSY =
  "a=$(sbatch --parsable -p CPU-4 -N4 --exclusive --wrap 'sleep 600'); sbatch -p CPU-4 --array=1-4 -d afterok:$a --wrap true; sbatch -p CPU-4 -N4 --nice=50 --wrap true; sbatch -H --wrap true";

/** The names of all panels, in the order of their tabs. */
async function panels(page: Page): Promise<string[]> {
  const ids = await page.locator("[role=tab][id^=tab-]").evaluateAll((tabs) => tabs.map((tab) => tab.id.slice(4)));
  expect(ids.length).toBeGreaterThan(7);
  return ids;
}

/** Opens each panel and expands everything in it but menus, which cover what is below them. */
async function walk(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  for (const name of await panels(page)) {
    await page.locator(`#tab-${name}`).click();
    await expect(page.locator("#open-panel > *").first()).toBeVisible();
    await page.waitForTimeout(400);
    const folded = page.locator("#open-panel details:not(.menu, [open]) > summary:visible");
    for (let left = await folded.count(); left > 0; left -= 1) await folded.first().click();
    await look(name);
  }
}

// Words do not depend on colours: each theme with one of the languages.
for (const [colorScheme, locale] of [["light", "fr"], ["dark", "en"]] as const) {
  test(`no axe violations in any panel, ${colorScheme}, ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme, locale });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open();
    await cluster.run(BUSY);
    await walk(page, async (name) => {
      expect.soft(await violations(page), name).toEqual([]);
    });
    expect(cluster.errors).toEqual([]);
    await context.close();
  });
}

test("the open panel's tab stays visible next to the inspector", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("tab-admin").click();
  await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 600'");
  await expect(cluster.get("job-detail")).toBeVisible();
  await expect(cluster.get("tab-admin")).toBeInViewport({ ratio: 1 });
});

test("the inspector is a drawer over the panel, whose edge can be moved", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const box = async (selector: string) => (await page.locator(selector).boundingBox())!;
  const before = await box(".zone.panels");
  await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 600'");
  await expect(cluster.get("job-detail")).toBeVisible();
  const [after, drawer] = [await box(".zone.panels"), await box(".inspector")];
  expect(after).toEqual(before);
  expect(drawer.x).toBeGreaterThan(before.x + before.width * 0.4);
  expect(drawer.x + drawer.width).toBeCloseTo(before.x + before.width, 0);
  // The tabs stay in reach, and the edge follows the keyboard.
  expect(drawer.y).toBeGreaterThanOrEqual((await cluster.get("tab-timeline").boundingBox())!.y + 24);
  await cluster.get("split-lower").focus();
  for (let i = 0; i < 4; i += 1) await page.keyboard.press("ArrowLeft");
  expect((await box(".inspector")).width).toBeGreaterThan(drawer.width + before.width * 0.06);
  // A lesson stays readable beside it.
  await cluster.get("tab-learn").click();
  const [lesson, now] = [await box('[data-testid="learn"]'), await box(".inspector")];
  expect(lesson.x + lesson.width).toBeLessThanOrEqual(now.x + 1);
  await cluster.get("inspector-close").click();
  await expect(page.locator(".inspector")).toHaveCount(0);
});

for (const locale of ["en", "fr"]) {
  test(`bars have one row on small screens, ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, locale });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open();
    const height = (bar: string) => page.locator(bar).evaluate((e) => e.clientHeight);
    expect(await height(".cluster > .bar")).toBeLessThan(45);
    await page.setViewportSize({ width: 320, height: 640 });
    await cluster.get("zone-queue").click();
    expect(await height(".queue > .bar")).toBeLessThan(45);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator("#tab-timeline").evaluate((tab) => (tab as HTMLElement).click());
    expect(await height(".gantt-bar")).toBeLessThan(45);
    expect(await page.locator(".gantt-bar").evaluate((e) => e.scrollWidth - e.clientWidth)).toBeLessThanOrEqual(0);
    await context.close();
  });
}

for (const [width, height] of [[390, 844], [320, 640]] as const) {
  test(`every panel fits into ${width} pixels`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width, height }, locale: "fr" });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open();
    await cluster.run(BUSY);
    await cluster.get("zone-queue").click();
    const close = page.getByTestId("inspector-close");
    if (await close.isVisible()) await close.click();
    await walk(page, async (name) => {
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect.soft(wide, name).toBeLessThanOrEqual(0);
      // Buttons and fields are within the screen, or in something that scrolls.
      const outside = await page.locator("#open-panel").evaluate((panel) => {
        const scrolls = (e: Element | null): boolean =>
          e !== null && e !== panel && (/auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 ? true : scrolls(e.parentElement));
        const all = [...panel.querySelectorAll("button, input, select")].filter((e) => (e as HTMLElement).offsetParent !== null);
        const out = all.filter((e) => e.getBoundingClientRect().right > window.innerWidth + 1 && !scrolls(e.parentElement));
        return out.map((e) => e.getAttribute("data-testid") ?? e.textContent);
      });
      expect.soft(outside, name).toEqual([]);
    });
    await context.close();
  });
}
