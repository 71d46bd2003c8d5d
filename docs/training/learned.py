"""What MaskablePPO learned, as a bot: the action with the highest score of the layers in `learned.npz`."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tournament import Bot, GameStart
from tournament.adapters.observation import observe
from tournament.games.scout import ScoutAction, ScoutView
from tournament.numbering import numbering_of


class Learned(Bot[ScoutView, ScoutAction]):
    """Plays SCOUT with two players as it learned to in `learn_ppo.py`."""

    games = ("scout",)
    players = (2,)

    def __init__(self, weights: str = "learned.npz") -> None:
        self.file = Path(__file__).parent / weights

    def start(self, info: GameStart) -> None:
        """Reads the layers."""
        with np.load(self.file) as arrays:
            numbers = range(len(arrays.files) // 2)
            self.layers = [(arrays[f"weights_{number}"], arrays[f"bias_{number}"]) for number in numbers]
        self.numbering = numbering_of("scout", info.players)

    def act(self, view: ScoutView) -> ScoutAction:
        """Returns the legal action with the highest score; of equal ones, the lowest number."""
        choices = self.numbering.choices(view)
        values = observe(view).astype(np.float32)
        for weights, bias in self.layers[:-1]:
            values = np.tanh(weights @ values + bias)
        weights, bias = self.layers[-1]
        scores = weights @ values + bias
        action: ScoutAction = choices[max(choices, key=lambda number: float(scores[number]))]
        return action
