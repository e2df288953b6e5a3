// A crash of the page itself: the user is told what becomes of the session, and can reload and copy a report.
import { type Page } from "@playwright/test";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** Makes the page panic: the browser refuses the next element that the page's WebAssembly creates. */
async function crash(page: Page, cluster: Cluster): Promise<void> {
  await page.evaluate(() => {
    const create = Document.prototype.createElement;
    Document.prototype.createElement = function (...asked: Parameters<typeof create>) {
      if (!new Error().stack?.includes("wasm")) return create.apply(this, asked);
      Document.prototype.createElement = create;
      throw new DOMException("refused by a test", "InvalidStateError");
    } as typeof create;
  });
  await cluster.get("tab-charts").click();
  await expect(page.getByTestId("crash")).toBeVisible();
}

test("a crash of the page tells that nothing is lost, and a reload continues", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo kept across a crash > kept.txt");
  await crash(page, cluster);
  const notice = page.getByRole("alertdialog", { name: "The page has crashed" });
  await expect(notice).toContainText("Nothing is lost: your session is stored in this browser");
  await expect(notice.getByTestId("crash-reload")).toBeFocused();
  // Nothing else can be reached, and Escape does not lead back.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(notice).toBeVisible();
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement === document.body || Boolean(document.activeElement?.closest(".crash")))).toBe(true);
  }
  await notice.getByTestId("crash-copy").click();
  await expect(notice).toContainText("Copied.");
  const report = await page.evaluate(() => navigator.clipboard.readText());
  expect(report).toMatch(/^sandbatch \d+\.\d+\.\d+\nsite: inserm\naddress: \?site=inserm&background=off\nbrowser: Mozilla/);
  expect(report).toContain("echo kept across a crash > kept.txt");
  expect(report).toContain("(click) tab-charts");
  expect(report).toMatch(/panicked at [^\n]+:\d+:\d+/);
  expect(report).toContain("wasm");
  expect(await notice.getByRole("textbox").inputValue()).toBe(report);
  await notice.getByTestId("crash-reload").click();
  await cluster.ready();
  await expect(page.getByTestId("crash")).toHaveCount(0);
  expect(await cluster.run("cat kept.txt")).toBe("kept across a crash");
});

test("a crash promises nothing that the browser did not store, in the page's language", async ({ page }) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  const cluster = new Cluster(page);
  await cluster.open("./?site=inserm&background=off&lang=fr");
  await cluster.run("echo perdu > f");
  await crash(page, cluster);
  const notice = page.getByRole("alertdialog", { name: "La page a planté" });
  await expect(notice).toContainText("Cette session n’est pas enregistrée dans ce navigateur.");
  await expect(notice.getByRole("button", { name: "Recharger la page" })).toBeVisible();
});

test("a trap without a panic is a crash as well", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await page.evaluate(() => {
    // A module whose only function traps.
    const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11];
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)));
    setTimeout(() => (exports.f as () => void)());
  });
  await expect(page.getByTestId("crash")).toContainText("Nothing is lost");
  await expect(page.getByTestId("crash").getByRole("textbox")).toHaveValue(/unreachable/);
});
