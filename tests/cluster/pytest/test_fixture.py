"""The fixture of the wheel, as an author of a Slurm tool would use it."""

import json
import os
import subprocess
import urllib.error
import urllib.request

import pytest

import sandbatch


def submit(*options):
    return subprocess.check_output(["sbatch", "--parsable", "-o", os.devnull, *options], text=True).strip()


def test_jobs_run_here(sandbatch_cluster, tmp_path):
    job = submit("--wrap", f"echo $SLURM_JOB_ID > {tmp_path}/id; exit 3")
    assert sandbatch_cluster.wait(job) == "FAILED"
    assert (tmp_path / "id").read_text() == f"{job}\n"


def test_each_test_has_its_own_cluster(sandbatch_cluster):
    assert sandbatch_cluster.run("squeue", "-h", "-t", "all") == ""
    assert os.environ["SANDBATCH_CLUSTER"] == sandbatch_cluster.env["SANDBATCH_CLUSTER"]


@pytest.mark.sandbatch(execute="model", pace="max")
def test_hours_pass_at_once(sandbatch_cluster):
    job = submit("--wrap", "sleep 3000")
    assert sandbatch_cluster.wait(job) == "COMPLETED"


def test_a_node_fails(sandbatch_cluster):
    job = submit("--no-requeue", "--wrap", "sleep 600")
    sandbatch_cluster.wait(job, "RUNNING")
    sandbatch_cluster.inject("node-fail", sandbatch_cluster.run("squeue", "-h", "-o", "%N", "-j", job))
    assert sandbatch_cluster.wait(job) == "NODE_FAIL"


def test_what_cannot_be_waited_for(sandbatch_cluster):
    job = submit("--hold", "--wrap", "true")
    with pytest.raises(TimeoutError):
        sandbatch_cluster.wait(job, "RUNNING", timeout=1)


@pytest.mark.sandbatch(rest="127.0.0.1:0", slurm_version="24.11")
def test_slurmrestd(sandbatch_cluster):
    token = sandbatch_cluster.run("scontrol", "token").partition("=")[2]
    url = f"{os.environ['SANDBATCH_REST']}/slurm/v0.0.42/ping"
    request = urllib.request.Request(url, headers={"X-SLURM-USER-TOKEN": token})
    assert json.load(urllib.request.urlopen(request))["pings"][0]["responding"] is True
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(url)


def test_a_site_that_does_not_exist():
    with pytest.raises(RuntimeError, match="nosuchsite"):
        sandbatch.Cluster(site="nosuchsite")


def test_it_ends():
    with sandbatch.Cluster(site="lab") as cluster:
        assert os.path.isdir(cluster.env["SANDBATCH_CLUSTER"])
    assert not os.path.exists(cluster.env["SANDBATCH_CLUSTER"])
