"""Numbers of entrants by deal: one array while that is small, and otherwise chunks that are made again when needed.

A million games of 30 entrants have half a million deals, and an array of deals by entrants for each figure would take
120 MB. So only sums over the deals are kept: of the rows, and of their products.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_CELLS: Final = 1 << 18
"""So many numbers are held as one array at most."""


class Sums(NamedTuple):
    """What is kept of rows that are too many."""

    products: Floats
    """R'R of the rows R, shape (entrants, entrants)."""

    totals: Floats
    """The sum of the rows, shape (entrants,)."""


class ByDeal:
    """A row of numbers for each deal, shape (deals, entrants)."""

    def __init__(
        self,
        chunks: Callable[[], Iterable[Floats]],
        *,
        deals: int,
        entrants: int,
        sums: Callable[[], Sums] | None = None,
    ) -> None:
        """Takes a function that makes the rows, chunk by chunk, and one for their sums where these are known sooner."""
        self.deals = deals
        self.entrants = entrants
        self._chunks = chunks
        self._known_sums = sums

    @classmethod
    def of(cls, rows: Floats) -> ByDeal:
        """Returns rows that are there already."""
        return cls(lambda: [rows], deals=rows.shape[0], entrants=rows.shape[1])

    @cached_property
    def array(self) -> Floats | None:
        """All rows; None where they are too many to be held."""
        if self.deals * self.entrants > MOST_CELLS:
            return None
        chunks = list(self._chunks())
        return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)

    def chunks(self) -> Iterable[Floats]:
        """Returns the rows, chunk by chunk."""
        return self._chunks() if self.array is None else [self.array]

    @cached_property
    def sums(self) -> Sums:
        """The sums over all deals."""
        if self.array is not None:
            return Sums(self.array.T @ self.array, self.array.sum(axis=0))
        if self._known_sums is not None:
            return self._known_sums()
        products, totals = np.zeros((self.entrants, self.entrants)), np.zeros(self.entrants)
        for rows in self._chunks():
            products += rows.T @ rows
            totals += rows.sum(axis=0)
        return Sums(products, totals)

    @property
    def products(self) -> Floats:
        """R'R of the rows R."""
        return self.sums.products

    def changed(self, change: Callable[[Floats], Floats], *, matrix: Floats) -> ByDeal:
        """Returns each row changed; `change` does for rows what `rows @ matrix` would."""

        def sums() -> Sums:
            return Sums(matrix.T @ self.products @ matrix, self.sums.totals @ matrix)

        return ByDeal(lambda: map(change, self.chunks()), deals=self.deals, entrants=matrix.shape[1], sums=sums)

    def scaled(self, factor: float) -> ByDeal:
        """Returns all numbers times a factor."""
        return self.changed(lambda rows: factor * rows, matrix=factor * np.eye(self.entrants))

    def chosen(self, numbers: Sequence[int]) -> ByDeal:
        """Returns the numbers of some entrants, in the order given."""
        return self.changed(lambda rows: rows[:, numbers], matrix=np.eye(self.entrants)[:, numbers])

    def columns(self, numbers: Sequence[int]) -> Floats:
        """Returns the numbers of some entrants as an array. Memory: one number a deal and entrant."""
        return np.concatenate([rows[:, numbers] for rows in self.chunks()])

    def spread(self, contrast: Floats) -> tuple[float, float]:
        """Returns the sum of `rows @ contrast`, and the sum of the squared deviations from its mean."""
        if self.array is not None:
            along = self.array @ contrast
            return float(along.sum()), float(((along - along.mean()) ** 2).sum())
        total = float(self.sums.totals @ contrast)
        squares = float(contrast @ self.products @ contrast)
        return total, max(squares - total**2 / self.deals, 0.0)


def joined(parts: Sequence[ByDeal]) -> ByDeal:
    """Returns the rows of all parts, one part after the other: they are of different deals."""

    def chunks() -> Iterator[Floats]:
        for part in parts:
            yield from part.chunks()

    def sums() -> Sums:
        return Sums(
            np.sum([part.products for part in parts], axis=0), np.sum([part.sums.totals for part in parts], axis=0)
        )

    return ByDeal(chunks, deals=sum(part.deals for part in parts), entrants=parts[0].entrants, sums=sums)


def side_by_side(placed: Sequence[tuple[ByDeal, list[int]]], *, deals: int, entrants: int) -> ByDeal:
    """Returns rows of the same deals as one, the numbers of each in columns of their own; other columns are 0."""

    def chunks() -> Iterator[Floats]:
        if not placed:
            yield np.zeros((deals, entrants))
        for together in zip(*(rows.chunks() for rows, _ in placed), strict=True):
            whole = np.zeros((len(together[0]), entrants))
            for rows, (_, columns) in zip(together, placed, strict=True):
                whole[:, columns] = rows
            yield whole

    return ByDeal(chunks, deals=deals, entrants=entrants)


class Names(Sequence[str]):
    """Many names, each as few bytes as the longest of them takes."""

    def __init__(self, encoded: NDArray[np.bytes_]) -> None:
        """Takes the names in UTF-8."""
        self.encoded = encoded

    @classmethod
    def of(cls, names: Sequence[str]) -> Names:
        """Returns names, which may be such already."""
        return names if isinstance(names, Names) else cls(np.array([name.encode() for name in names], dtype=np.bytes_))

    def __len__(self) -> int:
        return len(self.encoded)

    def __getitem__(self, at: Any) -> Any:
        found = self.encoded[at]
        return Names(found) if isinstance(found, np.ndarray) else found.decode()
