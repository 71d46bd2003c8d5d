"""Actions as numbers: fixed, named, and one to one in every view. docs/training.md, Numbers."""

from __future__ import annotations

import pytest
from made_games import EVERY
from msgspec import structs

from tournament.deals import bot_rng, deal_seed, make_deal
from tournament.errors import GameError, IllegalAction
from tournament.games import load_game
from tournament.games.cards import PACK
from tournament.games.explorers.types import Build, Discard, Draw, DrawSource, ExplorersDeal, StartExpedition
from tournament.games.scout.sets import LONGEST_SET
from tournament.games.scout.types import Play, ScoutDeal, ScoutRound
from tournament.numbering import numbering_of

TOP_KINGS = ("2H", "KH", "QH", "3H", "5H", "AS", "JH", "8H", "9H", "10H")


def random_views(name, players, *, block=0, limit=10_000):
    """Yields the view of the seat to move at every decision of a random game."""
    game = load_game(name)
    seed = deal_seed("numbering", game=name, players=players, segment=0, block=block)
    rng = bot_rng(seed, rotation=0, seat=0)
    state = game.start(make_deal(game, players=players, seed=seed))
    while state.to_move is not None and limit:
        limit -= 1
        yield state.view(state.to_move)
        legal = state.legal_actions()
        state.apply(legal[int(rng.random() * len(legal))])


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_every_legal_action_of_random_games_has_a_number_of_its_own_and_back(name, players):
    """A view and a number are an action, a view and an action are a number."""
    numbering = numbering_of(name, players)
    for block in range(3):
        for view in random_views(name, players, block=block):
            choices = numbering.choices(view)

            assert set(view.legal_actions()) == set(choices.values())
            assert len(view.legal_actions()) == len(choices)
            assert sorted(choices) == list(choices)
            assert all(numbering.number_of(view, action) == number for number, action in choices.items())
            assert all(numbering.action_of(view, number) == action for number, action in choices.items())


@pytest.mark.parametrize(("name", "players"), EVERY)
def test_every_number_has_a_name_of_its_own(name, players):
    """OpenSpiel finds an action by its name."""
    numbering = numbering_of(name, players)

    assert numbering.size == len(set(numbering.names))


def test_the_sizes_are_those_that_are_documented():
    """docs/training.md, Numbers: they change only with a new version of the rules."""
    sizes = {key: numbering_of(*key).size for key in EVERY}

    assert {
        ("scout", 2): 153,
        ("scout", 3): 569,
        ("scout", 4): 695,
        ("scout", 5): 695,
        ("explorers", 2): 433,
        ("explorers", 3): 809,
        ("explorers", 4): 809,
    } == sizes


def test_a_hand_of_forty_one_cards_can_be_numbered_to_its_last_place():
    """SCOUT 21: the largest hand with four or five players."""
    numbering = numbering_of("scout", 5)

    assert {"play at 40 count 1", f"play at 31 count {LONGEST_SET}", "scout end right flip at 40 then_play"} <= set(
        numbering.names
    )


def test_a_run_of_ten_cards_has_a_number():
    """SCOUT 7: the longest set there is."""
    run = tuple(f"{value}/{value % 10 + 1}" for value in range(1, 11))
    state = load_game("scout").start(ScoutDeal((ScoutRound((run, run, run)),)))
    for action in ("keep",) * 3:
        state.apply(next(legal for legal in state.legal_actions() if legal.do == action))
    choices = numbering_of("scout", 3).choices(state.view(0))

    assert Play(0, 10) in choices.values()


def test_builds_are_numbered_from_the_highest_top_that_fits():
    """docs/training.md, Numbers: fit 0 leaves the least gap, of equal tops the oldest is first."""
    state = load_game("explorers").start(ExplorersDeal((TOP_KINGS, ("2C",) * 10), ("AC",) * 40))
    for card in ("2H", "KH", "5H", "QH"):
        state.apply(StartExpedition(card))
        state.apply(Draw(DrawSource.STOCK))
        state.apply(Discard("2C"))
        state.apply(Draw(DrawSource.STOCK))
    view = state.view(0)
    numbering = numbering_of("explorers", 2)
    meant = {name: numbering.names.index(name) for name in numbering.names}

    assert Build("8H", 2) == numbering.action_of(view, meant["build 8H fit 0"])
    assert Build("8H", 0) == numbering.action_of(view, meant["build 8H fit 1"])
    assert Build("8H", 1) == numbering.action_of(view, meant["build 8H fit 2"])
    assert Build("8H", 3) == numbering.action_of(view, meant["build 8H fit 3"])
    assert Build("JH", 1) == numbering.action_of(view, meant["build JH fit 0"])
    with pytest.raises(IllegalAction, match="8H fits 4 expeditions"):
        numbering.action_of(view, meant["build 8H fit 4"])


def test_a_card_has_a_number_for_every_expedition_it_can_fit_at_once():
    """Two players: a picture can go on those of the other two pictures; a ten on all twelve others of its suit."""
    names = numbering_of("explorers", 2).names

    assert 2 == sum(name.startswith("build KS ") for name in names)
    assert 12 == sum(name.startswith("build 10S ") for name in names)
    assert 25 == sum(name.startswith("build 10S ") for name in numbering_of("explorers", 4).names)


@pytest.mark.parametrize(("players", "most"), [(2, 31), (3, 73), (4, 63)])
def test_a_seat_with_all_the_expeditions_it_can_have_still_has_a_number_for_every_lay(players, most):
    """Explorers 13: 31, 73 and 63 expeditions, as many as can be of one card each, next to a hand."""
    pack = [card for card in PACK for _ in range(1 if players == 2 else 2)]
    hand, laid = tuple(pack[-10:]), pack[: len(pack) - 10][-most:]
    view = next(random_views("explorers", players))
    expeditions = (tuple((card,) for card in laid), *view.expeditions[1:])
    crowded = structs.replace(view, hand=hand, expeditions=expeditions)
    numbering = numbering_of("explorers", players)
    choices = numbering.choices(crowded)

    assert most == len(laid)
    assert len(crowded.legal_actions()) == len(choices) > 20
    assert all(numbering.action_of(crowded, number) == action for number, action in choices.items())


def test_what_has_no_number_is_refused_with_a_sentence():
    """Errors for users: what was found, what there is."""
    view = next(random_views("explorers", 2))
    scout = numbering_of("scout", 4)

    with pytest.raises(GameError, match="build card 10H expedition 0 has no number in this view"):
        numbering_of("explorers", 2).number_of(view, Build("10H", 0))
    with pytest.raises(GameError, match="play at 0 count 45 has no number"):
        scout.number_of(next(random_views("scout", 4)), Play(0, 45))
    with pytest.raises(IllegalAction, match="numbers go from 0 to 694"):
        scout.action_of(None, 695)
    with pytest.raises(GameError, match="2 to 4 players, not 5"):
        numbering_of("explorers", 5)
