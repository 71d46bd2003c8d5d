"""What bots print: the streams of those in this process, and the stderr of a process."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TextIO, cast

Write = Callable[[str], Any]
"""Takes a piece of what a bot printed, not always a whole line. It must not raise."""


class Output:
    """A switch in front of stdout and stderr, installed once a run.

    While `write` is set, everything printed goes there; while it is None, it goes to the real streams.
    Switching costs no more than setting an attribute. What a bot writes to the file descriptors
    directly, or in a thread of its own between its calls, is not caught.
    """

    def __init__(self) -> None:
        self.write: Write | None = None

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Replaces `sys.stdout` and `sys.stderr` until the block ends."""
        stdout, stderr = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = cast(TextIO, _Stream(self, stdout)), cast(TextIO, _Stream(self, stderr))
        try:
            yield
        finally:
            self.write = None
            sys.stdout, sys.stderr = stdout, stderr


class _Bytes(io.RawIOBase):
    """The `buffer` of a stream while a bot prints to it."""

    def __init__(self, write: Write) -> None:
        super().__init__()
        self._write = write

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._write(bytes(data).decode(errors="backslashreplace"))
        return len(data)


class _Stream(io.TextIOBase):
    """One of the two streams, as bots and others see it."""

    def __init__(self, output: Output, real: TextIO) -> None:
        super().__init__()
        self._output = output
        self._real = real

    def write(self, text: str) -> int:
        write = self._output.write
        if write is None:
            return self._real.write(text)
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        write(text)
        return len(text)

    def writable(self) -> bool:
        return True

    def flush(self) -> None:
        if self._output.write is None:
            self._real.flush()

    def close(self) -> None:
        """Does nothing: a bot may not close the stream."""

    def isatty(self) -> bool:
        return self._output.write is None and self._real.isatty()

    def fileno(self) -> int:
        if self._output.write is None:
            return self._real.fileno()
        raise io.UnsupportedOperation("the output of a bot has no file descriptor")

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._real.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self._real.errors

    @property
    def buffer(self) -> Any:
        write = self._output.write
        return self._real.buffer if write is None else _Bytes(write)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


TAIL_BYTES: Final = 4096
READ_BYTES: Final = 65_536


class Stderr:
    """The stderr of one process."""

    def __init__(self, descriptor: int, *, most_bytes: int) -> None:
        """Takes a descriptor that does not block, and how many bytes the bot may write to it in one game."""
        self.descriptor = descriptor
        self._most_bytes = most_bytes
        self._bytes = 0
        self._printed: list[bytes] = []
        self._tail = b""

    @property
    def is_flooded(self) -> bool:
        """Whether the bot wrote more in this game than it may."""
        return self._bytes > self._most_bytes

    def begin_game(self) -> None:
        """Counts from here."""
        self.drain()
        self._bytes = 0
        self._tail = b""

    def printed(self) -> str:
        """Returns what came since the last call."""
        data = b"".join(self._printed)
        self._printed.clear()
        return data.decode(errors="backslashreplace")

    def tail(self) -> bytes:
        """Returns the end of what came in this game."""
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
        """Reads what is there, but no more than a bot may write."""
        before = -1
        while before < self._bytes <= self._most_bytes:
            before = self._bytes
            try:
                self.read()
            except (OSError, ValueError):
                return
