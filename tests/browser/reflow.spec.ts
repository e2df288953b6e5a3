// Zoomed (WCAG 1.4.4, 1.4.10) and on a phone in landscape: every panel and dialog is usable, nothing is clipped or unreachable,
// and only tables and pictures scroll sideways.
import { type Page } from "@playwright/test";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** 1280x1024 at 400%, 1440x900 at 200%, a phone in landscape, and a small phone. */
const WINDOWS = [
  [320, 256],
  [320, 640],
  [720, 450],
  [844, 390],
  [667, 375],
] as const;

const BUSY =
  "a=$(sbatch --parsable -p CPU-4 -N4 --exclusive --wrap 'sleep 600'); sbatch -p CPU-4 --array=1-4 -d afterok:$a --wrap true; sbatch -p CPU-4 -N4 --nice=50 --wrap true; sbatch -H --wrap true";

/** Finds what users can't reach or read: controls that can't be scrolled into view, clipped words, sideways scrolling. */
function unreachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const said = (e: Element) => `${e.tagName.toLowerCase()}.${[...e.classList].join(".")} ${(e.getAttribute("data-testid") ?? e.textContent ?? "").trim().slice(0, 40)}`;
    const found: string[] = [];
    const root = document.documentElement;
    if (root.scrollWidth > window.innerWidth) found.push(`the page is ${root.scrollWidth - window.innerWidth} pixels too wide`);
    // Under a modal dialog nothing can be reached.
    const modal = document.querySelector("dialog:modal");
    const shown = (e: HTMLElement) =>
      e.offsetWidth > 1 && e.checkVisibility({ visibilityProperty: true }) && e.closest(".hidden, .xterm, .cm-editor") === null && (modal?.contains(e) ?? true) && getComputedStyle(e).clipPath === "none";
    // Sideways: only tables, pictures and tab bars. Down: any scroll container.
    for (const e of document.querySelectorAll<HTMLElement>("body *")) {
      const style = getComputedStyle(e);
      if (!shown(e) || !/auto|scroll/.test(style.overflowX) || e.scrollWidth <= e.clientWidth + 1) continue;
      const meant = e.matches(".tabs, .ttys, .steps, pre, code, .rows, .figure, .canvas-scroll") || e.querySelector("table, svg, canvas") !== null;
      if (!meant) found.push(`moves sideways: ${said(e)}`);
    }
    const scrollers = (e: Element, axis: "overflowX" | "overflowY") => {
      const all: Element[] = [];
      for (let up = e.parentElement; up; up = up.parentElement) if (/auto|scroll/.test(getComputedStyle(up)[axis])) all.push(up);
      return all;
    };
    const cutBy = (e: Element, box: DOMRect) => {
      // The nearest clipping ancestor below the first scrolling one.
      for (let up = e.parentElement; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        if (/auto|scroll/.test(style.overflowY)) return null;
        if (style.overflowY === "hidden" || style.overflowY === "clip") {
          const edge = up.getBoundingClientRect();
          if (box.bottom > edge.bottom + 1 || box.top < edge.top - 1) return up;
        }
        if (style.position === "fixed") return null;
      }
      return null;
    };
    const controls = [...document.querySelectorAll<HTMLElement>("button, input, select, textarea, summary, a[href], [role=slider], [role=tab]")].filter(shown);
    for (const e of controls) {
      const box = e.getBoundingClientRect();
      if ((box.right > window.innerWidth + 1 || box.left < -1) && scrollers(e, "overflowX").length === 0) found.push(`out of the window: ${said(e)}`);
      const hiding = cutBy(e, box);
      if (hiding) found.push(`cut off: ${said(e)} by ${said(hiding).slice(0, 30)}`);
      const fixed = (() => {
        for (let up: Element | null = e; up; up = up.parentElement) if (getComputedStyle(up).position === "fixed") return true;
        return false;
      })();
      const below = box.bottom + window.scrollY > Math.max(root.scrollHeight, window.innerHeight) + 1 || (fixed && box.bottom > window.innerHeight + 1);
      if (below && scrollers(e, "overflowY").length === 0) found.push(`below the window: ${said(e)}`);
    }
    return found;
  });
}

