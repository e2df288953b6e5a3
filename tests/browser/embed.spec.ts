// Clusters in pages of another origin: authors' markup, browser restrictions, printing.
import { createServer, request as ask } from "node:http";
import { mkdir, mkdtemp, readFile, readdir, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Page, chromium } from "@playwright/test";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

const HOME = process.env.SANDBATCH_ADDRESS ?? "";
const EXAMPLE = "https://example.org/sandbatch/";

/** Serves a text at an origin of its own while `use` runs. */
async function elsewhere(html: string, use: (address: string) => Promise<void>, policy = ""): Promise<void> {
  const server = createServer((request, answer) => {
    if (policy) answer.setHeader("content-security-policy", policy);
    answer.statusCode = request.url === "/" ? 200 : 404;
    answer.setHeader("content-type", "text/html; charset=utf-8").end(request.url === "/" ? html : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.close();
  }
}

/** A page with an element and its attributes. */
const host = (home: string, inside: string): string =>
  `<!doctype html><html lang="en"><title>A host</title><script src="${home}embed.js"></script><body style="background:#fff">${inside}`;

const LINK = '<a href="https://example.org/">A simulated Slurm cluster</a>';

async function prompted(page: Page): Promise<void> {
  await expect(page.frameLocator("iframe").first().getByTestId("prompt-ready").first()).toBeAttached();
}

test("an element of another origin loads when visible, accepts typing and reports jobs", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const html = (await readFile(new URL("../../examples/embeds/html/index.html", import.meta.url), "utf8"))
    .replaceAll(EXAMPLE, home)
    .replace("<body>", `<body style="background:#111;color:#eee"><div style="height:3000px"></div>`);
  await elsewhere(html, async (address) => {
    await page.goto(address);
    const element = page.locator("sandbatch-cluster");
    await expect(element).toHaveCount(1);
    await page.waitForTimeout(500);
    await expect(page.locator("iframe")).toHaveCount(0);
    await element.scrollIntoViewIfNeeded();
    const frame = page.frameLocator("iframe");
    await prompted(page);
    await expect(frame.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect(frame.getByTestId("editor")).toBeHidden();
    const state = await element.evaluate(async (cluster: any) => {
      await cluster.type("sbatch first.sh");
      await cluster.advance(30);
      return cluster.state();
    });
    expect(state).toMatchObject({ site: "lab", user: "alice" });
    await expect.poll(() => element.evaluate(async (cluster: any) => (await cluster.state()).running)).toBeGreaterThan(10);
    // The host switches to light, and a picture is printed.
    await page.evaluate(() => (document.body.style.background = "#fff"));
    await expect(frame.locator("html")).toHaveAttribute("data-theme", "light");
    await expect(element.locator(".sandbatch-still img")).toBeAttached();
    const drawn = await element.evaluate(async (cluster: any) => cluster.picture());
    expect(drawn).toMatch(/^<svg [\s\S]*Submitted batch job[\s\S]*<\/svg>$/);
    await page.emulateMedia({ media: "print" });
    await expect(page.locator("iframe")).toBeHidden();
    await expect(element.locator(".sandbatch-still img")).toBeVisible();
    await page.emulateMedia({ media: "screen" });
    // Buttons at the script and at the commands. The commands' output is not typed.
    await expect(page.locator(".sandbatch-try")).toHaveCount(2);
    await page.locator(".sandbatch-try").nth(1).click();
    await expect(page.locator("iframe")).toHaveCount(2);
    const said = page.frameLocator("iframe").first().getByTestId("terminal");
    await expect(said).toContainText("squeue --me");
    await expect(said).not.toContainText("Submitted batch job 57\nbash");
  });
});

/** A host that allows caching, as most do; counts its requests. */
async function keeping(home: string, use: (address: string, asked: Map<string, number>) => Promise<void>): Promise<void> {
  const asked = new Map<string, number>();
  const server = createServer((request, answer) => {
    const file = (request.url ?? "").split("?")[0] ?? "";
    asked.set(file, (asked.get(file) ?? 0) + 1);
    const from = ask(new URL((request.url ?? "").slice(1), home), (theirs) => {
      answer.writeHead(theirs.statusCode ?? 500, { ...theirs.headers, "cache-control": "max-age=600" });
      theirs.pipe(answer);
    });
    from.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked);
  } finally {
    server.close();
  }
}

test("several on a page share one download", async ({ baseURL }) => {
  // Use a disk cache, because a private window does not cache large files.
  const profile = await mkdtemp(path.join(tmpdir(), "sandbatch-"));
  const context = await chromium.launchPersistentContext(profile, test.info().project.use.launchOptions);
  await keeping(baseURL ?? HOME, async (home, asked) => {
    const three = `<sandbatch-cluster height="200">${LINK}</sandbatch-cluster>`.repeat(3);
    await elsewhere(host(home, three), async (address) => {
      const page = await context.newPage();
      await page.goto(address);
      for (const at of [0, 1, 2]) {
        await expect(page.frameLocator("iframe").nth(at).getByTestId("prompt-ready").first()).toBeAttached();
      }
      const programs = [...asked].filter(([file]) => file.endsWith("_bg.wasm"));
      expect(programs.map(([, times]) => times)).toEqual([1, 1]);
    });
  });
  await context.close();
});

test("it works where the browser forbids all storage", async ({ baseURL }) => {
  const profile = await mkdtemp(path.join(tmpdir(), "sandbatch-"));
  await mkdir(path.join(profile, "Default"), { recursive: true });
  const forbid = { profile: { default_content_setting_values: { cookies: 2 }, block_third_party_cookies: true } };
  await writeFile(path.join(profile, "Default", "Preferences"), JSON.stringify(forbid));
  // Only the browser with its windows reads this preference.
  const { launchOptions } = test.info().project.use;
  const executablePath = process.env.CHROME ?? launchOptions?.executablePath;
  const context = await chromium.launchPersistentContext(profile, { ...launchOptions, executablePath });
  await elsewhere(host(baseURL ?? HOME, `<sandbatch-cluster>${LINK}</sandbatch-cluster>`), async (address) => {
    const page = await context.newPage();
    await page.goto(address);
    await prompted(page);
    const inside = page.frames().find((frame) => frame !== page.mainFrame());
    const works = await inside?.evaluate(() => {
      try {
        return Boolean(window.localStorage);
      } catch {
        return false;
      }
    });
    expect(works, "the storage is forbidden").toBe(false);
    const user = await page.locator("sandbatch-cluster").evaluate(async (cluster: any) => (await cluster.state()).user);
    expect(user).toBe("alice");
  });
  await context.close();
});

test("it works under the policy that the guide gives", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const guide = await readFile(new URL("../../docs/embed.md", import.meta.url), "utf8");
  const recipe = /```\n(script-src .*)\n```/.exec(guide)?.[1] ?? "";
  const policy = recipe.replaceAll("https://YOUR.SITE/sandbatch/", home).replaceAll("https://YOUR.SITE", new URL(home).origin);
  expect(policy).toContain("frame-src");
  const broken: string[] = [];
  page.on("console", (message) => message.text().includes("Content Security Policy") && broken.push(message.text()));
  const html = `<!doctype html><html lang="en"><title>A host</title><script src="${home}embed.js?try_it&site=lab"></script>
    <pre><code class="language-bash">sinfo</code></pre><sandbatch-cluster height="300">${LINK}</sandbatch-cluster>`;
  await elsewhere(html, async (address) => {
    await page.goto(address);
    await prompted(page);
    expect((await page.locator("iframe").boundingBox())?.height).toBeGreaterThan(290);
    await expect(page.locator(".sandbatch-still img")).toBeAttached();
    await expect(page.locator(".sandbatch-try")).toHaveCount(1);
    expect(broken).toEqual([]);
  }, `default-src 'none'; ${policy}`);
});

test("invalid attributes are reported or ignored, and the cluster still loads", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const inside = `<script type="text/plain" id="a&lt;b">&lt;b&gt;</script><script type="text/plain" id="markup">#!/bin/bash
echo '<img src=x onerror="window.hit=1">' "</script>
<sandbatch-cluster site="nowhere" height="tall" panels="nothing">${LINK}</sandbatch-cluster>
<sandbatch-cluster lesson="en/99-nothing" height="-5" script="#missing">${LINK}</sandbatch-cluster>
<sandbatch-cluster height="99999999" script="#markup" panels="editor terminal" background="much">${LINK}</sandbatch-cluster>`;
  await elsewhere(host(home, inside), async (address) => {
    await page.goto(address);
    const heights = () => page.locator("iframe").evaluateAll((all) => all.map((frame) => (frame as HTMLElement).style.height));
    const elements = page.locator("sandbatch-cluster");
    for (const at of [0, 1, 2]) await elements.nth(at).scrollIntoViewIfNeeded();
    await expect(page.locator("iframe")).toHaveCount(3);
    expect(await heights()).toEqual(["420px", "420px", "4000px"]);
    const frame = (at: number) => page.frameLocator("iframe").nth(at);
    await expect(frame(0).getByText('there is no site "nowhere"')).toBeVisible();
    await expect(frame(1).getByText("The lesson could not be loaded")).toBeVisible();
    await expect(frame(2).getByTestId("editor")).toContainText("<img src=x onerror");
    const hits = await Promise.all(page.frames().map((f) => f.evaluate(() => (window as unknown as { hit?: number }).hit)));
    expect(hits.filter(Boolean)).toEqual([]);
    const refused = await elements.nth(2).evaluate(async (cluster: any) => {
      const said: string[] = [];
      addEventListener("message", (event) => event.data?.id === "x" && said.push(event.data.error));
      const to = cluster.querySelector("iframe").contentWindow;
      to.postMessage({ sandbatch: 1, id: "x", do: "format" }, "*");
      to.postMessage({ sandbatch: 2, id: "x", do: "state" }, "*");
      await new Promise((resolve) => setTimeout(resolve, 500));
      return said;
    });
    expect(refused).toEqual(["there is no such request", "this page speaks version 1"]);
  });
});

