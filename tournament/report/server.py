"""A read-only server of the pages of runs, which are made as those of a written report.

An address is never used as a path: runs are looked up among those in the folder, games in the index of their run. So
no address leads out of the folder. Secrets and logs have no address at all.
"""

from __future__ import annotations

import re
from asyncio import TimerHandle
from collections import defaultdict
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from tournament.errors import RecordError, RunError, TournamentError, UsageError, install_advice
from tournament.records.codec import canonical_bytes
from tournament.records.results import RESULTS_FILE
from tournament.report.facts import RunFacts, read_facts
from tournament.report.listing import chunks
from tournament.report.pages import chunk_script, games_page, index_page, json_twins, message_page, runs_page
from tournament.report.site import stamp_of
from tournament.store.folder import read_run
from tournament.store.layout import RUN_FILE, Reference
from tournament.store.reader import find_record
from tournament.viewer.frames import ALL, PUBLIC, Audience
from tournament.viewer.page import format_html

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")

REQUEST_SECONDS: Final = 10.0
"""How long a client may take for its request, from the opening of the connection or the previous answer."""

ANSWER_SECONDS: Final = 300.0
"""How long an answer may take to be made and read."""

MOST_CONNECTIONS: Final = 100
"""Further connections are refused with status 503."""

_GAME_PAGE: Final = re.compile(
    r"(?P<id>[a-z][a-z0-9_-]*\.\d+\.\d+\.\d+)(?:\.(?:(?P<public>public)|seat(?P<seat>\d)))?\.html"
)
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Shelf:
    """The runs in a folder, or the one run that it is; the facts of a run are kept until it changes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        """One for each run: a request waits only for the facts of its own run."""

        self._facts: dict[str, tuple[_Stamp, RunFacts]] = {}
        if not self.runs():
            raise RunError(f"{root} is not a run and has none in it. Give a run, or the folder that your runs are in.")

    def runs(self) -> dict[str, Path]:
        """Returns every run by its key, which is the name of its folder."""
        if (self._root / RUN_FILE).is_file():
            return {self._root.resolve().name: self._root}
        if not self._root.is_dir():
            return {}
        return {path.name: path for path in sorted(self._root.iterdir()) if (path / RUN_FILE).is_file()}

    def facts(self, key: str) -> RunFacts | None:
        """Returns the present facts of a run; None if there is no such run."""
        folder = self.runs().get(key)
        if folder is None:
            return None
        with self._locks[key]:
            stamp = _stamp(folder)
            known = self._facts.get(key)
            if known is not None and known[0] == stamp:
                return known[1]
            facts = read_facts(folder)
            self._facts[key] = stamp, facts
            return facts


_Stamp = tuple[tuple[int, int, int], ...]
"""A value that changes whenever the run does."""


def _stamp(folder: Path) -> _Stamp:
    return tuple(stamp_of(folder / name) for name in (RUN_FILE, RESULTS_FILE))


def make_app(root: Path, *, hosts: tuple[str, ...] = LOOPBACK) -> Starlette:
    """Returns the application that shows a run, or all runs in a folder; it answers only requests that name `hosts`.

    Raises `RunError` when there is no run.
    """
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware
    from starlette.responses import HTMLResponse, Response
    from starlette.routing import Route

    shelf = Shelf(root)

    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        host = re.sub(r":\d+$", "", request.headers.get("host", "")).lower()
        if host not in hosts:
            text = f"Expected one of {', '.join(hosts)}. Open the address that was printed."
            response: Response = HTMLResponse(message_page("Not this host", text), status_code=400)
        else:
            response = await go_on(request)
        response.headers.update(_HEADERS)
        return response

    def facts_of(request: Request) -> RunFacts:
        facts = shelf.facts(request.path_params["run"])
        if facts is None:
            raise HTTPException(404, "There is no such run here.")
        return facts

    def all_runs(request: Request) -> Response:
        rows = []
        for key, folder in shelf.runs().items():
            try:
                info = read_run(folder)
            except RunError:
                continue
            groups = ", ".join(group.name for group in info.groups)
            row = {"key": key, "name": info.name, "state": info.state, "started": info.started}
            rows.append({**row, "entrants": len(info.entrants), "groups": groups})
        return HTMLResponse(runs_page(rows))

    def index(request: Request) -> Response:
        return HTMLResponse(index_page(facts_of(request), available=None, live=True))

    def games(request: Request) -> Response:
        facts = facts_of(request)
        listed = enumerate(chunks(facts.results, entrants=facts.entrants))
        lists = [(chunk.group, f"data/games-{number}.js") for number, chunk in listed]
        lists.sort(key=lambda item: list(facts.games).index(item[0]))
        return HTMLResponse(games_page(facts, lists=lists, available=None))

    def data(request: Request) -> Response:
        facts, name = facts_of(request), request.path_params["name"]
        wanted = re.fullmatch(r"games-([0-9]{1,9})\.js", name)
        if wanted is not None:
            for number, chunk in enumerate(chunks(facts.results, entrants=facts.entrants)):
                if number == int(wanted[1]):
                    return Response(chunk_script(chunk), media_type="text/javascript")
        twin = json_twins(facts).get(name.removesuffix(".json"))
        if twin is None or not name.endswith(".json"):
            raise HTTPException(404, "There is no such table.")
        return Response(canonical_bytes(twin) + b"\n", media_type="application/json")

    def game(request: Request) -> Response:
        folder = shelf.runs().get(request.path_params["run"])
        asked = _GAME_PAGE.fullmatch(request.path_params["name"])
        if folder is None or asked is None:
            raise HTTPException(404, "There is no such game.")
        record = find_record(Reference(folder, asked["id"]))
        audience = PUBLIC if asked["public"] else ALL if asked["seat"] is None else Audience(seat=int(asked["seat"]))
        return HTMLResponse(format_html(record, audience=audience, back="../games.html"))

    def trouble(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        text = str(error.detail if isinstance(error, HTTPException) else error)
        if isinstance(error, RecordError | RunError):
            text = "This game or run cannot be shown: it is not here, or its record was not kept."
        return HTMLResponse(message_page("Nothing to show", text), status_code=status)

    return Starlette(
        routes=[
            Route("/", all_runs),
            Route("/runs/{run}/", index),
            Route("/runs/{run}/index.html", index),
            Route("/runs/{run}/games.html", games),
            Route("/runs/{run}/data/{name}", data),
            Route("/runs/{run}/games/{name}", game),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)],
        exception_handlers={HTTPException: trouble, TournamentError: trouble},
    )


def allowed_hosts(host: str) -> tuple[str, ...]:
    """Returns the hosts that requests to a server on `host` may name. Raises `UsageError` for 0.0.0.0 and the like."""
    try:
        address = ip_address(host)
    except ValueError:
        return tuple(dict.fromkeys((host.lower(), *LOOPBACK)))
    if address.is_unspecified:
        raise UsageError(f"--host {host} would listen everywhere: name the one address that people will use.")
    return tuple(dict.fromkeys((f"[{host.lower()}]" if address.version == 6 else host, *LOOPBACK)))


def _patient_connection() -> Any:
    """Returns uvicorn's class of a connection with time limits: the other end may be silent, or not read."""
    from uvicorn.protocols.http.h11_impl import H11Protocol

    class PatientConnection(H11Protocol):
        _deadline: TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._end_in(REQUEST_SECONDS)

        def data_received(self, data: bytes) -> None:
            before = self.cycle
            super().data_received(data)
            if self.cycle is not before and not self.cycle.response_complete:  # the request is complete
                self._end_in(ANSWER_SECONDS)

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._end_in(REQUEST_SECONDS)

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop_clock()
            super().connection_lost(exc)

        def _end_in(self, seconds: float) -> None:
            self._stop_clock()
            self._deadline = self.loop.call_later(seconds, self.transport.abort)

        def _stop_clock(self) -> None:
            if self._deadline is not None:
                self._deadline.cancel()

    return PatientConnection


def serve(root: Path, *, host: str = "127.0.0.1", port: int = 8000, started: Callable[[str], Any] = print) -> None:
    """Serves until Ctrl-C; calls `started` with the address.

    Raises `RunError` when there is no run, `UsageError` if the address is taken or the extra is missing.
    """
    try:
        import uvicorn
    except ImportError:
        raise UsageError(f"`tournament serve` needs its extra. {install_advice('serve')}") from None
    import socket

    app = make_app(root, hosts=allowed_hosts(host))
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(
            f"{host}:{port} cannot be used: {error.strerror}. Give another --port; 0 chooses a free one."
        ) from None
    with listener:
        shown = f"[{host}]" if ":" in host else host
        started(f"http://{shown}:{listener.getsockname()[1]}/")
        limits = {"http": _patient_connection(), "limit_concurrency": MOST_CONNECTIONS}
        settings = uvicorn.Config(app, log_level="warning", access_log=False, ws="none", **limits)
        uvicorn.Server(settings).run(sockets=[listener])
