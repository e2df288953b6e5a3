// Overlays and layout: tour, command palette, keys, composer, dividers.
import { violations } from "./axe";
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("the first visit shows the start screen and the tour, only once", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.openFirst();
  await expect(cluster.get("start")).toBeVisible();
  await expect(page.getByTestId("site-card")).toHaveCount(6);
  await expect(page.getByTestId("site-variant")).toHaveCount(5);
  // The site that is open comes first.
  await expect(cluster.get("site-card")).toContainText("14 nodes, 272 cores, 16 GPUs · open now");
  expect(await violations(page)).toEqual([]);
  await cluster.get("start-tour").click();
  await expect(page.getByTestId("start")).toHaveCount(0);
  await expect(cluster.get("tour")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  for (let card = 0; card < 5; card += 1) await cluster.get("tour-next").click();
  await expect(page.getByTestId("tour")).toHaveCount(0);
  await cluster.reload();
  await expect(page.getByTestId("tour")).toHaveCount(0);
  await expect(page.getByTestId("start")).toHaveCount(0);
  // It comes back from the menu, in the page's language.
  await cluster.choose("language", "fr");
  await page.locator(".settings .menu > summary").click();
  await cluster.get("start-again").click();
  await expect(cluster.get("start")).toContainText("Apprendre");
  await expect(cluster.get("site-cards")).toContainText("Idéal pour débuter");
  await cluster.get("start-skip").click();
  await expect(page.getByTestId("start")).toHaveCount(0);
  expect(cluster.errors).toEqual([]);
});

test("the start screen leads to a lesson, to a site and its tour, or is skipped", async ({ browser }) => {
  const visit = async (choose: (cluster: Cluster) => Promise<void>) => {
    const context = await browser.newContext();
    const cluster = new Cluster(await context.newPage());
    await cluster.openFirst();
    await expect(cluster.get("start")).toBeVisible();
    await choose(cluster);
    expect(cluster.errors).toEqual([]);
    await context.close();
  };
  await visit(async (cluster) => {
    await cluster.get("start-lesson").click();
    await expect(cluster.get("learn")).toContainText("Your first job");
    await cluster.ready();
    await expect(cluster.page.getByTestId("start")).toHaveCount(0);
  });
  await visit(async (cluster) => {
    await cluster.page.locator("[data-testid=site-card][data-site=mila]").click();
    await expect(cluster.get("site")).toHaveText("mila");
    await expect(cluster.get("tour")).toBeVisible();
    await expect(cluster.page.getByTestId("start")).toHaveCount(0);
  });
  await visit(async (cluster) => {
    await cluster.page.keyboard.press("Escape");
    await expect(cluster.page.getByTestId("start")).toHaveCount(0);
    await cluster.run("hostname");
    await cluster.reload();
    await cluster.page.waitForTimeout(1000);
    await expect(cluster.page.locator("[data-testid=start], [data-testid=tour]")).toHaveCount(0);
  });
});

for (const address of ["./?site=lab", "./?lesson=en/01-first-job", "./?embed=terminal,queue", "./?seed=4"]) {
  test(`an address that names something has no start screen: ${address}`, async ({ page }) => {
    const cluster = new Cluster(page);
    await cluster.openFirst(address);
    await page.waitForTimeout(1500);
    await expect(page.getByTestId("start")).toHaveCount(0);
    expect(cluster.errors).toEqual([]);
  });
}

