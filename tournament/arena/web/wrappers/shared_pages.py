"""Pages that are the same for everybody without an account: each is made once for all who read it, until there is news.

A view offers such a page with what it tells of. It is kept whole for each language, as Django answered it to a request
without the cookie of a session, and packed once; whoever has seen it already is told so in a few bytes. Whether there
is news is known from the look a second of the event streams, or from one like it where nobody follows any.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

from asgiref.sync import sync_to_async
from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils.http import parse_etags

from tournament.arena.web.languages import language_chosen
from tournament.arena.web.news import NewsSubject, fresh_stamp, look
from tournament.arena.web.wrappers.limiting import Application, Message, Receive, Send
from tournament.languages import Language

MOST_PAGES: Final = 32
"""So many are kept, those that were read last: some hundred kilobytes each."""

_OFFER: Final = "arena.offer"
_REPLACED: Final = frozenset({b"content-length", b"cache-control"})
_OF_A_BODY: Final = frozenset({b"content-type", b"content-language"})
_TAKES_GZIP: Final = re.compile(rb"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))")

Headers = tuple[tuple[bytes, bytes], ...]


class _Offer:
    """What a view says of the page that it makes."""

    subject: NewsSubject | None = None


class _Asked(NamedTuple):
    """All that the answer to somebody without an account depends on."""

    path: str
    host: bytes
    scheme: str
    forwarded: bytes
    """The scheme by which a proxy was asked."""

    language: Language


class _Page(NamedTuple):
    """A page that is kept."""

    subject: NewsSubject
    stamp: str | None
    """Of what it was made from, looked up before; None where nobody did, so that it serves nobody else."""

    headers: Headers
    etag: bytes
    body: bytes
    packed: bytes


def offer_page(request: HttpRequest, subject: NewsSubject) -> None:
    """Says that the page for this request is the same for everybody without an account until there is news."""
    offer = getattr(request, "scope", {}).get(_OFFER)
    if offer is not None and not request.user.is_authenticated:
        offer.subject = subject


def sharing_pages(application: Application) -> Application:
    """Returns an application of ASGI that has another make each page that its views offer once for all readers."""
    return _Keeper(application).answer


class _Keeper:
    """Keeps the pages of an application."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._pages: OrderedDict[_Asked, _Page] = OrderedDict()
        self._locks: WeakValueDictionary[_Asked, asyncio.Lock] = WeakValueDictionary()
        self._looks: dict[NewsSubject, asyncio.Task[str | None]] = {}

    async def answer(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        headers = _headers_of(scope)
        asked = _asked(scope, headers)
        if asked is None:
            await self._application(scope, receive, send)
            return
        page = self._pages.get(asked)
        if page is None:
            page = await self._made(asked, scope, receive, send, stamp=None)
        elif page.stamp is None or page.stamp != await self._stamp(page.subject):
            lock = self._locks.setdefault(asked, asyncio.Lock())
            async with lock:  # whoever asks meanwhile waits for the one that makes it
                page = self._pages.get(asked, page)
                stamp = await self._stamp(page.subject)
                if stamp is None or stamp != page.stamp:
                    page = await self._made(asked, scope, receive, send, stamp=stamp)
        if page is not None:
            await _send_page(page, headers, send)

    async def _stamp(self, subject: NewsSubject) -> str | None:
        """Returns the stamp of a subject as of a moment ago; None while the database does not answer."""
        found = fresh_stamp(subject)
        if found is not None:
            return found
        task = self._looks.get(subject)
        if task is None:
            task = self._looks[subject] = asyncio.create_task(self._look(subject))
        return await asyncio.shield(task)  # others wait for it, too

    async def _look(self, subject: NewsSubject) -> str | None:
        try:
            with suppress(Exception):  # the site says what is wrong, when it is asked for the page
                return (await sync_to_async(look, thread_sensitive=False)([subject]))[subject]
            return None
        finally:
            del self._looks[subject]

    async def _made(
        self, asked: _Asked, scope: dict[str, Any], receive: Receive, send: Send, *, stamp: str | None
    ) -> _Page | None:
        """Has the page made, keeps it and returns it, to be sent; None where it was sent, for this reader alone."""
        offer = _Offer()
        head: Message | None = None
        parts: list[bytes] = []
        is_whole = False

        async def watched(message: Message) -> None:
            nonlocal head, is_whole
            if message["type"] == "http.response.start" and offer.subject is not None and _may_be_kept(message):
                head = message
            elif head is None:
                await send(message)
            else:
                parts.append(message.get("body", b""))
                is_whole = not message.get("more_body", False)

        await self._application(scope | {_OFFER: offer}, receive, watched)
        if head is None or offer.subject is None or not is_whole:
            self._pages.pop(asked, None)
            return None
        body = b"".join(parts)
        page = _Page(
            subject=offer.subject,
            stamp=stamp,
            headers=_kept_headers(head),
            etag=b'W/"%s"' % blake2b(body, digest_size=12).hexdigest().encode(),
            body=body,
            packed=await asyncio.to_thread(gzip.compress, body, 6, mtime=0),
        )
        self._pages[asked] = page
        self._pages.move_to_end(asked)
        if len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        return page


def _headers_of(scope: Mapping[str, Any]) -> dict[bytes, bytes]:
    headers: dict[bytes, bytes] = {}
    for name, value in scope.get("headers", ()):
        headers[name] = value if name not in headers else b"%s, %s" % (headers[name], value)
    return headers


def _asked(scope: Mapping[str, Any], headers: Mapping[bytes, bytes]) -> _Asked | None:
    """Returns what is asked for; None where the answer may be for one reader alone."""
    if scope["type"] != "http" or scope["method"] != "GET" or scope["query_string"]:
        return None
    if not {b"authorization", b"content-length", b"transfer-encoding"}.isdisjoint(headers):
        return None
    cookies = parse_cookie(headers.get(b"cookie", b"").decode("latin-1"))
    if not set(cookies) <= {settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME}:  # such as that of a session
        return None
    wishes = headers.get(b"accept-language", b"").decode("latin-1")
    return _Asked(
        path=scope["path"],
        host=headers.get(b"host", b""),
        scheme=scope["scheme"],
        forwarded=headers.get(b"x-forwarded-proto", b""),
        language=language_chosen(cookies.get(settings.LANGUAGE_COOKIE_NAME), wishes),
    )


def _may_be_kept(head: Message) -> bool:
    names = {name.lower() for name, _ in head["headers"]}
    return head["status"] == 200 and names.isdisjoint({b"set-cookie", b"content-encoding", b"cache-control"})


def _kept_headers(head: Message) -> Headers:
    kept = tuple((name.lower(), value) for name, value in head["headers"] if name.lower() not in _REPLACED)
    return (*kept, (b"vary", b"Accept-Encoding"), (b"cache-control", b"no-cache"))


async def _send_page(page: _Page, headers: Mapping[bytes, bytes], send: Send) -> None:
    """Answers with a page, packed where the reader takes that, or that it is still the one that the reader has."""
    own: Headers = (*page.headers, (b"etag", page.etag))
    if page.etag.decode() in parse_etags(headers.get(b"if-none-match", b"").decode("latin-1")):
        own = tuple((name, value) for name, value in own if name not in _OF_A_BODY)
        await send({"type": "http.response.start", "status": 304, "headers": list(own)})
        await send({"type": "http.response.body", "body": b""})
        return
    body = page.body
    if _TAKES_GZIP.search(headers.get(b"accept-encoding", b"")):
        body = page.packed
        own = (*own, (b"content-encoding", b"gzip"))
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [*own, length]})
    await send({"type": "http.response.body", "body": body})
