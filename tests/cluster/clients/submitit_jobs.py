"""submitit: single jobs, an array, a failure, a cancellation and a requeue on timeout."""
import subprocess
import sys
import time

import submitit


def double(value):
    return 2 * value


def fail():
    raise ValueError("on purpose")


class Resumes:
    """Checkpoints when Slurm signals it, and finishes in its second life."""

    def __init__(self):
        self.lives = 0

    def __call__(self):
        if self.lives > 0:
            return self.lives
        time.sleep(600)

    def checkpoint(self):
        self.lives += 1
        return submitit.helpers.DelayedSubmission(self)


executor = submitit.AutoExecutor(folder="submitit")
assert executor.cluster == "slurm", executor.cluster
executor.update_parameters(timeout_min=5, slurm_partition="debug", cpus_per_task=1)

job = executor.submit(double, 21)
assert job.result() == 42
job.watcher.update()
assert job.done() and not job.state.startswith("FAILED"), job.state

jobs = executor.map_array(double, [1, 2, 3])
assert [job.result() for job in jobs] == [2, 4, 6]

with executor.batch():
    some = [executor.submit(double, n) for n in range(3)]
assert [job.result() for job in some] == [0, 2, 4]

failed = executor.submit(fail)
try:
    failed.result()
    sys.exit("the failure was lost")
except submitit.core.utils.FailedJobError as error:
    assert "on purpose" in str(error), error

sleeper = executor.submit(time.sleep, 600)
while sleeper.state != "RUNNING":
    sleeper.watcher.update()
    time.sleep(0.1)
sleeper.cancel(check=False)
while not sleeper.done(force_check=True):
    time.sleep(0.1)
assert "CANCELLED" in sleeper.state, sleeper.state

resumes = executor.submit(Resumes())
while resumes.state != "RUNNING":
    resumes.watcher.update()
    time.sleep(0.1)
time.sleep(1.5)
resumes._interrupt(timeout=True)
for _ in range(200):
    if subprocess.run(["squeue", "-h", "-t", "PD", "-j", resumes.job_id], capture_output=True).stdout:
        break
    time.sleep(0.1)
# A requeued job waits two minutes, as in Slurm.
subprocess.run(["sandbatch", "cluster", "advance", "3m"], check=True)
assert resumes.result() == 1, resumes.result()
print("ok")
