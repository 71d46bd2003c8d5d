"""Two entrants of one ranking compared.

Source: `statistics.md`, "Numbers per game and player count" and "Claims".
"""

from __future__ import annotations

from tournament.ranking.arrays import Floats
from tournament.ranking.estimates import Estimate
from tournament.ranking.planning import more_deals_to_claim
from tournament.records.comparison import Comparison
from tournament.records.standings import Claims


def compare_entrants(estimate: Estimate, entrant: str, opponent: str, *, claims: Claims | None) -> Comparison:
    """Returns the difference of two entrants, and whether the claims made from the same estimate hold it."""
    difference = estimate.difference(entrant, opponent)
    more_deals = None
    if claims is not None and difference.figure.error is not None:
        more_deals = more_deals_to_claim(
            difference.figure.value,
            error=difference.figure.error,
            critical=claims.critical,
            deals=estimate.deal_count,
        )
    claimed = claims is not None and (claims.holds(entrant, opponent) or claims.holds(opponent, entrant))
    return Comparison(difference=difference, claimed=claimed, more_deals=more_deals)


def places(values: Floats) -> tuple[int, ...]:
    """Returns for each number 1 + how many are higher: equal numbers share a place."""
    return tuple((1 + (values[None, :] > values[:, None]).sum(axis=1)).tolist())
