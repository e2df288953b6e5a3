// The book: a chapter with its live cluster and buttons, search, themes, and a visit without a network.
import { type FrameLocator, type Page } from "@playwright/test";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** Errors of the book and of the clusters in it. */
function errorsOf(page: Page): string[] {
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  return errors;
}

async function chapter(page: Page, name: string): Promise<FrameLocator> {
  await page.goto(`book/${name}.html`);
  const frame = page.frameLocator("main iframe");
  await expect(frame.getByTestId("prompt-ready").first()).toBeAttached();
  return frame;
}

test("a chapter's cluster runs its script and its commands", async ({ page }) => {
  const errors = errorsOf(page);
  const frame = await chapter(page, "learn/submit");
  await page.getByRole("button", { name: "Open in the editor" }).click();
  await expect(frame.getByTestId("editor").first()).toContainText("#SBATCH --cpus-per-task=2");
  const typing = page.getByRole("button", { name: "Type it" });
  await typing.nth(0).click();
  const terminal = frame.getByTestId("terminal").first();
  await expect(terminal).toContainText("Submitted batch job 1");
  // The output in the block is not typed, and the job is the one of the text.
  await typing.nth(1).click();
  await expect(terminal).toContainText("JOBID PARTITION");
  await expect(terminal).not.toContainText("command not found");
  await expect(page.locator("main")).toContainText("Submitted batch job 1");
  // The cluster stays in sight while the text is read.
  await page.evaluate(() => scrollTo(0, 0));
  await expect(page.locator("main iframe")).toBeInViewport();
  await expect(page.locator("main iframe")).toHaveCount(1);
  expect(errors).toEqual([]);
});

test("a chapter in French has a cluster in French", async ({ page }) => {
  const frame = await chapter(page, "fr/regarder");
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(frame.locator("html")).toHaveAttribute("lang", "fr");
  await page.getByRole("button", { name: "Saisir" }).nth(1).click();
  await expect(frame.getByTestId("terminal").first()).toContainText("PARTITION AVAIL");
});

test("a page beyond the course has buttons, too, and asks for what its block leaves open", async ({ page }) => {
  const frame = await chapter(page, "embed");
  await page.getByRole("button", { name: "Type it" }).click();
  const ask = page.locator("form.sandbatch-values");
  await expect(ask.getByLabel("<account>")).toHaveValue("physics");
  await ask.getByRole("button", { name: "Type it" }).click();
  // The cluster is far above its block.
  await expect(page.locator("main iframe")).toBeInViewport();
  const terminal = frame.getByTestId("terminal").first();
  await expect(terminal).toContainText("sbatch --account=physics --time=00:10:00 --wrap=hostname");
  await expect(terminal).toContainText("squeue --me");
  await expect(terminal).not.toContainText("not found");
});

test("the menu of the page opens the book", async ({ page, context }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=off");
  await page.locator(".settings summary").click();
  const opened = context.waitForEvent("page");
  await cluster.get("book").click();
  const book = await opened;
  await expect(book.getByRole("heading", { name: "The sandbatch book" })).toBeVisible();
  await book.locator("#to-the-page").click();
  await expect(book).not.toHaveURL(/book/);
  await expect(book.getByTestId("prompt-ready").first()).toBeAttached();
});

test("the book has the page's themes, and its clusters follow", async ({ page }) => {
  await page.goto("book/index.html");
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  const cluster = page.frameLocator("main iframe").locator("html");
  await expect(cluster).toHaveAttribute("data-theme", "light");
  await page.locator("#mdbook-theme-toggle").click();
  await expect(page.locator("#mdbook-theme-navy")).toBeHidden();
  await page.getByRole("menuitem", { name: "Dark" }).click();
  await expect.poll(background).not.toBe(light);
  await expect(cluster).toHaveAttribute("data-theme", "dark");
});

test("search finds a chapter, and the book opens without a network once it was visited", async ({ page, context }) => {
  const cluster = new Cluster(page, { offline: true });
  await cluster.open("./?site=lab&background=off");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto("book/index.html");
  // The service worker adds the whole book.
  const kept = () =>
    page.evaluate(async () => {
      const names = await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map((r) => r.url)));
      return names.flat().filter((url) => url.includes("/book/")).length;
    });
  const files = await page.evaluate(async () => {
    const text = await (await fetch("../sw.js")).text();
    return (JSON.parse(/const BOOK = (\[.*?\]);/.exec(text)?.[1] ?? "[]") as string[]).length;
  });
  expect(files).toBeGreaterThan(50);
  await expect.poll(kept, { timeout: 60_000 }).toBe(files);
  await context.setOffline(true);
  await page.goto("book/reference/reasons.html");
  await expect(page.getByRole("heading", { name: "Reasons" })).toBeVisible();
  await page.keyboard.press("/");
  await page.locator("#mdbook-searchbar").pressSequentially("saves nodes");
  const found = page.locator("#mdbook-searchresults a").filter({ hasText: "Why is my job pending" }).first();
  await found.click();
  await expect(page).toHaveURL(/learn\/why\.html/);
  await expect(page.locator("main mark").first()).toBeVisible();
  await context.setOffline(false);
});

test("the pages of the book fit a narrow window, and tables scroll", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of ["index", "learn/submit", "reference/options", "reference/sandbatch", "architecture"]) {
    await page.goto(`book/${name}.html`);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow, name).toBeLessThanOrEqual(0);
  }
});
