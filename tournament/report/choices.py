"""The choices that commands offer for tables and exports, and the columns of exports with their meanings.

Imports nothing heavy, because every command loads it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from tournament import examples


class TableFormat(StrEnum):
    """The form in which tables are written."""

    TABLE = "table"
    MARKDOWN = "markdown"
    CSV = "csv"
    JSON = "json"


class Section(StrEnum):
    """A section of the standings."""

    STANDINGS = "standings"
    HEAD_TO_HEAD = "head-to-head"
    SEATS = "seats"
    BALANCE = "balance"
    FORFEITS = "forfeits"
    RATINGS = "ratings"
    SUPERIORITY = "superiority"
    HISTORY = "history"
    TIMES = "times"


class ExportFormat(StrEnum):
    """The form of an export."""

    JSON = "json"
    CSV = "csv"
    PARQUET = "parquet"
    PGN = "pgn"


class Rows(StrEnum):
    """What a row of an export is."""

    GAMES = "games"
    """One seat of one game."""

    MOVES = "moves"
    """One move."""

    VIEWS = "views"
    """One decision: what the seat saw, what it could do, what it did."""


class Seats(StrEnum):
    """The seats of a game that an export has rows of."""

    ALL = "all"

    WINNER = "winner"
    """Those in place 1, several if they tie; but no seat that forfeited, and none of a void or aborted game."""


class ExportColumn(NamedTuple):
    """A column of an export."""

    type: type
    """str, int, bool, or list for a list of integers."""

    meaning: str
    optional: bool = False
    """Whether a value may be absent."""


TYPE_WORDS: Final[dict[type, str]] = {str: "text", int: "number", bool: "truth", list: "numbers"}

_EVERY: Final = {
    "id": ExportColumn(str, "the game: group, segment, block and rotation"),
    "group": ExportColumn(str, f"game with its number of players, such as `{examples.GROUP}`"),
    "game": ExportColumn(str, f"{', '.join(f'`{name}`' for name in examples.GAMES)}, or a game of your own"),
    "players": ExportColumn(int, "seats at the table"),
    "segment": ExportColumn(int, "part of the run with a master seed of its own, from 0"),
    "block": ExportColumn(
        int, "one table on one deal; the rotations of a block share the deal: split training and test data by block"
    ),
    "rotation": ExportColumn(int, "which of the seat orders of the block"),
}
_SEAT: Final = {"seat": ExportColumn(int, "0-based"), "entrant": ExportColumn(str, "who sat there")}
_STAND_IN: Final = ExportColumn(bool, "whether a stand-in chose it, because the seat had forfeited")
_ACTION: Final = ExportColumn(str, "the action as JSON")

COLUMNS: Final[dict[Rows, dict[str, ExportColumn]]] = {
    Rows.GAMES: {
        **_EVERY,
        **_SEAT,
        "version": ExportColumn(str, "of the bot, as it says itself"),
        "fingerprint": ExportColumn(str, "SHA-256 of the bot's code and parameters"),
        "score": ExportColumn(int, "points by the rules"),
        "place": ExportColumn(int, "1 + seats with more points; forfeited seats share the place after all others"),
        "forfeited": ExportColumn(bool, "whether a fault ended the seat"),
        "fault": ExportColumn(
            str, "its kind: start, crash, timeout, illegal, malformed, flood, memory; absent without one", optional=True
        ),
        "ending": ExportColumn(str, "complete, move-limit, aborted"),
        "moves": ExportColumn(int, "that the bot chose itself"),
        "seed": ExportColumn(str, "deal seed; absent for hand-made deals", optional=True),
        "digest": ExportColumn(str, "SHA-256 of the record", optional=True),
    },
    Rows.MOVES: {
        **_EVERY,
        "step": ExportColumn(int, "the position after the move, from 1, as in `tournament replay`"),
        **_SEAT,
        "stand_in": _STAND_IN,
        "do": ExportColumn(str, f"kind of action: {examples.KINDS_OF_ACTIONS}"),
        "action": _ACTION,
        "words": ExportColumn(str, "the move in a sentence, as the seat that made it knows it"),
    },
    Rows.VIEWS: {
        **_EVERY,
        "step": ExportColumn(int, "the position at which the seat decided, from 0"),
        **_SEAT,
        "stand_in": _STAND_IN,
        "view": ExportColumn(str, "what the seat knew, as JSON: exactly what its bot was sent"),
        "legal": ExportColumn(str, "its legal actions as JSON, in the order of the rule card"),
        "legal_numbers": ExportColumn(
            list,
            "the same actions as numbers, in the same order; absent where a hand-made deal has actions without one",
            optional=True,
        ),
        "choice": ExportColumn(int, "which of them it chose, from 0"),
        "choice_number": ExportColumn(int, "the number of that action; absent with `legal_numbers`", optional=True),
        "action": _ACTION,
        "score": ExportColumn(int, "points of the seat at the end of the game"),
        "place": ExportColumn(int, "its place at the end of the game"),
    },
}
"""The columns of each kind of row, in the order in which they are written."""
