// A teacher shows a participant's terminal or a job to all, and saves the class as a recording that a page opens without a server.
import { readFileSync } from "node:fs";
import { violations } from "./axe";
import { Cluster, drop } from "./cluster";
import { openBoard, visitor, withClass } from "./class-server";
import { expect, test } from "./test";

test("a job is shown to all while the clock is paused", async ({ browser }) => {
  test.setTimeout(200_000);
  await withClass([], async (server) => {
    const teacher = await visitor(browser, server.teacher, "teacher");
    const ada = await visitor(browser, server.participants, "ada");
    const ben = await visitor(browser, server.participants, "ben");
    const tabs = [teacher, ada, ben];
    const job = await ada.submit("sbatch --job-name=worth -t 20 --wrap 'sleep 1000'");
    await teacher.get("class-mark").locator("summary").click();
    // Nothing is selected: there is nothing to show.
    await expect(teacher.get("class-show-job")).toHaveCount(0);
    await teacher.row(job).click();
    await expect(teacher.get("job-detail")).toContainText("worth");
    // The clock is paused soon: the job must have started by then.
    await expect(teacher.get("job-state")).toContainText(/running/i);
    await expect(ben.get("job-detail").filter({ hasText: "worth" })).toHaveCount(0);
    await expect(teacher.get("class-show-job")).toHaveText(`Show job ${job} to all`);
    await teacher.get("class-show-job").click();
    for (const tab of tabs) {
      await expect(tab.get("class-shown-title")).toHaveText(`teacher shows job ${job}.`);
      await expect(tab.get("class-shown-screen")).toHaveCount(0);
      // Each page draws the job from its own world.
      await expect(tab.get("job-detail")).toContainText("worth");
      await expect(tab.get("job-state")).toContainText(/running/i);
    }
    await expect(ben.get("class-show-end")).toHaveCount(0);
    await ben.type("echo meanwhile");
    await ben.press("Enter");
    await expect(ben.page.getByText("Not sent: echo meanwhile").first()).toBeVisible();
    // A page that is opened meanwhile shows it, too.
    await ada.page.reload();
    await ada.ready();
    await expect(ada.get("class-shown-title")).toHaveText(`teacher shows job ${job}.`);
    await expect(ada.get("job-detail")).toContainText("worth");
    await teacher.get("class-show-end").click();
    for (const tab of tabs) {
      await expect(tab.page.getByTestId("class-shown")).toHaveCount(0);
      // It stays selected, so that people can go on to look at it.
      await expect(tab.get("job-detail")).toContainText("worth");
    }
    expect(await ben.run("echo afterwards")).toBe("afterwards");
    expect(tabs.flatMap((tab) => tab.errors)).toEqual([]);
  });
});

test("a terminal is shown to all while the clock is paused, and the class is recorded", async ({ browser, page }) => {
  test.setTimeout(400_000);
  let recording = "";
  await withClass([], async (server) => {
    const teacher = await visitor(browser, server.teacher, "teacher");
    const ada = await visitor(browser, server.participants, "ada");
    const ben = await visitor(browser, server.participants, "ben");
    await ada.run("echo worth a look");
    await openBoard(teacher);
    const rows = teacher.get("class-people").locator("tbody tr");
    await rows.filter({ hasText: "ada" }).getByTestId("class-look").click();
    await teacher.get("class-show").click();
    for (const tab of [ada, ben, teacher]) {
      await expect(tab.get("class-shown-title")).toHaveText("teacher shows ada’s terminal.");
      await expect(tab.get("class-shown-screen")).toContainText("worth a look");
    }
    await expect(teacher.get("class-shown-mark")).toBeVisible();
    await expect(ben.page.getByTestId("class-show-end")).toHaveCount(0);
    expect(await violations(ben.page, ".class-shown")).toEqual([]);
    // What is typed meanwhile is handed back.
    await ben.type("echo meanwhile");
    await ben.press("Enter");
    await expect(ben.page.getByText("Not sent: echo meanwhile").first()).toBeVisible();
    await teacher.page.keyboard.press("Escape");
    await teacher.get("class-show-end").click();
    await expect(ben.page.getByTestId("class-shown")).toHaveCount(0);
    expect(await ben.run("echo afterwards")).toBe("afterwards");

    await teacher.get("class-board-open").click();
    await teacher.get("class-hide-names").check();
    const [file] = await Promise.all([teacher.page.waitForEvent("download"), teacher.get("class-record").click()]);
    expect(file.suggestedFilename()).toBe("hpc1.sandbatch.txt");
    recording = readFileSync(await file.path(), "utf8");
    expect([...ada.errors, ...ben.errors, ...teacher.errors]).toEqual([]);
  });

  // The server is gone.
  const cluster = new Cluster(page);
  await cluster.open("?site=lab");
  await drop(page, { "hpc1.sandbatch.txt": recording });
  await cluster.ready();
  // Everyone's terminals are there, under their pseudonyms.
  await cluster.become("p2");
  await expect.poll(() => cluster.text()).toContain("worth a look");
  expect(await cluster.run("whoami")).toBe("p2");
  expect(cluster.errors).toEqual([]);
});
