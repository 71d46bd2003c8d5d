"""Two entrants against each other: over everything, then by group, seat and opponent; and the verdict of a gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from tournament.errors import BotError, UsageError, did_you_mean
from tournament.ranking.arrays import group_games
from tournament.ranking.claims import make_claims
from tournament.ranking.comparison import compare_entrants
from tournament.ranking.estimates import Estimate
from tournament.ranking.head_to_head import head_to_head
from tournament.ranking.placement import placement_points
from tournament.ranking.results import GameResult, whole_blocks
from tournament.ranking.seats import entrants_by_seat
from tournament.ranking.standings import overall_points
from tournament.records.comparison import GATE_FORMAT, VERSION, Gate, GroupPair, OpponentPair, Scope, SeatPair
from tournament.records.standings import Figure, Meeting


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two entrants, over everything both played and group by group."""

    entrants: tuple[str, str]
    overall: Scope
    """Over all groups that both played, weighted as in the championship."""

    groups: tuple[GroupPair, ...]


def compare_pair(
    results: Iterable[GameResult], entrants: tuple[str, str], *, weights: Mapping[str, float] | None = None
) -> Pair:
    """Returns two entrants compared over the groups that both played.

    Raises `BotError` for an entrant that is not there, `UsageError` for one twice and when no group has both.
    """
    selection = whole_blocks(results).results
    by_group: dict[str, list[GameResult]] = {}
    for result in selection:
        by_group.setdefault(result.group, []).append(result)
    _check_pair(entrants, {name for result in selection for name in result.entrants})
    shared = {
        group: games
        for group, games in by_group.items()
        if set(entrants) <= {name for result in games for name in result.entrants}
    }
    games_played = {result.game for games in shared.values() for result in games}
    if weights is not None:
        weights = {game: weight for game, weight in weights.items() if game in games_played}
    overall = overall_points((result for games in shared.values() for result in games), weights=weights)
    if overall is None:
        raise UsageError(
            f"{entrants[0]} and {entrants[1]} have no group in common in which whole blocks were played. "
            "Give runs in which both play the same game."
        )
    return Pair(
        entrants=entrants,
        overall=_scope(*overall, entrants),
        groups=tuple(_group_pair(group, games, entrants) for group, games in sorted(shared.items())),
    )


def _check_pair(entrants: tuple[str, str], known: set[str]) -> None:
    for name in entrants:
        if name not in known:
            raise BotError(
                f'There is no entrant "{name}" with a whole block.{did_you_mean(name, known)} '
                f"There are: {', '.join(sorted(known)) or 'none'}."
            )
    if entrants[0] == entrants[1]:
        raise UsageError(f'"{entrants[0]}" is given twice: a bot is compared with another one. Give two names.')


def _scope(name: str, estimate: Estimate, entrants: tuple[str, str]) -> Scope:
    first, second = entrants
    return Scope(
        name=name,
        points=(estimate.figure(first), estimate.figure(second)),
        comparison=compare_entrants(estimate, first, second, claims=make_claims(estimate)),
        entrants=len(estimate.entrants),
    )


def _group_pair(group: str, results: list[GameResult], entrants: tuple[str, str]) -> GroupPair:
    games = group_games(results, whole=True)
    meetings: dict[tuple[str, str], Meeting] = {}
    for meeting in head_to_head(games):
        meetings[meeting.entrant, meeting.opponent] = meeting
        meetings[meeting.opponent, meeting.entrant] = meeting.flipped()
    by_seat = {(cell.entrant, cell.seat): cell.points for cell in entrants_by_seat(games)}
    first, second = entrants
    return GroupPair(
        scope=_scope(group, placement_points(games), entrants),
        meeting=meetings.get(entrants),
        seats=tuple(
            SeatPair(seat=seat, points=(by_seat[first, seat], by_seat[second, seat])) for seat in range(games.players)
        ),
        opponents=tuple(
            OpponentPair(
                opponent=opponent, scores=(_score(meetings, first, opponent), _score(meetings, second, opponent))
            )
            for opponent in games.entrants
            if opponent not in entrants
        ),
    )


def _score(meetings: Mapping[tuple[str, str], Meeting], entrant: str, opponent: str) -> Figure | None:
    meeting = meetings.get((entrant, opponent))
    return meeting.score if meeting is not None else None


def judge(
    results: Iterable[GameResult],
    *,
    runs: Sequence[str],
    new: str,
    old: str,
    superior: float,
    max_faults: float,
    interim: bool,
    notes: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
) -> Gate:
    """Returns whether the new bot is better than the old one with this probability, and clean enough.

    `runs`: their names, `notes`: what they say of themselves. `superior` and `max_faults` are shares from
    0 to 1. `interim` runs never pass: looking until it fits is no test. Raises as `compare_pair` does.
    """
    results = list(results)
    overall = compare_pair(results, (new, old), weights=weights).overall
    selection = whole_blocks(results).results
    games = sum(new in result.entrants for result in selection)
    faults = sum(result.entrants[seat] == new for result in selection for seat, _ in result.faults)
    probability = overall.comparison.difference.probability_better
    failures = []
    if interim:
        failures.append("The run is not complete: interim, not a test.")
    if probability is None:
        failures.append("There are too few games to say which is better.")
    elif probability < superior:
        failures.append(f"The probability that {new} is better is below what is asked for.")
    if faults > max_faults * games:
        failures.append(f"{new} has more faults than are allowed.")
    return Gate(
        format=GATE_FORMAT,
        version=VERSION,
        runs=tuple(runs),
        interim=interim,
        notes=tuple(notes),
        passed=not failures,
        new=new,
        old=old,
        overall=overall,
        superior=superior,
        games=games,
        faults=faults,
        max_faults=max_faults,
        failures=tuple(failures),
    )
