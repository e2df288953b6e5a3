"""The Slurm plugin of AiiDA without a database: job scripts, submission, all fields of the queue, accounting, a cancellation."""

import datetime
import os
import subprocess
import time
from pathlib import Path
from aiida.common.datastructures import CodeRunMode
from aiida.schedulers.datastructures import JobTemplate, JobTemplateCodeInfo, JobState, NodeNumberJobResource
from aiida.schedulers import SchedulerError
from aiida.schedulers.plugins.slurm import SlurmScheduler
from aiida.transports.plugins.local import LocalTransport


def template(name, command, **fields):
    job = JobTemplate()
    job.job_name = name
    job.shebang = "#!/bin/bash"
    job.submit_as_hold = False
    job.rerunnable = False
    job.sched_output_path, job.sched_error_path = f"{name}.out", f"{name}.err"
    job.job_resource = NodeNumberJobResource(num_machines=fields.pop("machines", 1), num_mpiprocs_per_machine=1)
    job.codes_info = [JobTemplateCodeInfo(prepend_cmdline_params=["bash", "-c", command])]
    job.codes_run_mode = CodeRunMode.SERIAL
    for key, value in fields.items():
        setattr(job, key, value)
    return job


with LocalTransport(use_login_shell=False) as transport:
    here = os.getcwd()
    transport.chdir(here)
    scheduler = SlurmScheduler()
    scheduler.set_transport(transport)

    def submit(name, command, **fields):
        Path(f"{name}.sh").write_text(scheduler.get_submit_script(template(name, command, **fields)))
        return scheduler.submit_job(here, f"{name}.sh")

    long = submit("long", "sleep 300", machines=2, queue_name="cpu", max_wallclock_seconds=3600, max_memory_kb=1 << 20)
    held = submit("held", "true", submit_as_hold=True, queue_name="cpu")
    quick = submit("quick", "echo to out; echo to err >&2; exit 3", account="physics", priority="50")
    assert isinstance(long, str) and isinstance(held, str), (long, held)
    try:
        submit("refused", "true", queue_name="nowhere")
        raise SystemExit("a partition that does not exist was accepted")
    except SchedulerError as error:
        assert "invalid partition specified: nowhere" in str(error), error
    for _ in range(100):
        jobs = {job.job_id: job for job in scheduler.get_jobs(jobs=[long, held, quick], as_dict=False)}
        if quick not in jobs and jobs[long].job_state == JobState.RUNNING:
            break
        time.sleep(0.2)
    else:
        raise SystemExit(f"not as expected: {jobs}")
    job = jobs[long]
    assert job.title == "long" and job.queue_name == "cpu" and job.num_machines == 2, job
    assert job.num_mpiprocs == 2 and job.requested_wallclock_time_seconds == 3600, job
    assert job.wallclock_time_seconds < 100 and job.annotation == "None", job
    assert job.allocated_machines_raw == "c[01-02]", job
    now = datetime.datetime.now()
    assert abs((now - job.submission_time).total_seconds()) < 86400, job
    assert jobs[held].job_state == JobState.QUEUED_HELD, jobs[held]
    assert job.job_owner == subprocess.check_output(["id", "-un"], text=True).strip()

    assert scheduler.get_jobs(user="$USER", as_dict=True).keys() >= {long, held}
    detailed = scheduler.get_detailed_job_info(quick)
    assert detailed["retval"] == 0 and "FAILED" in detailed["stdout"], detailed
    assert scheduler.parse_output(detailed, "", "") is None
    assert Path("quick.out").read_text() == "to out\n" and Path("quick.err").read_text() == "to err\n"

    late = submit("late", "sleep 300", max_wallclock_seconds=60)
    subprocess.run(["sandbatch", "cluster", "wait", "--job", late, "--state", "RUNNING"], check=True)
    subprocess.run(["sandbatch", "cluster", "advance", "3m"], check=True)
    subprocess.run(["sandbatch", "cluster", "wait", "--job", late], check=True)
    detailed = scheduler.get_detailed_job_info(late)
    code = scheduler.parse_output(detailed, "", Path("late.err").read_text())
    assert code is not None and code.status == 120, (code, detailed)

    assert scheduler.kill_job(long) and scheduler.kill_job(held)
    subprocess.run(["sandbatch", "cluster", "wait", "--job", long], check=True)
    left = scheduler.get_jobs(jobs=[long, held], as_dict=True)
    assert all(job.job_state == JobState.DONE for job in left.values()) or not left, left
print("ok")
