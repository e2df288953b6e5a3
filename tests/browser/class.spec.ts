// Two participants and a teacher share one cluster, served by `sandbatch serve`.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { violations } from "./axe";
import { ClassServer, visitor } from "./class-server";
import { expect, test } from "./test";

test("two participants and a teacher have one cluster, also after the server was killed", async ({ browser }) => {
  test.setTimeout(400_000);
  const state = mkdtempSync(join(tmpdir(), "sandbatch-class-"));
  const server = new ClassServer(state);
  await server.start();
  try {
    const teacher = await visitor(browser, server.teacher, "teacher");
    // A teacher needs no guide to a first job.
    await expect(teacher.page.getByTestId("steps")).toHaveCount(0);
    const ada = await visitor(browser, server.participants, "ada");
    const ben = await visitor(browser, server.participants, "ben");

    expect(await ada.run("whoami")).toBe("ada");
    const job = await ada.submit("sbatch -J mine --wrap 'sleep 3000'");
    await expect.poll(() => ben.run("squeue -h -o '%i %u %j'")).toContain(`${job} ada mine`);
    expect(await ben.run(`scancel ${job}`)).toContain("Access/permission denied");
    expect(await teacher.run(`scancel ${job}`)).toBe("");
    await expect.poll(() => ada.run("squeue -h")).toBe("");

    // The mark is a line of its own below the time line.
    const [mark, line] = [await teacher.get("class-mark").boundingBox(), await teacher.page.locator("footer.travel").boundingBox()];
    expect(line!.y + line!.height).toBeLessThanOrEqual(mark!.y + 1);
    await teacher.get("class-mark").locator("summary").click();
    await expect(teacher.get("class-count")).toContainText("2 of 2");
    await teacher.get("class-board-open").click();
    await expect(teacher.get("class-people")).toContainText("ada");
    await expect(teacher.get("class-people")).toContainText("ben");
    await teacher.page.keyboard.press("Escape");
    await expect(teacher.get("class-people")).toHaveCount(0);
    await teacher.get("class-announce").fill("Five minutes left");
    await teacher.get("class-speak").click();
    await expect.poll(() => ben.text()).toContain("Five minutes left");

    // A name belongs to one seat.
    const context = await browser.newContext();
    const stranger = await context.newPage();
    await stranger.goto(server.participants);
    await stranger.getByTestId("class-name").fill("ada");
    await stranger.getByTestId("class-join").click();
    await expect(stranger.getByTestId("class-refused")).not.toBeEmpty();
    await context.close();

    await server.kill();
    await expect(ada.get("class-line")).not.toBeEmpty();
    await server.start(server.listen());
    await expect(ada.get("class-line")).toBeEmpty();
    await expect(ben.get("class-line")).toBeEmpty();
    const next = await ben.submit("sbatch -J after --wrap 'sleep 3000'");
    await expect.poll(() => ada.run("squeue -h -o '%i %u %j'")).toContain(`${next} ben after`);

    // A reload takes the same seat, without asking.
    await ada.reload();
    expect(await ada.run("whoami")).toBe("ada");
    await expect.poll(() => ada.run("squeue -h -o '%i %u %j'")).toContain(`${next} ben after`);
    await expect(ben.page.getByText("differs")).toHaveCount(0);
  } finally {
    await server.kill();
    rmSync(state, { recursive: true, force: true });
  }
});

test("the dashboard shows hands, jobs, failures and the class link", async ({ browser }) => {
  test.setTimeout(400_000);
  const state = mkdtempSync(join(tmpdir(), "sandbatch-class-"));
  const server = new ClassServer(state);
  await server.start();
  try {
    const teacher = await visitor(browser, server.teacher, "teacher");
    // A teacher needs no guide to a first job.
    await expect(teacher.page.getByTestId("steps")).toHaveCount(0);
    const ada = await visitor(browser, server.participants, "ada");
    const ben = await visitor(browser, server.participants, "ben");
    await ada.submit("sbatch --wrap 'sleep 3000'");
    for (const mistake of ["sbatch --nonsense", "squeue --nonsense", "sinfo --nonsense"]) {
      await ben.run(mistake);
    }
    await teacher.get("class-mark").locator("summary").click();
    await teacher.get("class-board-open").click();
    const rows = teacher.get("class-people").locator("tbody tr");
    const cells = (name: string) => rows.filter({ hasText: name }).locator("td");
    // Last input, pending, running, failed jobs; failed commands in a row.
    await expect(cells("ada").nth(2)).toHaveText("1");
    await expect(cells("ben").nth(4)).toHaveText("3");
    await expect(rows.first()).toContainText("ben");
    await expect(rows.first()).toContainText("May need help");

    // A hand comes first, and its owner sees when the teacher lowers it.
    await ada.get("class-hand").click();
    await expect(ada.get("class-hand")).toHaveAttribute("aria-pressed", "true");
    await expect(rows.first()).toContainText("ada");
    await expect(teacher.get("class-board-count")).toContainText("Hands up: 1");
    await rows.first().getByTestId("class-lower").click();
    await expect(ada.get("class-hand")).toHaveAttribute("aria-pressed", "false");

    await teacher.get("class-invite").click();
    await expect(teacher.get("class-invite-link")).toHaveValue(server.participants);
    await expect(teacher.get("link-code")).toBeVisible();
    const [file] = await Promise.all([teacher.page.waitForEvent("download"), teacher.get("class-csv").click()]);
    expect(file.suggestedFilename()).toBe("class.csv");
    expect(readFileSync(await file.path(), "utf8")).toMatch(/^participant,.*\nada,1,0,0,0,1,0,1\nben,0,0,0,0,0,0,3\n$/);
    await teacher.get("class-Drain").click();
    await expect.poll(() => ada.run("sinfo -h -R -o %E")).toBe("class");
    expect(await violations(teacher.page, "dialog")).toEqual([]);

    // Ben's browser forgets its seat. The teacher frees the name, and Ben has the same files again.
    await ben.run("echo kept > file");
    await ben.page.context().close();
    await rows.filter({ hasText: "ben" }).getByTestId("class-free").click();
    const again = await visitor(browser, server.participants, "ben");
    expect(await again.run("cat file")).toBe("kept");
    await expect(cells("ben").first()).not.toHaveText("away");
  } finally {
    await server.kill();
    rmSync(state, { recursive: true, force: true });
  }
});
