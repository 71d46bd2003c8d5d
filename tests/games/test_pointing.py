"""What actions point at: the cards they move, and where these go, as a person touches them."""

from __future__ import annotations

from random import Random

from tournament.games import load_game
from tournament.games.explorers.types import Build, Discard, Draw, StartExpedition
from tournament.games.parts import Pointed
from tournament.games.scout.types import Keep, Play, Scout, SetEnd


def decisions(name, players):
    """Yields views and what may be done in them, through a game played at random."""
    game, rng = load_game(name), Random(3)
    state = game.start(game.deal(players, rng))
    point_at = game.parts().point_at
    while state.to_move is not None:
        view = state.view(state.to_move)
        for action in view.legal_actions():
            yield view, action, point_at(action, view)
        legal = state.legal_actions()
        state.apply(legal[int(rng.random() * len(legal))])


def test_an_explorer_points_at_the_card_and_at_where_it_goes():
    seen = set()
    for view, action, pointed in decisions("explorers", 3):
        seen.add(type(action))
        if isinstance(action, Draw):
            source = "stock" if action.source == "stock" else f"pile {action.source}"
            assert Pointed(spots=(source,), to="hand") == pointed
            continue
        (place,) = pointed.hand
        expected = {
            StartExpedition: lambda: "new expedition",
            Build: lambda: f"expedition {action.expedition}",  # noqa: B023 (called at once)
            Discard: lambda: f"pile {action.card[-1]}",  # noqa: B023
        }[type(action)]()

        assert (action.card, expected) == (view.hand[place], pointed.to)
    assert {StartExpedition, Build, Discard, Draw} == seen


def test_in_scout_a_play_points_at_the_table_and_a_scout_at_a_place_in_the_hand():
    for view, action, pointed in decisions("scout", 3):
        if isinstance(action, Play):
            assert Pointed(hand=tuple(range(action.at, action.at + action.count)), to="table") == pointed
        elif isinstance(action, Scout):
            end = 0 if action.end is SetEnd.LEFT else len(view.table) - 1
            assert Pointed(table=(end,), gap=action.at) == pointed
        elif isinstance(action, Keep):
            assert Pointed() == pointed


def test_no_two_actions_of_an_explorer_point_at_the_same():
    """Whoever has touched the card and the place has said which action they mean."""
    by_view = {}
    for view, action, pointed in decisions("explorers", 4):
        by_view.setdefault(id(view), (view, {}))[1].setdefault(pointed, []).append(action)

    assert [] == [actions for _, found in by_view.values() for actions in found.values() if len(actions) > 1]
