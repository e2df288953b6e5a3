// Several terminals: alice, bob and root side by side, each with its own directory.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("alice, bob and root side by side, each in their own directory", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("mkdir -p work && cd work");
  for (const user of ["bob", "root"]) {
    await cluster.get("new-terminal").selectOption(user);
    await expect(cluster.get("user-picker")).toHaveText(user);
    await expect.poll(() => cluster.text()).toContain(`${user}@`);
    await cluster.ready();
    expect(await cluster.run("whoami")).toBe(user);
  }
  expect(await cluster.run("pwd")).toBe("/root");
  const tabs = page.getByTestId("terminal-tab");
  await expect(tabs).toHaveText(["alice", "bob", "root"]);
  await tabs.nth(0).click();
  await cluster.ready();
  expect(await cluster.run("pwd")).toBe("/home/alice/work");

  // Alice's second terminal starts in her home directory; the first one keeps its directory.
  await cluster.get("new-terminal").selectOption("alice");
  await expect(tabs).toHaveText(["alice", "bob", "root", "alice 2"]);
  await cluster.ready();
  expect(await cluster.run("pwd")).toBe("/home/alice");

  await cluster.get("beside").click();
  await expect(page.locator(".pane:visible")).toHaveCount(4);
  await page.locator(".pane").nth(1).locator("textarea").focus();
  await expect(cluster.get("user-picker")).toHaveText("bob");
  expect(await violations(page)).toEqual([]);

  // Closed with its button or with exit, it disappears, and another one comes to the front.
  await page.getByTestId("terminal-close").nth(3).click();
  await expect(tabs).toHaveText(["alice", "bob", "root"]);
  await page.locator(".pane").nth(1).locator("textarea").focus();
  await page.keyboard.type("exit\n");
  await expect(tabs).toHaveText(["alice", "root"]);
  await page.waitForTimeout(300);
  await cluster.reload();
  await expect(tabs).toHaveText(["alice", "root"]);
  expect(cluster.errors).toEqual([]);
});

test("wide characters take two cells, in columns and under the cursor", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("clear");
  // The last characters of all lines are aligned.
  await cluster.run("printf '%s %s\\n' 🚀 q ab q 日本語 q e\u0301 q 🧪🧪 q | column -t");
  const lefts = await page.locator(".pane:visible .xterm-rows > div").evaluateAll((rows) =>
    rows.flatMap((row) => {
      const text = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      let last: Text | null = null;
      while (text.nextNode()) if (text.currentNode.textContent?.trim()) last = text.currentNode as Text;
      const at = last?.textContent?.trimEnd().length ?? 0;
      if (!last || !/ q$/.test(row.textContent?.trimEnd() ?? "") || row.textContent?.includes("printf")) return [];
      const range = document.createRange();
      range.setStart(last, at - 1);
      range.setEnd(last, at);
      return [range.getBoundingClientRect().left];
    }),
  );
  expect(lefts).toHaveLength(5);
  for (const left of lefts) expect(Math.abs(left - lefts[0]!)).toBeLessThan(2);
  expect(cluster.errors).toEqual([]);
});

test("a button does not type its command into a running program", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=off");
  await expect(cluster.get("editor")).toContainText("#SBATCH --job-name=first");
  await cluster.type("cat > notes.txt");
  await cluster.press("Enter");
  await expect(page.getByTestId("prompt-ready")).toHaveCount(0);
  await cluster.get("submit").click();
  await cluster.type("mine");
  await expect(page.getByTestId("notice")).toContainText("The terminal is busy, so this was not typed.");
  await expect(page.getByTestId("notice")).toContainText("sbatch ~/first.sh");
  await cluster.press("Enter");
  await page.waitForTimeout(1500);
  await cluster.press("Control+d");
  await cluster.prompted();
  expect(await cluster.run("cat notes.txt")).toBe("mine");
  expect(await cluster.run("squeue -h")).toBe("");
  expect(cluster.errors).toEqual([]);
});

test("vim and nano edit in the terminal, and an editor survives a reload", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("printf '#SBATCH -c 1\\nsrun hostname\\n' > job.sh");
  await cluster.type("vim job.sh\n");
  await expect.poll(() => cluster.text()).toContain('"job.sh" 2L, 27B');
  await cluster.type("cwPBS");
  await expect.poll(() => cluster.text()).toContain("-- INSERT --");
  // Nothing opens in the panel.
  await expect(page.getByTestId("editor").getByRole("button", { name: "job.sh", exact: true, pressed: true })).toHaveCount(0);
  await cluster.press("Escape");
  await cluster.type("jA --all");
  await expect.poll(() => cluster.text()).toContain("srun hostname --all");
  await page.waitForTimeout(1500);
  await page.reload();
  await expect.poll(() => cluster.text()).toContain("srun hostname --all");
  await expect.poll(() => cluster.text()).toContain("-- INSERT --");
  await cluster.type(" &");
  await cluster.press("Control+c");
  await cluster.type("xx:s/srun/mpirun/\n:wq\n");
  await cluster.ready();
  expect(await cluster.text()).not.toContain("~\n~");
  expect(await cluster.run("cat job.sh")).toContain("mpirun hostname --all");

  await cluster.type("nano job.sh\n");
  await expect.poll(() => cluster.text()).toContain("GNU nano 7.2");
  await cluster.type("#!/bin/bash\n");
  await cluster.press("F6");
  await cluster.type("hostname\n");
  await cluster.press("Control+k");
  await cluster.press("Control+x");
  await expect.poll(() => cluster.text()).toContain("Save modified buffer?");
  await cluster.type("y\n");
  await cluster.ready();
  expect(await cluster.run("cat job.sh")).toContain("#!/bin/bash");
  expect(await cluster.run("grep -c hostname job.sh")).toBe("0");
  expect(cluster.errors).toEqual([]);
});

test("a program that was stopped with Ctrl-Z leaves the keys to the shell, and takes them back", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("seq 300 > long.txt");
  await cluster.type("less long.txt");
  await cluster.press("Enter");
  await expect.poll(() => cluster.text()).toContain("long.txt");
  await cluster.press("Control+z");
  await cluster.prompted();
  // The line can be edited and is shown.
  await cluster.type("echo hallo");
  await cluster.press("Backspace");
  await expect.poll(() => cluster.text()).toMatch(/\$ echo hall$/);
  await cluster.press("Enter");
  await expect.poll(() => cluster.text()).toMatch(/\nhall\n/);
  await cluster.prompted();
  await cluster.type("fg");
  await cluster.press("Enter");
  await page.waitForTimeout(300);
  await page.keyboard.press("q");
  await cluster.prompted();
  expect(await cluster.run("echo back")).toBe("back");
});
