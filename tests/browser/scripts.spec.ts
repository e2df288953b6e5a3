// Watching job scripts run: growing output, a shell on a node, a script that saves its state on preemption.
import { Cluster } from "./cluster";
import { expect, test } from "./test";

test("tail -f follows a running job until Ctrl-C", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  await cluster.write("count.slurm", "#!/bin/bash\n#SBATCH -o count.out\nfor i in 1 2 3 4 5 6; do echo round $i; sleep 2; done\n");
  await cluster.submit("sbatch count.slurm");
  await cluster.skipUntil("start");
  await cluster.type("tail -f count.out");
  await cluster.press("Enter");
  await expect.poll(() => cluster.text()).toMatch(/round 1\n/);
  expect(await cluster.text()).not.toMatch(/round 6\n/);
  await expect.poll(() => cluster.text(), { timeout: 45_000 }).toMatch(/round 4\nround 5\nround 6$/);
  await cluster.press("Control+c");
  await cluster.prompted();
  expect(await cluster.run("echo still here")).toBe("still here");
  expect(cluster.errors).toEqual([]);
});

test("srun --pty bash opens a shell on a node and returns its exit code", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  expect(await cluster.run("hostname")).not.toMatch(/^cpu4-/);
  await cluster.type("srun -p CPU-4 --pty bash");
  await cluster.press("Enter");
  await expect.poll(() => cluster.text(), { timeout: 45_000 }).toMatch(/@cpu4-0\d[^\n]*[$#]$/);
  expect(await cluster.run("hostname")).toMatch(/^cpu4-0\d$/);
  expect(await cluster.run("echo job $SLURM_JOB_ID on $SLURM_JOB_PARTITION")).toMatch(/^job \d+ on CPU-4$/);
  await cluster.type("exit 3");
  await cluster.press("Enter");
  await expect.poll(() => cluster.text()).toMatch(/task 0: Exited with exit code 3\n[^\n]*@login[^\n]*[$#]$/);
  expect(await cluster.run("echo code $?")).toBe("code 3");
  expect(await cluster.run("squeue -h -u $USER")).toBe("");
});

test("a script that traps SIGTERM saves its state when it is preempted", async ({ page }) => {
  const cluster = new Cluster(page);
  await cluster.open();
  // The site has no preemption, so its administrator adds two partitions with the same nodes and different tiers.
  await cluster.run("su");
  await cluster.run(
    "printf '%s\\n' PreemptType=preempt/partition_prio PreemptMode=CANCEL 'PartitionName=low Nodes=cpu4-01 PriorityTier=1 GraceTime=60' 'PartitionName=high Nodes=cpu4-01 PriorityTier=9 PreemptMode=OFF' | tee -a /etc/slurm/slurm.conf > /dev/null",
  );
  await cluster.run("scontrol reconfigure");
  await cluster.run("exit");
  expect(await cluster.run("scontrol show config | grep PreemptType")).toContain("preempt/partition_prio");
  await cluster.write(
    "saves.slurm",
    `#!/bin/bash
#SBATCH -p low --exclusive --time=60 -o saves.out
exit_script() {
    echo "Preemption signal, saving myself"
    trap - SIGTERM
    kill -- -$$
}
trap exit_script SIGTERM
echo begun
sleep 3000
`,
  );
  const job = await cluster.submit("sbatch saves.slurm");
  await cluster.skipUntil("start");
  await cluster.run("sbatch -p high --exclusive --wrap 'sleep 5'");
  await cluster.untilEnded(job);
  const output = await cluster.run("cat saves.out");
  expect(output).toMatch(/^begun$/m);
  expect(output).toMatch(/CANCELLED AT .* DUE TO PREEMPTION/);
  expect(output).toMatch(/^Preemption signal, saving myself$/m);
  expect(await cluster.run(`sacct -n -X -j ${job} -o state`)).toMatch(/PREEMPTED/);
});
