"""What happened, and what is due, as a person at the table is told it: `you` of themselves, names of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tournament.games import parts_of
from tournament.games.addressing import OffersAddress
from tournament.games.contract import Game
from tournament.languages import gettext
from tournament.text import printable
from tournament.viewer.frames import read_view, tell


def tell_person(event: Any, game: Game, *, seat: int, names: Sequence[str]) -> str:
    """Returns an event in a sentence to the person in a seat; their name stands in it where the game has no `you`."""
    parts = parts_of(game)
    if event.seat == seat and isinstance(parts, OffersAddress):
        return printable(parts.tell_own_event(event))
    sentence, _ = tell(event, game, who=names[event.seat], told=seat)
    return printable(sentence)


def ask_person(view: Any, *, name: str) -> str:
    """Returns what the seat of a view, which is to move, is asked for; with its name where the game has no `you`."""
    parts = parts_of(view.game)
    if isinstance(parts, OffersAddress):
        return parts.ask_for_move(view)
    return gettext("Your turn: {name} {does}.", name=name, does=read_view(view).due)


def names_for(seat: int, names: Sequence[str]) -> tuple[str, ...]:
    """Returns what the seats of a table are called before the person in one of them."""
    return tuple(gettext("you") if place == seat else name for place, name in enumerate(names))
