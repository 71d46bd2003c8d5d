"""Connections to the server of pages, closed in time if the other end is silent or does not read.

A module of its own because it needs uvicorn, which is an extra.
"""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 10.0
"""How long a client may take for its request, from the opening of the connection or the previous answer."""

ANSWER_SECONDS: Final = 300.0
"""How long an answer may take to be made and read."""

MOST_CONNECTIONS: Final = 100
"""Further connections are refused with status 503."""


class PatientConnection(H11Protocol):
    """A connection of HTTP with time limits."""

    request_seconds = REQUEST_SECONDS
    answer_seconds = ANSWER_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Starts the time for the first request."""
        super().connection_made(transport)
        self._end_in(self.request_seconds)

    def data_received(self, data: bytes) -> None:
        """Reads a part of a request; once it is complete, starts the time for the answer."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before and not self.cycle.response_complete:
            self._end_in(self.answer_seconds)

    def on_response_complete(self) -> None:
        """Starts the time for the next request."""
        super().on_response_complete()
        self._end_in(self.request_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Ends all time limits."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _end_in(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)
