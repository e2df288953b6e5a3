// The time line as the cluster's history: the load behind it, pins of your own jobs, and the break before what is planned.
import { type Page } from "@playwright/test";
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** What the time line says under the pointer, from left to right. */
async function said(page: Page, cluster: Cluster): Promise<string[]> {
  const rail = cluster.get("time-rail");
  const box = (await rail.boundingBox())!;
  const all: string[] = [];
  for (let x = 8; x < box.width - 2; x += 5) {
    await page.mouse.move(box.x + x, box.y + 20);
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    const title = (await rail.getAttribute("title")) ?? "";
    if (title !== all.at(-1)) all.push(title);
  }
  return all;
}

test("the time line says how full the cluster was, and travels there", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const whole = "-p CPU-16 -N 4 --exclusive -t 60 --wrap 'sleep 1800'";
  const first = await cluster.submit(`sbatch ${whole}`);
  await cluster.submit(`sbatch ${whole}`);
  await cluster.untilEnded(first);
  // The nodes are cleaned before the second one starts.
  await cluster.skipUntil("start");
  await expect.poll(() => cluster.run("squeue -h -t R -o %i")).toBe("2");
  await cluster.get("pause").click();
  const [used, , , all] = (await cluster.run("sinfo -h -o %C")).split("/").map(Number) as [number, number, number, number];
  expect(used).toBe(64);
  const full = `${Math.round((used / all) * 100)}% of the cores in use`;
  const past = await said(page, cluster);
  expect(past).toContain(`${full}, pending jobs: 1`);
  expect(past.some((text) => / 1: Started /.test(text)), past.join("\n")).toBe(true);
  expect(past.some((text) => / 1: Ended /.test(text)), past.join("\n")).toBe(true);
  // The second job's end by its time limit lies behind the break.
  expect(past.some((text) => / 2: Ends by /.test(text)), past.join("\n")).toBe(true);
  // The keyboard's moment says the same, and the page shows it.
  const rail = cluster.get("time-rail");
  await rail.focus();
  for (let i = 0; i < 20; i += 1) await page.keyboard.press("ArrowLeft");
  await expect(cluster.get("travel-now")).toBeVisible();
  await expect(rail).toHaveAttribute("aria-valuetext", new RegExp(`ago: ${full}, pending jobs: 1$`));
  expect(await cluster.run("squeue -h -t R -o %i")).toBe("1");
  expect(cluster.errors).toEqual([]);
});

test("a preemption has a pin of its own", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("su");
  await cluster.run(
    "printf '%s\\n' PreemptType=preempt/partition_prio PreemptMode=CANCEL 'PartitionName=low Nodes=cpu4-01 PriorityTier=1' 'PartitionName=high Nodes=cpu4-01 PriorityTier=9 PreemptMode=OFF' | tee -a /etc/slurm/slurm.conf > /dev/null",
  );
  await cluster.run("scontrol reconfigure");
  await cluster.run("exit");
  const job = await cluster.submit("sbatch -p low --exclusive -t 60 --wrap 'sleep 3000'");
  await cluster.skipUntil("start");
  await cluster.run("sbatch -p high --exclusive -t 60 --wrap 'sleep 300'");
  await cluster.untilEnded(job);
  expect((await said(page, cluster)).some((text) => text.includes(` ${job}: preempted `))).toBe(true);
  expect(cluster.errors).toEqual([]);
});

test("a span of the history is selected, shown by the timeline, and left", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 -t 60 --wrap 'sleep 1800'");
  await cluster.untilEnded(job);
  await cluster.get("pause").click();
  const rail = cluster.get("time-rail");
  const box = (await rail.boundingBox())!;
  const [span, address] = [page.getByTestId("span"), () => new URL(page.url()).searchParams.get("timeline") ?? ""];
  await expect(span).toHaveCount(0);
  await page.mouse.move(box.x + box.width * 0.2, box.y + 25);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 25, { steps: 4 });
  await page.mouse.up();
  // Selecting does not travel.
  await expect(page.getByTestId("travel-now")).toHaveCount(0);
  await expect(cluster.get("tab-timeline")).toHaveAttribute("aria-selected", "true");
  await expect(span).toHaveText(/\d\d:\d\d:\d\d – .*\d\d:\d\d:\d\d/);
  await expect(cluster.get("gantt-now")).toHaveAttribute("aria-pressed", "false");
  await expect.poll(address).toMatch(/^from-\d+ until-\d+$/);
  const chosen = address();
  await cluster.reload();
  await expect(span).toHaveCount(1);
  expect(address()).toBe(chosen);
  await cluster.get("span-leave").click();
  await expect(span).toHaveCount(0);
  await expect(cluster.get("gantt-now")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(address).toBe("");

  // By the keyboard; Escape leaves it, and the moment stays the present.
  await rail.focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("Shift+ArrowLeft");
  await expect(span).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(span).toHaveCount(0);
  await expect(page.getByTestId("travel-now")).toHaveCount(0);
  // A window that the timeline moved is a span, too, and Escape there leaves it.
  await cluster.get("gantt-keys").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(span).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(span).toHaveCount(0);
  // A click still travels.
  await page.mouse.click(box.x + box.width * 0.3, box.y + 25);
  await expect(cluster.get("travel-now")).toBeVisible();
  expect(cluster.errors).toEqual([]);
});

test("a span that is selected zooms the charts, until another one is chosen", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=busy");
  await cluster.get("pause").click();
  await cluster.get("tab-charts").click();
  await expect(cluster.get("chart-span")).toHaveValue("21600");
  const label = () => page.locator('[data-testid="charts"] .scroll svg').first().innerHTML();
  const before = await label();
  const box = (await cluster.get("time-rail").boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.2, box.y + 22);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.4, box.y + 22, { steps: 4 });
  await page.mouse.up();
  await expect(cluster.get("span-leave")).toBeVisible();
  await expect(cluster.get("tab-charts")).toHaveAttribute("aria-selected", "true");
  await expect(cluster.get("chart-span")).toHaveValue("");
  await expect.poll(label).not.toBe(before);
  await cluster.get("chart-span").selectOption("21600");
  await expect(page.getByTestId("span-leave")).toHaveCount(0);
  await expect(cluster.get("chart-span")).toHaveValue("21600");
  expect(cluster.errors).toEqual([]);
});
