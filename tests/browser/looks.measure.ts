// Takes pictures of every panel and overlay on five sites, in both themes, both languages and seven sizes into target/looks/, for
// inspection after a change of style. Reports clipped content (text that does not fit and cannot scroll, elements outside the
// window, pages wider than the window) and controls of a bar that overlap. LOOKS_SITES=lab,large, LOOKS_SCENES=waits,finder,
// LOOKS_SIZES=844x390, LOOKS_THEMES=dark and LOOKS_LANGUAGES=fr restrict the sites, scenes, sizes, themes and languages.
import { readFileSync } from "node:fs";
import { type Page, test } from "@playwright/test";
import { Cluster, openLarge } from "./cluster";

const chosen = (name: string, usual: string) => (process.env[name] ?? usual).split(",");
/** Windows from the widest, a phone in portrait and landscape, and a window at 200% zoom. */
const SIZES = chosen("LOOKS_SIZES", "2560x1440,1440x900,1024x768,390x844,320x640,844x390,720x450").map((size) => size.split("x").map(Number));
const THEMES = chosen("LOOKS_THEMES", "light,dark") as ("light" | "dark")[];
/** Sites with little and much work of others. `large` is an import of 10,000 nodes. */
const SITES: Record<string, string> = {
  lab: "./?site=lab",
  alliance: "./?site=alliance&background=busy",
  mila: "./?site=mila&background=busy",
  gcp: "./?site=gcp",
  large: "",
};
/** Jobs of all kinds: running, waiting for resources, an array, dependent, held, failing. */
const WORK =
  "sbatch --wrap 'sleep 3000'; sbatch -N4 --exclusive --array=1-20%3 --wrap 'sleep 300'; " +
  "a=$(sbatch --parsable --wrap 'sleep 900'); sbatch -d afterok:$a -J after --wrap true; sbatch -H -J held --wrap true";
/** A job that fails at once, in a partition with an idle node if there is one. */
const FAILS = "p=$(sinfo -h -t idle -o %R | head -1); sbatch ${p:+-p $p} -J wrong --wrap nosuchcommand";
/** Two jobs that each need the whole default partition, so the second one waits on every site. */
const WAITS =
  "n=$(sinfo -h -o '%P %D' | awk '/[*]/ { print $2 }'); sbatch -N $n --exclusive --wrap 'sleep 3000'; " +
  "sbatch -J large -N $n --exclusive --wrap 'sleep 60'";

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
      const first = (await cluster.get("node-tile").first().getAttribute("data-node")) ?? "";
      await cluster.get("cluster-find").fill(first);
      await cluster.get("cluster-find").press("Enter");
      await cluster.get("node-detail").waitFor({ timeout: 5000 });
    },
  },
  { name: "legend", zone: "see", open: press("legend") },
  { name: "columns", zone: "queue", open: press("queue-columns") },
  { name: "export", zone: "queue", open: ({ page }) => page.locator("#open-panel [data-testid=export]").click() },
  {
    name: "filtered",
    zone: "queue",
    open: async (cluster) => {
      await tab(cluster.page, "queue");
      await cluster.get("queue-state").selectOption("running");
      await cluster.get("queue-partition").selectOption({ index: 1 });
      await cluster.get("queue-mine").click();
    },
  },
  {
    name: "span",
    zone: "queue",
    open: async (cluster) => {
      const box = await cluster.get("time-rail").boundingBox({ timeout: 5000 });
      if (!box) return;
      await cluster.page.mouse.move(box.x + box.width * 0.3, box.y + 22);
      await cluster.page.mouse.down();
      await cluster.page.mouse.move(box.x + box.width * 0.5, box.y + 22, { steps: 3 });
      await cluster.page.mouse.up();
      await cluster.get("span-leave").waitFor({ timeout: 5000 });
    },
  },
  { name: "more", zone: "see", open: ({ page }) => page.locator(".settings .menu > summary").click() },
  { name: "sites", zone: "see", open: press("site") },
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
    for (const open of document.querySelectorAll("details[open]")) if (open.closest("nav, header, .cluster, .panels")) open.removeAttribute("open");
  });
  const close = page.getByTestId("inspector-close");
  if ((await close.count()) > 0) await close.first().evaluate((e) => (e as HTMLElement).click());
  for (const id of ["span-leave", "filter-remove"]) {
    for (let i = 0; i < 2; i += 1) {
      const remove = page.getByTestId(id).locator("visible=true").first();
      if ((await remove.count()) > 0) await remove.click();
    }
  }
  const mine = page.getByTestId("queue-mine");
  if ((await mine.count()) > 0 && (await mine.getAttribute("aria-pressed")) === "true") await mine.evaluate((e) => (e as HTMLElement).click());
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
    // Controls in a row: none lies over another.
    const over: string[] = [];
    for (const bar of document.querySelectorAll<HTMLElement>(".bar, .head-bar, .strip, footer, .choice, .filter, .legend")) {
      const parts = [...bar.children].filter((e): e is HTMLElement => e instanceof HTMLElement && seen(e) && !/absolute|fixed/.test(getComputedStyle(e).position));
      const boxes = parts.map((e) => e.getBoundingClientRect());
      boxes.forEach((a, i) =>
        boxes.slice(i + 1).forEach((b, k) => {
          const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
          if (x > 2 && y > 2) over.push(`overlap ${text(parts[i]!)} and ${text(parts[i + 1 + k]!)}`);
        }),
      );
    }
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    return [...new Set([...cut, ...out.map((e) => `outside ${text(e)}`), ...over]), ...(wide > 0 ? [`the page is ${wide} pixels too wide`] : [])];
  });
}

