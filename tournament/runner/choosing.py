"""Which crew plays a run."""

from __future__ import annotations

from pathlib import Path

from tournament.configuration import Configuration
from tournament.errors import ConfigurationError
from tournament.players.base import Interrupts
from tournament.players.preparing import is_shipped, isolation_of
from tournament.records.hosting import Isolation
from tournament.runner.crews import Crew, OwnProcess
from tournament.runner.jobs import setup_of
from tournament.runner.observing import Observer, Observers
from tournament.runner.workers import WorkerProcesses


def crew_of(
    configuration: Configuration,
    *,
    folder: Path,
    workers: int,
    cluster: str | None,
    interrupts: Interrupts,
    observer: Observer | None,
) -> Crew:
    """Returns who plays a run into a folder: this process, so many workers, or a cluster.

    `observer` is told of workers of a cluster that come and go. Raises `BotError` for bots that do not load,
    `ConfigurationError` and `RunError` for a cluster that cannot play.
    """
    setup = setup_of(configuration, folder=folder)
    if cluster is not None:
        from tournament.runner.cluster import ClusterCrew  # lazy: Dask takes a second
        from tournament.runner.cluster_connecting import LOCAL

        if cluster != LOCAL:
            _check_reach(configuration, cluster)

        note = (observer or Observers()).note
        return ClusterCrew(setup, configuration, address=cluster, workers=workers, folder=folder, note=note)
    return OwnProcess(setup, interrupts) if workers == 1 else WorkerProcesses(setup, workers)


def _check_reach(configuration: Configuration, cluster: str) -> None:
    """Raises `ConfigurationError` for a bot that could reach the scheduler, and for which nobody vouches."""
    for entrant in configuration.entrants:
        for source in entrant.bots:
            level = isolation_of(source, configuration.hosting)
            if level is Isolation.PROCESS and source.isolation is None and not is_shipped(source):
                raise ConfigurationError(
                    f'"{entrant.name}" would play at isolation process, where a bot reaches the network, and whoever '
                    f"reaches the scheduler at {cluster} can run programs on all its workers. Choose isolation: "
                    "sandbox for bots of others, none for your own, or write isolation: process into the entry of a "
                    "bot that you trust so far."
                )
