"""One ranking and another: who moved, whether that is more than luck, and whose doing it may be.

Points depend on who else plays. So a bot whose code is the same in both rankings is never said to have become better
or worse: where its points moved, the others did. Nor is a bot that met other opponents: another field is another
measure.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from os import PathLike
from pathlib import Path

import numpy as np

from tournament.errors import UsageError
from tournament.languages import gettext_noop, kept_gettext
from tournament.ranking.basis import Scale, combine_games, group_scale
from tournament.ranking.claims import claim_matrix, make_claims, places, rank_ranges
from tournament.ranking.compact.by_deal import MOST_CELLS, Floats, Names
from tournament.ranking.compact.threads import in_one_thread
from tournament.ranking.group_games import others_met
from tournament.ranking.points import Estimate, difference_figure, is_claimed
from tournament.ranking.pooling import Suites
from tournament.ranking.sources import Sources, read_sources
from tournament.ranking.standings import CHAMPIONSHIP, by_group, championship_scale, points_of, scores_by_game
from tournament.records.comparison import (
    RUNS_FORMAT,
    VERSION,
    Change,
    ChangeVerdict,
    PlaceRange,
    RankingChange,
    RunComparison,
)
from tournament.records.figures import Basis


def compare_rankings(
    before: Estimate,
    after: Estimate,
    *,
    changed: Collection[str] = (),
    met_others: Collection[str] = (),
    scales: tuple[Scale | None, Scale | None] = (None, None),
    withdrawn: tuple[Collection[str], Collection[str]] = ((), ()),
) -> RankingChange:
    """Returns who moved between two rankings with a common entrant, and whether it is more than luck.

    Deals with the same name are the same deal, so that two runs on one suite are compared deal by deal. `changed` are
    the entrants whose bot is another one, `met_others` those that met other opponents. `scales` rank the entrants
    before and after where points do not. Entrants that were `withdrawn` before or after come after all others there, as
    in standings.
    """
    common = tuple(sorted(set(before.entrants) & set(after.entrants)))
    only_before = tuple(name for name in before.entrants if name not in common)
    only_after = tuple(name for name in after.entrants if name not in common)
    changed = tuple(name for name in common if name in changed)
    first, second = before.only(common), after.only(common)
    errors = _errors_on_common_deals(first, second).tolist()
    differences = (second.values - first.values).tolist()
    deals = np.minimum(first.met, second.met).tolist()
    ranges_before = _place_ranges(first, scales[0], without=withdrawn[0])
    ranges_after = _place_ranges(second, scales[1], without=withdrawn[1])
    changes = []
    for number, entrant in enumerate(common):
        figure = difference_figure(differences[number], error=errors[number], deals=deals[number], bounds=before.bounds)
        others = set(changed) - {entrant} or only_before or only_after
        changes.append(
            Change(
                entrant=entrant,
                before=ranges_before[number],
                after=ranges_after[number],
                difference=figure,
                same_bot=entrant not in changed,
                verdict=_verdict(
                    figure.value,
                    beyond=is_claimed(figure, comparisons=len(common)),
                    own_changed=entrant in changed,
                    others_changed=bool(others),
                    # Who came or went is named beside: that explains a bot that is the same.
                    met_others=entrant in met_others and (entrant in changed or not (only_before or only_after)),
                ),
            )
        )
    changes.sort(key=lambda change: (change.after.place, change.entrant))
    return RankingChange(changes=tuple(changes), changed=changed, only_before=only_before, only_after=only_after)


def _verdict(value: float, *, beyond: bool, own_changed: bool, others_changed: bool, met_others: bool) -> ChangeVerdict:
    if not beyond:
        return ChangeVerdict.LUCK
    if met_others:
        return ChangeVerdict.OPPOSITION
    if own_changed:
        return ChangeVerdict.BETTER if value > 0 else ChangeVerdict.WORSE
    return ChangeVerdict.OTHERS if others_changed else ChangeVerdict.UNEXPLAINED


def _place_ranges(points: Estimate, scale: Scale | None, *, without: Collection[str]) -> list[PlaceRange]:
    """Returns the places and open ranks of the entrants of some points, by what ranks them in the standings.

    Entrants in `without` come after the others; where nobody would be left, all are ranked.
    """
    names = tuple(name for name in points.entrants if name not in without) or points.entrants
    if scale is None or scale.basis is Basis.POINTS:
        estimate = points.only(names)
        claims = make_claims(estimate)
    else:
        estimate, claims = scale.estimate.only(names), scale.claims
    ranges = rank_ranges(claim_matrix(claims, names))
    of = {
        name: PlaceRange(
            place=place, best_rank=min(best, place), worst_rank=max(worst, place), withdrawn=name in without
        )
        for name, place, (best, worst) in zip(names, places(estimate.values), ranges, strict=True)
    }
    after_all = len(names) + 1
    out = PlaceRange(place=after_all, best_rank=after_all, worst_rank=len(points.entrants), withdrawn=True)
    return [of.get(name, out) for name in points.entrants]


def _errors_on_common_deals(before: Estimate, after: Estimate) -> Floats:
    """Returns the standard error of the change of each entrant; both are of the same entrants."""
    names, rows = np.unique(
        np.concatenate([Names.of(before.deals).encoded, Names.of(after.deals).encoded]), return_inverse=True
    )
    split = len(before.deals)
    errors: Floats = np.zeros(len(before.entrants))
    at_once = max(MOST_CELLS // len(names), 1)
    for first in range(0, len(errors), at_once):
        columns = list(range(first, min(first + at_once, len(errors))))
        old, new = np.zeros((len(names), len(columns))), np.zeros((len(names), len(columns)))
        np.add.at(old, rows[:split], before.influence.columns(columns))
        np.add.at(new, rows[split:], after.influence.columns(columns))
        errors[columns] = np.sqrt(((new - old) ** 2).sum(axis=0))
    return errors


def compare_runs(
    before: str | PathLike[str], after: str | PathLike[str], *, merge: Collection[str] = ()
) -> RunComparison:
    """Returns who moved between two runs or files of records, and whether it is more than luck.

    `merge` is as in `tournament.standings`. Raises what that raises, `NotComparableError` for a knockout, and
    `UsageError` when there is nothing to compare.
    """
    return comparison_of(*read_pair([Path(before), Path(after)], merge=merge))


def read_pair(paths: Sequence[Path], *, merge: Collection[str] = ()) -> tuple[Sources, Sources]:
    """Returns two runs with their deals named, so that a deal that both played counts as one; raises as above."""
    suites = Suites(paths)
    before, after = (read_sources([path], merge=merge, name_deals=True, suites=suites) for path in paths)
    before.check_comparable()
    after.check_comparable()
    return before, after


@in_one_thread
def comparison_of(before: Sources, after: Sources) -> RunComparison:
    """Returns the comparison of two runs that `read_pair` gave. Raises `UsageError` if there is nothing to compare."""
    changes, apart = changes_between(before, after)
    return RunComparison(
        format=RUNS_FORMAT,
        version=VERSION,
        before=before.runs,
        after=after.runs,
        interim=before.interim or after.interim,
        notes=tuple(
            kept_gettext(message, run=" and ".join(sources.runs), note=note)  # both runs may have one name
            for message, sources in (
                (gettext_noop("before, {run}: {note}"), before),
                (gettext_noop("after, {run}: {note}"), after),
            )
            for note in sources.notes
        ),
        changes=changes,
        not_compared=apart,
    )


def changes_between(before: Sources, after: Sources) -> tuple[dict[str, RankingChange], dict[str, str]]:
    """Returns what changed, by group and in the championship, and by name why the rest is not compared.

    Both sources must have named their deals. Groups played by different rules or options are different games. Raises
    `UsageError` when there is nothing to compare.
    """
    by_game = [scores_by_game(sources.counted) for sources in (before, after)]
    was, now = map(by_group, by_game)
    old, new = ({group: scores.points for group, scores in groups.items()} for groups in (was, now))
    apart = dict(_not_comparable(before, after, old, new))
    met_others = {group: others_met(was[group].games, now[group].games) for group in set(was) & set(now)}
    changes = {
        group: compare_rankings(
            old[group],
            new[group],
            changed=_changed(before, after, group),
            met_others=met_others[group],
            scales=(group_scale(was[group]), group_scale(now[group])),
            withdrawn=(before.withdrawn, after.withdrawn),
        )
        for group in sorted(met_others)
        if group not in apart
    }
    if not changes:
        why = "; ".join(f"{group}: {reason}" for group, reason in apart.items())
        same_rules = all(before.pool.rules[group] == after.pool.rules[group] for group in met_others)
        together = ", or rank them together: tournament standings RUN RUN2" if same_rules else ""
        raise UsageError(
            f"Nothing can be compared. {why}. Give two runs of the same game, by the same rules, with an entrant in "
            f"common{together}."
        )
    if len(was) < 2 or len(now) < 2:
        return changes, apart
    first, second = (
        combine_games(points_of(games), weights=sources.weights)
        for games, sources in zip(by_game, (before, after), strict=True)
    )
    if first.estimate is None or second.estimate is None:
        return changes, apart
    if apart:
        apart[CHAMPIONSHIP] = kept_gettext("not all of its groups can be compared")
    elif before.weights != after.weights:
        apart[CHAMPIONSHIP] = kept_gettext("its games do not weigh the same in both")
    elif not set(first.estimate.entrants) & set(second.estimate.entrants):
        apart[CHAMPIONSHIP] = kept_gettext("nobody is in both")
    else:
        changed = {name for group in changes for name in _changed(before, after, group)}
        changes[CHAMPIONSHIP] = compare_rankings(
            first.estimate,
            second.estimate,
            changed=changed,
            met_others={name for group in changes for name in met_others[group]},
            scales=(championship_scale(by_game[0], first), championship_scale(by_game[1], second)),
            withdrawn=(before.withdrawn, after.withdrawn),
        )
    return changes, apart


def _not_comparable(
    before: Sources, after: Sources, old: dict[str, Estimate], new: dict[str, Estimate]
) -> Iterator[tuple[str, str]]:
    """Yields each group that cannot be compared and why."""
    for group in sorted(set(old) | set(new)):
        if group not in new:
            yield group, kept_gettext("played before only")
        elif group not in old:
            yield group, kept_gettext("played after only")
        elif before.pool.rules[group] != after.pool.rules[group]:
            yield (
                group,
                kept_gettext(
                    "other rules: {before} before, {after} after",
                    before=_rules(before, group),
                    after=_rules(after, group),
                ),
            )
        elif not set(old[group].entrants) & set(new[group].entrants):
            was, now = (", ".join(estimate.entrants) for estimate in (old[group], new[group]))
            yield group, kept_gettext("no entrant in common: {before} before, {after} after", before=was, after=now)


def _rules(sources: Sources, group: str) -> str:
    version, options = sources.pool.rules[group]
    return kept_gettext("version {version}, options {options}", version=version, options=options.decode())


def _changed(before: Sources, after: Sources, group: str) -> set[str]:
    """Returns the entrants that play a group in both rankings, with another fingerprint."""
    old, new = (sources.pool.fingerprints[group] for sources in (before, after))
    return {name for name in set(old) & set(new) if old[name] != new[name]}
