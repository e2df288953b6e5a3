"""parsl: a pilot job with the high-throughput executor, apps that depend on each other, a failing app."""
import parsl
from parsl.app.app import bash_app, python_app
from parsl.config import Config
from parsl.executors import HighThroughputExecutor
from parsl.launchers import SrunLauncher
from parsl.providers import SlurmProvider


@python_app
def add(a, b):
    return a + b


@python_app
def fail():
    raise RuntimeError("on purpose")


@bash_app
def where(stdout="where.out"):
    return "echo job $SLURM_JOB_ID"


if __name__ == "__main__":
    config = Config(
        executors=[
            HighThroughputExecutor(
                label="slurm", address="127.0.0.1", max_workers_per_node=2, cores_per_worker=1,
                provider=SlurmProvider(
                    partition="debug", nodes_per_block=1, init_blocks=1, min_blocks=0, max_blocks=1,
                    walltime="00:05:00", launcher=SrunLauncher(), exclusive=False, cores_per_node=2,
                ),
            )
        ],
        strategy="none",
        usage_tracking=0,
    )
    with parsl.load(config):
        total = add(add(1, 2), add(3, 4))
        assert total.result(timeout=120) == 10
        where().result(timeout=60)
        assert open("where.out").read().startswith("job "), open("where.out").read()
        try:
            fail().result(timeout=60)
            raise SystemExit("the failure was lost")
        except RuntimeError as error:
            assert "on purpose" in str(error)
    print("ok")
