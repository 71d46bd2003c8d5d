"""One ranking and another: who moved, whether that is more than luck, and whose doing it may be.

Points depend on who else plays. So a bot whose code is the same in both rankings is never said to have become better
or worse: where its points moved, the others did.
Source: `docs/statistics.md`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from tournament.errors import UsageError
from tournament.ranking.arrays import Floats
from tournament.ranking.claims import bonferroni_critical, claim_matrix, make_claims, rank_ranges
from tournament.ranking.comparison import places
from tournament.ranking.estimates import Estimate
from tournament.ranking.intervals import difference_figure
from tournament.ranking.standings import CHAMPIONSHIP, group_points, overall_points
from tournament.records.comparison import Change, ChangeVerdict, PlaceRange, RankingChange

if TYPE_CHECKING:
    from tournament.ranking.sources import Sources


def compare_rankings(before: Estimate, after: Estimate, *, changed: Collection[str] = ()) -> RankingChange:
    """Returns who moved between two rankings with a common entrant, and whether it is more than luck.

    Deals with the same name count as the same deal, so that two runs on one suite are compared deal by deal.
    `changed` are the entrants whose bot is another one.
    """
    common = tuple(sorted(set(before.entrants) & set(after.entrants)))
    only_before = tuple(name for name in before.entrants if name not in common)
    only_after = tuple(name for name in after.entrants if name not in common)
    changed = tuple(name for name in common if name in changed)
    first, second = before.only(common), after.only(common)
    old, new = _on_common_deals(first, second)
    errors = np.sqrt(((new - old) ** 2).sum(axis=0)).tolist()
    differences = (second.values - first.values).tolist()
    deals = np.minimum(first.met, second.met).tolist()
    ranges_before, ranges_after = _place_ranges(first), _place_ranges(second)
    changes = []
    for number, entrant in enumerate(common):
        figure = difference_figure(differences[number], error=errors[number], deals=deals[number], bounds=before.bounds)
        beyond = False
        if figure.error is not None:
            critical = bonferroni_critical(len(common), degrees=figure.deals - 1)
            beyond = abs(figure.value) > max(critical * figure.error, 1e-9)
        others = set(changed) - {entrant} or only_before or only_after
        changes.append(
            Change(
                entrant=entrant,
                before=ranges_before[number],
                after=ranges_after[number],
                difference=figure,
                same_bot=entrant not in changed,
                verdict=_verdict(
                    figure.value, beyond=beyond, own_changed=entrant in changed, others_changed=bool(others)
                ),
            )
        )
    changes.sort(key=lambda change: (change.after.place, change.entrant))
    return RankingChange(changes=tuple(changes), changed=changed, only_before=only_before, only_after=only_after)


def _verdict(value: float, *, beyond: bool, own_changed: bool, others_changed: bool) -> ChangeVerdict:
    if not beyond:
        return ChangeVerdict.LUCK
    if own_changed:
        return ChangeVerdict.BETTER if value > 0 else ChangeVerdict.WORSE
    return ChangeVerdict.OTHERS if others_changed else ChangeVerdict.UNEXPLAINED


def _place_ranges(estimate: Estimate) -> list[PlaceRange]:
    ranges = rank_ranges(claim_matrix(make_claims(estimate), estimate.entrants))
    return [
        PlaceRange(place=place, best_rank=min(best, place), worst_rank=max(worst, place))
        for place, (best, worst) in zip(places(estimate.values), ranges, strict=True)
    ]


def _on_common_deals(before: Estimate, after: Estimate) -> tuple[Floats, Floats]:
    names = sorted(set(before.deals) | set(after.deals))
    row = {name: number for number, name in enumerate(names)}
    old: Floats = np.zeros((len(names), len(before.entrants)))
    new: Floats = np.zeros((len(names), len(after.entrants)))
    np.add.at(old, [row[name] for name in before.deals], before.influence)
    np.add.at(new, [row[name] for name in after.deals], after.influence)
    return old, new


def compare_runs(before: Sources, after: Sources) -> tuple[dict[str, RankingChange], dict[str, str]]:
    """Returns what changed by group and in the championship, and by name why the rest is not compared.

    Both must have named their deals. Groups that were played by different rules or options are different games.
    Raises `UsageError` when there is nothing to compare.
    """
    old, new = group_points(before.results), group_points(after.results)
    apart = dict(_not_comparable(before, after, old, new))
    changes = {
        group: compare_rankings(old[group], new[group], changed=_changed(before, after, group))
        for group in sorted(set(old) & set(new))
        if group not in apart
    }
    if not changes:
        why = "; ".join(f"{group}: {reason}" for group, reason in apart.items())
        raise UsageError(
            f"Nothing can be compared. {why}. Give two runs of the same game with an entrant in common, or rank them "
            "together: tournament standings RUN RUN2."
        )
    overall = [overall_points(sources.results, weights=sources.weights) for sources in (before, after)]
    first, second = (one[1] if one is not None and one[0] == CHAMPIONSHIP else None for one in overall)
    if first is None or second is None:
        return changes, apart
    if apart:
        apart[CHAMPIONSHIP] = "not all of its groups can be compared"
    elif before.weights != after.weights:
        apart[CHAMPIONSHIP] = "its games do not weigh the same in both"
    elif not set(first.entrants) & set(second.entrants):
        apart[CHAMPIONSHIP] = "nobody is in both"
    else:
        changed = {name for group in changes for name in _changed(before, after, group)}
        changes[CHAMPIONSHIP] = compare_rankings(first, second, changed=changed)
    return changes, apart


def _not_comparable(
    before: Sources, after: Sources, old: dict[str, Estimate], new: dict[str, Estimate]
) -> Iterator[tuple[str, str]]:
    """Yields each group that cannot be compared and why."""
    for group in sorted(set(old) | set(new)):
        if group not in new:
            yield group, "played before only"
        elif group not in old:
            yield group, "played after only"
        elif before.pool.rules[group] != after.pool.rules[group]:
            yield group, f"other rules: {_rules(before, group)} before, {_rules(after, group)} after"
        elif not set(old[group].entrants) & set(new[group].entrants):
            was, now = (", ".join(estimate.entrants) for estimate in (old[group], new[group]))
            yield group, f"no entrant in common: {was} before, {now} after"


def _rules(sources: Sources, group: str) -> str:
    version, options = sources.pool.rules[group]
    return f"version {version}, options {options.decode()}"


def _changed(before: Sources, after: Sources, group: str) -> set[str]:
    """Returns the entrants that play a group in both with another fingerprint."""
    old, new = (sources.pool.fingerprints[group] for sources in (before, after))
    return {name for name in set(old) & set(new) if old[name] != new[name]}
