"""The results of a run under audit: they stay in their file, and memory holds where each one stands."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from tournament.errors import RecordError
from tournament.ids import NumberByGame, format_game_id
from tournament.records.results import ResultLine, parse_result
from tournament.store.files import bounded_lines, open_regular


class PlacedResult(NamedTuple):
    """A result, and the number of its line."""

    line: int
    result: ResultLine


class KnownResults:
    """The results of a run that could be read, each game once, in the order of their file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._begins = NumberByGame()
        """Where the line of a game begins, in bytes."""

        self._blocks = NumberByGame()
        self._digests = array("Q")
        """The beginning of each digest, as a number."""

        self._file: IO[bytes] | None = None
        self._at = 0

    def __len__(self) -> int:
        return len(self._begins)

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._begins

    def __iter__(self) -> Iterator[ResultLine]:
        """Yields the results in order, read again."""
        return (placed.result for placed in self.placed())

    @property
    def blocks(self) -> int:
        """How many blocks have results."""
        return len(self._blocks)

    def add(self, result: ResultLine, begin: int) -> None:
        """Adds a result whose line begins at this byte."""
        self._begins[result.id] = begin
        self._blocks[format_game_id(result.block, 0)] = 0
        self._digests.append(_beginning(result.digest))

    def place(self, record_id: str) -> int | None:
        """Returns a number that grows from result to result; None for a game without one."""
        return self._begins.get(record_id)

    def get(self, record_id: str) -> ResultLine | None:
        """Returns the result of a game; None where there is none. Cost: a line is read."""
        line = self.line(record_id)
        return None if line is None else parse_result(line, str(self._path))

    def line(self, record_id: str) -> bytes | None:
        """Returns the line with the result of a game, without its newline; None where there is none."""
        begin = self._begins.get(record_id)
        if begin is None:
            return None
        if self._file is None:
            self._file = open_regular(self._path)
        if begin != self._at:
            self._file.seek(begin)
        line = self._file.readline()
        self._at = begin + len(line)
        return line.removesuffix(b"\n")

    def placed(self) -> Iterator[PlacedResult]:
        """Yields the results in order with their lines, read again."""
        begin, left = 0, len(self._begins)
        if not left:
            return
        with open_regular(self._path) as file:
            for number, line in enumerate(bounded_lines(file, self._path), start=1):
                try:
                    result = parse_result(line)
                except (RecordError, RecursionError, ValueError):
                    pass
                else:
                    if self._begins.get(result.id) == begin:
                        left -= 1
                        yield PlacedResult(number, result)
                if not left:
                    return
                begin += len(line)

    def repeated_digests(self) -> Iterator[PlacedResult]:
        """Yields the results whose digest an earlier one has. Cost: nearly nothing where there is none."""
        beginnings, counts = np.unique(np.frombuffer(self._digests, dtype=np.uint64), return_counts=True)
        suspects = frozenset(beginnings[counts > 1].tolist())
        seen: set[str] = set()
        for placed in self.placed() if suspects else ():
            digest = placed.result.digest
            if digest in seen:
                yield placed
            elif _beginning(digest) in suspects:
                seen.add(digest)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _beginning(digest: str) -> int:
    return int(digest[:16], 16)
