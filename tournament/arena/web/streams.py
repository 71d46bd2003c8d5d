"""Server-sent events: they say that there is news, never what; pages are then asked for as usual.

All streams of a process share one look a second at what they follow.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import Final

from asgiref.sync import sync_to_async
from django.db import connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse

from tournament.arena.models import BotRow
from tournament.arena.web.news import NewsKind, NewsSubject, look
from tournament.arena.web.visits import Visit, visit_of
from tournament.report.live.live_pages import NEWS, NOTHING_NEW, RETRY

LOOK_SECONDS: Final = 1.0
QUIET_SECONDS: Final = 20.0
"""After so long without news a stream says that it is still there, or a proxy would close it."""

LONGEST_SECONDS: Final = 3600.0
"""After so long a stream ends, and the browser opens another."""

TELLING_SECONDS: Final = 0.5
"""Over so long news are spread: streams that all wake at once would hold up everything else."""

PAUSE_SECONDS: Final = 0.02
LEAST_AT_ONCE: Final = 10

MOST_STREAMS: Final = 2000
"""So many streams are open in a process at most; pages of further readers do without them."""


_readers: dict[NewsSubject, set[Stream]] = {}
_looking: asyncio.Task[None] | None = None


async def _look() -> None:
    """Looks once a second, as long as somebody reads."""
    loop = asyncio.get_running_loop()
    while _readers:
        began = loop.time()
        stamps: dict[NewsSubject, str] = {}
        with suppress(Exception):  # the database may be away for a while: the streams stay
            stamps = await sync_to_async(look, thread_sensitive=False)(list(_readers))
        for subject, found in stamps.items():
            await _tell(list(_readers.get(subject, ())), found)
        await asyncio.sleep(max(0.0, began + LOOK_SECONDS - loop.time()))


async def _tell(readers: Sequence[Stream], found: str) -> None:
    """Tells readers what a look has found, a few at a time: whoever asks for a page meanwhile does not wait for all."""
    at_once = max(LEAST_AT_ONCE, math.ceil(len(readers) * PAUSE_SECONDS / TELLING_SECONDS))
    woken = 0
    for reader in readers:
        woken += reader.tell(found)
        if woken == at_once:
            woken = 0
            await asyncio.sleep(PAUSE_SECONDS)


def _begin_to_look() -> None:
    global _looking  # noqa: PLW0603 (one for all streams of the process)
    if _looking is None or _looking.done() or _looking.get_loop() is not asyncio.get_running_loop():
        _looking = asyncio.get_running_loop().create_task(_look())


class Stream:
    """The lines of one stream; `since` is the stamp of what its reader has seen."""

    def __init__(self, subject: NewsSubject, since: str) -> None:
        self._subject = subject
        self._seen = since
        self._news = asyncio.Event()

    def tell(self, found: str) -> bool:
        """Takes in the stamp that a look has found, and returns whether it is news: the reader has seen another."""
        if found == self._seen:
            return False
        self._seen = found
        self._news.set()
        return True

    async def __aiter__(self) -> AsyncIterator[bytes]:
        """Yields the lines, until the reader is gone or the longest time has passed."""
        loop = asyncio.get_running_loop()
        end = loop.time() + LONGEST_SECONDS
        _readers.setdefault(self._subject, set()).add(self)
        _begin_to_look()
        try:
            yield RETRY
            while loop.time() < end:
                try:
                    await asyncio.wait_for(self._news.wait(), QUIET_SECONDS)
                except TimeoutError:
                    yield NOTHING_NEW
                else:
                    self._news.clear()
                    yield NEWS
        finally:
            self.close()

    def close(self) -> None:
        """Forgets the reader; Django calls it at the end of an answer, however it ended."""
        readers = _readers.get(self._subject, set())
        readers.discard(self)
        if not readers:
            _readers.pop(self._subject, None)


async def _stream(request: HttpRequest, subject: NewsSubject) -> HttpResponseBase:
    if sum(map(len, list(_readers.values()))) >= MOST_STREAMS:
        return HttpResponse(status=204)  # tells the browser not to ask again
    kind = "text/event-stream"
    answer: HttpResponseBase
    if request.method == "GET":
        answer = StreamingHttpResponse(Stream(subject, request.GET.get("since", "")), content_type=kind)
    else:
        answer = HttpResponse(content_type=kind)  # who asks for no body would wait for it
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"  # nginx would keep events back
    return answer


async def events(request: HttpRequest, name: str) -> HttpResponseBase:
    """Streams that there is news of a competition."""
    visit = await sync_to_async(_visited)(request, name)
    return await _stream(request, NewsSubject(NewsKind.COMPETITION, visit.row.pk))


async def game_events(request: HttpRequest, name: str) -> HttpResponseBase:
    """Streams that there is news of a competition, or that a block of one of its rounds is over."""
    visit = await sync_to_async(_visited)(request, name)
    return await _stream(request, NewsSubject(NewsKind.GAMES, visit.row.pk))


async def control_events(request: HttpRequest, name: str) -> HttpResponseBase:
    """Streams that there is news for the hosts of a competition."""
    visit = await sync_to_async(_visited)(request, name)
    if not visit.is_host:
        return HttpResponse(status=403)
    return await _stream(request, NewsSubject(NewsKind.CONTROL, visit.row.pk))


async def version_events(request: HttpRequest, name: str, bot: str, number: int) -> HttpResponseBase:
    """Streams that there is news of a version, to its owners."""
    key = await sync_to_async(_version_followed)(request, name, bot, number)
    if key is None:
        return HttpResponse(status=403)
    return await _stream(request, NewsSubject(NewsKind.VERSION, key))


def _visited(request: HttpRequest, name: str) -> Visit:
    """Returns the visit of a competition, and keeps no connection: a stream would have one for as long as it lasts."""
    try:
        return visit_of(request, name)
    finally:
        connection.close()


def _version_followed(request: HttpRequest, name: str, bot: str, number: int) -> int | None:
    try:
        visit = visit_of(request, name)
        owned = BotRow.objects.filter(competition=visit.row, name=bot).first()
        if owned is None or not visit.owns(owned):
            return None
        version = owned.versions.filter(number=number).first()
        return None if version is None else version.pk
    finally:
        connection.close()
