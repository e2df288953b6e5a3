"""The pytest plugin: the fixture `sandbatch_cluster` and the marker `sandbatch`."""

import pytest

from ._cluster import Cluster


def pytest_addoption(parser):
    parser.addini("sandbatch", "options of clusters, one per line: site = lab", type="linelist", default=[])


def pytest_configure(config):
    config.addinivalue_line("markers", "sandbatch(**options): options of this test's cluster, as of `sandbatch cluster up`")


@pytest.fixture
def sandbatch_cluster(request, monkeypatch):
    """A Slurm cluster of this test's own. Its commands are on PATH; it ends with the test."""
    options = {}
    for line in request.config.getini("sandbatch"):
        key, _, value = line.partition("=")
        options[key.strip()] = value.strip()
    # The closest marker wins.
    for marker in reversed(list(request.node.iter_markers("sandbatch"))):
        options.update(marker.kwargs)
    with Cluster(**options) as cluster:
        for name, value in cluster.env.items():
            monkeypatch.setenv(name, value)
        yield cluster
