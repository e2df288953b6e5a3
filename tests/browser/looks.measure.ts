// Every panel in both themes, both languages and three widths, into target/looks/: to be looked at after a change of style.
// Says what is cut: texts that do not fit where nothing scrolls, and pages that are wider than their window.
import { test } from "@playwright/test";
import { Cluster } from "./cluster";

const SIZES = [[1440, 900], [1024, 768], [390, 844]] as const;
const WORK =
  "sbatch --wrap 'sleep 3000'; sbatch -N4 --exclusive --array=1-20%3 --wrap 'sleep 300'; " +
  "a=$(sbatch --parsable --wrap 'sleep 900'); sbatch -d afterok:$a --wrap true; sbatch -H --wrap true";

for (const site of (process.env.LOOKS_SITES ?? "mila,lab").split(",")) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const locale of ["en", "fr"]) {
      test(`looks of ${site}, ${colorScheme}, ${locale}`, async ({ browser }) => {
        test.setTimeout(600_000);
        const context = await browser.newContext({ colorScheme, locale, viewport: { width: 1440, height: 900 } });
        const page = await context.newPage();
        const cluster = new Cluster(page);
        // The lab is seen as it is found: empty.
        await cluster.open(`./?site=${site}&background=${site === "lab" ? "off" : "busy"}`);
        if (site !== "lab") {
          await cluster.run(WORK);
          await cluster.choose("pace", "3600");
          await page.waitForTimeout(8000);
          await cluster.get("pause").click();
        }
        const names = await page.locator("[role=tab][id^=tab-]").evaluateAll((tabs) => tabs.map((tab) => tab.id.slice(4)));
        for (const [width, height] of SIZES) {
          await page.setViewportSize({ width, height });
          const zone = cluster.get("zone-queue");
          if (await zone.isVisible()) await zone.click();
          for (const name of names) {
            await page.locator(`#tab-${name}`).evaluate((tab) => (tab as HTMLElement).click());
            await page.waitForTimeout(900);
            const cut = await page.evaluate(() => {
              const fits = (e: HTMLElement) => {
                const style = getComputedStyle(e);
                const hides = style.overflowX !== "visible" && !/auto|scroll/.test(style.overflowX) && style.display !== "inline";
                return !hides || e.clientWidth <= 1 || e.scrollWidth <= e.clientWidth + 1;
              };
              const all = [...document.querySelectorAll<HTMLElement>("button, select, h2, h3, label, span, td, p, code, summary")];
              const found = all.filter((e) => e.offsetParent !== null && !fits(e)).map((e) => (e.textContent ?? "").trim().slice(0, 40));
              const wide = document.documentElement.scrollWidth - window.innerWidth;
              return [...new Set(found), ...(wide > 0 ? [`the page is ${wide} pixels too wide`] : [])];
            });
            if (cut.length > 0) console.log(`${site} ${colorScheme} ${locale} ${width} ${name}: ${cut.join(" | ")}`);
            await page.screenshot({ path: `target/looks/${site}-${colorScheme}-${locale}-${width}-${name}.png` });
          }
        }
        await context.close();
      });
    }
  }
}
