"""The view of a seat of SCOUT, and the legal actions that follow from it."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.games.contract import LISTED
from tournament.games.scout.sets import ORIENTATIONS, list_plays, list_turn, table_strength
from tournament.games.scout.types import TURNED, VALUE, Cards, ScoutAction, ScoutPhase, ScoutPublicView


class ScoutView(ScoutPublicView, frozen=True, kw_only=True, dict=True):
    """What one seat may know: the public view and its own hand."""

    hand: Cards
    """Left to right."""

    def legal_actions(self) -> Sequence[ScoutAction]:
        """Returns what this seat may do now, in the order of the rule card; empty when it is not to move."""
        if self.to_move != self.seat or self.seat is None:
            return ()
        listed: Sequence[ScoutAction] | None = self.__dict__.get(LISTED)
        if listed is not None:
            return listed
        return legal_actions_of(
            self.hand,
            self.table,
            phase=self.phase,
            players=self.players,
            tokens=self.tokens[self.seat],
            may_scout_and_play=self.may_scout_and_play[self.seat],
        )

    def __str__(self) -> str:
        return "\n".join((format_public(self), f"hand of seat {self.seat}: {'  '.join(self.hand)}"))


def legal_actions_of(
    hand: Sequence[str], table: Sequence[str], *, phase: ScoutPhase, players: int, tokens: int, may_scout_and_play: bool
) -> Sequence[ScoutAction]:
    """Returns the legal actions of the seat to move, from what that seat knows."""
    if phase is ScoutPhase.OVER:
        return ()
    if phase is ScoutPhase.ORIENT:
        return ORIENTATIONS
    values = [VALUE[card] for card in hand]
    table_values = [VALUE[card] for card in table]
    if phase is ScoutPhase.PLAY:
        return list_plays(values, table_strength(table_values))
    return list_turn(
        values,
        table_values,
        VALUE[TURNED[table[0]]] if table else 0,
        VALUE[TURNED[table[-1]]] if table else 0,
        may_scout=players > 2 or tokens > 0,
        may_then_play=may_scout_and_play,
    )


def format_public(view: ScoutPublicView) -> str:
    """Returns the public part of a view as a few lines of text."""
    owner = "" if view.owner is None else f" (seat {view.owner})"
    lines = [
        f"SCOUT, {view.players} players, round {view.round}, {view.phase}"
        + ("" if view.to_move is None else f", seat {view.to_move} to move"),
        f"table: {'  '.join(view.table) or 'empty'}{owner}",
    ]
    for seat in range(view.players):
        right = ", may scout and play" if view.may_scout_and_play[seat] else ""
        lines.append(
            f"seat {seat}: {view.hand_sizes[seat]} cards, {view.captured[seat]} captured, "
            f"{view.tokens[seat]} tokens{right}, {view.scores[seat]} points"
        )
    return "\n".join(lines)
