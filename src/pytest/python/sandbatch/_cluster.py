"""Starts, steers and ends a cluster with the `sandbatch` binary."""

import itertools
import os
import shutil
import subprocess
import sysconfig

_NUMBERS = itertools.count(1)


def binary():
    """The path of the binary: the one of this wheel, otherwise the one on PATH."""
    own = os.path.join(sysconfig.get_path("scripts"), "sandbatch")
    found = own if os.access(own, os.X_OK) else shutil.which("sandbatch")
    if found is None:
        raise FileNotFoundError("sandbatch: not found, neither beside this Python nor on PATH")
    return found


class Cluster:
    """A running cluster.

    The options are those of `sandbatch cluster up`, with underscores: `site="lab"`, `pace="max"`, `execute="model"`,
    `slurm_version="24.11"`, `seed=2`, `start="2026-01-01T08:00:00"`, `rest="127.0.0.1:0"` (a list for several addresses).
    It ends with `down`, at the end of a `with` block, or with this process.

    Attributes:
        name: its name, for `sandbatch cluster status NAME`.
        env: the variables to set for programs that shall use it: PATH, SANDBATCH_CLUSTER and, with `rest`, SANDBATCH_REST.
    """

    def __init__(self, **options):
        self.name = options.pop("name", None) or f"pytest-{os.getpid()}-{next(_NUMBERS)}"
        arguments = [f"--name={self.name}", f"--parent={os.getpid()}"]
        for key, value in options.items():
            values = value if isinstance(value, (list, tuple)) else [value]
            arguments += [f"--{key.replace('_', '-')}={one}" for one in values]
        lines = self._sandbatch("up", *arguments).stdout
        # The shell knows how to read its own quotes.
        done = subprocess.run(["sh", "-c", 'eval "$1"; env -0', "sh", lines], stdout=subprocess.PIPE, check=True, text=True)
        variables = dict(line.partition("=")[::2] for line in done.stdout.split("\0") if line)
        names = ("PATH", "SANDBATCH_CLUSTER", "SANDBATCH_REST")
        self.env = {name: variables[name] for name in names if f"export {name}=" in lines}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.down()

    def _sandbatch(self, command, *arguments, check=True):
        done = subprocess.run([binary(), "cluster", command, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if check and done.returncode != 0:
            raise RuntimeError(f"sandbatch cluster {command}: {(done.stderr or done.stdout).strip()}")
        return done

    def run(self, *argv, check=True, **options):
        """Runs a command with this cluster and returns its output, without the last line break."""
        env = {**os.environ, **self.env, **options.pop("env", {})}
        done = subprocess.run(argv, check=check, env=env, stdout=subprocess.PIPE, text=True, **options)
        return done.stdout.rstrip("\n")

    def wait(self, job, state=None, timeout=60):
        """Waits until a job is in a state, or has ended. Returns its state; raises TimeoutError after these real seconds."""
        wanted = [f"--state={state}"] if state else []
        limit = f"--timeout={timeout}"
        done = self._sandbatch("wait", f"--name={self.name}", f"--job={job}", limit, *wanted, check=False)
        if done.returncode != 0:
            raise TimeoutError(f"job {job}: {(done.stderr or done.stdout).strip()}")
        return self.state(job)

    def state(self, job):
        """The state of a job, as sacct prints it: `COMPLETED`, `CANCELLED`."""
        lines = self.run("sacct", "-X", "-n", "-P", "-o", "State", "-j", str(job)).splitlines()
        return lines[0].split()[0] if lines else ""

    def advance(self, time):
        """Lets virtual time pass at once: `90s`, `1h`."""
        self._sandbatch("advance", f"--name={self.name}", str(time))

    def inject(self, *fault):
        """Makes something fail: `inject("node-fail", "c01")`. See `sandbatch cluster inject --help`."""
        self._sandbatch("inject", f"--name={self.name}", *map(str, fault))

    def down(self):
        """Ends the cluster with everything that runs in it."""
        self._sandbatch("down", self.name, check=False)