test("keys typed before the command palette is drawn go to it", async ({ page }) => {
  const cluster = new Cluster(page);
  let come = () => {};
  const network = new Promise<void>((done) => (come = done));
  await page.route("**/later-app-*.wasm", async (route) => {
    await network;
    await route.continue();
  });
  await cluster.open();
  await cluster.type("host");
  await page.keyboard.press("F1");
  await page.keyboard.type("go to the qqq");
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("Backspace");
  await page.keyboard.type("queue");
  await page.keyboard.press("Escape");
  await page.keyboard.type("name");
  await expect.poll(() => cluster.text()).toMatch(/hostname$/);
  await page.keyboard.press("F1");
  await page.keyboard.type("screen readerx");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  expect(await page.locator("[role=log]").count()).toBe(0);
  come();
  await expect(page.locator("[role=log]")).toHaveCount(1);
  await expect(page.getByTestId("finder")).toHaveCount(0);
  expect(await cluster.text()).toMatch(/hostname$/);
  // It opens the same way the next time.
  await page.keyboard.press("F1");
  await expect(page.locator("[data-testid=finder] input")).toHaveValue("");
  expect(cluster.errors).toEqual([]);
});

test("the command palette finds a command by a few letters", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.keys().focus();
  await page.keyboard.press("F1");
  await expect(cluster.get("finder")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type("priorit");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("finder")).toHaveCount(0);
  await expect(cluster.get("tab-priority")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("0");
  await expect(cluster.get("tab-learn")).toHaveAttribute("aria-selected", "true");
  expect(cluster.errors).toEqual([]);
});

for (const [locale, label, job, site] of [
  ["en", "Search commands, jobs and sites", "Job", "Site"],
  ["fr", "Chercher commandes, tâches et sites", "Tâche", "Site"],
] as const) {
  test(`the command palette finds jobs and sites, ${locale}`, async ({ browser }) => {
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    const cluster = new Cluster(page);
    await cluster.open("./?site=lab&background=off");
    const first = await cluster.submit("sbatch -J mesh --wrap 'sleep 900'");
    const second = await cluster.submit("sbatch -J relax --wrap 'sleep 900'");
    const field = page.getByRole("combobox", { name: label });
    const option = page.getByRole("listbox", { name: label }).getByRole("option");
    const inspector = cluster.get("job-detail");
    // By its number. Enter may be pressed before the engine has answered.
    await cluster.get("find").click();
    await page.keyboard.type(String(first));
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("finder")).toHaveCount(0);
    await expect(inspector).toContainText("mesh");
    // By its name, beside the commands.
    await page.keyboard.press("F1");
    await expect(field).toBeFocused();
    await page.keyboard.type("rela");
    await expect(option.filter({ hasText: `${job} ${second} relax` })).toHaveAttribute("aria-selected", "true");
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("Enter");
    await expect(inspector).toContainText("relax");
    // A job that has left slurmctld's memory.
    await cluster.choose("pace", "600");
    await cluster.run(`scancel ${first}; sleep 1000`, 60_000);
    await page.keyboard.press("F1");
    await page.keyboard.type(`mesh ${first}`);
    await expect(option.first()).toContainText(`${job} ${first} mesh`);
    await page.keyboard.press("Enter");
    await expect(inspector).toContainText("mesh");
    // A site, as its picker opens it.
    await page.keyboard.press("F1");
    await page.keyboard.type("gcp");
    await expect(option.filter({ hasText: `${site} gcp` })).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Enter");
    await expect(cluster.get("site")).toHaveText("gcp");
    await cluster.ready();
    expect(cluster.errors).toEqual([]);
    await context.close();
  });
}

test("keys are commands only outside text fields", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.type("echo 2?");
  await expect(page.getByTestId("finder")).toHaveCount(0);
  await expect(cluster.get("tab-queue")).toHaveAttribute("aria-selected", "true");
  await cluster.get("tab-queue").focus();
  await page.keyboard.press("3");
  await expect(cluster.get("tab-priority")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("?");
  await expect(cluster.get("finder")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("finder")).toHaveCount(0);
});

