"""The web process of an arena: uvicorn with the site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from socket import socket
from typing import Any, Final

from tournament.arena.folder import ArenaFolder
from tournament.arena.operating.addresses import open_listener, parse_listening
from tournament.arena.operating.founding import wait_for_database
from tournament.arena.operating.settings_file import read_arena
from tournament.arena.settings import set_up

ENDING_SECONDS: Final = 5
"""How long answers may take to end, event streams among them, once the process is told to stop."""

MOST_CONNECTIONS: Final = 3000
"""Event streams among them; further ones are refused with status 503."""


def run_web(path: Path, *, started: Callable[[ArenaFolder], object], say: Callable[[str], object]) -> None:
    """Serves the site of an arena until SIGINT or SIGTERM; calls `started` with its folder once it listens.

    `say` is told when the database has to be waited for.

    Raises `RunError` where no arena is or its database is not ready, `ConfigurationError` for wrong settings, and
    `UsageError` where it cannot listen or the extra is missing.
    """
    folder = set_up(path, is_site=True)
    listening = parse_listening(read_arena(folder).listen, where=folder.settings)
    wait_for_database(folder, say=say)

    import uvicorn

    class Server(uvicorn.Server):
        """Tells that it listens once it also hears signals: one that came before could be lost."""

        async def startup(self, sockets: list[socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            started(folder)

    # The client's address is worked out by the site, from the number of proxies that its host declared.
    settings = uvicorn.Config(
        _application(),
        log_level="warning",
        access_log=False,
        ws="none",
        proxy_headers=False,
        server_header=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=ENDING_SECONDS,
    )
    with open_listener(listening) as listener:
        Server(settings).run(sockets=[listener])


def _application() -> Any:
    from tournament.arena.web.asgi import application  # needs Django set up

    return application
