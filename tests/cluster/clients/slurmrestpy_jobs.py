"""The client of slurmrestd 24.11, for a cluster that claims to be 24.11."""

import os
import subprocess

import slurmrestpy

token = subprocess.run(["scontrol", "token"], check=True, capture_output=True, text=True).stdout.strip().split("=", 1)[1]
user = subprocess.run(["id", "-un"], check=True, capture_output=True, text=True).stdout.strip()
assert subprocess.run(["sinfo", "--version"], capture_output=True, text=True).stdout.startswith("slurm 24.11.")
configuration = slurmrestpy.Configuration(host=os.environ["SANDBATCH_REST"])
configuration.api_key = {"user": user, "token": token}
api = slurmrestpy.ApiClient(configuration)
slurm, slurmdb = slurmrestpy.SlurmApi(api), slurmrestpy.SlurmdbApi(api)
for version in ("v0040", "v0041", "v0042"):
    for part, methods, kinds in (
        ("slurm", slurm, ("ping", "diag", "jobs", "nodes", "partitions", "reservations", "licenses", "shares")),
        ("slurmdb", slurmdb, ("accounts", "users", "associations", "qos", "clusters", "tres", "jobs")),
    ):
        for kind in kinds:
            answer = getattr(methods, f"{part}_{version}_get_{kind}")()
            assert not answer.errors, answer.errors
print("ok")