test("a job is composed from a form and submitted", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  // Root's own script is not a configuration file.
  await cluster.become("root");
  await cluster.prompted();
  await cluster.get("compose").click();
  await cluster.get("compose-write").click();
  await cluster.get("save").click();
  await expect.poll(() => cluster.run("ls /root")).toContain(".slurm");
  await cluster.become("alice");
  await cluster.get("compose").click();
  await expect(cluster.get("composer")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("composer")).toHaveCount(0);
  await cluster.get("compose").click();
  expect(await violations(page)).toEqual([]);
  await cluster.get("compose-name").fill("from a form");
  await cluster.get("compose-command").fill("sleep 30");
  await cluster.choose("compose-partition", "CPU-4");
  await cluster.get("compose-cpus").fill("2");
  await cluster.get("compose-cpus").press("Tab");
  await expect(cluster.get("compose-script")).toContainText("--cpus-per-task=2");
  await cluster.get("compose-write").click();
  await expect(cluster.get("editor").locator(".cm-content")).toContainText("#SBATCH --partition=CPU-4");
  await cluster.get("submit").click();
  await expect.poll(() => cluster.text()).toContain("Submitted batch job 1");
  expect(await cluster.run("squeue -h -o '%j %P %C'")).toContain("from_a_form CPU-4 2");
});

test("a Desktop is composed, and its browser opens an application on its node", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("compose").click();
  await cluster.choose("compose-kind", "4");
  await expect(cluster.get("compose-script")).toContainText("sleep infinity");
  await expect(cluster.get("compose-command")).toBeHidden();
  await cluster.get("compose-write").click();
  await cluster.get("submit").click();
  await expect(page.getByTestId("queue-row").first()).toContainText("R");
  await page.getByTestId("queue-row").first().click();
  await cluster.get("shell").click();
  await expect.poll(() => cluster.text()).toContain("alice@cpu");
  await cluster.type("python mon_app.py &");
  await cluster.press("Enter");
  await cluster.type("firefox http://localhost:3000");
  await cluster.press("Enter");
  await expect.poll(() => cluster.text()).toContain("<h1>Mon application</h1>");
});

test("an open list closes when the focus leaves it", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const open = page.locator("details[open]:is(.menu, .key, .columns)");
  // The list of the menu lies over the other two, so it comes last.
  for (const summary of [cluster.get("queue-columns"), cluster.get("legend"), page.locator(".settings .menu > summary")]) {
    await summary.click();
    await expect(open).toHaveCount(1);
  }
  await page.keyboard.press("Escape");
  await expect(open).toHaveCount(0);
  await cluster.get("queue-columns").click();
  // A click inside does not close it.
  await cluster.get("queue-group").check();
  await expect(open).toHaveCount(1);
  await cluster.get("clock-time").click();
  await expect(open).toHaveCount(0);
  await cluster.get("legend").click();
  await page.keyboard.press("Escape");
  await expect(open).toHaveCount(0);
});

test("dividers between the zones move and are remembered", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const width = async () => (await cluster.get("terminal").boundingBox())?.width ?? 0;
  const before = await width();
  const line = await cluster.get("split-columns").boundingBox();
  if (!line) throw new Error("the line has no place");
  await page.mouse.move(line.x + 4, line.y + 100);
  await page.mouse.down();
  await page.mouse.move(line.x - 150, line.y + 100, { steps: 5 });
  await page.mouse.up();
  const dragged = await width();
  expect(dragged).toBeLessThan(before - 100);
  await cluster.get("split-columns").focus();
  await page.keyboard.press("ArrowRight");
  expect(await width()).toBeGreaterThan(dragged);
  await cluster.reload();
  expect(await width()).toBeLessThan(before - 80);
  await cluster.get("split-columns").dblclick();
  expect(Math.abs((await width()) - before)).toBeLessThan(3);
});

test("a zone is maximised and restored", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.get("tab-queue").focus();
  await page.keyboard.press("m");
  await expect(cluster.get("terminal")).toBeHidden();
  await expect(cluster.get("queue")).toBeVisible();
  await page.keyboard.press("m");
  await expect(cluster.get("terminal")).toBeVisible();
});
