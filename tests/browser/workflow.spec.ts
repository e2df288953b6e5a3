// The guide's chapter 7 and its chapters on arrays and dependencies, typed as printed.
import { Cluster, guide } from "./cluster";
import { expect, test } from "./test";

test("chapter 7: save the script, submit it, watch it, read its results", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await expect(cluster.get("editor")).toContainText("#SBATCH --job-name=TestCalcul");
  await expect(cluster.get("editor")).toContainText("#SBATCH --partition=CPU-4");
  await cluster.get("save").click();

  const job = await cluster.submit("sbatch mon_job.slurm");
  const queue = await cluster.run("squeue -u $USER");
  expect(queue).toContain("JOBID PARTITION");
  expect(queue).toMatch(new RegExp(`^ +${job} +CPU-4 TestCalc +alice +(PD|R) `, "m"));
  await cluster.untilEnded(job);

  const history = await cluster.run(`sacct -j ${job}`);
  expect(history).toMatch(/JobID +JobName +Partition +Account +AllocCPUS +State +ExitCode/);
  expect(history).toMatch(new RegExp(`^${job} +TestCalcul +CPU-4 .*COMPLETED +0:0`, "m"));
  const output = await cluster.run(`cat Resultat_${job}.out`);
  expect(output).toMatch(/^Job démarré sur le nœud : cpu/m);
  expect(output).toMatch(/^Date et heure : .*\d\d:\d\d:\d\d/m);
  expect(await cluster.run("ls")).toContain(`Erreur_${job}.err`);
  expect(await cluster.run(`cat Erreur_${job}.err`)).toBe("");
  expect(cluster.errors).toEqual([]);
});

test("a script written in the editor is submitted by its button", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const before = (await cluster.text()).length;
  await cluster.edit("#!/bin/bash\n#SBATCH --partition=CPU-4 --time=5\n#SBATCH --output=mine.txt\necho six times seven is $((6 * 7))\n");
  await cluster.get("submit").click();
  await expect.poll(async () => (await cluster.text()).slice(before)).toMatch(/Submitted batch job \d+/);
  const job = Number(/Submitted batch job (\d+)/.exec((await cluster.text()).slice(before))?.[1]);
  await cluster.untilEnded(job);
  expect(await cluster.run("cat mine.txt")).toBe("six times seven is 42");
});

test("as printed in the guide, on the partition debug, it gets Slurm's own error", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.write("imprime.slurm", guide("debug"));
  const said = await cluster.run("sbatch imprime.slurm");
  expect(said).toContain("sbatch: error: invalid partition specified: debug");
  expect(said).toContain("sbatch: error: Batch job submission failed: Invalid partition name specified");
  expect(await cluster.run("echo $?")).toBe("1");
});

test("cancel a job, and all own jobs", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 3000'");
  expect(await cluster.run(`scancel ${job}`)).toBe("");
  await cluster.untilEnded(job);
  expect(await cluster.run(`sacct -n -X -j ${job} -o State%20`)).toMatch(/CANCELLED by \d+/);
  const other = await cluster.submit("sbatch -p CPU-4 --wrap 'sleep 3000'");
  await cluster.run("scancel -u $USER");
  await cluster.untilEnded(other);
});

test("an array of 100, ten at a time", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.write(
    "tableau.slurm",
    `#!/bin/bash
#SBATCH --job-name=Analyse
#SBATCH --output=Result_%A_%a.out
#SBATCH --error=Erreur_%A_%a.err
#SBATCH --array=1-100%10
#SBATCH --time=01:00:00
#SBATCH --mem=2G
#SBATCH --partition=CPU-16

echo "Traitement du fichier numéro $SLURM_ARRAY_TASK_ID"
sleep 60
`,
  );
  const job = await cluster.submit("sbatch tableau.slurm");
  await cluster.skip();
  const queue = await cluster.run(`squeue -j ${job}`);
  expect(queue).toMatch(new RegExp(`${job}_\\[\\d+-100%10\\]`));
  expect(queue.match(/ R /g)?.length ?? 0).toBeLessThanOrEqual(10);
  await cluster.skipUntil("empty");
  expect(await cluster.run(`squeue -h -j ${job}`)).not.toContain(String(job));
  expect(await cluster.run(`ls Result_${job}_*.out | wc -l`)).toBe("100");
  expect(await cluster.run(`cat Result_${job}_42.out`)).toBe("Traitement du fichier numéro 42");
});

test("the pipeline of three jobs, typed as printed", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  for (const name of ["preparation", "calcul", "analyse"]) {
    await cluster.write(
      `${name}.slurm`,
      `#!/bin/bash\n#SBATCH --job-name=${name}\n#SBATCH --partition=CPU-4\n#SBATCH --time=10\nsleep 30\necho ${name} >> ordre.txt\n`,
    );
  }
  expect(await cluster.run("job1=$(sbatch preparation.slurm | awk '{print $4}')")).toBe("");
  expect(await cluster.run("job2=$(sbatch --dependency=afterok:$job1 calcul.slurm | awk '{print $4}')")).toBe("");
  const last = await cluster.submit("sbatch --dependency=afterok:$job2 analyse.slurm");
  expect(await cluster.run("squeue -u $USER")).toContain("(Dependency)");
  await cluster.untilEnded(last);
  expect(await cluster.run("cat ordre.txt")).toBe("preparation\ncalcul\nanalyse");
});

