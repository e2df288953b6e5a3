// Administration in the page: each form types its command as root, and the cluster changes accordingly.
import { Cluster } from "./cluster";
import { expect, test } from "./test";

/** Opens the administration panel at a subject. */
async function open(cluster: Cluster, subject: string): Promise<void> {
  await cluster.get("tab-admin").click();
  await cluster.get(`admin-${subject}`).click();
}

/** Opens a form, fills its fields by position, and types its command as root; returns the command. */
async function fill(cluster: Cluster, form: string, fields: Record<number, string>): Promise<string> {
  const place = cluster.get(`in-${form}`);
  if (!(await place.isVisible())) await cluster.get(`form-${form}`).click();
  for (const [at, value] of Object.entries(fields)) await cluster.choose(`${form}-${at}`, value);
  const line = (await place.locator("code").textContent()) ?? "";
  await place.getByTestId("as-root").click();
  await expect(cluster.get("user-picker")).toHaveText("root");
  await expect.poll(() => cluster.text()).toContain(line.slice(0, 40));
  await cluster.prompted();
  return line;
}

test("a node is drained and put back", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await open(cluster, "nodes");
  const line = await fill(cluster, "node-state", { 0: "cpu4-[01-02]", 1: "drain", 2: "bad disk" });
  expect(line).toBe("scontrol update 'nodename=cpu4-[01-02]' state=drain 'reason=bad disk'");
  await expect(cluster.get("admin-table")).toContainText("bad disk");
  await expect(page.locator('[data-node="cpu4-01"]')).toHaveAttribute("data-state", "drain");
  await fill(cluster, "node-state", { 1: "resume" });
  await expect(page.locator('[data-node="cpu4-01"]')).toHaveAttribute("data-state", "idle");
});

test("a node loses power, and its job is requeued", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 -w cpu4-02 --time=1:00:00 --requeue --wrap 'sleep 3000'");
  await expect.poll(() => cluster.run(`squeue -h -j ${job} -o %t`)).toBe("R");
  await open(cluster, "nodes");
  await fill(cluster, "node-power", { 0: "cpu4-02", 1: "off" });
  expect(await cluster.run("ssh cpu4-02 true")).toContain("No route to host");
  await cluster.choose("pace", "600");
  await expect(page.locator('[data-node="cpu4-02"]')).toHaveAttribute("data-state", "down*", { timeout: 30_000 });
  expect(await cluster.run(`squeue -h -j ${job} -o %t`)).toBe("PD");
  await fill(cluster, "node-power", { 1: "on" });
  await expect(page.locator('[data-node="cpu4-02"]')).not.toHaveAttribute("data-state", "down*");
});

test("ten nodes are added, and jobs run on them", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await open(cluster, "nodes");
  const line = await fill(cluster, "add-nodes", { 0: "A100-10" });
  expect(line).toContain("NodeName=a100-[15-24] Sockets=1");
  await expect(page.getByTestId("node-tile")).toHaveCount(35);
  await expect(page.locator('[data-node="a100-24"]')).toHaveAttribute("data-state", "idle");
  await cluster.submit("sbatch -p A100-10 -w a100-24 --gres=gpu:1 --wrap 'sleep 3000'");
  await expect(page.locator('[data-node="a100-24"]')).toHaveAttribute("data-state", "mix");
  await cluster.reload();
  await expect(page.getByTestId("node-tile")).toHaveCount(35);
});

test("a reservation holds nodes, and ends", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await open(cluster, "reservations");
  await fill(cluster, "reserve", { 0: "course", 1: "cpu4-[01-04]", 2: "now", 3: "120", 4: "bob", 5: "" });
  await expect(cluster.get("admin-table")).toContainText("course");
  await expect(page.locator('[data-node="cpu4-01"]')).toHaveAttribute("data-state", "resv");
  await fill(cluster, "unreserve", {});
  await expect(cluster.get("admin")).toContainText("None.");
});

