"""The types of `--events FILE`: what happens in a run, one JSON object a line, for other programs."""

from __future__ import annotations

from typing import Final, Literal, Union

import msgspec
from msgspec import Struct

from tournament.records.record import Count, FaultKind, Name, Seat
from tournament.records.run import RunState

FORMAT: Final = "tournament-event"
VERSION: Final = 1


class RunEvent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="event"):
    """The fields of every event."""

    format: Literal["tournament-event"]
    version: Literal[1]
    at: str
    """UTC, ISO 8601."""


class RunStarted(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="started"):
    """Play begins or goes on."""

    run: Name
    folder: str
    entrants: tuple[Name, ...]
    games: Count
    """Of all segments; a knockout may have more."""

    played: Count
    """How many of them were there already."""


class BlockPlayed(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="block"):
    """A block has been written."""

    block: str
    order: tuple[Name, ...]
    """The entrants by seat in rotation 0."""

    scores: tuple[tuple[int, ...], ...]
    """By rotation, by seat."""

    places: tuple[tuple[int, ...], ...]
    played: Count
    """Games so far."""


class FaultSeen(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="fault"):
    """A bot broke the contract in a game of the block before."""

    id: str
    seat: Seat
    entrant: Name
    kind: FaultKind


class Noted(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="note"):
    """Something a user should know, in words."""

    text: str


class RunFinished(RunEvent, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="finished"):
    """Play has ended."""

    state: RunState
    played: Count


AnyEvent = Union[RunStarted, BlockPlayed, FaultSeen, Noted, RunFinished]  # noqa: UP007 (a type for msgspec, at run time)

_ENCODER = msgspec.json.Encoder()


def format_event(event: AnyEvent) -> bytes:
    """Returns an event as a line without its newline."""
    return _ENCODER.encode(event)
