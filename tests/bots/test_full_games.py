"""Every example bot plays whole games, legally, and the same again from the same seed."""

from __future__ import annotations

from random import Random

import pytest

from tournament import load_game
from tournament.entrants.entries import entrants_from

SCOUT = ["random_legal", "scout_cautious", "scout_greedy", "scout_planner", "scout_keeper", "scout_swift"]
EXPLORERS = ["random_legal", "explorers_cautious", "explorers_threshold", "explorers_planner"]
TABLES = [
    *(("scout", bot, players) for bot in SCOUT for players in (2, 3, 4, 5)),
    *(("explorers", bot, players) for bot in EXPLORERS for players in (2, 3, 4)),
]


@pytest.mark.parametrize(("game", "bot", "players"), TABLES)
def test_a_bot_plays_twenty_games_against_random_to_a_complete_end(bots, game, bot, players):
    """Against random: every action is legal, and the game ends by the rules, whatever seat the bot has."""
    endings = set()
    for seed in range(20):
        names = ["random_legal"] * players
        names[seed % players] = bot
        endings.add(bots.play(load_game(game), names, seed=seed)[1].ending)

    assert endings == {"complete"}


@pytest.mark.parametrize(("game", "bot", "players"), [table for table in TABLES if table[1] != "random_legal"])
def test_a_bot_plays_twenty_seats_against_itself_to_a_complete_end(bots, game, bot, players):
    """Against itself: every action is legal, and the game ends by the rules. As many seats as against random."""
    games = -(-20 // players)
    endings = {bots.play(load_game(game), [bot] * players, seed=seed)[1].ending for seed in range(games)}

    assert endings == {"complete"}


@pytest.mark.parametrize(("game", "bot"), [(game, bot) for game, bot, players in TABLES if players == 3])
def test_the_same_seed_gives_the_same_moves(bots, game, bot):
    """Bots draw chance from their own source only, and carry nothing from one game to the next."""
    names = [bot, "random_legal", bot]
    first, _ = bots.play(load_game(game), names, seed=5)
    second, _ = bots.play(load_game(game), names, seed=5)

    assert first == second


def test_random_plays_otherwise_with_another_chance(bots):
    """The control of the test above: on one deal, two seeds of random's own chance are two games."""
    game = load_game("scout")
    deal = game.deal(3, Random(1))
    first, _ = bots.play(game, ["random_legal"] * 3, seed=1, deal=deal)
    second, _ = bots.play(game, ["random_legal"] * 3, seed=2, deal=deal)

    assert first != second


def test_the_folder_of_bots_holds_these_eleven(bots):
    """Modules with an underscore in front help bots and are none."""
    found = {entrant.name for entrant in entrants_from(["bots"], base=bots.folder.parent)}

    assert {*SCOUT, *EXPLORERS, "scout_searcher", "explorers_searcher"} == found


@pytest.mark.parametrize(("game", "bot"), [(game, bot) for game, bot, players in TABLES if players == 3])
def test_a_bot_says_which_game_it_plays(bots, game, bot):
    """The file name of a bot and its `games` agree; random plays every game."""
    expected = () if bot == "random_legal" else (game,)

    assert expected == bots.bot(bot).games
