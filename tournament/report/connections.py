"""Connections to the server of pages: none may stay open because its other end says nothing or reads nothing."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS: Final = 10.0
"""A request comes in this time, from the opening of its connection or the answer before it."""

ANSWER_SECONDS: Final = 300.0
"""An answer is made and read in this time."""

MOST_CONNECTIONS: Final = 100
"""More at the same time are told to come back later."""


class PatientConnection(H11Protocol):
    """Speaks HTTP for a while, not for ever."""

    request_seconds = REQUEST_SECONDS
    answer_seconds = ANSWER_SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Waits for a request from now on."""
        super().connection_made(transport)
        self._end_in(self.request_seconds)

    def data_received(self, data: bytes) -> None:
        """Takes in a part of a request; once one is there it is answered."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before and not self.cycle.response_complete:
            self._end_in(self.answer_seconds)

    def on_response_complete(self) -> None:
        """Waits for the next request."""
        super().on_response_complete()
        self._end_in(self.request_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        """Has nothing more to wait for."""
        if self._deadline is not None:
            self._deadline.cancel()
        super().connection_lost(exc)

    def _end_in(self, seconds: float) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)
