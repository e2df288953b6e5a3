// What a link can make the page contact: nothing without a yes, and then only the host that was named.
import { type BrowserContext, type Page } from "@playwright/test";
import { Cluster, guideOf } from "./cluster";
import { expect, test } from "./test";

const HOST = "https://lessons.example";
const ADDRESS = `${HOST}/course/one.md`;
const PIXEL = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");

const LESSON = `---
title: From another server
site: lab
---
A picture of ours: ![our map](map.png). One of theirs: ![their pixel](https://tracker.example/pixel.png)

## One step

Say hello.

\`\`\`check
a file: path = ~/hello
\`\`\`
\`\`\`solution
touch hello
\`\`\`
`;

/** Everything that is asked from other hosts. */
async function others(context: BrowserContext, home: string): Promise<string[]> {
  const asked: string[] = [];
  await context.route("**", async (route) => {
    const url = route.request().url();
    if (url.startsWith(home) || url.startsWith("http://127.0.0.1:") || !url.startsWith("http")) return route.fallback();
    asked.push(url);
    const headers = { "access-control-allow-origin": "*" };
    if (url === ADDRESS) return route.fulfill({ headers, contentType: "text/markdown", body: LESSON });
    if (url.endsWith(".png")) return route.fulfill({ headers, contentType: "image/png", body: PIXEL });
    return route.fulfill({ status: 404, headers });
  });
  return asked;
}

const question = (page: Page) => page.getByTestId("elsewhere");

test("a lesson on another host is loaded only after a yes, and only that host is contacted", async ({ page, context, baseURL }) => {
  const asked = await others(context, baseURL!);
  const cluster = new Cluster(page);
  await page.goto(`?lesson=${ADDRESS}`);
  await expect(question(page)).toBeVisible();
  await expect(cluster.get("elsewhere-host")).toHaveText("lessons.example");
  await expect(question(page)).toContainText(ADDRESS);
  // The usual answer is no.
  await expect(cluster.get("elsewhere-no")).toBeFocused();
  expect(asked).toEqual([]);
  await cluster.get("elsewhere-yes").click();
  await cluster.ready();
  const learn = cluster.get("learn");
  await expect(learn).toContainText("From another server");
  await expect(learn.getByRole("img", { name: "our map" })).toHaveJSProperty("naturalWidth", 1);
  await expect(learn.locator(".no-picture")).toHaveText("their pixelPicture not loaded: it is on tracker.example, not on the lesson’s server.");
  expect(asked).toEqual([ADDRESS, `${HOST}/course/map.png`]);
  // The policy of the page forbids the others, whatever its code does.
  const refused = await page.evaluate(async () => {
    const violated: string[] = [];
    document.addEventListener("securitypolicyviolation", (event) => violated.push(event.effectiveDirective));
    const image = new Image();
    image.src = "https://tracker.example/other.png";
    document.body.append(image);
    const fetched = await fetch("https://tracker.example/data").then(() => "fetched", () => "refused");
    await new Promise((resolve) => setTimeout(resolve, 200));
    image.remove();
    return { fetched, violated: violated.sort() };
  });
  expect(refused).toEqual({ fetched: "refused", violated: ["connect-src", "img-src"] });
  expect(asked).toHaveLength(2);
  // Starting over and coming back load it without a question.
  await cluster.get("lesson-again").click();
  await cluster.ready();
  await cluster.reload();
  await expect(learn).toContainText("From another server");
  await expect(question(page)).toHaveCount(0);
  expect(asked.every((url) => url.startsWith(HOST))).toBe(true);
});

for (const [how, answer] of [
  ["Enter", async (page: Page) => page.keyboard.press("Enter")],
  ["Escape", async (page: Page) => page.keyboard.press("Escape")],
  ["a click outside", async (page: Page) => page.mouse.click(5, 5)],
] as const) {
  test(`${how} is a no: the cluster opens without the lesson`, async ({ page, context, baseURL }) => {
    const asked = await others(context, baseURL!);
    const cluster = new Cluster(page);
    await page.goto(`?lesson=${ADDRESS}`);
    await expect(cluster.get("elsewhere-no")).toBeFocused();
    await answer(page);
    await cluster.ready();
    await expect(question(page)).toHaveCount(0);
    expect(page.url()).not.toContain("lesson=");
    expect(await cluster.get("lesson-progress").count()).toBe(0);
    expect(asked).toEqual([]);
  });
}

