"""Trains MaskablePPO of sb3-contrib in one seat of SCOUT: python docs/training/learn_ppo.py (about a minute).

The others at the table are bots: by default one that plays at random. What was learned is written as a file of numpy,
which `learned.py` plays by: the bot needs no torch.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from tournament.adapters.gymnasium import SeatEnv, seat_env

WEIGHTS = Path(__file__).parent / "learned.npz"


def train(env: SeatEnv, *, seed: int, steps: int) -> MaskablePPO:
    """Returns a policy that was trained for so many decisions."""
    model = MaskablePPO("MlpPolicy", env, seed=seed, n_steps=1024, batch_size=256, gamma=1.0, ent_coef=0.01)
    return model.learn(steps)


def play(model: MaskablePPO, env: SeatEnv, *, seed: int, games: int) -> float:
    """Returns the mean reward of the policy in so many games on deals of its own."""
    rewards = []
    for game in range(games):
        observation, _ = env.reset(seed=seed if game == 0 else None)
        reward, over = 0.0, False
        while not over:
            action, _ = model.predict(observation, action_masks=env.action_masks(), deterministic=True)
            observation, reward, over, _, _ = env.step(action)
        rewards.append(reward)
    return float(np.mean(rewards))


def write_weights(model: MaskablePPO, path: Path) -> None:
    """Writes the layers of the policy, from the observation to a score for each action."""
    layers = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    linear: list[Any] = [layer for layer in layers if isinstance(layer, torch.nn.Linear)]
    arrays = {}
    for number, layer in enumerate(linear):
        arrays[f"weights_{number}"] = layer.weight.detach().numpy()
        arrays[f"bias_{number}"] = layer.bias.detach().numpy()
    np.savez(path, **arrays)


def main() -> None:
    """Trains, plays, and writes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--steps", type=int, default=60_000, help="decisions of the learner")
    parser.add_argument("--opponent", action="append", default=[], help="a bot, as for --bots; one for each seat")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    given = parser.parse_args()
    torch.set_num_threads(1)  # the layers are small
    env = seat_env("scout", players=2, seat=None, opponents=given.opponent)
    env.reset(seed=given.seed)
    model = train(env, seed=given.seed, steps=given.steps)
    print(f"{play(model, env, seed=given.seed + 1, games=200):.3f} of a point a game")
    write_weights(model, given.out)


if __name__ == "__main__":
    main()
