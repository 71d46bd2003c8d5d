"""Who reaches a cluster: whom Dask listens to, for him it runs programs (docs/how-to/cluster.md, What to mind)."""

from __future__ import annotations

import asyncio
import sys

import pytest
from needs import need_module

from tournament import run_tournament
from tournament.errors import ConfigurationError, RunError
from tournament.records.settings import Isolation
from tournament.run.cluster_sides import SchedulerConnection

need_module("distributed", extra="cluster")
need_module("cryptography", extra="cluster")
pytestmark = [
    pytest.mark.long,  # schedulers and workers of a cluster are started
    pytest.mark.filterwarnings("default"),  # Dask's own sockets and files are not ours to close
    pytest.mark.skipif(sys.platform != "linux", reason="as the other tests of clusters"),
]

NOWHERE = "tcp://127.0.0.1:9"


async def asked(address, security):
    """Returns what a process of Dask says to somebody, or the class of what is raised."""
    from distributed.core import rpc

    arguments = security.get_connection_args("client")
    try:
        async with rpc(address, timeout=3, connection_args=arguments) as process:
            return (await asyncio.wait_for(process.identity(), 3))["type"]
    except (TimeoutError, OSError, TypeError) as error:
        return type(error).__name__


def test_only_who_has_the_key_of_the_run_is_heard_by_a_cluster_of_our_own():
    """A bot in a process reached its ports, and had programs run as root."""
    from distributed.security import Security

    connection = SchedulerConnection("local", workers=1, note=print)
    try:
        scheduler = connection.cluster.scheduler_address
        (worker,) = connection.client.nthreads()
        ours = [asyncio.run(asked(one, connection.cluster.security)) for one in (scheduler, worker)]
        others = [
            asyncio.run(asked(one, security))
            for one in (scheduler, worker)
            for security in (Security(), Security.temporary())
        ]
        plain = [asyncio.run(asked(one.replace("tls://", "tcp://"), Security())) for one in (scheduler, worker)]
    finally:
        connection.close()

    assert ["tls", "tls"] == [one.partition("://")[0] for one in (scheduler, worker)]
    assert ["Scheduler", "Worker"] == ours
    assert not {"Scheduler", "Worker"} & {*others, *plain}


def entries(isolation):
    """Returns the entries of two bots with a level of their own."""
    return tuple({"bot": f"bots/{name}.py", "isolation": isolation} for name in ("ada", "bea"))


def test_bots_in_processes_are_refused_on_a_scheduler_that_runs_somewhere(configure, tmp_path):
    """They have a network; nothing is asked of the scheduler before."""
    configuration = configure(isolation=Isolation.PROCESS)
    with pytest.raises(ConfigurationError, match=r'"ada" would play at isolation process, where a bot reaches .*9 can'):
        run_tournament(configuration, out=tmp_path / "run", cluster=NOWHERE)


@pytest.mark.parametrize("chosen", [entries("process"), ("bots/random_legal.py", "bots/explorers_cautious.py")])
def test_bots_whose_own_entry_says_so_and_those_that_came_along_play_there(chosen, configure, tmp_path):
    """The host vouches for them; it comes as far as the connection."""
    configuration = configure(isolation=Isolation.PROCESS, bots=chosen)
    with pytest.raises(RunError, match="No Dask scheduler answers"):
        run_tournament(configuration, out=tmp_path / "run", cluster=NOWHERE)


def test_without_what_makes_a_key_no_cluster_is_started_here(configure, tmp_path, monkeypatch):
    """The sentence says how to install it."""
    monkeypatch.setitem(sys.modules, "cryptography", None)
    with pytest.raises(RunError, match=r"`cluster` local needs cryptography.* Install it: pip install"):
        run_tournament(configure(), out=tmp_path / "run", cluster="local")
