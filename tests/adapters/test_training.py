"""The example of docs/training: a policy trained in the environment, entered as a bot."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from made_games import refereed
from needs import need_module

TRAINING = Path(__file__).parents[2] / "docs" / "training"


@pytest.fixture
def trained(monkeypatch):
    """Returns the class of the bot."""
    monkeypatch.syspath_prepend(str(TRAINING))
    import trained

    return trained.Trained


def test_the_weights_are_a_few_kilobytes():
    """docs/training.md: a small policy."""
    assert (TRAINING / "weights.npy").stat().st_size < 5000


@pytest.mark.parametrize(("players", "least"), [(2, 30), (3, 30), (4, 40), (5, 50)])
def test_the_trained_bot_beats_random_at_every_number_of_players(trained, players, least):
    """docs/training.md: every game of ten deals from every seat, with two players three of four."""
    won = 0
    deals = 20 if players == 2 else 10
    for block in range(deals):
        for seat in range(players):
            seats = [trained() if one == seat else None for one in range(players)]
            places = refereed("scout", seats, block=block).result.places
            won += places[seat] == 1 and places.count(1) == 1

    assert won >= least


def test_the_training_runs_and_gives_weights_of_the_same_shape(tmp_path):
    """docs/training.md: python docs/training/train.py."""
    need_module("pettingzoo", extra="pettingzoo")
    out = tmp_path / "weights.npy"
    command = [sys.executable, str(TRAINING / "train.py"), "--steps", "2", "--games", "4", "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    weights = np.load(out)

    assert np.load(TRAINING / "weights.npy").shape == weights.shape
    assert np.isfinite(weights).all()
    assert weights.any()
