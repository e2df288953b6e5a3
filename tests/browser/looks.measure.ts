// Takes pictures of every panel and overlay in both themes, both languages and six sizes into target/looks/, for inspection
// after a change of style. Reports clipped content: text that does not fit and cannot scroll, elements outside the window, and
// pages wider than the window. LOOKS_SCENES=why,finder, LOOKS_SIZES=844x390 and LOOKS_LANGUAGES=fr restrict the
// scenes, sizes and languages.
import { readFileSync } from "node:fs";
import { type Page, test } from "@playwright/test";
import { Cluster } from "./cluster";

const chosen = (name: string, usual: string) => (process.env[name] ?? usual).split(",");
/** Windows, a phone in portrait and landscape, and a window at 200% zoom. */
const SIZES = chosen("LOOKS_SIZES", "1440x900,1024x768,390x844,320x640,844x390,720x450").map((size) => size.split("x").map(Number));
/** Jobs of all kinds: running, waiting for resources, an array, dependent, held, failing. */
const WORK =
  "sbatch --wrap 'sleep 3000'; sbatch -N4 --exclusive --array=1-20%3 --wrap 'sleep 300'; " +
  "a=$(sbatch --parsable --wrap 'sleep 900'); sbatch -d afterok:$a -J after --wrap true; sbatch -H -J held --wrap true; " +
  "sbatch -J large -N8 --exclusive --wrap 'sleep 60'";

interface Scene {
  name: string;
  /** The zone that shows it on a narrow screen. */
  zone: "write" | "type" | "see" | "queue";
  open: (cluster: Cluster) => Promise<unknown>;
}

/** The names in the page's table of panels. */
const TABLE = readFileSync(new URL("../../src/app/panels/mod.rs", import.meta.url), "utf8");
const PANELS = [...TABLE.matchAll(/^ {8}name: "([a-z]+)",$/gm)].map(([, name]) => name ?? "");

/** Selects a job by its name or state in the queue, including finished jobs. */
const inspect = (text: string) => async (cluster: Cluster) => {
  await tab(cluster.page, "queue");
  await cluster.get("queue-find").fill(text);
  await cluster.page.getByTestId("queue-row").first().click({ timeout: 5000 });
  await cluster.get("job-detail").waitFor({ timeout: 5000 });
  await cluster.page.waitForTimeout(2500);
};

/** Opens the list of a summary or a button. */
const press = (testId: string) => (cluster: Cluster) => cluster.get(testId).evaluate((e) => (e as HTMLElement).click());

const SCENES: Scene[] = [
  { name: "editor", zone: "write", open: async () => {} },
  { name: "terminal", zone: "type", open: async () => {} },
  { name: "cluster", zone: "see", open: async () => {} },
  ...PANELS.map((name): Scene => ({ name, zone: "queue", open: ({ page }) => tab(page, name) })),
  { name: "waits", zone: "queue", open: inspect("large") },
  { name: "runs", zone: "queue", open: inspect("wrap") },
  { name: "failed", zone: "queue", open: inspect("wrong") },
  {
    name: "node",
    zone: "see",
    open: async (cluster) => {
      await cluster.get("cluster-find").fill("cn-");
      await cluster.get("cluster-find").press("Enter");
      await cluster.get("node-detail").waitFor({ timeout: 5000 });
    },
  },
  { name: "legend", zone: "see", open: press("legend") },
  { name: "columns", zone: "queue", open: press("queue-columns") },
  { name: "more", zone: "see", open: ({ page }) => page.locator(".settings .menu > summary").click() },
  { name: "finder", zone: "see", open: ({ page }) => page.keyboard.press("F1") },
  { name: "composer", zone: "write", open: press("compose") },
  { name: "refused", zone: "type", open: (cluster) => cluster.run("sbatch -p nowhere --wrap true") },
];

async function tab(page: Page, name: string): Promise<void> {
  await page.locator(`#tab-${name}`).evaluate((tab) => (tab as HTMLElement).click());
}

