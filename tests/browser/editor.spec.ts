// The editor's help: completion of #SBATCH lines, descriptions of options, and fixes with one click or key.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("a directive is completed", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.edit("#!/bin/bash\n");
  await page.keyboard.type("#SBATCH --cpus-per-t");
  const offered = page.locator(".cm-tooltip-autocomplete");
  await expect(offered).toContainText("--cpus-per-task");
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await expect(cluster.get("editor")).toContainText("#SBATCH --cpus-per-task=");
  await page.keyboard.type("2\n#SBATCH --partition=A");
  await expect(offered).toContainText("A100-10");
});

test("the option under the pointer is described", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.edit("#!/bin/bash\n#SBATCH --time=10\n");
  const line = await cluster.get("editor").locator(".cm-line").nth(1).boundingBox();
  if (!line) throw new Error("the line has no place");
  await page.mouse.move(line.x + 100, line.y + 8);
  await expect(page.locator(".cm-help")).toContainText("--time, -t");
});

test("the editor's help follows the page's language immediately", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=inserm&background=off&lang=fr");
  await cluster.edit("#!/bin/bash\n#SBATCH --time=10\n#SBATCH -p 2xH100-96 --gres=gpu:4\n");
  const editor = cluster.get("editor");
  const option = editor.locator(".cm-line").nth(1);
  const rest = async () => {
    const line = await option.boundingBox();
    if (!line) throw new Error("the line has no place");
    await page.mouse.move(line.x + 300, line.y + 60);
    await page.mouse.move(line.x + 100, line.y + 8, { steps: 3 });
  };
  const help = page.locator(".cm-help");
  await rest();
  await expect(help).toContainText("--time, -t <minutes>");
  await expect(help).toContainText("durée maximale\u00a0: 30, 2:00:00, 1-12:00");
  // Completions, lint messages, and CodeMirror's own texts.
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type("#SBATCH --cpus-per-t");
  await expect(page.locator(".cm-completionInfo")).toHaveText("nombre de CPU par processus");
  await expect(page.locator(".cm-tooltip-autocomplete ul")).toHaveAttribute("aria-label", "Propositions");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+f");
  const search = editor.locator(".cm-search");
  await expect(search).toContainText("mot entier");
  expect(await search.innerText()).not.toMatch(/\b(next|previous|match case|by word)\b/);
  await page.keyboard.press("Escape");
  const wrong = editor.locator(".cm-lintRange-warning").first();
  await wrong.hover();
  await expect(page.locator(".cm-tooltip .cm-diagnostic")).toContainText("2 au plus");

  await cluster.choose("language", "en");
  await rest();
  await expect(help).toContainText("time limit: 30, 2:00:00, 1-12:00");
  await wrong.hover();
  await expect(page.locator(".cm-tooltip .cm-diagnostic")).toContainText("at most 2");
  await expect(page.locator(".cm-diagnosticAction").first()).toContainText("Change to --gres=gpu:2");
  expect(cluster.errors).toEqual([]);
});

test("a wrong option is fixed with one click, too many GPUs with one key", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const script = "#!/bin/bash\n#SBATCH --cpu-per-tasks=2\n#SBATCH -p 2xH100-96\n#SBATCH --gres=gpu:4\necho never\n";
  await cluster.edit(script);
  const editor = cluster.get("editor");
  await editor.locator(".cm-lintRange-error").first().hover();
  const fix = page.locator(".cm-diagnosticAction").first();
  await expect(fix).toContainText("Change to --cpus-per-task=2");
  expect(await violations(page, ".zone.editor")).toEqual([]);
  await fix.click();
  await expect(editor).toContainText("#SBATCH --cpus-per-task=2");
  await editor.locator(".cm-line").nth(3).click();
  await expect(editor.locator(".cm-lintRange-warning").first()).toBeVisible();
  await page.keyboard.press("ControlOrMeta+.");
  await expect(editor).toContainText("#SBATCH --gres=gpu:2");
  await expect(editor.locator(".cm-lintRange-error, .cm-lintRange-warning")).toHaveCount(0);
});

test("a script without its first line gets one, and keeps the rest", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.edit("#SBATCH -p CPU-4\necho hello\n");
  const editor = cluster.get("editor");
  await expect(editor.locator(".cm-lintRange-error").first()).toBeVisible();
  await editor.locator(".cm-line").first().click();
  await page.keyboard.press("ControlOrMeta+.");
  await expect(editor.locator(".cm-line").first()).toHaveText("#!/bin/bash");
  await expect(editor.locator(".cm-line").nth(1)).toHaveText("#SBATCH -p CPU-4");
});

test("after a change of user, a script is submitted by the user whose file it is", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await expect(cluster.get("editor")).toContainText("#SBATCH --job-name=TestCalcul");
  await cluster.become("bob");
  await cluster.ready();
  await cluster.get("submit").click();
  await expect(cluster.get("user-picker")).toHaveText("alice");
  await expect.poll(() => cluster.text()).toMatch(/sbatch ~\/mon_job\.slurm\nSubmitted batch job 1/);
  await cluster.prompted();
  expect(await cluster.run("squeue -h -o %u")).toBe("alice");
  expect(cluster.errors).toEqual([]);
});
