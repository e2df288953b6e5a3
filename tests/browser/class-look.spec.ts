// A teacher looks at terminals and types in one; its owner sees both.
import { violations } from "./axe";
import { openBoard, visitor, withClass } from "./class-server";
import { expect, test } from "./test";

test("the teacher looks at a terminal, and types in it while the hand is up", async ({ browser }) => {
  test.setTimeout(400_000);
  await withClass([], async (server) => {
    const teacher = await visitor(browser, server.teacher, "teacher");
    const ada = await visitor(browser, server.participants, "ada");
    const ben = await visitor(browser, server.participants, "ben");
    await ada.run("echo first words");
    await openBoard(teacher);
    await teacher.get("class-people").locator("tbody tr").filter({ hasText: "ada" }).getByTestId("class-look").click();
    await expect(teacher.get("class-screen")).toContainText("first words");
    await expect(ada.get("class-watched")).toContainText("teacher");
    await expect(ben.get("class-watched")).toBeEmpty();
    await expect(teacher.get("class-uninvited")).toBeVisible();
    await expect(teacher.page.getByTestId("class-type")).toHaveCount(0);

    await ada.get("class-hand").click();
    await expect(ada.get("class-watched")).toContainText("can type");
    await teacher.get("class-type").fill("whoami > who; cat who");
    await teacher.page.keyboard.press("Enter");
    await expect.poll(() => ada.text()).toContain("whoami > who; cat who\nada\n");
    await expect(teacher.get("class-screen")).toContainText("whoami > who; cat who");
    // The participant types on.
    expect(await ada.run("cat who")).toBe("ada");
    await ada.get("class-hand").click();
    await expect(teacher.get("class-uninvited")).toBeVisible();
    expect(await violations(teacher.page, "dialog:modal")).toEqual([]);

    // All of them, live. A full-screen program is drawn as it stands.
    await teacher.get("class-to-wall").click();
    await expect(ben.get("class-watched")).toContainText("teacher");
    const small = (seat: number) => teacher.get(`class-small-${seat}`);
    await expect(small(2)).toContainText("ada");
    await ben.type("nano letter");
    await ben.press("Enter");
    await expect(small(3)).toContainText("New File");
    await small(3).click();
    await expect(teacher.get("class-looked-at")).toHaveText("ben");
    await expect(ada.get("class-watched")).toBeEmpty();
    await teacher.get("class-look-close").click();
    await expect(ben.get("class-watched")).toBeEmpty();
    expect([...ada.errors, ...ben.errors]).toEqual([]);
  });
});
