"""What is printed while nobody reads it, or where there is no room: it goes nowhere, and the command goes on."""

from __future__ import annotations

import io
from typing import Any, TextIO


class PatientStream(io.TextIOWrapper):
    """A stream to where another one goes, for commands whose output is not what they are for."""

    def __init__(self, stream: TextIO) -> None:
        """Takes the place of a stream that has written all it was given."""
        stream.flush()
        super().__init__(
            io.BufferedWriter(_PatientFile(stream)),
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=bool(stream.line_buffering),
            write_through=bool(getattr(stream, "write_through", False)),
        )


class _PatientFile(io.RawIOBase):
    """Takes everything, whatever becomes of it."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream  # it would close its file when nobody had it any more
        self._raw: Any = getattr(stream.buffer, "raw", stream.buffer)

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return bool(self._raw.isatty())

    def fileno(self) -> int:
        return int(self._raw.fileno())

    def write(self, data: Any) -> int | None:
        try:
            written: int | None = self._raw.write(data)
        except OSError:  # a closed pipe, a full disk, a terminal that is gone
            return memoryview(data).nbytes
        return written
