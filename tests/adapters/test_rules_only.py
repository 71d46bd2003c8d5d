"""A game that offers nothing but its rules, in PettingZoo and OpenSpiel: every part has a plain way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from needs import need_module

GAMES = Path(__file__).parents[1] / "games"

PETTINGZOO = """
import warnings

from pettingzoo.test import api_test, seed_test

from tournament.adapters.pettingzoo import aec_env

warnings.simplefilter("ignore")
for players in (2, 3):
    api_test(aec_env("highest", players=players), num_cycles=100)
    seed_test(lambda: aec_env("highest", players=players), num_cycles=20)
env = aec_env("highest", players=2, render_mode="ansi")
env.reset(seed=1)
seen = env.observe("player_0")
assert seen["observation"][4:].tolist() == seen["action_mask"].tolist(), "the legal numbers are in the observation"
assert sum(seen["action_mask"]) == 3
assert not env.observe("player_1")["observation"][4:].any()
assert "as seat 0 sees it" in env.render()
print("passed")
"""

OPENSPIEL = """
import random

import pyspiel

from tournament.adapters.openspiel import load_openspiel_game

for players in (2, 3):
    game = load_openspiel_game("highest", players=players, rewards="placement")
    pyspiel.random_sim_test(game, 2, True, False)
assert not game.get_type().provides_information_state_tensor
assert load_openspiel_game("highest", players=2).max_utility() == 32767
chance = random.Random(1)
state = game.new_initial_state()
while state.is_chance_node():
    outcomes = state.chance_outcomes()
    assert abs(sum(probability for _, probability in outcomes) - 1) < 1e-9
    state.apply_action(chance.choice(outcomes)[0])
while not state.is_terminal():
    twin = state.resample_from_infostate(state.current_player(), chance.random)
    assert twin.information_state_string() == state.information_state_string()
    state.apply_action(chance.choice(state.legal_actions()))
print("passed")
"""


@pytest.fixture
def environment(tmp_path):
    """Returns the variables of an environment in which the third party's game is installed."""
    folder = tmp_path / "highest_game-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: highest-game\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(
        "[tournament.games]\nhighest = third_party:Highest\nstale = no_such_module:Game\n"
    )
    return {**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), str(GAMES)))}


@pytest.mark.parametrize(
    ("module", "extra", "code"), [("pettingzoo", "pettingzoo", PETTINGZOO), ("pyspiel", "openspiel", OPENSPIEL)]
)
def test_the_libraries_own_tests_pass_with_rules_alone(environment, module, extra, code):
    """api_test, seed_test and random_sim_test; a package that cannot be loaded is no hindrance."""
    need_module(module, extra=extra)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=300)

    assert (0, "passed") == (done.returncode, (done.stdout.strip().splitlines() or [""])[-1]), done.stderr