test("blocks of a page share a cluster: output is not typed, placeholders are asked for, scripts are written", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const html = (await readFile(new URL("../../examples/embeds/html/blocks.html", import.meta.url), "utf8")).replaceAll(EXAMPLE, home);
  await elsewhere(html, async (address) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.text().startsWith("sandbatch:") && errors.push(message.text()));
    await page.goto(address);
    const after = (text: string) => page.locator("pre", { hasText: text }).locator("xpath=following-sibling::*[1]");
    // Without a cluster, all shell blocks have a button.
    await expect(page.locator("button.sandbatch-try")).toHaveCount(5);
    // Submit first: the script is in another block, and its account and time are asked for.
    await after("$ sbatch count.slurm").click();
    const ask = page.locator("form.sandbatch-values");
    await expect(ask.getByLabel("<account>")).toHaveValue("physics");
    await expect(ask.getByLabel("HH:MM:SS")).toHaveValue("00:10:00");
    await expect(ask.locator("input")).toHaveCount(2);
    await ask.getByLabel("HH:MM:SS").fill("00:05:00");
    await page.keyboard.press("Enter");
    await expect(ask).toHaveCount(0);
    const terminal = page.frameLocator("iframe").getByTestId("terminal").first();
    await expect(terminal).toContainText("Submitted batch job 1");
    await expect(terminal).toContainText("squeue --me");
    // The listing has lost its button, and nothing of it was typed.
    await expect(page.locator("button.sandbatch-try")).toHaveCount(4);
    await expect(terminal).not.toContainText("4711");
    await expect(terminal).not.toContainText("not found");
    const frame = page.frames().find((one) => one !== page.mainFrame());
    // The next block goes to the same cluster, which moves to it without loading again.
    await page.locator("sandbatch-cluster").evaluate((cluster: any) => cluster.advance(120));
    await after("cat count.out").click();
    await expect(terminal).toContainText("counted 5 numbers");
    await expect(page.locator("iframe")).toHaveCount(1);
    expect(page.frames().find((one) => one !== page.mainFrame())).toBe(frame);
    expect(await after("cat count.out").evaluate((button) => button.nextElementSibling?.localName)).toBe("sandbatch-cluster");
    // The author's job is not the reader's.
    await after("sacct -j 4711").click();
    await expect(ask.getByLabel("4711")).toHaveValue("1");
    await page.keyboard.press("Escape");
    await expect(ask).toHaveCount(0);
    await after("sacct -j 4711").click();
    await ask.getByRole("button", { name: "Try it" }).click();
    await expect(terminal).toContainText("COMPLETED");
    await expect(terminal).toContainText("sacct -j 1 --format=JobID,State,Elapsed");
    // The script's own button opens it in the editor, with what was entered before.
    await after("#SBATCH --account").click();
    await expect(ask.getByLabel("HH:MM:SS")).toHaveValue("00:05:00");
    await page.keyboard.press("Enter");
    const editor = page.frameLocator("iframe").getByTestId("editor").first();
    await expect(editor).toContainText("#SBATCH --account=physics");
    await expect(editor).toContainText("count.slurm");
    expect(errors).toEqual([]);
  });
});

