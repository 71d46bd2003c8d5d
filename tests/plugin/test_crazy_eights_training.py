"""Crazy Eights for learners: PettingZoo's and OpenSpiel's own tests, and equality with the referee."""

from __future__ import annotations

import random
import subprocess

import numpy as np
import pytest
from crazy_eights.training import EightsTraining
from needs import need_module

from tournament.deals import deal_seed, make_deal

OPENSPIEL = """
import random

import pyspiel

from tournament.adapters.openspiel import load_openspiel_game

for players in (2, 3, 4):
    pyspiel.random_sim_test(pyspiel.load_game(f"tournament_crazy_eights(players={players})"), 2, True, False)
game = load_openspiel_game("crazy_eights", players=3, options={"hand_size": 7}, rewards="placement")
pyspiel.random_sim_test(game, 2, True, False)
assert game.get_parameters()["hand_size"] == 7
state = game.new_initial_state()
chance = random.Random(1)
while state.is_chance_node():
    state.apply_action(chance.choice(state.chance_outcomes())[0])
assert {7} == {len(state.course.view_of(seat).hand) for seat in range(3)}
for _ in range(9):
    seat = state.current_player()
    twin = state.resample_from_infostate(seat, chance.random)
    assert state.information_state_string(seat) == twin.information_state_string(seat)
    assert state.information_state_tensor(seat) == twin.information_state_tensor(seat)
    assert state.observation_tensor(seat) == twin.observation_tensor(seat)
    state.apply_action(chance.choice(state.legal_actions()))
print("passed")
"""


@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_petting_zoos_own_tests_pass(installed, players):
    """api_test to the end of games, and seed_test."""
    need_module("pettingzoo", extra="pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from tournament.adapters.pettingzoo import aec_env

    api_test(aec_env("crazy_eights", players=players), num_cycles=300)
    seed_test(lambda: aec_env("crazy_eights", players=players), num_cycles=40)


def test_open_spiels_own_test_passes(environment):
    """random_sim_test: clones, tensors, bounds; options are parameters; resampling keeps what a seat saw."""
    need_module("pyspiel", extra="openspiel")
    done = subprocess.run(
        [environment.python, "-c", OPENSPIEL], capture_output=True, text=True, check=False, cwd=environment.packages
    )

    assert ("passed\n", 0) == (done.stdout, done.returncode), done.stderr


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("size", [5, 7])
def test_chance_can_deal_every_deal_of_the_rules(installed, players, size):
    """Each card drawn is among the outcomes, whose probabilities add up to one."""
    options = installed.Options(hand_size=size)
    seed = deal_seed("chance", game=installed.name, players=players, segment=0, block=0)
    deal = make_deal(installed, players=players, seed=seed, options=options)
    dealing = EightsTraining(players).dealing(options)
    numbers = dealing.outcomes_of(deal)
    for drawn, number in enumerate(numbers):
        outcomes = dict(dealing.outcomes(numbers[:drawn]))

        assert number in outcomes
        assert abs(sum(outcomes.values()) - 1) < 1e-9
    assert (deal, dealing.length) == (dealing.deal_of(numbers), len(numbers))


def test_an_observation_tells_what_the_view_tells_and_does_not_change_with_hidden_cards(installed):
    """Seats are counted from the viewer; a redealt state looks the same."""
    from tournament.adapters.observation import layout_of, observe

    chance = random.Random(4)
    state, seen, layout = installed.start(installed.deal(3, chance)), [], layout_of(installed.name, 3)
    for _ in range(12):
        view = state.view(state.to_move)
        if state.to_move == 1:
            seen.append(view)
            array = observe(view)
            pieces = layout.pieces_in(array, tuple(layout.pieces))

            assert array.tobytes() == observe(installed.redeal(seen, chance).view(1)).tobytes()
            assert ([0, 1, 0], [1, 0, 0]) == (pieces["seat"].tolist(), pieces["to_move"].tolist())
            assert len(view.hand) == pieces["hand"].sum() == pieces["hand_sizes"][0]
            assert (len(view.pile), view.stock) == (pieces["pile"].sum(), pieces["stock"][0])
            assert 1 == np.count_nonzero(pieces["top"])
        legal = state.legal_actions()
        state.apply(legal[int(chance.random() * len(legal))])

    assert len(seen) > 2
