"""Who won: the winner of each ranking, the podium beside it or the bracket, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from tournament.languages import gettext, ngettext
from tournament.records.figures import format_points
from tournament.records.run import RunInfo
from tournament.records.standings import (
    Bracket,
    ChampionshipRow,
    ChampionshipStandings,
    Claims,
    GroupStandings,
    Row,
    Standings,
)
from tournament.report.groups import DrawnRound, drawn_rounds
from tournament.report.tables import with_basis

PODIUM_PLACES: Final = 3
PODIUM_NAMES: Final = 3
"""So many names stand on one step; how many more share it is said."""


class PodiumStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a podium."""

    place: int
    names: tuple[str, ...]
    more: int
    """How many further entrants share the place."""

    points: str


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """The winner of the championship or of one group, as the first page shows it."""

    name: str
    winners: tuple[str, ...]
    """Who has the most points; several if these are equal."""

    points: str
    """The points of the winners, or the number of rounds of a knockout."""

    sure: str
    """How certain that is, as a sentence."""

    is_championship: bool = False
    steps: tuple[PodiumStep, ...] = ()
    """The podium, the winner first; empty for a knockout, which has its bracket."""

    rounds: tuple[DrawnRound, ...] | None = None
    """Of a knockout: its bracket."""

    group: str | None = None
    """None of the championship."""

    part: int | None = None
    """Which part of the ranking, where it has several."""


class Verdicts(msgspec.Struct, frozen=True, kw_only=True):
    """What the first page says of who won."""

    first: tuple[Headline, ...]
    """What decides: the last final, else the championship, else each group."""

    others: tuple[Headline, ...]
    """The games within the championship, and what was so before a final."""


def verdicts(standings: Standings, finals: dict[int, Standings]) -> Verdicts:
    """Returns what decides, then the rest; `finals` are by the number of their segment."""
    deciding = [
        [msgspec.structs.replace(one, name=format_final(number, one.name)) for one in headlines(finals[number])]
        for number in sorted(finals, reverse=True)
    ]
    before = headlines(standings)
    if finals:
        before = [
            msgspec.structs.replace(one, name=gettext("Before the final: {ranking}", ranking=one.name))
            for one in before
        ]
    deciding.append(before)
    first: list[Headline] = []
    others: list[Headline] = []
    for named in deciding:
        if first:
            others += named
            continue
        has_championship = any(headline.is_championship for headline in named)
        first += [headline for headline in named if headline.is_championship or not has_championship]
        others += [headline for headline in named if has_championship and not headline.is_championship]
    return Verdicts(first=tuple(first), others=tuple(others))


def format_final(number: int, ranking: str) -> str:
    """Returns the name of a ranking that is a final."""
    return gettext("Final (segment {number}): {ranking}", number=number, ranking=ranking)


def absent_from_final(info: RunInfo, number: int) -> list[str]:
    """Returns why groups of a run are not in its final, which is the segment with this number, a sentence each."""
    (segment,) = (one for one in info.segments if one.number == number)
    played = {field.group for field in segment.fields}
    return [
        gettext(
            "{group} is not in the final: it takes {players} players, and there are fewer finalists.",
            group=group.name,
            players=group.players,
        )
        for group in info.groups
        if group.name not in played
    ]


def format_ranking(group: str | None, part: int | None) -> str:
    """Returns the name of the ranking of a group, or of the championship; of one part of it, where it has several."""
    name = gettext("Championship") if group is None else group
    return name if part is None else gettext("{ranking}, part {number}", ranking=name, number=part)


def headlines(standings: Standings) -> list[Headline]:
    """Returns the headline of the championship, if there is one, and of each group."""
    groups, championship = standings.groups, standings.championship
    found: list[Headline] = []
    if championship is not None:
        found += _headlines(None, championship.rows, championship)
    for group in groups:
        if group.bracket is not None and group.rows:
            found.append(_headline_of_knockout(group, group.bracket))
        else:
            found += _headlines(group.group, group.rows, group)
    return found


def _headline_of_knockout(group: GroupStandings, bracket: Bracket) -> Headline:
    winners = tuple(row.entrant for row in group.rows if row.rank.place == 1)
    if bracket.winner is None:
        sure = gettext("Still playing, in round {number} of the knockout.", number=len(bracket.rounds))
    elif winners == (bracket.winner,):
        sure = gettext(
            "Won the knockout. Results decided who met whom, so nobody is claimed to be stronger than another."
        )
    else:
        sure = gettext(
            "{winner}, who won the knockout, does not count; nobody else came further.", winner=bracket.winner
        )
    return Headline(
        name=group.group,
        group=group.group,
        winners=winners,
        points=ngettext("{count} round", "{count} rounds", len(bracket.rounds)),
        sure=sure,
        rounds=drawn_rounds(bracket),
    )


def _headlines(
    group: str | None, rows: Sequence[Row] | Sequence[ChampionshipRow], ranking: GroupStandings | ChampionshipStandings
) -> Iterator[Headline]:
    """Yields the headline of each part of a ranking; entrants in different parts cannot be compared."""
    for number, part in enumerate(ranking.parts, start=1):
        of_part = [row for row in rows if row.entrant in part]
        winners = tuple(row.entrant for row in of_part if row.rank.place == 1)
        part_shown = None if len(ranking.parts) == 1 else number
        yield Headline(
            name=format_ranking(group, part_shown),
            group=group,
            part=part_shown,
            winners=winners,
            points=with_basis(
                # Translators: {points} is a share, such as 0.931 (0.806-0.985)
                gettext("{points} points", points=format_points(of_part[0].points)),
                ranking.basis,
            ),
            sure=_how_sure(winners, of_part, ranking.claims),
            is_championship=isinstance(ranking, ChampionshipStandings),
            steps=tuple(_steps(of_part)),
        )


def _steps(rows: Sequence[Row | ChampionshipRow]) -> Iterator[PodiumStep]:
    for place in range(1, PODIUM_PLACES + 1):
        on_it = [row for row in rows if row.rank.place == place and not row.withdrawn]
        if on_it:
            names = tuple(row.entrant for row in on_it[:PODIUM_NAMES])
            points = format_points(on_it[0].points)
            yield PodiumStep(place=place, names=names, more=len(on_it) - len(names), points=points)


def _how_sure(winners: tuple[str, ...], rows: Sequence[Row | ChampionshipRow], claims: Claims | None) -> str:
    if claims is None:
        return gettext("Too few deals to claim any difference.")
    others = [row.entrant for row in rows if row.entrant not in winners]
    if len(winners) > 1:
        return ngettext("{count} entrant has the same points.", "{count} entrants have the same points.", len(winners))
    level = [other for other in others if not claims.holds(winners[0], other)]
    if not level:
        return gettext("Better than everybody else, at 95 % for all comparisons together.")
    if len(level) == len(others):
        return gettext("Statistically tied with everybody so far, at 95 % for all comparisons together.")
    names = ", ".join(level[:4])
    if len(level) > 4:
        names = ngettext("{names} and {count} more", "{names} and {count} more", len(level) - 4, names=names)
    return gettext("Statistically tied with {names}, at 95 % for all comparisons together.", names=names)
