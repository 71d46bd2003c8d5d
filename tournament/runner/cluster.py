"""Blocks played on a cluster of Dask Distributed; this process stays the only one that writes."""

from __future__ import annotations

import logging
import signal
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import yaml

from tournament.blocks import BlockPlayer, Job, Setup
from tournament.configuration import Configuration, Source, resolve
from tournament.errors import RunError, TournamentError
from tournament.players.base import Interrupts
from tournament.records.configuration import ConfigurationFile
from tournament.runner.crews import JOBS_A_WORKER, Finished, WorkerKilledError, play_block
from tournament.runner.describing import entrant_info, versions
from tournament.runner.window import MOST_KILLS

LOCAL = "local"


class ClusterCrew:
    """Plays on the workers of a scheduler; what a worker that dies had begun, the scheduler gives to another."""

    def __init__(self, setup: Setup, configuration: Configuration, *, address: str, workers: int) -> None:
        """Connects, or with the address `local` starts so many workers, and checks every worker.

        Raises `RunError` when nothing answers, or a worker has other bots, rules or versions.
        """
        try:
            from distributed import Client, LocalCluster
        except ImportError:
            raise RunError(
                "--cluster needs Dask Distributed. Install it: pip install '.[cluster]' in the project's folder."
            ) from None
        self._cluster: Any = None
        if address == LOCAL:
            self._cluster = LocalCluster(  # type: ignore[no-untyped-call]
                n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL
            )
        try:
            self._client = Client(  # type: ignore[no-untyped-call]
                self._cluster or address, set_as_default=False, timeout="10s"
            )
        except (OSError, ValueError) as error:
            raise RunError(f"No Dask scheduler answers at {address}: {error}. Check the address.") from None
        self._executor: Any = self._client.get_executor(pure=False)  # type: ignore[no-untyped-call]
        self._setup = setup
        self._expected = Expected.of(configuration)
        self._waiting: list[Future[Finished]] = []
        try:
            count = self._check_workers()
        except BaseException:
            self.close(at_once=True)
            raise
        self._room = JOBS_A_WORKER * count
        self.window = 2 * self._room

    def _check_workers(self) -> int:
        """Returns how many workers there are."""
        self._client.wait_for_workers(1, timeout=30)
        answers: dict[str, str | None] = self._client.run(_check, self._expected)
        for worker, problem in answers.items():
            if problem is not None:
                raise RunError(f"The worker {worker} cannot play this run: {problem}")
        return len(answers)

    def has_room(self) -> bool:
        """Returns whether the workers have fewer than `JOBS_A_WORKER` jobs each."""
        self._waiting = [future for future in self._waiting if not future.done()]
        return len(self._waiting) < self._room

    def submit(self, job: Job) -> Future[Finished]:
        """Returns the block to be."""
        future: Future[Finished] = self._executor.submit(_play, self._setup, self._expected, job)
        self._waiting.append(future)
        return future

    def check(self, future: Future[Finished]) -> Finished:
        """Returns a block that is done."""
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker:  # the scheduler has tried it on several workers
            raise WorkerKilledError(MOST_KILLS) from None

    def close(self, *, at_once: bool = False) -> None:
        """Lets go of the cluster; one of our own ends."""
        if not at_once:
            with suppress(Exception):  # a worker that has gone has let go of its bots
                self._client.run(_end)
        self._client.close()  # type: ignore[no-untyped-call]
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """What every worker must find: the same program and the same bots, in the same places."""

    text: str
    """The configuration."""

    base: str
    fingerprints: tuple[tuple[str, ...], ...]
    rules: tuple[tuple[str, int], ...]
    versions: dict[str, str]

    @classmethod
    def of(cls, configuration: Configuration) -> Expected:
        """Returns what this machine finds."""
        return cls(
            text=configuration.text,
            base=str(configuration.base.resolve()),
            fingerprints=tuple(
                tuple(bot.fingerprint for bot in entrant_info(entrant, configuration.groups).bots)
                for entrant in configuration.entrants
            ),
            rules=tuple((group.name, group.game.rules_version) for group in configuration.groups),
            versions=versions(),
        )


# What follows runs in a worker.


def _check(expected: Expected, dask_worker: Any = None) -> str | None:
    """Returns what is wrong with this worker as a sentence, or None."""
    with suppress(ValueError):  # outside the main thread handlers stay
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threads = dask_worker.state.nthreads if dask_worker is not None else 1
    if threads != 1:
        return f"it has {threads} threads, and bots need one. Start it with --nthreads 1."
    if versions() != expected.versions:
        return f"it has {versions()}, and this machine {expected.versions}. Install the same."
    file = msgspec.convert(yaml.safe_load(expected.text), ConfigurationFile)
    try:
        found = Expected.of(resolve(Source(file, Path(expected.base), None, {})))
    except TournamentError as error:
        return f"{error} Bots must lie in the same folders on every worker."
    if found.rules != expected.rules:
        return f"it has the rules {dict(found.rules)}, and this machine {dict(expected.rules)}. Install the same."
    if found.fingerprints != expected.fingerprints:
        return "its bots have other fingerprints. Copy the bots of this machine to it."
    return None


@cache
def _player(setup: bytes, expected: bytes) -> BlockPlayer:
    """Returns the player of a run; a worker that came late is checked here."""
    problem = _check(msgspec.msgpack.decode(expected, type=Expected))
    if problem is not None:
        raise RunError(f"A worker cannot play this run: {problem}")
    return BlockPlayer(msgspec.msgpack.decode(setup, type=Setup), interrupts=Interrupts())


def _play(setup: Setup, expected: Expected, job: Job) -> Finished:
    return play_block(_player(msgspec.msgpack.encode(setup), msgspec.msgpack.encode(expected)), job)


def _end() -> None:
    _player.cache_clear()
