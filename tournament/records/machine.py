"""What depends on the machine that played: a line of `clocks.jsonl` for each game, of `faults.jsonl` for each fault."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from tournament.records.record import Count, Name, RecordId, Seat

CLOCKS_FILE = "clocks.jsonl"
FAULTS_FILE = "faults.jsonl"

Milliseconds = Annotated[float, Meta(ge=0)]


class SeatClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The time one bot took in one game, measured from outside."""

    moves: Count
    """Requests for a move, the one that ended in a fault included."""

    total_ms: Milliseconds
    longest_ms: Milliseconds
    bank_ms: Count | None = None
    """What was left of its bank at the end; None where nobody limits it."""

    start_ms: Milliseconds = 0.0
    """For starting its process; 0 when that lived already."""


class GameClock(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of `clocks.jsonl`."""

    id: RecordId
    seats: tuple[SeatClock, ...]


class TroubleKind(StrEnum):
    """What went wrong with a bot: a fault, named as in `FaultKind`, or a failure after the game."""

    START = "start"
    """Could not be started."""

    CRASH = "crash"
    """Stopped, or raised an exception, while an answer was due."""

    TIMEOUT = "timeout"
    """Did not answer in time."""

    ILLEGAL = "illegal"
    """A well-formed action that the rules do not allow."""

    MALFORMED = "malformed"
    """An answer that is none."""

    FLOOD = "flood"
    """Printed too much."""

    MEMORY = "memory"
    """Used too much memory."""

    AFTER_END = "after-end"
    """It failed once the game was over: no fault."""


class TroubleLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of `faults.jsonl`; a failure after the end of a game has neither seat nor step."""

    id: RecordId
    bot: Name
    kind: TroubleKind
    seat: Seat | None = None
    at: Count | None = None
    """Moves made before it."""

    detail: str | None = None
    """As in the record."""

    traceback: str | None = None
    stderr: str | None = None
    """The end of what the bot printed."""