test("the keyboard reaches both answers, and Tab stays in the question", async ({ page, context, baseURL }) => {
  await others(context, baseURL!);
  const cluster = new Cluster(page);
  await page.goto(`?lesson=${ADDRESS}&lang=fr`);
  await expect(cluster.get("elsewhere-no")).toHaveText("Ne pas charger");
  await expect(cluster.get("elsewhere-no")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(cluster.get("elsewhere-yes")).toBeFocused();
  await page.keyboard.press("Space");
  await cluster.ready();
  await expect(cluster.get("learn")).toContainText("Image non chargée : elle est sur tracker.example");
});

test("a redirect to a third host is refused", async ({ page, context, baseURL }) => {
  const asked: string[] = [];
  await context.route("https://*.example/**", (route) => {
    asked.push(route.request().url());
    return route.fulfill({ status: 302, headers: { location: "https://tracker.example/l.md", "access-control-allow-origin": "*" } });
  });
  const violated: string[] = [];
  await page.exposeFunction("violation", (uri: string) => violated.push(uri));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => (window as any).violation(event.effectiveDirective));
  });
  const cluster = new Cluster(page);
  await page.goto(`${baseURL}?lesson=${ADDRESS}`);
  await cluster.get("elsewhere-yes").click();
  await cluster.ready();
  await expect(page.getByText("The lesson could not be loaded")).toBeVisible();
  expect(violated).toContain("connect-src");
  expect(asked).toEqual([ADDRESS]);
});

test("an address that only looks like the page's own is another host", async ({ page, context, baseURL }) => {
  const asked = await others(context, baseURL!);
  const { host } = new URL(baseURL!);
  await page.goto(`?lesson=https://${host}@lessons.example/course/one.md`);
  await expect(page.getByTestId("elsewhere-host")).toHaveText("lessons.example");
  expect(asked).toEqual([]);
});

test("a lesson whose address the visitor writes needs no question", async ({ page, context, baseURL }) => {
  const asked = await others(context, baseURL!);
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("tab-learn").click();
  await cluster.get("lesson-address").fill(ADDRESS);
  await cluster.get("lesson-address").press("Enter");
  await expect(cluster.get("learn")).toContainText("From another server");
  expect(asked[0]).toBe(ADDRESS);
});

test("an embedded page asks inside its frame, each time", async ({ page, context, baseURL }) => {
  const asked = await others(context, baseURL!);
  const frame = `<iframe src="${baseURL}?embed=terminal+queue&lesson=${ADDRESS}" style="width:500px;height:300px"></iframe>`;
  await guideOf(`<!doctype html>${frame}`, async (address) => {
    for (const visit of [1, 2]) {
      await page.goto(address);
      const inside = page.frameLocator("iframe");
      await expect(inside.getByTestId("elsewhere-host"), `visit ${visit}`).toHaveText("lessons.example");
      await expect(inside.getByTestId("elsewhere-no")).toBeInViewport({ ratio: 1 });
      await expect(inside.getByTestId("elsewhere-yes")).toBeInViewport({ ratio: 1 });
      expect(asked.filter((url) => url === ADDRESS)).toHaveLength(visit - 1);
      await inside.getByTestId("elsewhere-yes").click();
      await expect(inside.getByTestId("prompt-ready").first()).toBeAttached();
      expect(asked.filter((url) => url === ADDRESS)).toHaveLength(visit);
    }
  });
  expect(asked.every((url) => url.startsWith(HOST))).toBe(true);
});

test("an element does not count the time in which its page asks the reader", async ({ page, context, baseURL }) => {
  await others(context, baseURL!);
  const html =
    `<!doctype html><script>
      // The watches that run, each by its timer.
      window.watches = new Map();
      const [set, clear] = [window.setTimeout, window.clearTimeout];
      window.setTimeout = (run, after, ...rest) => {
        const timer = set(run, after, ...rest);
        if (after === 120000) window.watches.set(timer, run);
        return timer;
      };
      window.clearTimeout = (timer) => (window.watches.delete(timer), clear(timer));
      window.failed = [];
      addEventListener("sandbatch-error", (event) => window.failed.push(event.detail));
    </script><script src="${baseURL}embed.js"></script><body>` +
    `<sandbatch-cluster panels="terminal queue" lesson="${ADDRESS}"></sandbatch-cluster>`;
  const watches = () => page.evaluate(() => (window as unknown as { watches: Map<number, unknown> }).watches.size);
  await guideOf(html, async (address) => {
    await page.goto(address);
    const inside = page.frameLocator("iframe");
    await expect(inside.getByTestId("elsewhere-yes")).toBeVisible();
    await expect.poll(watches, "while it asks").toBe(0);
    await inside.getByTestId("elsewhere-yes").click();
    await expect.poll(watches, "after the answer").toBe(1);
    await expect(inside.getByTestId("prompt-ready").first()).toBeAttached();
    await expect.poll(watches, "once it is ready").toBe(0);
    expect(await page.evaluate(() => (window as unknown as { failed: string[] }).failed)).toEqual([]);
  });
});
