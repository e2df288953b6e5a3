// User data is never lost: reload, an unreadable saved session, blocked storage.
import { readFile } from "node:fs/promises";
import { Cluster, drop } from "./cluster";
import { expect, test } from "./test";

test("a reload finds everything again", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo kept across a reload > kept.txt");
  const job = await cluster.submit("sbatch -p CPU-4 --job-name=lasting --wrap 'sleep 20000'");
  // The last input may not be in the saved state yet, but it is in the journal.
  await page.waitForTimeout(500);
  await cluster.reload();
  expect(await cluster.run("cat kept.txt")).toBe("kept across a reload");
  expect(await cluster.run(`squeue -h -j ${job} -o '%i %j'`)).toBe(`${job} lasting`);
  await cluster.reload();
  expect(await cluster.run("cat kept.txt")).toBe("kept across a reload");
  expect(cluster.errors).toEqual([]);
});

test("text in the editor that was not saved survives a reload", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.edit("#!/bin/bash\n# a thought not saved yet\n");
  await page.waitForTimeout(1500);
  await cluster.reload();
  await expect(cluster.get("editor")).toContainText("a thought not saved yet");
});

test("an unreadable saved session is set aside with a message", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo x > x");
  await page.waitForTimeout(500);
  // Replace the bytes of every session with garbage of the same length.
  await page.evaluate(async () => {
    const open = indexedDB.open("sandbatch");
    const database = await new Promise<IDBDatabase>((resolve) => (open.onsuccess = () => resolve(open.result)));
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name, "readwrite").objectStore(name);
      await new Promise<void>((resolve) => {
        store.openCursor().onsuccess = (event) => {
          const cursor = (event.target as IDBRequest<IDBCursorWithValue | null>).result;
          if (!cursor) return resolve();
          const length = cursor.value?.length ?? cursor.value?.byteLength ?? 16;
          cursor.update(new Uint8Array(length).fill(0xa5));
          cursor.continue();
        };
      });
    }
    database.close();
  });
  await page.reload();
  await cluster.ready();
  await expect(cluster.get("notice")).toBeVisible();
  expect(await cluster.run("whoami")).toBe("alice");
  // It stays under its own key: the next visit offers it, too, until the notice is closed.
  await page.waitForTimeout(500);
  await cluster.reload();
  const notice = page.getByTestId("notice").filter({ hasText: "could not be opened" });
  await expect(notice.getByRole("button", { name: /Download/ })).toBeVisible();
  await notice.getByRole("button", { name: "Close" }).click();
  await page.waitForTimeout(500);
  await cluster.reload();
  await page.waitForTimeout(1000);
  await expect(notice).toHaveCount(0);
});

test("a browser whose storage never answers gives a prompt and says so", async ({ page }) => {
  await page.addInitScript(() => {
    // A request that neither succeeds nor fails.
    const real = indexedDB.open.bind(indexedDB);
    indexedDB.open = (name, version) => {
      const request = real(name, version);
      for (const event of ["success", "error", "blocked", "upgradeneeded"]) {
        request.addEventListener(event, (e) => e.stopImmediatePropagation());
      }
      return request;
    };
  });
  const cluster = new Cluster(page);
  await cluster.open();
  await expect(cluster.get("notice")).toBeVisible();
  expect(await cluster.run("whoami")).toBe("alice");
});

test("with storage blocked, the page works and explains the consequences", async ({ page }) => {
  await page.addInitScript(() => {
    const forbid = () => {
      throw new DOMException("forbidden by a test", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
      Object.defineProperty(window, name, { get: forbid, configurable: true });
    }
  });
  const cluster = new Cluster(page);
  await cluster.open();
  await expect(cluster.get("notice")).toBeVisible();
  expect(await cluster.run("echo works | tr a-z A-Z")).toBe("WORKS");
});

test("full storage is reported once, and nothing open is lost", async ({ page }) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo still here > f");
  await expect(cluster.get("notice")).toBeVisible();
  expect(await cluster.run("cat f")).toBe("still here");
});

