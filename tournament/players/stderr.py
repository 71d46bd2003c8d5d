"""What a bot writes to its stderr: read as it comes, counted for each game, kept to be passed on."""

from __future__ import annotations

import os
from typing import Final

TAIL_BYTES: Final = 4096
READ_BYTES: Final = 65_536


class Stderr:
    """The stderr of one process."""

    def __init__(self, descriptor: int, *, most_bytes: int) -> None:
        """Takes a descriptor that does not block, and what may be written to it in one game."""
        self.descriptor = descriptor
        self._most_bytes = most_bytes
        self._bytes = 0
        self._printed: list[bytes] = []
        self._tail = b""

    @property
    def is_flooded(self) -> bool:
        """Whether more was written in this game than may be."""
        return self._bytes > self._most_bytes

    def begin_game(self) -> None:
        """Counts from here."""
        self.drain()
        self._bytes = 0
        self._tail = b""

    def printed(self) -> str:
        """Returns what came since this was last asked."""
        data = b"".join(self._printed)
        self._printed.clear()
        return data.decode(errors="backslashreplace")

    def tail(self) -> bytes:
        """Returns the last of what came in this game."""
        return self._tail

    def read(self) -> bool:
        """Reads once; returns whether more may come. Raises `OSError`."""
        try:
            data = os.read(self.descriptor, READ_BYTES)
        except BlockingIOError:
            return True
        if not self.is_flooded:
            self._printed.append(data)
        self._bytes += len(data)
        self._tail = (self._tail + data)[-TAIL_BYTES:]
        return bool(data)

    def drain(self) -> None:
        """Reads what is there, and no more than a bot may write."""
        before = -1
        while before < self._bytes <= self._most_bytes:
            before = self._bytes
            try:
                self.read()
            except (OSError, ValueError):
                return
