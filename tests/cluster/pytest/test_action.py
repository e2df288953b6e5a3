"""The GitHub Action: its scripts run as a runner would run them, one after the other."""

import os
import pathlib
import subprocess

import pytest
import yaml

ACTION = pathlib.Path(__file__).parents[3] / "examples/cluster/action.yml"


@pytest.fixture
def runner(tmp_path):
    """Runs the action with inputs; returns the environment of the steps after it."""
    clusters = []

    def run(**given):
        action = yaml.safe_load(ACTION.read_text())
        inputs = {name: value["default"] for name, value in action["inputs"].items()} | given
        env = dict(os.environ)
        for step in action["runs"]["steps"]:
            if "run" not in step:
                continue
            files = {name: tmp_path / name for name in ("GITHUB_ENV", "GITHUB_PATH")}
            for file in files.values():
                file.touch()
            own = {key: value.replace("${{ inputs.site }}", inputs["site"]).replace("${{ inputs.options }}", inputs["options"])
                   for key, value in step.get("env", {}).items()}
            assert not any("${{" in text for text in [step["run"], *own.values()])
            shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            subprocess.run(shell, env=env | own | {name: str(file) for name, file in files.items()}, check=True)
            env.update(line.split("=", 1) for line in files["GITHUB_ENV"].read_text().splitlines())
            env["PATH"] = ":".join([*reversed(files["GITHUB_PATH"].read_text().splitlines()), os.environ["PATH"]])
        clusters.append(env)
        return env

    yield run
    for env in clusters:
        subprocess.run(["sandbatch", "cluster", "down"], env=env, check=True)


def test_the_next_step_submits(runner, tmp_path):
    env = runner()
    subprocess.run(["sbatch", "--wait", "-o", f"{tmp_path}/out", "--wrap", "echo $SLURM_CLUSTER_NAME"], env=env, check=True)
    assert (tmp_path / "out").read_text() == "lab\n"
    assert "SANDBATCH_REST" not in env


def test_site_and_options(runner):
    env = runner(site="mila", options="--rest 127.0.0.1:0 --slurm-version 24.11")
    version = subprocess.run(["sinfo", "--version"], env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert version == "slurm 24.11.5\n"
    assert env["SANDBATCH_REST"].startswith("http://127.0.0.1:")
