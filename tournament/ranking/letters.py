"""Letters that say who is not told apart from whom: who shares one is not, who shares none is.

Insert and absorb, after Piepho, "An algorithm for a letter-based representation of all-pairwise comparisons" (2004).
"""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np

from tournament.ranking.arrays import Booleans


def letter_groups(claimed: Booleans) -> tuple[str, ...]:
    """Returns for each entrant the letters of its columns; all are empty where the letters do not suffice.

    The entrants come best first, and the columns are in the order of their best entrants. `claimed` is true at
    [a, b] where a is claimed to be better than b.
    """
    columns = _columns(claimed | claimed.T)
    if columns is None:
        return ("",) * len(claimed)
    letters = [""] * len(claimed)
    for letter, column in zip(ascii_lowercase, sorted(sorted(column) for column in columns), strict=False):
        for entrant in column:
            letters[entrant] += letter
    return tuple(letters)


def _columns(apart: Booleans) -> list[frozenset[int]] | None:
    """Returns every largest set of entrants without two that are told apart; None when letters do not suffice.

    Entrants are inserted one by one, which never makes columns fewer: so it can be given up as soon as they are
    too many.
    """
    columns: list[frozenset[int]] = []
    for entrant in range(len(apart)):
        level = frozenset(np.flatnonzero(~apart[entrant, :entrant]).tolist())
        joined = {(column & level) | {entrant} for column in columns} or {frozenset({entrant})}
        kept = [column for column in columns if not column <= level]
        columns = [*kept, *(column for column in joined if not any(column < other for other in joined))]
        if len(columns) > len(ascii_lowercase):
            return None
    return columns
