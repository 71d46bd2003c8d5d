"""What the page of one bot shows, out of the facts of its run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from tournament.languages import kept_gettext
from tournament.ranking.compact.courses import RatingCourse
from tournament.ranking.compact.profiles import OwnGame
from tournament.ranking.told.reasons import reason_withdrawn
from tournament.records.standings import ChampionshipRow, EntrantSeat, GroupStandings, Meeting, Row, Standings
from tournament.report.facts import FaultFact, RunFacts, TimeFact, named_spec

CURVE_WIDTH: Final = 600
CURVE_HEIGHT: Final = 150


class GroupOfBot(msgspec.Struct, frozen=True, kw_only=True):
    """One bot in one group."""

    group: str
    final: int | None
    """The segment of the final that these figures are of; None: all games but finals."""

    row: Row
    seats: tuple[EntrantSeat, ...]
    meetings: tuple[Meeting, ...]
    """Seen from the bot, the opponent that it did best against first."""


class OwnBot(msgspec.Struct, frozen=True, kw_only=True):
    """What plays one game for an entrant."""

    game: str
    spec: str
    """Without the folders of an absolute path."""

    version: str
    fingerprint: str


class BotFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the page of a bot shows."""

    name: str
    number: int
    """Its place among the entrants of the run, from 1; its page is named by it."""

    bots: tuple[OwnBot, ...]
    out: tuple[str, ...]
    """That it was withdrawn or disqualified and why, as sentences."""

    championship: ChampionshipRow | None
    groups: tuple[GroupOfBot, ...]
    best: dict[str, tuple[OwnGame, ...]]
    worst: dict[str, tuple[OwnGame, ...]]
    fault_counts: dict[str, int]
    """By kind, in the games that count."""

    faults: tuple[FaultFact, ...]
    times: tuple[TimeFact, ...]
    courses: tuple[RatingCourse, ...]
    """Of the groups it plays, with its own ratings alone."""


def bot_numbers(facts: RunFacts) -> dict[str, int]:
    """Returns the number of each entrant's page, by its name."""
    return {entrant.name: number for number, entrant in enumerate(facts.info.entrants, start=1)}


def bot_facts(facts: RunFacts, number: int) -> BotFacts | None:
    """Returns what the page with a number shows; None where no entrant has it."""
    if not 0 < number <= len(facts.info.entrants):
        return None
    entrant = facts.info.entrants[number - 1]
    name = entrant.name
    championship = facts.standings.championship
    rows = () if championship is None else championship.rows
    groups = [*_groups(facts.standings, name, final=None)]
    for segment, final in facts.finals.items():
        groups += _groups(final, name, final=segment)
    counts: dict[str, int] = {}
    for own in groups:
        for kind, count in own.row.faults.items():
            counts[kind] = counts.get(kind, 0) + count
    profile = facts.profiles[name]
    return BotFacts(
        name=name,
        number=number,
        bots=tuple(
            OwnBot(game=bot.game, spec=named_spec(bot.spec), version=bot.version, fingerprint=bot.fingerprint)
            for bot in entrant.bots
        ),
        out=tuple(_out(facts, name)),
        championship=next((row for row in rows if row.entrant == name), None),
        groups=tuple(groups),
        best=profile.best,
        worst=profile.worst,
        fault_counts=counts,
        faults=facts.own_faults.get(name, ()),
        times=tuple(time for time in facts.times if time.entrant == name),
        courses=tuple(
            msgspec.structs.replace(course, ratings={name: course.ratings[name]})
            for course in facts.courses
            if name in course.ratings
        ),
    )


def _out(facts: RunFacts, name: str) -> Iterator[str]:
    for withdrawal in facts.info.withdrawn:
        if withdrawal.entrant == name:
            why = reason_withdrawn(facts.folder, withdrawal)
            yield kept_gettext("Withdrawn after {block}: {why}", block=withdrawal.after, why=why)
    for one in facts.info.disqualified:
        if one.entrant == name:
            yield kept_gettext("Disqualified, and none of its tables counts: {why}", why=one.reason)


def _groups(standings: Standings, name: str, *, final: int | None) -> Iterator[GroupOfBot]:
    for group in standings.groups:
        row = next((row for row in group.rows if row.entrant == name), None)
        if row is not None:
            yield GroupOfBot(
                group=group.group,
                final=final,
                row=row,
                seats=tuple(cell for cell in group.entrants_by_seat if cell.entrant == name),
                meetings=_meetings(group, name),
            )


def _meetings(group: GroupStandings, name: str) -> tuple[Meeting, ...]:
    own = [meeting for meeting in group.meetings if meeting.entrant == name]
    own += [meeting.flipped() for meeting in group.meetings if meeting.opponent == name]
    return tuple(sorted(own, key=lambda meeting: (-meeting.score.value, meeting.opponent)))


class Curve(msgspec.Struct, frozen=True, kw_only=True):
    """A rating over the run, as it is drawn: lengths are in units of the drawing."""

    group: str
    points: tuple[tuple[float, float], ...]
    low: int
    high: int
    """The ratings at the lower and the upper edge."""

    blocks: int
    """How many blocks the right edge stands for."""

    every: int
    """Of so many blocks one is taken; 1: all are."""

    first: float
    last: float


def curve_of(course: RatingCourse, name: str) -> Curve | None:
    """Returns the curve of one entrant, between round ratings; None where it has fewer than two points."""
    values = course.ratings[name]
    known = [(blocks, value) for blocks, value in zip(course.blocks, values, strict=True) if value is not None]
    if len(known) < 2:
        return None
    low = 100 * int(min(value for _, value in known) // 100)
    high = 100 * int(max(value for _, value in known) // 100 + 1)
    return Curve(
        group=course.group,
        points=tuple(
            (
                round(CURVE_WIDTH * blocks / course.blocks[-1], 1),
                round(CURVE_HEIGHT * (high - value) / (high - low), 1),
            )
            for blocks, value in known
        ),
        low=low,
        high=high,
        blocks=course.blocks[-1],
        every=course.every,
        first=known[0][1],
        last=known[-1][1],
    )


def pages_of_bots(facts: RunFacts) -> Mapping[str, str]:
    """Returns the address of each entrant's page, seen from the folder of the first page."""
    return {name: f"bots/{number}.html" for name, number in bot_numbers(facts).items()}
