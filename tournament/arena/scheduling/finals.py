"""The final: who plays in it, and at which tables."""

from __future__ import annotations

from tournament.arena.files import Lane, RoundKind
from tournament.arena.scheduling.known import KnownCompetition, KnownVersion, PlannedRound
from tournament.arena.scheduling.pacing import deal_ms
from tournament.arena.scheduling.placements import apart
from tournament.configuration.types import Budget
from tournament.records.run import Field, Format
from tournament.schedule.formats import tables_of, with_deals


def finalists(competition: KnownCompetition) -> list[KnownVersion]:
    """Returns who plays in the final, by rank: those that may be first, at most as many as its rules say.

    Of bots that share an owner the better ranked one plays, unless all tables have two seats. Where they are too few
    for the largest table, the next by rank join them. All play every group.
    """
    largest = max(group.players for group in competition.groups)
    ranked = sorted(
        (
            version
            for version in competition.versions
            if version.rank is not None and all(group.name in version.groups for group in competition.groups)
        ),
        key=lambda version: (version.rank, version.name),
    )
    able = apart(ranked, players=largest)
    first = [version for version in able if version.may_be_first][: competition.final.entrants]
    others = [version for version in able if version not in first]
    return [*first, *others[: max(0, largest - len(first))]] if len(first) > 1 else first


def final_round(competition: KnownCompetition) -> PlannedRound | None:
    """Returns the final, a round robin of `final.deals` deals a table; None when fewer than two may be first."""
    entrants = finalists(competition)
    if len(entrants) < max(group.players for group in competition.groups):
        return None
    names = tuple(version.name for version in entrants)
    fields = with_deals(
        [Field(group=group.name, players=group.players, entrants=names, blocks=0) for group in competition.groups],
        competition.final.deals,
    )
    expected_ms = sum(
        deal_ms(version, group) * competition.final.deals * tables_of(field) * group.players / len(entrants)
        for group, field in zip(competition.groups, fields, strict=True)
        for version in entrants
    )
    return PlannedRound(
        competition=competition.name,
        kind=RoundKind.FINAL,
        lane=Lane.LONG,
        format=Format.ROUND_ROBIN,
        entrants=names,
        fields=fields,
        budget=Budget(deals=competition.final.deals),
        expected_ms=expected_ms,
    )