test("a crashed engine restarts without the input that crashed it", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo kept > story.txt");
  await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 3000'");
  await cluster.type("echo killer > other.txt; sleep 100000");
  await cluster.press("Enter");
  await page.waitForTimeout(1000);
  // As in a panic: the worker fails during the last input.
  const fail = () => page.workers()[0]!.evaluate(() => void setTimeout(() => { throw new Error("the engine fails"); }));
  await fail();
  const notice = cluster.get("notice");
  await expect(notice).toContainText("echo killer");
  await expect(notice.getByRole("button", { name: /session/ })).toBeVisible();
  await expect.poll(() => cluster.text()).not.toContain("killer");
  await cluster.ready();
  expect(await cluster.run("cat story.txt")).toBe("kept");
  expect(await cluster.run("cat other.txt")).toContain("No such file");
  expect(await cluster.run("squeue -h -o %T")).toMatch(/RUNNING|PENDING/);
  // An input that has ended is not to blame.
  await cluster.run("echo innocent > last.txt");
  await page.waitForTimeout(500);
  await fail();
  await expect(page.getByTestId("notice").filter({ hasText: "Nothing is lost" })).toBeVisible();
  await cluster.ready();
  // The prompt may still be that of before the crash: then the session opens, and the terminal is drawn again, during the command,
  // which is typed again.
  await expect(async () => expect(await cluster.run("cat last.txt")).toBe("innocent")).toPass({ timeout: 120_000 });
});

test("a session that the page offers as a file opens in another browser", async ({ page, browser }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo carried > story.txt; sbatch -p CPU-4 --job-name=carried --wrap 'sleep 20000'");
  await page.waitForTimeout(6000);
  await page.workers()[0]!.evaluate(() => void setTimeout(() => { throw new Error("the engine fails"); }));
  const download = page.waitForEvent("download");
  await page.getByTestId("notice").getByRole("button", { name: /session/ }).click();
  const text = await readFile(await (await download).path(), "utf8");
  const other = await (await browser.newContext()).newPage();
  const second = new Cluster(other);
  await second.open("./?site=lab&background=off");
  await drop(other, { "session.txt": text });
  await expect.poll(() => other.url()).toContain("session=");
  await second.ready();
  expect(await second.run("cat story.txt")).toBe("carried");
  expect(await second.run("squeue -h -o %j")).toBe("carried");
});

test("without a clipboard, copying does no harm", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo something to be copied");
  const box = (await cluster.get("terminal").locator(".xterm-screen").first().boundingBox())!;
  await page.mouse.dblclick(box.x + 60, box.y + 10);
  await cluster.press("Control+c");
  expect(await cluster.run("echo alive")).toBe("alive");
  // The link is shown for manual copying, without a claim that it was copied.
  for (const [what, link] of [["share", "#s="], ["share-class", "seed="]] as const) {
    await page.locator(".settings .menu > summary").click();
    await cluster.get(what).click();
    if (what === "share-class") await cluster.get("link-copy").click();
    const notice = page.getByTestId("notice").filter({ hasText: link }).last();
    await expect(notice).toContainText("does not let the page copy");
  }
  expect(cluster.errors).toEqual([]);
});

test("the first prompt works without the deferred module, which is loaded on demand", async ({ page }) => {
  const cluster = new Cluster(page);
  // Whether the prompt was visible when it was requested in the background.
  const asked: boolean[] = [];
  await page.route("**/later-worker-*.wasm", async (route) => {
    // A command that is typed before the download ends loads it itself, synchronously.
    if (route.request().resourceType() === "xhr") return route.continue();
    asked.push((await cluster.text()).includes("$"));
    // The first attempt fails.
    await (asked.length === 1 ? route.abort() : route.continue());
  });
  await cluster.open();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(await cluster.run("seq 3 | tail -1")).toBe("3");
  // It is requested again at once.
  expect(asked).toHaveLength(2);
  expect(asked[1]).toBe(true);
});
