"""dask-jobqueue: workers as jobs, a computation, scaling down."""
import subprocess
import time

from dask.distributed import Client
from dask_jobqueue import SLURMCluster

if __name__ == "__main__":
    cluster = SLURMCluster(
        cores=1, processes=1, memory="1GB", walltime="00:10:00", queue="debug", local_directory="dask",
        interface="lo",
    )
    cluster.scale(jobs=2)
    client = Client(cluster)
    client.wait_for_workers(2, timeout=60)
    assert client.submit(lambda x: x + 1, 1).result(timeout=60) == 2
    assert sum(client.gather(client.map(lambda x: x * x, range(10)), )) == 285
    cluster.scale(jobs=0)
    for _ in range(300):
        left = subprocess.run(["squeue", "-h"], capture_output=True, text=True).stdout
        if not left:
            break
        time.sleep(0.1)
    client.close()
    cluster.close()
    assert not left, left
    print("ok")
