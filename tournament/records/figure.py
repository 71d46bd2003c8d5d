"""A number with its standard error and interval: what standings and comparisons are made of."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta, Struct

FEW_DEALS: Final = 30
"""Under so many deals intervals are given with a warning."""

Count = Annotated[int, Meta(ge=0)]
Place = Annotated[int, Meta(ge=1)]


class Figure(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number with its standard error and the ends of its 95 % interval; all None under 10 deals.

    The interval of a mean is not symmetric about it: nobody wins always because all games so far were won.
    """

    value: float
    error: float | None
    low: float | None
    """Also None where the interval has no lower end, as that of a rating without a win."""

    high: float | None
    """Also None where the interval has no upper end, as that of a rating without a defeat."""

    deals: Count
    """Deals it rests on."""

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval; None where it has not both ends."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2.0

    @property
    def few_deals(self) -> bool:
        """Whether it rests on fewer than 30 deals, which has to be said."""
        return self.deals < FEW_DEALS
