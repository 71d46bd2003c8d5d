"""An analysis beside the frames of its game: what each audience may know of it, in numbers and in words.

A decision is judged by what its seat knew, and the words about it tell of that seat's hand. So `ALL` is shown
every decision, a seat its own, and the public none. Nor is a seat shown where its margin came from: that would
tell of the decisions of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tournament.errors import UsageError
from tournament.records.analysis import Analysis, Decision, costliest
from tournament.text import option, printable
from tournament.viewer.frames import Audience, Frames

SURE: Final = "▼"
PERHAPS: Final = "▽"
"""How costly moves are marked; the second where the cost may be chance."""


class Judgement:
    """What an analysis tells each audience of a replay."""

    def __init__(self, analysis: Analysis, frames: Frames) -> None:
        """Takes an analysis of this record. Raises `UsageError` when no audience of the frames may know any of it."""
        self._names = frames.header.names
        self._by_audience = {audience: _known(analysis, audience) for audience in frames.audiences}
        if not any(self._by_audience.values()):
            raise UsageError(
                f"The analysis has nothing for {frames.audiences[0].name}: it judges the decisions of "
                f"{_list_seats(analysis)}, and they tell of hands. Leave {option('--analysis')} out, or "
                "show another seat."
            )
        self.margins = {split.seat: split.margin for split in analysis.splits}
        """By seat that was judged: its final score minus the mean of the others'."""

        self.about = (
            f"Judged in {analysis.worlds} worlds a decision, {printable(analysis.guide.bot)} playing on: the margin "
            "(score minus the mean of the others') that could be expected"
            f"{' by the end of the round' if any(one.round is not None for one in analysis.decisions) else ''}."
        )

    def decisions(self, audience: Audience) -> tuple[Decision, ...]:
        """Returns the decisions that an audience may know, in the order of the game."""
        return tuple(self._by_audience[audience].values())

    def seats(self, audience: Audience) -> tuple[int, ...]:
        """Returns the seats whose decisions an audience may know."""
        return tuple(sorted({decision.seat for decision in self.decisions(audience)}))

    def costly(self, audience: Audience) -> tuple[Decision, ...]:
        """Returns the costliest decisions of each seat that an audience may know, in the order of the game."""
        return tuple(sorted(self._costliest(audience), key=lambda one: one.step))

    def _costliest(self, audience: Audience) -> list[Decision]:
        """Returns the costliest decisions of each seat that an audience may know, the surest first."""
        known = self.decisions(audience)
        found = [one for seat in self.seats(audience) for one in costliest(own for own in known if own.seat == seat)]
        return sorted(found, key=lambda one: one.swing.half_width - one.swing.points)

    def list_costly(self, audience: Audience) -> str:
        """Returns a sentence that names the costliest moves with their steps and seats, the surest first."""
        listed = [f"step {one.step} (seat {one.seat}, {_tell_cost(one)})" for one in self._costliest(audience)]
        if not listed:
            return "No move cost anything in these worlds."
        of_each = " of each seat" if len(self.seats(audience)) > 1 else ""
        return f"The costliest moves{of_each}, the surest first: {'; '.join(listed)}."

    def words(self, step: int, audience: Audience) -> str | None:
        """Returns what is said of the decision at a step; None where there is none that the audience may know."""
        decision = self._by_audience[audience].get(step)
        return None if decision is None else printable(describe_decision(decision, self._names))


def _list_seats(analysis: Analysis) -> str:
    seats = [str(split.seat) for split in analysis.splits]
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(seats)}"


def _known(analysis: Analysis, audience: Audience) -> dict[int, Decision]:
    return {one.step: one for one in analysis.decisions if audience.may_see(one.seat)}


def sign_of(decision: Decision) -> str:
    """Returns how a costly decision is marked."""
    return SURE if decision.swing.is_clear else PERHAPS


def describe_decision(decision: Decision, names: Sequence[str]) -> str:
    """Returns in words what was chosen, what it cost, and what would have been better."""
    chose = f"Seat {decision.seat} ({names[decision.seat]}) chose {decision.played.words}"
    if decision.swing.points <= 0:
        return f"{chose}. Nothing better was found: expected was a margin of {decision.played.expected}."
    return (
        f"{chose}. Cost {_tell_cost(decision)}: better was {decision.best.words}. "
        f"Expected was a margin of {decision.played.expected}; with the better, {decision.best.expected}."
    )


def _tell_cost(decision: Decision) -> str:
    return f"{format_cost(decision)}{'' if decision.swing.is_clear else ', which may be chance'}"


def format_cost(decision: Decision) -> str:
    """Returns what a decision cost, as `3.2 ± 1.1`."""
    return f"{decision.swing.points:.1f} ± {decision.swing.half_width:.1f}"
