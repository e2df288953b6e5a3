// The page answers whatever the engine does.
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** A person notices more than this, in milliseconds. Generous: the tests share two cores with the engine. */
const NOTICED = 600;

test("typing at full speed: every key is there, and nothing stops", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.submit("sbatch -p CPU-16 --array=1-500 --time=20 --wrap 'sleep $((RANDOM % 600 + 60))'");
  await cluster.choose("pace", "3600");
  const line = "echo the quick brown fox jumps over the lazy dog 0123456789";
  let said = "";
  const pause = await cluster.longestPause(async () => {
    said = await cluster.run(line);
  });
  expect(said).toBe(line.slice(5));
  expect(pause).toBeLessThan(NOTICED);
});

test("a clock that is paused stands still, and goes on", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.choose("pace", "600");
  const clock = cluster.get("clock-time");
  const first = await clock.textContent();
  await expect(clock).not.toHaveText(first ?? "");
  await cluster.get("pause").click();
  await page.waitForTimeout(300);
  const paused = await clock.textContent();
  await page.waitForTimeout(1000);
  await expect(clock).toHaveText(paused ?? "");
  expect(await cluster.run("echo commands run in a pause")).toBe("commands run in a pause");
  await cluster.get("pause").click();
  await expect(clock).not.toHaveText(paused ?? "");
});
