"""A read-only server of the pages of runs, which are made as those of a written report.

An address is never used as a path: runs are looked up among those in the folder, games in the index of their run. So
no address leads out of the folder. Secrets and logs have no address at all.
"""

from __future__ import annotations

import re
from asyncio import TimerHandle
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from tournament.errors import RecordError, RunError, TournamentError, UsageError, install_advice
from tournament.hosts import AllowedHosts, allowed_hosts, is_every_address
from tournament.languages import gettext, gettext_noop, parse_language, speaking
from tournament.paths import real_path
from tournament.records.codec import canonical_bytes
from tournament.records.results import RESULTS_FILE
from tournament.records.run import RunState
from tournament.report.facts import FaultFact, RunFacts, read_facts
from tournament.report.listing import chunks
from tournament.report.live.live_routes import ServedRuns, live_routes
from tournament.report.pages import (
    bot_page,
    chunk_script,
    games_page,
    index_page,
    json_twins,
    message_page,
    runs_page,
)
from tournament.report.shown.pace import Progress, Watch, progress_of
from tournament.report.shown.readers import LANGUAGE, REMEMBERED_SECONDS, language_of_reader
from tournament.report.shown.replays import Replays
from tournament.store.files import FileStamp, stamp_of
from tournament.store.folder import read_run
from tournament.store.layout import RUN_FILE, Reference
from tournament.store.reader import find_record
from tournament.viewer.frames import ALL, PUBLIC, Audience
from tournament.viewer.page import format_html

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

REQUEST_SECONDS: Final = 10.0
"""How long a client may take for its request, from the opening of the connection or the previous answer."""

ANSWER_SECONDS: Final = 300.0
"""How long an answer may take to be made and read."""

MOST_CONNECTIONS: Final = 100
"""Further connections are refused with status 503."""

_GAME_PAGE: Final = re.compile(
    r"(?P<id>[a-z][a-z0-9_-]*\.\d+\.\d+\.\d+)(?:\.(?:(?P<public>public)|seat(?P<seat>\d)))?\.html"
)
_GAMES_LIST: Final = re.compile(r"data/games-(?P<number>[0-9]{1,9})\.js")
_BOT_PAGE: Final = re.compile(r"bots/(?P<number>[0-9]{1,6})\.html")
_TABLE: Final = re.compile(r"data/(?P<name>[^/]+)\.json")
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Vary": "Accept-Language, Cookie",
}