for (const [width, height] of WINDOWS) {
  test(`everything is reachable in ${width}x${height}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width, height }, locale: "fr" });
    const page = await context.newPage();
    page.setDefaultTimeout(8_000);
    const cluster = new Cluster(page);
    const look = async (what: string) => {
      await page.waitForTimeout(250);
      expect.soft(await unreachable(page), what).toEqual([]);
    };
    await cluster.open();
    await cluster.run(BUSY);
    await look("the terminal");
    // Text fields are wide enough for their text.
    const rows = await page.locator(".pane:not(.away)").first().evaluate((e) => e.clientHeight / 17);
    expect(rows, "lines of the terminal").toBeGreaterThan(5);
    for (const zone of ["write", "see", "queue"]) {
      await cluster.get(`zone-${zone}`).click();
      await look(zone);
    }
    const close = page.getByTestId("inspector-close");
    if (await close.isVisible()) await close.click();
    for (const tab of await page.locator("[role=tab][id^=tab-]").all()) {
      await tab.click();
      await expect(page.locator("#open-panel > *").first()).toBeVisible();
      await page.waitForTimeout(300);
      const folded = page.locator("#open-panel details:not(.key, .columns, .menu, [open]) > summary");
      for (let left = await folded.count(); left > 0; left -= 1) await folded.first().click();
      await look((await tab.getAttribute("id")) ?? "");
    }
    // Overlays.
    await cluster.get("tab-queue").click();
    await page.getByTestId("queue-row").first().click();
    await expect(cluster.get("job-detail")).toBeVisible();
    await look("the inspector");
    await close.click();
    for (const [what, open] of [
      ["the menu", ".settings .menu > summary"],
      ["the columns", "[data-testid=queue-columns]"],
    ] as const) {
      await page.locator(open).click();
      await look(what);
      await page.locator(open).click();
    }
    await cluster.choose("skip-until", "moment");
    await look("the field for a moment");
    await cluster.get("skip-leave").click();
    await expect(cluster.get("skip-until")).toBeVisible();
    await cluster.get("zone-see").click();
    await cluster.get("legend").click();
    await look("the legend");
    await cluster.get("legend").click();
    await page.keyboard.press("F1");
    await expect(cluster.get("finder")).toBeVisible();
    await look("the finder");
    await page.keyboard.press("Escape");
    await cluster.get("zone-write").click();
    await cluster.get("compose").click();
    await expect(cluster.get("compose-script")).toBeVisible();
    await look("the composer");
    await page.keyboard.press("Escape");
    for (const dialog of ["files-open", "results-open", "start-again"]) {
      await page.locator(".settings .menu > summary").click();
      await cluster.get(dialog).click();
      await expect(page.locator("dialog[open]")).toBeVisible();
      await look(dialog);
      await page.keyboard.press("Escape");
      await expect(page.locator("dialog[open]")).toHaveCount(0);
    }
    await cluster.get("zone-queue").click();
    await cluster.get("tab-queue").focus();
    await page.keyboard.press("h");
    for (let card = 0; card < 5; card += 1) {
      await expect(cluster.get("tour")).toBeVisible();
      await look(`card ${card} of the tour`);
      await page.getByTestId("tour").getByRole("button").last().click();
    }
    expect(cluster.errors).toEqual([]);
    await context.close();
  });
}

for (const locale of ["en", "fr"]) {
  test(`the header fits into every width, ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ locale, viewport: { width: 1440, height: 800 } });
    const page = await context.newPage();
    await new Cluster(page).open();
    for (let width = 2000; width >= 820; width -= 20) {
      await page.setViewportSize({ width, height: 800 });
      const needed = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(needed, `at ${width} pixels`).toBe(width);
    }
    await context.close();
  });
}
