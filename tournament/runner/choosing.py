"""Which crew plays a run."""

from __future__ import annotations

from pathlib import Path

from tournament.blocks import Setup
from tournament.configuration import Configuration
from tournament.players.base import Interrupts
from tournament.runner.crews import Crew, OwnProcess, WorkerProcesses
from tournament.runner.observing import Observer, Observers


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

        note = (observer or Observers()).note
        return ClusterCrew(setup, configuration, address=cluster, workers=workers, folder=folder, note=note)
    return OwnProcess(setup, interrupts) if workers == 1 else WorkerProcesses(setup, workers)


def setup_of(configuration: Configuration, *, folder: Path | None = None) -> Setup:
    """Returns what all blocks of a run have in common; a sandbox hides the folder of the run."""
    return Setup(
        tournament=configuration.name,
        entrants=configuration.entrants,
        hosting=configuration.hosting,
        hidden=() if folder is None else (str(folder.resolve()),),
    )
