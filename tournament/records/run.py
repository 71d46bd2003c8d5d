"""The types of `run.json`: what a run plays, with whom, and how far it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from tournament.records.model import GameName, Hex256, Name

FORMAT: Final = "tournament-run"
VERSION: Final = 1

Count = Annotated[int, Meta(ge=0)]


class RunState(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    """Stopped by an error that was not a bot's."""

    COMPLETE = "complete"


class BotInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The bot an entrant plays a game with."""

    game: GameName
    spec: str
    """As the configuration names it."""

    version: Annotated[str, Meta(max_length=64)]
    fingerprint: Hex256
    params: dict[str, Any]


class EntrantInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who takes part."""

    name: Name
    bots: tuple[BotInfo, ...]
    """One a game; empty for an entrant that plays none of this run."""


class GroupInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game with a number of players and its options, and who plays it."""

    name: str
    game: GameName
    players: Annotated[int, Meta(ge=1)]
    rules_version: Annotated[int, Meta(ge=1)]
    options: dict[str, Any]
    entrants: tuple[Name, ...]


class SegmentInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a run with a master seed of its own."""

    number: Count
    blocks: Count
    """How many blocks its schedule has."""

    games: Count
    commitment: Hex256 | None = None
    """SHA-256 of salt and master, published before the first game; a segment on a deal suite has none."""

    salt: Hex256 | None = None
    """Published on completion."""

    master: str | None = None
    """Published on completion."""

    suite: str | None = None
    """The deal suite the deals come from, where there is one; then no master made them."""


class RunInfo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of `run.json`."""

    format: Literal["tournament-run"]
    version: Literal[1]
    name: Name
    state: RunState
    schedule: str
    budget: dict[str, Count]
    isolation: str
    workers: Count
    groups: tuple[GroupInfo, ...]
    entrants: tuple[EntrantInfo, ...]
    segments: Annotated[tuple[SegmentInfo, ...], Meta(min_length=1)]
    weights: dict[GameName, float]
    """The share of each game in the championship."""

    versions: dict[str, str]
    """What played: tournament, python."""

    started: str
    """UTC, ISO 8601."""

    finished: str | None = None
