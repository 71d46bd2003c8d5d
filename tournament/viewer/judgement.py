"""An analysis beside the frames of its game: what each audience may know of it, in numbers and in words.

A decision is judged by what its seat knew, and the words about it tell of that seat's hand. So `ALL` is shown
every decision, a seat its own, and the public none. Nor is a seat shown where its margin came from: that would
tell of the decisions of others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import ValidationError, convert, structs

from tournament.errors import UsageError
from tournament.games import load_game, parts_of
from tournament.games.parts import OffersPointing, Pointed
from tournament.languages import Language, format_decimal, gettext, ngettext, present_language, speaking
from tournament.records.analysis import Analysis, Choice, Decision, MeanPoints, costliest
from tournament.replaying.positions import Replay
from tournament.text import option, printable
from tournament.viewer.actions import label
from tournament.viewer.frames import Audience, Frames, name_seats

SURE: Final = "▼"
PERHAPS: Final = "▽"
"""How costly moves are marked; the second where the cost may be chance."""


class Judgement:
    """What an analysis tells each audience of a replay."""

    def __init__(self, analysis: Analysis, frames: Frames) -> None:
        """Takes an analysis of this record. Raises `UsageError` when no audience of the frames may know any of it."""
        analysis = spoken(analysis, frames.walk)
        self._names = name_seats(frames.header.names)
        self._by_audience = {audience: _known(analysis, audience) for audience in frames.audiences}
        if not any(self._by_audience.values()):
            with speaking(Language.ENGLISH):  # as all errors
                audience = frames.audiences[0].name
            raise UsageError(
                f"The analysis has nothing for {audience}: it judges the decisions of "
                f"{_list_seats(analysis)}, and they tell of hands. Leave {option('--analysis')} out, or "
                "show another seat."
            )
        self.margins = {split.seat: split.margin for split in analysis.splits}
        """By seat that was judged: its final score minus the mean of the others'."""

        self.about = _tell_how(analysis)

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
        listed = "; ".join(self._list_one(one) for one in self._costliest(audience))
        if not listed:
            return gettext("No move cost anything in these worlds.")
        if len(self.seats(audience)) > 1:
            return gettext("The costliest moves of each seat, the surest first: {moves}.", moves=listed)
        return gettext("The costliest moves, the surest first: {moves}.", moves=listed)

    def _list_one(self, decision: Decision) -> str:
        told = {"step": decision.step, "name": self._names[decision.seat], "cost": format_cost(decision)}
        if decision.swing.is_clear:
            return gettext("step {step} ({name}, {cost})", **told)
        return gettext("step {step} ({name}, {cost}, which may be chance)", **told)

    def words(self, step: int, audience: Audience) -> str | None:
        """Returns what is said of the decision at a step; None where there is none that the audience may know."""
        decision = self._by_audience[audience].get(step)
        return None if decision is None else printable(describe_decision(decision, self._names))


def _tell_how(analysis: Analysis) -> str:
    """Returns in a sentence how decisions were judged."""
    bot, count = printable(analysis.guide.bot), analysis.worlds
    if any(one.round is not None for one in analysis.decisions):
        return ngettext(
            "Judged in {count} world a decision, {bot} playing on: the margin (score minus the mean of the others') "
            "that could be expected by the end of the round.",
            "Judged in {count} worlds a decision, {bot} playing on: the margin (score minus the mean of the others') "
            "that could be expected by the end of the round.",
            count,
            bot=bot,
        )
    return ngettext(
        "Judged in {count} world a decision, {bot} playing on: the margin (score minus the mean of the others') "
        "that could be expected.",
        "Judged in {count} worlds a decision, {bot} playing on: the margin (score minus the mean of the others') "
        "that could be expected.",
        count,
        bot=bot,
    )


def _list_seats(analysis: Analysis) -> str:
    seats = [str(split.seat) for split in analysis.splits]
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(seats)}"


def _known(analysis: Analysis, audience: Audience) -> dict[int, Decision]:
    return {one.step: one for one in analysis.decisions if audience.may_see(one.seat)}


def spoken(analysis: Analysis, walk: Replay) -> Analysis:
    """Returns an analysis of a game with its choices in words of the present language; files have English ones.

    A choice that the rules do not allow where it stands keeps its words. Cost: nothing in English, else that of playing
    the moves several times.
    """
    if present_language() is Language.ENGLISH:
        return analysis
    decisions = tuple(
        _spoken_decision(one, walk.state_at(one.step).view(one.seat)) if one.step <= walk.last else one
        for one in analysis.decisions
    )
    return structs.replace(analysis, decisions=decisions)


def _spoken_decision(decision: Decision, view: Any) -> Decision:
    def told(choice: Choice) -> Choice:
        action = _action_of(choice, view)
        return choice if action is None else structs.replace(choice, words=label(action, view))

    return structs.replace(
        decision,
        played=told(decision.played),
        guide=told(decision.guide),
        best=told(decision.best),
        choices=tuple(map(told, decision.choices)),
    )


def _action_of(choice: Choice, view: Any) -> Any | None:
    """Returns the action of a choice; None where the rules do not allow it in the view it was made from."""
    try:
        action = convert(choice.action, load_game(view.game).Action)
    except ValidationError:
        return None
    return action if action in view.legal_actions() else None


def cards_of(choice: Choice, view: Any) -> Pointed | None:
    """Returns which cards a choice moves and where they go, by the view it was made from.

    None where the game does not say, and where the rules do not allow the action in that view.
    """
    parts = parts_of(view.game)
    if not isinstance(parts, OffersPointing):
        return None
    action = _action_of(choice, view)
    return None if action is None else parts.point_at(action, view)


def sign_of(decision: Decision) -> str:
    """Returns how a costly decision is marked."""
    return SURE if decision.swing.is_clear else PERHAPS


def describe_decision(decision: Decision, names: Sequence[str]) -> str:
    """Returns in words what was chosen, what it cost, and what would have been better.

    `names`: what each seat is called.
    """
    told = {
        "name": names[decision.seat],
        "chosen": decision.played.words,
        "margin": format_figure(decision.played.expected),
    }
    if decision.swing.points <= 0:
        return gettext(
            "{name} chose {chosen}. Nothing better was found: expected was a margin of {margin}.",
            **told,
        )
    told |= {
        "better": decision.best.words,
        "better_margin": format_figure(decision.best.expected),
        "cost": format_cost(decision),
    }
    if decision.swing.is_clear:
        return gettext(
            "{name} chose {chosen}. Cost {cost}: better was {better}. "
            "Expected was a margin of {margin}; with the better, {better_margin}.",
            **told,
        )
    return gettext(
        "{name} chose {chosen}. Cost {cost}, which may be chance: better was {better}. "
        "Expected was a margin of {margin}; with the better, {better_margin}.",
        **told,
    )


def format_cost(decision: Decision) -> str:
    """Returns what a decision cost, as `3.2 ± 1.1`."""
    return f"{format_decimal(decision.swing.points, 1)} ± {format_decimal(decision.swing.half_width, 1)}"


def format_figure(figure: MeanPoints) -> str:
    """Returns a mean with its interval, as `-3.1 ± 0.8`."""
    return f"{format_decimal(figure.points, 1, signed=True)} ± {format_decimal(figure.half_width, 1)}"
