// A whole visit by the keyboard alone: no pointer, no focus set by the test.
import { type Page } from "@playwright/test";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** The closest named element around the focus. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("[data-testid]")?.getAttribute("data-testid") ?? document.activeElement?.id ?? "");

/** Presses Tab until an element has the focus. Every element on the way shows its focus and releases it. */
async function tabTo(page: Page, name: string, key = "Tab", most = 120): Promise<void> {
  for (let i = 0; i < most; i += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
    // Both take Tab for themselves until Escape is pressed.
    if (["editor", "terminal"].includes(await focused(page))) await page.keyboard.press("Escape");
    const seen = await page.evaluate(() => {
      const e = document.activeElement;
      if (!e || e === document.body || e.closest(".xterm, .cm-editor, .hidden, [role=separator]")) return true;
      const style = getComputedStyle(e);
      return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    });
    expect(seen, `the focus at ${await focused(page)} is visible`).toBe(true);
  }
  throw new Error(`${name} is not reached; the focus is at ${await focused(page)}`);
}

/** Runs a command from the command palette. */
async function find(page: Page, letters: string): Promise<void> {
  await page.keyboard.press("F1");
  await expect(page.getByTestId("finder")).toBeVisible();
  await page.keyboard.type(letters);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("finder")).toHaveCount(0);
}

test("write, submit, inspect, understand and cancel a job, and go back in time", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();

  // Two jobs from the terminal; the second one does not fit.
  await find(page, "go to the terminal");
  for (const job of [1, 2]) {
    await page.keyboard.type("sbatch -p CPU-4 -N4 --exclusive --time=5:00 --wrap 'sleep 250'");
    await page.keyboard.press("Enter");
    await expect.poll(() => cluster.text()).toContain(`Submitted batch job ${job}`);
  }

  // The first job starts, which sorts the queue again.
  await expect(cluster.row(1).locator(".c-state")).toHaveText(/^R/);
  // The queue: arrows move between rows, Enter opens.
  await find(page, "show the queue");
  await tabTo(page, "queue-row");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const row = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  if (!(await row()).startsWith("2")) await page.keyboard.press("ArrowDown");
  expect(await row()).toMatch(/^2/);
  await page.keyboard.press("Enter");
  await expect(cluster.get("why-sentence")).toContainText("It waits because it needs 4 nodes");
  await expect(cluster.get("why-command")).toBeVisible();
  await tabTo(page, "why-command");
  await page.keyboard.press("Enter");
  await expect.poll(() => cluster.text()).toMatch(/scontrol update jobid=2 /);

  // Escape closes the inspector, and the focus returns to the row.
  await find(page, "show the queue");
  await tabTo(page, "inspector-close");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("job-detail")).toHaveCount(0);
  expect(await row()).toMatch(/^2/);
  await page.keyboard.press("Enter");
  await expect(cluster.get("cancel")).toBeVisible();
  await tabTo(page, "cancel");
  await page.keyboard.press("Enter");
  await expect.poll(() => cluster.text()).toContain("scancel 2");

  // Time: back with the keys of its slider, and to the present.
  await find(page, "show the queue");
  await tabTo(page, "time-rail");
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("PageUp");
  await expect(cluster.get("travel-now")).toBeVisible();
  await page.keyboard.press("b");
  await expect(page.getByTestId("travel-now")).toHaveCount(0);

  // A script is written and submitted.
  await find(page, "go to the editor");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("#!/bin/bash\n#SBATCH --partition=CPU-16 --output=mine.txt\necho by keyboard\n");
  await page.keyboard.press("Escape");
  await find(page, "submit");
  await expect.poll(() => cluster.text()).toContain("Submitted batch job 3");
  expect(cluster.errors).toEqual([]);
});

