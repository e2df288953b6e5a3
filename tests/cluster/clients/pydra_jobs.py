"""Tasks by pydra's Slurm worker: a split as four jobs, a workflow of two tasks, a failure, a refused partition."""

import subprocess
import tempfile
import pydra


@pydra.mark.task
def add(a, b):
    return a + b


@pydra.mark.task
def place():
    import os
    return os.environ["SLURM_JOB_PARTITION"]


@pydra.mark.task
def fail():
    raise ValueError("on purpose")


def run(task, arguments):
    with pydra.Submitter(plugin="slurm", sbatch_args=arguments) as submitter:
        submitter(task)


if __name__ == "__main__":
    cache = tempfile.mkdtemp(dir=".")
    split = add(name="four", b=10, cache_dir=cache).split("a", a=[1, 2, 3, 4])
    run(split, "-p cpu")
    assert [r.output.out for r in split.result()] == [11, 12, 13, 14]

    flow = pydra.Workflow(name="flow", input_spec=["x"], x=1, cache_dir=cache)
    flow.add(add(name="first", a=flow.lzin.x, b=1))
    flow.add(add(name="second", a=flow.first.lzout.out, b=40))
    flow.set_output([("out", flow.second.lzout.out)])
    run(flow, "-p cpu")
    assert flow.result().output.out == 42

    there = place(name="place_it", cache_dir=cache)
    run(there, "--partition=debug --job-name=there")
    assert there.result().output.out == "debug"

    broken = fail(name="broken", cache_dir=cache)
    try:
        run(broken, "-p cpu")
        raise SystemExit("an exception did not come back")
    except Exception as error:
        assert "on purpose" in str(error), error
    refused = add(name="refused", a=1, b=1, cache_dir=cache)
    try:
        run(refused, "-p nowhere")
        raise SystemExit("a partition that does not exist was accepted")
    except RuntimeError as error:
        assert "invalid partition specified: nowhere" in str(error), error
    states = subprocess.check_output(["sacct", "-X", "-n", "-o", "state"], text=True).split()
    assert sorted(states) == ["COMPLETED"] * 7 + ["FAILED"], states
    print("ok")
