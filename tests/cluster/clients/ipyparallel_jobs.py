"""Engines of ipyparallel as one Slurm job: a map, each engine's rank, a failure, the end."""

import subprocess
import time
import ipyparallel


def rank():
    import os
    return int(os.environ["SLURM_PROCID"]), os.environ["SLURM_JOB_PARTITION"]


def states():
    return subprocess.check_output(["squeue", "--me", "-h", "-o", "%T"], text=True).split()


cluster = ipyparallel.Cluster(engines="slurm", n=3, engine_timeout=60)
cluster.config.SlurmEngineSetLauncher.queue = "cpu"
cluster.config.SlurmEngineSetLauncher.timelimit = "0:30"
with cluster as client:
    view = client[:]
    assert sorted(view.apply_sync(rank)) == [(n, "cpu") for n in range(3)], view.apply_sync(rank)
    assert view.map_sync(lambda n: n * n, range(10)) == [n * n for n in range(10)]
    try:
        client[1].apply_sync(lambda: 1 / 0)
        raise SystemExit("an exception did not come back")
    except ipyparallel.error.RemoteError as error:
        assert error.ename == "ZeroDivisionError"
    assert states() == ["RUNNING"]
for _ in range(100):
    if states() in ([], ["COMPLETING"]):
        break
    time.sleep(0.1)
else:
    raise SystemExit(f"engines remain: {states()}")
last = subprocess.check_output(["sacct", "-X", "-n", "-P", "-o", "alloccpus,state"], text=True)
assert last.startswith("3|CANCELLED by "), last
print("ok")
