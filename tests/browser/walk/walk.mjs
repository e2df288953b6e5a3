// The main walk in the browsers that Playwright does not drive here: Firefox, and WebKit, which Safari users have.
// `cargo xtask test` runs it for each browser that it finds. `node tests/browser/walk/walk.mjs BROWSER DIST [WORDS]` runs one by hand:
// BROWSER is `firefox` or `webkit`, DIST the built page, and WORDS choose steps by their names. GECKODRIVER, FIREFOX, WEBKIT_DRIVER and MINIBROWSER name programs.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Browser, Builder, By, Capabilities, Key, until } from "selenium-webdriver";
import firefox from "selenium-webdriver/firefox.js";

const [, , browser, dist, words = ""] = process.argv;
const PROMPT = /(^|\n)[^\n]*@[^\n]*[$#]$/;
const PATIENCE = 60_000;
/** The program that the native tests built. */
const PROGRAM = path.join(process.env.CARGO_TARGET_DIR ?? path.resolve(import.meta.dirname, "../../../target"), "debug/sandbatch");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm",
  ".json": "application/json", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".md": "text/markdown", ".webmanifest": "application/manifest+json" };

/** WebKit's driver. */
let helper;

/** Serves `answer` on a port of its own. */
async function serve(answer) {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(404).end());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}

/** The built page, as a plain static server serves it. */
async function files(request, response) {
  const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
  let file = path.join(dist, path.normalize(name));
  if ((await stat(file)).isDirectory()) file = path.join(file, "index.html");
  const body = await readFile(file);
  response.writeHead(200, { "content-type": `${TYPES[path.extname(file)] ?? "application/octet-stream"}; charset=utf-8` });
  response.end(body);
}

