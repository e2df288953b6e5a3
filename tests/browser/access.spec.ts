// For everyone: accessibility rules in both themes, a narrow screen, both languages, and no requests to other hosts.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

for (const colorScheme of ["light", "dark"] as const) {
  test(`accessibility, ${colorScheme}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open();
    await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 3000'");
    await expect(page.getByTestId("queue-row").first()).toBeVisible();
    expect(await violations(page)).toEqual([]);
    await context.close();
  });
}

test("on a narrow screen one zone at a time, without scrolling sideways", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  const cluster = new Cluster(page);
  await cluster.open();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  await expect(cluster.get("terminal")).toBeVisible();
  await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 3000'");
  await context.close();
});

test("in French", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.choose("language", "fr");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page.getByText("Soumettre").first()).toBeVisible();
  await cluster.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
});

test("while the page loads, it introduces itself in the visitor's language and theme, then disappears", async ({ browser }) => {
  const context = await browser.newContext({ locale: "fr-FR", colorScheme: "dark" });
  const page = await context.newPage();
  let go = () => {};
  const held = new Promise<void>((done) => (go = done));
  await page.route(/app-.*\.wasm/, (route) => held.then(() => route.continue()));
  await page.goto("", { waitUntil: "commit" });
  await expect(page.getByText("Une grappe Slurm complète")).toBeVisible();
  await expect(page.getByText("A complete Slurm cluster")).toBeHidden();
  const light = await page.evaluate(() => getComputedStyle(document.querySelector(".dawn p")!).color.match(/[\d.]+/g)!.map(Number)[0]);
  expect(light).toBeGreaterThan(0.6);
  go();
  await expect(page.getByTestId("terminal")).toBeVisible();
  await expect(page.locator(".dawn")).toHaveCount(0);
  await context.close();
});

test("the keyboard reaches everything from the top", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  const reached = new Set<string>();
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press("Tab");
    const id = await page.evaluate(() => document.activeElement?.closest("[data-testid]")?.getAttribute("data-testid"));
    if (id) reached.add(id);
    // Leave the editor, where Tab indents.
    if (id === "editor") await page.keyboard.press("Escape");
  }
  for (const id of ["site", "user-picker", "pause", "pace-1", "skip-next", "find"]) expect([...reached]).toContain(id);
  await page.locator(".settings .menu > summary").focus();
  await page.keyboard.press("Enter");
  for (const id of ["theme", "language"]) {
    await page.keyboard.press("Tab");
    await expect(cluster.get(id)).toBeFocused();
  }
});

test("no requests go to other hosts", async ({ page, baseURL }) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(baseURL ?? "") && !url.startsWith("blob:") && !url.startsWith("data:")) foreign.push(url);
  });
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("sinfo");
  expect(foreign).toEqual([]);
});
