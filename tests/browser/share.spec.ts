// Moments as links, and invalid links.
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("a link opens the same moment, and the existing session is kept", async ({ page, context, browser }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const cluster = new Cluster(page);
  await cluster.open("?lesson=en/01-first-job");
  await cluster.run("sinfo > cluster.txt");
  await cluster.run("sbatch -J precious -n 3 -t 5 first.sh");
  await expect(cluster.get("lesson-progress")).toHaveText("1 of 4 steps");
  await page.locator(".settings .menu > summary").click();
  await cluster.get("share").click();
  await expect(cluster.get("toast")).toContainText("Link copied. It opens the cluster at this moment: ");
  await expect(cluster.get("toast")).toContainText("kB");
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

test("a link to the page has a preview", async ({ page, request }) => {
  await new Cluster(page).open();
  const tag = (name: string) => page.locator(`meta[property="og:${name}"]`).getAttribute("content");
  expect(await tag("title")).toContain("Slurm cluster");
  expect(((await tag("description")) ?? "").length).toBeLessThan(200);
  const picture = await request.get(new URL((await tag("image"))!, page.url()).href);
  expect(picture.headers()["content-type"]).toBe("image/png");
  // Width and height of a PNG are in its first chunk.
  const bytes = await picture.body();
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)].map(String)).toEqual([await tag("image:width"), await tag("image:height")]);
});

test("a picture has the cluster, the clock and the site, and is copied", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=busy");
  await expect(cluster.get("figure-cores")).toBeVisible();
  await page.locator(".settings .menu > summary").click();
  await cluster.get("poster").click();
  await expect(cluster.get("toast")).toHaveText(/^Picture copied\./);
  const picture = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const bitmap = await createImageBitmap(await item!.getType("image/png"));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const pen = canvas.getContext("2d")!;
    pen.drawImage(bitmap, 0, 0);
    // The number of colours in each tenth of the height: text above, the cluster in the middle, the time line below.
    const tenths = Array.from({ length: 10 }, (_, i) => {
      const { data } = pen.getImageData(0, (bitmap.height * i) / 10, bitmap.width, bitmap.height / 10);
      const colours = new Set<number>();
      for (let at = 0; at < data.length; at += 4) colours.add((data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!);
      return colours.size;
    });
    return { width: bitmap.width, height: bitmap.height, tenths };
  });
  expect(picture.width).toBe(2400);
  expect(picture.height).toBeGreaterThan(1000);
  for (const colours of picture.tenths) expect(colours).toBeGreaterThan(5);
  expect(cluster.errors).toEqual([]);
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