test("a French page asks in French, and markup in placeholders stays text", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const html = `<!doctype html><html lang="fr"><title>Une page</title><script src="${home}embed.js?try_it&site=lab&background=off&lang=fr"></script>
    <body style="background:#fff"><p>Exemple de sortie :</p><pre><code class="language-shell">hello from c01</code></pre>
    <p>Pour soumettre :</p><pre><code class="language-shell">echo "&lt;img src=x onerror='hit=1'&gt;" ...</code></pre>`;
  await elsewhere(html, async (address) => {
    await page.goto(address);
    await page.getByRole("button", { name: "Essayer" }).first().click();
    // The first block is output: there was nothing to type.
    await expect(page.getByRole("status")).toHaveText(/rien à saisir/);
    await page.getByRole("button", { name: "Essayer" }).click();
    const ask = page.locator("form.sandbatch-values");
    await expect(ask).toContainText("Complétez");
    await expect(ask).toContainText("<img src=x onerror='hit=1'>");
    await expect(ask.getByLabel("...")).not.toHaveAttribute("required");
    await ask.getByLabel("<img").fill("<b>bonjour</b>");
    await page.keyboard.press("Enter");
    await expect(page.frameLocator("iframe").getByTestId("terminal").first()).toContainText("<b>bonjour</b>");
    expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
  });
});

