"""simple-slurm: a job, an array with a dependency, squeue and scancel through its own wrappers."""
import datetime
import subprocess
import time
from pathlib import Path

from simple_slurm import Slurm

slurm = Slurm(
    array=range(1, 4),
    cpus_per_task=1,
    job_name="simple",
    output=f"simple_{Slurm.JOB_ARRAY_MASTER_ID}_{Slurm.JOB_ARRAY_ID}.out",
    time=datetime.timedelta(minutes=5),
)
array = slurm.sbatch("echo hello from", Slurm.SLURM_ARRAY_TASK_ID)
Slurm(dependency=dict(afterok=array), output="after.out", wait=True).sbatch("echo after")
assert Path(f"simple_{array}_2.out").read_text() == "hello from 2\n"
assert Path("after.out").read_text() == "after\n"

sleeper = Slurm(job_name="sleeper", output="sleeper.out").sbatch("sleep 600")
slurm.squeue.update_squeue()
jobs = slurm.squeue.jobs
assert sleeper in {int(key) for key in jobs}, jobs
slurm.scancel.cancel_job(sleeper)
for _ in range(100):
    state = subprocess.run(
        ["sacct", "-X", "-n", "-P", "-o", "state", "-j", str(sleeper)], capture_output=True, text=True
    ).stdout
    if state.startswith("CANCELLED"):
        break
    time.sleep(0.1)
assert state.startswith("CANCELLED"), state
try:
    Slurm(time=datetime.timedelta(minutes=1)).srun("bash -c 'exit 3'")
    raise SystemExit("the exit code was lost")
except subprocess.CalledProcessError as error:
    assert error.returncode == 3, error
print("ok")
