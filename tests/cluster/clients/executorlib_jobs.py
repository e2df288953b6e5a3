"""Functions through executorlib: one batch job for each call, with dependencies; and steps within an allocation."""

import subprocess
import sys
from executorlib import SlurmClusterExecutor, SlurmJobExecutor


def add(a, b):
    return a + b


def where():
    import os
    return os.environ["SLURM_JOB_PARTITION"], os.environ.get("SLURM_STEP_ID")


def fail():
    raise ValueError("on purpose")


if "inside" in sys.argv:
    # In a job: each worker is a step.
    with SlurmJobExecutor(max_workers=2, hostname_localhost=True) as executor:
        futures = [executor.submit(add, i, i, resource_dict={"cores": 1}) for i in range(4)]
        assert [f.result(timeout=60) for f in futures] == [0, 2, 4, 6]
        partition, step = executor.submit(where).result(timeout=60)
        assert partition == "cpu" and int(step) >= 0, (partition, step)
    print("inside ok")
    raise SystemExit

# The client's own template asks for --get-user-env=L, which Slurm 26.05 refuses.
template = """\
#!/bin/bash
#SBATCH --output=time.out
#SBATCH --job-name={{job_name}}
#SBATCH --chdir={{working_directory}}
{%- if partition %}
#SBATCH --partition={{partition}}
{%- endif %}
{%- if dependency_list %}
#SBATCH --dependency=afterok:{{ dependency_list | join(',') }}
{%- endif %}
#SBATCH --ntasks={{cores}}

{{command}}
"""
resources = {"partition": "cpu", "cores": 1, "submission_template": template}
with SlurmClusterExecutor(cache_directory="cache", resource_dict=resources) as executor:
    first = executor.submit(add, 1, 2)
    # Depends on the first.
    second = executor.submit(add, first, 10)
    broken = executor.submit(fail)
    assert first.result(timeout=90) == 3
    assert second.result(timeout=90) == 13
    try:
        broken.result(timeout=90)
        raise SystemExit("an exception did not come back")
    except ValueError as error:
        assert "on purpose" in str(error)
inside = subprocess.run(["salloc", "-Q", "-n", "4", "-p", "cpu", sys.executable, __file__, "inside"], timeout=120)
assert inside.returncode == 0
print("ok")
