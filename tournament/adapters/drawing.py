"""A game that is being played as text, drawn as the viewers draw records."""

from __future__ import annotations

from typing import Any

from tournament.games.contract import Game, State
from tournament.viewer.frames import ALL, Audience, Frame, Header, Seen, read_view
from tournament.viewer.text import WIDTH, draw_table


def draw_state(game: Game, state: State, *, event: Any = None) -> str:
    """Returns the last event in words, the table and every hand, and who is next; nothing is hidden."""
    view = state.view(None)
    players: int = view.players
    words = "The cards are dealt." if event is None else game.describe(event, event.seat)
    reading = read_view(view, game)
    upcoming = "The game is over." if view.to_move is None else f"Seat {view.to_move} {reading.due}."
    news = () if event is None else state.news(event, event.seat)
    seen = {
        audience: Seen(words=words, news=news, view=state.view(audience.seat), faults=())
        for audience in (ALL, *(Audience(seat=seat) for seat in range(players)))
    }
    frame = Frame(
        step=0,
        round=getattr(view, "round", None),
        where="",
        actor=None if event is None else event.seat,
        stand_in=False,
        to_move=view.to_move,
        next=upcoming,
        reading=reading,
        forfeits=(),
        ending=(),
        seen=seen,
    )
    header = Header(
        id="",
        tournament="",
        game=game.name,
        title=game.title,
        options="",
        names=tuple(f"player_{seat}" for seat in range(players)),
        versions=("",) * players,
        seed=None,
    )
    lines = [words, "", *(line.plain.rstrip() for line in draw_table(frame, header, ALL, width=WIDTH)), "", upcoming]
    return "\n".join(lines)
