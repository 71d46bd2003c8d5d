"""Names that have parts: groups, blocks, games and specs of bots, put together and taken apart here only.

A group is called by its game and its number of players: `GAME-3p`. A block has its segment and its number there
behind that, `GAME-3p.0.000012`, and a game its rotation behind the id of its block, `GAME-3p.0.000012.1`. Where runs
are pooled, the tag of its run stands behind the id of a block.
"""

from __future__ import annotations

import re
from array import array
from functools import lru_cache
from typing import Final, NamedTuple

_BLOCK_ID: Final = re.compile(r"[a-z][a-z0-9_-]*\.[0-9]{1,9}\.[0-9]{6,9}")


class BotSpec(NamedTuple):
    """What a user names a bot by: `bots/greedy.py:Greedy`."""

    where: str
    """A file, a folder, a pattern, a module, or an installed name."""

    class_name: str | None = None

    def __str__(self) -> str:
        return self.where if self.class_name is None else f"{self.where}:{self.class_name}"


def parse_spec(text: str) -> BotSpec:
    """Returns the parts of the spec of a bot; the path behind a drive letter is no class."""
    where, _, name = text.rpartition(":")
    return BotSpec(where, name) if where and name.isidentifier() else BotSpec(text)


def format_group(game: str, players: int, *, number: int = 1) -> str:
    """Returns the name of a group; the second of a game and number of players has 2 behind it, and so on."""
    return f"{game}-{players}p" if number == 1 else f"{game}-{players}p-{number}"


@lru_cache(maxsize=256)  # asked for every record
def is_group_of(text: str, *, game: str, players: int) -> bool:
    """Returns whether a text is the name of a group of a game and number of players, perhaps with a number behind."""
    return re.fullmatch(rf"{re.escape(format_group(game, players))}(-[1-9][0-9]*)?", text) is not None


class BlockId(NamedTuple):
    """The parts of a block's id."""

    group: str
    segment: int
    number: int

    def __str__(self) -> str:
        return f"{self.group}.{self.segment}.{self.number:06d}"


class GameId(NamedTuple):
    """The parts of a game's id, which is also that of its record."""

    group: str
    segment: int
    block: int
    """The number of its block."""

    rotation: int

    def __str__(self) -> str:
        return format_game_id(str(BlockId(self.group, self.segment, self.block)), self.rotation)


def format_game_id(block: str, rotation: int) -> str:
    """Returns the id of one game of a block, whose id is given."""
    return f"{block}.{rotation}"


def parse_block_id(text: str) -> BlockId:
    """Returns the parts of a block's id. Raises `ValueError` for a text that is none."""
    group, segment, number = text.split(".")
    return BlockId(group, int(segment), int(number))


def parse_game_id(text: str) -> GameId:
    """Returns the parts of a game's id. Raises `ValueError` for a text that is none."""
    group, segment, block, rotation = text.split(".")
    return GameId(group, int(segment), int(block), int(rotation))


def is_block_id(text: str) -> bool:
    """Returns whether a text is the id of a block as a schedule writes it, with numbers of at most nine digits."""
    return _BLOCK_ID.fullmatch(text) is not None


def group_of(text: str) -> str:
    """Returns the group in the id of a game or a block; the text itself where it is neither."""
    return text.partition(".")[0]


def within_group(text: str) -> str:
    """Returns the id of a game or a block without its group: `0.000012.1`."""
    return text.partition(".")[2]


def segment_of(text: str) -> int | None:
    """Returns the number of the segment in the id of a game or a block; None for a text that names none."""
    number = within_group(text).partition(".")[0]
    return int(number) if number.isascii() and number.isdecimal() else None


def is_in_segment(block: str, *, group: str, segment: int) -> bool:
    """Returns whether a block is of a group and a segment; a text that is no id is of none."""
    return block.startswith(f"{group}.{segment}.")


def block_of(game: str) -> str:
    """Returns the id of a game's block; an empty text where there is none."""
    return game.rpartition(".")[0]


def rotation_of(game: str) -> int:
    """Returns the rotation of a game. Raises `ValueError` for a text that is no id."""
    return int(game.rpartition(".")[2])


def format_pooled_id(block: str, tag: str) -> str:
    """Returns what a block is called where several runs are pooled: its id, and the tag of its run."""
    return f"{block}~{tag}"


def parse_pooled_id(text: str) -> tuple[BlockId, str]:
    """Returns the parts of a pooled block's id and the tag of its run; an empty tag for a block of one run."""
    block, _, tag = text.partition("~")
    return parse_block_id(block), tag


class NumberByGame:
    """Keeps a number, 0 or more, for each id of a game; about eight bytes for each game of a schedule.

    The games of a schedule have the numbers of their blocks in a row, so that these need not be kept. Any other text
    may be an id, too; it costs as much as in a `dict`.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, str], array[int]] = {}
        """By group, segment and rotation: what is kept for each block, by its number; -1 where nothing is."""

        self._others: dict[str, int] = {}
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def __contains__(self, game: str) -> bool:
        return self.get(game) is not None

    def get(self, game: str) -> int | None:
        """Returns what is kept for a game; None when nothing is."""
        key, block = _row_of(game)
        row = self._rows.get(key)
        if row is not None and 0 <= block < len(row) and row[block] >= 0:
            return row[block]
        return self._others.get(game) if self._others else None

    def clear(self) -> None:
        """Forgets all games."""
        self._rows.clear()
        self._others.clear()
        self._size = 0

    def __setitem__(self, game: str, number: int) -> None:
        if self.get(game) is None:
            self._size += 1
        key, block = _row_of(game)
        row = self._rows.get(key, ())
        if game in self._others or not 0 <= block <= 2 * len(row) + _GAP:
            self._others[game] = number
            return
        if not isinstance(row, array):
            row = self._rows[key] = array("q")
        if block >= len(row):
            row.extend([-1] * (block + 1 - len(row)))
        row[block] = number


_GAP: Final = 64
"""How many numbers of blocks may be missing at the beginning of a row."""


def _row_of(game: str) -> tuple[tuple[str, str, str], int]:
    """Returns where a game stands: group, segment and rotation, and the number of its block, -1 for another text."""
    parts = game.split(".")
    if len(parts) == 4:
        group, segment, number, rotation = parts
        plain = number.isascii() and number.isdecimal() and (len(number) == 6 or number[0] != "0")
        if plain and 6 <= len(number) <= 9:
            return (group, segment, rotation), int(number)
    return ("", "", ""), -1