test("the focus stays on a job while the queue is sorted again", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  // Running jobs come after pending ones, and the newest pending job is the first.
  await cluster.run("for i in 1 2; do sbatch -p CPU-4 --hold --wrap 'sleep 60'; done; (sleep 14; scontrol release 2) &");
  const jobs = () => page.locator(".rows [data-job]:not(.away)").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-job")));
  await expect.poll(jobs).toEqual(["2", "1"]);
  await page.locator(".rows [data-job='2']").focus();
  await expect.poll(jobs).toEqual(["1", "2"]);
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("data-job"))).toBe("2");
  await page.keyboard.press("Enter");
  await expect(cluster.get("job-detail")).toHaveAttribute("data-job", "2");
  expect(cluster.errors).toEqual([]);
});

test("pictures on canvases can be navigated by keyboard", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("a=$(sbatch --parsable -p CPU-4 --wrap 'sleep 600'); sbatch -p CPU-4 -d afterok:$a --array=1-4 --wrap true");
  // Nodes: a single tab stop, arrows move between nodes, Enter opens.
  await cluster.get("cluster-keys").focus();
  await tabTo(page, "node-tile");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-node"))).toBeTruthy();
  await page.keyboard.press("Enter");
  await expect(cluster.get("node-detail")).toBeVisible();
  // The timeline: moved and zoomed.
  await cluster.get("tab-queue").focus();
  await page.keyboard.press("2");
  await cluster.get("gantt-keys").focus();
  for (const key of ["+", "ArrowLeft", "0"]) await page.keyboard.press(key);
  // The graph of dependencies is a list, too.
  await cluster.get("tab-graph").focus();
  await page.keyboard.press("Enter");
  await page.locator(".graphs details.listed summary").focus();
  await page.keyboard.press("Enter");
  await tabTo(page, "edge");
  await page.keyboard.press("Enter");
  await expect(cluster.get("job-detail")).toBeVisible();
});

test("overlays trap the focus while open, and return it", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  for (const open of ["finder", "composer"] as const) {
    await cluster.get("compose").focus();
    await page.keyboard.press(open === "finder" ? "F1" : "Enter");
    await expect(page.locator("dialog:focus-within")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator("dialog[open]")).toHaveCount(0);
    expect(await focused(page), open).toBe("compose");
  }
});

test("with two dialogs only the upper one is reachable, and the page only after both are closed", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  // Whether something in an element takes the focus: nothing outside of a modal dialog does.
  const reached = (selector: string) =>
    page.evaluate((s) => {
      const before = document.activeElement as HTMLElement | null;
      const all = [...document.querySelectorAll<HTMLElement>(`${s} :is(button, input, select)`)];
      const inside = all.find((e) => e.checkVisibility() && !(e as HTMLButtonElement).disabled);
      inside?.focus();
      const got = inside !== undefined && document.activeElement === inside;
      before?.focus();
      return got;
    }, selector);
  await cluster.get("compose").focus();
  await page.keyboard.press("Enter");
  await expect(cluster.get("composer")).toBeVisible();
  await page.keyboard.press("F1");
  await expect(cluster.get("finder")).toBeVisible();
  await expect(page.locator("[data-testid=finder] :focus")).toHaveCount(1);
  expect([await reached("main"), await reached("[data-testid=composer]")], "under the finder").toEqual([false, false]);
  // Tab never leaves it.
  for (let i = 0; i < 4; i += 1) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main, header, [data-testid=composer]") === null)).toBe(true);
  }
  await page.locator("[data-testid=finder] input").focus();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("finder")).toHaveCount(0);
  expect([await reached("main"), await reached("[data-testid=composer]")], "under the composer").toEqual([false, true]);
  await expect(page.locator("[data-testid=composer]:focus-within")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
  expect([await reached("main"), await reached("header")]).toEqual([true, true]);
  expect(await focused(page)).toBe("compose");
  // A dialog that replaces another one returns the focus to where the first one was opened.
  await find(page, "compose a job");
  await expect(page.locator("[data-testid=composer]:focus-within")).toBeVisible();
  expect(await reached("main")).toBe(false);
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog[open]")).toHaveCount(0);
  expect(await focused(page)).toBe("compose");
  expect(cluster.errors).toEqual([]);
});
