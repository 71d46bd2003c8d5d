"""What runs in the workers of a cluster: the check of what is there, and the bots of a run, which end with it.

What is sent is bytes beside the functions themselves: Dask's scheduler loads it, too.
"""

from __future__ import annotations

import signal
import threading
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import yaml

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, resolve
from tournament.configuration.types import ConfigurationFile
from tournament.errors import RunError, TournamentError
from tournament.players.base import Interrupts
from tournament.run import describing


class Requirements(msgspec.Struct, frozen=True, kw_only=True):
    """What every worker must find: the same rules and the same bots, in the same places."""

    text: str
    """The configuration."""

    base: str
    finding_version: int
    fingerprints: tuple[tuple[str, ...], ...]
    rules: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, configuration: Configuration) -> Requirements:
        """Returns what this machine finds."""
        return cls(
            text=configuration.text,
            base=str(configuration.base.resolve()),
            finding_version=configuration.finding_version,
            fingerprints=tuple(
                tuple(bot.fingerprint for bot in describing.entrant_info(entrant, configuration.groups).bots)
                for entrant in configuration.entrants
            ),
            rules=tuple((group.name, group.game.rules_version) for group in configuration.groups),
        )


class Guest:
    """The bots of one run in one worker.

    It is the result of a task that the runner holds on to. When the runner lets go of it, or is gone, the scheduler
    has the worker drop it, and the bots end: at once, or when the block has ended that the worker is playing.
    """

    def __init__(self, setup: bytes) -> None:
        """Takes what all blocks have in common, encoded; loads no bot yet."""
        self._setup = setup
        self._player: BlockPlayer | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        # Dask may move what it holds, to the disk or to another worker: the bots are loaded again there.
        return Guest, (self._setup,)

    def player(self) -> BlockPlayer:
        """Returns the player, with every bot loaded. Raises `BotError`."""
        if self._player is None:
            self._player = BlockPlayer(msgspec.msgpack.decode(self._setup, type=Setup), interrupts=Interrupts())
            # A process that ends takes its bots with it, and can start no thread any more.
            weakref.finalize(self, _close_beside, self._player).atexit = False
        return self._player

    def close(self) -> None:
        """Ends the bots, and waits for that."""
        if self._player is not None:
            self._player.close()
            self._player = None


def _close_beside(player: BlockPlayer) -> None:
    """Ends bots in a thread: the one that dropped them may be that by which the worker hears of the scheduler."""
    threading.Thread(target=player.close).start()


def begin(expected: bytes, setup: bytes) -> Guest:
    """Returns the bots of a run, loaded. Raises `RunError` for a worker that differs, `BotError`."""
    problem = difference(msgspec.msgpack.decode(expected, type=Requirements))
    if problem is not None:
        raise RunError(problem)
    guest = Guest(setup)
    guest.player()
    return guest


def difference(expected: Requirements) -> str | None:
    """Returns in what this worker differs from the machine of the runner, as a sentence, or None."""
    file = msgspec.convert(yaml.safe_load(expected.text), ConfigurationFile)
    try:
        source = ConfigurationSource(file, Path(expected.base), None, {})
        found = Requirements.of(resolve(source, finding_version=expected.finding_version))
    except TournamentError as error:
        return f"{error} Bots must lie in the same folders on every worker."
    if found.rules != expected.rules:
        return f"it has the rules {dict(found.rules)}, and this machine {dict(expected.rules)}. Install the same."
    if found.fingerprints != expected.fingerprints:
        return "its bots have other fingerprints. Copy the bots of this machine to it."
    return None


def play(guest: Guest, job: bytes) -> PlayedBlock:
    """Returns a block, played, without its records as objects."""
    played = guest.player().play(msgspec.msgpack.decode(job, type=Job))
    return msgspec.structs.replace(played, records=())


def end(guest: Guest) -> None:
    """Ends the bots of a run."""
    guest.close()


def versions() -> dict[str, str]:
    """Returns what plays in this worker."""
    return describing.versions()


def ignore_interrupts() -> None:
    """Leaves Ctrl-C to the runner, in whose terminal this worker is."""
    with suppress(ValueError):  # outside the main thread handlers stay
        signal.signal(signal.SIGINT, signal.SIG_IGN)