test("a browser that cannot move frames keeps the cluster where it is, and here-documents are typed as a whole", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const html = `<!doctype html><html lang="en"><title>A guide</title><script>delete Element.prototype.moveBefore</script>
    <script src="${home}embed.js?try_it&site=lab&background=off"></script><body style="background:#fff">
    <p>Write it:</p><pre><code class="language-console">[you@login ~]$ cat &gt; note.txt &lt;&lt;'EOF'
two $HOME words
EOF
[you@login ~]$ sbatch --wrap "cat note.txt" -o note.out
Submitted batch job 4711
[you@login ~]$ squeue --me</code></pre>
    <p>Then:</p><pre><code class="language-console">[you@login ~]$ cat note.out
two $HOME words</code></pre>`;
  await elsewhere(html, async (address) => {
    await page.goto(address);
    const buttons = page.locator("button.sandbatch-try");
    await buttons.first().click();
    const terminal = page.frameLocator("iframe").getByTestId("terminal").first();
    await expect(terminal).toContainText("Submitted batch job 1");
    await expect(terminal).toContainText("squeue --me");
    await page.locator("sandbatch-cluster").evaluate((cluster: any) => cluster.advance(60));
    await buttons.nth(1).click();
    await expect(terminal).toContainText(/cat note\.out\s*two \$HOME words/);
    await expect(terminal).not.toContainText("not found");
    await expect(page.locator("iframe")).toHaveCount(1);
    expect(await buttons.first().evaluate((button) => button.nextElementSibling?.localName)).toBe("sandbatch-cluster");
  });
});