/** Closes what a scene has opened. */
async function leave(cluster: Cluster): Promise<void> {
  const { page } = cluster;
  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    for (const open of document.querySelectorAll("details[open]")) if (open.closest("nav, header, .cluster, .queue")) open.removeAttribute("open");
  });
  const close = page.getByTestId("inspector-close");
  if ((await close.count()) > 0) await close.first().evaluate((e) => (e as HTMLElement).click());
  for (const id of ["queue-find", "cluster-find"]) {
    const find = page.getByTestId(id);
    if ((await find.count()) > 0 && (await find.first().isVisible())) await find.first().fill("");
  }
}

/** Finds clipped content. */
function cuts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement("canvas").getContext("2d");
    // The placeholder of an empty field is not content.
    const says = (e: HTMLElement, style: CSSStyleDeclaration) => {
      if (!(e instanceof HTMLInputElement) || e.value !== "" || e.placeholder === "" || !pen) return true;
      pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
      return pen.measureText(e.placeholder).width <= e.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    };
    const fits = (e: HTMLElement) => {
      const style = getComputedStyle(e);
      if (!says(e, style)) return false;
      const hides = style.overflowX !== "visible" && !/auto|scroll/.test(style.overflowX) && style.display !== "inline";
      return !hides || e.clientWidth <= 1 || e.scrollWidth <= e.clientWidth + 1;
    };
    const scrolls = (e: HTMLElement) => {
      for (let up: HTMLElement | null = e; up; up = up.parentElement) if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true;
      return false;
    };
    // Table cells may end with an ellipsis. Their full text is in the title, or a click opens it.
    // The content of a closed list is not rendered.
    const meant = "details:not([open]) > :not(summary) *, details:not([open]) > :not(summary), .hidden, .cm-editor, .xterm, .row:not(.head), .file, .cluster .nodes, [style*=clip]";
    const seen = (e: HTMLElement) => e.offsetParent !== null && e.offsetWidth > 1 && e.closest(meant) === null;
    const text = (e: HTMLElement) => `<${e.tagName.toLowerCase()} ${e.className}> ${(e.textContent || e.getAttribute("placeholder") || "").trim().slice(0, 40)}`;
    const all = [...document.querySelectorAll<HTMLElement>("button, select, input, h2, h3, label, span, td, p, code, summary, dt, dd, b")].filter(seen);
    const cut = all.filter((e) => !fits(e)).map((e) => `cut ${text(e)}`);
    const out = all.filter((e) => {
      const box = e.getBoundingClientRect();
      return !scrolls(e) && (box.right > window.innerWidth + 1 || box.left < -1);
    });
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    return [...new Set([...cut, ...out.map((e) => `outside ${text(e)}`)]), ...(wide > 0 ? [`the page is ${wide} pixels too wide`] : [])];
  });
}

const wanted = process.env.LOOKS_SCENES?.split(",");

for (const locale of chosen("LOOKS_LANGUAGES", "en,fr")) {
  test(`looks, ${locale}`, async ({ browser }) => {
    test.setTimeout(900_000);
    const context = await browser.newContext({ locale, viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open(`./?site=${process.env.LOOKS_SITE ?? "mila"}&background=busy`);
    await cluster.run(WORK);
    await cluster.choose("pace", "3600");
    await page.waitForTimeout(6000);
    // Failures are shown for five minutes.
    await cluster.choose("pace", "10");
    await cluster.run("sbatch -p main -J wrong --wrap nosuchcommand");
    await page.waitForTimeout(3000);
    await cluster.get("pause").click();
    const said = new Set<string>();
    for (const [width = 0, height = 0] of SIZES) {
      await page.setViewportSize({ width, height });
      for (const { name, zone, open } of SCENES) {
        if (wanted && !wanted.includes(name)) continue;
        const bar = cluster.get(`zone-${zone}`);
        if (await bar.isVisible()) await bar.click();
        await open(cluster).catch((error: unknown) => console.log(`${locale} ${width} ${name}: not seen: ${String(error).split("\n")[0]}`));
        await page.waitForTimeout(500);
        for (const found of (await cuts(page)).filter((found) => !said.has(`${width} ${found}`))) {
          said.add(`${width} ${found}`);
          console.log(`${locale} ${width} ${name}: ${found}`);
        }
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await page.waitForTimeout(250);
          await page.screenshot({ path: `target/looks/${locale}-${width}-${colorScheme}-${name}.png` });
        }
        await leave(cluster);
      }
    }
    await context.close();
  });
}
