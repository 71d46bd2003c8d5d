"""Event streams: that there is news, to whom it may be told, with one look a second for all."""

from __future__ import annotations

import asyncio
import itertools
import threading

import pytest
from arena.made_site import client_of, make_site
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection
from django.test import AsyncClient
from django.test.utils import override_settings

from tournament.arena.models import Announcement, VersionRow
from tournament.arena.web import streams
from tournament.arena.web.news import NewsKind, NewsSubject, stamp
from tournament.arena.web.wrappers.threads import sharing_a_thread


@pytest.fixture
def site(arena, run, monkeypatch):
    """A competition with a ladder and a round, whose streams look often."""
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.02)
    with override_settings(ALLOWED_HOSTS=["127.0.0.1", "testserver"]):
        yield make_site(run)


def announce(competition):
    Announcement.objects.create(competition=competition, at=competition.created, text="Hello")


async def read_until(lines, wanted: str) -> str:
    async def read():
        async for line in lines:
            if wanted in line.decode():
                return line.decode()
        return ""

    return await asyncio.wait_for(read(), 10)


def test_a_stream_tells_that_there_is_news_and_not_what(site):
    since = stamp(NewsSubject(NewsKind.COMPETITION, site.competition.pk))

    async def read():
        answer = await AsyncClient().get(f"/c/cup/events/?since={since}")
        lines = aiter(answer.streaming_content)
        first = await anext(lines)
        asyncio.get_running_loop().call_later(
            0.1, lambda: asyncio.ensure_future(sync_to_async(announce)(site.competition))
        )
        told = await read_until(lines, "event")
        await lines.aclose()
        return answer["Content-Type"], first, told

    assert ("text/event-stream", b"retry: 3000\n\n", "event: news\ndata: \n\n") == async_to_sync(read)()


def test_who_reads_an_old_page_is_told_at_once(site):
    async def read():
        answer = await AsyncClient().get("/c/cup/events/?since=earlier")
        lines = aiter(answer.streaming_content)
        told = await read_until(lines, "event")
        await lines.aclose()
        return told

    assert "event: news\ndata: \n\n" == async_to_sync(read)()


def test_many_streams_share_one_look_and_leave_nothing_behind(site, monkeypatch):
    looks = []
    real = streams.look
    monkeypatch.setattr(streams, "look", lambda subjects: looks.append(len(subjects)) or real(subjects))
    since = stamp(NewsSubject(NewsKind.COMPETITION, site.competition.pk))

    async def read():
        client = AsyncClient()
        answers = [await client.get(f"/c/cup/events/?since={since}") for _ in range(20)]
        lines = [aiter(answer.streaming_content) for answer in answers]
        for one in lines:
            await anext(one)
        waiting = [asyncio.ensure_future(read_until(one, "event")) for one in lines]
        await asyncio.sleep(0.1)
        await sync_to_async(announce)(site.competition)
        told = await asyncio.gather(*waiting)
        for answer in answers:
            answer.close()
        return told, dict(streams._readers)

    told, left = async_to_sync(read)()

    assert (["event: news\ndata: \n\n"] * 20, {}) == (told, left)
    assert {1} == set(looks)  # one subject, however many read


def test_news_are_told_to_a_few_streams_at_a_time_so_that_pages_are_answered_between():
    readers = [streams.Stream(NewsSubject(NewsKind.COMPETITION, 1), "before") for _ in range(500)]

    async def tell():
        telling = asyncio.ensure_future(streams._tell(readers, "after"))
        counts = [0]
        while not telling.done():
            await asyncio.sleep(0)
            counts.append(sum(reader._news.is_set() for reader in readers))
        return counts

    counts = asyncio.run(tell())

    assert 500 == counts[-1]
    assert max(after - before for before, after in itertools.pairwise(counts)) <= 20


@pytest.mark.parametrize(
    ("who", "status"), [(None, 403), ("stranger", 403), ("breaker_owner", 403), ("host", 403), ("keeper_owner", 200)]
)
def test_news_of_a_version_is_for_its_owners(site, who, status):
    client = client_of(None if who is None else getattr(site, who))
    answer = client.get("/c/cup/bots/keeper/versions/1/events/")

    assert status == answer.status_code


def test_a_step_of_a_check_is_news_of_its_version(site):
    version = VersionRow.objects.get(bot__name="keeper")
    subject = NewsSubject(NewsKind.VERSION, version.pk)
    before = stamp(subject)
    from tournament.arena.places import version_folder

    (version_folder(version).check / "steps.json").write_text("[]")

    assert before != stamp(subject)


def test_a_stream_keeps_no_connection_to_the_database(site):
    async def read():
        answer = await AsyncClient().get("/c/cup/events/")
        kept = await sync_to_async(lambda: connection.connection)()
        answer.close()
        return answer.status_code, kept

    assert (200, None) == async_to_sync(read)()


@pytest.mark.parametrize("path", ["events/", "watch/events/"])
def test_who_asks_only_what_a_stream_is_like_waits_for_nothing(site, path):
    """A stream without a body would be kept open for an hour, and counted among those that there may be."""

    async def read():
        answer = await AsyncClient().head(f"/c/cup/{path}")
        return answer.status_code, answer["Content-Type"], answer.streaming, sum(map(len, streams._readers.values()))

    assert (200, "text/event-stream", False, 0) == async_to_sync(read)()


def test_streams_share_a_thread_and_pages_have_their_own():
    async def named(scope, receive, send):
        await send(await sync_to_async(threading.get_ident)())

    async def ask(*paths):
        threads = []

        async def send(thread):
            threads.append(thread)

        application = sharing_a_thread(named)
        for path in paths:
            await application({"type": "http", "path": path}, None, send)
        return threads

    one, other, page = asyncio.run(ask("/c/cup/events/", "/c/cup/control/events/", "/c/cup/ladder/"))

    assert one == other
    assert one != page
