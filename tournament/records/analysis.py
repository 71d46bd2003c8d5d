"""The type of an analysis file: what every decision of one game was worth, judged by playing on.

`tournament analyse` makes one. Viewers and reports only show it: making one takes minutes, and runs bots.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct

from tournament.records.record import Hex256, Name, RecordId, Seat, SeatInfo

FORMAT: Final = "tournament-analysis"
VERSION: Final = 1

MOST_COSTLY: Final = 3
"""So many moves are named as the costliest."""

Step = Annotated[int, Meta(ge=0)]
Count = Annotated[int, Meta(ge=0)]


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
    """In how many it was tried."""


class Decision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One decision, judged by what its seat knew."""

    step: Step
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
    """What could be expected to bring most; what was played, if nothing brings more."""

    choices: tuple[Choice, ...]
    """The sensible actions, best first; empty where only the effect was asked for."""

    legal: Count
    """How many actions were legal."""

    worlds: Count
    """In how many the action played was tried."""

    swing: MeanPoints
    """What the best action could be expected to bring more than the one played; 0 when that is the best."""

    effect: tuple[MeanPoints, ...]
    """For each seat, what its margin could be expected to gain by the action played instead of the guide's."""


class Split(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the margin of one seat came from."""

    seat: Seat
    """Whose margin."""

    bot: Name
    """The entrant in that seat."""

    margin: float
    """Its score minus the mean of the others'."""

    deal: MeanPoints
    """What the guide in every seat could have expected."""

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
    """That of the record, and the seed of the worlds and of the guide; of a record with another one it says nothing."""

    guide: SeatInfo
    """The bot that played on."""

    worlds: Annotated[int, Meta(ge=2)]
    """How many worlds a decision was judged in."""

    names: tuple[Name, ...]
    """The entrants by seat."""

    decisions: tuple[Decision, ...]
    """Those of the seats asked for, in the order of the game, where there was something to decide."""

    costliest: tuple[Step, ...]
    """The steps of at most three decisions, first the one that cost most for certain: by the low end of its swing."""

    splits: tuple[Split, ...]
    """Of the seats asked for."""


def costliest(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """Returns at most three decisions that cost anything, the surest first: by the low end of the swing."""
    costly = (decision for decision in decisions if decision.swing.points > 0)
    return tuple(sorted(costly, key=lambda one: one.swing.half_width - one.swing.points)[:MOST_COSTLY])
