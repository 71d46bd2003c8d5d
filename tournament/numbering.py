"""Actions as numbers, the same in PettingZoo, in OpenSpiel and in exported views.

The numbers of a game for a number of players are fixed: 0 to `size` - 1, each with a name. In one
view no two actions have the same number, so that a view and a number are an action, and a view
and an action are a number. They are the places of the actions in `Game.actions(players)`, where a game
does not number its actions otherwise.
"""

from __future__ import annotations

from functools import cache

from tournament.games import load_game, parts_of
from tournament.games.contract import wrong_players
from tournament.games.parts import ListNumbering, Numbering, OffersNumbering

__all__ = ["Numbering", "numbering_of"]


@cache
def numbering_of(game: str, players: int) -> Numbering:
    """Returns the numbering of a game, by its name, for a number of players.

    Raises `GameError` when there is no such game, or it is not for so many players.
    """
    rules = load_game(game)
    if players not in rules.players:
        raise wrong_players(rules, players)
    parts = parts_of(rules)
    if isinstance(parts, OffersNumbering):
        return parts.number_actions(players)
    return ListNumbering(rules.actions(players))
