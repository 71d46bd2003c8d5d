"""Games planted for tests: the third party's with something wrong in it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
import third_party
from third_party import Highest, HighestState

from tournament.testing import check_game


def cards_of_highest(state: HighestState) -> Iterator[int]:
    """Returns every card of a game of the third party."""
    laid = [card for trick in state.tricks for card in trick.cards]
    return chain(*state.hands, state.stock, state.table, laid)


def planted(state: type[HighestState] = HighestState, **changes: Any) -> Highest:
    """Returns the third party's game with a state or some methods of its own; the state can be pickled by name."""
    if state is not HighestState:
        state.__module__, state.__qualname__ = "third_party", "Planted"
        third_party.Planted = state
    return type("Planted", (Highest,), {"State": state, **changes})()


def broken(game: Any, *, games: int = 10, **more: Any) -> str:
    """Returns what `check_game` says of a game that breaks the contract."""
    with pytest.raises(AssertionError) as caught:
        check_game(game, games=games, **more)
    return str(caught.value)
