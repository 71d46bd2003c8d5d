"""The ids of a million blocks in a few megabytes."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator
from typing import Final

from tournament.ids import BlockId, parse_block_id

_ROOM: Final = 4096
"""So many numbers beyond those of the blocks so far are still taken to be of the same schedule."""


class BlockIds(Collection[str]):
    """Ids of blocks in the order in which they were added, each once.

    The blocks of a schedule are numbered from 0, so a bit for each number tells which are there. Ids that no schedule
    writes are kept as texts.
    """

    def __init__(self) -> None:
        """Starts without any."""
        self._stretches: dict[tuple[str, int], int] = {}
        self._there: list[bytearray] = []
        self._others: dict[str, int] = {}
        self._order = array("q")
        """Of each id: its number and its stretch; of a text minus its place, from -1."""

    def add(self, block: str) -> None:
        """Adds an id, unless it is there."""
        if block in self:
            return
        parts = self._parts(block)
        if parts is None:
            self._others[block] = -1 - len(self._others)
            self._order.append(self._others[block])
            return
        stretch = self._stretches.setdefault((parts.group, parts.segment), len(self._stretches))
        if stretch == len(self._there):
            self._there.append(bytearray())
        there, byte = self._there[stretch], parts.number // 8
        if byte >= len(there):
            there.extend(bytes(byte + _ROOM // 8 - len(there)))
        there[byte] |= 1 << parts.number % 8
        self._order.append(stretch << 32 | parts.number)

    def __contains__(self, block: object) -> bool:
        if not isinstance(block, str):
            return False
        if block in self._others:
            return True
        parts = self._parts(block)
        stretch = None if parts is None else self._stretches.get((parts.group, parts.segment))
        if parts is None or stretch is None:
            return False
        byte = parts.number // 8
        return byte < len(self._there[stretch]) and bool(self._there[stretch][byte] >> parts.number % 8 & 1)

    def __iter__(self) -> Iterator[str]:
        stretches, others = list(self._stretches), list(self._others)
        for code in self._order:
            if code < 0:
                yield others[-1 - code]
            else:
                yield str(BlockId(*stretches[code >> 32], code & 0xFFFFFFFF))

    def __len__(self) -> int:
        return len(self._order)

    def _parts(self, block: str) -> BlockId | None:
        """Returns the parts of an id of a schedule; None for any other text."""
        try:
            parts = parse_block_id(block)
        except ValueError:
            return None
        return parts if str(parts) == block and parts.number < 8 * len(self._order) + _ROOM else None
