// The pictures in docs/images/: a cluster with something going on, wide, dark, narrow and in French.
import { test } from "@playwright/test";
import { Cluster } from "./cluster";

const shots = [
  { name: "sandbatch", colorScheme: "light", width: 1440, height: 900, language: "en" },
  { name: "sandbatch-dark", colorScheme: "dark", width: 1440, height: 900, language: "en" },
  { name: "sandbatch-narrow", colorScheme: "light", width: 390, height: 844, language: "en" },
  { name: "sandbatch-fr", colorScheme: "light", width: 1440, height: 900, language: "fr" },
] as const;

for (const { name, colorScheme, width, height, language } of shots) {
  test(name, async ({ browser }) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height }, deviceScaleFactor: 1 });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open();
    if (language !== "en") await cluster.choose("language", language);
    await cluster.submit("sbatch mon_job.slurm");
    await cluster.submit("sbatch -p A100-10 --gres=gpu:1 --array=1-20%12 --job-name=train --wrap 'sleep 3000'");
    await cluster.submit("sbatch -p CPU-16 --cpus-per-task=6 --array=1-9 --job-name=align --wrap 'sleep 2000'");
    await cluster.skip();
    await cluster.run("squeue -u $USER");
    await page.waitForTimeout(800);
    await page.screenshot({ path: `docs/images/${name}.png` });
    await context.close();
  });
}
