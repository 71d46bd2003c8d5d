"""Two entrants against each other: over everything, then by group, seat and opponent; and the verdict of a gate.

Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from os import PathLike
from typing import cast

from msgspec.structs import replace

from tournament.errors import BotError, NotComparableError, UsageError, did_you_mean
from tournament.languages import kept_gettext
from tournament.ranking.basis import ENOUGH_SHARED, GroupScores, combine_games, combined, ratings_scale, shared_points
from tournament.ranking.claims import head_to_head, make_claims
from tournament.ranking.compact.collecting import CountedGames, counted_games
from tournament.ranking.compact.threads import in_one_thread
from tournament.ranking.group_games import pair_met_equally, shared_deals
from tournament.ranking.points import (
    FEWEST_DEALS,
    LEVEL,
    Estimate,
    bonferroni_critical,
    entrants_by_seat,
    student_probability,
)
from tournament.ranking.results import result_from_record
from tournament.ranking.sources import RecordSource, Sources, named_paths, read_sources
from tournament.ranking.standings import CHAMPIONSHIP, by_group, points_of, scores_by_game
from tournament.records.codec import AnyRecord
from tournament.records.comparison import (
    BOTS_FORMAT,
    GATE_FORMAT,
    VERSION,
    Comparison,
    Gate,
    GroupPair,
    OpponentPair,
    Scope,
    ScopeComparison,
    SeatPair,
)
from tournament.records.figures import Basis, Figure
from tournament.records.results import GameResult
from tournament.records.standings import Claims, Meeting, meetings_by_pair
from tournament.text import format_count


def compare_entrants(estimate: Estimate, entrant: str, opponent: str, *, claims: Claims | None) -> ScopeComparison:
    """Returns the difference of two entrants, and whether the claims from the same estimate tell them apart."""
    compared = compare_by(estimate, entrant, opponent, critical=None if claims is None else claims.critical)
    claimed = claims is not None and (claims.holds(entrant, opponent) or claims.holds(opponent, entrant))
    return replace(compared, claimed=claimed)


def compare_by(estimate: Estimate, entrant: str, opponent: str, *, critical: float | None) -> ScopeComparison:
    """Returns the difference of two entrants, claimed when it exceeds `critical` errors; None claims nothing."""
    difference = estimate.difference(entrant, opponent)
    value, error = difference.figure.value, difference.figure.error
    if critical is None or error is None:
        return ScopeComparison(difference=difference, claimed=False, probability_among_all=None, more_deals=None)
    more_deals = more_deals_to_claim(value, error=error, critical=critical, deals=estimate.deal_count)
    claimed = abs(value) > max(critical * error, 1e-9)
    among_all = probability_among_all(difference.figure, critical=critical)
    return ScopeComparison(
        difference=difference, claimed=claimed, probability_among_all=among_all, more_deals=more_deals
    )


def probability_among_all(difference: Figure, *, critical: float) -> float:
    """Returns how sure a difference is when its pair was picked out of all pairs afterwards: 95 % at `critical` errors.

    The probability of a larger difference, either way, is multiplied so that it is 5 % at `critical` errors; with
    Bonferroni that is by the number of pairs. A difference without an error, or of 0, gives 0 or 1.
    """
    if not difference.error or abs(difference.value) <= 1e-9:
        return float(abs(difference.value) > 1e-9)
    degrees = difference.deals - 1
    beyond = student_probability(-abs(difference.value) / difference.error, degrees)
    return max(0.0, 1.0 - (1.0 - LEVEL) * beyond / student_probability(-critical, degrees))


def more_deals_to_claim(difference: float, *, error: float, critical: float, deals: int) -> int | None:
    """Returns about how many more deals would make this difference a claim if it stays as it is; None if it is 0.

    Errors shrink with the root of the deals. If the difference is real, the chance that it is claimed then is even.
    """
    if difference == 0.0:
        return None
    needed = math.ceil(deals * (critical * error / difference) ** 2)
    return max(needed + 1 - deals, 0) if abs(difference) <= critical * error else 0


def compare(
    entrant: str,
    opponent: str,
    records: RecordSource,
    *,
    merge: Collection[str] = (),
    weights: Mapping[str, float] | None = None,
) -> Comparison:
    """Returns two entrants compared as `tournament compare --bots` does: who is ahead, and how sure that is.

    `records`, `merge` and `weights` are as in `tournament.standings`. Raises what that raises; `BotError` for an
    entrant that is not there; `UsageError` for an entrant that is given twice or was disqualified, and when no group
    has both; and `NotComparableError` for games of a knockout.
    """
    if paths := named_paths(records):
        sources = read_sources(paths, merge=merge)
        return compare_sources(sources, (entrant, opponent), weights=weights)
    if merge:
        raise UsageError("merge needs the paths of runs or files. Give these in place of records.")
    results = map(result_from_record, cast(Iterable[AnyRecord], records))
    return compare_results(results, (entrant, opponent), weights=weights)


def compare_sources(
    sources: Sources, entrants: tuple[str, str], *, weights: Mapping[str, float] | None = None
) -> Comparison:
    """Returns two entrants of pooled runs compared, with what the runs say of themselves; raises as `compare` does."""
    sources.check_qualified(entrants)
    sources.check_comparable()
    compared = compare_results(sources.counted, entrants, weights=sources.weights if weights is None else weights)
    return replace(compared, runs=sources.runs, interim=sources.interim, notes=sources.notes)


@in_one_thread
def compare_results(
    results: Iterable[GameResult] | CountedGames,
    entrants: tuple[str, str],
    *,
    weights: Mapping[str, float] | None = None,
) -> Comparison:
    """Returns two entrants compared over the groups that both played; the caller adds where the results come from.

    Raises `BotError` for an entrant that is not there, `UsageError` for one that is given twice and when no group has
    both.
    """
    counted = counted_games(results)
    _check_pair(entrants, {name for own in counted.groups for name in own.games.entrants})
    shared = counted.only({own.games.group for own in counted.groups if set(entrants) <= set(own.games.entrants)})
    games_played = {own.game for own in shared.groups}
    if weights is not None:
        weights = {game: weight for game, weight in weights.items() if game in games_played}
    by_game = scores_by_game(shared)
    if not by_game:
        raise UsageError(
            f"{entrants[0]} and {entrants[1]} have no group in common in which whole blocks were played. "
            "Give runs in which both play the same game."
        )
    scores = by_group(by_game)
    groups = tuple(_group_pair(name, scores[name], entrants) for name in sorted(scores))
    overall = groups[0].scope
    if len(groups) > 1:
        weight_of = combine_games(points_of(by_game), weights=weights).by_group
        overall = scope_of(CHAMPIONSHIP, [(one, weight_of[name]) for name, one in scores.items()], entrants)
    return Comparison(
        format=BOTS_FORMAT,
        version=VERSION,
        runs=(),
        interim=False,
        notes=(),
        entrants=entrants,
        overall=overall,
        groups=groups,
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


def scope_of(name: str, weighted: Sequence[tuple[GroupScores, float]], entrants: tuple[str, str]) -> Scope:
    """Returns two entrants compared over one group, or over several with weights, by what the schedule allows."""
    first, second = entrants
    everybody = tuple(sorted(set.intersection(*(set(scores.games.entrants) for scores, _ in weighted))))
    points = combined([(scores.points.only(everybody), weight) for scores, weight in weighted])
    shared = [shared_deals(scores.games, first, second) for scores, _ in weighted]
    uneven = [
        deals
        for (scores, _), deals in zip(weighted, shared, strict=True)
        if not scores.equal and not pair_met_equally(scores.games, first, second)
    ]
    basis, comparison = Basis.POINTS, None
    pairs = math.comb(len(everybody), 2)
    if all(scores.equal for scores, _ in weighted):
        comparison = compare_entrants(points, first, second, claims=make_claims(points))
    elif not uneven:
        comparison = _by_points(points, entrants, pairs=pairs)
    elif min(uneven) >= ENOUGH_SHARED:
        basis = Basis.SHARED_TABLES
    else:
        scale = ratings_scale(weighted)
        if scale.compares(first, second):
            basis = Basis.RATINGS
            comparison = compare_entrants(scale.estimate, first, second, claims=scale.claims)
        else:
            basis = Basis.SHARED_TABLES if min(uneven) >= FEWEST_DEALS else Basis.NONE
    if basis is Basis.SHARED_TABLES:
        together = shared_points(weighted, first, second, all_if_equal=True)
        assert together is not None, "they shared tables in every group in which that is asked for"
        points = together
        comparison = _by_points(points, entrants, pairs=pairs)
    return Scope(
        name=name,
        basis=basis,
        points=(points.figure(first), points.figure(second)),
        shared_deals=min(shared),
        comparison=comparison,
        entrants=len(everybody),
    )


def _by_points(points: Estimate, entrants: tuple[str, str], *, pairs: int) -> ScopeComparison:
    """Returns two entrants compared by points; a claim has to hold among so many pairs at once."""
    degrees = max(int(points.only(entrants).met.min()) - 1, 1)
    return compare_by(points, *entrants, critical=bonferroni_critical(pairs, degrees=degrees))


def _group_pair(group: str, scores: GroupScores, entrants: tuple[str, str]) -> GroupPair:
    games = scores.games
    meetings = meetings_by_pair(head_to_head(games))
    by_seat = {(cell.entrant, cell.seat): cell.points for cell in entrants_by_seat(games)}
    first, second = entrants
    return GroupPair(
        scope=scope_of(group, [(scores, 1.0)], entrants),
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


def gate(
    new: str,
    old: str,
    runs: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    superior: float = 0.95,
    max_faults: float = 0.001,
    merge: Collection[str] = (),
) -> Gate:
    """Returns whether a new bot is accepted in place of an old one, as `tournament gate` decides it.

    It is when its probability to be better is at least `superior`, and its faults are at most the share `max_faults` of
    its games; both are from 0 to 1. `runs` are a run or a file of records by its path, or several, and `merge` is as in
    `tournament.standings`. Raises as `tournament.compare` does, `UsageError` for a share that is none, and
    `NotComparableError` for two bots that no results join.
    """
    for name, share in (("superior", superior), ("max_faults", max_faults)):
        if not 0.0 <= share <= 1.0:
            raise UsageError(f"{name} is a share from 0 to 1, such as 0.95; found {share}.")
    if not (paths := named_paths(runs)):
        raise UsageError("A gate needs runs. Give the path of a run or a file of records, or a list of them.")
    sources = read_sources(paths, merge=merge)
    compared = compare_sources(sources, (new, old))
    return judge(compared, sources.counted, superior=superior, max_faults=max_faults)


@in_one_thread
def judge(
    compared: Comparison, results: Iterable[GameResult] | CountedGames, *, superior: float, max_faults: float
) -> Gate:
    """Returns whether the first of two compared bots is better with this probability, and has few enough faults.

    `results` are those that were compared; `superior` and `max_faults` are shares from 0 to 1. A run that is not
    complete never passes: looking until the figures fit is no test. Raises `NotComparableError` for two bots that no
    results join.
    """
    (new, old), overall = compared.entrants, compared.overall
    games, faults = counted_games(results).games_and_faults(new)
    if overall.comparison is None:
        deals = overall.shared_deals
        met = f"they met on {format_count(deals, 'deal', grouped=False)} only" if deals else "they never met"
        raise NotComparableError(
            f"{new} and {old} are not comparable in {overall.name}: {met}, and no chain of wins and ties joins them "
            f"both ways. Play a round robin in which they meet on {ENOUGH_SHARED} deals or more."
        )
    probability = overall.comparison.difference.probability_better
    failures = []
    if compared.interim:
        failures.append(kept_gettext("The run is not complete: interim, not a test."))
    if probability is None:
        failures.append(kept_gettext("There are too few games to say which is better."))
    elif probability < superior:
        failures.append(kept_gettext("The probability that {bot} is better is below what is asked for.", bot=new))
    if faults > max_faults * games:
        failures.append(kept_gettext("{bot} has more faults than are allowed.", bot=new))
    return Gate(
        format=GATE_FORMAT,
        version=VERSION,
        runs=compared.runs,
        interim=compared.interim,
        notes=compared.notes,
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
