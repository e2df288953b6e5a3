// The header: pickers of site and user, speeds, the field of the command palette, the menu, and the date at every width.
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("sites are found by their sentence, with the keyboard alone", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=off");
  await cluster.get("site").focus();
  await page.keyboard.press("Enter");
  const field = page.getByRole("combobox", { name: "Search clusters" });
  await expect(field).toBeFocused();
  const list = page.getByRole("listbox", { name: "Search clusters" });
  // The open site is marked, and every site has a sentence.
  await expect(list.getByRole("option", { selected: true })).toContainText("lab");
  for (const option of await list.getByRole("option").all()) await expect(option.locator("small")).not.toBeEmpty();
  await page.keyboard.type("google cloud appear");
  await expect(list.getByRole("option")).toHaveCount(1);
  await expect(field).toHaveAttribute("aria-activedescendant", (await list.getByRole("option").getAttribute("id"))!);
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("pick-site")).toHaveCount(0);
  await expect(cluster.get("site")).toBeFocused();
  await expect(cluster.get("site")).toHaveText("lab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("google cloud appear");
  await expect(list.getByRole("option")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(cluster.get("site")).toHaveText("gcp");
  await cluster.ready();
  expect(await cluster.run("sinfo -h -o %P | sort -u | head -1")).not.toBe("");
  expect(cluster.errors).toEqual([]);
});

test("users are found by letters, and the last entry of the sites opens files", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=off");
  await cluster.get("user-picker").click();
  await page.getByRole("combobox", { name: "Search users" }).fill("roo");
  await page.keyboard.press("Enter");
  await expect(cluster.get("user-picker")).toHaveText("root");
  await expect.poll(() => cluster.text()).toMatch(/root@[^\n]*#$/);
  await cluster.get("site").click();
  await page.getByRole("option").last().click();
  await expect(cluster.get("own-site")).toBeVisible();
  expect(cluster.errors).toEqual([]);
});

test("arrow keys choose the speed, and the menu is grouped", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  // The engine's speed is shown before anyone has chosen one.
  await expect(page.getByRole("radio", { name: "1×, real time" })).toBeChecked();
  await cluster.choose("pace", "60");
  await cluster.get("pace-60").focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("radio", { name: "600×, 10 min per second" })).toBeChecked();
  await expect(cluster.get("pace-600")).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("radio", { name: "10×, 10 s per second" })).toBeChecked();
  await expect(page.getByRole("radiogroup").getByRole("radio", { checked: true })).toHaveCount(1);

  await page.locator(".settings .menu > summary").click();
  const groups = page.locator(".settings .menu").getByRole("group");
  for (const name of ["Display", "This cluster", "Share", "Teach", "Help"]) {
    await expect(groups.and(page.getByLabel(name, { exact: true }))).toHaveCount(1);
  }
  await cluster.get("keys").click();
  await expect(cluster.get("finder")).toBeVisible();
});

for (const locale of ["en", "fr"]) {
  test(`the date is visible at every width, and nothing of the header is cut, ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ locale, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open();
    for (const [width, height] of [[2560, 1440], [1440, 900], [1280, 800], [1024, 768], [821, 900], [640, 360], [390, 844], [320, 640]] as const) {
      await page.setViewportSize({ width, height });
      const said = `${width}x${height}`;
      await expect(page.locator(".face .day"), said).toBeVisible();
      const cut = await page.evaluate(() => {
        const parts = [...document.querySelectorAll<HTMLElement>(".head-bar button, .head-bar select, .head-bar summary, .face .day, .face .time")].filter((e) => e.offsetParent && !e.closest(".popup"));
        const boxes = parts.map((e) => e.getBoundingClientRect());
        const outside = boxes.some((b) => b.left < 0 || b.right > window.innerWidth + 1);
        const over = boxes.some((a, i) => boxes.slice(i + 1).some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3));
        return { outside, over, wide: document.documentElement.scrollWidth > window.innerWidth };
      });
      expect(cut, said).toEqual({ outside: false, over: false, wide: false });
    }
    await context.close();
  });
}

test("the projector shows two zones, and remembers which", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await page.keyboard.press("F2");
  const zones = async (shown: string[]) => {
    for (const zone of ["editor", "terminal", "cluster", "panels"]) {
      await expect(page.locator(`.zone.${zone}`), zone)[shown.includes(zone) ? "toBeVisible" : "toBeHidden"]();
    }
  };
  await zones(["terminal", "cluster"]);
  for (const pair of ["terminal-panels", "editor-terminal", "cluster-panels"]) {
    await cluster.choose("projector-zones", pair);
    await zones(pair.split("-"));
  }
  await cluster.choose("projector-zones", "terminal-panels");
  await cluster.reload();
  await zones(["terminal", "panels"]);
  // The smallest text that is visible, in pixels of the screen.
  const smallest = await page.evaluate(() => {
    const zoom = Number(getComputedStyle(document.documentElement).getPropertyValue("--zoom"));
    const texts = [...document.querySelectorAll<HTMLElement>(".page *")].filter((e) => e.offsetParent && [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent?.trim()));
    return Math.min(...texts.filter((e) => !e.closest(".hidden, .xterm")).map((e) => parseFloat(getComputedStyle(e).fontSize) * zoom));
  });
  expect(smallest).toBeGreaterThanOrEqual(18);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await page.keyboard.press("F2");
  await zones(["editor", "terminal", "cluster", "panels"]);
  expect(cluster.errors).toEqual([]);
});