test("messages with too many or too long blocks are refused", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  await elsewhere(host(home, `<sandbatch-cluster site="lab" background="off" height="300">${LINK}</sandbatch-cluster>`), async (address) => {
    await page.goto(address);
    await prompted(page);
    const said = await page.locator("sandbatch-cluster").evaluate(async (cluster: any) => {
      const error = (asked: Promise<unknown>) => asked.then(() => "", (reason: Error) => reason.message);
      return [
        await error(cluster.read("squeue")),
        await error(cluster.read(Array(201).fill({ text: "squeue" }))),
        await error(cluster.read([{ text: "x".repeat(40_000) }])),
        await error(cluster.read(Array(20).fill({ text: "x".repeat(32_000) }))),
        await error(cluster.read([{ text: "squeue", before: "y".repeat(601) }])),
        await error(cluster.write("", "text")),
        await error(cluster.type("true\n".repeat(1001))),
        await error(cluster.read([{ text: 7 }, null, {}])),
      ];
    });
    expect(said).toEqual([
      "not a list of blocks",
      "more than 200 blocks",
      "text: more than 32768 characters",
      "blocks with more than 524288 characters",
      "before: more than 600 characters",
      "no name of a file",
      "more than 1000 lines wait for a prompt",
      "",
    ]);
    const read = await page.locator("sandbatch-cluster").evaluate((cluster: any) =>
      cluster.read([{ text: "$ sbatch -A <account> a.sh\nSubmitted batch job 9", language: "console" }]));
    expect(read).toEqual([
      {
        lines: "co",
        files: [],
        commands: [["sbatch -A ", 0, " a.sh"]],
        asks: [{ text: "<account>", about: "account", value: "physics" }],
      },
    ]);
  });
});

/** Pages that generators made from `examples/embeds` (see guides/README.md). */
const GUIDES = new URL("guides/", import.meta.url);

test("each generator's page has its element, and buttons at shell blocks", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const made = (await readdir(GUIDES)).filter((name) => name.endsWith(".html"));
  expect(made.length).toBeGreaterThan(4);
  for (const name of made) {
    const html = (await readFile(new URL(name, GUIDES), "utf8")).replaceAll(EXAMPLE, home);
    await elsewhere(html, async (address) => {
      await page.goto(address);
      await expect(page.locator("sandbatch-cluster"), name).toHaveCount(1);
      await expect(page.locator(".sandbatch-try"), name).toHaveCount(2);
      // Check what the cluster would read, without loading it.
      const asked = await page.evaluate(async () => {
        const said: Record<string, string>[][] = [];
        const element = customElements.get("sandbatch-cluster")?.prototype;
        element.connectedCallback = () => {};
        element.state = async () => ({});
        element.read = async (blocks: Record<string, string>[]) => {
          said.push(blocks);
          return blocks.map(() => ({ files: [], commands: [], asks: [] }));
        };
        document.querySelector<HTMLElement>(".sandbatch-try")?.click();
        await new Promise((resolve) => setTimeout(resolve, 100));
        return said[0];
      });
      const script = '#!/bin/bash\n#SBATCH --job-name=hello\n#SBATCH --time=00:05:00\necho "Hello from $(hostname)"';
      expect(asked?.[0]?.text, name).toBe(script);
      expect(asked?.[0]?.before, name).toBe("Write a script:");
      const commands = asked?.[1]?.text?.split("\n").map((line) => line.replace(/ +/g, " ").trim());
      expect(commands, name).toEqual(["$ sbatch first.sh", "Submitted batch job 57", "$ squeue --me"]);
      // The others were output, so they have lost their buttons.
      await expect(page.locator(".sandbatch-try"), name).toHaveCount(0);
    });
  }
});

