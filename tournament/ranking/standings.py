"""Standings: every figure of a tournament, group by group, and its championship.

No figure is nan or infinite: None says that there were too few games to tell. In a knockout places are the rounds
reached, and nothing is claimed: who went on met others than who went out, so points compare only those at one table.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace

from tournament.ranking.basis import (
    Championship,
    GroupScores,
    Scale,
    combine_games,
    group_scale,
    points_scale,
    ratings_scale,
)
from tournament.ranking.caveats import balance, group_caveats
from tournament.ranking.claims import claim_matrix, head_to_head, letter_groups, places, rank_ranges
from tournament.ranking.compact.collecting import CountedGames, counted_games
from tournament.ranking.compact.columns import CountedGroup
from tournament.ranking.compact.threads import in_one_thread
from tournament.ranking.group_games import mean_opposition
from tournament.ranking.points import (
    Estimate,
    entrants_by_seat,
    mean_estimate,
    mean_margin,
    seat_figures,
    variance_removed,
    win_share,
)
from tournament.ranking.ratings import RatingIntervals
from tournament.records.figures import Basis, Figure
from tournament.records.results import GameResult
from tournament.records.standings import (
    FORMAT,
    VERSION,
    Bracket,
    CaveatKind,
    ChampionshipRow,
    ChampionshipStandings,
    Claims,
    CleanRow,
    GroupStandings,
    Rank,
    Row,
    Standings,
)
from tournament.schedule.knockout import rounds_reached

Kept = TypeVar("Kept")

CHAMPIONSHIP = "championship"
"""What the points over all groups are called where they stand beside those of groups."""


@in_one_thread
def rank(
    results: Iterable[GameResult] | CountedGames,
    *,
    weights: Mapping[str, float] | None = None,
    withdrawn: Collection[str] = (),
    brackets: Mapping[str, Bracket] | None = None,
    knockouts: Collection[str] = (),
) -> Standings:
    """Returns the standings from results in any order; only whole blocks count.

    `weights` are those of the games in the championship; left out, all games weigh the same. The `withdrawn` come after
    all others: their few games neither rank them nor say how sure the ranks of the others are. `brackets` are those of
    a knockout, by group; `knockouts` are groups in which games of a knockout are pooled with others. The caller adds
    where the results come from.

    Raises `UsageError` for weights that do not fit the games, `RecordError` for a group whose games have several
    numbers of players.
    """
    counted = counted_games(results)
    by_game = scores_by_game(counted)
    scores = by_group(by_game)
    groups = [_group_standings(own, scores[own.games.group], withdrawn) for own in counted.groups]
    championship = _championship(by_game, weights=weights, withdrawn=withdrawn) if len(groups) > 1 else None
    if brackets:
        # Each group has its winner; points, which a championship adds up, compare nobody.
        groups, championship = [_as_knockout(group, brackets[group.group]) for group in groups], None
    elif knockouts:
        groups = [_without_claims(group) if group.group in knockouts else group for group in groups]
        championship = None if championship is None else _championship_without_claims(championship)
    return Standings(
        format=FORMAT,
        version=VERSION,
        runs=(),
        interim=False,
        told_apart={},
        merged=(),
        without=(),
        groups=tuple(groups),
        championship=championship,
        left_out=counted.left_out,
    )


def overall_scale(
    results: Iterable[GameResult] | CountedGames,
    *,
    weights: Mapping[str, float] | None = None,
    withdrawn: Collection[str] = (),
) -> Scale | None:
    """Returns what ranks the entrants of the championship, or of the only group; None where there is nobody.

    The `withdrawn` are not ranked. Raises `UsageError` for weights that do not fit the games.
    """
    by_game = scores_by_game(results)
    groups = list(by_group(by_game).values())
    if len(groups) < 2:
        return group_scale(groups[0], without=withdrawn) if groups else None
    return championship_scale(by_game, combine_games(points_of(by_game), weights=weights), without=withdrawn)


def championship_scale(
    by_game: Mapping[str, Mapping[str, GroupScores]], combined: Championship, *, without: Collection[str] = ()
) -> Scale | None:
    """Returns what ranks the entrants of a championship; None when nobody played everything."""
    if combined.estimate is None:
        return None
    groups = by_group(by_game)
    if all(scores.equal for scores in groups.values()):
        return points_scale(combined.estimate, without=without)
    return ratings_scale([(scores, combined.by_group[group]) for group, scores in groups.items()], without=without)


def scores_by_game(results: Iterable[GameResult] | CountedGames) -> dict[str, dict[str, GroupScores]]:
    """Returns the whole blocks of every group, by game and by the name of the group."""
    by_game: dict[str, dict[str, GroupScores]] = {}
    for own in counted_games(results).groups:
        by_game.setdefault(own.game, {})[own.games.group] = GroupScores(games=own.games)
    return by_game


def by_group(by_game: Mapping[str, Mapping[str, Kept]]) -> dict[str, Kept]:
    """Returns what is kept for each group by the name of the group alone; the groups of a game are sorted."""
    return {group: kept for groups in by_game.values() for group, kept in sorted(groups.items())}


def points_of(by_game: Mapping[str, Mapping[str, GroupScores]]) -> dict[str, dict[str, Estimate]]:
    """Returns the placement points of every group, by game and by the name of the group."""
    return {game: {group: scores.points for group, scores in groups.items()} for game, groups in by_game.items()}


def scale_ranks(scale: Scale) -> dict[str, Rank]:
    """Returns the rank of each entrant among those of its part, part by part, each with the best first."""
    return {name: rank for part in scale.parts for name, rank in ranks(scale.estimate.only(part), scale.claims).items()}


def _all_ranks(scale: Scale, entrants: Sequence[str]) -> dict[str, Rank]:
    """Returns the rank of each entrant as `scale_ranks` does; those that were withdrawn share the last place."""
    ranked = scale_ranks(scale)
    last = Rank(place=len(ranked) + 1, best_rank=len(ranked) + 1, worst_rank=len(entrants), letters="")
    return ranked | {name: last for name in entrants if name not in ranked}


def _strength(scale: Scale, entrant: str) -> Figure | None:
    if entrant not in scale.estimate.entrants:
        return None
    alone = (entrant,) in scale.classes and len(scale.estimate.entrants) > 1
    return None if scale.basis is Basis.POINTS or alone else scale.estimate.figure(entrant)


def ranks(estimate: Estimate, claims: Claims | None) -> dict[str, Rank]:
    """Returns the rank of each entrant, the best first, equals by name."""
    order = sorted(range(len(estimate.entrants)), key=lambda at: (-float(estimate.values[at]), estimate.entrants[at]))
    names = tuple(estimate.entrants[at] for at in order)
    claimed = claim_matrix(claims, names)
    return {
        name: Rank(place=place, best_rank=best, worst_rank=worst, letters=letters)
        for name, place, (best, worst), letters in zip(
            names, places(estimate.values[order]), rank_ranges(claimed), letter_groups(claimed), strict=True
        )
    }


def _group_standings(counted: CountedGroup, scores: GroupScores, withdrawn: Collection[str]) -> GroupStandings:
    games, points, strengths = scores.games, scores.points, scores.with_prior
    scale = group_scale(scores, without=withdrawn)
    rating = RatingIntervals(strengths) if strengths is not None else None
    opposition = mean_opposition(games, None if scores.ratings is None else scores.ratings.values)
    wins, margin = win_share(games), mean_margin(games)
    played = games.played.astype(np.int64).tolist()
    mean_scores = mean_estimate(games, lambda part: part.scores, denominator=1).values.tolist()
    forfeits = np.bincount(games.seats[games.forfeited], minlength=len(games.entrants)).tolist()
    rows = []
    for entrant, rank in _all_ranks(scale, games.entrants).items():
        number = games.entrants.index(entrant)
        rows.append(
            Row(
                entrant=entrant,
                rank=rank,
                points=points.figure(entrant),
                rating=rating.rating(entrant) if rating is not None else None,
                strength=_strength(scale, entrant),
                opposition=opposition[number],
                win_share=wins.figure(entrant),
                margin=margin.figure(entrant),
                mean_score=mean_scores[number],
                games=played[number],
                forfeits=forfeits[number],
                faults=dict(sorted(counted.faults.get(entrant, {}).items())),
                withdrawn=entrant in withdrawn,
            )
        )
    meetings = head_to_head(games)
    return GroupStandings(
        group=games.group,
        game=counted.game,
        players=games.players,
        games=len(games.deal),
        deals=len(games.deals),
        basis=scale.basis,
        parts=scale.parts,
        rows=tuple(rows),
        claims=scale.claims,
        meetings=meetings,
        seats=seat_figures(games),
        entrants_by_seat=entrants_by_seat(games),
        variance_removed=variance_removed(games),
        balance=balance(games),
        without_forfeits=_clean_rows(counted, scale.basis, withdrawn) if games.forfeited.any() else None,
        caveats=group_caveats(counted, scores, scale, meetings),
    )


def _clean_rows(counted: CountedGroup, basis: Basis, withdrawn: Collection[str]) -> tuple[CleanRow, ...]:
    """Returns the places without forfeits, with the withdrawn after all others.

    They go by the same basis, points or ratings, that ranks the group with forfeits.
    """
    if not counted.clean.any():
        return ()
    scores = GroupScores(games=counted.games.chosen(counted.clean))
    if basis is Basis.POINTS:
        scale = points_scale(scores.points, without=withdrawn)
    else:
        scale = ratings_scale([(scores, 1.0)], without=withdrawn)
    return tuple(
        CleanRow(entrant=entrant, place=rank.place, points=scores.points.figure(entrant))
        for entrant, rank in _all_ranks(scale, scores.games.entrants).items()
    )


def _championship(
    by_game: Mapping[str, Mapping[str, GroupScores]], *, weights: Mapping[str, float] | None, withdrawn: Collection[str]
) -> ChampionshipStandings:
    points = points_of(by_game)
    combined = combine_games(points, weights=weights)
    scale, rows = championship_scale(by_game, combined, without=withdrawn), []
    if combined.estimate is not None and scale is not None:
        points_of_groups = by_group(points)
        for entrant, rank in _all_ranks(scale, combined.estimate.entrants).items():
            own = {group: float(one.values[one.entrants.index(entrant)]) for group, one in points_of_groups.items()}
            rows.append(
                ChampionshipRow(
                    entrant=entrant,
                    rank=rank,
                    points=combined.estimate.figure(entrant),
                    strength=_strength(scale, entrant),
                    groups=own,
                    withdrawn=entrant in withdrawn,
                )
            )
    return ChampionshipStandings(
        basis=Basis.POINTS if scale is None else scale.basis,
        parts=() if scale is None else scale.parts,
        weights=combined.weights,
        uncounted=combined.uncounted,
        rows=tuple(rows),
        claims=None if scale is None else scale.claims,
        absent=combined.absent,
    )


_KEPT = (CaveatKind.REPEATED_GAMES,)
"""Caveats that do not speak of how sure a ranking is."""


def _as_knockout(group: GroupStandings, bracket: Bracket) -> GroupStandings:
    """Returns the standings of a group by its bracket, without ratings, intervals and claims.

    Entrants that went out in the same round share a place. A disqualified entrant has no row and takes no place from
    others.
    """
    listed = {row.entrant for row in group.rows}
    reached = {name: number for name, number in rounds_reached(bracket).items() if name in listed}
    rows = [
        replace(
            row,
            rank=_rank(row.entrant, reached),
            reached=min(reached[row.entrant], len(bracket.rounds)),
            points=_bare(row.points),
            rating=None,
            strength=None,
            opposition=None,
            win_share=_bare(row.win_share),
            margin=_bare(row.margin),
        )
        for row in group.rows
    ]
    return replace(
        group,
        rows=tuple(sorted(rows, key=lambda row: (row.rank.place, row.entrant))),
        basis=Basis.ROUNDS,
        parts=(tuple(sorted(reached)),),
        claims=None,
        meetings=tuple(replace(meeting, score=_bare(meeting.score), claimed=False) for meeting in group.meetings),
        without_forfeits=None,
        caveats=tuple(caveat for caveat in group.caveats if caveat.kind in _KEPT),
        bracket=bracket,
    )


def _without_claims(group: GroupStandings) -> GroupStandings:
    """Returns the standings of a group that has games of a knockout among others: nothing is claimed."""
    size = len(group.rows)
    return replace(
        group,
        rows=tuple(replace(row, rank=_open(row.rank, size)) for row in group.rows),
        claims=None,
        meetings=tuple(replace(meeting, claimed=False) for meeting in group.meetings),
    )


def _championship_without_claims(championship: ChampionshipStandings) -> ChampionshipStandings:
    """Returns a championship over such a group: nothing is claimed."""
    size = len(championship.rows)
    rows = tuple(replace(row, rank=_open(row.rank, size)) for row in championship.rows)
    return replace(championship, rows=rows, claims=None)


def _open(rank: Rank, size: int) -> Rank:
    return Rank(place=rank.place, best_rank=1, worst_rank=size, letters="")


def _rank(entrant: str, reached: Mapping[str, int]) -> Rank:
    place = 1 + sum(other > reached[entrant] for other in reached.values())
    return Rank(place=place, best_rank=place, worst_rank=place, letters="")


def _bare(figure: Figure) -> Figure:
    return replace(figure, error=None, low=None, high=None)
