// The timeline: go back to an earlier moment, look without changing anything, start a new branch there, and return.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("dragging back shows that moment; typing there starts a new branch", async ({ page, context }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo one > story.txt");
  await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 30'");
  await cluster.skipUntil("empty");
  await cluster.run("echo two >> story.txt");

  const rail = cluster.get("time-rail");
  await rail.focus();
  // To the submission: the mark before the present, two steps back past start and end.
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("PageUp");
  await expect(cluster.get("travel-now")).toBeVisible();
  await expect(cluster.get("clock-remark")).not.toBeEmpty();
  await expect.poll(() => cluster.text()).not.toContain("two");
  expect(await violations(page)).toEqual([]);

  // Looking changes nothing, and a partly typed line is kept.
  await cluster.type("squeue --m");
  await rail.focus();
  await page.keyboard.press("PageUp");
  await expect.poll(() => cluster.text()).toMatch(/\$ squeue --m$/);
  await cluster.get("travel-now").click();
  await expect.poll(() => cluster.text()).toMatch(/\$ squeue --m$/);
  await cluster.press("Control+u");
  await expect.poll(() => cluster.text()).toContain("two");
  expect(await cluster.run("cat story.txt")).toBe("one\ntwo");

  // With the pointer on the bar: to the middle of the past.
  const box = (await rail.boundingBox())!;
  await page.mouse.move(box.x + box.width - 10, box.y + box.height - 12);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 32, { steps: 5 });
  // The handle stays where it is released; intermediate frames don't move it.
  const places = rail.evaluate(async (slider) => {
    const seen: number[] = [];
    for (const began = performance.now(); performance.now() - began < 1500; ) {
      await new Promise(requestAnimationFrame);
      seen.push(Number(slider.getAttribute("aria-valuenow")));
    }
    return Math.max(...seen) - Math.min(...seen);
  });
  await page.mouse.up();
  expect(await places).toBeLessThanOrEqual(1);
  await expect(cluster.get("travel-now")).toBeVisible();
  await expect.poll(() => cluster.text()).not.toContain("two");
  // Getting there may take a moment.
  await page.waitForTimeout(500);
  await cluster.prompted();
  expect(await cluster.run("echo other >> story.txt; cat story.txt")).toContain("other");
  await expect(cluster.get("travel-now")).toHaveCount(0);
  await cluster.get("branches").click();
  await expect(cluster.get("branch-2")).toHaveAttribute("aria-pressed", "true");
  await expect(cluster.get("branch-2")).toContainText("echo other");
  expect(await violations(page)).toEqual([]);

  await cluster.get("branch-1").click();
  await expect.poll(() => cluster.text()).toContain("two");
  expect(await cluster.run("cat story.txt")).toBe("one\ntwo");
  await page.waitForTimeout(300);
  await cluster.reload();
  await cluster.get("branches").click();
  await cluster.get("branch-2").click();
  await expect.poll(() => cluster.text()).toContain("other");

  // A second tab says so, and saves nothing.
  const second = await context.newPage();
  const copy = new Cluster(second);
  await copy.open();
  await expect(copy.get("notice")).toContainText("another tab");
  await copy.run("echo third > third.txt");
  await second.waitForTimeout(300);
  await second.close();
  await cluster.reload();
  expect(await cluster.run("ls third.txt")).toContain("No such file");
  expect(cluster.errors).toEqual([]);
});

test("before its submission a selected job is not submitted yet, and the way back shows it", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("echo before");
  await cluster.skip();
  const job = await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 30'");
  await cluster.row(job).click();
  await expect(cluster.get("job-state")).not.toBeEmpty();
  await expect(page.getByTestId("unsubmitted")).toHaveCount(0);
  const rail = cluster.get("time-rail");
  await rail.focus();
  await page.keyboard.press("Home");
  await expect(cluster.get("unsubmitted")).toContainText("not submitted yet");
  await expect(cluster.get("job-detail")).not.toContainText("sacct");
  await cluster.get("unsubmitted").getByRole("button").click();
  await expect(page.getByTestId("unsubmitted")).toHaveCount(0);
  await expect(cluster.get("job-state")).not.toBeEmpty();
  expect(cluster.errors).toEqual([]);
});

test("the pace has named stops, and one can skip to a moment", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.choose("pace", "600");
  await expect(page.getByRole("radio", { name: "600×, 10 min per second" })).toBeChecked();
  await cluster.get("pause").click();
  const before = await cluster.get("clock-time").textContent();
  await cluster.choose("skip-until", "hour");
  await expect(cluster.get("clock-time")).not.toHaveText(before!);
  await cluster.choose("skip-until", "moment");
  await cluster.get("skip-moment").fill("2026-03-05T07:30");
  await cluster.get("skip-go").click();
  await expect(cluster.get("clock-time")).toHaveText("07:30:00");
  // Nothing to wait for: a message says so.
  await cluster.choose("skip-until", "start");
  await expect(cluster.get("toast")).toContainText("None of your jobs is waiting to start.");
});

test("a skip on an idle cluster stays where it is and says so", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("pause").click();
  const before = await cluster.get("clock-time").textContent();
  await cluster.skip();
  await expect(page.getByTestId("toast")).toContainText("Nothing is going to happen");
  await expect(cluster.get("clock-time")).toHaveText(before ?? "");
  await expect(page.locator(".face .day")).toContainText("2 Mar");
  // With a job it goes on.
  await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 600'");
  await cluster.skipUntil("end");
  await expect(cluster.get("clock-time")).toHaveText(/^09:1\d/);
  expect(cluster.errors).toEqual([]);
});
