// Lessons: what a learner does, and what a malicious file may try.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

const FIRST = "?lesson=en/01-first-job";

test("a lesson detects completed steps, and a reload remembers them", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("tab-learn").click();
  const course = page.getByTestId("course").getByRole("link");
  await expect(course.nth(13), "at least fourteen").toBeVisible();
  await course.filter({ hasText: "Your first job" }).click();
  await cluster.ready();
  await expect(page).toHaveURL(/lesson=en%2F01-first-job|lesson=en\/01-first-job/);
  await expect(cluster.get("site")).toHaveText("lab");
  const steps = page.getByTestId("lesson-step");
  await expect(steps.first()).toHaveAttribute("data-state", "now");
  await cluster.run("sinfo");
  await cluster.run("sinfo > cluster.txt");
  await expect(steps.first()).toHaveAttribute("data-state", "done");
  await expect(cluster.get("lesson-progress")).toHaveText("1 of 4 steps");
  await cluster.run("sbatch first.sh");
  await expect(steps.nth(1)).toHaveAttribute("data-state", "done");
  await page.waitForTimeout(6_000);
  await cluster.reload();
  await expect(cluster.get("lesson-progress")).toHaveText("2 of 4 steps");
  // The list is beside the lesson, which stays open.
  await cluster.get("lesson-leave").click();
  await expect(page.getByTestId("course").locator("li").first()).toContainText("2 of 4 steps");
  await cluster.get("lesson-back").click();
  await expect(cluster.get("lesson-progress")).toHaveText("2 of 4 steps");
  await cluster.get("lesson-leave").click();
  await cluster.get("lesson-own").click();
  await page.waitForURL((url) => !url.search.includes("lesson"));
  await cluster.ready();
  await cluster.get("tab-learn").click();
  await expect(page.getByTestId("course").locator("li").first()).toContainText("2 of 4 steps");
  expect(cluster.errors).toEqual([]);
});

test("the course has groups, numbers and levels", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await page.evaluate(() => {
    localStorage.setItem("sandbatch:passed:en/01-first-job", "4/4");
    localStorage.setItem("sandbatch:passed:en/02-reading-the-queue", "1/3");
  });
  await cluster.get("tab-learn").click();
  const course = cluster.get("course");
  await expect(course.getByRole("heading")).toHaveText([/^First steps1 \/ 4$/, /^Many jobs0/, /^On the nodes/, /^Sharing/, /^Nodes and/, /^Puzzles0 \/ 6$/, /^In a class0 \/ 1$/, /^Run a cluster0 \/ 1$/]);
  await expect(course.locator("li").nth(4)).toContainText("5One script, a dozen files");
  await expect(course.locator("li").nth(20)).toContainText("expert");
  await expect(cluster.get("learn")).toContainText("1 of 23 lessons done");
  await cluster.get("lesson-continue").click();
  await expect(cluster.get("lesson-position")).toHaveText("First steps · lesson 2 of 23");
});

test("the solution button types every line to the end", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  // A wait of 70 s in the third step.
  const cluster = new Cluster(page);
  await cluster.open(FIRST);
  const steps = page.getByTestId("lesson-step");
  for (const at of [0, 1, 2, 3]) {
    const step = steps.nth(at);
    await expect(step).toHaveAttribute("data-state", "now");
    await step.getByText("Solution", { exact: true }).click();
    await step.getByTestId("lesson-solve").click();
    if (at === 2) await page.keyboard.press("e");
    await expect(step).toHaveAttribute("data-state", "done", { timeout: 90_000 });
  }
  await expect(cluster.get("lesson-done")).toBeInViewport();
  // The card names the lesson, and can be shown around as a picture.
  const card = cluster.get("lesson-card");
  await expect(card.getByRole("heading")).toHaveText("Your first job");
  await expect(card).toContainText("Steps done: 4");
  await cluster.get("lesson-card-copy").click();
  await expect(cluster.get("toast")).toHaveText(/^Picture copied\./);
  expect(await page.evaluate(async () => (await navigator.clipboard.read()).map((item) => item.types))).toEqual([["image/png"]]);
  // The end leads to the next lesson.
  await expect(cluster.get("lesson-next")).toHaveText("Next: Why is my job pending?");
  await cluster.get("lesson-next").click();
  await expect(page).toHaveURL(/02-reading-the-queue/);
  await expect(cluster.get("lesson-position")).toHaveText("First steps · lesson 2 of 23");
});

