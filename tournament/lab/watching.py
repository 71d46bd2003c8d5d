"""Watching a game while the referee plays it: a game whose states tell of every event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from tournament.games.contract import Game, State

Watch = Callable[[State, Any | None], object]
"""Takes the state and the event that led to it, None at the deal; the state is not to be changed."""


def watched(game: Game, watch: Watch) -> Game:
    """Returns the same rules, whose states call `watch` at the deal and after everything that happens."""
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
