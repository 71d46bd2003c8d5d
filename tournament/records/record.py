"""The types of a record: one finished game, replayable without bots, seeds or randomness.

What is a game's own (options, deal, moves, detail) is a type parameter: `records.codec` fills in the types of a
known game, and plain JSON values where the game is not known.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Final, Generic, Literal, TypeVar

from msgspec import Meta, Struct

from tournament.errors import RecordError
from tournament.games.contract import END_OF_TEXT, Ending

FORMAT: Final = "tournament-record"
VERSION: Final = 1

ANSWER_CHARACTERS: Final = 2000
"""A raw answer in a fault is cut to this length."""

OptionsT = TypeVar("OptionsT")
DealT = TypeVar("DealT")
MoveT = TypeVar("MoveT")
DetailT = TypeVar("DetailT")

Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Seat = Count
Score = Annotated[int, Meta(ge=-(10**12), le=10**12)]
"""Sums of a million of them are exact in 64 bits."""

Hex256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}" + END_OF_TEXT)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
GameName = Annotated[str, Meta(pattern="^[a-z][a-z0-9_-]*" + END_OF_TEXT, max_length=32)]
RecordId = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_-]*\.[0-9]+\.[0-9]{6,}\.[0-9]+" + END_OF_TEXT)]


MOST_ID_CHARACTERS: Final = 120
"""The longest id of a record that is read: Python reads no numbers of any length."""


def check_id(record_id: str) -> None:
    """Raises `RecordError` for an id that is too long."""
    if len(record_id) > MOST_ID_CHARACTERS:
        raise RecordError(
            f"expected an id of at most {MOST_ID_CHARACTERS} characters, found {len(record_id):,}. "
            "`tournament audit` says everything that is wrong."
        )


class FaultKind(StrEnum):
    """How a bot broke the contract."""

    START = "start"
    """Could not be started."""

    CRASH = "crash"
    """Stopped, or raised an exception, while an answer was due."""

    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    """A well-formed action that the rules do not allow."""

    MALFORMED = "malformed"
    """An answer that is no action."""

    FLOOD = "flood"
    """Wrote more to stderr than it may."""

    MEMORY = "memory"
    """Used more memory than it may."""


class By(StrEnum):
    """Who chose a move instead of the seat's bot."""

    STAND_IN = "stand-in"


class GameInfo(Struct, Generic[OptionsT], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which rules a record was played by."""

    name: GameName
    players: Positive
    rules_version: Positive
    options: OptionsT


class SeatInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who sat where: an entrant's name and the bot it played with."""

    bot: Name
    version: Annotated[str, Meta(max_length=64)]
    fingerprint: Hex256


class Fault(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A bot's breach of the contract; it ends the seat for this game."""

    at: Count
    """The number of moves recorded before it; 0 at the start."""

    seat: Seat
    kind: FaultKind
    detail: str
    """A fixed sentence without times or paths."""

    answer: Annotated[str, Meta(max_length=ANSWER_CHARACTERS)] | None = None
    """What the bot answered, where it answered anything."""


class Result(Struct, Generic[DetailT], frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the game ended; everything here can be worked out again from the deal and the moves."""

    ending: Ending
    scores: tuple[Score, ...]
    places: tuple[Positive, ...]
    forfeits: tuple[Seat, ...]
    """Seats that forfeited, lowest first."""

    detail: DetailT


class Parent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The record and the number of its moves from which a what-if game goes on."""

    digest: Hex256
    move: Count


class Move(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, cache_hash=True, tag_field="do"
):
    """One move: an action with the seat that made it. Each action type of a game has its own subclass."""

    seat: Seat
    by: By | None = None
    """Set when a stand-in chose the move."""


class Record(
    Struct,
    Generic[OptionsT, DealT, MoveT, DetailT],
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """One finished game."""

    format: Literal["tournament-record"]
    version: Literal[1]
    id: RecordId
    """Group, segment, block and rotation."""

    tournament: Name
    game: GameInfo[OptionsT]
    seed: Hex256 | None = None
    """The deal seed; hand-made deals have none."""

    parent: Parent | None = None
    deal: DealT
    seats: Annotated[tuple[SeatInfo, ...], Meta(min_length=1)]
    moves: tuple[MoveT, ...]
    faults: tuple[Fault, ...]
    result: Result[DetailT]
    digest: Hex256 | None = None
    """SHA-256 over the canonical record without this field; always present in a file."""


NAME_CHARACTERS: Final = 64


def name_problem(name: str) -> str | None:
    """Returns why a text cannot be a name, and what to do; None when it can be one."""
    if not name.strip():
        return "it is empty; write at least one letter"
    if len(name) > NAME_CHARACTERS:
        return f"it has {len(name)} characters; write at most {NAME_CHARACTERS}"
    if "/" in name or "\\" in name:
        return "it has a slash or a backslash; write it without"
    if not name.isprintable():
        return "it has a character that cannot be printed; write it without"
    return None
