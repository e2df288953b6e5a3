// For users of screen readers or without a pointer: terminal output is announced, and the keyboard can leave every element that
// captures Tab.
import { type Page } from "@playwright/test";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

interface Node {
  role?: { value: string };
  name?: { value: string };
  description?: { value: string };
  ignored: boolean;
  properties?: { name: string; value: { value: unknown } }[];
}

/** The page's accessibility tree, as for a screen reader. */
async function tree(page: Page): Promise<Node[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: Node[] };
  await session.detach();
  return nodes.filter((node) => !node.ignored);
}

/** Collects the terminal's announcements from now on. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const w = window as unknown as { said: string[] };
    w.said = [];
    const heard = (all: MutationRecord[]) => all.forEach((m) => m.addedNodes.forEach((node) => w.said.push(node.textContent ?? "")));
    new MutationObserver(heard).observe(document.querySelector("[role=log]")!, { childList: true });
  });
  return async () => {
    await page.waitForTimeout(600);
    return page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
  };
}

test("a screen reader hears output once, and changes to the input line", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  expect(await page.locator("[role=log]").count()).toBe(0);
  // It is found among the commands and in the menu.
  await page.keyboard.press("F1");
  await page.keyboard.type("screen reader");
  await page.keyboard.press("Enter");
  await expect(page.locator("[role=log]")).toHaveCount(1);
  await cluster.get("find").focus();
  await page.locator(".settings .menu > summary").click();
  await expect(page.getByLabel("Terminal screen reader mode")).toBeChecked();
  await page.keyboard.press("Escape");

  const heard = await listen(page);
  expect((await cluster.run("hostname")).length).toBeGreaterThan(0);
  const said = (await heard()).join("\n");
  expect(said).toContain("login");
  expect(said.match(/login/g)?.length).toBe(2); // The output and the prompt.
  expect(said).not.toContain("hostname");
  await page.keyboard.press("ArrowUp");
  expect(await heard()).toEqual(["hostname"]);
  await page.keyboard.press("ArrowLeft");
  expect(await heard()).toEqual(["e"]);
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  expect((await heard()).at(-1)).toBe("e");
  await page.keyboard.press("Control+u");
  // Limits: a long list is cut off, and full-screen programs are not announced.
  await cluster.run("seq 1 300");
  const long = (await heard()).join("\n");
  expect(long.split("\n").length).toBeLessThan(60);
  expect(long).toContain("More output follows.");

  const nodes = await tree(page);
  const live = (node: Node) => node.properties?.find((p) => p.name === "live")?.value.value;
  expect(nodes.filter((node) => live(node) === "assertive")).toEqual([]);
  expect(nodes.find((node) => node.role?.value === "log")).toBeDefined();
  const keys = nodes.find((node) => node.role?.value === "textbox" && node.name?.value === "Terminal");
  expect(keys?.description?.value).toContain("Esc, then Tab");
  expect(keys?.description?.value).toContain("F1");
  // All rows can be navigated.
  expect(nodes.some((node) => node.role?.value === "list" && node.name?.value === "Terminal")).toBe(true);

  // The setting is remembered.
  await cluster.reload();
  await expect(page.locator("[role=log]")).toHaveCount(1);
  expect(cluster.errors).toEqual([]);
});

for (const [locale, way] of [
  ["en", "Press Esc, then Tab, to leave."],
  ["fr", "Échap puis Tab pour sortir."],
] as const) {
  test(`the keyboard can leave what captures Tab, with a hint, ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open();
    const within = (place: string) => page.evaluate((place) => document.activeElement?.closest(place) !== null, place);
    for (const [part, place] of [
      ["terminal", ".xterm"],
      ["editor", ".cm-editor"],
    ] as const) {
      if (part === "terminal") await cluster.type("hostnam");
      else await cluster.get("editor").locator(".cm-content").focus();
      await expect(page.locator(`#way-out-${part}`)).toBeVisible();
      await expect(page.locator(`#way-out-${part}`)).toContainText(way);
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-describedby"))).toBe(`way-out-${part}`);
      await page.keyboard.press("Tab");
      expect(await within(place), "Tab is for the line").toBe(true);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Tab");
      expect(await within(place), "out, forwards").toBe(false);
      await expect(page.locator(`#way-out-${part}`)).toBeHidden();
      await page.keyboard.press("Shift+Tab");
      expect(await within(place), "and back").toBe(true);
      await page.keyboard.press("Escape");
      await page.keyboard.press("Shift+Tab");
      expect(await within(place), "out, backwards").toBe(false);
    }
    // Escape alone has no effect.
    await cluster.press("Escape");
    await page.keyboard.type(" ");
    await page.keyboard.press("Tab");
    expect(await within(".xterm")).toBe(true);
    await page.keyboard.press("Control+u");
    expect(await cluster.run("hostname")).toContain("login");
    await context.close();
  });
}

test("lists opened from a bar close on Escape and when the focus leaves them", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const menu = page.locator(".settings .menu");
  await menu.locator("summary").click();
  await expect(menu).toHaveAttribute("open", "");
  await page.keyboard.press("Escape");
  await expect(menu).not.toHaveAttribute("open", "");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
  await cluster.get("legend").click();
  await expect(page.locator(".cluster .key")).toHaveAttribute("open", "");
  await cluster.get("queue-columns").click();
  await expect(page.locator(".cluster .key")).not.toHaveAttribute("open", "");
  await expect(page.locator("details.columns")).toHaveAttribute("open", "");
  await cluster.get("find").focus();
  await expect(page.locator("details.columns")).not.toHaveAttribute("open", "");
});

test("a part is maximised and restored", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  for (const part of ["editor", "terminal", "cluster", "panels"]) {
    await cluster.get(`full-${part}`).click();
    const box = (await page.locator(`.zone.${part}`).boundingBox())!;
    expect(box.width, part).toBeGreaterThan(1400);
    expect(box.height, part).toBeGreaterThan(600);
    await expect(cluster.get(`full-${part}`)).toHaveAttribute("aria-pressed", "true");
    await cluster.get(`full-${part}`).click();
    expect((await page.locator(`.zone.${part}`).boundingBox())!.width, part).toBeLessThan(900);
  }
});
