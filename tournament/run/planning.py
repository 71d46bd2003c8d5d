"""What a configuration would play: its size, its time, what it could tell apart, and who cannot start."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from tournament.configuration.bots import missing_arguments
from tournament.configuration.checking import bare_fields, check_size, check_suite
from tournament.configuration.resolving import Configuration
from tournament.deals import bot_rng, bot_rng_text, deal_seed
from tournament.entrants.model import BotSource
from tournament.errors import BotError
from tournament.players.base import FaultReason, PlayerFault
from tournament.players.bot import GameStart
from tournament.players.cast import Cast
from tournament.players.preparation import isolation_of
from tournament.ranking.claims import ExpectedPoints, difference_to_tell, seen_variance
from tournament.records.run import Field, Format
from tournament.records.settings import KEEP_ALL, NEVER, AnyWithdrawalRule, Isolation, sampled_percent
from tournament.run.budgets import Probed, fields_of, probe, rounds_in
from tournament.run.crews import workers_at_once
from tournament.schedule.formats import least_appearances, tables_of, with_rounds

MASTER: Final = "no deal: bots are only started"
KEPT_PROCESSES: Final = 8
"""So many live at the same time; they are let go of together, so that slow ones end at once."""


def who_cannot_start(configuration: Configuration, *, hidden: Sequence[Path] = ()) -> dict[str, str]:
    """Returns the entrants that cannot start, each with a sentence that says why.

    Each bot that plays in a process of its own is started once for each game and number of players that it plays here.
    Cost: its start, one after the other; for one that hangs all the time that it has for that. Raises `BotError` for
    one that says in `ready` that it does not play with so many players.
    """
    hosting = configuration.hosting
    entrants = [
        entrant
        for entrant in configuration.entrants
        if all(isolation_of(bot, hosting) is not Isolation.NONE for bot in entrant.bots)
    ]
    problems: dict[str, str] = {}
    places = [str(folder.resolve()) for folder in hidden]
    cast = Cast(entrants, hosting, hidden=places, kept=KEPT_PROCESSES, only_bots=True)
    try:
        for entrant in entrants:
            cast.begin_block()  # which ends those beyond the ones that are kept
            groups = [group for group in configuration.groups if entrant.name in group.entrants]
            for group in {(group.game.name, group.players): group for group in groups}.values():
                game = group.game
                seed = deal_seed(MASTER, game=game.name, players=group.players, segment=0, block=0)
                info = GameStart(
                    game=game.name,
                    players=group.players,
                    seat=0,
                    options=group.options,
                    rng=bot_rng(seed, rotation=0, seat=0),
                    clock=cast.clock(entrant.name, game.name),
                    seed=bot_rng_text(seed, rotation=0, seat=0),
                )
                try:
                    cast.player(entrant.name, game.name, 0).start(info)
                except PlayerFault as fault:
                    if fault.reason is FaultReason.OTHER_PLAYERS:
                        raise BotError(_refused(entrant.name, game.name, group.players)) from None
                    problems[entrant.name] = _told(entrant.bot_for(game.name), fault)
                    break
                except BotError as error:
                    problems[entrant.name] = str(error)
                    break
    finally:
        cast.close()
    return problems


def _refused(name: str, game: str, players: int) -> str:
    return (
        f'"{name}" says in `ready` that it does not play with {players} players. Take {game} with {players} players '
        "out, or write in its entry with how many it plays, such as players: [2], which leaves it out of other tables."
    )


def format_cannot_start(problems: dict[str, str]) -> list[str]:
    """Returns lines that say who cannot start, and what to do; none when all can."""
    if not problems:
        return []
    lines = [f"{name} cannot start: {text}" for name, text in problems.items()]
    who, them = ("It forfeits its games", "it") if len(problems) == 1 else ("They forfeit their games", "them")
    return [*lines, f"{who}. To fix {them} first, stop here with Ctrl-C, try `tournament bot check`, and begin again."]


def _told(bot: BotSource, fault: PlayerFault) -> str:
    """Returns why a bot did not start: the file that is not there, else its fault and the last that it said."""
    missing = missing_arguments(bot)
    if missing is not None:
        return missing
    said = (fault.traceback or fault.stderr or "").strip().splitlines()
    return f"{fault.detail}." + (f" It said: {said[-1].strip()}" if said else "")


POWER: Final = 0.8
"""A difference is said to be told when it is claimed with this probability."""


class EntrantPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is planned for an entrant of a group."""

    entrant: str
    blocks: int
    """In which it sits; chance gives some one more, and a knockout more to those who go on."""

    half_width: float | None
    """Of the 95 % interval of its points to expect; None under 10 blocks."""


class GroupPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is planned for a group."""

    group: str
    entrants: int
    tables: int
    """How many different tables there are."""

    blocks: int
    games: int
    passes: float
    """How often each table is played; under 1 a balanced sample of them is."""

    each: tuple[EntrantPlan, ...]
    tells: float | None
    """The least true difference in points that would be claimed with a probability of 80 %; None: none would.

    In a gauntlet that is between a focus bot and one of the field, at the tables at which both sit; of two of the
    field it claims less. A knockout claims nothing.
    """

    seconds: float
    """On one core."""

    bytes: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What a configuration would play."""

    name: str
    schedule: Format
    workers: int
    at_once: int
    """So many of the workers play at the same time: one a core at most."""

    withdraw: AnyWithdrawalRule
    """Who is taken out; of a knockout nobody is."""

    groups: tuple[GroupPlan, ...]
    blocks: int
    games: int
    seconds: float
    """With the workers that play at once."""

    bytes: int
    """Of all records, as they are kept and compressed about."""

    cannot_start: dict[str, str] = {}
    """Entrants whose bots do not start here, each with why."""


COMPRESSED_SHARE: Final = 1 / 7
"""What compression leaves of records, measured on both games."""


def plan(configuration: Configuration | str | Path | None = None) -> Plan:
    """Returns what a configuration would play, how long it would take, and how precise its ranking would be.

    `configuration` is as in `Run.begin`. Plays about a second a group, on deals that are then forgotten. Raises
    `ConfigurationError`, `BotError` or `GameError`.
    """
    if not isinstance(configuration, Configuration):
        configuration = Configuration.from_flags(configuration)
    minutes = configuration.budget.minutes
    at_once = workers_at_once(configuration.workers)
    cannot_start = who_cannot_start(configuration)
    fields = fields_of(configuration) if minutes is None else bare_fields(configuration)
    probed = probe(configuration, fields, format=configuration.schedule)
    if minutes is not None:
        fields = with_rounds(fields, rounds_in(minutes, probed, workers=at_once))
        check_size(fields)
    check_suite(configuration, fields)
    deals = configuration.budget.deals if configuration.schedule is Format.KNOCKOUT else None
    groups = tuple(_group_plan(field, one, deals) for field, one in zip(fields, probed, strict=True))
    return Plan(
        name=configuration.name,
        schedule=configuration.schedule,
        workers=configuration.workers,
        at_once=at_once,
        withdraw=NEVER if configuration.schedule is Format.KNOCKOUT else configuration.withdraw,
        groups=groups,
        blocks=sum(group.blocks for group in groups),
        games=sum(group.games for group in groups),
        seconds=sum(group.seconds for group in groups) / at_once,
        bytes=round(sum(group.bytes for group in groups) * _kept_share(configuration)),
        cannot_start=cannot_start,
    )


def _group_plan(field: Field, probed: Probed, deals: int | None) -> GroupPlan:
    """Returns the plan of a group; `deals` are those that a table of a knockout plays."""
    tables = tables_of(field)
    # All who play a knockout play its first round that they are in.
    blocks = least_appearances(field) if deals is None else dict.fromkeys(field.entrants, deals)
    expected = expected_of(field, probed, blocks)
    return GroupPlan(
        group=field.group,
        entrants=len(field.entrants),
        tables=tables,
        blocks=field.blocks,
        games=field.blocks * field.players,
        passes=field.blocks / tables,
        each=tuple(
            EntrantPlan(entrant=name, blocks=one.deals, half_width=one.half_width) for name, one in expected.items()
        ),
        tells=least_difference(field, expected) if deals is None else None,
        seconds=field.blocks * probed.seconds,
        bytes=field.blocks * probed.bytes,
    )


def expected_of(field: Field, probed: Probed, blocks: Mapping[str, int]) -> dict[str, ExpectedPoints]:
    """Returns how precisely the points of each entrant will be known after so many blocks, judged by the probe.

    Focus bots vary as focus bots do, the field as the field does: a few blocks say little of one bot alone.
    """
    expected: dict[str, ExpectedPoints] = {}
    for role in (field.focus, tuple(name for name in field.entrants if name not in field.focus)):
        if not role:
            continue
        variance = seen_variance(probed.results, role, players=field.players)
        expected |= {name: ExpectedPoints(blocks[name], variance) for name in role}
    return {name: expected[name] for name in field.entrants}


def least_difference(field: Field, expected: Mapping[str, ExpectedPoints]) -> float | None:
    """Returns the least true difference in points, rounded up to a thousandth, that would be claimed.

    Of a gauntlet between focus and field, and only from the tables at which both sit: at others they meet different
    opponents, and what they get there does not compare them.
    """
    weakest = sorted(field.entrants, key=lambda name: expected[name].deals)
    others = [name for name in weakest if name not in field.focus]
    first, second = next((name for name in weakest if name in field.focus), others[-1]), others[0]
    # At each of its tables an entrant meets so many of those that it can meet at all.
    opponents = len(others) if field.focus else len(others) - 1
    together = expected[first].deals * (field.players - 1) / opponents
    one, other = expected[first], expected[second]
    if field.focus:
        one, other = one._replace(deals=int(together)), other._replace(deals=int(together))
    difference = difference_to_tell(
        one,
        other,
        together=together,
        players=field.players,
        entrants=len(field.entrants),
        power=POWER,
    )
    return None if difference is None else math.ceil(1000 * difference) / 1000


def _kept_share(configuration: Configuration) -> float:
    percent = sampled_percent(configuration.keep)
    share = percent / 100 if percent is not None else float(configuration.keep == KEEP_ALL)
    return share * (COMPRESSED_SHARE if configuration.compress else 1.0)
