// Takes the pictures in docs/images/: a busy cluster, the user's job, and why it is pending; the timeline; a phone; fair share
// in French. The clock is paused while commands are typed, so that the pictures are reproducible.
import { type Locator, test } from "@playwright/test";
import { Cluster } from "./cluster";

/** Selects a job in the queue, and waits for the suggested changes. */
async function choose(cluster: Cluster, name: string): Promise<void> {
  await cluster.get("tab-queue").evaluate((tab) => (tab as HTMLElement).click());
  await cluster.get("queue-mine").click();
  await cluster.page.getByTestId("queue-row").filter({ hasText: name }).first().click();
  await cluster.get("why-change").or(cluster.get("why-tried")).first().waitFor();
  await cluster.page.waitForTimeout(4000);
  // All users' jobs again, newest first.
  await cluster.get("queue-mine").click();
  for (let times = 0; times < 2; times += 1) await press(cluster.get("sort-id"));
}

const press = (place: Locator) => place.evaluate((element) => (element as HTMLElement).click());

const OWN = [
  "sbatch -p debug first.sh",
  "sbatch -p gpu -J train --gres=gpu:4 -c 8 --mem=32G -t 4:00:00 --wrap 'srun python3 train.py'",
];

interface Shot {
  name: string;
  site: string;
  size: [number, number];
  colorScheme?: "dark";
  locale?: string;
  work: string[];
  look: (cluster: Cluster) => Promise<unknown>;
}

const SHOTS: Shot[] = [
  { name: "sandbatch", site: "lab", size: [1440, 900], work: OWN, look: (cluster) => choose(cluster, "train") },
  {
    name: "sandbatch-dark",
    site: "mila",
    size: [1440, 900],
    colorScheme: "dark",
    work: ["sbatch -p main --gres=gpu:2 -c 4 --mem=16G -t 3:00:00 -J finetune --wrap 'srun python3 my_script.py'"],
    look: async (cluster) => {
      await press(cluster.get("tab-timeline"));
      if (await cluster.page.getByTestId("inspector-close").isVisible()) await cluster.get("inspector-close").click();
    },
  },
  {
    name: "sandbatch-narrow",
    site: "lab",
    size: [390, 844],
    work: OWN,
    look: async (cluster) => {
      await cluster.get("zone-queue").click();
      await choose(cluster, "train");
    },
  },
  {
    name: "sandbatch-fr",
    site: "alliance",
    size: [1440, 900],
    locale: "fr",
    work: ["sshare -o Account%18,User,RawShares,RawUsage,LevelFS,FairShare"],
    look: async (cluster) => {
      await press(cluster.get("tab-shares"));
      for (const user of ["prof2", "prof6"]) await press(cluster.page.getByTestId("share-rank").filter({ hasText: user }).first());
    },
  },
];

for (const { name, site, size, colorScheme, locale, work, look } of SHOTS) {
  test(name, async ({ browser }) => {
    const [width, height] = size;
    const context = await browser.newContext({ colorScheme, locale, viewport: { width, height }, deviceScaleFactor: 1 });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await page.addInitScript(() => localStorage.setItem("sandbatch:steps", "hidden"));
    await cluster.open(`./?site=${site}&background=normal`);
    await cluster.get("pause").click();
    await cluster.skipTo("2026-03-02T14:06");
    for (const line of work) await cluster.run(line);
    await cluster.skipTo("2026-03-02T14:07");
    await look(cluster);
    await page.mouse.move(0, 0);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `docs/images/${name}.png` });
    await context.close();
  });
}
