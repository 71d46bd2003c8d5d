"""What a run refuses of a configuration, found before anything is built or played."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from tournament.configuration.bots import with_stand_ins
from tournament.configuration.file import ConfigurationSource
from tournament.configuration.resolving import Configuration, Group, resolve
from tournament.configuration.rules import FieldError
from tournament.errors import BotError, ConfigurationError, GameError, TournamentError
from tournament.records.run import Field, Format
from tournament.schedule.formats import MOST_BLOCKS, with_deals, with_games
from tournament.schedule.knockout import blocks_of_knockout


def refusal_of(source: ConfigurationSource) -> TournamentError | None:
    """Returns why a run of this configuration would be refused on any machine, or None when it would not.

    What its builds make is taken for made.
    """
    try:
        check_budget(resolve(with_stand_ins(source), is_to_run=False))
    except (ConfigurationError, BotError, GameError) as error:
        return error
    return None


def check_budget(configuration: Configuration) -> None:
    """Raises `ConfigurationError` for a budget of deals or games that cannot be played; minutes are not measured."""
    fields, budget = bare_fields(configuration), configuration.budget
    if configuration.schedule is Format.KNOCKOUT and budget.deals is not None:
        check_size(fields, least=budget.deals)
        fields = tuple(_with_knockout(field, budget.deals) for field in fields)
    elif budget.deals is not None:
        fields = with_deals(fields, budget.deals)
    elif budget.games is not None:
        fields = with_games(fields, budget.games)
        check_filled(fields, games=budget.games)
    check_size(fields)
    check_suite(configuration, fields)


def _with_knockout(field: Field, deals: int) -> Field:
    return replace(field, blocks=blocks_of_knockout(field, deals=deals))


def bare_fields(configuration: Configuration) -> tuple[Field, ...]:
    """Returns the groups without any block."""
    return tuple(_field(group, configuration.focus) for group in configuration.groups)


def check_filled(fields: Sequence[Field], *, games: int) -> None:
    """Raises `ConfigurationError` when a budget of games leaves a group without any block."""
    if not all(field.blocks for field in fields):
        needed = sum(field.players for field in fields)
        raise FieldError(
            "budget",
            f"{games} games are fewer than one block of every group, which has {needed}. Give at least {needed} games.",
        )


def check_size(fields: Sequence[Field], *, least: int = 0) -> None:
    """Raises `ConfigurationError` when fields have more blocks than can be played at once."""
    blocks = max(least, sum(field.blocks for field in fields))
    if blocks > MOST_BLOCKS:
        raise FieldError(
            "budget",
            f"at most {MOST_BLOCKS:,} blocks are played at once, and this asks for more. "
            "Give fewer deals, games or minutes; a complete run can be extended.",
        )


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
