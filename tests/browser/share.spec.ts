// Moments as links, and invalid links.
import { expect, test } from "@playwright/test";
import { Cluster } from "./cluster";

test("a link opens the same moment, and the existing session is kept", async ({ page, context, browser }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const cluster = new Cluster(page);
  await cluster.open("?lesson=en/01-first-job");
  await cluster.run("sinfo > cluster.txt");
  await cluster.run("sbatch -J precious -n 3 -t 5 first.sh");
  await expect(cluster.get("lesson-progress")).toHaveText("1 of 4 steps");
  await page.locator("details.menu > summary").click();
  await cluster.get("share").click();
  await expect(cluster.get("notice")).toContainText("kB");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link.split("#s=")[1].length).toBeLessThan(4096);

  const other = await browser.newPage();
  const theirs = new Cluster(other);
  await theirs.open(link);
  await expect(theirs.get("lesson-progress")).toHaveText("1 of 4 steps");
  expect(await theirs.run("squeue -h -o %j,%C")).toContain("precious,");
  await expect(other.getByTestId("notice")).toHaveCount(0);
  await other.close();
});

for (const [what, hash] of [
  ["cut in half", "#s=c2JsAQIDBAUG"],
  ["with markup", "#s=<img src=x onerror=alert(1)>"],
  ["of nothing", "#s="],
  ["made of letters", `#s=${"A".repeat(5000)}`],
] as const) {
  test(`a link ${what} is reported, and a fresh cluster starts`, async ({ page }) => {
    const cluster = new Cluster(page);
    await cluster.open(`?site=lab${hash}`);
    await expect(cluster.get("notice")).toContainText("The link could not be opened");
    await cluster.run("sinfo");
    expect(await page.locator("img[src=x]").count()).toBe(0);
  });
}
