// A lesson in a class: chosen by the teacher, done by two participants.
import { readFileSync } from "node:fs";
import { violations } from "./axe";
import { openBoard, visitor, withClass } from "./class-server";
import { expect, test } from "./test";

test("a class does a lesson, and the teacher sees who is where", async ({ browser }) => {
  test.setTimeout(400_000);
  await withClass([], async (server) => {
    const teacher = await visitor(browser, server.teacher, "teacher");
    const ada = await visitor(browser, server.participants, "ada");
    await openBoard(teacher);
    // Only lessons for the class's site are offered.
    const offered = teacher.get("class-lesson").locator("option");
    await expect(offered.filter({ hasText: "Your first job" })).toHaveCount(1);
    await expect(offered.filter({ hasText: "Keep the GPUs busy" })).toHaveCount(0);
    await teacher.get("class-lesson").selectOption("en/01-first-job");

    // The lesson names the participant. Nothing in it leads out of the class.
    const steps = (of: typeof ada) => of.page.getByTestId("lesson-step");
    await expect(ada.get("learn")).toBeVisible();
    await expect(steps(ada).first()).toHaveAttribute("data-state", "now");
    await expect(ada.get("learn")).not.toContainText("alice");
    for (const away of ["lesson-leave", "lesson-again", "lesson-from", "lesson-skip", "results-save"]) {
      await expect(ada.page.getByTestId(away)).toHaveCount(0);
    }
    const rows = teacher.get("class-people").locator("tbody tr");
    const step = (name: string) => rows.filter({ hasText: name }).getByTestId("class-step");
    await expect(step("ada")).toContainText("1 of 4");
    await ada.run("sbatch --nonsense");
    await expect(step("ada")).toContainText("failed commands: 1");

    // Another participant comes later, and the steps of the two are their own.
    const ben = await visitor(browser, server.participants, "ben");
    await expect(steps(ben).first()).toHaveAttribute("data-state", "now");
    await ada.run("sinfo > cluster.txt");
    await expect(steps(ada).first()).toHaveAttribute("data-state", "done");
    await expect(step("ada")).toContainText("2 of 4");
    await expect(steps(ben).first()).toHaveAttribute("data-state", "now");
    await expect(step("ben")).toContainText("1 of 4");
    const [file] = await Promise.all([teacher.page.waitForEvent("download"), teacher.get("class-csv").click()]);
    const csv = readFileSync(await file.path(), "utf8");
    expect(csv).toMatch(/^participant,.*,steps_done,steps,points,seconds_on_step,failures_on_step\n/);
    expect(csv).toMatch(/\nben,.*,0,4,0,\d+,0\n$/);
    const [page] = await Promise.all([teacher.page.waitForEvent("download"), teacher.get("class-results").click()]);
    expect(page.suggestedFilename()).toBe("class.html");
    const results = await teacher.page.context().newPage();
    await results.setContent(readFileSync(await page.path(), "utf8"));
    await expect(results.locator("h1")).toHaveText("Results of the class hpc1");
    await expect(results.locator("thead th")).toHaveCount(13);
    await expect(results.locator("tbody th")).toHaveText(["ada", "ben"]);
    await results.close();
    expect(await violations(teacher.page, "dialog")).toEqual([]);

    // A reload finds the same steps.
    await ada.reload();
    await expect(steps(ada).first()).toHaveAttribute("data-state", "done");
    // The end of the lesson closes it for all.
    await teacher.get("class-lesson").selectOption("");
    await expect(steps(ada)).toHaveCount(0);
    await expect(teacher.page.getByTestId("class-step")).toHaveCount(0);
    expect(ada.errors).toEqual([]);
  });
});
