"""The way to a scheduler of Dask: one that runs somewhere, or one of our own."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Final

from tournament.configuration.resolving import Configuration
from tournament.errors import ConfigurationError, RunError, install_advice
from tournament.players.linux.files import sweep_scratch
from tournament.players.preparation import is_shipped, isolation_of
from tournament.records.settings import Isolation

LOCAL: Final = "local"
CONNECT_SECONDS: Final = 10.0
CLOSE_SECONDS: Final = 5.0
SCHEMES: Final = ("tcp", "tls", "ws", "wss", "ucx")


class SchedulerConnection:
    """A client of a scheduler, and the cluster when it is our own."""

    def __init__(self, address: str, *, workers: int) -> None:
        """Connects; with the address `local` it starts so many workers first.

        Raises `ConfigurationError` for what is no address, `RunError` when no scheduler answers.
        """
        if address != LOCAL:
            check_address(address)
        try:
            from distributed import Client
        except ImportError:
            raise RunError(f"--cluster needs Dask Distributed. {install_advice('cluster')}") from None
        self.client: Any = None
        self.cluster: Any = None
        self._levels = _hush()
        try:
            if address == LOCAL:
                self.cluster = _own_cluster(workers)
            else:
                # Asked first: a client that has not connected cannot be closed, and hangs at its end.
                _check_scheduler(address)
            self.client = Client(  # type: ignore[no-untyped-call]
                self.cluster or address, set_as_default=False, timeout=CONNECT_SECONDS
            )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Disconnects: the scheduler then lets go of all that this client asked for. A cluster of our own ends."""
        if self.client is not None:
            with suppress(Exception):  # the scheduler may be gone
                self.client.close(timeout=CLOSE_SECONDS)
        if self.cluster is not None:
            self.cluster.close()
            sweep_scratch()  # of workers that were killed
        for logger, level in self._levels.items():
            logger.setLevel(level)


def _hush() -> dict[logging.Logger, int]:
    """Keeps Dask's tracebacks from the terminal: what they tell of is said in sentences. Returns how it was."""
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
            f'--cluster "{address}": expected the address of a Dask scheduler, such as tcp://127.0.0.1:8786, as '
            f"`dask scheduler` prints it, or {LOCAL} for one that is started here."
        )


def _own_cluster(workers: int) -> Any:
    """Returns a scheduler and workers on this machine, with a key of their own that nobody else has.

    Every user of this machine, and every bot in a process, can reach their ports; and whom Dask listens to, for him it
    runs programs. Raises `RunError` where no key can be made.
    """
    import dask
    from distributed import LocalCluster
    from distributed.security import Security

    try:
        security = Security.temporary()  # type: ignore[no-untyped-call]
    except ImportError:
        advice = install_advice("cluster")
        raise RunError(f"--cluster local needs cryptography, for the key of the run. {advice}") from None

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


def _check_scheduler(address: str) -> None:
    """Raises `RunError` when no scheduler answers there."""
    with ThreadPoolExecutor(1) as pool:  # a notebook has a loop of its own in this thread
        try:
            answer = pool.submit(asyncio.run, _identity(address)).result()
        except (OSError, ValueError, TypeError) as error:
            problem = str(error) or f"no answer of Dask within {CONNECT_SECONDS:.0f} seconds"
            raise RunError(f"No Dask scheduler answers at {address}: {problem}. Check the address.") from None
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
