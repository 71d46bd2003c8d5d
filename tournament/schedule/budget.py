"""How much is played, as blocks of each group."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tournament.records.run import Field
from tournament.schedule.tables import tables_of


def with_deals(fields: Sequence[Field], deals: int) -> tuple[Field, ...]:
    """Returns the fields with as many blocks as give every table `deals` deals."""
    return tuple(replace(field, blocks=deals * tables_of(field)) for field in fields)


def with_games(fields: Sequence[Field], games: int) -> tuple[Field, ...]:
    """Returns the fields with as many blocks as fit into `games` games, dealt out to the groups in turn."""
    rounds, rest = divmod(games, sum(field.players for field in fields))
    blocks = []
    for field in fields:
        fits = field.players <= rest
        blocks.append(rounds + fits)
        rest -= field.players * fits
    return tuple(replace(field, blocks=count) for field, count in zip(fields, blocks, strict=True))


def with_rounds(fields: Sequence[Field], rounds: int) -> tuple[Field, ...]:
    """Returns the fields with `rounds` blocks each."""
    return tuple(replace(field, blocks=rounds) for field in fields)
