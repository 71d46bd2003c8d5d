"""The addresses for those who watch runs on `tournament serve`: pages, and a stream that says that there is news."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from tournament.languages import gettext, parse_language, present_language
from tournament.records.results import RESULTS_FILE
from tournament.records.run import RunInfo, RunState
from tournament.records.settings import KEEP_NONE
from tournament.records.standings import Standings
from tournament.report.facts import RunFacts
from tournament.report.live.boards import boards_of, brackets_of
from tournament.report.live.chronicle import Chronicle
from tournament.report.live.featured import featured_games
from tournament.report.live.feeds import Happening, NewsFeed, format_atom, format_json_feed
from tournament.report.live.live_pages import (
    NEWS,
    NOTHING_NEW,
    RETRY,
    WatchedGame,
    WatchPage,
    format_news_page,
    format_watch_page,
)
from tournament.report.live.projector_pages import ProjectorPage, format_projector_page, last_lines
from tournament.report.shown.readers import LANGUAGE
from tournament.store.files import stamp_of
from tournament.store.layout import RUN_FILE, Reference
from tournament.store.reader import find_record
from tournament.viewer.page import format_html

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

LOOK_SECONDS: Final = 1.0
"""How often a stream looks for news."""

QUIET_SECONDS: Final = 15.0
"""After so long without news a stream says that it is still there, or a proxy would close it."""

LONGEST_SECONDS: Final = 240.0
"""Then a stream ends, and the browser opens another."""

MOST_STREAMS: Final = 60
"""Whoever comes then reads pages without one: streams must not take all connections."""


class ServedRuns(NamedTuple):
    """What the addresses here need of the server."""

    folder: Callable[[str], Path | None]
    """Of a run, by its key."""

    facts: Callable[[str], RunFacts | None]
    are_cards_hidden: Callable[[str], bool]
    is_ending: Callable[[], bool]
    """Whether the server is about to end, so that streams end, too."""


def leaders_of(standings: Standings) -> frozenset[str]:
    """Returns who is first in the championship or in a group."""
    first = {row.entrant for group in standings.groups for row in group.rows if row.rank.place == 1}
    if standings.championship is not None:
        first |= {row.entrant for row in standings.championship.rows if row.rank.place == 1}
    return frozenset(first)


def news_stamp(folder: Path) -> str:
    """Returns a value that changes whenever there is news of a run."""
    found = tuple(stamp_of(folder / name) for name in (RUN_FILE, RESULTS_FILE))
    return blake2b(repr(found).encode(), digest_size=8).hexdigest()


def _over_by(info: RunInfo, folder: Path) -> datetime:
    """Returns when the last game was over at the latest."""
    if info.finished is not None:
        return datetime.fromisoformat(info.finished).astimezone(UTC)
    return datetime.fromtimestamp((folder / RESULTS_FILE).stat().st_mtime, UTC)


def watched_game(folder: Path, record_id: str) -> str:
    """Returns the replay of a game that plays by itself in a frame. Raises what `find_record` does."""
    return format_html(find_record(Reference(folder, record_id)), watched=True)


Found = TypeVar("Found")


def _found(what: Found | None) -> Found:
    """Returns what the server has of a run; answers 404 where there is none."""
    from starlette.exceptions import HTTPException

    if what is None:
        raise HTTPException(404, gettext("There is no such run here."))
    return what


class _Live:
    """Answers for the runs of a server."""

    def __init__(self, runs: ServedRuns) -> None:
        self._runs = runs
        self._streams = 0
        self._chronicles: defaultdict[str, Chronicle] = defaultdict(Chronicle)

    def _facts(self, request: Request) -> RunFacts:
        return _found(self._runs.facts(request.path_params["run"]))

    def watch(self, request: Request) -> Response:
        """Shows the featured games of a run, one after the other."""
        from starlette.responses import HTMLResponse

        key, facts = request.path_params["run"], self._facts(request)
        stamp = news_stamp(facts.folder)  # before anything is read: what comes between is news
        games = self._games(key, facts)
        info = facts.info
        page = WatchPage(
            title=info.name,
            games=games,
            over_by=_over_by(info, facts.folder) if games else None,
            honest=_why_late(info),
            nothing=self._why_nothing(key, info),
            back="../",
            back_to=gettext("Report"),
            events=f"../events?since={stamp}",
            projector="../projector/",
            news="../news/",
        )
        return HTMLResponse(format_watch_page(page))

    def projector(self, request: Request) -> Response:
        """Turns through standings, brackets and featured games in large type."""
        from starlette.responses import HTMLResponse

        key, facts = request.path_params["run"], self._facts(request)
        stamp = news_stamp(facts.folder)
        page = ProjectorPage(
            title=facts.info.name,
            boards=boards_of(facts),
            brackets=brackets_of(facts),
            games=self._games(key, facts),
            news=last_lines(self._happened(key, facts)),
            nothing=self._why_nothing(key, facts.info),
            events=f"../events?since={stamp}",
        )
        return HTMLResponse(format_projector_page(page))

    def _happened(self, key: str, facts: RunFacts) -> tuple[Happening, ...]:
        chronicle = self._chronicles[key]
        chronicle.look(facts, now=datetime.now(UTC))
        return chronicle.told()

    def news(self, request: Request) -> Response:
        """Lists what happened in a run."""
        from starlette.responses import HTMLResponse

        key, facts = request.path_params["run"], self._facts(request)
        stamp = news_stamp(facts.folder)
        note = gettext(
            "Times are those at which this server noticed it, in UTC; of what came before it looked at the run, only "
            "the beginning is told."
        )
        happenings = self._happened(key, facts)
        page = format_news_page(facts.info.name, happenings, note=note, events=f"../events?since={stamp}")
        return HTMLResponse(page)

    def atom_feed(self, request: Request) -> Response:
        """Tells feed readers what happened in a run."""
        from starlette.responses import Response

        return Response(format_atom(self._feed(request)), media_type="application/atom+xml")

    def json_feed(self, request: Request) -> Response:
        """Tells programs what happened in a run."""
        from starlette.responses import Response

        return Response(format_json_feed(self._feed(request)), media_type="application/feed+json")

    def _feed(self, request: Request) -> NewsFeed:
        key, facts = request.path_params["run"], self._facts(request)
        # A feed that names its language is one of its own, and so are its entries.
        asked = "" if parse_language(request.query_params.get(LANGUAGE, "")) is None else present_language()
        query = f"{LANGUAGE}={asked}" if asked else ""
        return NewsFeed(
            title=facts.info.name,
            address=str(request.url.replace(query=query)),
            page=f"news/?{query}" if query else "news/",
            language=present_language(),
            happenings=self._happened(key, facts),
        )

    def _games(self, key: str, facts: RunFacts) -> tuple[WatchedGame, ...]:
        if not len(facts.results):
            return ()
        found = featured_games(facts.folder, leaders=leaders_of(facts.standings))
        if self._runs.are_cards_hidden(key):  # asked after they were read, since a run may be extended
            return ()
        return tuple(
            WatchedGame(game=game, address=f"../games/{game.id}.html", frame=f"../watch/games/{game.id}.html")
            for game in found
        )

    def _why_nothing(self, key: str, info: RunInfo) -> str:
        if self._runs.are_cards_hidden(key):
            return gettext("The games of this run are shown once it is complete: whoever serves it hides the cards.")
        if info.keep == KEEP_NONE:
            return gettext("No game can be watched, because the run keeps no records.")
        return gettext("No complete block has been played yet. The first game appears here by itself.")

    def game(self, request: Request) -> Response:
        """Shows a game that plays by itself, in a frame of our own pages."""
        from starlette.exceptions import HTTPException
        from starlette.responses import HTMLResponse

        key = request.path_params["run"]
        folder = _found(self._runs.folder(key))
        made = watched_game(folder, request.path_params["game"])
        if self._runs.are_cards_hidden(key):
            raise HTTPException(403, gettext("The cards of this run are hidden until it is complete."))
        return HTMLResponse(made, headers={"X-Frame-Options": "SAMEORIGIN"})

    async def events(self, request: Request) -> Response:
        """Streams that there is news of a run, never what."""
        from starlette.responses import Response, StreamingResponse

        folder = _found(self._runs.folder(request.path_params["run"]))
        if self._streams >= MOST_STREAMS:
            return Response(status_code=204)  # tells the browser not to ask again
        kind, headers = "text/event-stream", {"X-Accel-Buffering": "no"}
        if request.method != "GET":  # who asks for no body would wait for it
            return Response(media_type=kind, headers=headers)
        lines = self._lines(folder, request.query_params.get("since", ""))
        return StreamingResponse(lines, media_type=kind, headers=headers)

    async def _lines(self, folder: Path, seen: str) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        end = quiet = loop.time()
        end += LONGEST_SECONDS
        self._streams += 1
        try:
            yield RETRY
            while loop.time() < end and not self._runs.is_ending():
                stamp = news_stamp(folder)
                if stamp != seen:
                    seen, quiet = stamp, loop.time()
                    yield NEWS
                elif loop.time() - quiet >= QUIET_SECONDS:
                    quiet = loop.time()
                    yield NOTHING_NEW
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._streams -= 1


def _why_late(info: RunInfo) -> str:
    if info.state is RunState.RUNNING:
        return gettext("A block is written when all its games are over, and then its games can be watched.")
    return gettext("This run is not being played at present.")


def live_routes(runs: ServedRuns) -> list[Route]:
    """Returns the routes below `/runs/{run}/`."""
    from starlette.routing import Route

    live = _Live(runs)
    return [
        Route("/runs/{run}/watch/", live.watch),
        Route("/runs/{run}/watch/games/{game}.html", live.game),
        Route("/runs/{run}/projector/", live.projector),
        Route("/runs/{run}/news/", live.news),
        Route("/runs/{run}/feed.atom", live.atom_feed),
        Route("/runs/{run}/feed.json", live.json_feed),
        Route("/runs/{run}/events", live.events),
    ]
