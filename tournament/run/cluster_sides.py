"""The two sides of a cluster: the way to its scheduler, and what runs in its workers.

The scheduler is one of Dask that runs somewhere, or one of our own. A worker checks that it has what the run needs,
and keeps the bots of the run, which end with it. Beside the functions themselves only bytes are sent, because the
scheduler loads what is sent, too.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

import msgspec
import yaml

from tournament.blocks import BlockPlayer, Job, PlayedBlock, Setup
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, resolve
from tournament.configuration.types import ConfigurationFile
from tournament.errors import ConfigurationError, RunError, TournamentError, install_advice
from tournament.paths import real_path
from tournament.players.base import Interrupts
from tournament.players.linux.files import sweep_scratch
from tournament.players.preparation import is_shipped, isolation_of
from tournament.records.settings import Isolation
from tournament.run import describing
from tournament.text import format_place, option

LOCAL: Final = "local"
SCHEDULER_SECONDS: Final = 30.0
"""How long a run waits for its scheduler."""

ASK_SECONDS: Final = 1.0
CONNECT_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 5.0
SCHEMES: Final = ("tcp", "tls", "ws", "wss", "ucx")


class SchedulerConnection:
    """A client of a scheduler, and the cluster if it is our own."""

    def __init__(self, address: str, *, workers: int, note: Callable[[str], object]) -> None:
        """Connects, and says by `note` when it has to wait; with the address `local` it first starts so many workers.

        Raises `ConfigurationError` for a text that is no address, `RunError` when no scheduler answers.
        """
        if address != LOCAL:
            check_address(address)
        _need_distributed("--cluster")
        from distributed import Client

        self.client: Any = None
        self.cluster: Any = None
        self._levels = _hush()
        try:
            if address == LOCAL:
                self.cluster = _own_cluster(workers)
            else:
                # Asked first: a client that has not connected cannot be closed, and hangs at its end.
                _check_scheduler(address, note=note)
            self.client = Client(  # type: ignore[no-untyped-call]
                self.cluster or address, set_as_default=False, timeout=CONNECT_SECONDS
            )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Disconnects: the scheduler then drops all that this client asked for. A cluster of our own ends."""
        if self.client is not None:
            with suppress(Exception):  # the scheduler may be gone
                self.client.close(timeout=CLOSE_SECONDS)
        if self.cluster is not None:
            self.cluster.close()
            sweep_scratch()  # of workers that were killed
        for logger, level in self._levels.items():
            logger.setLevel(level)


