"""Jobs through QToolKit, which jobflow-remote uses: submission script, submission, states, cancellation."""

import time
from pathlib import Path
from qtoolkit.core.data_objects import CancelStatus, QResources, QState, SubmissionStatus
from qtoolkit.host.local import LocalHost
from qtoolkit.io.slurm import SlurmIO
from qtoolkit.manager import QueueManager

manager = QueueManager(scheduler_io=SlurmIO(), host=LocalHost())


def submit(name, commands, **more):
    resources = QResources(queue_name="cpu", job_name=name, nodes=1, processes_per_node=1, time_limit=600,
                           output_filepath=f"{name}.out", error_filepath=f"{name}.err", **more)
    answer = manager.submit(commands, options=resources, work_dir=Path.cwd(), script_fname=f"{name}.sh")
    return answer


def state(job_id, wanted):
    """Waits for a state. A job that has ended may be gone. (`get_job` cannot read the SubmitLine of newer releases.)"""
    for _ in range(300):
        jobs = manager.get_jobs_list([job_id])
        if not jobs or jobs[0].state in wanted:
            return jobs[0] if jobs else None
        time.sleep(0.1)
    raise SystemExit(f"{job_id} is still {jobs[0].state}")


done = submit("greeting", ["echo hello from $SLURM_JOB_NAME", "hostname"])
assert done.status == SubmissionStatus.SUCCESSFUL, done
state(done.job_id, [QState.DONE])
assert Path("greeting.out").read_text().startswith("hello from greeting\n")
failed = submit("failing", ["echo before >&2", "exit 3"])
state(failed.job_id, [QState.FAILED])
assert Path("failing.err").read_text() == "before\n"
sleeping = submit("sleeping", ["sleep 300"])
job = state(sleeping.job_id, [QState.RUNNING])
assert job.name == "sleeping" and job.info.nodes == 1 and job.info.time_limit == 600, job
listed = {job.job_id for job in manager.get_jobs_list([sleeping.job_id])}
assert sleeping.job_id in listed, listed
cancelled = manager.cancel(sleeping.job_id)
assert cancelled.status == CancelStatus.SUCCESSFUL, cancelled
state(sleeping.job_id, [QState.FAILED, QState.DONE])
refused = manager.submit(["true"], options=QResources(queue_name="nowhere", job_name="refused", nodes=1,
                                                      processes_per_node=1), work_dir=Path.cwd())
assert refused.status == SubmissionStatus.FAILED and "invalid partition" in (refused.stderr or ""), refused
print("ok")
