"""One decision of a game as learners see it: an observation, the legal numbers, and a mask of them."""

from __future__ import annotations

import operator
from numbers import Integral
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tournament.adapters.observation import Numbers, Rewards, layout_of
from tournament.errors import UsageError
from tournament.games.contract import State
from tournament.numbering import numbering_of

ILLEGAL_REWARDS: Final = {Rewards.SCORE: -1000.0, Rewards.PLACEMENT: -1.0}
"""Lower than any reward of a game played to its end."""

RENDER_MODES: Final = ("ansi", "human")


class Decisions:
    """Reads the decisions of a game for one number of players."""

    def __init__(self, game: str, players: int) -> None:
        """Raises `GameError` for an unknown game or number of players, `UsageError` for what is no number."""
        check_whole("players", players)
        self.numbering = numbering_of(game, players)
        self.size = self.numbering.size
        self.layout = layout_of(game, players)

    def read(self, state: State) -> OpenDecision:
        """Returns what the seat to move decides now."""
        view = state.view(state.to_move)
        actions = view.legal_actions()
        return OpenDecision(view, actions, self.numbering.numbers_of(view, actions))

    def observe(self, view: Any) -> Numbers:
        """Returns what a view tells as an array."""
        return self.layout.observe(view)

    def mask(self, numbers: list[int]) -> NDArray[np.int8]:
        """Returns an array with a 1 for each of these numbers."""
        mask = bytearray(self.size)
        for number in numbers:
            mask[number] = 1
        return np.frombuffer(mask, np.int8)

    def state(self, state: State, players: int) -> Numbers:
        """Returns all that is true as one array: what everybody knows, then what each seat alone knows.

        Seats count from seat 0. What chance has not dealt yet, such as the order of a stock, is not in it.
        """
        layout = self.layout
        private = layout.private
        parts: list[Numbers] = []
        for seat in range(players):
            whole = layout.observe(state.view(seat))
            pieces = layout.pieces_in(whole, tuple(layout.pieces))
            if not seat:
                parts += [piece.ravel() for name, piece in pieces.items() if name not in private]
            parts += [pieces[name].ravel() for name in private]
        return np.concatenate(parts)

    def state_bounds(self, players: int) -> tuple[Numbers, Numbers]:
        """Returns the lowest and the highest value of every number of `state`."""
        layout = self.layout
        sides: list[Numbers] = []
        for side in layout.bounds():
            pieces = layout.pieces_in(side, tuple(layout.pieces))
            public = [piece.ravel() for name, piece in pieces.items() if name not in layout.private]
            own = [pieces[name].ravel() for name in layout.private]
            sides.append(np.concatenate([*public, *own * players]))
        return sides[0], sides[1]


class OpenDecision:
    """What the seat to move sees, and its legal actions with their numbers."""

    __slots__ = ("actions", "numbers", "view")

    def __init__(self, view: Any, actions: Any, numbers: list[int]) -> None:
        self.view = view
        self.actions = actions
        self.numbers = numbers

    def action_of(self, number: Any) -> Any:
        """Returns the legal action of a number; None for a number of no legal action, and for what is no number."""
        try:
            return self.actions[self.numbers.index(operator.index(number))]
        except (TypeError, ValueError):
            return None

    def first(self) -> Any:
        """Returns the legal action with the lowest number."""
        return self.actions[self.numbers.index(min(self.numbers))]

    def refusal(self, number: Any, who: str) -> UsageError:
        """Returns the error for a number that is not legal."""
        return UsageError(
            f"Action {number} of {who} is not legal: choose a number whose action_mask is 1, {sorted(self.numbers)}."
        )


def check_whole(name: str, value: Any, *, least: int | None = None) -> None:
    """Raises `UsageError` when an argument is no whole number, or below the least there can be."""
    if isinstance(value, bool) or not isinstance(value, Integral) or (least is not None and int(value) < least):
        kind = "a whole number" if least is None else f"a whole number from {least} on"
        raise UsageError(f"{name}={value!r} is not {kind}: write one, such as {name}=2.")


def check_render_mode(mode: str | None) -> str | None:
    """Returns a mode of `render`. Raises `UsageError` for one that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise UsageError(f'render_mode="{mode}" is not known: choose {" or ".join(RENDER_MODES)}, or leave it out.')
    return mode
