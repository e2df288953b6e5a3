"""Jobs through PSI/J's Slurm executor: results, exit codes, cancellation, time limit, environment, several processes."""

from datetime import timedelta
from pathlib import Path
from psij import Job, JobAttributes, JobExecutor, JobSpec, JobState, ResourceSpecV1

executor = JobExecutor.get_instance("slurm")
executor.config.initial_queue_polling_delay = 0.2
executor.config.queue_polling_interval = 1


def spec(line, **more):
    attributes = JobAttributes(duration=timedelta(minutes=more.pop("minutes", 5)), queue_name="cpu")
    return JobSpec(executable="/bin/bash", arguments=["-c", line], attributes=attributes, **more)


def run(spec):
    job = Job(spec)
    executor.submit(job)
    return job


here = Path.cwd()
greeting = run(spec("echo $GREETING from $SLURM_JOB_PARTITION; cat", stdout_path=here / "greeting.txt",
                    stdin_path=Path("/etc/hostname"), environment={"GREETING": "hello"}))
failing = run(spec("exit 3"))
sleeping = run(spec("sleep 300"))
ranks = run(spec("echo $SLURM_PROCID", stdout_path=here / "ranks.txt", launcher="srun",
                 resources=ResourceSpecV1(process_count=3)))
many = [run(spec(f"echo {i} > many.{i}", directory=here)) for i in range(8)]

status = greeting.wait(timedelta(seconds=60))
assert status.state == JobState.COMPLETED and status.exit_code == 0, status
assert (here / "greeting.txt").read_text().startswith("hello from cpu\n"), (here / "greeting.txt").read_text()
status = failing.wait(timedelta(seconds=60))
assert status.state == JobState.FAILED and status.exit_code == 3, status
sleeping.wait(timedelta(seconds=60), [JobState.ACTIVE])
sleeping.cancel()
status = sleeping.wait(timedelta(seconds=60))
assert status.state == JobState.CANCELED, status
status = ranks.wait(timedelta(seconds=60))
assert status.state == JobState.COMPLETED, status
assert sorted((here / "ranks.txt").read_text().split()) == ["0", "1", "2"]
for i, job in enumerate(many):
    assert job.wait(timedelta(seconds=60)).state == JobState.COMPLETED
    assert (here / f"many.{i}").read_text() == f"{i}\n"
refused = Job(spec("true"))
refused.spec.attributes.queue_name = "nowhere"
try:
    executor.submit(refused)
    raise SystemExit("a partition that does not exist was accepted")
except Exception as error:
    assert "invalid partition" in str(error), error
print("ok")