test("a job that exceeds its time limit ends as in Slurm", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch -p CPU-4 --time=1 --wrap 'echo begun; sleep 600'");
  await cluster.untilEnded(job);
  expect(await cluster.run(`sacct -n -X -j ${job} -o State`)).toContain("TIMEOUT");
  const output = await cluster.run(`cat slurm-${job}.out`);
  expect(output).toContain("begun");
  expect(output).toMatch(/error: \*\*\* JOB \d+ ON \S+ CANCELLED AT \S+ DUE TO TIME LIMIT \*\*\*/);
});

test("a job that uses more memory than its node has: the node reboots, and the comment says why", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const job = await cluster.submit("sbatch depassement.slurm");
  await cluster.untilEnded(job);
  expect(await cluster.run(`sacct -n -X -j ${job} -o State`)).toContain("CANCELLED");
  expect(await cluster.run(`sacct -n -X -j ${job} -o Comment%100`)).toContain("used more memory than the node has");
});

test("the cluster, the queue and a job's details show what the terminal says", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  expect(await cluster.run("sinfo")).toContain("PARTITION");
  await expect(page.getByTestId("node-tile")).toHaveCount(25);
  const job = await cluster.submit("sbatch -p CPU-4 --job-name=visible --wrap 'echo here; sleep 3000'");
  const row = cluster.row(job);
  await expect(row).toContainText("visible");
  await row.click();
  await expect(cluster.get("job-detail")).toContainText(String(job));
  await expect(cluster.get("job-detail")).toContainText("visible");
});

test("the third of the first steps reads the output", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  const [, watch, read] = await page.getByTestId("steps").getByRole("button").all();
  const job = await cluster.submit("sbatch -p CPU-4 --wrap 'echo here is what it wrote'");
  await cluster.untilEnded(job);
  await expect(read).toBeEnabled();
  // A newly submitted job is watched first: it has no output yet.
  await cluster.submit("sbatch -p CPU-4 -H --wrap true");
  await expect(watch).toHaveClass(/now/);
  await expect(read).toBeDisabled();
  await cluster.run("scancel -u $USER");
  const last = await cluster.submit("sbatch -p CPU-4 --wrap 'echo and this is the last'");
  await cluster.untilEnded(last);
  await read.click();
  await expect.poll(() => cluster.text()).toMatch(/cat .*slurm-\d+\.out\nand this is the last/);
  await expect(page.getByTestId("steps")).toHaveAttribute("data-step", "done");
});

test("another user types", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.become("bob");
  await expect.poll(() => cluster.text()).toMatch(/bob@/);
  await cluster.ready();
  expect(await cluster.run("whoami")).toBe("bob");
});

test("the selected user types, even if their terminal opens late", async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem("sandbatch:tour", "seen");
    const post = Worker.prototype.postMessage as (...all: unknown[]) => void;
    Worker.prototype.postMessage = function (...all: unknown[]) {
      setTimeout(() => post.apply(this, all), 600);
    };
    // As soon as there is a user to choose.
    const choose = () => {
      const bob = [...document.querySelectorAll<HTMLElement>("[data-testid=pick-user] [role=option]")].find((o) => o.textContent === "bob");
      if (!bob) {
        if (!document.querySelector("[data-testid=pick-user]")) document.querySelector<HTMLElement>("[data-testid=user-picker]")?.click();
        return void setTimeout(choose, 10);
      }
      bob.click();
    };
    choose();
  });
  await page.goto("./?site=inserm&background=off");
  const cluster = new Cluster(page);
  await expect.poll(() => cluster.text(), { timeout: 10_000 }).toMatch(/\[bob@[^\n]*\]\$$/);
  await page.waitForTimeout(500);
  await expect(cluster.get("user-picker")).toHaveText("bob");
});

test("the terminal completes commands and files, and remembers lines", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.type("sbat");
  await cluster.press("Tab");
  await expect.poll(() => cluster.text()).toMatch(/sbatch$/);
  await cluster.type("mon_j");
  await cluster.press("Tab");
  await expect.poll(() => cluster.text()).toMatch(/sbatch mon_job\.slurm$/);
  await cluster.press("Control+c");
  await cluster.prompted();
  await cluster.run("echo remembered");
  await cluster.press("ArrowUp");
  await expect.poll(() => cluster.text()).toMatch(/echo remembered$/);
});

test("a learner's Python script runs as an array: edited, submitted, read", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open("./?site=lab&background=off");
  await cluster.get("new-file").click();
  await page.locator(".naming input").fill("squares.py");
  await page.keyboard.press("Enter");
  await cluster.edit(`import os
import sys
import time

task = int(os.environ["SLURM_ARRAY_TASK_ID"])
print(f"task {task}", file=sys.stderr)
time.sleep(30)
print("sum of squares:", sum(n * n for n in range(task + 1)))
if task == 3:
    raise ValueError("three is too many")
`);
  await cluster.get("save").click();
  const job = await cluster.submit("sbatch --array=1-3 -o out-%a.txt -e err-%a.txt --wrap 'python3 squares.py'");
  await cluster.untilEnded(job);
  expect(await cluster.run("cat out-1.txt out-2.txt")).toBe("sum of squares: 1\nsum of squares: 5");
  expect(await cluster.run("cat err-3.txt")).toContain('File "/home/alice/squares.py", line 10, in <module>');
  expect(await cluster.run("tail -n 1 err-3.txt")).toBe("ValueError: three is too many");
  expect(await cluster.run(`sacct -X -n -P -o jobid,state,exitcode -j ${job}`)).toBe(
    `${job}_1|COMPLETED|0:0\n${job}_2|COMPLETED|0:0\n${job}_3|FAILED|1:0`,
  );
  expect(cluster.errors).toEqual([]);
});
