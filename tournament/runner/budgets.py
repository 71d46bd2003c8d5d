"""Budgets: how many blocks of each group deals, games or minutes are."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tournament.configuration import Configuration, Group
from tournament.errors import ConfigurationError
from tournament.records.configuration import Budget
from tournament.records.run import Field, Format
from tournament.runner.cores import workers_at_once
from tournament.runner.probing import probe, rounds_in
from tournament.schedule import MOST_BLOCKS, with_deals, with_games, with_rounds
from tournament.schedule.knockout import blocks_of_knockout


def bare_fields(configuration: Configuration) -> tuple[Field, ...]:
    """Returns the groups without any block."""
    return tuple(_field(group, configuration.focus) for group in configuration.groups)


def fields_of(configuration: Configuration, *, cluster: str | None = None) -> tuple[Field, ...]:
    """Returns the groups with as many blocks as the budget gives; minutes become blocks by a probe.

    Raises `ConfigurationError` when it gives none, or more than can be played at once.
    """
    fields = bare_fields(configuration)
    budget = configuration.budget
    if configuration.schedule is Format.KNOCKOUT and budget.deals is not None:
        deals = budget.deals
        check_size(fields, least=deals)
        fields = tuple(_with_blocks(field, blocks_of_knockout(field, deals=deals)) for field in fields)
    else:
        workers = workers_at_once(configuration.workers, cluster=cluster)
        fields = with_budget(fields, budget, configuration=configuration, workers=workers)
    check_size(fields)
    return fields


def check_size(fields: Sequence[Field], *, least: int = 0) -> None:
    """Raises `ConfigurationError` when fields have more blocks than can be played at once."""
    blocks = max(least, sum(field.blocks for field in fields))
    if blocks > MOST_BLOCKS:
        raise ConfigurationError(
            f"budget: at most {MOST_BLOCKS:,} blocks are played at once, and this asks for more. "
            "Give fewer deals, games or minutes; a complete run can be extended."
        )


def format_of(fields: Sequence[Field]) -> Format:
    """Returns how fields are played that are no knockout."""
    return Format.GAUNTLET if any(field.focus for field in fields) else Format.ROUND_ROBIN


def with_budget(
    fields: Sequence[Field], budget: Budget, *, configuration: Configuration, workers: int
) -> tuple[Field, ...]:
    """Returns fields with as many blocks as a budget gives; so many workers play at the same time.

    Raises `ConfigurationError` when it gives none.
    """
    if budget.deals is not None:
        return with_deals(fields, budget.deals)
    if budget.games is not None:
        filled = with_games(fields, budget.games)
        if not all(field.blocks for field in filled):
            needed = sum(field.players for field in fields)
            raise ConfigurationError(
                f"budget: {budget.games} games are fewer than one block of every group, which has {needed}. "
                f"Give at least {needed} games."
            )
        return filled
    assert budget.minutes is not None, "a budget has one of its three"
    if not math.isfinite(budget.minutes):
        raise ConfigurationError(f"budget: minutes are a finite number, not {budget.minutes}. Give one.")
    probed = probe(configuration, fields, format=format_of(fields))
    return with_rounds(fields, rounds_in(budget.minutes, probed, workers=workers))


def check_suite(configuration: Configuration, fields: Sequence[Field]) -> None:
    """Raises `ConfigurationError` when a run needs more deals than its suite has."""
    suite = configuration.suite
    if suite is None:
        return
    needed = max(field.blocks for field in fields)
    if needed > len(suite.seeds):
        raise ConfigurationError(
            f"The suite {suite.name} has {len(suite.seeds)} deals, and this run needs {needed}. "
            "Ask for fewer deals, or take a longer suite."
        )


def _field(group: Group, focus: Sequence[str]) -> Field:
    return Field(
        group=group.name,
        players=group.players,
        entrants=group.entrants,
        blocks=0,
        focus=tuple(name for name in focus if name in group.entrants),
    )


def _with_blocks(field: Field, blocks: int) -> Field:
    (filled,) = with_rounds([field], blocks)
    return filled