class Shelf:
    """The runs in a folder, or the one run that it is; the facts of a run are kept until it changes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        """One for each run: a request waits only for the facts of its own run."""

        self._facts: dict[str, tuple[_Stamp, RunFacts]] = {}
        self._watched: defaultdict[str, Watch] = defaultdict(Watch)
        if not self.runs():
            raise RunError(f"{root} is not a run and has none in it. Give a run, or the folder that your runs are in.")

    def runs(self) -> dict[str, Path]:
        """Returns every run by its key, which is the name of its folder."""
        if (self._root / RUN_FILE).is_file():
            return {real_path(self._root).name: self._root}
        if not self._root.is_dir():
            return {}
        return {path.name: path for path in sorted(self._root.iterdir()) if (path / RUN_FILE).is_file()}

    def folder(self, key: str) -> Path | None:
        """Returns the folder of a run; None if there is no such run."""
        return self.runs().get(key)

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

    def progress(self, key: str, facts: RunFacts) -> Progress | None:
        """Returns how far a run is that is being played; None for any other."""
        now = datetime.now(UTC)
        played = len(facts.results)
        return progress_of(facts.info, played=played, first=self._watched[key].look(played, now), now=now)


ALL_RUNS: Final = gettext_noop("All runs")
"""What the page that lists runs is called."""

_USUAL_TROUBLES: Final = (gettext_noop("Not Found"), gettext_noop("Method Not Allowed"))
"""What Starlette says by itself."""

_Stamp = tuple[FileStamp, ...]
"""A value that changes whenever the run does."""


def _stamp(folder: Path) -> _Stamp:
    return tuple(stamp_of(folder / name) for name in (RUN_FILE, RESULTS_FILE))


class ServedPage(NamedTuple):
    """What is answered to an address."""

    content: bytes
    media_type: str


def page_of_run(
    facts: RunFacts,
    name: str,
    *,
    hidden: bool = False,
    progress: Progress | None = None,
    above: str | None = None,
    watched: bool = False,
) -> ServedPage | None:
    """Returns what a run has under `index.html`, `games.html` or a name in `data/` or `bots/`; None for other names.

    `hidden` shows no card, `progress` says how far a run under way is, and `above` is what the page two addresses above
    is called, to which the first page leads back; `watched`: see `index_page`.
    """
    if hidden:
        facts = _without_cards(facts)
    replays = Replays(keep=facts.info.keep, available=None, hidden=hidden)
    if name == "index.html":
        above = gettext(ALL_RUNS) if above is None else above
        return _html(index_page(facts, replays=replays, above=above, progress=progress, watched=watched))
    if name == "games.html":
        listed = enumerate(chunks(facts.results, entrants=facts.entrants))
        lists = [(chunk.group, f"data/games-{number}.js") for number, chunk in listed]
        lists.sort(key=lambda item: list(facts.games).index(item[0]))
        return _html(games_page(facts, lists=lists, replays=replays))
    bot = _BOT_PAGE.fullmatch(name)
    if bot is not None:
        page = bot_page(facts, int(bot["number"]), replays=replays)
        return None if page is None else _html(page)
    wanted = _GAMES_LIST.fullmatch(name)
    if wanted is not None:
        for number, chunk in enumerate(chunks(facts.results, entrants=facts.entrants, keep=facts.info.keep)):
            if number == int(wanted["number"]):
                return ServedPage(chunk_script(chunk).encode(), "text/javascript")
    table = _TABLE.fullmatch(name)
    twin = None if table is None else json_twins(facts).get(table["name"])
    return None if twin is None else ServedPage(canonical_bytes(twin) + b"\n", "application/json")


def _without_cards(facts: RunFacts) -> RunFacts:
    """Returns facts in which no fault tells a card, neither what happened nor the answer, nor a seed or suite deals."""

    def without(faults: tuple[FaultFact, ...]) -> tuple[FaultFact, ...]:
        return tuple(msgspec.structs.replace(fault, at=None, detail=None, answer=None) for fault in faults)

    own_faults = {name: without(faults) for name, faults in facts.own_faults.items()}
    secret = {"master": None, "salt": None, "suite": None, "suite_digest": None, "suite_deals": None}
    segments = tuple(msgspec.structs.replace(one, **secret) for one in facts.info.segments)
    info = msgspec.structs.replace(facts.info, segments=segments)
    return msgspec.structs.replace(facts, info=info, faults=without(facts.faults), own_faults=own_faults, analyses={})


def page_of_game(folder: Path, name: str) -> ServedPage | None:
    """Returns the replay that a run has under a name such as `GROUP.0.000001.0.public.html`; None for other names.

    Raises `RecordError` for a game that the run does not have.
    """
    asked = _GAME_PAGE.fullmatch(name)
    if asked is None:
        return None
    record = find_record(Reference(folder, asked["id"]))
    audience = PUBLIC if asked["public"] else ALL if asked["seat"] is None else Audience(seat=int(asked["seat"]))
    return _html(format_html(record, audience=audience, back="../games.html"))


def _html(text: str) -> ServedPage:
    return ServedPage(text.encode(), "text/html")


def make_app(root: Path, *, hosts: AllowedHosts | None = None, hides_cards: bool = False) -> Starlette:
    """Returns the application that shows a run, or all runs in a folder.

    It answers only requests that name one of `hosts`, by default this machine by itself. `hides_cards` shows no card of
    a run before that is complete. Raises `RunError` when there is no run.
    """
    hosts = AllowedHosts() if hosts is None else hosts
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.base import BaseHTTPMiddleware
    from starlette.responses import HTMLResponse, Response
    from starlette.routing import Route

    shelf = Shelf(root)

    async def guard(request: Request, go_on: Callable[[Request], Awaitable[Response]]) -> Response:
        chosen = parse_language(request.query_params.get(LANGUAGE, ""))
        before, wished = request.cookies.get(LANGUAGE), request.headers.get("accept-language")
        with speaking(chosen or language_of_reader(before, wished)):
            if hosts.allow(request.headers.get("host", "")):
                response = await go_on(request)
            else:
                text = gettext(
                    "Expected one of {hosts}. Open the address that was printed, or serve with {option}.",
                    hosts=", ".join(hosts.names),
                    option="--allow-host",
                )
                response = HTMLResponse(message_page(gettext("Not this host"), text), status_code=400)
        if chosen is not None:
            response.set_cookie(LANGUAGE, chosen, max_age=REMEMBERED_SECONDS, httponly=True, samesite="lax")
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    def facts_of(request: Request) -> RunFacts:
        facts = shelf.facts(request.path_params["run"])
        if facts is None:
            raise HTTPException(404, gettext("There is no such run here."))
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

    def hidden(key: str) -> bool:
        """Returns whether the cards of a run are hidden; asked after they were read, since a run may be extended."""
        folder = shelf.folder(key)
        return hides_cards and (folder is None or read_run(folder).state is not RunState.COMPLETE)

    def page(request: Request, name: str) -> Response:
        key, facts = request.path_params["run"], facts_of(request)
        progress = shelf.progress(key, facts) if name == "index.html" else None
        return answer(page_of_run(facts, name, hidden=hidden(key), progress=progress, watched=True))

    def index(request: Request) -> Response:
        return page(request, "index.html")

    def games(request: Request) -> Response:
        return page(request, "games.html")

    def data(request: Request) -> Response:
        return page(request, f"data/{request.path_params['name']}")

    def bot(request: Request) -> Response:
        return page(request, f"bots/{request.path_params['name']}")

    def game(request: Request) -> Response:
        key = request.path_params["run"]
        folder = shelf.folder(key)
        made = None if folder is None else page_of_game(folder, request.path_params["name"])
        if made is not None and hidden(key):
            raise HTTPException(403, gettext("The cards of this run are hidden until it is complete."))
        return answer(made)

    def answer(page: ServedPage | None) -> Response:
        if page is None:
            raise HTTPException(404, gettext("There is no such page of a run here."))
        return Response(page.content, media_type=page.media_type)

    def trouble(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 404
        text = str(error.detail if isinstance(error, HTTPException) else error)
        if isinstance(error, RecordError | RunError):
            text = gettext("This game or run cannot be shown: it is not here, or its record was not kept.")
        elif text in _USUAL_TROUBLES:
            text = gettext(text)
        return HTMLResponse(message_page(gettext("Nothing to show"), text), status_code=status)

    def is_ending() -> bool:
        return bool(app.state.is_ending())

    runs = ServedRuns(folder=shelf.folder, facts=shelf.facts, are_cards_hidden=hidden, is_ending=is_ending)
    app = Starlette(
        routes=[
            *live_routes(runs),
            Route("/", all_runs),
            Route("/runs/{run}/", index),
            Route("/runs/{run}/index.html", index),
            Route("/runs/{run}/games.html", games),
            Route("/runs/{run}/data/{name}", data),
            Route("/runs/{run}/bots/{name}", bot),
            Route("/runs/{run}/games/{name}", game),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)],
        exception_handlers={HTTPException: trouble, TournamentError: trouble},
    )
    app.state.is_ending = lambda: False
    return app


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


def serve(
    root: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    allowed: Iterable[str] = (),
    hides_cards: bool = False,
    started: Callable[[str], Any] = print,
) -> None:
    """Serves until Ctrl-C; calls `started` with the address.

    `allowed` are further names of hosts that requests may name, such as that of a proxy before it.

    Raises `RunError` when there is no run, and `UsageError` for an address that is taken, for a name that is none, and
    where the extra is missing.
    """
    try:
        import uvicorn
    except ImportError:
        raise UsageError(f"`tournament serve` needs its extra. {install_advice('serve')}") from None
    import socket

    app = make_app(root, hosts=allowed_hosts(host, allowed), hides_cards=hides_cards)
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise UsageError(
            f"{host}:{port} cannot be used: {error.strerror}. Give another --port; 0 chooses a free one."
        ) from None
    with listener:
        named = host if not is_every_address(host) else "::1" if host == "::" else "127.0.0.1"
        shown = f"[{named}]" if ":" in named else named
        started(f"http://{shown}:{listener.getsockname()[1]}/")
        limits = {"http": _patient_connection(), "limit_concurrency": MOST_CONNECTIONS}
        settings = uvicorn.Config(app, log_level="warning", access_log=False, ws="none", **limits)
        serving = uvicorn.Server(settings)
        app.state.is_ending = lambda: serving.should_exit  # or streams would hold it up
        serving.run(sockets=[listener])
