"""`check_game`: checks that a game keeps the contract of `games/contract.py`. For authors of games, and for ours.

    from tournament.testing import check_game

    def test_my_game_keeps_the_contract():
        check_game(MyGame())

For every number of players random games are played to the end: twice from the same seed, while Python's
global `random` is seeded differently, and once more from their record, asking everything the contract
promises on the way. Then the parts are asked that the game offers beyond its rules.

What a seat may know no program can guess, so the game itself is asked: `redeal` says which cards
a seat cannot know. From that follow the two checks on hidden cards:

- a state dealt again from what a seat saw must look the same to it, byte for byte, however the
  hidden cards fall; otherwise its view shows what it cannot know, or `redeal` forgot what it can;
- where an event would be other news in another such state, or after another action, and neither
  the view nor `redeal` make anything of the difference, the news tell too much.
"""

from __future__ import annotations

import random

from tournament.games.contract import Game
from tournament.testing.case import CardsOf, Case
from tournament.testing.one_game import check_one_game, check_players_refused

__all__ = ["check_game"]


def check_game(game: Game, *, games: int = 20, seed: int = 0, cards_of: CardsOf | None = None) -> None:
    """Plays `games` random games for every number of players; raises `AssertionError` where one breaks the contract.

    The message is a sentence naming game, number of players, seed, step, expected and found; to play
    that game first, hand over the seed it names. `cards_of` returns every card of a state, wherever
    it lies, in one form whatever way up: with it no action may lose or double a card, and a state
    dealt again must have the same ones. Without it the cards are counted in deals only, by `check_deal`.
    """
    if not isinstance(game, Game):
        missing = [name for name in (*Game.__annotations__, *vars(Game)) if name[0] != "_" and not hasattr(game, name)]
        raise AssertionError(
            f"{game!r} is no game. Expected all of `tournament.games.contract.Game`; it lacks {missing}."
        )
    before = random.getstate()
    try:
        for players in game.players:
            for number in range(games):
                check_one_game(Case(game, players=players, seed=seed + number, cards_of=cards_of))
        for players in (game.players.start - 1, game.players.stop):
            check_players_refused(Case(game, players=players, seed=seed))
    finally:
        random.setstate(before)
