"""The client that openapi-generator makes from the description of slurmrestd 25.11: each answer is checked against its models."""

import os
import subprocess
import time

import slurmrestapi
from slurmrestapi.exceptions import ServiceException, UnauthorizedException

HERE = os.getcwd()
token = subprocess.run(["scontrol", "token"], check=True, capture_output=True, text=True).stdout.strip().split("=", 1)[1]
user = subprocess.run(["id", "-un"], check=True, capture_output=True, text=True).stdout.strip()


def client(token):
    configuration = slurmrestapi.Configuration(host=os.environ["SANDBATCH_REST"], api_key={"user": user, "token": token})
    return slurmrestapi.ApiClient(configuration)


def calls(version):
    """The methods of one version of the API, by name."""
    api = client(token)
    found = {}
    for part, methods in (("slurm", slurmrestapi.SlurmApi(api)), ("slurmdb", slurmrestapi.SlurmdbApi(api))):
        prefix = f"{part}_{version}_"
        for name in dir(methods):
            if name.startswith(prefix) and not name.endswith(("_with_http_info", "_without_preload_content")):
                found[f"{part}_{name.removeprefix(prefix)}"] = getattr(methods, name)
    return found


def state(version, job):
    return calls(version)["slurm_get_job"](str(job)).jobs[0].job_state


for version in ("v0041", "v0042", "v0043", "v0044"):
    call = calls(version)
    name = version[0].upper() + version[1:]
    request = getattr(slurmrestapi, f"{name}JobSubmitReq").from_dict({
        "script": f"#!/bin/bash\necho {version} $SLURM_JOB_NAME $OWN\n[ $SLURM_ARRAY_TASK_ID != 2 ]\n",
        "job": {
            "name": "rest",
            "array": "1-2",
            "tasks": 1,
            "environment": ["PATH=/usr/bin:/bin", "OWN=value"],
            "current_working_directory": HERE,
            "standard_output": f"{version}-%a.txt",
            "time_limit": {"set": True, "infinite": False, "number": 5},
        },
    })
    job = call["slurm_post_job_submit"](request).job_id
    held = getattr(slurmrestapi, f"{name}JobSubmitReq").from_dict({
        "script": "#!/bin/bash\ntrue\n",
        "job": {"environment": ["A=b"], "current_working_directory": HERE, "hold": True},
    })
    waiting = call["slurm_post_job_submit"](held).job_id
    # Everything that can be read, through the models.
    call["slurm_get_ping"]()
    call["slurm_get_diag"]()
    assert any(j.job_id == job for j in call["slurm_get_jobs"]().jobs)
    assert all(j.job_state for j in call["slurm_get_jobs_state"]().jobs)
    nodes = call["slurm_get_nodes"]().nodes
    assert call["slurm_get_node"](nodes[0].name).nodes[0].name == nodes[0].name
    partitions = call["slurm_get_partitions"]().partitions
    assert call["slurm_get_partition"](partitions[0].name).partitions[0].name == partitions[0].name
    call["slurm_get_reservations"]()
    call["slurm_get_licenses"]()
    assert call["slurm_get_shares"]().shares.shares
    for kind in ("accounts", "users", "associations", "qos", "clusters", "tres", "config", "jobs"):
        call[f"slurmdb_get_{kind}"]()
    # Change, cancel.
    changed = getattr(slurmrestapi, f"{name}JobDescMsg").from_dict({"time_limit": {"set": True, "number": 7}})
    call["slurm_post_job"](str(waiting), changed)
    assert call["slurm_get_job"](str(waiting)).jobs[0].time_limit.number == 7
    call["slurm_delete_job"](str(waiting))
    assert state(version, waiting) == ["CANCELLED"], state(version, waiting)
    for _ in range(300):
        states = sorted(s for j in call["slurmdb_get_job"](str(job)).jobs for s in j.state.current)
        if states == ["COMPLETED", "FAILED"]:
            break
        time.sleep(0.1)
    assert states == ["COMPLETED", "FAILED"], states
    with open(f"{version}-1.txt") as out:
        assert out.read() == f"{version} rest value\n"

# Errors.
call = calls("v0044")
try:
    call["slurm_get_job"]("99999")
    raise AssertionError("there is no such job")
except ServiceException as error:
    assert error.status == 500 and '"error_number": 2017' in error.body, error
try:
    bad = slurmrestapi.V0044JobSubmitReq.from_dict({
        "script": "#!/bin/sh\n",
        "job": {"environment": ["A=b"], "current_working_directory": HERE, "partition": "nosuch"},
    })
    call["slurm_post_job_submit"](bad)
    raise AssertionError("there is no such partition")
except ServiceException as error:
    assert '"error_number": 2000' in error.body and "slurm_submit_batch_job()" in error.body, error
try:
    slurmrestapi.SlurmApi(client("x.y.z")).slurm_v0044_get_ping()
    raise AssertionError("that is no token")
except UnauthorizedException as error:
    assert error.body == "Authentication failure", error

print("ok")
