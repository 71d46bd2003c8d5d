"""A cluster of Dask Distributed."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path

import pytest
from needs import need_module
from small_runs import wait_until

from tournament import run_tournament
from tournament.errors import RunError
from tournament.records.results import RESULTS_FILE
from tournament.run import cluster, cluster_sides
from tournament.store.folder import read_run

need_module("distributed", extra="cluster")
need_module("cryptography", extra="cluster")
pytestmark = [
    pytest.mark.filterwarnings("default"),  # Dask's own sockets and files are not ours to close
    pytest.mark.skipif(sys.platform != "linux", reason="workers are found by /proc"),
]


def data(folder: Path) -> bytes:
    """Returns records and results."""
    return (folder / "games.jsonl").read_bytes() + (folder / RESULTS_FILE).read_bytes()


@pytest.mark.long  # a scheduler and workers are started, and one is killed
def test_a_cluster_writes_the_bytes_of_one_worker_though_one_of_its_own_is_killed(configure, tmp_path, monkeypatch):
    """--cluster local: a worker killed mid-run loses nothing; the runner stays the only writer."""
    from tournament.configuration.types import Budget

    monkeypatch.setattr(cluster, "ANSWER_SECONDS", 3.0)  # for a block that the killed one had and nobody fetches now
    whole = run_tournament(configure(budget=Budget(deals=60)), out=tmp_path / "whole")
    folder = tmp_path / "run"
    killed: list[int] = []

    def kill_a_worker() -> None:
        wait_until(lambda: (folder / RESULTS_FILE).exists() and (folder / RESULTS_FILE).stat().st_size > 0)
        (process, *_) = dask_workers()
        os.kill(process, signal.SIGKILL)
        killed.append(process)

    killer = threading.Thread(target=kill_a_worker)
    killer.start()
    run_tournament(configure(budget=Budget(deals=60), workers=2), out=folder, cluster="local")
    killer.join()

    assert 1 == len(killed)
    assert data(whole) == data(folder)
    (segment,) = read_run(folder).segments
    assert segment.cluster is not None
    assert (1, True) == (segment.cluster.lost_workers, segment.cluster.lost_blocks > 0)
    assert segment.cluster.workers in (2, 3)  # the one in its place may come too late to play


def dask_workers() -> list[int]:
    """Returns the worker processes that this process started."""
    from distributed import LocalCluster

    (own,) = [one for one in LocalCluster._instances if one.status.name == "running"]
    return [nanny.pid for nanny in own.workers.values()]


def test_a_worker_with_other_bots_is_refused(configure, bots, tmp_path):
    """Bots, versions and fingerprints are checked on every worker before play."""
    expected = cluster_sides.Requirements.of(configure())
    (bots / "ada.py").write_text((bots / "ada.py").read_text() + "\n# another\n")

    assert "its bots have other fingerprints" in str(cluster_sides.difference(expected))


def test_a_scheduler_that_does_not_answer_is_told(configure, tmp_path, monkeypatch):
    """No answer: a clear refusal, and no folder is left behind."""
    monkeypatch.setattr(cluster_sides, "CONNECT_SECONDS", 0.5)
    with pytest.raises(RunError, match="No Dask scheduler answers"):
        run_tournament(configure(), out=tmp_path / "run", cluster="tcp://127.0.0.1:1")
    assert not (tmp_path / "run").exists()
