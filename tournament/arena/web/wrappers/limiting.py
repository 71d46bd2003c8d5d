"""Bounds what a request may bring: Django would take in the whole body before it asks anybody."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from tournament.arena.files import MOST_BODY_BYTES

Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


class _TooLargeError(Exception):
    """The body of a request is longer than it may be."""


def limited(application: Application) -> Application:
    """Returns an application of ASGI that answers longer requests with status 413, and reads no more of them."""

    async def guarded(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MOST_BODY_BYTES:
            await _refuse(send)
            return
        received, begun = 0, False

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MOST_BODY_BYTES:
                raise _TooLargeError
            return message

        async def watched(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await application(scope, counted, watched)
        except _TooLargeError:
            if not begun:
                await _refuse(send)

    return guarded


async def _refuse(send: Send) -> None:
    text = f"A request may have at most {MOST_BODY_BYTES:,} bytes. Hand in a smaller file.\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": text})
