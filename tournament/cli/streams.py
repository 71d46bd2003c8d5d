"""Output that never stops a command: missing letters, full disks and readers that have left; and Ctrl-C."""

from __future__ import annotations

import codecs
import io
import sys
from typing import Any, Final, TextIO

from tournament.errors import Interrupted

PLAIN: Final = {
    "−": "-", "–": "-", "—": "-", "…": "...", "·": "*", "×": "x", "±": "+-", "≥": ">=", "≤": "<=", "→": "->",
    "▶": ">", "“": '"', "”": '"', "‘": "'", "’": "'",
}  # fmt: skip
"""What is printed for characters that an encoding lacks; of all others their code is printed."""

_HANDLER: Final = "tournament-plain"


def write_any_text(stream: TextIO) -> None:
    """Makes a stream replace characters that its encoding (say Latin-1) lacks, instead of raising an error."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
        codecs.register_error(_HANDLER, _plain)
        stream.reconfigure(errors=_HANDLER)


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError), "the handler is used for writing only"
    text = error.object[error.start : error.end]
    plain = "".join(PLAIN.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in text)
    return plain.encode(error.encoding, "backslashreplace").decode(error.encoding), error.end


class PatientStream(io.TextIOWrapper):
    """Writes where another stream writes, and ignores closed pipes and full disks.

    For commands whose result is not their output.
    """

    def __init__(self, stream: TextIO) -> None:
        """Flushes the other stream and takes its place."""
        stream.flush()
        super().__init__(
            io.BufferedWriter(_PatientFile(stream)),
            encoding=stream.encoding,
            errors=stream.errors,
            line_buffering=bool(stream.line_buffering),
            write_through=bool(getattr(stream, "write_through", False)),
        )


class _PatientFile(io.RawIOBase):
    """Accepts every write, and drops what cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream  # kept, because its file is closed when it is deleted
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


GOES_ON: Final = {"resume": "Go on", "run": "Begin again", "extend": "Begin again", "final": "Begin again"}
"""The commands that play, and what giving the same command again does while nothing has been played."""


def stopped(stop: BaseException) -> Interrupted:
    """Returns the error that ends a command after Ctrl-C: that of the run it stopped, else how to give it again.

    Without a message for commands that leave nothing unfinished.
    """
    reason: BaseException | None = stop
    while reason is not None:  # Ctrl-C was pressed again while the run was ending
        if isinstance(reason, Interrupted):
            return reason
        reason = reason.__context__
    words = sys.argv[1:]
    if not words or words[0] not in GOES_ON:
        return Interrupted()
    from shlex import join  # lazy: `--help` answers at once

    return Interrupted(f"Stopped before a game was played. {GOES_ON[words[0]]} with:\n  {join(['tournament', *words])}")
