"""The types of a configuration file: what a tournament plays, as a person writes it."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from tournament.records.model import GameName, Name

Players = Annotated[int, Meta(ge=1)]
Positive = Annotated[int, Meta(ge=1)]


class GameEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game, with one or more numbers of players and its options."""

    game: GameName
    players: Players | Annotated[tuple[Players, ...], Meta(min_length=1)]
    options: dict[str, Any] = {}


class Budget(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much is played."""

    deals: Positive
    """Blocks a table."""


class ConfigurationFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole of a configuration file; what is left out takes its default."""

    name: Name | None = None
    """Default: the name of the file."""

    seed: str | int | None = None
    """The master; default: drawn."""

    deals_from: str | None = None
    """A deal suite instead of a master."""

    games: Annotated[tuple[GameEntry, ...], Meta(min_length=1)] | None = None
    bots: Annotated[tuple[str | list[str] | dict[str, Any], ...], Meta(min_length=1)] | None = None
    """A spec (path, module, installed name, folder), a command as a list, or an object with a name."""

    schedule: str | None = None
    budget: Budget | None = None
    isolation: str | None = None
    workers: int | None = None
    weights: dict[GameName, Annotated[float, Meta(gt=0)]] | None = None
    """The share of each game in the championship; default: equal."""