const wanted = process.env.LOOKS_SCENES?.split(",");

/** Opens a site with jobs of all kinds. One has just failed. */
async function opened(page: Page, site: string): Promise<Cluster> {
  const cluster = site === "large" ? await openLarge(page, 10_000) : new Cluster(page);
  if (site !== "large") await cluster.open(SITES[site]);
  await cluster.run(WORK);
  await cluster.choose("pace", "3600");
  await page.waitForTimeout(6000);
  // Failures are shown for five minutes.
  await cluster.choose("pace", "10");
  await cluster.run(FAILS);
  await page.waitForTimeout(3000);
  await cluster.run(WAITS);
  await page.waitForTimeout(1500);
  await cluster.get("pause").click();
  return cluster;
}

for (const site of chosen("LOOKS_SITES", Object.keys(SITES).join())) {
  for (const locale of chosen("LOOKS_LANGUAGES", "en,fr")) {
    test(`looks of ${site}, ${locale}`, async ({ browser }) => {
      test.setTimeout(1_800_000);
      const context = await browser.newContext({ locale, viewport: { width: 1440, height: 900 } });
      const page = await context.newPage();
      const cluster = await opened(page, site);
      const said = new Set<string>();
      for (const [width = 0, height = 0] of SIZES) {
        await page.setViewportSize({ width, height });
        for (const { name, zone, open } of SCENES) {
          if (wanted && !wanted.includes(name)) continue;
          const scene = `${site} ${locale} ${width} ${name}`;
          const bar = cluster.get(`zone-${zone}`);
          if (await bar.isVisible()) await bar.click();
          await open(cluster).catch((error: unknown) => console.log(`${scene}: not seen: ${String(error).split("\n")[0]}`));
          await page.waitForTimeout(500);
          for (const found of (await cuts(page)).filter((found) => !said.has(`${width} ${found}`))) {
            said.add(`${width} ${found}`);
            console.log(`${scene}: ${found}`);
          }
          for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme });
            await page.waitForTimeout(250);
            await page.screenshot({ path: `target/looks/${site}-${locale}-${width}-${colorScheme}-${name}.png` });
          }
          await leave(cluster);
        }
      }
      await context.close();
    });
  }
}
