// The dialog that makes a link for a class.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("a teacher chooses what the class begins with", async ({ page, browser }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=inserm&background=off&seed=12");
  await page.locator(".settings .menu > summary").click();
  await cluster.get("share-class").click();
  const link = async () => new URL(await cluster.get("link-address").inputValue()).searchParams;
  await expect(cluster.get("link-site")).toHaveValue("inserm");
  expect(Object.fromEntries(await link())).toEqual({ site: "inserm", background: "off", seed: "12" });
  await cluster.get("link-site").selectOption("mila");
  await cluster.get("link-load").selectOption("busy");
  await cluster.get("link-seed").fill("4x2");
  expect(Object.fromEntries(await link())).toEqual({ site: "mila", background: "busy", seed: "42" });
  // A lesson brings its own site. In French, the lessons are the French ones.
  await cluster.get("link-language").selectOption("fr");
  await cluster.get("link-lesson").selectOption({ label: "Votre première tâche" });
  await expect(cluster.get("link-site")).toBeDisabled();
  expect(Object.fromEntries(await link())).toEqual({ lesson: "fr/01-premiere-tache", lang: "fr", seed: "42" });
  await expect(cluster.get("link-code")).toBeVisible();
  await cluster.get("link-other-seed").click();
  await expect.poll(async () => (await link()).get("seed")).not.toBe("42");
  await cluster.get("link-seed").fill("7");
  // The page of this test is only on this computer.
  await expect(cluster.get("link-local")).toBeVisible();
  expect(await violations(page, "dialog")).toEqual([]);
  await cluster.get("link-copy").click();
  await expect(page.getByTestId("toast").last()).toHaveText(/^Link copied\./);
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(await cluster.get("link-address").inputValue());
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("class-link")).toHaveCount(0);
  // The message goes by itself.
  await expect(page.getByTestId("toast")).toHaveCount(0, { timeout: 12_000 });

  const other = new Cluster(await browser.newPage());
  await other.open(copied);
  await expect(other.get("learn")).toContainText("Faire le tour");
  await expect(other.get("language")).toHaveValue("fr");
  await other.page.close();
  expect(cluster.errors).toEqual([]);
});