def _hush() -> dict[logging.Logger, int]:
    """Keeps Dask's tracebacks from the terminal: errors say the same in sentences. Returns the levels before."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    levels = {logger: logger.level for logger in loggers}
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    return levels


def check_address(address: str) -> None:
    """Raises `ConfigurationError` for a text that is not the address of a scheduler."""
    scheme, _, place = address.rpartition("://")
    host, _, port = place.rpartition(":")
    if scheme not in ("", *SCHEMES) or "://" in scheme or not host or not (port.isascii() and port.isdigit()):
        raise ConfigurationError(
            f'{option("--cluster")} "{address}": expected the address of a Dask scheduler, such as '
            "tcp://127.0.0.1:8786, as "
            f"`dask scheduler` prints it, or {LOCAL} for one that is started here."
        )


def _own_cluster(workers: int) -> Any:
    """Returns a scheduler and workers on this machine, with a key of their own that nobody else has.

    Every user of this machine, and every bot in a process, can reach their ports, and Dask runs programs for everybody
    whom it accepts. Raises `RunError` where no key can be made.
    """
    import dask
    from distributed import LocalCluster
    from distributed.security import Security

    try:
        security = Security.temporary()  # type: ignore[no-untyped-call]
    except ImportError:
        advice = install_advice("cluster")
        raise RunError(f"{option('--cluster')} local needs cryptography, for the key of the run. {advice}") from None

    # Dask has an HTTP server in each of its processes and no way to do without: at a free port, and with no page.
    with dask.config.set({"distributed.scheduler.http.routes": [], "distributed.worker.http.routes": []}):
        return LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            protocol="tls",
            security=security,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"dashboard": False},
            silence_logs=logging.CRITICAL,
        )


def _need_distributed(given: str) -> None:
    if find_spec("distributed") is None:
        raise RunError(f"{option(given)} needs Dask Distributed. {install_advice('cluster')}")


def read_scheduler_file(path: Path) -> str:
    """Returns the address in a file that `dask scheduler --scheduler-file` writes; waits for the file.

    Raises `RunError` when it does not come, or has no address, and at once where Dask is not installed.
    """
    _need_distributed("--scheduler-file")  # without it nobody here starts one
    end = monotonic() + SCHEDULER_SECONDS
    while True:
        try:
            address = msgspec.json.decode(path.read_bytes(), type=_SchedulerFile).address
        except (OSError, msgspec.DecodeError) as error:  # it is not there yet, or being written
            problem = error.strerror if isinstance(error, OSError) else str(error)
        else:
            check_address(address)
            return address
        if monotonic() >= end:
            raise RunError(
                f"{path} has no address of a scheduler after {SCHEDULER_SECONDS:.0f} seconds: {problem}. Start one: "
                f"dask scheduler --scheduler-file {format_place(path)}"
            )
        sleep(ASK_SECONDS)


class _SchedulerFile(msgspec.Struct, frozen=True):
    address: str


def _check_scheduler(address: str, *, note: Callable[[str], object]) -> None:
    """Waits until a scheduler answers there. Raises `RunError` when none does in time."""
    end, is_waiting = monotonic() + SCHEDULER_SECONDS, False
    while True:
        with ThreadPoolExecutor(1) as pool:  # a notebook has a loop of its own in this thread
            try:
                answer = pool.submit(asyncio.run, _identity(address)).result()
                break
            except (OSError, ValueError, TypeError) as error:
                problem = str(error) or f"no answer of Dask within {CONNECT_SECONDS:.0f} seconds"
                if not isinstance(error, OSError) or monotonic() >= end:
                    raise RunError(f"No Dask scheduler answers at {address}: {problem}. Check the address.") from None
        if not is_waiting:
            is_waiting = True
            note(f"No scheduler answers at {address} yet; waiting {SCHEDULER_SECONDS:.0f} seconds for one.")
        sleep(ASK_SECONDS)
    if not answer["type"].endswith("Scheduler"):
        raise RunError(
            f"No Dask scheduler answers at {address}: it is a {answer['type'].lower()}. Give the scheduler's address."
        )


async def _identity(address: str) -> dict[str, Any]:
    from distributed.core import rpc
    from distributed.security import Security

    arguments = Security().get_connection_args("client")  # type: ignore[no-untyped-call]
    async with rpc(address, timeout=CONNECT_SECONDS, connection_args=arguments) as scheduler:  # type: ignore[no-untyped-call]
        answer: dict[str, Any] = await asyncio.wait_for(scheduler.identity(), CONNECT_SECONDS)
        return answer


def check_reach(configuration: Configuration, cluster: str) -> None:
    """Raises `ConfigurationError` for a bot that could reach the scheduler, unless the user vouches for it."""
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
            base=str(real_path(configuration.base)),
            finding_version=configuration.finding_version,
            fingerprints=tuple(
                tuple(bot.fingerprint for bot in describing.entrant_info(entrant, configuration.groups).bots)
                for entrant in configuration.entrants
            ),
            rules=tuple((group.name, group.game.rules_version) for group in configuration.groups),
        )


class Guest:
    """The bots of one run in one worker.

    It is the result of a task that the runner holds. When the runner releases it, or is gone, the scheduler makes the
    worker drop it. Then the bots end: at once, or when the worker has finished its block.
    """

    def __init__(self, setup: bytes) -> None:
        """Takes what all blocks have in common, encoded, and loads no bot yet."""
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
    """Ends bots in a thread of their own: the thread that dropped them may be the one that listens to the scheduler."""
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
    """Returns a sentence that says how this worker differs from the machine of the runner; None if it does not."""
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
    """Plays a block and returns it, without its records as objects."""
    played = guest.player().play(msgspec.msgpack.decode(job, type=Job))
    return msgspec.structs.replace(played, records=())


def end(guest: Guest) -> None:
    """Ends the bots of a run."""
    guest.close()


def versions() -> dict[str, str]:
    """Returns the versions of what plays in this worker."""
    return describing.versions()


def ignore_interrupts() -> None:
    """Leaves Ctrl-C to the runner, in whose terminal this worker is."""
    with suppress(ValueError):  # outside the main thread handlers stay
        signal.signal(signal.SIGINT, signal.SIG_IGN)
