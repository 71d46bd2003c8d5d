"""Actions as numbers by their places in a list, and in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tournament.errors import GameError, IllegalAction


class ListNumbering:
    """Numbers that are the places of actions in the list of all that can occur."""

    def __init__(self, actions: Iterable[Any]) -> None:
        self._actions = tuple(actions)
        self._numbers = {action: number for number, action in enumerate(self._actions)}
        self.names = tuple(map(name_action, self._actions))

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self._actions)

    def number_of(self, view: Any, action: Any) -> int:
        """Returns the place of the action. Raises `GameError` for one that cannot occur."""
        number = self._numbers.get(action)
        if number is None:
            raise GameError(
                f"{name_action(action)} has no number: it cannot occur in a game of {view.game} dealt by the rules."
            )
        return number

    def action_of(self, view: Any, number: int) -> Any:
        """Returns the action in that place. Raises `IllegalAction` beyond the last."""
        if not 0 <= number < len(self._actions):
            raise no_number(number, self.size)
        return self._actions[number]

    def choices(self, view: Any) -> dict[int, Any]:
        """Returns the legal actions by number, lowest first."""
        legal = {self.number_of(view, action): action for action in view.legal_actions()}
        return dict(sorted(legal.items()))


def name_action(action: Any) -> str:
    """Returns an action in a few words, as its JSON has them: `play at 4 count 3`, `draw stock`."""
    fields: dict[str, Any] = msgspec.to_builtins(action)
    return " ".join([fields.pop("do"), *(_name_field(name, value) for name, value in fields.items())])


def _name_field(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {value}"


def no_number(number: int, size: int) -> IllegalAction:
    """Returns the error for a number that is none of an action."""
    return IllegalAction(f"There is no action number {number}: numbers go from 0 to {size - 1}")
