"""A trained policy as a bot: the most likely action of the policy whose weights lie beside this file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from policy import chances, describe_actions, describe_position

from tournament import Bot
from tournament.adapters.observation import observe
from tournament.numbering import numbering_of


class Trained(Bot):
    """Plays SCOUT as it learned: in the PettingZoo environment, or as the parameter `weights` names a file."""

    games = ("scout",)

    def __init__(self, weights: str = "weights.npy") -> None:
        self.file = Path(__file__).parent / weights

    def start(self, info: Any) -> None:
        """Reads the weights."""
        self.weights = np.load(self.file)
        self.numbering = numbering_of("scout", info.players)
        self.table = describe_actions(info.players)

    def act(self, view: Any) -> Any:
        """Returns the most likely action; of equal ones, the lowest number."""
        choices = self.numbering.choices(view)
        position = describe_position(observe(view), view.players)
        likely = chances(self.weights, self.table[list(choices)], position)
        return list(choices.values())[int(likely.argmax())]