test("the page lists third-party work, and can be installed", async ({ page, request, baseURL }) => {
  const home = baseURL ?? HOME;
  const cluster = new Cluster(page);
  await cluster.open();
  await page.locator(".settings summary").click();
  const href = await page.getByRole("link", { name: "Licences" }).getAttribute("href");
  const notices = await (await request.get(new URL(href ?? "", home).href)).text();
  for (const part of ["leptos 0.8", "wasm-bindgen 0.2", "@xterm/xterm", "@codemirror/view", "Apache License", "Permission is hereby granted"]) {
    expect(notices).toContain(part);
  }
  const manifest = await (await request.get(new URL("manifest.webmanifest", home).href)).json();
  expect(manifest.icons.map((icon: { sizes: string }) => icon.sizes)).toEqual(["any", "192x192", "512x512", "512x512"]);
  for (const { src } of manifest.icons) expect((await request.get(new URL(src, home).href)).ok(), src).toBe(true);
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.map((error) => error.errorId).filter((error) => error !== "in-incognito")).toEqual([]);
});

test("a second visit works offline", async ({ page, context }) => {
  const cluster = new Cluster(page, { offline: true });
  await cluster.open("?site=lab");
  // The set of this build's files is kept as a whole.
  const whole = () =>
    page.evaluate(async () => {
      await navigator.serviceWorker.ready;
      const sets = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).match("./whole-set")));
      return sets.filter(Boolean).length;
    });
  await expect.poll(whole, { timeout: 60_000 }).toBe(1);
  await context.setOffline(true);
  await page.goto("./?site=mila");
  await cluster.ready();
  expect(await cluster.run("sinfo -h -o %P")).toContain("unkillable");
  await context.setOffline(false);
});

test("an episode of a course has its cluster beside it, which prints what the text shows", async ({ page, baseURL }) => {
  const home = baseURL ?? HOME;
  const html = (await readFile(new URL("../../examples/embeds/carpentries/index.html", import.meta.url), "utf8")).replaceAll(EXAMPLE, home);
  await elsewhere(html, async (address) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => message.text().startsWith("sandbatch:") && errors.push(message.text()));
    await page.goto(address);
    await prompted(page);
    const terminal = page.frameLocator("iframe").getByTestId("terminal").first();
    const after = (text: string) => page.locator(".language-bash", { hasText: text }).first().locator("xpath=following-sibling::*[1]");
    const output = (text: string) => page.locator(".output pre", { hasText: text }).first();
    await after("sinfo").click();
    for (const line of (await output("PARTITION AVAIL").innerText()).split("\n")) await expect(terminal).toContainText(line);
    // The script of the episode is written first.
    await after("$ sbatch example-job.sh").click();
    await expect(terminal).toContainText(await output("Submitted batch job").innerText());
    await page.locator("sandbatch-cluster").evaluate((cluster: any) => cluster.advance(5));
    await after("$ squeue -u alice").click();
    await expect(terminal).toContainText(/\b1 +cpu +example- +alice +R /);
    // The cluster is beside the text, wherever the reader is, and above it in a narrow window.
    const sides = () => page.evaluate(() => {
      const [text, cluster] = ["h1", "sandbatch-cluster"].map((name) => document.querySelector(name)!.getBoundingClientRect());
      return { beside: cluster.left >= text.right, above: cluster.bottom <= text.top };
    });
    expect(await sides()).toEqual({ beside: true, above: false });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.locator("iframe")).toBeInViewport();
    await page.setViewportSize({ width: 700, height: 900 });
    expect(await sides()).toEqual({ beside: false, above: true });
    expect(errors).toEqual([]);
  });
});
