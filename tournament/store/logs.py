"""`logs/` of a run: what bots printed and, where asked for, every line sent to them and received.

Each bot has files of its own. Every line begins with the game in which it was printed, so that no bot can forge a line
of another game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from tournament.records.codec import canonical_bytes
from tournament.store.files import sync_file
from tournament.store.layout import LOGS_FOLDER
from tournament.store.names import file_name, file_names

LOG_BYTES: Final = 1_048_576
"""What a bot printed is cut to this length."""

TRACE_BYTES: Final = 67_108_864
"""The lines sent to a bot and received are cut to this length, at a whole line."""

AFTER_GAMES: Final = "-"
"""Stands in place of the game where there is none."""


class Printed(NamedTuple):
    """Something that a bot printed, not always a whole line."""

    entrant: str
    text: str
    game: str = ""
    """The id of its record; what is printed after the end of a game comes with the next."""


class BotLogs:
    """Appends to the files of `logs/`. Its methods raise `OSError`."""

    def __init__(self, folder: Path, *, entrants: Iterable[str] = ()) -> None:
        """Makes `logs/` of a run, or goes on with what is there; takes all entrants of the run, in its order."""
        self._names = file_names(entrants)
        self._folder = folder / LOGS_FOLDER
        self._folder.mkdir(exist_ok=True)
        self._unsynced: set[str] = set()
        self._sizes = {path.name: path.stat().st_size for path in self._folder.iterdir()}

    def append(self, printed: tuple[Printed, ...]) -> None:
        """Appends what bots printed in a block."""
        for (entrant, game), pieces in groupby(printed, key=lambda one: (one.entrant, one.game)):
            text = "".join(piece.text for piece in pieces)
            data = b"".join(_lines_of(text, game or AFTER_GAMES))
            self._append(f"{self._name_of(entrant)}.txt", data, LOG_BYTES)

    def append_traces(self, traces: tuple[tuple[str, dict[str, Any]], ...]) -> None:
        """Appends lines sent and received; leaves out a line that would pass the limit."""
        for entrant, values in traces:
            name = f"{self._name_of(entrant)}.trace.jsonl"
            data = bytes_of_words(values) + b"\n"
            if self._sizes.get(name, 0) + len(data) <= TRACE_BYTES:
                self._append(name, data, TRACE_BYTES)

    def _name_of(self, entrant: str) -> str:
        return self._names.get(entrant) or file_name(entrant)

    def _append(self, name: str, data: bytes, most: int) -> None:
        size = self._sizes.get(name, 0)
        data = data[: max(0, most - size)]
        if data:
            path = self._folder / name
            self._unsynced.add(name)
            try:
                with path.open("ab") as file:
                    file.write(data)
            except OSError as error:
                raise OSError(error.errno, error.strerror, str(path)) from None
            self._sizes[name] = size + len(data)

    def sync(self) -> None:
        """Writes what was appended through to the disk; another thread may append meanwhile."""
        while self._unsynced:
            name = self._unsynced.pop()
            sync_file(self._folder / name)


def _lines_of(text: str, game: str) -> Iterator[bytes]:
    for line in text.removesuffix("\n").split("\n"):
        yield f"{game} | {line}\n".encode("utf-8", "backslashreplace")


def bytes_of_words(value: Any) -> bytes:
    """Returns the canonical form of what a bot said; half a surrogate pair, which is no valid text, is escaped."""
    try:
        return canonical_bytes(value)
    except UnicodeEncodeError:
        return canonical_bytes(_escaped(msgspec.to_builtins(value)))


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_escaped(key): _escaped(item) for key, item in value.items()}
    return [_escaped(item) for item in value] if isinstance(value, list | tuple) else value
