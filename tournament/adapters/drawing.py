"""A game that is being played as text, drawn as the viewers draw records."""

from __future__ import annotations

from typing import Any

from tournament.games.contract import Game, State
from tournament.games.parts import Scene
from tournament.viewer.frames import read_view
from tournament.viewer.text import draw_scene


def draw_state(game: Game, state: State, *, event: Any = None) -> str:
    """Returns the last event in words, the table and every hand, and who is next; nothing is hidden."""
    view = state.view(None)
    seats = range(view.players)
    reading = read_view(view, game)
    scene = Scene(
        view=view,
        news=() if event is None else state.news(event, event.seat),
        hands={seat: state.view(seat) for seat in seats},
        seat=None,
        reading=reading,
        names=tuple(f"player_{seat}" for seat in seats),
        actor=None if event is None else event.seat,
        to_move=view.to_move,
    )
    words = "The cards are dealt." if event is None else game.describe(event, event.seat)
    upcoming = "The game is over." if view.to_move is None else f"Seat {view.to_move} {reading.due}."
    table = (line.plain.rstrip() for line in draw_scene(scene))
    return "\n".join([words, "", *table, "", upcoming])