test("partitions, QOS and accounts are changed", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await open(cluster, "partitions");
  await fill(cluster, "partition", { 0: "CPU-16", 1: "State", 2: "DOWN" });
  await expect(cluster.get("admin-table").locator("tr", { hasText: "CPU-16" })).toContainText("DOWN");
  await fill(cluster, "new-partition", { 0: "urgent", 1: "ALL" });
  await expect(cluster.get("admin-table")).toContainText("urgent");
  await expect(cluster.get("only-partition").locator("option", { hasText: "urgent" })).toHaveCount(1);
  await open(cluster, "qos");
  await fill(cluster, "new-qos", { 0: "high" });
  await expect(cluster.get("admin-table")).toContainText("high");
  await fill(cluster, "qos", { 0: "high", 1: "Preempt" });
  await expect(cluster.get("admin-table").locator("tr", { hasText: "high" })).toContainText("normal");
  await open(cluster, "accounts");
  await fill(cluster, "limit", { 0: "u1234", 1: "bob", 2: "MaxJobs", 3: "1" });
  expect(await cluster.run("sacctmgr -nP show assoc where user=bob format=maxjobs")).toBe("1");
});

test("preemption is switched on: a job of a higher tier pushes another one out", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const low = await cluster.submit("sbatch -p CPU-4 -N4 --exclusive --requeue --time=10:00 --wrap 'sleep 590'");
  await expect.poll(() => cluster.run(`squeue -h -j ${low} -o %t`)).toBe("R");
  await open(cluster, "partitions");
  await fill(cluster, "new-partition", { 0: "urgent", 1: "cpu4-[01-04]", 2: "10" });
  await open(cluster, "settings");
  await fill(cluster, "preemption", { 0: "preempt/partition_prio", 1: "REQUEUE" });
  await expect(cluster.get("admin-table").locator("tr", { hasText: "PreemptType" })).toContainText("partition_prio");
  await cluster.submit("sbatch -p urgent -N4 --exclusive --time=5:00 --wrap 'sleep 60'");
  await cluster.get("tab-preempt").click();
  await expect(cluster.get("preempt-row")).toContainText(String(low), { timeout: 20_000 });
  await expect(cluster.get("preempt-row")).toContainText("REQUEUE");
  // The timeline says who took whose place.
  await cluster.get("tab-timeline").click();
  await expect(cluster.get("gantt-table")).toContainText("preempted by 2");
});

test("new weights show the resulting order", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.run("sbatch -p CPU-4 -N4 --exclusive --wrap 'sleep 600'");
  const small = await cluster.submit("sbatch -p CPU-4 -N1 --exclusive --wrap 'sleep 600'");
  const large = await cluster.submit("sbatch -p CPU-4 -N4 --exclusive --wrap 'sleep 600'");
  await cluster.get("tab-priority").click();
  const rows = page.getByTestId("priority-row");
  await expect(rows.first()).toContainText(String(small));
  await page.getByText("Change the weights").click();
  await cluster.get("weight-JobSize").fill("100000");
  await expect(cluster.get("priority-preview")).toBeVisible();
  await expect(rows.first()).toContainText(String(large));
  await expect(rows.first()).toContainText("▲1");
  await cluster.get("as-root").click();
  await cluster.choose("pace", "600");
  await expect(cluster.get("priority-preview")).toHaveCount(0, { timeout: 20_000 });
  await expect(rows.first()).toContainText(String(large), { timeout: 20_000 });
});

test("a partition without a PreemptMode shows the cluster's, as scontrol does", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=mila&background=off");
  await open(cluster, "partitions");
  const row = (name: string) => cluster.get("admin-table").locator("tr", { has: page.getByRole("cell", { name, exact: true }) });
  await expect(row("low")).toContainText("REQUEUE");
  await expect(row("unkillable")).toContainText("OFF");
  for (const name of ["low", "unkillable", "low-grace"]) {
    const mode = /PreemptMode=(\S+)/.exec(await cluster.run(`scontrol show partition ${name}`))?.[1];
    await expect(row(name)).toContainText(mode!);
  }
});