async function driver() {
  if (browser === "firefox") {
    const options = new firefox.Options().addArguments("-headless", "--width=1440", "--height=900");
    if (process.env.FIREFOX) options.setBinary(process.env.FIREFOX);
    const service = new firefox.ServiceBuilder(process.env.GECKODRIVER ?? "geckodriver");
    return new Builder().disableEnvironmentOverrides().forBrowser(Browser.FIREFOX).setFirefoxOptions(options).setFirefoxService(service).build();
  }
  assert.equal(browser, "webkit", "the browser is firefox or webkit");
  const wanted = new Capabilities();
  wanted.setBrowserName("MiniBrowser");
  wanted.set("webkitgtk:browserOptions", { binary: process.env.MINIBROWSER ?? "MiniBrowser", args: ["--automation"] });
  const port = await freePort();
  helper = spawn(process.env.WEBKIT_DRIVER ?? "WebKitWebDriver", [`--port=${port}`], { stdio: "ignore" });
  const at = `http://127.0.0.1:${port}/`;
  for (let i = 0; i < 100 && !(await fetch(`${at}status`).then(() => true, () => false)); i += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return new Builder().disableEnvironmentOverrides().usingServer(at).withCapabilities(wanted).build();
}

async function freePort() {
  const { server, address } = await serve(async () => {});
  await new Promise((resolve) => server.close(resolve));
  return Number(new URL(address).port);
}

const page = await serve(files);
const web = await driver();
const locate = (id) => web.findElement(By.css(`[data-testid="${id}"]`));
const text = () => web.executeScript("return window.__sandbatch ? window.__sandbatch.terminalText() : ''");
const eventually = (what, said) => web.wait(async () => { try { return await what(); } catch { return false; } }, PATIENCE, said);
// A driver may fail to describe an element of a page that is being replaced: ask again.
const shown = (id) => eventually(() => locate(id), `${id} is on the page`);
const prompted = (said = "the shell asks for a command") => eventually(async () => PROMPT.test(await text()), said);

async function open(address) {
  await web.get(address);
  await shown("prompt-ready");
  await prompted();
}

const keys = () => web.findElement(By.css('[data-testid="terminal"] .pane:not(.away) textarea'));

/** Types a command and returns its output. */
async function run(line) {
  await keys().sendKeys(line);
  await eventually(async () => (await text()).endsWith(line), `the terminal shows ${line}`);
  await keys().sendKeys(Key.ENTER);
  await prompted(`the shell asks again after ${line}`);
  const all = await text();
  return all.slice(all.lastIndexOf(line) + line.length).split("\n").slice(1, -1).join("\n");
}

/** Takes a place in a class. */
async function join(link, name) {
  await web.get(link);
  await (await shown("class-name")).sendKeys(name);
  await locate("class-join").click();
  await shown("prompt-ready");
  await prompted();
}

/** Serves a class. The server is killed and started again by `restart`. */
async function serveClass() {
  const state = await mkdtemp(path.join(tmpdir(), "sandbatch-class-"));
  let child;
  let said = "";
  const start = async (listen) => {
    said = "";
    child = spawn(PROGRAM, ["serve", "--class", "hpc1", "--listen", listen, "--web", dist, "--state", state, "--no-qr"], { stdio: ["ignore", "pipe", "inherit"] });
    child.on("error", (error) => { said = String(error); });
    child.stdout.on("data", (bytes) => { said += bytes; });
    await eventually(() => /Participants: +\S+\n/.test(said), "the server prints its links");
  };
  const kill = async () => {
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  };
  await start("127.0.0.1:0");
  const link = (word) => new RegExp(`${word}: +(\\S+)`).exec(said)[1];
  const [teacher, participants] = [link("Teacher"), link("Participants")];
  return {
    teacher, participants,
    restart: async () => { await kill(); await start(new URL(teacher).host); },
    end: async () => { await kill(); await rm(state, { recursive: true, force: true }); },
  };
}

async function untilEnded(job) {
  for (let i = 0; i < 20; i += 1) {
    if (!/\d/.test(await run(`squeue -h -j ${job}`))) return;
    await locate("skip-next").click();
    await eventually(async () => (await web.findElements(By.css('[data-testid="skip-stop"]'))).length === 0, "the skip ends");
  }
  assert.fail(`job ${job} does not end`);
}

let first = "";
const steps = {
  async "chapter 7: a script is saved, submitted, watched and read"() {
    await open(`${page.address}?site=inserm&background=off`);
    await web.executeScript("localStorage.setItem('sandbatch:tour', 'seen')");
    await open(`${page.address}?site=inserm&background=off`);
    await eventually(async () => /#SBATCH --job-name=TestCalcul/.test(await locate("editor").getText()), "the editor shows the script");
    await locate("save").click();
    first = /^Submitted batch job (\d+)/m.exec(await run("sbatch mon_job.slurm"))?.[1];
    assert.match(await run("squeue -u $USER"), /CPU-4 TestCalc/);
    await untilEnded(first);
    assert.match(await run(`sacct -j ${first}`), /TestCalcul +CPU-4 .*COMPLETED +0:0/);
    assert.match(await run(`cat Resultat_${first}.out`), /Job démarré sur le nœud : cpu/);
  },
  async "a script written in the editor is submitted by its button"() {
    const content = await web.findElement(By.css('[data-testid="editor"] .cm-content'));
    await content.click();
    await content.sendKeys(Key.chord(Key.CONTROL, "a"));
    await content.sendKeys(Key.BACK_SPACE);
    for (const line of ["#!/bin/bash", "#SBATCH --partition=CPU-4 --time=5", "#SBATCH --output=mine.txt", "echo $((6 * 7))"]) {
      await content.sendKeys(line, Key.ESCAPE, Key.ENTER);
    }
    await eventually(async () => (await content.getText()).includes("6 * 7"), "the editor shows what was typed");
    const before = (await text()).length;
    await locate("submit").click();
    await eventually(async () => /Submitted batch job \d+/.test((await text()).slice(before)), "the script is submitted");
    await prompted();
    await untilEnded(/Submitted batch job (\d+)/.exec((await text()).slice(before))[1]);
    assert.equal(await run("cat mine.txt"), "42");
  },
  async "text copied in the editor arrives in the terminal"() {
    const content = await web.findElement(By.css('[data-testid="editor"] .cm-content'));
    await content.click();
    await content.sendKeys(Key.chord(Key.CONTROL, "a"));
    await content.sendKeys(Key.chord(Key.CONTROL, "c"));
    await keys().sendKeys("cat > copied.sh", Key.ENTER);
    await keys().sendKeys(Key.chord(Key.CONTROL, Key.SHIFT, "v"));
    await eventually(async () => (await text()).includes("echo $((6 * 7))"), "the pasted line is there");
    await keys().sendKeys(Key.ENTER, Key.chord(Key.CONTROL, "d"));
    await prompted();
    assert.equal(await run("bash copied.sh"), "42");
  },
  async "a reload keeps files and jobs"() {
    // The session is stored every few seconds.
    await web.sleep(6000);
    await web.navigate().refresh();
    await shown("prompt-ready");
    await prompted();
    assert.equal(await run("cat mine.txt"), "42");
    assert.match(await run(`sacct -n -X -j ${first} -o State`), /COMPLETED/);
  },
  async "time goes back and returns"() {
    await run("echo two > late.txt");
    const rail = await shown("time-rail");
    await web.executeScript("arguments[0].focus()", rail);
    for (let i = 0; i < 3; i += 1) await rail.sendKeys(Key.PAGE_UP);
    await shown("travel-now");
    await eventually(async () => !(await text()).includes("late.txt"), "the past is shown");
    await locate("travel-now").click();
    await eventually(async () => (await text()).includes("late.txt"), "the present is back");
  },
  async "a lesson sees what is done"() {
    await open(`${page.address}?lesson=en/01-first-job`);
    const step = await shown("lesson-step");
    assert.ok((await step.getText()).length > 0);
    await run("sinfo > cluster.txt");
    await eventually(async () => (await web.findElements(By.css('[data-testid="lesson-step"][data-state="done"]'))).length > 0, "the first step is done");
  },
  async "a cluster in a page of another origin"() {
    const html = `<!doctype html><html lang="en"><title>A guide</title><script src="${page.address}embed.js"></script>`
      + `<body><sandbatch-cluster site="lab"></sandbatch-cluster>`;
    const guide = await serve(async (request, response) => response.writeHead(200, { "content-type": "text/html" }).end(html));
    try {
      await web.get(guide.address.replace("127.0.0.1", "localhost"));
      const frame = await web.wait(until.elementLocated(By.css("iframe")), PATIENCE, "the embed opens its frame");
      await web.switchTo().frame(frame);
      await shown("prompt-ready");
      await prompted();
      // A frame of another origin takes the focus only from a person.
      await locate("terminal").click();
      assert.match(await run("sinfo"), /PARTITION/);
      await web.switchTo().defaultContent();
    } finally {
      guide.server.close();
    }
  },
  async "a chapter of the book types its blocks into its cluster"() {
    await web.get(`${page.address}book/learn/submit.html`);
    const frame = await web.wait(until.elementLocated(By.css("main iframe")), PATIENCE, "the chapter opens its cluster");
    await web.switchTo().frame(frame);
    await shown("prompt-ready");
    await prompted();
    await web.switchTo().defaultContent();
    for (const label of ["Open in the editor", "Type it"]) {
      const button = await web.wait(until.elementLocated(By.xpath(`//button[normalize-space()='${label}']`)), PATIENCE, `a button ${label}`);
      await web.executeScript("arguments[0].scrollIntoView({ block: 'center' })", button);
      await button.click();
      await web.switchTo().frame(frame);
      const shows = label === "Type it" ? async () => /Submitted batch job 1\b/.test(await text())
        : async () => /#SBATCH --cpus-per-task=2/.test(await locate("editor").getText());
      await eventually(shows, `${label} arrives in the cluster`);
      await web.switchTo().defaultContent();
    }
  },
  async "a participant and a teacher have one cluster, also after the server was killed"() {
    const server = await serveClass();
    try {
      await join(server.participants, "ada");
      const job = /^Submitted batch job (\d+)/m.exec(await run("sbatch -J mine --wrap 'sleep 3000'"))[1];
      // In the same tab, where only the fragment changes: WebKit's driver stops drawing a tab behind another.
      await join(server.teacher, "teacher");
      assert.match(await run("squeue -h -o '%i %u %j'"), new RegExp(`^${job} ada mine`, "m"));
      assert.equal(await run(`scancel ${job}`), "");
      await web.get("about:blank");
      await web.get(server.participants);
      await shown("prompt-ready");
      await prompted();
      await server.restart();
      await eventually(async () => await locate("class-line").getText() === "", "the tab is connected again");
      assert.equal(await run("squeue -h"), "");
      // The browser kept the seat.
      assert.equal(await run("whoami"), "ada");
    } finally {
      await server.end();
    }
  },
  async "a second visit works offline"() {
    // A server of its own, which goes away.
    const lost = await serve(files);
    await open(`${lost.address}?site=lab`);
    assert.equal(await web.executeScript("return navigator.serviceWorker.ready.then(() => true)"), true);
    await open(`${lost.address}?site=lab`);
    await run("hostname");
    lost.server.closeAllConnections();
    await new Promise((resolve) => lost.server.close(resolve));
    await open(`${lost.address}?site=lab`);
    assert.notEqual(await run("sinfo"), "");
  },
};

const chosen = Object.entries(steps).filter(([name]) => name.includes(words));
let failed = 0;
try {
  await web.manage().window().setRect({ width: 1440, height: 900 }).catch(() => {});
  await web.manage().setTimeouts({ script: PATIENCE, pageLoad: PATIENCE });
  for (const [name, step] of chosen) {
    const began = Date.now();
    try {
      await step();
      console.log(`  ok  ${name} (${Date.now() - began} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name}: ${error.stack}`);
      if (process.env.SHOTS) await import("node:fs").then(async (fs) => fs.writeFileSync(`${process.env.SHOTS}/${browser}-${failed}.png`, await web.takeScreenshot(), "base64"));
    }
  }
} finally {
  await web.quit().catch(() => {});
  helper?.kill();
  page.server.close();
}
console.log(`${browser}: ${chosen.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
