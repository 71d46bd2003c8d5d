"""The type of an analysis file: what every decision of one game was worth, judged by playing on.

`tournament analyse` makes one, which takes minutes and runs bots. Viewers and reports only show it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from tournament.records.record import Count, Hex256, Name, RecordId, Seat, SeatInfo

FORMAT: Final = "tournament-analysis"
VERSION: Final = 1

MOST_COSTLY: Final = 3
"""How many moves are named as the costliest."""


class MeanPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """A mean in points, and how far its 95 % interval reaches to either side."""

    points: float
    """The mean."""

    half_width: Annotated[float, Meta(ge=0)]
    """Half of the interval."""

    @property
    def is_clear(self) -> bool:
        """Whether zero lies outside the interval."""
        return abs(self.points) > self.half_width

    def __str__(self) -> str:
        """Returns `-3.1 ± 0.8`."""
        return f"{self.points:+.1f} ± {self.half_width:.1f}"


class Choice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One action, and what it could be expected to bring."""

    action: Any
    """As in a record, without `seat` and `by`."""

    words: str
    """The action as people read it."""

    expected: MeanPoints
    """The margin of the seat that decides: its score minus the mean of the others'."""

    worlds: Count
    """How many worlds it was tried in."""


class Decision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision, judged by what its seat knew."""

    step: Count
    """The position at which it was taken: `tournament replay` shows it, `tournament whatif --move` plays on from it."""

    seat: Seat
    """Who decided."""

    round: int | None
    """From 0; `null` in a game without rounds."""

    played: Choice
    """What was done."""

    guide: Choice
    """What the guide would have done."""

    best: Choice
    """The action with the highest expected margin; the one played, where none has a higher one."""

    choices: tuple[Choice, ...]
    """The sensible actions, best first; empty where only the effect was asked for."""

    legal: Count
    """How many actions were legal."""

    worlds: Count
    """How many worlds the action played was tried in."""

    swing: MeanPoints
    """How much more the best action was expected to bring than the one played; 0 where that was the best."""

    effect: tuple[MeanPoints, ...]
    """By seat: how much its margin was expected to gain by the action played, compared with the guide's."""


class Split(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the margin of one seat came from."""

    seat: Seat
    """Whose margin."""

    bot: Name
    """The entrant in that seat."""

    margin: float
    """Its score minus the mean of the others'."""

    deal: MeanPoints
    """The margin to be expected with the guide in every seat."""

    own_play: MeanPoints
    """The sum of the effects of its own decisions."""

    others_play: MeanPoints
    """The sum of the effects of all other decisions."""


class Analysis(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A judged game."""

    format: Literal["tournament-analysis"]
    version: Literal[1]
    record: RecordId
    """The id of the game."""

    digest: Hex256
    """The digest of the record, which also seeds the worlds and the guide; the analysis holds for no other record."""

    guide: SeatInfo
    """The bot that played on."""

    worlds: Annotated[int, Meta(ge=2)]
    """How many worlds a decision was judged in."""

    names: tuple[Name, ...]
    """The entrants by seat."""

    decisions: tuple[Decision, ...]
    """The decisions of the seats asked for, in the order of the game, where there was a choice."""

    costliest: tuple[Count, ...]
    """The steps of at most three decisions that cost most: those whose swing has the highest low end, highest first."""

    splits: tuple[Split, ...]
    """One for each seat asked for."""


def costliest(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Returns at most three decisions that cost points: those whose swing has the highest low end, highest first."""
    costly = (decision for decision in decisions if decision.swing.points > 0)
    return tuple(sorted(costly, key=lambda one: one.swing.half_width - one.swing.points)[:MOST_COSTLY])
