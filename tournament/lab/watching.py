"""Rules that tell somebody of every step: so a person at the table sees what happens while the referee plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from tournament.deals import world_rng
from tournament.games.contract import Game, State

Watch = Callable[[State, Any | None], object]
"""Takes the state, which it must not change, and the event that led to it, None at the deal."""

_WORLDS: Final = 2
"""In how many redealt worlds an action is tried, to see whether it shows anything that its seat could not know."""


def watched(game: Game, watch: Watch) -> Game:
    """Returns the same rules with states that call `watch` at the deal and after every event."""
    return cast(Game, _WatchedGame(game, watch))


class _WatchedGame:
    def __init__(self, game: Game, watch: Watch) -> None:
        self._game = game
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def start(self, deal: Any, options: Any = None) -> State:
        state = self._game.start(deal, options)
        self._watch(state, None)
        return cast(State, _WatchedState(state, self._watch))


class _WatchedState:
    def __init__(self, state: State, watch: Watch) -> None:
        self._state = state
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)

    def apply(self, action: Any) -> Any:
        event = self._state.apply(action)
        self._watch(self._state, event)
        return event


def shows_nothing_new(game: Game, seen: Sequence[Any], action: Any, after: Any, *, seed: str) -> bool:
    """Returns whether an action showed its seat nothing that it did not know before.

    `seen` are its views up to the action, oldest first, and `after` the one that follows. The action is tried in
    worlds that are redealt from `seed`.
    """
    for number in range(_WORLDS):
        world = game.redeal(seen, world_rng(f"{seed}|{number}"))
        world.apply(action)
        if world.view(after.seat) != after:
            return False
    return True
