"""The streams of a command, and Ctrl-C: what is printed where letters, room or readers are missing."""

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
"""What stands for signs that an encoding lacks; for any other stands its number."""

_HANDLER: Final = "tournament-plain"


def write_any_text(stream: TextIO) -> None:
    """Has a stream whose encoding lacks some letters, as Latin-1 and cp1252 do, write others for them."""
    if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
        codecs.register_error(_HANDLER, _plain)
        stream.reconfigure(errors=_HANDLER)


def _plain(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError), "it is for writing"
    text = error.object[error.start : error.end]
    plain = "".join(PLAIN.get(letter) or letter.encode("ascii", "backslashreplace").decode() for letter in text)
    return plain.encode(error.encoding, "backslashreplace").decode(error.encoding), error.end


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


GOES_ON: Final = {"resume": "Go on", "run": "Begin again", "extend": "Begin again", "final": "Begin again"}
"""The commands that play, and what the same words do once more as long as nothing was played."""


def stopped(stop: BaseException) -> Interrupted:
    """Returns what ends a command: what a run that was stopped says, or else how the command is given again.

    Nothing is said of commands that leave nothing undone.
    """
    reason: BaseException | None = stop
    while reason is not None:  # Ctrl-C once more, while it ends
        if isinstance(reason, Interrupted):
            return reason
        reason = reason.__context__
    words = sys.argv[1:]
    if not words or words[0] not in GOES_ON:
        return Interrupted()
    from shlex import join  # lazy: `--help` answers at once

    return Interrupted(f"Stopped before a game was played. {GOES_ON[words[0]]} with:\n  {join(['tournament', *words])}")
