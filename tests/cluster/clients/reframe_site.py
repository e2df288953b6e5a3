"""A system for ReFrame, once with sacct and once with squeue as its source of states."""

site_configuration = {
    "systems": [{
        "name": "sandbatch", "hostnames": [".*"],
        "partitions": [{
            "name": "cpu", "scheduler": "slurm", "launcher": "srun", "access": ["--partition=cpu"],
            "environs": ["plain"], "max_jobs": 4,
        }, {
            "name": "squeue", "scheduler": "squeue", "launcher": "srun", "access": ["--partition=cpu"],
            "environs": ["plain"], "max_jobs": 4,
        }],
    }],
    "environments": [{"name": "plain", "cc": "gcc"}],
}
