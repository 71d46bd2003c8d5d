"""Two entrants of one ranking compared.

Source: `docs/statistics.md`.
"""

from __future__ import annotations

import math

import msgspec

from tournament.ranking.distributions import student_probability
from tournament.ranking.estimates import Estimate
from tournament.ranking.intervals import LEVEL
from tournament.records.comparison import Comparison
from tournament.records.figure import Figure
from tournament.records.standings import Claims


def compare_entrants(estimate: Estimate, entrant: str, opponent: str, *, claims: Claims | None) -> Comparison:
    """Returns the difference of two entrants, and whether the claims made from the same estimate hold it."""
    compared = compare_by(estimate, entrant, opponent, critical=None if claims is None else claims.critical)
    claimed = claims is not None and (claims.holds(entrant, opponent) or claims.holds(opponent, entrant))
    return msgspec.structs.replace(compared, claimed=claimed)


def compare_by(estimate: Estimate, entrant: str, opponent: str, *, critical: float | None) -> Comparison:
    """Returns the difference of two entrants, claimed when it is more than `critical` errors; None claims nothing."""
    difference = estimate.difference(entrant, opponent)
    value, error = difference.figure.value, difference.figure.error
    if critical is None or error is None:
        return Comparison(difference=difference, claimed=False, probability_among_all=None, more_deals=None)
    more_deals = more_deals_to_claim(value, error=error, critical=critical, deals=estimate.deal_count)
    claimed = abs(value) > max(critical * error, 1e-9)
    among_all = probability_among_all(difference.figure, critical=critical)
    return Comparison(difference=difference, claimed=claimed, probability_among_all=among_all, more_deals=more_deals)


def probability_among_all(difference: Figure, *, critical: float) -> float:
    """Returns how sure a difference is when its pair was picked out of all after looking: 95 % at `critical` errors.

    What lies beyond, both ways, is counted as often as makes that 5 %: once for each pair under Bonferroni. A figure
    without an error, of 0, or without any doubt about it gives 0 or 1.
    """
    if not difference.error or abs(difference.value) <= 1e-9:
        return float(abs(difference.value) > 1e-9)
    degrees = difference.deals - 1
    beyond = student_probability(-abs(difference.value) / difference.error, degrees)
    return max(0.0, 1.0 - (1.0 - LEVEL) * beyond / student_probability(-critical, degrees))


def more_deals_to_claim(difference: float, *, error: float, critical: float, deals: int) -> int | None:
    """Returns about how many more deals would make this difference a claim if it stays as it is; None if it is 0.

    Errors shrink with the root of the deals. If the difference is real, it is an even chance.
    """
    if difference == 0.0:
        return None
    needed = math.ceil(deals * (critical * error / difference) ** 2)
    return max(needed + 1 - deals, 0) if abs(difference) <= critical * error else 0
