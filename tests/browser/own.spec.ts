// The user's own jobs in the queue: found at once, with their progress and their expected start.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("the user's own jobs are above everyone's, the newest first", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=busy");
  await cluster.get("pause").click();
  await expect.poll(() => page.getByTestId("queue-row").count()).toBeGreaterThan(3);
  await expect(page.getByTestId("own-jobs")).toHaveCount(0);
  const own = page.getByTestId("own-row");
  const jobs: number[] = [];
  for (let i = 0; i < 3; i += 1) jobs.push(await cluster.submit("sbatch -p debug -t 10 -J mine --wrap 'sleep 500'"));
  await expect(own).toHaveCount(3);
  await expect(own.locator(".c-id")).toHaveText(jobs.toReversed().map(String));
  await expect(own.first()).toBeInViewport();
  // Other filters don't hide them.
  await cluster.get("queue-find").fill("nosuchjob");
  await expect(page.getByTestId("queue-row")).toHaveCount(0);
  await expect(own).toHaveCount(3);
  await cluster.get("queue-find").fill("");
  const held = await cluster.submit("sbatch -H -t 3:00:00 --wrap true");
  await expect(own.first().locator(".c-id")).toHaveText(String(held));
  await expect(own.first()).toHaveClass(/fresh/);
  await expect(own.first().locator(".c-state")).toHaveText("Held");
  await expect(own.first()).not.toHaveClass(/fresh/);
  const array = await cluster.submit("sbatch -H --array=1-5 --wrap true");
  // Four rows, the rest on demand.
  await expect(own).toHaveCount(4);
  await expect(own.first()).toContainText(`${array}_[…]`);
  expect(await violations(page, "[data-testid=queue]")).toEqual([]);
  await cluster.get("own-all").click();
  await expect(page.getByTestId("own-jobs")).toHaveCount(0);
  await expect(cluster.get("queue-mine")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => page.getByTestId("queue-row").count()).toBeGreaterThanOrEqual(5);
  // They are those of the current user.
  await cluster.get("queue-mine").click();
  await expect(own).toHaveCount(4);
  await cluster.become("root");
  await expect(page.getByTestId("own-jobs")).toHaveCount(0);
  expect(cluster.errors).toEqual([]);
});

test("a job's row says how far it is, and when it is expected to start", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await page.getByTestId("steps").getByRole("button", { name: "Hide" }).click();
  await cluster.get("pause").click();
  const runs = await cluster.submit("sbatch -p CPU-4 -N4 --exclusive -t 20 --wrap 'sleep 3000'");
  const waits = await cluster.submit("sbatch -p CPU-4 -N4 --exclusive -t 2:00:00 --wrap 'sleep 60'");
  await cluster.skipUntil("start");
  await cluster.skipTo("2026-03-02T09:10");
  const own = (job: number) => page.getByTestId("own-row").filter({ has: page.locator(".c-id", { hasText: new RegExp(`^${job}$`) }) });
  await expect(own(runs).locator(".c-state")).toHaveText("Running");
  await expect(own(runs).locator(".c-time")).toHaveText(/^\d+:\d\d \/ 20 min$/);
  // About half of its time is over, and the bar shows it.
  const share = () =>
    own(runs)
      .locator(".c-time")
      .evaluate((cell) => cell.querySelector(".progress")!.getBoundingClientRect().width / cell.getBoundingClientRect().width);
  await expect.poll(share).toBeGreaterThan(0.3);
  expect(await share()).toBeLessThan(0.6);
  await expect(own(waits).locator(".c-state")).toHaveText("Pending");
  await expect(own(waits).locator(".c-time")).toHaveText("0:00 / 2 h");
  await expect(own(waits).locator(".c-start")).toHaveText(/^≈ 09:\d\d$/);
  // In the table of all jobs, too, and in French.
  await expect(cluster.row(waits).locator(".c-start")).toHaveText(/^≈ 09:\d\d$/);
  await cluster.choose("language", "fr");
  await expect(own(waits).locator(".c-state")).toHaveText("En attente");
  await cluster.skipTo("2026-03-02T09:19");
  await expect(own(runs).locator(".progress")).toHaveClass(/late/);
  // The other one starts when this one has ended at its limit.
  await cluster.skipUntil("start");
  await expect(own(runs).locator(".c-state")).toHaveText("Hors délai");
  await expect(own(waits).locator(".c-state")).toHaveText("En cours");
  expect(cluster.errors).toEqual([]);
});
