"""Lets event streams share a thread: Django would keep one for each, for as long as the stream lasts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from asgiref.sync import ThreadSensitiveContext

from tournament.arena.web.wrappers.limiting import Application, Receive, Send

STREAMS: Final = "/events/"
"""How the addresses of streams end."""


def sharing_a_thread(application: Application) -> Application:
    """Returns an application of ASGI whose event streams do what may block in one thread, one after the other.

    Each asks the database a few things when it begins, and then only waits. Every other answer has a thread of its own,
    so that one that takes long holds up no other.
    """
    thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="streams")

    async def shared(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].endswith(STREAMS):
            await application(scope, receive, send)
            return
        async with ThreadSensitiveContext(executor=thread):
            await application(scope, receive, send)

    return shared