test("a solution never goes to a running program: it waits for the prompt and says so", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open(FIRST);
  const step = page.getByTestId("lesson-step").first();
  await cluster.type("cat > taken.txt");
  await cluster.press("Enter");
  await step.getByText("Solution", { exact: true }).click();
  await step.getByTestId("lesson-solve").click();
  const note = cluster.get("waiting-line");
  await expect(note).toHaveText(/A program is running\. Typed at the next prompt:sinfoand 1 moreDon’t type/);
  // Pressed again, it does not wait twice.
  await step.getByTestId("lesson-solve").click();
  await expect(note).toContainText("and 1 more");
  // Dropped, it is not typed.
  await cluster.get("waiting-drop").click();
  await expect(note).toHaveCount(0);
  await step.getByTestId("lesson-solve").click();
  await expect(note).toBeVisible();
  await page.waitForTimeout(2_500);
  expect(await cluster.text()).not.toContain("cluster.txt");
  // Another user's prompt does not get it.
  await cluster.become("bob");
  await cluster.ready();
  await expect(note).toContainText("Typed at the next prompt of alice:");
  expect(await cluster.text()).not.toContain("cluster.txt");
  await cluster.become("alice");
  await cluster.press("Control+c");
  await expect(step).toHaveAttribute("data-state", "done");
  await expect(note).toHaveCount(0);
  await cluster.prompted();
  expect(await cluster.run("cat taken.txt")).toBe("");
  expect((await cluster.text()).split("sinfo > cluster.txt")).toHaveLength(2);
  expect(cluster.errors).toEqual([]);
});

test("a step that waits offers to skip the wait", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open(FIRST);
  await cluster.run("sinfo > cluster.txt");
  await cluster.run("sbatch first.sh");
  const step = page.getByTestId("lesson-step").nth(2);
  await expect(step).toHaveAttribute("data-state", "now");
  await expect(page.getByTestId("lesson-skip")).toHaveCount(1);
  await expect(step.getByTestId("lesson-skip")).toHaveText("Skip 1 min 10 s");
  await step.getByTestId("lesson-skip").click();
  await expect(step).toHaveAttribute("data-state", "done");
  await expect(page.getByTestId("lesson-skip")).toHaveCount(0);
  expect(cluster.errors).toEqual([]);
});

test("a lesson in French, accessible to screen readers", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?lesson=fr/01-premiere-tache");
  await expect(cluster.get("learn")).toContainText("Faire le tour");
  expect(await violations(page, "[data-testid=learn]")).toEqual([]);
  await cluster.get("lesson-leave").click();
  await expect(cluster.get("course").locator("li").first()).toBeVisible();
  expect(await violations(page, "[data-testid=learn]")).toEqual([]);
});

const HOSTILE = `---
title: <img src=x onerror="window.hit = 1">
site: lab
---
<script>window.hit = 1</script> [a](javascript:window.hit=1) ![b](data:text/html,x)

## <b>One</b>

<iframe src="https://example.org"></iframe>

\`\`\`check
a job: name = never
\`\`\`
\`\`\`solution
true
\`\`\`
`;

test("a file with markup is text, a broken one says where", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("tab-learn").click();
  const choose = async (text: string) => {
    const file = { name: "mine.md", mimeType: "text/markdown", buffer: Buffer.from(text) };
    // The second file has the address of the first.
    const loaded = page.waitForEvent("load");
    await cluster.get("lesson-file").setInputFiles(file);
    await loaded;
    expect(page.url()).toContain("lesson=file");
    await cluster.ready();
  };
  await choose(HOSTILE);
  await expect(cluster.get("learn")).toContainText("<script>window.hit = 1</script>");
  await expect(cluster.get("learn")).toContainText("<b>One</b>");
  expect(await page.getByTestId("learn").locator("script, iframe, img, a").count()).toBe(0);
  expect(await page.evaluate(() => (window as unknown as { hit?: number }).hit)).toBeUndefined();
  await cluster.get("lesson-leave").click();
  await choose(HOSTILE.replace("name = never", "nome = never"));
  await expect(cluster.get("learn")).toContainText("file:12: error: there is no `nome` here");
  expect(await page.getByTestId("lesson-step").count()).toBe(0);
});

test("a missing lesson is reported, and the cluster still loads", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("?lesson=en/99-nothing");
  await expect(page.getByText("The lesson could not be loaded")).toBeVisible();
  await cluster.run("sinfo");
});
