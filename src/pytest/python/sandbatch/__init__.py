"""A Slurm cluster in the background, for tests. See `Cluster`."""

from ._cluster import Cluster, binary

__all__ = ["Cluster", "binary"]
