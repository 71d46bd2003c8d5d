"""Results of several sources, held compressed: a few dozen bytes a game, to be gone through as often as needed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from tournament.records.results import GameResult

_TOGETHER: Final = 500
"""So many results are compressed at a time."""

_FASTEST: Final = 1
"""The level of compression: seats and ids repeat, digests cannot be compressed."""


class SourcedResult(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A result, and what tells it apart from results of other runs."""

    result: GameResult
    """With the names that its block and its entrants have in its run."""

    tournament: str
    seed: str | None
    """The seed of its deal; None for a deal that was made by hand, or is not known yet."""

    fingerprints: tuple[str, ...]
    """By seat."""

    rules: tuple[int, bytes]
    """The version of the rules, and the options as canonical bytes."""


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(list[SourcedResult])


class PackedResults:
    """Results in the order given. To go through them takes a few microseconds a game."""

    def __init__(self, results: Iterable[SourcedResult]) -> None:
        """Takes all of them."""
        self._packed: list[bytes] = []
        waiting: list[SourcedResult] = []
        for result in results:
            waiting.append(result)
            if len(waiting) == _TOGETHER:
                self._pack(waiting)
        self._pack(waiting)

    def _pack(self, results: list[SourcedResult]) -> None:
        self._packed.append(zlib.compress(_ENCODER.encode(results), _FASTEST))
        results.clear()

    def __iter__(self) -> Iterator[SourcedResult]:
        for packed in self._packed:
            yield from _DECODER.decode(zlib.decompress(packed))
