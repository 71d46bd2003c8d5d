"""What a configuration would play: its size, its time, which differences it could show, and who cannot start."""

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
from tournament.languages import kept_gettext, kept_ngettext
from tournament.paths import real_path
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
"""How many live at the same time; they are ended together, so that slow ones do not add up."""


def who_cannot_start(configuration: Configuration, *, hidden: Sequence[Path] = ()) -> dict[str, str]:
    """Returns the entrants that cannot start, each with a sentence that says why.

    Each bot that plays in a process of its own is started once for each game and number of players that it plays here.
    Cost: these starts, one after the other; a bot that hangs takes all the time that it has for its start. Raises
    `BotError` for one that says in `ready` that it does not play with so many players.
    """
    hosting = configuration.hosting
    entrants = [
        entrant
        for entrant in configuration.entrants
        if all(isolation_of(bot, hosting) is not Isolation.NONE for bot in entrant.bots)
    ]
    problems: dict[str, str] = {}
    places = [str(real_path(folder)) for folder in hidden]
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
    """Returns lines in English that say who cannot start, and what to do; none when all can."""
    if not problems:
        return []
    lines = [kept_gettext("{name} cannot start: {problem}", name=name, problem=text) for name, text in problems.items()]
    what_to_do = kept_ngettext(
        "It forfeits its games. To fix it first, stop here with Ctrl-C, try `tournament bot check`, and begin again.",
        "They forfeit their games. To fix them first, stop here with Ctrl-C, try `tournament bot check`, and begin "
        "again.",
        len(problems),
    )
    return [*lines, what_to_do]


def _told(bot: BotSource, fault: PlayerFault) -> str:
    """Returns why a bot did not start: the file that is missing, or else its fault and the last that it printed."""
    missing = missing_arguments(bot)
    if missing is not None:
        return missing
    said = (fault.traceback or fault.stderr or "").strip().splitlines()
    return f"{fault.detail}." + (f" It said: {said[-1].strip()}" if said else "")


POWER: Final = 0.8
"""A difference counts as detected when it is claimed with this probability."""


class EntrantPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is planned for an entrant of a group."""

    entrant: str
    blocks: int
    """In how many it sits at least. Chance gives some entrants one more, and a knockout more to those who go on."""

    half_width: float | None
    """Half the width of the 95 % interval that is expected for its points; None under 10 blocks."""


class GroupPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What is planned for a group."""

    group: str
    entrants: int
    tables: int
    """How many different tables there are."""

    blocks: int
    games: int
    passes: float
    """How often each table is played; under 1 a balanced sample of the tables is played."""

    each: tuple[EntrantPlan, ...]
    tells: float | None
    """The least true difference in points that would be claimed with a probability of 80 %; None if none would be.

    In a gauntlet it is that between a focus bot and a bot of the field, at the tables at which both sit. About two bots
    of the field a gauntlet claims less. A knockout claims nothing.
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
    """How many of the workers play at the same time: at most one a core."""

    withdraw: AnyWithdrawalRule
    """When a bot is withdrawn; in a knockout none is."""

    groups: tuple[GroupPlan, ...]
    blocks: int
    games: int
    seconds: float
    """How long the run takes with the workers that play at once."""

    bytes: int
    """The size of all records that are kept, compressed if they are; an estimate."""

    cannot_start: dict[str, str] = {}
    """By entrant whose bot does not start here: why."""


COMPRESSED_SHARE: Final = 1 / 7
"""The share of the bytes of records that compression leaves, measured on both games."""


def plan(configuration: Configuration | str | Path | None = None) -> Plan:
    """Returns what a configuration would play, how long it would take, and how precise its ranking would be.

    `configuration` is as in `Run.begin`. Plays each group for about a second, on deals that are not used again. Raises
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
    """Returns the plan of a group; `deals` is how many a table of a knockout plays."""
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

    A few blocks say little about one bot alone. So all focus bots are taken to vary alike, and so is the field.
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

    In a gauntlet it is the one between focus and field, from the tables at which both sit. At other tables they meet
    different opponents, so points from there do not compare them.
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
