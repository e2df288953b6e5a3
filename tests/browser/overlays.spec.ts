// Overlays and lists that open in the page: no axe violations (each theme and each language is tried once).
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

const BUSY =
  "sbatch -p CPU-4 -N4 --exclusive --time=5:00 --wrap 'sleep 250'; sbatch -p CPU-4 -N4 --exclusive --time=5:00 --wrap 'sleep 60'; sbatch -p CPU-4 --wrap nosuch";

// Words do not depend on colours: each theme with one of the languages.
for (const [colorScheme, locale] of [["light", "fr"], ["dark", "en"]] as const) {
  test(`no axe violations in overlays, ${colorScheme}, ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme, locale });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    const look = async (what: string) => {
      expect.soft(await violations(page), what).toEqual([]);
    };
    await cluster.open();
    await cluster.run(BUSY);
    await cluster.row(2).click();
    await expect(cluster.get("why-change")).toBeVisible();
    await look("why a job waits");
    await page.getByTestId("inspector-close").click();
    await cluster.run("sbatch -p nowhere --wrap true");
    await expect(cluster.get("refused")).toBeVisible();
    await look("a refusal");
    await cluster.get("tab-queue").focus();
    await page.keyboard.press("?");
    await expect(cluster.get("finder")).toBeVisible();
    await look("the finder");
    await page.keyboard.press("Escape");
    await cluster.get("compose").click();
    await expect(cluster.get("compose-script")).toBeVisible();
    await look("the composer");
    await page.keyboard.press("Escape");
    await cluster.get("tab-queue").focus();
    await page.keyboard.press("h");
    await expect(cluster.get("tour")).toBeVisible();
    await look("the tour");
    await page.keyboard.press("Escape");
    await cluster.get("tab-admin").click();
    for (const subject of await page.locator("[data-testid^=admin-][aria-pressed]").all()) {
      await subject.click();
      await page.waitForTimeout(200);
      await page.locator("#open-panel details").evaluateAll((all) => all.forEach((form) => form.setAttribute("open", "")));
      await look(`the forms of ${await subject.getAttribute("data-testid")}`);
    }
    await cluster.get("tab-learn").click();
    await expect(cluster.get("course")).toBeVisible();
    await look("the course");
    expect(cluster.errors).toEqual([]);
    await context.close();
  });
}
